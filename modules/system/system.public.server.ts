/** Interface of the system area for the jobs and the command line. */
export { linkAudit, verifyAudit } from './audit-chain.server.ts';
