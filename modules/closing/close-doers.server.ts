/** Person and time of the latest work behind each item of a month; a job of ours has no name. */
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { CloseItemKey } from './close-checklist.contract.ts';

export interface Month {
  readonly division: string; readonly period: number; readonly starts: string; readonly ends: string;
}
export interface Doer { by: string | null; at: string }

/** Latest act of each kind, as person and time. */
function acts({ division, period, starts, ends }: Month): Partial<Record<CloseItemKey, Sql>> {
  const ofBank = sql`join bank_accounts b on b.id = t.bank_account_id and b.division = ${division}`;
  return {
    statements: sql`select t.imported_by_id as who, t.created_at as at from bank_statement_files t ${ofBank}
      where exists (select 1 from bank_statements s where s.bank_statement_file_id = t.id
        and s.taken_back_at is null and s.to_on >= ${starts}
        and coalesce(s.from_on, s.to_on) <= ${ends})`,
    unmatched: sql`select t.created_by_id as who, t.created_at as at from bank_matches t ${ofBank}
      where t.undone_at is null and exists (select 1 from bank_match_lines l
        join bank_transactions x on x.id = l.bank_transaction_id where l.bank_match_id = t.id
          and x.booked_on between ${starts} and ${ends})`,
    reconciled: sql`select t.finished_by_id as who, t.finished_at as at from bank_reconciliations t ${ofBank}
      where t.status = 'finished' and t.to_on >= ${ends}`,
    box_office: sql`select decided_by_id as who, decided_at as at from box_office_reports
      where division = ${division} and period_to between ${starts} and ${ends} and decided_at is not null`,
    deferred: sql`select x.posted_by as who, x.posted_at as at from release_schedule s
      join transactions x on x.id = s.released_transaction_id
      where s.division = ${division} and s.on_date between ${starts} and ${ends}`,
    royalties: sql`select coalesce(approved_by_id, calculated_by_id) as who, coalesce(approved_at, calculated_at) as at
      from royalty_statement_runs where division = ${division} and period_to >= ${starts} and period_from <= ${ends}
        and calculated_at is not null`,
    tax: sql`select coalesce(filed_by_id, prepared_by_id) as who, coalesce(filed_at, prepared_at) as at from tax_returns
      where division = ${division} and period_from <= ${ends} and period_to >= ${ends}`,
    in_transit: sql`select created_by_id as who, updated_at as at from bank_transfers
      where division = ${division} and status = 'received' and received_on between ${starts} and ${ends}`,
    undeposited: sql`select created_by_id as who, created_at as at from deposit_slips
      where division = ${division} and status = 'deposited' and deposited_on between ${starts} and ${ends}`,
    opening: sql`select posted_by_id as who, posted_at as at from opening_sets
      where division = ${division} and status = 'posted' and as_of <= ${ends}`,
    accruals: sql`select b.entered_by_id as who, b.created_at as at from bill_schedule_days y
      join bills b on b.id = y.bill_id
      where b.division = ${division} and y.due_on between ${starts} and ${ends}`,
    revaluation: sql`select decided_by_id as who, decided_at as at from revaluations
      where division = ${division} and revalued_on = ${ends} and status = 'posted'`,
    intercompany: sql`select e.decided_by_id as who, e.decided_at as at from intercompany_entries e
      where e.status = 'posted' and e.dated_on between ${starts} and ${ends} and exists (select 1 from transactions x
        where x.id in (e.creditor_transaction_id, e.debtor_transaction_id) and x.division = ${division})`,
    drafts: sql`select posted_by as who, posted_at as at from transactions
      where division = ${division} and transaction_at between ${starts} and ${ends} and posted_at is not null
        and posted_by is not null`,
    earlier: sql`select closed_by as who, closed_at as at from periods
      where division = ${division} and period < ${period} and state = 'closed'`,
    payments: sql`select coalesce(exported_by_id, approved_by_id) as who, posted_at as at from payment_runs
      where division = ${division} and status = 'posted' and value_on between ${starts} and ${ends}`,
  };
}

export async function doersOf(db: Queryable, month: Month): Promise<Map<string, Doer>> {
  const parts = Object.entries(acts(month)).map(([key, act]) =>
    sql`(select ${key}::text as key, a.who, a.at from (${act}) a where a.at is not null order by a.at desc limit 1)`);
  const rows = await db.query<Doer & { key: string }>(sql`
    select d.key, u.first_name || ' ' || u.last_name as by, d.at
    from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) d left join users u on u.id = d.who`);
  return new Map(rows.map(({ key, by, at }) => [key, { by, at }]));
}
