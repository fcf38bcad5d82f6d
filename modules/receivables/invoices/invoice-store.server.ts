/** Stored documents as the verbs need them, locked, and the projections that follow every command. */
import { refuse } from '#kit/errors.ts';
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import type { TaxOwed } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import type { LicenseAmounts } from '#server/money-events.ts';
import { sql } from '#server/sql.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';

export interface InvoiceRecord {
  id: number;
  kind: 'invoice' | 'proforma' | 'credit_note';
  status: string;
  invoice_number: string | null;
  reference: string | null;
  customer_id: number;
  license_id: number | null;
  /** The paid pro forma that it is the invoice of. */
  proforma_id: number | null;
  division: string;
  currency: string;
  billing_name: string;
  /** Of a draft: null until it is issued, unless they were typed ({@link dated}). */
  issued_on: string | null;
  due_on: string | null;
  net_minor: number;
  tax_minor: number;
  total_minor: number;
  prepaid_net_minor: number;
  prepaid_tax_minor: number;
  paid_minor: number;
  credited_minor: number;
  written_off_minor: number;
  /** Tax that a payment for an older version of its pro forma left open. */
  tax_shortfall_minor: number;
  balance_minor: number;
  functional_rate: string;
  purchase_order_no: string | null;
  notes: string;
  transaction_id: number | null;
  open_item_id: number | null;
  version: number;
}

/** A document that is issued or being issued: it has its dates. */
export type DatedInvoice = InvoiceRecord & { issued_on: string; due_on: string };

/** The document as one with its dates; one without them is an error of ours. */
export function dated(invoice: InvoiceRecord): DatedInvoice {
  const { issued_on, due_on } = invoice;
  if (issued_on === null || due_on === null) throw new Error(`document ${invoice.id} has no dates`);
  return { ...invoice, issued_on, due_on };
}

export interface ItemRecord {
  id: number;
  invoice_id: number;
  kind: string;
  description: string;
  net_minor: number;
  tax_minor: number;
  total_minor: number;
  applied_minor: number;
  royalty_bearing: boolean;
  account_code: string;
  release_rule: string;
  release_from: string | null;
  release_to: string | null;
  license_charge_id: number | null;
  license_venue_id: number | null;
  performance_id: number | null;
  box_office_report_id: number | null;
  /** Taken back by credit notes so far. */
  credited_net_minor: number;
  credited_tax_minor: number;
}

const COLUMNS = sql`id, kind, status, invoice_number, reference, customer_id, license_id, proforma_id, division,
  currency, billing_name, issued_on, due_on, net_minor, tax_minor, total_minor, prepaid_net_minor, prepaid_tax_minor,
  paid_minor, credited_minor, written_off_minor, tax_shortfall_minor, balance_minor, functional_rate,
  purchase_order_no, notes, transaction_id, open_item_id, version`;

/** Documents locked in the order of their ids; an unknown one is 404. */
export async function lockInvoices(ctx: WorkContext, ids: readonly number[]): Promise<Map<number, InvoiceRecord>> {
  const rows = await ctx.db.query<InvoiceRecord>(sql`
    select ${COLUMNS} from invoices where id = any(${[...new Set(ids)]}::bigint[]) order by id for update`);
  const found = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !found.has(id))) throw refuse('not_found');
  return found;
}

export async function lockInvoice(ctx: WorkContext, id: number): Promise<InvoiceRecord> {
  return (await lockInvoices(ctx, [id])).get(id)!;
}

/** Locks are taken in one order: the licence, the payment, invoices by id. */
export async function lockLicenseOf(ctx: WorkContext, invoiceId: number): Promise<number | null> {
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    select l.id from licenses l where l.id = (select license_id from invoices where id = ${invoiceId}) for update`);
  return row?.id ?? null;
}

export function itemsOf(ctx: Pick<WorkContext, 'db'>, invoiceId: number): Promise<ItemRecord[]> {
  return ctx.db.query<ItemRecord>(sql`
    select i.id, i.invoice_id, i.kind, i.description, i.net_minor, i.tax_minor, i.total_minor, i.applied_minor,
      i.royalty_bearing, coalesce(i.account_code, ${INCOME.fees}) as account_code, i.release_rule, i.release_from,
      i.release_to, i.license_charge_id, i.license_venue_id, i.performance_id, i.box_office_report_id,
      coalesce(c.net, 0)::bigint as credited_net_minor, coalesce(c.tax, 0)::bigint as credited_tax_minor
    from invoice_items i left join lateral (
      select sum(n.net_minor) as net, sum(n.tax_minor) as tax from invoice_items n
      where n.credits_item_id = i.id) c on true
    where i.invoice_id = ${invoiceId} order by i.sort, i.id`);
}

const TAX_ACCOUNTS: Record<string, string> = { sales_tax: '2310', oss: '2330', use_tax: '2340' };

/** Account on which tax of a code of this kind is owed. */
export function taxAccount(kind: string): string {
  return TAX_ACCOUNTS[kind] ?? '2300';
}

/** Tax of a document per authority and code, as stored; never determined again. */
export async function taxesOf(ctx: WorkContext, invoiceId: number): Promise<(TaxOwed & { item_id: number })[]> {
  const rows = await ctx.db.query<{ item_id: number; jurisdiction: string; tax_code_id: number; kind: string;
    tax_minor: number; base_minor: number }>(sql`
    select t.invoice_item_id as item_id, t.jurisdiction, t.tax_code_id, c.kind, t.tax_minor, t.base_minor
    from invoice_tax_lines t join tax_codes c on c.id = t.tax_code_id
    where t.invoice_id = ${invoiceId} and t.tax_minor <> 0 order by t.id`);
  const authorities = new Map<string, number>();
  for (const { jurisdiction } of rows) {
    if (!authorities.has(jurisdiction)) authorities.set(jurisdiction, await taxAuthority(ctx, jurisdiction));
  }
  return rows.map((row) => ({
    item_id: row.item_id, account: taxAccount(row.kind),
    authority_id: authorities.get(row.jurisdiction)!, tax_code_id: row.tax_code_id, tax_minor: BigInt(row.tax_minor),
    base_minor: BigInt(row.base_minor),
  }));
}

/** State of payment from the figures; only issued documents have one. */
export async function settleStatus(ctx: WorkContext, invoiceId: number): Promise<void> {
  await ctx.db.exec(sql`
    update invoices set version = version + 1, status = case
      when kind = 'credit_note' then case when credited_minor = total_minor then 'credited' else 'issued' end
      when balance_minor = 0 and total_minor > 0 and credited_minor = total_minor then 'credited'
      when balance_minor = 0 and written_off_minor > 0 and paid_minor + prepaid_net_minor = 0 then 'written_off'
      when balance_minor = 0 then 'paid'
      when balance_minor < total_minor then 'part_paid' else 'issued' end
    where id = ${invoiceId} and kind <> 'proforma' and invoice_number is not null`);
  const collected = await ctx.db.maybeOne(sql`
    select 1 from invoices where id = ${invoiceId} and tax_shortfall_minor > 0 and balance_minor = 0`);
  if (collected) await ctx.ports.money.licensing.taxCollected(ctx, { invoice_id: invoiceId });
}

/**
 * The licence's projections (I2): invoiced less credits, what reached its invoices and was not set free by a credit,
 * what is open.
 */
export async function refreshLicenseMoney(ctx: WorkContext, licenseId: number | null): Promise<void> {
  if (licenseId !== null) await refreshLicenses(ctx, [licenseId]);
}

/** As {@link refreshLicenseMoney}, for many. */
export async function refreshLicenses(ctx: WorkContext, licenseIds: readonly number[]): Promise<void> {
  const amounts = await ctx.db.query<LicenseAmounts>(sql`
    select u.id as license_id, (m.invoiced - f.freed)::bigint as invoiced_minor,
      (m.paid - f.freed)::bigint as paid_minor, m.balance::bigint as balance_minor
    from unnest(${[...licenseIds]}::bigint[]) u (id),
      lateral (select coalesce(sum(total_minor - credited_minor), 0) as invoiced,
          coalesce(sum(paid_minor + prepaid_net_minor + prepaid_tax_minor), 0) as paid,
          coalesce(sum(balance_minor), 0) as balance
        from invoices where license_id = u.id and kind = 'invoice' and status not in ('draft', 'void')) m,
      lateral (select coalesce(sum(total_minor - credited_minor), 0) as freed from invoices
        where license_id = u.id and kind = 'credit_note' and invoice_number is not null) f`);
  await ctx.ports.money.licensing.amountsChanged(ctx, amounts);
}
