/**
 * Rows of a CSV file as people number them: row 1 is the first line of the sheet, blank rows count and are passed over.
 * The text is decoded and split piece by piece. Limits: reliability.md 3.3.
 */
import { parse, type CsvError, type Parser } from 'csv-parse';
import { invalidField } from '#kit/errors.ts';
import { Turns } from '#server/turns.ts';
import type { Delimiter, Encoding } from '../imports/import-field.contract.ts';
import { decoded } from './text-encoding.server.ts';

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
  let rowNo = 0;
  let lines = 0;
  const turns = new Turns();
  const reader = new RecordReader(dialect.delimiter);
  for (const text of pieces(content, dialect.encoding)) {
    for (const row of await reader.take(text)) {
      rowNo += 1;
      lines = row.lines;
      if (turns.due()) await turns.give();
      if (row.record.length > MAX_COLUMNS) throw tooMuch(`Row ${rowNo} has more than 1,000 columns.`);
      const cells = row.record.map(plainCell);
      if (cells.every((cell) => cell === '')) continue;
      if (rowNo > MAX_ROWS + 1) throw tooMuch('The file has more than 200,000 rows.');
      yield { row_no: rowNo, cells };
    }
    if (reader.failure) break;
  }
  if (reader.failure) yield* endOf(reader.failure, rowNo, lines);
}

function* pieces(content: Buffer, encoding: Encoding): Generator<string | null> {
  yield* decoded(content, encoding);
  yield null;
}

interface RawRow { record: string[]; lines: number }

/** Records piece by piece. Those before a fault are handed over first, however slowly they are taken. */
class RecordReader {
  failure: CsvError | null = null;
  #rows: RawRow[] = [];
  readonly #parser: Parser;

  constructor(delimiter: Delimiter) {
    this.#parser = parse({ delimiter, relax_column_count: true, relax_quotes: true, max_record_size: MAX_ROW_SIZE,
      on_record: (record: string[], { lines }) => {
        this.#rows.push({ record, lines });
        return null;
      } });
    this.#parser.on('error', (error) => { this.failure ??= error as CsvError; });
    this.#parser.resume();
  }

  /** The records that this piece completes; null ends the text. */
  async take(text: string | null): Promise<RawRow[]> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#parser.off('close', done);
        resolve();
      };
      this.#parser.once('close', done);
      if (text === null) this.#parser.end();
      else this.#parser.write(text, done);
    });
    const rows = this.#rows;
    this.#rows = [];
    return rows;
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
