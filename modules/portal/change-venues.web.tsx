/** Another venue, other seats or prices of a production: each venue as it stands, changed where it changes. */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { performancesOfType } from '#kernel/pricing/price-bands.ts';
import type { BodyIn } from '#kit/endpoint.ts';
import type { Address } from '#kit/field.ts';
import type { portalEndpoints, ProductionDetail } from '#modules/licensing/portal/portal.contract.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { AddressForm } from '#web/controls/address/address-form.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { NO_PLACE } from './apply-values.web.ts';
import styles from './portal.module.css';

type Venue = ProductionDetail['license_venues'][number];
type VenueChange = NonNullable<BodyIn<typeof portalEndpoints.requestAmendment>['changes']['license_venues']>[number];
interface Band { key: number; label: string; seats: number | null; price: number | null; weight: number | null;
  type: Venue['ticketing'][number]['performance_type'] }
export interface VenueDraft { id: number; name: string;
  /** Null: it stays where it is. */
  place: { name: string; address: Address } | null; bands: Band[]; before: string }

const bandsOf = (venue: Venue): Band[] => venue.ticketing.map((band, key) => ({ key, label: band.label ?? '',
  seats: band.number_of_seats, price: Math.round(band.price * 100), weight: band.weight,
  type: band.performance_type ?? null }));

export const venueDrafts = (venues: readonly Venue[]): VenueDraft[] => venues.map((venue) => {
  const bands = bandsOf(venue);
  return { id: venue.id, name: venue.name, place: null, bands, before: JSON.stringify(bands) };
});

/** The venues that differ, with all their price bands where one of them does. */
export function venueChangesOf(drafts: readonly VenueDraft[]): VenueChange[] {
  return drafts.flatMap(({ id, place, bands, before }): VenueChange[] => {
    const priced = JSON.stringify(bands) !== before;
    if (place === null && !priced) return [];
    return [{ id, ...(place && { venue_id: null, name: place.name.trim(), address: place.address }),
      ...(priced && { ticketing: bands.map((band) => ({ label: band.label, number_of_seats: band.seats ?? 0,
        price: (band.price ?? 0) / 100, weight: band.weight ?? band.seats ?? 0, performance_type: band.type ?? null })),
      }) }];
  });
}

/** The entry that a changed venue still lacks. */
export function missingVenue(drafts: readonly VenueDraft[]): string | undefined {
  for (const { place, bands, before } of drafts) {
    if (place && (place.name.trim() === '' || place.address.thoroughfare.trim() === ''
      || place.address.locality.trim() === '')) return 'Enter the name and address of the new venue';
    if (JSON.stringify(bands) !== before && bands.some((band) => band.seats === null || band.price === null)) {
      return 'Enter seats and price in every row';
    }
  }
  return undefined;
}

export function ChangeVenues({ drafts, currency, onChange }: { drafts: readonly VenueDraft[]; currency: string;
  onChange: (drafts: VenueDraft[]) => void }) {
  const [open, setOpen] = useState<number | null>(null);
  const patch = (id: number, change: Partial<VenueDraft>) =>
    onChange(drafts.map((one) => (one.id === id ? { ...one, ...change } : one)));
  return drafts.map((draft) => (open !== draft.id ? (
    <div key={draft.id} className={styles.spread}>
      <span>{draft.place?.name || draft.name}</span>
      <Button onClick={() => setOpen(draft.id)}
        aria-label={`Change venue, seats or prices of ${draft.name}`}>Change venue, seats or prices</Button>
    </div>
  ) : (
    <section key={draft.id} className={styles.stack} aria-label={draft.name}>
      <h3 className={styles.h3}>{draft.name}</h3>
      <Place draft={draft} onChange={(place) => patch(draft.id, { place })} />
      <Bands draft={draft} currency={currency} onChange={(bands) => patch(draft.id, { bands })} />
    </section>
  )));
}

function Place({ draft, onChange }: { draft: VenueDraft; onChange: (place: VenueDraft['place']) => void }) {
  const { place } = draft;
  if (!place) {
    return (
      <div><Button onClick={() => onChange({ name: '', address: NO_PLACE })}>Move to another venue</Button></div>
    );
  }
  return (
    <>
      <TextField label="New venue" required value={place.name} maxLength={200}
        onChange={(name) => onChange({ ...place, name })} />
      <AddressForm name={`venue-${draft.id}`} value={place.address} countries={COUNTRIES} errors={{}}
        territories={territoriesOf(place.address.country_code)}
        onChange={(address) => onChange({ ...place, address })} />
      <div><Button variant="quiet" onClick={() => onChange(null)}>{`Stay at ${draft.name}`}</Button></div>
    </>
  );
}

function Bands({ draft, currency, onChange }: { draft: VenueDraft; currency: string;
  onChange: (bands: Band[]) => void }) {
  const { bands } = draft;
  const set = (key: number, change: Partial<Band>) =>
    onChange(bands.map((band) => (band.key === key ? { ...band, ...change } : band)));
  const next = Math.max(-1, ...bands.map((band) => band.key)) + 1;
  return (
    <>
      <ul className={styles.list} aria-label="Seats and prices">
        {bands.map((band, n) => {
          const about = band.type ? `, ${performancesOfType(band.type)}` : '';
          return (
            <li key={band.key} className={styles.bandRow}>
              <TextField label={`Ticket type${about}`} value={band.label} maxLength={120}
                onChange={(label) => set(band.key, { label })} />
              <NumberField label={`Seats${about}`} value={band.seats}
                onChange={(seats) => set(band.key, { seats, weight: null })} />
              <MoneyField label={`Price${about}`} currency={currency} value={band.price}
                onChange={(price) => set(band.key, { price })} />
              <IconButton size="large" label={`Remove price ${n + 1}`} icon={<Glyph icon={X} size={18} />}
                {...(bands.length === 1 && { reason: 'Keep at least one price' })}
                onClick={() => onChange(bands.filter((one) => one !== band))} />
            </li>
          );
        })}
      </ul>
      <div>
        <Button variant="quiet" icon={<Glyph icon={Plus} />} onClick={() => onChange([...bands,
          { key: next, label: '', seats: null, price: null, weight: null, type: null }])}>Add another price</Button>
      </div>
    </>
  );
}
