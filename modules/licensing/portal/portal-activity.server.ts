/** Activity of a customer, newest first: productions, money, perusals, parcels, reports, documents, messages. */
import { spell } from '#kernel/text/english.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Queryable } from '#server/db.ts';
import { listPage, type Page } from '#server/list.ts';
import { sql, type Sql } from '#server/sql.ts';
import { eventLabel } from '../licenses/phase/event-rows.server.ts';
import type { PortalActivity } from './portal.contract.ts';

/** Steps of a production that customers see; pricing and internal steps stay inside the company. */
const PUBLIC_EVENTS = ['send_offer', 'revise', 'sign', 'expire', 'decline', 'reopen', 'execute', 'void_signature',
  'amend', 'sign_addendum', 'open', 'close_run', 'close', 'cancel', 'cancel_remaining', 'upload_document',
  'request_amendment', 'request_cancellation', 'refuse_request', 'performance_cancelled', 'performance_postponed',
  'postpone', 'order_materials'];

/** Labels of everything that is no step of the phase machine. */
const LABELS: Readonly<Record<string, string>> = {
  payment_in: 'Payment received', payment_out: 'Refund paid', payment_returned: 'Payment returned by the bank',
  invoice: 'Invoice issued', credit_note: 'Credit note issued', proforma: 'Payment request issued',
  perusal_requested: 'Perusal requested', perusal_opened: 'Perusal granted', order_placed: 'Order placed',
  order_shipped: 'Parcel shipped', report_submitted: 'Box office reported', report_accepted: 'Box office accepted',
  document: 'Document issued', message: 'Message',
};

const ofLicense = (customerId: number, license: Sql): Sql => sql`join licenses l on l.id = ${license}
  and l.customer_id = ${customerId} and l.phase <> 'draft'`;

/** Columns: id, kind, event, license_id, record_id, number, title, actor_name, amount_minor, currency, created_at. */
function sources(customer: number): Sql[] {
  return [
    sql`select 'event/' || e.id as id, 'production' as kind, e.event, e.license_id, e.license_id as record_id, l.number,
        l.title_on_license as title, a.first_name || ' ' || a.last_name as actor_name, null::bigint as amount_minor,
        null::text as currency, e.created_at
      from license_events e ${ofLicense(customer, sql`e.license_id`)} left join users a on a.id = e.actor_id
      where e.event = any (${PUBLIC_EVENTS})`,
    sql`select 'payment/' || p.id, 'payment', case when p.direction = 'in' then 'payment_in' else 'payment_out' end,
        p.license_id, p.id, p.number, '', null, p.amount_minor, p.currency, p.posted_at
      from payments p where p.customer_id = ${customer} and p.posted_at is not null`,
    sql`select 'returned/' || p.id, 'payment', 'payment_returned', p.license_id, p.id, p.number, '', null,
        p.amount_minor, p.currency, p.returned_on::timestamptz
      from payments p where p.customer_id = ${customer} and p.returned_on is not null`,
    sql`select 'invoice/' || i.id, 'invoice', case when i.kind in ('credit_note', 'proforma') then i.kind
        else 'invoice' end, i.license_id, i.id, coalesce(i.invoice_number, i.reference, ''), '', null, i.total_minor,
        i.currency, i.created_at
      from invoices i where i.customer_id = ${customer} and i.status <> 'draft'`,
    sql`select 'perusal/' || p.id, 'perusal', 'perusal_requested', null, p.id, p.number, s.title,
        a.first_name || ' ' || a.last_name, null, null, p.created_at
      from perusals p join shows s on s.id = p.show_id left join users a on a.id = p.requested_by_id
      where p.customer_id = ${customer}`,
    sql`select 'opened/' || p.id, 'perusal', 'perusal_opened', null, p.id, p.number, s.title, null, null, null,
        p.approved_at
      from perusals p join shows s on s.id = p.show_id where p.customer_id = ${customer} and p.approved_at is not null`,
    sql`select 'order/' || o.id, 'order', 'order_placed', o.license_id, o.id, o.number, '', null, null, null,
        o.created_at
      from sales_orders o where o.customer_id = ${customer} and o.from_portal`,
    sql`select 'parcel/' || o.id, case when o.from_portal then 'order' else 'parcel' end, 'order_shipped', o.license_id,
        o.id, o.number, coalesce(l.title_on_license, ''), null, null, null, o.shipped_on::timestamptz
      from sales_orders o left join licenses l on l.id = o.license_id
      where o.customer_id = ${customer} and o.shipped_on is not null and (o.from_portal or o.kind = 'license')`,
    sql`select 'report/' || b.id, 'report', 'report_submitted', b.license_id, b.id, l.number, l.title_on_license,
        a.first_name || ' ' || a.last_name, b.gross_minor, b.currency, b.submitted_at
      from box_office_reports b ${ofLicense(customer, sql`b.license_id`)} left join users a on a.id = b.submitted_by_id
      where b.submitted_at is not null`,
    sql`select 'accepted/' || b.id, 'report', 'report_accepted', b.license_id, b.id, l.number, l.title_on_license, null,
        b.gross_minor, b.currency, b.decided_at
      from box_office_reports b ${ofLicense(customer, sql`b.license_id`)}
      where b.status = 'accepted' and b.decided_at is not null`,
    sql`select 'document/' || d.id, 'document', 'document', d.license_id, d.id, d.type, l.title_on_license, null, null,
        null, d.created_at
      from license_documents d ${ofLicense(customer, sql`d.license_id`)}
      where d.origin = 'generate' and not d.internal and d.deleted_at is null and d.status not in ('draft', 'void')`,
    sql`select 'message/' || m.id, 'message', 'message', m.license_id, m.id, l.number, l.title_on_license,
        m.sender_name, null, null, m.created_at
      from thread_messages m ${ofLicense(customer, sql`m.license_id`)}`,
  ];
}

export async function customerActivity(
  db: Queryable, customerId: number, query: ListArgs,
): Promise<Page<PortalActivity>> {
  const [first, ...others] = sources(customerId);
  const all = others.reduce((joined, source) => sql`${joined} union all ${source}`, first!);
  const page = await listPage<PortalActivity>(db, {
    base: sql`(${all}) t`, columns: sql`t.*, '' as event_label`, sorts: { created_at: sql`t.created_at` },
    defaultSort: 'created_at', defaultDirection: 'desc', conditions: [],
  }, query, `/api/customers/${customerId}/activity`);
  return { ...page, data: page.data.map((row) => ({ ...row, event_label: spell(LABELS[row.event] ?? '')
    || eventLabel(row.event) })) };
}
