-- Many transactions in one call (imports, royalty runs), reversals, and what both share with drafts.

-- What follows from lines that stand in journal_entries already (drafts, reversals, postings in bulk): their balances
-- by way of the queue, open items, the queue of the chain, the audit.
create function ledger_add_balances(ids bigint[], p_actor bigint, p_action text) returns void
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

-- Posts many transactions, all or none. Headers are parallel arrays; a line names its header by position (1 is the
-- first). Answers one row per header in their order; a source event that is posted already answers the earlier id.
create function ledger_post_many(
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

-- Reverses a posting (1.2). p_source_type and p_source_id name the document whose posting is taken back: only its own
-- path does that. A journal by hand has none.
create function ledger_reverse(p_id bigint, p_at date, p_reason text, p_actor bigint, p_source_type text default null,
  p_source_id bigint default null) returns bigint
language plpgsql security definer
set search_path = public, ledger_door, pg_temp set jit = off as $$
declare
  o transactions;
  g record;
  mirror bigint;
  source record;
begin
  select * into o from transactions where id = p_id for update;
  if o.status is distinct from 'posted' then
    perform ledger_refuse('ACCT_STATUS', coalesce(o.status, 'unknown') || ' transaction ' || p_id ||
      ' cannot be reversed');
  end if;
  source := ledger_source(p_id);
  if (source.source_type, source.source_id) is distinct from (p_source_type, p_source_id) then
    perform ledger_refuse('ACCT_DOCUMENT', coalesce(source.source_type || ' ' || source.source_id, 'no document') ||
      ' stands behind transaction ' || p_id);
  end if;
  if p_at is null or p_at < o.transaction_at then
    perform ledger_refuse('ACCT_REVERSAL_DATE', 'transaction ' || p_id || ' is of ' || o.transaction_at);
  end if;
  if exists (select 1 from journal_entries e join open_items i on i.journal_entry_id = e.id
      where e.transaction_id = p_id and i.open_minor <> i.original_minor) then
    perform ledger_refuse('ACCT_ALLOCATED', 'transaction ' || p_id || ' is applied; un-apply it first');
  end if;
  g := ledger_gate(o.division, case o.kind when 'revaluation' then 'revaluation_reversal' else o.kind end, p_at,
    p_actor);
  if g.tax_locked and exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
      where e.transaction_id = p_id and (a.is_tax or e.tax_code_id is not null)) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', o.division || ' tax is locked on ' || p_at);
  end if;
  if exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
      where e.transaction_id = p_id) then
    perform ledger_hold_cash(o.division, p_at, p_actor);
  end if;
  insert into transactions (division, kind, status, transaction_at, period, direction, currency, total_minor,
    reverses_id,
    reversal_reason, intercompany_group_id, description, posted_at, posted_by)
  values (o.division, case o.kind when 'revaluation' then 'revaluation_reversal' else o.kind end, 'posted', p_at,
    g.period,
    case o.direction when 'in' then 'out' when 'out' then 'in' else 'neutral' end, o.currency, o.total_minor, o.id,
    p_reason, null, left(concat_ws(': ', 'Reversal' || coalesce(' of ' || o.number, ''),
    nullif(o.description, '')), 500), now(), p_actor)
  returning id into mirror;
  insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id, currency,
    amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id, show_id,
      payment_id,
    tax_code_id, tax_base_minor, memo)
  select mirror, line_no, division, p_at, g.period, ledger_account_id, currency, -amount_minor, -base_amount_minor,
    fx_rate,
    party_type, party_id, invoice_id, bill_id, license_id, show_id, payment_id, tax_code_id, -tax_base_minor, memo
  from journal_entries where transaction_id = o.id;
  update transactions set status = 'reversed' where id = o.id;
  perform ledger_add_balances(array[mirror], p_actor, 'reverse');
  perform ledger_settle_reversal(o.id, mirror, p_at, p_actor);
  if o.number is not null then perform ledger_number_journal(mirror); end if;
  return mirror;
end $$;

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function ledger_add_balances(bigint[], bigint, text),
  ledger_post_many(bigint, text[], text[], date[], text[], text[], bigint[], text[], integer[], integer[], text[],
    text[], bigint[], bigint[], text[], bigint[], numeric[], bigint[], bigint[], bigint[], bigint[], bigint[],
    bigint[], bigint[], date[], text[], bigint[]), ledger_reverse(bigint, date, text, bigint, text, bigint) from public;
grant execute on function
  ledger_post_many(bigint, text[], text[], date[], text[], text[], bigint[], text[], integer[], integer[], text[],
    text[], bigint[], bigint[], text[], bigint[], numeric[], bigint[], bigint[], bigint[], bigint[], bigint[],
    bigint[], bigint[], date[], text[], bigint[]), ledger_reverse(bigint, date, text, bigint, text, bigint) to app_rw;
