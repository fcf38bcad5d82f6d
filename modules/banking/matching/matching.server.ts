/** Matching of bank lines: the lines of an account, what they may be matched with, the match and its undoing. */
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { autoMatch, permissionsOf } from './auto-match.server.ts';
import { candidatesFor, searchItems } from './candidates.server.ts';
import { makeMatch } from './make-match.server.ts';
import { LINE_COLUMNS, UNMATCHED } from './match-lines.server.ts';
import { matchingEndpoints, type BankMatch, type MatchableLine } from './matching.contract.ts';
import { undoMatch } from './undo-match.server.ts';

async function findMatch(ctx: WorkContext, id: number): Promise<BankMatch> {
  const row = await ctx.db.maybeOne<BankMatch>(sql`
    select m.id, m.bank_account_id, m.made_by, m.score, m.reasons, m.created_at, m.undone_at, m.undo_reason,
      m.paired_match_id,
      (select concat_ws(' ', first_name, last_name) from users where id = m.created_by_id) as created_by_name,
      (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'booked_on', t.booked_on, 'amount_minor',
          t.amount_minor, 'text', concat_ws(' ', nullif(t.name, ''), nullif(t.memo, ''))) order by t.booked_on, t.id),
          '[]') from bank_match_lines l join bank_transactions t on t.id = l.bank_transaction_id
        where l.bank_match_id = m.id) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('ledger_line_id', e.id, 'transaction_id', e.transaction_id,
          'posted_on', e.transaction_at, 'amount_minor', e.amount_minor, 'label', x.description,
          'posted_by_match', l.posted_by_match) order by e.transaction_at, e.id), '[]')
        from bank_match_entries l join journal_entries e on e.id = l.ledger_line_id
          join transactions x on x.id = e.transaction_id where l.bank_match_id = m.id) as entries
    from bank_matches m where m.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

export const matchingRoutes: Route[] = serve(matchingEndpoints, {
  lines: (ctx, { query }) => listPage<MatchableLine>(ctx.db, { base: sql`bank_transactions t`, columns: LINE_COLUMNS,
    conditions: compact([sql`t.state = 'booked' and t.deleted_at is null`,
      query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
      query.bank_statement_id !== undefined && sql`t.bank_statement_id = ${query.bank_statement_id}`,
      query.matched === 'false' && UNMATCHED,
      query.matched === 'true' && sql`exists (
        select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active)`,
      Boolean(query.search) && sql`t.search_text like '%' || ledger_fold(${query.search}) || '%'`]),
    sorts: { booked_on: sql`t.booked_on`, amount_minor: sql`t.amount_minor` }, defaultSort: 'booked_on',
    defaultDirection: 'asc' }, query, matchingEndpoints.lines.path),
  async candidates(ctx, { params }) {
    const found = await candidatesFor(ctx, params.id);
    const { bank_match_id } = found.line;
    return { data: { ...found, match: bank_match_id === null ? null : await findMatch(ctx, bank_match_id) } };
  },
  items: async (ctx, { params, query }) => ({ data: await searchItems(ctx, params.id, query) }),
  show: async (ctx, { params }) => ({ data: await findMatch(ctx, params.id) }),
  async create(ctx, { body }) {
    const id = await makeMatch(ctx, body, { made_by: 'person', may: permissionsOf(ctx) });
    return { data: await findMatch(ctx, id) };
  },
  async undo(ctx, { params, body }) {
    await undoMatch(ctx, params.id, body.reason);
    return { data: await findMatch(ctx, params.id) };
  },
  auto: async (ctx, { body }) => ({ data: await autoMatch(ctx, body, permissionsOf(ctx)) }),
});
