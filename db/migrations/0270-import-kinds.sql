-- Imports of the catalogue and of lists beside those of box-office returns: shows with their writers, venues,
-- materials, royaltors, agreements and stock counts. A row that may be a record we have is asked about and kept with
-- what it was taken for until somebody says "the same" or "another one". Sources: issue "Catalogue, materials and
-- stock", domain.md 3.2, 4 and 7, reliability.md R10.

alter table import_templates drop constraint import_templates_model_name_check;
alter table import_templates add constraint import_templates_model_name_check check (model_name in
  ('box_office_reports', 'shows', 'venues', 'materials', 'royaltors', 'agreements', 'stock_counts'));

alter table import_records drop constraint import_records_decision_check;
alter table import_records
  -- same: the row is that record; new: it is another one, however alike they look.
  add constraint import_records_decision_check check (decision in ('replace', 'add', 'same', 'new')),
  -- The record that a row was taken for, and the one that somebody chose instead.
  add column proposed_id bigint,
  add column decision_target_id bigint,
  -- How lists call what the row became or was taken for.
  add column label text;

-- Names under which imports know a royaltor ("Chris Bankey"): one name, one royaltor.
create table royaltor_aliases (
  id bigint generated always as identity primary key,
  royaltor_id bigint not null references royaltors (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
create index royaltor_aliases_royaltor on royaltor_aliases (royaltor_id);
grant select, insert, delete on royaltor_aliases to app_rw;

-- People are looked up by name for every row of a file, and by the last word of it for those that look alike.
create index royaltors_name_key on royaltors (search_fold(name)) where deleted_at is null;
create index royaltors_last_name on royaltors ((regexp_replace(search_fold(name), '^.*\s', '')))
  where deleted_at is null;
-- Venues are compared with those of the same town.
create index venues_town on venues (search_fold(address ->> 'locality')) where deleted_at is null;

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
