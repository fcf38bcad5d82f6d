/** People of the staff: calls A306, A313 to A321, X185 of the specification, and the way back from X185. */
import * as z from 'zod';
import { staff, staffOrSelf, STAFF_ROLES } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { all, endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { id, nameLine, version } from '#kit/field.ts';
import { LANGUAGES } from '#kernel/money/division.ts';
import type { Permission } from '#kit/permission.ts';
import { AVATAR_UPLOAD, personEmail, personFacts, shortText } from '../user/user.contract.ts';

export const staffRole = z.enum(STAFF_ROLES, 'Choose a role of the staff');
export type StaffRole = z.infer<typeof staffRole>;

const named = z.object({ id: z.int(), name: z.string() });
/** SPEC.md 3, User and staff users: `roles` is the one role, `user_type`, `system_admin` follow from it (gaps G67). */
export const staffRow = z.object({
  ...personFacts, role: staffRole, roles: z.array(staffRole),
  user_type: z.enum(['STAFF_USER', 'STAFF_ADMIN', 'SYSTEM']),
  system_admin: z.boolean(), job_title: z.string().nullable(), phone: z.string().nullable(), active: z.boolean(),
  disabled_at: z.string().nullable(), groups: z.array(named), teams: z.array(named),
  last_seen_at: z.string().nullable(), version: z.int(),
});
export type StaffRow = z.infer<typeof staffRow>;
export const staffRecord = staffRow.extend({
  pending_email: z.string().nullable(), start_page: z.string().nullable(), language: z.enum(LANGUAGES).nullable(),
  /** Permissions from the groups, each value once; roles above staff_user need none. */
  permissions: z.array(z.string()),
  /** Why the caller may not change this person; null where they may. */
  above: z.string().nullable(),
});
export type StaffRecord = z.infer<typeof staffRecord>;

/** Start pages a staff member may choose, with the permission each needs; /admin is for everyone. */
export const START_PAGES: readonly { path: string; label: string; needs: Permission | null }[] = [
  { path: '/admin', label: 'Home', needs: null },
  { path: '/admin/applications', label: 'Applications', needs: 'license_application.list' },
  { path: '/admin/quotes', label: 'Quotes', needs: 'license.list' },
  { path: '/admin/productions', label: 'Productions', needs: 'license.list' },
  { path: '/admin/bookings', label: 'Bookings', needs: 'license.list' },
  { path: '/admin/customers', label: 'Customers', needs: 'customer.list' },
  { path: '/admin/accounts-receivable/invoices', label: 'Receivables', needs: 'invoice.list' },
  { path: '/admin/accounting/transactions', label: 'Accounting', needs: 'transaction.list' },
];
const startPage = z.string().refine((path) => START_PAGES.some((page) => page.path === path), 'Choose a page');

export const activityRow = z.object({
  id: z.int(), created_at: z.string(), actor: z.string().nullable(), action: z.string(), entity: z.string(),
  entity_id: z.int().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
});
export const activityQuery = pagedQuery({ filters: {}, sort: ['id'], perPage: 20 });

const path = '/api/admin/staff/users';
const item = `${path}/{id}` as const;
const avatarPath = `${item}/avatar` as const;

export const staffEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('user.show'), summary: 'List the staff', response: many(staffRow),
    query: listQuery({ sort: ['last_name', 'email', 'created_at', 'updated_at'], filters: {
      role: staffRole.optional(), group_id: z.coerce.number().int().min(1).optional(),
      team_id: z.coerce.number().int().min(1).optional(), active: z.stringbool().optional() } }) }),
  latest: endpoint({ method: 'GET', path: `${path}/latest`, auth: staff('user.show'), response: all(staffRow),
    summary: 'The five people who joined last' }),
  show: endpoint({ method: 'GET', path: item, auth: staffOrSelf('user.show'), summary: 'Show a member of staff',
    response: one(staffRecord) }),
  create: endpoint({ method: 'POST', path, auth: staff('user.create'), status: 201, confirm: true,
    summary: 'Add a member of staff, who is sent a link to choose a password', response: one(staffRecord),
    body: z.strictObject({ email: personEmail, first_name: nameLine('First name'), last_name: nameLine('Last name'),
      role: staffRole, staff_group_ids: z.array(id).max(50).default([]) }) }),
  role: endpoint({ method: 'PUT', path: `${item}/role`, auth: staff('user.manage_role'), confirm: true,
    summary: 'Change the role of a member of staff', body: z.strictObject({ role: staffRole, version }),
    response: one(staffRecord) }),
  settings: endpoint({ method: 'PUT', path: `${item}/settings`, auth: staffOrSelf('user.update'),
    summary: 'Change job title and first page', response: one(staffRecord),
    body: z.strictObject({ job_title: shortText('Job title', 120).optional(),
      start_page: startPage.nullable().optional(), version }) }),
  addAvatar: endpoint({ method: 'POST', path: avatarPath, auth: staff('user.manage_avatar'), upload: AVATAR_UPLOAD,
    status: 201, summary: 'Upload the picture of a member of staff', response: one(staffRecord) }),
  replaceAvatar: endpoint({ method: 'PUT', path: avatarPath, auth: staff('user.manage_avatar'), upload: AVATAR_UPLOAD,
    summary: 'Replace the picture of a member of staff', response: one(staffRecord) }),
  removeAvatar: endpoint({ method: 'DELETE', path: avatarPath, auth: staff('user.manage_avatar'),
    summary: 'Remove the picture of a member of staff', response: null }),
  deactivate: endpoint({ method: 'DELETE', path: item, auth: staff('user.update'), response: null,
    summary: 'Deactivate: the person is signed out everywhere and cannot sign in; records keep the name' }),
  activate: endpoint({ method: 'PUT', path: `${item}/activate`, auth: staff('user.update'), confirm: true,
    response: one(staffRecord), summary: 'Let a deactivated person sign in again', body: z.strictObject({ version }) }),
  activity: endpoint({ method: 'GET', path: `${item}/activity`, auth: staffOrSelf('user.show'),
    summary: 'Activity of a staff account', query: activityQuery, response: many(activityRow) }),
  roles: endpoint({ method: 'GET', path: '/api/admin/staff/roles', auth: staff(null), summary: 'Roles of the staff',
    query: z.strictObject({ type: z.enum(['staff']).default('staff') }),
    response: all(z.object({ type: z.literal('staff'), value: staffRole, name: z.string(), description: z.string(),
      /** Whether the caller may give it. */
      grantable: z.boolean() })) }),
};

const back = { label: 'Activate', endpoint: staffEndpoints.activate };
export const staffBulk = bulk(staffEndpoints.list,
  { noun: ['person', 'people'], href: '/admin/staff/{id}/profile', named: ['email'] },
  [back, { label: 'Deactivate', endpoint: staffEndpoints.deactivate, danger: true, undo: back }]);
