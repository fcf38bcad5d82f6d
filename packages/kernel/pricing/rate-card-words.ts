/**
 * A rate card as people say it: "12.5% of the weighted gross, at least 95.00 per performance, rounded up to 5.00".
 * Amounts carry no currency sign: the card's currency stands beside the sentence (domain.md 2.2).
 */
import { spell } from '../text/english.ts';
import { formatMinor, formatRate, PPM } from '../money/money.ts';
import { deductionLabel } from './deduction-words.ts';
import type { FreeAdmissionRule, RateTerms, SimpleFeeMethod } from './rate-card.ts';
import type { GrossBasis } from './potentials.ts';

/** The main sentence first, then one sentence for each further rule that is on. */
export function rateCardInWords(terms: RateTerms): string[] {
  const main = [methodInWords(terms), ...minimumsInWords(terms), ...roundingInWords(terms)].join(', ');
  return [capital(main), ...escalation(terms), ...advance(terms), ...minimumPerformances(terms),
    ...shortWeeksInWords(terms), ...deductions(terms),
    ...freeAdmission(terms.free_admission_rule)].map((text) => `${text}.`);
}

const BASIS: Record<GrossBasis, string> = {
  capacity: 'the gross at capacity', weighted: 'the weighted gross', expected: 'the expected gross',
  top_price: 'all seats at the top price',
};

function methodInWords(terms: RateTerms): string {
  switch (terms.fee_method) {
    case 'greater_of': {
      const [first, second] = terms.greater_of ?? [];
      if (!first || !second) return 'the greater of two methods';
      return `the greater of ${simpleInWords(terms, first)} and ${simpleInWords(terms, second)}`;
    }
    case 'flat_run': return `${formatMinor(terms.flat_run_minor)} for the whole run`;
    case 'negotiated': return spell`negotiated for each license`;
    default: return simpleInWords(terms, terms.fee_method);
  }
}

function simpleInWords(terms: RateTerms, method: SimpleFeeMethod): string {
  switch (method) {
    case 'percent_potential': return `${formatRate(terms.rate_ppm)} of ${BASIS[terms.gross_basis]}`;
    case 'percent_actual': return `${formatRate(terms.rate_ppm)} of the actual box office`;
    case 'flat': return tiersInWords(terms);
    case 'seat_band': return bandsInWords(terms);
  }
}

function tiersInWords(terms: RateTerms): string {
  const tiers = [...terms.performance_tiers].sort((a, b) => a.from_n - b.from_n);
  const [first] = tiers;
  if (!first) return 'a flat fee per performance';
  if (tiers.length === 1) return `${formatMinor(first.amount_minor)} per performance`;
  return tiers.map((tier, i) => {
    const next = tiers[i + 1];
    const amount = formatMinor(tier.amount_minor);
    if (!next) return `${amount} from performance ${tier.from_n} on`;
    if (next.from_n - 1 === tier.from_n) return `${amount} for performance ${tier.from_n}`;
    return `${amount} for performances ${tier.from_n} to ${next.from_n - 1}`;
  }).join(', ');
}

function bandsInWords(terms: RateTerms): string {
  const bands = [...terms.seat_bands].sort((a, b) => a.from_seats - b.from_seats);
  if (bands.length === 0) return 'by the seats of the house';
  const text = bands.map((band) => {
    const seats = band.to_seats === null ? `${band.from_seats} seats or more`
      : `${band.from_seats} to ${band.to_seats} seats`;
    return `${formatMinor(band.amount_minor)} with ${seats}`;
  });
  return `${text.join(', ')} per performance`;
}

function minimumsInWords(terms: RateTerms): string[] {
  const each: [bigint, string][] = [[terms.min_per_performance_minor, 'per performance'],
    [terms.min_per_week_minor, 'per week'], [terms.min_per_run_minor, 'for the run']];
  const applies = terms.fee_method === 'negotiated' ? []
    : terms.fee_method === 'flat_run' ? each.slice(2) : each;
  const texts = applies.filter(([amount]) => amount > 0n).map(([amount, scope]) => `${formatMinor(amount)} ${scope}`);
  return texts.length === 0 ? [] : [`at least ${texts.join(' and ')}`];
}

/** Amounts owed for a short and an empty week, where the terms say so. */
function shortWeeksInWords(terms: RateTerms): string[] {
  if (terms.min_per_week_minor === 0n || ['flat_run', 'negotiated'].includes(terms.fee_method)) return [];
  const full = terms.full_week_performances;
  return [
    ...(full === null ? []
      : [`For a week of fewer than ${full} performances the weekly minimum is reduced in proportion`]),
    ...(terms.empty_week_owes_minimum ? ['The weekly minimum is due for a week without a performance as well'] : []),
  ];
}

function roundingInWords(terms: RateTerms): string[] {
  if (terms.round_up_to_minor === 0n || ['flat_run', 'negotiated'].includes(terms.fee_method)) return [];
  const scope = terms.round_up_scope === 'run' ? ' on the whole run' : '';
  return [`rounded up to ${formatMinor(terms.round_up_to_minor)}${scope}`];
}

function escalation(terms: RateTerms): string[] {
  if (terms.gross_tiers.length === 0) return [];
  const tiers = [...terms.gross_tiers].sort((a, b) => (a.from_gross_minor < b.from_gross_minor ? -1 : 1));
  const texts = tiers.map((tier) => {
    const whole = tier.mode === 'retroactive' ? ' of the whole gross' : '';
    const from = tier.from_gross_minor === 0n ? '' : ` from a gross of ${formatMinor(tier.from_gross_minor)} on`;
    return `${formatRate(tier.rate_ppm)}${whole}${from}${tier.after_recoupment_on ? ' once recouped' : ''}`;
  });
  return [`The rate rises to ${texts.join(', ')}`];
}

function advance(terms: RateTerms): string[] {
  return terms.advance_minor === 0n ? []
    : [`An advance of ${formatMinor(terms.advance_minor)} is paid first and counts towards the royalty`];
}

function minimumPerformances(terms: RateTerms): string[] {
  return terms.min_performances < 2 ? []
    : [`Fewer than ${terms.min_performances} performances are charged as ${terms.min_performances}`];
}

function deductions(terms: RateTerms): string[] {
  if (terms.box_office_deductions.length === 0) return [];
  const texts = terms.box_office_deductions.map((allowed) => {
    const name = deductionLabel(allowed.type).toLowerCase();
    return allowed.cap_ppm === null ? name : `${name} up to ${formatRate(allowed.cap_ppm)} of the gross`;
  });
  return [`Returns may deduct ${texts.join(', ')}`];
}

function freeAdmission(rule: FreeAdmissionRule | null): string[] {
  if (rule === null) return [];
  switch (rule.kind) {
    case 'min': return ['Performances with free admission pay the minimum'];
    case 'percent_of_min': return [rule.ppm === PPM ? 'Performances with free admission pay the minimum'
      : `Performances with free admission pay ${formatRate(rule.ppm)} of the minimum`];
    case 'flat': return [`Performances with free admission pay ${formatMinor(rule.amount_minor)}`];
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
