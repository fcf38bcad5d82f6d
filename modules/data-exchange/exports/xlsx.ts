/**
 * A workbook of one sheet as a stream: rows are written as they come, so memory does not grow with them. The parts of
 * the file (ECMA-376) are packed as an archive whose sizes follow each part (APPNOTE.TXT 4.3.9); texts are inline
 * strings, which no spreadsheet runs as a formula.
 */
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { Cell } from './export-cells.ts';

/** Rows of a sheet, the heading included. */
export const SHEET_ROWS = 1_048_576;
/** Characters of a cell. */
const CELL_LENGTH = 32_767;
const DAY_MS = 86_400_000;
/** Day 0 of a spreadsheet is 30 December 1899. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const STYLE = { text: 0, number: 0, money: 1, day: 2, instant: 3, head: 4 } as const;
const CHUNK = 64 * 1024;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const PARTS: readonly [name: string, content: string][] = [
  ['[Content_Types].xml', `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="`
    + `application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="`
    + `application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override `
    + `PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" `
    + `ContentType="${TYPES}.styles+xml"/></Types>`],
  ['_rels/.rels', `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" `
    + `Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`],
  ['xl/_rels/workbook.xml.rels', `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" `
    + `Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" `
    + `Type="${OFFICE}/relationships/styles" Target="styles.xml"/></Relationships>`],
  ['xl/styles.xml', `${XML}<styleSheet xmlns="${SHEET}"><numFmts count="2"><numFmt numFmtId="164" formatCode="`
    + 'yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font>'
    + '<sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    + '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    + '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5">'
    + '<xf/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" '
    + 'applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>'],
];

const escaped = (text: string): string => text.slice(0, CELL_LENGTH).toWellFormed()
  // oxlint-disable-next-line no-control-regex -- XML cannot hold these characters at all: they are taken out
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const serial = (instant: string): number => (Date.parse(instant) - DAY_ZERO) / DAY_MS;

/** A, B … Z, AA: programs that read workbooks go by the address of each cell. */
function columnName(at: number): string {
  return at < LETTERS ? String.fromCharCode(FIRST_LETTER + at)
    : columnName(Math.floor(at / LETTERS) - 1) + columnName(at % LETTERS);
}
const LETTERS = 26;
const FIRST_LETTER = 65;

function textXml(at: string, text: string, style: number): string {
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

function cellXml({ kind, text }: Cell, at: string): string {
  switch (kind) {
    case 'text': return text === '' ? '' : textXml(at, text, STYLE.text);
    // The decimal text itself: no detour over a float.
    case 'number': case 'money': return `<c r="${at}" s="${STYLE[kind]}"><v>${text}</v></c>`;
    case 'day': return `<c r="${at}" s="${STYLE.day}"><v>${serial(`${text}T00:00:00Z`)}</v></c>`;
    case 'instant': return `<c r="${at}" s="${STYLE.instant}"><v>${serial(text)}</v></c>`;
  }
}

async function* sheetXml(header: readonly string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  let text = `${XML}<worksheet xmlns="${SHEET}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" `
    + 'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr '
    + 'defaultColWidth="18" defaultRowHeight="15"/><sheetData><row r="1">'
    + `${header.map((title, at) => textXml(`${columnName(at)}1`, title, STYLE.head)).join('')}</row>`;
  let no = 1;
  for await (const row of rows) {
    no += 1;
    text += `<row r="${no}">${row.map((cell, at) => cellXml(cell, `${columnName(at)}${no}`)).join('')}</row>`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData></worksheet>`;
}

interface Packed { name: string; crc: number; packed: number; size: number; at: number }

/** Little-endian fields: `[bytes, value]`. */
function record(...fields: readonly (readonly [2 | 4, number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

// Sizes follow the part (bit 3), names are UTF-8 (bit 11), content is deflated.
const FLAGS = [[2, 20], [2, 0x0808], [2, 8], [4, 0x00210000]] as const;

async function* archive(
  parts: Iterable<readonly [string, AsyncIterable<string> | Iterable<string>]>,
): AsyncGenerator<Buffer> {
  const done: Packed[] = [];
  let at = 0;
  for (const [name, content] of parts) {
    const entry: Packed = { name, crc: 0, packed: 0, size: 0, at };
    const head = Buffer.concat([record([4, 0x04034b50], ...FLAGS, [4, 0], [4, 0], [4, 0], [2, Buffer.byteLength(name)],
      [2, 0]), Buffer.from(name)]);
    yield head;
    for await (const chunk of deflated(content, entry)) yield chunk;
    const foot = record([4, 0x08074b50], [4, entry.crc], [4, entry.packed], [4, entry.size]);
    yield foot;
    at += head.length + entry.packed + foot.length;
    done.push(entry);
  }
  const central = Buffer.concat(done.flatMap((entry) => [record([4, 0x02014b50], [2, 20], ...FLAGS, [4, entry.crc],
    [4, entry.packed], [4, entry.size], [2, Buffer.byteLength(entry.name)], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0],
    [4, entry.at]), Buffer.from(entry.name)]));
  yield central;
  yield record([4, 0x06054b50], [2, 0], [2, 0], [2, done.length], [2, done.length], [4, central.length], [4, at],
    [2, 0]);
}

async function* deflated(content: AsyncIterable<string> | Iterable<string>, entry: Packed): AsyncGenerator<Buffer> {
  const source = Readable.from((async function* bytes() {
    for await (const text of content) {
      const chunk = Buffer.from(text);
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  })());
  const packer = createDeflateRaw();
  source.on('error', (error) => packer.destroy(error));
  for await (const chunk of source.pipe(packer) as AsyncIterable<Buffer>) {
    entry.packed += chunk.length;
    yield chunk;
  }
}

/** The workbook as bytes; `name` is the sheet's. */
export function workbook(
  name: string, header: readonly string[], rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<Buffer> {
  const sheet = escaped(name.replace(/[[\]*?/\\:]/g, ' ').slice(0, 31).trim() || 'List');
  const book = `${XML}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="${sheet}" `
    + 'sheetId="1" r:id="rId1"/></sheets></workbook>';
  return archive([...PARTS.map(([part, content]) => [part, [content]] as const), ['xl/workbook.xml', [book]],
    ['xl/worksheets/sheet1.xml', sheetXml(header, rows)]]);
}
