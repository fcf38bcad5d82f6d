/**
 * The tax of a document that is not issued yet, determined again on its tax point: certificates end, customers move,
 * rates change. An issued invoice is never determined again.
 */
import type { Address } from '#kit/field.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import type { LineApplication } from '#kernel/pricing/receipt-application.ts';
import type { WorkContext } from '#server/context.ts';
import type { TaxLeftOpen } from '#server/money-events.ts';
import { sql } from '#server/sql.ts';
import { keepTaxSource, type TaxedLine } from '#modules/taxation/taxation.public.server.ts';
import { rateFor } from '../ledger/post.server.ts';
import type { InvoiceLineInput } from '../receivables-types.ts';
import { tellOfProForma } from '../tell.server.ts';
import { billingOf, insertTaxLines } from './draft-invoice.server.ts';
import { asShare, lineTaxes } from './invoice-lines.server.ts';
import type { InvoiceRecord } from './invoice-store.server.ts';

type Unissued = Omit<InvoiceRecord, 'issued_on' | 'due_on'>;
type TaxedItem = Pick<InvoiceLineInput, 'kind' | 'item_class' | 'net_minor' | 'carries' | 'tax_free'
  | 'license_venue_id'> & { id: number; tax_minor: number };
interface StoredPart { item_id: number; tax_code_id: number; jurisdiction: string; rate_ppm: number;
  certificate_id: number | null; reason: string }

export interface TaxOfDay {
  items: readonly { id: number; net_minor: number; tax: TaxedLine }[];
  tax_minor: number;
  total_minor: number;
  /** Another code, place, rate or certificate than what the document says. */
  is_changed: boolean;
  /** "Sales tax of NY (before: Exemption certificate EX-1)". */
  reason: string;
}

/** The tax of a draft or pro forma on a day. A share of a quoted tax stays as it is where nothing changed. */
export async function taxOfDay(ctx: WorkContext, document: Unissued, on: string): Promise<TaxOfDay> {
  const items = await ctx.db.query<TaxedItem>(sql`
    select id, kind, item_class, net_minor, tax_minor, tax_free, carries, license_venue_id from invoice_items
    where invoice_id = ${document.id} order by sort, id`);
  const parts = await ctx.db.query<StoredPart>(sql`
    select invoice_item_id as item_id, tax_code_id, jurisdiction, rate_ppm, reason,
      exemption_certificate_id as certificate_id from invoice_tax_lines where invoice_id = ${document.id} order by id`);
  const { ship_to } = await ctx.db.one<{ ship_to: Address | null }>(sql`
    select ship_to from invoices where id = ${document.id}`);
  const taxes = await lineTaxes(ctx, { customer_id: document.customer_id, division: document.division, on,
    license_id: document.license_id, ship_to, lines: items.map(({ tax_minor: _tax, ...item }) => item) });
  const reasons: string[] = [];
  const taxed = items.map((item, k) => {
    const before = parts.filter((part) => part.item_id === item.id);
    const same = isSame(before, taxes[k]!);
    if (!same) reasons.push(`${taxes[k]!.reason} (before: ${before[0]?.reason ?? 'no tax'})`);
    return { id: item.id, net_minor: item.net_minor, tax: same ? asShare(taxes[k]!, item.tax_minor) : taxes[k]! };
  });
  const tax_minor = taxed.reduce((all, item) => all + item.tax.tax_minor, 0);
  return { items: taxed, tax_minor, total_minor: document.net_minor + tax_minor, is_changed: reasons.length > 0
    || tax_minor !== document.tax_minor, reason: [...new Set(reasons)].join('; ') };
}

function isSame(before: readonly StoredPart[], now: TaxedLine): boolean {
  const key = (part: { tax_code_id: number; jurisdiction: string; rate_ppm: number }) =>
    `${part.tax_code_id} ${part.jurisdiction} ${part.rate_ppm}`;
  const certificate = before[0]?.certificate_id ?? null;
  return certificate === now.exemption_certificate_id
    && before.map(key).sort().join() === now.parts.map(key).sort().join();
}

/** Writes the tax of a day and whom it is billed to now onto a draft or pro forma. */
export async function storeTaxOfDay(ctx: WorkContext, document: Unissued, on: string, now: TaxOfDay):
Promise<void> {
  const rate = await rateFor(ctx, document.division, document.currency, on);
  for (const { id, net_minor, tax } of now.items) {
    await ctx.db.exec(sql`delete from invoice_tax_lines where invoice_item_id = ${id}`);
    await insertTaxLines(ctx, { invoice_id: document.id, item_id: id, net_minor }, tax, rate);
    await ctx.db.exec(sql`
      update invoice_items set tax_code_id = ${tax.tax_code_id}, tax_minor = ${tax.tax_minor},
        total_minor = ${net_minor + tax.tax_minor} where id = ${id}`);
  }
  await keepTaxSource(ctx, document.id, now.items[0]?.tax.source);
  const billing = await billingOf(ctx, document.customer_id);
  const legal = [...new Set(now.items.map((item) => item.tax.legal_text).filter((text) => text !== ''))];
  await ctx.db.exec(sql`
    update invoices set tax_minor = ${now.tax_minor}, total_minor = ${now.total_minor}, legal_texts = ${legal},
      billing_name = ${billing.legal_name ?? billing.name}, customer_vat_number = ${billing.vat_number},
      billing_address = ${billing.billing_address === null ? null : JSON.stringify(billing.billing_address)},
      functional_rate = ${rate.rate}, functional_rate_on = ${rate.on}, version = version + 1
    where id = ${document.id}`);
}

/**
 * Brings an open pro forma to the tax of a day; its row is locked. Where the total changes it is a new version that
 * says so, and the one before is kept: money for it may be on its way. Answers whether there is a new version.
 */
export async function reviseProForma(ctx: WorkContext, document: InvoiceRecord, on: string, tell = false):
Promise<boolean> {
  if (document.kind !== 'proforma' || document.status !== 'proforma') return false;
  const now = await taxOfDay(ctx, document, on);
  if (!now.is_changed) return false;
  if (now.total_minor === document.total_minor) {
    await storeTaxOfDay(ctx, document, on, now);
    return false;
  }
  await ctx.db.exec(sql`
    insert into pro_forma_versions (invoice_id, revision, net_minor, tax_minor, total_minor, item_taxes, replaced_on)
    select id, revision, net_minor, tax_minor, total_minor, (select array_agg(tax_minor order by sort, i.id)
      from invoice_items i where i.invoice_id = v.id), ${on} from invoices v where id = ${document.id}`);
  await storeTaxOfDay(ctx, document, on, now);
  const day = dateFor(documentLanguage(document.division), on);
  const note = `Tax of ${day}: ${formatMoney(now.tax_minor, document.currency)} instead of ${
    formatMinor(BigInt(document.tax_minor))}${now.reason === '' ? '' : `. ${now.reason}`}`;
  await ctx.db.exec(sql`
    update invoices set revision = revision + 1, revision_note = ${note} where id = ${document.id}`);
  await ctx.audit({ action: 'revise', entity: 'invoice', entity_id: document.id,
    before: { tax_minor: document.tax_minor, total_minor: document.total_minor },
    after: { tax_minor: now.tax_minor, total_minor: now.total_minor, reason: note } });
  if (tell) await tellOfProForma(ctx, document.id);
  return true;
}

export interface OlderVersion { tax_minor: number; total_minor: number; item_taxes: number[] }

/** The version of a pro forma that asked for just this sum, the latest first; null: none did. */
export function olderVersion(ctx: WorkContext, proFormaId: number, total: bigint): Promise<OlderVersion | null> {
  return ctx.db.maybeOne<OlderVersion>(sql`
    select tax_minor, total_minor, item_taxes from pro_forma_versions
    where invoice_id = ${proFormaId} and total_minor = ${total} order by revision desc limit 1`);
}

/**
 * Money for an older version on the invoice of its tax point: what it lacks is tax alone, noted so that it stops no
 * licence, and the net of each line is paid in full. Null where the lines do not add up to what is applied.
 */
export async function leaveTaxOpen(ctx: WorkContext, invoice: InvoiceRecord, older: OlderVersion, applied: bigint):
Promise<readonly LineApplication[] | null> {
  const short = invoice.tax_minor - older.tax_minor;
  if (short <= 0) return null;
  await ctx.db.exec(sql`update invoices set tax_shortfall_minor = ${short} where id = ${invoice.id}`);
  const items = await ctx.db.query<{ id: number; net: number; tax: number }>(sql`
    select id, net_minor as net, tax_minor as tax from invoice_items where invoice_id = ${invoice.id}
    order by sort, id`);
  const parts = items.map((item, k): LineApplication => {
    const tax = BigInt(Math.min(item.tax, older.item_taxes[k] ?? 0));
    return { line_id: item.id, net_minor: BigInt(item.net), tax_minor: tax, amount_minor: BigInt(item.net) + tax };
  });
  const sum = parts.reduce((all, part) => all + part.amount_minor, 0n);
  return sum === applied ? parts.filter((part) => part.amount_minor > 0n) : null;
}

/** Tax that an older version left open is a task for finance until the invoice is settled. */
export async function askForOpenTax(ctx: WorkContext, invoiceId: number): Promise<void> {
  const row = await ctx.db.maybeOne<TaxLeftOpen>(sql`
    select id as invoice_id, invoice_number as number, license_id, customer_id, division, currency, balance_minor,
      due_on
    from invoices where id = ${invoiceId} and tax_shortfall_minor > 0 and balance_minor > 0`);
  if (row) await ctx.ports.money.licensing.taxLeftOpen(ctx, row);
}
