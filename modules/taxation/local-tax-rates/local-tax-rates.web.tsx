/** Local sales tax by ZIP code: a rate in use is ended and another one added; states say if they are complete. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { choicesOf, taxTabs } from '../tax-words.web.ts';
import { localTaxRateEndpoints, type LocalTaxRateRow, type LocalTaxStateRow } from './local-tax-rate.contract.ts';

const LEVELS: Record<LocalTaxRateRow['level'], string> = { county: 'County', city: 'City', district: 'District' };
const zips = (row: LocalTaxRateRow): string =>
  (row.zip_from === row.zip_to ? row.zip_from : `${row.zip_from}–${row.zip_to}`);

const columns: readonly Column<LocalTaxRateRow>[] = [
  { id: 'zip_from', header: 'ZIP codes', kind: 'title', cell: zips, sort: true, fixed: true, width: 150 },
  { id: 'state', header: 'State', kind: 'code', cell: (row) => row.state, sort: true, width: 80 },
  { id: 'county', header: 'County', cell: (row) => row.county, width: 160 },
  { id: 'level', header: 'Level', kind: 'muted', cell: (row) => LEVELS[row.level], width: 100 },
  { id: 'rate_ppm', header: 'Rate', kind: 'number', cell: (row) => `${row.rate_ppm / 10_000}%`, sort: true, width: 90 },
  { id: 'valid_from', header: 'From', kind: 'date', cell: (row) => row.valid_from, sort: true, width: 120 },
  { id: 'valid_to', header: 'Until', kind: 'date', cell: (row) => row.valid_to, width: 120 },
  { id: 'is_seeded', header: 'Origin', kind: 'badge', width: 110,
    cell: (row) => (row.is_seeded ? <Badge tone="warn" small>Seeded</Badge> : '') },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => row.source, width: 320 },
];

export default function LocalTaxRates() {
  const may = useMay();
  const [open, setOpen] = useState<LocalTaxRateRow | 'new' | 'states' | null>(null);
  const list = useList(localTaxRateEndpoints.list, {}, { filters: ['level', 'state'], perPage: 20 });
  const edit = may('transaction.update');
  const close = () => setOpen(null);
  return (
    <>
      <PageHeader title="Taxes" tabs={taxTabs(may)}
        subtitle="Charged on top of the state rate and found by ZIP code">
        <Button onClick={() => setOpen('states')}>States</Button>
        {edit && <Button variant="primary" onClick={() => setOpen('new')}>New local rate</Button>}
      </PageHeader>
      <DataTable label="Local tax rates" {...list} columns={columns} rowKey={(row) => row.id}
        filters={[{ name: 'level', label: 'Level', options: choicesOf(LEVELS) }]}
        onOpen={edit ? (row) => setOpen(row) : undefined} searchPlaceholder="ZIP code, county or state"
        empty={{ title: 'No local rates', text: 'Add one, or import a list under Imports.' }} />
      {open === 'new' && <RateForm row={null} onClose={close} />}
      {open === 'states' && <States edit={edit} onClose={close} />}
      {open !== null && typeof open === 'object' && <RateForm row={newestRow(open, list.rows)} onClose={close} />}
    </>
  );
}

interface FormProps { row: LocalTaxRateRow | null; onClose: () => void }

function RateForm({ row, onClose }: FormProps) {
  const refresh = useRefresh([localTaxRateEndpoints.list]);
  const [asking, setAsking] = useState(false);
  const remove = useAction(localTaxRateEndpoints.remove, { done: 'Local rate removed', onDone: onClose });
  const form = useResourceForm({
    initial: { state: row?.state ?? '', county: row?.county ?? '', level: row?.level ?? 'county' as
      LocalTaxRateRow['level'] | null, zip_from: row?.zip_from ?? '', zip_to: row?.zip_to ?? '',
    rate_ppm: row?.rate_ppm ?? null as number | null, valid_from: row?.valid_from ?? null as string | null,
    valid_to: row?.valid_to ?? null, source: row?.source ?? '' },
    record: row && { entity: 'local_tax_rate', id: row.id, version: row.version, read: localTaxRateEndpoints.list },
    submit: (values, sending) => {
      const body = { ...values, level: values.level ?? 'county', rate_ppm: values.rate_ppm ?? -1,
        valid_from: values.valid_from ?? '', zip_to: values.zip_to || values.zip_from };
      return row === null ? call(localTaxRateEndpoints.create, { body }, sending)
        : call(localTaxRateEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } });
    },
    onSaved: () => { toast('Local rate saved'); void refresh(); onClose(); },
  });
  const used = row?.used === true;
  return (
    <Modal open onClose={onClose} width={600} title={row === null ? 'New local rate' : `${row.county}, ${zips(row)}`}>
      <FormFrame form={form} aria-label="Local tax rate">
        {used && <Callout tone="info" title="Invoices were taxed by this rate">
          It can only be ended. Add another rate from the day after.</Callout>}
        <FormGrid>
          <TextField label="State" required disabled={used} maxLength={2} {...form.field('state')} caption="NY" />
          <TextField label="County" required disabled={used} {...form.field('county')} />
          <TextField label="First ZIP code" required disabled={used} {...form.field('zip_from')} />
          <TextField label="Last ZIP code" disabled={used} {...form.field('zip_to')}
            caption="Leave blank for one ZIP code." />
          <AsyncSelect label="Level" required disabled={used} options={choicesOf(LEVELS)} {...form.field('level')} />
          <PercentField label="Rate" required disabled={used} {...form.field('rate_ppm')} />
          <DateField label="From" required disabled={used} {...form.field('valid_from')} />
          <DateField label="Last day" {...form.field('valid_to')} caption="Leave blank while it is in force." />
        </FormGrid>
        <TextField label="Source" required disabled={used} {...form.field('source')}
          caption="The publication or web page with the rate." />
        <FormActions>
          {row !== null && !used && <Button pending={remove.pending} onClick={() => setAsking(true)}>Remove</Button>}
          <Button type="submit" variant="primary" pending={form.pending}>Save local rate</Button>
        </FormActions>
      </FormFrame>
      {row !== null && <ConfirmDialog open={asking} danger confirm="Remove" title="Remove this local rate?"
        text="Invoices from now on are taxed without it." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />}
    </Modal>
  );
}

/** In a state whose rows name every place that taxes, a ZIP code without a row pays the state rate unasked. */
function States({ edit, onClose }: { edit: boolean; onClose: () => void }) {
  const read = useEndpoint(localTaxRateEndpoints.states, {});
  const [state, setState] = useState<string | null>('NY');
  const rows = read.data?.data ?? [];
  const row = rows.find((one) => one.state === state);
  const complete = rows.filter((one) => one.complete).map((one) => one.state);
  return (
    <Modal open onClose={onClose} title="States with complete rates">
      <p>In a state that is not complete, a draft asks once about a ZIP code without a local rate.</p>
      <p>Complete: {complete.join(', ') || 'none'}</p>
      <AsyncSelect label="State" value={state} onChange={setState}
        options={rows.map((one) => ({ value: one.state, label: one.state }))} />
      {row && <StateForm key={row.id} row={row} edit={edit} />}
    </Modal>
  );
}

function StateForm({ row, edit }: { row: LocalTaxStateRow; edit: boolean }) {
  const refresh = useRefresh([localTaxRateEndpoints.states]);
  const form = useResourceForm({
    initial: { complete: row.complete },
    record: { version: row.version, read: localTaxRateEndpoints.states },
    submit: (values) => call(localTaxRateEndpoints.updateState, { params: { id: row.id },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('State saved'); void refresh(); },
  });
  return (
    <FormFrame form={form} aria-label="State">
      <Checkbox label={`The local rates of ${row.state} are complete`} disabled={!edit} {...form.field('complete')} />
      {edit && <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save state</Button>
      </FormActions>}
    </FormFrame>
  );
}
