/**
 * BACS Standard 18, single processing day: labels of 80 characters (VOL1 HDR1 HDR2 UHL1 … EOF1 EOF2 UTL1), payments and
 * the contra of 100. The processing day in UHL1 is the business day before the value date, on which payees have the
 * money. Positions as in the message implementation guides of banks (HSBC 2012, Bank of Ireland), read in excerpts.
 */
import { addDays, diffDays, type IsoDate } from '../calendar/calendar.ts';
import { sum } from '../money/money.ts';
import { plainNumber } from '../receivables/bank-numbers.ts';
import { alpha, digits, FileDraft } from './file-draft.ts';
import { accountName, type PaymentBatch, type PaymentFileResult, type PaymentItem,
  type UkAccount } from './payment-batch.ts';
import { closedBecause, railDaysFrom } from './rail-days.ts';

export interface BacsOriginator {
  /** Service user number: six digits. */
  service_user: string;
  /** Name as payees read it: 18 characters. */
  name: string;
  account: UkAccount;
}

export interface BacsOptions {
  created_on: IsoDate;
  /** Six characters, no two files of a day alike. */
  serial: string;
  /** Number of the file of the day, 1 to 999. */
  file_number: number;
  /** Bank holidays that were proclaimed and have no rule. */
  extra_holidays: readonly IsoDate[];
}

/** 20,000,000.00: the limit of the scheme for one payment. */
const MOST_AMOUNT = 2_000_000_000n;
const MOST_TOTAL = 99_999_999_999n;
const MOST_PAYMENTS = 9_999_999;

interface Payment {
  id: string;
  bank: UkAccount;
  amount_minor: bigint;
  name: string;
  reference: string;
}

/** The file, or each reason against it. Lines end with CR LF. */
export function writeBacs(batch: PaymentBatch, from: BacsOriginator, options: BacsOptions): PaymentFileResult {
  const draft = new FileDraft('bacs');
  draft.batch(batch, MOST_TOTAL);
  checkFile(draft, batch, from, options);
  const name = draft.needed(null, 'originator', from.name, 18);
  const payments = batch.items.map((item) => paymentOf(draft, item)).filter((one) => one !== null);
  return draft.result(() => {
    const total = sum(batch.items.map(({ amount_minor }) => amount_minor));
    const lines = [...labels(batch, from, options), ...payments.map((one) => record(one, from, name)),
      contra(total, from, name), ...trailers(batch, from, options, total)];
    return { text: lines.map((line) => `${line}\r\n`).join(''), count: batch.items.length, total_minor: total,
      value_on: batch.value_on, ids: payments.map(({ id, reference }) => ({ item_id: id, bank_id: reference })) };
  });
}

function checkFile(draft: FileDraft, batch: PaymentBatch, from: BacsOriginator, options: BacsOptions): void {
  const { created_on, serial, file_number, extra_holidays } = options;
  if (batch.currency !== 'GBP') draft.refuse(null, 'currency', `BACS pays pounds, not ${batch.currency}.`);
  if (batch.items.length > MOST_PAYMENTS) {
    draft.refuse(null, 'items', 'The batch has more payments than one file takes.');
  }
  if (!/^\d{6}$/.test(from.service_user)) draft.refuse(null, 'originator', 'A service user number has six digits.');
  if (!isWellFormed(from.account)) draft.refuse(null, 'originator', 'The sort code or number of the account is wrong.');
  if (!/^[A-Z0-9]{6}$/.test(serial) || serial === '000000') {
    draft.refuse(null, 'file', 'The serial number of the file has six letters or digits, not all zeros.');
  }
  if (!Number.isInteger(file_number) || file_number < 1 || file_number > 999) {
    draft.refuse(null, 'file', 'The number of the file is one of 1 to 999.');
  }
  const closed = closedBecause('bacs', batch.value_on, extra_holidays);
  if (closed) draft.refuse(null, 'value_on', `${batch.value_on} is no settlement day (${closed}).`);
  else if (processingDay(batch, options) <= created_on) {
    draft.refuse(null, 'value_on', `BACS takes three days: a file of ${created_on} is too late for ${batch.value_on}.`);
  }
}

function processingDay({ value_on }: PaymentBatch, { extra_holidays }: BacsOptions): IsoDate {
  return railDaysFrom('bacs', value_on, -1, extra_holidays);
}

function isWellFormed({ sort_code, account }: UkAccount): boolean {
  return /^\d{6}$/.test(plainNumber(sort_code)) && /^\d{8}$/.test(plainNumber(account));
}

function paymentOf(draft: FileDraft, item: PaymentItem): Payment | null {
  const { bank, amount_minor } = item;
  draft.amount(item, MOST_AMOUNT, 'is more than BACS pays at once');
  if (item.is_prenote) draft.refuse(item, 'amount', 'BACS knows no prenotes.');
  const name = draft.needed(item, 'payee', accountName(item), 18);
  const reference = draft.needed(item, 'reference', item.reference === '' ? item.id : item.reference, 18);
  if (bank?.kind !== 'uk') {
    draft.refuse(item, 'bank', bank ? 'BACS needs a British account with its sort code.'
      : 'there are no bank details.');
    return null;
  }
  if (!/^\d{6}$/.test(plainNumber(bank.sort_code))) draft.refuse(item, 'sort_code', 'a sort code has 6 digits.');
  if (!/^\d{8}$/.test(plainNumber(bank.account))) {
    draft.refuse(item, 'account', 'a British account number has 8 digits.');
  }
  return { id: item.id, bank, amount_minor, name, reference };
}

/** ' YYDDD': year and day of the year. */
function julian(date: IsoDate): string {
  const year = date.slice(0, 4);
  return ` ${year.slice(2)}${String(diffDays(`${year}-01-01`, date) + 1).padStart(3, '0')}`;
}

/** Fields that HDR1 and EOF1 share, after their name. */
function fileLabel({ service_user }: BacsOriginator, { created_on, serial }: BacsOptions, value_on: IsoDate): string {
  return `A${service_user}S  1${service_user}${serial}00010001${alpha('', 6)}${julian(created_on)}`
    + `${julian(addDays(value_on, 1))} 000000${alpha('', 20)}`;
}

const FORMAT_LABEL = `F0200000100${alpha('', 35)}00${alpha('', 28)}`;

function labels(batch: PaymentBatch, from: BacsOriginator, options: BacsOptions): string[] {
  return [`VOL1${options.serial} ${alpha('', 30)}${from.service_user}${alpha('', 32)}1`,
    `HDR1${fileLabel(from, options, batch.value_on)}`, `HDR2${FORMAT_LABEL}`,
    `UHL1${julian(processingDay(batch, options))}999999    00000000${alpha('1 DAILY', 9)}`
      + `${digits(options.file_number, 3)}${alpha('', 40)}`];
}

function trailers(batch: PaymentBatch, from: BacsOriginator, options: BacsOptions, total: bigint): string[] {
  const value = digits(total, 13);
  return [`EOF1${fileLabel(from, options, batch.value_on)}`, `EOF2${FORMAT_LABEL}`,
    `UTL1${value}${value}${digits(1, 7)}${digits(batch.items.length, 7)}${alpha('', 36)}`];
}

function number({ sort_code, account }: UkAccount): string {
  return `${plainNumber(sort_code)}${plainNumber(account)}`;
}

/** A credit to the payee: code 99. */
function record({ bank, amount_minor, name, reference }: Payment, from: BacsOriginator, own: string): string {
  return `${number(bank)}099${number(from.account)}${alpha('', 4)}${digits(amount_minor, 11)}${alpha(own, 18)}`
    + `${alpha(reference, 18)}${alpha(name, 18)}`;
}

/** The debit of the total from the account of the originator: code 17. */
function contra(total: bigint, { account }: BacsOriginator, own: string): string {
  return `${number(account)}017${number(account)}${alpha('', 4)}${digits(total, 11)}${alpha('', 18)}`
    + `${alpha('CONTRA', 18)}${alpha(own, 18)}`;
}
