/** Answers of the bank about the payments of a run: pain.002, camt.054 or NACHA returns. */
import { readCamtPayments } from '#kernel/payment-files/camt-payments.ts';
import { readNachaReturns } from '#kernel/payment-files/nacha-returns.ts';
import { readPainStatus, statusOf } from '#kernel/payment-files/pain-status.ts';
import { invalidField } from '#kit/errors.ts';
import type { Notice } from '../prenote/bank-corrections.server.ts';
import { bankId } from './run-file.server.ts';
import type { Run } from './run-store.server.ts';

export interface Verdict { outcome: 'settled' | 'rejected' | 'notice' | 'dispute'; on: string | null; reason: string;
  /** Codes of the reason, and whether the bank speaks of this payment or of the whole file. */
  codes: string[]; of: 'payment' | 'file';
  /** Of a notice of change alone. */
  notice?: Notice }

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return null;
  }
}

interface SentPayment { number: string; bank_reference: string }
export interface Verdicts {
  /** By the id that our file gave the payment. */
  found: Map<string, Verdict>;
  /** Answers for payments of other files. */
  unknown: number;
}

function refuseFile(of: { message: string; advice: string } | null): never {
  throw invalidField('file', `${of?.message ?? 'This is no answer of a bank'} ${of?.advice ?? ''}`.trim());
}

/** 422 at `file` where it is no answer, or that to another file. */
export function verdictsOf(file: Buffer, run: Pick<Run, 'number'>, payments: readonly SentPayment[]): Verdicts {
  const head = file.subarray(0, 4000).toString('latin1');
  if (head.includes('pain.002')) return ofStatus(file, run, payments);
  const known = new Map(payments.flatMap((one) => [[one.bank_reference, one.bank_reference] as const,
    [bankId(one.number), one.bank_reference] as const]));
  const verdicts: Verdicts = { found: new Map(), unknown: 0 };
  const put = (id: string, verdict: Verdict): void => {
    const own = known.get(id.trim());
    if (own === undefined) verdicts.unknown += 1;
    else if (verdicts.found.get(own)?.outcome !== 'rejected') verdicts.found.set(own, verdict);
  };
  if (head.trimStart().startsWith('<')) takeCamt(file, put);
  else takeNacha(file, known, put);
  return verdicts;
}

function ofStatus(file: Buffer, run: Pick<Run, 'number'>, payments: readonly SentPayment[]): Verdicts {
  const { result, refusal } = readPainStatus(file, decode);
  if (!result) return refuseFile(refusal);
  if (result.message_id !== run.number) throw invalidField('file', `This answers ${result.message_id}, not this run`);
  const found = new Map<string, Verdict>();
  for (const { bank_reference } of payments) {
    const status = statusOf(result, run.number, bank_reference);
    if (status?.outcome !== 'settled' && status?.outcome !== 'rejected') continue;
    found.set(bank_reference, { outcome: status.outcome, on: null, codes: status.reasons.map((one) => one.code),
      reason: status.reasons.map((one) => `${one.code} ${one.text}`).join(', ') || status.status,
      of: result.payments.has(bank_reference) ? 'payment' : 'file' });
  }
  return { found, unknown: [...result.payments.keys()].filter((id) => !payments.some((one) =>
    one.bank_reference === id)).length };
}

type Put = (id: string, verdict: Verdict) => void;

function takeCamt(file: Buffer, put: Put): void {
  const { result, refusal } = readCamtPayments(file, decode);
  if (!result) return refuseFile(refusal);
  for (const one of result) {
    put(one.end_to_end_id, { outcome: one.outcome === 'settled' ? 'settled' : 'rejected', on: one.booked_on,
      reason: one.reason === null ? 'Returned by the bank' : `${one.reason.code} ${one.reason.text}`,
      codes: one.reason === null ? [] : [one.reason.code], of: 'payment' });
  }
}

function takeNacha(file: Buffer, known: ReadonlyMap<string, string>, put: Put): void {
  const { result, refusal } = readNachaReturns(file, decode);
  if (!result) return refuseFile(refusal);
  const idOf = (one: { original_trace: string; item_id: string }): string =>
    (known.has(one.original_trace) ? one.original_trace : one.item_id);
  for (const one of result.returns) {
    // R61 to R77 argue about a return that one of the banks made before: nothing comes back with them.
    put(idOf(one), { outcome: one.is_dispute ? 'dispute' : 'rejected', on: null, reason: `${one.code} ${one.text}`,
      codes: [one.code], of: 'payment' });
  }
  for (const one of result.changes) {
    put(idOf(one), { outcome: 'notice', on: null, reason: `${one.code} ${one.text}`, codes: [], of: 'payment',
      notice: { code: one.code, text: one.text, details: one.details } });
  }
}
