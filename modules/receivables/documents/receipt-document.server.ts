/** Receipts as PDF; for money on account in UK and EU it is the VAT receipt (domain.md 2.7). Drawn when asked for. */
import type { Address } from '#kit/field.ts';
import { refuse } from '#kit/errors.ts';
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { formatMoney, formatRate } from '#kernel/money/money.ts';
import { methodOnPaper } from '#kernel/receivables/method-on-paper.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import { homeRate } from '#modules/taxation/taxation.public.server.ts';
import type { FileAnswer, WorkContext } from '#server/context.ts';
import { renderPdf, type PdfBlock } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { PaymentMethod } from '../receivables-types.ts';

interface Receipt {
  number: string; division: string; currency: string; amount_minor: number; paid_on: string; method: PaymentMethod;
  reference: string; name: string; address: Partial<Address> | null; vat_minor: number | null; net_minor: number | null;
  deposit_kind: string | null; status: string;
  /** Of the VAT in the amount. */
  tax_code_id: number | null; customer_vat_number: string | null; division_vat_number: string | null;
}

interface Applied { number: string; applied: number }

async function receiptOf(ctx: WorkContext, paymentId: number): Promise<Receipt> {
  const receipt = await ctx.db.maybeOne<Receipt>(sql`
    select p.number, p.division, p.currency, p.amount_minor, p.paid_on, p.method, p.reference, p.status,
      coalesce(c.legal_name, c.name) as name, c.billing_address as address, d.vat_minor, d.net_minor,
      d.kind as deposit_kind, c.vat_number as customer_vat_number,
      d.tax_code_id,
      (select r.number from tax_registrations r where r.division = p.division and r.scheme = 'vat'
        and r.jurisdiction = v.home_country and r.valid_from <= p.paid_on
        and (r.valid_to is null or r.valid_to >= p.paid_on)
        order by r.valid_from desc limit 1) as division_vat_number
    from payments p join customers c on c.id = p.customer_id join divisions v on v.code = p.division
      left join deposits d on d.payment_id = p.id
    where p.id = ${paymentId} and p.direction = 'in' and p.posted_at is not null`);
  if (!receipt) throw refuse('not_found');
  return receipt;
}

/** The VAT in a payment on account, as a VAT invoice says it (VAT Regulations 1995, 14; 2006/112/EC, 226). */
function vatFacts(receipt: Receipt, rate: number | null): (readonly [string, string])[] {
  const { net_minor: net, vat_minor: vat, currency } = receipt;
  const facts: (readonly [string, string | null])[] = [['Net', formatMoney(net ?? 0, currency)],
    ['VAT included', formatMoney(vat ?? 0, currency)],
    ['VAT rate', rate === null ? null : formatRate(BigInt(rate))],
    ['Your VAT number', receipt.customer_vat_number], ['Our VAT number', receipt.division_vat_number]];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}

/** Invoices that it paid, and what is left on account: together the amount received. */
function appliedBlocks({ amount_minor, currency }: Receipt, paid: readonly Applied[]): PdfBlock[] {
  if (paid.length === 0) return [];
  const left = paid.reduce((rest, row) => rest - row.applied, amount_minor);
  return [{ kind: 'heading', text: 'Applied to' }, { kind: 'table',
    columns: [{ label: 'Invoice', width: 70 }, { label: 'Amount', width: 30, align: 'right' }],
    rows: [...paid.map((row) => [row.number, formatMoney(row.applied, currency)]),
      ...(left > 0 ? [['On account', formatMoney(left, currency)]] : [])] }];
}

const DEPOSITS: Readonly<Record<string, string>> = {
  security: 'Security deposit. It is yours and is returned less what is kept for damage or loss.',
  on_account: 'Payment on account. It is set off against your final invoice.',
};

export async function receiptDocument(ctx: WorkContext, paymentId: number): Promise<FileAnswer> {
  const receipt = await receiptOf(ctx, paymentId);
  const house = await letterHead(ctx.db, receipt.division);
  const vat = (receipt.vat_minor ?? 0) > 0;
  const title = vat ? 'VAT receipt' : 'Receipt';
  const rate = receipt.tax_code_id === null ? null
    : await homeRate(ctx.db, receipt.tax_code_id, receipt.paid_on);
  const paid = await ctx.db.query<Applied>(sql`
    select i.invoice_number as number, sum(a.amount_minor)::bigint as applied from payment_allocations a
      join invoices i on i.id = a.invoice_id where a.payment_id = ${paymentId} group by i.id
    having sum(a.amount_minor) > 0 order by i.id`);
  const content = await renderPdf({
    title: `${title} ${receipt.number}`, paper: vat ? 'vat_receipt' : 'receipt', language: house.language,
    sender: house.lines, made_at: ctx.now(), recipient: [receipt.name, ...addressLines(receipt.address)],
    footer: `${house.name} · ${title} ${receipt.number}`,
    blocks: [
      { kind: 'title', text: title },
      { kind: 'facts', rows: [['Number', receipt.number], ['Received on', dateFor(house.language, receipt.paid_on)],
        ['Amount', formatMoney(receipt.amount_minor, receipt.currency)],
        ['Payment method', methodOnPaper(receipt.method, house.language)],
        ...(receipt.reference ? [['Reference', receipt.reference] as const] : []),
        ...(receipt.status === 'returned' ? [['Status', 'Returned by the bank'] as const] : []),
        ...(vat ? vatFacts(receipt, rate) : [])] },
      ...appliedBlocks(receipt, paid),
      ...(receipt.deposit_kind === null ? [] : [{ kind: 'text' as const,
        text: DEPOSITS[receipt.deposit_kind] ?? DEPOSITS['on_account']! }]),
    ],
  });
  return { filename: `${receipt.number}.pdf`, content_type: 'application/pdf', content, inline: true };
}
