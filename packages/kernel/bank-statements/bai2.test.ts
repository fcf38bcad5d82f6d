import { describe, expect, test } from 'vitest';
import { decodeWith, flagsOf, inShort, readBytes } from './testing.ts';

const decode = decodeWith(TextDecoder);
const read = (text: string) => readBytes(new TextEncoder().encode(text), decode);

const file = (account: string,
  { group = '02,1,BANKUS33,1,260302,,USD,2/', sum = '30200', records = 5 } = {}): string => [
  '01,BANKUS33,1,260302,0713,1,,,2/', group, '03,12345,,010,10000,,,015,10100,,/', account, `49,${sum},${records}/`,
  `98,${sum},1,${records + 2}/`, `99,${sum},1,${records + 4}/`].join('\n');
const LINES = '16,195,5050,V,260303,,BANKREF,CUSTREF,WIRE IN, FROM A/B\n88,MORE TEXT/\n16,475,4950,Z,,1001,CHECK PAID/';

describe('BAI2', () => {
  test('type codes are the sign, continuations go on with the text, commas and slashes stay in it', () => {
    const [statement] = read(file(LINES, { sum: '30100' })).statements;
    expect(inShort(statement)).toEqual(['2026-03-02 50.50 |WIRE IN, FROM A/B MORE TEXT|BANKREF',
      '2026-03-02 -49.50 |CHECK PAID|1001']);
    expect(statement).toMatchObject({ currency: 'USD', account: { number: '12345' }, opening: { amount_minor: 10_000n },
      closing: { amount_minor: 10_100n }, flags: [] });
    expect(statement?.lines[0]).toMatchObject({ value_on: '2026-03-03', type: '195' });
  });

  test('several records on a line and a text wrapped over two', () => {
    const [statement] = read(file('16,195,5050,Z,,,ONE/ 16,475,4950,Z,,,TWO\nGOES ON        /',
      { sum: '30100', records: 4 })).statements;
    expect(inShort(statement)).toEqual(['2026-03-02 50.50 |ONE|', '2026-03-02 -49.50 |TWO GOES ON|']);
    expect(statement?.flags).toEqual([]);
  });

  test('funds types with days and amounts are passed over to the references', () => {
    const [statement] = read(file('16,195,5050,S,1,2,3,BR,CR,TEXT/\n16,475,4950,D,2,0,100,1,200,BR2,,T2/',
      { sum: '30100', records: 4 })).statements;
    expect(inShort(statement)).toEqual(['2026-03-02 50.50 |TEXT|BR', '2026-03-02 -49.50 |T2|BR2']);
  });

  test('totals and counts that disagree are flagged, records without money are left out', () => {
    const [statement] = read(file(`${LINES}\n16,890,,,,,NOTE/`, { sum: '1' })).statements;
    expect(statement?.lines).toHaveLength(2);
    expect(flagsOf(statement)).toEqual(['control_total_mismatch', 'non_monetary_skipped', 'record_count_mismatch']);
  });

  test('interim data of the day are an advance notice', () => {
    expect(read(file(LINES,
      { group: '02,1,BANKUS33,1,260302,,GBP,3/' })).statements[0]).toMatchObject({ kind: 'advance', currency: 'GBP' });
  });

  test.each([
    ['no trailer', file(LINES).split('\n').slice(0, -1).join('\n'), 'truncated'],
    ['a group without its trailer', file(LINES).replace(/98,.*\n/, ''), 'truncated'],
    ['no header', file(LINES).split('\n').slice(1).join('\n'), 'malformed'],
    ['an amount with decimals', file('16,195,50.50,Z,,,X/'), 'amount_unreadable'],
    ['no amount', file('16,195,,Z,,,X/'), 'line_incomplete'],
    ['a day that does not exist', file(LINES, { group: '02,1,B,1,260231,,USD,2/' }), 'date_unreadable'],
    ['no day', file(LINES, { group: '02,1,B,1,,,USD,2/' }), 'line_incomplete'],
    ['a type code without a sign', file('16,720,100,Z,,,X/'), 'sign_unknown'],
    ['an unknown currency', file(LINES, { group: '02,1,B,1,260302,,QQQ,2/' }), 'unknown_currency'],
    ['an amount beyond every account', file('16,195,9999999999999,Z,,,X/'), 'amount_too_large'],
  ])('%s is refused', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });
});
