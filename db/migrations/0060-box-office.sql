-- Box-office reports: what a run took and what royalty follows. Built for weekly imports of tens of thousands of
-- rows:
-- one insert per report, few indexes. Sources: domain.md 1.4 (states, blocking and question), 2.3-2.6, 7; I10.

create table box_office_reports (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_venue_id bigint references license_venues (id),
  division text not null references divisions (code),
  scope text not null check (scope in ('performance', 'week', 'run')),
  performance_id bigint references performances (id),
  period_from date not null,
  period_to date not null,
  -- A second return for the same period is part 2 when someone said "add"; "replace" supersedes the first (1.4).
  part smallint not null default 1 check (part >= 1),
  due_on date,
  status text not null default 'expected' check (status in
    ('expected', 'submitted', 'queried', 'accepted', 'estimated', 'replaced')),
  estimated boolean not null default false,
  source text not null default 'staff' check (source in ('staff', 'portal', 'import', 'schedule')),
  currency currency_code not null,
  gross_minor minor_amount not null default 0 check (gross_minor >= 0),
  deductions_minor minor_amount not null default 0 check (deductions_minor >= 0),
  tax_included boolean not null default false,
  vat_minor minor_amount not null default 0 check (vat_minor >= 0),
  -- The base of the percentage: gross less VAT less allowed deductions, never below 0 (2.4).
  net_minor minor_amount not null default 0 check (net_minor >= 0),
  subscription_allocation_minor minor_amount not null default 0,
  performances_held integer check (performances_held between 0 and 1000),
  paid_admissions integer check (paid_admissions >= 0),
  complimentary integer check (complimentary >= 0),
  capacity_available integer check (capacity_available >= 0),
  -- As reported, where the return gives a percentage and no seats; above 100 % it raises a question.
  capacity_ppm integer check (capacity_ppm >= 0),
  certified_name text,
  certified_at timestamptz,
  submitted_by_id bigint references users (id),
  submitted_at timestamptz,
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  query_note text,
  open_questions smallint not null default 0 check (open_questions >= 0),
  -- Computed by the kernel at acceptance (2.4): earned = greater of percentage and minimum as the deal says.
  rate_ppm rate_ppm,
  percentage_minor minor_amount,
  minimum_minor minor_amount,
  earned_minor minor_amount,
  recouped_minor minor_amount,
  due_minor minor_amount,
  -- A minimum that waits for an answer: not posted until then, posted as a delta afterwards.
  minimum_pending boolean not null default false,
  trace jsonb,
  computed_at timestamptz,
  replaces_report_id bigint references box_office_reports (id),
  import_id bigint references imports (id),
  import_row_no integer,
  -- Hash over the cells of the imported row: a row whose cells all equal an earlier row's is skipped, in whatever
  -- file.
  row_hash bytea check (octet_length(row_hash) = 32),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (period_to >= period_from),
  check (scope <> 'performance' or performance_id is not null or source = 'import'),
  check (vat_minor <= gross_minor),
  check (net_minor <= gross_minor),
  check (status <> 'accepted' or (earned_minor is not null and due_minor is not null and recouped_minor is not null
    and trace is not null)),
  check (earned_minor is null or earned_minor = recouped_minor + due_minor or replaces_report_id is not null),
  check (status in ('expected', 'estimated') or submitted_at is not null),
  check (replaces_report_id <> id),
  check ((import_id is null) = (import_row_no is null))
);
create unique index box_office_reports_period on box_office_reports
  (license_id, license_venue_id, scope, period_from, period_to, performance_id, part) nulls not distinct
  where status <> 'replaced';
create unique index box_office_reports_row on box_office_reports (row_hash) where row_hash is not null;
create unique index box_office_reports_replaces on box_office_reports (replaces_report_id)
  where replaces_report_id is not null;
create index box_office_reports_license on box_office_reports (license_id, period_to desc, id desc);
create index box_office_reports_list on box_office_reports (period_to desc, id desc);
create index box_office_reports_division on box_office_reports (division, status, period_to desc, id desc);
create index box_office_reports_open
  on box_office_reports (status, due_on, id) where status not in ('accepted', 'replaced');
create index box_office_reports_questioned on box_office_reports (license_id) where open_questions > 0;
create index box_office_reports_venue on box_office_reports (license_venue_id) where license_venue_id is not null;
create index box_office_reports_performance on box_office_reports (performance_id) where performance_id is not null;
create index box_office_reports_import on box_office_reports (import_id, import_row_no) where import_id is not null;

-- Deductions as claimed and as allowed under the deal's list and caps (2.4). A type outside the list is stored with
-- allowed 0 and the report is queried.
create table box_office_deductions (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id),
  type text not null check (type in ('admission_tax', 'theatre_party_commission', 'union_pension_welfare',
    'group_sales_commission', 'card_commission', 'remote_ticketing_commission', 'restoration_charge',
    'subscription_discount', 'other')),
  amount_minor minor_amount not null check (amount_minor >= 0),
  allowed_minor minor_amount not null default 0 check (allowed_minor >= 0 and allowed_minor <= amount_minor),
  note text not null default '',
  created_at timestamptz not null default now()
);
create index box_office_deductions_report on box_office_deductions (box_office_report_id);

-- The performances of a weekly or run report, typed in the grid.
create table box_office_rows (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id),
  performance_id bigint not null references performances (id),
  seats_sold integer not null default 0 check (seats_sold between 0 and 200000),
  comps integer not null default 0 check (comps between 0 and 200000),
  gross_minor minor_amount not null default 0 check (gross_minor >= 0),
  created_at timestamptz not null default now(),
  unique (box_office_report_id, performance_id)
);
create index box_office_rows_performance on box_office_rows (performance_id);

create table box_office_price_bands (
  id bigint generated always as identity primary key,
  box_office_row_id bigint not null references box_office_rows (id),
  label text not null default '',
  price_minor minor_amount not null check (price_minor >= 0),
  seats_sold integer not null check (seats_sold >= 0),
  created_at timestamptz not null default now()
);
create index box_office_price_bands_row on box_office_price_bands (box_office_row_id);

-- Questions compute and post the percentage, leave every minimum out and flag the licence until answered (1.4).
create table box_office_questions (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id),
  license_id bigint not null references licenses (id),
  kind text not null check (kind in ('no_performances', 'capacity_over_100', 'price_above_quoted',
    'deduction_not_allowed')),
  question text not null check (question <> ''),
  answer text check (answer in ('as_reported', 'corrected')),
  performances integer check (performances >= 0),
  note text,
  answered_by_id bigint references users (id),
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (box_office_report_id, kind),
  check (num_nonnulls(answer, answered_at) in (0, 2))
);
create index box_office_questions_open on box_office_questions (license_id, id) where answered_at is null;
create index box_office_questions_license on box_office_questions (license_id);

create table box_office_attachments (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id),
  file_id bigint not null references files (id),
  description text not null default '',
  created_at timestamptz not null default now(),
  unique (box_office_report_id, file_id)
);
create index box_office_attachments_file on box_office_attachments (file_id);

call maintain_updated_at('box_office_reports', 'box_office_questions');

grant select, insert, update on box_office_reports, box_office_deductions, box_office_rows, box_office_price_bands,
  box_office_questions, box_office_attachments to app_rw;
-- A submitted or queried return is typed again as a whole; an accepted one is replaced by a new report.
grant delete on box_office_deductions, box_office_rows, box_office_price_bands to app_rw;
