/**
 * X203: an action over many records is asked for. The rows are read from the list itself, with the requester's rights,
 * and kept: what the person confirmed is what will be done, however the list changes meanwhile.
 */
import { BULK_LIMIT, callName, type BulkList } from '#kit/bulk.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { checkGates } from '#server/gates.ts';
import type { Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { listOf, pageOfList, pagesOf, type ExportList, type ListRow } from '../exports/export-list.server.ts';
import type { BulkBody } from './bulk.contract.ts';
import { bodyFor, offeredBy, otherParams, routeOf } from './offered.server.ts';
import { WORK_BULK } from './work-bulk.server.ts';

/** Runs of one person that may wait at a time. */
const WAITING = 20;
const NO_GATE_OFF: ReadonlySet<never> = new Set();

interface ChosenRecord {
  record_id: number; params: Record<string, number>; record_version: number | null; label: string; href: string | null;
}

interface BulkRequest {
  endpoint: string; body: Readonly<Record<string, unknown>>; model_name: string; filter: BulkBody['filter'];
  label: string; noun: string; undo_of_id: number | null;
}

export async function startBulk(ctx: Ctx, routes: readonly Route[], body: BulkBody) {
  if (body.undo_of !== undefined) return startUndo(ctx, routes, body, body.undo_of);
  const named = body.model_name === undefined ? null : listRoute(ctx, routes, body, body.model_name);
  const { list, action } = offeredBy(named?.route.endpoint.path ?? null, body.endpoint, body.body);
  const model = body.model_name ?? list.list.path.replace('/api/admin/', '');
  const found = named ?? listRoute(ctx, routes, body, model);
  const route = routeOf(routes, action);
  checkGates(route.endpoint.auth, ctx.user, null, NO_GATE_OFF);
  refuseUnconfirmed(ctx, route);
  bodyFor(route, body.body, 1);
  const rows = (await rowsOf(ctx, found, body)).map((row) => chosen(list, action.endpoint.path, row));
  if (rows.length === 0) throw conflict('bulk.nothing', 'Nothing in this list matches any more.');
  if (body.expected !== undefined && body.expected !== rows.length) throw changed(rows.length, list);
  return keep(ctx, rows, { endpoint: body.endpoint, body: body.body, model_name: model, filter: body.filter,
    label: action.label, noun: list.noun[rows.length === 1 ? 0 : 1], undo_of_id: null });
}

/** A call that asks for a confirmation asks for it here, once for all rows: the job has nobody to ask. */
function refuseUnconfirmed(ctx: Ctx, { endpoint }: Route): void {
  if (endpoint.confirm && ctx.session?.confirmed !== true) throw refuse('confirmation_required');
}

function listRoute(ctx: Ctx, routes: readonly Route[], body: BulkBody, model: string): ExportList {
  return listOf(routes, ctx.user, { model_name: model, columns: [], filter: body.filter });
}

function changed(rows: number, list: BulkList): Error {
  const words = `${rows.toLocaleString('en-US')} ${list.noun[rows === 1 ? 0 : 1]}`;
  return conflict('bulk.count_changed', `The list changed meanwhile: ${words} match now. Look again and confirm.`,
    { rows });
}

/** The rows of the list that are meant, each once. */
async function rowsOf(ctx: Ctx, list: ExportList, body: BulkBody): Promise<ListRow[]> {
  const ids = body.ids && new Set(body.ids);
  const rows = new Map<number, ListRow>();
  const take = (page: readonly ListRow[]): void => {
    for (const row of page) if (!ids || ids.has(Number(row.id))) rows.set(Number(row.id), row);
  };
  const { page, per_page } = body.filter;
  if (ids && page !== undefined) {
    take((await pageOfList(ctx, list, Number(page) || 1, Math.min(100, Number(per_page) || 10))).rows);
  }
  if (ids && rows.size === ids.size) return [...rows.values()];
  for await (const one of pagesOf(ctx, list)) {
    if (!ids && (one.meta.total > BULK_LIMIT || !one.meta.total_is_exact)) {
      throw invalidField('filter',
        `More than ${BULK_LIMIT.toLocaleString('en-US')} match. Narrow the list and do it in parts.`);
    }
    take(one.rows);
    if (ids && rows.size === ids.size) break;
  }
  return [...rows.values()];
}

function chosen(list: BulkList, path: string, row: ListRow): ChosenRecord {
  const id = Number(row.id);
  const name = list.named.map((field) => row[field]).find((text) => typeof text === 'string' && text !== '');
  return {
    record_id: id, params: otherParams(path, row),
    record_version: typeof row.version === 'number' ? row.version : null,
    label: typeof name === 'string' ? name : `${list.noun[0]} ${id}`,
    href: list.href?.replace(/\{(\w+)\}/g, (_, field: string) => String(row[field] as string | number)) ?? null,
  };
}

interface PastRun {
  endpoint: string; body: Readonly<Record<string, unknown>>; model_name: string; noun: string; status: string;
  undone: boolean; filter: BulkBody['filter'];
}

async function startUndo(ctx: Ctx, routes: readonly Route[], body: BulkBody, runId: number) {
  const past = await ctx.db.maybeOne<PastRun>(sql`
    select t.endpoint, t.body, t.model_name, t.noun, t.status, t.filter,
      exists (select 1 from bulk_runs u where u.undo_of_id = t.id) as undone
    from bulk_runs t where t.id = ${runId} and t.requested_by_id = ${ctx.user.user_id} for update of t`);
  if (!past) throw refuse('not_found');
  if (past.status === 'waiting' || past.status === 'running') {
    throw conflict('bulk.at_work', 'It is still being done. Stop it first.');
  }
  if (past.undone) throw conflict('bulk.undone', 'This was taken back already.');
  const { undo } = offeredBy(null, past.endpoint, past.body as BulkBody['body']).action;
  if (!undo || callName(undo.endpoint) !== body.endpoint) {
    throw invalidField('endpoint', 'That does not take this back');
  }
  const route = routeOf(routes, undo);
  checkGates(route.endpoint.auth, ctx.user, null, NO_GATE_OFF);
  refuseUnconfirmed(ctx, route);
  const rows = await ctx.db.query<ChosenRecord>(sql`
    select record_id, params, record_version, label, href from bulk_run_rows
    where bulk_run_id = ${runId} and outcome = 'done' order by row_no desc`);
  if (rows.length === 0) throw conflict('bulk.nothing', 'Nothing was done that could be taken back.');
  return keep(ctx, rows, { endpoint: body.endpoint, body: undo.body ?? {}, model_name: past.model_name,
    filter: past.filter, label: undo.label, noun: past.noun, undo_of_id: runId });
}

async function keep(ctx: Ctx, rows: readonly ChosenRecord[], wanted: BulkRequest) {
  const { waiting } = await ctx.db.one<{ waiting: number }>(sql`
    select count(*) as waiting from bulk_runs
    where requested_by_id = ${ctx.user.user_id} and status in ('waiting', 'running')`);
  if (waiting >= WAITING) {
    throw conflict('bulk.too_many', 'Your other actions are still being done. Wait for them, or stop some.');
  }
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bulk_runs (requested_by_id, endpoint, body, model_name, filter, label, noun, undo_of_id, rows_total,
      created_at)
    values (${ctx.user.user_id}, ${wanted.endpoint}, ${JSON.stringify(wanted.body)}, ${wanted.model_name},
      ${JSON.stringify(wanted.filter)}, ${wanted.label}, ${wanted.noun}, ${wanted.undo_of_id}, ${rows.length},
      ${ctx.now().toISOString()}) returning id`);
  await ctx.db.exec(sql`
    insert into bulk_run_rows (bulk_run_id, row_no, record_id, params, record_version, label, href)
    select ${id}, n, r.record_id, r.params, r.record_version, r.label, r.href
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality a (one, n),
      jsonb_to_record(a.one) r (record_id bigint, params jsonb, record_version integer, label text, href text)`);
  await ctx.audit({ action: 'start', entity: 'bulk_run', entity_id: id,
    after: { endpoint: wanted.endpoint, ...wanted.body, rows: rows.length, model_name: wanted.model_name } });
  ctx.afterCommit(() => ctx.ports.wake(WORK_BULK));
  return { data: { id, job_id: `bulk-${id}`, rows_total: rows.length } };
}
