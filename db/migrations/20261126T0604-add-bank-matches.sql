-- Matches of bank lines with lines of the ledger, and reconciliations of bank accounts. A line of the bank is matched
-- whole and once, a line of the ledger is matched once, and what stands on both sides of a match is the same amount.

create table bank_reconciliations (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  to_on date not null,
  opening_minor minor_amount not null,
  closing_minor minor_amount not null,
  status text not null default 'open' check (status in ('open', 'finished', 'undone')),
  created_by_id bigint references users (id),
  finished_at timestamptz,
  finished_by_id bigint references users (id),
  undone_at timestamptz,
  undone_by_id bigint references users (id),
  undo_reason text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, bank_account_id),
  check ((status = 'open') = (finished_at is null)),
  check ((status = 'undone') = (undone_at is not null)),
  check ((undone_at is null) = (undo_reason is null))
);
comment on table bank_reconciliations is 'Reconciliations of a bank account with its statement up to a day.';
comment on column bank_reconciliations.closing_minor is 'Closing balance that the bank states for the day.';
create unique index bank_reconciliations_open on bank_reconciliations (bank_account_id) where status = 'open';
create index bank_reconciliations_account on bank_reconciliations (bank_account_id, to_on desc, id desc);
create index bank_reconciliations_creator on bank_reconciliations (created_by_id);
create index bank_reconciliations_finisher on bank_reconciliations (finished_by_id);
create index bank_reconciliations_undoer on bank_reconciliations (undone_by_id);
grant select, insert, update on bank_reconciliations to app_rw;
call maintain_updated_at('bank_reconciliations');

alter table bank_transactions add constraint bank_transactions_account unique (id, bank_account_id);
alter table bank_transactions add column bank_reconciliation_id bigint;
alter table bank_transactions add constraint bank_transactions_reconciliation
  foreign key (bank_reconciliation_id, bank_account_id) references bank_reconciliations (id, bank_account_id);
comment on column bank_transactions.bank_reconciliation_id is
  'The finished reconciliation that the line is part of; null: not reconciled.';
create index bank_transactions_reconciled on bank_transactions (bank_reconciliation_id)
  where bank_reconciliation_id is not null;
grant update (bank_reconciliation_id) on bank_transactions to app_rw;

create table bank_matches (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  made_by text not null check (made_by in ('person', 'rule', 'auto')),
  score integer check (score between 0 and 100),
  reasons jsonb not null default '[]' check (jsonb_typeof(reasons) = 'array'),
  paired_match_id bigint references bank_matches (id),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by_id bigint references users (id),
  undo_reason text,
  unique (id, bank_account_id),
  check ((undone_at is null) = (undo_reason is null)),
  check (paired_match_id <> id)
);
comment on table bank_matches is
  'Matches of bank lines with lines of the ledger account of their bank account. Undone, never deleted.';
comment on column bank_matches.paired_match_id is
  'The match of the other half of a transfer, made earlier in the same step. Both are undone together.';
comment on column bank_matches.reasons is 'Reasons of the score: code, points, text.';
create index bank_matches_account on bank_matches (bank_account_id, id desc);
create index bank_matches_paired on bank_matches (paired_match_id) where paired_match_id is not null;
create index bank_matches_creator on bank_matches (created_by_id);
create index bank_matches_undoer on bank_matches (undone_by_id);
grant select, insert on bank_matches to app_rw;
grant update (undone_at, undone_by_id, undo_reason) on bank_matches to app_rw;

create table bank_match_lines (
  bank_match_id bigint not null,
  bank_account_id bigint not null,
  bank_transaction_id bigint not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (bank_match_id, bank_transaction_id),
  foreign key (bank_match_id, bank_account_id) references bank_matches (id, bank_account_id),
  foreign key (bank_transaction_id, bank_account_id) references bank_transactions (id, bank_account_id)
);
comment on table bank_match_lines is 'Lines of the bank in a match.';
comment on column bank_match_lines.active is 'False once the match is undone. A line is in one active match.';
create unique index bank_match_lines_active on bank_match_lines (bank_transaction_id) where active;
create index bank_match_lines_line on bank_match_lines (bank_transaction_id, bank_match_id);
grant select, insert on bank_match_lines to app_rw;

create table bank_match_entries (
  bank_match_id bigint not null,
  bank_account_id bigint not null,
  ledger_line_id bigint not null references journal_entries (id),
  active boolean not null default true,
  posted_by_match boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (bank_match_id, ledger_line_id),
  foreign key (bank_match_id, bank_account_id) references bank_matches (id, bank_account_id)
);
comment on table bank_match_entries is 'Lines of the ledger in a match.';
comment on column bank_match_entries.active is 'False once the match is undone. A line is in one active match.';
comment on column bank_match_entries.posted_by_match is 'Posted by the match itself, and reversed when it is undone.';
create unique index bank_match_entries_active on bank_match_entries (ledger_line_id) where active;
create index bank_match_entries_line on bank_match_entries (ledger_line_id, bank_match_id);
grant select, insert on bank_match_entries to app_rw;

create table bank_match_documents (
  bank_match_id bigint not null references bank_matches (id),
  document_type text not null check (document_type ~ '^[a-z_]{1,40}$'),
  document_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (bank_match_id, document_type, document_id)
);
comment on table bank_match_documents is
  'Documents that a match made: undoing it takes them back, each by its own rules.';
create index bank_match_documents_document on bank_match_documents (document_type, document_id);
grant select, insert on bank_match_documents to app_rw;

-- Open documents of exactly an amount are found among all of a division.
create index invoices_open_amount on invoices (division, currency, balance_minor)
  where status in ('issued', 'part_paid', 'proforma');

-- Both sides of a match come to the same amount, and neither is empty.
create function tg_bank_match_balances() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  match bigint;
  at_bank bigint;
  in_ledger bigint;
begin
  if tg_table_name = 'bank_matches' then match := new.id; else match := new.bank_match_id; end if;
  select sum(t.amount_minor) into at_bank from bank_match_lines m join bank_transactions t
    on t.id = m.bank_transaction_id where m.bank_match_id = match;
  select sum(e.amount_minor) into in_ledger from bank_match_entries m join journal_entries e on e.id = m.ledger_line_id
    where m.bank_match_id = match;
  if at_bank is null or in_ledger is null or at_bank <> in_ledger then
    raise exception 'bank match %: % at the bank, % in the ledger', match, at_bank, in_ledger using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger bank_matches_balance after insert on bank_matches
  deferrable initially deferred for each row execute function tg_bank_match_balances();
create constraint trigger bank_match_lines_balance after insert on bank_match_lines
  deferrable initially deferred for each row execute function tg_bank_match_balances();
create constraint trigger bank_match_entries_balance after insert on bank_match_entries
  deferrable initially deferred for each row execute function tg_bank_match_balances();

-- A match takes booked lines of the bank.
create function tg_bank_match_lines_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line_state text;
begin
  perform 1 from bank_transactions where id = new.bank_transaction_id for no key update;
  select state into line_state from bank_transactions where id = new.bank_transaction_id;
  if line_state is distinct from 'booked' or not new.active or exists (
      select 1 from bank_matches where id = new.bank_match_id and undone_at is not null) then
    raise exception 'bank transaction % is %', new.bank_transaction_id, coalesce(line_state, 'unknown')
      using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_match_lines_guard before insert on bank_match_lines
  for each row execute function tg_bank_match_lines_guard();

-- A match takes posted lines of the account's own ledger account. What was reversed is matched only beside its
-- reversal, in this match or another.
create function tg_bank_match_entries_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  entry record;
begin
  perform 1 from transactions where id = (select transaction_id from journal_entries where id = new.ledger_line_id)
    for share;
  select e.ledger_account_id, t.status into entry
    from journal_entries e join transactions t on t.id = e.transaction_id where e.id = new.ledger_line_id;
  if not new.active or exists (select 1 from bank_matches where id = new.bank_match_id and undone_at is not null)
    or entry.status not in ('posted', 'reversed') or not exists (select 1 from bank_accounts
      where id = new.bank_account_id and ledger_account_id = entry.ledger_account_id) then
    raise exception 'ledger line % is no posted line of bank account %', new.ledger_line_id, new.bank_account_id
      using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_match_entries_guard before insert on bank_match_entries
  for each row execute function tg_bank_match_entries_guard();

create function tg_bank_match_entries_reversal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  entry record;
begin
  select e.ledger_account_id, t.status, coalesce(t.reverses_id, r.id) as other into entry
    from journal_entries e join transactions t on t.id = e.transaction_id
      left join transactions r on r.reverses_id = t.id where e.id = new.ledger_line_id;
  if entry.other is not null and not exists (
      select 1 from journal_entries o join bank_match_entries m on m.ledger_line_id = o.id and m.active
      where o.transaction_id = entry.other and o.ledger_account_id = entry.ledger_account_id) then
    raise exception 'ledger line % is reversed', new.ledger_line_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger bank_match_entries_reversal after insert on bank_match_entries
  deferrable initially deferred for each row execute function tg_bank_match_entries_reversal();

-- A match is undone once, never while a line of it is reconciled; its lines are free again.
create function tg_bank_matches_undo() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.undone_at is not null or new.undone_at is null then
    raise exception 'bank match % was undone before', old.id using errcode = '23514';
  end if;
  perform 1 from bank_transactions where id in (
    select bank_transaction_id from bank_match_lines where bank_match_id = new.id) order by id for update;
  if exists (select 1 from bank_match_lines m join bank_transactions t on t.id = m.bank_transaction_id
      where m.bank_match_id = new.id and t.bank_reconciliation_id is not null) then
    raise exception 'bank match % is reconciled', new.id using errcode = '23514';
  end if;
  update bank_match_lines set active = false where bank_match_id = new.id;
  update bank_match_entries set active = false where bank_match_id = new.id;
  return new;
end $$;
create trigger bank_matches_undo before update on bank_matches for each row execute function tg_bank_matches_undo();

-- A line is reconciled while it is matched.
create function tg_bank_transactions_reconciled() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from bank_match_lines where bank_transaction_id = new.id and active) then
    raise exception 'bank transaction % is not matched', new.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_transactions_reconciled before update of bank_reconciliation_id on bank_transactions
  for each row when (new.bank_reconciliation_id is not null) execute function tg_bank_transactions_reconciled();

-- Whatever takes a posting back: its bank line is given free first. Once that line is reconciled the money has moved,
-- and what is reversed afterwards is a movement of its own.
create function tg_transactions_matched() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line record;
begin
  select t.booked_on, t.id into line
    from journal_entries e
      join bank_match_entries m on m.ledger_line_id = e.id and m.active
      join bank_match_lines l on l.bank_match_id = m.bank_match_id
      join bank_transactions t on t.id = l.bank_transaction_id
    where e.transaction_id = new.id and t.bank_reconciliation_id is null order by t.id limit 1;
  if found then
    perform ledger_refuse('ACCT_BANK_MATCHED', line.booked_on || ' bank line ' || line.id);
  end if;
  return new;
end $$;
create trigger transactions_matched before update of status on transactions
  for each row when (new.status = 'reversed' and old.status = 'posted') execute function tg_transactions_matched();

-- What still needs a bank account: its lines that are not matched, too.
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
      select 1 from bank_transactions t where t.bank_account_id = p_id and t.state = 'booked' and not exists (
        select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active))
  ) u
$$;

revoke all on function tg_bank_match_balances(), tg_bank_match_lines_guard(), tg_bank_match_entries_guard(),
  tg_bank_match_entries_reversal(), tg_bank_matches_undo(), tg_bank_transactions_reconciled(),
  tg_transactions_matched() from public;
