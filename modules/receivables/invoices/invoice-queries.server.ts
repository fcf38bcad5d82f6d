/** Reading invoices: list, totals, one document with everything on it. */
import { dueReasonOf, type PayByOfLicense } from '#kernel/licensing/pay-by.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import { taxSourceOf, vatProofOf } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { divisionDay } from '#server/division-day.ts';
import { compact, listPage, pageOf, type Page } from '#server/list.ts';
import { matches, type Sql, sql, where } from '#server/sql.ts';
import type { InvoiceDetail, InvoiceItemRow, InvoiceQuery, InvoiceRow } from './invoice.contract.ts';
import { invoiceEndpoints } from './invoice.contract.ts';
import { disputeOfInvoice } from '../online/open-disputes.server.ts';

type Reader = Pick<WorkContext, 'db' | 'now'>;

/** Amount a document still asks for; zero for a pro forma that became an invoice. */
const openOf = sql`case when t.status in ('issued', 'part_paid', 'proforma') then t.balance_minor else 0 end`;
const rowColumns = (today: Sql): Sql =>
  sql`t.id, coalesce(t.invoice_number, t.reference) as number, t.kind, t.status,
  t.customer_id, c.name as customer_name, t.license_id, coalesce(l.license_number, l.number) as license_number,
  l.title_on_license as license_title, t.division, t.currency, t.issued_on, t.due_on, t.net_minor, t.tax_minor,
  t.total_minor, t.prepaid_net_minor + t.prepaid_tax_minor as prepaid_minor, t.paid_minor, t.credited_minor,
  t.written_off_minor, ${openOf} as balance_minor, (t.status in ('issued', 'part_paid') and t.kind = 'invoice'
    and t.due_on < ${today}) as overdue, t.transaction_id, t.version, t.created_at, t.updated_at`;
const joins = sql`join customers c on c.id = t.customer_id left join licenses l on l.id = t.license_id`;

const BUCKETS: Record<string, readonly [from: number, to: number | null]> = {
  days_1_30: [1, 30], days_31_60: [31, 60], days_61_90: [61, 90], days_91: [91, null], overdue: [1, null],
};

/** Of each invoice, the day in its division; the same for all where the list is of one. */
const todayOf = (ctx: Reader, division?: string): Sql =>
  divisionDay(ctx.now(), division === undefined ? sql`t.division` : sql`${division}`);

function conditions(ctx: Reader, query: InvoiceQuery, trash: boolean): Sql[] {
  const open = sql`t.status in ('issued', 'part_paid') and t.kind = 'invoice'`;
  return compact([
    trash ? sql`t.status = 'void'` : query.status ? sql`t.status = ${query.status}` : sql`t.status <> 'void'`,
    query.division && sql`t.division = ${query.division}`, query.currency && sql`t.currency = ${query.currency}`,
    query.kind && sql`t.kind = ${query.kind}`, query.customer_id !== undefined
      && sql`t.customer_id = ${query.customer_id}`,
    query.license_id !== undefined && sql`t.license_id = ${query.license_id}`,
    query.open === 'true' && open, query.open === 'false' && sql`not (${open})`,
    query.due && sql`${open} and ${dueWithin(todayOf(ctx, query.division), query.due)}`,
    query.from !== undefined && sql`t.issued_on >= ${query.from}`, query.to !== undefined
      && sql`t.issued_on <= ${query.to}`,
    query.search !== undefined && matches(sql`t.search_text`, query.search),
  ]);
}

function dueWithin(today: Sql, due: string): Sql {
  const bucket = BUCKETS[due];
  if (!bucket) return sql`t.due_on >= ${today}`;
  const [from, to] = bucket;
  const until = sql`t.due_on <= ${today} - ${from}::int`;
  return to === null ? until : sql`${until} and t.due_on >= ${today} - ${to}::int`;
}

/** `only` narrows further: the portal leaves drafts out, and has a path of its own. */
export function invoiceList(
  ctx: Reader, query: InvoiceQuery, trash = false, only: Sql | null = null,
  path: string = trash ? invoiceEndpoints.trash.path : invoiceEndpoints.list.path,
): Promise<Page<InvoiceRow>> {
  return listPage<InvoiceRow>(ctx.db, {
    base: sql`invoices t`, columns: rowColumns(todayOf(ctx, query.division)), joins,
    conditions: compact([...conditions(ctx, query, trash), only]),
    sorts: { issued_on: sql`t.issued_on`, due_on: sql`t.due_on`, number: sql`coalesce(t.invoice_number, t.reference)`,
      total_minor: sql`t.total_minor`, balance_minor: sql`t.balance_minor`, updated_at: sql`t.updated_at` },
    defaultSort: 'issued_on', defaultDirection: 'desc',
  }, query, path);
}

/** Credit notes count against the total; what is open is owed, what pro formas ask for is no debt yet. */
export function invoiceTotals(ctx: Reader, query: InvoiceQuery) {
  return ctx.db.query<ResponseIn<typeof invoiceEndpoints.totals>['data'][number]>(sql`
    select t.currency, count(*)::bigint as documents,
      coalesce(sum(case t.kind when 'credit_note' then -t.total_minor when 'invoice' then t.total_minor end)
        filter (where t.status <> 'draft'), 0)::bigint as total_minor,
      coalesce(sum(${openOf}) filter (where t.kind = 'invoice'), 0)::bigint as balance_minor,
      coalesce(sum(${openOf}) filter (where t.kind = 'invoice' and t.due_on < ${todayOf(ctx, query.division)}),
        0)::bigint as overdue_minor,
      coalesce(sum(${openOf}) filter (where t.kind = 'proforma'), 0)::bigint as requested_minor
    from invoices t ${where(conditions(ctx, query, false))} group by t.currency order by t.currency`);
}

export function invoiceItems(ctx: Pick<WorkContext, 'db'>, invoiceId: number): Promise<InvoiceItemRow[]> {
  return ctx.db.query<InvoiceItemRow>(sql`
    select i.id, i.invoice_id, i.sort, i.kind, i.description, i.quantity, i.unit_minor, i.net_minor, i.tax_minor,
      i.total_minor, i.applied_minor, i.item_class, i.royalty_bearing, i.release_rule, i.release_from, i.release_to,
      i.license_venue_id, x.code as tax_code,
      coalesce((select sum(n.total_minor) from invoice_items n where n.credits_item_id = i.id), 0)::bigint
        as credited_minor,
      coalesce((select sum(r.amount_minor - r.credited_minor) from release_schedule r
        where r.invoice_item_id = i.id and r.status = 'released'), 0)::bigint as released_minor,
      coalesce((select sum(r.amount_minor - r.credited_minor) from release_schedule r
        where r.invoice_item_id = i.id and r.status = 'planned'), 0)::bigint as deferred_minor
    from invoice_items i left join tax_codes x on x.id = i.tax_code_id
    where i.invoice_id = ${invoiceId} order by i.sort, i.id`);
}

export function invoicePayments(ctx: Pick<WorkContext, 'db'>, invoiceId: number) {
  return ctx.db.query<InvoiceDetail['payments'][number]>(sql`
    select p.id as payment_id, p.number, p.method, p.paid_on, p.status, p.reference, p.amount_minor, p.currency,
      sum(a.amount_minor)::bigint as applied_minor
    from payment_allocations a join payments p on p.id = a.payment_id
    where a.invoice_id = ${invoiceId} group by p.id having sum(a.amount_minor) <> 0 order by p.paid_on, p.id`);
}

/** One document; 404 for an unknown one, and for another customer's where `customerId` is given. */
export async function invoiceDetail(ctx: Reader, id: number, customerId?: number): Promise<InvoiceDetail> {
  type Parts = 'items' | 'taxes' | 'payments' | 'credit_notes' | 'write_offs' | 'earlier_versions'
    | 'tax_source' | 'vat_proof' | 'dispute' | 'due_reason';
  const found = await ctx.db.maybeOne<Omit<InvoiceDetail, Parts> & PayByOfLicense>(sql`
    select ${rowColumns(todayOf(ctx))}, t.prepaid_tax_minor, t.billing_name, t.billing_address, t.customer_vat_number,
      t.division_vat_number, t.purchase_order_no, t.notes, t.reason, t.legal_texts, t.credits_invoice_id,
      o.invoice_number as credits_number,
      (select id from payments where credit_note_id = t.id) as on_account_payment_id, t.proforma_id,
      f.reference as proforma_reference, t.functional_rate,
      t.void_reason, c.statement_email, t.revision, t.revision_note, t.tax_shortfall_minor,
      l.pay_by, l.pay_by_reason, l.pay_by_ships_on
    from invoices t ${joins} left join invoices o on o.id = t.credits_invoice_id
      left join invoices f on f.id = t.proforma_id
    where t.id = ${id} and (${customerId ?? null}::bigint is null or t.customer_id = ${customerId ?? null})`);
  if (!found) throw refuse('not_found');
  const { pay_by, pay_by_reason, pay_by_ships_on, ...row } = found;
  const due_reason = dueReasonOf({ ...row, pay_by, pay_by_reason, pay_by_ships_on });
  const taxes = await ctx.db.query<InvoiceDetail['taxes'][number]>(sql`
    select t.id, t.invoice_item_id, t.jurisdiction, c.code, t.rate_ppm, t.base_minor, t.tax_minor, t.reason
    from invoice_tax_lines t join tax_codes c on c.id = t.tax_code_id where t.invoice_id = ${id} order by t.id`);
  const credit_notes = await ctx.db.query<InvoiceDetail['credit_notes'][number]>(sql`
    select id, invoice_number as number, issued_on, total_minor, reason from invoices
    where credits_invoice_id = ${id} and invoice_number is not null order by id`);
  const earlier_versions = await ctx.db.query<InvoiceDetail['earlier_versions'][number]>(sql`
    select revision, tax_minor, total_minor, replaced_on from pro_forma_versions where invoice_id = ${id}
    order by revision`);
  return { ...row, due_reason, earlier_versions, items: await invoiceItems(ctx, id), taxes,
    payments: await invoicePayments(ctx, id),
    credit_notes, write_offs: customerId === undefined ? await writeOffs(ctx, id) : [],
    tax_source: customerId === undefined ? await taxSourceOf(ctx, id) : null,
    vat_proof: customerId === undefined ? await vatProofOf(ctx, id) : null,
    dispute: customerId === undefined ? await openDispute(ctx, id) : null };
}

async function openDispute(ctx: Reader, invoiceId: number): Promise<InvoiceDetail['dispute']> {
  const { dispute } = await ctx.db.one<Pick<InvoiceDetail, 'dispute'>>(sql`
    select ${disputeOfInvoice(sql`${invoiceId}`)} as dispute`);
  return dispute;
}

function writeOffs(ctx: Reader, invoiceId: number) {
  return ctx.db.query<InvoiceDetail['write_offs'][number]>(sql`
    select id, kind, amount_minor, taken_back_minor, written_off_on, reason from invoice_write_offs
    where invoice_id = ${invoiceId} order by id`);
}

/** A short list in the frame of a page. */
export function onePage<Row>(rows: Row[], args: { page: number; per_page: number }, path: string): Page<Row> {
  const from = (args.page - 1) * args.per_page;
  return pageOf(rows.slice(from, from + args.per_page), rows.length, args, path);
}
