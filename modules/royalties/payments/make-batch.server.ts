/**
 * A batch of payments to royaltors: one payment per payee, for all that the batch pays them; the tax is resolved on the
 * day of payment (domain.md 3.5, steps 9 to 12). It pays in the payee's currency where the division has a bank account
 * in it, else in the division's own; amounts of other currencies are shown at the last known rate until the day of
 * payment fixes them. Nothing is posted before it is paid.
 */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { applyPpm, formatMoney, type Currency } from '#kernel/money/money.ts';
import { payoutMethods, type PayingAccount, type PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { payStatement } from '#kernel/royalties/settlement.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import { notifyApprovers } from '#modules/notifications/notifications.public.server.ts';
import { insertRoyaltorPayment } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { agentOf, payeeOf } from '../statements/statement-agent.server.ts';
import { withholdingOf } from '../withholding/withholding.server.ts';
import { conversionOf, paymentCurrency, sumBatch, type Conversion } from './convert-payment.server.ts';
import { agentFree, ownFree } from './free-parts.server.ts';
import { heldOut, payeesOf } from './payees.server.ts';
import { batchEndpoints } from './payment-batch.contract.ts';

export interface BatchInput {
  division: Division;
  currency?: Currency | undefined;
  bank_account_id?: number | null | undefined;
  method: PayoutMethod;
  pay_on: string;
  statement_ids: readonly number[];
  advance_ids: readonly number[];
}

interface Payable {
  payee_id: number;
  is_agent: boolean;
  statement_id: number | null;
  advance_id: number | null;
  /** Of the statement or advance; tax and payment are in it. */
  currency: Currency;
  wht_base: bigint;
  wht: bigint;
  paid: bigint;
  rule_id: number | null;
  reason: string;
}

interface StatementRow { id: number; number: string | null; royaltor_id: number; division: string;
  currency: Currency; pay_currency: Currency; status: string;
  net_minor: number; vat_minor: number; agent_minor: number; payable_minor: number; payee: string;
  agent_royaltor_id: number | null;
  /** Parts that no payment settles yet: the royaltor's own, and the agent's, which may wait for its bank details. */
  own_free: boolean; agent_free: boolean }
interface AdvanceRow { id: number; title: string; royaltor_id: number; division: string; currency: Currency;
  pay_currency: Currency; status: string; amount_minor: number; in_batch: boolean }

/** General payment run that pays royalties beside bills; its batch is made with it, or was made before. */
export interface BatchOfRun { batch_id: number | null }

/**
 * Makes a draft batch; answers its id. 409 where a statement is not payable or is in another batch. The batch of a
 * general run is approved with the run: nobody is asked to approve it by itself.
 */
export async function makeBatch(ctx: WorkContext, input: BatchInput, run: BatchOfRun | null = null):
Promise<{ batch_id: number }> {
  await lockPayables(ctx, input);
  const statements = await statementsOf(ctx, input.statement_ids);
  const advances = await advancesOf(ctx, input.advance_ids);
  const currency = oneCurrency(input, [...statements, ...advances]);
  refuseMethod(input, currency);
  const payables = [
    ...await payStatements(ctx, input, statements, currency), ...await payAdvances(ctx, input, advances),
  ];
  await refuseHeldOut(ctx, { ...input, currency }, payables.map((one) => one.payee_id));
  const account = await bankOf(ctx, input, currency);
  const id = run?.batch_id ?? await insertBatch(ctx, input, currency);
  await insertPayments(ctx, id, input, currency, account, payables);
  const totals = await sumBatch(ctx.db, id);
  await ctx.audit({ action: 'create', entity: 'royalty_payment_batch', entity_id: id, after: totals });
  if (run !== null) return { batch_id: id };
  const batch = await ctx.db.one<{ number: string; total_minor: number }>(sql`
    select number, total_minor from royalty_payment_batches where id = ${id}`);
  await notifyApprovers(ctx, batchEndpoints.approve, { title: `Payment batch ${batch.number} awaits approval`,
    body: formatMoney(batch.total_minor, currency), href: `/admin/accounts-payable/royalty-payments/${id}` });
  return { batch_id: id };
}

async function insertBatch(ctx: WorkContext, input: BatchInput, currency: Currency): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    insert into royalty_payment_batches (number, division, currency, pay_on, method, created_by_id, created_at)
    values (next_number('payment_batch', ${input.division}, ${input.pay_on}::date), ${input.division}, ${currency},
      ${input.pay_on}, ${input.method}, ${ctx.actor.actor_id}, ${ctx.now().toISOString()}) returning id`)).id;
}

/** The one currency that a batch pays in; a 422 at the statements where there are several. */
function oneCurrency(input: BatchInput, chosen: readonly { division: string; pay_currency: Currency }[]): Currency {
  if (chosen.some((one) => one.division !== input.division)) {
    throw invalidField('statement_ids', 'Everything in a batch is of one division');
  }
  const [currency, ...more] = new Set(chosen.map((one) => one.pay_currency));
  if (currency === undefined || more.length > 0 || (input.currency !== undefined && input.currency !== currency)) {
    throw invalidField('statement_ids', 'Everything in a batch is paid in one currency');
  }
  return currency;
}

/**
 * Locks before anything is read, in a statement of its own: who waited for another batch then sees what that one wrote.
 */
async function lockPayables(ctx: WorkContext, input: BatchInput): Promise<void> {
  await ctx.db.query(sql`
    select 1 from royalty_statements where id = any(${[...input.statement_ids]}::bigint[]) order by id for update`);
  await ctx.db.query(sql`
    select 1 from royalty_advances where id = any(${[...input.advance_ids]}::bigint[]) order by id for update`);
}

async function statementsOf(ctx: WorkContext, ids: readonly number[]): Promise<StatementRow[]> {
  const rows = await ctx.db.query<StatementRow>(sql`
    select m.id, m.number, m.royaltor_id, m.division, m.currency, m.status,
      case when ${ownFree(sql`m`)} then ${paymentCurrency(sql`m.division`, payeeOf(sql`m`))}
        else ${paymentCurrency(sql`m.division`, agentOf(sql`m`))} end as pay_currency, m.net_minor, m.vat_minor,
      m.agent_minor, m.payable_minor, m.snapshot ->> 'payee' as payee, ${agentOf(sql`m`)} as agent_royaltor_id,
      ${ownFree(sql`m`)} as own_free, ${agentFree(sql`m`)} as agent_free
    from royalty_statements m where m.id = any(${[...ids]}::bigint[]) order by m.id`);
  if (rows.length !== new Set(ids).size) throw refuse('not_found');
  for (const row of rows) {
    if (row.agent_free && !row.own_free) continue;
    const name = row.number === null ? 'This statement' : `Statement ${row.number}`;
    if (!row.own_free) {
      throw conflict('royalty_payment.in_batch', `${name} is in a payment batch already.`);
    }
    if (row.status !== 'issued' || row.payable_minor <= 0) {
      throw conflict('royalty_payment.not_payable',
        `${name} is not issued, or nothing is payable on it.`);
    }
  }
  return rows;
}

async function advancesOf(ctx: WorkContext, ids: readonly number[]): Promise<AdvanceRow[]> {
  const rows = await ctx.db.query<AdvanceRow>(sql`
    select a.id, s.title, g.royaltor_id, a.division, a.currency, a.status, a.amount_minor,
      ${paymentCurrency(sql`a.division`, sql`g.royaltor_id`)} as pay_currency,
      exists (select 1 from royalty_payment_conversions x join payments p on p.id = x.payment_id
        where x.royalty_advance_id = a.id and p.status in ('draft', 'approved', 'posted', 'cleared')) as in_batch
    from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
      join shows s on s.id = g.show_id
    where a.id = any(${[...ids]}::bigint[]) order by a.id`);
  if (rows.length !== new Set(ids).size) throw refuse('not_found');
  for (const row of rows) {
    if (row.in_batch) {
      throw conflict('royalty_payment.in_batch', `The advance on ${row.title} is in a payment batch already.`);
    }
    if (row.status !== 'scheduled') {
      throw conflict('royalty_payment.not_payable', `The advance on ${row.title} is ${row.status}: it cannot be paid.`);
    }
  }
  return rows;
}

/** The ways that the division has in this currency: 422 for any other. */
function refuseMethod(input: BatchInput, currency: Currency): void {
  const ways = payoutMethods(input.division, currency);
  if (ways.includes(input.method)) return;
  throw invalidField('method', `${input.division} pays ${currency} by ${ways.join(' or ')}`);
}

/** Refuses payees who cannot be paid this way, with the reason: 409 for the batch. */
export async function refuseHeldOut(
  ctx: WorkContext, of: PayingAccount & { method: PayoutMethod }, payeeIds: readonly number[],
): Promise<void> {
  const held = [...(await payeesOf(ctx.db, payeeIds)).values()].flatMap((payee) => {
    const reason = heldOut(payee, of.method, of);
    return reason === null ? [] : [`${payee.name}: ${reason}`];
  });
  if (held.length > 0) throw conflict('royalty_payment.bank_details', held.join(' '));
}

export async function rateOf(
  ctx: Pick<WorkContext, 'db'>, royaltorId: number, input: Pick<BatchInput, 'division' | 'pay_on'>,
) {
  const withholding = await withholdingOf(ctx.db, royaltorId, input.division, input.pay_on);
  if (!withholding.found) {
    throw conflict('royalty_payment.no_withholding_rule', `${withholding.reason}. Enter one first.`);
  }
  return withholding;
}

async function payStatements(
  ctx: WorkContext, input: BatchInput, statements: readonly StatementRow[], currency: Currency,
): Promise<Payable[]> {
  const payables: Payable[] = [];
  const agents = await payeesOf(ctx.db, statements.flatMap((one) => one.agent_royaltor_id ?? []));
  for (const one of statements) {
    const agentId = one.agent_royaltor_id;
    if (one.own_free) payables.push(await ownPart(ctx, input, one));
    if (!one.agent_free || agentId === null) continue;
    // Only the agent's part waits for the agent's bank details; alone it is refused with the reason.
    if (one.own_free && heldOut(agents.get(agentId)!, input.method, { ...input, currency }) !== null) continue;
    payables.push({ payee_id: agentId, is_agent: true, statement_id: one.id, advance_id: null,
      currency: one.currency, wht_base: 0n, wht: 0n, paid: BigInt(one.agent_minor), rule_id: null,
      reason: 'Agent commission' });
  }
  return payables;
}

async function ownPart(ctx: WorkContext, input: BatchInput, one: StatementRow): Promise<Payable> {
  const { rate_ppm, rule_id, reason } = await rateOf(ctx, one.royaltor_id, input);
  const net = BigInt(one.net_minor);
  const { withholding_minor, payment_minor } = payStatement(net, BigInt(one.vat_minor), BigInt(one.agent_minor),
    rate_ppm);
  const payee_id = one.payee === 'agent' && one.agent_royaltor_id !== null ? one.agent_royaltor_id : one.royaltor_id;
  if (payment_minor <= 0n) {
    throw conflict('royalty_payment.not_payable', `Tax leaves nothing to pay on statement ${one.id}.`);
  }
  return { payee_id, is_agent: false, statement_id: one.id, advance_id: null, currency: one.currency, wht_base: net,
    wht: withholding_minor, paid: payment_minor, rule_id, reason };
}

async function payAdvances(ctx: WorkContext, input: BatchInput, advances: readonly AdvanceRow[]): Promise<Payable[]> {
  const payables: Payable[] = [];
  for (const one of advances) {
    const { rate_ppm, rule_id, reason } = await rateOf(ctx, one.royaltor_id, input);
    const gross = BigInt(one.amount_minor);
    const wht = applyPpm(gross, rate_ppm);
    if (wht >= gross) throw conflict('royalty_payment.not_payable', `Tax leaves nothing to pay on advance ${one.id}.`);
    payables.push({ payee_id: one.royaltor_id, is_agent: false, statement_id: null, advance_id: one.id,
      currency: one.currency, wht_base: gross, wht, paid: gross - wht, rule_id, reason });
  }
  return payables;
}

async function bankOf(ctx: WorkContext, input: BatchInput, currency: Currency): Promise<number> {
  const account = await bankAccountFor(ctx, { division: input.division, currency,
    bank_account_id: input.bank_account_id });
  return account.ledger_account_id;
}

async function insertPayments(
  ctx: WorkContext, batchId: number, input: BatchInput, currency: Currency, account: number,
  payables: readonly Payable[],
): Promise<void> {
  for (const group of Map.groupBy(payables, (one) => one.payee_id).values()) {
    const own: { one: Payable; into: Conversion }[] = [];
    for (const one of group) {
      const into = await conversionOf(ctx.db, input.division, one.currency, currency, input.pay_on);
      own.push({ one, into });
    }
    const amount = own.reduce((all, { one, into }) => all + atRate(one.paid, into.rate), 0n);
    if (amount <= 0n) {
      throw conflict('royalty_payment.not_payable', `At the current rate there is nothing to pay in ${currency}.`);
    }
    const kind = group.every((one) => one.advance_id !== null) ? 'royalty_advance' : 'royalty';
    const id = await insertRoyaltorPayment(ctx, { kind, royaltor_id: group[0]!.payee_id, division: input.division,
      ledger_account_id: account, currency, amount_minor: Number(amount), method: input.method, on: input.pay_on,
      memo: [...new Set(group.map((one) => one.reason))].join('; '), royalty_payment_batch_id: batchId });
    for (const { one, into } of own) await insertPart(ctx, id, one, into, currency);
  }
}

async function insertPart(
  ctx: WorkContext, paymentId: number, one: Payable, into: Conversion, currency: Currency,
): Promise<void> {
  await ctx.db.exec(sql`
    insert into royalty_payment_conversions (payment_id, royalty_statement_id, royalty_advance_id, debt_currency,
      debt_minor, debt_withheld_minor, currency, rate, rate_on, paid_minor, withheld_minor, is_agent)
    values (${paymentId}, ${one.statement_id}, ${one.advance_id}, ${one.currency}, ${Number(one.wht + one.paid)},
      ${Number(one.wht)}, ${currency}, ${into.rate}, ${into.rate_on}, ${Number(atRate(one.paid, into.rate))},
      ${Number(atRate(one.wht, into.rate))}, ${one.is_agent})`);
  if (one.advance_id !== null) {
    await ctx.db.exec(sql`
      update royalty_advances set payment_id = ${paymentId}, version = version + 1 where id = ${one.advance_id}`);
    return;
  }
  await ctx.db.exec(sql`
    insert into royalty_payment_statements (payment_id, royalty_statement_id, wht_rule_id, gross_minor,
      wht_base_minor, wht_minor, paid_minor, currency)
    values (${paymentId}, ${one.statement_id}, ${one.rule_id}, ${Number(one.wht + one.paid)}, ${Number(one.wht_base)},
      ${Number(one.wht)}, ${Number(one.paid)}, ${one.currency})`);
}
