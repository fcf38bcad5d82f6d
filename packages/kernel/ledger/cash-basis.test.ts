import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../money/money.ts';
import {
  deferredParts, documentBasis, royaltyBasis, type BasisDocument, type BasisLine, type Recognized, type RoyaltyPosting,
} from './cash-basis.ts';

const [LICENSE, RENTAL, ROYALTY, PURCHASES, SMALL] = [4000, 4100, 5000, 6200, 7090];
const line = (role: BasisLine['role'], base: bigint, account = 0): BasisLine => ({ account, role, base });
const document = (lines: BasisLine[], settled: [on: string, base: bigint, by?: number][] = [],
  later: BasisDocument['later'] = []): BasisDocument => ({ id: 1, on: '2026-01-10', lines, later,
  settled: settled.map(([on, base, by], at) => ({ on, base, by: by ?? at + 100 })) });
const told = (made: readonly Recognized[]) => made.map((one) => [one.on, one.by, one.account, one.minor]);
const totals = (made: readonly Recognized[]) => Object.fromEntries([...Map.groupBy(made, (one) => one.account)]
  .map(([account, of]) => [account, sum(of.map((one) => one.minor))] as const).filter(([, minor]) => minor !== 0n));

/** Own examples, worked by hand. */
describe('a document on the cash basis', () => {
  /** 1,200.00 = 700.00 license, 300.00 rental, VAT 200.00. */
  const invoice = [line('item', 120_000n), line('profit', -70_000n, LICENSE), line('profit', -30_000n, RENTAL),
    line('tax', -20_000n)];

  it('counts nothing before it is paid', () => {
    expect(documentBasis(document(invoice))).toEqual([]);
  });

  it('counts the paid share of each line, and the rest with the last payment', () => {
    // 400.00 of 1,200.00 are a third: 233.33 and 100.00; then 466.67 and 200.00.
    expect(told(documentBasis(document(invoice, [['2026-03-01', 40_000n], ['2026-04-01', 80_000n]])))).toEqual([
      ['2026-03-01', 100, LICENSE, -23_333n], ['2026-03-01', 100, RENTAL, -10_000n],
      ['2026-04-01', 101, LICENSE, -46_667n], ['2026-04-01', 101, RENTAL, -20_000n]]);
  });

  it('takes back what a returned payment had settled, on the day of the return', () => {
    const returned = document(invoice, [['2026-03-01', 120_000n, 7], ['2026-03-09', -120_000n, 7]]);
    expect(told(documentBasis(returned))).toEqual([
      ['2026-03-01', 7, LICENSE, -70_000n], ['2026-03-01', 7, RENTAL, -30_000n],
      ['2026-03-09', 7, LICENSE, 70_000n], ['2026-03-09', 7, RENTAL, 30_000n]]);
  });

  it('counts what a deposit pays on the day of the invoice', () => {
    // 2,000.00 due beside 500.00 that were paid before: a fifth at once.
    const final = [line('item', 200_000n), line('other', 50_000n), line('profit', -250_000n, LICENSE)];
    expect(told(documentBasis(document(final, [['2026-05-01', 200_000n]])))).toEqual([
      ['2026-01-10', 1, LICENSE, -50_000n], ['2026-05-01', 100, LICENSE, -200_000n]]);
  });

  it('counts the small difference of a receipt when the receipt is applied', () => {
    const receipt = [line('other', 99_500n), line('profit', 500n, SMALL), line('item', -100_000n)];
    expect(told(documentBasis(document(receipt, [['2026-02-01', 100_000n]]))))
      .toEqual([['2026-02-01', 100, SMALL, 500n]]);
  });

  it('of a bill counts the net of the paid share, and of one with reverse charge all of it', () => {
    const bill = [line('profit', 50_000n, PURCHASES), line('tax', 10_000n), line('item', -60_000n)];
    expect(totals(documentBasis(document(bill, [['2026-02-01', 30_000n]])))).toEqual({ [PURCHASES]: 25_000n });
    const abroad = [line('profit', 100_000n, PURCHASES), line('tax', 20_000n), line('item', -100_000n),
      line('tax', -20_000n)];
    expect(totals(documentBasis(document(abroad, [['2026-02-01', 50_000n]])))).toEqual({ [PURCHASES]: 50_000n });
  });

  it('without items counts on its own day', () => {
    expect(told(documentBasis(document([line('profit', 1_500n, 6100), line('other', -1_500n)]))))
      .toEqual([['2026-01-10', 1, 6100, 1_500n]]);
  });

  it('a royalty share that leaves the income later leaves the paid part at once, the rest with the rest', () => {
    // 1,000.00, half paid, then 700.00 of it are the royaltors': 350.00 come back at once.
    const net = document([line('item', 100_000n), line('profit', -100_000n, LICENSE)],
      [['2026-02-01', 50_000n], ['2026-04-01', 50_000n]],
      [{ on: '2026-03-01', by: 9, account: LICENSE, base: 70_000n }]);
    expect(told(documentBasis(net))).toEqual([['2026-02-01', 100, LICENSE, -50_000n],
      ['2026-03-01', 9, LICENSE, 35_000n], ['2026-04-01', 101, LICENSE, -15_000n]]);
  });

  it('settled by a credit note leaves nothing, whatever was paid before', () => {
    const note: BasisDocument = { ...document([line('item', -60_000n), line('tax', 10_000n),
      line('profit', 50_000n, LICENSE)], [['2026-05-01', 60_000n]]), id: 2 };
    const made = [...documentBasis(document([line('item', 60_000n), line('tax', -10_000n),
      line('profit', -50_000n, LICENSE)], [['2026-05-01', 60_000n]])), ...documentBasis(note)];
    expect(totals(made)).toEqual({});
  });

  it('is spread over shows by their lines: sums up to each are rounded, so the account keeps its cents', () => {
    // 0.05 of 0.10 with three lines of 0.04, 0.03 and 0.03: up to 0.02, 0.035 and 0.05.
    const lines = [['Hamlet', 4n], ['Iolanthe', 3n], ['Patience', 3n]] as const;
    const made = documentBasis(document([line('item', 10n), ...lines.map(([part, base]) =>
      ({ ...line('profit', -base, LICENSE), part }))], [['2026-02-01', 5n], ['2026-03-01', 5n]]));
    expect(made.map((one) => [one.on, one.part, one.minor])).toEqual([
      ['2026-02-01', 'Hamlet', -2n], ['2026-02-01', 'Iolanthe', -2n], ['2026-02-01', 'Patience', -1n],
      ['2026-03-01', 'Hamlet', -2n], ['2026-03-01', 'Iolanthe', -1n], ['2026-03-01', 'Patience', -2n]]);
  });

  const amounts = fc.array(fc.bigInt(1n, 10_000_000n), { minLength: 1, maxLength: 6 });
  it('over any sequence of payments and returns counts each line once, exactly', () => {
    fc.assert(fc.property(amounts, fc.bigInt(0n, 1_000_000n), fc.bigInt(0n, 1_000_000n), fc.constantFrom(1n, -1n),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 28 }), fc.nat(1_000))), (lines, tax, deposit, side, steps) => {
        const gross = sum(lines) + tax;
        const parts = lines.map((base, at) => line('profit', -side * base, at));
        const payments: [string, bigint][] = [];
        let open = gross;
        for (const [day, permille] of steps) {
          const part = (open * BigInt(permille)) / 1000n;
          const on = `2026-02-${String(day).padStart(2, '0')}`;
          if (part === 0n) continue;
          if (permille % 3 === 0) payments.push([on, part], [on, -part]);
          else { payments.push([on, part]); open -= part; }
        }
        if (open > 0n) payments.push(['2026-03-01', open]);
        const made = documentBasis(document([line('item', side * gross), line('other', side * deposit),
          line('tax', -side * (tax + deposit)), ...parts], payments));
        expect(totals(made)).toEqual(Object.fromEntries(parts.map((one) => [one.account, one.base])));
      }));
  });
});

const PARTS = ['', 'Hamlet', 'Iolanthe'];
/** By account, day and posting that settled, without what comes to nothing. */
const summed = (made: readonly Recognized[], part = false) => Object.fromEntries([...Map.groupBy(made, (one) =>
  `${one.account} ${one.on} ${one.by}${part ? one.part : ''}`)].map(([key, of]) => [key, sum(of.map((one) => one.minor))
  ] as const).filter(([, minor]) => minor !== 0n).toSorted(([one], [other]) => (one < other ? -1 : 1)));

describe('a document by show', () => {
  const lines = fc.array(fc.record({ account: fc.integer({ min: 4000, max: 4002 }), base: fc.bigInt(-3_000n, 9_000n),
    part: fc.constantFrom(...PARTS) }), { minLength: 1, maxLength: 8 });
  it('over any lines and payments sums to the whole on each day, and to its lines once it is settled', () => {
    fc.assert(fc.property(lines, fc.bigInt(1n, 50_000n), fc.array(fc.nat(999), { maxLength: 5 }), fc.array(fc.record({
      account: fc.integer({ min: 4000, max: 4002 }), base: fc.bigInt(-500n, 500n), part: fc.constantFrom(...PARTS),
    }), { maxLength: 3 }), (rows, item, shares, later) => {
      const profit = sum(rows.map((one) => one.base));
      const open = profit > 0n ? -item : item;
      const parts = shares.map((permille) => (item * BigInt(permille)) / 5_000n);
      const made = (apart: boolean) => {
        const of = <T extends { part: string }>(one: T) => ({ ...one, part: apart ? one.part : '' });
        return documentBasis({ ...document([line('item', open), ...rows.map((one) => ({ role: 'profit' as const,
          ...of(one) }))], [...parts, item - sum(parts)].map((base, at) => [`2026-02-0${at + 1}`, base])),
        later: later.map((one, at) => ({ on: `2026-02-0${at + 2}`, by: 50 + at, ...of(one) })) });
      };
      const [apart, whole] = [made(true), made(false)];
      expect(summed(apart)).toEqual(summed(whole));
      const booked = [...rows, ...later].map((one): Recognized => ({ ...one, on: '', by: 0, document: 0,
        minor: one.base }));
      expect(summed(apart.map((one) => ({ ...one, on: '', by: 0 })), true)).toEqual(summed(booked, true));
    }));
  });
});

const posting = (id: number, changes: [royaltor: number, base: bigint][],
  costs: [account: number, base: bigint][] = []): RoyaltyPosting => ({ id,
  on: `2026-01-${String(id).padStart(2, '0')}`, costs: costs.map(([account, base]) => ({ account, base })),
  changes: changes.map(([royaltor, base]) => ({ royaltor, base })) });

describe('royalties on the cash basis', () => {
  it('count when they are paid, the oldest first', () => {
    const made = royaltyBasis([posting(1, [[7, -70_000n]], [[ROYALTY, 70_000n]]),
      posting(2, [[7, -30_000n]], [[5100, 30_000n]]), posting(3, [[7, 80_000n]])]);
    expect(made.map((one) => [one.by, one.document, one.account, one.minor]))
      .toEqual([[3, 1, ROYALTY, 70_000n], [3, 2, 5100, 10_000n]]);
  });

  it('that were due and paid before their income count with it', () => {
    const made = royaltyBasis([posting(1, [[7, 70_000n]]), posting(2, [[7, -100_000n]], [[ROYALTY, 100_000n]])]);
    expect(told(made)).toEqual([['2026-01-02', 2, ROYALTY, 70_000n]]);
  });

  it('that are taken back after their payment stay counted until the royaltor has earned them again', () => {
    const made = royaltyBasis([posting(1, [[7, -70_000n]], [[ROYALTY, 70_000n]]), posting(2, [[7, 70_000n]]),
      posting(3, [[7, 10_000n]], [[ROYALTY, -10_000n]]), posting(4, [[7, -10_000n]], [[ROYALTY, 10_000n]])]);
    expect(told(made)).toEqual([['2026-01-02', 2, ROYALTY, 70_000n]]);
  });

  it('that pass to an agent count when the agent is paid', () => {
    const made = royaltyBasis([posting(1, [[7, -70_000n]], [[ROYALTY, 70_000n]]),
      posting(2, [[7, 7_000n], [8, -7_000n]]), posting(3, [[7, 63_000n]]), posting(4, [[8, 7_000n]])]);
    expect(told(made)).toEqual([['2026-01-03', 3, ROYALTY, 63_000n], ['2026-01-04', 4, ROYALTY, 7_000n]]);
  });

  it('of a statement that recoups 700.00 and tops up 150.00 count 700.00', () => {
    const made = royaltyBasis([posting(1, [[7, -60_000n]], [[ROYALTY, 60_000n]]),
      posting(2, [[7, 55_000n]], [[ROYALTY, 15_000n]])]);
    expect(totals(made)).toEqual({ [ROYALTY]: 70_000n });
  });

  it('shared by net presentation are paid without a cost', () => {
    expect(royaltyBasis([posting(1, [[7, -70_000n]]), posting(2, [[7, 70_000n]])])).toEqual([]);
  });

  it('move from one show to another on the day on which an unpaid cost is corrected', () => {
    const cost = (part: string, base: bigint) => ({ account: ROYALTY, part, base });
    const made = royaltyBasis([{ ...posting(1, [[7, -100n]]), costs: [cost('Hamlet', 100n)] },
      { ...posting(2, [[7, 40n]]), costs: [cost('Iolanthe', -40n)] },
      { ...posting(3, []), costs: [cost('Hamlet', -10n), cost('Patience', 10n)] },
      posting(4, [[7, 60n]])]);
    expect(made.map((one) => [one.by, one.part, one.minor])).toEqual([[2, 'Hamlet', 40n], [2, 'Iolanthe', -40n],
      [3, 'Hamlet', -10n], [3, 'Patience', 10n], [4, 'Hamlet', 60n]]);
  });

  it('over any books in which nothing stays owed equal their costs, by show as well', () => {
    const step = fc.record({ royaltor: fc.integer({ min: 1, max: 3 }), other: fc.integer({ min: 1, max: 3 }),
      amount: fc.bigInt(-500n, 500n), cost: fc.bigInt(-300n, 300n), account: fc.integer({ min: 5000, max: 5002 }),
      part: fc.constantFrom(...PARTS), rest: fc.constantFrom(...PARTS), split: fc.bigInt(-100n, 100n) });
    fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const postings = steps.map(({ royaltor, other, amount, cost, account, part, rest, split }, at): RoyaltyPosting =>
        ({ ...posting(at + 1, royaltor === other ? [[royaltor, amount - cost]]
          : [[royaltor, amount - cost], [other, -amount]]), costs: [{ account, part, base: cost - split },
          { account, part: rest, base: split }] }));
      const owed = (royaltor: number) => sum(postings.flatMap((one) => one.changes)
        .filter((one) => one.royaltor === royaltor).map((one) => one.base));
      const all = [...postings, posting(99, [1, 2, 3].map((one) => [one, -owed(one)]))];
      const costs = royaltyBasis(all);
      const booked = postings.flatMap((one) => one.costs.map((cost): Recognized => ({ account: cost.account,
        on: '', by: 0, document: one.id, part: cost.part!, minor: cost.base })));
      expect(totals(costs)).toEqual(totals(booked));
      expect(summed(costs.map((one) => ({ ...one, on: '', by: 0 })), true)).toEqual(summed(booked, true));
      expect(summed(costs)).toEqual(summed(royaltyBasis(all.map((one) => ({ ...one, costs: one.costs.map((cost) =>
        ({ account: cost.account, base: cost.base })) })))));
    }));
  });
});

describe('deferred income', () => {
  it('stands under the income it becomes, by the amounts of the lines, to the cent', () => {
    expect(deferredParts(-100n, [{ account: LICENSE, weight: 2n }, { account: RENTAL, weight: 1n }]))
      .toEqual([{ account: LICENSE, base: -67n }, { account: RENTAL, base: -33n }]);
    expect(deferredParts(-100n, [{ account: LICENSE, weight: 0n }])).toBeNull();
  });
});
