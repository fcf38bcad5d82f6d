/**
 * Text field with a list of suggestions. The list shows only while open, the input focused and items there; focus
 * opens; leaving closes after 200 ms unless the focus moved into the list; choosing reports the item's id.
 * 'No results found.' is a status line, not the list: open, focused, text typed, not loading, no items (gap G47).
 * Source: SPEC.md 4, 5, 9; states S37-S43, S102, rule R25, constants C29, C30, message M36.
 */
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { FieldFrame, frameOf, type FieldFrameProps } from '../field/field-frame.tsx';
import { InputShell } from '../field/input-shell.tsx';
import { Spinner } from '../button/spinner.tsx';
import fieldStyles from '../field/field-frame.module.css';
import styles from './autocomplete.module.css';

/** ms between leaving the input and the closing of the list (C29). */
export const AUTOCOMPLETE_BLUR_DELAY = 200;
/** Greatest height of the list (C30). */
export const AUTOCOMPLETE_LIST_MAX_HEIGHT = '10rem';

export type AutocompleteItem<Id extends string | number = string> = {
  id: Id;
  label: string;
  note?: string | undefined;
};

export type AutocompleteProps<Id extends string | number = string> = FieldFrameProps & {
  /** The text in the input. */
  value: string;
  onChange: (text: string) => void;
  items: readonly AutocompleteItem<Id>[];
  onChoose: (id: Id) => void;
  loading?: boolean | undefined;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  onBlur?: (() => void) | undefined;
  name?: string | undefined;
  id?: string | undefined;
};

/** Open state of a list that closes a moment after the focus left both the input and the list. */
function useLeavingList() {
  const [open, setOpen] = useState(false);
  const [focused, setFocused] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    open, focused, list,
    show: () => { clearTimeout(timer.current); setFocused(true); setOpen(true); },
    hide: () => setOpen(false),
    left: (event: FocusEvent) => {
      if (list.current?.contains(event.relatedTarget)) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => { setOpen(false); setFocused(false); }, AUTOCOMPLETE_BLUR_DELAY);
    },
  };
}

export function Autocomplete<Id extends string | number = string>(props: AutocompleteProps<Id>) {
  const { value, items, loading = false } = props;
  const state = useLeavingList();
  const [current, setCurrent] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const shown = state.open && state.focused && items.length > 0;
  const nothing = state.open && state.focused && value.trim() !== '' && !loading && items.length === 0;

  useEffect(() => setCurrent(-1), [items]);

  function choose(index: number) {
    const item = items[index];
    if (!item) return;
    props.onChoose(item.id);
    input.current?.focus();
    state.hide();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && state.open) { event.stopPropagation(); state.hide(); return; }
    if (event.key === 'Enter' && shown && current >= 0) { event.preventDefault(); choose(current); return; }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    state.show();
    if (items.length === 0) return;
    const step = event.key === 'ArrowDown' ? 1 : -1;
    setCurrent((at) => (at < 0 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length));
  }

  return (
    <FieldFrame {...frameOf(props)} id={props.id}>
      {({ 'aria-required': _required, ...aria }) => (
        <div className={styles.anchor}>
          <InputShell suffix={loading ? <Spinner /> : undefined}>
            <input {...aria} ref={input} type="text" role="combobox" autoComplete="off" name={props.name}
              aria-autocomplete="list" aria-expanded={shown} aria-controls={shown ? listId : undefined}
              aria-activedescendant={shown && current >= 0 ? `${listId}-${current}` : undefined}
              aria-busy={loading || undefined} placeholder={props.placeholder} required={props.required}
              disabled={props.disabled} value={value} className={fieldStyles.input}
              onFocus={state.show} onClick={state.show} onKeyDown={onKeyDown}
              onBlur={(event) => { state.left(event); props.onBlur?.(); }}
              onChange={(event) => { state.show(); props.onChange(event.currentTarget.value); }} />
          </InputShell>
          {loading && <div role="progressbar" aria-label={`Searching ${props.label}`} className={styles.progress} />}
          {shown && (
            <ul ref={state.list} id={listId} role="listbox" aria-label={props.label} className={styles.list}
              style={{ maxHeight: AUTOCOMPLETE_LIST_MAX_HEIGHT }} onBlur={state.left}>
              {items.map((item, index) => (
                <li key={String(item.id)} id={`${listId}-${index}`} role="option" aria-selected={index === current}
                  data-current={index === current || undefined} tabIndex={-1} className={styles.option}
                  ref={index === current ? scrollTo : undefined} onClick={() => choose(index)}
                  onKeyDown={(event) => { if (event.key === 'Enter') choose(index); }}>
                  <span>{item.label}</span>
                  {item.note && <span className={styles.note}>{item.note}</span>}
                </li>
              ))}
            </ul>
          )}
          <div role="status" className={nothing ? styles.status : undefined}>{nothing && 'No results found.'}</div>
        </div>
      )}
    </FieldFrame>
  );
}

function scrollTo(option: HTMLLIElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
