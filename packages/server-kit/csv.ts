/**
 * CSV that leaves the house: RFC 4180 with a UTF-8 mark, and no cell that a spreadsheet would run as a formula
 * (reliability.md 2.4). A cell that starts like one gets an apostrophe; plain numbers stay numbers.
 */
import { stringify, type Stringifier } from 'csv-stringify';
import { Readable } from 'node:stream';

const NUMBER = /^-?\d+(?:[.,]\d+)*$/;

export function safeCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  if (!/^[=+\-@\t\r]/.test(text) || NUMBER.test(text)) return text;
  return `'${text}`;
}

/** A CSV file as a stream: rows are asked for as the reader takes them. */
export function csvStream(
  header: readonly string[], rows: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
): NodeJS.ReadableStream {
  const writer: Stringifier = stringify({ record_delimiter: '\r\n', bom: true });
  async function* lines(): AsyncGenerator<string[]> {
    yield header.map(safeCell);
    for await (const row of rows) yield row.map(safeCell);
  }
  const source = Readable.from(lines());
  source.on('error', (error) => writer.destroy(error));
  writer.on('close', () => source.destroy());
  return source.pipe(writer);
}
