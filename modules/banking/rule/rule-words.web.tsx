/** Bank rules in words: when one fits, what it enters. */
import { formatAmount } from '#web/data/money.tsx';
import type { BankRuleRow, RuleConditionInput } from './bank-rule.contract.ts';

export const FIELD_WORDS = { text: 'Any text', name: 'Name', memo: 'Text', reference: 'Reference' } as const;
export const OPERATOR_WORDS = { contains: 'contains', equals: 'equals', regex: 'fits the pattern' } as const;
export const KIND_WORDS = { entry: 'Ledger account', receipt: 'Receipt of a customer',
  transfer: 'Transfer to or from another account' } as const;
export const DIRECTION_WORDS = { in: 'Money in', out: 'Money out' } as const;

const conditionWords = ({ field, operator, value }: RuleConditionInput): string =>
  `${FIELD_WORDS[field]} ${OPERATOR_WORDS[operator]} “${value}”`;

function amountWords({ from_minor: from, to_minor: to }: Pick<BankRuleRow, 'from_minor' | 'to_minor'>): string | null {
  if (from !== null && to !== null) return `${formatAmount(from)} to ${formatAmount(to)}`;
  if (from !== null) return `from ${formatAmount(from)}`;
  return to === null ? null : `up to ${formatAmount(to)}`;
}

/** 'Name contains “fee” · Money out · up to 50.00' */
export function ruleWords(rule: Pick<BankRuleRow, 'conditions' | 'direction' | 'from_minor' | 'to_minor'>): string {
  return [...rule.conditions.map(conditionWords), rule.direction && DIRECTION_WORDS[rule.direction], amountWords(rule)]
    .filter(Boolean).join(' · ');
}

/** Target of the entry: '6100 Bank fees', 'Receipt: Astoria Players', 'Transfer: Savings'. */
export function targetWords(
  rule: Pick<BankRuleRow, 'kind' | 'ledger_account' | 'party_name' | 'to_bank_account_name'>,
): string {
  if (rule.kind === 'receipt') return `Receipt: ${rule.party_name ?? ''}`;
  if (rule.kind === 'transfer') return `Transfer: ${rule.to_bank_account_name ?? ''}`;
  return [rule.ledger_account, rule.party_name].filter(Boolean).join(', ');
}
