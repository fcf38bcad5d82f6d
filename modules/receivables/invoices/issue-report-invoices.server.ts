/**
 * Invoices of box-office reports, one per report with one line that is earned when billed (event 3). Where a tax, a
 * deposit or a foreign currency plays a part each goes through {@link issueInvoice}; the many others of an import are
 * written in one statement per table, with the same rows, postings and numbers.
 */
import { termsDays } from '#kernel/receivables/payment-terms.ts';
import { conflict } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { writeAuditMany } from '#server/audit.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from '#modules/accounting/accounting.public.server.ts';
import { determineTax, keepVatProofs, proveVatNumbers, type TaxedLine }
  from '#modules/taxation/taxation.public.server.ts';
import { rateFor, takeNumbers } from '../ledger/post.server.ts';
import { tellOfInvoice } from '../tell.server.ts';
import { refreshLicenses } from './invoice-store.server.ts';
import { issueInvoice } from './issue-invoice.server.ts';

export interface ReportInvoiceInput {
  box_office_report_id: number;
  license_id: number;
  license_venue_id: number | null;
  customer_id: number;
  division: string;
  currency: string;
  description: string;
  /** > 0, excluding tax. */
  net_minor: number;
  issued_on: string;
}

export interface ReportInvoice {
  invoice_id: number;
  transaction_id: number | null;
}

interface Customer {
  id: number; name: string; legal_name: string | null; billing_address: Address | null; vat_number: string | null;
  payment_terms_days: number; deleted: boolean;
}

interface Ready extends ReportInvoiceInput {
  customer: Customer;
  tax: TaxedLine;
  rate_on: string;
  due_on: string;
}

/** Fewer than this are issued one by one. */
const WORTH_A_BATCH = 2;

/** Issues the invoices in the given order; answers them in that order. Errors as {@link issueInvoice}. */
export async function issueReportInvoices(
  ctx: WorkContext, inputs: readonly ReportInvoiceInput[],
): Promise<ReportInvoice[]> {
  const plain = inputs.length < WORTH_A_BATCH ? new Map<number, Ready>() : await plainOnes(ctx, inputs);
  const batch = inputs.flatMap((_, n) => plain.get(n) ?? []);
  const issued = await issueBatch(ctx, batch);
  const answers: ReportInvoice[] = [];
  let next = 0;
  for (const [n, input] of inputs.entries()) {
    answers.push(plain.has(n) ? issued[next++]! : await issueOne(ctx, input));
  }
  return answers;
}

function issueOne(ctx: WorkContext, input: ReportInvoiceInput): Promise<ReportInvoice> {
  return issueInvoice(ctx, {
    license_id: input.license_id, customer_id: input.customer_id, division: input.division, currency: input.currency,
    issued_on: input.issued_on, lines: [{
      kind: 'royalty', item_class: 'performing_licence', description: input.description, net_minor: input.net_minor,
      royalty_bearing: true, license_venue_id: input.license_venue_id,
      box_office_report_id: input.box_office_report_id,
    }],
  });
}

/** Inputs without tax, deposit and foreign currency, by their place. */
async function plainOnes(ctx: WorkContext, inputs: readonly ReportInvoiceInput[]): Promise<Map<number, Ready>> {
  await proveVatNumbers(ctx, inputs);
  const customers = await customersOf(ctx, inputs);
  const places = await placesOf(ctx, inputs);
  const taxes = new Map<string, TaxedLine>();
  const rates = new Map<string, { functional: boolean; on: string }>();
  const plain = new Map<number, Ready>();
  for (const [n, input] of inputs.entries()) {
    const place = places.get(input.license_id);
    const customer = customers.get(input.customer_id);
    if (!place || place.deposits > 0 || !customer || customer.deleted) continue;
    const rateKey = `${input.division} ${input.currency} ${input.issued_on}`;
    const rate = rates.get(rateKey) ?? await rateFor(ctx, input.division, input.currency, input.issued_on);
    rates.set(rateKey, rate);
    if (!rate.functional) continue;
    const venue = place.venues.find((one) => one.id === input.license_venue_id) ?? place.venues[0] ?? null;
    const key = JSON.stringify([input.customer_id, input.division, input.issued_on, venue?.address ?? null]);
    const tax = taxes.get(key) ?? await taxOf(ctx, input, venue?.address ?? null);
    taxes.set(key, tax);
    if (tax.rate_ppm !== 0 || tax.tax_minor !== 0) continue;
    plain.set(n, { ...input, customer, tax, rate_on: rate.on,
      due_on: addDays(input.issued_on, termsDays(customer.payment_terms_days, place.ordered)) });
  }
  return plain;
}

/** On a whole amount, so that any rate shows. */
async function taxOf(ctx: WorkContext, input: ReportInvoiceInput, venue: Address | null): Promise<TaxedLine> {
  const [tax] = await determineTax(ctx, {
    division: input.division, customer_id: input.customer_id, on: input.issued_on, venue,
    lines: [{ kind: 'royalty', item_class: 'performing_licence', net_minor: 1_000_000 }],
  });
  return tax!;
}

async function customersOf(ctx: WorkContext, inputs: readonly ReportInvoiceInput[]): Promise<Map<number, Customer>> {
  const rows = await ctx.db.query<Customer>(sql`
    select id, name, legal_name, billing_address, vat_number, payment_terms_days, deleted_at is not null as deleted
    from customers where id = any(${[...new Set(inputs.map((one) => one.customer_id))]}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function placesOf(ctx: WorkContext, inputs: readonly ReportInvoiceInput[]) {
  const ids = [...new Set(inputs.map((one) => one.license_id))];
  await ctx.db.query(sql`select 1 from licenses where id = any(${ids}::bigint[]) order by id for update`);
  const rows = await ctx.db.query<{ id: number; deposits: number; ordered: boolean;
    venues: { id: number; address: Address | null }[] }>(
    sql`select l.id, (select count(*) from deposits d where d.license_id = l.id and d.kind = 'on_account'
        and d.status = 'held') as deposits, coalesce(l.purchase_order_no, '') <> '' as ordered,
      coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'address', v.address) order by v.sort, v.id)
        from license_venues v where v.license_id = l.id), '[]') as venues
    from licenses l where l.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function issueBatch(ctx: WorkContext, list: readonly Ready[]): Promise<ReportInvoice[]> {
  if (list.length === 0) return [];
  const invoiceIds = await insertInvoices(ctx, list);
  const itemIds = await insertItems(ctx, list, invoiceIds);
  const posted = await postJournals(ctx.db, list.map((one, k) => journalOf(one, invoiceIds[k]!)), ctx.actor.actor_id);
  const transactionIds = posted.map((one) => one.transaction_id);
  const { royalties } = ctx.ports.money;
  await royalties.invoicesIssued(ctx,
    list.map((one, k) => ({ invoice_id: invoiceIds[k]!, license_id: one.license_id, on: one.issued_on })));
  await royalties.incomesEarned(ctx,
    list.map((one, k) => ({
      invoice_item_id: itemIds[k]!, license_id: one.license_id, division: one.division, currency: one.currency,
      amount_minor: one.net_minor, occurred_on: one.issued_on, transaction_id: transactionIds[k]!,
      income_account: INCOME.reported, rate: '1', performance_id: null,
    })));
  await finish(ctx, list, invoiceIds, transactionIds);
  return invoiceIds.map((invoice_id, k) => ({ invoice_id, transaction_id: transactionIds[k]! }));
}

async function insertInvoices(ctx: WorkContext, list: readonly Ready[]): Promise<number[]> {
  const of = <T>(pick: (one: Ready) => T): T[] => list.map(pick);
  const rows = await ctx.db.query<{ id: number }>(sql`
    insert into invoices (kind, status, customer_id, license_id, division, currency, billing_name, billing_address,
      customer_vat_number, division_vat_number, issued_on, tax_point_on, due_on, purchase_order_no, net_minor,
      total_minor, functional_rate, functional_rate_on, legal_texts, issued_by_id)
    select 'invoice', 'draft', u.customer_id, u.license_id, u.division, u.currency, u.billing_name, u.address,
      u.vat_number,
      (select number from tax_registrations r join divisions d on d.code = r.division
        where r.division = u.division and r.scheme = 'vat' and r.jurisdiction = d.home_country
          and r.valid_from <= u.on_date and (r.valid_to is null or r.valid_to >= u.on_date)
        order by r.valid_from desc limit 1),
      u.on_date, u.on_date, u.due_on, l.purchase_order_no, u.net, u.net, 1, u.rate_on,
      case when u.legal = '' then '{}' else array[u.legal] end, ${ctx.actor.actor_id}
    from unnest(${of((o) => o.customer_id)}::bigint[], ${of((o) => o.license_id)}::bigint[],
      ${of((o) => o.division)}::text[], ${of((o) => o.currency)}::text[],
      ${of((o) => o.customer.legal_name ?? o.customer.name)}::text[],
      ${of((o) => (o.customer.billing_address === null ? null : JSON.stringify(o.customer.billing_address)))}::jsonb[],
      ${of((o) => o.customer.vat_number)}::text[], ${of((o) => o.issued_on)}::date[], ${of((o) => o.due_on)}::date[],
      ${of((o) => o.net_minor)}::bigint[], ${of((o) => o.rate_on)}::date[], ${of((o) => o.tax.legal_text)}::text[])
      with ordinality u (customer_id, license_id, division, currency, billing_name, address, vat_number, on_date,
        due_on, net, rate_on, legal, n)
    join licenses l on l.id = u.license_id order by u.n returning id`);
  return rows.map((row) => row.id);
}

async function insertItems(ctx: WorkContext, list: readonly Ready[], invoiceIds: readonly number[]): Promise<number[]> {
  const of = <T>(pick: (one: Ready, k: number) => T): T[] => list.map(pick);
  const items = await ctx.db.query<{ id: number }>(sql`
    insert into invoice_items (invoice_id, kind, description, license_venue_id, box_office_report_id, unit_minor,
      net_minor, tax_code_id, total_minor, income_type, item_class, royalty_bearing, release_rule, account_code)
    select invoice_id, 'royalty', description, venue_id, report_id, net, net, tax_code_id, net, 'royalty',
      'performing_licence', true, 'at_once', ${INCOME.reported}
    from unnest(${[...invoiceIds]}::bigint[], ${of((o) => o.description)}::text[],
      ${of((o) => o.license_venue_id)}::bigint[], ${of((o) => o.box_office_report_id)}::bigint[],
      ${of((o) => o.net_minor)}::bigint[], ${of((o) => o.tax.tax_code_id)}::bigint[])
      with ordinality u (invoice_id, description, venue_id, report_id, net, tax_code_id, n)
    order by n returning id`);
  const parts = list.flatMap((one, k) => one.tax.parts.map((part) => ({ part, one, item_id: items[k]!.id,
    invoice_id: invoiceIds[k]! })));
  if (parts.length > 0) {
    await ctx.db.exec(taxLines(parts));
  }
  return items.map((item) => item.id);
}

type PartRow = { part: TaxedLine['parts'][number]; one: Ready; item_id: number; invoice_id: number };

function taxLines(parts: readonly PartRow[]) {
  const of = <T>(pick: (row: PartRow) => T): T[] => parts.map(pick);
  return sql`
    insert into invoice_tax_lines (invoice_id, invoice_item_id, jurisdiction, tax_code_id, tax_rate_id,
      exemption_certificate_id, rate_ppm, base_minor, tax_minor, reason)
    select invoice_id, item_id, jurisdiction, code_id, rate_id, certificate_id, 0, base, 0, reason
    from unnest(${of((r) => r.invoice_id)}::bigint[], ${of((r) => r.item_id)}::bigint[],
      ${of((r) => r.part.jurisdiction)}::text[], ${of((r) => r.part.tax_code_id)}::bigint[],
      ${of((r) => r.part.tax_rate_id)}::bigint[], ${of((r) => r.one.tax.exemption_certificate_id)}::bigint[],
      ${of((r) => r.one.net_minor)}::bigint[], ${of((r) => r.one.tax.reason)}::text[])
      u (invoice_id, item_id, jurisdiction, code_id, rate_id, certificate_id, base, reason)`;
}

function journalOf(one: Ready, invoiceId: number): JournalDraft {
  const amount = BigInt(one.net_minor);
  const currency = one.currency as Currency;
  const refs = { invoice_id: invoiceId, license_id: one.license_id };
  return {
    division: one.division as Division, kind: 'invoice', transaction_at: one.issued_on,
    description: `Invoice to ${one.customer.legal_name ?? one.customer.name}`.slice(0, 500),
    source: { type: 'invoice', id: invoiceId, event: 'issued', attempt: 1 },
    lines: [
      { account: '1100', currency, amount, base: amount, fx_rate: '1', party: { type: 'customer', id: one.customer_id },
        due_date: one.due_on, refs },
      { account: INCOME.reported, currency, amount: -amount, base: -amount, fx_rate: '1', refs },
    ],
  };
}

/** Numbers, states and projections; the series' rows stay locked until the transaction ends. */
async function finish(
  ctx: WorkContext, list: readonly Ready[], invoiceIds: readonly number[], transactionIds: readonly number[],
): Promise<void> {
  const licenses = [...new Set(list.map((one) => one.license_id))];
  const numbers = await takeNumbers(ctx, 'invoice', list.map((one) => ({ ...one, on: one.issued_on,
    asks_minor: one.net_minor })));
  const updated = await ctx.db.exec(sql`
    update invoices i set invoice_number = u.number, status = 'issued', transaction_id = u.transaction_id,
      open_item_id = (select o.id from open_items o join ledger_accounts a on a.id = o.ledger_account_id
        where o.transaction_id = u.transaction_id and a.code = '1100'), version = i.version + 1
    from unnest(${[...invoiceIds]}::bigint[], ${numbers}::text[], ${[...transactionIds]}::bigint[])
      u (id, number, transaction_id) where i.id = u.id`);
  if (updated !== invoiceIds.length) throw conflict('invoice.not_issued', 'Not every invoice could be issued.');
  await keepVatProofs(ctx, invoiceIds);
  await refreshLicenses(ctx, licenses);
  await writeAuditMany(ctx.db, ctx.actor, list.map((one, k) => ({ action: 'issue', entity: 'invoice',
    entity_id: invoiceIds[k]!, after: { invoice_number: numbers[k]!, total_minor: one.net_minor,
      currency: one.currency, transaction_id: transactionIds[k]! } })));
  for (const [k, one] of list.entries()) {
    await tellOfInvoice(ctx, { id: invoiceIds[k]!, customer_id: one.customer_id, division: one.division,
      currency: one.currency, total_minor: one.net_minor, due_on: one.due_on, number: numbers[k]!,
      is_pro_forma: false });
  }
}
