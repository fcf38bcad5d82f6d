/** Values as cells of a file, and the workbook that holds them. */
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { headingOf } from '#kit/heading.ts';
import { cellOf, type Cell } from './export-cells.ts';
import { workbook } from './xlsx.ts';

describe('cells', () => {
  test.each([
    ['total_minor', 123_450, { kind: 'money', text: '1234.50' }],
    ['total_minor', -5, { kind: 'money', text: '-0.05' }],
    ['total_minor', 900_719_925_474_099, { kind: 'money', text: '9007199254740.99' }],
    ['rate_ppm', 125_000, { kind: 'number', text: '12.5' }],
    ['seats', 0, { kind: 'number', text: '0' }],
    ['phase', 'in_production', { kind: 'text', text: 'In production' }],
    ['currency', 'USD', { kind: 'text', text: 'USD' }],
    ['name', 'arcadia', { kind: 'text', text: 'arcadia' }],
    ['active', false, { kind: 'text', text: 'No' }],
    ['issued_on', '2026-11-22', { kind: 'day', text: '2026-11-22' }],
    ['created_at', '2026-11-22T08:00:00.5Z', { kind: 'instant', text: '2026-11-22T08:00:00.5Z' }],
    ['teams', [{ id: 1, name: 'East' }, { id: 2, name: 'West' }], { kind: 'text', text: 'East; West' }],
    ['address.locality', 'boston', { kind: 'text', text: 'boston' }],
    ['divisions', ['US', 'UK'], { kind: 'text', text: 'US; UK' }],
    ['paid_on', null, { kind: 'text', text: '' }],
  ])('%s %j', (field, value, cell) => { expect(cellOf(field, value)).toEqual(cell); });

  test('headings are the field in words', () => {
    expect(['grand_total_minor', 'rate_ppm', 'first_performance_on'].map(headingOf))
      .toEqual(['Grand total', 'Rate, percent', 'First performance on']);
  });
});

/** The parts of an archive whose sizes stand in its directory. */
function unpack(file: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const length = file.readUInt16LE(at + 28);
    const start = file.readUInt32LE(at + 42) + 30 + length;
    const content = inflateRawSync(file.subarray(start, start + file.readUInt32LE(at + 20)));
    expect(content.length).toBe(file.readUInt32LE(at + 24));
    parts.set(file.toString('utf8', at + 46, at + 46 + length), content.toString());
    at += 46 + length;
  }
  return parts;
}

describe('the workbook', () => {
  test('holds amounts as they are, days as days, and texts that nothing runs', async () => {
    async function* rows(): AsyncGenerator<Cell[]> {
      yield [{ kind: 'text', text: '=1+1 & <"\u0001' }, { kind: 'money', text: '9007199254740.99' },
        { kind: 'day', text: '2026-11-22' }];
      yield [{ kind: 'text', text: '' }, { kind: 'number', text: '7' },
        { kind: 'instant', text: '1900-01-01T12:00:00Z' }];
    }
    const pieces: Buffer[] = [];
    for await (const piece of workbook('Sums/2026', ['A', 'B', 'C'], rows())) pieces.push(piece);
    const parts = unpack(Buffer.concat(pieces));
    expect(parts.get('xl/workbook.xml')).toContain('sheet name="Sums 2026"');
    const sheet = parts.get('xl/worksheets/sheet1.xml')!;
    expect(sheet).toContain('<is><t xml:space="preserve">=1+1 &amp; &lt;&quot;</t></is>');
    expect(sheet).toContain('<c r="B2" s="1"><v>9007199254740.99</v></c><c r="C2" s="2"><v>46348</v></c>');
    expect(sheet).toContain('<row r="3"><c r="B3" s="0"><v>7</v></c>'
      + '<c r="C3" s="3"><v>2.5</v></c></row></sheetData></worksheet>');
    expect(sheet).not.toContain('<f>');
  });
});
