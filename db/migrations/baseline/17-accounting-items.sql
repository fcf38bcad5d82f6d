-- Sub-ledger: applying items to each other and back, gapless numbers, exchange rates, the hash chain, and views that
-- must return no row.

-- Locks two items in one order, whoever asks for them in which.
create function ledger_lock_items(p_one bigint, p_two bigint) returns void language plpgsql as $$
begin
  perform 1 from open_items where id in (p_one, p_two) order by id for update;
end $$;

-- A part of an item goes at the item's own rate, rounded once (accounting.md 2.2, event 19); the last part takes what
-- is left. An item whose base is not its amount at its rate (a carried one) is shared in proportion.
create function ledger_item_base(i open_items, p_amount bigint) returns bigint language sql stable as $$
  select case when p_amount = abs(i.open_minor) then abs(i.open_base_minor)
    else least(case when round(abs(i.original_minor) * e.fx_rate) = abs(i.original_base_minor)
        then round(p_amount * e.fx_rate)
      else round(abs(i.original_base_minor)::numeric * p_amount / abs(i.original_minor)) end::bigint,
      abs(i.open_base_minor)) end
  from journal_entries e where e.id = i.journal_entry_id
$$;

-- Applies part of a credit item to a debit item of the same account, party and currency. Where the two carry
-- different rates, a transaction of kind fx books the difference on the account itself (event 19). Answers the
-- allocation's id.
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

-- The realised exchange difference names the document that it is of.
create function ledger_post_difference(i open_items, p_difference bigint, p_at date, p_allocation bigint,
  p_actor bigint)
returns bigint language plpgsql as $$
declare
  document text := (select number from ledger_document(i.document_type, i.document_id));
  functional text := (select functional_currency from divisions where code = i.division);
begin
  if p_difference = 0 then return null; end if;
  return (ledger_post(i.division, 'fx', p_at, 'Exchange difference' || coalesce(' on ' || document, ''), p_actor,
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
    fx := ledger_reverse(a.fx_transaction_id, p_at, 'allocation taken back', p_actor, 'allocation',
      p_allocation);
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

create function ledger_chain_head(t transactions) returns text language sql stable as $$
  select concat_ws('|', t.id, t.division, t.kind, t.transaction_at, t.period, t.currency, t.source_type, t.source_id,
    t.source_event, t.source_attempt, t.reverses_id, t.intercompany_group_id, t.description,
    to_char(t.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), t.posted_by)
$$;

create function ledger_chain_line(e journal_entries) returns text language sql stable as $$
  select concat_ws('|', e.id, e.line_no, e.ledger_account_id, e.currency, e.amount_minor, e.base_amount_minor,
    e.fx_rate,
    e.party_type, e.party_id)
$$;

-- What a link of the chain covers: everything of a posted transaction that can never change.
create function ledger_chain_text(p_id bigint) returns text language sql stable as $$
  select ledger_chain_head(t) || E'\n' || (select string_agg(ledger_chain_line(e), E'\n' order by e.line_no)
    from journal_entries e where e.transaction_id = t.id)
  from transactions t where t.id = p_id
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

-- One id for the two postings of an event between divisions (transactions.intercompany_group_id).
create sequence intercompany_groups;
grant usage on sequence intercompany_groups to app_rw;

-- Raises the flag on the transactions that a check has found and lowers it on the others that are posted.
create function ledger_flag_discrepancies(p_ids bigint[]) returns bigint
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  changed bigint;
begin
  update transactions set has_posting_discrepencies = (id = any (p_ids))
    where status in ('posted', 'reversed') and has_posting_discrepencies <> (id = any (p_ids))
      and (has_posting_discrepencies or id = any (p_ids));
  get diagnostics changed = row_count;
  return changed;
end $$;

-- A later period has a higher number, so that "up to a period" means the same by date and by number.
create function tg_periods_order() returns trigger language plpgsql as $$
begin
  if exists (select 1 from periods where division = new.division and (period < new.period) <> (starts < new.starts)
      and id <> new.id) then
    perform ledger_refuse('ACCT_NO_PERIOD', new.division || ' ' || new.period || ' is out of order');
  end if;
  return null;
end $$;

create constraint trigger periods_order after insert on periods for each row execute function tg_periods_order();

-- Links whose hash no longer matches the posting or the link before. Checks all postings in one pass.
create view ledger_chain_breaks as
  with lines as (
    select e.transaction_id, string_agg(ledger_chain_line(e), E'\n' order by e.transaction_id, e.line_no) as text
    from journal_entries e join ledger_chain c on c.transaction_id = e.transaction_id group by e.transaction_id
  ), links as (
    select division, seq, transaction_id, prev_hash, hash, lag(hash, 1, ''::bytea) over w as expected_prev,
      lag(seq, 1, 0::bigint) over w as prev_seq
    from ledger_chain window w as (partition by division order by seq)
  )
  select c.division, c.seq, c.transaction_id
  from links c left join transactions t on t.id = c.transaction_id
    left join lines on lines.transaction_id = c.transaction_id
  where c.prev_hash <> c.expected_prev or c.seq <> c.prev_seq + 1
    or c.hash is distinct from
      sha256(c.prev_hash || convert_to(ledger_chain_head(t) || E'\n' || lines.text, 'UTF8'));
grant select on ledger_chain_breaks to app_rw;

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function ledger_allocate(bigint, bigint, bigint, date, bigint), ledger_chain_extend(integer),
  ledger_chain_head(transactions), ledger_chain_line(journal_entries), ledger_chain_text(bigint),
  ledger_flag_discrepancies(bigint[]), ledger_item_base(open_items, bigint), ledger_lock_items(bigint, bigint),
  ledger_post_difference(open_items, bigint, date, bigint, bigint), ledger_preview_number(text, text, text, text),
  ledger_settle_reversal(bigint, bigint, date, bigint), ledger_start_number(text, text, text, text, bigint),
  ledger_take_number(text, text, text, text), ledger_unallocate(bigint, date, bigint),
  rate_on(text, text, date, text, text) from public;
grant execute on function ledger_allocate(bigint, bigint, bigint, date, bigint), ledger_chain_extend(integer),
  ledger_chain_head(transactions), ledger_chain_line(journal_entries), ledger_chain_text(bigint),
  ledger_flag_discrepancies(bigint[]), ledger_preview_number(text, text, text, text),
  ledger_start_number(text, text, text, text, bigint), ledger_take_number(text, text, text, text),
  ledger_unallocate(bigint, date, bigint), rate_on(text, text, date, text, text) to app_rw;
