/** A bill that is probably here already is asked about, never refused and never taken in silence. */
import { conflict } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface BillIdentity {
  /** Null for a new bill. */
  id: number | null;
  kind: string;
  vendor_id: number;
  vendor_number: string;
  currency: string;
  billed_on: string;
  total_minor: number;
}

/**
 * Same vendor and number, or same vendor, date and amount: 409 `bill.likely_duplicate` with the bills it looks like.
 * The vendor is locked first, so that two people at once are asked one after the other.
 */
export async function askAboutDuplicates(ctx: WorkContext, bill: BillIdentity): Promise<void> {
  await ctx.db.exec(sql`select 1 from vendors where id = ${bill.vendor_id} for no key update`);
  const key = bill.vendor_number.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
  const alike = await ctx.db.query<{ id: number; number: string; vendor_number: string; total_minor: number }>(sql`
    select b.id, b.number, b.vendor_number, b.total_minor from bills b
    where b.vendor_id in ${vendorAndMerged(bill.vendor_id)} and b.kind = ${bill.kind} and b.status <> 'void'
      and b.deleted_at is null and b.id is distinct from ${bill.id} and ((${key} <> '' and b.vendor_key = ${key})
        or (b.billed_on = ${bill.billed_on} and b.currency = ${bill.currency}
          and b.total_minor = ${bill.total_minor} and b.total_minor <> 0))
    order by b.id limit 5`);
  if (alike.length === 0) return;
  const named = alike.map((one) => `${one.number} (${[one.vendor_number, `${bill.currency} ${
    formatMinor(BigInt(one.total_minor))}`].filter((part) => part !== '').join(', ')})`);
  throw conflict('bill.likely_duplicate', `This looks like a bill that is entered already: ${named.join(', ')
  }. Confirm that it is another one.`, { bills: alike });
}
