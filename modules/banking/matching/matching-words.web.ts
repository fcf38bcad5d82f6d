/** Sides of a match in words, and a suggestion as it is sent. */
import type { MatchSuggestion, SidePart } from './matching.contract.ts';

export const KIND_WORDS: Readonly<Record<string, string>> = { ledger_line: 'Ledger entry',
  payment_run: 'Payment run', payment_run_net: 'Payment run without returns', invoice: 'Invoice',
  proforma: 'Pro forma', bill: 'Bill', vendor_credit: 'Vendor credit', bank_transfer: 'Transfer in transit' };

export const SHAPE_WORDS: Readonly<Record<MatchSuggestion['shape'], string>> = { whole: '',
  discount: 'Less the discount',
  combined: 'Several documents', exchange: 'Other currency', fee: 'Less a bank fee',
  part: 'Part payment', rest: 'Rest on account', lines: 'Several bank lines',
  transfer: 'Transfer' };

/** Amount of a side at the bank, in the currency of the line. */
export const atBank = (part: SidePart): number => part.bank_minor ?? part.amount_minor;

/** Posted before: an entry, or all entries of a payment run. */
export const isPosted = ({ kind }: Pick<SidePart, 'kind'>): boolean =>
  ['ledger_line', 'payment_run', 'payment_run_net'].includes(kind);

/** A line of the ledger is matched whole; a document is paid with the amount proposed or typed, without its sign. */
export function partsBody(parts: readonly SidePart[]) {
  return parts.map(({ kind, id, amount_minor, bank_minor, discount_minor }) => (isPosted({ kind }) ? { kind, id }
    : { kind, id, amount_minor: Math.abs(amount_minor), ...(discount_minor > 0 ? { discount_minor } : {}),
      bank_minor: bank_minor === null ? null : Math.abs(bank_minor) }));
}

export function suggestionBody(of: MatchSuggestion) {
  return { line_ids: of.line_ids, parts: partsBody(of.parts), fee_minor: of.fee_minor, on_account: of.on_account,
    transfer: of.transfer && { bank_account_id: of.transfer.bank_account_id,
      bank_transaction_id: of.transfer.bank_transaction_id },
    score: of.score, reasons: of.reasons };
}

/** Why the reader may not accept it; undefined where nothing is against it. */
export const refusalOf = ({ parts }: Pick<MatchSuggestion, 'parts'>): string | undefined =>
  parts.find((part) => part.refusal !== null)?.refusal ?? undefined;

/** "Ravenswood Playhouse, INV-US-2026-000033". */
export function partTitle({ label, party }: Pick<SidePart, 'label' | 'party'>): string {
  return party === null || label.includes(party) ? label : `${party}, ${label}`;
}
