/** Location of a license: among the quotes, or as a production of its customer. Same record, same screens. */
import { licenseAddress } from '#kernel/licensing/license-address.ts';
import type { LicenseRow } from './license.contract.ts';
import { useParams } from '#web/navigation/navigation.tsx';

export interface LicensePlace {
  id: number;
  kind: 'quote' | 'production';
  /** Address of the record without its tab. */
  base: string;
  /** Target of Back. */
  back: string;
  /** The customer that the address names: below another's there is no such record. */
  customer_id: number | null;
}

export function useLicensePlace(): LicensePlace {
  const { quoteId, productionId, customerId } = useParams();
  if (quoteId !== undefined) {
    return { id: Number(quoteId), kind: 'quote', base: `/admin/quotes/${quoteId}`, back: '/admin/quotes',
      customer_id: null };
  }
  const base = `/admin/customers/${customerId}/productions/${productionId}`;
  return { id: Number(productionId), kind: 'production', base, back: '/admin/productions',
    customer_id: Number(customerId) };
}

/** Address of a licence: offers among the quotes, everything licensed under its customer (gaps G20). */
export function licenseHref(license: Pick<LicenseRow, 'id' | 'phase' | 'customer_id'>): string {
  return licenseAddress(license);
}
