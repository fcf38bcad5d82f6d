/**
 * The open part of a select: search box on top, list below (at most 348 px high, C58), and its three states in words:
 * 'Loading' with a spinner (M23), 'No Items' (M24), or what went wrong with a way to try again. The next page loads
 * when the end of the list comes into view (S33).
 */
import { Combobox, type ComboboxStore } from '@mantine/core';
import { Check, Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../button/button.tsx';
import type { OptionValue } from './option.ts';
import { Spinner } from '../button/spinner.tsx';
import type { Options } from './use-options.ts';
import styles from './select.module.css';

/** px: greatest height of a select's list (C58). */
export const SELECT_LIST_MAX_HEIGHT = 348;

type OptionPanelProps<V extends OptionValue> = {
  /** Of the list of options. */
  id: string;
  label: string;
  store: ComboboxStore;
  options: Options<V>;
  isSelected: (value: V) => boolean;
  multiple?: boolean | undefined;
};

/** It stands at the head of the document until it is placed: to scroll there would move the page. */
const takeFocus = (input: HTMLInputElement | null): void => input?.focus({ preventScroll: true });

export function OptionPanel<V extends OptionValue>(props: OptionPanelProps<V>) {
  const { id, label, store, options, isSelected, multiple } = props;
  const latest = useRef(store);
  latest.current = store;
  const list = useRef<HTMLDivElement>(null);
  const { search, isCurrent, items } = options;
  const first = search.trim() !== '' && isCurrent ? items.find((item) => item.disabled !== true)?.value : undefined;
  // Enter takes the first hit of what was typed, never one of an older search.
  useEffect(() => {
    if (first !== undefined) latest.current.selectFirstOption();
  }, [first, search]);
  return (
    <Combobox.Dropdown className={styles.dropdown ?? ''}>
      <Combobox.Search value={options.search} placeholder="Search" aria-label={`Search ${label}`} role="combobox"
        aria-expanded aria-controls={id} ref={takeFocus}
        leftSection={<Search size={14} strokeWidth={1.75} aria-hidden="true" />}
        classNames={{ input: styles.search }}
        onChange={(event) => {
          options.setSearch(event.currentTarget.value);
          store.resetSelectedOption();
        }} />
      <div ref={list} className={styles.list} style={{ maxHeight: SELECT_LIST_MAX_HEIGHT }} data-select-list>
        <Combobox.Options id={id} aria-label={label} aria-multiselectable={multiple || undefined}>
          {options.items.map((option) => (
            <Combobox.Option key={String(option.value)} value={String(option.value)} className={styles.option ?? ''}
              disabled={option.disabled ?? false} active={isSelected(option.value)}
              aria-selected={isSelected(option.value)}>
              <span className={styles.tick}>
                {isSelected(option.value) && <Check size={14} strokeWidth={2} aria-hidden="true" />}
              </span>
              <span className={styles.optionText}>
                <span>{option.label}</span>
                {option.children && <span className={styles.optionNote}>{option.children}</span>}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {options.hasMore && !options.failure && <EndOfList root={list} count={options.items.length}
          onSeen={options.loadMore} />}
        <PanelState options={options} />
      </div>
    </Combobox.Dropdown>
  );
}

function PanelState<V extends OptionValue>({ options }: { options: Options<V> }) {
  if (options.failure) {
    return (
      <div className={styles.state} role="alert">
        <span>{options.failure}</span>
        <Button size="small" onClick={options.retry}>Try again</Button>
      </div>
    );
  }
  return (
    <div role="status" className={styles.status}>
      {options.loading && <div className={styles.state}><Spinner /> Loading</div>}
      {!options.loading && options.items.length === 0 && <div className={styles.state}>No Items</div>}
    </div>
  );
}

type EndOfListProps = { root: React.RefObject<HTMLDivElement | null>; count: number; onSeen: () => void };

/** The sentinel. Watched anew after every page, because a sentinel that stays in view reports nothing further. */
function EndOfList({ root, count, onSeen }: EndOfListProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    const target = sentinel.current;
    if (!target) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) seen.current();
    }, { root: root.current });
    observer.observe(target);
    return () => observer.disconnect();
  }, [count, root]);
  return <div ref={sentinel} className={styles.sentinel} data-end-of-list aria-hidden="true" />;
}
