/** The books of every division as the consolidation takes them: balances of a day, equity by day, results by month. */
import { addDays, endOfMonth, startOfMonth, type IsoDate } from '#kernel/calendar/calendar.ts';
import { translate, type Amount, type DivisionBooks, type GroupAccount, type TranslatedBooks }
  from '#kernel/ledger/consolidation.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { DIVISIONS, type Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { accountMovements } from './balances.server.ts';
import { monthThrough, type GroupRates } from './group-rates.server.ts';
import { fiscalYearStart } from './statements.server.ts';

interface Row extends GroupAccount { minor: number }
type ByDay = Row & { day: IsoDate };
type ByMonth = Row & { month: IsoDate };

/** Equity by day of posting; closing entries are left out, their result stays a result. */
const equityOf = (db: Queryable, division: Division, to: IsoDate): Promise<ByDay[]> => db.query<ByDay>(sql`
  select a.code, a.name, a.class, h.section, e.transaction_at as day, sum(e.base_amount_minor)::bigint as minor
  from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id
    join journal_entries e on e.ledger_account_id = a.id
    join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
      and t.kind <> 'year_end_close'
  where a.division = ${division} and a.class = 'equity' and e.transaction_at <= ${to}
  group by a.id, h.section, e.transaction_at having sum(e.base_amount_minor) <> 0 order by a.code, e.transaction_at`);

/**
 * Income and expense by month: whole periods from the balances by period, the days of a period that `from` or `to`
 * cuts from its lines, closing entries taken off again.
 */
const resultsOf = (db: Queryable, division: Division, from: IsoDate, to: IsoDate): Promise<ByMonth[]> =>
  db.query<ByMonth>(sql`
    with moved as (
      select b.ledger_account_id, date_trunc('month', p.starts)::date as month,
        b.base_debit_minor - b.base_credit_minor as minor
      from ledger_balances b join periods p on p.division = b.division and p.period = b.period
      where b.division = ${division} and p.starts >= ${from}::date and p.ends <= ${to}::date
      union all
      select e.ledger_account_id, date_trunc('month', e.transaction_at)::date, e.base_amount_minor
      from periods p join posted_entries e on e.division = p.division and e.period = p.period
      where p.division = ${division} and p.ends >= ${from}::date and p.starts <= ${to}::date
        and (p.starts < ${from}::date or p.ends > ${to}::date) and e.transaction_at between ${from} and ${to}
      union all
      select e.ledger_account_id, date_trunc('month', e.transaction_at)::date, -e.base_amount_minor
      from transactions t join journal_entries e on e.transaction_id = t.id
      where t.division = ${division} and t.kind = 'year_end_close' and t.status in ('posted', 'reversed')
        and t.transaction_at between ${from} and ${to})
    select a.code, a.name, a.class, h.section, m.month, sum(m.minor)::bigint as minor
    from moved m join ledger_accounts a on a.id = m.ledger_account_id and a.class in ('income', 'expense')
      join ledger_headers h on h.id = a.ledger_header_id
    group by a.id, h.section, m.month having sum(m.minor) <> 0 order by a.code, m.month`);

/**
 * Income and expense by month of entries between divisions that are income or expense in both sets of books, and of
 * what takes them back. Where only one of them has it, the other collected or paid it outside: that stays.
 */
const chargesOf = (db: Queryable, division: Division, from: IsoDate, to: IsoDate): Promise<ByMonth[]> =>
  db.query<ByMonth>(sql`
    select a.code, a.name, a.class, h.section, date_trunc('month', t.transaction_at)::date as month,
      sum(e.base_amount_minor)::bigint as minor
    from transactions p cross join lateral (select p.id, p.transaction_at, p.status
        union all select r.id, r.transaction_at, r.status from transactions r where r.reverses_id = p.id) t
      join journal_entries e on e.transaction_id = t.id
      join ledger_accounts a on a.id = e.ledger_account_id and a.class in ('income', 'expense')
      join ledger_headers h on h.id = a.ledger_header_id
    where p.division = ${division} and p.intercompany_group_id is not null and p.status in ('posted', 'reversed')
      and t.status in ('posted', 'reversed') and t.transaction_at between ${from}::date and ${to}::date
      and exists (select 1 from transactions o join journal_entries x on x.transaction_id = o.id
        join ledger_accounts b on b.id = x.ledger_account_id and b.class in ('income', 'expense')
        where o.intercompany_group_id = p.intercompany_group_id and o.division <> p.division)
    group by a.id, h.section, 5 having sum(e.base_amount_minor) <> 0 order by a.code, 5`);

const account = ({ code, name, class: kind, section }: GroupAccount): GroupAccount =>
  ({ code, name, class: kind, section });

async function resultAmounts(rates: GroupRates, division: Division, rows: readonly ByMonth[],
  of: { to: IsoDate; late: IsoDate }): Promise<Amount[]> {
  const months = [...new Set(rows.map((row) => row.month))].map((month) =>
    monthThrough(month, endOfMonth(month), of.to));
  const found = await rates.ofMonths(FUNCTIONAL_CURRENCY[division], months);
  return rows.map((row) => ({ ...account(row), minor: BigInt(row.minor), rate: found.get(row.month)!,
    late: row.month >= of.late }));
}

const FIRST: IsoDate = '1900-01-01';

/** One division on a day; its roll-forward begins with its fiscal year. */
async function booksOf(db: Queryable, rates: GroupRates, division: Division, to: IsoDate): Promise<DivisionBooks> {
  const currency = FUNCTIONAL_CURRENCY[division];
  const starts = await fiscalYearStart(db, { division, as_of: to });
  const moved = await accountMovements(db, { division, as_of: to });
  const balances = moved.filter((row) => (row.class === 'asset' || row.class === 'liability')
    && row.closing_minor !== 0).map((row) => ({ ...account(row), minor: BigInt(row.closing_minor) }));
  const equity: Amount[] = [];
  for (const row of await equityOf(db, division, to)) {
    equity.push({ ...account(row), minor: BigInt(row.minor), rate: await rates.onDay(currency, row.day),
      late: row.day >= starts });
  }
  const results = await resultAmounts(rates, division, await resultsOf(db, division, FIRST, to), { to, late: starts });
  const empty = balances.length + equity.length + results.length === 0;
  const opening = [...equity, ...results].some((row) => !row.late)
    ? await rates.onDay(currency, addDays(starts, -1)) : null;
  return { division, balances, equity, results, opening, closing: empty ? '1' : await rates.onDay(currency, to) };
}

/** Every division in USD on a day. 409 where a rate is missing. */
export async function translatedBooks(db: Queryable, rates: GroupRates, to: IsoDate): Promise<TranslatedBooks[]> {
  const books: DivisionBooks[] = [];
  for (const division of DIVISIONS) books.push(await booksOf(db, rates, division, to));
  rates.refuseMissing();
  return books.map(translate);
}

/** Income and expense of the days in USD, by division, and the part charged between them. 409: a rate is missing. */
export async function translatedResults(db: Queryable, rates: GroupRates, of: { from: IsoDate; to: IsoDate }):
Promise<{ division: Division; amounts: Amount[]; charged: Amount[] }[]> {
  const books: { division: Division; amounts: Amount[]; charged: Amount[] }[] = [];
  const late = startOfMonth(of.from);
  for (const division of DIVISIONS) {
    const translatedOf = (rows: ByMonth[]) => resultAmounts(rates, division, rows, { to: of.to, late });
    books.push({ division, amounts: await translatedOf(await resultsOf(db, division, of.from, of.to)),
      charged: await translatedOf(await chargesOf(db, division, of.from, of.to)) });
  }
  rates.refuseMissing();
  return books;
}

/** All that divisions charged each other up to a day, in USD. 409: a rate is missing. */
export async function translatedCharges(db: Queryable, rates: GroupRates, to: IsoDate): Promise<Amount[]> {
  const charged: Amount[] = [];
  for (const division of DIVISIONS) {
    charged.push(...await resultAmounts(rates, division, await chargesOf(db, division, FIRST, to),
      { to, late: FIRST }));
  }
  rates.refuseMissing();
  return charged;
}
