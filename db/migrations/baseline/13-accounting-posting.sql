-- Posting a transaction: one call writes the header, all lines, open items, queues and the audit event, and checks
-- every line. The planner settings of the functions keep their cached plans independent of table statistics: an empty
-- ledger and one with ten million lines use the same plan. PostgreSQL rebuilds the expressions of a statement on
-- every call, which is why posting takes three short statements instead of one long one (docs/benchmarks/ledger.md).
--
-- Only a document reverses what it posted: the posting of an invoice is reversed by its credit note, that of a
-- receipt by its return.

-- May this kind of transaction be posted on this date by this person? Locks the period row, so that a close or a lock
-- waits for us and we for it, and reads state and lock dates from that very row.
create function ledger_gate(p_division text, p_kind text, p_at date, p_actor bigint,
  out period int, out functional text, out may_differ boolean, out manual boolean, out tax_locked boolean)
language plpgsql as $$
declare
  g record;
begin
  select d.functional_currency, k.currency_may_differ, k.is_manual, k.sub_ledger, p.*,
      case k.sub_ledger when 'sales' then p.sales_locked_through when 'purchase' then p.purchase_locked_through
        when 'tax' then p.tax_locked_through when 'bank' then p.bank_locked_through end as locked_through
    into g
    from divisions d, transaction_kinds k, lateral (
      select s.period, s.starts, s.ends, s.state, s.hard_locked_through, s.sales_locked_through,
        s.purchase_locked_through, s.tax_locked_through, s.bank_locked_through
      from periods s where s.division = d.code and s.starts <= p_at order by s.starts desc limit 1 for key share) p
    where d.code = p_division and k.kind = p_kind;
  if not found or g.ends < p_at or p_at is null then
    if not exists (select 1 from divisions where code = p_division) then
      perform ledger_refuse('ACCT_DIVISION', coalesce(p_division, 'null'));
    elsif not exists (select 1 from transaction_kinds where kind = p_kind) then
      perform ledger_refuse('ACCT_KIND', coalesce(p_kind, 'null'));
    end if;
    perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || coalesce(p_at::text, 'without a date'));
  end if;
  -- coalesce first: "null and not excepted" would look the exception up on every posting
  if g.state = 'closed' or coalesce(p_at <= g.hard_locked_through, false) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' ' || g.period || ' is closed');
  end if;
  if g.state = 'soft_locked' and not ledger_excepted(p_division, 'period', p_actor) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' ' || g.period || ' is locked');
  end if;
  if coalesce(p_at <= g.locked_through, false) and not ledger_excepted(p_division, g.sub_ledger, p_actor) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' ' || g.sub_ledger || ' is locked through ' ||
      g.locked_through);
  end if;
  period := g.period;
  functional := g.functional_currency;
  may_differ := g.currency_may_differ;
  manual := g.is_manual;
  tax_locked := coalesce(p_at <= g.tax_locked_through, false) and not ledger_excepted(p_division, 'tax', p_actor);
end $$;

create function ledger_excepted(p_division text, p_sub_ledger text, p_actor bigint) returns boolean language sql
  stable as $$
  select exists (select 1 from lock_exceptions where user_id = p_actor and division = p_division
    and sub_ledger = p_sub_ledger and until > now() and revoked_at is null)
$$;

-- What is wrong with a line, or null (1.6 no. 2). Inlined into the statements below.
create function ledger_line_fault(a ledger_accounts, functional text, manual boolean, tax_locked boolean,
  currency text, amount bigint, base bigint, party_type text, tax_code_id bigint) returns text
language sql immutable as $$
  select case
    when a.id is null then 'ACCT_ACCOUNT_UNKNOWN'
    when currency is null or amount is null or base is null then 'ACCT_LINE'
    when not a.active or a.deleted_at is not null then 'ACCT_ACCOUNT_INACTIVE'
    when a.currency <> currency then 'ACCT_ACCOUNT_CURRENCY'
    when currency = functional and amount <> base then 'ACCT_BASE_AMOUNT'
    when a.party_types is not null and (party_type is null or party_type <> all (a.party_types)) then 'ACCT_PARTY'
    when manual and not a.allow_manual then 'ACCT_MANUAL'
    when tax_locked and (a.is_tax or tax_code_id is not null) then 'ACCT_PERIOD_LOCKED'
  end
$$;

-- A foreign currency is one that exists, and sums to nothing (1.6 no. 2) unless the kind lets it differ.
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

-- Posts one transaction. Checks an open period without locks inline; other cases go through ledger_gate.
create function ledger_post(
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

-- The document behind a transaction: its own source, for a mirror that of the original. Nulls for a journal by hand.
create function ledger_source(p_id bigint, out source_type text, out source_id bigint) language sql stable as $$
  with recursive up as (
    select t.id, t.reverses_id, t.source_type, t.source_id from transactions t where t.id = p_id
    union all
    select o.id, o.reverses_id, o.source_type, o.source_id from up join transactions o on o.id = up.reverses_id)
  select up.source_type, up.source_id from up where up.reverses_id is null
$$;

-- The bank lock on a line of a cash account. The gate has locked the period's row before, so what is read here holds
-- until this transaction ends.
create function ledger_hold_cash(p_division text, p_at date, p_actor bigint) returns void language plpgsql as $$
declare
  through date := (select s.bank_locked_through from periods s where s.division = p_division and s.starts <= p_at
    order by s.starts desc limit 1);
begin
  if p_at <= through and not ledger_excepted(p_division, 'bank', p_actor) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' bank is locked through ' || through);
  end if;
end $$;

-- A year of a division's books: the one in which it ends.
create function ledger_fiscal_year(p_division text, p_at date) returns text language sql stable as $$
  select (extract(year from p_at)::int + case when d.fiscal_year_start_month > 1
    and extract(month from p_at) >= d.fiscal_year_start_month then 1 else 0 end)::text
  from divisions d where d.code = p_division
$$;

-- The next gapless number of journals of the division's year (JE-US-2026-000001); the last statement of a posting.
create function ledger_number_journal(p_id bigint) returns void
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  t transactions;
  fiscal text;
begin
  select * into t from transactions where id = p_id;
  fiscal := ledger_fiscal_year(t.division, t.transaction_at);
  update transactions set number = (ledger_take_number(t.division, 'journal', fiscal,
    'JE-' || t.division || '-' || fiscal || '-')).number where id = p_id;
end $$;

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function ledger_check_currencies(bigint, text, boolean), ledger_excepted(text, text, bigint),
  ledger_fiscal_year(text, date), ledger_gate(text, text, date, bigint), ledger_hold_cash(text, date, bigint),
  ledger_line_fault(ledger_accounts, text, boolean, boolean, text, bigint, bigint, text, bigint),
  ledger_number_journal(bigint),
  ledger_post(text, text, date, text, bigint, text, bigint, text, integer, bigint, text[], text[], bigint[], bigint[],
    text[], bigint[], numeric[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], date[],
    text[]), ledger_refuse_lines(integer, text, text, numeric, integer), ledger_source(bigint) from public;
grant execute on function
  ledger_line_fault(ledger_accounts, text, boolean, boolean, text, bigint, bigint, text, bigint),
  ledger_post(text, text, date, text, bigint, text, bigint, text, integer, bigint, text[], text[], bigint[], bigint[],
    text[], bigint[], numeric[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], date[],
    text[]), ledger_source(bigint) to app_rw;
