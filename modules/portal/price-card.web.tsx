/** "Your price" beside a form: the live total, its lines, how it came about; and the sliders of the estimate. */
import { CircleCheck } from 'lucide-react';
import { useId, type CSSProperties, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ResponseOf } from '#kit/endpoint.ts';
import type { pricingEndpoints } from '#modules/licensing/licenses/pricing/pricing.contract.ts';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { Explained, PriceLines, PromiseFacts } from './portal-parts.web.tsx';
import calendar from './calendar.module.css';
import styles from './portal.module.css';

type Price = ResponseOf<typeof pricingEndpoints.customerPreview>;

export function PriceCard({ read, waiting, free, under, formula, children }: {
  read: UseQueryResult<Price>;
  /** Input still missing before a price can be made. */
  waiting?: string | undefined;
  free?: boolean | undefined;
  /** Right under the sum. */
  under?: ReactNode;
  /** Between the sum and its lines, for a price that there is. */
  formula?: ((price: Price['data']) => ReactNode) | undefined;
  children?: ReactNode;
}) {
  const price = waiting ? undefined : read.data?.data;
  return (
    <Card title="Your price" right={free && <Badge tone="ok" icon={CircleCheck}>Dates are free</Badge>}>
      <div className={styles.stack} aria-live="polite" aria-busy={read.isFetching || undefined}>
        {waiting && <p className={styles.muted}>{waiting}</p>}
        {!waiting && read.isError && !price && (
          <Callout tone="error" title="The price could not be worked out">{read.error.message}</Callout>
        )}
        {!waiting && read.isPending && <><Skeleton width={180} height={38} /><Skeleton height={14} /></>}
        {price && !price.priced && (
          <Callout title="No price yet">{price.message ?? price.problems.join(' ')}</Callout>
        )}
        {price?.priced && (
          <div>
            <p className={styles.price}><span>{price.currency}</span>
              {formatAmount(price.totals.total_minor)}</p>
            {price.promise && <p className={styles.muted}>guaranteed, plus <strong>{price.promise.rate}</strong></p>}
            {under}
          </div>
        )}
        {children}
        {price?.priced && formula?.(price)}
        {price?.priced && (
          <>
            <PriceLines rows={price.rows} totals={price.totals} currency={price.currency} promise={price.promise} />
            <PromiseFacts promise={price.promise} />
            <Explained steps={price.explanation} />
            {price.problems.map((problem) => <p key={problem} className={styles.small}>{problem}</p>)}
          </>
        )}
      </div>
    </Card>
  );
}

interface SliderProps {
  label: string; value: number; min: number; max: number; step: number; onChange: (value: number) => void;
  /** Minor units of this currency; a plain count without. */
  currency?: string | undefined;
}

/** A figure that can be dragged or typed. */
export function Slider({ label, value, min, max, step, currency, onChange }: SliderProps) {
  const id = useId();
  const at = Math.min(max, Math.max(min, value));
  const show = (one: number) => (currency ? formatAmount(one) : one.toLocaleString('en-US'));
  return (
    <div className={calendar.slider}>
      <div className={calendar.sliderHead}>
        <label htmlFor={id} className={styles.h3}>{label}</label>
        {currency
          ? <MoneyField label={label} hideLabel currency={currency} value={value}
            onChange={(next) => onChange(next ?? min)} />
          : <NumberField label={label} hideLabel value={value} onChange={(next) => onChange(next ?? min)} />}
      </div>
      <input id={id} type="range" min={min} max={max} step={step} value={at}
        style={{ '--filled': `${max > min ? (100 * (at - min)) / (max - min) : 0}%` } as CSSProperties}
        onChange={(event) => onChange(Number(event.target.value))} />
      <span className={calendar.ends} aria-hidden="true"><span>{show(min)}</span><span>{show(max)}</span></span>
    </div>
  );
}
