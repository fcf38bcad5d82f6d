/**
 * Current facts of a license, under the names that the guards of the phase machine ask for (domain.md 1.1).
 */
import { discountNeedsApproval, computeLicensePrice } from '../pricing/price-license.server.ts';
import { PriceError } from '#kernel/pricing/price-error.ts';
import type { Facts } from '#kernel/licensing/machine.ts';
import { hasMaterials, materialsOut, materialsToOrder } from '#modules/stock/stock.public.server.ts';
import { localDate } from '#server/clock.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { NoRateError, type ComputedPrice } from '../pricing/compute-price.server.ts';
import { streamOwed, streamSold } from '../../add-ons/streams-owed.server.ts';
import { reportsExpected } from '../../box-office/reports-expected.server.ts';
import { isFixedFee } from '../billing/billing.server.ts';
import { setMissing } from '../../materials/set-missing.server.ts';
import { findLicense, type License } from '../license-record.server.ts';

interface Row {
  venues_without_run: number; venues: number; unpriced: number; billing_address: boolean; signer: boolean;
  signatures: number; paid_minor: number; due_before_minor: number; deposits_open: number; deposit_held: boolean;
  invoices_issued: number; payments: number; reports_missing: number; stream_sold: boolean;
  stream_owed: boolean; materials_out: boolean; has_materials: boolean; has_orchestrations: boolean;
  materials_to_order: boolean; set_missing: boolean;
  po_documents: number; timezone: string | null; proforma_open: number; plan_open: boolean;
}

/**
 * Facts for every guard; those that a request brings along (a reason, the version that was read) are added by the
 * caller. "No payment posted", "policy met" and the balance read the receivables of the licence.
 */
export async function licenseFacts(ctx: WorkContext, licenseId: number): Promise<Facts> {
  return factsOf(ctx, await findLicense(ctx.db, licenseId));
}

/** The same for a licence read in this transaction and not changed since; `computed` is its price, if known. */
export async function factsOf(ctx: WorkContext, license: License, computed?: ComputedPrice): Promise<Facts> {
  const reported = await reportsExpected(ctx.db, license) !== null;
  const row = await factsRow(ctx, license, reported);
  const now = ctx.now();
  const today = await venueDay(ctx, license, row.timezone);
  const first = license.first_performance_on;
  const last = license.last_performance_on;
  const expired = license.offer_expires_at !== null && new Date(license.offer_expires_at) < now;
  const paid = row.paid_minor > 0 || row.payments > 0 || row.deposit_held;
  return {
    has_performances: row.venues > 0 && row.venues_without_run === 0,
    performances_priced: license.priced_at !== null && row.unpriced === 0,
    discount_approved: !discountNeedsApproval(license),
    availability_clear: license.availability_result?.verdict === 'clear',
    clearance_recorded: license.availability_override_reason !== null,
    billing_address: row.billing_address,
    signer_email: row.signer,
    ...license.phase === 'draft' ? await draftPriceFacts(ctx, license, computed) : OFFERED_PRICE,
    total_not_negative: license.grand_total_minor >= 0,
    repriced: license.priced_at !== null,
    offer_not_expired: !expired,
    offer_expired: expired,
    signature_recorded: row.signatures > 0,
    execution_policy_met: policyMet(license, row),
    purchase_order_on_file: license.purchase_order_no !== null || row.po_documents > 0,
    no_payment_posted: !paid,
    nothing_paid: !paid,
    no_invoice_issued: row.invoices_issued === 0,
    pay_by_passed: license.pay_by !== null && today > license.pay_by,
    first_performance_reached: first !== null && today >= first,
    first_performance_not_reached: first === null || today < first,
    last_performance_passed: last !== null && today > last,
    report_expected: reported,
    box_office_complete: row.reports_missing === 0,
    stream_sold: row.stream_sold,
    streams_reported: !row.stream_owed,
    returns_closed: !row.materials_out,
    has_materials: row.has_materials || row.set_missing,
    has_orchestrations: row.has_orchestrations,
    materials_ordered: !row.materials_to_order && !row.set_missing,
    balance_zero: license.balance_minor === 0 && row.proforma_open === 0 && !(row.plan_open && isFixedFee(license)),
    deposit_settled: row.deposits_open === 0,
    no_dispute: !license.dispute,
    reported_within_policy: true,
  };
}

/** The paid policies: everything due before execution has been received; the others are decided by staff. */
function policyMet(license: License, row: Row): boolean {
  if (license.execution_policy === 'purchase_order') return license.purchase_order_no !== null || row.po_documents > 0;
  if (license.execution_policy === 'signature_only') return license.execution_policy_reason !== null;
  return row.due_before_minor === 0 && row.proforma_open === 0 && !(license.deposit_minor > 0 && !row.deposit_held);
}

/** The day it is where the first venue stands. */
async function venueDay(ctx: WorkContext, license: License, zone: string | null): Promise<string> {
  return zone === null ? ctx.today(license.division) : localDate(ctx.now(), zone);
}

/** Price and tax of an offer stay as they were offered. */
const OFFERED_PRICE = { tax_computed: true, price_current: true };

/** By its rate card too, which never changes once approved: a rate of the takings shows in no total. */
function isStored(license: License, { result: { totals }, card }: ComputedPrice): boolean {
  return (card?.id ?? null) === license.rate_card_id && Number(totals.total_minor) === license.grand_total_minor
    && Number(totals.tax_minor) === license.tax_total_minor;
}

/**
 * Whether tax can be computed, and whether the stored price is the one that would be computed now: a certificate, a VAT
 * number, an address or a rate may have changed since, and an offer of the old price would differ from its invoice.
 */
async function draftPriceFacts(ctx: WorkContext, license: License, known: ComputedPrice | undefined):
Promise<typeof OFFERED_PRICE> {
  const priced = license.priced_at !== null;
  try {
    const computed = known ?? await computeLicensePrice(ctx, license);
    return { tax_computed: computed.result.problems.length === 0, price_current: !priced
      || isStored(license, computed) };
  } catch (error) {
    if (error instanceof PriceError || error instanceof NoRateError) {
      return { tax_computed: priced, price_current: !priced };
    }
    throw error;
  }
}

function factsRow(ctx: WorkContext, license: License, reported: boolean): Promise<Row> {
  const id = license.id;
  return ctx.db.one<Row>(sql`
    select
      (select count(*) from license_venues where license_id = ${id}) as venues,
      (select count(*) from license_venues where license_id = ${id} and number_of_performances = 0)
        as venues_without_run,
      (select count(*) from performances where license_id = ${id} and status in ('planned', 'performed')
        and unit_fee_minor is null) as unpriced,
      (select billing_address is not null from customers where id = ${license.customer_id}) as billing_address,
      exists (select 1 from customer_users m join users u on u.id = m.user_id
        where m.customer_id = ${license.customer_id} and m.role in ('admin', 'signer') and u.disabled_at is null)
        or exists (select 1 from customer_contacts
          where customer_id = ${license.customer_id} and active and email is not null) as signer,
      (select count(*) from signatures s join license_versions v on v.id = s.license_version_id
        where s.license_id = ${id} and s.voided_at is null and v.version_no = (select max(version_no)
          from license_versions where license_id = ${id} and reason = 'offer'
            and version_no <= ${license.offer_version})) as signatures,
      (select coalesce(sum(amount_minor), 0) from license_instalments where license_id = ${id}
        and due_event in ('acceptance', 'execution') and status <> 'paid' and not is_deposit
        and amount_minor > 0)::bigint as due_before_minor,
      (select coalesce(sum(paid_minor), 0) from invoices where license_id = ${id} and kind = 'invoice')::bigint
        as paid_minor,
      (select count(*) from payments where license_id = ${id} and direction = 'in'
        and status in ('posted', 'cleared')) as payments,
      (select count(*) from deposits where license_id = ${id} and status in ('requested', 'held')) as deposits_open,
      exists (select 1 from deposits where license_id = ${id} and status in ('held', 'settled')) as deposit_held,
      (select count(*) from invoices where license_id = ${id} and kind <> 'proforma'
        and status in ('issued', 'part_paid', 'paid')) as invoices_issued,
      (select count(*) from invoices where license_id = ${id} and kind = 'proforma' and status = 'proforma')
        as proforma_open,
      exists (select 1 from license_instalments i left join deposits d on d.id = i.deposit_id
        where i.license_id = ${id} and i.amount_minor > 0 and i.invoice_id is null
          and (not i.is_deposit or d.status in ('held', 'settled')))
        and exists (select 1 from license_charges c where c.license_id = ${id}
          and c.net_minor > c.invoiced_net_minor) as plan_open,
      (select count(*) from box_office_reports where license_id = ${id}
        and status in ('expected', 'submitted', 'queried'))
        + case when ${reported} and not exists (select 1 from box_office_reports
          where license_id = ${id} and status in ('accepted', 'estimated')) then 1 else 0 end as reports_missing,
      ${streamSold(sql`${id}`)} as stream_sold, ${streamOwed(sql`${id}`)} as stream_owed,
      ${materialsOut(sql`${id}`)} as materials_out, ${hasMaterials(sql`${id}`)} as has_materials,
      ${materialsToOrder(sql`${id}`)} as materials_to_order, ${setMissing(sql`${id}`)} as set_missing,
      (select orchestrations <> '{}' from shows where id = ${license.show_id}) as has_orchestrations,
      (select count(*) from license_documents where license_id = ${id} and type = 'purchase_order'
        and deleted_at is null) as po_documents,
      (select time_zone from license_venues where license_id = ${id} order by sort, id limit 1) as timezone`);
}
