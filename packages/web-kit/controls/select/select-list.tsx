/** The open part of a select, with all that places it beside its field: it comes when a select is opened. */
import { Combobox, useCombobox } from '@mantine/core';
import type { RefObject } from 'react';
import { Anchor } from '../button/anchor.tsx';
import { OptionPanel } from './option-panel.tsx';
import type { Option, OptionSource, OptionValue } from './option.ts';
import { useOptions } from './use-options.ts';

export type SelectListProps<V extends OptionValue> = {
  /** The field's button, beside which the list stands. */
  anchor: RefObject<HTMLElement | null>;
  /** Of the list of options. */
  id: string;
  label: string;
  options?: readonly Option<V>[] | undefined;
  source?: OptionSource<V> | undefined;
  multiple?: boolean | undefined;
  isSelected: (value: V) => boolean;
  onChoose: (option: Option<V>) => void;
  onClose: () => void;
};

export function SelectList<V extends OptionValue>(props: SelectListProps<V>) {
  const { anchor, id, label, options, source, multiple, isSelected, onChoose, onClose } = props;
  const store = useCombobox({ opened: true, onOpenedChange: (open) => { if (!open) onClose(); } });
  const list = useOptions({ options, source, open: true });
  const choose = (key: string) => {
    const option = list.items.find((item) => String(item.value) === key);
    if (option) onChoose(option);
  };
  return (
    <Combobox store={store} onOptionSubmit={choose} offset={4} withinPortal>
      <Combobox.DropdownTarget><Anchor of={anchor} /></Combobox.DropdownTarget>
      <OptionPanel id={id} label={label} store={store} options={list} multiple={multiple} isSelected={isSelected} />
    </Combobox>
  );
}
