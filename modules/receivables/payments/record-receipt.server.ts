/**
 * Money from a customer (events 5, 6, 6b, 9, 9b): posted at its own rate, applied in the same transaction. A pro forma
 * that it pays becomes its tax invoice first; a licence whose policy is met by it is executed after (domain.md 1).
 */
import { conflict, invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import { isAfterToday } from '#kernel/calendar/money-day.ts';
import { formatMinor, MAX_MINOR } from '#kernel/money/money.ts';
import { receiptLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { receiveDeposit } from '../deposits/receive-deposit.server.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { dated, lockInvoices, refreshLicenseMoney, type InvoiceRecord } from '../invoices/invoice-store.server.ts';
import { finishInvoice, type PostedDraft } from '../invoices/issue-invoice.server.ts';
import { proFormaToInvoice, instalmentsPaid } from '../invoices/pro-forma.server.ts';
import { leaveTaxOpen, olderVersion, reviseProForma } from '../invoices/tax-of-day.server.ts';
import { settleWithoutCash } from '../invoices/write-off.server.ts';
import { allocate, post, rateFor, restItem } from '../ledger/post.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { applyCash, type Target } from './apply-receipt.server.ts';
import { tellOfReceipt } from '../tell.server.ts';
import { askAboutDuplicates } from './duplicates.server.ts';
import { forgiven, withholdingAuthority } from './settle-short.server.ts';
import { IN_TRANSIT, postExchange } from './exchange-receipt.server.ts';
import { insertPayment, markPosted } from './payment-rows.server.ts';
import { lockPayment } from './payment-store.server.ts';

/**
 * Answers the payment's id and the tax invoices that it made of pro formas. Refusals stand at their fields. A check
 * dated ahead is recorded as received and posts on its day ({@link postPlanned}).
 */
export async function recordReceipt(ctx: WorkContext, input: ReceiptInput):
Promise<{ payment_id: number; invoice_ids: number[] }> {
  refuseWrong(input);
  if (input.duplicate_confirmed === false) await askAboutDuplicates(ctx, input);
  const today = await ctx.today(input.division);
  if (isAfterToday(input.received_on, today)) {
    if (input.method !== 'check') {
      throw invalidField('received_on', 'Enter today’s date or an earlier one. Only a check can be post-dated');
    }
    return { payment_id: await recordForLater(ctx, input), invoice_ids: [] };
  }
  if (input.deposit_id) return { payment_id: await receiveDeposit(ctx, input, input.deposit_id), invoice_ids: [] };
  const licenses = await lockLicenses(ctx, input);
  const payment = await insertPayment(ctx, input, licenses.length === 1 ? licenses[0]! : input.license_id ?? null);
  return postAndApply(ctx, input, payment, licenses);
}

async function postAndApply(
  ctx: WorkContext, input: ReceiptInput, payment: { id: number }, licenses: readonly number[],
): Promise<{ payment_id: number; invoice_ids: number[] }> {
  const found = await currentDocuments(ctx, input);
  const short = await shortPay(ctx, input, [...found.values()]);
  const { targets, posted } = await targetsOf(ctx, input, found, short);
  const transactionId = await postReceipt(ctx, input, payment, short);
  const current = await lockPayment(ctx, payment.id);
  for (const [k, target] of targets.entries()) {
    await applyCash(ctx, current, target, input.received_on, `apply_to.${k}.amount_minor`);
    if (short > 0n || input.withheld_minor) await settleRest(ctx, input, target, payment.id, transactionId, short);
  }
  await ctx.audit({ action: 'record', entity: 'payment', entity_id: payment.id, after: { ...input } });
  for (const license_id of targets.length > 0 ? licenses : []) {
    await instalmentsPaid(ctx, license_id);
    await ctx.ports.money.licensing.licensePaid(ctx, { license_id });
  }
  for (const draft of posted) await finishInvoice(ctx, draft);
  for (const license_id of licenses) await refreshLicenseMoney(ctx, license_id);
  await tellOfReceipt(ctx, input, payment.id);
  return { payment_id: payment.id, invoice_ids: posted.map((draft) => draft.invoice_id) };
}

/** The documents, locked; a pro forma is brought to the tax of the receipt's day first, as its invoice has it. */
async function currentDocuments(ctx: WorkContext, input: ReceiptInput): Promise<Map<number, InvoiceRecord>> {
  const ids = (input.apply_to ?? []).map((part) => part.invoice_id);
  const found = await lockInvoices(ctx, ids);
  let revised = false;
  for (const document of found.values()) {
    if (document.customer_id !== input.customer_id) continue;
    revised = await reviseProForma(ctx, document, input.received_on) || revised;
  }
  return revised ? lockInvoices(ctx, ids) : found;
}

type Planned = Pick<ReceiptInput, 'apply_to' | 'deposit_id' | 'withheld_minor' | 'accept_short'>;

/** A check dated ahead: the row with what it is to pay; no posting before its day. */
async function recordForLater(ctx: WorkContext, input: ReceiptInput): Promise<number> {
  const wrong = await ctx.db.query<{ id: number }>(sql`
    select id from invoices where id = any(${(input.apply_to ?? []).map((part) => part.invoice_id)}::bigint[])
      and (customer_id <> ${input.customer_id} or division <> ${input.division} or currency <> ${input.currency})`);
  if (wrong.length > 0) throw invalidField('apply_to', 'The invoice belongs to another customer, division or currency');
  const { id } = await insertPayment(ctx, input, input.license_id ?? null);
  const planned: Planned = { apply_to: input.apply_to ?? [], deposit_id: input.deposit_id ?? null,
    accept_short: input.accept_short ?? false, withheld_minor: input.withheld_minor ?? 0 };
  await ctx.db.exec(sql`update payments set planned = ${JSON.stringify(planned)}::jsonb where id = ${id}`);
  await ctx.audit({ action: 'record', entity: 'payment', entity_id: id, after: { ...input, posts_on:
    input.received_on } });
  return id;
}

/** Posts a check on its day, once; `plain` leaves it on account, where what it was to pay takes it no more. */
export async function postPlanned(ctx: WorkContext, paymentId: number, plain = false): Promise<boolean> {
  const row = await ctx.db.one<{ planned: Planned }>(sql`select planned from payments where id = ${paymentId}`);
  const plan = plain ? {} : row.planned;
  const licenses = await lockLicenses(ctx, plan);
  const payment = await lockPayment(ctx, paymentId);
  if (payment.status !== 'draft' || payment.kind !== 'receipt') return false;
  if (isAfterToday(payment.paid_on, await ctx.today(payment.division))) return false;
  const rate = await rateFor(ctx, payment.division, payment.currency, payment.paid_on);
  await ctx.db.exec(sql`
    update payments set functional_rate = ${rate.rate}, functional_rate_on = ${rate.on}, version = version + 1
    where id = ${paymentId}`);
  const input: ReceiptInput = { ...plan, customer_id: payment.party_id, division: payment.division,
    currency: payment.currency, amount_minor: payment.amount_minor, method: 'check', received_on: payment.paid_on };
  if (plan.deposit_id) await receiveDeposit(ctx, input, plan.deposit_id, paymentId);
  else await postAndApply(ctx, input, payment, licenses);
  return true;
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

async function lockLicenses(ctx: WorkContext, input: Pick<ReceiptInput, 'apply_to'>): Promise<number[]> {
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
  const customer = await ctx.db.one<{ name: string }>(sql`
    select name from customers where id = ${input.customer_id}`);
  const bankAccount = row.bank_currency === null ? row.account_code : IN_TRANSIT;
  const transactionId = await post(ctx, {
    division: input.division, kind: 'receipt', on: input.received_on, currency: input.currency,
    rate: row.functional_rate, description: `Receipt ${row.number} from ${customer.name}`.slice(0, 500),
    source: { type: 'payment', id: payment.id, event: 'received' }, payment_id: payment.id, license_id: row.license_id,
    lines: receiptLines({
      customer_id: input.customer_id, bank_account: bankAccount, on: input.received_on,
      amount_minor: BigInt(input.amount_minor), withheld_minor: withheld, short_minor: short,
      authority_id: withheld > 0n ? await withholdingAuthority(ctx, input) : null,
    }),
  });
  if (row.bank_currency !== null) {
    await postExchange(ctx, { division: row.division, on: row.paid_on, source: { type: 'payment', id: row.id },
      description: `Receipt ${row.number} in ${row.bank_currency}`, document: row,
      bank: { account: row.account_code, currency: row.bank_currency, amount_minor: row.bank_amount_minor! } });
  }
  await markPosted(ctx, payment.id, transactionId);
  return transactionId;
}

async function shortPay(ctx: WorkContext, input: ReceiptInput, invoices: readonly InvoiceRecord[]): Promise<bigint> {
  if (!input.accept_short) return 0n;
  const [invoice] = invoices;
  if (!invoice) throw invalidField('accept_short', 'A short payment settles exactly one invoice');
  return forgiven(ctx, { ...input, open_minor: invoice.kind === 'proforma' ? invoice.total_minor
    : invoice.balance_minor });
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
    const beside = short + BigInt(input.withheld_minor ?? 0);
    const wanted = BigInt(document.total_minor) - beside;
    if (document.status !== 'proforma') throw conflict('proforma.closed', `This pro forma is ${document.status}.`);
    const older = BigInt(part.amount_minor) === wanted ? null
      : await olderVersion(ctx, document.id, BigInt(part.amount_minor) + beside);
    if (older === null && BigInt(part.amount_minor) !== wanted) {
      throw invalidField(field, `A pro forma is paid whole: ${formatMinor(wanted)}. Leave another amount on account.`);
    }
    const draft = await proFormaToInvoice(ctx, document, input.received_on);
    posted.push(draft);
    const invoice = (await lockInvoices(ctx, [draft.invoice_id])).get(draft.invoice_id)!;
    if (draft.open_item_id !== null) {
      const amount_minor = Math.min(part.amount_minor, invoice.balance_minor - Number(older === null ? 0n : beside));
      targets.push({ invoice, open_item_id: draft.open_item_id, amount_minor,
        exact: older && await leaveTaxOpen(ctx, invoice, older, BigInt(amount_minor)) });
    }
  }
  return { targets, posted };
}

/** The part that settles without cash: withheld tax and the forgiven difference. */
async function settleRest(
  ctx: WorkContext, input: ReceiptInput, target: Target, paymentId: number, transactionId: number, short: bigint,
): Promise<void> {
  const withheld = BigInt(input.withheld_minor ?? 0);
  if (withheld + short === 0n) return;
  const item = await restItem(ctx, transactionId);
  const { issued_on } = dated(target.invoice);
  const day = input.received_on > issued_on ? input.received_on : issued_on;
  await allocate(ctx, target.open_item_id, item, withheld + short, day);
  await settleWithoutCash(ctx, target.invoice, { on: day, reason: '', transaction_id: transactionId,
    open_item_id: item, payment_id: paymentId, parts: [{ kind: 'tax_withheld', amount_minor: withheld },
      { kind: 'small_difference', amount_minor: short }] });
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
