/**
 * Every paper of a house added up again, as a reader with a calculator does: quantity × each is the amount,
   rows come to
 * their subtotal, subtotals and tax to the total. Read from the tables as they are printed, not from what made them.
 */
import { parseMinor } from '#kernel/money/money.ts';
import { contractText } from '#modules/licensing/contracts/contract-text.ts';
import { quoteLetter } from '#modules/licensing/documents/offer-texts.ts';
import { totalLabel } from '#modules/licensing/documents/offer-price.ts';
import type { OfferSnapshot } from '#modules/licensing/documents/offer-snapshot.server.ts';
import type { PdfInput } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { Db } from '#server/db.ts';

/** Minor units of '1,173.00' and '(225.00)'; an empty cell is null. */
function amountOf(cell: string | undefined): bigint | null {
  if (cell === undefined || cell === '') return null;
  const negative = cell.startsWith('(');
  const minor = parseMinor(cell.replace(/[(),]/g, ''));
  if (minor === null) throw new Error(`not an amount: ${cell}`);
  return negative ? -minor : minor;
}

const PRICE_COLUMNS = 5;

/** Errors in the sums of a document's price table. */
export function pricesThatDoNotAddUp(paper: PdfInput, total: string): string[] {
  const table = paper.blocks.find((block) => block.kind === 'table' && block.columns.length === PRICE_COLUMNS);
  if (table?.kind !== 'table') return [`${paper.title}: no price table`];
  const wrong: string[] = [];
  let open = 0n;
  let net = 0n;
  for (const [label = '', quantity = '', each, amount, subtotal] of table.rows) {
    const [unit, sum, whole] = [amountOf(each), amountOf(amount), amountOf(subtotal)];
    if (quantity !== '' && BigInt(quantity) * (unit ?? 0n) !== sum)
      wrong.push(`${paper.title}: ${quantity} × ${each} ≠ ${
      amount}, ${label}`);
    open += sum ?? 0n;
    if (whole === null) continue;
    if (open !== whole) wrong.push(`${paper.title}: rows ${open} ≠ subtotal ${whole}, ${label}`);
    net += whole;
    open = 0n;
  }
  if (open !== 0n) wrong.push(`${paper.title}: rows without a subtotal`);
  for (const [label = '', , , , amount] of table.totals ?? []) {
    const value = amountOf(amount) ?? 0n;
    if (label === 'Subtotal' || label === total) {
      if (value !== net) wrong.push(`${paper.title}: ${label} ${value} ≠ ${net}`);
    } else {
      net += value;
    }
  }
  return wrong;
}

interface Version { snapshot: OfferSnapshot; number: string }

/** Letters and contracts of every frozen version. */
export async function wrongOffers(
  db: Db,
): Promise<{ read: number; wrong: string[]; divisions: string[]; promised: number }> {
  const versions = await db.query<Version>(sql`
    select v.snapshot, l.number from license_versions v join licenses l on l.id = v.license_id order by v.id`);
  const at = new Date('2026-01-01T00:00:00Z');
  const wrong = versions.flatMap(({ snapshot }) => [quoteLetter(snapshot, at), contractText(snapshot, at)]
    .flatMap((paper) => [...pricesThatDoNotAddUp(paper, totalLabel(snapshot)), ...bareTotals(paper, snapshot)]));
  return { read: versions.length, wrong, divisions: [...new Set(versions.map((one) => one.snapshot.division))].sort(),
    promised: versions.filter((one) => one.snapshot.promise).length };
}

/** Sums called the total although a percentage follows, and percentages without their base and dates. */
function bareTotals(paper: PdfInput, snapshot: OfferSnapshot): string[] {
  if (!snapshot.promise) return [];
  const text = JSON.stringify(paper.blocks);
  return [...(/\bTotal\b|in all\b/.test(text) ? [`${paper.title}: a total alone`] : []),
    ...['Royalty', 'Gross', 'Payment'].filter((label) => !paper.blocks.some((block) => block.kind === 'facts'
      && block.rows.some(([name]) => name === label))).map((label) => `${paper.title}: ${label} is not said`)];
}

/** Invoices, credit notes and pro formas whose lines do not multiply or do not come to their totals. */
export function wrongInvoices(db: Db): Promise<{ id: number; kind: string }[]> {
  return db.query(sql`
    select i.id, i.kind from invoices i join invoice_items t on t.invoice_id = i.id group by i.id
    having bool_or(t.quantity * t.unit_minor <> t.net_minor) or bool_or(t.net_minor + t.tax_minor <> t.total_minor)
      or sum(t.net_minor) <> i.net_minor or sum(t.tax_minor) <> i.tax_minor
      or i.net_minor + i.tax_minor <> i.total_minor
    order by i.id`);
}
