-- Only a document takes back what it posted (accounting.md 1.2): the posting of an invoice is undone by its credit
-- note, that of a receipt by its return. ledger_reverse refuses a transaction behind which a document stands, unless
-- the caller names that very document, as the document's own path does; a mirror has the document of its original. The
-- lock on bank postings holds every line on a cash account, whatever the kind of posting, as the tax lock does on tax
-- accounts. Journals written by hand get gapless numbers, and what the ledger writes names documents by their numbers.

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

-- The document that a source names, as people know it: its kind, the id by which its page is found, its number. Parts
-- of a document (lines, allocations, releases) answer the document.
create function ledger_document(p_type text, p_id bigint) returns table (kind text, id bigint, number text)
language sql stable as $$
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id,
      coalesce(i.invoice_number, i.reference)
    from invoices i where p_type = 'invoice' and i.id = p_id
  union all
  select case p.kind when 'receipt' then 'receipt' when 'refund' then 'refund' when 'royalty' then 'royalty_payment'
      when 'royalty_advance' then 'royalty_payment' else 'payment' end,
      coalesce(p.royalty_payment_batch_id, p.id), p.number
    from payments p where p_type = 'payment' and p.id = p_id
  union all
  select 'royalty_statement', s.id, s.number from royalty_statements s
    where p_type = 'royalty_statement' and s.id = p_id
  union all
  select 'deposit', l.id, coalesce(l.license_number, l.number) from deposits d join licenses l on l.id = d.license_id
    where p_type = 'deposit' and d.id = p_id
  union all
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id, i.invoice_number
    from invoice_items t join invoices i on i.id = t.invoice_id
    where p_type in ('invoice_item', 'credit_item') and t.id = p_id
  union all
  select 'invoice', i.id, i.invoice_number
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where p_type = 'release_schedule' and r.id = p_id
  union all
  select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'payment_allocation' and a.id = p_id
  union all
  (select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'allocation' and a.ledger_allocation_id = p_id limit 1)
  union all
  select 'license', l.id, coalesce(l.license_number, l.number)
    from invoice_items t join invoices i on i.id = t.invoice_id join licenses l on l.id = i.license_id
    where p_type = 'license_close_item' and t.id = p_id
  union all
  select 'royaltor', r.id, r.name from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where p_type = 'show_royaltor' and g.id = p_id
$$;

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

create or replace function ledger_draft_post(p_id bigint, p_version int, p_actor bigint) returns void
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

-- Reverses a posting (1.2). p_source_type and p_source_id name the document whose posting is taken back: only its own
-- path does that. A journal by hand has none.
drop function ledger_reverse(bigint, date, text, bigint);
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

create or replace function ledger_unallocate(p_allocation bigint, p_at date, p_actor bigint) returns bigint
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

-- The realised exchange difference names the document that it is of.
create or replace function ledger_post_difference(i open_items, p_difference bigint, p_at date, p_allocation bigint,
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

-- Journals that are in the books already get their numbers in the order in which they were posted.
create function ledger_number_journals() returns void
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $f$
declare
  r record;
begin
  for r in select t.id from transactions t join transaction_kinds k on k.kind = t.kind and k.is_manual
      where t.status in ('posted', 'reversed') and t.number is null order by t.posted_at, t.id loop
    perform ledger_number_journal(r.id);
  end loop;
end $f$;
select ledger_number_journals();
drop function ledger_number_journals();

-- Functions are open to everyone by default; the inner ones are for nobody (0028).
revoke all on function ledger_source(bigint), ledger_hold_cash(text, date, bigint), ledger_document(text, bigint),
  ledger_fiscal_year(text, date), ledger_number_journal(bigint),
  ledger_reverse(bigint, date, text, bigint, text, bigint) from public;
grant execute on function ledger_source(bigint), ledger_document(text, bigint),
  ledger_reverse(bigint, date, text, bigint, text, bigint) to app_rw;
