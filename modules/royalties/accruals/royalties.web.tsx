/** Royalties by royaltor: earned, due, paid and still owed, per division and currency (A284). */
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { CalculateLink, CURRENCY_FILTER, opensAt, SalesHeader } from '../royalty-list.web.tsx';
import { SALES } from '../royalty-words.web.ts';
import { accrualEndpoints, type RoyaltySummaryRow } from './accrual.contract.ts';

const columns: readonly Column<RoyaltySummaryRow>[] = [
  { id: 'royaltor_name', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, sort: true, fixed: true,
    width: 220 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, width: 90 },
  { id: 'agreements', header: 'Agreements', kind: 'number', cell: (row) => row.agreements, width: 100 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'earned_minor', header: 'Earned', kind: 'money', cell: (row) => row.earned_minor, sort: true, width: 120 },
  { id: 'due', header: 'Became due', kind: 'money', cell: (row) => row.due_minor, width: 120 },
  { id: 'paid', header: 'Paid', kind: 'money', cell: (row) => row.paid_minor, width: 120 },
  { id: 'payable_minor', header: 'Owed now', kind: 'money', cell: (row) => row.payable_minor, sort: true, width: 120 },
  { id: 'not_due', header: 'Earned, not due yet', kind: 'money', cell: (row) => row.not_due_minor, width: 150 },
  { id: 'unrecouped', header: 'Advances open', kind: 'money', cell: (row) => row.unrecouped_minor, width: 120 },
  { id: 'reserve', header: 'Reserve', kind: 'money', cell: (row) => row.reserve_minor, width: 110 },
];

export default function Royalties() {
  const may = useMay();
  const [division] = useDivision();
  const list = useList(accrualEndpoints.royalties, { query: { division } }, { filters: ['currency'] });
  return (
    <>
      <SalesHeader division subtitle="Earned, paid and owed, by author and estate">
        {may('royaltor.list') && <ButtonLink href="/admin/royaltors">Royaltors</ButtonLink>}
        <CalculateLink division={division} />
      </SalesHeader>
      <DataTable label="Royalties by royaltor" {...list} columns={columns} filters={[CURRENCY_FILTER]}
        rowKey={(row) => row.id}
        {...opensAt<RoyaltySummaryRow>(may('show_royaltor.list'), (row) =>
          `${SALES}/accruals?division=${row.division}&royaltor_id=${row.royaltor_id}`)}
        searchPlaceholder="Name of a royaltor"
        empty={{ title: 'Nobody has earned anything here yet',
          text: 'Royalties are earned by performances, rentals and sales of shows with agreements.' }} />
    </>
  );
}
