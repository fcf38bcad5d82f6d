/**
 * Items of accounts payable as they were open on each day of the demo season, against the balance of the control
 * account on that day: by division and currency, in the currency and in the books. Both sides count what came later as
 * of its own day, so an item applied on another day than its posting is found.
 */
import { expect, it } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import { openPayables } from '#modules/payables/aging/open-payables.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';

const test = testApp({ season: true });

interface Balance { amount: number; base: number }
/** By division and currency; what comes to nothing is left out. */
type Balances = Record<string, Balance>;
function add(to: Balances, key: string, amount: number, base: number): void {
  const own = to[key] ?? { amount: 0, base: 0 };
  to[key] = { amount: own.amount + amount, base: own.base + base };
  if (to[key].amount === 0 && to[key].base === 0) delete to[key];
}

it('open items of accounts payable equal the control account in every division on every day', async () => {
  const { db } = test.database;
  const moves = await db.query<{ on: string; division: string; currency: string; amount: number; base: number }>(sql`
    select e.transaction_at as on, a.division, e.currency, -sum(e.amount_minor)::bigint as amount,
      -sum(e.base_amount_minor)::bigint as base
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'ap'
    group by 1, 2, 3 order by 1`);
  const [first, last] = [moves[0]!.on, moves.at(-1)!.on];
  const byDay = Map.groupBy(moves, (move) => move.on);
  const control: Balances = {};
  const seen = new Set<string>();
  let days = 0;
  for (let day = first; day <= last; day = addDays(day, 1)) {
    for (const { division, currency, amount, base } of byDay.get(day) ?? []) {
      add(control, `${division} ${currency}`, amount, base);
      seen.add(division);
    }
    const items: Balances = {};
    for (const one of await openPayables({ db }, sql`true`, day)) {
      add(items, `${one.division} ${one.currency}`, one.open_minor, one.open_base_minor);
    }
    expect([day, items]).toEqual([day, control]);
    days += 1;
  }
  expect(days, 'days compared').toBeGreaterThan(400);
  expect([...seen].sort(), 'divisions that buy').toEqual(['EU', 'UK', 'US']);
}, 600_000);
