-- BOM templates: what a production of a show gets, as rules; what the set costs is its package (show_packages).
-- Sources: SPEC 4 (approved, trash, restored, purged), domain.md 4 and 7, gaps G92 (an edit clears the
-- approval; restore and purge only from the trash), G120 (show_code).

create table bom_templates (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  show_id bigint not null references shows (id),
  category text not null check (category in ('Amateur', 'Pro')),
  -- Null matches every one; the template that names most of these wins (domain.md 4).
  customer_classification_id bigint references customer_classifications (id),
  division text references divisions (code),
  cast_min integer check (cast_min between 1 and 1000),
  cast_max integer check (cast_max between 1 and 1000),
  orchestration text check (orchestration in ('full', 'reduced', 'piano', 'tracks')),
  notes text not null default '',
  -- Counts up with each edit after an approval: licences say which one they copied.
  template_version integer not null default 1 check (template_version >= 1),
  approved_at timestamptz,
  approved_by_id bigint references users (id),
  search_text text not null generated always as (search_fold(name)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (cast_max >= cast_min),
  check ((approved_at is null) = (approved_by_id is null))
);
create index bom_templates_name on bom_templates (name collate "und-x-icu", id) where deleted_at is null;
create index bom_templates_latest on bom_templates (updated_at desc, id desc) where deleted_at is null;
create index bom_templates_show on bom_templates (show_id, category, name collate "und-x-icu", id);
create index bom_templates_classification on bom_templates (customer_classification_id);
create index bom_templates_trash on bom_templates (deleted_at desc, id desc) where deleted_at is not null;
create index bom_templates_search on bom_templates using gin (search_text gin_trgm_ops);

-- fixed: quantity. Every other rule: the count of what it is per, times the factor, rounded up, plus the constant.
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
  -- Lines of one group stand in for each other: the smallest rank that can be had is taken.
  substitution_group text not null default '',
  substitution_rank integer not null default 1 check (substitution_rank between 1 and 1000),
  note text not null default '',
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  unique (bom_template_id, material_id)
);
create index bom_template_lines_material on bom_template_lines (material_id);

-- What was approved, as it stood: licences are compared with it, whatever the draft above says now.
create table bom_template_versions (
  id bigint generated always as identity primary key,
  bom_template_id bigint not null references bom_templates (id) on delete cascade,
  template_version integer not null,
  snapshot jsonb not null,
  approved_by_id bigint not null references users (id),
  approved_at timestamptz not null default now(),
  unique (bom_template_id, template_version)
);
create index bom_template_versions_approver on bom_template_versions (approved_by_id);

create trigger mark_material_used after insert on bom_template_lines
  for each row execute function mark_material_used();

call maintain_updated_at('bom_templates');
grant select, insert, update, delete on bom_templates to app_rw;
grant select, insert, update, delete on bom_template_lines to app_rw;
grant select, insert, delete on bom_template_versions to app_rw;
