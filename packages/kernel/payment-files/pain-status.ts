/**
 * pain.002: the bank's answer to a pain.001. A payment that is not named has the status of its block or of the whole
 * file, so the caller asks `statusOf` with the ids that it sent.
 */
import type { Decode } from '../bank-statements/file-text.ts';
import { all, at, readXml, textAt, type XmlElement } from '../bank-statements/xml.ts';
import { AnswerRefused, answered, type Answered } from './answer-file.ts';

/** `accepted`: checked or on its way; `settled`: the bank says that it is booked; `pending`: no answer yet. */
export type PaymentOutcome = 'accepted' | 'settled' | 'rejected' | 'pending';

export interface StatusReason {
  /** ISO 20022 code (AC01, AM04) or the bank's own. */
  code: string;
  text: string;
}

export interface PaymentStatus {
  outcome: PaymentOutcome;
  /** As the bank writes it: ACCP, RJCT, … */
  status: string;
  reasons: StatusReason[];
}

export interface PainStatus {
  /** The message that is answered. */
  message_id: string;
  /** Status of the whole file; null where the bank gives it by payment alone. */
  file: PaymentStatus | null;
  /** By the id of the block (the batch). */
  blocks: ReadonlyMap<string, PaymentStatus>;
  /** By the end-to-end id. */
  payments: ReadonlyMap<string, PaymentStatus>;
}

const OUTCOMES = new Map<string, PaymentOutcome>(Object.entries({
  RJCT: 'rejected', CANC: 'rejected', ACSC: 'settled', ACCC: 'settled', ACTC: 'accepted', ACCP: 'accepted',
  ACSP: 'accepted', ACWC: 'accepted', ACWP: 'accepted', ACFC: 'accepted', ACPT: 'accepted', RCVD: 'pending',
  PDNG: 'pending', PART: 'pending', PATC: 'pending', PRES: 'pending', BLCK: 'pending',
}));

/** Codes of ISO 20022 (external status reasons) that banks give to credit transfers, in words. */
const REASONS = new Map(Object.entries({
  AC01: 'The account number is wrong', AC03: 'The account number of the payee is wrong', AC04: 'The account is closed',
  AC06: 'The account is blocked', AC13: 'The kind of account is wrong', AC14: 'The kind of account is wrong',
  AG01: 'The account takes no such payments', AG02: 'The bank does not offer this', AM01: 'The amount is zero',
  AM02: 'The amount is above the limit', AM03: 'The currency is not taken', AM04: 'Insufficient funds',
  AM05: 'The bank has this payment already', AM09: 'The amount is wrong', AM10: 'The control sum is wrong',
  AM18: 'The number of payments is wrong', BE01: 'Name and account do not agree', BE04: 'The address is missing',
  BE05: 'The originator is unknown', BE06: 'The payee is unknown', BE07: 'The address is missing',
  CNOR: 'The bank of the payee is not registered', CURR: 'The currency is wrong',
  CUST: 'At the request of the customer', DNOR: 'Our bank is not registered', DT01: 'The date is wrong',
  DU01: 'The file was sent before', DU04: 'The end-to-end id was used before', DUPL: 'The payment was sent before',
  ED05: 'The payment could not be settled', FF01: 'The format of the file is wrong',
  FOCR: 'At the request of our bank', FR01: 'Suspected fraud', MD07: 'The payee has died',
  MS02: 'Reason not given by the payee',
  MS03: 'Reason not given by the bank', NARR: 'See the bank’s text', NOAS: 'The payee did not answer',
  RC01: 'The BIC is wrong', RC03: 'The bank of the originator is wrong', RC04: 'The bank of the payee is wrong',
  RR01: 'The account of the originator is missing', RR02: 'Name or address of the originator is missing',
  RR03: 'Name or address of the payee is missing', RR04: 'Required by regulation',
  TM01: 'Too late for the bank’s cut-off',
}));

/** Words for a reason code, or the code where it has none. */
export function reasonText(code: string): string {
  return REASONS.get(code) ?? code;
}

/** The status report, or one typed refusal. */
export function readPainStatus(bytes: Uint8Array, decode: Decode): Answered<PainStatus> {
  return answered(bytes, decode, readText);
}

function readText(text: string): PainStatus {
  if (!text.trimStart().startsWith('<')) {
    throw new AnswerRefused('not_an_answer_file', 'This is no XML, so it is no payment status.');
  }
  const root = readXml(text, () => false);
  const report = at(root, 'CstmrPmtStsRpt');
  if (!report) {
    throw at(root, 'CstmrCdtTrfInitn')
      ? new AnswerRefused('payment_order', 'This is a file of payments, not an answer to one.')
      : new AnswerRefused('not_an_answer_file', 'This XML is no payment status (pain.002).');
  }
  const group = at(report, 'OrgnlGrpInfAndSts');
  const message_id = textAt(group, 'OrgnlMsgId');
  if (message_id === '') throw new AnswerRefused('malformed', 'The answer does not name the file that it answers.');
  const blocks = new Map<string, PaymentStatus>();
  const payments = new Map<string, PaymentStatus>();
  for (const block of all(report, 'OrgnlPmtInfAndSts')) {
    const id = textAt(block, 'OrgnlPmtInfId');
    const status = statusAt(block, 'PmtInfSts');
    if (id !== '' && status) blocks.set(id, status);
    for (const one of all(block, 'TxInfAndSts')) takePayment(one, payments);
  }
  // Version 2 puts payments beside the blocks.
  for (const one of all(report, 'TxInfAndSts')) takePayment(one, payments);
  const file = statusAt(group, 'GrpSts');
  if (!file && blocks.size + payments.size === 0) {
    throw new AnswerRefused('no_answers', 'The answer gives no status, neither of the file nor of a payment.');
  }
  return { message_id, file, blocks, payments };
}

function takePayment(element: XmlElement, payments: Map<string, PaymentStatus>): void {
  const id = textAt(element, 'OrgnlEndToEndId') || textAt(element, 'OrgnlInstrId');
  const status = statusAt(element, 'TxSts');
  if (id === '' || !status) {
    throw new AnswerRefused('malformed', 'A payment has no id or no status.', element.line);
  }
  const before = payments.get(id);
  if (before && before.outcome !== status.outcome) {
    throw new AnswerRefused('malformed', `The payment “${id.slice(0, 35)}” has two statuses.`, element.line);
  }
  payments.set(id, status);
}

function statusAt(element: XmlElement | undefined, name: string): PaymentStatus | null {
  const status = textAt(element, name);
  if (status === '') return null;
  const outcome = OUTCOMES.get(status);
  if (!outcome) {
    throw new AnswerRefused('reason_unknown', `“${status.slice(0, 20)}” is no status of a payment.`,
      element?.line ?? null);
  }
  const reasons = all(element, 'StsRsnInf').map((one) => {
    const code = textAt(one, 'Rsn', 'Cd') || textAt(one, 'Rsn', 'Prtry') || 'NARR';
    const more = all(one, 'AddtlInf').map(({ text }) => text.trim()).join(' ').slice(0, 500);
    return { code, text: more === '' ? reasonText(code) : `${reasonText(code)}: ${more}` };
  });
  return { outcome, status, reasons };
}

/** Status of one payment: its own, else its block's, else the file's. */
export function statusOf(report: PainStatus, batch_reference: string, end_to_end_id: string): PaymentStatus | null {
  return report.payments.get(end_to_end_id) ?? report.blocks.get(batch_reference) ?? report.file;
}
