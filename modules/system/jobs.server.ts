/** X210, X211: the queue of background jobs as it stands in the database (pg-boss's own tables). */
import { conflict, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, pageOf, type Page } from '#server/list.ts';
import { mentions, sql } from '#server/sql.ts';
import { hasJobs } from './health.server.ts';
import type { JobRow } from './system.contract.ts';

const PATH = '/api/admin/system/jobs';

const columns = sql`t.id, t.name as kind, t.state::text as status, t.retry_count as retries, t.retry_limit,
  t.created_on as created_at, t.started_on as started_at, t.completed_on as finished_at,
  extract(epoch from t.completed_on - t.started_on)::float8 as seconds,
  left(coalesce(t.output ->> 'message', t.output #>> '{}'), 2000) as failure`;

type Query = ListArgs & { status?: JobRow['status'] | undefined; kind?: string | undefined };

export async function listJobs(ctx: Ctx, query: Query): Promise<Page<JobRow>> {
  if (!await hasJobs(ctx.db)) return pageOf<JobRow>([], 0, query, PATH);
  const page = await listPage<JobRow>(ctx.db, {
    base: sql`pgboss.job t`, columns, sorts: { created_at: sql`t.created_on` }, defaultSort: 'created_at',
    defaultDirection: 'desc',
    conditions: compact([
      query.status !== undefined && sql`t.state::text = ${query.status}`,
      query.kind !== undefined && sql`t.name = ${query.kind}`,
      query.search !== undefined && mentions(sql`t.name`, query.search),
      // The queue's own keeping of its schedules is no work of ours.
      sql`t.name not like ${'\\_\\_pgboss%'}`,
    ]),
  }, query, PATH);
  return { ...page, data: page.data.map(shown) };
}

/** Hides the failure text unless the job failed or is retried; a job's answer is not a failure. */
function shown(row: JobRow): JobRow {
  return { ...row, failure: row.status === 'failed' || row.status === 'retry' ? row.failure : null };
}

export async function jobKinds(ctx: Ctx): Promise<{ kind: string; schedule: string | null }[]> {
  if (!await hasJobs(ctx.db)) return [];
  return ctx.db.query(sql`
    select q.name as kind, s.cron as schedule from pgboss.queue q left join pgboss.schedule s on s.name = q.name
    where q.name not like ${'\\_\\_pgboss%'} order by q.name`);
}

/** A job that gave up is tried once more; every effect of a job is idempotent (reliability.md I8). */
export async function retryJob(ctx: Ctx, id: string): Promise<JobRow> {
  if (!await hasJobs(ctx.db)) throw refuse('not_found');
  const job = await ctx.db.maybeOne<{ name: string; state: string }>(sql`
    select name, state::text as state from pgboss.job where id = ${id}::uuid for update`);
  if (!job) throw refuse('not_found');
  if (!['failed', 'cancelled'].includes(job.state)) {
    throw conflict('job.state_conflict', 'Only a job that failed is run again.', { state: job.state });
  }
  await ctx.db.exec(sql`
    update pgboss.job set state = 'retry', retry_limit = retry_count + 1, start_after = now(), completed_on = null
    where name = ${job.name} and id = ${id}::uuid`);
  await ctx.audit({ action: 'retry', entity: 'job', entity_id: null, before: { id, state: job.state },
    after: { id, kind: job.name, state: 'retry' } });
  return shown(await ctx.db.one<JobRow>(sql`select ${columns} from pgboss.job t where t.id = ${id}::uuid`));
}
