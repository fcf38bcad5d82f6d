/**
 * Search box of a list: reports 100 ms after the last keystroke, at most 325 px wide (S101, C56, C57). Escape and the
 * clear button empty it at once.
 */
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type Ref } from 'react';
import { InputShell } from './input-shell.tsx';
import { IconButton } from '../button/button.tsx';
import fieldStyles from './field-frame.module.css';
import { useLateReport } from '../late/use-late-report.ts';
import styles from './search-input.module.css';

/** px: greatest width (C57). */
export const SEARCH_MAX_WIDTH = 325;

export type SearchInputProps = {
  /** Name for screen readers, and the placeholder where none is given. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  /** Key that leads here, drawn in the box: '/'. */
  shortcut?: string | undefined;
  /** Searches one thing of the screen and is no landmark of it. */
  within?: boolean | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
};

export function SearchInput(props: SearchInputProps) {
  const [text, setText] = useState(props.value);
  const reported = useRef(props.value);
  const typed = useLateReport(report);

  useEffect(() => {
    if (props.value !== reported.current) {
      reported.current = props.value;
      typed.forget();
      setText(props.value);
    }
  }, [props.value, typed]);

  function report(next: string) {
    typed.forget();
    if (next === reported.current) return;
    reported.current = next;
    props.onChange(next);
  }
  function clear() {
    setText('');
    report('');
  }
  const suffix = text ? <IconButton size="small" label="Clear search" icon={<X aria-hidden="true" />} onClick={clear} />
    : props.shortcut && <kbd className={styles.shortcut} aria-hidden="true">{props.shortcut}</kbd>;
  return (
    <div role={props.within ? undefined : 'search'} className={styles.search} style={{ maxWidth: SEARCH_MAX_WIDTH }}>
      <InputShell prefix={<Search size={15} strokeWidth={1.75} aria-hidden="true" />} suffix={suffix || undefined}>
        <input ref={props.inputRef} type="text" inputMode="search" enterKeyHint="search" autoComplete="off"
          aria-label={props.label} placeholder={props.placeholder ?? props.label} value={text}
          aria-keyshortcuts={props.shortcut} className={`${fieldStyles.input} ${styles.input}`}
          onChange={(event) => { setText(event.currentTarget.value); typed.later(event.currentTarget.value); }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text) { event.stopPropagation(); clear(); }
            if (event.key === 'Enter') report(text);
          }} />
      </InputShell>
    </div>
  );
}
