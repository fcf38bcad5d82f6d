/** Orders and refunds of the tax service: listed, added, changed, removed; reported where a service is set up. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { stale } from '#server/crud.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { mentions, sql, type Sql } from '#server/sql.ts';
import { toAmount, toMinor } from './own-taxes.server.ts';
import { customerId } from './tax-customers.server.ts';
import { reportLater } from './report-state.server.ts';
import { taxServiceEndpoints, type SoldLine, type TransactionChange, type TransactionInput, type TransactionQuery,
  type TransactionRow } from './tax-service.contract.ts';

export type TransactionKind = 'order' | 'refund';
interface Place { country?: string | undefined; zip?: string | undefined; state?: string | undefined;
  city?: string | undefined; street?: string | undefined }

interface StoredTransaction {
  id: number; kind: TransactionKind; reference: string; order_reference: string | null; dated_on: string;
  exemption_type: string | null; buyer: string | null; ship_from: Place; ship_to: Place; amount_minor: number;
  shipping_minor: number; sales_tax_minor: number; line_items: SoldLine[];
  report_state: TransactionRow['report_state']; report_error: string | null; reported_at: string | null;
  invoice_id: number | null; version: number; created_at: string; updated_at: string;
}

const transactionColumns = sql`t.id, t.kind, t.reference, o.reference as order_reference, t.dated_on,
  t.exemption_type, b.reference as buyer, t.ship_from, t.ship_to, t.amount_minor, t.shipping_minor, t.sales_tax_minor,
  t.line_items, t.invoice_id, t.report_state, t.report_error, t.reported_at, t.version, t.created_at, t.updated_at`;
const transactionJoins = sql`left join tax_service_transactions o on o.id = t.order_id
  left join tax_service_customers b on b.id = t.buyer_id`;

const placed = (side: 'from' | 'to', place: Place) => ({ [`${side}_country`]: place.country ?? null,
  [`${side}_zip`]: place.zip ?? null, [`${side}_state`]: place.state ?? null, [`${side}_city`]: place.city ?? null,
  [`${side}_street`]: place.street ?? null });

export function transactionOf(row: StoredTransaction): TransactionRow {
  return {
    transaction_id: row.reference, transaction_reference_id: row.order_reference, transaction_date: row.dated_on,
    provider: 'api', exemption_type: row.exemption_type, customer_id: row.buyer, ...placed('from', row.ship_from),
    ...placed('to', row.ship_to), amount: toAmount(row.amount_minor), shipping: toAmount(row.shipping_minor),
    sales_tax: toAmount(row.sales_tax_minor), line_items: row.line_items, invoice_id: row.invoice_id,
    report_state: row.report_state,
    report_error: row.report_error, reported_at: row.reported_at, version: row.version, created_at: row.created_at,
    updated_at: row.updated_at,
  } as TransactionRow;
}

export async function listTransactions(
  ctx: Ctx, kind: TransactionKind, query: TransactionQuery,
): Promise<Page<TransactionRow>> {
  const page = await listPage<StoredTransaction>(ctx.db, {
    base: sql`tax_service_transactions t`, columns: transactionColumns, joins: transactionJoins,
    conditions: compact([sql`t.kind = ${kind}`, sql`t.removed_at is null`,
      query.transaction_date !== undefined && sql`t.dated_on = ${query.transaction_date}`,
      query.from_transaction_date !== undefined && sql`t.dated_on >= ${query.from_transaction_date}`,
      query.to_transaction_date !== undefined && sql`t.dated_on <= ${query.to_transaction_date}`,
      query.report_state !== undefined && sql`t.report_state = ${query.report_state}`,
      query.search !== undefined && mentions(sql`t.reference`, query.search)]),
    sorts: { transaction_date: sql`t.dated_on`, transaction_id: sql`t.reference`, amount: sql`t.amount_minor` },
    defaultSort: 'transaction_date', defaultDirection: 'desc',
  }, query, taxServiceEndpoints[kind === 'order' ? 'orders' : 'refunds'].path);
  return { ...page, data: page.data.map(transactionOf) };
}

async function stored(ctx: Pick<WorkContext, 'db'>, condition: Sql): Promise<StoredTransaction> {
  const row = await ctx.db.maybeOne<StoredTransaction>(sql`
    select ${transactionColumns} from tax_service_transactions t ${transactionJoins} where ${condition}`);
  if (!row) throw refuse('not_found');
  return row;
}

export const findStored = (ctx: Pick<WorkContext, 'db'>, id: number): Promise<StoredTransaction> =>
  stored(ctx, sql`t.id = ${id}`);

const named = (kind: TransactionKind, reference: string): Sql =>
  sql`t.kind = ${kind} and t.reference = ${reference} and t.removed_at is null`;

export async function findTransaction(ctx: Ctx, kind: TransactionKind, reference: string): Promise<TransactionRow> {
  return transactionOf(await stored(ctx, named(kind, reference)));
}

type Amounts = Pick<TransactionInput, 'amount' | 'shipping' | 'sales_tax' | 'line_items'>;

/** An order is what was sold, a refund what came back: the signs of the service, and lines that add up. */
function checkAmounts(kind: TransactionKind, { line_items, amount, shipping, sales_tax }: Amounts): void {
  for (const [name, value] of Object.entries({ amount, shipping, sales_tax })) {
    if (kind === 'order' && value < 0) throw invalidField(name, 'An amount cannot be negative');
    if (kind === 'refund' && value > 0) throw invalidField(name, 'Write the amounts of a refund with a minus sign');
  }
  if (line_items.length === 0) return;
  const lines = line_items.reduce((sum, line) =>
    sum + toMinor(line.unit_price * line.quantity) - toMinor(line.discount), toMinor(shipping));
  if (lines !== toMinor(amount)) {
    throw invalidField('amount', `The lines and the shipping add up to ${toAmount(lines).toFixed(2)}`);
  }
}

/** The order that a refund takes back, locked: what came back already is counted with this one. */
async function orderFor(ctx: WorkContext, input: Amounts & { transaction_reference_id: string },
  own: number | null): Promise<number> {
  const at = 'transaction_reference_id';
  const order = await ctx.db.maybeOne<{ id: number; amount_minor: number; shipping_minor: number;
    sales_tax_minor: number }>(sql`
    select id, amount_minor, shipping_minor, sales_tax_minor from tax_service_transactions
    where kind = 'order' and reference = ${input.transaction_reference_id} and removed_at is null for update`);
  if (!order) throw invalidField(at, 'Order not found: add it first');
  const back = await refunded(ctx, order.id, own);
  const left = (['amount', 'shipping', 'sales_tax'] as const)
    .map((name) => [name, BigInt(order[`${name}_minor`] + back[name]) + toMinor(input[name])] as const);
  const over = left.find(([, minor]) => minor < 0n);
  if (over) {
    const most = toAmount(order[`${over[0]}_minor`] + back[over[0]]).toFixed(2);
    throw invalidField(over[0], `At most ${most} of the order is left to refund`);
  }
  return order.id;
}

/** Totals of an order's refunds, except one. */
function refunded(ctx: WorkContext, orderId: number, aside: number | null) {
  return ctx.db.one<{ amount: number; shipping: number; sales_tax: number; refunds: number }>(sql`
    select coalesce(sum(amount_minor), 0)::bigint as amount, coalesce(sum(shipping_minor), 0)::bigint as shipping,
      coalesce(sum(sales_tax_minor), 0)::bigint as sales_tax, count(*) as refunds from tax_service_transactions
    where order_id = ${orderId} and removed_at is null and id is distinct from ${aside}::bigint`);
}

const shipFrom = (input: Partial<TransactionInput>): Place => ({ country: input.from_country, zip: input.from_zip,
  state: input.from_state, city: input.from_city, street: input.from_street });
const shipTo = (input: Partial<TransactionInput>): Place => ({ country: input.to_country, zip: input.to_zip,
  state: input.to_state, city: input.to_city, street: input.to_street });

export async function addTransaction(ctx: Ctx, kind: TransactionKind, input: TransactionInput): Promise<
  TransactionRow> {
  checkAmounts(kind, input);
  const buyer = input.customer_id == null ? null : await customerId(ctx, input.customer_id);
  const order = kind === 'order' ? null
    : await orderFor(ctx, { ...input, transaction_reference_id: input.transaction_reference_id ?? '' }, null);
  const made = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into tax_service_transactions (kind, reference, order_id, dated_on, exemption_type, buyer_id, ship_from,
      ship_to, amount_minor, shipping_minor, sales_tax_minor, line_items, report_state, created_by_id)
    values (${kind}, ${input.transaction_id}, ${order}, ${input.transaction_date}, ${input.exemption_type ?? null},
      ${buyer}, ${JSON.stringify(shipFrom(input))}::jsonb, ${JSON.stringify(shipTo(input))}::jsonb,
      ${toMinor(input.amount)}, ${toMinor(input.shipping)}, ${toMinor(input.sales_tax)},
      ${JSON.stringify(input.line_items)}::jsonb, ${reportLater(ctx)}, ${ctx.user.user_id})
    on conflict (kind, reference) where removed_at is null do nothing returning id`);
  if (!made) throw invalidField('transaction_id', `There is ${kind === 'order' ? 'an order' : 'a refund'} of this id`);
  const row = transactionOf(await stored(ctx, sql`t.id = ${made.id}`));
  await ctx.audit({ action: 'create', entity: `tax_service_${kind}`, entity_id: made.id, after: row });
  return row;
}

/** Locked, and at the version that the caller knows. */
async function locked(ctx: Ctx, kind: TransactionKind, reference: string, version: number | null): Promise<
  StoredTransaction> {
  await ctx.db.exec(sql`select 1 from tax_service_transactions t where ${named(kind, reference)} for update`);
  const row = await stored(ctx, named(kind, reference));
  if (version !== null && row.version !== version) throw stale(transactionOf(row));
  return row;
}

/** Refuses to change the report of an issued document. */
function refuseDocument(row: StoredTransaction): void {
  if (row.invoice_id === null) return;
  throw conflict('tax_service.of_document', `${row.reference} reports an issued document, which never changes. Credit `
    + 'the invoice instead.');
}

/** Tries again at once what the service refused or did not answer. */
export async function retryTransaction(ctx: Ctx, kind: TransactionKind, reference: string, version: number):
Promise<TransactionRow> {
  const row = await locked(ctx, kind, reference, version);
  if (row.report_state === 'reported') {
    throw conflict('tax_service.reported', `The tax service has ${row.reference} already.`);
  }
  await ctx.db.exec(sql`
    update tax_service_transactions set report_state = ${reportLater(ctx)}, report_attempts = 0, report_after = null,
      report_error = null, version = version + 1 where id = ${row.id}`);
  const now = transactionOf(await stored(ctx, sql`t.id = ${row.id}`));
  await ctx.audit({ action: 'retry', entity: `tax_service_${kind}`, entity_id: row.id,
    before: { report_state: row.report_state, report_error: row.report_error } });
  return now;
}

export async function changeTransaction(
  ctx: Ctx, kind: TransactionKind, reference: string, { version, ...change }: TransactionChange,
): Promise<TransactionRow> {
  const row = await locked(ctx, kind, reference, version);
  refuseDocument(row);
  const before = transactionOf(row);
  const kept = Object.fromEntries(Object.entries(before).filter(([, value]) => value !== null));
  const wanted = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after = { ...kept, ...wanted } as unknown as TransactionInput;
  checkAmounts(kind, after);
  const buyer = after.customer_id == null ? null : await customerId(ctx, after.customer_id);
  if (kind === 'refund') await orderFor(ctx, { ...after, transaction_reference_id: row.order_reference! }, row.id);
  else await refuseBelowRefunds(ctx, row.id, after);
  await ctx.db.exec(sql`
    update tax_service_transactions set dated_on = ${after.transaction_date}, buyer_id = ${buyer},
      exemption_type = ${after.exemption_type ?? null}, ship_from = ${JSON.stringify(shipFrom(after))}::jsonb,
      ship_to = ${JSON.stringify(shipTo(after))}::jsonb, amount_minor = ${toMinor(after.amount)},
      shipping_minor = ${toMinor(after.shipping)}, sales_tax_minor = ${toMinor(after.sales_tax)},
      line_items = ${JSON.stringify(after.line_items)}::jsonb, report_state = ${reportLater(ctx)},
      report_attempts = 0, report_error = null, report_after = null, version = version + 1 where id = ${row.id}`);
  const now = transactionOf(await stored(ctx, sql`t.id = ${row.id}`));
  await ctx.audit({ action: 'update', entity: `tax_service_${kind}`, entity_id: row.id, before, after: now });
  return now;
}

async function refuseBelowRefunds(ctx: WorkContext, id: number, after: Amounts): Promise<void> {
  const back = await refunded(ctx, id, null);
  const below = (['amount', 'shipping', 'sales_tax'] as const)
    .find((name) => toMinor(after[name]) + BigInt(back[name]) < 0n);
  if (below) throw invalidField(below, `${toAmount(-back[below]).toFixed(2)} of it was refunded`);
}

export async function removeTransaction(ctx: Ctx, kind: TransactionKind, reference: string): Promise<TransactionRow> {
  const row = await locked(ctx, kind, reference, null);
  refuseDocument(row);
  if (kind === 'order' && (await refunded(ctx, row.id, null)).refunds > 0) {
    throw conflict('tax_service.refunded', 'Refunds belong to this order. Remove them first.');
  }
  const before = transactionOf(row);
  await ctx.db.exec(sql`
    update tax_service_transactions set removed_at = ${ctx.now()}, report_state = ${reportLater(ctx)},
      report_attempts = 0, report_error = null, report_after = null, version = version + 1 where id = ${row.id}`);
  await ctx.audit({ action: 'remove', entity: `tax_service_${kind}`, entity_id: row.id, before });
  return { ...before, version: before.version + 1 };
}
