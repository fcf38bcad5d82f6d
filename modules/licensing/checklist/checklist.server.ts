/** Calls about the checklist: automatic items follow the facts, people tick the rest or waive with a note. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { serve } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { checklistEndpoints, type ChecklistRow } from './checklist.contract.ts';

function rows(ctx: WorkContext, condition: Sql): Promise<ChecklistRow[]> {
  return ctx.db.query<ChecklistRow>(sql`
    select t.id, t.license_id, t.key, t.label, t.owner, t.due_on, t.blocks_phase, t.status, t.automatic, t.done_at,
      u.first_name || ' ' || u.last_name as done_by_name, t.note, t.sort, t.version
    from license_checklist_items t left join users u on u.id = t.done_by_id where ${condition} order by t.sort, t.id`);
}

export const checklistRoutes = serve(checklistEndpoints, {
  async list(ctx, { params }) {
    await findLicense(ctx.db, params.licenseId);
    return { data: await rows(ctx, sql`t.license_id = ${params.licenseId}`) };
  },
  async update(ctx, { params, body }) {
    const [before] = await rows(ctx, sql`t.id = ${params.itemId} and t.license_id = ${params.licenseId}`);
    if (!before) throw refuse('not_found');
    if (before.version !== body.version) throw stale(before);
    if (before.automatic && body.status === 'done') {
      throw conflict('license.checklist_automatic', 'This item ticks itself when what it asks for is there.');
    }
    if (body.status === 'waived' && body.note === '') throw invalidField('note', 'Say why it is waived');
    const done = body.status === 'open' ? null : ctx.now().toISOString();
    await ctx.db.exec(sql`
      update license_checklist_items set status = ${body.status}, note = ${body.note}, done_at = ${done},
        done_by_id = ${done === null ? null : ctx.user.user_id}, version = version + 1 where id = ${before.id}`);
    await ctx.audit({ action: 'update', entity: 'license_checklist_item', entity_id: before.id, before, after: body });
    return { data: (await rows(ctx, sql`t.id = ${before.id}`))[0]! };
  },
});
