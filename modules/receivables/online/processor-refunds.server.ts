/**
 * Refunds at the card processor. One that was asked for here is sent once it is approved, and posted when the processor
 * has paid it; one that somebody made at the processor is found and posted. As with payments, an event and the clock
 * only say what to read again, and the difference is applied under locks.
 */
import { formatMoney } from '#kernel/money/money.ts';
import { refundPaidLines } from '#kernel/ledger/receivable-events.ts';
import type { RefundState } from '#kernel/receivables/processor-refund.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { post } from '../ledger/post.server.ts';
import { lockPayment } from '../payments/payment-store.server.ts';
import { postRefund } from '../payments/refund.server.ts';
import { READ_REFUNDS, SETTLE_ONLINE_PAYMENTS } from './job-names.ts';
import { CheckoutUnknown } from './processor.server.ts';
import { createRefund, listRefunds, readRefund, refundUnder, RefundRefused, type RefundReading }
  from './refund-calls.server.ts';
import { assignRefund, dayOf, payOtherwise, takeBackRefund } from './refund-books.server.ts';
import { mailPayer, settleOnlinePayment, tellStaff } from './settle-payment.server.ts';

interface ProcessorRefund {
  id: number;
  division: string;
  currency: string;
  amount_minor: number;
  customer_id: number;
  origin: 'asked' | 'found';
  status: RefundState;
  payment_id: number | null;
  refund_id: string | null;
  idempotency_key: string | null;
  payment_intent_id: string;
  /** The receipt of the charge; null: a person has to book that first. */
  receipt_id: number | null;
  is_test: boolean;
  started_by_id: number | null;
}

const COLUMNS = sql`r.id, r.division, r.currency, r.amount_minor, r.customer_id, r.origin, r.status, r.payment_id,
  r.refund_id, r.idempotency_key, o.payment_intent_id, o.payment_id as receipt_id, o.is_test, o.started_by_id`;
const FROM = sql`processor_refunds r join online_payments o on o.id = r.online_payment_id`;

const refundOf = (ctx: Pick<WorkContext, 'db'>, id: number): Promise<ProcessorRefund> =>
  ctx.db.one<ProcessorRefund>(sql`select ${COLUMNS} from ${FROM} where r.id = ${id}`);

/** The refund's payment, or the receipt that it will come off, then the refund itself: the order of every verb. */
async function locked(ctx: WorkContext, id: number): Promise<ProcessorRefund> {
  const before = await refundOf(ctx, id);
  const first = before.payment_id ?? before.receipt_id;
  if (first !== null) await lockPayment(ctx, first);
  await ctx.db.query(sql`select 1 from processor_refunds where id = ${id} for update`);
  return refundOf(ctx, id);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const later = (ctx: WorkContext, ms: number): string => new Date(ctx.now().getTime() + ms).toISOString();
const systemOf = (ports: Ports, db: WorkContext['db']): WorkContext => workContext(ports, db, SYSTEM_ACTOR);

/** Part of the charge that other refunds have not taken; those that only wait are not counted. */
async function leftOf(ctx: WorkContext, id: number): Promise<number> {
  return (await ctx.db.one<{ left_minor: number }>(sql`
    select (o.charged_minor - coalesce((select sum(x.amount_minor) from processor_refunds x
      where x.online_payment_id = o.id and x.id <> r.id and x.status in ('sent', 'succeeded')), 0))::bigint
      as left_minor
    from ${FROM} where r.id = ${id}`)).left_minor;
}

/** Marked as sent before it is sent: whoever finds it so later looks at the processor first. */
async function begin(ports: Ports, id: number): Promise<{ refund: ProcessorRefund; again: boolean } | null> {
  return ports.db.tx(async (tx) => {
    const ctx = systemOf(ports, tx);
    const refund = await locked(ctx, id);
    if (refund.status !== 'approved' && refund.status !== 'sent') return null;
    if (refund.status === 'approved' && refund.amount_minor > await leftOf(ctx, id)) {
      await fail(ctx, refund, { id: null, state: 'failed', failure: 'Less than that is left of the charge' });
      return null;
    }
    await tx.exec(sql`
      update processor_refunds set status = 'sent', sent_at = coalesce(sent_at, ${ctx.now().toISOString()}),
        check_after = ${later(ctx, refund.refund_id === null ? 10 * MINUTE : HOUR)} where id = ${id}`);
    return { refund, again: refund.status === 'sent' };
  });
}

async function ask(ports: Ports, refund: ProcessorRefund, again: boolean): Promise<RefundReading | string> {
  const { division, payment_intent_id, amount_minor } = refund;
  if (refund.refund_id !== null) return readRefund(ports.settings, division, refund.refund_id);
  const idempotency_key = refund.idempotency_key!;
  const known = again ? await refundUnder(ports.settings, division, payment_intent_id, idempotency_key) : null;
  if (known) return known;
  try {
    return await createRefund(ports.settings, division, { idempotency_key, payment_intent_id, amount_minor });
  } catch (error) {
    if (error instanceof RefundRefused) return error.message;
    throw error;
  }
}

/** Sends an approved refund, or reads one that is on its way. */
async function workRefund(ports: Ports, id: number): Promise<void> {
  const begun = await begin(ports, id);
  if (begun === null) return;
  const answer = await ask(ports, begun.refund, begun.again);
  await ports.db.tx((tx) => apply(systemOf(ports, tx), id, typeof answer === 'string'
    ? { id: null, state: 'failed', failure: answer } : answer));
}

type Answer = Pick<RefundReading, 'state' | 'failure'> & { id: string | null };

async function apply(ctx: WorkContext, id: number, answer: Answer): Promise<void> {
  const refund = await locked(ctx, id);
  if (refund.status === 'failed' || refund.status === 'withdrawn' || refund.status === answer.state) {
    if (refund.refund_id === null && answer.id !== null) await name(ctx, refund, answer.id);
    return;
  }
  if (answer.state === 'succeeded') await succeed(ctx, refund, answer.id!);
  else if (answer.state === 'failed') await fail(ctx, refund, answer);
  else {
    await ctx.db.exec(sql`
      update processor_refunds set status = 'sent', refund_id = coalesce(${answer.id}, refund_id),
        check_after = ${later(ctx, HOUR)} where id = ${id} and status <> 'succeeded'`);
  }
}

function name(ctx: WorkContext, refund: ProcessorRefund, refundId: string): Promise<unknown> {
  return ctx.db.exec(sql`update processor_refunds set refund_id = ${refundId} where id = ${refund.id}`);
}

async function succeed(ctx: WorkContext, refund: ProcessorRefund, refundId: string): Promise<void> {
  const booked = refund.payment_id === null ? await bookFound(ctx, refund, refundId)
    : { payment_id: refund.payment_id, attention: '' };
  if (refund.payment_id !== null) {
    await postRefund(ctx, refund.payment_id, await dayOf(ctx, refund.division, refund.payment_id), refundId);
  }
  await ctx.db.exec(sql`
    update processor_refunds set status = 'succeeded', refund_id = ${refundId}, payment_id = ${booked.payment_id},
      attention = ${booked.attention}, settled_at = ${ctx.now().toISOString()} where id = ${refund.id}`);
  await ctx.audit({ action: 'settle', entity: 'processor_refund', entity_id: refund.id,
    after: { payment_id: booked.payment_id, refund_id: refundId, attention: booked.attention } });
  const sum = formatMoney(refund.amount_minor, refund.currency);
  if (booked.attention !== '') await tellStaff(ctx, `refund of ${sum} made at the card processor`, booked.attention);
  await mailPayer(ctx, refund, 'refund.sent', `Refund of ${sum}`, [
    `We have refunded ${sum} to the card or account you paid with${refund.is_test ? ' (test, no money moved)' : ''}.`,
    'Your bank may take some days to show it.'], 'processor_refund');
}

/** Money that left at the processor: off Card clearing at once; which credit it used is settled with the receipt. */
async function bookFound(ctx: WorkContext, refund: ProcessorRefund, refundId: string):
Promise<{ payment_id: number | null; attention: string }> {
  const { division, currency, amount_minor, customer_id, receipt_id } = refund;
  if (receipt_id === null) {
    return { payment_id: null, attention: 'Its payment is not booked here. Book both by hand' };
  }
  const receipt = await lockPayment(ctx, receipt_id);
  const on = await ctx.today(division);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, status, party_type, party_id, license_id, division,
      ledger_account_id, currency, amount_minor, method, provider, provider_id, paid_on, functional_rate,
      functional_rate_on, memo)
    values (next_number('disbursement', ${division}, ${on}::date), 'out', 'refund', 'approved', 'customer',
      ${customer_id}, ${receipt.license_id}, ${division}, ${receipt.ledger_account_id}, ${currency}, ${amount_minor},
      ${receipt.method}, 'stripe', ${refundId}, ${on}, ${receipt.functional_rate}, ${on},
      ${`Refund of ${receipt.number}, made at the card processor`}) returning id`);
  const transaction = await post(ctx, { division, kind: 'payment', on, currency, rate: receipt.functional_rate,
    description: `Refund of receipt ${receipt.number} at the card processor`, payment_id: id,
    license_id: receipt.license_id, source: { type: 'payment', id, event: 'paid' },
    lines: refundPaidLines(customer_id, BigInt(amount_minor), receipt.account_code, on) });
  await ctx.db.exec(sql`
    update payments set status = 'posted', posted_at = ${ctx.now().toISOString()}, transaction_id = ${transaction},
      value_on = ${on}, version = version + 1 where id = ${id}`);
  const assigned = await assignRefund(ctx, { payment_id: id, receipt_id });
  return { payment_id: id, attention: assigned ? '' : `Receipt ${receipt.number} has ${
    formatMoney(receipt.unapplied_minor, currency)} on account. Credit the invoice or take the receipt off it: the `
    + 'refund is then assigned by itself' };
}

async function fail(ctx: WorkContext, refund: ProcessorRefund, answer: Answer): Promise<void> {
  const wasPaid = refund.status === 'succeeded';
  const failure = answer.failure.slice(0, 500);
  if (refund.payment_id !== null) {
    if (wasPaid) await takeBackRefund(ctx, refund.payment_id, failure);
    else await payOtherwise(ctx, refund.payment_id, failure);
  }
  await ctx.db.exec(sql`
    update processor_refunds set status = 'failed', refund_id = coalesce(${answer.id}, refund_id),
      failure = ${failure}, attention = '', settled_at = ${ctx.now().toISOString()} where id = ${refund.id}`);
  await ctx.audit({ action: 'end', entity: 'processor_refund', entity_id: refund.id, after: { failure, wasPaid } });
  if (refund.payment_id === null) return;
  const sum = formatMoney(refund.amount_minor, refund.currency);
  await tellStaff(ctx, `refund of ${sum} did not reach the card`, `${failure}. ${wasPaid
    ? 'It is owed to the customer again: pay it by bank transfer' : 'It waits for approval as a bank transfer'}`,
  `/admin/accounts-receivable/payments/${refund.payment_id}`);
  await mailPayer(ctx, refund, 'refund.failed', `Refund of ${sum} did not reach your card`, [
    `We tried to refund ${sum} to the card or account you paid with, and your bank sent it back.`,
    'We will pay it by bank transfer. Please check the bank details we have for you, or write to us.'],
  'processor_refund');
}

/** Reads a refund that an event told of and applies it. False: its payment was not made here. */
export async function settleRefund(ports: Ports, division: string, refundId: string): Promise<boolean> {
  try {
    return await settleReading(ports, division, await readRefund(ports.settings, division, refundId));
  } catch (error) {
    if (error instanceof CheckoutUnknown) return false;
    throw error;
  }
}

async function settleReading(ports: Ports, division: string, reading: RefundReading): Promise<boolean> {
  const known = await ports.db.maybeOne<{ id: number }>(sql`
    select id from processor_refunds where division = ${division}
      and (refund_id = ${reading.id} or idempotency_key = ${reading.reference})`);
  const id = known?.id ?? await found(ports, division, reading);
  if (id === null) return false;
  if (id !== 0) await ports.db.tx((tx) => apply(systemOf(ports, tx), id, reading));
  return true;
}

/** The row of a refund that somebody made at the processor; 0 for one that paid nothing, null where it is not ours. */
async function found(ports: Ports, division: string, reading: RefundReading): Promise<number | null> {
  const charge = await ports.db.maybeOne<{ id: number; status: string }>(sql`
    select id, status from online_payments where division = ${division}
      and payment_intent_id = ${reading.payment_intent_id}`);
  if (!charge) return null;
  // The refund overtook its payment: that is booked first.
  if (charge.status !== 'paid') await settleOnlinePayment(ports, charge.id);
  if (reading.state === 'failed') return 0;
  return ports.db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`refund ${division} ${reading.id}`}, 0))`);
    const known = await tx.maybeOne<{ id: number }>(sql`
      select id from processor_refunds where division = ${division} and refund_id = ${reading.id}`);
    if (known) return known.id;
    return (await tx.one<{ id: number }>(sql`
      insert into processor_refunds (division, online_payment_id, customer_id, currency, amount_minor, origin, status,
        refund_id, sent_at, check_after)
      select division, id, customer_id, ${reading.currency}, ${reading.amount_minor}, 'found', 'sent', ${reading.id},
        ${ports.clock.now().toISOString()}::timestamptz, ${ports.clock.now().toISOString()}::timestamptz
      from online_payments where id = ${charge.id} returning id`)).id;
  });
}

const BATCH = 200;

/** Sends approved refunds, reads those on their way, and assigns those found as soon as it can. */
export async function workRefunds(ports: Ports, divisions: readonly string[]): Promise<void> {
  const due = await ports.db.query<{ id: number }>(sql`
    select id from processor_refunds where status in ('approved', 'sent') and division = any (${[...divisions]}::text[])
      and check_after <= ${ports.clock.now().toISOString()} order by check_after limit ${BATCH}`);
  await runEach(ports, { job: SETTLE_ONLINE_PAYMENTS, items: due, facts: ({ id }) => ({ processor_refund: id }) },
    ({ id }) => workRefund(ports, id));
  const open = await ports.db.query<{ id: number; payment_id: number; receipt_id: number }>(sql`
    select r.id, r.payment_id, o.payment_id as receipt_id from ${FROM} join payments p on p.id = o.payment_id
    where r.attention <> '' and r.status = 'succeeded' and r.payment_id is not null
      and p.unapplied_minor >= r.amount_minor order by r.id limit ${BATCH}`);
  await runEach(ports, { job: SETTLE_ONLINE_PAYMENTS, items: open, facts: ({ id }) => ({ processor_refund: id }) },
    (row) => ports.db.tx(async (tx) => {
      const ctx = systemOf(ports, tx);
      if (!await assignRefund(ctx, row)) return;
      await tx.exec(sql`update processor_refunds set attention = '' where id = ${row.id}`);
    }));
}

const DAYS_READ = 35;

/** Refunds of the last weeks that nobody told of, and those that came to something else than we know. */
export async function readMissedRefunds(ports: Ports): Promise<void> {
  const divisions = await ports.db.query<{ id: number; code: string }>(sql`
    select id, code from divisions where code = any (${[...ports.settings.stripe?.keys.keys() ?? []]}::text[])
    order by id`);
  await runEach(ports, { job: READ_REFUNDS, items: divisions, facts: ({ id }) => ({ division: id }) },
    ({ code }) => readMissedOf(ports, code));
}

async function readMissedOf(ports: Ports, division: string): Promise<void> {
  const since = new Date(ports.clock.now().getTime() - DAYS_READ * 24 * HOUR);
  const states = new Map((await ports.db.query<{ refund_id: string; status: RefundState }>(sql`
    select refund_id, status from processor_refunds where division = ${division} and refund_id is not null`))
    .map((row) => [row.refund_id, row.status]));
  const missed = (await listRefunds(ports.settings, division, since)).filter((one) => states.get(one.id) !== one.state);
  await runEach(ports, { job: READ_REFUNDS, items: missed, facts: ({ id }) => ({ refund: id }) },
    async (reading) => { await settleReading(ports, division, reading); });
}
