/**
 * Deposits that the former books held for a license (event 29): security in 2150, prepayments in 2160. Each has a
 * receipt without a bank, so that it is applied, returned or kept like one that was received here.
 */
import { documentLines } from '#kernel/ledger/opening-sets.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { OpeningSetFacts } from './bring-receivables.server.ts';

export interface OpeningDeposit {
  license_id: number;
  customer_id: number;
  license: string;
  kind: 'security' | 'on_account';
  currency: Currency;
  /** Above zero. */
  amount: bigint;
  base: bigint;
  rate: string;
}

/** Makes a held deposit with its receipt and posts it; answers the deposit. */
export async function bringDeposit(ctx: WorkContext, set: OpeningSetFacts, of: OpeningDeposit):
Promise<{ type: 'deposit'; id: number; transaction_id: number }> {
  const payment = await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, opening_set_id, party_type, party_id, license_id, division,
      ledger_account_id, currency, amount_minor, method, paid_on, functional_rate, functional_rate_on, memo,
      created_by_id)
    values (next_number('receipt', ${set.division}, ${set.as_of}::date), 'in', 'receipt', ${set.set_id}, 'customer',
      ${of.customer_id}, ${of.license_id}, ${set.division}, (select id from ledger_accounts
        where division = ${set.division} and system_key = 'opening'), ${of.currency}, ${of.amount}, 'set_off',
      ${set.as_of}, ${of.rate}, ${set.as_of}, 'Deposit of the former books', ${ctx.actor.actor_id}) returning id`);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into deposits (license_id, kind, status, division, currency, amount_minor, net_minor, held_at, payment_id)
    values (${of.license_id}, ${of.kind}, 'held', ${set.division}, ${of.currency}, ${of.amount},
      ${of.amount}, ${ctx.now().toISOString()}, ${payment.id}) returning id`);
  const { transaction_id } = await postJournal(ctx.db, { division: set.division, kind: 'opening',
    transaction_at: set.as_of, description: `Opening deposit, ${of.license}`.slice(0, 500),
    source: { type: 'payment', id: payment.id, event: 'opening', attempt: 1 },
    lines: documentLines({ account: of.kind === 'security' ? '2150' : '2160', currency: of.currency,
      amount: -of.amount, base: -of.base, party: { type: 'customer', id: of.customer_id },
      ...(of.rate !== '1' && { fx_rate: of.rate }),
      refs: { payment_id: payment.id, license_id: of.license_id } }) }, ctx.actor.actor_id);
  await ctx.db.exec(sql`
    update payments set status = 'posted', posted_at = ${ctx.now().toISOString()}, applied_minor = amount_minor,
      transaction_id = ${transaction_id} where id = ${payment.id}`);
  await ctx.db.exec(sql`update deposits set transaction_id = ${transaction_id} where id = ${id}`);
  return { type: 'deposit', id, transaction_id };
}

/** Deposits of a set that were applied, returned or kept since, by their licenses. All of them stay locked. */
export async function depositsInTheWay(db: Queryable, setId: number): Promise<string[]> {
  await db.query(sql`
    select 1 from deposits d join payments p on p.id = d.payment_id where p.opening_set_id = ${setId}
    order by d.id for update`);
  const rows = await db.query<{ name: string }>(sql`
    select 'deposit of ' || coalesce(l.license_number, l.number) as name from deposits d
      join payments p on p.id = d.payment_id join licenses l on l.id = d.license_id
    where p.opening_set_id = ${setId} and p.status <> 'reversed' and (d.status <> 'held'
      or d.remaining_minor <> d.amount_minor) order by 1 limit 200`);
  return rows.map((row) => row.name);
}

/** Reverses the postings of a set that {@link depositsInTheWay} has locked; its deposits are cancelled. */
export async function takeBackDeposits(ctx: WorkContext, of: { set_id: number; on: string; reason: string }):
Promise<void> {
  const rows = await ctx.db.query<{ id: number; payment_id: number; transaction_id: number }>(sql`
    select d.id, d.payment_id, d.transaction_id from deposits d join payments p on p.id = d.payment_id
    where p.opening_set_id = ${of.set_id} and d.status = 'held' order by d.id`);
  for (const row of rows) {
    const mirror = await reverseTransaction(ctx.db, { transaction_id: row.transaction_id, transaction_at: of.on,
      reason: of.reason, actor_id: ctx.actor.actor_id, document: { type: 'payment', id: row.payment_id } });
    await ctx.db.exec(sql`
      update payments set status = 'reversed', returned_on = ${of.on}, reversal_reason = ${of.reason},
        reversal_transaction_id = ${mirror.transaction_id}, version = version + 1 where id = ${row.payment_id}`);
    await ctx.db.exec(sql`
      update deposits set status = 'cancelled', held_at = null, payment_id = null, transaction_id = null,
        version = version + 1 where id = ${row.id}`);
  }
}
