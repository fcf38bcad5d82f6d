/** Rules between the fields of a rate card, and its sentence; shared by the server and the form. */
import type { FieldErrors } from '#kit/errors.ts';
import { NO_RATE_TERMS, type FreeAdmissionRule, type RateTerms } from '#kernel/pricing/rate-card.ts';
import { rateCardInWords } from '#kernel/pricing/rate-card-words.ts';
import type { RateCardInput } from './rate-card.contract.ts';

/** Every problem at its field, in dot notation; empty when the card makes sense (domain.md 2.2). */
export function rateCardProblems(card: RateCardInput): FieldErrors {
  const errors: FieldErrors = {};
  const say = (field: string, text: string): void => { errors[field] = [...(errors[field] ?? []), text]; };
  methodProblems(card, say);
  tierProblems(card, say);
  if (card.effective_to !== null && card.effective_to < card.effective_from) {
    say('effective_to', 'The last day is not before the first');
  }
  if (card.free_admission_kind === 'percent_of_min' && card.free_admission_ppm === null) {
    say('free_admission_ppm', 'Say how much of the minimum');
  }
  if (card.free_admission_kind === 'flat' && card.free_admission_minor === null) {
    say('free_admission_minor', 'Say which amount');
  }
  if (card.deposit_minor > 0 && card.deposit_kind === null) say('deposit_kind', 'Say which kind of deposit');
  if (card.execution_policy === 'advance_paid' && card.advance_minor === 0) {
    say('advance_minor', 'This policy waits for an advance: name it');
  }
  if (card.execution_policy === 'deposit_paid' && card.deposit_minor === 0) {
    say('deposit_minor', 'This policy waits for a deposit: name it');
  }
  return errors;
}

type Say = (field: string, text: string) => void;

/** The methods a card computes with: the two that greater_of compares, else the one. */
export function methodsOf(card: RateCardInput): readonly string[] {
  return card.fee_method === 'greater_of'
    ? [card.greater_of_first ?? '', card.greater_of_second ?? ''] : [card.fee_method];
}

function methodProblems(card: RateCardInput, say: Say): void {
  if (card.fee_method === 'greater_of') {
    if (card.greater_of_first === null) say('greater_of_first', 'Choose the first method');
    if (card.greater_of_second === null) say('greater_of_second', 'Choose the second method');
    if (card.greater_of_first !== null && card.greater_of_first === card.greater_of_second) {
      say('greater_of_second', 'Choose another method than the first');
    }
  }
  const methods = methodsOf(card);
  if (methods.some((method) => method.startsWith('percent_')) && card.rate_ppm === null) {
    say('rate_ppm', 'A percentage is required');
  }
  if (card.fee_method === 'flat_run' && card.flat_run_minor === null) {
    say('flat_run_minor', 'An amount for the run is required');
  }
  if (methods.includes('flat') && !card.performance_tiers.some((tier) => tier.from_n === 1)) {
    say('performance_tiers', 'Name the amount from the first performance on');
  }
  if (methods.includes('seat_band') && card.seat_bands.length === 0) say('seat_bands', 'Name at least one band');
}

function tierProblems(card: RateCardInput, say: Say): void {
  repeats(card.performance_tiers.map((tier) => tier.from_n))
    .forEach((i) => say(`performance_tiers.${i}.from_n`, 'This performance has an amount already'));
  repeats(card.gross_tiers.map((tier) => `${tier.from_gross_minor}/${tier.after_recoupment}`))
    .forEach((i) => say(`gross_tiers.${i}.from_gross_minor`, 'This gross has a rate already'));
  repeats(card.deductions.map((row) => row.type))
    .forEach((i) => say(`deductions.${i}.type`, 'This deduction is here already'));
  card.seat_bands.forEach((band, i) => {
    const last = band.to_seats ?? Number.POSITIVE_INFINITY;
    if (last < band.from_seats) say(`seat_bands.${i}.to_seats`, 'The band ends before it begins');
    const over = card.seat_bands.some((other, j) => j < i && other.from_seats <= last
      && band.from_seats <= (other.to_seats ?? Number.POSITIVE_INFINITY));
    if (over) say(`seat_bands.${i}.from_seats`, 'Overlaps another band: both ends belong to a band');
  });
}

/** Positions of values that stood earlier in the list. */
function repeats(values: readonly (string | number)[]): number[] {
  return values.flatMap((value, i) => (values.indexOf(value) < i ? [i] : []));
}

/** Columns that say nothing under the chosen method are cleared, so that a stored card says one thing. */
export function tidyCard(card: RateCardInput): RateCardInput {
  const methods = methodsOf(card);
  const compared = card.fee_method === 'greater_of';
  return {
    ...card,
    greater_of_first: compared ? card.greater_of_first : null,
    greater_of_second: compared ? card.greater_of_second : null,
    flat_run_minor: card.fee_method === 'flat_run' ? card.flat_run_minor : null,
    rate_ppm: methods.some((method) => method.startsWith('percent_')) ? card.rate_ppm : null,
    performance_tiers: methods.includes('flat') ? card.performance_tiers : [],
    seat_bands: methods.includes('seat_band') ? card.seat_bands : [],
    free_admission_ppm: card.free_admission_kind === 'percent_of_min' ? card.free_admission_ppm : null,
    free_admission_minor: card.free_admission_kind === 'flat' ? card.free_admission_minor : null,
    deposit_kind: card.deposit_minor > 0 ? card.deposit_kind : null,
  };
}

/** The card as people say it. */
export function cardInWords(card: RateCardInput): string[] {
  return rateCardInWords(termsOf(card));
}

function termsOf(card: RateCardInput): RateTerms {
  const big = (value: number | null): bigint => BigInt(value ?? 0);
  const { greater_of_first: first, greater_of_second: second } = card;
  return {
    ...NO_RATE_TERMS,
    fee_method: card.fee_method, greater_of: first && second ? [first, second] : null, rate_ppm: big(card.rate_ppm),
    gross_basis: card.gross_basis, min_per_performance_minor: big(card.min_per_performance_minor),
    min_per_run_minor: big(card.min_per_run_minor), min_per_week_minor: big(card.min_per_week_minor),
    full_week_performances: card.full_week_performances, empty_week_owes_minimum: card.empty_week_owes_minimum,
    min_performances: card.min_performances, guarantee_scope: card.guarantee_scope,
    round_up_to_minor: big(card.round_up_to_minor), round_up_scope: card.round_up_scope,
    performance_tiers: card.performance_tiers.map((row) => ({ ...row, amount_minor: big(row.amount_minor) })),
    seat_bands: card.seat_bands.map((row) => ({ ...row, amount_minor: big(row.amount_minor) })),
    // The day is not known on a card; any text says that the tier waits for one.
    gross_tiers: card.gross_tiers.map((row) => ({ from_gross_minor: big(row.from_gross_minor),
      rate_ppm: big(row.rate_ppm), mode: row.mode, after_recoupment_on: row.after_recoupment ? 'declared' : null })),
    flat_run_minor: big(card.flat_run_minor), advance_minor: big(card.advance_minor),
    box_office_deductions: card.deductions.map((row) => ({ type: row.type,
      cap_ppm: row.cap_ppm === null ? null : BigInt(row.cap_ppm) })),
    free_admission_rule: freeRule(card),
  };
}

function freeRule(card: RateCardInput): FreeAdmissionRule | null {
  switch (card.free_admission_kind) {
    case 'percent_of_min': return { kind: 'percent_of_min', ppm: BigInt(card.free_admission_ppm ?? 0) };
    case 'flat': return { kind: 'flat', amount_minor: BigInt(card.free_admission_minor ?? 0) };
    case 'min': return { kind: 'min' };
    case null: return null;
  }
}
