-- A house that moves in brings its vendors as a file.

alter table import_templates drop constraint import_templates_model_name_check;
alter table import_templates add constraint import_templates_model_name_check check (model_name in
  ('box_office_reports', 'shows', 'venues', 'materials', 'royaltors', 'agreements', 'stock_counts', 'customers',
    'local_tax_rates', 'vendors'));

with heads (field, column_name, sort) as (values
  ('name', 'Name', 1), ('legal_name', 'Legal name', 2), ('contact_name', 'Contact', 3), ('email', 'E-mail', 4),
  ('phone', 'Phone', 5), ('website', 'Website', 6), ('thoroughfare', 'Street', 7), ('premise', 'Address 2', 8),
  ('locality', 'City', 9), ('administrative_area', 'State', 10), ('postal_code', 'Postal code', 11),
  ('country_code', 'Country', 12), ('remit_thoroughfare', 'Remit-to street', 13),
  ('remit_premise', 'Remit-to address 2', 14), ('remit_locality', 'Remit-to city', 15),
  ('remit_administrative_area', 'Remit-to state', 16), ('remit_postal_code', 'Remit-to postal code', 17),
  ('remit_country_code', 'Remit-to country', 18), ('divisions', 'Divisions', 19), ('currency', 'Currency', 20),
  ('payment_terms_days', 'Days to pay', 21), ('payment_method', 'Paid by', 22), ('vat_number', 'VAT number', 23),
  ('tax_form_type', 'Tax form', 24), ('tax_form_received_on', 'Form received', 25),
  ('tax_1099_category', 'Year-end report', 26)
), made as (
  insert into import_templates (name, model_name, delimiter, date_format, report_scope, date_is, currency)
  select 'Vendors', 'vendors', ',', 'YYYY-MM-DD', 'week', 'week_end', 'USD'
  where not exists (select 1 from import_templates t where lower(t.name) = 'vendors' and t.deleted_at is null)
  returning id)
insert into import_template_columns (import_template_id, field, column_name, sort)
select made.id, heads.field, heads.column_name, heads.sort from made, heads order by heads.sort;
