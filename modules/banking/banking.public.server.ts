/** What other contexts may ask of banking: the bank account that money moves on, and currency bought for a payment. */
export { bankAccountFor, type FoundAccount } from './bank-account/find-account.server.ts';
export { buyCurrency } from './transfer/buy-currency.server.ts';
