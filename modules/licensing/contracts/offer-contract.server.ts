/** The contract part of an offer: the text in use, the people, the dates of the materials, what cancelling costs. */
import { MATERIALS_LEAD_DAYS, returnsDueOn, shipOn } from '#kernel/licensing/clocks.ts';
import type { ContractClause } from '#kernel/licensing/contract-form.ts';
import { sum } from '#kernel/money/money.ts';
import { cancelByPolicy, type PolicyName } from '#kernel/pricing/cancellation.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';
import type { ContractContact, OfferContract } from './offer-contract.ts';

const ROYALTY: readonly string[] = ['royalty', 'advance'];

/** `shipsOn`: the first parcel of the warehouse, where it sends one. */
export async function offerContract(
  ctx: WorkContext, license: License, today: string, shipsOn: string | null,
): Promise<OfferContract> {
  const form = await ctx.db.one<{ id: number; version_no: number; counsel: string | null; clauses: ContractClause[] }>(
    sql`select id, version_no, nullif(counsel, '') as counsel, clauses from contract_templates
      where division = ${license.division} and category = ${license.category} and status = 'in_use'`);
  const people = await peopleOf(ctx, license);
  const { first_performance_on: first, last_performance_on: last } = license;
  return {
    template_id: form.id, version_no: form.version_no, counsel: form.counsel, clauses: form.clauses,
    licensee: people.licensee, licensor: people.licensor,
    signatory: people.signatory === null ? { name: people.licensor?.name ?? '', title: '' } : people.signatory,
    ship_on: first === null ? null : shipsOn ?? shipOn(first, MATERIALS_LEAD_DAYS[license.division], today),
    returns_due_on: last === null ? null : returnsDueOn(last, license.division),
    materials: await ctx.db.query(sql`
      select name, quantity, return_required, replacement_price_minor from license_materials
      where license_id = ${license.id} order by sort, id`),
    cancellation: await cancellationRows(ctx, license),
  };
}

interface People {
  licensee: ContractContact | null; licensor: ContractContact | null; signatory: OfferContract['signatory'] | null;
}

/** The first contact of the customer, the representative, and the person who signs for the division. */
async function peopleOf(ctx: WorkContext, license: License): Promise<People> {
  const rest = await ctx.db.one<Omit<People, 'licensor'>>(sql`
    select (select jsonb_build_object('name', name, 'email', email, 'phone', phone) from customer_contacts
        where customer_id = ${license.customer_id} and active order by is_primary desc, id limit 1) as licensee,
      case when d.signatory_name <> '' then
        jsonb_build_object('name', d.signatory_name, 'title', d.signatory_title) end as signatory
    from divisions d where d.code = ${license.division}`);
  return { ...rest, licensor: await contactOf(ctx.db, license.license_rep_id, license.division) };
}

/** The rule that the cancellation itself applies, on the lines of the offer as if all of them had been invoiced. */
async function cancellationRows(ctx: WorkContext, license: License): Promise<OfferContract['cancellation']> {
  const facts = await ctx.db.one<{ policy: PolicyName; lines: { kind: string; net_minor: number }[] }>(sql`
    select coalesce((select cancellation_policy from license_terms where license_id = ${license.id}),
        'standard') as policy,
      coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'net_minor', net_minor)) from license_charges
        where license_id = ${license.id} and net_minor > 0), '[]') as lines`);
  const net = (kinds: readonly string[] | null): bigint => sum(facts.lines.filter(({ kind }) => (kinds === null
    ? !ROYALTY.includes(kind) : kinds.includes(kind))).map((line) => BigInt(line.net_minor)));
  return (['before_shipment', 'after_shipment'] as const).map((stage) => {
    const result = cancelByPolicy({ policy: facts.policy, shipped: stage === 'after_shipment',
      royalty_minor: net(ROYALTY), advance_minor: net(['advance']), materials_minor: net(null),
      min_per_performance_minor: BigInt(license.min_per_performance_minor ?? 0),
      performances: license.number_of_performances });
    return { stage, kept_minor: Number(result.kept_minor), refund_minor: Number(result.refund_minor) };
  });
}
