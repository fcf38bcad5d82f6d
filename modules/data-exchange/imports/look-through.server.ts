/**
 * A file looked through once its columns are known: how its dates and numbers are written, what stands in each column,
 * whether its letters are read rightly. At upload and after every change of the mapping.
 */
import type { Queryable } from '#server/db.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import { endsOpen } from '../reading/csv-shape.server.ts';
import { Readings, type CellType, type Decided } from '../reading/readings.ts';
import { utf8In } from '../reading/text-encoding.server.ts';
import { checkRows } from './check-rows.server.ts';
import type { ImportMapping } from './import.contract.ts';
import type { DateFormat, DecimalStyle, FieldSet } from './import-field.contract.ts';
import { rulesOf } from './import-record.server.ts';
import type { SourceRow } from './import-work.server.ts';
import { IMPORT_KINDS, type ImportModel } from './kinds/import-kind.contract.ts';

const SAMPLES = 3;
/** Characters of a sample. */
const SAMPLE_LENGTH = 60;
/** Rows in which samples are looked for, and rows whose licences tell how dates are written. */
const FIRST_ROWS = 1000;
/** Stands where a byte could not be read. */
const DAMAGED = '\ufffd';

export interface Usual { date_format: DateFormat; decimal_style: DecimalStyle }

interface Seen {
  readings: Readings;
  samples: string[][];
  encoding: string[];
  damaged: number[];
  first: SourceRow[];
  lastRow: number;
}

/** The mapping with what its file says of dates, numbers and letters; `usual` stands where nothing is in question. */
export async function lookThrough(
  db: Queryable, model: ImportModel, content: Buffer, mapping: ImportMapping, usual: Usual,
): Promise<ImportMapping> {
  const seen = await look(content, mapping, IMPORT_KINDS[model].fields);
  const told: string[] = [];
  const chosen = (setting: 'date_format' | 'decimal_style'): boolean => mapping.chosen.includes(setting)
    && mapping[setting] !== null;
  const numbers: Decided<DecimalStyle> = chosen('decimal_style') ? { value: mapping.decimal_style, options: [] }
    : seen.readings.numbers(usual.decimal_style);
  let dates: Decided<DateFormat> = chosen('date_format') ? { value: mapping.date_format, options: [] }
    : seen.readings.dates(usual.date_format);
  if (dates.value === null && model === 'box_office_reports') {
    const fitting = await byTheRun(db, seen.first, mapping, dates.options.map(({ value }) => value as DateFormat));
    if (fitting) {
      dates = { value: fitting, options: [] };
      told.push(`Dates are read as ${fitting}, the only format in which they fall within the licensed runs.`);
    }
  }
  return { ...mapping, date_format: dates.value, decimal_style: numbers.value,
    chosen: mapping.chosen.filter(chosen), samples: seen.samples, encoding_samples: seen.encoding,
    readings: [...dates.value === null ? [{ setting: 'date_format' as const, options: dates.options }] : [],
      ...numbers.value === null ? [{ setting: 'decimal_style' as const, options: numbers.options }] : []],
    warnings: [...warningsOf(content, mapping, seen), ...told] };
}

async function look(content: Buffer, mapping: ImportMapping, fields: FieldSet): Promise<Seen> {
  const typed = Object.entries(mapping.columns).flatMap(([field, at]) => {
    const type = fields[field]?.type;
    return type === undefined ? [] : [{ field, at, type, column: mapping.header[at] ?? '' }];
  });
  const seen: Seen = { samples: mapping.header.map(() => []), encoding: [], damaged: [], first: [], lastRow: 0,
    readings: new Readings(Object.fromEntries(typed.map(({ field, type }) => [field, type as CellType]))) };
  for await (const row of sheetRows(content, mapping)) {
    seen.lastRow = row.row_no;
    if (row.row_no <= mapping.header_row || row.cut_off) continue;
    for (const { field, at, column } of typed) {
      seen.readings.add({ field, column, row_no: row.row_no, text: row.cells[at] ?? '' });
    }
    if (seen.first.length < FIRST_ROWS) {
      seen.first.push(row);
      sample(seen, row.cells);
    }
    for (const cell of row.cells) lettersOf(seen, row.row_no, cell);
  }
  return seen;
}

function sample({ samples }: Seen, cells: readonly string[]): void {
  samples.forEach((found, at) => {
    const text = (cells[at] ?? '').slice(0, SAMPLE_LENGTH);
    if (found.length < SAMPLES && text !== '' && !found.includes(text)) found.push(text);
  });
}

// oxlint-disable-next-line no-control-regex -- everything beyond ASCII
const BEYOND_ASCII = /[^\u0000-\u007f]/;

function lettersOf(seen: Seen, rowNo: number, cell: string): void {
  if (cell.includes(DAMAGED) && seen.damaged.at(-1) !== rowNo) seen.damaged.push(rowNo);
  const shown = cell.slice(0, SAMPLE_LENGTH);
  if (seen.encoding.length < SAMPLES && BEYOND_ASCII.test(shown) && !seen.encoding.includes(shown)) {
    seen.encoding.push(shown);
  }
}

function warningsOf(content: Buffer, mapping: ImportMapping, { damaged, lastRow }: Seen): string[] {
  const warnings: string[] = mapping.sheet_note === null ? [] : [mapping.sheet_note];
  if (endsOpen(content)) warnings.push(`The last line, row ${lastRow}, is incomplete. The file may be cut off.`);
  const { wrong } = damaged.length > 0 && mapping.encoding === 'utf-8' ? utf8In(content) : { wrong: damaged.length };
  if (damaged.length > 0) {
    const rows = damaged.length === 1 ? `Row ${damaged[0]} has`
      : `Rows ${damaged.slice(0, 5).join(', ')}${damaged.length > 5 ? ` and ${damaged.length - 5} more` : ''} have`;
    warnings.push(`${rows} ${wrong} damaged ${wrong === 1 ? 'character' : 'characters'}, shown as ${DAMAGED}. `
      + 'These rows are skipped. Choose another encoding if many letters are wrong, or correct the file.');
  }
  return warnings;
}

/** The one way to read the dates that finds licences; null where several or none does. */
async function byTheRun(
  db: Queryable, first: readonly SourceRow[], mapping: ImportMapping, formats: readonly DateFormat[],
): Promise<DateFormat | null> {
  const { date, period_from: from, show, venue, license_number: license } = mapping.columns;
  const columns = Object.fromEntries(Object.entries({ date, period_from: from, show, venue, license_number: license })
    .filter((entry): entry is [string, number] => entry[1] !== undefined));
  const found: DateFormat[] = [];
  for (const format of formats) {
    const rules = { ...rulesOf(mapping), columns, date_format: format,
      constants: { currency: 'USD', ...mapping.constants, gross: '0' } };
    const rows = await checkRows(db, first, rules, 0);
    if (rows.some((row) => row.place !== null)) found.push(format);
  }
  return found.length === 1 ? found[0]! : null;
}
