/** Exchange rates: imported from the file of the ECB, entered by hand; one that nothing stands at can be removed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { exchangeRateEndpoints } from './period.contract.ts';

type Rate = ResponseOf<typeof exchangeRateEndpoints.list>['data'][number];
const SOURCES: Record<string, string> = { ecb: 'ECB', hmrc: 'HMRC', manual: 'By hand' };
const CURRENCIES = ['USD', 'EUR', 'GBP'].map((value) => ({ value, label: value }));
const FILTERS: readonly TableFilter[] = [
  { name: 'base', label: 'From currency', options: CURRENCIES },
  { name: 'quote', label: 'To currency', options: CURRENCIES },
  { name: 'source', label: 'Source', options: Object.entries(SOURCES).map(([value, label]) => ({ value, label })) },
];

/** At least four decimals, so that a column of rates stands in line; never fewer than the rate has. */
function inFour(rate: string): string {
  const [whole = '', part = ''] = rate.split('.');
  return `${whole}.${part.padEnd(4, '0')}`;
}

const rateColumns: readonly Column<Rate>[] = [
  { id: 'on', header: 'Day', kind: 'date', sort: true, cell: (row) => row.on_date, width: 130 },
  { id: 'pair', header: 'Pair', kind: 'title', cell: (row) => `${row.base} → ${row.quote}`, fixed: true },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => inFour(row.rate), width: 140 },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => SOURCES[row.source] ?? row.source },
  { id: 'used', header: 'Use', kind: 'badge', width: 110,
    cell: (row) => (row.used ? <Badge small tone="outline">In use</Badge> : null) },
];

export default function ExchangeRates() {
  const may = useMay();
  const [doing, setDoing] = useState<'import' | 'enter' | null>(null);
  const list = useList(exchangeRateEndpoints.list, {}, { perPage: 25, filters: FILTERS.map(({ name }) => name) });
  const remove = useAction(exchangeRateEndpoints.remove, { done: 'Removed' });
  const edit = may('transaction.update');
  const close = (changed: boolean) => {
    setDoing(null);
    if (changed) list.onRetry?.();
  };
  const columns: readonly Column<Rate>[] = edit ? [...rateColumns, { id: 'remove', header: 'Remove', kind: 'actions',
    width: 100, cell: (row) => !row.used && (
      <Button size="small" variant="quiet" pending={remove.pending}
        onClick={() => void remove.run({ params: { id: row.id } })}>Remove</Button>) }] : rateColumns;
  return (
    <>
      <PageHeader title="Exchange rates" tabs={accountingTabs(may)}
        subtitle="A day without a rate uses the last one published on or before it">
        {edit && <Button onClick={() => setDoing('import')}>Import ECB file</Button>}
        {edit && <Button variant="primary" onClick={() => setDoing('enter')}>Enter rate</Button>}
      </PageHeader>
      <DataTable label="Exchange rates" {...list} rowKey={(row) => row.id} columns={columns} filters={FILTERS}
        searchPlaceholder="Day, month, currency or rate"
        empty={{ title: 'No rates yet', text: 'Import the file the ECB publishes, or enter one by hand.' }} />
      {doing === 'import' && <ImportRates onClose={close} />}
      {doing === 'enter' && <EnterRate onClose={close} />}
    </>
  );
}

function ImportRates({ onClose }: { onClose: (changed: boolean) => void }) {
  return (
    <Modal open onClose={() => onClose(false)} title="Import the rates of the ECB">
      <FileDrop label="ECB file (CSV)" types={['.csv']} onUpload={async (file, progress, signal) => {
        const data = new FormData();
        data.append('file', file);
        const answer = await call(exchangeRateEndpoints.import, {}, { form: data, signal,
          onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
        const { added, known, differing } = answer.data;
        toast(`${added} rates added, ${known} known already${differing.length > 0
          ? `, ${differing.length} differ from what we have and were left alone` : ''}`);
        onClose(true);
      }} />
    </Modal>
  );
}

function EnterRate({ onClose }: { onClose: (changed: boolean) => void }) {
  const form = useResourceForm({
    initial: { base: 'EUR' as string | null, quote: 'USD' as string | null, on: null as string | null, rate: '' },
    submit: ({ base, quote, on, rate }, sending) => call(exchangeRateEndpoints.create,
      { body: { base: base ?? '', quote: quote ?? '', on: on ?? '', rate } }, sending),
    onSaved: () => { toast('Rate entered'); onClose(true); },
  });
  return (
    <Modal open onClose={() => onClose(false)} title="Enter a rate">
      <FormFrame form={form} aria-label="Exchange rate">
        <FormGrid>
          <AsyncSelect label="One unit of" required options={CURRENCIES} {...form.field('base')} />
          <AsyncSelect label="Is worth" required options={CURRENCIES} {...form.field('quote')} />
          <TextField label="Rate" required numeric inputMode="decimal" {...form.field('rate')} />
          <DateField label="Day" required {...form.field('on')} />
        </FormGrid>
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Enter rate</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
