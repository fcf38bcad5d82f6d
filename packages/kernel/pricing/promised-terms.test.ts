/** Terms promised in writing: stories 1 to 3, and the rows a reader adds up again. */
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar/calendar.ts';
import { input, row, terms, venue } from './fixtures.ts';
import { priceRows, type PriceBlock } from './price-rows.ts';
import type { PriceInput, PriceResult } from './price-types.ts';
import { price } from './price.ts';
import { billedBasis, promiseFacts, promiseHeadline, promiseSentences, rateWords } from './promise-words.ts';
import { promisedTerms, type PromiseInput } from './promised-terms.ts';
import { NO_RATE_TERMS, type RateTerms } from './rate-card.ts';
import { toJson, traceFromJson } from './trace.ts';

const blocksOf = (result: PriceResult): PriceBlock[] => priceRows(result.lines, traceFromJson(toJson(result.trace)));
const printed = (block: PriceBlock) => block.rows.map((one) =>
  [one.label, one.quantity, one.unit_minor === null ? null : Number(one.unit_minor), Number(one.amount_minor)]);

/** Every amount re-added as a reader with a calculator does. */
function readd(result: PriceResult): void {
  const blocks = blocksOf(result);
  for (const block of blocks) {
    for (const one of block.rows) {
      if (one.quantity !== null) expect(BigInt(one.quantity) * one.unit_minor!).toBe(one.amount_minor);
    }
    expect(block.rows.reduce((all, one) => all + one.amount_minor, 0n)).toBe(block.net_minor);
  }
  expect(blocks.reduce((all, block) => all + block.net_minor, 0n)).toBe(result.totals.net_minor);
  expect(result.totals.net_minor + result.totals.tax_minor).toBe(result.totals.total_minor);
}

const HALL = [row(370, 1_200n)];
const discount = { kind: 'percent', ppm: 150_000n, reason: 'First production', approved_by: 'a' } as const;

describe('the rows of a price', () => {
  it('say performances × fee, then the minimum, then the discount, then the subtotal', () => {
    const result = price(input({ fee_method: 'flat', performance_tiers: [{ from_n: 1, amount_minor: 30_000n }],
      min_per_run_minor: 150_000n }, [venue(HALL, 4)], { discount }));
    expect(blocksOf(result).map(printed)).toEqual([[['Performances', 4, 30_000, 120_000],
      ['Minimum guarantee', null, null, 30_000], ['Discount 15%', null, null, -22_500]]]);
    expect(blocksOf(result)[0]).toMatchObject({ label: 'Royalty, Town Hall', net_minor: 127_500n });
    readd(result);
  });

  it('never print three performances of one price that come to that price', () => {
    const result = price(input({ fee_method: 'percent_potential', rate_ppm: 125_000n, round_up_to_minor: 500n },
      [venue([row(96, 1_200n)], 3)], { discount }));
    const [[performances]] = blocksOf(result).map(printed) as [[[string, number, number, number]]];
    expect(performances[1] * performances[2]).toBe(performances[3]);
    readd(result);
  });

  it.each<[string, Partial<RateTerms>, Partial<PriceInput>]>([
    ['a weekly minimum', { fee_method: 'flat', performance_tiers: [{ from_n: 1, amount_minor: 1_000n }],
      min_per_week_minor: 50_000n }, {}],
    ['one amount for the run', { fee_method: 'flat_run', flat_run_minor: 100_001n }, {}],
    ['one amount for the run below its minimum', { fee_method: 'flat_run', flat_run_minor: 100_001n,
      min_per_run_minor: 120_000n }, {}],
    ['the step of the run', { rate_ppm: 101_234n, round_up_scope: 'run', round_up_to_minor: 1_000n }, {}],
    ['the minimum of all performances', { rate_ppm: 1_000n, round_up_scope: 'run', round_up_to_minor: 1_000n,
      min_per_performance_minor: 12_345n }, {}],
    ['performances missing to the agreed number', { fee_method: 'flat', min_performances: 9,
      performance_tiers: [{ from_n: 1, amount_minor: 9_000n }, { from_n: 3, amount_minor: 7_500n }] }, {}],
    ['an advance above the minimums', { fee_method: 'percent_actual', rate_ppm: 110_000n,
      min_per_performance_minor: 1_000n, advance_minor: 200_000n }, {}],
    ['a discount as an amount', { rate_ppm: 125_000n },
      { discount: { kind: 'amount', amount_minor: 10_001n, reason: 'x', approved_by: '' } }],
  ])('add up for two houses with %s, with and without a discount', (_, rate, more) => {
    for (const extra of [{}, { discount }, more]) {
      const result = price(input(rate, [venue(HALL, 4), venue([row(99, 1_250n)], 3, { id: 2, name: 'Barn' })], extra));
      expect(blocksOf(result)).toHaveLength(2);
      // Every block says what it is made of, none only what it comes to.
      expect(blocksOf(result).flatMap((block) => block.rows).some((one) => one.kind === 'item')).toBe(false);
      readd(result);
    }
  });

  it('of two houses of one name do not mix', () => {
    const result = price(input({ rate_ppm: 125_000n }, [venue(HALL, 4), venue([row(99, 1_250n)], 3, { id: 2 })]));
    expect(blocksOf(result).flatMap((block) => block.rows.map((one) => one.quantity))).toEqual([4, 3]);
  });

  it('are read from older traces, which do not name the venue, as far as they tell it', () => {
    const result = price(input({ fee_method: 'flat', performance_tiers: [{ from_n: 1, amount_minor: 30_000n }],
      min_per_run_minor: 150_000n }, [venue(HALL, 4)], { discount }));
    const older = result.trace.filter((step) => !step.rule_id.startsWith('part.')).map((step) => ({ ...step,
      inputs: Object.fromEntries(Object.entries(step.inputs).filter(([name]) => name !== 'venue_id')) }));
    expect(priceRows(result.lines, older).map(printed)).toEqual(blocksOf(result).map(printed));
  });

  it('tell a line as it is where no trace explains it', () => {
    expect(priceRows([{ kind: 'royalty', label: 'Royalty, Town Hall', venue_id: 1, quantity: 3, unit_minor: 117_300n,
      net_minor: 117_300n, tax_minor: 0n }], []).map(printed))
      .toEqual([[['Royalty, Town Hall', null, null, 117_300]]]);
  });
});

const NONE: PromiseInput = { terms: NO_RATE_TERMS, true_up: 'none',
  minimum_counts_toward_advance: true, week_start: 1, venues: [], ticket_tax_ppm: new Map(),
  quoted_royalty_minor: 0n, advance_minor: 0n, deposit: null, plan: [], report_frequency: 'run', report_due_days: 7,
  payment_days: 0 };

/** St Bede's: six nights whose whole gross of 16,008.00 is 70% of the potential: 381,142.857 a night. */
const stBede: PromiseInput = { ...NONE,
  terms: terms({ fee_method: 'percent_actual', rate_ppm: 150_000n, min_per_performance_minor: 8_000n }),
  venues: [venue([row(300, 1_270n), row(1, 400n)], 6)], deposit: { kind: 'on_account', amount_minor: 50_000n },
  plan: [{ due_event: 'acceptance', amount_minor: 50_000n, line_kinds: ['royalty'] },
    { due_event: 'report', amount_minor: 7_600n, line_kinds: ['royalty'] }] };

const calder: PromiseInput = { ...NONE,
  terms: terms({ fee_method: 'percent_actual', rate_ppm: 110_000n, guarantee_scope: 'week', min_per_week_minor: 50_000n,
    advance_minor: 200_000n, box_office_deductions: [{ type: 'card_commission', cap_ppm: 30_000n },
      { type: 'group_sales_commission', cap_ppm: null }] }),
  venues: [venue([row(900, 6_000n)], 8, { performances: Array.from({ length: 8 }, (_, k) => {
    const local_date = addDays('2027-03-02', Math.floor(k * 3 / 4));
    return { id: k + 1, starts_at: `${local_date}T${k % 2 ? '19' : '14'}:00:00Z`, local_date, is_free: false,
      status: 'planned' };
  }) })],
  advance_minor: 200_000n, report_frequency: 'week', payment_days: 14,
  plan: [{ due_event: 'acceptance', amount_minor: 200_000n, line_kinds: ['advance'] },
    { due_event: 'shipment', amount_minor: 65_000n, line_kinds: ['rental'] }] };

describe('the promised terms', () => {
  it('of a fixed price are none: the price is the whole price (story 1)', () => {
    expect(promisedTerms({ ...NONE, terms: terms({ fee_method: 'percent_potential', rate_ppm: 125_000n }),
      venues: [venue(HALL, 4)] })).toBeNull();
    expect(promisedTerms({ ...NONE, terms: terms({ fee_method: 'flat' }) })).toBeNull();
  });

  it('ask for no more on account than the plan does, and for all of it where no price is fixed', () => {
    const small = promisedTerms({ ...stBede, plan: [{ due_event: 'acceptance', amount_minor: 47_970n,
      line_kinds: ['royalty'] }] })!;
    expect(small).toMatchObject({ on_account_minor: 47_970, now_minor: 47_970 });
    expect(promiseFacts(small, { language: 'en-GB', currency: 'EUR' })).toContainEqual(['Advance and deposits',
      'EUR 479.70 on account, tax included, credited against royalties']);
    expect(promisedTerms({ ...stBede, plan: [] })).toMatchObject({ on_account_minor: 50_000, now_minor: 50_000 });
  });

  it('of St Bede’s: 15%, at least 80.00 per performance, 500.00 now, with an example (story 2)', () => {
    const promise = promisedTerms(stBede)!;
    const style = { language: 'en-GB', currency: 'GBP' } as const;
    expect(promise).toMatchObject({ kind: 'actuals', rate_ppm: 150_000, min_per_performance_minor: 8_000,
      on_account_minor: 50_000, now_minor: 50_000, later: [] });
    expect(promiseHeadline(promise, style)).toBe('GBP 500.00 on signing, plus 15% of gross');
    expect(promiseFacts(promise, style)).toEqual([
      ['Royalty', '15% of gross'],
      ['Gross', 'all receipts from ticket sales for the performances; no deductions'],
      ['Minimum', 'GBP 80.00 per performance, applied to the run as a whole'],
      ['Advance and deposits', 'GBP 500.00 on account, tax included, credited against royalties'],
      ['Box-office returns', 'once for the run, within 7 days of the last performance'],
      ['Payment', 'royalties are invoiced when a report is accepted and are due on receipt of the invoice'],
      ['Example', 'at 70% of your potential (GBP 16,018.80): about GBP 2,402.82 in royalties before tax, of which '
        + 'GBP 500.00 is paid on signing'],
    ]);
  });

  it('of a registered house leave the VAT in the tickets out of the gross', () => {
    const promise = promisedTerms({ ...stBede, ticket_tax_ppm: new Map([[1, 200_000n]]) })!;
    expect(promise.sample).toEqual({ share_ppm: 700_000, gross_minor: 1_601_880, base_minor: 1_334_898,
      deducted_minor: 0, royalty_minor: 200_235 });
    expect(promiseSentences(promise, { language: 'en-GB', currency: 'GBP' })[1]).toContain('excluding VAT');
  });

  it('of Calder’s tour: 11%, 500.00 a week, an advance of 2,000.00, deductions with their caps (story 3)', () => {
    const promise = promisedTerms(calder)!;
    const style = { language: 'en-US', currency: 'USD' } as const;
    expect(promiseHeadline({ ...promise, later: [] }, style)).toBe('USD 2,000.00 on signing, plus 11% of gross');
    expect(promiseHeadline(promise, style))
      .toBe('USD 2,000.00 on signing, USD 650.00 at shipment, plus 11% of gross');
    const facts = new Map(promiseFacts(promise, style));
    expect(facts.get('Gross')).toBe('all receipts from ticket sales for the performances; the only deductions are '
      + 'card commissions up to 3% of the reported gross and group sales commissions');
    expect(facts.get('Minimum')).toBe('USD 500.00 per week, applied week by week');
    expect(facts.get('Advance and deposits'))
      .toBe('An advance of USD 2,000.00, credited against royalties as they are earned, not refundable');
    expect(facts.get('Box-office reports')).toBe('weekly, within 7 days of the end of the week');
    // Eight shows of 54,000.00, 70% of it, less 3% of it, 11%: in one week from Tuesday to Sunday.
    expect(promise.sample).toMatchObject({ gross_minor: 30_240_000, deducted_minor: 907_200, base_minor: 29_332_800,
      royalty_minor: 3_226_608 });
    expect(facts.get('Example')).toBe('at 70% of your potential (USD 302,400.00), less USD 9,072.00 of deductions: '
      + 'about USD 32,266.08 in royalties before tax, of which USD 2,000.00 is paid on signing; '
      + 'group sales commissions are not taken off in this example');
    // An offer made before says what it said.
    const { deducted_minor: _deducted, ...former } = promise.sample!;
    expect(new Map(promiseFacts({ ...promise, sample: former }, style)).get('Example')).not.toContain('deductions');
  });

  it('move with seats and prices, and fall to the minimum of each week', () => {
    const empty = promisedTerms({ ...calder, venues: [venue([row(10, 500n)], 8, {
      performances: calder.venues[0]!.performances })] })!;
    expect(empty.sample).toMatchObject({ gross_minor: 28_000, royalty_minor: 50_000 });
  });

  it('of a settlement say which way it goes', () => {
    const promise = promisedTerms({ ...NONE, true_up: 'down_only', quoted_royalty_minor: 100_000n,
      terms: terms({ fee_method: 'percent_potential', rate_ppm: 100_000n }), venues: [venue(HALL, 4)],
      plan: [{ due_event: 'execution', amount_minor: 100_000n, line_kinds: ['royalty'] }] })!;
    expect(promiseHeadline(promise, { language: 'en-US', currency: 'USD' }))
      .toBe('USD 1,000.00 on signing, settled at 10% of gross after the run');
    expect(promiseFacts(promise, { language: 'en-US', currency: 'USD' })[0]![1])
      .toBe('10% of gross; if it comes to less than the royalty quoted, the difference is credited');
    expect(promise.sample!.royalty_minor).toBe(100_000);
  });

  it('of steps name each', () => {
    const promise = promisedTerms({ ...calder, terms: terms({ fee_method: 'percent_actual', rate_ppm: 80_000n,
      guarantee_scope: 'week', gross_tiers: [{ from_gross_minor: 2_000_000n, rate_ppm: 100_000n,
        mode: 'marginal' }] }) });
    expect(rateWords(promise!)).toBe('8% to 10% of gross');
    expect(promiseFacts(promise!, { language: 'en-US', currency: 'USD' })[0]![1])
      .toBe('8% of gross; above a gross of 20,000.00, 10%, measured by the gross of the run to date');
  });
});

describe('the line of a royalty invoice', () => {
  const basis = { stepped: false, corrects: false, recouped_minor: 0n };
  it('says gross, base, rate, minimum and advance (stories 2 and 3)', () => {
    expect(billedBasis({ ...basis, gross_minor: 1_600_800n, base_minor: 1_600_800n, rate_ppm: 150_000n,
      percentage_minor: 240_120n, minimum_minor: 48_000n }))
      .toBe('gross 16,008.00, base 16,008.00, 15% is 2,401.20, minimum 480.00');
    expect(billedBasis({ ...basis, gross_minor: 1_500_025n, base_minor: 1_455_024n, rate_ppm: 110_000n,
      percentage_minor: 160_053n, minimum_minor: 50_000n, recouped_minor: 33_910n }))
      .toBe('gross 15,000.25, base 14,550.24, 11% is 1,600.53, minimum 500.00, advance recouped 339.10');
  });

  it('says that it is a difference, and that the rate goes by steps', () => {
    expect(billedBasis({ stepped: true, corrects: true, gross_minor: 100n, base_minor: 100n, rate_ppm: 80_000n,
      percentage_minor: 8n, minimum_minor: 0n, recouped_minor: 0n }))
      .toBe('gross 1.00, base 1.00, stepped percentage is 0.08, less amounts billed earlier');
  });
});
