/** Statements in a foreign currency: what every line is carried at, and what is realised (domain.md 3.5, step 6). */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMinor, sum } from '../money/money.ts';
import { runsOf } from '#tests/support/full.ts';
import { setOff, type Carried } from './carried.ts';
import { statementJournal, type StatementFigures } from './statement-journal.ts';

const at = (amount_minor: bigint, functional_minor: bigint): Carried => ({ amount_minor, functional_minor });
const NONE = at(0n, 0n);

function figures(own: Partial<StatementFigures>): StatementFigures {
  return {
    opening: NONE, earnings: [], reserves_taken: [], reserves_released: [], adjustments_minor: 0n, top_up_minor: 0n,
    recouped: [], agent_commission_minor: 0n, vat: { kind: 'none', amount_minor: 0n }, rate: '1.29', ...own,
  };
}

function earning(amount_minor: bigint, functional_minor: bigint, reserve_ppm = 0n) {
  return { amount_minor, functional_minor, reserve_ppm, show_royaltor_id: 1 };
}

function rows(of: Partial<StatementFigures>): string[] {
  return statementJournal(figures(of)).lines.map((l) => `${l.account}${l.party === null ? '' : ` ${l.party}`} `
    + `${formatMinor(l.amount_minor)} @ ${formatMinor(l.functional_minor)}`);
}

test('an advance paid at 1.20 is recouped from earnings carried at 1.27: 70.00 dollars are gained', () => {
  expect(rows({ earnings: [earning(150_000n, 190_500n)], recouped: [at(100_000n, 120_000n)] })).toEqual([
    '2200 royaltor 1,000.00 @ 1,270.00', '1150 royaltor (1,000.00) @ (1,200.00)', '7000 (70.00) @ (70.00)']);
});

test('earnings carry their rates, a correction and a top-up that of the day, the agent what 2200 is carried at', () => {
  const of = { opening: at(10_000n, 12_500n), earnings: [earning(20_000n, 25_400n), earning(20_000n, 26_000n)],
    adjustments_minor: -5_000n, top_up_minor: 5_000n, agent_commission_minor: 10_000n };
  // 500.00 are carried at 639.00; the correction of 50.00 at 64.50 is set off against 550.00 at 703.50.
  expect(rows(of)).toEqual([
    '5000 (50.00) @ (64.50)', '2200 royaltor 50.00 @ 64.50', '5000 50.00 @ 64.50', '2200 royaltor (50.00) @ (64.50)',
    '2200 royaltor 100.00 @ 127.91', '2200 agent (100.00) @ (127.91)',
    '2200 royaltor 0.00 @ (0.55)', '7000 0.55 @ 0.55']);
  expect(statementJournal(figures(of))).toMatchObject({ agent_carried_minor: 12_791n, carried_minor: 51_164n });
});

test('a reserve keeps the rate of the lines it is of, and comes back at it', () => {
  const lines = [earning(50_000n, 63_500n, 200_000n), earning(50_000n, 65_000n)];
  expect(rows({ earnings: lines, reserves_taken: [{ show_royaltor_id: 1, amount_minor: 10_000n }] })).toEqual([
    '2200 royaltor 100.00 @ 127.00', '2205 royaltor (100.00) @ (127.00)']);
  expect(rows({ reserves_released: [at(10_000n, 12_700n)] })).toEqual([
    '2205 royaltor 100.00 @ 127.00', '2200 royaltor (100.00) @ (127.00)']);
});

test('a debt of the royaltor set off against earnings of another rate realises the difference', () => {
  expect(setOff([at(-100_000n, -120_000n), at(100_000n, 130_000n)])).toEqual({ left: NONE, realised_minor: -10_000n });
  expect(setOff([at(-100_000n, -120_000n), at(30_000n, 39_000n)]))
    .toEqual({ left: at(-70_000n, -84_000n), realised_minor: -3_000n });
  expect(setOff([at(1n, 1n), at(2n, 3n)])).toEqual({ left: at(3n, 4n), realised_minor: 0n });
});

test('I11 in a foreign currency: 2200 ends at what the statement says it is carried at, whatever the figures', () => {
  const minor = fc.bigInt(1n, 500_000n);
  const foreign = fc.tuple(minor, fc.constantFrom(105n, 127n, 130n)).map(([a, r]) => at(a, (a * r) / 100n));
  const line = fc.tuple(foreign, fc.boolean()).map(([one, back]) => (back
    ? earning(-one.amount_minor, -one.functional_minor) : earning(one.amount_minor, one.functional_minor, 1n)));
  fc.assert(fc.property(foreign, fc.array(line, { maxLength: 6 }), fc.bigInt(-9_000n, 9_000n), fc.bigInt(0n, 100n),
    fc.array(foreign, { maxLength: 2 }), (opening, earnings, adjustments_minor, part, restored) => {
      const pool = sum([opening, ...restored, ...earnings].map((one) => one.amount_minor)) + adjustments_minor;
      const taken = pool > 0n ? (pool * part) / 100n : 0n;
      const of = figures({ opening, earnings, adjustments_minor, restored, recouped: [at(taken, taken)] });
      const { lines, carried_minor } = statementJournal(of);
      const own = lines.filter((l) => l.account === '2200');
      const before = sum([opening, ...restored, ...earnings].map((one) => one.functional_minor));
      expect(before - sum(own.map((l) => l.functional_minor))).toBe(carried_minor);
      expect(sum(lines.map((l) => l.functional_minor))).toBe(0n);
      if (pool === taken) expect(carried_minor).toBe(0n);
      for (const l of lines) expect(l.amount_minor * l.functional_minor).toBeGreaterThanOrEqual(0n);
    }), { numRuns: runsOf(1_000) });
});
