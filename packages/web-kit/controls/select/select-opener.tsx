/**
 * The closed part of a select: a button that says what is chosen. The list it opens comes when the pointer or the focus
 * is on it; a press that was faster waits for it, and is taken back by leaving.
 */
import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useId, useState, type FocusEventHandler, type KeyboardEvent, type RefObject } from 'react';
import type { FieldAria } from '../field/field-frame.tsx';
import { late, useLateOpen } from '../late/late.ts';
import type { Option, OptionValue } from './option.ts';
import type { SelectListProps } from './select-list.tsx';
import { Spinner } from '../button/spinner.tsx';
import fieldStyles from '../field/field-frame.module.css';
import styles from './select.module.css';

const listPart = late(() => import('./select-list.tsx'));

type SelectOpenerProps<V extends OptionValue> = {
  aria: FieldAria;
  labelId: string;
  /** Selected value, as text; empty shows the placeholder. */
  shown: string;
  placeholder: string | undefined;
  disabled: boolean;
  name: string | undefined;
  onBlur: FocusEventHandler<HTMLElement> | undefined;
  className?: string | undefined;
  buttonRef: RefObject<HTMLButtonElement | null>;
  list: Omit<SelectListProps<V>, 'anchor' | 'id' | 'onChoose' | 'onClose'>;
  onChoose: (option: Option<V>) => void;
};

export function SelectOpener<V extends OptionValue>(props: SelectOpenerProps<V>) {
  const { aria, labelId, shown, buttonRef, list, onChoose } = props;
  const [open, setOpen] = useState(false);
  const part = useLateOpen(listPart, open, () => setOpen(false));
  const listId = useId();
  // Focus anywhere in the form preloads its lists: they also open without a connection, and at the first touch.
  useEffect(() => {
    const form = buttonRef.current?.form;
    form?.addEventListener('focusin', listPart.near, { once: true });
    return () => form?.removeEventListener('focusin', listPart.near);
  }, [buttonRef]);
  const isShown = open && part !== null;
  const isWaiting = open && part === null;

  function turn(next: boolean) {
    setOpen(next);
    buttonRef.current?.focus({ preventScroll: true });
  }
  function choose(option: Option<V>) {
    onChoose(option);
    if (!list.multiple) turn(false);
  }
  function onKeyDown(event: KeyboardEvent) {
    const opens = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (!opens && !(event.key === 'Escape' && open)) return;
    event.preventDefault();
    // A dialog around it stays.
    event.stopPropagation();
    turn(opens);
  }

  return (
    <>
      <button {...aria} ref={buttonRef} type="button" role="combobox" aria-labelledby={labelId} name={props.name}
        aria-haspopup="listbox" aria-expanded={isShown} aria-controls={isShown ? listId : undefined}
        aria-busy={isWaiting || undefined} data-mantine-stop-propagation={open || undefined}
        disabled={props.disabled} className={`${fieldStyles.input} ${styles.trigger} ${props.className ?? ''}`}
        onPointerEnter={listPart.near} onFocus={listPart.near} onClick={() => turn(!open)} onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (isWaiting) setOpen(false);
          props.onBlur?.(event);
        }}>
        <span className={shown ? styles.value : `${styles.value} ${styles.placeholder}`}>
          {shown || props.placeholder || 'Select'}
        </span>
        {isWaiting ? <Spinner /> : <ChevronsUpDown size={14} strokeWidth={1.75} aria-hidden="true" />}
      </button>
      {isShown && (
        <part.SelectList {...list} anchor={buttonRef} id={listId} onChoose={choose}
          onClose={() => turn(false)} />
      )}
    </>
  );
}
