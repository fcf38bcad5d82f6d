/** X206, X207: the divisions. Currency, time zone and fiscal year are fixed: books rest on them. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import type { DivisionRow, systemEndpoints } from './system.contract.ts';

export function listDivisions(ctx: Ctx, code: string | null = null): Promise<DivisionRow[]> {
  return ctx.db.query<DivisionRow>(sql`
    select d.code, d.name, d.legal_entity_name, d.functional_currency, d.home_country, d.timezone, d.address,
      d.fiscal_year_start_month, d.short_pay_tolerance_minor, d.version, d.updated_at,
      (select count(*) from periods p where p.division = d.code and p.state = 'open') as open_periods,
      coalesce((select json_agg(json_build_object('jurisdiction', r.jurisdiction, 'scheme', r.scheme,
        'number', r.number) order by r.jurisdiction, r.scheme) from tax_registrations r
        where r.division = d.code and (r.valid_to is null or r.valid_to >= current_date)), '[]') as tax_registrations
    from divisions d where ${code}::text is null or d.code = ${code}
    order by array_position(array['US', 'EU', 'UK', 'PROD'], d.code)`);
}

export async function changeDivision(
  ctx: Ctx, code: string, { version, ...change }: BodyOf<typeof systemEndpoints.updateDivision>,
): Promise<DivisionRow> {
  const held = await ctx.db.maybeOne(sql`select 1 from divisions where code = ${code} for update`);
  const [before] = await listDivisions(ctx, code);
  if (!held || !before) throw refuse('not_found');
  if (before.version !== version) throw stale({ ...before });
  if (change.home_country && !COUNTRIES.some((one) => one.code === change.home_country)) {
    throw invalidField('home_country', 'Choose the country');
  }
  await ctx.db.exec(sql`
    update divisions set name = ${change.name ?? before.name},
      legal_entity_name = ${change.legal_entity_name ?? before.legal_entity_name},
      home_country = ${change.home_country ?? before.home_country},
      address = ${JSON.stringify(change.address ?? before.address)}, version = version + 1 where code = ${code}`);
  const [after] = await listDivisions(ctx, code);
  await ctx.audit({ action: 'update', entity: 'division', entity_id: null, before, after });
  return after!;
}
