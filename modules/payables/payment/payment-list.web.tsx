/** All money in and out with the trash of drafts, and the payables view of the same records: money out alone. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { accountingTabs } from '#modules/accounting/accounting-tabs.ts';
import { bankAccountEndpoints } from '#modules/banking/bank-account/bank-account.contract.ts';
import {
  paymentBulk, paymentEndpoints, paymentTrashBulk, type PaymentRow,
} from '#modules/receivables/payments/payment.contract.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { PurgeButton } from '../purge-button.web.tsx';
import { PAYABLES, payablesTabs } from '../payables-tabs.ts';
import {
  carrierOf, DIRECTION_LABELS, KIND_LABELS, METHOD_LABELS, PARTY_LABELS, paymentBadge, PAYMENTS, RECEIPTS,
  STATUS_LABELS,
} from './payment-words.web.tsx';

const columns: readonly Column<PaymentRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 180 },
  { id: 'paid_on', header: 'Date', kind: 'date', cell: (row) => row.paid_on, sort: true, width: 120 },
  { id: 'direction', header: 'In or out', kind: 'muted', cell: (row) => DIRECTION_LABELS[row.direction], width: 90 },
  { id: 'party', header: 'Party', kind: 'text', cell: (row) => row.party_name, sort: true, width: 220 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 140 },
  { id: 'method', header: 'Method', kind: 'muted', cell: (row) => METHOD_LABELS[row.method], width: 90 },
  { id: 'status', header: 'Status', kind: 'badge', cell: (row) => paymentBadge(row, true), width: 130 },
  { id: 'carrier', header: 'Leaves with', kind: 'code', cell: (row) => carrierOf(row)?.text, width: 160 },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account ?? row.account, width: 180 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'reference', header: 'Reference', kind: 'muted', cell: (row) => row.reference, hidden: true, width: 160 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], hidden: true,
    width: 110 },
  { id: 'memo', header: 'Note', kind: 'muted', cell: (row) => row.memo, hidden: true, width: 200 },
];

const FILTER_NAMES = ['status', 'direction', 'kind', 'party_type', 'method', 'division', 'currency',
  'bank_account_id', 'paid_from', 'paid_to', 'customer_id', 'vendor_id', 'royaltor_id'] as const;

function useFilters(way: 'both' | 'out', rows: readonly PaymentRow[] | undefined): readonly TableFilter[] {
  const accounts = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const name = rows?.[0]?.party_name;
  return [
    { name: 'status', label: 'Status', options: optionsOf(STATUS_LABELS) },
    ...(way === 'both' ? [{ name: 'direction', label: 'In or out', options: optionsOf(DIRECTION_LABELS) }] : []),
    { name: 'kind', label: 'Kind', options: optionsOf(KIND_LABELS)
      .filter(({ value }) => way === 'both' || !['receipt', 'credit'].includes(value)) },
    { name: 'party_type', label: 'Party', options: optionsOf(PARTY_LABELS) },
    { name: 'method', label: 'Method', options: optionsOf(METHOD_LABELS) },
    { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
    { name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }) },
    { name: 'bank_account_id', label: 'Bank account', options: (accounts.data?.data ?? []).map((row) => (
      { value: String(row.id), label: row.name })) },
    { name: 'paid_from', label: 'Date', verb: 'from', kind: 'date' },
    { name: 'paid_to', label: 'Date', verb: 'until', kind: 'date' },
    { name: 'customer_id', label: 'Customer', linked: { name } },
    { name: 'vendor_id', label: 'Vendor', linked: { name } },
    { name: 'royaltor_id', label: 'Royaltor', linked: { name } },
  ];
}

const SEARCH = 'Number, party or reference';

export default function PaymentList() {
  const may = useMay();
  const list = useList(paymentEndpoints.list, {}, { perPage: 25, filters: [...FILTER_NAMES], bulk: paymentBulk });
  const filters = useFilters('both', list.rows);
  const trashColumns: readonly Column<PaymentRow>[] = [
    ...columns.filter(({ id }) => ['number', 'paid_on', 'party', 'method', 'amount_minor', 'currency'].includes(id)),
    ...(may('payment.forceDelete') ? [{ id: 'purge', header: 'Delete', kind: 'actions' as const, width: 140,
      cell: (row: PaymentRow) => <PurgeButton endpoint={paymentEndpoints.purge} row={row} noun="Payment" /> }] : [])];
  return (
    <TrashList<PaymentRow> one="payment" many="payments" href={PAYMENTS} mayCreate={may('payment.create')}
      subtitle="Receipts, refunds, and payments to vendors and royaltors" mayRemove={may('payment.list_trash')}
      endpoints={paymentEndpoints} tabs={accountingTabs(may)} trashColumns={trashColumns} trashBulk={paymentTrashBulk}>
      <DataTable label="Payments" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => hrefOf(row, may)} searchPlaceholder={SEARCH}
        empty={{ title: 'No payments yet', text: 'Record a receipt under Accounts receivable, or pay a vendor with New '
          + 'payment.' }} />
    </TrashList>
  );
}

/** A receipt is applied and returned on its own page. */
function hrefOf(row: PaymentRow, may: ReturnType<typeof useMay>): string | undefined {
  if (row.direction === 'in') return may('payment.show') ? `${RECEIPTS}/${row.id}` : undefined;
  if (may('payment.update')) return `${PAYMENTS}/${row.id}`;
  return may('payment.show') ? `${PAYABLES}/payments/${row.id}` : undefined;
}

/** Money out, as Payables shows it. */
export function PayablePayments() {
  const may = useMay();
  const list = useList(paymentEndpoints.payable, {}, { perPage: 25,
    filters: FILTER_NAMES.filter((name) => name !== 'direction') });
  const filters = useFilters('out', list.rows);
  return (
    <>
      <PageHeader title="Accounts payable" tabs={payablesTabs(may)}
        subtitle="Payments to vendors, customers, royaltors and tax authorities">
        {may('payment.create') && <ButtonLink variant="primary" href={`${PAYMENTS}/create`}>New payment</ButtonLink>}
      </PageHeader>
      <DataTable label="Payments out" {...list} columns={columns.filter(({ id }) => id !== 'direction')}
        filters={filters} rowKey={(row) => row.id} searchPlaceholder={SEARCH}
        rowHref={(row) => (may('payment.show') ? `${PAYABLES}/payments/${row.id}` : undefined)}
        empty={{ title: 'Nothing paid yet', text: 'Pay one bill with New payment, or everything that is due with a '
          + 'payment run.' }} />
    </>
  );
}
