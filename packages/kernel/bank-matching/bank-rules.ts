/**
 * Rules that say what lines of a bank are: all conditions of a rule must hold, and the first rule in the order of
 * priority wins. A dry run shows what each rule would do, and what an earlier one keeps from it.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { abs } from '../money/money.ts';
import { foldName } from '../text/fold.ts';
import { directionOf, type Direction } from './open-item.ts';
import type { CompilePattern } from './pattern.ts';

export const RULE_FIELDS = ['text', 'name', 'memo', 'reference'] as const;
/** text: name, memo and reference in one. */
export type RuleField = (typeof RULE_FIELDS)[number];
export const RULE_OPERATORS = ['contains', 'equals', 'regex'] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

export interface RuleCondition {
  field: RuleField;
  operator: RuleOperator;
  value: string;
}

export interface BankRule {
  id: number;
  /** The smallest comes first; of equals the one with the smaller id. */
  priority: number;
  bank_account_id: number | null;
  direction: Direction | null;
  /** Limits of the amount without its sign, both included. */
  from_minor: bigint | null;
  to_minor: bigint | null;
  conditions: readonly RuleCondition[];
}

export interface RuleLine {
  id: number;
  bank_account_id: number;
  booked_on: IsoDate;
  amount_minor: bigint;
  name: string;
  memo: string;
  reference: string;
}

export interface RuleProblem {
  /** Path of the field: "conditions.0.value". */
  field: string;
  message: string;
}

/** Why a rule cannot be kept; none where it can. */
export function ruleProblems(rule: Omit<BankRule, 'id' | 'priority'>, compile: CompilePattern): RuleProblem[] {
  const problems: RuleProblem[] = [];
  if (rule.conditions.length === 0 && rule.from_minor === null && rule.to_minor === null) {
    problems.push({ field: 'conditions', message: 'Enter a condition on the text or the amount.' });
  }
  for (const field of ['from_minor', 'to_minor'] as const) {
    if ((rule[field] ?? 0n) < 0n) problems.push({ field, message: 'Enter an amount without a sign.' });
  }
  if (rule.from_minor !== null && rule.to_minor !== null && rule.from_minor > rule.to_minor) {
    problems.push({ field: 'to_minor', message: 'Enter an amount that is not below the first.' });
  }
  rule.conditions.forEach((condition, at) => {
    const problem = condition.operator === 'regex' ? compile(condition.value).problem
      : condition.value.trim() === '' ? 'Enter a text.' : null;
    if (problem !== null) problems.push({ field: `conditions.${at}.value`, message: problem });
  });
  return problems;
}

/** A line with its texts, each read once however many rules look at it. */
interface ReadRuleLine {
  line: RuleLine;
  texts: Partial<Record<RuleField, { plain: string; lower: string; folded: string }>>;
}

type Check = (read: ReadRuleLine) => boolean;

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function readField(read: ReadRuleLine, field: RuleField): { plain: string; lower: string; folded: string } {
  const { line } = read;
  const known = read.texts[field];
  if (known) return known;
  const text = plain(field === 'text' ? `${line.name} ${line.memo} ${line.reference}` : line[field]);
  const texts = { plain: text, lower: text.toLowerCase(), folded: foldName(text) };
  read.texts[field] = texts;
  return texts;
}

function matchText({ field, operator, value }: RuleCondition): Check {
  const lower = plain(value).toLowerCase();
  const folded = foldName(value);
  if (operator === 'equals') {
    return (read) => {
      const text = readField(read, field);
      return text.lower === lower || text.folded === folded;
    };
  }
  return (read) => {
    const text = readField(read, field);
    return text.lower.includes(lower) || text.folded.includes(folded);
  };
}

/** A condition that cannot be run holds for no line: a rule never does more than it says. */
function conditionCheck(condition: RuleCondition, compile: CompilePattern): Check {
  if (condition.operator === 'regex') {
    const { pattern } = compile(condition.value);
    return pattern === null ? () => false : (read) => pattern.matches(readField(read, condition.field).plain);
  }
  return plain(condition.value) === '' ? () => false : matchText(condition);
}

function ruleCheck(rule: BankRule, compile: CompilePattern): Check {
  if (ruleProblems(rule, compile).length > 0) return () => false;
  const checks = rule.conditions.map((condition) => conditionCheck(condition, compile));
  return (read) => {
    const { line } = read;
    const amount = abs(line.amount_minor);
    return (rule.bank_account_id === null || rule.bank_account_id === line.bank_account_id)
      && (rule.direction === null || rule.direction === directionOf(line.amount_minor))
      && (rule.from_minor === null || amount >= rule.from_minor) && (rule.to_minor === null || amount <= rule.to_minor)
      && checks.every((check) => check(read));
  };
}

export interface ReadyRule<T extends BankRule = BankRule> {
  rule: T;
  matches: Check;
}

/** Rules in the order in which they are tried, read once for any number of lines. */
export function prepareRules<T extends BankRule>(rules: readonly T[], compile: CompilePattern): ReadyRule<T>[] {
  return [...rules].sort((a, b) => a.priority - b.priority || a.id - b.id)
    .map((rule) => ({ rule, matches: ruleCheck(rule, compile) }));
}

/** The first rule that fits the line. */
export function firstRule<T extends BankRule>(ready: readonly ReadyRule<T>[], line: RuleLine): T | null {
  const read: ReadRuleLine = { line, texts: {} };
  return ready.find((one) => one.matches(read))?.rule ?? null;
}

export interface RuleOutcome {
  rule_id: number;
  /** Ids of the lines that the rule takes, in the order given. */
  lines: number[];
  /** Lines that fit it too and that an earlier rule takes. */
  shadowed: number[];
}

/** Dry run of the rules on these lines: every rule in its order, with no line in two of them. Changes nothing. */
export function dryRunRules(
  rules: readonly BankRule[], lines: readonly RuleLine[], compile: CompilePattern,
): RuleOutcome[] {
  const ready = prepareRules(rules, compile);
  const outcomes = ready.map(({ rule }): RuleOutcome => ({ rule_id: rule.id, lines: [], shadowed: [] }));
  for (const line of lines) {
    const read: ReadRuleLine = { line, texts: {} };
    let isTaken = false;
    ready.forEach((one, at) => {
      if (!one.matches(read)) return;
      outcomes[at]![isTaken ? 'shadowed' : 'lines'].push(line.id);
      isTaken = true;
    });
  }
  return outcomes;
}
