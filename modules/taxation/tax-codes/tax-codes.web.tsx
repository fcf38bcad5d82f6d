/** Tax codes and rates, effective-dated: a new rate ends the one before it, nothing is rewritten. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
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
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { jurisdictionName } from '../jurisdiction.contract.ts';
import { choicesOf, taxTabs } from '../tax-words.web.ts';
import { taxCodeEndpoints, type TaxRateRow } from './tax-code.contract.ts';

const KINDS: Record<TaxRateRow['kind'], string> = { standard: 'Standard', zero: 'Zero', reduced: 'Reduced',
  exempt: 'Exempt', outside_scope: 'Outside scope', reverse_charge: 'Reverse charge', sales_tax: 'Sales tax',
  use_tax: 'Use tax', oss: 'One-stop shop' };

const columns: readonly Column<TaxRateRow>[] = [
  { id: 'jurisdiction', header: 'Jurisdiction', kind: 'title', cell: (row) => jurisdictionName(row.jurisdiction),
    sort: true, fixed: true,
    width: 210 },
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.code, width: 130 },
  { id: 'name', header: 'Name', kind: 'muted', cell: (row) => row.name, width: 180 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KINDS[row.kind], width: 130 },
  { id: 'rate_ppm', header: 'Rate', kind: 'number', cell: (row) => `${row.rate_ppm / 10_000}%`, sort: true,
    width: 90 },
  { id: 'shipping', header: 'Delivery', kind: 'badge', width: 110,
    cell: (row) => (row.taxes_shipping ? <Badge tone="info" small>Taxed</Badge> : '') },
  { id: 'valid_from', header: 'From', kind: 'date', cell: (row) => row.valid_from, sort: true, width: 120 },
  { id: 'valid_to', header: 'Until', kind: 'date', cell: (row) => row.valid_to, width: 120 },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => row.source, width: 320, hidden: true },
];

export default function TaxCodes() {
  const may = useMay();
  const [division] = useDivision();
  const [open, setOpen] = useState<TaxRateRow | 'new' | null>(null);
  const list = useList(taxCodeEndpoints.list, { query: { division } }, { filters: ['kind', 'on'], perPage: 20 });
  const edit = may('transaction.update');
  return (
    <>
      <PageHeader title="Taxes" division tabs={taxTabs(may)}
        subtitle="By date: an issued invoice keeps the rate of its tax point">
        {edit && <Button variant="primary" onClick={() => setOpen('new')}>New rate</Button>}
      </PageHeader>
      <DataTable label="Tax rates" {...list} columns={columns} rowKey={(row) => row.id}
        filters={[{ name: 'kind', label: 'Kind', options: choicesOf(KINDS) }]}
        onOpen={edit ? (row) => setOpen(row) : undefined} searchPlaceholder="Jurisdiction, code or name"
        empty={{ title: 'No rates here',
          text: 'Without a rate nothing is taxed and the quote says what is missing.' }} />
      {open === 'new' && <NewRate division={division} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'new' && <EndRate row={newestRow(open, list.rows)} onClose={() => setOpen(null)} />}
    </>
  );
}

function NewRate({ division, onClose }: { division: TaxRateRow['division']; onClose: () => void }) {
  const refresh = useRefresh([taxCodeEndpoints.list]);
  const us = division === 'US' || division === 'PROD';
  const form = useResourceForm({
    initial: { jurisdiction: '', code: us ? 'SALES' : 'STANDARD', name: '', category: null as TaxRateRow['kind'] | null,
      rate_ppm: null as number | null, taxes_shipping: false, valid_from: null as string | null, source: '' },
    submit: ({ name, category, ...values }, sending) => call(taxCodeEndpoints.create, { body: { ...values, division,
      rate_ppm: values.rate_ppm ?? -1, valid_from: values.valid_from ?? '',
      ...(name === '' ? {} : { name }), ...(category === null ? {} : { category }) } }, sending),
    onSaved: () => { toast('Rate added'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="New rate" width={600}>
      <FormFrame form={form} aria-label="Tax rate">
        <FormGrid>
          <TextField label="Jurisdiction" required {...form.field('jurisdiction')}
            caption={us ? 'US-NY; counties and cities are under Local rates' : 'GB, IE, DE'} />
          <TextField label="Code" required {...form.field('code')} />
          <PercentField label="Rate" required {...form.field('rate_ppm')} />
          <DateField label="From" required {...form.field('valid_from')} caption="The rate before it ends the day
            before." />
          <TextField label="Name" {...form.field('name')} caption="Only for a new code" />
          <AsyncSelect label="Kind" clearable options={choicesOf(KINDS)} {...form.field('category')}
            caption="Only for a new code" />
        </FormGrid>
        {us && <Checkbox label="Delivery of taxable goods is taxed" {...form.field('taxes_shipping')} />}
        <TextField label="Source" {...form.field('source')} caption="The publication or web page with the rate." />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Add rate</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}

function EndRate({ row, onClose }: { row: TaxRateRow; onClose: () => void }) {
  const refresh = useRefresh([taxCodeEndpoints.list]);
  const form = useResourceForm({
    initial: { name: row.name, valid_to: row.valid_to },
    record: { entity: 'tax_rate', id: row.id, version: row.version, read: taxCodeEndpoints.list },
    submit: (values) => call(taxCodeEndpoints.update, { params: { id: row.id },
      body: { name: values.name, valid_to: values.valid_to, version: row.version } }),
    onSaved: () => { toast('Saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose}
      title={`${row.code}, ${jurisdictionName(row.jurisdiction)}, ${row.rate_ppm / 10_000}%`}>
      <FormFrame form={form} aria-label="Tax rate">
        <TextField label="Name of the code" required {...form.field('name')} />
        <DateField label="Last day" {...form.field('valid_to')} min={row.valid_from}
          caption={row.used ? 'Invoices were taxed by this rate; they keep it.' : 'Empty: still in force.'} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save rate</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
