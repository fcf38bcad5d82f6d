/** Files of a licence: bytes to the store, a row in files, a row in license_documents (I12). */
import { storeFile, type KeptFile } from '#modules/system/file.public.server.ts';
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

const MIME: Record<string, string> = {
  pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', csv: 'text/csv', txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The type follows the checked extension, never what the browser claims. */
export function mimeOf({ filename }: Pick<UploadedFile, 'filename'>): string {
  return MIME[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
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

export async function addDocument(ctx: WorkContext, input: NewDocument): Promise<{ id: number; file: KeptFile }> {
  const file = await storeFile(ctx, { filename: input.file.name, content: input.file.content }, input.file.mime_type);
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
