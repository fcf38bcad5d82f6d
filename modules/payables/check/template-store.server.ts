/** The stored template of a bank account's checks, with the font of its magnetic line. */
import { CHASE_LAYOUT } from '#kernel/payment-files/positive-pay.ts';
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { CheckTemplate } from './check-template.contract.ts';

const INITIAL: Omit<CheckTemplate, 'bank_account_id'> = {
  is_blank_stock: false, offset_x_mm: 0, offset_y_mm: 0, second_signature_above_minor: null, micr_signs: 'letters',
  micr_font: null, positive_pay: CHASE_LAYOUT as CheckTemplate['positive_pay'], version: 0,
};

/** 404 where there is no such account. */
export async function templateOf({ db }: Pick<WorkContext, 'db'>, account: number): Promise<CheckTemplate> {
  const exists = await db.maybeOne(sql`select 1 from bank_accounts where id = ${account} and deleted_at is null`);
  if (!exists) throw refuse('not_found');
  const row = await db.maybeOne<CheckTemplate>(sql`
    select t.bank_account_id, t.is_blank_stock, t.offset_x_mm::float8 as offset_x_mm,
      t.offset_y_mm::float8 as offset_y_mm, t.second_signature_above_minor::bigint as second_signature_above_minor,
      t.micr_signs, t.positive_pay, t.version, f.original_name as micr_font
    from check_templates t left join files f on f.id = t.micr_font_id where t.bank_account_id = ${account}`);
  return row ?? { ...INITIAL, bank_account_id: account };
}

/** Bytes of the font that the house uploaded; null: no magnetic line. */
export async function fontOf(ctx: WorkContext, account: number): Promise<Buffer | null> {
  const row = await ctx.db.maybeOne<{ storage_key: string }>(sql`
    select f.storage_key from check_templates t join files f on f.id = t.micr_font_id
    where t.bank_account_id = ${account}`);
  if (!row) return null;
  return ctx.ports.files.get(row.storage_key);
}
