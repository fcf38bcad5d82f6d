/**
 * Search: one small statement a kind, on two connections side by side. Numbers and names are ranges of their indexes,
 * words are trigrams; what was looked for decides the order: the number itself, a number's beginning, a name's
 * beginning, words anywhere, and only where nothing else is found, words that are nearly the same.
 */
import { refuse } from '#kit/errors.ts';
import { grants } from '#kit/permission.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { empty, join, sql, type Sql } from '#server/sql.ts';
import {
  SEARCH_DEPTH, SEARCH_KINDS, SEARCH_SHORTEST, SEARCH_SHOWN, searchEndpoints, type SearchHit, type SearchKind,
} from './search.contract.ts';
import { SEARCH_SOURCES, STORED_WORDS, type SearchSource } from './search-sources.server.ts';
import { searchText, type SearchText } from './search-text.ts';

/** Rows of one kind that the overview counts. */
const OVERVIEW_DEPTH = 100;
/** Newest rows that tell how common a word is. */
const PROBED = 1_000;
/** Newest rows in which a common word is found: for each row that is counted, and at most. */
const RECENT_PER_COUNTED = 128;
const MOST_RECENT = 20_000;
/** Similarity required of words that are not the same: half of the trigrams leave one wrong letter in a short name. */
const NEARLY = 0.45;
const NEARLY_SHORTEST = 4;
/** Letters that are compared: each is one more trigram to gather, and so long a beginning tells words apart. */
const NEARLY_LETTERS = 20;
/** Rows that are compared by how near they are: of the newest, and of those that the index has. */
const NEARLY_DEPTH = 400;

type Found = SearchHit & { rank: number; total: number };

/** Query a search sends to every kind. */
export interface Question {
  text: SearchText;
  /** Rows that are counted. */
  depth: number;
  limit: number;
  offset: number;
  trash: boolean;
}

function mayRead(ctx: Ctx, permission: SearchSource['permission']): boolean {
  return ctx.user.role !== 'staff_user' || grants(ctx.user.permissions, permission);
}

function readable(ctx: Ctx, entity: SearchKind | undefined, trash: boolean): SearchKind[] {
  return SEARCH_KINDS.filter((kind) => {
    const source = SEARCH_SOURCES[kind];
    if (entity !== undefined && kind !== entity) return false;
    return mayRead(ctx, source.permission) && (!trash || (source.trash && mayRead(ctx, source.trash.permission)));
  });
}

/** The places where a text may stand, each by its own index and no more rows than are counted. */
function places(source: SearchSource, { text, depth }: Question, state: Sql): Sql[] {
  const start = (expression: Sql, rank: number, { from, to }: SearchText['number']): Sql => sql`
    (select t.id, ${rank}::int as rank from ${source.base}
    where ${state} and ${expression} ~>=~ ${from} and ${expression} ~<~ ${to}
    order by ${expression} using ~<~ limit ${depth + 1})`;
  return [...source.numbers.map((one) => start(one, 1, text.number)),
    ...source.names.map((one) => start(one, 2, text.name))];
}

const newestOf = ({ base }: SearchSource, rows: number): Sql =>
  sql`(select t.* from ${base} order by t.id desc limit ${rows}) t`;

const everyWord = (words: Sql, text: SearchText): Sql => join(text.words.map((word) => holds(words, word)), ' and ');

/**
 * The words anywhere, as the parts before `found` and those of it. An index of trigrams gathers every row of a word
 * before it gives the first. So a few of the newest rows tell how common the words are; common ones are read from the
 * newest rows on, and the index is asked for the others, and where those rows held fewer than are counted. It stands in
 * a part of its own, planned for all its rows: planned for the first hundred of them, another index would be read from
 * end to end in the hope of meeting them soon.
 */
function anywhere(source: SearchSource, { text, depth }: Question, state: Sql): { before: Sql[]; inside: Sql[] } {
  const { words } = source;
  if (words === null || text.words.length === 0) return { before: [], inside: [] };
  const holding = sql`${state} and ${everyWord(words, text)}`;
  const indexed = (condition: Sql): Sql => sql`indexed as materialized (
    select t.id from ${source.base} where ${holding} ${condition})`;
  const byIndex = sql`(select id, 3 as rank from indexed limit ${depth + 1})`;
  // Words that are folded row by row would cost more than their index.
  if (words !== STORED_WORDS) return { before: [indexed(empty)], inside: [byIndex] };
  const recent = Math.min(MOST_RECENT, depth * RECENT_PER_COUNTED);
  const common = Math.ceil(PROBED * (depth + 1) / recent);
  return {
    before: [
      sql`probe as materialized (select count(*) as hits from ${newestOf(source, PROBED)} where ${holding})`,
      sql`recent as materialized (
        select t.id from ${newestOf(source, recent)}
        where ${holding} and (select hits from probe) >= ${common} limit ${depth + 1})`,
      indexed(sql`and (select count(*) from recent) <= ${depth}`),
    ],
    inside: [sql`select id, 3 as rank from recent`, byIndex],
  };
}

function holds(words: Sql, word: SearchText['words'][number]): Sql {
  if (word.anywhere !== null) return sql`${words} like ${word.anywhere}`;
  return sql`(${words} like ${word.start} or ${words} like ${word.after})`;
}

function columnsOf(kind: SearchKind, trash: boolean): Sql {
  const none = sql`null::text`;
  const { number, former = none, title, detail, status = none, href, trash: bin } = SEARCH_SOURCES[kind];
  return sql`${kind}::text as entity, t.id as entity_id, ${`${kind}-`}::text || t.id as id, ${number} as number,
    ${former} as former_number, ${title} as title, ${detail} as detail, ${trash ? sql`'trash'` : status} as status,
    ${trash ? sql`${bin?.href ?? ''}::text` : href} as href`;
}

const stateOf = (source: SearchSource, trash: boolean): Sql => trash ? sql`t.deleted_at is not null` : source.alive;

async function ask(db: Queryable, kind: SearchKind, question: Question): Promise<Found[]> {
  const statement = searchStatement(kind, question);
  return statement === null ? [] : db.query<Found>(statement);
}

/** The search of one kind; null where nothing of what was typed can stand in it. */
export function searchStatement(kind: SearchKind, question: Question): Sql | null {
  const source = SEARCH_SOURCES[kind];
  const state = stateOf(source, question.trash);
  const { before, inside } = anywhere(source, question, state);
  const parts = [...places(source, question, state), ...inside];
  if (parts.length === 0) return null;
  const { text } = question;
  const is = source.numbers.map((number) => sql`${number} = ${text.number.from}`);
  const exact = is.length === 0 ? empty : sql`when ${join(is, ' or ')} then 0`;
  // Folding the names again would cost more than finding them.
  const folded = source.words === STORED_WORDS ? STORED_WORDS : source.names[0];
  const word = folded === undefined ? sql`t.id` : sql`position(' ' || ${text.name.from} in ' ' || ${folded})`;
  return sql`
    with ${join([...before, sql`found as materialized (
        ${join(parts.map((part, at) => at === 0 ? part : sql`union all ${part}`), ' ')})`])},
      ranked as materialized (select id, min(rank) as rank from found group by id),
      best as materialized (
        select t.id, case ${exact} when true then r.rank end as rank, count(*) over ()::int as total,
          row_number() over (order by case ${exact} when true then r.rank end, (${word}) = 0, t.id desc) as place
        from ranked r join ${source.base} on t.id = r.id
        order by place limit ${question.limit} offset ${question.offset})
    select best.rank, best.total, ${columnsOf(kind, question.trash)}
    from best join ${source.base} on t.id = best.id ${source.joins ?? empty} order by best.place`;
}

/**
 * Nearly the same words: asked only where nothing is the same. How near a row is takes longer to tell than to find it,
 * and a slip in a common word is near to very many: of those the newest are enough, and never more than the first that
 * the index has.
 */
export function nearlyStatement(kind: SearchKind, { text, limit, trash }: Question): Sql | null {
  const source = SEARCH_SOURCES[kind];
  if (source.words === null) return null;
  const typed = text.name.from.slice(0, NEARLY_LETTERS);
  const near = sql`${stateOf(source, trash)} and ${source.words} %> ${typed}`;
  const stored = source.words === STORED_WORDS;
  return sql`
    with recent as materialized (
      select t.id, ${source.words} as words from ${stored ? newestOf(source, NEARLY_DEPTH) : source.base}
      where ${near} limit ${NEARLY_DEPTH}),
    near as materialized (
      select t.id, ${source.words} as words from ${source.base}
      where ${near} and (select count(*) from recent) < ${limit} and ${stored}),
    best as materialized (
      select id, word_similarity(${typed}, words) as alike
      from (select * from recent union (select * from near limit ${NEARLY_DEPTH})) few
      order by alike desc, id desc limit ${limit})
    select 4 as rank, count(*) over ()::int as total, ${columnsOf(kind, trash)}
    from best join ${source.base} on t.id = best.id ${source.joins ?? empty} order by best.alike desc, t.id desc`;
}

async function askNearly(db: Queryable, kind: SearchKind, question: Question): Promise<Found[]> {
  const statement = nearlyStatement(kind, question);
  return statement === null ? [] : db.query<Found>(statement);
}

/**
 * Reads with plans made for finding few rows: with the text unknown beforehand the planner would guess that a common
 * word is found soon by reading the table, and a rare one would read all of it.
 */
export const SEARCH_PLANS = sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('pg_trgm.word_similarity_threshold', ${String(NEARLY)}, true)`;

function searching<T>(ctx: Ctx, work: (db: Queryable) => Promise<T>): Promise<T> {
  return ctx.ports.db.read(async (db) => {
    await db.query(SEARCH_PLANS);
    return work(db);
  });
}

interface Answer { groups: { kind: SearchKind; found: Found[] }[]; fuzzy: boolean }

async function askAll(ctx: Ctx, kinds: readonly SearchKind[], question: Question): Promise<Answer> {
  if (question.text.text.length < SEARCH_SHORTEST) return { groups: [], fuzzy: false };
  const groups = await askEach(ctx, kinds, question, ask);
  if (groups.length > 0 || question.text.text.length < NEARLY_SHORTEST || question.offset > 0) {
    return { groups, fuzzy: false };
  }
  return { groups: await askEach(ctx, kinds, question, askNearly), fuzzy: true };
}

/** Every other kind on a connection of its own: who waits for the search waits for half of it. */
async function askEach(
  ctx: Ctx, kinds: readonly SearchKind[], question: Question, one: typeof ask,
): Promise<Answer['groups']> {
  const found = new Map<SearchKind, Found[]>();
  const halves = [0, 1].map((half) => kinds.filter((_, at) => at % 2 === half)).filter((some) => some.length > 0);
  await Promise.all(halves.map((some) => searching(ctx, async (db) => {
    for (const kind of some) found.set(kind, await one(db, kind, question));
  })));
  return kinds.map((kind) => ({ kind, found: found.get(kind) ?? [] })).filter((group) => group.found.length > 0);
}

async function overview(ctx: Ctx, typed: string) {
  const question = { text: searchText(typed), depth: OVERVIEW_DEPTH, limit: SEARCH_SHOWN, offset: 0, trash: false };
  const { groups, fuzzy } = await askAll(ctx, readable(ctx, undefined, false), question);
  // The kind with the best match comes first; kinds of the same rank keep their order.
  const best = (found: readonly Found[]): number => Math.min(...found.map((row) => row.rank));
  const shown = groups.toSorted((a, b) => best(a.found) - best(b.found));
  return { data: { fuzzy, groups: shown.map(({ kind, found }) => {
    const total = found[0]?.total ?? 0;
    return { entity: kind, rows: found, total: Math.min(total, OVERVIEW_DEPTH),
      total_is_exact: total <= OVERVIEW_DEPTH };
  }) } };
}

interface FlatQuery { page: number; per_page: number; search: string; entity?: SearchKind | undefined }

/** One kind is leafed through in the database; several are merged from the best of each. */
async function flat(ctx: Ctx, query: FlatQuery, trash: boolean, path: string) {
  const kinds = readable(ctx, query.entity, trash);
  const offset = (query.page - 1) * query.per_page;
  const one = kinds.length === 1;
  const { groups } = await askAll(ctx, kinds, { text: searchText(query.search), trash,
    ...one ? { depth: SEARCH_DEPTH, limit: query.per_page, offset }
      : { depth: OVERVIEW_DEPTH, limit: OVERVIEW_DEPTH, offset: 0 } });
  const rows = groups.flatMap(({ found }) => found);
  if (one) return pageOf<SearchHit>(rows, rows[0]?.total ?? 0, query, path, SEARCH_DEPTH);
  const merged = rows.toSorted((a, b) => a.rank - b.rank);
  const more = groups.some(({ found }) => (found[0]?.total ?? 0) > OVERVIEW_DEPTH);
  return pageOf<SearchHit>(merged.slice(offset, offset + query.per_page), merged.length + (more ? 1 : 0), query, path,
    merged.length);
}

async function show(ctx: Ctx, id: string): Promise<{ data: SearchHit }> {
  const [kind = '', number] = id.split('-');
  const source = (SEARCH_SOURCES as Partial<Record<string, SearchSource>>)[kind];
  if (!source || !mayRead(ctx, source.permission)) throw refuse('not_found');
  const row = await ctx.db.maybeOne<SearchHit>(sql`
    select ${columnsOf(kind as SearchKind, false)} from ${source.base} ${source.joins ?? empty}
    where t.id = ${Number(number)} and ${source.alive}`);
  if (!row) throw refuse('not_found');
  return { data: row };
}

export const searchRoutes: Route[] = serve(searchEndpoints, {
  all: (ctx, { query }) => overview(ctx, query.search),
  list: (ctx, { query }) => flat(ctx, query, false, searchEndpoints.list.path),
  trash: (ctx, { query }) => flat(ctx, query, true, searchEndpoints.trash.path),
  show: (ctx, { params }) => show(ctx, params.id),
});
