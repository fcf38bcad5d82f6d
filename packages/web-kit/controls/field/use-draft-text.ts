/**
 * Text behind a field whose value is not text (money, number, date, time). While the field is edited its own words
 * stand; a readable text is reported at once; on leaving, the value is shown in the house's form. A text that cannot
 * be read stays where it is, is marked (`data-unreadable` stops the form's submit) and reports nothing.
 */
import { useState } from 'react';

export type DraftRules<T> = {
  /** Text for reading, after leaving the field. */
  show: (value: T) => string;
  /** Text for editing; `show` where it is the same. */
  edit?: ((value: T) => string) | undefined;
  /** The value of a text, or undefined where it has none. */
  parse: (text: string) => T | undefined;
  /** Keystrokes whose text is refused keep the former text. */
  accepts?: ((text: string) => boolean) | undefined;
};

export type DraftText = {
  text: string;
  unreadable: boolean;
  onText: (text: string) => void;
  onFocus: () => void;
  onBlur: () => void;
};

type Draft<T> = { text: string; of: T; left: boolean };

export function useDraftText<T>(value: T, onChange: (value: T) => void, rules: DraftRules<T>): DraftText {
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  const current = draft && Object.is(draft.of, value) ? draft : null;
  return {
    text: current?.text ?? rules.show(value),
    unreadable: current !== null && current.left,
    onText: (text) => {
      if (rules.accepts && !rules.accepts(text)) return;
      const parsed = rules.parse(text);
      setDraft({ text, of: parsed === undefined ? value : parsed, left: false });
      if (parsed !== undefined && !Object.is(parsed, value)) onChange(parsed);
    },
    onFocus: () => {
      if (!current) setDraft({ text: (rules.edit ?? rules.show)(value), of: value, left: false });
    },
    onBlur: () => {
      if (!current) return;
      setDraft(rules.parse(current.text) === undefined ? { ...current, left: true } : null);
    },
  };
}
