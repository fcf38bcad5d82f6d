/** Periods and lock dates that one person asked for and another confirms. */
import { waitingRows } from '#server/approval-source.ts';
import { empty, sql, type Sql } from '#server/sql.ts';
import { earlierOpenWords } from './period/earlier-open.server.ts';
import { LOCK_LABELS } from './period/lock-labels.ts';

function waitingPeriods(state: 'closed' | 'open', kind: string, verb: string): Sql {
  return waitingRows(kind, {
    from: sql`from period_requests r join periods p on p.division = r.division and p.period = r.period
      where r.state = ${state}`,
    entity_id: sql`p.id`, division: sql`r.division`,
    title: sql`${verb} || ' ' || case when r.period % 100 > 12 then 'adjustments of ' || r.period / 100
      else month_words(p.starts) end`,
    detail: sql`concat_ws(' · ', r.division, nullif(r.reason, '')${state === 'closed'
      ? sql`, 'Earlier months still open: ' || ${earlierOpenWords(sql`r.division`, sql`r.period`)}` : empty})`,
    asked_by_id: sql`r.requested_by`, asked_at: sql`r.created_at`,
    href: sql`'/admin/accounting/periods?division=' || r.division || '&year=' || r.period / 100`,
    params: sql`jsonb_build_object('period', r.period, 'id', r.id)`,
    approve_body: state === 'closed'
      ? sql`jsonb_build_object('division', r.division, 'version', p.version, 'request_id', r.id)`
      : sql`jsonb_build_object('division', r.division, 'version', p.version, 'request_id', r.id, 'reason', r.reason)`,
    decline_body: sql`'{}'::jsonb`,
  });
}

export const waitingCloses = (): Sql => waitingPeriods('closed', 'period_close', 'Close');
export const waitingReopens = (): Sql => waitingPeriods('open', 'period_reopen', 'Reopen');

/** Drafts of closing entries: their author does not post them. */
export const waitingClosingEntries = (): Sql => waitingRows('closing_entry', {
  from: sql`from transactions t join divisions d on d.code = t.division
    where t.kind = 'year_end_close' and t.status = 'draft' and t.deleted_at is null`,
  entity_id: sql`t.id`, division: sql`t.division`,
  title: sql`'Closing entry of ' || extract(year from t.transaction_at)`,
  detail: sql`concat_ws(' · ', t.division, t.description)`, currency: sql`d.functional_currency`,
  amount_minor: sql`(select abs(coalesce(sum(e.base_amount_minor), 0)) from journal_entries e join ledger_accounts a
    on a.id = e.ledger_account_id and a.system_key = 'retained_earnings' where e.transaction_id = t.id)`,
  asked_by_id: sql`t.created_by`, asked_at: sql`t.created_at`,
  href: sql`'/admin/accounting/transactions/' || t.id || '/journal-entries'`,
  params: sql`jsonb_build_object('id', t.id)`, approve_body: sql`jsonb_build_object('version', t.version)`,
  decline_body: sql`'{}'::jsonb`,
});

export const waitingLocks = (): Sql => waitingRows('lock_date', {
  from: sql`from lock_requests r where true`,
  entity_id: sql`r.id`, division: sql`r.division`,
  title: sql`case when r.locked_through is null then 'Lift lock: ' else 'Lock date: ' end
    || (${JSON.stringify(LOCK_LABELS)}::jsonb ->> r.sub_ledger::text)`,
  detail: sql`concat_ws(' · ', r.division, 'through ' || to_char(r.locked_through, 'Mon FMDD, YYYY'),
    nullif(r.reason, ''))`,
  asked_by_id: sql`r.requested_by`, asked_at: sql`r.created_at`,
  href: sql`'/admin/accounting/locks?division=' || r.division`,
  params: sql`jsonb_build_object('id', r.id)`,
  approve_body: sql`jsonb_build_object('division', r.division, 'request_id', r.id, 'reason', r.reason,
    r.sub_ledger || '_through', r.locked_through)`,
  decline_body: sql`'{}'::jsonb`,
});
