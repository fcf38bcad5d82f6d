// cspell:ignore chas citi rvice
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dryRunRules, firstRule, prepareRules, ruleProblems, type BankRule, type RuleLine } from './bank-rules.ts';
import { compilePattern, MAX_PATTERN_TEXT, runPattern } from './pattern.ts';

const rule = (id: number, more: Partial<BankRule> = {}): BankRule => ({ id, priority: 1, bank_account_id: null,
  direction: null, from_minor: null, to_minor: null, conditions: [], ...more });
const contains = (value: string, field: 'text' | 'name' = 'text') => ({ field, operator: 'contains' as const, value });
const fee = (more: Partial<RuleLine> = {}): RuleLine => ({ id: 1, bank_account_id: 1, booked_on: '2026-11-20',
  amount_minor: -15_00n, name: 'Chase', memo: 'Monthly  Service-Fee', reference: '', ...more });
const fits = (of: BankRule, line: RuleLine): boolean => firstRule(prepareRules([of]), line) !== null;

test('a text is found without regard to case, accents, hyphens and blanks', () => {
  expect(fits(rule(1, { conditions: [contains('service fee')] }), fee())).toBe(true);
  expect(fits(rule(1, { conditions: [contains('café')] }), fee({ memo: 'CAFE 12' }))).toBe(true);
  expect(fits(rule(1, { conditions: [contains('service fee', 'name')] }), fee())).toBe(false);
  expect(fits(rule(1, { conditions: [{ field: 'name', operator: 'equals', value: 'CHASE' }] }), fee())).toBe(true);
  expect(fits(rule(1, { conditions: [{ field: 'name', operator: 'equals', value: 'Chas' }] }), fee())).toBe(false);
});

test('amount, direction and account must hold as well, limits included', () => {
  const of = rule(1, { from_minor: 10_00n, to_minor: 15_00n, direction: 'out', bank_account_id: 1,
    conditions: [contains('fee'), contains('chase')] });
  expect(fits(of, fee())).toBe(true);
  for (const more of [{ amount_minor: -15_01n }, { amount_minor: -9_99n }, { amount_minor: 15_00n },
    { bank_account_id: 2 }, { name: 'Citi' }]) expect(fits(of, fee(more))).toBe(false);
});

test('the first rule in the order of priority takes the line, and the dry run shows what the others miss', () => {
  const rules = [rule(3, { priority: 2, conditions: [contains('fee')] }), rule(2, { conditions: [contains('chase')] }),
    rule(1, { priority: 2, conditions: [contains('fee')] })];
  const lines = [fee(), fee({ id: 2, name: 'Citi' }), fee({ id: 3, name: 'Citi', memo: 'rent' })];
  expect(dryRunRules(rules, lines)).toEqual([{ rule_id: 2, lines: [1], shadowed: [] },
    { rule_id: 1, lines: [2], shadowed: [1] }, { rule_id: 3, lines: [], shadowed: [1, 2] }]);
  expect(firstRule(prepareRules(rules), lines[0]!)?.id).toBe(2);
});

test('a rule that is not whole says why and takes nothing', () => {
  const problems = (more: Partial<BankRule>): string[] => ruleProblems(rule(1, more)).map((one) => one.message);
  expect(problems({})).toEqual(['Enter a condition on the text or the amount.']);
  expect(problems({ from_minor: 2n, to_minor: 1n })).toEqual(['Enter an amount that is not below the first.']);
  expect(problems({ conditions: [contains('  ')] })).toEqual(['Enter a text.']);
  expect(ruleProblems(rule(1, { conditions: [{ field: 'text', operator: 'regex', value: '(' }] }))).toEqual(
    [{ field: 'conditions.0.value', message: 'A closing parenthesis is missing.' }]);
  expect(fits(rule(1), fee())).toBe(false);
});

test.each([['fee$', true], ['^chase monthly', true], ['^monthly', false], ['s.rvice', true], ['(rent|fee)', true],
  ['\\bfee\\b', true], ['\\bee', false], ['[^a-z ]', true], ['[A-F]EE', true], ['e{2}', true], ['e{3,}', false],
  ['mo(nth)?ly', true], ['\\d', false], ['service\\s*-\\s*fee', true], ['x*', true], ['(?:a|b)+x', false],
  ['s{1,2}e', true], ['\\w+-\\w+', true], ['(m.*?y)', true]])('the pattern %s', (pattern, found) => {
  expect(runPattern(compilePattern(pattern).pattern!, 'Chase Monthly Service-Fee').found).toBe(found);
});

test.each(['(?=a)', '(?<n>a)', '(a)\\1', 'a{51}', '(a{50}){50}', '[', '[]', '[z-a]', '*a', 'a**', ')', '\\', '\\q',
  '^*', 'a{3,1}', '', 'a'.repeat(201), `${'('.repeat(21)}a${')'.repeat(21)}`,
  `${'('.repeat(15)}${'){50}'.repeat(15)}`])(
  'the pattern %s is refused in words', (pattern) => {
    expect(compilePattern(pattern).problem).toMatch(/^[A-Z\\`za{(].+\.$/);
  });

test('patterns that never end elsewhere take steps in proportion to the text', () => {
  for (const text of ['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*)*x', '(a?){30}a{30}b', '((a*)*)*b']) {
    const { pattern } = compilePattern(text);
    const steps = (length: number): number => runPattern(pattern!, `${'a'.repeat(length)}!`).steps;
    expect(steps(800)).toBeLessThan(2.1 * steps(400));
    expect(steps(100_000)).toBe(steps(MAX_PATTERN_TEXT));
  }
});

test('patterns agree with those of JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '(a|b)', '(ab)', '\\b', '^', '$');
  const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}');
  const piece = fc.tuple(atom, repeat).map(([one, many]) => (['\\b', '^', '$'].includes(one) ? one : one + many));
  fc.assert(fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.stringMatching(/^[ab ]{0,8}$/),
    (pieces, text) => {
      const pattern = pieces.join('');
      expect(runPattern(compilePattern(pattern).pattern!, text).found).toBe(new RegExp(pattern, 'iu').test(text));
    }), { numRuns: 500 });
});
