/** Rows of a document before it is issued: header, lines, tax per jurisdiction. */
import { termsDays } from '#kernel/receivables/payment-terms.ts';
import { invalidField } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { keepTaxSource, type TaxedLine } from '#modules/taxation/taxation.public.server.ts';
import { refuseUnpayable } from '../documents/ways-to-pay.server.ts';
import { rateFor, type Rate } from '../ledger/post.server.ts';
import type { LicenseDates, ReadyLine } from './invoice-lines.server.ts';

export interface DraftHeader {
  kind: 'invoice' | 'proforma';
  customer_id: number;
  division: string;
  currency: string;
  license: LicenseDates | null;
  /** Day whose tax and exchange rate it shows. */
  on: string;
  /** Day of issue that stands on it; absent: `on`. Null: a draft that is dated when it is issued. */
  issued_on?: string | null;
  /** As typed; null: by the customer's terms, of a draft not before it is issued. */
  due_on: string | null;
  ship_to?: Address | null | undefined;
  purchase_order_no: string | null;
  notes: string;
  /** A draft by hand: its due date follows the terms from the day of issue, unless it was typed. */
  dated_later?: boolean;
  proforma_id?: number | null;
}

interface Billing {
  name: string;
  legal_name: string | null;
  billing_address: Address | null;
  vat_number: string | null;
  payment_terms_days: number;
  deleted: boolean;
}

/** A licence's facts that billing needs, its row locked first of all (order of locks: license, payment, invoices). */
export async function lockLicense(ctx: WorkContext, id: number): Promise<LicenseDates> {
  const row = await ctx.db.maybeOne<LicenseDates>(sql`
    select id, division, currency, customer_id, fee_method, first_performance_on, last_performance_on, ship_on,
      return_due_on, purchase_order_no
    from licenses where id = ${id} for update`);
  if (!row) throw invalidField('license_id', spell`This license does not exist`);
  return row;
}

/** Stores the document as a draft (a pro forma with its reference: 409 where nobody can pay it); answers its id. */
export async function insertDraft(ctx: WorkContext, header: DraftHeader, lines: readonly ReadyLine[]):
Promise<{ id: number; item_ids: number[] }> {
  const billing = await billingOf(ctx, header.customer_id);
  const rate = await rateFor(ctx, header.division, header.currency, header.on);
  const net = lines.reduce((all, line) => all + line.net_minor, 0);
  const tax = lines.reduce((all, line) => all + line.tax_minor, 0);
  const issued = header.issued_on === undefined ? header.on : header.issued_on;
  const due = header.due_on ?? (header.dated_later ? null : addDays(header.on,
    termsDays(billing.payment_terms_days, Boolean(header.purchase_order_no))));
  if (due !== null && issued !== null && due < issued) {
    throw invalidField('due_on', 'The due date is before the date of issue');
  }
  const legal = [...new Set(lines.map((line) => line.tax.legal_text).filter((text) => text !== ''))];
  const proforma = header.kind === 'proforma';
  if (proforma) await refuseUnpayable(ctx, [{ ...header, asks_minor: net + tax }]);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into invoices (kind, status, reference, customer_id, license_id, proforma_id, division, currency,
      billing_name, billing_address, customer_vat_number, division_vat_number, issued_on, tax_point_on, due_on,
      purchase_order_no, net_minor, tax_minor, total_minor, functional_rate, functional_rate_on, notes, legal_texts,
      ship_to, issued_by_id)
    values (${header.kind}, ${proforma ? 'proforma' : 'draft'},
      case when ${proforma} then next_number('proforma', ${header.division}, ${header.on}::date) end,
      ${header.customer_id}, ${header.license?.id ?? null}, ${header.proforma_id ?? null}, ${header.division},
      ${header.currency}, ${billing.legal_name ?? billing.name}, ${json(billing.billing_address)},
        ${billing.vat_number},
      (select number from tax_registrations r join divisions d on d.code = r.division
        where r.division = ${header.division} and r.scheme = 'vat' and r.jurisdiction = d.home_country
          and r.valid_from <= ${header.on}::date and (r.valid_to is null or r.valid_to >= ${header.on}::date)
        order by r.valid_from desc limit 1),
      ${issued}, ${proforma ? null : issued}, ${due}, ${header.purchase_order_no}, ${net}, ${tax}, ${net + tax},
      ${rate.rate}, ${rate.on}, ${header.notes}, ${legal}, ${json(header.ship_to ?? null)}, ${ctx.actor.actor_id})
    returning id`);
  await keepTaxSource(ctx, id, lines[0]?.tax.source);
  return { id, item_ids: await insertLines(ctx, id, lines, rate) };
}

export async function billingOf(ctx: WorkContext, customerId: number): Promise<Billing> {
  const row = await ctx.db.maybeOne<Billing>(sql`
    select name, legal_name, billing_address, vat_number, payment_terms_days, deleted_at is not null as deleted
    from customers where id = ${customerId}`);
  if (!row || row.deleted) throw invalidField('customer_id', 'This customer does not exist');
  return row;
}

/** Lines with their tax rows; replaces nothing. */
export async function insertLines(
  ctx: WorkContext, invoiceId: number, lines: readonly ReadyLine[], rate: Rate & { functional: boolean },
): Promise<number[]> {
  const ids: number[] = [];
  for (const [sort, line] of lines.entries()) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into invoice_items (invoice_id, sort, kind, description, license_charge_id, license_venue_id,
        performance_id, add_on_id, box_office_report_id, quantity, unit_minor, net_minor, tax_code_id, tax_minor,
        total_minor, income_type, item_class, royalty_bearing, release_rule, release_from, release_to, account_code,
        tax_free, carries)
      values (${invoiceId}, ${sort}, ${line.kind}, ${line.description}, ${line.license_charge_id},
        ${line.license_venue_id}, ${line.performance_id}, ${line.add_on_id}, ${line.box_office_report_id},
        ${line.quantity}, ${line.unit_minor}, ${line.net_minor}, ${line.tax.tax_code_id}, ${line.tax_minor},
        ${line.net_minor + line.tax_minor}, ${line.income_type}, ${line.item_class}, ${line.royalty_bearing},
        ${line.release_rule}, ${line.release_from}, ${line.release_to}, ${line.account_code}, ${line.tax_free},
        ${line.carries})
      returning id`);
    ids.push(id);
    await insertTaxLines(ctx, { invoice_id: invoiceId, item_id: id, net_minor: line.net_minor }, line.tax, rate);
  }
  return ids;
}

/** Returns are filed in functional currency: a foreign document stores it with its rate (domain.md 2.12). */
export async function insertTaxLines(
  ctx: WorkContext, of: { invoice_id: number; item_id: number; net_minor: number }, tax: TaxedLine,
  rate: Rate & { functional: boolean },
): Promise<void> {
  const foreign = !rate.functional;
  for (const part of tax.parts) {
    await ctx.db.exec(sql`
      insert into invoice_tax_lines (invoice_id, invoice_item_id, jurisdiction, tax_code_id, tax_rate_id,
        local_tax_rate_id, exemption_certificate_id, rate_ppm, base_minor, tax_minor, tax_functional_minor, rate,
        rate_date, rate_source, reason)
      values (${of.invoice_id}, ${of.item_id}, ${part.jurisdiction}, ${part.tax_code_id}, ${part.tax_rate_id},
        ${part.local_tax_rate_id ?? null}, ${tax.exemption_certificate_id}, ${part.rate_ppm}, ${of.net_minor},
        ${part.tax_minor}, ${foreign ? atRate(BigInt(part.tax_minor), rate.rate) : null},
        ${foreign ? rate.rate : null}, ${foreign ? rate.on : null}, ${foreign ? rate.source : null}, ${tax.reason})`);
  }
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
