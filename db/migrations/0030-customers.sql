-- Licensees, their people and places: who may apply, sign and pay, where shows are staged, what tax they are exempt
-- from. Fields: domain.md 7; classifications, venues and users of a customer: SPEC 7; roles: gaps G84.

create table customer_classifications (
  id bigint generated always as identity primary key,
  key text not null unique check (key ~ '^[a-z0-9_]{1,40}$'),
  name text not null check (name <> ''),
  description text not null default '',
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index customer_classifications_name on customer_classifications (lower(name)) where deleted_at is null;

create sequence customer_numbers start 10001;
create table customers (
  id bigint generated always as identity primary key,
  number text not null unique default 'C-' || nextval('customer_numbers'),
  name text not null check (name <> ''),
  legal_name text,
  kind text not null default 'other' check (kind in
    ('school_k12', 'university', 'community', 'youth', 'professional', 'church', 'camp', 'other')),
  status text not null default 'pending' check (status in ('pending', 'active', 'inactive')),
  active boolean not null generated always as (status = 'active') stored,
  divisions text[] not null check (is_division_set(divisions) and cardinality(divisions) > 0),
  default_division text not null references divisions (code),
  default_currency currency_code not null,
  billing_address postal_address,
  phone text,
  website text,
  statement_email email_address,
  tax_country country_code,
  is_business boolean not null default false,
  business_evidence text,
  vat_number text,
  vat_format_ok boolean,
  vat_checksum_ok boolean,
  vat_register_answer text check (vat_register_answer in ('valid', 'invalid', 'unavailable')),
  vat_checked_at timestamptz,
  payment_terms_days integer not null default 0 check (payment_terms_days between 0 and 180),
  purchase_orders_accepted boolean not null default false,
  execution_policy_default text check (execution_policy_default in
    ('paid_in_full', 'deposit_paid', 'advance_paid', 'purchase_order', 'signature_only')),
  credit_limit_minor minor_amount check (credit_limit_minor >= 0),
  credit_hold boolean not null default false,
  credit_hold_reason text,
  credit_hold_by_id bigint references users (id),
  credit_hold_at timestamptz,
  marketing_opt_in boolean not null default false,
  search_text text not null generated always as (
    search_fold(number || ' ' || name || ' ' || coalesce(legal_name, '') || ' ' || coalesce(statement_email, '')))
      stored,
  created_by_id bigint references users (id),
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (default_division = any (divisions)),
  check (not credit_hold or credit_hold_reason is not null)
);
create index customers_default_division on customers (default_division, updated_at desc, id desc);
create index customers_latest on customers (updated_at desc, id desc) where deleted_at is null;
create index customers_name on customers (name collate "und-x-icu", id) where deleted_at is null;
create index customers_status on customers (status, updated_at desc, id desc) where deleted_at is null;
create index customers_search on customers using gin (search_text gin_trgm_ops);

-- Names under which an import knows the customer.
create table customer_aliases (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
create index customer_aliases_customer on customer_aliases (customer_id);

create table customer_customer_classifications (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  customer_classification_id bigint not null references customer_classifications (id),
  created_at timestamptz not null default now(),
  unique (customer_id, customer_classification_id)
);
create index customer_classifications_members
  on customer_customer_classifications (customer_classification_id, customer_id);

create table customer_contacts (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  name text not null check (name <> ''),
  role text not null default '',
  email email_address,
  phone text,
  is_primary boolean not null default false,
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index customer_contacts_customer on customer_contacts (customer_id);
create unique index customer_contacts_primary on customer_contacts (customer_id) where is_primary;

create table customer_shipping_addresses (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  label text not null check (label <> ''),
  attention text not null default '',
  address postal_address not null,
  is_default boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index customer_shipping_addresses_customer on customer_shipping_addresses (customer_id);
create unique index customer_shipping_addresses_default on customer_shipping_addresses (customer_id) where is_default;

-- Membership is the tenancy of the portal (reliability.md 2.1); admin manages users, signer signs and pays, member
-- drafts.
create table customer_users (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  user_id bigint not null references users (id),
  role text not null default 'member' check (role in ('admin', 'signer', 'member')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (customer_id, user_id)
);
create index customer_users_user on customer_users (user_id, customer_id) include (role);

-- Someone who signed up naming an organisation that exists waits for one of its admins (gaps G35).
create table customer_join_requests (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  user_id bigint not null references users (id),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'refused')),
  message text not null default '',
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'pending') = (decided_at is null))
);
create unique index customer_join_requests_open
  on customer_join_requests (customer_id, user_id) where status = 'pending';
create index customer_join_requests_customer on customer_join_requests (customer_id, created_at desc, id desc);
create index customer_join_requests_user on customer_join_requests (user_id);

create sequence venue_numbers start 1001;
create table venues (
  id bigint generated always as identity primary key,
  number text not null unique default 'V-' || nextval('venue_numbers'),
  name text not null check (name <> ''),
  kind text not null default 'theatre'
    check (kind in ('theatre', 'school_hall', 'arena', 'church', 'outdoor', 'other')),
  address postal_address,
  locality text generated always as (address ->> 'locality') stored,
  country_code text generated always as (address ->> 'country_code') stored,
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  geocode_source text check (geocode_source in ('manual', 'places', 'import', 'postal_centroid')),
  time_zone text not null default 'America/New_York' check (time_zone ~ '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$'),
  capacity integer check (capacity between 0 and 200000),
  owner_customer_id bigint references customers (id),
  phone text,
  website text,
  active boolean not null default true,
  merged_into_id bigint references venues (id),
  search_text text not null generated always as (search_fold(number || ' ' || name || ' '
    || coalesce(address ->> 'locality', '') || ' ' || coalesce(address ->> 'postal_code', ''))) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((lat is null) = (lng is null)),
  check (merged_into_id <> id)
);
create index venues_name on venues (name collate "und-x-icu", id) where deleted_at is null;
create index venues_latest on venues (updated_at desc, id desc) where deleted_at is null;
create index venues_country on venues (country_code, name collate "und-x-icu", id) where deleted_at is null;
create index venues_point on venues (lat, lng) where lat is not null;
create index venues_owner on venues (owner_customer_id) where owner_customer_id is not null;
create index venues_merged_into on venues (merged_into_id) where merged_into_id is not null;
create index venues_search on venues using gin (search_text gin_trgm_ops);

-- Names under which returns and imports know the venue ("Booth", "Booth Theatre"): one name, one venue.
create table venue_aliases (
  id bigint generated always as identity primary key,
  venue_id bigint not null references venues (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
create index venue_aliases_venue on venue_aliases (venue_id);

-- The rows a new licence at this venue starts from (SPEC 3, Ticket row).
create table venue_default_tickets (
  id bigint generated always as identity primary key,
  venue_id bigint not null references venues (id),
  sort integer not null default 0,
  label text not null default '',
  number_of_seats integer not null default 0 check (number_of_seats between 0 and 200000),
  price_minor minor_amount not null default 0 check (price_minor between 0 and 9999999),
  currency currency_code not null,
  weight numeric(12, 4) not null default 0 check (weight between 0 and 1000000),
  created_at timestamptz not null default now()
);
create index venue_default_tickets_venue on venue_default_tickets (venue_id, sort, id);

create table customer_venues (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  venue_id bigint not null references venues (id),
  created_at timestamptz not null default now(),
  unique (customer_id, venue_id)
);
create index customer_venues_venue on customer_venues (venue_id);

-- A valid certificate on the tax point wins over the rate; an expired one blocks the offer (domain.md 2.12).
create table tax_exemption_certificates (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  country country_code not null,
  state text,
  kind text not null check (kind in ('resale', 'school', 'nonprofit', 'diplomatic')),
  number text not null check (number <> ''),
  issued_on date,
  valid_from date not null,
  expires_on date,
  document_id bigint references files (id),
  status text not null default 'pending' check (status in ('pending', 'verified', 'refused', 'withdrawn')),
  verified_by_id bigint references users (id),
  verified_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (expires_on is null or expires_on >= valid_from),
  check ((status = 'verified') <= (verified_at is not null and verified_by_id is not null)),
  unique nulls not distinct (customer_id, country, state, number)
);
create index tax_exemption_certificates_lookup
  on tax_exemption_certificates (customer_id, country, state, valid_from);
create index tax_exemption_certificates_document on tax_exemption_certificates (document_id);

-- Notes of staff on any record, never edited (gaps G104). internal = false: the customer sees it in the portal.
create table memos (
  id bigint generated always as identity primary key,
  entity text not null check (entity in ('customer', 'venue', 'show', 'royaltor', 'show_royaltor', 'license',
    'license_application', 'invoice', 'payment', 'box_office_report', 'royalty_statement')),
  entity_id bigint not null,
  body text not null check (body <> ''),
  internal boolean not null default true,
  author_id bigint not null references users (id),
  created_at timestamptz not null default now()
);
create index memos_entity on memos (entity, entity_id, created_at desc, id desc);
create index memos_author on memos (author_id);

create table customer_messages (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  author_id bigint not null references users (id),
  from_staff boolean not null,
  subject text not null default '',
  body text not null check (body <> ''),
  recipients text[] not null default '{}' check (cardinality(recipients) <= 50),
  read_at timestamptz,
  created_at timestamptz not null default now()
);
create index customer_messages_customer on customer_messages (customer_id, created_at desc, id desc);
create index customer_messages_author on customer_messages (author_id);

call maintain_updated_at('customer_classifications', 'customers', 'customer_contacts', 'customer_shipping_addresses',
  'customer_users', 'customer_join_requests', 'venues', 'tax_exemption_certificates');
call make_append_only('memos');

grant usage on sequence customer_numbers, venue_numbers to app_rw;
grant select, insert on memos to app_rw;
grant select, insert, update on customer_classifications, customers, customer_aliases,
  customer_customer_classifications,
  customer_contacts, customer_shipping_addresses, customer_users, customer_join_requests, venues, venue_aliases,
  venue_default_tickets, customer_venues, tax_exemption_certificates, customer_messages to app_rw;
-- Deleted for good only where the row is membership in a set that its owner replaces; the audit keeps what was there.
grant delete on customer_aliases, customer_customer_classifications, customer_contacts, customer_shipping_addresses,
  customer_users, venue_aliases, venue_default_tickets, customer_venues to app_rw;
