/**
 * Backup withholding from payments to US vendors (26 U.S.C. 3406(a)(1)(A) and (B); IRS Publication 1281): of what Form
 * 1099-NEC or 1099-MISC reports, where the vendor gave no taxpayer number or the IRS notified the payer that the number
 * is wrong. Payments by card are the processor's to report, and to withhold from.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';
import { applyPpm } from '../money/money.ts';
import { isUsDivision } from './year-end-forms.ts';

export const BACKUP_REASONS = ['none', 'no_tin', 'b_notice'] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

/** Setting of a vendor: from a day on, until the reason is `none` again. */
export interface BackupSetting { readonly reason: BackupReason; readonly from: IsoDate | null }

/** A foreign vendor (W-8) and one that no form reports are outside of it. */
export function isReportable(vendor: { tax_form_type: string; tax_1099_category: string }): boolean {
  return vendor.tax_1099_category !== 'none' && !vendor.tax_form_type.startsWith('w8');
}

/** Reported, without a W-9 or without the number that belongs on it, and not withheld from. */
export function isSuggested(vendor: {
  tax_form_type: string; tax_1099_category: string; tin_last4: string | null; backup_withholding_reason: string;
}): boolean {
  return vendor.backup_withholding_reason === 'none' && isReportable(vendor)
    && (vendor.tax_form_type === 'none' || vendor.tin_last4 === null);
}

export function isWithheldFrom(setting: BackupSetting, of: { division: Division; method: string; on: IsoDate }):
boolean {
  return setting.reason !== 'none' && setting.from !== null && setting.from <= of.on
    && isUsDivision(of.division) && of.method !== 'card';
}

/** Tax of a payment: the rate of all that it settles, net of credits and discounts. */
export function backupWithholding(gross: bigint, ratePpm: bigint): bigint {
  return gross > 0n ? applyPpm(gross, ratePpm) : 0n;
}

/** Rate of rules for vendors on a day: of several the one that began last; null: none is in force. */
export function backupRate(
  rules: readonly { rate_ppm: bigint; valid_from: IsoDate; valid_to: IsoDate | null }[], on: IsoDate,
): bigint | null {
  return rules.filter((rule) => rule.valid_from <= on && (rule.valid_to === null || rule.valid_to >= on))
    .reduce<(typeof rules)[number] | null>((last, one) => (last && last.valid_from > one.valid_from ? last : one), null)
    ?.rate_ppm ?? null;
}
