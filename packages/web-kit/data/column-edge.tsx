/**
 * The edge of a column's head, by which its width is set: dragged, or with the arrow keys while it has the focus;
 * a double click or Enter fits it to its content. All edges of a list are one stop of Tab: up and down lead from one
 * to the next. The column chooser does the same by single presses (WCAG 2.5.7).
 */
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { NARROWEST, STEP, WIDEST, type ColumnResizer } from './column-widths.ts';
import styles from './data-table.module.css';

const WIDER = 5;

function headOf(edge: Element): HTMLElement {
  return edge.closest('th')!;
}

function focusNext(edge: Element, step: 1 | -1): void {
  const edges = [...edge.closest('thead')!.querySelectorAll<HTMLElement>('[role=separator]')];
  edges[edges.indexOf(edge as HTMLElement) + step]?.focus();
}

export function ColumnEdge({ id, name, first, resizer }: {
  id: string; name: string; first: boolean; resizer: ColumnResizer;
}) {
  const drag = useRef<{ x: number; width: number; to: number | null } | null>(null);
  const onKey = (event: KeyboardEvent) => {
    const { width } = headOf(event.currentTarget).getBoundingClientRect();
    const by = STEP * (event.shiftKey ? WIDER : 1);
    if (event.key === 'ArrowLeft') resizer.set(id, width - by);
    else if (event.key === 'ArrowRight') resizer.set(id, width + by);
    else if (event.key === 'ArrowUp') focusNext(event.currentTarget, -1);
    else if (event.key === 'ArrowDown') focusNext(event.currentTarget, 1);
    else if (event.key === 'Enter') resizer.fit(id);
    else return;
    event.preventDefault();
    // Neither the row under the cursor nor the page answers.
    event.stopPropagation();
  };
  const start = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: headOf(event.currentTarget).getBoundingClientRect().width, to: null };
  };
  const follow = (event: PointerEvent) => {
    const from = drag.current;
    if (!from || (from.to === null && Math.abs(event.clientX - from.x) < 3)) return;
    from.to = from.width + event.clientX - from.x;
    resizer.preview(id, from.to);
  };
  const end = (kept: boolean) => {
    const to = drag.current?.to ?? null;
    drag.current = null;
    if (to === null) return;
    resizer.preview(null);
    if (kept) resizer.set(id, to);
  };
  return (
    <span role="separator" aria-orientation="vertical" className={styles.edge} tabIndex={first ? 0 : -1}
      aria-label={`Width of ${name}`} aria-valuenow={resizer.now(id)} aria-valuemin={NARROWEST} aria-valuemax={WIDEST}
      title="Drag, or press the arrow keys; double click or Enter fits it" onKeyDown={onKey}
      onPointerDown={start} onPointerMove={follow} onPointerUp={() => end(true)} onPointerCancel={() => end(false)}
      onDoubleClick={() => resizer.fit(id)} />
  );
}
