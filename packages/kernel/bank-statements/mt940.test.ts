import { describe, expect, test } from 'vitest';
import { decodeWith, flagsOf, inShort, readBytes } from './testing.ts';

const decode = decodeWith(TextDecoder);
const read = (text: string) => readBytes(new TextEncoder().encode(text), decode);
const message = (inside: string,
  { opening = 'C260301EUR1000,00', closing = 'C260331EUR1000,00', number = '7/1' } = {}): string =>
  `:20:STARTUMS\r\n:25:37040044/0532013000\r\n:28C:${number}\r\n:60F:${opening}\r\n${inside}\r\n`
  + `:62F:${closing}\r\n-\r\n`;

describe('MT940', () => {
  test('a reversal of a credit takes money out, a reversal of a debit brings it back', () => {
    const [statement] = read(message(':61:2603020302C204,88NTRFNONREF\r\n:61:2603020302RC204,88NTRFNONREF\r\n'
      + ':61:2603020302D1,00NTRFNONREF\r\n:61:2603020302RD1,00NTRFNONREF')).statements;
    expect(statement?.lines.map(({ amount_minor }) => amount_minor)).toEqual([20_488n, -20_488n, -100n, 100n]);
    expect(statement?.flags).toEqual([]);
  });

  test('the letter behind the mark is the funds code', () => {
    const [statement] = read(message(':61:2603020302DR12,NMSCREF1//BANK1\r\nextra')).statements;
    expect(inShort(statement)).toEqual(['2026-03-02 -12.00 |extra|REF1']);
  });

  test.each([['141231', '0105', '2015-01-05'], ['260101', '1230', '2025-12-30'], ['260302', '0302', '2026-03-02']])(
    'value date %s with entry date %s is booked on %s', (value, entry, booked) => {
      expect(read(message(`:61:${value}${entry}C27,98NTRFNONREF`)).statements[0]?.lines[0]?.booked_on).toBe(booked);
    });

  test('29 and 30 February of interest counted in months of 30 days are the last of February', () => {
    expect(read(message(':61:2602300301DR6,00N024NONREF')).statements[0]?.lines[0])
      .toMatchObject({ booked_on: '2026-03-01', value_on: '2026-02-28' });
  });

  test('German subfields are joined without blanks; name, account and end-to-end reference are found', () => {
    const [statement] = read(message(':61:2603020302C20,00NTRFNONREF//R1\r\n'
      + ':86:166?00GUTSCHRIFT?20EREF+INV-2026-?2100417?22SVWZ+Licence fee Hel\r\nlo?30COBADEFF?31DE8937040044053'
        + '2013000?32Ada Love?33lace'))
      .statements;
    expect(inShort(statement)).toEqual(['2026-03-02 20.00 Ada Lovelace|EREF+INV-2026-00417SVWZ+Licence fee Hello|R1']);
    expect(statement?.lines[0]).toMatchObject({ end_to_end_id: 'INV-2026-00417',
      counterparty_account: 'DE89370400440532013000' });
  });

  test('Dutch words name the other party; free text is joined by blanks', () => {
    const text = ':61:2603020302C20,00NTRFNONREF\r\n:86:/EREF/77/NAME/JOHN DOE/REMI/Order\r\n12';
    const [statement] = read(message(text)).statements;
    expect(inShort(statement)).toEqual(['2026-03-02 20.00 JOHN DOE|/EREF/77/NAME/JOHN DOE/REMI/Order 12|']);
  });

  test('pages are one statement; the text behind the closing balance belongs to no line', () => {
    const { statements } = read(':20:A\n:25:123\n:28C:7/1\n:60F:C260301EUR1000,00\n:61:260302C200,NTRFX\n:86:one\n'
      + ':62M:C260302EUR1200,00\n-\n:20:A\n:25:123\n:28C:7/2\n:60M:C260302EUR1200,00\n:61:260303D300,NTRFY\n:86:two\n'
      + ':62F:C260303EUR900,00\n:86:statement text\n-');
    expect(statements).toHaveLength(1);
    expect(inShort(statements[0])).toEqual(['2026-03-02 200.00 |one|X', '2026-03-03 -300.00 |two|Y']);
    expect(statements[0]).toMatchObject({ number: '7', opening: { amount_minor: 100_000n },
      closing: { amount_minor: 90_000n }, flags: [] });
  });

  test('a break between pages and a sum that does not fit are flagged', () => {
    const { statements } = read(':20:A\n:25:1\n:28C:7/1\n:60F:C260301EUR10,\n:62M:C260302EUR10,\n:20:A\n:25:1\n:'
      + '28C:7/2\n'
      + ':60M:C260302EUR20,\n:62F:C260303EUR20,\n');
    expect(flagsOf(statements[0])).toEqual(['balance_mismatch']);
  });

  test('the envelope of SWIFT, files without :20: and without a last line break', () => {
    const text = '{1:F01ASNBNL21XXXX}{2:O940}{4:\r\n:25:NL91ABNA0417164300EUR\r\n:28C:1\r\n:60F:D260301EUR5,'
      + '\r\n:62F:D260302EUR5,';
    expect(read(text).statements[0]).toMatchObject({ account: { iban: 'NL91ABNA0417164300' },
      opening: { amount_minor: -500n }, closing: { amount_minor: -500n } });
  });

  test.each([
    ['no closing balance', ':20:A\n:25:1\n:60F:C260301EUR1,\n:61:260302C1,NTRFX\n', 'truncated'],
    ['no opening balance', ':20:A\n:25:1\n:61:260302C1,NTRFX\n:62F:C260301EUR1,\n', 'truncated'],
    ['five decimals', message(':61:260302C1,00001NTRFX'), 'amount_precision'],
    ['an amount that is none', message(':61:260302CxNTRFX'), 'amount_unreadable'],
    ['a date that is none', message(':61:261302C1,NTRFX'), 'date_unreadable'],
    ['a balance in another currency', message('', { closing: 'C260331USD1,' }), 'wrong_currency'],
    ['an unknown currency', message('', { opening: 'C260301QQQ1,' }), 'unknown_currency'],
    ['an empty line', message(':61:'), 'line_incomplete'],
  ])('%s is refused', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });

  test('MT942 is an advance notice; expected lines are left out, its totals compared', () => {
    const { format, statements } = read(':20:A\n:25:1\n:28C:1/1\n:34F:EUR0,\n:13D:2603021200+0100\n:61:260302C5,NTRFX\n'
      + ':61:260302EC9,NTRFY\n:90C:1EUR5,\n:90D:1EUR1,\n-');
    expect([format, statements[0]?.kind, statements[0]?.currency, statements[0]?.lines.length]).toEqual(['mt942',
      'advance', 'EUR', 1]);
    expect(flagsOf(statements[0])).toEqual(['control_total_mismatch', 'pending_skipped', 'record_count_mismatch']);
  });
});
