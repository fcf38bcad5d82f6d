/** The values of a rule's form, and what of them travels. */
import type { BankRuleRow, RuleConditionInput } from './bank-rule.contract.ts';

export const NEW_CONDITION: RuleConditionInput = { field: 'text', operator: 'contains', value: '' };

export function initialOf(row: BankRuleRow | null) {
  return { name: row?.name ?? '', bank_account_id: row?.bank_account_id ?? null, direction: row?.direction ?? null,
    from_minor: row?.from_minor ?? null, to_minor: row?.to_minor ?? null,
    conditions: row?.conditions ?? [NEW_CONDITION], kind: (row?.kind ?? 'entry') as BankRuleRow['kind'] | null,
    ledger_account_id: row?.ledger_account_id ?? null, ledger_label: row?.ledger_account ?? '',
    party_type: row?.party_type ?? null, party_id: row?.party_id ?? null, party_label: row?.party_name ?? '',
    to_bank_account_id: row?.to_bank_account_id ?? null, memo: row?.memo ?? '' };
}
export type RuleValues = ReturnType<typeof initialOf>;

/** Request body of a rule, without the labels that only the form needs. */
export function ruleBodyOf(values: RuleValues, division: BankRuleRow['division']) {
  const { ledger_label: _ledger, party_label: _party, party_type: _type, kind, ...rest } = values;
  return { ...rest, kind: kind ?? 'entry', division };
}
