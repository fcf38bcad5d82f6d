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
  /** Only a part of the rows is drawn: the head says that it is the first of them. */
  many?: boolean | undefined;
  onAll: () => void;
}

/** Words give way where there is little room; figures, days and badges never do. */
export function givesWay({ kind = 'text' }: Pick<Column<never>, 'kind'>): boolean {
  return kind === 'title' || kind === 'text' || kind === 'muted';
}

function Heading<Row>({ column, width, search }: Pick<ShownColumn<Row>, 'column'> & {
  search: TableSearch | undefined; width: number | undefined;
}) {
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

export function TableHead<Row>({ shown, selectable, search, all, some, many, onAll }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={many ? 1 : undefined}>
        {selectable && (
          <th scope="col" className={styles.pick}>
            <input type="checkbox" className={tools.check} aria-label={many ? 'Select all rows' : 'Select all rows of this page'} checked={all}
              ref={(box) => { if (box) box.indeterminate = some && !all; }} onChange={onAll} />
          </th>
        )}
        {shown.map(({ column, width }) => (
          <Heading key={column.id} column={column} width={many && givesWay(column) ? undefined : width}
            search={search} />
        ))}
      </tr>
    </thead>
  );
}
