/** Stored rules as rows, and as the kernel tries them. */
import type { BankRule, RuleLine } from '#kernel/bank-matching/bank-rules.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { BankRuleRow, RuleInput } from './bank-rule.contract.ts';

/** Name of a party, by the columns that hold its type and id. */
export const partyName = (type: Sql, id: Sql): Sql => sql`case ${type}
  when 'customer' then (select x.name from customers x where x.id = ${id})
  when 'royaltor' then (select x.name from royaltors x where x.id = ${id})
  when 'vendor' then (select x.name from vendors x where x.id = ${id})
  when 'bank' then (select x.name from banks x where x.id = ${id})
  when 'tax_authority' then (select x.name from tax_authorities x where x.id = ${id})
  when 'staff' then (select x.first_name || ' ' || x.last_name from users x where x.id = ${id})
  when 'division' then (select x.name from divisions x where x.id = ${id}) end`;

export const RULE_COLUMNS = sql`t.id, t.name, t.division, t.priority, t.bank_account_id,
  (select b.name from bank_accounts b where b.id = t.bank_account_id) as bank_account_name, t.direction, t.from_minor,
  t.to_minor, t.conditions, t.kind, t.ledger_account_id,
  (select a.code || ' ' || a.name from ledger_accounts a where a.id = t.ledger_account_id) as ledger_account,
  t.party_type, t.party_id, ${partyName(sql`t.party_type`, sql`t.party_id`)} as party_name, t.to_bank_account_id,
  (select b.name from bank_accounts b where b.id = t.to_bank_account_id) as to_bank_account_name, t.memo,
  t.archived_at is not null as is_archived, t.version, t.created_at, t.updated_at`;

/** Rules of a division that are tried, in their order. */
export function rulesOf(db: Queryable, division: string): Promise<BankRuleRow[]> {
  return db.query<BankRuleRow>(sql`select ${RULE_COLUMNS} from bank_rules t
    where t.division = ${division} and t.archived_at is null order by t.priority, t.id`);
}

const asBigint = (minor: number | null): bigint | null => (minor === null ? null : BigInt(minor));

type RuleFacts = Pick<RuleInput, 'bank_account_id' | 'direction' | 'from_minor' | 'to_minor' | 'conditions'>;

/** Conditions of a rule that the kernel checks, without the entry it makes. */
export function conditionsOf(rule: RuleFacts): Omit<BankRule, 'id' | 'priority'> {
  return { bank_account_id: rule.bank_account_id, direction: rule.direction, from_minor: asBigint(rule.from_minor),
    to_minor: asBigint(rule.to_minor), conditions: rule.conditions };
}

export function kernelRule<T extends RuleFacts & { id: number; priority: number }>(row: T): BankRule & { row: T } {
  return { id: row.id, priority: row.priority, ...conditionsOf(row), row };
}

/** A line of a bank as its row tells it. */
export function ruleLine(
  row: Pick<RuleLine, 'id' | 'bank_account_id' | 'booked_on' | 'name' | 'memo' | 'reference'>
    & { amount_minor: number | bigint },
): RuleLine {
  return { id: row.id, bank_account_id: row.bank_account_id, booked_on: row.booked_on,
    amount_minor: BigInt(row.amount_minor), name: row.name, memo: row.memo, reference: row.reference };
}
