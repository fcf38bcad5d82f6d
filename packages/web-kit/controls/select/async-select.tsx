/**
 * Searchable select. Closed it shows the selected option; open, a search box and the list.
 *
 * Give `options` (local, ranked by the fuzzy tiers) or `source` (remote: searched by the server 300 ms after the last
 * keystroke, next page at the end of the list). The search text is empty again at the next opening.
 * Source: SPEC.md 4 and 9, states S27-S36, S102, constants C55, C58-C67, messages M23, M24.
 */
import { X } from 'lucide-react';
import { useRef, type FocusEventHandler } from 'react';
import { IconButton } from '../button/button.tsx';
import { FieldFrame, frameOf, type FieldFrameProps } from '../field/field-frame.tsx';
import type { Option, OptionSource, OptionValue } from './option.ts';
import { SelectOpener } from './select-opener.tsx';
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
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<Option<V> | null>(null);
  const known = chosen.current?.value === value ? chosen.current : options?.find((option) => option.value === value);
  const shown = value === null ? '' : known?.label ?? props.selectedLabel ?? String(value);

  function choose(option: Option<V> | null) {
    chosen.current = option;
    onChange(option?.value ?? null, option);
  }

  const clearable = Boolean(props.clearable) && value !== null && !disabled;
  return (
    <FieldFrame {...frameOf(props)} id={props.id}>
      {(aria, labelId) => (
        <div className={styles.anchor}>
          <SelectOpener<V> aria={aria} labelId={labelId} shown={shown} placeholder={props.placeholder}
            disabled={disabled} name={props.name} onBlur={props.onBlur} buttonRef={button}
            className={clearable ? styles.clearable : undefined} onChoose={choose}
            list={{ label: props.label, options, source, isSelected: (item) => item === value }} />
          {clearable && (
            <span className={styles.clear}>
              <IconButton size="small" label={`Clear ${props.label}`} icon={<X aria-hidden="true" />}
                onClick={() => { choose(null); button.current?.focus(); }} />
            </span>
          )}
        </div>
      )}
    </FieldFrame>
  );
}
