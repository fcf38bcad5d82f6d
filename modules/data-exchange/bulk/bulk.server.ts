/** X203 and its report: one's own actions over many records. */
import { refuse } from '#kit/errors.ts';
import { callName } from '#kit/bulk.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { bulkEndpoints, type BulkBody, type BulkRun, type BulkRunRow } from './bulk.contract.ts';
import { offeredBy } from './offered.server.ts';
import { startBulk } from './start-bulk.server.ts';

type Stored = Omit<BulkRun, 'undo'> & { endpoint: string; body: BulkBody['body']; undoable: boolean };

async function runOf(ctx: Ctx, id: number): Promise<BulkRun> {
  const row = await ctx.db.maybeOne<Stored>(sql`
    select t.id, 'bulk-' || t.id as job_id, t.label, t.noun, t.status, t.rows_total, t.rows_done, t.rows_refused,
      t.failure, t.created_at, t.finished_at, t.endpoint, t.body,
      t.finished_at is not null and t.rows_done > t.rows_refused and t.undo_of_id is null
        and not exists (select 1 from bulk_runs u where u.undo_of_id = t.id) as undoable
    from bulk_runs t where t.id = ${id} and t.requested_by_id = ${ctx.user.user_id}`);
  if (!row) throw refuse('not_found');
  return { ...row, undo: row.undoable ? undoOf(row) : null };
}

function undoOf({ endpoint, body }: Stored): BulkRun['undo'] {
  try {
    const { undo } = offeredBy(null, endpoint, body).action;
    return undo ? { endpoint: callName(undo.endpoint), label: undo.label } : null;
  } catch {
    // A later version of the house no longer offers it.
    return null;
  }
}

/** `routes`: all of the server's, asked for when a request comes. */
export function bulkRoutes(routes: () => readonly Route[]): Route[] {
  return serve(bulkEndpoints, {
    create: (ctx, { body }) => startBulk(ctx, routes(), body),
    show: async (ctx, { params }) => ({ data: await runOf(ctx, params.id) }),
    async rows(ctx, { params, query }) {
      await runOf(ctx, params.id);
      return listPage<BulkRunRow>(ctx.db, {
        base: sql`bulk_run_rows t`,
        columns: sql`t.id, t.row_no, t.record_id, t.label, t.href, t.outcome, t.code, t.reason, t.updated_at`,
        sorts: { row_no: sql`t.row_no`, label: sql`t.label collate "und-x-icu"` }, defaultSort: 'row_no',
        conditions: compact([
          sql`t.bulk_run_id = ${params.id}`,
          query.outcome !== undefined && sql`t.outcome = ${query.outcome}`,
          query.search !== undefined && query.search !== '' &&
            mentions(sql`t.label`, query.search),
        ]),
      }, query, bulkEndpoints.rows.path);
    },
  });
}
