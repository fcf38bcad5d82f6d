/** Venues of a new quote, each with its price bands and its performances. */
import { Plus } from 'lucide-react';
import { addDays } from '#kernel/calendar/calendar.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { TimeField } from '#web/controls/field/time-field.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { EMPTY_VENUE, venueBody, VenueFields, type VenueDraft } from '../venues/venue-fields.web.tsx';
import type { VenueInput } from '../venues/license-venue.contract.ts';
import type { PerformanceInput } from '../performances/performance.contract.ts';
import { optionsOf, PERFORMANCE_TYPE_WORDS } from '../../words.web.ts';
import styles from '../../licensing.module.css';

export interface PerformanceDraft {
  key: number; date: string | null; time: string | null; type: PerformanceInput['type'];
}
export interface PlaceDraft { key: number; venue: VenueDraft; performances: readonly PerformanceDraft[] }

export const EMPTY_PLACE = (key: number): PlaceDraft => ({
  key, venue: EMPTY_VENUE, performances: [{ key: 0, date: null, time: '19:30', type: 'public' }],
});

/** A place that is named, as the calls take it; null while it has neither venue nor name. */
export function placeBody(place: PlaceDraft): VenueInput | null {
  if (place.venue.venue_id === null && !place.venue.name.trim()) return null;
  const performances = place.performances.flatMap(({ date, time, type }) => (
    date && time ? [{ local_date: date, local_time: time, type, is_free: false }] : []));
  return { ...venueBody(place.venue), performances };
}

function nextPerformance(performances: readonly PerformanceDraft[]): PerformanceDraft {
  const last = performances.at(-1);
  return { key: (last?.key ?? -1) + 1, date: last?.date ? addDays(last.date, 1) : null, time: last?.time ?? '19:30',
    type: last?.type ?? 'public' };
}

export function QuotePlaces({ places, currency, errors, onChange }: {
  places: readonly PlaceDraft[]; currency: string; errors: Readonly<Record<string, string>>;
  /** Takes the change to the list, so that answers that arrive late never undo what was typed meanwhile. */
  onChange: (change: (places: readonly PlaceDraft[]) => readonly PlaceDraft[]) => void;
}) {
  const replace = (key: number, next: (place: PlaceDraft) => PlaceDraft) =>
    onChange((old) => old.map((place) => (place.key === key ? next(place) : place)));
  return (
    <>
      {places.map((place, index) => (
        <Section key={place.key} record title={places.length === 1 ? 'Venue and dates' : `Venue ${index + 1}`}
          right={places.length > 1 && (
            <Button size="small" variant="quiet"
              onClick={() => onChange((old) => old.filter((one) => one.key !== place.key))}>Remove venue</Button>
          )}>
          <div className={styles.stack}>
            <VenueFields value={place.venue} currency={currency} errors={errors} path={`license_venues.${index}`}
              onChange={(change) => replace(place.key, (old) => ({ ...old, venue: { ...old.venue, ...change } }))} />
            <Performances performances={place.performances} errors={errors}
              path={`license_venues.${index}.performances`}
              onChange={(performances) => replace(place.key, (old) => ({ ...old, performances }))} />
          </div>
        </Section>
      ))}
      <Section record>
        <Button icon={<Glyph icon={Plus} />}
          onClick={() => onChange((old) => [...old, EMPTY_PLACE((old.at(-1)?.key ?? 0) + 1)])}>Add venue</Button>
      </Section>
    </>
  );
}

function Performances({ performances, errors, path, onChange }: {
  performances: readonly PerformanceDraft[]; errors: Readonly<Record<string, string>>; path: string;
  onChange: (performances: readonly PerformanceDraft[]) => void;
}) {
  const change = (key: number, next: Partial<PerformanceDraft>) =>
    onChange(performances.map((one) => (one.key === key ? { ...one, ...next } : one)));
  return (
    <div className={styles.tight} role="group" aria-label="Performances">
      <h3 className={styles.venueName}>Performances<span
        className={styles.count}>{performances.filter((one) => one.date).length || ''}</span></h3>
      {performances.map((one, index) => {
        const name = one.date ? formatDay(one.date, 'weekday') : `performance ${index + 1}`;
        return (
          <div key={one.key} className={styles.performanceRow} role="group" aria-label={name}>
            <DateField label="Date" value={one.date} onChange={(date) => change(one.key, { date })}
              error={errors[`${path}.${index}.local_date`]} />
            <TimeField label="Curtain" value={one.time} onChange={(time) => change(one.key, { time })}
              error={errors[`${path}.${index}.local_time`]} />
            <AsyncSelect<string> label="Type" options={optionsOf(PERFORMANCE_TYPE_WORDS)} value={one.type}
              onChange={(type) => change(one.key, { type: (type ?? 'public') as PerformanceDraft['type'] })} />
            <div className={styles.performanceSide}><Button size="small" variant="quiet" aria-label={`Remove ${name}`}
              onClick={() => onChange(performances.filter((other) => other !== one))}>Remove</Button></div>
          </div>
        );
      })}
      <div className={styles.addRow}>
        <Button size="small" icon={<Glyph icon={Plus} size={14} />}
          onClick={() => onChange([...performances, nextPerformance(performances)])}>Add performance</Button>
      </div>
    </div>
  );
}
