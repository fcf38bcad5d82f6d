/** Images of shows: drawn anew as WebP, kept in the file store, in one order per show. */
import { conflict, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { drawPicture } from '#server/image.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { safeName } from '#server/upload.ts';
import { MOST_IMAGES, showImageEndpoints, type ShowImageRow } from './show-image.contract.ts';

const FIELD = 'image';
const SMALLEST_SIDE = 200;
/** Reliability.md 3.3. */
const MOST_PIXELS = 40_000_000;
/** Large enough for a full page, small enough for a phone; in a list it is a thumb wide. */
const LONGEST_SIDE = 1600;
const SMALL_SIDE = 320;
const HOUR = 3600;
const KEEP_SECONDS = 24 * HOUR;

/** Locks the show: two people who order its images do it one after the other. */
async function showExists(db: Queryable, id: number, lock: boolean): Promise<void> {
  const found = lock
    ? await db.maybeOne(sql`select 1 from shows where id = ${id} and deleted_at is null for update`)
    : await db.maybeOne(sql`select 1 from shows where id = ${id} and deleted_at is null`);
  if (!found) throw refuse('not_found');
}

async function imagesOf(db: Queryable, showId: number): Promise<ShowImageRow[]> {
  const rows = await db.query<Omit<ShowImageRow, 'url'>>(sql`
    select id, show_id, caption, sort, width, height, public, created_at from show_images where show_id = ${showId}
    order by sort, id`);
  return rows.map((row) => ({ ...row, url: `/api/admin/staff/shows/${showId}/images/${row.id}/content` }));
}

async function oneOf(db: Queryable, showId: number, id: number): Promise<ShowImageRow> {
  const row = (await imagesOf(db, showId)).find((image) => image.id === id);
  if (!row) throw refuse('not_found');
  return row;
}

async function keep(ctx: Ctx, content: Buffer, name: string): Promise<number> {
  const put = await ctx.ports.files.put(content);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${put.storage_key}, ${put.sha256}, 'image/webp', ${put.size}, ${name}, ${ctx.user.user_id}) returning id`);
  return id;
}

async function add(ctx: Ctx, showId: number, caption: string): Promise<ShowImageRow> {
  await limit(ctx, `show_image:${ctx.user.user_id}`, 120, HOUR);
  await showExists(ctx.db, showId, true);
  if (!ctx.file) throw refuse('bad_request');
  const present = await imagesOf(ctx.db, showId);
  if (present.length >= MOST_IMAGES) {
    throw conflict('show.images_full', `A show has at most ${MOST_IMAGES} images. Remove one first.`);
  }
  const [picture, small] = await drawPicture(ctx.file.content,
    { field: FIELD, smallest_side: SMALLEST_SIDE, most_pixels: MOST_PIXELS }, 
    [{ side: LONGEST_SIDE, fit: 'inside' }, { side: SMALL_SIDE, fit: 'inside' }]);
  const { content, width, height } = picture!;
  const name = `${safeName(ctx.file.filename).replace(/\.[^.]*$/, '') || 'image'}.webp`;
  const file = await keep(ctx, content, name);
  const small_file = await keep(ctx, small!.content, name);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into show_images (show_id, file_id, small_file_id, caption, sort, width, height)
    values (${showId}, ${file}, ${small_file}, ${caption}, ${present.length}, ${width}, ${height}) returning id`);
  const row = await oneOf(ctx.db, showId, id);
  await ctx.audit({ action: 'add_image', entity: 'show', entity_id: showId, after: row });
  return row;
}

/** The others close up around the image that moved: places are 0, 1, 2 … without gaps. */
async function change(
  ctx: Ctx, showId: number, id: number,
  body: { caption?: string | undefined; public?: boolean | undefined; sort?: number | undefined },
): Promise<ShowImageRow[]> {
  await showExists(ctx.db, showId, true);
  const before = await oneOf(ctx.db, showId, id);
  await ctx.db.exec(sql`
    update show_images set caption = coalesce(${body.caption ?? null}, caption),
      public = coalesce(${body.public ?? null}::boolean, public) where id = ${id}`);
  if (body.sort !== undefined) {
    const others = (await imagesOf(ctx.db, showId)).map((row) => row.id).filter((other) => other !== id);
    others.splice(body.sort, 0, id);
    await ctx.db.exec(sql`
      update show_images i set sort = o.place - 1
      from unnest(${others}::bigint[]) with ordinality o (id, place) where i.id = o.id`);
  }
  await ctx.audit({ action: 'change_image', entity: 'show', entity_id: showId, before,
    after: await oneOf(ctx.db, showId, id) });
  return imagesOf(ctx.db, showId);
}

async function remove(ctx: Ctx, showId: number, id: number): Promise<void> {
  await showExists(ctx.db, showId, true);
  const before = await oneOf(ctx.db, showId, id);
  await ctx.db.exec(sql`delete from show_images where id = ${id}`);
  await ctx.db.exec(sql`update show_images set sort = sort - 1 where show_id = ${showId} and sort > ${before.sort}`);
  await ctx.audit({ action: 'remove_image', entity: 'show', entity_id: showId, before });
}

export const showImageRoutes: Route[] = serve(showImageEndpoints, {
  async list(ctx, { params }) {
    await showExists(ctx.db, params.id, false);
    return { data: await imagesOf(ctx.db, params.id) };
  },
  create: async (ctx, { params, body }) => ({ data: await add(ctx, params.id, body.caption) }),
  update: async (ctx, { params, body }) => ({ data: await change(ctx, params.id, params.imageId, body) }),
  remove: (ctx, { params }) => remove(ctx, params.id, params.imageId),
  async content(ctx, { params }) {
    const file = await ctx.db.maybeOne<{ storage_key: string; original_name: string }>(sql`
      select f.storage_key, f.original_name from show_images i join files f on f.id = i.file_id
      where i.id = ${params.imageId} and i.show_id = ${params.id}`);
    if (!file) throw refuse('not_found');
    return { filename: file.original_name, content_type: 'image/webp', inline: true, keep_seconds: KEEP_SECONDS,
      content: await ctx.ports.files.get(file.storage_key) };
  },
});
