/** Values as cells of a file. */
import { describe, expect, test } from 'vitest';
import { headingOf } from '#kit/heading.ts';
import { cellOf } from './export-cells.ts';

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

  test('amounts carry the currency of their row, those of the books do not', () => {
    expect(cellOf('total_minor', 1250, 'GBP')).toEqual({ kind: 'money', text: '12.50', currency: 'GBP' });
    expect(cellOf('base_minor', 1250, 'GBP')).toEqual({ kind: 'money', text: '12.50' });
  });

  test('headings are the field in words', () => {
    expect(['grand_total_minor', 'rate_ppm', 'first_performance_on'].map(headingOf))
      .toEqual(['Grand total', 'Rate, percent', 'First performance on']);
  });
});
