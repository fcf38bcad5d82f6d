/**
 * `Drawer`: a docked panel beside the screen, for what is read together with it (trace, ledger, peek); the page stays
 * usable. `Modal`: for a form only; focus stays inside, Escape closes, the focus returns (LOOK.md 8).
 */
import { Modal as MantineModal } from '@mantine/core';
import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Glyph } from './icons.tsx';
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

/** What lies over the page closes wherever the focus is: a button that was just used up has let go of it. */
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

export interface ModalProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** px. */
  width?: number | undefined;
  /** As high as the screen: what is read in it has its own scroll. */
  tall?: boolean | undefined;
  /** Buttons at the foot, the primary last. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A dialog that its screen takes away whole gives the keyboard back to what opened it, as a closed one does. */
function useFocusBack(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return undefined;
    const opener = document.activeElement;
    return () => {
      window.setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      });
    };
  }, [open]);
}

export function Modal({ open, onClose, title, width = 520, tall, footer, children }: ModalProps) {
  useFocusBack(open);
  // Escape answers the question that stands above this form, not the form.
  const close = () => { if (!document.querySelector('dialog[open]')) onClose(); };
  return (
    <MantineModal.Root opened={open} onClose={close} size={width} centered
      transitionProps={{ transition: 'fade', duration: 140 }}
      classNames={{ content: styles.modal ?? '', overlay: styles.scrim ?? '' }}>
      <MantineModal.Overlay />
      <MantineModal.Content aria-label={title} data-tall={tall || undefined}>
        <div className={styles.modalHead}>
          <h2 className={styles.modalTitle}>{title}</h2>
          <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
            <Glyph icon={X} size={17} />
          </button>
        </div>
        <div className={styles.modalBody}>
          {children}
          {footer && <div className={styles.modalFoot}>{footer}</div>}
        </div>
      </MantineModal.Content>
    </MantineModal.Root>
  );
}
