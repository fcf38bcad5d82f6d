/** Writes an application: its fields, up to three shows, venues with price bands and performances. */
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { toColumn } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { join, name, sql } from '#server/sql.ts';
import { addOnOffered, type AddOnChoice } from '../licenses/pricing/offered-add-ons.server.ts';
import type { ApplicationInput } from './application.contract.ts';
import { findApplication, type Application } from './application-record.server.ts';
import { saveApplicationVenues } from './save-application-venues.server.ts';

type Fields = { [K in keyof ApplicationInput]?: ApplicationInput[K] | undefined };

interface CustomerRow {
  name: string; kind: string; status: string; default_division: Application['division']; divisions: string[];
  default_currency: Application['currency']; classification_id: number | null;
}

/** A draft of a customer, by the customer or by staff on its behalf. Errors: 422 at the field. */
export async function createApplication(
  ctx: WorkContext, customerId: number, source: 'portal' | 'staff', input: Fields,
): Promise<Application> {
  const customer = await ctx.db.maybeOne<CustomerRow>(sql`
    select c.name, c.kind, c.status, c.default_division, c.divisions, c.default_currency,
      (select min(m.customer_classification_id) from customer_customer_classifications m where m.customer_id = c.id
        having count(*) = 1) as classification_id
    from customers c where c.id = ${customerId} and c.deleted_at is null`);
  if (!customer) throw invalidField('customer_id', 'This customer does not exist');
  if (customer.status === 'inactive') throw invalidField('customer_id', `${customer.name} is not active`);
  const division = input.division ?? customer.default_division;
  if (!customer.divisions.includes(division)) throw invalidField('division', 'The customer does not trade here');
  const currency = division === customer.default_division ? customer.default_currency
    : (await ctx.db.one<{ functional_currency: Application['currency'] }>(sql`
      select functional_currency from divisions where code = ${division}`)).functional_currency;
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_applications (customer_id, source, division, category, currency, organisation_type,
      customer_classification_id, producing_organisation, created_at)
    values (${customerId}, ${source}, ${division}, ${customer.kind === 'professional' ? 'Pro' : 'Amateur'},
      ${currency}, ${customer.kind}, ${customer.classification_id}, ${customer.name},
      ${ctx.now().toISOString()}) returning id`);
  await saveApplication(ctx, row.id, { ...input, division: undefined });
  const created = await findApplication(ctx, row.id);
  await ctx.audit({ action: 'create', entity: 'license_application', entity_id: row.id, after: created });
  return created;
}

/** Fields that are given replace what stood there; shows and venues are replaced as a whole. */
export async function saveApplication(ctx: WorkContext, id: number, input: Fields): Promise<void> {
  const { show_ids, license_venues, add_ons, alternatives, ...fields } = input;
  const sets = Object.entries(fields).filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${name(column)} = ${toColumn(value)}`);
  if (sets.length > 0) await ctx.db.exec(sql`update license_applications set ${join(sets)} where id = ${id}`);
  if (show_ids) await saveShows(ctx.db, id, show_ids);
  if (license_venues) await saveApplicationVenues(ctx.db, id, license_venues);
  if (add_ons) await saveAddOns(ctx.db, id, add_ons);
  else if (show_ids) await dropForeignAddOns(ctx.db, id);
  if (alternatives) await saveAlternatives(ctx.db, id, alternatives);
  await ctx.db.exec(sql`
    update license_applications a set first_performance_on = d.first, last_performance_on = d.last,
      number_of_performances = d.n, version = version + 1
    from (select min(p.local_date) as first, max(p.local_date) as last, count(p.id) as n
      from license_application_venues v
      left join license_application_performances p on p.license_application_venue_id = v.id
      where v.license_application_id = ${id}) d where a.id = ${id}`);
}

async function saveShows(db: Queryable, id: number, showIds: readonly number[]): Promise<void> {
  const known = await db.query<{ id: number }>(sql`
    select id from shows where id = any (${[...showIds]}) and active and deleted_at is null`);
  const missing = showIds.findIndex((showId) => !known.some((show) => show.id === showId));
  if (missing >= 0) throw invalidField(`show_ids.${missing}`, 'This show does not exist or is not offered');
  await db.exec(sql`delete from license_application_shows where license_application_id = ${id}`);
  for (const [index, showId] of showIds.entries()) {
    await db.exec(sql`
      insert into license_application_shows (license_application_id, show_id, rank) values (${id}, ${showId},
        ${index + 1})`);
  }
}

const ofItsShows = (id: number) => sql`t.show_id in (select show_id from license_application_shows
  where license_application_id = ${id})`;

/** Each is one of a show of the application, and sold where it is licensed. */
async function saveAddOns(db: Queryable, id: number, choices: readonly AddOnChoice[]): Promise<void> {
  const application = await findApplication({ db }, id);
  const known = await db.query<{ id: number }>(sql`
    select t.id from add_ons t where t.deleted_at is null and t.id = any (${choices.map((one) => one.add_on_id)})
      and ${ofItsShows(id)} and ${addOnOffered({ division: application.division, category: application.category })}`);
  const foreign = choices.findIndex((one) => !known.some((row) => row.id === one.add_on_id));
  if (foreign >= 0) throw invalidField(`add_ons.${foreign}.add_on_id`, 'This add-on is not offered for the show');
  await db.exec(sql`delete from license_application_add_ons where license_application_id = ${id}`);
  await db.exec(sql`
    insert into license_application_add_ons (license_application_id, add_on_id, quantity)
    select ${id}, r.add_on, r.quantity from unnest(${choices.map((one) => one.add_on_id)}::bigint[],
      ${choices.map((one) => one.quantity)}::int[]) as r (add_on, quantity)`);
}

/** A show that is no longer applied for takes its add-ons with it. */
async function dropForeignAddOns(db: Queryable, id: number): Promise<void> {
  await db.exec(sql`delete from license_application_add_ons c using add_ons t
    where c.license_application_id = ${id} and t.id = c.add_on_id and not ${ofItsShows(id)}`);
}

async function saveAlternatives(db: Queryable, id: number, days: readonly string[]): Promise<void> {
  await db.exec(sql`delete from license_application_alternatives where license_application_id = ${id}`);
  await db.exec(sql`
    insert into license_application_alternatives (license_application_id, rank, first_performance_on)
    select ${id}, r.rank, r.day from unnest(${[...days]}::date[]) with ordinality as r (day, rank)`);
}
