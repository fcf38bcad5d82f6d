/**
 * Months before one that is closed: periods are closed one by one (`ledger_set_period`), so earlier ones may stay open,
 * and a posting there changes the opening balances of those after it.
 */
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';

/** Whether its division had posted anything by the end of `period`, a row of periods: before that, books are empty. */
export const hasPostings = (period: Sql): Sql => sql`exists (select 1 from transactions t
  where t.division = ${period}.division and t.transaction_at <= ${period}.ends and t.status in ('posted', 'reversed'))`;

/** Periods of a division before `period` that take postings, from the month of the first posting on. */
const earlier = (division: Sql, period: Sql): Sql => sql`periods e where e.division = ${division}
  and e.period < ${period} and e.state <> 'closed' and ${hasPostings(sql`e`)}`;

/**
 * Earlier periods that are not closed, in words: 'March 2026, May 2026 to October 2026'; null where there is none.
 * Months that follow each other are one span.
 */
export const earlierOpenWords = (division: Sql, period: Sql): Sql => sql`(
  select string_agg(span.words, ', ' order by span.first) from (
    select min(m.period) as first, case when m.adjustments then 'adjustments of ' || min(m.period) / 100
      else month_words(min(m.starts)) || case when count(*) = 1 then '' else ' to ' || month_words(max(m.starts)) end
      end as words
    from (select e.period, e.starts, e.period % 100 > 12 as adjustments, e.period / 100 * 12 + e.period % 100
        - row_number() over (partition by e.period % 100 > 12 order by e.period) as run
      from ${earlier(division, period)}) m
    group by m.adjustments, m.run, case when m.adjustments then m.period end) span)`;

interface EarlierOpen { readonly words: string; readonly first: number }

/** Earlier periods of a division that are not closed, and the first of them; null where all are closed. */
export function earlierOpen(db: Queryable, division: string, period: number): Promise<EarlierOpen | null> {
  const [of, at] = [sql`${division}::text`, sql`${period}::int`];
  return db.maybeOne<EarlierOpen>(sql`
    select ${earlierOpenWords(of, at)} as words, min(e.period) as first from ${earlier(of, at)}
    having count(*) > 0`);
}
