/** Posting journals through the ledger's functions (db/migrations/baseline/13 and 14): one round trip each. */
import type { JournalDraft, JournalLine } from '#kernel/ledger/journal.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from './ledger-error.server.ts';

export interface Posted {
  transaction_id: number;
  /** True where this source event and attempt was posted before; the id is the earlier one's. */
  replayed: boolean;
}

/** Column arrays of lines; an optional column that no line uses goes out as null: "none". */
function columns(lines: readonly JournalLine[]) {
  const optional = <T>(of: (line: JournalLine) => T | undefined): (T | null)[] | null =>
    lines.some((line) => of(line) !== undefined) ? lines.map((line) => of(line) ?? null) : null;
  return {
    account: lines.map((line) => line.account),
    currency: lines.map((line) => line.currency),
    amount: lines.map((line) => line.amount.toString()),
    base: lines.map((line) => line.base.toString()),
    partyType: optional((line) => line.party?.type),
    partyId: optional((line) => line.party?.id),
    fxRate: optional((line) => line.fx_rate),
    invoice: optional((line) => line.refs?.invoice_id),
    bill: optional((line) => line.refs?.bill_id),
    license: optional((line) => line.refs?.license_id),
    show: optional((line) => line.refs?.show_id),
    payment: optional((line) => line.refs?.payment_id),
    taxCode: optional((line) => line.tax_code_id),
    taxBase: optional((line) => line.tax_base?.toString()),
    due: optional((line) => line.due_date),
    memo: optional((line) => line.memo),
  };
}

/**
 * Posts one journal in the caller's transaction. A source event and attempt that is posted already answers the earlier
 * transaction with `replayed: true`. Refuses with the product's errors (period_locked, invalid, ...), see
 * ledger-error.server.ts. `actorId` is the person whose lock exceptions count and whom the audit names.
 */
export async function postJournal(db: Queryable, draft: JournalDraft, actorId: number | null = null): Promise<Posted>
  {
  const c = columns(draft.lines);
  const s = draft.source;
  // called as an expression: as a table, its one row would be kept in a store of rows first
  return await asLedgerCall(db.one<Posted>(sql`
    select (p).transaction_id, (p).replayed from (select ledger_post(${draft.division}::text, ${draft.kind}::text,
      ${draft.transaction_at}::date, ${draft.description}::text, ${actorId}::bigint, ${s?.type ?? null}::text,
      ${s?.id ?? null}::bigint, ${s?.event ?? null}::text, ${s?.attempt ?? 1}::int,
      ${draft.intercompany_group_id ?? null}::bigint, ${c.account}::text[], ${c.currency}::text[],
      ${c.amount}::bigint[], ${c.base}::bigint[], ${c.partyType}::text[], ${c.partyId}::bigint[],
      ${c.fxRate}::numeric[], ${c.invoice}::bigint[], ${c.bill}::bigint[], ${c.license}::bigint[],
      ${c.show}::bigint[], ${c.payment}::bigint[], ${c.taxCode}::bigint[], ${c.taxBase}::bigint[],
      ${c.due}::date[], ${c.memo}::text[]) as p offset 0) once`));
}

/**
 * Posts many journals in one call, all or none, answers in their order; for imports and royalty runs. A few thousand
 * per call is a good size.
 */
export async function postJournals(
  db: Queryable, drafts: readonly JournalDraft[], actorId: number | null = null,
): Promise<Posted[]> {
  if (drafts.length === 0) return [];
  const lines = drafts.flatMap((draft) => draft.lines);
  const header = drafts.flatMap((draft, index) => draft.lines.map(() => index + 1));
  const c = columns(lines);
  const groups = drafts.some((d) => d.intercompany_group_id !== undefined)
    ? drafts.map((d) => d.intercompany_group_id ?? null) : null;
  return await asLedgerCall(db.query<Posted>(sql`
    select transaction_id, replayed from ledger_post_many(${actorId}::bigint,
      ${drafts.map((d) => d.division)}::text[], ${drafts.map((d) => d.kind)}::text[],
      ${drafts.map((d) => d.transaction_at)}::date[], ${drafts.map((d) => d.description)}::text[],
      ${drafts.map((d) => d.source?.type ?? null)}::text[], ${drafts.map((d) => d.source?.id ?? null)}::bigint[],
      ${drafts.map((d) => d.source?.event ?? null)}::text[], ${drafts.map((d) => d.source?.attempt ?? 1)}::int[],
      ${header}::int[], ${c.account}::text[], ${c.currency}::text[], ${c.amount}::bigint[], ${c.base}::bigint[],
      ${c.partyType}::text[], ${c.partyId}::bigint[], ${c.fxRate}::numeric[], ${c.invoice}::bigint[],
      ${c.bill}::bigint[], ${c.license}::bigint[], ${c.show}::bigint[], ${c.payment}::bigint[],
      ${c.taxCode}::bigint[], ${c.taxBase}::bigint[], ${c.due}::date[], ${c.memo}::text[], ${groups}::bigint[])
    order by n`));
}

export interface Reversal {
  transaction_id: number;
  transaction_at: string;
  reason: string;
  actor_id: number | null;
  /** Document whose posting is reversed, named by that document's own path; null for a journal written by hand. */
  document: { type: string; id: number } | null;
}

/**
 * Posts the mirror of a posted transaction on `transaction_at` (on or after the original) and marks the original.
 * Refused with 409 where it is reversed already, its items are applied, or another document stands behind it than the
 * one that is named: what a document posted, only that document takes back.
 */
export async function reverseTransaction(db: Queryable, of: Reversal): Promise<{ transaction_id: number }> {
  return await asLedgerCall(db.one<{ transaction_id: number }>(sql`
    select ledger_reverse(${of.transaction_id}::bigint, ${of.transaction_at}::date, ${of.reason}::text,
      ${of.actor_id}::bigint, ${of.document?.type ?? null}::text, ${of.document?.id ?? null}::bigint)
      as transaction_id`));
}
