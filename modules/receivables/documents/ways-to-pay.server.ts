/**
 * Ways to pay a division in a currency, for papers, mails, the portal, and the rule that nothing asks for money that
 * nobody can pay: no document that asks is issued without a way.
 */
import { onlineMethods, type OnlineMethod } from '#kernel/receivables/online-payment.ts';
import { conflict } from '#kit/errors.ts';
import { publishedAccount } from '#modules/banking/banking.public.server.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import { withCounterRole, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { takesOnline } from '../online/processor.server.ts';
import type { TransferDetails } from '../portal/portal-invoice.contract.ts';

interface Payment { division: string; currency: string }
type Account = Omit<TransferDetails, 'reference'>;

export interface WaysToPay {
  /** null: no account is set, or none that takes this currency. */
  transfer: Account | null;
  /** Payee and address in lines; null where checks are not taken or the division has no address. */
  check: string[] | null;
  online: OnlineMethod[];
}

/** Divisions whose banks take checks, in the currency of their books. */
const TAKES_CHECKS: ReadonlySet<string> = new Set(['US USD', 'PROD USD', 'UK GBP']);

/** A purchase order is no way to pay: it promises to. Nor does the customer matter, who may use each of them. */
export async function waysToPay(ctx: WorkContext, asked: Payment): Promise<WaysToPay> {
  return { transfer: await accountOf(ctx, asked), check: await checkTo(ctx, asked),
    online: takesOnline(ctx.ports.settings, asked.division) ? onlineMethods(asked.division, asked.currency) : [] };
}

/** The account with the number that the payer names as reference. */
export const transferTo = ({ transfer }: WaysToPay, reference: string | null): TransferDetails | null =>
  (transfer === null || reference === null ? null : { ...transfer, reference });

export const canBePaid = ({ transfer, check, online }: WaysToPay): boolean =>
  transfer !== null || check !== null || online.length > 0;

async function checkTo({ db }: WorkContext, { division, currency }: Payment): Promise<string[] | null> {
  if (!TAKES_CHECKS.has(`${division} ${currency}`)) return null;
  const { lines } = await letterHead(db, division);
  return lines.length > 1 ? lines : null;
}

/** In the currency of its books the account that its settings name, in another one the default bank account. */
async function accountOf(ctx: WorkContext, { division, currency }: Payment): Promise<Account | null> {
  const own = await ctx.db.maybeOne<Omit<Account, 'payee'> & { payee: string | null; is_own: boolean }>(sql`
    select payee, payee_bank as bank_name, payee_iban as iban, payee_bic as bic, payee_account as account_number,
      payee_routing as routing_number, functional_currency = ${currency} as is_own
    from divisions where code = ${division}`);
  if (own === null) return null;
  const { is_own, payee, ...account } = own;
  if (is_own) return payee === null ? null : { ...account, payee };
  return withCounterRole(ctx, (house) => publishedAccount(house, { division, currency }));
}

/** A document that is being issued, with what it asks for in the end; credit notes and settled ones ask for nothing. */
export interface IssuedDocument extends Payment { asks_minor: number }

/**
 * 409 `invoice.no_way_to_pay` where one of the documents asks for money that nobody can pay. Every number and reference
 * of a document passes here, in the transaction that issues it.
 */
export async function refuseUnpayable(
  ctx: WorkContext, documents: readonly IssuedDocument[], reader: 'staff' | 'customer' = 'staff',
): Promise<void> {
  const asking = documents.filter((one) => one.asks_minor > 0);
  const [first] = await unpayable(ctx, asking);
  if (first === undefined) return;
  const { division, currency } = first;
  throw conflict('invoice.no_way_to_pay', reader === 'staff' ? await whatIsMissing(ctx, first)
    : `We cannot take payments in ${currency} at the moment, so nothing was saved. Please contact us.`,
  { division, currency });
}

/** Those of the documents whose division cannot be paid in their currency. */
export async function unpayable<T extends Payment>(ctx: WorkContext, documents: readonly T[]): Promise<T[]> {
  const known = new Map<string, boolean>();
  for (const one of documents) {
    const key = `${one.division} ${one.currency}`;
    if (!known.has(key)) known.set(key, canBePaid(await waysToPay(ctx, one)));
  }
  return documents.filter((one) => !known.get(`${one.division} ${one.currency}`));
}

/** Cause and remedy, for staff. */
export async function whatIsMissing({ db }: WorkContext, { division, currency }: Payment): Promise<string> {
  const row = await db.maybeOne<{ own: string }>(sql`
    select functional_currency as own from divisions where code = ${division}`);
  return `${division} cannot be paid in ${currency} yet: ${row?.own === currency
    ? 'enter its bank account under System, Divisions, or switch on online payment.'
    : `enter the number of its ${currency} account under Banking, Bank accounts, and make that account the default.`}`;
}
