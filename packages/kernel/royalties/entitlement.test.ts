import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import {
  accruedMinor, makesDue, moveEntitlement, partOfLine, prepaidMinor, presentationOf, type Entitlement,
} from './entitlement.ts';

const NOTHING: Entitlement = { cost_minor: 0n, due_minor: 0n };

function accounts(legs: readonly { account: string; amount_minor: bigint }[]) {
  return Object.fromEntries(legs.map((leg) => [leg.account, leg.amount_minor]));
}

describe('cost and due', () => {
  test('paid in March, played in October: 1140 / 2200, then 5000 / 1140', () => {
    const paid = moveEntitlement(NOTHING, 'due', 70_000n, 1);
    expect(accounts(paid.legs)).toEqual({ 1140: 70_000n, 2200: -70_000n });
    const played = moveEntitlement(paid.state, 'cost', 70_000n, 1);
    expect(accounts(played.legs)).toEqual({ 5000: 70_000n, 1140: -70_000n });
  });
  test('a late payer: 5000 / 2210, then 2210 / 2200', () => {
    const earned = moveEntitlement(NOTHING, 'cost', 70_000n, 1);
    expect(accounts(earned.legs)).toEqual({ 5000: 70_000n, 2210: -70_000n });
    expect(accounts(moveEntitlement(earned.state, 'due', 70_000n, 1).legs)).toEqual({ 2210: 70_000n, 2200: -70_000n });
  });
  test('cost beyond what is already due splits between 1140 and 2210', () => {
    const partly = moveEntitlement(NOTHING, 'due', 30_000n, 1).state;
    expect(accounts(moveEntitlement(partly, 'cost', 70_000n, 1).legs))
      .toEqual({ 5000: 70_000n, 1140: -30_000n, 2210: -40_000n });
  });
  test('net presentation fills 2210 from the invoice, without 5000 and 1140', () => {
    const invoiced = moveEntitlement(NOTHING, 'cost', 70_000n, 1, 'net');
    expect(accounts(invoiced.legs)).toEqual({ source: 70_000n, 2210: -70_000n });
    expect(accounts(moveEntitlement(invoiced.state, 'due', 70_000n, 1, 'net').legs))
      .toEqual({ 2210: 70_000n, 2200: -70_000n });
    expect(presentationOf(['gross', 'net'], 'net')).toBe('net');
    expect(presentationOf(['gross', 'gross'], 'net')).toBe('gross');
  });
  test('an event makes due what its agreement says, an advance is shared once', () => {
    expect(makesDue('on_receipt', 'receipt_applied')).toBe(true);
    expect(makesDue('on_invoice', 'invoice_issued')).toBe(true);
    expect(makesDue('on_close', 'license_closed')).toBe(true);
    for (const basis of ['on_receipt', 'on_invoice', 'on_close'] as const) {
      expect(makesDue(basis, 'advance_recouped') || makesDue(basis, 'breakage')).toBe(false);
    }
  });
  test('more of a line than is left is refused', () => {
    expect(() => partOfLine(3n, [1n, 1n])).toThrow(/cannot be larger/);
  });
});

describe('properties', () => {
  test('I11 the accounts are the differences of cost and due after any movements, and each balances', () => {
    const move = fc.tuple(fc.constantFrom('cost' as const, 'due' as const), fc.bigInt(-90_000n, 90_000n));
    fc.assert(fc.property(fc.array(move), fc.constantFrom('gross' as const, 'net' as const), (moves, presentation) => {
      let state = NOTHING;
      const balance: Record<string, bigint> = {};
      for (const [kind, amount] of moves) {
        const step = moveEntitlement(state, kind, amount, 1, presentation);
        state = step.state;
        expect(sum(step.legs.map((leg) => leg.amount_minor))).toBe(0n);
        for (const leg of step.legs) balance[leg.account] = (balance[leg.account] ?? 0n) + leg.amount_minor;
      }
      expect(-(balance['2210'] ?? 0n)).toBe(accruedMinor(state, presentation));
      expect(balance['1140'] ?? 0n).toBe(prepaidMinor(state, presentation));
      expect(-(balance['2200'] ?? 0n)).toBe(state.due_minor);
    }));
  });
  test('the parts of a line sum to its shares whatever the cut; the last takes the remainder', () => {
    const shares = fc.array(fc.bigInt(0n, 90_000n), { minLength: 1, maxLength: 5 });
    fc.assert(fc.property(shares, fc.array(fc.bigInt(0n, 99n)), (line, cuts) => {
      let left = [...line];
      for (const cut of cuts) {
        const part = (sum(left) * cut) / 100n;
        const parts = partOfLine(part, left);
        expect(sum(parts)).toBe(part);
        left = left.map((l, i) => l - parts[i]!);
        expect(left.every((l) => l >= 0n)).toBe(true);
      }
      expect(partOfLine(sum(left), left)).toEqual(left);
    }));
  });
});
