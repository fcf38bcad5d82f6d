-- Customers, their people and addresses, and notes on records.

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
comment on table customer_classifications is
  'Classes of customers, for example school or professional, used by prices and restrictions.';
create unique index customer_classifications_name on customer_classifications (lower(name)) where deleted_at is null;
grant select, insert, update, delete on customer_classifications to app_rw;

create sequence customer_numbers start 10001;
grant usage on sequence customer_numbers to app_rw;

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
  created_by_id bigint references users (id),
  merged_into_id bigint references customers (id) constraint customers_check2 check (merged_into_id <> id),
  perusal_max_open integer not null default 3 check (perusal_max_open between 0 and 50),
  perusal_days_digital integer not null default 14 check (perusal_days_digital between 1 and 365),
  perusal_days_physical integer not null default 21 check (perusal_days_physical between 1 and 365),
  perusal_fee_minor minor_amount check (perusal_fee_minor >= 0),
  search_text text not null generated always as (
  search_words(number, name, legal_name, statement_email, phone, billing_address ->> 'postal_code')) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (default_division = any (divisions)),
  check (not credit_hold or credit_hold_reason is not null)
);
comment on table customers is 'Organizations that license shows.';
comment on column customers.payment_terms_days is 'Days after the invoice date until it is due.';
comment on column customers.merged_into_id is
  'Customer that this duplicate was merged into. The row stays as a reference.';
comment on column customers.perusal_max_open is 'Perusals open at a time. 0 turns perusals off.';
comment on column customers.perusal_fee_minor is
  'Fee for the books of a perusal in the currency of the customer; null: the price of each book.';
create index customers_default_division on customers (default_division, updated_at desc, id desc);
create index customers_latest on customers (updated_at desc, id desc) where deleted_at is null;
create index customers_status on customers (status, updated_at desc, id desc) where deleted_at is null;
create index customers_merged_into on customers (merged_into_id) where merged_into_id is not null;
create index customers_number_start on customers (lower(number) text_pattern_ops);
create index customers_name on customers (name collate "und-x-icu", id);
create index customers_name_fold on customers (name_key(name)) where deleted_at is null;
-- Customers are compared with those of the same town.
create index customers_town_fold on customers (coalesce(name_key(billing_address ->> 'locality'), ''))
  where deleted_at is null;
create index customers_search on customers using gin (search_text gin_trgm_ops);
create index customers_name_start on customers (fold_name(name) text_pattern_ops);
-- Applicants name the organization they belong to.
create index customers_legal_name_fold on customers (name_key(legal_name)) where deleted_at is null;
grant select, insert, update on customers to app_rw;

create table customer_aliases (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
comment on table customer_aliases is 'Other names under which imports recognize a customer.';
create index customer_aliases_customer on customer_aliases (customer_id);
create index customer_aliases_fold on customer_aliases (name_key(alias));
grant select, insert, update, delete on customer_aliases to app_rw;

create table customer_customer_classifications (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  customer_classification_id bigint not null references customer_classifications (id),
  created_at timestamptz not null default now(),
  unique (customer_id, customer_classification_id)
);
comment on table customer_customer_classifications is 'Classes of a customer.';
create index customer_classifications_members
  on customer_customer_classifications (customer_classification_id, customer_id);
grant select, insert, update, delete on customer_customer_classifications to app_rw;

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
comment on table customer_contacts is 'Contacts of a customer. They need no account.';
create index customer_contacts_customer on customer_contacts (customer_id);
create unique index customer_contacts_primary on customer_contacts (customer_id) where is_primary;
grant select, insert, update, delete on customer_contacts to app_rw;

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
comment on table customer_shipping_addresses is 'Shipping addresses of a customer.';
create index customer_shipping_addresses_customer on customer_shipping_addresses (customer_id);
create unique index customer_shipping_addresses_default on customer_shipping_addresses (customer_id) where is_default;
grant select, insert, update, delete on customer_shipping_addresses to app_rw;

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
comment on table customer_users is
  'People who act for a customer in the portal. An admin manages people, a signer signs and pays, a member '
  'prepares drafts.';
create index customer_users_user on customer_users (user_id, customer_id) include (role);
grant select, insert, update, delete on customer_users to app_rw;

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
comment on table customer_join_requests is
  'Requests of people to join an organization that already exists, waiting for one of its admins.';
create unique index customer_join_requests_open
  on customer_join_requests (customer_id, user_id) where status = 'pending';
create index customer_join_requests_customer on customer_join_requests (customer_id, created_at desc, id desc);
create index customer_join_requests_user on customer_join_requests (user_id);
grant select, insert, update on customer_join_requests to app_rw;

create sequence venue_numbers start 1001;
grant usage on sequence venue_numbers to app_rw;

create table customer_invitations (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('admin', 'signer', 'member')),
  token_hash bytea not null check (length(token_hash) = 32),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'revoked')),
  invited_by_id bigint not null references users (id),
  accepted_by_id bigint references users (id),
  expires_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'accepted') = (accepted_by_id is not null))
);
comment on table customer_invitations is
  'Invitations to join a customer. The address decides who may accept, and the role is taken from this row, '
  'never from the request.';
create unique index customer_invitations_token on customer_invitations (token_hash);
-- Inviting the same address again renews the invitation that waits; there are never two.
create unique index customer_invitations_open on customer_invitations (customer_id, email) where status = 'pending';
create index customer_invitations_customer on customer_invitations (customer_id, created_at desc, id desc);
create index customer_invitations_invited_by on customer_invitations (invited_by_id);
create index customer_invitations_accepted_by on customer_invitations (accepted_by_id)
  where accepted_by_id is not null;
grant select, insert, update on customer_invitations to app_rw;

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
comment on table customer_messages is 'Messages between a customer and the staff.';
create index customer_messages_customer on customer_messages (customer_id, created_at desc, id desc);
create index customer_messages_author on customer_messages (author_id);
grant select, insert, update on customer_messages to app_rw;

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
comment on table memos is 'Notes on any record, never edited. A note that is not internal is visible to the customer.';
create index memos_entity on memos (entity, entity_id, created_at desc, id desc);
create index memos_author on memos (author_id);
grant select, insert on memos to app_rw;

-- A memo names people as @[their id] (U25): a mention survives another name. Whoever reads it, searches it or takes
-- it away in a list sees the name of today, never the number.
create function memo_pieces(body text) returns table (place bigint, words text, user_id bigint)
  language sql stable as $$
  select 2 * n - 1, said, null::bigint from regexp_split_to_table(body, '@\[[0-9]{1,15}\]') with ordinality t (said, n)
  where said <> ''
  union all
  select 2 * n, '@' || coalesce(u.first_name || ' ' || u.last_name, 'somebody'), u.id
  from regexp_matches(body, '@\[([0-9]{1,15})\]', 'g') with ordinality m (found, n)
    left join users u on u.id = m.found[1]::bigint
  order by 1
$$;

create function memo_text(body text) returns text language sql stable as $$
  select case when strpos(body, '@[') = 0 then body
    else (select string_agg(words, '' order by place) from memo_pieces(body)) end
$$;

call maintain_updated_at('customer_classifications', 'customers', 'customer_contacts', 'customer_shipping_addresses',
  'customer_users', 'customer_join_requests', 'customer_invitations');

call make_append_only('memos');
