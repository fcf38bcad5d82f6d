-- Bills that come again: a schedule makes a draft on each of its days, once, and posts nothing.

create table bill_schedules (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  vendor_id bigint not null references vendors (id),
  division text not null references divisions (code),
  currency currency_code not null,
  memo text not null default '',
  discount_ppm rate_ppm not null default 0 check (discount_ppm < 1000000),
  discount_days integer not null default 0 check (discount_days between 0 and 365),
  every_count integer not null check (every_count between 1 and 60),
  every_unit text not null check (every_unit in ('week', 'month', 'quarter', 'year')),
  starts_on date not null,
  ends_on date,
  times integer check (times between 1 and 1000),
  status text not null default 'active' check (status in ('active', 'paused', 'ended')),
  position integer not null default 0 check (position >= 0),
  made_count integer not null default 0 check (made_count >= 0),
  next_on date,
  last_on date,
  failure text,
  created_by_id bigint references users (id),
  last_changed_by_id bigint references users (id),
  search_text text not null generated always as (search_words(name, memo)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bill_schedules_discount check ((discount_ppm = 0) = (discount_days = 0)),
  constraint bill_schedules_end check (num_nonnulls(ends_on, times) <= 1 and ends_on >= starts_on),
  constraint bill_schedules_next check ((status = 'ended') = (next_on is null) and next_on >= starts_on
    and (ends_on is null or next_on <= ends_on)),
  constraint bill_schedules_forward check (next_on > last_on),
  constraint bill_schedules_times check (made_count <= times)
);
comment on table bill_schedules is 'Recurring bills: what comes again, how often, and until when.';
comment on column bill_schedules.ends_on is 'Last day; with times, at most one of both. Neither: without end.';
comment on column bill_schedules.times is 'Number of bills that it makes in all.';
comment on column bill_schedules.position is
  'Place of next_on among the days counted from starts_on, so that short months lose no day for good.';
comment on column bill_schedules.last_on is 'Day of the last bill that was made or skipped.';
comment on column bill_schedules.failure is 'Why the bill of next_on could not be made, in words.';
create index bill_schedules_latest on bill_schedules (updated_at desc, id desc);
create index bill_schedules_due on bill_schedules (next_on, id) where status = 'active';
create index bill_schedules_division on bill_schedules (division);
create index bill_schedules_vendor on bill_schedules (vendor_id);
create index bill_schedules_creator on bill_schedules (created_by_id);
create index bill_schedules_changer on bill_schedules (last_changed_by_id);
create index bill_schedules_search on bill_schedules using gin (search_text gin_trgm_ops);
grant select, insert, update on bill_schedules to app_rw;
call maintain_updated_at('bill_schedules');

create table bill_schedule_lines (
  id bigint generated always as identity primary key,
  bill_schedule_id bigint not null references bill_schedules (id),
  sort integer not null,
  ledger_account_id bigint not null references ledger_accounts (id),
  description text not null check (description <> ''),
  net_minor minor_amount not null check (net_minor <> 0),
  tax_code_id bigint references tax_codes (id),
  jurisdiction text,
  rate_ppm rate_ppm,
  tax_minor minor_amount,
  show_id bigint references shows (id),
  license_id bigint references licenses (id),
  material_id bigint references materials (id),
  created_at timestamptz not null default now(),
  unique (bill_schedule_id, sort)
);
comment on table bill_schedule_lines is 'Lines of recurring bills, as they are entered on each draft.';
comment on column bill_schedule_lines.rate_ppm is 'Null: the rate of the day of each bill.';
comment on column bill_schedule_lines.tax_minor is 'Null: by the rate.';
create index bill_schedule_lines_account on bill_schedule_lines (ledger_account_id);
create index bill_schedule_lines_tax_code on bill_schedule_lines (tax_code_id) where tax_code_id is not null;
create index bill_schedule_lines_show on bill_schedule_lines (show_id) where show_id is not null;
create index bill_schedule_lines_license on bill_schedule_lines (license_id) where license_id is not null;
create index bill_schedule_lines_material on bill_schedule_lines (material_id) where material_id is not null;
grant select, insert, delete on bill_schedule_lines to app_rw;

create table bill_schedule_days (
  bill_schedule_id bigint not null references bill_schedules (id),
  due_on date not null,
  bill_id bigint unique references bills (id) on delete set null,
  is_skipped boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (bill_schedule_id, due_on),
  check (not (is_skipped and bill_id is not null))
);
comment on table bill_schedule_days is
  'Days of recurring bills that are done, each once: a draft was made, or the day was skipped.';
comment on column bill_schedule_days.bill_id is 'Null where the day was skipped, or the draft was deleted for good.';
grant select, insert on bill_schedule_days to app_rw;

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
  ) u
$$;
