/** The documents that payments settle, and their discounts, fit the day on which the money arrives. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney, type Currency } from '#kernel/money/money.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';

export interface ValueDayCheck {
  payment_ids: readonly number[];
  /** Value date of the payments. */
  on: string;
  /** Form field of that day; null: 409, since no form is open. */
  field: string | null;
}

/** Refuses a document of a later day than the money that settles it: such a payment could never be posted. */
export async function refuseLaterDocument(ctx: WorkContext, { payment_ids: ids, on, field }: ValueDayCheck):
Promise<void> {
  const later = await ctx.db.maybeOne<{ document: string; opened_on: string }>(sql`
    select coalesce(d.number, t.description) as document, i.opened_on
    from open_items i join transactions t on t.id = i.transaction_id
      left join lateral ledger_document(i.document_type, i.document_id) d on true
    where i.opened_on > ${on}::date and i.id in (
      select x.open_item_id from payment_parts x where x.payment_id = any (${ids}::bigint[]) and x.state = 'reserved'
      union all select w.id from payable_items w where w.refund_id = any (${ids}::bigint[]))
    order by i.opened_on desc, i.id limit 1`);
  if (!later) return;
  const day = dateInWords(later.opened_on);
  if (field !== null) throw invalidField(field, `${later.document} is dated ${day}. Enter that day or later`);
  throw conflict('payment.dated_later', `${later.document} is dated ${day}, and the money arrives on ${dateInWords(on)
  }. Choose a later value date, or leave it out.`, { document: later.document });
}

/**
 * Early-payment discount of the bill `b` of the payable item `i` on a day, in minor units: of the whole bill, so none
 * where another payment holds or paid part of it. `held` is what the payment in question holds itself.
 */
export const openDiscount = (on: string, held: Sql): Sql => sql`case when b.discount_ppm > 0
    and i.free_minor + ${held} = b.total_minor and b.billed_on + b.discount_days >= ${on}::date
  then round(b.total_minor::numeric * b.discount_ppm / 1000000) else 0 end::bigint`;

interface ExtraDiscount {
  document: string;
  /** Place among the parts of its payment, from 0. */
  position: number;
  currency: Currency;
  discount_minor: number;
  open_minor: number;
  /** Last day of the early-payment discount; null: none was agreed. */
  until: string | null;
}

/** Discounts above the early-payment discount that is open on the day, without a reason. */
function extraDiscounts(ctx: WorkContext, ids: readonly number[], on: string): Promise<ExtraDiscount[]> {
  return ctx.db.query<ExtraDiscount>(sql`
    select * from (select x.id, coalesce(d.number, t.description) as document, i.currency, x.discount_minor::bigint,
        x.discount_reason, (row_number() over (partition by x.payment_id order by x.id) - 1)::int as position,
        ${openDiscount(on, sql`x.amount_minor + x.discount_minor`)} as open_minor,
        case when b.discount_ppm > 0 then (b.billed_on + b.discount_days)::text end as until
      from payment_parts x join payable_items i on i.id = x.open_item_id join transactions t on t.id = i.transaction_id
        left join bills b on i.document_type = 'bill' and b.id = i.document_id
        left join lateral ledger_document(i.document_type, i.document_id) d on true
      where x.payment_id = any (${ids}::bigint[]) and x.state = 'reserved') y
    where y.discount_minor > y.open_minor and y.discount_reason = '' order by y.id`);
}

/** 422 at the reason of a discount that the terms of the document do not give on that day. */
export async function refuseExtraDiscount(ctx: WorkContext, { payment_id, on }: { payment_id: number; on: string }):
Promise<void> {
  const [extra] = await extraDiscounts(ctx, [payment_id], on);
  if (!extra) return;
  const { document, position, currency, open_minor, discount_minor } = extra;
  const open = open_minor === 0 ? 'No discount' : `A discount of ${formatMoney(open_minor, currency)}`;
  throw invalidField(`parts.${position}.discount_reason`, `${open} is open on ${document} on ${dateInWords(on)}. Give `
    + `a reason for ${formatMoney(discount_minor, currency)}`);
}

const termsOf = ({ document, open_minor, currency, until }: ExtraDiscount, on: string): string => {
  if (open_minor > 0) return `${document} has ${formatMoney(open_minor, currency)} until ${dateInWords(until!)}`;
  if (until === null) return `${document} has none`;
  return until < on ? `that of ${document} ended on ${dateInWords(until)}` : `part of ${document} is paid otherwise`;
};

/** 409 that names the bills whose early-payment discount has ended by the day on which the money arrives. */
export async function refuseEndedDiscount(ctx: WorkContext, { payment_ids: ids, on }: {
  payment_ids: readonly number[]; on: string;
}): Promise<void> {
  const extra = await extraDiscounts(ctx, ids, on);
  if (extra.length === 0) return;
  throw conflict('payment.discount_ended', `The money arrives on ${dateInWords(on)}. Early-payment discount: ${
    extra.map((one) => termsOf(one, on)).join('; ')}. Change the payment or its run, or give a reason.`.slice(0, 1000),
  { documents: extra.map((one) => one.document) });
}
