/** Public interface of opening balances for other contexts. */
export { waitingOpeningReversals } from './approvals.server.ts';
