/** Restrictions that exclusive licenses make: written at execution, lifted when the license ends. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** Place and days of one venue; `lat`, `lng` and `radius_km` are all given or all null. */
export interface ExclusiveWindow {
  country: string | null;
  lat: number | null;
  lng: number | null;
  radius_km: string | null;
  from: string;
  to: string | null;
}

/** Blocks the show for others in each window. A window that stands already, from any source, is left as it is. */
export async function blockExclusively(
  ctx: WorkContext, of: { show_id: number; license_id: number; license_number: string | null },
  windows: readonly ExclusiveWindow[],
): Promise<void> {
  const pick = <T>(value: (window: ExclusiveWindow) => T): T[] => windows.map(value);
  await ctx.db.exec(sql`
    insert into show_restrictions (show_id, kind, country, lat, lng, radius_km, date_from, date_to, media,
      reason_public, reason_internal, source_license_id)
    select ${of.show_id}, 'blocked', country, lat, lng, radius_km, date_from, date_to, '{}',
      'The rights are held exclusively for these dates.', ${`Exclusive licence ${of.license_number}`},
      ${of.license_id}
    from unnest(${pick((w) => w.country)}::text[], ${pick((w) => w.lat)}::float8[], ${pick((w) => w.lng)}::float8[],
      ${pick((w) => w.radius_km)}::numeric[], ${pick((w) => w.from)}::date[], ${pick((w) => w.to)}::date[])
      u (country, lat, lng, radius_km, date_from, date_to)
    on conflict do nothing`);
}

/** Lifts what {@link blockExclusively} wrote for a license. */
export async function liftExclusivity(ctx: WorkContext, licenseId: number): Promise<void> {
  await ctx.db.exec(sql`
    update show_restrictions set deleted_at = ${ctx.now().toISOString()}, version = version + 1
    where source_license_id = ${licenseId} and deleted_at is null`);
}
