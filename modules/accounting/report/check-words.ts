/** Checks of the reports as their readers know them, on screens and on papers. */
import type { Speller } from '#kernel/text/english.ts';

/** Checks of the reports in words, by their names on the wire. */
export const checkLabels = (spell: Speller): Record<string, string> => ({
  opening_is_zero: 'Opening balances sum to zero', debits_equal_credits: 'Debits equal credits',
  closing_is_zero: 'Closing balances sum to zero',
  result_equals_movement_of_balance_sheet: 'The result equals the movement of the balance sheet',
  assets_equal_liabilities_and_equity: 'Assets equal liabilities and equity',
  indirect_equals_change_of_cash: 'The indirect cash flow equals the change in cash',
  direct_equals_change_of_cash: 'The direct cash flow equals the change in cash',
  operating_cash_agrees: 'Cash from operations is the same, indirect and direct',
  realized_equals_account: spell`Realized gains and losses equal their account`,
  unrealized_equals_account: spell`Unrealized gains and losses equal their account`,
  parts_equal_net_profit: 'The parts sum to the net profit',
  translation_difference_explained: 'Rates explain the translation difference of every division',
  accounts_without_cash_flow_class: 'Every account has a cash-flow class',
});
