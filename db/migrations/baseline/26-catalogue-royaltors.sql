-- Royaltors, and one agreement per royaltor, show and role with its terms. A royalty pool is a part of the week's
-- operating profit or gross, shared by points, with a guaranteed minimum per point; it is stored in the term of each
-- party.

create sequence royaltor_numbers start 1001;
grant usage on sequence royaltor_numbers to app_rw;

create table royaltors (
  id bigint generated always as identity primary key,
  number text not null unique default 'RY-' || nextval('royaltor_numbers'),
  kind text not null default 'person' check (kind in ('person', 'company', 'estate', 'agent', 'society', 'house')),
  name text not null check (name <> ''),
  legal_name text,
  pen_name text,
  email email_address,
  phone text,
  address postal_address,
  agent_royaltor_id bigint references royaltors (id),
  divisions text[] not null default array['US'] check (is_division_set(divisions)),
  currency currency_code not null default 'USD',
  payment_method text not null default 'check' check (payment_method in ('ach', 'wire', 'check', 'bacs', 'sepa')),
  bank_account_encrypted bytea,
  bank_routing_encrypted bytea,
  bank_key_id text,
  bank_account_last4 text check (bank_account_last4 ~ '^[0-9A-Z]{1,4}$'),
  bank_verified_at timestamptz,
  residence_country country_code not null default 'US',
  tax_form_type text not null default 'none' check (tax_form_type in
    ('w9', 'w8ben', 'w8bene', 'treaty_direction', 'none')),
  tax_form_expires_on date,
  tax_form_document_id bigint references files (id),
  tin_encrypted bytea,
  tin_key_id text,
  tin_last4 text check (tin_last4 ~ '^[0-9A-Z]{1,4}$'),
  us_1099_type text not null default 'none' check (us_1099_type in ('none', '1099_misc', '1042_s')),
  wht_override_ppm rate_ppm,
  treaty_article text not null default '',
  author_by_profession boolean not null default false,
  vat_status text not null default 'none' check (vat_status in ('none', 'registered', 'foreign_business')),
  vat_no text,
  self_billing_from date,
  self_billing_expires_on date,
  self_billing_document_id bigint references files (id),
  statement_frequency text not null default 'quarterly' check (statement_frequency in
    ('monthly', 'quarterly', 'semi_annual', 'annual')),
  min_payout_minor minor_amount not null default 0 check (min_payout_minor >= 0),
  min_payout_tier2_minor minor_amount check (min_payout_tier2_minor >= 0),
  delivery text not null default 'email' check (delivery in ('portal', 'email', 'post')),
  active boolean not null default true,
  search_text text not null generated always as (
  search_words(number, name, legal_name, pen_name, email, phone, address ->> 'postal_code')) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (agent_royaltor_id <> id),
  check (num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) in (0, 3)),
  check (num_nonnulls(tin_encrypted, tin_last4, tin_key_id) in (0, 3)),
  check (vat_status <> 'registered' or vat_no is not null),
  check (num_nonnulls(self_billing_from, self_billing_expires_on) in (0, 2)),
  check (self_billing_expires_on >= self_billing_from)
);
comment on table royaltors is 'Payees of royalties: authors, estates, agents and publishers.';
comment on column royaltors.bank_account_encrypted is
  'AES-256-GCM ciphertext under the key named by bank_key_id. Screens show the last four digits only.';
comment on column royaltors.min_payout_tier2_minor is
  'Lower minimum payment in June and December; null if there is none.';
create index royaltors_name on royaltors (name collate "und-x-icu", id) where deleted_at is null;
create index royaltors_latest on royaltors (updated_at desc, id desc) where deleted_at is null;
create index royaltors_trash on royaltors (deleted_at desc, id desc) where deleted_at is not null;
create index royaltors_agent on royaltors (agent_royaltor_id);
create index royaltors_tax_form on royaltors (tax_form_document_id);
create index royaltors_self_billing on royaltors (self_billing_document_id);
create index royaltors_number_start on royaltors (lower(number) text_pattern_ops);
-- People are looked up by name for every row of a file, and by the last word of it for those that look alike.
create index royaltors_name_key on royaltors (search_fold(name)) where deleted_at is null;
create index royaltors_name_fold on royaltors (name_key(name)) where deleted_at is null;
create index royaltors_last_fold on royaltors ((regexp_replace(fold_name(name), '^.* ', ''))) where deleted_at is null;
create index royaltors_search on royaltors using gin (search_text gin_trgm_ops);
create index royaltors_name_start on royaltors (fold_name(name) text_pattern_ops);
grant select, insert, update on royaltors to app_rw;

create table royaltor_aliases (
  id bigint generated always as identity primary key,
  royaltor_id bigint not null references royaltors (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
comment on table royaltor_aliases is 'Other names under which imports recognize a royaltor.';
create index royaltor_aliases_royaltor on royaltor_aliases (royaltor_id);
create index royaltor_aliases_fold on royaltor_aliases (name_key(alias));
grant select, insert, delete on royaltor_aliases to app_rw;

create table royaltor_users (
  id bigint generated always as identity primary key,
  royaltor_id bigint not null references royaltors (id),
  user_id bigint not null unique references users (id),
  created_at timestamptz not null default now()
);
comment on table royaltor_users is 'People who sign in for a royaltor.';
create index royaltor_users_royaltor on royaltor_users (royaltor_id);
grant select, insert, update, delete on royaltor_users to app_rw;

create table cross_collateral_groups (
  id bigint generated always as identity primary key,
  name text not null unique check (name <> ''),
  royaltor_id bigint not null references royaltors (id),
  allow_conversion boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table cross_collateral_groups is
  'Groups of agreements whose advances recoup from the earnings of the whole group.';
create index cross_collateral_groups_royaltor on cross_collateral_groups (royaltor_id);
grant select, insert, update on cross_collateral_groups to app_rw;

create table show_royaltors (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  royaltor_id bigint not null references royaltors (id),
  role text not null check (role in ('author', 'composer', 'lyricist', 'bookwriter', 'underlying', 'director',
    'producer', 'originating_theatre', 'estate', 'agent', 'house')),
  share_label text not null default '',
  contract_no text not null default '',
  signed_on date,
  term_from date,
  term_to date,
  territory text not null default 'World',
  payer_division text not null references divisions (code),
  currency currency_code not null,
  status text not null default 'draft' check (status in ('draft', 'active', 'ended')),
  accrual_basis text not null default 'on_receipt' check (accrual_basis in ('on_receipt', 'on_invoice', 'on_close')),
  date_basis text not null default 'performance' check (date_basis in ('performance', 'receipt')),
  royalty_presentation text not null default 'gross' check (royalty_presentation in ('gross', 'net')),
  cross_collateral_group_id bigint references cross_collateral_groups (id),
  agent_royaltor_id bigint references royaltors (id),
  agent_ppm rate_ppm not null default 0,
  agent_pays text check (agent_pays in ('split_payment', 'all_to_agent')),
  opening_balance_minor minor_amount not null default 0,
  opening_unrecouped_minor minor_amount not null default 0 check (opening_unrecouped_minor >= 0),
  reserve_schedule_ppm integer[] not null default '{}'
    check (reserve_schedule_ppm = '{}' or ppm_sum(reserve_schedule_ppm) = 1000000),
  min_payout_minor minor_amount check (min_payout_minor >= 0),
  annual_minimum_minor minor_amount check (annual_minimum_minor >= 0),
  opening_on date,
  opening_transaction_id bigint references transactions (id),
  opening_statement_id bigint,
  opening_carried_minor minor_amount not null default 0,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (term_to >= term_from),
  check ((agent_ppm > 0) <= (agent_royaltor_id is not null and agent_pays is not null)),
  check (opening_transaction_id is null or opening_on is not null),
  check (opening_statement_id is null or (opening_transaction_id is not null and opening_carried_minor = 0))
);
comment on table show_royaltors is 'Agreements: what a royaltor earns from a show.';
comment on column show_royaltors.reserve_schedule_ppm is
  'Shares of a reserve released in each following period; together one whole.';
comment on column show_royaltors.opening_on is
  'Date of the opening balance when the agreement was taken over from other books. Posted once; one statement '
  'includes it.';
create unique index show_royaltors_active on show_royaltors (show_id, royaltor_id, role, contract_no)
  where status <> 'ended' and deleted_at is null;
create index show_royaltors_show on show_royaltors (show_id, id);
create index show_royaltors_royaltor on show_royaltors (royaltor_id, id);
create index show_royaltors_payer on show_royaltors (payer_division, currency);
create index show_royaltors_group on show_royaltors (cross_collateral_group_id);
create index show_royaltors_agent on show_royaltors (agent_royaltor_id);
create index show_royaltors_opening on show_royaltors (opening_transaction_id) where opening_transaction_id is not null;
create index show_royaltors_opening_statement on show_royaltors (opening_statement_id)
  where opening_statement_id is not null;
grant select, insert, update on show_royaltors to app_rw;

create table agreement_payment_conditions (
  id bigint generated always as identity primary key,
  show_royaltor_id bigint not null references show_royaltors (id),
  requires_show_royaltor_id bigint not null references show_royaltors (id),
  condition text not null default 'recouped' check (condition in ('recouped')),
  explanation text not null check (explanation <> ''),
  created_at timestamptz not null default now(),
  unique (show_royaltor_id, requires_show_royaltor_id),
  check (show_royaltor_id <> requires_show_royaltor_id)
);
comment on table agreement_payment_conditions is
  'Conditions on paying an agreement, for example only after another one has recouped.';
create index agreement_payment_conditions_required on agreement_payment_conditions (requires_show_royaltor_id);
grant select, insert, update, delete on agreement_payment_conditions to app_rw;

create table royalty_terms (
  id bigint generated always as identity primary key,
  show_royaltor_id bigint not null references show_royaltors (id),
  priority integer not null default 0,
  match_income_types text[] not null default '{}' check (match_income_types <@ array['royalty', 'rental', 'sale',
    'digital', 'add_on', 'streaming', 'video', 'perusal', 'late_fee', 'advance', 'breakage', 'cancellation_fee']),
  match_categories text[] not null default '{}' check (match_categories <@ array['Amateur', 'Pro']),
  match_divisions text[] not null default '{}' check (is_division_set(match_divisions)),
  match_countries text[] not null default '{}',
  match_territory_group text,
  match_material_category text,
  match_material_sub_category text,
  match_item_number text,
  match_add_on_id bigint references add_ons (id),
  match_date_from date,
  match_date_to date,
  match_customer_classification_id bigint references customer_classifications (id),
  match_count smallint not null generated always as (
    (match_income_types <> '{}')::int + (match_categories <> '{}')::int + (match_divisions <> '{}')::int
    + (match_countries <> '{}' or match_territory_group is not null)::int
    + (match_material_category is not null)::int + (match_material_sub_category is not null)::int
    + (match_item_number is not null)::int + (match_add_on_id is not null)::int
    + (match_date_from is not null or match_date_to is not null)::int
    + (match_customer_classification_id is not null)::int) stored,
  rate_ppm rate_ppm not null,
  share_points integer not null default 1 check (share_points between 0 and 1000000),
  basis text not null default 'receipts',
  unit_amount_minor minor_amount check (unit_amount_minor >= 0),
  source_commission_ppm rate_ppm,
  min_per_performance_minor minor_amount check (min_per_performance_minor >= 0),
  annual_min_minor minor_amount check (annual_min_minor >= 0),
  reserve_ppm rate_ppm not null default 0,
  recoupable boolean not null default true,
  pool_of text check (pool_of in ('operating_profit', 'gross')),
  pool_min_per_point_minor minor_amount check (pool_min_per_point_minor >= 0),
  pool_points_x100 integer check (pool_points_x100 between 1 and 1000000),
  pool_total_points_x100 integer check (pool_total_points_x100 between 1 and 1000000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (match_date_to >= match_date_from),
  check ((basis in ('per_performance_amount', 'per_unit')) = (unit_amount_minor is not null)),
  check ((basis = 'at_source') = (source_commission_ppm is not null)),
  check (source_commission_ppm < 1000000),
  constraint royalty_terms_basis_check check (basis in ('receipts',
  'after_house_commission', 'net_after_costs', 'per_performance_amount', 'per_unit', 'at_source', 'pool_points')),
  constraint royalty_terms_pool check (case when basis = 'pool_points'
    then pool_of is not null and pool_min_per_point_minor is not null and pool_points_x100 is not null
      and pool_total_points_x100 is not null
    else pool_of is null and pool_min_per_point_minor is null and pool_points_x100 is null
      and pool_total_points_x100 is null end),
  constraint royalty_terms_pool_points check (pool_points_x100 <= pool_total_points_x100),
  -- A pool is of the weeks that a production plays: royalties, and no other minimum beside its own.
  constraint royalty_terms_pool_income check (basis <> 'pool_points'
    or (match_income_types = array['royalty'] and min_per_performance_minor is null))
);
comment on table royalty_terms is
  'Rates of an agreement. The term that matches a line of income in the most fields applies, then priority, then '
  'id. An empty array or null matches everything.';
comment on column royalty_terms.match_count is 'Number of fields the term matches on; the term with the most applies.';
comment on column royalty_terms.pool_points_x100 is
  'Points of this party in the royalty pool times 100: half a point is 50.';
comment on column royalty_terms.pool_total_points_x100 is
  'Points of all parties times 100, including those paid by others.';
create index royalty_terms_agreement on royalty_terms (show_royaltor_id, match_count desc, priority desc, id);
create index royalty_terms_add_on on royalty_terms (match_add_on_id);
create index royalty_terms_classification on royalty_terms (match_customer_classification_id);
grant select, insert, update, delete on royalty_terms to app_rw;

create table royalty_term_tiers (
  id bigint generated always as identity primary key,
  royalty_term_id bigint not null references royalty_terms (id),
  from_minor minor_amount not null check (from_minor >= 0),
  rate_ppm rate_ppm not null,
  after_recoupment boolean not null default false,
  created_at timestamptz not null default now(),
  unique (royalty_term_id, from_minor, after_recoupment)
);
comment on table royalty_term_tiers is 'Rates of a term by amount.';
grant select, insert, update, delete on royalty_term_tiers to app_rw;

-- The other percentage of a pool is the one after recoupment; it has no steps by amount.
create function check_pool_tiers() returns trigger language plpgsql as $$
begin
  if exists (select 1 from royalty_terms t join royalty_term_tiers y on y.royalty_term_id = t.id
    where t.id = case when tg_table_name = 'royalty_terms' then (to_jsonb(new) ->> 'id')::bigint
      else (to_jsonb(new) ->> 'royalty_term_id')::bigint end
      and t.basis = 'pool_points' and (not y.after_recoupment or y.from_minor <> 0)) then
    raise exception 'a royalty pool has one other rate, the one after recoupment' using errcode = 'check_violation',
      constraint = 'royalty_terms_pool_tiers';
  end if;
  return null;
end $$;

create constraint trigger check_pool_tiers after insert or update on royalty_term_tiers
  deferrable initially deferred for each row execute function check_pool_tiers();

create constraint trigger check_pool_tiers after update on royalty_terms
  deferrable initially deferred for each row execute function check_pool_tiers();

call maintain_updated_at('royaltors', 'cross_collateral_groups', 'show_royaltors', 'royalty_terms');
