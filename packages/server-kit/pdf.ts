/**
 * Documents as tagged PDF with embedded fonts: letter head, headings, paragraphs, facts, tables with a repeated head,
 * signature lines, page numbers. A document is a list of blocks; what it says is decided where it is written.
 * Same blocks and same instant give the same bytes, so a stored hash can be recomputed (I12).
 */
import PDFDocument from 'pdfkit';
import { code128Bars } from './code128.ts';
import { keyOf, outside, refuseInTransaction } from './outside.ts';
import type { PdfBlock, PdfColumn, PdfInput } from './pdf-blocks.ts';
import { mainFaces, prepareFaces } from './pdf-fonts.ts';
import { textHeight, writeText, type TextStyle } from './pdf-text.ts';
import { textsOf } from './pdf-words.ts';

export type { Paper, PdfBlock, PdfColumn, PdfInput } from './pdf-blocks.ts';

const MARGIN = 56;
const INK = '#1c1917';
const MUTED = '#57534e';
const BLACK = '#000000';
const RULE = '#d6d3d1';
const BODY = 9;
const GAP = 8;
const TEXT: TextStyle = { face: 'regular', size: BODY, color: INK };
const SMALL: TextStyle = { face: 'regular', size: 7.5, color: MUTED };

type Doc = PDFKit.PDFDocument;
type Struct = PDFKit.PDFStructureElement;
/** Tags of PDF/UA that are used here. */
type Tag = 'H1' | 'H2' | 'P' | 'L' | 'LI' | 'Table' | 'TR' | 'TH' | 'TD' | 'Sect';

/** The document, drawn with no transaction open. */
export const renderPdf = (input: PdfInput): Promise<Buffer> => outside(keyOf('pdf', input), () => drawn(input));

/** Several at once: a transaction that needs them all is repeated once, not once for each. */
export const renderPdfs = (inputs: readonly PdfInput[]): Promise<Buffer[]> => Promise.all(inputs.map(renderPdf));

async function drawn(input: PdfInput): Promise<Buffer> {
  refuseInTransaction('A document is drawn');
  for (const [face, text] of textsOf(input)) await prepareFaces(face, text);
  const doc = new PDFDocument({
    size: input.language === 'en-US' ? 'LETTER' : 'A4', layout: input.landscape === true ? 'landscape' : 'portrait',
    margin: MARGIN, bufferPages: true, tagged: true,
    pdfVersion: '1.7', lang: input.language, displayTitle: true,
    info: { Title: input.title, Author: input.sender[0] ?? '', Creator: 'Grand Rights', Producer: 'Grand Rights',
      CreationDate: input.made_at, ModDate: input.made_at },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  // pdfkit takes an opened font as well (PDFFontFactory.open); its types say only files and bytes.
  for (const { name, font } of Object.values(mainFaces())) doc.registerFont(name, font as unknown as Buffer);
  const root = doc.struct('Document');
  doc.addStructure(root);
  letterHead(doc, root, input);
  for (const block of input.blocks) writeBlock(doc, root, block);
  pageNumbers(doc, input);
  root.end();
  doc.end();
  return finished;
}

function width(doc: Doc): number {
  return doc.page.width - 2 * MARGIN;
}

function bottom(doc: Doc): number {
  return doc.page.height - MARGIN - 24;
}

function room(doc: Doc, height: number): void {
  if (doc.y + height > bottom(doc)) doc.addPage();
}

/** Text as one tagged element; the y position moves on. */
function tagged(doc: Doc, parent: Struct, tag: Tag, draw: () => void): void {
  parent.add(doc.struct(tag, {}, [draw]));
}

function letterHead(doc: Doc, root: Struct, input: PdfInput): void {
  const half = width(doc) / 2;
  const top = doc.y;
  tagged(doc, root, 'P', () => {
    writeText(doc, { face: 'serif', size: 15, color: INK }, input.sender[0] ?? '', MARGIN, top, { width: half });
  });
  tagged(doc, root, 'P', () => {
    writeText(doc, SMALL, input.sender.slice(1).join('\n'), MARGIN + half, top,
      { width: half, align: 'right', lineGap: 1 });
  });
  const under = Math.max(doc.y, top + 34) + 10;
  rule(doc, under);
  if (input.recipient.length > 0) {
    tagged(doc, root, 'P', () => {
      writeText(doc, TEXT, input.recipient.join('\n'), MARGIN, under + 16, { width: half, lineGap: 1.5 });
    });
  }
  doc.x = MARGIN;
  doc.y = Math.max(doc.y, under) + 20;
}

function rule(doc: Doc, y: number): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc.moveTo(MARGIN, y).lineTo(doc.page.width - MARGIN, y).lineWidth(0.6).strokeColor(RULE).stroke();
  doc.endMarkedContent();
}

function writeBlock(doc: Doc, root: Struct, block: PdfBlock): void {
  doc.x = MARGIN;
  switch (block.kind) {
    case 'title': return heading(doc, root, 'H1', block.text, 17);
    case 'heading': return heading(doc, root, 'H2', block.text, 11);
    case 'text': return paragraph(doc, root, block.text, block.muted === true);
    case 'list': return list(doc, root, block.items);
    case 'facts': return facts(doc, root, block.rows);
    case 'table': return table(doc, root, block);
    case 'signature': return signature(doc, root, block.lines);
    case 'barcodes': return barcodes(doc, root, block.codes);
    case 'page': doc.addPage();
  }
}

const BAR_HEIGHT = 30;
/** Of the widest code: a module of 0.25 mm is what hand scanners still read (ISO/IEC 15417). */
const MODULE = 0.9;

function barcodes(doc: Doc, root: Struct, codes: readonly { code: string; label: string }[]): void {
  const half = width(doc) / 2;
  codes.forEach(({ code, label }, index) => {
    if (index % 2 === 0) room(doc, BAR_HEIGHT + 30);
    const y = doc.y;
    const left = MARGIN + (index % 2) * half;
    const bars = code128Bars(code);
    const modules = bars.reduce((sum, bar) => sum + bar, 0);
    const unit = Math.min(MODULE, (half - 24) / modules);
    doc.markContent('Artifact', { type: 'Layout' });
    let x = left;
    bars.forEach((bar, at) => {
      if (at % 2 === 0) doc.rect(x, y, bar * unit, BAR_HEIGHT).fill(BLACK);
      x += bar * unit;
    });
    doc.endMarkedContent();
    tagged(doc, root, 'P', () => {
      writeText(doc, { ...SMALL, color: INK }, label === '' ? code : `${code}  ${label}`, left, y + BAR_HEIGHT + 3,
        { width: half - 12, height: 10, ellipsis: true });
    });
    doc.y = index % 2 === 0 && index < codes.length - 1 ? y : y + BAR_HEIGHT + 24;
  });
  doc.x = MARGIN;
}

function heading(doc: Doc, root: Struct, tag: 'H1' | 'H2', text: string, size: number): void {
  room(doc, size * 4);
  if (tag === 'H2') doc.y += GAP;
  const y = doc.y;
  tagged(doc, root, tag, () => {
    writeText(doc, { face: tag === 'H1' ? 'serif' : 'bold', size, color: INK }, text, MARGIN, y,
      { width: width(doc) });
  });
  doc.y += GAP / 2;
}

function paragraph(doc: Doc, root: Struct, text: string, muted: boolean): void {
  const style = muted ? SMALL : TEXT;
  room(doc, Math.min(textHeight(doc, style, text, { width: width(doc), lineGap: 2 }), 60));
  const y = doc.y;
  tagged(doc, root, 'P', () => {
    writeText(doc, style, text, MARGIN, y, { width: width(doc), lineGap: 2 });
  });
  doc.y += GAP;
}

function list(doc: Doc, root: Struct, items: readonly string[]): void {
  const parent = doc.struct('L');
  root.add(parent);
  for (const item of items) {
    room(doc, textHeight(doc, TEXT, item, { width: width(doc) - 14, lineGap: 2 }));
    const y = doc.y;
    tagged(doc, parent, 'LI', () => {
      writeText(doc, TEXT, '•', MARGIN, y, { width: 12 });
      writeText(doc, TEXT, item, MARGIN + 14, y, { width: width(doc) - 14, lineGap: 2 });
    });
    doc.y += 3;
  }
  parent.end();
  doc.y += GAP - 3;
}

function facts(doc: Doc, root: Struct, rows: Extract<PdfBlock, { kind: 'facts' }>['rows']): void {
  const left = 150;
  for (const [label, value] of rows) {
    const height = textHeight(doc, TEXT, value, { width: width(doc) - left, lineGap: 1.5 });
    room(doc, height);
    const y = doc.y;
    tagged(doc, root, 'P', () => {
      writeText(doc, { ...TEXT, color: MUTED }, label, MARGIN, y, { width: left - 10 });
      writeText(doc, TEXT, value, MARGIN + left, y, { width: width(doc) - left, lineGap: 1.5 });
    });
    doc.y = y + height + 4;
  }
  doc.y += GAP - 2;
}

interface Cells {
  cells: readonly string[];
  tag: 'TH' | 'TD';
  font: 'regular' | 'bold';
  color: string;
}

function table(doc: Doc, root: Struct, block: Extract<PdfBlock, { kind: 'table' }>): void {
  const parent = doc.struct('Table');
  root.add(parent);
  const parts = block.columns.reduce((total, column) => total + column.width, 0);
  const widths = block.columns.map((column) => (width(doc) * column.width) / parts);
  const head: Cells = { cells: block.columns.map((column) => column.label), tag: 'TH', font: 'regular', color: MUTED };
  const draw = (row: Cells): void => tableRow(doc, parent, block.columns, widths, row);
  // No page ends with the head of a table whose rows begin on the next.
  const first = [...block.rows, ...(block.totals ?? [])].at(0);
  room(doc, rowHeight(doc, head.cells, widths, head.font)
    + (first === undefined ? 0 : rowHeight(doc, first, widths, 'bold')));
  draw(head);
  const repeat = (cells: readonly string[], row: Omit<Cells, 'cells'>): void => {
    const needed = rowHeight(doc, cells, widths, row.font);
    if (doc.y + needed > bottom(doc)) {
      doc.addPage();
      draw(head);
    }
    draw({ cells, ...row });
  };
  block.rows.forEach((cells, index) =>
    repeat(cells, { tag: 'TD', font: block.strong?.includes(index) === true ? 'bold' : 'regular', color: INK }));
  for (const cells of block.totals ?? []) repeat(cells, { tag: 'TD', font: 'bold', color: INK });
  parent.end();
  doc.y += GAP;
}

function rowHeight(doc: Doc, cells: readonly string[], widths: readonly number[], face: Cells['font']): number {
  return Math.max(...cells.map((text, k) => textHeight(doc, { face, size: 8.5 }, text || ' ',
    { width: widths[k]! - 8 }))) + 8;
}

function tableRow(
  doc: Doc, parent: Struct, columns: readonly PdfColumn[], widths: readonly number[], row: Cells,
): void {
  const height = rowHeight(doc, row.cells, widths, row.font);
  room(doc, height);
  const y = doc.y;
  const element = doc.struct('TR');
  parent.add(element);
  let x = MARGIN;
  row.cells.forEach((text, k) => {
    const at = x;
    tagged(doc, element, row.tag, () => {
      writeText(doc, { face: row.font, size: 8.5, color: row.color }, text,
        at + (columns[k]!.align === 'right' ? 4 : 0), y + 4,
        { width: widths[k]! - 8, align: columns[k]!.align ?? 'left' });
    });
    x += widths[k]!;
  });
  element.end();
  doc.x = MARGIN;
  doc.y = y + height;
  rule(doc, doc.y);
}

function signature(doc: Doc, root: Struct, lines: readonly string[]): void {
  room(doc, lines.length * 38);
  for (const line of lines) {
    doc.y += 22;
    rule(doc, doc.y);
    const y = doc.y + 3;
    tagged(doc, root, 'P', () => {
      writeText(doc, SMALL, line, MARGIN, y, { width: width(doc) });
    });
  }
  doc.y += GAP;
}

function pageNumbers(doc: Doc, input: PdfInput): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    const y = doc.page.height - MARGIN - 6;
    const { bottom: kept } = doc.page.margins;
    // Text below the margin would start a page of its own.
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination' });
    const style: TextStyle = { ...SMALL, size: 7 };
    writeText(doc, style, input.footer, MARGIN, y, { width: width(doc) - 80, lineBreak: false });
    writeText(doc, style, `${page + 1} / ${count}`, doc.page.width - MARGIN - 70, y,
      { width: 70, align: 'right', lineBreak: false });
    doc.endMarkedContent();
    doc.page.margins.bottom = kept;
  }
}
