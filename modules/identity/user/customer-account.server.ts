/** Accounts of people at customers. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** An account for an address in lower case; null where the address has one already. `verified`: a link came by mail. */
export async function createCustomerAccount(ctx: WorkContext, of: {
  email: string; first_name: string; last_name: string; password_hash: string; phone: string | null; verified: boolean;
}): Promise<number | null> {
  const created = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, password_hash, phone, email_verified_at)
    values (${of.email}, ${of.first_name}, ${of.last_name}, 'customer', ${of.password_hash}, ${of.phone},
      ${of.verified ? ctx.now().toISOString() : null})
    on conflict (email) do nothing returning id`);
  return created?.id ?? null;
}

/** The person has opened a link that was mailed to the address. The first time counts. */
export async function markEmailVerified(ctx: WorkContext, userId: number): Promise<void> {
  await ctx.db.exec(sql`
    update users set email_verified_at = coalesce(email_verified_at, ${ctx.now().toISOString()}) where id = ${userId}`);
}
