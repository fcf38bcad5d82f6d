/**
 * For the mouse: one button at the end of the row that the pointer or the focus is on. A button in every row would be
 * as many stops of Tab and as much to draw; with keys Space does the same, and a finger that rests on the row.
 */
import { PanelRight } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './peek.module.css';

export interface PeekOfferProps {
  /** Container of the offer; the rows are inside. */
  frame: RefObject<HTMLElement | null>;
  /** Index of the row that is shown already. */
  shown: number | undefined;
  onNear: () => void;
  onPeek: (index: number) => void;
}

interface At { index: number; top: number; name: string }

/** px, as the look has it. */
const HEIGHT = 26;

function rowAt(target: EventTarget | null): HTMLTableRowElement | null {
  return target instanceof Element ? target.closest<HTMLTableRowElement>('tbody > tr[data-index]') : null;
}

function useRowAt(frame: RefObject<HTMLElement | null>, onNear: () => void): [At | null, () => void] {
  const [at, setAt] = useState<At | null>(null);
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const follow = (event: Event) => {
      const row = rowAt(event.target);
      if (!row) {
        if (!(event.target instanceof Element && event.target.closest('[data-peek-offer]'))) setAt(null);
        return;
      }
      const index = Number(row.dataset.index);
      const { top, height } = row.getBoundingClientRect();
      const name = row.querySelector<HTMLElement>('[data-lead]')?.innerText.trim() ?? '';
      setAt((old) => {
        const next = { index, name, top: top - box.getBoundingClientRect().top + (height - HEIGHT) / 2 };
        return old && old.index === index && old.top === next.top && old.name === name ? old : next;
      });
      onNear();
    };
    const leave = () => setAt(null);
    box.addEventListener('pointerover', follow);
    box.addEventListener('focusin', follow);
    box.addEventListener('pointerleave', leave);
    // A list that scrolls in a box of its own takes its rows away from under the button.
    box.addEventListener('scroll', leave, { capture: true, passive: true });
    return () => {
      box.removeEventListener('pointerover', follow);
      box.removeEventListener('focusin', follow);
      box.removeEventListener('pointerleave', leave);
      box.removeEventListener('scroll', leave, { capture: true });
    };
  }, [frame, onNear]);
  return [at, () => setAt(null)];
}

/** A finger rests this long (ms), and does not wander further than this (px): it scrolls then. */
const REST = 500;
const STILL = 10;

/** A finger on a row opens it; one that rests there opens the peek, and what its lifting would press is not pressed. */
function useRestingFinger(frame: RefObject<HTMLElement | null>, onPeek: (index: number) => void): void {
  const latest = useRef(onPeek);
  useEffect(() => { latest.current = onPeek; });
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    let down: { x: number; y: number; timer: ReturnType<typeof setTimeout> } | null = null;
    let rested = false;
    const lift = () => { clearTimeout(down?.timer); down = null; };
    const end = () => {
      lift();
      // Not every browser presses once more where a finger has rested: later keys must not be swallowed for it.
      setTimeout(() => { rested = false; }, REST);
    };
    const press = ({ target, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      lift();
      rested = false;
      const row = rowAt(target);
      const apart = target instanceof Element && target.closest('input, label, button');
      if (pointerType !== 'touch' || !row || apart) return;
      down = { x, y, timer: setTimeout(() => { rested = true; latest.current(Number(row.dataset.index)); }, REST) };
    };
    const move = ({ clientX, clientY }: PointerEvent) => {
      if (down && Math.hypot(clientX - down.x, clientY - down.y) > STILL) lift();
    };
    const swallow = (event: Event) => {
      if (!rested) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const off = new AbortController();
    const { signal } = off;
    box.addEventListener('pointerdown', press, { signal });
    box.addEventListener('pointermove', move, { signal });
    for (const ended of ['pointerup', 'pointercancel', 'pointerleave']) box.addEventListener(ended, end, { signal });
    // The menu of a link that is held, and the press that follows when the finger lifts.
    for (const late of ['contextmenu', 'click']) box.addEventListener(late, swallow, { signal, capture: true });
    return () => { off.abort(); lift(); };
  }, [frame]);
}

export function PeekOffer({ frame, shown, onNear, onPeek }: PeekOfferProps) {
  const [at, clear] = useRowAt(frame, onNear);
  useRestingFinger(frame, onPeek);
  if (!at || at.index === shown) return null;
  return (
    <button type="button" className={styles.offer} style={{ top: at.top }} tabIndex={-1} data-peek-offer
      data-print="hide" aria-label={`Peek at ${at.name || `row ${at.index + 1}`}`} title="Shown beside the list (Space)"
      onClick={() => { clear(); onPeek(at.index); }}>
      <Glyph icon={PanelRight} size={14} />Peek
    </button>
  );
}
