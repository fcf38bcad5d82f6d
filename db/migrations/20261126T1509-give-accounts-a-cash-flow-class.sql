-- Every account has a class in the cash flows: cash, the result and equity follow from what the account is; other
-- accounts take that of their header until somebody chooses another. Without a default no account has one by accident.

alter table ledger_headers alter column cash_flow_section drop default;
alter table ledger_accounts alter column cash_flow_class drop default;
comment on column ledger_accounts.cash_flow_class is
  'Part of the cash flow statement that changes of the account belong to; "cash" are the accounts whose change it is.';

create function tg_ledger_headers_cash_flow() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.cash_flow_section := coalesce(new.cash_flow_section,
    (select h.cash_flow_section from ledger_headers h where h.id = new.parent_id),
    case new.class when 'equity' then 'financing' else 'operating' end);
  return new;
end $$;
revoke all on function tg_ledger_headers_cash_flow() from public;
create trigger ledger_headers_cash_flow before insert on ledger_headers
  for each row execute function tg_ledger_headers_cash_flow();

create function tg_ledger_accounts_cash_flow() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  header text := (select h.cash_flow_section from ledger_headers h where h.id = new.ledger_header_id);
begin
  if tg_op = 'INSERT' and header = 'cash' then
    new.is_cash := true;
  end if;
  new.cash_flow_class := case when new.is_cash then 'cash' when new.class = 'equity' then 'financing'
    when new.class in ('income', 'expense') then 'operating'
    else coalesce(nullif(new.cash_flow_class, 'cash'), nullif(old.cash_flow_class, 'cash'), nullif(header, 'cash'),
      'operating') end;
  return new;
end $$;
revoke all on function tg_ledger_accounts_cash_flow() from public;
create trigger ledger_accounts_cash_flow before insert or update of cash_flow_class, is_cash, class on ledger_accounts
  for each row execute function tg_ledger_accounts_cash_flow();

update ledger_headers set cash_flow_section = 'financing' where class = 'equity' and cash_flow_section <> 'financing';
update ledger_accounts set cash_flow_class = cash_flow_class
where cash_flow_class is distinct from case when is_cash then 'cash' when class = 'equity' then 'financing'
  when class in ('income', 'expense') then 'operating' else cash_flow_class end;
alter table ledger_accounts add constraint ledger_accounts_cash_flow_fits check (
  (class <> 'equity' or cash_flow_class = 'financing')
  and (class not in ('income', 'expense') or cash_flow_class = 'operating'));
