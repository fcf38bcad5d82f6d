/** Above a list: search, filters, tools, columns. */
import { Search } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useLateReport } from '#web/controls/late/use-late-report.ts';
import type { FindBox } from './found-rows.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { ColumnChooser, type Density } from './column-chooser.tsx';
import { AddFilter, FilterChips, type TableFilter } from './table-filter.tsx';
import type { SavedViewsState } from '#web/query/use-saved-views.ts';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import type { ColumnResizer } from './column-widths.ts';
import type { ColumnChoices } from './use-column-choices.ts';
import type { TableSearch } from './use-table-search.ts';
import styles from './data-table.module.css';

function ListSearch({ search, placeholder }: { search: FindBox; placeholder: string }) {
  const [text, setText] = useState(search.search);
  const shown = search.search;
  const typed = useLateReport(search.setSearch);
  // Back and Clear change the address: the box follows, and what was being typed is forgotten.
  useEffect(() => {
    typed.forget();
    setText((now) => (now.trim() === shown ? now : shown));
  }, [shown, typed]);
  return (
    <span className={styles.search}>
      <Glyph icon={Search} size={15} />
      <input type="search" value={text} placeholder={placeholder} aria-label={placeholder} data-list-search
        onChange={(event) => { setText(event.target.value); typed.later(event.target.value); }} />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

export interface TableToolbarProps {
  search?: TableSearch | undefined;
  /** Finds among rows that the table holds. */
  find?: FindBox | undefined;
  searchPlaceholder?: string | undefined;
  searchable?: boolean | undefined;
  filters?: readonly TableFilter[] | undefined;
  lead?: ReactNode;
  tools?: ReactNode;
  exporter?: ReactNode;
  choices?: ColumnChoices | undefined;
  /** Ids of the columns that find no room. */
  out?: readonly string[] | undefined;
  resizer?: ColumnResizer | undefined;
  views?: SavedViewsState | undefined;
  density: Density;
  onDensity: (density: Density) => void;
}

export function TableToolbar(props: TableToolbarProps) {
  const { search, find, searchPlaceholder, searchable = true, filters, tools, exporter, choices, resizer } = props;
  const { views, out, lead } = props;
  return (
    <div className={styles.toolbar} data-print="hide">
      {lead && <div className={styles.lead}>{lead}</div>}
      {search && searchable && <ListSearch search={search} placeholder={searchPlaceholder ?? 'Filter this list'} />}
      {find && <ListSearch search={find} placeholder={searchPlaceholder ?? 'Find in these rows'} />}
      {search && filters && <FilterChips filters={filters} search={search} />}
      {search && filters?.some((filter) => !filter.linked) && <AddFilter filters={filters} search={search} />}
      <span className={styles.space} />
      {tools}
      {views && <SavedViewsMenu state={views} choices={choices} />}
      {exporter}
      {choices && (
        <ColumnChooser choices={choices.list} out={out} onShow={choices.show} onMove={choices.move}
          onDrop={choices.drop} onReset={choices.reset} pinned={choices.pinned} onPin={choices.pin}
          onWiden={resizer?.step} density={props.density} onDensity={props.onDensity} />
      )}
    </div>
  );
}
