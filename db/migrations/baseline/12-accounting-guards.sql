-- Rules that the ledger tables enforce for everyone. Refusals carry SQLSTATE LG001 and a message that starts with
-- their code (ACCT_...), which the server maps to its own errors.
--
-- The rules of a row are one function per table instead of many checks: PostgreSQL parses the text of every CHECK
-- anew for each statement that writes to the table, and a function once per connection. A row that breaks a rule is
-- refused with the name that the rule's own constraint would have. See docs/benchmarks/ledger.md.

create function ledger_refuse(code text, about text) returns void language plpgsql as $$
begin
  raise exception '% %', code, about using errcode = 'LG001';
end $$;

-- Refuses writes from outside the functions of the ledger. Checks the usual case first, in one expression.
create function tg_ledger_door() returns trigger language plpgsql as $$
begin
  if strpos(current_setting('search_path'), 'ledger_door') > 0 and tg_op <> 'TRUNCATE' then return null; end if;
  if tg_op = 'TRUNCATE' then perform ledger_refuse('ACCT_IMMUTABLE', 'truncate of ' || tg_table_name); end if;
  perform ledger_refuse('ACCT_DOOR', lower(tg_op) || ' on ' || tg_table_name || ' outside the functions of the ledger');
  return null;
end $$;

create trigger transactions_door before insert or update or delete on transactions
  for each statement execute function tg_ledger_door();

create trigger transactions_truncate before truncate on transactions
  for each statement execute function tg_ledger_door();

create trigger journal_entries_door before insert or update or delete on journal_entries
  for each statement execute function tg_ledger_door();

create trigger journal_entries_truncate before truncate on journal_entries
  for each statement execute function tg_ledger_door();

-- Status machine: draft -> posted or void, posted -> reversed. Of a posted header only its status, its number (once,
-- from nothing) and the verifier's flag may change.
create function tg_transactions_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status not in ('draft', 'void') or old.posted_at is not null then
      perform ledger_refuse('ACCT_IMMUTABLE', 'delete of transaction ' || old.id);
    end if;
    return old;
  end if;
  if old.status <> new.status and (old.status, new.status) not in
      (('draft', 'posted'), ('draft', 'void'), ('posted', 'reversed')) then
    perform ledger_refuse('ACCT_STATUS', old.status || ' to ' || new.status || ' of transaction ' || old.id);
  end if;
  if old.status in ('posted', 'reversed') then
    if (old.number is not null and new.number is distinct from old.number)
      or to_jsonb(new) - '{status,number,has_posting_discrepencies,updated_at}'::text[]
        is distinct from to_jsonb(old) - '{status,number,has_posting_discrepencies,updated_at}'::text[] then
      perform ledger_refuse('ACCT_IMMUTABLE', 'transaction ' || old.id);
    end if;
  elsif old.status = 'void' and to_jsonb(new) - '{deleted_at,updated_at}'::text[]
      is distinct from to_jsonb(old) - '{deleted_at,updated_at}'::text[] then
    perform ledger_refuse('ACCT_IMMUTABLE', 'void transaction ' || old.id);
  end if;
  new.updated_at := now();
  return new;
end $$;

create trigger transactions_guard before update or delete on transactions
  for each row execute function tg_transactions_guard();

-- Lines change only while their transaction is a draft, and never move to another one.
create function tg_journal_entries_guard() returns trigger language plpgsql as $$
begin
  if (select status from transactions where id = old.transaction_id) not in ('draft', 'void') then
    perform ledger_refuse('ACCT_IMMUTABLE', 'journal entry ' || old.id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  if new.transaction_id <> old.transaction_id then
    perform ledger_refuse('ACCT_IMMUTABLE', 'a line never changes its transaction');
  end if;
  return new;
end $$;

create trigger journal_entries_guard before update or delete on journal_entries
  for each row execute function tg_journal_entries_guard();

-- Last line of defence at COMMIT, once per header: balanced, reversal paired and mirrored, attempt after a reversed
-- attempt, intercompany in two divisions. It can be forced early, so the functions check all of it themselves too.
create function tg_transactions_commit() returns trigger
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  balanced boolean;
begin
  if new.status not in ('posted', 'reversed') then return null; end if;
  select sum(base_amount_minor) = 0 and count(*) >= 2 into balanced from journal_entries where transaction_id = new.id;
  if balanced is not true then
    perform ledger_refuse('ACCT_UNBALANCED', 'transaction ' || new.id || ' at commit');
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

-- Both ends of a reversal: the original is marked, the mirror names it, and over the pair every account, currency and
-- party sums to nothing.
create function ledger_check_reversal(p_id bigint) returns void language plpgsql as $$
declare
  mirror transactions;
  original transactions;
begin
  select * into mirror from transactions where reverses_id = p_id and status in ('posted', 'reversed');
  if not found and (select status from transactions where id = p_id) = 'reversed' then
    perform ledger_refuse('ACCT_NO_REVERSAL', 'transaction ' || p_id || ' is marked reversed by nothing');
  end if;
  select * into mirror from transactions where id = p_id;
  if mirror.reverses_id is null then return; end if;
  select * into original from transactions where id = mirror.reverses_id;
  if original.status <> 'reversed' or original.division <> mirror.division then
    perform ledger_refuse('ACCT_NO_REVERSAL', 'transaction ' || p_id || ' reverses ' || original.id
      || ', which is ' || original.status || ' in ' || original.division);
  end if;
  perform 1 from journal_entries where transaction_id in (p_id, original.id)
    group by ledger_account_id, currency, party_type, party_id
    having sum(amount_minor) <> 0 or sum(base_amount_minor) <> 0;
  if found then perform ledger_refuse('ACCT_NOT_A_MIRROR', 'transaction ' || p_id || ' of ' || original.id); end if;
end $$;

-- One posting per business event and attempt (1.5): attempt n needs attempt n-1 reversed.
create function ledger_check_attempt(p_type text, p_id bigint, p_event text, p_attempt int) returns void
language plpgsql as $$
begin
  perform 1 from transactions where source_type = p_type and source_id = p_id and source_event = p_event
    and source_attempt = p_attempt - 1 and status = 'reversed';
  if not found then
    perform ledger_refuse('ACCT_ATTEMPT', format('%s %s %s: attempt %s is not reversed', p_type, p_id, p_event,
      p_attempt - 1));
  end if;
end $$;

-- An intercompany event is one transaction in each of two divisions (1.1); on the accounts between divisions each
-- names the other, and per currency they sum to nothing, so that consolidation can eliminate them.
create function ledger_check_group(p_group bigint) returns void language plpgsql as $$
declare
  members int;
begin
  select count(distinct division) into members from transactions
    where intercompany_group_id = p_group and status in ('posted', 'reversed');
  if members <> 2 then
    perform ledger_refuse('ACCT_INTERCOMPANY', 'group ' || p_group || ' has postings in ' || members ||
      ' division(s), not two');
  end if;
  perform 1 from transactions t join journal_entries e on e.transaction_id = t.id
    join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('due_from', 'due_to')
    where t.intercompany_group_id = p_group and t.status in ('posted', 'reversed')
    group by e.currency having sum(e.amount_minor) <> 0;
  if found then perform ledger_refuse('ACCT_INTERCOMPANY', 'group ' || p_group || ': the two sides differ'); end if;
  perform 1 from transactions t join journal_entries e on e.transaction_id = t.id
    join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('due_from', 'due_to')
    where t.intercompany_group_id = p_group and t.status in ('posted', 'reversed') and e.party_type = 'division'
      and e.party_id not in (select d.id from transactions o join divisions d on d.code = o.division
        where o.intercompany_group_id = p_group and o.division <> t.division);
  if found then perform ledger_refuse('ACCT_INTERCOMPANY', 'group ' || p_group || ': a line names another division');
    end if;
end $$;

-- A used account, and one that the product finds by its key, keeps its code: every posting is made by code, so a
-- change of it would send the next posting elsewhere.
create function tg_ledger_accounts_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used boolean := exists (select 1 from journal_entries where ledger_account_id = old.id);
begin
  if tg_op = 'DELETE' then
    if used then perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code); end if;
    if old.system_key is not null then
      perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', old.division || ' ' || old.code || ': the product posts to it');
    end if;
    return old;
  end if;
  if used and ((new.division, new.class, new.currency, new.party_types, new.is_control, new.has_open_items)
      is distinct from (old.division, old.class, old.currency, old.party_types, old.is_control, old.has_open_items)
      or (new.deleted_at is not null and old.deleted_at is null)) then
    perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code);
  end if;
  -- postings, documents and exports name an account by its code
  if new.code <> old.code and (used or old.system_key is not null) then
    perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code || ' keeps its code');
  end if;
  if new.system_key is distinct from old.system_key then
    perform ledger_refuse('ACCT_SYSTEM_ACCOUNT',
      old.division || ' ' || old.code || ': the product finds it by its key');
  end if;
  if old.system_key is not null and (new.deleted_at is not null or not new.active) then
    perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', old.division || ' ' || old.code || ': the product posts to it');
  end if;
  new.updated_at := now();
  return new;
end $$;

create trigger ledger_accounts_guard before update or delete on ledger_accounts
  for each row execute function tg_ledger_accounts_guard();

-- The tree of headers has no circle; a header leaves it only when nothing hangs on it.
create function tg_ledger_headers_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.is_system then perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', 'header ' || old.code); end if;
    return old;
  end if;
  if new.parent_id is not null and exists (
    with recursive up as (
      select parent_id from ledger_headers where id = new.parent_id
      union select h.parent_id from ledger_headers h join up on h.id = up.parent_id)
    select 1 from up where parent_id = new.id) then
    perform ledger_refuse('ACCT_HEADER_CIRCLE', 'header ' || new.code);
  end if;
  if new.deleted_at is not null and (new.is_system
      or exists (select 1 from ledger_accounts where ledger_header_id = new.id and deleted_at is null)
      or exists (select 1 from ledger_headers where parent_id = new.id and deleted_at is null)) then
    perform ledger_refuse('ACCT_HEADER_IN_USE', 'header ' || new.code);
  end if;
  new.updated_at := now();
  return new;
end $$;

create trigger ledger_headers_guard before update or delete on ledger_headers
  for each row execute function tg_ledger_headers_guard();

-- Closing takes FOR UPDATE against the FOR KEY SHARE of postings under way: it waits for them, and they for it (1.3).
create function tg_periods_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'delete of period ' || old.period);
  end if;
  perform 1 from periods where id = old.id for update;
  if (new.division, new.period, new.starts, new.ends) is distinct from (old.division, old.period, old.starts,
    old.ends) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'dates of period ' || old.division || ' ' || old.period);
  end if;
  if new.hard_locked_through is distinct from old.hard_locked_through
      and coalesce(new.hard_locked_through < old.hard_locked_through, true) and old.hard_locked_through is not null
        then
    perform ledger_refuse('ACCT_HARD_LOCK', 'the hard lock never moves back');
  end if;
  if old.state = 'closed' and new.state <> 'closed' and old.ends <= old.hard_locked_through then
    perform ledger_refuse('ACCT_HARD_LOCK', 'period ' || old.division || ' ' || old.period ||
      ' is behind the hard lock');
  end if;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;

create trigger periods_guard before update or delete on periods for each row execute function tg_periods_guard();

-- Applications are told forward only (1.1): append-only whoever asks.
create function tg_ledger_append_only() returns trigger language plpgsql as $$
begin
  perform ledger_refuse('ACCT_IMMUTABLE', lower(tg_op) || ' on ' || tg_table_name);
  return null;
end $$;

create trigger allocations_append_only before update or delete or truncate on allocations
  for each statement execute function tg_ledger_append_only();

create trigger number_uses_append_only before update or delete or truncate on number_uses
  for each statement execute function tg_ledger_append_only();

create trigger ledger_chain_append_only before update or delete or truncate on ledger_chain
  for each statement execute function tg_ledger_append_only();

create function transaction_holds(t transactions) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  -- the usual row first: every name in an expression is built anew in each transaction
  if t.status = 'posted' and t.posted_at is not null and t.deleted_at is null and t.number is null
      and t.reversal_reason is null and t.source_type is not null and t.source_id is not null
      and t.source_event is not null and t.source_attempt >= 1 and t.source_type <> '' and t.source_event <> ''
      and length(t.source_type) <= 40 and length(t.source_event) <= 60 and t.direction in ('in', 'out', 'neutral')
      and length(t.description) <= 500 and t.memo = '' then
    return true;
  end if;
  broken := case
    when t.status not in ('draft', 'posted', 'reversed', 'void') then 'transactions_status_check'
    when (t.status in ('posted', 'reversed')) <> (t.posted_at is not null) then 'transactions_check'
    when t.number is not null and t.status not in ('posted', 'reversed') then 'transactions_check1'
    when num_nulls(t.source_type, t.source_id, t.source_event) not in (0, 3) then 'transactions_check2'
    when t.source_id is not null and t.status not in ('posted', 'reversed') then 'transactions_check3'
    when t.deleted_at is not null and t.status not in ('draft', 'void') then 'transactions_check4'
    when t.direction not in ('in', 'out', 'neutral') then 'transactions_direction_check'
    when length(t.number) not between 1 and 60 then 'transactions_number_check'
    when length(t.source_type) not between 1 and 40 then 'transactions_source_type_check'
    when length(t.source_event) not between 1 and 60 then 'transactions_source_event_check'
    when t.source_attempt < 1 then 'transactions_source_attempt_check'
    when length(t.reversal_reason) > 500 then 'transactions_reversal_reason_check'
    when length(t.description) > 500 then 'transactions_description_check'
    when length(t.memo) > 2000 then 'transactions_memo_check' end;
  return broken is null or refuse_row('transactions', broken);
end $$;

-- Amount 0 is a line of exchange difference; otherwise amount and base amount have the same sign.
create function journal_entry_holds(e journal_entries) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if e.line_no >= 1 and e.amount_minor = e.base_amount_minor and e.amount_minor <> 0 and e.fx_rate is null
      and e.memo is null and e.amount_minor between -1000000000000 and 1000000000000
      and (e.party_id is null and e.party_type is null or e.party_id is not null and e.party_type in ('customer',
        'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division')) then
    return true;
  end if;
  broken := case
    when e.line_no < 1 then 'journal_entries_line_no_check'
    when e.amount_minor not between -1000000000000 and 1000000000000 then 'journal_entries_amount_minor_check'
    when e.base_amount_minor not between -1000000000000 and 1000000000000 then 'journal_entries_base_amount_minor_check'
    when e.amount_minor = 0 and e.base_amount_minor = 0 then 'journal_entries_check'
    when (e.amount_minor > 0) <> (e.base_amount_minor > 0) and e.amount_minor <> 0 and e.base_amount_minor <> 0
      then 'journal_entries_check1'
    when (e.party_type is null) <> (e.party_id is null) then 'journal_entries_check2'
    when e.party_type not in ('customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division')
      then 'journal_entries_party_type_check'
    when e.fx_rate <= 0 then 'journal_entries_fx_rate_check'
    when length(e.memo) > 500 then 'journal_entries_memo_check' end;
  return broken is null or refuse_row('journal_entries', broken);
end $$;

-- Never applied beyond its amount, and its sign never changes.
create function open_item_holds(i open_items) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if i.open_minor = i.original_minor and i.open_base_minor = i.original_base_minor and i.original_minor <> 0 then
    return true;
  end if;
  broken := case
    when i.original_minor = 0 then 'open_items_original_minor_check'
    when i.open_minor not between least(i.original_minor, 0) and greatest(i.original_minor, 0) then 'open_items_check'
    when i.open_base_minor not between least(i.original_base_minor, 0) and greatest(i.original_base_minor, 0)
      then 'open_items_check1'
    when i.open_minor = 0 and i.open_base_minor <> 0 then 'open_items_check2' end;
  return broken is null or refuse_row('open_items', broken);
end $$;

alter table transactions add constraint transactions_rules check (transaction_holds(transactions));
alter table journal_entries add constraint journal_entries_rules check (journal_entry_holds(journal_entries));
alter table open_items add constraint open_items_rules check (open_item_holds(open_items));

-- The function checks the status itself: PostgreSQL parses a WHEN condition anew each time.
create constraint trigger transactions_commit after insert or update of status on transactions
  deferrable initially deferred for each row execute function tg_transactions_commit();

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function ledger_check_attempt(text, bigint, text, integer), ledger_check_group(bigint),
  ledger_check_reversal(bigint), ledger_refuse(text, text), tg_journal_entries_guard(), tg_ledger_accounts_guard(),
  tg_ledger_append_only(), tg_ledger_door(), tg_ledger_headers_guard(), tg_periods_guard(), tg_transactions_commit(),
  tg_transactions_guard() from public;
