/**
 * The identity of ACH files: a bank tells the files of a company and day apart by their modifier, and payments by their
 * trace number. Both are given out under one lock, and a constraint holds that no two files have the same.
 */
import { firstTrace, nextModifier, type NachaOriginator } from '#kernel/payment-files/nacha.ts';
import type { UsAccount } from '#kernel/payment-files/payment-batch.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { conflict } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import type { FileProfile } from './payment-run.contract.ts';

export function originatorOf(profile: FileProfile, account: UsAccount): NachaOriginator {
  return { company_name: profile.originator_name, company_id: profile.company_id, account,
    destination_routing: profile.destination_routing, destination_name: profile.destination_name,
    origin_id: profile.origin_id || profile.company_id, origin_name: profile.originator_name };
}

export interface AchNumbers { modifier: string; first_trace: number; created_on: string }

interface Place { profile: FileProfile; created_on: string; count: number }

/** Modifier and trace number of the next file, for a preview too; null after 36 files of the company that day. */
export async function nextAchNumbers(ctx: WorkContext, { profile, created_on, count }: Place):
Promise<AchNumbers | null> {
  const files = await ctx.db.query<{ modifier: string }>(sql`
    select modifier from ach_files where destination_routing = ${profile.destination_routing}
      and origin_id = ${profile.origin_id || profile.company_id} and created_on = ${created_on}`);
  const modifier = nextModifier(files.map((file) => file.modifier));
  if (modifier === null) return null;
  const last = await ctx.db.maybeOne<{ first_trace: number; trace_count: number }>(sql`
    select first_trace, trace_count from ach_files order by id desc limit 1`);
  return { modifier, first_trace: firstTrace(last, count), created_on };
}

export const allNamed = (created_on: string): string => `A bank takes 36 ACH files of a company on one day, and the `
  + `files of ${dateFor('en-US', created_on)} are written. Write this one on the next day.`;

export interface AchFile extends AchNumbers { id: number }

/** Sets modifier and trace numbers aside: nobody else gets them once this is committed. */
export async function openAchFile(ctx: WorkContext, of: Place & { purpose: 'payments' | 'prenotes';
  payment_run_id: number | null }): Promise<AchFile> {
  await ctx.db.query(sql`select pg_advisory_xact_lock(hashtextextended('ach_files', 0))`);
  const numbers = await nextAchNumbers(ctx, of);
  if (numbers === null) {
    throw conflict('payment_run.file', allNamed(of.created_on), { issues: [allNamed(of.created_on)] });
  }
  const { profile } = of;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into ach_files (bank_account_id, purpose, destination_routing, origin_id, created_on, modifier, first_trace,
      trace_count, payment_run_id, created_by_id)
    values (${profile.bank_account_id}, ${of.purpose}, ${profile.destination_routing},
      ${profile.origin_id || profile.company_id}, ${of.created_on}, ${numbers.modifier}, ${numbers.first_trace},
      ${of.count}, ${of.payment_run_id}, ${ctx.actor.actor_id}) returning id`);
  return { ...numbers, id };
}

/** Keeps the bytes; they are never written again. */
export async function keepAchFile(ctx: WorkContext, id: number, of: { filename: string; content: Buffer;
  value_on: string; file_id?: number }): Promise<void> {
  const file = of.file_id ?? await keepFile(ctx, of, 'application/octet-stream');
  await ctx.db.exec(sql`
    update ach_files set file_id = ${file}, file_sha256 = ${sha256(of.content)}, file_name = ${of.filename},
      value_on = ${of.value_on} where id = ${id}`);
}
