/** Plays and musicals: one table, three families of calls; rules at their fields. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { AnyResource } from '#kit/resource.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, stale, type Plan, type RulesOf } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import {
  musical, musicalEndpoints, play, playEndpoints, show, showEndpoints, sortTitle, type ShowInput, type ShowRow,
  type ShowType,
} from './show.contract.ts';

const CODE_USED = sql`(exists (select 1 from licenses l where l.show_id = t.id)
  or exists (select 1 from license_application_shows a where a.show_id = t.id))`;
const AGREEMENTS = sql`(select count(*) from show_royaltors r where r.show_id = t.id and r.deleted_at is null)`;
const ALIASES = sql`coalesce((select array_agg(a.alias order by a.alias) from show_aliases a where a.show_id = t.id),
  '{}')`;

/** Every family reads and writes the columns of `show`; only address and words of the lists differ. */
function store(family: AnyResource, type: ShowType | null) {
  return crud({ ...family, name: 'show', fields: show.fields, row: show.row, extra: show.extra }, {
    table: 'shows', search: 'search_text', trash: true,
    sorts: { sort_title: sql`t.sort_title collate "und-x-icu"` },
    extra: { aliases: ALIASES, code_used: CODE_USED, agreement_count: AGREEMENTS },
    filter: (query) => [
      type !== null && sql`t.type = ${type}`,
      query.type !== undefined && sql`t.type = ${query.type}`,
      query.active !== undefined && sql`t.active = ${query.active}`,
      query.division !== undefined && sql`${query.division} = any (t.divisions)`,
    ],
  });
}

const shows = store(show, null);

/** Text columns are never null in the table; a form sends null for an empty one. */
const TEXTS = ['authors_credit', 'synopsis', 'age_rating', 'billing_template', 'content_notes', 'songs', 'versions',
  'excerpt', 'territory'] as const;

type Values = { [K in keyof ShowInput]?: ShowInput[K] | undefined };

function toColumns(body: Values): Values {
  const texts = TEXTS.filter((key) => body[key] === null).map((key) => [key, '']);
  return { ...body, ...Object.fromEntries(texts) };
}

/** Rules between fields: the cast's range, at least one division, a code and a title of its own. */
const rulesOf: RulesOf<ShowRow> = async (db, plans) => {
  const news = (key: 'show_code' | 'title'): string[] => plans.flatMap(({ row, before }) =>
    row[key] === before?.[key] ? [] : [row[key]]);
  const codes = await takenCodes(db, news('show_code'));
  const aliases = await takenTitles(db, news('title'));
  return ({ row, before }) => {
    if (row.cast_min && row.cast_max && row.cast_max < row.cast_min) {
      throw invalidField('cast_max', 'Largest cast is at least the smallest cast');
    }
    if (row.divisions?.length === 0) throw invalidField('divisions', 'Choose at least one division');
    if (row.show_code !== before?.show_code) {
      if (before?.code_used) {
        throw invalidField('show_code', spell`Licenses or applications name this code: it no longer changes`);
      }
      const taken = codes.get(row.show_code);
      if (taken) {
        throw invalidField('show_code', `"${row.show_code}" already stands for ${taken.title}`
          + (taken.trashed ? ', which is in the trash' : ''));
      }
    }
    if (row.title === before?.title) return;
    const alias = aliases.find((one) => one.called === row.title && one.id !== before?.id);
    if (alias) throw invalidField('title', `Returns know ${alias.title} by this name; take that alias away first`);
  };
};

async function takenCodes(db: Queryable, codes: readonly string[]) {
  const rows = codes.length === 0 ? [] : await db.query<{ show_code: string; title: string; trashed: boolean }>(sql`
    select show_code, title, deleted_at is not null as trashed from shows where show_code = any (${codes}::text[])`);
  return new Map(rows.map((row) => [row.show_code, row]));
}

/** Shows that returns know by one of these titles. */
async function takenTitles(db: Queryable, titles: readonly string[]) {
  return titles.length === 0 ? [] : db.query<{ called: string; id: number; title: string }>(sql`
    select t.called, s.id, s.title from unnest(${titles}::text[]) t (called)
    join show_aliases a on name_key(a.alias) = name_key(t.called) join shows s on s.id = a.show_id`);
}

async function checkShow(db: Queryable, values: Values, before: ShowRow | null): Promise<void> {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const plan = { values: given, row: { ...before, ...given } as ShowRow, before };
  (await rulesOf(db, [plan]))(plan);
}

/** Dry run of {@link createShow} and {@link updateShow}: the refusal of each; used by an import beforehand. */
export const rehearseShows = (db: Queryable, plans: readonly Plan[]) =>
  shows.rehearse(db, plans, (row) => row, rulesOf);

/** A new show; domain.md 7. The demo season, imports and the calls all come through here. */
export async function createShow(ctx: WorkContext, input: ShowInput): Promise<ShowRow> {
  await checkShow(ctx.db, input, null);
  const body = toColumns({ ...input, sort_title: input.sort_title || sortTitle(input.title) });
  const { data } = await shows.create(ctx as Ctx, { body });
  return data as ShowRow;
}

/** As the calls of changing do it; imports come through here too. 412 where the version is not the stored one. */
export async function updateShow(ctx: WorkContext, id: number, body: Values & { version: number }): Promise<ShowRow> {
  const before = await shows.find(ctx.db, id);
  await checkShow(ctx.db, body, before);
  const title = body.title ?? before.title;
  const sorted = body.sort_title === undefined ? {} : { sort_title: body.sort_title || sortTitle(title) };
  const { data } = await shows.update(ctx as Ctx, { params: { id }, body: { ...toColumns(body), ...sorted } });
  return data as ShowRow;
}

/** Replaces the names under which imports find a show; each stands for one show (domain.md 1.4). */
export async function setShowAliases(
  ctx: WorkContext, input: { show_id: number; aliases: readonly string[]; version?: number },
): Promise<ShowRow> {
  const before = await shows.find(ctx.db, input.show_id, true);
  if (input.version !== undefined && before.version !== input.version) throw stale(before);
  const taken = await ctx.db.maybeOne<{ alias: string; title: string }>(sql`
    with wanted as (select x as alias, name_key(x) as key from unnest(${input.aliases}::text[]) x)
    select w.alias, s.title from wanted w join show_aliases a on name_key(a.alias) = w.key
    join shows s on s.id = a.show_id
    where s.id <> ${input.show_id}
    union all
    select w.alias, s.title from wanted w join shows s on name_key(s.title) = w.key
    where s.id <> ${input.show_id} and s.deleted_at is null limit 1`);
  if (taken) throw invalidField('aliases', `"${taken.alias}" already stands for ${taken.title}`);
  await ctx.db.exec(sql`delete from show_aliases where show_id = ${input.show_id}`);
  await ctx.db.exec(sql`
    insert into show_aliases (show_id, alias)
    select ${input.show_id}, x from unnest(${input.aliases}::text[]) x on conflict (alias_key) do nothing`);
  await ctx.db.exec(sql`update shows set version = version + 1 where id = ${input.show_id}`);
  const after = await shows.find(ctx.db, input.show_id);
  await ctx.audit({ action: 'update_aliases', entity: 'show', entity_id: input.show_id, before, after });
  return after;
}

/** The seven calls of a family; `type` null is `/shows`, which answers both kinds. */
function handlers(family: AnyResource, type: ShowType | null) {
  const own = store(family, type);
  const find = async (db: Queryable, id: number, trashed = false): Promise<ShowRow> => {
    const row = await own.find(db, id, false, trashed);
    if (type !== null && row.type !== type) throw refuse('not_found');
    return row;
  };
  return {
    list: own.list,
    trash: own.trash,
    show: async (ctx: Ctx, { params }: { params: { id: number } }) => ({ data: await find(ctx.db, params.id) }),
    create: async (ctx: Ctx, { body }: { body: Omit<ShowInput, 'type'> & { type?: ShowType } }) =>
      ({ data: await createShow(ctx, { ...body, type: type ?? body.type! }) }),
    async update(ctx: Ctx, { params, body }: { params: { id: number }; body: Values & { version: number } }) {
      await find(ctx.db, params.id);
      return { data: await updateShow(ctx, params.id, body) };
    },
    async remove(ctx: Ctx, { params }: { params: { id: number } }) {
      const row = await find(ctx.db, params.id);
      if (row.code_used) throw refuse('in_use',
        spell`Licenses or applications name this show. Make it inactive instead.`);
      await own.remove(ctx, { params });
    },
    async restore(ctx: Ctx, { params }: { params: { id: number } }) {
      await find(ctx.db, params.id, true);
      return own.restore(ctx, { params });
    },
    async aliases(
      ctx: Ctx, { params, body }: { params: { id: number }; body: { aliases: string[]; version: number } },
    ) {
      await find(ctx.db, params.id);
      return { data: await setShowAliases(ctx, { show_id: params.id, ...body }) };
    },
  };
}

export const showRoutes: Route[] = [
  ...serve(playEndpoints, handlers(play, 'play')),
  ...serve(musicalEndpoints, handlers(musical, 'musical')),
  ...serve(showEndpoints, handlers(show, null)),
];
