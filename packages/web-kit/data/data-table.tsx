/**
 * The table of the house: server-side paging, sorting and filtering through the address (`search` from
 * `useTableSearch`), or plain rows. Plain markup with CSS modules; TanStack Table holds columns and selection.
 *
 * Keys while the list is on screen, in a record or ledger while the focus is in it: j/k or arrows move, Enter opens,
 * Space peeks, x selects, F2 or e edits, / searches. States: skeleton rows, empty list, no result (Clear filter),
 * failed load (Try again). Below 641 px every row is a card. Of more rows than MANY_ROWS, all held by the browser,
 * only those in view are drawn, in a box that scrolls (many-rows.tsx).
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
import { columnResizer, widthName } from './column-widths.ts';
import { useRemembered } from './remembered.ts';
import type { BulkOffer } from '#web/query/bulk-offer.ts';
import type { SavedViewsState } from '#web/query/use-saved-views.ts';
import { scrollEdges } from '#web/layout/scroll-edges.ts';
import { useColumnChoices, type KeptColumns } from './use-column-choices.ts';
import { EmptyState } from './empty-state.tsx';
import type { ManyRows as ManyRowsType } from './many-rows.tsx';
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

// `lazy` loses the type parameter.
const ManyRows = lazy(() => import('./many-rows.tsx').then((file) => ({ default: file.ManyRows }))) as
  unknown as typeof ManyRowsType;

/** The peek comes when the pointer, the focus or the cursor is on a row. */
const peekPart = late(() => import('./row-peek.tsx'));

/** A table that holds more rows than this draws only those in view (frontend.md 3). */
export const MANY_ROWS = 200;

export const tableParts = tableFeatures({
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
  expectedRows?: number | undefined;
  rowKey: (row: Row) => RowKey;
  /** Target of the row's title; the whole row can be clicked. Rows that return nothing open nothing. */
  rowHref?: ((row: Row) => string | undefined) | undefined;
  /** Instead of a link: opens a peek or a drawer. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Peek of a row, instead of the one made of its columns; lazy, returns a `PeekView`. */
  peek?: ComponentType<{ row: Row }> | undefined;
  /** Undefined: rows open a peek. Otherwise the list has a drawer of its own: key of its row, null while closed. */
  current?: RowKey | null | undefined;
  /** Paging facts of the answer (`meta`); none for a plain list. */
  page?: TablePage | undefined;
  search?: TableSearch | undefined;
  filters?: readonly TableFilter[] | undefined;
  searchPlaceholder?: string | undefined;
  /** `false`: no search box, since the server cannot search these rows. */
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
  /** Bulk actions, including those on all matching rows (from `useList`); wins over `bulk`. */
  bulkOf?: BulkOffer | undefined;
  empty?: { title: string; text?: ReactNode; action?: ReactNode } | undefined;
  /** Left end of the toolbar: fields that the rows are asked by, such as the days of a report. */
  lead?: ReactNode;
  /** Right end of the toolbar, before Export and Columns. */
  tools?: ReactNode;
  /** Source of the server's export to a file (from `useList`); wins over `readPage`. */
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
function useTableColumns<Row extends RowData>(columns: readonly Column<Row>[]) {
  return useMemo(() => {
    const helper = createColumnHelper<typeof tableParts, Row>();
    return columns.map((column) => helper.display({
      id: column.id, header: column.header, size: column.width ?? COLUMN_WIDTH, enableHiding: !column.fixed,
    }));
  }, [columns]);
}

const NO_ROWS: readonly never[] = [];

/** Selection, columns and the table model; rendering stays below. */
function useTableModel<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, search, page } = props;
  // By key, of every page that was open; `selected` has those of this page.
  const [selection, setSelection] = useState<RowSelectionState>({});
  const choices = useColumnChoices(label, columns, props.views?.current, props.keptColumns);
  const definitions = useTableColumns(columns);
  const table = useTable({
    features: tableParts,
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
  const allSelected = selected.length > 0 && selected.length === rows?.length;
  return {
    choices, shown, selection, selected, allSelected,
    clear: () => setSelection({}),
    toggle: (row: Row) => setSelection((old) => {
      const { [String(rowKey(row))]: was, ...others } = old;
      return was ? others : { ...old, [String(rowKey(row))]: true };
    }),
    toggleAll: () => setSelection(allSelected ? {} : Object.fromEntries(
      (rows ?? []).map((row) => [String(rowKey(row)), true as const]),
    )),
  };
}

/** Columns that find room, their widths as CSS, and what changes them. */
function useColumnLayout<Row extends RowData>(
  props: DataTableProps<Row>, model: ReturnType<typeof useTableModel<Row>>, state: {
    table: RefObject<HTMLTableElement | null>; boxWidth: number; selectable: boolean; many: boolean; beside: boolean;
  },
) {
  const { label, rows, search } = props;
  const { table, selectable, many } = state;
  const { shown: chosenColumns, choices } = model;
  const [kept, measure] = useMeasured(label, many);
  const byHand = search && choices.widths;
  const given = { row: rows?.[0], chosen: byHand, selectable };
  // Without `search` no column chooser brings a column back: then only columns of little value are dropped.
  const mustStay = (column: Column<Row>): boolean => (search === undefined ? column.optional !== true
    : choices.asked(column.id) || (search.sortBy !== undefined && sortName(column) === search.sortBy));
  const out = many ? [] : withoutRoom(chosenColumns, { ...given, measured: kept }, state.boxWidth, mustStay);
  const fitting = chosenColumns.filter(({ column }) => !out.includes(column.id));
  useMeasuring({ table, rows, ids: fitting.map(({ column }) => column.id).join(' '), off: many, beside: state.beside,
    known: kept, measure });
  // A column that was never measured: then all begin with the widths of their declaration.
  const measured = kept && fitting.every(({ column }) => kept[column.id]) ? kept : undefined;
  const sizing = { ...given, measured };
  const { widths } = roomsOf(fitting, sizing);
  const style = Object.fromEntries(fitting.map(({ column }, index) => [widthName(index), widths[column.id]]));
  const shown = fitting.map(({ column }, index) => {
    const isByHand = byHand?.[column.id] !== undefined;
    const own = `var(${widthName(index)})`;
    // With only a part of the rows rendered, text columns share the room the figures leave.
    const cuts = isByHand || (isShrinkable(column) && !many);
    return { column, width: many && isShrinkable(column) && !isByHand ? undefined : own,
      room: cuts ? { '--room': own } as CSSProperties : undefined };
  });
  return { shown, out, style: style as CSSProperties,
    resizer: search && columnResizer({ table, shown: fitting, given: sizing, keep: choices.resize }) };
}

/** The box around the table: marks that it scrolls sideways (`data-more`), and its width in px. */
function useScrollBox() {
  const box = useRef<HTMLDivElement | null>(null);
  const [width, setWidth] = useState(Infinity);
  const set = useCallback((element: HTMLDivElement | null) => {
    box.current = element;
    const edges = scrollEdges(element);
    const unwatch = element ? tableRoom(element, setWidth) : undefined;
    return () => { edges?.(); unwatch?.(); };
  }, []);
  return { box, set, width };
}

/** The row beside the list, and the button that appears under the pointer and opens it. */
function usePeek<Row>(props: DataTableProps<Row>, cursor: RowCursor, stage: RefObject<HTMLElement | null>) {
  const { rows, page, columns, peek, rowHref, onOpen, current, variant = 'list' } = props;
  const row = cursor.peeking && current === undefined ? rows?.[cursor.index] : undefined;
  const listBox = useRef<HTMLDivElement>(null);
  const part = useLateOpen<{ RowPeek: (given: RowPeekProps<Row>) => ReactNode }>(
    peekPart, row !== undefined, cursor.closePeek);
  if (cursor.index >= 0) peekPart.near();
  return {
    listBox, open: row !== undefined && part !== null,
    panel: row && part && (
      <part.RowPeek row={row} columns={columns} peek={peek} href={rowHref?.(row)} onOpen={onOpen}
        place={(page?.from ?? 1) + cursor.index} total={page?.total ?? rows?.length ?? 0} onStep={cursor.step}
        onClose={cursor.closePeek} stage={variant === 'list' ? stage : undefined} />
    ),
    // It would cover the buttons of a row that ends with some; Space peeks there as everywhere.
    offer: current === undefined && (rowHref ?? onOpen) && variant === 'list' && columns.at(-1)?.kind !== 'actions' && (
      <PeekOffer frame={listBox} shown={row && cursor.index} onNear={peekPart.near} onPeek={cursor.peekAt} />
    ),
  };
}

export function DataTable<Row extends RowData>({ rows: held, ...given }: DataTableProps<Row>) {
  const find = useFound(held, given.columns, MANY_ROWS, given.search);
  const props: DataTableProps<Row> = { ...given, rows: find.rows };
  const { label, rows, search, page, variant = 'list' } = props;
  const many = (rows?.length ?? 0) > MANY_ROWS;
  const selectable = props.selectable ?? (props.bulkOf?.actions.length ?? 0) > 0;
  const model = useTableModel(props);
  const [density, setDensity] = useRemembered<Density>('density', 'comfortable');
  const cursor = useRowKeys({ ...props, active: variant === 'list' || many || search !== undefined,
    within: variant !== 'list', toggle: selectable ? model.toggle : undefined });
  const scroll = useScrollBox();
  const stage = useRef<HTMLDivElement>(null);
  const peek = usePeek(props, cursor, stage);
  const layout = useColumnLayout(props, model, { table: cursor.table, boxWidth: scroll.width, selectable, many,
    beside: peek.open });
  const shared = { shown: layout.shown, selectable, variant };
  const failed = props.error !== undefined && props.error !== null;
  const nothing = !failed && rows?.length === 0;
  const exporter = nothing || failed ? undefined : exporterOf(props, model.shown.map((one) => one.column));
  const onPaper = listInWords({ search, text: (search ?? find.search)?.search ?? '', filters: props.filters, page });
  const body = { ...props, ...shared, cursor: cursor.index, selection: model.selection, onToggle: model.toggle,
    pageSize: search?.perPage ?? PAGE_SIZE };
  const list = (
    <div className={styles.frame} ref={peek.listBox} data-variant={variant} data-rows={density}
      data-peeking={peek.open || undefined} data-pinned={model.choices.pinned || undefined}
      aria-busy={rows === undefined && !failed}>
      {(search ?? find.search ?? props.lead ?? props.tools ?? exporter) && (
        <TableToolbar {...props} find={find.search} choices={search ? model.choices : undefined} exporter={exporter}
          out={layout.out} resizer={layout.resizer} views={variant === 'list' ? props.views : undefined}
          density={density} onDensity={setDensity} />
      )}
      {onPaper && <p className={styles.onPaper} data-print="only">{onPaper}</p>}
      {failed && <LoadFailure {...props} />}
      {nothing && <Nothing {...props} search={search ?? find.search} />}
      {!failed && !nothing && (
        <div ref={scroll.set} className={styles.scroll} data-fetching={props.fetching || undefined}
          data-many={many || undefined}
          {...((many || (!props.rowHref && !props.onOpen)) && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
          <table className={styles.table} ref={cursor.table} style={layout.style}
            aria-rowcount={many ? rows!.length + 1 : undefined}>
            <caption className={props.caption ? styles.caption : 'gr-hidden'}>{props.caption ?? label}</caption>
            <TableHead {...shared} search={search} all={model.allSelected} some={model.selected.length > 0} many={many}
              onAll={model.toggleAll} resizer={layout.resizer} />
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
      <SelectionBar offer={props.bulkOf} bulk={props.bulk} selected={model.selected}
        wholePage={model.allSelected} page={page} clear={model.clear} />
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
