/** Single materials of a licence: added, changed, exchanged, taken off; what is charged prices the quote anew. */
import type * as z from 'zod';
import { AppError, invalid, invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { findLicense, type License } from '../licenses/license-record.server.ts';
import { tryPrice } from '../licenses/pricing/price-license.server.ts';
import type { LicenseMaterialRow, licenseMaterialChange, licenseMaterialInput } from './license-material.contract.ts';
import { findBom, findMaterial, refuseLate } from './license-material-rows.server.ts';

type Change = Omit<z.output<typeof licenseMaterialChange>, 'version'>;

interface Catalogued {
  id: number; name: string; type: string; fulfilment: string; price_minor: number | null; show_id: number | null;
}

const charged = (row: Pick<LicenseMaterialRow, 'included_in_package' | 'unit_price_minor'>): boolean =>
  !row.included_in_package && row.unit_price_minor > 0;

/** An active material of the licence's show, or of none, with its price in the licence's currency. */
async function offered(db: Queryable, license: License, id: number): Promise<Catalogued> {
  const row = await db.maybeOne<Catalogued>(sql`
    select id, name, type, fulfilment, show_id, case ${license.currency}::text when 'USD' then price_usd_minor
      when 'EUR' then price_eur_minor else price_gbp_minor end as price_minor
    from materials where id = ${id} and active and deleted_at is null`);
  if (!row) throw invalidField('material_id', 'This material is not offered');
  if (row.show_id !== null && row.show_id !== license.show_id) {
    throw invalidField('material_id', `${row.name} belongs to another show`);
  }
  return row;
}

function priceOf(license: License, row: Catalogued, given: number | undefined, included: boolean): number {
  const unit = given ?? row.price_minor;
  if (unit === null && !included) {
    throw invalidField('unit_price_minor', `${row.name} has no price in ${license.currency}: give one or include it`);
  }
  return unit ?? 0;
}

/** Copies the material onto the licence; it stays as it is copied. Answers the new line's id. */
export async function insertMaterial(db: Queryable, license: License, line: {
  material_id: number; license_bom_id: number | null; quantity: number; template_quantity: number | null;
  included_in_package: boolean; unit_price_minor: number; ship_group: string | null; lead_days: number;
  substituted_for_id: number | null; note: string;
}): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into license_materials (license_id, license_bom_id, material_id, item_number, name, type, fulfilment,
      quantity, template_quantity, included_in_package, unit_price_minor, replacement_price_minor, item_class,
      income_type, royalty_bearing, download_limit, return_required, ship_group, lead_days, substituted_for_id, note,
      sort)
    select ${license.id}, ${line.license_bom_id}, m.id, m.item_number, m.name, m.type, m.fulfilment, ${line.quantity},
      ${line.template_quantity}, ${line.included_in_package}, ${line.unit_price_minor},
      case ${license.currency}::text when 'USD' then m.replacement_usd_minor when 'EUR' then m.replacement_eur_minor
        else m.replacement_gbp_minor end,
      m.item_class, m.income_type, m.royalty_bearing, m.download_limit,
      m.type in ('rental', 'perusal') and m.fulfilment = 'physical',
      coalesce(${line.ship_group}, case when m.fulfilment = 'physical' then 'main' else 'digital' end),
      ${line.lead_days}, ${line.substituted_for_id}, ${line.note},
      (select coalesce(max(sort), 0) + 1 from license_materials where license_id = ${license.id})
    from materials m where m.id = ${line.material_id} returning id`);
  return id;
}

export async function addMaterial(
  ctx: WorkContext, licenseId: number, input: z.output<typeof licenseMaterialInput>, bomId: number | null = null,
): Promise<LicenseMaterialRow> {
  const license = await findLicense(ctx.db, licenseId, true);
  const row = await offered(ctx.db, license, input.material_id);
  const included = input.included_in_package ?? (row.type === 'rental' || row.type === 'perusal');
  const unit = priceOf(license, row, input.unit_price_minor, included);
  refuseLate(license, !included && unit > 0);
  const twice = await ctx.db.maybeOne(sql`
    select 1 from license_materials where license_id = ${licenseId} and material_id = ${row.id}
      and license_bom_id is not distinct from ${bomId}`);
  if (twice) throw invalidField('material_id', spell`${row.name} is on the license already: change its quantity`);
  const id = await insertMaterial(ctx.db, license, { material_id: row.id, license_bom_id: bomId,
    quantity: input.quantity, template_quantity: null, included_in_package: included, unit_price_minor: unit,
    ship_group: input.ship_group ?? null, lead_days: 0, substituted_for_id: null, note: input.note });
  const added = await findMaterial(ctx.db, licenseId, id);
  await ctx.audit({ action: 'add_material', entity: 'license_material', entity_id: id, after: added });
  if (charged(added)) await tryPrice(ctx, licenseId);
  return added;
}

/** One line changed; the price follows where what is charged moved. */
async function changeOne(
  ctx: WorkContext, license: License, id: number, version: number, change: Change,
): Promise<{ row: LicenseMaterialRow; priced: boolean }> {
  const before = await findMaterial(ctx.db, license.id, id, true);
  if (before.version !== version) throw stale(before);
  const other = change.material_id !== undefined && change.material_id !== before.material_id
    ? await offered(ctx.db, license, change.material_id) : null;
  const included = change.included_in_package ?? before.included_in_package;
  const unit = change.unit_price_minor ?? (other ? priceOf(license, other, undefined, included)
    : before.unit_price_minor);
  if (!included && unit === 0 && before.included_in_package && change.unit_price_minor === undefined) {
    throw invalidField('unit_price_minor', `${before.name} has no price in ${license.currency}: give one`);
  }
  const after = { included_in_package: included, unit_price_minor: unit };
  const moved = (charged(before) || charged(after)) && (charged(before) !== charged(after)
    || unit !== before.unit_price_minor || (change.quantity ?? before.quantity) !== before.quantity || other !== null);
  refuseLate(license, moved);
  await ctx.db.exec(sql`
    update license_materials t set quantity = coalesce(${change.quantity ?? null}, t.quantity),
      included_in_package = ${included}, unit_price_minor = ${unit},
      ship_group = coalesce(${change.ship_group ?? null}, t.ship_group), note = coalesce(${change.note ?? null},
        t.note),
      material_id = m.id, item_number = m.item_number, name = m.name, type = m.type, fulfilment = m.fulfilment,
      item_class = m.item_class, income_type = m.income_type, royalty_bearing = m.royalty_bearing,
      download_limit = m.download_limit,
      return_required = m.type in ('rental', 'perusal') and m.fulfilment = 'physical',
      substituted_for_id = case when ${other !== null} then coalesce(t.substituted_for_id, t.material_id)
        else t.substituted_for_id end, version = t.version + 1
    from (select * from materials where id = ${other?.id ?? before.material_id}) m where t.id = ${id}`);
  const row = await findMaterial(ctx.db, license.id, id);
  await ctx.audit({ action: 'update', entity: 'license_material', entity_id: id, before, after: row });
  return { row, priced: moved };
}

export async function changeMaterial(
  ctx: WorkContext, licenseId: number, id: number, body: z.output<typeof licenseMaterialChange>,
): Promise<LicenseMaterialRow> {
  const license = await findLicense(ctx.db, licenseId, true);
  const { version, ...change } = body;
  const { row, priced } = await changeOne(ctx, license, id, version, change);
  if (priced) await tryPrice(ctx, licenseId);
  return row;
}

/** All or none: a refusal names the row of the list. */
export async function changeMaterials(
  ctx: WorkContext, licenseId: number, rows: readonly (Change & { id: number; version: number })[],
): Promise<LicenseMaterialRow[]> {
  const license = await findLicense(ctx.db, licenseId, true);
  const changed: LicenseMaterialRow[] = [];
  let priced = false;
  for (const [index, { id, version, ...change }] of rows.entries()) {
    const done = await changeOne(ctx, license, id, version, change).catch((error: unknown) => {
      if (error instanceof AppError && error.errors) {
        throw invalid(Object.fromEntries(Object.entries(error.errors).map(([at, texts]) =>
          [`materials.${index}.${at}`, texts])));
      }
      throw error;
    });
    changed.push(done.row);
    priced ||= done.priced;
  }
  if (priced) await tryPrice(ctx, licenseId);
  return changed;
}

/** Rows that an order, an invoice or the stock names stay: the database says so. */
async function unlessNamed(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { code?: string }).code === '23503') {
      throw refuse('in_use', 'An order names these materials. Cancel the order first.');
    }
    throw error;
  }
}

export async function removeMaterial(ctx: WorkContext, licenseId: number, id: number): Promise<void> {
  const license = await findLicense(ctx.db, licenseId, true);
  const before = await findMaterial(ctx.db, licenseId, id, true);
  refuseLate(license, charged(before));
  await unlessNamed(() => ctx.db.exec(sql`delete from license_materials where id = ${id}`));
  await ctx.audit({ action: 'remove', entity: 'license_material', entity_id: id, before });
  if (charged(before)) await tryPrice(ctx, licenseId);
}

export async function removeBom(ctx: WorkContext, licenseId: number, id: number): Promise<void> {
  const license = await findLicense(ctx.db, licenseId, true);
  const before = await findBom(ctx.db, licenseId, id, true);
  const lines = await ctx.db.query<Pick<LicenseMaterialRow, 'included_in_package' | 'unit_price_minor'>>(sql`
    select included_in_package, unit_price_minor from license_materials where license_bom_id = ${id}`);
  refuseLate(license, lines.some(charged));
  await unlessNamed(async () => {
    await ctx.db.exec(sql`delete from license_materials where license_bom_id = ${id}`);
    await ctx.db.exec(sql`delete from license_boms where id = ${id}`);
  });
  await ctx.audit({ action: 'remove', entity: 'license_bom', entity_id: id, before });
  if (lines.some(charged)) await tryPrice(ctx, licenseId);
}
