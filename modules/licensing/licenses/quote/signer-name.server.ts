/** The name under a signature: that of a person with the right to sign, or confirmed by whoever gives it. */
import { nameKey } from '#kernel/text/fold.ts';
import { invalid } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';

export interface SignerName {
  signer_name: string;
  signed_by_user_id: number | null;
  confirm_name?: boolean | undefined;
}

/**
 * Answers the name and address of the account that signs, or of the staff account that records a signature on paper.
 * 422 `license.signer_differs` at `confirm_name` where the typed name is another and is not confirmed.
 */
export async function accountOfSigner(ctx: WorkContext, license: License, input: SignerName): Promise<string> {
  const userId = input.signed_by_user_id ?? ctx.actor.actor_id;
  const account = await ctx.db.maybeOne<{ name: string; email: string }>(sql`
    select first_name || ' ' || last_name as name, email from users where id = ${userId}`);
  const written = account ? `${account.name}, ${account.email}` : '';
  if (input.confirm_name === true) return written;
  const typed = nameKey(input.signer_name);
  if (input.signed_by_user_id !== null) {
    if (account && nameKey(account.name) === typed) return written;
    throw differs(`You signed as ${input.signer_name}; your account is ${account?.name ?? 'in another name'}. `
      + 'Correct the name, or confirm that it is yours and that you have the right to sign.');
  }
  const known = await ctx.db.query<{ name: string }>(sql`
    select u.first_name || ' ' || u.last_name as name from customer_users m join users u on u.id = m.user_id
    where m.customer_id = ${license.customer_id} and m.role in ('admin', 'signer') and u.disabled_at is null
    union all select name from customer_contacts where customer_id = ${license.customer_id} and active`);
  if (known.some(({ name }) => nameKey(name) === typed)) return written;
  throw differs(`${input.signer_name} is not an admin, signer or contact of this customer. Correct the name, or `
    + 'confirm that this person has the right to sign.');
}

function differs(text: string): Error {
  return invalid({ confirm_name: [text] }, 'license.signer_differs');
}
