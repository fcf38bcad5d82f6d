/**
 * Open documents that a line of the bank may settle. Each kind of document answers here in its own context;
 * `apps/server` lists them, so a kind that comes later needs no change in banking. `Context` is the WorkContext of
 * context.ts, which holds these ports.
 */
import type { OpenItem } from '#kernel/bank-matching/open-item.ts';
import type { Permission } from '#kit/permission.ts';

/** The bank account that the money moves on. */
export interface MatchAccount {
  bank_account_id: number;
  ledger_account_id: number;
  division: string;
  currency: string;
}

/** Search facts of a line. Only documents that agree in amount, number or party can become a suggestion. */
export interface LineSearch {
  by: 'line';
  direction: 'in' | 'out';
  /** Without sign. */
  amount_minor: number;
  booked_on: string;
  /** Numbers of our own documents in the text, as they are stored: "INV-US-2026-000033". */
  numbers: readonly string[];
  /** Other words of the text that may be a reference. */
  references: readonly string[];
  /** Folded words of the name and the text, the ones of legal forms left out. */
  words: readonly string[];
}

/** Search terms a person types and chooses. */
export interface TypedSearch {
  by: 'text';
  direction: 'in' | 'out' | null;
  text: string;
  from_minor: number | null;
  to_minor: number | null;
  /** Of the document; null for all. */
  currency: string | null;
  /** Day of the line: documents in other currencies are converted at its rate. */
  booked_on: string;
  limit: number;
}

/** Every open document, to compare many lines at once. */
export interface WholeSearch {
  by: 'days';
  from: string;
  to: string;
  limit: number;
}

/** Documents that were chosen, as far as they are still open. */
export interface ChosenSearch {
  by: 'ids';
  kind: string;
  ids: readonly number[];
  booked_on: string;
}

export type ItemSearch = ChosenSearch | LineSearch | TypedSearch | WholeSearch;

export interface SettledPart {
  kind: string;
  id: number;
  /** Positive, in the currency of the document. */
  amount_minor: number;
  /** Of a document in another currency what the bank has for it, positive; null where the currency is the account's. */
  bank_minor: number | null;
  /** Early-payment discount that settles the rest of the document; 0 for none. */
  discount_minor: number;
}

export interface Settlement {
  account: MatchAccount;
  on: string;
  /** Text from the bank, kept as the reference of the payment. */
  reference: string;
  parts: readonly SettledPart[];
  /** Money of a customer beyond the documents; it stays on account. */
  on_account: { customer_id: number; amount_minor: number } | null;
}

/** A document that settling made or changed; `type` is one that {@link OpenItems.takeBack} of the same entry knows. */
export interface SettledDocument {
  type: string;
  id: number;
  transaction_id: number;
}

/** A payment that a line would be, but for a step that is still missing. */
export interface AwaitedPayment {
  label: string;
  party: string;
  /** Signed as at the bank. */
  amount_minor: number;
  /** The missing step, as a sentence. */
  reason: string;
  href: string;
}

export interface OpenItems<Context> {
  kinds: readonly string[];
  /** Kinds that money leaves for; the others bring money in. */
  outgoing: readonly string[];
  /** Types of document that settling creates. */
  document_types: readonly string[];
  /** Needed to settle, besides the permission to match. */
  permissions: readonly Permission[];
  find: (ctx: Context, account: MatchAccount, search: ItemSearch) => Promise<OpenItem[]>;
  /** Posts on the account in the caller's transaction. Refuses at the fields `parts.N` and `on_account`. */
  settle: (ctx: Context, of: Settlement) => Promise<SettledDocument[]>;
  /** The document as it was before, on the day of the reversal. 409 where something else has used it since. */
  takeBack: (ctx: Context, of: { type: string; id: number; on: string; reason: string }) => Promise<void>;
  /** Payments of the account and one of the amounts that are not posted yet. */
  awaited?: (ctx: Context, account: MatchAccount, amounts: readonly number[]) => Promise<AwaitedPayment[]>;
}
