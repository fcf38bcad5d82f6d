-- Balances by period, added up later and true at once (docs/decisions, "Balances are folded"). A posting paid 680
-- thousand instructions of 4.3 million for adding to balances, waited for others on the rows of busy accounts, and
-- needed sixteen rows per account to wait less. Now it puts its id into a queue. What is in the queue is told from its
-- lines, what left it from the folded rows; the view adds both, and since one transaction takes postings out of the
-- queue and adds them to the folded rows, every reader sees each posting exactly once. The names of the views are
-- those of the tables before: whoever reads balances reads them as before.

create table ledger_fold_queue (transaction_id bigint not null)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table ledger_balances_folded (
  division text not null,
  ledger_account_id bigint not null,
  currency text not null references currencies (code),
  period int not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  base_debit_minor bigint not null,
  base_credit_minor bigint not null,
  entries bigint not null,
  primary key (ledger_account_id, currency, period)
) with (fillfactor = 70);
create index ledger_balances_folded_period on ledger_balances_folded (division, period);
insert into ledger_balances_folded
  select division, ledger_account_id, currency, period, sum(debit_minor), sum(credit_minor), sum(base_debit_minor),
    sum(base_credit_minor), sum(entries)
  from ledger_balances group by division, ledger_account_id, currency, period;

create table party_balances_folded (
  party_type text not null,
  party_id bigint not null,
  ledger_account_id bigint not null,
  currency text not null,
  period int not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  base_debit_minor bigint not null,
  base_credit_minor bigint not null,
  entries bigint not null,
  primary key (party_type, party_id, ledger_account_id, currency, period)
) with (fillfactor = 70);
insert into party_balances_folded
  select party_type, party_id, ledger_account_id, currency, period, sum(debit_minor), sum(credit_minor),
    sum(base_debit_minor), sum(base_credit_minor), sum(entries)
  from party_balances group by party_type, party_id, ledger_account_id, currency, period;

drop view balance_drift, party_drift;
drop table ledger_balances, party_balances;

create view ledger_balances as
  select division, ledger_account_id, currency, period, debit_minor, credit_minor, base_debit_minor,
    base_credit_minor, entries
  from ledger_balances_folded
  union all
  select e.division, e.ledger_account_id, e.currency, e.period, greatest(e.amount_minor, 0),
    greatest(-e.amount_minor, 0), greatest(e.base_amount_minor, 0), greatest(-e.base_amount_minor, 0), 1::bigint
  from ledger_fold_queue q join journal_entries e on e.transaction_id = q.transaction_id;

create view party_balances as
  select party_type, party_id, ledger_account_id, currency, period, debit_minor, credit_minor, base_debit_minor,
    base_credit_minor, entries
  from party_balances_folded
  union all
  select e.party_type, e.party_id, e.ledger_account_id, e.currency, e.period, greatest(e.amount_minor, 0),
    greatest(-e.amount_minor, 0), greatest(e.base_amount_minor, 0), greatest(-e.base_amount_minor, 0), 1::bigint
  from ledger_fold_queue q join journal_entries e on e.transaction_id = q.transaction_id
  where e.party_id is not null;

-- As before (0028): what these return is wrong, ever.
create view balance_drift as
  select division, ledger_account_id, currency, period, sum(d) as debit_minor, sum(c) as credit_minor,
    sum(bd) as base_debit_minor, sum(bc) as base_credit_minor, sum(n) as entries
  from (
    select division, ledger_account_id, currency, period, debit_minor d, credit_minor c, base_debit_minor bd,
      base_credit_minor bc, entries n from ledger_balances
    union all
    select division, ledger_account_id, currency, period, -greatest(amount_minor, 0), -greatest(-amount_minor, 0),
      -greatest(base_amount_minor, 0), -greatest(-base_amount_minor, 0), -1 from posted_entries) x
  group by 1, 2, 3, 4 having sum(d) <> 0 or sum(c) <> 0 or sum(bd) <> 0 or sum(bc) <> 0 or sum(n) <> 0;
create view party_drift as
  select ledger_account_id, party_type, party_id, currency, period, sum(d) as debit_minor, sum(c) as credit_minor,
    sum(bd) as base_debit_minor, sum(bc) as base_credit_minor, sum(n) as entries
  from (
    select ledger_account_id, party_type, party_id, currency, period, debit_minor d, credit_minor c,
      base_debit_minor bd, base_credit_minor bc, entries n from party_balances
    union all
    select ledger_account_id, party_type, party_id, currency, period, -greatest(amount_minor, 0),
      -greatest(-amount_minor, 0), -greatest(base_amount_minor, 0), -greatest(-base_amount_minor, 0), -1
    from posted_entries where party_id is not null) x
  group by 1, 2, 3, 4, 5 having sum(d) <> 0 or sum(c) <> 0 or sum(bd) <> 0 or sum(bc) <> 0 or sum(n) <> 0;

-- Takes up to p_limit postings out of the queue and adds their lines to the folded rows; answers how many. Two at once
-- take different postings, and add in one order of keys. Nested loops by key whatever the statistics say: the queue is
-- empty when it is analysed and may hold an import a second later.
drop function ledger_fold(text, int);
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
    select e.* from taken join journal_entries e on e.transaction_id = taken.transaction_id
  ), b as (
    insert into ledger_balances_folded as b (division, ledger_account_id, currency, period, debit_minor, credit_minor,
      base_debit_minor, base_credit_minor, entries)
    select division, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
      sum(greatest(-amount_minor, 0)), sum(greatest(base_amount_minor, 0)), sum(greatest(-base_amount_minor, 0)),
      count(*)
    from e group by division, ledger_account_id, currency, period order by ledger_account_id, currency, period
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
    group by party_type, party_id, ledger_account_id, currency, period order by 1, 2, 3, 4, 5
    on conflict (party_type, party_id, ledger_account_id, currency, period) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  )
  select count(*) into taken from taken;
  return taken;
end $$;

-- What follows from lines that stand in journal_entries already (drafts, reversals, postings in bulk): their balances
-- by way of the queue, open items, the queue of the chain, the audit.
create or replace function ledger_add_balances(ids bigint[], p_actor bigint, p_action text) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
begin
  insert into ledger_fold_queue (transaction_id) select id from unnest(ids) u (id);
  insert into open_items (journal_entry_id, transaction_id, division, ledger_account_id, party_type, party_id,
    currency,
    document_type, document_id, opened_on, due_date, original_minor, original_base_minor, open_minor, open_base_minor)
  select e.id, e.transaction_id, e.division, e.ledger_account_id, e.party_type, e.party_id, e.currency, t.source_type,
    t.source_id, e.transaction_at, coalesce(e.due_date, e.transaction_at), e.amount_minor, e.base_amount_minor,
    e.amount_minor, e.base_amount_minor
  from journal_entries e join transactions t on t.id = e.transaction_id join ledger_accounts a
    on a.id = e.ledger_account_id
  where e.transaction_id = any (ids) and a.has_open_items and e.amount_minor <> 0 order by e.id;
  insert into ledger_chain_queue (transaction_id) select id from unnest(ids) u (id);
  insert into audit_events (actor_id, action, entity, entity_id) select p_actor, p_action, 'transaction',
    id from unnest(ids) u (id);
end $$;

-- A foreign currency is one that exists, and sums to nothing (1.6 no. 2) unless the kind lets it differ.
drop function ledger_check_currencies(bigint, text);
create function ledger_check_currencies(p_id bigint, p_functional text, p_may_differ boolean) returns void
language plpgsql as $$
declare
  wrong text;
begin
  select currency into wrong from journal_entries where transaction_id = p_id and currency <> p_functional
    and not exists (select 1 from currencies c where c.code = currency) limit 1;
  if found then perform ledger_refuse('ACCT_LINE', 'unknown currency ' || wrong); end if;
  if p_may_differ then return; end if;
  select currency into wrong from journal_entries where transaction_id = p_id and currency <> p_functional
    group by currency having sum(amount_minor) <> 0 limit 1;
  if found then perform ledger_refuse('ACCT_CURRENCY_UNBALANCED', wrong); end if;
end $$;

-- A closed period needs nothing more than any other: its balances are rows without shards from the first day.
create or replace function ledger_set_period(p_division text, p_period int, p_state text, p_actor bigint,
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
alter table periods drop column folded_at;

grant select on ledger_balances, party_balances, ledger_balances_folded, party_balances_folded, ledger_fold_queue,
  balance_drift, party_drift to app_rw;
revoke all on function ledger_fold(int), ledger_check_currencies(bigint, text, boolean) from public;
grant execute on function ledger_fold(int) to app_rw;
