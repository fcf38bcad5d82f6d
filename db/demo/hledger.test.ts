/**
 * The books of the demo season, read by hledger: profit and loss, balance sheet and the change of every cash account
 * agree with the product's, month by month, in every division. `npm test` compares three months, `npm run test:full`
 * all of them.
 */
import { expect, it } from 'vitest';
import { addMonths, startOfMonth } from '#kernel/calendar/calendar.ts';
import { DIVISIONS } from '#kernel/money/division.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { FULL } from '#tests/support/full.ts';
import { compareWithHledger, HLEDGER } from '#tests/support/hledger.ts';

const test = testApp({ season: true });
if (!HLEDGER) process.stdout.write('hledger was not found: the season was not compared with it\n');

/** All months of the division, or its first, its middle and its last but one. */
async function monthsOf(division: string): Promise<string[]> {
  const { first, last } = await test.database.db.one<{ first: string; last: string }>(sql`
    select min(transaction_at) as first, max(transaction_at) as last from transactions
    where division = ${division} and status in ('posted', 'reversed')`);
  const months: string[] = [];
  for (let month = startOfMonth(first); month <= last; month = addMonths(month, 1)) months.push(month);
  return FULL ? months
    : [0, Math.floor(months.length / 2), Math.max(0, months.length - 2)].map((at) => months[at]!);
}

it.skipIf(!HLEDGER).each(DIVISIONS)('%s: hledger finds the same result, balances and change in cash', async (
  division,
) => {
  const compared = await compareWithHledger(test, division, await monthsOf(division));
  process.stdout.write(`${division}: ${compared} months compared with hledger\n`);
  expect(compared).toBeGreaterThanOrEqual(3);
}, FULL ? 900_000 : 300_000);
