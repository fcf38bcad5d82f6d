/** Invariants between the ledger and what hangs on it: open items, applications, documents (integrity.server.ts). */
import { sql } from '#server/sql.ts';
import type { Invariant } from './integrity-types.ts';

export const SUB_LEDGER_INVARIANTS: readonly Invariant[] = [
  {
    key: 'control_accounts',
    title: 'The open items of an account, party and currency add up to its balance without revaluation.',
    violations: sql`
      select division, ledger_account_id, party_type, party_id, currency, sum(amount)::bigint as amount_minor,
        sum(base)::bigint as base_minor
      from (
        select i.division, i.ledger_account_id, i.party_type, i.party_id, i.currency, i.open_minor as amount,
          i.open_base_minor as base from open_items i
        union all
        select e.division, e.ledger_account_id, e.party_type, e.party_id, e.currency, -e.amount_minor,
          -e.base_amount_minor
        from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.has_open_items
        where not e.is_revaluation) x
      group by 1, 2, 3, 4, 5 having sum(amount) <> 0 or sum(base) <> 0`,
  },
  {
    key: 'open_items', title: 'An item’s open amount is its amount less applications, between zero and the amount.',
    violations: sql`
      select i.division, i.id as open_item_id, i.original_minor, i.open_minor, coalesce(x.applied,
        0)::bigint as applied_minor
      from open_items i left join (
        select item, sum(amount) as applied, sum(base) as base from (
          select debit_item_id as item, amount_minor as amount, debit_base_minor as base from allocations
          union all select credit_item_id, -amount_minor, -credit_base_minor from allocations) a group by item) x
        on x.item = i.id
      where i.open_minor <> i.original_minor - coalesce(x.applied, 0)
        or i.open_base_minor <> i.original_base_minor - coalesce(x.base, 0)
        or i.open_minor not between least(i.original_minor, 0) and greatest(i.original_minor, 0)`,
  },
  {
    key: 'items_of_lines',
      title: 'Every line with an amount on an account with open items is one item, with the line\'s figures.',
    violations: sql`
      select e.division, e.transaction_id, e.line_no from posted_entries e
        join ledger_accounts a on a.id = e.ledger_account_id and a.has_open_items
        left join open_items i on i.journal_entry_id = e.id
      where e.amount_minor <> 0 and (i.id is null or (i.original_minor, i.original_base_minor, i.party_id, i.currency)
        is distinct from (e.amount_minor, e.base_amount_minor, e.party_id, e.currency))`,
  },
  {
    key: 'allocations',
    title: 'An application joins a debit and a credit of one account, party and currency, taken back once.',
    violations: sql`
      select a.id as allocation_id from allocations a join open_items d on d.id = a.debit_item_id
        join open_items c on c.id = a.credit_item_id
        left join allocations r on r.id = a.reverses_id
      where d.original_minor < 0 or c.original_minor > 0
        or (d.ledger_account_id, d.party_type, d.party_id, d.currency)
          is distinct from (c.ledger_account_id, c.party_type, c.party_id, c.currency)
        or (a.reverses_id is not null and (a.debit_item_id, a.credit_item_id, a.amount_minor)
          is distinct from (r.debit_item_id, r.credit_item_id, -r.amount_minor))`,
  },
  {
    key: 'exchange_differences',
      title: 'A difference in base amount between the two sides of an application is posted.',
    violations: sql`
      select a.id as allocation_id, a.debit_base_minor, a.credit_base_minor, a.fx_transaction_id from allocations a
      where a.debit_base_minor <> a.credit_base_minor and a.fx_transaction_id is null
        or a.debit_base_minor = a.credit_base_minor and a.fx_transaction_id is not null`,
  },
  {
    key: 'invoices',
      title: 'An issued invoice or credit note is in receivables at its total less prepayments.',
    violations: sql`
      select n.division, n.id as invoice_id, n.invoice_number, n.total_minor,
        coalesce(x.ar, 0)::bigint as posted_minor
      from invoices n left join lateral (
        select sum(e.amount_minor) as ar from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
        where e.transaction_id = n.transaction_id and a.system_key = 'ar') x on true
      where n.kind in ('invoice', 'credit_note') and n.invoice_number is not null
        and coalesce(x.ar, 0) <> case n.kind when 'credit_note' then -1 else 1 end
          * (n.total_minor - n.prepaid_net_minor - n.prepaid_tax_minor)`,
  },
];
