/**
 * Printing: checks get the next numbers of their bank account under its lock, and their payments are posted with the
 * day on the check (event 17). A form that jams keeps its number as spoiled; the payment gets the next one.
 */
import { addressLines } from '#kernel/address/address-lines.ts';
import { conflict } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';
import { refuseOtherPayee } from '../payee/approved-payee.server.ts';
import type { CheckDetail, CheckRow } from './check.contract.ts';
import { lockAccount, rowsOf, type AccountLock } from './check-store.server.ts';

const WORDS: Record<CheckRow['state'], string> = { waiting: 'waiting for approval', ready: 'not printed yet',
  printed: 'printed', cleared: 'cleared by the bank', spoiled: 'spoiled', voided: 'voided',
  stale: 'unclaimed property' };
export const nameOf = (row: Pick<CheckRow, 'check_number' | 'payment_number'>): string =>
  row.check_number === null ? `The check of payment ${row.payment_number}` : `Check ${row.check_number}`;

export function refuseUnless(row: CheckRow, ...states: readonly CheckRow['state'][]): void {
  if (states.includes(row.state)) return;
  throw conflict('check.state', `${nameOf(row)} is ${WORDS[row.state]}.`, { state: row.state });
}

function nextOf(account: AccountLock): number {
  if (account.next_check_number !== null) return account.next_check_number;
  throw conflict('check.no_number', `${account.name} has no number for its next form. Enter it at the bank account `
    + 'first.');
}

interface Printing { bank_account_id: number; on: string; check_ids: readonly number[]; first_number: string }

/** All or none: a check that cannot be printed stops the whole stack before a number is taken. */
export async function printChecks(ctx: Ctx, of: Printing): Promise<CheckRow[]> {
  const account = await lockAccount(ctx, of.bank_account_id);
  const ids = [...new Set(of.check_ids)];
  await ctx.db.query(sql`select 1 from checks where id = any (${ids}::bigint[]) order by id for update`);
  const rows = new Map((await rowsOf(ctx, ids)).map((row) => [row.id, row]));
  const next = nextOf(account);
  if (Number(of.first_number) !== next) {
    throw conflict('check.number', `The next check of ${account.name} has number ${next}. Put that form into the `
      + 'printer, or record the forms before yours as spoiled.', { next_check_number: String(next) });
  }
  for (const [k, id] of ids.entries()) {
    const row = rows.get(id);
    if (!row || row.bank_account_id !== account.id) {
      throw conflict('check.state', `A check is not of ${account.name}. Choose again.`);
    }
    refuseUnless(row, 'ready');
    await printOne(ctx, row, { number: next + k, on: of.on });
  }
  return rowsOf(ctx, ids);
}

async function printOne(ctx: Ctx, row: CheckRow, { number, on }: { number: number; on: string }): Promise<void> {
  const { written, party_type, party_id, in_run } = await ctx.db.one<{ written: number | null; party_type: string;
    party_id: number; in_run: boolean }>(sql`
    select t.written_number as written, p.party_type, p.party_id, p.payment_run_id is not null as in_run
    from checks t join payments p on p.id = t.payment_id where t.id = ${row.id}`);
  if (written !== null && written !== number) {
    throw conflict('check.number', `${nameOf(row)} was written by hand with number ${written}; the next one is `
      + `${number}.`, { next_check_number: String(number) });
  }
  const lines = await addressOf(ctx, party_type, party_id);
  await refuseOtherPayee(ctx, { id: row.payment_id!, party_type, party_id, party_name: row.payee, in_run });
  if (lines.length === 0 && written === null) {
    throw conflict('check.no_address', `${row.payee} has no address for the envelope. Enter it first.`);
  }
  await ctx.db.exec(sql`
    update checks set status = 'printed', check_number = ${number}, payee = ${row.payee}, payee_lines = ${lines},
      amount_minor = ${row.amount_minor}, memo = ${row.memo}, checked_on = ${on},
      printed_at = ${ctx.now().toISOString()}, printed_by_id = ${ctx.actor.actor_id}, version = version + 1
    where id = ${row.id}`);
  await logPrinting(ctx, row.id, '');
  await postDisbursement(ctx, row.payment_id!, on);
  const [after] = await rowsOf(ctx, [row.id]);
  await ctx.audit({ action: 'print', entity: 'check', entity_id: row.id, before: row, after: after! });
}

/** Payment address of the party, in lines; empty if no address is known. */
async function addressOf(ctx: Ctx, type: string, id: number): Promise<string[]> {
  const { address } = await ctx.db.one<{ address: Address | null }>(sql`
    select case ${type} when 'vendor' then (select coalesce(v.remit_to_address, v.address) from vendors v
        where v.id = ${currentVendor(sql`${id}::bigint`)})
      when 'customer' then (select c.billing_address from customers c where c.id = ${id})
      when 'royaltor' then (select r.address from royaltors r where r.id = ${id}) end as address`);
  return addressLines(address, 'US');
}

const logPrinting = (ctx: Ctx, check: number, reason: string) => ctx.db.exec(sql`
  insert into check_printings (check_id, printed_by_id, reason, created_at)
  values (${check}, ${ctx.actor.actor_id}, ${reason}, ${ctx.now().toISOString()})`);

/** The same number again: the reason is kept with each printing. */
export async function reprintCheck(ctx: Ctx, row: CheckDetail, reason: string): Promise<void> {
  refuseUnless(row, 'printed');
  await logPrinting(ctx, row.id, reason);
  await ctx.db.exec(sql`update checks set version = version + 1 where id = ${row.id}`);
  await ctx.audit({ action: 'reprint', entity: 'check', entity_id: row.id, after: { reason } });
}

/** The form is worth nothing; its payment is printed with the next number at once. Answers the new check. */
export async function spoilCheck(ctx: Ctx, row: CheckDetail, reason: string): Promise<number> {
  refuseUnless(row, 'printed');
  const account = await lockAccount(ctx, row.bank_account_id);
  const number = nextOf(account);
  await ctx.db.exec(sql`
    update checks set status = 'spoiled', ended_on = ${await ctx.today(row.division)},
      ended_by_id = ${ctx.actor.actor_id}, end_reason = ${reason}, version = version + 1 where id = ${row.id}`);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into checks (bank_account_id, division, currency, payment_id, check_number, status, payee, payee_lines,
      amount_minor, memo, checked_on, printed_at, printed_by_id, replaces_id, created_by_id)
    select bank_account_id, division, currency, payment_id, ${number}, 'printed', payee, payee_lines, amount_minor,
      memo, checked_on, ${ctx.now().toISOString()}, ${ctx.actor.actor_id}, id, ${ctx.actor.actor_id}
    from checks where id = ${row.id} returning id`);
  await logPrinting(ctx, id, reason);
  await ctx.audit({ action: 'spoil', entity: 'check', entity_id: row.id,
    after: { reason, check_number: String(number) } });
  await ctx.audit({ action: 'print', entity: 'check', entity_id: id, after: { check_number: String(number) } });
  return id;
}

/** Blank forms that were damaged or lost, from the next number through another one. */
export async function skipForms(
  ctx: Ctx, of: { bank_account_id: number; through_number: string; reason: string }, limit: number,
): Promise<number> {
  const account = await lockAccount(ctx, of.bank_account_id);
  const next = nextOf(account);
  const count = Number(of.through_number) - next + 1;
  if (count < 1 || count > limit) {
    throw conflict('check.number', `The next check of ${account.name} has number ${next}. Enter that number or up to `
      + `${next + limit - 1}.`, { next_check_number: String(next) });
  }
  for (let number = next; number < next + count; number += 1) {
    await ctx.db.exec(sql`
      insert into checks (bank_account_id, division, currency, check_number, status, ended_on, ended_by_id, end_reason,
        created_by_id)
      values (${account.id}, ${account.division}, ${account.currency}, ${number}, 'spoiled',
        ${await ctx.today(account.division)}, ${ctx.actor.actor_id}, ${of.reason}, ${ctx.actor.actor_id})`);
  }
  await ctx.audit({ action: 'skip_checks', entity: 'bank_account', entity_id: account.id,
    after: { from: String(next), through: of.through_number, reason: of.reason } });
  return count;
}
