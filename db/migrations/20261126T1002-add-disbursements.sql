-- Money out: what a payment settles, payment runs, and the reservation that keeps anything from being paid twice.

create sequence payment_run_numbers;
grant usage on sequence payment_run_numbers to app_rw;

create or replace function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' when 'deposit_slip' then 'DS' when 'payment_run' then 'PR' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

insert into ledger_accounts (division, ledger_header_id, code, name, class, is_cash, is_monetary, is_tax, allow_manual,
  cash_flow_class, system_key)
select a.division, a.ledger_header_id, '7080', 'Discounts taken', 'expense', false, false, false, true, 'operating',
  'discounts_taken'
from ledger_accounts a where a.system_key = 'small_differences'
  and not exists (select 1 from ledger_accounts x where x.division = a.division and x.code = '7080');

create table payment_runs (
  id bigint generated always as identity primary key,
  number text not null unique,
  division text not null,
  currency currency_code not null,
  bank_account_id bigint not null,
  method text not null check (method in ('ach', 'sepa', 'bacs', 'wire', 'check')),
  due_by date not null,
  value_on date not null,
  value_moved text,
  same_day boolean not null default false,
  status text not null default 'draft' check (status in ('draft', 'approved', 'exported', 'posted', 'void')),
  memo text not null default '',
  created_by_id bigint references users (id),
  last_changed_by_id bigint references users (id),
  last_changed_at timestamptz,
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  approved_hash text,
  exported_by_id bigint references users (id),
  exported_at timestamptz,
  file_id bigint references files (id),
  file_sha256 text,
  file_name text,
  posted_at timestamptz,
  failure text,
  void_reason text,
  search_text text not null generated always as (search_words(number, memo)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (bank_account_id, division, currency) references bank_accounts (id, division, currency),
  check ((approved_at is null) = (approved_hash is null)),
  check (status not in ('approved', 'exported', 'posted') or approved_at is not null),
  check (status <> 'draft' or approved_at is null),
  check ((file_id is null) = (file_sha256 is null)),
  check ((status = 'posted') <= (posted_at is not null)),
  check ((status = 'void') = (void_reason is not null)),
  constraint payment_runs_four_eyes check (approved_by_id is null
    or (approved_by_id is distinct from created_by_id and approved_by_id is distinct from last_changed_by_id))
);
comment on table payment_runs is 'Payments that leave a bank account together, by one method, on one day.';
comment on column payment_runs.due_by is 'Items due by this day are proposed.';
comment on column payment_runs.value_moved is
  'Reason why the value date is another one than the day that was asked for.';
comment on column payment_runs.approved_hash is
  'Hash of the payees, their bank details and amounts as they were approved.';
comment on column payment_runs.file_sha256 is 'Hash of the file for the bank; the file is never written again.';
create index payment_runs_account on payment_runs (bank_account_id);
create index payment_runs_list on payment_runs (created_at desc, id desc);
create index payment_runs_division on payment_runs (division, status, value_on desc, id desc);
create index payment_runs_file on payment_runs (file_id) where file_id is not null;
create index payment_runs_search on payment_runs using gin (search_text gin_trgm_ops);
create index payment_runs_number_start on payment_runs (lower(number) text_pattern_ops);
create index payment_runs_maker on payment_runs (created_by_id);
create index payment_runs_changer on payment_runs (last_changed_by_id);
create index payment_runs_approver on payment_runs (approved_by_id);
create index payment_runs_exporter on payment_runs (exported_by_id);
grant select, insert, update on payment_runs to app_rw;
call maintain_updated_at('payment_runs');

alter table payments add column vendor_id bigint
  generated always as (case when party_type = 'vendor' then party_id end) stored references vendors (id);
alter table payments add column payment_run_id bigint references payment_runs (id);
alter table payments add column last_changed_by_id bigint references users (id);
alter table payments add column payee_version integer;
alter table payments add column payee_last4 text;
alter table payments add column outcome text check (outcome in ('settled', 'rejected', 'cancelled'));
alter table payments add column outcome_on date;
alter table payments add column bank_reference text not null default '';
alter table payments add constraint payments_changer check (approved_by_id is null or direction = 'in'
  or approved_by_id is distinct from last_changed_by_id or last_changed_by_id is null);
alter table payments add constraint payments_run check (payment_run_id is null
  or (direction = 'out' and royalty_payment_batch_id is null));
comment on column payments.payee_version is
  'Version of the payee''s bank details that was approved: the file carries those.';
comment on column payments.outcome is 'The answer of the bank, or a cancellation; null: none yet.';
comment on column payments.bank_reference is 'Id under which the bank''s answer names the payment.';
create index payments_vendor on payments (vendor_id, paid_on desc, id desc) where vendor_id is not null;
create index payments_run on payments (payment_run_id, id) where payment_run_id is not null;
create index payments_changer on payments (last_changed_by_id) where last_changed_by_id is not null;

-- A posted payment keeps its figures; it is returned or reversed, never edited.
create or replace function guard_payment() returns trigger
language plpgsql as $$
declare
  free text[] := array['status', 'applied_minor', 'transaction_id', 'reversal_transaction_id', 'reversal_reason',
    'returned_on', 'value_on', 'memo', 'version', 'updated_at', 'unapplied_minor', 'customer_id', 'royaltor_id',
    'vendor_id', 'outcome', 'outcome_on', 'bank_reference'];
begin
  if old.posted_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % is posted: reverse it', old.number using errcode = '23514';
  end if;
  if old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'payment %: its posting stays', old.number using errcode = '23514';
  end if;
  return new;
end $$;

create table payment_parts (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  open_item_id bigint not null references open_items (id),
  amount_minor minor_amount not null check (amount_minor <> 0),
  discount_minor minor_amount not null default 0 check (discount_minor >= 0),
  state text not null default 'reserved' check (state in ('reserved', 'paid', 'released')),
  live boolean not null generated always as (state = 'reserved') stored,
  created_at timestamptz not null default now(),
  check (discount_minor = 0 or amount_minor > 0)
);
comment on table payment_parts is
  'What a payment settles: open items on accounts payable, with the discount taken. A credit of the payee that is '
  'set off has a negative amount.';
comment on column payment_parts.state is
  'Reserved until the payment is posted; released when it is withdrawn, returned or reversed.';
create unique index payment_parts_item on payment_parts (payment_id, open_item_id) where state <> 'released';
create index payment_parts_live on payment_parts (open_item_id) where state = 'reserved';
create index payment_parts_of_item on payment_parts (open_item_id);
create index payment_parts_payment on payment_parts (payment_id, id);
grant select, insert on payment_parts to app_rw;
grant update (state) on payment_parts to app_rw;

create table disbursement_allocations (
  allocation_id bigint primary key references allocations (id),
  payment_id bigint not null references payments (id),
  created_at timestamptz not null default now()
);
comment on table disbursement_allocations is 'Applications in the ledger that the posting of a payment made.';
create index disbursement_allocations_payment on disbursement_allocations (payment_id);
grant select, insert on disbursement_allocations to app_rw;
call make_append_only('disbursement_allocations');

-- Locks open items in one order, so that two people who choose the same ones wait for each other.
create function lock_payable_items(p_ids bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from open_items where id = any (p_ids) order by id for update;
end $$;
revoke all on function lock_payable_items(bigint[]) from public;
grant execute on function lock_payable_items(bigint[]) to app_rw;

-- An item of accounts payable is never promised to more payments than is open on it.
create function tg_reserved_item() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  item bigint;
  reserved bigint;
  i open_items;
begin
  if tg_table_name = 'payment_parts' then
    item := (to_jsonb(new) ->> 'open_item_id')::bigint;
    perform 1 from open_items where id = item for update;
  else
    item := (to_jsonb(new) ->> 'id')::bigint;
  end if;
  select coalesce(sum(abs(p.amount_minor) + p.discount_minor), 0) into reserved
    from payment_parts p where p.open_item_id = item and p.state = 'reserved';
  if reserved = 0 then return null; end if;
  select * into i from open_items where id = item;
  if reserved > abs(i.open_minor) then
    raise exception 'open item %: % reserved for payments, % open', item, reserved, abs(i.open_minor)
      using errcode = '23514', constraint = 'payment_parts_reserved';
  end if;
  return null;
end $$;
revoke all on function tg_reserved_item() from public;
create constraint trigger payment_parts_reserved after insert or update of state on payment_parts
  deferrable initially deferred for each row when (new.state = 'reserved') execute function tg_reserved_item();
create constraint trigger open_items_reserved after update of open_minor on open_items
  deferrable initially deferred for each row when (abs(new.open_minor) < abs(old.open_minor))
  execute function tg_reserved_item();

-- A part pays what is owed to its payee, or sets off what the payee owes, of the same division and currency.
create function tg_payment_part() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from payments p join open_items i on i.id = new.open_item_id
      join ledger_accounts a on a.id = i.ledger_account_id
      where p.id = new.payment_id and p.direction = 'out' and i.division = p.division and i.currency = p.currency
        and i.party_type = p.party_type and i.party_id = p.party_id and a.system_key = 'ap'
        and sign(new.amount_minor) = -sign(i.original_minor)) then
    raise exception 'payment %: item % is not owed to its payee', new.payment_id, new.open_item_id
      using errcode = '23514', constraint = 'payment_parts_payee';
  end if;
  return new;
end $$;
revoke all on function tg_payment_part() from public;
create trigger payment_part_payee before insert on payment_parts for each row execute function tg_payment_part();

-- A payment is the sum of its parts.
create function tg_payment_sum() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payment bigint := case tg_table_name when 'payments' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'payment_id')::bigint end;
begin
  if exists (select 1 from payments p where p.id = payment and p.status in ('draft', 'approved', 'posted', 'cleared')
      and p.deleted_at is null
      and exists (select 1 from payment_parts x where x.payment_id = p.id)
      and p.amount_minor <> (select coalesce(sum(x.amount_minor), 0) from payment_parts x
        where x.payment_id = p.id and x.state = case when p.posted_at is null then 'reserved' else 'paid' end)) then
    raise exception 'payment %: its amount is not the sum of its parts', payment
      using errcode = '23514', constraint = 'payment_parts_sum';
  end if;
  return null;
end $$;
revoke all on function tg_payment_sum() from public;
create constraint trigger payment_parts_sum after insert or update of state on payment_parts
  deferrable initially deferred for each row execute function tg_payment_sum();
create constraint trigger payments_sum after update of amount_minor, status on payments
  deferrable initially deferred for each row when (new.direction = 'out') execute function tg_payment_sum();

-- What the house owes on accounts payable, and how much of it is free for another payment. A refund that waits keeps
-- the item it was made for.
create view payable_items as
  select i.id, i.transaction_id, i.division, i.party_type, i.party_id, i.currency, i.document_type, i.document_id,
    i.opened_on, i.due_date, -i.original_minor as original_minor, -i.open_minor as open_minor,
    coalesce(r.reserved_minor, 0)::bigint as reserved_minor, w.id as refund_id,
    case when w.id is not null then 0
      else (-i.open_minor - sign(-i.open_minor) * coalesce(r.reserved_minor, 0))::bigint end as free_minor
  from open_items i join ledger_accounts a on a.id = i.ledger_account_id and a.system_key = 'ap'
    left join lateral (select sum(abs(p.amount_minor) + p.discount_minor) as reserved_minor from payment_parts p
      where p.open_item_id = i.id and p.state = 'reserved') r on true
    left join lateral (select p.id from transactions t join payments p on p.id = t.source_id
      where t.id = i.transaction_id and t.source_type = 'payment' and t.source_event = 'refund_due'
        and p.status in ('draft', 'approved') and p.deleted_at is null) w on true
  where i.open_minor <> 0;
comment on view payable_items is
  'Open items of accounts payable; above zero is owed by the house. free_minor is what no payment reserves.';
grant select on payable_items to app_rw;

-- A match with a line of the bank settles a payment; undoing the match takes that back. Nothing is posted.
create function tg_settle_payment() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  settled date;
begin
  if new.active then
    select max(t.booked_on) into settled from bank_match_lines m join bank_transactions t
      on t.id = m.bank_transaction_id where m.bank_match_id = new.bank_match_id;
    update payments p set status = 'cleared', outcome = 'settled', outcome_on = coalesce(settled, p.paid_on),
      version = p.version + 1
    from journal_entries e where e.id = new.ledger_line_id and p.transaction_id = e.transaction_id
      and p.direction = 'out' and p.status in ('posted', 'cleared');
  else
    update payments p set status = 'posted', outcome = null, outcome_on = null, version = p.version + 1
    from journal_entries e where e.id = new.ledger_line_id and p.transaction_id = e.transaction_id
      and p.direction = 'out' and p.status = 'cleared';
  end if;
  return null;
end $$;
revoke all on function tg_settle_payment() from public;
create constraint trigger bank_match_entries_settle after insert on bank_match_entries
  deferrable initially deferred for each row execute function tg_settle_payment();
create trigger bank_match_entries_unsettle after update of active on bank_match_entries
  for each row when (old.active and not new.active) execute function tg_settle_payment();

create table payment_file_profiles (
  bank_account_id bigint primary key references bank_accounts (id),
  originator_name text not null default '',
  company_id text not null default '',
  destination_routing text not null default '',
  destination_name text not null default '',
  origin_id text not null default '',
  balanced boolean not null default false,
  bic text,
  organization_id text,
  pain_version text not null default '09' check (pain_version in ('03', '09')),
  addresses text not null default 'structured' check (addresses in ('structured', 'hybrid', 'none')),
  one_debit boolean not null default true,
  service_user text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table payment_file_profiles is 'What a bank asks for in the payment files of an account.';
comment on column payment_file_profiles.company_id is 'NACHA: ten characters that the bank gave.';
comment on column payment_file_profiles.service_user is 'BACS: service user number.';
grant select, insert, update on payment_file_profiles to app_rw;
call maintain_updated_at('payment_file_profiles');

create sequence ach_trace_numbers maxvalue 9999999 cycle;
create sequence bacs_serial_numbers maxvalue 999999 cycle;
grant usage on sequence ach_trace_numbers, bacs_serial_numbers to app_rw;
