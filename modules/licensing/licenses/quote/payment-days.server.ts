/** The days that payments of a license depend on: first shipment, packing, first performance, terms of its invoices. */
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import { MATERIALS_LEAD_DAYS, shipOn } from '#kernel/licensing/clocks.ts';
import { packedBy, payBy, type PayBy } from '#kernel/licensing/pay-by.ts';
import type { ShipGroup } from '#kernel/materials/explode.ts';
import { lineShipsOn } from '#kernel/materials/ship-dates.ts';
import { termsDays } from '#kernel/receivables/payment-terms.ts';
import { holidaysOf } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';

/** Part of the frozen offer. */
export interface PaymentDays {
  first_performance_on: IsoDate | null;
  /** The first parcel of the warehouse; null where it sends none. */
  ships_on: IsoDate | null;
  packed_by: IsoDate | null;
  /** Of an invoice to this customer, from its date. */
  invoice_days: number;
}

/** As an offer of today knows them. */
export async function paymentDays(ctx: WorkContext, license: License, today: IsoDate): Promise<PaymentDays> {
  const ships = await firstShipmentOn(ctx, license, today);
  const { days } = await ctx.db.one<{ days: number }>(sql`
    select payment_terms_days as days from customers where id = ${license.customer_id}`);
  return { first_performance_on: license.first_performance_on, ships_on: ships,
    packed_by: ships === null ? null : packedBy(ships, await holidaysOf(ctx, license.division, today)),
    invoice_days: termsDays(days, license.execution_policy === 'purchase_order') };
}

/** The last day to pay of a license that is signed today; null without dates of the run. */
export async function deadlineOf(ctx: WorkContext, license: License, today: IsoDate): Promise<PayBy | null> {
  const { first_performance_on: first, division } = license;
  if (first === null) return null;
  return payBy({ accepted_on: today, first_performance_on: first,
    ships_on: await firstShipmentOn(ctx, license, today), holidays: await holidaysOf(ctx, division, today) });
}

/** The first parcel that the warehouse would send if the license were valid today; null where it sends none. */
async function firstShipmentOn(ctx: WorkContext, license: License, today: IsoDate): Promise<IsoDate | null> {
  const { first_performance_on: first, division } = license;
  if (first === null) return null;
  const lines = await ctx.db.query<{ ship_group: ShipGroup; lead_days: number }>(sql`
    select ship_group, lead_days from license_materials
    where license_id = ${license.id} and fulfilment = 'physical' and type <> 'service'`);
  const ship = shipOn(first, MATERIALS_LEAD_DAYS[division], today);
  return lines.map((line) => lineShipsOn(line, first, ship)).filter((day) => day !== null).sort()[0] ?? null;
}
