/**
 * Banking calls for other contexts: the bank account that money moves on, the balance of each, deposits, transfers as
 * open items, the account for a customer's transfer, and whether a payment is ticked in a reconciliation.
 */
export { depositOf } from './deposit-slip/deposit-of.server.ts';
export {
  bankOpeningsInTheWay, bringBankBalance, bringOutstanding, checkNumbersOf, startCheckNumbers, takeBackBankBalance,
} from './bank-account/bring-balance.server.ts';
export { bankAccountFor, type FoundAccount } from './bank-account/find-account.server.ts';
export { openAccountNumber } from './bank-account/open-number.server.ts';
export { publishedAccount } from './bank-account/published-account.server.ts';
export { accountBalances, type AccountBalances } from './cash/bank-balance.server.ts';
export { reversalDay } from './matching/undo-match.server.ts';
export { bankTasks } from './cash/bank-tasks.server.ts';
export { refuseTicked } from './reconciliation/refuse-ticked.server.ts';
export { WORK_BANK_IMPORTS, workBankImports } from './statement/work-imports.server.ts';
export { transferItems } from './transfer/open-items.server.ts';
