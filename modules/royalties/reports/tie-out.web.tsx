/** Royalties owed, waiting, prepaid and advanced, beside the accounts of the ledger, by royaltor. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { PaymentsHeader } from '../royalty-list.web.tsx';
import { tieOutEndpoints, type TieOutRow } from './tie-out.contract.ts';

const ACCOUNT_WORDS: Readonly<Record<TieOutRow['account'], string>> = {
  2200: 'Became due, not yet paid', 2205: 'Held in reserve', 2210: 'Earned, not due yet',
  1140: 'Became due before it was earned', 1150: 'Advances not recouped',
};

function columnsOf(rows: readonly TieOutRow[], currency: string): readonly Column<TieOutRow>[] {
  const own = (id: 'royalties_functional_minor' | 'ledger_functional_minor' | 'functional_difference_minor',
    header: string): Column<TieOutRow> => ({ id, header, kind: 'money', cell: (row) => row[id], width: 150,
    total: rows.reduce((all, row) => all + BigInt(row[id]), 0n) });
  return [
    { id: 'royaltor', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, fixed: true, width: 220 },
    { id: 'account', header: 'Account', kind: 'code', cell: (row) => row.account, width: 80 },
    { id: 'what', header: 'Type', kind: 'muted', cell: (row) => ACCOUNT_WORDS[row.account], width: 270 },
    { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
    { id: 'royalties', header: 'Royalties', kind: 'money', cell: (row) => row.royalties_minor, width: 130 },
    { id: 'ledger', header: 'Ledger', kind: 'money', cell: (row) => row.ledger_minor, width: 130 },
    own('royalties_functional_minor', `Royalties, ${currency}`), own('ledger_functional_minor', `Ledger, ${currency}`),
    own('functional_difference_minor', 'Difference'),
  ];
}

export default function TieOut() {
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const only = values.get('differences') === 'true';
  const read = useEndpoint(tieOutEndpoints.report, { query: { division, only_differences: only ? 'true' : 'false' } });
  const report = read.data?.data;
  const readPage = useLoadedRows(report?.rows);
  return (
    <>
      <PaymentsHeader badges={report && (report.differences === 0
          ? <Badge tone="ok" icon={CircleCheck}>Reconciles to the ledger</Badge>
          : <Badge tone="error" icon={TriangleAlert}>
            {report.differences === 1 ? 'One difference' : `${report.differences} differences`}</Badge>)}
        subtitle="Royalties against the ledger, in their own currency and in the division's" />
      <DataTable label="Royalties against the ledger" columns={columnsOf(report?.rows ?? [], report?.currency ?? '')}
        rows={report?.rows} readPage={readPage}
        rowKey={(row) => `${row.account} ${row.royaltor_id} ${row.currency}`} error={read.error}
        onRetry={() => void read.refetch()} totalLabel="Total"
        tools={<Checkbox label="Differences only" value={only}
          onChange={(on) => set({ differences: on ? 'true' : null })} />}
        rowHref={(row) => `/admin/accounting/general-ledger?${new URLSearchParams({ account: row.account, division })}`}
        empty={only ? { title: 'No differences', text: 'Every royaltor ties to the ledger.' }
          : { title: 'Nothing is owed or advanced', text: 'Royalties of this division will stand here.' }} />
    </>
  );
}
