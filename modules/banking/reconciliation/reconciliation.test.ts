import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { BankFixtures } from '#tests/support/bank-lines.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/reconciliations`;
let bank: BankFixtures;
let staff: Awaited<ReturnType<typeof test.signedIn>>;
let fees = 0;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  bank = await BankFixtures.make(test);
  fees = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6100'`)).id;
});

/** An account with 1,000.00 on 1 October. */
async function account(): Promise<number> {
  const id = await bank.account();
  const { body: { data } } = await staff.get(`${BASE}/bank_accounts/${id}`);
  const { status } = await staff.put(`${BASE}/bank_accounts/${id}`, { version: data.version, opening_minor: 100_000,
    opening_on: '2026-10-01' });
  expect(status).toBe(200);
  return id;
}
/** Money on the account in the ledger; answers its line. */
async function posted(id: number, amount: number, on: string): Promise<number> {
  const answer = await staff.post(`${BASE}/bank_accounts/${id}/entries`, { on, direction: amount > 0 ? 'in' : 'out',
    description: `Entry ${amount}`, lines: [{ ledger_account_id: fees, amount_minor: Math.abs(amount) }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { id: line } = await test.database.db.one<{ id: number }>(sql`
    select e.id from journal_entries e join bank_accounts b on b.ledger_account_id = e.ledger_account_id
    where e.transaction_id = ${answer.body.data.transaction_id} and b.id = ${id}`);
  return line;
}
async function begun(id: number, closing_minor: number, to_on = '2026-10-31') {
  const answer = await staff.post(PATH, { bank_account_id: id, to_on, closing_minor });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const work = async (id: number) => (await staff.get(`${BASE}/reconciliation?bank_account_id=${id}`)).body.data;
const tick = (ids: number[], is_reconciled = true, ledger_line_ids: number[] = []) =>
  staff.post(`${BASE}/reconciliation`, { bank_transaction_ids: ids, is_reconciled, ledger_line_ids });
const finish = (row: { id: number; version: number }) => staff.put(`${PATH}/${row.id}/finish`,
  { version: row.version });
async function finished(id: number) {
  const { reconciliation } = await work(id);
  const answer = await finish(reconciliation);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}
const broken = async () => (await ledgerIntegrity(test.database.db)).filter((one) => !one.ok).map((one) => one.key);

describe('a reconciliation', () => {
  it('is ticked line by line to zero, and finished with its report', async () => {
    const id = await account();
    await posted(id, 9_125, '2026-10-05');
    await posted(id, -1_460, '2026-10-12');
    await posted(id, -612, '2026-10-30');
    const [receipt, check] = await bank.lines(id, [{ amount: '91.25', on: '2026-10-06' }, { amount: '-14.60',
      on: '2026-10-20' }]);
    await begun(id, 107_665);
    expect((await work(id)).figures).toMatchObject({ difference_minor: 7_665, unmatched_count: 2, matched_count: 0 });
    expect((await tick([receipt!])).body.data).toEqual({ matched: 1, skipped: [] });
    expect((await work(id)).figures).toMatchObject({ difference_minor: -1_460, matched_minor: 9_125 });
    const early = await work(id);
    expect((await finish(early.reconciliation)).body).toMatchObject({ code: 'reconciliation.not_ready' });
    await tick([check!]);
    expect(await work(id)).toMatchObject({ figures: { difference_minor: 0 }, blocks: [] });
    const { report } = await finished(id);
    expect(report).toMatchObject({ opening_minor: 100_000, closing_minor: 107_665, matched_minor: 7_665,
      outstanding: [{ posted_on: '2026-10-30', amount_minor: -612 }], proof: { outstanding_payments_minor: 612,
        deposits_in_transit_minor: 0, ledger_minor: 107_053, expected_minor: 107_053, difference_minor: 0 } });
    const rows = await test.database.db.query(sql`
      select bank_reconciliation_id is not null as reconciled from bank_transactions where bank_account_id = ${id}`);
    expect(rows).toEqual([{ reconciled: true }, { reconciled: true }]);
    expect((await staff.get(`${PATH}/${report === null ? 0 : (await latest(id)).id}/document`)).headers['content-type'])
      .toBe('application/pdf');
    expect(await broken()).toEqual([]);
  });

  it('begins where the last one ended, on a later day, once at a time', async () => {
    const id = await account();
    await posted(id, 500, '2026-10-05');
    const [line] = await bank.lines(id, [{ amount: '5.00', on: '2026-10-06' }]);
    await begun(id, 100_500);
    const second = await staff.post(PATH, { bank_account_id: id, to_on: '2026-11-05', closing_minor: 1 });
    expect(second.body.code).toBe('reconciliation.open');
    await tick([line!]);
    await finished(id);
    for (const to_on of ['2026-10-31', '2026-10-01', '2099-01-01']) {
      const { status, body } = await staff.post(PATH, { bank_account_id: id, to_on, closing_minor: 100_500 });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['to_on']]);
    }
    expect(await begun(id, 100_500, '2026-11-10')).toMatchObject({ opening_minor: 100_500 });
    await finished(id);
  });

  it('takes its day and closing balance from a statement, and holds one that does not add up', async () => {
    const id = await account();
    await posted(id, 500, '2026-10-05');
    const [line] = await bank.lines(id, [{ amount: '5.00', on: '2026-10-06' }]);
    const { db, owner } = test.database;
    const { id: statement } = await db.one<{ id: number }>(sql`
      select bank_statement_id as id from bank_transactions where id = ${line}`);
    const without = await staff.post(PATH, { bank_account_id: id, bank_statement_id: statement });
    expect(Object.keys(without.body.errors)).toEqual(['closing_minor']);
    await owner.exec(sql`update bank_statements set closing_minor = 100500, closing_on = '2026-10-06',
      flags = '[{"flag": "balance_mismatch", "count": 1, "message": ""}]' where id = ${statement}`);
    const { body } = await staff.post(PATH, { bank_account_id: id, bank_statement_id: statement });
    expect(body.data).toMatchObject({ to_on: '2026-10-06', closing_minor: 100_500 });
    await tick([line!]);
    expect((await work(id)).blocks).toMatchObject([{ code: 'balance_mismatch', bank_statement_id: statement }]);
    expect((await finish(body.data)).body.code).toBe('reconciliation.not_ready');
    await owner.exec(sql`update bank_statements set flags = '[]' where id = ${statement}`);
    await finished(id);
  });

  it('leaves a choice between two entries to a person', async () => {
    const id = await account();
    const [first] = [await posted(id, 700, '2026-10-05'), await posted(id, 700, '2026-10-06')];
    const [line] = await bank.lines(id, [{ amount: '7.00', on: '2026-10-06' }]);
    await begun(id, 100_700);
    expect((await tick([line!])).body.data).toEqual({ matched: 0, skipped: [line] });
    expect((await tick([line!], true, [first])).status).toBe(200);
    expect((await work(id)).entries).toMatchObject([{ amount_minor: 700, posted_on: '2026-10-06' }]);
    expect((await tick([line!], false)).body.data).toEqual({ matched: 1, skipped: [] });
    expect((await work(id)).figures).toMatchObject({ unmatched_count: 1, difference_minor: 700 });
  });

  it('proves the books where an entry is dated after the bank', async () => {
    const id = await account();
    const late = await posted(id, 800, '2026-11-02');
    const [line] = await bank.lines(id, [{ amount: '8.00', on: '2026-10-30' }]);
    await begun(id, 100_800);
    await tick([line!], true, [late]);
    const { report } = await finished(id);
    expect(report).toMatchObject({ timing: [{ amount_minor: -800 }], outstanding: [],
      proof: { ledger_minor: 100_000, expected_minor: 100_000, difference_minor: 0 } });
    expect(await broken()).toEqual([]);
  });

  it('is finished once, also where eight people finish it', async () => {
    const id = await account();
    const row = await begun(id, 100_000);
    const done = await Promise.all(Array.from({ length: 8 }, () => finish(row)));
    expect(done.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(done.filter((answer) => answer.status >= 500)).toEqual([]);
  });
});

const latest = async (id: number) => (await staff.get(`${PATH}?bank_account_id=${id}`)).body.data[0];

describe('ticks on paper', () => {
  it('clear entries of a statement without lines, once', async () => {
    const id = await account();
    const entry = await posted(id, -300, '2026-10-10');
    const open = await posted(id, 400, '2026-10-30');
    const row = await begun(id, 99_700);
    const put = (ids: number[], ticked = true) => staff.put(`${PATH}/${row.id}/ticks`,
      { ledger_line_ids: ids, ticked });
    expect((await put([entry])).status).toBe(200);
    expect((await work(id)).figures).toMatchObject({ ticked_minor: -300, difference_minor: 0 });
    await put([entry], false);
    expect((await work(id)).figures).toMatchObject({ ticked_count: 0 });
    await put([entry]);
    const [line] = await bank.lines(id, [{ amount: '-3.00', on: '2026-11-10' }]);
    expect((await tick([line!], true, [entry])).body.code).toBe('reconciliation.ticked');
    await finished(id);
    const later = await begun(id, 100_100, '2026-11-05');
    expect((await staff.put(`${PATH}/${later.id}/ticks`, { ledger_line_ids: [entry], ticked: true })).body.code)
      .toBe('reconciliation.not_open');
    await staff.put(`${PATH}/${later.id}/ticks`, { ledger_line_ids: [open], ticked: true });
    expect((await work(id)).figures).toMatchObject({ difference_minor: 0 });
    await finished(id);
    expect(await broken()).toEqual([]);
  });

  it('are taken off with a reconciliation that is discarded', async () => {
    const id = await account();
    const entry = await posted(id, -300, '2026-10-10');
    const row = await begun(id, 99_700);
    await staff.put(`${PATH}/${row.id}/ticks`, { ledger_line_ids: [entry], ticked: true });
    await staff.put(`${PATH}/${row.id}/discard`, { version: row.version });
    await begun(id, 99_700);
    expect((await work(id)).entries).toMatchObject([{ ledger_line_id: entry, is_ticked: false }]);
  });
});

describe('an adjustment', () => {
  it('posts the difference to an account with its reason, and clears it', async () => {
    const id = await account();
    const row = await begun(id, 99_993);
    const adjust = (more: object) => staff.post(`${PATH}/${row.id}/adjustments`, { version: row.version,
      ledger_account_id: fees, reason: 'Rounding of the bank', ...more });
    expect(Object.keys((await adjust({ ledger_account_id: 1 })).body.errors)).toEqual(['ledger_account_id']);
    expect((await adjust({})).status).toBe(201);
    const now = await work(id);
    expect(now).toMatchObject({ figures: { difference_minor: 0, ticked_minor: -7 },
      entries: [{ amount_minor: -7, is_adjustment: true }] });
    const again = await adjust({ version: now.reconciliation.version });
    expect(again.body.code).toBe('reconciliation.no_difference');
    await finished(id);
  });

  it('waits until the lines of the bank are matched', async () => {
    const id = await account();
    await bank.lines(id, [{ amount: '-3.00', on: '2026-10-10' }]);
    const row = await begun(id, 99_000);
    const answer = await staff.post(`${PATH}/${row.id}/adjustments`, { version: row.version, ledger_account_id: fees,
      reason: 'x' });
    expect(answer.body.code).toBe('reconciliation.not_ready');
  });
});

describe('a finished reconciliation', () => {
  const undo = (row: { id: number; version: number }, reason = 'A line was missing') =>
    staff.put(`${PATH}/${row.id}/undo`, { version: row.version, reason });
  async function twoMonths() {
    const id = await account();
    const entry = await posted(id, 500, '2026-10-05');
    const [line] = await bank.lines(id, [{ amount: '5.00', on: '2026-10-06' }]);
    await begun(id, 100_500);
    await tick([line!]);
    const first = await finished(id);
    const ticked = await posted(id, -40, '2026-11-03');
    const open = await begun(id, 100_460, '2026-11-10');
    await staff.put(`${PATH}/${open.id}/ticks`, { ledger_line_ids: [ticked], ticked: true });
    return { id, entry, line: line!, first, second: await finished(id) };
  }

  it('is undone with a reason, the latest first, and stands open again with its ticks', async () => {
    const { id, line, first, second } = await twoMonths();
    expect((await undo(first)).body.code).toBe('reconciliation.not_latest');
    expect(Object.keys((await undo(second, ' ')).body.errors)).toEqual(['reason']);
    const { body } = await undo(second);
    expect(body.data).toMatchObject({ status: 'open', to_on: '2026-11-10', closing_minor: 100_460 });
    expect((await work(id)).figures).toMatchObject({ ticked_minor: -40, difference_minor: 0 });
    expect((await undo(first)).body.code).toBe('reconciliation.open');
    await staff.put(`${PATH}/${body.data.id}/discard`, { version: body.data.version });
    expect((await undo(first)).status).toBe(200);
    const row = await test.database.db.one(sql`
      select bank_reconciliation_id, exists (select 1 from bank_match_lines m where m.bank_transaction_id = t.id
        and m.active) as matched from bank_transactions t where id = ${line}`);
    expect(row).toEqual({ bank_reconciliation_id: null, matched: true });
    const log = await test.database.db.query<{ action: string }>(sql`
      select action from audit_events where entity = 'bank_reconciliation' and entity_id = ${second.id} order by id`);
    expect(log.map((one) => one.action)).toEqual(expect.arrayContaining(['start', 'finish', 'undo']));
    expect(await broken()).toEqual([]);
  });

  it('keeps its lines, matches, ticks and figures, against the database itself', async () => {
    const { line, first, second } = await twoMonths();
    const { db } = test.database;
    expect((await tick([line], false)).body.code).toBe('bank_match.reconciled');
    const writes = [
      sql`update bank_reconciliations set closing_minor = 1 where id = ${first.id}`,
      sql`update bank_reconciliations set status = 'open', finished_at = null where id = ${first.id}`,
      sql`update bank_reconciliations set status = 'undone', undone_at = now(), undo_reason = 'x'
        where id = ${first.id}`,
      sql`delete from bank_reconciliation_ticks where bank_reconciliation_id = ${second.id}`,
      sql`delete from bank_reconciliations where id = ${first.id}`,
      sql`update bank_transactions set bank_reconciliation_id = null where id = ${line}`,
      sql`update bank_matches set undone_at = now(), undo_reason = 'x' where id in (
        select bank_match_id from bank_match_lines where bank_transaction_id = ${line})`,
    ];
    for (const write of writes) await expect(db.exec(write)).rejects.toThrow();
    await expect(test.database.owner.exec(sql`update bank_transactions set bank_reconciliation_id = null
      where id = ${line}`)).rejects.toThrow(/reconciled/);
  });

  it('is finished by the database at zero only', async () => {
    const id = await account();
    const row = await begun(id, 100_001);
    await expect(test.database.db.exec(sql`update bank_reconciliations set status = 'finished', finished_at = now(),
      report = '{}' where id = ${row.id}`)).rejects.toThrow(/do not lead/);
  });

  it('is found wrong by the integrity report where its lines are', async () => {
    const { line } = await twoMonths();
    const { owner } = test.database;
    await owner.exec(sql`alter table bank_transactions disable trigger user`);
    await owner.exec(sql`update bank_transactions set bank_reconciliation_id = null where id = ${line}`);
    expect(await broken()).toEqual(['reconciled', 'reconciled_lines']);
    await owner.exec(sql`alter table bank_transactions enable trigger user`);
  });
});

describe('what is not reconciled', () => {
  const unreconciled = async () => (await staff.get(`${BASE}/periods/202610/unreconciled?division=US`)).body.data
    .map((row: { bank_account_id: number }) => row.bank_account_id);

  it('is named before a period is closed', async () => {
    const id = await account();
    expect(await unreconciled()).toContain(id);
    await begun(id, 100_000);
    await finished(id);
    expect(await unreconciled()).not.toContain(id);
    await posted(id, 250, '2026-11-02');
    expect(await unreconciled()).not.toContain(id);
  });

  it('keeps an account from being closed, in words', async () => {
    const id = await bank.account();
    await bank.lines(id, [{ amount: '5.00', on: '2026-10-06' }]);
    const { body: { data } } = await staff.get(`${BASE}/bank_accounts/${id}`);
    const { body } = await staff.put(`${BASE}/bank_accounts/${id}/close`, { version: data.version });
    expect([body.code, body.message]).toEqual(['in_use', expect.stringContaining('bank lines that are not matched')]);
  });
});
