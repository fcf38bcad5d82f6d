/** From due royalties to the bank through the API: E10, four eyes, double clicks, returned payments, the tie-out. */
import { beforeAll, describe, expect, test } from 'vitest';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import { tieOut } from '../reports/tie-out.server.ts';
import { makeDeal, makeRoyaltor, makeShow, type TestDeal, type TestShow } from '../testing/royalty-fixtures.ts';

const app = testApp();
let ports: Ports;
let ann: Browser & { user_id: number };
let bob: Browser & { user_id: number };
let customer: number;

beforeAll(async () => {
  ports = testPorts(app.database.db);
  ann = await app.signedIn('staff_admin');
  bob = await app.signedIn('staff_admin');
  customer = await makeCustomer(app.database.db, 'US');
});

/** Moves the clock to noon of a day; sessions of before are over then. */
async function at(day: string): Promise<void> {
  app.clock.set(`${day}T17:00:00Z`);
  ann = await app.signedIn('staff_admin');
  bob = await app.signedIn('staff_admin');
}

const RUNS = '/api/admin/staff/royalty_statement_runs';
const BATCHES = '/api/admin/staff/accounting/royalty_payment_batches';
const ok = <T extends { status: number; body: unknown }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer;
};

/** Royalty and sales billed on a day: an on_invoice agreement is due at once. */
function bill(deal: TestDeal, on: string, lines: { royalty?: number; sale?: number }): Promise<unknown> {
  return command(ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id: customer, division: 'US',
    currency: 'USD', issued_on: on, lines: [
      ...(lines.royalty ? [{ kind: 'royalty' as const, item_class: 'performing_licence' as const,
        description: 'Licence fee', net_minor: lines.royalty, royalty_bearing: true }] : []),
      ...(lines.sale ? [{ kind: 'sale' as const, item_class: 'printed_script' as const, description: 'Scripts',
        net_minor: lines.sale, tax_minor: 0, royalty_bearing: true }] : []),
    ] }));
}

async function calculated(person: Browser, from: string, to: string, royaltor: number) {
  return ok(await person.post(RUNS, { division: 'US', currency: 'USD', period_from: from, period_to: to,
    royaltor_ids: [royaltor] })).body.data;
}

async function issued(from: string, to: string, royaltor: number) {
  const run = await calculated(ann, from, to, royaltor);
  const approved = ok(await bob.put(`${RUNS}/${run.id}/approve`, { version: run.version })).body.data;
  return ok(await bob.put(`${RUNS}/${run.id}/issue`, { version: approved.version })).body.data;
}

async function paid(body: object) {
  const batch = ok(await ann.post(BATCHES, { division: 'US', method: 'wire', statement_ids: [], advance_ids: [],
    ...body })).body.data;
  const approved = ok(await bob.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version })).body.data;
  return ok(await ann.put(`${BATCHES}/${batch.id}/pay`, { version: approved.version })).body.data;
}

async function author(
  rate_ppm = 1_000_000, more: object = {},
): Promise<{ show: TestShow; deal: TestDeal; royaltor: number }> {
  const show = await makeShow(app.database.db, [{ rate_ppm, accrual_basis: 'on_invoice', ...more }]);
  const deal = await makeDeal(app.database.db, show, { customer_id: customer, performances: ['2027-06-01'] });
  return { show, deal, royaltor: show.parties[0]!.royaltor_id };
}

describe('E10: a quarter with reserve, correction, advance, agent and withholding', () => {
  test('[I3] [I4] [I5] [I11] every step to the cent, posted, paid, and tied to the ledger', async () => {
    const { db } = app.database;
    const agent = await makeRoyaltor(db, { name: 'Agent & Co', kind: 'agent' });
    const royaltor = await makeRoyaltor(db, { name: 'Dora Dramatist', country: 'DE', form: 'none', tin: false });
    const { show, deal } = await author(1_000_000, { royaltor_id: royaltor, reserve_schedule_ppm: [1_000_000],
      income_types: ['royalty'], agent: { royaltor_id: agent, ppm: 100_000, pays: 'split_payment' } });
    const agreement = show.parties[0]!.show_royaltor_id;
    await db.exec(sql`insert into royalty_terms (show_royaltor_id, rate_ppm, match_income_types, reserve_ppm)
      values (${agreement}, 1000000, '{sale}', 200000)`);
    await bill(deal, '2026-02-02', { sale: 60_000 });
    const first = await issued('2026-01-01', '2026-03-31', royaltor);
    expect(first.statements[0]).toMatchObject({ earnings_minor: 60_000, reserves_taken_minor: 12_000,
      net_minor: 48_000, agent_minor: 4_800, expected_wht_minor: 14_400, payable_minor: 28_800 });
    await paid({ pay_on: '2026-04-10', statement_ids: [first.statements[0].id] });

    const advance = ok(await ann.post('/api/admin/staff/royalty_advances', { show_royaltor_id: agreement,
      amount_minor: 500_000, currency: 'USD', due_on: '2026-04-15' })).body.data;
    const moved = await movement(db, () => paid({ pay_on: '2026-04-15', advance_ids: [advance.id] }));
    expect(moved).toEqual({ 1000: -350_000, 1150: 500_000, 2320: -150_000 });
    const correction = ok(await ann.post('/api/admin/staff/royalty_adjustments', { show_royaltor_id: agreement,
      amount_minor: -4_550, currency: 'USD', on_date: '2026-05-01', reason: 'Overpaid in March' })).body.data;
    const own = await ann.put(`/api/admin/staff/royalty_adjustments/${correction.id}/approve`, {});
    expect(own).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    ok(await bob.put(`/api/admin/staff/royalty_adjustments/${correction.id}/approve`, {}));
    await bill(deal, '2026-05-04', { royalty: 1_100_077, sale: 185_000 });

    const second = await issued('2026-04-01', '2026-06-30', royaltor);
    expect(second.statements[0]).toMatchObject({ opening_minor: 0, earnings_minor: 1_285_077,
      reserves_taken_minor: 37_000, reserves_released_minor: 12_000, adjustments_minor: -4_550,
      available_minor: 1_255_527, recouped_minor: 500_000, net_minor: 755_527, agent_minor: 75_553,
      expected_wht_minor: 226_658, payable_minor: 453_316, closing_unrecouped_minor: 0,
      closing_reserve_minor: 37_000 });
    const pay = await movement(db, () => paid({ pay_on: '2026-07-10', statement_ids: [second.statements[0].id] }));
    expect(pay).toEqual({ 1000: -(453_316 + 75_553), 2200: 755_527, 2320: -226_658 });
    const { body } = await ann.get(`/api/admin/staff/royalty_statements/${second.statements[0].id}`);
    expect(body.data).toMatchObject({ status: 'paid', closing_minor: 0, withheld_minor: 226_658, paid_minor: 453_316 });
    expect(body.data.steps).toHaveLength(17);
    const line = body.data.lines.find((one: { section: string }) => one.section === 'performances');
    expect(line).toMatchObject({ amount_minor: 1_100_077 });
    expect(line.accrual_ids).toHaveLength(1);
    const recouped = body.data.lines.find((one: { section: string }) => one.section === 'advances');
    expect(recouped.description).toMatch(/^Advance of April 15, 2026 on .+, recouped$/);
    expect(recouped.description).not.toContain(` ${advance.id} `);
    const pdf = await ann.get(`/api/admin/staff/royalty_statements/${second.statements[0].id}/document`);
    expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await tieOut(db, 'US')).filter((row) => row.difference_minor !== 0)).toEqual([]);
    const year = await ann.get('/api/admin/staff/accounting/reports/withholding?division=US&year=2026');
    const dora = year.body.data.lines.find((one: { name: string }) => one.name === 'Dora Dramatist');
    expect(dora).toMatchObject({ document: '1042-S', withheld_minor: 14_400 + 150_000 + 226_658 });
  });
});

describe('the agent on the phone (story 9)', () => {
  test('gets the PDF and the lines as CSV at the address of the agent, sent by who may only read', async () => {
    const { db } = app.database;
    const agent = await makeRoyaltor(db, { name: 'Lane Agency', kind: 'agent' });
    const { deal, royaltor } = await author(1_000_000, { agent: { royaltor_id: agent, ppm: 100_000,
      pays: 'split_payment' } });
    await db.exec(sql`update royaltors set email = 'author@lane.example' where id = ${royaltor}`);
    await bill(deal, '2026-09-03', { royalty: 80_000 });
    const run = await issued('2026-09-01', '2026-09-30', royaltor);
    const [{ id, number }] = run.statements.filter((one: { royaltor_id: number }) => one.royaltor_id === royaltor);
    const reception = await app.signedIn('staff_user', { permissions: ['show_royaltor.show'] });
    const path = `/api/admin/staff/royalty_statements/${id}/send_to_agent`;
    const shown = (await reception.get(`/api/admin/staff/royalty_statements/${id}`)).body.data;
    expect(shown.agent).toEqual({ name: 'Lane Agency', email: null });
    expect(JSON.stringify(shown)).not.toMatch(/bank|tin_/);
    expect((await reception.post(path, {})).body.code).toBe('royalty_statement.no_address');
    await db.exec(sql`update royaltors set email = 'statements@lane.example' where id = ${agent}`);
    ok(await reception.post(path, {}));
    const mail = await db.one<{ recipients: string[]; attachments: { filename: string; storage_key: string }[] }>(sql`
      select recipients, attachments from mail_outbox where entity = 'royalty_statement' and entity_id = ${id}
      order by id desc limit 1`);
    expect(mail.recipients).toEqual(['statements@lane.example']);
    expect(mail.attachments.map((file) => file.filename)).toEqual([`${number}.pdf`, `${number}.csv`]);
    const [pdf, csv] = await Promise.all(mail.attachments.map((file) => app.ports.files.get(file.storage_key)));
    const document = await ann.get(`/api/admin/staff/royalty_statements/${id}/document`);
    expect(pdf!.equals(document.raw)).toBe(true);
    expect(csv!.toString()).toMatch(/performances,.*,800\.00,USD/);
    const own = await db.one<{ body_text: string; attachments: { filename: string; storage_key: string }[] }>(sql`
      select body_text, attachments from mail_outbox where recipients = '{author@lane.example}'`);
    expect(own.body_text).toContain('USD 720.00 is payable.');
    expect(own.attachments).toMatchObject([{ filename: `${number}.pdf` }]);
    expect((await app.ports.files.get(own.attachments[0]!.storage_key)).equals(document.raw)).toBe(true);
    expect(await db.maybeOne(sql`select 1 from audit_events where entity = 'royalty_statement' and entity_id = ${id}
      and action = 'send' and actor_id = ${reception.user_id}`)).not.toBeNull();
  });

  test('is refused before issue and without an agent', async () => {
    const { deal, royaltor } = await author();
    await bill(deal, '2026-10-05', { royalty: 50_000 });
    const run = await calculated(ann, '2026-10-01', '2026-10-31', royaltor);
    const path = `/api/admin/staff/royalty_statements/${run.statements[0].id}/send_to_agent`;
    expect((await ann.post(path, {})).body.code).toBe('royalty_statement.not_issued');
    const approved = ok(await bob.put(`${RUNS}/${run.id}/approve`, { version: run.version })).body.data;
    ok(await bob.put(`${RUNS}/${run.id}/issue`, { version: approved.version }));
    expect((await ann.post(path, {})).body.code).toBe('royalty_statement.no_agent');
  });
});

describe('runs and decisions', () => {
  test('calculating again replaces what is not approved and gives the same figures', async () => {
    const { deal, royaltor } = await author();
    await bill(deal, '2026-08-03', { royalty: 77_777 });
    const one = await calculated(ann, '2026-07-01', '2026-09-30', royaltor);
    const two = await calculated(ann, '2026-07-01', '2026-09-30', royaltor);
    expect(two.id).toBe(one.id);
    expect(two.statements.filter((s: { royaltor_id: number }) => s.royaltor_id === royaltor)).toMatchObject([
      { earnings_minor: 77_777, status: 'calculated' }]);
    const [statement] = two.statements.filter((s: { royaltor_id: number }) => s.royaltor_id === royaltor);
    const own = await ann.put(`/api/admin/staff/royalty_statements/${statement.id}/approve`,
      { version: statement.version });
    expect(own).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    const early = await bob.put(`/api/admin/staff/royalty_statements/${statement.id}/issue`,
      { version: statement.version });
    expect(early).toMatchObject({ status: 409, body: { code: 'royalty_statement.status_conflict' } });
    const gone = ok(await bob.put(`/api/admin/staff/royalty_statements/${statement.id}/void`,
      { version: statement.version, reason: 'Wrong period' })).body.data;
    expect(gone).toMatchObject({ status: 'void', void_reason: 'Wrong period' });
    const again = await calculated(ann, '2026-07-01', '2026-09-30', royaltor);
    expect(again.statements.filter((s: { royaltor_id: number; status: string }) => s.royaltor_id === royaltor
      && s.status !== 'void')).toHaveLength(1);
  });

  test('approve and pay clicked twice at the same moment post once', async () => {
    const { deal, royaltor } = await author();
    await bill(deal, '2026-10-05', { royalty: 50_000 });
    const run = await issued('2026-10-01', '2026-10-31', royaltor);
    const [statement] = run.statements.filter((s: { royaltor_id: number }) => s.royaltor_id === royaltor);
    const batch = ok(await ann.post(BATCHES, { division: 'US', method: 'ach', pay_on: '2026-11-10',
      statement_ids: [statement.id] })).body.data;
    expect(batch.payments).toMatchObject([{ gross_minor: 50_000, withheld_minor: 0, amount_minor: 50_000 }]);
    const second = await ann.post(BATCHES, { division: 'US', method: 'ach', pay_on: '2026-11-10',
      statement_ids: [statement.id] });
    expect(second).toMatchObject({ status: 409, body: { code: 'royalty_payment.in_batch' } });
    const own = await ann.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version });
    expect(own).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    const approvals = await Promise.all([1, 2].map(() =>
      bob.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version })));
    expect(approvals.map((one) => one.status).sort()).toEqual([200, 409]);
    const version = approvals.find((one) => one.status === 200)!.body.data.version;
    const moved = await movement(app.database.db, async () => {
      const pays = await Promise.all([1, 2].map(() => ann.put(`${BATCHES}/${batch.id}/pay`, { version })));
      expect(pays.map((one) => one.status).sort()).toEqual([200, 409]);
      expect(pays.find((one) => one.status === 409)!.body).toMatchObject({
        code: 'royalty_payment_batch.status_conflict', allowed: ['return'] });
    });
    expect(moved).toEqual({ 1000: -50_000, 2200: 50_000 });
    const file = await ann.get(`${BATCHES}/${batch.id}/file`);
    expect(file.raw.toString()).toContain(',500.00,0.00,');
    const list = await ann.get(`/api/admin/staff/accounting/accounts_payable/royalty_payments?royaltor_id=${royaltor}`);
    expect(list.body.data).toMatchObject([{ amount_minor: 50_000, status: 'posted', batch_id: batch.id }]);
  });

  test('event 14d: a payment that came back is payable again once the bank details are checked', async () => {
    const { deal, royaltor } = await author();
    await bill(deal, '2026-11-02', { royalty: 40_000 });
    const run = await issued('2026-11-01', '2026-11-30', royaltor);
    const [statement] = run.statements.filter((s: { royaltor_id: number }) => s.royaltor_id === royaltor);
    await at('2026-12-14');
    const batch = await paid({ pay_on: '2026-12-10', statement_ids: [statement.id] });
    const back = await movement(app.database.db, async () => {
      ok(await bob.put(`${BATCHES}/${batch.id}/payments/${batch.payments[0].id}/return`,
        { returned_on: '2026-12-14', reason: 'Account closed' }));
    });
    expect(back).toEqual({ 1000: 40_000, 2200: -40_000 });
    const body = { division: 'US', method: 'wire', pay_on: '2026-12-20', statement_ids: [statement.id] };
    expect(await ann.post(BATCHES, body)).toMatchObject({
      status: 409, body: { code: 'royalty_payment.bank_details' } });
    await app.database.db.exec(sql`
      update royaltors set bank_verified_at = '2100-01-01', bank_verified_note = 'Called',
        bank_verified_by_id = (select min(id) from users) where id = ${royaltor}`);
    const again = ok(await ann.post(BATCHES, body)).body.data;
    const cancelled = ok(await bob.put(`${BATCHES}/${again.id}/cancel`, { version: again.version, reason: 'Later' }));
    expect(cancelled.body.data).toMatchObject({ status: 'void', payments: [{ status: 'void' }] });
    expect((await tieOut(app.database.db, 'US')).filter((row) => row.difference_minor !== 0)).toEqual([]);
  });

  test('withholding rules: a second one of a day is refused, the texts say that an adviser confirms', async () => {
    const list = await ann.get('/api/admin/staff/accounting/wht_rules?division=US&per_page=50');
    expect(list.body.data.map((rule: { description: string }) => rule.description)
      .filter((text: string) => !text.includes('tax adviser'))).toEqual([]);
    const rule = { division: 'US', payee_country: 'FR', form: 'w8ben', rate_ppm: 0, description: 'Treaty',
      valid_from: '2026-01-01' };
    expect((await ann.post('/api/admin/staff/accounting/wht_rules', rule)).status).toBe(201);
    expect(await ann.post('/api/admin/staff/accounting/wht_rules', rule)).toMatchObject({
      status: 409, body: { code: 'wht_rule.exists' } });
  });
});
