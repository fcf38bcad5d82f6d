/** Numbers of bank accounts, checked by their own arithmetic before they are sealed. */
import { isValidIBAN } from 'ibantools';
import { invalid, type FieldErrors } from '#kit/errors.ts';
import { abaHolds, plainNumber } from '#kernel/receivables/bank-numbers.ts';
import { ukAccountHolds } from '#server/uk-account.ts';

export interface AccountNumber {
  kind: 'iban' | 'us' | 'uk' | 'other';
  account: string;
  routing: string | null;
}

const RULES: Readonly<Record<AccountNumber['kind'], (of: AccountNumber) => FieldErrors>> = {
  iban: ({ account, routing }) => ({
    ...(!isValidIBAN(account) && { account:
      ['This IBAN is not valid: a character is wrong, missing or extra. Compare it with the bank’s paperwork'] }),
    ...(routing !== null && { routing: ['An IBAN needs no routing number'] }) }),
  us: ({ account, routing }) => ({
    ...(!/^\d{4,17}$/.test(account) && { account: ['An American account number has 4 to 17 digits'] }),
    ...(!abaHolds(routing ?? '') && { routing: ['Enter the nine digits of the routing number; one is wrong'] }) }),
  uk: ({ account, routing }) => {
    const errors = { ...(!/^\d{8}$/.test(account) && { account: ['A British account number has 8 digits'] }),
      ...(!/^\d{6}$/.test(routing ?? '') && { routing: ['A sort code has 6 digits'] }) };
    return Object.keys(errors).length > 0 || ukAccountHolds(routing ?? '', account) ? errors : { account:
      ['This account number does not belong to the sort code. Compare both with the bank’s paperwork'] };
  },
  other: () => ({}),
};

/** Without blanks, in capitals; 422 at the field whose digits do not hold. */
export function checkedNumber(of: AccountNumber): AccountNumber {
  const plain = { kind: of.kind, account: plainNumber(of.account),
    routing: of.routing === null || of.routing === '' ? null : plainNumber(of.routing) };
  const errors = RULES[plain.kind](plain);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return plain;
}
