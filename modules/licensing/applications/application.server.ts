/** Calls about applications, for staff and for the customer's own. */
import { APPLICATION_STATUSES } from '#kernel/licensing/application-machine.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { matches, type Sql, sql } from '#server/sql.ts';
import { namesOf } from '../licenses/license-list.server.ts';
import { CUSTOMER, staffMover } from '../licenses/phase/mover.server.ts';
import { applicationEndpoints, APPLICATION_DECLINE_REASONS, type ApplicationRow } from './application.contract.ts';
import { findApplication } from './application-record.server.ts';
import {
  applicationColumns, applicationDetail, applicationJoins, applicationSorts, customerView, labelledApplications,
} from './application-rows.server.ts';
import { afterSubmission, convertApplication } from './convert-application.server.ts';
import {
  decideApplication, DECLINE_TEXTS, lockApplication, moveApplication, requestInformation, respond, submitApplication,
} from './move-application.server.ts';
import { createApplication, saveApplication } from './save-application.server.ts';

interface Filters {
  status?: string | undefined; division?: string | undefined; category?: string | undefined;
  customer_id?: number | undefined; license_rep_id?: number | undefined; show_id?: number | undefined;
}

async function list(ctx: Ctx, query: ListArgs & Filters, path: string, scope: Sql) {
  const statuses = namesOf(query.status, APPLICATION_STATUSES, 'status');
  const page = await listPage<ApplicationRow>(ctx.db, {
    base: sql`license_applications t`, columns: applicationColumns, joins: applicationJoins, sorts: applicationSorts,
    defaultSort: 'updated_at', defaultDirection: 'desc',
    conditions: compact([scope,
      statuses.length > 0 && sql`t.status = any (${statuses})`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.category !== undefined && sql`t.category = ${query.category}`,
      query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
      query.license_rep_id !== undefined && sql`t.license_rep_id = ${query.license_rep_id}`,
      query.show_id !== undefined && sql`exists (select 1 from license_application_shows x
        where x.license_application_id = t.id and x.show_id = ${query.show_id})`,
      query.search !== undefined && matches(sql`t.search_text`, query.search)]),
  }, query, path);
  return { ...page, data: labelledApplications(page.data) };
}

const STAFF = '/api/admin/staff/license_applications';
const requestColumns = sql`t.id, t.message, t.fields, a.first_name || ' ' || a.last_name as asked_by_name, t.answer,
  b.first_name || ' ' || b.last_name as answered_by_name, t.answered_at, t.created_at`;
const requestJoins = sql`left join users a on a.id = t.asked_by_id left join users b on b.id = t.answered_by_id`;
type RequestRow = { id: number; message: string; fields: string[]; asked_by_name: string | null;
  answer: string | null; answered_by_name: string | null; answered_at: string | null; created_at: string };

async function update(ctx: Ctx, id: number, body: { version: number; license_rep_id?: number | null | undefined;
  sla_due_at?: string | null | undefined; clearance_expected_on?: string | null | undefined }) {
  const before = await lockApplication(ctx, id, body.version);
  if (body.license_rep_id !== undefined && body.license_rep_id !== null) {
    const staff = await ctx.db.maybeOne(sql`select 1 from users where id = ${body.license_rep_id}
      and role in ('staff_admin', 'staff_user', 'system_admin') and disabled_at is null`);
    if (!staff) throw invalidField('license_rep_id', 'Choose a member of staff');
  }
  const pick = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  await ctx.db.exec(sql`
    update license_applications set license_rep_id = ${pick(body.license_rep_id, before.license_rep_id)},
      sla_due_at = ${pick(body.sla_due_at, before.sla_due_at)},
      clearance_expected_on = ${pick(body.clearance_expected_on, before.clearance_expected_on)}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'update', entity: 'license_application', entity_id: id, before, after: body });
  return { data: await applicationDetail(ctx, id) };
}

/** The customer changes a draft, or what was asked for. */
async function customerUpdate(
  ctx: Ctx, customerId: number, id: number, body: { version: number } & Parameters<typeof saveApplication>[2],
) {
  const { version, ...fields } = body;
  const before = await lockApplication(ctx, id, version, customerId);
  if (before.status !== 'draft' && before.status !== 'info_requested') {
    throw conflict('license_application.status_conflict',
      'This application has been submitted and can no longer be changed.',
      { status: before.status });
  }
  if (fields.division !== undefined && fields.division !== before.division) {
    throw invalidField('division', 'Start a new application for another division');
  }
  await saveApplication(ctx, id, fields);
  await ctx.audit({ action: 'update', entity: 'license_application', entity_id: id, before, after: fields });
  return { data: await customerView(ctx, id) };
}

export const applicationRoutes = serve(applicationEndpoints, {
  list: (ctx, { query }) => list(ctx, query, STAFF, sql`(t.status <> 'draft' or t.source <> 'portal')`),
  ofCustomer: (ctx, { params, query }) => list(ctx, { ...query, customer_id: params.id },
    `/api/admin/staff/customers/${params.id}/applications`, sql`(t.status <> 'draft' or t.source <> 'portal')`),
  reasons: async () => ({ data: APPLICATION_DECLINE_REASONS.map((value) => ({ value,
    label: spell(DECLINE_TEXTS[value] ?? value) })) }),
  show: async (ctx, { params }) => ({ data: await applicationDetail(ctx, params.id) }),
  async create(ctx, { body }) {
    const { customer_id, submit, override_reason, ...input } = body;
    const made = await createApplication(ctx, customer_id, 'staff', input);
    if (submit) {
      await afterSubmission(ctx, await submitApplication(ctx, made, staffMover(ctx.user), override_reason));
    }
    return { data: await applicationDetail(ctx, made.id) };
  },
  update: (ctx, { params, body }) => update(ctx, params.id, body),
  async status(ctx, { params, body }) {
    const { version, ...input } = body;
    const application = await lockApplication(ctx, params.id, version);
    await decideApplication(ctx, application, input, staffMover(ctx.user));
    return { data: await applicationDetail(ctx, params.id) };
  },
  async informationRequests(ctx, { params, query }) {
    await findApplication(ctx, params.id);
    return listPage<RequestRow>(ctx.db, {
      base: sql`license_application_information_requests t`, columns: requestColumns, joins: requestJoins,
      conditions: [sql`t.license_application_id = ${params.id}`], sorts: { created_at: sql`t.created_at` },
      defaultSort: 'created_at', defaultDirection: 'desc',
    }, query, `${STAFF}/${params.id}/information_requests`);
  },
  async requestInformation(ctx, { params, body }) {
    const application = await lockApplication(ctx, params.id, null);
    const id = await requestInformation(ctx, application, body, staffMover(ctx.user));
    return { data: await ctx.db.one<RequestRow>(sql`
      select ${requestColumns} from license_application_information_requests t ${requestJoins} where t.id = ${id}`) };
  },
  async convert(ctx, { params, body }) {
    // A repeated request (a double click) names the version it saw before the first one.
    const application = await lockApplication(ctx, params.id, null);
    if (application.status !== 'converted') await lockApplication(ctx, params.id, body.version);
    const license_ids = await convertApplication(ctx, application, body.show_ids, staffMover(ctx.user),
      body.alternative);
    const { version } = await findApplication(ctx, params.id);
    return { data: { application_id: params.id, license_ids, version } };
  },

  customerList: (ctx, { params, query }) => list(ctx, query, `/api/customers/${params.id}/license-applications`,
    sql`t.customer_id = ${params.id}`),
  async customerShow(ctx, { params }) {
    await findApplication(ctx, params.applicationId, { customer_id: params.id });
    return { data: await customerView(ctx, params.applicationId) };
  },
  async customerCreate(ctx, { params, body }) {
    const { show_id, ...input } = body;
    const show_ids = input.show_ids ?? (show_id === undefined ? undefined : [show_id]);
    if (!show_ids) throw invalidField('show_ids', 'Choose a show');
    const made = await createApplication(ctx, params.id, 'portal', { ...input, show_ids });
    return { data: await customerView(ctx, made.id) };
  },
  customerUpdate: (ctx, { params, body }) => customerUpdate(ctx, params.id, params.applicationId, body),
  async customerStatus(ctx, { params, body }) {
    const application = await lockApplication(ctx, params.applicationId, body.version, params.id);
    if (body.event === 'submit') {
      await afterSubmission(ctx, await submitApplication(ctx, application, CUSTOMER));
    } else if (body.event === 'respond') {
      if (!body.message?.trim()) throw invalidField('message', 'Write your answer');
      await respond(ctx, application, body.message, CUSTOMER);
    } else {
      await moveApplication(ctx, { application, event: 'withdraw', by: CUSTOMER, reason: body.message });
    }
    return { data: await customerView(ctx, params.applicationId) };
  },
});
