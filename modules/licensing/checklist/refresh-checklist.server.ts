/** Keeps the checklist true: automatic items follow the facts of the licence, people tick the rest (domain.md 6.1). */
import type { Facts } from '#kernel/licensing/machine.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { ComputedPrice } from '../licenses/pricing/compute-price.server.ts';
import { factsOf } from '../licenses/phase/license-facts.server.ts';
import { findLicense, type License } from '../licenses/license-record.server.ts';
import { CHECKLIST, checklistDueOn } from './checklist-items.server.ts';

/**
 * Makes missing items and sets automatic ones from the facts; idempotent, called after every change. `computed` is the
 * price that was just stored.
 */
export async function refreshChecklist(ctx: WorkContext, licenseId: number, computed?: ComputedPrice): Promise<void> {
  const license = await findLicense(ctx.db, licenseId);
  const facts = await factsOf(ctx, license, computed);
  const done = doneItems(license, facts);
  const items = CHECKLIST.filter((row) => (!row.policies || row.policies.includes(license.execution_policy))
    && (!row.streamed || facts.stream_sold) && (!row.lent || facts.has_materials)
    && (!row.reported || facts.report_expected));
  const dates = { first: license.first_performance_on, last: license.last_performance_on,
    settlement: license.settlement_due_on, shipping: license.ship_on };
  await ctx.db.exec(sql`
    insert into license_checklist_items (license_id, key, label, owner, blocks_phase, automatic, due_on, sort)
    select ${licenseId}, r.key, r.label, r.owner, r.blocks, r.automatic, r.due, r.sort
    from unnest(${items.map((row) => row.key)}::text[], ${items.map((row) => row.label)}::text[],
      ${items.map((row) => row.owner)}::text[], ${items.map((row) => row.blocks_phase)}::text[],
      ${items.map((row) => row.automatic)}::boolean[], ${items.map((row) => checklistDueOn(row.due, dates))}::date[],
      ${items.map((row) => CHECKLIST.indexOf(row))}::int[]) as r (key, label, owner, blocks, automatic, due, sort)
    on conflict (license_id, key) do update set due_on = excluded.due_on
      where license_checklist_items.due_on is distinct from excluded.due_on`);
  const keys = items.filter((row) => row.automatic && done.has(row.key)).map((row) => row.key);
  const others = items.map((row) => row.key);
  await ctx.db.exec(sql`
    update license_checklist_items set
      status = case when key = any (${keys}) then 'done' else 'open' end,
      done_at = case when key = any (${keys}) then ${ctx.now().toISOString()}::timestamptz end,
      note = case when key = any (${keys}) then '' else note end, version = version + 1
    where license_id = ${licenseId} and automatic and key = any (${others}) and status <> 'waived'
      and (status = 'done') <> (key = any (${keys}))`);
  // An item of another execution policy, of a report nobody expects, of a stream not sold or material not sent.
  await ctx.db.exec(sql`
    update license_checklist_items set status = 'waived', done_at = ${ctx.now().toISOString()},
      note = 'No longer needed', version = version + 1
    where license_id = ${licenseId} and automatic and status = 'open' and key <> all (${others})`);
}

function doneItems(license: License, facts: Facts): Set<string> {
  const executed = license.license_number !== null;
  const checks: Record<string, boolean | undefined> = {
    rights_cleared: facts.availability_clear || facts.clearance_recorded,
    venues_and_performances_confirmed: facts.has_performances,
    pricing_approved: facts.performances_priced && facts.price_current && facts.discount_approved,
    tax_profile: facts.tax_computed,
    contract_signed: facts.signature_recorded,
    payment_received: executed || facts.execution_policy_met,
    deposit_received: executed || facts.execution_policy_met,
    po_on_file: facts.purchase_order_on_file,
    cast_size_and_orchestration: license.cast_size !== null
      && (license.show_type === 'play' || license.orchestration !== null || !facts.has_orchestrations),
    materials_ordered: facts.materials_ordered,
    public_announcement_allowed: executed,
    box_office_reports_received: ['settlement', 'closed'].includes(license.phase) && facts.box_office_complete,
    stream_takings_reported: ['settlement', 'closed'].includes(license.phase) && facts.streams_reported,
    final_invoice_paid: ['settlement', 'closed'].includes(license.phase) && facts.balance_zero,
    deposit_settled: ['settlement', 'closed'].includes(license.phase) && facts.deposit_settled,
  };
  return new Set(Object.keys(checks).filter((key) => checks[key] === true));
}
