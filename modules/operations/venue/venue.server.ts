/** Venues with their aliases and ticketing presets. */
import type * as z from 'zod';
import { invalidField } from '#kit/errors.ts';
import { minorOf } from '#kernel/money/money.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, stale, type Plan } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact } from '#server/list.ts';
import { refuseInUse } from '#server/record-uses.ts';
import { serve, type Route } from '#server/routes.ts';
import { name, sql } from '#server/sql.ts';
import { venue, venueEndpoints, type VenueInput, type VenueRow, type venueTicketRow } from './venue.contract.ts';

const ALIASES = sql`coalesce((select array_agg(a.alias order by a.alias) from venue_aliases a where a.venue_id = t.id),
  '{}')`;

const venues = crud(venue, {
  table: 'venues', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"`, locality: sql`t.locality collate "und-x-icu"` },
  extra: { aliases: ALIASES },
  filter: (query) => compact([
    query.kind !== undefined && sql`t.kind = ${query.kind}`,
    query.country_code !== undefined && sql`t.country_code = ${query.country_code}`,
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.customer_id !== undefined && sql`exists (select 1 from customer_venues cv
      where cv.venue_id = t.id and cv.customer_id = ${query.customer_id})`,
  ]),
});

/** A new venue; imports come through here too, with an address as far as they know it. */
export async function createVenue(ctx: WorkContext, input: VenueInput): Promise<VenueRow> {
  const { data } = await venues.create(ctx as Ctx, { body: input });
  return data;
}

/** As the call of changing does it; imports come through here too. 412 where the version is not the stored one. */
export async function updateVenue(
  ctx: WorkContext, id: number, body: Partial<VenueInput> & { version: number },
): Promise<void> {
  await venues.update(ctx as Ctx, { params: { id }, body });
}

/** Dry run: the errors that {@link createVenue} and {@link updateVenue} would return for each row, for imports. */
export const rehearseVenues = (db: Queryable, plans: readonly Plan[]) =>
  venues.rehearse(db, plans, (row) => row, () => Promise.resolve(() => {}));

export const venueRoutes: Route[] = serve(venueEndpoints, {
  ...venues,
  async remove(ctx, { params }) {
    await refuseInUse(ctx.db, 'venues', params.id, 'Make it inactive instead.');
    await venues.remove(ctx, { params });
  },
  async aliases(ctx, { params, body }) {
    const before = await venues.find(ctx.db, params.id, true);
    if (before.version !== body.version) throw stale(before);
    const taken = await ctx.db.maybeOne<{ alias: string; name: string }>(sql`
      select a.alias, v.name from venue_aliases a join venues v on v.id = a.venue_id
      where a.venue_id <> ${params.id}
        and name_key(a.alias) = any (select name_key(x) from unnest(${body.aliases}::text[]) x) limit 1`);
    if (taken) throw invalidField('aliases', `"${taken.alias}" already stands for ${taken.name}`);
    const named = await ctx.db.maybeOne<{ name: string }>(sql`
      select v.name from venues v where v.id <> ${params.id} and v.deleted_at is null
        and name_key(v.name) <> name_key(${before.name})
        and name_key(v.name) = any (select name_key(x) from unnest(${body.aliases}::text[]) x)
        and not exists (select 1 from venue_aliases a where a.venue_id = ${params.id}
          and name_key(a.alias) = name_key(v.name)) limit 1`);
    // An alias decides alone: imports would no longer find the venue that bears the name.
    if (named) throw invalidField('aliases', `"${named.name}" is the name of another venue`);
    await ctx.db.exec(sql`delete from venue_aliases where venue_id = ${params.id}`);
    await ctx.db.exec(sql`
      insert into venue_aliases (venue_id, alias)
      select ${params.id}, x from unnest(${body.aliases}::text[]) x on conflict (alias_key) do nothing`);
    await ctx.db.exec(sql`update ${name('venues')} set version = version + 1 where id = ${params.id}`);
    const after = await venues.find(ctx.db, params.id);
    await ctx.audit({ action: 'update', entity: 'venue', entity_id: params.id, before, after });
    return { data: after };
  },
  async tickets(ctx, { params }) {
    await venues.find(ctx.db, params.id);
    return { data: await presetOf(ctx.db, params.id) };
  },
  async saveTickets(ctx, { params, body }) {
    await venues.find(ctx.db, params.id, true);
    const before = await presetOf(ctx.db, params.id);
    await ctx.db.exec(sql`delete from venue_default_tickets where venue_id = ${params.id}`);
    for (const [sort, row] of body.tickets.entries()) {
      await ctx.db.exec(sql`
        insert into venue_default_tickets (venue_id, sort, label, number_of_seats, price_minor, currency, weight)
        values (${params.id}, ${sort}, ${row.label}, ${row.number_of_seats}, ${minorOf(row.price)}, ${body.currency},
          ${row.weight})`);
    }
    const after = await presetOf(ctx.db, params.id);
    await ctx.audit({ action: 'update_tickets', entity: 'venue', entity_id: params.id, before, after });
    return { data: after };
  },
});

async function presetOf(db: Parameters<typeof venues.find>[0], venueId: number) {
  return db.query<z.infer<typeof venueTicketRow>>(sql`
    select label, number_of_seats, (price_minor / 100.0)::float8 as price, weight::float8 as weight, currency
    from venue_default_tickets where venue_id = ${venueId} order by sort, id`);
}
