/** What other contexts may use of customers: signing up for an organisation, and bringing them in as a list. */
export { announceRequests, joinOrganisation } from './people/join-request.server.ts';
export { createCustomer, furnishCustomer, rehearseCustomers,
  updateCustomer } from './customer/create-customer.server.ts';
export { doubtCustomerBank, waitingCustomerBank } from './customer/customer-bank.server.ts';
