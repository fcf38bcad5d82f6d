/**
 * A text of several lines in which `@` offers people (U25): typing goes on to search, arrows walk through the list,
 * Enter or Tab takes one, Escape leaves the text as it is. The field shows names; `onChange` reports the text as it is
 * stored, with `@[id]` for whoever was chosen.
 *
 * A textarea may not be a combobox, so the list hangs on the text box itself (aria-controls, aria-activedescendant),
 * and a status line says how many people it offers.
 */
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { mentionAt, storedMentions, type Mention } from '#kit/mentions.ts';
import { FieldFrame, frameOf, type FieldFrameProps } from './field-frame.tsx';
import { InputShell } from './input-shell.tsx';
import { rankOptions, type Option, type OptionSource } from '../select/option.ts';
import { useOptions, type Options } from '../select/use-options.ts';
import fieldStyles from './field-frame.module.css';
import styles from '../select/autocomplete.module.css';

export type MentionFieldProps = FieldFrameProps & {
  /** Text shown in the field; set it to empty to start over. */
  value: string;
  /** The text with names, and the same as it is stored. */
  onChange: (text: string, stored: string) => void;
  /** People that can be mentioned: value the id, label the name, children a detail that distinguishes equal names. */
  people: OptionSource<number>;
  rows?: number | undefined;
  placeholder?: string | undefined;
};

/** Two people of one name are told apart by what follows it. */
function nameFor(option: Option<number>, chosen: readonly Mention[]): string {
  const taken = chosen.some((one) => one.name === option.label && one.id !== option.value);
  return taken && typeof option.children === 'string' ? `${option.label} (${option.children})` : option.label;
}

/** The text, whom it names, and where a mention is being written. */
function useMentions({ value, onChange, people }: MentionFieldProps) {
  const [chosen, setChosen] = useState<readonly Mention[]>([]);
  const [writing, setWriting] = useState<{ start: number; end: number; query: string } | null>(null);
  const [current, setCurrent] = useState(0);
  /** The `@` whose list was closed stays closed. */
  const closed = useRef(-1);
  const options = useOptions<number>({ source: people, open: writing !== null });
  // Options already loaded are filtered at once: Enter never picks somebody of a search still in flight.
  const items = writing ? rankOptions(options.items, writing.query) : [];
  const close = () => { closed.current = writing?.start ?? -1; setWriting(null); };
  return {
    writing, options, items, current: Math.min(current, Math.max(0, items.length - 1)), setCurrent, close,
    leave: () => setWriting(null),
    type: (text: string, caret: number) => {
      onChange(text, storedMentions(text, chosen));
      const at = mentionAt(text, caret);
      if (at && at.start !== closed.current && !chosen.some((one) => text.startsWith(one.name, at.start + 1))) {
        setWriting({ ...at, end: caret });
        setCurrent(0);
        options.setSearch(at.query);
      } else {
        if (!at) closed.current = -1;
        setWriting(null);
      }
    },
    /** Puts the person in place of what was typed; answers where the caret goes. */
    choose: (option: Option<number>): number => {
      const { start, end } = writing!;
      const name = nameFor(option, chosen);
      const people = [...chosen.filter((one) => one.id !== option.value), { id: option.value, name }];
      const after = value.slice(end).startsWith(' ') ? value.slice(end) : ` ${value.slice(end)}`;
      const text = `${value.slice(0, start)}@${name}${after}`;
      setChosen(people);
      onChange(text, storedMentions(text, people));
      close();
      return start + name.length + 2;
    },
  };
}

export function MentionField(props: MentionFieldProps) {
  const mentions = useMentions(props);
  const { writing, items, current, setCurrent } = mentions;
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const shown = writing !== null && items.length > 0;
  const choose = (option: Option<number> | undefined) => {
    if (!option) return;
    const caret = mentions.choose(option);
    requestAnimationFrame(() => { area.current?.focus(); area.current?.setSelectionRange(caret, caret); });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!writing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') mentions.close();
    else if (!shown) return;
    else if (step !== 0) setCurrent((current + step + items.length) % items.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(items[current]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <FieldFrame {...frameOf(props)}>
      {({ 'aria-required': _required, ...aria }) => (
        <div className={styles.anchor}>
          <InputShell>
            <textarea {...aria} ref={area} rows={props.rows ?? 3} value={props.value} placeholder={props.placeholder}
              required={props.required} className={`${fieldStyles.input} ${fieldStyles.multiline}`}
              aria-autocomplete="list" aria-controls={shown ? list : undefined}
              aria-activedescendant={shown ? `${list}-${current}` : undefined} onKeyDown={onKeyDown}
              onBlur={mentions.leave}
              onChange={({ currentTarget }) => mentions.type(currentTarget.value, currentTarget.selectionStart)} />
          </InputShell>
          {shown && (
            <ul id={list} role="listbox" aria-label="People who can be named" className={styles.list}
              style={{ maxHeight: '12rem' }}>
              {items.map((option, index) => (
                // The text keeps the focus: what is pressed here never takes it.
                <li key={option.value} id={`${list}-${index}`} role="option" aria-selected={index === current}
                  data-current={index === current || undefined} className={styles.option}
                  ref={index === current ? (item) => item?.scrollIntoView({ block: 'nearest' }) : undefined}
                  onMouseDown={(event) => { event.preventDefault(); choose(option); }}>
                  <span>{option.label}</span>
                  {option.children && <span className={styles.note}>{option.children}</span>}
                </li>
              ))}
            </ul>
          )}
          <div role="status" className="gr-hidden">{writing && statusOf(items, mentions.options)}</div>
        </div>
      )}
    </FieldFrame>
  );
}

type Search = Pick<Options<number>, 'loading' | 'failure'>;

function statusOf(items: readonly unknown[], { loading, failure }: Search): string {
  if (failure) return failure;
  if (loading && items.length === 0) return 'Searching people';
  if (items.length === 0) return 'Nobody of this name may read this';
  return items.length === 1 ? '1 person; Enter names them' : `${items.length} people; arrows choose, Enter names one`;
}
