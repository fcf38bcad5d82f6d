import { expect, it } from 'vitest';
import { stateLabel, stateOf } from './payment-state.ts';

it('has one word for each stand of a payment, whichever screen shows it', () => {
  const label = (status: string, outcome: string | null = null, inRun = true) => stateLabel({ status, outcome }, inRun);
  expect([label('draft'), label('approved'), label('posted')]).toEqual(['To be approved', 'Approved', 'Posted']);
  // The bank's answer came before the value date.
  expect([label('approved', 'settled'), label('posted', 'settled'), label('cleared', 'settled'), label('cleared')])
    .toEqual(['Settled', 'Settled', 'Settled', 'Settled']);
  expect([label('void', 'rejected'), label('returned', 'rejected')]).toEqual(['Returned', 'Returned']);
  // A check that is voided after it was printed.
  expect([label('reversed', 'cancelled'), label('reversed', 'cancelled', false)]).toEqual(['Reversed', 'Reversed']);
  expect([label('void', 'cancelled'), label('void', 'cancelled', false), stateOf({ status: 'void', outcome: null })])
    .toEqual(['Taken out', 'Withdrawn', 'void']);
});
