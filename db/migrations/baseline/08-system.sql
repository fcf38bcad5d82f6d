-- Files, currencies, divisions, settings, stored answers of money requests, outgoing email. The bytes of files lie
-- under a random key outside the web root; access follows the record that refers to the file. The jobs are tables of
-- pg-boss.

create table files (
  id bigint generated always as identity primary key,
  storage_key text not null unique check (storage_key ~ '^[A-Za-z0-9/_-]{16,200}$'),
  sha256 sha256_hex not null,
  mime_type text not null check (mime_type ~ '^[a-z0-9.+-]+/[a-z0-9.+-]+$'),
  size_bytes bigint not null check (size_bytes between 0 and 26214400),
  original_name text not null check (length(original_name) between 1 and 255),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
comment on table files is
  'Stored files by content. Append-only: documents that were sent or signed must stay readable.';
create index files_sha256 on files (sha256);
grant select, insert on files to app_rw;

create table currencies (
  code text primary key check (code ~ '^[A-Z]{3}$'),
  exponent smallint not null check (exponent between 0 and 4),
  name text not null
);
comment on table currencies is 'Currencies the product works in.';
comment on column currencies.exponent is
  'Decimals of the minor unit. Never changed once used, because amounts would change their value.';
grant select on currencies to app_rw;

create table divisions (
  code text primary key check (code ~ '^[A-Z]{2,8}$'),
  id bigint generated always as identity unique,
  name text not null check (length(name) between 1 and 120),
  functional_currency text not null references currencies (code),
  group_presentation_currency text not null default 'USD' references currencies (code),
  legal_entity_name text not null check (length(legal_entity_name) between 1 and 200),
  home_country text not null check (home_country ~ '^[A-Z]{2}$'),
  address jsonb not null check (jsonb_typeof(address) = 'object'),
  timezone text not null,
  fiscal_year_start_month smallint not null default 1 check (fiscal_year_start_month between 1 and 12),
  short_pay_tolerance_minor bigint not null default 500 check (short_pay_tolerance_minor >= 0),
  short_pay_tolerance_ppm int not null default 10000 check (short_pay_tolerance_ppm between 0 and 1000000),
  payee text check (length(payee) between 1 and 70),
  payee_bank text check (length(payee_bank) between 1 and 120),
  payee_iban text check (iban_holds(payee_iban)),
  payee_bic text check (payee_bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  payee_account text check (payee_account ~ '^[A-Z0-9]{4,34}$'),
  payee_routing text check (payee_routing ~ '^[0-9]{6,9}$'),
  return_gross_limit_ppm integer not null default 1100000
    check (return_gross_limit_ppm between 1000000 and 10000000),
  return_attendance_limit_ppm integer not null default 1500000
    check (return_attendance_limit_ppm between 1000000 and 10000000),
  auto_offers boolean not null default false,
  auto_offer_total_minor minor_amount check (auto_offer_total_minor >= 0),
  auto_offer_performances integer not null default 30 check (auto_offer_performances between 1 and 1000),
  auto_offer_capacity integer not null default 3000 check (auto_offer_capacity between 1 and 100000),
  auto_offer_days_ahead integer not null default 42 check (auto_offer_days_ahead between 0 and 540),
  signatory_name text not null default '' check (length(signatory_name) <= 120),
  signatory_title text not null default '' check (length(signatory_title) <= 120),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((payee is null) = (payee_iban is null and payee_account is null)),
  check (payee is not null or num_nonnulls(payee_bank, payee_bic, payee_routing) = 0),
  constraint divisions_auto_offers_limited
  check (not auto_offers or auto_offer_total_minor is not null)
);
comment on table divisions is
  'Divisions. Each is one legal entity with its own ledger. The numeric id exists because ledger parties are '
  'numbers.';
comment on column divisions.short_pay_tolerance_minor is
  'Short payments up to this amount are written off to small differences. The smaller of the two limits applies.';
comment on column divisions.payee is 'Account holder as the bank knows it; null: no bank account entered.';
comment on column divisions.payee_routing is 'ABA routing number (US) or sort code (UK).';
comment on column divisions.return_gross_limit_ppm is
  'A return is held if its gross exceeds this share of the gross potential of its performances.';
comment on column divisions.return_attendance_limit_ppm is
  'A return is held if its attendance exceeds this share of the seats of its performances.';
comment on column divisions.auto_offers is
  'Whether applications are answered with an automatic offer, within the limits beside it.';
comment on column divisions.auto_offer_total_minor is 'Highest total of an automatic offer; null: none is sent.';
comment on column divisions.signatory_name is
  'Person who signs for the licensor; empty: the representative of the license.';
grant select, update (address, auto_offer_capacity, auto_offer_days_ahead, auto_offer_performances,
  auto_offer_total_minor, auto_offers, home_country, legal_entity_name, name, payee, payee_account, payee_bank,
  payee_bic, payee_iban, payee_routing, return_attendance_limit_ppm, return_gross_limit_ppm,
  short_pay_tolerance_minor, signatory_name, signatory_title, updated_at, version) on divisions to app_rw;

create table house_settings (
  key text primary key check (key ~ '^[a-z_]{3,60}$'),
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table house_settings is
  'Settings that administrators change at run time. Without a row, the default in the code applies.';
grant select, insert, update on house_settings to app_rw;

create table idempotency_keys (
  id bigint generated always as identity primary key,
  user_id bigint references users (id),
  key text not null check (length(key) between 1 and 255),
  fingerprint sha256_hex not null,
  status smallint check (status between 100 and 599),
  body jsonb,
  created_at timestamptz not null default now(),
  unique nulls not distinct (user_id, key)
);
comment on table idempotency_keys is
  'Stored answers of requests that move money, by user and key, kept for 7 days. A null user is a guest.';
create index idempotency_keys_age on idempotency_keys (created_at);
grant select, insert, update, delete on idempotency_keys to app_rw;

create table client_errors (
  id bigint generated always as identity primary key,
  day date not null,
  message text not null check (length(message) between 1 and 500),
  page text not null check (length(page) <= 200),
  stack text not null default '' check (length(stack) <= 4000),
  seen integer not null default 1,
  last_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (day, message, page)
);
comment on table client_errors is 'Errors reported by browsers, counted per day, without any data about the person.';
grant select, insert, update, delete on client_errors to app_rw;

create table mail_outbox (
  id bigint generated always as identity primary key,
  template text not null check (template <> ''),
  recipients text[] not null check (cardinality(recipients) between 1 and 50),
  subject text not null check (subject <> '' and subject !~ '[\r\n]'),
  body_text text not null,
  body_html text,
  entity text,
  entity_id bigint,
  attachments jsonb not null default '[]' check (jsonb_typeof(attachments) = 'array'),
  reminder_key text unique,
  sent_at timestamptz,
  failed_attempts smallint not null default 0 check (failed_attempts >= 0),
  last_error text,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table mail_outbox is 'Outgoing email, written in the transaction that caused it and delivered afterwards.';
comment on column mail_outbox.reminder_key is
  'Record, kind and due date of a reminder, so that it is sent once however often the scheduler runs.';
create index mail_outbox_waiting on mail_outbox (id) include (next_attempt_at)
  where sent_at is null and failed_attempts < 10;
create index mail_outbox_entity on mail_outbox (entity, entity_id, id desc);
grant select, insert, update, delete on mail_outbox to app_rw;

create table approval_declines (
  id bigint generated always as identity primary key,
  entity text not null check (entity in ('rate_card', 'bom_template', 'royalty_statement_run', 'royalty_adjustment')),
  entity_id bigint not null,
  entity_version integer not null,
  reason text not null check (reason <> ''),
  declined_by_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  unique (entity, entity_id, entity_version)
);
comment on table approval_declines is
  'Drafts that a second person declined, with the reason. A row counts for the version it names: the next change '
  'of the record makes it wait again.';
comment on column approval_declines.entity_version is 'Version of the record that was declined.';
create index approval_declines_person on approval_declines (declined_by_id);
grant select, insert on approval_declines to app_rw;

call maintain_updated_at('house_settings');

call make_append_only('files');

insert into currencies (code, exponent, name) values ('USD', 2, 'US dollar'), ('EUR', 2, 'Euro'),
  ('GBP', 2, 'Pound sterling');

insert into divisions (code, name, functional_currency, legal_entity_name, home_country, timezone,
  auto_offer_total_minor, address) values
  ('US', 'United States', 'USD', 'Grand Rights, Inc.', 'US', 'America/New_York', 1500000,
   jsonb_build_object('country_code', 'US', 'thoroughfare', '234 West 44th Street', 'premise', 'Suite 800',
     'locality', 'New York', 'administrative_area', 'NY', 'postal_code', '10036')),
  ('EU', 'Europe', 'EUR', 'Grand Rights Europe DAC', 'IE', 'Europe/Dublin', 1000000,
   jsonb_build_object('country_code', 'IE', 'thoroughfare', '14 Merrion Square North', 'locality', 'Dublin',
     'administrative_area', 'Dublin', 'postal_code', 'D02 XN72')),
  ('UK', 'United Kingdom', 'GBP', 'Grand Rights Ltd', 'GB', 'Europe/London', 1000000,
   jsonb_build_object('country_code', 'GB', 'thoroughfare', '52 St Martin''s Lane', 'locality', 'London',
     'administrative_area', 'Greater London', 'postal_code', 'WC2N 4EA')),
  ('PROD', 'Productions', 'USD', 'Grand Rights Productions, LLC', 'US', 'America/New_York', null,
   jsonb_build_object('country_code', 'US', 'thoroughfare', '234 West 44th Street', 'premise', 'Suite 810',
     'locality', 'New York', 'administrative_area', 'NY', 'postal_code', '10036'));
