import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { zipOf } from '#tests/support/zip.ts';
import { workBankImports } from './work-imports.server.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_statements`;
let staff: Browser;
let bankId: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  bankId = (await staff.post(`${BASE}/banks`, { name: 'First Harbor', country: 'US' })).body.data.id;
});

let made = 0;
async function account(currency = 'EUR', division = 'EU'): Promise<number> {
  made += 1;
  const answer = await staff.post(`${BASE}/bank_accounts`,
    { bank_id: bankId, division, currency, name: `Account ${made}` });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}

type Line = [day: string, amount: string, id: string | null, name: string];
const ofx = (lines: Line[], { closing = '', currency = 'EUR', number = '12345' } = {}): string =>
  `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}`
  + `<BANKACCTFROM><ACCTID>${number}</BANKACCTFROM>`
  + `<BANKTRANLIST>${lines.map(([day, amount, id, name]) => `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}`
    + `${id === null ? '' : `<FITID>${id}`}<NAME>${name}</STMTTRN>`).join('')}</BANKTRANLIST>`
  + `${closing && `<LEDGERBAL><BALAMT>${closing}<DTASOF>20261103</LEDGERBAL>`}</STMTRS></STMTTRNRS>`
  + '</BANKMSGSRSV1></OFX>';
const camt = (kind: 'Stmt' | 'Rpt' | 'Ntfctn', inside: string): string => {
  const root = { Stmt: 'BkToCstmrStmt', Rpt: 'BkToCstmrAcctRpt', Ntfctn: 'BkToCstmrDbtCdtNtfctn' }[kind];
  const of = '<Id>1</Id><Acct><Id><Othr><Id>12345</Id></Othr></Id></Acct>';
  return `<Document><${root}><${kind}>${of}${inside}</${kind}></${root}></Document>`;
};
const bal = (code: string, amount: string): string => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>`
  + `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-03</Dt></Dt></Bal>`;
const entry = (amount: string, mark: string, more = ''): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd>`
  + `<Sts>BOOK</Sts><BookgDt><Dt>2026-06-03</Dt></BookgDt>${more}</Ntry>`;

async function send(path: string, bank: number, content: string | Buffer, more: Record<string, string> = {},
  name = 'file.ofx') {
  return staff.post(path, undefined, { multipart: { fields: { bank_account_id: String(bank), ...more },
    file: { field: 'file', name, type: 'application/octet-stream', content: Buffer.from(content) } } });
}
const preview = async (bank: number, content: string | Buffer, more: Record<string, string> = {}, name = 'file.ofx') =>
  (await send(`${PATH}/preview`, bank, content, more, name)).body.data;
const load = (bank: number, content: string, more: Record<string, string> = {}, name = 'file.ofx') =>
  send(PATH, bank, content, { sha256: sha256(Buffer.from(content)), ...more }, name);
const lines = async (bank: number,
  state = 'booked') => test.database.db.query<{ amount_minor: number; booked_on: string }>(sql`
  select booked_on::text as booked_on, amount_minor from bank_transactions where bank_account_id = ${bank}
    and state = ${state} order by booked_on, id`);
const amounts = async (bank: number, state = 'booked'): Promise<number[]> =>
  (await lines(bank, state)).map(({ amount_minor }) => amount_minor);

describe('a file of the bank', () => {
  it('is previewed, then imported whole; the same file again brings nothing [A112]', async () => {
    const bank = await account();
    const file = ofx([['20261101', '-1.50', 'a', 'Shop'], ['20261102', '20.00', 'b', 'Club']], { closing: '118.50' });
    const seen = await preview(bank, file);
    expect(seen).toMatchObject({ format: 'ofx', refusal: null, is_known_file: false, probable_count: 0,
      statements: [{ line_count: 2, new_count: 2, closing_minor: 11_850 }] });
    expect(await amounts(bank)).toEqual([]);
    const first = await load(bank, file);
    expect([first.status, first.body.data]).toMatchObject([201, { new_count: 2, known_count: 0 }]);
    expect((await load(bank, file)).body.data).toEqual({ ...first.body.data, new_count: 0, known_count: 2 });
    expect(await amounts(bank)).toEqual([-150, 2000]);
    expect((await preview(bank, file)).is_known_file).toBe(true);
    const id = first.body.data.statement_ids[0];
    expect((await staff.get(`${PATH}/${id}`)).body.data).toMatchObject({ file_name: 'file.ofx', line_count: 2 });
    expect((await staff.get(`${PATH}/${id}/lines`)).body.data).toHaveLength(2);
    expect((await staff.get(`${PATH}?bank_account_id=${bank}`)).body.meta.total).toBe(1);
  });

  it('other than the one of the preview is refused, and nothing is imported', async () => {
    const bank = await account();
    const file = ofx([['20261101', '-1.50', 'a', 'Shop']]);
    const answer = await load(bank, `${file} `, { sha256: sha256(Buffer.from(file)) });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
    expect(await amounts(bank)).toEqual([]);
  });

  it('that overlaps brings only what is new, whatever the day', async () => {
    const bank = await account();
    await load(bank, ofx([['20260101', '5.00', 'a', 'A'], ['20260103', '6.00', 'b', 'B']]));
    const second = ofx([['20260101', '-18.00', 'x', 'X'], ['20260101', '5.00', 'a', 'A'],
      ['20260103', '6.00', 'b', 'B'],
      ['20260105', '-7.00', 'y', 'Y']]);
    expect((await load(bank, second)).body.data).toMatchObject({ new_count: 2, known_count: 2 });
    expect((await amounts(bank)).toSorted((a, b) => a - b)).toEqual([-1800, -700, 500, 600]);
  });

  it('has twins without an id as two lines, and an id with another amount as another line', async () => {
    const bank = await account();
    await load(bank, ofx([['20260801', '-1.50', null, 'Fee']]));
    await load(bank, ofx([['20260801', '-1.50', null, 'Fee'], ['20260801', '-1.50', null, 'Fee'],
      ['20260802', '9.00', 'f', 'F']]));
    await load(bank, ofx([['20260802', '8.00', 'f', 'F']]));
    expect(await amounts(bank)).toEqual([-150, -150, 900, 800]);
  });

  it('asks about lines that are probably here, from another format or under another id', async () => {
    const bank = await account();
    await load(bank, ofx([['20261101', '-1.50', 'a', 'Shop'], ['20261102', '20.00', 'b', 'Club']]));
    const qif = '!Type:Bank\nD2026-11-01\nT-1.50\nPPOS SHOP\n^\nD2026-11-02\nT20.00\nPCLUB BERLIN\n^\nD2026-11-0'
      + '3\nT1.00\nPNew\n^\n';
    const seen = await preview(bank, qif, {}, 'file.qif');
    expect([seen.probable_count, seen.statements[0].new_count]).toEqual([2, 1]);
    expect(Object.keys((await load(bank, qif, {}, 'file.qif')).body.errors)).toEqual(['probable']);
    expect(await amounts(bank)).toEqual([-150, 2000]);
    expect((await load(bank, qif, { probable: 'skip' }, 'file.qif')).body.data).toMatchObject({ new_count: 1,
      skipped_count: 2 });
    const renamed = ofx([['20261101', '-1.50', 'other', 'Shop']]);
    expect((await preview(bank, renamed)).probable_count).toBe(1);
    expect((await load(bank, renamed, { probable: 'import' })).body.data.new_count).toBe(1);
  });

  it('that cannot be imported is named for what it is: account, currency, PDF, archive, cut, decimals', async () => {
    const bank = await account();
    const code = async (content: string | Buffer, name = 'file.ofx') =>
      (await preview(bank, content, {}, name)).refusal?.code;
    expect(await code(ofx([], { currency: 'USD' }))).toBe('wrong_currency');
    expect(await code('%PDF-1.7')).toBe('file_pdf');
    expect(await code(ofx([]).slice(0, -10))).toBe('truncated');
    const zip = zipOf({ 'statement.ofx': Buffer.from(ofx([])) });
    expect(await code(zip)).toBe('file_archive');
    zip[6] = 1;
    expect(await code(zip, 'statement.csv')).toBe('file_protected');
    expect(await code(ofx([['20261101', '1.12345', 'a', 'Club']]))).toBe('amount_precision');
    const wide = Buffer.from(`\ufeff${ofx([['20261101', '1.00', 'a', 'Théâtre']])}`, 'utf16le');
    expect((await preview(bank, wide)).lines).toMatchObject([{ name: 'Théâtre', amount_minor: 100 }]);
    const narrow = Buffer.from(ofx([['20261101', '1.00', 'a', 'Théâtre']]), 'latin1');
    expect((await preview(bank, narrow)).lines).toMatchObject([{ name: 'Théâtre', amount_minor: 100 }]);
    const late = await preview(bank, ofx([['20991101', '1.00', 'a', 'Club']]));
    expect(late.statements[0].flags).toMatchObject([{ flag: 'future_date' }]);
    const answer = await load(bank, ofx([], { currency: 'USD' }));
    expect(answer.body.errors.file[0]).toContain('Choose the bank account that this file is for');
  });

  it('brings each line once, in any order of overlapping files', async () => {
    const all: Line[] = [1, 2, 3, 4, 5, 6].map((n) => [`2026090${n}`, `${n}.00`, `id${n}`, 'Club']);
    const files = [all.slice(0, 3), all.slice(1, 5), all.slice(2)].map((part) => ofx(part));
    for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]]) {
      const bank = await account();
      for (const at of [...order, order[0]!]) expect((await load(bank, files[at]!)).status).toBe(201);
      expect(await amounts(bank), String(order)).toEqual([100, 200, 300, 400, 500, 600]);
    }
  });

  it('of a large size is imported in the background, whole or not at all, and says how far it is', async () => {
    const bank = await account();
    const large = (amount: string): string => ofx([['20261001', '3.00', 'x', 'Club'],
      ['20261002', amount, 'y', 'Club']]).replace('<BANKMSGSRSV1>', `${' '.repeat(2 * 1024 * 1024)}<BANKMSGSRSV1>`);
    const progress = async (id: number) => (await staff.get(`${BASE}/bank_statement_imports/${id}`)).body.data;
    expect((await load(bank, large('1.00'), { sha256: '0'.repeat(64) })).status).toBe(422);
    const { import_id: id, new_count: now } = (await load(bank, large('4.00'))).body.data;
    expect([now, await amounts(bank), await progress(id)]).toMatchObject([0, [], { status: 'waiting' }]);
    await workBankImports(test.ports);
    expect(await progress(id)).toMatchObject({ status: 'finished', lines_done: 2, lines_total: 2,
      result: { new_count: 2 } });
    expect(await amounts(bank)).toEqual([300, 400]);
    const broken = (await load(bank, large('4.001'))).body.data.import_id;
    await workBankImports(test.ports);
    expect(await progress(broken)).toMatchObject({ status: 'failed', result: null,
      failure: expect.stringContaining('more decimals') });
    expect(await amounts(bank)).toEqual([300, 400]);
  });

  it('shows a gap to the statement before', async () => {
    const bank = await account();
    const sta = (opening: string, closing: string, day: string) => `:20:A\n:25:1\n:28C:1\n:60F:C${day}EUR${opening}\n`
      + `:61:${day}C5,NTRFX\n:62F:C${day}EUR${closing}\n`;
    await load(bank, sta('10,', '15,', '260301'), {}, 'a.sta');
    expect((await preview(bank, sta('15,', '20,', '260302'), {}, 'a.sta')).statements[0].flags).toEqual([]);
    expect((await preview(bank, sta('99,', '104,', '260302'), {}, 'a.sta')).statements[0].flags[0].flag).toBe('gap');
    const bob = await test.signedIn('staff_admin');
    const { statement_ids: [id] } = (await load(bank, sta('99,', '104,', '260302'), {}, 'a.sta')).body.data;
    expect(await test.database.db.query(sql`select kind, title, href from notifications
      where user_id = ${bob.user_id} and kind = 'bank.statement'`)).toEqual([{ kind: 'bank.statement',
      title: `A statement of Account ${made} is missing`, href: `/admin/banking/statements/${id}` }]);
  });

  it('in columns asks for them once and keeps them with the account', async () => {
    const bank = await account();
    const csv = 'Date;Text;Amount\n13/02/2026;Rent;-1.234,50\n';
    const seen = await preview(bank, csv, {}, 'x.csv');
    expect([seen.refusal.code, seen.sheet.mapping.date_order]).toEqual(['mapping_required', 'dmy']);
    const mapping = JSON.stringify({ ...seen.sheet.mapping, columns: { booked: 'Date', memo: ['Text'] } });
    expect((await load(bank, csv, { mapping }, 'x.csv')).body.data.new_count).toBe(1);
    expect(await amounts(bank)).toEqual([-123_450]);
    expect((await preview(bank, 'Date;Text;Amount\n14/02/2026;Rent;5,00\n', {}, 'x.csv')).refusal).toBeNull();
  });
});

describe('advance notices', () => {
  it('wait for the statement of the day and never count twice', async () => {
    const bank = await account();
    await load(bank, camt('Rpt', entry('400.00', 'CRDT')), {}, 'a.xml');
    expect([await amounts(bank), await amounts(bank, 'advance')]).toEqual([[], [40_000]]);
    const statement = camt('Stmt', bal('OPBD', '1000.00') + bal('CLBD', '1250.00') + entry('400.00', 'CRDT')
      + entry('150.00', 'DBIT'));
    expect((await load(bank, statement, {}, 'a.xml')).body.data.new_count).toBe(2);
    expect([await amounts(bank), await amounts(bank, 'advance')]).toEqual([[40_000, -15_000], []]);
    await load(bank, camt('Rpt', entry('400.00', 'CRDT', '<NtryRef>late</NtryRef>')), {}, 'a.xml');
    expect([await amounts(bank), await amounts(bank, 'advance')]).toEqual([[40_000, -15_000], []]);
  });

  it('that detail a batch become its details', async () => {
    const bank = await account();
    const parts = '<AcctSvcrRef>B1</AcctSvcrRef><NtryDtls><TxDtls><Amt Ccy="EUR">600.00</Amt></TxDtls>'
      + '<TxDtls><Amt Ccy="EUR">400.00</Amt></TxDtls></NtryDtls>';
    await load(bank, camt('Stmt', entry('1000.00', 'CRDT', '<AcctSvcrRef>B1</AcctSvcrRef>')), {}, 'a.xml');
    await load(bank, camt('Ntfctn', entry('1000.00', 'CRDT', parts)), {}, 'a.xml');
    expect(await amounts(bank)).toEqual([100_000]);
    const { details } = await test.database.db.one<{ details: { amount_minor: number }[] }>(sql`
      select details from bank_transactions where bank_account_id = ${bank} and state = 'booked'`);
    expect(details.map(({ amount_minor }) => amount_minor)).toEqual([60_000, 40_000]);
  });
});

describe('the database', () => {
  it('keeps what the bank wrote', async () => {
    const bank = await account();
    await load(bank, ofx([['20261101', '-1.50', 'a', 'Shop']]));
    const change = (what: ReturnType<typeof sql>) => test.database.db.exec(what);
    const own = sql`where bank_account_id = ${bank}`;
    await expect(change(sql`update bank_transactions set amount_minor = 1 ${own}`))
      .rejects.toThrow(/keeps what the bank wrote/);
    await expect(change(sql`delete from bank_transactions ${own}`))
      .rejects.toThrow(/is not in the trash/);
  });

  it('takes each file once when two people import it at once', async () => {
    const bank = await account();
    const file = ofx(Array.from({ length: 50 }, (_, at): Line => ['20261101', `-${at + 1}.00`, `n${at}`, 'Shop']));
    const answers = await Promise.all(Array.from({ length: 4 }, () => load(bank, file)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await amounts(bank)).toHaveLength(50);
  });
});
