/**
 * The table of the house: server-side paging, sorting and filtering through the address (`search` from
 * `useTableSearch`), or plain rows. Plain markup with CSS modules; TanStack Table holds columns and selection.
 *
 * Keys while the list is on screen: j/k or arrows move, Enter opens, Space peeks, x selects, / searches. States:
 * skeleton rows, empty list, no result (Clear filter), failed load (Try again). Below 641 px every row is a card.
 * More rows than MANY_ROWS, all held by the browser, are drawn where one looks, in a box of their own (many-rows.tsx).
 */
import {
  columnOrderingFeature, columnSizingFeature, columnVisibilityFeature, createColumnHelper, rowPaginationFeature,
  rowSelectionFeature, rowSortingFeature, tableFeatures, useTable, type RowData, type RowSelectionState,
} from '@tanstack/react-table';
import {
  lazy, Suspense, useCallback, useMemo, useRef, useState, type ComponentType, type CSSProperties, type ReactNode,
  type RefObject,
} from 'react';
import { late, useLateOpen } from '#web/controls/late/late.ts';
import { COLUMN_WIDTH, sortName, type Column, type RowEdits } from './column.ts';
import type { Density } from './column-chooser.tsx';
import { isShrinkable, roomsOf, withoutRoom } from './column-room.ts';
import { columnWidths, widthName } from './column-widths.ts';
import { useRemembered } from './remembered.ts';
import type { BulkOffer } from '#web/query/bulk-offer.ts';
import type { SavedViewsState } from '#web/query/use-saved-views.ts';
import { scrollEdges } from '#web/layout/scroll-edges.ts';
import { useColumnChoices, type KeptColumns } from './use-column-choices.ts';
import { EmptyState } from './empty-state.tsx';
import type { ManyRows as DrawnRows } from './many-rows.tsx';
import { ExportButton, type ReadPage } from './export-button.tsx';
import type { ExportSource } from './export-fields.ts';
import { ExportJobButton } from './export-job-button.tsx';
import { PeekOffer } from './peek-offer.tsx';
import type { RowPeekProps } from './row-peek.tsx';
import { SkeletonRows, TableBody, Totals } from './table-body.tsx';
import { FooterWaiting, TableFooter, type TablePage } from './table-footer.tsx';
import { TableHead } from './table-head.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TableToolbar } from './table-toolbar.tsx';
import { listInWords, type TableFilter } from './table-filter.tsx';
import { PAGE_SIZE, type TableSearch } from './use-table-search.ts';
import { tableRoom, useMeasured, useMeasuring } from './use-column-widths.ts';
import { useFound } from './found-rows.ts';
import { useRowKeys, type RowCursor } from './use-row-keys.ts';
import styles from './data-table.module.css';

const ManyRows = lazy(() => import('./many-rows.tsx').then((file) => ({ default: file.ManyRows }))) as
  unknown as typeof DrawnRows;

/** The peek comes when the pointer, the focus or the cursor is on a row. */
const peekPart = late(() => import('./row-peek.tsx'));

/** A table that holds more rows than this draws only those in view (frontend.md 3). */
export const MANY_ROWS = 200;

export const houseFeatures = tableFeatures({
  columnOrderingFeature, columnSizingFeature, columnVisibilityFeature, rowPaginationFeature, rowSelectionFeature,
  rowSortingFeature,
});

export type RowKey = string | number;

export interface DataTableProps<Row> {
  /** Names the table for screen readers and the remembered columns: 'Venues'. */
  label: string;
  columns: readonly Column<Row>[];
  /** undefined while loading. */
  rows: readonly Row[] | undefined;
  /** Number of rows to expect, where known in advance: as many skeletons are shown. */
  awaited?: number | undefined;
  rowKey: (row: Row) => RowKey;
  /** Target of the row's title; the whole row can be clicked. Rows that return nothing open nothing. */
  rowHref?: ((row: Row) => string | undefined) | undefined;
  /** Instead of a link: opens a peek or a drawer. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Peek of a row, instead of the one made of its columns; lazy, returns a `PeekView`. */
  peek?: ComponentType<{ row: Row }> | undefined;
  /** Key of the row whose own drawer is open: the list has no peek then. */
  current?: RowKey | null | undefined;
  /** Paging facts of the answer (`meta`); none for a plain list. */
  page?: TablePage | undefined;
  search?: TableSearch | undefined;
  filters?: readonly TableFilter[] | undefined;
  searchPlaceholder?: string | undefined;
  /** `false`: pages, but no box to find by; the server knows no words of these rows. */
  searchable?: boolean | undefined;
  /** The load's failure; shows its text and Try again. */
  error?: unknown;
  onRetry?: (() => void) | undefined;
  /** A next page is on its way while the old one stays. */
  fetching?: boolean | undefined;
  /** list 33 px (head sunken), record 30 px inside a screen, ledger 28 px. */
  variant?: 'list' | 'record' | 'ledger' | undefined;
  selectable?: boolean | undefined;
  /** Saves cells whose column has `edit` (from `useList`); none for whoever may not. */
  edits?: RowEdits<Row> | undefined;
  /** Buttons of the bar that floats over a selection. */
  bulk?: ((keys: RowKey[], clear: () => void) => ReactNode) | undefined;
  /** Bulk actions, including those on all matching rows (from `useList`). */
  bulkOf?: BulkOffer | undefined;
  empty?: { title: string; text?: ReactNode; action?: ReactNode } | undefined;
  /** Left end of the toolbar: fields that the rows are asked by, such as the days of a report. */
  lead?: ReactNode;
  /** Right end of the toolbar, before Export and Columns. */
  tools?: ReactNode;
  /** Source of the server's export to a file (from `useList`). */
  exportOf?: ExportSource | undefined;
  /** Reads the rows of a report, which is no list of the server's, page by page for a CSV file. */
  readPage?: ReadPage<Row> | undefined;
  /** Views of this list that staff keep under a name (from `useList`). */
  views?: SavedViewsState | undefined;
  /** The person's columns on the server (from `useList`). */
  keptColumns?: KeptColumns | undefined;
  /** Words at the left of the totals row; shows the row when any column has a `total`. */
  totalLabel?: string | undefined;
  /** Right end of the footer: 'Total of 38 171,940.00'. */
  summary?: ReactNode;
  /** Before the table for screen readers, visible as a caption line when given. */
  caption?: ReactNode;
}

/** Columns as TanStack Table wants them; order, visibility and widths are its business from here. */
function useHouseColumns<Row extends RowData>(columns: readonly Column<Row>[]) {
  return useMemo(() => {
    const helper = createColumnHelper<typeof houseFeatures, Row>();
    return columns.map((column) => helper.display({
      id: column.id, header: column.header, size: column.width ?? COLUMN_WIDTH, enableHiding: !column.fixed,
    }));
  }, [columns]);
}

const NO_ROWS: readonly never[] = [];

/** Selection, columns and the table model; rendering stays below. */
function useHouseTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, search, page } = props;
  const [selection, setSelection] = useState<RowSelectionState>({});
  const choices = useColumnChoices(label, columns, props.views?.current, props.keptColumns);
  const definitions = useHouseColumns(columns);
  const table = useTable({
    features: houseFeatures,
    columns: definitions,
    data: rows ?? NO_ROWS,
    getRowId: (row: Row) => String(rowKey(row)),
    manualPagination: true,
    manualSorting: true,
    rowCount: page?.total ?? rows?.length ?? 0,
    state: {
      rowSelection: selection,
      columnVisibility: choices.visibility,
      columnOrder: choices.order,
      pagination: { pageIndex: (search?.page ?? 1) - 1, pageSize: search?.perPage ?? PAGE_SIZE },
      sorting: search?.sortBy ? [{ id: search.sortBy, desc: search.sortDirection === 'desc' }] : [],
    },
    onRowSelectionChange: setSelection,
  });
  const shown = table.getVisibleLeafColumns().flatMap((leaf) => {
    const column = columns.find((candidate) => candidate.id === leaf.id);
    return column ? [{ column, width: leaf.getSize() }] : [];
  });
  const selected = (rows ?? []).map(rowKey).filter((key) => selection[String(key)]);
  const all = selected.length > 0 && selected.length === rows?.length;
  return {
    choices, shown, selection, selected, all,
    clear: () => setSelection({}),
    toggle: (row: Row) => setSelection((old) => {
      const { [String(rowKey(row))]: was, ...others } = old;
      return was ? others : { ...old, [String(rowKey(row))]: true };
    }),
    toggleAll: () => setSelection(all ? {} : Object.fromEntries(
      (rows ?? []).map((row) => [String(rowKey(row)), true as const]),
    )),
  };
}

/** Widths of the columns, and their changes by the reader. */
function useWidths<Row extends RowData>(
  props: DataTableProps<Row>, house: ReturnType<typeof useHouseTable<Row>>, state: {
    table: RefObject<HTMLTableElement | null>; room: number; selectable: boolean; many: boolean; beside: boolean;
  },
) {
  const { label, rows, search } = props;
  const { table, selectable, many } = state;
  const { shown: all, choices } = house;
  const [known, measure] = useMeasured(label, many);
  const chosen = search && choices.widths;
  const about = { row: rows?.[0], chosen, selectable };
  // Without a column chooser to bring them back, only columns of little value are dropped.
  const stays = (column: Column<Row>): boolean => (search === undefined ? column.optional !== true
    : choices.asked(column.id) || (search.sortBy !== undefined && sortName(column) === search.sortBy));
  const out = many ? [] : withoutRoom(all, { ...about, measured: known }, state.room, stays);
  const wide = all.filter(({ column }) => !out.includes(column.id));
  useMeasuring({ table, rows, ids: wide.map(({ column }) => column.id).join(' '), off: many, beside: state.beside,
    known, measure });
  // Another set of columns than was measured: they begin with their own widths.
  const measured = known && wide.every(({ column }) => known[column.id]) ? known : undefined;
  const given = { ...about, measured };
  const { widths } = roomsOf(wide, given);
  const style = Object.fromEntries(wide.map(({ column }, index) => [widthName(index), widths[column.id]]));
  const shown = wide.map(({ column }, index) => {
    const byHand = chosen?.[column.id] !== undefined;
    const own = `var(${widthName(index)})`;
    // With only a part of the rows rendered, text columns share the room the figures leave.
    const cuts = byHand || (isShrinkable(column) && !many);
    return { column, width: many && isShrinkable(column) && !byHand ? undefined : own,
      room: cuts ? { '--room': own } as CSSProperties : undefined };
  });
  return { shown, out, style: style as CSSProperties,
    edges: search && columnWidths({ table, shown: wide, given, keep: choices.resize }) };
}

/** The box around the table, what tells when it scrolls sideways, and how many px wide it is. */
function useScrollBox() {
  const box = useRef<HTMLDivElement | null>(null);
  const [room, setRoom] = useState(Infinity);
  const set = useCallback((element: HTMLDivElement | null) => {
    box.current = element;
    const edges = scrollEdges(element);
    const width = element ? tableRoom(element, setRoom) : undefined;
    return () => { edges?.(); width?.(); };
  }, []);
  return { box, set, room };
}

/** The row beside the list, and the button of the mouse that asks for it. */
function usePeek<Row>(props: DataTableProps<Row>, cursor: RowCursor, stage: RefObject<HTMLElement | null>) {
  const { rows, page, columns, peek, rowHref, onOpen, current, variant = 'list' } = props;
  const row = cursor.peeking && current === undefined ? rows?.[cursor.index] : undefined;
  const frame = useRef<HTMLDivElement>(null);
  const part = useLateOpen<{ RowPeek: (given: RowPeekProps<Row>) => ReactNode }>(
    peekPart, row !== undefined, cursor.closePeek);
  if (cursor.index >= 0) peekPart.near();
  return {
    frame, open: row !== undefined && part !== null,
    panel: row && part && (
      <part.RowPeek row={row} columns={columns} peek={peek} href={rowHref?.(row)} onOpen={onOpen}
        place={(page?.from ?? 1) + cursor.index} total={page?.total ?? rows?.length ?? 0} onStep={cursor.step}
        onClose={cursor.closePeek} stage={variant === 'list' ? stage : undefined} />
    ),
    // It would lie over the buttons of a row that ends with some; Space peeks there as everywhere.
    offer: current === undefined && (rowHref ?? onOpen) && variant === 'list' && columns.at(-1)?.kind !== 'actions' && (
      <PeekOffer frame={frame} shown={row && cursor.index} onNear={peekPart.near} onPeek={cursor.peekAt} />
    ),
  };
}

export function DataTable<Row extends RowData>({ rows: held, ...given }: DataTableProps<Row>) {
  const find = useFound(held, given.columns, MANY_ROWS, given.search);
  const props: DataTableProps<Row> = { ...given, rows: find.rows };
  const { label, rows, search, page, variant = 'list' } = props;
  const many = (rows?.length ?? 0) > MANY_ROWS;
  const selectable = props.selectable ?? (props.bulkOf?.actions.length ?? 0) > 0;
  const house = useHouseTable(props);
  const [density, setDensity] = useRemembered<Density>('density', 'comfortable');
  const cursor = useRowKeys({ ...props, active: variant === 'list' || many || search !== undefined,
    within: variant !== 'list', toggle: selectable ? house.toggle : undefined });
  const scroll = useScrollBox();
  const stage = useRef<HTMLDivElement>(null);
  const peek = usePeek(props, cursor, stage);
  const widths = useWidths(props, house, { table: cursor.table, room: scroll.room, selectable, many,
    beside: peek.open });
  const frame = { shown: widths.shown, selectable, variant };
  const failed = props.error !== undefined && props.error !== null;
  const nothing = !failed && rows?.length === 0;
  const exporter = nothing || failed ? undefined : exporterOf(props, house.shown.map((one) => one.column));
  const onPaper = listInWords({ search, text: (search ?? find.box)?.search ?? '', filters: props.filters, page });
  const body = { ...props, ...frame, cursor: cursor.index, selection: house.selection, onToggle: house.toggle,
    pageSize: search?.perPage ?? PAGE_SIZE };
  const list = (
    <div className={styles.frame} ref={peek.frame} data-variant={variant} data-rows={density}
      data-peeking={peek.open || undefined} data-pinned={house.choices.pinned || undefined}
      aria-busy={rows === undefined && !failed}>
      {(search ?? find.box ?? props.lead ?? props.tools ?? exporter) && (
        <TableToolbar {...props} find={find.box} choices={search ? house.choices : undefined} exporter={exporter}
          out={widths.out} widths={widths.edges} views={variant === 'list' ? props.views : undefined} density={density}
          onDensity={setDensity} />
      )}
      {onPaper && <p className={styles.onPaper} data-print="only">{onPaper}</p>}
      {failed && <LoadFailure {...props} />}
      {nothing && <Nothing {...props} search={search ?? find.box} />}
      {!failed && !nothing && (
        <div ref={scroll.set} className={styles.scroll} data-fetching={props.fetching || undefined}
          data-many={many || undefined}
          {...((many || (!props.rowHref && !props.onOpen)) && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
          <table className={styles.table} ref={cursor.table} style={widths.style}
            aria-rowcount={many ? rows!.length + 1 : undefined}>
            <caption className={props.caption ? styles.caption : 'gr-hidden'}>{props.caption ?? label}</caption>
            <TableHead {...frame} search={search} all={house.all} some={house.selected.length > 0} many={many}
              onAll={house.toggleAll} widths={widths.edges} />
            {many ? (
              <>
                <Suspense fallback={<tbody><SkeletonRows {...body} /></tbody>}>
                  <ManyRows {...body} box={scroll.box} reveal={cursor.reveal} />
                </Suspense>
                <Totals {...body} />
              </>
            ) : <TableBody {...body} />}
          </table>
        </div>
      )}
      {page && !nothing && !failed && <TableFooter page={page} search={search} summary={props.summary} />}
      {!page && search && rows === undefined && !failed && <FooterWaiting />}
      <SelectionBar offer={props.bulkOf} bulk={props.bulk} selected={house.selected} wholePage={house.all} page={page}
        clear={house.clear} />
      {peek.offer}
    </div>
  );
  return variant === 'list' ? <div className={styles.stage} ref={stage}>{list}{peek.panel}</div>
    : <>{list}{peek.panel}</>;
}

function exporterOf<Row extends RowData>(props: DataTableProps<Row>, columns: readonly Column<Row>[]): ReactNode {
  const { label, rows, exportOf, readPage } = props;
  // From the start: tools that come with the rows would push the list down on a phone.
  if (exportOf) return <ExportJobButton label={label} columns={columns} rows={rows} source={exportOf} />;
  return readPage && <ExportButton label={label} columns={columns} readPage={readPage} waiting={!rows} />;
}

function LoadFailure({ error, onRetry }: Pick<DataTableProps<never>, 'error' | 'onRetry'>) {
  const text = error instanceof Error ? error.message : 'The list could not be loaded.';
  return (
    <EmptyState role="alert" title="This list did not load" text={text}
      action={onRetry && <button type="button" className={styles.button} onClick={onRetry}>Try again</button>} />
  );
}

function Nothing({ search, empty, label }: Pick<DataTableProps<never>, 'empty' | 'label'> & {
  search: Pick<TableSearch, 'narrowed' | 'clear'> | undefined;
}) {
  if (search?.narrowed) {
    return (
      <EmptyState role="status" title="No result for this filter" text="Nothing here matches what you asked for."
        action={<button type="button" className={styles.button} onClick={search.clear}>Clear filter</button>} />
    );
  }
  const title = empty?.title ?? `No ${label.toLowerCase()} yet`;
  return <EmptyState title={title} text={empty?.text} action={empty?.action} />;
}
