/** Titles and venues as a file writes them -> shows and venues, by name, code, number and alias (domain.md 1.4). */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

/** Every record that a text may stand for: none is unknown, several are ambiguous. */
export type Matches = Map<string, number[]>;

interface Found { text: string; id: number }

function gather(rows: readonly Found[]): Matches {
  const matches: Matches = new Map();
  for (const { text, id } of rows) matches.set(text, [...(matches.get(text) ?? []), id]);
  return matches;
}

/** An alias decides alone: someone said what it stands for. Code and title follow. */
export async function matchShows(db: Queryable, texts: readonly string[]): Promise<Matches> {
  if (texts.length === 0) return new Map();
  return gather(await db.query<Found>(sql`
    with wanted as (select t as text, search_fold(t) as key from unnest(${[...texts]}::text[]) t),
    by_alias as (select w.text, a.show_id as id from wanted w join show_aliases a on a.alias_key = w.key
      join shows s on s.id = a.show_id and s.deleted_at is null)
    select text, id from by_alias
    union
    select w.text, s.id from wanted w join shows s on s.deleted_at is null
      and (search_fold(s.title) = w.key or s.show_code = upper(w.text))
    where not exists (select 1 from by_alias b where b.text = w.text)
    order by 1, 2`));
}

/** As {@link matchShows}; a merged venue stands for the one it was merged into. */
export async function matchVenues(db: Queryable, texts: readonly string[]): Promise<Matches> {
  if (texts.length === 0) return new Map();
  return gather(await db.query<Found>(sql`
    with wanted as (select t as text, search_fold(t) as key from unnest(${[...texts]}::text[]) t),
    by_alias as (select w.text, coalesce(v.merged_into_id, v.id) as id from wanted w
      join venue_aliases a on a.alias_key = w.key join venues v on v.id = a.venue_id and v.deleted_at is null)
    select text, id from by_alias
    union
    select w.text, coalesce(v.merged_into_id, v.id) from wanted w join venues v on v.deleted_at is null
      and (search_fold(v.name) = w.key or v.number = upper(w.text))
    where not exists (select 1 from by_alias b where b.text = w.text)
    order by 1, 2`));
}

/** As {@link matchShows}: by alias, name or number. */
export async function matchRoyaltors(db: Queryable, texts: readonly string[]): Promise<Matches> {
  if (texts.length === 0) return new Map();
  return gather(await db.query<Found>(sql`
    with wanted as (select t as text, search_fold(t) as key from unnest(${[...texts]}::text[]) t),
    by_alias as (select w.text, a.royaltor_id as id from wanted w join royaltor_aliases a on a.alias_key = w.key
      join royaltors r on r.id = a.royaltor_id and r.deleted_at is null)
    select text, id from by_alias
    union
    select w.text, r.id from wanted w join royaltors r on r.deleted_at is null
      and (search_fold(r.name) = w.key or r.number = upper(w.text))
    where not exists (select 1 from by_alias b where b.text = w.text)
    order by 1, 2`));
}

export interface Suggestion { id: number; label: string }

/** What an unknown name probably means, best first. */
export async function suggestShows(db: Queryable, text: string): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select id, title || ' · ' || show_code as label from shows where deleted_at is null
      and (search_text % search_fold(${text}) or word_similarity(search_fold(title), search_fold(${text})) > 0.5)
    order by greatest(similarity(search_fold(title), search_fold(${text})),
      word_similarity(search_fold(title), search_fold(${text})) * 0.9) desc, id limit 5`);
}

export async function suggestVenues(db: Queryable, text: string): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select id, name || coalesce(', ' || locality, '') as label from venues
    where deleted_at is null and merged_into_id is null
      and (search_text % search_fold(${text}) or word_similarity(search_fold(name), search_fold(${text})) > 0.5)
    order by greatest(similarity(search_fold(name), search_fold(${text})),
      word_similarity(search_fold(name), search_fold(${text})) * 0.9) desc, id limit 5`);
}

export async function suggestRoyaltors(db: Queryable, text: string): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select id, name || ' · ' || number as label from royaltors where deleted_at is null
      and (search_text % search_fold(${text}) or word_similarity(search_fold(name), search_fold(${text})) > 0.5)
    order by similarity(search_fold(name), search_fold(${text})) desc, id limit 5`);
}
