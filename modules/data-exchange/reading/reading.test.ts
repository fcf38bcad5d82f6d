// cspell:ignore Łódź
/** Files as they come: encodings, delimiters, heads, what is no text; real nasty ones where they are at hand. */
import { parse } from 'csv-parse/sync';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '#kit/errors.ts';
import { nastyFolder } from '#tests/support/broadway.ts';
import { csvStream, safeCell } from '#server/csv.ts';
import { sheetRows, type Dialect } from './csv-rows.server.ts';
import { detectShape, endsOpen } from './csv-shape.server.ts';
import { Readings } from './readings.ts';
import { detectEncoding } from './text-encoding.server.ts';

async function rowsOf(content: Buffer, dialect: Dialect) {
  const rows = [];
  for await (const row of sheetRows(content, dialect)) rows.push(row);
  return rows;
}

async function refusal(content: Buffer): Promise<string> {
  try {
    const shape = await detectShape(content, ',');
    return `read ${shape.rows_total}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.errors?.file?.[0] ?? error.message;
  }
}

const TEXT = 'Week ending,Show,Théâtre,Gross\n2026-11-15,Ruddigore,Opéra,12.50\n';
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('encodings', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
    ['UTF-16 with a mark', wide(`\uFEFF${TEXT}`), 'utf-16le'],
    ['UTF-16 big-endian with a mark', wide(`\uFEFF${TEXT}`).swap16(), 'utf-16be'],
    ['UTF-16 without a mark', wide(TEXT), 'utf-16le'],
    ['Windows Latin', Buffer.from(TEXT, 'latin1'), 'windows-1252'],
  ] as const)('%s', async (_name, content, encoding) => {
    const shape = await detectShape(content, ',');
    expect(shape).toMatchObject({ encoding, rows_total: 1, header: ['Week ending', 'Show', 'Théâtre', 'Gross'] });
    expect((await rowsOf(content, shape))[1]?.cells).toEqual(['2026-11-15', 'Ruddigore', 'Opéra', '12.50']);
  });
});

describe('shape', () => {
  test.each([[','], [';'], ['\t'], ['|']] as const)('delimiter %j', async (delimiter) => {
    const text = `date${delimiter}show${delimiter}gross\n1${delimiter}"a, b; c"${delimiter}3\n`;
    expect(await detectShape(Buffer.from(text), ',')).toMatchObject({ delimiter, rows_total: 1 });
  });

  test('heads below a preamble, rows numbered as a sheet numbers them, blank ones counted', async () => {
    const content = Buffer.from('Weekly return\n\nWeek ending,Show,Gross\n2026-11-15,Ruddigore,1\n,,\n'
      + '2026-11-22,Iolanthe,2\n');
    const shape = await detectShape(content, ',');
    expect(shape).toMatchObject({ header_row: 3, rows_total: 2 });
    expect((await rowsOf(content, shape)).map((row) => row.row_no)).toEqual([1, 3, 4, 6]);
  });

  test('lines that end with a carriage return alone', async () => {
    expect(await detectShape(Buffer.from('date,show\r1,a\r2,b\r'), ',')).toMatchObject({ rows_total: 2 });
  });

  test('a file cut off says so: no end of the last line, an open quotation mark', async () => {
    const cut = Buffer.from('date,show\n1,a\n2,"b');
    const shape = await detectShape(cut, ',');
    expect(endsOpen(cut)).toBe(true);
    expect((await rowsOf(cut, shape)).at(-1)).toMatchObject({ row_no: 3, cut_off: true });
  });

  test('a quotation mark that swallows lines refuses the file and names the row', async () => {
    expect(await refusal(Buffer.from('date,show\n1,"a\n2,b\n3,c\n4,d\n')))
      .toBe('A quotation mark in row 2 is never closed; what follows cannot be read.');
  });

  test('a few damaged bytes make a UTF-8 file no other one; one that is Windows Latin throughout is', () => {
    const good = Buffer.from('Zoë;Łódź;Café;Señor;Ærø\n');
    expect(detectEncoding(Buffer.concat([good, Buffer.from([0xe9, 0x3b, 0x0a])]))).toBe('utf-8');
    expect(detectEncoding(Buffer.from('Zoë;Café;Señor', 'latin1'))).toBe('windows-1252');
  });
});

describe('dates and numbers from the whole column', () => {
  const cells = (type: 'date' | 'amount' | 'count' | 'percent', ...texts: string[]): Readings => {
    const readings = new Readings({ it: type });
    texts.forEach((text, n) => readings.add({ field: 'it', column: 'It', row_no: n + 2, text }));
    return readings;
  };

  test.each([
    [['1/2/2026', '25/12/2026'], 'DD/MM/YYYY'], [['1/2/2026', '12/25/2026'], 'MM/DD/YYYY'],
    [['01.02.2026'], 'DD.MM.YYYY'], [['05/05/2026'], 'MM/DD/YYYY'], [['2026-11-15'], 'MM/DD/YYYY'],
    [['next week'], 'MM/DD/YYYY'], [['25/12/2026', 'next week', '1/2/2026'], 'DD/MM/YYYY'],
  ])('%j are read as %s', (texts, format) => {
    expect(cells('date', ...texts).dates('MM/DD/YYYY').value).toBe(format);
  });

  test.each([[['08/11/2026']], [['08/11/2026', '09/11/2026', 'n/a']], [['25/12/2026', '12/25/2026']]])(
    '%j can be read in two ways: a person is asked, with both', (texts) => {
      const { value, options } = cells('date', ...texts).dates('DD/MM/YYYY');
      expect(value).toBeNull();
      expect(options.map((one) => one.value)).toEqual(['DD/MM/YYYY', 'MM/DD/YYYY']);
    });

  test.each([
    ['amount', ['1.234,50'], 'comma'], ['amount', ['1,234.50'], 'point'], ['amount', ['1234'], 'point'],
    ['amount', ['41.260', '12,50'], 'comma'], ['amount', ['41.260', '12.5'], 'point'],
    ['amount', ['41.265', '88,6'], 'comma'],
    ['amount', ['12.50', '1.005'], 'point'],
    ['amount', ['1,234'], 'point'], ['count', ['1.842', '1.234.567'], 'comma'], ['count', ['1,842'], 'point'],
    ['percent', ['88,6'], 'comma'], ['amount', ['(1.234,50)', '-3'], 'comma'],
  ] as const)('%s %j is read with a decimal %s', (type, texts, style) => {
    expect(cells(type, ...texts).numbers('point').value).toBe(style);
  });

  test.each([[['41.260']], [['41.265']], [['1,230']], [['12.50', '12,50']]])('%j can be read in two ways', (texts) => {
    const { value, options } = cells('amount', ...texts).numbers('point');
    expect(value).toBeNull();
    expect(options.map((one) => one.value)).toEqual(['point', 'comma']);
  });

  test('both readings stand beside the cell', () => {
    expect(cells('amount', '41.260').numbers('point').options).toMatchObject([
      { value: 'point', samples: [{ row_no: 2, text: '41.260', read: '41.26' }] },
      { value: 'comma', samples: [{ row_no: 2, text: '41.260', read: '41260' }] }]);
  });
});

describe('what is no table of text is refused in words', () => {
  test.each([
    ['an empty file', Buffer.alloc(0), 'The file is empty.'],
    ['a damaged workbook', Buffer.from('PK\u0003\u0004rest'), /^This is an archive or a damaged workbook.* as CSV/],
    ['xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), /^This is an old Excel file/],
    ['a web page named xls', Buffer.from('<html><table><tr><td>1'), /^This is a web page/],
    ['PDF', Buffer.from('%PDF-1.7'), /^This is a PDF/],
    ['JSON', Buffer.from('[{"a":1}]'), /^This is JSON/],
    ['NUL bytes', Buffer.from('a,b\n1,\u00002\n'), /^Line 2 holds a NUL byte/],
    ['heads alone', Buffer.from('date,show,gross\n'), /no rows below/],
  ] as const)('%s', async (_name, content, words) => {
    expect(await refusal(content)).toMatch(words);
  });
});

describe('CSV that leaves the house', () => {
  test('no cell starts a formula, numbers stay numbers, our own reader undoes it', async () => {
    const cells = ['=1+1', '+44 20', '-12.50', '-x', '@sum', '\tx', 'plain', 'a "b", c', ''];
    expect(cells.map(safeCell))
      .toEqual(["'=1+1", "'+44 20", '-12.50', "'-x", "'@sum", "'\tx", 'plain', 'a "b", c', '']);
    const chunks: Buffer[] = [];
    for await (const chunk of csvStream(['Head'], [[...cells]])) chunks.push(Buffer.from(chunk as string));
    const file = Buffer.concat(chunks);
    expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(file.toString()).toContain('"a ""b"", c"');
    const back = (await rowsOf(file, { encoding: 'utf-8', delimiter: ',' }))[1]!.cells;
    expect(back).toEqual(cells.map((cell) => cell.trimStart() === 'x' ? '\tx' : cell));
  });
});

const nasty = nastyFolder();
describe.skipIf(nasty === null)('75 files found in the wild', () => {
  test('each is read or refused in words, none breaks the reader', async () => {
    const results = await Promise.all(readdirSync(nasty!).map(async (file) =>
      [file, await refusal(readFileSync(join(nasty!, file)))] as const));
    expect(results.length).toBeGreaterThan(70);
    for (const [file, words] of results) expect(words, file).toMatch(/^read \d+$|\.$/);
    const of = (end: string): string => results.find(([file]) => file.endsWith(end))![1];
    expect(of('utf16-big.csv')).toBe('read 2');
    expect(of('mac-newlines.csv')).toBe('read 2');
    expect(of('excel_pasting.csv')).toBe('read 16');
    expect(of('span_rich.xls')).toMatch(/old Excel file/);
    expect(of('null_byte.csv')).toMatch(/NUL byte/);
    expect(of('dummy.csv.gz')).toMatch(/compressed/);
  });

  test('the spectrum reads as its expected answers say', async () => {
    for (const name of ['comma_in_quotes', 'escaped_quotes', 'utf8']) {
      const content = readFileSync(join(nasty!, `max-mapper+csv-spectrum__csvs__${name}.csv`));
      const expected = JSON.parse(readFileSync(join(nasty!, `max-mapper+csv-spectrum__json__${name}.json`), 'utf8'));
      const [head, ...rows] = await rowsOf(content, { encoding: 'utf-8', delimiter: ',' });
      const read = rows.map(({ cells }) => Object.fromEntries(head!.cells.map((key, n) => [key, cells[n]])));
      expect(read).toEqual(expected);
      expect(parse(content).length).toBe(rows.length + 1);
    }
  });
});
