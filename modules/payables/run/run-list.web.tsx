/** Payment runs: what leaves the bank accounts together. */
import { lazy, Suspense, useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { payablesTabs } from '../payables-tabs.ts';
import { runEndpoints, type RunRow } from './payment-run.contract.ts';
import { METHOD_WORDS, paysOf, PAYS_WORDS, RUN_LOOKS, RunBadge, RUNS } from './run-words.web.tsx';

const columns: readonly Column<RunRow>[] = [
  { id: 'number', header: 'Payment run', kind: 'title', cell: (row) => row.number, sort: true, fixed: true,
    width: 180 },
  { id: 'value_on', header: 'Value date', kind: 'date', cell: (row) => row.value_on, sort: true, width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', cell: (row) => <RunBadge run={row} small />, width: 130 },
  { id: 'method', header: 'Method', kind: 'muted', cell: (row) => METHOD_WORDS[row.method], width: 80 },
  { id: 'pays', header: 'Pays', kind: 'muted', width: 130,
    cell: (row) => paysOf(row) },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account, width: 190 },
  { id: 'count', header: 'Payments', kind: 'number', cell: (row) => row.payment_count, width: 90 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'made_by', header: 'Made by', kind: 'muted', cell: (row) => row.created_by_name, width: 150 },
  { id: 'approved_by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 150 },
];

const states = Object.fromEntries(Object.entries(RUN_LOOKS).map(([key, { label }]) => [key, label]));
const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(states) },
  { name: 'method', label: 'Method', options: optionsOf(METHOD_WORDS) },
  { name: 'pays', label: 'Pays', options: optionsOf(PAYS_WORDS) },
];

const AnswerDialog = lazy(() => import('./run-answer.web.tsx'));

export default function RunList() {
  const may = useMay();
  const [isAnswering, setAnswering] = useState(false);
  const list = useList(runEndpoints.list, {}, { filters: ['division', 'status', 'method', 'pays'] });
  const add = may('payment.create')
    && <ButtonLink variant="primary" href={`${RUNS}/create`}>New payment run</ButtonLink>;
  return (
    <>
      <PageHeader title="Payment runs" subtitle="Items due, paid together; each run needs a second person"
        tabs={payablesTabs(may)}>
        {may('payment.create') && <Button onClick={() => setAnswering(true)}>Upload the bank’s answer</Button>}
        {add}
      </PageHeader>
      <DataTable label="Payment runs" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => (may('payment.show') ? `${RUNS}/${row.id}` : undefined)}
        searchPlaceholder="Number or note"
        empty={{ title: 'No payment runs yet', text: 'Choose what is due from one bank account. Another person '
          + 'approves the run, then its file goes to the bank.', action: add || undefined }} />
      {isAnswering && <Suspense><AnswerDialog onClose={() => setAnswering(false)} /></Suspense>}
    </>
  );
}
