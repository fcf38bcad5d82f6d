/**
 * Withholding tax is data (domain.md 3.5): the rule is chosen on the payment date, for the beneficial owner, and is
 * never applied to VAT. The most specific rule wins; a tie goes to the later valid_from, then to the lower id.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';
import { formatRate } from '../money/money.ts';

export type PayeeKind = 'person' | 'company' | 'agent';
export type TaxForm = 'w9' | 'w8ben' | 'w8bene' | 'treaty_direction' | 'none';
export type EffectiveForm = TaxForm | 'author_by_profession';

/** Names of the forms, as people write them. */
export const FORM_NAMES: Readonly<Record<EffectiveForm, string>> = {
  w9: 'W-9', w8ben: 'W-8BEN', w8bene: 'W-8BEN-E', treaty_direction: 'Treaty direction',
  author_by_profession: 'Author by profession', none: 'No form',
};

/** One row of wht_rules; null matches any. Both ends of the validity are inclusive. */
export interface WhtRule {
  readonly id: number;
  readonly payer_division: Division;
  readonly payee_country: string | null;
  readonly payee_kind: PayeeKind | null;
  readonly income_kind: string | null;
  readonly form: EffectiveForm | null;
  readonly rate_ppm: bigint;
  readonly valid_from: IsoDate;
  readonly valid_to: IsoDate | null;
}

export interface WhtPayee {
  readonly residence_country: string;
  readonly kind: 'person' | 'company' | 'estate' | 'agent' | 'society' | 'house';
  readonly tax_form_type: TaxForm;
  readonly tax_form_expires_on: IsoDate | null;
  readonly has_tin: boolean;
  readonly author_by_profession: boolean;
  /** A treaty rate agreed for this payee; it holds only while his form does. */
  readonly wht_override_ppm: bigint | null;
}

export type Withholding =
  | { readonly found: true; readonly rate_ppm: bigint; readonly rule_id: number | null; readonly reason: string }
  | { readonly found: false; readonly reason: string };

/** The rate on `paymentOn`; `found: false` when no rule covers the payee, and then nothing may be paid. */
export function resolveWithholding(
  rules: readonly WhtRule[],
  payee: WhtPayee,
  payerDivision: Division,
  incomeKind: string,
  paymentOn: IsoDate,
): Withholding {
  const form = effectiveForm(payee, paymentOn);
  const forms: readonly EffectiveForm[] = form === 'author_by_profession' ? [form, 'none'] : [form];
  const formHolds = payee.tax_form_type !== 'none' && form === payee.tax_form_type;
  if (payee.wht_override_ppm !== null && formHolds) {
    const rate_ppm = payee.wht_override_ppm;
    const reason = `${formatRate(rate_ppm)} agreed for this payee, ${FORM_NAMES[form]}`;
    return { found: true, rate_ppm, rule_id: null, reason };
  }
  const best = rules
    .filter((rule) => rule.payer_division === payerDivision
      && rule.valid_from <= paymentOn && (rule.valid_to === null || rule.valid_to >= paymentOn)
      && meets(rule.payee_country, payee.residence_country) && meets(rule.payee_kind, payeeKind(payee))
      && meets(rule.income_kind, incomeKind) && (rule.form === null || forms.includes(rule.form)))
    .sort((a, b) => bySpecificity(a, b) || Number(b.form === form) - Number(a.form === form) || byAge(a, b))[0];
  const who = `${payee.residence_country} ${payeeKind(payee)}`;
  if (!best) {
    return { found: false,
      reason: `No withholding rule covers ${who}, ${FORM_NAMES[form]}, paid by ${payerDivision} on ${paymentOn}` };
  }
  // An author without a form is judged as one without a form where no rule speaks of authors.
  const counted = form === 'author_by_profession' && best.form !== form ? 'none' : form;
  const reason = `${formatRate(best.rate_ppm)}: ${who}, ${FORM_NAMES[counted]}`;
  return { found: true, rate_ppm: best.rate_ppm, rule_id: best.id, reason };
}

/** A form counts until the end of its expiry day; a W-9 counts only with a tax number (else backup withholding). */
export function effectiveForm(payee: WhtPayee, on: IsoDate): EffectiveForm {
  const expired = payee.tax_form_expires_on !== null && payee.tax_form_expires_on < on;
  const form = expired || (payee.tax_form_type === 'w9' && !payee.has_tin) ? 'none' : payee.tax_form_type;
  return form === 'none' && payee.author_by_profession ? 'author_by_profession' : form;
}

/** A W-8BEN holds to the end of the third calendar year after it was signed. */
export function w8benExpiry(signedOn: IsoDate): IsoDate {
  return `${String(Number(signedOn.slice(0, 4)) + 3).padStart(4, '0')}-12-31`;
}

/** Estates are taxed as persons, societies and houses as companies. */
function payeeKind(payee: WhtPayee): PayeeKind {
  if (payee.kind === 'agent') return 'agent';
  return payee.kind === 'person' || payee.kind === 'estate' ? 'person' : 'company';
}

function meets(wanted: string | null, found: string): boolean {
  return wanted === null || wanted === found;
}

function specificity(rule: WhtRule): number {
  return [rule.payee_country, rule.payee_kind, rule.income_kind, rule.form].filter((field) => field !== null).length;
}

function bySpecificity(a: WhtRule, b: WhtRule): number {
  // A rule for the payee's own country comes before any rule for all countries, whatever else it names.
  const byCountry = Number(b.payee_country !== null) - Number(a.payee_country !== null);
  if (byCountry !== 0) return byCountry;
  return specificity(b) - specificity(a);
}

function byAge(a: WhtRule, b: WhtRule): number {
  return a.valid_from > b.valid_from ? -1 : a.valid_from < b.valid_from ? 1 : a.id - b.id;
}
