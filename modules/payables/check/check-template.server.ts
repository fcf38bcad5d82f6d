/** Print settings for the checks of a bank account; reports to the bank are in positive-pay.server.ts. */
import { create } from 'fontkit';
import { layoutIssues } from '#kernel/payment-files/positive-pay.ts';
import { invalidField } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { Ctx, UploadedFile } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { checkTemplateEndpoints, type CheckTemplate } from './check-template.contract.ts';
import { exportPositivePay, positivePayContent, positivePayFiles } from './positive-pay.server.ts';
import { templateOf } from './template-store.server.ts';

async function locked(ctx: Ctx, account: number): Promise<CheckTemplate> {
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${account} for no key update`);
  return templateOf(ctx, account);
}

type Values = Omit<CheckTemplate, 'bank_account_id' | 'micr_font' | 'version'>;

async function store(ctx: Ctx, account: number, values: Values): Promise<void> {
  await ctx.db.exec(sql`
    insert into check_templates (bank_account_id, is_blank_stock, offset_x_mm, offset_y_mm,
      second_signature_above_minor, micr_signs, positive_pay)
    values (${account}, ${values.is_blank_stock}, ${values.offset_x_mm}, ${values.offset_y_mm},
      ${values.second_signature_above_minor}, ${values.micr_signs}, ${JSON.stringify(values.positive_pay)}::jsonb)
    on conflict (bank_account_id) do update set is_blank_stock = excluded.is_blank_stock,
      offset_x_mm = excluded.offset_x_mm, offset_y_mm = excluded.offset_y_mm,
      second_signature_above_minor = excluded.second_signature_above_minor, micr_signs = excluded.micr_signs,
      positive_pay = excluded.positive_pay, version = check_templates.version + 1`);
}

async function answer(ctx: Ctx, account: number, before: CheckTemplate, action: string) {
  const data = await templateOf(ctx, account);
  await ctx.audit({ action, entity: 'bank_account', entity_id: account, before, after: data });
  return { data };
}

/** A file that is no font would stop every check from printing. */
function refuseNoFont({ content, filename }: UploadedFile): void {
  try {
    create(content);
  } catch {
    throw invalidField('file', `"${filename}" is not a font that can be printed`);
  }
}

export const checkTemplateRoutes: Route[] = serve(checkTemplateEndpoints, {
  show: async (ctx, { params }) => ({ data: await templateOf(ctx, params.id) }),
  async update(ctx, { params, body }) {
    const before = await locked(ctx, params.id);
    if (before.version !== body.version) throw stale(before);
    const [issue] = layoutIssues(body.positive_pay as Parameters<typeof layoutIssues>[0]);
    if (issue !== undefined) throw invalidField('positive_pay', issue);
    await store(ctx, params.id, body);
    return answer(ctx, params.id, before, 'update_check_template');
  },
  async font(ctx, { params }) {
    const before = await locked(ctx, params.id);
    refuseNoFont(ctx.file!);
    const file = await keepFile(ctx, ctx.file!);
    await store(ctx, params.id, before);
    await ctx.db.exec(sql`update check_templates set micr_font_id = ${file} where bank_account_id = ${params.id}`);
    return answer(ctx, params.id, before, 'set_check_font');
  },
  async removeFont(ctx, { params }) {
    const before = await locked(ctx, params.id);
    await ctx.db.exec(sql`update check_templates set micr_font_id = null, version = version + 1
      where bank_account_id = ${params.id}`);
    await answer(ctx, params.id, before, 'remove_check_font');
  },
  files: async (ctx, { params }) => ({ data: await positivePayFiles(ctx, params.id) }),
  export: async (ctx, { params, body }) => ({ data: await exportPositivePay(ctx, params.id, body) }),
  file: (ctx, { params }) => positivePayContent(ctx, params),
});
