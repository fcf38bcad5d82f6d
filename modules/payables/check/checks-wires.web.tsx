/** Payments that left or will leave by check or wire. */
import { spell } from '#kernel/text/english.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { CHECKING, PAYABLES, payablesTabs } from '../payables-tabs.ts';
import { checksWiresEndpoints, type CheckWireRow } from './checks-wires.contract.ts';

const METHODS = { check: spell`Check`, wire: 'Wire' };
const STATUSES = { draft: 'Draft', approved: 'Approved', posted: 'Paid', cleared: 'Cleared', returned: 'Returned',
  void: 'Withdrawn', reversed: 'Reversed' };
const TONES = { draft: 'warn', approved: 'info', posted: 'neutral', cleared: 'ok', returned: 'error', void: 'neutral',
  reversed: 'neutral' } as const;

const columns: readonly Column<CheckWireRow>[] = [
  { id: 'number', header: 'Payment', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 180 },
  { id: 'payee', header: 'Payee', kind: 'text', cell: (row) => row.payee, width: 240 },
  { id: 'method', header: 'Method', kind: 'muted', cell: (row) => METHODS[row.method], width: 100 },
  { id: 'check', header: spell`Check number`, kind: 'code', cell: (row) => row.check_number, width: 120 },
  { id: 'paid_on', header: 'Date', kind: 'date', cell: (row) => row.paid_on, sort: true, width: 120 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'account', header: 'Paid from', kind: 'muted', cell: (row) => row.bank_account, width: 180 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={TONES[row.status]} small>{STATUSES[row.status]}</Badge> },
];

const filters = [
  { name: 'method', label: 'Method', options: optionsOf(METHODS) },
  { name: 'status', label: 'Status', options: optionsOf(STATUSES) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function ChecksWires() {
  const may = useMay();
  const list = useList(checksWiresEndpoints.list, {}, { filters: ['method', 'status', 'division'] });
  return (
    <>
      <PageHeader title={spell`Checks and wires`} subtitle="Payments to vendors, customers and royaltors"
        tabs={payablesTabs(may)} />
      <DataTable label={spell`Checks and wires`} {...list} columns={columns} filters={filters}
        rowKey={(row) => row.id} searchPlaceholder="Payment, payee or number"
        rowHref={(row) => (!may('payment.show') ? undefined : row.check_id === null
          ? `${PAYABLES}/payments/${row.id}` : `${CHECKING}/${row.check_id}/information`)}
        empty={{ title: 'No payments yet', text: spell`Payments by check and by wire are listed here once they are
          made.` }} />
    </>
  );
}
