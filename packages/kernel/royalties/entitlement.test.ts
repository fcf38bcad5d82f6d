import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMinor, sum } from '../money/money.ts';
import { runsOf } from '#tests/support/full.ts';
import {
  accruedMinor, keptShares, makesDue, moveEntitlement, NOTHING_YET, partOfLine, prepaidMinor, presentationOf,
  type Entitlement, type Presentation,
} from './entitlement.ts';

function move(
  state: Entitlement, kind: 'cost' | 'due', amount_minor: bigint, presentation: Presentation = 'gross', rate = '1',
) {
  return moveEntitlement(state, { kind, amount_minor, show_royaltor_id: 1, rate }, presentation);
}

function accounts(legs: readonly { account: string; amount_minor: bigint }[]) {
  return Object.fromEntries(legs.map((leg) => [leg.account, leg.amount_minor]));
}

describe('cost and due', () => {
  test('paid in March, played in October: 1140 / 2200, then 5000 / 1140', () => {
    const paid = move(NOTHING_YET, 'due', 70_000n);
    expect(accounts(paid.legs)).toEqual({ 1140: 70_000n, 2200: -70_000n });
    const played = move(paid.state, 'cost', 70_000n);
    expect(accounts(played.legs)).toEqual({ 5000: 70_000n, 1140: -70_000n });
  });
  test('a late payer: 5000 / 2210, then 2210 / 2200', () => {
    const earned = move(NOTHING_YET, 'cost', 70_000n);
    expect(accounts(earned.legs)).toEqual({ 5000: 70_000n, 2210: -70_000n });
    expect(accounts(move(earned.state, 'due', 70_000n).legs)).toEqual({ 2210: 70_000n, 2200: -70_000n });
  });
  test('cost beyond what is already due splits between 1140 and 2210', () => {
    const partly = move(NOTHING_YET, 'due', 30_000n).state;
    expect(accounts(move(partly, 'cost', 70_000n).legs))
      .toEqual({ 5000: 70_000n, 1140: -30_000n, 2210: -40_000n });
  });
  test('net presentation fills 2210 from the invoice, without 5000 and 1140', () => {
    const invoiced = move(NOTHING_YET, 'cost', 70_000n, 'net');
    expect(accounts(invoiced.legs)).toEqual({ source: 70_000n, 2210: -70_000n });
    expect(accounts(move(invoiced.state, 'due', 70_000n, 'net').legs))
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
  test('credits leave of every share its part, the cents with the larger remainder: 840.00 of 1,090.00', () => {
    expect(keptShares([11_920n, 22_228n, 74_852n], [84_000n])).toEqual([2_734n, 5_098n, 17_168n]);
  });
  test('where promises took more than the line brought, credits that take all leave nothing of anybody', () => {
    expect(keptShares([110n, -10n], [40n])).toEqual([66n, -6n]);
    expect(keptShares([110n, -10n], [40n, 60n])).toEqual([0n, 0n]);
  });
  test('whatever the credits, what is kept sums, nobody keeps more than before, the last leaves nothing', () => {
    fc.assert(fc.property(fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.bigInt({ min: 1n, max: 4_000n }), { maxLength: 6 }), (shares, wanted) => {
        const credits: bigint[] = [];
        for (const one of wanted) if (sum(credits) + one <= sum(shares)) credits.push(one);
        const kept = keptShares(shares, credits);
        expect(sum(kept)).toBe(sum(shares) - sum(credits));
        kept.forEach((one, k) => expect(one >= 0n && one <= shares[k]!).toBe(true));
        if (sum(kept) > 0n) expect(sum(keptShares(shares, [...credits, sum(kept)]))).toBe(0n);
      }));
  });
});

/** '2210 700.00 @ 889.00' of every leg. */
function carried(legs: readonly { account: string; amount_minor: bigint; functional_minor: bigint }[]): string[] {
  return legs.map((leg) => `${leg.account} ${formatMinor(leg.amount_minor)} @ ${formatMinor(leg.functional_minor)}`);
}

describe('a licence in a foreign currency (accounting.md 2.1): invoiced at 1.27, received at 1.30', () => {
  test('11 takes the rate of the income, 11c moves 2210 to 2200 at what it is carried, whatever the receipt\'s', () => {
    const earned = move(NOTHING_YET, 'cost', 70_000n, 'gross', '1.27');
    expect(carried(earned.legs)).toEqual(['5000 700.00 @ 889.00', '2210 (700.00) @ (889.00)']);
    const paid = move(earned.state, 'due', 70_000n, 'gross', '1.30');
    expect(carried(paid.legs)).toEqual(['2210 700.00 @ 889.00', '2200 (700.00) @ (889.00)']);
  });
  test('11d takes the rate of the receipt, and 1140 is released at it when the run is played', () => {
    const paid = move(NOTHING_YET, 'due', 70_000n, 'gross', '1.30');
    expect(carried(paid.legs)).toEqual(['1140 700.00 @ 910.00', '2200 (700.00) @ (910.00)']);
    const played = move(paid.state, 'cost', 70_000n, 'gross', '1.27');
    expect(carried(played.legs)).toEqual(['5000 700.00 @ 910.00', '1140 (700.00) @ (910.00)']);
  });
  test('a cost of which part was paid before keeps both rates', () => {
    const paid = move(NOTHING_YET, 'due', 30_000n, 'gross', '1.30').state;
    const earned = move(paid, 'cost', 70_000n, 'gross', '1.27');
    expect(carried(earned.legs)).toEqual(['5000 700.00 @ 898.00', '1140 (300.00) @ (390.00)',
      '2210 (400.00) @ (508.00)']);
  });
  test('11r: a receipt that bounced and a credit go back at the rates they came at', () => {
    const earned = move(NOTHING_YET, 'cost', 70_000n, 'gross', '1.27').state;
    const due = move(earned, 'due', 70_000n, 'gross', '1.30').state;
    const bounced = move(due, 'due', -70_000n, 'gross', '1.31');
    expect(carried(bounced.legs)).toEqual(['2210 (700.00) @ (889.00)', '2200 700.00 @ 889.00']);
    expect(carried(move(bounced.state, 'cost', -70_000n, 'gross', '1.33').legs))
      .toEqual(['5000 (700.00) @ (889.00)', '2210 700.00 @ 889.00']);
    expect(carried(move(due, 'cost', -7_000n, 'gross', '1.33').legs))
      .toEqual(['5000 (70.00) @ (88.90)', '1140 70.00 @ 88.90']);
  });
  test('11r: part of a receipt goes back at the rate it came at, though cost of another rate stands beside it', () => {
    const paid = move(NOTHING_YET, 'due', 50_000n, 'gross', '0.80').state;
    const earned = move(paid, 'cost', 150_000n, 'gross', '1.40').state;
    const bounced = move(earned, 'due', -30_000n, 'gross', '1.27');
    expect(carried(bounced.legs)).toEqual(['2210 (300.00) @ (240.00)', '2200 300.00 @ 240.00']);
    expect(bounced.state).toMatchObject({ due_minor: 20_000n, due_functional_minor: 16_000n });
  });
  test('thirds of a cent are lost nowhere: the last part takes what is left', () => {
    const earned = move(NOTHING_YET, 'cost', 1_000n, 'gross', '1.2345').state;
    const parts = [333n, 333n, 334n];
    let state = earned;
    const taken = parts.map((part) => {
      const step = move(state, 'due', part, 'gross', '9');
      state = step.state;
      return step.legs.find((leg) => leg.account === '2200')!.functional_minor;
    });
    expect(taken).toEqual([-411n, -411n, -413n]);
    expect(state).toMatchObject({ cost_functional_minor: 1_235n, due_functional_minor: 1_235n });
  });
});

describe('properties', () => {
  test('I11 the accounts are the differences of cost and due after any movements, and each balances', () => {
    const anyMove = fc.tuple(fc.constantFrom('cost' as const, 'due' as const), fc.bigInt(-90_000n, 90_000n));
    const either = fc.constantFrom('gross' as const, 'net' as const);
    fc.assert(fc.property(fc.array(anyMove), either, (moves, presentation) => {
      let state = NOTHING_YET;
      const balance: Record<string, bigint> = {};
      for (const [kind, amount] of moves) {
        const step = move(state, kind, amount, presentation);
        state = step.state;
        expect(sum(step.legs.map((leg) => leg.amount_minor))).toBe(0n);
        for (const leg of step.legs) balance[leg.account] = (balance[leg.account] ?? 0n) + leg.amount_minor;
      }
      expect(-(balance['2210'] ?? 0n)).toBe(accruedMinor(state, presentation));
      expect(balance['1140'] ?? 0n).toBe(prepaidMinor(state, presentation));
      expect(-(balance['2200'] ?? 0n)).toBe(state.due_minor);
    }));
  });
  test('I11 in a foreign currency every account of amount 0 is carried at 0, and each posting balances', () => {
    const step = fc.record({ kind: fc.constantFrom('cost' as const, 'due' as const), give: fc.boolean(),
      part: fc.bigInt(1n, 100n), rate: fc.constantFrom('1.27', '1.3', '0.7727272727', '1.4142135624') });
    fc.assert(fc.property(fc.array(step, { maxLength: 12 }), fc.bigInt(1n, 99_999n), (steps, share) => {
      let state = NOTHING_YET;
      const balance: Record<string, [bigint, bigint]> = {};
      for (const { kind, give, part, rate } of steps) {
        const moved = kind === 'cost' ? state.cost_minor : state.due_minor;
        const amount = give ? ((share - moved) * part) / 100n : -(moved * part) / 100n;
        const { state: next, legs } = move(state, kind, amount, 'gross', rate);
        state = next;
        expect(sum(legs.map((leg) => leg.functional_minor))).toBe(0n);
        for (const leg of legs) {
          const [a, f] = balance[leg.account] ?? [0n, 0n];
          balance[leg.account] = [a + leg.amount_minor, f + leg.functional_minor];
          expect(leg.amount_minor * leg.functional_minor).toBeGreaterThanOrEqual(0n);
        }
        for (const [amountOf, functional] of Object.values(balance)) {
          if (amountOf === 0n) expect(functional).toBe(0n);
        }
      }
    }), { numRuns: runsOf(2_000) });
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
