/**
 * The promised terms as papers and screens say them, in American or British words. Every text about the percentage
 * comes from here: estimate, offer, quote letter, contract, licence, sign box.
 */
import { formatMinor, formatMoney, formatRate } from '../money/money.ts';
import { deductionWords } from './deduction-words.ts';
import type { PromisedTerms } from './promised-terms.ts';

export interface PromiseStyle {
  readonly language: 'en-US' | 'en-GB';
  readonly currency: string;
}

export type PromiseFact = readonly [label: string, text: string];

/** 'a, b and c', in American papers, too. */
const AND = new Intl.ListFormat('en-GB');

const LATER: Readonly<Record<string, string>> = {
  shipment: 'at shipment', opening: 'at the opening', closing: 'after the last performance',
  return_of_materials: 'when the materials are returned', settlement: 'at settlement',
  report: 'after the box-office report', date: 'later',
};

/** '11% of gross', '8% to 10% of gross'. */
export function rateWords(promise: Pick<PromisedTerms, 'rate_ppm' | 'tiers'>): string {
  const rates = [promise.rate_ppm, ...promise.tiers.map((tier) => tier.rate_ppm)].filter((rate) => rate > 0);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  return low === high ? `${formatRate(BigInt(low))} of gross`
    : `${formatRate(BigInt(low))} to ${formatRate(BigInt(high))} of gross`;
}

/**
 * 'USD 2,000.00 on signing, plus 11% of gross': what the sign box, lists and mails say in one line. The day until
 * when it is to be paid stands with the payment plan.
 */
export function promiseHeadline(promise: PromisedTerms, { currency }: PromiseStyle): string {
  const later = promise.later.map((row) => `${formatMoney(row.amount_minor, currency)} ${
    LATER[row.due_event] ?? 'later'}`);
  const first = promise.now_minor > 0 ? [`${formatMoney(promise.now_minor, currency)} on signing`] : [];
  const fixed = [...first, ...later];
  if (promise.kind === 'true_up') {
    return `${fixed.join(', ')}${fixed.length > 0 ? ', ' : ''}settled at ${rateWords(promise)} after the run`;
  }
  return fixed.length > 0 ? `${fixed.join(', ')}, plus ${rateWords(promise)}` : rateWords(promise);
}

/** Label and text of every term, in the order in which a reader asks for them. */
export function promiseFacts(promise: PromisedTerms, style: PromiseStyle): PromiseFact[] {
  return [
    ['Royalty', royaltyText(promise)], ['Gross', grossText(promise, style)],
    ...optional('Minimum', minimumText(promise, style)),
    ...optional('Advance and deposits', advanceText(promise, style)),
    [style.language === 'en-GB' ? 'Box-office returns' : 'Box-office reports', reportText(promise)],
    ['Payment', paymentText(promise)], ...optional('Example', sampleText(promise, style)),
  ];
}

/** The same as sentences, for a list of terms. */
export function promiseSentences(promise: PromisedTerms, style: PromiseStyle): string[] {
  return promiseFacts(promise, style).map(([label, text]) => `${label}: ${text}.`);
}

const optional = (label: string, text: string): PromiseFact[] => (text === '' ? [] : [[label, text]]);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function royaltyText(promise: PromisedTerms): string {
  const main = promise.tiers.length === 0 ? rateWords(promise) : stepsText(promise);
  if (promise.kind !== 'true_up') return main;
  const settled = { none: '', both: 'after the run the royalty quoted is adjusted to it, up or down',
    down_only: 'if it comes to less than the royalty quoted, the difference is credited',
    up_only: 'if it comes to more than the royalty quoted, the difference is due' }[promise.true_up];
  return `${main}; ${settled}`;
}

/** '8% of gross; above a gross of 20,000.00, 10%'; the steps count the gross of the run to date. */
function stepsText(promise: PromisedTerms): string {
  const steps = promise.tiers.toSorted((a, b) => a.from_gross_minor - b.from_gross_minor).map((tier) => {
    const from = tier.from_gross_minor === 0 ? '' : `above a gross of ${formatMinor(BigInt(tier.from_gross_minor))}, `;
    const whole = tier.mode === 'retroactive' ? ' of the whole gross' : '';
    return `${from}${formatRate(BigInt(tier.rate_ppm))}${whole}${tier.after_recoupment ? ' after recoupment' : ''}`;
  });
  const first = promise.rate_ppm > 0 ? [`${formatRate(BigInt(promise.rate_ppm))} of gross`] : [];
  return `${[...first, ...steps].join('; ')}, measured by the gross of the run to date`;
}

function grossText(promise: PromisedTerms, { language }: PromiseStyle): string {
  const british = language === 'en-GB';
  const tax = british ? ', excluding VAT for which Licensee accounts'
    : ', excluding sales and admission taxes included in ticket prices';
  const less = promise.deductions.map((one) => {
    const name = deductionWords(one.type, language);
    return one.cap_ppm === null ? name : `${name} up to ${formatRate(BigInt(one.cap_ppm))} of the reported gross`;
  });
  const deducted = less.length === 0 ? '; no deductions' : `; the only deductions are ${AND.format(less)}`;
  return `all receipts from ticket sales for the performances${promise.ticket_tax ? tax : ''}${deducted}`;
}

const SCOPES = { performance: 'applied performance by performance', week: 'applied week by week',
  run: 'applied to the run as a whole' } as const;

function minimumText(promise: PromisedTerms, { currency }: PromiseStyle): string {
  const each: readonly (readonly [number, string])[] = [[promise.min_per_performance_minor, 'per performance'],
    [promise.min_per_week_minor, 'per week'], [promise.min_per_run_minor, 'for the run']];
  const texts = each.filter(([minor]) => minor > 0).map(([minor, per]) => `${formatMoney(minor, currency)} ${per}`);
  if (texts.length === 0) return '';
  const part = promise.full_week_performances !== null && promise.min_per_week_minor > 0
    ? `; for a week of fewer than ${promise.full_week_performances} performances it is reduced in proportion` : '';
  const empty = promise.empty_week_owes_minimum && promise.min_per_week_minor > 0
    ? '; it is due for a week without a performance as well' : '';
  const count = promise.min_performances > 1
    ? `; at least ${promise.min_performances} performances are charged` : '';
  return `${texts.join(', ')}, ${SCOPES[promise.scope]}${part}${empty}${count}`;
}

function advanceText(promise: PromisedTerms, { currency }: PromiseStyle): string {
  const set = promise.minimum_counts_toward_advance ? 'credited against royalties'
    : 'credited against the percentage royalty only';
  const texts = [
    promise.advance_minor > 0 ? `an advance of ${formatMoney(promise.advance_minor, currency)}, ${set
    } as they are earned, not refundable` : '',
    promise.on_account_minor > 0
      ? `${formatMoney(promise.on_account_minor, currency)} on account, tax included, ${set
    }` : '',
    promise.security_deposit_minor > 0 ? `a refundable security deposit of ${formatMoney(
      promise.security_deposit_minor, currency)}, not part of the price` : '',
  ].filter((text) => text !== '');
  return capital(texts.join('; '));
}

function reportText(promise: PromisedTerms): string {
  const days = `within ${promise.report_due_days} days`;
  if (promise.kind === 'weekly' || promise.report_frequency === 'week') return `weekly, ${days} of the end of the week`;
  if (promise.report_frequency === 'performance') return `for each performance, ${days} after it`;
  return `once for the run, ${days} of the last performance`;
}

function paymentText(promise: PromisedTerms): string {
  const when = promise.payment_days === 0 ? 'on receipt of the invoice'
    : `within ${promise.payment_days} days of the invoice`;
  return `royalties are invoiced when a report is accepted and are due ${when}`;
}

function sampleText({ sample, deductions, advance_minor: advance, on_account_minor: onAccount }: PromisedTerms,
  { currency, language }: PromiseStyle): string {
  if (sample === null) return '';
  const paid = advance + onAccount;
  const after = paid > 0
    ? `, of which ${formatMoney(Math.min(paid, sample.royalty_minor), currency)} is paid on signing`
    : '';
  const { deducted_minor: deducted = 0 } = sample;
  const less = deducted > 0 ? `, less ${formatMoney(deducted, currency)} of deductions` : '';
  // Nobody knows them before: the example says that they are not in it.
  const open = deductions.filter((one) => one.cap_ppm === null).map((one) => deductionWords(one.type, language));
  const without = sample.deducted_minor === undefined || open.length === 0 ? ''
    : `; ${AND.format(open)} are not taken off in this example`;
  return `at ${formatRate(BigInt(sample.share_ppm))} of your potential (${formatMoney(sample.gross_minor, currency)
  })${less}: about ${formatMoney(sample.royalty_minor, currency)} in royalties before tax${after}${without}`;
}

/** Figures behind a royalty line of an invoice; minor units. */
export interface BilledBasis {
  readonly gross_minor: bigint;
  readonly base_minor: bigint;
  readonly rate_ppm: bigint;
  /** The rate rises with the gross. */
  readonly stepped: boolean;
  readonly percentage_minor: bigint;
  readonly minimum_minor: bigint;
  /** Part that the advance has paid. */
  readonly recouped_minor: bigint;
  /** An earlier report of the same period was billed: the line is the difference. */
  readonly corrects: boolean;
}

/** 'gross 15,000.25, base 14,550.24, 11% is 1,600.53, minimum 500.00, advance recouped 339.10'. */
export function billedBasis(basis: BilledBasis): string {
  const rate = basis.stepped ? 'stepped percentage' : formatRate(basis.rate_ppm);
  return [
    `gross ${formatMinor(basis.gross_minor)}`, `base ${formatMinor(basis.base_minor)}`,
    `${rate} is ${formatMinor(basis.percentage_minor)}`,
    basis.minimum_minor > 0n ? `minimum ${formatMinor(basis.minimum_minor)}` : '',
    basis.recouped_minor > 0n ? `advance recouped ${formatMinor(basis.recouped_minor)}` : '',
    basis.corrects ? 'less amounts billed earlier' : '',
  ].filter((text) => text !== '').join(', ');
}
