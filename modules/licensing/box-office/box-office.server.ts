/** Box-office calls of staff and of licensees. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { boxOfficeFileRoutes } from './box-office-file.server.ts';
import { answerQuestion } from './answer-question.server.ts';
import {
  boxOfficeEndpoints, HELD_KINDS, isOpenReport, portalBoxOfficeEndpoints, type ReportDetail,
} from './box-office.contract.ts';
import { changeReport, reviewReport } from './change-report.server.ts';
import { findReport, listReports } from './read-reports.server.ts';
import { submitReport } from './submit-report.server.ts';
import { tellOfAnswer, tellOfReport } from './tell-of-report.server.ts';

const STAFF_LIST = '/api/admin/staff/box_office_reports';

const staffRoutes: Route[] = serve(boxOfficeEndpoints, {
  list: (ctx, { query }) => listReports(ctx, query, STAFF_LIST),
  find: async (ctx, { params }) => ({ data: await findReport(ctx, null, params.id) }),
  async listOfLicense(ctx, { params, query }) {
    await refuseUnknownLicense(ctx, params.licenseId, null);
    return listReports(ctx, { ...query, license_id: params.licenseId },
      `/api/admin/staff/licenses/${params.licenseId}/box_office_reports`);
  },
  show: async (ctx, { params }) => ({ data: await findReport(ctx, params.licenseId, params.id) }),
  async create(ctx, { params, body }) {
    await refuseUnknownLicense(ctx, params.licenseId, null);
    const made = await submitReport(ctx, { ...body, license_id: params.licenseId, source: 'staff' });
    return { data: await findReport(ctx, params.licenseId, made.report_id) };
  },
  async update(ctx, { params, body: { version, ...figures } }) {
    await changeReport(ctx, params.id, version, { ...figures, license_id: params.licenseId, source: 'staff' });
    return { data: await findReport(ctx, params.licenseId, params.id) };
  },
  file: (ctx, { params }) => attachedFile(ctx, params.licenseId, params.id, params.attachedFileId),
  async review(ctx, { params, body }) {
    await reviewReport(ctx, { ...body, license_id: params.licenseId, report_id: params.id });
    return { data: await findReport(ctx, params.licenseId, params.id) };
  },
  async answer(ctx, { params, body }) {
    await findReport(ctx, params.licenseId, params.id);
    const { performances, ...rest } = body;
    await answerQuestion(ctx, { report_id: params.id, question_id: params.questionId, ...rest,
      ...(performances === undefined ? {} : { performances }) });
    return { data: await findReport(ctx, params.licenseId, params.id) };
  },
});

const portalRoutes: Route[] = serve(portalBoxOfficeEndpoints, {
  async list(ctx, { params, query }) {
    await refuseUnknownLicense(ctx, params.licenseId, params.id);
    return listReports(ctx, { ...query, license_id: params.licenseId },
      `/api/customers/${params.id}/licenses/${params.licenseId}/box_office_reports`);
  },
  show: async (ctx, { params }) => ({ data: await ownReport(ctx, params) }),
  async file(ctx, { params }) {
    await refuseUnknownLicense(ctx, params.licenseId, params.id);
    return attachedFile(ctx, params.licenseId, params.reportId, params.attachedFileId);
  },
  async create(ctx, { params, body }) {
    await refuseUnknownLicense(ctx, params.licenseId, params.id);
    refuseUncertified(ctx, params.id, body);
    const made = await submitReport(ctx, { ...body, license_id: params.licenseId, source: 'portal' });
    return { data: await findReport(ctx, params.licenseId, made.report_id) };
  },
  async update(ctx, { params, body: { version, ...figures } }) {
    const current = await ownReport(ctx, params);
    refuseUncertified(ctx, params.id, figures);
    if (!isOpenReport(current)) {
      throw refuse('phase_conflict', 'This report is with us already. Write to us if it needs a correction.');
    }
    const input = { ...figures, license_id: params.licenseId, source: 'portal' as const };
    await changeReport(ctx, params.reportId, version, input);
    if (figures.attachment_ids) await detachOthers(ctx, params.reportId, figures.attachment_ids);
    const stored = await findReport(ctx, params.licenseId, params.reportId);
    if (!figures.draft) await tellOfReport(ctx, input, stored);
    return { data: stored };
  },
  async answer(ctx, { params, body }) {
    const current = await ownReport(ctx, params);
    refuseUnauthorized(ctx, params.id);
    const question = current.questions.find((one) => one.id === params.questionId);
    if (!question) throw refuse('not_found');
    if (!(HELD_KINDS as readonly string[]).includes(question.kind)) {
      throw refuse('phase_conflict', 'Only a report on hold is answered here. Correct the report instead.');
    }
    if (question.kind === 'no_running_costs') {
      throw refuse('phase_conflict', 'Enter the running costs of the week and send the report again.');
    }
    await answerQuestion(ctx, { report_id: params.reportId, question_id: params.questionId, ...body });
    await tellOfAnswer(ctx, current, body);
    return { data: await findReport(ctx, params.licenseId, params.reportId) };
  },
});

async function ownReport(ctx: Ctx, params: { id: number; licenseId: number; reportId: number }): Promise<ReportDetail> {
  await refuseUnknownLicense(ctx, params.licenseId, params.id);
  return findReport(ctx, params.licenseId, params.reportId);
}

/** Members keep drafts; who submits signs with a name (gaps G84). */
function refuseUncertified(ctx: Ctx, customerId: number,
  body: { draft: boolean; certified_name?: string | null | undefined }): void {
  if (body.draft) return;
  refuseUnauthorized(ctx, customerId);
  if (!body.certified_name?.trim()) throw invalidField('certified_name', 'Type your name');
}

function refuseUnauthorized(ctx: Ctx, customerId: number): void {
  if (ctx.user.acting_customer_id !== null) throw refuse('acting_refused');
  if (ctx.user.customers.get(customerId) === 'member') {
    throw refuse('forbidden', 'Members save drafts. Somebody who may sign submits the report.');
  }
}

async function refuseUnknownLicense(ctx: Ctx, licenseId: number, customerId: number | null): Promise<void> {
  const known = await ctx.db.maybeOne(sql`
    select 1 from licenses where id = ${licenseId} and deleted_at is null
      and (${customerId}::bigint is null or (customer_id = ${customerId} and phase <> 'draft'))`);
  if (!known) throw refuse('not_found');
}

/** Files that the form no longer shows; they stay in the store. */
async function detachOthers(ctx: Ctx, reportId: number, kept: readonly number[]): Promise<void> {
  const gone = await ctx.db.query<{ file_id: number }>(sql`
    delete from box_office_attachments where box_office_report_id = ${reportId}
      and file_id <> all(${[...kept]}::bigint[]) returning file_id`);
  for (const file of gone) {
    await ctx.audit({ action: 'detach', entity: 'box_office_report', entity_id: reportId, before: file });
  }
}

async function attachedFile(ctx: Ctx, licenseId: number, reportId: number, fileId: number): Promise<FileAnswer> {
  const row = await ctx.db.maybeOne<{ storage_key: string; name: string; type: string }>(sql`
    select f.storage_key, f.original_name as name, f.mime_type as type from box_office_attachments a
      join box_office_reports b on b.id = a.box_office_report_id join files f on f.id = a.file_id
    where b.id = ${reportId} and b.license_id = ${licenseId} and f.id = ${fileId}`);
  if (!row) throw refuse('not_found');
  return { filename: row.name, content_type: row.type, content: await ctx.ports.files.get(row.storage_key) };
}

export const boxOfficeRoutes: readonly Route[] = [...staffRoutes, ...portalRoutes, ...boxOfficeFileRoutes];
