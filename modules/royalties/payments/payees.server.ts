/** Whom a batch pays, and why somebody is held out of it. */
import { isPaidByCheck, methodReaches, type PayingAccount, type PayoutMethod }
  from '#kernel/receivables/payout-methods.ts';
import { spell } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface Payee {
  id: number;
  name: string;
  /** Of the account; of the payee where no account says it. */
  country: string;
  has_bank_country: boolean;
  has_address: boolean;
  has_account: boolean;
  payment_method: PayoutMethod;
  is_verified: boolean;
  /** A payment came back since the bank details were verified last. */
  came_back: boolean;
}

export async function payeesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Payee>> {
  const rows = await db.query<Payee>(sql`
    select r.id, r.name, coalesce(r.bank_country, r.residence_country) as country,
      r.bank_country is not null as has_bank_country, r.address is not null as has_address,
      r.bank_account_last4 is not null as has_account,
      r.payment_method, r.bank_verified_at is not null as is_verified,
      r.bank_verified_at is null and exists (select 1 from payments p
        where p.royaltor_id = r.id and p.status = 'returned') as came_back
    from royaltors r where r.id = any(${[...new Set(ids)]}::bigint[]) order by r.name collate "und-x-icu", r.id`);
  return new Map(rows.map((row) => [row.id, row]));
}

const countries = new Intl.DisplayNames(['en-US'], { type: 'region' });
const REACHES: Record<PayoutMethod, string> = {
  ach: 'ACH pays into accounts in the US', bacs: 'BACS pays into accounts in the UK',
  sepa: 'SEPA pays into accounts in its own countries', wire: '', check: '',
};

/** Why this payee is not in a batch of that method, and what to do; null where nothing is against it. */
export function heldOut(payee: Payee, method: PayoutMethod, account: PayingAccount): string | null {
  if (method === 'check') {
    return payee.has_address ? null : spell`No mailing address for checks. Add one to the payee.`;
  }
  if (!payee.has_account && isPaidByCheck(payee.payment_method, account)) {
    return spell`Paid by check. Choose that method to pay them.`;
  }
  if (!methodReaches(method, payee.country)) {
    return `${REACHES[method]}; ${payee.has_bank_country ? 'this account' : 'this payee'} is abroad (${
      countries.of(payee.country) ?? payee.country}). Pay by wire.`;
  }
  if (!payee.has_account) return 'No bank details. Add them and have a second person verify them.';
  if (payee.came_back) return 'A payment came back. Check the bank details and have them verified again.';
  return payee.is_verified ? null : 'Bank details not verified. A second person must verify them.';
}
