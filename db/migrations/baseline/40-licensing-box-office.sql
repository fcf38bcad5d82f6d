-- Box-office returns. A return covers the performances of its venue in its period. Of two returns that share a
-- performance, or whose days meet where a period has none, only one is billed: the second is held until someone
-- decides that it replaces the first or is added to it, with a reason. Built for weekly imports of tens of thousands
-- of rows: one insert per return, few indexes.

-- Whether a return bills: not if it is held, was added, or waits to replace another.
create function return_counts(status text, held boolean, added boolean, replaces bigint) returns boolean
language sql immutable parallel safe as $$
  select status in ('submitted', 'queried', 'accepted', 'estimated') and not held and not added
    and (replaces is null or status = 'accepted')
$$;

create table box_office_reports (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_venue_id bigint references license_venues (id),
  division text not null references divisions (code),
  scope text not null check (scope in ('performance', 'week', 'run')),
  performance_id bigint references performances (id),
  period_from date not null,
  period_to date not null,
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
  net_minor minor_amount not null default 0 check (net_minor >= 0),
  subscription_allocation_minor minor_amount not null default 0,
  performances_held integer check (performances_held between 0 and 1000),
  paid_admissions integer check (paid_admissions >= 0),
  complimentary integer check (complimentary >= 0),
  capacity_available integer check (capacity_available >= 0),
  capacity_ppm integer check (capacity_ppm >= 0),
  certified_name text,
  certified_at timestamptz,
  submitted_by_id bigint references users (id),
  submitted_at timestamptz,
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  query_note text,
  open_questions smallint not null default 0 check (open_questions >= 0),
  rate_ppm rate_ppm,
  percentage_minor minor_amount,
  minimum_minor minor_amount,
  earned_minor minor_amount,
  recouped_minor minor_amount,
  due_minor minor_amount,
  minimum_pending boolean not null default false,
  trace jsonb,
  computed_at timestamptz,
  replaces_report_id bigint references box_office_reports (id),
  import_id bigint,
  import_row_no integer,
  row_hash bytea check (octet_length(row_hash) = 32),
  invoice_id bigint,
  transaction_id bigint references transactions (id),
  held boolean not null default false,
  added boolean not null default false,
  add_reason text,
  replaced_by_id bigint references box_office_reports (id),
  covers_performances boolean not null default false,
  running_costs_minor minor_amount check (running_costs_minor >= 0),
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
  constraint box_office_reports_check7 check (replaces_report_id <> id),
  constraint box_office_reports_check8 check ((import_id is null) = (import_row_no is null)),
  constraint box_office_reports_added check (not added or add_reason <> ''),
  constraint box_office_reports_replaced_by check (replaced_by_id <> id),
  constraint box_office_reports_submitted check (status in ('expected', 'estimated')
  or submitted_at is not null or (status = 'replaced' and estimated)),
  constraint box_office_reports_held check (not held or earned_minor is null or estimated)
);
comment on table box_office_reports is
  'Box-office returns. A return covers the performances of its venue in its period; two that overlap are never '
  'both billed.';
comment on column box_office_reports.part is '2 for a second return of the same period that is added to the first.';
comment on column box_office_reports.net_minor is
  'Base of the percentage: gross less VAT less allowed deductions, never below 0.';
comment on column box_office_reports.capacity_ppm is
  'Attendance as a share of the seats, if the return gives a percentage only. Over 100% raises a question.';
comment on column box_office_reports.rate_ppm is
  'Calculated on acceptance: earned is the greater of percentage and minimum, as the agreement says.';
comment on column box_office_reports.minimum_pending is
  'A minimum waits for an answer. It is posted as a difference afterwards.';
comment on column box_office_reports.row_hash is
  'Hash of the cells of an imported row. A row equal to an earlier one is skipped, in whatever file.';
comment on column box_office_reports.held is
  'Not calculated until someone decides whether it replaces an overlapping return or is added to it.';
comment on column box_office_reports.added is
  'Counts in addition to returns that it overlaps, for the reason in add_reason.';
comment on column box_office_reports.replaced_by_id is 'Return that takes the place of this one once it is accepted.';
comment on column box_office_reports.covers_performances is
  'Whether its period contained a performance when last checked.';
comment on column box_office_reports.running_costs_minor is
  'Running costs of the week. Operating profit is gross less running costs.';
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
create index box_office_reports_invoice on box_office_reports (invoice_id) where invoice_id is not null;
create index box_office_reports_transaction on box_office_reports (transaction_id) where transaction_id is not null;
create index box_office_reports_replaced_by_id on box_office_reports (replaced_by_id) where replaced_by_id is not null;
create index box_office_reports_held on box_office_reports (license_id) where held;
-- Where one of two periods has no performance, their days may not meet. Last, so that a row imported twice is refused
-- as such.
alter table box_office_reports add constraint box_office_reports_days exclude using gist (
    int8range(license_id, license_id, '[]') with &&,
    int8range(license_venue_id, license_venue_id, '[]') with &&,
    daterange(period_from, period_to, '[]') with &&,
    (case when covers_performances then int8range(id, id, '[]') else int8range(null, null) end) with &&)
    where (return_counts(status, held, added, replaces_report_id));
grant select, insert, update, delete on box_office_reports to app_rw;

-- A report that is only expected is a line of a schedule: when a run moves or is cancelled the schedule is made
-- again. What somebody sent in, or what was estimated, is never deleted.
create function guard_expected_report() returns trigger
language plpgsql as $$
begin
  if old.status <> 'expected' then
    raise exception 'box-office report % is %: it is never deleted', old.id, old.status using errcode = '23514';
  end if;
  return old;
end $$;

create trigger guard_expected_report before delete on box_office_reports
  for each row execute function guard_expected_report();

-- Performances covered by a return.
create function performances_of_return(license bigint, venue bigint, performance bigint, from_day date, to_day date)
returns setof bigint language sql stable as $$
  select p.id from performances p
  where p.license_id = license and p.status in ('planned', 'performed')
    and (venue is null or p.license_venue_id = venue) and (performance is null or p.id = performance)
    and (performance is not null or p.local_date between from_day and to_day)
$$;

create table box_office_performances (
  performance_id bigint primary key references performances (id) on delete cascade,
  box_office_report_id bigint not null references box_office_reports (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table box_office_performances is 'The return that covers each performance. The primary key allows one.';
create index box_office_performances_report on box_office_performances (box_office_report_id);
grant select, insert, delete on box_office_performances to app_rw;

create function look_at_performances() returns trigger language plpgsql as $$
begin
  new.covers_performances := exists (select 1 from performances_of_return(new.license_id, new.license_venue_id,
    new.performance_id, new.period_from, new.period_to));
  return new;
end $$;

create trigger look_at_performances
  before insert or update of license_venue_id, performance_id, period_from, period_to, status on box_office_reports
  for each row execute function look_at_performances();

-- An estimate covers only what nobody reported.
create function cover_performances() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from box_office_performances where box_office_report_id = new.id;
  end if;
  if not return_counts(new.status, new.held, new.added, new.replaces_report_id) then
    return null;
  end if;
  if new.status = 'estimated' then
    insert into box_office_performances (performance_id, box_office_report_id)
    select p, new.id from performances_of_return(new.license_id, new.license_venue_id, new.performance_id,
      new.period_from, new.period_to) p
    on conflict do nothing;
  else
    insert into box_office_performances (performance_id, box_office_report_id)
    select p, new.id from performances_of_return(new.license_id, new.license_venue_id, new.performance_id,
      new.period_from, new.period_to) p;
  end if;
  return null;
end $$;

-- Assigns a performance that is added, moved or canceled to the first return that covers its day.
create function follow_performance() returns trigger language plpgsql as $$
begin
  delete from box_office_performances where performance_id = new.id;
  if new.status in ('planned', 'performed') then
    insert into box_office_performances (performance_id, box_office_report_id)
    select new.id, b.id from box_office_reports b
    where b.license_id = new.license_id and (b.license_venue_id is null or b.license_venue_id = new.license_venue_id)
      and (b.performance_id is null and new.local_date between b.period_from and b.period_to
        or b.performance_id = new.id)
      and return_counts(b.status, b.held, b.added, b.replaces_report_id)
    order by b.status = 'estimated', b.id limit 1
    on conflict do nothing;
  end if;
  return null;
end $$;

create table box_office_weeks (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id) on delete cascade,
  license_id bigint not null references licenses (id),
  week_on date not null,
  base_minor minor_amount not null,
  performances_held integer not null check (performances_held >= 0),
  charged_minor minor_amount not null,
  created_at timestamptz not null default now(),
  unique (box_office_report_id, week_on)
);
comment on table box_office_weeks is
  'Charges of a contractual week by return. The weekly minimum applies once to all venues and returns.';
comment on column box_office_weeks.week_on is 'First day of the contractual week.';
create index box_office_weeks_license on box_office_weeks (license_id, week_on);
grant select, insert, delete on box_office_weeks to app_rw;

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
comment on table box_office_deductions is 'Deductions claimed in a return and the part allowed by the agreement.';
create index box_office_deductions_report on box_office_deductions (box_office_report_id);
grant select, insert, update, delete on box_office_deductions to app_rw;

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
comment on table box_office_rows is 'Figures per performance of a weekly or run return.';
create index box_office_rows_performance on box_office_rows (performance_id);
grant select, insert, update, delete on box_office_rows to app_rw;

create table box_office_price_bands (
  id bigint generated always as identity primary key,
  box_office_row_id bigint not null references box_office_rows (id),
  label text not null default '',
  price_minor minor_amount not null check (price_minor >= 0),
  seats_sold integer not null check (seats_sold >= 0),
  created_at timestamptz not null default now()
);
comment on table box_office_price_bands is 'Seats sold by price within a row of a return.';
create index box_office_price_bands_row on box_office_price_bands (box_office_row_id);
grant select, insert, update, delete on box_office_price_bands to app_rw;

create table box_office_questions (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id),
  license_id bigint not null references licenses (id),
  kind text not null,
  question text not null check (question <> ''),
  answer text,
  performances integer check (performances >= 0),
  note text,
  answered_by_id bigint references users (id),
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (box_office_report_id, kind),
  check (num_nonnulls(answer, answered_at) in (0, 2)),
  constraint box_office_questions_answer_check
  check (answer in ('as_reported', 'corrected', 'replace', 'add')),
  constraint box_office_questions_kind_check check (kind in ('no_performances',
  'capacity_over_100', 'gross_over_potential', 'price_above_quoted', 'deduction_not_allowed', 'overlap', 'outside_run',
  'in_future', 'gross_over_limit', 'attendance_over_limit', 'no_running_costs'))
);
comment on table box_office_questions is
  'Open points of a return. Until answered, the percentage is billed, minimums are left out and the license is '
  'flagged.';
create index box_office_questions_open on box_office_questions (license_id, id) where answered_at is null;
create index box_office_questions_license on box_office_questions (license_id);
grant select, insert, update, delete on box_office_questions to app_rw;

create table box_office_attachments (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id),
  file_id bigint not null references files (id),
  description text not null default '',
  created_at timestamptz not null default now(),
  unique (box_office_report_id, file_id)
);
comment on table box_office_attachments is 'Files attached to a return.';
create index box_office_attachments_file on box_office_attachments (file_id);
grant select, insert, update, delete on box_office_attachments to app_rw;

create table stream_reports (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  add_on_id bigint not null references add_ons (id),
  period_from date not null,
  period_to date not null,
  gross_minor minor_amount not null check (gross_minor >= 0),
  share_ppm integer not null check (share_ppm between 1 and 1000000),
  fee_minor minor_amount not null check (fee_minor between 0 and gross_minor),
  invoice_id bigint,
  from_portal boolean not null default false,
  reported_by_id bigint not null references users (id),
  note text not null default '',
  withdrawn_at timestamptz,
  withdrawn_by_id bigint references users (id),
  withdrawn_reason text,
  created_at timestamptz not null default now(),
  check (period_from <= period_to),
  check ((withdrawn_at is null) = (withdrawn_reason is null)),
  check ((withdrawn_at is null) = (withdrawn_by_id is null)),
  -- No day of a stream is billed twice, whoever reports it first.
  constraint stream_reports_once exclude using gist (int8range(license_id, license_id, '[]') with &&,
    int8range(add_on_id, add_on_id, '[]') with &&, daterange(period_from, period_to, '[]') with &&)
    where (withdrawn_at is null)
);
comment on table stream_reports is 'Reported receipts of streamed performances.';
comment on column stream_reports.invoice_id is 'Null if the share came to nothing.';
comment on column stream_reports.withdrawn_at is
  'A report is never changed: it is withdrawn with a credit note and reported again.';
create index stream_reports_license on stream_reports (license_id, period_to desc, id desc);
create index stream_reports_add_on on stream_reports (add_on_id);
create index stream_reports_invoice on stream_reports (invoice_id);
create index stream_reports_reported_by on stream_reports (reported_by_id);
create index stream_reports_withdrawn_by on stream_reports (withdrawn_by_id);
grant select, insert, update on stream_reports to app_rw;

create trigger cover_performances_made after insert on box_office_reports
  for each row when (new.covers_performances) execute function cover_performances();

create trigger cover_performances_changed
  after update of license_venue_id, performance_id, period_from, period_to, status, held, added, replaces_report_id
  on box_office_reports for each row when (old.covers_performances or new.covers_performances)
  execute function cover_performances();

create trigger follow_performance after insert or update of local_date, status, license_venue_id on performances
  for each row execute function follow_performance();

-- Whether royaltors share in the profit of a license. Customers may ask about their own licenses only: the function
-- runs with its owner's rights, so it compares the customer of the request itself.
create function shares_profit(license bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from licenses l join show_royaltors a on a.show_id = l.show_id
      join royalty_terms t on t.show_royaltor_id = a.id
    where l.id = license and a.status = 'active' and a.deleted_at is null and t.pool_of = 'operating_profit'
      and l.customer_id = coalesce(request_customer(), l.customer_id)
      and (t.match_categories = '{}' or l.category = any(t.match_categories))
      and (t.match_divisions = '{}' or l.division = any(t.match_divisions)))
$$;

call maintain_updated_at('box_office_reports', 'box_office_questions');

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function shares_profit(bigint) from public;
grant execute on function shares_profit(bigint) to app_rw, app_portal;
