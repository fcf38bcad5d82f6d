/** X204: what the server needs, each with its state in words. */
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { Health, HealthCheck } from './system.contract.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
/** Free space below this is worth a look; below a tenth of it writing ends soon. */
const SPACE_WARNING = 5 * GIB;

/** 95 s as '1 minute', 3 days and 4 hours of seconds as '3 days 4 hours'. */
export function uptimeWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const counted = (count: number, word: string): string => `${count.toLocaleString('en-US')} ${word}${
    count === 1 ? '' : 's'}`;
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return counted(hours, 'hour');
  const rest = hours % 24;
  return [counted(Math.floor(hours / 24), 'day'), rest > 0 && counted(rest, 'hour')].filter(Boolean).join(' ');
}

export async function hasJobs(db: Queryable): Promise<boolean> {
  return (await db.one<{ there: boolean }>(sql`select to_regclass('pgboss.job') is not null as there`)).there;
}

async function database(ctx: Ctx): Promise<{ check: HealthCheck; facts: Health['facts'] }> {
  const started = performance.now();
  const row = await ctx.db.one<{ version: string; size: number; connections: number; servers: number;
    migrations: number; last: string }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      (select count(*) from pg_stat_activity where datname = current_database()) as connections,
      (select count(*) from pg_stat_activity where datname = current_database()
        and application_name = 'grand-rights live') as servers,
      (select count(*) from schema_migrations) as migrations, (select name from schema_migrations
        where name <> 'access.sql' order by applied_at desc, name desc limit 1) as last`);
  const took = Math.round(performance.now() - started);
  return {
    check: { key: 'database', label: 'Database', state: took > 500 ? 'warn' : 'ok',
      text: `PostgreSQL ${row.version.split(' ')[0]} answers in ${took} ms` },
    facts: [{ label: 'Database size', value: `${Math.round(row.size / MIB).toLocaleString('en-US')} MiB` },
      { label: 'Connections', value: String(row.connections) },
      { label: 'Servers with open streams', value: String(row.servers) },
      { label: 'Migrations', value: `${row.migrations}, the last ${row.last}` }],
  };
}

async function jobs(ctx: Ctx): Promise<HealthCheck> {
  const base = { key: 'jobs', label: 'Background jobs' };
  if (!await hasJobs(ctx.db)) return { ...base, state: 'warn', text: 'No server of this installation works jobs' };
  const row = await ctx.db.one<{ failed: number; late: number; last: string | null }>(sql`
    select count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day') as failed,
      count(*) filter (where state in ('created', 'retry') and start_after < now() - interval '10 minutes') as late,
      max(completed_on) as last from pgboss.job where created_on > now() - interval '2 days'`);
  if (row.failed > 0) return { ...base, state: 'fail', text: `${row.failed} failed within a day` };
  if (row.late > 0) return { ...base, state: 'warn', text: `${row.late} have waited for more than ten minutes` };
  return { ...base, state: 'ok', text: row.last === null ? 'None has run yet' : 'None failed within a day' };
}

async function mail(ctx: Ctx): Promise<HealthCheck> {
  const base = { key: 'mail', label: 'Mail' };
  if (!ctx.ports.mail.deliver) return { ...base, state: 'ok', text: 'Kept in the outbox here: no mail server is set' };
  const row = await ctx.db.one<{ waiting: number; failed: number }>(sql`
    select count(*) filter (where failed_attempts < 10 and created_at < now() - interval '15 minutes') as waiting,
      count(*) filter (where failed_attempts >= 10) as failed from mail_outbox where sent_at is null`);
  if (row.failed > 0) return { ...base, state: 'fail', text: `${row.failed} could not be delivered` };
  if (row.waiting > 0) return { ...base, state: 'warn', text: `${row.waiting} have waited for a quarter of an hour` };
  return { ...base, state: 'ok', text: 'Everything is delivered' };
}

async function storage(ctx: Ctx): Promise<HealthCheck> {
  const base = { key: 'storage', label: 'Storage' };
  if (ctx.ports.settings.files_url !== null) return { ...base, state: 'ok', text: 'Files lie in the bucket' };
  try {
    const disk = await statfs(ctx.ports.settings.data_dir);
    const free = disk.bavail * disk.bsize;
    const text = `${(free / GIB).toFixed(1)} GiB are free`;
    return { ...base, state: free > SPACE_WARNING ? 'ok' : free > SPACE_WARNING / 10 ? 'warn' : 'fail', text };
  } catch {
    return { ...base, state: 'warn', text: 'The free space cannot be read' };
  }
}

async function chain(ctx: Ctx): Promise<HealthCheck> {
  const row = await ctx.db.one<{ waiting: number }>(sql`
    select count(*) as waiting from audit_events a where a.created_at < now() - interval '10 minutes'
      and a.id > (select coalesce(max(audit_event_id), 0) - 10000 from audit_hashes)
      and not exists (select 1 from audit_hashes h where h.audit_event_id = a.id)`);
  return { key: 'audit', label: 'Audit chain', state: row.waiting > 0 ? 'warn' : 'ok',
    text: row.waiting > 0 ? `${row.waiting.toLocaleString('en-US')} events wait to be linked`
      : 'Every event is linked' };
}

export async function healthOf(ctx: Ctx): Promise<Health> {
  const db = await database(ctx);
  const checks = [db.check, ...await Promise.all([jobs(ctx), mail(ctx), storage(ctx), chain(ctx)])];
  const worst = (['fail', 'warn', 'ok'] as const).find((state) => checks.some((one) => one.state === state));
  const memory = process.memoryUsage().rss / MIB;
  return {
    state: worst ?? 'ok', at: ctx.now().toISOString(), checks,
    facts: [...db.facts, { label: 'This server', value: hostname() },
      { label: 'Running for', value: uptimeWords(process.uptime()) },
      { label: 'Memory', value: `${Math.round(memory).toLocaleString('en-US')} MiB` },
      { label: 'Node', value: process.version }],
  };
}
