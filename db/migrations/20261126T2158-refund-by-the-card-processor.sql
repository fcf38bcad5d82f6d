-- Money that came by card goes back to the card: a refund is asked for here or found at the processor, and leaves Card
-- clearing when the processor says that it has succeeded.

create table processor_refunds (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  provider text not null default 'stripe' check (provider = 'stripe'),
  online_payment_id bigint not null references online_payments (id),
  customer_id bigint not null references customers (id),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  origin text not null check (origin in ('asked', 'found')),
  status text not null check (status in ('waiting', 'approved', 'sent', 'succeeded', 'failed', 'withdrawn')),
  payment_id bigint unique references payments (id),
  refund_id text,
  idempotency_key text unique,
  failure text not null default '',
  attention text not null default '',
  sent_at timestamptz,
  settled_at timestamptz,
  check_after timestamptz not null,
  search_text text not null generated always as (search_words(coalesce(refund_id, ''))) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, division, refund_id),
  check ((status in ('succeeded', 'failed', 'withdrawn')) = (settled_at is not null)),
  check ((origin = 'asked') = (idempotency_key is not null)),
  check (origin = 'found' or payment_id is not null),
  check (origin = 'asked' or refund_id is not null),
  check (status <> 'succeeded' or payment_id is not null or attention <> '')
);
comment on table processor_refunds is
  'Refunds of card payments and bank debits: those asked for here, and those that somebody made at the processor.';
comment on column processor_refunds.status is
  'waiting for approval, approved to be sent, sent, or over; a refund that succeeded can still fail.';
comment on column processor_refunds.payment_id is 'The refund among payments; it is posted when the refund succeeds.';
comment on column processor_refunds.idempotency_key is 'Under which the processor makes the refund once.';
comment on column processor_refunds.failure is 'Why the processor did not pay it.';
comment on column processor_refunds.attention is 'What staff have to look at; empty: nothing.';
comment on column processor_refunds.check_after is 'When it is sent, or the processor is asked again.';
create index processor_refunds_charge on processor_refunds (online_payment_id, id);
create index processor_refunds_customer on processor_refunds (customer_id, id desc);
create index processor_refunds_list on processor_refunds (division, status, created_at desc, id desc);
create index processor_refunds_due on processor_refunds (check_after) where status in ('approved', 'sent');
create index processor_refunds_attention on processor_refunds (id) where attention <> '';
create index processor_refunds_search on processor_refunds using gin (search_text gin_trgm_ops);
grant select, insert, update on processor_refunds to app_rw;
call maintain_updated_at('processor_refunds');

-- A charge never gives back more than it took, and a posted refund is what the processor paid.
create function tg_processor_refund() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  charged bigint := (select charged_minor from online_payments where id = new.online_payment_id);
begin
  if not exists (select 1 from online_payments o where o.id = new.online_payment_id and o.division = new.division
      and o.customer_id = new.customer_id) then
    raise exception 'refund %: it is of another customer', new.id
      using errcode = '23514', constraint = 'processor_refunds_customer';
  end if;
  if new.status in ('sent', 'succeeded') and coalesce(charged, 0) < (select coalesce(sum(r.amount_minor), 0)
      from processor_refunds r where r.online_payment_id = new.online_payment_id
        and r.status in ('sent', 'succeeded')) then
    raise exception 'refund %: more than was charged', new.id
      using errcode = '23514', constraint = 'processor_refunds_charge';
  end if;
  if new.status = 'succeeded' and new.payment_id is not null and not exists (select 1 from payments p
      join ledger_accounts a on a.id = p.ledger_account_id and a.system_key = 'card_clearing'
      where p.id = new.payment_id and p.kind = 'refund' and p.amount_minor = new.amount_minor
        and p.currency = new.currency and p.customer_id = new.customer_id and p.posted_at is not null) then
    raise exception 'refund %: its payment is not what the processor paid', new.id
      using errcode = '23514', constraint = 'processor_refunds_payment';
  end if;
  return null;
end $$;
revoke all on function tg_processor_refund() from public;
create constraint trigger guard_processor_refund after insert or update on processor_refunds
  deferrable initially deferred for each row execute function tg_processor_refund();
