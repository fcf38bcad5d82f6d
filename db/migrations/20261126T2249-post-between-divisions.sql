-- Entries between divisions: one person asks, another approves; approving posts a side in each of the two books, and
-- both sides are reversed together.

create sequence intercompany_numbers;
grant usage on sequence intercompany_numbers to app_rw;

create or replace function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' when 'deposit_slip' then 'DS' when 'payment_run' then 'PR' when 'bill' then 'BL'
    when 'vendor_credit' then 'VC' when 'goods_receipt' then 'GR'
    when 'intercompany' then 'IC' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

create table intercompany_entries (
  id bigint generated always as identity primary key,
  number text not null unique,
  kind text not null check (kind in ('charge', 'settlement')),
  status text not null default 'waiting' check (status in ('waiting', 'posted', 'declined', 'withdrawn', 'reversed')),
  dated_on date not null,
  description text not null check (length(description) between 1 and 300),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  creditor text not null references divisions (code),
  creditor_account_id bigint not null,
  creditor_rate fx_rate,
  debtor text not null references divisions (code),
  debtor_account_id bigint not null,
  debtor_rate fx_rate,
  requested_by_id bigint not null references users (id),
  requested_at timestamptz not null default now(),
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  decline_reason text not null default '' check (length(decline_reason) <= 1000),
  creditor_transaction_id bigint references transactions (id),
  debtor_transaction_id bigint references transactions (id),
  creditor_reversal_id bigint references transactions (id),
  debtor_reversal_id bigint references transactions (id),
  reversed_on date,
  reversed_by_id bigint references users (id),
  reversal_reason text not null default '' check (length(reversal_reason) <= 500),
  search_text text not null generated always as (search_words(number, description)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (creditor_account_id, creditor) references ledger_accounts (id, division),
  foreign key (debtor_account_id, debtor) references ledger_accounts (id, division),
  check (creditor <> debtor),
  check ((status = 'waiting') = (decided_at is null)),
  check ((decided_by_id is null) = (decided_at is null)),
  constraint intercompany_entries_sides check (num_nonnulls(creditor_transaction_id, debtor_transaction_id)
    = case when status in ('posted', 'reversed') then 2 else 0 end),
  constraint intercompany_entries_reversals check (num_nonnulls(creditor_reversal_id, debtor_reversal_id, reversed_on,
    reversed_by_id) = case status when 'reversed' then 4 else 0 end),
  constraint intercompany_entries_four_eyes check (status in ('waiting', 'withdrawn')
    or decided_by_id <> requested_by_id)
);
comment on table intercompany_entries is
  'Events between two divisions: asked for, then posted in both books by a second person.';
comment on column intercompany_entries.kind is
  'A charge is owed by the debtor from now on; a settlement takes it off again.';
comment on column intercompany_entries.creditor is 'Division that is owed.';
comment on column intercompany_entries.creditor_account_id is
  'What it is owed for: the other side of 1500 in its books.';
comment on column intercompany_entries.creditor_rate is
  'Units of the division''s currency per unit of the amount''s; null where they are the same.';
comment on column intercompany_entries.debtor_account_id is 'The other side of 2500 in the books of the debtor.';
comment on column intercompany_entries.debtor_rate is 'As creditor_rate, of the debtor.';
create unique index intercompany_entries_creditor_posting on intercompany_entries (creditor_transaction_id)
  where creditor_transaction_id is not null;
create unique index intercompany_entries_debtor_posting on intercompany_entries (debtor_transaction_id)
  where debtor_transaction_id is not null;
create unique index intercompany_entries_creditor_reversal on intercompany_entries (creditor_reversal_id)
  where creditor_reversal_id is not null;
create unique index intercompany_entries_debtor_reversal on intercompany_entries (debtor_reversal_id)
  where debtor_reversal_id is not null;
create index intercompany_entries_list on intercompany_entries (dated_on desc, id desc);
create index intercompany_entries_waiting on intercompany_entries (requested_at) where status = 'waiting';
create index intercompany_entries_creditor on intercompany_entries (creditor, dated_on);
create index intercompany_entries_debtor on intercompany_entries (debtor, dated_on);
create index intercompany_entries_creditor_account on intercompany_entries (creditor_account_id, creditor);
create index intercompany_entries_debtor_account on intercompany_entries (debtor_account_id, debtor);
create index intercompany_entries_requested_by on intercompany_entries (requested_by_id);
create index intercompany_entries_decided_by on intercompany_entries (decided_by_id);
create index intercompany_entries_reversed_by on intercompany_entries (reversed_by_id);
create index intercompany_entries_number on intercompany_entries (lower(number) text_pattern_ops);
create index intercompany_entries_search on intercompany_entries using gin (search_text gin_trgm_ops);
grant select, insert, update on intercompany_entries to app_rw;

-- A posted entry has one posting in each of its divisions, both of its group; a reversed one has both reversed.
create function tg_intercompany_entries() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (old.status not in ('waiting', 'posted') or old.status = 'posted'
      and new.status <> 'reversed' or (new.kind, new.dated_on, new.currency, new.amount_minor, new.creditor,
        new.creditor_account_id, new.debtor, new.debtor_account_id) is distinct from (old.kind, old.dated_on,
        old.currency, old.amount_minor, old.creditor, old.creditor_account_id, old.debtor, old.debtor_account_id)) then
    raise exception 'entry % between divisions is not changed', old.number using errcode = '23514',
      constraint = 'intercompany_entries_decided';
  end if;
  if new.status in ('posted', 'reversed') and not exists (
      select 1 from transactions c join transactions d on d.intercompany_group_id = c.intercompany_group_id
      where c.id = new.creditor_transaction_id and d.id = new.debtor_transaction_id and c.division = new.creditor
        and d.division = new.debtor and c.kind = 'intercompany' and d.kind = 'intercompany'
        and c.status = new.status and d.status = new.status and c.transaction_at = new.dated_on
        and d.transaction_at = new.dated_on) then
    raise exception 'entry % between divisions has a posting in each', new.number using errcode = '23514',
      constraint = 'intercompany_entries_posting';
  end if;
  if new.status = 'reversed' and (select count(*) from transactions t where (t.id, t.reverses_id) in (
      (new.creditor_reversal_id, new.creditor_transaction_id), (new.debtor_reversal_id, new.debtor_transaction_id)))
      <> 2 then
    raise exception 'entry % between divisions is reversed in both', new.number using errcode = '23514',
      constraint = 'intercompany_entries_reversal';
  end if;
  return new;
end $$;
revoke all on function tg_intercompany_entries() from public;
create trigger intercompany_entries_hold before insert or update on intercompany_entries
  for each row execute function tg_intercompany_entries();
call maintain_updated_at('intercompany_entries');

-- The newest definition with entries between divisions.
create or replace function ledger_document(p_type text, p_id bigint) returns table (kind text, id bigint, number text)
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
  union all
  select case b.kind when 'credit' then 'vendor_credit' else 'bill' end, b.id, b.number
    from bills b where p_type = 'bill' and b.id = p_id
  union all
  select 'bank_account', b.id, b.name from bank_accounts b where p_type = 'bank_account' and b.id = p_id
  union all
  select 'bank_transfer', t.id, t.number from bank_transfers t where p_type = 'bank_transfer' and t.id = p_id
  union all
  select 'deposit_slip', s.id, s.number from deposit_slips s where p_type = 'deposit_slip' and s.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_advance' and a.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_reserves v join show_royaltors g on g.id = v.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_reserve' and v.id = p_id
  union all
  select 'opening_set', s.id, s.division || ', ' || s.as_of from opening_sets s
    where p_type = 'opening_set' and s.id = p_id
  union all
  select 'revaluation', r.id, r.division || ' ' || r.revalued_on
    from revaluations r where p_type = 'revaluation' and r.id = p_id
  union all
  select 'goods_receipt', r.id, r.number from goods_receipts r where p_type = 'goods_receipt' and r.id = p_id
  union all
  select 'goods_receipt', r.id, r.number from goods_returns g join goods_receipt_lines l
      on l.id = g.goods_receipt_line_id join goods_receipts r on r.id = l.goods_receipt_id
    where p_type = 'goods_return' and g.id = p_id
  union all
  select 'intercompany_entry', i.id, i.number from intercompany_entries i
    where p_type = 'intercompany_entry' and i.id = p_id
$$;
