-- Transfers between two bank accounts of a division. What has left one account and not arrived on the other stands on
-- Transfers in transit.

create sequence transfer_numbers;
grant usage on sequence transfer_numbers to app_rw;

create or replace function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

alter table bank_accounts add constraint bank_accounts_division unique (id, division);

create table bank_transfers (
  id bigint generated always as identity primary key,
  number text not null unique,
  division text not null references divisions (code),
  from_bank_account_id bigint not null,
  to_bank_account_id bigint not null,
  status text not null default 'in_transit' check (status in ('in_transit', 'received', 'reversed')),
  amount_minor minor_amount not null check (amount_minor > 0),
  received_minor minor_amount not null check (received_minor > 0),
  fee_minor minor_amount not null default 0 check (fee_minor >= 0),
  sent_rate fx_rate,
  sent_on date not null,
  received_on date,
  sent_transaction_id bigint references transactions (id),
  received_transaction_id bigint references transactions (id),
  reversal_reason text,
  memo text not null default '',
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (from_bank_account_id, division) references bank_accounts (id, division),
  foreign key (to_bank_account_id, division) references bank_accounts (id, division),
  check (from_bank_account_id <> to_bank_account_id),
  check (received_on >= sent_on),
  check ((received_on is null) = (received_transaction_id is null)),
  check (status <> 'received' or received_on is not null),
  check (status <> 'in_transit' or received_on is null),
  check ((status = 'reversed') = (reversal_reason is not null))
);
comment on table bank_transfers is 'Transfers between two bank accounts of a division.';
comment on column bank_transfers.amount_minor is 'What left, in the currency of the account it left, without the fee.';
comment on column bank_transfers.received_minor is
  'What arrives, in the currency of the account it arrives on. Expected until then.';
comment on column bank_transfers.sent_rate is
  'Functional currency units per unit of what was sent; null in the division''s own currency.';
create index bank_transfers_from on bank_transfers (from_bank_account_id);
create index bank_transfers_to on bank_transfers (to_bank_account_id);
create index bank_transfers_sent on bank_transfers (sent_transaction_id) where sent_transaction_id is not null;
create index bank_transfers_received on bank_transfers (received_transaction_id)
  where received_transaction_id is not null;
create index bank_transfers_list on bank_transfers (sent_on desc, id desc);
create index bank_transfers_waiting on bank_transfers (division, sent_on) where status = 'in_transit';
create index bank_transfers_number_start on bank_transfers (lower(number) text_pattern_ops);
grant select, insert, update on bank_transfers to app_rw;
call maintain_updated_at('bank_transfers');

-- A transfer never changes what it posted: it arrives once and is reversed once.
create function tg_bank_transfers_guard() returns trigger language plpgsql as $$
begin
  if (new.number, new.division, new.from_bank_account_id, new.to_bank_account_id, new.amount_minor, new.fee_minor,
      new.sent_on) is distinct from (old.number, old.division, old.from_bank_account_id, old.to_bank_account_id,
      old.amount_minor, old.fee_minor, old.sent_on)
    or old.status = 'reversed' or (old.status = 'received' and (new.status = 'in_transit'
      or (new.received_minor, new.received_on) is distinct from (old.received_minor, old.received_on))) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank transfer ' || old.id);
  end if;
  return new;
end $$;
create trigger bank_transfers_guard before update on bank_transfers
  for each row execute function tg_bank_transfers_guard();
revoke all on function tg_bank_transfers_guard() from public;

-- What still needs a bank account, in words; empty: it can be closed.
create or replace function bank_account_uses(p_id bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'a balance' as words where exists (
      select 1 from bank_accounts b join ledger_balances l on l.ledger_account_id = b.ledger_account_id
      where b.id = p_id group by l.currency
      having sum(l.debit_minor - l.credit_minor) <> 0 or sum(l.base_debit_minor - l.base_credit_minor) <> 0)
    union all select 2, 'payments that wait' where exists (
      select 1 from bank_accounts b join payments p on p.ledger_account_id = b.ledger_account_id
      where b.id = p_id and p.status in ('draft', 'approved') and p.deleted_at is null)
    union all select 3, 'transfers in transit' where exists (
      select 1 from bank_transfers t where t.status = 'in_transit' and p_id in (t.from_bank_account_id,
        t.to_bank_account_id))
  ) u
$$;

-- What stands behind a posting: a transfer behind its two sides.
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
  select 'bank_account', b.id, b.name from bank_accounts b where p_type = 'bank_account' and b.id = p_id
  union all
  select 'bank_transfer', t.id, t.number from bank_transfers t where p_type = 'bank_transfer' and t.id = p_id
$$;
