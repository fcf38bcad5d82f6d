/**
 * Up to three shows side by side (U32): what they need, whether the nights are free, what they would cost this house.
 * Every figure comes from the same calls as the page of one show.
 */
import { useState, type ReactNode } from 'react';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { today } from '#web/data/local-day.ts';
import { comparedOf, toggled } from './compare-choice.web.ts';
import { estimateOf, nightsFrom, type Guess } from './estimate.web.ts';
import { PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { sentence } from './portal-words.web.ts';
import { castWords, duration } from './show-words.web.ts';
import { useLivePrice, useRunCheck } from './use-live.web.ts';
import compare from './compare.module.css';
import styles from './portal.module.css';

type Show = ResponseOf<typeof portalEndpoints.show>['data'];
type House = ResponseOf<typeof portalEndpoints.information>['data'];
interface Plan extends Guess { first: string | null; venueId: number | null }
const MOST_PERFORMANCES = 60;
/** A night that another page has in mind. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A figure that is asked for within limits: what is typed beyond them counts as the limit. */
function within(value: number | null, least: number, most: number): number {
  return Math.min(most, Math.max(least, value ?? least));
}

function PlanFields({ plan, house, onChange }: { plan: Plan; house: House; onChange: (plan: Plan) => void }) {
  const set = (change: Partial<Plan>) => onChange({ ...plan, ...change });
  return (
    <Card title="For what?">
      <div className={compare.plan}>
        {house.venues.length > 0 && (
          <AsyncSelect<number> label="Where" value={plan.venueId} onChange={(venueId) => set({ venueId })}
            options={house.venues.map((venue) => ({ value: venue.id, label: venue.name }))} />
        )}
        <DateField label="First night" value={plan.first} min={today()} onChange={(first) => set({ first })} />
        <NumberField label="Performances" value={plan.performances}
          onChange={(count) => set({ performances: within(count, 1, MOST_PERFORMANCES) })} />
        <NumberField label="Seats per performance" value={plan.seats}
          onChange={(seats) => set({ seats: within(seats, 1, 100_000) })} />
        <MoneyField label="Average ticket price" currency={house.default_currency} value={plan.price}
          onChange={(price) => set({ price: within(price, 0, 10_000_000) })} />
      </div>
    </Card>
  );
}

const RIGHTS = {
  clear: { tone: 'ok', words: 'Free' }, blocked: { tone: 'error', words: 'Not available' },
  needs_clearance: { tone: 'warn', words: 'Subject to approval' },
} as const;

function Rights({ showId, plan }: { showId: number; plan: Plan }) {
  const { customerId } = usePortal();
  const nights = nightsFrom(plan.first, plan.performances);
  const [from, to] = [plan.first ? nights[0]! : '', plan.first ? nights.at(-1)! : ''];
  const check = useRunCheck(customerId, showId, from, to, plan.venueId ? { venue_id: plan.venueId } : {});
  if (plan.first === null) return <span className={styles.muted}>Choose a first night</span>;
  if (check.isError) return <>Could not be checked</>;
  if (!check.data) return <>Checking</>;
  const { verdict, reason_public: reason } = check.data.data;
  return (
    <span className={compare.rights}>
      <Badge tone={RIGHTS[verdict].tone}>{RIGHTS[verdict].words}</Badge>
      <span>{daySpan(from, to)}</span>
      {verdict !== 'clear' && reason && <small>{reason}</small>}
    </span>
  );
}

function Price({ showId, plan, house }: { showId: number; plan: Plan; house: House }) {
  const { customerId } = usePortal();
  const read = useLivePrice(customerId,
    estimateOf(showId, house, plan.venueId, nightsFrom(plan.first, plan.performances), plan));
  const price = read.data?.data;
  if (read.isError && !price) return <>Could not be worked out</>;
  if (!price) return <>Working it out</>;
  if (!price.priced) return <span className={styles.muted}>{price.message ?? price.problems.join(' ')}</span>;
  return (
    <span><strong className={compare.price}>{formatAmount(price.totals.total_minor,
      price.currency)}</strong>{price.promise
      && <small> plus {price.promise.rate}</small>}</span>
  );
}

function Side({ showId, plan, house }: { showId: number; plan: Plan; house: House }) {
  const { customerId, base } = usePortal();
  const { values, set } = useQueryValues();
  const read = useEndpoint(portalEndpoints.show, { params: { id: customerId, showId } });
  const putBack = () => set({ compare: toggled(comparedOf(values.get('compare')), showId) });
  return (
    <QueryBoundary read={read} cards={1}>
      {({ data: show }) => (
        <Card title={<AppLink href={`${base}/shows/${show.id}`} className="gr-link">{show.title}</AppLink>}>
          <dl className={compare.facts}>
            <Fact label="By">{show.authors_credit}</Fact>
            <Fact label="Kind">{kindWords(show)}</Fact>
            <Fact label="Cast">{sentence(castWords(show.cast_min, show.cast_max))}</Fact>
            <Fact label="Length">{duration(show.running_time_minutes)}</Fact>
            <Fact label="Your nights"><Rights showId={show.id} plan={plan} /></Fact>
            <Fact label="Would cost"><Price showId={show.id} plan={plan} house={house} /></Fact>
          </dl>
          <div className={styles.actions}>
            <ButtonLink href={`${base}/shows/apply/${show.id}`} variant="primary" size="large">Apply
              <span className="gr-hidden"> for {show.title}</span></ButtonLink>
            <Button variant="quiet" size="large" onClick={putBack}>Take away
              <span className="gr-hidden"> {show.title}</span></Button>
          </div>
        </Card>
      )}
    </QueryBoundary>
  );
}

/** 'Musical, 2018, for all ages, full orchestra'. */
function kindWords(show: Pick<Show, 'type' | 'year' | 'age_rating' | 'orchestrations'>): string {
  return [show.type === 'play' ? 'Play' : 'Musical', show.year, show.age_rating, ...show.orchestrations]
    .filter(Boolean).join(', ');
}

/** Every card has the same rows, so that one reads across; what is not known says so. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children === '' ? <span className={styles.muted}>not given</span> : children}</dd>
    </div>
  );
}

export default function Compare({ chosen }: { chosen: readonly number[] }) {
  const { customerId, base } = usePortal();
  const house = useEndpoint(portalEndpoints.information, { params: { id: customerId } });
  return (
    <>
      <PortalHead title="Compare shows" back={{ href: `${base}/shows?compare=${chosen.join(',')}`, text: 'Shows' }}
        facts={['Side by side, for the same nights, seats and prices']} />
      {chosen.length === 0
        ? <EmptyState title="Nothing to compare" text="Choose up to three shows in the list."
            action={<ButtonLink href={`${base}/shows`}>All shows</ButtonLink>} />
        : <QueryBoundary read={house}>{({ data }) => <Sides chosen={chosen} house={data} />}</QueryBoundary>}
    </>
  );
}

function Sides({ chosen, house }: { chosen: readonly number[]; house: House }) {
  const night = useQueryValues().values.get('night');
  const [plan, setPlan] = useState<Plan>({ first: night && DAY.test(night) ? night : null,
    venueId: house.venues[0]?.id ?? null, seats: 200,
    price: 1500, performances: 4 });
  return (
    <>
      <PlanFields plan={plan} house={house} onChange={setPlan} />
      <div className={compare.sides}>
        {chosen.map((id) => <Side key={id} showId={id} plan={plan} house={house} />)}
      </div>
      <p className={styles.small}>An estimate. The offer you sign names the price that counts.</p>
    </>
  );
}
