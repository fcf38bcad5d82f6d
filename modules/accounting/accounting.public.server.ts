/**
 * Ledger calls for other contexts: post, reverse, number, apply, rate (accounting.md 1). Every call belongs in the
 * caller's transaction, so that a document and its posting commit or roll back together.
 */
export { closingTasks, proposeRevaluations, revaluationLeft, waitingRevaluations }
  from './revaluation/revaluation.server.ts';
export { intercompanyLeft } from './intercompany/due-balances.server.ts';
export { waitingIntercompany } from './intercompany/intercompany.server.ts';
export { waitingCloses, waitingClosingEntries, waitingLocks, waitingReopens } from './approvals.server.ts';
export { postJournal, postJournals, reverseTransaction, type Posted } from './ledger/post.server.ts';
export {
  ensurePeriods, nextNumber, previewNumber, rateOn, seriesOf, startSeries, type NumberSeries, type Rate,
  type SeriesState,
} from './ledger/series.server.ts';
export { extendChain, foldBalances, verifyLedger } from './report/verify-ledger.server.ts';
export { unreconciledAccounts } from './period/unreconciled.server.ts';
export { earlierOpen } from './period/earlier-open.server.ts';
export { ledgerIntegrity } from './report/integrity.server.ts';
export { trialBalance } from './report/trial-balance.server.ts';
export { cashBasis } from './report/cash-basis.server.ts';
export { resultsByPart } from './report/line-parts.server.ts';
export { partyName } from './revaluation/foreign-balances.server.ts';
export { refuseClosedDay } from './ledger/posting-day.server.ts';
export { openBankLedger } from './ledger/bank-ledger.server.ts';
export { asLedgerCall } from './ledger/ledger-error.server.ts';
export { allocate, openItem, openItemsOf, unallocate, type OpenItem } from './ledger/open-items.server.ts';
