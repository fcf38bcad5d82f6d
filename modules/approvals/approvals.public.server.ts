/** Approval calls for other contexts. */
export { waitingFor } from './waiting-approvals.server.ts';
