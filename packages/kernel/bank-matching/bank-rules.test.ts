// cspell:ignore chas citi
import { expect, test } from 'vitest';
import { dryRunRules, firstRule, prepareRules, ruleProblems, type BankRule, type RuleLine } from './bank-rules.ts';
import type { CompilePattern } from './pattern.ts';

/** Patterns as JavaScript runs them; '(' is the one that is refused. */
const compile: CompilePattern = (text) => (text === '('
  ? { pattern: null, problem: 'A closing parenthesis is missing.' }
  : { pattern: { matches: (line) => new RegExp(text, 'iu').test(line) }, problem: null });
const rule = (id: number, more: Partial<BankRule> = {}): BankRule => ({ id, priority: 1, bank_account_id: null,
  direction: null, from_minor: null, to_minor: null, conditions: [], ...more });
const contains = (value: string, field: 'text' | 'name' = 'text') => ({ field, operator: 'contains' as const, value });
const fee = (more: Partial<RuleLine> = {}): RuleLine => ({ id: 1, bank_account_id: 1, booked_on: '2026-11-20',
  amount_minor: -15_00n, name: 'Chase', memo: 'Monthly  Service-Fee', reference: '', ...more });
const fits = (of: BankRule, line: RuleLine): boolean => firstRule(prepareRules([of], compile), line) !== null;

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
  expect(dryRunRules(rules, lines, compile)).toEqual([{ rule_id: 2, lines: [1], shadowed: [] },
    { rule_id: 1, lines: [2], shadowed: [1] }, { rule_id: 3, lines: [], shadowed: [1, 2] }]);
  expect(firstRule(prepareRules(rules, compile), lines[0]!)?.id).toBe(2);
});

test('a rule that is not whole says why and takes nothing', () => {
  const problems = (more: Partial<BankRule>): string[] =>
    ruleProblems(rule(1, more), compile).map((one) => one.message);
  expect(problems({})).toEqual(['Enter a condition on the text or the amount.']);
  expect(problems({ from_minor: 2n, to_minor: 1n })).toEqual(['Enter an amount that is not below the first.']);
  expect(problems({ conditions: [contains('  ')] })).toEqual(['Enter a text.']);
  expect(ruleProblems(rule(1, { conditions: [{ field: 'text', operator: 'regex', value: '(' }] }), compile)).toEqual(
    [{ field: 'conditions.0.value', message: 'A closing parenthesis is missing.' }]);
  expect(fits(rule(1), fee())).toBe(false);
});

test('a pattern is found in the text as it is read, and one that cannot be read fits no line', () => {
  const pattern = (value: string): Partial<BankRule> => ({ conditions: [{ field: 'text', operator: 'regex', value }] });
  expect(fits(rule(1, pattern('^chase monthly service-fee$')), fee())).toBe(true);
  expect(fits(rule(1, pattern('^monthly')), fee())).toBe(false);
  expect(fits(rule(1, pattern('(')), fee({ memo: '(' }))).toBe(false);
});
