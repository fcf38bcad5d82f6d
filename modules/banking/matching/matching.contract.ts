/**
 * Matching of bank lines (accounting.md 4.2): suggestions with their score and reasons, a search over every open
 * document, the match and its undoing. Both sides of a match come to the same amount.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate } from '#kit/field.ts';
import { MAX_MINOR } from '#kernel/money/money.ts';
import { MATCH_SHAPES } from '#kernel/bank-matching/suggestion.ts';
import { RULE_KINDS } from '../rule/bank-rule.contract.ts';

/** Lines, documents and entries of one match. */
export const MAX_PARTS = 100;

export const matchableLine = z.object({ id: z.int(), bank_account_id: z.int(), bank_account_name: z.string(),
  bank_statement_id: z.int().nullable(),
  division: divisionCode, currency: currencyCode, booked_on: z.string(), amount_minor: z.int(), name: z.string(),
  memo: z.string(), reference: z.string(), bank_match_id: z.int().nullable(), is_reconciled: z.boolean() });
export type MatchableLine = z.infer<typeof matchableLine>;

/** Something on the ledger's side, its amount with the sign that it has at the bank. */
const sidePart = z.object({ kind: z.string(), id: z.int(), label: z.string(), party: z.string().nullable(),
  customer_id: z.int().nullable(), document_on: z.string(), due_on: z.string().nullable(), currency: currencyCode,
  open_minor: z.int(), amount_minor: z.int(),
  /** Of a document in another currency: its amount in the currency of the line; null without a rate of the day. */
  bank_minor: z.int().nullable(),
  /** Early-payment discount that settles the rest, without sign. */
  discount_minor: z.int(),
  /** Early-payment discount of the whole document, on lines up to that day; null where none was agreed. */
  discount: z.object({ amount_minor: z.int(), until: z.string() }).nullable(),
  /** Why whoever reads it may not settle it; null where nothing is against it. */
  refusal: z.string().nullable() });
export type SidePart = z.infer<typeof sidePart>;

const reason = z.object({ points: z.int(), text: z.string() });
/**
 * A proposal that can be accepted as it stands: lines and parts, a fee beside them, money that stays on account of the
 * customer, or a transfer with the line of another account.
 */
export const matchSuggestion = z.object({
  shape: z.enum([...MATCH_SHAPES, 'lines', 'transfer']), score: z.int(), summary: z.string(), reasons: z.array(reason),
  line_ids: z.array(z.int()), parts: z.array(sidePart), fee_minor: z.int(),
  on_account: z.object({ customer_id: z.int(), amount_minor: z.int() }).nullable(),
  transfer: z.object({ bank_account_id: z.int(), bank_account_name: z.string(), bank_transaction_id: z.int(),
    booked_on: z.string() }).nullable(),
});
export type MatchSuggestion = z.infer<typeof matchSuggestion>;

export const bankMatch = z.object({
  id: z.int(), bank_account_id: z.int(), made_by: z.enum(['person', 'rule', 'auto']), score: z.int().nullable(),
  reasons: z.array(reason), created_by_name: z.string().nullable(), created_at: z.string(),
  undone_at: z.string().nullable(), undo_reason: z.string().nullable(), paired_match_id: z.int().nullable(),
  lines: z.array(z.object({ id: z.int(), booked_on: z.string(), amount_minor: z.int(), text: z.string() })),
  entries: z.array(z.object({ ledger_line_id: z.int(), transaction_id: z.int(), posted_on: z.string(),
    amount_minor: z.int(), label: z.string(), posted_by_match: z.boolean() })),
});
export type BankMatch = z.infer<typeof bankMatch>;

/** Entry that the first matching bank rule makes for the line: the form of a new entry starts from it. */
const lineRule = z.object({ id: z.int(), name: z.string(), kind: z.enum(RULE_KINDS),
  ledger_account_id: z.int().nullable(), ledger_account: z.string().nullable(), party_type: z.string().nullable(),
  party_id: z.int().nullable(), party_name: z.string().nullable(), to_bank_account_id: z.int().nullable(),
  memo: z.string() });
export type LineRule = z.infer<typeof lineRule>;

/** A payment of the line's amount that nothing can be matched with before it is posted. */
const awaitedPayment = z.object({ label: z.string(), party: z.string(), amount_minor: z.int(), reason: z.string(),
  href: z.string() });

export const matchCandidates = z.object({ line: matchableLine, match: bankMatch.nullable(), rule: lineRule.nullable(),
  suggestions: z.array(matchSuggestion), others: z.array(matchSuggestion), awaited: z.array(awaitedPayment),
  /** Why the line is not matched without asking; null where it would be. */
  refusal: z.string().nullable() });
export type MatchCandidates = z.infer<typeof matchCandidates>;

const TOO_MUCH = 'At most 10,000,000,000.00';
const amountFilter = z.coerce.number().int().min(0, 'An amount cannot be negative')
  .max(Number(MAX_MINOR), TOO_MUCH).optional();
const signed = z.int('Enter an amount').min(-Number(MAX_MINOR)).max(Number(MAX_MINOR), TOO_MUCH)
  .refine((minor) => minor !== 0, 'Enter an amount other than zero');
const positive = z.int('Enter an amount above zero').min(1, 'Enter an amount above zero')
  .max(Number(MAX_MINOR), TOO_MUCH);
const onAccount = z.strictObject({ customer_id: id, amount_minor: positive });

export const matchBody = z.strictObject({
  line_ids: z.array(id).min(1, 'Choose a bank line').max(MAX_PARTS),
  /**
   * Without an amount the whole of it; a line of the ledger is always whole. Of a document in another currency
   * `bank_minor` is what the bank has for it. A discount settles the rest of a bill while it is open.
   */
  parts: z.array(z.strictObject({ kind: z.string().max(40), id, amount_minor: positive.optional(),
    bank_minor: positive.nullish(), discount_minor: z.int().min(0, 'An amount cannot be negative')
      .max(Number(MAX_MINOR), TOO_MUCH).default(0) })).max(MAX_PARTS).default([]),
  /** Amount the bank kept, posted to Bank fees. */
  fee_minor: z.int().min(0, 'An amount cannot be negative').max(Number(MAX_MINOR), TOO_MUCH).default(0),
  /** Posted on the day of the line: an expense, interest, a tax. Money in is positive. */
  entries: z.array(z.strictObject({ ledger_account_id: id, amount_minor: signed, party_id: id.nullable().default(null),
    memo: z.string().trim().max(500).default('') })).max(20).default([]),
  /** A receipt, or what a receipt has left after its documents. */
  on_account: onAccount.nullable().default(null),
  /** The rest of one line came from or went to another account of ours; its line there is matched too. */
  transfer: z.strictObject({ bank_account_id: id, bank_transaction_id: id.nullable().default(null),
    /** One of the same amount is recorded already; this is another one. */
    another_confirmed: z.boolean().default(false) }).nullable().default(null),
  description: z.string().trim().max(500).default(''),
  /** As it was suggested. */
  score: z.int().min(0).max(100).nullable().default(null),
  reasons: z.array(z.strictObject({ points: z.int().min(0).max(100), text: z.string().max(200) })).max(20).default([]),
});
export type MatchInput = z.output<typeof matchBody>;

const base = '/api/admin/staff/accounting';
const lines = `${base}/bank_matching/lines`;
const matches = `${base}/bank_matches`;

export const matchingEndpoints = {
  lines: endpoint({ method: 'GET', path: lines, auth: staff('bank_transaction.list'),
    summary: 'Booked lines of a bank account, for matching', response: many(matchableLine),
    query: listQuery({ filters: { bank_account_id: z.coerce.number().int().optional(),
      bank_statement_id: z.coerce.number().int().optional(), matched: z.enum(['true', 'false']).optional() },
    sort: ['booked_on', 'amount_minor'], perPage: 50 }) }),
  candidates: endpoint({ method: 'GET', path: `${lines}/{id}`, auth: staff('bank_transaction.show'),
    summary: 'Candidates to match a bank line with, the best first', response: one(matchCandidates) }),
  items: endpoint({ method: 'GET', path: `${lines}/{id}/open_items`, auth: staff('bank_transaction.show'),
    summary: 'Search all open documents and unmatched ledger lines', response: all(sidePart),
    query: z.strictObject({ search: z.string().trim().max(200).default(''),
      from_minor: amountFilter, to_minor: amountFilter,
      kind: z.string().max(40).optional(), currency: currencyCode.optional() }) }),
  show: endpoint({ method: 'GET', path: `${matches}/{id}`, auth: staff('bank_transaction.show'),
    summary: 'A match with both sides', response: one(bankMatch) }),
  create: endpoint({ method: 'POST', path: matches, auth: staff('bank_transaction.update'), idempotent: true,
    status: 201, summary: 'Match bank lines', body: matchBody, response: one(bankMatch) }),
  undo: endpoint({ method: 'PUT', path: `${matches}/{id}/undo`, auth: staff('bank_transaction.update'),
    summary: 'Undo a match; what it posted is reversed', response: one(bankMatch),
    body: z.strictObject({ reason: z.string().trim().min(1, 'Give a reason').max(500) }) }),
  auto: endpoint({ method: 'POST', path: `${base}/bank_matching/auto`, auth: staff('bank_transaction.update'),
    summary: 'Match the lines of an account that are beyond doubt',
    body: z.strictObject({ bank_account_id: id, bank_statement_id: id.nullable().default(null),
      from_on: isoDate.nullable().default(null) }),
    response: one(z.object({ matched: z.int(), looked_at: z.int() })) }),
};
