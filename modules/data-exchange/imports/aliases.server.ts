/** Other names of shows, venues and royaltors: what a file writes, and what it stands for. */
import { addRoyaltorAlias, addShowAlias } from '#modules/catalogue/catalogue.public.server.ts';
import { addVenueAlias } from '#modules/operations/operations.public.server.ts';
import { grants } from '#kit/permission.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { name, sql } from '#server/sql.ts';
import type { AliasKind } from './import.contract.ts';
import { importToChange } from './import-record.server.ts';

const ALIASES = {
  show: { table: 'show_aliases', owner: 'shows', column: 'show_id', right: 'show.update', entity: 'show',
    add: addShowAlias },
  venue: { table: 'venue_aliases', owner: 'venues', column: 'venue_id', right: 'venue.update', entity: 'venue',
    add: addVenueAlias },
  royaltor: { table: 'royaltor_aliases', owner: 'royaltors', column: 'royaltor_id', right: 'royaltor.update',
    entity: 'royaltor', add: addRoyaltorAlias },
} as const satisfies Record<AliasKind, object>;

/** A name of the file stands for this record from now on. 422 where it stands for another one already. */
export async function addAlias(
  ctx: Ctx, importId: number, input: { kind: AliasKind; alias: string; target_id: number },
): Promise<void> {
  const kind = ALIASES[input.kind];
  if (ctx.user.role === 'staff_user' && !grants(ctx.user.permissions, kind.right)) throw refuse('forbidden');
  await importToChange(ctx.db, importId);
  const target = await ctx.db.maybeOne(sql`
    select 1 from ${name(kind.owner)} where id = ${input.target_id} and deleted_at is null`);
  if (!target) throw invalidField('target_id', `Choose the ${input.kind}`);
  await nameStandsFor(ctx, input.kind, input.alias, input.target_id, importId);
}

/** Writes the name with its audit; nothing where it is known already. */
export async function nameStandsFor(
  ctx: WorkContext, of: AliasKind, alias: string, targetId: number, importId: number | null,
): Promise<void> {
  const kind = ALIASES[of];
  const other = await ctx.db.maybeOne(sql`
    select 1 from ${name(kind.table)} where name_key(alias) = name_key(${alias})
      and ${name(kind.column)} <> ${targetId} limit 1`);
  if (other) throw invalidField('alias', `"${alias}" already stands for another ${of}`);
  if (await kind.add(ctx, targetId, alias)) {
    await ctx.audit({ action: 'add_alias', entity: kind.entity, entity_id: targetId,
      after: { alias, import_id: importId } });
  }
}

/** Whether no record has this other name yet. */
export async function aliasIsFree(db: Queryable, of: AliasKind, alias: string): Promise<boolean> {
  return await db.maybeOne(sql`
    select 1 from ${name(ALIASES[of].table)} where name_key(alias) = name_key(${alias}) limit 1`) === null;
}
