/** The thread that reads PDFs for pdf-pages.ts; it holds no secret and touches no file. */
import { parentPort } from 'node:worker_threads';
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium';
import { degrees, PDFDocument } from 'pdf-lib';

/** A page as raw pixels, red, green, blue and opacity. */
export interface PagePixels { data: Uint8Array; width: number; height: number }
export type PdfQuestion =
  | { id: number; kind: 'texts'; content: Uint8Array; most: number }
  | { id: number; kind: 'count'; content: Uint8Array }
  | { id: number; kind: 'draw'; content: Uint8Array; page: number; width: number }
  | { id: number; kind: 'stamp'; content: Uint8Array; stamp: Uint8Array }
  | { id: number; kind: 'join'; content: Uint8Array; mime: string; more: Uint8Array };
export interface PdfAnswer {
  id: number;
  error?: string;
  texts?: string[];
  count?: number;
  pixels?: PagePixels;
  stamped?: Uint8Array;
  joined?: Uint8Array;
}

/** A page twenty times as high as wide is a trap for memory. */
const TALLEST = 4;

let library: Promise<PDFiumLibrary> | null = null;

async function answer(question: PdfQuestion): Promise<PdfAnswer> {
  if (question.kind === 'stamp') return { id: question.id, stamped: await stamped(question.content, question.stamp) };
  if (question.kind === 'join') return { id: question.id, joined: await joined(question) };
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(question.content);
  try {
    if (question.kind === 'texts') return { id: question.id, texts: textsOf(document, question.most) };
    if (question.kind === 'count') return { id: question.id, count: document.getPageCount() };
    return { id: question.id, pixels: await draw(document, question.page, question.width) };
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

/** The first page of `stamp` over every page, as wide as it, the second at its foot; upright however it is turned. */
async function stamped(content: Uint8Array, stamp: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(content, { updateMetadata: false });
  const over = await document.embedPdf(stamp, [0, 1]);
  for (const page of document.getPages()) {
    const box = page.getCropBox();
    const turned = ((page.getRotation().angle % 360) + 360) % 360;
    const wide = turned % 180 === 0 ? box.width : box.height;
    for (const one of over) {
      const scale = wide / one.width;
      page.drawPage(one, { xScale: scale, yScale: scale, rotate: degrees(turned),
        x: turned === 90 || turned === 180 ? box.x + box.width : box.x,
        y: turned === 180 || turned === 270 ? box.y + box.height : box.y });
    }
  }
  return document.save();
}

async function joined({ content, mime, more }: Extract<PdfQuestion, { kind: 'join' }>): Promise<Uint8Array> {
  const document = mime === 'application/pdf' ? await PDFDocument.load(content, { updateMetadata: false })
    : await pictured(content, mime);
  if (document.getPageCount() === 0) throw new Error('This file has no pages.');
  const behind = await PDFDocument.load(more, { updateMetadata: false });
  for (const page of await document.copyPages(behind, behind.getPageIndices())) document.addPage(page);
  return document.save();
}

/** A scan that came as a picture, on a page of its own size at 150 dots per inch. */
async function pictured(content: Uint8Array, mime: string): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const image = mime === 'image/png' ? await document.embedPng(content) : await document.embedJpg(content);
  const { width, height } = image.scale(72 / 150);
  document.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
  return document;
}

parentPort?.on('message', (question: PdfQuestion) => {
  answer(question).catch((error: unknown): PdfAnswer => ({ id: question.id, error: wordsOf(error) }))
    .then((said) => parentPort?.postMessage(said), () => undefined);
});

function wordsOf(error: unknown): string {
  const { message } = error as Error;
  if (/encrypted/i.test(message)) return 'This PDF is protected against changes. Save it without protection.';
  if (/password/i.test(message)) return 'This PDF is locked with a password. Save it without one.';
  return message.startsWith('This file') ? message : 'This file could not be read as a PDF.';
}
