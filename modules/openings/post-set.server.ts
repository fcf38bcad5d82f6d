/** Posting a set: its rows are checked again in the transaction that posts them, whole or not at all. */
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { TrialLine } from '#kernel/ledger/opening-sets.ts';
import { KINDS } from './kinds.server.ts';
import { offBalance } from './kinds/ledger.server.ts';
import type { CheckedRow, Made, SourceRow } from './opening-kind.server.ts';
import { lockSet, nameOfSet, refuseAfterClose, type StoredSet } from './set-store.server.ts';

export async function postSet(ctx: WorkContext, id: number, version: number): Promise<void> {
  const set = await lockSet(ctx, id, 'draft', version);
  await refuseAfterClose(ctx.db, set);
  const other = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from opening_sets where division = ${set.division} and kind = ${set.kind} and status = 'posted'`);
  if (other) {
    throw conflict('opening_set.exists', `${nameOfSet(set)} is posted already. Reverse that set first.`,
      { opening_set_id: other.id });
  }
  const rows = await checkedAgain(ctx, set);
  if (set.kind === 'ledger') {
    const off = offBalance(rows.map((row) => row.subject as TrialLine), set.functional);
    if (off !== null) throw conflict('opening_set.unbalanced', off);
  }
  const made = await KINDS[set.kind].post(ctx, set, rows);
  await linkDocuments(ctx, set, made);
  const transaction = set.kind === 'ledger' ? made[0]!.transaction_id : null;
  await ctx.db.exec(sql`
    update opening_sets set status = 'posted', posted_at = ${ctx.now().toISOString()},
      posted_by_id = ${ctx.actor.actor_id}, transaction_id = ${transaction}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'post', entity: 'opening_set', entity_id: id, after: { rows: rows.length } });
}

/** Reads the rows again from their cells: records they name may have changed since the upload. */
async function checkedAgain(ctx: WorkContext, set: StoredSet): Promise<CheckedRow[]> {
  const sources = await ctx.db.query<SourceRow>(sql`
    select row_no, cells from opening_lines where opening_set_id = ${set.id} order by row_no`);
  const rows = await KINDS[set.kind].check(ctx.db, set, sources, set.reading);
  const wrong = rows.filter((row) => row.problem !== null);
  const [first] = wrong;
  if (first) {
    throw conflict('opening_set.rows', `${wrong.length === 1 ? 'One row cannot be posted' : `${wrong.length
    } rows cannot be posted`}. Row ${first.row_no}: ${first.problem!.reason}. Correct the file and upload it again.`,
    { rows: wrong.length });
  }
  return rows;
}

async function linkDocuments(ctx: WorkContext, set: StoredSet, made: readonly Made[]): Promise<void> {
  const rows = made.filter((one) => one.row_no > 0);
  await ctx.db.exec(sql`
    update opening_lines l set document_type = r.type, document_id = r.id, transaction_id = r.posted
    from unnest(${rows.map((one) => one.row_no)}::int[], ${rows.map((one) => one.type)}::text[],
      ${rows.map((one) => one.id)}::bigint[], ${rows.map((one) => one.transaction_id)}::bigint[])
      r (row_no, type, id, posted)
    where l.opening_set_id = ${set.id} and l.row_no = r.row_no`);
}
