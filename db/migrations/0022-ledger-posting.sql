-- Posting (accounting.md 1.5 to 1.7): one call for one transaction, one for many, one for a reversal. Each makes the
-- header, all lines, the balances by period, the party balances, the open items and the audit row in one statement,
-- and checks every line in the same pass. Planner settings on the functions keep their cached plans independent of
-- table statistics: an empty ledger and one of ten million lines are posted to with the same plan.

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

-- Each foreign currency of a posting sums to nothing (1.6 no. 2).
create function ledger_check_currencies(p_id bigint, p_functional text) returns void language plpgsql as $$
declare
  unequal text;
begin
  select currency into unequal from journal_entries where transaction_id = p_id and currency <> p_functional
    group by currency having sum(amount_minor) <> 0 limit 1;
  if found then perform ledger_refuse('ACCT_CURRENCY_UNBALANCED', unequal); end if;
end $$;

-- Posts one transaction. Lines are parallel arrays; the optional ones may be null as a whole. Answers the id, and
-- replayed = true with the earlier id where this source event and attempt is posted already.
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
    select u.*, a.id as account_id, a.is_cash, a.has_open_items,
      ledger_line_fault(a, g_functional, g_manual, g_tax_locked, u.currency, u.amount, u.base, u.party_type,
        u.tax_code_id) as fault
    from unnest(p_accounts, p_currencies, p_amounts, p_bases, p_party_types, p_party_ids, p_fx_rates, p_invoice_ids,
      p_bill_ids, p_license_ids, p_show_ids, p_payment_ids, p_tax_code_ids, p_tax_bases, p_due_dates, p_memos)
      with ordinality u (account, currency, amount, base, party_type, party_id, fx_rate, invoice_id,
        bill_id, license_id, show_id, payment_id, tax_code_id, tax_base, due_date, memo, n)
    left join ledger_accounts a on a.division = p_division and a.code = u.account
  ), s as materialized (
    select count(*) as lines, coalesce(sum(base), 0) as base, min(fault || ' line ' || n || ' ' || coalesce(account,
      '')) as fault,
      coalesce(sum(base) filter (where is_cash), 0) as cash, coalesce(sum(base) filter (where base > 0), 0) as total,
      min(currency) filter (where n = 1) as currency,
      coalesce(bool_or(currency <> g_functional), false) as is_foreign
    from l
  ), h as (
    insert into transactions (division, kind, status, transaction_at, period, direction, currency, total_minor,
      source_type, source_id, source_event, source_attempt, intercompany_group_id, description,
      posted_at, posted_by)
    select p_division, p_kind, 'posted', p_at, g_period,
      case when s.cash > 0 then 'in' when s.cash < 0 then 'out' else 'neutral' end, s.currency, s.total,
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
    select h.id, l.n, p_division, p_at, g_period, l.account_id, l.currency, l.amount, l.base, l.fx_rate, l.party_type,
      l.party_id, l.invoice_id, l.bill_id, l.license_id, l.show_id, l.payment_id, l.tax_code_id, l.tax_base,
        l.due_date, l.memo
    from h, l
    returning id, line_no
  ), b as (
    insert into ledger_balances as b (division, ledger_account_id, currency, period, shard,
      debit_minor, credit_minor, base_debit_minor, base_credit_minor, entries)
    select p_division, l.account_id, l.currency, g_period, pg_backend_pid() % 16, sum(greatest(l.amount, 0)),
      sum(greatest(-l.amount, 0)), sum(greatest(l.base, 0)), sum(greatest(-l.base, 0)), count(*)
    from h, l group by l.account_id, l.currency order by l.account_id, l.currency
    on conflict (ledger_account_id, currency, period, shard) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  ), p as (
    insert into party_balances as b (party_type, party_id, ledger_account_id, currency, period, shard,
      debit_minor, credit_minor, base_debit_minor, base_credit_minor, entries)
    select l.party_type, l.party_id, l.account_id, l.currency, g_period,
      case when l.party_type = 'tax_authority' then pg_backend_pid() % 16 else 0 end, sum(greatest(l.amount, 0)),
      sum(greatest(-l.amount, 0)), sum(greatest(l.base, 0)), sum(greatest(-l.base, 0)), count(*)
    from h, l where l.party_id is not null
    group by l.party_type, l.party_id, l.account_id, l.currency order by 1, 2, 3, 4
    on conflict (party_type, party_id, ledger_account_id, currency, period, shard) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  ), o as (
    insert into open_items (journal_entry_id, transaction_id, division, ledger_account_id, party_type, party_id,
      currency,
      document_type, document_id, opened_on, due_date, original_minor, original_base_minor, open_minor,
        open_base_minor)
    select e.id, h.id, p_division, l.account_id, l.party_type, l.party_id, l.currency, p_source_type, p_source_id,
      p_at, coalesce(l.due_date, p_at), l.amount, l.base, l.amount, l.base
    from h, l join e on e.line_no = l.n where l.has_open_items and l.amount <> 0
  ), q as (
    insert into ledger_chain_queue (transaction_id) select id from h
  ), a as (
    insert into audit_events (actor_id, action, entity, entity_id) select p_actor, 'post', 'transaction', id from h
  )
  select h.id, s.* into r from s left join h on true;
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
