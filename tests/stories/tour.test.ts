/**
 * Story 3, a tour: Calder's general manager applies once for fourteen cities, eight shows a week with two double days,
 * for 11% and at least 500.00 a week with an advance of 2,000.00. The company uploads the files of three box-office
 * systems itself and sees every question before it sends them.
 */
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { workbook } from '#server/write-workbook.ts';
import { testApp } from '#tests/support/app.ts';
import { API, booked, clientOf, makeHouse, makeWork, offerAndSign, openStage, textOf, type Stage }
  from '#tests/support/story.ts';

const test = testApp();
let stage: Stage;
let house: Awaited<ReturnType<typeof makeHouse>>;
let license: number;
let offer: Body;
let authors: number[];

const CITIES = ['Albany', 'Boston', 'Cleveland', 'Denver', 'Erie', 'Fresno', 'Greenville', 'Hartford', 'Ithaca',
  'Jackson', 'Knoxville', 'Lansing', 'Memphis', 'Norfolk'];
/** Tuesday to Sunday, twice on Wednesday and Saturday. */
const SHOWS = [[1, '19:30'], [2, '14:00'], [2, '19:30'], [3, '19:30'], [4, '19:30'], [5, '14:00'], [5, '19:30'],
  [6, '14:00']] as const;
const FIRST_MONDAY = '2026-03-02';
const monday = (week: number): string => addDays(FIRST_MONDAY, week * 7);
const sunday = (week: number): string => addDays(monday(week), 6);
const AUTHORS = [{ name: 'Ada Finch', share_points: 1, rate_ppm: 700_000 },
  { name: 'Ben Larkin', share_points: 1, rate_ppm: 700_000 },
  { name: 'Cleo Marsh', share_points: 1, rate_ppm: 700_000 }];
const CARD = { category: 'Pro', fee_method: 'percent_actual', rate_ppm: 110_000, guarantee_scope: 'week',
  min_per_week_minor: 50_000, advance_minor: 200_000, execution_policy: 'advance_paid',
  deductions: [{ type: 'card_commission', cap_ppm: 30_000 }] };
/** Domain.md 2.4, example E7. */
const WEEKS = [
  { gross: 412_550, card: 12_377, earned: 50_000, recouped: 50_000, due: 0, left: 150_000 },
  { gross: 1_088_000, card: 32_640, earned: 116_090, recouped: 116_090, due: 0, left: 33_910 },
  { gross: 1_500_025, card: 45_001, earned: 160_053, recouped: 33_910, due: 126_143, left: 0 },
];
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const tickets = (city: number) => [{ label: 'Orchestra', number_of_seats: 300 + city * 10, price: 45, weight: 60 },
  { label: 'Balcony', number_of_seats: 200, price: 30, weight: 40 }];

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
  const system = await clientOf(test, 'system_admin');
  const divisions = '/api/admin/system/divisions';
  const { version } = (await system.get(divisions)).data.find((one: Body) => one.code === 'PROD');
  await system.put(`${divisions}/PROD/payment_details`, { payee: 'Grand Rights Productions', bank_name: 'Example bank',
    routing_number: '110000000', account_number: '000987654321', version });
  const work = await makeWork(stage, { code: 'TOURING', title: 'The Long Road', division: 'PROD', currency: 'USD',
    authors: AUTHORS, card: CARD });
  authors = work.royaltor_ids;
  const at = (city: number) => ({ country_code: 'US', thoroughfare: `${city + 1} Main Street`, locality: CITIES[city]!,
    administrative_area: 'NY', postal_code: '12203' });
  house = await makeHouse(stage, { currency: 'USD', customer: { name: 'Calder Touring Company', kind: 'professional',
    divisions: ['PROD'], default_division: 'PROD', billing_address: at(0), statement_email: 'gm@calder.example',
    tax_country: 'US', is_business: true, business_evidence: 'Registered company' },
  venues: CITIES.map((name, city) => ({ name: `${name} Playhouse`, address: at(city), time_zone: 'America/New_York',
    capacity: 500 + city * 10, tickets: tickets(city) })) });
  const { data: draft } = await house.signer.post(`/api/customers/${house.id}/license-applications`, {
    show_ids: [work.show_id], category: 'Pro', division: 'PROD', organisation_type: 'professional',
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
  await stage.staff.post(`${path}/convert`, { version: approved.version, show_ids: [work.show_id] });
  const { data: [made] } = await stage.staff.get(`${API}/licenses?customer_id=${house.id}`);
  license = made.id;
  await stage.staff.put(`${API}/licenses/${license}`, { version: made.version, production_type: 'tour' });
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

  it('has its advance as deferred income, and shows it to both sides', async () => {
    expect(await booked(stage, 'PROD', '2026-01-01', '2026-02-28')).toMatchObject({ 1000: 200_000, 2100: -200_000 });
    const whole = { charged_minor: 200_000, left_minor: 200_000 };
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
      const left = { charged_minor: 200_000, left_minor: week.left };
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
    for (const words of ['gross 15,000.25, base 14,550.24, 11% is 1,600.53, minimum 500.00, advance recouped 339.10',
      '1,261.43', '000987654321']) expect(text).toContain(words);
  });

  it('are shared by three authors to the cent: 70% of advance and royalty', async () => {
    const rows = await test.database.db.query<{ royaltor_id: number; minor: number }>(sql`
      select g.royaltor_id, sum(a.amount_minor)::bigint as minor from royalty_accruals a
        join show_royaltors g on g.id = a.show_royaltor_id
      where g.royaltor_id = any(${authors}::bigint[]) and a.due_on is not null group by 1 order by 1`);
    expect(rows).toHaveLength(AUTHORS.length);
    const shares = rows.map((row) => Number(row.minor));
    // 1,400.00 of the advance and 883.00 of week three.
    expect(shares.reduce((all, one) => all + one, 0)).toBe(140_000 + 88_300);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    await moveTo('2026-04-02');
    const { data: run } = await stage.staff.post(`${API}/royalty_statement_runs`, { division: 'PROD', currency: 'USD',
      period_from: '2026-01-01', period_to: '2026-03-31', royaltor_ids: authors });
    const stated = run.statements.map((one: Body) => one.payable_minor + one.expected_wht_minor);
    expect(stated.toSorted()).toEqual(shares.toSorted());
  });
});

describe('files of three systems, uploaded by the company itself', () => {
  const upload = async (name: string, content: string | Buffer): Promise<number> => (await house.signer.post(
    `${home()}/box_office_files`, undefined, { file: { field: 'file', name, fields: {}, content: Buffer.from(content),
      type: name.endsWith('xlsx') ? XLSX : 'text/csv' } })).data.file_id;
  const workbookOf = async (header: string, lines: readonly string[]): Promise<Buffer> => {
    const rows = lines.map((line) => line.split(',').map((text) => ({ kind: 'text' as const, text })));
    const parts: Buffer[] = [];
    for await (const part of workbook('Sales', header.split(','), Readable.from(rows))) parts.push(part);
    return Buffer.concat(parts);
  };
  const read = async (file: number, choice: object = {}): Promise<Body> =>
    (await house.signer.post(`${home()}/box_office_files/${file}/reading`, choice)).data;
  const readings = async (name: string, content: string): Promise<Body> => read(await upload(name, content));
  const send = async (rows: readonly Body[], file: number): Promise<Body[]> => (await house.signer.post(
    `${home()}/box_office_batches`, { certified_name: 'Rosa Calder',
      reports: rows.map((row) => ({ ...row.report, attachment_ids: [file] })) })).data;
  beforeAll(() => moveTo('2026-05-05'));

  it('an American file is read by the words of its heads, with its deduction, and attached', async () => {
    const file = await upload('week4.csv', 'Week Ending,Show,Venue,Gross,Performances,Attendance,Comps,Card Fees\r\n'
      + '03/29/2026,The Long Road,Denver Playhouse,"12,400.00",8,700,12,"372.00"\r\n');
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

  it('day-first dates and decimal commas under unknown heads are mapped once and remembered', async () => {
    const heads = 'Semaine;Salle;Recette;Nb;Billets\r\n';
    const file = await upload('week5.csv', `${heads}05.04.2026;Erie Playhouse;9.870,50;8;640\r\n`);
    expect(await read(file)).toMatchObject({ missing: ['date', 'gross'], rows: [] });
    const mapped = await read(file, { columns: { date: 0, venue: 1, gross: 2, performances: 3, attendance: 4 } });
    expect(mapped).toMatchObject({ matched_by: 'person', date_format: 'DD.MM.YYYY', decimal_style: 'comma' });
    expect(mapped.rows).toMatchObject([{ outcome: 'ready', gross_minor: 987_050, period_to: sunday(4) }]);
    const [sent] = await send(mapped.rows, file);
    await accept(sent!.id);
    expect(await weekOf(4)).toMatchObject({ gross_minor: 987_050, earned_minor: 108_576 });
    const later = await readings('week7.csv', `${heads}19.04.2026;Greenville Playhouse;9.870,50;8;644\r\n`);
    expect(later).toMatchObject({ matched_by: 'remembered', rows: [{ outcome: 'ready', questions: [] }] });
  });

  it('two venues of one system, one row a performance; over capacity and last week\'s figures are asked before',
    async () => {
      const nights = (city: number, gross: string[]) => SHOWS.map(([day, time], n) =>
        [addDays(monday(city), day), time, `${CITIES[city]} Playhouse`, gross[n], '580'].join(','));
      const even = Array.from({ length: 8 }, () => '1375.00');
      const file = await upload('weeks6and7.xlsx', await workbookOf('Performance Date,Time,Theatre,Box Office Gross,'
        + 'Paid Attendance', [...nights(5, even), ...nights(6, even)]));
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
    const again = await readings('again.csv', `${heads}2026-03-29,The Long Road,Denver Playhouse,12400.00,700\n`);
    expect(again.rows).toMatchObject([{ outcome: 'reported', report: null }]);
    const other = await readings('other.csv', `${heads}2026-04-12,Hamlet,Fresno Playhouse,9000.00,700\n`
      + '2027-04-12,The Long Road,Fresno Playhouse,9000.00,700\n2026-04-12,The Long Road,Elsewhere,9000.00,700\n');
    expect(other.rows.map((row: Body) => row.outcome)).toEqual(['refused', 'refused', 'refused']);
    const reasons = other.rows.map((row: Body) => row.reason).join(' ');
    for (const words of ['Hamlet', 'The Long Road', 'outside the run', 'Elsewhere']) expect(reasons).toContain(words);
  });

  it('an overlap is asked before it is sent, held when sent, and computes nothing', async () => {
    const file = await upload('week6-late.csv', 'Week ending,Show,Venue,Gross,Attendance\n'
      + '2026-04-12,The Long Road,Fresno Playhouse,11250.00,3900\n');
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
