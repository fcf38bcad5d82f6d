-- Banks and bank accounts. A bank account has a ledger account of its own, in its currency, and money moves on it only
-- in postings that name the bank account: receipts, payments, transfers, bank entries. What the ledger kept under
-- Bank until now becomes a bank account for each division and currency.

create table banks (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 160),
  country country_code,
  bic text check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  contact_name text,
  email email_address,
  phone text,
  website text,
  notes text not null default '',
  search_text text not null generated always as (search_words(name, bic, contact_name, email, phone)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table banks is 'Banks where the company has accounts.';
create index banks_name on banks (name collate "und-x-icu", id) where deleted_at is null;
create index banks_latest on banks (updated_at desc, id desc) where deleted_at is null;
create index banks_search on banks using gin (search_text gin_trgm_ops);
create index banks_name_start on banks (fold_name(name) text_pattern_ops);
grant select, insert, update on banks to app_rw;

alter table ledger_accounts add column is_bank boolean not null default false;
comment on column ledger_accounts.is_bank is
  'Belongs to a bank account: only kinds of transactions that move bank money post to it.';
alter table ledger_accounts add constraint ledger_accounts_bank
  check (not is_bank or (is_cash and currency is not null and party_types is null and not has_open_items));
alter table ledger_accounts add constraint ledger_accounts_bank_key unique (id, division, currency, is_bank);

create table bank_accounts (
  id bigint generated always as identity primary key,
  bank_id bigint not null references banks (id),
  division text not null references divisions (code),
  currency currency_code not null,
  name text not null check (length(name) between 1 and 120),
  holder text,
  ledger_account_id bigint not null unique,
  is_bank boolean not null generated always as (true) stored,
  bank_account_encrypted bytea,
  bank_routing_encrypted bytea,
  bank_key_id text,
  bank_account_last4 text check (bank_account_last4 ~ '^[0-9A-Z]{1,4}$'),
  number_kind text check (number_kind in ('iban', 'us', 'uk', 'other')),
  is_default boolean not null default false,
  opening_minor minor_amount not null default 0,
  opening_on date,
  opening_transaction_id bigint references transactions (id),
  next_check_number integer check (next_check_number between 1 and 999999999),
  statement_format text check (statement_format in ('ofx', 'qif', 'csv', 'camt', 'mt940', 'bai2')),
  statement_date_order text check (statement_date_order in ('mdy', 'dmy', 'ymd')),
  statement_mapping jsonb check (jsonb_typeof(statement_mapping) = 'object'),
  notes text not null default '',
  closed_on date,
  search_text text not null generated always as (search_words(name, holder, bank_account_last4)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, division, currency),
  foreign key (ledger_account_id, division, currency, is_bank)
    references ledger_accounts (id, division, currency, is_bank),
  check (num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id, number_kind) in (0, 4)),
  check (opening_minor = 0 or opening_on is not null),
  check (closed_on is null or deleted_at is null)
);
comment on table bank_accounts is 'Bank accounts of the divisions, each with a ledger account of its own.';
comment on column bank_accounts.bank_account_encrypted is
  'AES-256-GCM ciphertext under the key named by bank_key_id. Screens show the last four characters only.';
comment on column bank_accounts.is_default is
  'Proposed where money of its division and currency moves. One open account at most for each.';
comment on column bank_accounts.opening_minor is 'Balance on opening_on, in the currency of the account.';
comment on column bank_accounts.statement_mapping is 'How the columns of its CSV statements are read.';
comment on column bank_accounts.closed_on is 'Null while the account is open. A used account is closed, never trashed.';
create unique index bank_accounts_default on bank_accounts (division, currency)
  where is_default and closed_on is null and deleted_at is null;
create unique index bank_accounts_name on bank_accounts (division, lower(name)) where deleted_at is null;
create index bank_accounts_bank on bank_accounts (bank_id);
create index bank_accounts_opening on bank_accounts (opening_transaction_id) where opening_transaction_id is not null;
create index bank_accounts_latest on bank_accounts (updated_at desc, id desc) where deleted_at is null;
create index bank_accounts_search on bank_accounts using gin (search_text gin_trgm_ops);
create index bank_accounts_name_start on bank_accounts (fold_name(name) text_pattern_ops);
grant select, insert, update on bank_accounts to app_rw;

call maintain_updated_at('banks', 'bank_accounts');

-- Kinds of transactions that may post to the ledger account of a bank account.
alter table transaction_kinds add column moves_bank boolean not null default false;
comment on column transaction_kinds.moves_bank is 'May post to the ledger account of a bank account.';
update transaction_kinds set moves_bank = true where sub_ledger = 'bank' or is_revaluation
  or kind in ('opening', 'tax_payment', 'intercompany', 'fx');

-- What is wrong with a line, or null: as before, and a journal by hand keeps off bank accounts.
create or replace function ledger_line_fault(a ledger_accounts, functional text, manual boolean, tax_locked boolean,
  currency text, amount bigint, base bigint, party_type text, tax_code_id bigint) returns text
language sql immutable as $$
  select case
    when a.id is null then 'ACCT_ACCOUNT_UNKNOWN'
    when currency is null or amount is null or base is null then 'ACCT_LINE'
    when manual and a.is_bank then 'ACCT_BANK'
    when not a.active or a.deleted_at is not null then 'ACCT_ACCOUNT_INACTIVE'
    when a.currency <> currency then 'ACCT_ACCOUNT_CURRENCY'
    when currency = functional and amount <> base then 'ACCT_BASE_AMOUNT'
    when a.party_types is not null and (party_type is null or party_type <> all (a.party_types)) then 'ACCT_PARTY'
    when manual and not a.allow_manual then 'ACCT_MANUAL'
    when tax_locked and (a.is_tax or tax_code_id is not null) then 'ACCT_PERIOD_LOCKED'
  end
$$;

-- Last line of defense at COMMIT: as before, and a bank account takes only what moves bank money, while it is open. A
-- posting that read the account as open and waited for its closing is refused here.
create or replace function tg_transactions_commit() returns trigger
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  balanced boolean;
  banked boolean;
  closed boolean;
begin
  if new.status not in ('posted', 'reversed') then return null; end if;
  select sum(e.base_amount_minor) = 0 and count(*) >= 2, bool_or(a.is_bank), bool_or(a.is_bank and not a.active)
    into balanced, banked, closed
    from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = new.id;
  if balanced is not true then
    perform ledger_refuse('ACCT_UNBALANCED', 'transaction ' || new.id || ' at commit');
  end if;
  if banked and new.status = 'posted' then
    if closed then perform ledger_refuse('ACCT_ACCOUNT_INACTIVE', 'transaction ' || new.id || ': bank account'); end if;
    if new.reverses_id is null and not (select moves_bank from transaction_kinds where kind = new.kind) then
      perform ledger_refuse('ACCT_BANK', new.kind || ' of transaction ' || new.id);
    end if;
  end if;
  if new.reverses_id is null and new.status = 'posted' and new.source_attempt = 1
      and new.intercompany_group_id is null then
    return null;
  end if;
  if new.reverses_id is not null or new.status = 'reversed' then perform ledger_check_reversal(new.id); end if;
  if new.source_attempt > 1 then
    perform ledger_check_attempt(new.source_type, new.source_id, new.source_event, new.source_attempt);
  end if;
  if new.intercompany_group_id is not null then perform ledger_check_group(new.intercompany_group_id); end if;
  return null;
end $$;

-- Opens the ledger account of a bank account: the next free code from 1001, below 1050 while there is one; 1010, 1020
-- and 1050 are Undeposited funds, Card clearing and Transfers in transit.
create function open_bank_ledger_account(p_division text, p_currency text, p_name text) returns bigint
language plpgsql as $$
declare
  made bigint;
begin
  perform 1 from divisions where code = p_division for no key update;
  insert into ledger_accounts (division, ledger_header_id, code, name, class, currency, is_cash, is_monetary,
    allow_manual, cash_flow_class, is_bank)
  select p_division, h.id, free.code, left(p_name, 120), 'asset', p_currency, true, true, false, 'cash', true
  from ledger_headers h, lateral (
    select n::text as code from generate_series(1001, 1099) n where n not in (1010, 1020, 1050)
      and not exists (select 1 from ledger_accounts a where a.division = p_division and a.code = n::text)
    order by n limit 1) free
  where h.division = p_division and h.section = 'cash' and h.parent_id is not null and h.deleted_at is null
  order by h.sort, h.id limit 1
  returning id into made;
  if made is null then perform ledger_refuse('ACCT_NO_CODE', p_division); end if;
  return made;
end $$;

-- The open bank account that money of a division moves on: the one that is named, else the default of the currency,
-- else the only one. Held until the transaction ends, so that it is not closed meanwhile. No row where there is none.
create function bank_account_for(p_division text, p_currency text, p_id bigint)
returns table (id bigint, ledger_account_id bigint, code text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  found_id bigint;
begin
  select b.id into found_id from bank_accounts b
    where b.division = p_division and b.currency = p_currency and b.closed_on is null and b.deleted_at is null
      and (b.id = p_id or p_id is null)
    order by b.is_default desc, b.id limit 1;
  perform 1 from bank_accounts b where b.id = found_id for key share;
  return query select b.id, b.ledger_account_id, a.code from bank_accounts b
    join ledger_accounts a on a.id = b.ledger_account_id
    where b.id = found_id and b.closed_on is null and b.deleted_at is null;
end $$;

-- What still needs a bank account, in words; empty: it can be closed. Balances are those of its ledger account.
create function bank_account_uses(p_id bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'a balance' as words where exists (
      select 1 from bank_accounts b join ledger_balances l on l.ledger_account_id = b.ledger_account_id
      where b.id = p_id group by l.currency
      having sum(l.debit_minor - l.credit_minor) <> 0 or sum(l.base_debit_minor - l.base_credit_minor) <> 0)
    union all select 2, 'payments that wait' where exists (
      select 1 from bank_accounts b join payments p on p.ledger_account_id = b.ledger_account_id
      where b.id = p_id and p.status in ('draft', 'approved') and p.deleted_at is null)
  ) u
$$;

-- A used bank account is closed, never trashed; closing waits for postings under way and needs an empty account.
create function tg_bank_accounts_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  uses text[];
begin
  if (new.division, new.currency, new.ledger_account_id) is distinct from
      (old.division, old.currency, old.ledger_account_id) then
    perform ledger_refuse('ACCT_BANK', 'bank account ' || old.id || ' keeps division, currency and ledger account');
  end if;
  if new.closed_on is null and new.deleted_at is null then return new; end if;
  new.is_default := false;
  perform 1 from ledger_accounts where id = new.ledger_account_id for update;
  if new.closed_on is not null and old.closed_on is null then
    uses := bank_account_uses(new.id);
    if cardinality(uses) > 0 then
      perform ledger_refuse('ACCT_BANK_IN_USE', 'bank account ' || new.id || ' has ' || array_to_string(uses, ', '));
    end if;
  end if;
  if new.deleted_at is not null and old.deleted_at is null and (
      exists (select 1 from journal_entries where ledger_account_id = new.ledger_account_id)
      or exists (select 1 from payments where ledger_account_id = new.ledger_account_id)) then
    perform ledger_refuse('ACCT_BANK_USED', 'bank account ' || new.id);
  end if;
  return new;
end $$;
create trigger bank_accounts_guard before update on bank_accounts
  for each row execute function tg_bank_accounts_guard();

-- The ledger account has the name of its bank account, is switched off while that is closed, and goes to the trash
-- with it.
create function tg_bank_accounts_ledger() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ledger_accounts set name = new.name, active = new.closed_on is null, deleted_at = new.deleted_at
    where id = new.ledger_account_id;
  return null;
end $$;
create trigger bank_accounts_ledger after update of name, closed_on, deleted_at on bank_accounts
  for each row execute function tg_bank_accounts_ledger();

-- A bank whose accounts stand in the lists stays.
create function tg_banks_guard() returns trigger language plpgsql as $$
begin
  if exists (select 1 from bank_accounts where bank_id = new.id and deleted_at is null) then
    raise exception 'banks % is named by bank accounts', new.id using errcode = '23503';
  end if;
  return null;
end $$;
create trigger banks_in_use after update of deleted_at on banks for each row
  when (new.deleted_at is not null and old.deleted_at is null) execute function tg_banks_guard();

-- A ledger account is switched off, trashed and restored with its bank account alone, and never purged.
create function tg_ledger_accounts_bank() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' or exists (select 1 from bank_accounts b where b.ledger_account_id = new.id
      and ((b.closed_on is null) <> new.active or (b.deleted_at is null) <> (new.deleted_at is null))) then
    perform ledger_refuse('ACCT_BANK_KEPT', old.division || ' ' || old.code);
  end if;
  return null;
end $$;
create trigger ledger_accounts_bank_state after update of active, deleted_at on ledger_accounts
  for each row when (new.is_bank) execute function tg_ledger_accounts_bank();
create trigger ledger_accounts_bank_kept after delete on ledger_accounts
  for each row when (old.is_bank) execute function tg_ledger_accounts_bank();

-- What stands behind a posting: an opening balance, the bank account.
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
$$;

revoke all on function open_bank_ledger_account(text, text, text), bank_account_for(text, text, bigint),
  bank_account_uses(bigint), tg_bank_accounts_guard(), tg_bank_accounts_ledger(), tg_banks_guard(),
  tg_ledger_accounts_bank() from public;
grant execute on function open_bank_ledger_account(text, text, text), bank_account_for(text, text, bigint),
  bank_account_uses(bigint) to app_rw;
