/** A customer leaves for the processor's page to pay documents; the row of ours is there before they do. */
import { conflict } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import type { OnlineMethod } from '#kernel/receivables/online-payment.ts';
import type { Ctx } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
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
  return ctx.db.query<OpenPayment>(sql`
    select o.id, o.status, o.method, o.amount_minor, o.session_id, o.session_url, o.created_at,
      o.expires_at <= ${ctx.now().toISOString()}::timestamptz as expired,
      (select string_agg(d.invoice_id || ':' || d.amount_minor, ' ' order by d.invoice_id)
        from online_payment_documents d where d.online_payment_id = o.id) as parts
    from online_payments o where o.status in ('open', 'processing') and o.id in (select d.online_payment_id
      from online_payment_documents d where d.invoice_id = any (${[...ids]}::bigint[])) order by o.id`);
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
  const { division, currency } = document;
  const { settings } = ctx.ports;
  const amount = documents.reduce((all, one) => all + one.pays_minor, 0);
  const parts = partsOf(documents);
  const known = await unfinished(ctx, documents.map((one) => one.id));
  const debit = known.find((one) => one.status === 'processing');
  if (debit) {
    throw conflict('online_payment.on_its_way', `A bank debit of ${formatMoney(debit.amount_minor, currency)} from ${
      dateInWords(debit.created_at.slice(0, 10))} is on its way. The bank answers within some days.`);
  }
  const same = known.find((one) => one.method === method && one.parts === parts && !one.expired);
  if (same) return { redirect_to: same.session_url };
  const { count, made_at } = await ctx.db.one<{ count: number; made_at: string }>(sql`
    select (select count(*)::int from online_payments where invoice_id = ${document.id}) as count,
      created_at as made_at from invoices where id = ${document.id}`);
  const origin = settings.app_origins.length > 0 || !ORIGIN.test(ctx.origin) ? linkTo(settings, '') : ctx.origin;
  const page = `${origin}/customer/${document.customer_id}/invoices/${document.id}`;
  // The same attempt gives the same key, so that a repeated request finds the checkout that the first one made.
  const idempotency_key = `gr_${keyOf(division, document.id, made_at, count, method, amount, page,
    ...(documents.length > 1 ? [parts] : []))}`;
  const name = nameOf(documents);
  const checkout = await outside(keyOf('checkout', idempotency_key), async () => {
    for (const one of known) await endCheckout(settings, division, one.session_id);
    return beginCheckout(settings, division, { idempotency_key, method, amount_minor: amount, currency,
      description: name, email: ctx.user.email, success_url: `${page}?paid=1`, cancel_url: page });
  });
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into online_payments (customer_id, invoice_id, division, currency, amount_minor, method, is_test,
      idempotency_key, session_id, session_url, started_by_id, expires_at, check_after)
    values (${document.customer_id}, ${document.id}, ${division}, ${currency}, ${amount}, ${method},
      ${isTest(settings, division)}, ${idempotency_key}, ${checkout.session_id}, ${checkout.url}, ${ctx.user.user_id},
      ${checkout.expires_at.toISOString()}, ${new Date(ctx.now().getTime() + FIRST_LOOK_MS).toISOString()})
    returning id`);
  await ctx.db.exec(sql`
    insert into online_payment_documents (online_payment_id, invoice_id, amount_minor)
    select ${row.id}, u.invoice_id, u.amount from unnest(${documents.map((one) => one.id)}::bigint[],
      ${documents.map((one) => one.pays_minor)}::bigint[]) u (invoice_id, amount)`);
  await ctx.audit({ action: 'begin_payment', entity: 'invoice', entity_id: document.id,
    after: { online_payment_id: row.id, method, amount_minor: amount, documents: documents.map((one) => one.id) } });
  return { redirect_to: checkout.url };
}

/** As the processor's page and the card statement say it. */
function nameOf([first, ...others]: readonly [PayableDocument, ...PayableDocument[]]): string {
  const name = first.number ?? `Invoice ${first.id}`;
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
