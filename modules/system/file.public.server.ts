/** Keeps a file: its bytes under the file port, its facts in the table of files. */
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { safeName } from '#server/upload.ts';

/** Answers the id of the row. The file is kept as it came; without a type it is never shown in a browser. */
export async function keepFile(
  ctx: WorkContext, file: Pick<UploadedFile, 'filename' | 'content'>, type = 'application/octet-stream',
): Promise<number> {
  const put = await ctx.ports.files.put(file.content);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${put.storage_key}, ${put.sha256}, ${type}, ${put.size}, ${safeName(file.filename)},
      ${ctx.actor.actor_id}) returning id`);
  return id;
}
