-- Drafts: created, edited, posted, voided, deleted; never numbered and never in a balance. A draft may be incomplete;
-- has_posting_discrepencies says whether it could be posted as it is.

-- Writes the lines of a draft and its flag; the caller holds the header's row lock.
create function ledger_draft_lines(p_id bigint, p_accounts text[], p_currencies text[], p_amounts bigint[],
  p_bases bigint[],
  p_party_types text[], p_party_ids bigint[], p_fx_rates numeric[], p_tax_code_ids bigint[], p_tax_bases bigint[],
  p_due_dates date[], p_memos text[]) returns void language plpgsql as $$
declare
  t transactions;
  unknown text;
begin
  select * into t from transactions where id = p_id;
  select min(u.code) into unknown from unnest(p_accounts) u (code)
    where not exists (select 1 from ledger_accounts a where a.division = t.division and a.code = u.code
      and a.deleted_at is null);
  if unknown is not null then perform ledger_refuse('ACCT_ACCOUNT_UNKNOWN', t.division || ' ' || unknown); end if;
  select min(u.code) into unknown from unnest(p_currencies) u (code) where not exists (select 1 from currencies c
    where c.code = u.code);
  if unknown is not null then perform ledger_refuse('ACCT_LINE', 'unknown currency ' || unknown); end if;
  delete from journal_entries where transaction_id = p_id;
  insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id, currency,
    amount_minor, base_amount_minor, party_type, party_id, fx_rate, tax_code_id, tax_base_minor, due_date, memo)
  select p_id, u.n, t.division, t.transaction_at, t.period, a.id, u.currency, u.amount, u.base, u.party_type,
    u.party_id,
    u.fx_rate, u.tax_code_id, u.tax_base, u.due_date, u.memo
  from unnest(p_accounts, p_currencies, p_amounts, p_bases, p_party_types, p_party_ids, p_fx_rates, p_tax_code_ids,
    p_tax_bases, p_due_dates, p_memos) with ordinality
    u (account, currency, amount, base, party_type, party_id, fx_rate, tax_code_id, tax_base, due_date, memo, n)
  join ledger_accounts a on a.division = t.division and a.code = u.account;
  update transactions set
    has_posting_discrepencies = ledger_draft_fault(p_id) is not null,
    currency = coalesce(p_currencies[1], currency),
    total_minor = coalesce((select sum(base_amount_minor) from journal_entries where transaction_id = p_id
      and base_amount_minor > 0), 0),
    direction = coalesce((select case when sum(e.base_amount_minor) > 0 then 'in' when sum(e.base_amount_minor) < 0
      then 'out' end
      from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
        where e.transaction_id = p_id), 'neutral')
  where id = p_id;
end $$;

-- Why a draft cannot be posted, or null: the same rules as ledger_post, read from its lines.
create function ledger_draft_fault(p_id bigint, p_tax_locked boolean default false) returns text language sql stable
  as $$
  with l as (
    select e.*, d.functional_currency, k.currency_may_differ, ledger_line_fault(a, d.functional_currency,
      k.is_manual, p_tax_locked,
      e.currency, e.amount_minor, e.base_amount_minor, e.party_type, e.tax_code_id) || ' line ' || e.line_no || ' '
        || a.code as fault
    from journal_entries e join transactions t on t.id = e.transaction_id join divisions d on d.code = t.division
      join transaction_kinds k on k.kind = t.kind join ledger_accounts a on a.id = e.ledger_account_id
    where e.transaction_id = p_id)
  select coalesce(
    (select min(fault) from l),
    (select case when coalesce(sum(base_amount_minor), 0) <> 0 then 'ACCT_UNBALANCED by ' || sum(base_amount_minor)
      || ' minor units'
      when count(*) < 2 then 'ACCT_TOO_FEW_LINES ' || count(*) || ' line(s)' end from l),
    (select min('ACCT_CURRENCY_UNBALANCED ' || x.currency) from (select currency from l
      where currency <> functional_currency and not currency_may_differ group by currency having sum(amount_minor) <>
        0) x))
$$;

create function ledger_draft_save(p_id bigint, p_version int, p_division text, p_kind text, p_at date,
  p_description text,
  p_memo text, p_actor bigint, p_accounts text[], p_currencies text[], p_amounts bigint[], p_bases bigint[],
  p_party_types text[] default null, p_party_ids bigint[] default null, p_fx_rates numeric[] default null,
  p_tax_code_ids bigint[] default null, p_tax_bases bigint[] default null, p_due_dates date[] default null,
  p_memos text[] default null) returns bigint
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  g record;
  t transactions;
begin
  g := ledger_gate(p_division, p_kind, p_at, p_actor);
  if p_id is null then
    insert into transactions (division, kind, status, transaction_at, period, currency, description, memo, created_by)
      values (p_division, p_kind, 'draft', p_at, g.period, g.functional, coalesce(p_description, ''),
        coalesce(p_memo, ''), p_actor)
      returning * into t;
  else
    t := ledger_draft_lock(p_id, p_version);
    if t.division <> p_division then perform ledger_refuse('ACCT_IMMUTABLE', 'division of draft ' || p_id); end if;
    update transactions set kind = p_kind, transaction_at = p_at, period = g.period,
      description = coalesce(p_description, ''),
      memo = coalesce(p_memo, ''), version = version + 1 where id = p_id;
  end if;
  perform ledger_draft_lines(t.id, p_accounts, p_currencies, p_amounts, p_bases, p_party_types, p_party_ids,
    p_fx_rates,
    p_tax_code_ids, p_tax_bases, p_due_dates, p_memos);
  return t.id;
end $$;

-- Editing, posting and voiding one draft take its row one after the other; a version that is no longer the row's
-- means that someone else was first.
create function ledger_draft_lock(p_id bigint, p_version int) returns transactions language plpgsql as $$
declare
  t transactions;
begin
  select * into t from transactions where id = p_id for update;
  if t.status is distinct from 'draft' then
    perform ledger_refuse('ACCT_STATUS', coalesce(t.status, 'unknown') || ' transaction ' || p_id || ' is no draft');
  end if;
  if p_version is not null and t.version <> p_version then
    perform ledger_refuse('ACCT_VERSION', 'draft ' || p_id || ' is at version ' || t.version);
  end if;
  return t;
end $$;

create function ledger_draft_post(p_id bigint, p_version int, p_actor bigint) returns void
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  g record;
  t transactions;
  fault text;
begin
  t := ledger_draft_lock(p_id, p_version);
  if t.deleted_at is not null then perform ledger_refuse('ACCT_STATUS', 'draft ' || p_id || ' is in the trash'); end
    if;
  g := ledger_gate(t.division, t.kind, t.transaction_at, p_actor);
  if exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
      where e.transaction_id = p_id) then
    perform ledger_hold_cash(t.division, t.transaction_at, p_actor);
  end if;
  fault := ledger_draft_fault(p_id, g.tax_locked);
  if fault is not null then perform ledger_refuse(split_part(fault, ' ', 1), substr(fault, strpos(fault, ' ') + 1));
    end if;
  update transactions set status = 'posted', posted_at = now(), posted_by = p_actor,
    has_posting_discrepencies = false, version = version + 1 where id = p_id;
  perform ledger_add_balances(array[p_id], p_actor, 'post');
  perform ledger_number_journal(p_id);
end $$;

create function ledger_draft_void(p_id bigint, p_version int, p_actor bigint) returns void
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
begin
  perform ledger_draft_lock(p_id, p_version);
  update transactions set status = 'void', version = version + 1 where id = p_id;
end $$;

-- Trash, restore and purge, for drafts and void transactions alone.
create function ledger_draft_trash(p_id bigint, p_in_trash boolean) returns void
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  st text;
begin
  select status into st from transactions where id = p_id for update;
  if st is null or st not in ('draft', 'void') then
    perform ledger_refuse('ACCT_IMMUTABLE', coalesce(st, 'unknown') || ' transaction ' || p_id ||
      '; credit or reverse it');
  end if;
  update transactions set deleted_at = case when p_in_trash then now() end where id = p_id;
end $$;

create function ledger_draft_purge(p_id bigint) returns void
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
begin
  perform 1 from transactions where id = p_id and status in ('draft', 'void') and deleted_at is not null for update;
  if not found then perform ledger_refuse('ACCT_IMMUTABLE', 'only a draft in the trash is purged, not ' || p_id); end
    if;
  delete from journal_entries where transaction_id = p_id;
  delete from transactions where id = p_id;
end $$;

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function ledger_draft_fault(bigint, boolean),
  ledger_draft_lines(bigint, text[], text[], bigint[], bigint[], text[], bigint[], numeric[], bigint[], bigint[],
    date[], text[]), ledger_draft_lock(bigint, integer), ledger_draft_post(bigint, integer, bigint),
  ledger_draft_purge(bigint),
  ledger_draft_save(bigint, integer, text, text, date, text, text, bigint, text[], text[], bigint[], bigint[], text[],
    bigint[], numeric[], bigint[], bigint[], date[], text[]), ledger_draft_trash(bigint, boolean),
  ledger_draft_void(bigint, integer, bigint) from public;
grant execute on function ledger_draft_fault(bigint, boolean), ledger_draft_post(bigint, integer, bigint),
  ledger_draft_purge(bigint),
  ledger_draft_save(bigint, integer, text, text, date, text, text, bigint, text[], text[], bigint[], bigint[], text[],
    bigint[], numeric[], bigint[], bigint[], date[], text[]), ledger_draft_trash(bigint, boolean),
  ledger_draft_void(bigint, integer, bigint) to app_rw;
