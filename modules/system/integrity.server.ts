/** X205: the invariants of the ledger over all divisions, those of the audit trail and of the jobs, in one report. */
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { verifyAudit } from './audit-chain.server.ts';
import { hasJobs } from './health.server.ts';
import type { Integrity, InvariantRow } from './system.contract.ts';

export async function integrityOf(ctx: Ctx): Promise<Integrity> {
  const ledger = await ledgerIntegrity(ctx.db);
  const audit = await verifyAudit(ctx.ports.db);
  const waiting = await ctx.db.one<{ waiting: number }>(sql`
    select count(*) as waiting from audit_events a
    where not exists (select 1 from audit_hashes h where h.audit_event_id = a.id)`);
  const groups = [
    { title: 'Ledger', invariants: ledger },
    { title: 'Audit trail', invariants: [{ key: 'audit_chain', ok: audit.breaks.length === 0,
      title: 'Every event is linked to the one before it, and none was changed since.',
      violations: audit.breaks.length, rows: audit.breaks.map((one) => ({ ...one })) }, ...await people(ctx)] },
    { title: 'Jobs', invariants: [await jobs(ctx)] },
  ];
  return {
    at: ctx.now().toISOString(), groups, chain: { linked: audit.linked, waiting: waiting.waiting },
    violations: groups.flatMap((group) => group.invariants).reduce((all, one) => all + one.violations, 0),
  };
}

async function rowsOf(ctx: Ctx, key: string, title: string, statement: ReturnType<typeof sql>): Promise<InvariantRow> {
  const rows = await ctx.db.query<Record<string, unknown>>(statement);
  return { key, title, ok: rows.length === 0, violations: rows.length, rows };
}

async function people(ctx: Ctx): Promise<InvariantRow[]> {
  return [
    await rowsOf(ctx, 'administrator', 'The house has a system administrator who can sign in.', sql`
      select 'nobody' as administrator where not exists (
        select 1 from users where role = 'system_admin' and disabled_at is null)`),
    await rowsOf(ctx, 'placeholder', 'No group of staff holds the placeholder permission.', sql`
      select id, name from staff_groups where 'REPLACE' = any (permission_values)`),
  ];
}

function jobs(ctx: Ctx): Promise<InvariantRow> {
  const title = 'No background job gave up within a week.';
  return hasJobs(ctx.db).then((there) => there
    ? rowsOf(ctx, 'jobs', title, sql`
      select name as job, completed_on as at, left(coalesce(output ->> 'message', ''), 300) as failure
      from pgboss.job where state = 'failed' and completed_on > now() - interval '7 days'
      order by completed_on desc limit 50`)
    : { key: 'jobs', title, ok: true, violations: 0, rows: [] });
}
