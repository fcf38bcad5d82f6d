import { describe, expect, test } from 'vitest';
import { decodeWith, flagsOf, inShort, readBytes } from './testing.ts';

const decode = decodeWith(TextDecoder);
const read = (text: string) => readBytes(new TextEncoder().encode(text), decode);

const balance = (code: string, amount: string,
  mark = 'CRDT'): string => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>`
  + `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Dt><Dt>2026-06-03</Dt></Dt></Bal>`;
const entry = (amount: string, mark: string, more = '', status = 'BOOK', currency = 'EUR'): string =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>${status}</Sts>`
  + `<BookgDt><Dt>2026-06-03</Dt></BookgDt><ValDt><Dt>2026-06-04</Dt></ValDt>${more}</Ntry>`;
const details = (...parts: string[]): string =>
  `<NtryDtls>${parts.map((one) => `<TxDtls>${one}</TxDtls>`).join('')}</NtryDtls>`;
const part = (amount: string, text: string, currency = 'EUR'): string =>
  `<Refs><EndToEndId>${text}</EndToEndId></Refs><Amt Ccy="${currency}">${amount}</Amt>`;

function message(inside: string, { version = '053.001.02', root = 'BkToCstmrStmt', of = 'Stmt' } = {}): string {
  const space = `urn:iso:std:iso:20022:tech:xsd:camt.${version}`;
  const account = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${space}"><${root}><GrpHdr><MsgId>M1</MsgId>`
    + `</GrpHdr><${of}><Id>S1</Id>${account}${inside}</${of}></${root}></Document>`;
}

describe('camt.053', () => {
  test.each(['053.001.02', '053.001.04', '053.001.08', '053.001.13'])('version %s', (version) => {
    const newer = version > '053.001.06';
    const status = newer ? '<Cd>BOOK</Cd>' : 'BOOK';
    const name = newer ? '<Dbtr><Pty><Nm>Ada &amp; Co</Nm></Pty></Dbtr>' : '<Dbtr><Nm>Ada &amp; Co</Nm></Dbtr>';
    const { statements, format } = read(message(balance('OPBD', '1000.00') + balance('CLBD', '1250.00')
      + entry('400.00', 'CRDT', '<AcctSvcrRef>R1</AcctSvcrRef>' + details(`<Refs><EndToEndId>INV-7</EndToEndId></Refs>`
        + `<RltdPties>${name}<DbtrAcct><Id><IBAN>IE29AIBK93115212345678</IBAN></Id></DbtrAcct></RltdPties>`
        + '<RmtInf><Ustrd>Invoice</Ustrd><Ustrd>7</Ustrd></RmtInf>'), status)
      + entry('150.00', 'DBIT', '<AddtlNtryInf>Fees</AddtlNtryInf>', status), { version }));
    expect(format).toBe('camt.053');
    expect(inShort(statements[0])).toEqual(['2026-06-03 400.00 Ada & Co|Invoice 7|R1', '2026-06-03 -150.00 |Fees|']);
    expect(statements[0]).toMatchObject({ kind: 'statement', currency: 'EUR', number: 'S1', flags: [],
      account: { iban: 'DE89370400440532013000' } });
    expect(statements[0]?.lines[0]).toMatchObject({ value_on: '2026-06-04', end_to_end_id: 'INV-7', bank_id: 'R1',
      counterparty_account: 'IE29AIBK93115212345678' });
  });

  test('both balances and no period: it is of every day up to that of the closing one', () => {
    const early = (code: string): string => balance(code, '1400.00').replace('06-03', '06-30');
    const both = read(message(balance('OPBD', '1000.00') + early('CLBD') + entry('400.00', 'CRDT'))).statements[0];
    expect([both?.from, both?.to]).toEqual(['2026-06-03', '2026-06-30']);
    const one = read(message(early('CLBD') + entry('400.00', 'CRDT'))).statements[0];
    expect(one?.to).toBe('2026-06-03');
  });

  test('a batch whose parts add up to it is its parts; their text is not the text of the whole', () => {
    const [statement] = read(message(entry('429.56', 'CRDT', '<AddtlNtryInf>Batch</AddtlNtryInf>'
      + details(part('329.56', 'A'), part('100.00', 'B'))))).statements;
    expect(inShort(statement)).toEqual(['2026-06-03 329.56 ||A', '2026-06-03 100.00 ||B']);
  });

  test('charges, another currency and parts that do not add up leave one line of the booked amount', () => {
    const charged = entry('1526.00', 'DBIT', details(part('1500.00', 'A')));
    const foreign = entry('10935.50', 'CRDT',
      details('<AmtDtls><InstdAmt><Amt Ccy="CHF">10000.00</Amt></InstdAmt></AmtDtls>'));
    const off = entry('500.00', 'CRDT', details(part('300.00', 'A'), part('100.00', 'B')));
    const [statement] = read(message(charged + foreign + off)).statements;
    expect(statement?.lines.map(({ amount_minor }) => amount_minor)).toEqual([-152_600n, 1_093_550n, 50_000n]);
    expect(statement?.lines[1]?.original).toEqual({ amount: '10000.00', currency: 'CHF' });
    expect(statement?.lines[2]?.details.map(({ amount_minor }) => amount_minor)).toEqual([30_000n, 10_000n]);
  });

  test('a reversal has the sign of its mark and is not turned again', () => {
    const [statement] = read(message(entry('12.00', 'DBIT', '<RvslInd>true</RvslInd>'))).statements;
    expect(statement?.lines[0]?.amount_minor).toBe(-1200n);
  });

  test('a statement without entries closes the gap between its neighbors', () => {
    const [statement] = read(message(balance('OPBD', '10.00') + balance('CLBD', '10.00'))).statements;
    expect(statement).toMatchObject({ lines: [], flags: [], opening: { amount_minor: 1000n },
      closing: { amount_minor: 1000n } });
  });

  test('the previous closing stands in for a missing opening; what does not add up is flagged', () => {
    const [statement] = read(message(balance('PRCD', '18.15') + balance('CLBD', '27.00', 'DBIT')
      + entry('8.85', 'CRDT'))).statements;
    expect(statement?.opening?.amount_minor).toBe(1815n);
    expect(flagsOf(statement)).toEqual(['balance_mismatch']);
  });

  test('pending and informing entries are left out and flagged; twins of a day are two lines', () => {
    const twin = entry('4.50', 'DBIT');
    const [statement] = read(message(twin + twin + entry('9.00', 'DBIT', '', 'PDNG')
      + entry('9.00', 'DBIT', '', 'INFO'))).statements;
    expect(statement?.lines).toHaveLength(2);
    expect(flagsOf(statement)).toEqual(['non_monetary_skipped', 'pending_skipped']);
  });

  test('counts and totals of the file are compared', () => {
    const totals = '<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries><Sum>1.00</Sum></TtlNtries></TxsSummry>';
    expect(flagsOf(read(message(totals + entry('2.00', 'CRDT'))).statements[0]))
      .toEqual(['control_total_mismatch', 'record_count_mismatch']);
  });

  test('pages of one statement are joined', () => {
    const page = (last: boolean,
      inside: string): string => `<Stmt><Id>S</Id><StmtPgntn><PgNb>1</PgNb><LastPgInd>${last}</LastPgInd>`
      + `</StmtPgntn><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${inside}</Stmt>`;
    const { statements } = read('<Document><BkToCstmrStmt>'
      + page(false, balance('OPBD', '1.00') + entry('2.00', 'CRDT'))
      + page(true, entry('3.00', 'CRDT') + balance('CLBD', '6.00')) + '</BkToCstmrStmt></Document>');
    expect(statements).toHaveLength(1);
    expect([statements[0]?.lines.length, flagsOf(statements[0])]).toEqual([2, []]);
  });

  test('prefixes of names, CDATA and comments', () => {
    const text = message(entry('2.00', 'CRDT', '<AddtlNtryInf><![CDATA[A & <B>]]></AddtlNtryInf><!-- <Ntry> -->'))
      .replace(/<(\/?)([A-Z])/g, '<$1n:$2').replace('<n:B>', '<B>').replace('<n:Ntry> -->', '<Ntry> -->');
    expect(inShort(read(text).statements[0])).toEqual(['2026-06-03 2.00 |A & <B>|']);
  });
});

describe('advance notices', () => {
  test.each([['camt.052', '052.001.08', 'BkToCstmrAcctRpt', 'Rpt'],
    ['camt.052', '052.001.01', 'BkToCstmrAcctRptV01', 'Rpt'],
    ['camt.054', '054.001.04', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn']])('%s %s', (format, version, root, of) => {
    const found = read(message(entry('1.00', 'CRDT') + entry('2.00', 'CRDT') + entry('3.00', 'CRDT'),
      { version, root, of }));
    expect([found.format, found.statements[0]?.kind, found.statements[0]?.lines.length]).toEqual([format, 'advance',
      3]);
  });
});

describe('camt refused whole', () => {
  test.each([
    ['an entry in another currency', message(balance('OPBD', '1.00') + entry('1.00', 'CRDT', '', 'BOOK', 'SEK')),
      'wrong_currency'],
    ['five decimals', message(entry('1.00001', 'CRDT')), 'amount_precision'],
    ['a garbled amount', message(entry('1,0O', 'CRDT')), 'amount_unreadable'],
    ['an entry without amount', message(entry('', 'CRDT')), 'line_incomplete'],
    ['an entry without a date', message(entry('1', 'CRDT')).replace(/<BookgDt>.*<\/ValDt>/, ''), 'line_incomplete'],
    ['30 February', message(entry('1', 'CRDT')).replace('2026-06-03', '2026-02-30'), 'date_unreadable'],
    ['no credit or debit', message(entry('1', '')), 'sign_unknown'],
    ['an unknown currency', message(entry('1', 'CRDT', '', 'BOOK', 'QQQ')), 'unknown_currency'],
    ['a cut file', message(entry('1', 'CRDT')).slice(0, -30), 'truncated'],
    ['a wrong nesting', message('<A><B></A></B>'), 'malformed'],
    ['a payment order', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn/>'
      + '</Document>', 'wrong_format'],
    ['other XML', '<?xml version="1.0"?><feed><a/></feed>', 'not_a_bank_file'],
    ['a bomb of entities', `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>${message('').slice(39)}`,
      'doctype'],
    ['nesting without end', message('<A>'.repeat(10_000)), 'too_deep'],
    ['no statement', '<Document><BkToCstmrStmt><GrpHdr/></BkToCstmrStmt></Document>', 'no_cash_statement'],
  ])('%s', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });
});
