-- One table carries quote, production and booking: phase is the only lifecycle column, everything else is a flag
-- or is
-- derived (domain.md 1). Venues, performances, lines and documents of a licence are in 0052 and 0053.

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
  -- Terms of the fee, copied from the rate card when priced: a later card never alters a licence.
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
  -- Tiers, seat bands, deductions and caps of that card, frozen whole; read by the kernel, never searched.
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
  -- Projections of lines, invoices and receipts; the integrity report compares them (domain.md 7.2, I2).
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
  -- Verdict of the rights check and who overrode it (domain.md 1.5); the trace explains every figure (2.11).
  availability_result jsonb,
  availability_override_reason text,
  availability_override_by_id bigint references users (id),
  calculation_trace jsonb,
  priced_at timestamptz,
  -- Maintained by trigger: numbers, title, show code, producing organisation and the customer's name.
  search_text text not null default '',
  created_by_id bigint references users (id),
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

alter table show_restrictions add foreign key (source_license_id) references licenses (id);
create index show_restrictions_source on show_restrictions (source_license_id);

create function license_search_text() returns trigger
language plpgsql as $$
begin
  new.search_text := search_fold(concat_ws(' ', new.number, new.license_number, new.show_code, new.title_on_license,
    new.producing_organisation, (select name from customers where id = new.customer_id)));
  return new;
end $$;
create trigger license_search_text before insert or update of number, license_number, show_code, title_on_license,
  producing_organisation, customer_id on licenses for each row execute function license_search_text();

create function license_application_search_text() returns trigger
language plpgsql as $$
begin
  new.search_text := search_fold(concat_ws(' ', new.number, new.producing_organisation,
    (select name from customers where id = new.customer_id),
    (select string_agg(s.show_code || ' ' || s.title, ' ' order by a.rank) from license_application_shows a
      join shows s on s.id = a.show_id where a.license_application_id = new.id)));
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

grant select, insert, update on licenses to app_rw;
