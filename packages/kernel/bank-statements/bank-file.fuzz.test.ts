/** Fuzz test: any bytes give statements or one typed refusal, in time that is at most linear in the file size. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import { FULL, timeOf } from '#tests/support/full.ts';
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
  // A reader that takes the square of the length would need hours for these. 50 MB is twice what an upload may have.
  const MEGA = FULL ? 50_000_000 : 2_000_000;
  const of = (unit: string): string => unit.repeat(Math.floor(MEGA / unit.length));
  const LIMIT = timeOf(60_000);
  test.each<[string, () => string]>([
    ['one long text of OFX', () => `<OFX><STMTRS><STMTTRN><NAME>${of('x')}</STMTTRN></STMTRS></OFX>`],
    ['lines of OFX', () => '<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>'
      + `${of('<STMTTRN><DTPOSTED>20260301<TRNAMT>-1.50<FITID>a<NAME>Players</STMTTRN>\n')}</BANKTRANLIST></STMTRS>`
      + '</OFX>'],
    ['opening brackets', () => `<OFX>${of('<')}</OFX>`],
    ['opened tags', () => `<OFX>${'<STATUS>'.repeat(10_000)}</OFX>`],
    ['tags opened to the end of the file', () => `<OFX>${of('<STATUS>')}</OFX>`],
    ['unknown tags', () => `<OFX>${of('<A>')}</OFX>`],
    ['accounts without end',
      () => `<OFX>${of('<STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM></STMTRS>\n')}</OFX>`],
    ['blanks', () => `<OFX><STMTRS>${of(' ')}</STMTRS></OFX>`],
    ['an XML text', () => `<Document><BkToCstmrStmt><Stmt><Id>${of('y')}</Id></Stmt></BkToCstmrStmt></Document>`],
    ['XML entries', () => `<Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>DE1</IBAN></Id></Acct>${
      of('<Ntry><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-01</Dt>'
        + '</BookgDt></Ntry>')}</Stmt></BkToCstmrStmt></Document>`],
    ['XML nested 10,000 deep', () => `<Document><BkToCstmrStmt>${'<a>'.repeat(10_000)}`],
    ['XML nested to the end of the file', () => `<Document><BkToCstmrStmt>${of('<a>')}`],
    ['a billion laughs', () => `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${[1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map((n) => `<!ENTITY lol${n} "${`&lol${n === 1 ? '' : n - 1};`.repeat(10)}">`).join('')
    }]><Document><BkToCstmrStmt><Stmt><Id>&lol9;</Id></Stmt></BkToCstmrStmt></Document>`],
    ['attributes', () => `<Document><BkToCstmrStmt a="${of('z')}"/></Document>`],
    ['many attributes', () => `<Document><BkToCstmrStmt${of(' a="b"')}/></Document>`],
    ['comments', () => `<Document><BkToCstmrStmt>${of('<!-- -->')}</BkToCstmrStmt></Document>`],
    ['references', () => `<Document><BkToCstmrStmt><Stmt>${of('&amp;')}</Stmt></BkToCstmrStmt></Document>`],
    ['a QIF line', () => `!Type:Bank\nD2026-01-01\nT1\nM${of('x')}\n^\n`],
    ['QIF records', () => `!Type:Bank\n${of(`D2026-01-01\nT1\nM${'Players '.repeat(6)}\n^\n`)}`],
    ['an MT940 line', () => `:20:A\n:25:1\n:60F:C260301EUR1,\n:61:260301C1,NTRF${of('r')}\n`
      + `:86:${of('?20')}\n:62F:C260301EUR2,`],
    ['MT940 texts', () => ':20:A\n:25:1\n:60F:C260301EUR0,\n'
      + `${of(`:61:260301C1,NTRFX\n:86:${'long '.repeat(10)}\n`)}:62F:C260301EUR20000,`],
    ['MT940 pages', () => of(':20:A\n:25:1\n:60F:C260301EUR0,\n:62F:C260301EUR0,\n')],
    ['BAI2 continuations', () => '01,A,B,260302,,1,,,2/\n02,A,B,1,260302,,EUR,2/\n03,1,,/\n16,195,1,Z,,,T\n'
      + `${of('88,text\n')}49,,/\n98,,/\n99,,/`],
    ['a BAI2 line', () => '01,A,B,260302,,1,,,2/\n02,A,B,1,260302,,EUR,2/\n03,1,,/\n'
      + `16,195,1,Z,,,${of('T')}\n49,,/\n98,,/\n99,,/`],
    ['BAI2 lines', () => '01,A,B,260302,,1,,,2/\n02,A,B,1,260302,,EUR,2/\n03,1,,/\n'
      + `${of(`16,195,1,Z,,,${'Players '.repeat(6)}\n`)}49,,/\n98,,/\n99,,/`],
    ['BAI2 slashes', () => `01,A,B,260302,,1,,,2/\n${of('/ ')}`],
    ['digits', () => `<OFX><STMTRS><STMTTRN><DTPOSTED>20260301<TRNAMT>${of('9')}</STMTTRN></STMTRS></OFX>`],
    ['no line break at all', () => of('x')],
  ])('%s', (_, textOf) => {
    readsOrRefuses(new TextEncoder().encode(textOf()));
  }, LIMIT);

  test('rows of a sheet, and a cell as long as the file', () => {
    const text = 'Players '.repeat(6);
    const rows = [['Date', 'Text', 'Amount'], ...Array.from({ length: Math.floor(MEGA / 70) },
      (): string[] => ['2026-03-01', text, '1.50']), ['2026-03-01', of('x'), '1.50']]
      .map((cells, index) => ({ row_no: index + 1, cells }));
    const { mapping } = suggestMapping(rows.slice(0, 20))!;
    const { file, refusal } = readBankSheet(rows, mapping, { ...NO_OPTIONS, ...OPTIONS });
    expect(refusal).toBeNull();
    expect(file!.statements[0]!.lines).toHaveLength(rows.length - 1);
  }, LIMIT);
});
