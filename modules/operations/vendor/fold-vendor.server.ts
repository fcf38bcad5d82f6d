/** One vendor becomes part of another: what only one of them knows is kept, bank details wait for a second person. */
import { invalidField } from '#kit/errors.ts';
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { seal, unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import { vendorEndpoints } from './vendor.contract.ts';

interface Stored {
  id: number; number: string; name: string; divisions: string[]; active: boolean; version: number;
  tax_1099_category: string; tax_form_type: string; backup_withholding_reason: string;
  bank_account_encrypted: Buffer | null; bank_routing_encrypted: Buffer | null; bank_key_id: string | null;
  bank_kind: string | null; bank_country: string | null; bank_holder: string | null; bank_is_savings: boolean;
  bank_account_last4: string | null;
  tin_encrypted: Buffer | null; tin_key_id: string | null; tin_last4: string | null;
}

/** Both, locked in the order of their ids; null where one is in the trash or merged. */
export async function lockVendorPair(ctx: WorkContext, ids: readonly [number, number]):
Promise<readonly [Stored, Stored] | null> {
  await ctx.db.query(sql`select 1 from vendors where id = any (${ids}::bigint[]) order by id for update`);
  const rows = await ctx.db.query<Stored>(sql`
    select id, number, name, divisions, active, version, tax_1099_category, tax_form_type, backup_withholding_reason,
      bank_account_encrypted, bank_routing_encrypted, bank_key_id, bank_kind, bank_country, bank_holder,
      bank_is_savings, bank_account_last4, tin_encrypted, tin_key_id, tin_last4
    from vendors where id = any (${ids}::bigint[]) and deleted_at is null`);
  const [from, into] = ids.map((id) => rows.find((row) => row.id === id));
  return from && into ? [from, into] : null;
}

const open = (ctx: WorkContext, of: Stored, field: 'bank_account' | 'bank_routing' | 'tin'): string | null => {
  const bytes = of[`${field}_encrypted`];
  const key_id = field === 'tin' ? of.tin_key_id : of.bank_key_id;
  return bytes === null || key_id === null ? null
    : unseal(ctx.ports.settings, `vendor:${of.id}:${field}`, { bytes, key_id });
};

/** Year-end forms and withholding go by the vendor: two that differ there are not one taxpayer. 422 at the field. */
export function refuseOtherTaxpayer(ctx: WorkContext, from: Stored, into: Stored): void {
  const refuse = (text: string): never => { throw invalidField('into_vendor_id', text); };
  const [one, other] = [open(ctx, from, 'tin'), open(ctx, into, 'tin')];
  const digits = (tin: string): string => tin.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
  if (one !== null && other !== null && digits(one) !== digits(other)) {
    refuse(`${into.name} has another tax ID: the two are different taxpayers`);
  }
  if (from.tax_1099_category !== into.tax_1099_category) {
    refuse(`The year-end reports of the two differ. Choose the same one for both first`);
  }
  if (from.backup_withholding_reason !== into.backup_withholding_reason) {
    refuse(`Tax is withheld from one of the two only. Make the setting the same for both first`);
  }
}

const bankOf = (ctx: WorkContext, of: Stored): string => JSON.stringify([open(ctx, of, 'bank_account'),
  open(ctx, of, 'bank_routing'), of.bank_kind, of.bank_country, of.bank_holder]);

/**
 * Details that differ are sealed again, so that they count as changed by this person: another one confirms them before
 * the next payment. True where they wait for that.
 */
async function foldBank(ctx: WorkContext, from: Stored, into: Stored): Promise<boolean> {
  if (from.bank_account_encrypted === null) return false;
  const kept = into.bank_account_encrypted === null ? from : into;
  if (kept === into && bankOf(ctx, from) === bankOf(ctx, into)) return false;
  const account = seal(ctx.ports.settings, `vendor:${into.id}:bank_account`, open(ctx, kept, 'bank_account')!);
  const routing = open(ctx, kept, 'bank_routing');
  const routed = routing === null ? null : seal(ctx.ports.settings, `vendor:${into.id}:bank_routing`, routing);
  await ctx.db.exec(sql`
    update vendors set bank_account_encrypted = ${account.bytes}, bank_routing_encrypted = ${routed?.bytes ?? null},
      bank_key_id = ${account.key_id}, bank_account_last4 = ${kept.bank_account_last4}, bank_kind = ${kept.bank_kind},
      bank_country = ${kept.bank_country}, bank_holder = ${kept.bank_holder}, bank_is_savings = ${kept.bank_is_savings},
      bank_details_changed_by_id = ${ctx.actor.actor_id}, bank_details_changed_at = ${ctx.now().toISOString()}
    where id = ${into.id}`);
  await ctx.audit({ action: 'set_bank_details', entity: 'vendor', entity_id: into.id,
    before: { bank_account_last4: into.bank_account_last4 }, after: { bank_account_last4: kept.bank_account_last4 } });
  await tellOfBankDetails(vendorEndpoints.verifyBankDetails, '/admin/vendors')(ctx, { kind: 'written', id: into.id,
    name: into.name, written_by_id: ctx.actor.actor_id, reason: '' });
  return true;
}

async function foldTaxId(ctx: WorkContext, from: Stored, into: Stored): Promise<void> {
  const tin = open(ctx, from, 'tin');
  if (tin === null || into.tin_encrypted !== null) return;
  const sealed = seal(ctx.ports.settings, `vendor:${into.id}:tin`, tin);
  await ctx.db.exec(sql`update vendors set tin_encrypted = ${sealed.bytes}, tin_key_id = ${sealed.key_id},
    tin_last4 = ${from.tin_last4} where id = ${into.id}`);
  await ctx.audit({ action: 'set_tax_id', entity: 'vendor', entity_id: into.id, before: { tin_last4: null },
    after: { tin_last4: from.tin_last4 } });
}

/** Both are locked. Empty fields of the remaining vendor are filled; the other one is removed for good. */
export async function foldVendor(ctx: WorkContext, from: Stored, into: Stored): Promise<{ is_bank_waiting: boolean }> {
  const is_bank_waiting = await foldBank(ctx, from, into);
  await foldTaxId(ctx, from, into);
  await ctx.db.exec(sql`
    update vendors i set legal_name = coalesce(i.legal_name, f.legal_name), email = coalesce(i.email, f.email),
      contact_name = coalesce(i.contact_name, f.contact_name), phone = coalesce(i.phone, f.phone),
      website = coalesce(i.website, f.website), address = coalesce(i.address, f.address),
      vat_number = coalesce(i.vat_number, f.vat_number),
      tax_form_type = case when i.tax_form_type = 'none' then f.tax_form_type else i.tax_form_type end,
      tax_form_received_on = case when i.tax_form_type = 'none' then f.tax_form_received_on
        else i.tax_form_received_on end,
      divisions = array(select distinct unnest(i.divisions || f.divisions) order by 1), version = i.version + 1
    from vendors f where f.id = ${from.id} and i.id = ${into.id}`);
  await ctx.db.exec(sql`
    update vendors set merged_into_id = ${into.id}, active = case when id = ${from.id} then false else active end,
      deleted_at = coalesce(deleted_at, ${ctx.now().toISOString()}), version = version + 1
    where id = ${from.id} or merged_into_id = ${from.id}`);
  return { is_bank_waiting };
}
