/**
 * Cells of the CSV of a year-end form by the keys of its layout: heads and order are data of a tax year. Codes of
 * Form 1042-S: income code 12, other royalties (copyright); chapter 3; exemption code 00 where tax is withheld, 04
 * (treaty) at a rate of zero. Chapter 4 does not reach them: exemption code 16, excluded non-financial payment (26 CFR
 * 1.1473-1(a)(4)(iii): payments for the use of property). Status codes of chapter 3 by the kind of recipient; of
 * chapter 4 that of an individual alone, the one of a company is on its own certificate.
 */
import { minorToDecimal } from '../money/money.ts';
import { irsCountry } from './irs-countries.ts';
import { withheldBox, type Boxes, type YearEndForm } from './year-end-forms.ts';

export interface LayoutColumn { readonly key: string; readonly head: string }
interface Person { readonly name: string; readonly tin: string; readonly street: string; readonly town: string }

export interface FormFacts {
  readonly form: YearEndForm;
  readonly year: number;
  /** Number of the form that is filed; 0 for a draft. */
  readonly id: number;
  readonly is_correction: boolean;
  /** Number of corrections so far, this one included. */
  readonly amendment: number;
  readonly account: string;
  readonly payer: Person;
  readonly recipient: Person & { readonly country: string | null; readonly is_us_tin: boolean;
    /** Of a royaltor: person, company, estate and so on. */
    readonly legal_kind: string | null };
  readonly home_country: string;
  readonly rate_ppm: bigint | null;
  readonly boxes: Boxes;
  readonly payments: number;
  readonly currency: string;
}

/** Instructions for Form 1042-S, chapter 3 status codes: corporation, individual, estate. */
const CHAPTER_3: Readonly<Record<string, string>> = { company: '15', person: '16', estate: '17' };
const INDIVIDUAL_OF_CHAPTER_4 = '23';

const percent = (ppm: bigint): string => minorToDecimal(ppm / 100n).padStart(5, '0');

const CELLS: Readonly<Record<string, (of: FormFacts) => string>> = {
  tax_year: (of) => String(of.year),
  form_identifier: (of) => (of.id === 0 ? '' : String(of.id).padStart(10, '0')),
  corrected: (of) => (of.is_correction ? 'X' : ''),
  amendment: (of) => (of.is_correction ? String(of.amendment) : ''),
  account: (of) => of.account,
  payer_name: (of) => of.payer.name, payer_tin: (of) => of.payer.tin,
  payer_street: (of) => of.payer.street, payer_town: (of) => of.payer.town,
  recipient_name: (of) => of.recipient.name,
  recipient_tin: (of) => of.recipient.tin,
  recipient_us_tin: (of) => (of.recipient.is_us_tin ? of.recipient.tin : ''),
  recipient_foreign_tin: (of) => (of.recipient.is_us_tin ? '' : of.recipient.tin),
  recipient_street: (of) => of.recipient.street, recipient_town: (of) => of.recipient.town,
  recipient_country: (of) => (of.form === '1042_s' ? irsCountry(of.recipient.country) : of.recipient.country ?? ''),
  resident: (of) => (of.recipient.country === of.home_country ? 'Yes' : 'No'),
  income_code: () => '12', chapter: () => '3',
  exemption_code: (of) => ((of.rate_ppm ?? 0n) > 0n ? '00' : '04'),
  chapter4_exemption: () => '16', chapter4_rate: () => '00.00',
  chapter3_status: (of) => CHAPTER_3[of.recipient.legal_kind ?? ''] ?? '',
  chapter4_status: (of) => (of.recipient.legal_kind === 'person' ? INDIVIDUAL_OF_CHAPTER_4 : ''),
  tax_rate: (of) => percent(of.rate_ppm ?? 0n),
  payments: (of) => String(of.payments), currency: (of) => of.currency,
  paid: (of) => minorToDecimal((of.boxes['gross'] ?? 0n) - (of.boxes['withheld'] ?? 0n)),
};

/** Every key that a layout of the form may name. */
export const isLayoutKey = (key: string): boolean => key in CELLS || /^box_[a-z0-9]+$/.test(key);

/** A box of the total credit repeats the tax withheld (Form 1042-S, box 10: the sum of boxes 7a, 8 and 9). */
function boxCell(of: FormFacts, box: string): string {
  if (of.form === '1042_s' && box === '10') return minorToDecimal(of.boxes[withheldBox(of.form)] ?? 0n);
  return minorToDecimal(of.boxes[box] ?? 0n);
}

export function cellsOf(columns: readonly LayoutColumn[], of: FormFacts): string[] {
  return columns.map(({ key }) => (CELLS[key] ? CELLS[key](of) : boxCell(of, key.slice('box_'.length))));
}

/** '***-**-1234': the copy of the recipient shows the last four digits alone (26 CFR 301.6109-4). */
export const maskedTin = (last4: string | null): string => (last4 === null ? '' : `***-**-${last4}`);
