/** Numbers of bank accounts, checked by their own arithmetic before they are sealed. */
import { isValidIBAN } from 'ibantools';
import { invalid, type FieldErrors } from '#kit/errors.ts';
import { abaHolds, bicHolds, plainNumber } from '#kernel/receivables/bank-numbers.ts';
import { ukAccountHolds } from './uk-account.ts';

export interface AccountNumber {
  kind: 'iban' | 'us' | 'uk' | 'other';
  account: string;
  /** Routing number, sort code, code of the bank; the BIC of a payee's IBAN. */
  routing: string | null;
}

const RULES: Readonly<Record<AccountNumber['kind'], (of: AccountNumber) => FieldErrors>> = {
  iban: ({ account }) => isValidIBAN(account) ? {} : { account:
    ['This IBAN is not valid: a character is wrong, missing or extra. Compare it with the bank’s paperwork'] },
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

const plain = (text: string | null): string | null => text === null || text === '' ? null : plainNumber(text);

function checked(of: AccountNumber, more: FieldErrors): AccountNumber {
  const errors = { ...RULES[of.kind](of), ...more };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return of;
}

/** An account of the house: without blanks, in capitals; 422 at the field whose digits do not hold. */
export function checkedNumber({ kind, account, routing }: AccountNumber): AccountNumber {
  const of = { kind, account: plainNumber(account), routing: plain(routing) };
  return checked(of, kind === 'iban' && of.routing !== null
    ? { routing: ['An IBAN needs no routing number'] } : {});
}

/** An account of a payee: an IBAN may come with its BIC, any other account with the name of its bank. */
export function checkedPayee({ kind, account, routing }: AccountNumber): AccountNumber {
  const of = { kind, account: plainNumber(account), routing: kind === 'other' ? routing : plain(routing) };
  return checked(of, kind === 'iban' && of.routing !== null && !bicHolds(of.routing)
    ? { routing: ['A BIC has 8 or 11 letters and digits'] } : {});
}
