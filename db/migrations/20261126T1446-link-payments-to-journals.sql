-- Journals written by hand are linked to the payment that they concern; drafts of payments out go to the trash.

create table payment_transactions (
  transaction_id bigint primary key references transactions (id),
  payment_id bigint not null references payments (id),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
create index payment_transactions_payment on payment_transactions (payment_id, transaction_id);
create index payment_transactions_author on payment_transactions (created_by_id) where created_by_id is not null;
grant select, insert, delete on payment_transactions to app_rw;
comment on table payment_transactions is 'Journals written by hand that concern a payment. A link never changes money.';

-- A journal that stands: of the payment's division, on its account or its party.
create function tg_payment_transaction() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from transactions where id = new.transaction_id for share;
  if not exists (select 1 from transactions t join payments p on p.id = new.payment_id
      where t.id = new.transaction_id and t.division = p.division and t.status = 'posted' and t.source_id is null
        and t.reverses_id is null
        and exists (select 1 from journal_entries e where e.transaction_id = t.id
          and (e.ledger_account_id = p.ledger_account_id
            or (e.party_type = p.party_type and e.party_id = p.party_id)))) then
    raise exception 'transaction % does not concern payment %', new.transaction_id, new.payment_id
      using errcode = '23514', constraint = 'payment_transactions_concern';
  end if;
  return new;
end $$;
revoke all on function tg_payment_transaction() from public;
create trigger payment_transactions_concern before insert or update on payment_transactions
  for each row execute function tg_payment_transaction();

-- Only a draft of money out that is in no run lies in the trash, and it holds nothing.
alter table payments add constraint payments_trash check (deleted_at is null
  or (status = 'draft' and direction = 'out' and payment_run_id is null and royalty_payment_batch_id is null));

create or replace function tg_payment_sum() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payment bigint := case tg_table_name when 'payments' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'payment_id')::bigint end;
begin
  if exists (select 1 from payments p where p.id = payment and p.status in ('draft', 'approved', 'posted', 'cleared')
      and p.deleted_at is null
      and exists (select 1 from payment_parts x where x.payment_id = p.id)
      and p.amount_minor <> (select coalesce(sum(x.amount_minor), 0) from payment_parts x
        where x.payment_id = p.id and x.state = case when p.posted_at is null then 'reserved' else 'paid' end)) then
    raise exception 'payment %: its amount is not the sum of its parts', payment
      using errcode = '23514', constraint = 'payment_parts_sum';
  end if;
  if exists (select 1 from payments p join payment_parts x on x.payment_id = p.id
      where p.id = payment and p.deleted_at is not null and x.state <> 'released') then
    raise exception 'payment %: it is in the trash and holds what it would pay', payment
      using errcode = '23514', constraint = 'payment_parts_trash';
  end if;
  return null;
end $$;
drop trigger payments_sum on payments;
create constraint trigger payments_sum after update of amount_minor, status, deleted_at on payments
  deferrable initially deferred for each row when (new.direction = 'out') execute function tg_payment_sum();

-- Deletes a payment in the trash for good; it never posted, so nothing else knows it.
create function purge_payment(p_id bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from payments where id = p_id and deleted_at is not null and status = 'draft' and posted_at is null
    for update;
  if not found then
    raise exception 'payment % is not in the trash', p_id using errcode = '23514', constraint = 'payments_trash';
  end if;
  delete from payment_transactions where payment_id = p_id;
  delete from payment_parts where payment_id = p_id;
  delete from payments where id = p_id;
end $$;
revoke all on function purge_payment(bigint) from public;
grant execute on function purge_payment(bigint) to app_rw;
