/** Implementation of each kind of import. */
import { boxOfficeWork } from './box-office-work.server.ts';
import type { ImportWork } from './import-work.server.ts';
import { agreementWork } from './kinds/agreements.server.ts';
import { customerWork } from './kinds/customers.server.ts';
import type { ImportModel } from './kinds/import-kind.contract.ts';
import { localTaxRateWork } from './kinds/local-tax-rates.server.ts';
import { materialWork } from './kinds/materials.server.ts';
import { royaltorWork } from './kinds/royaltors.server.ts';
import { showWork } from './kinds/shows.server.ts';
import { stockCountWork } from './kinds/stock-counts.server.ts';
import { vendorWork } from './kinds/vendors.server.ts';
import { venueWork } from './kinds/venues.server.ts';

export const IMPORT_WORKS: Record<ImportModel, ImportWork> = {
  box_office_reports: boxOfficeWork, shows: showWork, venues: venueWork, materials: materialWork,
  royaltors: royaltorWork, agreements: agreementWork, stock_counts: stockCountWork,
  customers: customerWork,
  local_tax_rates: localTaxRateWork, vendors: vendorWork,
};
