/** Starts a quote: edge 1 of domain.md 1.1, with venues, performances, terms, checklist, price and rights check. */
import { conflict, invalidField } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import type { ExecutionPolicy } from '#kernel/pricing/rate-card.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { checkLicenseRights } from '../../availability/check-availability.server.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { saveVenues } from '../venues/save-venues.server.ts';
import { attachBestTemplate } from '../../materials/attach-bom.server.ts';
import { findRateCard } from '../pricing/rate-terms.server.ts';
import type { AddOnChoice } from '../pricing/offered-add-ons.server.ts';
import { askForPrices, FILM_RIGHTS, type FilmRight } from '../pricing/requested-add-ons.server.ts';
import { tryPrice } from '../pricing/price-license.server.ts';
import { defaultTerms } from '../terms/default-terms.server.ts';
import { writeLicenseEvent } from '../phase/license-event.server.ts';
import type { LicenseCreate } from '../license.contract.ts';
import { findLicense, type License } from '../license-record.server.ts';

export interface CreateLicense extends Omit<LicenseCreate, 'phase'> {
  license_application_id?: number;
  /** Chosen when it was applied for. */
  add_ons?: readonly AddOnChoice[];
  /** Rights that nothing has a price for; staff enter it. */
  rights_to_price?: readonly FilmRight[];
}

interface CustomerRow {
  name: string; status: string; default_division: Division; divisions: Division[];
  default_currency: License['currency'];
  execution_policy_default: ExecutionPolicy | null; classification_id: number | null;
}

interface ShowRow {
  show_code: string; type: 'play' | 'musical'; title: string; active: boolean; divisions: string[];
  billing_template: string; authors_credit: string;
}

/** Answers the new draft, priced and checked as far as its data go. Errors: 422 at show, customer, division, venues. */
export async function createLicense(ctx: WorkContext, input: CreateLicense): Promise<License> {
  const { customer, show, division } = await checkParties(ctx, input);
  const currency = input.currency ?? await currencyOf(ctx, division, customer);
  const policy = input.execution_policy ?? customer.execution_policy_default ?? defaultPolicy(input.category, division);
  const today = await ctx.today(division);
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into licenses (number, customer_id, license_application_id, show_id, show_code, show_type, category,
      division, currency, customer_classification_id, license_rep_id, title_on_license, producing_organisation,
      production_type, cast_size, orchestration, execution_policy, execution_policy_reason, purchase_order_no,
      created_by_id, created_at)
    values (next_number('quote', ${division}, ${today}), ${input.customer_id}, ${input.license_application_id ?? null},
      ${input.show_id}, ${show.show_code}, ${show.type}, ${input.category}, ${division}, ${currency},
      ${input.customer_classification_id === undefined ? customer.classification_id : input.customer_classification_id},
      ${input.license_rep_id ?? null}, ${input.title_on_license ?? show.title},
      ${input.producing_organisation || customer.name}, ${input.production_type ?? 'run'}, ${input.cast_size ?? null},
      ${input.orchestration ?? null}, ${policy}, ${input.execution_policy_reason ?? null},
      ${input.purchase_order_no ?? null}, ${ctx.actor.actor_id}, ${ctx.now().toISOString()}) returning id`);
  const license = await findLicense(ctx.db, row.id);
  await defaultTerms(ctx.db, license, show);
  if (input.license_venues) await saveVenues(ctx, license, input.license_venues, { replace: true });
  if (!input.execution_policy && !customer.execution_policy_default) await takePolicyOfCard(ctx, license.id);
  await writeLicenseEvent(ctx, { license_id: license.id, event: input.license_application_id ? 'convert' : 'create',
    to_phase: 'draft', version: 1 });
  await attachBestTemplate(ctx, license.id);
  const computed = await tryPrice(ctx, license.id, input.add_ons && { with_package: true, extra_periods: 0,
    add_ons: [...input.add_ons], fees: (input.rights_to_price ?? []).map((right) => ({
      description: FILM_RIGHTS[right], amount_minor: 0 })) });
  await askForPrices(ctx.db, license.id, input.rights_to_price ?? []);
  await checkLicenseRights(ctx, license.id);
  await refreshChecklist(ctx, license.id, computed);
  const created = await findLicense(ctx.db, license.id);
  await ctx.audit({ action: 'create', entity: 'license', entity_id: license.id, after: created });
  return created;
}

async function checkParties(
  ctx: WorkContext, input: CreateLicense,
): Promise<{ customer: CustomerRow; show: ShowRow; division: Division }> {
  const customer = await ctx.db.maybeOne<CustomerRow>(sql`
    select c.name, c.status, c.default_division, c.divisions, c.default_currency, c.execution_policy_default,
      (select min(m.customer_classification_id) from customer_customer_classifications m where m.customer_id = c.id
        having count(*) = 1) as classification_id
    from customers c where c.id = ${input.customer_id} and c.deleted_at is null`);
  if (!customer) throw invalidField('customer_id', 'This customer does not exist');
  if (customer.status === 'inactive') throw conflict('customer.inactive', `${customer.name} is not active.`);
  const show = await ctx.db.maybeOne<ShowRow>(sql`
    select show_code, type, title, active, divisions, billing_template, authors_credit from shows
    where id = ${input.show_id} and deleted_at is null`);
  if (!show) throw invalidField('show_id', 'This show does not exist');
  const division = input.division ?? customer.default_division;
  if (!show.active) throw invalidField('show_id', `${show.title} is not available for licensing at present`);
  if (!show.divisions.includes(division)) throw invalidField('show_id',
    `${show.title} is not offered in this division`);
  return { customer, show, division };
}

/** The books of a division are kept in its currency; a customer with another one is quoted in that where it trades. */
async function currencyOf(ctx: WorkContext, division: Division, customer: CustomerRow): Promise<License['currency']> {
  if (division === customer.default_division) return customer.default_currency;
  const row = await ctx.db.one<{ functional_currency: License['currency'] }>(sql`
    select functional_currency from divisions where code = ${division}`);
  return row.functional_currency;
}

/** domain.md 1: amateur US pays in full, UK and EU a deposit, professionals an advance. */
export function defaultPolicy(category: 'Amateur' | 'Pro', division: Division): ExecutionPolicy {
  if (category === 'Pro') return 'advance_paid';
  return division === 'UK' || division === 'EU' ? 'deposit_paid' : 'paid_in_full';
}

/** Applies the rate card's policy if nobody chose one, as soon as the dates say which card that is. */
async function takePolicyOfCard(ctx: WorkContext, licenseId: number): Promise<void> {
  const license = await findLicense(ctx.db, licenseId);
  if (license.first_performance_on === null) return;
  const card = await findRateCard(ctx.db, { show_id: license.show_id, category: license.category,
    division: license.division, classification_id: license.customer_classification_id, currency: license.currency,
    first_performance_on: license.first_performance_on });
  if (!card || card.execution_policy === 'signature_only') return;
  await ctx.db.exec(sql`update licenses set execution_policy = ${card.execution_policy} where id = ${licenseId}`);
}
