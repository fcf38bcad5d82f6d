/**
 * A run put off to unknown dates: its performances wait, nothing is owed or reported for them, and the price stays. An
 * amendment that gives them dates plans them again.
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { invalidField } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { materialsDueBack } from '#modules/stock/stock.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { lockLicense, type License } from '../licenses/license-record.server.ts';
import { mailCustomer } from '../licenses/phase/notify.server.ts';
import { scheduleReports } from '../licenses/billing/sync-expected-reports.server.ts';
import type { Mover } from '../licenses/phase/mover.server.ts';
import { computeLicensePrice } from '../licenses/pricing/price-license.server.ts';
import { selectionOf } from '../licenses/pricing/price-charges.server.ts';
import { assertMove } from '../licenses/phase/transition.server.ts';
import type { AmendmentChanges, AmendmentPreview } from './amendment.contract.ts';

/** 422 where anything else changes with it, or no performance is left to wait. */
async function waitingNights(ctx: WorkContext, licenseId: number, changes: AmendmentChanges): Promise<number[]> {
  if (Object.keys(changes).length > 1) {
    throw invalidField('changes.postpone', 'A postponement stands alone: ask for other changes afterwards');
  }
  const rows = await ctx.db.query<{ id: number }>(sql`
    select id from performances where license_id = ${licenseId} and status = 'planned' order by starts_at, id`);
  if (rows.length === 0) throw invalidField('changes.postpone', 'No performance is left to postpone');
  return rows.map((row) => row.id);
}

/** The price stays; a person confirms it, because stock and dates depend on it. */
export async function previewPostponement(
  ctx: WorkContext, license: License, changes: AmendmentChanges,
): Promise<AmendmentPreview> {
  const nights = await waitingNights(ctx, license.id, changes);
  const price = license.grand_total_minor;
  const { result } = await computeLicensePrice(ctx, license, await selectionOf(ctx.db, license.id));
  const totals = Object.fromEntries(Object.entries(result.totals).map(([key, value]) =>
    [key, Number(value)])) as AmendmentPreview['after'];
  const looks = 'We confirm a postponement ourselves, because materials and other dates depend on it.';
  return { currency: license.currency, verdict: 'clear', reason_public: nights.length === 1
    ? 'One performance has no date yet. The price stays the same.'
    : `${nights.length} performances have no dates yet. The price stays the same.`,
  price_before_minor: price, price_after_minor: price, delta_minor: 0, before: totals, after: totals, lines: [],
  billing: { invoice_minor: 0, credit_minor: 0, planned_minor: 0 }, automatic: false,
  why_not_automatic: looks, why_we_look: looks };
}

export interface Postponement {
  license_id: number; version: number | null; changes: AmendmentChanges; reason: string;
  /** The request of the customer that this carries out. */
  amendment_id?: number;
}

/** Puts the run off; answers the id of the amendment. */
export async function postponeRun(ctx: WorkContext, input: Postponement, by: Mover): Promise<number> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  await assertMove(ctx, { license, event: 'amend', by, facts: { availability_clear: true } });
  const nights = await waitingNights(ctx, license.id, input.changes);
  await ctx.db.exec(sql`update performances set status = 'postponed', version = version + 1
    where id = any (${nights})`);
  await ctx.db.exec(sql`update licenses set postponed = true, version = version + 1 where id = ${license.id}`);
  const id = await stored(ctx, license, input);
  await writeLicenseEvent(ctx, { license_id: license.id, event: 'postpone', reason: input.reason,
    details: { amendment_id: id, performances: nights.length } });
  await ctx.audit({ action: 'postpone', entity: 'license', entity_id: license.id, after: { performances: nights } });
  await scheduleReports(ctx, license.id);
  await refreshChecklist(ctx, license.id);
  await mailCustomer(ctx, license, { template: 'license.amended', subject: `Postponed: ${license.title_on_license}`,
    lines: [spell`${numbersInWords(license)} is postponed, and its new dates are open. The license stays valid and its
      price the same. Tell us the new dates as soon as you know them; we check that they are free.`,
    ...await dueBackWords(ctx, license)],
    link: { label: 'See your performances', tab: 'performances' } });
  return id;
}

/** Books that are out come back as agreed: nobody knows whether they are needed again soon. */
async function dueBackWords(ctx: WorkContext, license: License): Promise<string[]> {
  const { due } = await ctx.db.one<{ due: string | null }>(sql`
    select ${materialsDueBack(sql`${license.id}`)} as due`);
  return due === null ? [] : [`The books that you have are still due back on ${
    dateFor(documentLanguage(license.division), due)}. Ask us if you need them longer.`];
}

async function stored(ctx: WorkContext, license: License, input: Postponement): Promise<number> {
  const now = ctx.now().toISOString();
  if (input.amendment_id !== undefined) {
    await ctx.db.exec(sql`update license_amendments set status = 'applied', decided_by_id = ${ctx.actor.actor_id},
      decided_at = ${now}, version = version + 1 where id = ${input.amendment_id}`);
    return input.amendment_id;
  }
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_amendments (license_id, kind, status, requested_by_id, from_portal, reason, changes,
      price_before_minor, price_after_minor, currency, automatic, decided_by_id, decided_at, created_at)
    values (${license.id}, 'amend', 'applied', ${ctx.actor.actor_id}, false, ${input.reason},
      ${JSON.stringify(input.changes)}, ${license.grand_total_minor}, ${license.grand_total_minor},
      ${license.currency}, false, ${ctx.actor.actor_id}, ${now}, ${now}) returning id`);
  return row.id;
}

/** Ends the waiting once every performance has a date again. */
export async function endPostponement(ctx: WorkContext, licenseId: number): Promise<void> {
  await ctx.db.exec(sql`update licenses set postponed = false where id = ${licenseId} and postponed
    and not exists (select 1 from performances p where p.license_id = licenses.id and p.status = 'postponed')`);
}
