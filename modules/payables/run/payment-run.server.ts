/** Payment runs: routes with their handlers. */
import type { WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { answerRun, readAnswers } from './answer-runs.server.ts';
import { approveRun, cancelPayment, changeRun, createRun, reopenRun, voidRun } from './make-run.server.ts';
import { runEndpoints, type RunDetail, type RunRow } from './payment-run.contract.ts';
import { payablesOf } from './propose-run.server.ts';
import { isBatch } from './run-batch.server.ts';
import { decideExit } from './run-exits.server.ts';
import { downloadFile, exportRun, previewFile } from './run-file.server.ts';
import { findRun, RUN_LIST } from './run-store.server.ts';
import { refuseFile, rejectByHand } from './settle-run.server.ts';

/** The run after the work. */
async function after(ctx: WorkContext, id: number, work: Promise<unknown>): Promise<{ data: RunDetail }> {
  await work;
  return { data: await findRun(ctx, id) };
}

export const paymentRunRoutes: readonly Route[] = serve(runEndpoints, {
  list: (ctx, { query }) => listPage<RunRow>(ctx.db, { ...RUN_LIST, conditions: compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.method !== undefined && sql`t.method = ${query.method}`,
    query.pays !== undefined && sql`${isBatch(sql`t`)} = ${query.pays === 'royalties'}`,
    Boolean(query.search) && mentions(sql`t.search_text`, query.search ?? ''),
  ]) }, query, runEndpoints.list.path),
  payables: async (ctx, { query }) => ({ data: await payablesOf(ctx, query) }),
  show: async (ctx, { params }) => ({ data: await findRun(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await findRun(ctx, await createRun(ctx, body)) }),
  update: (ctx, { params, body }) => after(ctx, params.id, changeRun(ctx, params.id, body)),
  approve: (ctx, { params, body }) => after(ctx, params.id, approveRun(ctx, params.id, body.version)),
  reopen: (ctx, { params, body }) => after(ctx, params.id, reopenRun(ctx, params.id, body.version)),
  preview: async (ctx, { params }) => ({ data: await previewFile(ctx, params.id) }),
  export: (ctx, { params, body }) => after(ctx, params.id, exportRun(ctx, params.id, body.version)),
  file: (ctx, { params }) => downloadFile(ctx, params.id),
  answer: async (ctx, { params }) => ({ data: await answerRun(ctx, params.id, ctx.file!.content, ctx.file!.filename) }),
  answers: async (ctx) => ({ data: await readAnswers(ctx, ctx.file!.content, ctx.file!.filename) }),
  cancelPayment: (ctx, { params, body }) => after(ctx, params.id, cancelPayment(ctx, params.id, params.paymentId,
    body)),
  reject: (ctx, { params, body }) => after(ctx, params.id, rejectByHand(ctx, params.id, params.paymentId, body)),
  refuseFile: (ctx, { params, body }) => after(ctx, params.id, refuseFile(ctx, params.id, body)),
  decidePayment: (ctx, { params, body }) => after(ctx, params.id, decideExit(ctx, params.id, params.paymentId, body)),
  void: (ctx, { params, body }) => after(ctx, params.id, voidRun(ctx, params.id, body)),
});
