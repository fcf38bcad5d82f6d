/** Checks: their numbers without a gap, what jams, what is voided, and what the bank is told. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { command } from '#tests/support/receivables.ts';
import { approveDisbursement, voidDisbursement } from '../disbursement/disbursement.server.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';

const app = testApp();
const BOOKS = '/api/admin/staff/accounting';
const CHECKS = `${BOOKS}/checks`;
let ann: SignedIn;
let account = 0;
let vendor = 0;

beforeAll(async () => {
  app.clock.set('2026-03-12T17:00:00Z');
  ann = await app.signedIn('staff_admin');
  await ann.confirm();
  vendor = (await ann.post('/api/admin/staff/vendors', { name: 'Alder Print', divisions: ['US'],
    default_currency: 'USD', address: { country_code: 'US', thoroughfare: '1 Mill Road', locality: 'Keene',
      administrative_area: 'NH', postal_code: '03431' } })).body.data.id;
  const { data: [row] } = (await ann.get(`${BOOKS}/bank_accounts?division=US&currency=USD`)).body;
  account = row.id;
  const named = (await ann.put(`${BOOKS}/bank_accounts/${account}`, { next_check_number: 1001,
    version: row.version })).body.data;
  await ann.put(`${BOOKS}/bank_accounts/${account}/number`, { version: named.version, kind: 'us', account: '4567890',
    routing: '121042882' });
});

let source = 500_000;
/** Posts a bill's entry: owed to the vendor on accounts payable. */
async function owed(amount: number, on = '2026-03-02'): Promise<number> {
  source += 1;
  const line = (code: string, minor: number) => ({ account: code, currency: 'USD' as const, amount: BigInt(minor),
    base: BigInt(minor), ...(code === '2000' ? { party: { type: 'vendor' as const, id: vendor },
      due_date: '2026-04-01' } : {}) });
  const { transaction_id } = await command(app.ports, (ctx) => postJournal(ctx.db, { division: 'US', kind: 'bill',
    transaction_at: on, description: `Bill ${source}`, source: { type: 'bill', id: source, event: 'approved',
      attempt: 1 }, lines: [line('6200', amount), line('2000', -amount)] }));
  return (await app.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${transaction_id}`)).id;
}
const openOf = async (item: number) => (await app.database.db.one<{ open: number }>(sql`
  select -open_minor as open from open_items where id = ${item}`)).open;

interface Check { id: number; version: number; check_number: string | null; state: string; payment_id: number }
async function waiting(amount: number, more: object = {}): Promise<Check & { item: number }> {
  const item = await owed(amount);
  const made = await ann.post(CHECKS, { bank_account_id: account, party_type: 'vendor', party_id: vendor,
    on: '2026-03-12', parts: [{ open_item_id: item, amount_minor: amount }], ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...made.body.data, item };
}
async function ready(amount: number, more: object = {}): Promise<Check & { item: number }> {
  const check = await waiting(amount, more);
  await command(app.ports, (ctx) => approveDisbursement(ctx, check.payment_id));
  return check;
}
const next = async (): Promise<string> => (await ann.get(
  `${CHECKS}/next-check-number?bank_account_id=${account}`)).body.data.next_check_number;
const print = async (ids: number[], first_number: string, on = '2026-03-12') =>
  ann.post(`${CHECKS}/print`, { bank_account_id: account, on, check_ids: ids, first_number });
const show = async (id: number) => (await ann.get(`${CHECKS}/${id}`)).body.data;
async function printed(amount: number): Promise<Check & { item: number }> {
  const check = await ready(amount);
  const answer = await print([check.id], await next());
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { ...await show(check.id), item: check.item };
}

describe('printing', () => {
  test('waits for a second person, takes the next number and posts the payment', async () => {
    const check = await waiting(60_000);
    expect(check).toMatchObject({ state: 'waiting', check_number: null });
    expect((await print([check.id], await next())).body.code).toBe('check.state');
    await command(app.ports, (ctx) => approveDisbursement(ctx, check.payment_id));
    expect((await print([check.id], '7')).body).toMatchObject({ code: 'check.number', next_check_number: '1001' });
    expect(await openOf(check.item)).toBe(60_000);
    expect((await print([check.id], '1001')).status).toBe(200);
    expect(await show(check.id)).toMatchObject({ state: 'printed', check_number: '1001', payee: 'Alder Print',
      amount_minor: 60_000, printings: [{ reason: '' }] });
    expect(await openOf(check.item)).toBe(0);
    expect(await next()).toBe('1002');
    for (const typed of ['1001', 'Alder']) {
      expect((await ann.get(`/api/admin/staff/search?entity=check&search=${typed}`)).body.data).toMatchObject([{
        number: '1001', title: 'Alder Print', status: 'printed', href: `/admin/checking/${check.id}` }]);
    }
  });

  test('of a run waits for the approval of the run, though the payment is approved', async () => {
    const check = await ready(2_100);
    const { id: run } = await app.database.owner.one<{ id: number }>(sql`
      insert into payment_runs (number, division, currency, bank_account_id, method, due_by, value_on)
      values ('PR-US-2026-000001', 'US', 'USD', ${account}, 'check', '2026-03-12', '2026-03-12') returning id`);
    await app.database.owner.exec(sql`update payments set payment_run_id = ${run} where id = ${check.payment_id}`);
    expect(await show(check.id)).toMatchObject({ state: 'waiting' });
    expect((await print([check.id], await next())).body.code).toBe('check.state');
    await expect(command(app.ports, (ctx) => postDisbursement(ctx, check.payment_id, '2026-03-12')))
      .rejects.toThrow('waits for payment run PR-US-2026-000001');
    await app.database.owner.exec(sql`update payments set payment_run_id = null where id = ${check.payment_id}`);
  });

  test('by eight people at once leaves no gap and uses no number twice', async () => {
    const checks = [];
    for (let k = 0; k < 8; k += 1) checks.push(await ready(1_000 + k));
    const first = Number(await next());
    // Each asks for the next number until it is theirs, as people at eight printers do.
    await Promise.all(checks.map(async ({ id }) => {
      for (let k = 0; k < 60; k += 1) {
        const answer = await print([id], await next());
        if (answer.status === 200) return;
        expect(answer.body.code).toBe('check.number');
      }
      throw new Error('a check was never printed');
    }));
    const rows = await app.database.db.query<{ number: number }>(sql`
      select check_number as number from checks where check_number >= ${first} order by 1`);
    expect(rows.map((row) => row.number)).toEqual(checks.map((_, k) => first + k));
  });

  test('a form that jams keeps its number as spoiled, and the payment gets the next one once', async () => {
    const check = await printed(4_200);
    const again = await ann.put(`${CHECKS}/${check.id}/reprint`, { version: check.version, reason: 'Faint' });
    expect(again.body.data).toMatchObject({ check_number: check.check_number, printings: [{}, { reason: 'Faint' }] });
    const jammed = await ann.put(`${CHECKS}/${check.id}/spoil`, { version: again.body.data.version, reason: 'Jammed' });
    expect(jammed.body.data).toMatchObject({ state: 'printed', check_number: String(Number(check.check_number) + 1),
      payment_id: check.payment_id, replaces: { id: check.id, check_number: check.check_number } });
    expect(await show(check.id)).toMatchObject({ state: 'spoiled', end_reason: 'Jammed' });
    expect(await openOf(check.item)).toBe(0);
  });

  test('blank forms are spoiled up to a number; a number is never set back', async () => {
    const first = Number(await next());
    const answer = await ann.post(`${CHECKS}/skip`, { bank_account_id: account,
      through_number: String(first + 2), reason: 'Coffee' });
    expect(answer.body.data).toEqual({ spoiled: 3 });
    expect(await next()).toBe(String(first + 3));
    const { db } = app.database;
    await expect(db.exec(sql`update bank_accounts set next_check_number = 5 where id = ${account}`))
      .rejects.toThrow('follows');
    await expect(db.exec(sql`delete from checks where check_number = ${first}`)).rejects.toThrow('kept');
    await expect(db.exec(sql`
      insert into checks (bank_account_id, division, currency, check_number, status, ended_on, end_reason)
      values (${account}, 'US', 'USD', ${first + 9}, 'spoiled', '2026-03-12', 'Gap')`)).rejects.toThrow('next number');
    const row = (await ann.get(`${BOOKS}/bank_accounts/${account}`)).body.data;
    const back = await ann.put(`${BOOKS}/bank_accounts/${account}`, { next_check_number: 5, version: row.version });
    expect([back.status, Object.keys(back.body.errors)]).toEqual([422, ['next_check_number']]);
  });

  test('a check written by hand takes its own number and no other', async () => {
    const first = Number(await next());
    const check = await ready(900, { check_number: String(first + 1) });
    expect((await print([check.id], String(first))).body.code).toBe('check.number');
    const other = await ready(901);
    expect((await print([other.id, check.id], String(first))).status).toBe(200);
    expect(await show(check.id)).toMatchObject({ check_number: String(first + 1), is_handwritten: true });
  });
});

describe('the end of a check', () => {
  test('voiding reverses it, and what it paid is open again with its due date', async () => {
    const check = await printed(7_700);
    const answer = await ann.put(`${CHECKS}/${check.id}/void`, { version: check.version, on: '2026-03-12',
      reason: 'Lost in the mail' });
    expect(answer.body.data).toMatchObject({ state: 'voided', end_reason: 'Lost in the mail' });
    expect(await openOf(check.item)).toBe(7_700);
    const again = await printed(7_701);
    await command(app.ports, (ctx) => voidDisbursement(ctx, again.payment_id, '2026-03-12', 'Wrong payee'));
    expect(await show(again.id)).toMatchObject({ state: 'voided', end_reason: 'Wrong payee' });
  });

  test('a draft that is deleted leaves no number, and its item is free', async () => {
    const check = await ready(300);
    expect((await ann.remove(`${CHECKS}/${check.id}`)).status).toBe(204);
    expect((await ann.get(`${CHECKS}/${check.id}`)).status).toBe(404);
    expect((await ann.get(`${CHECKS}/payable?bank_account_id=${account}&party_type=vendor&party_id=${vendor}`))
      .body.data).toContainEqual(expect.objectContaining({ id: check.item, free_minor: 300 }));
  });

  test('ticked in a reconciliation it is not withdrawn, and finishing clears it; undoing takes that back', async () => {
    const path = `${BOOKS}/reconciliations`;
    const check = await printed(41_500);
    const begun = await ann.post(path, { bank_account_id: account, to_on: '2026-03-12', closing_minor: -41_500 });
    expect(begun.status, JSON.stringify(begun.body)).toBe(201);
    const { id } = begun.body.data;
    const { entries } = (await ann.get(`${BOOKS}/reconciliation?bank_account_id=${account}`)).body.data;
    const entry = entries.find((one: { amount_minor: number }) => one.amount_minor === -41_500);
    const ticked = await ann.put(`${path}/${id}/ticks`, { ledger_line_ids: [entry.ledger_line_id], ticked: true });
    const end = async (what: string, more: object) => ann.put(`${CHECKS}/${check.id}/${what}`,
      { version: (await show(check.id)).version, ...more });
    const voided = await end('void', { on: '2026-03-12', reason: 'Lost' });
    expect([voided.status, voided.body.code]).toEqual([409, 'reconciliation.ticked']);
    expect(voided.body.message).toContain('Take its tick off there, then void it.');
    const finished = await ann.put(`${path}/${id}/finish`, { version: ticked.body.data.version });
    expect(finished.status, JSON.stringify(finished.body)).toBe(200);
    expect(await show(check.id)).toMatchObject({ state: 'cleared', cleared_on: '2026-03-12' });
    const payment = async () => app.database.db.one(sql`
      select status, outcome, outcome_on::text from payments where id = ${check.payment_id}`);
    expect(await payment()).toEqual({ status: 'cleared', outcome: 'settled', outcome_on: '2026-03-12' });
    expect((await end('void', { on: '2026-03-12', reason: 'Lost' })).body.code).toBe('check.state');
    await expect(command(app.ports, (ctx) => voidDisbursement(ctx, check.payment_id, '2026-03-12', 'Lost')))
      .rejects.toThrow('The payment is paid by the bank in a finished reconciliation');
    const undone = await ann.put(`${path}/${id}/undo`, { version: finished.body.data.version, reason: 'Wrong page' });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    expect(await show(check.id)).toMatchObject({ state: 'printed', cleared_on: null });
    expect(await payment()).toEqual({ status: 'posted', outcome: null, outcome_on: null });
    expect((await end('void', { on: '2026-03-12', reason: 'Lost' })).body.code).toBe('reconciliation.ticked');
    await ann.put(`${path}/${undone.body.data.id}/discard`, { version: undone.body.data.version });
    expect((await end('void', { on: '2026-03-12', reason: 'Lost' })).body.data).toMatchObject({ state: 'voided' });
  });

  test('after 180 days it becomes unclaimed property, and no way leads back', async () => {
    const check = await printed(60_000);
    const move = (on: string, version: number) => ann.put(`${CHECKS}/${check.id}/unclaimed`, { version, on });
    expect((await move('2026-03-12', check.version)).status).toBe(422);
    app.clock.set('2026-09-20T17:00:00Z');
    ann = await app.signedIn('staff_admin');
    const begun = (await ann.post(`${BOOKS}/reconciliations`, { bank_account_id: account, to_on: '2026-03-12',
      closing_minor: 0 })).body.data;
    const { entries } = (await ann.get(`${BOOKS}/reconciliation?bank_account_id=${account}`)).body.data;
    await ann.put(`${BOOKS}/reconciliations/${begun.id}/ticks`, { ticked: true, ledger_line_ids: entries.map(
      (one: { ledger_line_id: number }) => one.ledger_line_id) });
    const held = await move('2026-09-20', check.version);
    expect([held.body.code, held.body.message]).toEqual(['reconciliation.ticked',
      expect.stringContaining('Take its tick off there, then move it.')]);
    await ann.put(`${BOOKS}/reconciliations/${begun.id}/discard`, { version: begun.version });
    const moved = await move('2026-09-20', check.version);
    expect(moved.body.data, JSON.stringify(moved.body)).toMatchObject({ state: 'stale' });
    expect(await app.database.db.query(sql`
      select a.code, e.amount_minor as amount from checks c join journal_entries e
        on e.transaction_id = c.stale_transaction_id join ledger_accounts a on a.id = e.ledger_account_id
      where c.id = ${check.id} order by a.code`)).toEqual([{ code: '1000', amount: 60_000 },
      { code: '2450', amount: -60_000 }]);
    await expect(command(app.ports, (ctx) => voidDisbursement(ctx, check.payment_id, '2026-09-20', 'Late')))
      .rejects.toThrow('unclaimed property already');
    expect((await ledgerIntegrity(app.database.db)).filter((one) => !one.ok).map((one) => one.key)).toEqual([]);
  });
});

/** Texts of the first page with their places, in points from the left and from the top; the baseline counts. */
async function placesOn(pdf: Buffer): Promise<{ text: string; x: number; y: number }[]> {
  const page = await (await getDocument({ data: new Uint8Array(pdf) }).promise).getPage(1);
  const { items } = await page.getTextContent();
  return items.flatMap((item) => ('str' in item && item.str.trim() !== ''
    ? [{ text: item.str, x: item.transform[4] as number, y: 792 - (item.transform[5] as number) }] : []));
}

describe('paper and bank', () => {
  test('above a limit a check has a second line to sign, and the offsets of the printer move every field', async () => {
    const path = `${BOOKS}/bank_accounts/${account}/check_template`;
    const set = async (more: object) => {
      const { bank_account_id: _id, micr_font: _font, ...stored } = (await ann.get(path)).body.data;
      const answer = await ann.put(path, { ...stored, ...more });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    const paper = async (id: number) => placesOn((await ann.get(`${CHECKS}/${id}/download`)).raw);
    const signed = (of: { text: string }[]) => of.filter((one) => one.text === 'Signature').length;
    const test_page = async () => placesOn((await ann.get(`${CHECKS}/alignment?bank_account_id=${account}`)).raw);
    await set({ second_signature_above_minor: 50_000, offset_x_mm: 0, offset_y_mm: 0 });
    const [low, high] = [await printed(50_000), await printed(50_001)];
    expect([signed(await paper(low.id)), signed(await paper(high.id))]).toEqual([1, 2]);
    const at = (of: { text: string; x: number; y: number }[], text: string) => of.find((one) => one.text === text)!;
    const before = { paper: at(await paper(low.id), 'Alder Print'), box: at(await test_page(), 'payee') };
    // The payee stands in the box of the test page: its left edge at 66 points, its top at 92.
    expect(before.paper.x).toBeCloseTo(66, 1);
    expect(before.paper.y).toBeGreaterThan(92);
    expect(before.paper.y).toBeLessThan(107);
    expect(before.box.x).toBeCloseTo(68, 1);
    expect((await test_page()).map((one) => one.text)).toEqual(expect.arrayContaining(['date', 'payee', 'figure',
      'words', 'address', 'memo', 'signature', 'second', 'number', 'micr']));
    await set({ offset_x_mm: 2, offset_y_mm: -3 });
    const after = { paper: at(await paper(low.id), 'Alder Print'), box: at(await test_page(), 'payee') };
    for (const which of ['paper', 'box'] as const) {
      expect(after[which].x - before[which].x).toBeCloseTo(2 * 72 / 25.4, 1);
      expect(after[which].y - before[which].y).toBeCloseTo(-3 * 72 / 25.4, 1);
    }
    await set({ second_signature_above_minor: null, offset_x_mm: 0, offset_y_mm: 0 });
  });

  test('a jam is told by printing again or by spoiling, and each printing is in the log with its reason', async () => {
    const check = await printed(3_300);
    const again = await ann.put(`${CHECKS}/${check.id}/reprint`, { version: check.version, reason: 'Jammed' });
    // The same press of the button again: the check has changed since.
    expect((await ann.put(`${CHECKS}/${check.id}/reprint`, { version: check.version, reason: 'Jammed' })).status)
      .toBe(412);
    expect((await print([check.id], await next())).body.code).toBe('check.state');
    expect(again.body.data.printings.map((one: { reason: string }) => one.reason)).toEqual(['', 'Jammed']);
    expect(again.body.data.check_number).toBe(check.check_number);
    const { n } = await app.database.db.one<{ n: number }>(sql`select count(*)::int as n from transactions
      where source_type = 'payment' and source_id = ${check.payment_id} and source_event = 'paid'`);
    expect(n, 'posted once').toBe(1);
  });

  test('the check itself is for the person who has just printed it; others get a copy', async () => {
    const check = await printed(123_456);
    const own = await ann.get(`${CHECKS}/${check.id}/download`);
    expect(own.raw.subarray(0, 5).toString()).toBe('%PDF-');
    const html = (await ann.get(`${CHECKS}/${check.id}/render`)).raw.toString();
    expect(html).toContain('One thousand two hundred thirty-four and 56/100');
    expect(html).toContain('**1,234.56');
    const other = await app.signedIn('staff_admin');
    const copy = await other.get(`${CHECKS}/${check.id}/render`);
    expect(copy.raw.toString()).toContain('COPY');
    expect((await ann.get(`${CHECKS}/alignment?bank_account_id=${account}`)).status).toBe(200);
    expect((await ann.get(`${CHECKS}/sheet?ids=${check.id},${check.id}`)).status).toBe(200);
  });

  test('positive pay tells each issue and each void once, and keeps the file', async () => {
    const path = `${BOOKS}/bank_accounts/${account}/positive_pay`;
    const write = () => ann.post(path, { from_on: '2026-03-01', to_on: '2026-12-31' });
    const file = await write();
    expect(file.status, JSON.stringify(file.body)).toBe(201);
    const text = (await ann.get(`${path}/${file.body.data.id}`)).raw.toString();
    expect(text).toContain('I,4567890,1001,031226,600.00,Alder Print\r\n');
    expect(text.split('\r\n').filter((line) => line.startsWith('C,'))).toHaveLength(file.body.data.void_count);
    expect((await write()).body.code).toBe('check.nothing_to_report');
    const check = await printed(5_000);
    const second = await write();
    expect(second.body.data).toMatchObject({ issue_count: 1, void_count: 0 });
    await ann.put(`${CHECKS}/${check.id}/void`, { version: check.version, on: '2026-09-20', reason: 'Stolen' });
    expect((await write()).body.data).toMatchObject({ issue_count: 0, void_count: 1, voided_minor: 5_000 });
    expect((await ann.get(path)).body.data).toHaveLength(3);
  });

  test('positive pay without a first day tells all that the bank was not told up to the last', async () => {
    const path = `${BOOKS}/bank_accounts/${account}/positive_pay`;
    const check = await ready(6_100);
    expect((await print([check.id], await next(), '2026-03-31')).status).toBe(200);
    expect((await ann.post(path, { from_on: '2026-09-01', to_on: '2026-09-30' })).body.code)
      .toBe('check.nothing_to_report');
    expect((await ann.post(path, { to_on: '2026-09-30' })).body.data).toMatchObject({ from_on: '2026-03-31',
      to_on: '2026-09-30', issue_count: 1, issued_minor: 6_100 });
  });

  test('checks and wires out are one list, with the number of the check', async () => {
    const { data } = (await ann.get(`${BOOKS}/accounts_payable/checks_wires?method=check&search=1001`)).body;
    expect(data).toMatchObject([{ method: 'check', check_number: '1001', payee: 'Alder Print' }]);
  });
});
