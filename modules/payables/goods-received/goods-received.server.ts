/** Goods received but not billed yet, and whether the ledger agrees. */
import type { QueryOf } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { goodsReceivedEndpoints, type GoodsReceivedRow, type GoodsReceivedTieOut } from './goods-received.contract.ts';

type Query = QueryOf<typeof goodsReceivedEndpoints.list>;

/** Pieces of a receipt line that bills take; of approved bills alone where the ledger is meant. */
const taken = (line: Sql, only: Sql): Sql => sql`(select coalesce(sum(x.cleared_quantity), 0)::int
  from bill_lines x join bills b on b.id = x.bill_id where x.goods_receipt_line_id = ${line} and ${only})`;
const APPROVED = sql`b.status = 'approved'`;
export const CLAIMED = sql`b.status <> 'void' and b.deleted_at is null`;
const UNBILLED = sql`(t.quantity - t.returned_quantity - ${taken(sql`t.id`, APPROVED)})`;
const FREE = sql`(t.quantity - t.returned_quantity - ${taken(sql`t.id`, CLAIMED)})`;

const JOINS = sql`join goods_receipts r on r.id = t.goods_receipt_id join vendors v on v.id = r.vendor_id
  join warehouses w on w.id = r.warehouse_id left join materials m on m.id = t.material_id
  left join sales_items s on s.id = t.sales_item_id`;
const COLUMNS = sql`t.id, r.id as receipt_id, r.number, r.received_on, r.delivery_note, r.vendor_id,
  v.name as vendor_name, r.division, r.currency, r.warehouse_id, w.name as warehouse_name, t.material_id,
  coalesce(m.item_number, s.item_number) as item_number, coalesce(m.name, s.name) as item_name,
  coalesce(m.serial_tracked, false) as serial_tracked, t.quantity, t.returned_quantity,
  ${taken(sql`t.id`, APPROVED)} as billed_quantity, ${FREE} as free_quantity, t.unit_cost_minor,
  (${UNBILLED} * t.unit_cost_minor)::bigint as unbilled_minor`;
/** A column of the receipt of a line, where the list is counted and sorted without its joins. */
const ofReceipt = (what: Sql): Sql => sql`(select ${what} from goods_receipts r where r.id = t.goods_receipt_id)`;

function page(ctx: Ctx, query: Query) {
  const { search } = query;
  const plain = (search ?? '').replaceAll(/[%_\\]/g, '').toLowerCase();
  const receipt = (condition: Sql): Sql => sql`exists (select 1 from goods_receipts r
    where r.id = t.goods_receipt_id and ${condition})`;
  return listPage<GoodsReceivedRow>(ctx.db, {
    base: sql`goods_receipt_lines t`, columns: COLUMNS, joins: JOINS, conditions: compact([
      query.division !== undefined && receipt(sql`r.division = ${query.division}`),
      query.vendor_id !== undefined && receipt(sql`r.vendor_id = ${query.vendor_id}`),
      query.warehouse_id !== undefined && receipt(sql`r.warehouse_id = ${query.warehouse_id}`),
      query.receipt_id !== undefined && sql`t.goods_receipt_id = ${query.receipt_id}`,
      query.received_from !== undefined && receipt(sql`r.received_on >= ${query.received_from}`),
      query.received_to !== undefined && receipt(sql`r.received_on <= ${query.received_to}`),
      query.unbilled !== undefined && sql`(${UNBILLED} > 0) = ${query.unbilled}`,
      query.free !== undefined && sql`(${FREE} > 0) = ${query.free}`,
      Boolean(search) && sql`(${receipt(sql`lower(r.number) like ${`${plain}%`} or lower(r.delivery_note) like
          ${`%${plain}%`} or exists (select 1 from vendors q where q.id = r.vendor_id
          and ${matches(sql`q.search_text`, search ?? '')})`)}
        or exists (select 1 from materials q where q.id = t.material_id
          and ${matches(sql`q.search_text`, search ?? '')})
        or exists (select 1 from sales_items q where q.id = t.sales_item_id
          and ${matches(sql`q.search_text`, search ?? '')}))`]),
    sorts: { received_on: ofReceipt(sql`r.received_on`), number: ofReceipt(sql`r.number`),
      vendor: sql`(select q.name from vendors q where q.id = ${ofReceipt(sql`r.vendor_id`)}) collate "und-x-icu"`,
      unbilled_minor: sql`${UNBILLED} * t.unit_cost_minor` },
    defaultSort: 'received_on', defaultDirection: 'desc',
  }, query, goodsReceivedEndpoints.list.path);
}

/** A bill line on 2010 without a receipt, or goods of former books, is a difference by its vendor. */
async function tieOut(ctx: Ctx, division: GoodsReceivedTieOut['division']): Promise<GoodsReceivedTieOut> {
  const { currency } = await ctx.db.one<Pick<GoodsReceivedTieOut, 'currency'>>(sql`
    select functional_currency as currency from divisions where code = ${division}`);
  const rows = await ctx.db.query<GoodsReceivedTieOut['rows'][number]>(sql`
    with received as (
      select r.vendor_id, sum(${UNBILLED} * t.unit_cost_minor)::bigint as minor
      from goods_receipt_lines t join goods_receipts r on r.id = t.goods_receipt_id
      where r.division = ${division} group by r.vendor_id),
    ledger as (
      select e.party_id as vendor_id, -sum(e.base_amount_minor)::bigint as minor
      from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id
      where a.division = ${division} and a.system_key = 'grni' and e.party_type = 'vendor' and not e.is_revaluation
      group by e.party_id)
    select v.id as vendor_id, v.name as vendor_name, coalesce(r.minor, 0)::bigint as received_minor,
      coalesce(l.minor, 0)::bigint as ledger_minor,
      (coalesce(l.minor, 0) - coalesce(r.minor, 0))::bigint as difference_minor
    from received r full join ledger l on l.vendor_id = r.vendor_id
      join vendors v on v.id = coalesce(r.vendor_id, l.vendor_id)
    where coalesce(r.minor, 0) <> 0 or coalesce(l.minor, 0) <> 0 order by v.name collate "und-x-icu"`);
  const total = (key: 'received_minor' | 'ledger_minor'): number => rows.reduce((all, row) => all + row[key], 0);
  return { division, currency, rows, received_minor: total('received_minor'), ledger_minor: total('ledger_minor'),
    ok: rows.every((row) => row.difference_minor === 0) };
}

export const goodsReceivedRoutes: Route[] = serve(goodsReceivedEndpoints, {
  list: (ctx, { query }) => page(ctx, query),
  tieOut: async (ctx, { query }) => ({ data: await tieOut(ctx, query.division) }),
});
