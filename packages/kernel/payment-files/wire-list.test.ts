import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorToDecimal } from '../money/money.ts';
import { batchOf, BRITISH, CHECKING, GERMAN, issuesOf, payment } from './testing.ts';
import { writeWireList } from './wire-list.ts';

const rowsOf = (text = ''): string[][] => parse(text, { record_delimiter: '\r\n' });

describe('the wire list', () => {
  test('own example: one row a payment', () => {
    const address = { country: 'DE', town: 'Köln', postal_code: '50667', street: 'Am Hof', building_number: '1',
      lines: [] };
    const { file, changes } = writeWireList(batchOf([
      payment('W-1', 123_456n, { payee: 'Ada "A" Field, Ltd', bank: GERMAN, address, purpose: 'Royalties',
        reference: '=HYPERLINK("x")' }),
      payment('W-2', 1n, { bank: { kind: 'other', account: '0012345', bank: 'Bank of Somewhere' } })]));
    expect(file?.text).toBe('Payment,Payee,Country,Town,Address,Account,Bank,Amount,Currency,Value date,Purpose,'
      + 'Reference\r\n'
      + 'W-1,"Ada \'A\' Field, Ltd",DE,Koeln,"1 Am Hof, 50667",DE89370400440532013000,COBADEFFXXX,1234.56,USD,'
      + '2026-11-27,Royalties,HYPERLINK(\'x\')\r\n'
      + 'W-2,Ada Field,,,,0012345,Bank of Somewhere,0.01,USD,2026-11-27,,\r\n');
    expect(changes.map(({ field }) => field)).toEqual(['payee', 'address', 'reference']);
  });

  test('each reason names the payee and the field', () => {
    expect(issuesOf(writeWireList(batchOf([payment('A', 0n), payment('B', 1n, { bank: null }),
      payment('C', 1n, { bank: { ...CHECKING, routing: '123456789' } }),
      payment('D', 1n, { bank: { ...GERMAN, iban: 'DE00' } }), payment('-E', 1n),
      payment('U', 1n, { bank: { ...CHECKING, account: '1"2' } }),
      payment('V', 1n, { bank: { ...BRITISH, sort_code: '' } }),
      payment('F', 1n, { bank: { kind: 'other', account: '+1', bank: 'X' } })])))).toEqual([
      'amount: Ada Field: the amount must be above zero.', 'bank: Ada Field: there are no bank details.',
      'routing: Ada Field: the routing number 123456789 is wrong.', 'iban: Ada Field: the IBAN DE00 is wrong.',
      'id: Ada Field: the payment id “-E” begins with a sign.',
      'account: Ada Field: the account number “1"2” must have 1 to 17 characters that the bank takes.',
      'sort_code: Ada Field: a sort code has 6 digits.', 'account: Ada Field: the account number begins with a sign.']);
  });

  test('a reader of CSV finds every payment; no cell begins a formula', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '=', '+', '-', '@', ',', '"', '\n', ' ', 'é'), maxLength: 20 });
    fc.assert(fc.property(fc.array(fc.record({ amount: fc.bigInt(1n, 10_000_000n), payee: text, reference: text }),
      { minLength: 1, maxLength: 10 }), (all) => {
      const items = all.map(({ amount, payee, reference }, index) =>
        payment(`W-${index}`, amount, { payee: `x${payee}`, reference }));
      const rows = rowsOf(writeWireList(batchOf(items)).file?.text).slice(1);
      expect(rows.map((row) => [row[0], row[7]])).toEqual(items.map(({ id, amount_minor }) =>
        [id, minorToDecimal(amount_minor)]));
      expect(rows.flat().every((one) => !/^[=+\-@]/.test(one))).toBe(true);
    }), { numRuns: 100 });
  });
});
