/** What the jobs and the command line ask of the system area. */
export { linkAudit, verifyAudit } from './audit-chain.server.ts';
