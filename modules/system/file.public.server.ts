/** Keeps a file: its bytes under the file port, its facts in the table of files. */
import type { UploadedFile, WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
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
  return recordFile(ctx.db, { ...put, mime_type: type, original_name: file.filename,
    created_by_id: ctx.actor.actor_id });
}

/** The row of a file whose bytes are kept already: for a caller that learns in its transaction whether it needs one. */
export function recordFile(db: Queryable, file: {
  storage_key: string; sha256: string; size: number; mime_type: string; original_name: string;
  created_by_id: number | null;
}): Promise<KeptFile> {
  return db.one<KeptFile>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${file.storage_key}, ${file.sha256}, ${file.mime_type}, ${file.size}, ${safeName(file.original_name)},
      ${file.created_by_id}) returning id, storage_key, sha256`);
}

/** As {@link storeFile}; answers the id of the row. */
export async function keepFile(...of: Parameters<typeof storeFile>): Promise<number> {
  return (await storeFile(...of)).id;
}
