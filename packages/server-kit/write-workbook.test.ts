/** The workbook that is written: amounts, days and texts as they are, under a limit that fits in memory. */
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveDirectory, packedBytes } from './archive-directory.ts';
import { readWorkbook } from './workbook.ts';
import { workbook, workbookRows, type SheetCell } from './write-workbook.ts';

const text = (words: string): SheetCell => ({ kind: 'text', text: words });
const money = (amount: string, currency?: string): SheetCell =>
  ({ kind: 'money', text: amount, ...currency === undefined ? {} : { currency } });

async function fileOf(name: string, header: readonly string[], cells: readonly SheetCell[][]): Promise<Buffer> {
  async function* rows(): AsyncGenerator<readonly SheetCell[]> { yield* cells; }
  const pieces: Buffer[] = [];
  for await (const piece of workbook(name, header, rows())) pieces.push(piece);
  return Buffer.concat(pieces);
}

function partOf(file: Buffer, wanted: string): string {
  const entry = archiveDirectory(file, 100)!.find(({ name }) => name === wanted)!;
  return inflateRawSync(packedBytes(file, entry)!).toString();
}

describe('the workbook', () => {
  test('texts stay texts, whatever they begin with or are called', async () => {
    const typed = ['=1+1', '+44 20', '-', '@house', '  two spaces', 'constructor', '__proto__', 'toString',
      'a & <b> "c"', 'Doll’s House 中文'];
    const file = await fileOf('Sums/2026', ['Text'], [...typed, 'broken\u0001\ud800'].map((one) => [text(one)]));
    const [sheet] = await readWorkbook(file);
    expect(sheet!.name).toBe('Sums 2026');
    expect(sheet!.rows.slice(1, -1).map(([first]) => first!.trim())).toEqual(typed.map((one) => one.trim()));
    expect(sheet!.rows.at(-1)![0]).toMatch(/^broken/);
    expect(partOf(file, 'xl/worksheets/sheet1.xml')).not.toContain('<f>');
  });

  test('numbers are numbers, amounts in the format of their currency, days and instants dates', async () => {
    const file = await fileOf('Amounts', ['Dollar', 'Pound', 'Euro', 'Other', 'None', 'Count', 'Day', 'Instant'], [
      [money('9007199254740.99', 'USD'), money('-0.05', 'GBP'), money('1234.50', 'EUR'), money('1.00', 'CAD'),
        money('2.00'), { kind: 'number', text: '7' }, { kind: 'day', text: '2026-11-22' },
        { kind: 'instant', text: '2026-11-22T08:30:00Z' }], [text(''), money('3.00', 'USD')]]);
    const [sheet] = await readWorkbook(file);
    const { rows } = sheet!;
    expect(rows[1]).toEqual(['9007199254740.99', '-0.05', '1234.5', '1', '2', '7', '2026-11-22', '2026-11-22 08:30']);
    const styles = partOf(file, 'xl/styles.xml');
    for (const format of ['[$$-409]#,##0.00', '[$£-809]#,##0.00', '[$€-2]#,##0.00', '#,##0.00 [$CAD]', 'yyyy-mm-dd']) {
      expect(styles).toContain(`formatCode="${format}"`);
    }
    expect(partOf(file, 'xl/worksheets/sheet1.xml')).toMatch(/<c r="A2"[^>]*><v>9007199254740.99<\/v>/);
  });

  test('holds 100,000 rows, of many columns fewer', () => {
    expect([workbookRows(3), workbookRows(15), workbookRows(30)]).toEqual([100_000, 100_000, 50_000]);
  });

  test('a list that fails leaves no thread behind', async () => {
    async function* rows(): AsyncGenerator<readonly SheetCell[]> {
      yield [text('one')];
      throw new Error('cancelled');
    }
    await expect(async () => { for await (const _ of workbook('List', ['A'], rows())); }).rejects.toThrow('cancelled');
  });
});
