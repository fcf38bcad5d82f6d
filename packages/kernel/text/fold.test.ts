// cspell:disable -- spellings of names
import { expect, test } from 'vitest';
import { foldName } from './fold.ts';

/** Texts of one line fold to the same word. */
const SAME: readonly (readonly [fold: string, ...texts: string[]])[] = [
  ['dolls house', 'Doll\'s House', 'Doll’s House', 'Doll‘s House', 'Doll´s House', 'DOLLS HOUSE', ' Doll`s  House ',
    'Doll′s House', '“Doll\'s House”'],
  ['hms pinafore', 'H.M.S. Pinafore', 'HMS Pinafore', 'H. M. S. Pinafore', 'h.m.s pinafore'],
  ['jb smith', 'J.B. Smith', 'J. B. Smith', 'JB Smith'],
  ['rodgers and hammerstein', 'Rodgers & Hammerstein', 'Rodgers and Hammerstein', 'Rodgers＆Hammerstein'],
  ['aeroport', 'Æroport', 'aeroport', 'ÆROPORT'], ['oeuvre', 'œuvre', 'Oeuvre'],
  ['strasse', 'Straße', 'STRASSE', 'STRAẞE'], ['lodz', 'Łódź', 'Lodz'], ['sondergard', 'Søndergård', 'Sondergard'],
  ['thor', 'Þór', 'Thor'], ['fiddler', 'ﬁddler', 'Fiddler'], ['istanbul', 'İstanbul', 'Istanbul'],
  ['les miserables', 'Les Misérables', 'Les Miserables', 'LES MISÉRABLES'],
  ['spider man', 'Spider-Man', 'Spider–Man', 'Spider—Man', 'Spider‑Man', 'Spider Man'],
  ['romeo juliet', 'Romeo/Juliet', 'Romeo, Juliet', 'Romeo … Juliet'],
  ['16175550100', '+1 617 555 0100', '+1 (617) 555-0100', '1.617.555.0100', '16175550100'],
  ['wc2b4df', 'WC2B 4DF', 'wc2b4df'], ['k1a0b1', 'K1A 0B1', 'K1A0B1'], ['1012ab', '1012 AB', '1012AB'],
  ['oneill', 'O’Neill', 'O\'Neill'], ['coop', 'Co\u00adop', 'Coop'], ['?', '?', ' ? '], ['!!!', '!!!'], ['', '', '  '],
];

test.each(SAME)('%j is the fold of each of its spellings', (fold, ...texts) => {
  for (const text of texts) expect(foldName(text), text).toBe(fold);
});

test('what is another name stays another', () => {
  const names = ['Catch-22', 'Catch', 'J. Smith', 'Annie', 'Anne', '1984', '?', '!', 'Plan B. A story', 'Pi 3.14',
    'Muller', 'Mueller'];
  expect(new Set(names.map(foldName)).size).toBe(names.length);
  expect(foldName('Pi 3.14')).toBe('pi 314');
});

test('a fold folds to itself', () => {
  for (const [, ...texts] of SAME) for (const text of texts) expect(foldName(foldName(text))).toBe(foldName(text));
});
