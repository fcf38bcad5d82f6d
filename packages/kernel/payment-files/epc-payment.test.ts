import { expect, test } from 'vitest';
import { abaHolds, bicHolds, grouped, ibanHolds, isSepa, routingName } from '../receivables/bank-numbers.ts';
import { epcPayload } from './epc-payment.ts';

const IRISH = 'IE29 AIBK 9311 5212 3456 78';

test.each([
  ['IE29 AIBK 9311 5212 3456 78', true], ['gb29nwbk60161331926819', true], ['DE89 3704 0044 0532 0130 00', true],
  ['NL91 ABNA 0417 1643 00', true], ['NO93 8601 1117 947', true], ['SA03 8000 0000 6080 1016 7519', true],
  ['IE29 AIBK 9311 5212 3456 87', false], ['GB29 NWBK 6016 1331 9268 1', false], ['DE89 3704 0044 0532 0130', false],
  ['', false], ['IE29', false], ['1234 5678', false],
])('IBAN %s holds: %s', (text, holds) => expect(ibanHolds(text)).toBe(holds));

test('BIC, routing number, groups and SEPA', () => {
  expect(['AIBKIE2D', 'aibkie2dxxx', 'AIBKIE2', 'AIBK1E2D', 'AIBKIE2DXX'].map(bicHolds))
    .toEqual([true, true, false, false, false]);
  expect(['110000000', '021000021', '021000012', '12345678', '000000000'].map(abaHolds))
    .toEqual([true, true, false, false, false]);
  expect(grouped('ie29aibk93115212345678')).toBe(IRISH);
  expect(['021000021', '20-00-00', '200000'].map(routingName)).toEqual(['Routing number', 'Sort code', 'Sort code']);
  expect([IRISH, 'SA0380000000608010167519'].map(isSepa)).toEqual([true, false]);
});

const payment = { payee: 'Grand Rights Europe DAC', iban: IRISH, bic: 'AIBKIE2D', amount_minor: 123_405,
  reference: 'INV-EU-2026-000012' };

test('golden: the eleven lines of EPC069-12, the amount to the cent', () => {
  expect(epcPayload(payment)).toBe(
    'BCD\n002\n1\nSCT\nAIBKIE2D\nGrand Rights Europe DAC\nIE29AIBK93115212345678\nEUR1234.05\n\n\nINV-EU-2026-000012');
  expect(epcPayload({ ...payment, bic: null, amount_minor: 1 })).toBe(
    'BCD\n002\n1\nSCT\n\nGrand Rights Europe DAC\nIE29AIBK93115212345678\nEUR0.01\n\n\nINV-EU-2026-000012');
});

test('names and references keep to the signs and lengths of SEPA, and to 331 bytes in all', () => {
  expect(epcPayload({ ...payment, payee: 'Théâtre & Söhne\nGmbH «Kö»' })!.split('\n')[5])
    .toBe('Theatre + Soehne GmbH \'Koe\'');
  const longest = epcPayload({ ...payment, payee: 'N'.repeat(90), reference: 'R'.repeat(200), amount_minor:
    99_999_999_999 })!;
  const lines = longest.split('\n');
  expect([lines[5]!.length, lines[10]!.length, lines[7]]).toEqual([70, 140, 'EUR999999999.99']);
  expect(new TextEncoder().encode(longest).length).toBeLessThanOrEqual(331);
});

test.each([
  ['a wrong check digit', { iban: 'IE29 AIBK 9311 5212 3456 79' }], ['an account outside of SEPA',
    { iban: 'SA0380000000608010167519' }], ['a wrong BIC', { bic: 'AIBK' }], ['nothing to pay', { amount_minor: 0 }],
  ['a negative amount', { amount_minor: -5 }], ['half a cent', { amount_minor: 1.5 }],
  ['more than a transfer takes', { amount_minor: 100_000_000_000 }], ['no payee', { payee: ' ' }],
  ['no reference', { reference: '' }],
])('no code for %s', (_, change) => expect(epcPayload({ ...payment, ...change })).toBeNull());
