/** One-line input over a draft text, with the words for a text that cannot be read. Shared by the typed fields. */
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import { InputShell } from './input-shell.tsx';
import type { DraftText } from './use-draft-text.ts';
import styles from './field-frame.module.css';

/** Props common to all typed fields, besides the value. */
export type DraftFieldProps = FieldFrameProps & {
  prefix?: ReactNode;
  suffix?: ReactNode;
  placeholder?: string | undefined;
  name?: string | undefined;
  id?: string | undefined;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  onBlur?: (() => void) | undefined;
};

type DraftInputProps = DraftFieldProps & {
  draft: DraftText;
  /** Example of a readable text, shown when it cannot be read. */
  hint: string;
  numeric?: boolean | undefined;
  inputMode?: 'decimal' | 'numeric' | 'text' | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
  suffixWidth?: number | undefined;
};

export function DraftInput(props: DraftInputProps) {
  const { draft } = props;
  const error = draft.unreadable ? props.hint : props.error;
  return (
    <FieldFrame {...frameOf(props)} error={error} id={props.id}>
      {({ 'aria-required': _required, ...aria }) => (
        <InputShell prefix={props.prefix} suffix={props.suffix} suffixWidth={props.suffixWidth}>
          <input {...aria} type="text" autoComplete="off" ref={props.inputRef} name={props.name}
            inputMode={props.inputMode} placeholder={props.placeholder} required={props.required}
            disabled={props.disabled} readOnly={props.readOnly} value={draft.text}
            data-unreadable={draft.unreadable || undefined}
            className={props.numeric ? `${styles.input} ${styles.numeric}` : styles.input}
            onFocus={draft.onFocus} onKeyDown={props.onKeyDown}
            onBlur={() => { draft.onBlur(); props.onBlur?.(); }}
            onChange={(event) => draft.onText(event.currentTarget.value)} />
        </InputShell>
      )}
    </FieldFrame>
  );
}
