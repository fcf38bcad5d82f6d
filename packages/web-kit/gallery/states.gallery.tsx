/** Third part of the gallery: what screens show when something is missing, under way, or asked for with a key. */
import { Drama, FileText, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import * as z from 'zod';
import { remote } from '#kit/client.ts';
import { sealedEndpoints } from '#kit/sealed-details.ts';
import { ApiError } from '#kit/transport.ts';
import { AddressSection, NO_ADDRESS } from '#web/controls/address/address-section.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { noPlaces } from '#web/controls/address/places-port.ts';
import { Spinner } from '#web/controls/button/spinner.tsx';
import { ShippingForm } from '#web/controls/address/shipping-form.tsx';
import { UnprintableQuestion } from '#web/controls/failure/unprintable-question.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import { BulkQuestionDialog } from '#web/data/bulk-question.tsx';
import { ExportJobButton } from '#web/data/export-job-button.tsx';
import { ExportProgress } from '#web/data/export-progress.tsx';
import { InvariantList, ViolationsBadge } from '#web/data/invariant-list.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Progress } from '#web/data/progress.tsx';
import { toast } from '#web/data/toast.tsx';
import { DarkModeSwitch } from '#web/layout/dark-mode-switch.tsx';
import { GhostLight } from '#web/layout/ghost-light.tsx';
import { Logo } from '#web/layout/logo.tsx';
import { OfflineNotice } from '#web/layout/offline-bar.tsx';
import { Columns, Section, SideColumn } from '#web/layout/page-content.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { SealedSection } from '#web/layout/sealed-section.tsx';
import { createMapsLoader } from '#web/maps/maps-loader.ts';
import type { DrawMap, MapPlace } from '#web/maps/place-map.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { CommandPalette } from '#web/palette/command-palette.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { PdfPreview } from '#web/pdf/pdf-preview.tsx';
import { quoteColumns } from './lists.gallery.tsx';
import sample from './sample.pdf';
import { samplePlaces, sampleQuotes } from './samples.ts';
import styles from './gallery.module.css';

const PlaceMap = lazy(() => import('#web/maps/place-map.tsx'));

export function Problems() {
  const record = { noun: 'statement', list: '/gallery', onRetry: () => toast('Trying again') };
  return (
    <div className={styles.stack}>
      <div className={styles.page}><RecordProblem {...record} error={null} /></div>
      <div className={styles.page}>
        <RecordProblem {...record} error={new ApiError(403, 'Statements are for those who pay royaltors.')} />
      </div>
      <div className={styles.page}><RecordProblem {...record} error={new ApiError(0, 'Network Error')} /></div>
      <div className={styles.page}><OfflineNotice /></div>
      <NotLoaded title="The terms did not load"
        read={{ error: new ApiError(0, 'Network Error'), refetch: () => toast('Trying again') }} />
      <div className={styles.row}><ViolationsBadge violations={0} /><ViolationsBadge violations={1} /></div>
      <InvariantList invariants={[
        { key: 'zero', title: 'Every posted transaction sums to zero.', ok: true, violations: 0, rows: [] },
        { key: 'party', title: 'Every line on an account that asks for a party names one.', ok: false, violations: 1,
          rows: [{ transaction_id: 4711, line_no: 2, account: '1100' }] },
      ]} />
    </div>
  );
}

export function Paper() {
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <PdfLink href={sample} title="Contract" fileName="contract.pdf">Read the contract</PdfLink>
        <Button onClick={() => setShown(!shown)}>{shown ? 'Put the pages away' : 'Show the pages'}</Button>
      </div>
      {shown && <PdfPreview url={sample} title="Contract" fileName="contract.pdf" />}
    </div>
  );
}

const never = { state: () => 'loading' as const, load: () => new Promise<boolean>(() => {}) };
const absent = { state: () => 'failure' as const, load: () => Promise.resolve(false) };
const present = createMapsLoader(() => Promise.resolve());

/** Stands for the maps service: two near places gathered in a disc, one alone. */
const drawStill: DrawMap = (frame) => {
  const marks = ['2', ''].map((count) => {
    const mark = document.createElement('span');
    mark.className = styles.mark ?? '';
    mark.textContent = count;
    return mark;
  });
  frame.replaceChildren(...marks);
  return { setCenter: () => {}, setZoom: () => {} };
};

export function Places() {
  const map = { port: noPlaces, places: samplePlaces as readonly MapPlace[] };
  return (
    <Suspense fallback={null}>
      <div className={styles.maps}>
        <PlaceMap {...map} label="Map of venues, there" loader={present} draw={drawStill} />
        <PlaceMap {...map} label="Map of venues, on its way" loader={never} />
        <PlaceMap {...map} label="Map of venues, not to be had" loader={absent} />
      </div>
    </Suspense>
  );
}

const GROUPS = [
  { label: 'Licences', items: [
    { href: '/gallery?found=1', label: 'The Pirates of Penzance', icon: Drama,
      detail: 'Astoria Community Players · L-US-2026-000481', aside: <PhaseBadge phase="licensed" small /> },
    { href: '/gallery?found=2', label: 'HMS Pinafore', detail: 'Port Clement Players · Q-US-2026-001199',
      icon: Drama, aside: <PhaseBadge phase="sent" small /> },
  ] },
  { label: 'Customers', items: [
    { href: '/gallery?found=3', label: 'Portsmouth Pirates Youth Theatre', detail: 'C-000412', icon: Users },
  ] },
  { label: 'Invoices', items: [
    { href: '/gallery?found=4', label: 'INV-US-2026-000318', detail: 'Astoria Community Players', icon: FileText,
      aside: <Badge tone="warn" small>Due Tue</Badge> },
  ] },
];

export function Palette() {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('pi');
  const found = GROUPS.map((group) => ({ ...group, items: group.items.filter((item) =>
    `${item.label} ${item.detail}`.toLowerCase().includes(text.trim().toLowerCase())) }));
  return (
    <div className={styles.row}>
      <Button onClick={() => setOpen(true)}>Open the palette</Button>
      <DarkModeSwitch />
      <Logo />
      {open && <CommandPalette text={text} onText={setText} groups={found} onClose={() => setOpen(false)} />}
    </div>
  );
}

const everyVenue = { label: 'Move to trash', danger: true, endpoint: remote('DELETE', '/gallery'),
  undo: { label: 'Restore', endpoint: remote('PUT', '/gallery') } };

export function ManyRows() {
  const [asked, setAsked] = useState(false);
  const close = () => setAsked(false);
  return (
    <div className={styles.row}>
      <Button onClick={() => setAsked(true)}>Move all that match to the trash</Button>
      {asked && <BulkQuestionDialog action={everyVenue} count={1204} all noun={['venue', 'venues']} onCancel={close}
        onConfirm={() => { close(); toast('1,204 venues moved to the trash'); }} />}
    </div>
  );
}

const sealed = sealedEndpoints({ path: '/gallery', noun: 'vendor', permission: 'vendor.update', row: z.object({}) });

export function Sealed() {
  const row = { id: 1, version: 1, bank_account_last4: '4471', bank_verified_at: '2026-11-12T15:00:00Z',
    bank_written_by_id: 7, bank_written_by_name: 'Nora Marsh', bank_details_changed_at: '2026-11-11T10:00:00Z',
    bank_verified_by_name: 'Theo Marsh', bank_verified_note: 'Called Ms. Ames on the number of the last bill',
    bank_kind: 'us', bank_country: 'US', bank_holder: null, tin_last4: '6789' } as const;
  return <SealedSection row={row} endpoints={{ ...sealed, list: sealed.taxId }} mayWrite={false} />;
}

const decline = remote('PUT', '/gallery');

/** Decisions of a second person, and the questions asked before a document goes out. */
export function Decisions() {
  const form = useResourceForm({ initial: { anyway: false }, submit: () => Promise.resolve() });
  return (
    <div className={styles.stack}>
      <AwaitingApproval endpoint={decline} kind="rate_card" askedBy="Eleanor Marsh" askedById={7}
        declined={{ reason: 'The weekly minimum is last year’s.', by_name: 'Marcus Bell',
          at: '2026-11-24T15:00:00Z' }} />
      <DeclineButton endpoint={decline} params={{}} body={{}} title="Rate card 2027"
        text="It stays a draft; changing it asks for approval again." />
      <UnprintableQuestion asked {...form.field('anyway')} />
    </div>
  );
}

export function UnderWay() {
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <ExportJobButton label="Quotes" columns={quoteColumns} rows={sampleQuotes}
          source={{ model_name: 'staff/licenses', filter: {} }} />
        <ExportProgress done={0} total={0} onStop={() => toast('Stopped')} />
        <ExportProgress done={2000} total={48_211} onStop={() => toast('Stopped')} />
        <Spinner /><ButtonLink href="/gallery" size="small">A link as a button</ButtonLink>
      </div>
      <Progress label="Customers from Broadway House.csv" done={0} total={1200} unit="rows" />
      <Progress label="Customers from Broadway House.csv" done={731} total={1200} unit="rows" />
      <Progress label="Customers from Broadway House.csv" done={1200} total={1200} unit="rows" />
      <div className={styles.night}><GhostLight /></div>
    </div>
  );
}

const places = [{ code: 'US', name: 'United States' }, { code: 'GB', name: 'United Kingdom' }];

/** First shipping address of a customer. */
export function FirstAddress() {
  return <ShippingForm row={null} alone countries={places} territoriesOf={() => []}
    submit={() => Promise.resolve()} onSaved={() => toast('Address saved')} />;
}

export function RefusedForm() {
  const form = useResourceForm<Record<string, unknown>>({ initial: { address: NO_ADDRESS },
    submit: () => Promise.reject(new Error('Network Error')) });
  return (
    <Columns side={<SideColumn label="Beside the form" width={280}>Details appear here.</SideColumn>}>
      <FormFrame form={form} aria-label="Venue" labels={{ 'address.locality': 'City' }}>
        <AddressSection form={form} name="address" title="Address of a form" countries={places}
          territoriesOf={() => []} />
        <Section title="And what can be done">
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Save what cannot be saved</Button>
          </FormActions>
        </Section>
      </FormFrame>
    </Columns>
  );
}
