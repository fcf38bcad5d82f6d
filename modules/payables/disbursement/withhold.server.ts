/** Backup withholding of a payment to a vendor: the tax by the setting of the vendor and the rate of the day. */
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { backupWithholding, isWithheldFrom, type BackupReason } from '#kernel/tax/backup-withholding.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { backupRateOn } from '#modules/royalties/royalties.public.server.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface WithheldPayment {
  division: Division;
  currency: string;
  method: string;
  party_type: string;
  party_id: number;
  on: string;
}

/** Rate and first day of a vendor that is withheld from; null: nothing is withheld. */
export interface Withheld { rate_ppm: number; from: string }

interface Setting { name: string; reason: BackupReason; from: string | null }

/** Locked against a change of the setting until the payment is stored. */
async function settingOf(ctx: WorkContext, vendor: number): Promise<Setting> {
  return ctx.db.one<Setting>(sql`
    select name, backup_withholding_reason as reason, backup_withholding_from as from from vendors
    where id = ${currentVendor(sql`${vendor}::bigint`)} for share`);
}

/** Whether tax is withheld from a payment of that day, at whatever rate. */
export async function isWithheld(ctx: WorkContext, of: Omit<WithheldPayment, 'currency'>): Promise<boolean> {
  return of.party_type === 'vendor' && isWithheldFrom(await settingOf(ctx, of.party_id), of);
}

async function rateOf(ctx: WorkContext, of: WithheldPayment): Promise<number | null> {
  if (of.party_type !== 'vendor') return null;
  const setting = await settingOf(ctx, of.party_id);
  if (!isWithheldFrom(setting, of)) return null;
  if (of.currency !== FUNCTIONAL_CURRENCY[of.division]) {
    throw invalidField('parts', `Tax is withheld from payments to ${setting.name}: pay in US dollars`);
  }
  const rate = await backupRateOn(ctx.db, of.division, of.on);
  if (rate !== null) return Number(rate);
  throw conflict('payment.no_withholding_rule', `No withholding rule for vendors is in force on the day of the payment `
    + `to ${setting.name}. Enter one first.`);
}

/** Tax of a payment that settles `gross_minor`. 409 where no rate is in force; 422 at `parts` in another currency. */
export async function withheldFrom(ctx: WorkContext, of: WithheldPayment & { gross_minor: number }): Promise<number> {
  const rate = await rateOf(ctx, of);
  return rate === null ? 0 : Number(backupWithholding(BigInt(of.gross_minor), BigInt(rate)));
}

/** Of payees that a person is about to pay: the rate on their first day of it, or on `on` where that is later. */
export async function withheldOf(ctx: WorkContext, of: Omit<WithheldPayment, 'party_type' | 'party_id' | 'on'>
  & { on: string; vendor_ids: readonly number[] }): Promise<Map<number, Withheld>> {
  const settings = await ctx.db.query<{ id: number; reason: BackupReason; from: string }>(sql`
    select o.id, v.backup_withholding_reason as reason, v.backup_withholding_from as from
    from vendors o join vendors v on v.id = coalesce(o.merged_into_id, o.id)
    where o.id = any (${of.vendor_ids}::bigint[]) and v.backup_withholding_reason <> 'none'`);
  const found = new Map<number, Withheld>();
  for (const { id, reason, from } of settings) {
    const on = from > of.on ? from : of.on;
    if (!isWithheldFrom({ reason, from }, { ...of, on })) continue;
    const rate = await backupRateOn(ctx.db, of.division, on);
    if (rate !== null) found.set(id, { rate_ppm: Number(rate), from });
  }
  return found;
}

interface Stored extends WithheldPayment { party_name: string; amount_minor: number; withheld_minor: number }

/** 409 where the setting of the vendor or the rate says another amount by now. */
export async function refuseOtherWithholding(ctx: WorkContext, payment: Stored): Promise<void> {
  const gross_minor = payment.amount_minor + payment.withheld_minor;
  const due = await withheldFrom(ctx, { ...payment, gross_minor });
  if (due === payment.withheld_minor) return;
  const said = (minor: number): string => formatMoney(minor, payment.currency);
  throw conflict('payment.withholding_changed', `Tax to withhold from ${payment.party_name} is now ${said(due)}, not ${
    said(payment.withheld_minor)}. Save the payment or its run again, and have it approved.`,
  { payee: payment.party_name });
}
