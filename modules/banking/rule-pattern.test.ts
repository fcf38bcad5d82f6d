// cspell:ignore rvice
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRulePattern } from './rule-pattern.ts';

const found = (pattern: string, text: string): boolean | undefined =>
  compileRulePattern(pattern).pattern?.matches(text);

test.each([['fee$', true], ['^chase monthly', true], ['^monthly', false], ['s.rvice', true], ['(rent|fee)', true],
  ['\\bfee\\b', true], ['\\bee', false], ['[^a-z ]', true], ['[A-F]EE', true], ['e{2}', true], ['e{3,}', false],
  ['mo(nth)?ly', true], ['\\d', false], ['service\\s*-\\s*fee', true], ['x*', true], ['(?:a|b)+x', false],
  ['s{1,2}e', true], ['\\w+-\\w+', true], ['(m.*?y)', true]])('the pattern %s', (pattern, isFound) => {
  expect(found(pattern, 'Chase Monthly Service-Fee')).toBe(isFound);
});

test.each([
  ['(?=a)', 'ahead or behind'], ['(a)\\1', 'cannot be read'], ['(a{50}){50}', 'repeats too much'],
  ['[', 'bracket'], ['(', 'closing parenthesis'], [')', 'opening parenthesis'], ['*a', 'before a repeat'],
  ['a**', 'follows a repeat'], ['[z-a]', 'backward'], ['\\', 'backslash'], ['\\q', 'cannot be read'],
  ['a{3,1}', 'repeats'], ['', 'Enter a pattern'], ['a'.repeat(201), 'at most 200'],
  [`${'('.repeat(15)}${'){50}'.repeat(15)}`, 'repeats'],
])('the pattern %s is refused in words', (pattern, words) => {
  expect(compileRulePattern(pattern).problem).toContain(words);
});

test('no pattern throws, whatever is typed', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => {
    const { pattern, problem } = compileRulePattern(text);
    expect(pattern === null).toBe(problem !== null);
  }), { numRuns: 500 });
});

test('a text is read to its thousandth character', () => {
  expect(found('needle', `${'a'.repeat(994)}needle`)).toBe(true);
  expect(found('needle', `${'a'.repeat(995)}needle`)).toBe(false);
});

test('patterns agree with those of JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '(a|b)', '(ab)', '\\b', '^', '$');
  const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}');
  const piece = fc.tuple(atom, repeat).map(([one, many]) => (['\\b', '^', '$'].includes(one) ? one : one + many));
  fc.assert(fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.stringMatching(/^[ab ]{0,8}$/),
    (pieces, text) => {
      const pattern = pieces.join('');
      expect(found(pattern, text)).toBe(new RegExp(pattern, 'iu').test(text));
    }), { numRuns: 500 });
});
