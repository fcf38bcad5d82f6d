/** Audio samples of shows: kept as they were sent, in one order per show. */
import { conflict, refuse } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { fileTypeOf, MATERIAL_FILE_TYPES } from '../material/material-file-kinds.contract.ts';
import { moveTo, requireShow, takeOut } from '../show-media/show-media.server.ts';
import { MOST_SAMPLES, showSampleEndpoints, type ShowSampleRow } from './show-sample.contract.ts';

const HOUR = 3600;
const KEEP_SECONDS = 24 * HOUR;

async function samplesOf(db: Queryable, showId: number): Promise<ShowSampleRow[]> {
  const rows = await db.query<Omit<ShowSampleRow, 'url'>>(sql`
    select s.id, s.show_id, s.title, s.sort, s.public, f.size_bytes, s.created_at
    from show_samples s join files f on f.id = s.file_id where s.show_id = ${showId} order by s.sort, s.id`);
  return rows.map((row) => ({ ...row, url: `/api/admin/staff/shows/${showId}/samples/${row.id}/content` }));
}

async function oneOf(db: Queryable, showId: number, id: number): Promise<ShowSampleRow> {
  const row = (await samplesOf(db, showId)).find((sample) => sample.id === id);
  if (!row) throw refuse('not_found');
  return row;
}

async function add(ctx: Ctx, showId: number, title: string): Promise<ShowSampleRow> {
  await limit(ctx, `show_sample:${ctx.user.user_id}`, 120, HOUR);
  await requireShow(ctx.db, showId, true);
  if (!ctx.file) throw refuse('bad_request');
  const present = await samplesOf(ctx.db, showId);
  if (present.length >= MOST_SAMPLES) {
    throw conflict('show.samples_full', `A show has at most ${MOST_SAMPLES} audio samples. Remove one first.`);
  }
  const { filename } = ctx.file;
  const type = MATERIAL_FILE_TYPES[filename.split('.').at(-1)!.toLowerCase()]!;
  const file = await keepFile(ctx, ctx.file, type.mime);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into show_samples (show_id, file_id, title, sort)
    values (${showId}, ${file}, ${title || filename.replace(/\.[^.]+$/, '').slice(0, 160) || 'Sample'},
      ${present.length}) returning id`);
  const row = await oneOf(ctx.db, showId, id);
  await ctx.audit({ action: 'add_sample', entity: 'show', entity_id: showId, after: row });
  return row;
}

interface Change { title?: string | undefined; public?: boolean | undefined; sort?: number | undefined }

async function change(ctx: Ctx, showId: number, id: number, body: Change): Promise<ShowSampleRow[]> {
  await requireShow(ctx.db, showId, true);
  const before = await oneOf(ctx.db, showId, id);
  await ctx.db.exec(sql`
    update show_samples set title = coalesce(${body.title ?? null}, title),
      public = coalesce(${body.public ?? null}::boolean, public) where id = ${id}`);
  if (body.sort !== undefined) await moveTo(ctx.db, 'show_samples', showId, id, body.sort);
  await ctx.audit({ action: 'change_sample', entity: 'show', entity_id: showId, before,
    after: await oneOf(ctx.db, showId, id) });
  return samplesOf(ctx.db, showId);
}

async function remove(ctx: Ctx, showId: number, id: number): Promise<void> {
  await requireShow(ctx.db, showId, true);
  const before = await oneOf(ctx.db, showId, id);
  await takeOut(ctx.db, 'show_samples', showId, before);
  await ctx.audit({ action: 'remove_sample', entity: 'show', entity_id: showId, before });
}

export const showSampleRoutes: Route[] = serve(showSampleEndpoints, {
  async list(ctx, { params }) {
    await requireShow(ctx.db, params.id, false);
    return { data: await samplesOf(ctx.db, params.id) };
  },
  create: async (ctx, { params, body }) => ({ data: await add(ctx, params.id, body.title) }),
  update: async (ctx, { params, body }) => ({ data: await change(ctx, params.id, params.sampleId, body) }),
  remove: (ctx, { params }) => remove(ctx, params.id, params.sampleId),
  async content(ctx, { params }) {
    const file = await ctx.db.maybeOne<{ storage_key: string; title: string; mime_type: string }>(sql`
      select f.storage_key, s.title, f.mime_type from show_samples s join files f on f.id = s.file_id
      where s.id = ${params.sampleId} and s.show_id = ${params.id}`);
    if (!file) throw refuse('not_found');
    return { content: await ctx.ports.files.get(file.storage_key), content_type: file.mime_type, inline: true,
      keep_seconds: KEEP_SECONDS, filename: `${file.title}.${fileTypeOf(file.mime_type).extension}` };
  },
});
