/** Registrations: added, numbered, ended; never removed, because issued documents printed them. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { stale } from '#server/crud.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { registrationEndpoints, type RegistrationRow } from './tax-registration.contract.ts';

async function rows(ctx: Ctx, division: string, condition: Sql): Promise<RegistrationRow[]> {
  const today = await ctx.today(division);
  return ctx.db.query<RegistrationRow>(sql`
    select id, division, jurisdiction, scheme, number, valid_from, valid_to, version,
      case when valid_from > ${today} then 'planned' when valid_to < ${today} then 'ended' else 'valid' end as state
    from tax_registrations where division = ${division} and ${condition}
    order by valid_to is not null, jurisdiction, scheme, valid_from desc`);
}

async function rowOf(ctx: Ctx, id: number): Promise<RegistrationRow> {
  const found = await ctx.db.maybeOne<{ division: string }>(sql`
    select division from tax_registrations where id = ${id}`);
  if (!found) throw refuse('not_found');
  return (await rows(ctx, found.division, sql`id = ${id}`))[0]!;
}

export const registrationRoutes: Route[] = serve(registrationEndpoints, {
  list: async (ctx, { query }) => ({ data: await rows(ctx, query.division, sql`true`) }),
  async create(ctx, { body }) {
    const same = await ctx.db.query<{ valid_from: string; valid_to: string | null }>(sql`
      select valid_from, valid_to from tax_registrations where division = ${body.division}
        and jurisdiction = ${body.jurisdiction} and scheme = ${body.scheme}
        and (valid_to is null or valid_to >= ${body.valid_from}) order by valid_from for update`);
    if (same[0]) {
      throw invalidField('valid_from', same[0].valid_to === null
        ? `There is a registration from ${dateInWords(same[0].valid_from)}: end it first`
        : `There is a registration until ${dateInWords(same[0].valid_to)}: begin after it`);
    }
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into tax_registrations (division, jurisdiction, scheme, number, valid_from)
      values (${body.division}, ${body.jurisdiction}, ${body.scheme}, ${body.number || null}, ${body.valid_from})
      returning id`);
    const made = await rowOf(ctx, id);
    await ctx.audit({ action: 'create', entity: 'tax_registration', entity_id: id, after: made });
    return { data: made };
  },
  async update(ctx, { params, body }) {
    await ctx.db.exec(sql`select 1 from tax_registrations where id = ${params.id} for update`);
    const before = await rowOf(ctx, params.id);
    if (before.version !== body.version) throw stale(before);
    const until = body.valid_to === undefined ? before.valid_to : body.valid_to;
    if (until !== null && until < before.valid_from) throw invalidField('valid_to', 'The last day is before the first');
    const later = await ctx.db.query(sql`
      select 1 from tax_registrations where division = ${before.division} and jurisdiction = ${before.jurisdiction}
        and scheme = ${before.scheme} and id <> ${params.id} and valid_from > ${before.valid_from}
        and (${until}::date is null or valid_from <= ${until})`);
    if (later.length > 0) throw invalidField('valid_to', 'A later registration begins before this day');
    await ctx.db.exec(sql`
      update tax_registrations set number = ${(body.number === undefined ? before.number : body.number) || null},
        valid_to = ${until}, version = version + 1 where id = ${params.id}`);
    const after = await rowOf(ctx, params.id);
    await ctx.audit({ action: 'update', entity: 'tax_registration', entity_id: params.id, before, after });
    return { data: after };
  },
});
