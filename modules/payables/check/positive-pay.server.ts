/** Positive pay: each issue and each void of a bank account is told to the bank once, and each file is kept. */
import { createHash } from 'node:crypto';
import { writePositivePay, type CheckEvent, type PositivePayLayout } from '#kernel/payment-files/positive-pay.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import type { PositivePayFile } from './check-template.contract.ts';
import { lockAccount } from './check-store.server.ts';
import { templateOf } from './template-store.server.ts';

/** The latest first. */
export function positivePayFiles({ db }: Pick<Ctx, 'db'>, account: number): Promise<PositivePayFile[]> {
  return db.query<PositivePayFile>(sql`
    select t.id, t.from_on, t.to_on, t.file_name, t.issue_count, t.void_count, t.issued_minor, t.voided_minor,
      t.created_at, (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = t.created_by_id)
        as created_by_name
    from positive_pay_files t where t.bank_account_id = ${account} order by t.id desc limit 200`);
}

type CheckNotice = CheckEvent & { check_id: number };

interface Period { from_on: string | null; to_on: string }

/** Not told yet. A form that spoiled is voided only where the bank knows it as issued. */
async function eventsOf(ctx: Ctx, account: number, of: Period): Promise<CheckNotice[]> {
  const rows = await ctx.db.query<Omit<CheckNotice, 'amount_minor'> & { amount_minor: number }>(sql`
    select c.id as check_id, x.event, c.check_number as number, x.on_day as "on",
      c.amount_minor::bigint as amount_minor, c.payee
    from checks c cross join lateral (
      select 'issue' as event, c.checked_on as on_day where c.status in ('printed', 'voided', 'stale')
      union all
      select 'void', c.ended_on where c.status in ('voided', 'stale') or (c.status = 'spoiled' and exists (
        select 1 from positive_pay_lines l where l.check_id = c.id and l.event = 'issue'))) x
    where c.bank_account_id = ${account} and x.on_day <= ${of.to_on}::date
      and (${of.from_on}::date is null or x.on_day >= ${of.from_on}::date)
      and not exists (select 1 from positive_pay_lines l where l.check_id = c.id and l.event = x.event)
    order by c.check_number, x.event`);
  return rows.map((row) => ({ ...row, amount_minor: BigInt(row.amount_minor) }));
}

async function accountNumber(ctx: Ctx, account: number): Promise<string> {
  const row = await ctx.db.one<{ bytes: Buffer | null; key_id: string | null }>(sql`
    select bank_account_encrypted as bytes, bank_key_id as key_id from bank_accounts where id = ${account}`);
  if (row.bytes === null || row.key_id === null) {
    throw conflict('check.no_account_number', 'Enter the number of the bank account first: the file names it.');
  }
  return unseal(ctx.ports.settings, `bank_account:${account}:bank_account`, { bytes: row.bytes, key_id: row.key_id });
}

/** Writes the file under the lock of the account, so that nothing is told twice. */
export async function exportPositivePay(ctx: Ctx, id: number, of: Period): Promise<PositivePayFile> {
  if (of.from_on !== null && of.to_on < of.from_on) throw invalidField('to_on', 'The last day is not before the first');
  const account = await lockAccount(ctx, id);
  const events = await eventsOf(ctx, id, of);
  if (events.length === 0) {
    throw conflict('check.nothing_to_report', 'The bank knows every check of this period already.');
  }
  const { positive_pay } = await templateOf(ctx, id);
  const written = writePositivePay(events, await accountNumber(ctx, id), positive_pay as PositivePayLayout,
    await ctx.today(account.division));
  if (written.text === null) {
    throw conflict('check.layout', `The file cannot be written. ${written.issues.map((one) =>
      [one.payee, one.message].filter(Boolean).join(': ')).join(' ')}`);
  }
  const from_on = of.from_on ?? events.map((one) => one.on).toSorted()[0]!;
  const count = (event: CheckEvent['event']): number => events.filter((one) => one.event === event).length;
  const file_name = `positive-pay-${from_on}-${of.to_on}.${positive_pay.kind === 'delimited' ? 'csv' : 'txt'}`;
  const { id: file } = await ctx.db.one<{ id: number }>(sql`
    insert into positive_pay_files (bank_account_id, from_on, to_on, file_name, content, sha256, issue_count,
      void_count, issued_minor, voided_minor, created_by_id)
    values (${id}, ${from_on}, ${of.to_on}, ${file_name}, ${written.text},
      ${createHash('sha256').update(written.text).digest('hex')}, ${count('issue')}, ${count('void')},
      ${Number(written.issued_minor)}, ${Number(written.voided_minor)}, ${ctx.actor.actor_id}) returning id`);
  await ctx.db.exec(sql`
    insert into positive_pay_lines (positive_pay_file_id, check_id, event)
    select ${file}, u.check_id, u.event from unnest(${events.map((one) => one.check_id)}::bigint[],
      ${events.map((one) => one.event)}::text[]) u (check_id, event)`);
  await ctx.audit({ action: 'export_positive_pay', entity: 'bank_account', entity_id: id,
    after: { from_on, to_on: of.to_on, issues: count('issue'), voids: count('void') } });
  return (await positivePayFiles(ctx, id)).find((one) => one.id === file)!;
}

/** The bytes as they were written. */
export async function positivePayContent(ctx: Ctx, { id, fileId }: { id: number; fileId: number }):
Promise<FileAnswer> {
  const row = await ctx.db.maybeOne<{ file_name: string; content: string }>(sql`
    select file_name, content from positive_pay_files where id = ${fileId} and bank_account_id = ${id}`);
  if (!row) throw refuse('not_found');
  return { filename: row.file_name, content_type: 'text/plain; charset=utf-8',
    content: Buffer.from(row.content, 'utf8') };
}
