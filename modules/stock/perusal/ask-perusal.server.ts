/** Asking for a perusal: what of a show can be read, whether one more may be open, the fee as it stands that day. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { OPEN_PERUSALS } from '#kernel/licensing/perusal-machine.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { PerusalFormat, PerusalOptions } from './perusal.contract.ts';
import { tellStaffOfRequest } from './tell-of-perusal.server.ts';

/** With the terms of its perusals (domain.md 7: perusal_terms). */
interface Reader { default_division: string; default_currency: PerusalOptions['currency']; perusal_max_open: number;
  perusal_days_digital: number; perusal_days_physical: number; perusal_fee_minor: number | null }

async function readerOf(db: Queryable, customerId: number): Promise<Reader | null> {
  return db.maybeOne<Reader>(sql`
    select default_division, default_currency, perusal_max_open, perusal_days_digital, perusal_days_physical,
      perusal_fee_minor from customers where id = ${customerId} and deleted_at is null`);
}

/** A material that is sent, with its price, or one that is read on the screen. */
type Material = PerusalOptions['digital'][number] & (
  | PerusalOptions['physical'][number] & { physical: true } | { unit_price_minor: number | null; physical: false });

/** Materials of type perusal: those with pages are read on the screen, those with a price are sent. */
export async function optionsOf(db: Queryable, customerId: number, showId: number): Promise<PerusalOptions> {
  const reader = await readerOf(db, customerId);
  const offered = await db.maybeOne(sql`
    select 1 from shows s join customers c on c.id = ${customerId}
    where s.id = ${showId} and s.active and s.deleted_at is null and s.divisions && c.divisions`);
  if (!reader || !offered) throw refuse('not_found');
  const { default_currency: currency } = reader;
  const rows = await db.query<Material>(sql`
    select * from (select m.id, m.name, m.item_number, m.fulfilment = 'physical' as physical,
        coalesce((select sum(f.pages) from material_files f where f.material_id = m.id and f.removed_at is null),
          0)::int as pages,
        case ${currency}::text when 'USD' then m.price_usd_minor when 'EUR' then m.price_eur_minor
          else m.price_gbp_minor end as unit_price_minor,
        coalesce(case ${currency}::text when 'USD' then m.shipping_usd_minor when 'EUR' then m.shipping_eur_minor
          else m.shipping_gbp_minor end, 0) as shipping_minor
      from materials m where m.show_id = ${showId} and m.type = 'perusal' and m.active and m.deleted_at is null) o
    where o.physical and o.unit_price_minor is not null or not o.physical and o.pages > 0 order by o.item_number`);
  const open = await db.query<{ id: number; show_id: number }>(sql`
    select id, show_id from perusals where customer_id = ${customerId}
      and status = any (${[...OPEN_PERUSALS]}::text[]) order by id desc`);
  return {
    currency, digital: rows.filter((row) => !row.physical), physical: rows.filter((row) => row.physical),
    days_digital: reader.perusal_days_digital, days_physical: reader.perusal_days_physical,
    fee_minor: reader.perusal_fee_minor, most_open: reader.perusal_max_open,
    left: Math.max(0, reader.perusal_max_open - open.length),
    open_id: open.find((row) => row.show_id === showId)?.id ?? null,
  };
}

export interface Request { customer_id: number; show_id: number; material_ids: readonly number[]; format: PerusalFormat;
  message: string }

/** Answers the id of the request. Staff may open one more than the customer could ask for (domain.md 1.4). */
export async function askPerusal(ctx: WorkContext, asked: Request, by: { user_id: number; staff: boolean }) {
  // One after the other: two requests at once must not both be the third.
  await ctx.db.maybeOne(sql`select 1 from customers where id = ${asked.customer_id} for no key update`);
  if (by.staff && !await readerOf(ctx.db, asked.customer_id)) {
    throw invalidField('customer_id', 'This customer does not exist');
  }
  const options = await optionsOf(ctx.db, asked.customer_id, asked.show_id).catch((error: unknown) => {
    throw by.staff ? invalidField('show_id', 'This show is not offered to this customer') : error;
  });
  if (!by.staff && options.open_id !== null) {
    throw conflict('perusal.open_already', 'A perusal of this show is open already.', { perusal_id: options.open_id });
  }
  if (!by.staff && options.left === 0) {
    throw conflict('perusal.too_many', options.most_open === 0
      ? spell`Your organization reads on request only. Write to us, and we open a perusal for you.`
      : options.most_open === 1 ? 'One perusal is open. It has to end first.'
        : `${options.most_open} perusals are open. One has to end first.`);
  }
  const chosen = [...new Set(asked.material_ids)].map((id, at) => {
    const found = asked.format === 'digital' ? options.digital.find((one) => one.id === id)
      : options.physical.find((one) => one.id === id);
    if (!found) {
      throw invalidField(`material_ids.${at}`, asked.format === 'digital' ? 'This cannot be read on the screen'
        : 'This is not sent as a perusal');
    }
    // Reading on screen is free.
    return 'unit_price_minor' in found && asked.format === 'physical' ? found
      : { ...found, unit_price_minor: 0, shipping_minor: 0 };
  });
  const id = await store(ctx, { asked, options, chosen, userId: by.user_id });
  await ctx.audit({ action: 'request', entity: 'perusal', entity_id: id, after: asked });
  if (!by.staff) await tellStaffOfRequest(ctx, id);
  return id;
}

interface Stored { asked: Request; options: PerusalOptions; userId: number;
  chosen: readonly { id: number; unit_price_minor: number; shipping_minor: number }[] }

async function store(ctx: WorkContext, { asked, options, chosen, userId }: Stored): Promise<number> {
  const priced = chosen.map((one, at) => ({ ...one, unit_price_minor: feeOfPart(asked, options, one, at) }));
  const sum = (key: 'unit_price_minor' | 'shipping_minor') => priced.reduce((all, one) => all + one[key], 0);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into perusals (customer_id, requested_by_id, show_id, division, format, days, message, currency,
      fee_minor, shipping_minor, created_at)
    select ${asked.customer_id}, ${userId}, ${asked.show_id}, c.default_division, ${asked.format},
      ${asked.format === 'digital' ? options.days_digital : options.days_physical}, ${asked.message},
      ${options.currency}, ${sum('unit_price_minor')}, ${sum('shipping_minor')}, ${ctx.now().toISOString()}::timestamptz
    from customers c where c.id = ${asked.customer_id} returning id`);
  for (const [sort, one] of priced.entries()) {
    await ctx.db.exec(sql`
      insert into perusal_materials (perusal_id, material_id, sort, unit_price_minor, shipping_minor)
      values (${id}, ${one.id}, ${sort}, ${one.unit_price_minor}, ${one.shipping_minor})`);
  }
  return id;
}

/** One fee for the whole parcel, where the customer's terms have one, stands with its first book. */
function feeOfPart(asked: Request, { fee_minor }: PerusalOptions, part: { unit_price_minor: number }, at: number) {
  if (asked.format === 'digital' || fee_minor === null) return part.unit_price_minor;
  return at === 0 ? fee_minor : 0;
}
