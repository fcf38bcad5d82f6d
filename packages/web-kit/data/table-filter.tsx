/** Filters of a list: chips that read as a sentence ("Phase is Offer sent") and the menu that adds one. */
import { ChevronLeft, Plus, X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { LatePopover } from '#web/controls/late/late-popover.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { formatDay } from './date-text.tsx';
import type { TablePage } from './table-footer.tsx';
import type { TableSearch } from './use-table-search.ts';
import styles from './table-tools.module.css';

export interface TableFilter {
  /** Name on the wire and in the address. */
  name: string;
  label: string;
  /** Between label and value: 'is' unless given ('after', 'at least'). */
  verb?: string | undefined;
  /** A fixed list of values; absent for `date` and `text`. */
  options?: readonly { value: string; label: string }[] | undefined;
  kind?: 'options' | 'date' | 'text' | undefined;
  /** Comes with a link from a record, never from the menu; its name, read from a row, while there is one. */
  linked?: { name: string | null | undefined } | undefined;
}

function shownValue(filter: TableFilter, value: string): string {
  if (filter.kind === 'date') return formatDay(value) || value;
  if (filter.linked) return filter.linked.name ?? `no. ${value}`;
  return filter.options?.find((option) => option.value === value)?.label ?? value;
}

function ValueStep({ filter, search, onDone, onBack }: {
  filter: TableFilter; search: TableSearch; onDone: () => void; onBack: () => void;
}) {
  const [text, setText] = useState(search.filters[filter.name] ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.setFilter(filter.name, text.trim() || null);
    onDone();
  };
  return (
    <>
      <button type="button" className={styles.popoverBack} onClick={onBack}>
        <Glyph icon={ChevronLeft} size={14} />{filter.label} {filter.verb ?? 'is'}
      </button>
      {filter.options ? (
        <ul className={styles.choices}>
          {filter.options.map((option) => (
            <li key={option.value}>
              <button type="button" className={styles.option}
                aria-pressed={search.filters[filter.name] === option.value}
                onClick={() => { search.setFilter(filter.name, option.value); onDone(); }}>{option.label}</button>
            </li>
          ))}
        </ul>
      ) : (
        <form onSubmit={submit} className={styles.valueForm}>
          <input type={filter.kind === 'date' ? 'date' : 'text'} className={styles.find} aria-label={filter.label}
            value={text} onChange={(event) => setText(event.target.value)} />
          <button type="submit" className={styles.apply}>Apply</button>
        </form>
      )}
    </>
  );
}

/** Two bounds of one thing share its name: 'Opening from', 'Opening until'. */
function nameOf(filter: TableFilter, filters: readonly TableFilter[]): string {
  const shared = filters.some((other) => other !== filter && other.label === filter.label);
  return shared ? `${filter.label} ${filter.verb ?? 'is'}` : filter.label;
}

export function AddFilter({ filters, search }: { filters: readonly TableFilter[]; search: TableSearch }) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<TableFilter | null>(null);
  const close = () => { setOpen(false); setChosen(null); };
  return (
    <LatePopover open={open} onOpen={(next) => (next ? setOpen(true) : close())} position="bottom-start" width={228}
      label="Add a filter" className={styles.popover} openerClass={styles.plain}
      opener={<><Glyph icon={Plus} size={15} />Filter</>}>
      {chosen ? (
        <ValueStep key={chosen.name} filter={chosen} search={search} onDone={close} onBack={() => setChosen(null)} />
      ) : (
        <ul className={styles.choices}>
          {filters.filter((filter) => !filter.linked).map((filter) => (
            <li key={filter.name}>
              <button type="button" className={styles.option} onClick={() => setChosen(filter)}>
                {nameOf(filter, filters)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </LatePopover>
  );
}

export function FilterChips({ filters, search }: { filters: readonly TableFilter[]; search: TableSearch }) {
  return filters.flatMap((filter) => {
    const value = search.filters[filter.name];
    if (!value) return [];
    const words = shownValue(filter, value);
    return (
      <span key={filter.name} className={styles.chip}>
        {filter.label} {filter.verb ?? 'is'} <strong>{words}</strong>
        <button type="button" aria-label={`Remove filter ${filter.label} ${words}`}
          onClick={() => search.setFilter(filter.name, null)}><Glyph icon={X} size={13} /></button>
      </span>
    );
  });
}

/** Description of a partial list in print: 'Search “opera” · Phase is Draft · 11 to 20 of 57'. */
export function listInWords({ search, text, filters, page }: {
  search: TableSearch | undefined; text: string; filters: readonly TableFilter[] | undefined;
  page: Pick<TablePage, 'from' | 'to' | 'total' | 'last_page'> | undefined;
}): string {
  const set = (filters ?? []).flatMap((filter) => {
    const value = search?.filters[filter.name];
    return value ? [`${filter.label} ${filter.verb ?? 'is'} ${shownValue(filter, value)}`] : [];
  });
  return [text && `Search “${text}”`, ...set,
    page && page.last_page > 1 && `${page.from ?? 0} to ${page.to ?? 0} of ${page.total.toLocaleString('en-US')}`]
    .filter(Boolean).join(' · ');
}
