/** Holders of each permission: its groups and the people in them; administrators hold everything (SPEC.md 6). */
import type { QueryOf } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import { isPermission } from '#kit/permission.ts';
import type { Ctx } from '#server/context.ts';
import { pageOf, type Page } from '#server/list.ts';
import { sql, textMentions } from '#server/sql.ts';
import { ROLE_WORDS } from '../staff/staff-row.server.ts';
import { avatarOf } from '../user/person.server.ts';
import { permissionFamilies, permissionWords, SUPER_WORDS } from './permission-words.ts';
import { groupEndpoints, type HolderRow } from './staff-group.contract.ts';

interface KnownPermission { value: string; family: string; action: string | null; heading: string; words: string }

export function knownPermissions(): KnownPermission[] {
  const rest = permissionFamilies().flatMap(({ family, heading, values }) => values.map(({ value, words }) =>
    ({ value, family, action: value.split('.')[1] ?? null, heading, words })));
  return [{ value: 'super', family: 'super', action: null, heading: 'Everything', words: SUPER_WORDS }, ...rest];
}

interface GroupPeople { id: number; name: string; permission_values: string[]; user_ids: number[] }

export async function holderList(ctx: Ctx, query: QueryOf<typeof groupEndpoints.holders>): Promise<Page<HolderRow>> {
  const groups = await ctx.db.query<GroupPeople>(sql`
    select g.id, g.name, g.permission_values,
      coalesce(array_agg(u.id) filter (where u.id is not null), '{}') as user_ids
    from staff_groups g left join staff_group_users gu on gu.staff_group_id = g.id
      left join users u on u.id = gu.user_id and u.disabled_at is null and u.role = 'staff_user'
    group by g.id order by lower(g.name)`);
  const rows = knownPermissions().map(({ action: _action, ...known }) => {
    const giving = groups.filter(({ permission_values: held }) => held.includes(known.value) || held.includes('super'));
    return { ...known, groups: giving.map(({ id, name }) => ({ id, name })),
      people_count: new Set(giving.flatMap((group) => group.user_ids)).size };
  }).filter((row) => (query.family === undefined || row.family === query.family)
    && (query.group_id === undefined || row.groups.some((group) => group.id === query.group_id))
    && textMentions(`${row.value} ${row.heading} ${row.words}`, query.search ?? ''));
  if (query.sort_by === 'people_count') rows.sort((a, b) => a.people_count - b.people_count);
  if (query.sort_by === 'value') rows.sort((a, b) => (a.value < b.value ? -1 : 1));
  if (query.sort_by !== undefined && query.sort_direction === 'desc') rows.reverse();
  const start = (query.page - 1) * query.per_page;
  return pageOf(rows.slice(start, start + query.per_page), rows.length, query, groupEndpoints.holders.path);
}

/** Active people only; a role says more than the groups beside it. */
export async function holdersOf(ctx: Ctx, value: string) {
  if (!isPermission(value)) throw refuse('not_found');
  const people = await ctx.db.query<{ id: number; name: string; role: 'system_admin' | 'staff_admin' | 'staff_user';
    avatar_file_name: string | null; groups: string[] }>(sql`
    select u.id, u.first_name || ' ' || u.last_name as name, u.role, u.avatar_file_name,
      coalesce((select array_agg(g.name order by lower(g.name)) from staff_group_users gu
        join staff_groups g on g.id = gu.staff_group_id
        where gu.user_id = u.id and g.permission_values && array[${value}, 'super']::text[]), '{}') as groups
    from users u where u.disabled_at is null and u.role in ('system_admin', 'staff_admin', 'staff_user')
    order by u.last_name collate "und-x-icu", u.id`);
  return { value, words: permissionWords(value),
    people: people.filter((row) => row.role !== 'staff_user' || row.groups.length > 0)
      .map((row) => ({ id: row.id, name: row.name, ...avatarOf(ctx.ports.settings, row),
        through: row.role === 'staff_user' ? row.groups.join(', ') : ROLE_WORDS[row.role][0] })) };
}
