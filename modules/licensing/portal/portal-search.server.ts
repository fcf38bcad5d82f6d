/**
 * Search over what a customer may see: its productions, their documents, its applications, invoices, orders from the
 * shop and perusals, the shows it may apply for.
 */
import type { ListArgs } from '#kit/endpoint.ts';
import type { WorkContext } from '#server/context.ts';
import { listPage } from '#server/list.ts';
import { foldName } from '#kernel/text/fold.ts';
import { containing, sql, startingWith } from '#server/sql.ts';
import { numbersOf } from '../licenses/license-numbers.server.ts';
import type { PortalHit } from './portal.contract.ts';
import { offered } from './portal-catalogue.server.ts';
import { visibleDocument } from './portal-rows.server.ts';

const SHOWS_APPLIED_FOR = sql`coalesce((select string_agg(s.title, ', ' order by x.rank)
  from license_application_shows x join shows s on s.id = x.show_id
  where x.license_application_id = t.id), 'No show yet')`;
const THINGS_ORDERED = sql`(select string_agg(x.description, ', ' order by x.sort, x.id) from sales_order_lines x
  where x.sales_order_id = t.id)`;

/** Titles that begin with the words come first, then productions before what belongs to them. */
export function searchPortal(ctx: WorkContext, customerId: number, query: ListArgs) {
  const words = query.search ?? '';
  const like = sql`${containing(foldName(words))}`;
  return listPage<PortalHit>(ctx.db, {
    base: sql`(select x.*, row_number() over (order by fold_name(x.title) not like ${startingWith(foldName(words))},
        x.rank, x.title collate "und-x-icu", x.record_id) as id
      from (
        select 1 as rank, 'production' as kind, t.id as record_id, t.title_on_license as title,
          ${numbersOf(sql`t`)} as detail, t.id as license_id
        from licenses t where t.customer_id = ${customerId} and t.phase <> 'draft' and t.deleted_at is null
          and t.search_text like ${like}
        union all
        select 2, 'show', t.id, t.title, t.authors_credit, null from shows t
        where ${offered(customerId)} and t.search_text like ${like}
        union all
        select 3, 'document', t.id, case when t.origin = 'upload' and t.description <> '' then t.description
          else t.type end, n.title_on_license, t.license_id
        from license_documents t join licenses n on n.id = t.license_id
        where n.customer_id = ${customerId} and n.phase <> 'draft' and n.deleted_at is null and ${visibleDocument}
          and (fold_name(t.description) like ${like} or fold_name(replace(t.type, '_', ' ')) like ${like}
            or n.search_text like ${like})
        union all
        select 4, 'invoice', t.id, coalesce(t.invoice_number, 'Payment request'), n.title_on_license, t.license_id
        from invoices t left join licenses n on n.id = t.license_id
        where t.customer_id = ${customerId} and t.status not in ('draft', 'void')
          and (fold_name(t.invoice_number) like ${like} or n.search_text like ${like})
        union all
        select 5, 'application', t.id, ${SHOWS_APPLIED_FOR}, coalesce(t.number, 'Not submitted yet'), null
        from license_applications t
        where t.customer_id = ${customerId} and t.status <> 'converted' and (fold_name(t.number) like ${like}
          or fold_name(${SHOWS_APPLIED_FOR}) like ${like})
        union all
        select 6, 'order', t.id, t.number, ${THINGS_ORDERED}, null
        from sales_orders t
        where t.customer_id = ${customerId} and t.from_portal and (fold_name(t.number) like ${like}
          or fold_name(${THINGS_ORDERED}) like ${like})
        union all
        select 7, 'perusal', t.id, s.title, t.number, null
        from perusals t join shows s on s.id = t.show_id
        where t.customer_id = ${customerId} and (fold_name(t.number) like ${like} or s.search_text like ${like})
      ) x) t`,
    columns: sql`t.kind, t.record_id as id, t.title, t.detail, t.license_id`,
    conditions: [words.trim() === '' ? sql`false` : sql`true`],
    sorts: { relevance: sql`t.id` }, defaultSort: 'relevance',
  }, query, `/api/customers/${customerId}/search`);
}
