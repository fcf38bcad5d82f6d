-- The sub-ledger: applying items to each other and back (accounting.md 1.1, 2.2 events 6 and 19), gapless numbers
-- (1.4), exchange rates (domain.md 2.12), hash chain (1.6 no. 8).

-- Gapless numbers (1.4): invoices, credit notes, cheques, self-billing. Taken as the last statement of the posting
-- transaction; number_uses shows every number once, so that a gap can be found.
create table number_series (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  kind text not null check (kind ~ '^[a-z_]{2,40}$'),
  -- fiscal year, bank account id or supplier id
  scope text not null check (length(scope) between 1 and 40),
  prefix text not null default '' check (length(prefix) <= 40),
  next bigint not null default 1 check (next >= 1),
  first bigint not null default 1 check (first >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, kind, scope),
  check (next >= first)
) with (fillfactor = 50);
create table number_uses (
  number_series_id bigint not null references number_series (id),
  n bigint not null,
  number text not null,
  taken_at timestamptz not null default now(),
  primary key (number_series_id, n)
);

create table exchange_rates (
  id bigint generated always as identity primary key,
  base text not null references currencies (code),
  quote text not null references currencies (code),
  on_date date not null,
  -- quote units per one unit of base
  rate numeric(20, 10) not null check (rate > 0),
  source text not null check (source in ('ecb', 'hmrc', 'manual')),
  kind text not null default 'daily' check (kind in ('daily', 'month_average', 'month_end')),
  created_by bigint references users (id),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (base <> quote),
  unique (kind, base, quote, on_date, source)
);

-- Tamper evidence (1.6 no. 8): one link per posted transaction and division. A posting leaves its id in the queue;
-- one
-- worker appends links after it has committed, so that postings never wait for each other here.
create table ledger_chain_queue (transaction_id bigint not null);
create table ledger_chain (
  division text not null references divisions (code),
  seq bigint not null,
  transaction_id bigint not null unique references transactions (id),
  prev_hash bytea not null,
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null default now(),
  primary key (division, seq)
);

create trigger number_uses_append_only before update or delete or truncate on number_uses
  for each statement execute function tg_ledger_append_only();
create trigger ledger_chain_append_only before update or delete or truncate on ledger_chain
  for each statement execute function tg_ledger_append_only();

-- Locks two items in one order, whoever asks for them in which.
create function ledger_lock_items(p_one bigint, p_two bigint) returns void language plpgsql as $$
begin
  perform 1 from open_items where id in (p_one, p_two) order by id for update;
end $$;

-- What of an item's base goes with an amount: its share rounded half away from zero, all that is left with the last.
create function ledger_item_base(i open_items, p_amount bigint) returns bigint language sql immutable as $$
  select case when p_amount = abs(i.open_minor) then abs(i.open_base_minor)
    else least(round(abs(i.original_base_minor)::numeric * p_amount / abs(i.original_minor))::bigint,
      abs(i.open_base_minor)) end
$$;

-- Applies part of a credit item to a debit item of the same account,
-- party and currency. Where the two carry different
-- rates, a transaction of kind fx books the difference on the account itself (event 19). Answers the allocation's id.
create function ledger_allocate(p_debit_item bigint, p_credit_item bigint, p_amount bigint, p_at date, p_actor bigint)
returns bigint language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  d open_items;
  c open_items;
  d_base bigint;
  c_base bigint;
  made bigint := nextval(pg_get_serial_sequence('allocations', 'id'));
  fx bigint;
begin
  perform ledger_lock_items(p_debit_item, p_credit_item);
  select * into d from open_items where id = p_debit_item;
  select * into c from open_items where id = p_credit_item;
  if d.id is null or c.id is null or d.original_minor < 0 or c.original_minor > 0
      or (d.ledger_account_id, d.party_type, d.party_id, d.currency)
        is distinct from (c.ledger_account_id, c.party_type, c.party_id, c.currency) then
    perform ledger_refuse('ACCT_ALLOCATION', 'items ' || p_debit_item || ' and ' || p_credit_item ||
      ' do not belong together');
  end if;
  if p_amount is null or p_amount <= 0 or p_amount > d.open_minor or p_amount > -c.open_minor then
    perform ledger_refuse('ACCT_OVER_APPLIED', coalesce(p_amount, 0) || ' of ' || d.open_minor || ' and ' ||
      -c.open_minor);
  end if;
  if p_at is null or p_at < d.opened_on or p_at < c.opened_on then
    perform ledger_refuse('ACCT_ALLOCATION', 'an item is applied on or after its own date');
  end if;
  perform ledger_gate(d.division, 'fx', p_at, p_actor);
  d_base := ledger_item_base(d, p_amount);
  c_base := ledger_item_base(c, p_amount);
  fx := ledger_post_difference(d, d_base - c_base, p_at, made, p_actor);
  insert into allocations (id, debit_item_id, credit_item_id, amount_minor, debit_base_minor, credit_base_minor,
    fx_transaction_id, allocated_at, allocated_by) overriding system value
  values (made, d.id, c.id, p_amount, d_base, c_base, fx, p_at, p_actor);
  update open_items set open_minor = open_minor - p_amount, open_base_minor = open_base_minor - d_base,
    version = version + 1, updated_at = now() where id = d.id;
  update open_items set open_minor = open_minor + p_amount, open_base_minor = open_base_minor + c_base,
    version = version + 1, updated_at = now() where id = c.id;
  return made;
end $$;

-- The realised exchange difference of one allocation; null where there is none. p_difference > 0 is a loss
-- on a debit.
create function ledger_post_difference(i open_items, p_difference bigint, p_at date, p_allocation bigint,
  p_actor bigint)
returns bigint language plpgsql as $$
declare
  functional text := (select functional_currency from divisions where code = i.division);
begin
  if p_difference = 0 then return null; end if;
  return (ledger_post(i.division, 'fx', p_at, 'Exchange difference of allocation ' || p_allocation, p_actor,
    'allocation', p_allocation, 'applied', 1, null,
    array[(select code from ledger_accounts where id = i.ledger_account_id),
      (select code from ledger_accounts where division = i.division and system_key = 'fx_realised')],
    array[i.currency, functional], array[0, p_difference], array[-p_difference, p_difference],
    array[i.party_type, null], array[i.party_id, null])).transaction_id;
end $$;

-- Un-applies: the inverse row with its own date, and the reversal of its exchange difference.
create function ledger_unallocate(p_allocation bigint, p_at date, p_actor bigint) returns bigint
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  a allocations;
  made bigint;
  fx bigint;
begin
  select * into a from allocations where id = p_allocation;
  if a.id is null or a.reverses_id is not null then
    perform ledger_refuse('ACCT_ALLOCATION', 'no allocation ' || p_allocation || ' to take back');
  end if;
  perform ledger_lock_items(a.debit_item_id, a.credit_item_id);
  if exists (select 1 from allocations where reverses_id = p_allocation) then
    perform ledger_refuse('ACCT_ALLOCATION', 'allocation ' || p_allocation || ' is taken back already');
  end if;
  if exists (select 1 from open_items i join transactions t on t.id = i.transaction_id
      where i.id in (a.debit_item_id, a.credit_item_id) and (t.status = 'reversed' or t.reverses_id is not null)) then
    perform ledger_refuse('ACCT_ALLOCATION', 'allocation ' || p_allocation || ' settles a reversal');
  end if;
  if p_at is null or p_at < a.allocated_at then
    perform ledger_refuse('ACCT_ALLOCATION', 'an allocation is taken back on or after its own date');
  end if;
  perform ledger_gate((select division from open_items where id = a.debit_item_id), 'fx', p_at, p_actor);
  if a.fx_transaction_id is not null then
    fx := ledger_reverse(a.fx_transaction_id, p_at, 'allocation taken back', p_actor);
  end if;
  insert into allocations (debit_item_id, credit_item_id, amount_minor, debit_base_minor, credit_base_minor,
    fx_transaction_id, allocated_at, reverses_id, allocated_by)
  values (a.debit_item_id, a.credit_item_id, -a.amount_minor, -a.debit_base_minor, -a.credit_base_minor, fx, p_at,
    a.id, p_actor) returning id into made;
  update open_items set open_minor = open_minor + a.amount_minor,
    open_base_minor = open_base_minor + a.debit_base_minor,
    version = version + 1, updated_at = now() where id = a.debit_item_id;
  update open_items set open_minor = open_minor - a.amount_minor,
    open_base_minor = open_base_minor - a.credit_base_minor,
    version = version + 1, updated_at = now() where id = a.credit_item_id;
  return made;
end $$;

-- The items of a reversed transaction and of its mirror settle each other, line by line.
create function ledger_settle_reversal(p_original bigint, p_mirror bigint, p_at date, p_actor bigint) returns void
language plpgsql as $$
begin
  with pairs as (
    select i.id as one, m.id as two, i.original_minor as amount, abs(i.original_base_minor) as base
    from open_items i join journal_entries e on e.id = i.journal_entry_id
      join journal_entries f on f.transaction_id = p_mirror and f.line_no = e.line_no
      join open_items m on m.journal_entry_id = f.id
    where e.transaction_id = p_original
  ), settled as (
    insert into allocations (debit_item_id, credit_item_id, amount_minor, debit_base_minor, credit_base_minor,
      allocated_at, allocated_by)
    select case when amount > 0 then one else two end, case when amount > 0 then two else one end, abs(amount), base,
      base, p_at, p_actor
    from pairs order by one
  )
  update open_items i set open_minor = 0, open_base_minor = 0, version = i.version + 1, updated_at = now()
  from pairs where i.id in (pairs.one, pairs.two);
end $$;

-- The next number of a gapless series, taken as the last statement of the posting transaction: the series' row stays
-- locked until it commits, and a rollback gives the number back. The prefix counts when the series is born.
create function ledger_take_number(p_division text, p_kind text, p_scope text, p_prefix text default null,
  out n bigint, out number text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  s record;
begin
  insert into number_series as s (division, kind, scope, prefix, next)
    values (p_division, p_kind, p_scope, coalesce(p_prefix, upper(left(p_kind, 3)) || '-' || p_division || '-' ||
      p_scope || '-'), 2)
    on conflict (division, kind, scope) do update set next = s.next + 1, updated_at = now()
    returning s.id, s.next - 1 as n, s.prefix into s;
  n := s.n;
  number := s.prefix || lpad(s.n::text, greatest(6, length(s.n::text)), '0');
  insert into number_uses (number_series_id, n, number) values (s.id, s.n, number);
end $$;

-- What the next number would be; it is not reserved.
create function ledger_preview_number(p_division text, p_kind text, p_scope text, p_prefix text default null) returns
  text
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(max(prefix), p_prefix, upper(left(p_kind, 3)) || '-' || p_division || '-' || p_scope || '-')
    || lpad(coalesce(max(next), 1)::text, greatest(6, length(coalesce(max(next), 1)::text)), '0')
  from number_series where division = p_division and kind = p_kind and scope = p_scope
$$;

-- Where a series begins (cut-over, pre-printed cheques); only while nothing was taken from it.
create function ledger_start_number(p_division text, p_kind text, p_scope text, p_prefix text,
  p_first bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into number_series (division, kind, scope, prefix, next, first) values (p_division, p_kind, p_scope,
    p_prefix, p_first, p_first)
    on conflict (division, kind, scope) do update set prefix = excluded.prefix, next = excluded.next,
      first = excluded.first,
      updated_at = now() where number_series.next = number_series.first;
  if not found then perform ledger_refuse('ACCT_NUMBER', p_division || ' ' || p_kind || ' ' || p_scope ||
    ' is in use'); end if;
end $$;

-- The rate last published on or before a day, in units of quote for one unit of base, with the day and source it is
-- of. Published directly, or inverted, or divided through EUR, the latter two rounded to ten places; the newest wins,
-- a direct one before a computed one of the same day, an entry by hand before a file.
create function rate_on(p_base text, p_quote text, p_on date, p_kind text default 'daily', p_source text default null,
  out rate numeric, out on_date date, out source text)
language sql stable as $$
  select r.rate, r.on_date, r.source from (
    select 1::numeric(20, 10) as rate, p_on as on_date, 'manual' as source, 0 as way where p_base = p_quote
    union all
    (select x.rate, x.on_date, x.source, 1 from exchange_rates x
      where x.base = p_base and x.quote = p_quote and x.kind = p_kind and x.on_date <= p_on
        and x.source = coalesce(p_source, x.source)
      order by x.on_date desc, x.source = 'manual' desc, x.source limit 1)
    union all
    (select round(1 / x.rate, 10), x.on_date, x.source, 2 from exchange_rates x
      where x.base = p_quote and x.quote = p_base and x.kind = p_kind and x.on_date <= p_on
        and x.source = coalesce(p_source, x.source)
      order by x.on_date desc, x.source = 'manual' desc, x.source limit 1)
    union all
    (select round(q.rate / b.rate, 10), q.on_date, q.source, 3 from exchange_rates b
      join exchange_rates q on q.base = 'EUR' and q.quote = p_quote and q.kind = p_kind and q.on_date = b.on_date
        and q.source = b.source
      where p_base <> 'EUR' and p_quote <> 'EUR' and p_base <> p_quote
        and b.base = 'EUR' and b.quote = p_base and b.kind = p_kind and b.on_date <= p_on
          and b.source = coalesce(p_source, b.source)
      order by b.on_date desc, b.source = 'manual' desc, b.source limit 1)
  ) r order by r.on_date desc, r.way limit 1
$$;

-- What a link of the chain covers: everything of a posted transaction that can never change.
create function ledger_chain_text(p_id bigint) returns text language sql stable as $$
  select concat_ws('|', t.id, t.division, t.kind, t.transaction_at, t.period, t.currency, t.source_type, t.source_id,
      t.source_event, t.source_attempt, t.reverses_id, t.intercompany_group_id, t.description,
      to_char(t.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), t.posted_by)
    || E'\n' || string_agg(concat_ws('|', e.id, e.line_no, e.ledger_account_id, e.currency, e.amount_minor,
      e.base_amount_minor, e.fx_rate, e.party_type, e.party_id), E'\n' order by e.line_no)
  from transactions t join journal_entries e on e.transaction_id = t.id where t.id = p_id group by t.id
$$;

-- Appends a link for at most p_limit posted transactions. One worker at a time; answers how many.
create function ledger_chain_extend(p_limit int default 1000) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  t record;
  prev record;
  made int := 0;
begin
  lock table ledger_chain in share row exclusive mode;
  for t in
    with taken as (
      delete from ledger_chain_queue where ctid = any (array(select ctid from ledger_chain_queue order by
        transaction_id limit p_limit))
      returning transaction_id)
    select x.id, x.division from taken join transactions x on x.id = taken.transaction_id order by x.id
  loop
    select seq, hash into prev from ledger_chain where division = t.division order by seq desc limit 1;
    insert into ledger_chain (division, seq, transaction_id, prev_hash, hash)
    values (t.division, coalesce(prev.seq, 0) + 1, t.id, coalesce(prev.hash, ''::bytea),
      sha256(coalesce(prev.hash, ''::bytea) || convert_to(ledger_chain_text(t.id), 'UTF8')));
    made := made + 1;
  end loop;
  return made;
end $$;
