/** The bill that pays a filed sales tax return (accounting.md 2.2, event 23): one for each, into the next run. */
import { maxDate } from '#kernel/calendar/calendar.ts';
import type { FilingLine } from '#kernel/tax/filing-calendar.ts';
import { conflict } from '#kit/errors.ts';
import { returnToPay } from '#modules/taxation/taxation.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { billInput } from './bill.contract.ts';
import { enterBill } from './save-bill.server.ts';

const WORDS: Record<FilingLine['what'], string> = { sales_tax: 'Sales tax', use_tax: 'Use tax',
  short: 'Sales tax due at the rates, not collected', discount: 'Vendor discount',
  credit: 'Credit from earlier returns' };

/** Enters the draft; answers its id. Its lines may be corrected until it is approved, as those of every bill. */
export async function billReturn(ctx: Ctx, returnId: number, vendorId: number): Promise<number> {
  const due = await returnToPay(ctx, returnId);
  const known = await ctx.db.maybeOne<{ number: string }>(sql`
    select number from bills where tax_return_id = ${returnId} and deleted_at is null and status <> 'void'`);
  if (known) throw conflict('tax_return.billed', `${known.number} pays this return.`);
  if (due.net_minor <= 0n) {
    throw conflict('tax_return.not_ready', 'Nothing is to be paid on this return.');
  }
  const accounts = await ctx.db.query<{ id: number; system_key: string }>(sql`
    select id, system_key from ledger_accounts where division = ${due.division}
      and system_key in ('sales_tax', 'use_tax', 'small_differences')`);
  const today = await ctx.today(due.division);
  const id = await enterBill(ctx, billInput.parse({
    vendor_id: vendorId, division: due.division, currency: 'USD', billed_on: today,
    due_on: maxDate(due.due_on, today), vendor_number: due.receipt.slice(0, 60), memo: due.title,
    duplicate_confirmed: true,
    lines: due.lines.map((line) => ({
      ledger_account_id: accounts.find((one) => one.system_key === line.account)!.id,
      description: WORDS[line.what], net_minor: Number(line.amount_minor),
      jurisdiction: line.account === 'small_differences' ? null : due.state,
    })),
  }), null);
  await ctx.db.exec(sql`update bills set tax_return_id = ${returnId} where id = ${id}`);
  return id;
}
