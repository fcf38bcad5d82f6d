/** Files that people send as workbooks, read as the CSV that they would have saved: one way for all that follows. */
import { stringify } from 'csv-stringify/sync';
import { invalidField } from '#kit/errors.ts';
import { readWorkbook, UnreadableWorkbook, type WorkbookSheet } from '#server/workbook.ts';
import { MAX_COLUMNS, MAX_ROWS } from './csv-rows.server.ts';

/** The content as text; of a workbook with several sheets also which one it is. 422 at `file` in words. */
export async function asText(content: Buffer): Promise<{ content: Buffer; note: string | null }> {
  if (!isZip(content)) return { content, note: null };
  const sheets = await readWorkbook(content).catch((error: unknown) => {
    throw error instanceof UnreadableWorkbook ? invalidField('file', error.message) : error;
  });
  const filled = sheets.filter((sheet) => rowsIn(sheet) > 0);
  const [first, ...others] = filled;
  if (!first) throw invalidField('file', 'The workbook holds no rows.');
  if (first.rows.length > MAX_ROWS + 1) throw invalidField('file', 'The sheet has more than 200,000 rows. Split it.');
  if (first.rows.some((row) => row.length > MAX_COLUMNS)) {
    throw invalidField('file', 'The sheet has more than 1,000 columns. Delete those that are not needed.');
  }
  return { content: Buffer.from(stringify(first.rows, { record_delimiter: '\n', bom: true })),
    note: others.length === 0 ? null : `The workbook has ${filled.length} sheets. This is “${first.name}”. `
      + `To import ${others.slice(0, 3).map(({ name }) => `“${name}”`).join(', ')}${others.length > 3
      ? ' or another' : ''}, save it as a file of its own.` };
}

const isZip = (content: Buffer): boolean => content[0] === 0x50 && content[1] === 0x4b && content[2] === 0x03;

const rowsIn = ({ rows }: WorkbookSheet): number => rows.filter((row) => row.some((cell) => cell !== '')).length;
