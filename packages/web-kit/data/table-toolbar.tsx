/** Above a list: search, filters, tools, columns. */
import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { FindBox } from './found-rows.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { ColumnChooser, type Density } from './column-chooser.tsx';
import { AddFilter, FilterChips, type TableFilter } from './table-filter.tsx';
import type { SavedViewsState } from '#web/query/use-saved-views.ts';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import type { ColumnWidths } from './column-widths.ts';
import type { ColumnChoices } from './use-column-choices.ts';
import type { TableSearch } from './use-table-search.ts';
import styles from './data-table.module.css';

/** SPEC.md 9: search input debounce in ms (C59). */
export const SEARCH_DEBOUNCE = 100;

function ListSearch({ search, placeholder }: { search: FindBox; placeholder: string }) {
  const [text, setText] = useState(search.search);
  const shown = search.search;
  const latest = useRef(search);
  latest.current = search;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Back and Clear change the address: the box follows, and what was being typed is forgotten.
  useEffect(() => {
    clearTimeout(timer.current);
    setText((typed) => (typed.trim() === shown ? typed : shown));
  }, [shown]);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current.setSearch(next), SEARCH_DEBOUNCE);
  };
  return (
    <span className={styles.search}>
      <Glyph icon={Search} size={15} />
      <input type="search" value={text} placeholder={placeholder} aria-label={placeholder} data-list-search
        onChange={(event) => type(event.target.value)} />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

export interface TableToolbarProps {
  search?: TableSearch | undefined;
  /** Finds among rows that the table holds. */
  find?: FindBox | undefined;
  searchPlaceholder?: string | undefined;
  filters?: readonly TableFilter[] | undefined;
  tools?: ReactNode;
  exporter?: ReactNode;
  choices?: ColumnChoices | undefined;
  widths?: ColumnWidths | undefined;
  views?: SavedViewsState | undefined;
  density: Density;
  onDensity: (density: Density) => void;
}

export function TableToolbar(props: TableToolbarProps) {
  const { search, find, searchPlaceholder, filters, tools, exporter, choices, widths, views } = props;
  return (
    <div className={styles.toolbar} data-print="hide">
      {search && <ListSearch search={search} placeholder={searchPlaceholder ?? 'Filter this list'} />}
      {find && <ListSearch search={find} placeholder={searchPlaceholder ?? 'Find in these rows'} />}
      {search && filters && <FilterChips filters={filters} search={search} />}
      {search && filters?.some((filter) => !filter.linked) && <AddFilter filters={filters} search={search} />}
      <span className={styles.space} />
      {tools}
      {views && <SavedViewsMenu state={views} choices={choices} />}
      {exporter}
      {choices && (
        <ColumnChooser choices={choices.list} onToggle={choices.toggle} onMove={choices.move} onDrop={choices.drop}
          onReset={choices.reset} pinned={choices.pinned} onPin={choices.pin} onWiden={widths?.step}
          density={props.density} onDensity={props.onDensity} />
      )}
    </div>
  );
}
