-- One card payment or bank debit may pay several documents of a customer; what each gets is agreed before it is paid.

create table online_payment_documents (
  online_payment_id bigint not null references online_payments (id),
  invoice_id bigint not null references invoices (id),
  amount_minor minor_amount not null check (amount_minor > 0),
  created_at timestamptz not null default now(),
  primary key (online_payment_id, invoice_id)
);
comment on table online_payment_documents is
  'Documents that a payment by card or bank debit pays, each with its amount; the first is that of the payment.';
create index online_payment_documents_invoice on online_payment_documents (invoice_id, online_payment_id);
grant select, insert on online_payment_documents to app_rw;

insert into online_payment_documents (online_payment_id, invoice_id, amount_minor, created_at)
select id, invoice_id, amount_minor, created_at from online_payments;

-- The documents come to the payment, and are of its customer, division and currency.
create function tg_online_payment_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payment bigint := (to_jsonb(new) ->> case tg_table_name when 'online_payments' then 'id'
    else 'online_payment_id' end)::bigint;
begin
  if not exists (select 1 from online_payments o join online_payment_documents d on d.online_payment_id = o.id
      join invoices i on i.id = d.invoice_id and i.customer_id = o.customer_id and i.division = o.division
        and i.currency = o.currency
      where o.id = payment group by o.id
      having sum(d.amount_minor) = o.amount_minor and bool_or(d.invoice_id = o.invoice_id)
        and count(*) = (select count(*) from online_payment_documents x where x.online_payment_id = o.id)) then
    raise exception 'online payment %: its documents do not come to it', payment
      using errcode = '23514', constraint = 'online_payment_documents_sum';
  end if;
  return null;
end $$;
revoke all on function tg_online_payment_documents() from public;
create constraint trigger online_payments_documents after insert on online_payments
  deferrable initially deferred for each row execute function tg_online_payment_documents();
create constraint trigger online_payment_documents_sum after insert on online_payment_documents
  deferrable initially deferred for each row execute function tg_online_payment_documents();
