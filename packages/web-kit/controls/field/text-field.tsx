/**
 * Text field: one line, several lines, or a password with a show/hide toggle; label, required asterisk, caption,
 * error, prefix, suffix, help tooltip with Read More. Source: SPEC.md 2, states S96-S98, messages M15, M16.
 */
import { Eye, EyeOff } from 'lucide-react';
import { useState, type FocusEventHandler, type HTMLInputTypeAttribute, type ReactNode, type Ref } from 'react';
import { IconButton } from '../button/button.tsx';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import { InputShell } from './input-shell.tsx';
import styles from './field-frame.module.css';

export type TextFieldProps = FieldFrameProps & {
  value: string;
  onChange: (value: string) => void;
  onBlur?: FocusEventHandler<HTMLElement> | undefined;
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'tel' | 'url' | 'password'> | undefined;
  /** Several lines: number of rows shown. */
  rows?: number | undefined;
  prefix?: ReactNode;
  suffix?: ReactNode;
  /** Width of prefix and suffix in px where 34 is not enough. */
  prefixWidth?: number | undefined;
  suffixWidth?: number | undefined;
  placeholder?: string | undefined;
  name?: string | undefined;
  id?: string | undefined;
  autoComplete?: string | undefined;
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url' | undefined;
  maxLength?: number | undefined;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  autoFocus?: boolean | undefined;
  /** Figures: right aligned, tabular. */
  numeric?: boolean | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
};

export function TextField(props: TextFieldProps) {
  const [shown, setShown] = useState(false);
  const password = props.type === 'password';
  const toggle = (
    <IconButton label={shown ? 'Hide password' : 'Show password'} size="small" plainTip disabled={props.disabled}
      icon={shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
      aria-pressed={shown} onClick={() => setShown(!shown)} />
  );
  const suffix = password ? toggle : props.suffix;
  const common = {
    value: props.value, name: props.name, placeholder: props.placeholder, maxLength: props.maxLength,
    required: props.required, disabled: props.disabled, readOnly: props.readOnly, autoFocus: props.autoFocus,
    autoComplete: props.autoComplete, onBlur: props.onBlur,
    className: [styles.input, props.rows && styles.multiline, props.numeric && styles.numeric]
      .filter(Boolean).join(' '),
  };
  return (
    <FieldFrame {...frameOf(props)} id={props.id}>
      {({ 'aria-required': _required, ...aria }) => (
        <InputShell prefix={props.prefix} suffix={suffix} prefixWidth={props.prefixWidth}
          suffixWidth={props.suffixWidth}>
          {props.rows
            ? <textarea {...aria} {...common} rows={props.rows}
                onChange={(event) => props.onChange(event.currentTarget.value)} />
            : <input {...aria} {...common} type={password && shown ? 'text' : props.type ?? 'text'}
                inputMode={props.inputMode} ref={props.inputRef}
                onChange={(event) => props.onChange(event.currentTarget.value)} />}
        </InputShell>
      )}
    </FieldFrame>
  );
}
