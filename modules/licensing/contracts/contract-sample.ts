/** An invented production for the preview of a contract text: every table has rows, most paragraphs apply. Pure. */
import type { ContractClause } from '#kernel/licensing/contract-form.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import type { PromisedTerms } from '#kernel/pricing/promised-terms.ts';
import type { OfferSnapshot, OfferVenue } from '../documents/offer-snapshot.server.ts';

export interface SampleForm {
  id: number; division: string; category: string; version_no: number; counsel: string | null;
  clauses: ContractClause[];
}

const CURRENCY: Readonly<Record<string, string>> = { US: 'USD', PROD: 'USD', UK: 'GBP', EU: 'EUR' };
const AMERICAN = { country_code: 'US', thoroughfare: '1 Main Street', locality: 'Springfield',
  administrative_area: 'OH', postal_code: '45501' };
const BRITISH = { country_code: 'GB', thoroughfare: '1 High Street', locality: 'Leeds', postal_code: 'LS1 1AA' };
const LAW: Readonly<Record<string, readonly [law: string, territory: string]>> = {
  US: ['the State of New York', 'United States of America'], PROD: ['the State of New York',
    'United States of America'], UK: ['England and Wales', 'United Kingdom'], EU: ['Ireland', 'European Union'],
};

/** Four evenings at 300.00, scripts on hire; a professional one at 11% with an advance of 2,000.00. */
export function sampleOffer(form: SampleForm): OfferSnapshot {
  const british = documentLanguage(form.division) === 'en-GB';
  const pro = form.category === 'Pro';
  const address = british ? BRITISH : AMERICAN;
  const [law, territory] = LAW[form.division] ?? LAW.US!;
  const royalty = { kind: pro ? 'advance' : 'royalty', label: pro ? 'Advance' : 'Royalty', quantity: pro ? 1 : 4,
    unit_minor: pro ? 200_000 : 30_000, net_minor: pro ? 200_000 : 120_000 };
  const rental = { kind: 'rental', label: 'Scripts and scores, 10 weeks', quantity: 1, unit_minor: 45_000,
    net_minor: 45_000 };
  const net = royalty.net_minor + rental.net_minor;
  return {
    offer_version: 1, number: 'Q-0000-000000', issued_on: '2026-11-20', expires_on: '2027-01-01',
    house: { name: 'Licensing company', address }, customer: { name: 'Springfield Players', address },
    title: 'Sample Show', authors_credit: 'by A. Author', show_code: 'SAMPLE', category: form.category,
    division: form.division, currency: CURRENCY[form.division] ?? 'USD', producing_organisation: '',
    execution_policy: pro ? 'advance_paid' : 'paid_in_full',
    venues: [sampleVenue(address)],
    lines: [royalty, rental].map((line) => ({ ...line, tax_minor: 0, total_minor: line.net_minor, tax_rate_ppm: 0,
      tax_reason: '' })),
    totals: { royalty_minor: royalty.net_minor, charges_minor: rental.net_minor, tax_minor: 0, deposit_minor: 40_000,
      due_minor: net + 40_000, discount_minor: 0 },
    discount_reason: null, promise: pro ? samplePromise() : null, report_scope: pro ? 'week' : null,
    payment_plan: [{ label: pro ? 'Advance and materials' : 'Royalty and materials', due_event: 'execution',
      due_on: null, amount_minor: net, line_kinds: [], is_deposit: false }],
    payment_days: { first_performance_on: '2027-04-01', ships_on: '2027-01-21', packed_by: '2027-01-14',
      invoice_days: 30 },
    explanation: [], billing: [{ text: 'by A. Author', percent_of_title_ppm: 500_000, placement: 'below' }],
    terms: sampleTerms(pro, law, territory),
    contract: {
      template_id: form.id, version_no: form.version_no, counsel: form.counsel, clauses: form.clauses,
      licensee: { name: 'Chris Contact', email: 'chris@players.example', phone: null },
      licensor: { name: 'Robin Representative', email: 'robin@licensor.example', phone: null },
      signatory: { name: 'Sam Signatory', title: 'Director of Licensing' },
      ship_on: '2027-01-21', returns_due_on: '2027-04-10',
      materials: [
        { name: 'Script', quantity: 25, return_required: true, replacement_price_minor: 1_500 },
        { name: 'Full score', quantity: 1, return_required: true, replacement_price_minor: 12_000 },
      ],
      cancellation: [{ stage: 'before_shipment', kept_minor: pro ? 200_000 : 0, refund_minor: pro ? 45_000 : net },
        { stage: 'after_shipment', kept_minor: pro ? net : 45_000, refund_minor: pro ? 0 : 120_000 }],
    },
  };
}

function sampleVenue(address: Record<string, string>): OfferVenue {
  return { name: 'Town Hall', address, expected_attendance: null,
    ticketing: [{ label: 'Full', number_of_seats: 300, price_minor: 1_800, weight: '1' },
      { label: 'Reduced', number_of_seats: 100, price_minor: 1_000, weight: '1' }],
    performances: ['2027-04-01', '2027-04-02', '2027-04-03', '2027-04-03'].map((local_date, place) => ({ local_date,
      local_time: place === 2 ? '14:00' : '19:30', type: place === 2 ? 'matinee' : 'public', is_free: false,
      unit_fee_minor: 30_000 })) };
}

function sampleTerms(pro: boolean, law: string, territory: string): Record<string, unknown> {
  return { rights_granted: ['stage'], language: 'English', territory, exclusive: false, video_clause: 'none',
    licensee_billing_ppm: 500_000, presenter_line: 'Presented through special arrangement with the licensing company.',
    mandatory_program_text: 'Recording this production is prohibited.', logo_usage: 'none', changes_clause: '',
    replica_elements_forbidden: true, report_frequency: pro ? 'week' : 'run', report_due_days: 7,
    late_interest_ppm_per_month: 10_000, audit_right: true, comps: 2, merchandise: '', insurance: '', other_terms: '',
    governing_law: law };
}

function samplePromise(): PromisedTerms {
  return { kind: 'weekly', true_up: 'none', rate_ppm: 110_000, tiers: [], scope: 'week', deductions: [],
    ticket_tax: true, min_per_performance_minor: 0, min_per_week_minor: 50_000, min_per_run_minor: 0,
    min_performances: 0, full_week_performances: 8, empty_week_owes_minimum: false,
    minimum_counts_toward_advance: true, advance_minor: 200_000, on_account_minor: 0, security_deposit_minor: 40_000,
    now_minor: 245_000, later: [], report_frequency: 'week', report_due_days: 7, payment_days: 30, sample: null };
}
