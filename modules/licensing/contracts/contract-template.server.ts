/** Versions of contract texts: written, put in use, approved. What contracts were made from never changes. */
import type { ContractClause } from '#kernel/licensing/contract-form.ts';
import { conflict, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { renderPdf } from '#server/pdf.ts';
import { serve } from '#server/routes.ts';
import { empty, mentions, sql } from '#server/sql.ts';
import { formName } from './contract-facts.ts';
import { sampleOffer } from './contract-sample.ts';
import { contractText } from './contract-text.ts';
import {
  contractTemplateEndpoints, type ContractTemplateDetail, type ContractTemplateRow,
} from './contract-template.contract.ts';

const columns = sql`t.id, t.division, t.category, t.version_no, t.status, t.note,
  jsonb_array_length(t.clauses) as clause_count,
  (select count(*) from license_versions v where v.contract_template_id = t.id) as contract_count, t.in_use_since,
  t.counsel, t.approved_at, a.first_name || ' ' || a.last_name as approved_by_name,
  c.first_name || ' ' || c.last_name as created_by_name, t.version, t.created_at, t.updated_at`;
const joins = sql`left join users a on a.id = t.approved_by_id left join users c on c.id = t.created_by_id`;

async function find(ctx: Ctx, id: number, lock = false): Promise<ContractTemplateDetail> {
  if (lock) await ctx.db.exec(sql`select 1 from contract_templates where id = ${id} for update`);
  const row = await ctx.db.maybeOne<ContractTemplateDetail>(sql`
    select ${columns}, t.clauses, (select d.id from contract_templates d where d.division = t.division
      and d.category = t.category and d.status = 'draft' and d.id <> t.id) as draft_id
    from contract_templates t ${joins} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** The draft under its lock, as the caller saw it. */
async function heldDraft(ctx: Ctx, id: number, version: number | null): Promise<ContractTemplateDetail> {
  const row = await find(ctx, id, true);
  if (row.status !== 'draft') {
    throw conflict('contract_template.in_use', 'Contracts were made from this version, so it stays as it is. '
      + 'Start a new version instead.');
  }
  if (version !== null && row.version !== version) throw stale(row);
  return row;
}

async function create(ctx: Ctx, fromId: number): Promise<ContractTemplateDetail> {
  const from = await find(ctx, fromId);
  // Everybody who starts a version of this series waits here.
  await ctx.db.exec(sql`select 1 from contract_templates where division = ${from.division}
    and category = ${from.category} order by id for update`);
  const { draft_id } = await find(ctx, fromId);
  const open = from.status === 'draft' ? from.id : draft_id;
  if (open !== null) {
    throw conflict('contract_template.draft_exists', 'A new version is already being written. Continue with that one.',
      { draft_id: open });
  }
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into contract_templates (division, category, version_no, clauses, created_by_id)
    select ${from.division}, ${from.category}, max(version_no) + 1, ${JSON.stringify(from.clauses)}::jsonb,
      ${ctx.actor.actor_id}
    from contract_templates where division = ${from.division} and category = ${from.category} returning id`);
  const made = await find(ctx, id);
  await ctx.audit({ action: 'create', entity: 'contract_template', entity_id: id, after: made });
  return made;
}

async function activate(ctx: Ctx, id: number, body: { version: number; counsel: string }) {
  const seen = await find(ctx, id);
  await ctx.db.exec(sql`select 1 from contract_templates where division = ${seen.division}
    and category = ${seen.category} order by id for update`);
  const before = await heldDraft(ctx, id, body.version);
  await ctx.db.exec(sql`
    update contract_templates set status = 'retired', version = version + 1
    where division = ${before.division} and category = ${before.category} and status = 'in_use'`);
  await ctx.db.exec(sql`
    update contract_templates set status = 'in_use', in_use_since = ${ctx.now().toISOString()}, version = version + 1
      ${body.counsel === '' ? empty : sql`, counsel = ${body.counsel}, approved_at = ${ctx.now().toISOString()},
        approved_by_id = ${ctx.user.user_id}`}
    where id = ${id}`);
  const after = await find(ctx, id);
  await ctx.audit({ action: 'activate', entity: 'contract_template', entity_id: id, before, after });
  return { data: after };
}

async function approve(ctx: Ctx, id: number, body: { version: number; counsel: string }) {
  const before = await find(ctx, id, true);
  if (before.version !== body.version) throw stale(before);
  if (before.status !== 'in_use' || before.approved_at !== null) {
    throw conflict('contract_template.not_to_approve', before.approved_at === null
      ? 'Only the version in use is approved. Put this version in use first.' : 'This version is already approved.');
  }
  await ctx.db.exec(sql`
    update contract_templates set counsel = ${body.counsel}, approved_at = ${ctx.now().toISOString()},
      approved_by_id = ${ctx.user.user_id}, version = version + 1 where id = ${id}`);
  const after = await find(ctx, id);
  await ctx.audit({ action: 'approve', entity: 'contract_template', entity_id: id, before, after });
  return { data: after };
}

export const contractTemplateRoutes = serve(contractTemplateEndpoints, {
  list: (ctx, { query }) => listPage<ContractTemplateRow>(ctx.db, {
    base: sql`contract_templates t`, columns, joins, defaultSort: 'division',
    sorts: { division: sql`(t.division, t.category, t.version_no)`, version_no: sql`t.version_no`,
      updated_at: sql`t.updated_at` },
    conditions: compact([query.division !== undefined && sql`t.division = ${query.division}`,
      query.category !== undefined && sql`t.category = ${query.category}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.search !== undefined && mentions(sql`t.clauses::text || ' ' || t.note || ' ' || t.counsel`, query.search)]),
  }, query, '/api/admin/staff/contract_templates'),
  show: async (ctx, { params }) => ({ data: await find(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await create(ctx, body.from_id) }),
  async update(ctx, { params, body }) {
    const before = await heldDraft(ctx, params.id, body.version);
    await ctx.db.exec(sql`
      update contract_templates set clauses = ${JSON.stringify(body.clauses ?? before.clauses)}::jsonb,
        note = ${body.note ?? before.note}, version = version + 1 where id = ${params.id}`);
    const after = await find(ctx, params.id);
    await ctx.audit({ action: 'update', entity: 'contract_template', entity_id: params.id, before, after });
    return { data: after };
  },
  async remove(ctx, { params }) {
    const before = await heldDraft(ctx, params.id, null);
    await ctx.db.exec(sql`delete from contract_templates where id = ${params.id}`);
    await ctx.audit({ action: 'remove', entity: 'contract_template', entity_id: params.id, before });
  },
  activate: (ctx, { params, body }) => activate(ctx, params.id, body),
  approve: (ctx, { params, body }) => approve(ctx, params.id, body),
  async preview(ctx, { params }) {
    const row = await find(ctx, params.id);
    const offer = sampleOffer({ ...row, clauses: row.clauses as ContractClause[],
      counsel: row.counsel === '' ? null : row.counsel });
    return { filename: `Contract text ${formName(row.division, row.category, row.version_no)}.pdf`,
      content_type: 'application/pdf', inline: true, content: await renderPdf(contractText(offer, ctx.now())) };
  },
});
