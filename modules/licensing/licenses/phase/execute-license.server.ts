/** A signed licence becomes valid when its execution policy is met (edge 8 of domain.md 1.1). */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { MATERIALS_LEAD_DAYS, shipOn } from '#kernel/licensing/clocks.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import { blockExclusively, type ExclusiveWindow }
  from '#modules/catalogue/restriction/exclusivity.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { licenceWord } from '../../documents/document-language.ts';
import { executionCertificate } from '../../documents/execution-certificate.server.ts';
import { billExecution, refuseUnpayableExecution } from '../billing/billing.server.ts';
import { scheduleReports } from '../billing/sync-expected-reports.server.ts';
import { licenseFacts } from './license-facts.server.ts';
import { findLicense, lockLicense, type License } from '../license-record.server.ts';
import { SYSTEM, type Mover } from './mover.server.ts';
import { closeTasks, mailCustomer } from './notify.server.ts';
import { attachBestTemplate } from '../../materials/attach-bom.server.ts';
import { noteOrdering, orderMaterials } from '../../materials/order-materials.server.ts';
import { moveLicense } from './transition.server.ts';

/**
 * Called when money reached a licence: executes it where it is accepted and its paid policy is met, else does nothing.
 * Idempotent: a licence that is executed already stays as it is.
 */
export async function executeIfMet(ctx: WorkContext, licenseId: number): Promise<License> {
  const license = await lockLicense(ctx.db, licenseId, null);
  const byStaff = ['purchase_order', 'signature_only'].includes(license.execution_policy);
  if (license.phase !== 'accepted' || byStaff || license.on_hold) return license;
  const facts = await licenseFacts(ctx, licenseId);
  if (facts.execution_policy_met !== true || facts.signature_recorded !== true) return license;
  return execute(ctx, license, SYSTEM, undefined, false);
}

export interface ExecuteLicense {
  license_id: number;
  version: number | null;
  reason?: string | undefined;
  purchase_order_no?: string | undefined;
}

/**
 * Staff execute where the policy leaves it to them; with a purchase order its number, which an uploaded order does not
 * give, else a reason. 422 on `purchase_order_no`.
 */
export async function executeByStaff(ctx: WorkContext, input: ExecuteLicense, by: Mover): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  const policy = license.execution_policy;
  if (license.phase === 'accepted' && policy !== 'purchase_order' && policy !== 'signature_only') {
    throw conflict('license.precondition', spell`This license executes by itself when the payment arrives.`,
      { phase: license.phase, unmet: [{ guard: 'execution_policy_met', message: 'The payment has not arrived.' }] });
  }
  await refuseUnpayableExecution(ctx, license);
  const order = input.purchase_order_no?.trim() || null;
  const given = Boolean(input.reason?.trim());
  if (order !== null) {
    await ctx.db.exec(sql`update licenses set purchase_order_no = ${order} where id = ${license.id}`);
  }
  const asksOrder = license.phase === 'accepted' && policy === 'purchase_order' && !given;
  if (asksOrder && (order ?? license.purchase_order_no) === null) {
    throw invalidField('purchase_order_no', 'Enter the purchase order number. It is printed on the invoice.');
  }
  const override = policy === 'signature_only' ? given : given || order !== null;
  return execute(ctx, await findLicense(ctx.db, license.id), by, input.reason, override);
}

async function execute(
  ctx: WorkContext, license: License, by: Mover, reason: string | undefined, override: boolean,
): Promise<License> {
  const today = await ctx.today(license.division);
  const ship = license.first_performance_on === null ? null
    : shipOn(license.first_performance_on, MATERIALS_LEAD_DAYS[license.division], today);
  const executed = await moveLicense(ctx, { license, event: 'execute', by, reason,
    facts: { staff_override_with_reason: override },
    set: [sql`license_number = next_number('license', ${license.division}, ${today})`,
      sql`executed_at = ${ctx.now().toISOString()}`, sql`ship_on = ${ship}`, sql`on_hold = false`,
      sql`hold_reason = null`] });
  await registerExclusivity(ctx, executed);
  await billExecution(ctx, executed);
  await scheduleReports(ctx, license.id);
  // A licence that was quoted before its show had a template, or before its cast was known, gets its materials now.
  const missing = await attachBestTemplate(ctx, license.id);
  const certificate = await executionCertificate(ctx, executed);
  // After the papers: drawing them begins the transaction anew, and each beginning would use up numbers of orders.
  const ordering = await orderMaterials(ctx, executed, missing);
  const word = licenceWord(license.division);
  await mailCustomer(ctx, executed, { template: 'license.executed',
    subject: `You may announce ${license.title_on_license}`,
    lines: [`Your performance ${word} ${numbersInWords(executed)} for ${license.title_on_license} is valid.`,
      `You may announce the production and begin rehearsals. The ${word} certificate is attached.`,
      ...ordering.sentence === null ? [] : [ordering.sentence]],
    attachments: [certificate] });
  await closeTasks(ctx, license.id, ['unlicensed_performance', 'pay_by_passed', 'contract_signed',
    'document_purchase_order']);
  await refreshChecklist(ctx, license.id);
  await noteOrdering(ctx.db, license.id, ordering.problem);
  return findLicense(ctx.db, license.id);
}

/** An exclusive licence blocks others in its window (domain.md 1.5, source_license_id). */
async function registerExclusivity(ctx: WorkContext, license: License): Promise<void> {
  const windows = await ctx.db.query<ExclusiveWindow>(sql`
    select v.address ->> 'country_code' as country, case when t.exclusivity_radius_km > 0 then v.lat end as lat,
      case when t.exclusivity_radius_km > 0 then v.lng end as lng,
      case when t.exclusivity_radius_km > 0 and v.lat is not null then t.exclusivity_radius_km end::text as radius_km,
      coalesce(t.exclusive_from, v.opening_on) as "from", coalesce(t.exclusive_to, v.closing_on) as "to"
    from license_terms t join license_venues v on v.license_id = t.license_id
    where t.license_id = ${license.id} and t.exclusive and v.opening_on is not null`);
  await blockExclusively(ctx, { show_id: license.show_id, license_id: license.id,
    license_number: license.license_number }, windows);
}
