/** File-reading calls for other contexts: rows of a CSV file or of a workbook. */
import { DELIMITERS, type Delimiter } from '../imports/import-field.contract.ts';
import { detectDelimiter } from './csv-shape.server.ts';
import { sheetRows, type SheetRow } from './csv-rows.server.ts';
import { detectEncoding, head, refuseNoText } from './text-encoding.server.ts';
import { asText } from './workbook-text.server.ts';

export { dateIn, readAmount, readCount, readDate, readPercent, readTime, readYes, Unreadable }
  from '../imports/read-cell.ts';
export { readFigureFile, type FigureChoice, type FigureFile } from './figure-file.server.ts';
export type { SheetRow } from './csv-rows.server.ts';

/** The rows that are not blank, with the delimiter and the encoding that the file shows. 422 at `file` in words. */
export async function readSheetRows(file: Buffer): Promise<SheetRow[]> {
  const { content } = await asText(file);
  refuseNoText(content);
  const encoding = detectEncoding(content);
  const delimiter: Delimiter = detectDelimiter(head(content, encoding), DELIMITERS[0]);
  const rows: SheetRow[] = [];
  for await (const row of sheetRows(content, { encoding, delimiter })) rows.push(row);
  return rows;
}
