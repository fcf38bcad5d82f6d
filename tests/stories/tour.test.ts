/**
 * Story 3, a tour: Calder's general manager applies once for fourteen cities, eight shows a week with two double days,
 * for 11% and at least 500.00 a week with an advance of 2,000.00. The company uploads the files of three box-office
 * systems itself and sees every question before it sends them.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { API, booked, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';
import { ADVANCE, americanFile, BANK_NUMBER, CITIES, CROWDED, FIRST_MONDAY, frenchFile, makeTour, monday, nightsFile,
  SHARED, SHOWS, sunday, tickets, WEEKS, type TakingsFile, type Tour } from '#tests/support/tour.ts';

const test = testApp();
let stage: Stage;
let house: Tour['house'];
let license: number;
let offer: Body;
let authors: number[];

const home = (): string => `/api/customers/${house.id}/licenses/${license}`;
const reportsOf = async (): Promise<Body[]> => (await stage.staff.get(
  `${API}/licenses/${license}/box_office_reports?per_page=100&sort_by=period_to&sort_direction=asc`)).data;
const weekOf = async (week: number): Promise<Body> =>
  (await reportsOf()).find((one) => one.period_to === sunday(week))!;
async function moveTo(day: string): Promise<void> {
  test.clock.set(`${day}T15:00:00Z`);
  await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), day);
}
async function accept(id: number): Promise<void> {
  const path = `${API}/licenses/${license}/box_office_reports/${id}`;
  const { data } = await stage.staff.get(path);
  await stage.staff.put(`${path}/review`, { event: 'accept', version: data.version });
}

beforeAll(async () => {
  test.clock.set('2026-01-12T15:00:00Z');
  stage = await openStage(test);
  const tour = await makeTour(stage);
  house = tour.house;
  authors = tour.authors;
  const { data: draft } = await house.signer.post(`/api/customers/${house.id}/license-applications`, {
    show_ids: [tour.show_id], category: 'Pro', division: 'PROD', organisation_type: 'professional',
    producing_organisation: 'Calder Touring Company', cast_size: 18, message: 'Fourteen weeks on the road.',
    license_venues: CITIES.map((_, city) => ({ venue_id: house.venue_ids[city], ticketing: tickets(city),
      performances: SHOWS.map(([day, local_time]) => ({ local_date: addDays(monday(city), day), local_time,
        ...(local_time === '14:00' ? { type: 'matinee' } : {}) })) })) });
  await house.signer.put(`/api/customers/${house.id}/license-applications/${draft.id}/status`, { event: 'submit',
    version: draft.version });
  const path = `${API}/license_applications/${draft.id}`;
  const { data: sent } = await stage.staff.get(path);
  const { data: taken } = await stage.staff.put(`${path}/status`, { event: 'assign', version: sent.version });
  const { data: approved } = await stage.staff.put(`${path}/status`, { event: 'approve', version: taken.version });
  await stage.staff.post(`${path}/convert`, { version: approved.version, show_ids: [tour.show_id] });
  const { data: [made] } = await stage.staff.get(`${API}/licenses?customer_id=${house.id}`);
  license = made.id;
  offer = await offerAndSign(stage, license, house, 'Rosa Calder');
  const { data: [asked] } = await stage.staff.get(`${API}/invoices?license_id=${license}`);
  await stage.staff.post(`${API}/accounting/payments`, { customer_id: house.id, division: 'PROD', currency: 'USD',
    amount_minor: asked.total_minor, method: 'wire', received_on: '2026-01-12', license_id: license,
    apply_to: [{ invoice_id: asked.id, amount_minor: asked.total_minor }] });
}, 240_000);

describe('one application', () => {
  it('is a licence for fourteen cities with 112 performances, for 11% and an advance of 2,000.00', async () => {
    const { data } = await stage.staff.get(`${API}/licenses/${license}?with=license_venues`);
    expect(data).toMatchObject({ phase: 'licensed', production_type: 'tour', number_of_performances: 112,
      percentage_ppm: 110_000 });
    expect(data.license_venues).toHaveLength(CITIES.length);
    expect(offer.promise).toMatchObject({ now_minor: 200_000 });
    expect(offer.promise.headline).toMatch(/2,000\.00.*11%/);
  });

  it('promises the percentage on the license certificate and in the mail of the offer, which call no sum the whole',
    async () => {
      const { data: papers } = await stage.staff.get(`${API}/licenses/${license}/license_documents?per_page=50`);
      const certificate = papers.find((one: Body) => one.type === 'execution_certificate');
      const text = await textOf(test, `${API}/licenses/${license}/license_documents/${certificate.id}/file`);
      const mail = await test.database.db.one<{ body_text: string }>(sql`
        select body_text from mail_outbox where template = 'quote.sent' and entity_id = ${license}`);
      for (const words of ['11% of gross', 'card commissions up to 3% of the reported gross', 'USD 500.00 per week',
        'An advance of USD 2,000.00', 'weekly, within 7 days', 'at 70% of your potential']) {
        expect(text).toContain(words);
      }
      expect(mail.body_text.replace(/\s+/g, ' ')).toContain(`${offer.promise.headline}.`);
      for (const one of [text, mail.body_text]) expect(one).not.toMatch(/in all\b|\bTotal USD/);
    });

  it('has its advance as deferred income, and shows it to both sides', async () => {
    expect(await booked(stage, 'PROD', '2026-01-01', '2026-02-28')).toMatchObject({ 1000: 200_000, 2100: -200_000 });
    const whole = { charged_minor: ADVANCE, left_minor: ADVANCE };
    expect((await stage.staff.get(`${API}/licenses/${license}`)).data.advance).toEqual(whole);
    expect((await house.signer.get(home())).data.advance).toEqual(whole);
  });
});

describe('weeks one to three', () => {
  it.each(WEEKS.map((week, n) => [n + 1, week] as const))('week %i earns and recoups as in domain.md 2.4',
    async (n, week) => {
      await moveTo(addDays(sunday(n - 1), 2));
      const owed = await weekOf(n - 1);
      expect(owed).toMatchObject({ status: 'expected', period_from: monday(n - 1) });
      const { data: sent } = await house.signer.put(`${home()}/box_office_reports/${owed.id}`, {
        license_venue_id: owed.license_venue_id, scope: owed.scope, period_from: owed.period_from,
        period_to: owed.period_to, currency: 'USD', gross_minor: week.gross, performances_held: SHOWS.length,
        paid_admissions: 900, deductions: [{ type: 'card_commission', amount_minor: week.card }],
        certified_name: 'Rosa Calder', version: owed.version });
      expect(sent).toMatchObject({ held: false, open_questions: 0 });
      await accept(owed.id);
      expect(await weekOf(n - 1)).toMatchObject({ net_minor: week.gross - week.card, earned_minor: week.earned,
        recouped_minor: week.recouped, due_minor: week.due });
      const left = { charged_minor: ADVANCE, left_minor: week.left };
      expect((await stage.staff.get(`${API}/licenses/${license}`)).data.advance).toEqual(left);
      expect((await house.signer.get(home())).data.advance).toEqual(left);
    });

  it('turn the advance into income and bill 1,261.43, to the bank account of the division', async () => {
    const moved = await booked(stage, 'PROD', FIRST_MONDAY, '2026-03-31');
    expect(moved).toMatchObject({ 1100: 126_143, 2100: 200_000, 4010: -326_143 });
    const { data: invoices } = await stage.staff.get(`${API}/invoices?license_id=${license}&kind=invoice&open=true`);
    expect(invoices).toMatchObject([{ balance_minor: 126_143 }]);
    const { data: [mine] } = await house.signer.get(`/api/customers/${house.id}/invoices`);
    expect(mine).toMatchObject({ balance_minor: 126_143 });
    const text = await textOf(test, `${API}/invoices/${invoices[0].id}/document`);
    for (const words of ['March 16, 2026 to March 22, 2026: gross 15,000.25, base 14,550.24, 11% is 1,600.53, '
      + 'minimum 500.00, advance recouped 339.10', '1,261.43', BANK_NUMBER]) expect(text).toContain(words);
  });

  it('are shared by three authors to the cent: 70% of advance and royalty', async () => {
    const rows = await test.database.db.query<{ royaltor_id: number; minor: number }>(sql`
      select g.royaltor_id, sum(a.amount_minor)::bigint as minor from royalty_accruals a
        join show_royaltors g on g.id = a.show_royaltor_id
      where g.royaltor_id = any(${authors}::bigint[]) and a.due_on is not null group by 1 order by 1`);
    expect(rows).toHaveLength(authors.length);
    const shares = rows.map((row) => Number(row.minor));
    // 1,400.00 of the advance and 883.00 of week three.
    expect(shares.reduce((all, one) => all + one, 0)).toBe(SHARED);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    await moveTo('2026-04-02');
    const { data: run } = await stage.staff.post(`${API}/royalty_statement_runs`, { division: 'PROD', currency: 'USD',
      period_from: '2026-01-01', period_to: '2026-03-31', royaltor_ids: authors });
    const stated = run.statements.map((one: Body) => one.payable_minor + one.expected_wht_minor);
    expect(stated.toSorted()).toEqual(shares.toSorted());
  });
});

describe('files of three systems, uploaded by the company itself', () => {
  const upload = async ({ name, mimeType, buffer }: TakingsFile): Promise<number> => (await house.signer.post(
    `${home()}/box_office_files`, undefined, { file: { field: 'file', name, fields: {}, content: buffer,
      type: mimeType } })).data.file_id;
  const read = async (file: number, choice: object = {}): Promise<Body> =>
    (await house.signer.post(`${home()}/box_office_files/${file}/reading`, choice)).data;
  const csv = (name: string, content: string): TakingsFile => ({ name, mimeType: 'text/csv',
    buffer: Buffer.from(content) });
  const readings = async (file: TakingsFile): Promise<Body> => read(await upload(file));
  const send = async (rows: readonly Body[], file: number): Promise<Body[]> => (await house.signer.post(
    `${home()}/box_office_batches`, { certified_name: 'Rosa Calder',
      reports: rows.map((row) => ({ ...row.report, attachment_ids: [file] })) })).data;
  beforeAll(() => moveTo('2026-05-05'));

  it('an American file is read by the words of its heads, with its deduction, and attached', async () => {
    const file = await upload(americanFile('week4.csv', 3, { gross: '12,400.00', card: '372.00', sold: 700 }));
    const preview = await read(file);
    expect(preview).toMatchObject({ matched_by: 'heads', date_format: 'MM/DD/YYYY', missing: [] });
    expect(preview.rows).toMatchObject([{ outcome: 'ready', venue_name: 'Denver Playhouse', questions: [],
      period_from: monday(3), period_to: sunday(3), gross_minor: 1_240_000 }]);
    const [sent] = await send(preview.rows, file);
    expect(sent).toMatchObject({ status: 'submitted', gross_minor: 1_240_000, complimentary: 12,
      certified_name: 'Rosa Calder' });
    const { data: detail } = await house.signer.get(`${home()}/box_office_reports/${sent!.id}`);
    expect(detail).toMatchObject({ attachments: [{ file_id: file, name: 'week4.csv' }],
      deductions: [{ type: 'card_commission', amount_minor: 37_200 }] });
    await accept(sent!.id);
    // 11% of 12,400.00 less card commission of 372.00, the 3% that the deal allows.
    expect(await weekOf(3)).toMatchObject({ net_minor: 1_202_800, earned_minor: 132_308, due_minor: 132_308 });
  });

  it('dates that two ways read are read as days of the run; a person decides where both are', async () => {
    const figures = { gross: '9,000.00', card: '270.00', sold: 700 };
    // The fourth of December is no day of the run, the fourth of May is one.
    expect(await readings(americanFile('week6.csv', 5, figures))).toMatchObject({ date_format: 'MM/DD/YYYY',
      readings: [], rows: [{ outcome: 'ready', period_to: sunday(5) }] });
    const both = await readings(americanFile('week5.csv', 4, figures));
    expect(both).toMatchObject({ date_format: null, rows: [], readings: [{ setting: 'date_format' }] });
  });

  it('day-first dates and decimal commas under unknown heads are mapped once and remembered', async () => {
    const file = await upload(frenchFile('week5.csv', 4, { gross: '9.870,50', card: '', sold: 640 }));
    expect(await read(file)).toMatchObject({ missing: ['date', 'gross'], rows: [] });
    const mapped = await read(file, { columns: { date: 0, venue: 1, gross: 2, performances: 3, attendance: 4 } });
    expect(mapped).toMatchObject({ matched_by: 'person', date_format: 'DD.MM.YYYY', decimal_style: 'comma' });
    expect(mapped.rows).toMatchObject([{ outcome: 'ready', gross_minor: 987_050, period_to: sunday(4) }]);
    const [sent] = await send(mapped.rows, file);
    await accept(sent!.id);
    expect(await weekOf(4)).toMatchObject({ gross_minor: 987_050, earned_minor: 108_576 });
    const later = await readings(frenchFile('week7.csv', 6, { gross: '9.870,50', card: '', sold: 644 }));
    expect(later).toMatchObject({ matched_by: 'remembered', rows: [{ outcome: 'ready', questions: [] }] });
  });

  it('two venues of one system, one row a performance; over capacity and last week\'s figures are asked before',
    async () => {
      const file = await upload(await nightsFile('weeks6and7.xlsx', [[5, CROWDED], [6, CROWDED]]));
      const { rows } = await read(file);
      expect(rows).toMatchObject([
        { outcome: 'ready', period_to: sunday(5), gross_minor: 1_100_000, questions: [{ kind: 'capacity_over_100' }] },
        { outcome: 'ready', period_to: sunday(6), gross_minor: 1_100_000,
          questions: [{ kind: 'capacity_over_100' }, { kind: 'repeats_week' }] },
      ]);
      expect(rows[0].report.rows).toHaveLength(8);
      const [over] = await send(rows.slice(0, 1), file);
      expect(over).toMatchObject({ held: false, open_questions: 1, performances_held: 8, paid_admissions: 4640 });
      await accept(over!.id);
      expect(await weekOf(5)).toMatchObject({ minimum_pending: true, earned_minor: 121_000 });
    });

  it('the sample names the reports that are due, under our heads, and reads back', async () => {
    const reader = await test.signedIn('customer', { customers: [{ id: house.id, role: 'signer' }] });
    const { raw, status } = await reader.get(`${home()}/box_office_sample`);
    expect(status).toBe(200);
    const [heads, first] = raw.toString('utf8').split('\r\n');
    expect(heads).toContain('Week ending,Show,Venue,Gross,Performances,Attendance,Comps');
    expect(first).toContain(`${sunday(6)},The Long Road,Greenville Playhouse,,8,`);
  });

  it('a file sent again is known; another show\'s file and a day outside the run are refused by name', async () => {
    const heads = 'Week ending,Show,Venue,Gross,Attendance\n';
    const again = await readings(csv('again.csv',
      `${heads}2026-03-29,The Long Road,Denver Playhouse,12400.00,700\n`));
    expect(again.rows).toMatchObject([{ outcome: 'reported', report: null }]);
    const other = await readings(csv('other.csv', `${heads}2026-04-12,Hamlet,Fresno Playhouse,9000.00,700\n`
      + '2027-04-12,The Long Road,Fresno Playhouse,9000.00,700\n2026-04-12,The Long Road,Elsewhere,9000.00,700\n'));
    expect(other.rows.map((row: Body) => row.outcome)).toEqual(['refused', 'refused', 'refused']);
    const reasons = other.rows.map((row: Body) => row.reason).join(' ');
    for (const words of ['Hamlet', 'The Long Road', 'outside the run', 'Elsewhere']) expect(reasons).toContain(words);
  });

  it('an overlap is asked before it is sent, held when sent, and computes nothing', async () => {
    const file = await upload(csv('week6-late.csv', 'Week ending,Show,Venue,Gross,Attendance\n'
      + '2026-04-12,The Long Road,Fresno Playhouse,11250.00,3900\n'));
    const { rows } = await read(file);
    expect(rows).toMatchObject([{ outcome: 'ready', questions: [{ kind: 'overlap', held: true },
      { kind: 'no_performances' }] }]);
    const before = await booked(stage, 'PROD', '2026-01-01', '2026-12-31');
    rows[0].report.performances_held = 8;
    const [held] = await send(rows, file);
    expect(held).toMatchObject({ held: true, earned_minor: null, due_minor: null });
    expect(await booked(stage, 'PROD', '2026-01-01', '2026-12-31')).toEqual(before);
  });

  it('the company answers the overlap itself; accepted, the difference alone is billed', async () => {
    const held = (await reportsOf()).find((one) => one.held)!;
    const { data: shown } = await house.signer.get(`${home()}/box_office_reports/${held.id}`);
    const question = shown.questions.find((one: Body) => one.answer === null);
    const { data: answered } = await house.signer.put(
      `${home()}/box_office_reports/${held.id}/questions/${question.id}`, { answer: 'replace' });
    expect(answered).toMatchObject({ held: false });
    const before = await booked(stage, 'PROD', '2026-01-01', '2026-12-31');
    await accept(held.id);
    const after = await booked(stage, 'PROD', '2026-01-01', '2026-12-31');
    expect(after[1100]! - before[1100]!).toBe(2_750);
  });
});
