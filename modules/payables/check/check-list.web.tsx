/** Checks: those that wait to be printed, and every number that was taken. */
import { lazy, Suspense, useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { CHECKING, payablesTabs } from '../payables-tabs.ts';
import { checkEndpoints, type CheckRow } from './check.contract.ts';
import { STATE_LABELS, stateBadge } from './check-words.web.tsx';

const PrintDialog = lazy(() => import('./print-dialog.web.tsx'));
const TemplateDialog = lazy(() => import('./template-dialog.web.tsx'));
const PositivePayDialog = lazy(() => import('./positive-pay-dialog.web.tsx'));
const SkipDialog = lazy(() => import('./skip-dialog.web.tsx'));

const columns: readonly Column<CheckRow>[] = [
  { id: 'check_number', header: 'Number', kind: 'title', cell: (row) => row.check_number ?? 'Not printed',
    sort: true, fixed: true, width: 130 },
  { id: 'payee', header: 'Payee', kind: 'text', cell: (row) => row.payee, width: 240 },
  { id: 'checked_on', header: 'Date', kind: 'date', cell: (row) => row.checked_on, sort: true, width: 120 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor > 0
    ? BigInt(row.amount_minor) : null, sort: true, width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account, width: 180 },
  { id: 'payment', header: 'Payment', kind: 'code', cell: (row) => row.payment_number, width: 160 },
  { id: 'memo', header: 'Memo', kind: 'muted', cell: (row) => row.memo, width: 160 },
  { id: 'state', header: 'Status', kind: 'badge', cell: (row) => stateBadge(row, true), width: 150 },
  { id: 'created_at', header: 'Created', kind: 'date', cell: (row) => row.created_at, sort: true, width: 120,
    hidden: true },
];

const filters = [
  { name: 'state', label: 'Status', options: optionsOf(STATE_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'created_at_from', label: 'Created', verb: 'from', kind: 'date' as const },
  { name: 'created_at_to', label: 'Created', verb: 'until', kind: 'date' as const },
];

type OpenDialog = 'print' | 'template' | 'positive-pay' | 'skip' | null;

export default function CheckList() {
  const may = useMay();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const list = useList(checkEndpoints.list, {},
    { filters: ['state', 'division', 'created_at_from', 'created_at_to', 'bank_account_id'] });
  const end = () => setDoing(null);
  const menu = [
    { label: 'Positive pay', onSelect: () => setDoing('positive-pay') },
    ...(may('payment.updateStatus') ? [{ label: 'Record spoiled forms', onSelect: () => setDoing('skip') }] : []),
    { label: 'Print settings', onSelect: () => setDoing('template') },
  ];
  const add = may('payment.create') && <ButtonLink href={`${CHECKING}/create`}>{spell`New check`}</ButtonLink>;
  return (
    <>
      <PageHeader title={spell`Checks`} subtitle="Every number of a bank account, and what waits to be printed"
        tabs={payablesTabs(may)}>
        <ActionMenu actions={menu} label={spell`Actions of checks`} />
        {add}
        {may('payment.create') && (
          <Button variant="primary" onClick={() => setDoing('print')}>{spell`Print checks`}</Button>
        )}
      </PageHeader>
      <DataTable label={spell`Checks`} {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => (may('payment.show') ? `${CHECKING}/${row.id}/information` : undefined)}
        searchPlaceholder="Number, payee, payment or memo"
        empty={{ title: spell`No checks yet`, text: spell`Pay a vendor or a refund by check: it waits here for approval,
          is printed with the next number of its bank account, and clears with the bank’s line.`,
        action: add || undefined }} />
      <Suspense fallback={null}>
        {doing === 'print' && <PrintDialog onClose={end} />}
        {doing === 'template' && <TemplateDialog onClose={end} />}
        {doing === 'positive-pay' && <PositivePayDialog onClose={end} />}
        {doing === 'skip' && <SkipDialog onClose={end} />}
      </Suspense>
    </>
  );
}
