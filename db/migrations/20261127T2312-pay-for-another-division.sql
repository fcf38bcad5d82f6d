-- A division that pays a bill of another one is owed the money, and the vendor is owed that much less (accounting.md
-- event 27): the entry names the bill, and its posting makes the payment that settles it.
alter table intercompany_entries add column vendor_id bigint references vendors (id),
  add column bill_id bigint references bills (id);
alter table intercompany_entries add constraint intercompany_entries_bill
  check (num_nonnulls(vendor_id, bill_id) in (0, 2) and (bill_id is null or kind = 'charge' and customer_id is null));
create index intercompany_entries_vendor_id on intercompany_entries (vendor_id) where vendor_id is not null;
create index intercompany_entries_bill_id on intercompany_entries (bill_id) where bill_id is not null;
comment on column intercompany_entries.vendor_id is 'Vendor of the bill.';
comment on column intercompany_entries.bill_id is 'Bill of the debtor that the creditor paid; the debtor''s account is
  then accounts payable. Null: no bill.';

create or replace function tg_intercompany_entries() returns trigger language plpgsql
  set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (old.status not in ('waiting', 'posted') or old.status = 'posted'
      and new.status <> 'reversed' or (new.kind, new.dated_on, new.currency, new.amount_minor, new.creditor,
        new.creditor_account_id, new.debtor, new.debtor_account_id, new.customer_id, new.vendor_id, new.bill_id)
        is distinct from (old.kind, old.dated_on, old.currency, old.amount_minor, old.creditor,
        old.creditor_account_id, old.debtor, old.debtor_account_id, old.customer_id, old.vendor_id, old.bill_id)) then
    raise exception 'entry % between divisions is not changed', old.number using errcode = '23514',
      constraint = 'intercompany_entries_decided';
  end if;
  if new.bill_id is not null and not exists (
      select 1 from bills b join ledger_accounts a on a.id = new.debtor_account_id and a.system_key = 'ap'
      where b.id = new.bill_id and b.kind = 'bill' and b.vendor_id = new.vendor_id and b.division = new.debtor
        and b.currency = new.currency) then
    raise exception 'entry % pays no bill of its debtor', new.number using errcode = '23514',
      constraint = 'intercompany_entries_bill_of_debtor';
  end if;
  if new.status in ('posted', 'reversed') and not exists (
      select 1 from transactions c join transactions d on d.intercompany_group_id = c.intercompany_group_id
      where c.id = new.creditor_transaction_id and d.id = new.debtor_transaction_id and c.division = new.creditor
        and d.division = new.debtor and c.kind = 'intercompany' and d.kind = 'intercompany'
        and c.status = new.status and d.status = new.status and c.transaction_at = new.dated_on
        and d.transaction_at = new.dated_on) then
    raise exception 'entry % between divisions has a posting in each', new.number using errcode = '23514',
      constraint = 'intercompany_entries_posting';
  end if;
  if new.bill_id is not null and new.status in ('posted', 'reversed') and not exists (
      select 1 from payments p where p.transaction_id = new.debtor_transaction_id and p.direction = 'out'
        and p.amount_minor = new.amount_minor
        and p.status = case new.status when 'posted' then 'cleared' else 'reversed' end) then
    raise exception 'entry % between divisions has a payment of its bill', new.number using errcode = '23514',
      constraint = 'intercompany_entries_payment';
  end if;
  if new.status = 'reversed' and (select count(*) from transactions t where (t.id, t.reverses_id) in (
      (new.creditor_reversal_id, new.creditor_transaction_id), (new.debtor_reversal_id, new.debtor_transaction_id)))
      <> 2 then
    raise exception 'entry % between divisions is reversed in both', new.number using errcode = '23514',
      constraint = 'intercompany_entries_reversal';
  end if;
  return new;
end $$;
