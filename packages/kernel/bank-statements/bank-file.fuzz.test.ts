/** Fuzz test: any bytes give statements or one typed refusal, in time that is at most linear in the file size. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import { REFUSAL_CODES, STATEMENT_FLAGS, type BankStatement } from './bank-file.ts';
import { readBankSheet } from './read-bank-file.ts';
import { suggestMapping } from './suggest-mapping.ts';
import { decodeWith, NO_OPTIONS, readBytes } from './testing.ts';

const decode = decodeWith(TextDecoder);
const OPTIONS = { today: '2026-11-26', currency: 'EUR', date_order: 'dmy', decimal_mark: '.' } as const;

const SEEDS = [
  'OFXHEADER:100\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANK'
    + 'ACCTFROM>'
    + '<BANKTRANLIST><STMTTRN><DTPOSTED>20260301<TRNAMT>-1.50<FITID>a<NAME>A & B</STMTTRN></BANKTRANLIST><LEDGERBAL>'
    + '<BALAMT>3<DTASOF>20260302</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
  '!Account\nNA\n^\n!Type:Bank\nD01/02/2026\nT-1,050.25\nPShop\nSRent\n$-1.00\n^\nD2026-03-01\nU7\nLX\n^\n',
  '<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>DE1</IBAN></Id></Acct><Bal><Tp>'
    + '<CdOrPrtry>'
    + '<Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-01</Dt>'
      + '</Dt></Bal>'
    + '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">7.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>'
    + '<Ntry><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-01</Dt></BookgDt>'
    + '<NtryDtls><TxDtls><Amt Ccy="EUR">1.50</Amt></TxDtls><TxDtls><Amt Ccy="EUR">0.50</Amt></TxDtls></NtryDtls></Ntry>'
    + '</Stmt></BkToCstmrStmt></Document>',
  ':20:A\r\n:25:1/2\r\n:28C:7/1\r\n:60F:C260301EUR1000,00\r\n:61:2603020302C204,88NTRFNONREF//B\r\n:86:166?00X?2'
    + '0EREF+1?32N\r\n'
    + ':61:260303RD1,00NTRFX\r\n:62F:C260331EUR1205,88\r\n-\r\n',
  '01,A,B,260302,0713,1,,,2/\n02,A,B,1,260302,,EUR,2/\n03,1,,010,100,,,015,150,,/\n16,195,50,V,260303,,R,C,'
    + 'TEXT\n88,MORE/\n'
    + '49,300,4/\n98,300,1,6/\n99,300,1,8/\n',
];

function holds(statement: BankStatement): void {
  const { opening, closing, lines, flags } = statement;
  const flagged = new Set(flags.map(({ flag }) => flag));
  for (const flag of flagged) expect(STATEMENT_FLAGS).toContain(flag);
  if (!opening || !closing) return;
  const reached = opening.amount_minor + sum(lines.map(({ amount_minor }) => amount_minor));
  expect(reached === closing.amount_minor || flagged.has('balance_mismatch')).toBe(true);
}

function readsOrRefuses(bytes: Uint8Array): void {
  const { statements, refusal } = readBytes(bytes, decode, OPTIONS);
  if (refusal) {
    expect(REFUSAL_CODES).toContain(refusal.code);
    expect(refusal.message).toMatch(/[.”]$/);
    expect(refusal.advice).toMatch(/\.$/);
  } else statements.forEach(holds);
}

/** A seed with a few changes: pieces dropped, repeated, put elsewhere, replaced by what a format cares about. */
const change = fc.record({ at: fc.nat(), length: fc.nat(40), kind: fc.constantFrom('drop', 'repeat', 'put', 'swap'),
  text: fc.oneof(fc.constantFrom('<', '>', '/', '&', '\n', '\r\n', ',', '.', '-', '^', ':61:', ':62F:', '\u0000',
    '16,', '88,', '99,',
    '<OFX>', '</OFX>', '<STMTTRN>', '</Ntry>', '<Ntry>', '<!DOCTYPE', '<![CDATA[', ']]>', '<!--', '9'.repeat(30), 'é',
      '20260231'),
  fc.string({ maxLength: 8 })) });
const mutated = fc.tuple(fc.constantFrom(...SEEDS),
  fc.array(change, { minLength: 1, maxLength: 6 })).map(([seed, changes]) =>
  changes.reduce((text, { at, length, kind, text: put }) => {
    const from = text.length === 0 ? 0 : at % text.length;
    const piece = text.slice(from, from + length);
    const rest = text.slice(from + length);
    if (kind === 'drop') return text.slice(0, from) + rest;
    if (kind === 'repeat') return text.slice(0, from) + piece + piece + rest;
    return text.slice(0, from) + put + (kind === 'put' ? piece : '') + rest;
  }, seed));

describe('never anything but statements or a typed refusal', () => {
  test('the seeds themselves are read and add up', () => {
    for (const seed of SEEDS) {
      const { statements, refusal } = readBytes(new TextEncoder().encode(seed), decode, OPTIONS);
      expect(refusal).toBeNull();
      for (const { flags } of statements) {
        expect(flags.filter(({ flag }) => !['missing_fitid', 'closing_after_last_line'].includes(flag))).toEqual([]);
      }
    }
  });

  test('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), readsOrRefuses), { numRuns: 400 });
  });

  test('files with random changes', () => {
    fc.assert(fc.property(mutated, (text) => readsOrRefuses(new TextEncoder().encode(text))), { numRuns: 3000 });
  });

  test('a file cut at any place is refused or reads what it holds', () => {
    for (const seed of SEEDS) {
      const bytes = new TextEncoder().encode(seed);
      for (let length = 0; length < bytes.length; length += 3) readsOrRefuses(bytes.slice(0, length));
    }
  });

  test('random sheets', () => {
    const cell = fc.oneof(fc.constantFrom('Date', 'Amount', 'Balance', 'Debit', 'Credit', 'Saldo', '', '01.02.2026',
      '1/2/26',
      '2026-03-01', '-1,00', '1.234,50', '(5)', 'Pending', '12-Dec-2025', 'EUR'), fc.string({ maxLength: 6 }));
    fc.assert(fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 8 }), (cells) => {
      const rows = cells.map((row, index) => ({ row_no: index + 1, cells: row }));
      const found = suggestMapping(rows);
      if (!found) return;
      const { file, refusal } = readBankSheet(rows, found.mapping, { ...NO_OPTIONS, ...OPTIONS });
      if (refusal) expect(REFUSAL_CODES).toContain(refusal.code);
      else file.statements.forEach(holds);
    }), { numRuns: 1000 });
  });
});

describe('time grows with the file and no faster', () => {
  // A reader that takes the square of the length would need hours for these.
  const MEGA = 2_000_000;
  test.each([
    ['one long text of OFX', `<OFX><STMTRS><STMTTRN><NAME>${'x'.repeat(MEGA)}</STMTTRN></STMTRS></OFX>`],
    ['opening brackets', `<OFX>${'<'.repeat(MEGA)}</OFX>`],
    ['opened tags', `<OFX>${'<STATUS>'.repeat(10_000)}</OFX>`],
    ['unknown tags', `<OFX>${'<A>'.repeat(MEGA / 4)}</OFX>`],
    ['accounts without end',
      `<OFX>${'<STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM></STMTRS>\n'.repeat(20_000)}</OFX>`],
    ['blanks', `<OFX><STMTRS>${' '.repeat(MEGA)}</STMTRS></OFX>`],
    ['an XML text', `<Document><BkToCstmrStmt><Stmt><Id>${'y'.repeat(MEGA)}</Id></Stmt></BkToCstmrStmt></Document>`],
    ['XML nested 10,000 deep', `<Document><BkToCstmrStmt>${'<a>'.repeat(10_000)}`],
    ['attributes', `<Document><BkToCstmrStmt a="${'z'.repeat(MEGA)}"/></Document>`],
    ['many attributes', `<Document><BkToCstmrStmt${' a="b"'.repeat(200_000)}/></Document>`],
    ['comments', `<Document><BkToCstmrStmt>${'<!-- -->'.repeat(100_000)}</BkToCstmrStmt></Document>`],
    ['references', `<Document><BkToCstmrStmt><Stmt>${'&amp;'.repeat(200_000)}</Stmt></BkToCstmrStmt></Document>`],
    ['a QIF line', `!Type:Bank\nD2026-01-01\nT1\nM${'x'.repeat(MEGA)}\n^\n`],
    ['QIF records', `!Type:Bank\n${'D2026-01-01\nT1\n^\n'.repeat(50_000)}`],
    ['an MT940 line', `:20:A\n:25:1\n:60F:C260301EUR1,\n:61:260301C1,NTRF${'r'.repeat(MEGA)}\n`
      + `:86:${'?20'.repeat(300_000)}\n:62F:C260301EUR2,`],
    ['MT940 texts', ':20:A\n:25:1\n:60F:C260301EUR0,\n'
      + `${`:61:260301C1,NTRFX\n:86:${'long '.repeat(10)}\n`.repeat(20_000)}:62F:C260301EUR20000,`],
    ['MT940 pages', ':20:A\n:25:1\n:60F:C260301EUR0,\n:62F:C260301EUR0,\n'.repeat(20_000)],
    ['BAI2 continuations', '01,A,B,260302,,1,,,2/\n02,A,B,1,260302,,EUR,2/\n03,1,,/\n16,195,1,Z,,,T\n'
      + `${'88,text\n'.repeat(100_000)}49,,/\n98,,/\n99,,/`],
    ['BAI2 slashes', `01,A,B,260302,,1,,,2/\n${'/ '.repeat(MEGA / 4)}`],
    ['digits', `<OFX><STMTRS><STMTTRN><DTPOSTED>20260301<TRNAMT>${'9'.repeat(MEGA)}</STMTTRN></STMTRS></OFX>`],
    ['no line break at all', 'x'.repeat(MEGA)],
  ])('%s', (_, text) => {
    readsOrRefuses(new TextEncoder().encode(text));
  });
});
