/** A customer leaves for the processor's page to pay; the row of ours is there before they do. */
import { conflict } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import type { OnlineMethod } from '#kernel/receivables/online-payment.ts';
import type { Ctx } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { linkTo } from '#server/settings.ts';
import { sql, type Sql } from '#server/sql.ts';
import { beginCheckout, endCheckout, isTest } from './processor.server.ts';

export interface PayableDocument {
  id: number;
  customer_id: number;
  number: string | null;
  division: string;
  currency: string;
  /** Part of it that is paid now. */
  pays_minor: number;
}

interface OpenPayment {
  id: number;
  status: 'open' | 'processing';
  method: OnlineMethod;
  amount_minor: number;
  session_id: string;
  session_url: string;
  created_at: string;
  expired: boolean;
  /** Documents it pays, as {@link partsOf} writes them. */
  parts: string;
}

const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;
/** When the processor is asked for the first time whether it has been paid; the webhook comes long before. */
const FIRST_LOOK_MS = 10 * 60_000;

const partsOf = (documents: readonly PayableDocument[]): string => documents
  .toSorted((a, b) => a.id - b.id).map((one) => `${one.id}:${one.pays_minor}`).join(' ');

/** Payments that wait and pay one of the documents, which are locked. */
async function unfinished(ctx: Ctx, ids: readonly number[]): Promise<OpenPayment[]> {
  await ctx.db.query(sql`select 1 from invoices where id = any (${[...ids]}::bigint[]) order by id
    for no key update`);
  return openPayments(ctx, sql`o.id in (select d.online_payment_id from online_payment_documents d
    where d.invoice_id = any (${[...ids]}::bigint[]))`);
}

function openPayments(ctx: Ctx, paysIt: Sql): Promise<OpenPayment[]> {
  return ctx.db.query<OpenPayment>(sql`
    select o.id, o.status, o.method, o.amount_minor, o.session_id, o.session_url, o.created_at,
      o.expires_at <= ${ctx.now().toISOString()}::timestamptz as expired,
      coalesce((select string_agg(d.invoice_id || ':' || d.amount_minor, ' ' order by d.invoice_id)
        from online_payment_documents d where d.online_payment_id = o.id), '') as parts
    from online_payments o where o.status in ('open', 'processing') and ${paysIt} order by o.id`);
}

/**
 * The address to send the customer to; the first document is the page they come back to. Who pays the same documents
 * the same way again goes to the same checkout; another choice ends the earlier one. 409 while a bank debit is on its
 * way, so that nobody pays twice.
 */
export async function beginPayment(
  ctx: Ctx, documents: readonly [PayableDocument, ...PayableDocument[]], method: OnlineMethod,
): Promise<{ redirect_to: string }> {
  const [document] = documents;
  const { customer_id, division, currency } = document;
  const known = await unfinished(ctx, documents.map((one) => one.id));
  const { count, made_at } = await ctx.db.one<{ count: number; made_at: string }>(sql`
    select (select count(*)::int from online_payments where invoice_id = ${document.id}) as count,
      created_at as made_at from invoices where id = ${document.id}`);
  const parts = partsOf(documents);
  const begun = await beginCheckoutOf(ctx, { customer_id, division, currency, method, parts, known,
    amount_minor: documents.reduce((all, one) => all + one.pays_minor, 0), name: nameOf(documents),
    page: `/customer/${customer_id}/invoices/${document.id}`, invoice_id: document.id, deposit_id: null,
    attempt: [document.id, made_at, count, ...(documents.length > 1 ? [parts] : [])] });
  if (begun.id === null) return begun;
  await ctx.db.exec(sql`
    insert into online_payment_documents (online_payment_id, invoice_id, amount_minor)
    select ${begun.id}, u.invoice_id, u.amount from unnest(${documents.map((one) => one.id)}::bigint[],
      ${documents.map((one) => one.pays_minor)}::bigint[]) u (invoice_id, amount)`);
  await ctx.audit({ action: 'begin_payment', entity: 'invoice', entity_id: document.id,
    after: { online_payment_id: begun.id, method, amount_minor: begun.amount_minor,
      documents: documents.map((one) => one.id) } });
  return begun;
}

export interface PayableDeposit {
  id: number;
  customer_id: number;
  division: string;
  currency: string;
  /** It is paid whole. */
  amount_minor: number;
  /** Number of the license and title of the production. */
  name: string;
}

export function refuseClosed(status: string): void {
  if (status === 'requested') return;
  throw conflict('deposit.not_requested', `This deposit has been ${status === 'cancelled' ? 'withdrawn' : 'paid'}.`);
}

/** As {@link beginPayment}, for a deposit that was asked for; 409 where it is paid or withdrawn by now. */
export async function beginDepositPayment(
  ctx: Ctx, deposit: PayableDeposit, method: OnlineMethod,
): Promise<{ redirect_to: string }> {
  const { id, customer_id, division, currency, amount_minor } = deposit;
  await ctx.db.query(sql`select 1 from deposits where id = ${id} for no key update`);
  const now = await ctx.db.one<{ status: string; count: number; made_at: string }>(sql`
    select status, created_at as made_at,
      (select count(*)::int from online_payments where deposit_id = ${id}) as count from deposits where id = ${id}`);
  refuseClosed(now.status);
  const begun = await beginCheckoutOf(ctx, { customer_id, division, currency, method, amount_minor, parts: '',
    known: await openPayments(ctx, sql`o.deposit_id = ${id}`), name: `Deposit for ${deposit.name}`,
    page: `/customer/${customer_id}/deposits/${id}`, invoice_id: null, deposit_id: id,
    attempt: ['deposit', id, now.made_at, now.count] });
  if (begun.id !== null) {
    await ctx.audit({ action: 'begin_payment', entity: 'deposit', entity_id: id,
      after: { online_payment_id: begun.id, method, amount_minor } });
  }
  return begun;
}

interface Purpose {
  customer_id: number; division: string; currency: string; method: OnlineMethod; amount_minor: number;
  /** As {@link partsOf} writes them; empty for a deposit. */
  parts: string;
  /** Payments for the same that wait, read under the lock of what is paid. */
  known: readonly OpenPayment[];
  /** As the processor's page and the card statement say it. */
  name: string;
  /** Page of the portal to come back to. */
  page: string;
  invoice_id: number | null; deposit_id: number | null;
  /** Distinguishes this attempt from those before. */
  attempt: readonly (string | number)[];
}

/** `id`: the new payment; null where the customer goes on with one that waits. */
async function beginCheckoutOf(ctx: Ctx, of: Purpose):
Promise<{ redirect_to: string; id: number | null; amount_minor: number }> {
  const { customer_id, division, currency, method, amount_minor, known } = of;
  const { settings } = ctx.ports;
  const debit = known.find((one) => one.status === 'processing');
  if (debit) {
    throw conflict('online_payment.on_its_way', `A bank debit of ${formatMoney(debit.amount_minor, currency)} from ${
      dateInWords(debit.created_at.slice(0, 10))} is on its way. The bank answers within some days.`);
  }
  const same = known.find((one) => one.method === method && one.parts === of.parts && !one.expired
    && one.amount_minor === amount_minor);
  if (same) return { redirect_to: same.session_url, id: null, amount_minor };
  const origin = settings.app_origins.length > 0 || !ORIGIN.test(ctx.origin) ? linkTo(settings, '') : ctx.origin;
  const page = `${origin}${of.page}`;
  // The same attempt gives the same key, so that a repeated request finds the checkout that the first one made.
  const idempotency_key = `gr_${keyOf(division, ...of.attempt, method, amount_minor, page)}`;
  const checkout = await outside(keyOf('checkout', idempotency_key), async () => {
    for (const one of known) await endCheckout(settings, division, one.session_id);
    return beginCheckout(settings, division, { idempotency_key, method, amount_minor, currency,
      description: of.name, email: ctx.user.email, success_url: `${page}?paid=1`, cancel_url: page });
  });
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into online_payments (customer_id, invoice_id, deposit_id, division, currency, amount_minor, method, is_test,
      idempotency_key, session_id, session_url, started_by_id, expires_at, check_after)
    values (${customer_id}, ${of.invoice_id}, ${of.deposit_id}, ${division}, ${currency}, ${amount_minor}, ${method},
      ${isTest(settings, division)}, ${idempotency_key}, ${checkout.session_id}, ${checkout.url}, ${ctx.user.user_id},
      ${checkout.expires_at.toISOString()}, ${new Date(ctx.now().getTime() + FIRST_LOOK_MS).toISOString()})
    returning id`);
  return { redirect_to: checkout.url, id, amount_minor };
}

/** As the processor's page and the card statement say it. */
function nameOf([first, ...others]: readonly [PayableDocument, ...PayableDocument[]]): string {
  const name = first.number ?? `Invoice ${first.id}`;
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
