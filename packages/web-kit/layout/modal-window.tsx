/** The window of `Modal` (overlay.tsx), loaded when the first one opens. */
import { Modal as MantineModal } from '@mantine/core';
import { X } from 'lucide-react';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import { Glyph } from './icons.tsx';
import { ModalClose } from './modal-close.ts';
import styles from './overlay.module.css';

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

const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea, select, button[role="combobox"]';

/**
 * Focuses the first field of a form, if it is in view; content to read starts at Close, as does a search, which would
 * open its list over the fields below. On a touch screen the keyboard would cover the text to be read first.
 */
function beginInForm(body: HTMLElement | null): void {
  const field = [...body?.querySelectorAll<HTMLInputElement>(FIELDS) ?? []].find((one) =>
    !one.disabled && !one.readOnly && one.tabIndex >= 0);
  if (!body || !field || field.matches('input[aria-autocomplete]')) return;
  if (body.querySelector('[data-autofocus]') || window.matchMedia('(pointer: coarse)').matches) return;
  if (field.getBoundingClientRect().bottom <= window.innerHeight) field.setAttribute('data-autofocus', '');
}

export function ModalWindow({ open, onClose, title, width = 520, tall, footer, children }: ModalProps) {
  useFocusBack(open);
  // Mantine asks who has the focus when a window opens, not of one that stands open as it comes.
  const [opened, setOpened] = useState(false);
  useLayoutEffect(() => setOpened(open), [open]);
  // Escape answers the question that stands above this form, not the form.
  const close = () => { if (!document.querySelector('dialog[open]')) onClose(); };
  return (
    <MantineModal.Root opened={opened} onClose={close} size={width} centered
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
        <div className={styles.modalBody} ref={beginInForm}>
          <ModalClose value={close}>{children}</ModalClose>
          {footer && <div className={styles.modalFoot}>{footer}</div>}
        </div>
      </MantineModal.Content>
    </MantineModal.Root>
  );
}
