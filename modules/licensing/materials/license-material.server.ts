/** Calls about the materials and BOMs of licences. */
import { conflict, invalidField } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage, pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, mentions, sql, type Sql, textMentions } from '#server/sql.ts';
import { orderedForLicense } from '#modules/stock/stock.public.server.ts';
import { findCustomerLicense, findLicense } from '../licenses/license-record.server.ts';
import { attachBom, bomDifferences, fittingTemplates, resyncBom } from './attach-bom.server.ts';
import {
  bomsInUseEndpoints, licenseBomEndpoints, licenseMaterialEndpoints, portalLicenseMaterialEndpoints,
  type LicenseBomRow,
} from './license-material.contract.ts';
import { bomColumns, bomJoins, findBom, findMaterial, materialColumns, materialJoins, withDates, type Dated }
  from './license-material-rows.server.ts';
import { followMaterials } from './order-materials.server.ts';
import { addMaterial, changeMaterial, changeMaterials, removeBom, removeMaterial }
  from './save-license-materials.server.ts';

const path = (licenseId: number, rest: string): string => `/api/admin/staff/licenses/${licenseId}/${rest}`;

type ListQuery = QueryOf<typeof licenseMaterialEndpoints.list>;

async function listMaterials(ctx: Ctx, licenseId: number, query: ListQuery, address: string) {
  const page = await listPage<Dated>(
    ctx.db, {
      base: sql`license_materials t`, columns: materialColumns, joins: materialJoins,
      conditions: compact([sql`t.license_id = ${licenseId}`,
        query.license_bom_id !== undefined && sql`t.license_bom_id = ${query.license_bom_id}`,
        query.ship_group !== undefined && sql`t.ship_group = ${query.ship_group}`,
        query.search !== undefined && mentions(sql`t.item_number || ' ' || t.name`, query.search)]),
      sorts: { sort: sql`t.sort`, name: sql`t.name collate "und-x-icu"`, item_number: sql`t.item_number`,
        quantity: sql`t.quantity` }, defaultSort: 'sort',
    }, query, address);
  return { ...page, data: page.data.map(withDates) };
}

/** Active materials of the show or of none that do not stand on the licence as single lines yet. */
async function available(
  ctx: Ctx, licenseId: number, query: QueryOf<typeof licenseMaterialEndpoints.available>, files: boolean,
) {
  const license = await findLicense(ctx.db, licenseId);
  return listPage<never>(ctx.db, {
    base: sql`materials t`,
    columns: sql`t.id, t.item_number, t.name, t.type, c.name as category_name, ${license.currency} as currency,
      case ${license.currency}::text when 'USD' then t.price_usd_minor when 'EUR' then t.price_eur_minor
        else t.price_gbp_minor end as price_minor`,
    joins: sql`join material_categories c on c.key = t.category`,
    conditions: compact([
      files ? sql`t.show_id = ${license.show_id} and t.type = 'digital'`
        : sql`(t.show_id = ${license.show_id} or t.show_id is null)`,
      sql`t.active and t.deleted_at is null`,
      sql`not exists (select 1 from license_materials m where m.license_id = ${licenseId} and m.material_id = t.id
        and m.license_bom_id is null)`,
      query.type !== undefined && sql`t.type = ${query.type}`,
      query.search !== undefined && matches(sql`t.search_text`, query.search),
    ]),
    sorts: { name: sql`t.name collate "und-x-icu"`, item_number: sql`t.item_number` }, defaultSort: 'name',
  }, query, path(licenseId, `license_materials/${files ? 'resources/' : ''}available`));
}

/** A show has a handful of templates: they are ranked whole and paged here. */
async function templatePage(
  ctx: Ctx, licenseId: number, query: QueryOf<typeof licenseMaterialEndpoints.availableTemplates>, address: string,
) {
  const rows = await fittingTemplates(ctx.db, await findLicense(ctx.db, licenseId));
  const found = rows.filter((row) => textMentions(row.name, query.search ?? ''));
  if (query.sort_by === 'name') found.sort((a, b) => a.name.localeCompare(b.name, 'en-US'));
  if (query.sort_by === 'name' && query.sort_direction === 'desc') found.reverse();
  const from = (query.page - 1) * query.per_page;
  return pageOf(found.slice(from, from + query.per_page), found.length, query, address);
}

function listBoms(
  ctx: Ctx, conditions: (Sql | false)[], query: QueryOf<typeof licenseBomEndpoints.list>, address: string,
) {
  return listPage<LicenseBomRow>(ctx.db, {
    base: sql`license_boms t`, columns: bomColumns, joins: bomJoins,
    conditions: compact([...conditions, query.search !== undefined && mentions(sql`t.name`, query.search)]),
    sorts: { name: sql`t.name collate "und-x-icu"`, updated_at: sql`t.updated_at` }, defaultSort: 'updated_at',
    defaultDirection: 'desc',
  }, query, address);
}

async function beginBom(ctx: Ctx, licenseId: number, body: { name: string; note?: string }): Promise<LicenseBomRow> {
  await findLicense(ctx.db, licenseId, true);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into license_boms (license_id, name, note) values (${licenseId}, ${body.name}, ${body.note ?? ''})
    returning id`);
  const row = await findBom(ctx.db, licenseId, id);
  await ctx.audit({ action: 'create', entity: 'license_bom', entity_id: id, after: row });
  return row;
}

async function renameBom(
  ctx: Ctx, licenseId: number, id: number,
  body: { name?: string | undefined; note?: string | undefined; version: number },
): Promise<LicenseBomRow> {
  const before = await findBom(ctx.db, licenseId, id, true);
  if (before.version !== body.version) throw stale(before);
  await ctx.db.exec(sql`update license_boms set name = ${body.name ?? before.name}, note = ${body.note ?? before.note},
    version = version + 1 where id = ${id}`);
  const after = await findBom(ctx.db, licenseId, id);
  await ctx.audit({ action: 'update', entity: 'license_bom', entity_id: id, before, after });
  return after;
}

/** The answer to a change of materials, once the checklist has followed it. */
async function followed<T>(ctx: Ctx, licenseId: number, work: Promise<T>): Promise<T> {
  const answer = await work;
  await followMaterials(ctx, licenseId);
  return answer;
}

const materialRoutes = serve(licenseMaterialEndpoints, {
  async list(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    const page = await listMaterials(ctx, params.licenseId, query, path(params.licenseId, 'license_materials'));
    const lines = await orderedForLicense(ctx.db, params.licenseId);
    return { ...page, data: page.data.map((row) => ({ ...row,
      ordered: lines.filter((line) => line.material_id === row.material_id) })) };
  },
  available: (ctx, { params, query }) => available(ctx, params.licenseId, query, false),
  availableResources: (ctx, { params, query }) => available(ctx, params.licenseId, query, true),
  availableTemplates: (ctx, { params, query }) => templatePage(ctx, params.licenseId, query,
    path(params.licenseId, 'license_materials/bom_templates/available')),
  show: async (ctx, { params }) => {
    await findLicense(ctx.db, params.licenseId);
    return { data: await findMaterial(ctx.db, params.licenseId, params.id) };
  },
  create: async (ctx, { params, body }) => ({ data: await followed(ctx, params.licenseId,
    addMaterial(ctx, params.licenseId, body)) }),
  batchUpdate: async (ctx, { params, body }) =>
    ({ data: await changeMaterials(ctx, params.licenseId, body.materials) }),
  update: async (ctx, { params, body }) => ({ data: await changeMaterial(ctx, params.licenseId, params.id, body) }),
  remove: (ctx, { params }) => followed(ctx, params.licenseId, removeMaterial(ctx, params.licenseId, params.id)),
  attach: async (ctx, { params, body }) => ({ data: await followed(ctx, params.licenseId,
    attachBom(ctx, { ...body, license_id: params.licenseId, bom_template_id: params.bomTemplateId })) }),
});

const bomRoutes = serve(licenseBomEndpoints, {
  async list(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    return listBoms(ctx, [sql`t.license_id = ${params.licenseId}`], query, path(params.licenseId, 'license_boms'));
  },
  available: (ctx, { params, query }) => templatePage(ctx, params.licenseId, query,
    path(params.licenseId, 'license_boms/available')),
  show: async (ctx, { params }) => ({ data: await findBom(ctx.db, params.licenseId, params.id) }),
  create: async (ctx, { params, body }) => ({ data: await beginBom(ctx, params.licenseId, body) }),
  update: async (ctx, { params, body }) => ({ data: await renameBom(ctx, params.licenseId, params.id, body) }),
  remove: (ctx, { params }) => followed(ctx, params.licenseId, removeBom(ctx, params.licenseId, params.id)),
  differences: async (ctx, { params }) => ({ data: await bomDifferences(ctx.db, params.licenseId, params.id) }),
  resync: async (ctx, { params, body }) => ({ data: await resyncBom(ctx, params.licenseId, params.id, body) }),
});

const inUseRoutes = serve(bomsInUseEndpoints, {
  list: (ctx, { query }) => listBoms(ctx, [
    query.show_code !== undefined && sql`t.license_id in (select l.id from licenses l join shows s on s.id = l.show_id
      where s.show_code = ${query.show_code})`,
    query.bom_template_id !== undefined && sql`t.source_bom_template_id = ${query.bom_template_id}`,
  ], query, '/api/admin/boms'),
  async create(ctx, { body }) {
    const license = await ctx.db.maybeOne<{ show_code: string }>(sql`
      select s.show_code from licenses l join shows s on s.id = l.show_id
      where l.id = ${body.license_id} and l.deleted_at is null`);
    if (!license) throw invalidField('license_id', spell`This license does not exist`);
    if (license.show_code !== body.show_code) throw invalidField('show_code', spell`This license is for another show`);
    if (body.bom_template_id !== undefined) {
      return { data: await followed(ctx, body.license_id,
        attachBom(ctx, { ...body, bom_template_id: body.bom_template_id })) };
    }
    if (!body.name) throw conflict('license_bom.unnamed', 'Name the BOM, or choose a template.');
    return { data: await beginBom(ctx, body.license_id, { name: body.name }) };
  },
});

const portalRoutes = serve(portalLicenseMaterialEndpoints, {
  async list(ctx, { params, query }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return listMaterials(ctx, params.licenseId, query as ListQuery,
      `/api/customers/${params.id}/licenses/${params.licenseId}/materials`);
  },
});

export const licenseMaterialRoutes: readonly Route[] = [
  ...materialRoutes, ...bomRoutes, ...inUseRoutes, ...portalRoutes];
