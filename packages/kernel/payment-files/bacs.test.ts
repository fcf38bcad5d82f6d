import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import { writeBacs, type BacsOptions } from './bacs.ts';
import type { PaymentItem } from './payment-batch.ts';
import { closedBecause } from './rail-days.ts';
import { BACS_OPTIONS, BACS_ORIGINATOR, batchOf, BRITISH, issuesOf, payment } from './testing.ts';

const pounds = (id: string, amount: bigint, more: Partial<PaymentItem> = {}): PaymentItem =>
  payment(id, amount, { bank: BRITISH, ...more });
const write = (items: readonly PaymentItem[], options: Partial<BacsOptions> = {}, batch = {}) =>
  writeBacs(batchOf(items, { currency: 'GBP', value_on: '2026-11-30', ...batch }), BACS_ORIGINATOR,
    { ...BACS_OPTIONS, ...options });

/** A field by its positions, counted from 1 as the guides do. */
const at = (line: string, from: number, to: number): string => line.slice(from - 1, to);

interface BacsRead {
  serial: string;
  service_user: string;
  processing: string;
  payments: { to: string; code: string; from: string; pence: bigint; reference: string; name: string }[];
  contra: { account: string; pence: bigint };
  totals: { debit: bigint; credit: bigint; debits: number; credits: number };
}

/** A reader from the tables of the guides alone; throws where a label is not what they demand. */
function readBacs(text: string): BacsRead {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  const demand = (line: string, from: number, to: number, pattern: RegExp): string => {
    const field = at(line, from, to);
    if (!pattern.test(field)) throw new Error(`positions ${from} to ${to} of ${line.slice(0, 4)}: “${field}”`);
    return field;
  };
  const [vol, hdr1, hdr2, uhl] = lines as [string, string, string, string];
  const [eof1, eof2, utl] = lines.slice(-3) as [string, string, string];
  for (const label of [vol, hdr1, hdr2, uhl, eof1, eof2, utl]) expect(label).toHaveLength(80);
  demand(vol, 1, 4, /^VOL1$/);
  demand(vol, 12, 41, /^ +$/);
  demand(vol, 80, 80, /^1$/);
  demand(hdr1, 1, 5, /^HDR1A$/);
  demand(hdr1, 12, 15, /^S {2}1$/);
  expect([at(hdr1, 6, 11), at(hdr1, 16, 21)]).toEqual([at(vol, 42, 47), at(vol, 42, 47)]);
  expect(at(hdr1, 22, 27)).toBe(at(vol, 5, 10));
  demand(hdr1, 28, 35, /^00010001$/);
  demand(hdr1, 42, 53, /^ \d{5} \d{5}$/);
  demand(hdr1, 55, 60, /^000000$/);
  demand(hdr2, 1, 15, /^HDR2F0200000100$/);
  demand(hdr2, 51, 52, /^00$/);
  demand(uhl, 1, 10, /^UHL1 \d{5}$/);
  demand(uhl, 11, 40, /^999999 {4}000000001 DAILY {2}\d{3}$/);
  expect([eof1.slice(4), eof2.slice(4)]).toEqual([hdr1.slice(4), hdr2.slice(4)]);
  demand(utl, 1, 44, /^UTL1\d{40}$/);
  const records = lines.slice(4, -3);
  for (const record of records) {
    expect(record).toHaveLength(100);
    demand(record, 1, 17, /^\d{14}0(99|17)$/);
    demand(record, 36, 46, /^\d{11}$/);
    expect(record).toMatch(/^[A-Z0-9.&/\- ]*$/);
  }
  const last = records.pop() ?? '';
  demand(last, 16, 17, /^17$/);
  expect(at(last, 65, 82).trim()).toBe('CONTRA');
  expect(at(last, 1, 14)).toBe(at(last, 18, 31));
  return { serial: at(vol, 5, 10), service_user: at(vol, 42, 47), processing: at(uhl, 5, 10),
    payments: records.map((line) => ({ to: at(line, 1, 14), code: at(line, 16, 17), from: at(line, 18, 31),
      pence: BigInt(at(line, 36, 46)), reference: at(line, 65, 82).trim(), name: at(line, 83, 100).trim() })),
    contra: { account: at(last, 1, 14), pence: BigInt(at(last, 36, 46)) },
    totals: { debit: BigInt(at(utl, 5, 17)), credit: BigInt(at(utl, 18, 30)), debits: Number(at(utl, 31, 37)),
      credits: Number(at(utl, 38, 44)) } };
}

describe('a BACS file', () => {
  test('own example, byte by byte', () => {
    const { file, changes } = write([pounds('P-1', 123_456n, { payee: 'Zoë O’Hara', reference: 'Royalties 2026' }),
      pounds('P-2', 1n)]);
    expect((file?.text ?? '').split('\r\n').slice(0, -1)).toEqual([
      'VOL1000012                               123456                                1',
      'HDR1A123456S  1123456000012' + '00010001       26329 26335 000000                    ',
      'HDR2F0200000100                                   00                            ',
      'UHL1 26331999999    000000001 DAILY  001                                        ',
      '08999966374958' + '099' + '20005212345678    00000123456GRAND RIGHTS LTD  ROYALTIES 2026    ZOE OHARA         ',
      '08999966374958' + '099' + '20005212345678    00000000001GRAND RIGHTS LTD  P-2               ADA FIELD         ',
      '20005212345678' + '017' + '20005212345678    00000123457                  CONTRA            GRAND RIGHTS LTD  ',
      'EOF1A123456S  1123456000012' + '00010001       26329 26335 000000                    ',
      'EOF2F0200000100                                   00                            ',
      'UTL10000000123457000000012345700000010000002                                    ',
    ]);
    // The bank's answer names a payment by what stands in the reference.
    expect(file?.ids).toEqual([{ item_id: 'P-1', bank_id: 'ROYALTIES 2026' }, { item_id: 'P-2', bank_id: 'P-2' }]);
    expect(changes.map(({ field, to }) => `${field} ${to}`)).toEqual(['payee ZOE OHARA']);
  });

  test('the processing day is the business day before the value date, also over Christmas', () => {
    expect(readBacs(write([pounds('P', 1n)], {}, { value_on: '2026-12-29' }).file?.text ?? '').processing)
      .toBe(' 26358');
    expect(issuesOf(write([pounds('P', 1n)], {}, { value_on: '2026-12-28' })))
      .toEqual(['value_on: 2026-12-28 is no settlement day (Boxing Day (substitute day)).']);
    expect(issuesOf(write([pounds('P', 1n)], { created_on: '2026-11-27' })))
      .toEqual(['value_on: BACS takes three days: a file of 2026-11-27 is too late for 2026-11-30.']);
    expect(issuesOf(write([pounds('P', 1n)], { extra_holidays: ['2026-11-30'] })))
      .toEqual(['value_on: 2026-11-30 is no settlement day (bank holiday).']);
  });

  test('a name of 200 characters or in another script is fitted and shown', () => {
    const { file, changes } = write([pounds('A', 1n, { payee: 'n'.repeat(200) }),
      pounds('B', 1n, { payee: 'Ж'.repeat(200) }), pounds('C', 1n, { payee: 'Иван' })]);
    expect(readBacs(file?.text ?? '').payments.map(({ name }) => name)).toEqual(['N'.repeat(18), 'ZH'.repeat(9),
      'IVAN']);
    expect(changes.map(({ item_id, kinds }) => [item_id, kinds])).toEqual([['A', ['shortened']],
      ['B', ['script', 'shortened']], ['C', ['script']]]);
  });

  test('each reason names the payee and the field', () => {
    expect(issuesOf(write([pounds('A', 2_000_000_001n), pounds('B', 1n, { bank: { ...BRITISH, account: '1234567' } }),
      pounds('C', 1n, { bank: { ...BRITISH, sort_code: '2000' } }), pounds('D', 1n, { payee: 'Dee', bank: null }),
      pounds('E', 1n, { payee: 'שם' })]))).toEqual([
      'amount: Ada Field: 20,000,000.01 is more than BACS pays at once (20,000,000.00).',
      'account: Ada Field: a British account number has 8 digits.', 'sort_code: Ada Field: a sort code has 6 digits.',
      'bank: Dee: there are no bank details.',
      'payee: שם: the name has “ש”, which the bank cannot take. Write it in Latin letters.']);
    expect(issuesOf(write([pounds('A', 1n)], { serial: '000000', file_number: 1000 }, { currency: 'USD' })))
      .toEqual(['currency: BACS pays pounds, not USD.',
        'file: The serial number of the file has six letters or digits, not all zeros.',
        'file: The number of the file is one of 1 to 999.']);
  });
});

const some = fc.array(fc.record({ amount: fc.bigInt(1n, 2_000_000_000n),
  payee: fc.string({ unit: fc.constantFrom('a', 'É', 'ß', '&', ',', ' ', 'Ж', '9'), maxLength: 30 }) }),
{ minLength: 1, maxLength: 40 }).map((all) =>
  all.map(({ amount, payee }, index) => pounds(`P-${index}`, amount, { payee: `x${payee}` })));

test('the reader from the guide finds every payment and the totals; the same batch has the same bytes', () => {
  fc.assert(fc.property(some, (items) => {
    const { file } = write(items);
    const read = readBacs(file?.text ?? '');
    const total = sum(items.map(({ amount_minor }) => amount_minor));
    expect(read.payments.map(({ reference, pence }) => [reference, pence]))
      .toEqual(items.map(({ id, amount_minor }) => [id, amount_minor]));
    expect(read.totals).toEqual({ debit: total, credit: total, debits: 1, credits: items.length });
    expect(read.contra.pence).toBe(total);
    expect(write(items).file?.text).toBe(file?.text);
    expect(closedBecause('bacs', file?.value_on ?? '')).toBeNull();
  }), { numRuns: 60 });
});
