-- One posting in three short statements instead of one long one. PostgreSQL builds the nodes and expressions of a
-- statement anew on every call: rows that are handed from one part of a statement to the next, with all their columns,
-- cost more than the second statement does. The accounts are looked up and every line is judged in one aggregate, whose
-- results stay in variables; the header is written from them; lines, open items, queues and audit follow in one
-- statement. What is checked and refused is as before; where lines are faulty the first of them is named.

-- Why these lines cannot be posted: what ledger_post found, in words.
create function ledger_refuse_lines(p_faulty int, p_account text, p_fault text, p_base numeric, p_lines int)
returns void language plpgsql as $$
begin
  if p_fault is not null then
    perform ledger_refuse(p_fault, 'line ' || p_faulty || ' ' || coalesce(p_account, ''));
  end if;
  if p_base <> 0 then perform ledger_refuse('ACCT_UNBALANCED', 'by ' || p_base || ' minor units'); end if;
  perform ledger_refuse('ACCT_TOO_FEW_LINES', p_lines || ' line(s)');
end $$;
revoke all on function ledger_refuse_lines(int, text, text, numeric, int) from public;

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
  g_may_differ boolean;
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
  select p.period, d.functional_currency, k.currency_may_differ, k.is_manual, p.ends >= p_at and p.state = 'open'
      and not coalesce(p_at <= p.locked_through, false)
    into g_period, g_functional, g_may_differ, g_manual, g_plain
    from divisions d, transaction_kinds k, lateral (
      select s.period, s.ends, s.state, greatest(s.hard_locked_through, s.sales_locked_through,
        s.purchase_locked_through, s.tax_locked_through, s.bank_locked_through) as locked_through
      from periods s where s.division = d.code and s.starts <= p_at order by s.starts desc limit 1 for key share) p
    where d.code = p_division and k.kind = p_kind;
  if g_plain is not true then
    select gate.period, gate.functional, gate.may_differ, gate.manual, gate.tax_locked
      into g_period, g_functional, g_may_differ, g_manual, g_tax_locked
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
  if l_foreign then perform ledger_check_currencies(transaction_id, g_functional, g_may_differ); end if;
  replayed := false;
end $$;

-- The two guards of every posting ask their usual question first and in one expression; what they refuse is unchanged.
create or replace function tg_ledger_door() returns trigger language plpgsql as $$
begin
  if strpos(current_setting('search_path'), 'ledger_door') > 0 and tg_op <> 'TRUNCATE' then return null; end if;
  if tg_op = 'TRUNCATE' then perform ledger_refuse('ACCT_IMMUTABLE', 'truncate of ' || tg_table_name); end if;
  perform ledger_refuse('ACCT_DOOR', lower(tg_op) || ' on ' || tg_table_name || ' outside the functions of the ledger');
  return null;
end $$;

create or replace function tg_transactions_commit() returns trigger
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  balanced boolean;
begin
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
