// cspell:ignore DUPL
import { expect, it } from 'vitest';
import { codesOf, concernsAccount, doubtsAccount } from './account-reasons.ts';

it('takes the account, the name and the bank of the payee for reasons of the account, and nothing else', () => {
  const yes = ['AC01', 'AC03', 'AC04', 'AC06', 'BE01', 'BE06', 'RC01', 'RC04', 'AG01', 'MD07', 'R02', 'R03', 'R04',
    'R13', 'R20'];
  const no = ['AM04', 'AM05', 'FF01', 'DT01', 'DUPL', 'CUST', 'TM01', 'AC02', 'BE05', 'RC03', 'R01', 'R06', 'R23',
    'R24', 'R99'];
  expect(yes.filter((code) => !concernsAccount(code))).toEqual([]);
  expect(no.filter(concernsAccount)).toEqual([]);
});

it('doubts a payment that came back without a reason, and no file that did', () => {
  expect([doubtsAccount([], 'payment'), doubtsAccount(['MS03'], 'payment'), doubtsAccount(['AM04'], 'payment')])
    .toEqual([true, true, false]);
  expect([doubtsAccount([], 'file'), doubtsAccount(['NARR'], 'file'), doubtsAccount(['NARR', 'AC04'], 'file')])
    .toEqual([false, false, true]);
});

it('reads the code with which a reason begins', () => {
  expect(['AC04 Account closed', 'R03', 'AM04: no funds', 'Told by phone', 'ACH reject', 'Duplicate']
    .map((reason) => codesOf(reason))).toEqual([['AC04'], ['R03'], ['AM04'], [], [], []]);
});
