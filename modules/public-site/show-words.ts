/** Facts of a title in words. Pure. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import type { Market } from '#kernel/licensing/public-market.ts';
import type { PublicShow, PublicShowRow } from './public-show.contract.ts';

type Facts = Pick<PublicShowRow, 'type' | 'cast_min' | 'cast_max' | 'running_time_minutes' | 'orchestrations'
  | 'age_rating' | 'year' | 'available_from'> & Pick<PublicShow, 'cast_women' | 'cast_men' | 'cast_any'>;

const ORCHESTRATIONS: Readonly<Record<string, string>> = {
  full: 'full orchestra', reduced: 'reduced orchestra', piano: 'piano', tracks: 'performance tracks',
};
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export const kindWords = (type: string): string => (type === 'musical' ? 'Musical' : 'Play');

/** '9 to 24 performers', '4 performers', 'at least 6 performers'; null where nothing is known. */
export function castWords({ cast_min: least, cast_max: most }: Pick<Facts, 'cast_min' | 'cast_max'>): string | null {
  const count = (n: number): string => `${n} ${n === 1 ? 'performer' : 'performers'}`;
  if (least === null && most === null) return null;
  if (least === null) return `up to ${count(most!)}`;
  if (most === null) return `at least ${count(least)}`;
  return least === most ? count(least) : `${least} to ${count(most)}`;
}

const AND = new Intl.ListFormat('en-GB');

/** '4 women, 3 men and 6 of any gender'; null where nothing is known. */
export function genderWords(cast: Pick<PublicShow, 'cast_women' | 'cast_men' | 'cast_any'>): string | null {
  const part = (count: number | null, one: string, many: string): string[] =>
    (count === null || count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]);
  const parts = [...part(cast.cast_women, 'woman', 'women'), ...part(cast.cast_men, 'man', 'men'),
    ...part(cast.cast_any, 'of any gender', 'of any gender')];
  return parts.length === 0 ? null : AND.format(parts);
}

/** '2 hours 10 minutes' */
export function timeWords(minutes: number): string {
  const part = (n: number, unit: string): string[] => (n === 0 ? [] : [`${n} ${unit}${n === 1 ? '' : 's'}`]);
  return [...part(Math.floor(minutes / 60), 'hour'), ...part(minutes % 60, 'minute')].join(' ');
}

/** Label and text of every fact that is known. */
export function showFacts(show: Facts, market: Market): (readonly [label: string, text: string])[] {
  const cast = castWords(show);
  const facts: (readonly [string, string | null])[] = [
    ['Kind', kindWords(show.type)],
    ['Cast', cast], ['Roles', genderWords(show)],
    ['Running time', show.running_time_minutes === null ? null : timeWords(show.running_time_minutes)],
    ['Orchestration', show.orchestrations.length === 0 ? null
      : OR.format(show.orchestrations.map((one) => ORCHESTRATIONS[one] ?? one))],
    ['Age rating', show.age_rating === '' ? null : show.age_rating],
    ['Year', show.year === null ? null : String(show.year)],
    ['Performances from', show.available_from === null ? null : dateFor(market.language, show.available_from)],
  ];
  return facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
}
