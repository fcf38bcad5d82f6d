/** Second part of the controls' gallery: dates, choices, buttons, tables, forms, pages. */
import { ArrowRight, Download, Pencil, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { ActionButton } from './button/action-button.tsx';
import { AddressForm } from './address/address-form.tsx';
import { EMPTY_ADDRESS } from './address/address-rules.ts';
import { Button, IconButton } from './button/button.tsx';
import { Checkbox, Switch } from './field/checkbox.tsx';
import { ConfirmDialog } from './button/confirm-dialog.tsx';
import { DateField } from './field/date-field.tsx';
import { DateRangeField, type DateRange } from './field/date-range-field.tsx';
import { ErrorFallback } from './failure/error-fallback.tsx';
import { FileDrop } from './field/file-drop.tsx';
import { FormErrorSummary } from './form/form-error-summary.tsx';
import { GallerySection } from './gallery-section.tsx';
import { MergePanel } from './form/merge-panel.tsx';
import { RadioGroup, SegmentedControl } from './field/radio-group.tsx';
import { NEW_SERIES, type SeriesDraft } from './ticketing/series-draft.ts';
import { SeriesFields } from './ticketing/series-fields.tsx';
import { TicketingTable } from './ticketing/ticketing-table.tsx';
import { TimeField } from './field/time-field.tsx';
import { Unauthorized } from './failure/unauthorized.tsx';
import type { Side } from './form/use-record-merge.ts';
import styles from './controls.gallery.module.css';

export function DatesGallery() {
  const [day, setDay] = useState<string | null>('2027-03-12');
  const [time, setTime] = useState<string | null>('19:30');
  const [series, setSeries] = useState<SeriesDraft>({ ...NEW_SERIES, from: '2027-02-11', to: '2027-03-06' });
  const [run, setRun] = useState<DateRange>({ from: '2027-02-11', to: '2027-02-14' });
  return (
    <GallerySection title="Dates and times">
      <DateField label="Opening night" value={day} onChange={setDay} today="2026-11-21" />
      <DateField label="Offer valid until" value={null} onChange={() => {}} required error="Choose a day" />
      <TimeField label="Curtain" value={time} onChange={setTime} caption="In the venue's own time" />
      <SeriesFields value={series} onChange={(change) => setSeries((old) => ({ ...old, ...change }))} />
      <DateRangeField label="Run" value={run} onChange={setRun} today="2026-11-21" />
      <DateField label="Signed on" value="2026-10-19" onChange={() => {}} disabled />
    </GallerySection>
  );
}

export function ChoicesGallery() {
  const [on, setOn] = useState(true);
  const [category, setCategory] = useState<'amateur' | 'pro'>('amateur');
  const [shipping, setShipping] = useState<'ground' | 'air'>('ground');
  return (
    <GallerySection title="Choices">
      <div className={styles.stack}>
        <Checkbox label="Keep me signed in on this device" value={on} onChange={setOn} />
        <Checkbox label="Send the contract by post" value={false} onChange={() => {}} caption="Adds three days" />
        <Checkbox label="All performances" value={false} indeterminate onChange={() => {}} />
        <Checkbox label="I have read the terms" value={false} onChange={() => {}} required
          error="Needed before signing" />
        <Checkbox label="Orchestra parts" value disabled onChange={() => {}} />
      </div>
      <div className={styles.stack}>
        <Switch label="Dark mode" value={on} onChange={setOn} />
        <Switch label="Show to customers" value={false} onChange={() => {}} caption="Appears in the portal at once" />
        <Switch label="Locked" value={false} disabled onChange={() => {}} />
      </div>
      <RadioGroup label="Shipping" value={shipping} onChange={setShipping} choices={[
        { value: 'ground', label: 'Ground', note: '24.00, five days' },
        { value: 'air', label: 'Air', note: '65.00, two days' },
      ]} />
      <SegmentedControl label="Category" value={category} onChange={setCategory}
        choices={[{ value: 'amateur', label: 'Amateur' }, { value: 'pro', label: 'Pro' }]} />
    </GallerySection>
  );
}

function ButtonsRow() {
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles.row}>
      <Button variant="primary" icon={<Plus aria-hidden="true" />}>New quote</Button>
      <Button variant="primary" pending>Saving venue</Button>
      <Button icon={<Download aria-hidden="true" />}>Export</Button>
      <Button reason="The materials are 2 short">Release materials</Button>
      <Button variant="quiet" icon={<Plus aria-hidden="true" />}>Add a title</Button>
      <Button variant="danger" onClick={() => setAsking(true)}>Void payment</Button>
      <Button size="small" icon={<Pencil aria-hidden="true" />}>Edit</Button>
      <Button size="large" variant="primary" iconAfter={<ArrowRight aria-hidden="true" />}>Continue to extras</Button>
      <IconButton label="Edit" shortcut="E" icon={<Pencil aria-hidden="true" />} />
      <IconButton label="Download" variant="secondary" icon={<Download aria-hidden="true" />} />
      <ActionButton action={() => Promise.reject(new Error('Network Error'))}>Send reminder</ActionButton>
      <ConfirmDialog open={asking} title="Void this payment?" text="The ledger keeps both entries." danger
        confirm="Void payment" typed="VOID" onConfirm={() => setAsking(false)} onCancel={() => setAsking(false)} />
    </div>
  );
}

export function PiecesGallery() {
  const [address, setAddress] = useState({ ...EMPTY_ADDRESS, thoroughfare: '31-05 Vernon Blvd' });
  return (
    <>
      <GallerySection title="Buttons"><ButtonsRow /></GallerySection>
      <GallerySection title="Ticketing">
        <div className={styles.wide}>
          <TicketingTable canEdit caption="Ticketing of a venue" currency="USD" onChange={() => {}} rows={[
            { number_of_seats: 150, price: 25, weight: 50 }, { number_of_seats: 200, price: 18, weight: 30 },
            { number_of_seats: 50, price: 10, weight: 20 },
          ]} />
        </div>
        <div className={styles.wide}>
          <TicketingTable canEdit={false} caption="Ticketing, read only" onChange={() => {}}
            rows={[{ number_of_seats: 150, price: 25, weight: 0 }]} />
        </div>
      </GallerySection>
      <GallerySection title="Address">
        <div className={styles.wide}>
          <AddressForm value={address} onChange={setAddress} errors={{ locality: 'City is required' }}
            countries={[{ code: 'US', name: 'United States' }, { code: 'GB', name: 'United Kingdom' }]}
            territories={address.country_code === 'US' ? [{ code: 'NY', name: 'New York' }] : []} />
        </div>
      </GallerySection>
      <GallerySection title="Files and errors">
        <FileDrop label="Upload your programme" types={['.pdf', '.png', '.jpg']} multiple
          onUpload={(_file, progress) => { progress(0.4); return new Promise(() => {}); }} />
        <FormErrorSummary errors={{ name: 'Name is required', 'lines.0.amount': 'Enter an amount' }} onPick={() => {}}
          labels={{ name: 'Venue name', 'lines.0.amount': 'First line' }} />
      </GallerySection>
    </>
  );
}

/** Two people in one record: one field asks, the others came together by themselves. */
export function MergeGallery() {
  const [choice, setChoice] = useState<Side | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const found = {
    both: [{ path: 'name', loaded: 'Savoy', theirs: 'The Savoy', mine: 'Savoy Theatre', choice }],
    theirs: [{ path: 'phone', loaded: '', theirs: '020 7836 8888', mine: '' }],
    mine: [{ path: 'capacity', loaded: 1100, theirs: 1100, mine: 1158 }],
    by: { who: 'Eleanor Vance', when: '2026-11-12T14:05:00Z' },
  };
  return (
    <GallerySection title="Two people in one record">
      <div className={styles.wide} ref={form}>
        <MergePanel found={found} loaded={{}} pending={false} words={{}} root={form} onClose={() => setChoice(null)}
          labels={{ name: 'Name', phone: 'Phone', capacity: 'Seats' }} onChoose={(_path, side) => setChoice(side)} />
      </div>
    </GallerySection>
  );
}

export function PagesGallery() {
  return (
    <GallerySection title="Pages">
      <div className={styles.page}><ErrorFallback goBack={() => {}} reload={() => {}} /></div>
      <div className={styles.page}>
        <Unauthorized onBack={() => {}} userMenu={<Button size="small">Sign out</Button>} />
      </div>
    </GallerySection>
  );
}
