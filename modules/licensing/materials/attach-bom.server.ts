/** BOM templates copied to licences, compared with them later and taken over anew (domain.md 4). */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { fits, type LicenceFacts, type TemplateFacts } from '#kernel/materials/select-template.ts';
import { spell } from '#kernel/text/english.ts';
import { differences, type ExplodedLine, type ProductionFacts } from '#kernel/materials/explode.ts';
import { explodeLines, newestApproved, previewLines, templatesFor, type ApprovedTemplate }
  from '#modules/catalogue/catalogue.public.server.ts';
import type { BomLineRow } from '#modules/catalogue/bom-template/bom-template.contract.ts';
import { hasMaterials } from '#modules/stock/stock.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { findLicense, type License } from '../licenses/license-record.server.ts';
import type { AvailableTemplate, BomDifference, LicenseBomRow } from './license-material.contract.ts';
import { factsOf, findBom, refuseLate } from './license-material-rows.server.ts';
import { insertMaterial } from './save-license-materials.server.ts';

const countsCast = (template: ApprovedTemplate): boolean => template.lines.some((line) => line.qty_rule === 'per_cast');
const factsFor = (license: License): LicenceFacts => ({ category: license.category,
  customer_classification_id: license.customer_classification_id, division: license.division,
  cast: license.cast_size, orchestration: license.orchestration });
const fitting = (db: Queryable, license: License) => templatesFor(db, license.show_id, factsFor(license));

/** Templates that fit, the best first, with what each would give. */
export async function fittingTemplates(db: Queryable, license: License): Promise<AvailableTemplate[]> {
  const facts = await factsOf(db, license);
  const attached = await db.query<{ id: number }>(sql`
    select source_bom_template_id as id from license_boms where license_id = ${license.id}
      and source_bom_template_id is not null`);
  return (await fitting(db, license)).map((template) => ({ ...template, line_count: template.lines.length,
    attached: attached.some((row) => row.id === template.id), preview: previewOf(template, facts) }));
}

function previewOf(template: ApprovedTemplate, facts: { cast: number | null } & Omit<ProductionFacts, 'cast'>) {
  if (facts.cast === null && countsCast(template)) return null;
  try {
    return previewLines(template.lines, { ...facts, cast: facts.cast ?? 0 });
  } catch {
    // A quantity nobody can mean: it is refused, with its words, when the template is attached.
    return null;
  }
}

interface Attach {
  license_id: number;
  bom_template_id: number;
  cast_size?: number | undefined;
  optional_material_ids?: readonly number[];
  name?: string | undefined;
}

/** Copies the template as approved. 409 where it is not available or attached already, 422 where the cast lacks. */
export async function attachBom(ctx: WorkContext, input: Attach): Promise<LicenseBomRow> {
  const license = await findLicense(ctx.db, input.license_id, true);
  refuseLate(license, false);
  const template = await newestApproved(ctx.db, input.bom_template_id);
  const alive = await ctx.db.maybeOne(sql`select 1 from bom_templates where id = ${input.bom_template_id}
    and approved_at is not null and deleted_at is null`);
  if (!template || !alive || template.show_id !== license.show_id || template.category !== license.category) {
    throw conflict('bom_template.not_available',
      'Only an approved template of this show and category can be attached.');
  }
  const again = await ctx.db.maybeOne(sql`select 1 from license_boms
    where license_id = ${license.id} and source_bom_template_id = ${template.id}`);
  if (again) throw conflict('license_bom.attached', 'This template is attached already. Re-sync takes over changes.');
  const facts = await factsWithCast(ctx, license, template, input.cast_size);
  const optional = [...input.optional_material_ids ?? []];
  const lines = takenLines(template, facts, optional);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into license_boms (license_id, source_bom_template_id, source_version, name, cast_size, venues, weeks,
      performances, optional_material_ids)
    values (${license.id}, ${template.id}, ${template.template_version}, ${input.name || template.name},
      ${license.cast_size ?? input.cast_size ?? null}, ${facts.venues}, ${facts.weeks}, ${facts.performances},
      ${optional}) returning id`);
  for (const line of lines) await copyLine(ctx.db, license, id, line);
  const row = await findBom(ctx.db, license.id, id);
  await ctx.audit({ action: 'attach', entity: 'license_bom', entity_id: id, after: row });
  return row;
}

async function factsWithCast(
  ctx: WorkContext, license: License, template: ApprovedTemplate, given: number | undefined,
): Promise<ProductionFacts> {
  const facts = await factsOf(ctx.db, license);
  const cast = facts.cast ?? given ?? null;
  if (cast === null && countsCast(template)) throw invalidField('cast_size', 'Say how large the cast is');
  if (facts.cast === null && given !== undefined) {
    await ctx.db.exec(sql`update licenses set cast_size = ${given}, version = version + 1 where id = ${license.id}`);
    await ctx.audit({ action: 'update', entity: 'license', entity_id: license.id, before: { cast_size: null },
      after: { cast_size: given } });
  }
  return { ...facts, cast: cast ?? 0 };
}

/** Lines of the template without the optional ones that nobody asked for. */
function takenLines(
  template: ApprovedTemplate, facts: ProductionFacts, optional: readonly number[],
): ExplodedLine<BomLineRow>[] {
  return explodeLines(template.lines, facts)
    .filter(({ line }) => !line.optional || optional.includes(line.material_id));
}

/** Lines of a template are what its package covers. */
async function copyLine(db: Queryable, license: License, bomId: number, row: ExplodedLine<BomLineRow>): Promise<void> {
  await insertMaterial(db, license, { material_id: row.line.material_id, license_bom_id: bomId,
    quantity: row.quantity, template_quantity: row.quantity, included_in_package: true, unit_price_minor: 0,
    ship_group: row.line.ship_group, lead_days: row.line.lead_days, substituted_for_id: row.substituted_for,
    note: row.line.note });
}

/**
 * A quote starts with the template that fits best, where its quantities can be known. Answers why its set could not be
 * attached, in words for staff; null where it has one or nothing is sent for this show and category.
 */
export async function attachBestTemplate(ctx: WorkContext, licenseId: number): Promise<string | null> {
  const license = await findLicense(ctx.db, licenseId);
  const { supplied } = await ctx.db.one<{ supplied: boolean }>(sql`
    select exists (select 1 from license_boms where license_id = ${licenseId}) as supplied`);
  if (supplied) return null;
  const best = (await fittingTemplates(ctx.db, license))[0];
  if (best && best.preview !== null) {
    await attachBom(ctx, { license_id: licenseId, bom_template_id: best.id });
    return null;
  }
  const { chosen } = await ctx.db.one<{ chosen: boolean }>(sql`
    select ${hasMaterials(sql`${licenseId}`)} as chosen`);
  return chosen ? null : whyNoSet(ctx.db, license);
}

async function whyNoSet(db: Queryable, license: License): Promise<string | null> {
  const [best] = await fitting(db, license);
  if (best && license.cast_size === null && countsCast(best)) {
    return `The set “${best.name}” counts the cast, and its size is not known. Attach it with the cast size, then `
      + 'order the materials.';
  }
  if (best) {
    return `The quantities of the set “${best.name}” are too large. Correct and approve it, attach it, then order the `
      + 'materials.';
  }
  const sets = await db.query<TemplateFacts & { name: string; approved: boolean }>(sql`
    select id, name, category, customer_classification_id, division, cast_min, cast_max, orchestration,
      template_version, approved_at is not null as approved
    from bom_templates where show_id = ${license.show_id} and category = ${license.category} and deleted_at is null
    order by id`);
  if (sets.length === 0) return null;
  const waiting = sets.find((one) => fits(one, factsFor(license)));
  if (waiting) {
    return `The set “${waiting.name}” is not approved. Approve it, attach it, then order the materials.`;
  }
  const ranged = license.cast_size === null && sets.some((one) =>
    fits({ ...one, cast_min: null, cast_max: null }, factsFor(license)));
  return ranged ? 'The sets of this show depend on the size of the cast, which is not known. Enter it, attach the set '
    + 'that fits, then order the materials.'
    : spell`No set of this show fits the license. Approve one that does or add its materials one by one, then order
      them.`;
}

interface HeldMaterial { id: number; material_id: number; quantity: number; template_quantity: number | null }

interface Comparison {
  bom: LicenseBomRow;
  license: License;
  facts: ProductionFacts;
  template: ApprovedTemplate | null;
  held: readonly HeldMaterial[];
  wanted: readonly ExplodedLine<BomLineRow>[];
}

/** The copy beside what the newest approved version gives for the licence as it stands; by hand: nothing to compare. */
async function compare(db: Queryable, licenseId: number, bomId: number, lock: boolean): Promise<Comparison> {
  const license = await findLicense(db, licenseId, lock);
  const bom = await findBom(db, licenseId, bomId, lock);
  const held = await db.query<HeldMaterial>(sql`
    select id, material_id, quantity, template_quantity from license_materials where license_bom_id = ${bomId}`);
  const counted = await factsOf(db, license);
  const facts = { ...counted, cast: counted.cast ?? bom.cast_size ?? 0 };
  const template = bom.source_bom_template_id === null ? null : await newestApproved(db, bom.source_bom_template_id);
  const wanted = template ? takenLines(template, facts, bom.optional_material_ids) : [];
  return { bom, license, facts, template, held, wanted };
}

const counts = (rows: readonly { material_id: number; quantity: number }[]): Map<number, number> =>
  new Map(rows.map((row) => [row.material_id, row.quantity]));
const wantedCounts = (wanted: Comparison['wanted']): Map<number, number> =>
  counts(wanted.map(({ line, quantity }) => ({ material_id: line.material_id, quantity })));

export async function bomDifferences(db: Queryable, licenseId: number, bomId: number) {
  const { bom, template, held, wanted } = await compare(db, licenseId, bomId, false);
  const found = template ? differences(counts(held), wantedCounts(wanted)) : [];
  const names = await db.query<{ id: number; item_number: string; name: string }>(sql`
    select id, item_number, name from materials where id = any (${found.map((row) => row.material_id)})`);
  const lines = found.map((row): BomDifference => {
    const material = names.find((one) => one.id === row.material_id)!;
    const own = held.find((one) => one.material_id === row.material_id);
    return { ...row, item_number: material.item_number, name: material.name,
      changed_by_hand: own !== undefined && own.quantity !== own.template_quantity };
  });
  return { source_version: bom.source_version, current_version: bom.current_version, lines };
}

/** Takes over what differs, all of it or the materials named. */
export async function resyncBom(
  ctx: WorkContext, licenseId: number, bomId: number, wish: { version: number; material_ids?: number[] | undefined },
): Promise<LicenseBomRow> {
  const { bom, license, facts, template, held, wanted } = await compare(ctx.db, licenseId, bomId, true);
  if (bom.version !== wish.version) throw stale(bom);
  if (!template) throw refuse('conflict', 'This BOM was put together by hand: there is no template to compare with.');
  refuseLate(license, false);
  const found = differences(counts(held), wantedCounts(wanted))
    .filter((row) => wish.material_ids === undefined || wish.material_ids.includes(row.material_id));
  for (const { material_id: materialId, after } of found) {
    const own = held.find((row) => row.material_id === materialId);
    const line = wanted.find((row) => row.line.material_id === materialId);
    if (own && after === 0) await ctx.db.exec(sql`delete from license_materials where id = ${own.id}`);
    else if (own) {
      await ctx.db.exec(sql`update license_materials set quantity = ${after}, template_quantity = ${after},
        version = version + 1 where id = ${own.id}`);
    } else if (line) await copyLine(ctx.db, license, bomId, line);
  }
  await ctx.db.exec(sql`
    update license_boms set source_version = ${template.template_version}, cast_size = ${facts.cast || null},
      venues = ${facts.venues}, weeks = ${facts.weeks}, performances = ${facts.performances}, version = version + 1
    where id = ${bomId}`);
  const after = await findBom(ctx.db, licenseId, bomId);
  await ctx.audit({ action: 'resync', entity: 'license_bom', entity_id: bomId,
    before: { ...bom, lines: found.map((row) => [row.material_id, row.before]) },
    after: { ...after, lines: found.map((row) => [row.material_id, row.after]) } });
  return after;
}
