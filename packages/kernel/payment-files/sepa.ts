/**
 * SEPA credit transfers as ISO 20022 pain.001, versions .03 and .09. One payment information block for one account and
 * day. Sums are built from cents; texts have the basic Latin set of EPC217-08; ids come back unchanged.
 */
import { isIsoDate, type IsoDate } from '../calendar/calendar.ts';
import { minorToDecimal, sum } from '../money/money.ts';
import { bicHolds, ibanHolds, isSepa, plainNumber } from '../receivables/bank-numbers.ts';
import { FileDraft } from './file-draft.ts';
import { accountName, type IbanAccount, type PaymentBatch, type PaymentFileResult,
  type PaymentItem } from './payment-batch.ts';
import { closedBecause } from './rail-days.ts';
import { addressElements, isInEea, type AddressElement, type AddressForm } from './sepa-address.ts';

export type PainVersion = '03' | '09';

export interface SepaOriginator {
  name: string;
  account: IbanAccount;
  /** The creditor or organisation id that the bank gave; null where it asks for none. */
  organization_id: string | null;
}

export interface SepaOptions {
  version: PainVersion;
  /** The id of the file, at most 35 characters; the same file has it for ever. */
  message_id: string;
  created_on: IsoDate;
  /** 'HH:MM:SS'. */
  created_at: string;
  addresses: AddressForm;
  /** Asks the bank for one debit of the total. A wish: single debits are possible all the same. */
  one_debit: boolean;
}

const MOST_AMOUNT = 99_999_999_999n;
const MOST_TOTAL = 99_999_999_999_999_999n;
const MOST_PAYMENTS = 999_999;

interface Transfer {
  id: string;
  name: string;
  iban: string;
  bic: string | null;
  amount: string;
  address: AddressElement[];
  text: string;
}

/** The message, or each reason against it. */
export function writeSepa(batch: PaymentBatch, from: SepaOriginator, options: SepaOptions): PaymentFileResult {
  const draft = new FileDraft('sepa');
  draft.batch(batch, MOST_TOTAL);
  checkFile(draft, batch, from, options);
  const originator = draft.needed(null, 'originator', from.name, 70);
  const transfers = batch.items.map((item) => transferOf(draft, item, from, options));
  return draft.result(() => ({
    text: messageText(batch, from, options, originator, transfers), count: batch.items.length,
    value_on: batch.value_on, total_minor: sum(batch.items.map(({ amount_minor }) => amount_minor)),
    ids: batch.items.map(({ id }) => ({ item_id: id, bank_id: id })) }));
}

function checkFile(draft: FileDraft, batch: PaymentBatch, from: SepaOriginator, options: SepaOptions): void {
  if (batch.currency !== 'EUR') draft.refuse(null, 'currency', `SEPA pays euros, not ${batch.currency}.`);
  if (batch.items.length > MOST_PAYMENTS) {
    draft.refuse(null, 'items', 'The batch has more payments than one file takes.');
  }
  sepaId(draft, null, options.message_id, 'file');
  sepaId(draft, null, batch.reference, 'file');
  if (!isIsoDate(options.created_on) || !/^([01]\d|2[0-3])(:[0-5]\d){2}$/.test(options.created_at)) {
    draft.refuse(null, 'file', 'The time of the file is no date with HH:MM:SS.');
  }
  if (!ibanHolds(from.account.iban)) draft.refuse(null, 'originator', 'The IBAN of the account is wrong.');
  if (from.account.bic !== null && !bicHolds(from.account.bic)) {
    draft.refuse(null, 'originator', 'The BIC of the account is wrong.');
  }
  if (from.organization_id !== null) draft.id(null, from.organization_id, 35, 'originator');
  const closed = closedBecause('sepa', batch.value_on);
  if (closed) draft.refuse(null, 'value_on', `${batch.value_on} is no settlement day (${closed}).`);
  if (batch.value_on < options.created_on) draft.refuse(null, 'value_on', `${batch.value_on} is in the past.`);
}

/** Ids neither begin nor end with a slash and hold no two in a row (EPC guidelines, id fields). */
function sepaId(draft: FileDraft, item: PaymentItem | null, id: string, field: 'id' | 'file'): string {
  if (/^\/|\/$|\/\//.test(id)) {
    draft.refuse(item, field, `“${id}” must not begin or end with a slash, nor have two in a row.`);
  }
  return draft.id(item, id, 35, field);
}

function transferOf(draft: FileDraft, item: PaymentItem, from: SepaOriginator, options: SepaOptions): Transfer {
  const { bank } = item;
  draft.amount(item, MOST_AMOUNT);
  if (item.is_prenote) draft.refuse(item, 'amount', 'SEPA knows no prenotes.');
  const iban = bank?.kind === 'iban' ? plainNumber(bank.iban) : '';
  if (bank === null) draft.refuse(item, 'bank', 'there are no bank details.');
  else if (bank.kind !== 'iban') draft.refuse(item, 'bank', 'SEPA needs an IBAN.');
  else if (!ibanHolds(bank.iban)) draft.refuse(item, 'iban', `the IBAN ${iban} is wrong: compare it with the payee.`);
  else if (!isSepa(bank.iban)) draft.refuse(item, 'iban', `SEPA does not reach the country ${iban.slice(0, 2)}.`);
  else if (bank.bic !== null && !bicHolds(bank.bic)) draft.refuse(item, 'bic', `the BIC ${bank.bic} is wrong.`);
  const home = plainNumber(from.account.iban).slice(0, 2);
  const isNeeded = iban !== '' && !(isInEea(iban.slice(0, 2)) && isInEea(home));
  return { id: sepaId(draft, item, item.id, 'id'), name: draft.needed(item, 'payee', accountName(item), 70), iban,
    bic: bank?.kind === 'iban' && bank.bic !== null ? plainNumber(bank.bic) : null,
    amount: minorToDecimal(item.amount_minor), address: addressElements(draft, item, options.addresses, isNeeded),
    text: remittance(draft, item) };
}

/** One text of 140: the numbers of the documents where they fit, else the reference; the email tells the rest. */
function remittance(draft: FileDraft, item: PaymentItem): string {
  const numbers = item.documents.map(({ number }) => number).join(', ');
  const whole = [item.reference, numbers].filter((part) => part !== '').join(' ');
  if (whole.length <= 140) return draft.text(item, 'remittance', whole, 140);
  const advice = `See advice ${item.id}`;
  draft.note(item, 'remittance', whole, advice, ['shortened']);
  return draft.text(item, 'remittance', advice, 140);
}

/** Writes elements on lines of their own, so that a person can read the file. */
class Xml {
  readonly #lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>'];
  readonly #open: string[] = [];

  begin(...names: string[]): this {
    for (const name of names) {
      this.#lines.push(`${'  '.repeat(this.#open.length)}<${name}>`);
      this.#open.push(name.split(' ')[0] ?? '');
    }
    return this;
  }

  end(count = 1): this {
    for (let left = count; left > 0; left -= 1) {
      const name = this.#open.pop() ?? '';
      this.#lines.push(`${'  '.repeat(this.#open.length)}</${name}>`);
    }
    return this;
  }

  leaf(name: string, text: string, attributes = ''): this {
    const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    this.#lines.push(`${'  '.repeat(this.#open.length)}<${name}${attributes}>${safe}</${name}>`);
    return this;
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

function messageText(
  batch: PaymentBatch, from: SepaOriginator, options: SepaOptions, originator: string, transfers: readonly Transfer[],
): string {
  const count = String(transfers.length);
  const total = minorToDecimal(sum(batch.items.map(({ amount_minor }) => amount_minor)));
  const bicName = options.version === '09' ? 'BICFI' : 'BIC';
  const xml = new Xml().begin(`Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${options.version}"`,
    'CstmrCdtTrfInitn', 'GrpHdr').leaf('MsgId', options.message_id)
    .leaf('CreDtTm', `${options.created_on}T${options.created_at}`).leaf('NbOfTxs', count).leaf('CtrlSum', total)
    .begin('InitgPty').leaf('Nm', originator);
  if (from.organization_id !== null) {
    xml.begin('Id', 'OrgId', 'Othr').leaf('Id', from.organization_id).end(3);
  }
  xml.end(2).begin('PmtInf').leaf('PmtInfId', batch.reference).leaf('PmtMtd', 'TRF')
    .leaf('BtchBookg', String(options.one_debit)).leaf('NbOfTxs', count).leaf('CtrlSum', total)
    .begin('PmtTpInf', 'SvcLvl').leaf('Cd', 'SEPA').end(2);
  if (options.version === '09') xml.begin('ReqdExctnDt').leaf('Dt', batch.value_on).end();
  else xml.leaf('ReqdExctnDt', batch.value_on);
  xml.begin('Dbtr').leaf('Nm', originator).end().begin('DbtrAcct', 'Id')
    .leaf('IBAN', plainNumber(from.account.iban)).end(2).begin('DbtrAgt', 'FinInstnId');
  if (from.account.bic === null) xml.begin('Othr').leaf('Id', 'NOTPROVIDED').end();
  else xml.leaf(bicName, plainNumber(from.account.bic));
  xml.end(2).leaf('ChrgBr', 'SLEV');
  for (const transfer of transfers) writeTransfer(xml, transfer, bicName);
  return xml.end(3).text();
}

function writeTransfer(xml: Xml, { id, name, iban, bic, amount, address, text }: Transfer, bicName: string): void {
  xml.begin('CdtTrfTxInf', 'PmtId').leaf('EndToEndId', id).end().begin('Amt')
    .leaf('InstdAmt', amount, ' Ccy="EUR"').end();
  if (bic !== null) xml.begin('CdtrAgt', 'FinInstnId').leaf(bicName, bic).end(2);
  xml.begin('Cdtr').leaf('Nm', name);
  if (address.length > 0) {
    xml.begin('PstlAdr');
    for (const [element, value] of address) xml.leaf(element, value);
    xml.end();
  }
  xml.end().begin('CdtrAcct', 'Id').leaf('IBAN', iban).end(2);
  if (text !== '') xml.begin('RmtInf').leaf('Ustrd', text).end();
  xml.end();
}
