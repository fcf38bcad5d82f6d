-- Perusals: a customer reads a title before applying, page by page on screen or as books by mail (decision 12).

create table perusals (
  id bigint generated always as identity primary key,
  number text not null unique default 'PR-' || nextval('perusal_numbers'),
  customer_id bigint not null references customers (id),
  requested_by_id bigint not null references users (id),
  show_id bigint not null references shows (id),
  division text not null references divisions (code),
  format text not null check (format in ('digital', 'physical')),
  status text not null default 'requested' check (status in ('requested', 'declined', 'approved', 'active', 'expired',
    'shipped', 'due', 'returned', 'lost_charged', 'closed')),
  message text not null default '',
  reason text not null default '',
  currency currency_code not null,
  fee_minor minor_amount not null default 0 check (fee_minor >= 0),
  shipping_minor minor_amount not null default 0 check (shipping_minor >= 0),
  approved_at timestamptz,
  approved_by_id bigint references users (id),
  opens_at timestamptz,
  expires_at timestamptz,
  sales_order_id bigint unique references sales_orders (id),
  due_back_on date,
  returned_on date,
  days integer not null,
  search_text text not null generated always as (
  search_words(number)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (format = 'physical' or fee_minor + shipping_minor = 0),
  check (sales_order_id is null or format = 'physical'),
  check (status not in ('active', 'expired')
    or (format = 'digital' and opens_at is not null and expires_at > opens_at)),
  check (status not in ('shipped', 'due', 'returned', 'lost_charged') or sales_order_id is not null),
  check (status <> 'declined' or reason <> ''),
  check (days between 1 and 365)
);
comment on table perusals is 'Perusals: titles that a customer reads before applying, on screen or on loan.';
comment on column perusals.requested_by_id is 'Person who asked: of the customer, or of staff on its behalf.';
comment on column perusals.reason is 'Why it was refused or ended early, as told to the customer.';
comment on column perusals.fee_minor is 'Total for its materials. Digital perusals are free.';
comment on column perusals.sales_order_id is 'Order that ships a physical perusal.';
comment on column perusals.days is 'Length in days under the terms on the day of the request.';
create index perusals_latest on perusals (updated_at desc, id desc);
create index perusals_status on perusals (status, id desc);
create index perusals_customer on perusals (customer_id, id desc);
create index perusals_show on perusals (show_id, id desc);
create index perusals_expiry on perusals (expires_at, id) where status = 'active';
create index perusals_requested_by on perusals (requested_by_id);
create index perusals_approved_by on perusals (approved_by_id) where approved_by_id is not null;
create index perusals_division on perusals (division);
-- Search by the beginning of the number.
create index perusals_number_start on perusals (lower(number) text_pattern_ops);
create index perusals_search on perusals using gin (search_text gin_trgm_ops);
grant select, insert, update on perusals to app_rw;

create table perusal_materials (
  id bigint generated always as identity primary key,
  perusal_id bigint not null references perusals (id),
  material_id bigint not null references materials (id),
  sort integer not null default 0,
  unit_price_minor minor_amount not null default 0 check (unit_price_minor >= 0),
  shipping_minor minor_amount not null default 0 check (shipping_minor >= 0),
  created_at timestamptz not null default now(),
  unique (perusal_id, material_id)
);
comment on table perusal_materials is 'Materials of a perusal.';
comment on column perusal_materials.unit_price_minor is 'Fee shown when the customer asked.';
create index perusal_materials_material on perusal_materials (material_id);
grant select, insert on perusal_materials to app_rw;

create trigger mark_material_used after insert on perusal_materials
  for each row execute function mark_material_used();

create table perusal_views (
  id bigint generated always as identity primary key,
  perusal_id bigint not null references perusals (id),
  user_id bigint not null references users (id),
  page integer not null check (page >= 1),
  way text not null check (way in ('picture', 'text')),
  created_at timestamptz not null default now()
);
comment on table perusal_views is 'Pages shown to a reader: evidence of who read what. Append-only.';
create index perusal_views_perusal on perusal_views (perusal_id, user_id, id);
create index perusal_views_user on perusal_views (user_id);
grant select, insert on perusal_views to app_rw;

call maintain_updated_at('perusals');

call make_append_only('perusal_views');
