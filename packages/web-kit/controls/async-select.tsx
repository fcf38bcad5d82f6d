/**
 * Searchable select. Closed it shows the selected option; open, a search box and the list.
 *
 * Give `options` (local, ranked by the fuzzy tiers) or `source` (remote: searched by the server 300 ms after the last
 * keystroke, next page at the end of the list). The search text is empty again at the next opening.
 * Source: SPEC.md 4 and 9, states S27-S36, S102, constants C55, C58-C67, messages M23, M24.
 */
import { Combobox, useCombobox } from '@mantine/core';
import { ChevronsUpDown, X } from 'lucide-react';
import { useRef, type FocusEventHandler } from 'react';
import { IconButton } from './button.tsx';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import { OptionPanel } from './option-panel.tsx';
import type { Option, OptionSource, OptionValue } from './option.ts';
import { useOptions } from './use-options.ts';
import fieldStyles from './field-frame.module.css';
import styles from './select.module.css';

export type AsyncSelectProps<V extends OptionValue = string> = FieldFrameProps & {
  /** Value of the selected option, null for none. */
  value: V | null;
  onChange: (value: V | null, option: Option<V> | null) => void;
  options?: readonly Option<V>[] | undefined;
  source?: OptionSource<V> | undefined;
  /** Label of `value` where the option has not been loaded: the row on screen usually knows it. */
  selectedLabel?: string | undefined;
  placeholder?: string | undefined;
  clearable?: boolean | undefined;
  disabled?: boolean | undefined;
  onBlur?: FocusEventHandler<HTMLElement> | undefined;
  name?: string | undefined;
  id?: string | undefined;
};

export function AsyncSelect<V extends OptionValue = string>(props: AsyncSelectProps<V>) {
  const { value, onChange, options, source, disabled = false } = props;
  const store = useCombobox({
    onDropdownOpen: () => store.focusSearchInput(),
    onDropdownClose: () => store.resetSelectedOption(),
  });
  const list = useOptions({ options, source, open: store.dropdownOpened });
  const chosen = useRef<Option<V> | null>(null);
  const known = chosen.current?.value === value ? chosen.current : options?.find((option) => option.value === value);
  const shown = value === null ? '' : known?.label ?? props.selectedLabel ?? String(value);

  function choose(key: string) {
    const option = list.items.find((item) => String(item.value) === key);
    if (!option) return;
    chosen.current = option;
    onChange(option.value, option);
    store.closeDropdown();
    store.focusTarget();
  }

  const clearable = Boolean(props.clearable) && value !== null && !disabled;
  return (
    <FieldFrame {...frameOf(props)} id={props.id}>
      {(aria, labelId) => (
        <Combobox store={store} onOptionSubmit={choose} offset={4} withinPortal>
          <div className={styles.anchor}>
            <Combobox.Target targetType="button" withExpandedAttribute>
              <button {...aria} type="button" role="combobox" aria-labelledby={labelId} name={props.name}
                disabled={disabled} onBlur={props.onBlur} onClick={() => store.toggleDropdown()}
                className={`${fieldStyles.input} ${styles.trigger} ${clearable ? styles.clearable : ''}`}>
                <span className={shown ? styles.value : `${styles.value} ${styles.placeholder}`}>
                  {shown || props.placeholder || 'Select'}
                </span>
                <ChevronsUpDown size={14} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </Combobox.Target>
            {clearable && (
              <span className={styles.clear}>
                <IconButton size="small" label={`Clear ${props.label}`} icon={<X aria-hidden="true" />}
                  onClick={() => { chosen.current = null; onChange(null, null); store.focusTarget(); }} />
              </span>
            )}
          </div>
          <OptionPanel label={props.label} store={store} options={list} isSelected={(item) => item === value} />
        </Combobox>
      )}
    </FieldFrame>
  );
}
