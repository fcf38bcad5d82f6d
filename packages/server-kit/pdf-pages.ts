/**
 * Pages of a PDF as pictures and as text, drawn by PDFium compiled to WebAssembly: nothing of the system is needed, and
 * a file that tries something tries it inside the sandbox of a thread of its own. One thread for the process, one page
 * at a time; what takes too long is ended with its thread (decision 12).
 */
import { Worker } from 'node:worker_threads';
import { keyOf, outside, refuseInTransaction } from './outside.ts';
import type { PagePixels, PdfAnswer, PdfQuestion } from './pdf-pages-thread.ts';

/** Beyond this many pages it is no script any more. */
export const MOST_PAGES = 600;
/** A page takes a tenth of a second; what takes this long is made to. */
const PATIENCE_MS = 30_000;

export class UnreadablePdf extends Error {}

type PendingPage = { resolve: (answer: PdfAnswer) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };
let thread: Worker | null = null;
let asked = 0;
const waiting = new Map<number, PendingPage>();
/** The thread does one thing after another: patience begins with one's own turn, not with that of those before. */
let turn: Promise<unknown> = Promise.resolve();

/** Returns the text of each page, first to last. Throws {@link UnreadablePdf} if it is no PDF, locked or too long. */
export function textOfPages(content: Buffer): Promise<string[]> {
  return outside(keyOf('page texts', content),
    async () => (await ask({ kind: 'texts', content, most: MOST_PAGES })).texts ?? []);
}

/** Number of pages. Throws {@link UnreadablePdf} if it is no PDF or locked. */
export function pageCount(content: Buffer): Promise<number> {
  return outside(keyOf('page count', content), async () => (await ask({ kind: 'count', content })).count ?? 0);
}

/** Page `page`, from 1, so many pixels wide; drawn where it is asked for (watermark.ts). */
export async function drawPage(content: Buffer, page: number, width: number): Promise<PagePixels> {
  const { pixels } = await ask({ kind: 'draw', content, page, width });
  if (!pixels) throw new UnreadablePdf('The page was not drawn.');
  return pixels;
}

/** `stamp` (pdf-stamp.ts) over every page. Throws {@link UnreadablePdf} where the file is protected or damaged. */
export async function stampPages(content: Buffer, stamp: Buffer): Promise<Buffer> {
  const { stamped } = await ask({ kind: 'stamp', content, stamp });
  if (!stamped) throw new UnreadablePdf('The file could not be marked.');
  return Buffer.from(stamped);
}

/**
 * `content`, a PDF, PNG or JPEG, followed by the pages that `more` draws; the same bytes for the same parts, which
 * `key` names. Throws {@link UnreadablePdf} where the file is damaged, or protected against changes.
 */
export function withPages(content: Buffer, mime: string, key: string, more: () => Promise<Buffer>): Promise<Buffer> {
  return outside(keyOf('with pages', content, mime, key), async () => {
    const { joined } = await ask({ kind: 'join', content, mime, more: await more() });
    if (!joined) throw new UnreadablePdf('This file could not be read.');
    return Buffer.from(joined);
  });
}

type Question = Omit<Extract<PdfQuestion, { kind: 'texts' }>, 'id'>
  | Omit<Extract<PdfQuestion, { kind: 'count' }>, 'id'> | Omit<Extract<PdfQuestion, { kind: 'draw' }>, 'id'>
  | Omit<Extract<PdfQuestion, { kind: 'stamp' }>, 'id'> | Omit<Extract<PdfQuestion, { kind: 'join' }>, 'id'>;

async function ask(question: Question): Promise<PdfAnswer> {
  refuseInTransaction('A PDF is read');
  const answer = turn.then(() => post(question));
  turn = answer.catch(() => undefined);
  return answer;
}

function post(question: Question): Promise<PdfAnswer> {
  thread ??= started();
  const worker = thread;
  const id = asked += 1;
  worker.ref();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { void worker.terminate(); }, PATIENCE_MS);
    waiting.set(id, { resolve, reject, timer });
    worker.postMessage({ ...question, id } as PdfQuestion);
  });
}

function started(): Worker {
  const worker = new Worker(new URL('./pdf-pages-thread.ts', import.meta.url));
  worker.unref();
  worker.on('message', (answer: PdfAnswer) => {
    const one = taken(answer.id);
    if (answer.error === undefined) one?.resolve(answer);
    else one?.reject(new UnreadablePdf(answer.error));
    // Nobody waits: the process may end without us.
    if (waiting.size === 0) worker.unref();
  });
  const ended = (error: Error): void => {
    if (thread === worker) thread = null;
    for (const id of waiting.keys()) taken(id)?.reject(error);
  };
  worker.on('error', ended);
  worker.on('exit', () => ended(new UnreadablePdf('This file takes too long to read.')));
  return worker;
}

function taken(id: number): PendingPage | undefined {
  const one = waiting.get(id);
  waiting.delete(id);
  if (one) clearTimeout(one.timer);
  return one;
}
