-- Reconciling a bank account. A reconciliation is open, then finished with its report, and never changes afterwards;
-- only the latest of an account can be undone. Its bank lines are bound when it is finished and released when it is
-- undone. Lines of the ledger that a person ticks on a paper statement have no bank line and are cleared by the tick.

alter table bank_reconciliations add column bank_statement_id bigint;
alter table bank_reconciliations add column report jsonb check (jsonb_typeof(report) = 'object');
alter table bank_reconciliations add foreign key (bank_statement_id, bank_account_id)
  references bank_statements (id, bank_account_id);
alter table bank_reconciliations drop constraint bank_reconciliations_status_check;
alter table bank_reconciliations add constraint bank_reconciliations_status_check
  check (status in ('open', 'finished', 'undone', 'discarded'));
alter table bank_reconciliations drop constraint bank_reconciliations_check;
alter table bank_reconciliations add constraint bank_reconciliations_check
  check ((status in ('finished', 'undone')) = (finished_at is not null));
alter table bank_reconciliations add constraint bank_reconciliations_report
  check ((report is null) = (finished_at is null));
comment on column bank_reconciliations.bank_statement_id is 'Null where the closing balance was entered by hand.';
comment on column bank_reconciliations.report is 'The report as it was when it was finished.';
create index bank_reconciliations_statement on bank_reconciliations (bank_statement_id)
  where bank_statement_id is not null;
create unique index bank_reconciliations_finished on bank_reconciliations (bank_account_id, to_on)
  where status = 'finished';

create table bank_reconciliation_ticks (
  bank_reconciliation_id bigint not null,
  bank_account_id bigint not null,
  ledger_line_id bigint not null references journal_entries (id),
  is_adjustment boolean not null default false,
  holds boolean not null default true,
  reason text,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  primary key (bank_reconciliation_id, ledger_line_id),
  foreign key (bank_reconciliation_id, bank_account_id) references bank_reconciliations (id, bank_account_id),
  check (is_adjustment = (reason is not null))
);
comment on table bank_reconciliation_ticks is
  'Lines of the ledger that a person found on a statement of which the lines were not imported.';
comment on column bank_reconciliation_ticks.is_adjustment is 'Posted by the reconciliation to clear a difference.';
comment on column bank_reconciliation_ticks.holds is 'Until the reconciliation is undone or discarded.';
create unique index bank_reconciliation_ticks_once on bank_reconciliation_ticks (ledger_line_id) where holds;
create index bank_reconciliation_ticks_line on bank_reconciliation_ticks (ledger_line_id);
create index bank_reconciliation_ticks_user on bank_reconciliation_ticks (created_by_id);
grant select, insert, delete on bank_reconciliation_ticks to app_rw;

-- What the next reconciliation of an account begins with.
create function bank_reconciled_balance(p_account bigint) returns table (to_on date, balance_minor bigint)
language sql stable as $$
  select r.to_on, coalesce(r.closing_minor, b.opening_minor)::bigint
  from bank_accounts b left join lateral (
    select f.to_on, f.closing_minor from bank_reconciliations f
    where f.bank_account_id = b.id and f.status = 'finished' order by f.to_on desc limit 1) r on true
  where b.id = p_account
$$;

-- A ledger line is cleared once: by a match or by a tick.
create function tg_bank_ticks_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  r bank_reconciliations;
begin
  select * into r from bank_reconciliations
    where id = case when tg_op = 'DELETE' then old.bank_reconciliation_id else new.bank_reconciliation_id end
    for share;
  if r.status <> 'open' then perform ledger_refuse('ACCT_IMMUTABLE', 'bank reconciliation ' || r.id); end if;
  if tg_op = 'DELETE' then return old; end if;
  perform pg_advisory_xact_lock(hashtextextended('bank cleared ' || new.ledger_line_id, 0));
  if not new.holds or not exists (
      select 1 from journal_entries e
        join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
        join bank_accounts b on b.id = new.bank_account_id and b.ledger_account_id = e.ledger_account_id
      where e.id = new.ledger_line_id and e.transaction_at <= r.to_on
        and e.transaction_id is distinct from b.opening_transaction_id)
    or exists (select 1 from bank_match_entries where ledger_line_id = new.ledger_line_id and active) then
    raise exception 'ledger line % cannot be ticked', new.ledger_line_id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_reconciliation_ticks_guard before insert or delete on bank_reconciliation_ticks
  for each row execute function tg_bank_ticks_guard();

create function tg_bank_match_entries_ticked() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('bank cleared ' || new.ledger_line_id, 0));
  if exists (select 1 from bank_reconciliation_ticks where ledger_line_id = new.ledger_line_id and holds) then
    raise exception 'ledger line % is ticked', new.ledger_line_id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_match_entries_ticked before insert on bank_match_entries
  for each row execute function tg_bank_match_entries_ticked();

-- A reconciliation begins where the last finished one ended.
create function tg_bank_reconciliations_begin() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  base record;
begin
  perform 1 from bank_accounts where id = new.bank_account_id for no key update;
  select * into base from bank_reconciled_balance(new.bank_account_id);
  if new.status <> 'open' or new.to_on <= base.to_on or new.opening_minor <> base.balance_minor then
    raise exception 'bank reconciliation of account % begins with %', new.bank_account_id, base.balance_minor
      using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_reconciliations_begin before insert on bank_reconciliations
  for each row execute function tg_bank_reconciliations_begin();

-- Finishing binds the bank lines up to the day: each is matched, and they lead from the opening to the closing balance.
create function tg_bank_reconciliations_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  base record;
  lines bigint;
  ticks bigint;
begin
  if new.bank_account_id <> old.bank_account_id or new.created_by_id is distinct from old.created_by_id
    or (old.status = 'open' and new.status not in ('open', 'finished', 'discarded'))
    or (old.status <> 'open' and ((new.to_on, new.opening_minor, new.closing_minor, new.bank_statement_id,
        new.finished_at, new.finished_by_id, new.report) is distinct from (old.to_on, old.opening_minor,
        old.closing_minor, old.bank_statement_id, old.finished_at, old.finished_by_id, old.report)
      or old.status <> 'finished' or new.status <> 'undone')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank reconciliation ' || old.id);
  end if;
  perform 1 from bank_accounts where id = new.bank_account_id for no key update;
  if new.status = 'undone' and exists (select 1 from bank_reconciliations where bank_account_id = new.bank_account_id
      and status = 'finished' and to_on > new.to_on) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank reconciliation ' || old.id || ' is not the latest');
  end if;
  if old.status <> 'open' or new.status = 'discarded' then return new; end if;
  select * into base from bank_reconciled_balance(new.bank_account_id);
  if new.to_on <= base.to_on or new.opening_minor <> base.balance_minor or exists (
      select 1 from bank_reconciliation_ticks k join journal_entries e on e.id = k.ledger_line_id
      where k.bank_reconciliation_id = new.id and e.transaction_at > new.to_on) then
    raise exception 'bank reconciliation % begins with %', new.id, base.balance_minor using errcode = '23514';
  end if;
  if new.status = 'open' then return new; end if;
  perform 1 from bank_transactions where bank_account_id = new.bank_account_id and state = 'booked'
    and deleted_at is null and bank_reconciliation_id is null and booked_on <= new.to_on order by id for update;
  update bank_transactions set bank_reconciliation_id = new.id where bank_account_id = new.bank_account_id
    and state = 'booked' and deleted_at is null and bank_reconciliation_id is null and booked_on <= new.to_on;
  select coalesce(sum(amount_minor), 0) into lines from bank_transactions where bank_reconciliation_id = new.id;
  select coalesce(sum(e.amount_minor), 0) into ticks from bank_reconciliation_ticks k
    join journal_entries e on e.id = k.ledger_line_id where k.bank_reconciliation_id = new.id and k.holds;
  if new.opening_minor + lines + ticks <> new.closing_minor then
    raise exception 'bank reconciliation %: % and % do not lead from % to %', new.id, lines, ticks, new.opening_minor,
      new.closing_minor using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_reconciliations_guard before update on bank_reconciliations
  for each row execute function tg_bank_reconciliations_guard();

create function tg_bank_reconciliations_release() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update bank_transactions set bank_reconciliation_id = null where bank_reconciliation_id = new.id;
  update bank_reconciliation_ticks set holds = false where bank_reconciliation_id = new.id;
  return null;
end $$;
create trigger bank_reconciliations_release after update of status on bank_reconciliations
  for each row when (new.status in ('undone', 'discarded')) execute function tg_bank_reconciliations_release();

-- A line is bound by an open reconciliation that is being finished, and released by one that was undone.
create function tg_bank_transactions_bound() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (new.bank_reconciliation_id is not null and old.bank_reconciliation_id is not null)
    or (new.bank_reconciliation_id is not null and (new.state <> 'booked' or not exists (
      select 1 from bank_reconciliations where id = new.bank_reconciliation_id and status = 'open'
        and to_on >= new.booked_on)))
    or (new.bank_reconciliation_id is null and not exists (
      select 1 from bank_reconciliations where id = old.bank_reconciliation_id and status = 'undone')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank transaction ' || new.id || ' is reconciled');
  end if;
  return new;
end $$;
create trigger bank_transactions_bound before update of bank_reconciliation_id on bank_transactions
  for each row when (new.bank_reconciliation_id is distinct from old.bank_reconciliation_id)
  execute function tg_bank_transactions_bound();
revoke update (bank_reconciliation_id) on bank_transactions from app_rw;

revoke all on function bank_reconciled_balance(bigint), tg_bank_ticks_guard(), tg_bank_match_entries_ticked(),
  tg_bank_reconciliations_begin(), tg_bank_reconciliations_guard(), tg_bank_reconciliations_release(),
  tg_bank_transactions_bound() from public;
grant execute on function bank_reconciled_balance(bigint) to app_rw;
