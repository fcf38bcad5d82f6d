-- A cardholder who disputes a payment takes its money off Card clearing, with a fee, and the documents are open again;
-- the bank of the card decides whether it comes back.

alter table payments drop constraint payments_kind_check;
alter table payments add constraint payments_kind_check check (kind in ('receipt', 'credit', 'refund', 'dispute',
  'vendor', 'royalty', 'royalty_advance', 'tax', 'reimbursement'));
alter table payments add constraint payments_dispute check (kind <> 'dispute' or party_type = 'customer');

create table processor_disputes (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  provider text not null default 'stripe' check (provider = 'stripe'),
  dispute_id text not null,
  online_payment_id bigint not null references online_payments (id),
  customer_id bigint not null references customers (id),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  reason text not null default '',
  status text not null check (status in ('inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed')),
  due_at timestamptz,
  taken_minor minor_amount not null default 0 check (taken_minor >= 0),
  fee_minor minor_amount not null default 0,
  payment_id bigint unique references payments (id),
  taken_off jsonb not null default '[]',
  attention text not null default '',
  closed_at timestamptz,
  search_text text not null generated always as (search_words(dispute_id, reason)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, division, dispute_id),
  check ((status in ('won', 'lost', 'closed')) = (closed_at is not null)),
  check (taken_minor = 0 or payment_id is not null)
);
comment on table processor_disputes is 'Card payments and bank debits that the payer disputes with their bank.';
comment on column processor_disputes.amount_minor is 'What is disputed.';
comment on column processor_disputes.reason is 'The word of the processor for it: fraudulent, duplicate and so on.';
comment on column processor_disputes.due_at is 'Until when evidence can be given, at the processor.';
comment on column processor_disputes.taken_minor is 'What it has off Card clearing by now; zero again once it is won.';
comment on column processor_disputes.fee_minor is 'What the processor charged for it.';
comment on column processor_disputes.payment_id is 'The money that it took, among payments.';
comment on column processor_disputes.taken_off is 'What it took off which invoice, to be paid again if it is won.';
comment on column processor_disputes.attention is 'What staff have to look at; empty: nothing.';
create index processor_disputes_charge on processor_disputes (online_payment_id);
create index processor_disputes_customer on processor_disputes (customer_id, id desc);
create index processor_disputes_list on processor_disputes (division, status, created_at desc, id desc);
create index processor_disputes_latest on processor_disputes (created_at desc, id desc);
create index processor_disputes_search on processor_disputes using gin (search_text gin_trgm_ops);
grant select, insert, update on processor_disputes to app_rw;
call maintain_updated_at('processor_disputes');

-- What a dispute has taken is its posted payment; nothing where it has given it back.
create function tg_processor_dispute() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.taken_minor <> coalesce((select p.amount_minor from payments p where p.id = new.payment_id
      and p.kind = 'dispute' and p.customer_id = new.customer_id and p.status in ('posted', 'cleared')), 0) then
    raise exception 'dispute %: it has not taken what its payment shows', new.id
      using errcode = '23514', constraint = 'processor_disputes_payment';
  end if;
  return null;
end $$;
revoke all on function tg_processor_dispute() from public;
create constraint trigger guard_processor_dispute after insert or update on processor_disputes
  deferrable initially deferred for each row execute function tg_processor_dispute();
