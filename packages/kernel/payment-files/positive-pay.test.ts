import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import { ASCENDER_LAYOUT, CHASE_LAYOUT, layoutIssues, writePositivePay, type CheckEvent,
  type PositivePayLayout } from './positive-pay.ts';
import { issuesOf } from './testing.ts';

const ACCOUNT = '123456789';
const issue = (
  number: number, amount_minor: bigint, payee = 'Harbor Press', more: Partial<CheckEvent> = {},
): CheckEvent =>
  ({ event: 'issue', number, on: '2026-11-25', amount_minor, payee, ...more });
const voided = (number: number, amount_minor: bigint): CheckEvent =>
  issue(number, amount_minor, 'Harbor Press', { event: 'void', on: '2026-11-26' });
const write = (events: readonly CheckEvent[], layout: PositivePayLayout = CHASE_LAYOUT) =>
  writePositivePay(events, ACCOUNT, layout, '2026-11-26');

describe('positive pay', () => {
  test('Chase: own example; the void stands behind its issue', () => {
    const { text, changes } = write([voided(1003, 60_000n), issue(1004, 12_345n, 'Zoë, "Rights" & Sons'),
      issue(1003, 60_000n)]);
    expect(text).toBe(`I,${ACCOUNT},1003,112526,600.00,Harbor Press\r\nC,${ACCOUNT},1003,112626,600.00,Harbor Press\r\n`
      + `I,${ACCOUNT},1004,112526,123.45,Zoe Rights & Sons\r\n`);
    expect(changes.map(({ kinds }) => kinds)).toEqual([['letters'], ['symbols']]);
  });

  test('Ascender: 100 characters at the positions of the page', () => {
    const { text } = write([issue(1003, 60_000n), voided(1003, 60_000n)], ASCENDER_LAYOUT);
    expect(text?.split('\r\n')).toEqual([
      `000123456789${' '.repeat(3)}000000100300000006000020261125 ${'Harbor Press'.padEnd(54)}`,
      `0001234567892${' '.repeat(2)}000000100300000006000020261126 ${'Harbor Press'.padEnd(54)}`, '']);
    expect(text?.split('\r\n')[0]).toHaveLength(100);
  });

  test('a defined layout with counts and the total of issues less voids', () => {
    const layout: PositivePayLayout = { ...CHASE_LAYOUT, delimiter: '|', amount: 'implied', date: 'YYYY-MM-DD',
      header: [{ field: 'text', width: null, text: 'H' }, { field: 'account', width: null },
        { field: 'date', width: null }],
      trailer: [{ field: 'issues', width: null }, { field: 'voids', width: null }, { field: 'count', width: null },
        { field: 'total', width: 10, align: 'right', pad: '0' }] };
    const lines = write([issue(1, 500n), issue(2, 300n), voided(2, 300n)], layout).text?.split('\r\n');
    expect([lines?.[0], lines?.[4]]).toEqual([`H|${ACCOUNT}|2026-11-26`, '2|1|3|500']);
  });

  test('refused: twice the same, another amount, too wide, nothing', () => {
    expect(issuesOf(write([issue(1, 5n), issue(1, 5n)])))
      .toEqual(['items: Check 1 (Harbor Press): it is issued twice.']);
    expect(issuesOf(write([issue(1, 5n), voided(1, 6n)])))
      .toEqual(['amount: Check 1 (Harbor Press): it is issued over 0.05 and voided over 0.06.']);
    expect(issuesOf(write([issue(1, 1_000_000_000_000n)], ASCENDER_LAYOUT)))
      .toEqual(['amount: Check 1 (Harbor Press): “1000000000000” is longer than the 12 characters of its column.']);
    expect(issuesOf(write([]))).toEqual(['items: No check was issued or voided.']);
  });

  test('a layout that cannot be written says why', () => {
    const wrong = { ...CHASE_LAYOUT, delimiter: 'a', codes: { issue: 'I', void: 'I' },
      columns: [{ field: 'count' as const, width: 0 }] };
    expect(layoutIssues(wrong)).toHaveLength(6);
    expect([layoutIssues(CHASE_LAYOUT), layoutIssues(ASCENDER_LAYOUT)]).toEqual([[], []]);
  });

  test('every line has the columns of the layout, and issues less voids are the register', () => {
    const events = fc.uniqueArray(fc.record({ number: fc.integer({ min: 1, max: 999_999 }),
      amount: fc.bigInt(1n, 10_000_000n), isVoid: fc.boolean(),
      payee: fc.string({ unit: fc.constantFrom('a', ',', '"', 'é', ' '), maxLength: 60 }) }),
    { minLength: 1, maxLength: 20, selector: ({ number }) => number });
    fc.assert(fc.property(events, (all) => {
      const written = all.flatMap(({ number, amount, payee, isVoid }) =>
        [issue(number, amount, payee), ...(isVoid ? [voided(number, amount)] : [])]);
      const result = write(written);
      const rows = (result.text ?? '').split('\r\n').slice(0, -1).map((line) => line.split(','));
      expect(rows.every((row) => row.length === 6 && (row[5]?.length ?? 99) <= 40)).toBe(true);
      expect(result.text === null ? 0n : result.issued_minor - result.voided_minor)
        .toBe(sum(all.filter(({ isVoid }) => !isVoid).map(({ amount }) => amount)));
    }), { numRuns: 100 });
  });
});
