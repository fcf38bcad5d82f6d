-- An import with the wrong columns, or into the wrong account, is taken back whole: its lines leave every sum and list,
-- the same file can be imported again, and advance notices that it replaced wait for their statement again.

alter table bank_statement_files add column taken_back_at timestamptz,
  add column taken_back_by_id bigint references users (id),
  add column take_back_reason text,
  add constraint bank_statement_files_taken_back check ((taken_back_at is null) = (take_back_reason is null));
create index bank_statement_files_taker on bank_statement_files (taken_back_by_id);
-- The unique index below leaves out what was taken back.
create index bank_statement_files_account on bank_statement_files (bank_account_id);
comment on column bank_statement_files.taken_back_at is 'The import was a mistake; its lines are withdrawn.';
drop index bank_statement_files_once;
create unique index bank_statement_files_once on bank_statement_files (bank_account_id, sha256)
  where taken_back_at is null;
grant update (taken_back_at, taken_back_by_id, take_back_reason) on bank_statement_files to app_rw;

alter table bank_statements add column taken_back_at timestamptz;
comment on column bank_statements.taken_back_at is 'Of its file.';

alter table bank_transactions drop constraint bank_transactions_state_check,
  add constraint bank_transactions_state_check check (state in ('booked', 'advance', 'superseded', 'withdrawn'));
drop index bank_transactions_once;
create unique index bank_transactions_once on bank_transactions (bank_account_id, line_key)
  where state <> 'withdrawn';

create or replace function tg_bank_transactions_state() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if old.state = new.state or (old.state = 'advance' and new.state = 'superseded')
    or (new.state = 'withdrawn' and exists (select 1 from bank_statements s
      where s.id = new.bank_statement_id and s.taken_back_at is not null))
    or (old.state = 'superseded' and new.state = 'advance' and not exists (select 1 from bank_statements s
      where s.bank_account_id = new.bank_account_id and s.kind = 'statement' and s.taken_back_at is null
        and new.booked_on between s.from_on and s.to_on)) then
    return new;
  end if;
  raise exception 'bank transaction % stays %', old.id, old.state using errcode = '23514';
end $$;
revoke all on function tg_bank_transactions_state() from public;

create function tg_bank_statement_files_take_back() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  statements bigint[];
begin
  if old.taken_back_at is not null or new.taken_back_at is null then
    raise exception 'bank statement file % was taken back before', old.id using errcode = '23514';
  end if;
  select array_agg(id) into statements from bank_statements where bank_statement_file_id = new.id;
  perform 1 from bank_transactions where bank_statement_id = any (statements) order by id for update;
  if exists (select 1 from bank_transactions t where t.bank_statement_id = any (statements)
      and (t.bank_reconciliation_id is not null or exists (
        select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active)))
    or exists (select 1 from bank_reconciliations where bank_statement_id = any (statements)
      and status in ('open', 'finished')) then
    raise exception 'bank statement file % has lines that are matched or reconciled', new.id using errcode = '23514';
  end if;
  update bank_statements set taken_back_at = new.taken_back_at where id = any (statements);
  update bank_transactions set state = 'withdrawn', version = version + 1 where bank_statement_id = any (statements);
  update bank_transactions t set state = 'advance', version = t.version + 1
  where t.bank_account_id = new.bank_account_id and t.state = 'superseded' and not exists (
    select 1 from bank_statements s where s.bank_account_id = new.bank_account_id and s.kind = 'statement'
      and s.taken_back_at is null and t.booked_on between s.from_on and s.to_on);
  return new;
end $$;
revoke all on function tg_bank_statement_files_take_back() from public;
create trigger bank_statement_files_take_back before update of taken_back_at on bank_statement_files
  for each row execute function tg_bank_statement_files_take_back();
comment on column bank_transactions.state is
  'Booked; told ahead; superseded by the statement of the day, which has the last word; withdrawn with its import.';
