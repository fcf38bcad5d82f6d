/** The two charts of the staff home, loaded after the page's first picture. Both carry their figures as tables. */
import { spell } from '#kernel/text/english.ts';
import { AgeBar } from '#web/charts/age-bar.tsx';
import { TwinBars } from '#web/charts/twin-bars.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { AGING_BUCKETS } from '#kernel/receivables/aging.ts';
import { BUCKET_WORDS, changeWords } from './dashboard-words.web.ts';
import type { Dashboard } from './dashboard.contract.ts';
import styles from './dashboard.module.css';

type Months = NonNullable<Dashboard['months']>;
type ReceivablesFigures = NonNullable<Dashboard['receivables']>;

/** '2026-11-01' as 'November 2026' or 'Nov'. */
function monthWords(month: string, style: 'long' | 'short'): string {
  return new Intl.DateTimeFormat('en-US', { month: style, ...(style === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC' }).format(new Date(`${month}T00:00:00Z`));
}

function sum(months: Months, pick: (month: Months[number]) => number): number {
  return months.reduce((all, month) => all + pick(month), 0);
}

/** Revenue and royalty expense of twelve months; profit and loss of the same days explains them. */
export function MonthsChart({ board, months, currency }: { board: Dashboard; months: Months; currency: string }) {
  const own = months.filter((month) => month.currency === currency);
  const income = sum(own, (month) => month.income_minor);
  const royalties = sum(own, (month) => month.royalty_minor);
  const before = { income: sum(own, (month) => month.income_before_minor),
    royalties: sum(own, (month) => month.royalty_before_minor) };
  const first = own[0]?.month;
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>Income and royalties</h2>
        <AppLink className="gr-link" href={`/admin/finance/profit-loss?division=${board.division}${first
          ? `&from=${first}&to=${board.today}` : ''}`}>Open profit and loss</AppLink>
      </div>
      {income === 0 && royalties === 0 && before.income === 0 ? (
        <EmptyState title={`Nothing earned in ${currency} yet`}
          text="Income and royalties stand here by month once the ledger has them." />
      ) : (
        <TwinBars currency={currency} beforeLabel="Income, prior year" partialLabel="Partial month"
          upper={{ label: 'Income, 12 months', note: changeWords(income, before.income) }}
          lower={{ label: 'Royalties', note: changeWords(royalties, before.royalties)
            ?? (income > 0 ? `${((royalties / income) * 100).toFixed(1)}% of income` : undefined) }}
          bars={own.map((month, index) => ({ label: monthWords(month.month, 'short'),
            title: monthWords(month.month, 'long'), upper_minor: month.income_minor, lower_minor: month.royalty_minor,
            before_minor: month.income_before_minor, partial: index === own.length - 1 }))} />
      )}
    </section>
  );
}

export function Receivables({ board, receivables, currency }: {
  board: Dashboard; receivables: ReceivablesFigures; currency: string;
}) {
  const rows = AGING_BUCKETS.flatMap((bucket) =>
    receivables.rows.filter((row) => row.currency === currency && row.bucket === bucket));
  const all = rows.reduce((total, row) => total + row.minor, 0);
  const late = all - (rows.find((row) => row.bucket === 'current')?.minor ?? 0);
  const unapplied = receivables.unapplied.find((row) => row.currency === currency)?.minor ?? 0;
  const list = `/admin/accounts-receivable/invoices?division=${board.division}&currency=${currency}&due=`;
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>Receivables by age</h2>
        {all > 0 && <span>{formatAmount(late, currency)} of {formatAmount(all)} is overdue</span>}
        <AppLink className="gr-link" href={`/admin/accounts-receivable/aging?division=${board.division}`}>
          {spell`Open aging report`}
        </AppLink>
      </div>
      {all === 0 ? (
        <EmptyState title={`Nobody owes anything in ${currency}`}
          text="Issued invoices stand here until they are paid." />
      ) : (
        <AgeBar label={`Receivables by age, ${currency}`} currency={currency} countLabel="Customers"
          total={receivables.customers.find((row) => row.currency === currency)?.count ?? 0}
          buckets={rows.map((row) => ({ label: BUCKET_WORDS[row.bucket], count: row.customers, minor: row.minor,
            href: `${list}${row.bucket}`,
            largest: row.largest_name ? { name: row.largest_name, minor: row.largest_minor } : null }))} />
      )}
      {unapplied < 0 && (
        <p className={styles.aside}>
          <AppLink className="gr-link" href={`/admin/accounts-receivable/payments?division=${
            board.division}&unapplied=true`}>{formatAmount(-unapplied, currency)} received and not yet applied</AppLink>
        </p>
      )}
    </section>
  );
}
