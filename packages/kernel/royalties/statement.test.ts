import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMinor, sum } from '../money/money.ts';
import { runsOf } from '#tests/support/full.ts';
import { recoup } from './recoupment.ts';
import { payoutThreshold, payStatement, settle, vatTreatment } from './settlement.ts';
import { statementJournal, type StatementFigures } from './statement-journal.ts';
import { calculateStatement, topUp } from './statement.ts';
import type { Statement, StatementAgreement, StatementInput } from './statement-types.ts';
import { effectiveForm, resolveWithholding, w8benExpiry, type WhtPayee, type WhtRule } from './withholding.ts';

function agreement(own: Partial<StatementAgreement> = {}): StatementAgreement {
  return {
    show_royaltor_id: 1, opening_balance_minor: 0n, earnings: [], reserves: [],
    reserve_schedule_ppm: [500_000n, 500_000n], adjustments: [], minimum: null, ...own,
  };
}

function earning(id: number, amount_minor: bigint, reserve_ppm = 0n, recoupable = true) {
  return { id, amount_minor, reserve_ppm, recoupable };
}

function input(own: Partial<StatementInput> = {}): StatementInput {
  return {
    period_end: '2026-09-30', agreements: [agreement()], advances: [], conditions: [],
    min_payout: { agreement_minor: null, royaltor_minor: 0n, tier2_minor: null, tier2_months: [] },
    vat: { kind: 'none' }, wht_ppm: 0n, agent: null, ...own,
  };
}

/** The figures of a statement in the division's own currency, where everything is carried at itself. */
function figuresOf(s: Statement, given: StatementInput): StatementFigures {
  const at = (amount_minor: bigint) => ({ amount_minor, functional_minor: amount_minor });
  const kind = s.vat_minor === 0n ? 'none' : s.vat_paid_minor > 0n ? 'self_billed' : 'reverse_charge';
  return {
    opening: at(s.opening_minor), rate: '1', vat: { kind, amount_minor: s.vat_minor },
    earnings: given.agreements.flatMap((a) => a.earnings.map((one) =>
      ({ ...at(one.amount_minor), show_royaltor_id: a.show_royaltor_id, reserve_ppm: one.reserve_ppm }))),
    reserves_taken: s.reserves_taken, reserves_released: s.reserves_released.map((one) => at(one.amount_minor)),
    adjustments_minor: s.adjustments_minor, top_up_minor: s.top_up_minor,
    recouped: s.recoupments.map((one) => at(one.amount_minor)), agent_commission_minor: s.agent_commission_minor,
  };
}

function journalOf(given: StatementInput): string[] {
  return statementJournal(figuresOf(calculateStatement(given), given)).lines
    .map((l) => `${l.account}${l.party === null ? '' : ` ${l.party}`} ${formatMinor(l.amount_minor)}`);
}

const E10 = input({
  agreements: [agreement({
    earnings: [earning(1, 1_100_077n), earning(2, 185_000n, 200_000n)],
    reserves: [{ id: 1, taken_minor: 24_000n, schedule_ppm: [500_000n, 500_000n], periods_since: 1 }],
    adjustments: [{ id: 1, amount_minor: -4_550n, against: '5000' }],
  })],
  advances: [{ id: 1, show_royaltor_id: 1, paid_on: '2026-01-05', unrecouped_minor: 500_000n }],
  wht_ppm: 300_000n,
  agent: { ppm: 100_000n, pays: 'split_payment' },
});

describe('E10, the quarter of domain.md 3.5', () => {
  test('30% withholding pays 4,533.16', () => {
    expect(calculateStatement(E10)).toMatchObject({
      earnings_minor: 1_285_077n, available_minor: 1_255_527n, net_minor: 755_527n, withholding_minor: 226_658n,
      agent_commission_minor: 75_553n, payment_minor: 453_316n, closing_balance_minor: 0n,
      closing_unrecouped_minor: 0n, closing_reserve_minor: 49_000n,
    });
  });
  test('the 10% treaty rate pays 6,044.21', () => {
    expect(calculateStatement({ ...E10, wht_ppm: 100_000n }).payment_minor).toBe(604_421n);
  });
  test('every step stands with its formula, every event balances', () => {
    const statement = calculateStatement(E10);
    expect(statement.steps.map((s) => [s.step, s.amount_minor])).toEqual([
      ['1', 0n], ['2', 1_285_077n], ['3', -37_000n], ['3b', 12_000n], ['4', -4_550n], ['5', 1_255_527n],
      ['6', -500_000n], ['7', 755_527n], ['8', 0n], ['9', 755_527n], ['9b', 0n], ['10', -226_658n], ['11', -75_553n],
      ['12', 453_316n], ['13', 0n], ['13b', 0n], ['13c', 49_000n],
    ]);
    expect(statement.steps.find((s) => s.step === '10')?.formula).toBe('30% of 7,555.27');
    expect(journalOf(E10)).toEqual([
      '2200 royaltor 370.00', '2205 royaltor (370.00)', '2205 royaltor 120.00', '2200 royaltor (120.00)',
      '5000 (45.50)', '2200 royaltor 45.50', '2200 royaltor 5,000.00', '1150 royaltor (5,000.00)',
      '2200 royaltor 755.53', '2200 agent (755.53)']);
  });
});

describe('single rules', () => {
  test('below the threshold nothing is paid and the reason is printed', () => {
    const s = calculateStatement(input({
      agreements: [agreement({ earnings: [earning(1, 9_999n)] })],
      min_payout: { agreement_minor: null, royaltor_minor: 10_000n, tier2_minor: 2_000n, tier2_months: [6, 12] },
    }));
    expect(s).toMatchObject({ payable: false, payment_minor: 0n, closing_balance_minor: 9_999n });
    expect(s.carried_reason).toBe('Carried forward: 99.99 is below the minimum payout of 100.00');
  });
  test('the second threshold counts in its months, the agreement\'s own always', () => {
    const two = { agreement_minor: null, royaltor_minor: 10_000n, tier2_minor: 2_000n, tier2_months: [6, 12] };
    expect(payoutThreshold(two, '2026-06-30')).toBe(2_000n);
    expect(payoutThreshold(two, '2026-09-30')).toBe(10_000n);
    expect(payoutThreshold({ ...two, agreement_minor: 500n }, '2026-06-30')).toBe(500n);
  });
  test('an unmet payment condition carries forward with its own words', () => {
    const conditions = [{ requires_show_royaltor_id: 2, met: false, explanation: 'Paid once Iolanthe has recouped.' }];
    const s = calculateStatement(input({ agreements: [agreement({ earnings: [earning(1, 1n)] })], conditions }));
    expect(s.carried_reason).toBe('Paid once Iolanthe has recouped.');
  });
  test('a reserve is taken per positive line only, rounded per line', () => {
    const lines = [earning(1, 333n, 100_000n), earning(2, 335n, 100_000n), earning(3, -500n, 100_000n)];
    const s = calculateStatement(input({ agreements: [agreement({ earnings: lines })] }));
    expect(s.reserves_taken).toEqual([{ show_royaltor_id: 1, amount_minor: 67n, release_parts: [34n, 33n] }]);
  });
  test('the minimum tops up once over its window and is never recouped', () => {
    const minimum = { minimum_minor: 100_000n, earned_before_minor: 20_000n, topped_up_before_minor: 0n };
    const s = calculateStatement(input({
      agreements: [agreement({ earnings: [earning(1, 30_000n)], minimum })],
      advances: [{ id: 1, show_royaltor_id: 1, paid_on: '2026-01-01', unrecouped_minor: 90_000n }],
    }));
    expect(s).toMatchObject({ top_up_minor: 50_000n, net_minor: 50_000n, closing_unrecouped_minor: 60_000n });
    expect(topUp({ ...minimum, topped_up_before_minor: 50_000n }, 30_000n)).toBe(0n);
  });
  test('VAT: self-billed is paid out, a reverse charge is not', () => {
    const agreements = [agreement({ earnings: [earning(1, 70_000n)] })];
    const self = calculateStatement(input({ agreements, vat: { kind: 'self_billed', rate_ppm: 200_000n } }));
    expect(self).toMatchObject({ vat_minor: 14_000n, payment_minor: 84_000n, closing_balance_minor: 0n });
    const reverse = calculateStatement(input({ agreements, vat: { kind: 'reverse_charge', rate_ppm: 200_000n } }));
    expect(reverse).toMatchObject({ vat_minor: 14_000n, vat_paid_minor: 0n, payment_minor: 70_000n });
    expect(journalOf(input({ agreements, vat: { kind: 'self_billed', rate_ppm: 200_000n } })))
      .toEqual(['1300 tax_authority 140.00', '2200 royaltor (140.00)']);
    expect(journalOf(input({ agreements, vat: { kind: 'reverse_charge', rate_ppm: 200_000n } })))
      .toEqual(['1300 tax_authority 140.00', '2300 tax_authority (140.00)']);
  });
  test('self-billing needs an agreement that is valid on the day', () => {
    const payee = {
      vat_status: 'registered', self_billing_from: '2026-01-01', self_billing_expires_on: '2026-12-31',
    } as const;
    expect(vatTreatment('UK', payee, 200_000n, '2026-12-31').kind).toBe('self_billed');
    expect(vatTreatment('UK', payee, 200_000n, '2027-01-01').kind).toBe('none');
    const foreign = { ...payee, vat_status: 'foreign_business' } as const;
    expect(vatTreatment('EU', foreign, 1n, '2027-01-01').kind).toBe('reverse_charge');
    expect(vatTreatment('US', payee, 1n, '2026-06-01').kind).toBe('none');
  });
  test('the agent gets at most what withholding leaves; all_to_agent posts no commission', () => {
    const rest = { ...input(), wht_ppm: 300_000n };
    expect(settle(1_000n, { ...rest, agent: { ppm: 900_000n, pays: 'split_payment' } })).toMatchObject({
      agent_commission_minor: 700n, payment_minor: 0n,
    });
    expect(settle(1_000n, { ...rest, agent: { ppm: 100_000n, pays: 'all_to_agent' } })).toMatchObject({
      agent_commission_minor: 0n, payment_minor: 700n, payee: 'agent',
    });
  });
  test('a rate that rose after issue never makes a payment negative', () => {
    expect(payStatement(1_000n, 0n, 900n, 300_000n)).toEqual({
      withholding_minor: 300n, payment_minor: 0n, closing_minor: -200n,
    });
  });
  test('a group recoups on the sum: own advance first, then the oldest; a debt lowers it', () => {
    const figures = [
      { show_royaltor_id: 1, available_minor: 100n, not_recoupable_minor: 0n },
      { show_royaltor_id: 2, available_minor: 50n, not_recoupable_minor: 10n },
      { show_royaltor_id: 3, available_minor: -20n, not_recoupable_minor: 0n },
    ];
    const advances = [
      { id: 8, show_royaltor_id: 3, paid_on: '2025-01-01', unrecouped_minor: 500n },
      { id: 9, show_royaltor_id: 1, paid_on: '2026-01-01', unrecouped_minor: 30n },
    ];
    expect(recoup(figures, advances)).toEqual([
      { advance_id: 9, show_royaltor_id: 1, from_show_royaltor_id: 1, amount_minor: 30n },
      { advance_id: 8, show_royaltor_id: 3, from_show_royaltor_id: 1, amount_minor: 70n },
      { advance_id: 8, show_royaltor_id: 3, from_show_royaltor_id: 2, amount_minor: 20n },
    ]);
  });
});

describe('withholding', () => {
  const rule = (id: number, own: Partial<WhtRule>): WhtRule => ({
    id, payer_division: 'US', payee_country: null, payee_kind: null, income_kind: null, form: null,
    rate_ppm: 300_000n, valid_from: '2020-01-01', valid_to: null, ...own,
  });
  const rules = [
    rule(1, {}), rule(2, { payee_country: 'US', form: 'w9', rate_ppm: 0n }),
    rule(3, { payee_country: 'US', form: 'none', rate_ppm: 240_000n }),
    rule(4, { payee_country: 'GB', form: 'w8ben', rate_ppm: 0n, valid_to: '2026-12-31' }),
    rule(5, { payee_country: 'GB', form: 'w8ben', rate_ppm: 50_000n, valid_from: '2027-01-01' }),
  ];
  const payee: WhtPayee = {
    residence_country: 'GB', kind: 'person', tax_form_type: 'w8ben', tax_form_expires_on: '2028-12-31', has_tin: true,
    author_by_profession: false, wht_override_ppm: null,
  };
  const rate = (own: Partial<WhtPayee>, on = '2026-11-01') => {
    const found = resolveWithholding(rules, { ...payee, ...own }, 'US', 'royalty', on);
    return found.found ? [found.rate_ppm, found.rule_id] : null;
  };
  test('the rule of the payment date', () => {
    expect(rate({})).toEqual([0n, 4]);
    expect(rate({}, '2027-01-01')).toEqual([50_000n, 5]);
    expect(rate({}, '2029-01-01')).toEqual([300_000n, 1]);
  });
  test('a US payee without a tax number has backup withholding', () => {
    expect(rate({ residence_country: 'US', tax_form_type: 'w9', tax_form_expires_on: null })).toEqual([0n, 2]);
    expect(rate({ residence_country: 'US', tax_form_type: 'w9', has_tin: false })).toEqual([240_000n, 3]);
  });
  test('an author by profession without a form counts as one without a form where no rule speaks of authors', () => {
    const author = { tax_form_type: 'w9', has_tin: false, author_by_profession: true } as const;
    expect(rate({ ...author, residence_country: 'US' })).toEqual([240_000n, 3]);
    const uk = [rule(6, { payer_division: 'UK', rate_ppm: 200_000n }), rule(7, { payer_division: 'UK', form: 'none',
      rate_ppm: 200_000n }), rule(8, { payer_division: 'UK', form: 'author_by_profession', rate_ppm: 0n })];
    expect(resolveWithholding(uk, { ...payee, ...author, residence_country: 'FR' }, 'UK', 'royalty', '2026-11-01'))
      .toEqual({ found: true, rate_ppm: 0n, rule_id: 8, reason: '0%: FR person, Author by profession' });
  });
  test('an agreed treaty rate holds while the form does; no rule means not found', () => {
    expect(rate({ wht_override_ppm: 70_000n })).toEqual([70_000n, null]);
    expect(rate({ wht_override_ppm: 70_000n }, '2029-01-01')).toEqual([300_000n, 1]);
    expect(resolveWithholding(rules, payee, 'UK', 'royalty', '2026-01-01').found).toBe(false);
  });
  test('the form that counts', () => {
    expect(effectiveForm({ ...payee, tax_form_type: 'none', author_by_profession: true }, '2026-01-01'))
      .toBe('author_by_profession');
    expect(w8benExpiry('2026-03-04')).toBe('2029-12-31');
  });
});

const amount = fc.bigInt(-500_000n, 2_000_000n);
const ppm = fc.bigInt(0n, 1_000_000n);
const anyAgreement = (id: number) => fc.record({
  show_royaltor_id: fc.constant(id), opening_balance_minor: amount, reserve_schedule_ppm: fc.constant([1n, 2n, 4n]),
  earnings: fc.array(fc.tuple(amount, ppm, fc.boolean()), { maxLength: 5 })
    .map((rows) => rows.map(([a, r, rec], i) => earning(i, a, r, rec))),
  reserves: fc.array(fc.tuple(fc.bigInt(1n, 90_000n), fc.integer({ min: 1, max: 4 })), { maxLength: 3 })
    .map((rows) => rows.map(([taken_minor, periods_since], i) =>
      ({ id: i, taken_minor, schedule_ppm: [400_000n, 600_000n], periods_since }))),
  adjustments: fc.array(amount, { maxLength: 2 })
    .map((rows) => rows.map((amount_minor, id2) => ({ id: id2, amount_minor, against: '5000' as const }))),
  minimum: fc.option(fc.record({
    minimum_minor: fc.bigInt(0n, 900_000n), earned_before_minor: amount, topped_up_before_minor: fc.constant(0n),
  })),
});
const anyInput: fc.Arbitrary<StatementInput> = fc.record({
  period_end: fc.constant('2026-06-30'), agreements: fc.tuple(anyAgreement(1), anyAgreement(2)),
  advances: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.bigInt(0n, 600_000n)), { maxLength: 4 })
    .map((rows) => rows.map(([show_royaltor_id, unrecouped_minor], id) =>
      ({ id, show_royaltor_id, paid_on: '2026-01-01', unrecouped_minor }))),
  conditions: fc.constant([]),
  min_payout: fc.constant({ agreement_minor: 1_000n, royaltor_minor: 0n, tier2_minor: null, tier2_months: [] }),
  vat: fc.constantFrom({ kind: 'none' as const }, { kind: 'self_billed' as const, rate_ppm: 200_000n },
    { kind: 'reverse_charge' as const, rate_ppm: 200_000n }),
  wht_ppm: ppm,
  agent: fc.option(fc.record({ ppm, pays: fc.constantFrom('split_payment' as const, 'all_to_agent' as const) })),
});

describe('properties over 500 statements each', () => {
  test('I4 and I3: the statement closes, advances are recouped or still open', () => {
    fc.assert(fc.property(anyInput, (given) => {
      const s = calculateStatement(given);
      const recouped = sum(s.recoupments.map((r) => r.amount_minor));
      const reserves = sum(s.reserves_released.map((r) => r.amount_minor))
        - sum(s.reserves_taken.map((r) => r.amount_minor));
      expect(s.opening_minor + s.earnings_minor + reserves + s.adjustments_minor - recouped + s.top_up_minor
        + s.vat_paid_minor - s.payment_minor - s.withholding_minor - s.agent_commission_minor)
        .toBe(s.closing_balance_minor);
      expect(recouped + s.closing_unrecouped_minor).toBe(sum(given.advances.map((a) => a.unrecouped_minor)));
      expect(recouped >= 0n && s.payment_minor >= 0n && s.closing_unrecouped_minor >= 0n).toBe(true);
    }), { numRuns: runsOf(500) });
  });
  test('I11: 2200 after issue is the closing balance and the payment of the royaltor; all else balances', () => {
    fc.assert(fc.property(anyInput, (given) => {
      const s = calculateStatement(given);
      const { lines, carried_minor } = statementJournal(figuresOf(s, given));
      const moved = sum(lines.filter((l) => l.account === '2200' && l.party === 'royaltor').map((l) => l.amount_minor));
      expect(s.opening_minor + s.earnings_minor - moved)
        .toBe(s.closing_balance_minor + s.payment_minor + s.withholding_minor);
      expect(sum(lines.map((l) => l.functional_minor))).toBe(0n);
      // In the division's own currency nothing is ever realised, and 2200 is carried at itself.
      expect(lines.some((l) => l.account === '7000')).toBe(false);
      expect(carried_minor).toBe(s.closing_balance_minor + s.payment_minor + s.withholding_minor);
    }), { numRuns: runsOf(500) });
  });
  test('I5: what is reserved comes back whole over its schedule', () => {
    fc.assert(fc.property(fc.bigInt(1n, 900_000n), (taken_minor) => {
      const schedule_ppm = [333_333n, 333_333n, 333_334n];
      let released = 0n;
      for (const periods_since of [1, 2, 3, 4]) {
        const reserves = [{ id: 1, taken_minor, schedule_ppm, periods_since }];
        const s = calculateStatement(input({ agreements: [agreement({ reserves })] }));
        released += sum(s.reserves_released.map((r) => r.amount_minor));
        expect(released + s.closing_reserve_minor).toBe(taken_minor);
      }
      expect(released).toBe(taken_minor);
    }));
  });
});
