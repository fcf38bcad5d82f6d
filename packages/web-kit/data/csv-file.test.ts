/** The file that a list is exported to: quoting, formulas, its name. */
import { describe, expect, it } from 'vitest';
import { csvText, fileNameOf, safeCell } from './csv-file.ts';

describe('CSV file', () => {
  it('has a UTF-8 mark, quotes where it must and ends each line with CR LF', () => {
    expect(csvText(['Name', 'Total'], [['Hall, "Old"', '1234.50'], ['two\nlines', '']]))
      .toBe('\uFEFFName,Total\r\n"Hall, ""Old""",1234.50\r\n"two\nlines",\r\n');
  });
  it.each(['=SUM(A1)', '+1 house', '-house', '@cmd', '\tx', '\rx'])('holds back %j', (text) => {
    expect(safeCell(text)).toBe(`'${text}`);
  });
  it.each(['-12.50', '1234.50', 'Savoy', '', 'a=b'])('leaves %j as it is', (text) => {
    expect(safeCell(text)).toBe(text);
  });
  it('is named after the list and the day', () => {
    expect(fileNameOf('Royalty statements', '2026-11-21')).toBe('royalty-statements-2026-11-21.csv');
    expect(fileNameOf('Théâtre / venues', '2026-11-21')).toBe('theatre-venues-2026-11-21.csv');
  });
});
