/** What other contexts may ask of banking: the bank account that money moves on, deposits, transfers as open items. */
export { depositOf } from './deposit-slip/deposit-of.server.ts';
export { bankAccountFor, type FoundAccount } from './bank-account/find-account.server.ts';
export { transferItems } from './transfer/open-items.server.ts';
