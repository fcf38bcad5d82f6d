/** What other contexts may ask of approvals. */
export { waitingFor } from './waiting-approvals.server.ts';
