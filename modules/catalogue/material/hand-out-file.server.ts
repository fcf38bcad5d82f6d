/**
 * Files of materials that leave the house: PDFs as copies with a name on every page, sounds and pictures as they are
 * with the licence in their name (decision 19), counted under the licence or the order
 * that brings them. When one may leave is decided by whoever brings it.
 */
import { conflict } from '#kit/errors.ts';
import type { Ctx, FileAnswer, WorkContext } from '#server/context.ts';
import { stampedPdf } from '#server/pdf-stamp.ts';
import { limit } from '#server/rate-limit.ts';
import { sql, type Sql } from '#server/sql.ts';
import { fileTypeOf } from './material-file-kinds.contract.ts';

/** Source of the right to a file; exactly one of the two. */
export interface FileOwner { license_id: number | null; sales_order_id: number | null }

const owns = (owner: FileOwner, t: Sql): Sql => (owner.license_id === null
  ? sql`${t}.sales_order_id = ${owner.sales_order_id}` : sql`${t}.license_id = ${owner.license_id}`);
const lastAllowed = (owner: FileOwner, file: Sql): Sql => sql`coalesce((select max(r.last_download_id)
  from file_download_resets r where ${owns(owner, sql`r`)} and r.material_file_id = ${file}), 0)`;

/** Downloads of the file that count against its limit, as an expression over the id of a row of material_files. */
export const usedDownloads = (owner: FileOwner, file: Sql): Sql => sql`(select count(*) from file_downloads d
  where ${owns(owner, sql`d`)} and d.material_file_id = ${file} and d.id > ${lastAllowed(owner, file)})::int`;

export interface Download { id: number; file_id: number; name: string; email: string; created_at: string;
  counts: boolean }

/** Every download of this owner, the newest first. */
export function downloadsOf(ctx: Pick<WorkContext, 'db'>, owner: FileOwner): Promise<Download[]> {
  return ctx.db.query<Download>(sql`
    select d.id, d.material_file_id as file_id, concat_ws(' ', u.first_name, u.last_name) as name, u.email,
      d.created_at, d.id > ${lastAllowed(owner, sql`d.material_file_id`)} as counts
    from file_downloads d join users u on u.id = d.user_id where ${owns(owner, sql`d`)} order by d.id desc`);
}

export interface HandOut {
  owner: FileOwner;
  file: { id: number; storage_key: string; mime_type: string; label: string; item_number: string };
  /** Licensee, and the number of the license or order: "Astoria Players", "L-US-2026-000123". */
  licensee: string;
  number: string;
  /** Takes the lock under which it is counted, and refuses where the file may not leave any more. */
  recheck: () => Promise<void>;
}

/** The marked copy, made before anything is locked; then counted, so that two at once cannot both be the last. */
export async function handOutFile(ctx: Ctx, { owner, file, licensee, number, recheck }: HandOut): Promise<FileAnswer> {
  await limit(ctx, `file_download:${ctx.user.user_id}`, 60, 3600);
  const stored = await ctx.ports.files.get(file.storage_key);
  const reader = `${ctx.user.first_name} ${ctx.user.last_name}, ${ctx.user.email}`;
  const at = ctx.now().toISOString().slice(0, 16).replace('T', ' ');
  const content = fileTypeOf(file.mime_type).kind !== 'pdf' ? stored
    : await stampedPdf(stored, { across: `${licensee}, ${number}`,
      foot: `For ${licensee} under ${number}. Downloaded by ${reader}, ${at} UTC. Not to be passed on.` });
  await recheck();
  await ctx.db.exec(sql`insert into file_downloads (license_id, sales_order_id, material_file_id, user_id, created_at)
    values (${owner.license_id}, ${owner.sales_order_id}, ${file.id}, ${ctx.user.user_id},
      ${ctx.now().toISOString()})`);
  await ctx.audit({ action: 'download', entity: owner.license_id === null ? 'sales_order' : 'license',
    entity_id: owner.license_id ?? owner.sales_order_id, after: { file: file.label, item_number: file.item_number } });
  return { content, content_type: file.mime_type, filename: downloadName(file, number) };
}

/** 'Overture, L-US-2026-000123.wav': whose it is stands in the name. */
export const downloadName = (file: Pick<HandOut['file'], 'label' | 'mime_type'>, number: string): string =>
  `${file.label}, ${number}.${fileTypeOf(file.mime_type).extension}`;

/** Resets the count of downloads so far. 409 if there were none; the caller holds the lock of the owner. */
export async function allowDownloadsAnew(ctx: Ctx, owner: FileOwner, file: { id: number; label: string; used: number },
  reason: string): Promise<void> {
  if (file.used === 0) throw conflict('file.unused', 'No download has been used: there is nothing to reset.');
  await ctx.db.exec(sql`
    insert into file_download_resets (license_id, sales_order_id, material_file_id, last_download_id, reason,
      created_by_id)
    select ${owner.license_id}::bigint, ${owner.sales_order_id}::bigint, ${file.id}, max(d.id), ${reason},
      ${ctx.user.user_id} from file_downloads d where ${owns(owner, sql`d`)} and d.material_file_id = ${file.id}`);
  await ctx.audit({ action: 'allow_downloads', entity: owner.license_id === null ? 'sales_order' : 'license',
    entity_id: owner.license_id ?? owner.sales_order_id, before: { file: file.label, used: file.used },
    after: { file: file.label, used: 0, reason } });
}
