/** Index patterns made from the typed text. */
import { describe, expect, test } from 'vitest';
import { searchText } from './search-text.ts';

const patterns = (typed: string) => searchText(typed).words.map((word) => word.anywhere ?? word.start);

describe('what was typed', () => {
  test('is a range of beginnings, in lower case and with one space between words', () => {
    const { from, to } = searchText('  INV–US   2026 ').number;
    expect(from).toBe('inv-us 2026');
    expect('inv-us 2026-000014' >= from && 'inv-us 2026-000014' < to).toBe(true);
    expect('inv-us 2027' < to).toBe(false);
  });

  test.each([
    ['river high', ['%river%', '%high%']],
    // Without three letters in a row a trigram index would be read from end to end.
    ['al quiet', ['al%', '%quiet%']],
    ['a-b', ['a b%']], ['H. M. S. Pinafore', ['%hms%', '%pinafore%']], ['617 555', ['%617555%']],
    ['— …', []],
    ['100% _sure_ a\\b\\cde', ['%100%', '%sure%', '%a b cde%']],
    ['Doll’s H.M.S. Ærø', ['%dolls%', '%hms%', '%aero%']],
    ['日本', ['日本%']],
  ])('%s becomes %j', (typed, expected) => { expect(patterns(typed)).toEqual(expected); });

  test('asks for six words at most', () => {
    expect(patterns('one two three four five six seven eight')).toHaveLength(6);
  });
});
