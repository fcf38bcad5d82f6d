/** Calls about rights: staff read every rule, customers the public reason and free dates (domain.md 1.5). */
import { diffDays } from '#kernel/calendar/calendar.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { withCounterRole, type WorkContext } from '#server/context.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { findLicense, lockLicense } from '../licenses/license-record.server.ts';
import { areaPoint } from './area-point.server.ts';
import { availabilityEndpoints, publicAvailability } from './availability.contract.ts';
import {
  checkLicenseRights, checkRights, checkRightsByDay, licenseRights, type RightsQuestion, type RightsVenue,
} from './check-availability.server.ts';

interface PlaceQuery {
  from: string; to: string; venue_id?: number | undefined; country_code?: string | undefined;
  region?: string | undefined; postal_code?: string | undefined;
}

async function venueOf(ctx: WorkContext, query: PlaceQuery, fallbackCountry: string): Promise<RightsVenue> {
  if (query.to < query.from) throw invalidField('to', 'The last day is before the first');
  const dates = { first_performance_on: query.from, last_performance_on: query.to };
  if (query.venue_id === undefined) {
    return { ...dates, name: null, country: query.country_code ?? fallbackCountry, region: query.region ?? null,
      point: await areaPoint(ctx, query.country_code ?? fallbackCountry, query.postal_code) };
  }
  const row = await ctx.db.maybeOne<{ name: string; country: string | null; region: string | null; lat: number | null;
    lng: number | null }>(sql`
    select name, address ->> 'country_code' as country, address ->> 'administrative_area' as region, lat, lng
    from venues where id = ${query.venue_id} and deleted_at is null`);
  if (!row) throw invalidField('venue_id', 'This venue does not exist');
  return { ...dates, name: row.name, country: row.country ?? fallbackCountry, region: row.region,
    point: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng } };
}

async function homeOf(ctx: WorkContext, division: Division): Promise<string> {
  const row = await ctx.db.one<{ home_country: string }>(sql`
    select home_country from divisions where code = ${division}`);
  return row.home_country;
}

/** Four months of a calendar. */
const CALENDAR_DAYS = 124;

/** A customer asks for itself: its own division and kind, a show that is offered. */
async function customerQuestion(
  ctx: WorkContext, customerId: number, showId: number,
    query: PlaceQuery & { category?: 'Amateur' | 'Pro' | undefined },
): Promise<RightsQuestion> {
  const customer = await ctx.db.maybeOne<{ default_division: Division; kind: string }>(sql`
    select default_division, kind from customers where id = ${customerId} and deleted_at is null`);
  if (!customer) throw refuse('not_found');
  const known = await ctx.db.maybeOne(sql`
    select 1 from shows where id = ${showId} and active and deleted_at is null`);
  if (!known) throw refuse('not_found');
  const venue = await venueOf(ctx, query, await homeOf(ctx, customer.default_division));
  return { show_id: showId, division: customer.default_division,
    category: query.category ?? (customer.kind === 'professional' ? 'Pro' : 'Amateur'), classification_id: null,
    media: ['stage'], venues: [venue], license_id: null };
}

export const availabilityRoutes = serve(availabilityEndpoints, {
  async check(ctx, { query }) {
    const division = query.division ?? 'US';
    const venue = await venueOf(ctx, query, await homeOf(ctx, division));
    return { data: await checkRights(ctx, { show_id: query.show_id, division, category: query.category ?? 'Amateur',
      classification_id: null, media: [query.media ?? 'stage'], venues: [venue], license_id: null }) };
  },
  async customerCheck(ctx, { params, query }) {
    return { data: await withCounterRole(ctx, async (house) => publicAvailability.parse(
      await checkRights(house, await customerQuestion(house, params.id, params.showId, query)))) };
  },
  async customerDays(ctx, { params, query }) {
    if (diffDays(query.from, query.to) >= CALENDAR_DAYS) throw invalidField('to', 'Ask for at most 124 days at once');
    return { data: await withCounterRole(ctx, async (house) =>
      checkRightsByDay(house, await customerQuestion(house, params.id, params.showId, query))) };
  },
  async ofLicense(ctx, { params }) {
    const license = await findLicense(ctx.db, params.licenseId);
    const by = license.availability_override_by_id === null ? null : await ctx.db.maybeOne<{ name: string }>(sql`
      select first_name || ' ' || last_name as name from users where id = ${license.availability_override_by_id}`);
    return { data: { ...await checkRights(ctx, await licenseRights(ctx, license.id)),
      override_reason: license.availability_override_reason, override_by_name: by?.name ?? null } };
  },
  async clear(ctx, { params, body }) {
    const license = await lockLicense(ctx.db, params.licenseId, body.version);
    if (!['draft', 'expired', 'declined'].includes(license.phase)) {
      throw conflict('license.phase_conflict', 'A clearance is recorded before the offer is sent; revise it first.',
        { phase: license.phase });
    }
    await checkLicenseRights(ctx, license.id);
    const by = body.reason === null ? null : ctx.user.user_id;
    const row = await ctx.db.one<{ license_id: number; version: number }>(sql`
      update licenses set availability_override_reason = ${body.reason}, availability_override_by_id = ${by},
        version = version + 1 where id = ${license.id} returning id as license_id, version`);
    await ctx.db.exec(sql`
      insert into license_events (license_id, event, actor_id, reason, license_version)
      values (${license.id}, 'clearance', ${ctx.user.user_id}, ${body.reason ?? 'Clearance taken back'},
        ${row.version})`);
    await ctx.audit({ action: 'clear', entity: 'license', entity_id: license.id,
      before: { reason: license.availability_override_reason }, after: { reason: body.reason } });
    await refreshChecklist(ctx, license.id);
    return { data: row };
  },
});
