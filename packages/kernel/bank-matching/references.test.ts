// cspell:ignore invus paymentinvus xinv notprovided étoile letoile playh
import { expect, test } from 'vitest';
import { foldedName, isNamedIn, nameSimilarity } from './names.ts';
import { lineReferences, namedReference } from './references.ts';
import { line } from './testing.ts';

const INVOICE = { type: 'number' as const, value: 'INV-US-2026-000033', label: 'invoice number' };
const isNamed = (memo: string, reference = INVOICE): boolean =>
  namedReference([reference], lineReferences(line({ amount_minor: 1n, memo }))) !== null;

test.each(['INV-US-2026-000033', 'inv-us-2026-000033', 'INVUS2026000033', 'INV US 2026 000033', 'INV/US/2026/000033',
  'Inv. US-2026-33', 'payment INV-US-2026-000033, thank you', 'INV-US-2026-000 033', 'PAYMENTINVUS2026000033',
  'INV-US-2026-\n000033', 'INV-US-2026-000032 + INV-US-2026-000033'])('a bank writes the number as %s', (memo) => {
  expect(isNamed(memo)).toBe(true);
});

test.each(['INV-US-2026-0000331', 'INV-US-2026-000034', 'INV-UK-2026-000033', 'INV-US-2025-000033', '000033', '33',
  'XINV-US-2026-33', 'CN-US-2026-000033', 'PF-US-2026-000033'])('%s is another number', (memo) => {
  expect(isNamed(memo)).toBe(false);
});

test('a part of a longer number is no reference, nor is a short one', () => {
  const number = (value: string): typeof INVOICE => ({ ...INVOICE, value });
  expect(isNamed('PAID 1814000', number('14000'))).toBe(false);
  expect(isNamed('PAID 14000', number('14000'))).toBe(true);
  expect(isNamed('ORDER 2026', number('2026'))).toBe(false);
  expect(isNamed('PO 77', number('77'))).toBe(false);
  expect(isNamed('SPRING MUSICAL', number('SPRING'))).toBe(false);
});

test('a check is known by its number in the field of the bank or after its name, without leading zeros', () => {
  const check = { type: 'check' as const, value: '001027', label: 'check number' };
  const named = (more: { memo?: string; check_number?: string }): boolean =>
    namedReference([check], lineReferences(line({ amount_minor: -1n, ...more }))) !== null;
  expect([named({ check_number: '1027' }), named({ memo: 'CHECK 1027' }), named({ memo: 'Cheque no. 00001027' })])
    .toEqual([true, true, true]);
  expect([named({ memo: 'STORE 1027' }), named({ check_number: '10270' }), named({ memo: 'CHECK 11027' })])
    .toEqual([false, false, false]);
});

test('an end-to-end id counts as it was sent', () => {
  const id = { type: 'end_to_end' as const, value: 'GR-9F3A-77', label: 'payment id' };
  expect(namedReference([id], lineReferences(line({ amount_minor: -1n, end_to_end_id: 'GR-9F3A-77' })))).toBe(id);
  expect(namedReference([id], lineReferences(line({ amount_minor: -1n, end_to_end_id: 'NOTPROVIDED' })))).toBeNull();
});

test('names are alike whatever their order, accents and legal form, and where a bank has cut them', () => {
  const alike = (a: string, b: string): number => nameSimilarity(foldedName(a), foldedName(b));
  expect(alike('PLAYHOUSE RAVENSWOOD', 'Ravenswood Playhouse, Inc.')).toBe(1);
  expect(alike('Théâtre de l\'Étoile', 'THEATRE DE LETOILE')).toBe(1);
  expect(alike('RAVENSWOOD PLAYH', 'Ravenswood Playhouse')).toBeGreaterThanOrEqual(0.85);
  expect(alike('Ravenswood Theater', 'Ravenswood Playhouse')).toBeLessThan(0.85);
  expect(alike('Oak Hill School', 'Castle Players')).toBeLessThan(0.6);
  expect(alike('CASTLE PLAYERS', 'Castle Players of Marlow')).toBeLessThan(0.85);
  expect(alike('', '')).toBe(0);
  expect(isNamedIn(foldedName('Ravenswood Playhouse'), foldedName('ACH CREDIT RAVENSWOOD PLAYHOUSE 0815'))).toBe(true);
  expect(isNamedIn(foldedName('Oak'), foldedName('OAK STREET'))).toBe(false);
});
