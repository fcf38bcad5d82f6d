/** Importing records of a kind requires the right to create them one by one. */
import { grants } from '#kit/permission.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { ImportMapping } from './import.contract.ts';
import { IMPORT_KINDS, type ImportModel } from './kinds/import-kind.contract.ts';

/** 403 where a person of the staff lacks a right of this kind; changing records needs the right to change them. */
export function refuseWithoutRights(
  ctx: Ctx, model: ImportModel, changes: ImportMapping['changes'] = 'leave',
): void {
  const { rights, changing } = IMPORT_KINDS[model];
  if (changes === 'apply' && !changing) {
    throw invalidField('changes', 'A file of this kind changes no records that are there');
  }
  if (ctx.user.role !== 'staff_user') return;
  const needed = changes === 'apply' && changing ? [...rights, changing] : rights;
  const lacking = needed.find((right) => !grants(ctx.user.permissions, right));
  if (lacking) {
    throw refuse('forbidden', `Importing ${IMPORT_KINDS[model].label.toLowerCase()} needs the right ${lacking}.`);
  }
}

/** As {@link refuseWithoutRights}, for what the files of a template hold; an unknown template is told at its field. */
export async function refuseTemplateWithoutRights(ctx: Ctx, templateId: number): Promise<void> {
  const template = await ctx.db.maybeOne<{ model_name: ImportModel }>(sql`
    select model_name from import_templates where id = ${templateId}`);
  if (template) refuseWithoutRights(ctx, template.model_name);
}
