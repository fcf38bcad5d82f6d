/**
 * `Drawer`: a docked panel beside the screen, for what is read together with it (trace, ledger, peek); the page stays
 * usable. `Modal`: for a form only; focus stays inside, Escape closes, the focus returns (LOOK.md 8).
 */
import { X } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Glyph } from './icons.tsx';
import type { ModalProps } from './modal-window.tsx';
import styles from './overlay.module.css';

export interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  icon?: ReactNode;
  /** Buttons before Close. */
  tools?: ReactNode;
  /** Sticks at the foot: the peek's actions. */
  footer?: ReactNode;
  /** px: peek 360, trace 372, drill-down 396. */
  width?: number | undefined;
  /** Lies over the right end of the screen: where nothing beside it would move (peek of a list, Activity). */
  floating?: boolean | undefined;
  children: ReactNode;
}

/** Closes an overlay on Escape wherever the focus is: a button that was just used up has lost it. */
function useEscapeAnywhere(on: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => { latest.current = onClose; });
  useEffect(() => {
    if (!on) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) {
        latest.current();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [on]);
}

export function Drawer(props: DrawerProps) {
  const { open, onClose, title, icon, tools, footer, width = 372, floating, children } = props;
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [open]);
  useEscapeAnywhere(open && floating === true, onClose);
  if (!open) return null;
  const drawer = (
    <aside className={styles.drawer} aria-labelledby={id} tabIndex={-1} ref={panel}
      data-floating={floating || undefined} style={{ '--side': `${width}px` } as CSSProperties}
      onKeyDown={(event) => { if (event.key === 'Escape') { event.stopPropagation(); onClose(); } }}>
      <div className={styles.head}>
        {icon}
        <h2 id={id} className={styles.title}>{title}</h2>
        {tools}
        <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
          <Glyph icon={X} size={17} />
        </button>
      </div>
      {/* Reached by Tab, so that the arrow keys scroll what holds no button or link. */}
      <div className={styles.body} role="group" aria-labelledby={id} tabIndex={0}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </aside>
  );
  return floating ? createPortal(drawer, document.body) : drawer;
}

const loadWindow = () => import('./modal-window.tsx').then((file) => ({ default: file.ModalWindow }));
const ModalWindow = lazy(loadWindow);

/** For frames: a dialog that is loaded already opens at once, and without a connection. */
export function useModalsAtHand(): void {
  useEffect(() => {
    // If it cannot be loaded now, the first dialog requests it again.
    const timer = setTimeout(() => void loadWindow().catch(() => {}), 1000);
    return () => clearTimeout(timer);
  }, []);
}

/** No page needs the window itself before one opens: a page's weight is without it. */
export function Modal(props: ModalProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return wanted ? <Suspense fallback={null}><ModalWindow {...props} /></Suspense> : null;
}
