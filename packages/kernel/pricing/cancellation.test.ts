import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autoOffer, type AutoOfferInput } from './auto-offer.ts';
import { cancellation, DEFAULT_CANCELLATION, type CancellationInput } from './cancellation.ts';
import { recomputeTrace } from './trace.ts';

const base: CancellationInput = {
  policy: DEFAULT_CANCELLATION, stage: 'before_shipment', royalty_minor: 591_000n, materials_minor: 82_000n,
  professional_advance_minor: 0n, min_per_performance_minor: 9_500n, cancelled_performances: 6, reported_in_time: true,
  force_majeure: false,
};
const at = (more: Partial<CancellationInput>) => {
  const r = cancellation({ ...base, ...more });
  return [r.royalty_refund_minor, r.materials_refund_minor];
};

describe('cancellation (2.9)', () => {
  it('before shipment everything, after it the royalty only, or less a policy part', () => {
    expect(at({})).toEqual([591_000n, 82_000n]);
    expect(at({ stage: 'after_shipment' })).toEqual([591_000n, 0n]);
    expect(at({ policy: { royalty_kept_ppm: 250_000n, liquidated_damages: false } })).toEqual([443_250n, 82_000n]);
  });

  it('in the run the unit fee when reported in time, later nothing', () => {
    const one = { stage: 'in_run', royalty_minor: 98_500n, materials_minor: 0n, cancelled_performances: 1 } as const;
    expect(at(one)).toEqual([98_500n, 0n]);
    expect(at({ ...one, reported_in_time: false })).toEqual([0n, 0n]);
  });

  it('liquidated damages keep the minimum of every cancelled performance, at most what was charged', () => {
    const policy = { royalty_kept_ppm: 0n, liquidated_damages: true };
    expect(at({ policy })).toEqual([534_000n, 82_000n]);
    expect(at({ policy, royalty_minor: 50_000n })).toEqual([0n, 82_000n]);
  });

  it('force majeure waives all of it, a professional advance is never refunded', () => {
    expect(at({ stage: 'after_shipment', force_majeure: true, policy: { royalty_kept_ppm: 500_000n,
      liquidated_damages: true } })).toEqual([591_000n, 82_000n]);
    expect(at({ force_majeure: true, professional_advance_minor: 200_000n })).toEqual([391_000n, 82_000n]);
  });

  it('refund and kept are what was charged, and the trace comes out again (property)', () => {
    const money = fc.bigInt({ min: 0n, max: 900_000n });
    fc.assert(fc.property(money, money, money, fc.bigInt({ min: 0n, max: 1_000_000n }), fc.boolean(),
      fc.constantFrom('before_shipment', 'after_shipment', 'in_run'), (royalty_minor, materials_minor,
        professional_advance_minor, royalty_kept_ppm, liquidated_damages, stage) => {
        const r = cancellation({ ...base, royalty_minor, materials_minor, professional_advance_minor, stage,
          policy: { royalty_kept_ppm, liquidated_damages } });
        expect(r.refund_minor + r.kept_minor).toBe(royalty_minor + materials_minor);
        expect(r.royalty_refund_minor >= 0n && r.royalty_kept_minor >= 0n).toBe(true);
        expect(recomputeTrace(r.trace)).toEqual([]);
      }));
  });
});

const good: AutoOfferInput = {
  today: '2026-01-01', customer_active: true, customer_in_arrears: false, category: 'Amateur', availability: 'clear',
  rate_card: { status: 'approved', fee_method: 'percent_potential' }, performances: 30, capacity: 3_000,
  total_minor: 1_000_000n, first_performance_on: '2026-02-12', needs_streaming_or_video: false,
  limits: { total_minor: 1_000_000n, performances: 30, capacity: 3_000, days_ahead: 42 },
};

describe('automatic offer (2.11)', () => {
  it('goes out when every rule holds, limits included', () => {
    expect(autoOffer(good).offers_at_once).toBe(true);
  });

  it.each<[string, Partial<AutoOfferInput>]>([
    ['customer_active', { customer_active: false }], ['no_arrears', { customer_in_arrears: true }],
    ['amateur', { category: 'Pro' }], ['availability_clear', { availability: 'needs_clearance' }],
    ['rate_card_approved', { rate_card: { status: 'draft', fee_method: 'flat' } }],
    ['rate_card_approved', { rate_card: null }],
    ['not_negotiated', { rate_card: { status: 'approved', fee_method: 'negotiated' } }],
    ['performances', { performances: 31 }], ['capacity', { capacity: 3_001 }],
    ['total_limit', { total_minor: 1_000_001n }], ['total_limit', { limits: { ...good.limits, total_minor: null } }],
    ['performances', { limits: { ...good.limits, performances: 29 } }],
    ['capacity', { limits: { ...good.limits, capacity: 2_999 } }],
    ['days_ahead', { limits: { ...good.limits, days_ahead: 43 } }],
    ['days_ahead', { first_performance_on: '2026-02-11' }], ['no_extra_rights', { needs_streaming_or_video: true }],
  ])('%s fails alone and says why', (rule, change) => {
    const answer = autoOffer({ ...good, ...change });
    expect(answer.offers_at_once).toBe(false);
    const failed = answer.rules.filter((item) => !item.holds);
    expect(failed.map((item) => item.rule)).toEqual([rule]);
    expect(failed[0]!.reason).toMatch(/^[A-Z].*\.$/);
    expect(failed[0]!.for_customer).toMatch(/^[A-Z].*\b(you|your|yours|we)\b.*\.$|^We .*\.$/);
    expect(failed[0]!.for_customer).not.toMatch(/the customer|\d|rate card|switched/i);
  });
});
