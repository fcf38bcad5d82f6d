/** Headings of a table, with sorting and the box that selects the page. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import { sortName, wholeHeader, type Column } from './column.ts';
import { ColumnEdge } from './column-edge.tsx';
import type { ColumnResizer } from './column-widths.ts';
import type { TableSearch } from './use-table-search.ts';
import styles from './data-table.module.css';
import tools from './table-tools.module.css';

export interface ShownColumn<Row> {
  column: Column<Row>;
  /** Of its head; none: the table's own layout decides. */
  width: string | undefined;
  /** Width its text may take up (column-room.ts); none: it is never cut. */
  room?: CSSProperties | undefined;
}

export interface TableHeadProps<Row> {
  shown: readonly ShownColumn<Row>[];
  selectable: boolean;
  search?: TableSearch | undefined;
  all: boolean;
  some: boolean;
  /** Only a part of the rows is drawn: the head says that it is the first of them. */
  many?: boolean | undefined;
  onAll: () => void;
  /** Sets widths; none: the table has no choices of the reader. */
  resizer?: ColumnResizer | undefined;
}

function Heading<Row>({ column, width, room, search, resizer, first }: ShownColumn<Row> & {
  search: TableSearch | undefined; resizer: ColumnResizer | undefined; first: boolean;
}) {
  const name = sortName(column);
  const sorted = name !== undefined && search?.sortBy === name ? search.sortDirection : null;
  const whole = wholeHeader(column);
  const aria = sorted === null ? undefined : sorted === 'asc' ? 'ascending' as const : 'descending' as const;
  return (
    <th scope="col" className={styles.head} data-kind={column.kind ?? 'text'} aria-sort={aria} data-column={column.id}
      aria-label={resizer && whole} data-room={room ? true : undefined} style={{ width, ...room }}>
      {column.kind === 'actions' ? <span className="gr-hidden">{column.header}</span>
        : name && search ? (
          <button type="button" className={styles.sort} data-head onClick={() => search.toggleSort(name)}>
            {column.header}
            {sorted && <Glyph icon={sorted === 'asc' ? ArrowUp : ArrowDown} size={13} />}
          </button>
        ) : <span data-head title={whole === column.header ? undefined : whole}>{column.header}</span>}
      {resizer && column.kind !== 'actions'
        && <ColumnEdge id={column.id} name={whole} first={first} resizer={resizer} />}
    </th>
  );
}

export function TableHead<Row>({ shown, selectable, search, all, some, many, onAll, resizer }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={many ? 1 : undefined}>
        {selectable && (
          <th scope="col" className={styles.pick}>
            <input type="checkbox" className={tools.check} checked={all}
              aria-label={many ? 'Select all rows' : 'Select all rows of this page'}
              ref={(box) => { if (box) box.indeterminate = some && !all; }} onChange={onAll} />
          </th>
        )}
        {shown.map((entry, index) => (
          <Heading key={entry.column.id} {...entry} search={search} resizer={resizer} first={index === 0} />
        ))}
      </tr>
    </thead>
  );
}
