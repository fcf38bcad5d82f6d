/** Receivables and payables by age: one segmented bar on the garnet ramp and the table that repeats every figure. */
import { sharesOf } from '#kernel/money/shares.ts';
import { AppLink } from '#web/navigation/navigation.tsx';
import { Money, formatAmount } from '#web/data/money.tsx';
import styles from './chart.module.css';

export interface AgeBucket {
  label: string;
  count: number;
  minor: number;
  /** Party that owes or is owed most of it, and the amount. */
  largest?: { name: string; minor: number } | null | undefined;
  href?: string | undefined;
}

export interface AgeBarProps {
  /** Youngest first, at most five. */
  buckets: readonly AgeBucket[];
  /** Total of the counts, each party counted once; not their sum, since one may be in several age buckets. */
  total: number;
  currency: string;
  countLabel?: string | undefined;
  label: string;
}

/** A long name gives way to its amount. */
function Largest({ name, minor }: { name: string; minor: number }) {
  return <span><span title={name}>{name}</span> <Money minor={minor} /></span>;
}

export function AgeBar({ buckets, total, currency, countLabel = 'Invoices', label }: AgeBarProps) {
  const shares = sharesOf(buckets.map((bucket) => bucket.minor));
  const sum = buckets.reduce((total, bucket) => total + bucket.minor, 0);
  const hasLargest = buckets.some((bucket) => Boolean(bucket.largest));
  return (
    <div className={styles.age}>
      <div className={styles.segments} role="img"
        aria-label={`${label}: ${buckets.map((bucket, index) => `${bucket.label} ${shares[index] ?? ''}`).join(', ')}`}>
        {buckets.map((bucket, index) => bucket.minor > 0 && (
          <span key={bucket.label} data-step={index + 1} style={{ flexGrow: bucket.minor / Math.max(1, sum) }}
            title={`${bucket.label}: ${formatAmount(bucket.minor, currency)}`} />
        ))}
      </div>
      <table className={styles.ageTable}>
        <caption className="gr-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Age</th><th scope="col" className={styles.right}>{countLabel}</th>
            <th scope="col" className={styles.right}>Share</th>{hasLargest && <th scope="col">Largest</th>}
            <th scope="col" className={styles.right}>{currency}</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, index) => (
            <tr key={bucket.label}>
              <th scope="row">
                <i className={styles.step} data-step={index + 1} aria-hidden="true" />
                {bucket.href ? <AppLink href={bucket.href}>{bucket.label}</AppLink> : bucket.label}
              </th>
              <td className={styles.right}>{bucket.count.toLocaleString('en-US')}</td>
              <td className={styles.right}>{shares[index]}</td>
              {hasLargest && <td className={styles.largest}>{bucket.largest && <Largest {...bucket.largest} />}</td>}
              <td className={styles.amount} data-late={(index === 4 && bucket.minor > 0) || undefined}>
                <Money minor={bucket.minor} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className={styles.right}>{total.toLocaleString('en-US')}</td>
            <td className={styles.right}>{shares.every((share) => share === '0.0%') ? '0.0%' : '100.0%'}</td>
            {hasLargest && <td aria-label="No largest one">{' '}</td>}
            <td className={styles.amount}><Money minor={sum} strong /></td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
