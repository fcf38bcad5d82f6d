-- A division that collects for another one owes it, and the customer owes that one less (accounting.md event 27): the
-- entry names the customer whose account its posting credits.
alter table intercompany_entries add column customer_id bigint references customers (id);
alter table intercompany_entries add constraint intercompany_entries_customer
  check (customer_id is null or kind = 'charge');
create index intercompany_entries_customer_id on intercompany_entries (customer_id) where customer_id is not null;
comment on column intercompany_entries.customer_id is 'Customer whose money the other division took in; the creditor''s
  account is then accounts receivable. Null: no customer.';

create or replace function tg_intercompany_entries() returns trigger language plpgsql
  set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (old.status not in ('waiting', 'posted') or old.status = 'posted'
      and new.status <> 'reversed' or (new.kind, new.dated_on, new.currency, new.amount_minor, new.creditor,
        new.creditor_account_id, new.debtor, new.debtor_account_id, new.customer_id) is distinct from (old.kind,
        old.dated_on, old.currency, old.amount_minor, old.creditor, old.creditor_account_id, old.debtor,
        old.debtor_account_id, old.customer_id)) then
    raise exception 'entry % between divisions is not changed', old.number using errcode = '23514',
      constraint = 'intercompany_entries_decided';
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
  if new.status = 'reversed' and (select count(*) from transactions t where (t.id, t.reverses_id) in (
      (new.creditor_reversal_id, new.creditor_transaction_id), (new.debtor_reversal_id, new.debtor_transaction_id)))
      <> 2 then
    raise exception 'entry % between divisions is reversed in both', new.number using errcode = '23514',
      constraint = 'intercompany_entries_reversal';
  end if;
  return new;
end $$;
