-- A payment that is taken out of a run, or that the bank refuses, leaves its trace there: a refund is free for another
-- run and would be gone from this one, and the bank may pay what was taken out too late.
create table payment_run_exits (
  id bigint generated always as identity primary key,
  payment_run_id bigint not null references payment_runs (id),
  payment_id bigint not null references payments (id),
  amount_minor minor_amount not null check (amount_minor > 0),
  payee_last4 text,
  part_ids bigint[] not null default '{}',
  bank_reference text not null default '',
  is_sent boolean not null,
  outcome text not null check (outcome in ('rejected', 'cancelled')),
  outcome_on date not null,
  reason text not null,
  doubted boolean not null default false,
  paid_on date,
  paid_named_in text,
  decision text check (decision in ('paid', 'not_paid')),
  decision_reason text,
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check (is_sent or paid_on is null),
  check ((decision is null) = (decided_at is null)),
  check (decision is null or paid_on is not null)
);
comment on table payment_run_exits is
  'Payments that were taken out of a run or that the bank refused or returned, as they were.';
comment on column payment_run_exits.amount_minor is 'Amount in the run, in minor units of its currency.';
comment on column payment_run_exits.part_ids is 'Parts of the payment that it reserved or paid until then.';
comment on column payment_run_exits.bank_reference is 'Id under which the bank''s answer names the payment.';
comment on column payment_run_exits.is_sent is 'The bank had been given it.';
comment on column payment_run_exits.doubted is 'The bank details of the payee are to be confirmed again.';
comment on column payment_run_exits.paid_on is
  'Day on which the bank paid it all the same; null: it did not. Until a person decides, its payee is held out.';
comment on column payment_run_exits.paid_named_in is 'Answer of the bank that says so.';
comment on column payment_run_exits.decision is
  'paid: the payment stands again; not_paid: the money is back, or never left.';
create index payment_run_exits_run on payment_run_exits (payment_run_id, id);
create index payment_run_exits_payment on payment_run_exits (payment_id, id);
create index payment_run_exits_maker on payment_run_exits (created_by_id) where created_by_id is not null;
create index payment_run_exits_decider on payment_run_exits (decided_by_id) where decided_by_id is not null;
create unique index payment_run_exits_paid on payment_run_exits (payment_id)
  where paid_on is not null and decision is null;
grant select, insert on payment_run_exits to app_rw;
grant update (paid_on, paid_named_in, decision, decision_reason, decided_by_id, decided_at) on payment_run_exits
  to app_rw;

-- Those that left runs before: the file named them.
insert into payment_run_exits (payment_run_id, payment_id, amount_minor, payee_last4, part_ids, bank_reference, is_sent,
  outcome, outcome_on, reason, doubted)
select p.payment_run_id, p.id, p.amount_minor, p.payee_last4, coalesce((select array_agg(x.id order by x.id)
    from payment_parts x where x.payment_id = p.id and x.state = 'released'), '{}'), p.bank_reference, true,
  p.outcome, p.outcome_on, coalesce(p.reversal_reason, ''), p.outcome = 'rejected'
from payments p join payment_runs n on n.id = p.payment_run_id
where p.status = 'void' and p.outcome in ('rejected', 'cancelled') and p.outcome_on is not null
  and p.bank_reference <> '' and n.file_id is not null;
