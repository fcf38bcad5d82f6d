/** Customers of the tax service: who is exempt from tax, and in which regions. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { stale } from '#server/crud.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { mentions, sql, type Sql } from '#server/sql.ts';
import { reportLater } from './report-state.server.ts';
import { taxServiceEndpoints, type CustomerChange, type CustomerInput, type CustomerQuery, type CustomerRow }
  from './tax-service.contract.ts';

export interface StoredCustomer {
  id: number; reference: string; name: string; exemption_type: CustomerRow['exemption_type'];
  exempt_regions: CustomerRow['exempt_regions'];
  address: { country?: string; state?: string; zip?: string; city?: string; street?: string };
  report_state: CustomerRow['report_state']; report_error: string | null; reported_at: string | null;
  version: number; created_at: string; updated_at: string;
}

const columns = sql`t.id, t.reference, t.name, t.exemption_type, t.exempt_regions, t.address, t.report_state,
  t.report_error, t.reported_at, t.version, t.created_at, t.updated_at`;

export function customerOf({ id: _id, reference, address, ...row }: StoredCustomer): CustomerRow {
  return { customer_id: reference, ...row, country: address.country ?? null, state: address.state ?? null,
    zip: address.zip ?? null, city: address.city ?? null, street: address.street ?? null };
}

export async function listCustomers(ctx: Ctx, query: CustomerQuery): Promise<Page<CustomerRow>> {
  const page = await listPage<StoredCustomer>(ctx.db, {
    base: sql`tax_service_customers t`, columns,
    conditions: compact([sql`t.removed_at is null`,
      query.report_state !== undefined && sql`t.report_state = ${query.report_state}`,
      query.search !== undefined && mentions(sql`t.reference || ' ' || t.name`, query.search)]),
    sorts: { customer_id: sql`t.reference`, name: sql`t.name collate "und-x-icu"` }, defaultSort: 'name',
  }, query, taxServiceEndpoints.customers.path);
  return { ...page, data: page.data.map(customerOf) };
}

export async function storedCustomer(ctx: Pick<WorkContext, 'db'>, condition: Sql): Promise<StoredCustomer> {
  const row = await ctx.db.maybeOne<StoredCustomer>(sql`
    select ${columns} from tax_service_customers t where ${condition}`);
  if (!row) throw refuse('not_found');
  return row;
}
const named = (reference: string): Sql => sql`t.reference = ${reference} and t.removed_at is null`;

export const findCustomer = async (ctx: Ctx, reference: string): Promise<CustomerRow> =>
  customerOf(await storedCustomer(ctx, named(reference)));

/** Id of the row for a customer that an order names; locked, so that it is not removed meanwhile. */
export async function customerId(ctx: Pick<WorkContext, 'db'>, reference: string): Promise<number> {
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    select t.id from tax_service_customers t where ${named(reference)} for share`);
  if (!row) throw invalidField('customer_id', 'Customer not found: add it first');
  return row.id;
}

/** Whether a customer is exempt in the place that an order goes to: everywhere where no region is named. */
export async function isExempt(
  ctx: Pick<WorkContext, 'db'>, reference: string, to: { country: string; state: string },
): Promise<boolean> {
  const row = await ctx.db.maybeOne<StoredCustomer>(sql`
    select ${columns} from tax_service_customers t where ${named(reference)}`);
  if (!row) throw invalidField('customer_id', 'Customer not found: add it first');
  if (row.exemption_type === 'non_exempt') return false;
  return row.exempt_regions.length === 0 || row.exempt_regions.some(({ country, state }) =>
    country === to.country && (state === '' || state.toUpperCase() === to.state.trim().toUpperCase()));
}

const addressOf = ({ country, state, zip, city, street }: Partial<CustomerInput>) =>
  ({ country, state, zip, city, street });

export async function addCustomer(ctx: Ctx, input: CustomerInput): Promise<CustomerRow> {
  const made = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into tax_service_customers (reference, name, exemption_type, exempt_regions, address, report_state,
      created_by_id)
    values (${input.customer_id}, ${input.name}, ${input.exemption_type},
      ${JSON.stringify(input.exempt_regions)}::jsonb, ${JSON.stringify(addressOf(input))}::jsonb,
      ${reportLater(ctx)}, ${ctx.user.user_id})
    on conflict (reference) where removed_at is null do nothing returning id`);
  if (!made) throw invalidField('customer_id', 'There is a customer of this id');
  const row = customerOf(await storedCustomer(ctx, sql`t.id = ${made.id}`));
  await ctx.audit({ action: 'create', entity: 'tax_service_customer', entity_id: made.id, after: row });
  return row;
}

export async function changeCustomer(
  ctx: Ctx, reference: string, { version, ...change }: CustomerChange,
): Promise<CustomerRow> {
  await ctx.db.exec(sql`select 1 from tax_service_customers t where ${named(reference)} for update`);
  const row = await storedCustomer(ctx, named(reference));
  const before = customerOf(row);
  if (row.version !== version) throw stale(before);
  const kept = Object.fromEntries(Object.entries(before).filter(([, value]) => value !== null));
  const wanted = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after = { ...kept, ...wanted } as unknown as CustomerInput;
  await ctx.db.exec(sql`
    update tax_service_customers set name = ${after.name}, exemption_type = ${after.exemption_type},
      exempt_regions = ${JSON.stringify(after.exempt_regions)}::jsonb,
      address = ${JSON.stringify(addressOf(after))}::jsonb, report_state = ${reportLater(ctx)}, report_attempts = 0,
      report_error = null, report_after = null, version = version + 1 where id = ${row.id}`);
  const now = customerOf(await storedCustomer(ctx, sql`t.id = ${row.id}`));
  await ctx.audit({ action: 'update', entity: 'tax_service_customer', entity_id: row.id, before, after: now });
  return now;
}

export async function removeCustomer(ctx: Ctx, reference: string): Promise<CustomerRow> {
  await ctx.db.exec(sql`select 1 from tax_service_customers t where ${named(reference)} for update`);
  const row = await storedCustomer(ctx, named(reference));
  const used = await ctx.db.maybeOne(sql`
    select 1 from tax_service_transactions where buyer_id = ${row.id} and removed_at is null limit 1`);
  if (used) throw conflict('tax_service.customer_used', 'Orders name this customer. Set it to non_exempt instead.');
  const before = customerOf(row);
  await ctx.db.exec(sql`
    update tax_service_customers set removed_at = ${ctx.now()}, report_state = ${reportLater(ctx)},
      report_attempts = 0, report_error = null, report_after = null, version = version + 1 where id = ${row.id}`);
  await ctx.audit({ action: 'remove', entity: 'tax_service_customer', entity_id: row.id, before });
  return { ...before, version: before.version + 1 };
}
