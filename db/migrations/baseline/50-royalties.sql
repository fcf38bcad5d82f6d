-- Royalties: allocation of income with exact splits, accruals, statement runs and statements. Beside every amount
-- stands its carrying amount in functional currency, so that both reconcile to the ledger.

create table royalty_allocations (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  license_id bigint references licenses (id),
  box_office_report_id bigint references box_office_reports (id),
  invoice_item_id bigint references invoice_items (id),
  payment_allocation_id bigint references payment_allocations (id),
  reverses_id bigint references royalty_allocations (id),
  income_type text not null check (income_type in ('royalty', 'rental', 'sale', 'digital', 'add_on', 'streaming',
    'video', 'perusal', 'late_fee', 'advance', 'breakage', 'cancellation_fee')),
  division text not null references divisions (code),
  currency currency_code not null,
  amount_minor minor_amount not null,
  house_minor minor_amount not null,
  group_key text not null check (group_key <> ''),
  weights_hash text not null check (weights_hash <> ''),
  method text not null check (method in ('plain', 'carried', 'safe', 'mirror')),
  occurred_on date not null,
  trace jsonb,
  part_of_id bigint references royalty_allocations (id),
  role text not null default 'line' check (role in ('line', 'cost', 'due', 'release')),
  created_at timestamptz not null default now(),
  check (method <> 'mirror' or reverses_id is not null),
  check ((role = 'line') = (part_of_id is null))
);
comment on table royalty_allocations is
  'Distribution of one amount of income to all parties of a show, the company included. Checked at commit: the '
  'parts add up to the amount.';
comment on column royalty_allocations.method is
  'Plain: without remainders. carried: with remainders. safe: without, because a remainder would have changed a '
  'sign. mirror: reversal of reverses_id.';
comment on column royalty_allocations.part_of_id is
  'Allocation this one is part of: income is shared once, and cost and due amounts are parts of that, so that '
  'both end exactly on the shares.';
comment on column royalty_allocations.role is
  'Line: the sharing itself. cost and due: a part or a mirror of it. release: the share of royaltors in a '
  'deferred line with net presentation.';
create index royalty_allocations_show on royalty_allocations (show_id, occurred_on desc, id desc);
create index royalty_allocations_license on royalty_allocations (license_id, occurred_on desc, id desc);
create index royalty_allocations_division on royalty_allocations (division, occurred_on desc, id desc);
create index royalty_allocations_report on royalty_allocations (box_office_report_id)
  where box_office_report_id is not null;
create index royalty_allocations_item on royalty_allocations (invoice_item_id) where invoice_item_id is not null;
create index royalty_allocations_payment on royalty_allocations (payment_allocation_id)
  where payment_allocation_id is not null;
create index royalty_allocations_reverses on royalty_allocations (reverses_id) where reverses_id is not null;
create index royalty_allocations_part on royalty_allocations (part_of_id) where part_of_id is not null;
-- One sharing per invoice line, whoever asks at the same moment.
create unique index royalty_allocations_line on royalty_allocations (invoice_item_id)
  where part_of_id is null and invoice_item_id is not null;
grant select, insert on royalty_allocations to app_rw;

create table royalty_carries (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  group_key text not null,
  currency currency_code not null,
  division text not null references divisions (code),
  weights_hash text not null,
  show_royaltor_id bigint references show_royaltors (id),
  carry numeric(40, 0) not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (show_id, group_key, currency, division, weights_hash, show_royaltor_id)
);
comment on table royalty_carries is
  'Rounding remainder of each party between allocations, in fractions of a minor unit. Without a party, the row '
  'is the company''s.';
create index royalty_carries_agreement on royalty_carries (show_royaltor_id);
create index royalty_carries_division on royalty_carries (division);
grant select, insert, update on royalty_carries to app_rw;

create table royalty_statement_runs (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  currency currency_code not null,
  period_from date not null,
  period_to date not null check (period_to >= period_from),
  status text not null default 'draft' check (status in ('draft', 'calculated', 'approved', 'issued')),
  statement_count integer not null default 0,
  net_minor minor_amount not null default 0,
  pay_minor minor_amount not null default 0,
  calculated_by_id bigint references users (id),
  calculated_at timestamptz,
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  issued_at timestamptz,
  work text check (work in ('calculate', 'issue')),
  work_done integer not null default 0 check (work_done >= 0),
  work_total integer not null default 0 constraint royalty_statement_runs_check3 check (work_total >= work_done),
  work_cursor bigint not null default 0,
  work_royaltor_ids bigint[],
  work_on date,
  work_by_id bigint references users (id),
  failure text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (approved_by_id is null or approved_by_id <> calculated_by_id),
  check (status not in ('approved', 'issued') or approved_at is not null)
);
comment on table royalty_statement_runs is 'Runs that calculate and issue the statements of a period.';
comment on column royalty_statement_runs.work is
  'Background work in progress: calculate or issue, in chunks of one transaction each; null: none.';
comment on column royalty_statement_runs.work_cursor is
  'Last agreement calculated. A restarted job continues after it.';
comment on column royalty_statement_runs.work_royaltor_ids is 'Royaltors to calculate; null: all.';
comment on column royalty_statement_runs.work_on is 'Date of issue.';
comment on column royalty_statement_runs.failure is 'Why the last work stopped, for people to read.';
create unique index royalty_statement_runs_period
  on royalty_statement_runs (division, currency, period_from, period_to)
  where status in ('draft', 'calculated');
create index royalty_statement_runs_latest on royalty_statement_runs (period_to desc, id desc);
create index royalty_statement_runs_division on royalty_statement_runs (division);
create index royalty_statement_runs_work on royalty_statement_runs (id) where work is not null;
create index royalty_statement_runs_work_by on royalty_statement_runs (work_by_id) where work_by_id is not null;
grant select, insert, update on royalty_statement_runs to app_rw;

create table royalty_statements (
  id bigint generated always as identity primary key,
  number text unique,
  royalty_statement_run_id bigint references royalty_statement_runs (id),
  royaltor_id bigint not null references royaltors (id),
  show_royaltor_id bigint references show_royaltors (id),
  cross_collateral_group_id bigint references cross_collateral_groups (id),
  division text not null references divisions (code),
  currency currency_code not null,
  period_from date not null,
  period_to date not null check (period_to >= period_from),
  status text not null default 'draft' check (status in
    ('draft', 'calculated', 'approved', 'issued', 'part_paid', 'paid', 'void')),
  opening_minor minor_amount not null default 0,
  earnings_minor minor_amount not null default 0,
  reserves_taken_minor minor_amount not null default 0 check (reserves_taken_minor >= 0),
  reserves_released_minor minor_amount not null default 0 check (reserves_released_minor >= 0),
  adjustments_minor minor_amount not null default 0,
  available_minor minor_amount not null default 0,
  recouped_minor minor_amount not null default 0 check (recouped_minor >= 0),
  top_up_minor minor_amount not null default 0 check (top_up_minor >= 0),
  net_minor minor_amount not null default 0,
  vat_minor minor_amount not null default 0,
  agent_minor minor_amount not null default 0 check (agent_minor >= 0),
  expected_wht_minor minor_amount not null default 0 check (expected_wht_minor >= 0),
  withheld_minor minor_amount not null default 0 check (withheld_minor >= 0),
  payable_minor minor_amount not null default 0 check (payable_minor >= 0),
  paid_minor minor_amount not null default 0 check (paid_minor >= 0),
  closing_minor minor_amount not null generated always as (opening_minor + earnings_minor - reserves_taken_minor
    + reserves_released_minor + adjustments_minor - recouped_minor + top_up_minor + vat_minor - paid_minor
    - withheld_minor - agent_minor) stored,
  closing_unrecouped_minor minor_amount not null default 0 check (closing_unrecouped_minor >= 0),
  closing_reserve_minor minor_amount not null default 0 check (closing_reserve_minor >= 0),
  carried_reason text,
  self_billing_number text,
  calculated_by_id bigint references users (id),
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  issued_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  snapshot jsonb,
  document_id bigint references files (id),
  sha256 sha256_hex,
  transaction_id bigint references transactions (id),
  carried_minor minor_amount not null default 0,
  agent_carried_minor minor_amount not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(show_royaltor_id, cross_collateral_group_id) = 1),
  check (available_minor = opening_minor + earnings_minor - reserves_taken_minor + reserves_released_minor
    + adjustments_minor),
  check (net_minor = available_minor - recouped_minor + top_up_minor),
  check (approved_by_id is null or approved_by_id <> calculated_by_id),
  check (status not in ('approved', 'issued', 'part_paid', 'paid') or approved_at is not null),
  check (status not in ('issued', 'part_paid', 'paid') or (number is not null and issued_at is not null
    and snapshot is not null and sha256 is not null)),
  check ((status = 'void') = (voided_at is not null)),
  check (status <> 'void' or issued_at is null)
);
comment on table royalty_statements is
  'Royalty statements by agreement or cross-collateral group, division and currency. closing = opening + '
  'earnings - reserves + released + adjustments - recouped + top-up + VAT - paid - withheld - agent.';
comment on column royalty_statements.carried_reason is 'Why nothing is paid this time, as printed on the statement.';
comment on column royalty_statements.carried_minor is
  'Carrying amount of the payable; 0 once paid or included in the next statement.';
comment on column royalty_statements.agent_carried_minor is 'Carrying amount of the part of the agent.';
create unique index royalty_statements_period on royalty_statements
  (show_royaltor_id, cross_collateral_group_id, division, currency, period_from, period_to) nulls not distinct
  where status <> 'void';
create index royalty_statements_latest on royalty_statements (period_to desc, id desc);
create index royalty_statements_division on royalty_statements (division, currency, status, period_to desc, id desc);
create index royalty_statements_royaltor on royalty_statements (royaltor_id, period_to desc, id desc);
create index royalty_statements_run on royalty_statements (royalty_statement_run_id, id);
create index royalty_statements_agreement on royalty_statements (show_royaltor_id);
create index royalty_statements_group on royalty_statements (cross_collateral_group_id);
create index royalty_statements_document on royalty_statements (document_id) where document_id is not null;
create index royalty_statements_transaction on royalty_statements (transaction_id) where transaction_id is not null;
create index royalty_statements_number_start on royalty_statements (lower(number) text_pattern_ops)
  where number is not null;
-- The approvals inbox and its count in the navigation ask for these at every page; there are few of them at a time.
create index royalty_statements_waiting on royalty_statements (royalty_statement_run_id, id)
  where status = 'calculated';
-- Not valid: a statement that was paid twice before must still be open to the return that mends it.
alter table royalty_statements add constraint royalty_statements_paid_once
  check (paid_minor + withheld_minor <= payable_minor + expected_wht_minor) not valid;
grant select, insert, update, delete on royalty_statements to app_rw;

create table royalty_accruals (
  id bigint generated always as identity primary key,
  royalty_allocation_id bigint not null references royalty_allocations (id),
  show_royaltor_id bigint not null references show_royaltors (id),
  matched_term_id bigint references royalty_terms (id),
  license_id bigint references licenses (id),
  income_type text not null,
  division text not null references divisions (code),
  currency currency_code not null,
  base_minor minor_amount not null,
  rate_ppm rate_ppm not null,
  share_points integer not null check (share_points >= 0),
  weight numeric(30, 0) not null check (weight >= 0),
  amount_minor minor_amount not null,
  recoupable boolean not null default true,
  reserve_ppm rate_ppm not null default 0,
  occurred_on date not null,
  accrued_at timestamptz not null default now(),
  cost_on date,
  due_on date,
  cost_transaction_id bigint references transactions (id),
  due_transaction_id bigint references transactions (id),
  statement_id bigint references royalty_statements (id),
  reverses_accrual_id bigint references royalty_accruals (id),
  trace jsonb,
  functional_minor minor_amount,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (royalty_allocation_id, show_royaltor_id, matched_term_id),
  check (statement_id is null or due_on is not null),
  check (functional_minor is not null or cost_on is null and due_on is null)
);
comment on table royalty_accruals is
  'Shares of a party. cost_on is the date of the income; due_on is the date on which the share becomes payable, '
  'null until then. Only the statement is added later.';
comment on column royalty_accruals.functional_minor is
  'Amount in functional currency; null while neither cost nor due.';
create index royalty_accruals_agreement on royalty_accruals (show_royaltor_id, occurred_on desc, id desc);
create index royalty_accruals_list on royalty_accruals (occurred_on desc, id desc);
create index royalty_accruals_unstatemented on royalty_accruals (division, currency, due_on, show_royaltor_id)
  where statement_id is null and due_on is not null;
create index royalty_accruals_not_due on royalty_accruals (license_id, show_royaltor_id) where due_on is null;
create index royalty_accruals_license on royalty_accruals (license_id, occurred_on desc, id desc);
create index royalty_accruals_term on royalty_accruals (matched_term_id);
create index royalty_accruals_statement on royalty_accruals (statement_id) where statement_id is not null;
create index royalty_accruals_reverses
  on royalty_accruals (reverses_accrual_id) where reverses_accrual_id is not null;
create index royalty_accruals_cost on royalty_accruals (cost_transaction_id) where cost_transaction_id is not null;
create index royalty_accruals_due on royalty_accruals (due_transaction_id) where due_transaction_id is not null;
grant select, insert, update on royalty_accruals to app_rw;

create function check_royalty_allocation() returns trigger
language plpgsql as $$
declare
  shared bigint;
begin
  select coalesce(sum(amount_minor), 0) into shared from royalty_accruals where royalty_allocation_id = new.id;
  if shared + new.house_minor <> new.amount_minor then
    raise exception 'royalty allocation %: parties % and house % do not make %', new.id, shared, new.house_minor,
      new.amount_minor using errcode = '23514';
  end if;
  return null;
end $$;

create constraint trigger check_royalty_allocation after insert on royalty_allocations
  deferrable initially deferred for each row execute function check_royalty_allocation();

create function guard_royalty_accrual() returns trigger
language plpgsql as $$
declare
  free text[] := array['cost_on', 'due_on', 'cost_transaction_id', 'due_transaction_id', 'statement_id',
    'updated_at'];
begin
  if (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'royalty accrual % is never edited: mirror it', old.id using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_royalty_accrual before update on royalty_accruals
  for each row execute function guard_royalty_accrual();

create function guard_royalty_statement() returns trigger
language plpgsql as $$
begin
  if old.status not in ('draft', 'calculated') then
    raise exception 'statement % is %: correct it in the next one', old.id, old.status using errcode = '23514';
  end if;
  return old;
end $$;

create trigger guard_royalty_statement before delete on royalty_statements
  for each row execute function guard_royalty_statement();

-- Statements of one subject, division and currency are issued in the order of their periods: the opening of each is
-- what the one before it closed with.
create function check_statement_order() returns trigger
language plpgsql as $$
begin
  if exists (select 1 from royalty_statements o where o.id <> new.id
      and o.show_royaltor_id is not distinct from new.show_royaltor_id
      and o.cross_collateral_group_id is not distinct from new.cross_collateral_group_id
      and o.division = new.division and o.currency = new.currency
      and (o.period_to < new.period_to and o.status in ('draft', 'calculated', 'approved')
        or o.period_to > new.period_to and o.issued_at is not null)) then
    raise exception 'statement % is issued in the order of its period: an earlier one waits, or a later one is issued',
      new.id using errcode = '23514', constraint = 'royalty_statements_in_order';
  end if;
  return new;
end $$;

create trigger check_statement_order before update of issued_at on royalty_statements
  for each row when (old.issued_at is null and new.issued_at is not null) execute function check_statement_order();

-- The lines of a statement that is not issued are written again when its figures follow an earlier one.
create function guard_statement_line() returns trigger
language plpgsql as $$
begin
  if exists (select 1 from royalty_statements where id = old.royalty_statement_id
      and status not in ('draft', 'calculated')) then
    raise exception 'the lines of statement % stay', old.royalty_statement_id using errcode = '23514';
  end if;
  return old;
end $$;

call maintain_updated_at('royalty_carries', 'royalty_statement_runs', 'royalty_statements', 'royalty_accruals');

call make_append_only('royalty_allocations');
