/** Items of a sales tax return in words, and the return as a file. */
import { minorToDecimal } from '#kernel/money/money.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import type { StatePeriod } from './sales-tax-items.server.ts';
import { figuresFor, findReturn, salesTaxReturnOf } from './sales-tax-return.server.ts';
import type { SalesTaxItemRow } from './sales-tax-return.contract.ts';
import { stateName } from './state-name.ts';

const REASONS = { taxed: 'Taxed', exempt: 'Exempt', not_taxable: 'Not taxable', not_registered: 'Not registered',
  unknown: 'No rule or rate' } as const;

async function rowsOf(ctx: Ctx, of: StatePeriod): Promise<SalesTaxItemRow[]> {
  const { taken } = await figuresFor(ctx, of, await findReturn(ctx.db, of));
  return [
    ...taken.sales.map((line): SalesTaxItemRow => ({ key: `sale:${line.id}`, kind: 'sale', on: line.on,
      document: line.number, href: `/admin/accounts-receivable/invoices/${line.document}`, party: line.customer,
      jurisdiction: line.jurisdiction.slice(3), rate_ppm: Number(line.rate_ppm), reason: REASONS[line.reason],
      net_minor: Number(line.base_minor), tax_minor: Number(line.tax_minor), is_late: line.on < of.from })),
    ...taken.uses.map((use): SalesTaxItemRow => ({ key: `use:${use.id}`, kind: 'use', on: use.on,
      document: use.document, party: use.vendor, jurisdiction: of.state.slice(3), rate_ppm: null, reason: 'Use tax',
      href: use.bill_id === null ? `/admin/accounting/transactions/${use.transaction_id}`
        : `/admin/accounting/bills/${use.bill_id}`,
      net_minor: Number(use.base_minor), tax_minor: Number(use.tax_minor), is_late: use.on < of.from })),
  ].sort((one, other) => one.on.localeCompare(other.on));
}

export async function salesTaxItems(ctx: Ctx, of: StatePeriod, args: Pick<ListArgs, 'page' | 'per_page'>):
Promise<{ rows: SalesTaxItemRow[]; total: number }> {
  const all = await rowsOf(ctx, of);
  return { rows: all.slice((args.page - 1) * args.per_page, args.page * args.per_page), total: all.length };
}

const HEAD = ['Kind', 'Date', 'Document', 'Name', 'Jurisdiction', 'Rate %', 'Reason', 'Net', 'Tax', 'Late'];
const money = (minor: number): string => minorToDecimal(BigInt(minor));

export async function salesTaxFile(ctx: Ctx, of: StatePeriod): Promise<FileAnswer> {
  const report = await salesTaxReturnOf(ctx, of);
  const rows = await rowsOf(ctx, of);
  return { filename: `sales-tax-${of.division.toLowerCase()}-${report.state}-${of.from}_${of.to}.csv`,
    content_type: 'text/csv; charset=utf-8', content: csvStream(['Line', 'Amount'], [
      ...report.boxes.map((box) => [box.label, money(box.amount_minor)]),
      [], ['Jurisdiction', 'Rate %', 'Taxable', 'Collected', 'Due'],
      ...report.rows.map((row) => [stateName(row.jurisdiction), String(row.rate_ppm / 10_000), money(row.taxable_minor),
        money(row.collected_minor), money(row.due_minor)]),
      [], HEAD,
      ...rows.map((row) => [row.kind === 'sale' ? 'Sale' : 'Purchase', row.on, row.document, row.party,
        stateName(row.jurisdiction), row.rate_ppm === null ? '' : String(row.rate_ppm / 10_000), row.reason,
        money(row.net_minor), money(row.tax_minor), row.is_late ? 'late' : '']),
    ]) };
}
