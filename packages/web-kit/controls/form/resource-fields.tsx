/**
 * Controls from a resource's declaration: `const show = fieldsOf(form, venue.fields, {...})`, then `{show('name')}`
 * where the screen wants it, and `{show.others()}` for every field that has no place of its own: a new field of the
 * declaration stands on the form by itself. The declaration gives label, caption, limits and whether it is required;
 * the screen gives the words of the choices and where references come from. What needs more than this is written by
 * hand beside it.
 */
import type { ReactNode } from 'react';
import type * as z from 'zod';
import { DIVISION_LABELS, initialOf, type Field, type FieldKind, type Fields } from '#kit/field.ts';
import { formatAmount } from '#web/data/money.tsx';
import { helpWith } from '#web/help/open-article.ts';
import { AsyncSelect } from '../select/async-select.tsx';
import { Checkbox } from '../field/checkbox.tsx';
import { DateField } from '../field/date-field.tsx';
import { MoneyField } from '../field/money-field.tsx';
import { MultiSelect } from '../select/multi-select.tsx';
import { NumberField } from '../field/number-field.tsx';
import type { OptionSource } from '../select/option.ts';
import { PercentField } from '../field/percent-field.tsx';
import { TextField } from '../field/text-field.tsx';
import type { FieldBinding, ResourceForm } from './use-resource-form.ts';

export interface FieldWords {
  /** Words of choices: `{ kind: { play: 'Play' } }`. Divisions are known. */
  choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Sources of the options of references. */
  sources?: Readonly<Record<string, OptionSource<number>>>;
  /** Words of references that are chosen already. */
  selected?: Readonly<Record<string, string | null | undefined>>;
  /** Of the amounts. */
  currency?: string;
  /** Numbers that name something and are written without thousands: a year. */
  ungrouped?: readonly string[];
  /** Explanations of fields, each with the article that says more. */
  help?: Readonly<Record<string, { text: string; article: string }>>;
  /** Fields that cannot be changed now. */
  disabled?: readonly string[];
}

type Values = Record<string, unknown>;

/** Options of a select from words by value. */
export function optionsOf<V extends string>(labels: Readonly<Record<V, string>>): { value: V; label: string }[] {
  return (Object.entries(labels) as [V, string][]).map(([value, label]) => ({ value, label }));
}

/** A form's values from a row, or those of an empty form. */
export function formValues(fields: Fields, row: object | null): Values {
  const start = initialOf(fields);
  if (!row) return start;
  return Object.fromEntries(Object.keys(fields).map((name) => [name, (row as Values)[name] ?? start[name]]));
}

/** Values of the fields of a declaration, as its endpoints take them. */
export type BodyValues<F extends Fields> = { [K in keyof F]: z.input<F[K]['schema']> };

/**
 * Values as sent: empty texts of optional fields become null, an amount that starts at zero is zero again when it is
 * emptied. Typed as a form that is filled in; what is still missing
 * is sent as it is, and the server's answer names it at its field (docs/decisions/0020).
 */
export function bodyValues<F extends Fields>(fields: F, values: Values): BodyValues<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => {
    const value = values[name];
    if (value === null && field.initial === 0) return [name, 0];
    return [name, value === '' && (!field.required || field.kind !== 'text') ? null : value];
  })) as BodyValues<F>;
}

/** Words of every path for the error summary. */
export function labelsOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.label]));
}

/** Kinds whose control needs more than the declaration says. */
const BY_HAND: ReadonlySet<FieldKind> = new Set<FieldKind>(['address', 'json', 'ref', 'refs']);

/** The control of a field by its name; `others` are the controls of all fields that were not asked for before it. */
export interface FieldControls<F extends Fields> {
  (name: keyof F & string): ReactNode;
  /** Stands last in the form. `byHand`: fields with a control of their own beside it, or elsewhere. */
  others(...byHand: (keyof F & string)[]): ReactNode;
}

/** A function from a field's name to its control. */
export function fieldsOf<F extends Fields>(
  form: ResourceForm<Values>, fields: F, words: FieldWords = {},
): FieldControls<F> {
  for (const [name, field] of Object.entries<Field>(fields)) {
    form.words.current[name] = (value) => wordsOf(name, field, value, form, words);
  }
  const placed = new Set<string>();
  const show = (name: keyof F & string): ReactNode => {
    placed.add(name);
    const field = fields[name];
    return field ? <FieldControl key={name} form={form} name={name} field={field} words={words} /> : null;
  };
  const others = (...byHand: (keyof F & string)[]): ReactNode => Object.keys(fields)
    .filter((name) => !placed.has(name) && !byHand.includes(name) && !BY_HAND.has(fields[name]!.kind)).map(show);
  return Object.assign(show, { others });
}

/** A value in words, for comparing two of them; undefined where the declaration does not know them. */
function wordsOf(name: string, field: Field, value: unknown, form: ResourceForm<Values>, words: FieldWords) {
  switch (field.kind) {
    case 'choice': return choiceWords(field, words.choices?.[name])(value);
    case 'choices': return (value as unknown[] | null)?.map(choiceWords(field, words.choices?.[name])).join(', ');
    case 'minor': return typeof value === 'number'
      ? formatAmount(value, words.currency ?? String(form.values.currency ?? 'USD')) : undefined;
    case 'ppm': return typeof value === 'number' ? `${value / 10_000}%` : undefined;
    case 'ref': return value === form.merge.loaded[name] ? words.selected?.[name] ?? undefined : undefined;
    default: return undefined;
  }
}

function choiceWords(field: Field, words: Readonly<Record<string, string>> | undefined) {
  const known = new Map(choicesOf(field, words).map((choice) => [choice.value, choice.label]));
  return (value: unknown) => known.get(String(value)) ?? (value ? String(value) : '');
}

interface FieldControlProps { form: ResourceForm<Values>; name: string; field: Field; words: FieldWords }

function FieldControl({ form, name, field, words }: FieldControlProps) {
  const binding = form.field(name);
  const disabled = words.disabled?.includes(name) ?? false;
  const frame = { label: field.label, required: field.required && field.kind !== 'bool' && field.kind !== 'choices',
    caption: field.caption, disabled, help: helpOf(words.help?.[name]) };
  const typed = <T,>(): FieldBinding<T> => binding as FieldBinding<T>;
  switch (field.kind) {
    case 'bool': return (
      <Checkbox {...typed<boolean>()} label={field.label} caption={field.caption} disabled={disabled} />
    );
    case 'integer': return (
      <NumberField {...frame} {...typed<number | null>()} value={numberOf(binding.value)}
        grouped={!words.ungrouped?.includes(name)} />
    );
    case 'minor': return (
      <MoneyField {...frame} {...typed<number | null>()} value={numberOf(binding.value)}
        currency={words.currency ?? String(form.values.currency ?? 'USD')} />
    );
    case 'ppm': return <PercentField {...frame} {...typed<number | null>()} value={numberOf(binding.value)} />;
    case 'date': return <DateField {...frame} {...typed<string | null>()} value={(binding.value as string) || null} />;
    case 'choice': return (
      <AsyncSelect {...frame} {...typed<string | null>()} value={(binding.value as string) || null}
        clearable={!field.required} options={choicesOf(field, words.choices?.[name])} />
    );
    case 'choices': return (
      <MultiSelect {...frame} {...typed<string[]>()} options={choicesOf(field, words.choices?.[name])} />
    );
    case 'ref': return (
      <AsyncSelect<number> {...frame} {...typed<number | null>()} value={numberOf(binding.value)}
        clearable={!field.required} source={words.sources?.[name]}
        selectedLabel={words.selected?.[name] ?? undefined} />
    );
    default: return (
      <TextField {...frame} {...typed<string>()} value={(binding.value as string | null) ?? ''}
        {...(field.kind === 'long_text' ? { rows: 4 } : {})}
        {...(field.kind === 'email' || field.kind === 'url' ? { type: field.kind } : {})} />
    );
  }
}

function helpOf(help: { text: string; article: string } | undefined) {
  return help && helpWith(help.text, help.article);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function choicesOf(field: Field, words: Readonly<Record<string, string>> | undefined) {
  const known: Readonly<Record<string, string>> = words ?? DIVISION_LABELS;
  return (field.options ?? []).map((value) => ({ value, label: known[value] ?? value }));
}
