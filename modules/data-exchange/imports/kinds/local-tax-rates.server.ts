/** Local tax rates from a list: a row that is there already is a duplicate, one that overlaps another is left out. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { localTaxRateInput, type LocalTaxRateInput }
  from '#modules/taxation/local-tax-rates/local-tax-rate.contract.ts';
import { addLocalRate } from '#modules/taxation/taxation.public.server.ts';
import { fail } from '../read-cell.ts';
import type { Cells } from './cells.ts';
import { LOCAL_TAX_RATE_FIELDS } from './local-tax-rates.contract.ts';
import { recordWork, type ExistingRecord, type Verdict } from './record-work.server.ts';

type Rate = Omit<LocalTaxRateInput, 'source'> & { id: number | null };
/** Rates of a state, those of the file among them. */
type Book = Map<string, Rate[]>;

function read(cells: Cells): LocalTaxRateInput {
  const zip_from = cells.required('zip_from');
  return cells.checked(localTaxRateInput, {
    state: cells.required('state'), county: cells.required('county'),
    level: cells.choice('level', ['county', 'city', 'district'], 'county'), zip_from,
    zip_to: cells.optional('zip_to') ?? zip_from, rate_ppm: cells.ppm('rate_ppm'),
    valid_from: cells.date('valid_from') ?? fail('missing_value', 'From is empty', 'valid_from', ''),
    valid_to: cells.date('valid_to'), source: cells.required('source') });
}

async function book(db: Queryable, reads: readonly LocalTaxRateInput[], before: Book | null): Promise<Book> {
  const known: Book = before ?? new Map();
  const wanted = [...new Set(reads.map((row) => row.state))].filter((state) => !known.has(state));
  for (const state of wanted) known.set(state, []);
  const rows = await db.query<Rate>(sql`
    select id, state, county, level, zip_from, zip_to, rate_ppm, valid_from, valid_to from local_tax_rates
    where state = any (${wanted}::text[])`);
  for (const row of rows) known.get(row.state)!.push(row);
  return known;
}

const isSame = (a: Rate, b: LocalTaxRateInput): boolean => a.zip_from === b.zip_from && a.zip_to === b.zip_to
  && a.rate_ppm === b.rate_ppm && a.valid_from === b.valid_from && a.valid_to === b.valid_to
  && a.county.toLowerCase() === b.county.toLowerCase();

function judge(row: LocalTaxRateInput, _source: unknown, known: Book): Verdict<ExistingRecord> {
  const label = `${row.county}, ${row.zip_from} to ${row.zip_to}`;
  const rates = known.get(row.state) ?? [];
  const over = rates.find((one) => one.level === row.level && one.zip_from <= row.zip_to && one.zip_to >= row.zip_from
    && (one.valid_to === null || one.valid_to >= row.valid_from)
    && (row.valid_to === null || row.valid_to >= one.valid_from));
  if (over && isSame(over, row)) {
    return { outcome: 'duplicate', known: { id: over.id, label }, note: { code: 'rate_known', text: 'Known already' } };
  }
  if (over) {
    fail('overlapping', `${over.county}, ${over.zip_from} to ${over.zip_to}, has a ${over.level} rate of ${
      over.rate_ppm / 10_000}% from ${over.valid_from}. End it first`, 'zip_from', row.zip_from);
  }
  rates.push({ ...row, id: null });
  return { outcome: 'ready', known: { id: null, label } };
}

export const localTaxRateWork = recordWork<LocalTaxRateInput, Book, ExistingRecord>({
  entity: 'local_tax_rate', fields: LOCAL_TAX_RATE_FIELDS, read, book, judge,
  write: async (ctx: WorkContext, row) => (await addLocalRate(ctx, row)).id,
  words: (row) => ({ title: `${row.zip_from} to ${row.zip_to}`, detail: `${row.county}, ${row.state}` }),
});
