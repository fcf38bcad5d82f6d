/** Stored prenotes: their state on a day, the payees without one, and the hints of payment runs. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import type { Division } from '#kernel/money/division.ts';
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { divisionDay } from '#server/division-day.ts';
import type { ListSpec } from '#server/list.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { PrenoteCandidate, PrenoteRow } from './prenote.contract.ts';

/** Of the row `t`: a return counts whenever it comes; without one the details hold from the day on which it clears. */
export const stateOf = (now: Date): Sql => sql`case when t.returned_on is not null then 'returned'
  when t.clears_on <= ${divisionDay(now, sql`(select q.division from bank_accounts q where q.id = t.bank_account_id)`)}
    then 'cleared' else 'pending' end`;

/** Parties with bank details, and the version that is stored. */
export const PARTIES = sql`(select 'vendor' as party_type, id, name, bank_details_version as version from vendors
  union all select 'customer', id, name, bank_details_version from customers
  union all select 'royaltor', id, name, bank_details_version from royaltors)`;

export const PRENOTES: Pick<ListSpec, 'base' | 'joins'> = { base: sql`ach_prenotes t`,
  joins: sql`join ach_files f on f.id = t.ach_file_id join bank_accounts b on b.id = t.bank_account_id
    join ${PARTIES} o on o.party_type = t.party_type and o.id = t.party_id
    left join users u on u.id = f.created_by_id` };
export const prenoteColumns = (now: Date): Sql => sql`t.id, t.number, t.party_type, t.party_id, o.name as payee,
  t.last4, t.bank_account_id, b.name as bank_account, b.division, ${stateOf(now)} as state, f.value_on as sent_on,
  t.clears_on,
  t.returned_on, coalesce(t.reason, t.correction) as reason, o.version <> t.bank_details_version as is_outdated,
  t.ach_file_id, f.file_name, nullif(concat_ws(' ', u.first_name, u.last_name), '') as created_by_name, t.version,
  t.created_at, t.updated_at`;

export async function findPrenote(ctx: WorkContext, id: number): Promise<PrenoteRow> {
  const row = await ctx.db.maybeOne<PrenoteRow>(sql`
    select ${prenoteColumns(ctx.now())} from ${PRENOTES.base} ${PRENOTES.joins!} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Verified details in the US that this account has neither asked about nor paid to. */
export function candidatesOf(ctx: Pick<WorkContext, 'db'>, account: { id: number; division: Division }):
Promise<PrenoteCandidate[]> {
  const columns = sql`id, name, bank_account_last4 as last4, bank_verified_at as verified_at, bank_details_version
    as version, bank_kind, bank_country, bank_account_encrypted is not null and deleted_at is null as is_open`;
  return ctx.db.query<PrenoteCandidate>(sql`
    select o.party_type, o.id as party_id, o.name, o.last4, o.verified_at from (
      select 'vendor' as party_type, ${columns} from vendors where ${account.division} = any (divisions)
      union all select 'customer', ${columns} from customers
      union all select 'royaltor', ${columns} from royaltors) o
    where o.is_open and o.verified_at is not null and coalesce(o.bank_kind, 'us') = 'us'
      and coalesce(o.bank_country, 'US') = 'US'
      and not exists (select 1 from ach_prenotes a where a.bank_account_id = ${account.id}
        and a.party_type = o.party_type and a.party_id = o.id and a.bank_details_version = o.version
        and a.returned_on is null)
      and not exists (select 1 from payments p where p.party_type = o.party_type and p.party_id = o.id
        and p.direction = 'out' and p.method = 'ach' and p.payee_version = o.version
        and p.status in ('posted', 'cleared'))
    order by o.name collate "und-x-icu", o.party_type, o.id limit 500`);
}

interface Latest { party_type: string; party_id: number; state: PrenoteRow['state']; clears_on: string;
  returned_on: string | null; reason: string | null }

/** By payee, what banks say about the details that are stored now; nothing where all is well. */
export async function prenoteHints(ctx: WorkContext, account: number): Promise<Map<string, string>> {
  const corrected = await ctx.db.query<{ party_type: string; party_id: number; words: string; due_on: string }>(sql`
    select t.party_type, t.party_id, t.words, t.due_on from bank_corrections t join ${PARTIES} o
      on o.party_type = t.party_type and o.id = t.party_id and o.version = t.bank_details_version
    where t.decision is null order by t.id`);
  const rows = await ctx.db.query<Latest>(sql`
    select distinct on (t.party_type, t.party_id) t.party_type, t.party_id, ${stateOf(ctx.now())} as state,
      t.clears_on, t.returned_on, t.reason
    from ach_prenotes t join ${PARTIES} o on o.party_type = t.party_type and o.id = t.party_id
      and o.version = t.bank_details_version
    where t.bank_account_id = ${account} order by t.party_type, t.party_id, t.id desc`);
  return new Map([...rows.flatMap((row) => {
    const hint = hintOf(row);
    return hint === null ? [] : [[`${row.party_type}:${row.party_id}`, hint] as const];
  }), ...corrected.map((row) => [`${row.party_type}:${row.party_id}`,
    `The bank corrects these details by ${dateFor('en-US', row.due_on)}: ${row.words}`] as const)]);
}

function hintOf(row: Latest): string | null {
  const day = (on: string): string => dateFor('en-US', on);
  if (row.state === 'returned') return `Prenote returned on ${day(row.returned_on!)}: ${row.reason}`;
  return row.state === 'pending' ? `Prenote pending until ${day(row.clears_on)}` : null;
}
