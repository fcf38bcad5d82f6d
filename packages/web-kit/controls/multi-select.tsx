/**
 * Several options of one list: the select's panel with ticks, and the chosen ones as removable chips under the field.
 * The list stays open while choosing. Order of the answer is the order of choosing.
 */
import { Combobox, useCombobox } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import { useRef, type FocusEventHandler } from 'react';
import { Chip } from './chip.tsx';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import { OptionPanel } from './option-panel.tsx';
import type { Option, OptionSource, OptionValue } from './option.ts';
import { useOptions } from './use-options.ts';
import fieldStyles from './field-frame.module.css';
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
  const store = useCombobox({
    onDropdownOpen: () => store.focusSearchInput(),
    onDropdownClose: () => store.resetSelectedOption(),
  });
  const list = useOptions({ options, source, open: store.dropdownOpened });
  const labels = useRef(new Map<V, string>());
  for (const option of [...(options ?? []), ...(props.selectedOptions ?? []), ...list.items]) {
    labels.current.set(option.value, option.label);
  }
  const labelOf = (item: V) => labels.current.get(item) ?? String(item);

  function toggle(key: string) {
    const option = list.items.find((item) => String(item.value) === key);
    if (!option) return;
    const without = value.filter((item) => item !== option.value);
    onChange(without.length < value.length ? without : [...value, option.value]);
  }

  return (
    <FieldFrame {...frameOf(props)} id={props.id}>
      {(aria, labelId) => (
        <div>
          <Combobox store={store} onOptionSubmit={toggle} offset={4} withinPortal>
            <Combobox.Target targetType="button" withExpandedAttribute>
              <button {...aria} type="button" role="combobox" aria-labelledby={labelId} name={props.name}
                disabled={disabled} onBlur={props.onBlur} onClick={() => store.toggleDropdown()}
                className={`${fieldStyles.input} ${styles.trigger}`}>
                <span className={value.length ? styles.value : `${styles.value} ${styles.placeholder}`}>
                  {value.length ? `${value.length} selected` : props.placeholder ?? 'Select'}
                </span>
                <ChevronsUpDown size={14} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </Combobox.Target>
            <OptionPanel label={props.label} store={store} options={list} multiple
              isSelected={(item) => value.includes(item)} />
          </Combobox>
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
