/** Restrictions of a show, with the availability calendar that follows from them. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { TimeField } from '#web/controls/field/time-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { classificationEndpoints } from '#modules/customers/classification/classification.contract.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { CATEGORY_LABELS, MEDIA_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import type { ShowRow } from '../show/show.contract.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import {
  restrictionEndpoints, restrictionInput, type RestrictionInput, type RestrictionRow,
} from './restriction.contract.ts';
import { AvailabilityCalendar } from './restriction-calendar.web.tsx';

const KINDS = { blocked: 'Closed', needs_clearance: 'Needs clearance', max_n: spell`At most so many licenses` };
const TONES: Record<string, Tone> = { blocked: 'error', needs_clearance: 'warn', max_n: 'brass' };
const COUNTRY_OPTIONS = COUNTRIES.map((country) => ({ value: country.code, label: country.name }));

export default function Restrictions() {
  return <ShowFrame>{(show) => <RestrictionsOf show={show} />}</ShowFrame>;
}

function RestrictionsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const refresh = useRefresh([restrictionEndpoints.list]);
  const [editing, setEditing] = useState<RestrictionRow | 'new' | null>(null);
  const read = useEndpoint(restrictionEndpoints.list, { params: { showId: show.id }, query: { per_page: 100 } });
  const rows = read.data?.data;
  return (
    <PageContent record title="Availability"
      description={`Other productions within ${show.proximity_radius_km} km and ${show.proximity_months} ${
        show.proximity_months === 1 ? 'month' : 'months'} ask for a clearance by themselves.`}
      right={may('show.update') && (
        <Button variant="primary" onClick={() => setEditing('new')}>New restriction</Button>
      )}>
      <Section><AvailabilityCalendar showId={show.id} /></Section>
      <Section title="Restrictions" count={read.data?.meta.total || undefined}>
        {read.isError && !rows && <NotLoaded title="The restrictions could not be loaded" read={read} />}
        {!rows && !read.isError && <Skeleton width={380} height={16} />}
        {rows?.length === 0 && (
          <EmptyState title="No restriction" text="The title is free everywhere, as far as other productions let it." />
        )}
        <ul className={styles.entries}>
          {rows?.map((row) => <Entry key={row.id} row={row} onEdit={setEditing} />)}
        </ul>
      </Section>
      <Modal open={editing !== null} onClose={() => setEditing(null)} width={680}
        title={editing === 'new' ? 'New restriction' : 'Change the restriction'}>
        {editing && (
          <RestrictionForm showId={show.id} row={editing === 'new' ? null : newestRow(editing, rows)}
            onSaved={() => { setEditing(null); void refresh(); toast('Restriction saved'); }} />
        )}
      </Modal>
    </PageContent>
  );
}

function Entry({ row, onEdit }: { row: RestrictionRow; onEdit: (row: RestrictionRow) => void }) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const remove = useAction(restrictionEndpoints.remove, { done: 'Restriction lifted' });
  const kind = row.kind === 'max_n' ? spell`At most ${row.max_n ?? 0} licenses` : KINDS[row.kind];
  const until = row.date_to === null ? ' on' : ` to ${formatDay(row.date_to)}`;
  return (
    <li className={styles.entry}>
      <div className={styles.entryMain}>
        <div className={styles.entryHead}>
          <Badge tone={TONES[row.kind] ?? 'neutral'} small>{kind}</Badge>
          <span>{`${formatDay(row.date_from)}${until}`}</span>
        </div>
        <p className={styles.entryTitle}>{row.reason_public}</p>
        <p className={styles.entryText}>{row.scope}</p>
        {row.reason_internal && <p className={styles.entryText}>{`Internal: ${row.reason_internal}`}</p>}
      </div>
      {may('show.update') && (
        <div className={styles.entryActions}>
          <Button size="small" variant="quiet" onClick={() => setAsking(true)}>Lift</Button>
          <Button size="small" onClick={() => onEdit(row)}>Change</Button>
        </div>
      )}
      <ConfirmDialog open={asking} danger title="Lift this restriction?" confirm="Lift restriction"
        text="Applications for these days and places go through again." onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void remove.run({ params: { showId: row.show_id, id: row.id } });
        }} />
    </li>
  );
}

type Values = RestrictionInput & Record<string, unknown>;
const NAMES = Object.keys(restrictionInput.shape) as (keyof RestrictionInput)[];

function startOf(row: RestrictionRow | null): Values {
  if (row) return Object.fromEntries(NAMES.map((name) => [name, row[name]])) as Values;
  return { kind: 'blocked', max_n: null, division: null, country: null, region: null, lat: null, lng: null,
    radius_km: null, date_from: today(), date_to: null, categories: [],
    customer_classification_id: null, media: [], starts_from: null, starts_before: null, reason_public: '',
    reason_internal: '' };
}

interface RestrictionFormProps { showId: number; row: RestrictionRow | null; onSaved: () => void }

function RestrictionForm({ showId, row, onSaved }: RestrictionFormProps) {
  const form = useResourceForm<Values, unknown>({
    initial: startOf(row),
    record: row && { entity: 'show_restriction', id: row.id, version: row.version, read: restrictionEndpoints.list },
    submit: (values, sending) => {
      const body = { ...values, region: values.region || null, max_n: values.kind === 'max_n' ? values.max_n : null };
      return row
        ? call(restrictionEndpoints.update, { params: { showId, id: row.id }, body: { ...body, version: row.version } })
        : call(restrictionEndpoints.create, { params: { showId }, body }, sending);
    },
    onSaved,
  });
  const classes = useEndpoint(classificationEndpoints.list, { query: { per_page: 100 } });
  const { values } = form;
  return (
    <FormFrame form={form} guard={false} aria-label="Restriction">
      <FormGrid>
        <AsyncSelect label="Effect" required options={optionsOf(KINDS)} {...form.field('kind')}
          onChange={(value) => value && form.set('kind', value as Values['kind'])} />
        {values.kind === 'max_n'
          ? <NumberField label={spell`Licenses at most`} required {...form.field('max_n')} /> : <span />}
        <DateField label="First day" required {...form.field('date_from')}
          onChange={(value) => form.set('date_from', value ?? '')} />
        <DateField label="Last day" caption="Open: without an end." {...form.field('date_to')} />
      </FormGrid>
      <TextField label="Reason for customers" required {...form.field('reason_public')}
        caption="They read it where a date is refused; it names no other producer." />
      <TextField label="Reason for staff" rows={2} {...form.field('reason_internal')} />
      <FormGrid>
        <AsyncSelect label="Country" clearable options={COUNTRY_OPTIONS} {...form.field('country')} />
        <TextField label="Region" {...form.field('region')} value={values.region ?? ''}
          onChange={(text) => form.set('region', text)} />
        <AsyncSelect label="Division" clearable options={optionsOf(DIVISION_LABELS)} {...form.field('division')}
          onChange={(value) => form.set('division', value as Values['division'])} />
        <MultiSelect label="Categories" options={optionsOf(CATEGORY_LABELS)} {...form.field('categories')}
          onChange={(list) => form.set('categories', list as Values['categories'])} />
        <AsyncSelect<number> label="Customers classified as" clearable {...form.field('customer_classification_id')}
          options={(classes.data?.data ?? []).map((one) => ({ value: one.id, label: one.name }))} />
        <MultiSelect label="Media" options={optionsOf(MEDIA_LABELS)} {...form.field('media')}
          onChange={(list) => form.set('media', list as Values['media'])} />
        <NumberField label="Within (km)" decimals={1} {...form.field('radius_km')} />
        <NumberField label="Of latitude" decimals={6} allowNegative {...form.field('lat')} />
        <NumberField label="and longitude" decimals={6} allowNegative {...form.field('lng')} />
        <span />
        <TimeField label="Starting from" {...form.field('starts_from')} />
        <TimeField label="Starting before" {...form.field('starts_before')} />
      </FormGrid>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save restriction</Button>
      </FormActions>
    </FormFrame>
  );
}
