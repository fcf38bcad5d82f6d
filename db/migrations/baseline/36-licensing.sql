-- Licenses. One table carries quote, production and booking: phase is the only lifecycle column, everything else is a
-- flag or derived.

create table licenses (
  id bigint generated always as identity primary key,
  number text not null unique,
  license_number text unique,
  customer_id bigint not null references customers (id),
  license_application_id bigint references license_applications (id),
  show_id bigint not null references shows (id),
  show_code text not null,
  show_type text not null check (show_type in ('play', 'musical')),
  category text not null check (category in ('Amateur', 'Pro')),
  phase text not null default 'draft' check (phase in ('draft', 'sent', 'accepted', 'expired', 'declined', 'licensed',
    'in_production', 'settlement', 'closed', 'cancelled')),
  division text not null references divisions (code),
  currency currency_code not null,
  customer_classification_id bigint references customer_classifications (id),
  license_rep_id bigint references users (id),
  title_on_license text not null check (title_on_license <> ''),
  producing_organisation text not null default '',
  production_type text not null default 'run' check (production_type in
    ('run', 'tour', 'competition', 'concert', 'reading', 'stream')),
  first_performance_on date,
  last_performance_on date,
  number_of_performances integer not null default 0 check (number_of_performances between 0 and 100000),
  cast_size integer check (cast_size between 1 and 1000),
  orchestration text check (orchestration in ('full', 'reduced', 'piano', 'tracks')),
  on_hold boolean not null default false,
  hold_reason text,
  postponed boolean not null default false,
  restricted_clearance boolean not null default false,
  dispute boolean not null default false,
  rate_card_id bigint references rate_cards (id),
  fee_method text check (fee_method in
    ('flat', 'seat_band', 'percent_potential', 'percent_actual', 'greater_of', 'flat_run', 'negotiated')),
  rate_ppm rate_ppm,
  gross_basis text check (gross_basis in ('capacity', 'weighted', 'expected', 'top_price')),
  guarantee_scope text check (guarantee_scope in ('performance', 'run', 'week')),
  round_up_to_minor minor_amount check (round_up_to_minor >= 0),
  round_up_scope text check (round_up_scope in ('performance', 'run')),
  min_per_performance_minor minor_amount check (min_per_performance_minor >= 0),
  min_per_run_minor minor_amount check (min_per_run_minor >= 0),
  min_per_week_minor minor_amount check (min_per_week_minor >= 0),
  min_performances integer check (min_performances between 0 and 1000),
  full_week_performances integer check (full_week_performances between 1 and 30),
  minimum_counts_toward_advance boolean,
  week_start smallint check (week_start between 0 and 6),
  advance_minor minor_amount check (advance_minor >= 0),
  true_up text check (true_up in ('none', 'down_only', 'up_only', 'both')),
  recoupment_declared_on date,
  fee_terms jsonb,
  negotiated_reason text,
  execution_policy text not null check (execution_policy in
    ('paid_in_full', 'deposit_paid', 'advance_paid', 'purchase_order', 'signature_only')),
  execution_policy_reason text,
  purchase_order_no text,
  discount_type text check (discount_type in ('amount', 'percent')),
  discount_ppm rate_ppm,
  discount_amount_minor minor_amount check (discount_amount_minor >= 0),
  discount_reason text,
  discount_approved_by_id bigint references users (id),
  royalty_total_minor minor_amount not null default 0,
  materials_total_minor minor_amount not null default 0,
  tax_total_minor minor_amount not null default 0,
  deposit_minor minor_amount not null default 0 check (deposit_minor >= 0),
  grand_total_minor minor_amount not null default 0,
  invoiced_minor minor_amount not null default 0,
  paid_minor minor_amount not null default 0,
  balance_minor minor_amount not null default 0,
  offer_version integer not null default 0 check (offer_version >= 0),
  offer_sent_at timestamptz,
  offer_expires_at timestamptz,
  accepted_at timestamptz,
  pay_by date,
  executed_at timestamptz,
  in_production_at timestamptz,
  settlement_at timestamptz,
  closed_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  decline_reason_code text,
  settlement_due_on date,
  ship_on date,
  return_due_on date,
  availability_result jsonb,
  availability_override_reason text,
  availability_override_by_id bigint references users (id),
  calculation_trace jsonb,
  priced_at timestamptz,
  search_text text not null default '',
  created_by_id bigint references users (id),
  rights_held_until timestamptz,
  empty_week_owes_minimum boolean,
  discount_internal_reason text not null default ''
  check (length(discount_internal_reason) <= 1000),
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (last_performance_on >= first_performance_on),
  check (not on_hold or hold_reason is not null),
  check (phase in ('draft', 'declined', 'cancelled', 'expired') or offer_version > 0 or license_number is not null),
  check (phase <> 'sent' or offer_expires_at is not null),
  check (phase not in ('licensed', 'in_production', 'settlement', 'closed')
    or (license_number is not null and executed_at is not null)),
  check ((phase = 'cancelled') = (cancelled_at is not null)),
  check (phase <> 'closed' or closed_at is not null),
  check (discount_type is null or discount_reason is not null),
  check (discount_type is null or num_nonnulls(discount_ppm, discount_amount_minor) = 1),
  check (execution_policy <> 'signature_only' or execution_policy_reason is not null)
);
comment on table licenses is
  'Licenses, from the draft of a quote to the closed production. The fee terms are copied, so later rate cards '
  'do not change them.';
comment on column licenses.phase is
  'Draft, sent, accepted, licensed, in_production, settlement, closed; or ended before that: declined, expired, '
  'cancelled.';
comment on column licenses.rate_card_id is 'Rate card the fee terms were copied from.';
comment on column licenses.week_start is 'First day of the contractual week: 0 is Sunday.';
comment on column licenses.fee_terms is
  'Tiers, seat bands, deductions and caps of the rate card, copied as a whole. Read by the price calculation, '
  'never searched.';
comment on column licenses.royalty_total_minor is
  'Calculated from lines, invoices and receipts. The integrity report compares them.';
comment on column licenses.availability_result is 'Verdict of the availability check, and who overrode it.';
comment on column licenses.search_text is
  'Maintained by trigger: numbers, title, show code, producing organization and name of the customer.';
comment on column licenses.rights_held_until is
  'After an offer is withdrawn its dates stay reserved until then, so that revising it does not lose them.';
comment on column licenses.discount_internal_reason is
  'Reason for the second person to read. The reason printed on the offer is in discount_reason.';
-- Page ids come from these alone, then the page joins (performance.md 4). deleted_at is null in every list but the
-- trash.
create index licenses_latest on licenses (updated_at desc, id desc) where deleted_at is null;
create index licenses_division
  on licenses (division, updated_at desc, id desc) include (phase) where deleted_at is null;
create index licenses_phase on licenses (phase, updated_at desc, id desc) where deleted_at is null;
create index licenses_division_phase on licenses (division, phase, updated_at desc, id desc) where deleted_at is null;
create index licenses_customer on licenses (customer_id, updated_at desc, id desc) include (phase);
create index licenses_show on licenses (show_id, phase, first_performance_on, id);
create index licenses_rep on licenses (license_rep_id, phase, updated_at desc, id desc);
create index licenses_dates on licenses (first_performance_on, last_performance_on, id)
  where phase in ('accepted', 'licensed', 'in_production');
create index licenses_expiring on licenses (offer_expires_at, id) where phase = 'sent';
create index licenses_application on licenses (license_application_id);
create index licenses_rate_card on licenses (rate_card_id);
create index licenses_classification on licenses (customer_classification_id);
create index licenses_trash on licenses (deleted_at desc, id desc) where deleted_at is not null;
create index licenses_search on licenses using gin (search_text gin_trgm_ops);
create index licenses_number_start on licenses (lower(number) text_pattern_ops);
create index licenses_license_number_start on licenses (lower(license_number) text_pattern_ops)
  where license_number is not null;
-- Orders and filters that lists offer and that no index served: with a million rows each of them read and sorted the
-- table (bench/lists.ts). The ids of a page come from each of these alone.
create index licenses_category on licenses (category, updated_at desc, id desc) where deleted_at is null;
create index licenses_title on licenses (title_on_license collate "und-x-icu", id) where deleted_at is null;
create index licenses_total on licenses (grand_total_minor, id) where deleted_at is null;
create index licenses_balance on licenses (balance_minor, id) where deleted_at is null;
create index licenses_first_day on licenses (first_performance_on, id) where deleted_at is null;
create index licenses_numbers on licenses (number, id) where deleted_at is null;
create index licenses_created on licenses (created_at desc, id desc) where deleted_at is null;
create index licenses_title_start on licenses (fold_name(title_on_license) text_pattern_ops);
grant select, insert, update on licenses to app_rw;

create function license_search_text() returns trigger
language plpgsql as $$
begin
  new.search_text := search_words(new.number, new.license_number, new.show_code, new.title_on_license,
    new.producing_organisation, (select name from customers where id = new.customer_id));
  return new;
end $$;

create trigger license_search_text before insert or update of number, license_number, show_code, title_on_license,
  producing_organisation, customer_id on licenses for each row execute function license_search_text();

create function license_application_search_text() returns trigger
language plpgsql as $$
begin
  new.search_text := search_words(new.number, new.producing_organisation,
    (select name from customers where id = new.customer_id),
    (select string_agg(search_words(s.show_code, s.title), ' ' order by a.rank) from license_application_shows a
      join shows s on s.id = a.show_id where a.license_application_id = new.id));
  return new;
end $$;

create trigger license_application_search_text before insert or update on license_applications
  for each row execute function license_application_search_text();

-- A renamed customer is found under the new name.
create function customer_renamed() returns trigger
language plpgsql as $$
begin
  update licenses set customer_id = customer_id where customer_id = new.id;
  update license_applications set customer_id = customer_id where customer_id = new.id;
  return null;
end $$;

create trigger customer_renamed after update of name on customers
  for each row when (old.name is distinct from new.name) execute function customer_renamed();

-- The last line of defence of table 1.1: a phase moves along its edges only, whichever program writes.
create function guard_license_phase() returns trigger
language plpgsql as $$
begin
  if (old.phase, new.phase) not in (('draft', 'sent'), ('sent', 'draft'), ('sent', 'accepted'), ('sent', 'expired'),
    ('sent', 'declined'), ('expired', 'draft'), ('declined', 'draft'), ('accepted', 'licensed'), ('accepted', 'sent'),
    ('accepted', 'expired'), ('licensed', 'in_production'), ('in_production', 'settlement'), ('settlement', 'closed'),
    ('closed', 'settlement'), ('draft', 'cancelled'), ('sent', 'cancelled'), ('accepted', 'cancelled'),
    ('licensed', 'cancelled')) then
    raise exception 'license %: no way from % to %', old.id, old.phase, new.phase using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_license_phase before update of phase on licenses
  for each row when (old.phase is distinct from new.phase) execute function guard_license_phase();

call maintain_updated_at('licenses');
