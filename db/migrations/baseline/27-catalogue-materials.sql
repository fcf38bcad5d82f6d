-- Materials, sales items and bills of materials. A template gives rules for what a production receives; the price of
-- the set is its package (show_packages).

create table material_categories (
  id bigint generated always as identity primary key,
  key text not null unique check (key ~ '^[a-z0-9_]{1,40}$'),
  name text not null check (name <> ''),
  sort integer not null default 0 check (sort between 0 and 100000),
  active boolean not null default true,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table material_categories is 'Categories of materials.';
create index material_categories_sort on material_categories (sort, id) where deleted_at is null;
grant select, insert, update on material_categories to app_rw;

create table material_sub_categories (
  id bigint generated always as identity primary key,
  key text not null unique check (key ~ '^[a-z0-9_]{1,40}$' and key not in ('create', 'trash', 'restore')),
  category_key text not null references material_categories (key),
  name text not null check (name <> ''),
  sort integer not null default 0 check (sort between 0 and 100000),
  active boolean not null default true,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (key, category_key)
);
comment on table material_sub_categories is 'Subcategories of materials, addressed by key.';
create index material_sub_categories_category on material_sub_categories (category_key, sort, id)
  where deleted_at is null;
create index material_sub_categories_every_category on material_sub_categories (category_key);
grant select, insert, update on material_sub_categories to app_rw;

create table item_numbers (
  item_number text primary key check (item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  entity text not null,
  created_at timestamptz not null default now()
);
comment on table item_numbers is
  'Item numbers in use by any kind of item. Numbers of items in the trash stay reserved.';
grant select, insert, delete on item_numbers to app_rw;

create function claim_item_number() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.item_number = old.item_number then
    return new;
  end if;
  insert into item_numbers (item_number, entity) values (new.item_number, tg_argv[0]);
  if tg_op = 'UPDATE' then
    delete from item_numbers where item_number = old.item_number;
  end if;
  return new;
end $$;

create table materials (
  id bigint generated always as identity primary key,
  item_number text not null unique check (item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (name <> ''),
  description text not null default '',
  show_id bigint references shows (id),
  category text not null references material_categories (key),
  sub_category text,
  type text not null check (type in ('rental', 'sale', 'digital', 'service', 'perusal')),
  fulfilment text not null default 'physical'
    check (fulfilment in ('physical', 'download', 'stream_app', 'email')),
  format text not null default 'book'
    check (format in ('book', 'score', 'part', 'cd', 'usb', 'pdf', 'epub', 'audio', 'app', 'license', 'other')),
  instrument text not null default '',
  edition text not null default '',
  isbn text not null default '',
  ismn text not null default '',
  price_usd_minor minor_amount check (price_usd_minor >= 0),
  price_eur_minor minor_amount check (price_eur_minor >= 0),
  price_gbp_minor minor_amount check (price_gbp_minor >= 0),
  replacement_usd_minor minor_amount check (replacement_usd_minor >= 0),
  replacement_eur_minor minor_amount check (replacement_eur_minor >= 0),
  replacement_gbp_minor minor_amount check (replacement_gbp_minor >= 0),
  extra_week_usd_minor minor_amount check (extra_week_usd_minor >= 0),
  extra_week_eur_minor minor_amount check (extra_week_eur_minor >= 0),
  extra_week_gbp_minor minor_amount check (extra_week_gbp_minor >= 0),
  shipping_usd_minor minor_amount check (shipping_usd_minor >= 0),
  shipping_eur_minor minor_amount check (shipping_eur_minor >= 0),
  shipping_gbp_minor minor_amount check (shipping_gbp_minor >= 0),
  tax boolean not null default true,
  vat boolean not null default true,
  item_class text not null check (item_class in ('rental', 'printed_script', 'printed_music', 'e_publication',
    'digital_music', 'tracks', 'logo', 'merchandise', 'fee')),
  income_type text not null check (income_type in ('rental', 'sale', 'digital', 'perusal')),
  royalty_bearing boolean not null default false,
  weight_g integer check (weight_g between 0 and 1000000),
  hs_code text not null default '',
  serial_tracked boolean not null default false,
  reorder_point integer check (reorder_point between 0 and 1000000),
  restockable boolean not null default true,
  substitution_group text not null default '',
  substitution_rank integer not null default 1 check (substitution_rank between 1 and 1000),
  sellable_in_portal boolean not null default false,
  active boolean not null default true,
  used_at timestamptz,
  download_limit integer not null default 5 check (download_limit between 1 and 1000),
  search_text text not null generated always as (
  search_words(item_number, name, instrument, isbn, ismn)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A sub-category belongs to its category: both are named together.
  foreign key (sub_category, category) references material_sub_categories (key, category_key),
  check (not serial_tracked or (type in ('rental', 'perusal') and fulfilment = 'physical')),
  check (type <> 'digital' or fulfilment <> 'physical')
);
comment on table materials is
  'Scripts, scores, parts, tracks and other materials of a show. Without a price in a currency, a material is '
  'not offered in it.';
comment on column materials.tax is 'Whether tax is determined at all; item_class decides the rate.';
comment on column materials.serial_tracked is
  'Each copy has its own barcode and is scanned out and in. Only for materials that are lent.';
comment on column materials.substitution_group is
  'Materials of one group can replace each other, the lowest rank first.';
comment on column materials.used_at is
  'First use in a template, license or stock movement. From then on the item number is fixed.';
comment on column materials.download_limit is 'Downloads allowed per file. Licenses keep the limit they were given.';
create index materials_number on materials (item_number, id) where deleted_at is null;
create index materials_name on materials (name collate "und-x-icu", id) where deleted_at is null;
create index materials_latest on materials (updated_at desc, id desc) where deleted_at is null;
create index materials_show on materials (show_id, item_number, id);
create index materials_category on materials (category, sub_category, item_number, id);
create index materials_type on materials (type, item_number, id) where deleted_at is null;
create index materials_portal on materials (show_id, name collate "und-x-icu", id)
  where sellable_in_portal and active and deleted_at is null;
create index materials_substitutes on materials (substitution_group, substitution_rank) where substitution_group <> '';
create index materials_trash on materials (deleted_at desc, id desc) where deleted_at is not null;
create index materials_sub_category on materials (sub_category, category);
create index materials_number_start on materials (lower(item_number) text_pattern_ops);
-- Lists by category in the order of item numbers.
create index materials_category_number on materials (category, item_number, id) where deleted_at is null;
create index materials_sub_category_number on materials (sub_category, item_number, id) where deleted_at is null;
create index materials_inactive on materials (item_number, id) where not active and deleted_at is null;
create index materials_search on materials using gin (search_text gin_trgm_ops);
create index materials_name_start on materials (fold_name(name) text_pattern_ops);
grant select, insert, update on materials to app_rw;

create trigger claim_item_number before insert or update of item_number on materials
  for each row execute function claim_item_number('material');

-- Papers that name an item number must stay readable: once used it neither changes nor goes.
create function guard_material() returns trigger
language plpgsql as $$
begin
  if old.used_at is not null and (tg_op = 'DELETE' or new.item_number <> old.item_number) then
    raise exception 'material % is used: its item number stays', old.item_number using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create trigger guard_material before update or delete on materials for each row execute function guard_material();

-- Attached to every table that names a material (column material_id): the first row marks it used.
create function mark_material_used() returns trigger
language plpgsql as $$
begin
  update materials set used_at = now() where id = new.material_id and used_at is null;
  return new;
end $$;

create table material_files (
  id bigint generated always as identity primary key,
  material_id bigint not null references materials (id),
  file_id bigint not null unique references files (id),
  name text not null check (name <> ''),
  sort integer not null default 0 check (sort >= 0),
  pages integer not null,
  removed_at timestamptz,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  constraint material_files_pages_check check (pages between 0 and 1000)
);
comment on table material_files is
  'PDF files of a material, in reading order. Perusals show their pages; the file itself is not handed out.';
comment on column material_files.removed_at is
  'Removed from open perusals too. The stored file stays, because files are append-only.';
create index material_files_material on material_files (material_id, sort, id);
create index material_files_created_by on material_files (created_by_id);
grant select, insert, update on material_files to app_rw;

create trigger mark_material_used after insert on material_files
  for each row execute function mark_material_used();

create table material_file_pages (
  id bigint generated always as identity primary key,
  material_file_id bigint not null references material_files (id),
  page integer not null check (page >= 1),
  text text not null default '',
  created_at timestamptz not null default now(),
  unique (material_file_id, page)
);
comment on table material_file_pages is 'Text of each page, for readers who cannot see the picture.';
grant select, insert on material_file_pages to app_rw;

create sequence perusal_numbers start 1001;
grant usage on sequence perusal_numbers to app_rw;

create table add_on_materials (
  add_on_id bigint not null references add_ons (id),
  material_id bigint not null references materials (id),
  created_at timestamptz not null default now(),
  primary key (add_on_id, material_id)
);
comment on table add_on_materials is
  'Downloads included in an add-on. Not copied into licenses: a new edition reaches everyone who has the add-on.';
create index add_on_materials_material on add_on_materials (material_id);
grant select, insert, delete on add_on_materials to app_rw;

create table sales_items (
  id bigint generated always as identity primary key,
  item_number text not null unique check (item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (name <> ''),
  description text not null default '',
  show_id bigint references shows (id),
  item_class text not null default 'merchandise' check (item_class in ('merchandise', 'printed_script',
    'printed_music', 'e_publication', 'digital_music', 'tracks')),
  price_usd_minor minor_amount check (price_usd_minor >= 0),
  price_eur_minor minor_amount check (price_eur_minor >= 0),
  price_gbp_minor minor_amount check (price_gbp_minor >= 0),
  shipping_usd_minor minor_amount not null default 0 check (shipping_usd_minor >= 0),
  shipping_eur_minor minor_amount not null default 0 check (shipping_eur_minor >= 0),
  shipping_gbp_minor minor_amount not null default 0 check (shipping_gbp_minor >= 0),
  weight_g integer check (weight_g between 0 and 1000000),
  stocked boolean not null default true,
  reorder_point integer check (reorder_point between 0 and 1000000),
  active boolean not null default true,
  tax boolean not null default true,
  vat boolean not null default true,
  search_text text not null generated always as (
  search_words(item_number, name)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table sales_items is 'Goods sold without a license: merchandise, scripts, services.';
comment on column sales_items.item_class is 'Decides the tax rate.';
comment on column sales_items.price_usd_minor is 'Null: not sold in this currency.';
comment on column sales_items.stocked is 'False: sent as a file or made on demand, so never out of stock.';
comment on column sales_items.tax is 'Whether tax is determined at all; item_class decides the rate.';
create index sales_items_name on sales_items (name collate "und-x-icu", id) where deleted_at is null;
create index sales_items_show on sales_items (show_id);
create index sales_items_number_start on sales_items (lower(item_number) text_pattern_ops);
create index sales_items_search on sales_items using gin (search_text gin_trgm_ops);
create index sales_items_name_start on sales_items (fold_name(name) text_pattern_ops);
grant select, insert, update on sales_items to app_rw;

-- Numbers are unique over materials and sales items (gaps G118).
create trigger claim_item_number before insert or update of item_number on sales_items
  for each row execute function claim_item_number('sales_item');

create table bom_templates (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  show_id bigint not null references shows (id),
  category text not null check (category in ('Amateur', 'Pro')),
  customer_classification_id bigint references customer_classifications (id),
  division text references divisions (code),
  cast_min integer check (cast_min between 1 and 1000),
  cast_max integer check (cast_max between 1 and 1000),
  orchestration text check (orchestration in ('full', 'reduced', 'piano', 'tracks')),
  notes text not null default '',
  template_version integer not null default 1 check (template_version >= 1),
  approved_at timestamptz,
  approved_by_id bigint references users (id),
  search_text text not null generated always as (
  search_words(name)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (cast_max >= cast_min),
  check ((approved_at is null) = (approved_by_id is null))
);
comment on table bom_templates is 'Templates of the materials that a production receives (bill of materials).';
comment on column bom_templates.customer_classification_id is
  'Null matches every class. The template that matches in the most fields applies.';
comment on column bom_templates.template_version is
  'Increased by the first edit after an approval. Licenses record the version they copied.';
create index bom_templates_name on bom_templates (name collate "und-x-icu", id) where deleted_at is null;
create index bom_templates_latest on bom_templates (updated_at desc, id desc) where deleted_at is null;
create index bom_templates_show on bom_templates (show_id, category, name collate "und-x-icu", id);
create index bom_templates_classification on bom_templates (customer_classification_id);
create index bom_templates_trash on bom_templates (deleted_at desc, id desc) where deleted_at is not null;
create index bom_templates_search on bom_templates using gin (search_text gin_trgm_ops);
grant select, insert, update, delete on bom_templates to app_rw;

create table bom_template_lines (
  id bigint generated always as identity primary key,
  bom_template_id bigint not null references bom_templates (id),
  material_id bigint not null references materials (id),
  qty_rule text not null check (qty_rule in ('fixed', 'per_cast', 'per_venue', 'per_week', 'per_performance')),
  quantity integer not null default 1 check (quantity between 0 and 100000),
  factor_ppm bigint not null default 1000000 check (factor_ppm between 0 and 1000000000),
  constant integer not null default 0 check (constant between 0 and 100000),
  optional boolean not null default false,
  ship_group text not null default 'main' check (ship_group in ('advance', 'main', 'orchestra', 'digital')),
  lead_days integer not null default 0 check (lead_days between 0 and 365),
  substitution_group text not null default '',
  substitution_rank integer not null default 1 check (substitution_rank between 1 and 1000),
  note text not null default '',
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  unique (bom_template_id, material_id)
);
comment on table bom_template_lines is
  'Lines of a template: a fixed quantity, or a count times a factor, rounded up, plus a constant.';
comment on column bom_template_lines.substitution_group is
  'Lines of one group can replace each other: the lowest available rank is taken.';
create index bom_template_lines_material on bom_template_lines (material_id);
grant select, insert, update, delete on bom_template_lines to app_rw;

create trigger mark_material_used after insert on bom_template_lines
  for each row execute function mark_material_used();

create table bom_template_versions (
  id bigint generated always as identity primary key,
  bom_template_id bigint not null references bom_templates (id) on delete cascade,
  template_version integer not null,
  snapshot jsonb not null,
  approved_by_id bigint not null references users (id),
  approved_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (bom_template_id, template_version)
);
comment on table bom_template_versions is 'Approved versions of a template. Licenses are compared with these.';
create index bom_template_versions_approver on bom_template_versions (approved_by_id);
grant select, insert, delete on bom_template_versions to app_rw;

call maintain_updated_at('material_categories', 'material_sub_categories', 'materials', 'sales_items',
  'bom_templates');

-- The kinds of material that theatrical houses ship (domain.md 4, standard set of a musical).
insert into material_categories (key, name, sort) values
  ('scripts', 'Scripts', 10), ('vocal', 'Vocal books', 20), ('scores', 'Scores', 30), ('parts', 'Orchestra parts', 40),
  ('tracks', 'Tracks', 50), ('guides', 'Guides', 60), ('graphics', 'Logos and graphics', 70),
  ('services', 'Services', 80), ('perusals', 'Perusals', 90), ('merchandise', 'Merchandise', 100);

insert into material_sub_categories (key, category_key, name, sort) values
  ('libretto', 'scripts', 'Libretto', 10), ('acting_edition', 'scripts', 'Acting edition', 20),
  ('director_script', 'scripts', 'Director’s script', 30), ('stage_manager', 'scripts', 'Stage manager’s script', 40),
  ('vocal_book', 'vocal', 'Libretto and vocal book', 10), ('chorus_book', 'vocal', 'Chorus book', 20),
  ('piano_vocal', 'scores', 'Piano-vocal score', 10), ('piano_conductor', 'scores', 'Piano-conductor score', 20),
  ('full_score', 'scores', 'Full score', 30),
  ('woodwind', 'parts', 'Woodwind', 10), ('brass', 'parts', 'Brass', 20), ('strings', 'parts', 'Strings', 30),
  ('rhythm', 'parts', 'Rhythm and keyboards', 40),
  ('rehearsal_tracks', 'tracks', 'Rehearsal tracks', 10), ('performance_tracks', 'tracks', 'Performance tracks', 20),
  ('study_guide', 'guides', 'Study guide', 10), ('choreography', 'guides', 'Choreography guide', 20),
  ('logo_pack', 'graphics', 'Logo pack', 10), ('projections', 'graphics', 'Scenic projections', 20),
  ('transposition', 'services', 'Transposition', 10);
