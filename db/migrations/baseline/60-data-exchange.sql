-- Imports of files through templates. An import works in three passes that share one checkpoint: the file, the rows
-- left over, the answers. A row that may match an existing record waits for a decision.

create table import_templates (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  model_name text not null,
  delimiter text not null default ',' check (delimiter in (',', ';', E'\t', '|')),
  date_format text not null default 'YYYY-MM-DD' check (date_format in
    ('YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY')),
  report_scope text check (report_scope in ('performance', 'week', 'run')),
  date_is text check (date_is in ('performance', 'week_start', 'week_end')),
  currency currency_code,
  active boolean not null default true,
  created_by_id bigint references users (id),
  decimal_style text not null default 'point' check (decimal_style in ('point', 'comma')),
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (model_name <> 'box_office_reports' or num_nonnulls(report_scope, date_is, currency) = 3),
  constraint import_templates_model_name_check check (model_name in
  ('box_office_reports', 'shows', 'venues', 'materials', 'royaltors', 'agreements', 'stock_counts',
    'customers', 'local_tax_rates'))
);
comment on table import_templates is 'Templates that map the columns of a file to fields.';
comment on column import_templates.report_scope is 'What a row stands for: a performance, a week or a whole run.';
comment on column import_templates.date_is is 'How the period follows from the date column.';
create unique index import_templates_name on import_templates (lower(name)) where deleted_at is null;
create index import_templates_list on import_templates (name collate "und-x-icu", id) where deleted_at is null;
grant select, insert, update on import_templates to app_rw;

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
comment on table import_template_columns is
  'One row per field of the model: the column of the file it is read from, and how.';
grant select, insert, update, delete on import_template_columns to app_rw;

create table imports (
  id bigint generated always as identity primary key,
  import_template_id bigint not null references import_templates (id),
  file_id bigint not null references files (id),
  division text references divisions (code),
  status text not null default 'uploaded' check (status in
    ('uploaded', 'previewed', 'processing', 'completed', 'failed', 'cancelled')),
  mapping jsonb not null,
  rows_total integer not null default 0 check (rows_total >= 0),
  rows_done integer not null default 0 check (rows_done >= 0),
  rows_imported integer not null default 0 check (rows_imported >= 0),
  rows_duplicate integer not null default 0 check (rows_duplicate >= 0),
  rows_questioned integer not null default 0 check (rows_questioned >= 0),
  rows_refused integer not null default 0 check (rows_refused >= 0),
  failure text,
  started_at timestamptz,
  finished_at timestamptz,
  created_by_id bigint references users (id),
  task text not null default 'file' check (task in ('file', 'left', 'answers')),
  task_cursor bigint not null default 0,
  task_done integer not null default 0 check (task_done >= 0),
  task_total integer not null default 0 check (task_total >= 0),
  task_input jsonb,
  task_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (rows_imported + rows_duplicate + rows_refused <= rows_done),
  check ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null))
);
comment on table imports is 'Imported files and their progress.';
comment on column imports.mapping is 'Copy of the template, so that later edits do not change an import in progress.';
comment on column imports.rows_done is 'Rows up to this one are done. Written in the transaction of their chunk.';
comment on column imports.task_cursor is 'Pass "left": last row tried again. Pass "answers": last report processed.';
comment on column imports.task_input is 'Pass "answers": the questions, the answer and the person.';
create index imports_latest on imports (created_at desc, id desc);
create index imports_status on imports (status, created_at desc, id desc);
create index imports_template on imports (import_template_id);
create index imports_file on imports (file_id);
create index imports_division on imports (division);
create index imports_task_by on imports (task_by_id) where task_by_id is not null;
create index imports_working on imports (id) where status = 'processing';
grant select, insert, update on imports to app_rw;

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
  value text,
  decision text,
  proposed_id bigint,
  decision_target_id bigint,
  label text,
  created_at timestamptz not null default now(),
  unique (import_id, row_no),
  check (status not in ('questioned', 'refused') or (reason_code is not null and reason is not null)),
  check (status <> 'refused' or cells is not null),
  -- same: the row is that record; new: it is another one, however alike they look.
  constraint import_records_decision_check check (decision in ('replace', 'add', 'same', 'new'))
);
comment on table import_records is
  'Result of every imported row. The cells are kept only if someone has to look at the row again.';
comment on column import_records.value is 'Cell that caused a refusal, for grouping and for adding an alias.';
comment on column import_records.decision is 'Second return for a period: replace the first or add to it.';
comment on column import_records.proposed_id is 'Record that the row was matched to.';
comment on column import_records.label is 'Name of the record as lists show it.';
create index import_records_problems on import_records (import_id, status, row_no) where status <> 'imported';
create index import_records_reasons on import_records (import_id, reason_code, value) where status <> 'imported';
grant select, insert, update on import_records to app_rw;

call maintain_updated_at('import_templates', 'imports');

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

-- The template every house starts each kind with; its heads are those of the example file.
with heads (model_name, name, field, column_name, default_value, sort) as (values
  ('shows', 'Shows and writers', 'title', 'Title', null::text, 1),
  ('shows', 'Shows and writers', 'type', 'Type', null, 2),
  ('shows', 'Shows and writers', 'show_code', 'Show code', null, 3),
  ('shows', 'Shows and writers', 'year', 'Year', null, 4),
  ('shows', 'Shows and writers', 'author', 'Authors', null, 5),
  ('shows', 'Shows and writers', 'bookwriter', 'Book', null, 6),
  ('shows', 'Shows and writers', 'composer', 'Music', null, 7),
  ('shows', 'Shows and writers', 'lyricist', 'Lyrics', null, 8),
  ('shows', 'Shows and writers', 'underlying', 'Underlying rights', null, 9),
  ('shows', 'Shows and writers', 'other_credits', 'Also credited', null, 10),
  ('shows', 'Shows and writers', 'cast_min', 'Smallest cast', null, 11),
  ('shows', 'Shows and writers', 'cast_max', 'Largest cast', null, 12),
  ('shows', 'Shows and writers', 'running_time_minutes', 'Running time', null, 13),
  ('shows', 'Shows and writers', 'synopsis', 'Synopsis', null, 14),
  ('shows', 'Shows and writers', 'aliases', 'Other titles', null, 15),
  ('shows', 'Shows and writers', 'payer_division', 'Paying division', 'US', 16),
  ('venues', 'Venues', 'name', 'Name', null, 1),
  ('venues', 'Venues', 'thoroughfare', 'Street', null, 2),
  ('venues', 'Venues', 'premise', 'Address 2', null, 3),
  ('venues', 'Venues', 'locality', 'City', null, 4),
  ('venues', 'Venues', 'administrative_area', 'State', null, 5),
  ('venues', 'Venues', 'postal_code', 'Postal code', null, 6),
  ('venues', 'Venues', 'country_code', 'Country', 'US', 7),
  ('venues', 'Venues', 'kind', 'Kind', null, 8),
  ('venues', 'Venues', 'capacity', 'Capacity', null, 9),
  ('venues', 'Venues', 'phone', 'Phone', null, 10),
  ('venues', 'Venues', 'website', 'Website', null, 11),
  ('venues', 'Venues', 'aliases', 'Other names', null, 12),
  ('materials', 'Materials', 'item_number', 'Item number', null, 1),
  ('materials', 'Materials', 'name', 'Name', null, 2),
  ('materials', 'Materials', 'show', 'Show', null, 3),
  ('materials', 'Materials', 'category', 'Category', null, 4),
  ('materials', 'Materials', 'sub_category', 'Sub-category', null, 5),
  ('materials', 'Materials', 'type', 'amount', null, 6),
  ('materials', 'Materials', 'fulfilment', 'Delivered', null, 7),
  ('materials', 'Materials', 'format', 'Format', null, 8),
  ('materials', 'Materials', 'description', 'Description', null, 9),
  ('materials', 'Materials', 'instrument', 'Instrument', null, 10),
  ('materials', 'Materials', 'edition', 'Edition', null, 11),
  ('materials', 'Materials', 'isbn', 'ISBN', null, 12),
  ('materials', 'Materials', 'price_usd', 'Price USD', null, 13),
  ('materials', 'Materials', 'price_eur', 'Price EUR', null, 14),
  ('materials', 'Materials', 'price_gbp', 'Price GBP', null, 15),
  ('materials', 'Materials', 'replacement_usd', 'Replacement USD', null, 16),
  ('materials', 'Materials', 'replacement_eur', 'Replacement EUR', null, 17),
  ('materials', 'Materials', 'replacement_gbp', 'Replacement GBP', null, 18),
  ('materials', 'Materials', 'shipping_usd', 'Shipping USD', null, 19),
  ('materials', 'Materials', 'shipping_eur', 'Shipping EUR', null, 20),
  ('materials', 'Materials', 'shipping_gbp', 'Shipping GBP', null, 21),
  ('materials', 'Materials', 'tax', 'Sales tax', null, 22),
  ('materials', 'Materials', 'vat', 'VAT', null, 23),
  ('materials', 'Materials', 'item_class', 'Kind of goods', null, 24),
  ('materials', 'Materials', 'income_type', 'Income', null, 25),
  ('materials', 'Materials', 'royalty_bearing', 'Bears royalties', null, 26),
  ('materials', 'Materials', 'serial_tracked', 'Barcoded copies', null, 27),
  ('materials', 'Materials', 'weight_g', 'Weight (g)', null, 28),
  ('materials', 'Materials', 'reorder_point', 'Reorder at', null, 29),
  ('royaltors', 'Royaltors', 'name', 'Name', null, 1),
  ('royaltors', 'Royaltors', 'kind', 'Kind', null, 2),
  ('royaltors', 'Royaltors', 'legal_name', 'Legal name', null, 3),
  ('royaltors', 'Royaltors', 'pen_name', 'Pen name', null, 4),
  ('royaltors', 'Royaltors', 'email', 'E-mail', null, 5),
  ('royaltors', 'Royaltors', 'phone', 'Phone', null, 6),
  ('royaltors', 'Royaltors', 'thoroughfare', 'Street', null, 7),
  ('royaltors', 'Royaltors', 'premise', 'Address 2', null, 8),
  ('royaltors', 'Royaltors', 'locality', 'City', null, 9),
  ('royaltors', 'Royaltors', 'administrative_area', 'State', null, 10),
  ('royaltors', 'Royaltors', 'postal_code', 'Postal code', null, 11),
  ('royaltors', 'Royaltors', 'residence_country', 'Country', null, 12),
  ('royaltors', 'Royaltors', 'divisions', 'Divisions', null, 13),
  ('royaltors', 'Royaltors', 'currency', 'Currency', 'USD', 14),
  ('royaltors', 'Royaltors', 'payment_method', 'Paid by', null, 15),
  ('royaltors', 'Royaltors', 'statement_frequency', 'Statements', null, 16),
  ('agreements', 'Agreements and shares', 'show', 'Show', null, 1),
  ('agreements', 'Agreements and shares', 'royaltor', 'Royaltor', null, 2),
  ('agreements', 'Agreements and shares', 'role', 'Role', null, 3),
  ('agreements', 'Agreements and shares', 'rate_percent', 'Rate %', null, 4),
  ('agreements', 'Agreements and shares', 'share_points', 'Share points', null, 5),
  ('agreements', 'Agreements and shares', 'income_types', 'Income', null, 6),
  ('agreements', 'Agreements and shares', 'categories', 'Category', null, 7),
  ('agreements', 'Agreements and shares', 'divisions', 'Divisions', null, 8),
  ('agreements', 'Agreements and shares', 'date_from', 'From', null, 9),
  ('agreements', 'Agreements and shares', 'date_to', 'To', null, 10),
  ('agreements', 'Agreements and shares', 'contract_no', 'Contract number', null, 11),
  ('agreements', 'Agreements and shares', 'signed_on', 'Signed on', null, 12),
  ('agreements', 'Agreements and shares', 'territory', 'Territory', null, 13),
  ('agreements', 'Agreements and shares', 'payer_division', 'Paying division', 'US', 14),
  ('agreements', 'Agreements and shares', 'currency', 'Currency', 'USD', 15),
  ('agreements', 'Agreements and shares', 'in_force', 'In force', 'no', 16),
  ('stock_counts', 'Stock count', 'warehouse', 'Warehouse', null, 1),
  ('stock_counts', 'Stock count', 'code', 'Item', null, 2),
  ('stock_counts', 'Stock count', 'counted', 'Counted', null, 3)
), made as (
  insert into import_templates (name, model_name, delimiter, date_format, report_scope, date_is, currency)
  select distinct name, model_name, ',', 'YYYY-MM-DD', 'week', 'week_end', 'USD' from heads
  where not exists (select 1 from import_templates t where lower(t.name) = lower(heads.name) and t.deleted_at is null)
  returning id, model_name)
insert into import_template_columns (import_template_id, field, column_name, default_value, sort)
select made.id, heads.field, heads.column_name, heads.default_value, heads.sort
from made join heads using (model_name) order by made.id, heads.sort;

with settled as (
  select a.debit_item_id, v.id as invoice_id, a.amount_minor, a.allocated_at, a.allocated_by, c.id as item_id,
    t.id as transaction_id, t.kind, t.description, case when t.source_type = 'payment' then t.source_id end as payment,
    (select coalesce(sum(e.amount_minor), 0) from journal_entries e join ledger_accounts l on l.id = e.ledger_account_id
      where e.transaction_id = t.id and l.code = '1310') as withheld,
    row_number() over (partition by c.transaction_id, a.id order by c.id) as n,
    c.id = (select min(o.id) from open_items o join ledger_accounts l on l.id = o.ledger_account_id
      where o.transaction_id = t.id and l.code = '1100') as is_cash
  from allocations a join invoices v on v.open_item_id = a.debit_item_id join open_items c on c.id = a.credit_item_id
    join transactions t on t.id = c.transaction_id
  where v.written_off_minor > 0 and a.reverses_id is null
    and not exists (select 1 from allocations b where b.reverses_id = a.id)
), parts as (
  select *, 'bad_debt' as part, amount_minor as amount from settled where kind = 'write_off'
  union all
  select *, 'tax_withheld', least(withheld, amount_minor) from settled
  where kind = 'receipt' and payment is not null and not is_cash and withheld > 0
  union all
  select *, 'small_difference', amount_minor - least(withheld, amount_minor) from settled
  where kind = 'receipt' and payment is not null and not is_cash and amount_minor > withheld
)
insert into invoice_write_offs (invoice_id, kind, amount_minor, open_item_id, transaction_id, payment_id, reason,
  written_off_on, created_by_id)
select invoice_id, part, amount, item_id, transaction_id, payment, '', allocated_at, allocated_by
from parts where amount > 0 order by transaction_id, part;

with heads (field, column_name, default_value, sort) as (values
  ('name', 'Name', null::text, 1), ('legal_name', 'Legal name', null, 2), ('kind', 'Kind', null, 3),
  ('classifications', 'Classifications', null, 4), ('default_division', 'Default division', 'US', 5),
  ('divisions', 'Divisions', null, 6), ('currency', 'Currency', 'USD', 7),
  ('thoroughfare', 'Street', null, 8), ('premise', 'Address 2', null, 9), ('locality', 'City', null, 10),
  ('administrative_area', 'State', null, 11), ('postal_code', 'Postal code', null, 12),
  ('country_code', 'Country', 'US', 13), ('phone', 'Phone', null, 14), ('website', 'Website', null, 15),
  ('statement_email', 'Statement e-mail', null, 16), ('contact_name', 'Contact', null, 17),
  ('contact_email', 'Contact e-mail', null, 18), ('contact_phone', 'Contact phone', null, 19),
  ('tax_country', 'Tax country', null, 20), ('is_business', 'Business', null, 21),
  ('vat_number', 'VAT number', null, 22), ('payment_terms_days', 'Payment terms (days)', null, 23),
  ('purchase_orders_accepted', 'Purchase orders', null, 24), ('ship_attention', 'Ship to', null, 25),
  ('ship_thoroughfare', 'Shipping street', null, 26), ('ship_premise', 'Shipping address 2', null, 27),
  ('ship_locality', 'Shipping city', null, 28), ('ship_administrative_area', 'Shipping state', null, 29),
  ('ship_postal_code', 'Shipping postal code', null, 30), ('ship_country_code', 'Shipping country', null, 31)
), made as (
  insert into import_templates (name, model_name, delimiter, date_format, report_scope, date_is, currency)
  select 'Customers', 'customers', ',', 'YYYY-MM-DD', 'week', 'week_end', 'USD'
  where not exists (select 1 from import_templates where lower(name) = 'customers' and deleted_at is null)
  returning id)
insert into import_template_columns (import_template_id, field, column_name, default_value, sort)
select made.id, heads.field, heads.column_name, heads.default_value, heads.sort from made cross join heads;

with heads (field, column_name, sort) as (values
  ('state', 'State', 1), ('county', 'County', 2), ('level', 'Level', 3), ('zip_from', 'ZIP from', 4),
  ('zip_to', 'ZIP to', 5), ('rate_ppm', 'Rate', 6), ('valid_from', 'From', 7), ('valid_to', 'Until', 8),
  ('source', 'Source', 9)
), made as (
  insert into import_templates (name, model_name, delimiter, date_format, report_scope, date_is, currency)
  select 'Local tax rates', 'local_tax_rates', ',', 'YYYY-MM-DD', 'week', 'week_end', 'USD'
  where not exists (select 1 from import_templates t where lower(t.name) = 'local tax rates' and t.deleted_at is null)
  returning id)
insert into import_template_columns (import_template_id, field, column_name, sort)
select made.id, heads.field, heads.column_name, heads.sort from made, heads order by heads.sort;
