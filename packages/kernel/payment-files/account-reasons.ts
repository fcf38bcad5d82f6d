/**
 * Whether a bank's reason speaks of the payee's account. Only then are bank details confirmed again: insufficient
 * funds, a wrong format, a date or a duplicate say nothing about them (ISO 20022 external status reasons; Nacha
 * Operating Rules, appendix four).
 */
import { returnReason } from './nacha-codes.ts';

/** Of the payer's own account, bank or name. */
const OURS = new Set(['AC02', 'AC05', 'AC12', 'BE05', 'RC03', 'RC07', 'RC08']);
/** The account takes no such payment; the bank is not reached; fraud; the payee has died. */
const OTHERS = new Set(['AG01', 'CNOR', 'FR01', 'MD07']);
/** No reason at all. */
const UNNAMED = new Set(['NARR', 'MS02', 'MS03']);

export function concernsAccount(code: string): boolean {
  if (/^R\d\d$/.test(code)) return (returnReason(code)?.kind ?? 'other') !== 'other';
  return !OURS.has(code) && (/^(?:AC|BE|RC)\d\d$/.test(code) || OTHERS.has(code));
}

/** Without a reason a payment that came back alone is doubted; a whole file is not. */
export function doubtsAccount(codes: readonly string[], of: 'payment' | 'file'): boolean {
  const named = codes.filter((code) => !UNNAMED.has(code));
  return named.length === 0 ? of === 'payment' : named.some(concernsAccount);
}

/** The code with which a reason begins, as people copy it from the bank's screen; none otherwise. */
export function codesOf(reason: string): string[] {
  const code = /^\s*(R\d\d|[A-Z]{2}\d\d|NARR|CNOR|CURR|CUST|DNOR|DUPL|FOCR|NOAS)\b/.exec(reason)?.[1];
  return code === undefined ? [] : [code];
}
