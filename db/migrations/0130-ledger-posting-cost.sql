-- The cost of a posting, cut where a profile of the instructions showed it (docs/benchmarks/ledger.md); nothing that a
-- posting checks or writes changes. PostgreSQL builds a statement's nodes anew on every call, so columns and joins
-- that nobody needs are what a posting pays for:
-- - lines are read from the arrays by position; an UNNEST of sixteen arrays keeps sixteen row stores;
-- - balances, party balances and items are made from the rows that the lines were inserted as, without joining again;
-- - the check at COMMIT finds the lines of its header by their key whatever the statistics of the table say.

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
  r record;
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
  with l as materialized (
    select n, a.id as account_id, p_currencies[n] as currency, p_amounts[n] as amount, p_bases[n] as base,
      p_party_types[n] as party_type, a.is_cash, a.has_open_items,
      ledger_line_fault(a, g_functional, g_manual, g_tax_locked, p_currencies[n], p_amounts[n], p_bases[n],
        p_party_types[n], p_tax_code_ids[n]) as fault
    from generate_series(1, greatest(cardinality(p_accounts), cardinality(p_currencies), cardinality(p_amounts),
      cardinality(p_bases))) n
    left join ledger_accounts a on a.division = p_division and a.code = p_accounts[n]
  ), s as materialized (
    select count(*) as lines, coalesce(sum(base), 0) as base,
      min(fault || ' line ' || n || ' ' || coalesce(p_accounts[n], '')) as fault,
      coalesce(sum(base) filter (where is_cash), 0) as cash, coalesce(sum(base) filter (where base > 0), 0) as total,
      array_agg(account_id) filter (where has_open_items) as item_accounts,
      coalesce(bool_or(currency <> g_functional), false) as is_foreign
    from l
  ), h as (
    insert into transactions (division, kind, status, transaction_at, period, direction, currency, total_minor,
      source_type, source_id, source_event, source_attempt, intercompany_group_id, description,
      posted_at, posted_by)
    select p_division, p_kind, 'posted', p_at, g_period,
      case when s.cash > 0 then 'in' when s.cash < 0 then 'out' else 'neutral' end, p_currencies[1], s.total,
      p_source_type, p_source_id, p_source_event, coalesce(p_source_attempt, 1), p_group, coalesce(p_description, ''),
      now(), p_actor
    from s where s.lines >= 2 and s.base = 0 and s.fault is null
    on conflict (source_type, source_id, source_event, source_attempt) where source_id is not null do nothing
    returning id
  ), e as (
    insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency,
      amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id, show_id,
      payment_id, tax_code_id, tax_base_minor, due_date, memo)
    select h.id, n, p_division, p_at, g_period, l.account_id, l.currency, l.amount, l.base, p_fx_rates[n], l.party_type,
      p_party_ids[n], p_invoice_ids[n], p_bill_ids[n], p_license_ids[n], p_show_ids[n], p_payment_ids[n],
      p_tax_code_ids[n], p_tax_bases[n], p_due_dates[n], p_memos[n]
    from h, l
    returning id, ledger_account_id as account_id, currency, amount_minor as amount, base_amount_minor as base,
      party_type, party_id, due_date, transaction_id
  ), b as (
    insert into ledger_balances as b (division, ledger_account_id, currency, period, shard,
      debit_minor, credit_minor, base_debit_minor, base_credit_minor, entries)
    select p_division, account_id, currency, g_period, pg_backend_pid() % 16, sum(greatest(amount, 0)),
      sum(greatest(-amount, 0)), sum(greatest(base, 0)), sum(greatest(-base, 0)), count(*)
    from e group by account_id, currency order by account_id, currency
    on conflict (ledger_account_id, currency, period, shard) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  ), p as (
    insert into party_balances as b (party_type, party_id, ledger_account_id, currency, period, shard,
      debit_minor, credit_minor, base_debit_minor, base_credit_minor, entries)
    select party_type, party_id, account_id, currency, g_period,
      case when party_type = 'tax_authority' then pg_backend_pid() % 16 else 0 end, sum(greatest(amount, 0)),
      sum(greatest(-amount, 0)), sum(greatest(base, 0)), sum(greatest(-base, 0)), count(*)
    from e where party_id is not null
    group by party_type, party_id, account_id, currency order by 1, 2, 3, 4
    on conflict (party_type, party_id, ledger_account_id, currency, period, shard) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  ), o as (
    insert into open_items (journal_entry_id, transaction_id, division, ledger_account_id, party_type, party_id,
      currency,
      document_type, document_id, opened_on, due_date, original_minor, original_base_minor, open_minor,
        open_base_minor)
    select e.id, e.transaction_id, p_division, e.account_id, e.party_type, e.party_id, e.currency, p_source_type,
      p_source_id, p_at, coalesce(e.due_date, p_at), e.amount, e.base, e.amount, e.base
    from s, e where e.account_id = any (s.item_accounts) and e.amount <> 0
  ), q as (
    insert into ledger_chain_queue (transaction_id) select id from h
  ), a as (
    insert into audit_events (actor_id, action, entity, entity_id) select p_actor, 'post', 'transaction', id from h
  )
  select h.id, s.lines, s.base, s.fault, s.is_foreign into r from s left join h on true;
  transaction_id := r.id;
  replayed := false;
  if r.id is not null then
    if r.is_foreign and not g_may_differ then
      perform ledger_check_currencies(r.id, g_functional);
    end if;
    return;
  end if;
  if r.fault is not null then perform ledger_refuse(split_part(r.fault, ' ', 1), substr(r.fault, strpos(r.fault,
    ' ') + 1)); end if;
  if r.base <> 0 then perform ledger_refuse('ACCT_UNBALANCED', 'by ' || r.base || ' minor units'); end if;
  if r.lines < 2 then perform ledger_refuse('ACCT_TOO_FEW_LINES', r.lines || ' line(s)'); end if;
  select t.id into transaction_id from transactions t where t.source_type = p_source_type
    and t.source_id = p_source_id
    and t.source_event = p_source_event and t.source_attempt = coalesce(p_source_attempt, 1);
  -- posted by someone else after this transaction's snapshot (repeatable read): let the caller begin again
  if transaction_id is null then raise exception 'source event posted meanwhile' using errcode = '40001'; end if;
  replayed := true;
end $$;

alter function tg_transactions_commit() set plan_cache_mode = force_generic_plan;
alter function tg_transactions_commit() set enable_seqscan = off;
alter function tg_transactions_commit() set enable_bitmapscan = off;
