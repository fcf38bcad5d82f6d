/** The last steps of an application: the production with its rights and add-ons, and the look over it all. */
import { lazy, Suspense } from 'react';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { stopName } from './apply-stops.web.ts';
import { StopLine } from './apply-stop-line.web.tsx';
import type { OfferedAddOn, StepProps } from './apply-step.web.ts';
import { missingOf, type ApplyValues, type Stop } from './apply-values.web.ts';
import {
  addOnPrice, bandText, deductionText, nightText, purposeLabel, PURPOSES, unionLabel, UNIONS,
} from './apply-words.web.ts';
import { Lines, usePortal } from './portal-parts.web.tsx';
import apply from './apply.module.css';
import styles from './portal.module.css';

const MissingDetails = lazy(() => import('./own-details.web.tsx').then((file) => ({ default: file.MissingDetails })));

const RIGHTS: readonly string[] = ['video_archival', 'streaming_license'];

function Right({ kind, label, value, onChange, addOns, currency }: {
  kind: string; label: string; value: boolean; onChange: (on: boolean) => void;
  addOns: readonly OfferedAddOn[]; currency: string;
}) {
  const [sold] = addOns.filter((one) => one.kind === kind)
    .toSorted((a, b) => (a.price_minor ?? Infinity) - (b.price_minor ?? Infinity));
  return <Checkbox label={label} value={value} onChange={onChange}
    caption={sold ? addOnPrice(sold, currency) : 'Price with our offer'} />;
}

const COUNTED: readonly string[] = ['per_user', 'per_week'];

function AddOns({ values, set, addOns, currency }: StepProps) {
  const rows = addOns.filter((one) => !RIGHTS.includes(one.kind) && (one.price_minor !== null
    || one.share_ppm !== null));
  if (rows.length === 0) return null;
  const chosen = (id: number) => values.add_ons.find((one) => one.add_on_id === id);
  const put = (id: number, quantity: number | null): void => set({ add_ons: [
    ...values.add_ons.filter((one) => one.add_on_id !== id),
    ...quantity === null ? [] : [{ add_on_id: id, quantity }]] });
  return (
    <fieldset className={apply.addOns}>
      <legend className={styles.h3}>Add-ons</legend>
      {rows.map((row) => (
        <div key={row.id}>
          <Checkbox label={row.name} value={chosen(row.id) !== undefined}
            caption={[addOnPrice(row, currency), row.description].filter(Boolean).join('. ')}
            onChange={(on) => put(row.id, on ? 1 : null)} />
          {chosen(row.id) && COUNTED.includes(row.pricing_model) && (
            <NumberField label={`Number, ${row.name}`} value={chosen(row.id)!.quantity}
              onChange={(count) => put(row.id, Math.max(1, count ?? 1))} />
          )}
        </div>
      ))}
    </fieldset>
  );
}

export function ProductionStep(props: StepProps) {
  const { values, set, addOns, currency } = props;
  return (
    <div className={styles.stack}>
      <TextField label={spell`Producing organization`} required value={values.producing_organisation} maxLength={300}
        caption={spell`As printed on posters and in the program.`}
          onChange={(text) => set({ producing_organisation: text })} />
      <div className={styles.fields}>
        <NumberField label="Cast size" value={values.cast_size} onChange={(size) => set({ cast_size: size })}
          caption="Scripts are counted per actor." />
        <AsyncSelect label="Purpose" value={values.purpose} options={PURPOSES}
          onChange={(value) => set({ purpose: (value ?? 'season') as ApplyValues['purpose'] })} />
        <AsyncSelect label="Union" value={values.union_status} options={UNIONS}
          onChange={(value) => set({ union_status: (value ?? 'none') as ApplyValues['union_status'] })} />
      </div>
      <Right kind="video_archival" label="Archival recording" value={values.needs_video} addOns={addOns}
        currency={currency} onChange={(needs) => set({ needs_video: needs })} />
      <Right kind="streaming_license" label="Streaming" value={values.needs_streaming} addOns={addOns}
        currency={currency} onChange={(needs) => set({ needs_streaming: needs })} />
      <AddOns {...props} />
      <TextField label="Anything we should know" rows={4} maxLength={10_000} value={values.message}
        onChange={(message) => set({ message })} />
    </div>
  );
}

function bandTexts(stop: Stop, values: ApplyValues, currency: string): string[] {
  return stop.bands.flatMap((band) => (band.seats === null ? [] : [bandText({ label: band.label, seats: band.seats,
    price_minor: values.is_free_admission ? 0 : band.price ?? 0, type: band.type }, currency)]));
}

const deductionTexts = (stop: Stop): string[] => stop.deductions.flatMap(({ type, cap_ppm }) =>
  (type === null || cap_ppm === null ? [] : [deductionText(type, cap_ppm)]));

function StopFacts({ stop, values, currency, venues }: Pick<StepProps, 'values' | 'currency' | 'venues'>
  & { stop: Stop }) {
  const nights = stop.nights.map((night) => nightText(night.day, night.time, night.type));
  const bands = bandTexts(stop, values, currency);
  const deductions = deductionTexts(stop);
  return (
    <KeyValue columns={2} facts={[
      { label: 'Where', value: stopName(stop, venues), wide: true },
      nights.length > 0 && { label: 'When', wide: true, value: <Lines texts={nights} /> },
      bands.length > 0 && { label: 'Seats and prices', wide: true, value: <Lines texts={bands} /> },
      deductions.length > 0 && { label: 'Deductions', wide: true, value: <Lines texts={deductions} /> },
    ]} />
  );
}

export function ReviewStep({ values, currency, venues, addOns, goTo }: StepProps) {
  const { customerId, role } = usePortal();
  const missing = missingOf(values);
  const chosen = values.add_ons.flatMap((choice) => {
    const row = addOns.find((one) => one.id === choice.add_on_id);
    return row ? [choice.quantity > 1 ? `${row.name} × ${choice.quantity}` : row.name] : [];
  });
  const other = values.alternatives.flatMap((day) => (day === null ? [] : [`from ${formatDay(day, 'weekday')}`]));
  return (
    <div className={styles.stack}>
      {missing.length > 0 && (
        <Callout tone="warn" title="Before you hand it in">
          <ul className={styles.plain}>{missing.map(({ text, step }) => (
            <li key={text}><Button variant="quiet" onClick={() => goTo(step)}>{text}</Button></li>))}</ul>
        </Callout>
      )}
      {values.stops.length === 1
        ? <StopFacts stop={values.stops[0]!} values={values} currency={currency} venues={venues} />
        : (
          <ul className={apply.stops}>
            {values.stops.map((stop, at) => (
              <li key={stop.key}>
                <StopLine stop={stop} at={at} venues={venues} onOpen={() => goTo(0)}
                  more={[...bandTexts(stop, values, currency), ...deductionTexts(stop)]} />
              </li>
            ))}
          </ul>
        )}
      <KeyValue columns={2} facts={[
        other.length > 0 && { label: 'Other dates', wide: true, value: other.join('; ') },
        { label: 'Produced by', value: values.producing_organisation },
        { label: 'On stage', value: values.cast_size },
        { label: 'Purpose', value: purposeLabel(values.purpose) },
        values.union_status !== 'none' && { label: 'Union', value: unionLabel(values.union_status) },
        { label: 'Filming', value: [values.needs_video ? 'archival recording' : '', values.needs_streaming
          ? 'streaming' : ''].filter(Boolean).join(', ') || 'none' },
        chosen.length > 0 && { label: 'Add-ons', wide: true, value: chosen.join(', ') },
        { label: 'Message', value: values.message, wide: true },
      ].filter((fact) => fact && fact.value)} />
      <Suspense fallback={null}><MissingDetails customerId={customerId} mayAsk={role === 'admin'} /></Suspense>
      <p className={styles.small}>Applying is free and does not commit you. We’ll reply with an offer.</p>
    </div>
  );
}
