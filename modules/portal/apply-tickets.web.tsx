/** The second step of an application: seats and prices of each venue, of matinees apart where they differ. */
import { Copy, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { DEDUCTION_TYPES, type DeductionType } from '#kernel/pricing/rate-card.ts';
import { performancesOfType } from '#kernel/pricing/price-bands.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { StopLine } from './apply-stop-line.web.tsx';
import { copyBands, copyDeductions, stopName, typesOf, withOwnBands } from './apply-stops.web.ts';
import type { StepProps } from './apply-step.web.ts';
import {
  emptyBand, nextKey, type Band, type Deduction, type PerformanceType, type Stop,
} from './apply-values.web.ts';
import { sentence } from './portal-words.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

interface StopProps extends StepProps { stop: Stop; patch: (change: Partial<Stop>) => void }

function BandRow({ band, place, only, currency, isFree, about, onChange, onRemove }: {
  band: Band; place: number; only: boolean; currency: string; isFree: boolean; about: string;
  onChange: (change: Partial<Band>) => void; onRemove: () => void;
}) {
  return (
    <li className={styles.bandRow}>
      <TextField label="Ticket type" value={band.label} maxLength={120} placeholder="Stalls"
        onChange={(label) => onChange({ label })} />
      <NumberField label={`Seats${about}`} value={band.seats} onChange={(seats) => onChange({ seats })} />
      <MoneyField label={`Price${about}`} currency={currency} value={isFree ? 0 : band.price}
        disabled={isFree} onChange={(price) => onChange({ price })} />
      <IconButton size="large" label={`Remove price ${place}${about}`} icon={<Glyph icon={X} size={18} />}
        {...(only && { reason: 'Keep at least one price' })} onClick={onRemove} />
    </li>
  );
}

function Bands({ stop, patch, values, currency, type }: StopProps & { type: PerformanceType | null }) {
  const rows = stop.bands.filter((band) => band.type === type);
  const about = type === null ? '' : `, ${performancesOfType(type)}`;
  const isFree = values.is_free_admission;
  const seats = rows.reduce((sum, band) => sum + (band.seats ?? 0), 0);
  const gross = isFree ? 0 : rows.reduce((sum, band) => sum + (band.seats ?? 0) * (band.price ?? 0), 0);
  return (
    <>
      <ul className={styles.list}>
        {rows.map((band, index) => (
          <BandRow key={band.key} band={band} place={index + 1} only={rows.length === 1} currency={currency}
            isFree={isFree} about={about}
            onChange={(change) => patch({ bands: stop.bands.map((one) => (one.key === band.key
              ? { ...one, ...change } : one)) })}
            onRemove={() => patch({ bands: stop.bands.filter((one) => one.key !== band.key) })} />
        ))}
      </ul>
      <div className={styles.row}>
        <Button icon={<Glyph icon={Plus} />}
          onClick={() => patch({ bands: [...stop.bands, emptyBand(nextKey(stop.bands), type)] })}>
          {type === null ? 'Add another price' : `Add another price for ${performancesOfType(type)}`}</Button>
        {type !== null && (
          <Button variant="quiet" onClick={() => patch({ bands: stop.bands.filter((band) => band.type !== type) })}>
            Use the prices of the other performances</Button>
        )}
      </div>
      {seats > 0 && <p className={styles.muted}>{seats.toLocaleString('en-US')} seats; gross potential{' '}
        {formatAmount(gross, currency)} per performance</p>}
    </>
  );
}

/** Types that are played beside others, or have prices of their own already. */
function ownTypes(stop: Stop): PerformanceType[] {
  const types = typesOf(stop);
  const priced = stop.bands.flatMap((band) => band.type ?? []);
  return [...new Set([...types.length > 1 ? types.filter((type) => type !== 'public') : [], ...priced])];
}

function Deductions({ stop, patch, values, set }: Pick<StopProps, 'stop' | 'patch' | 'values' | 'set'>) {
  const change = (key: number, part: Partial<Deduction>): void => patch({
    deductions: stop.deductions.map((one) => (one.key === key ? { ...one, ...part } : one)) });
  const taken = stop.deductions.map((one) => one.type);
  const { stops } = values;
  const others = stops.length - 1;
  const copies = stop.deductions.length > 0 && stops.some((one) => one.deductions !== stop.deductions);
  return (
    <div className={styles.tight}>
      <h3 className={styles.h3}>Deductions from gross</h3>
      {stop.deductions.map((one, at) => (
        <div key={one.key} className={apply.deduction}>
          <AsyncSelect<DeductionType> label={`Deduction ${at + 1}`} hideLabel value={one.type}
            placeholder="Choose the deduction"
            options={DEDUCTION_TYPES.filter((type) => type === one.type || !taken.includes(type))
              .map((type) => ({ value: type, label: deductionLabel(type) }))}
            onChange={(type) => change(one.key, { type })} />
          <PercentField label={`At most, deduction ${at + 1}`} hideLabel value={one.cap_ppm}
            onChange={(cap) => change(one.key, { cap_ppm: cap })} />
          <IconButton size="large" label={`Remove deduction ${at + 1}`} icon={<Glyph icon={X} size={16} />}
            onClick={() => patch({ deductions: stop.deductions.filter((row) => row.key !== one.key) })} />
        </div>
      ))}
      <div className={styles.row}>
        <Button variant="quiet" icon={<Glyph icon={Plus} />} onClick={() => patch({ deductions: [...stop.deductions,
          { key: nextKey(stop.deductions), type: null, cap_ppm: null }] })}>Add a deduction</Button>
        {copies && (
          <Button variant="quiet" icon={<Glyph icon={Copy} />}
            onClick={() => set({ stops: copyDeductions(stops, stop) })}>
            {others === 1 ? 'Copy deductions to the other venue' : `Copy deductions to the other ${others} venues`}
          </Button>
        )}
      </div>
    </div>
  );
}

function StopTickets(props: StopProps) {
  const { stop, patch, isProfessional } = props;
  const types = ownTypes(stop);
  return (
    <div className={styles.stack}>
      <Bands {...props} type={null} />
      {types.map((type) => (stop.bands.some((band) => band.type === type)
        ? (
          <section key={type} className={styles.tight} aria-label={sentence(performancesOfType(type))}>
            <h3 className={styles.h3}>{sentence(performancesOfType(type))}</h3>
            <Bands {...props} type={type} />
          </section>
        )
        : (
          <div key={type}>
            <Button icon={<Glyph icon={Plus} />} onClick={() => patch({ bands: withOwnBands(stop.bands, type) })}>
              Other prices for {performancesOfType(type)}</Button>
          </div>
        )))}
      {isProfessional && <Deductions {...props} />}
    </div>
  );
}

function CopyOn({ values, set, stop, venues }: Pick<StopProps, 'values' | 'set' | 'stop' | 'venues'>) {
  const others = values.stops.length - 1;
  const same = values.stops.every((one) => one.bands === stop.bands && one.deductions === stop.deductions);
  const empty = stop.bands.every((band) => band.seats === null);
  const before = values.stops[values.stops.indexOf(stop) - 1];
  if (empty && before) {
    return <Button icon={<Glyph icon={Copy} />} onClick={() => set({ stops: values.stops.map((one) =>
      (one.key === stop.key ? { ...one, bands: before.bands, deductions: before.deductions } : one)) })}>
      Copy seats and prices of {stopName(before, venues) || 'the venue before'}</Button>;
  }
  return (
    <Button icon={<Glyph icon={Copy} />} {...((empty || same) && { reason: empty ? 'Enter seats and prices first'
      : 'All venues have these seats and prices' })}
      onClick={() => set({ stops: copyBands(values.stops, stop) })}>
      {others === 1 ? 'Copy to the other venue' : `Copy to the other ${others} venues`}</Button>
  );
}

/** Seats and prices in inputs of this form's own: the ticketing table of the licence stays with the staff. */
export function TicketsStep(props: StepProps) {
  const { values, set, venues } = props;
  const [open, setOpen] = useState(() => values.stops[0]?.key ?? 1);
  const several = values.stops.length > 1;
  const patch = (key: number) => (change: Partial<Stop>): void => set({
    stops: values.stops.map((stop) => (stop.key === key ? { ...stop, ...change } : stop)) });
  return (
    <div className={styles.stack}>
      <Checkbox label="Admission is free" value={values.is_free_admission}
        onChange={(free) => set({ is_free_admission: free })} />
      <ul className={several ? apply.stops : styles.plain}>
        {values.stops.map((stop, at) => (
          <li key={stop.key}>
            {several && <StopLine stop={stop} at={at} venues={venues} onOpen={() => setOpen(stop.key)} />}
            {(!several || open === stop.key) && <StopTickets {...props} stop={stop} patch={patch(stop.key)} />}
            {several && open === stop.key && (
              <div className={apply.copyOn}><CopyOn values={values} set={set} stop={stop} venues={venues} /></div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
