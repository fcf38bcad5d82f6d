/**
 * Mails about money (domain.md 6.4: invoice.issued, payment.received): to the customer's address for statements, else
 * to those who sign, once for each document and receipt. Each carries its paper.
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { dayWithReason, dueReason, type PayByOfLicense } from '#kernel/licensing/pay-by.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import { moneyEmails } from '#modules/customers/customers.public.server.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { oneLine, queueMail, type DrawnAttachment, type Mail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { paperOf } from './documents/money-paper.server.ts';
import { waysToPay } from './documents/ways-to-pay.server.ts';
import { waysInWords } from './portal/payment-port.server.ts';
import type { PaymentMethod } from './receivables-types.ts';

interface Billed extends PayByOfLicense {
  id: number; kind: 'invoice' | 'proforma'; number: string; customer_id: number; division: string; currency: string;
  total_minor: number; balance_minor: number; issued_on: string; due_on: string | null; revision: number;
  from_proforma: boolean; orders: boolean; rep_id: number | null; production: string | null; opens_on: string | null;
  ends_on: string | null;
}

/** Lines that a mail names; the paper has them all. */
const MOST_LINES = 5;
const LONGEST_ITEM = 100;

/** The tax invoice of a paid pro forma goes out with the receipt, and a document without an amount not at all. */
export async function mailInvoice(ctx: WorkContext, id: number): Promise<void> {
  const bill = await ctx.db.one<Billed>(sql`
    select i.id, i.kind, coalesce(i.invoice_number, i.reference, 'pro forma') as number, i.customer_id, i.division,
      i.currency, i.total_minor, i.balance_minor, i.issued_on, i.due_on, i.revision,
      i.proforma_id is not null as from_proforma, c.purchase_orders_accepted as orders, l.license_rep_id as rep_id,
      l.first_performance_on as opens_on, l.last_performance_on as ends_on, l.pay_by, l.pay_by_reason,
      l.pay_by_ships_on,
      l.title_on_license || ' (' || coalesce(l.license_number, l.number) || ')' as production
    from invoices i join customers c on c.id = i.customer_id left join licenses l on l.id = i.license_id
    where i.id = ${id}`);
  if (bill.from_proforma || bill.total_minor <= 0) return;
  const to = await moneyEmails(ctx, bill.customer_id);
  const due = bill.balance_minor > 0;
  const name = bill.kind === 'proforma' ? 'pro forma' : 'invoice';
  await queueMail(ctx.db, { template: 'invoice.issued', to, subject: subjectOf(bill), entity: 'invoice', entity_id: id,
    reminder_key: `invoice.issued/${id}/${bill.revision}`, attachments: [paperOf('invoice', id, bill.number)],
    letter: { greeting: await greetingOf(ctx.db, to), contact: await contactOf(ctx.db, bill.rep_id, bill.division),
      paragraphs: await invoiceWords(ctx, bill),
      link: { label: due ? `See and pay the ${name}` : `See the ${name}`,
        href: linkTo(ctx.ports.settings, `/customer/${bill.customer_id}/invoices/${id}`) } } });
}

const dayOf = (division: string, date: string): string => dateFor(documentLanguage(division), date);

function subjectOf(bill: Billed): string {
  const sum = formatMoney(bill.balance_minor > 0 ? bill.balance_minor : bill.total_minor, bill.currency);
  const of = bill.production === null ? '' : ` for ${oneLine(bill.production)}`;
  if (bill.kind === 'proforma') return `${sum} to pay${of}: ${bill.number}`;
  return bill.balance_minor > 0 ? `Invoice ${bill.number}${of}: ${sum} to pay` : `Invoice ${bill.number}${of}: ${sum}`;
}

async function invoiceWords(ctx: WorkContext, bill: Billed): Promise<string[]> {
  const asked = bill.kind === 'proforma';
  const what = asked ? `Please pay ${bill.number}. The pro forma is attached; the invoice follows with your payment.`
    : `We issued invoice ${bill.number} on ${dayOf(bill.division, bill.issued_on)}. It is attached.`;
  return [what, await linesInWords(ctx, bill), amountWords(bill),
    bill.balance_minor > 0 ? await waysOf(ctx, bill) : ''];
}

/** The production with its dates, and what is billed. */
async function linesInWords(ctx: WorkContext, bill: Billed): Promise<string> {
  const items = await ctx.db.query<{ description: string; total_minor: number }>(sql`
    select description, total_minor from invoice_items where invoice_id = ${bill.id} order by sort, id`);
  const rest = items.length - MOST_LINES;
  const lines = items.slice(0, MOST_LINES).map((item) =>
    `- ${itemWords(item.description)}: ${formatMoney(item.total_minor, bill.currency)}`);
  return [bill.production === null ? '' : `For ${oneLine(bill.production)}${runWords(bill)}:`, ...lines,
    rest > 0 ? `and ${rest} more` : ''].filter((line) => line !== '').join('\n');
}

/** The line of a royalty goes on with its figures, which stand on the paper. */
const itemWords = (description: string): string =>
  oneLine(description.length > LONGEST_ITEM ? description.split(': ')[0]! : description);

function runWords({ division, opens_on: from, ends_on: to }: Billed): string {
  if (from === null || to === null) return '';
  return from === to ? `, ${dayOf(division, from)}` : `, ${dayOf(division, from)} to ${dayOf(division, to)}`;
}

function amountWords(bill: Billed): string {
  const sum = (minor: number): string => formatMoney(minor, bill.currency);
  const paid = bill.total_minor - bill.balance_minor;
  const total = `Amount: ${sum(bill.total_minor)}.`;
  if (bill.balance_minor <= 0) return `${total} It is paid; nothing is left to pay.`;
  const left = paid > 0 ? ` ${sum(paid)} of it is paid, ${sum(bill.balance_minor)} is left.` : '';
  return `${total}${left}${dueWords(bill)}`;
}

function dueWords(bill: Billed): string {
  if (bill.due_on === null) return '';
  const language = documentLanguage(bill.division);
  const day = dayWithReason(dateFor(language, bill.due_on), dueReason(bill, language));
  const after = bill.kind === 'proforma' && bill.due_on === bill.pay_by
    ? spellIn(language)` Your license is issued when we have it.` : '';
  return ` Due on ${day}.${after}`;
}

async function waysOf(ctx: WorkContext, bill: Billed): Promise<string> {
  const ways = waysInWords(ctx.ports.settings, { division: bill.division, purchaseOrders: bill.orders,
    ways: await waysToPay(ctx, bill) });
  if (ways === null) return `Please ask us how to pay, and name ${bill.number}.`;
  const spell = spellIn(documentLanguage(bill.division));
  return `You can pay ${spell(ways)}. Please name ${bill.number} with your payment. What you need for it is on the ${
    bill.kind === 'proforma' ? 'pro forma' : 'invoice'} and on its page.`;
}

interface Received {
  id: number; number: string; customer_id: number; division: string; currency: string; amount_minor: number;
  applied_minor: number; method: PaymentMethod; reference: string; paid_on: string; deposit: string | null;
  rep_id: number | null;
}

interface Applied {
  id: number; number: string; applied_minor: number; production: string | null; from_proforma: boolean;
}

function appliedOf(ctx: WorkContext, paymentId: number): Promise<Applied[]> {
  return ctx.db.query<Applied>(sql`
    select i.id, i.invoice_number as number, sum(a.amount_minor)::bigint as applied_minor,
      i.proforma_id is not null as from_proforma, l.title_on_license as production
    from payment_allocations a join invoices i on i.id = a.invoice_id left join licenses l on l.id = i.license_id
    where a.payment_id = ${paymentId} group by i.id, l.id having sum(a.amount_minor) > 0 order by i.id`);
}

/** The receipt, and the tax invoices that the payment made of pro formas. */
export async function papersOfReceipt(ctx: WorkContext, paymentId: number): Promise<DrawnAttachment[]> {
  const { number } = await ctx.db.one<{ number: string }>(sql`select number from payments where id = ${paymentId}`);
  const made = (await appliedOf(ctx, paymentId)).filter((one) => one.from_proforma);
  return [paperOf('receipt', paymentId, number), ...made.map((one) => paperOf('invoice', one.id, one.number))];
}

/** A check, transfer or cash arrived. A payment by card or bank debit has its mail from the checkout. */
export async function mailReceipt(ctx: WorkContext, paymentId: number): Promise<void> {
  const row = await ctx.db.one<Received & { provider: string | null }>(sql`
    select p.id, p.number, p.party_id as customer_id, p.division, p.currency, p.amount_minor, p.applied_minor, p.method,
      p.reference, p.paid_on, p.provider, l.license_rep_id as rep_id,
      (select k.title_on_license || ' (' || coalesce(k.license_number, k.number) || ')' from deposits d
        join licenses k on k.id = d.license_id where d.payment_id = p.id) as deposit
    from payments p left join licenses l on l.id = p.license_id where p.id = ${paymentId}`);
  if (row.provider !== null) return;
  const to = await moneyEmails(ctx, row.customer_id);
  await queueMail(ctx.db, { ...await receiptMail(ctx, row), to, letter: {
    greeting: await greetingOf(ctx.db, to), contact: await contactOf(ctx.db, row.rep_id, row.division),
    paragraphs: receiptWords(row, await appliedOf(ctx, row.id)),
    link: { label: 'See your payment',
      href: linkTo(ctx.ports.settings, `/customer/${row.customer_id}/receipts/${row.id}`) } } });
}

async function receiptMail(ctx: WorkContext, row: Received): Promise<Omit<Mail, 'to' | 'letter'>> {
  const spell = spellIn(documentLanguage(row.division));
  const sum = formatMoney(row.amount_minor, row.currency);
  return { template: 'payment.received', entity: 'payment', entity_id: row.id,
    reminder_key: `payment.received/${row.id}`, attachments: await papersOfReceipt(ctx, row.id),
    subject: `We received ${sum}${row.method === 'check' ? spell` by check` : ''}` };
}

/** Many write 'Check 1042' as the reference of a check. */
const CHECK = /^(check|cheque)(\s+(no\.?|number|#))?\s*/i;

function receiptWords(row: Received, applied: readonly Applied[]): string[] {
  const spell = spellIn(documentLanguage(row.division));
  const sum = (minor: number): string => formatMoney(minor, row.currency);
  const reference = oneLine(row.reference);
  const number = reference.replace(CHECK, '');
  const way = row.method === 'check' ? `${spell` by check`}${number === '' ? '' : ` ${number}`}` : '';
  const left = row.amount_minor - applied.reduce((all, one) => all + one.applied_minor, 0);
  const of = ({ production }: Applied): string => (production === null ? '' : ` for ${oneLine(production)}`);
  const lines = row.deposit !== null ? [`- the deposit for ${oneLine(row.deposit)}: ${sum(row.amount_minor)}`]
    : [...applied.map((one) => `- invoice ${one.number}${of(one)}: ${sum(one.applied_minor)}`),
      ...(left > 0 ? [`- kept on your account for your next invoices: ${sum(left)}`] : [])];
  const named = row.method !== 'check' && reference !== '' ? ` Reference: ${reference}.` : '';
  return [`Thank you. We received ${sum(row.amount_minor)}${way} on ${dayOf(row.division, row.paid_on)}.${named}`,
    `Used for:\n${lines.join('\n')}`, 'Your receipt is attached.'];
}
