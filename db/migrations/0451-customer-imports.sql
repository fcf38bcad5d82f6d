-- Customers come in as a list: with addresses, classes, tax data and a contact. A house that moves in has them first.
alter table import_templates drop constraint import_templates_model_name_check;
alter table import_templates add constraint import_templates_model_name_check check (model_name in
  ('box_office_reports', 'shows', 'venues', 'materials', 'royaltors', 'agreements', 'stock_counts', 'customers'));

-- Customers are compared with those of the same town.
create index customers_town_fold on customers (coalesce(name_key(billing_address ->> 'locality'), ''))
  where deleted_at is null;

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
