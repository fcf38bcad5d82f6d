/** A payment to a vendor came back: nobody is paid to its bank details before a person has confirmed them again. */
import type { WorkContext } from '#server/context.ts';
import { doubtBank } from '#server/sealed-details.ts';
import { sql } from '#server/sql.ts';
import { currentVendor } from './merged-vendors.server.ts';

export async function doubtBankDetails(ctx: WorkContext, id: number): Promise<void> {
  const row = await ctx.db.one<{ id: number }>(sql`select ${currentVendor(sql`${id}::bigint`)} as id`);
  await doubtBank(ctx, { table: 'vendors', entity: 'vendor' }, row.id);
}
