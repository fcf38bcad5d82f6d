/**
 * X197 to X199: one's own exports, imports and actions over many records as one list. Exports and actions are cancelled
 * here, an import on its page.
 */
import { conflict, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, name, type Sql, sql } from '#server/sql.ts';
import { jobEndpoints, type JobRow } from './job.contract.ts';

/** Everything that the person asked for, by their id alone. */
function ownJobs(userId: number): Sql {
  return sql`(
    select 'export-' || id as id, 'export' as kind, id as record_id, title, status, rows_done, rows_total,
      0 as rows_refused, total_is_exact, format, size_bytes, failure, null::text as href, created_at, finished_at,
      expires_at
    from exports where requested_by_id = ${userId}
    union all
    select 'import-' || i.id, 'import', i.id, f.original_name, case i.status when 'processing' then 'running'
        when 'completed' then 'done' when 'failed' then 'failed' when 'cancelled' then 'cancelled' else 'waiting' end,
      i.rows_done, i.rows_total, i.rows_refused, true, null, f.size_bytes, i.failure, '/admin/imports/history/' || i.id,
      i.created_at, i.finished_at, null
    from imports i join files f on f.id = i.file_id where i.created_by_id = ${userId}
    union all
    select 'bulk-' || id, 'bulk', id, label || ': ' || noun, status, rows_done, rows_total, rows_refused, true, null,
      null, failure, '/admin/bulk/' || id, created_at, finished_at, null
    from bulk_runs where requested_by_id = ${userId}) t`;
}

async function jobOf(ctx: Ctx, id: string): Promise<JobRow> {
  const job = await ctx.db.maybeOne<JobRow>(sql`select t.* from ${ownJobs(ctx.user.user_id)} where t.id = ${id}`);
  if (!job) throw refuse('not_found');
  return job;
}

export const jobRoutes: Route[] = serve(jobEndpoints, {
  list: (ctx, { query }) => listPage<JobRow>(ctx.db, {
    base: ownJobs(ctx.user.user_id), columns: sql`t.*`, sorts: { created_at: sql`t.created_at` },
    defaultSort: 'created_at', defaultDirection: 'desc',
    conditions: compact([
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.search !== undefined && query.search !== '' &&
        mentions(sql`t.title`, query.search),
    ]),
  }, query, jobEndpoints.list.path),
  show: async (ctx, { params }) => ({ data: await jobOf(ctx, params.id) }),
  async cancel(ctx, { params }) {
    const job = await jobOf(ctx, params.id);
    if (job.kind === 'import') throw conflict('job.not_here', spell`An import is canceled on its own page.`);
    const exporting = job.kind === 'export';
    const touched = await ctx.db.exec(sql`
      update ${name(exporting ? 'exports' : 'bulk_runs')}
      set status = 'cancelled', finished_at = ${ctx.now().toISOString()}
      where id = ${job.record_id} and status in ('waiting', 'running')`);
    if (touched === 0) throw conflict('job.over', `This ${exporting ? 'export' : 'action'} is over already.`);
    await ctx.audit({ action: 'cancel', entity: exporting ? 'export' : 'bulk_run', entity_id: job.record_id,
      before: { status: job.status }, after: { status: 'cancelled' } });
    return { data: await jobOf(ctx, params.id) };
  },
});
