-- Payouts of the card processor: the bank gets the net of what Card clearing holds, the fees are an expense.

insert into transaction_kinds (kind, name, sub_ledger, currency_may_differ, is_manual, is_revaluation,
  is_year_end_close, moves_bank) values ('processor_payout', 'Payout of card payments', 'bank', false, false, false,
  false, true);

create table processor_payouts (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  provider text not null default 'stripe' check (provider = 'stripe'),
  payout_id text not null,
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor <> 0),
  fee_minor minor_amount not null default 0,
  paid_on date not null,
  status text not null check (status in ('posted', 'returned', 'attention')),
  note text not null default '',
  bank_account_id bigint references bank_accounts (id),
  transaction_id bigint references transactions (id),
  return_transaction_id bigint references transactions (id),
  search_text text not null generated always as (search_words(payout_id)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, division, payout_id),
  check ((status in ('posted', 'returned')) = (transaction_id is not null)),
  check ((status = 'returned') = (return_transaction_id is not null)),
  check (status <> 'attention' or note <> '')
);
comment on table processor_payouts is 'Money that the card processor paid out to a bank account, one posting each.';
comment on column processor_payouts.fee_minor is 'What it kept of the payments in it.';
comment on column processor_payouts.note is 'Why it is not posted, for staff.';
create index processor_payouts_list on processor_payouts (paid_on desc, id desc);
create index processor_payouts_division on processor_payouts (division, paid_on desc);
create index processor_payouts_account on processor_payouts (bank_account_id) where bank_account_id is not null;
create index processor_payouts_transaction on processor_payouts (transaction_id) where transaction_id is not null;
create index processor_payouts_return on processor_payouts (return_transaction_id)
  where return_transaction_id is not null;
create index processor_payouts_search on processor_payouts using gin (search_text gin_trgm_ops);
grant select, insert, update on processor_payouts to app_rw;
call maintain_updated_at('processor_payouts');

create table processor_payout_parts (
  processor_payout_id bigint not null references processor_payouts (id),
  line_id text not null,
  type text not null,
  cleared_minor minor_amount not null,
  fee_minor minor_amount not null,
  created_at timestamptz not null default now(),
  primary key (processor_payout_id, line_id)
);
comment on table processor_payout_parts is
  'Lines of the processor''s balance that a payout settles: what leaves Card clearing, and its fee.';
grant select, insert on processor_payout_parts to app_rw;

-- A posted payout is the sum of its parts.
create function tg_processor_payout_sum() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payout bigint := (to_jsonb(new) ->> case tg_table_name when 'processor_payouts' then 'id'
    else 'processor_payout_id' end)::bigint;
begin
  if exists (select 1 from processor_payouts p left join processor_payout_parts x on x.processor_payout_id = p.id
      where p.id = payout and p.transaction_id is not null group by p.id
      having coalesce(sum(x.cleared_minor - x.fee_minor), 0) <> p.amount_minor
        or coalesce(sum(x.fee_minor), 0) <> p.fee_minor) then
    raise exception 'payout %: it is not the sum of its parts', payout
      using errcode = '23514', constraint = 'processor_payout_parts_sum';
  end if;
  return null;
end $$;
revoke all on function tg_processor_payout_sum() from public;
create constraint trigger processor_payouts_sum after insert or update on processor_payouts
  deferrable initially deferred for each row execute function tg_processor_payout_sum();
create constraint trigger processor_payout_parts_sum after insert on processor_payout_parts
  deferrable initially deferred for each row execute function tg_processor_payout_sum();
