/**
 * A customer's money at a glance (A151): the account's figures are those of its movements, what is open is what the
 * aging says; only deposits are read here.
 */
import { AGING_BUCKETS } from '#kernel/receivables/aging.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { summaries } from './account-moves.server.ts';
import { customerOf } from './account-statement.server.ts';
import { figuresOf, type CustomerFinance as Finance } from './aging.contract.ts';
import { openReceivables, type OpenItem } from './open-items.server.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;
type Account = Finance['accounts'][number];

/** A customer's figures per division and currency, as of today in each division. */
export async function customerFinance(ctx: Reader, customerId: number): Promise<Finance> {
  const customer = await customerOf(ctx, customerId);
  const sums = await summaries(ctx, customerId, {});
  const held = await heldDeposits(ctx, customerId);
  const keys = new Map([...sums, ...held].map((row) => [`${row.division} ${row.currency}`, row]));
  const accounts: Account[] = [];
  for (const [key, { division, currency }] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const today = await ctx.today(division);
    const [own] = (await summaries(ctx, customerId, { to: today }))
      .filter((row) => row.division === division && row.currency === currency);
    const open = (await openReceivables(ctx, { customer_id: customerId, division }, today))
      .filter((item) => item.currency === currency && item.open_minor !== 0);
    accounts.push({ division: division as Account['division'], currency, ...figuresOf(own ?? NOTHING), ...openOf(open),
      deposits_held_minor: held.find((row) => `${row.division} ${row.currency}` === key)?.minor ?? 0 });
  }
  return {
    customer_id: customer.id, credit_hold: customer.credit_hold, credit_hold_reason: customer.credit_hold_reason,
    credit_limit_minor: customer.credit_limit_minor, payment_terms_days: customer.payment_terms_days, accounts,
    deposits: await depositsOf(ctx, customerId),
  };
}

const NOTHING = { opening_minor: 0, invoiced_minor: 0, credited_minor: 0, received_minor: 0, returned_minor: 0,
  refunded_minor: 0, deposits_minor: 0, written_off_minor: 0, other_minor: 0, closing_minor: 0, requested_minor: 0,
  set_off_minor: 0 };

function openOf(items: readonly OpenItem[]):
Pick<Account, 'open_minor' | 'overdue_minor' | 'on_account_minor' | 'ages'> {
  const sum = (own: readonly OpenItem[]) => own.reduce((all, item) => all + item.open_minor, 0);
  const debts = items.filter((item) => item.bucket !== 'unapplied');
  return {
    open_minor: sum(debts), overdue_minor: sum(debts.filter((item) => item.bucket !== 'current')),
    on_account_minor: 0 - sum(items.filter((item) => item.bucket === 'unapplied')),
    ages: AGING_BUCKETS.map((bucket) => {
      const own = debts.filter((item) => item.bucket === bucket);
      return { bucket, count: own.length, minor: sum(own) };
    }),
  };
}

function heldDeposits(ctx: Reader, customerId: number) {
  return ctx.db.query<{ division: Account['division']; currency: Currency; minor: number }>(sql`
    select d.division, d.currency, sum(d.remaining_minor)::bigint as minor from deposits d
      join licenses n on n.id = d.license_id
    where n.customer_id = ${customerId} and d.status = 'held' group by 1, 2 order by 1, 2`);
}

function depositsOf(ctx: Reader, customerId: number): Promise<Finance['deposits']> {
  return ctx.db.query<Finance['deposits'][number]>(sql`
    select d.id, d.license_id, coalesce(n.license_number, n.number) as license_number, n.title_on_license as title,
      d.kind, d.status, d.currency, d.amount_minor, d.remaining_minor
    from deposits d join licenses n on n.id = d.license_id
    where n.customer_id = ${customerId} order by d.created_at desc, d.id desc limit 100`);
}
