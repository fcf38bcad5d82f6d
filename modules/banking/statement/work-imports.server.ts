/**
 * Large files of a bank, imported in the background. One transaction each, so a file is here whole or not at all; how
 * far it is is told outside of it. What a kill left half done begins anew.
 */
import { AppError, refuse } from '#kit/errors.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import { actorWhoAsked, SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ctx, type Ports, type UploadedFile, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { openAccountNumber, openStatementNumber } from '../bank-account/open-number.server.ts';
import type { StatementImport } from './bank-statement.contract.ts';
import { importStatement, type ImportRequest, type ImportResult } from './import-statement.server.ts';
import type { StatementAccount } from './read-statement.server.ts';

export const WORK_BANK_IMPORTS = 'import-bank-statements';
/** Files from this size on are imported in the background: some ten thousand lines. */
export const LARGE_FILE = 2 * 1024 * 1024;

interface StoredImport {
  id: number;
  bank_account_id: number;
  file_id: number;
  request: ImportRequest;
  requested_by_id: number | null;
}

export async function openAccount(ctx: WorkContext, id: number): Promise<StatementAccount | null> {
  const row = await ctx.db.maybeOne<Omit<StatementAccount, 'own_number' | 'statement_number'>>(sql`
    select id, division, currency, name, bank_account_last4, statement_mapping, statement_date_order
    from bank_accounts where id = ${id} and deleted_at is null and closed_on is null`);
  return row && { ...row, own_number: (await openAccountNumber(ctx, id))?.account ?? null,
    statement_number: await openStatementNumber(ctx, id) };
}

/** Keeps the file and leaves it to the job; answers the id of the import. */
export async function importLater(
  ctx: Ctx, account: StatementAccount, file: UploadedFile, request: ImportRequest,
): Promise<number> {
  const fileId = await keepFile(ctx, file);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bank_statement_imports (bank_account_id, file_id, request, requested_by_id)
    values (${account.id}, ${fileId}, ${JSON.stringify(request)}, ${ctx.actor.actor_id}) returning id`);
  await ctx.audit({ action: 'create', entity: 'bank_statement_import', entity_id: id,
    after: { bank_account_id: account.id, file: file.filename, sha256: request.sha256 } });
  ctx.afterCommit(() => ctx.ports.wake(WORK_BANK_IMPORTS));
  return id;
}

export async function findImport(ctx: WorkContext, id: number): Promise<StatementImport> {
  const row = await ctx.db.maybeOne<StatementImport>(sql`
    select id, bank_account_id, status, lines_total, lines_done, result, failure from bank_statement_imports
    where id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** An import that was at work and has told nothing for so long was left by a process that is gone. */
const SILENT = '3 minutes';

/** Works every import that waits; `import-bank-statements` of apps/server/src/jobs.ts. */
export async function workBankImports(ports: Ports): Promise<void> {
  for (;;) {
    const next = await ports.db.maybeOne<StoredImport>(sql`
      update bank_statement_imports set status = 'running', lines_done = 0 where id = (
        select id from bank_statement_imports where status = 'waiting'
          or (status = 'running' and updated_at < now() - ${SILENT}::interval)
        order by id limit 1 for update skip locked)
      returning id, bank_account_id, file_id, request, requested_by_id`);
    if (next === null) return;
    await runEach(ports, { job: WORK_BANK_IMPORTS, items: [next], facts: ({ id }) => ({ import_id: id }) },
      (one) => workImport(ports, one));
  }
}

async function workImport(ports: Ports, at: StoredImport): Promise<void> {
  try {
    const result = await ports.db.tx(async (tx) => {
      const ctx = workContext(ports, tx, await actorWhoAsked(tx, at.requested_by_id,
        { entity: 'bank_statement_import', entity_id: at.id }));
      return importKept(ctx, at);
    });
    const added = `${result.new_count.toLocaleString('en-US')} ${result.new_count === 1 ? 'line' : 'lines'} imported`;
    await tell(ports, at, 'Your bank statement is imported', added, result.statement_ids[0]);
  } catch (error) {
    const known = error instanceof AppError;
    if (!known) ports.log('error', 'bank import failed', { import: at.id, error: (error as Error).stack });
    const failure = known ? Object.values(error.errors ?? {}).flat().join(' ') || error.message
      : 'Something went wrong while the file was imported. Import it again.';
    await ports.db.exec(sql`update bank_statement_imports set status = 'failed', failure = ${failure.slice(0, 1000)}
      where id = ${at.id} and status = 'running'`);
    await tell(ports, at, 'Your bank statement could not be imported', failure);
  }
}

/** In one transaction with the end of the import; progress goes past it, so that others see it. */
async function importKept(ctx: WorkContext, at: StoredImport): Promise<ImportResult> {
  const account = await openAccount(ctx, at.bank_account_id);
  if (!account) throw refuse('not_found', 'The bank account was closed.');
  const file = await ctx.db.one<{ storage_key: string; original_name: string }>(sql`
    select storage_key, original_name from files where id = ${at.file_id}`);
  const content = await ctx.ports.files.get(file.storage_key);
  const result = await importStatement(ctx, account,
    { field: 'file', filename: file.original_name, content_type: 'application/octet-stream', content },
    { ...at.request, file_id: at.file_id, progress: async (done, total) => {
      await ctx.ports.db.exec(sql`update bank_statement_imports set lines_done = ${done}, lines_total = ${total}
        where id = ${at.id}`);
    } }, await ctx.today(account.division));
  await ctx.db.exec(sql`update bank_statement_imports set status = 'finished', result = ${JSON.stringify(result)}
    where id = ${at.id}`);
  return result;
}

async function tell(ports: Ports, at: StoredImport, title: string, body: string, statement?: number): Promise<void> {
  await notifyStaff(workContext(ports, ports.db, SYSTEM_ACTOR), { kind: 'import.finished', title, body,
    href: statement === undefined ? '/admin/banking/statements' : `/admin/banking/statements/${statement}`,
    to: [at.requested_by_id], key: `import.finished/bank/${at.id}` });
}
