/**
 * Categories and sub-categories of materials. People and programs name both by their key, which is set once; pages hold
 * 20 rows (SPEC 9, C50 and C51).
 */
import * as z from 'zod';
import { signedIn, staff } from '#kit/auth.ts';
import { CATEGORY_PAGE_SIZE, endpoint, listQuery, many } from '#kit/endpoint.ts';
import { field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

/** Addresses hold these words where a key would stand (gaps G18). */
const RESERVED_KEYS = ['create', 'trash', 'restore'];
const KEY_HINTS = { max: 40, pattern: new RegExp(`^(?!(?:${RESERVED_KEYS.join('|')})$)[a-z0-9_]+$`),
  message: 'Use small letters, digits and _; "create", "trash" and "restore" are taken', immutable: true,
  caption: 'Used by programs and in web addresses; fixed once saved.' };

/** A key as it stands in an address. */
export const categoryKey = z.string().regex(/^[a-z0-9_]{1,40}$/, 'Small letters, digits and _');

const shared = {
  name: field.text('Name', { max: 80 }),
  sort: field.integer('Place in lists', { max: 100_000, initial: 0 }),
  active: field.bool('Active', { initial: true, caption: 'Only active ones are offered for new materials.' }),
};
const filters = { active: z.stringbool().optional() };
const sort = ['sort', 'name', 'key', 'updated_at'] as const;

export const materialCategory = resource({
  name: 'material_category', path: '/api/admin/staff/material_categories',
  label: ['material category', 'material categories'], perPage: CATEGORY_PAGE_SIZE,
  fields: { key: field.text('Key', KEY_HINTS), ...shared },
  extra: { material_count: z.int(), deleted_at: z.string().nullable() }, filters, sort,
  permissions: { list: 'material_category.list', show: 'material_category.show', create: 'material_category.create',
    update: 'material_category.update', remove: 'material_category.delete' },
});
const categoryCalls = materialCategory.endpoints;
export const materialCategoryEndpoints = {
  ...categoryCalls,
  trash: endpoint({ ...categoryCalls.trash, auth: staff('material_category.list_trash') }),
  restore: endpoint({ ...categoryCalls.restore, auth: staff('material_category.restore_trash') }),
};

const subPath = '/api/admin/staff/material_sub_categories';
export const materialSubCategory = resource({
  name: 'material_sub_category', path: subPath, label: ['material sub-category', 'material sub-categories'],
  perPage: CATEGORY_PAGE_SIZE,
  fields: {
    key: field.text('Key', KEY_HINTS),
    category_key: field.text('Category', { max: 40, pattern: /^[a-z0-9_]+$/, message: 'Choose a category' }),
    ...shared,
  },
  extra: { category_name: z.string(), material_count: z.int(), deleted_at: z.string().nullable() },
  filters: { ...filters, category_key: categoryKey.optional() }, sort,
  permissions: { list: 'material_sub_category.list', show: 'material_sub_category.show',
    create: 'material_sub_category.create', update: 'material_sub_category.update',
    remove: 'material_sub_category.delete' },
});
const subCalls = materialSubCategory.endpoints;
const byKey = z.strictObject({ key: categoryKey });
export const materialSubCategoryEndpoints = {
  list: subCalls.list,
  create: subCalls.create,
  show: endpoint({ ...subCalls.show, path: `${subPath}/{key}`, params: byKey }),
  update: endpoint({ ...subCalls.update, path: `${subPath}/{key}`, params: byKey }),
  remove: endpoint({ ...subCalls.remove, path: `${subPath}/{key}`, params: byKey }),
  trash: endpoint({ ...subCalls.trash, auth: staff('material_sub_category.list_trash') }),
  restore: endpoint({ ...subCalls.restore, auth: staff('material_sub_category.restore_trash') }),
};

/** Facts of them that every signed-in person may read: the labels of the selects. */
const categoryOption = z.object({ id: z.int(), key: z.string(), name: z.string() });
const subCategoryOption = categoryOption.extend({ category_key: z.string() });
export const subCategoryOptions = many(subCategoryOption);
export const subCategoryQuery = listQuery({ filters: { category_key: categoryKey.optional() }, sort: ['sort', 'name'],
  perPage: CATEGORY_PAGE_SIZE });
export const categoryUtilityEndpoints = {
  categories: endpoint({ method: 'GET', path: '/api/utilities/material_categories', auth: signedIn,
    summary: 'Active categories of materials', response: many(categoryOption),
    query: listQuery({ filters: {}, sort: ['sort', 'name'], perPage: CATEGORY_PAGE_SIZE }) }),
  subCategories: endpoint({ method: 'GET', path: '/api/utilities/material_sub_categories', auth: signedIn,
    summary: 'Active sub-categories of materials', response: subCategoryOptions, query: subCategoryQuery }),
};

export type MaterialCategoryRow = z.infer<typeof materialCategory.row>;
export type MaterialSubCategoryRow = z.infer<typeof materialSubCategory.row>;
