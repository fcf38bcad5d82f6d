/** Files of a VAT return (X100): the boxes with their items, Making Tax Digital, one-stop shop, EC sales list. */
import { minorToDecimal } from '#kernel/money/money.ts';
import { OSS_MONTHS, vatPeriodAround } from '#kernel/tax/vat-period.ts';
import { mtdReturn } from '#kernel/tax/vat-return.ts';
import { invalidField } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import type { VatPeriod } from './vat-items.server.ts';
import { EC_HEAD, ecSalesRows, OSS_HEAD, ossRows } from './vat-lists.server.ts';
import { describe, itemsOf, vatReport } from './vat-report.server.ts';
import type { vatReturnEndpoints } from './vat-return.contract.ts';

type Kind = NonNullable<QueryOf<typeof vatReturnEndpoints.export>['kind']>;

const ONLY: Partial<Record<Kind, VatPeriod['division']>> = { mtd: 'UK', oss: 'EU', ec_list: 'EU' };
const ITEM_HEAD = ['Side', 'Tax point', 'Booked on', 'Document', 'Party', 'Tax code', 'Net', 'VAT', 'Late'];

export async function vatFile(ctx: Ctx, of: VatPeriod, kind: Kind): Promise<FileAnswer> {
  const only = ONLY[kind];
  if (only !== undefined && only !== of.division) {
    throw invalidField('kind', `Only the division ${only} has this file`);
  }
  const name = `vat-${of.division.toLowerCase()}-${of.from}_${of.to}`;
  const csv = (suffix: string, head: readonly string[], rows: Iterable<readonly unknown[]>): FileAnswer =>
    ({ filename: `${name}${suffix}.csv`, content_type: 'text/csv; charset=utf-8', content: csvStream(head, rows) });
  const quarter = vatPeriodAround(of.from, OSS_MONTHS);
  if (kind === 'oss' && (quarter.from !== of.from || quarter.to !== of.to)) {
    throw invalidField('from', 'The one-stop shop covers a quarter of the calendar. Choose its first and last day');
  }
  if (kind === 'oss') return csv('-oss', OSS_HEAD, await ossRows(ctx.db, of));
  if (kind === 'ec_list') return csv('-ec-sales', EC_HEAD, await ecSalesRows(ctx.db, of));
  const report = await vatReport(ctx, of);
  if (kind === 'mtd') {
    const boxes = report.boxes.map((box) => ({ ...box, amount_minor: BigInt(box.amount_minor) }));
    return { filename: `${name}.json`, content_type: 'application/json',
      content: Buffer.from(`${JSON.stringify(mtdReturn('', boxes, report.prepared?.status === 'filed'), null, 2)}\n`) };
  }
  const items = await itemsOf(ctx.db, of, report.prepared ?? undefined);
  const rows = await describe(ctx.db, items);
  return csv('', ['Box', 'Amount'], [
    ...report.boxes.map((box) => [`${box.box} ${box.label}`, minorToDecimal(BigInt(box.amount_minor))]),
    [], ITEM_HEAD,
    ...rows.map((row, n) => [items[n]!.side === 'output' ? 'Sales' : 'Purchases', row.tax_point_on, row.booked_on,
      row.document, row.party, row.tax_code ?? '', minorToDecimal(BigInt(row.net_minor)),
      minorToDecimal(BigInt(row.tax_minor)), row.is_late ? 'late' : '']),
  ]);
}
