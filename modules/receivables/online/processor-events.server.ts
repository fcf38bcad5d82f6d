/**
 * Events from the processor. Each is stored once and answered at once; the job reads the payment it is about. The
 * processor is also polled, to make up for lost webhooks.
 */
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { settleOnlinePayment, tellStaff } from './settle-payment.server.ts';
import { SETTLE_ONLINE_PAYMENTS } from './job-names.ts';
import { settleDispute } from './processor-disputes.server.ts';
import { settleRefund, workRefunds } from './processor-refunds.server.ts';
import { settlePayout } from './settle-payout.server.ts';
import { takesOnline, verifiedEvent } from './processor.server.ts';

/** Kinds that are about a payment of a customer; the others are read by the job on its own. */
const ABOUT_PAYMENTS = /^(checkout\.session\.|payment_intent\.)/;
const ABOUT_REFUNDS = /^(refund\.|charge\.refund\.)/;
const ABOUT_DISPUTES = /^charge\.dispute\./;

/** HTTP status of the answer: 404 without an account of the division, 400 where the SDK finds the signature wrong. */
export async function receiveEvent(
  ports: Ports, division: string, raw: Buffer, signature: string,
): Promise<200 | 400 | 404> {
  if (!takesOnline(ports.settings, division)) return 404;
  const event = await verifiedEvent(ports.settings, division, raw, signature);
  if (event === null) return 400;
  await ports.db.exec(sql`
    insert into processor_events (division, event_id, type, object_id, api_version, happened_at)
    values (${division}, ${event.id}, ${event.type.slice(0, 200)}, ${event.object_id}, ${event.api_version},
      ${event.happened_at.toISOString()}) on conflict (provider, division, event_id) do nothing`);
  ports.wake(SETTLE_ONLINE_PAYMENTS);
  return 200;
}

interface WaitingEvent { id: number; division: string; type: string; object_id: string; happened_at: string }

async function paymentOf(ports: Ports, event: WaitingEvent): Promise<number | null> {
  const row = await ports.db.maybeOne<{ id: number }>(sql`
    select id from online_payments where division = ${event.division}
      and (session_id = ${event.object_id} or payment_intent_id = ${event.object_id}) limit 1`);
  return row?.id ?? null;
}

/** Why nobody here knows what it is about; empty: it is ours, and settled. */
async function notOurs(ports: Ports, event: WaitingEvent, id: number | null): Promise<string> {
  if (ABOUT_REFUNDS.test(event.type)) {
    return await settleRefund(ports, event.division, event.object_id) ? '' : 'The refund is of a payment not made here';
  }
  if (ABOUT_DISPUTES.test(event.type)) {
    return await settleDispute(ports, event.division, event.object_id) ? ''
      : 'The dispute is of a payment not made here';
  }
  // A payment is known by its checkout first: its own events are told of again by the checkout's.
  return event.type.startsWith('checkout.session.') && id === null ? 'This checkout was not made here' : '';
}

async function handle(ports: Ports, event: WaitingEvent): Promise<void> {
  const about = ABOUT_PAYMENTS.test(event.type);
  const id = about ? await paymentOf(ports, event) : null;
  if (id !== null) await settleOnlinePayment(ports, id);
  if (event.type.startsWith('payout.')) await settlePayout(ports, event.division, event.object_id);
  const note = await notOurs(ports, event, id);
  await ports.db.tx(async (tx) => {
    await tx.exec(sql`
      update processor_events set status = ${note === '' ? 'done' : 'unknown'}, online_payment_id = ${id},
        handled_at = ${ports.clock.now().toISOString()}, attempts = attempts + 1, note = ${note}
      where id = ${event.id}`);
    if (note !== '') {
      await tellStaff(workContext(ports, tx, SYSTEM_ACTOR), 'the processor told of an unknown payment',
        `${event.type} ${event.object_id}`);
    }
  });
}

const BATCH = 200;

/** Events first, then what is due to be asked again. What fails is tried again by the next run. */
export async function settleOnlinePayments(ports: Ports): Promise<void> {
  const divisions = [...ports.settings.stripe?.keys.keys() ?? []];
  const events = await ports.db.query<WaitingEvent>(sql`
    select id, division, type, object_id, happened_at from processor_events
    where status = 'waiting' and division = any (${divisions}::text[])
    order by id limit ${BATCH}`);
  await runEach(ports, { job: SETTLE_ONLINE_PAYMENTS, items: events, facts: ({ id }) => ({ event: id }) },
    (event) => handle(ports, event));
  const due = await ports.db.query<{ id: number }>(sql`
    select id from online_payments where status in ('open', 'processing')
      and division = any (${divisions}::text[]) and check_after <= ${ports.clock.now().toISOString()}
    order by check_after limit ${BATCH}`);
  await runEach(ports, { job: SETTLE_ONLINE_PAYMENTS, items: due, facts: ({ id }) => ({ online_payment: id }) },
    async ({ id }) => { await settleOnlinePayment(ports, id); });
  await workRefunds(ports, divisions);
}
