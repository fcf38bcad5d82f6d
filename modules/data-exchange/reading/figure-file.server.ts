/**
 * A file of figures for a form: read whole, at once, without a template. Its heads are matched with the words of the
 * trade or by a saved map; how dates and numbers are written is decided from the cells, or asked.
 */
import { invalidField } from '#kit/errors.ts';
import {
  DELIMITERS, matchHeads, type DateFormat, type DecimalStyle, type FieldSet,
} from '../imports/import-field.contract.ts';
import { sheetRows, type SheetRow } from './csv-rows.server.ts';
import { detectShape } from './csv-shape.server.ts';
import { Readings, type CellType, type ReadingOption } from './readings.ts';
import { asText } from './workbook-text.server.ts';

/** Settings of a file that a person chose, or that were remembered. */
export interface FigureChoice {
  columns?: Readonly<Record<string, number>> | undefined;
  date_format?: DateFormat | undefined;
  decimal_style?: DecimalStyle | undefined;
}

export interface FigureQuestion { setting: 'date_format' | 'decimal_style'; options: ReadingOption[] }

export interface FigureFile {
  header: string[];
  /** Field -> position of its column. */
  columns: Record<string, number>;
  /** Up to three cells of each column. */
  samples: string[][];
  date_format: DateFormat | null;
  decimal_style: DecimalStyle | null;
  /** Settings that the cells leave open. */
  readings: FigureQuestion[];
  /** Of a workbook: which of its sheets is read. */
  sheet_note: string | null;
  rows: SheetRow[];
}

const MOST_ROWS = 5000;
const SAMPLES = 3;
const SAMPLE_LENGTH = 60;

/** `remembered` answers the saved choice for these heads. 422 at `file` where no rows can be read. */
export async function readFigureFile(
  content: Buffer, fields: FieldSet, chosen: FigureChoice,
  remembered: (header: readonly string[]) => Promise<FigureChoice | null>,
): Promise<FigureFile> {
  const { content: text, note } = await asText(content);
  const shape = await detectShape(text, DELIMITERS[0], fields);
  if (shape.rows_total > MOST_ROWS) {
    throw invalidField('file', 'The file has more than 5,000 rows. Send a file of fewer weeks.');
  }
  const saved = await remembered(shape.header);
  const columns = { ...chosen.columns ?? saved?.columns ?? matchHeads(shape.header, fields) };
  const width = shape.header.length;
  for (const [field, at] of Object.entries(columns)) if (!fields[field] || at >= width) delete columns[field];
  const rows: SheetRow[] = [];
  for await (const row of sheetRows(text, shape)) {
    if (row.row_no > shape.header_row) rows.push({ ...row, cells: row.cells.slice(0, width) });
  }
  const readings = readingsOf(rows, columns, fields, shape.header);
  const dates = decided(chosen.date_format ?? saved?.date_format, () => readings.dates('YYYY-MM-DD'));
  const numbers = decided(chosen.decimal_style ?? saved?.decimal_style, () => readings.numbers('point'));
  return {
    header: shape.header, columns, samples: shape.header.map((_, at) => sampleOf(rows, at)),
    date_format: dates.value, decimal_style: numbers.value, sheet_note: note, rows,
    readings: [...dates.value === null ? [{ setting: 'date_format' as const, options: dates.options }] : [],
      ...numbers.value === null ? [{ setting: 'decimal_style' as const, options: numbers.options }] : []],
  };
}

function decided<V extends string>(chosen: V | undefined, decide: () => { value: V | null; options: ReadingOption[] }) {
  return chosen === undefined ? decide() : { value: chosen, options: [] };
}

function readingsOf(
  rows: readonly SheetRow[], columns: Readonly<Record<string, number>>, fields: FieldSet, header: readonly string[],
): Readings {
  const typed = Object.entries(columns).flatMap(([field, at]) => {
    const type = fields[field]?.type;
    return type === undefined ? [] : [{ field, at, type: type as CellType }];
  });
  const readings = new Readings(Object.fromEntries(typed.map(({ field, type }) => [field, type])));
  for (const row of rows) {
    for (const { field, at } of typed) {
      readings.add({ field, column: header[at] ?? '', row_no: row.row_no, text: row.cells[at] ?? '' });
    }
  }
  return readings;
}

function sampleOf(rows: readonly SheetRow[], at: number): string[] {
  const cells = new Set<string>();
  for (const row of rows) {
    const text = (row.cells[at] ?? '').slice(0, SAMPLE_LENGTH);
    if (text !== '') cells.add(text);
    if (cells.size === SAMPLES) break;
  }
  return [...cells];
}
