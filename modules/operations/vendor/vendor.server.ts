/** Vendors with their sealed bank details and tax id. */
import type * as z from 'zod';
import { invalidField, refuse } from '#kit/errors.ts';
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, type Plan, type Planned } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
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
    query.unmerged === true && sql`t.merged_into_id is null`,
  ],
});

/** Text columns are never null; a vendor of no division would be found by nobody. */
function checked<T extends { divisions?: VendorRow['divisions'] | undefined; notes?: string | null | undefined }>(
  values: T,
): T {
  if (values.divisions?.length === 0) throw invalidField('divisions', 'Choose at least one division');
  return values.notes === null ? { ...values, notes: '' } : values;
}

type FormFacts = Partial<Pick<VendorRow, 'tax_form_type' | 'tax_form_received_on' | 'tax_1099_category'
  | 'backup_withholding_reason' | 'backup_withholding_from'>>;
const FORM_FIELDS = ['tax_form_type', 'tax_form_received_on', 'tax_1099_category', 'backup_withholding_reason',
  'backup_withholding_from'] as const;

/** A day without a form or a reason says nothing; tax is withheld from what a 1099 reports. */
function withForm<T>(values: T, row: FormFacts): T {
  if (row.tax_form_type === 'none' && (row.tax_form_received_on ?? null) !== null) {
    throw invalidField('tax_form_received_on', 'Choose the form that was received on this day');
  }
  const from = row.backup_withholding_from ?? null;
  if ((row.backup_withholding_reason ?? 'none') === 'none') {
    if (from !== null) throw invalidField('backup_withholding_from', 'Choose why tax is withheld from this day');
    return values;
  }
  if (from === null) throw invalidField('backup_withholding_from', 'Enter the first day of the withholding');
  if (row.tax_form_type?.startsWith('w8')) {
    throw invalidField('backup_withholding_reason', 'A vendor with a W-8 form is not subject to backup withholding');
  }
  if ((row.tax_1099_category ?? 'none') === 'none') {
    throw invalidField('tax_1099_category', 'Choose the form that reports the tax withheld');
  }
  return values;
}

/** Tax that was withheld is reported on the form of the vendor. */
async function refuseUnreported(db: Queryable, id: number, category: string): Promise<void> {
  if (category === 'none' && await db.maybeOne(sql`
    select 1 from payments where vendor_id = ${id} and withheld_minor > 0 and status in ('posted', 'cleared')`)) {
    throw invalidField('tax_1099_category', 'Tax was withheld from this vendor: choose the form that reports it');
  }
}

type VendorInput = z.output<typeof vendor.create>;
type VendorChange = { [K in keyof VendorInput]?: VendorInput[K] | undefined };

/** A new vendor without bank details; imports come through here too. */
export async function createVendor(ctx: WorkContext, body: VendorInput): Promise<VendorRow> {
  const { data } = await vendors.create(ctx as Ctx, { body: withForm(checked(body), body) });
  return data as VendorRow;
}

/** As the call of changing does it; imports come through here too. 412 where the version is not the stored one. */
export async function updateVendor(
  ctx: WorkContext, id: number, body: VendorChange & { version: number },
): Promise<VendorRow> {
  const before = await vendors.find(ctx.db, id, true);
  const after = { ...before, ...Object.fromEntries(FORM_FIELDS.filter((name) => body[name] !== undefined)
    .map((name) => [name, body[name]])) } as VendorRow;
  await refuseUnreported(ctx.db, id, after.tax_1099_category);
  const { data } = await vendors.update(ctx as Ctx, { params: { id }, body: withForm(checked(body), after) });
  return data as VendorRow;
}

/** Dry run: the errors that {@link createVendor} and {@link updateVendor} would return for each row, for imports. */
export const rehearseVendors = (db: Queryable, plans: readonly Plan[]) =>
  vendors.rehearse(db, plans, (row) => row, () => Promise.resolve(
    ({ values, row }: Planned<VendorRow>) => { withForm(checked(values as VendorChange), row); }));

export const vendorRoutes: Route[] = serve(vendorEndpoints, {
  ...vendors,
  ...sealedDetails({ table: 'vendors', entity: 'vendor', find: vendors.find,
    tell: tellOfBankDetails(vendorEndpoints.verifyBankDetails, '/admin/vendors') }),
  create: async (ctx, { body }) => ({ data: await createVendor(ctx, body) }),
  async remove(ctx, { params }) {
    await vendors.find(ctx.db, params.id, true);
    await refuseInUse(ctx.db, 'vendors', params.id, 'Make it inactive instead.');
    await vendors.remove(ctx, { params });
  },
  trash: (ctx, { query }) => vendors.trash(ctx, { query: { ...query, unmerged: true } }),
  async restore(ctx, { params }) {
    const merged = await ctx.db.maybeOne<{ name: string }>(sql`
      select i.name from vendors v join vendors i on i.id = v.merged_into_id where v.id = ${params.id}`);
    if (merged) throw refuse('in_use', `It was merged into ${merged.name} and cannot be restored.`);
    return vendors.restore(ctx, { params });
  },
  update: async (ctx, { params, body }) => ({ data: await updateVendor(ctx, params.id, body) }),
});
