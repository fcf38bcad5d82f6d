-- Perusals: a customer reads a title before it applies, on the screen page by page or as books by post. Sources:
-- domain.md 1.4 (states), 7 (perusal), SPEC 27 (list); decision 12 for how pages are shown.

-- Files of a material: what a perusal shows, one after the other. A file is a PDF; how many pages it has and what
-- stands on them is read once, when it is uploaded. It never leaves the house as a file.
create table material_files (
  id bigint generated always as identity primary key,
  material_id bigint not null references materials (id),
  file_id bigint not null unique references files (id),
  name text not null check (name <> ''),
  sort integer not null default 0 check (sort >= 0),
  pages integer not null check (pages between 1 and 1000),
  -- Taken away: perusals that are open lose it too, the bytes stay (files are append-only).
  removed_at timestamptz,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
create index material_files_material on material_files (material_id, sort, id);
create index material_files_created_by on material_files (created_by_id);
create trigger mark_material_used after insert on material_files
  for each row execute function mark_material_used();

-- What stands on a page, for readers who cannot see its picture.
create table material_file_pages (
  id bigint generated always as identity primary key,
  material_file_id bigint not null references material_files (id),
  page integer not null check (page >= 1),
  text text not null default '',
  created_at timestamptz not null default now(),
  unique (material_file_id, page)
);

create sequence perusal_numbers start 1001;
create table perusals (
  id bigint generated always as identity primary key,
  number text not null unique default 'PR-' || nextval('perusal_numbers'),
  customer_id bigint not null references customers (id),
  -- Who asked: a person of the customer, or of staff on its behalf.
  requested_by_id bigint not null references users (id),
  show_id bigint not null references shows (id),
  division text not null references divisions (code),
  format text not null check (format in ('digital', 'physical')),
  status text not null default 'requested' check (status in ('requested', 'declined', 'approved', 'active', 'expired',
    'shipped', 'due', 'returned', 'lost_charged', 'closed')),
  message text not null default '',
  -- Said to the customer: why it was refused or ended early.
  reason text not null default '',
  currency currency_code not null,
  -- Sums over its materials as asked for; a digital perusal is free (domain.md 1.4).
  fee_minor minor_amount not null default 0 check (fee_minor >= 0),
  shipping_minor minor_amount not null default 0 check (shipping_minor >= 0),
  approved_at timestamptz,
  approved_by_id bigint references users (id),
  opens_at timestamptz,
  expires_at timestamptz,
  -- A physical perusal travels as a sales order of kind perusal: the stock knows one way out and one way back.
  sales_order_id bigint unique references sales_orders (id),
  due_back_on date,
  returned_on date,
  search_text text not null generated always as (search_fold(number)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (format = 'physical' or fee_minor + shipping_minor = 0),
  check (sales_order_id is null or format = 'physical'),
  check (status not in ('active', 'expired')
    or (format = 'digital' and opens_at is not null and expires_at > opens_at)),
  check (status not in ('shipped', 'due', 'returned', 'lost_charged') or sales_order_id is not null),
  check (status <> 'declined' or reason <> '')
);
create index perusals_latest on perusals (updated_at desc, id desc);
create index perusals_status on perusals (status, id desc);
create index perusals_customer on perusals (customer_id, id desc);
create index perusals_show on perusals (show_id, id desc);
create index perusals_expiry on perusals (expires_at, id) where status = 'active';
create index perusals_search on perusals using gin (search_text gin_trgm_ops);
create index perusals_requested_by on perusals (requested_by_id);
create index perusals_approved_by on perusals (approved_by_id) where approved_by_id is not null;
create index perusals_division on perusals (division);

create table perusal_materials (
  id bigint generated always as identity primary key,
  perusal_id bigint not null references perusals (id),
  material_id bigint not null references materials (id),
  sort integer not null default 0,
  -- The fee as it was shown when the customer asked.
  unit_price_minor minor_amount not null default 0 check (unit_price_minor >= 0),
  shipping_minor minor_amount not null default 0 check (shipping_minor >= 0),
  created_at timestamptz not null default now(),
  unique (perusal_id, material_id)
);
create index perusal_materials_material on perusal_materials (material_id);
create trigger mark_material_used after insert on perusal_materials
  for each row execute function mark_material_used();

-- Every page that was shown to anybody: proof of who read what (X158). Written once, never changed.
create table perusal_views (
  id bigint generated always as identity primary key,
  perusal_id bigint not null references perusals (id),
  user_id bigint not null references users (id),
  page integer not null check (page >= 1),
  way text not null check (way in ('picture', 'text')),
  created_at timestamptz not null default now()
);
create index perusal_views_perusal on perusal_views (perusal_id, user_id, id);
create index perusal_views_user on perusal_views (user_id);
call make_append_only('perusal_views');

alter table material_copies add foreign key (perusal_id) references perusals (id);
alter table stock_movements add foreign key (perusal_id) references perusals (id);
create index material_copies_perusal on material_copies (perusal_id) where perusal_id is not null;
create index stock_movements_perusal on stock_movements (perusal_id) where perusal_id is not null;

call maintain_updated_at('perusals');
grant select, insert, update on perusals, material_files to app_rw;
grant select, insert on perusal_materials, perusal_views, material_file_pages to app_rw;
grant usage on sequence perusal_numbers to app_rw;
