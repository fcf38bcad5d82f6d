/** Rows of a table, the skeleton in their geometry, and the totals row. */
import { Fragment, type MouseEvent, type PointerEvent, type ReactNode } from 'react';
import { AppLink, isPlainClick, useNavigation } from '#web/navigation/navigation.tsx';
import { wholeHeader, type Column, type RowEdits } from './column.ts';
import { DateText } from './date-text.tsx';
import { EditableCell } from './editable-cell.tsx';
import { Skeleton } from './empty-state.tsx';
import { Money } from './money.tsx';
import type { ShownColumn } from './table-head.tsx';
import styles from './data-table.module.css';
import tools from './table-tools.module.css';

export interface TableBodyProps<Row> {
  shown: readonly ShownColumn<Row>[];
  selectable: boolean;
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  rowHref?: ((row: Row) => string | undefined) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  current?: string | number | null | undefined;
  cursor: number;
  selection: Readonly<Record<string, boolean>>;
  onToggle: (row: Row) => void;
  pageSize: number;
  expectedRows?: number | undefined;
  variant?: keyof typeof SKELETON_ROWS | undefined;
  edits?: RowEdits<Row> | undefined;
  totalLabel?: string | undefined;
}

export function shownCell<Row>(column: Column<Row>, value: ReactNode | bigint): ReactNode {
  const numeric = typeof value === 'bigint' || typeof value === 'number';
  if (column.kind === 'money' && numeric) return <Money minor={value} />;
  if (column.kind === 'date' && typeof value === 'string') return <DateText value={value} />;
  return typeof value === 'bigint' ? value.toString() : value;
}

/** The column that carries the row's link: its title, else the first. */
export function linkColumn<Row>(shown: readonly Pick<ShownColumn<Row>, 'column'>[]): string | undefined {
  return (shown.find((entry) => entry.column.kind === 'title') ?? shown[0])?.column.id;
}

/** Name of the row in the labels of its fields: the text of its title, else its place on the page. */
function nameOf<R>(shown: readonly ShownColumn<R>[], row: R, index: number): string {
  const named = shown.find((entry) => entry.column.kind === 'title')?.column.cell(row);
  return typeof named === 'string' ? named : `row ${index + 1}`;
}

function inControl(event: MouseEvent): boolean {
  const controls = 'a, button, input, label, select, [role=menu]';
  return event.target instanceof Element && event.target.closest(controls) !== null;
}

/** A cell whose words are cut tells them when it is pointed at. */
function tellCut(event: PointerEvent): void {
  const cell = event.target instanceof Element ? event.target.closest('td') : null;
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
  else cell.removeAttribute('title');
}

export interface RowProps<R> extends TableBodyProps<R> {
  row: R;
  index: number;
  /** Measures the row, set in a table of which only a part is rendered; its number is announced then, too. */
  measure?: ((element: HTMLTableRowElement | null) => void) | undefined;
}

export function Row<R>({ row, index, measure, ...props }: RowProps<R>) {
  const { shown, selectable, rowHref, onOpen, rowKey, selection, onToggle, current, cursor } = props;
  const { go } = useNavigation();
  const key = rowKey(row);
  const picked = selection[String(key)] === true;
  const href = rowHref?.(row);
  const link = linkColumn(shown);
  const click = (event: MouseEvent) => {
    if (inControl(event) || !isPlainClick(event) || (window.getSelection()?.toString() ?? '') !== '') return;
    if (onOpen) onOpen(row);
    else if (href) go(href);
  };
  return (
    <tr className={styles.row} ref={measure} data-index={index} aria-rowindex={measure && index + 2}
      data-picked={picked || undefined} data-cursor={cursor === index || undefined}
      data-current={current === key || undefined} data-opens={href !== undefined || onOpen ? true : undefined}
      onPointerOver={tellCut} onClick={href !== undefined || onOpen ? click : undefined}>
      {selectable && (
        <td className={styles.pick}>
          <input type="checkbox" className={tools.check} checked={picked} aria-label={`Select row ${index + 1}`}
            onChange={() => onToggle(row)} />
        </td>
      )}
      {shown.map(({ column, room }) => {
        const words = shownCell(column, column.cell(row));
        const opener = column.id === link;
        const edit = props.edits && column.edit && (column.edit.when?.(row) ?? true) ? column.edit : undefined;
        const content = opener && onOpen
          ? <button type="button" className={styles.opener} onClick={() => onOpen(row)}>{words}</button>
          : opener && href ? <AppLink href={href} className={styles.opener}>{words}</AppLink> : words;
        return (
          <td key={column.id} className={styles.cell} data-kind={column.kind ?? 'text'} data-label={wholeHeader(column)}
            style={room} data-lead={opener || undefined} data-editable={edit !== undefined || undefined}>
            {edit && props.edits ? (
              <EditableCell row={row} edit={edit} edits={props.edits}
                label={`${wholeHeader(column)} of ${nameOf(shown, row, index)}`}>{content}</EditableCell>
            ) : content}
          </td>
        );
      })}
    </tr>
  );
}

/** In a record lists are short and others follow: what comes must not pull those up. */
const SKELETON_ROWS = { list: 12, ledger: 12, record: 3 } as const;

export function SkeletonRows<R>({ shown, selectable, pageSize, expectedRows, variant = 'list' }: TableBodyProps<R>) {
  return Array.from({ length: Math.min(pageSize, expectedRows || SKELETON_ROWS[variant]) }, (_, index) => (
    <tr key={index} className={styles.row}>
      {selectable && <td className={styles.pick} aria-label="Selection">{' '}</td>}
      {shown.map(({ column }, place) => (
        <td key={column.id} className={styles.cell} data-kind={column.kind ?? 'text'}>
          <Skeleton width={`${46 + ((index * 17 + place * 29) % 40)}%`} />
        </td>
      ))}
    </tr>
  ));
}

export function Totals<R>({ shown, selectable, totalLabel, rows, variant }: TableBodyProps<R>) {
  // Nobody knows yet how many rows will stand above them; in a record others follow, and keep their distance.
  if (rows === undefined && variant !== 'record') return null;
  if (!totalLabel && !shown.some(({ column }) => column.total !== undefined)) return null;
  return (
    <tfoot>
      <tr className={styles.totals}>
        {selectable && <td aria-label="Selection">{' '}</td>}
        {shown.map(({ column, room }, index) => (
          <td key={column.id} className={styles.cell} data-kind={column.kind ?? 'text'} data-label={wholeHeader(column)}
            style={room} data-lead={(index === 0 && totalLabel !== undefined) || undefined}>
            {index === 0 && totalLabel ? totalLabel
              : column.total === undefined ? null : shownCell(column, column.total)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

export function TableBody<R>(props: TableBodyProps<R>) {
  return (
    <Fragment>
      <tbody>
        {props.rows === undefined ? <SkeletonRows {...props} />
          : props.rows.map((row, index) => <Row key={props.rowKey(row)} {...props} row={row} index={index} />)}
      </tbody>
      <Totals {...props} />
    </Fragment>
  );
}
