/** An application becomes quotes: one draft per chosen show, or an automatic offer inside the rules (domain.md 1.2). */
import { diffDays } from '#kernel/calendar/calendar.ts';
import { AppError, invalidField } from '#kit/errors.ts';
import type { FeeMethod } from '#kernel/pricing/rate-card.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { createLicense } from '../licenses/quote/create-license.server.ts';
import { HOUSE, SYSTEM, type Mover } from '../licenses/phase/mover.server.ts';
import { grantRights } from '../licenses/terms/default-terms.server.ts';
import { sendOffer } from '../licenses/quote/send-offer.server.ts';
import { addOnsFor, requestedFor, venuesToLicense } from './application-outlook.server.ts';
import {
  applicationAlternatives, applicationShows, applicationVenues, findApplication, movedVenues, type Application,
} from './application-record.server.ts';
import { anyToClear } from '../licenses/pricing/offered-add-ons.server.ts';
import { autoOfferFor, offersAutomatically } from './auto-offer-rules.server.ts';
import { closeTask, moveApplication } from './move-application.server.ts';

/** Ids of the licences, in the order of the shows. The same shows again: the same ids. */
export async function convertApplication(
  ctx: WorkContext, application: Application, showIds: readonly number[], by: Mover, alternative?: number,
): Promise<number[]> {
  if (application.status === 'converted') {
    const made = await madeFor(ctx, application.id);
    if (showIds.every((id) => made.has(id))) return showIds.map((id) => made.get(id)!);
  }
  await moveApplication(ctx, { application, event: 'convert', by, facts: { show_chosen: showIds.length > 0 } });
  await closeTask(ctx, application.id);
  return makeLicenses(ctx, application, showIds, await daysTo(ctx, application, alternative));
}

/** Days by which the run moves to the alternative dates of this rank. */
async function daysTo(ctx: WorkContext, application: Application, rank: number | undefined): Promise<number> {
  if (rank === undefined || application.first_performance_on === null) return 0;
  const row = (await applicationAlternatives(ctx, application.id)).find((one) => one.rank === rank);
  if (!row) throw invalidField('alternative', 'The application names no such dates');
  return diffDays(application.first_performance_on, row.first_performance_on);
}

async function madeFor(ctx: WorkContext, applicationId: number): Promise<Map<number, number>> {
  const rows = await ctx.db.query<{ id: number; show_id: number }>(sql`
    select min(id) as id, show_id from licenses where license_application_id = ${applicationId} group by show_id`);
  return new Map(rows.map((row) => [row.show_id, row.id]));
}

async function makeLicenses(
  ctx: WorkContext, application: Application, showIds: readonly number[], days = 0,
): Promise<number[]> {
  const shows = await applicationShows(ctx, application.id);
  const foreign = showIds.findIndex((id) => !shows.some((show) => show.show_id === id));
  if (foreign >= 0) throw invalidField(`show_ids.${foreign}`, 'This show is not one of the application');
  const venues = movedVenues(await applicationVenues(ctx, application.id), days);
  const ids: number[] = [];
  for (const showId of showIds) {
    const { add_ons, to_price } = await requestedFor(ctx, application, showId);
    const license = await createLicense(ctx, {
      customer_id: application.customer_id, show_id: showId, category: application.category,
      division: application.division, currency: application.currency, license_application_id: application.id,
      customer_classification_id: application.customer_classification_id, license_rep_id: application.license_rep_id,
      producing_organisation: application.producing_organisation, cast_size: application.cast_size,
      orchestration: application.orchestration,
      production_type: venues.length > 1 ? 'tour' : 'run',
      license_venues: venuesToLicense(application, venues),
      add_ons, rights_to_price: to_price,
    });
    await carryOver(ctx, application, license.id);
    ids.push(license.id);
  }
  await ctx.db.exec(sql`update license_application_shows set chosen = show_id = any (${[...showIds]})
    where license_application_id = ${application.id}`);
  return ids;
}

/** The rights asked for, and the clearance that staff recorded when they approved. */
async function carryOver(ctx: WorkContext, application: Application, licenseId: number): Promise<void> {
  await grantRights(ctx.db, licenseId, ['stage', ...application.needs_streaming ? ['stream_live'] : [],
    ...application.needs_video ? ['video_archival'] : []]);
  if (application.override_reason === null) return;
  await ctx.db.exec(sql`
    update licenses set availability_override_reason = ${application.override_reason},
      availability_override_by_id = (select decided_by_id from license_applications where id = ${application.id})
    where id = ${licenseId} and availability_result ->> 'verdict' <> 'clear'`);
}

/**
 * Makes and sends the quote in the same transaction if the division has automatic offers on and every rule of
 * domain.md 2.11 holds for the one show that was applied for: history and audit name the system, not the person who
 * submitted the application. Any obstacle leaves the application with staff. Returns the license, or null.
 */
async function offerAutomatically(ctx: WorkContext, application: Application): Promise<number | null> {
  const shows = await applicationShows(ctx, application.id);
  const [show] = shows;
  if (!show || shows.length > 1 || !await offersAutomatically(ctx, application.division)) return null;
  const price = application.price_preview?.[String(show.show_id)];
  const verdict = application.availability_result?.[String(show.show_id)]?.verdict ?? 'blocked';
  const rules = await autoOfferFor(ctx, {
    customer_id: application.customer_id, division: application.division, category: application.category,
    availability: verdict, performances: application.number_of_performances,
    rate_card: price?.priced === true ? { status: 'approved', fee_method: await methodOf(ctx, price.rate_card_id) }
      : null,
    capacity: Math.max(0, ...(price?.venues ?? []).map((venue) => venue.seats)),
    total_minor: BigInt(price?.totals.due_minor ?? 0), first_performance_on: application.first_performance_on ?? '',
    needs_streaming_or_video: application.needs_streaming || application.needs_video
      || await anyToClear(ctx.db, await addOnsFor(ctx, application, show.show_id)),
  });
  if (!rules.offers_at_once) return null;
  const system = workContext(ctx.ports, ctx.db, { ...SYSTEM_ACTOR, request_id: ctx.actor.request_id });
  await ctx.db.exec(sql`savepoint automatic_offer`);
  try {
    await moveApplication(system, { application, event: 'auto_offer', by: SYSTEM,
      facts: { auto_offer_rules_hold: true } });
    const [licenseId] = await makeLicenses(system, application, [show.show_id]);
    await sendOffer(system, { license_id: licenseId!, version: null }, HOUSE);
    await closeTask(system, application.id);
    return licenseId!;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await ctx.db.exec(sql`rollback to savepoint automatic_offer`);
    return null;
  }
}

async function methodOf(ctx: WorkContext, rateCardId: number | null): Promise<FeeMethod> {
  const row = await ctx.db.maybeOne<{ fee_method: FeeMethod }>(sql`
    select fee_method from rate_cards where id = ${rateCardId ?? 0}`);
  return row?.fee_method ?? 'negotiated';
}

/** The application after everything that may follow from handing it in. */
export async function afterSubmission(ctx: WorkContext, application: Application): Promise<Application> {
  await offerAutomatically(ctx, application);
  return findApplication(ctx, application.id);
}
