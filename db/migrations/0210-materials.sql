-- Materials: what is hired out, sold, sent as a file or read as a perusal. Sources: SPEC 3 and 7 (materials and their
-- categories by key), domain.md 4 and 7, gaps G117 (types), G118 (item numbers are unique over all kinds of items).
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
create index material_categories_sort on material_categories (sort, id) where deleted_at is null;

-- Addressed by its key, so a key may not be a word that pages and calls already use in that place (gaps G18).
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
create index material_sub_categories_category on material_sub_categories (category_key, sort, id)
  where deleted_at is null;

-- One number, one thing, whatever the resource: every table with item numbers attaches claim_item_number. Numbers of
-- things in the trash stay taken, for they come back.
create table item_numbers (
  item_number text primary key check (item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  entity text not null,
  created_at timestamptz not null default now()
);
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

-- Prices are null where the material is not offered in that currency. The show's code is read from the show.
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
  -- Whether sales tax (US) and VAT (UK, EU) are looked up at all; the class says at which rate.
  tax boolean not null default true,
  vat boolean not null default true,
  item_class text not null check (item_class in ('rental', 'printed_script', 'printed_music', 'e_publication',
    'digital_music', 'tracks', 'logo', 'merchandise', 'fee')),
  income_type text not null check (income_type in ('rental', 'sale', 'digital', 'perusal')),
  royalty_bearing boolean not null default false,
  weight_g integer check (weight_g between 0 and 1000000),
  hs_code text not null default '',
  -- Each copy has a barcode of its own and is scanned out and in; only things that are lent are tracked.
  serial_tracked boolean not null default false,
  reorder_point integer check (reorder_point between 0 and 1000000),
  restockable boolean not null default true,
  -- Materials of one group stand in for each other, the smallest rank first (domain.md 4).
  substitution_group text not null default '',
  substitution_rank integer not null default 1 check (substitution_rank between 1 and 1000),
  sellable_in_portal boolean not null default false,
  active boolean not null default true,
  -- The first time a template, a licence or a stock movement named it: from then on the item number stays.
  used_at timestamptz,
  search_text text not null generated always as
    (search_fold(item_number || ' ' || name || ' ' || instrument || ' ' || isbn || ' ' || ismn)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A sub-category belongs to its category: both are named together.
  foreign key (sub_category, category) references material_sub_categories (key, category_key),
  check (not serial_tracked or (type in ('rental', 'perusal') and fulfilment = 'physical')),
  check (type <> 'digital' or fulfilment <> 'physical')
);
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
create index materials_search on materials using gin (search_text gin_trgm_ops);

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

call maintain_updated_at('material_categories', 'material_sub_categories', 'materials');
grant select, insert, update on material_categories, material_sub_categories, materials to app_rw;
grant select, insert, delete on item_numbers to app_rw;

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
