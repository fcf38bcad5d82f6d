/** Periods of a division (closed by two persons) and exchange rates. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button.tsx';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { DateField } from '#web/controls/date-field.tsx';
import { FileDrop } from '#web/controls/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.web.ts';
import { exchangeRateEndpoints, periodEndpoints } from './period.contract.ts';

type Period = ResponseOf<typeof periodEndpoints.list>['data'][number];
const STATE = { open: ['Open', 'ok'], soft_locked: ['Locked', 'warn'], closed: ['Closed', 'neutral'] } as const;

const THIS_YEAR = new Date().getFullYear();
const YEARS = Array.from({ length: 8 }, (_, k) => ({ value: THIS_YEAR - 5 + k, label: String(THIS_YEAR - 5 + k) }));

export function Periods() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const year = Number(values.get('year') ?? THIS_YEAR);
  const read = useEndpoint(periodEndpoints.list, { query: { division, year } });
  const columns: readonly Column<Period>[] = [
    {
      id: 'period',
      header: 'Period',
      kind: 'title',
      fixed: true,
      width: 120,
      cell: (row) => `${String(row.period).slice(0, 4)}-${String(row.period).slice(4)}`,
    },
    { id: 'starts', header: 'From', kind: 'date', cell: (row) => row.starts, width: 120 },
    { id: 'ends', header: 'To', kind: 'date', cell: (row) => row.ends, width: 120 },
    {
      id: 'state',
      header: 'State',
      kind: 'badge',
      width: 110,
      cell: (row) => (
        <Badge tone={STATE[row.state][1]} small>
          {STATE[row.state][0]}
        </Badge>
      ),
    },
    {
      id: 'by',
      header: 'Closed by',
      kind: 'muted',
      width: 240,
      cell: (row) =>
        row.closed_by_name
          ? `${row.closed_by_name}, confirmed by ${row.confirmed_by_name}`
          : row.requested_by_name
            ? `${row.requested_by_name} asked to ${row.requested_state === 'closed' ? 'close' : 'reopen'}`
            : null,
    },
    { id: 'act', header: 'Action', kind: 'actions', cell: (row) => <PeriodAction row={row} /> },
  ];
  return (
    <>
      <PageHeader title="Periods" division tabs={accountingTabs(may)}
        subtitle="Closing and reopening takes two persons" />
      <DataTable label="Periods" columns={columns} rows={read.data?.data} rowKey={(row) => row.id} error={read.error}
        onRetry={() => void read.refetch()} empty={{ title: `No periods in ${year}`,
          text: 'They are made with the first posting of the year.' }}
        tools={<AsyncSelect label="Year" hideLabel value={year} options={YEARS}
          onChange={(chosen) => set({ year: chosen === null ? null : String(chosen) })} />} />
    </>
  );
}

function PeriodAction({ row }: { row: Period }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const closing = row.state !== 'closed';
  const close = useAction(periodEndpoints.close, { done: ({ data }) => data.state === 'closed' ? 'Period closed'
    : 'Asked for: another person confirms' });
  const reopen = useAction(periodEndpoints.reopen, { done: ({ data }) => data.state === 'closed'
    ? 'Asked for: another person confirms' : 'Period open again' });
  if (!may('transaction.update')) return null;
  const mine = row.requested_by_id !== null && row.requested_by_id === user?.id;
  const verb = closing ? 'Close' : 'Reopen';
  const label = row.requested_state ? `Confirm: ${verb.toLowerCase()}` : verb;
  const run = () => {
    const params = { period: row.period };
    const body = { division: row.division, version: row.version };
    return closing ? close.run({ params, body }) : reopen.run({ params, body: { ...body, reason } });
  };
  return (
    <>
      <Button
        size="small"
        pending={close.pending || reopen.pending}
        onClick={() => setAsking(true)}
        reason={mine ? 'You asked for this: another person confirms' : undefined}
      >
        {label}
      </Button>
      <Modal
        open={asking}
        title={`${verb} ${row.period} of ${row.division}?`}
        onClose={() => setAsking(false)}
        footer={
          <Button
            variant="primary"
            reason={!closing && reason === '' ? 'Say why first' : undefined}
            onClick={() => {
              setAsking(false);
              void run();
            }}
          >
            {label}
          </Button>
        }
      >
        <p>
          {closing
            ? 'A closed period takes no postings. Another person has to confirm.'
            : 'Postings into this period become possible again. Another person has to confirm.'}
        </p>
        {!closing && <TextField label="Reason" required value={reason} onChange={setReason} />}
      </Modal>
    </>
  );
}

type Rate = ResponseOf<typeof exchangeRateEndpoints.list>['data'][number];
const rateColumns: readonly Column<Rate>[] = [
  { id: 'on', header: 'Day', kind: 'date', cell: (row) => row.on_date, width: 130 },
  { id: 'pair', header: 'Pair', kind: 'title', cell: (row) => `${row.base} → ${row.quote}`, fixed: true },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => row.rate, width: 140 },
  {
    id: 'source',
    header: 'Source',
    kind: 'muted',
    cell: (row) => ({ ecb: 'ECB', hmrc: 'HMRC', manual: 'By hand' })[row.source],
  },
  { id: 'used', header: 'Use', kind: 'badge', width: 110,
    cell: (row) => (row.used ? <Badge small tone="outline">In use</Badge> : null) },
];
const CURRENCIES = ['USD', 'EUR', 'GBP'].map((value) => ({ value, label: value }));

export function ExchangeRates() {
  const may = useMay();
  const list = useList(exchangeRateEndpoints.list, {}, { perPage: 25 });
  const remove = useAction(exchangeRateEndpoints.remove, { done: 'Removed' });
  const columns: readonly Column<Rate>[] = may('transaction.update') ? [...rateColumns, { id: 'remove',
    header: 'Remove', kind: 'actions', width: 100, cell: (row) => !row.used && (
      <Button size="small" variant="quiet" pending={remove.pending}
        onClick={() => void remove.run({ params: { id: row.id } })}>Remove</Button>) }] : rateColumns;
  return (
    <>
      <PageHeader title="Exchange rates" tabs={accountingTabs(may)}
        subtitle="A day without a rate uses the last one published on or before it" />
      {may('transaction.update') && <PageContent><RateForms onChange={list.onRetry} /></PageContent>}
      <DataTable label="Exchange rates" {...list} rowKey={(row) => row.id} columns={columns}
        empty={{ title: 'No rates yet', text: 'Import the file the ECB publishes, or enter one by hand.' }} />
    </>
  );
}

function RateForms({ onChange }: { onChange: () => void }) {
  const form = useResourceForm({
    initial: { base: 'EUR' as string | null, quote: 'USD' as string | null, on: null as string | null, rate: '' },
    submit: ({ base, quote, on, rate }) => call(exchangeRateEndpoints.create,
      { body: { base: base ?? '', quote: quote ?? '', on: on ?? '', rate } }),
    onSaved: () => { toast('Rate entered'); form.reset(); onChange(); },
  });
  return (
    <>
      <Section title="Import the rates of the ECB">
        <FileDrop label="ECB file (CSV)" types={['.csv']} onUpload={async (file, progress, signal) => {
          const data = new FormData();
          data.append('file', file);
          const answer = await call(exchangeRateEndpoints.import, {}, { form: data, signal,
            onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
          const { added, known, differing } = answer.data;
          toast(`${added} rates added, ${known} known already${differing.length > 0
            ? `, ${differing.length} differ from what we have and were left alone` : ''}`);
          onChange();
        }} />
      </Section>
      <Section title="Enter a rate by hand">
        <FormFrame form={form} aria-label="Exchange rate">
          <FormGrid>
            <AsyncSelect label="One unit of" required options={CURRENCIES} {...form.field('base')} />
            <AsyncSelect label="Is worth" required options={CURRENCIES} {...form.field('quote')} />
            <TextField label="Rate" required numeric inputMode="decimal" {...form.field('rate')} />
            <DateField label="Day" required {...form.field('on')} />
          </FormGrid>
          <FormActions><Button type="submit" variant="primary" pending={form.pending}>Enter rate</Button></FormActions>
        </FormFrame>
      </Section>
    </>
  );
}
