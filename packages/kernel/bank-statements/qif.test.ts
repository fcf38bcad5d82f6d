import { describe, expect, test } from 'vitest';
import { decodeWith, inShort, readBytes } from './testing.ts';
import type { ReadOptions } from './read-bank-file.ts';

const decode = decodeWith(TextDecoder);
const read = (text: string, options: Partial<ReadOptions> = {}) => readBytes(new TextEncoder().encode(text), decode,
  options);
const bank = (...records: string[]): string => `!Type:Bank\n${records.map((record) => `${record}\n^\n`).join('')}`;

describe('QIF', () => {
  test('the order of day and month is asked even where a day above 12 would tell, and the file suggests it', () => {
    const text = bank('D16/12/2024\nT-1.00', 'D13/12/2024\nT-2.00', 'D11/12/2024\nT-3.00');
    expect(read(text).refusal).toMatchObject({ code: 'date_order_required', suggestion: 'dmy' });
    expect(inShort(read(text, { date_order: 'dmy' }).statements[0]).at(-1)).toBe('2024-12-11 -3.00 ||');
  });

  test('one order holds for the whole file: a date that does not fit refuses it', () => {
    const text = bank('D16/12/2024\nT-1.00', 'D11/12/2024\nT-3.00');
    expect(read(text, { date_order: 'mdy' }).refusal).toMatchObject({ code: 'date_unreadable', line: 2 });
  });

  test.each([["1/ 5'19", 'mdy', '2019-01-05'], ["1/ 5'19", 'dmy', '2019-05-01'], ['6/1/94', 'mdy', '1994-06-01'],
    ['12/29/10', 'mdy', '2010-12-29'], ['31.12.2025', 'dmy', '2025-12-31']] as const)(
    'the date %s in order %s is %s', (text, date_order, day) => {
      expect(read(bank(`D${text}\nT1`), { date_order }).statements[0]?.lines[0]?.booked_on).toBe(day);
    });

  test('ISO dates need no order', () => {
    expect(inShort(read(bank('D2026-03-01\nT-184.8\nPShop\nMText\nN1005')).statements[0]))
      .toEqual(['2026-03-01 -184.80 Shop|Text|1005']);
  });

  test('an amount that could be a thousand or one is asked', () => {
    const text = bank('D2026-03-01\nT1,010');
    expect(read(text).refusal?.code).toBe('decimal_mark_required');
    expect(read(text, { decimal_mark: '.' }).statements[0]?.lines[0]?.amount_minor).toBe(101_000n);
    expect(read(text, { decimal_mark: ',' }).statements[0]?.lines[0]?.amount_minor).toBe(101n);
  });

  test('the opening balance of the account is no line; parts of a split are details', () => {
    const [statement] = read(bank('D2026-01-01\nT500.00\nPOpening Balance\nL[House]',
      'D2026-01-02\nT-10.00\nSRent\n$-9.00\nEshare\nSFees\n$=1')).statements;
    expect(statement).toMatchObject({ opening: { on: '2026-01-01', amount_minor: 50_000n },
      account: { name: 'House' } });
    expect(statement?.lines).toHaveLength(1);
    expect(statement?.lines[0]?.details.map(({ name, amount_minor }) => [name, amount_minor]))
      .toEqual([['Rent', -900n], ['Fees', null]]);
  });

  test('two accounts are two statements; lists beside them are passed over', () => {
    const text = '!Type:Cat\nNRent\nDnot a date\n^\n!Account\nNA\n^\n!Type:Bank\nD2026-01-01\nT1\n^\n!Account\nNB\n^\n'
      + '!Type:CCard\nD2026-01-02\nT2\n^\n';
    expect(read(text).statements.map(({ account, lines }) => [account.name, lines.length])).toEqual([['A', 1],
      ['B', 1]]);
  });

  test.each([
    ['investments', '!Type:Invst\nD2026-01-01\nNBuy\n^\n', 'no_cash_statement'],
    ['a record without its end', '!Type:Bank\nD2026-01-01\nT1.00\n', 'truncated'],
    ['two records run together', '!Type:Bank\nD2026-01-01\nT1.00\nD2026-01-02\nT2.00\n^\n', 'malformed'],
    ['a record without an amount', '!Type:Bank\nD2026-01-01\n^\n', 'line_incomplete'],
    ['a record without a date', '!Type:Bank\nT1.00\n^\n', 'line_incomplete'],
    ['an amount that is none', '!Type:Bank\nD2026-01-01\nT12..34\n^\n', 'amount_unreadable'],
  ])('%s is refused', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });
});
