/** Items waiting for a customer of a division, each with its due date and the start of the wait, in division days. */
import type { ReminderKey } from '#kernel/licensing/reminders.ts';
import { dueReason, type PayByOfLicense } from '#kernel/licensing/pay-by.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import { isDisputed } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { STREAM_DUE_ON, streamOwed } from '../add-ons/streams-owed.server.ts';
import { numbersOf } from '../licenses/license-numbers.server.ts';
import { BILLED_FOR } from '../billed-words.server.ts';

export interface DueReminder {
  division: Division;
  key: ReminderKey;
  entity: 'license' | 'invoice' | 'deposit' | 'box_office_report' | 'amendment';
  id: number;
  license_id: number | null;
  customer_id: number;
  /** Of the offer, the licence or the invoice. */
  number: string;
  title: string;
  due_on: string;
  since: string | null;
  minor: number;
  currency: string;
  statement_email: string | null;
  rep_email: string | null;
  rep_id: number | null;
  /** Box-office reports of the license are scheduled. */
  reports: boolean;
  /** Why it is due on its day; null where nothing is to be paid, or the day needs no reason. */
  due_reason: string | null;
}

/**
 * Rows due within 40 days on either side, of no licence on hold and no invoice in dispute; the schedule decides which
 * of them are reminded.
 */
export async function waiting(ctx: WorkContext, division: Division, today: string): Promise<DueReminder[]> {
  const people = sql`c.statement_email, r.email as rep_email, r.id as rep_id`;
  const from = sql`licenses l join customers c on c.id = l.customer_id join divisions d on d.code = l.division
    left join users r on r.id = l.license_rep_id and r.disabled_at is null`;
  const here = sql`l.division = ${division} and l.deleted_at is null and not l.on_hold`;
  const near = (column: Sql): Sql => sql`(${column}) between ${today}::date - 40 and ${today}::date + 40`;
  const dayOf = (column: Sql): Sql => sql`(${column} at time zone d.timezone)::date`;
  const rows = await ctx.db.query<Omit<DueReminder, 'division' | 'due_reason'> & PayByOfLicense
    & { billed_as: 'invoice' | 'proforma' | null }>(sql`
    select w.*, p.pay_by, p.pay_by_reason, p.pay_by_ships_on, (select i.kind from invoices i
      where w.entity = 'invoice' and i.id = w.id) as billed_as,
      exists (select 1 from box_office_reports b where b.license_id = w.license_id
      and b.status = 'expected') as reports from (
    select 'quote.expiring' as key, 'license' as entity, l.id, l.id as license_id, l.customer_id, l.number,
      l.title_on_license as title, ${dayOf(sql`l.offer_expires_at`)} as due_on,
      ${dayOf(sql`l.offer_sent_at`)} as since, l.grand_total_minor as minor, l.currency, ${people}
    from ${from} where ${here} and l.phase = 'sent' and l.offer_expires_at > ${ctx.now().toISOString()}
      and ${near(dayOf(sql`l.offer_expires_at`))}
    union all
    select 'invoice.due', 'invoice', i.id, i.license_id, i.customer_id, coalesce(i.invoice_number, i.reference),
      coalesce(${BILLED_FOR}, 'your order'), i.due_on, i.issued_on, i.balance_minor, i.currency,
      c.statement_email, r.email, r.id
    from invoices i join customers c on c.id = i.customer_id left join licenses l on l.id = i.license_id
      left join users r on r.id = l.license_rep_id and r.disabled_at is null
    where i.division = ${division} and not coalesce(l.on_hold, false)
      and i.kind in ('invoice', 'proforma') and i.balance_minor > 0
      and i.status in ('proforma', 'issued', 'part_paid') and ${near(sql`i.due_on`)}
      and not ${isDisputed(sql`i.id`)}
    union all
    select 'invoice.due', 'deposit', q.id, l.id, l.customer_id, 'The deposit for ' || ${numbersOf(sql`l`)},
      l.title_on_license, q.due_on, ${dayOf(sql`q.created_at`)}, q.amount_minor, q.currency, ${people}
    from ${from} join deposits q on q.license_id = l.id
    where ${here} and l.phase in ('accepted', 'licensed', 'in_production', 'settlement') and q.status = 'requested'
      and ${near(sql`q.due_on`)}
    union all
    select 'box_office.due', 'box_office_report', b.id, l.id, l.customer_id, ${numbersOf(sql`l`)},
      l.title_on_license, b.due_on, b.period_to, 0, l.currency, ${people}
    from box_office_reports b join licenses l on l.id = b.license_id join customers c on c.id = l.customer_id
      left join users r on r.id = l.license_rep_id and r.disabled_at is null
    where ${here} and b.status = 'expected' and b.submitted_at is null and ${near(sql`b.due_on`)}
      and l.phase in ('licensed', 'in_production', 'settlement')
    union all
    select 'stream.due', 'license', l.id, l.id, l.customer_id, ${numbersOf(sql`l`)},
      l.title_on_license, ${STREAM_DUE_ON}, l.last_performance_on, 0, l.currency, ${people}
    from ${from} left join license_terms lt on lt.license_id = l.id
    where ${here} and l.phase in ('licensed', 'in_production', 'settlement') and ${near(STREAM_DUE_ON)}
      and ${streamOwed(sql`l.id`)}
    union all
    select 'contract.signature_request', 'amendment', a.id, l.id, l.customer_id,
      ${numbersOf(sql`l`)}, l.title_on_license, ${dayOf(sql`a.decided_at`)}, null, 0, l.currency,
      ${people}
    from ${from} join license_versions v on v.license_id = l.id and v.version_no = l.offer_version
      join license_amendments a on a.license_version_id = v.id
    where ${here} and l.phase in ('licensed', 'in_production', 'settlement') and ${near(dayOf(sql`a.decided_at`))}
      and not exists (select 1 from signatures s where s.license_version_id = v.id and s.voided_at is null)
    union all
    select 'performance.opening_soon', 'license', l.id, l.id, l.customer_id, ${numbersOf(sql`l`)}, l.title_on_license,
      l.first_performance_on, ${dayOf(sql`l.executed_at`)}, 0, l.currency, ${people}
    from ${from} where ${here} and l.phase = 'licensed' and l.first_performance_on > ${today}
      and ${near(sql`l.first_performance_on`)}
    ) w left join licenses p on p.id = w.license_id order by 1, 3`);
  return rows.map((row) => ({ ...row, division, due_reason: row.key !== 'invoice.due' ? null
    : dueReason({ ...row, kind: row.billed_as ?? 'deposit', issued_on: row.since }, documentLanguage(division)) }));
}
