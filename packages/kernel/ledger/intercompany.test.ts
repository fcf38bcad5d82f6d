import { describe, expect, it } from 'vitest';
import { dueExchange, duePairs, intercompanyLines, type DueBalance, type IntercompanyEvent } from './intercompany.ts';
import { checkBalanced } from './journal.ts';

/** Event 27 of accounting.md: the US division collects 100.00 for the UK. */
const collected: IntercompanyEvent = { kind: 'charge', currency: 'USD', amount: 10_000n,
  creditor: { account: '4000', rate: '0.8', other: 1 }, debtor: { account: '1000', rate: null, other: 3 } };

describe('a posting between divisions', () => {
  it('debits what is due in one division and credits it in the other, each naming the other one', () => {
    expect(intercompanyLines(collected)).toEqual({
      creditor: [
        { account: '1500', currency: 'USD', amount: 10_000n, base: 8_000n, fx_rate: '0.8',
          party: { type: 'division', id: 1 } },
        { account: '4000', currency: 'USD', amount: -10_000n, base: -8_000n, fx_rate: '0.8' }],
      debtor: [
        { account: '2500', currency: 'USD', amount: -10_000n, base: -10_000n, party: { type: 'division', id: 3 } },
        { account: '1000', currency: 'USD', amount: 10_000n, base: 10_000n }],
    });
  });

  it('names the vendor and the payment on the line of a bill that the other division paid [event 27]', () => {
    const { creditor, debtor } = intercompanyLines({ kind: 'charge', currency: 'USD', amount: 10_000n,
      creditor: { account: '1000', rate: null, other: 3 }, debtor: { account: '2000', rate: '0.8', other: 1,
        party: { type: 'vendor', id: 7 }, payment: { id: 9, on: '2026-02-10' } } });
    expect(creditor[1]).toEqual({ account: '1000', currency: 'USD', amount: -10_000n, base: -10_000n });
    expect(debtor).toEqual([
      { account: '2500', currency: 'USD', amount: -10_000n, base: -8_000n, fx_rate: '0.8',
        party: { type: 'division', id: 1 } },
      { account: '2000', currency: 'USD', amount: 10_000n, base: 8_000n, fx_rate: '0.8',
        party: { type: 'vendor', id: 7 }, refs: { payment_id: 9 }, due_date: '2026-02-10' }]);
  });

  it('is taken off the same accounts by a settlement', () => {
    const charge = intercompanyLines(collected);
    const paid = intercompanyLines({ ...collected, kind: 'settlement' });
    for (const side of ['creditor', 'debtor'] as const) {
      expect(paid[side].map((line) => line.amount)).toEqual(charge[side].map((line) => -line.amount));
      expect(paid[side].map((line) => line.account)).toEqual(charge[side].map((line) => line.account));
    }
  });

  it('balances in both divisions and comes to nothing between them, for any amount and rate', () => {
    for (let k = 1; k < 400; k += 1) {
      const event: IntercompanyEvent = { ...collected, kind: k % 2 === 0 ? 'charge' : 'settlement',
        amount: BigInt(k * 7_919 % 100_003 + 1),
        creditor: { ...collected.creditor, rate: `0.${String(k * 104_729 % 99_999 + 1).padStart(5, '0')}` } };
      const { creditor, debtor } = intercompanyLines(event);
      expect(checkBalanced({ division: 'UK', kind: 'intercompany', lines: creditor })).toEqual({ ok: true });
      expect(checkBalanced({ division: 'US', kind: 'intercompany', lines: debtor })).toEqual({ ok: true });
      expect(creditor[0]!.amount + debtor[0]!.amount).toBe(0n);
    }
  });
});

describe('balances between divisions', () => {
  const row = (division: 'US' | 'UK' | 'EU', other: 'US' | 'UK' | 'EU', balance: bigint, base: bigint): DueBalance =>
    ({ division, other, currency: 'USD', balance, base });

  it('stand in one row for two divisions, whoever is owed first', () => {
    expect(duePairs([row('US', 'UK', -10_000n, -10_000n), row('UK', 'US', 10_000n, 8_000n)])).toEqual([
      { division: 'UK', other: 'US', currency: 'USD', balance: 10_000n, other_balance: 10_000n, base: 8_000n,
        other_base: 10_000n, difference: 0n }]);
  });

  it('differ by what only one of them has', () => {
    expect(duePairs([row('EU', 'US', 5_000n, 4_500n)])).toMatchObject([
      { division: 'EU', other: 'US', balance: 5_000n, other_balance: 0n, difference: 5_000n }]);
    expect(duePairs([row('US', 'EU', 5_000n, 5_000n), row('EU', 'US', -4_000n, -3_600n)])).toMatchObject([
      { division: 'US', other: 'EU', balance: 5_000n, other_balance: 4_000n, difference: 1_000n }]);
    expect(duePairs([row('US', 'EU', 0n, 0n)])).toEqual([]);
  });

  it('carry an exchange difference where a rate has moved since', () => {
    // own example: booked at 0.80, GBP 80.00; at 1.30 it is USD 104.00, against USD 100.00 in the other books
    const [pair] = duePairs([row('US', 'UK', -10_000n, -10_000n), row('UK', 'US', 10_000n, 8_000n)]);
    expect(dueExchange(pair!, { own: '1.3', other: '1', currency: '1' })).toBe(400n);
    expect(dueExchange(pair!, { own: '1.25', other: '1', currency: '1' })).toBe(0n);
  });
});
