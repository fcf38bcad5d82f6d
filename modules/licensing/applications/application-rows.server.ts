/** Rows of applications: lists, the whole record for staff, the same without internal parts for the customer. */
import {
  APPLICATION_MACHINE, APPLICATION_STATUS_LABELS,
} from '#kernel/licensing/application-machine.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { exemptionsOf } from '#modules/taxation/taxation.public.server.ts';
import { withCounterRole, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { publicPrice } from '../licenses/pricing/price-answer.server.ts';
import type { ApplicationDetail, ApplicationRow, CustomerApplication } from './application.contract.ts';
import { alternativesOf, outlookOf, warningsOf } from './application-outlook.server.ts';
import { sharedMemos } from '../memos/shared-memos.server.ts';
import {
  applicationAddOns, applicationShows, applicationVenues, findApplication,
} from './application-record.server.ts';

export const applicationColumns = sql`t.id, t.number, t.status, t.status as status_label, t.source, t.customer_id,
  c.name as customer_name, t.division, t.category, t.currency,
  coalesce((select string_agg(s.title, ', ' order by x.rank) from license_application_shows x
    join shows s on s.id = x.show_id where x.license_application_id = t.id), '') as show_titles,
  t.first_performance_on, t.last_performance_on, t.number_of_performances,
  coalesce((select string_agg(v.name, ', ' order by v.sort, v.id) from license_application_venues v
    where v.license_application_id = t.id), '') as venue_names,
  t.license_rep_id, r.first_name || ' ' || r.last_name as license_rep_name, t.sla_due_at,
  t.sla_paused_at is not null as sla_paused, t.submitted_at, u.first_name || ' ' || u.last_name as submitted_by_name,
  t.decided_at, t.version, t.created_at, t.updated_at`;
export const applicationJoins = sql`join customers c on c.id = t.customer_id
  left join users r on r.id = t.license_rep_id left join users u on u.id = t.submitted_by_user_id`;
export const applicationSorts = {
  updated_at: sql`t.updated_at`, submitted_at: sql`t.submitted_at`, number: sql`t.number`,
  first_performance_on: sql`t.first_performance_on`, sla_due_at: sql`t.sla_due_at`,
  customer_name: sql`(select name from customers where id = t.customer_id) collate "und-x-icu"`,
};

export function labelledApplications(rows: ApplicationRow[]): ApplicationRow[] {
  return rows.map((row) => ({ ...row, status_label: APPLICATION_STATUS_LABELS[row.status] }));
}

type Extra = Pick<ApplicationDetail, 'customer_classification_id' | 'organisation_type' | 'producing_organisation'
  | 'union_status' | 'is_free_admission' | 'cast_size' | 'orchestration' | 'needs_streaming' | 'needs_video' | 'purpose'
  | 'message' | 'clearance_expected_on' | 'decision_reason_code' | 'decision_note' | 'override_reason'>;

export async function applicationDetail(ctx: WorkContext, id: number): Promise<ApplicationDetail> {
  const application = await findApplication(ctx, id);
  const row = await ctx.db.one<ApplicationRow & Extra>(sql`
    select ${applicationColumns}, t.customer_classification_id, t.organisation_type, t.producing_organisation,
      t.union_status, t.is_free_admission, t.cast_size, t.orchestration, t.needs_streaming, t.needs_video, t.purpose,
      t.message, t.clearance_expected_on, t.decision_reason_code, t.decision_note, t.override_reason
    from license_applications t ${applicationJoins} where t.id = ${id}`);
  const shows = await applicationShows(ctx, id);
  return {
    ...labelledApplications([row])[0]! as ApplicationRow & Extra,
    shows, license_venues: await applicationVenues(ctx, id), add_ons: await applicationAddOns(ctx, application),
    warnings: await warningsOf(ctx, application),
    tax_exemptions: await exemptionsOf(ctx, application.customer_id, application.division),
    licenses: await ctx.db.query(sql`
      select id, number, phase, title_on_license as title from licenses
      where license_application_id = ${id} and deleted_at is null order by id`),
    information_requests: await ctx.db.query(sql`
      select id, message, fields, answer, answered_at, created_at from license_application_information_requests
      where license_application_id = ${id} order by created_at desc, id desc`),
    events: await ctx.db.query(sql`
      select e.id, e.event, e.from_status, e.to_status, a.first_name || ' ' || a.last_name as actor_name, e.reason,
        e.created_at
      from license_application_events e left join users a on a.id = e.actor_id
      where e.license_application_id = ${id} order by e.created_at desc, e.id desc`),
    allowed_events: allowedEvents(APPLICATION_MACHINE, application.status),
    outlook: await withCounterRole(ctx, (house) => outlookOf(house, application, shows)),
    alternatives: await withCounterRole(ctx, (house) => alternativesOf(house, application, shows)),
  };
}

const CUSTOMER_EVENTS = ['submit', 'respond', 'withdraw'];

/** The same record as its customer reads it: public reasons and amounts, licences that are no drafts. */
export async function customerView(ctx: WorkContext, id: number): Promise<CustomerApplication> {
  const detail = await applicationDetail(ctx, id);
  return {
    ...detail, memos: await sharedMemos(ctx.db, 'license_application', id),
    licenses: detail.licenses.filter((license) => license.phase !== 'draft'),
    allowed_events: detail.allowed_events.filter((event) => CUSTOMER_EVENTS.includes(event)),
    outlook: detail.outlook.map((row) => ({ show_id: row.show_id, title: row.title,
      availability: row.availability, price: row.price === null ? null : publicPrice(row.price) })),
  };
}
