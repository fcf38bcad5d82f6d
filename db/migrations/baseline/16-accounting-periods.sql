-- Periods and locks. One person requests closing, reopening and locking, a second one confirms. Every function locks
-- the period rows FOR UPDATE and so waits for postings in progress.

-- Calendar months around those there are, so that every day of [p_from, p_through] lies in a period. Answers how many
-- were created. A division whose months are not calendar months adds its own with ledger_add_period.
create function ensure_periods(p_division text, p_from date, p_through date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  low date;
  high date;
  first int;
  last int;
  made int;
begin
  if p_from is null or p_through is null or p_from < '1900-01-01' or p_through > '2999-12-31' or p_from > p_through
    then
    perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || coalesce(p_from::text,
      '?') || ' to ' || coalesce(p_through::text, '?'));
  end if;
  perform 1 from divisions where code = p_division for update;
  if not found then perform ledger_refuse('ACCT_DIVISION', p_division); end if;
  select min(starts), max(ends), min(period), max(period) into low, high, first, last
    from periods where division = p_division;
  -- always one unbroken row: what lies between the days asked for and the periods there are comes along, and the days
  -- between a period that does not end with its month and the next month belong to that one
  insert into periods (division, period, starts, ends)
  select p_division, to_char(m, 'YYYYMM')::int, m, coalesce(lead(m) over (order by m), low) - 1
    from (select generate_series(date_trunc('month', p_from::timestamp), low, interval '1 month')::date as m) before
    where to_char(m, 'YYYYMM')::int < first
  union all
  select p_division, to_char(m, 'YYYYMM')::int, case when n = 1 then coalesce(high + 1, m::date) else m::date end,
      (m + interval '1 month -1 day')::date
    from (
      select m, row_number() over (order by m) as n
      from generate_series(date_trunc('month', coalesce(high, p_from)::timestamp), p_through + interval '1 month',
        interval '1 month') series (m)
      where last is null or to_char(m, 'YYYYMM')::int > last) after
    where m <= p_through or (n = 1 and p_through > high);
  get diagnostics made = row_count;
  perform ledger_spread_locks(p_division);
  return made;
end $$;

-- One period of any length, directly after the last one: a fiscal month of four or five weeks, a short first year.
create function ledger_add_period(p_division text, p_period int, p_starts date, p_ends date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  high date;
begin
  perform 1 from divisions where code = p_division for update;
  select max(ends) into high from periods where division = p_division;
  if p_starts is distinct from coalesce(high + 1, p_starts) or p_ends < p_starts then
    perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || p_period || ' must begin on ' ||
      coalesce((high + 1)::text, 'its first day'));
  end if;
  insert into periods (division, period, starts, ends) values (p_division, p_period, p_starts, p_ends);
  perform ledger_spread_locks(p_division);
end $$;

-- Copies the lock dates of a division to its period rows, where postings read them under their row lock.
create function ledger_spread_locks(p_division text) returns void language plpgsql as $$
begin
  perform 1 from periods where division = p_division order by id for update;
  with l as (
    select max(locked_through) filter (where sub_ledger = 'sales') as sales,
      max(locked_through) filter (where sub_ledger = 'purchase') as purchase,
      max(locked_through) filter (where sub_ledger = 'tax') as tax,
      max(locked_through) filter (where sub_ledger = 'bank') as bank,
      max(locked_through) filter (where sub_ledger = 'hard') as hard
    from period_locks where division = p_division
  ), w as (
    select p.id, case when l.sales >= p.starts then least(l.sales, p.ends) end as sales,
      case when l.purchase >= p.starts then least(l.purchase, p.ends) end as purchase,
      case when l.tax >= p.starts then least(l.tax, p.ends) end as tax,
      case when l.bank >= p.starts then least(l.bank, p.ends) end as bank,
      case when l.hard >= p.starts then least(l.hard, p.ends) end as hard
    from periods p, l where p.division = p_division
  )
  update periods p set sales_locked_through = w.sales, purchase_locked_through = w.purchase,
    tax_locked_through = w.tax,
    bank_locked_through = w.bank, hard_locked_through = w.hard
  from w where w.id = p.id and (p.sales_locked_through, p.purchase_locked_through, p.tax_locked_through,
    p.bank_locked_through, p.hard_locked_through) is distinct from (w.sales, w.purchase, w.tax, w.bank, w.hard);
end $$;

-- Sets, moves or (soft locks only, with null) lifts a lock.
create function ledger_set_lock(p_division text, p_sub_ledger text, p_through date, p_reason text, p_actor bigint,
  p_confirmed_by bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before date;
begin
  if p_actor is null or p_confirmed_by is null or p_actor = p_confirmed_by then
    perform ledger_refuse('ACCT_FOUR_EYES', 'a second person confirms a lock');
  end if;
  perform 1 from divisions where code = p_division for update;
  select locked_through into before from period_locks where division = p_division and sub_ledger = p_sub_ledger;
  if p_sub_ledger = 'hard' and before is not null and (p_through is null or p_through < before) then
    perform ledger_refuse('ACCT_HARD_LOCK', 'the hard lock of ' || p_division || ' stands at ' || before ||
      ' and never moves back');
  end if;
  if p_through is null then
    delete from period_locks where division = p_division and sub_ledger = p_sub_ledger;
  else
    insert into period_locks as l (division, sub_ledger, locked_through, reason, set_by)
      values (p_division, p_sub_ledger, p_through, coalesce(p_reason, ''), p_actor)
      on conflict (division, sub_ledger) do update set locked_through = excluded.locked_through,
        reason = excluded.reason,
        set_by = excluded.set_by, version = l.version + 1, updated_at = now();
  end if;
  perform ledger_spread_locks(p_division);
end $$;

-- A person may post behind a soft lock until a moment, for a reason; granted by someone else.
create function ledger_grant_exception(p_division text, p_sub_ledger text, p_user bigint, p_until timestamptz,
  p_reason text,
  p_granted_by bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  made bigint;
begin
  if p_user = p_granted_by then perform ledger_refuse('ACCT_FOUR_EYES', 'nobody grants an exception to himself'); end
    if;
  if p_until is null or p_until <= now() or p_until > now() + interval '31 days' then
    perform ledger_refuse('ACCT_EXCEPTION', 'an exception ends within 31 days');
  end if;
  insert into lock_exceptions (division, sub_ledger, user_id, until, reason, granted_by)
    values (p_division, p_sub_ledger, p_user, p_until, p_reason, p_granted_by) returning id into made;
  return made;
end $$;

create function ledger_revoke_exception(p_id bigint) returns void
language sql security definer set search_path = public, pg_temp as $$
  update lock_exceptions set revoked_at = now(), updated_at = now() where id = p_id and revoked_at is null
$$;

-- Closes or reopens a period.
create function ledger_set_period(p_division text, p_period int, p_state text, p_actor bigint,
  p_confirmed_by bigint)
returns void language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  p periods;
  left_over bigint;
begin
  if p_actor is null or p_confirmed_by is null or p_actor = p_confirmed_by then
    perform ledger_refuse('ACCT_FOUR_EYES', 'a second person confirms the state of a period');
  end if;
  select * into p from periods where division = p_division and period = p_period for update;
  if not found then perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || p_period); end if;
  if p_state not in ('open', 'soft_locked', 'closed') then perform ledger_refuse('ACCT_STATUS',
    'period state ' || p_state); end if;
  if p_state = 'closed' and p.state <> 'closed' then
    select coalesce(sum(b.base_debit_minor - b.base_credit_minor), 0) into left_over
      from ledger_balances b join ledger_accounts a on a.id = b.ledger_account_id and a.system_key = 'opening'
      where a.division = p_division and b.period <= p_period;
    if left_over <> 0 then
      perform ledger_refuse('ACCT_OPENING', p_division || ': opening balances still carry ' || left_over ||
        ' minor units');
    end if;
  end if;
  update periods set state = p_state, closed_at = case when p_state = 'closed' then coalesce(p.closed_at, now()) end,
    closed_by = case when p_state = 'closed' then p_actor end,
    confirmed_by = case when p_state = 'closed' then p_confirmed_by end where id = p.id;
end $$;

-- Moves up to p_limit postings from the queue into the folded balances; returns how many. Two at once take different
-- postings and add in the same order of keys. Nested loops by key whatever the statistics say: the queue is empty
-- when analyzed and may hold an import a second later.
create function ledger_fold(p_limit int default 10000) returns int
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  taken int;
begin
  with taken as (
    delete from ledger_fold_queue where ctid = any (array(
      select ctid from ledger_fold_queue limit p_limit for update skip locked))
    returning transaction_id
  ), e as materialized (
    select e.division, e.ledger_account_id, e.currency, e.period, e.party_type, e.party_id, e.amount_minor,
      e.base_amount_minor
    from taken join journal_entries e on e.transaction_id = taken.transaction_id
  ), b as (
    insert into ledger_balances_folded as b (division, ledger_account_id, currency, period, debit_minor, credit_minor,
      base_debit_minor, base_credit_minor, entries)
    select division, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
      sum(greatest(-amount_minor, 0)), sum(greatest(base_amount_minor, 0)), sum(greatest(-base_amount_minor, 0)),
      count(*)
    from e group by ledger_account_id, period, currency, division
    order by ledger_account_id, period, currency, division
    on conflict (ledger_account_id, currency, period) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  ), p as (
    insert into party_balances_folded as b (party_type, party_id, ledger_account_id, currency, period, debit_minor,
      credit_minor, base_debit_minor, base_credit_minor, entries)
    select party_type, party_id, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
      sum(greatest(-amount_minor, 0)), sum(greatest(base_amount_minor, 0)), sum(greatest(-base_amount_minor, 0)),
      count(*)
    from e where party_id is not null
    group by party_id, ledger_account_id, period, currency, party_type
    order by party_id, ledger_account_id, period, currency, party_type
    on conflict (party_type, party_id, ledger_account_id, currency, period) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  )
  select count(*) into taken from taken;
  return taken;
end $$;

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function ensure_periods(text, date, date), ledger_add_period(text, integer, date, date),
  ledger_fold(integer), ledger_grant_exception(text, text, bigint, timestamp with time zone, text, bigint),
  ledger_revoke_exception(bigint), ledger_set_lock(text, text, date, text, bigint, bigint),
  ledger_set_period(text, integer, text, bigint, bigint), ledger_spread_locks(text) from public;
grant execute on function ensure_periods(text, date, date), ledger_add_period(text, integer, date, date),
  ledger_fold(integer), ledger_grant_exception(text, text, bigint, timestamp with time zone, text, bigint),
  ledger_revoke_exception(bigint), ledger_set_lock(text, text, date, text, bigint, bigint),
  ledger_set_period(text, integer, text, bigint, bigint) to app_rw;
