-- Lines of statements, adjustments, advances and reserves.

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
comment on table royalty_statement_lines is 'Lines of a statement.';
create index royalty_statement_lines_statement on royalty_statement_lines (royalty_statement_id, sort, id);
create index royalty_statement_lines_license on royalty_statement_lines (license_id) where license_id is not null;
create index royalty_statement_lines_agreement on royalty_statement_lines (show_royaltor_id)
  where show_royaltor_id is not null;
grant select, insert, delete on royalty_statement_lines to app_rw;

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
comment on table royalty_adjustments is 'Corrections carried to the next statement.';
create index royalty_adjustments_agreement on royalty_adjustments (show_royaltor_id, on_date, id);
create index royalty_adjustments_division on royalty_adjustments (division);
create index royalty_adjustments_statement on royalty_adjustments (statement_id) where statement_id is not null;
create index royalty_adjustments_transaction on royalty_adjustments (transaction_id) where transaction_id is not null;
grant select, insert, update on royalty_adjustments to app_rw;

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
  paid_functional_minor minor_amount not null default 0,
  recouped_functional_minor minor_amount not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (recouped_minor <= amount_minor),
  check ((status = 'paid') = (paid_on is not null)),
  check (status = 'paid' or recouped_minor = 0)
);
comment on table royalty_advances is 'Advances to royaltors. Recoupable once paid: paid = recouped + unrecouped.';
create index royalty_advances_agreement on royalty_advances (show_royaltor_id, paid_on, id);
create index royalty_advances_division on royalty_advances (division);
create index royalty_advances_payment on royalty_advances (payment_id) where payment_id is not null;
grant select, insert, update on royalty_advances to app_rw;

create table royalty_recoupments (
  id bigint generated always as identity primary key,
  royalty_advance_id bigint not null references royalty_advances (id),
  statement_id bigint not null references royalty_statements (id),
  amount_minor minor_amount not null check (amount_minor <> 0),
  created_at timestamptz not null default now()
);
comment on table royalty_recoupments is
  'Amounts of an advance that a statement recouped. Voiding the statement adds negative rows.';
create index royalty_recoupments_advance on royalty_recoupments (royalty_advance_id, id);
create index royalty_recoupments_statement on royalty_recoupments (statement_id);
grant select, insert on royalty_recoupments to app_rw;

create table royalty_reserves (
  id bigint generated always as identity primary key,
  show_royaltor_id bigint not null references show_royaltors (id),
  statement_id bigint not null references royalty_statements (id),
  division text not null references divisions (code),
  currency currency_code not null,
  taken_minor minor_amount not null check (taken_minor > 0),
  released_minor minor_amount not null default 0 check (released_minor >= 0),
  held_minor minor_amount not null generated always as (taken_minor - released_minor) stored,
  taken_functional_minor minor_amount not null default 0,
  released_functional_minor minor_amount not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (show_royaltor_id, statement_id),
  check (released_minor <= taken_minor)
);
comment on table royalty_reserves is 'Reserves withheld by a statement: taken = released + held.';
create index royalty_reserves_statement on royalty_reserves (statement_id);
create index royalty_reserves_division on royalty_reserves (division);
grant select, insert, update on royalty_reserves to app_rw;

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
comment on table royalty_reserve_releases is 'Releases of a reserve by later statements.';
create index royalty_reserve_releases_statement on royalty_reserve_releases (released_statement_id)
  where released_statement_id is not null;
grant select, insert, update on royalty_reserve_releases to app_rw;

create trigger guard_statement_line before delete on royalty_statement_lines
  for each row execute function guard_statement_line();

call maintain_updated_at('royalty_adjustments', 'royalty_advances', 'royalty_reserves', 'royalty_reserve_releases');

call make_append_only('royalty_recoupments');
