/** Texts about waiting pieces: quantity, purpose, until when and where else. */
import { expect, test } from 'vitest';
import type { LineWaiting } from './sales-order.contract.ts';
import { orderedWords, waitingWords, waitsForStock } from './waiting-words.web.ts';

const line = (more: Partial<LineWaiting>): LineWaiting => ({ why: 'stock', pieces: 3, free: 0,
  warehouse_name: 'Secaucus warehouse', back_on: null, elsewhere: null, ...more });
const words = (more: Partial<LineWaiting>): string => waitingWords(line(more), '2026-11-20');

test('a return says its day, and that it is over', () => {
  expect(words({ why: 'return', back_on: '2026-12-04' })).toBe('3 wait: all are lent, due back Dec 4, 2026');
  expect(words({ why: 'return', back_on: '2026-11-04', pieces: 1 }))
    .toBe('1 waits: all are lent, was due back Nov 4, 2026');
  expect(words({ why: 'return' })).toBe('3 wait: all are lent, no day is set for their return');
});

test('what another warehouse has is said where this one has none', () => {
  const elsewhere = { warehouse_name: 'Burbank depot', free: 4 };
  expect(words({ elsewhere })).toBe('3 wait: none at Secaucus warehouse; 4 free at Burbank depot');
  expect(words({ why: 'pick', free: 2, elsewhere })).toBe('3 wait: 2 free now, reserved by picking');
});

test.each([['file', false], ['service', false], ['release', true], ['stock', true]] as const)(
  'a line that waits for %s is a line to be reserved: %s', (why, waits) => {
    expect(waitsForStock({ waiting: line({ why }) })).toBe(waits);
  });

test('a line of a licence says what is reserved, why it waits, else where its order stands', () => {
  const ordered = { material_id: 1, order_id: 2, order_number: 'SO-1001', status: 'shipped', reserved: 0,
    waiting: null } as const;
  expect(orderedWords(ordered)).toBe('Shipped');
  expect(orderedWords({ ...ordered, status: 'released', reserved: 20 })).toBe('20 reserved');
  expect(orderedWords({ ...ordered, status: 'draft', waiting: line({ why: 'release' }) }))
    .toBe('Release the order to reserve it');
});
