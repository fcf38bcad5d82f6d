/** Ways of paying as receipts and remittance advices say them, in the spelling of the division. */
import type { Language } from '../money/division.ts';
import { spellIn } from '../text/english.ts';

const METHODS = { card: 'Card', ach: 'ACH', wire: 'Wire transfer', check: 'Check', bacs: 'BACS',
  sepa: 'SEPA credit transfer', cash: 'Cash', set_off: 'Set-off' } as const;

export type MethodOnPaper = keyof typeof METHODS;

export const methodOnPaper = (method: MethodOnPaper, language: Language): string =>
  spellIn(language)(METHODS[method]);
