/** The rate of a tax code where its division is at home. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

/** Parts per million on a day; null where the code has no rate, such as exempt. */
export async function homeRate(db: Queryable, taxCodeId: number, on: string): Promise<number | null> {
  const row = await db.maybeOne<{ rate_ppm: number }>(sql`
    select r.rate_ppm from tax_rates r join tax_codes c on c.id = r.tax_code_id join divisions d on d.code = c.division
    where r.tax_code_id = ${taxCodeId} and r.jurisdiction = d.home_country and r.valid_from <= ${on}
    order by r.valid_from desc limit 1`);
  return row?.rate_ppm ?? null;
}
