/** Imports that went wrong: taken back and read anew; files told apart by whole numbers; likely twins line by line. */
import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { runsOf } from '#tests/support/full.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_statements`;
let staff: SignedIn;
let bankId: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  await staff.confirm();
  bankId = (await staff.post(`${BASE}/banks`, { name: 'First Harbor', country: 'US' })).body.data.id;
});

let made = 0;
async function account(number?: object, currency = 'USD', division = 'US'): Promise<number> {
  made += 1;
  const answer = await staff.post(`${BASE}/bank_accounts`,
    { bank_id: bankId, division, currency, name: `Account ${made}` });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { id, version } = answer.body.data;
  if (number) {
    const put = await staff.put(`${BASE}/bank_accounts/${id}/number`, { version, ...number });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
  }
  return id;
}

type Line = [day: string, amount: string, id: string];
const ofx = (lines: readonly Line[], { closing = '', number = '1', currency = 'USD' } = {}): string =>
  `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>${number}`
  + `</BANKACCTFROM><BANKTRANLIST>${lines.map(([day, amount, id]) =>
    `<STMTTRN><DTPOSTED>${day.replaceAll('-', '')}<TRNAMT>${amount}<FITID>${id}<NAME>${id}</STMTTRN>`).join('')}`
  + `</BANKTRANLIST>${closing && `<LEDGERBAL><BALAMT>${closing}<DTASOF>20261103</LEDGERBAL>`}</STMTRS></STMTTRNRS>`
  + '</BANKMSGSRSV1></OFX>';
const camt = (kind: 'Stmt' | 'Ntfctn', inside: string): string => {
  const root = { Stmt: 'BkToCstmrStmt', Ntfctn: 'BkToCstmrDbtCdtNtfctn' }[kind];
  return `<Document><${root}><${kind}><Id>1</Id><Acct><Id><Othr><Id>12345</Id></Othr></Id></Acct>${inside}</${kind}>`
    + `</${root}></Document>`;
};
const entry = '<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-03</Dt>'
  + '</BookgDt></Ntry>';
const period = '<FrToDt><FrDtTm>2026-06-01T00:00:00</FrDtTm><ToDtTm>2026-06-30T00:00:00</ToDtTm></FrToDt>';

async function send(path: string, bank: number, content: string, more: Record<string, string>, name: string) {
  return staff.post(path, undefined, { multipart: { fields: { bank_account_id: String(bank), ...more },
    file: { field: 'file', name, type: 'application/octet-stream', content: Buffer.from(content) } } });
}
const preview = async (bank: number, content: string, more: Record<string, string> = {}, name = 'file.ofx') =>
  (await send(`${PATH}/preview`, bank, content, more, name)).body.data;
const load = (bank: number, content: string, more: Record<string, string> = {}, name = 'file.ofx') =>
  send(PATH, bank, content, { sha256: sha256(Buffer.from(content)), ...more }, name);
async function loaded(bank: number, content: string, more: Record<string, string> = {}, name = 'file.ofx') {
  const answer = await load(bank, content, more, name);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const takeBack = (id: number, reason = 'Signs turned') => staff.put(`${PATH}/${id}/take_back`, { reason });
const amounts = async (bank: number, state = 'booked'): Promise<number[]> =>
  (await test.database.db.query<{ amount_minor: number }>(sql`select amount_minor from bank_transactions
    where bank_account_id = ${bank} and state = ${state} order by booked_on, id`)).map((row) => row.amount_minor);

const CSV = 'Date,Text,Amount\n2026-11-01,Shop,1.50\n2026-11-02,Club,-20.00\n';
const mapping = (inverted: boolean): string => JSON.stringify({ header_row: 1, footer_rows: 0, date_order: 'ymd',
  decimal_mark: '.', amount: { kind: 'signed', amount: 'Amount', inverted },
  columns: { booked: 'Date', name: 'Text' } });

describe('an import that went wrong', () => {
  it('is taken back with its reason, and the same file is read anew with the right columns', async () => {
    const bank = await account();
    const { statement_ids: [id] } = await loaded(bank, CSV, { mapping: mapping(false) }, 'file.csv');
    expect(await amounts(bank)).toEqual([150, -2000]);
    expect(Object.keys((await takeBack(id, ' ')).body.errors)).toEqual(['reason']);
    const answer = await takeBack(id);
    expect(answer.body.data, JSON.stringify(answer.body)).toMatchObject({ take_back_reason: 'Signs turned',
      taken_back_at: expect.any(String) });
    expect([await amounts(bank), await amounts(bank, 'withdrawn')]).toEqual([[], [150, -2000]]);
    expect((await staff.get(`${PATH}?bank_account_id=${bank}`)).body.meta.total).toBe(0);
    expect((await staff.get(`${PATH}?bank_account_id=${bank}&taken_back=true`)).body.meta.total).toBe(1);
    // The mapping of the account went with it: the columns are asked for again.
    expect(await preview(bank, CSV, {}, 'file.csv')).toMatchObject({ is_known_file: false,
      refusal: { code: 'mapping_required' } });
    expect(await loaded(bank, CSV, { mapping: mapping(true) }, 'file.csv')).toMatchObject({ new_count: 2 });
    expect(await amounts(bank)).toEqual([-150, 2000]);
    expect((await takeBack(id)).body.code).toBe('bank_statement.taken_back');
    const { action, after } = await test.database.db.one<{ action: string; after: object }>(sql`
      select action, after from audit_events where entity = 'bank_account' and entity_id = ${bank}
        and action = 'take_back_import'`);
    expect([action, after]).toMatchObject(['take_back_import', { file: 'file.csv', lines: 2, reason: 'Signs turned' }]);
  });

  it('stays while a line is matched or its balance is reconciled, or a later file counts on it', async () => {
    const bank = await account();
    const first = await loaded(bank, ofx([['2026-11-01', '5.00', 'a'], ['2026-11-02', '6.00', 'b']]));
    const second = await loaded(bank, ofx([['2026-11-02', '6.00', 'b'], ['2026-11-03', '7.00', 'c']]));
    const relied = await takeBack(first.statement_ids[0]);
    expect([relied.status, relied.body.code]).toEqual([409, 'bank_statement.relied_on']);
    const { id: line } = await test.database.db.one<{ id: number }>(sql`
      select id from bank_transactions where bank_account_id = ${bank} and amount_minor = 700`);
    const { id: fees } = await test.database.db.one<{ id: number }>(sql`
      select id from ledger_accounts where division = 'US' and code = '6100'`);
    const match = await staff.post(`${BASE}/bank_matches`, { line_ids: [line],
      entries: [{ ledger_account_id: fees, amount_minor: 700 }] });
    expect(match.status, JSON.stringify(match.body)).toBe(201);
    const held = await takeBack(second.statement_ids[0]);
    expect([held.body.code, held.body.message]).toEqual(['bank_statement.in_use',
      '1 line of this import is matched. Undo its match first, then take the import back.']);
    await staff.put(`${BASE}/bank_matches/${match.body.data.id}/undo`, { reason: 'Wrong' });
    expect((await takeBack(second.statement_ids[0])).status).toBe(200);
    expect((await takeBack(first.statement_ids[0])).status).toBe(200);
    expect(await amounts(bank)).toEqual([]);
    expect((await staff.post(`${BASE}/bank_matches`, { line_ids: [line],
      entries: [{ ledger_account_id: fees, amount_minor: 700 }] })).status).toBe(422);
  });

  it('gives back the advance notices that it had replaced', async () => {
    const bank = await account(undefined, 'EUR', 'EU');
    await loaded(bank, camt('Ntfctn', entry), {}, 'a.xml');
    expect(await amounts(bank, 'advance')).toEqual([3000]);
    const { statement_ids: [id] } = await loaded(bank, camt('Stmt', period + entry), {}, 'b.xml');
    expect([await amounts(bank, 'advance'), await amounts(bank, 'superseded')]).toEqual([[], [3000]]);
    expect((await takeBack(id)).status).toBe(200);
    expect([await amounts(bank, 'advance'), await amounts(bank)]).toEqual([[3000], []]);
  });

  it('leaves, in any order of imports and takings back, opening and lines that come to the closing', async () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'];
    const all = days.map((day, k): Line => [day, `${k + 1}.00`, `id ${k}`]);
    const step = fc.record({ from: fc.nat(4), length: fc.integer({ min: 1, max: 4 }), back: fc.boolean(),
      pick: fc.nat(9) });
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const bank = await account();
      for (const { from, length, back, pick } of steps) {
        const own = all.slice(from, from + length);
        if (back) {
          const live = (await staff.get(`${PATH}?bank_account_id=${bank}`)).body.data;
          if (live.length > 0) expect([200, 409]).toContain((await takeBack(live[pick % live.length].id)).status);
        } else await loaded(bank, ofx(own));
        const statements = (await staff.get(`${PATH}?bank_account_id=${bank}&per_page=100`)).body.data;
        for (const one of statements) {
          const { sum } = await test.database.db.one<{ sum: number }>(sql`
            select coalesce(sum(amount_minor), 0)::bigint as sum from bank_transactions
            where bank_account_id = ${bank} and state = 'booked'
              and booked_on between ${one.from_on} and ${one.to_on}`);
          expect(sum).toBe(one.net_minor);
        }
      }
    }), { numRuns: runsOf(4) });
  });
});

describe('the account of a file', () => {
  const US = { kind: 'us', account: '7780012345', routing: '121042882' };

  it('is compared whole: another one that ends alike is named, zeros before it are not', async () => {
    const bank = await account(US);
    const other = await preview(bank, ofx([['2026-11-01', '1.00', 'a']], { number: '9912312345' }));
    expect(other.refusal).toMatchObject({ code: 'wrong_account', suggestion: 'this_account',
      message: expect.stringContaining('another account that ends in 2345') });
    for (const number of ['7780012345', '0007780012345', '121042882 7780012345', 'XXXXXX2345']) {
      expect((await preview(bank, ofx([['2026-11-01', '1.00', 'a']], { number }))).refusal, number).toBeNull();
    }
  });

  it('is this one where a person says so after a look, and that is kept', async () => {
    const bank = await account({ kind: 'iban', account: 'FR1420041010050500013M02606', routing: null }, 'EUR', 'EU');
    const file = ofx([['2026-11-01', '1.00', 'a']], { number: '0500013M026', currency: 'EUR' });
    expect((await preview(bank, file)).refusal).toMatchObject({ code: 'wrong_account' });
    expect(Object.keys((await load(bank, file)).body.errors)).toEqual(['file']);
    expect((await preview(bank, file, { account_confirmed: 'true' })).refusal).toBeNull();
    expect(await loaded(bank, file, { account_confirmed: 'true' })).toMatchObject({ new_count: 1 });
    const later = ofx([['2026-11-03', '1.00', 'c']], { number: '0500013M026', currency: 'EUR' });
    expect((await preview(bank, later)).refusal, 'asked once').toBeNull();
    const domestic = ofx([['2026-11-02', '1.00', 'b']], { number: '20041010050500013M02606', currency: 'EUR' });
    expect((await preview(bank, domestic)).refusal).toBeNull();
    expect(await test.database.db.query(sql`select 1 from audit_events where entity = 'bank_account'
      and entity_id = ${bank} and action = 'import' and (after ->> 'account_confirmed')::boolean`)).toHaveLength(1);
  });
});

it('likely twins are all shown and answered line by line', async () => {
  const bank = await account();
  const lines = Array.from({ length: 60 }, (_, k): Line => ['2026-11-01', `${k + 1}.00`, `Line ${k}`]);
  await loaded(bank, ofx(lines));
  const qif = `!Type:Bank\n${lines.map(([day, amount, text]) => `D${day}\nT${amount}\nP${text} x\n^\n`).join('')}`;
  const seen = await preview(bank, qif, {}, 'file.qif');
  expect([seen.probable_count, seen.probable.length]).toEqual([60, 60]);
  const answers = Object.fromEntries(seen.probable.map(({ at }: { at: number }) => [at, at < 2 ? 'import' : 'skip']));
  const { [59]: _last, ...open } = answers;
  expect(Object.keys((await load(bank, qif, { probable_lines: JSON.stringify(open) }, 'file.qif')).body.errors))
    .toEqual(['probable']);
  expect(await loaded(bank, qif, { probable_lines: JSON.stringify(answers) }, 'file.qif'))
    .toMatchObject({ new_count: 2, skipped_count: 58 });
  expect((await amounts(bank)).filter((minor) => minor <= 300)).toEqual([100, 200, 300, 100, 200]);
});
