/** A payment to a vendor came back: nobody is paid to its bank details before a person has confirmed them again. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export async function doubtBankDetails(ctx: WorkContext, id: number): Promise<void> {
  const taken = await ctx.db.exec(sql`
    update vendors set bank_verified_at = null, version = version + 1
    where id = ${id} and bank_verified_at is not null`);
  if (taken > 0) await ctx.audit({ action: 'doubt_bank_details', entity: 'vendor', entity_id: id });
}
