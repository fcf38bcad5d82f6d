/** Addresses that mails about what a customer signs, orders and pays go to. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** Admins and signers of the customer; contacts where nobody has an account. */
export async function signerEmails(ctx: WorkContext, customerId: number): Promise<string[]> {
  const people = await ctx.db.query<{ email: string }>(sql`
    select u.email from customer_users m join users u on u.id = m.user_id
    where m.customer_id = ${customerId} and m.role in ('admin', 'signer') and u.disabled_at is null order by u.id`);
  if (people.length > 0) return people.map((row) => row.email).slice(0, 50);
  const contacts = await ctx.db.query<{ email: string }>(sql`
    select email from customer_contacts where customer_id = ${customerId} and active and email is not null
    order by is_primary desc, id`);
  return contacts.map((row) => row.email).slice(0, 50);
}

/** The address for statements, else those of {@link signerEmails}: mails about money. */
export async function moneyEmails(ctx: WorkContext, customerId: number): Promise<string[]> {
  const { email } = await ctx.db.one<{ email: string | null }>(sql`
    select statement_email as email from customers where id = ${customerId}`);
  return email === null ? signerEmails(ctx, customerId) : [email];
}
