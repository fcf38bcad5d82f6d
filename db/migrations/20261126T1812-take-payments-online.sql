-- Payments by card and bank debit through a processor. What a customer pays there is the processor's until it pays out:
-- it is booked on Card clearing, gross.

insert into ledger_accounts (division, ledger_header_id, code, name, class, is_cash, is_monetary, is_tax, allow_manual,
  cash_flow_class, system_key)
select a.division, a.ledger_header_id, '1020', 'Card clearing', 'asset', true, true, false, true, 'cash',
  'card_clearing'
from ledger_accounts a where a.system_key = 'undeposited'
  and not exists (select 1 from ledger_accounts x where x.division = a.division and x.code = '1020');
update ledger_accounts set system_key = 'card_clearing' where code = '1020' and system_key is null;

create table online_payments (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  invoice_id bigint not null references invoices (id),
  division text not null references divisions (code),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  method text not null check (method in ('card', 'ach', 'sepa', 'bacs')),
  status text not null default 'open' check (status in ('open', 'processing', 'paid', 'failed', 'expired')),
  provider text not null default 'stripe' check (provider = 'stripe'),
  is_test boolean not null,
  idempotency_key text not null unique,
  session_id text not null unique,
  session_url text not null,
  payment_intent_id text unique,
  charged_minor minor_amount check (charged_minor > 0),
  charged_currency currency_code,
  failure text not null default '',
  attention text not null default '',
  payment_id bigint unique references payments (id),
  started_by_id bigint references users (id),
  expires_at timestamptz not null,
  check_after timestamptz not null,
  settled_at timestamptz,
  search_text text not null generated always as (search_words(session_id, coalesce(payment_intent_id, ''))) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status in ('paid', 'failed', 'expired')) = (settled_at is not null)),
  check ((status = 'paid') = (charged_minor is not null)),
  check ((charged_minor is null) = (charged_currency is null)),
  check (payment_id is null or (status = 'paid' and payment_intent_id is not null)),
  check (status <> 'paid' or payment_id is not null or attention <> '')
);
comment on table online_payments is
  'Payments that customers make with a processor by card or bank debit. The row is there before the customer leaves.';
comment on column online_payments.is_test is 'Paid with a test key: no money moves.';
comment on column online_payments.idempotency_key is 'Under which the processor makes the checkout once.';
comment on column online_payments.session_url is 'Page of the processor where the customer pays.';
comment on column online_payments.charged_minor is
  'What the processor took; it is what was asked, or attention says so.';
comment on column online_payments.failure is 'Why it was not paid, in words for the customer.';
comment on column online_payments.attention is 'What staff have to look at; empty: nothing.';
comment on column online_payments.payment_id is 'Its receipt.';
comment on column online_payments.check_after is
  'When the processor is asked again, whether it told us something or not.';
create index online_payments_customer on online_payments (customer_id, id desc);
create index online_payments_invoice on online_payments (invoice_id, id desc);
create index online_payments_list on online_payments (division, status, created_at desc, id desc);
create index online_payments_latest on online_payments (created_at desc, id desc);
create index online_payments_user on online_payments (started_by_id) where started_by_id is not null;
create index online_payments_due on online_payments (check_after) where status in ('open', 'processing');
create index online_payments_attention on online_payments (id) where attention <> '';
create index online_payments_search on online_payments using gin (search_text gin_trgm_ops);
grant select, insert, update on online_payments to app_rw;
call maintain_updated_at('online_payments');

-- The money of the receipt is the money that was charged; what is over never changes again.
create function tg_online_payment() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.settled_at is not null
      and (old.status, old.charged_minor, old.charged_currency, old.payment_intent_id)
        is distinct from (new.status, new.charged_minor, new.charged_currency, new.payment_intent_id) then
    raise exception 'online payment %: it is over', old.id using errcode = '23514', constraint = 'online_payments_over';
  end if;
  if tg_op = 'UPDATE' and old.payment_id is not null and new.payment_id is distinct from old.payment_id then
    raise exception 'online payment %: its receipt stays', old.id
      using errcode = '23514', constraint = 'online_payments_receipt';
  end if;
  if new.payment_id is not null and not exists (select 1 from payments p
      where p.id = new.payment_id and p.kind = 'receipt' and p.customer_id = new.customer_id
        and p.division = new.division and p.currency = new.charged_currency and p.amount_minor = new.charged_minor
        and p.provider = new.provider and p.provider_id = new.payment_intent_id) then
    raise exception 'online payment %: its receipt is not what was charged', new.id
      using errcode = '23514', constraint = 'online_payments_receipt';
  end if;
  return new;
end $$;
revoke all on function tg_online_payment() from public;
create trigger guard_online_payment before insert or update on online_payments
  for each row execute function tg_online_payment();

create table processor_events (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  provider text not null default 'stripe' check (provider = 'stripe'),
  event_id text not null,
  type text not null,
  object_id text not null default '',
  api_version text not null default '',
  happened_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'unknown')),
  note text not null default '',
  attempts integer not null default 0,
  online_payment_id bigint references online_payments (id),
  handled_at timestamptz,
  created_at timestamptz not null default now(),
  unique (provider, division, event_id),
  check ((status = 'waiting') = (handled_at is null))
);
comment on table processor_events is
  'What a processor told us, each event once. They say what to read again, never what is true.';
comment on column processor_events.object_id is 'Id of the object that the event is about.';
comment on column processor_events.status is 'unknown: it names a payment that is not ours; staff look at it.';
create index processor_events_waiting on processor_events (id) where status = 'waiting';
create index processor_events_unknown on processor_events (division, happened_at desc) where status = 'unknown';
create index processor_events_payment on processor_events (online_payment_id) where online_payment_id is not null;
create index processor_events_list on processor_events (happened_at desc, id desc);
grant select, insert, update on processor_events to app_rw;
