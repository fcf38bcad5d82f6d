/**
 * The people of a customer: its own admins invite, detach and change roles (A361, X162 to X164), decide about those who
 * ask to join (X165, X166); staff do the same from their side. Roles: gaps G84; invitations: reliability.md 1.3.
 */
import * as z from 'zod';
import { customer, CUSTOMER_ROLES, open, staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { nameLine, version } from '#kit/field.ts';

const role = z.enum(CUSTOMER_ROLES, 'Choose a role');
const roleBody = z.strictObject({ role });

export const customerUser = z.object({
  id: z.int(), email: z.string(), first_name: z.string(), last_name: z.string(), role: z.enum(CUSTOMER_ROLES),
  disabled: z.boolean(), email_verified: z.boolean(), created_at: z.string(),
});
export type CustomerUser = z.infer<typeof customerUser>;

/** Member's view of another member: name and permissions. */
export const member = customerUser.pick({
  id: true, email: true, first_name: true, last_name: true, role: true, created_at: true,
});
export const invitation = z.object({
  id: z.int(), email: z.string(), role: z.enum(CUSTOMER_ROLES), invited_by: z.string(), created_at: z.string(),
  expires_at: z.string(), expired: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;
export const joinRequest = z.object({
  id: z.int(), user_id: z.int(), email: z.string(), first_name: z.string(), last_name: z.string(),
  created_at: z.string(),
});
export type JoinRequest = z.infer<typeof joinRequest>;
export const peopleEvent = z.object({
  id: z.int(), created_at: z.string(), actor: z.string().nullable(), action: z.string(), person: z.string(),
  role_before: z.enum(CUSTOMER_ROLES).nullable(), role_after: z.enum(CUSTOMER_ROLES).nullable(),
});
export type PeopleEvent = z.infer<typeof peopleEvent>;

/** A customer user as staff see them: account, houses, requests that wait. */
export const customerUserDetail = customerUser.extend({
  phone: z.string().nullable(), last_seen_at: z.string().nullable(), version: z.int(),
  houses: z.array(z.object({ id: z.int(), name: z.string(), number: z.string(), role: z.enum(CUSTOMER_ROLES) })),
});

const inviteBody = z.strictObject({
  email: z.email('Email must be a valid email address').max(254), role,
});
const decideBody = z.strictObject({
  decision: z.enum(['accept', 'refuse'], 'Accept or decline'), role: role.default('member'),
});
const home = '/api/customers/{id}';
const office = '/api/admin/staff/customers/{id}';
const admins = customer('admin');
const manage = staff('customer.manage_users');
const people = listQuery({ filters: {}, sort: ['last_name', 'email'] });
const events = pagedQuery({ filters: {}, sort: ['id'] });

export const peopleEndpoints = {
  users: endpoint({ method: 'GET', path: `${home}/users`, auth: customer(), summary: 'People of the organisation',
    response: many(member), query: people }),
  invite: endpoint({ method: 'POST', path: `${home}/users`, auth: admins, status: 202, confirm: true,
    summary: 'Invite someone; the answer is the same for every address', body: inviteBody,
    response: one(invitation) }),
  changeRole: endpoint({ method: 'PUT', path: `${home}/users/{userId}`, auth: admins, confirm: true,
    summary: 'Change a role; the last admin stays', body: roleBody, response: one(member) }),
  detach: endpoint({ method: 'DELETE', path: `${home}/users/{userId}`, auth: admins,
    summary: 'Take someone out of the organisation; the last admin stays', response: null }),
  invitations: endpoint({ method: 'GET', path: `${home}/invitations`, auth: admins,
    summary: 'Invitations that wait', response: all(invitation) }),
  resend: endpoint({ method: 'PUT', path: `${home}/invitations/{invitationId}/resend`, auth: admins,
    confirm: true, summary: 'Send an invitation again, with a new link', response: one(invitation) }),
  revoke: endpoint({ method: 'DELETE', path: `${home}/invitations/{invitationId}`, auth: admins,
    summary: 'Take an invitation back', response: null }),
  joinRequests: endpoint({ method: 'GET', path: `${home}/join_requests`, auth: admins,
    summary: 'Requests to join', response: all(joinRequest) }),
  decide: endpoint({ method: 'PUT', path: `${home}/join_requests/{requestId}`, auth: admins, confirm: true,
    summary: 'Accept or decline someone who asks to join', body: decideBody, response: one(joinRequest) }),
  userEvents: endpoint({ method: 'GET', path: `${home}/user_events`, auth: admins,
    summary: 'Changes of members and roles', query: events, response: many(peopleEvent) }),
};

export const customerPeopleEndpoints = {
  show: endpoint({ method: 'GET', path: `${office}/users/{userId}`, auth: staff('user.show'),
    summary: 'One person of a customer', response: one(customerUserDetail) }),
  invitations: endpoint({ method: 'GET', path: `${office}/invitations`, auth: manage,
    summary: 'Invitations into a customer that wait', response: all(invitation) }),
  invite: endpoint({ method: 'POST', path: `${office}/invitations`, auth: manage, status: 202, confirm: true,
    summary: 'Invite someone into a customer', body: inviteBody, response: one(invitation) }),
  resend: endpoint({ method: 'PUT', path: `${office}/invitations/{invitationId}/resend`, auth: manage,
    confirm: true, summary: 'Send an invitation into a customer again', response: one(invitation) }),
  revoke: endpoint({ method: 'DELETE', path: `${office}/invitations/{invitationId}`, auth: manage,
    summary: 'Take an invitation into a customer back', response: null }),
  joinRequests: endpoint({ method: 'GET', path: `${office}/join_requests`, auth: manage,
    summary: 'Requests to join a customer', response: all(joinRequest) }),
  decide: endpoint({ method: 'PUT', path: `${office}/join_requests/{requestId}`, auth: manage, confirm: true,
    summary: 'Accept or decline someone who asks to join a customer', body: decideBody, response: one(joinRequest) }),
  decline: endpoint({ method: 'PUT', path: `${office}/decline`, auth: staff('customer.update'),
    summary: 'Decline an organisation that signed up', response: one(z.object({ id: z.int() })),
    body: z.strictObject({ version,
      reason: z.string().trim().min(1, 'Give a reason: it is emailed to them').max(500, 'At most 500 characters') }) }),
  merge: endpoint({ method: 'POST', path: `${office}/merge`, auth: staff('customer.update'), confirm: true,
    summary: 'Fold an organisation that signed up into one that is known',
    response: one(z.object({ id: z.int(), name: z.string() })),
    body: z.strictObject({ version, into_customer_id: z.int('Choose the customer').min(1, 'Choose the customer'),
      role }) }),
};

const token = z.object({ token: z.string().min(1).max(100) });
const link = '/api/auth/invitations/{token}';
const password = z.string().min(1, 'Password is required').max(256, 'Use at most 256 characters');

export const invitationEndpoints = {
  read: endpoint({ method: 'GET', path: link, auth: open, params: token, summary: 'An invitation',
    response: one(z.object({ customer_name: z.string(), email: z.string(), role: z.enum(CUSTOMER_ROLES),
      invited_by: z.string(), has_account: z.boolean(), expires_at: z.string() })) }),
  /** Someone without an account: name and password make one, its address verified by the link. */
  join: endpoint({ method: 'POST', path: `${link}/join`, auth: open, params: token, status: 201,
    summary: 'Accept an invitation with a new account', response: one(z.object({ customer_id: z.int() })),
    body: z.strictObject({ first_name: nameLine('First name'), last_name: nameLine('Last name'), password,
      password_confirmation: password }) }),
  /** Someone with an account: signed in under the address that was invited. */
  accept: endpoint({ method: 'POST', path: `${link}/accept`, auth: open, params: token,
    summary: 'Accept an invitation with the account of its address',
    response: one(z.object({ customer_id: z.int() })) }),
  decline: endpoint({ method: 'POST', path: `${link}/decline`, auth: open, params: token,
    summary: 'Decline an invitation', response: null }),
};
