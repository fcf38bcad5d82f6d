-- The lines of statements, advances and reserves behind them, withholding and the payment of royaltors.
-- Sources: domain.md 3.5 (steps 3, 6, 10, 12), 3.6; invariants I3, I4, I5.

create table royalty_statement_lines (
  id bigint generated always as identity primary key,
  royalty_statement_id bigint not null references royalty_statements (id) on delete cascade,
  section text not null check (section in ('summary', 'performances', 'sales_and_rentals', 'streaming', 'adjustments',
    'reserves', 'advances', 'payments')),
  sort integer not null default 0,
  description text not null check (description <> ''),
  license_id bigint references licenses (id),
  show_royaltor_id bigint references show_royaltors (id),
  period_from date,
  period_to date,
  performances integer,
  quantity integer,
  gross_minor minor_amount,
  base_minor minor_amount,
  rate_ppm rate_ppm,
  amount_minor minor_amount not null,
  created_at timestamptz not null default now()
);
create index royalty_statement_lines_statement on royalty_statement_lines (royalty_statement_id, sort, id);
create index royalty_statement_lines_license on royalty_statement_lines (license_id) where license_id is not null;
create index royalty_statement_lines_agreement on royalty_statement_lines (show_royaltor_id)
  where show_royaltor_id is not null;

-- Corrections that the next statement carries (step 4).
create table royalty_adjustments (
  id bigint generated always as identity primary key,
  show_royaltor_id bigint not null references show_royaltors (id),
  division text not null references divisions (code),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor <> 0),
  on_date date not null,
  reason text not null check (reason <> ''),
  statement_id bigint references royalty_statements (id) on delete set null,
  transaction_id bigint references transactions (id),
  created_by_id bigint references users (id),
  approved_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (approved_by_id is null or approved_by_id <> created_by_id)
);
create index royalty_adjustments_agreement on royalty_adjustments (show_royaltor_id, on_date, id);
create index royalty_adjustments_division on royalty_adjustments (division);
create index royalty_adjustments_statement on royalty_adjustments (statement_id) where statement_id is not null;
create index royalty_adjustments_transaction on royalty_adjustments (transaction_id) where transaction_id is not null;

-- An advance to a royaltor: scheduled in the agreement, recoupable once paid. I3: paid = recouped + unrecouped.
create table royalty_advances (
  id bigint generated always as identity primary key,
  show_royaltor_id bigint not null references show_royaltors (id),
  division text not null references divisions (code),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  due_event text not null default 'date' check (due_event in ('signature', 'date', 'first_performance')),
  due_on date,
  status text not null default 'scheduled' check (status in ('scheduled', 'paid', 'cancelled')),
  paid_on date,
  payment_id bigint references payments (id),
  recouped_minor minor_amount not null default 0 check (recouped_minor >= 0),
  unrecouped_minor minor_amount not null generated always as
    (case when status = 'paid' then amount_minor - recouped_minor else 0 end) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (recouped_minor <= amount_minor),
  check ((status = 'paid') = (paid_on is not null)),
  check (status = 'paid' or recouped_minor = 0)
);
create index royalty_advances_agreement on royalty_advances (show_royaltor_id, paid_on, id);
create index royalty_advances_division on royalty_advances (division);
create index royalty_advances_payment on royalty_advances (payment_id) where payment_id is not null;

-- Which advance a statement recouped, how much; a void statement's rows are mirrored by negative ones.
create table royalty_recoupments (
  id bigint generated always as identity primary key,
  royalty_advance_id bigint not null references royalty_advances (id),
  statement_id bigint not null references royalty_statements (id),
  amount_minor minor_amount not null check (amount_minor <> 0),
  created_at timestamptz not null default now()
);
create index royalty_recoupments_advance on royalty_recoupments (royalty_advance_id, id);
create index royalty_recoupments_statement on royalty_recoupments (statement_id);

-- Reserve of one statement and its releases over the following periods by the agreement's schedule. I5: taken =
-- released + held.
create table royalty_reserves (
  id bigint generated always as identity primary key,
  show_royaltor_id bigint not null references show_royaltors (id),
  statement_id bigint not null references royalty_statements (id),
  division text not null references divisions (code),
  currency currency_code not null,
  taken_minor minor_amount not null check (taken_minor > 0),
  released_minor minor_amount not null default 0 check (released_minor >= 0),
  held_minor minor_amount not null generated always as (taken_minor - released_minor) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (show_royaltor_id, statement_id),
  check (released_minor <= taken_minor)
);
create index royalty_reserves_statement on royalty_reserves (statement_id);
create index royalty_reserves_division on royalty_reserves (division);

create table royalty_reserve_releases (
  id bigint generated always as identity primary key,
  royalty_reserve_id bigint not null references royalty_reserves (id),
  periods_later smallint not null check (periods_later >= 1),
  amount_minor minor_amount not null check (amount_minor >= 0),
  released_statement_id bigint references royalty_statements (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (royalty_reserve_id, periods_later)
);
create index royalty_reserve_releases_statement on royalty_reserve_releases (released_statement_id)
  where released_statement_id is not null;

-- Withholding is data, resolved on the payment date by payer, payee and form (domain.md 3.5). Null matches any.
create table wht_rules (
  id bigint generated always as identity primary key,
  payer_division text not null references divisions (code),
  payee_country country_code,
  payee_kind text check (payee_kind in ('person', 'company', 'agent')),
  income_kind text not null default 'royalty' check (income_kind in ('royalty')),
  form text check (form in ('w9', 'w8ben', 'w8bene', 'treaty_direction', 'author_by_profession', 'none')),
  rate_ppm rate_ppm not null,
  priority integer not null default 0,
  description text not null check (description <> ''),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (payer_division, payee_country, payee_kind, income_kind, form, valid_from)
);

create table royalty_payment_batches (
  id bigint generated always as identity primary key,
  number text not null unique,
  division text not null references divisions (code),
  currency currency_code not null,
  pay_on date not null,
  method text not null check (method in ('ach', 'wire', 'check', 'bacs', 'sepa')),
  status text not null default 'draft' check (status in ('draft', 'approved', 'posted', 'void')),
  payment_count integer not null default 0 check (payment_count >= 0),
  total_minor minor_amount not null default 0 check (total_minor >= 0),
  withheld_minor minor_amount not null default 0 check (withheld_minor >= 0),
  created_by_id bigint references users (id),
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  posted_at timestamptz,
  file_id bigint references files (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (approved_by_id is null or approved_by_id <> created_by_id),
  check (status not in ('approved', 'posted') or approved_at is not null),
  check ((status = 'posted') = (posted_at is not null))
);
create index royalty_payment_batches_latest on royalty_payment_batches (pay_on desc, id desc);
create index royalty_payment_batches_division on royalty_payment_batches (division, status, pay_on desc, id desc);
create index royalty_payment_batches_file on royalty_payment_batches (file_id) where file_id is not null;

alter table payments add column royalty_payment_batch_id bigint references royalty_payment_batches (id);
create index payments_batch on payments (royalty_payment_batch_id, id) where royalty_payment_batch_id is not null;

-- Which statement a payment to a royaltor settled, gross, tax withheld and the rule it was withheld by.
create table royalty_payment_statements (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  royalty_statement_id bigint not null references royalty_statements (id),
  wht_rule_id bigint references wht_rules (id),
  gross_minor minor_amount not null check (gross_minor > 0),
  wht_base_minor minor_amount not null check (wht_base_minor >= 0),
  wht_minor minor_amount not null check (wht_minor >= 0),
  paid_minor minor_amount not null check (paid_minor >= 0),
  currency currency_code not null,
  created_at timestamptz not null default now(),
  unique (payment_id, royalty_statement_id),
  check (gross_minor = wht_minor + paid_minor)
);
create index royalty_payment_statements_statement on royalty_payment_statements (royalty_statement_id);
create index royalty_payment_statements_rule on royalty_payment_statements (wht_rule_id);

call maintain_updated_at('royalty_adjustments', 'royalty_advances', 'royalty_reserves', 'royalty_reserve_releases',
  'wht_rules', 'royalty_payment_batches');
call make_append_only('royalty_recoupments', 'royalty_payment_statements');

grant select, insert on royalty_statement_lines, royalty_recoupments, royalty_payment_statements to app_rw;
grant select, insert, update on royalty_adjustments, royalty_advances, royalty_reserves, royalty_reserve_releases,
  wht_rules, royalty_payment_batches to app_rw;
