/** Entries that a division's rules make for lines of its banks: the match prefills its form with them. */
import { firstRule, prepareRules } from '#kernel/bank-matching/bank-rules.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { compileRulePattern } from '../rule-pattern.ts';
import type { BankRuleRow } from './bank-rule.contract.ts';
import { kernelRule, ruleLine, rulesOf } from './rule-rows.server.ts';

/** A line of a bank, of any account. */
export interface LineForRule {
  id: number;
  bank_account_id: number;
  booked_on: string;
  amount_minor: number | bigint;
  name: string;
  memo: string;
  reference: string;
}

/** The first rule that takes each line, by the line's id; lines that no rule takes are absent. */
export async function ruleFor(db: Queryable, lines: readonly LineForRule[]): Promise<Map<number, BankRuleRow>> {
  const found = new Map<number, BankRuleRow>();
  if (lines.length === 0) return found;
  const accounts = await db.query<{ id: number; division: string }>(sql`
    select id, division from bank_accounts where id = any (${lines.map((line) => line.bank_account_id)}::bigint[])`);
  const divisionOf = new Map(accounts.map(({ id, division }) => [id, division]));
  for (const division of new Set(divisionOf.values())) {
    const ready = prepareRules((await rulesOf(db, division)).map(kernelRule), compileRulePattern);
    for (const line of lines) {
      if (divisionOf.get(line.bank_account_id) !== division) continue;
      const rule = firstRule(ready, ruleLine(line));
      if (rule) found.set(line.id, rule.row);
    }
  }
  return found;
}
