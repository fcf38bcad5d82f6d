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

  it('over any books in which nothing stays owed equal their costs', () => {
    const step = fc.record({ royaltor: fc.integer({ min: 1, max: 3 }), other: fc.integer({ min: 1, max: 3 }),
      amount: fc.bigInt(-500n, 500n), cost: fc.bigInt(-300n, 300n), account: fc.integer({ min: 5000, max: 5002 }) });
    fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const postings = steps.map(({ royaltor, other, amount, cost, account }, at) => posting(at + 1,
        royaltor === other ? [[royaltor, amount - cost]] : [[royaltor, amount - cost], [other, -amount]],
        [[account, cost]]));
      const owed = (royaltor: number) => sum(postings.flatMap((one) => one.changes)
        .filter((one) => one.royaltor === royaltor).map((one) => one.base));
      const all = [...postings, posting(99, [1, 2, 3].map((one) => [one, -owed(one)]))];
      const costs = royaltyBasis(all);
      const expected = totals(postings.flatMap((one) => one.costs.map((cost): Recognized => ({ account: cost.account,
        on: one.on, by: one.id, document: one.id, minor: cost.base }))));
      expect(totals(costs)).toEqual(expected);
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
