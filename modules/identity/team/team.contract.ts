/** Teams of the staff: who works together, who leads, where mail for all of them goes (calls A289 to A296). */
import * as z from 'zod';
import { staff, staffAdmin } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { field, id } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { activityQuery, activityRow, staffRow } from '../staff/staff.contract.ts';

const path = '/api/admin/staff/teams';

/** Reading needs user.show, changing a staff administrator or `super` (gaps G72). */
export const team = resource({
  name: 'team', path, label: ['team', 'teams'],
  fields: {
    name: field.text('Name', { max: 120 }),
    description: field.longText('Purpose', { max: 2000 }),
    email: field.optionalEmail('Shared email address', { caption: 'A mailbox that the whole team reads.' }),
    lead_id: field.optionalRef('Lead', '/api/admin/staff/users', { caption: 'The lead is always a member.' }),
  },
  extra: { lead_name: z.string().nullable(), members_count: z.int() },
  filters: {}, sort: ['name', 'members_count', 'updated_at'],
  permissions: { list: 'user.show', show: 'user.show', create: 'super', update: 'super', remove: 'super' },
});
const { list, show, create, update, remove } = team.endpoints;

export const teamEndpoints = {
  list, show, create, update, remove: { ...remove, summary: 'Dissolve a team' },
  members: endpoint({ method: 'GET', path: `${path}/{id}/members`, auth: staff('user.show'),
    summary: 'Members of a team', response: many(staffRow),
    query: listQuery({ filters: {}, sort: ['last_name', 'email'] }) }),
  addMember: endpoint({ method: 'POST', path: `${path}/{id}/members`, auth: staffAdmin, summary: 'Add a member',
    body: z.strictObject({ user_id: id }), response: one(team.row), status: 201 }),
  removeMember: endpoint({ method: 'DELETE', path: `${path}/{id}/members/{userId}`, auth: staffAdmin,
    summary: 'Remove a member', response: null }),
  activity: endpoint({ method: 'GET', path: `${path}/{id}/activity`, auth: staff('user.show'),
    summary: 'Activity of a team', query: activityQuery, response: many(activityRow) }),
};
