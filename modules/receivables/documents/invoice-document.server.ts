/**
 * Invoices, pro formas and credit notes as PDF. An issued document is rendered once, stored with its hash, and given
 * out unchanged ever after (I12); drafts and pro formas are rendered when asked for.
 */
import type { Address } from '#kit/field.ts';
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { dayWithReason, reasonWords } from '#kernel/licensing/pay-by.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import { recordFile } from '#modules/system/file.public.server.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import { exemptionNumbers } from '#modules/taxation/taxation.public.server.ts';
import { withCounterRole, type Ctx, type FileAnswer, type WorkContext } from '#server/context.ts';
import { renderPdf, type PdfBlock, type PdfInput } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { howToPay } from './how-to-pay.server.ts';
import { invoiceDetail } from '../invoices/invoice-queries.server.ts';
import type { InvoiceDetail } from '../invoices/invoice.contract.ts';

const ppmText = (rate: number): string => `${Number((rate / 10_000).toFixed(4))}%`;

const TITLES = {
  invoice: ['Invoice', 'Tax invoice'], proforma: ['Pro forma invoice', 'Pro forma invoice'],
  credit_note: ['Credit memo', 'Credit note'],
} as const;

/** The stored document of an issued one, or a fresh rendering of what is not issued yet. */
export async function invoiceDocument(ctx: Ctx | WorkContext, id: number, customerId?: number): Promise<FileAnswer> {
  const invoice = await invoiceDetail(ctx, id, customerId);
  const filename = `${invoice.number ?? `draft-${invoice.id}`}.pdf`;
  const stored = await ctx.db.one<{ storage_key: string | null }>(sql`
    select f.storage_key from invoices i left join files f on f.id = i.document_id where i.id = ${id}`);
  if (stored.storage_key !== null) {
    return { filename, content_type: 'application/pdf', content: await ctx.ports.files.get(stored.storage_key),
      inline: true };
  }
  const content = await withCounterRole(ctx, async (house) => renderPdf(await invoicePaper(house, invoice)));
  if (invoice.number !== null && invoice.kind !== 'proforma') return storedOnce(ctx, invoice, filename, content);
  return { filename, content_type: 'application/pdf', content, inline: true };
}

/** Two readers at the same moment get the same bytes: whoever stores first wins. */
async function storedOnce(ctx: WorkContext, invoice: InvoiceDetail, filename: string, content: Buffer):
Promise<FileAnswer> {
  const put = await ctx.ports.files.put(content);
  const kept = await ctx.ports.db.tx(async (tx) => {
    // The lock first: a row that was waited for is read anew, what is joined to it is not.
    await tx.exec(sql`select 1 from invoices where id = ${invoice.id} for update`);
    const row = await tx.one<{ storage_key: string | null }>(sql`
      select f.storage_key from invoices i left join files f on f.id = i.document_id where i.id = ${invoice.id}`);
    if (row.storage_key !== null) return row.storage_key;
    const file = await recordFile(tx, { ...put, mime_type: 'application/pdf', original_name: filename,
      created_by_id: null });
    await tx.exec(sql`update invoices set document_id = ${file.id}, sha256 = ${put.sha256} where id = ${invoice.id}`);
    return put.storage_key;
  });
  if (kept !== put.storage_key) await ctx.ports.files.remove(put.storage_key);
  return { filename, content_type: 'application/pdf', inline: true,
    content: kept === put.storage_key ? content : await ctx.ports.files.get(kept) };
}

export async function invoicePaper(ctx: WorkContext, invoice: InvoiceDetail): Promise<PdfInput> {
  const house = await letterHead(ctx.db, invoice.division);
  const british = house.language === 'en-GB';
  const title = TITLES[invoice.kind][british && invoice.division !== 'US' ? 1 : 0];
  return {
    title: `${title} ${invoice.number ?? 'draft'}`, paper: invoice.kind, language: house.language, sender: house.lines,
    recipient: [invoice.billing_name, ...addressLines(invoice.billing_address as Partial<Address> | null)],
    footer: `${house.name} · ${title} ${invoice.number ?? 'draft'}`, made_at: ctx.now(),
    blocks: [
      { kind: 'title', text: invoice.number === null ? `${title} (draft)` : title },
      { kind: 'facts', rows: [...invoiceFacts(invoice, british), ...await exemption(ctx, invoice),
        ...await questions(ctx, invoice)] },
      itemTable(invoice, british),
      ...taxTable(invoice, british),
      ...await waysToPay(ctx, invoice),
      ...closing(invoice, british),
    ],
  };
}

async function representativeOf(ctx: WorkContext, invoice: InvoiceDetail): Promise<number | null> {
  const row = invoice.license_id === null ? null : await ctx.db.maybeOne<{ license_rep_id: number | null }>(sql`
    select license_rep_id from licenses where id = ${invoice.license_id}`);
  return row?.license_rep_id ?? null;
}

/** The portal shows the same beside a code for banking apps. */
async function waysToPay(ctx: WorkContext, invoice: InvoiceDetail): Promise<PdfBlock[]> {
  if (invoice.kind === 'credit_note' || invoice.total_minor <= invoice.prepaid_minor) return [];
  return howToPay(ctx, { ...invoice, license_rep_id: await representativeOf(ctx, invoice) });
}

/** The representative of the production, else of the division. */
async function questions(ctx: WorkContext, invoice: InvoiceDetail): Promise<(readonly [string, string])[]> {
  const person = await contactOf(ctx.db, await representativeOf(ctx, invoice), invoice.division);
  return person ? [['Questions', [person.name, person.phone, person.email].filter(Boolean).join(', ')]] : [];
}

function invoiceFacts(invoice: InvoiceDetail, british: boolean): (readonly [string, string])[] {
  const day = (date: string | null) => date && dateFor(documentLanguage(invoice.division), date);
  const facts: (readonly [string, string | null])[] = [
    [invoice.kind === 'proforma' ? 'Reference' : 'Number', invoice.number],
    ['Version', invoice.revision > 1 ? `${invoice.revision}. ${invoice.revision_note}` : null],
    ['Date', day(invoice.issued_on)],
    ...(invoice.kind === 'invoice' && british
      ? [['Tax point', day(invoice.issued_on)] as const] : []),
    ['Due', invoice.kind === 'credit_note' || invoice.due_on === null ? null
      : dayWithReason(day(invoice.due_on)!, reasonWords(invoice.due_reason, (on) => day(on)!))],
    ['Credits invoice', invoice.credits_number],
    [spellIn(documentLanguage(invoice.division))`License`, invoice.license_number
      && `${invoice.license_number}, ${invoice.license_title ?? ''}`],
    ['Purchase order', invoice.purchase_order_no],
    ['Your VAT number', invoice.customer_vat_number], ['Our VAT number', invoice.division_vat_number],
    ['Reason', invoice.reason || null],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}

/**
 * The certificate that an exempt customer gave, on every American document without tax: a school's office looks for it
 * even where nothing on the invoice would be taxed.
 */
async function exemption(ctx: WorkContext, invoice: InvoiceDetail): Promise<(readonly [string, string])[]> {
  if (invoice.tax_minor !== 0 || !['US', 'PROD'].includes(invoice.division)) return [];
  const state = (invoice.billing_address as Partial<Address> | null)?.administrative_area;
  const places = new Set(['US', `US-${state}`, ...invoice.taxes.map((tax) => tax.jurisdiction)]);
  const on = invoice.issued_on ?? await ctx.today(invoice.division);
  const numbers = await exemptionNumbers(ctx, invoice.customer_id, [...places], on);
  return numbers.length === 0 ? [] : [['Tax exemption certificate', numbers.join(', ')]];
}

/** A VAT invoice names the price of one, before tax (Directive 2006/112/EC, 226; VAT Regulations 1995, 14). */
function itemTable(invoice: InvoiceDetail, british: boolean): PdfBlock {
  const tax = british ? 'VAT' : 'Tax';
  const prepaid = invoice.prepaid_minor;
  return {
    kind: 'table',
    columns: [{ label: 'Description', width: 38 }, { label: 'Qty', width: 7, align: 'right' },
      { label: 'Each', width: 14, align: 'right' }, { label: 'Net', width: 14, align: 'right' },
      { label: tax, width: 13, align: 'right' }, { label: 'Amount', width: 17, align: 'right' }],
    rows: invoice.items.map((item) => [item.description, String(item.quantity), formatMinor(BigInt(item.unit_minor)),
      formatMinor(BigInt(item.net_minor)), formatMinor(BigInt(item.tax_minor)), formatMinor(BigInt(item.total_minor))]),
    totals: [
      ['Total', '', '', formatMinor(BigInt(invoice.net_minor)), formatMinor(BigInt(invoice.tax_minor)),
        formatMoney(invoice.total_minor, invoice.currency)],
      ...(prepaid > 0 ? prepaidRows(invoice) : []),
    ],
  };
}

/** Amount prepaid on account with the tax charged then, and the rest of both: tax is never charged twice. */
function prepaidRows(invoice: InvoiceDetail): string[][] {
  const { prepaid_minor: paid, prepaid_tax_minor: tax } = invoice;
  const minus = (minor: number): string => (minor === 0 ? formatMinor(0n) : `-${formatMinor(BigInt(minor))}`);
  return [
    ['Less paid on account', '', '', minus(paid - tax), minus(tax), minus(paid)],
    ['Due', '', '', formatMinor(BigInt(invoice.net_minor - paid + tax)), formatMinor(BigInt(invoice.tax_minor - tax)),
      formatMoney(invoice.total_minor - paid, invoice.currency)],
  ];
}

const TAX_WORDS: Readonly<Record<string, string>> = { SALES: 'sales tax', NONE: 'not taxed', STANDARD: 'standard rate',
  REDUCED: 'reduced rate', ZERO: 'zero rate', EXEMPT: 'exempt', NO_SUPPLY: 'no supply' };

function taxTable(invoice: InvoiceDetail, british: boolean): PdfBlock[] {
  const groups = Map.groupBy(invoice.taxes, (tax) => `${tax.jurisdiction} ${tax.code} ${tax.rate_ppm}`);
  if (groups.size === 0) return [];
  return [{ kind: 'heading', text: british ? 'VAT summary' : 'Tax summary' }, {
    kind: 'table',
    columns: [{ label: 'Jurisdiction', width: 40 }, { label: 'Rate', width: 20, align: 'right' },
      { label: 'Net', width: 20, align: 'right' }, { label: british ? 'VAT' : 'Tax', width: 20, align: 'right' }],
    rows: [...groups.values()].map((own) => [
      `${jurisdictionName(own[0]!.jurisdiction)} · ${TAX_WORDS[own[0]!.code]
        ?? own[0]!.code.replaceAll('_', ' ').toLowerCase()}`, ppmText(own[0]!.rate_ppm),
      formatMinor(own.reduce((all, tax) => all + BigInt(tax.base_minor), 0n)),
      formatMinor(own.reduce((all, tax) => all + BigInt(tax.tax_minor), 0n))]),
  }];
}

function closing(invoice: InvoiceDetail, british: boolean): PdfBlock[] {
  const blocks: PdfBlock[] = invoice.legal_texts.map((text) => ({ kind: 'text', text }));
  if (invoice.functional_rate && Number(invoice.functional_rate) !== 1) {
    blocks.push({ kind: 'text', muted: true, text: `Exchange rate used for our books: ${invoice.functional_rate}.` });
  }
  if (invoice.notes !== '') blocks.push({ kind: 'text', text: invoice.notes });
  if (invoice.kind === 'proforma') {
    blocks.push({ kind: 'text', text: `This is not a tax invoice. ${british
      ? 'The tax invoice is issued with your payment.' : 'The invoice is issued with your payment.'}` });
  }
  return blocks;
}
