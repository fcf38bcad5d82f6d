/** Statement runs, statements, corrections and payment batches that wait for a second person. */
import { isDeclined, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';

const SALES = '/admin/sales-and-royalties';
const byVersion = (alias: Sql): Sql => sql`jsonb_build_object('version', ${alias}.version)`;
const span = (alias: Sql): Sql => sql`to_char(${alias}.period_from, 'Mon FMDD, YYYY') || ' to '
  || to_char(${alias}.period_to, 'Mon FMDD, YYYY')`;
/** A run that is being worked in the background is decided when that has ended. */
const runWaits = sql`r.status = 'calculated' and r.work is null`;

/** Runs that wait for approval; nobody who calculated one of a run's statements may approve it. */
export const waitingRuns = (): Sql => waitingRows('statement_run', {
  from: sql`from royalty_statement_runs r where ${runWaits}
    and exists (select 1 from royalty_statements m where m.royalty_statement_run_id = r.id
      and m.status = 'calculated')
    and not ${isDeclined('royalty_statement_run', sql`r.id`, sql`r.version`)}`,
  entity_id: sql`r.id`, division: sql`r.division`,
  title: sql`r.statement_count || case r.statement_count when 1 then ' royalty statement'
    else ' royalty statements' end`, detail: span(sql`r`),
  currency: sql`r.currency`, amount_minor: sql`r.pay_minor`,
  asked_by_id: sql`r.calculated_by_id`, asked_at: sql`r.calculated_at`,
  barred_ids: sql`array(select m.calculated_by_id from royalty_statements m where m.royalty_statement_run_id = r.id
    and m.status = 'calculated' and m.calculated_by_id is not null)`,
  href: sql`${`${SALES}/statement-runs/`} || r.id`,
  params: sql`jsonb_build_object('id', r.id)`, approve_body: byVersion(sql`r`), decline_body: byVersion(sql`r`),
});

/** One by one where their run does not wait as a whole, or was declined. */
export const waitingStatements = (): Sql => waitingRows('statement', {
  from: sql`from royalty_statements m join royaltors p on p.id = m.royaltor_id
    where m.status = 'calculated' and not exists (select 1 from royalty_statement_runs r
      where r.id = m.royalty_statement_run_id and (r.status = 'calculated' or r.work is not null))`,
  entity_id: sql`m.id`, division: sql`m.division`,
  title: sql`'Royalty statement: ' || p.name`, detail: span(sql`m`),
  currency: sql`m.currency`, amount_minor: sql`m.payable_minor`,
  asked_by_id: sql`m.calculated_by_id`, asked_at: sql`m.updated_at`,
  href: sql`${`${SALES}/statements/`} || m.id`,
  params: sql`jsonb_build_object('id', m.id)`, approve_body: byVersion(sql`m`), decline_body: byVersion(sql`m`),
});

export const waitingCorrections = (): Sql => waitingRows('correction', {
  from: sql`from royalty_adjustments a join show_royaltors g on g.id = a.show_royaltor_id
      join royaltors p on p.id = g.royaltor_id join shows s on s.id = g.show_id
    where a.approved_by_id is null and a.statement_id is null and a.royalty_advance_id is null
      and not ${isDeclined('royalty_adjustment', sql`a.id`, sql`1`)}`,
  entity_id: sql`a.id`, division: sql`a.division`,
  title: sql`'Correction: ' || p.name`, detail: sql`s.title || ' · ' || a.reason`,
  currency: sql`a.currency`, amount_minor: sql`a.amount_minor`,
  asked_by_id: sql`a.created_by_id`, asked_at: sql`a.created_at`,
  href: sql`${`${SALES}/corrections?show_royaltor_id=`} || a.show_royaltor_id`,
  params: sql`jsonb_build_object('id', a.id)`, approve_body: sql`'{}'::jsonb`, decline_body: sql`'{}'::jsonb`,
});

/** A batch in a general run is approved with the run. */
export const waitingBatches = (): Sql => waitingRows('payment_batch', {
  from: sql`from royalty_payment_batches b where b.status = 'draft' and not exists (select 1 from payment_runs n
    where n.royalty_payment_batch_id = b.id and n.number <> b.number)`,
  entity_id: sql`b.id`, division: sql`b.division`,
  title: sql`'Payment batch ' || b.number`,
  detail: sql`concat_ws(' · ', b.payment_count || case b.payment_count when 1 then ' payment' else ' payments' end,
    'pay on ' || to_char(b.pay_on, 'Mon FMDD, YYYY'))`,
  currency: sql`b.currency`, amount_minor: sql`b.total_minor`,
  asked_by_id: sql`b.created_by_id`, asked_at: sql`b.created_at`,
  href: sql`'/admin/accounts-payable/royalty-payments/' || b.id`,
  params: sql`jsonb_build_object('id', b.id)`, approve_body: byVersion(sql`b`), decline_body: byVersion(sql`b`),
});
