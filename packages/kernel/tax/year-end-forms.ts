/**
 * Year-end forms from the payments of a calendar year: 1099-NEC, 1099-MISC and 1042-S for the US divisions, royalties
 * paid for the UK and the EU. Boxes as the IRS names them (Instructions for Forms 1099-MISC and 1099-NEC; Instructions
 * for Form 1042-S). Payments count on the day they were made, bills do not; those by card are the processor's to
 * report (Form 1099-K). Amounts are minor units of the division's own currency.
 */
import type { WrittenAddress } from '../address/address-lines.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';

export const YEAR_END_FORMS = ['1099_nec', '1099_misc', '1042_s', 'royalties'] as const;
export type YearEndForm = (typeof YEAR_END_FORMS)[number];
export const FORM_TITLES: Readonly<Record<YearEndForm, string>> = {
  '1099_nec': '1099-NEC', '1099_misc': '1099-MISC', '1042_s': '1042-S', royalties: 'Royalties paid',
};

/** Boxes of a form in their order; the last one holds the tax withheld. */
export const FORM_BOXES = {
  '1099_nec': ['1', '4'], '1099_misc': ['1', '2', '3', '10', '4'], '1042_s': ['2', '7a'],
  royalties: ['gross', 'withheld'],
} as const satisfies Record<YearEndForm, readonly string[]>;

export const isUsDivision = (division: Division): boolean => division === 'US' || division === 'PROD';

export function formsOf(division: Division): readonly YearEndForm[] {
  return isUsDivision(division) ? ['1099_nec', '1099_misc', '1042_s'] : ['royalties'];
}

/** Box of the tax withheld: backup withholding on 1099s, chapter 3 on 1042-S. */
export const withheldBox = (form: YearEndForm): string => FORM_BOXES[form].at(-1)!;

export type VendorCategory = 'none' | 'nec' | 'misc_rents' | 'misc_royalties' | 'misc_other_income' | 'misc_legal';
export type RoyaltorCategory = 'none' | '1099_misc' | '1042_s';

interface PayeeOf<Kind, Category> {
  readonly kind: Kind;
  readonly id: number;
  readonly name: string;
  readonly address: WrittenAddress | null;
  /** Country of residence; of a vendor the country of the address. */
  readonly country: string | null;
  /** Equal texts are the same tax id; null: none on file. */
  readonly tax_id: string | null;
  readonly tax_form: 'none' | 'w9' | 'w8ben' | 'w8bene' | 'treaty_direction';
  readonly category: Category;
  /** Of a royaltor: person, company, estate and so on. */
  readonly legal_kind?: string | null;
}
export type YearEndPayee = PayeeOf<'vendor', VendorCategory> | PayeeOf<'royaltor', RoyaltorCategory>;

/** 'royaltor:12'. */
export const payeeKey = (payee: Pick<YearEndPayee, 'kind' | 'id'>): string => `${payee.kind}:${payee.id}`;

/** A payment, or the part of one that has a tax rate of its own. */
export interface YearEndPayment {
  readonly payment_id: number;
  readonly payee: string;
  readonly paid_on: IsoDate;
  readonly method: string;
  readonly status: string;
  /** With the tax withheld. */
  readonly gross_minor: bigint;
  readonly withheld_minor: bigint;
  readonly rate_ppm: bigint;
}

/** From a tax year on until a later row says otherwise. */
export interface YearEndThreshold {
  readonly form: YearEndForm;
  readonly box: string;
  readonly from_year: number;
  readonly threshold_minor: bigint;
}

export type Boxes = Readonly<Record<string, bigint>>;

/** Part of a payment reported in a box of a form. */
export interface FormPayment {
  readonly payment_id: number;
  readonly box: string;
  readonly amount_minor: bigint;
  readonly withheld_minor: bigint;
}

export interface FormDraft {
  readonly form: YearEndForm;
  /** Payee whose name and address it carries: the first royaltor of the tax id, else the first vendor. */
  readonly recipient: YearEndPayee;
  /** Keys of all payees that share the tax id. */
  readonly members: readonly string[];
  /** 1042-S: one form for each rate; null elsewhere. */
  readonly rate_ppm: bigint | null;
  readonly boxes: Boxes;
  readonly payments: readonly FormPayment[];
}

export const LEFT_OUT = ['card', 'taken_back', 'other_year', 'not_reported', 'foreign_vendor', 'below_threshold'] as
  const;
export type LeftOutReason = (typeof LEFT_OUT)[number];
export interface LeftOut {
  readonly reason: LeftOutReason;
  readonly payment_id: number;
  readonly payee: string;
  readonly amount_minor: bigint;
  readonly withheld_minor: bigint;
}

export interface YearEnd { readonly forms: readonly FormDraft[]; readonly left_out: readonly LeftOut[] }

/** Form of a royaltor's payments in the US: residence decides, or the entry on the royaltor. */
export function royaltyForm(of: { us_1099_type: string; residence_country: string }): '1042_s' | '1099_misc' {
  return of.us_1099_type === '1042_s' || of.residence_country !== 'US' ? '1042_s' : '1099_misc';
}

/** Year-end document of a royaltor by the paying division, as the report of tax withheld names it. */
export function royaltyDocument(
  division: Division, of: { us_1099_type: string; residence_country: string },
): string {
  if (isUsDivision(division)) return FORM_TITLES[royaltyForm(of)];
  return division === 'UK' && of.residence_country !== 'GB' ? 'UK certificate' : 'none';
}

const VENDOR_BOXES: Readonly<Record<Exclude<VendorCategory, 'none'>, { form: YearEndForm; box: string }>> = {
  nec: { form: '1099_nec', box: '1' }, misc_rents: { form: '1099_misc', box: '1' },
  misc_royalties: { form: '1099_misc', box: '2' }, misc_other_income: { form: '1099_misc', box: '3' },
  misc_legal: { form: '1099_misc', box: '10' },
};

/** Year-end form of a vendor, as the report of tax withheld names it. */
export const vendorDocument = (category: VendorCategory): string =>
  (category === 'none' ? 'none' : FORM_TITLES[VENDOR_BOXES[category].form]);

interface Place { form: YearEndForm; box: string }

function placeOf(division: Division, payee: YearEndPayee, withheld: bigint): Place | LeftOutReason {
  if (payee.kind === 'royaltor') {
    if (!isUsDivision(division)) return { form: 'royalties', box: 'gross' };
    const form = royaltyForm({ us_1099_type: payee.category, residence_country: payee.country ?? '' });
    return { form, box: '2' };
  }
  if (!isUsDivision(division) || payee.category === 'none') return 'not_reported';
  // Backup withholding is reported, even if the vendor hands in a W-8 afterwards.
  return payee.tax_form.startsWith('w8') && withheld === 0n ? 'foreign_vendor' : VENDOR_BOXES[payee.category];
}

const PAID: readonly string[] = ['posted', 'cleared'];

function reasonOf(payment: YearEndPayment, year: number): LeftOutReason | null {
  if (!PAID.includes(payment.status)) return 'taken_back';
  if (Number(payment.paid_on.slice(0, 4)) !== year) return 'other_year';
  return payment.method === 'card' ? 'card' : null;
}

/** The amount from which a box is reported; 0 where no row speaks of it. */
export function thresholdOf(
  thresholds: readonly YearEndThreshold[], form: YearEndForm, box: string, year: number,
): bigint {
  const row = thresholds.filter((one) => one.form === form && one.box === box && one.from_year <= year)
    .reduce<YearEndThreshold | null>((last, one) => (last && last.from_year > one.from_year ? last : one), null);
  return row?.threshold_minor ?? 0n;
}

/** Groups payees that share a form by tax id; one without a tax id is its own group. The first is the recipient. */
function recipientsOf(payees: readonly YearEndPayee[]): Map<string, readonly YearEndPayee[]> {
  const order = (payee: YearEndPayee): number => (payee.kind === 'royaltor' ? 0 : 1);
  const sorted = [...payees].sort((a, b) => order(a) - order(b) || a.id - b.id);
  const groups = new Map<string, YearEndPayee[]>();
  for (const payee of sorted) {
    const group = payee.tax_id === null ? payeeKey(payee) : `tax ${payee.tax_id}`;
    groups.set(group, [...groups.get(group) ?? [], payee]);
  }
  return new Map([...groups.values()].flatMap((group) => group.map((payee) => [payeeKey(payee), group] as const)));
}

interface Group { form: YearEndForm; group: readonly YearEndPayee[]; rate_ppm: bigint | null;
  parts: (FormPayment & { payee: string })[] }

/**
 * Every payment lands in one box of one form, or is left out with a reason. A box below its threshold is left off,
 * unless tax was withheld: then the form is due whatever the amounts.
 */
export function yearEndForms(of: {
  division: Division; year: number; payees: readonly YearEndPayee[]; payments: readonly YearEndPayment[];
  thresholds: readonly YearEndThreshold[];
}): YearEnd {
  const payees = new Map(of.payees.map((payee) => [payeeKey(payee), payee]));
  const recipients = recipientsOf(of.payees);
  const groups = new Map<string, Group>();
  const left_out: LeftOut[] = [];
  for (const payment of of.payments) {
    const { payment_id, payee, gross_minor: amount_minor, withheld_minor } = payment;
    const place = reasonOf(payment, of.year) ?? placeOf(of.division, payees.get(payee)!, withheld_minor);
    if (typeof place === 'string') {
      left_out.push({ reason: place, payment_id, payee, amount_minor, withheld_minor });
      continue;
    }
    const group = recipients.get(payee)!;
    const rate_ppm = place.form === '1042_s' ? payment.rate_ppm : null;
    const key = `${place.form} ${payeeKey(group[0]!)} ${rate_ppm ?? ''}`;
    const found = groups.get(key) ?? { form: place.form, group, rate_ppm, parts: [] };
    found.parts.push({ payment_id, payee, box: place.box, amount_minor, withheld_minor });
    groups.set(key, found);
  }
  const forms = [...groups.values()].flatMap((group) => {
    const { kept, below } = atThreshold(group, of.thresholds, of.year);
    left_out.push(...below.map(({ box: _box, ...part }) => ({ ...part, reason: 'below_threshold' as const })));
    return kept.length === 0 ? [] : [draftOf(group, kept)];
  });
  return { forms: forms.sort(byForm), left_out };
}

function atThreshold({ form, parts }: Group, thresholds: readonly YearEndThreshold[], year: number) {
  const total = new Map<string, bigint>();
  for (const part of parts) total.set(part.box, (total.get(part.box) ?? 0n) + part.amount_minor);
  const withheld = parts.some((part) => part.withheld_minor !== 0n);
  const isKept = (box: string): boolean => withheld || total.get(box)! >= thresholdOf(thresholds, form, box, year);
  return { kept: parts.filter((part) => isKept(part.box)), below: parts.filter((part) => !isKept(part.box)) };
}

function draftOf({ form, group, rate_ppm }: Group, parts: Group['parts']): FormDraft {
  const boxes: Record<string, bigint> = {};
  const payments = new Map<string, FormPayment>();
  for (const { payee: _payee, ...part } of parts) {
    boxes[part.box] = (boxes[part.box] ?? 0n) + part.amount_minor;
    boxes[withheldBox(form)] = (boxes[withheldBox(form)] ?? 0n) + part.withheld_minor;
    const key = `${part.payment_id} ${part.box}`;
    const known = payments.get(key);
    payments.set(key, { ...part, amount_minor: part.amount_minor + (known?.amount_minor ?? 0n),
      withheld_minor: part.withheld_minor + (known?.withheld_minor ?? 0n) });
  }
  const members = group.map(payeeKey).filter((key) => parts.some((part) => part.payee === key));
  return { form, recipient: group[0]!, members, rate_ppm, boxes, payments: [...payments.values()] };
}

function byForm(a: FormDraft, b: FormDraft): number {
  return YEAR_END_FORMS.indexOf(a.form) - YEAR_END_FORMS.indexOf(b.form)
    || (a.recipient.name < b.recipient.name ? -1 : a.recipient.name > b.recipient.name ? 1 : 0)
    || a.recipient.id - b.recipient.id || Number((a.rate_ppm ?? 0n) - (b.rate_ppm ?? 0n));
}

export const PROBLEMS = ['no_tax_form', 'no_tax_id', 'tax_id_digits', 'other_tax_form', 'no_address', 'shared_tax_id',
  'foreign_vendor'] as const;
export type YearEndProblem = (typeof PROBLEMS)[number];

/** Full rate of chapter 3; a lower one is a treaty's and needs a tax id (Instructions for Form 1042-S, box 13e). */
const FULL_RATE_PPM = 300_000n;

/** Details missing for the form of a recipient. */
export function problemsOf(draft: FormDraft, payee: YearEndPayee): YearEndProblem[] {
  if (draft.form === 'royalties') return [];
  const foreign = draft.form === '1042_s';
  const isW9 = payee.tax_form === 'w9';
  const needsId = !foreign || (draft.rate_ppm ?? 0n) < FULL_RATE_PPM;
  return [
    ...(payee.tax_form === 'none' ? ['no_tax_form' as const] : isW9 === foreign ? ['other_tax_form' as const] : []),
    ...(payee.tax_id === null ? (needsId ? ['no_tax_id' as const] : [])
      : !foreign && !/^\d{9}$/.test(payee.tax_id) ? ['tax_id_digits' as const] : []),
    ...(payee.address?.thoroughfare && payee.address.locality ? [] : ['no_address' as const]),
  ];
}
