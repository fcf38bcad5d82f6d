/** A payment to a royaltor came back: nobody is paid to those bank details before a person has confirmed them again. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export async function doubtRoyaltorBank(ctx: WorkContext, id: number): Promise<void> {
  const taken = await ctx.db.exec(sql`
    update royaltors set bank_verified_at = null, version = version + 1
    where id = ${id} and bank_verified_at is not null`);
  if (taken > 0) await ctx.audit({ action: 'doubt_bank_details', entity: 'royaltor', entity_id: id });
}
