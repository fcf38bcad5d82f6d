/**
 * SQL written by hand as tagged templates; values travel as parameters, never as text.
 *
 * The text of a template is the same for every call, so it goes out as a named prepared statement (db.ts), which is
 * worth a fifth of the CPU on both sides (performance.md 2). Fragments nest: `sql\`select * from t ${where}\``.
 *
 * @example
 * const rows = await db.query<{ id: number }>(sql`select id from venues where name = ${name}`);
 */
import { foldName } from '#kernel/text/fold.ts';

export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Text with $1, $2 … and the values in that order. */
  compile(): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    if (this.values.some((value) => value instanceof Sql)) return { text: write(this, values), values };
    let text = plainTexts.get(this.strings);
    if (text === undefined) {
      text = write(this, values);
      plainTexts.set(this.strings, text);
    }
    return { text, values: [...this.values] };
  }
}

/** A template without parts has one text for ever: it is written once, and found again by its strings. */
const plainTexts = new WeakMap<readonly string[], string>();

function write(part: Sql, values: unknown[]): string {
  let text = part.strings[0] ?? '';
  part.values.forEach((value, index) => {
    if (value instanceof Sql) {
      text += write(value, values);
    } else {
      values.push(value);
      text += `$${values.length}`;
    }
    text += part.strings[index + 1] ?? '';
  });
  return text;
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

const IDENTIFIER = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;

/** A name with capitals keeps them only in quotes. */
const WITH_CAPITALS = /^[a-z][A-Za-z0-9]*$/;

/** A table or column name from a declaration of ours; anything that is no plain name is refused. */
export function name(identifier: string): Sql {
  if (IDENTIFIER.test(identifier)) return new Sql([identifier], []);
  if (WITH_CAPITALS.test(identifier)) return new Sql([`"${identifier}"`], []);
  throw new Error(`not a plain SQL name: ${identifier}`);
}

export const empty = new Sql([''], []);

/** Parts with a separator of ours between them. */
export function join(parts: readonly Sql[], separator: ', ' | ' and ' | ' or ' | ' ' = ', '): Sql {
  if (parts.length === 0) return empty;
  return new Sql(['', ...Array.from({ length: parts.length - 1 }, () => separator), ''], parts);
}

/** `where a and b`, or nothing when there is no condition. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`;
}

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** User text as a LIKE pattern that contains it: `%`, `_` and `\` mean themselves. */
export function containing(text: string): string {
  return `%${literal(text)}%`;
}

/** A folded text contains what was typed, however either is spelled: the search of every list. */
export function matches(folded: Sql, typed: string): Sql {
  return sql`${folded} like ${containing(foldName(typed))}`;
}

/** The same for a text that is not folded yet. */
export function mentions(text: Sql, typed: string): Sql {
  return matches(sql`fold_name(${text})`, typed);
}

/** The same for the texts of the ledger, where a million rows are read for a page. */
export function inLedger(text: Sql, typed: string): Sql {
  return sql`ledger_fold(${text}) like ledger_fold(${containing(typed)})`;
}

/** Normalizes a typed number: keyboard dash, no invisible characters: "INV–US" is "INV-US". */
export function plainNumber(typed: string): string {
  return typed.replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/gu, '-')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/gu, '');
}

/** The same as {@link mentions} for values at hand. */
export function textMentions(text: string, typed: string): boolean {
  return foldName(text).includes(foldName(typed));
}

/** The same for what begins with it. */
export function startingWith(text: string): string {
  return `${literal(text)}%`;
}
