/** Guesses what a person would see at a glance: the delimiter, the row with the heads. */
import { parse } from 'csv-parse/sync';
import { invalidField } from '#kit/errors.ts';
import {
  DELIMITERS, FIELD_FACTS, matchHeads, type Delimiter, type FieldSet,
} from '../imports/import-field.contract.ts';
import { sheetRows, REASON_HEAD, ROW_HEAD, type Dialect } from './csv-rows.server.ts';
import { detectEncoding, head, refuseNoText } from './text-encoding.server.ts';

export interface FileShape extends Dialect {
  /** As a spreadsheet numbers it. */
  header_row: number;
  /** Heads of the columns; columns that we added to a returned file are left out. */
  header: string[];
  rows_total: number;
}

/** Rows among which the heads are looked for. */
const HEAD_ROWS = 20;

/** Reads the whole file once: refuses what cannot be read, counts the rows, finds the heads. */
export async function detectShape(
  content: Buffer, preferred: Delimiter, fields: FieldSet = FIELD_FACTS,
): Promise<FileShape> {
  refuseNoText(content);
  const encoding = detectEncoding(content);
  const sample = head(content, encoding);
  const dialect = { encoding, delimiter: detectDelimiter(sample, preferred) };
  const first: { row_no: number; cells: string[] }[] = [];
  let rows = 0;
  for await (const row of sheetRows(content, dialect)) {
    rows += 1;
    if (first.length < HEAD_ROWS) first.push(row);
  }
  const at = headerAt(first.map((row) => row.cells), fields);
  const found = first[at];
  if (!found) throw invalidField('file', 'The file holds no rows.');
  const shape = {
    ...dialect, header_row: found.row_no, header: headerOf(found.cells), rows_total: rows - at - 1,
  };
  if (shape.rows_total === 0) {
    throw invalidField('file', `The file has heads in row ${found.row_no} and no rows below.`);
  }
  return shape;
}

export function endsOpen(content: Buffer): boolean {
  const tail = content.subarray(-2);
  return !tail.includes(0x0a) && !tail.includes(0x0d);
}

/** Heads without the two columns of a file that we handed back. */
export function headerOf(cells: readonly string[]): string[] {
  const own = cells.findIndex((cell) => cell === ROW_HEAD || cell === REASON_HEAD);
  return own < 0 ? [...cells] : cells.slice(0, own);
}

/** The delimiter that splits the first lines into the same number of columns, the template's where nothing speaks. */
export function detectDelimiter(sample: string, preferred: Delimiter): Delimiter {
  let best: { delimiter: Delimiter; score: number } = { delimiter: preferred, score: 0 };
  for (const delimiter of [preferred, ...DELIMITERS.filter((other) => other !== preferred)]) {
    const widths = widthsOf(sample, delimiter);
    const counts = new Map<number, number>();
    for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
    const [width, times] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
    const score = width < 2 ? 0 : (times / widths.length) * (1 + Math.log2(width));
    if (score > best.score + 1e-9) best = { delimiter, score };
  }
  return best.delimiter;
}

function widthsOf(sample: string, delimiter: Delimiter): number[] {
  try {
    const options = { delimiter, relax_column_count: true, relax_quotes: true, to: HEAD_ROWS };
    return (parse(sample, options) as string[][]).map((row) => row.length);
  } catch {
    return [];
  }
}

/** Position of the heads among the first rows: most known heads, else the first row as wide as most. */
function headerAt(rows: readonly string[][], fields: FieldSet): number {
  let best = -1;
  let most = 1;
  rows.forEach((cells, index) => {
    const known = Object.keys(matchHeads(headerOf(cells), fields)).length;
    if (known > most) [best, most] = [index, known];
  });
  if (best >= 0) return best;
  const filled = rows.map((cells) => cells.filter((cell) => cell !== '').length);
  const widest = Math.max(0, ...filled);
  return Math.max(0, filled.findIndex((count) => count >= Math.min(2, widest)));
}
