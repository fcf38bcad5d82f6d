/** Columns of people, shared by the staff list, the people of a group and the members of a team. */
import { Avatar } from '#web/data/avatar.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import type { StaffRow } from './staff.contract.ts';
import { ROLE_LABELS } from './staff-words.web.ts';
import styles from './staff.module.css';

export const fullName = (row: { first_name: string; last_name: string }): string =>
  `${row.first_name} ${row.last_name}`;

export const personColumns: readonly Column<StaffRow>[] = [
  { id: 'last_name', header: 'Name', kind: 'title', sort: true, fixed: true, width: 230, cell: (row) => (
    <span className={styles.person}>
      <Avatar name={fullName(row)} url={row.avatar_url} size="sm" />{fullName(row)}
    </span>
  ) },
  { id: 'job_title', header: 'Job title', kind: 'muted', cell: (row) => row.job_title, width: 170 },
  { id: 'email', header: 'Email', kind: 'muted', cell: (row) => row.email, sort: true, width: 240 },
  { id: 'role', header: 'Role', kind: 'badge', width: 160, cell: (row) => (
    <Badge small tone={row.role === 'staff_user' ? 'neutral' : 'brass'}>{ROLE_LABELS[row.role]}</Badge>
  ) },
];
export const stateColumn: Column<StaffRow> = { id: 'state', header: 'Status', kind: 'badge', width: 110,
  cell: (row) => (
    <Badge small tone={!row.active ? 'error' : row.email_verified_at ? 'ok' : 'warn'}>
      {!row.active ? 'Inactive' : row.email_verified_at ? 'Active' : 'Invited'}</Badge>
  ) };
