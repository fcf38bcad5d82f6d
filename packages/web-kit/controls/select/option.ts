/**
 * Options of the select controls, and how they are found.
 *
 * Local options are ranked by the fuzzy tiers of SPEC.md 9 (case-sensitive equal 7, equal 6, starts with 5, word
 * starts with 4, contains 3, acronym 2, matches 1, none 0) on label, value and children; rank 0 is hidden. The best
 * key wins, ties stand in label order (gap G49). Options that match by the fold of names alone come last. Remote
 * options keep the server's order (gap G48).
 */
import { matchSorter, rankings } from 'match-sorter';
import { foldName } from '#kernel/text/fold.ts';

export type OptionValue = string | number;
export type Option<V extends OptionValue = string> = {
  value: V;
  label: string;
  /** A second line: code, town, customer number. Searched as well. */
  children?: string | undefined;
  disabled?: boolean | undefined;
};

/** One page of options in the list envelope of the API. */
export type OptionPage<V extends OptionValue = string> = {
  data: Option<V>[];
  meta: { current_page: number; last_page: number };
};
export type OptionSource<V extends OptionValue = string> =
  (search: string, page: number, signal: AbortSignal) => Promise<OptionPage<V>>;

/** Keys that are searched (C67). */
export const FUZZY_KEYS = ['label', 'value', 'children'] as const;
/** The tiers by name (C59-C66). */
export const FUZZY_TIERS = rankings;

const collator = new Intl.Collator('en-US', { numeric: true });

/** Options that match, best tier first; an empty search keeps every option in the given order. */
export function rankOptions<V extends OptionValue>(options: readonly Option<V>[], search: string): Option<V>[] {
  const wanted = search.trim();
  if (wanted === '') return [...options];
  const asTyped = rank(options, wanted, (text) => text);
  const left = options.filter((option) => !asTyped.includes(option));
  const folded = foldName(wanted);
  return folded === '' ? asTyped : [...asTyped, ...rank(left, folded, foldName)];
}

function rank<V extends OptionValue>(
  options: readonly Option<V>[], wanted: string, spelled: (text: string) => string,
): Option<V>[] {
  return matchSorter([...options], wanted, {
    keys: [
      (option) => spelled(option.label),
      (option) => spelled(String(option.value)),
      (option) => spelled(option.children ?? ''),
    ],
    sorter: (ranked) => ranked.sort(
      (a, b) => Math.floor(b.rank) - Math.floor(a.rank) || collator.compare(a.item.label, b.item.label),
    ),
  });
}
