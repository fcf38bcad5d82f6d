/** Headings of a table, with sorting and the box that selects the page. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Glyph } from '#web/layout/icons.tsx';
import type { Column } from './column.ts';
import type { TableSearch } from './use-table-search.ts';
import styles from './data-table.module.css';
import tools from './table-tools.module.css';

export interface ShownColumn<Row> { column: Column<Row>; width: number }

export interface TableHeadProps<Row> {
  shown: readonly ShownColumn<Row>[];
  selectable: boolean;
  search?: TableSearch | undefined;
  all: boolean;
  some: boolean;
  onAll: () => void;
}

function Heading<Row>({ column, width, search }: ShownColumn<Row> & { search: TableSearch | undefined }) {
  const name = column.sort === true ? column.id : column.sort;
  const sorted = typeof name === 'string' && search?.sortBy === name ? search.sortDirection : null;
  const aria = sorted === null ? undefined : sorted === 'asc' ? 'ascending' as const : 'descending' as const;
  return (
    <th scope="col" className={styles.head} data-kind={column.kind ?? 'text'} aria-sort={aria} style={{ width }}>
      {column.kind === 'actions' ? <span className="gr-hidden">{column.header}</span>
        : name && search ? (
          <button type="button" className={styles.sort} onClick={() => search.toggleSort(name)}>
            {column.header}
            {sorted && <Glyph icon={sorted === 'asc' ? ArrowUp : ArrowDown} size={13} />}
          </button>
        ) : column.header}
    </th>
  );
}

export function TableHead<Row>({ shown, selectable, search, all, some, onAll }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {selectable && (
          <th scope="col" className={styles.pick}>
            <input type="checkbox" className={tools.check} aria-label="Select all rows of this page" checked={all}
              ref={(box) => { if (box) box.indeterminate = some && !all; }} onChange={onAll} />
          </th>
        )}
        {shown.map((entry) => <Heading key={entry.column.id} {...entry} search={search} />)}
      </tr>
    </thead>
  );
}
