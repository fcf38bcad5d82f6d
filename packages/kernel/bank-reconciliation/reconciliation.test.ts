import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffDays } from '../calendar/calendar.ts';
import { sum } from '../money/money.ts';
import { booksProof, finishBlocks, onlyPairs, reconciliationFigures, statementBlocks, type StatementOfAccount }
  from './reconciliation.ts';

describe('the difference', () => {
  const side = { opening: 182_406_18n, closing: 198_420_55n, ticked: [], lines: [
    { amount: 9_125_00n, matched: true }, { amount: -1_460_25n, matched: true }, { amount: 4_552_25n, matched: false },
    { amount: 2_871_40n, matched: false }, { amount: -755_53n, matched: false }, { amount: 1_320_00n, matched: false },
    { amount: 400_00n, matched: false }, { amount: -38_50n, matched: false }] };

  it('is the closing balance less what is cleared', () => {
    expect(reconciliationFigures(side)).toMatchObject({ matched: 7_664_75n, cleared: 190_070_93n,
      difference: 8_349_62n, unmatched: 8_349_62n, unmatched_count: 6 });
  });

  it('falls by what is ticked on paper', () => {
    expect(reconciliationFigures({ ...side, lines: [], ticked: [16_014_37n] }).difference).toBe(0n);
  });
});

describe('the proof', () => {
  it('leads from the balance of the bank to the balance of the books', () => {
    expect(booksProof({ closing: 10_000n, ledger: 9_450n, outstanding: [700n, -900n, -300n], unmatched: -50n,
      timing: [-100n] })).toEqual({ deposits_in_transit: 700n, outstanding_payments: 1_200n, unmatched: -50n,
      timing: -100n, expected: 9_450n, ledger: 9_450n, difference: 0n });
  });
});

describe('a statement', () => {
  const statement = (more: Partial<StatementOfAccount> & { id: number }): StatementOfAccount => ({
    from_on: '2026-10-01', to_on: '2026-10-31', opening: 100n, closing: 200n, flags: [], ...more });
  const before = statement({ id: 1, from_on: '2026-08-01', to_on: '2026-08-31', closing: 70n });
  const gapped = statement({ id: 2, flags: ['gap', 'pending_skipped'] });

  it('with a gap before it is held until the missing one is imported', () => {
    expect(statementBlocks(gapped, [before, gapped])).toEqual(['gap']);
    const missing = statement({ id: 3, from_on: '2026-09-01', to_on: '2026-09-30', opening: 70n, closing: 100n });
    expect(statementBlocks(gapped, [before, gapped, missing])).toEqual([]);
  });

  it('that does not add up is held until a file of its period does', () => {
    const wrong = statement({ id: 2, flags: ['balance_mismatch'] });
    expect(statementBlocks(wrong, [wrong])).toEqual(['balance_mismatch']);
    expect(statementBlocks(wrong, [wrong, statement({ id: 3, to_on: '2026-10-30' })])).toEqual(['balance_mismatch']);
    expect(statementBlocks(wrong, [wrong, statement({ id: 3 })])).toEqual([]);
  });
});

describe('a reconciliation may be finished', () => {
  const at = (of: { closing: bigint; lines?: { amount: bigint; matched: boolean }[]; ledger?: bigint }) => {
    const figures = reconciliationFigures({ opening: 0n, closing: of.closing, lines: of.lines ?? [], ticked: [] });
    return { figures, proof: booksProof({ closing: of.closing, ledger: of.ledger ?? of.closing, outstanding: [],
      unmatched: figures.unmatched, timing: [] }), statements: [] };
  };

  it('at zero, with every line matched and the books proven', () => {
    expect(finishBlocks(at({ closing: 5n, lines: [{ amount: 5n, matched: true }] }))).toEqual([]);
    expect(finishBlocks(at({ closing: 5n }))).toEqual([{ code: 'difference', amount: 5n }]);
    expect(finishBlocks(at({ closing: 0n, ledger: 3n }))).toEqual([{ code: 'books', amount: 3n }]);
  });

  it('not while lines that cancel each other are unmatched: they would count again in the next', () => {
    const lines = [{ amount: 7n, matched: false }, { amount: -7n, matched: false }];
    expect(finishBlocks(at({ closing: 0n, lines }))).toEqual([{ code: 'unmatched', count: 2 }]);
  });

  it('not while a statement is held', () => {
    expect(finishBlocks({ ...at({ closing: 0n }), statements: [{ id: 4, blocks: ['gap'] }] }))
      .toEqual([{ code: 'gap', statement_id: 4 }]);
  });
});

/** Months of an account: ledger lines and bank lines on days 1 to 90, in matches of either shape. */
const moves = fc.array(fc.record({ amount: fc.bigInt(-900n, 900n).filter((amount) => amount !== 0n),
  kind: fc.constantFrom('pair', 'split bank', 'split ledger', 'outstanding'),
  bank: fc.tuple(fc.nat(89), fc.nat(89)), books: fc.tuple(fc.nat(89), fc.nat(89)) }), { maxLength: 40 });
interface Part { day: number; amount: bigint; match: number | null }
const split = (days: readonly [number, number], amount: bigint, match: number): Part[] => [
  { day: days[0], amount: amount - 1n, match }, { day: days[1], amount: 1n, match }];

describe('any history', () => {
  it('that is matched by the day of the bank is proven, month after month, and no line counts twice', () => {
    fc.assert(fc.property(moves, fc.bigInt(0n, 5_000n), (given, start) => {
      const bank: Part[] = [];
      const books: Part[] = [];
      given.forEach((move, n) => {
        if (move.kind !== 'outstanding') {
          bank.push(...(move.kind === 'split bank' ? split(move.bank, move.amount, n)
            : [{ day: move.bank[0], amount: move.amount, match: n }]));
        }
        books.push(...(move.kind === 'split ledger' ? split(move.books, move.amount, n)
          : [{ day: move.books[0], amount: move.amount, match: move.kind === 'outstanding' ? null : n }]));
      });
      let opening = start;
      for (const [from, to] of [[0, 29], [30, 59], [60, 89]] as const) {
        const closing = start + sum(bank.filter((one) => one.day <= to).map((one) => one.amount));
        const scope = bank.filter((one) => one.day >= from && one.day <= to);
        const figures = reconciliationFigures({ opening, closing, ticked: [],
          lines: scope.map((one) => ({ amount: one.amount, matched: true })) });
        const atBank = new Map([...Map.groupBy(bank.filter((one) => one.day <= to), (one) => one.match!)]
          .map(([match, parts]) => [match, sum(parts.map((one) => one.amount))]));
        const due = books.filter((one) => one.day <= to);
        const proof = booksProof({ closing, ledger: start + sum(due.map((one) => one.amount)), unmatched: 0n,
          outstanding: due.filter((one) => one.match === null || !atBank.has(one.match)).map((one) => one.amount),
          timing: [...atBank].map(([match, amount]) => sum(due.filter((one) => one.match === match)
            .map((one) => one.amount)) - amount) });
        expect(finishBlocks({ figures, proof, statements: [] })).toEqual([]);
        opening = closing;
      }
    }));
  });

  it('with one line unmatched is short of exactly that line', () => {
    fc.assert(fc.property(fc.array(fc.bigInt(-900n, 900n), { minLength: 1, maxLength: 30 }), fc.bigInt(), fc.nat(),
      (amounts, opening, pick) => {
        const k = pick % amounts.length;
        const figures = reconciliationFigures({ opening, closing: opening + sum(amounts), ticked: [],
          lines: amounts.map((amount, n) => ({ amount, matched: n !== k })) });
        expect([figures.difference, figures.unmatched]).toEqual([amounts[k], amounts[k]]);
      }));
  });
});

describe('a pair', () => {
  const line = (id: number, on: string, amount: bigint) => ({ id, on, amount });
  const pairs = (lines: ReturnType<typeof line>[], entries: ReturnType<typeof line>[]) =>
    [...onlyPairs(lines, entries, 10, diffDays)];

  it('is a line and the one entry of its amount near its day', () => {
    expect(pairs([line(1, '2026-10-05', 50n), line(2, '2026-10-06', -50n)],
      [line(11, '2026-10-03', 50n), line(12, '2026-09-01', -50n)])).toEqual([[1, 11]]);
  });

  it('is no guess: two entries for a line, or two lines for an entry, are left to a person', () => {
    expect(pairs([line(1, '2026-10-05', 50n)], [line(11, '2026-10-03', 50n), line(12, '2026-10-04', 50n)])).toEqual([]);
    expect(pairs([line(1, '2026-10-05', 50n), line(2, '2026-10-05', 50n)], [line(11, '2026-10-03', 50n)])).toEqual([]);
  });
});
