/** Pages of the staff office: people, invitations, groups, teams (RT143 to RT156), and who may what. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const tabs = () => import('./staff/staff-tabs.web.tsx');
const group = () => import('./staff-group/group-pages.web.tsx');
const team = () => import('./team/teams.web.tsx');

const base = '/admin/staff';
const person = `${base}/:staffId`;
/** Everyone's own pages open without the right to see the staff. */
const ofPerson = { area: 'staff', permission: 'user.show', own: 'staffId' } as const;
const ofGroup = { area: 'staff', permission: 'super' } as const;
const ofTeam = { area: 'staff', permission: 'user.show' } as const;

export const staffOfficePages = pages<ComponentType>([
  { path: base, area: 'staff', permission: 'user.show', title: 'Staff',
    load: () => import('./staff/staff-list.web.tsx') },
  { path: `${base}/invites`, area: 'staff', permission: 'staff_invite.list', title: 'Invitations',
    load: () => import('./invite/invites.web.tsx') },
  { ...ofGroup, path: `${base}/groups`, title: 'Groups', load: () => import('./staff-group/groups.web.tsx') },
  { ...ofGroup, path: `${base}/permissions`, title: 'Permissions',
    load: () => import('./staff-group/permission-holders.web.tsx') },
  { ...ofTeam, path: `${base}/teams`, title: 'Teams', load: () => team().then((file) => ({ default: file.Teams })) },
  { ...ofTeam, path: `${base}/email-groups`, title: 'Email groups',
    load: () => import('./email-group/email-groups.web.tsx') },
  { ...ofPerson, path: person, title: 'Member of staff', redirectTo: `${person}/profile` },
  { ...ofPerson, path: `${person}/profile`, title: 'Profile',
    load: () => import('./staff/staff-profile.web.tsx').then((file) => ({ default: file.StaffProfile })) },
  { ...ofPerson, path: `${person}/notifications`, title: 'Notifications',
    load: () => tabs().then((file) => ({ default: file.StaffNotifications })) },
  { ...ofPerson, path: `${person}/settings`, title: 'Settings',
    load: () => import('./staff/staff-settings.web.tsx').then((file) => ({ default: file.StaffSettings })) },
  { ...ofPerson, path: `${person}/activity`, title: 'Activity',
    load: () => tabs().then((file) => ({ default: file.StaffActivity })) },
  { ...ofTeam, path: `${base}/teams/:teamId`, title: 'Team', redirectTo: `${base}/teams/:teamId/information` },
  { ...ofTeam, path: `${base}/teams/:teamId/information`, title: 'Information',
    load: () => team().then((file) => ({ default: file.TeamInformation })) },
  { ...ofTeam, path: `${base}/teams/:teamId/members`, title: 'Members',
    load: () => team().then((file) => ({ default: file.TeamMembers })) },
  { ...ofTeam, path: `${base}/teams/:teamId/activity`, title: 'Activity',
    load: () => team().then((file) => ({ default: file.TeamActivity })) },
  { ...ofGroup, path: `${base}/groups/:groupId`, title: 'Group', redirectTo: `${base}/groups/:groupId/permissions` },
  { ...ofGroup, path: `${base}/groups/:groupId/permissions`, title: 'Permissions',
    load: () => import('./staff-group/group-permissions.web.tsx') },
  { ...ofGroup, path: `${base}/groups/:groupId/users`, title: 'Users',
    load: () => group().then((file) => ({ default: file.GroupUsers })) },
  { ...ofGroup, path: `${base}/groups/:groupId/activity`, title: 'Activity',
    load: () => group().then((file) => ({ default: file.GroupActivity })) },
]);
