/** Vendors with their sealed bank details and tax id. */
import { invalidField } from '#kit/errors.ts';
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import { crud } from '#server/crud.ts';
import { refuseInUse } from '#server/record-uses.ts';
import { serve, type Route } from '#server/routes.ts';
import { bankPersons, sealedDetails } from '#server/sealed-details.ts';
import { sql } from '#server/sql.ts';
import { vendor, vendorEndpoints, type VendorRow } from './vendor.contract.ts';

const vendors = crud(vendor, {
  table: 'vendors', search: 'search_text', trash: true,
  extra: bankPersons,
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

type FormFacts = Partial<Pick<VendorRow, 'tax_form_type' | 'tax_form_received_on'>>;

/** A day without a form says nothing. */
function withForm<T>(values: T, row: FormFacts): T {
  if (row.tax_form_type === 'none' && (row.tax_form_received_on ?? null) !== null) {
    throw invalidField('tax_form_received_on', 'Choose the form that was received on this day');
  }
  return values;
}

export const vendorRoutes: Route[] = serve(vendorEndpoints, {
  ...vendors,
  ...sealedDetails({ table: 'vendors', entity: 'vendor', find: vendors.find,
    tell: tellOfBankDetails(vendorEndpoints.verifyBankDetails, '/admin/vendors') }),
  create: (ctx, { body }) => vendors.create(ctx, { body: withForm(checked(body), body) }),
  async remove(ctx, { params }) {
    await vendors.find(ctx.db, params.id, true);
    await refuseInUse(ctx.db, 'vendors', params.id, 'Make it inactive instead.');
    await vendors.remove(ctx, { params });
  },
  async update(ctx, { params, body }) {
    const before = await vendors.find(ctx.db, params.id, true) as unknown as VendorRow;
    return vendors.update(ctx, { params, body: withForm(checked(body), {
      tax_form_type: body.tax_form_type ?? before.tax_form_type,
      tax_form_received_on: body.tax_form_received_on === undefined ? before.tax_form_received_on
        : body.tax_form_received_on }) });
  },
});
