/** The first step of an application: venues with their dates and times, one below the other for a tour. */
import { ClipboardPaste, Plus, Repeat, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { AddressForm } from '#web/controls/address/address-form.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { TimeField } from '#web/controls/field/time-field.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { StopLine } from './apply-stop-line.web.tsx';
import { nextStop, withSeries } from './apply-stops.web.ts';
import type { StepProps } from './apply-step.web.ts';
import {
  byHour, nextKey, nightsOf, placeOf, type Night, type PerformanceType, type Stop,
} from './apply-values.web.ts';
import { TYPE_OPTIONS } from './apply-words.web.ts';
import { NightsCalendar } from './nights-calendar.web.tsx';
import { counted, sentence } from './portal-words.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

const SeriesPanel = lazy(() => import('./apply-series.web.tsx').then((file) => ({ default: file.SeriesPanel })));
const OtherDates = lazy(() => import('./apply-other-dates.web.tsx').then((file) => ({ default: file.OtherDates })));
const PastePanel = lazy(() => import('./apply-paste.web.tsx').then((file) => ({ default: file.PastePanel })));

interface StopProps extends StepProps { stop: Stop; patch: (change: Partial<Stop>) => void }

const ELSEWHERE = 0;

function Where({ stop, patch, venues, values }: StopProps) {
  const taken = values.stops.filter((one) => one.key !== stop.key).map((one) => one.venue_id);
  const options = [...venues.filter((venue) => !taken.includes(venue.id))
    .map((venue) => ({ value: venue.id, label: venue.name })), { value: ELSEWHERE, label: 'Another venue' }];
  return (
    <div className={styles.stack}>
      {venues.length > 0 && (
        <AsyncSelect<number> label="Venue" value={stop.venue_id ?? ELSEWHERE} options={options}
          onChange={(id) => patch({ venue_id: id || null })} />
      )}
      {stop.venue_id === null && (
        <>
          <TextField label="Venue name" required value={stop.venue_name} maxLength={200}
            onChange={(name) => patch({ venue_name: name })} />
          <AddressForm name={`address-${stop.key}`} value={stop.address} countries={COUNTRIES}
            territories={territoriesOf(stop.address.country_code)} onChange={(address) => patch({ address })}
            errors={{}} />
        </>
      )}
    </div>
  );
}

function Hour({ night, at, of, onChange, onRemove }: {
  night: Night; at: number; of: number; onChange: (change: Partial<Night>) => void; onRemove: () => void;
}) {
  const day = formatDay(night.day, 'weekday');
  const which = of > 1 ? `, performance ${at + 1}` : '';
  return (
    <div className={apply.hour}>
      <TimeField label={`Curtain on ${day}${which}`} hideLabel value={night.time}
        onChange={(time) => onChange({ time })} />
      <AsyncSelect<PerformanceType> label={`Type on ${day}${which}`} hideLabel value={night.type}
        options={TYPE_OPTIONS} onChange={(type) => onChange({ type: type ?? 'public' })} />
      {of > 1 && <IconButton label={`Remove performance ${at + 1} on ${day}`} icon={<Glyph icon={X} size={16} />}
        onClick={onRemove} />}
    </div>
  );
}

function Day({ day, stop, patch }: { day: string; stop: Stop; patch: StopProps['patch'] }) {
  const own = stop.nights.filter((night) => night.day === day);
  const change = (key: number, part: Partial<Night>) => patch({
    nights: stop.nights.map((night) => (night.key === key ? { ...night, ...part } : night)) });
  const more = (): void => {
    const matinee = own.every((night) => night.type !== 'matinee' && night.time !== '14:00');
    patch({ nights: [...stop.nights, { key: nextKey(stop.nights), day, time: matinee ? '14:00' : null,
      type: matinee ? 'matinee' as const : 'public' as const }].toSorted(byHour) });
  };
  return (
    <li>
      <strong aria-hidden="true">{formatDay(day, 'near')}</strong>
      <IconButton size="large" label={`Remove ${formatDay(day)}`} icon={<Glyph icon={X} size={16} />}
        onClick={() => patch({ nights: stop.nights.filter((night) => night.day !== day) })} />
      <div className={apply.hours}>
        {own.map((night, at) => (
          <Hour key={night.key} night={night} at={at} of={own.length} onChange={(part) => change(night.key, part)}
            onRemove={() => patch({ nights: stop.nights.filter((one) => one.key !== night.key) })} />
        ))}
        <div><Button variant="quiet" size="small" icon={<Glyph icon={Plus} size={14} />}
          aria-label={`Add a performance on ${formatDay(day)}`} onClick={more}>Add a performance</Button></div>
      </div>
    </li>
  );
}

function Nights({ stop, patch }: Pick<StopProps, 'stop' | 'patch'>) {
  if (stop.nights.length === 0) return <p className={styles.muted}>Choose your dates; we
    check availability as you go.</p>;
  const days = [...new Set(stop.nights.map((night) => night.day))];
  return (
    <div className={styles.tight}>
      <div className={styles.spread}>
        <h3 className={styles.h3}>{sentence(counted(stop.nights.length, 'performance'))}</h3>
        <span className={styles.small}>Curtain time (local)</span>
      </div>
      <ul className={apply.nights}>{days.map((day) => <Day key={day} day={day} stop={stop} patch={patch} />)}</ul>
    </div>
  );
}

function StopDates(props: StopProps) {
  const { stop, patch } = props;
  const [series, setSeries] = useState(false);
  // A run that was added at once is shown where it begins.
  const [runs, setRuns] = useState(0);
  const time = stop.nights.findLast((night) => night.type === 'public')?.time ?? '19:30';
  const choose = (days: readonly string[]): void => {
    const kept = stop.nights.filter((night) => days.includes(night.day));
    const fresh = days.filter((day) => kept.every((night) => night.day !== day));
    const key = nextKey(stop.nights);
    patch({ nights: [...kept, ...fresh.map((day, at): Night => ({ key: key + at, day, time, type: 'public' }))]
      .toSorted(byHour) });
  };
  return (
    <div className={styles.stack}>
      <Where {...props} />
      <NightsCalendar key={`${stop.key} ${runs}`} customerId={props.customerId} base={props.base} showId={props.showId}
        place={placeOf(stop)} tells={false} chosen={[...new Set(stop.nights.map((night) => night.day))]}
        onChange={choose} />
      {series
        ? (
          <Suspense fallback={null}>
            <SeriesPanel known={stop.nights} onClose={() => setSeries(false)}
              onAdd={(rows) => { patch({ nights: withSeries(stop.nights, rows) }); setRuns(runs + 1); }} />
          </Suspense>
        )
        : <div><Button icon={<Glyph icon={Repeat} />} onClick={() => setSeries(true)}>Enter a weekly run</Button></div>}
      <Nights stop={stop} patch={patch} />
    </div>
  );
}

export function DatesStep(props: StepProps) {
  const { values, set, venues } = props;
  const [open, setOpen] = useState(() => values.stops[0]?.key ?? 1);
  const [pasting, setPasting] = useState(false);
  const several = values.stops.length > 1;
  const patch = (key: number) => (change: Partial<Stop>): void => set({
    stops: values.stops.map((stop) => (stop.key === key ? { ...stop, ...change } : stop)) });
  const add = (): void => {
    const stop = nextStop(values.stops, venues);
    set({ stops: [...values.stops, stop] });
    setOpen(stop.key);
  };
  return (
    <div className={styles.stack}>
      {several && <p className={styles.muted}>{sentence(counted(values.stops.length, 'venue'))},{' '}
        {counted(nightsOf(values).length, 'performance')}</p>}
      <ul className={several ? apply.stops : styles.plain}>
        {values.stops.map((stop, at) => (
          <li key={stop.key}>
            {several && <StopLine stop={stop} at={at} venues={venues} onOpen={() => setOpen(stop.key)}
              onRemove={() => set({ stops: values.stops.filter((one) => one.key !== stop.key) })} />}
            {(!several || open === stop.key) && <StopDates {...props} stop={stop} patch={patch(stop.key)} />}
          </li>
        ))}
      </ul>
      <div className={styles.row}>
        <Button icon={<Glyph icon={Plus} />} onClick={add}>Add a venue</Button>
        <Button icon={<Glyph icon={ClipboardPaste} />} onClick={() => setPasting(true)}>Paste a list</Button>
      </div>
      {pasting && (
        <Suspense fallback={null}>
          <PastePanel stops={values.stops} venues={venues} dayFirst={props.dayFirst} onClose={() => setPasting(false)}
            onAdd={(stops) => { set({ stops }); setOpen(0); }} />
        </Suspense>
      )}
      {nightsOf(values).length > 0 && <Suspense fallback={null}><OtherDates {...props} /></Suspense>}
    </div>
  );
}
