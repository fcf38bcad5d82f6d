/**
 * Interest on an overdue invoice. The rate is the one of the contract that was signed; where it agrees none, the one
 * that the law grants in the division. Nothing is billed without a person, and no day twice: the table refuses it.
 */
import { isOverdue } from '#kernel/receivables/payment-terms.ts';
import { addDays, dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, formatMoney, formatRate } from '#kernel/money/money.ts';
import { lateInterest, openDays, type InterestStep, type LateRate } from '#kernel/receivables/late-interest.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { lockInvoice, lockLicenseOf } from '../invoices/invoice-store.server.ts';
import { invoiceDetail } from '../invoices/invoice-queries.server.ts';
import { issueInvoice } from '../invoices/issue-invoice.server.ts';
import { isDisputed } from '../online/open-disputes.server.ts';
import { lateInterestEndpoints, type InterestCharge, type LateInterestDetail } from './late-interest.contract.ts';

interface OverdueInvoice {
  id: number;
  number: string | null;
  kind: string;
  customer_id: number;
  license_id: number | null;
  division: string;
  currency: string;
  due_on: string | null;
  balance_minor: number;
  statutory_ppm: number | null;
  /** A business, a school or a university: the law grants interest against businesses and public bodies. */
  is_statutory_debtor: boolean;
  is_interest: boolean;
  is_disputed: boolean;
}

async function overdueInvoice(ctx: WorkContext, id: number): Promise<OverdueInvoice> {
  const row = await ctx.db.maybeOne<OverdueInvoice>(sql`
    select i.id, i.invoice_number as number, i.kind, i.customer_id, i.license_id, i.division, i.currency, i.due_on,
      i.balance_minor, d.statutory_interest_ppm_per_year as statutory_ppm,
      c.is_business or c.kind in ('school_k12', 'university', 'professional') as is_statutory_debtor,
      ${isDisputed(sql`i.id`)} as is_disputed,
      not exists (select 1 from invoice_items t where t.invoice_id = i.id and t.kind <> 'late_interest') as is_interest
    from invoices i join divisions d on d.code = i.division join customers c on c.id = i.customer_id
    where i.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Money by the day it came, also what was paid on account before the invoice; write-offs by theirs. */
function settlementsOf(ctx: WorkContext, invoiceId: number): Promise<{ on: string; amount: number }[]> {
  return ctx.db.query(sql`
    select p.paid_on as on, sum(a.amount_minor)::bigint as amount
    from payment_allocations a join payments p on p.id = a.payment_id
    where a.invoice_id = ${invoiceId} group by p.id having sum(a.amount_minor) <> 0
    union all
    select written_off_on, (amount_minor - taken_back_minor)::bigint from invoice_write_offs
    where invoice_id = ${invoiceId} and taken_back_minor < amount_minor`);
}

function chargesOf(ctx: WorkContext, invoiceId: number): Promise<InterestCharge[]> {
  return ctx.db.query<InterestCharge>(sql`
    select c.id, c.from_on, c.to_on, c.state, c.amount_minor, c.rate_ppm, c.rate_per, c.interest_invoice_id,
      n.invoice_number as interest_invoice_number, c.reason, c.credited_at,
      u.first_name || ' ' || u.last_name as created_by_name, c.created_at
    from late_interest_charges c left join invoices n on n.id = c.interest_invoice_id
      left join users u on u.id = c.created_by_id
    where c.invoice_id = ${invoiceId} order by c.from_on, c.id`);
}

type Basis = Pick<LateInterestDetail, 'rate' | 'none'>;
const none = (reason: NonNullable<Basis['none']>): Basis => ({ rate: null, none: reason });

/** American law grants none where the contract agrees none. */
async function basisOf(ctx: WorkContext, invoice: OverdueInvoice, today: string): Promise<Basis> {
  if (invoice.kind !== 'invoice' || invoice.number === null || !isOverdue(invoice.due_on, today)) {
    return none('not_overdue');
  }
  if (invoice.is_interest) return none('interest_itself');
  if (invoice.is_disputed) return none('disputed');
  const agreed = invoice.license_id === null ? null
    : await ctx.ports.money.licensing.interestAgreed(ctx, { license_id: invoice.license_id });
  const contract = { license_number: agreed?.license_number ?? null, signed_on: agreed?.signed_on ?? null };
  if (agreed && agreed.ppm_per_month > 0) {
    return { rate: { ppm: agreed.ppm_per_month, per: 'month', basis: 'contract', ...contract }, none: null };
  }
  if (documentLanguage(invoice.division) !== 'en-GB') return none('not_agreed');
  if (!invoice.is_statutory_debtor) return none('no_business');
  if (invoice.statutory_ppm === null) return none('no_rate');
  return { rate: { ppm: invoice.statutory_ppm, per: 'year', basis: 'statutory', ...contract }, none: null };
}

interface Open { invoice: OverdueInvoice; detail: LateInterestDetail; ranges: InterestStep[][]; rate: LateRate | null }

/** Days to bill with their interest, by unbroken range. */
async function openInterest(ctx: WorkContext, id: number, to?: string): Promise<Open> {
  const invoice = await overdueInvoice(ctx, id);
  const today = await ctx.today(invoice.division);
  if (to !== undefined && to > today) throw invalidField('to_on', 'Enter today or an earlier date');
  const to_on = to ?? today;
  const charges = await chargesOf(ctx, id);
  const { rate, none: reason } = await basisOf(ctx, invoice, today);
  const owed = rate && { ppm: BigInt(rate.ppm), per: rate.per };
  const settlements = owed ? await settlementsOf(ctx, id) : [];
  // Open now and what reduced it on a day: credits are in neither, for a wrong amount was never owed.
  const principal = settlements.reduce((all, one) => all + BigInt(one.amount), BigInt(invoice.balance_minor));
  const ranges = owed === null ? [] : openDays({ from_on: addDays(invoice.due_on!, 1), to_on },
    charges.filter((charge) => charge.credited_at === null)).map((range) => lateInterest({ due_on: invoice.due_on!,
    principal_minor: principal, rate: owed,
    settlements: settlements.map(({ on, amount }) => ({ on, amount_minor: BigInt(amount) })) }, range));
  const steps = ranges.flat().map((step) => ({ ...step, principal_minor: Number(step.principal_minor),
    interest_minor: Number(step.interest_minor) }));
  return { invoice, rate: owed, ranges: ranges.filter((own) => own.length > 0), detail: { invoice_id: id,
    currency: invoice.currency as LateInterestDetail['currency'], due_on: invoice.due_on, to_on, rate, none: reason,
    steps, amount_minor: steps.reduce((all, step) => all + step.interest_minor, 0), charges } };
}

/** Interest of an invoice that nobody billed or waived yet, to today; 0 where none is due. */
export async function unbilledInterest(ctx: WorkContext, invoiceId: number): Promise<number> {
  return (await openInterest(ctx, invoiceId)).detail.amount_minor;
}

/** Under the lock of the invoice: what the person saw is what is billed or waived. */
async function agreedOpen(ctx: Ctx, id: number, body: { to_on: string; amount_minor: number }):
Promise<Open & { rate: LateRate }> {
  await lockLicenseOf(ctx, id);
  await lockInvoice(ctx, id);
  const open = await openInterest(ctx, id, body.to_on);
  if (open.rate === null || open.detail.amount_minor === 0) {
    throw conflict('invoice.no_interest', 'No interest is due on this invoice on that day.');
  }
  if (open.detail.amount_minor !== body.amount_minor) {
    throw conflict('invoice.interest_changed', `The interest is now ${formatMoney(open.detail.amount_minor,
      open.invoice.currency)}. Look at it again.`, { amount_minor: open.detail.amount_minor });
  }
  return { ...open, rate: open.rate };
}

async function keepCharges(ctx: Ctx, open: Open & { rate: LateRate },
  of: { state: 'billed' | 'waived'; interest_invoice_id: number | null; reason: string }): Promise<void> {
  for (const steps of open.ranges) {
    const amount = steps.reduce((all, step) => all + step.interest_minor, 0n);
    if (amount === 0n) continue;
    await ctx.db.exec(sql`
      insert into late_interest_charges (invoice_id, from_on, to_on, state, amount_minor, rate_ppm, rate_per,
        interest_invoice_id, reason, created_by_id)
      values (${open.invoice.id}, ${steps[0]!.from_on}, ${steps.at(-1)!.to_on}, ${of.state}, ${amount},
        ${open.rate.ppm}, ${open.rate.per}, ${of.interest_invoice_id}, ${of.reason}, ${ctx.actor.actor_id})`);
  }
}

/** The line says all that the amount is made of. */
function lineText(invoice: OverdueInvoice, rate: LateRate, step: InterestStep): string {
  const day = (date: string) => dateFor(documentLanguage(invoice.division), date);
  return `Interest on late payment of ${invoice.number}: ${day(step.from_on)} to ${day(step.to_on)}, ${step.days} day${
    step.days === 1 ? '' : 's'} at ${formatRate(rate.ppm)} per ${rate.per} on ${formatMinor(step.principal_minor)}`;
}

function notesOf({ invoice, detail, rate }: Open & { rate: LateRate }): string {
  const basis = detail.rate?.basis === 'contract' ? 'as the contract agrees' : 'as the law on late commercial payments '
    + 'grants';
  return `Interest of ${formatRate(rate.ppm)} per ${rate.per} ${basis}, from the day after the due date, ${
    dateFor(documentLanguage(invoice.division), invoice.due_on!)}. Each line: open amount × ${formatRate(rate.ppm)} ${
    rate.per === 'month' ? '× 12 ' : ''}× days ÷ 365. Simple interest, no tax.`;
}

async function bill(ctx: Ctx, id: number, body: BodyOf<typeof lateInterestEndpoints.bill>): Promise<number> {
  const open = await agreedOpen(ctx, id, body);
  const { invoice, rate } = open;
  const today = await ctx.today(invoice.division);
  const { invoice_id } = await issueInvoice(ctx, {
    license_id: invoice.license_id, customer_id: invoice.customer_id, division: invoice.division,
    currency: invoice.currency, issued_on: today, deposit_ids: [], notes: notesOf(open),
    lines: open.ranges.flat().filter((step) => step.interest_minor > 0n).map((step) => ({
      kind: 'late_interest', item_class: 'fee', net_minor: Number(step.interest_minor),
      description: lineText(invoice, rate, step) })),
  });
  await keepCharges(ctx, open, { state: 'billed', interest_invoice_id: invoice_id, reason: '' });
  await ctx.audit({ action: 'bill_interest', entity: 'invoice', entity_id: id, after: { ...body, invoice_id } });
  return invoice_id;
}

async function waive(ctx: Ctx, id: number, body: BodyOf<typeof lateInterestEndpoints.waive>): Promise<void> {
  const open = await agreedOpen(ctx, id, body);
  await keepCharges(ctx, open, { state: 'waived', interest_invoice_id: null, reason: body.reason });
  await ctx.audit({ action: 'waive_interest', entity: 'invoice', entity_id: id, after: body });
}

export const lateInterestRoutes: Route[] = serve(lateInterestEndpoints, {
  show: async (ctx, { params, query }) => ({ data: (await openInterest(ctx, params.id, query.to_on)).detail }),
  bill: async (ctx, { params, body }) => ({ data: await invoiceDetail(ctx, await bill(ctx, params.id, body)) }),
  async waive(ctx, { params, body }) {
    await waive(ctx, params.id, body);
    return { data: (await openInterest(ctx, params.id)).detail };
  },
});
