/** The rows of a price on staff screens: each re-adds, and together they come to the total. */
import { flatRows } from '#kernel/pricing/price-rows.ts';
import { formatAmount, Money } from '#web/data/money.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import type { PriceBlockRow, PromiseAnswer } from './pricing.contract.ts';
import styles from '../../licensing.module.css';

type Blocks = readonly PriceBlockRow[];
type Row = PriceBlockRow['rows'][number];

/** '300.00 × 4', or nothing where one thing has one price. */
export function timesOf({ quantity, unit_minor }: Pick<Row, 'quantity' | 'unit_minor'>): string | undefined {
  return unit_minor !== null && quantity !== null && quantity > 1 ? `${formatAmount(unit_minor)} × ${quantity}`
    : undefined;
}

/** For lists of lines with an amount each. */
export function peekRows(rows: Blocks, promise: PromiseAnswer | null) {
  return flatRows(rows, promise !== null).map((row, index) => ({ key: `${index}${row.label}`, label: row.label,
    note: timesOf(row), minor: row.amount_minor }));
}

/** One below the other, with tax; the sum stands with whoever shows it. */
export function PriceRows({ rows, promise, taxMinor }: {
  rows: Blocks; promise: PromiseAnswer | null; taxMinor: number;
}) {
  return (
    <div className={styles.tight}>
      {peekRows(rows, promise).map((row) => (
        <div key={row.key} className={styles.between}>
          <span>{row.label}{row.note && <span className={styles.faint}> {row.note}</span>}</span>
          <Money minor={row.minor} />
        </div>
      ))}
      {taxMinor > 0 && <div className={styles.between}><span>Tax</span><Money minor={taxMinor} /></div>}
    </div>
  );
}

/** A deposit that is given back, besides the price; nothing where there is none. */
export function DepositBeside({ minor, currency }: { minor: number; currency: string }) {
  return minor > 0 && (
    <p className={styles.muted}>A refundable deposit of {formatAmount(minor, currency)} is requested when the
      offer is signed. It is not part of the price.</p>
  );
}

/** Terms that follow the takings, worded as on the papers. */
export function PromiseFacts({ promise }: { promise: PromiseAnswer | null }) {
  return promise && <KeyValue layout="rows" facts={promise.facts.map((fact) => ({ label: fact.label,
    value: fact.text }))} />;
}

/** Label for the total of a price: guaranteed if a percentage follows. */
export function sumLabel(price: { currency: string; promise: PromiseAnswer | null }): string {
  return price.promise ? `Guaranteed ${price.currency}, plus ${price.promise.rate}` : `Total ${price.currency}`;
}
