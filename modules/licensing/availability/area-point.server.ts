/** Places on the map where the exact one is not known yet. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** Middle of the venues known in a postal area; null where none is. */
export async function areaPoint(ctx: WorkContext, country: string, postalCode: string | undefined) {
  if (postalCode === undefined) return null;
  const row = await ctx.db.one<{ lat: number | null; lng: number | null }>(sql`
    select avg(lat)::double precision as lat, avg(lng)::double precision as lng from venues
    where country_code = ${country} and address ->> 'postal_code' = ${postalCode} and lat is not null`);
  return row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng };
}
