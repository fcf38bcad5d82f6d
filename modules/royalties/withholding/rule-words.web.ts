/** Words of withholding: payees, countries, and whether a rule is in force. */
import { countryName } from '#kernel/address/address-lines.ts';
import type { Tone } from '#web/data/badge.tsx';
import type { WhtRule } from './withholding.contract.ts';

export const PAYEE_WORDS = {
  person: 'Persons', company: 'Companies', agent: 'Agents',
} as const satisfies Record<NonNullable<WhtRule['kind']>, string>;

export const INCOME_WORDS = {
  royalty: 'Royalties', vendor: 'US vendors',
} as const satisfies Record<WhtRule['income_kind'], string>;

export const payeeCountry = (code: string | null): string => (code === null ? 'Any country' : countryName(code));

/** State of a rule on a day, both ends included. */
export function ruleState(rule: Pick<WhtRule, 'valid_from' | 'valid_to'>, on: string): { label: string; tone: Tone } {
  if (rule.valid_from > on) return { label: 'Planned', tone: 'info' };
  if (rule.valid_to !== null && rule.valid_to < on) return { label: 'Ended', tone: 'outline' };
  return { label: 'In force', tone: 'ok' };
}
