/**
 * Files that are not as they should be, as the preview names them: the fault and the way on, in the user's words.
 * Nothing of a refused file is imported.
 */
// cspell:ignore Théâtre Théatre
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { confirmedPeople, testApp, type SignedIn } from '#tests/support/app.ts';
import { zipOf } from '#tests/support/zip.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_statements`;
let staff: SignedIn;
let bankId: number;
beforeAll(async () => {
  staff = await confirmedPeople(test)('staff_admin');
  bankId = (await staff.post(`${BASE}/banks`, { name: 'First Harbor', country: 'US' })).body.data.id;
});

let made = 0;
async function account(): Promise<{ id: number; version: number }> {
  made += 1;
  const answer = await staff.post(`${BASE}/bank_accounts`,
    { bank_id: bankId, division: 'EU', currency: 'EUR', name: `Account ${made}` });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

type Line = [day: string, amount: string, id: string, name: string];
const ofx = (lines: Line[], { currency = 'EUR', number = '12345' } = {}): string =>
  `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}`
  + `<BANKACCTFROM><ACCTID>${number}</BANKACCTFROM>`
  + `<BANKTRANLIST>${lines.map(([day, amount, id, name]) =>
    `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`).join('')}</BANKTRANLIST>`
  + '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';
const ONE: Line = ['20261101', '1.00', 'a', 'Club'];
/** A statement with a line on its first and its last day. */
const sta = (opening: string, closing: string, from: string, to = from): string => ':20:A\n:25:1\n:28C:1\n'
  + `:60F:C${from}EUR${opening}\n:61:${from}C2,NTRFX\n:61:${to}C3,NTRFY\n:62F:C${to}EUR${closing}\n`;

async function send(path: string, bank: number, content: string | Buffer, name: string, more: object = {}) {
  return staff.post(path, undefined, { multipart: { fields: { bank_account_id: String(bank), ...more },
    file: { field: 'file', name, type: 'application/octet-stream', content: Buffer.from(content) } } });
}
const preview = async (bank: number, content: string | Buffer, name = 'file.ofx') =>
  (await send(`${PATH}/preview`, bank, content, name)).body.data;
const load = (bank: number, content: string | Buffer, name = 'file.ofx') =>
  send(PATH, bank, content, name, { sha256: sha256(Buffer.from(content)) });
const imported = (bank: number) => test.database.db.query(sql`
  select id from bank_transactions where bank_account_id = ${bank}
  union all select id from bank_statements where bank_account_id = ${bank}`);

const locked = zipOf({ 'statement.ofx': Buffer.from(ofx([ONE])) });
locked[6] = 1;
const balances = 'Date;Text;Amount;Balance\n2026-11-02;Club;5.00;105.00\n2026-11-03;Shop;-1.00;109.00\n';

describe('a file that is refused says what it is and what to do', () => {
  it.each<[string, string | Buffer, string, string, string]>([
    ['another currency', ofx([ONE], { currency: 'USD' }), 'file.ofx', 'The file is in USD, but Account',
      'Choose the bank account that this file is for.'],
    ['five decimals', ofx([['20261101', '1.12345', 'a', 'Club']]), 'file.ofx', '1.12345', ''],
    ['a file that was cut off', ofx([ONE]).slice(0, -30), 'file.ofx', '', 'The end is missing. Download the file'],
    ['a zipped file', zipOf({ 'statement.ofx': Buffer.from(ofx([ONE])) }), 'file.ofx', 'archive', ''],
    ['a file with a password', locked, 'statement.csv', 'password', ''],
    ['a PDF renamed .ofx', '%PDF-1.7\n%âãÏÓ\n1 0 obj', 'file.ofx', 'PDF', ''],
    ['a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'file.ofx', 'web page', ''],
    ['an empty file', '', 'file.ofx', 'empty', ''],
  ])('%s', async (_, content, name, fault, advice) => {
    const { id } = await account();
    const { refusal, statements } = await preview(id, content, name);
    expect(refusal.message).toContain(fault);
    expect(refusal.advice).toContain(advice);
    expect(refusal.advice.length).toBeGreaterThan(10);
    expect(statements).toEqual([]);
    const answer = await load(id, content, name);
    expect([answer.status, answer.body.errors.file]).toEqual([422, [`${refusal.message} ${refusal.advice}`]]);
    expect(await imported(id)).toEqual([]);
  });

  it('another account, by the last digits of both', async () => {
    const row = await account();
    const put = await staff.put(`${BASE}/bank_accounts/${row.id}/number`, { version: row.version, kind: 'iban',
      account: 'DE89370400440532013000', routing: null });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const foreign = ofx([ONE], { number: 'DE12500105170648489890' });
    expect((await preview(row.id, foreign)).refusal).toMatchObject({ code: 'wrong_account',
      message: `The file is of account •••• 9890, but Account ${made} is •••• 3000.`,
      advice: 'Choose the bank account that this file is for.' });
    expect((await load(row.id, foreign)).status).toBe(422);
    expect(await imported(row.id)).toEqual([]);
    expect((await preview(row.id, ofx([ONE], { number: 'DE89370400440532013000' }))).refusal).toBeNull();
  });
});

describe('a file that is read with a remark', () => {
  const flagsOf = async (bank: number, content: string | Buffer, name?: string) =>
    (await preview(bank, content, name)).statements.flatMap((one: { flags: { flag: string; message: string }[] }) =>
      one.flags.map(({ flag, message }) => [flag, message]));

  it('a gap and an overlap to the statements that are here', async () => {
    const { id } = await account();
    expect((await load(id, sta('10,', '15,', '261101', '261110'), 'a.sta')).status).toBe(201);
    expect(await flagsOf(id, sta('15,', '20,', '261111'), 'a.sta')).toEqual([]);
    expect(await flagsOf(id, sta('15,', '20,', '261110', '261112'), 'a.sta')).toEqual([]);
    expect(await flagsOf(id, sta('99,', '104,', '261115'), 'a.sta')).toEqual([['gap',
      'The statement before, to November 10, 2026, ends with 15.00; this one begins with 99.00. '
      + 'A statement between them is missing. Ask the bank for it and import it.']]);
    expect(await flagsOf(id, sta('12,', '17,', '261105', '261112'), 'a.sta')).toEqual([['overlap',
      'It overlaps the statement of November 1, 2026 to November 10, 2026. '
      + 'Only lines that are not here yet are imported.']]);
  });

  it('lines that share an id, lines in the future, a balance that does not add up', async () => {
    const { id } = await account();
    expect((await flagsOf(id, ofx([ONE, ['20261102', '2.00', 'a', 'Shop']])))[0][0]).toBe('duplicate_fitid');
    expect(await flagsOf(id, ofx([['20991101', '1.00', 'a', 'Club']]))).toMatchObject([['future_date',
      expect.stringContaining('dated after today. Check how the file writes its dates')]]);
    expect((await flagsOf(id, sta('10,', '99,', '261101'), 'a.sta'))[0][0]).toBe('balance_mismatch');
    const mapped = await staff.post(`${PATH}/preview`, undefined, { multipart: { fields: {
      bank_account_id: String(id), mapping: JSON.stringify((await preview(id, balances, 'b.csv')).sheet.mapping) },
    file: { field: 'file', name: 'b.csv', type: 'text/csv', content: Buffer.from(balances) } } });
    expect(mapped.body.data.statements[0].flags.map((one: { flag: string }) => one.flag)).toContain('balance_mismatch');
  });

  it('in UTF-16 and in Windows-1252', async () => {
    const { id } = await account();
    const file = ofx([['20261101', '1.00', 'a', 'Théâtre – 5 €']]);
    const narrow = Buffer.from(Array.from(file).map((letter) => ({ '–': 0x96, '€': 0x80 })[letter]
      ?? letter.charCodeAt(0)));
    for (const content of [Buffer.from(`\ufeff${file}`, 'utf16le'), narrow, Buffer.from(file)]) {
      expect((await preview(id, content)).lines).toMatchObject([{ name: 'Théâtre – 5 €', amount_minor: 100 }]);
    }
  });
});
