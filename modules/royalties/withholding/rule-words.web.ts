/** Words of withholding: payees, countries, and whether a rule is in force. */
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import type { Tone } from '#web/data/badge.tsx';
import type { WhtRule } from './withholding.contract.ts';

export const PAYEE_WORDS = {
  person: 'Persons', company: 'Companies', agent: 'Agents',
} as const satisfies Record<NonNullable<WhtRule['kind']>, string>;

const NAMES = new Map<string, string>(COUNTRIES.map((country) => [country.code, country.name]));

export function countryName(code: string | null): string {
  return code === null ? 'Any country' : NAMES.get(code) ?? code;
}

/** Where a rule stands on a day, both ends included. */
export function ruleState(rule: Pick<WhtRule, 'valid_from' | 'valid_to'>, on: string): { label: string; tone: Tone } {
  if (rule.valid_from > on) return { label: 'Planned', tone: 'info' };
  if (rule.valid_to !== null && rule.valid_to < on) return { label: 'Ended', tone: 'outline' };
  return { label: 'In force', tone: 'ok' };
}
