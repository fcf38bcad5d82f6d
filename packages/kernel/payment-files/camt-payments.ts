/**
 * Results for payments that we sent, from a notification (camt.054), report or statement: a debit under our end-to-end
 * id is settled, a credit under it was returned. Entries that the bank has not booked give no result yet. Ids that we
 * did not send belong to payments of others: the caller looks for its own.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { readEntry, type CamtEntry } from '../bank-statements/camt-entry.ts';
import type { Decode } from '../bank-statements/file-text.ts';
import { all, at, readXml, textAt, type XmlElement } from '../bank-statements/xml.ts';
import { AnswerRefused, answered, type Answered } from './answer-file.ts';
import { reasonText } from './pain-status.ts';

export interface CamtPayment {
  end_to_end_id: string;
  outcome: 'settled' | 'returned';
  /** Minor units, above zero; null where the bank gives no amount of its own for a part of a batch. */
  amount_minor: bigint | null;
  currency: string | null;
  booked_on: IsoDate | null;
  name: string;
  /** Of a return: code of ISO 20022 and its words. */
  reason: { code: string; text: string } | null;
  line: number;
}

const MESSAGES = /^BkToCstmr(?:DbtCdtNtfctn|AcctRpt|Stmt)(?:V\d\d)?$/;
const HOLDERS = new Set(['Ntfctn', 'Rpt', 'Stmt']);

/** Each payment that the file names by an end-to-end id, in its order, or one typed refusal. */
export function readCamtPayments(bytes: Uint8Array, decode: Decode): Answered<CamtPayment[]> {
  return answered(bytes, decode, readText);
}

function readText(text: string): CamtPayment[] {
  if (!text.trimStart().startsWith('<')) {
    throw new AnswerRefused('not_an_answer_file', 'This is no XML, so it is no notification of a bank.');
  }
  const payments: CamtPayment[] = [];
  let isCamt = false;
  const root = readXml(text, (element, parents) => {
    isCamt ||= MESSAGES.test(parents[1]?.name ?? '');
    if (element.name !== 'Ntry' || !HOLDERS.has(parents.at(-1)?.name ?? '')) return false;
    takeEntry(element, payments);
    return true;
  });
  if (!isCamt && !root.children.some(({ name }) => MESSAGES.test(name))) {
    throw at(root, 'CstmrCdtTrfInitn')
      ? new AnswerRefused('payment_order', 'This is a file of payments, not an answer to one.')
      : new AnswerRefused('not_an_answer_file', 'This XML is no notification or statement of a bank (camt).');
  }
  if (payments.length === 0) {
    throw new AnswerRefused('no_answers', 'The file names no payment by its end-to-end id.');
  }
  return payments;
}

const BOOKED = new Set(['BOOK', '']);

function takeEntry(element: XmlElement, payments: CamtPayment[]): void {
  const entry = readEntry(element);
  if (!BOOKED.has(entry.status)) return;
  const elements = all(element, 'NtryDtls').flatMap((group) => all(group, 'TxDtls'));
  entry.details.forEach((detail, index) => {
    const own = elements[index];
    if (detail.end_to_end_id === null || !own) return;
    const isCredit = isMoneyIn(own, entry);
    payments.push({ end_to_end_id: detail.end_to_end_id, outcome: isCredit ? 'returned' : 'settled',
      amount_minor: amountOf(detail.amount_minor, entry), currency: entry.currency, booked_on: entry.booked_on,
      name: detail.name || otherName(own), reason: isCredit ? returnReason(own) : null, line: own.line });
  });
}

/** The mark of the part, else of the entry. A reversal is not turned again: its mark says which way the money went. */
function isMoneyIn(detail: XmlElement, entry: CamtEntry): boolean {
  const mark = textAt(detail, 'CdtDbtInd');
  return mark === '' ? entry.amount_minor > 0n : mark === 'CRDT';
}

/** The part's own amount; that of the entry where it is the only part. */
function amountOf(minor: bigint | null, entry: CamtEntry): bigint | null {
  const own = minor ?? (entry.details.length === 1 ? entry.amount_minor : null);
  return own !== null && own < 0n ? -own : own;
}

/** A return keeps the parties of the payment: the payee is still the creditor. */
function otherName(detail: XmlElement): string {
  const creditor = at(detail, 'RltdPties', 'Cdtr');
  return textAt(creditor, 'Nm') || textAt(creditor, 'Pty', 'Nm');
}

function returnReason(detail: XmlElement): CamtPayment['reason'] {
  const found = at(detail, 'RtrInf');
  const code = textAt(found, 'Rsn', 'Cd') || textAt(found, 'Rsn', 'Prtry');
  const more = all(found, 'AddtlInf').map(({ text }) => text.trim()).join(' ').slice(0, 500);
  if (code === '' && more === '') return null;
  return { code: code === '' ? 'NARR' : code, text: [reasonText(code), more].filter((part) => part !== '').join(': ') };
}
