/**
 * Money from a customer (events 5, 6, 6b, 9, 9b): posted at its own rate, applied in the same transaction. A pro forma
 * that it pays becomes its tax invoice first; a licence whose policy is met by it is executed after (domain.md 1).
 */
import { conflict, invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import { formatMinor, MAX_MINOR, PPM } from '#kernel/money/money.ts';
import { receiptLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { receiveDeposit } from '../deposits/receive-deposit.server.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { lockInvoices, refreshLicenseMoney, settleStatus,
  type InvoiceRecord } from '../invoices/invoice-store.server.ts';
import { finishInvoice, type PostedDraft } from '../invoices/issue-invoice.server.ts';
import { proFormaToInvoice, instalmentsPaid } from '../invoices/pro-forma.server.ts';
import { allocate, openedItem, post } from '../ledger/post.server.ts';
import { tellMoney } from '../money-events.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { applyCash, type Target } from './apply-receipt.server.ts';
import { tellOfReceipt } from '../tell.server.ts';
import { insertPayment, markPosted } from './payment-rows.server.ts';
import { lockPayment } from './payment-store.server.ts';

/** Answers the payment's id and the tax invoices that it made of pro formas. Refusals stand at their fields. */
export async function recordReceipt(ctx: WorkContext, input: ReceiptInput):
Promise<{ payment_id: number; invoice_ids: number[] }> {
  refuseWrong(input);
  if (input.deposit_id) return { payment_id: await receiveDeposit(ctx, input, input.deposit_id), invoice_ids: [] };
  const licenses = await lockLicenses(ctx, input);
  const payment = await insertPayment(ctx, input, licenses.length === 1 ? licenses[0]! : input.license_id ?? null);
  const found = await lockInvoices(ctx, (input.apply_to ?? []).map((part) => part.invoice_id));
  const short = await shortPay(ctx, input, [...found.values()]);
  const { targets, posted } = await targetsOf(ctx, input, found, short);
  const transactionId = await postReceipt(ctx, input, payment, short);
  const current = await lockPayment(ctx, payment.id);
  for (const [k, target] of targets.entries()) {
    await applyCash(ctx, current, target, input.received_on, `apply_to.${k}.amount_minor`);
    if (short > 0n || input.withheld_minor) await settleRest(ctx, input, target, transactionId, short);
  }
  await ctx.audit({ action: 'record', entity: 'payment', entity_id: payment.id, after: { ...input } });
  for (const license_id of targets.length > 0 ? licenses : []) {
    await instalmentsPaid(ctx, license_id);
    await tellMoney('licensePaid', ctx, { license_id });
  }
  for (const draft of posted) await finishInvoice(ctx, draft);
  for (const license_id of licenses) await refreshLicenseMoney(ctx, license_id);
  await tellOfReceipt(ctx, input, payment.id);
  return { payment_id: payment.id, invoice_ids: posted.map((draft) => draft.invoice_id) };
}

function refuseWrong(input: ReceiptInput): void {
  const errors: FieldErrors = {};
  if (!Number.isSafeInteger(input.amount_minor) || input.amount_minor <= 0) {
    errors.amount_minor = ['Enter an amount above zero'];
  } else if (BigInt(input.amount_minor) > MAX_MINOR) {
    errors.amount_minor = ['The amount is larger than 10,000,000,000.00'];
  }
  const applied = (input.apply_to ?? []).reduce((all, part) => all + part.amount_minor, 0);
  if (applied > input.amount_minor) errors.apply_to = ['More is applied than was received'];
  const ids = (input.apply_to ?? []).map((part) => part.invoice_id);
  if (new Set(ids).size !== ids.length) errors.apply_to = ['Name each invoice once'];
  if ((input.withheld_minor ?? 0) < 0) errors.withheld_minor = ['The amount cannot be negative'];
  if ((input.withheld_minor || input.accept_short) && ids.length !== 1) {
    errors.accept_short = ['A short payment settles exactly one invoice'];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function lockLicenses(ctx: WorkContext, input: ReceiptInput): Promise<number[]> {
  const rows = await ctx.db.query<{ license_id: number }>(sql`
    select distinct license_id from invoices where license_id is not null
      and id = any(${(input.apply_to ?? []).map((part) => part.invoice_id)}::bigint[]) order by license_id`);
  for (const { license_id } of rows) await lockLicense(ctx, license_id);
  return rows.map((row) => row.license_id);
}

async function postReceipt(ctx: WorkContext, input: ReceiptInput, payment: { id: number }, short: bigint):
Promise<number> {
  const row = await lockPayment(ctx, payment.id);
  const withheld = BigInt(input.withheld_minor ?? 0);
  const customer = await ctx.db.one<{ name: string; country: string }>(sql`
    select c.name, coalesce(c.tax_country, d.home_country) as country from customers c, divisions d
    where c.id = ${input.customer_id} and d.code = ${input.division}`);
  const transactionId = await post(ctx, {
    division: input.division, kind: 'receipt', on: input.received_on, currency: input.currency,
    rate: row.functional_rate, description: `Receipt ${row.number} from ${customer.name}`.slice(0, 500),
    source: { type: 'payment', id: payment.id, event: 'received' }, payment_id: payment.id, license_id: row.license_id,
    lines: receiptLines({
      customer_id: input.customer_id, bank_account: row.account_code, on: input.received_on,
      amount_minor: BigInt(input.amount_minor), withheld_minor: withheld, short_minor: short,
      authority_id: withheld > 0n ? await taxAuthority(ctx, customer.country) : null,
    }),
  });
  await markPosted(ctx, payment.id, transactionId);
  return transactionId;
}

/** What the division forgives when a payment is short: the smaller of its two limits (event 6b). */
async function shortPay(ctx: WorkContext, input: ReceiptInput, invoices: readonly InvoiceRecord[]): Promise<bigint> {
  if (!input.accept_short) return 0n;
  const [invoice] = invoices;
  if (!invoice) throw invalidField('accept_short', 'A short payment settles exactly one invoice');
  const open = BigInt(invoice.kind === 'proforma' ? invoice.total_minor : invoice.balance_minor);
  const short = open - BigInt(input.amount_minor) - BigInt(input.withheld_minor ?? 0);
  const limits = await ctx.db.one<{ amount: number; ppm: number }>(sql`
    select short_pay_tolerance_minor as amount, short_pay_tolerance_ppm as ppm from divisions
    where code = ${input.division}`);
  const share = (open * BigInt(limits.ppm)) / PPM;
  const most = share < BigInt(limits.amount) ? share : BigInt(limits.amount);
  if (short < 0n) throw invalidField('accept_short', 'The payment is not short');
  if (short > most) {
    throw invalidField('accept_short', `${formatMinor(short)} is missing; at most ${formatMinor(most)} is forgiven`);
  }
  return short;
}

/** Documents with their items; a pro forma is paid whole and becomes its tax invoice here. */
async function targetsOf(
  ctx: WorkContext, input: ReceiptInput, found: ReadonlyMap<number, InvoiceRecord>, short: bigint,
): Promise<{ targets: Target[]; posted: PostedDraft[] }> {
  const targets: Target[] = [];
  const posted: PostedDraft[] = [];
  for (const [k, part] of (input.apply_to ?? []).entries()) {
    const document = found.get(part.invoice_id)!;
    const field = `apply_to.${k}.amount_minor`;
    if (document.customer_id !== input.customer_id) throw invalidField(field,
      'The invoice belongs to another customer');
    if (document.kind !== 'proforma') {
      if (document.kind !== 'invoice' || document.open_item_id === null) {
        throw conflict('invoice.not_open', 'Nothing is open on this document.', { invoice_id: document.id });
      }
      targets.push({ invoice: document, open_item_id: document.open_item_id, amount_minor: part.amount_minor,
        lines: part.lines });
      continue;
    }
    const wanted = BigInt(document.total_minor) - short - BigInt(input.withheld_minor ?? 0);
    if (document.status !== 'proforma') throw conflict('proforma.closed', `This pro forma is ${document.status}.`);
    if (BigInt(part.amount_minor) !== wanted) {
      throw invalidField(field, `A pro forma is paid whole: ${formatMinor(wanted)}. Leave another amount on account.`);
    }
    const draft = await proFormaToInvoice(ctx, document, input.received_on);
    posted.push(draft);
    const invoice = (await lockInvoices(ctx, [draft.invoice_id])).get(draft.invoice_id)!;
    if (draft.open_item_id !== null) {
      targets.push({ invoice, open_item_id: draft.open_item_id,
        amount_minor: Math.min(part.amount_minor, invoice.balance_minor) });
    }
  }
  return { targets, posted };
}

/** The part that settles without cash: withheld tax and the forgiven difference. */
async function settleRest(
  ctx: WorkContext, input: ReceiptInput, target: Target, transactionId: number, short: bigint,
): Promise<void> {
  const rest = BigInt(input.withheld_minor ?? 0) + short;
  if (rest === 0n) return;
  const item = await openedItem(ctx, transactionId, '1100', -rest);
  const day = input.received_on > target.invoice.issued_on ? input.received_on : target.invoice.issued_on;
  await allocate(ctx, target.open_item_id, item, rest, day);
  await ctx.db.exec(sql`
    update invoices set written_off_minor = written_off_minor + ${rest} where id = ${target.invoice.id}`);
  await settleStatus(ctx, target.invoice.id);
}

/** Lines a receipt paid, for royalties and for the receipt's page. */
export function receiptLinesOf(ctx: Pick<WorkContext, 'db'>, paymentId: number) {
  return ctx.db.query<{ payment_allocation_id: number; invoice_id: number; invoice_item_id: number;
    amount_minor: number; net_minor: number; tax_minor: number; applied_on: string; royalty_bearing: boolean }>(sql`
    select a.id as payment_allocation_id, a.invoice_id, a.invoice_item_id, a.amount_minor, a.net_minor, a.tax_minor,
      a.applied_on, i.royalty_bearing
    from payment_allocations a join invoice_items i on i.id = a.invoice_item_id
    where a.payment_id = ${paymentId} order by a.id`);
}
