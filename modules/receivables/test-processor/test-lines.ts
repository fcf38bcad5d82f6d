/** Ids, events and balance lines of every movement on an account of the test processor. */
import { randomBytes } from 'node:crypto';
import { API_VERSION, type TestAccount, type TestBalanceLine, type TestEvent } from './test-state.ts';

/** Ids of two installations never meet. */
export const idOf = (kind: string): string => `${kind}_test_${randomBytes(12).toString('hex')}`;
export const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

export function tell(account: TestAccount, type: string, object: { id: string }, now: Date): TestEvent {
  const event: TestEvent = { id: idOf('evt'), object: 'event', type, api_version: API_VERSION, created: seconds(now),
    livemode: false, data: { object: structuredClone(object) } };
  account.events.push(event);
  return event;
}

export function balanceLine(
  account: TestAccount, of: Pick<TestBalanceLine, 'type' | 'amount' | 'fee' | 'currency' | 'source'>, now: Date,
): TestBalanceLine {
  const line: TestBalanceLine = { id: idOf('txn'), object: 'balance_transaction', ...of, net: of.amount - of.fee,
    created: seconds(now), payout: null };
  account.balance.push(line);
  return line;
}
