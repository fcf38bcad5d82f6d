/** Logic of the license's screens themselves: actions of a phase, the phase line, sums, months, changes. */
import { describe, expect, it } from 'vitest';
import { LICENSE_MACHINE } from '#kernel/licensing/license-machine.ts';
import { changesOf, shifted } from '../amendments/amendment-draft.web.ts';
import { billingWords } from '../amendments/amendment-words.web.ts';
import { chargesMissing, chargesOf, type ChargesDraft } from './pricing/charges-draft.web.ts';
import { monthOf, monthWeeks, stepMonth } from '../bookings/month.web.ts';
import { draftFor, gridTotals, missingIn, performancesOf, reportBody,
  withGridRow } from '../box-office/report-draft.web.ts';
import type { PerformanceRow } from './performances/performance.contract.ts';
import { formulaOf, priceStats, traceSteps } from './pricing/price-trace.web.ts';
import { clockWords, dueWords, runWords } from '../words.web.ts';
import { headerEvents } from './phase/license-events.web.ts';
import { productionViews } from './production-list.web.tsx';
import type { PhaseAnswer } from './license.contract.ts';

type Answer = PhaseAnswer['events'][number];
const answers = (unmet: Record<string, string> = {}): Answer[] =>
  Object.keys(LICENSE_MACHINE.event_labels).map((event) => ({
  event, label: event, to: null, automatic: false, allowed: unmet[event] === undefined, reason: null,
  unmet: unmet[event] === undefined ? [] : [{ guard: 'g', message: unmet[event] }],
}));

describe('actions of the head', () => {
  it('a draft without a price is priced first, then sent', () => {
    expect(headerEvents({ phase: 'draft', priced_at: null }, answers()).primary?.label).toBe('Price');
    const priced = headerEvents({ phase: 'draft', priced_at: '2026-11-20T10:00:00Z' }, answers());
    expect(priced.primary?.event).toBe('send_offer');
    expect(priced.others.map((one) => one.event)).toEqual(['price', 'cancel']);
  });

  it.each([['sent', 'sign'], ['accepted', 'execute'], ['licensed', 'amend'], ['in_production', 'amend'],
    ['settlement', 'close'], ['expired', 'reopen'], ['declined', 'reopen']] as const)('%s offers %s', (phase,
      event) => {
    expect(headerEvents({ phase, priced_at: 'x' }, answers()).primary?.event).toBe(event);
  });

  it('offers only what leaves the phase, never what the clock does, and says why it is held', () => {
    const { primary, others } = headerEvents({ phase: 'accepted', priced_at: 'x' }, answers({ execute: 'Not paid.' }));
    expect(primary).toMatchObject({ event: 'execute', reason: 'Not paid.' });
    expect(others.map((one) => one.event).sort()).toEqual(['cancel', 'void_signature']);
  });

  it('a cancelled licence offers nothing', () => {
    expect(headerEvents({ phase: 'cancelled', priced_at: 'x' }, answers())).toEqual({ primary: null, others: [] });
  });
});

describe('how this was calculated', () => {
  const step = (stage: string, label: string, formula: string, result_minor: number) =>
    ({ step: stage, rule_id: 'r', label, formula, result_minor });

  it('gathers charges and taxes wherever they stand, carries the others, leaves the total to the foot', () => {
    const steps = traceSteps([
      step('unit_fee', 'Hall: rate', '7,850.00 × 12.5% = 981.25', 98_125), step('unit_fee', 'Hall: step', '= 985.00',
        98_500),
      step('royalty', 'Hall', '985.00 × 6 = 5,910.00', 591_000), step('tax', 'Royalty', '5,910.00 × 1% = 59.10',
        5_910),
      step('charge', 'Scripts', '10.00 × 2 = 20.00', 2_000), step('tax', 'Scripts', '20.00 × 5% = 1.00', 100),
      step('total', 'Sum with tax', '= 5,990.10', 599_010)]);
    expect(steps.map((one) => [one.title, one.minor])).toEqual([['Fee per performance', 98_500], ['Royalty', 591_000],
      ['Tax', 6_010], ['Rental and add-ons', 2_000]]);
  });

  it('names the place of a rule in words, never by its key', () => {
    const sourceOf = (rule_id: string) =>
      traceSteps([{ ...step('unit_fee', 'Hall', '= 1.00', 100), rule_id }])[0]!.source;
    expect(['rate_card:1.gross_basis', 'license:9', 'terms.discount', 'tax_rate:7'].map(sourceOf))
      .toEqual(['Rate card', 'Agreed terms', 'Agreed terms', undefined]);
  });

  it('a formula stands without its result', () => {
    expect(formulaOf({ formula: '7,850.00 × 12.5% = 981.25' })).toBe('7,850.00 × 12.5%');
  });

  it('the strip adds up to the total', () => {
    const stats = priceStats([{ kind: 'royalty', net_minor: 597_000 }, { kind: 'rental', net_minor: 82_000 }],
      { tax_minor: 11_493, deposit_minor: 40_000, total_minor: 690_493 }, 'Total USD');
    expect(stats.map((stat) => `${stat.sign ?? ''}${stat.label} ${String(stat.value)}`)).toEqual(['Royalty 5,970.00',
      '+Rental 820.00', '+Tax 114.93', '=Total USD 6,904.93', 'Refundable deposit 400.00']);
  });
});

const performance = (id: number, local_date: string, more: Partial<PerformanceRow> = {}): PerformanceRow => ({
  id, license_id: 1, license_venue_id: 5, venue_name: 'Hall', ordinal: id, starts_at: `${local_date}T19:30:00Z`,
    local_date,
  local_time: '19:30:00', type: 'public', is_free: false, status: 'planned', expected_attendance: null,
    unit_fee_minor: null,
  fee_rule: null, currency: 'USD', cancel_reason: null, version: 1, ...more,
});

describe('a box-office report while it is typed', () => {
  const run = [performance(1, '2027-02-11'), performance(2, '2027-02-12'), performance(3, '2027-02-13',
    { status: 'cancelled' })];

  it('a week holds the performances of its days that were not cancelled, and sums their takings', () => {
    const empty = { ...draftFor(null, run), scope: 'week' as const, performance_id: null, from: '2027-02-08',
      to: '2027-02-14' };
    const shown = performancesOf(empty, run);
    expect(shown.map((row) => row.id)).toEqual([1, 2]);
    expect(missingIn(empty, shown)).toBe('Enter the gross receipts of every performance');
    const typed = withGridRow(withGridRow(empty, 1, { gross: 540_000, seats: 310 }), 2, { gross: 60_000, seats: 40,
      comps: 4 });
    expect(gridTotals(typed, shown)).toEqual({ seats: 350, comps: 4, gross: 600_000 });
    expect(reportBody(typed, shown, 'USD')).toMatchObject({ gross_minor: 600_000, performances_held: 2,
      performance_id: null,
      rows: [{ performance_id: 1, gross_minor: 540_000 }, { performance_id: 2, comps: 4 }] });
  });

  it('a total alone carries no rows', () => {
    const draft = { ...draftFor(null, run), by_performance: false, gross: 99_900, held: 1 };
    expect(reportBody(draft, performancesOf(draft, run), 'USD')).toMatchObject({ gross_minor: 99_900, rows: [],
      performances_held: 1 });
  });
});

describe('an amendment while it is typed', () => {
  const rows = [performance(1, '2027-02-11'), performance(2, '2027-02-12')];
  const same = rows.map((row) => ({ key: `p${row.id}`, id: row.id, venueId: 5, date: row.local_date, time: '19:30',
    cancel: false }));

  it('names only what differs', () => {
    expect(changesOf(same, rows)).toBeNull();
    expect(changesOf([{ ...same[0]!, date: '2027-02-18' }, { ...same[1]!, cancel: true },
      { key: 'n', id: null, venueId: 5, date: '2027-02-20', time: '14:00', cancel: false }],
        rows)).toEqual({ performances: [
      { id: 1, local_date: '2027-02-18', local_time: '19:30' }, { id: 2, cancel: true },
      { license_venue_id: 5, local_date: '2027-02-20', local_time: '14:00' }] });
  });
});

describe('a run that moves as a whole', () => {
  it('keeps the days between its performances, over the end of a year; a new one without a day stays', () => {
    const drafts = ['2026-12-30', '2027-01-02', null].map((date, index) => ({ key: `p${index}`, id: index, venueId: 5,
      date, time: '19:30', cancel: false }));
    expect(shifted(drafts, '2027-01-06').map((draft) => draft.date)).toEqual(['2027-01-06', '2027-01-09', null]);
    expect(shifted(drafts, null)).toBe(drafts);
  });
});

describe('what an amendment does to money, in words', () => {
  it('names invoice, credit note and instalments, and nothing that does not happen', () => {
    expect(billingWords({ invoice_minor: 98_500, credit_minor: 0, planned_minor: -5_000 }, 'USD')).toEqual([
      'An invoice for USD 985.00 is issued at once.',
      'USD 50.00 is taken off installments that are not billed yet.']);
    expect(billingWords({ invoice_minor: 0, credit_minor: 0, planned_minor: 0 }, 'USD')).toEqual([]);
    expect(billingWords({ invoice_minor: 0, credit_minor: 100, planned_minor: 0 }, 'GBP')[0])
      .toContain('until it is used or refunded');
  });
});

describe('charges while they are chosen', () => {
  const draft = (more: Partial<ChargesDraft> = {}): ChargesDraft => ({ with_package: true, extra_periods: 2,
    add_ons: new Map([[7, 1]]), fees: [{ key: 'a', description: ' Rush ', amount_minor: 500 }], reason: 'Asked for',
    ...more });

  it('send what is complete; further periods go with the hire', () => {
    expect(chargesOf(draft())).toEqual({ with_package: true, extra_periods: 2, add_ons: [{ add_on_id: 7, quantity: 1 }],
      fees: [{ description: 'Rush', amount_minor: 500 }] });
    expect(chargesOf(draft({ with_package: false, fees: [{ key: 'a', description: 'Rush', amount_minor: null }] })))
      .toMatchObject({ extra_periods: 0, fees: [] });
  });

  it('say what is missing', () => {
    expect(chargesMissing(draft())).toBeUndefined();
    expect(chargesMissing(draft({ reason: ' ' }))).toBe('Give a reason');
    expect(chargesMissing(draft({ add_ons: new Map([[7, 0]]) }))).toBe('Enter how many of each add-on');
    expect(chargesMissing(draft({ extra_periods: 1.5 }))).toBe('Enter the further periods, 120 at most');
    expect(chargesMissing(draft({ fees: [{ key: 'a', description: '', amount_minor: 5 }] })))
      .toBe('Say what each fee is for and how much');
  });
});

describe('views of the productions', () => {
  it('each is a phase; mine only for somebody who is known', () => {
    expect(productionViews(undefined).map((view) => view.id)).toEqual(['running', 'licensed', 'in_production',
      'settlement', 'closed', 'cancelled']);
    expect(productionViews(9)[1]).toMatchObject({ id: 'mine', query: { license_rep_id: '9' } });
  });
});

describe('days in words', () => {
  it('months are whole weeks from Sunday', () => {
    const weeks = monthWeeks('2027-02');
    expect([weeks[0]![0], weeks.at(-1)!.at(-1), weeks.length]).toEqual(['2027-01-31', '2027-03-06', 5]);
    expect([stepMonth('2026-12', 1), stepMonth('2027-01', -1), monthOf('2027-13', '2026-11-20')])
      .toEqual(['2027-01', '2026-12', '2026-11']);
  });

  it('says how long it is until a day, over the end of a year', () => {
    expect([dueWords('2026-11-20', '2026-11-20'), dueWords('2026-11-25', '2026-11-20'), dueWords('2026-11-17',
      '2026-11-20')])
      .toEqual(['Today', '5 days', '3 days late']);
    expect([runWords('2027-02-11', '2027-02-14', '2026-11-20'), runWords('2027-02-11', '2027-02-14', '2027-02-12'),
      runWords('2027-02-11', '2027-02-14', '2027-02-15')])
      .toEqual(['Opens in 83 days', 'Running until Feb 14, 2027', 'Closed Feb 14, 2027']);
    expect([clockWords('19:30'), clockWords('00:05'), clockWords('12:00')]).toEqual(['7:30 PM', '12:05 AM',
      '12:00 PM']);
  });
});
