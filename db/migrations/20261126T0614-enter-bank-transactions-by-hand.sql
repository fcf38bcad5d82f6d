-- Bank transactions that a person enters where the bank sends no file, files attached to any bank transaction, and a
-- note beside it. What a statement brought stays as the bank wrote it; an entry by hand is changed, trashed, purged.

alter table bank_transactions
  alter column bank_statement_id drop not null,
  add column source text not null default 'statement' check (source in ('statement', 'manual')),
  add column note text not null default '' check (length(note) <= 2000),
  add column created_by_id bigint references users (id),
  add column deleted_at timestamptz,
  add constraint bank_transactions_source check ((source = 'statement') = (bank_statement_id is not null)),
  add constraint bank_transactions_trash check (deleted_at is null or source = 'manual'),
  add constraint bank_transactions_manual check (source = 'statement' or (state = 'booked' and amount_minor <> 0)),
  drop column search_text,
  add column search_text text not null generated always as (ledger_fold(name || ' ' || memo || ' ' || reference
    || coalesce(' ' || end_to_end_id, '') || coalesce(' ' || check_number, '') || ' ' || note)) stored;
comment on column bank_transactions.bank_statement_id is 'Null: a person entered it.';
comment on column bank_transactions.source is 'statement: a file brought it. manual: a person entered it.';
comment on column bank_transactions.note is 'A remark of the office. The bank did not write it.';
comment on table bank_transactions is
  'Lines of bank statements, and those that a person entered. What the bank wrote never changes.';
create index bank_transactions_search on bank_transactions using gin (search_text gin_trgm_ops);
create index bank_transactions_latest on bank_transactions (booked_on desc, id desc) where deleted_at is null;
create index bank_transactions_user on bank_transactions (created_by_id) where created_by_id is not null;
grant update (booked_on, value_on, amount_minor, name, memo, reference, check_number, note, deleted_at)
  on bank_transactions to app_rw;
grant delete on bank_transactions to app_rw;

create function tg_bank_transactions_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.source <> 'manual' or old.deleted_at is null then
      raise exception 'bank transaction % is not in the trash', old.id using errcode = '23514';
    end if;
    return old;
  end if;
  if (new.bank_account_id, new.bank_statement_id, new.source, new.line_key, new.created_at)
      is distinct from (old.bank_account_id, old.bank_statement_id, old.source, old.line_key, old.created_at) then
    raise exception 'bank transaction % keeps its account and source', old.id using errcode = '23514';
  end if;
  if old.source = 'statement' and (new.booked_on, new.value_on, new.amount_minor, new.name, new.memo, new.reference,
      new.check_number) is distinct from (old.booked_on, old.value_on, old.amount_minor, old.name, old.memo,
      old.reference, old.check_number) then
    raise exception 'bank transaction % keeps what the bank wrote', old.id using errcode = '23514';
  end if;
  if (new.booked_on, new.amount_minor, new.deleted_at) is distinct from (old.booked_on, old.amount_minor,
      old.deleted_at) and exists (
      select 1 from bank_match_lines where bank_transaction_id = old.id and active) then
    raise exception 'bank transaction % is matched', old.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_transactions_guard before update or delete on bank_transactions
  for each row execute function tg_bank_transactions_guard();
revoke all on function tg_bank_transactions_guard() from public;

create table bank_transaction_files (
  id bigint generated always as identity primary key,
  bank_transaction_id bigint not null references bank_transactions (id) on delete cascade,
  file_id bigint not null references files (id),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
comment on table bank_transaction_files is 'Files attached to bank transactions: a receipt, a letter of the bank.';
create index bank_transaction_files_transaction on bank_transaction_files (bank_transaction_id);
create index bank_transaction_files_file on bank_transaction_files (file_id);
create index bank_transaction_files_user on bank_transaction_files (created_by_id);
grant select, insert, delete on bank_transaction_files to app_rw;

-- What lies in the trash is no line of the bank: nothing is matched with it, and it holds no account open.
create or replace function tg_bank_match_lines_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line_state text;
begin
  perform 1 from bank_transactions where id = new.bank_transaction_id for no key update;
  select case when deleted_at is null then state else 'in the trash' end into line_state
    from bank_transactions where id = new.bank_transaction_id;
  if line_state is distinct from 'booked' or not new.active or exists (
      select 1 from bank_matches where id = new.bank_match_id and undone_at is not null) then
    raise exception 'bank transaction % is %', new.bank_transaction_id, coalesce(line_state, 'unknown')
      using errcode = '23514';
  end if;
  return new;
end $$;

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
  ) u
$$;
