-- ACH files: each file of a company on a day has an id of its own, trace numbers do not overlap, and prenotes ask the
-- payee's bank about new details before money is sent to them.

create table ach_files (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  purpose text not null check (purpose in ('payments', 'prenotes')),
  destination_routing text not null,
  origin_id text not null,
  created_on date not null,
  modifier text not null check (modifier ~ '^[A-Z0-9]$'),
  first_trace integer not null check (first_trace between 1 and 9999999),
  trace_count integer not null check (trace_count > 0),
  value_on date,
  payment_run_id bigint references payment_runs (id),
  file_id bigint references files (id),
  file_sha256 text,
  file_name text,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check ((purpose = 'payments') = (payment_run_id is not null)),
  check (num_nonnulls(file_id, file_sha256, file_name) in (0, 3)),
  constraint ach_files_identity unique (destination_routing, origin_id, created_on, modifier)
);
comment on table ach_files is
  'Files for the ACH operator: payments of a run, or prenotes. A bank takes one file of each id.';
comment on column ach_files.destination_routing is 'Immediate destination: the bank that takes the file.';
comment on column ach_files.origin_id is 'Immediate origin: the company as its bank knows it.';
comment on column ach_files.created_on is 'File creation date, the day of the division.';
comment on column ach_files.modifier is 'File id modifier: A to Z, then 0 to 9, one for each file of a day.';
comment on column ach_files.first_trace is
  'Sequence of the first trace number; `trace_count` are set aside from there.';
comment on column ach_files.value_on is 'Settlement day.';
create unique index ach_files_run on ach_files (payment_run_id) where payment_run_id is not null;
create index ach_files_account on ach_files (bank_account_id, id desc);
create index ach_files_file on ach_files (file_id) where file_id is not null;
create index ach_files_maker on ach_files (created_by_id);
grant select, insert on ach_files to app_rw;
grant update (file_id, file_sha256, file_name, value_on) on ach_files to app_rw;

-- Until now each file was the file A of its day: the first of a day keeps that place.
insert into ach_files (bank_account_id, purpose, destination_routing, origin_id, created_on, modifier, first_trace,
  trace_count, value_on, payment_run_id, file_id, file_sha256, file_name, created_by_id, created_at)
select distinct on (x.destination_routing, x.origin_id, x.day) x.bank_account_id, 'payments', x.destination_routing,
  x.origin_id, x.day, 'A', least(s.last_value, 9990000), 2000, x.value_on, x.id, x.file_id, x.file_sha256, x.file_name,
  x.exported_by_id, x.exported_at
from ach_trace_numbers s cross join lateral (
  select r.*, f.destination_routing, coalesce(nullif(f.origin_id, ''), f.company_id) as origin_id,
    (r.exported_at at time zone d.timezone)::date as day
  from payment_runs r join payment_file_profiles f on f.bank_account_id = r.bank_account_id
    join divisions d on d.code = r.division
  where r.method = 'ach' and r.file_id is not null) x
order by x.destination_routing, x.origin_id, x.day, x.exported_at, x.id;
drop sequence ach_trace_numbers;

create table ach_prenotes (
  id bigint generated always as identity primary key,
  number text not null unique,
  ach_file_id bigint not null references ach_files (id),
  bank_account_id bigint not null references bank_accounts (id),
  party_type text not null check (party_type in ('vendor', 'customer', 'royaltor')),
  party_id bigint not null,
  bank_details_version integer not null,
  last4 text not null,
  trace_number text not null,
  clears_on date not null,
  returned_on date,
  reason text,
  correction text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((returned_on is null) = (reason is null))
);
comment on table ach_prenotes is
  'Entries without an amount that ask the bank of a payee whether new bank details hold.';
comment on column ach_prenotes.number is 'Id of the entry in the file; the answer of the bank names it.';
comment on column ach_prenotes.bank_details_version is 'Version of the bank details of the payee that it asks about.';
comment on column ach_prenotes.clears_on is
  'Third banking day after settlement: without an answer by then, the details hold.';
comment on column ach_prenotes.reason is 'Why the bank of the payee returned it.';
comment on column ach_prenotes.correction is 'What a notice of change corrects, without the numbers.';
create unique index ach_prenotes_live on ach_prenotes (bank_account_id, party_type, party_id, bank_details_version)
  where returned_on is null;
create index ach_prenotes_account on ach_prenotes (bank_account_id, id desc);
create index ach_prenotes_party on ach_prenotes (party_type, party_id, id desc);
create index ach_prenotes_of_file on ach_prenotes (ach_file_id);
create index ach_prenotes_trace on ach_prenotes (trace_number);
grant select, insert on ach_prenotes to app_rw;
grant update (returned_on, reason, correction, version, updated_at) on ach_prenotes to app_rw;
call maintain_updated_at('ach_prenotes');

create or replace function record_uses(p_table text, p_id bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'licenses' as words where p_table = 'customers'
      and exists (select 1 from licenses where customer_id = p_id)
    union all select 2, 'applications' where p_table = 'customers'
      and exists (select 1 from license_applications where customer_id = p_id)
    union all select 3, 'invoices' where p_table = 'customers'
      and exists (select 1 from invoices where customer_id = p_id)
    union all select 4, 'payments' where p_table = 'customers'
      and exists (select 1 from payments where customer_id = p_id)
    union all select 5, 'sales orders' where p_table = 'customers'
      and exists (select 1 from sales_orders where customer_id = p_id)
    union all select 6, 'perusals' where p_table = 'customers'
      and exists (select 1 from perusals where customer_id = p_id)
    union all select 7, 'licenses' where p_table = 'venues'
      and exists (select 1 from license_venues where venue_id = p_id)
    union all select 8, 'applications' where p_table = 'venues'
      and exists (select 1 from license_application_venues where venue_id = p_id)
    union all select 9, 'agreements' where p_table = 'royaltors'
      and exists (select 1 from show_royaltors where royaltor_id = p_id and deleted_at is null)
    union all select 10, 'statements' where p_table = 'royaltors'
      and exists (select 1 from royalty_statements where royaltor_id = p_id)
    union all select 11, 'postings in the ledger' where p_table in ('customers', 'vendors', 'royaltors')
      and exists (select 1 from journal_entries
        where party_type = rtrim(p_table, 's') and party_id = p_id)
    union all select 12, 'bills' where p_table = 'vendors' and exists (select 1 from bills where vendor_id = p_id)
    union all select 13, 'recurring bills' where p_table = 'vendors'
      and exists (select 1 from bill_schedules where vendor_id = p_id)
    union all select 14, 'prenotes' where p_table in ('customers', 'vendors', 'royaltors')
      and exists (select 1 from ach_prenotes where party_type = rtrim(p_table, 's') and party_id = p_id)
  ) u
$$;
