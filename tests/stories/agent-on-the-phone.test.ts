/**
 * Story 9, the agent on the phone: "Why this amount?" A professional house played two weeks for 11% of its takings; the
 * author has 70% of it, an agent with 10% and no taxpayer number. Reception finds the statement by its name, reads the
 * weeks, the base, the term and what was withheld, and sends it; nothing else opens for it.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { postPaymentRuns } from '#modules/payables/run/settle-run.server.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { API, booked, makeHouse, makeWork, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
const BOOKS = `${API}/accounting`;
const MONDAY = '2026-03-02';
const WEEKS = [1_000_000, 1_500_000] as const;
const ADVANCE = 100_000;
/** 11% of 10,000.00 and 15,000.00 is 2,750.00, the advance within it; 70%, less 24%, less 10% for the agent. */
const EARNED = 192_500;
const [WITHHELD, COMMISSION] = [46_200, 19_250];
const PAID = EARNED - WITHHELD - COMMISSION;
const TICKETS = [{ label: 'Orchestra', number_of_seats: 500, price: 45, weight: 60 }];
const CARD = { category: 'Pro', fee_method: 'percent_actual', rate_ppm: 110_000, guarantee_scope: 'week',
  min_per_week_minor: 50_000, advance_minor: ADVANCE, execution_policy: 'advance_paid' };
let stage: Stage;
let reception: SignedIn;
let author = 0;
let agreementId = 0;
let statementId = 0;
const read = async (path: string): Promise<Body> => (await stage.staff.get(path)).data;
const asReception = async (path: string): Promise<Body> => {
  const { status, body } = await reception.get(path);
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return body.data;
};

/** The agency has 10% of what Bo Marlowe is due, paid beside him. */
async function withAgent(show_id: number): Promise<void> {
  const { data: agent } = await stage.staff.post(`${API}/royaltors`, { name: 'Lane Agency', kind: 'agent',
    currency: 'USD', divisions: ['PROD'], residence_country: 'US', payment_method: 'wire',
    email: 'statements@lane.example', tax_form_type: 'w9' });
  const [row] = await read(`${API}/show_royaltors?show_id=${show_id}`);
  agreementId = row.id;
  await stage.staff.put(`${API}/show_royaltors/${row.id}`, { version: row.version, agent_royaltor_id: agent.id,
    agent_ppm: 100_000, agent_pays: 'split_payment' });
}

/** Each week is reported by the house and accepted. */
async function play(house: { id: number; signer: Stage['staff'] }, license: number): Promise<void> {
  for (const [week, gross_minor] of WEEKS.entries()) {
    const from = addDays(MONDAY, 7 * week);
    test.clock.set(`${addDays(from, 8)}T15:00:00Z`);
    await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), addDays(from, 8));
    const path = `${API}/licenses/${license}/box_office_reports`;
    const reports: Body[] = await read(`${path}?sort_by=period_to&sort_direction=asc`);
    const owed = reports[week];
    if (!owed) throw new Error(JSON.stringify(reports.map((one) => [one.period_from, one.period_to, one.status])));
    const { data: sent } = await house.signer.put(`/api/customers/${house.id}/licenses/${license}/box_office_reports/${
      owed.id}`, { license_venue_id: owed.license_venue_id, scope: owed.scope, period_from: owed.period_from,
      period_to: owed.period_to, currency: 'USD', gross_minor, performances_held: 2, paid_admissions: 700,
      certified_name: 'Rosa Calder', version: owed.version });
    await stage.staff.put(`${path}/${sent.id}/review`, { event: 'accept', version: sent.version });
  }
}

/** The statement of the quarter, issued, and paid by wire. */
async function settle(): Promise<void> {
  test.clock.set('2026-04-09T15:00:00Z');
  const { data: run } = await stage.staff.post(`${API}/royalty_statement_runs`, { division: 'PROD', currency: 'USD',
    period_from: '2026-01-01', period_to: '2026-03-31' });
  const path = `${API}/royalty_statement_runs/${run.id}`;
  const { data: approved } = await stage.second.put(`${path}/approve`, { version: run.version });
  await stage.second.put(`${path}/issue`, { version: approved.version });
  statementId = run.statements.find((one: Body) => one.royaltor_id === author).id;
  const { data: batch } = await stage.staff.post(`${BOOKS}/royalty_payment_batches`, { division: 'PROD',
    method: 'wire', pay_on: '2026-04-09', statement_ids: [statementId] });
  const { data: { version } } = await stage.second.put(`${BOOKS}/royalty_payment_batches/${batch.id}/approve`,
    { version: batch.version });
  await stage.staff.put(`${BOOKS}/royalty_payment_batches/${batch.id}/pay`, { version });
  await postPaymentRuns(test.ports);
}

beforeAll(async () => {
  test.clock.set('2026-02-10T15:00:00Z');
  stage = await openStage(test);
  const work = await makeWork(stage, { code: 'LANTERN', title: 'The Lantern', division: 'PROD', currency: 'USD',
    authors: [{ name: 'Bo Marlowe', share_points: 1, rate_ppm: 700_000 }], card: CARD });
  [author] = work.royaltor_ids as [number];
  await withAgent(work.show_id);
  const address = { country_code: 'US', thoroughfare: '1 Main Street', locality: 'Albany', administrative_area: 'NY',
    postal_code: '12203' };
  const house = await makeHouse(stage, { currency: 'USD', customer: { name: 'Calder Touring Company',
    kind: 'professional', divisions: ['PROD'], default_division: 'PROD', billing_address: address,
    statement_email: 'gm@calder.example', tax_country: 'US', is_business: true, business_evidence: 'register' },
  venues: [{ name: 'Albany Playhouse', address, time_zone: 'America/New_York', capacity: 500, tickets: TICKETS }] });
  const { data } = await stage.staff.post(`${API}/licenses`, { customer_id: house.id, show_id: work.show_id,
    category: 'Pro', division: 'PROD', license_venues: [{ venue_id: house.venue_ids[0], ticketing: TICKETS,
      performances: [4, 5, 11, 12].map((day) => ({ local_date: addDays(MONDAY, day), local_time: '19:30' })) }] });
  await stage.staff.put(`${API}/licenses/${data.id}`, { version: data.version, production_type: 'tour' });
  await offerAndSign(stage, data.id, house, 'Rosa Calder');
  const [asked] = await read(`${API}/invoices?license_id=${data.id}`);
  await stage.staff.post(`${BOOKS}/payments`, { customer_id: house.id, division: 'PROD', currency: 'USD',
    amount_minor: asked.total_minor, method: 'wire', received_on: '2026-02-10', license_id: data.id,
    apply_to: [{ invoice_id: asked.id, amount_minor: asked.total_minor }] });
  await play(house, data.id);
  await settle();
  reception = await test.signedIn('staff_user', { permissions: ['search_index.list', 'royaltor.list',
    'show_royaltor.list', 'show_royaltor.show'] });
}, 240_000);

let statement: Body;
let weeks: Body[];

it('reception finds the royaltor by name, the statement and its line: 1,925.00 is 70% of 2,750.00', async () => {
  const [hit] = await asReception(`${API}/search?search=Marlowe`);
  expect([hit.entity, hit.entity_id, hit.title]).toEqual(['royaltor', author, 'Bo Marlowe']);
  const [row] = await asReception(`${API}/royalty_statements?royaltor_id=${author}`);
  expect(row.id).toBe(statementId);
  statement = await asReception(`${API}/royalty_statements/${row.id}`);
  expect(statement.lines).toMatchObject([{ description: expect.stringContaining('The Lantern, Calder Touring Company'),
    period_from: '2026-03-06', period_to: '2026-03-15', performances: 4, gross_minor: 2_500_000,
    base_minor: 275_000, rate_ppm: 700_000, amount_minor: EARNED }]);
});

it('each part behind the line has its day, its base and the term of the agreement that matched', async () => {
  weeks = [];
  for (const id of statement.lines[0].accrual_ids) weeks.push(await asReception(`${API}/royalty_accruals/${id}`));
  expect(weeks.map(({ accrual }) => [accrual.income_type, accrual.due_on, accrual.base_minor, accrual.amount_minor]))
    .toEqual([['advance', '2026-02-10', ADVANCE, 70_000], ['royalty', '2026-03-10', 10_000, 7_000],
      ['royalty', '2026-03-17', 165_000, 115_500]]);
  for (const { accrual, matched, share_formula } of weeks) {
    expect([accrual.show_title, accrual.show_royaltor_id]).toEqual(['The Lantern', agreementId]);
    expect([matched.matched, matched.of, share_formula]).toEqual([1, 1, '70%, weight 700000 of 1000000']);
  }
  for (const { accrual } of weeks.slice(1)) expect(accrual.box_office_report_id).not.toBeNull();
});

it('what was withheld, for the agent, and when it was paid: statement, paper and ledger say one figure', async () => {
  expect(statement).toMatchObject({ net_minor: EARNED, withheld_minor: WITHHELD, agent_minor: COMMISSION,
    payable_minor: PAID, paid_minor: PAID, status: 'paid' });
  expect(statement.payments).toMatchObject([{ paid_on: '2026-04-09', wht_minor: WITHHELD, paid_minor: PAID }]);
  const text = await textOf(test, `${API}/royalty_statements/${statementId}/document`);
  for (const words of ['24% of 1,925.00 (462.00)', '(192.50)', 'Payment USD 1,270.50', '2,750.00 70% 1,925.00']) {
    expect(text).toContain(words);
  }
  expect(weeks.reduce((all, { accrual }) => all + accrual.amount_minor, 0)).toBe(EARNED);
  expect(await booked(stage, 'PROD', '2026-01-01', '2026-04-30')).toMatchObject({ 5000: EARNED, 2320: -WITHHELD,
    2200: -COMMISSION });
  expect(await booked(stage, 'PROD', '2026-04-09', '2026-04-09')).toMatchObject({ 1000: -PAID });
});

it('"Send to agent" mails the same as PDF and CSV to the address of the agent', async () => {
  const { status } = await reception.post(`${API}/royalty_statements/${statementId}/send_to_agent`, {});
  expect(status).toBe(200);
  const mail = await test.database.db.one<{ recipients: string[]; attachments: { storage_key: string }[] }>(sql`
    select recipients, attachments from mail_outbox where entity = 'royalty_statement' and entity_id = ${statementId}
      and recipients = '{statements@lane.example}'`);
  const [pdf, csv] = await Promise.all(mail.attachments.map((file) => test.ports.files.get(file.storage_key)));
  const { raw } = await reception.get(`${API}/royalty_statements/${statementId}/document`);
  expect(pdf!.equals(raw)).toBe(true);
  expect(csv!.toString()).toMatch(/The Lantern.*2750\.00.*1925\.00,USD/);
});

it('reception sees this and nothing it may not', async () => {
  const closed = [`${API}/royaltors/${author}`, `${BOOKS}/royalty_payment_batches`, `${BOOKS}/trial_balance`,
    `${API}/customers`, `${API}/invoices`, `${BOOKS}/payments`, `${API}/licenses`, `${BOOKS}/bank_accounts`];
  const answers = await Promise.all(closed.map((path) => reception.get(path)));
  expect(answers.map((one) => one.status)).toEqual(closed.map(() => 403));
  const body = { version: statement.version, reason: 'x' };
  for (const step of ['approve', 'issue', 'void']) {
    const path = `${API}/royalty_statements/${statementId}/${step}`;
    expect((await reception.put(path, step === 'void' ? body : { version: body.version })).status, step).toBe(403);
  }
  expect(JSON.stringify([statement, weeks])).not.toMatch(/400070001|tin|bank/);
});
