-- A posting's expressions, fewer of them (docs/decisions, "Balances are folded"; docs/benchmarks/ledger.md). PostgreSQL
-- reads or builds each name, operator and column of a statement anew on every call: what is not written is not paid
-- for. What is checked, written and refused is as before.

-- 1. The rules of a row are handed the row instead of its columns: the text of a CHECK is read anew by each statement
--    that inserts, and a row is one name in it where its columns were twelve.
alter table transactions drop constraint transactions_rules;
alter table journal_entries drop constraint journal_entries_rules;
alter table open_items drop constraint open_items_rules;
drop function transaction_holds(text, timestamptz, timestamptz, text, text, text, bigint, text, smallint, text, text,
  text), journal_entry_holds(int, bigint, bigint, numeric, text, bigint, text),
  open_item_holds(bigint, bigint, bigint, bigint);

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

-- amount 0 is a line of exchange difference; otherwise both sides of a line have one sign (accounting.md 1.6)
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

-- never applied beyond its amount, never turned over (I7)
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

-- 2. The check at COMMIT asks for the status itself: a condition of a trigger is text as well, read anew each time.
drop trigger transactions_commit on transactions;
create constraint trigger transactions_commit after insert or update of status on transactions
  deferrable initially deferred for each row execute function tg_transactions_commit();
create or replace function tg_transactions_commit() returns trigger
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

-- 3. A posting's gate reads the period alone; what it needs of division and kind are two look-ups by key, and whether
--    currencies may differ is asked where there are foreign ones.
create or replace function ledger_post(
  p_division text, p_kind text, p_at date, p_description text, p_actor bigint,
  p_source_type text, p_source_id bigint, p_source_event text, p_source_attempt int, p_group bigint,
  p_accounts text[], p_currencies text[], p_amounts bigint[], p_bases bigint[],
  p_party_types text[] default null, p_party_ids bigint[] default null, p_fx_rates numeric[] default null,
  p_invoice_ids bigint[] default null, p_bill_ids bigint[] default null, p_license_ids bigint[] default null,
  p_show_ids bigint[] default null, p_payment_ids bigint[] default null, p_tax_code_ids bigint[] default null,
  p_tax_bases bigint[] default null, p_due_dates date[] default null, p_memos text[] default null,
  out transaction_id bigint, out replayed boolean)
language plpgsql security definer
set search_path = public, ledger_door, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
declare
  g_period int;
  g_functional text;
  g_manual boolean;
  g_tax_locked boolean := false;
  g_plain boolean;
  l_lines int := greatest(cardinality(p_accounts), cardinality(p_currencies), cardinality(p_amounts),
    cardinality(p_bases));
  l_accounts bigint[];
  l_items bigint[];
  l_base numeric;
  l_total bigint;
  l_cash bigint;
  l_faulty int;
  l_foreign boolean;
begin
  -- the gate's own question for an open period without locks, without the call; anything else goes through it
  select s.period, (select functional_currency from divisions where code = p_division),
      (select is_manual from transaction_kinds where kind = p_kind), s.ends >= p_at and s.state = 'open'
        and not coalesce(p_at <= greatest(s.hard_locked_through, s.sales_locked_through, s.purchase_locked_through,
          s.tax_locked_through, s.bank_locked_through), false)
    into g_period, g_functional, g_manual, g_plain
    from periods s where s.division = p_division and s.starts <= p_at order by s.starts desc limit 1 for key share;
  if g_plain is not true or g_manual is null then
    select gate.period, gate.functional, gate.manual, gate.tax_locked
      into g_period, g_functional, g_manual, g_tax_locked
      from ledger_gate(p_division, p_kind, p_at, p_actor) gate;
  end if;
  if p_source_attempt > 1 then
    perform ledger_check_attempt(p_source_type, p_source_id, p_source_event, p_source_attempt);
  end if;
  select array_agg(a.id), array_agg(a.id) filter (where a.has_open_items), sum(p_bases[n]),
      coalesce(sum(p_bases[n]) filter (where p_bases[n] > 0), 0),
      coalesce(sum(p_bases[n]) filter (where a.is_cash), 0),
      min(n) filter (where ledger_line_fault(a, g_functional, g_manual, g_tax_locked, p_currencies[n], p_amounts[n],
        p_bases[n], p_party_types[n], p_tax_code_ids[n]) is not null),
      bool_or(p_currencies[n] <> g_functional)
    into l_accounts, l_items, l_base, l_total, l_cash, l_faulty, l_foreign
    from generate_series(1, l_lines) n
      left join ledger_accounts a on a.division = p_division and a.code = p_accounts[n];
  if l_faulty is not null or l_base <> 0 or l_lines < 2 then
    perform ledger_refuse_lines(l_faulty, p_accounts[l_faulty], case when l_faulty is not null then (
      select ledger_line_fault(a, g_functional, g_manual, g_tax_locked, p_currencies[l_faulty], p_amounts[l_faulty],
        p_bases[l_faulty], p_party_types[l_faulty], p_tax_code_ids[l_faulty])
      from (values (1)) one left join ledger_accounts a on a.division = p_division and a.code = p_accounts[l_faulty])
      end, l_base, l_lines);
  end if;
  insert into transactions (division, kind, status, transaction_at, period, direction, currency, total_minor,
    source_type, source_id, source_event, source_attempt, intercompany_group_id, description, posted_at, posted_by)
  values (p_division, p_kind, 'posted', p_at, g_period,
    case when l_cash > 0 then 'in' when l_cash < 0 then 'out' else 'neutral' end, p_currencies[1], l_total,
    p_source_type, p_source_id, p_source_event, coalesce(p_source_attempt, 1), p_group, coalesce(p_description, ''),
    now(), p_actor)
  on conflict (source_type, source_id, source_event, source_attempt) where source_id is not null do nothing
  returning id into transaction_id;
  if transaction_id is null then
    select t.id into transaction_id from transactions t where t.source_type = p_source_type
      and t.source_id = p_source_id
      and t.source_event = p_source_event and t.source_attempt = coalesce(p_source_attempt, 1);
    -- posted by someone else after this transaction's snapshot (repeatable read): let the caller begin again
    if transaction_id is null then raise exception 'source event posted meanwhile' using errcode = '40001'; end if;
    replayed := true;
    return;
  end if;
  with e as (
    insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency, amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id,
      show_id, payment_id, tax_code_id, tax_base_minor, due_date, memo)
    select ledger_post.transaction_id, n, p_division, p_at, g_period, l_accounts[n], p_currencies[n], p_amounts[n],
      p_bases[n], p_fx_rates[n], p_party_types[n], p_party_ids[n], p_invoice_ids[n], p_bill_ids[n], p_license_ids[n],
      p_show_ids[n], p_payment_ids[n], p_tax_code_ids[n], p_tax_bases[n], p_due_dates[n], p_memos[n]
    from generate_series(1, l_lines) n
    returning id, line_no, ledger_account_id
  ), o as (
    insert into open_items (journal_entry_id, transaction_id, division, ledger_account_id, party_type, party_id,
      currency, document_type, document_id, opened_on, due_date, original_minor, original_base_minor, open_minor,
      open_base_minor)
    select e.id, ledger_post.transaction_id, p_division, e.ledger_account_id, p_party_types[line_no],
      p_party_ids[line_no], p_currencies[line_no], p_source_type, p_source_id, p_at,
      coalesce(p_due_dates[line_no], p_at), p_amounts[line_no], p_bases[line_no], p_amounts[line_no], p_bases[line_no]
    from e where e.ledger_account_id = any (l_items) and p_amounts[line_no] <> 0
  ), f as (
    insert into ledger_fold_queue (transaction_id) values (ledger_post.transaction_id)
  ), q as (
    insert into ledger_chain_queue (transaction_id) values (ledger_post.transaction_id)
  )
  insert into audit_events (actor_id, action, entity, entity_id)
    values (p_actor, 'post', 'transaction', ledger_post.transaction_id);
  if l_foreign then perform ledger_check_currencies(transaction_id, g_functional,
    (select currency_may_differ from transaction_kinds where kind = p_kind)); end if;
  replayed := false;
end $$;

-- 4. Folding takes the columns that it adds up, not whole lines, and puts parties in order by number before text.
create or replace function ledger_fold(p_limit int default 10000) returns int
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
