/**
 * Amounts as the house writes them (LOOK.md 5): two decimals, grouped, no symbol in cells, negative in parentheses,
 * zero faint, an absent amount blank. Arithmetic is the kernel's; this only shows minor units.
 */
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import styles from './money.module.css';

export interface MoneyProps {
  /** Minor units (cents); null and undefined show nothing. */
  minor: number | bigint | null | undefined;
  /** ISO code before the amount: in headers and wherever currencies are mixed. */
  currency?: string | null | undefined;
  strong?: boolean | undefined;
}

/** `formatAmount(123450)` is '1,234.50', `formatAmount(-5, 'USD')` 'USD (0.05)'; '' for no amount. */
export function formatAmount(minor: number | bigint | null | undefined, currency?: string | null): string {
  if (minor === null || minor === undefined) return '';
  return currency ? formatMoney(minor, currency) : formatMinor(BigInt(minor));
}

export function Money({ minor, currency, strong }: MoneyProps) {
  if (minor === null || minor === undefined) return null;
  const amount = BigInt(minor);
  return (
    <span className={styles.money} data-zero={amount === 0n || undefined} data-strong={strong || undefined}>
      {currency && <span className={styles.currency}>{currency} </span>}
      {amount < 0n && <span className="gr-hidden">minus </span>}
      {formatMinor(amount)}
    </span>
  );
}
