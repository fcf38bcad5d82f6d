/** Files of a material: read once when they come, kept in the file store, shown as marked pictures of single pages. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { textOfPages, UnreadablePdf } from '#server/pdf-pages.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { markedPage, type WatermarkInput } from '#server/watermark.ts';
import { fileTypeOf, MATERIAL_FILE_TYPES, type FileKind } from './material-file-kinds.contract.ts';
import { materialFileEndpoints, MOST_FILES, type MaterialFileRow } from './material-file.contract.ts';

const FIELD = 'file';
const HOUR = 3600;
/** Sharp on a large screen, and still read when enlarged twice on a phone. */
const PAGE_WIDTH = 1400;

async function materialExists(db: Queryable, id: number, lock: boolean): Promise<void> {
  const found = lock
    ? await db.maybeOne(sql`select 1 from materials where id = ${id} and deleted_at is null for update`)
    : await db.maybeOne(sql`select 1 from materials where id = ${id} and deleted_at is null`);
  if (!found) throw refuse('not_found');
}

/** Kind of a stored file, of a row `f` of files. */
const FILE_KIND = sql`case split_part(f.mime_type, '/', 1) when 'audio' then 'audio' when 'image' then 'picture'
  else 'pdf' end`;

const filesOf = (db: Queryable, materialId: number) => db.query<MaterialFileRow>(sql`
  select t.id, t.material_id, t.name, f.original_name as file_name, ${FILE_KIND} as kind, t.pages,
    f.size_bytes, t.created_at,
    nullif(concat_ws(' ', u.first_name, u.last_name), '') as created_by_name
  from material_files t join files f on f.id = t.file_id left join users u on u.id = t.created_by_id
  where t.material_id = ${materialId} and t.removed_at is null order by t.sort, t.id`);

async function add(ctx: Ctx, materialId: number, name: string): Promise<MaterialFileRow> {
  await limit(ctx, `material_file:${ctx.user.user_id}`, 120, HOUR);
  await materialExists(ctx.db, materialId, true);
  if (!ctx.file) throw refuse('bad_request');
  const present = await filesOf(ctx.db, materialId);
  if (present.length >= MOST_FILES) {
    throw conflict('material.files_full', `A material has at most ${MOST_FILES} files. Remove one first.`);
  }
  const type = MATERIAL_FILE_TYPES[ctx.file.filename.split('.').at(-1)!.toLowerCase()]!;
  const texts = await pagesOf(ctx.file.content, type.kind);
  const file = await keepFile(ctx, ctx.file, type.mime);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into material_files (material_id, file_id, name, sort, pages, created_by_id)
    values (${materialId}, ${file}, ${name || ctx.file.filename.replace(/\.[^.]+$/, '')}, ${present.length},
      ${texts.length}, ${ctx.user.user_id}) returning id`);
  await ctx.db.exec(sql`
    insert into material_file_pages (material_file_id, page, text)
    select ${id}, t.page, t.text from unnest(${texts}::text[]) with ordinality t (text, page)`);
  const row = (await filesOf(ctx.db, materialId)).find((file) => file.id === id)!;
  await ctx.audit({ action: 'add_file', entity: 'material', entity_id: materialId, after: row });
  return row;
}

/** The text of each page; none of what has no pages. 422 where it has too many. */
async function pagesOf(content: Buffer, kind: FileKind): Promise<string[]> {
  return kind === 'pdf' ? readable(() => textOfPages(content)) : [];
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadablePdf) throw invalidField(FIELD, error.message);
    throw error;
  }
}

async function remove(ctx: Ctx, materialId: number, id: number): Promise<void> {
  await materialExists(ctx.db, materialId, true);
  const before = (await filesOf(ctx.db, materialId)).find((file) => file.id === id);
  if (!before) throw refuse('not_found');
  await ctx.db.exec(sql`update material_files set removed_at = ${ctx.now().toISOString()} where id = ${id}`);
  await ctx.audit({ action: 'remove_file', entity: 'material', entity_id: materialId, before });
}

/** Page `page` of a stored PDF as a picture with the words in it; the PDF itself stays where it is. */
export async function pagePicture(
  ctx: Pick<Ctx, 'ports'>, storageKey: string, page: number, words: WatermarkInput,
): Promise<Pick<FileAnswer, 'content' | 'content_type' | 'inline'>> {
  const content = await markedPage(await ctx.ports.files.get(storageKey), page, PAGE_WIDTH, words);
  return { content_type: 'image/jpeg', inline: true, content };
}

export const materialFileRoutes: Route[] = serve(materialFileEndpoints, {
  async list(ctx, { params }) {
    await materialExists(ctx.db, params.id, false);
    return { data: await filesOf(ctx.db, params.id) };
  },
  create: async (ctx, { params, body }) => ({ data: await add(ctx, params.id, body.name) }),
  remove: (ctx, { params }) => remove(ctx, params.id, params.fileId),
  async content(ctx, { params }) {
    const file = await ctx.db.maybeOne<{ storage_key: string; name: string; mime_type: string }>(sql`
      select f.storage_key, t.name, f.mime_type from material_files t join files f on f.id = t.file_id
      where t.id = ${params.fileId} and t.material_id = ${params.id} and t.removed_at is null
        and f.mime_type <> 'application/pdf'`);
    if (!file) throw refuse('not_found');
    return { content: await ctx.ports.files.get(file.storage_key), content_type: file.mime_type, inline: true,
      filename: `${file.name}.${fileTypeOf(file.mime_type).extension}` };
  },
  async page(ctx, { params }) {
    const file = await ctx.db.maybeOne<{ storage_key: string; name: string; item_number: string }>(sql`
      select f.storage_key, t.name, m.item_number from material_files t join files f on f.id = t.file_id
        join materials m on m.id = t.material_id
      where t.id = ${params.fileId} and t.material_id = ${params.id} and t.removed_at is null
        and ${params.page} between 1 and t.pages`);
    if (!file) throw refuse('not_found');
    const { first_name, last_name } = ctx.user;
    const picture = await pagePicture(ctx, file.storage_key, params.page,
      { across: `${first_name} ${last_name}, Grand Rights`, foot: `${file.item_number}, looked at by staff` });
    return { ...picture, filename: `${file.name}, page ${params.page}.jpg` };
  },
});
