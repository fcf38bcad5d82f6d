import { expect, test } from 'vitest';
import { checkedNumber } from './account-number.ts';

const uk = (routing: string, account: string) => () => checkedNumber({ kind: 'uk', account, routing });

test('a British account is refused where its number does not belong to the sort code', () => {
  expect(uk('60-16-13', '3192 6819')()).toEqual({ kind: 'uk', account: '31926819', routing: '601613' });
  expect(uk('60-16-13', '31926818')).toThrow(expect.objectContaining({ errors: {
    account: ['This account number does not belong to the sort code. Compare both with the bank’s paperwork'] } }));
  expect(uk('60-16-1', '3192681')).toThrow(expect.objectContaining({ errors: {
    account: ['A British account number has 8 digits'], routing: ['A sort code has 6 digits'] } }));
});
