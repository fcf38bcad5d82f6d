/**
 * One of a few: a list of radio buttons, or the same as a segmented control where the words are short. Both are native
 * radio inputs, so arrow keys, forms and screen readers work as everywhere.
 */
import { useId, type ReactNode } from 'react';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import styles from './choice.module.css';

export type Choice<V extends string = string> = {
  value: V;
  label: string;
  note?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean | undefined;
};
export type RadioGroupProps<V extends string = string> = FieldFrameProps & {
  value: V | null;
  onChange: (value: V) => void;
  choices: readonly Choice<V>[];
  disabled?: boolean | undefined;
  name?: string | undefined;
  id?: string | undefined;
};

export function RadioGroup<V extends string>(props: RadioGroupProps<V>) {
  const generated = useId();
  return (
    <FieldFrame {...frameOf(props)} id={props.id} group>
      {(aria, labelId) => (
        <div role="radiogroup" {...aria} aria-labelledby={labelId} className={styles.group}>
          {props.choices.map((choice) => (
            <label key={choice.value} className={styles.row}>
              <input type="radio" className={styles.dot} name={generated} data-path={props.name}
                checked={choice.value === props.value}
                disabled={Boolean(props.disabled) || Boolean(choice.disabled)}
                onChange={() => props.onChange(choice.value)} />
              <span className={styles.text}>
                <span>{choice.label}</span>
                {choice.note && <span className={styles.note}>{choice.note}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </FieldFrame>
  );
}

export function SegmentedControl<V extends string>(props: RadioGroupProps<V>) {
  const generated = useId();
  return (
    <FieldFrame {...frameOf(props)} id={props.id} group>
      {(aria, labelId) => (
        <div role="radiogroup" {...aria} aria-labelledby={labelId} className={styles.segments}>
          {props.choices.map((choice) => (
            <label key={choice.value} className={styles.segment}>
              <input type="radio" name={generated} data-path={props.name} checked={choice.value === props.value}
                disabled={Boolean(props.disabled) || Boolean(choice.disabled)}
                onChange={() => props.onChange(choice.value)} />
              {choice.icon}
              {choice.label}
            </label>
          ))}
        </div>
      )}
    </FieldFrame>
  );
}
