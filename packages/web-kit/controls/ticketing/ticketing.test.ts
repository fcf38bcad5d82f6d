/** Ticketing reducer and totals: states S22-S24, rules R9-R14, R82-R86, constants C22, C23, C34, C83. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canEditTickets, NEW_TICKET, PRICE_PATTERN, ticketReducer, ticketText, ticketTotals, ticketValue,
} from './ticketing.ts';

const row = fc.record({
  number_of_seats: fc.integer({ min: 0, max: 5000 }),
  price: fc.integer({ min: 0, max: 99_999 }).map((minor) => minor / 100),
  weight: fc.integer({ min: 0, max: 100 }),
});
const rows = fc.array(row, { maxLength: 12 });

describe('ticketReducer', () => {
  test('[S22] [C23] add appends one row of zeros and keeps the rest', () => {
    expect(NEW_TICKET).toEqual({ number_of_seats: 0, price: 0, weight: 0 });
    fc.assert(fc.property(rows, (list) => {
      expect(ticketReducer(list, { type: 'add' })).toEqual([...list, NEW_TICKET]);
    }));
  });

  test('[S23] remove deletes exactly the row at the index', () => {
    fc.assert(fc.property(rows, fc.nat(11), (list, index) => {
      const rest = [...list.slice(0, index), ...list.slice(index + 1)];
      expect(ticketReducer(list, { type: 'remove', index })).toEqual(rest);
    }));
  });

  test('[S24] edit changes one field of one row and never the passed list', () => {
    fc.assert(fc.property(rows, fc.nat(11), (list, index) => {
      const before = structuredClone(list);
      const after = ticketReducer(list, { type: 'edit', index, field: 'weight', value: 7 });
      expect(list).toEqual(before);
      expect(after).toEqual(list.map((item, at) => (at === index ? { ...item, weight: 7 } : item)));
    }));
  });
});

describe('cells', () => {
  test('[R9] [C34] price texts', () => {
    for (const text of ['', '5', '5.', '5.1', '5.12', '007']) expect(PRICE_PATTERN.test(text)).toBe(true);
    for (const text of ['.', '.5', '5.123', '-1', '1e3', ' 5', '5,0']) {
      expect(ticketValue('price', text)).toBeUndefined();
    }
  });

  test('[R10] [C22] a price shows two decimals and comes back as the same number', () => {
    expect(ticketText('price', 5)).toBe('5.00');
    fc.assert(fc.property(fc.integer({ min: 0, max: 100_000_000 }), (minor) => {
      const text = `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
      expect(ticketText('price', ticketValue('price', text)!)).toBe(text);
    }));
  });

  test('[R11] [R12] [R13] seats and weight: decimals yes, negatives dropped, empty is 0', () => {
    expect(ticketValue('weight', '12.5')).toBe(12.5);
    expect(ticketValue('number_of_seats', '-4')).toBeUndefined();
    expect(ticketValue('weight', '-0.5')).toBeUndefined();
    for (const text of ['(4)', '-0', '(0)']) expect(ticketValue('number_of_seats', text), text).toBeUndefined();
    expect(ticketValue('number_of_seats', '')).toBe(0);
    expect(ticketValue('number_of_seats', 'many')).toBeUndefined();
  });
});

describe('ticketTotals', () => {
  test('the licence picture: 400 seats, average 19.90, gross 7,850.00', () => {
    expect(ticketTotals([
      { number_of_seats: 150, price: 25, weight: 50 }, { number_of_seats: 200, price: 18, weight: 30 },
      { number_of_seats: 50, price: 10, weight: 20 },
    ])).toEqual({ seats: 400, weight: 100, gross_minor: 785_000n, average_minor: 1990n });
  });

  test('no weights, no average', () => {
    expect(ticketTotals([{ ...NEW_TICKET, price: 9 }]).average_minor).toBeNull();
  });

  test('order does not matter and the average lies between the prices', () => {
    fc.assert(fc.property(rows, (list) => {
      const totals = ticketTotals(list);
      expect(ticketTotals([...list].reverse())).toEqual(totals);
      if (totals.average_minor === null) return;
      const prices = list.filter((item) => item.weight > 0).map((item) => Math.round(item.price * 100));
      expect(Number(totals.average_minor)).toBeGreaterThanOrEqual(Math.min(...prices));
      expect(Number(totals.average_minor)).toBeLessThanOrEqual(Math.max(...prices));
    }));
  });
});

test('[R82] [R83] [R84] [R85] [R86] [C83] who may edit the cells', () => {
  expect(canEditTickets({ role: 'system_admin' })).toBe(true);
  expect(canEditTickets({ role: 'staff_admin' })).toBe(true);
  expect(canEditTickets({ role: 'staff_user', permission_values: ['license.update'] })).toBe(true);
  expect(canEditTickets({ role: 'staff_user', permission_values: ['license.show', 'REPLACE'] })).toBe(false);
  expect(canEditTickets({ role: 'staff_user' })).toBe(false);
  expect(canEditTickets({ role: 'customer', permission_values: ['license.update'] })).toBe(false);
  expect(canEditTickets({ role: 'vendor' })).toBe(false);
});
