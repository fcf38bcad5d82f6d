-- Imports of files through templates with column mapping: preview, every bad row with its reason, resumable after a
-- kill. Sources: SPEC 1 and 6 (imports, import templates), issue "The thread" step 5, reliability.md R10,
-- performance.md.

create table import_templates (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  model_name text not null check (model_name in ('box_office_reports', 'customers', 'venues', 'shows', 'royaltors')),
  delimiter text not null default ',' check (delimiter in (',', ';', E'\t', '|')),
  date_format text not null default 'YYYY-MM-DD' check (date_format in
    ('YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY')),
  -- What one row of the file is: a performance, a week or a whole run; and how a period follows from the date column.
  report_scope text check (report_scope in ('performance', 'week', 'run')),
  date_is text check (date_is in ('performance', 'week_start', 'week_end')),
  currency currency_code,
  active boolean not null default true,
  created_by_id bigint references users (id),
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (model_name <> 'box_office_reports' or num_nonnulls(report_scope, date_is, currency) = 3)
);
create unique index import_templates_name on import_templates (lower(name)) where deleted_at is null;
create index import_templates_list on import_templates (name collate "und-x-icu", id) where deleted_at is null;

-- One row per field of the model: the column of the file it is read from, and how.
create table import_template_columns (
  id bigint generated always as identity primary key,
  import_template_id bigint not null references import_templates (id),
  field text not null check (field ~ '^[a-z0-9_.]+$'),
  column_name text not null check (column_name <> ''),
  amount_unit text check (amount_unit in ('major', 'minor')),
  default_value text,
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  unique (import_template_id, field)
);

create table imports (
  id bigint generated always as identity primary key,
  import_template_id bigint not null references import_templates (id),
  file_id bigint not null references files (id),
  division text references divisions (code),
  status text not null default 'uploaded' check (status in
    ('uploaded', 'previewed', 'processing', 'completed', 'failed', 'cancelled')),
  -- Frozen mapping: a template edited later does not change what a half-done import means.
  mapping jsonb not null,
  rows_total integer not null default 0 check (rows_total >= 0),
  -- Checkpoint: rows up to this one are done, written in the transaction of their chunk (R10).
  rows_done integer not null default 0 check (rows_done >= 0),
  rows_imported integer not null default 0 check (rows_imported >= 0),
  rows_duplicate integer not null default 0 check (rows_duplicate >= 0),
  rows_questioned integer not null default 0 check (rows_questioned >= 0),
  rows_refused integer not null default 0 check (rows_refused >= 0),
  failure text,
  started_at timestamptz,
  finished_at timestamptz,
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (rows_imported + rows_duplicate + rows_refused <= rows_done),
  check ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null))
);
create index imports_latest on imports (created_at desc, id desc);
create index imports_status on imports (status, created_at desc, id desc);
create index imports_template on imports (import_template_id);
create index imports_file on imports (file_id);
create index imports_division on imports (division);

-- What became of every row. cells is kept
-- where someone has to look at the row again (refused, questioned); the others
-- are told by what they made (entity, entity_id) and by their hash.
create table import_records (
  id bigint generated always as identity primary key,
  import_id bigint not null references imports (id),
  row_no integer not null check (row_no >= 1),
  status text not null check (status in ('imported', 'duplicate', 'questioned', 'refused')),
  row_hash bytea not null check (octet_length(row_hash) = 32),
  cells text[],
  reason_code text check (reason_code ~ '^[a-z0-9_.]+$'),
  reason text,
  field text,
  entity text,
  entity_id bigint,
  created_at timestamptz not null default now(),
  unique (import_id, row_no),
  check (status not in ('questioned', 'refused') or (reason_code is not null and reason is not null)),
  check (status <> 'refused' or cells is not null)
);
create index import_records_problems on import_records (import_id, status, row_no) where status <> 'imported';

call maintain_updated_at('import_templates', 'imports');

grant select, insert, update on import_templates, import_template_columns, imports, import_records to app_rw;
-- The map of a template is saved as a whole.
grant delete on import_template_columns to app_rw;
