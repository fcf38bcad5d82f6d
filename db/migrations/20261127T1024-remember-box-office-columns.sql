-- Customers send the files of their own box-office systems: the columns of a file are matched once and remembered. A
-- report whose figures are those of the week before is asked about.

create table box_office_column_maps (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  heads text not null check (length(heads) between 1 and 20000),
  columns jsonb not null check (jsonb_typeof(columns) = 'object'),
  date_format text check (date_format in ('YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY')),
  decimal_style text check (decimal_style in ('point', 'comma')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  heads_key text not null generated always as (md5(heads)) stored,
  unique (customer_id, heads_key)
);
comment on table box_office_column_maps is 'How a customer''s box-office system heads its columns; matched once.';
comment on column box_office_column_maps.heads is 'Heads in their order, folded, one a line.';
comment on column box_office_column_maps.columns is 'Field of a report and the position of its column, from 0.';
create trigger touch_updated_at before update on box_office_column_maps
  for each row execute function touch_updated_at();
grant select, insert, update on box_office_column_maps to app_rw;

alter table box_office_questions drop constraint box_office_questions_kind_check;
alter table box_office_questions add constraint box_office_questions_kind_check check (kind in ('no_performances',
  'capacity_over_100', 'gross_over_potential', 'price_above_quoted', 'deduction_not_allowed', 'repeats_week', 'overlap',
  'outside_run', 'in_future', 'gross_over_limit', 'attendance_over_limit', 'no_running_costs'));
