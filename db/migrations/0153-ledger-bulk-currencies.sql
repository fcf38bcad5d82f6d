-- Postings in bulk refuse a currency that does not exist themselves: no row of a balance is born with them any more
-- that would name it (0150). The settings of 0140 stand in the function.

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
