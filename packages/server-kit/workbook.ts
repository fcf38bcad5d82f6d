/**
 * Workbooks (.xlsx) as rows of text, read in a thread of their own: nobody waits for one. The limits hold on the
 * archive's directory before the library sees it, and no part unpacks to more than the directory says.
 */
import { Worker } from 'node:worker_threads';
import { archiveDirectory, type ArchiveEntry } from './archive-directory.ts';
import { keyOf, outside, refuseInTransaction } from './outside.ts';

export interface WorkbookSheet { name: string; rows: string[][] }
export interface WorkbookAnswer { sheets?: WorkbookSheet[]; refusal?: string }
export class UnreadableWorkbook extends Error {}

const MOST_ENTRIES = 1000;
const MOST_UNPACKED = 200 * 1024 * 1024;
const MOST_RATIO = 100;
/** Parts that are small anyway may be packed as well as they are. */
const SMALL = 1024 * 1024;
const PATIENCE_MS = 60_000;
const MEMORY_MB = 1024;

const AS_XLSX = 'Open it in the program that made it and save it as an Excel workbook (.xlsx) or as CSV.';

/** Why an archive is no workbook that may be read, in words; null where it may. */
export function workbookProblem(content: Buffer): string | null {
  const entries = archiveDirectory(content, MOST_ENTRIES);
  if (!entries) return 'This workbook is damaged: its end is missing. Save it again, or save it as CSV.';
  const names = new Set(entries.map(({ name }) => name));
  if (names.has('mimetype') && names.has('content.xml')) return `This is an OpenDocument file (ods). ${AS_XLSX}`;
  if (names.has('xl/workbook.bin')) return `This is a binary Excel workbook (xlsb). ${AS_XLSX}`;
  if (!names.has('xl/workbook.xml')) return 'This is an archive (zip). Unpack it and choose the file inside.';
  if (entries.some(({ encrypted }) => encrypted)) {
    return 'This workbook is protected by a password. Save a copy without one and choose that.';
  }
  return sizeProblem(entries, content.length);
}

function sizeProblem(entries: readonly ArchiveEntry[], length: number): string | null {
  if (entries.length > MOST_ENTRIES) return 'This workbook has more than 1,000 parts. Save its sheet as CSV.';
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > MOST_UNPACKED) return 'This workbook unpacks to more than 200 MiB. Split it into smaller files.';
  const packed = entries.some((entry) => entry.size > SMALL && entry.size > entry.packed * MOST_RATIO);
  if (packed || size > Math.max(SMALL, length * MOST_RATIO)) {
    return 'This workbook unpacks to more than a hundred times its size. Save its sheet as CSV.';
  }
  return null;
}

/** Every sheet: numbers as decimals with a point, days as 2026-11-15. Throws {@link UnreadableWorkbook}. */
export function readWorkbook(content: Buffer): Promise<WorkbookSheet[]> {
  const problem = workbookProblem(content);
  if (problem !== null) return Promise.reject(new UnreadableWorkbook(problem));
  return outside(keyOf('workbook', content), () => unpacked(content));
}

async function unpacked(content: Buffer): Promise<WorkbookSheet[]> {
  refuseInTransaction('A workbook is read');
  const worker = new Worker(new URL('./workbook-thread.ts', import.meta.url),
    { workerData: content, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  return new Promise((resolve, reject) => {
    const slow = setTimeout(() => { void worker.terminate(); }, PATIENCE_MS);
    const refuse = (text: string): void => reject(new UnreadableWorkbook(text));
    worker.on('message', ({ sheets, refusal }: WorkbookAnswer) => {
      if (sheets) resolve(sheets);
      else refuse(refusal ?? 'This workbook cannot be read. Save its sheet as CSV.');
    });
    worker.on('error', () => refuse('This workbook cannot be read. Save its sheet as CSV.'));
    worker.on('exit', () => {
      clearTimeout(slow);
      refuse('This workbook takes too long to read. Save its sheet as CSV.');
    });
  });
}
