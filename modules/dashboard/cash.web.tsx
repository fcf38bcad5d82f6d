/** Bank accounts of the division on the staff home: ledger, bank, and what is still to be matched. */
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import type { Dashboard } from './dashboard.contract.ts';
import styles from './dashboard.module.css';

type Row = NonNullable<Dashboard['cash']>[number];
const BANKING = '/admin/banking';

function columnsOf(linked: boolean): readonly Column<Row>[] {
  return [
    { id: 'name', header: 'Bank account', kind: 'title', cell: (row) => row.name, width: 190 },
    { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 80 },
    { id: 'ledger', header: 'Ledger balance', kind: 'money', cell: (row) => BigInt(row.ledger_minor), width: 130 },
    { id: 'bank', header: 'Bank balance', kind: 'money', width: 130,
      cell: (row) => (row.bank_minor === null ? '' : BigInt(row.bank_minor)) },
    { id: 'unmatched', header: 'Unmatched', kind: 'number', width: 100, cell: (row) => (!linked
      || row.unmatched_count === 0 ? row.unmatched_count || '' : <AppLink className="gr-link"
        href={`${BANKING}/transactions?bank_account_id=${row.bank_account_id}&matched=false`}>
        {row.unmatched_count}</AppLink>) },
    { id: 'statement', header: 'Last statement', kind: 'date', cell: (row) => row.last_statement_on, width: 130 },
  ];
}

export default function Cash({ rows }: { rows: readonly Row[] }) {
  const may = useMay();
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>Cash</h2>
        <AppLink className="gr-link" href={`${BANKING}/bank-accounts`}>Open bank accounts</AppLink>
      </div>
      <DataTable label="Bank accounts" variant="record" columns={columnsOf(may('bank_transaction.list'))} rows={rows}
        rowKey={(row) => row.bank_account_id} searchable={false}
        {...(may('bank_account.show') ? {
          rowHref: (row: Row) => `${BANKING}/bank-accounts/${row.bank_account_id}` } : {})} />
    </section>
  );
}
