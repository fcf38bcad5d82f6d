/** Holidays of a division: what "business day" means in reminders, settlements, return dates and BACS payments. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { useDivision, type Division } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { taxTabs } from '../tax-words.web.ts';
import { holidayEndpoints } from './holiday.contract.ts';

const THIS_YEAR = new Date().getFullYear();
const YEARS = Array.from({ length: 6 }, (_, k) => ({ value: THIS_YEAR - 2 + k, label: String(THIS_YEAR - 2 + k) }));
type Holiday = ResponseOf<typeof holidayEndpoints.list>['data'][number];

export default function Holidays() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Holiday | null>(null);
  const year = Number(values.get('year') ?? THIS_YEAR);
  const read = useEndpoint(holidayEndpoints.list, { query: { division, year } });
  const remove = useAction(holidayEndpoints.remove, { done: 'Removed' });
  const edit = may('transaction.update');
  const columns: readonly Column<Holiday>[] = [
    { id: 'name', header: 'Holiday', kind: 'title', cell: (row) => row.name, fixed: true, width: 300 },
    { id: 'on', header: 'Day', cell: (row) => <DateText value={row.on} style="weekday" />, width: 220 },
    ...(edit ? [{ id: 'remove', header: 'Remove', kind: 'actions' as const, width: 110, cell: (row: Holiday) => (
      <Button size="small" variant="quiet" onClick={() => setLeaving(row)}>Remove</Button>) }] : []),
  ];
  return (
    <>
      <PageHeader title="Taxes" division tabs={taxTabs(may)}
        subtitle="A business day is a weekday that is not in this list">
        {edit && <Button variant="primary" onClick={() => setAdding(true)}>New holiday</Button>}
      </PageHeader>
      <DataTable label="Holidays" rows={read.data?.data} columns={columns} rowKey={(row) => row.id}
        error={read.isError ? read.error : null} onRetry={() => void read.refetch()}
        tools={<AsyncSelect label="Year" hideLabel value={year}
          options={YEARS}
          onChange={(chosen) => set({ year: chosen === null ? null : String(chosen) })} />}
        empty={{ title: `No holidays in ${year}`, text: 'Then every weekday of the year counts as a business day.' }} />
      {adding && <NewHoliday division={division} onClose={() => setAdding(false)} />}
      <ConfirmDialog open={leaving !== null} danger confirm="Remove" title={`Remove ${leaving?.name ?? ''}?`}
        text={leaving ? `${formatDay(leaving.on)} becomes a business day. Dates that were set already stay.` : ''}
        onCancel={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) void remove.run({ params: { id: leaving.id } });
          setLeaving(null);
        }} />
    </>
  );
}

function NewHoliday({ division, onClose }: { division: Division; onClose: () => void }) {
  const refresh = useRefresh([holidayEndpoints.list]);
  const form = useResourceForm({
    initial: { name: '', on: null as string | null },
    submit: ({ name, on }, sending) => call(holidayEndpoints.create,
      { body: { division, name, on: on ?? '' } }, sending),
    onSaved: () => { toast('Holiday added'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`New holiday of ${division}`}>
      <FormFrame form={form} aria-label="Holiday">
        <TextField label="Name" required {...form.field('name')} />
        <DateField label="Day" required {...form.field('on')} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Add holiday</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
