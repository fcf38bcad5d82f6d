/** Lists of the gallery: one with everything around it, one loading, one empty, one that failed. */
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { PHASES, PhaseBadge } from '#web/data/badge.tsx';
import type { Column, RowEdits } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { useTableSearch } from '#web/data/use-table-search.ts';
import type { SavedViewsState } from '#web/query/use-saved-views.ts';
import { sampleAccounts, sampleQuotes, type SampleQuote } from './samples.ts';
import styles from './gallery.module.css';

/** Two views of the list: one's own, and a colleague's that is shared. */
const view = { page_key: '/gallery', search: { phase: 'sent' }, columns: [], is_default: false, version: 1 };
const mine = { ...view, id: 1, name: 'Waiting for a signature', shared: false, mine: true,
  owner_name: 'Eleanor Marsh' };
const views: SavedViewsState = { pageKey: '/gallery', current: undefined, changed: false, search: {},
  plainHref: '/gallery', hrefOf: ({ id }) => `/gallery?saved=${id}`, views: [mine,
    { ...view, id: 2, name: 'Openings of the quarter', shared: true, mine: false, owner_name: 'Theo Brandt' }] };

function RowMenu({ title }: { title: string }) {
  const recall = () => undoable(`${title} recalled`, () => Promise.resolve());
  return <ActionMenu label={`Actions for ${title}`} actions={[{ label: 'Recall', icon: Trash2, onSelect: recall }]} />;
}

export const quoteColumns: readonly Column<SampleQuote>[] = [
  { id: 'number', header: 'Quote', kind: 'code', cell: (row) => row.number, sort: true },
  { id: 'title', header: 'Title', kind: 'title', cell: (row) => row.title, sort: true, fixed: true, width: 240 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer, width: 200,
    edit: { field: 'customer', as: 'text', value: (row) => row.customer } },
  { id: 'phase', header: 'Phase', kind: 'badge', cell: (row) => <PhaseBadge phase={row.phase} small /> },
  { id: 'opening', header: 'Opening', kind: 'date', cell: (row) => row.opening, sort: true,
    edit: { field: 'opening', as: 'date', value: (row) => row.opening, optional: true } },
  { id: 'performances', header: 'Perfs', kind: 'number', cell: (row) => row.performances, width: 60 },
  { id: 'total', header: 'Total, USD', kind: 'money', cell: (row) => row.total_minor, sort: true, width: 110 },
  { id: 'expires', header: 'Expires', cell: (row) => row.expires, hidden: true },
  { id: 'actions', header: 'Actions', kind: 'actions', width: 44,
    cell: (row) => <RowMenu title={row.title} /> },
];
const FILTERS = [
  { name: 'phase', label: 'Phase',
    options: Object.entries(PHASES).map(([value, look]) => ({ value, label: look.label })) },
  { name: 'opening_after', label: 'Opening', verb: 'after', kind: 'date' as const },
];

/** A server that answers like the real one, and forgets. */
const edits: RowEdits<SampleQuote> = { reread: () => Promise.resolve(),
  save: (row, changes) => Promise.resolve({ ...row, ...changes }) };

export function Lists() {
  const search = useTableSearch({ filters: FILTERS.map((filter) => filter.name) });
  const rows = useMemo(() => sampleQuotes.filter(
    (row) => row.title.toLowerCase().includes(search.search.toLowerCase())
      && (!search.filters.phase || row.phase === search.filters.phase),
  ), [search]);
  const page = {
    current_page: 1, from: rows.length ? 1 : 0, to: rows.length, last_page: 4, per_page: search.perPage, total: 38,
  };
  return (
    <DataTable label="Quotes" columns={quoteColumns} rows={rows} rowKey={(row) => row.id} search={search}
      filters={FILTERS} views={views} page={page} selectable edits={edits}
      rowHref={(row) => `/gallery?search=${encodeURIComponent(row.title)}`}
      readPage={(at) => Promise.resolve({ rows: at === 1 ? rows : [], pages: 1, total: rows.length })}
      summary={<>Total of 38 <strong>171,940.00</strong></>}
      bulk={(keys, clear) => (
        <button type="button" onClick={() => { toast(`${keys.length} reminded`); clear(); }}>Remind</button>
      )} />
  );
}

export function TableStates() {
  // Some of the columns: a screen has at most 3,000 elements, and this is the fullest one.
  const table = { columns: quoteColumns.slice(0, 5), rowKey: (row: SampleQuote) => row.id };
  const search = useTableSearch({ prefix: 'loading_', perPage: 6 });
  return (
    <div className={styles.stack}>
      <DataTable {...table} label="Loading" rows={undefined} search={search} />
      <DataTable {...table} label="Perusals" rows={[]} empty={{
        title: 'No perusals yet', text: 'A perusal copy lets a customer read a work before choosing it.',
        action: <Button variant="primary">Send a perusal</Button>,
      }} />
      <DataTable {...table} label="Failed" rows={undefined} error={new Error('Network Error')}
        onRetry={() => toast('Trying again')} />
    </div>
  );
}

interface JournalLine { id: number; day: string; account: string; memo: string; minor: number }
const DAY = 86_400_000;
const YEAR = Date.UTC(2026, 0, 1);
/** As many as a browser holds (frontend.md 3), the same every time. */
const journal: readonly JournalLine[] = Array.from({ length: 10_000 }, (_, index) => {
  const account = sampleAccounts[index % sampleAccounts.length]!;
  return {
    id: index + 1, day: new Date(YEAR + (index % 365) * DAY).toISOString().slice(0, 10),
    account: `${account.number} ${account.name}`,
    memo: `Line ${(index + 1).toLocaleString('en-US')}, ${sampleQuotes[index % sampleQuotes.length]!.title}`,
    minor: ((index * 7919) % 500_000) - 250_000,
  };
});
const journalColumns: readonly Column<JournalLine>[] = [
  { id: 'id', header: 'Line', kind: 'code', width: 80, cell: (row) => String(row.id) },
  { id: 'day', header: 'Day', kind: 'date', width: 120, cell: (row) => row.day },
  { id: 'account', header: 'Account', width: 220, cell: (row) => row.account },
  { id: 'memo', header: 'Memo', kind: 'muted', width: 300, cell: (row) => row.memo },
  { id: 'minor', header: 'Amount', kind: 'money', width: 120, cell: (row) => row.minor,
    total: journal.reduce((sum, row) => sum + row.minor, 0) },
];

/** Asked for: the gallery alone has nearly as many elements as a screen may. */
export function HeldRows() {
  const [shown, setShown] = useState(false);
  if (!shown) return <Button onClick={() => setShown(true)}>Show ten thousand rows</Button>;
  return (
    <DataTable label="Lines of a year" variant="ledger" columns={journalColumns} rows={journal}
      rowKey={(row) => row.id} totalLabel="10,000 lines" />
  );
}
