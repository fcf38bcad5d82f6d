/** Bills as lists and pages show them. */
import { refuse } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { purchaseBoxes } from '#kernel/ledger/payable-events.ts';
import { applyPpm } from '#kernel/money/money.ts';
import { currentVendor, vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { exposureOf } from './approval-limit.server.ts';
import type { BillDetail, billEndpoints, BillLine, BillRow } from './bill.contract.ts';

type Query = QueryOf<typeof billEndpoints.list>;

const nameOf = (id: Sql): Sql => sql`(
  select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = ${id})`;
const COLUMNS = sql`t.id, t.number, t.number || ', ' || v.name as name, t.kind, t.state, v.id as vendor_id,
  v.name as vendor_name, t.vendor_number, t.division,
  t.currency, t.billed_on, t.received_on, t.due_on, t.discount_ppm, t.discount_days, t.memo, t.net_minor, t.tax_minor,
  t.total_minor, t.open_minor, t.hold_reason, t.decline_reason, f.original_name as file_name,
  ${nameOf(sql`t.entered_by_id`)} as entered_by_name, y.id as schedule_id, y.name as schedule_name,
  t.deleted_at, t.version, t.created_at, t.updated_at`;
const JOINS = sql`join vendors v on v.id = ${currentVendor(sql`t.vendor_id`)} left join files f on f.id = t.document_id
  left join bill_schedule_days x on x.bill_id = t.id left join bill_schedules y on y.id = x.bill_schedule_id`;
const PAYABLE = sql`t.state in ('approved', 'part_paid')`;

export function billPage(ctx: Ctx, query: Query, only: Sql, path: string): Promise<Page<BillRow>> {
  const { search } = query;
  return listPage<BillRow>(ctx.db, {
    base: sql`bill_list t`, columns: COLUMNS, joins: JOINS, conditions: compact([only,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.state !== undefined && sql`t.state = ${query.state}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.vendor_id !== undefined && sql`t.vendor_id in ${vendorAndMerged(query.vendor_id)}`,
      query.currency !== undefined && sql`t.currency = ${query.currency}`,
      query.on_hold !== undefined && sql`(t.hold_reason is not null) = ${query.on_hold}`,
      query.has_file !== undefined && sql`(t.document_id is not null) = ${query.has_file}`,
      query.schedule_id !== undefined && sql`exists (select 1 from bill_schedule_days m where m.bill_id = t.id
        and m.bill_schedule_id = ${query.schedule_id})`,
      query.due_by !== undefined && sql`t.due_on <= ${query.due_by} and ${PAYABLE}`,
      query.billed_from !== undefined && sql`t.billed_on >= ${query.billed_from}`,
      query.billed_to !== undefined && sql`t.billed_on <= ${query.billed_to}`,
      Boolean(search) && sql`(${matches(sql`t.search_text`, search ?? '')} or exists (select 1 from vendors s
        where s.id = t.vendor_id and ${matches(sql`s.search_text`, search ?? '')}))`]),
    sorts: { billed_on: sql`t.billed_on`, due_on: sql`t.due_on`, total_minor: sql`t.total_minor`,
      open_minor: sql`t.open_minor`, number: sql`t.number`, updated_at: sql`t.updated_at`,
      vendor: sql`(select s.name from vendors s where s.id = t.vendor_id) collate "und-x-icu"` },
    defaultSort: 'billed_on', defaultDirection: 'desc',
  }, query, path);
}

/** Approved and not paid, unless a state is asked for. */
export const payableOnly = (query: Query): Sql =>
  (query.state === undefined ? sql`t.deleted_at is null and ${PAYABLE}` : sql`t.deleted_at is null
    and t.state in ('approved', 'part_paid', 'paid', 'void')`);

type Head = Omit<BillDetail, 'lines' | 'boxes' | 'settlements' | 'open_counterparts' | 'unpaid_minor' | 'limit_minor'
  | 'functional_currency' | 'discount_until' | 'discount_minor'> & { open_item_id: number | null };

export async function billOf(ctx: WorkContext, id: number, trashed = false): Promise<BillDetail> {
  const head = await ctx.db.maybeOne<Head>(sql`
    select ${COLUMNS}, t.functional_rate::text as functional_rate, t.transaction_id,
      p.number as transaction_number, (select r.id from transactions r where r.reverses_id = t.transaction_id)
        as reversal_id, t.open_item_id, t.entered_by_id, t.last_changed_by_id, t.submitted_by_id,
      ${nameOf(sql`t.submitted_by_id`)} as submitted_by_name, t.submitted_at,
      ${nameOf(sql`t.approved_by_id`)} as approved_by_name, t.approved_at,
      ${nameOf(sql`t.declined_by_id`)} as declined_by_name, t.voided_on, t.void_reason,
      case when f.id is not null then jsonb_build_object('name', f.original_name, 'mime_type', f.mime_type,
        'size_bytes', f.size_bytes) end as file
    from bill_list t ${JOINS} left join transactions p on p.id = t.transaction_id
    where t.id = ${id} and (t.deleted_at is not null) = ${trashed}`);
  if (!head) throw refuse('not_found');
  const { open_item_id, ...row } = head;
  const lines = await linesOf(ctx, id);
  const exposure = await exposureOf(ctx, { ...row, on: row.billed_on });
  return {
    ...row, lines, ...exposure,
    boxes: [...purchaseBoxes(row.division, lines.map((line) => ({ ...line,
      net_minor: signed(row, line.net_minor), tax_minor: signed(row, line.tax_minor) })))]
      .map(([box, minor]) => ({ box, amount_minor: Number(minor) })),
    discount_until: row.discount_ppm > 0 ? addDays(row.billed_on, row.discount_days) : null,
    discount_minor: Number(applyPpm(BigInt(row.total_minor), BigInt(row.discount_ppm))),
    settlements: await settlementsOf(ctx, id, open_item_id),
    open_counterparts: row.state === 'approved' || row.state === 'part_paid' ? await counterpartsOf(ctx, row) : [],
  };
}

const signed = (row: Pick<BillRow, 'kind'>, minor: number): bigint => BigInt(row.kind === 'credit' ? -minor : minor);

function linesOf(ctx: WorkContext, id: number): Promise<BillLine[]> {
  return ctx.db.query<BillLine>(sql`
    select l.id, l.ledger_account_id, a.code || ' ' || a.name as account, l.description, l.net_minor, l.tax_code_id,
      c.name as tax_code, l.treatment, l.jurisdiction, l.rate_ppm, l.tax_minor, l.show_id, s.title as show_title,
      l.license_id, coalesce(n.license_number, n.number) as license_number, l.material_id, m.name as material_name,
      l.quantity, l.goods_receipt_line_id, r.number as receipt_number, coalesce(gm.name, gs.name) as item_name,
      l.cleared_quantity, l.cleared_minor
    from bill_lines l join ledger_accounts a on a.id = l.ledger_account_id
      left join tax_codes c on c.id = l.tax_code_id left join shows s on s.id = l.show_id
      left join licenses n on n.id = l.license_id left join materials m on m.id = l.material_id
      left join goods_receipt_lines g on g.id = l.goods_receipt_line_id
      left join goods_receipts r on r.id = g.goods_receipt_id left join materials gm on gm.id = g.material_id
      left join sales_items gs on gs.id = g.sales_item_id
    where l.bill_id = ${id} order by l.sort`);
}

/** Allocations of the item that stand, with the document on the other side. */
async function settlementsOf(ctx: WorkContext, id: number, item: number | null): Promise<BillDetail['settlements']> {
  if (item === null) return [];
  return ctx.db.query<BillDetail['settlements'][number]>(sql`
    select x.id, x.allocated_at as on, x.amount_minor, o.transaction_id, t.number as transaction_number,
      d.kind as document_type, d.id as document_id, d.number, c.id as application_id,
      coalesce((select p.withheld_minor from payments p where t.source_type = 'payment' and p.id = t.source_id),
        0)::bigint as withheld_minor
    from allocations x join open_items o on o.id = case when x.debit_item_id = ${item} then x.credit_item_id
        else x.debit_item_id end
      join transactions t on t.id = o.transaction_id
      left join lateral (select * from ledger_document(o.document_type, o.document_id) limit 1) d on true
      left join bill_credits c on c.allocation_id = x.id and ${id} in (c.bill_id, c.credit_id)
    where ${item} in (x.debit_item_id, x.credit_item_id) and x.reverses_id is null
      and not exists (select 1 from allocations r where r.reverses_id = x.id) order by x.allocated_at, x.id`);
}

function counterpartsOf(ctx: WorkContext, row: Pick<BillRow, 'id' | 'kind' | 'vendor_id' | 'division' | 'currency'>) {
  return ctx.db.query<BillDetail['open_counterparts'][number]>(sql`
    select o.id, o.number, o.vendor_number, o.billed_on, o.open_minor from bill_list o
    where o.vendor_id = (select b.vendor_id from bills b where b.id = ${row.id})
      and o.division = ${row.division} and o.currency = ${row.currency}
      and o.kind = ${row.kind === 'bill' ? 'credit' : 'bill'} and o.state in ('approved', 'part_paid')
    order by o.billed_on, o.id limit 50`);
}
