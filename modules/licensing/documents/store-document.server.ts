/** Files of a licence: bytes to the store, a row in files, a row in license_documents (I12). */
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { safeName } from '#server/upload.ts';

export interface StoredFile {
  id: number;
  storage_key: string;
  sha256: string;
}

export async function storeFile(
  ctx: WorkContext, file: { name: string; mime_type: string; content: Buffer },
): Promise<StoredFile> {
  const put = await ctx.ports.files.put(file.content);
  return ctx.db.one<StoredFile>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${put.storage_key}, ${put.sha256}, ${file.mime_type}, ${put.size}, ${safeName(file.name)},
      ${ctx.actor.actor_id}) returning id, storage_key, sha256`);
}

const MIME: Record<string, string> = {
  pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', csv: 'text/csv', txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The type follows the checked extension, never what the browser claims. */
export function mimeOf(file: UploadedFile): string {
  return MIME[file.filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

export interface NewDocument {
  license_id: number;
  type: string;
  description: string;
  status: 'draft' | 'issued' | 'sent' | 'signed';
  origin: 'upload' | 'generate';
  internal?: boolean;
  license_version_id?: number | null;
  file: { name: string; mime_type: string; content: Buffer };
}

export async function addDocument(ctx: WorkContext, input: NewDocument): Promise<{ id: number; file: StoredFile }> {
  const file = await storeFile(ctx, input.file);
  const now = ctx.now().toISOString();
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_documents (license_id, license_version_id, document_id, type, description, status, origin,
      internal, issued_at, signed_at, uploaded_by_id, created_at)
    values (${input.license_id}, ${input.license_version_id ?? null}, ${file.id}, ${input.type},
      ${input.description}, ${input.status}, ${input.origin}, ${input.internal ?? false},
      ${input.origin === 'generate' ? now : null}, ${input.status === 'signed' ? now : null},
      ${ctx.actor.actor_id}, ${now}) returning id`);
  return { id: row.id, file };
}
