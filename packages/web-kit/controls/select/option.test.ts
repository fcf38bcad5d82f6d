/** Fuzzy ranking of local options: SPEC.md 9, constants C59-C67, gap G49. */
import { describe, expect, test } from 'vitest';
import { FUZZY_KEYS, FUZZY_TIERS, rankOptions } from './option.ts';

const labels = (names: string[], search: string) =>
  rankOptions(names.map((label, i) => ({ value: i + 1000, label })), search).map((option) => option.label);

describe('rankOptions', () => {
  test('[C59] [C60] [C61] [C62] [C63] [C64] [C65] [C66] tiers carry the ranks 7 to 0', () => {
    expect(FUZZY_TIERS).toEqual({
      CASE_SENSITIVE_EQUAL: 7, EQUAL: 6, STARTS_WITH: 5, WORD_STARTS_WITH: 4, CONTAINS: 3, ACRONYM: 2, MATCHES: 1,
      NO_MATCH: 0,
    });
  });

  test('[S36] options stand in tier order, rank 0 is hidden', () => {
    const names = [
      'Earl Acorn', 'Chalet', 'Concatenate', 'The Cats', 'Cats!', 'cat', 'Cat', 'Dog',
      'Come All Together',
    ];
    expect(labels(names, 'Cat')).toEqual(
      ['Cat', 'cat', 'Cats!', 'The Cats', 'Concatenate', 'Come All Together', 'Chalet'],
    );
  });

  test('[C67] label, value and children are searched', () => {
    expect(FUZZY_KEYS).toEqual(['label', 'value', 'children']);
    const rows = [
      { value: 'AAA', label: 'One' }, { value: 'x', label: 'Two', children: 'Operetta' },
      { value: 'y', label: 'Three' },
    ];
    expect(rankOptions(rows, 'aaa').map((row) => row.label)).toEqual(['One']);
    expect(rankOptions(rows, 'operet').map((row) => row.label)).toEqual(['Two']);
  });

  test.each([['A Doll’s House', 'doll\'s'],
    ['H.M.S. Pinafore', 'hms pin'], ['Ærø', 'aero'], ['A & B', 'a and b']])(
    '%s is found by %s', (label, typed) => { expect(labels([label, 'Dog'], typed)).toEqual([label]); });

  test('accents are folded, ties stand in label order, a blank search keeps the given order', () => {
    expect(labels(['Misérables', 'Dog'], 'miserables')).toEqual(['Misérables']);
    expect(labels(['Act 10', 'Act 9', 'Act 2'], 'act')).toEqual(['Act 2', 'Act 9', 'Act 10']);
    expect(labels(['b', 'a'], '  ')).toEqual(['b', 'a']);
  });
});
