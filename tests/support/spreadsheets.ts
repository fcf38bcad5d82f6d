/** Files as Excel writes them in Germany: workbooks, and CSV in Windows-1252 with semicolons and CRLF. */
import { workbook, type SheetCell } from '#server/write-workbook.ts';

/** Numbers and days of a workbook are no texts: their leading zeros are gone. */
export type Cell = string | number;

const WINDOWS: Readonly<Record<string, number>> = { '’': 0x92, '‘': 0x91, '“': 0x93, '”': 0x94, '–': 0x96, '€': 0x80 };

function windows1252(text: string): Buffer {
  return Buffer.from(Array.from(text, (letter) => WINDOWS[letter] ?? letter.charCodeAt(0)));
}

const quoted = (cell: Cell): string => {
  const text = String(cell);
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

async function* each(rows: readonly (readonly Cell[])[]): AsyncGenerator<SheetCell[]> {
  for (const row of rows) {
    yield row.map((cell): SheetCell => ({ kind: typeof cell === 'number' ? 'number' : 'text', text: String(cell) }));
  }
}

/** The first row holds the heads. */
export async function writeFile(kind: 'xlsx' | 'csv', rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  if (kind === 'csv') {
    return windows1252(rows.map((row) => row.map(quoted).join(';')).concat('').join('\r\n'));
  }
  const [heads = [], ...below] = rows;
  const parts: Buffer[] = [];
  for await (const part of workbook('Sheet1', heads.map(String), each(below))) parts.push(part);
  return Buffer.concat(parts);
}
