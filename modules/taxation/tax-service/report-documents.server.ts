/**
 * Issued invoices and credit notes of the US divisions as orders and refunds of the tax service, each under its own
 * number, as they were issued: lines and tax in US dollars, a credit note with the lines it takes back and its own day.
 */
import type { Address } from '#kit/field.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { REPORT_TO_TAX_SERVICE } from './report-state.server.ts';
import { toAmount } from './own-taxes.server.ts';
import type { SoldLine } from './tax-service.contract.ts';

/** Days back in which a document without an order is looked for. */
const DAYS = 45;
/** Of one run; the next one takes the rest. */
const MOST = 500;

interface IssuedDocument {
  id: number; kind: 'invoice' | 'credit_note'; number: string; on: string; credits_invoice_id: number | null;
  ship_from: Address; ship_to: Address | null;
}

/** Place a document ships to: of its sale, its own, or the customer's usual one. Of `v`, and `o`, which it credits. */
const SHIPS_TO = sql`coalesce(o.ship_to, v.ship_to, (select a.address from customer_shipping_addresses a
  where a.customer_id = v.customer_id and a.is_default), v.billing_address)`;

/** Adds what was issued since the service was set up and has no order or refund yet. Invoices come first. */
export async function collectDocuments(ports: Ports): Promise<BatchRun> {
  if (ports.settings.tax_service === null) return { done: 0, failed: 0 };
  await ports.db.query(sql`insert into tax_service_starts (started_at) values (now()) on conflict do nothing`);
  const items = await ports.db.query<{ id: number }>(sql`
    select v.id from invoices v join transactions t on t.id = v.transaction_id
      left join invoices o on o.id = v.credits_invoice_id
      join tax_service_starts s on t.posted_at >= greatest(s.started_at, now() - make_interval(days => ${DAYS}))
    where v.division in ('US', 'PROD') and v.kind in ('invoice', 'credit_note') and v.invoice_number is not null
      and ${SHIPS_TO} ->> 'country_code' = 'US'
      and not exists (select 1 from tax_service_transactions x where x.invoice_id = v.id)
    order by v.kind = 'credit_note', v.id limit ${MOST}`);
  return runBatch(ports, { job: REPORT_TO_TAX_SERVICE, items, facts: ({ id }) => ({ invoice: id }) },
    async (ctx, { id }) => (await reportDocument(ctx, id) ? 1 : 0));
}

async function documentOf(ctx: WorkContext, id: number): Promise<IssuedDocument> {
  return ctx.db.one<IssuedDocument>(sql`
    select v.id, v.kind, v.invoice_number as number, v.issued_on as on, v.credits_invoice_id, d.address as ship_from,
      ${SHIPS_TO} as ship_to
    from invoices v join divisions d on d.code = v.division left join invoices o on o.id = v.credits_invoice_id
    where v.id = ${id}`);
}

interface DocumentLine { id: number; description: string; item_class: string; net_minor: number; tax_minor: number }

function linesOf(ctx: WorkContext, id: number): Promise<DocumentLine[]> {
  return ctx.db.query<DocumentLine>(sql`
    select coalesce(i.credits_item_id, i.id) as id, i.description, i.item_class,
      round(i.net_minor * coalesce(v.functional_rate, 1))::bigint as net_minor,
      coalesce((select sum(coalesce(l.tax_functional_minor, l.tax_minor)) from invoice_tax_lines l
        where l.invoice_item_id = i.id), 0)::bigint as tax_minor
    from invoice_items i join invoices v on v.id = i.invoice_id where i.invoice_id = ${id} order by i.sort, i.id`);
}

/** 'resale' is the service's wholesale; every other certificate that freed the whole document is `other`. */
async function exemptionOf(ctx: WorkContext, id: number): Promise<string | null> {
  const { kinds } = await ctx.db.one<{ kinds: string[] }>(sql`
    select coalesce(array_agg(distinct x.kind), '{}') as kinds from invoice_tax_lines l
      join tax_exemption_certificates x on x.id = l.exemption_certificate_id
    where l.invoice_id = ${id} and not exists (select 1 from invoice_tax_lines o
      where o.invoice_id = ${id} and o.tax_minor <> 0)`);
  const [kind] = kinds;
  if (kind === undefined) return null;
  return kind === 'resale' ? 'wholesale' : kind === 'government' ? 'government' : 'other';
}

const placeOf = (address: Address) => ({ country: address.country_code, zip: address.postal_code,
  state: address.administrative_area, city: address.locality, street: address.thoroughfare });

function soldLine(line: DocumentLine, sign: 1 | -1): SoldLine {
  return { id: String(line.id), quantity: 1, product_identifier: line.item_class,
    description: line.description.replaceAll(/\s+/g, ' ').slice(0, 255), unit_price: toAmount(sign * line.net_minor),
    discount: 0, sales_tax: toAmount(sign * line.tax_minor) };
}

const total = (lines: readonly DocumentLine[], of: 'net_minor' | 'tax_minor'): number =>
  lines.reduce((sum, line) => sum + line[of], 0);

/** Answers whether there is an order or a refund of the document now. A document that ships elsewhere has none. */
async function reportDocument(ctx: WorkContext, id: number): Promise<boolean> {
  const document = await documentOf(ctx, id);
  if (document.ship_to?.country_code !== 'US') return false;
  const isCredit = document.kind === 'credit_note';
  const order = isCredit ? await orderOf(ctx, document.credits_invoice_id!) : null;
  const lines = await linesOf(ctx, id);
  const sign = isCredit ? -1 : 1;
  const shipping = lines.filter((line) => line.item_class === 'shipping');
  const amounts = { amount: sign * total(lines, 'net_minor'), shipping: sign * total(shipping, 'net_minor'),
    tax: sign * total(lines, 'tax_minor') };
  const stored = order === null ? amounts : await withinOrder(ctx, order.id, amounts);
  const made = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into tax_service_transactions (kind, reference, order_id, invoice_id, dated_on, exemption_type, ship_from,
      ship_to, amount_minor, shipping_minor, sales_tax_minor, line_items, report_state)
    values (${isCredit ? 'refund' : 'order'}, ${document.number}, ${order?.id ?? null}, ${id}, ${document.on},
      ${await exemptionOf(ctx, id)}, ${JSON.stringify(order?.ship_from ?? placeOf(document.ship_from))}::jsonb,
      ${JSON.stringify(order?.ship_to ?? placeOf(document.ship_to))}::jsonb, ${stored.amount}, ${stored.shipping},
      ${stored.tax}, ${JSON.stringify(lines.filter((line) => line.item_class !== 'shipping')
        .map((line) => soldLine(line, sign)))}::jsonb, 'waiting')
    on conflict (invoice_id) where invoice_id is not null do nothing returning id`);
  if (!made) return true;
  await ctx.audit({ action: 'create', entity: isCredit ? 'tax_service_refund' : 'tax_service_order',
    entity_id: made.id, after: { reference: document.number, invoice_id: id } });
  return true;
}

interface SoldOrder { id: number; ship_from: object; ship_to: object }

/** The order of a sale; a sale from before the service was set up is added, because its refund names it. */
async function orderOf(ctx: WorkContext, invoiceId: number): Promise<SoldOrder> {
  const find = () => ctx.db.maybeOne<SoldOrder>(sql`
    select id, ship_from, ship_to from tax_service_transactions where invoice_id = ${invoiceId}`);
  return await find() ?? (await reportDocument(ctx, invoiceId), (await find())!);
}

/** Refunds never come to more than the order, by a cent of a foreign currency neither. */
async function withinOrder(ctx: WorkContext, orderId: number,
  wanted: { amount: number; shipping: number; tax: number }): Promise<typeof wanted> {
  await ctx.db.exec(sql`select 1 from tax_service_transactions where id = ${orderId} for update`);
  const left = await ctx.db.one<typeof wanted>(sql`
    select (o.amount_minor + coalesce(sum(r.amount_minor), 0))::bigint as amount,
      (o.shipping_minor + coalesce(sum(r.shipping_minor), 0))::bigint as shipping,
      (o.sales_tax_minor + coalesce(sum(r.sales_tax_minor), 0))::bigint as tax
    from tax_service_transactions o left join tax_service_transactions r on r.order_id = o.id
      and r.removed_at is null
    where o.id = ${orderId} group by o.id`);
  return { amount: Math.max(wanted.amount, -left.amount), shipping: Math.max(wanted.shipping, -left.shipping),
    tax: Math.max(wanted.tax, -left.tax) };
}
