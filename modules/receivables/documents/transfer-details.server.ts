/**
 * Ways to pay beside cards: the address for checks, and the account that an invoice is transferred to: that of its
 * division, for invoices in the currency of its books.
 */
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { TransferDetails } from '../portal/portal-invoice.contract.ts';

interface Billed { division: string; currency: string; number: string | null }

/** Divisions whose banks take checks, in the currency of their books. */
const TAKES_CHECKS: ReadonlySet<string> = new Set(['US USD', 'PROD USD', 'UK GBP']);

/** Payee and address of a check, in lines; null where checks are not taken or the division has no address. */
export async function checkTo(db: Queryable, { division, currency }: Omit<Billed, 'number'>): Promise<string[] | null> {
  if (!TAKES_CHECKS.has(`${division} ${currency}`)) return null;
  const { lines } = await letterHead(db, division);
  return lines.length > 1 ? lines : null;
}

/** null: no account is set, or none that takes this currency; then people ask. */
export async function transferOf(
  db: Queryable, { division, currency, number }: Billed,
): Promise<TransferDetails | null> {
  if (number === null) return null;
  const account = await db.maybeOne<Omit<TransferDetails, 'reference'>>(sql`
    select payee, payee_bank as bank_name, payee_iban as iban, payee_bic as bic, payee_account as account_number,
      payee_routing as routing_number
    from divisions where code = ${division} and functional_currency = ${currency} and payee is not null`);
  return account && { ...account, reference: number };
}
