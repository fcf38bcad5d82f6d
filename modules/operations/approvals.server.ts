/** Bank details of vendors that wait for a second person. */
import { waitingBankDetails } from '#server/sealed-details.ts';
import { sql, type Sql } from '#server/sql.ts';

export const waitingVendorBank = (): Sql => waitingBankDetails('vendor_bank', 'vendors',
  { href: '/admin/vendors/', division: sql`case when cardinality(t.divisions) = 1 then t.divisions[1] end` });
