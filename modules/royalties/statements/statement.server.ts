/** Statement calls. */
import { refuse } from '#kit/errors.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { requestRun } from './calculate-run.server.ts';
import {
  approveRun, approveStatement, declineRun, issueStatement, requestIssue, voidStatement,
} from './decide-statement.server.ts';
import { sendToAgent } from './send-statement.server.ts';
import { findRun, findStatement, listRuns, listStatements } from './read-statements.server.ts';
import { runEndpoints, statementEndpoints } from './statement.contract.ts';

const runRoutes: Route[] = serve(runEndpoints, {
  list: (ctx, { query }) => listRuns(ctx, query),
  show: async (ctx, { params }) => ({ data: await findRun(ctx.db, params.id) }),
  async create(ctx, { body }) {
    const { run_id } = await requestRun(ctx, body);
    return { data: await findRun(ctx.db, run_id) };
  },
  async approve(ctx, { params, body }) {
    await approveRun(ctx, params.id, body.version);
    return { data: await findRun(ctx.db, params.id) };
  },
  async decline(ctx, { params, body }) {
    await declineRun(ctx, params.id, body.version, body.reason);
    return { data: await findRun(ctx.db, params.id) };
  },
  async issue(ctx, { params, body }) {
    await requestIssue(ctx, params.id, body.version);
    return { data: await findRun(ctx.db, params.id) };
  },
});

const oneRoutes: Route[] = serve(statementEndpoints, {
  list: (ctx, { query }) => listStatements(ctx, query),
  show: async (ctx, { params }) => ({ data: await findStatement(ctx.db, params.id) }),
  async document(ctx, { params }) {
    const file = await ctx.db.maybeOne<{ storage_key: string; name: string }>(sql`
      select f.storage_key, f.original_name as name from royalty_statements m join files f on f.id = m.document_id
      where m.id = ${params.id}`);
    if (!file) throw refuse('not_found', 'The statement has no document before it is issued.');
    return { filename: file.name, content_type: 'application/pdf', inline: true,
      content: await ctx.ports.files.get(file.storage_key) };
  },
  sendToAgent: async (ctx, { params }) => ({ data: await sendToAgent(ctx, params.id) }),
  async approve(ctx, { params, body }) {
    await approveStatement(ctx, params.id, body.version);
    return { data: await findStatement(ctx.db, params.id) };
  },
  async issue(ctx, { params, body }) {
    await issueStatement(ctx, params.id, body.version);
    return { data: await findStatement(ctx.db, params.id) };
  },
  async void(ctx, { params, body }) {
    await voidStatement(ctx, params.id, body.version, body.reason);
    return { data: await findStatement(ctx.db, params.id) };
  },
});

export const statementRoutes: readonly Route[] = [...runRoutes, ...oneRoutes];
