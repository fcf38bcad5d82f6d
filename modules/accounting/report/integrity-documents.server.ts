/**
 * Invariants between documents and the ledger: what a document says is open is what its item has open, and its posting
 * stands as long as the document does. Each row names the document with both figures. Royalty documents have theirs
 * beside the royalties.
 */
import { spell } from '#kernel/text/english.ts';
import { sql } from '#server/sql.ts';
import type { Invariant } from './integrity-types.ts';

export const DOCUMENT_INVARIANTS: readonly Invariant[] = [
  {
    key: 'invoice_open', title: 'An invoice’s open amount equals that of its open item.',
    violations: sql`
      select i.division, 'invoice' as document, i.id, i.invoice_number as number,
        i.balance_minor::bigint as document_open_minor, coalesce(o.open_minor, 0) as ledger_open_minor
      from invoices i left join open_items o on o.id = i.open_item_id
      where i.kind = 'invoice' and i.invoice_number is not null and i.balance_minor <> coalesce(o.open_minor, 0)`,
  },
  {
    key: 'credit_note_open', title: 'A credit note’s remaining credit equals that of its open item.',
    violations: sql`
      select n.division, 'credit_note' as document, n.id, n.invoice_number as number,
        (n.balance_minor + coalesce(p.left_over, 0))::bigint as document_open_minor,
        -coalesce(o.open_minor, 0)::bigint as ledger_open_minor
      from invoices n
        left join lateral (select sum(i.open_minor) as open_minor from open_items i
          join ledger_accounts a on a.id = i.ledger_account_id and a.system_key = 'ar'
          where i.transaction_id = n.transaction_id) o on true
        left join lateral (select sum(c.unapplied_minor) as left_over from payments c
          where c.transaction_id = n.transaction_id and c.kind = 'credit'
            and c.status in ('posted', 'cleared')) p on true
      where n.kind = 'credit_note' and n.invoice_number is not null
        and n.balance_minor + coalesce(p.left_over, 0) <> -coalesce(o.open_minor, 0)`,
  },
  {
    key: 'receipt_open', title: 'A receipt’s amount on account equals that of its open items.',
    violations: sql`
      select p.division, 'receipt' as document, p.id, p.number,
        case when p.status in ('posted', 'cleared') then p.unapplied_minor else 0 end::bigint as document_open_minor,
        -coalesce(o.open_minor, 0)::bigint as ledger_open_minor
      from payments p left join lateral (
        select sum(i.open_minor) as open_minor from open_items i
          join ledger_accounts a on a.id = i.ledger_account_id and a.system_key = 'ar'
        where i.transaction_id = p.transaction_id) o on true
      where p.kind = 'receipt' and p.posted_at is not null
        and case when p.status in ('posted', 'cleared') then p.unapplied_minor else 0 end
          <> -coalesce(o.open_minor, 0)`,
  },
  {
    key: 'deposit_open', title: 'A deposit’s held amount equals that of its open item.',
    violations: sql`
      select d.division, 'deposit' as document, d.id, l.license_number as number,
        case when d.status = 'held' then d.remaining_minor else 0 end::bigint as document_open_minor,
        -coalesce(o.open_minor, 0)::bigint as ledger_open_minor
      from deposits d join licenses l on l.id = d.license_id left join lateral (
        select sum(i.open_minor) as open_minor from open_items i
          join ledger_accounts a on a.id = i.ledger_account_id and a.system_key = 'deposits'
        where i.transaction_id = d.transaction_id) o on true
      where d.kind = 'security'
        and case when d.status = 'held' then d.remaining_minor else 0 end <> -coalesce(o.open_minor, 0)`,
  },
  {
    key: 'prepayment_open',
    title: spell`Money held on account for a license, net of tax, equals the balance of its prepayments.`,
    // The tax of what was used is the rounded part of the whole, as it was posted: domain.md 2.7.
    violations: sql`
      select coalesce(d.division, e.division) as division, 'deposit' as document,
        coalesce(d.license_id, e.license_id) as id, l.license_number as number,
        coalesce(d.held, 0)::bigint as document_open_minor, coalesce(e.held, 0)::bigint as ledger_open_minor
      from (
        select license_id, division, currency, sum(net_minor - (amount_minor - remaining_minor)
          + round(vat_minor::numeric * (amount_minor - remaining_minor) / amount_minor)) as held
        from deposits where kind = 'on_account' and status in ('held', 'settled') group by 1, 2, 3) d
      full join (
        select e.license_id, e.division, e.currency, -sum(e.amount_minor) as held
        from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'prepayments'
        where e.license_id is not null group by 1, 2, 3) e
        on (e.license_id, e.division, e.currency) = (d.license_id, d.division, d.currency)
      left join licenses l on l.id = coalesce(d.license_id, e.license_id)
      where coalesce(d.held, 0) <> coalesce(e.held, 0)`,
  },
  {
    key: 'refund_open', title: 'A refund that has not been paid is what its item on payables has open.',
    violations: sql`
      select r.division, 'refund' as document, r.id, r.number, r.expected::bigint as document_open_minor,
        -r.open_minor as ledger_open_minor
      from (select p.division, p.id, p.number, coalesce(sum(i.open_minor), 0)::bigint as open_minor,
          case when p.status in ('draft', 'approved') then p.amount_minor
            when p.status in ('returned', 'reversed') and max(t.id) is not null
              then p.amount_minor - coalesce(sum(x.paid), 0)
            else 0 end as expected
        from payments p left join transactions t on t.source_type = 'payment' and t.source_id = p.id
            and t.source_event = 'refund_due'
          left join open_items i on i.transaction_id = t.id and i.ledger_account_id in
            (select a.id from ledger_accounts a where a.system_key = 'ap')
          left join lateral (select sum(x.amount_minor + x.discount_minor) as paid from payment_parts x
            where x.open_item_id = i.id and x.state = 'paid') x on true
        where p.kind = 'refund' and not exists (select 1 from payment_parts x where x.payment_id = p.id)
        group by p.id) r
      where r.expected <> -r.open_minor`,
  },
  {
    key: 'vendor_withholding',
    title: 'Tax withheld from payments to vendors equals its postings to Withholding tax payable.',
    violations: sql`
      select p.division, p.id as payment_id, p.number, p.withheld_minor, coalesce(x.posted, 0)::bigint as posted_minor
      from payments p left join lateral (
        select -sum(e.amount_minor) as posted from journal_entries e
          join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'wht_payable'
        where e.transaction_id in (p.transaction_id, p.reversal_transaction_id)) x on true
      where p.kind = 'vendor' and p.posted_at is not null and coalesce(x.posted, 0)
        <> case when p.status in ('posted', 'cleared') then p.withheld_minor else 0 end`,
  },
  {
    key: 'document_postings',
    title: 'A document’s posting stays while the document does and is reversed with it.',
    violations: sql`
      select x.division, x.document, x.id, x.number, x.status as document_status, t.id as transaction_id, t.status
      from (
        select i.division, i.kind as document, i.id, i.invoice_number as number, i.status, i.transaction_id,
          true as stands from invoices i where i.invoice_number is not null
        union all
        select p.division, p.kind, p.id, p.number, p.status, p.transaction_id,
          p.status not in ('returned', 'reversed', 'void') from payments p where p.posted_at is not null
        union all
        select d.division, 'deposit', d.id, l.license_number, d.status, d.transaction_id, true
        from deposits d join licenses l on l.id = d.license_id where d.status in ('held', 'settled')) x
      join transactions t on t.id = x.transaction_id
      where t.status <> case when x.stands then 'posted' else 'reversed' end`,
  },
];
