import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { abs, sum } from '../money/money.ts';
import { runsOf } from '#tests/support/full.ts';
import {
  allocatePlain, allocateRefund, allocateWithCarry, allocationGroupKey, carriesAfter, mirrorAllocation, weightSet,
  weightSetKey, type ShareClaim,
} from './allocate.ts';

function claim(id: number, rate_ppm: bigint, share_points = 1n, share_group = ''): ShareClaim {
  return { show_royaltor_id: id, term_id: id * 10, rate_ppm, share_points, share_group };
}

const THREE_AUTHORS = [claim(1, 800_000n), claim(2, 800_000n), claim(3, 800_000n)];
const POINTS_27_27_26 = [27n, 27n, 26n, 20n];

function withHouse(claims: readonly ShareClaim[]): bigint[] {
  const set = weightSet(claims);
  return [...set.parties, set.house];
}

describe('weights', () => {
  test('E9 three equal authors of 80% weigh exactly a third of it each', () => {
    expect(weightSet(THREE_AUTHORS)).toEqual({
      parties: [800_000n, 800_000n, 800_000n], house: 600_000n, total: 3_000_000n,
    });
  });
  test('two groups of the same rate keep it apart', () => {
    const apart = [claim(1, 50_000n, 1n, 'music'), claim(2, 50_000n, 1n, 'words')];
    expect(weightSet(apart)).toEqual({ parties: [50_000n, 50_000n], house: 900_000n, total: 1_000_000n });
  });
  test('different rates and points come to one denominator', () => {
    const set = weightSet([claim(1, 600_000n, 1n), claim(2, 600_000n, 2n), claim(3, 100_000n, 1n)]);
    expect(set).toEqual({ parties: [600_000n, 1_200_000n, 300_000n], house: 900_000n, total: 3_000_000n });
  });
  test('more than the whole is refused', () => {
    expect(() => weightSet([claim(1, 800_000n), claim(2, 300_000n)])).toThrow(/more than 100%/);
  });
  test('the keys name parties and weights, in any order of arrival', () => {
    expect(allocationGroupKey([...THREE_AUTHORS].reverse())).toBe('1.10+2.20+3.30+house');
    expect(weightSetKey([...THREE_AUTHORS].reverse())).toBe(weightSetKey(THREE_AUTHORS));
    expect(weightSetKey([claim(1, 800_000n)])).toBe('1.10=800000+house=200000/1000000');
  });
});

describe('golden splits', () => {
  test('E9 1,000.00', () => {
    expect(allocatePlain(100_000n, withHouse(THREE_AUTHORS))).toEqual([26_667n, 26_667n, 26_666n, 20_000n]);
  });
  test('E9e 1,000,000.00', () => {
    const parts = allocatePlain(100_000_000n, withHouse(THREE_AUTHORS));
    expect(parts).toEqual([26_666_667n, 26_666_667n, 26_666_666n, 20_000_000n]);
  });
  test('E9b 1,333.35 at 27/27/26/20', () => {
    expect(allocatePlain(133_335n, POINTS_27_27_26)).toEqual([36_001n, 36_000n, 34_667n, 26_667n]);
  });
  test('E9c -10.01 at 27/27/26/20', () => {
    expect(allocatePlain(-1_001n, POINTS_27_27_26)).toEqual([-271n, -270n, -260n, -200n]);
  });
  test('E9d 0.05 at 70/30 and 30/70', () => {
    expect(allocatePlain(5n, [70n, 30n])).toEqual([4n, 1n]);
    expect(allocatePlain(5n, [30n, 70n])).toEqual([1n, 4n]);
  });
  test('drift: 1,000 receipts of 33.34 end where one large one would', () => {
    let carries: readonly bigint[] = [0n, 0n, 0n, 0n];
    const carried = [0n, 0n, 0n, 0n];
    const plain = [0n, 0n, 0n, 0n];
    for (let n = 0; n < 1_000; n++) {
      const step = allocateWithCarry(3_334n, POINTS_27_27_26, carries);
      carries = step.carries;
      step.parts.forEach((part, i) => (carried[i]! += part));
      allocatePlain(3_334n, POINTS_27_27_26).forEach((part, i) => (plain[i]! += part));
    }
    expect(plain).toEqual([900_000n, 900_000n, 867_000n, 667_000n]);
    expect(carried).toEqual([900_180n, 900_180n, 866_840n, 666_800n]);
    expect(carries).toEqual([0n, 0n, 0n, 0n]);
  });
  test('nothing to share leaves the carries; weights of zero are refused', () => {
    expect(allocateWithCarry(0n, [1n, 2n], [4n, -4n])).toEqual({
      parts: [0n, 0n], carries: [4n, -4n], without_carry: false,
    });
    expect(() => allocateWithCarry(1n, [0n, 0n], [0n, 0n])).toThrow(/weights that are all zero/);
  });
  test('a carry that would turn a sign is set aside for this amount and kept', () => {
    const step = allocateWithCarry(1n, [1n, 99n], [-40n, 40n]);
    expect(step).toEqual({ parts: [0n, 1n], carries: [-39n, 39n], without_carry: false });
    const turned = allocateWithCarry(1n, [1n, 99n], [-150n, 150n]);
    expect(turned).toEqual({ parts: [0n, 1n], carries: [-149n, 149n], without_carry: true });
  });
});

const weights = fc.array(fc.bigInt(0n, 900_000n), { minLength: 1, maxLength: 6 }).map((w) => [...w, 1n]);
const amount = fc.oneof(fc.bigInt(-50n, 50n), fc.bigInt(-5_000_000n, 5_000_000n));

function rightSign(amountMinor: bigint, parts: readonly bigint[]): boolean {
  return parts.every((part) => part === 0n || part < 0n === amountMinor < 0n);
}

describe('properties', () => {
  test('I1 any run of amounts: sums exact, carries sum to zero, no line of the wrong sign', () => {
    fc.assert(fc.property(weights, fc.array(amount, { maxLength: 60 }), (w, amounts) => {
      let carries: readonly bigint[] = w.map(() => 0n);
      for (const a of amounts) {
        const step = allocateWithCarry(a, w, carries);
        expect(sum(step.parts)).toBe(a);
        expect(sum(step.carries)).toBe(0n);
        expect(rightSign(a, step.parts)).toBe(true);
        carries = step.carries;
      }
    }), { numRuns: runsOf(400) });
  });
  test('I1 a plain split errs by less than a cent and does not depend on the order of distinct weights', () => {
    const distinct = fc.uniqueArray(fc.bigInt(1n, 900_000n), { minLength: 2, maxLength: 6 });
    fc.assert(fc.property(distinct, amount, (w, a) => {
      const total = sum(w);
      const parts = allocatePlain(a, w);
      expect(sum(parts)).toBe(a);
      parts.forEach((part, i) => expect(abs(part * total - a * w[i]!) < total).toBe(true));
      expect(allocatePlain(a, [...w].reverse())).toEqual([...parts].reverse());
    }));
  });
  test('claims in any order give each party the same part', () => {
    const claims = [claim(1, 300_000n, 2n), claim(2, 300_000n, 1n), claim(3, 250_000n), claim(4, 100_000n)];
    fc.assert(fc.property(fc.shuffledSubarray(claims, { minLength: 4 }), amount, (shuffled, a) => {
      expect(weightSetKey(shuffled)).toBe(weightSetKey(claims));
      const inOrder = [...shuffled].sort((x, y) => x.show_royaltor_id - y.show_royaltor_id);
      expect(allocatePlain(a, withHouse(inOrder))).toEqual(allocatePlain(a, withHouse(claims)));
    }));
  });
  test('a receipt taken back whole returns to the carries exactly what it took', () => {
    fc.assert(fc.property(weights, amount, amount, (w, before, a) => {
      const start = allocateWithCarry(before, w, w.map(() => 0n)).carries;
      const taken = allocateWithCarry(a, w, start);
      const back = mirrorAllocation(taken.parts, w, taken.carries);
      expect(back.carries).toEqual(start);
      expect(back.parts.map((part, i) => part + taken.parts[i]!)).toEqual(w.map(() => 0n));
    }));
  });
  test('partial refunds give back no more than a party got and end exactly on the mirror', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    fc.assert(fc.property(weights, fc.bigInt(1n, 900_000n), shares, (w, a, cuts) => {
      const zero = w.map(() => 0n);
      const taken = allocateWithCarry(a, w, zero);
      let { carries } = taken;
      let left = [...taken.parts];
      for (const refund of [...cuts.map((c) => (a * BigInt(c)) / 700n), null]) {
        const part = allocateRefund(-(refund ?? sum(left)), left, w, carries);
        expect(sum(part.parts)).toBe(-(refund ?? sum(left)));
        left = left.map((l, i) => l + part.parts[i]!);
        carries = part.carries;
        expect(left.every((l) => l >= 0n)).toBe(true);
        expect(sum(carries)).toBe(0n);
      }
      expect(left).toEqual(zero);
      expect(carries).toEqual(zero);
    }));
  });
  test('a refund beyond what is left is refused, so is one in the same direction', () => {
    expect(() => allocateRefund(-11n, [5n, 5n], [1n, 1n], [0n, 0n])).toThrow(/cannot be larger/);
    expect(() => allocateRefund(1n, [5n, 5n], [1n, 1n], [0n, 0n])).toThrow(/cannot be larger/);
    expect(() => carriesAfter(1n, [1n], [1n, 2n], [0n])).toThrow(RangeError);
  });
});
