/** One show: what it is, what it would cost this house, when it is free. */
import { lazy, Suspense, useState } from 'react';
import { priceOf } from '#modules/licensing/add-ons/add-on-words.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { estimateOf, nightsFrom, type Guess } from './estimate.web.ts';
import { NightsCalendar } from './nights-calendar.web.tsx';
import { CardSkeleton, PortalHead, QueryBoundary, usePortal, WAITING } from './portal-parts.web.tsx';
import { sentence } from './portal-words.web.ts';
import { PriceCard, Slider } from './price-card.web.tsx';
import { showFacts } from './show-words.web.ts';
import { useLivePrice } from './use-live.web.ts';
import styles from './portal.module.css';

/** Below the calendar and the price, which do not wait for them. */
const ReadBefore = lazy(() => import('./read-before.web.tsx').then((file) => ({ default: file.ReadBefore })));
const ShowShop = lazy(() => import('./show-shop.web.tsx').then((file) => ({ default: file.ShowShop })));

type Show = ResponseOf<typeof portalEndpoints.show>['data'];
type House = ResponseOf<typeof portalEndpoints.information>['data'];

function Extras({ show }: { show: Show }) {
  if (show.add_ons.length === 0) return null;
  return (
    <Card title="Add-ons">
      <ul className={styles.list}>
        {show.add_ons.map((one) => (
          <li key={one.id} className={styles.item}>
            <span className={styles.itemText}><strong>{one.name}</strong><span>{one.description}</span></span>
            {priceOf(one) !== '' && <span className={styles.itemSide}>{priceOf(one)}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Estimate({ show, house }: { show: Show; house: House }) {
  const { customerId, base } = usePortal();
  const [nights, setNights] = useState<string[]>([]);
  const [venueId, setVenueId] = useState<number | null>(house.venues[0]?.id ?? null);
  const [guess, setGuess] = useState<Guess>({ seats: 200, price: 1500, performances: 4 });
  const price = useLivePrice(customerId, estimateOf(show.id, house, venueId,
    nights.length > 0 ? nights : nightsFrom(null, guess.performances), guess));
  const place = venueId ? { venue_id: venueId } : {};
  return (
    <div className={styles.wideSplit}>
      <div className={styles.stack}>
        {show.synopsis && <Card title="The story"><p className={styles.prose}>{show.synopsis}</p></Card>}
        <Card title="When is it free?">
          <div className={styles.stack}>
            {house.venues.length > 0 && (
              <AsyncSelect<number> label="Where" value={venueId} onChange={setVenueId}
                options={house.venues.map((venue) => ({ value: venue.id, label: venue.name }))} />
            )}
            <NightsCalendar customerId={customerId} base={base} showId={show.id} place={place} chosen={nights}
              onChange={setNights} />
          </div>
        </Card>
        <Suspense fallback={<CardSkeleton {...WAITING.readBefore} />}>
          <ReadBefore showId={show.id} title={show.title} />
        </Suspense>
        <Extras show={show} />
        <Suspense fallback={<CardSkeleton {...WAITING.shop} />}><ShowShop showId={show.id} /></Suspense>
      </div>
      <div className={styles.stickySide}>
        <PriceCard read={price}>
          <Slider label="Seats per performance" value={guess.seats} min={50} max={1000} step={10}
            onChange={(seats) => setGuess({ ...guess, seats })} />
          <Slider label="Average ticket price" value={guess.price} min={0} max={10_000} step={100}
            currency={house.default_currency} onChange={(next) => setGuess({ ...guess, price: next })} />
          {nights.length === 0
            ? <Slider label="Performances" value={guess.performances} min={1} max={30} step={1}
                onChange={(performances) => setGuess({ ...guess, performances })} />
            : <p className={styles.muted}>{nights.length} nights chosen in the calendar.</p>}
          <p className={styles.small}>An estimate. The offer you sign names the price that counts.</p>
        </PriceCard>
      </div>
    </div>
  );
}

export default function ShowPage() {
  const { customerId, base } = usePortal();
  const showId = useIdParam('showId');
  const read = useEndpoint(portalEndpoints.show, { params: { id: customerId, showId } });
  const house = useEndpoint(portalEndpoints.information, { params: { id: customerId } });
  return (
    <QueryBoundary read={read} page="Show">
      {({ data }) => (
        <>
          <PortalHead title={data.title} back={{ href: `${base}/shows`, text: 'Shows' }}
            facts={[data.authors_credit, sentence(showFacts(data).join(', '))]}>
            <ButtonLink href={`${base}/shows/apply/${data.id}`} variant="primary" size="large">Apply for this show
            </ButtonLink>
          </PortalHead>
          <QueryBoundary read={house}>
            {(answer) => <Estimate key={data.id} show={data} house={answer.data} />}
          </QueryBoundary>
        </>
      )}
    </QueryBoundary>
  );
}
