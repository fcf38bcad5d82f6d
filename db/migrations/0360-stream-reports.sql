-- Add-ons that are paid by a share of a stream's gross (domain.md 2.7). They have no price before the stream is over:
-- the share stands on the line of the licence, each report of takings makes an invoice of its own.

-- The share as sold. A later change of the add-on does not reach a licence that was offered.
alter table license_charges add column share_ppm integer check (share_ppm between 1 and 1000000);

create table stream_reports (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  add_on_id bigint not null references add_ons (id),
  period_from date not null,
  period_to date not null,
  gross_minor minor_amount not null check (gross_minor >= 0),
  share_ppm integer not null check (share_ppm between 1 and 1000000),
  fee_minor minor_amount not null check (fee_minor between 0 and gross_minor),
  -- None where the share came to nothing.
  invoice_id bigint references invoices (id),
  from_portal boolean not null default false,
  reported_by_id bigint not null references users (id),
  note text not null default '',
  -- A report is never changed: it is taken back with a credit note, and reported anew.
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
create index stream_reports_license on stream_reports (license_id, period_to desc, id desc);
create index stream_reports_add_on on stream_reports (add_on_id);
create index stream_reports_invoice on stream_reports (invoice_id);
create index stream_reports_reported_by on stream_reports (reported_by_id);
create index stream_reports_withdrawn_by on stream_reports (withdrawn_by_id);
grant select, insert, update on stream_reports to app_rw;
