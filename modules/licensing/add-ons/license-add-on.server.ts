/** Add-ons of licences: what was bought and until when it may be used, and what may be bought besides. */
import { addOnDays, whyNoUse } from '#kernel/materials/download-access.ts';
import { withCounterRole, type WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { findCustomerLicense, findLicense, type License } from '../licenses/license-record.server.ts';
import { addOnOffered, CLEARED_BY_STAFF, COUNTED, priceIn } from '../licenses/pricing/offered-add-ons.server.ts';
import { licenseAddOnEndpoints, portalLicenseAddOnEndpoints, type LicenseAddOn, type OfferedAddOn }
  from './license-add-on.contract.ts';

type Stored = Omit<LicenseAddOn, 'opens_on' | 'closes_on' | 'refusal' | 'reason'> & { grace_days: number };

async function heldBy(ctx: Pick<WorkContext, 'db' | 'today'>, license: License): Promise<LicenseAddOn[]> {
  const today = await ctx.today(license.division);
  const rows = await ctx.db.query<Stored>(sql`
    select t.id as add_on_id, t.name, t.kind, t.pricing_model, sum(c.quantity)::int as quantity,
      t.grace_days, max(c.share_ppm) as share_ppm,
      ${license.currency}::text as currency,
      t.terms_text, t.mandatory_program_text, (select count(*) from add_on_materials a
        join material_files f on f.material_id = a.material_id and f.removed_at is null
        where a.add_on_id = t.id)::int as files
    from license_charges c join add_ons t on t.id = c.add_on_id
    where c.license_id = ${license.id} and c.quantity > 0
    group by t.id order by min(c.sort), t.id`);
  return rows.map(({ grace_days, ...row }) => {
    const days = addOnDays({ kind: row.kind, grace_days }, license);
    const refusal = whyNoUse({ phase: license.phase, on_hold: license.on_hold, today, ...days });
    return { ...row, ...days, refusal: refusal?.code ?? null, reason: refusal?.message ?? null };
  });
}

/** Add-ons the company sells for this license and that are not on it yet; counted ones may be added again. */
function offeredTo(ctx: Pick<WorkContext, 'db'>, license: License): Promise<OfferedAddOn[]> {
  const price = priceIn(license.currency);
  return ctx.db.query<OfferedAddOn>(sql`
    select t.id as add_on_id, t.name, t.kind, t.pricing_model, t.description, t.terms_text,
      ${price} as price_minor, t.rate_ppm as share_ppm,
      ${license.currency}::text as currency, ${CLEARED_BY_STAFF} as needs_clearance
    from add_ons t
    where t.show_id = ${license.show_id} and t.deleted_at is null and coalesce(${price}, t.rate_ppm) is not null
      and ${addOnOffered(license)}
      and (t.pricing_model = any (${[...COUNTED]}) or not exists (select 1 from license_charges c
        where c.license_id = ${license.id} and c.add_on_id = t.id and c.quantity > 0))
    order by t.name collate "und-x-icu", t.id`);
}

/** Phases in which an amendment can add one (domain.md 1.1, edge 11). */
const AMENDABLE: readonly string[] = ['licensed', 'in_production'];

export const licenseAddOnRoutes: Route[] = [
  ...serve(licenseAddOnEndpoints, {
    list: async (ctx, { params }) => ({ data: await heldBy(ctx, await findLicense(ctx.db, params.licenseId)) }),
  }),
  ...serve(portalLicenseAddOnEndpoints, {
    // Materials and their files are the house's, so what an add-on brings is asked at the counter.
    list: async (ctx, { params }) => {
      const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
      return withCounterRole(ctx, async (house) => ({ data: { held: await heldBy(house, license),
        offered: AMENDABLE.includes(license.phase) ? await offeredTo(house, license) : [] } }));
    },
  }),
];
