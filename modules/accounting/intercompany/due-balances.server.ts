/** Balances between divisions by the books of each, and lines that have no other side. */
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import { dueExchange, duePairs, type DueBalance, type DuePair } from '#kernel/ledger/intercompany.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { isRateOf } from '#kernel/ledger/revaluation.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { rateOn } from '../ledger/series.server.ts';
import type { IntercompanyBalances, IntercompanyPair, UnmatchedLine } from './intercompany.contract.ts';

/** Lines that are handed out; the rest are counted. */
const LINES = 200;

const dueEntries = (asOf: Sql): Sql => sql`journal_entries e
  join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('due_from', 'due_to')
  join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
  join divisions o on e.party_type = 'division' and o.id = e.party_id
  where e.transaction_at <= ${asOf}::date`;

/** By division, the other one and currency; debit positive. */
export async function dueBalances(db: Queryable, asOf: IsoDate): Promise<DueBalance[]> {
  const rows = await db.query<{ division: Division; other: Division; currency: Currency; balance: number;
    base: number }>(sql`
    select a.division, o.code as other, e.currency, sum(e.amount_minor)::bigint as balance,
      sum(e.base_amount_minor)::bigint as base
    from ${dueEntries(sql`${asOf}`)} group by a.division, o.code, e.currency
    order by a.division, o.code, e.currency`);
  return rows.map((row) => ({ ...row, balance: BigInt(row.balance), base: BigInt(row.base) }));
}

/** USD per unit on the day; null where no rate of that day is known. */
async function usdRate(db: Queryable, currency: Currency, on: IsoDate): Promise<string | null> {
  if (currency === 'USD') return '1';
  const found = await rateOn(db, currency, 'USD', on);
  return found !== null && isRateOf(on, found.on_date) ? found.rate : null;
}

async function pairRow(db: Queryable, pair: DuePair, on: IsoDate): Promise<IntercompanyPair> {
  const own = FUNCTIONAL_CURRENCY[pair.division];
  const others = FUNCTIONAL_CURRENCY[pair.other];
  const [ownRate, otherRate, currencyRate] = [await usdRate(db, own, on), await usdRate(db, others, on),
    await usdRate(db, pair.currency, on)];
  const exchange = ownRate === null || otherRate === null || currencyRate === null ? null
    : dueExchange(pair, { own: ownRate, other: otherRate, currency: currencyRate });
  return { division: pair.division, other: pair.other, currency: pair.currency, balance_minor: Number(pair.balance),
    other_balance_minor: Number(pair.other_balance), difference_minor: Number(pair.difference),
    division_currency: own, base_minor: Number(pair.base), other_currency: others,
    other_base_minor: Number(pair.other_base), exchange_minor: exchange === null ? null : Number(exchange) };
}

/** Nothing that is taken back again, and no exchange difference. */
const alone = sql`e.amount_minor <> 0 and t.intercompany_group_id is null and t.status = 'posted'
  and not exists (select 1 from transactions r where r.id = t.reverses_id and r.status = 'reversed')`;

export async function intercompanyBalances(db: Queryable, asOf: IsoDate): Promise<IntercompanyBalances> {
  const pairs: IntercompanyPair[] = [];
  for (const pair of duePairs(await dueBalances(db, asOf))) pairs.push(await pairRow(db, pair, asOf));
  const unmatched = await db.query<UnmatchedLine>(sql`
    select e.id, t.id as transaction_id, e.transaction_at, a.division, o.code as other, a.code as account, e.currency,
      e.amount_minor, t.description
    from ${dueEntries(sql`${asOf}`)} and ${alone} order by e.transaction_at, e.id limit ${LINES}`);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from ${dueEntries(sql`${asOf}`)} and ${alone}`);
  return { as_of: asOf, agrees: pairs.every((pair) => pair.difference_minor === 0), pairs, unmatched,
    more_unmatched: Math.max(0, count - unmatched.length) };
}

/** Divisions that disagree with this one at the end of a day, in words; empty where none does. */
export async function intercompanyLeft(db: Queryable, division: string, on: string): Promise<string> {
  const off = duePairs(await dueBalances(db, on)).filter((pair) => pair.difference !== 0n
    && (pair.division === division || pair.other === division));
  const { waiting } = await db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from intercompany_entries
    where status = 'waiting' and dated_on <= ${on} and ${division} in (creditor, debtor)`);
  return [...new Set(off.map((pair) => `Books of ${pair.division} and ${pair.other} differ in ${pair.currency}`)),
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'entry waits' : 'entries wait'} for approval`])]
    .join(' · ');
}
