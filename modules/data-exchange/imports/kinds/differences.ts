/**
 * Differences between a row of a file and the record it names. Only filled cells count: an empty one and a value for
 * the whole file change nothing. Identifying fields of a record (its name, its number) are never changed.
 */
import { matchHeads, type FieldSet } from '../import-field.contract.ts';

/** A record or a row in the fields of its resource. */
export type Facts = Readonly<Record<string, unknown>>;
/** Fields of the file and where each stands in the resource: `locality` -> `address.locality`. */
export type Paths = Readonly<Record<string, string>>;
export interface Difference { field: string; label: string; from: string; to: string }

/** As the list's file for an import has them (kit/import-columns.ts), without those that are not changed. */
export function pathsOf(
  columns: Readonly<Record<string, string>>, fields: FieldSet, without: readonly string[],
): Paths {
  const heads = Object.keys(columns);
  return Object.fromEntries(Object.entries(matchHeads(heads, fields)).flatMap(([field, at]) =>
    without.includes(field) ? [] : [[field, columns[heads[at]!]!]]));
}

export function differences(
  paths: Paths, fields: FieldSet, given: readonly string[], said: Facts, now: Facts,
): Difference[] {
  return given.flatMap((field) => {
    const path = paths[field];
    if (path === undefined) return [];
    const [from, to] = [shown(valueAt(now, path)), shown(valueAt(said, path))];
    return from === to ? [] : [{ field, label: fields[field]!.label, from, to }];
  });
}

/** The fields of the resource that change; a part of an address or of prices goes with the parts that stay. */
export function changedValues(
  paths: Paths, changed: readonly Pick<Difference, 'field'>[], said: Facts, now: Facts,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { field } of changed) {
    const [whole, part] = paths[field]!.split('.') as [string, string?];
    const before = values[whole] ?? now[whole];
    values[whole] = part === undefined || before === null || before === undefined ? said[whole]
      : { ...before as Facts, [part]: valueAt(said, paths[field]!) };
  }
  return values;
}

const LONGEST = 80;
const cut = (text: string): string => text === '' ? 'empty'
  : text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;

/** "Capacity: 880 → 900; Phone: empty → 617 555 0100". */
export function differenceWords(all: readonly Difference[]): string {
  return all.map(({ label, from, to }) => `${label}: ${cut(from)} → ${cut(to)}`).join('; ');
}

function valueAt(facts: Facts, path: string): unknown {
  const [whole, part] = path.split('.') as [string, string?];
  const value = facts[whole];
  return part === undefined ? value : (value as Facts | null | undefined)?.[part];
}

/** Nothing and an empty text are one; several words are compared in any order. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(String).toSorted().join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value).replaceAll('\r\n', '\n').trim();
}
