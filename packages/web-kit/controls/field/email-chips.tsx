/**
 * Recipients as chips over a native `<input type="email">`: Enter, space, comma or leaving the field commits, each
 * chip can be removed, Backspace in the empty input removes the last. An invalid address stays in the input with an
 * error; a paste is split (gap G51). Source: SPEC.md 5, state S103, rules R15-R24, constants C35, C36, message M29.
 */
import { useState, type ClipboardEvent, type FormEvent, type KeyboardEvent } from 'react';
import { Chip } from './chip.tsx';
import { commitEntry } from './email-entry.ts';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import styles from './email-chips.module.css';

/** Keys that commit the entry; leaving the field commits too (C35). */
export const COMMIT_KEYS: readonly string[] = ['Enter', ' ', ','];

/** A keyboard on glass names no key (its `key` is 'Unidentified'); what it wrote is told with the input. */
function endsWithSpace(event: FormEvent<HTMLInputElement>): boolean {
  const { data } = event.nativeEvent as InputEvent;
  return typeof data === 'string' && data.endsWith(' ');
}

export type EmailChipsProps = FieldFrameProps & {
  value: readonly string[];
  onChange: (emails: string[]) => void;
  disabled?: boolean | undefined;
  name?: string | undefined;
  id?: string | undefined;
};

export function EmailChips(props: EmailChipsProps) {
  const { value, onChange, disabled = false } = props;
  const [entry, setEntry] = useState('');
  const [refused, setRefused] = useState('');

  function commit(text: string) {
    const result = commitEntry(value, text);
    setEntry(result.rest);
    setRefused(result.error);
    if (result.emails.length > value.length) onChange(result.emails);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    if (COMMIT_KEYS.includes(event.key) && !(event.key === 'Enter' && entry === '')) {
      event.preventDefault();
      commit(event.currentTarget.value);
    } else if (event.key === 'Backspace' && entry === '' && value.length > 0) onChange(value.slice(0, -1));
  }
  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text');
    if (!/[\s,;]/.test(text.trim())) return;
    event.preventDefault();
    commit(`${entry} ${text}`);
  }

  return (
    <FieldFrame {...frameOf(props)} error={refused || props.error} id={props.id}>
      {(aria) => (
        <div className={styles.box} data-disabled={disabled || undefined} data-invalid={aria['aria-invalid']}>
          {value.length > 0 && (
            <ul className={styles.chips} aria-label={`${props.label}: ${value.length} added`}>
              {value.map((email) => (
                <li key={email}>
                  <Chip label={email} disabled={disabled}
                    onRemove={() => onChange(value.filter((other) => other !== email))} />
                </li>
              ))}
            </ul>
          )}
          <input {...aria} type="email" autoComplete="off" name={props.name} disabled={disabled}
            placeholder="Type and press enter to add emails" className={styles.input} value={entry}
            data-unreadable={refused ? true : undefined}
            onChange={(event) => {
              const text = event.currentTarget.value;
              if (/[,;]/.test(text)) { commit(text); return; }
              setEntry(text);
              setRefused('');
            }}
            onInput={(event) => { if (endsWithSpace(event)) commit(event.currentTarget.value); }}
            onKeyDown={onKeyDown} onPaste={onPaste} onBlur={() => commit(entry)} />
        </div>
      )}
    </FieldFrame>
  );
}
