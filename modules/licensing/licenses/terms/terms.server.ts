/** Calls about the terms of a licence (domain.md 6.3); they are part of the offer, so only a draft's change. */
import { refuse } from '#kit/errors.ts';
import { programText } from '#kernel/licensing/program-text.ts';
import type { WorkContext } from '#server/context.ts';
import { stale, toColumn } from '#server/crud.ts';
import { serve } from '#server/routes.ts';
import { join, name, sql } from '#server/sql.ts';
import { draftChanged, requireDraft } from '../quote/change-draft.server.ts';
import { reportsExpected } from '../../box-office/reports-expected.server.ts';
import { findLicense, type License } from '../license-record.server.ts';
import { termsEndpoints, type TermsRow } from './terms.contract.ts';

async function read(ctx: WorkContext, license: License): Promise<TermsRow> {
  const row = await ctx.db.maybeOne<Omit<TermsRow, 'report_scope'>>(sql`
    select t.*, coalesce((select jsonb_agg(jsonb_build_object('text', text, 'role', role, 'percent_of_title_ppm',
      percent_of_title_ppm, 'placement', placement, 'logo_required', logo_required) order by sort, id)
      from license_billing_lines where license_id = t.license_id), '[]') as billing
    from license_terms t where t.license_id = ${license.id}`);
  if (!row) throw refuse('not_found');
  return { ...row, report_scope: await reportsExpected(ctx.db, license) };
}

export const termsRoutes = serve(termsEndpoints, {
  async show(ctx, { params }) {
    return { data: await read(ctx, await findLicense(ctx.db, params.licenseId)) };
  },
  async update(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const before = await read(ctx, license);
    const { version, billing, ...fields } = body;
    if (before.version !== version) throw stale(before);
    const program = programText({ rights_granted: fields.rights_granted ?? before.rights_granted,
      video_clause: fields.video_clause ?? before.video_clause },
    fields.mandatory_program_text ?? before.mandatory_program_text);
    const sets = Object.entries({ ...fields, mandatory_program_text: program })
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => sql`${name(column)} = ${toColumn(value)}`);
    await ctx.db.exec(sql`
      update license_terms set ${join([...sets, sql`version = version + 1`])} where license_id = ${license.id}`);
    if (billing) {
      await ctx.db.exec(sql`delete from license_billing_lines where license_id = ${license.id}`);
      for (const [sort, line] of billing.entries()) {
        await ctx.db.exec(sql`
          insert into license_billing_lines (license_id, sort, text, role, percent_of_title_ppm, placement,
            logo_required)
          values (${license.id}, ${sort}, ${line.text}, ${line.role}, ${line.percent_of_title_ppm}, ${line.placement},
            ${line.logo_required})`);
      }
    }
    await draftChanged(ctx, license.id, { action: 'change_terms', before, after: body,
      run: fields.rights_granted !== undefined });
    return { data: await read(ctx, await findLicense(ctx.db, license.id)) };
  },
});
