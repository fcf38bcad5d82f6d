/** Answers of the bank about payments: pain.002, camt.054 or NACHA returns, each entry with the ids that it names. */
import { readCamtPayments } from '#kernel/payment-files/camt-payments.ts';
import { readNachaReturns } from '#kernel/payment-files/nacha-returns.ts';
import { readPainStatus, statusOf, type PainStatus } from '#kernel/payment-files/pain-status.ts';
import { invalidField } from '#kit/errors.ts';
import type { Notice } from '../prenote/bank-corrections.server.ts';

export interface Verdict { outcome: 'settled' | 'rejected' | 'notice' | 'dispute'; on: string | null; reason: string;
  /** Codes of the reason, and whether the bank speaks of this payment or of the whole file. */
  codes: string[]; of: 'payment' | 'file';
  /** Of a notice of change alone. */
  notice?: Notice }

export interface AnswerEntry {
  verdict: Verdict;
  /** Trace number of an ACH file, and our id of the payment or prenote: its number without dashes. Empty: not named. */
  trace: string; item_id: string; name: string;
  /** Minor units: 0 for a prenote that came back; null where the bank gives no amount. A notice of change has none. */
  amount_minor: number | null; currency: string | null;
}

/** A report answers one file of ours, all of it or payment by payment; the others name payments of any file. */
export type BankAnswer = { report: PainStatus; entries: null } | { report: null; entries: AnswerEntry[] };

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return null;
  }
}

function refuseFile(of: { message: string; advice: string } | null): never {
  throw invalidField('file', `${of?.message ?? 'This is no answer of a bank'} ${of?.advice ?? ''}`.trim());
}

/** 422 at `file` where it is no answer. */
export function readAnswer(file: Buffer): BankAnswer {
  const head = file.subarray(0, 4000).toString('latin1');
  if (head.includes('pain.002')) {
    const { result, refusal } = readPainStatus(file, decode);
    return result ? { report: result, entries: null } : refuseFile(refusal);
  }
  return { report: null, entries: head.trimStart().startsWith('<') ? camtEntries(file) : nachaEntries(file) };
}

/** Status of a payment by its own line, its block or the whole file; null: no answer yet. */
export function verdictIn(report: PainStatus, run: string, reference: string): Verdict | null {
  const status = statusOf(report, run, reference);
  if (status?.outcome !== 'settled' && status?.outcome !== 'rejected') return null;
  return { outcome: status.outcome, on: null, codes: status.reasons.map((one) => one.code),
    reason: status.reasons.map((one) => `${one.code} ${one.text}`).join(', ') || status.status,
    of: report.payments.has(reference) ? 'payment' : 'file' };
}

function camtEntries(file: Buffer): AnswerEntry[] {
  const { result, refusal } = readCamtPayments(file, decode);
  if (!result) return refuseFile(refusal);
  return result.map((one) => ({ trace: '', item_id: one.end_to_end_id, name: one.name, currency: one.currency,
    amount_minor: one.amount_minor === null ? null : Number(one.amount_minor),
    verdict: { outcome: one.outcome === 'settled' ? 'settled' : 'rejected', on: one.booked_on,
      reason: one.reason === null ? 'Returned by the bank' : `${one.reason.code} ${one.reason.text}`,
      codes: one.reason === null ? [] : [one.reason.code], of: 'payment' } }));
}

/** Returns and notices of change about payments and prenotes; 422 at `file` where it is no NACHA file of them. */
export function nachaEntries(file: Buffer): AnswerEntry[] {
  const { result, refusal } = readNachaReturns(file, decode);
  if (!result) return refuseFile(refusal);
  const of = (one: typeof result.returns[number] | typeof result.changes[number], verdict: Verdict): AnswerEntry => ({
    verdict, trace: one.original_trace, item_id: one.item_id, name: one.name, currency: 'USD',
    amount_minor: verdict.outcome === 'notice' ? null : Number(one.amount_minor) });
  return [
    // R61 to R77 argue about a return that one of the banks made before: nothing comes back with them.
    ...result.returns.map((one) => of(one, { outcome: one.is_dispute ? 'dispute' : 'rejected', on: null,
      reason: `${one.code} ${one.text}`, codes: [one.code], of: 'payment' })),
    ...result.changes.map((one) => of(one, { outcome: 'notice', on: null, reason: `${one.code} ${one.text}`,
      codes: [], of: 'payment', notice: { code: one.code, text: one.text, details: one.details } })),
  ];
}
