/**
 * Rows of a CSV file as people number them: row 1 is the first line of the sheet, blank rows count and are passed over.
 * The text is decoded and split piece by piece. Limits: reliability.md 3.3.
 */
import { parse, type CsvError } from 'csv-parse';
import { Readable } from 'node:stream';
import { invalidField } from '#kit/errors.ts';
import { Turns } from '#server/turns.ts';
import type { Delimiter } from '../imports/import-field.contract.ts';
import { decoded, type Encoding } from './text-encoding.server.ts';

export const MAX_ROWS = 200_000;
export const MAX_COLUMNS = 1000;
const MAX_ROW_SIZE = 1024 * 1024;

/** Heads of the two columns we add when rows are handed back; they are dropped when such a file returns. */
export const ROW_HEAD = 'Import row';
export const REASON_HEAD = 'Import reason';

export interface SheetRow {
  /** As a spreadsheet numbers it. */
  row_no: number;
  cells: string[];
  /** The file ends inside this row: a quotation mark is open. */
  cut_off?: boolean;
}

export interface Dialect {
  encoding: Encoding;
  delimiter: Delimiter;
}

/** Undoes what `safeCell` (csv-safe.server.ts) does against formulas, so that a file of ours reads back as it was. */
function plainCell(text: string): string {
  const cell = text.trim();
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/**
 * Every row that is not blank. A quotation mark that never closes gives a last row marked `cut_off` where only the end
 * of the file is missing, and refuses the file where it swallowed whole lines.
 */
export async function* sheetRows(content: Buffer, dialect: Dialect): AsyncGenerator<SheetRow> {
  const parser = Readable.from(decoded(content, dialect.encoding)).compose(parse({
    delimiter: dialect.delimiter, relax_column_count: true, relax_quotes: true, info: true,
    max_record_size: MAX_ROW_SIZE,
  })) as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  let rowNo = 0;
  let lines = 0;
  const turns = new Turns();
  try {
    for await (const { record, info } of parser) {
      rowNo += 1;
      lines = info.lines;
      if (turns.due()) await turns.give();
      if (record.length > MAX_COLUMNS) throw tooMuch(`Row ${rowNo} has more than 1,000 columns.`);
      const cells = record.map(plainCell);
      if (cells.every((cell) => cell === '')) continue;
      if (rowNo > MAX_ROWS + 1) throw tooMuch('The file has more than 200,000 rows.');
      yield { row_no: rowNo, cells };
    }
  } catch (error) {
    yield* endOf(error as CsvError, rowNo, lines);
  }
}

function tooMuch(text: string): Error {
  return invalidField('file', `${text} Split it into smaller files.`);
}

function* endOf(error: CsvError, rowNo: number, lines: number): Generator<SheetRow> {
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    throw invalidField('file', `Row ${rowNo + 1} is longer than 1 MiB: a quotation mark before it is never closed.`);
  }
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
  const swallowed = Number((error as unknown as { lines?: number }).lines ?? lines + 1) - lines;
  if (swallowed > 1 || rowNo === 0) {
    throw invalidField('file', `A quotation mark in row ${rowNo + 1} is never closed; what follows cannot be read.`);
  }
  yield { row_no: rowNo + 1, cells: [], cut_off: true };
}
