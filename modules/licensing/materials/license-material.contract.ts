/**
 * Materials and BOMs of a license: its BOMs (frozen copies of templates, or put together by hand) and its materials,
 * single or of a BOM. Items not covered by the rental package are charged on the quote (domain.md 4 and 7). BOMs have
 * no permission family of their own: they use those of license materials (coverage of A186).
 */
import * as z from 'zod';
import { customer, staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, id, oneLine, positiveMinor, version } from '#kit/field.ts';
import { MAX_QUANTITY, SHIP_GROUPS } from '#kernel/materials/explode.ts';
import { spell } from '#kernel/text/english.ts';
import { bomPreviewLine } from '#modules/catalogue/bom-template/bom-template.contract.ts';
import { FULFILMENTS, MATERIAL_TYPES, SHOW_CODE } from '#modules/catalogue/material/material.contract.ts';
import { orderedLine } from '#modules/stock/sales-order/sales-order.contract.ts';

const license = '/api/admin/staff/licenses/{licenseId}';
const path = `${license}/license_materials` as const;
const boms = `${license}/license_boms` as const;

const quantity = z.int('Enter a whole number').min(1, 'At least one copy; take the line off for none')
  .max(MAX_QUANTITY, 'At most 100,000 copies');
const note = z.string().trim().max(500);
const dateText = z.string().nullable();

export const licenseMaterialRow = z.object({
  id: z.int(), license_id: z.int(), license_bom_id: z.int().nullable(), bom_name: z.string().nullable(),
  material_id: z.int(), item_number: z.string(), name: z.string(), type: z.enum(MATERIAL_TYPES),
  fulfilment: z.enum(FULFILMENTS), quantity: z.int(), template_quantity: z.int().nullable(),
  included_in_package: z.boolean(), unit_price_minor: z.int(), extended_minor: z.int(), currency: currencyCode,
  return_required: z.boolean(), ship_group: z.enum(SHIP_GROUPS), lead_days: z.int(), ships_on: dateText,
  returns_on: dateText, substituted_for_id: z.int().nullable(), substituted_for_name: z.string().nullable(),
  note: z.string(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type LicenseMaterialRow = z.infer<typeof licenseMaterialRow>;
/** In the list with the lines of sales orders that send it; none where it is not ordered. */
export const listedMaterialRow = licenseMaterialRow.extend({ ordered: z.array(orderedLine) });
export type ListedMaterialRow = z.infer<typeof listedMaterialRow>;

export const licenseMaterialInput = z.strictObject({
  material_id: z.int('Choose a material').min(1, 'Choose a material'),
  quantity: quantity.default(1),
  /** Absent: hire and perusals are part of the package, all else is charged. */
  included_in_package: z.boolean().optional(),
  /** Absent: the price of the material in the licence's currency. */
  unit_price_minor: positiveMinor.optional(),
  ship_group: z.enum(SHIP_GROUPS).optional(),
  note: note.default(''),
});
const change = { quantity: quantity.optional(), included_in_package: z.boolean().optional(),
  unit_price_minor: positiveMinor.optional(), ship_group: z.enum(SHIP_GROUPS).optional(), note: note.optional() };
export const licenseMaterialChange = z.strictObject({ ...change,
  /** Another material instead: the line says for which it stands. */
  material_id: id.optional(), version });

export const licenseBomRow = z.object({
  id: z.int(), license_id: z.int(), license_number: z.string(), customer_name: z.string(), customer_id: z.int(),
  phase: z.string(), show_code: z.string(), show_title: z.string(),
  name: z.string(), source_bom_template_id: z.int().nullable(), source_name: z.string().nullable(),
  source_version: z.int().nullable(),
  /** The newest approved version of the template. */
  current_version: z.int().nullable(),
  cast_size: z.int().nullable(), venues: z.int().nullable(), weeks: z.int().nullable(),
  performances: z.int().nullable(), optional_material_ids: z.array(z.int()), line_count: z.int(), note: z.string(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type LicenseBomRow = z.infer<typeof licenseBomRow>;

/** A template that fits a licence, best first, with what it would give. */
export const availableTemplate = z.object({
  id: z.int(), name: z.string(), template_version: z.int(), category: z.string(), division: z.string().nullable(),
  cast_min: z.int().nullable(), cast_max: z.int().nullable(), orchestration: z.string().nullable(),
  classification_name: z.string().nullable(), line_count: z.int(),
  /** Its materials stand on the licence already. */
  attached: z.boolean(),
  /** Null while the cast is not known and a line counts it, or a quantity is too large. */
  preview: z.array(bomPreviewLine).nullable(),
});
export type AvailableTemplate = z.infer<typeof availableTemplate>;
const availableMaterial = z.object({
  id: z.int(), item_number: z.string(), name: z.string(), type: z.enum(MATERIAL_TYPES),
  category_name: z.string(), price_minor: z.int().nullable(), currency: currencyCode,
});
const templateQuery = listQuery({ filters: {}, sort: ['name'] });
const materialQuery = listQuery({ filters: { type: z.enum(MATERIAL_TYPES).optional() }, sort: ['name',
  'item_number'] });

export const bomDifference = z.object({
  material_id: z.int(), item_number: z.string(), name: z.string(), before: z.int(), after: z.int(),
  /** A person changed the quantity that the template gave. */
  changed_by_hand: z.boolean(),
});
export type BomDifference = z.infer<typeof bomDifference>;
const differenceAnswer = one(z.object({ source_version: z.int().nullable(), current_version: z.int().nullable(),
  lines: z.array(bomDifference) }));

const attachBody = z.strictObject({
  /** Kept on the licence where it has no cast yet. */
  cast_size: z.int('Say how large the cast is').min(1, 'Say how large the cast is').max(1000).optional(),
  optional_material_ids: z.array(id).max(300).default([]),
});

export const licenseMaterialEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license_material.list'), summary: 'Materials of a licence',
    response: many(listedMaterialRow), query: listQuery({ filters: { license_bom_id:
      z.coerce.number().int().optional(),
      ship_group: z.enum(SHIP_GROUPS).optional() }, sort: ['sort', 'name', 'item_number', 'quantity'] }) }),
  available: endpoint({ method: 'GET', path: `${path}/available`, auth: staff('license_material.list'),
    summary: 'Materials that can be added to a licence', response: many(availableMaterial), query: materialQuery }),
  availableTemplates: endpoint({ method: 'GET', path: `${path}/bom_templates/available`,
    auth: staff('license_material.list'), summary: 'BOM templates that fit a licence, the best first',
    response: many(availableTemplate), query: templateQuery }),
  availableResources: endpoint({ method: 'GET', path: `${path}/resources/available`,
    auth: staff('license_material.list'), summary: 'Digital files of the show that can be added to a licence',
    response: many(availableMaterial), query: materialQuery }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('license_material.show'),
    summary: 'A material of a licence', response: one(licenseMaterialRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('license_material.create'),
    summary: 'Add a material to a licence', body: licenseMaterialInput, response: one(licenseMaterialRow),
    status: 201 }),
  batchUpdate: endpoint({ method: 'PUT', path: `${path}/batch-update`, auth: staff('license_material.update'),
    summary: 'Change several materials of a licence at once: all of them or none',
    body: z.strictObject({ materials: z.array(z.strictObject({ id, ...change, version })).min(1).max(300) }),
    response: all(licenseMaterialRow) }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('license_material.update'),
    summary: 'Change a material of a licence', body: licenseMaterialChange, response: one(licenseMaterialRow) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('license_material.delete'),
    summary: 'Take a material off a licence', response: null }),
  attach: endpoint({ method: 'POST', path: `${path}/bom_templates/{bomTemplateId}/attach`,
    auth: staff('license_material.create'), summary: 'Copy a BOM template to a licence', body: attachBody,
    response: one(licenseBomRow), status: 201 }),
};

export const licenseBomEndpoints = {
  list: endpoint({ method: 'GET', path: boms, auth: staff('license_material.list'), summary: 'BOMs of a licence',
    response: many(licenseBomRow), query: listQuery({ filters: {}, sort: ['name', 'updated_at'] }) }),
  available: endpoint({ method: 'GET', path: `${boms}/available`, auth: staff('license_material.list'),
    summary: 'BOM templates that fit a licence, the best first', response: many(availableTemplate),
    query: templateQuery }),
  show: endpoint({ method: 'GET', path: `${boms}/{id}`, auth: staff('license_material.show'),
    summary: 'A BOM of a licence', response: one(licenseBomRow) }),
  create: endpoint({ method: 'POST', path: boms, auth: staff('license_material.create'),
    summary: 'Begin a BOM of a licence by hand', response: one(licenseBomRow), status: 201,
    body: z.strictObject({ name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(120)),
      note: note.default('') }) }),
  update: endpoint({ method: 'PUT', path: `${boms}/{id}`, auth: staff('license_material.update'),
    summary: 'Rename a BOM of a licence', response: one(licenseBomRow),
    body: z.strictObject({ name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(120)).optional(),
      note: note.optional(), version }) }),
  remove: endpoint({ method: 'DELETE', path: `${boms}/{id}`, auth: staff('license_material.delete'),
    summary: 'Take a BOM with its materials off a licence', response: null }),
  differences: endpoint({ method: 'GET', path: `${boms}/{id}/differences`, auth: staff('license_material.show'),
    summary: 'Changes a re-sync with the template would make', response: differenceAnswer }),
  resync: endpoint({ method: 'PUT', path: `${boms}/{id}/resync`, auth: staff('license_material.update'),
    summary: 'Take over what the template gives today', response: one(licenseBomRow),
    body: z.strictObject({ version,
      /** Only these; absent: all that differ. */
      material_ids: z.array(id).max(300).optional() }) }),
};

/** BOMs in use over all licences (gaps G91). */
export const bomsInUseEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/boms', auth: staff('bom_template.list'),
    summary: 'BOMs of all licences', response: many(licenseBomRow),
    query: listQuery({ filters: { show_code: z.string().regex(SHOW_CODE).optional(),
      bom_template_id: z.coerce.number().int().min(1).optional() }, sort: ['updated_at', 'name'] }) }),
  create: endpoint({ method: 'POST', path: '/api/admin/bom', auth: staff('bom_template.create'),
    summary: 'Make a BOM of a licence, from a template or by hand', response: one(licenseBomRow), status: 201,
    body: z.strictObject({ show_code: z.string().regex(SHOW_CODE, 'Choose a show'),
      license_id: z.int(spell`Choose a license`).min(1), bom_template_id: id.optional(),
      name: oneLine('Name', z.string().trim().max(120)).optional(), cast_size: attachBody.shape.cast_size }) }),
};

export const portalLicenseMaterialRow = z.object({
  id: z.int(), item_number: z.string(), name: z.string(), type: z.enum(MATERIAL_TYPES),
  fulfilment: z.enum(FULFILMENTS), quantity: z.int(), ship_group: z.enum(SHIP_GROUPS), ships_on: dateText,
  returns_on: dateText, included_in_package: z.boolean(), unit_price_minor: z.int(), currency: currencyCode,
});
export const portalLicenseMaterialEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/customers/{id}/licenses/{licenseId}/materials', auth: customer(),
    summary: 'Materials of a production, with their dates', response: many(portalLicenseMaterialRow),
    query: listQuery({ filters: {}, sort: ['sort', 'name'] }) }),
};
