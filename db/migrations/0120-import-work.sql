-- Imports work in three passes that share one checkpoint: the file, the rows left over, the answers. Adds what a pass
-- keeps, the value that could not be matched (so problems group by title and venue), the decimal style of a template
-- and the template every house starts with. Sources: issue "The thread" step 5, domain.md 1.4, reliability.md R10.

alter table import_templates
  add column decimal_style text not null default 'point' check (decimal_style in ('point', 'comma'));

alter table imports
  add column task text not null default 'file' check (task in ('file', 'left', 'answers')),
  -- Pass "left": the last row looked at again; pass "answers": the last report looked at.
  add column task_cursor bigint not null default 0,
  add column task_done integer not null default 0 check (task_done >= 0),
  add column task_total integer not null default 0 check (task_total >= 0),
  -- Pass "answers": which questions, what was answered and by whom.
  add column task_input jsonb,
  add column task_by_id bigint references users (id);
create index imports_task_by on imports (task_by_id) where task_by_id is not null;
create index imports_working on imports (id) where status = 'processing';

-- The text of the cell a refusal is about ("Ford Center (Tcn)"), for grouping and for "this is another name of ...".
alter table import_records
  add column value text,
  -- A second return for a period: what someone said about it (domain.md 1.4).
  add column decision text check (decision in ('replace', 'add'));
create index import_records_reasons on import_records (import_id, reason_code, value) where status <> 'imported';

with template as (
  insert into import_templates (name, model_name, delimiter, date_format, report_scope, date_is, currency)
  values ('Box office return', 'box_office_reports', ',', 'YYYY-MM-DD', 'week', 'week_end', 'USD')
  returning id)
insert into import_template_columns (import_template_id, field, column_name, amount_unit, default_value, sort)
select template.id, c.field, c.column_name, c.amount_unit, c.default_value, c.sort
from template, (values
  ('date', 'Week ending', null, null, 1),
  ('show', 'Show', null, null, 2),
  ('venue', 'Venue', null, null, 3),
  ('license_number', 'Licence number', null, null, 4),
  ('currency', 'Currency', null, 'USD', 5),
  ('gross', 'Gross', 'major', null, 6),
  ('performances', 'Performances', null, null, 7),
  ('attendance', 'Attendance', null, null, 8),
  ('complimentary', 'Complimentary', null, null, 9),
  ('capacity', 'Seats offered', null, null, 10),
  ('capacity_percent', 'Capacity %', null, null, 11),
  ('tax_included', 'Tax included', null, 'no', 12)
) as c (field, column_name, amount_unit, default_value, sort);

-- Titles and names are looked up as returns write them, for every row of a file.
create index shows_title_key on shows (search_fold(title)) where deleted_at is null;
create index venues_name_key on venues (search_fold(name)) where deleted_at is null;
