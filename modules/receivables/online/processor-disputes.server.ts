/**
 * Disputes of card payments. What the processor says a dispute has taken is what the books show: the difference is
 * booked under locks, whichever event comes first, twice or never. Evidence is given on the processor's own pages.
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { isOpenDispute, type DisputeState } from '#kernel/receivables/dispute.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { lockPayment } from '../payments/payment-store.server.ts';
import { bookDisputeFee, giveBack, takeAway, type TakenOff } from './dispute-books.server.ts';
import { listDisputes, readDispute, type DisputeReading } from './dispute-calls.server.ts';
import { READ_DISPUTES } from './job-names.ts';
import { CheckoutUnknown } from './processor.server.ts';
import { settleOnlinePayment } from './settle-payment.server.ts';

interface Dispute {
  id: number;
  division: string;
  currency: string;
  customer_id: number;
  customer_name: string;
  status: DisputeState;
  taken_minor: number;
  fee_minor: number;
  payment_id: number | null;
  taken_off: TakenOff[];
  attention: string;
  receipt_id: number | null;
}

const DISPUTES = '/admin/accounts-receivable/disputes';

const disputeOf = (ctx: Pick<WorkContext, 'db'>, id: number): Promise<Dispute> => ctx.db.one<Dispute>(sql`
  select d.id, d.division, d.currency, d.customer_id, c.name as customer_name, d.status, d.taken_minor, d.fee_minor,
    d.payment_id, d.taken_off, d.attention, o.payment_id as receipt_id
  from processor_disputes d join online_payments o on o.id = d.online_payment_id
    join customers c on c.id = d.customer_id where d.id = ${id}`);

/** Licenses of what the receipt paid, the receipt, then the dispute: the order of every verb. */
async function locked(ctx: WorkContext, id: number): Promise<Dispute> {
  const { receipt_id, taken_off } = await disputeOf(ctx, id);
  if (receipt_id !== null) {
    const licenses = await ctx.db.query<{ id: number }>(sql`
      select distinct i.license_id as id from invoices i where i.license_id is not null and (i.id = any (${
        taken_off.map((one) => one.invoice_id)}::bigint[]) or i.id in (select a.invoice_id from payment_allocations a
        where a.payment_id = ${receipt_id})) order by id`);
    for (const license of licenses) await lockLicense(ctx, license.id);
    await lockPayment(ctx, receipt_id);
  }
  await ctx.db.query(sql`select 1 from processor_disputes where id = ${id} for update`);
  return disputeOf(ctx, id);
}

/** Reads a dispute that an event told of and applies it. False: its payment was not made here. */
export async function settleDispute(ports: Ports, division: string, disputeId: string): Promise<boolean> {
  try {
    return await settleReading(ports, division, await readDispute(ports.settings, division, disputeId));
  } catch (error) {
    if (error instanceof CheckoutUnknown) return false;
    throw error;
  }
}

async function settleReading(ports: Ports, division: string, reading: DisputeReading): Promise<boolean> {
  const charge = await ports.db.maybeOne<{ id: number; status: string }>(sql`
    select id, status from online_payments where division = ${division}
      and payment_intent_id = ${reading.payment_intent_id}`);
  if (!charge) return false;
  // The dispute overtook its payment: that is booked first.
  if (charge.status !== 'paid') await settleOnlinePayment(ports, charge.id);
  await ports.db.tx(async (tx) => {
    const ctx = workContext(ports, tx, SYSTEM_ACTOR);
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`dispute ${division} ${reading.id}`}, 0))`);
    const known = await tx.maybeOne<{ id: number }>(sql`
      select id from processor_disputes where division = ${division} and dispute_id = ${reading.id}`);
    const id = known?.id ?? (await tx.one<{ id: number }>(sql`
      insert into processor_disputes (division, dispute_id, online_payment_id, customer_id, currency, amount_minor,
        reason, status, due_at)
      select division, ${reading.id}, id, customer_id, ${reading.currency}, ${reading.amount_minor}, ${reading.reason},
        'inquiry', ${reading.due_at}::timestamptz from online_payments where id = ${charge.id} returning id`)).id;
    await apply(ctx, id, reading, known === null);
  });
  return true;
}

const isOver = (state: DisputeState): boolean => state === 'won' || state === 'lost' || state === 'closed';

async function apply(ctx: WorkContext, id: number, reading: DisputeReading, isNew: boolean): Promise<void> {
  const dispute = await locked(ctx, id);
  const booked = await book(ctx, dispute, reading);
  const changed = isNew || dispute.status !== reading.state || dispute.attention !== booked.attention;
  await ctx.db.exec(sql`
    update processor_disputes set status = ${reading.state}, reason = ${reading.reason}, due_at = ${reading.due_at},
      taken_minor = ${booked.taken_minor}, fee_minor = ${booked.fee_minor}, payment_id = ${booked.payment_id},
      taken_off = ${JSON.stringify(booked.taken_off)}::jsonb, attention = ${booked.attention},
      closed_at = ${isOver(reading.state) ? ctx.now().toISOString() : null} where id = ${id}`);
  if (!changed) return;
  await ctx.audit({ action: 'settle', entity: 'processor_dispute', entity_id: id, after: { status: reading.state,
    taken_minor: booked.taken_minor, fee_minor: booked.fee_minor, attention: booked.attention } });
  await tell(ctx, dispute, reading, booked.attention);
}

interface Booked {
  taken_minor: number;
  fee_minor: number;
  payment_id: number | null;
  taken_off: readonly TakenOff[];
  attention: string;
}

const RETURNED_BY_HAND = 'Its receipt was recorded as returned by hand';

/** Brings the books to the amount the processor has taken. */
async function book(ctx: WorkContext, dispute: Dispute, reading: DisputeReading): Promise<Booked> {
  const same: Booked = { taken_minor: dispute.taken_minor, fee_minor: dispute.fee_minor,
    payment_id: dispute.payment_id, taken_off: dispute.taken_off, attention: dispute.attention };
  const { receipt_id } = dispute;
  if (receipt_id === null) return { ...same, attention: 'Its payment is not booked here. Book both by hand' };
  let booked = same;
  if (reading.taken_minor !== dispute.taken_minor) {
    if (dispute.taken_minor > 0) {
      await giveBack(ctx, { payment_id: dispute.payment_id!, receipt_id, taken_off: dispute.taken_off });
      booked = { ...same, taken_minor: 0, taken_off: [], attention: '' };
    }
    if (reading.taken_minor > 0) {
      const taken = await takeAway(ctx, { receipt_id, amount_minor: reading.taken_minor, dispute_id: reading.id });
      if (taken === null) return { ...booked, attention: RETURNED_BY_HAND };
      booked = { ...booked, ...taken, taken_minor: reading.taken_minor };
    }
  }
  if (reading.fee_minor === dispute.fee_minor) return booked;
  // Won before it was read: the money went and came back, and the fee stands on that posting.
  if (booked.payment_id === null) {
    const taken = await takeAway(ctx, { receipt_id, amount_minor: reading.amount_minor, dispute_id: reading.id });
    if (taken === null) return { ...booked, attention: RETURNED_BY_HAND };
    await giveBack(ctx, { ...taken, receipt_id });
    booked = { ...booked, payment_id: taken.payment_id };
  }
  await bookDisputeFee(ctx, { payment_id: booked.payment_id!, from_minor: dispute.fee_minor,
    to_minor: reading.fee_minor });
  return { ...booked, fee_minor: reading.fee_minor };
}

async function tell(ctx: WorkContext, dispute: Dispute, reading: DisputeReading, attention: string): Promise<void> {
  const sum = formatMoney(reading.amount_minor, reading.currency);
  const words: Record<DisputeState, string> = {
    inquiry: `${dispute.customer_name} asks their bank about ${sum}`,
    needs_response: `${dispute.customer_name} disputes ${sum}`,
    under_review: `The bank reviews our evidence for ${sum}`,
    won: `Dispute won: ${sum} is back`, lost: `Dispute lost: ${dispute.customer_name} owes ${sum} again`,
    closed: `${dispute.customer_name} did not dispute ${sum}` };
  const due = reading.due_at !== null && isOpenDispute(reading.state) && reading.state === 'needs_response'
    ? `Give evidence at the card processor by ${dateFor(documentLanguage(dispute.division),
      reading.due_at.slice(0, 10))}. ` : '';
  await notifyStaff(ctx, { kind: 'payment.disputed', title: words[reading.state], body: `${due}${attention}`.trim(),
    href: `${DISPUTES}?search=${reading.id}` });
}

const DAYS_READ = 200;

/** Disputes of the last months that nobody told of, and those that came to something else than we know. */
export async function readMissedDisputes(ports: Ports): Promise<void> {
  const divisions = await ports.db.query<{ id: number; code: string }>(sql`
    select id, code from divisions where code = any (${[...ports.settings.stripe?.keys.keys() ?? []]}::text[])
    order by id`);
  await runEach(ports, { job: READ_DISPUTES, items: divisions, facts: ({ id }) => ({ division: id }) },
    ({ code }) => readMissedOf(ports, code));
}

type StoredDispute = Pick<Dispute, 'status' | 'taken_minor' | 'fee_minor'> & { dispute_id: string };

async function readMissedOf(ports: Ports, division: string): Promise<void> {
  const since = new Date(ports.clock.now().getTime() - DAYS_READ * 86_400_000);
  const known = new Map((await ports.db.query<StoredDispute>(sql`
    select dispute_id, status, taken_minor, fee_minor from processor_disputes where division = ${division}`))
    .map((row) => [row.dispute_id, row]));
  const missed = (await listDisputes(ports.settings, division, since)).filter((one) => {
    const row = known.get(one.id);
    return row?.status !== one.state || row.taken_minor !== one.taken_minor || row.fee_minor !== one.fee_minor;
  });
  await runEach(ports, { job: READ_DISPUTES, items: missed, facts: ({ id }) => ({ dispute: id }) },
    async (reading) => { await settleReading(ports, division, reading); });
}
