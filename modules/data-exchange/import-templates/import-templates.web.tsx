/** Import templates: kinds of files with their columns, saved under a name (RT32). */
import { Download, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { CURRENCIES } from '#kernel/money/money.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import type { FieldSet } from '../imports/import-field.contract.ts';
import { IMPORT_KINDS, IMPORT_MODELS, type ImportModel } from '../imports/kinds/import-kind.contract.ts';
import { IMPORT_TABS } from '../imports/import-words.web.tsx';
import { DATE_IS, DATES, DECIMALS, DELIMITER, SCOPES } from '../imports/mapping-words.web.tsx';
import {
  importTemplateEndpoints, type TemplateColumn, type TemplateRow,
} from './import-template.contract.ts';
import styles from '../imports/import.module.css';

const KINDS = IMPORT_MODELS.map((value) => ({ value, label: IMPORT_KINDS[value].label }));
const filters = [{ name: 'model_name', label: 'Contents', options: KINDS }];
const MONEY = CURRENCIES.map((value) => ({ value, label: value }));

export default function ImportTemplates() {
  const may = useMay();
  const [open, setOpen] = useState<number | null>(null);
  const [naming, setNaming] = useState(false);
  const list = useList(importTemplateEndpoints.list, {}, { filters: ['model_name'], perPage: 25 });
  const columns: readonly Column<TemplateRow>[] = [
    { id: 'name', header: 'Name', kind: 'title', fixed: true, width: 240, sort: true, cell: (row) => row.name },
    { id: 'columns', header: 'Columns', kind: 'number', width: 90, cell: (row) => row.columns_count },
    { id: 'kind', header: 'Contents', kind: 'muted', width: 180, cell: (row) => IMPORT_KINDS[row.model_name].label },
    { id: 'scope', header: 'A row is', kind: 'muted', width: 130, cell: (row) =>
      row.model_name === 'box_office_reports' ? labelOf(SCOPES, row.report_scope).toLowerCase()
        : `a ${IMPORT_KINDS[row.model_name].one}` },
    { id: 'dates', header: 'Dates', kind: 'code', width: 130, cell: (row) => row.date_format },
    { id: 'currency', header: 'Currency', kind: 'muted', width: 90, cell: (row) => row.currency },
    { id: 'imports', header: 'Imports', kind: 'number', width: 90, cell: (row) => row.imports_count },
    { id: 'active', header: 'Status', kind: 'badge', width: 100, cell: (row) => (
      <Badge small tone={row.active ? 'ok' : 'outline'}>{row.active ? 'In use' : 'Retired'}</Badge>) },
    { id: 'updated_at', header: 'Changed', kind: 'date', width: 170, sort: true, cell: (row) => row.updated_at },
    { id: 'file', header: 'File', kind: 'actions', width: 60, cell: (row) => may('import_template.download') && (
      <ButtonLink size="small" variant="quiet" download="" icon={<Download size={14} aria-hidden="true" />}
        href={`/api/admin/staff/import_templates/${row.id}/download`}>CSV</ButtonLink>) },
  ];
  const create = may('import_template.create') && (
    <Button variant="primary" icon={<Plus size={15} aria-hidden="true" />} onClick={() => setNaming(true)}>
      New template
    </Button>
  );
  return (
    <>
      <PageHeader title="Imports" tabs={IMPORT_TABS}>{create}</PageHeader>
      <DataTable label="Import templates" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        {...(may('import_template.listMaps') && { onOpen: (row: TemplateRow) => setOpen(row.id) })}
        empty={{ title: 'No templates yet', action: create,
          text: 'A template says which column of a file is which.' }} />
      {naming && <NewTemplate onClose={() => setNaming(false)} onMade={(id) => { setNaming(false); setOpen(id); }} />}
      {open !== null && <TemplateEditor id={open} onClose={() => setOpen(null)}
        onSaved={() => { setOpen(null); list.onRetry(); }} />}
    </>
  );
}

function labelOf(options: readonly { value: string; label: string }[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

function NewTemplate({ onClose, onMade }: { onClose: () => void; onMade: (id: number) => void }) {
  const [name, setName] = useState('');
  const [model, setModel] = useState<ImportModel>('box_office_reports');
  const create = useAction(importTemplateEndpoints.create, { onDone: (answer) => onMade(answer.data.id) });
  const send = () => void create.run({ body: { name, model_name: model } });
  return (
    <Modal open title="New template" onClose={onClose} footer={(
      <Button variant="primary" pending={create.pending} onClick={send}>Create template</Button>
    )}>
      <form className={styles.dialog} onSubmit={(event) => { event.preventDefault(); send(); }}>
        <AsyncSelect label="Its files hold" value={model} options={KINDS}
          onChange={(value) => { if (value !== null) setModel(value); }} />
        <TextField label="Name" required value={name} onChange={setName} error={create.failure?.fields.name?.[0]}
          caption="For example “Weekly from Savoy Hall”. You map the columns next." />
      </form>
    </Modal>
  );
}

function TemplateEditor({ id, onClose, onSaved }: { id: number; onClose: () => void; onSaved: () => void }) {
  const read = useEndpoint(importTemplateEndpoints.maps, { params: { id } }, { staleTime: 0 });
  const maps = read.data?.data;
  return (
    <Modal open width={860} title={maps?.template.name ?? 'Template'} onClose={onClose}>
      {read.error && !maps && <NotLoaded title="The template could not be read" read={read} />}
      {!maps && !read.error && <div aria-busy="true"><Skeleton width={300} /></div>}
      {maps && <EditorForm key={maps.template.id} template={maps.template} columns={maps.columns}
        onSaved={onSaved} />}
    </Modal>
  );
}

function EditorForm({ template, columns, onSaved }: {
  template: TemplateRow; columns: TemplateColumn[]; onSaved: () => void;
}) {
  const may = useMay();
  const { name, active, delimiter, date_format, decimal_style, report_scope, date_is, currency, version } = template;
  const form = useResourceForm({
    initial: { name, active, delimiter, date_format, decimal_style, report_scope, date_is, currency, columns },
    record: { entity: 'import_template', id: template.id, version, read: importTemplateEndpoints.maps },
    submit: (values) => call(importTemplateEndpoints.saveMaps, { params: { id: template.id },
      body: { ...values, version } }),
    onSaved: () => { toast('Template saved'); onSaved(); },
  });
  const rows = form.values.columns;
  const { fields } = IMPORT_KINDS[template.model_name];
  const returns = template.model_name === 'box_office_reports';
  const unused = Object.keys(fields).filter((field) => !rows.some((row) => row.field === field));
  return (
    <FormFrame form={form}>
      <div className={styles.settings}>
        <TextField label="Name" required {...form.field('name')} />
        <AsyncSelect label="Dates" options={DATES} {...always(form.field('date_format'))} />
        <AsyncSelect label="Amounts" options={DECIMALS} {...always(form.field('decimal_style'))} />
        {returns && <AsyncSelect label="A row is" options={SCOPES} {...always(form.field('report_scope'))} />}
        {returns && <AsyncSelect label="The date is" options={DATE_IS} {...always(form.field('date_is'))} />}
        <AsyncSelect label="Delimiter" options={DELIMITER} {...always(form.field('delimiter'))} />
        <AsyncSelect label="Currency" options={MONEY} {...always(form.field('currency'))} />
        <Checkbox label="Offered for new imports" {...form.field('active')} />
      </div>
      <table className={styles.map}>
        <thead><tr>
          <th scope="col">Field</th><th scope="col">Column of the file</th><th scope="col">Default value</th>
          <th scope="col"><span className={styles.quiet}>Remove</span></th>
        </tr></thead>
        <tbody>
          {rows.map((row, n) => <ColumnRow key={row.field} form={form} fields={fields} row={row} n={n} />)}
        </tbody>
      </table>
      {unused.length > 0 && (
        <AsyncSelect<string> label="Add a column" value={null} placeholder="Choose the field"
          options={unused.map((value) => ({ value, label: fields[value]!.label,
            children: fields[value]!.hint }))}
          onChange={(field) => {
            if (field) form.set('columns', [...rows, freshColumn(field, fields[field]!.label)]);
          }} />
      )}
      {may('import_template.mapColumns') && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save template</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

interface ColumnsForm {
  values: { columns: TemplateColumn[] };
  errors: Record<string, string | undefined>;
  set: (name: string, value: unknown) => void;
}

function ColumnRow({ form, fields, row, n }: {
  form: ColumnsForm; fields: FieldSet; row: TemplateColumn; n: number;
}) {
  const facts = fields[row.field];
  const label = facts?.label ?? row.field;
  return (
    <tr>
      <td><span className={styles.field}>{label}</span></td>
      <td data-label="Column of the file"><TextField label={`Column for ${label}`} hideLabel value={row.column_name}
        error={form.errors[`columns.${n}.column_name`] ?? form.errors[`columns.${n}.field`]}
        onChange={(text) => form.set(`columns.${n}.column_name`, text)} /></td>
      <td data-label="Default value">{facts?.constant && (
        <TextField label={`Value for ${label}`} hideLabel
          value={row.default_value ?? ''} error={form.errors[`columns.${n}.default_value`]}
          onChange={(text) => form.set(`columns.${n}.default_value`, text === '' ? null : text)} />
      )}</td>
      <td className={styles.taken}><IconButton label={`Remove ${label}`} icon={<Trash2 size={15} aria-hidden="true" />}
        reason={facts?.required && !facts.constant ? 'Every file needs it' : undefined}
        onClick={() => form.set('columns', form.values.columns.filter((other) => other.field !== row.field))} /></td>
    </tr>
  );
}

/** A choice that always has a value: nothing chosen changes nothing. */
function always<V, F extends { value: V; onChange: (value: V) => void }>(field: F & { value: V }) {
  return { ...field, onChange: (value: V | null) => { if (value !== null) field.onChange(value); } };
}

function freshColumn(field: string, label: string): TemplateColumn {
  return { field, column_name: label, amount_unit: null, default_value: null };
}
