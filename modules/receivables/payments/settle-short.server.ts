/** Settlement of an invoice besides the cash (event 6b): tax that the customer withheld, a forgiven difference. */
import { invalidField } from '#kit/errors.ts';
import { formatMinor, PPM } from '#kernel/money/money.ts';
import { settlementLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import type { InvoiceRecord } from '../invoices/invoice-store.server.ts';
import { settleWithoutCash } from '../invoices/write-off.server.ts';
import { allocate, post, restItem } from '../ledger/post.server.ts';
import type { PaymentRecord } from './payment-store.server.ts';

/** Amount the division forgives on a short payment: up to the smaller of its two limits. 422 at `accept_short`. */
export async function forgiven(ctx: WorkContext, of: {
  division: string; open_minor: number; amount_minor: number; withheld_minor?: number;
}): Promise<bigint> {
  const open = BigInt(of.open_minor);
  const short = open - BigInt(of.amount_minor) - BigInt(of.withheld_minor ?? 0);
  const limits = await ctx.db.one<{ amount: number; ppm: number }>(sql`
    select short_pay_tolerance_minor as amount, short_pay_tolerance_ppm as ppm from divisions
    where code = ${of.division}`);
  const share = (open * BigInt(limits.ppm)) / PPM;
  const most = share < BigInt(limits.amount) ? share : BigInt(limits.amount);
  if (short < 0n) throw invalidField('accept_short', 'The payment is not short');
  if (short > most) {
    throw invalidField('accept_short', `${formatMinor(short)} short; at most ${formatMinor(most)} can be written off`);
  }
  return short;
}

/** Authority from which tax withheld by a customer is claimed: the customer's country. */
export async function withholdingAuthority(ctx: WorkContext, of: { customer_id: number; division: string }):
Promise<number> {
  const { country } = await ctx.db.one<{ country: string }>(sql`
    select coalesce(c.tax_country, d.home_country) as country from customers c, divisions d
    where c.id = ${of.customer_id} and d.code = ${of.division}`);
  return taxAuthority(ctx, country);
}

/** The same of a receipt that is posted already: a posting of its own, that the receipt's return takes back. */
export async function settleBeside(ctx: WorkContext, payment: PaymentRecord, invoice: InvoiceRecord, of: {
  withheld_minor: number; short_minor: bigint; on: string;
}): Promise<void> {
  const withheld = BigInt(of.withheld_minor);
  const rest = withheld + of.short_minor;
  if (rest === 0n) return;
  const { n } = await ctx.db.one<{ n: number }>(sql`
    select count(*) as n from invoice_write_offs where payment_id = ${payment.id}`);
  const transactionId = await post(ctx, {
    division: payment.division, kind: 'receipt', on: of.on, currency: payment.currency, rate: payment.functional_rate,
    description: `Settled with receipt ${payment.number}, without cash`, payment_id: payment.id,
    license_id: invoice.license_id, source: { type: 'payment', id: payment.id, event: `settled_${n + 1}` },
    lines: settlementLines({ customer_id: payment.party_id, on: of.on, withheld_minor: withheld,
      short_minor: of.short_minor, authority_id: withheld > 0n ? await withholdingAuthority(ctx, {
        customer_id: payment.party_id, division: payment.division }) : null }),
  });
  const item = await restItem(ctx, transactionId);
  await allocate(ctx, invoice.open_item_id!, item, rest, of.on);
  await settleWithoutCash(ctx, invoice, { on: of.on, reason: '', transaction_id: transactionId, open_item_id: item,
    payment_id: payment.id, parts: [{ kind: 'tax_withheld', amount_minor: withheld },
      { kind: 'small_difference', amount_minor: of.short_minor }] });
}
