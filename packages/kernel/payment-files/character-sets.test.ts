import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { railText } from './character-sets.ts';
import type { Rail } from './payment-batch.ts';

const RAILS: readonly Rail[] = ['nacha', 'sepa', 'bacs'];
const SETS: Readonly<Record<Rail, RegExp>> = { nacha: /^[\x20-\x7e]*$/, sepa: /^[A-Za-z0-9/\-?:().,'+ ]*$/,
  bacs: /^[A-Z0-9.&/\- ]*$/ };

// cspell:disable
describe('names in the characters of a rail', () => {
  test.each([
    ['Würth & Söhne', 'Wuerth & Soehne', 'Wuerth + Soehne', 'WUERTH & SOEHNE'],
    ['MÜLLER GROẞ', 'MUELLER GROSS', 'MUELLER GROSS', 'MUELLER GROSS'],
    ['Łódź Ærø', 'Lodz Aeroe', 'Lodz Aeroe', 'LODZ AEROE'],
    ['Théâtre d’Été', 'Theatre d\'Ete', 'Theatre d\'Ete', 'THEATRE DETE'],
    ['Юрий', 'Iurii', 'Iurii', 'IURII'],
    ['Ευγενία Ώρα', 'Evgenia Ora', 'Evgenia Ora', 'EVGENIA ORA'],
    ['Παύλου Ευθυμίου', 'Pavlou Efthymiou', 'Pavlou Efthymiou', 'PAVLOU EFTHYMIOU'],
    ['rights_2026 [draft]', 'rights_2026 [draft]', 'rights-2026 (draft)', 'RIGHTS-2026 DRAFT'],
    ['ﬁne Ⅳ ½', 'fine IV 1/2', 'fine IV 1/2', 'FINE IV 1/2'],
  ])('%s', (text, nacha, sepa, bacs) => {
    const spelled = RAILS.map((rail) => railText(rail, text).text);
    expect(spelled).toEqual([nacha, sepa, bacs]);
  });

  test('what was changed is told apart: marks, another script, signs', () => {
    expect(railText('sepa', 'Würth').kinds).toEqual(['letters']);
    expect(railText('sepa', 'Иван').kinds).toEqual(['script']);
    expect(railText('sepa', 'A&B').kinds).toEqual(['symbols']);
    expect(railText('sepa', 'Plain (1)').kinds).toEqual([]);
  });

  test('a script without an alphabet is named, never dropped', () => {
    expect(railText('sepa', '株式会社').unspelled).toBe('株');
    expect(railText('nacha', 'שלום').unspelled).toBe('ש');
    expect(railText('bacs', 'Emoji 🎭').unspelled).toBeNull();
  });

  test('signs the bank has not leave blanks, invisible ones nothing', () => {
    expect(railText('sepa', 'a\u200bb\tc  d🎭').text).toBe('ab c d');
  });
});
// cspell:enable

test('whatever the text, the result has only characters of the rail, and is stable', () => {
  fc.assert(fc.property(fc.constantFrom(...RAILS), fc.string({ unit: 'grapheme', maxLength: 40 }), (rail, text) => {
    const once = railText(rail, text);
    expect(once.text).toMatch(SETS[rail]);
    expect(railText(rail, once.text)).toEqual({ text: once.text, kinds: [], unspelled: null });
  }), { numRuns: 500 });
});
