-- Deposit slips: checks and cash that wait in Undeposited funds are brought to the bank together. A slip posts one line
-- on the bank account, as the bank books it.

insert into transaction_kinds (kind, name, sub_ledger, currency_may_differ, is_manual, is_revaluation,
  is_year_end_close, moves_bank) values ('bank_deposit', 'Bank deposit', 'bank', false, false, false, false, true);

create sequence deposit_slip_numbers;
grant usage on sequence deposit_slip_numbers to app_rw;

create or replace function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' when 'deposit_slip' then 'DS' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

create table deposit_slips (
  id bigint generated always as identity primary key,
  number text not null unique,
  division text not null,
  bank_account_id bigint not null,
  currency currency_code not null,
  status text not null default 'draft' check (status in ('draft', 'deposited', 'taken_back', 'discarded')),
  holds boolean not null generated always as (status in ('draft', 'deposited')) stored,
  deposited_on date not null,
  memo text not null default '',
  transaction_id bigint references transactions (id),
  reversal_reason text,
  created_by_id bigint references users (id),
  search_text text not null generated always as (search_words(number, memo)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, holds),
  foreign key (bank_account_id, division, currency) references bank_accounts (id, division, currency),
  check ((status in ('deposited', 'taken_back')) = (transaction_id is not null)),
  check ((status = 'taken_back') = (reversal_reason is not null))
);
comment on table deposit_slips is 'Checks and cash that are brought to the bank together.';
comment on column deposit_slips.holds is 'Its receipts are on no other slip.';
comment on column deposit_slips.deposited_on is 'Planned day while it is a draft; the day of its posting afterwards.';
create index deposit_slips_account on deposit_slips (bank_account_id);
create index deposit_slips_list on deposit_slips (deposited_on desc, id desc);
create index deposit_slips_transaction on deposit_slips (transaction_id) where transaction_id is not null;
create index deposit_slips_user on deposit_slips (created_by_id);
create index deposit_slips_search on deposit_slips using gin (search_text gin_trgm_ops);
create index deposit_slips_number_start on deposit_slips (lower(number) text_pattern_ops);
grant select, insert, update on deposit_slips to app_rw;
call maintain_updated_at('deposit_slips');

create table deposit_slip_items (
  deposit_slip_id bigint not null references deposit_slips (id),
  payment_id bigint not null references payments (id),
  holds boolean not null default true,
  primary key (deposit_slip_id, payment_id)
);
comment on table deposit_slip_items is 'Receipts on deposit slips. A receipt is on one slip that holds it at most.';
comment on column deposit_slip_items.holds is 'As its slip, kept by a trigger.';
create unique index deposit_slip_items_once on deposit_slip_items (payment_id) where holds;
create index deposit_slip_items_payment on deposit_slip_items (payment_id);
grant select, insert, delete on deposit_slip_items to app_rw;

-- A receipt is put on a draft while it waits undeposited, in the division and currency of the slip; only a draft loses
-- one.
create function tg_deposit_slip_items_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  slip deposit_slips;
  waits boolean;
begin
  select * into slip from deposit_slips
    where id = case when tg_op = 'DELETE' then old.deposit_slip_id else new.deposit_slip_id end for update;
  if slip.status <> 'draft' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || slip.id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  select p.kind = 'receipt' and p.status in ('posted', 'cleared') and p.division = slip.division
      and p.currency = slip.currency and a.system_key = 'undeposited'
    into waits from payments p join ledger_accounts a on a.id = p.ledger_account_id
    where p.id = new.payment_id for share of p;
  if waits is not true then
    raise exception 'payment % does not wait to be deposited', new.payment_id using errcode = '23514';
  end if;
  new.holds := true;
  return new;
end $$;
create trigger deposit_slip_items_guard before insert or delete on deposit_slip_items
  for each row execute function tg_deposit_slip_items_guard();

-- A slip is deposited once and taken back once. What it posted does not change, and a check that the bank returned
-- keeps it deposited.
create function tg_deposit_slips_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.number <> old.number or new.division <> old.division
    or (old.status <> 'draft' and (new.bank_account_id, new.currency, new.deposited_on, new.transaction_id)
      is distinct from (old.bank_account_id, old.currency, old.deposited_on, old.transaction_id))
    or (new.status <> old.status and not (old.status = 'draft' and new.status in ('deposited', 'discarded'))
      and not (old.status = 'deposited' and new.status = 'taken_back')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || old.id);
  end if;
  if new.status = 'taken_back' and old.status = 'deposited' and exists (select 1 from deposit_slip_items i
      join payments p on p.id = i.payment_id where i.deposit_slip_id = new.id
        and p.status not in ('posted', 'cleared')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || old.id || ' has a returned check');
  end if;
  if new.status = 'taken_back' and old.status = 'deposited' and exists (select 1 from journal_entries e
      join bank_match_entries m on m.ledger_line_id = e.id and m.active
      where e.transaction_id = old.transaction_id) then
    perform ledger_refuse('ACCT_BANK_MATCHED', 'deposit slip ' || old.id);
  end if;
  if (new.currency, new.division) is distinct from (old.currency, old.division) and exists (
      select 1 from deposit_slip_items where deposit_slip_id = new.id) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || old.id || ' has receipts');
  end if;
  return new;
end $$;
create trigger deposit_slips_guard before update on deposit_slips
  for each row execute function tg_deposit_slips_guard();

create function tg_deposit_slips_holds() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update deposit_slip_items set holds = new.holds where deposit_slip_id = new.id and holds <> new.holds;
  return null;
end $$;
create trigger deposit_slips_holds after update of status on deposit_slips
  for each row execute function tg_deposit_slips_holds();

-- Receipts that wait in Undeposited funds, those on a slip that is not deposited yet included.
create view undeposited_receipts as
  select p.id, p.number, p.customer_id, p.division, p.currency, p.amount_minor, p.method, p.paid_on, p.reference,
    p.status, p.ledger_account_id, coalesce(s.status = 'draft', false) as is_on_slip
  from payments p join ledger_accounts a on a.id = p.ledger_account_id and a.system_key = 'undeposited'
    left join deposit_slip_items i on i.payment_id = p.id and i.holds
    left join deposit_slips s on s.id = i.deposit_slip_id
  where p.kind = 'receipt' and p.status in ('posted', 'cleared') and p.deleted_at is null
    and coalesce(s.status, '') <> 'deposited';
grant select on undeposited_receipts to app_rw;

revoke all on function tg_deposit_slip_items_guard(), tg_deposit_slips_guard(), tg_deposit_slips_holds() from public;

create or replace function ledger_document(p_type text, p_id bigint) returns table (kind text, id bigint, number text)
language sql stable as $$
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id,
      coalesce(i.invoice_number, i.reference)
    from invoices i where p_type = 'invoice' and i.id = p_id
  union all
  select case p.kind when 'receipt' then 'receipt' when 'refund' then 'refund' when 'royalty' then 'royalty_payment'
      when 'royalty_advance' then 'royalty_payment' else 'payment' end,
      coalesce(p.royalty_payment_batch_id, p.id), p.number
    from payments p where p_type = 'payment' and p.id = p_id
  union all
  select 'royalty_statement', s.id, s.number from royalty_statements s
    where p_type = 'royalty_statement' and s.id = p_id
  union all
  select 'deposit', l.id, coalesce(l.license_number, l.number) from deposits d join licenses l on l.id = d.license_id
    where p_type = 'deposit' and d.id = p_id
  union all
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id, i.invoice_number
    from invoice_items t join invoices i on i.id = t.invoice_id
    where p_type in ('invoice_item', 'credit_item') and t.id = p_id
  union all
  select 'invoice', i.id, i.invoice_number
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where p_type = 'release_schedule' and r.id = p_id
  union all
  select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'payment_allocation' and a.id = p_id
  union all
  (select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'allocation' and a.ledger_allocation_id = p_id limit 1)
  union all
  select 'license', l.id, coalesce(l.license_number, l.number)
    from invoice_items t join invoices i on i.id = t.invoice_id join licenses l on l.id = i.license_id
    where p_type = 'license_close_item' and t.id = p_id
  union all
  select 'royaltor', r.id, r.name from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where p_type = 'show_royaltor' and g.id = p_id
  union all
  select 'bank_account', b.id, b.name from bank_accounts b where p_type = 'bank_account' and b.id = p_id
  union all
  select 'bank_transfer', t.id, t.number from bank_transfers t where p_type = 'bank_transfer' and t.id = p_id
  union all
  select 'deposit_slip', s.id, s.number from deposit_slips s where p_type = 'deposit_slip' and s.id = p_id
$$;

-- What still needs a bank account, in words; empty: it can be closed.
create or replace function bank_account_uses(p_id bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'a balance' as words where exists (
      select 1 from bank_accounts b join ledger_balances l on l.ledger_account_id = b.ledger_account_id
      where b.id = p_id group by l.currency
      having sum(l.debit_minor - l.credit_minor) <> 0 or sum(l.base_debit_minor - l.base_credit_minor) <> 0)
    union all select 2, 'payments that wait' where exists (
      select 1 from bank_accounts b join payments p on p.ledger_account_id = b.ledger_account_id
      where b.id = p_id and p.status in ('draft', 'approved') and p.deleted_at is null)
    union all select 3, 'transfers in transit' where exists (
      select 1 from bank_transfers t where t.status = 'in_transit' and p_id in (t.from_bank_account_id,
        t.to_bank_account_id))
    union all select 4, 'bank lines that are not matched' where exists (
      select 1 from bank_transactions t where t.bank_account_id = p_id and t.state = 'booked'
        and t.deleted_at is null and not exists (
          select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active))
    union all select 5, 'deposit slips that are not deposited' where exists (
      select 1 from deposit_slips s where s.bank_account_id = p_id and s.status = 'draft')
  ) u
$$;
