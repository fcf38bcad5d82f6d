/** Groups of the staff, which carry permissions (calls A297 to A305), and who holds what. */
import * as z from 'zod';
import { staff, staffAdmin } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { id, nameLine, version } from '#kit/field.ts';
import { isPermission, PERMISSION_FAMILIES, PLACEHOLDER_PERMISSION, type PermissionFamily } from '#kit/permission.ts';
import { activityQuery, activityRow, staffRow } from '../staff/staff.contract.ts';

/** R80, R81: only values that exist; the placeholder is known and refused. */
const permissionValue = z.string().max(80).superRefine((value, ctx) => {
  if (value === PLACEHOLDER_PERMISSION) {
    ctx.addIssue({ code: 'custom', message: 'REPLACE is a placeholder and grants nothing. Choose a permission.' });
  } else if (!isPermission(value)) {
    ctx.addIssue({ code: 'custom', message: `"${value}" is not a permission` });
  }
});

export const groupRow = z.object({
  id: z.int(), name: z.string(), permission_values: z.array(z.string()), users_count: z.int(), version: z.int(),
  created_at: z.string(), updated_at: z.string(),
});
export type GroupRow = z.infer<typeof groupRow>;

const body = { name: nameLine('Name'), permission_values: z.array(permissionValue).max(300) };
const families = Object.keys(PERMISSION_FAMILIES) as [PermissionFamily, ...PermissionFamily[]];
const path = '/api/admin/staff/groups';
const item = `${path}/{id}` as const;
const named = z.object({ id: z.int(), name: z.string() });

/** One value with the groups that give it and how many active people have it through them. */
export const holderRow = z.object({
  value: z.string(), family: z.string(), heading: z.string(), words: z.string(), groups: z.array(named),
  people_count: z.int(),
});
export type HolderRow = z.infer<typeof holderRow>;

export const groupEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staffAdmin, summary: 'List groups of the staff',
    query: listQuery({ filters: {}, sort: ['name', 'users_count', 'updated_at'] }), response: many(groupRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staffAdmin, summary: 'Show a group', response: one(groupRow) }),
  create: endpoint({ method: 'POST', path, auth: staffAdmin, summary: 'Create a group', status: 201,
    confirm: true, response: one(groupRow),
    body: z.strictObject({ ...body, permission_values: body.permission_values.default([]) }) }),
  update: endpoint({ method: 'PUT', path: item, auth: staffAdmin, summary: 'Rename a group or change what it gives',
    confirm: true,
    body: z.strictObject({ ...z.strictObject(body).partial().shape, version }), response: one(groupRow) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staffAdmin, summary: 'Remove a group that nobody is in',
    response: null }),
  users: endpoint({ method: 'GET', path: `${item}/users`, auth: staffAdmin, summary: 'People of a group',
    query: listQuery({ filters: {}, sort: ['last_name', 'email'] }), response: many(staffRow) }),
  addUser: endpoint({ method: 'POST', path: `${item}/users`, auth: staffAdmin, summary: 'Put someone into a group',
    confirm: true,
    body: z.strictObject({ user_id: id }), response: one(groupRow), status: 201 }),
  removeUser: endpoint({ method: 'DELETE', path: `${item}/users/{userId}`, auth: staffAdmin, response: null,
    summary: 'Take someone out of a group' }),
  activity: endpoint({ method: 'GET', path: `${item}/activity`, auth: staffAdmin, summary: 'Activity of a group',
    query: activityQuery, response: many(activityRow) }),
  permissions: endpoint({ method: 'GET', path: '/api/admin/staff/permissions', auth: staff(null),
    summary: 'Every permission value in plain words',
    response: all(z.object({ value: z.string(), family: z.string(), action: z.string().nullable(), heading: z.string(),
      words: z.string() })) }),
  holders: endpoint({ method: 'GET', path: '/api/admin/staff/permission_holders', auth: staffAdmin,
    summary: 'Permissions with their groups and holders', response: many(holderRow),
    query: listQuery({ filters: { family: z.enum(families).optional(), group_id: z.coerce.number().int().optional() },
      sort: ['value', 'people_count'], perPage: 25 }) }),
  holdersOf: endpoint({ method: 'GET', path: '/api/admin/staff/permission_holders/{value}', auth: staffAdmin,
    summary: 'Everyone who holds one value, and through what', params: z.object({ value: z.string().max(80) }),
    response: one(z.object({ value: z.string(), words: z.string(), people: z.array(z.object({ id: z.int(),
      name: z.string(), avatar_url: z.string().optional(), through: z.string() })) })) }),
};
