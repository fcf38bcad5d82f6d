/**
 * Workbooks (.xlsx) of one sheet, written in a thread of their own: the library holds the whole sheet in memory, so
 * the cells of a sheet are limited, and nobody else waits for one.
 */
import { Worker } from 'node:worker_threads';

/** `currency` of money: its sign stands in the cell's format. Days and instants are ISO texts. */
export interface SheetCell {
  kind: 'text' | 'number' | 'money' | 'day' | 'instant';
  text: string;
  currency?: string;
}
export interface SheetStart { name: string; header: readonly string[] }
export type SheetMessage = { rows: readonly (readonly SheetCell[])[] } | { end: true };

/** 1.5 million cells need about 700 MB while they are written. */
const MOST_CELLS = 1_500_000;
const MOST_ROWS = 100_000;
const MEMORY_MB = 1536;
/** Rows that go to the thread at a time. */
const CHUNK = 1000;

/** Rows that a workbook of so many columns holds, its heading aside. */
export function workbookRows(columns: number): number {
  return Math.min(MOST_ROWS, Math.floor(MOST_CELLS / Math.max(1, columns)));
}

/** The workbook as bytes; `name` is the sheet's. Ask {@link workbookRows} first: longer lists do not fit. */
export async function* workbook(
  name: string, header: readonly string[], rows: AsyncIterable<readonly SheetCell[]>,
): AsyncGenerator<Buffer> {
  const start: SheetStart = { name, header };
  const worker = new Worker(new URL('./write-workbook-thread.ts', import.meta.url),
    { workerData: start, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  try {
    const written = new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread that writes a workbook ended early')));
    });
    // A failure is told at the end; a list that fails before leaves it behind.
    written.catch(() => undefined);
    const send = (message: SheetMessage): void => worker.postMessage(message);
    let chunk: (readonly SheetCell[])[] = [];
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < CHUNK) continue;
      send({ rows: chunk });
      chunk = [];
    }
    send({ rows: chunk });
    send({ end: true });
    yield Buffer.from(await written);
  } finally {
    await worker.terminate();
  }
}
