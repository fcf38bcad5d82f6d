/** Identity calls for other contexts: accounts of customers' people, passwords, the tokens that mails carry, names. */
export { createCustomerAccount, markEmailVerified } from './user/customer-account.server.ts';
export { checkNewPassword, hashPassword } from './session/password.server.ts';
export { contactOf, greetingOf, representativeOf, type Representative } from './user/mail-people.server.ts';
export { principalOfPerson } from './session/session.server.ts';
export { hashToken, newToken } from './session/session.server.ts';
