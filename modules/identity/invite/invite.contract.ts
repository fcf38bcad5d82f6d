/** Invitations to the staff: calls A310 to A312, X186, X187. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { id } from '#kit/field.ts';
import { staffRole } from '../staff/staff.contract.ts';
import { personEmail } from '../user/user.contract.ts';

export const INVITE_STATES = ['pending', 'expired', 'accepted', 'revoked'] as const;
export const MOST_INVITED = 20;

export const inviteRow = z.object({
  id: z.int(), email: z.string(), role: staffRole, groups: z.array(z.object({ id: z.int(), name: z.string() })),
  status: z.enum(INVITE_STATES), note: z.string(), invited_by_name: z.string(), sent_at: z.string(),
  sent_times: z.int(), expires_at: z.string(), accepted_at: z.string().nullable(),
  accepted_user_id: z.int().nullable(), accepted_user_name: z.string().nullable(), revoked_at: z.string().nullable(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type InviteRow = z.infer<typeof inviteRow>;

const path = '/api/admin/staff/invites';
const item = `${path}/{id}` as const;

export const inviteEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('staff_invite.list'), summary: 'List invitations to the staff',
    query: listQuery({ filters: { status: z.enum(INVITE_STATES).optional(), role: staffRole.optional() },
      sort: ['sent_at', 'email', 'expires_at'] }), response: many(inviteRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('staff_invite.show'), summary: 'Show an invitation',
    response: one(inviteRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('staff_invite.create'), status: 201, confirm: true,
    summary: 'Invite one address, or up to twenty, in one role', response: all(inviteRow),
    body: z.strictObject({ email: personEmail.optional(),
      emails: z.array(personEmail).max(MOST_INVITED, `Invite at most ${MOST_INVITED} people at once`).optional(),
      role: staffRole, staff_group_ids: z.array(id).max(50).default([]),
      note: z.string().trim().max(500, 'The note is longer than 500 characters').default('') }) }),
  resend: endpoint({ method: 'POST', path: `${item}/resend`, auth: staff('staff_invite.create'), confirm: true,
    summary: 'Send an invitation again; the link before it stops working', response: one(inviteRow) }),
  revoke: endpoint({ method: 'DELETE', path: item, auth: staff('staff_invite.create'), response: null,
    summary: 'Revoke an invitation; its link stops working' }),
};

export const inviteBulk = bulk(inviteEndpoints.list, { noun: ['invitation', 'invitations'], href: null },
  [{ label: 'Send again', endpoint: inviteEndpoints.resend },
    { label: 'Withdraw', endpoint: inviteEndpoints.revoke, danger: true }]);
