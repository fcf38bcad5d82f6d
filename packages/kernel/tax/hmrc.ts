/**
 * HMRC's VAT (Making Tax Digital) API 1.0, as far as it decides anything: which obligation a return fulfils, whether a
 * return that is there already is the same one, and what a refusal means. Amounts come in pounds.
 */
import { addMonths } from '../calendar/calendar.ts';
import { mtdReturn, type VatBox } from './vat-return.ts';

export interface Obligation {
  readonly start: string;
  readonly end: string;
  readonly due: string;
  /** Open or fulfilled. */
  readonly status: 'O' | 'F';
  /** Four characters; people are never shown them. */
  readonly periodKey: string;
  readonly received?: string | undefined;
}

/** A return as HMRC stores it: the nine boxes by name, with the key of its period. */
export type NineBoxes = Readonly<Record<string, unknown>>;

/** Boxes 1 to 9 by the names of the API. */
const BOX_NAMES = ['vatDueSales', 'vatDueAcquisitions', 'totalVatDue', 'vatReclaimedCurrPeriod', 'netVatDue',
  'totalValueSalesExVAT', 'totalValuePurchasesExVAT', 'totalValueGoodsSuppliedExVAT',
  'totalAcquisitionsExVAT'] as const;

/** Minor units of an amount in pounds with at most two decimals. */
export const penceOf = (pounds: number): number => Math.round(pounds * 100);

/** Body of a submission: the boxes as prepared, declared final. */
export function submissionBody(periodKey: string, boxes: readonly VatBox[]): Record<string, unknown> {
  return mtdReturn(periodKey, boxes, true);
}

/** Numbers of the boxes that differ between what we send and what HMRC has; none: it is the same return. */
export function differingBoxes(ours: NineBoxes, theirs: NineBoxes): number[] {
  return BOX_NAMES.flatMap((name, index) => {
    const [mine, stored] = [ours[name], theirs[name]];
    const same = typeof mine === 'number' && typeof stored === 'number' && penceOf(mine) === penceOf(stored);
    return same ? [] : [index + 1];
  });
}

/** The obligation of exactly these days. */
export function obligationOf(obligations: readonly Obligation[], from: string, to: string): Obligation | null {
  return obligations.find((one) => one.start === from && one.end === to) ?? null;
}

/** Registration number as the API takes it, nine digits; null where the text holds none. */
export function vrnOf(vatNumber: string | null): string | null {
  const plain = (vatNumber ?? '').replace(/[\s.-]/g, '').toUpperCase().replace(/^(GB|XI)/, '');
  return /^\d{9}$/.test(plain) ? plain : null;
}

/** HMRC ends an authorization after 18 months; the token itself is renewed every four hours until then. */
export const authorizationEnd = (grantedOn: string): string => addMonths(grantedOn, 18);

const AGAIN = 'Withdraw the return and prepare it again.';
const REFUSALS: Readonly<Record<string, string>> = {
  VRN_INVALID: 'HMRC does not know the VAT number. Check it under Tax registrations.',
  PERIOD_KEY_INVALID: 'HMRC does not know the period of the return. Withdraw it, and prepare it for the days of an '
    + 'open obligation at HMRC.',
  INVALID_REQUEST: `HMRC could not read the return. ${AGAIN} If that is refused too, copy the boxes by hand.`,
  VAT_TOTAL_VALUE: `Box 3 is not the sum of boxes 1 and 2. ${AGAIN}`,
  VAT_NET_VALUE: `Box 5 is not the difference between boxes 3 and 4. ${AGAIN}`,
  INVALID_NUMERIC_VALUE: `HMRC could not read a box of the return as a number. ${AGAIN}`,
  INVALID_MONETARY_AMOUNT: 'A box of the return has an amount that HMRC does not take. Choose the box to see its '
    + 'documents, and correct the one that is wrong.',
  NOT_FINALISED: 'The return was not declared as final. File it again, and confirm that it is true and complete.',
  DUPLICATE_SUBMISSION: 'HMRC has a return of this period already.',
  TAX_PERIOD_NOT_ENDED: 'For HMRC the period has not ended yet. File it after its last day.',
  CLIENT_OR_AGENT_NOT_AUTHORISED:
    'The HMRC account that was connected may not act for this VAT number, or is not signed up for Making Tax Digital.',
  RULE_INSOLVENT_TRADER: 'HMRC takes no returns of an insolvent business this way.',
  DATE_RANGE_TOO_LARGE: 'HMRC shows returns of the last four years only.',
  MESSAGE_THROTTLED_OUT: 'HMRC takes no more requests at the moment. Try again in a minute.',
  INVALID_CREDENTIALS: 'HMRC no longer accepts the permission that was given. Connect to HMRC again.',
};

/** Why HMRC sent a person back without a permission: what they chose there, else HMRC's own words. */
export function declinedInWords(error: string, description: string): string {
  return error === 'access_denied'
    ? 'HMRC was not given the permission. Connect again, and choose Give permission at HMRC.'
    : `HMRC did not connect the division: ${description === '' ? error : description}`;
}

/** A refusal for people: what HMRC's code means, else HMRC's own words. */
export function refusalInWords(code: string, message: string): string {
  return REFUSALS[code] ?? `HMRC refused it: ${message === '' ? code : message}`;
}
