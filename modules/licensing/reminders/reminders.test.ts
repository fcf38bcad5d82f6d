/** Reminders with the clock moved by hand: who is told what on which day, and never twice (domain.md 6.5). */
import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, testApp } from '#tests/support/app.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { contractText } from '../contracts/contract-text.ts';
import type { OfferSnapshot } from '../documents/offer-snapshot.server.ts';
import { runLicenseClocks } from '../licenses/phase/license-clocks.server.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked } from '../testing/licensing-fixtures.ts';
import { sendReminders } from './send-reminders.server.ts';

const test = testApp();
beforeEach(() => test.clock.set(TEST_NOW));
const LICENSES = '/api/admin/staff/licenses';

/** An offer of six evenings from 1 April 2027, sent on 20 November 2026, open until 1 January 2027. */
async function sentOffer(feeMethod = 'percent_potential', isLent = false) {
  const fixture = await licensingFixture(test.database.db, { fee_method: feeMethod });
  const staff = await test.signedIn('staff_admin');
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_rep_id: staff.user_id, license_venues: [{ venue_id: fixture.venue_id,
      ticketing: E2_TICKETS, performances: evenings('2027-04-01', 6) }] });
  const { id } = made.body.data;
  if (isLent) {
    const script = await staff.post('/api/admin/staff/materials', { item_number: `${fixture.show_code}-LIB`,
      name: 'Libretto', show_code: fixture.show_code, category: 'scripts', type: 'rental', fulfilment: 'physical',
      item_class: 'rental', income_type: 'rental', prices: { usd: 40, eur: null, gbp: null } });
    const line = await staff.post(`${LICENSES}/${id}/license_materials`, { material_id: script.body.data?.id,
      included_in_package: true });
    expect(line.status, JSON.stringify([script.body, line.body])).toBe(201);
  }
  const { version } = (await staff.get(`${LICENSES}/${id}`)).body.data;
  const offer = await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  expect(offer.status, JSON.stringify(offer.body)).toBe(200);
  return { ...fixture, id: id as number, staff, signer, home: `/api/customers/${fixture.customer_id}/licenses/${id}` };
}
type Offer = Awaited<ReturnType<typeof sentOffer>>;

async function sign({ signer, home }: Offer): Promise<void> {
  const { hash } = (await signer.get(`${home}/quote`)).body.data;
  const signed = await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S. Signer',
    signer_title: '', accept: true, confirm_name: true });
  expect(signed.status, JSON.stringify(signed.body)).toBe(200);
}

/** Runs on each day, twice; answers the subjects of the licence's mails of a kind, oldest first. */
async function remindedOn(days: readonly string[], { id }: Offer, template: string): Promise<string[]> {
  for (const day of days) {
    test.clock.set(`${day}T15:00:00Z`);
    await sendReminders(test.ports);
    await sendReminders(test.ports);
  }
  const rows = await test.database.db.query<{ subject: string }>(sql`
    select subject from mail_outbox where entity = 'license' and entity_id = ${id} and template = ${template}
      and reminder_key not like '%/rep' order by id`);
  return rows.map((row) => row.subject);
}

describe('an offer', () => {
  it('is recalled 14, 7 and 2 days before it ends, to signers and representative, each once', async () => {
    const at = await sentOffer();
    const subjects = await remindedOn(['2026-12-18', '2026-12-21', '2026-12-28', '2026-12-31'], at, 'quote.expiring');
    // 18 December is a Friday; a week later it is Christmas, so the Monday after; the 30th is made up for on the 31st.
    expect(subjects).toHaveLength(3);
    expect(subjects[0]).toContain('ends on January 1, 2027');
    const rep = await test.database.db.query<{ recipients: string[]; body_text: string }>(sql`
      select recipients, body_text from mail_outbox where entity_id = ${at.id} and reminder_key like '%/rep'`);
    expect(rep).toHaveLength(3);
    expect(rep[0]!.body_text).toMatch(new RegExp(
      `Read and sign the offer:\\nhttps?://\\S+/customer/${at.customer_id}/productions/${at.id}/quote\\n`));
    expect(rep[0]!.body_text).toMatch(/Questions\? .+@/);
  });

  it('is recalled by nobody at night or once it is signed', async () => {
    const [at, signed] = [await sentOffer(), await sentOffer()];
    await sign(signed);
    test.clock.set('2026-12-18T13:30:00Z');
    await sendReminders(test.ports);
    expect(await remindedOn([], at, 'quote.expiring')).toEqual([]);
    expect(await remindedOn(['2026-12-18', '2026-12-28'], signed, 'quote.expiring')).toEqual([]);
  });

  it('taken back keeps its dates for 48 hours, so that no other offer takes them meanwhile', async () => {
    const at = await sentOffer();
    const { version } = (await at.staff.get(`${LICENSES}/${at.id}`)).body.data;
    await at.staff.put(`${LICENSES}/${at.id}/phase`, { event: 'revise', version });
    const ask = `/api/admin/staff/availability?show_id=${at.show_id}&from=2027-04-01&to=2027-04-06&category=Amateur`
      + `&division=US&venue_id=${at.venue_id}`;
    const verdictAt = async (instant: string): Promise<string> => {
      test.clock.set(instant);
      return (await (await test.signedIn('staff_admin')).get(ask)).body.data.verdict;
    };
    expect(await verdictAt('2026-11-22T14:59:00Z')).toBe('needs_clearance');
    expect(await verdictAt('2026-11-22T15:01:00Z')).toBe('clear');
  });
});

describe('an unpaid pro forma', () => {
  it('is recalled a week ahead and on its day, to the address for statements, and no more once paid', async () => {
    const at = await sentOffer();
    await test.database.db.exec(sql`
      update customers set statement_email = 'books@players.example' where id = ${at.customer_id}`);
    await sign(at);
    // Signed on 20 November: to be paid by 18 February, a Thursday.
    const subjects = await remindedOn(['2027-02-10', '2027-02-11', '2027-02-18'], at, 'invoice.due');
    expect(subjects).toEqual([expect.stringContaining('is due on February 18, 2027'),
      expect.stringContaining('is due today')]);
    const [mail] = await test.database.db.query<{ recipients: string[] }>(sql`
      select recipients from mail_outbox where entity_id = ${at.id} and template = 'invoice.due' limit 1`);
    expect(mail!.recipients).toEqual(['books@players.example']);
    await payWhatIsAsked(test.ports, at.id);
    expect(await remindedOn(['2027-02-22'], at, 'invoice.due')).toHaveLength(2);
  });
});

describe('money that does not come', () => {
  const texts = (id: number) => test.database.db.query<{ body_text: string }>(sql`
    select body_text from mail_outbox where entity_id = ${id} and template = 'invoice.due' order by id`);

  it('is asked for three times, each time more firmly; on its day nothing is called late', async () => {
    const at = await sentOffer();
    await sign(at);
    const subjects = await remindedOn(['2027-02-18', '2027-02-22', '2027-03-01', '2027-03-22'], at, 'invoice.due');
    expect(subjects.map((text) => text.replace(/USD [\d,.]+ for The Gardener \d+/, 'it'))).toEqual(['it is due today',
      'Reminder: it is overdue', 'Second reminder: it is overdue', 'Last reminder: it is 30 days overdue']);
    const [today, ...late] = (await texts(at.id)).map((row) => row.body_text);
    expect(today).toContain('is due today, February 18, 2027, 90 days after you signed.');
    expect(today).not.toContain('has not arrived');
    for (const text of late) {
      expect(text).toContain('was due on February 18, 2027, 90 days after you signed, and has not arrived');
    }
    expect(late[2]).toContain('We have reminded you twice');
  });

  it('is due in time for the first parcel, and says so on paper, pages and mails', async () => {
    const at = await sentOffer('percent_potential', true);
    await sign(at);
    const { id } = await test.database.db.one<{ id: number }>(sql`
      select id from invoices where license_id = ${at.id} and kind = 'proforma'`);
    // 70 days before the opening on 1 April, less five business days; 18 January is a holiday.
    const why = 'so that your materials can ship on January 21, 2027';
    const due = { due_on: '2027-01-13', due_reason: { why: 'shipping', ships_on: '2027-01-21', days: null } };
    expect((await at.staff.get(`${LICENSES}/${at.id}`)).body.data).toMatchObject({ pay_by: due.due_on,
      pay_by_reason: 'shipping', pay_by_ships_on: '2027-01-21' });
    expect((await at.signer.get(at.home)).body.data.next_actions).toMatchObject([{ kind: 'pay', ...due }]);
    expect((await at.staff.get(`/api/admin/staff/invoices/${id}`)).body.data).toMatchObject(due);
    expect((await at.signer.get(`/api/customers/${at.customer_id}/invoices/${id}`)).body.data).toMatchObject(due);
    const { raw } = await at.staff.get(`/api/admin/staff/invoices/${id}/document`);
    expect((await pdfText(raw)).replace(/\s+/g, ' ')).toContain(`Due January 13, 2027, ${why}`);
    await remindedOn(['2027-01-06'], at, 'invoice.due');
    expect((await texts(at.id))[0]!.body_text.replace(/\s+/g, ' ')).toContain(`is due on January 13, 2027, ${why}.`);
  });

  it('may be a deposit: its mail leads to its page, and a month late somebody calls', async () => {
    const at = await sentOffer();
    const { id } = (await at.staff.post(`${LICENSES}/${at.id}/deposits`, { amount_minor: 40_000,
      due_on: '2026-12-14' })).body.data;
    // Not while the offer is not signed.
    expect(await remindedOn(['2026-12-07'], at, 'invoice.due')).toEqual([]);
    test.clock.set(TEST_NOW);
    await sign(at);
    const subjects = await remindedOn(['2026-12-07', '2026-12-14', '2026-12-17'], at, 'invoice.due');
    expect(subjects.map((text) => text.replace(/The Gardener \d+/, 'it'))).toEqual([
      'USD 400.00 for it is due on December 14, 2026', 'USD 400.00 for it is due today',
      'Reminder: USD 400.00 for it is overdue']);
    const [first] = await texts(at.id);
    for (const words of ['The deposit for ', '(USD 400.00) is due on December 14, 2026.',
      `/customer/${at.customer_id}/deposits/${id}`]) expect(first!.body_text).toContain(words);
    await remindedOn(['2027-01-13'], at, 'invoice.due');
    const tasks = () => test.database.db.query(sql`
      select status from tasks where license_id = ${at.id} and kind = 'payment_overdue'`);
    expect(await tasks()).toEqual([{ status: 'open' }]);
    await test.database.owner.exec(sql`update deposits set status = 'cancelled' where id = ${id}`);
    await remindedOn(['2027-01-14'], at, 'invoice.due');
    expect(await tasks()).toEqual([{ status: 'done' }]);
  });
});

describe('takings that are not reported', () => {
  it('are asked for after the last night, when due, 3, 7 and 14 days late; after a week somebody calls', async () => {
    const at = await sentOffer('percent_actual');
    await sign(at);
    await payWhatIsAsked(test.ports, at.id);
    for (const day of ['2027-04-01', '2027-04-07']) {
      test.clock.set(`${day}T15:00:00Z`);
      const ctx = workContext(test.ports, test.ports.db, SYSTEM_ACTOR);
      await runLicenseClocks(ctx, day);
    }
    const subjects = await remindedOn(['2027-04-07', '2027-04-13', '2027-04-16', '2027-04-20', '2027-04-27'], at,
      'box_office.due');
    expect(subjects.map((text) => text.replace(/of The Gardener \d+/, 'of it'))).toEqual([
      'Please report the box office of it', 'Please report the box office of it', 'The box office of it is 3 days late',
      'The box office of it is 7 days late', 'The box office of it is 14 days late']);
    const tasks = () => test.database.db.query<{ status: string }>(sql`
      select status from tasks where license_id = ${at.id} and kind = 'box_office_due'`);
    expect(await tasks()).toEqual([{ status: 'open' }]);
    const staff = await test.signedIn('staff_admin');
    const nights = (await staff.get(`${LICENSES}/${at.id}/performances`)).body.data as { id: number;
      license_venue_id: number }[];
    const report = await staff.post(`${LICENSES}/${at.id}/box_office_reports`, {
      license_venue_id: nights[0]!.license_venue_id, scope: 'run', period_from: '2027-04-01', period_to: '2027-04-06',
      currency: 'USD', gross_minor: 600_000, performances_held: 6,
      rows: nights.map((night) => ({ performance_id: night.id, gross_minor: 100_000, seats_sold: 200 })) });
    expect(report.status, JSON.stringify(report.body)).toBe(201);
    await sendReminders(test.ports);
    expect(await tasks()).toEqual([{ status: 'done' }]);
  });
});

describe.each([['percent_potential', false], ['percent_actual', true]] as const)('a fee by %s', (method, asked) => {
  it(`${asked ? 'asks' : 'never asks'} for the box office: contract, portal, checklist, schedule, mails`, async () => {
    const at = await sentOffer(method);
    const { snapshot } = await test.database.db.one<{ snapshot: OfferSnapshot }>(sql`
      select snapshot from license_versions where license_id = ${at.id}`);
    const text = JSON.stringify([contractText(snapshot, test.ports.clock.now()).blocks,
      (await at.signer.get(`${at.home}/quote`)).body.data]);
    expect(/Box-office (reports|receipts)|reports the box office|each report/.test(text)).toBe(asked);
    const item = async () => (await at.staff.get(`${LICENSES}/${at.id}/checklist`)).body.data
      .filter((one: { key: string }) => one.key === 'box_office_reports_received');
    expect(await item()).toHaveLength(asked ? 1 : 0);
    const { report_scope } = (await at.staff.get(`${LICENSES}/${at.id}/terms`)).body.data;
    expect(report_scope).toBe(asked ? 'run' : null);
    await sign(at);
    await payWhatIsAsked(test.ports, at.id);
    const expected = await at.signer.get(`${at.home}/box_office_reports`);
    expect(expected.body.data).toHaveLength(asked ? 1 : 0);
    expect(await remindedOn(['2027-03-25'], at, 'performance.opening_soon')).toHaveLength(1);
    const { body_text } = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where entity_id = ${at.id} and template = 'performance.opening_soon'`);
    expect(body_text.includes('we ask you for the box office')).toBe(asked);
    expect(await remindedOn(['2027-04-07', '2027-04-20'], at, 'box_office.due')).toHaveLength(asked ? 2 : 0);
  });
});

describe('what a stream took', () => {
  /** Sold by a share of an eighth; the run is over on 6 April 2027. */
  async function streamed() {
    const at = await sentOffer();
    await sign(at);
    await payWhatIsAsked(test.ports, at.id);
    const addOn = await at.staff.post('/api/admin/staff/add_ons', { show_id: at.show_id, key: 'stream', name: 'Stream',
      kind: 'streaming_license', pricing_model: 'percent_stream_gross', rate_ppm: 125_000, divisions: ['US'],
      item_class: 'performing_licence', income_type: 'streaming', royalty_bearing: true });
    expect(addOn.status, JSON.stringify(addOn.body)).toBe(201);
    await test.database.owner.exec(sql`
      insert into license_charges (license_id, add_on_id, kind, origin, description, unit_minor, net_minor, item_class,
        income_type, total_minor, share_ppm)
      values (${at.id}, ${addOn.body.data.id}, 'add_on', 'late', 'Stream', 0, 0, 'performing_licence', 'streaming', 0,
        125000)`);
    for (const day of ['2027-04-01', '2027-04-07']) {
      test.clock.set(`${day}T15:00:00Z`);
      await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), day);
    }
    const report = async (gross_minor: number) => (await test.signedIn('staff_admin')).post(
      `${LICENSES}/${at.id}/stream_reports`, { add_on_id: addOn.body.data.id, period_from: '2027-04-01',
        period_to: '2027-04-06', gross_minor });
    return { ...at, report };
  }

  it('is asked for on the days of the box office; after a week somebody calls, until it is reported', async () => {
    const at = await streamed();
    const subjects = await remindedOn(['2027-04-07', '2027-04-13', '2027-04-16', '2027-04-20'], at, 'stream.due');
    expect(subjects.map((text) => text.replace(/of The Gardener \d+/, 'of it'))).toEqual([
      'Please report the stream sales of it', 'Please report the stream sales of it',
      'The stream report of it is 3 days late', 'The stream report of it is 7 days late']);
    const tasks = () => test.database.db.query<{ status: string }>(sql`
      select status from tasks where license_id = ${at.id} and kind = 'stream_due'`);
    expect(await tasks()).toEqual([{ status: 'open' }]);
    const asked = async () => (await (await test.signedIn('customer', { customers: [{ id: at.customer_id,
      role: 'signer' }] })).get(at.home)).body.data.next_actions
      .filter((one: { kind: string }) => one.kind === 'stream');
    expect(await asked()).toMatchObject([{ due_on: '2027-04-13', overdue: true }]);
    // Nothing at all is a report, too.
    expect((await at.report(0)).status).toBe(201);
    expect(await remindedOn(['2027-04-27'], at, 'stream.due')).toHaveLength(4);
    expect([await tasks(), await asked()]).toEqual([[{ status: 'done' }], []]);
  });

  it('is missed at closing and on the checklist, again once the report is taken back', async () => {
    const at = await streamed();
    const staff = await test.signedIn('staff_admin');
    const item = async () => (await staff.get(`${LICENSES}/${at.id}/checklist`)).body.data
      .find((one: { key: string }) => one.key === 'stream_takings_reported');
    const close = async () => staff.put(`${LICENSES}/${at.id}/phase`, { event: 'close',
      version: (await staff.get(`${LICENSES}/${at.id}`)).body.data.version });
    expect((await close()).body.message).toContain('Streaming revenue is not reported.');
    expect(await item()).toMatchObject({ status: 'open', owner: 'customer', due_on: '2027-04-13' });
    const reported = await at.report(80_000);
    expect(await item()).toMatchObject({ status: 'done' });
    expect((await close()).body.message).not.toContain('stream');
    await staff.post(`${LICENSES}/${at.id}/stream_reports/${reported.body.data.id}/withdraw`, { reason: 'Wrong days' });
    expect(await item()).toMatchObject({ status: 'open' });
    expect((await close()).body.message).toContain('Streaming revenue is not reported.');
  });
});

describe('an addendum', () => {
  it('that is not signed is asked for after one and two weeks', async () => {
    const at = await sentOffer();
    await sign(at);
    await payWhatIsAsked(test.ports, at.id);
    const { version } = (await at.staff.get(`${LICENSES}/${at.id}`)).body.data;
    const amended = await at.staff.post(`${LICENSES}/${at.id}/amendments`, { version, reason: 'Moved',
      changes: { dates: { first_performance_on: '2027-04-08' } } });
    expect(amended.status, JSON.stringify(amended.body)).toBe(201);
    expect(await remindedOn(['2026-11-25', '2026-11-27', '2026-12-04'], at, 'contract.signature_request'))
      .toHaveLength(2);
  });
});
