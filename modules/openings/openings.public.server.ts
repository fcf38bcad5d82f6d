/** What other contexts may ask of opening balances. */
export { waitingOpeningReversals } from './approvals.server.ts';
