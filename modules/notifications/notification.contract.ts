/** Notifications of the signed-in person: A339 to A343, A362, A371, A372, X190, X191; live events: X196. */
import * as z from 'zod';
import { customer, signedIn, staff, staffOrSelf } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { id } from '#kit/field.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.ts';

export const notificationRow = z.object({
  id: z.int(), kind: z.string(), title: z.string(), body: z.string(),
  /** Address inside the application; null where there is nothing to open. */
  href: z.string().nullable(), read: z.boolean(), read_at: z.string().nullable(), created_at: z.string(),
});
export type NotificationRow = z.infer<typeof notificationRow>;

const counts = z.object({ total: z.int(), unread: z.int(),
  /** For "mark all read": up to here the reader could have seen them. */
  newest_id: z.int().nullable() });
export type NotificationCounts = z.infer<typeof counts>;

const query = listQuery({
  filters: { read: z.enum(['true', 'false']).optional(), kind: z.enum(NOTIFICATION_KINDS).optional() },
  sort: ['created_at'],
});
/** More of the person's own in the same breath (gaps G109). */
const many100 = z.strictObject({ ids: z.array(id).max(100, 'At most 100 at once').optional() });
/** Up to the newest that was on screen: what came meanwhile stays unread. */
const upTo = z.strictObject({ up_to_id: id });
const marked = one(z.object({ marked: z.int() }));

const office = '/api/admin/staff/notifications';
const portal = '/api/customers/{id}/notifications';

export const notificationEndpoints = {
  list: endpoint({ method: 'GET', path: office, auth: staff(null), summary: 'My notifications', query,
    response: many(notificationRow) }),
  meta: endpoint({ method: 'GET', path: `${office}/meta`, auth: staff(null), summary: 'Number of unread notifications',
    response: one(counts) }),
  recent: endpoint({ method: 'GET', path: `${office}/recent`, auth: staff(null), summary: 'The latest five',
    response: all(notificationRow) }),
  markRead: endpoint({ method: 'PUT', path: `${office}/{id}/mark_read`, auth: staff(null),
    summary: 'Mark as read, more of them by ids', body: many100, response: one(notificationRow) }),
  markUnread: endpoint({ method: 'PUT', path: `${office}/{id}/mark_unread`, auth: staff(null),
    summary: 'Mark as unread, more of them by ids', body: many100, response: one(notificationRow) }),
  markAllRead: endpoint({ method: 'PUT', path: `${office}/mark_all_read`, auth: staff(null),
    summary: 'Mark all as read', body: upTo, response: marked }),
};

export const portalNotificationEndpoints = {
  list: endpoint({ method: 'GET', path: portal, auth: customer(), summary: 'My notifications about this customer',
    query, response: many(notificationRow) }),
  meta: endpoint({ method: 'GET', path: `${portal}/meta`, auth: customer(), summary: 'Number of unread notifications',
    response: one(counts) }),
  recent: endpoint({ method: 'GET', path: `${portal}/recent`, auth: customer(), summary: 'The latest five',
    response: all(notificationRow) }),
  markRead: endpoint({ method: 'PUT', path: `${portal}/{notificationId}/mark_read`, auth: customer(),
    summary: 'Mark as read, more of them by ids', body: many100, response: one(notificationRow) }),
  markUnread: endpoint({ method: 'PUT', path: `${portal}/{notificationId}/mark_unread`, auth: customer(),
    summary: 'Mark as unread, more of them by ids', body: many100, response: one(notificationRow) }),
  markAllRead: endpoint({ method: 'PUT', path: `${portal}/mark_all_read`, auth: customer(),
    summary: 'Mark all as read', body: upTo, response: marked }),
};

const setting = z.object({ kind: z.enum(NOTIFICATION_KINDS), in_app: z.boolean(), by_mail: z.boolean() });
export const settingRow = setting.extend({ label: z.string(), text: z.string() });
export type SettingRow = z.infer<typeof settingRow>;
const settings = one(z.object({ email: z.string(), settings: z.array(settingRow) }));

export const notificationSettingsEndpoints = {
  show: endpoint({ method: 'GET', path: '/api/users/me/notification_settings', auth: signedIn,
    summary: 'My notification settings', response: settings }),
  ofStaff: endpoint({ method: 'GET', path: '/api/admin/staff/users/{id}/notification_settings',
    auth: staffOrSelf('user.show'), summary: 'Notification settings of a member of staff', response: settings }),
  update: endpoint({ method: 'PUT', path: '/api/users/me/notification_settings', auth: signedIn,
    summary: 'Choose what I am told of, and how', response: settings,
    body: z.strictObject({ settings: z.array(z.strictObject(setting.shape)).max(NOTIFICATION_KINDS.length) }) }),
};

export const TOPICS = ['notifications', 'jobs'] as const;

export const liveEndpoints = {
  events: endpoint({ method: 'GET', path: '/api/events', auth: signedIn, background: true,
    summary: 'Server-sent events: what is new for me, at once', response: 'events',
    // Some of TOPICS with commas between; all where it is left out.
    query: z.strictObject({ topics: z.string().regex(/^[a-z]+(,[a-z]+)*$/, 'Name topics with commas between')
      .refine((text) => text.split(',').every((one) => (TOPICS as readonly string[]).includes(one)),
        `Topics are ${TOPICS.join(' and ')}`).optional() }) }),
};
