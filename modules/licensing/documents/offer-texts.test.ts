/** A deposit that is given back is no part of a total; what is asked for and when says it apart. */
import { expect, it } from 'vitest';
import type { PromisedTerms } from '#kernel/pricing/promised-terms.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';
import { firstPayments, offerTotals, paymentPlan } from './offer-price.ts';
import { contractText } from '../contracts/contract-text.ts';
import { quoteLetter, termSentences } from './offer-texts.ts';

const instalment = (label: string, due_event: string, amount_minor: number, is_deposit = false) =>
  ({ label, due_event, due_on: null, amount_minor, line_kinds: ['royalty'], is_deposit });

/** A short text of a contract with what these tests read. */
const contract: NonNullable<OfferSnapshot['contract']> = {
  template_id: 1, version_no: 1, counsel: null, licensee: null, licensor: null, signatory: { name: '', title: '' },
  ship_on: null, returns_due_on: null, materials: [], cancellation: [],
  clauses: [{ heading: 'Terms', paragraphs: ['{performances_table}', '{price_table}',
    'A refundable deposit of {refundable_deposit} is also due {pay_by}.', '{royalty_table}', '{payment_table}']
    .map((text) => ({ when: 'always', text })) }],
};

const offer = (totals: { deposit_minor: number; due_minor: number },
  payment_plan: OfferSnapshot['payment_plan']): OfferSnapshot => ({
  offer_version: 1, number: 'Q-US-2026-000001', issued_on: '2026-11-20', expires_on: '2027-01-02',
  house: { name: 'Grand Rights Inc', address: {} }, customer: { name: 'Springfield Players', address: null },
  title: 'The Gardener', authors_credit: '', show_code: 'GARD', category: 'Amateur', division: 'US', currency: 'USD',
  producing_organisation: '', execution_policy: 'paid_in_full', venues: [], lines: [],
  totals: { royalty_minor: 100_000, charges_minor: 7_140, tax_minor: 4_720, discount_minor: 0, ...totals },
  discount_reason: null, payment_plan, explanation: [], terms: {}, billing: [], contract,
  payment_days: { first_performance_on: '2027-04-01', ships_on: '2027-01-21', packed_by: '2027-01-14',
    invoice_days: 30 },
});
/** As the To do of the same license says it once it is signed (pay-by.test.ts). */
const BY = 'by January 14, 2027, so that the materials can ship on January 21, 2027';

const security = offer({ deposit_minor: 40_000, due_minor: 151_860 },
  [instalment('Before the license is issued', 'execution', 111_860)]);
const onAccount = offer({ deposit_minor: 50_000, due_minor: 111_860 },
  [instalment('Deposit', 'acceptance', 50_000, true), instalment('Before the license is issued', 'execution', 61_860)]);
const cells = (blocks: ReturnType<typeof quoteLetter>['blocks']): (readonly string[])[] =>
  blocks.flatMap((block) => block.kind === 'table' ? [...block.rows, ...block.totals ?? []] : []);
const sum = (plan: OfferSnapshot['payment_plan']): number => plan.reduce((all, row) => all + row.amount_minor, 0);

it('a deposit that comes back is no part of the total: it is asked for by its day, in a sentence of its own', () => {
  expect(offerTotals(security.totals)).toEqual({ net_minor: 107_140, tax_minor: 4_720, total_minor: 111_860,
    deposit_beside_minor: 40_000, on_account_minor: 0 });
  expect(sum(paymentPlan(security))).toBe(111_860 + 40_000);
  for (const write of [quoteLetter, contractText]) {
    const { blocks } = write(security, new Date('2026-11-20T00:00:00Z'));
    expect(cells(blocks)).toContainEqual(['Total USD', '', '', '', '1,118.60']);
    expect(cells(blocks)).toContainEqual(
      ['Refundable deposit, refunded after returns', `Before issue, ${BY}`, '400.00']);
    expect(JSON.stringify(blocks)).toContain(`A refundable deposit of USD 400.00 is also due ${BY}.`);
    expect(JSON.stringify(blocks)).not.toContain('1,518.60');
  }
});

it('says the terms in the words of the contract, with the article of a country', () => {
  const sentences = termSentences({ ...security, terms: { territory: 'United States of America', comps: 2,
    replica_elements_forbidden: true, audit_right: true, presenter_line: 'By arrangement' },
  billing: [{ text: 'Ann Author', percent_of_title_ppm: 500_000, placement: 'below' }] as never });
  expect(sentences.join(' ')).toContain('in the English language, in the United States of America. '
    + 'It is non-exclusive. It takes effect on signature and receipt of all amounts due before issue.');
  for (const sentence of ['Required program credit: "By arrangement"', 'Licensor may audit box-office records.',
    'Billing: "Ann Author" no smaller than 50% of the title, below the title.',
    'Licensee may not copy the staging, design or choreography of another production.',
    'On request Licensee holds 2 complimentary tickets per performance for Licensor.']) {
    expect(sentences).toContain(sentence);
  }
});

it('a deposit on account is never more than the price', () => {
  const small = offer({ deposit_minor: 150_000, due_minor: 111_860 }, []);
  expect(offerTotals(small.totals)).toMatchObject({ total_minor: 111_860, on_account_minor: 111_860 });
});

it('a deposit on account is part of the price: an instalment, and nothing beside the total', () => {
  expect(offerTotals(onAccount.totals)).toMatchObject({ deposit_beside_minor: 0, on_account_minor: 50_000 });
  expect(paymentPlan(onAccount)).toEqual(onAccount.payment_plan);
  expect(sum(onAccount.payment_plan)).toBe(offerTotals(onAccount.totals).total_minor);
  const rows = cells(quoteLetter(onAccount, new Date('2026-11-20T00:00:00Z')).blocks);
  expect(rows.filter(([first]) => /deposit/i.test(first ?? '')))
    .toEqual([['Deposit', `Before issue, ${BY}`, '500.00']]);
});

it('with a purchase order the terms run from the invoice, and the sign box says so', () => {
  const ordered: OfferSnapshot = { ...security, execution_policy: 'purchase_order', division: 'UK' };
  const british = 'by 14 January 2027, so that the materials can ship on 21 January 2027';
  const invoiced = 'invoiced when the licence is issued, due 30 days after the date of the invoice';
  const rows = cells(quoteLetter(ordered, new Date('2026-11-20T00:00:00Z')).blocks);
  expect(rows).toContainEqual(['When the licence is issued', `I${invoiced.slice(1)}`, '1,118.60']);
  expect(JSON.stringify(quoteLetter(ordered, new Date('2026-11-20T00:00:00Z')).blocks))
    .toContain(`Please send us your purchase order ${british}.`);
  expect(rows).toContainEqual(['Refundable deposit, refunded after returns', `B${british.slice(1)}`, '400.00']);
  expect(firstPayments(ordered)).toEqual([{ label: 'Purchase order', text: `to be sent to us ${british}` },
    { label: 'To pay', text: `USD 1,118.60 ${invoiced}` }, { label: 'To pay', text: `USD 400.00 ${british}` }]);
  expect(firstPayments(security)).toEqual([{ label: 'To pay', text: `USD 1,518.60 before issue, ${BY}` }]);
});

const promise: PromisedTerms = { kind: 'actuals', true_up: 'none', rate_ppm: 150_000, tiers: [], scope: 'run',
  deductions: [], ticket_tax: false, min_per_performance_minor: 8_000, min_per_week_minor: 0, min_per_run_minor: 0,
  min_performances: 0, full_week_performances: null, empty_week_owes_minimum: false,
    minimum_counts_toward_advance: true, advance_minor: 0,
  on_account_minor: 50_000, security_deposit_minor: 0, now_minor: 50_000, later: [], report_frequency: 'run',
  report_due_days: 7, payment_days: 30,
  sample: { share_ppm: 700_000, gross_minor: 1_600_800, base_minor: 1_600_800, royalty_minor: 240_120 } };
const rowsOf = (kind: string, amounts: readonly (readonly [string, number | null, number | null, number])[]) => {
  const net = amounts.reduce((all, [, , , amount]) => all + amount, 0);
  return { kind: 'royalty', label: 'Royalty, Town Hall', net_minor: net, tax_minor: 0, lines: [0],
    rows: amounts.map(([label, quantity, unit_minor, amount_minor]) => ({ kind, label, quantity, unit_minor,
      amount_minor })) };
};

it.each(['US', 'PROD', 'UK', 'EU'])('where a percentage follows, no paper of %s calls a sum the total', (division) => {
  const percent: OfferSnapshot = { ...onAccount, division, promise,
    rows: [rowsOf('performances', [['Performances', 6, 8_000, 48_000]])] };
  for (const write of [quoteLetter, contractText]) {
    const { blocks } = write(percent, new Date('2026-11-20T00:00:00Z'));
    const text = JSON.stringify(blocks);
    expect(text).not.toMatch(/\bTotal\b|in all\b/);
    expect(text).toContain('Guaranteed USD, plus 15% of gross');
    const facts = blocks.flatMap((block) => (block.kind === 'facts' ? block.rows : []));
    expect(facts).toContainEqual(['Royalty', '15% of gross']);
    expect(facts).toContainEqual(['Minimum',
      'USD 80.00 per performance, applied to the run as a whole']);
    expect(facts).toContainEqual(['Example',
      'at 70% of your potential (USD 16,008.00): about USD 2,401.20 in royalties '
      + 'before tax, of which USD 500.00 is paid on signing']);
    expect(facts.map(([label]) => label)).toContain(['UK', 'EU'].includes(division) ? 'Box-office returns'
      : 'Box-office reports');
    expect(cells(blocks)).toContainEqual(['Guaranteed royalty, Town Hall', '6', '80.00', '480.00', '480.00']);
  }
});

it('prints performances × fee, then the minimum, then the discount, then the subtotal', () => {
  const priced: OfferSnapshot = { ...security, rows: [rowsOf('performances',
    [['Performances', 4, 30_000, 120_000], ['Minimum guarantee', null, null, 30_000],
      ['Discount 15%', null, null, -22_500]])] };
  const rows = cells(quoteLetter(priced, new Date('2026-11-20T00:00:00Z')).blocks);
  expect(rows.slice(0, 4)).toEqual([['Performances', '4', '300.00', '1,200.00', ''],
    ['Minimum guarantee', '', '', '300.00', ''], ['Discount 15%', '', '', '(225.00)', ''],
    ['Royalty, Town Hall', '', '', '', '1,275.00']]);
});

it.each([['US', 'January 2, 2027', '7:30 PM'], ['UK', '2 January 2027', '7.30pm']])(
  'days and hours stand in the words of %s', (division, day, hour) => {
    const night = { local_date: '2027-01-02', local_time: '19:30', type: 'public', is_free: false, unit_fee_minor: 1 };
    const { blocks } = contractText({ ...security, division, venues: [{ name: 'Town Hall', address: null,
      expected_attendance: null, ticketing: [], performances: [night] }] }, new Date('2026-11-20T00:00:00Z'));
    expect(cells(blocks)).toContainEqual([day, hour, 'public']);
  });
