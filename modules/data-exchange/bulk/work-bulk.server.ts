/**
 * The background work of actions over many records. Every record is done by its own call, in a transaction that also
 * says so: a kill in between loses nothing and does nothing twice. The requester's rights are read anew for each.
 */
import { AppError } from '#kit/errors.ts';
import { principalOfPerson } from '#modules/identity/identity.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { actorWhoAsked, SYSTEM_ACTOR, type AuditActor } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports } from '#server/context.ts';
import type { Tx } from '#server/db.ts';
import { answerFor } from '#server/error-answer.ts';
import { checkGates } from '#server/gates.ts';
import type { Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { callName } from '#kit/bulk.ts';
import { asPerson } from '../exports/export-list.server.ts';
import { bodyFor, paramsOf } from './offered.server.ts';

export const WORK_BULK = 'work-bulk';

/** A run that was at work and has told nothing for so long was left by a process that is gone. */
const SILENT = '3 minutes';
const NO_GATE_OFF: ReadonlySet<never> = new Set();

interface Run {
  id: number; requested_by_id: number; endpoint: string; body: Readonly<Record<string, unknown>>; label: string;
  noun: string; rows_total: number;
}
/** A run with whom and from where its changes are. */
type AskedRun = Run & { actor: AuditActor };
interface Row { id: number; record_id: number; params: Record<string, number>; record_version: number | null }

/** Works every action that waits; `work-bulk` of apps/server/src/jobs.ts. */
export async function workBulk(ports: Ports, routes: readonly Route[]): Promise<void> {
  for (;;) {
    const run = await ports.db.maybeOne<Run>(sql`
      update bulk_runs set status = 'running', started_at = coalesce(started_at, ${now(ports)}) where id = (
        select id from bulk_runs where status = 'waiting'
          or (status = 'running' and updated_at < now() - ${SILENT}::interval)
        order by id limit 1 for update skip locked)
      returning id, requested_by_id, endpoint, body, label, noun, rows_total`);
    if (run === null) return;
    await runEach(ports, { job: WORK_BULK, items: [run], facts: ({ id }) => ({ bulk_run_id: id }) },
      (one) => workRun(ports, routes, one));
  }
}

const now = (ports: Ports): string => ports.clock.now().toISOString();

async function workRun(ports: Ports, routes: readonly Route[], run: Run): Promise<void> {
  const route = routes.find(({ endpoint }) => callName(endpoint) === run.endpoint);
  try {
    if (!route) throw new AppError('bulk.gone', { status: 409, message: 'This action is no longer offered.' });
    const actor = await actorWhoAsked(ports.db, run.requested_by_id, { entity: 'bulk_run', entity_id: run.id });
    while (await oneRow(ports, route, { ...run, actor }));
    await finish(ports, { ...run, actor });
  } catch (error) {
    if (error instanceof Cancelled) return;
    const known = error instanceof AppError;
    if (!known) ports.log('error', 'bulk action failed', { run: run.id, error: (error as Error).stack });
    await ports.db.exec(sql`
      update bulk_runs set status = 'failed', finished_at = ${now(ports)},
        failure = ${known ? error.message : 'Something went wrong. What was done is in the report.'}
      where id = ${run.id} and status = 'running'`);
    await tell(ports, run);
  }
}

class Cancelled extends Error {}

/** Does the next record that waits; false where none does. */
async function oneRow(ports: Ports, route: Route, run: AskedRun): Promise<boolean> {
  let row: Row | null = null;
  try {
    return await ports.db.tx(async (tx) => {
      row = await nextRow(tx, run);
      if (row === null) return false;
      const answer = await doRow(ports, tx, route, run, row);
      await settle(tx, run, row, { outcome: 'done', code: null, reason: null, version: versionIn(answer) });
      return true;
    });
  } catch (error) {
    if (error instanceof Cancelled || row === null) throw error;
    const refused: Row = row;
    const { body, unexpected } = answerFor(error, `bulk-${run.id}`);
    if (unexpected) {
      ports.log('error', 'bulk row failed', { run: run.id, row: refused.id, error: (error as Error).stack });
    }
    await ports.db.tx((tx) => settle(tx, run, refused, { outcome: 'refused', code: String(body.code), version: null,
      reason: unexpected ? 'Something went wrong with this one. Try it by hand.' : reasonOf(body) }));
    return true;
  }
}

/** The words of a refusal: what stands at its fields says more than the heading over them. */
function reasonOf(body: Record<string, unknown>): string {
  if (body.code === 'not_found') return 'It is not there any more.';
  const texts = Object.values((body.errors ?? {}) as Record<string, string[]>).flat();
  return (texts.length > 0 ? texts.join(' ') : String(body.message)).slice(0, 1000);
}

function nextRow(tx: Tx, run: Run): Promise<Row | null> {
  return tx.maybeOne<Row>(sql`
    select id, record_id, params, record_version from bulk_run_rows
    where bulk_run_id = ${run.id} and outcome = 'waiting' order by row_no limit 1 for update skip locked`);
}

async function doRow(ports: Ports, tx: Tx, route: Route, run: AskedRun, row: Row): Promise<unknown> {
  const principal = await principalOfPerson(tx, run.requested_by_id);
  if (!principal) {
    throw new AppError('bulk.person_gone', { status: 409,
      message: 'The person who requested it can no longer sign in.' });
  }
  const { endpoint, handler } = route;
  const own = paramsOf(endpoint.path).at(-1) ?? 'id';
  const params = { ...row.params, [own]: row.record_id };
  checkGates(endpoint.auth, principal, row.record_id, NO_GATE_OFF);
  return handler(asPerson(ports, tx, principal, run.actor), { params, query: endpoint.query?.parse({}) ?? {},
    body: bodyFor(route, run.body, row.record_version) });
}

/** The version that the record has now: with it the action can be taken back, unless somebody came between. */
function versionIn(answer: unknown): number | null {
  const version = (answer as { data?: { version?: unknown } } | null | undefined)?.data?.version;
  return typeof version === 'number' ? version : null;
}

interface Outcome { outcome: 'done' | 'refused'; code: string | null; reason: string | null; version: number | null }

async function settle(tx: Tx, run: Run, row: Row, { outcome, code, reason, version }: Outcome): Promise<void> {
  const open = await tx.exec(sql`
    update bulk_run_rows set outcome = ${outcome}, code = ${code}, reason = ${reason},
      record_version = coalesce(${version}, record_version) where id = ${row.id} and outcome = 'waiting'`);
  // Another process took it up meanwhile, and told what became of it.
  if (open === 0) return;
  const touched = await tx.exec(sql`
    update bulk_runs set rows_done = rows_done + 1, rows_refused = rows_refused + ${outcome === 'refused' ? 1 : 0}
    where id = ${run.id} and status = 'running'`);
  // Stopped meanwhile: this record is not done either.
  if (touched === 0) throw new Cancelled();
}

async function finish(ports: Ports, run: AskedRun): Promise<void> {
  const done = await ports.db.tx(async (tx) => {
    const over = await tx.maybeOne<{ rows_refused: number }>(sql`
      update bulk_runs set status = 'done', finished_at = ${now(ports)}
      where id = ${run.id} and status = 'running' and rows_done = rows_total returning rows_refused`);
    if (!over) return false;
    await workContext(ports, tx, run.actor).audit({ action: 'complete',
      entity: 'bulk_run', entity_id: run.id, after: { rows: run.rows_total, refused: over.rows_refused } });
    return true;
  });
  if (done) await tell(ports, run);
}

const counted = (rows: number): string => rows.toLocaleString('en-US');

async function tell(ports: Ports, run: Run): Promise<void> {
  const at = await ports.db.one<{ rows_done: number; rows_refused: number; failure: string | null }>(sql`
    select rows_done, rows_refused, failure from bulk_runs where id = ${run.id}`);
  const done = at.rows_done - at.rows_refused;
  const refused = at.rows_refused === 0 ? 'none' : counted(at.rows_refused);
  const body = at.failure ?? `${counted(done)} done, ${refused} refused`;
  // The title alone pops up: it must not sound as if all had gone well.
  const all = `${done === run.rows_total ? '' : `${counted(done)} of `}${counted(run.rows_total)}`;
  await notifyStaff(workContext(ports, ports.db, SYSTEM_ACTOR), { kind: 'bulk.finished',
    title: `${run.label}: ${all} ${run.noun}`, body, href: `/admin/bulk/${run.id}`,
    to: [run.requested_by_id], key: `bulk.finished/${run.id}` });
}
