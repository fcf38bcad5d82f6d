/**
 * The rows of a table that holds thousands: those in view and a few around them are drawn, gaps stand for the rest.
 * The row that has the focus and the one under the cursor stay drawn, wherever one scrolls. On paper all rows stand.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useEffect, useState, type FocusEvent, type RefObject } from 'react';
import { useOnPaper } from '#web/layout/use-on-paper.ts';
import { Row, type TableBodyProps } from './table-body.tsx';
import styles from './data-table.module.css';

/** Rows drawn beyond each edge of the view. */
const BEYOND = 6;
/** px of a row that nobody has measured yet, and of the head that stays on top. */
const ROW = 33;
const HEAD = 34;

export interface ManyRowsProps<R> extends TableBodyProps<R> {
  /** Scroll container. */
  box: RefObject<HTMLElement | null>;
  /** Takes how a row is brought into view. */
  reveal: RefObject<((index: number) => void) | null>;
}

/** `wide`: of how many columns; one more would take its share of the room. */
function Gap({ height, wide }: { height: number; wide: number }) {
  if (height < 1) return null;
  return <tr aria-hidden="true" className={styles.gap}><td colSpan={wide} style={{ height }} /></tr>;
}

/** Tracks the row that holds the focus; it is kept until the focus moves elsewhere. */
function useFocusedRow() {
  const [focused, setFocused] = useState(-1);
  const follow = (at: EventTarget | null) => {
    const row = at instanceof Element ? at.closest<HTMLElement>('tr[data-index]') : null;
    setFocused(Number(row?.dataset.index ?? -1));
  };
  return { focused, onFocus: (event: FocusEvent) => follow(event.target),
    onBlur: (event: FocusEvent) => follow(event.relatedTarget) };
}

function usePaper(): boolean {
  const [paper, setPaper] = useState(false);
  useOnPaper(() => setPaper(true));
  useEffect(() => {
    const back = () => setPaper(false);
    window.addEventListener('afterprint', back);
    return () => window.removeEventListener('afterprint', back);
  }, []);
  return paper;
}

/** The box is there only after these rows were first put into it: they are drawn once more then. */
function useMounted(): void {
  const [, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
}

export function ManyRows<R>({ box, reveal, ...props }: ManyRowsProps<R>) {
  const rows = props.rows ?? [];
  const { focused, ...focus } = useFocusedRow();
  const paper = usePaper();
  useMounted();
  // With its neighbours, so that Tab leads on from there.
  const near = focused < 0 ? [] : [focused - 1, focused, focused + 1];
  const kept = [...near, props.cursor].filter((index) => index >= 0 && index < rows.length);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized, and no compiler does it
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => props.rowKey(rows[index]!),
    estimateSize: () => ROW,
    overscan: BEYOND,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), ...kept])].toSorted((a, b) => a - b),
  });
  useEffect(() => {
    reveal.current = (index) => virtual.scrollToIndex(index);
    return () => { reveal.current = null; };
  }, [reveal, virtual]);
  if (paper) {
    return (
      <tbody>
        {rows.map((row, index) => <Row key={props.rowKey(row)} {...props} row={row} index={index} />)}
      </tbody>
    );
  }
  const wide = props.shown.length + (props.selectable ? 1 : 0);
  let end = HEAD;
  return (
    <tbody {...focus}>
      {virtual.getVirtualItems().map((item) => {
        const gap = item.start - end;
        end = item.end;
        return (
          <Fragment key={item.key}>
            <Gap height={gap} wide={wide} />
            <Row {...props} row={rows[item.index]!} index={item.index} measure={virtual.measureElement} />
          </Fragment>
        );
      })}
      <Gap height={virtual.getTotalSize() + HEAD - end} wide={wide} />
    </tbody>
  );
}
