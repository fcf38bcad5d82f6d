/** The thread that reads a workbook; see workbook.ts. */
import readXlsxFile from 'read-excel-file/node';
import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { archiveDirectory, packedBytes } from './archive-directory.ts';
import type { WorkbookAnswer } from './workbook.ts';

/** A cell that holds a number, as the file writes it: no text is taken for one. */
class WrittenNumber {
  readonly text: string;
  constructor(text: string) { this.text = text; }
}

const DEFLATED = 8;

/** Whether a part unpacks to more than the directory says. */
function isBomb(content: Buffer): boolean {
  return (archiveDirectory(content, Number.MAX_SAFE_INTEGER) ?? []).some((entry) => {
    const packed = packedBytes(content, entry);
    if (!packed || entry.method !== DEFLATED) return packed === null || packed.length > entry.size;
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) }).length > entry.size;
    } catch {
      return true;
    }
  });
}

/** 4.126E4 as 41260; what a program computed in floating point as a spreadsheet shows it, to 15 digits. */
function numberText(text: string): string {
  const plain = /^-?\d{1,15}$/.test(text) ? text : decimalOf(Number(text));
  // Three decimals could be taken for thousands.
  return /\.\d{3}$/.test(plain) ? `${plain}0` : plain;
}

function decimalOf(value: number): string {
  if (!Number.isFinite(value)) return '';
  const short = String(Number(value.toPrecision(15)));
  return short.includes('e') ? BigInt(Math.round(value)).toString() : short;
}

function dateText(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  const clock = time.slice(0, 5);
  // A time alone is a part of the first day of a spreadsheet.
  if (day <= '1900-01-01') return clock;
  return clock === '00:00' ? day : `${day} ${clock}`;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof WrittenNumber) return numberText(cell.text);
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dateText(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell as string | number);
}

async function answer(content: Buffer): Promise<WorkbookAnswer> {
  if (isBomb(content)) return { refusal: 'This workbook is damaged: its parts are not as large as it says.' };
  const sheets = await readXlsxFile(content, { parseNumber: (text: string) => new WrittenNumber(text) });
  return { sheets: sheets.map(({ sheet, data }) => ({ name: sheet,
    rows: data.map((row) => (row as unknown[]).map(cellText)) })) };
}

parentPort!.postMessage(await answer(Buffer.from(workerData as Uint8Array)).catch((): WorkbookAnswer => ({})));
