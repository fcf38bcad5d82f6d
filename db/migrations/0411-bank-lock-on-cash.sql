-- Posting, one by one and in bulk, looks at cash accounts where a lock reaches the day: the bank lock holds them
-- whatever the kind of posting (0410). Everything else is as in 0320 and 0153.
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
    if exists (select 1 from ledger_accounts a where a.division = p_division and a.code = any (p_accounts)
        and a.is_cash) then
      perform ledger_hold_cash(p_division, p_at, p_actor);
    end if;
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

create or replace function ledger_post_many(
  p_actor bigint, p_divisions text[], p_kinds text[], p_ats date[], p_descriptions text[],
  p_source_types text[], p_source_ids bigint[], p_source_events text[], p_source_attempts int[],
  l_header int[], l_accounts text[], l_currencies text[], l_amounts bigint[], l_bases bigint[],
  l_party_types text[] default null, l_party_ids bigint[] default null, l_fx_rates numeric[] default null,
  l_invoice_ids bigint[] default null, l_bill_ids bigint[] default null, l_license_ids bigint[] default null,
  l_show_ids bigint[] default null, l_payment_ids bigint[] default null, l_tax_code_ids bigint[] default null,
  l_tax_bases bigint[] default null, l_due_dates date[] default null, l_memos text[] default null,
  p_groups bigint[] default null)
returns table (n int, transaction_id bigint, replayed boolean)
language plpgsql security definer
set search_path = public, ledger_door, pg_temp set plan_cache_mode = force_generic_plan set jit = off
set enable_nestloop = on set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  gates jsonb;
  ids_of regclass := pg_get_serial_sequence('transactions', 'id');
  r record;
  ids bigint[];
begin
  -- in the order of division and date, so that two runs lock periods in one order
  select jsonb_agg(jsonb_build_object('d', x.d, 'k', x.k, 'at', x.at) || to_jsonb(gate) order by x.d, x.at,
    x.k) into gates
    from (select distinct d, k, at from unnest(p_divisions, p_kinds, p_ats) u (d, k, at) order by d, at, k) x,
      lateral ledger_gate(x.d, x.k, x.at, p_actor) gate;
  for r in select distinct u.division, u.at
      from unnest(p_divisions, p_ats) with ordinality u (division, at, n)
        join periods p on p.division = u.division and p.bank_locked_through >= u.at and u.at between p.starts and p.ends
        join unnest(l_header, l_accounts) l (header, code) on l.header = u.n
        join ledger_accounts a on a.division = u.division and a.code = l.code and a.is_cash loop
    perform ledger_hold_cash(r.division, r.at, p_actor);
  end loop;
  for r in select * from unnest(p_source_types, p_source_ids, p_source_events, p_source_attempts) u (t, i, e, a)
    where a > 1 loop
    perform ledger_check_attempt(r.t, r.i, r.e, r.a);
  end loop;
  -- rows of these lists cannot be estimated: one by one they would be compared each with each
  perform set_config('enable_nestloop', 'off', true);
  with g as materialized (
    select * from jsonb_to_recordset(gates) x (d text, k text, at date, period int, functional text,
      may_differ boolean,
      manual boolean, tax_locked boolean)
  ), hd as materialized (
    select u.n::int as n, nextval(ids_of) as id, u.division, u.kind, u.at,
      u.description,
      u.source_type, u.source_id, u.source_event, coalesce(u.attempt, 1) as attempt, u.grp,
      g.period, g.functional, g.may_differ, g.manual, g.tax_locked
    from unnest(p_divisions, p_kinds, p_ats, p_descriptions, p_source_types, p_source_ids, p_source_events,
      p_source_attempts, p_groups) with ordinality
      u (division, kind, at, description, source_type, source_id, source_event, attempt, grp, n)
    join g on g.d = u.division and g.k = u.kind and g.at = u.at
  ), l as materialized (
    select u.*, a.id as account_id, a.is_cash, a.has_open_items, hd.functional, hd.may_differ,
      ledger_line_fault(a, hd.functional, hd.manual, hd.tax_locked, u.currency, u.amount, u.base, u.party_type,
        u.tax_code_id) as fault
    from unnest(l_header, l_accounts, l_currencies, l_amounts, l_bases, l_party_types, l_party_ids, l_fx_rates,
      l_invoice_ids,
      l_bill_ids, l_license_ids, l_show_ids, l_payment_ids, l_tax_code_ids, l_tax_bases, l_due_dates, l_memos)
      with ordinality u (header, account, currency, amount, base, party_type, party_id, fx_rate, invoice_id,
        bill_id, license_id, show_id, payment_id, tax_code_id, tax_base, due_date, memo, o)
    left join hd on hd.n = u.header
    left join ledger_accounts a on a.division = hd.division and a.code = u.account
  ), s as materialized (
    select l.header, count(*) as lines, sum(l.base) as base, min(l.o) as first,
      min(l.fault || ' line ' || l.o || ' ' || coalesce(l.account, '')) as fault,
      coalesce(sum(l.base) filter (where l.is_cash), 0) as cash, coalesce(sum(l.base) filter (where l.base > 0), 0)
        as total
    from l group by l.header
  ), bad as materialized (
    select coalesce(s.fault, case when s.base <> 0 then 'ACCT_UNBALANCED by ' || s.base || ' minor units'
        when coalesce(s.lines, 0) < 2 then 'ACCT_TOO_FEW_LINES ' || coalesce(s.lines, 0) || ' line(s)' end)
        || ' of transaction no. ' || coalesce(hd.n, s.header, 0) as fault
    from hd full join s on s.header = hd.n
    where s.fault is not null or s.base <> 0 or coalesce(s.lines, 0) < 2 or hd.n is null
    union all
    select 'ACCT_CURRENCY_UNBALANCED ' || l.currency || ' of transaction no. ' || l.header from l
      where l.currency <> l.functional and not l.may_differ group by l.header, l.currency having sum(l.amount) <> 0
    union all
    select 'ACCT_LINE unknown currency ' || l.currency || ' of transaction no. ' || l.header from l
      where l.currency <> l.functional and not exists (select 1 from currencies c where c.code = l.currency)
  ), h as (
    insert into transactions (id, division, kind, status, transaction_at, period, direction, currency, total_minor,
      source_type, source_id, source_event, source_attempt, intercompany_group_id, description,
      posted_at, posted_by) overriding system value
    select hd.id, hd.division, hd.kind, 'posted', hd.at, hd.period,
      case when s.cash > 0 then 'in' when s.cash < 0 then 'out' else 'neutral' end, l_currencies[s.first], s.total,
      hd.source_type, hd.source_id, hd.source_event, hd.attempt, hd.grp, coalesce(hd.description, ''),
      now(), p_actor
    from hd join s on s.header = hd.n where not exists (select 1 from bad)
    -- one order of source keys: two runs over the same events wait for each other, never in a circle
    order by hd.source_type, hd.source_id, hd.source_event, hd.attempt, hd.n
    on conflict (source_type, source_id, source_event, source_attempt) where source_id is not null do nothing
    returning id
  ), e as (
    insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency,
      amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id, show_id,
      payment_id, tax_code_id, tax_base_minor, due_date, memo)
    select h.id, l.o - s.first + 1, hd.division, hd.at, hd.period, l.account_id, l.currency, l.amount, l.base,
      l.fx_rate,
      l.party_type, l.party_id, l.invoice_id, l.bill_id, l.license_id, l.show_id, l.payment_id, l.tax_code_id,
        l.tax_base,
      l.due_date, l.memo
    from h join hd on hd.id = h.id join l on l.header = hd.n join s on s.header = hd.n order by l.o
  )
  select (select min(fault) from bad) as fault, array_agg(hd.n order by hd.n) as ns,
    array_agg(h.id order by hd.n) as ids into r from hd left join h on h.id = hd.id;
  perform set_config('enable_nestloop', 'on', true);
  if r.fault is not null then perform ledger_refuse(split_part(r.fault, ' ', 1), substr(r.fault, strpos(r.fault,
    ' ') + 1)); end if;
  ids := array_remove(r.ids, null);
  if cardinality(ids) > 0 then
    perform ledger_add_balances(ids, p_actor, 'post');
  end if;
  if cardinality(ids) = cardinality(r.ids) then
    return query select k.n, k.id, false from unnest(r.ns, r.ids) k (n, id) order by k.n;
    return;
  end if;
  return query
    select k.n, coalesce(k.id, t.id), k.id is null
    from unnest(r.ns, r.ids) k (n, id)
    left join transactions t on k.id is null and t.source_type = p_source_types[k.n]
      and t.source_id = p_source_ids[k.n]
      and t.source_event = p_source_events[k.n] and t.source_attempt = coalesce(p_source_attempts[k.n], 1)
    order by k.n;
end $$;
