/** A dry run: what rules would do to the last lines of a division's banks. Reads only. */
import { dryRunRules, ruleProblems } from '#kernel/bank-matching/bank-rules.ts';
import { invalid } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { compileRulePattern } from '../rule-pattern.ts';
import { DRY_RUN_LINES, type DryLine, type DryRun, type RuleInput } from './bank-rule.contract.ts';
import { conditionsOf, kernelRule, ruleLine, rulesOf } from './rule-rows.server.ts';

type Line = Omit<DryLine, 'taken_by'> & { bank_account_id: number };

/** Lines that the answer tells of the rule that was asked about. */
const SHOWN = 100;
/** Of a rule that is not stored yet. */
const NEW_RULE = 0;

function lastLines(ctx: WorkContext, division: string): Promise<Line[]> {
  return ctx.db.query<Line>(sql`
    select t.id, t.booked_on::text as booked_on, t.amount_minor, b.currency, t.name, t.memo, t.reference,
      t.bank_account_id, b.name as bank_account_name, exists (select 1 from bank_match_lines m
        where m.bank_transaction_id = t.id and m.active) as is_matched
    from bank_transactions t join bank_accounts b on b.id = t.bank_account_id
    where b.division = ${division} and t.state = 'booked' and t.deleted_at is null
    order by t.booked_on desc, t.id desc limit ${DRY_RUN_LINES}`);
}

interface DryRunRequest { division: string; rule: RuleInput | null; rule_id: number | null }
interface TriedRule extends Pick<RuleInput, 'name' | 'bank_account_id' | 'direction' | 'from_minor' | 'to_minor'
  | 'conditions'> { id: number; priority: number }

/** The rules of the division with the one that is typed in its place. */
async function rulesTried(ctx: WorkContext, { division, rule, rule_id }: DryRunRequest): Promise<TriedRule[]> {
  const stored: TriedRule[] = await rulesOf(ctx.db, division);
  if (rule === null) return stored;
  const known = stored.find(({ id }) => id === rule_id);
  if (known) return stored.map((one) => (one === known ? { ...known, ...rule } : one));
  return [...stored, { ...rule, id: NEW_RULE, priority: Number.MAX_SAFE_INTEGER }];
}

export async function dryRunOf(ctx: WorkContext, asked: DryRunRequest): Promise<DryRun> {
  if (asked.rule !== null) {
    const problems = ruleProblems(conditionsOf(asked.rule), compileRulePattern);
    if (problems.length > 0) {
      throw invalid(Object.fromEntries(problems.map(({ field, message }) => [`rule.${field}`, [message]])));
    }
  }
  const rules = await rulesTried(ctx, asked);
  const lines = await lastLines(ctx, asked.division);
  const outcomes = dryRunRules(rules.map(kernelRule), lines.map(ruleLine), compileRulePattern);
  const nameOf = new Map(rules.map(({ id, name }) => [id, name]));
  const takenBy = new Map(outcomes.flatMap((one) => one.lines.map((id) => [id, one.rule_id] as const)));
  const own = outcomes.find(({ rule_id }) => rule_id === (asked.rule_id ?? NEW_RULE));
  const taken = new Set(own?.lines);
  const shadowed = new Set(own?.shadowed);
  const found = lines.filter(({ id }) => taken.has(id) || shadowed.has(id));
  return { looked_at: lines.length, from_on: lines.at(-1)?.booked_on ?? null, line_count: taken.size,
    shadowed_count: shadowed.size,
    rules: outcomes.map((one) => ({ rule_id: one.rule_id, name: nameOf.get(one.rule_id) ?? '',
      line_count: one.lines.length, shadowed_count: one.shadowed.length })),
    lines: found.slice(0, SHOWN).map(({ bank_account_id: _account, ...line }) => ({ ...line,
      taken_by: shadowed.has(line.id) ? nameOf.get(takenBy.get(line.id) ?? NEW_RULE) ?? null : null })) };
}
