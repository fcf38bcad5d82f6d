/** The people and the bank account that tests of payments to vendors and royaltors begin with. */
import { expect } from 'vitest';
import type { SignedIn, TestApp } from './app.ts';

const BANK_ACCOUNTS = '/api/admin/staff/accounting/bank_accounts';

/** Three administrators who signed in and confirmed who they are on that day. */
export async function threePeopleOn(test: TestApp, day: string): Promise<[SignedIn, SignedIn, SignedIn]> {
  test.clock.set(`${day}T15:00:00Z`);
  const people: [SignedIn, SignedIn, SignedIn] = [await test.signedIn('staff_admin'),
    await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  for (const one of people) await one.confirm();
  return people;
}

/** The answer, which is no refusal. */
export const ok = <T extends { status: number; body: unknown }>(answer: T): T => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer;
};

/** The dollar account of the US with its number and what ACH files ask for; answers its id. */
export async function achAccount(staff: SignedIn): Promise<number> {
  const { body: { data: [row] } } = ok(await staff.get(`${BANK_ACCOUNTS}?division=US&currency=USD`));
  ok(await staff.put(`${BANK_ACCOUNTS}/${row.id}/number`, { version: row.version, kind: 'us', account: '7445678999',
    routing: '231380104' }));
  ok(await staff.put(`${BANK_ACCOUNTS}/${row.id}/payment_files`, { version: 1, originator_name: 'Grand Rights',
    company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank', balanced: false }));
  return row.id;
}
