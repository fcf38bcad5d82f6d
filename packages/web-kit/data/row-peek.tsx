/**
 * A row read beside its list (U5): docked below the page's head, so that list, scroll, selection and keys stay as they
 * are; below 1100 px it lies over the page. j, k and its own arrows lead on, over the pages too; Escape closes it and
 * the focus is on the row again.
 */
import { ArrowDown, ArrowUp, Expand, X } from 'lucide-react';
import {
  Suspense, useEffect, useId, useRef, useState, type ComponentType, type ReactNode, type RefObject,
} from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { wholeHeader, type Column } from './column.ts';
import { Skeleton } from './empty-state.tsx';
import { KeyValue } from './key-value.tsx';
import { PeekHeading, PeekView, type PeekViewProps } from './peek-view.tsx';
import { linkColumn, shownCell } from './table-body.tsx';
import styles from './peek.module.css';

export interface RowPeekProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  /** Peek this list defines for a row; by default one made of its columns. */
  peek: ComponentType<{ row: Row }> | undefined;
  href: string | undefined;
  onOpen: ((row: Row) => void) | undefined;
  /** 'Row 2 of 38'. */
  place: number;
  total: number;
  onStep: (step: -1 | 1) => void;
  onClose: () => void;
  /** Container of list and peek; without it the peek overlays the page. */
  stage: RefObject<HTMLElement | null> | undefined;
}

/** px of a list that is still one with a peek beside it. */
const LEAST_LIST = 460;
const WIDTH = 360;

/** Beside its list only where that reaches the end of the sheet: in a box of a page it would stand in the midst. */
function fits(stage: HTMLElement | null | undefined): boolean {
  if (!stage) return false;
  const { right, width } = stage.getBoundingClientRect();
  return right >= document.documentElement.clientWidth - 2 && width >= LEAST_LIST + WIDTH;
}

function isEmpty(value: ReactNode | bigint): boolean {
  return value === null || value === undefined || value === '' || value === false;
}

/** The head of a peek from the columns of the list: number, title, who, states; the rest are facts. */
function fromColumns<Row>(columns: readonly Column<Row>[], row: Row): PeekViewProps & { facts: ReactNode } {
  const named = linkColumn(columns.map((column) => ({ column })));
  const told = columns.filter(({ kind }) => kind !== 'actions')
    .map((column) => ({ column, value: column.cell(row) })).filter(({ value }) => !isEmpty(value));
  const words = (one: (typeof told)[number] | undefined) => one && shownCell(one.column, one.value);
  const title = told.find(({ column }) => column.id === named);
  const code = told.find(({ column }) => column.kind === 'code' && column.id !== named);
  const under = told.find(({ column }) => column.kind === 'muted' && column.id !== named);
  const states = told.filter(({ column }) => column.kind === 'badge');
  const facts = told.filter((one) => one !== title && one !== code && one !== under && !states.includes(one))
    .map((one) => ({ label: wholeHeader(one.column), value: words(one) }));
  return {
    title: words(title) ?? 'This row', code: words(code), under: words(under),
    badges: states.length > 0 && states.map((one) => <span key={one.column.id}>{words(one)}</span>),
    facts: facts.length > 0 && <KeyValue layout="rows" facts={facts} />,
  };
}

function GeneralPeek<Row>({ columns, row, waiting }: {
  columns: readonly Column<Row>[]; row: Row; waiting?: boolean;
}) {
  const { facts, ...head } = fromColumns(columns, row);
  return <PeekView {...head}>{waiting ? <Skeleton height={180} /> : facts}</PeekView>;
}

/** Refused ones keep the focus (U38). */
function Step({ label, icon, off, onClick }: {
  label: string; icon: Icon; off?: boolean; onClick: () => void;
}) {
  return (
    <button type="button" className={styles.step} aria-label={label} title={label} aria-disabled={off || undefined}
      onClick={off ? undefined : onClick}><Glyph icon={icon} size={17} /></button>
  );
}

/** Closes wherever the focus is, but not what lies over it: a dialog or a menu takes the key itself. */
function useEscape(onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => { latest.current = onClose; });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const over = document.querySelector('dialog[open], [role=dialog], [role=menu], [data-cell-editor]');
      const typing = event.target instanceof Element
        && event.target.closest('input:not([type=checkbox]), textarea, select') !== null;
      if (event.key === 'Escape' && !event.defaultPrevented && !over && !typing) latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

export function RowPeek<Row>(props: RowPeekProps<Row>) {
  const { row, columns, peek: Peek, href, onOpen, place, total, onStep, onClose, stage } = props;
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const [docked] = useState(() => fits(stage?.current));
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useEscape(onClose);
  const icon = <Glyph icon={Expand} size={15} />;
  const general = <GeneralPeek columns={columns} row={row} waiting={Peek !== undefined} />;
  return (
    <aside className={styles.peek} data-floating={!docked || undefined} aria-labelledby={id} tabIndex={-1} ref={panel}
      data-print="hide">
      <div className={styles.nav}>
        <Step label="Previous row" icon={ArrowUp} off={place <= 1} onClick={() => onStep(-1)} />
        <Step label="Next row" icon={ArrowDown} off={place >= total} onClick={() => onStep(1)} />
        <span className={styles.place} role="status">{place.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
        </span>
        {href ? <ButtonLink href={href} size="small" icon={icon}>Open</ButtonLink>
          : onOpen && <Button size="small" icon={icon} onClick={() => onOpen(row)}>Open</Button>}
        <Step label="Close" icon={X} onClick={onClose} />
      </div>
      <PeekHeading value={id}>
        {Peek ? <Suspense fallback={general}><Peek row={row} /></Suspense> : general}
      </PeekHeading>
    </aside>
  );
}
