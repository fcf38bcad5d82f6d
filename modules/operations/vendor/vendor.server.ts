/** Vendors with their sealed bank details and tax id. */
import { invalidField } from '#kit/errors.ts';
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import { crud } from '#server/crud.ts';
import { refuseInUse } from '#server/record-uses.ts';
import { serve, type Route } from '#server/routes.ts';
import { bankWrittenBy, sealedDetails } from '#server/sealed-details.ts';
import { sql } from '#server/sql.ts';
import { vendor, vendorEndpoints, type VendorRow } from './vendor.contract.ts';

const vendors = crud(vendor, {
  table: 'vendors', search: 'search_text', trash: true,
  extra: { bank_written_by_id: bankWrittenBy('vendor') },
  sorts: { name: sql`t.name collate "und-x-icu"` },
  filter: (query) => [
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.division !== undefined && sql`${query.division} = any (t.divisions)`,
  ],
});

/** Text columns are never null; a vendor of no division would be found by nobody. */
function checked<T extends { divisions?: VendorRow['divisions'] | undefined; notes?: string | null | undefined }>(
  values: T,
): T {
  if (values.divisions?.length === 0) throw invalidField('divisions', 'Choose at least one division');
  return values.notes === null ? { ...values, notes: '' } : values;
}

export const vendorRoutes: Route[] = serve(vendorEndpoints, {
  ...vendors,
  ...sealedDetails({ table: 'vendors', entity: 'vendor', find: vendors.find,
    tell: tellOfBankDetails(vendorEndpoints.verifyBankDetails, '/admin/vendors') }),
  create: (ctx, { body }) => vendors.create(ctx, { body: checked(body) }),
  async remove(ctx, { params }) {
    await vendors.find(ctx.db, params.id, true);
    await refuseInUse(ctx.db, 'vendors', params.id, 'Make it inactive instead.');
    await vendors.remove(ctx, { params });
  },
  update: (ctx, { params, body }) => vendors.update(ctx, { params, body: checked(body) }),
});
