/** Above a list: search, filters, tools, columns. Over it, while rows are selected: the bulk bar. */
import { Search, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { AddFilter, FilterChips, type TableFilter } from './table-filter.tsx';
import type { ColumnChoices } from './use-column-choices.ts';
import type { TableSearch } from './use-table-search.ts';
import styles from './data-table.module.css';

/** SPEC.md 9: search input debounce in ms (C59). */
export const SEARCH_DEBOUNCE = 100;

function ListSearch({ search, placeholder }: { search: TableSearch; placeholder: string }) {
  const [text, setText] = useState(search.search);
  const { search: shown, setSearch } = search;
  useEffect(() => setText(shown), [shown]);
  useEffect(() => {
    if (text.trim() === shown) return undefined;
    const timer = setTimeout(() => setSearch(text), SEARCH_DEBOUNCE);
    return () => clearTimeout(timer);
    // Only typing starts the clock: a changed address must not send the old text again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text]);
  return (
    <span className={styles.search}>
      <Glyph icon={Search} size={15} />
      <input type="search" value={text} placeholder={placeholder} aria-label={placeholder} data-list-search
        onChange={(event) => setText(event.target.value)} />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

export interface TableToolbarProps {
  search?: TableSearch | undefined;
  searchPlaceholder?: string | undefined;
  filters?: readonly TableFilter[] | undefined;
  tools?: ReactNode;
  choices?: ColumnChoices | undefined;
}

export function TableToolbar({ search, searchPlaceholder, filters, tools, choices }: TableToolbarProps) {
  return (
    <div className={styles.toolbar} data-print="hide">
      {search && <ListSearch search={search} placeholder={searchPlaceholder ?? 'Filter this list'} />}
      {search && filters && <FilterChips filters={filters} search={search} />}
      {search && filters && filters.length > 0 && <AddFilter filters={filters} search={search} />}
      <span className={styles.space} />
      {tools}
      {choices && (
        <ColumnChooser choices={choices.list} onToggle={choices.toggle} onMove={choices.move} onDrop={choices.drop}
          onReset={choices.reset} />
      )}
    </div>
  );
}

export function BulkBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Selected rows">
      <span className={styles.bulkCount}>{count} selected</span>
      <span className={styles.bulkActions}>{children}</span>
      <button type="button" aria-label="Clear selection" onClick={onClear}><Glyph icon={X} /></button>
    </div>
  );
}
