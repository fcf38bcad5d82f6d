/** The one address of a licence for staff: a quote until it is licensed, then under its customer (gaps G20). */

/** Phases in which a licence is an offer still, or has ended as one. */
export const QUOTE_PHASES: readonly string[] = ['draft', 'sent', 'accepted', 'expired', 'declined'];

export interface AddressedLicense { readonly id: number; readonly phase: string; readonly customer_id: number }

export function licenseAddress({ id, phase, customer_id }: AddressedLicense): string {
  return QUOTE_PHASES.includes(phase) ? `/admin/quotes/${id}` : `/admin/customers/${customer_id}/productions/${id}`;
}

/** The number that is valid now, and the one it had before: the quote's, once a licence was issued. */
export function licenseNumbers(license: { readonly number: string; readonly license_number: string | null }):
{ now: string; former: string | null } {
  return license.license_number === null ? { now: license.number, former: null }
    : { now: license.license_number, former: license.number };
}

/** The same in a sentence: 'L-US-2026-0001 (formerly Q-US-2026-0004)'. */
export function numbersInWords(license: Parameters<typeof licenseNumbers>[0]): string {
  const { now, former } = licenseNumbers(license);
  return former === null ? now : `${now} (formerly ${former})`;
}
