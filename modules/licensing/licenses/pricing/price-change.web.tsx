/** Live effect of a change of charges, discount or fee on a draft's price, while it is typed; nothing is stored. */
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Trace } from '#web/data/trace.tsx';
import type { BodyIn } from '#kit/endpoint.ts';
import type { LicenseRow } from '../license.contract.ts';
import { usePreview } from '#web/query/use-preview.ts';
import { DepositBeside, PriceRows, sumLabel } from './price-rows.web.tsx';
import { traceSteps } from './price-trace.web.ts';
import { pricingEndpoints } from './pricing.contract.ts';
import styles from '../../licensing.module.css';

export type WishedPrice = BodyIn<typeof pricingEndpoints.previewChange>;

export function PriceChange({ license, wish }: { license: LicenseRow; wish: WishedPrice }) {
  const preview = usePreview(pricingEndpoints.previewChange, { params: { licenseId: license.id }, body: wish });
  const answer = preview.data?.data;
  if (preview.error) return <Callout tone="error" title="This cannot be charged">{preview.error}</Callout>;
  if (!answer) return <Skeleton height={90} />;
  if (!answer.priced) return <Callout tone="info" title="No price yet">{answer.message}</Callout>;
  const total = answer.totals.total_minor;
  const before = license.priced_at === null ? null : license.grand_total_minor;
  return (
    <section className={styles.change} aria-label="The price with this change" aria-live="polite"
      data-stale={preview.stale || undefined}>
      <PriceRows rows={answer.rows} promise={answer.promise} taxMinor={answer.totals.tax_minor} />
      <div className={styles.between}>
        <span className={styles.muted}>{sumLabel(answer)}{before !== null && before !== total
          && `, now ${formatAmount(before)}`}</span>
        <span className={styles.bigSum}>{formatAmount(total)}</span>
      </div>
      <DepositBeside minor={answer.totals.security_deposit_minor} currency={answer.currency} />
      {answer.problems.map((problem) => <Callout key={problem} tone="warn">{problem}</Callout>)}
      <details className={styles.how}>
        <summary>How this was calculated</summary>
        <Trace heading={false} steps={traceSteps(answer.trace)} />
      </details>
    </section>
  );
}
