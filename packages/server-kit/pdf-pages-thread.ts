/** The thread that reads PDFs for pdf-pages.ts; it holds no secret and touches no file. */
import { parentPort } from 'node:worker_threads';
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium';

/** A page as raw pixels, red, green, blue and opacity. */
export interface PagePixels { data: Uint8Array; width: number; height: number }
export type PdfQuestion =
  | { id: number; kind: 'texts'; content: Uint8Array; most: number }
  | { id: number; kind: 'draw'; content: Uint8Array; page: number; width: number };
export interface PdfAnswer { id: number; error?: string; texts?: string[]; pixels?: PagePixels }

/** A page twenty times as high as wide is a trap for memory. */
const TALLEST = 4;

let library: Promise<PDFiumLibrary> | null = null;

async function answer(question: PdfQuestion): Promise<PdfAnswer> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(question.content);
  try {
    return question.kind === 'texts' ? { id: question.id, texts: textsOf(document, question.most) }
      : { id: question.id, pixels: await draw(document, question.page, question.width) };
  } finally {
    document.destroy();
  }
}

function textsOf(document: PDFiumDocument, most: number): string[] {
  const count = document.getPageCount();
  if (count > most) throw new Error(`This file has ${count} pages. Split it: at most ${most} are read.`);
  // U+0000 cannot be stored, and says nothing.
  return Array.from({ length: count }, (_, at) => document.getPage(at).getText().replaceAll('\u0000', '')
    .replace(/\r\n?/g, '\n').trim());
}

async function draw(document: PDFiumDocument, page: number, width: number): Promise<PagePixels> {
  if (page < 1 || page > document.getPageCount()) throw new Error('This file has no such page.');
  const sheet = document.getPage(page - 1);
  const { originalWidth, originalHeight } = sheet.getOriginalSize();
  const height = Math.min(Math.round(width * originalHeight / originalWidth), width * TALLEST);
  const drawn = await sheet.render({ width, height, scale: 1, render: 'bitmap' });
  return { data: drawn.data, width: drawn.width, height: drawn.height };
}

parentPort?.on('message', (question: PdfQuestion) => {
  answer(question).catch((error: unknown): PdfAnswer => ({ id: question.id, error: wordsOf(error) }))
    .then((said) => parentPort?.postMessage(said), () => undefined);
});

function wordsOf(error: unknown): string {
  const { message } = error as Error;
  if (/password/i.test(message)) return 'This PDF is locked with a password. Save it without one.';
  return message.startsWith('This file') ? message : 'This file could not be read as a PDF.';
}
