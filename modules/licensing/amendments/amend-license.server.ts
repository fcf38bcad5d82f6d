/**
 * Amending a licence: dates, performances, venues, prices, add-ons (edge 11 of domain.md 1.1). The preview runs the
 * very same work in a transaction that is rolled back, so it can never differ from what is then done.
 */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { invalidField } from '#kit/errors.ts';
import type { FeeMethod } from '#kernel/pricing/rate-card.ts';
import { spell } from '#kernel/text/english.ts';
import { dryRun, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { autoOfferFor } from '../applications/auto-offer-rules.server.ts';
import type { AvailabilityAnswer } from '../availability/availability.contract.ts';
import {
  checkLicenseRights, licenseRights, lockShowRights, type RightsQuestion, type RightsVenue,
} from '../availability/check-availability.server.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { newVersion } from '../documents/generate-offer.server.ts';
import { saveVenues } from '../licenses/venues/save-venues.server.ts';
import { billAmendment, chargeStates, type ChargeState } from '../licenses/billing/billing.server.ts';
import { scheduleReports } from '../licenses/billing/sync-expected-reports.server.ts';
import { findLicense, lockLicense, type License } from '../licenses/license-record.server.ts';
import type { Mover } from '../licenses/phase/mover.server.ts';
import { mailCustomer } from '../licenses/phase/notify.server.ts';
import { assertMove, moveLicense } from '../licenses/phase/transition.server.ts';
import { countRun, savePerformances } from '../licenses/performances/save-performances.server.ts';
import { anyToClear, withMore } from '../licenses/pricing/offered-add-ons.server.ts';
import { selectionOf } from '../licenses/pricing/price-charges.server.ts';
import { securityDeposit } from '../licenses/pricing/price-answer.server.ts';
import { priceOrRefuse, computeLicensePrice, storePrice } from '../licenses/pricing/price-license.server.ts';
import type { AmendmentChanges, AmendmentPreview } from './amendment.contract.ts';
import { followRun } from './follow-run.server.ts';
import { endPostponement, postponeRun, previewPostponement } from './postpone-run.server.ts';

interface Applied {
  before: License;
  after: License;
  chargesBefore: ChargeState[];
  chargesAfter: ChargeState[];
  availability: AvailabilityAnswer;
  cancelled: number[];
  totals: AmendmentPreview['after'];
}

type Billing = AmendmentPreview['billing'];

const AMENDABLE = ['licensed', 'in_production'];

export async function previewAmendment(
  ctx: WorkContext, licenseId: number, changes: AmendmentChanges,
): Promise<AmendmentPreview> {
  if (changes.postpone) return previewPostponement(ctx, await findLicense(ctx.db, licenseId), changes);
  const { applied, billing } = await dryRun(ctx, async (own) => {
    const done = await applyChanges(own, await lockLicense(own.db, licenseId, null), changes);
    return { applied: done, billing: await billedBy(own, done) };
  });
  return previewOf(ctx, applied, billing, await anyToClear(ctx.db, changes.more_add_ons ?? []));
}

/** Invoices and credit notes that the amendment makes, summed; what is left goes into instalments still to come. */
async function billedBy(ctx: WorkContext, applied: Applied): Promise<Billing> {
  const { after, before } = applied;
  const delta = after.grand_total_minor - before.grand_total_minor;
  if (!AMENDABLE.includes(before.phase)) return { invoice_minor: 0, credit_minor: 0, planned_minor: delta };
  const last = await ctx.db.one<{ id: number }>(sql`
    select coalesce(max(id), 0) as id from invoices where license_id = ${after.id}`);
  await billAmendment(ctx, after, applied.chargesBefore, 'Preview', applied.cancelled);
  const made = await ctx.db.one<{ invoice_minor: number; credit_minor: number }>(sql`
    select coalesce(sum(total_minor) filter (where kind = 'invoice'), 0)::bigint as invoice_minor,
      coalesce(sum(total_minor) filter (where kind = 'credit_note'), 0)::bigint as credit_minor
    from invoices where license_id = ${after.id} and id > ${last.id}`);
  return { ...made, planned_minor: delta - made.invoice_minor + made.credit_minor };
}

async function previewOf(
  ctx: WorkContext, applied: Applied, billing: Billing, rightsToClear: boolean,
): Promise<AmendmentPreview> {
  const { before, after, availability } = applied;
  const delta = after.grand_total_minor - before.grand_total_minor;
  const rules = await autoOfferFor(ctx, {
    customer_id: after.customer_id, division: after.division, category: after.category,
    availability: availability.verdict, performances: after.number_of_performances,
    rate_card: { status: 'approved', fee_method: (after.fee_method ?? 'negotiated') as FeeMethod },
    capacity: await capacityOf(ctx, applied), total_minor: BigInt(after.grand_total_minor),
    first_performance_on: after.first_performance_on ?? '', needs_streaming_or_video: rightsToClear,
  });
  const reasons = [...rules.rules.filter((rule) => !rule.holds),
    ...delta < 0 ? [{ reason: 'The fee would fall.', for_customer: 'The price falls, and we confirm that ourselves.' }]
      : [],
    ...before.phase === 'licensed' ? []
      : [{ reason: 'The run has begun.', for_customer: 'Your run has begun, so we look at each change ourselves.' }]];
  return {
    currency: after.currency, verdict: availability.verdict, reason_public: availability.reason_public,
    price_before_minor: before.grand_total_minor, price_after_minor: after.grand_total_minor, delta_minor: delta,
    before: { royalty_minor: before.royalty_total_minor, charges_minor: before.materials_total_minor,
      tax_minor: before.tax_total_minor, due_minor: before.grand_total_minor + securityDeposit(before) },
    after: applied.totals, lines: linesOf(applied), billing, automatic: reasons.length === 0,
    why_not_automatic: reasons.length === 0 ? null : reasons.map((one) => one.reason).join(' '),
    why_we_look: reasons.length === 0 ? null : reasons.map((one) => one.for_customer).join(' '),
  };
}

async function capacityOf(ctx: WorkContext, applied: Applied): Promise<number> {
  const row = await ctx.db.one<{ seats: number }>(sql`
    select coalesce(max(seats_offered), 0) as seats from license_venues where license_id = ${applied.after.id}`);
  return row.seats;
}

function linesOf(applied: Applied): AmendmentPreview['lines'] {
  const before = new Map(applied.chargesBefore.map((row) => [row.id, row]));
  const after = new Map(applied.chargesAfter.map((row) => [row.id, row]));
  return [...new Set([...before.keys(), ...after.keys()])].map((id) => {
    const old = before.get(id);
    const now = after.get(id);
    const sums = { before_minor: (old?.net_minor ?? 0) + (old?.tax_minor ?? 0),
      after_minor: (now?.net_minor ?? 0) + (now?.tax_minor ?? 0) };
    return { description: (now ?? old)!.description, ...sums, delta_minor: sums.after_minor - sums.before_minor };
  });
}

/** Rights already granted stay granted: a later licensee does not block a new price or a stream. */
const AS_GRANTED: AvailabilityAnswer = { verdict: 'clear', rules: [], alternatives: [],
  reason_public: 'Dates and places stay as they were granted.', reason_internal: '' };

/** Whether each venue is one of those granted, within its days: nights that fall away or begin later ask nothing. */
function isWithin(asked: RightsQuestion, granted: RightsQuestion): boolean {
  const place = ({ country, region, point }: RightsVenue): string => JSON.stringify([country, region, point]);
  return asked.venues.every((venue) => granted.venues.some((one) => place(one) === place(venue)
    && one.first_performance_on <= venue.first_performance_on
    && venue.last_performance_on <= one.last_performance_on));
}

/** Carries the changes out on the rows, prices with the licence's own terms, checks the rights. */
async function applyChanges(ctx: WorkContext, license: License, changes: AmendmentChanges): Promise<Applied> {
  const chargesBefore = await chargeStates(ctx, license.id);
  const selection = await selectionOf(ctx.db, license.id);
  const granted = await licenseRights(ctx, license.id);
  if (changes.license_venues) await saveVenues(ctx, license, changes.license_venues, { replace: false });
  const nights = changes.dates ? await movedNights(ctx, license.id, changes) : changes.performances;
  const cancelled = nights ? await changePerformances(ctx, license, nights) : [];
  await endPostponement(ctx, license.id);
  if (changes.fee) await takeFee(ctx, license, changes.fee);
  await countRun(ctx.db, license.id);
  const changed = await findLicense(ctx.db, license.id);
  const kept = changes.add_ons ?? selection.add_ons;
  const addOns = changes.more_add_ons ? await withMore(ctx.db, kept, changes.more_add_ons) : kept;
  const computed = await priceOrRefuse(() => computeLicensePrice(ctx, changed, { ...selection, add_ons: addOns }));
  await storePrice(ctx, changed, computed);
  const totals = Object.fromEntries(Object.entries(computed.result.totals).map(([key, value]) => [key, Number(value)]));
  const isGranted = AMENDABLE.includes(license.phase) && isWithin(await licenseRights(ctx, license.id), granted);
  const availability = isGranted ? AS_GRANTED : await checkLicenseRights(ctx, license.id);
  return { before: license, after: await findLicense(ctx.db, license.id), chargesBefore,
    chargesAfter: await chargeStates(ctx, license.id), availability, cancelled,
    totals: totals as AmendmentPreview['after'] };
}

async function takeFee(ctx: WorkContext, license: License, fee: NonNullable<AmendmentChanges['fee']>): Promise<void> {
  const terms = { ...license.fee_terms, negotiated_fee_minor: fee.fee_per_performance_minor };
  await ctx.db.exec(sql`
    update licenses set fee_method = 'negotiated', negotiated_reason = ${fee.reason},
      fee_terms = ${JSON.stringify(terms)} where id = ${license.id}`);
}

/** Every performance still to come, moved by as many days as the first of them. */
async function movedNights(
  ctx: WorkContext, licenseId: number, changes: AmendmentChanges,
): Promise<PerformanceChange[]> {
  if (changes.performances) throw invalidField('changes.dates', 'Move the whole run or single performances, not both');
  const rows = await ctx.db.query<{ id: number; local_date: string }>(sql`
    select id, local_date from performances where license_id = ${licenseId} and status in ('planned', 'postponed')
    order by local_date, id`);
  const [first] = rows;
  if (!first) throw invalidField('changes.dates', 'No performance is left to move');
  const days = diffDays(first.local_date, changes.dates!.first_performance_on);
  return rows.map((row) => ({ id: row.id, local_date: addDays(row.local_date, days) }));
}

type PerformanceChange = NonNullable<AmendmentChanges['performances']>[number];

/** Moves, adds and cancels; a performance that was held or cancelled stays as it is. Answers the cancelled ids. */
async function changePerformances(
  ctx: WorkContext, license: License, changes: readonly PerformanceChange[],
): Promise<number[]> {
  const known = await ctx.db.query<{ id: number; license_venue_id: number; local_date: string; local_time: string;
    type: 'public'; is_free: boolean; status: string; expected_attendance: number | null }>(sql`
    select id, license_venue_id, local_date, to_char(local_time, 'HH24:MI') as local_time, type, is_free, status,
      expected_attendance from performances where license_id = ${license.id}`);
  const venues = await ctx.db.query<{ id: number }>(sql`
    select id from license_venues where license_id = ${license.id}`);
  const cancelled: number[] = [];
  const byVenue = new Map<number, Parameters<typeof savePerformances>[3][number][]>();
  for (const [index, change] of changes.entries()) {
    const at = `changes.performances.${index}`;
    const before = known.find((row) => row.id === change.id);
    if (change.id !== undefined && !before) throw invalidField(`${at}.id`,
      spell`This performance is not one of the license`);
    if (before && !['planned', 'postponed'].includes(before.status)) {
      throw invalidField(`${at}.id`, `This performance is ${before.status} already`);
    }
    if (before && change.cancel === true) {
      cancelled.push(before.id);
      continue;
    }
    const venueId = before?.license_venue_id ?? change.license_venue_id;
    if (!venues.some((venue) => venue.id === venueId)) {
      throw invalidField(`${at}.license_venue_id`, spell`Choose a venue of the license`);
    }
    const date = change.local_date ?? before?.local_date;
    const time = change.local_time ?? before?.local_time;
    if (!date || !time) throw invalidField(`${at}.local_date`, 'Enter date and time');
    const row = { ...before ? { id: before.id } : {}, local_date: date, local_time: time,
      type: change.type ?? before?.type ?? 'public', is_free: change.is_free ?? before?.is_free ?? false,
      expected_attendance: before?.expected_attendance ?? null };
    byVenue.set(venueId!, [...byVenue.get(venueId!) ?? [], row]);
  }
  await ctx.db.exec(sql`
    update performances set status = 'cancelled', cancelled_at = ${ctx.now().toISOString()},
      cancel_reason = 'Amendment', ordinal = null, version = version + 1 where id = any (${cancelled})`);
  for (const [venueId, rows] of byVenue) {
    await savePerformances(ctx, license, venueId, rows, { replace: false, at: 'changes.performances' });
  }
  return cancelled;
}

export interface AmendLicense {
  license_id: number;
  version: number | null;
  changes: AmendmentChanges;
  reason: string;
  /** Staff record that the changed dates or places are cleared although a rule says otherwise. */
  clearance_reason?: string | undefined;
  /** The request of the customer that this carries out. */
  amendment_id?: number;
  from_portal?: boolean;
  automatic?: boolean;
}

/** Amends at once; answers the id of its row. 409 where the phase or the rights refuse, 422 at the change. */
export async function amendLicense(ctx: WorkContext, input: AmendLicense, by: Mover): Promise<number> {
  if (input.changes.postpone) return postponeRun(ctx, input, by);
  const seen = await findLicense(ctx.db, input.license_id);
  await lockShowRights(ctx.db, seen.show_code);
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  // The phase is asked first: a draft is told to change directly, not that its price differs.
  await assertMove(ctx, { license, event: 'amend', by, facts: { availability_clear: true } });
  const applied = await applyChanges(ctx, license, input.changes);
  if (input.clearance_reason) {
    await ctx.db.exec(sql`update licenses set availability_override_reason = ${input.clearance_reason},
      availability_override_by_id = ${ctx.actor.actor_id} where id = ${license.id}`);
  }
  const version = await ctx.db.one<{ n: number }>(sql`
    select coalesce(max(version_no), 0) + 1 as n from license_versions where license_id = ${license.id}`);
  const delta = applied.after.grand_total_minor - license.grand_total_minor;
  const amended = await moveLicense(ctx, { license, event: 'amend', by, reason: input.reason,
    facts: { availability_clear: applied.availability.verdict === 'clear',
      clearance_recorded: Boolean(input.clearance_reason) },
    details: { delta_minor: delta, version_no: version.n }, set: [sql`offer_version = ${version.n}`] });
  const frozen = await newVersion(ctx, license.id, version.n, { reason: input.reason });
  const id = await storeAmendment(ctx, license, applied, input, frozen.license_version_id);
  await billAmendment(ctx, amended, applied.chargesBefore, input.reason, applied.cancelled);
  await scheduleReports(ctx, license.id);
  const shipping = await followRun(ctx, license, amended);
  await mailCustomer(ctx, amended, { template: 'license.amended', subject: `Amended: ${license.title_on_license}`,
    lines: [`${numbersInWords(license)} has been amended: ${input.reason}`,
      'The addendum is attached. Please sign it online.', ...shipping === null ? [] : [shipping]],
    link: { label: 'Read and sign the addendum', tab: 'quote' },
    attachments: frozen.documents.map((document) => ({ filename: document.name, content_type: 'application/pdf',
      storage_key: document.storage_key })) });
  await refreshChecklist(ctx, license.id);
  return id;
}

async function storeAmendment(
  ctx: WorkContext, license: License, applied: Applied, input: AmendLicense, versionId: number,
): Promise<number> {
  const now = ctx.now().toISOString();
  if (input.amendment_id !== undefined) {
    await ctx.db.exec(sql`
      update license_amendments set status = 'applied', decided_by_id = ${ctx.actor.actor_id}, decided_at = ${now},
        price_before_minor = ${license.grand_total_minor}, price_after_minor = ${applied.after.grand_total_minor},
        license_version_id = ${versionId}, version = version + 1 where id = ${input.amendment_id}`);
    return input.amendment_id;
  }
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_amendments (license_id, kind, status, requested_by_id, from_portal, reason, changes,
      price_before_minor, price_after_minor, currency, automatic, license_version_id, decided_by_id, decided_at,
      created_at)
    values (${license.id}, 'amend', 'applied', ${ctx.actor.actor_id}, ${input.from_portal ?? false}, ${input.reason},
      ${JSON.stringify(input.changes)}, ${license.grand_total_minor}, ${applied.after.grand_total_minor},
      ${license.currency}, ${input.automatic ?? false}, ${versionId}, ${ctx.actor.actor_id}, ${now},
      ${now}) returning id`);
  return row.id;
}
