-- Revaluation at a month's end: one person asks, another approves; approving posts it on that day and its reversal on
-- the next. Of a division and a day there is one; what balances or rates changed since is a correction of it.

create table revaluations (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  revalued_on date not null check (extract(day from revalued_on + 1) = 1),
  corrects_id bigint,
  status text not null default 'waiting' check (status in ('waiting', 'posted', 'declined', 'withdrawn')),
  gain_minor minor_amount not null,
  requested_by_id bigint not null references users (id),
  requested_at timestamptz not null default now(),
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  decline_reason text not null default '' check (length(decline_reason) <= 500),
  transaction_id bigint references transactions (id),
  reversal_id bigint references transactions (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, division, revalued_on),
  foreign key (corrects_id, division, revalued_on) references revaluations (id, division, revalued_on),
  check (corrects_id <> id),
  check ((status = 'waiting') = (decided_at is null)),
  check ((decided_by_id is null) = (decided_at is null)),
  check ((status = 'posted') = (transaction_id is not null)),
  check ((status = 'posted') = (reversal_id is not null)),
  constraint revaluations_four_eyes check (status not in ('posted', 'declined') or decided_by_id <> requested_by_id)
);
comment on table revaluations is
  'Foreign balances of a division valued at the rate of a month''s end: asked for, then posted by a second person.';
comment on column revaluations.corrects_id is 'Revaluation of the same day whose difference this one posts.';
comment on column revaluations.gain_minor is 'Unrealized gain in the currency of the division; a loss is negative.';
comment on column revaluations.transaction_id is 'Posting on the day itself.';
comment on column revaluations.reversal_id is 'Its reversal on the day after.';
create unique index revaluations_once on revaluations (division, revalued_on)
  where status in ('waiting', 'posted') and corrects_id is null;
create unique index revaluations_corrected_once on revaluations (corrects_id)
  where status in ('waiting', 'posted') and corrects_id is not null;
create unique index revaluations_transaction on revaluations (transaction_id) where transaction_id is not null;
create unique index revaluations_reversal on revaluations (reversal_id) where reversal_id is not null;
create index revaluations_list on revaluations (division, revalued_on desc, id desc);
create index revaluations_corrects on revaluations (corrects_id, division, revalued_on);
create index revaluations_requested_by on revaluations (requested_by_id);
create index revaluations_decided_by on revaluations (decided_by_id);
grant select, insert, update on revaluations to app_rw;

create table revaluation_lines (
  id bigint generated always as identity primary key,
  revaluation_id bigint not null references revaluations (id),
  ledger_account_id bigint not null references ledger_accounts (id),
  currency currency_code not null,
  party_type text,
  party_id bigint,
  balance_minor minor_amount not null,
  carried_minor minor_amount not null,
  rate fx_rate not null,
  rate_on date not null,
  gain_minor minor_amount not null check (gain_minor <> 0),
  check ((party_type is null) = (party_id is null)),
  unique nulls not distinct (revaluation_id, ledger_account_id, currency, party_type, party_id)
);
comment on table revaluation_lines is 'What a revaluation posts: one line for each account, currency and party.';
comment on column revaluation_lines.balance_minor is 'Balance in the foreign currency, debit positive.';
comment on column revaluation_lines.carried_minor is 'The same in the currency of the division, as booked before.';
comment on column revaluation_lines.rate is 'Units of the division''s currency per unit of the foreign one.';
comment on column revaluation_lines.gain_minor is 'Value at the rate less what is carried.';
create index revaluation_lines_account on revaluation_lines (ledger_account_id);
grant select, insert on revaluation_lines to app_rw;

-- A revaluation that is posted stands in the ledger on its day, and is taken back there on the next.
create function tg_revaluations_posted() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'waiting' then
    raise exception 'a decided revaluation is not changed' using errcode = '23514', constraint = 'revaluations_decided';
  end if;
  if new.status = 'posted' and not exists (select 1 from transactions t join transactions r on r.reverses_id = t.id
      where t.id = new.transaction_id and t.division = new.division and t.kind = 'revaluation'
        and t.transaction_at = new.revalued_on and r.id = new.reversal_id
        and r.transaction_at = new.revalued_on + 1) then
    raise exception 'a revaluation is posted on its day and reversed on the next' using errcode = '23514',
      constraint = 'revaluations_posting';
  end if;
  return new;
end $$;
revoke all on function tg_revaluations_posted() from public;
create trigger revaluations_posted before insert or update on revaluations
  for each row execute function tg_revaluations_posted();

create index allocations_fx_transaction on allocations (fx_transaction_id) where fx_transaction_id is not null;

-- The newest definition with revaluations.
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
$$;
