/**
 * Several options of one list: the select's panel with ticks, and the chosen ones as removable chips under the field.
 * The list stays open while choosing. Order of the answer is the order of choosing.
 */
import { useRef, type FocusEventHandler } from 'react';
import { Chip } from '../field/chip.tsx';
import { FieldFrame, frameOf, type FieldFrameProps } from '../field/field-frame.tsx';
import type { Option, OptionSource, OptionValue } from './option.ts';
import { SelectOpener } from './select-opener.tsx';
import styles from './select.module.css';

export type MultiSelectProps<V extends OptionValue = string> = FieldFrameProps & {
  value: readonly V[];
  onChange: (value: V[]) => void;
  options?: readonly Option<V>[] | undefined;
  source?: OptionSource<V> | undefined;
  /** Options behind `value` where they have not been loaded. */
  selectedOptions?: readonly Option<V>[] | undefined;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  onBlur?: FocusEventHandler<HTMLElement> | undefined;
  name?: string | undefined;
  id?: string | undefined;
};

export function MultiSelect<V extends OptionValue = string>(props: MultiSelectProps<V>) {
  const { value, onChange, options, source, disabled = false } = props;
  const button = useRef<HTMLButtonElement>(null);
  const labels = useRef(new Map<V, string>());
  for (const option of [...(options ?? []), ...(props.selectedOptions ?? [])]) {
    labels.current.set(option.value, option.label);
  }
  const labelOf = (item: V) => labels.current.get(item) ?? String(item);

  function toggle(option: Option<V>) {
    labels.current.set(option.value, option.label);
    const without = value.filter((item) => item !== option.value);
    onChange(without.length < value.length ? without : [...value, option.value]);
  }

  return (
    <FieldFrame {...frameOf(props)} id={props.id}>
      {(aria, labelId) => (
        <div>
          <SelectOpener<V> aria={aria} labelId={labelId} shown={value.length ? `${value.length} selected` : ''}
            placeholder={props.placeholder} disabled={disabled} name={props.name} onBlur={props.onBlur}
            buttonRef={button} onChoose={toggle}
            list={{ label: props.label, options, source, multiple: true,
              isSelected: (item) => value.includes(item) }} />
          <ul className={styles.chips} aria-label={`Selected: ${props.label}`}>
            {value.map((item) => (
              <li key={String(item)}>
                <Chip label={labelOf(item)} disabled={disabled}
                  onRemove={() => onChange(value.filter((other) => other !== item))} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </FieldFrame>
  );
}
