/** Discounts and box-office reports that wait for a decision, as the approvals inbox lists them. */
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';
import { DISCOUNT_ALONE_PPM } from './licenses/pricing/price-license.server.ts';

/** As `discountNeedsApproval` decides for one licence. */
const aboveLimit = sql`l.discount_type is not null and l.discount_approved_by_id is null and case l.discount_type
  when 'percent' then l.discount_ppm > ${Number(DISCOUNT_ALONE_PPM)}
  else l.discount_amount_minor > round((l.royalty_total_minor + l.discount_amount_minor)
    * ${Number(DISCOUNT_ALONE_PPM)} / 1000000.0) end`;

export const waitingDiscounts = (): Sql => waitingRows('discount', {
  from: sql`from licenses l join customers c on c.id = l.customer_id left join lateral (
      select e.actor_id, e.created_at from license_events e where e.license_id = l.id and e.event = 'discount'
      order by e.id desc limit 1) asked on true
    where l.phase = 'draft' and l.deleted_at is null and ${aboveLimit}`,
  entity_id: sql`l.id`, division: sql`l.division`,
  title: sql`case l.discount_type when 'percent'
    then trim_scale(l.discount_ppm / 10000.0) || '% discount: ' else 'Discount: ' end || l.title_on_license`,
  detail: sql`concat_ws(' · ', c.name, l.number, coalesce(nullif(l.discount_internal_reason, ''), l.discount_reason))`,
  currency: sql`l.currency`,
  // As priced last; a draft without a price has none.
  amount_minor: sql`(select (s.step ->> 'result_minor')::bigint
    from jsonb_array_elements(l.calculation_trace) with ordinality s (step, n)
    where s.step ->> 'step' = 'discount' order by s.n desc limit 1)`,
  asked_by_id: sql`asked.actor_id`, asked_at: sql`coalesce(asked.created_at, l.updated_at)`,
  href: sql`'/admin/quotes/' || l.id || '/price'`,
  params: sql`jsonb_build_object('licenseId', l.id)`,
  approve_body: sql`jsonb_build_object('version', l.version)`,
  decline_body: sql`jsonb_build_object('version', l.version)`,
});

export const waitingReports = (): Sql => waitingRows('box_office_report', {
  from: sql`from box_office_reports b join licenses l on l.id = b.license_id join customers c on c.id = l.customer_id
      left join license_venues v on v.id = b.license_venue_id
    where b.division = any (${everyDivision}) and b.status = 'submitted'`,
  entity_id: sql`b.id`, division: sql`b.division`,
  title: sql`case when b.held then 'Held box-office report: ' else 'Box-office report: ' end || l.title_on_license`,
  detail: sql`concat_ws(' · ', c.name, v.name, to_char(b.period_from, 'Mon FMDD, YYYY') || ' to '
    || to_char(b.period_to, 'Mon FMDD, YYYY'))`,
  currency: sql`b.currency`, amount_minor: sql`b.gross_minor`,
  asked_by_id: sql`b.submitted_by_id`, asked_at: sql`b.submitted_at`,
  href: sql`'/admin/sales-and-royalties/box-office/' || b.id`,
  params: sql`jsonb_build_object('licenseId', b.license_id, 'id', b.id)`,
  approve_body: sql`jsonb_build_object('version', b.version, 'event', 'accept')`,
  decline_body: sql`jsonb_build_object('version', b.version, 'event', 'query')`,
  blocked: sql`case when b.held then 'Answer the questions on this report first' end`,
});
