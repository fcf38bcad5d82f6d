/** Titles and venues as a file writes them -> shows and venues, by name, code, number and alias (domain.md 1.4). */
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';

/** Every record that a text may stand for: none is unknown, several are ambiguous. */
export type Matches = Map<string, number[]>;

interface Found { text: string; id: number }

function gather(rows: readonly Found[]): Matches {
  const matches: Matches = new Map();
  for (const { text, id } of rows) matches.set(text, [...(matches.get(text) ?? []), id]);
  return matches;
}

interface Named {
  aliases: Sql;
  /** Alias `r`, those in the trash left out; what a name stands for is `target`. */
  records: Sql;
  target: Sql;
  name: Sql;
  number: Sql;
}

/** An alias decides alone: someone said what it stands for. Number and name follow. */
async function match(db: Queryable, texts: readonly string[], of: Named): Promise<Matches> {
  if (texts.length === 0) return new Map();
  return gather(await db.query<Found>(sql`
    with wanted as materialized (select t as text, name_key(t) as key from unnest(${[...texts]}::text[]) t),
    by_alias as (select w.text, ${of.target} as id from wanted w join ${of.aliases} a on a.alias_key = w.key
      join ${of.records} and r.id = a.record_id)
    select text, id from by_alias
    union
    select w.text, ${of.target} from wanted w join ${of.records} and name_key(${of.name}) = w.key
    where not exists (select 1 from by_alias b where b.text = w.text)
    union
    select w.text, ${of.target} from wanted w join ${of.records} and ${of.number} = upper(w.text)
    where not exists (select 1 from by_alias b where b.text = w.text)
    order by 1, 2`));
}

export const matchShows = (db: Queryable, texts: readonly string[]): Promise<Matches> => match(db, texts, {
  aliases: sql`(select name_key(alias) as alias_key, show_id as record_id
    from show_aliases)`, target: sql`r.id`,
  records: sql`shows r on r.deleted_at is null`, name: sql`r.title`, number: sql`r.show_code` });

/** A merged venue stands for the one it was merged into. */
export const matchVenues = (db: Queryable, texts: readonly string[]): Promise<Matches> => match(db, texts, {
  aliases: sql`(select name_key(alias) as alias_key, venue_id as record_id
    from venue_aliases)`,
  target: sql`coalesce(r.merged_into_id, r.id)`, records: sql`venues r on r.deleted_at is null`,
  name: sql`r.name`, number: sql`r.number` });

export const matchRoyaltors = (db: Queryable, texts: readonly string[]): Promise<Matches> => match(db, texts, {
  aliases: sql`(select name_key(alias) as alias_key, royaltor_id as record_id
    from royaltor_aliases)`, target: sql`r.id`,
  records: sql`royaltors r on r.deleted_at is null`, name: sql`r.name`, number: sql`r.number` });

export interface Suggestion { id: number; label: string }

/** Suggestions for an unknown name, best first. */
export async function suggestShows(db: Queryable, text: string): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select id, title || ' · ' || show_code as label from shows where deleted_at is null
      and (search_text % fold_name(${text}) or word_similarity(fold_name(title), fold_name(${text})) > 0.5)
    order by greatest(similarity(fold_name(title), fold_name(${text})),
      word_similarity(fold_name(title), fold_name(${text})) * 0.9) desc, id limit 5`);
}

export async function suggestVenues(db: Queryable, text: string): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select id, name || coalesce(', ' || locality, '') as label from venues
    where deleted_at is null and merged_into_id is null
      and (search_text % fold_name(${text}) or word_similarity(fold_name(name), fold_name(${text})) > 0.5)
    order by greatest(similarity(fold_name(name), fold_name(${text})),
      word_similarity(fold_name(name), fold_name(${text})) * 0.9) desc, id limit 5`);
}

export async function suggestRoyaltors(db: Queryable, text: string): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select id, name || ' · ' || number as label from royaltors where deleted_at is null
      and (search_text % fold_name(${text}) or word_similarity(fold_name(name), fold_name(${text})) > 0.5)
    order by similarity(fold_name(name), fold_name(${text})) desc, id limit 5`);
}
