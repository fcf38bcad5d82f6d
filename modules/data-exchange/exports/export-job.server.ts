/** X202 and A345: an export is asked for, and its file is taken by the one who asked. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { exportJobEndpoints, type ExportFormat } from './export-job.contract.ts';
import { listOf } from './export-list.server.ts';
import { WORK_EXPORTS } from './work-exports.server.ts';

/** Exports of one person that may wait at a time. */
const WAITING = 20;

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };

/** 'Royalty statements' made on a day: 'royalty-statements-2026-11-21.csv'. */
export function fileNameOf(title: string, day: string, format: ExportFormat): string {
  const plain = title.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  const words = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  return `${words || 'list'}-${day}.${format}`;
}

interface StoredExport {
  title: string; format: ExportFormat; status: string; storage_key: string | null; created_at: string;
}

/** The file of one's own export. */
export async function exportFile(ctx: Ctx, id: number): Promise<FileAnswer> {
  const kept = await ctx.db.maybeOne<StoredExport>(sql`
    select title, format, status, storage_key, created_at from exports
    where id = ${id} and requested_by_id = ${ctx.user.user_id}`);
  if (!kept) throw refuse('not_found');
  if (kept.status === 'expired') throw conflict('export.expired', 'This file has expired. Export the list again.');
  if (kept.storage_key === null) throw conflict('export.not_ready', 'This export has no file yet.');
  return { filename: fileNameOf(kept.title, kept.created_at.slice(0, 10), kept.format),
    content_type: TYPES[kept.format], content: await ctx.ports.files.read(kept.storage_key) };
}

/** `routes`: all of the server's, asked for when a request comes. */
export function exportJobRoutes(routes: () => readonly Route[]): Route[] {
  return serve(exportJobEndpoints, {
    async create(ctx, { body }) {
      const { title = 'List', headers = [], filter, format, columns, model_name } = body;
      if (headers.length > 0 && headers.length !== columns.length) {
        throw invalidField('headers', 'Give every column its heading, or none');
      }
      listOf(routes(), ctx.user, body);
      const { waiting } = await ctx.db.one<{ waiting: number }>(sql`
        select count(*) as waiting from exports
        where requested_by_id = ${ctx.user.user_id} and status in ('waiting', 'running')`);
      if (waiting >= WAITING) {
        throw conflict('export.too_many', 'Your other exports are still being made. Wait for them, or cancel some.');
      }
      const { id } = await ctx.db.one<{ id: number }>(sql`
        insert into exports (model_name, title, columns, headers, filter, format, requested_by_id, created_at)
        values (${model_name}, ${title}, ${columns}, ${headers}, ${JSON.stringify(filter)}, ${format},
          ${ctx.user.user_id}, ${ctx.now().toISOString()}) returning id`);
      await ctx.audit({ action: 'export', entity: 'export', entity_id: id,
        after: { model_name, columns, filter, format } });
      ctx.afterCommit(() => ctx.ports.wake(WORK_EXPORTS));
      return { data: { id, job_id: `export-${id}` } };
    },
    download: (ctx, { params }) => exportFile(ctx, params.id),
  });
}

