/** Returns against days: what overlaps is held, one lives, and a week of the licence has one minimum. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixedClock } from '#server/clock.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { recomputeTrace, traceFromJson, type Json } from '#kernel/pricing/trace.ts';
import { ledgerIntegrity } from '#modules/accounting/report/integrity.server.ts';
import { makeDeal, makeShow, type DealInput, type TestDeal } from '#modules/royalties/testing/royalty-fixtures.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import {
  acceptReport, answerQuestion, estimateOverdue, expectReports, settleDueMinimums, submitReport, submitReports,
  type SubmitInput,
} from './box-office.public.server.ts';

const database = testDatabase();
let ports: Ports;
let customer: number;
beforeAll(async () => {
  ports = { ...testPorts(database.db), clock: fixedClock('2026-04-01T12:00:00Z') };
  customer = await makeCustomer(database.db, 'US');
});

const march = (n: number): string => `2026-03-${String(n).padStart(2, '0')}`;
/** Monday 2 to Saturday 14 March without the Monday between: twelve evenings. */
const EVENINGS = [2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14].map(march);

async function deal(input: Partial<DealInput> = {}): Promise<TestDeal> {
  const show = await makeShow(database.db, [{ rate_ppm: 700_000 }]);
  return makeDeal(database.db, show, { customer_id: customer, performances: EVENINGS, ...input });
}

type Days = [from: string, to: string];
const WEEK: Days = [march(2), march(8)];
function report(at: TestDeal, [period_from, period_to]: Days, gross_minor: number, more: Partial<SubmitInput> = {}):
SubmitInput {
  return { license_id: at.license_id, license_venue_id: at.license_venue_id, source: 'staff', scope: 'week',
    currency: 'USD', period_from, period_to, gross_minor, performances_held: 6, ...more };
}
const submit = (input: SubmitInput) => command(ports, (ctx) => submitReport(ctx, input));
const accept = (report_id: number, at: Ports = ports) => command(at, (ctx) => acceptReport(ctx, { report_id }));
async function settle(input: SubmitInput): Promise<number> {
  const { report_id } = await submit(input);
  await accept(report_id);
  return report_id;
}
const held = async (id: number): Promise<string[]> => (await database.db.query<{ kind: string }>(sql`
  select q.kind from box_office_questions q join box_office_reports b on b.id = q.box_office_report_id
  where b.id = ${id} and b.held and q.answered_at is null order by q.id`)).map((row) => row.kind);
async function answer(report_id: number, value: 'replace' | 'add' | 'as_reported', note?: string): Promise<void> {
  const question = await database.db.one<{ id: number }>(sql`
    select id from box_office_questions where box_office_report_id = ${report_id} and answered_at is null
    order by id limit 1`);
  await command(ports, (ctx) => answerQuestion(ctx, { report_id, question_id: question.id, answer: value,
    ...(note === undefined ? {} : { note }) }));
}
/** Invoices less credit notes: what the licence was charged. */
const charged = async (at: TestDeal): Promise<number> => (await database.db.one<{ net: number }>(sql`
  select coalesce(sum(case kind when 'invoice' then net_minor else -net_minor end), 0)::bigint as net from invoices
  where license_id = ${at.license_id} and kind <> 'proforma'`)).net;
const stored = (id: number) => database.db.one<{ status: string; earned_minor: number | null; due_minor: number | null;
  minimum_pending: boolean; trace: Json }>(sql`
  select status, earned_minor, due_minor, minimum_pending, trace from box_office_reports where id = ${id}`);
const broken = async (): Promise<string[]> => (await ledgerIntegrity(database.db)).filter((one) => !one.ok)
  .map((one) => one.key);

describe('a return that overlaps another', () => {
  test.each<[string, Days, Partial<SubmitInput>, string]>([
    ['the same week', WEEK, {}, 'overlap'],
    ['a week that ends on Saturday', [march(1), march(7)], {}, 'overlap'],
    ['the run', [march(2), march(14)], { scope: 'run' }, 'overlap'],
    ['a week before the run', ['2026-02-23', march(1)], {}, 'outside_run'],
    ['a week after the run', [march(16), march(22)], {}, 'outside_run'],
    ['a week next year', ['2027-03-01', '2027-03-07'], {}, 'outside_run'],
  ])('%s is held, computes nothing and cannot be accepted', async (_, days, more, kind) => {
    const at = await deal();
    await settle(report(at, WEEK, 100_000));
    const made = await submit(report(at, days, 100_000, more));
    expect(made.held).toBe(true);
    expect(await held(made.report_id)).toContain(kind);
    await expect(accept(made.report_id)).rejects.toMatchObject({ status: 409,
      code: 'box_office_report.status_conflict' });
    expect(await stored(made.report_id)).toMatchObject({ status: 'submitted', earned_minor: null });
    expect(await charged(at)).toBe(11_000);
  });

  test('one performance of a reported week is held; one that nobody reported is not', async () => {
    const at = await deal();
    await settle(report(at, WEEK, 100_000));
    const evening = (n: number) => submit(report(at, [EVENINGS[n]!, EVENINGS[n]!], 20_000,
      { scope: 'performance', performance_id: at.performance_ids[n]!, performances_held: 1 }));
    expect(await held((await evening(3)).report_id)).toEqual(['overlap']);
    expect((await evening(7)).held).toBe(false);
  });

  test('days that meet where no performance is planned are held; days that only touch a free one are not', async () => {
    const none = await deal({ performances: [] });
    await settle(report(none, WEEK, 100_000));
    expect((await submit(report(none, [march(8), march(14)], 1))).held).toBe(true);
    expect((await submit(report(none, [march(9), march(15)], 1))).held).toBe(false);
    const at = await deal();
    await settle(report(at, [march(2), march(9)], 100_000));
    expect((await submit(report(at, [march(9), march(15)], 1))).held).toBe(false);
  });

  test('what has not been played, and what no house holds, is held', async () => {
    const at = await deal({ performances: [...EVENINGS, '2026-04-10'] });
    await database.db.exec(sql`insert into license_venue_tickets (license_venue_id, number_of_seats, price_minor)
      values (${at.license_venue_id}, 900, 1000)`);
    expect(await held((await submit(report(at, ['2026-04-06', '2026-04-12'], 1))).report_id)).toEqual(['in_future']);
    // Seven evenings of 900 seats at 10.00: 63,000.00 and 6,300 seats.
    const full = async (gross: number, paid: number): Promise<string[]> => {
      const { report_id } = await submit(report(at, WEEK, gross, { paid_admissions: paid }));
      const kinds = await database.db.query<{ kind: string }>(sql`
        select kind from box_office_questions where box_office_report_id = ${report_id} order by id`);
      await database.db.exec(sql`update box_office_reports set status = 'replaced', held = false
        where id = ${report_id}`);
      return kinds.map((row) => row.kind);
    };
    expect(await full(6_300_000, 6_300)).toEqual([]);
    expect(await full(6_930_000, 9_450)).toEqual(['gross_over_potential', 'capacity_over_100']);
    expect(await full(6_930_100, 9_451)).toEqual(['gross_over_limit', 'attendance_over_limit']);
    await database.db.exec(sql`update divisions set return_attendance_limit_ppm = 2000000 where code = 'US'`);
    expect(await full(6_300_000, 9_999)).toEqual(['capacity_over_100']);
    await database.db.exec(sql`update divisions set return_attendance_limit_ppm = 1500000 where code = 'US'`);
  });

  test('replace: it takes the place of all that it overlaps, and the difference is posted', async () => {
    const at = await deal();
    const first = await settle(report(at, WEEK, 100_000));
    const second = await settle(report(at, [march(9), march(15)], 100_000));
    const { report_id } = await submit(report(at, [march(2), march(14)], 300_000, { scope: 'run' }));
    await expect(answer(report_id, 'as_reported')).rejects.toMatchObject({ errors: {
      answer: ['Choose one of the answers offered'] } });
    await answer(report_id, 'replace');
    await accept(report_id);
    expect(await charged(at)).toBe(33_000);
    expect([(await stored(first)).status, (await stored(second)).status]).toEqual(['replaced', 'replaced']);
    expect(await broken()).toEqual([]);
  });

  test('add: it counts beside the first, for a reason that is kept', async () => {
    const at = await deal();
    await settle(report(at, WEEK, 100_000));
    const { report_id } = await submit(report(at, WEEK, 50_000, { performances_held: 0 }));
    await expect(answer(report_id, 'add')).rejects.toMatchObject({ errors: { note: ['Enter a reason'] } });
    await answer(report_id, 'add', 'Seats sold by the festival');
    await answer(report_id, 'as_reported');
    await accept(report_id);
    expect(await charged(at)).toBe(16_500);
    expect(await database.db.one(sql`select added, add_reason, held from box_office_reports where id = ${report_id}`))
      .toEqual({ added: true, add_reason: 'Seats sold by the festival', held: false });
    expect(await broken()).toEqual([]);
  });

  test('eight at once: one lives', async () => {
    const at = await deal();
    const made = await Promise.all(Array.from({ length: 8 }, (_, k) => submit(report(at, WEEK, 100_000 + k))));
    expect(made.filter((one) => !one.held)).toHaveLength(1);
    for (const one of made) await accept(one.report_id).catch(() => {});
    const rows = await database.db.query(sql`select 1 from invoices where license_id = ${at.license_id}`);
    expect(rows).toHaveLength(1);
  });

  test('the database refuses a second return for a performance, and for days without any', async () => {
    const raw = (at: TestDeal, [from, to]: Days) => database.db.exec(sql`
      insert into box_office_reports (license_id, license_venue_id, division, scope, period_from, period_to, status,
        currency, submitted_at) values (${at.license_id}, ${at.license_venue_id}, 'US', 'week', ${from}, ${to},
        'submitted', 'USD', now())`);
    const at = await deal();
    await raw(at, WEEK);
    await expect(raw(at, [march(7), march(13)])).rejects.toThrow(/box_office_performances/);
    const none = await deal({ performances: [] });
    await raw(none, WEEK);
    await expect(raw(none, [march(8), march(14)])).rejects.toThrow(/box_office_reports_days/);
  });

  test('an expected week that a shifted return covers is no longer expected, until that return changes', async () => {
    const at = await deal({ performances: [3, 4, 5, 10, 11, 12].map(march) });
    await command(ports, (ctx) => expectReports(ctx, at.license_id));
    const expected = async () => (await database.db.query<{ from: string }>(sql`
      select period_from as from from box_office_reports where license_id = ${at.license_id} and status = 'expected'
      order by 1`)).map((row) => row.from);
    expect(await expected()).toEqual([march(2), march(9)]);
    await settle(report(at, [march(1), march(7)], 100_000, { performances_held: 3 }));
    expect(await expected()).toEqual([march(9)]);
    await command(ports, (ctx) => expectReports(ctx, at.license_id));
    expect(await expected()).toEqual([march(9)]);
    const night = { ...ports, clock: fixedClock('2026-05-01T12:00:00Z') };
    await estimateOverdue(night);
    expect(await expected()).toEqual([]);
    // A shifted return takes the place of the estimate by itself.
    await settle(report(at, [march(8), march(14)], 200_000, { performances_held: 3 }));
    expect(await charged(at)).toBe(33_000);
  });

  test('a draft that another return covers goes, and what was typed stays in the audit trail', async () => {
    const at = await deal({ performances: [3, 4, 5].map(march) });
    const draft = await submit(report(at, WEEK, 70_000, { draft: true, performances_held: 3 }));
    await settle(report(at, [march(1), march(7)], 100_000, { performances_held: 3 }));
    const left = await database.db.query(sql`select id from box_office_reports where id = ${draft.report_id}`);
    expect(left).toEqual([]);
    expect(await database.db.query(sql`select action, before->>'gross_minor' as gross from audit_events
      where entity = 'box_office_report' and entity_id = ${draft.report_id} and action = 'drop_draft'`))
      .toEqual([{ action: 'drop_draft', gross: '70000' }]);
  });
});

/** A tour's week in two houses: the second venue is made beside the first. */
async function twoVenues(input: Partial<DealInput> = {}): Promise<[TestDeal, TestDeal]> {
  const at = await deal({ min_per_week_minor: 50_000, performances: [3, 4].map(march), ...input });
  const { id } = await database.db.one<{ id: number }>(sql`
    insert into license_venues (license_id, name, address, sort) select license_id, 'Odeon', address, 2
    from license_venues where id = ${at.license_venue_id} returning id`);
  for (const n of [6, 7]) {
    await database.db.exec(sql`
      insert into performances (license_id, license_venue_id, ordinal, starts_at, local_date, local_time, week_key)
      values (${at.license_id}, ${id}, ${n}, ${`${march(n)}T23:00:00Z`}, ${march(n)}, '19:00', ${march(n)})`);
  }
  await command(ports, (ctx) => expectReports(ctx, at.license_id));
  return [at, { ...at, license_venue_id: id }];
}

describe('the weekly minimum belongs to the week of the licence', () => {
  const ROUNDS: [string, [number, number]][] = [['the larger first', [0, 1]], ['the smaller first', [1, 0]]];
  test.each(ROUNDS)('of 2,000.00 and 1,000.00 in two venues 500.00 are charged in all: %s', async (_, order) => {
    const venues = await twoVenues();
    const gross = [200_000, 100_000];
    const ids: number[] = [];
    const soon = { ...ports, clock: fixedClock('2026-03-10T12:00:00Z') };
    for (const k of order) {
      const { report_id } = await submit(report(venues[k]!, WEEK, gross[k]!, { performances_held: 2 }));
      await accept(report_id, soon);
      ids.push(report_id);
    }
    expect(await charged(venues[0])).toBe(50_000);
    const rows = await Promise.all(ids.map(stored));
    expect(rows.map((row) => row.earned_minor)).toEqual(order[0] === 0 ? [22_000, 28_000] : [11_000, 39_000]);
    expect(rows.map((row) => row.minimum_pending)).toEqual([false, false]);
    for (const row of rows) expect(recomputeTrace(traceFromJson(row.trace))).toEqual([]);
    expect(await broken()).toEqual([]);
  });

  test('the top-up waits for the other venue until its due date and seven days, then it is posted once', async () => {
    const [first, second] = await twoVenues();
    // Due on 15 March: the wait ends with the 22nd.
    const early = { ...ports, clock: fixedClock('2026-03-22T12:00:00Z') };
    const { report_id } = await submit(report(first, WEEK, 200_000, { performances_held: 2 }));
    await accept(report_id, early);
    expect(await stored(report_id)).toMatchObject({ earned_minor: 22_000, minimum_pending: true });
    expect(await settleDueMinimums(early)).toEqual({ settled: 0 });
    const late = { ...ports, clock: fixedClock('2026-03-24T12:00:00Z') };
    expect(await settleDueMinimums(late)).toEqual({ settled: 1 });
    expect(await stored(report_id)).toMatchObject({ earned_minor: 50_000, minimum_pending: false });
    expect(await settleDueMinimums(late)).toEqual({ settled: 0 });
    await settle(report(second, WEEK, 300_000, { performances_held: 2 }));
    // 11% of 5,000.00 is 550.00: 500.00 were charged.
    expect(await charged(first)).toBe(55_000);
    expect(await broken()).toEqual([]);
  });

  test('in whatever order returns come in, the run is charged the same', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(fc.record({ day: fc.constantFrom(...EVENINGS), gross: fc.integer({ min: 0, max: 900_000 }) }),
        { minLength: 2, maxLength: 5 }), fc.boolean(), fc.integer({ min: 1, max: 999 }),
      async (evenings, steps, seed) => {
        const days = [...new Map(evenings.map((one) => [one.day, one])).values()];
        const terms = { min_per_week_minor: 30_000, min_per_run_minor: 70_000, performances: days.map((one) => one.day),
          ...(steps ? { fee_terms: { gross_tiers: [{ from_gross_minor: 500_000, rate_ppm: 150_000,
            mode: 'marginal' }] } } : {}) };
        const totals: number[] = [];
        for (const turn of [0, seed]) {
          const at = await deal(terms);
          const order = [...days.keys()].sort((a, b) => ((a + 1) * (turn + 7)) % 11 - ((b + 1) * (turn + 7)) % 11);
          for (const k of order) {
            await settle(report(at, [days[k]!.day, days[k]!.day], days[k]!.gross, { scope: 'performance',
              performance_id: at.performance_ids[k]!, performances_held: 1 }));
          }
          totals.push(await charged(at));
        }
        expect(totals[1]).toBe(totals[0]);
      }), { numRuns: 8 });
  });

  test('returns that overlap never compute, whatever their periods (property)', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 2, max: 14 }), fc.integer({ min: 0, max: 6 })),
        { minLength: 2, maxLength: 6 }),
      async (periods) => {
        const at = await deal();
        const made = await command(ports, (ctx) => submitReports(ctx, periods.map(([from, length]) =>
          report(at, [march(from), march(from + length)], 10_000, { performances_held: 1 }))));
        for (const one of made.filter((row) => !row.held)) await accept(one.report_id);
        const twice = await database.db.query(sql`
          select p.id from performances p join box_office_reports b on b.license_id = p.license_id
            and p.local_date between b.period_from and b.period_to and b.status = 'accepted'
          where p.license_id = ${at.license_id} group by p.id having count(*) > 1`);
        expect(twice).toEqual([]);
      }), { numRuns: 12 });
  });
});
