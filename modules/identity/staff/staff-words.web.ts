/** Words of the staff office, and the tabs over its lists. */
import type { Permission } from '#kit/permission.ts';
import type { TabItem } from '#web/layout/tabs.tsx';
import type { StaffRole } from './staff.contract.ts';

export const ROLE_LABELS: Record<StaffRole, string> = { system_admin: 'System administrator',
  staff_admin: 'Staff administrator', staff_user: 'Staff' };

/** Tabs lead only where the person may go (U38). */
export function officeTabs(may: (permission: Permission) => boolean): TabItem[] {
  const base = '/admin/staff';
  const tabs = [
    { id: 'people', text: 'People', href: base, show: may('user.show') },
    { id: 'invites', text: 'Invitations', href: `${base}/invites`, show: may('staff_invite.list') },
    { id: 'groups', text: 'Groups', href: `${base}/groups`, show: may('super') },
    { id: 'teams', text: 'Teams', href: `${base}/teams`, show: may('user.show') },
    { id: 'email-groups', text: 'Email groups', href: `${base}/email-groups`, show: may('user.show') },
    { id: 'permissions', text: 'Permissions', href: `${base}/permissions`, show: may('super') },
  ];
  return tabs.filter((tab) => tab.show).map(({ show: _show, ...tab }) => tab);
}
