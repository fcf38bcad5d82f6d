-- A deposit that was asked for can be paid by card or bank debit where it is shown: the payment names the deposit,
-- which is paid whole, instead of documents.
alter table online_payments
  alter column invoice_id drop not null,
  add column deposit_id bigint references deposits,
  add constraint online_payments_purpose check (num_nonnulls(invoice_id, deposit_id) = 1);
create index online_payments_deposit on online_payments (deposit_id, id desc) where deposit_id is not null;
grant select (deposit_id) on online_payments to app_portal;
comment on column online_payments.deposit_id is 'Deposit that it pays whole, instead of documents.';

create or replace function tg_online_payment_documents() returns trigger language plpgsql security definer
  set search_path to public, pg_temp as $$
declare
  payment bigint := (to_jsonb(new) ->> case tg_table_name when 'online_payments' then 'id'
    else 'online_payment_id' end)::bigint;
begin
  if not exists (select 1 from online_payments o join online_payment_documents d on d.online_payment_id = o.id
      join invoices i on i.id = d.invoice_id and i.customer_id = o.customer_id and i.division = o.division
        and i.currency = o.currency
      where o.id = payment group by o.id
      having sum(d.amount_minor) = o.amount_minor and bool_or(d.invoice_id = o.invoice_id)
        and count(*) = (select count(*) from online_payment_documents x where x.online_payment_id = o.id))
    and not exists (select 1 from online_payments o join deposits d on d.id = o.deposit_id
      and d.division = o.division and d.currency = o.currency and d.amount_minor = o.amount_minor
      join licenses l on l.id = d.license_id and l.customer_id = o.customer_id
      where o.id = payment and not exists (select 1 from online_payment_documents x where x.online_payment_id = o.id))
  then
    raise exception 'online payment %: its documents do not come to it', payment
      using errcode = '23514', constraint = 'online_payment_documents_sum';
  end if;
  return null;
end $$;
