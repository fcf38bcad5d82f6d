/** Add-ons of a show that are sold for a license, and how many more of them a customer may choose. */
import { invalidField } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';

/** Bought by the piece, so that a licence may have more of it later. */
export const COUNTED: readonly string[] = ['per_user', 'per_week'];

/** Rights that somebody has to be asked for; over `add_ons t`. */
export const CLEARED_BY_STAFF: Sql = sql`(t.requires_clearance or t.kind in ('streaming_license', 'video_archival'))`;

/** The price in minor units; null: not sold in this currency. Over `add_ons t`. */
export const priceIn = (currency: string): Sql => sql`(case ${currency}::text when 'USD' then t.price_usd_minor
  when 'EUR' then t.price_eur_minor else t.price_gbp_minor end)`;

/** Sold in the division, to the category and on the day of the first night; over `add_ons t`. */
export const addOnOffered = (license: { division: string; category: string;
  /** null: the dates are not known yet. */
  first_performance_on?: string | null }): Sql => sql`(t.active and ${license.division} = any (t.divisions)
    and (cardinality(t.categories) = 0 or ${license.category} = any (t.categories))
    and (${license.first_performance_on ?? null}::date is null
      or ${license.first_performance_on ?? null}::date between coalesce(t.available_from, '-infinity')
        and coalesce(t.available_to, 'infinity')))`;

export interface AddOnChoice { add_on_id: number; quantity: number }

/** Returns the license's add-ons plus the new ones; 422 if a buy-once add-on is already there. */
export async function withMore(
  db: Queryable, chosen: readonly AddOnChoice[], more: readonly AddOnChoice[],
): Promise<AddOnChoice[]> {
  const counted = await db.query<{ id: number }>(sql`
    select id from add_ons where id = any (${more.map((one) => one.add_on_id)})
      and pricing_model = any (${[...COUNTED]})`);
  const all = new Map(chosen.map((one) => [one.add_on_id, one.quantity]));
  for (const [index, one] of more.entries()) {
    const before = all.get(one.add_on_id);
    if (before !== undefined && !counted.some((row) => row.id === one.add_on_id)) {
      throw invalidField(`changes.more_add_ons.${index}.add_on_id`, spell`Your license has this add-on already`);
    }
    all.set(one.add_on_id, (before ?? 0) + one.quantity);
  }
  return [...all].map(([add_on_id, quantity]) => ({ add_on_id, quantity }));
}

export async function anyToClear(db: Queryable, more: readonly AddOnChoice[]): Promise<boolean> {
  const ids = more.map((one) => one.add_on_id);
  return (await db.maybeOne(sql`select 1 from add_ons t where t.id = any (${ids}) and ${CLEARED_BY_STAFF} limit 1`))
    !== null;
}
