/** Box office through the database: worked examples of domain.md 2.3-2.6, questions, replacement, double clicks. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { recomputeTrace, traceFromJson, type Json } from '#kernel/pricing/trace.ts';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { makeDeal, makeShow, type DealInput, type TestDeal, type TestShow }
  from '#modules/royalties/testing/royalty-fixtures.ts';
import { testDatabase } from '#tests/support/database.ts';
import { FULL } from '#tests/support/full.ts';
import { command, giveForeignAccount, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import {
  acceptReport, acceptReportsBulk, answerQuestion, estimateOverdue, expectReports, submitReport, submitReports,
  type SubmitInput,
} from './box-office.public.server.ts';

const database = testDatabase();
let ports: Ports;
let customer: number;
beforeAll(async () => {
  ports = testPorts(database.db);
  customer = await makeCustomer(database.db, 'US');
});

const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}`;

async function deal(input: Partial<DealInput> = {}, show?: TestShow): Promise<TestDeal> {
  const own = show ?? await makeShow(database.db, [{ rate_ppm: 700_000 }]);
  return makeDeal(database.db, own, { customer_id: customer, ...input });
}

function week(at: TestDeal, n: number, gross_minor: number, more: Partial<SubmitInput> = {}): SubmitInput {
  return { license_id: at.license_id, license_venue_id: at.license_venue_id, source: 'staff', scope: 'week',
    currency: 'USD', period_from: day(n), period_to: day(n), gross_minor, performances_held: 8, ...more };
}

const submit = (input: SubmitInput) => command(ports, (ctx) => submitReport(ctx, input));
const accept = (report_id: number) => command(ports, (ctx) => acceptReport(ctx, { report_id }));
async function settle(input: SubmitInput): Promise<number> {
  const { report_id } = await submit(input);
  await accept(report_id);
  return report_id;
}
const reportRow = (id: number) => database.db.one<{ status: string; percentage_minor: number; earned_minor: number;
  recouped_minor: number; due_minor: number; minimum_pending: boolean; open_questions: number; version: number;
  trace: Json }>(sql`
  select status, percentage_minor, earned_minor, recouped_minor, due_minor, minimum_pending, open_questions, version,
    trace from box_office_reports where id = ${id}`);

/** The quoted fee, invoiced before the run. */
const bill = (at: TestDeal, net_minor: number) => command(ports, (ctx) => issueInvoice(ctx, {
  license_id: at.license_id, customer_id: customer, division: 'US', currency: 'USD', issued_on: day(1),
  lines: [{ kind: 'royalty', item_class: 'performing_licence', description: 'Licence fee', net_minor,
    royalty_bearing: true }] }));
/** Invoices less credit notes. */
const royaltyBilled = async (at: TestDeal) => (await database.db.one<{ net: number }>(sql`
  select sum(case kind when 'invoice' then net_minor else -net_minor end)::bigint as net from invoices
  where license_id = ${at.license_id} and kind <> 'proforma'`)).net;

describe('weekly deals', () => {
  test('E7: minimum, advance and deduction cap week by week (event 3r)', async () => {
    const at = await deal({ min_per_week_minor: 50_000,
      fee_terms: { box_office_deductions: [{ type: 'card_commission', cap_ppm: 30_000 }] } });
    await command(ports, (ctx) => issueInvoice(ctx, { license_id: at.license_id, customer_id: customer, division: 'US',
      currency: 'USD', issued_on: day(1), lines: [{ kind: 'advance', item_class: 'performing_licence',
        description: 'Advance', net_minor: 200_000, royalty_bearing: true }] }));
    const cards = (minor: number) => ({ deductions: [{ type: 'card_commission' as const, amount_minor: minor }] });
    const first = await settle(week(at, 5, 412_550, cards(12_377)));
    const second = await settle(week(at, 12, 1_088_000, cards(99_999)));
    let third = 0;
    const moved = await movement(database.db, async () => {
      third = await settle(week(at, 19, 1_500_025, cards(45_001)));
    });
    expect(await reportRow(first)).toMatchObject({ percentage_minor: 44_019, earned_minor: 50_000,
      recouped_minor: 50_000, due_minor: 0 });
    expect(await reportRow(second)).toMatchObject({ earned_minor: 116_090, recouped_minor: 116_090, due_minor: 0 });
    expect(await reportRow(third)).toMatchObject({ earned_minor: 160_053, recouped_minor: 33_910, due_minor: 126_143 });
    // 3r and 11: 2100 339.10, 1100 1,261.43, 4010 1,600.53; the cost of 70% of both.
    expect(moved).toMatchObject({ 2100: 33_910, 1100: 126_143, 4010: -160_053, 5000: 112_037, 2210: -112_037 });
  });

  test('E7 in one call: weeks of one licence take the advance after each other', async () => {
    const at = await deal({ min_per_week_minor: 50_000 });
    await command(ports, (ctx) => issueInvoice(ctx, { license_id: at.license_id, customer_id: customer, division: 'US',
      currency: 'USD', issued_on: day(1), lines: [{ kind: 'advance', item_class: 'performing_licence',
        description: 'Advance', net_minor: 80_000, royalty_bearing: true }] }));
    const made = await command(ports, (ctx) => submitReports(ctx, [5, 12, 19].map((n) => week(at, n, 100_000))));
    const moved = await movement(database.db, () => command(ports, (ctx) => acceptReportsBulk(ctx, made)));
    const rows = [];
    for (const { report_id } of made) rows.push(await reportRow(report_id));
    expect(rows.map((row) => row.recouped_minor)).toEqual([50_000, 30_000, 0]);
    expect(rows.map((row) => row.due_minor)).toEqual([0, 20_000, 50_000]);
    expect(moved).toMatchObject({ 1100: 70_000, 2100: 80_000, 4010: -150_000 });
  });

  test('[I10] E8: escalation on the cumulative gross ends on its closed form, and the trace recomputes', async () => {
    const at = await deal({ rate_ppm: 80_000, fee_terms: { gross_tiers: [
      { from_gross_minor: 2_000_000, rate_ppm: 100_000, mode: 'marginal' },
      { from_gross_minor: 5_000_000, rate_ppm: 120_000, mode: 'marginal' }] } });
    const earned: number[] = [];
    for (const [n, gross] of [1_875_050, 2_324_950, 1_955_075].entries()) {
      const row = await reportRow(await settle(week(at, 5 + n * 7, gross)));
      earned.push(row.earned_minor);
      expect(recomputeTrace(traceFromJson(row.trace))).toEqual([]);
    }
    expect(earned).toEqual([150_004, 229_996, 218_609]);
  });

  test('a question computes and posts the percentage; the minimum follows with the answer', async () => {
    const at = await deal({ min_per_performance_minor: 75_000 });
    const { report_id, open_questions } = await submit(week(at, 5, 100_000, { capacity_ppm: 1_050_000 }));
    expect(open_questions).toBe(1);
    await accept(report_id);
    expect(await reportRow(report_id)).toMatchObject({ earned_minor: 11_000, minimum_pending: true });
    const question = await database.db.one<{ id: number }>(sql`
      select id from box_office_questions where box_office_report_id = ${report_id}`);
    const answer = () => command(ports, (ctx) => answerQuestion(ctx, { report_id, question_id: question.id,
      answer: 'as_reported' }));
    const moved = await movement(database.db, answer);
    expect(await reportRow(report_id)).toMatchObject({ earned_minor: 600_000, due_minor: 600_000,
      minimum_pending: false, open_questions: 0 });
    expect(moved).toMatchObject({ 1100: 589_000, 4010: -589_000 });
    await expect(answer()).rejects.toMatchObject({ code: 'box_office_report.question_answered' });
  });

  test('takings without a performance are asked about; the corrected number settles the minimum', async () => {
    const at = await deal({ min_per_performance_minor: 75_000 });
    const { report_id } = await submit(week(at, 5, 100_000, { performances_held: 0 }));
    await accept(report_id);
    const question = await database.db.one<{ id: number; kind: string }>(sql`
      select id, kind from box_office_questions where box_office_report_id = ${report_id}`);
    expect(question.kind).toBe('no_performances');
    await command(ports, (ctx) => answerQuestion(ctx, { report_id, question_id: question.id, answer: 'corrected',
      performances: 3 }));
    expect(await reportRow(report_id)).toMatchObject({ earned_minor: 225_000 });
  });

  test('a deduction outside the list is not deducted and flags the report', async () => {
    const at = await deal();
    const { report_id, open_questions } = await submit(week(at, 5, 100_000,
      { deductions: [{ type: 'restoration_charge', amount_minor: 10_000 }] }));
    expect(open_questions).toBe(1);
    await accept(report_id);
    expect(await reportRow(report_id)).toMatchObject({ earned_minor: 11_000, minimum_pending: false });
  });

  test('a report that replaces an accepted one posts the difference, up and down', async () => {
    const at = await deal();
    const first = await settle(week(at, 5, 1_000_000));
    const up = await movement(database.db, () => settle(week(at, 5, 1_200_000, { replaces_report_id: first })));
    expect(up).toEqual({ 1100: 22_000, 4010: -22_000, 5000: 15_400, 2210: -15_400 });
    expect(await reportRow(first)).toMatchObject({ status: 'replaced' });
    const second = await database.db.one<{ id: number }>(sql`
      select id from box_office_reports where license_id = ${at.license_id} and status = 'accepted'`);
    const down = await movement(database.db, () => settle(week(at, 5, 800_000, { replaces_report_id: second.id })));
    expect(down).toEqual({ 1100: -44_000, 4010: 44_000, 5000: -30_800, 2210: 30_800 });
  });

  test('accepted twice at the same moment posts once; the second is told what is possible', async () => {
    const at = await deal();
    const { report_id } = await submit(week(at, 5, 1_000_000));
    const both = await Promise.allSettled([accept(report_id), accept(report_id)]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { status: 409, code: 'box_office_report.status_conflict', facts: { allowed: [] } } });
    const invoices = await database.db.query(sql`select id from invoices where license_id = ${at.license_id}`);
    expect(invoices).toHaveLength(1);
  });
});

describe('settlement on takings', () => {
  test('E6: UK amateur, takings with VAT, minimum of the run', async () => {
    const uk = await makeCustomer(database.db, 'UK');
    const show = await makeShow(database.db, [{ rate_ppm: 700_000, division: 'UK' }]);
    const days = [1, 2, 3, 4, 5].map((n) => `2026-02-0${n}`);
    const at = await makeDeal(database.db, show, { customer_id: uk, division: 'UK', category: 'Amateur',
      rate_ppm: 150_000, guarantee_scope: 'run', min_per_performance_minor: 9_500, ticket_tax_ppm: 200_000,
      performances: days });
    const takings = [240_000, 318_000, 402_000, 455_000, 130_000];
    const moved = await movement(database.db, () => settle({ license_id: at.license_id, source: 'portal', scope: 'run',
      license_venue_id: at.license_venue_id, currency: 'GBP', period_from: days[0]!, period_to: days[4]!,
      gross_minor: takings.reduce((a, b) => a + b, 0), tax_included: true,
      rows: at.performance_ids.map((performance_id, k) => ({ performance_id, gross_minor: takings[k]! })) }));
    const row = await database.db.one<{ net_minor: number; earned_minor: number; vat_minor: number }>(sql`
      select net_minor, earned_minor, vat_minor from box_office_reports where license_id = ${at.license_id}`);
    expect(row).toEqual({ net_minor: 1_287_500, earned_minor: 193_125, vat_minor: 257_500 });
    expect(moved).toMatchObject({ 1100: 231_750, 4010: -193_125, 2300: -38_625 });
  });

  test('E5: a quoted fee trues up only; the lower taking charges nothing more', async () => {
    const quoted = async (gross: number): Promise<number> => {
      const at = await deal({ fee_method: 'percent_potential', rate_ppm: 100_000, guarantee_scope: 'run',
        true_up: 'up_only' });
      await command(ports, (ctx) => issueInvoice(ctx, { license_id: at.license_id, customer_id: customer,
        division: 'US', currency: 'USD', issued_on: day(1), lines: [{ kind: 'royalty', description: 'Licence fee',
          item_class: 'performing_licence', net_minor: 54_000, royalty_bearing: true }] }));
      return (await reportRow(await settle(week(at, 9, gross, { scope: 'run', performances_held: 5 })))).due_minor;
    };
    expect(await quoted(678_500)).toBe(13_850);
    expect(await quoted(431_250)).toBe(0);
  });

  const weeksOf = ['2026-01-05', '2026-01-06', '2026-01-12'];

  test('a quoted fee is trued up by the reports of its weeks, once the last performance is reported', async () => {
    const at = await deal({ fee_method: 'percent_potential', rate_ppm: 100_000, guarantee_scope: 'run',
      true_up: 'both', min_per_performance_minor: 2_000, performances: weeksOf });
    await bill(at, 100_000);
    const first = await settle(week(at, 5, 700_000, { performances_held: 2 }));
    expect(await reportRow(first)).toMatchObject({ earned_minor: 0, due_minor: 0 });
    // 10% of 7,000.00 + 5,000.00 is 200.00 above the fee of 1,000.00.
    const last = await settle(week(at, 12, 500_000, { performances_held: 1 }));
    expect(await reportRow(last)).toMatchObject({ earned_minor: 20_000, due_minor: 20_000 });
    // A late correction of the first week: 1,100.00 in all, 100.00 go back.
    const late = await settle(week(at, 5, 600_000, { performances_held: 2, replaces_report_id: first }));
    expect(await reportRow(late)).toMatchObject({ earned_minor: -10_000, due_minor: -10_000 });
    expect(await royaltyBilled(at)).toBe(110_000);
    // The whole run, reported at last, takes the place of its weeks.
    const { report_id: whole } = await submit(week(at, 5, 400_000,
      { scope: 'run', period_to: day(12), performances_held: 3 }));
    const asked = await database.db.one<{ id: number }>(sql`
      select id from box_office_questions where box_office_report_id = ${whole} and kind = 'overlap'`);
    await command(ports, (ctx) => answerQuestion(ctx, { report_id: whole, question_id: asked.id, answer: 'replace' }));
    await accept(whole);
    expect(await royaltyBilled(at)).toBe(40_000);
  });

  test('down only: less than the fee goes back to the minimum of the performances held', async () => {
    const at = await deal({ fee_method: 'percent_potential', rate_ppm: 100_000, guarantee_scope: 'run',
      true_up: 'down_only', min_per_performance_minor: 20_000, performances: weeksOf });
    await bill(at, 100_000);
    await settle(week(at, 5, 100_000, { performances_held: 2 }));
    await settle(week(at, 12, 50_000, { performances_held: 1 }));
    expect(await royaltyBilled(at)).toBe(60_000);
  });

  test('weekly: the last week reaches the guarantee of the run; a late correction keeps the total', async () => {
    const at = await deal({ min_per_week_minor: 10_000, min_per_run_minor: 60_000, performances: weeksOf });
    const first = await settle(week(at, 5, 100_000, { performances_held: 2 }));
    expect(await reportRow(first)).toMatchObject({ percentage_minor: 11_000, earned_minor: 11_000 });
    // 11% of 500.00 is below the weekly 100.00; the run is 390.00 short of its 600.00.
    const last = await settle(week(at, 12, 50_000, { performances_held: 1 }));
    expect(await reportRow(last)).toMatchObject({ percentage_minor: 5_500, earned_minor: 49_000 });
    const row = await reportRow(last);
    expect(recomputeTrace(traceFromJson(row.trace))).toEqual([]);
    // The first week was 300.00 really: still 600.00 in all. Then 700.00: 100.00 above the guarantee.
    const late = await settle(week(at, 5, 300_000, { performances_held: 2, replaces_report_id: first }));
    expect(await reportRow(late)).toMatchObject({ percentage_minor: 33_000, earned_minor: 11_000, due_minor: 0 });
    await settle(week(at, 5, 545_455, { performances_held: 2, replaces_report_id: late }));
    expect(await royaltyBilled(at)).toBe(70_000);
  });

  test('[I10] escalation by performance and of a run counts on the takings so far (2.5)', async () => {
    const terms = { fee_terms: { gross_tiers: [{ from_gross_minor: 2_000_000, rate_ppm: 100_000, mode: 'marginal' },
      { from_gross_minor: 5_000_000, rate_ppm: 120_000, mode: 'marginal' }] }, rate_ppm: 80_000 };
    for (const guarantee_scope of ['performance', 'run'] as const) {
      const at = await deal({ ...terms, guarantee_scope, performances: weeksOf });
      let last = 0;
      for (const [n, gross] of [[5, 1_875_050], [6, 4_200_000], [12, 6_155_075 - 1]] as const) {
        last = await settle(week(at, n, gross, { performances_held: 1 }));
      }
      // F(122,301.24) = 1,600.00 + 3,000.00 + 12% of 72,301.24.
      expect(await royaltyBilled(at)).toBe(160_000 + 300_000 + 867_615);
      const row = await reportRow(last);
      expect(recomputeTrace(traceFromJson(row.trace))).toEqual([]);
    }
  });

  test('figures that cannot be are refused at their field', async () => {
    const at = await deal();
    await expect(submit(week(at, 5, 1, { currency: 'EUR' }))).rejects.toMatchObject({
      status: 422, errors: { currency: ['The license is in USD'] } });
    await expect(submit(week(at, 5, 1, { period_from: day(9) }))).rejects.toMatchObject({
      errors: { period_to: ['The period ends before it begins'] } });
  });
});

test('expected reports: one a week for a professional run, filled by the return', async () => {
  const at = await deal({ performances: ['2026-01-06', '2026-01-07', '2026-01-13'] });
  const made = await command(ports, (ctx) => expectReports(ctx, at.license_id));
  expect(made).toEqual({ expected: 2 });
  expect(await command(ports, (ctx) => expectReports(ctx, at.license_id))).toEqual({ expected: 0 });
  await settle(week(at, 5, 100_000, { period_to: day(11) }));
  const rows = await database.db.query<{ status: string; period_from: string; due_on: string }>(sql`
    select status, period_from, due_on from box_office_reports where license_id = ${at.license_id}
    order by period_from`);
  expect(rows).toEqual([{ status: 'accepted', period_from: '2026-01-05', due_on: '2026-01-18' },
    { status: 'expected', period_from: '2026-01-12', due_on: '2026-01-25' }]);
});

test('the night estimates what is 30 days late, once', async () => {
  const at = await deal({ performances: ['2026-01-06', '2026-01-07'] });
  await database.db.exec(sql`insert into license_venue_tickets (license_venue_id, number_of_seats, price_minor)
    values (${at.license_venue_id}, 10, 1000)`);
  await command(ports, (ctx) => expectReports(ctx, at.license_id));
  await estimateOverdue(ports);
  const rows = await database.db.query<{ status: string; earned_minor: number }>(sql`
    select status, earned_minor from box_office_reports where license_id = ${at.license_id}`);
  expect(rows).toEqual([{ status: 'estimated', earned_minor: 2_200 }]);
  expect(await estimateOverdue(ports)).toEqual({ estimated: 0 });
});

test('many reports at once give what they give one by one', async () => {
  const rates = [{ rate_ppm: 270_000 }, { rate_ppm: 260_000 }, { rate_ppm: 270_001 }];
  const run = async (bulk: boolean) => {
    const show = await makeShow(database.db, rates);
    const deals: TestDeal[] = [];
    for (let k = 0; k < 4; k += 1) deals.push(await deal({ min_per_performance_minor: 75_000 }, show));
    const inputs = Array.from({ length: FULL ? 200 : 48 }, (_, k): SubmitInput => week(deals[k % 4]!, 1 + (k % 28),
      ((k * 7_919 + 13) % 900) * 3_337, { performances_held: k % 9, capacity_ppm: 900_000 + (k % 30) * 10_000,
        add: true, add_reason: 'Other seats' }));
    const made = bulk ? await command(ports, (ctx) => submitReports(ctx, inputs)) : [];
    if (bulk) await command(ports, (ctx) => acceptReportsBulk(ctx, made));
    else for (const input of inputs) made.push(await submit(input));
    const order = await database.db.query<{ id: number }>(sql`
      select id from box_office_reports where id = any(${made.map((one) => one.report_id)}::bigint[])
      order by license_id, period_to, id`);
    if (!bulk) for (const { id } of order) await accept(id);
    return database.db.query(sql`
      select b.earned_minor, b.due_minor, b.percentage_minor, b.minimum_pending, i.total_minor, l.house_minor, l.method,
        (select array_agg(a.amount_minor order by a.show_royaltor_id) from royalty_accruals a
          where a.royalty_allocation_id = l.id) as parts,
        (select array_agg(e.amount_minor order by c.code, e.amount_minor) from journal_entries e
          join ledger_accounts c on c.id = e.ledger_account_id where e.invoice_id = i.id) as entries
      from box_office_reports b left join invoices i on i.id = b.invoice_id
        left join invoice_items t on t.invoice_id = i.id left join royalty_allocations l on l.invoice_item_id = t.id
      where b.id = any(${order.map((row) => row.id)}::bigint[]) order by b.license_id, b.period_to, b.id`);
  };
  expect(await run(true)).toEqual(await run(false));
});

test('of many reports those that nobody could pay stay submitted with the reason, and no other does', async () => {
  await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-01-01', '1.10', 'manual')`);
  const [dollars, euros] = [await deal(), await deal({ currency: 'EUR' })];
  const inputs = [week(dollars, 1, 1_000_000), week(euros, 1, 1_000_000, { currency: 'EUR' }),
    week(dollars, 8, 1_000_000), week(euros, 8, 0, { currency: 'EUR' })];
  const made = await command(ports, (ctx) => submitReports(ctx, inputs));
  const refused = await command(ports, (ctx) => acceptReportsBulk(ctx, made));
  expect(refused).toEqual([{ report_id: made[1]!.report_id, reason: 'US cannot be paid in EUR yet: enter the number of '
    + 'its EUR account under Banking, Bank accounts, and make that account the default.' }]);
  const states = [];
  for (const { report_id } of made) states.push((await reportRow(report_id)).status);
  expect(states, 'what asks for nothing is accepted').toEqual(['accepted', 'submitted', 'accepted', 'accepted']);
  await expect(accept(made[1]!.report_id)).rejects.toMatchObject({ code: 'invoice.no_way_to_pay' });
  await giveForeignAccount(ports, 'US', 'EUR');
  await accept(made[1]!.report_id);
});
