/**
 * The oracle of the thread at the level of the verbs: real weeks through submit, accept, answer, bill, share and post,
 * against the total that the data's own oracle states; 31,296 of them in `npm run test:full`, every sixteenth and the
 * first of each licence in `npm test`. Data stays outside the repository; without it the test says so and skips.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import {
  acceptReportsBulk, answerAsReported, submitReports, type SubmitInput,
} from '#modules/licensing/box-office/box-office.public.server.ts';
import { acceptHeld, broadwayIsHere, broadwayWeeks } from '#tests/support/broadway.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import { makeDeal, makeShow, type TestShow } from './testing/royalty-fixtures.ts';

const folder = resolve(process.env['SHARED_DATA'] ?? '../shared/data', 'broadway');
const present = broadwayIsHere();
const { rows: taken, total_minor: TOTAL_MINOR } = broadwayWeeks();
const BATCH = 2_000;
/** Credits of the writers' file by party; a combined credit counts for each. */
const ROLES = { book: /^book|bookwriter/i, music: /composer|^music$|original music/i, lyrics: /lyric/i } as const;

interface Week {
  show: string; theatre: string; ends_on: string; gross_minor: number; performances: number; capacity_ppm: number;
  attendance: number;
}

function readWeeks(): Week[] {
  return taken.map((row) => {
    const [month, day, year] = row['Date.Full']!.split('/').map(Number) as [number, number, number];
    return {
      show: row['Show.Name']!, theatre: row['Show.Theatre']!,
      ends_on: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
      gross_minor: Number(row['Statistics.Gross']) * 100, performances: Number(row['Statistics.Performances']),
      capacity_ppm: Number(row['Statistics.Capacity']) * 10_000, attendance: Number(row['Statistics.Attendance']),
    };
  });
}

/** Parties of a show: one per role that its credits name. */
function partiesOf(writers: Record<string, unknown> | undefined): string[] {
  const credits = Object.keys(writers ?? {}).flatMap((credit) => credit.split(/,|&| and /).map((part) => part.trim()));
  return Object.entries(ROLES).filter(([, pattern]) => credits.some((credit) => pattern.test(credit)))
    .map(([role]) => role);
}

describe.skipIf(!present)('Broadway 1990-2016 through the books', () => {
  const database = testDatabase();
  let ports: Ports;
  const shows = new Map<string, TestShow>();
  let accepted = 0;

  beforeAll(async () => {
    ports = testPorts(database.db);
    const weeks = readWeeks();
    const writers = new Map((JSON.parse(readFileSync(resolve(folder, 'shows_with_writers.json'), 'utf8')) as
      { show: string; writers?: Record<string, unknown> }[]).map((one) => [one.show, one.writers]));
    const customer = await makeCustomer(database.db, 'US');
    const deals = new Map<string, { license_id: number; license_venue_id: number }>();
    for (const week of weeks) {
      const key = `${week.show}|${week.theatre}`;
      if (deals.has(key)) continue;
      const roles = partiesOf(writers.get(week.show));
      const show = shows.get(week.show) ?? await makeShow(database.db,
        roles.map((role) => ({ name: `${role} of ${week.show}`, rate_ppm: 1_000_000 })));
      shows.set(week.show, show);
      deals.set(key, await makeDeal(database.db, show, { customer_id: customer, min_per_performance_minor: 75_000 }));
    }
    expect(deals.size).toBe(850);
    const started = performance.now();
    for (let from = 0; from < weeks.length; from += BATCH) {
      const inputs = weeks.slice(from, from + BATCH).map((week): SubmitInput => ({
        ...deals.get(`${week.show}|${week.theatre}`)!, source: 'staff', scope: 'week', currency: 'USD',
        period_from: addDays(week.ends_on, -6), period_to: week.ends_on, gross_minor: week.gross_minor,
        performances_held: week.performances, paid_admissions: week.attendance, capacity_ppm: week.capacity_ppm,
        add: true, add_reason: 'The file has it twice',
      }));
      await command(ports, async (ctx) => {
        const submitted = await submitReports(ctx, inputs);
        await acceptReportsBulk(ctx, submitted.filter((one) => !one.held));
        await acceptHeld(ctx);
        accepted += submitted.length;
        await answerAsReported(ctx, { report_ids: submitted.map((one) => one.report_id) });
      });
    }
    const seconds = (performance.now() - started) / 1000;
    console.info(`Broadway: ${accepted} reports accepted in ${seconds.toFixed(1)} s, `
      + `${Math.round(accepted / seconds)} a second, ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  }, 240_000);

  test('the royalty of all weeks is that of the oracle', async () => {
    const row = await database.db.one<{ n: number; earned: number; open: number; billed: number }>(sql`
      select count(*) as n, sum(earned_minor)::bigint as earned,
        count(*) filter (where open_questions > 0 or minimum_pending) as open,
        (select sum(net_minor)::bigint from invoice_items) as billed
      from box_office_reports where status = 'accepted'`);
    expect(row).toEqual({ n: taken.length, earned: TOTAL_MINOR, open: 0, billed: TOTAL_MINOR });
  });

  test('[I1] every sharing sums exactly, and each party is within 2 cents of its exact share', async () => {
    const wrong = await database.db.query(sql`
      select l.id from royalty_allocations l left join royalty_accruals a on a.royalty_allocation_id = l.id
      group by l.id having coalesce(sum(a.amount_minor), 0) + l.house_minor <> l.amount_minor`);
    expect(wrong).toEqual([]);
    const sums = await database.db.query<{ show_id: number; total: number; parts: number[] }>(sql`
      select show_id, sum(part)::bigint as total, array_agg(part) as parts from (
        select l.show_id, a.show_royaltor_id, sum(a.amount_minor)::bigint as part
        from royalty_allocations l join royalty_accruals a on a.royalty_allocation_id = l.id
        where a.cost_on is not null group by 1, 2) p group by show_id`);
    for (const { total, parts } of sums) {
      for (const part of parts) expect(Math.abs(part - total / parts.length)).toBeLessThanOrEqual(2);
    }
    const shared = sums.reduce((all, show) => all + show.total, 0);
    const toHouse = await database.db.one<{ minor: number }>(sql`
      select coalesce(sum(t.net_minor), 0)::bigint as minor from invoice_items t join invoices i on i.id = t.invoice_id
        join licenses l on l.id = i.license_id
      where not exists (select 1 from show_royaltors a where a.show_id = l.show_id)`);
    expect(shared + toHouse.minor).toBe(TOTAL_MINOR);
    expect(sums.length).toBe([...shows.values()].filter((show) => show.parties.length > 0).length);
  });

  test('the trial balance is zero, receivables and royalty accounts hold the totals', async () => {
    const rows = await database.db.query<{ code: string; minor: number }>(sql`
      select a.code, sum(b.base_debit_minor - b.base_credit_minor)::bigint as minor
      from ledger_balances b join ledger_accounts a on a.id = b.ledger_account_id group by a.code order by a.code`);
    const byCode = Object.fromEntries(rows.map((row) => [row.code, row.minor]));
    expect(rows.reduce((all, row) => all + row.minor, 0)).toBe(0);
    expect(byCode['1100']).toBe(TOTAL_MINOR);
    expect(byCode['4010']).toBe(-TOTAL_MINOR);
    expect(byCode['5000']).toBe(-byCode['2210']!);
  });
});
