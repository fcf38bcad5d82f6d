import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, diffDays } from '../calendar/calendar.ts';
import {
  changeOf, mergedLines, monthsOf, spanBefore, spanLastYear, statementColumns, type StatementLine,
} from './statement-columns.ts';

const span = (from: string, to: string) => ({ from, to });
const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
const days = fc.tuple(day, fc.integer({ min: 0, max: 800 })).map(([from, more]) => span(from, addDays(from, more)));

describe('days beside each other', () => {
  it('keeps whole months whole and moves other days by their number', () => {
    expect(spanBefore(span('2026-04-01', '2026-06-30'))).toEqual(span('2026-01-01', '2026-03-31'));
    expect(spanBefore(span('2026-03-01', '2026-03-31'))).toEqual(span('2026-02-01', '2026-02-28'));
    expect(spanBefore(span('2026-03-10', '2026-03-12'))).toEqual(span('2026-03-07', '2026-03-09'));
    expect(spanLastYear(span('2025-02-01', '2025-02-28'))).toEqual(span('2024-02-01', '2024-02-29'));
    expect(spanLastYear(span('2024-02-29', '2024-03-15'))).toEqual(span('2023-02-28', '2023-03-15'));
  });

  it('the period before ends the day before and is as long', () => {
    fc.assert(fc.property(days, (of) => {
      const before = spanBefore(of);
      expect(addDays(before.to, 1)).toBe(of.from);
      if (of.from.slice(8) !== '01') expect(diffDays(before.from, before.to)).toBe(diffDays(of.from, of.to));
    }));
  });

  it('months are the days, each once', () => {
    fc.assert(fc.property(days, (of) => {
      const months = monthsOf(of);
      expect([months[0]!.from, months.at(-1)!.to]).toEqual([of.from, of.to]);
      months.slice(1).forEach((month, index) => expect(month.from).toBe(addDays(months[index]!.to, 1)));
    }));
  });

  it('a balance has no sum of months, and its period before is the month before', () => {
    const year = span('2026-01-01', '2026-03-31');
    const of = (compare: 'months' | 'previous_period' | 'last_year' | 'periods', ofDay: boolean) =>
      statementColumns(year, { compare, periods: 3, ofDay }).map((one) => one.to);
    expect(of('months', true)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
    expect(of('months', false)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-03-31']);
    expect(of('previous_period', true)).toEqual(['2026-03-31', '2026-02-28']);
    expect(of('periods', true)).toEqual(['2026-03-31', '2026-02-28', '2026-01-31']);
    expect(of('periods', false)).toEqual(['2026-03-31', '2025-12-31', '2025-09-30']);
    expect(of('last_year', true)).toEqual(['2026-03-31', '2025-03-31']);
  });
});

describe('one table of several columns', () => {
  const line = (code: string, minor: bigint, group = 'revenue'): StatementLine =>
    ({ kind: 'line', key: `${group}:${code}`, group, title: code, code, minor });
  const head = (group: string): StatementLine =>
    ({ kind: 'group', key: `group:${group}`, group, title: group, code: null, minor: 0n });
  const total = (group: string, minor: bigint): StatementLine =>
    ({ kind: 'sum', key: `sum:${group}`, group, title: group, code: null, minor });

  it('puts accounts of one column only in their place by code', () => {
    const rows = mergedLines([
      [head('revenue'), line('4000', 5n), line('4030', 7n), total('revenue', 12n), total('net', 12n)],
      [head('revenue'), line('4010', 2n), line('4030', 3n), total('revenue', 5n), head('costs'),
        line('6000', 1n, 'costs'), total('costs', 1n), total('net', 4n)]]);
    expect(rows.map((row) => [row.key, ...row.amounts])).toEqual([['group:revenue', 0n, 0n],
      ['revenue:4000', 5n, 0n], ['revenue:4010', 0n, 2n], ['revenue:4030', 7n, 3n], ['sum:revenue', 12n, 5n],
      ['group:costs', 0n, 0n], ['costs:6000', 0n, 1n], ['sum:costs', 0n, 1n], ['sum:net', 12n, 4n]]);
  });

  it('begins a part that only a later column has where the part before it ends', () => {
    const flow = (key: string): StatementLine => ({ ...line('1', 1n, 'changes'), key, code: null });
    const rows = mergedLines([[head('changes'), flow('due'), flow('vat')],
      [head('changes'), flow('due'), head('differences'), { ...flow('rounding'), group: 'differences' }]]);
    expect(rows.map((row) => row.key)).toEqual(['group:changes', 'due', 'vat', 'group:differences', 'rounding']);
  });

  it('loses no figure: every column sums to what its lines sum to', () => {
    const lines = fc.array(fc.tuple(fc.integer({ min: 4000, max: 4020 }), fc.bigInt({ min: -99n, max: 99n })))
      .map((of) => [...new Map(of)].toSorted(([a], [b]) => a - b)
        .map(([code, minor]) => line(String(code), minor)));
    fc.assert(fc.property(fc.array(lines, { minLength: 1, maxLength: 4 }), (columns) => {
      const rows = mergedLines(columns);
      columns.forEach((column, at) => expect(rows.reduce((all, row) => all + row.amounts[at]!, 0n))
        .toBe(column.reduce((all, one) => all + one.minor, 0n)));
      expect(rows.map((row) => row.code)).toEqual(rows.map((row) => row.code).toSorted());
    }));
  });
});

it('a change is in tenths of a percent of the earlier figure, and has none where that was nothing', () => {
  expect(changeOf(15_000n, 10_000n)).toEqual({ minor: 5_000n, permille: 500n });
  expect(changeOf(-5_000n, -10_000n)).toEqual({ minor: 5_000n, permille: 500n });
  expect(changeOf(1n, 3n)).toEqual({ minor: -2n, permille: -667n });
  expect(changeOf(5n, 0n)).toEqual({ minor: 5n, permille: null });
});
