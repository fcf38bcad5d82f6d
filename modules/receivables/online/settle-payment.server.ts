/**
 * Settles a payment from its state at the processor. Events, the customer's return and polling all end here: the
 * processor is read, and the difference is applied under the row's lock. So their order and number do not matter, nor
 * whether an event comes at all.
 */
import { AppError } from '#kit/errors.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { chargeProblem, isOver, onlineState, type OnlineMethod, type OnlineState }
  from '#kernel/receivables/online-payment.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { oneLine, queueMail, type DrawnAttachment } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { papersOfReceipt } from '../money-mails.server.ts';
import { recordReceipt } from '../payments/record-receipt.server.ts';
import { CheckoutUnknown, readCheckout, type CheckoutReading } from './processor.server.ts';

export interface OnlinePayment {
  id: number;
  customer_id: number;
  /** The document that was opened; null for a deposit. */
  invoice_id: number | null;
  deposit_id: number | null;
  division: string;
  currency: string;
  amount_minor: number;
  method: OnlineMethod;
  status: OnlineState;
  is_test: boolean;
  session_id: string;
  started_by_id: number | null;
  expires_at: string;
}

const COLUMNS = sql`id, customer_id, invoice_id, deposit_id, division, currency, amount_minor, method, status, is_test,
  session_id, started_by_id, expires_at`;
export const CARD_PAYMENTS = '/admin/accounts-receivable/card-payments';

const MINUTE = 60_000;
/** Delay before the processor is polled again if it told us nothing. */
const NEXT_LOOK: Record<'open' | 'processing', number> = { open: 10 * MINUTE, processing: 60 * MINUTE };

/** Reads the processor and books what it says. Answers the state after it. */
export async function settleOnlinePayment(ports: Ports, id: number): Promise<OnlineState> {
  const row = await ports.db.one<OnlinePayment>(sql`select ${COLUMNS} from online_payments where id = ${id}`);
  if (isOver(row.status)) return row.status;
  let reading: CheckoutReading | null = null;
  try {
    reading = await readCheckout(ports.settings, row.division, row.session_id);
  } catch (error) {
    if (!(error instanceof CheckoutUnknown)) throw error;
  }
  const apply = (plain: boolean): Promise<OnlineState> => ports.db.tx((tx) =>
    applyReading(workContext(ports, tx, SYSTEM_ACTOR), id, reading, plain));
  try {
    return await apply(false);
  } catch (error) {
    // The document does not take the money any more (paid otherwise, withdrawn, of another tax): it is on account.
    if (!(error instanceof AppError)) throw error;
    return apply(true);
  }
}

async function applyReading(ctx: WorkContext, id: number, reading: CheckoutReading | null, plain: boolean):
Promise<OnlineState> {
  await ctx.db.query(sql`select 1 from online_payments where id = ${id} for update`);
  const row = await ctx.db.one<OnlinePayment>(sql`select ${COLUMNS} from online_payments where id = ${id}`);
  if (isOver(row.status)) return row.status;
  const now = ctx.now();
  const gone = reading === null && new Date(row.expires_at) < now;
  const state = reading === null ? (gone ? 'expired' : row.status) : onlineState(reading);
  if (state === 'paid' && reading !== null) await book(ctx, row, reading, plain);
  else if (isOver(state)) await end(ctx, row, state, reading?.failure ?? '');
  else {
    await ctx.db.exec(sql`
      update online_payments set status = ${state}, failure = ${reading?.failure ?? ''},
        payment_intent_id = coalesce(${reading?.payment_intent_id ?? null}, payment_intent_id),
        check_after = ${new Date(now.getTime() + NEXT_LOOK[state as 'open' | 'processing']).toISOString()},
        version = version + 1 where id = ${id}`);
  }
  return state;
}

/** Money of the customer: its receipt for what was charged, which pays the documents or is the deposit. */
async function book(ctx: WorkContext, row: OnlinePayment, reading: CheckoutReading, plain: boolean): Promise<void> {
  const charged = { amount_minor: reading.amount_minor, currency: reading.currency };
  const problem = chargeProblem({ amount_minor: BigInt(row.amount_minor), currency: row.currency }, charged);
  // Another currency has another account with the processor: a person has to look before anything is booked.
  const bookable = charged.currency === row.currency && reading.payment_intent_id !== null;
  const amount = Number(charged.amount_minor);
  const paymentId = bookable ? await receipt(ctx, row, amount, reading.payment_intent_id!, plain || problem !== null)
    : null;
  const target = row.deposit_id === null ? 'document' : 'deposit';
  const attention = problem ?? (plain ? `The ${target} did not take the money: it is on account` : '');
  await ctx.db.exec(sql`
    update online_payments set status = 'paid', failure = '', attention = ${attention}, payment_id = ${paymentId},
      payment_intent_id = ${reading.payment_intent_id}, charged_minor = ${amount},
      charged_currency = ${charged.currency}, settled_at = ${ctx.now().toISOString()}, version = version + 1
    where id = ${row.id}`);
  await ctx.audit({ action: 'settle', entity: 'online_payment', entity_id: row.id,
    after: { payment_id: paymentId, amount_minor: amount, attention } });
  if (attention !== '') await tellStaff(ctx, `Card payment ${formatMoney(amount, charged.currency)}`, attention);
  await mailPayer(ctx, row, 'payment.received', `Payment of ${formatMoney(amount, charged.currency)} received`, [
    `Thank you. We received ${formatMoney(amount, charged.currency)}${row.is_test ? ' (test, no money moved)' : ''}.`,
    ...(paymentId === null ? [] : ['Your receipt is attached.'])], 'online_payment',
  paymentId === null ? [] : await papersOfReceipt(ctx, paymentId));
}

interface Paid { id: number; kind: string; status: string; balance_minor: number; number: string | null;
  amount_minor: number }

async function receipt(ctx: WorkContext, row: OnlinePayment, amount: number, intentId: string, onAccount: boolean):
Promise<number> {
  const reference = (of: string): string => `${row.is_test ? 'Test payment' : 'Online payment'} of ${of}`.slice(0, 180);
  const common = { customer_id: row.customer_id, division: row.division, currency: row.currency, amount_minor: amount,
    method: row.method, received_on: await ctx.today(row.division), provider: 'stripe' as const,
    provider_id: intentId };
  if (row.deposit_id !== null) {
    const { number } = await ctx.db.one<{ number: string }>(sql`
      select coalesce(l.license_number, l.number) as number from deposits d join licenses l on l.id = d.license_id
      where d.id = ${row.deposit_id}`);
    const made = await recordReceipt(ctx, { ...common, reference: reference(`deposit, ${number}`),
      ...(onAccount ? { apply_to: [] } : { deposit_id: row.deposit_id }) });
    return made.payment_id;
  }
  // A pro forma that was paid is its invoice by now.
  const documents = await ctx.db.query<Paid>(sql`
    select t.id, t.kind, t.status, t.balance_minor, coalesce(t.invoice_number, t.reference) as number, d.amount_minor
    from online_payment_documents d join invoices t on t.id = d.invoice_id where d.online_payment_id = ${row.id}
    order by t.id <> ${row.invoice_id}, t.id`);
  const apply_to = onAccount ? [] : documents.map((one) => ({ invoice_id: one.id, amount_minor: takes(one) }))
    .filter((one) => one.amount_minor > 0);
  const of = documents.map((one) => one.number ?? one.id).join(', ').slice(0, 150);
  return (await recordReceipt(ctx, { ...common, reference: reference(of), apply_to })).payment_id;
}

/** Amount a document takes of that meant for it: nothing once it is closed, never more than is open. */
function takes(document: Paid): number {
  if (document.kind === 'proforma') return document.status === 'proforma' ? document.amount_minor : 0;
  return ['issued', 'part_paid'].includes(document.status)
    ? Math.min(document.amount_minor, document.balance_minor) : 0;
}

async function end(ctx: WorkContext, row: OnlinePayment, state: OnlineState, failure: string): Promise<void> {
  await ctx.db.exec(sql`
    update online_payments set status = ${state}, failure = ${failure}, settled_at = ${ctx.now().toISOString()},
      version = version + 1 where id = ${row.id}`);
  await ctx.audit({ action: 'end', entity: 'online_payment', entity_id: row.id, after: { state, failure } });
  if (state !== 'failed') return;
  const sum = formatMoney(row.amount_minor, row.currency);
  await mailPayer(ctx, row, 'payment.failed', `Payment of ${sum} was not made`, [
    `Your bank did not pay ${sum}. ${failure}`.trim(), 'Nothing was charged. Please pay another way.']);
}

/** A mail to whoever paid. */
export async function mailPayer(ctx: WorkContext, row: Pick<OnlinePayment, 'id' | 'customer_id' | 'started_by_id'>,
  template: string, subject: string, paragraphs: string[], entity = 'online_payment',
  attachments: readonly DrawnAttachment[] = []): Promise<void> {
  const payer = await ctx.db.maybeOne<{ email: string; first_name: string; division: string }>(sql`
    select email, first_name, (select default_division from customers where id = ${row.customer_id}) as division
    from users where id = ${row.started_by_id}`);
  if (!payer) return;
  await queueMail(ctx.db, { template, to: [payer.email], subject, entity, entity_id: row.id, attachments,
    letter: { greeting: oneLine(payer.first_name), paragraphs, link: { label: 'See your payments',
      href: linkTo(ctx.ports.settings, `/customer/${row.customer_id}/transactions`) },
    contact: await contactOf(ctx.db, null, payer.division) } });
}

export async function tellStaff(
  ctx: WorkContext, title: string, body: string, href = `${CARD_PAYMENTS}?attention=true`,
): Promise<void> {
  await notifyStaff(ctx, { kind: 'money.received', title: `To look at: ${title}`, body, href });
}
