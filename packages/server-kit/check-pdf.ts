/**
 * Checks on US letter: the check on top, two stubs below (three parts of 3.5 inches). Places are fixed, moved by the
 * offsets of the printer; the address stands in the window of a number-nine envelope. Same input, same bytes.
 */
import PDFDocument from 'pdfkit';
import { keyOf, outside, refuseInTransaction } from './outside.ts';
import { mainFaces, prepareFaces } from './pdf-fonts.ts';
import { textWidth, writeText, type TextStyle } from './pdf-text.ts';

/** Day, document, amount. */
type StubRow = readonly [string, string, string];

export interface CheckPaper {
  number: string;
  /** On the stubs, in the English of the division: 'Check 1001', 'Cheque 1001'. */
  label: string;
  date: string;
  payee: string;
  address: readonly string[];
  /** '**1,234.56'. */
  figure: string;
  /** The amount in words, at most two lines. */
  words: readonly string[];
  memo: string;
  /** Of two signature lines. */
  signatures: 1 | 2;
  /** Date, document and amount of what it pays, and the sum. */
  /** `sums` stand below the rows, however many these are. */
  stub: { rows: readonly StubRow[]; sums: readonly StubRow[]; total: string };
  /** Printed on paper without a number and a bank. */
  blank: { house: readonly string[]; bank: readonly string[] } | null;
  micr: string | null;
  /** Written across: a copy or a void check is worth nothing. */
  across: string | null;
}

export interface CheckSheet {
  title: string;
  made_at: Date;
  offset_mm: { x: number; y: number };
  micr_font: Buffer | null;
  /** Empty for the test page of the alignment. */
  checks: readonly CheckPaper[];
  alignment: boolean;
}

const MM = 72 / 25.4;
const PART = 252;
const SHEET = { width: 612, height: 792 };
const INK = '#000000';
const TEXT: TextStyle = { face: 'regular', size: 10, color: INK };
const SMALL: TextStyle = { face: 'regular', size: 8, color: INK };
const BOLD: TextStyle = { face: 'bold', size: 11, color: INK };
/** Left edge, or right edge for the amount, and top of each field, in points from the corner of the check. */
const PLACES = {
  date: { x: 470, y: 58 }, payee: { x: 66, y: 92 }, figure: { x: 580, y: 92 }, words: { x: 24, y: 116 },
  address: { x: 66, y: 150 }, memo: { x: 54, y: 206 }, signature: { x: 370, y: 214 }, second: { x: 370, y: 182 },
  number: { x: 580, y: 24 }, house: { x: 24, y: 20 }, bank: { x: 260, y: 20 }, micr: { x: 66, y: 227 },
} as const;
/** Rows of a stub; the last line counts those that do not fit. */
export const STUB_ROWS = 12;

type Doc = PDFKit.PDFDocument;
type Place = keyof typeof PLACES;

/** Drawn with no transaction open. */
export const renderChecks = (sheet: CheckSheet): Promise<Buffer> => outside(keyOf('checks', sheet), () => drawn(sheet));

async function drawn(sheet: CheckSheet): Promise<Buffer> {
  refuseInTransaction('A check is drawn');
  const texts = JSON.stringify(sheet.checks);
  for (const face of ['regular', 'bold'] as const) await prepareFaces(face, texts);
  const doc = new PDFDocument({ size: [SHEET.width, SHEET.height], margin: 0, autoFirstPage: false,
    pdfVersion: '1.7', lang: 'en-US', displayTitle: true, info: { Title: sheet.title, Creator: 'Grand Rights',
      Producer: 'Grand Rights', CreationDate: sheet.made_at, ModDate: sheet.made_at } });
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject);
  });
  for (const { name, font } of Object.values(mainFaces())) doc.registerFont(name, font as unknown as Buffer);
  if (sheet.micr_font) doc.registerFont('micr', sheet.micr_font);
  for (const check of sheet.checks) page(doc, sheet, () => drawCheck(doc, check, sheet.micr_font !== null));
  if (sheet.alignment) page(doc, sheet, () => drawAlignment(doc));
  doc.end();
  return finished;
}

function page(doc: Doc, { offset_mm }: CheckSheet, draw: () => void): void {
  doc.addPage({ size: [SHEET.width, SHEET.height], margin: 0 });
  doc.save();
  doc.translate(offset_mm.x * MM, offset_mm.y * MM);
  draw();
  doc.restore();
}

function put(doc: Doc, style: TextStyle, place: Place, text: string, shift = 0): void {
  const { x, y } = PLACES[place];
  writeText(doc, style, text, x, y + shift, { lineBreak: false });
}

function right(doc: Doc, style: TextStyle, place: 'figure' | 'number', text: string): void {
  const { x, y } = PLACES[place];
  writeText(doc, style, text, x - textWidth(doc, style, text), y, { lineBreak: false });
}

function line(doc: Doc, x: number, y: number, width: number): void {
  doc.moveTo(x, y).lineTo(x + width, y).lineWidth(0.5).strokeColor(INK).stroke();
}

function drawCheck(doc: Doc, check: CheckPaper, has_micr: boolean): void {
  if (check.blank) drawBlank(doc, check, check.blank);
  put(doc, TEXT, 'date', check.date);
  put(doc, BOLD, 'payee', check.payee);
  right(doc, BOLD, 'figure', check.figure);
  check.words.forEach((words, k) => put(doc, TEXT, 'words', words, k * 13));
  [check.payee, ...check.address].slice(0, 5).forEach((one, k) => put(doc, TEXT, 'address', one, k * 11));
  put(doc, SMALL, 'memo', check.memo);
  signatureLine(doc, 'signature');
  if (check.signatures === 2) signatureLine(doc, 'second');
  if (check.micr !== null && has_micr) {
    doc.font('micr').fontSize(12).fillColor(INK);
    doc.text(check.micr, PLACES.micr.x, PLACES.micr.y, { lineBreak: false });
  }
  if (check.across !== null) drawAcross(doc, check.across);
  drawStub(doc, check, PART);
  drawStub(doc, check, 2 * PART);
}

function signatureLine(doc: Doc, place: 'signature' | 'second'): void {
  line(doc, PLACES[place].x, PLACES[place].y, 200);
  put(doc, { ...SMALL, size: 6 }, place, 'Signature', 2);
}

function drawBlank(doc: Doc, { number }: CheckPaper, { house, bank }: NonNullable<CheckPaper['blank']>): void {
  house.slice(0, 4).forEach((one, k) => put(doc, k === 0 ? BOLD : SMALL, 'house', one, k === 0 ? 0 : 4 + k * 10));
  bank.slice(0, 3).forEach((one, k) => put(doc, SMALL, 'bank', one, k * 10));
  right(doc, BOLD, 'number', number);
  put(doc, { ...SMALL, size: 6 }, 'payee', 'Pay to the order of', -9);
  line(doc, PLACES.payee.x, PLACES.payee.y + 15, 420);
  line(doc, PLACES.words.x, PLACES.words.y + 13, 556);
}

/** Pale and slanted, over the check and not over the stubs. */
function drawAcross(doc: Doc, text: string): void {
  doc.save();
  doc.rotate(-12, { origin: [SHEET.width / 2, PART / 2] });
  const style: TextStyle = { face: 'bold', size: 46, color: '#b4b4b4' };
  doc.fillOpacity(0.6);
  writeText(doc, style, text, (SHEET.width - textWidth(doc, style, text)) / 2, PART / 2 - 26, { lineBreak: false });
  doc.fillOpacity(1);
  doc.restore();
}

function drawStub(doc: Doc, { label, date, payee, memo, stub }: CheckPaper, top: number): void {
  const at = (style: TextStyle, text: string, x: number, y: number): void =>
    writeText(doc, style, text, x, top + y, { lineBreak: false });
  const amount = (style: TextStyle, text: string, y: number): void =>
    at(style, text, 580 - textWidth(doc, style, text), y);
  at(BOLD, payee, 24, 18);
  at(SMALL, label, 400, 20);
  amount(SMALL, date, 20);
  const room = STUB_ROWS - stub.sums.length;
  const fits = stub.rows.length <= room ? stub.rows.length : room - 1;
  const more: StubRow[] = fits < stub.rows.length ? [['', `and ${stub.rows.length - fits} more`, '']] : [];
  [...stub.rows.slice(0, fits), ...more, ...stub.sums].forEach(([day, document, sum], k) => {
    at(SMALL, day, 24, 44 + k * 13);
    at(SMALL, document, 110, 44 + k * 13);
    amount(SMALL, sum, 44 + k * 13);
  });
  line(doc, 24, top + 206, 556);
  at(SMALL, memo, 24, 214);
  amount(BOLD, stub.total, 212);
}

/** A box for each field and a ruler in millimeters along two edges of the check. */
function drawAlignment(doc: Doc): void {
  doc.rect(0, 0, SHEET.width, PART).lineWidth(0.5).strokeColor(INK).stroke();
  for (const [name, { x, y }] of Object.entries(PLACES)) {
    const isRight = name === 'figure' || name === 'number';
    doc.rect(isRight ? x - 90 : x, y, 90, 11).lineWidth(0.4).stroke();
    writeText(doc, { ...SMALL, size: 6 }, name, (isRight ? x - 90 : x) + 2, y + 2, { lineBreak: false });
  }
  for (let mm = 0; mm * MM < SHEET.width; mm += 5) {
    doc.moveTo(mm * MM, 0).lineTo(mm * MM, mm % 10 === 0 ? 8 : 4).lineWidth(0.3).stroke();
    if (mm * MM < PART) doc.moveTo(0, mm * MM).lineTo(mm % 10 === 0 ? 8 : 4, mm * MM).stroke();
  }
  writeText(doc, TEXT, 'Hold this page and a check form against the light. Enter how far the boxes are from the fields '
    + 'of the form, in millimeters: to the right and down above zero.', 24, PART + 30, { width: 560 });
}
