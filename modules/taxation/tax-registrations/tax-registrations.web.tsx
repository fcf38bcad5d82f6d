/** Tax registrations of the division: entered when granted, ended when given up, never removed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { jurisdictionName } from '../jurisdiction.contract.ts';
import { choicesOf, SCHEME_LABELS, taxTabs } from '../tax-words.web.ts';
import { registrationEndpoints, type RegistrationRow } from './tax-registration.contract.ts';

const STATES = { planned: ['Later', 'info'], valid: ['In force', 'ok'], ended: ['Ended', 'outline'] } as const;
const columns: readonly Column<RegistrationRow>[] = [
  { id: 'jurisdiction', header: 'Jurisdiction', kind: 'title', cell: (row) => jurisdictionName(row.jurisdiction),
    fixed: true,
    width: 150 },
  { id: 'scheme', header: 'Tax', kind: 'muted', cell: (row) => SCHEME_LABELS[row.scheme], width: 150 },
  { id: 'number', header: 'Number', width: 260,
    cell: (row) => row.number ?? <Badge tone="warn" small>Number missing</Badge> },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={STATES[row.state][1]} small>{STATES[row.state][0]}</Badge> },
  { id: 'from', header: 'From', kind: 'date', cell: (row) => row.valid_from, width: 130 },
  { id: 'to', header: 'Until', kind: 'date', cell: (row) => row.valid_to, width: 130 },
];

export default function TaxRegistrations() {
  const may = useMay();
  const [division] = useDivision();
  const [open, setOpen] = useState<RegistrationRow | 'new' | null>(null);
  const read = useEndpoint(registrationEndpoints.list, { query: { division } });
  const edit = may('transaction.update');
  return (
    <>
      <PageHeader title="Taxes" division tabs={taxTabs(may)}
        subtitle="Without a registration no tax is charged there; its number is printed on every document">
        {edit && <Button variant="primary" onClick={() => setOpen('new')}>New registration</Button>}
      </PageHeader>
      <DataTable label="Tax registrations" rows={read.data?.data} columns={columns} rowKey={(row) => row.id}
        error={read.isError ? read.error : null} onRetry={() => void read.refetch()}
        onOpen={edit ? setOpen : undefined}
        empty={{ title: 'Registered nowhere',
          text: 'Then no tax is charged. Enter a registration when it is granted.' }} />
      {open === 'new' && <NewRegistration division={division} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'new' && <ChangeRegistration row={newestRow(open, read.data?.data)}
        onClose={() => setOpen(null)} />}
    </>
  );
}

function NewRegistration({ division, onClose }: { division: RegistrationRow['division']; onClose: () => void }) {
  const refresh = useRefresh([registrationEndpoints.list]);
  const us = division === 'US' || division === 'PROD';
  const form = useResourceForm({
    initial: { jurisdiction: '', scheme: (us ? 'sales_tax' : 'vat') as RegistrationRow['scheme'] | null, number: '',
      valid_from: null as string | null },
    submit: ({ scheme, valid_from, ...values }, sending) => call(registrationEndpoints.create,
      { body: { ...values, division, scheme: scheme ?? 'vat', valid_from: valid_from ?? '' } }, sending),
    onSaved: () => { toast('Registration added'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="New registration">
      <FormFrame form={form} aria-label="Tax registration">
        <TextField label="Jurisdiction" required {...form.field('jurisdiction')}
          caption={us ? 'US-NY for a state' : 'GB, IE, DE'} />
        <AsyncSelect label="Tax" required options={choicesOf(SCHEME_LABELS)} {...form.field('scheme')} />
        <TextField label="Number" {...form.field('number')} caption="Empty until the authority has sent it." />
        <DateField label="From" required {...form.field('valid_from')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Add registration</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function ChangeRegistration({ row, onClose }: { row: RegistrationRow; onClose: () => void }) {
  const refresh = useRefresh([registrationEndpoints.list]);
  const form = useResourceForm({
    initial: { number: row.number ?? '', valid_to: row.valid_to },
    record: { entity: 'tax_registration', id: row.id, version: row.version, read: registrationEndpoints.list },
    submit: (values) => call(registrationEndpoints.update, { params: { id: row.id },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('Registration saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`${SCHEME_LABELS[row.scheme]}, ${jurisdictionName(row.jurisdiction)}`}>
      <FormFrame form={form} aria-label="Tax registration">
        <TextField label="Number" {...form.field('number')} caption="Printed on documents issued from now on." />
        <DateField label="Last day" min={row.valid_from} {...form.field('valid_to')} caption="Empty: still in force." />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save registration</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
