/** Stored payment runs with their payments, as pages and verbs read them. */
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { ListSpec } from '#server/list.ts';
import { sql, type Sql } from '#server/sql.ts';
import { payeeName } from '../disbursement/disbursement-store.server.ts';
import { prenoteHints } from '../prenote/prenote-store.server.ts';
import { bankChangesIn } from './bank-changes.server.ts';
import { missingOf } from './file-profile.server.ts';
import { heldOut, keyOf } from './payees.server.ts';
import { isBatch } from './run-batch.server.ts';
import type { RunDetail, RunPayment, RunRow } from './payment-run.contract.ts';

/** Payments of the run `t` that stand: neither taken out nor refused, returned or reversed. */
const LIVE = sql`p.payment_run_id = t.id and p.status not in ('void', 'returned', 'reversed')`;
/** Amounts that the bank was given, with those that have left the run since. */
const FILED = sql`(select p.amount_minor from payments p where p.payment_run_id = t.id and p.bank_reference <> ''
  union all (select distinct on (x.payment_id) x.amount_minor from payment_run_exits x
    join payments p on p.id = x.payment_id
    where x.payment_run_id = t.id and x.is_sent and p.payment_run_id is distinct from t.id
    order by x.payment_id, x.id))`;
const nameOf = (column: Sql): Sql => sql`
  (select concat_ws(' ', first_name, last_name) from users where id = ${column})`;
const COLUMNS = sql`t.id, t.number, t.division, t.currency, t.method, t.status, t.bank_account_id,
  b.name as bank_account, t.due_by, t.value_on, t.value_moved, t.same_day, t.memo,
  (select count(*) from payments p where ${LIVE})::int as payment_count,
  (select coalesce(sum(p.amount_minor), 0)::bigint from payments p where ${LIVE}) as total_minor,
  (select coalesce(sum(p.withheld_minor), 0)::bigint from payments p where ${LIVE}) as withheld_minor,
  case when t.file_id is not null then (select coalesce(sum(f.amount_minor), 0)::bigint from ${FILED} f) end
    as file_total_minor,
  t.created_by_id, ${nameOf(sql`t.created_by_id`)} as created_by_name,
  ${nameOf(sql`t.last_changed_by_id`)} as last_changed_by_name, ${nameOf(sql`t.approved_by_id`)} as approved_by_name,
  t.approved_at, ${nameOf(sql`t.exported_by_id`)} as exported_by_name, t.exported_at, t.file_name, t.file_sha256,
  t.posted_at, t.failure, t.void_reason, t.royalty_payment_batch_id, ${isBatch(sql`t`)} as is_batch,
  t.version, t.created_at, t.updated_at`;
const JOINS = sql`join bank_accounts b on b.id = t.bank_account_id`;
export const RUN_LIST: Omit<ListSpec, 'conditions'> = { base: sql`payment_runs t`, columns: COLUMNS, joins: JOINS,
  sorts: { value_on: sql`t.value_on`, number: sql`t.number`, updated_at: sql`t.updated_at` },
  defaultSort: 'updated_at', defaultDirection: 'desc' };

/** Events allowed in each state. */
const RUN_EVENTS: Readonly<Record<RunRow['status'], readonly string[]>> = {
  draft: ['update', 'approve', 'void'], approved: ['update', 'reopen', 'export', 'cancel', 'void'],
  exported: ['file', 'answer', 'cancel', 'reject', 'refuse', 'decide'],
  posted: ['file', 'answer', 'reject', 'refuse', 'decide'],
  void: ['file', 'answer', 'decide'],
};
type Stand = Pick<Run, 'status' | 'is_batch' | 'file_name' | 'method'>;
/** A batch of royalties is not chosen anew; what was handed in without a file has none, and can be withdrawn whole. */
export function runEvents(run: Stand): string[] {
  const { status } = run;
  const own = RUN_EVENTS[status].filter((event) => !(event === 'update' && run.is_batch)
    && !(event === 'refuse' && run.method === 'check')
    && !(['file', 'answer'].includes(event) && run.file_name === null && (run.is_batch || status === 'void')));
  return [...own, ...(status === 'exported' && run.file_name === null ? ['void'] : [])];
}

export interface Run {
  id: number; number: string; division: Division; currency: Currency; method: PayoutMethod; status: RunRow['status'];
  bank_account_id: number; due_by: string; value_on: string; value_moved: string | null; same_day: boolean;
  memo: string; created_by_id: number | null; last_changed_by_id: number | null; approved_hash: string | null;
  file_id: number | null; file_name: string | null; royalty_payment_batch_id: number | null; is_batch: boolean;
  version: number; updated_at: string;
}

/** Locked before it is read, in a state that allows the event, at the version the person saw. */
export async function lockRun(ctx: WorkContext, id: number, event: string, version?: number): Promise<Run> {
  await ctx.db.query(sql`select 1 from payment_runs where id = ${id} for update`);
  const run = await readRun(ctx, id);
  if (version !== undefined && run.version !== version) throw stale(run);
  refuseEvent(run, event);
  return run;
}

export async function readRun(ctx: Pick<WorkContext, 'db'>, id: number): Promise<Run> {
  const run = await ctx.db.maybeOne<Run>(sql`
    select id, number, division, currency, method, status, bank_account_id, due_by, value_on, value_moved, same_day,
      memo, created_by_id, last_changed_by_id, approved_hash, file_id, file_name, royalty_payment_batch_id,
      ${isBatch(sql`t`)} as is_batch, version, updated_at
    from payment_runs t where id = ${id}`);
  if (!run) throw refuse('not_found');
  return run;
}

const STATUS_WORDS = { draft: 'a draft', approved: 'approved', exported: 'exported', posted: 'posted',
  void: 'withdrawn' };
function refuseEvent(run: Run, event: string): void {
  const allowed = runEvents(run);
  if (allowed.includes(event)) return;
  throw conflict('payment_run.status', `Payment run ${run.number} is ${STATUS_WORDS[run.status]}.`, { allowed });
}

type Stored = Omit<RunPayment, 'held' | 'hint' | 'bank_change' | 'parts'> & { method: string; division: Division;
  currency: string; exit_id: number | null };
/** Payments of a run, payees in the order of their names; those that left it come last, refunds as they were in it. */
export function runPayments(ctx: Pick<WorkContext, 'db'>, id: number): Promise<Stored[]> {
  return ctx.db.query<Stored>(sql`
    select * from (select p.id, p.number, p.kind, p.party_type, p.party_id, ${payeeName} as party_name, p.status,
      p.amount_minor, p.withheld_minor, p.method, p.division, p.currency, p.payee_last4, p.outcome,
      p.outcome_on, p.reversal_reason as reason, p.transaction_id, p.version, e.exit_id, e.paid_anyway_on
      from payments p left join lateral (${exitOf(id)}) e on true where p.payment_run_id = ${id}
      union all select p.id, p.number, p.kind, p.party_type, p.party_id, ${payeeName}, 'void', x.amount_minor, 0,
        p.method, p.division, p.currency, x.payee_last4, x.outcome, x.outcome_on, x.reason, null, p.version,
        e.exit_id, e.paid_anyway_on
      from payment_run_exits x join payments p on p.id = x.payment_id join lateral (${exitOf(id)}) e on e.exit_id = x.id
      where x.payment_run_id = ${id} and p.payment_run_id is distinct from ${id}) x
    order by x.status = 'void', x.party_name collate "und-x-icu", x.id`);
}

/** The last time that the payment `p` left the run, and the day on which the bank paid it all the same. */
const exitOf = (run: number): Sql => sql`
  select q.id as exit_id, case when q.decision is null then q.paid_on end as paid_anyway_on from payment_run_exits q
  where q.payment_id = p.id and q.payment_run_id = ${run} order by q.id desc limit 1`;

/** `payee_number` is what the payee calls the document: a vendor knows its own number, not the house's. */
type Part = RunPayment['parts'][number] & { payment_id: number; payee_number: string };
export async function runParts(ctx: Pick<WorkContext, 'db'>, ids: readonly number[]): Promise<Part[]> {
  return [...await openItemParts(ctx, ids), ...await royaltyParts(ctx, ids)];
}

function openItemParts(ctx: Pick<WorkContext, 'db'>, ids: readonly number[]): Promise<Part[]> {
  return ctx.db.query<Part>(sql`
    select x.payment_id, x.open_item_id, coalesce(d.number, t.description) as document, d.kind as document_kind,
      d.id as document_id, i.due_date as due_on, x.amount_minor, x.discount_minor, x.discount_reason,
      coalesce(nullif(b.vendor_number, ''), d.number, t.description) as payee_number
    from payment_parts x join open_items i on i.id = x.open_item_id join transactions t on t.id = i.transaction_id
      left join lateral ledger_document(i.document_type, i.document_id) d on true
      left join bills b on i.document_type = 'bill' and b.id = i.document_id
    where x.payment_id = any (${ids}::bigint[]) and not exists (select 1 from payment_parts y
      where y.payment_id = x.payment_id and y.id > x.id and y.open_item_id = x.open_item_id)
      and (x.state <> 'released' or not exists (select 1 from payment_parts y where y.payment_id = x.payment_id
        and y.state <> 'released'))
    order by x.id`);
}

/** Statements and advances of royaltors, in the currency of their payment. */
function royaltyParts(ctx: Pick<WorkContext, 'db'>, ids: readonly number[]): Promise<Part[]> {
  return ctx.db.query<Part>(sql`
    select x.payment_id, null::bigint as open_item_id, coalesce(m.number, 'Advance') as document,
      case when m.id is not null then 'statement' else 'advance' end as document_kind,
      coalesce(m.id, x.royalty_advance_id) as document_id, p.paid_on as due_on,
      x.paid_minor as amount_minor, 0::bigint as discount_minor, '' as discount_reason,
      coalesce(m.number, 'Advance') as payee_number
    from royalty_payment_conversions x join payments p on p.id = x.payment_id
      left join royalty_statements m on m.id = x.royalty_statement_id
    where x.payment_id = any (${ids}::bigint[]) order by x.id`);
}

/** At the run, and at the batch of royalties that it pays: each has its own list of what was done. */
export async function auditRun(ctx: WorkContext, run: Pick<Run, 'id' | 'royalty_payment_batch_id'>,
  act: { action: string; after?: object; before?: object; batch?: string }): Promise<void> {
  const { batch, ...own } = act;
  await ctx.audit({ ...own, entity: 'payment_run', entity_id: run.id });
  if (run.royalty_payment_batch_id === null) return;
  await ctx.audit({ ...own, action: batch ?? act.action, entity: 'royalty_payment_batch',
    entity_id: run.royalty_payment_batch_id });
}

function partsOf(parts: readonly Part[], id: number): RunPayment['parts'] {
  return parts.filter((part) => part.payment_id === id).map((part) => ({ open_item_id: part.open_item_id,
    document: part.document, document_kind: part.document_kind, document_id: part.document_id, due_on: part.due_on,
    amount_minor: part.amount_minor, discount_minor: part.discount_minor, discount_reason: part.discount_reason }));
}

export async function findRun(ctx: WorkContext, id: number): Promise<RunDetail> {
  const row = await ctx.db.maybeOne<RunRow>(sql`select ${COLUMNS} from payment_runs t ${JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const stored = await runPayments(ctx, id);
  const parts = await runParts(ctx, stored.map((one) => one.id));
  const open = ['draft', 'approved'].includes(row.status);
  const held = open ? await heldOut(ctx, row.method, row, stored) : new Map<string, string>();
  const hints = open && row.method === 'ach' ? await prenoteHints(ctx, row.bank_account_id) : new Map<string, string>();
  const changes = open && row.method !== 'check' ? await bankChangesIn(ctx, id) : new Map<string, never>();
  const said = <Said>(of: Map<string, Said>, one: Pick<RunPayment, 'status' | 'party_type' | 'party_id'>):
  Said | null => (one.status === 'void' ? null : of.get(keyOf(one)) ?? null);
  const payments = stored.map(({ method: _m, division: _d, currency: _c, exit_id: _e, ...one }) => ({ ...one,
    parts: partsOf(parts, one.id), held: said(held, one), hint: said(hints, one),
    bank_change: said(changes, one) }));
  const downloads = await ctx.db.query<RunDetail['downloads'][number]>(sql`
    select concat_ws(' ', u.first_name, u.last_name) as by_name, a.created_at as at from audit_events a
      left join users u on u.id = a.actor_id
    where a.entity = 'payment_run' and a.entity_id = ${id} and a.action = 'download' order by a.id desc limit 20`);
  return { ...row, payments, allowed: runEvents(row), downloads,
    missing: row.status === 'void' ? [] : await missingOf(ctx, row.bank_account_id, row.method) };
}
