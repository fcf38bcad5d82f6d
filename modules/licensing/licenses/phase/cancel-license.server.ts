/** Cancelling: what is kept and refunded line by line, credit notes, release of the rights (domain.md 1.1, 2.9). */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { max, min, sum } from '#kernel/money/money.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import { cancelByPolicy, type CancellationResult, type PolicyName } from '#kernel/pricing/cancellation.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import { liftExclusivity } from '#modules/catalogue/restriction/exclusivity.public.server.ts';
import { cancelUnsent, materialsShippedBy } from '#modules/stock/stock.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { countRun } from '../performances/save-performances.server.ts';
import { billRest, creditCancellation, isFixedFee, voidBilling } from '../billing/billing.server.ts';
import { dropExpectedReports, scheduleReports } from '../billing/sync-expected-reports.server.ts';
import { returnsAndSettlement } from '../license-dates.server.ts';
import type { CancellationAnswer, CancellationPlan, StaffCancellation } from '../license.contract.ts';
import { findLicense, lockLicense, type License } from '../license-record.server.ts';
import type { Mover } from './mover.server.ts';
import { closeTasks, mailCustomer } from './notify.server.ts';
import { voidOfferDocuments } from '../quote/send-offer.server.ts';
import { assertMove, moveLicense } from './transition.server.ts';

interface Charge {
  id: number; license_venue_id: number | null; kind: string; description: string; net_minor: number;
  tax_minor: number; invoiced_net_minor: number; invoiced_tax_minor: number;
}

interface Planned {
  answer: CancellationPlan;
  charges: readonly { charge: Charge; keep: bigint; refund: bigint }[];
}

const ROYALTY = ['royalty', 'advance'];

/** Amounts that cancelling on a day keeps and refunds; `on` null is today. Once the run has begun: the remainder. */
export async function cancellationOf(ctx: WorkContext, licenseId: number, on: string | null, waiveMinor = 0):
Promise<CancellationAnswer> {
  const license = await findLicense(ctx.db, licenseId);
  const plan = license.phase === 'in_production' ? await remainingAnswer(ctx, license)
    : (await planCancellation(ctx, license, on, waiveMinor)).answer;
  const { open_minor, held_minor } = await ctx.db.one<{ open_minor: number; held_minor: number }>(sql`
    select (select coalesce(sum(balance_minor), 0) from invoices where license_id = ${licenseId} and kind = 'invoice'
        and status in ('issued', 'part_paid') and currency = ${license.currency})::bigint as open_minor,
      (select coalesce(sum(remaining_minor), 0) from deposits where license_id = ${licenseId} and status = 'held'
        and currency = ${license.currency})::bigint as held_minor`);
  const credited = plan.refund_minor + plan.tax_minor;
  return { ...plan, open_minor, held_minor, left_open_minor: Math.max(0, open_minor - credited),
    overpaid_minor: Math.max(0, credited - open_minor) };
}

function chargesOf(ctx: WorkContext, licenseId: number): Promise<Charge[]> {
  return ctx.db.query<Charge>(sql`
    select id, license_venue_id, kind, description, net_minor, tax_minor, invoiced_net_minor, invoiced_tax_minor
    from license_charges where license_id = ${licenseId} and net_minor > 0 order by sort, id`);
}

/** A fixed fee is billed to its end before the performances that are not played are refunded. */
const wholeBilled = (charge: Charge): Charge =>
  ({ ...charge, invoiced_net_minor: charge.net_minor, invoiced_tax_minor: charge.tax_minor });

async function remainingAnswer(ctx: WorkContext, license: License): Promise<CancellationPlan> {
  const today = await ctx.today(license.division);
  const gone = await remaining(ctx, license.id, today);
  const stored = await chargesOf(ctx, license.id);
  const charges = isFixedFee(license) ? stored.map(wholeBilled) : stored;
  const refunds = new Map(refundsOfVenues(charges, gone).map((row) => [row.license_charge_id, BigInt(row.net_minor)]));
  const lines = charges.map((charge) => {
    const refund = refunds.get(charge.id) ?? 0n;
    return { charge, refund, keep: BigInt(charge.invoiced_net_minor) - refund };
  });
  const keep = Number(sum(lines.map((line) => line.keep)));
  return {
    license_id: license.id, on: today, policy: 'remaining', shipped: true, currency: license.currency,
    lines: lines.map(({ charge, refund, keep: kept }) => ({
      charge_id: charge.id, description: charge.description, kind: charge.kind, quoted_minor: charge.net_minor,
      invoiced_minor: charge.invoiced_net_minor, keep_minor: Number(kept), refund_minor: Number(refund),
      rule: refund > 0n ? 'The fees of the performances that are not played are refunded'
        : charge.invoiced_net_minor === 0 ? 'Not invoiced yet: nothing is asked for' : 'The run has begun: kept',
    })),
    keep_minor: keep, refund_minor: Number(sum(lines.map((line) => line.refund))), fee_minor: keep,
    tax_minor: Number(sum(lines.map((line) => taxOf(line.charge, line.refund)))), performances: gone.length,
    version: license.version,
  };
}

async function planCancellation(
  ctx: WorkContext, license: License, on: string | null, waiveMinor: number,
): Promise<Planned> {
  const day = on ?? await ctx.today(license.division);
  const policy = await ctx.db.one<{ policy: PolicyName; shipped: boolean | null }>(sql`
    select coalesce((select cancellation_policy from license_terms where license_id = ${license.id}),
      'standard') as policy, ${materialsShippedBy(sql`${license.id}`, sql`${day}`)} as shipped`);
  const charges = await chargesOf(ctx, license.id);
  const billed = charges.map((charge) => ({ ...charge, base: BigInt(charge.invoiced_net_minor) }));
  // Without pieces on order (files alone, or sent before this system kept stock) the day that the licence names counts.
  const shipped = policy.shipped
    ?? (license.ship_on !== null && day >= license.ship_on && license.license_number !== null);
  const part = (kinds: boolean): bigint => sum(billed.filter((row) => ROYALTY.includes(row.kind) === kinds)
    .map((row) => row.base));
  const result = cancelByPolicy({ policy: policy.policy, shipped, royalty_minor: part(true),
    materials_minor: part(false),
    advance_minor: sum(billed.filter((row) => row.kind === 'advance').map((row) => row.base)),
    min_per_performance_minor: BigInt(license.min_per_performance_minor ?? 0),
    performances: license.number_of_performances });
  return answerFor(license, day, policy.policy, shipped, billed, result, BigInt(waiveMinor));
}

/** Kept amounts go to the lines they came from: the advance first, the rest in proportion. */
function answerFor(
  license: License, on: string, policy: string, shipped: boolean, charges: readonly (Charge & { base: bigint })[],
  result: CancellationResult, waive: bigint,
): Planned {
  const kept = { royalty: result.royalty_kept_minor, materials: result.materials_kept_minor };
  const waived = min(waive, kept.royalty + kept.materials);
  const materials = max(0n, kept.materials - waived);
  const royalty = kept.royalty - (waived - (kept.materials - materials));
  const rows = [
    ...spread(charges.filter((row) => ROYALTY.includes(row.kind)), royalty),
    ...spread(charges.filter((row) => !ROYALTY.includes(row.kind)), materials),
  ];
  const tax = sum(rows.map((row) => taxOf(row.charge, row.refund)));
  return {
    charges: rows,
    answer: {
      license_id: license.id, on, policy, shipped, currency: license.currency,
      lines: rows.map(({ charge, keep, refund }) => ({
        charge_id: charge.id, description: charge.description, kind: charge.kind, quoted_minor: charge.net_minor,
        invoiced_minor: charge.invoiced_net_minor, keep_minor: Number(keep), refund_minor: Number(refund),
        rule: ruleOf(charge, shipped, keep),
      })),
      keep_minor: Number(sum(rows.map((row) => row.keep))), refund_minor: Number(sum(rows.map((row) => row.refund))),
      fee_minor: Number(sum(rows.map((row) => row.keep))), tax_minor: Number(tax),
      performances: license.number_of_performances, version: license.version,
    },
  };
}

function spread(charges: readonly (Charge & { base: bigint })[], kept: bigint): Planned['charges'] {
  const advances = charges.filter((row) => row.kind === 'advance');
  const others = charges.filter((row) => row.kind !== 'advance');
  const onAdvance = min(kept, sum(advances.map((row) => row.base)));
  const parts = new Map<number, bigint>();
  for (const [group, amount] of [[advances, onAdvance], [others, kept - onAdvance]] as const) {
    const total = sum(group.map((row) => row.base));
    const shares = total > 0n ? splitByWeight(amount, group.map((row) => row.base)) : [];
    group.forEach((row, k) => parts.set(row.id, shares[k] ?? 0n));
  }
  return charges.map((charge) => ({ charge, keep: parts.get(charge.id) ?? 0n,
    refund: charge.base - (parts.get(charge.id) ?? 0n) }));
}

function taxOf(charge: Charge, refund: bigint): bigint {
  const net = BigInt(charge.invoiced_net_minor);
  return net === 0n ? 0n : splitByWeight(BigInt(charge.invoiced_tax_minor), [refund, net - refund])[0] ?? 0n;
}

function ruleOf(charge: Charge, shipped: boolean, keep: bigint): string {
  if (charge.invoiced_net_minor === 0) return 'Not invoiced yet: nothing is asked for';
  if (charge.kind === 'advance') return keep > 0n ? 'A professional advance is not refunded' : 'Refunded';
  if (ROYALTY.includes(charge.kind)) return keep > 0n ? 'Kept under the cancellation policy' : 'Refunded';
  return shipped ? 'The materials have shipped: not refunded' : 'Refunded before the materials ship';
}

export interface CancelLicense {
  license_id: number;
  version: number | null;
  reason: string;
  on: string;
  waive_minor?: number | undefined;
  waiver_approval_id?: number | undefined;
}

/** Cancels with fee and credit notes as previewed. A waiver needs another person's approval (four eyes). */
export async function cancelLicense(ctx: WorkContext, input: CancelLicense, by: Mover): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  await assertMove(ctx, { license, event: 'cancel', by, reason: input.reason });
  const waive = input.waive_minor ?? 0;
  if (waive > 0) await checkWaiver(ctx, license, waive, input.waiver_approval_id);
  const plan = await planCancellation(ctx, license, input.on, waive);
  const cancelled = await moveLicense(ctx, { license, event: 'cancel', by, reason: input.reason,
    details: { on: input.on, keep_minor: plan.answer.keep_minor, refund_minor: plan.answer.refund_minor,
      waive_minor: waive },
    set: [sql`cancelled_at = ${ctx.now().toISOString()}`, sql`cancel_reason = ${input.reason}`] });
  await cancelPerformances(ctx, license.id, input.on, input.reason);
  await voidOfferDocuments(ctx, license.id, 'void');
  await voidBilling(ctx, license.id, input.reason);
  await creditCancellation(ctx, cancelled, input.on, input.reason,
    plan.charges.filter((row) => row.refund > 0n)
      .map((row) => ({ license_charge_id: row.charge.id, net_minor: Number(row.refund) })));
  await cancelUnsent(ctx, license.id, input.reason);
  await liftExclusivity(ctx, license.id);
  await dropExpectedReports(ctx, license.id);
  await answerRequests(ctx, license.id);
  const spell = spellIn(documentLanguage(license.division));
  await mailCustomer(ctx, cancelled, { template: 'license.cancelled',
    subject: spell`Canceled: ${license.title_on_license}`,
    lines: [spell`${numbersInWords(license)}, ${license.title_on_license}, has been canceled: ${input.reason}`] });
  await refreshChecklist(ctx, license.id);
  return findLicense(ctx.db, license.id);
}

/** Closes the customer's requests: the cancellation answers them; nothing is left to change either. */
async function answerRequests(ctx: WorkContext, licenseId: number): Promise<void> {
  await ctx.db.exec(sql`
    update license_amendments set status = case kind when 'cancel_request' then 'applied' else 'refused' end,
      decision_note = case kind when 'cancel_request' then decision_note else 'The production is cancelled.' end,
      decided_by_id = ${ctx.actor.actor_id}, decided_at = ${ctx.now().toISOString()}, version = version + 1
    where license_id = ${licenseId} and status = 'requested'`);
  await closeTasks(ctx, licenseId, ['unlicensed_performance', 'pay_by_passed', 'cancellation_requested',
    'amendment_requested', 'unpaid_balance', 'contract_signed', 'no_way_to_pay']);
}

async function checkWaiver(
  ctx: WorkContext, license: License, waive: number, approvalId: number | undefined,
): Promise<void> {
  const approval = await ctx.db.maybeOne<{ actor_id: number | null; waive_minor: number }>(sql`
    select actor_id, (details ->> 'waive_minor')::bigint as waive_minor from license_events
    where id = ${approvalId ?? 0} and license_id = ${license.id} and event = 'approve_waiver'`);
  if (!approval || approval.waive_minor < waive) {
    throw conflict('license.waiver_not_approved', 'Another person has to approve that this amount is waived.',
      { phase: license.phase });
  }
  if (approval.actor_id === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Someone other than the person who cancels has to approve the waiver.');
  }
}

/** Waiver that a person approved last; null where none is. */
export async function lastWaiver(ctx: WorkContext, licenseId: number): Promise<StaffCancellation['waiver']> {
  return ctx.db.maybeOne<NonNullable<StaffCancellation['waiver']>>(sql`
    select e.id, (e.details ->> 'waive_minor')::bigint as waive_minor, e.reason, e.actor_id as approved_by_id,
      concat_ws(' ', u.first_name, u.last_name) as approved_by_name
    from license_events e left join users u on u.id = e.actor_id
    where e.license_id = ${licenseId} and e.event = 'approve_waiver' order by e.id desc limit 1`);
}

async function cancelPerformances(ctx: WorkContext, licenseId: number, from: string, reason: string): Promise<number> {
  return ctx.db.exec(sql`
    update performances set status = 'cancelled', cancelled_at = ${ctx.now().toISOString()},
      cancel_reason = ${reason}, ordinal = null, version = version + 1
    where license_id = ${licenseId} and status in ('planned', 'postponed') and local_date >= ${from}`);
}

/**
 * Ends a run early (edge 17): what has not been played from today on is cancelled, its fees are refunded when it was
 * reported within the policy (24 hours), the licence goes to settlement.
 */
export async function cancelRemaining(
  ctx: WorkContext, input: { license_id: number; version: number | null; reason: string }, by: Mover,
): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  await assertMove(ctx, { license, event: 'cancel_remaining', by, reason: input.reason });
  const today = await ctx.today(license.division);
  const gone = await remaining(ctx, license.id, today);
  await billRest(ctx, license);
  await cancelPerformances(ctx, license.id, today, input.reason);
  await countRun(ctx.db, license.id);
  const ended = await findLicense(ctx.db, license.id);
  const settled = await moveLicense(ctx, { license: ended, event: 'cancel_remaining', by, reason: input.reason,
    details: { performances: gone.length },
    set: [sql`settlement_at = ${ctx.now().toISOString()}`,
      ...await returnsAndSettlement(ctx, ended, ended.last_performance_on ?? today)] });
  await scheduleReports(ctx, license.id);
  const credits = refundsOfVenues(await chargesOf(ctx, license.id), gone);
  if (credits.length > 0) await creditCancellation(ctx, settled, today, input.reason, credits);
  await answerRequests(ctx, license.id);
  const spell = spellIn(documentLanguage(license.division));
  await mailCustomer(ctx, settled, { template: 'license.cancelled',
    subject: spell`Performances canceled: ${license.title_on_license}`,
    lines: [spell`The ${gone.length} remaining performances of ${license.title_on_license}, ${
      numbersInWords(license)}, have been canceled: ${input.reason}`] });
  await refreshChecklist(ctx, license.id);
  return findLicense(ctx.db, license.id);
}

interface Gone { id: number; license_venue_id: number; unit_fee_minor: number | null }

function remaining(ctx: WorkContext, licenseId: number, from: string): Promise<Gone[]> {
  return ctx.db.query<Gone>(sql`
    select id, license_venue_id, unit_fee_minor from performances
    where license_id = ${licenseId} and status in ('planned', 'postponed') and local_date >= ${from}`);
}

/** Unit fees of cancelled performances, at most what was invoiced of the venue's royalty. */
function refundsOfVenues(
  charges: readonly Charge[], gone: readonly Gone[],
): { license_charge_id: number; net_minor: number }[] {
  return charges.filter((charge) => charge.kind === 'royalty').flatMap((charge) => {
    const fees = sum(gone.filter((row) => row.license_venue_id === charge.license_venue_id)
      .map((row) => BigInt(row.unit_fee_minor ?? 0)));
    const refund = min(fees, BigInt(charge.invoiced_net_minor));
    return refund > 0n ? [{ license_charge_id: charge.id, net_minor: Number(refund) }] : [];
  });
}
