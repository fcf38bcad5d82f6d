/** Deposit slips, and what waits in Undeposited funds. */
import { diffDays } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { AGED_DAYS } from '../aged-days.ts';
import { bankingTabs, DEPOSIT_SLIPS } from '../banking-tabs.ts';
import { depositSlipEndpoints, type DepositSlipRow, type UndepositedRow } from './deposit-slip.contract.ts';
import { SLIP_LABELS, slipBadge } from './slip-words.web.tsx';

const columns: readonly Column<DepositSlipRow>[] = [
  { id: 'number', header: 'Deposit slip', kind: 'title', cell: (row) => row.number, sort: true, fixed: true,
    width: 180 },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account, width: 190 },
  { id: 'deposited_on', header: 'Date', kind: 'date', cell: (row) => row.deposited_on, sort: true, width: 120 },
  { id: 'items', header: 'Receipts', kind: 'number', cell: (row) => row.item_count, width: 90 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 140 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'state', header: 'Status', kind: 'badge', cell: (row) => slipBadge(row, true), width: 130 },
];

const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(SLIP_LABELS) },
];

export default function DepositSlipList() {
  const may = useMay();
  const list = useList(depositSlipEndpoints.list, {}, { filters: ['division', 'status', 'bank_account_id'] });
  const add = may('bank_transaction.create')
    && <ButtonLink variant="primary" href={`${DEPOSIT_SLIPS}/create`}>New deposit slip</ButtonLink>;
  return (
    <>
      <PageHeader title="Deposit slips" subtitle="Checks and cash on their way to the bank" tabs={bankingTabs(may)}>
        {add}
      </PageHeader>
      <Undeposited />
      <DataTable label="Deposit slips" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => (may('bank_transaction.show') ? `${DEPOSIT_SLIPS}/${row.id}` : undefined)}
        searchPlaceholder="Number or note"
        empty={{ title: 'No deposit slips yet', text: spell`Receipts by check and cash wait in Undeposited funds.`
          + ' Put them on a slip, take it to the bank, and record the deposit.', action: add || undefined }} />
    </>
  );
}

function Undeposited() {
  const read = useEndpoint(depositSlipEndpoints.undeposited, {});
  return (read.data?.data ?? []).map((row) => <WaitingNote key={`${row.division} ${row.currency}`} row={row} />);
}

function WaitingNote({ row }: { row: UndepositedRow }) {
  const aged = row.oldest_on !== null && diffDays(row.oldest_on, today()) > AGED_DAYS;
  const rest = row.ledger_minor - row.receipts_minor;
  const count = `${row.receipt_count} ${row.receipt_count === 1 ? 'receipt' : 'receipts'}`;
  return (
    <Callout tone={aged || rest !== 0 ? 'warn' : 'info'}
      title={`${DIVISION_LABELS[row.division]}: ${formatAmount(row.ledger_minor, row.currency)} not deposited`}>
      {row.oldest_on !== null && `${count}, the oldest of ${formatDay(row.oldest_on)}. `}
      {rest !== 0 && `${formatAmount(rest, row.currency)} on account 1010 belongs to no receipt. Check its postings.`}
    </Callout>
  );
}
