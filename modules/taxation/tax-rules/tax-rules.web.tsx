/** Tax rules by place and date: a new rule ends the one before it. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
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
import { choicesOf, CLASS_LABELS, taxTabs } from '../tax-words.web.ts';
import { taxRuleEndpoints, type TaxRuleRow } from './tax-rule.contract.ts';

const columns: readonly Column<TaxRuleRow>[] = [
  { id: 'jurisdiction', header: 'Jurisdiction', kind: 'title', cell: (row) => jurisdictionName(row.jurisdiction),
    sort: true, fixed: true,
    width: 150 },
  { id: 'item_class', header: 'What', cell: (row) => CLASS_LABELS[row.item_class], width: 180 },
  { id: 'taxable', header: 'Tax', kind: 'badge', width: 120, cell: (row) => (row.taxable
    ? <Badge tone="info" small>Taxed</Badge> : <Badge tone="outline" small>Not taxed</Badge>) },
  { id: 'tax_code', header: 'Code', kind: 'code', cell: (row) => row.tax_code, width: 140 },
  { id: 'valid_from', header: 'From', kind: 'date', cell: (row) => row.valid_from, sort: true, width: 130 },
  { id: 'valid_to', header: 'Until', kind: 'date', cell: (row) => row.valid_to, width: 130 },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => row.source, width: 300 },
];
const filters = [
  { name: 'item_class', label: 'What', options: choicesOf(CLASS_LABELS) },
  { name: 'taxable', label: 'Tax', options: [{ value: 'true', label: 'Taxed' }, { value: 'false',
    label: 'Not taxed' }] },
];

export default function TaxRules() {
  const may = useMay();
  const [division] = useDivision();
  const [open, setOpen] = useState<TaxRuleRow | 'new' | null>(null);
  const list = useList(taxRuleEndpoints.list, { query: { division } },
    { filters: ['item_class', 'taxable'], perPage: 20 });
  const edit = may('transaction.update');
  return (
    <>
      <PageHeader title="Taxes" division tabs={taxTabs(may)}
        subtitle="Taxable items by place, with the tax code; the rate follows from the date">
        {edit && <Button variant="primary" onClick={() => setOpen('new')}>New rule</Button>}
      </PageHeader>
      <DataTable label="Tax rules" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        onOpen={edit ? setOpen : undefined} searchPlaceholder="Jurisdiction or item"
        empty={{ title: 'No rules here', text: 'A quote names the rule that is missing.' }} />
      {open === 'new' && <NewRule division={division} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'new' && <EndRule row={newestRow(open, list.rows)} onClose={() => setOpen(null)} />}
    </>
  );
}

function NewRule({ division, onClose }: { division: TaxRuleRow['division']; onClose: () => void }) {
  const refresh = useRefresh([taxRuleEndpoints.list]);
  const us = division === 'US' || division === 'PROD';
  const form = useResourceForm({
    initial: { jurisdiction: '', item_class: null as TaxRuleRow['item_class'] | null,
      taxable: 'true' as 'true' | 'false' | null, tax_code: us ? 'SALES' : 'STANDARD',
      valid_from: null as string | null, source: '' },
    submit: ({ item_class, taxable, tax_code, valid_from, ...values }, sending) => {
      if (item_class === null) throw new TypeError('Choose what the rule is about');
      return call(taxRuleEndpoints.create, { body: { ...values, division, item_class, taxable: taxable === 'true',
        tax_code: taxable === 'true' ? tax_code : null, valid_from: valid_from ?? '' } }, sending);
    },
    onSaved: () => { toast('Rule added'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="New rule" width={600}>
      <FormFrame form={form} aria-label="Tax rule">
        <FormGrid>
          <TextField label="Jurisdiction" required {...form.field('jurisdiction')}
            caption={us ? 'US-NY' : 'GB, IE, DE'} />
          <AsyncSelect label="What" required options={choicesOf(CLASS_LABELS)} {...form.field('item_class')} />
          <AsyncSelect label="Tax" required options={[{ value: 'true', label: 'Taxed' },
            { value: 'false', label: 'Not taxed' }]} {...form.field('taxable')} />
          <TextField label="Code" {...form.field('tax_code')} disabled={form.values.taxable !== 'true'}
            caption="A code of the rates." />
          <DateField label="From" required {...form.field('valid_from')}
            caption="The rule before it ends the day before." />
          <TextField label="Source" {...form.field('source')} caption="The publication or web page." />
        </FormGrid>
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Add rule</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}

function EndRule({ row, onClose }: { row: TaxRuleRow; onClose: () => void }) {
  const refresh = useRefresh([taxRuleEndpoints.list]);
  const form = useResourceForm({
    initial: { valid_to: row.valid_to },
    record: { entity: 'tax_rule', id: row.id, version: row.version, read: taxRuleEndpoints.list },
    submit: (values) => call(taxRuleEndpoints.update, { params: { id: row.id },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('Rule saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`${CLASS_LABELS[row.item_class]}, ${jurisdictionName(row.jurisdiction)}`}>
      <FormFrame form={form} aria-label="Tax rule">
        <DateField label="Last day" min={row.valid_from} {...form.field('valid_to')}
          caption="Empty: still in force. After the last day nothing is known here until a new rule begins." />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save rule</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
