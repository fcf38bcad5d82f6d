/** What other contexts may use of customers: signing up for an organisation. */
export { announceRequests, joinOrganisation } from './people/join-request.server.ts';
