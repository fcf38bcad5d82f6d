/** Customer calls for other contexts: signing up for an organization, and importing customers as a list. */
export { mailAdmins } from './people/people-mail.server.ts';
export { announceRequests, joinOrganisation } from './people/join-request.server.ts';
export { createCustomer, furnishCustomer, rehearseCustomers,
  updateCustomer } from './customer/create-customer.server.ts';
export { askForChange, waitingCustomerChanges } from './own-details/own-details.server.ts';
export { correctCustomerBank, doubtCustomerBank, waitingCustomerBank } from './customer/customer-bank.server.ts';
export { moneyEmails, signerEmails } from './people/signer-emails.server.ts';
