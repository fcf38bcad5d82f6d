/** Images of shows: drawn anew as WebP, kept in the file store, in one order per show. */
import { conflict, refuse } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { drawPicture } from '#server/image.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { safeName } from '#server/upload.ts';
import { moveTo, requireShow, takeOut } from '../show-media/show-media.server.ts';
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

async function add(ctx: Ctx, showId: number, caption: string): Promise<ShowImageRow> {
  await limit(ctx, `show_image:${ctx.user.user_id}`, 120, HOUR);
  await requireShow(ctx.db, showId, true);
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
  const file = await keepFile(ctx, { filename: name, content }, 'image/webp');
  const small_file = await keepFile(ctx, { filename: name, content: small!.content }, 'image/webp');
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into show_images (show_id, file_id, small_file_id, caption, sort, width, height)
    values (${showId}, ${file}, ${small_file}, ${caption}, ${present.length}, ${width}, ${height}) returning id`);
  const row = await oneOf(ctx.db, showId, id);
  await ctx.audit({ action: 'add_image', entity: 'show', entity_id: showId, after: row });
  return row;
}

async function change(
  ctx: Ctx, showId: number, id: number,
  body: { caption?: string | undefined; public?: boolean | undefined; sort?: number | undefined },
): Promise<ShowImageRow[]> {
  await requireShow(ctx.db, showId, true);
  const before = await oneOf(ctx.db, showId, id);
  await ctx.db.exec(sql`
    update show_images set caption = coalesce(${body.caption ?? null}, caption),
      public = coalesce(${body.public ?? null}::boolean, public) where id = ${id}`);
  if (body.sort !== undefined) await moveTo(ctx.db, 'show_images', showId, id, body.sort);
  await ctx.audit({ action: 'change_image', entity: 'show', entity_id: showId, before,
    after: await oneOf(ctx.db, showId, id) });
  return imagesOf(ctx.db, showId);
}

async function remove(ctx: Ctx, showId: number, id: number): Promise<void> {
  await requireShow(ctx.db, showId, true);
  const before = await oneOf(ctx.db, showId, id);
  await takeOut(ctx.db, 'show_images', showId, before);
  await ctx.audit({ action: 'remove_image', entity: 'show', entity_id: showId, before });
}

export const showImageRoutes: Route[] = serve(showImageEndpoints, {
  async list(ctx, { params }) {
    await requireShow(ctx.db, params.id, false);
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
