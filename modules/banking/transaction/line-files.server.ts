/** Files attached to a bank transaction: the receipt of a purchase, a letter of the bank. */
import type { UploadedFile, Ctx, WorkContext } from '#server/context.ts';
import { refuse } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import { sql } from '#server/sql.ts';
import type { LineFile } from './bank-transaction.contract.ts';

/** The latest first. */
export function filesOf(ctx: WorkContext, id: number): Promise<LineFile[]> {
  return ctx.db.query<LineFile>(sql`
    select t.id, f.original_name as name, f.size_bytes, t.created_at,
      (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = t.created_by_id) as created_by_name
    from bank_transaction_files t join files f on f.id = t.file_id
    where t.bank_transaction_id = ${id} order by t.id desc`);
}

/** Most files that one line takes. */
const MOST_FILES = 20;

async function attach(ctx: Ctx, id: number, file: UploadedFile): Promise<LineFile> {
  await ctx.db.query(sql`select 1 from bank_transactions where id = ${id} for no key update`);
  const here = await filesOf(ctx, id);
  if (here.length >= MOST_FILES) throw refuse('in_use', `A bank transaction has at most ${MOST_FILES} files.`);
  const stored = await keepFile(ctx, file, file.content_type);
  const made = await ctx.db.one<{ id: number }>(sql`
    insert into bank_transaction_files (bank_transaction_id, file_id, created_by_id)
    values (${id}, ${stored}, ${ctx.actor.actor_id}) returning id`);
  await ctx.audit({ action: 'add_file', entity: 'bank_transaction', entity_id: id, after: { file: file.filename } });
  return (await filesOf(ctx, id)).find((one) => one.id === made.id)!;
}

interface Params { params: { id: number; fileId: number } }

/** @param find the line outside the trash; 404 where there is none */
export function fileRoutes(find: (ctx: Ctx, id: number) => Promise<unknown>) {
  return {
    async attach(ctx: Ctx, { params }: { params: { id: number } }) {
      await find(ctx, params.id);
      return { data: await attach(ctx, params.id, ctx.file!) };
    },
    async file(ctx: Ctx, { params }: Params) {
      await find(ctx, params.id);
      const row = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
        select f.storage_key, f.original_name, f.mime_type
        from bank_transaction_files t join files f on f.id = t.file_id
        where t.id = ${params.fileId} and t.bank_transaction_id = ${params.id}`);
      if (!row) throw refuse('not_found');
      return { filename: row.original_name, content_type: row.mime_type, inline: true,
        content: await ctx.ports.files.get(row.storage_key) };
    },
    async detach(ctx: Ctx, { params }: Params) {
      await find(ctx, params.id);
      const row = await ctx.db.maybeOne<{ name: string }>(sql`
        delete from bank_transaction_files t using files f where f.id = t.file_id and t.id = ${params.fileId}
          and t.bank_transaction_id = ${params.id} returning f.original_name as name`);
      if (!row) throw refuse('not_found');
      await ctx.audit({ action: 'remove_file', entity: 'bank_transaction', entity_id: params.id,
        before: { file: row.name } });
    },
  };
}
