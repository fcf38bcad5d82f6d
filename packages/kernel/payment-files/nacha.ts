/**
 * NACHA files: credits as PPD (persons) and CCD (companies) with addenda, prenotes, same-day, with or without an
 * offsetting debit. Records of 94 characters in blocks of ten, the last block filled with nines.
 *
 * The entry hash is the sum of the first eight digits of the routing numbers, modulo 10^10. One trace number is one
 * payment: it comes back with a return, so the first of a file is an input.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { formatMinor, minorToDecimal, sum } from '../money/money.ts';
import { abaHolds, plainNumber } from '../receivables/bank-numbers.ts';
import { alpha, digits, FileDraft } from './file-draft.ts';
import { accountName, type PaymentBatch, type PaymentFile, type PaymentFileResult, type PaymentItem,
  type UsAccount } from './payment-batch.ts';
import { closedBecause } from './rail-days.ts';

export interface NachaOriginator {
  /** Name of the company as payees read it: 16 characters. */
  company_name: string;
  /** Ten characters that the bank gave: '1' and the tax number, as a rule. */
  company_id: string;
  /** The account that is charged; its routing number is that of the originating bank. */
  account: UsAccount;
  /** Destination of the file: nine digits and a name. */
  destination_routing: string;
  destination_name: string;
  /** Ten characters, the company id where the bank asks for nothing else. */
  origin_id: string;
  origin_name: string;
}

export interface NachaOptions {
  created_on: IsoDate;
  /** 'HHMM'. */
  created_at: string;
  /** A for the first file of a day, B for the second. */
  modifier: string;
  /** Purpose of the payments, as payees read it: ROYALTIES, PAYMENT. Ten characters. */
  description: string;
  /** Charges the account of the originator in the file itself; else the bank does. */
  balanced: boolean;
  same_day: boolean;
  /** Sequence of the first trace number, 1 to 9,999,999. */
  first_trace: number;
  /** Number of the first batch of the file. */
  first_batch: number;
}

const MOST_AMOUNT = 9_999_999_999n;
const MOST_SAME_DAY = 100_000_000n;
const MOST_TOTAL = 999_999_999_999n;
const MOST_TRACE = 9_999_999;
const BLOCK = 10;
const WIDTH = 94;

/** Ids of the files of one day: the first is A, the last 9. */
const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The first id of a day that no file of the company has; null where all 36 are taken. */
export function nextModifier(taken: readonly string[]): string | null {
  return MODIFIERS.split('').find((one) => !taken.includes(one)) ?? null;
}

/** The first of `count` trace numbers behind those of the last file; 1 where they would not fit. */
export function firstTrace(last: { first_trace: number; trace_count: number } | null, count: number): number {
  const next = last === null ? 1 : last.first_trace + last.trace_count;
  return next + count - 1 > MOST_TRACE ? 1 : next;
}

interface Entry {
  item: PaymentItem;
  bank: UsAccount;
  name: string;
  addenda: string;
}

interface Batch {
  type: 'PPD' | 'CCD';
  entries: Entry[];
}

/** The file, or each reason against it. Lines end with CR LF. */
export function writeNacha(batch: PaymentBatch, from: NachaOriginator, options: NachaOptions): PaymentFileResult {
  const draft = new FileDraft('nacha');
  draft.batch(batch, MOST_TOTAL);
  checkFile(draft, batch, options);
  const head = header(draft, from, options);
  const entries = batch.items.map((item) => entryOf(draft, item, options));
  const written = entries.filter((one) => one !== null);
  const batches = (['PPD', 'CCD'] as const)
    .map((type): Batch => ({ type, entries: written.filter(({ item }) => item.is_person === (type === 'PPD')) }))
    .filter((one) => one.entries.length > 0);
  for (const { type, entries: some } of options.balanced ? batches : []) {
    const total = sum(some.map(({ item }) => item.amount_minor));
    if (total > MOST_AMOUNT) {
      draft.refuse(null, 'amount', `The total of ${formatMinor(total)} (${type}) is more than one offsetting debit can `
        + 'hold. Make two runs of it, or let the bank charge the account.');
    }
  }
  const used = batch.items.length + (options.balanced ? batches.length : 0);
  if (options.first_trace + used - 1 > MOST_TRACE) {
    draft.refuse(null, 'file', 'The trace numbers of the day are used up.');
  }
  return draft.result(() => new Writer(head, from, options, batch).write(batches));
}

function checkFile(draft: FileDraft, batch: PaymentBatch, options: NachaOptions): void {
  if (batch.currency !== 'USD') draft.refuse(null, 'currency', `NACHA pays US dollars, not ${batch.currency}.`);
  if (!/^[A-Z0-9]$/.test(options.modifier)) {
    draft.refuse(null, 'file', 'The file modifier is one of A to Z and 0 to 9.');
  }
  if (!/^([01]\d|2[0-3])[0-5]\d$/.test(options.created_at)) draft.refuse(null, 'file', 'The time of the file is HHMM.');
  const closed = closedBecause('nacha', batch.value_on);
  if (closed) draft.refuse(null, 'value_on', `${batch.value_on} is no settlement day (${closed}).`);
  if (batch.value_on < options.created_on) draft.refuse(null, 'value_on', `${batch.value_on} is in the past.`);
}

interface Header {
  company: string;
  company_id: string;
  description: string;
  file: string;
}

function header(draft: FileDraft, from: NachaOriginator, options: NachaOptions): Header {
  const destination = plainNumber(from.destination_routing);
  if (!abaHolds(destination)) {
    draft.refuse(null, 'originator', `The routing number ${destination} of the bank is wrong.`);
  }
  if (!abaHolds(from.account.routing)) {
    draft.refuse(null, 'originator', `The routing number ${from.account.routing} of the account is wrong.`);
  }
  const company = draft.needed(null, 'originator', from.company_name, 16);
  const company_id = draft.id(null, from.company_id, 10, 'originator');
  const origin = draft.id(null, from.origin_id, 10, 'originator');
  const description = draft.needed(null, 'purpose', options.description, 10);
  const names = [from.destination_name, from.origin_name].map((name) => draft.needed(null, 'originator', name, 23));
  const file = `101${destination.padStart(10)}${origin.padStart(10)}${short(options.created_on)}${options.created_at}`
    + `${options.modifier}094${BLOCK}1${alpha(names[0] ?? '', 23)}${alpha(names[1] ?? '', 23)}${alpha('', 8)}`;
  return { company, company_id, description, file };
}

function short(date: IsoDate): string {
  return date.slice(2).replaceAll('-', '');
}

function entryOf(draft: FileDraft, item: PaymentItem, options: NachaOptions): Entry | null {
  const { bank } = item;
  const name = draft.needed(item, 'payee', accountName(item), 22);
  draft.id(item, item.id, 15);
  draft.amount(item, MOST_AMOUNT);
  if (options.same_day && item.amount_minor > MOST_SAME_DAY) {
    draft.refuse(item, 'amount', 'a same-day payment is at most 1,000,000.00. Send it on the next day.');
  }
  const addenda = item.is_prenote ? '' : addendaText(draft, item);
  if (bank?.kind !== 'us') {
    draft.refuse(item, 'bank', bank ? 'ACH needs an American account with its routing number.'
      : 'there are no bank details.');
    return null;
  }
  if (!abaHolds(bank.routing)) draft.refuse(item, 'routing', `the routing number ${bank.routing} is wrong.`);
  if (!/^[A-Za-z0-9-]{1,17}$/.test(bank.account)) {
    draft.refuse(item, 'account', 'the account number must have 1 to 17 digits or letters.');
  }
  return { item, bank, name, addenda };
}

/** One addenda: the documents as RMR segments where all fit 80 characters, else the reference. */
function addendaText(draft: FileDraft, item: PaymentItem): string {
  const segments = item.documents.map(({ number, amount_minor }) =>
    `RMR*IV*${number.replace(/[*\\]/g, '-')}**${minorToDecimal(amount_minor)}\\`).join('');
  if (segments !== '' && segments.length <= 80) return draft.text(item, 'remittance', segments, 80);
  if (segments !== '') draft.note(item, 'remittance', segments, item.reference, ['shortened']);
  return draft.text(item, 'reference', item.reference, 80);
}

/** Writes what is checked. Counts and totals come from the entries themselves. */
class Writer {
  readonly #lines: string[] = [];
  readonly #ids: { item_id: string; bank_id: string }[] = [];
  readonly #head: Header;
  readonly #from: NachaOriginator;
  readonly #options: NachaOptions;
  readonly #batch: PaymentBatch;
  readonly #odfi: string;
  #trace: number;

  constructor(head: Header, from: NachaOriginator, options: NachaOptions, batch: PaymentBatch) {
    [this.#head, this.#from, this.#options, this.#batch] = [head, from, options, batch];
    this.#odfi = plainNumber(from.account.routing).slice(0, 8);
    this.#trace = options.first_trace;
  }

  write(batches: readonly Batch[]): PaymentFile {
    this.#lines.push(this.#head.file);
    const totals = batches.map((one, index) => this.#writeBatch(one, this.#options.first_batch + index));
    const hash = sum(totals.map((one) => one.hash)) % 10_000_000_000n;
    const blocks = Math.ceil((this.#lines.length + 1) / BLOCK);
    this.#lines.push(`9${digits(batches.length, 6)}${digits(blocks, 6)}`
      + `${digits(totals.reduce((all, { count }) => all + count, 0), 8)}${digits(hash, 10)}`
      + `${digits(sum(totals.map(({ debit }) => debit)), 12)}${digits(sum(totals.map(({ credit }) => credit)), 12)}`
      + alpha('', 39));
    while (this.#lines.length % BLOCK !== 0) this.#lines.push('9'.repeat(WIDTH));
    const { items, value_on } = this.#batch;
    return { text: this.#lines.map((line) => `${line}\r\n`).join(''), count: items.length, value_on,
      total_minor: sum(items.map(({ amount_minor }) => amount_minor)), ids: this.#ids };
  }

  #writeBatch({ type, entries }: Batch, number: number): Totals {
    const { company, company_id, description } = this.#head;
    const { same_day, created_at, balanced } = this.#options;
    const credit = sum(entries.map(({ item }) => item.amount_minor));
    // Nothing is charged for prenotes alone.
    const offset = balanced && credit > 0n;
    const service = offset ? '200' : '220';
    const end = `${this.#odfi}${digits(number, 7)}`;
    this.#lines.push(`5${service}${alpha(company, 16)}${alpha('', 20)}${alpha(company_id, 10)}${type}`
      + `${alpha(description, 10)}${alpha(same_day ? `SD${created_at}` : '', 6)}${short(this.#batch.value_on)}`
      + `   1${end}`);
    for (const entry of entries) this.#writeEntry(entry);
    if (offset) this.#writeOffset(credit, company);
    const banks = [...entries.map(({ bank }) => bank), ...(offset ? [this.#from.account] : [])];
    const addenda = entries.filter((entry) => entry.addenda !== '').length;
    const totals = { count: banks.length + addenda, debit: offset ? credit : 0n, credit,
      hash: sum(banks.map(({ routing }) => BigInt(plainNumber(routing).slice(0, 8)))) % 10_000_000_000n };
    this.#lines.push(`8${service}${digits(totals.count, 6)}${digits(totals.hash, 10)}${digits(totals.debit, 12)}`
      + `${digits(totals.credit, 12)}${alpha(company_id, 10)}${alpha('', 25)}${end}`);
    return totals;
  }

  #writeEntry({ item, bank, name, addenda }: Entry): void {
    const code = `${bank.savings ? 3 : 2}${item.is_prenote ? 3 : 2}`;
    const trace = this.#nextTrace();
    const id = alpha(item.id, 15);
    this.#lines.push(`6${code}${plainNumber(bank.routing)}${alpha(bank.account, 17)}${digits(item.amount_minor, 10)}`
      + `${id}${alpha(name, 22)}  ${addenda === '' ? 0 : 1}${trace}`);
    if (addenda !== '') this.#lines.push(`705${alpha(addenda, 80)}0001${trace.slice(8)}`);
    this.#ids.push({ item_id: item.id, bank_id: trace });
  }

  #writeOffset(amount: bigint, company: string): void {
    const { account } = this.#from;
    this.#lines.push(`6${account.savings ? '37' : '27'}${plainNumber(account.routing)}${alpha(account.account, 17)}`
      + `${digits(amount, 10)}${alpha('OFFSET', 15)}${alpha(company, 22)}  0${this.#nextTrace()}`);
  }

  #nextTrace(): string {
    const trace = `${this.#odfi}${digits(this.#trace, 7)}`;
    this.#trace += 1;
    return trace;
  }
}

interface Totals {
  count: number;
  hash: bigint;
  debit: bigint;
  credit: bigint;
}
