/**
 * Three-way merge of a form's values (U27): as they were loaded, as they stand in the record now, as they were typed.
 * What one side alone changed is taken from that side; where both changed a field to different values, somebody has to
 * choose, and until then the typed one stays. Objects (an address) merge by their parts, lists as a whole: half of
 * each of two lists is a list that nobody wrote.
 */
export interface FieldDifference {
  /** Dot notation, the same on the wire: `address.city`. */
  path: string;
  loaded: unknown;
  theirs: unknown;
  mine: unknown;
}

export interface MergedChanges<Values> {
  values: Values;
  /** Changed on both sides, to different values. */
  both: FieldDifference[];
  /** Changed by the others alone: taken over. */
  theirs: FieldDifference[];
  /** Changed here alone: kept. */
  mine: FieldDifference[];
}

type Part = Record<string, unknown>;

export function mergeChanges<Values extends object>(
  loaded: Values, theirs: Values, mine: Values,
): MergedChanges<Values> {
  const found: Omit<MergedChanges<Values>, 'values'> = { both: [], theirs: [], mine: [] };
  const merged = (before: unknown, now: unknown, typed: unknown, path: string): unknown => {
    if (isPart(now) && isPart(typed)) {
      const was = isPart(before) ? before : {};
      return Object.fromEntries([...new Set([...Object.keys(typed), ...Object.keys(now)])].map((key) =>
        [key, merged(was[key], now[key], typed[key], path === '' ? key : `${path}.${key}`)]));
    }
    const difference = { path, loaded: before, theirs: now, mine: typed };
    if (sameValue(now, typed)) return typed;
    if (sameValue(before, typed)) {
      found.theirs.push(difference);
      return now;
    }
    (sameValue(before, now) ? found.mine : found.both).push(difference);
    return typed;
  };
  return { values: merged(loaded, theirs, mine, '') as Values, ...found };
}

/** Whether two values of a field say the same; an empty text, null and nothing at all do. */
export function sameValue(one: unknown, other: unknown): boolean {
  const [a, b] = [one === '' ? null : one ?? null, other === '' ? null : other ?? null];
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isPart(a) || !isPart(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(a[key], b[key]));
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
