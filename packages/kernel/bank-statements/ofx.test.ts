import { describe, expect, test } from 'vitest';
import { decodeWith, flagsOf, inShort, readBytes } from './testing.ts';

const decode = decodeWith(TextDecoder);
const read = (text: string | Uint8Array) =>
  readBytes(typeof text === 'string' ? new TextEncoder().encode(text) : text, decode);

const HEADER = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRES'
  + 'SION:NONE\n\n';
const trn = (fields: string): string => `<STMTTRN><TRNTYPE>OTHER${fields}</STMTTRN>`;
const body = (lines: string, more = ''): string => '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM>'
  + '<BANKID>021000021<ACCTID>12345<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260301<DTEND>20260331'
  + `${lines}</BANKTRANLIST><LEDGERBAL><BALAMT>200.29<DTASOF>20260331</LEDGERBAL>${more}</STMTRS></STMTTRNRS>`
  + '</BANKMSGSRSV1></OFX>';
const sgml = (lines: string, more = ''): string => `${HEADER}${body(lines, more)}`;

describe('OFX as banks write it', () => {
  test('a bare ampersand and an unknown entity stay text, and no line behind them is lost', () => {
    const { statements } = read(sgml(
      trn('<DTPOSTED>20260301<TRNAMT>-1.01<FITID>1<NAME>EE & T-MOBILE')
      + trn('<DTPOSTED>20260302<TRNAMT>-20.00<FITID>2<NAME>A &unknown; B &amp; C')
      + trn('<DTPOSTED>20260303<TRNAMT>+5.00<FITID>3<NAME>x <MEMO>1 < 2 <b and c>')));
    expect(inShort(statements[0])).toEqual([
      '2026-03-01 -1.01 EE & T-MOBILE||1', '2026-03-02 -20.00 A &unknown; B & C||2',
      '2026-03-03 5.00 x|1 < 2 <b and c>|3']);
  });

  test('account, currency, period and balance of the ledger; no opening balance is invented', () => {
    const [statement] = read(sgml(trn('<DTPOSTED>20260301<TRNAMT>-1<FITID>1'))).statements;
    expect(statement).toMatchObject({ currency: 'USD', from: '2026-03-01', to: '2026-03-31', opening: null,
      account: { number: '12345', bank: '021000021' }, closing: { on: '2026-03-31', amount_minor: 20_029n } });
    expect(statement!.flags).toEqual([{ flag: 'closing_after_last_line', count: 1,
      message: 'The closing balance is for March 31, 2026, after the last line (March 1, 2026).' }]);
  });

  test('a time and a zone never move the day', () => {
    const days = ['20260301', '20260301000000[-5:EST]', '2026-03-01', '20260301235959.999[+13:NZDT]'];
    const { statements } = read(sgml(days.map((day, id) => trn(`<DTPOSTED>${day}<TRNAMT>1<FITID>${id}`)).join('')));
    expect(statements[0]?.lines.map(({ booked_on }) => booked_on)).toEqual(days.map(() => '2026-03-01'));
  });

  test('XML of version 2 with a comma, CDATA and references', () => {
    const xml = '<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE"?>'
      + '<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR</CURDEF><CCACCTFROM><ACCTID>4111</ACCTID>'
      + '</CCACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260302</DTPOSTED>'
      + '<TRNAMT>-200,5</TRNAMT><FITID>a</FITID><PAYEE><NAME>Caf&#233;</NAME></PAYEE><MEMO><![CDATA[A & B]]></MEMO>'
      + '</STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>';
    expect(inShort(read(xml).statements[0])).toEqual(['2026-03-02 -200.50 Café|A & B|a']);
  });

  test('a card statement closed by the name of a bank statement is read', () => {
    const text = sgml(trn('<DTPOSTED>20260301<TRNAMT>-7.00<FITID>1')).replace('<STMTRS>', '<CCSTMTRS>');
    expect(inShort(read(text).statements[0])).toEqual(['2026-03-01 -7.00 ||1']);
  });

  test('a header on one line and the character set it names', () => {
    const text = sgml(trn('<DTPOSTED>20260301<TRNAMT>-7.00<FITID>1<NAME>Caf\u00e9')).replace(/\n/g, '');
    expect(inShort(read(Uint8Array.from(text, (sign) => sign.charCodeAt(0))).statements[0]))
      .toEqual(['2026-03-01 -7.00 Café||1']);
  });

  test('UTF-16 with a byte-order mark', () => {
    const text = `\ufeff${sgml(trn('<DTPOSTED>20260301<TRNAMT>-7.00<FITID>1<NAME>Łódź'))}`;
    const bytes = new Uint8Array(text.length * 2);
    Array.from(text).forEach((sign, at) => {
      bytes[at * 2] = sign.charCodeAt(0) % 256;
      bytes[at * 2 + 1] = Math.floor(sign.charCodeAt(0) / 256);
    });
    expect(inShort(read(bytes).statements[0])).toEqual(['2026-03-01 -7.00 Łódź||1']);
  });

  test('lines without an id and lines that share one are kept and flagged', () => {
    const same = trn('<DTPOSTED>20260301<TRNAMT>-7.00<FITID>9');
    const [statement] = read(sgml(`${same}${same}${trn('<DTPOSTED>20260331<TRNAMT>1.00')}`)).statements;
    expect(statement?.lines).toHaveLength(3);
    expect(flagsOf(statement)).toEqual(['duplicate_fitid', 'missing_fitid']);
  });

  test('lines that are not booked are left out and flagged', () => {
    const [statement] = read(sgml('',
      '<BANKTRANLISTP><STMTTRNP><TRNAMT>-3<DTTRAN>20260301<NAME>x</STMTTRNP></BANKTRANLISTP>'))
      .statements;
    expect([statement?.lines.length, flagsOf(statement)]).toEqual([0, ['pending_skipped']]);
  });
});

describe('OFX refused whole', () => {
  const line = (fields: string): string => sgml(trn(fields));
  test.each([
    ['a line without an amount', line('<DTPOSTED>20260301<FITID>1'), 'line_incomplete'],
    ['a line without a date', line('<TRNAMT>1.00<FITID>1'), 'line_incomplete'],
    ['31 February', line('<DTPOSTED>20260231<TRNAMT>1.00'), 'date_unreadable'],
    ['an amount that is none', line('<DTPOSTED>20260301<TRNAMT> . '), 'amount_unreadable'],
    ['five decimals', line('<DTPOSTED>20260301<TRNAMT>1.00001'), 'amount_precision'],
    ['a currency that does not exist', line('').replace('USD', 'XQX'), 'unknown_currency'],
    ['a line in another currency', line('<DTPOSTED>20260301<TRNAMT>1<CURRENCY><CURRATE>1<CURSYM>GBP</CURRENCY>'),
      'wrong_currency'],
    ['a cut file', sgml(trn('<DTPOSTED>20260301<TRNAMT>1.00')).slice(0, -40), 'truncated'],
    ['a header alone', HEADER, 'truncated'],
    ['a document type', sgml('').replace('<OFX>', '<OFX><!DOCTYPE x [<!ENTITY a "b">]>'), 'doctype'],
    ['investments', `${HEADER}<OFX><INVSTMTMSGSRSV1><INVSTMTRS></INVSTMTRS></INVSTMTMSGSRSV1></OFX>`,
      'no_cash_statement'],
    ['the answer of a bank that refused', `${HEADER}<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR`
      + '<MESSAGE>Wrong password</STATUS></SONRS></SIGNONMSGSRSV1></OFX>', 'bank_error'],
    ['a line whose end is missing', sgml('<STMTTRN><DTPOSTED>20260301<TRNAMT>1<DTPOSTED>20260302<TRNAMT>2</STMTTRN>'),
      'malformed'],
  ])('%s', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });

  test('names the line of the file', () => {
    expect(read(`${HEADER}<OFX><STMTRS>\n<CURDEF>EUR\n<STMTTRN>\n<TRNAMT>1.234<DTPOSTED>20260101\n</STMTTRN></ST`
      + `MTRS></OFX>`)
      .refusal).toMatchObject({ code: 'amount_precision', line: 11 });
  });

  test('trailing zeros are exact, and a yen has no decimals', () => {
    const amounts = (currency: string, amount: string) =>
      read(line(`<DTPOSTED>20260301<TRNAMT>${amount}`).replace('USD', currency));
    expect(amounts('USD', '1.50000').statements[0]?.lines[0]?.amount_minor).toBe(150n);
    expect(amounts('JPY', '150').refusal?.code).toBe('amount_precision');
    expect(amounts('JPY', '150').refusal?.message).toContain('200.29');
  });
});
