-- Orders, refunds and customers as the tax service knows them (A385 to A399). They are kept here whether a service is
-- set up or not; where one is, a job reports what is waiting.

create table tax_service_customers (
  id bigint generated always as identity primary key,
  reference text not null check (reference ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  name text not null check (length(name) between 1 and 200),
  exemption_type text not null
    check (exemption_type in ('wholesale', 'government', 'marketplace', 'other', 'non_exempt')),
  exempt_regions jsonb not null default '[]' check (jsonb_typeof(exempt_regions) = 'array'),
  address jsonb not null default '{}' check (jsonb_typeof(address) = 'object'),
  report_state text not null default 'kept' check (report_state in ('kept', 'waiting', 'reported', 'failed')),
  report_attempts integer not null default 0 check (report_attempts >= 0),
  report_error text check (length(report_error) <= 500),
  report_after timestamptz,
  reported_at timestamptz,
  is_known_there boolean not null default false,
  removed_at timestamptz,
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index tax_service_customers_reference on tax_service_customers (reference) where removed_at is null;
create index tax_service_customers_due on tax_service_customers (report_after) where report_state = 'waiting';
create index tax_service_customers_creator on tax_service_customers (created_by_id) where created_by_id is not null;
create trigger touch_updated_at before update on tax_service_customers
  for each row execute function touch_updated_at();

create table tax_service_transactions (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('order', 'refund')),
  reference text not null check (reference ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  order_id bigint references tax_service_transactions (id),
  dated_on date not null,
  exemption_type text check (exemption_type in ('wholesale', 'government', 'marketplace', 'other', 'non_exempt')),
  buyer_id bigint references tax_service_customers (id),
  ship_from jsonb not null default '{}' check (jsonb_typeof(ship_from) = 'object'),
  ship_to jsonb not null check (jsonb_typeof(ship_to) = 'object'),
  amount_minor minor_amount not null,
  shipping_minor minor_amount not null,
  sales_tax_minor minor_amount not null,
  line_items jsonb not null default '[]' check (jsonb_typeof(line_items) = 'array'),
  report_state text not null default 'kept' check (report_state in ('kept', 'waiting', 'reported', 'failed')),
  report_attempts integer not null default 0 check (report_attempts >= 0),
  report_error text check (length(report_error) <= 500),
  report_after timestamptz,
  reported_at timestamptz,
  is_known_there boolean not null default false,
  removed_at timestamptz,
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'refund') = (order_id is not null)),
  check (case kind when 'order' then least(amount_minor, shipping_minor, sales_tax_minor) >= 0
    else greatest(amount_minor, shipping_minor, sales_tax_minor) <= 0 end)
);
create unique index tax_service_transactions_reference on tax_service_transactions (kind, reference)
  where removed_at is null;
create index tax_service_transactions_order on tax_service_transactions (order_id) where order_id is not null;
create index tax_service_transactions_buyer on tax_service_transactions (buyer_id) where buyer_id is not null;
create index tax_service_transactions_dated on tax_service_transactions (kind, dated_on, id) where removed_at is null;
create index tax_service_transactions_due on tax_service_transactions (report_after) where report_state = 'waiting';
create index tax_service_transactions_creator on tax_service_transactions (created_by_id)
  where created_by_id is not null;
create trigger touch_updated_at before update on tax_service_transactions
  for each row execute function touch_updated_at();

-- Refunds of an order come to no more than the order, in each of its amounts, and an order with refunds stays. The
-- order's row is locked, so that two refunds at once are counted together.
create function guard_tax_service_refunds() returns trigger language plpgsql as $$
declare
  sale tax_service_transactions;
  back record;
begin
  select * into sale from tax_service_transactions where id = coalesce(new.order_id, new.id) for update;
  select coalesce(sum(r.amount_minor), 0) as amount, coalesce(sum(r.shipping_minor), 0) as shipping,
    coalesce(sum(r.sales_tax_minor), 0) as tax, count(*) as refunds
    into back from tax_service_transactions r where r.order_id = sale.id and r.removed_at is null;
  if back.refunds > 0 and (sale.kind <> 'order' or sale.removed_at is not null
    or sale.amount_minor + back.amount < 0 or sale.shipping_minor + back.shipping < 0
    or sale.sales_tax_minor + back.tax < 0) then
    raise exception 'refunds of order % come to more than the order', sale.reference using errcode = '23514',
      constraint = 'tax_service_refunds_within_order';
  end if;
  return null;
end $$;
create trigger guard_refunds after insert or update on tax_service_transactions
  for each row execute function guard_tax_service_refunds();

grant select, insert, update on tax_service_customers, tax_service_transactions to app_rw;

comment on table tax_service_customers is
  'Customers of the tax service with the regions they are exempt in; sent there where a service is set up.';
comment on column tax_service_customers.reference is 'Id of the customer in the tax service.';
comment on column tax_service_customers.report_state is
  'kept: no service is set up. waiting: to be sent. reported: the service has it as it is here. failed: it refused it.';
comment on column tax_service_customers.report_after is 'The next attempt to send it.';
comment on column tax_service_customers.is_known_there is 'The service has it: a change updates it there.';
comment on table tax_service_transactions is
  'Orders and refunds of the tax service, each under its own id; sent there where a service is set up.';
comment on column tax_service_transactions.reference is 'Id of the order or refund in the tax service.';
comment on column tax_service_transactions.order_id is 'The order that a refund takes back; null for an order.';
comment on column tax_service_transactions.amount_minor is
  'Cents of US dollars with shipping, without tax; negative for a refund, as are shipping and tax.';
comment on column tax_service_transactions.line_items is 'Lines in the spelling of the service.';
comment on column tax_service_transactions.report_state is
  'kept: no service is set up. waiting: to be sent. reported: the service has it as it is here. failed: it refused it.';
comment on column tax_service_transactions.report_after is 'The next attempt to send it.';
comment on column tax_service_transactions.is_known_there is 'The service has it: a change updates it there.';
