/** Keeps a file: its bytes under the file port, its facts in the table of files. */
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { safeName } from '#server/upload.ts';

export interface KeptFile {
  id: number;
  storage_key: string;
  sha256: string;
}

/** The file is kept as it came; without a type it is never shown in a browser. */
export async function storeFile(
  ctx: WorkContext, file: Pick<UploadedFile, 'filename' | 'content'>, type = 'application/octet-stream',
): Promise<KeptFile> {
  const put = await ctx.ports.files.put(file.content);
  return ctx.db.one<KeptFile>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${put.storage_key}, ${put.sha256}, ${type}, ${put.size}, ${safeName(file.filename)},
      ${ctx.actor.actor_id}) returning id, storage_key, sha256`);
}

/** As {@link storeFile}; answers the id of the row. */
export async function keepFile(...of: Parameters<typeof storeFile>): Promise<number> {
  return (await storeFile(...of)).id;
}
