/**
 * The payments of an approved batch: converted at the rates of the day, posted with their tax, settled (accounting.md
 * 2.2, events 12, 14 and 14c; domain.md 3.5 step 12).
 */
import { conflict } from '#kit/errors.ts';
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import { royaltyPaymentLines, type PaidDebt, type RoyaltyPaymentLines } from '#kernel/ledger/royalty-events.ts';
import type { Division } from '#kernel/money/division.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { sum, type Currency } from '#kernel/money/money.ts';
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { carriedPart } from '#kernel/royalties/carried.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from '#modules/accounting/accounting.public.server.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';
import { conversionOf, type Conversion } from './convert-payment.server.ts';

export interface Batch { id: number; number: string; status: string; version: number; updated_at: string;
  created_by_id: number | null; division: Division; currency: Currency; pay_on: string; method: PayoutMethod;
  home_country: string; run_id: number | null; payment_run_number: string | null; file_name: string | null }

/** Item a payment settles: a statement, the agent's part of one, or an advance. */
interface Part {
  conversion_id: number; statement_id: number | null; advance_id: number | null; owner_id: number; currency: Currency;
  /** The agent's own commission stands on his account (13c) and has no tax of its own. */
  is_agent: boolean;
  gross_minor: number; wht_minor: number; paid_minor: number;
  /** The balance it is part of, and what that is carried at; null of an advance, which owes itself alone. */
  open_minor: number | null; carried_minor: number | null;
  /** Amount in the currency of the payment, at the last known rate. */
  rate: string; rate_on: string; converted_minor: number;
}

/** Scope of a payment of a batch: all approved payments, or one of them. */
export interface PayOptions {
  only?: number | undefined;
  /** Amounts are those that were approved, as a file or a check says them; else the rates of the day decide. */
  isFixed: boolean;
}

interface Payment { id: number; number: string; account: string; parts: Part[] }

/** A part with what it became on the day. */
interface Settled { part: Part; into: Conversion; debt: PaidDebt; cost: bigint }

/** Posts every payment; answers their ids. 409 where one of them settles what is no longer payable. */
export async function payEach(ctx: WorkContext, batch: Batch, of: PayOptions): Promise<number[]> {
  await lockSettled(ctx, batch.id);
  await refuseNotPayable(ctx, batch.id);
  const payments = await paymentsOf(ctx, batch, of.only);
  if (payments.length === 0) return [];
  const rate = await rateFor(ctx.db, batch.division, batch.currency, batch.pay_on);
  const authority_id = await taxAuthority(ctx, batch.home_country);
  const plans: { payment: Payment; drafts: JournalDraft[]; settled: Settled[] }[] = [];
  for (const payment of payments) {
    const converted = [];
    for (const part of payment.parts) converted.push(await convertPart(ctx, batch, part, of));
    const lines = royaltyPaymentLines({ division: batch.division, currency: batch.currency, rate, authority_id,
      bank_account: payment.account, refs: { payment_id: payment.id }, debts: converted.map((one) => one.debt) });
    plans.push({ payment, drafts: draftsOf(batch, payment, lines),
      settled: converted.map((one, k) => ({ ...one, cost: lines.cost[k]! })) });
  }
  const drafts = plans.flatMap((plan) => plan.drafts);
  const posted = await postJournals(ctx.db, drafts, ctx.actor.actor_id);
  for (const plan of plans) {
    const { transaction_id } = posted[drafts.indexOf(plan.drafts[0]!)]!;
    await keepPayment(ctx, batch, plan.payment, plan.settled, rate, transaction_id);
    for (const one of plan.settled) await settle(ctx, batch, one);
  }
  return payments.map((payment) => payment.id);
}

/** The payment and, where a debt is of another currency, what settles it. */
function draftsOf(batch: Batch, payment: Payment, lines: RoyaltyPaymentLines): JournalDraft[] {
  const of = { division: batch.division, transaction_at: batch.pay_on };
  const source = (event: string) => ({ type: 'payment', id: payment.id, event, attempt: 1 });
  const description = `Royalty payment ${payment.number}, batch ${batch.number}`;
  const kind = payment.parts.every((part) => part.advance_id !== null) ? 'royalty_advance' : 'royalty_payment';
  return [
    { ...of, kind, description, source: source('paid'), lines: lines.payment },
    ...(lines.exchange.length === 0 ? [] : [{ ...of, kind: 'fx', description: `${description}: settled`,
      source: source('paid_exchange'), lines: lines.exchange }]),
  ];
}

async function convertPart(ctx: WorkContext, batch: Batch, part: Part, { isFixed }: PayOptions):
Promise<Omit<Settled, 'cost'>> {
  const into = isFixed ? { rate: part.rate, rate_on: part.rate_on }
    : await conversionOf(ctx.db, batch.division, part.currency, batch.currency, batch.pay_on);
  const own = await rateFor(ctx.db, batch.division, part.currency, batch.pay_on);
  const { open_minor, carried_minor } = part;
  const carried = open_minor === null || carried_minor === null ? null : carriedPart({
    amount_minor: BigInt(open_minor), functional_minor: BigInt(carried_minor) }, BigInt(part.gross_minor));
  return { part, into, debt: {
    account: part.advance_id === null ? '2200' : '1150', royaltor_id: part.owner_id, currency: part.currency,
    amount: BigInt(part.gross_minor), carried,
    paid: isFixed ? BigInt(part.converted_minor) : atRate(BigInt(part.paid_minor), into.rate),
    withheld: atRate(BigInt(part.wht_minor), own),
  } };
}

/** The payments of a batch and what they settle, before anything of them is read. */
async function lockSettled(ctx: WorkContext, batchId: number): Promise<void> {
  const settled = sql`select x.royalty_statement_id, x.royalty_advance_id from royalty_payment_conversions x
    join payments p on p.id = x.payment_id where p.royalty_payment_batch_id = ${batchId}`;
  await ctx.db.query(sql`
    select 1 from royalty_statements where id in (select s.royalty_statement_id from (${settled}) s)
    order by id for update`);
  await ctx.db.query(sql`
    select 1 from royalty_advances where id in (select s.royalty_advance_id from (${settled}) s)
    order by id for update`);
  await ctx.db.query(sql`
    select 1 from payments where royalty_payment_batch_id = ${batchId} order by id for update`);
}

/** A statement that is not issued or paid already, or an advance that is no longer this payment's. */
async function refuseNotPayable(ctx: WorkContext, batchId: number): Promise<void> {
  const wrong = await ctx.db.query<{ what: string }>(sql`
    select case when c.royalty_advance_id is not null then 'Advance ' || c.royalty_advance_id
      else case when c.is_agent then 'The agent''s part of statement ' else 'Statement ' end
        || coalesce(m.number, m.id::text) end as what
    from royalty_payment_conversions c join payments p on p.id = c.payment_id
      left join royalty_statements m on m.id = c.royalty_statement_id
      left join royalty_advances a on a.id = c.royalty_advance_id
    where p.royalty_payment_batch_id = ${batchId} and p.status = 'approved'
      and (case when c.is_agent then m.status not in ('issued', 'paid')
          else m.status <> 'issued' or m.paid_minor + m.withheld_minor <> 0 end or a.status <> 'scheduled'
        or a.payment_id is distinct from p.id and a.id is not null or not c.live)
    order by c.id`);
  if (wrong.length === 0) return;
  throw conflict('royalty_payment.not_payable', `${wrong.map((row) => row.what).join(', ')} cannot be paid any more: `
    + 'it is paid already, or taken back. Cancel this batch and make a new one.');
}

async function paymentsOf(ctx: WorkContext, batch: Batch, only: number | null = null): Promise<Payment[]> {
  const chosen = sql`p.royalty_payment_batch_id = ${batch.id} and p.status = 'approved'
    and (${only}::bigint is null or p.id = ${only})`;
  const payments = await ctx.db.query<Omit<Payment, 'parts'>>(sql`
    select p.id, p.number, a.code as account from payments p join ledger_accounts a on a.id = p.ledger_account_id
    where ${chosen} order by p.id`);
  const parts = await ctx.db.query<Part & { payment_id: number }>(sql`
    select c.payment_id, c.id as conversion_id, c.royalty_statement_id as statement_id,
      c.royalty_advance_id as advance_id, c.debt_currency as currency,
      case when c.is_agent or m.id is null then p.royaltor_id else m.royaltor_id end as owner_id, c.is_agent,
      c.debt_minor as gross_minor, (c.debt_minor - c.debt_withheld_minor)::bigint as paid_minor,
      c.debt_withheld_minor as wht_minor,
      case when c.is_agent then m.agent_minor else m.closing_minor end as open_minor,
      case when c.is_agent then m.agent_carried_minor else m.carried_minor end as carried_minor,
      c.rate::text as rate, c.rate_on, c.paid_minor as converted_minor
    from royalty_payment_conversions c join payments p on p.id = c.payment_id
      left join royalty_statements m on m.id = c.royalty_statement_id
    where ${chosen} order by c.id`);
  const of = Map.groupBy(parts, (part) => part.payment_id);
  return payments.map((payment) => ({ ...payment, parts: of.get(payment.id) ?? [] }));
}

async function keepPayment(
  ctx: WorkContext, batch: Batch, payment: Payment, settled: readonly Settled[], rate: string, transactionId: number,
): Promise<void> {
  await changeOutgoing(ctx, payment.id, { status: 'posted', posted_at: ctx.now().toISOString(),
    transaction_id: transactionId, amount_minor: Number(sum(settled.map((one) => one.debt.paid))),
    functional_rate: rate, functional_rate_on: batch.pay_on, paid_on: batch.pay_on });
}

/** Fixes the converted amounts of the part, and marks its statement or advance as paid. */
async function settle(ctx: WorkContext, batch: Batch, { part, into, debt, cost }: Settled): Promise<void> {
  const carried = debt.carried ?? cost;
  await ctx.db.exec(sql`
    update royalty_payment_conversions set rate = ${into.rate}, rate_on = ${into.rate_on},
      paid_minor = ${Number(debt.paid)}, withheld_minor = ${Number(atRate(BigInt(part.wht_minor), into.rate))},
      paid_functional_minor = ${Number(cost - debt.withheld)}, withheld_functional_minor = ${Number(debt.withheld)},
      carried_functional_minor = ${Number(carried)}, settled_at = ${ctx.now().toISOString()}
    where id = ${part.conversion_id}`);
  if (part.advance_id !== null) {
    await ctx.db.exec(sql`
      update royalty_advances set status = 'paid', paid_on = ${batch.pay_on}, paid_functional_minor = ${Number(cost)},
        version = version + 1 where id = ${part.advance_id}`);
  } else if (part.is_agent) {
    await ctx.db.exec(sql`
      update royalty_statements set agent_carried_minor = agent_carried_minor - ${Number(carried)}
      where id = ${part.statement_id}`);
  } else {
    await ctx.db.exec(sql`
      update royalty_statements set status = 'paid', paid_minor = paid_minor + ${part.paid_minor},
        withheld_minor = withheld_minor + ${part.wht_minor}, carried_minor = carried_minor - ${Number(carried)},
        version = version + 1 where id = ${part.statement_id}`);
  }
}
