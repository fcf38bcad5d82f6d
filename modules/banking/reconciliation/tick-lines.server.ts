/** Ticking bank lines (A114): a tick is a match with lines of the ledger; taking it off undoes the match. */
import { conflict } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { permissionsOf } from '../matching/auto-match.server.ts';
import { LEDGER_LINE } from '../matching/ledger-items.server.ts';
import { makeMatch } from '../matching/make-match.server.ts';
import { undoMatch } from '../matching/undo-match.server.ts';
import type { reconciliationEndpoints } from './reconciliation.contract.ts';
import { accountOf, sidesOf } from './sides.server.ts';

type Input = BodyOf<typeof reconciliationEndpoints.match>;

export async function tickLines(ctx: Ctx, body: Input): Promise<{ matched: number; skipped: number[] }> {
  const ids = [...new Set(body.bank_transaction_ids)].sort((a, b) => a - b);
  if (!body.is_reconciled) return takeOff(ctx, ids);
  if (body.ledger_line_ids.length > 0 || body.runs.length > 0) {
    await refuseTicked(ctx, body.ledger_line_ids);
    await match(ctx, ids, body.ledger_line_ids, body.runs);
    return { matched: ids.length, skipped: [] };
  }
  const pairs = await onlyEntries(ctx, ids);
  for (const [line, entry] of [...pairs].sort(([a], [b]) => a - b)) await match(ctx, [line], [entry]);
  return { matched: pairs.size, skipped: ids.filter((id) => !pairs.has(id)) };
}

async function refuseTicked(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const ticked = await ctx.db.maybeOne<{ id: number }>(sql`
    select ledger_line_id as id from bank_reconciliation_ticks where holds and ledger_line_id = any (${ids}::bigint[])
    limit 1`);
  if (ticked) {
    throw conflict('reconciliation.ticked', 'An entry is ticked in a reconciliation. Take the tick off first.',
      { ledger_line_id: ticked.id });
  }
}

const match = (ctx: Ctx, line_ids: number[], entries: number[], runs: Input['runs'] = []): Promise<number> =>
  makeMatch(ctx, { line_ids, parts: [...entries.map((id) => ({ kind: LEDGER_LINE, id })), ...runs]
    .map((part) => ({ ...part, discount_minor: 0 })), fee_minor: 0, entries: [], on_account: null, transfer: null,
  description: '', score: null, reasons: [] },
{ made_by: 'person', may: permissionsOf(ctx) });

/** The entry that each line can only be, by the open reconciliation of its account. */
async function onlyEntries(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  const open = await ctx.db.query<{ bank_account_id: number; to_on: string; opening_minor: number;
    closing_minor: number }>(sql`
    select distinct r.bank_account_id, r.to_on, r.opening_minor, r.closing_minor
    from bank_transactions t join bank_reconciliations r on r.bank_account_id = t.bank_account_id and r.status = 'open'
    where t.id = any (${ids}::bigint[])`);
  if (open.length === 0) throw conflict('reconciliation.none_open', 'Start a reconciliation of this account first.');
  const pairs = new Map<number, number>();
  for (const row of open) {
    const account = await accountOf(ctx.db, row.bank_account_id);
    const { lines } = await sidesOf(ctx.db, { ...row, account: account! });
    for (const line of lines) {
      if (line.ledger_line_id !== null && ids.includes(line.id)) pairs.set(line.id, line.ledger_line_id);
    }
  }
  return pairs;
}

async function takeOff(ctx: Ctx, ids: readonly number[]): Promise<{ matched: number; skipped: number[] }> {
  const rows = await ctx.db.query<{ bank_transaction_id: number; bank_match_id: number }>(sql`
    select bank_transaction_id, bank_match_id from bank_match_lines
    where active and bank_transaction_id = any (${ids}::bigint[]) order by bank_match_id`);
  for (const id of new Set(rows.map((row) => row.bank_match_id))) await undoMatch(ctx, id, 'Tick taken off');
  const found = new Set(rows.map((row) => row.bank_transaction_id));
  return { matched: found.size, skipped: ids.filter((id) => !found.has(id)) };
}
