/** The steps of an application: where and when, seats and prices, the production, the look over it all. */
import { Plus, X } from 'lucide-react';
import { AddressForm } from '#web/controls/address-form.tsx';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { Button, IconButton } from '#web/controls/button.tsx';
import { Checkbox } from '#web/controls/checkbox.tsx';
import { MoneyField } from '#web/controls/money-field.tsx';
import { NumberField } from '#web/controls/number-field.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { TimeField } from '#web/controls/time-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { missingOf, placeOf, type ApplyValues, type Band } from './apply-values.web.ts';
import { NightsCalendar } from './nights-calendar.web.tsx';
import { clock, counted, sentence } from './portal-words.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

export interface StepProps {
  values: ApplyValues;
  set: (changes: Partial<ApplyValues>) => void;
  customerId: number;
  base: string;
  showId: number;
  currency: string;
  venues: readonly { id: number; name: string }[];
  /** Leads to a step by its place, from 0. */
  goTo: (step: number) => void;
}

const ELSEWHERE = 0;

function Where({ values, set, venues }: StepProps) {
  const options = [...venues.map((venue) => ({ value: venue.id, label: venue.name })),
    { value: ELSEWHERE, label: 'Somewhere else' }];
  return (
    <div className={styles.stack}>
      {venues.length > 0 && (
        <AsyncSelect<number> label="Where do you play?" value={values.venue_id ?? ELSEWHERE} options={options}
          onChange={(id) => set({ venue_id: id || null })} />
      )}
      {values.venue_id === null && (
        <>
          <TextField label="Name of the place" required value={values.venue_name} maxLength={200}
            onChange={(name) => set({ venue_name: name })} />
          <AddressForm name="address" value={values.address} countries={COUNTRIES}
            territories={territoriesOf(values.address.country_code)} onChange={(address) => set({ address })}
              errors={{}} />
        </>
      )}
    </div>
  );
}

function Nights({ values, set }: StepProps) {
  if (values.nights.length === 0) return <p className={styles.muted}>Pick the nights,
    we check the rights as you go.</p>;
  return (
    <div className={styles.tight}>
      <div className={styles.spread}>
        <h3 className={styles.h3}>{sentence(counted(values.nights.length, 'performance'))}</h3>
        <span className={styles.small}>Curtain, in the time of the place</span>
      </div>
      <ul className={apply.nights}>
        {values.nights.map((night, index) => (
          <li key={night.day}>
            <strong aria-hidden="true">{formatDay(night.day, 'weekday').replace(/, \d{4}$/, '')}</strong>
            <IconButton size="large" label={`Remove ${formatDay(night.day)}`} icon={<Glyph icon={X} size={16} />}
              onClick={() => set({ nights: values.nights.filter((_, at) => at !== index) })} />
            <TimeField label={`Curtain on ${formatDay(night.day, 'weekday')}`} hideLabel value={night.time}
              onChange={(time) => set({ nights: values.nights.map((one, at) => (at === index ? { ...one, time }
                : one)) })} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function DatesStep(props: StepProps) {
  const { values, set } = props;
  const time = values.nights.at(-1)?.time ?? '19:30';
  return (
    <div className={styles.stack}>
      <Where {...props} />
      <NightsCalendar customerId={props.customerId} base={props.base} showId={props.showId}
        place={placeOf(values)} tells={false}
        chosen={values.nights.map((night) => night.day)}
        onChange={(days) => set({ nights: days.map((day) => values.nights.find((one) => one.day === day)
          ?? { day, time }) })} />
      <Nights {...props} />
    </div>
  );
}

/** Seats and prices in inputs of this form's own: the ticketing table of the licence stays with the staff. */
export function TicketsStep({ values, set, currency }: StepProps) {
  const patch = (key: number, change: Partial<Band>) => set({
    bands: values.bands.map((band) => (band.key === key ? { ...band, ...change } : band)) });
  const add = () => set({ bands: [...values.bands, {
    key: Math.max(0, ...values.bands.map((band) => band.key)) + 1, label: '', seats: null, price: null }] });
  const gross = values.bands.reduce((sum, band) => sum + (band.seats ?? 0) * (band.price ?? 0), 0);
  const seats = values.bands.reduce((sum, band) => sum + (band.seats ?? 0), 0);
  return (
    <div className={styles.stack}>
      <Checkbox label="Admission is free" value={values.is_free_admission}
        onChange={(free) => set({ is_free_admission: free })} />
      <ul className={styles.list}>
        {values.bands.map((band, index) => (
          <li key={band.key} className={styles.bandRow}>
            <TextField label="Kind of seat" value={band.label} maxLength={120} placeholder="Stalls"
              onChange={(label) => patch(band.key, { label })} />
            <NumberField label="Seats" value={band.seats} onChange={(next) => patch(band.key, { seats: next })} />
            <MoneyField label="Price" currency={currency} value={values.is_free_admission ? 0 : band.price}
              disabled={values.is_free_admission} onChange={(price) => patch(band.key, { price })} />
            <IconButton size="large" label={`Remove price ${index + 1}`} icon={<Glyph icon={X} size={18} />}
              {...(values.bands.length === 1 && { reason: 'One price has to stay' })}
              onClick={() => set({ bands: values.bands.filter((one) => one.key !== band.key) })} />
          </li>
        ))}
      </ul>
      <div><Button icon={<Glyph icon={Plus} />} onClick={add}>Add another price</Button></div>
      <p className={styles.muted}>{seats.toLocaleString('en-US')} seats, a full house takes{' '}
        {formatAmount(values.is_free_admission ? 0 : gross, currency)}.</p>
    </div>
  );
}

const PURPOSES = [
  { value: 'season', label: 'Part of our season' }, { value: 'competition', label: 'A competition' },
  { value: 'fundraiser', label: 'A fundraiser' }, { value: 'camp', label: 'A camp' },
  { value: 'excerpt', label: 'An excerpt' },
];
const UNIONS = [
  { value: 'none', label: 'No union contract' }, { value: 'AEA', label: 'Actors’ Equity' },
  { value: 'SPT', label: 'Small professional theatre' }, { value: 'guest_artist', label: 'Guest artist' },
  { value: 'LORT', label: 'LORT' }, { value: 'Equity UK', label: 'Equity UK' },
];

export function ProductionStep({ values, set }: StepProps) {
  return (
    <div className={styles.stack}>
      <TextField label="Who produces?" required value={values.producing_organisation} maxLength={300}
        caption="As it stands on posters and in the programme."
          onChange={(text) => set({ producing_organisation: text })} />
      <div className={styles.fields}>
        <NumberField label="How many on stage?" value={values.cast_size} onChange={(size) => set({ cast_size: size })}
          caption="Scripts are counted per actor." />
        <AsyncSelect label="What is it for?" value={values.purpose} options={PURPOSES}
          onChange={(value) => set({ purpose: (value ?? 'season') as ApplyValues['purpose'] })} />
        <AsyncSelect label="Union" value={values.union_status} options={UNIONS}
          onChange={(value) => set({ union_status: (value ?? 'none') as ApplyValues['union_status'] })} />
      </div>
      <Checkbox label="We want to film it for our archive" value={values.needs_video}
        onChange={(needs) => set({ needs_video: needs })} />
      <Checkbox label="We want to stream it" value={values.needs_streaming}
        onChange={(needs) => set({ needs_streaming: needs })} />
      <TextField label="Anything we should know" rows={4} maxLength={10_000} value={values.message}
        onChange={(message) => set({ message })} />
    </div>
  );
}

export function ReviewStep({ values, currency, venues, goTo }: StepProps) {
  const missing = missingOf(values);
  const venue = venues.find((one) => one.id === values.venue_id)?.name ?? values.venue_name;
  return (
    <div className={styles.stack}>
      {missing.length > 0 && (
        <Callout tone="warn" title="Before you hand it in">
          <ul className={styles.plain}>{missing.map(({ text, step }) => (
            <li key={text}><Button variant="quiet" onClick={() => goTo(step)}>{text}</Button></li>))}</ul>
        </Callout>
      )}
      <KeyValue columns={2} facts={[
        { label: 'Where', value: venue },
        { label: 'Produced by', value: values.producing_organisation },
        { label: 'When', wide: true, value: values.nights.map((night) =>
          `${formatDay(night.day, 'weekday')}${night.time ? `, ${clock(night.time)}` : ''}`).join('; ') },
        { label: 'Seats and prices', wide: true, value: values.bands.map((band) =>
          `${band.label || 'Seats'}: ${(band.seats ?? 0).toLocaleString('en-US')} at ${
            formatAmount(values.is_free_admission ? 0 : band.price ?? 0, currency)}`).join('; ') },
        { label: 'On stage', value: values.cast_size },
        { label: 'Filming', value: [values.needs_video ? 'archive' : '', values.needs_streaming ? 'stream' : '']
          .filter(Boolean).join(', ') || 'none' },
        { label: 'Message', value: values.message, wide: true },
      ].filter((fact) => fact.value)} />
      <p className={styles.small}>Handing it in costs nothing and binds nobody. We answer with an offer.</p>
    </div>
  );
}
