/** Other names that files of box offices write for a venue. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** False where the name is known already, of this venue or another. */
export async function addVenueAlias(ctx: WorkContext, venueId: number, alias: string): Promise<boolean> {
  return await ctx.db.exec(sql`
    insert into venue_aliases (venue_id, alias) values (${venueId}, ${alias}) on conflict (alias_key) do nothing`) > 0;
}
