/** Pictures and audio samples of a show: each kind in an order of its own, its places 0, 1, 2 … without gaps. */
import { refuse } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { empty, name, sql } from '#server/sql.ts';

type MediaTable = 'show_images' | 'show_samples';

/** 404 without the show; with `lock`, two people who order its media do it one after the other. */
export async function requireShow(db: Queryable, id: number, lock: boolean): Promise<void> {
  const found = await db.maybeOne(sql`
    select 1 from shows where id = ${id} and deleted_at is null ${lock ? sql`for update` : empty}`);
  if (!found) throw refuse('not_found');
}

/** Puts one at its place; the others close up around it. */
export async function moveTo(db: Queryable, table: MediaTable, showId: number, id: number, place: number) {
  const rows = await db.query<{ id: number }>(sql`
    select id from ${name(table)} where show_id = ${showId} and id <> ${id} order by sort, id`);
  const order = rows.map((row) => row.id);
  order.splice(place, 0, id);
  await db.exec(sql`
    update ${name(table)} t set sort = o.place - 1
    from unnest(${order}::bigint[]) with ordinality o (id, place) where t.id = o.id`);
}

export async function takeOut(db: Queryable, table: MediaTable, showId: number, of: { id: number; sort: number }) {
  await db.exec(sql`delete from ${name(table)} where id = ${of.id}`);
  await db.exec(sql`update ${name(table)} set sort = sort - 1 where show_id = ${showId} and sort > ${of.sort}`);
}
