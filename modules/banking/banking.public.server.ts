/** What other contexts may ask of banking: the bank account that money moves on. */
export { depositOf } from './deposit-slip/deposit-of.server.ts';
export { bankAccountFor, type FoundAccount } from './bank-account/find-account.server.ts';
