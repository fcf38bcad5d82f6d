/**
 * Cash on the lines of a document (event 6, domain.md 2.8) and back. The rows here and the ledger's allocation are
 * written together; what royaltors earn on cash follows each line.
 */
import { conflict, invalidField } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { applyReceipt, applyReceiptTo, ApplicationError,
  type LineApplication } from '#kernel/pricing/receipt-application.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { lockInvoice, lockLicenseOf, refreshLicenseMoney, settleStatus,
  type InvoiceRecord } from '../invoices/invoice-store.server.ts';
import { finishInvoice, type PostedDraft } from '../invoices/issue-invoice.server.ts';
import { instalmentsPaid, proFormaToInvoice } from '../invoices/pro-forma.server.ts';
import { leaveTaxOpen, olderVersion, reviseProForma, type OlderVersion } from '../invoices/tax-of-day.server.ts';
import { allocate, unallocate } from '../ledger/post.server.ts';
import type { LineShare } from '../receivables-types.ts';
import { creditItemOf, lockPayment, openLines, type PaymentRecord } from './payment-store.server.ts';
import { forgiven, settleBeside } from './settle-short.server.ts';

export interface Target {
  invoice: InvoiceRecord;
  open_item_id: number;
  amount_minor: number;
  lines?: readonly LineShare[] | undefined;
  /** Amount per line, if the product decided it to the cent. */
  exact?: readonly LineApplication[] | null | undefined;
}

/** Applies cash of a posted receipt; both rows are locked by the caller. 422 at `field` beyond what is open. */
export async function applyCash(
  ctx: WorkContext, payment: PaymentRecord, target: Target, on: string, field: string,
): Promise<void> {
  const { invoice, amount_minor: amount } = target;
  refuseMismatch(payment, invoice, field);
  if (amount <= 0) throw invalidField(field, 'Enter an amount above zero');
  if (amount > invoice.balance_minor) {
    throw invalidField(field, `Only ${formatMinor(BigInt(invoice.balance_minor))} is open on this invoice`);
  }
  const day = [on, payment.paid_on, invoice.issued_on].sort().at(-1)!;
  const parts = target.exact ?? share(await openLines(ctx, invoice.id), BigInt(amount), target.lines, field);
  const ledgerId = await allocate(ctx, target.open_item_id, await creditItemOf(ctx, payment), BigInt(amount), day);
  await ctx.db.exec(sql`update invoices set paid_minor = paid_minor + ${amount} where id = ${invoice.id}`);
  await ctx.db.exec(sql`update payments set applied_minor = applied_minor + ${amount}, version = version + 1
    where id = ${payment.id}`);
  for (const part of parts) await bookLine(ctx, payment, invoice, part, ledgerId, day, target.lines !== undefined);
  await settleStatus(ctx, invoice.id);
}

export interface ApplyInput {
  payment_id: number;
  invoice_id: number;
  amount_minor: number;
  on: string;
  lines?: readonly LineShare[];
  /** Settlement besides the cash, as when the receipt is recorded (event 6b). */
  withheld_minor?: number;
  accept_short?: boolean;
}

/**
 * Applies money that stands on account, a receipt or what a credit note left, to an invoice or a pro forma; the licence
 * is locked first. Answers the invoice.
 */
export async function applyReceiptToInvoice(ctx: WorkContext, input: ApplyInput): Promise<{ invoice_id: number }> {
  const { licensing } = ctx.ports.money;
  const licenseId = await lockLicenseOf(ctx, input.invoice_id);
  const payment = await lockPayment(ctx, input.payment_id);
  const document = await currentDocument(ctx, payment, input);
  await refuseFutureMoney(ctx, { division: payment.division, on: input.on, field: 'received_on' });
  if (payment.unapplied_minor < input.amount_minor) {
    throw invalidField('amount_minor', `Only ${formatMinor(BigInt(payment.unapplied_minor))} of this receipt is left`);
  }
  const withheld = input.withheld_minor ?? 0;
  const short = input.accept_short ? await forgiven(ctx, { division: document.division,
    open_minor: document.balance_minor, amount_minor: input.amount_minor, withheld_minor: withheld }) : 0n;
  const made = document.kind === 'proforma'
    ? await invoiceOf(ctx, payment, document, BigInt(input.amount_minor + withheld) + short, input.on) : null;
  const posted = made?.posted ?? null;
  const invoice = posted === null ? document : await lockInvoice(ctx, posted.invoice_id);
  const openItem = posted === null ? document.open_item_id : posted.open_item_id;
  const older = made?.older ?? null;
  const amount = older === null ? input.amount_minor
    : Math.min(input.amount_minor, invoice.balance_minor - withheld - Number(short));
  if (openItem === null) throw conflict('invoice.not_open', 'Nothing is open on this document.');
  if (BigInt(amount + withheld) + short > BigInt(invoice.balance_minor)) {
    throw invalidField(withheld > 0 ? 'withheld_minor' : 'amount_minor',
      `Only ${formatMinor(BigInt(invoice.balance_minor))} is open on this invoice`);
  }
  await applyCash(ctx, payment, {
    invoice, open_item_id: openItem, amount_minor: amount, lines: input.lines,
    exact: older && await leaveTaxOpen(ctx, invoice, older, BigInt(amount)),
  }, input.on, 'amount_minor');
  await settleBeside(ctx, payment, { ...invoice, open_item_id: openItem }, { withheld_minor: withheld,
    short_minor: short, on: [input.on, payment.paid_on, invoice.issued_on].sort().at(-1)! });
  if (licenseId !== null) await instalmentsPaid(ctx, licenseId);
  if (posted !== null && licenseId !== null) await licensing.licensePaid(ctx, { license_id: licenseId });
  if (posted !== null) await finishInvoice(ctx, posted);
  await refreshLicenseMoney(ctx, licenseId);
  await ctx.audit({ action: 'apply', entity: 'payment', entity_id: payment.id,
    after: { invoice_id: invoice.id, amount_minor: amount, withheld_minor: withheld,
      short_minor: Number(short) } });
  if (posted === null && licenseId !== null) await licensing.licensePaid(ctx, { license_id: licenseId });
  return { invoice_id: invoice.id };
}

/** The document as it stands; a pro forma is brought to the tax of the day first, as its invoice has it. */
async function currentDocument(ctx: WorkContext, payment: PaymentRecord, input: ApplyInput): Promise<InvoiceRecord> {
  const document = await lockInvoice(ctx, input.invoice_id);
  const on = input.on > payment.paid_on ? input.on : payment.paid_on;
  return await reviseProForma(ctx, document, on) ? lockInvoice(ctx, input.invoice_id) : document;
}

/** A pro forma that money on account pays whole becomes its tax invoice, as with a new receipt. */
async function invoiceOf(
  ctx: WorkContext, payment: PaymentRecord, proForma: InvoiceRecord, amount: bigint, on: string,
): Promise<{ posted: PostedDraft; older: OlderVersion | null }> {
  refuseMismatch(payment, proForma, 'amount_minor');
  if (proForma.status !== 'proforma') throw conflict('proforma.closed', `This pro forma is ${proForma.status}.`);
  const older = amount === BigInt(proForma.total_minor) ? null : await olderVersion(ctx, proForma.id, amount);
  if (older === null && amount !== BigInt(proForma.total_minor)) {
    throw invalidField('amount_minor', `A pro forma is paid whole: ${formatMinor(BigInt(proForma.total_minor))}`);
  }
  return { posted: await proFormaToInvoice(ctx, proForma, on > payment.paid_on ? on : payment.paid_on), older };
}

/** Takes a receipt off an invoice; the receipt stays on account. Answers what was taken off. */
export async function unapplyReceipt(
  ctx: WorkContext, input: { payment_id: number; invoice_id: number; on: string },
): Promise<{ unapplied_minor: number }> {
  const licenseId = await lockLicenseOf(ctx, input.invoice_id);
  const payment = await lockPayment(ctx, input.payment_id);
  const invoice = await lockInvoice(ctx, input.invoice_id);
  const taken = await takeOff(ctx, payment, invoice, input.on);
  if (taken === 0) throw conflict('payment.not_applied', 'This receipt is not applied to this invoice.');
  await refreshLicenseMoney(ctx, licenseId);
  return { unapplied_minor: taken };
}

export interface LiveRow {
  id: number;
  invoice_item_id: number;
  amount_minor: number;
  net_minor: number;
  tax_minor: number;
  applied_on: string;
  ledger_allocation_id: number | null;
  royalty_bearing: boolean;
}

/** Inverse rows of everything this receipt still has on the invoice; both are locked by the caller. */
export async function takeOff(
  ctx: WorkContext, payment: PaymentRecord, invoice: InvoiceRecord, on: string,
): Promise<number> {
  const rows = await ctx.db.query<LiveRow>(sql`
    select a.id, a.invoice_item_id, a.amount_minor, a.net_minor, a.tax_minor, a.applied_on, a.ledger_allocation_id,
      i.royalty_bearing
    from payment_allocations a join invoice_items i on i.id = a.invoice_item_id
    where a.payment_id = ${payment.id} and a.invoice_id = ${invoice.id} and a.reverses_allocation_id is null
      and a.ledger_allocation_id is not null
      and not exists (select 1 from payment_allocations b where b.reverses_allocation_id = a.id) order by a.id`);
  if (rows.length === 0) return 0;
  const day = [on, ...rows.map((row) => row.applied_on)].sort().at(-1)!;
  for (const ledgerId of new Set(rows.map((row) => row.ledger_allocation_id!))) await unallocate(ctx, ledgerId, day);
  for (const row of rows) await bookInverse(ctx, payment, invoice, row, day);
  const taken = rows.reduce((all, row) => all + row.amount_minor, 0);
  await ctx.db.exec(sql`update invoices set paid_minor = paid_minor - ${taken} where id = ${invoice.id}`);
  await ctx.db.exec(sql`update payments set applied_minor = applied_minor - ${taken}, version = version + 1
    where id = ${payment.id}`);
  await settleStatus(ctx, invoice.id);
  await ctx.audit({ action: 'unapply', entity: 'payment', entity_id: payment.id,
    after: { invoice_id: invoice.id, amount_minor: taken } });
  return taken;
}

function refuseMismatch(payment: PaymentRecord, invoice: InvoiceRecord, field: string): void {
  if (payment.direction !== 'in' || !['posted', 'cleared'].includes(payment.status)) {
    throw conflict('payment.not_posted', `Receipt ${payment.number} is ${payment.status}.`);
  }
  if (payment.party_id !== invoice.customer_id) throw invalidField(field, 'The invoice belongs to another customer');
  if (payment.division !== invoice.division || payment.currency !== invoice.currency) {
    throw invalidField(field, `The invoice is in ${invoice.division} ${invoice.currency}, the receipt in ${
      payment.division} ${payment.currency}`);
  }
}

function share(
  open: Parameters<typeof applyReceipt>[1], amount: bigint, chosen: readonly LineShare[] | undefined, field: string,
): readonly LineApplication[] {
  if (chosen === undefined) return applyReceipt(amount, open).lines.filter((line) => line.amount_minor > 0n);
  try {
    const answer = applyReceiptTo(amount, open, chosen.map((line) => ({
      line_id: line.invoice_item_id, amount_minor: BigInt(line.amount_minor) })));
    if (answer.unapplied_minor !== 0n) throw invalidField(field, 'The chosen lines do not add up to the amount');
    return answer.lines;
  } catch (error) {
    if (error instanceof ApplicationError) throw invalidField(field, error.message);
    throw error;
  }
}

async function bookLine(
  ctx: WorkContext, payment: PaymentRecord, invoice: InvoiceRecord, part: LineApplication, ledgerId: number,
    day: string,
  byHand: boolean,
): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into payment_allocations (payment_id, invoice_id, invoice_item_id, currency, amount_minor, net_minor,
      tax_minor, applied_on, chosen_by_hand, ledger_allocation_id, created_by_id)
    values (${payment.id}, ${invoice.id}, ${part.line_id}, ${invoice.currency}, ${part.amount_minor},
      ${part.net_minor}, ${part.tax_minor}, ${day}, ${byHand}, ${ledgerId}, ${ctx.actor.actor_id}) returning id`);
  const item = await ctx.db.one<{ royalty_bearing: boolean }>(sql`
    update invoice_items set applied_minor = applied_minor + ${part.amount_minor} where id = ${part.line_id}
    returning royalty_bearing`);
  if (!item.royalty_bearing || part.net_minor === 0n) return;
  await ctx.ports.money.royalties.receiptApplied(ctx, {
    ...about(payment, invoice, day), payment_allocation_id: id, invoice_item_id: part.line_id,
    net_minor: Number(part.net_minor),
  });
}

/** The negative row of one application; what royaltors earned by it goes back. */
export async function bookInverse(
  ctx: WorkContext, payment: PaymentRecord, invoice: InvoiceRecord, row: LiveRow, day: string,
): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into payment_allocations (payment_id, invoice_id, invoice_item_id, currency, amount_minor, net_minor,
      tax_minor, applied_on, reverses_allocation_id, ledger_allocation_id, created_by_id)
    values (${payment.id}, ${invoice.id}, ${row.invoice_item_id}, ${invoice.currency}, ${-row.amount_minor},
      ${-row.net_minor}, ${-row.tax_minor}, ${day}, ${row.id}, ${row.ledger_allocation_id}, ${ctx.actor.actor_id})
    returning id`);
  await ctx.db.exec(sql`
    update invoice_items set applied_minor = applied_minor - ${row.amount_minor} where id = ${row.invoice_item_id}`);
  if (!row.royalty_bearing || row.net_minor === 0) return;
  await ctx.ports.money.royalties.receiptUnapplied(ctx, {
    ...about(payment, invoice, day), payment_allocation_id: id, reverses_allocation_id: row.id,
    invoice_item_id: row.invoice_item_id, net_minor: -row.net_minor,
  });
}

function about(payment: PaymentRecord, invoice: InvoiceRecord, day: string) {
  return {
    payment_id: payment.id, invoice_id: invoice.id, license_id: invoice.license_id, division: invoice.division,
    currency: invoice.currency, applied_on: day, rate: payment.functional_rate,
  };
}
