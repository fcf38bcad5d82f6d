/** Checkbox and switch: native inputs in the house's look. A switch is for what takes effect at once. */
import { useEffect, useId, useRef } from 'react';
import styles from './choice.module.css';

export type CheckboxProps = {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  /** Half-ticked: some, not all. Checkbox only. */
  indeterminate?: boolean | undefined;
  /** The label stays for screen readers only (a table's selection column). */
  hideLabel?: boolean | undefined;
  caption?: string | undefined;
  error?: string | null | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
};

function Tick(props: CheckboxProps & { kind: 'box' | 'track' }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { indeterminate = false } = props;
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <label className={styles.row}>
      <input ref={input} type="checkbox" role={props.kind === 'track' ? 'switch' : undefined} name={props.name}
        className={styles[props.kind]} checked={props.value} disabled={props.disabled} required={props.required}
        aria-label={props.label} aria-invalid={props.error ? true : undefined}
        aria-describedby={props.error || props.caption ? `${id}-note` : undefined}
        onChange={(event) => props.onChange(event.currentTarget.checked)} />
      {!props.hideLabel && (
        <span className={styles.text}>
          <span>{props.label}</span>
          <span id={`${id}-note`}>
            {props.error && <span className={styles.error}>{props.error} </span>}
            {props.caption && <span className={styles.note}>{props.caption}</span>}
          </span>
        </span>
      )}
    </label>
  );
}

export function Checkbox(props: CheckboxProps) {
  return <Tick {...props} kind="box" />;
}

export function Switch(props: Omit<CheckboxProps, 'indeterminate'>) {
  return <Tick {...props} kind="track" />;
}
