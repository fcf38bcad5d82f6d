/** Shows a customer may apply for, and the facts about the customer's organisation. */
import { refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type * as z from 'zod';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { matches, sql } from '#server/sql.ts';
import type { portalEndpoints, showDetail, showRow } from './portal.contract.ts';
import type { ResponseIn } from '#kit/endpoint.ts';

type ShowRow = z.infer<typeof showRow>;
type ShowDetail = z.infer<typeof showDetail>;
type Information = ResponseIn<typeof portalEndpoints.information>['data'];

const columns = sql`t.id, t.show_code, t.type, t.title, t.authors_credit, t.synopsis, t.year, t.running_time_minutes,
  t.cast_min, t.cast_max, t.age_rating, t.orchestrations,
  (select file_id from show_images i where i.show_id = t.id order by i.sort, i.id limit 1) as image_file_id`;

/** Active shows of one of the customer's divisions. */
export const offered = (customerId: number) => sql`t.active and t.deleted_at is null
  and t.divisions && (select divisions from customers where id = ${customerId})`;

export function showsFor(
  ctx: WorkContext, customerId: number, query: ListArgs & { type?: string | undefined },
): Promise<Page<ShowRow>> {
  return listPage<ShowRow>(ctx.db, {
    base: sql`shows t`, columns, defaultSort: 'title',
    sorts: { title: sql`t.sort_title collate "und-x-icu"`, updated_at: sql`t.updated_at` },
    conditions: compact([offered(customerId), query.type !== undefined && sql`t.type = ${query.type}`,
      query.search !== undefined && matches(sql`t.search_text`, query.search)]),
  }, query, `/api/customers/${customerId}/shows`);
}

export async function showOf(ctx: WorkContext, customerId: number, showId: number): Promise<ShowDetail> {
  const row = await ctx.db.maybeOne<ShowRow>(sql`
    select ${columns} from shows t where t.id = ${showId} and ${offered(customerId)}`);
  if (!row) throw refuse('not_found');
  const customer = await ctx.db.one<{ default_currency: string; default_division: string; category: string }>(sql`
    select default_currency, default_division,
      case when kind = 'professional' then 'Pro' else 'Amateur' end as category
    from customers where id = ${customerId}`);
  const addOns = await ctx.db.query<ShowDetail['add_ons'][number]>(sql`
    select id, name, kind, description, pricing_model, case ${customer.default_currency}::text
      when 'USD' then price_usd_minor when 'EUR' then price_eur_minor else price_gbp_minor end as price_minor,
      rate_ppm as share_ppm,
      ${customer.default_currency}::text as currency
    from add_ons where show_id = ${showId} and active and deleted_at is null
      and ${customer.default_division} = any (divisions)
      and (cardinality(categories) = 0 or ${customer.category} = any (categories))
      and (available_to is null or available_to >= ${await ctx.today(customer.default_division)})
    order by name collate "und-x-icu"`);
  return { ...row, add_ons: addOns };
}

export async function informationOf(ctx: Ctx, customerId: number): Promise<Information> {
  const row = await ctx.db.maybeOne<Omit<Information, 'role'>>(sql`
    select c.id, c.number, c.name, c.legal_name, c.kind, c.status, c.default_division, c.default_currency, c.phone,
      c.website, c.statement_email, c.vat_number, c.payment_terms_days, c.billing_address,
      coalesce((select jsonb_agg(k.name order by k.name) from customer_customer_classifications m
        join customer_classifications k on k.id = m.customer_classification_id where m.customer_id = c.id), '[]')
        as classifications,
      coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name) order by v.name)
        from customer_venues m join venues v on v.id = m.venue_id where m.customer_id = c.id
        and v.deleted_at is null), '[]') as venues
    from customers c where c.id = ${customerId} and c.deleted_at is null`);
  if (!row) throw refuse('not_found');
  return { ...row, role: ctx.user.customers.get(customerId) ?? 'admin' };
}
