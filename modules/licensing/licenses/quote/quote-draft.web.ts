/** A quote while it is typed: what the form holds before anything is stored. */
import type { LicenseRow } from '../license.contract.ts';
import type { PlaceDraft } from './quote-places.web.tsx';

export interface QuoteDraft {
  customer_id: number | null; show_id: number | null; category: LicenseRow['category']; places: readonly PlaceDraft[];
}
