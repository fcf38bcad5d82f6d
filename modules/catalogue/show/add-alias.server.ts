/** Other names that files of customers and box offices write for a show or a royaltor. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** False where the name is known already, of this show or another. */
export async function addShowAlias(ctx: WorkContext, showId: number, alias: string): Promise<boolean> {
  return await ctx.db.exec(sql`
    insert into show_aliases (show_id, alias) values (${showId}, ${alias}) on conflict (alias_key) do nothing`) > 0;
}

/** False where the name is known already, of this royaltor or another. */
export async function addRoyaltorAlias(ctx: WorkContext, royaltorId: number, alias: string): Promise<boolean> {
  return await ctx.db.exec(sql`
    insert into royaltor_aliases (royaltor_id, alias) values (${royaltorId}, ${alias})
    on conflict (alias_key) do nothing`) > 0;
}
