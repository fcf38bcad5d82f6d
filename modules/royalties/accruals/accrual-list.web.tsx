/** Accruals of a division: what every line of income earned each royaltor; the sharing opens beside the list. */
import { spell } from '#kernel/text/english.ts';
import { INCOME_LABELS } from '#modules/catalogue/agreement/agreement.contract.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { TraceIcon } from '#web/data/trace.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Drawer } from '#web/layout/overlay.tsx';
import { Columns } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { RoyaltorFilter } from '../royaltor-filter.web.tsx';
import { SalesHeader } from '../royalty-list.web.tsx';
import { accrualState, rateWords, STATE_WORDS, statementName } from '../royalty-words.web.ts';
import { accrualEndpoints, type AccrualRow } from './accrual.contract.ts';
import { AccrualTrace } from './accrual-trace.web.tsx';

const FILTERS = ['state', 'income_type', 'from', 'to', 'royaltor_id', 'show_royaltor_id', 'show_id', 'license_id',
  'statement_id'] as const;

export const accrualColumns: readonly Column<AccrualRow>[] = [
  { id: 'royaltor', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, width: 190, fixed: true },
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 190 },
  { id: 'license', header: spell`License`, kind: 'code', cell: (row) => row.license_number, width: 150 },
  { id: 'income', header: 'Income', kind: 'muted', cell: (row) => INCOME_LABELS[row.income_type], width: 100 },
  { id: 'occurred_on', header: 'Date', kind: 'date', cell: (row) => row.occurred_on, sort: true, width: 110 },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: (row) => {
    const look = accrualState(row);
    return <Badge small tone={look.tone}>{look.label}</Badge>;
  } },
  { id: 'statement', header: 'Statement', kind: 'code', width: 150, hidden: true, cell: (row) => (
    row.statement_id === null ? null : statementName({ id: row.statement_id, number: row.statement_number })) },
  { id: 'base', header: 'Base', kind: 'money', cell: (row) => row.base_minor, width: 120 },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => rateWords(row.rate_ppm), width: 80 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'amount_minor', header: 'Royalty', kind: 'money', cell: (row) => row.amount_minor, sort: true, width: 110 },
];
const chosen = [
  { name: 'state', label: 'Status', options: optionsOf(STATE_WORDS) },
  { name: 'income_type', label: 'Income', options: optionsOf(INCOME_LABELS) },
  { name: 'from', label: 'Date', verb: 'from', kind: 'date' as const },
  { name: 'to', label: 'Date', verb: 'until', kind: 'date' as const },
];

export default function AccrualList() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const list = useList(accrualEndpoints.list, { query: { division } }, { filters: FILTERS });
  const [one] = list.rows ?? [];
  const filters = [...chosen, { name: 'show_royaltor_id', label: 'Agreement',
      linked: { name: one && `${one.royaltor_name}, ${one.show_title}` } },
    { name: 'show_id', label: 'Show', linked: { name: one?.show_title } },
    { name: 'license_id', label: spell`License`, linked: { name: one?.license_number } },
    { name: 'statement_id', label: 'Statement', linked: { name: one?.statement_number } }];
  const open = may('show_royaltor.show') ? Number(values.get('accrual')) || null : null;
  const show = (id: number | null) => set({ accrual: id === null ? null : String(id) });
  return (
    <>
      <SalesHeader division subtitle="Royalties earned, by line of income and royaltor" />
      <Columns side={open !== null && (
        <Drawer open onClose={() => show(null)} width={396} icon={<TraceIcon />} title="Royalty split">
          <AccrualTrace key={open} id={open} />
        </Drawer>
      )}>
        <DataTable label="Accruals" {...list} columns={accrualColumns} filters={filters} rowKey={(row) => row.id}
          {...(may('show_royaltor.show') ? { onOpen: (row: AccrualRow) => show(row.id) } : {})} current={open}
          searchPlaceholder="Royaltor or show" tools={<RoyaltorFilter />}
          empty={{ title: 'Nothing earned here yet',
            text: 'A royalty is shared as soon as income is invoiced or a box-office report is accepted.' }} />
      </Columns>
    </>
  );
}
