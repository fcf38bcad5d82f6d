/**
 * BOM templates: which materials a production of a show gets, as quantity rules. An edit clears the approval and, after
 * one, counts the version up; only approved templates reach licences (SPEC 4, gaps G92; domain.md 4).
 */
import * as z from 'zod';
import { declineBody, declinedRow } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, trashing } from '#kit/bulk.ts';
import { all, endpoint, pagedQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, field, version } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { MAX_QUANTITY, QTY_RULES, SHIP_GROUPS } from '#kernel/materials/explode.ts';
import { activityRow } from '#modules/customers/customer/customer.contract.ts';
import { MATERIAL_TYPES, SHOW_CODE } from '../material/material.contract.ts';
import { CATEGORIES } from '../rate-card/rate-card.contract.ts';
import { ORCHESTRATIONS } from '../show/show.contract.ts';

/** Labels of the groups that ship together. */
export const SHIP_GROUP_LABELS = { advance: 'In advance', main: 'Main', orchestra: 'Orchestra', digital: 'Digital' };
const path = '/api/admin/staff/bom_templates';
const copies = z.int('Enter a whole number').min(0, 'A quantity is not negative')
  .max(MAX_QUANTITY, 'At most 100,000 copies');

export const bomLineInput = z.strictObject({
  material_id: z.int('Choose a material').min(1, 'Choose a material'),
  qty_rule: z.enum(QTY_RULES).default('fixed'),
  /** Of a fixed line. */
  quantity: copies.default(1),
  /** Copies per counted one: 1,000,000 is one each. */
  factor_ppm: z.int('Enter a number').min(0, 'A factor is not negative').max(1_000_000_000, 'At most 1,000 each')
    .default(1_000_000),
  constant: copies.default(0),
  optional: z.boolean().default(false),
  ship_group: z.enum(SHIP_GROUPS).default('main'),
  lead_days: z.int().min(0).max(365, 'At most 365 days').default(0),
  substitution_group: z.string().trim().max(60).default(''),
  substitution_rank: z.int().min(1, 'Ranks begin with 1').max(1000).default(1),
  note: z.string().trim().max(200).default(''),
});
export type BomLineInput = z.output<typeof bomLineInput>;

/** A line as it is answered, with what its material is called. */
export const bomLineRow = z.object({
  ...bomLineInput.shape, item_number: z.string(), name: z.string(), type: z.enum(MATERIAL_TYPES),
  /** Active and not in the trash. */
  available: z.boolean(),
});
export type BomLineRow = z.infer<typeof bomLineRow>;

export const bomTemplate = resource({
  name: 'bom_template', path, label: ['BOM template', 'BOM templates'],
  fields: {
    name: field.text('Name', { max: 120 }),
    show_code: field.text('Show', { max: 24, pattern: SHOW_CODE, message: 'Choose a show' }),
    category: field.choice('Category', CATEGORIES, { initial: 'Amateur' }),
    customer_classification_id: field.optionalRef('Kind of customer', '/api/admin/staff/customer_classifications',
      { caption: 'Leave empty for every kind.' }),
    division: field.optionalChoice('Division', ['US', 'EU', 'UK', 'PROD'],
      { caption: 'Leave empty for every division.' }),
    cast_min: field.optionalInteger('Smallest cast', { min: 1, max: 1000 }),
    cast_max: field.optionalInteger('Largest cast', { min: 1, max: 1000 }),
    orchestration: field.optionalChoice('Orchestration', ORCHESTRATIONS, { caption: 'Leave empty for every one.' }),
    notes: field.longText('Notes', { max: 2000 }),
    lines: field.json('Lines', z.array(bomLineInput).max(300, 'At most 300 lines'), { initial: [] }),
  },
  extra: {
    lines: z.array(bomLineRow), show_id: z.int(), show_title: z.string(), classification_name: z.string().nullable(),
    template_version: z.int(), approved: z.boolean(), approved_at: z.string().nullable(),
    approved_by_name: z.string().nullable(), line_count: z.int(),
    declined: declinedRow.nullable(),
    /** Licences that copied it. */
    copy_count: z.int(), deleted_at: z.string().nullable(),
  },
  filters: { show_code: z.string().regex(SHOW_CODE).optional(), category: z.enum(CATEGORIES).optional(),
    approved: z.stringbool().optional(), division: divisionCode.optional() },
  sort: ['name', 'updated_at', 'template_version'],
  permissions: { list: 'bom_template.list', show: 'bom_template.show', create: 'bom_template.create',
    update: 'bom_template.update', remove: 'bom_template.delete' },
});

/** The counts of one production. */
export const productionFacts = z.strictObject({
  cast: z.int('Enter the size of the cast').min(0).max(1000, 'At most 1,000 people'),
  venues: z.int().min(0).max(1000).default(1), weeks: z.int().min(0).max(520).default(1),
  performances: z.int().min(0).max(10_000).default(1),
});
/** Materials a production with these counts would get. */
export const bomPreviewLine = z.object({
  material_id: z.int(), item_number: z.string(), name: z.string(), type: z.enum(MATERIAL_TYPES),
  quantity: z.int(), optional: z.boolean(), ship_group: z.enum(SHIP_GROUPS), lead_days: z.int(),
  substituted_for: z.int().nullable(), missing: z.boolean(),
});
export type BomPreviewLine = z.infer<typeof bomPreviewLine>;
const versionRow = z.object({ id: z.int(), template_version: z.int(), approved_by_name: z.string(),
  approved_at: z.string(), line_count: z.int(), lines: z.array(bomLineRow) });

const { restore, ...calls } = bomTemplate.endpoints;
export const bomTemplateEndpoints = {
  ...calls,
  restore,
  showTrashed: endpoint({ method: 'GET', path: `${path}/trash/{id}` as const, auth: staff('bom_template.delete'),
    summary: 'Show a BOM template in the trash', response: one(bomTemplate.row) }),
  approve: endpoint({ method: 'PUT', path: `${path}/{id}/approve` as const, auth: staff('bom_template.approve'),
    summary: 'Approve a BOM template', body: z.strictObject({ version: version.optional() }),
    response: one(bomTemplate.row) }),
  decline: endpoint({ method: 'PUT', path: `${path}/{id}/decline` as const, auth: staff('bom_template.approve'),
    summary: 'Decline a draft BOM template; changing it asks for approval again', body: declineBody,
    response: one(bomTemplate.row) }),
  purge: endpoint({ method: 'DELETE', path: `${path}/{id}/purge` as const, auth: staff('bom_template.delete'),
    summary: 'Delete a BOM template in the trash for good', response: null }),
  preview: endpoint({ method: 'POST', path: `${path}/{id}/preview` as const, auth: staff('bom_template.show'),
    summary: 'Materials for a production', body: productionFacts, response: all(bomPreviewLine), readOnly: true }),
  versions: endpoint({ method: 'GET', path: `${path}/{id}/versions` as const, auth: staff('bom_template.show'),
    summary: 'Approved versions of a BOM template', response: many(versionRow),
    query: pagedQuery({ filters: {}, sort: ['template_version'] }) }),
  activity: endpoint({ method: 'GET', path: `${path}/{id}/activity` as const, auth: staff('bom_template.show'),
    summary: 'Activity of a BOM template', response: many(activityRow),
    query: pagedQuery({ filters: {}, sort: ['id'] }) }),
};

/** As answered: its lines carry what their materials are called. */
export type BomTemplateRow = Omit<z.infer<typeof bomTemplate.row>, 'lines'> & { lines: BomLineRow[] };
export type BomTemplateInput = z.output<typeof bomTemplate.create>;

const TEMPLATES = { noun: ['template', 'templates'], href: '/admin/templates/bom/{id}' } as const;
export const bomTemplateBulk = bulk(bomTemplateEndpoints.list, TEMPLATES, [
  { label: 'Approve', endpoint: bomTemplateEndpoints.approve }, trashing(bomTemplateEndpoints),
]);
export const bomTemplateTrashBulk = bulk(bomTemplateEndpoints.trash, { ...TEMPLATES, href: null },
  [restoring(bomTemplateEndpoints)]);
