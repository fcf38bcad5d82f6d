import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_transactions`;
let staff: Browser;
let bankId: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  bankId = (await staff.post(`${BASE}/banks`, { name: 'First Harbor', country: 'US' })).body.data.id;
});

let made = 0;
async function account(): Promise<{ id: number; ledger_account_id: number }> {
  made += 1;
  const answer = await staff.post(`${BASE}/bank_accounts`,
    { bank_id: bankId, division: 'US', currency: 'USD', name: `Account ${made}` });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const line = (bank: number, more: object = {}) => ({ bank_account_id: bank, booked_on: '2026-11-02',
  amount_minor: -1_250, name: 'First Harbor', memo: 'Monthly fee', ...more });
async function entered(bank: number, more: object = {}) {
  const answer = await staff.post(PATH, line(bank, more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
async function send(path: string, bank: number, content: string, more: Record<string, string> = {}) {
  return staff.post(path, undefined, { multipart: { fields: { bank_account_id: String(bank), ...more },
    file: { field: 'file', name: 'file.qif', type: 'application/octet-stream', content: Buffer.from(content) } } });
}
/** Lines of a file: day and amount, and the name of the other party. */
const qif = (...lines: [day: string, amount: string, name: string][]): string =>
  `!Type:Bank\n${lines.map(([day, amount, name]) => `D${day}\nT${amount}\nP${name}\n^\n`).join('')}`;
async function imported(bank: number, content: string): Promise<{ id: number; version: number }[]> {
  const answer = await send(`${BASE}/bank_statements`, bank, content, { sha256: sha256(Buffer.from(content)) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (await staff.get(`${PATH}?bank_account_id=${bank}&sort_by=booked_on`)).body.data;
}
const ids = async (query: string, path = PATH): Promise<number[]> =>
  (await staff.get(`${path}?${query}`)).body.data.map(({ id }: { id: number }) => id);

/** Matched with a posting of its own amount, as the match service would store it. */
async function matched(bank: { id: number; ledger_account_id: number }, lineId: number, minor: number) {
  const { id: capital } = await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '3100'`);
  const posted = await staff.post(`${BASE}/bank_accounts/${bank.id}/entries`, { on: '2026-11-02',
    direction: minor > 0 ? 'in' : 'out', description: 'Posted',
    lines: [{ ledger_account_id: capital, amount_minor: Math.abs(minor) }] });
  expect(posted.status, JSON.stringify(posted.body)).toBe(201);
  return test.database.db.tx(async (tx) => {
    const { id } = await tx.one<{ id: number }>(sql`
      insert into bank_matches (bank_account_id, made_by) values (${bank.id}, 'person') returning id`);
    await tx.exec(sql`insert into bank_match_lines (bank_match_id, bank_account_id, bank_transaction_id)
      values (${id}, ${bank.id}, ${lineId})`);
    await tx.exec(sql`insert into bank_match_entries (bank_match_id, bank_account_id, ledger_line_id)
      select ${id}, ${bank.id}, e.id from journal_entries e where e.transaction_id = ${posted.body.data.transaction_id}
        and e.ledger_account_id = ${bank.ledger_account_id}`);
    return id;
  });
}

describe('an entry by hand', () => {
  it('is listed, opened and changed, and its changes are in the activity [A52] [A53] [A54] [A55]', async () => {
    const bank = await account();
    const row = await entered(bank.id, { check_number: '4101', note: 'No file from this bank' });
    expect(row).toMatchObject({ source: 'manual', state: 'booked', amount_minor: -1_250, is_matched: false,
      is_reconciled: false, bank_statement_id: null, check_number: '4101', note: 'No file from this bank',
      currency: 'USD', match: null, files: [] });
    expect(await ids(`bank_account_id=${bank.id}`)).toEqual([row.id]);
    const changed = await staff.put(`${PATH}/${row.id}`, { amount_minor: -1_350, memo: 'Fee of October',
      version: row.version });
    expect(changed.body.data).toMatchObject({ amount_minor: -1_350, memo: 'Fee of October', name: 'First Harbor',
      check_number: '4101' });
    expect((await staff.put(`${PATH}/${row.id}`, { memo: 'x', version: row.version })).status).toBe(412);
    const { body } = await staff.get(`/api/admin/staff/activity?entity=bank_transaction&entity_id=${row.id}`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
  });

  it.each([
    ['an unknown account', { bank_account_id: 999_999 }, 'bank_account_id'],
    ['nothing', { amount_minor: 0 }, 'amount_minor'], ['part of a cent', { amount_minor: 1.5 }, 'amount_minor'],
    ['a day that does not exist', { booked_on: '2026-02-30' }, 'booked_on'],
    ['a day to come', { booked_on: '2099-01-01' }, 'booked_on'], ['a blank name', { name: ' ' }, 'name'],
    ['no name', { name: undefined }, 'name'], ['a note without end', { note: 'x'.repeat(2_001) }, 'note'],
  ])('refuses %s at its field', async (_, wrong, at) => {
    const bank = await account();
    const answer = await staff.post(PATH, { ...line(bank.id), ...wrong });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [at]]);
  });

  it('asks before a second line of the same day and amount', async () => {
    const bank = await account();
    const first = await entered(bank.id);
    const asked = await staff.post(PATH, line(bank.id, { name: 'Somebody else' }));
    expect([asked.status, asked.body.code, asked.body.bank_transaction_id])
      .toEqual([409, 'bank_transaction.probably_here', first.id]);
    expect(asked.body.message).toContain('First Harbor · Monthly fee');
    await entered(bank.id, { duplicate_confirmed: true });
    await staff.remove(`${PATH}/${first.id}`);
    expect(await ids(`bank_account_id=${bank.id}`)).toHaveLength(1);
  });

  it('goes to the trash, is listed there alone, comes back, and is purged from there only [A56] [A57] [A58] [S7] [S13]',
    async () => {
      const bank = await account();
      const row = await entered(bank.id);
      const trash = () => ids(`bank_account_id=${bank.id}`, `${PATH}/trash`);
      expect((await staff.remove(`${PATH}/${row.id}/purge`)).status).toBe(404);
      expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(204);
      expect([await ids(`bank_account_id=${bank.id}`), await trash()]).toEqual([[], [row.id]]);
      expect((await staff.get(`${PATH}/${row.id}`)).status).toBe(404);
      expect((await staff.put(`${PATH}/${row.id}/restore`)).body.data.name).toBe('First Harbor');
      expect([await ids(`bank_account_id=${bank.id}`), await trash()]).toEqual([[row.id], []]);
      await staff.remove(`${PATH}/${row.id}`);
      expect((await staff.remove(`${PATH}/${row.id}/purge`)).status).toBe(204);
      expect(await trash()).toEqual([]);
    });

  it('that is matched keeps its day and amount and stays out of the trash', async () => {
    const bank = await account();
    const row = await entered(bank.id);
    const match = await matched(bank, row.id, -1_250);
    const shown = (await staff.get(`${PATH}/${row.id}`)).body.data;
    expect(shown).toMatchObject({ is_matched: true, bank_match_id: match,
      match: { id: match, made_by: 'person', entries: [{ amount_minor: -1_250, description: 'Posted' }] } });
    const trashed = await staff.remove(`${PATH}/${row.id}`);
    expect([trashed.status, trashed.body.code]).toEqual([409, 'bank_transaction.matched']);
    const put = (body: object) => staff.put(`${PATH}/${row.id}`, { version: row.version, ...body });
    expect((await put({ amount_minor: -1 })).body.code).toBe('bank_transaction.matched');
    expect((await put({ memo: 'Better text' })).status).toBe(200);
    await expect(test.database.db.exec(sql`update bank_transactions set amount_minor = 5 where id = ${row.id}`))
      .rejects.toThrow(/is matched/);
    await expect(test.database.db.exec(sql`update bank_transactions set deleted_at = now() where id = ${row.id}`))
      .rejects.toThrow(/is matched/);
  });

  it('in the trash is matched with nothing, and one that was matched is kept', async () => {
    const bank = await account();
    const row = await entered(bank.id);
    const match = await matched(bank, row.id, -1_250);
    await test.database.db.exec(sql`update bank_matches set undone_at = now(), undo_reason = 'Wrong'
      where id = ${match}`);
    expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(204);
    await expect(matched(bank, row.id, -1_250)).rejects.toThrow(/in the trash/);
    expect((await staff.remove(`${PATH}/${row.id}/purge`)).body.code).toBe('in_use');
  });

  it('is ticked in an open reconciliation only', async () => {
    const bank = await account();
    const ticked = await staff.post(PATH, line(bank.id, { is_reconciled: true }));
    expect([ticked.status, ticked.body.code]).toEqual([409, 'bank_transaction.not_reconciling']);
    const row = await entered(bank.id, { is_reconciled: false });
    const put = await staff.put(`${PATH}/${row.id}`, { is_reconciled: true, version: row.version });
    expect(put.body.code).toBe('bank_transaction.not_reconciling');
    expect((await staff.put(`${PATH}/${row.id}`, { is_reconciled: false, version: row.version })).status).toBe(200);
  });
});

describe('a line of a statement', () => {
  it('never changes and is never trashed; a note beside it does', async () => {
    const bank = await account();
    const [row] = await imported(bank.id, qif(['2026-11-03', '-2.50', 'Fee']));
    const { id, version } = row!;
    const refused = await staff.put(`${PATH}/${id}`, { amount_minor: -1, version });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['amount_minor']]);
    const trashed = await staff.remove(`${PATH}/${id}`);
    expect([trashed.status, trashed.body.code]).toEqual([409, 'bank_transaction.of_statement']);
    const noted = await staff.put(`${PATH}/${id}`, { amount_minor: -250, note: 'Ask the bank', version });
    expect(noted.body.data).toMatchObject({ note: 'Ask the bank', amount_minor: -250, source: 'statement' });
    expect(await ids(`bank_account_id=${bank.id}&search=ask the bank`)).toEqual([id]);
    for (const change of [sql`memo = 'x'`, sql`deleted_at = now()`, sql`amount_minor = 1`]) {
      const update = sql`update bank_transactions set ${change} where id = ${id}`;
      await expect(test.database.db.exec(update)).rejects.toThrow();
    }
    await expect(test.database.db.exec(sql`delete from bank_transactions where id = ${id}`)).rejects.toThrow();
  });

  it('of the day and amount of an entry by hand is probably here already; one in the trash is not', async () => {
    const bank = await account();
    const row = await entered(bank.id);
    const file = qif(['2026-11-02', '-12.50', 'HARBOR NATL FEE'], ['2026-11-02', '-12.51', 'Other']);
    const preview = async () => (await send(`${BASE}/bank_statements/preview`, bank.id, file)).body.data;
    const seen = await preview();
    expect([seen.probable_count, seen.probable[0].here.id, seen.statements[0].new_count]).toEqual([1, row.id, 1]);
    await staff.remove(`${PATH}/${row.id}`);
    expect((await preview()).probable_count).toBe(0);
  });
});

describe('the list', () => {
  it('is filtered by account, match, day, amount, direction, source and text', async () => {
    const bank = await account();
    const [fee, rent, sale] = await imported(bank.id, qif(['2026-10-01', '-2.50', 'Fee'], ['2026-10-15', '-900.00',
      'Rent Ltd'], ['2026-10-20', '450.00', 'Astoria Players']));
    const own = await entered(bank.id, { booked_on: '2026-10-25' });
    await matched(bank, sale!.id, 45_000);
    const by = (query: string) => ids(`bank_account_id=${bank.id}&sort_by=booked_on&${query}`);
    expect(await by('')).toEqual([fee!.id, rent!.id, sale!.id, own.id]);
    expect(await by('matched=true')).toEqual([sale!.id]);
    expect(await by('matched=false')).toEqual([fee!.id, rent!.id, own.id]);
    expect(await by('is_reconciled=true')).toEqual([]);
    expect(await by('booked_on_from=2026-10-15&booked_on_to=2026-10-20')).toEqual([rent!.id, sale!.id]);
    expect(await by('from_minor=45000&to_minor=90000')).toEqual([rent!.id, sale!.id]);
    expect(await by('direction=in')).toEqual([sale!.id]);
    expect(await by('source=manual')).toEqual([own.id]);
    expect(await by('search=ASTORIA')).toEqual([sale!.id]);
    expect(await by('state=advance')).toEqual([]);
    expect(await by('division=EU')).toEqual([]);
  });
});

describe('files', () => {
  it('are attached, read and removed by whoever may', async () => {
    const bank = await account();
    const row = await entered(bank.id);
    const attached = await staff.post(`${PATH}/${row.id}/files`, undefined, { multipart: { fields: {},
      file: { field: 'file', name: 'letter.pdf', type: 'application/pdf', content: PAPER } } });
    expect(attached.status, JSON.stringify(attached.body)).toBe(201);
    const { files } = (await staff.get(`${PATH}/${row.id}`)).body.data;
    expect(files).toMatchObject([{ id: attached.body.data.id, name: 'letter.pdf', size_bytes: PAPER.length }]);
    expect((await staff.get(`${PATH}/${row.id}/files/${files[0].id}`)).status).toBe(200);
    const reader = await test.signedIn('staff_user', { permissions: ['bank_transaction.show'] });
    expect((await reader.remove(`${PATH}/${row.id}/files/${files[0].id}`)).status).toBe(403);
    const other = await entered(bank.id, { booked_on: '2026-10-01' });
    expect((await staff.get(`${PATH}/${other.id}/files/${files[0].id}`)).status).toBe(404);
    expect((await staff.remove(`${PATH}/${row.id}/files/${files[0].id}`)).status).toBe(204);
    expect((await staff.get(`${PATH}/${row.id}`)).body.data.files).toEqual([]);
  });
});
