/** A receipt that is probably recorded already is asked about, never refused and never taken in silence. */
import { conflict } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { ReceiptInput } from '../receivables-types.ts';

/**
 * Same reference, day and amount in the division, or same customer, day and amount: 409 `payment.likely_duplicate` with
 * the receipts it looks like. The customer is locked first, so that two people at once are asked one after the other.
 */
export async function askAboutDuplicates(ctx: WorkContext, input: ReceiptInput): Promise<void> {
  await ctx.db.exec(sql`select 1 from customers where id = ${input.customer_id} for no key update`);
  const reference = (input.reference ?? '').trim();
  const alike = await ctx.db.query<{ id: number; number: string; customer: string; reference: string }>(sql`
    select p.id, p.number, c.name as customer, p.reference from payments p join customers c on c.id = p.customer_id
    where p.direction = 'in' and p.kind = 'receipt' and p.status in ('draft', 'posted', 'cleared')
      and p.deleted_at is null and p.division = ${input.division} and p.currency = ${input.currency}
      and p.amount_minor = ${input.amount_minor} and p.paid_on = ${input.received_on}
      and (p.customer_id = ${input.customer_id} or (${reference} <> '' and lower(p.reference) = lower(${reference})))
    order by p.id limit 5`);
  if (alike.length === 0) return;
  const named = alike.map((one) =>
    `${one.number} (${[one.customer, one.reference].filter((part) => part !== '').join(', ')})`);
  throw conflict('payment.likely_duplicate', `${input.currency} ${formatMinor(BigInt(input.amount_minor))
  } is already recorded for this date: ${named.join(', ')}. Confirm that this is a separate payment.`,
  { receipts: alike });
}
