/** Rows of the staff: one person, a list, the latest. */
import { STAFF_ROLES } from '#kit/auth.ts';
import { LATEST_SIZE, type QueryOf } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { mentions, sql } from '#server/sql.ts';
import { avatarOf, holdsRightsOf, pendingEmail, PERMISSIONS_OF } from '../user/person.server.ts';
import { staffEndpoints, type StaffRecord, type StaffRole, type StaffRow } from './staff.contract.ts';

const USER_TYPES = { staff_user: 'STAFF_USER', staff_admin: 'STAFF_ADMIN', system_admin: 'SYSTEM' } as const;

type Stored = Omit<StaffRow, 'roles' | 'user_type' | 'system_admin' | 'active' | 'avatar_url'>;
type StoredRecord = Stored & Pick<StaffRecord, 'pending_email' | 'start_page' | 'language' | 'permissions'>;

const COLUMNS = sql`t.id, t.email, t.first_name, t.last_name, t.role, t.email_verified_at, t.avatar_file_name,
  t.created_at, t.updated_at, t.job_title, t.phone, t.disabled_at, t.version,
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by lower(g.name))
    from staff_group_users gu join staff_groups g on g.id = gu.staff_group_id where gu.user_id = t.id), '[]') as groups,
  coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name) order by lower(m.name))
    from team_members tm join teams m on m.id = tm.team_id where tm.user_id = t.id), '[]') as teams,
  (select max(s.last_seen_at) from sessions s where s.user_id = t.id) as last_seen_at`;

const STAFF = sql`t.role = any (${[...STAFF_ROLES]})`;

function rowOf(ctx: Ctx, row: Stored): StaffRow {
  return { ...row, roles: [row.role], user_type: USER_TYPES[row.role], system_admin: row.role === 'system_admin',
    active: row.disabled_at === null, ...avatarOf(ctx.ports.settings, row) };
}

/** 404 for people who are not staff: they belong to other screens. */
export async function staffRecordOf(ctx: Ctx, id: number): Promise<StaffRecord> {
  const row = await ctx.db.maybeOne<StoredRecord>(sql`
    select ${COLUMNS}, t.start_page, t.language, ${pendingEmail(ctx.now())} as pending_email,
      ${PERMISSIONS_OF} as permissions
    from users t where t.id = ${id} and ${STAFF}`);
  if (!row) throw refuse('not_found');
  const above = id === ctx.user.user_id || holdsRightsOf(ctx.user, row) ? null
    : `${row.first_name} has rights that you do not have. Ask someone who has them.`;
  return { ...rowOf(ctx, row), start_page: row.start_page, language: row.language, pending_email: row.pending_email,
    permissions: row.permissions, above };
}

export async function staffList(ctx: Ctx, query: QueryOf<typeof staffEndpoints.list>) {
  const page = await listPage<Stored>(ctx.db, {
    base: sql`users t`, columns: COLUMNS, defaultSort: 'last_name',
    sorts: { last_name: sql`t.last_name collate "und-x-icu"`, email: sql`t.email`, created_at: sql`t.created_at`,
      updated_at: sql`t.updated_at` },
    conditions: compact([
      STAFF,
      query.role !== undefined && sql`t.role = ${query.role}`,
      query.active !== undefined && sql`(t.disabled_at is null) = ${query.active}`,
      query.group_id !== undefined && sql`exists (select 1 from staff_group_users x
        where x.user_id = t.id and x.staff_group_id = ${query.group_id})`,
      query.team_id !== undefined && sql`exists (select 1 from team_members x
        where x.user_id = t.id and x.team_id = ${query.team_id})`,
      query.search !== undefined && mentions(sql`t.first_name || ' ' || t.last_name || ' ' || t.email || ' '
        || coalesce(t.job_title, '')`, query.search),
    ]),
  }, query, staffEndpoints.list.path);
  return { ...page, data: page.data.map((row) => rowOf(ctx, row)) };
}

/** SPEC.md 9: five, by created_at descending. */
export async function latestStaff(ctx: Ctx): Promise<StaffRow[]> {
  const rows = await ctx.db.query<Stored>(sql`
    select ${COLUMNS} from users t where ${STAFF} order by t.created_at desc, t.id desc limit ${LATEST_SIZE}`);
  return rows.map((row) => rowOf(ctx, row));
}

/** Roles from the highest down, with what they mean. */
export const ROLE_WORDS: Record<StaffRole, readonly [name: string, description: string]> = {
  system_admin: ['System administrator', 'May do everything, and runs the system itself. At least one stays.'],
  staff_admin: ['Staff administrator', 'May do everything in the office, and manages staff, groups and teams.'],
  staff_user: ['Staff', 'May do what the groups give them, nothing else.'],
};
