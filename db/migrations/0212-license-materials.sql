-- What one licence gets: copies of a template's lines and single materials. A copy is frozen: a later edit of the
-- template or of the material alters no licence. Sources: domain.md 4 and 7 (license_bom, license_material), gaps G91.

create table license_boms (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  -- Both null: put together by hand.
  source_bom_template_id bigint references bom_templates (id),
  source_version integer,
  name text not null check (name <> ''),
  -- The counts it was worked out from, and the optional lines somebody asked for; a re-sync keeps the choice.
  cast_size integer check (cast_size between 0 and 1000),
  venues integer check (venues >= 0),
  weeks integer check (weeks >= 0),
  performances integer check (performances >= 0),
  optional_material_ids bigint[] not null default '{}',
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((source_bom_template_id is null) = (source_version is null)),
  -- A template is copied once; a change of it comes by re-sync.
  unique (license_id, source_bom_template_id)
);
create index license_boms_template on license_boms (source_bom_template_id, license_id);
create index license_boms_latest on license_boms (updated_at desc, id desc);

create table license_materials (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_bom_id bigint references license_boms (id),
  material_id bigint not null references materials (id),
  item_number text not null,
  name text not null check (name <> ''),
  type text not null check (type in ('rental', 'sale', 'digital', 'service', 'perusal')),
  fulfilment text not null check (fulfilment in ('physical', 'download', 'stream_app', 'email')),
  quantity integer not null check (quantity between 1 and 100000),
  -- What the template gave; null where a person added it.
  template_quantity integer check (template_quantity between 1 and 100000),
  -- Part of the hire package or free; otherwise charged on the quote at its unit price.
  included_in_package boolean not null default true,
  unit_price_minor minor_amount not null default 0 check (unit_price_minor >= 0),
  replacement_price_minor minor_amount check (replacement_price_minor >= 0),
  item_class text not null check (item_class in ('rental', 'printed_script', 'printed_music', 'e_publication',
    'digital_music', 'tracks', 'logo', 'merchandise', 'fee')),
  income_type text not null check (income_type in ('rental', 'sale', 'digital', 'perusal')),
  royalty_bearing boolean not null default false,
  -- Lent things come back after the run; sold, sent and read ones do not.
  return_required boolean not null default false,
  ship_group text not null default 'main' check (ship_group in ('advance', 'main', 'orchestra', 'digital')),
  lead_days integer not null default 0 check (lead_days between 0 and 365),
  substituted_for_id bigint references materials (id),
  note text not null default '',
  sort integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (license_id, license_bom_id, material_id)
);
create index license_materials_license on license_materials (license_id, sort, id);
create index license_materials_bom on license_materials (license_bom_id);
create index license_materials_material on license_materials (material_id, license_id);
create index license_materials_substituted on license_materials (substituted_for_id);

create trigger mark_material_used after insert or update of material_id on license_materials
  for each row execute function mark_material_used();

-- A charge of a quote may stand for a material that the package does not cover.
alter table license_charges add column license_material_id bigint references license_materials (id) on delete set null;
create index license_charges_material on license_charges (license_material_id);

call maintain_updated_at('license_boms', 'license_materials');
-- A working list below a licence: its lines come and go; the audit keeps what they were.
grant select, insert, update, delete on license_boms, license_materials to app_rw;
