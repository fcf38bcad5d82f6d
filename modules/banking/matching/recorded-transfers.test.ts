/** A line that a recorded transfer waits for makes no second transfer without a question. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { BankFixtures, BASE, DAY } from '#tests/support/bank-lines.ts';

const app = testApp();
let bank: BankFixtures;
let ravenswood: number;
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  ravenswood = await bank.customer('Ravenswood Playhouse');
});

describe('a transfer that is recorded already', () => {
  it('is not made a second time without a question, on either side', async () => {
    const [from, to] = [await bank.account(), await bank.account()];
    const sent = await bank.staff.post(`${BASE}/bank_transfers`, { from_bank_account_id: from,
      to_bank_account_id: to, amount_minor: 10_000, sent_on: DAY });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const [[out], [into]] = [await bank.lines(from, [{ amount: '-100.00' }]),
      await bank.lines(to, [{ amount: '100.00' }])];
    const again = async (line: number, bank_account_id: number, more: object = {}) =>
      bank.match({ line_ids: [line], transfer: { bank_account_id, ...more } });
    for (const [line, other] of [[out!, to], [into!, from]] as const) {
      const { status, body } = await again(line, other);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['transfer.another_confirmed']]);
      expect(body.errors['transfer.another_confirmed'][0]).toContain(sent.body.data.number);
    }
    const part = await bank.match({ line_ids: [into], parts: [{ kind: 'bank_transfer', id: sent.body.data.id,
      amount_minor: 9_900 }], on_account: { customer_id: ravenswood, amount_minor: 100 } });
    expect(part.body.errors.parts[0]).toContain('as the bank fee of this match');
    await bank.matched({ line_ids: [into], parts: [{ kind: 'bank_transfer', id: sent.body.data.id }] });
    const [second] = await bank.lines(to, [{ amount: '100.00' }]);
    expect((await again(second!, from)).status).toBe(201);
    expect((await again(out!, to, { another_confirmed: true })).status).toBe(201);
  });
});
