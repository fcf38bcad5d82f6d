-- The search over every kind of record (api-added X201): numbers by their beginning, names by theirs, words anywhere by
-- trigrams. Most tables have their trigram index already (search_text); here are the beginnings, and the people.
--
-- text_pattern_ops compares bytes whatever the collation of the server is, so a beginning is a range of the index; the
-- range is asked for with ~>=~ and ~<~, which a prepared statement can use without knowing the text beforehand.

create index licenses_number_start on licenses (lower(number) text_pattern_ops);
create index licenses_license_number_start on licenses (lower(license_number) text_pattern_ops)
  where license_number is not null;
create index licenses_title_start on licenses (lower(title_on_license) text_pattern_ops);
create index license_applications_number_start on license_applications (lower(number) text_pattern_ops)
  where number is not null;
create index customers_number_start on customers (lower(number) text_pattern_ops);
create index customers_name_start on customers (lower(name) text_pattern_ops);
create index shows_code_start on shows (lower(show_code) text_pattern_ops);
create index shows_title_start on shows (lower(title) text_pattern_ops);
create index royaltors_number_start on royaltors (lower(number) text_pattern_ops);
create index royaltors_name_start on royaltors (lower(name) text_pattern_ops);
create index venues_number_start on venues (lower(number) text_pattern_ops);
create index venues_name_start on venues (lower(name) text_pattern_ops);
create index vendors_number_start on vendors (lower(number) text_pattern_ops);
create index vendors_name_start on vendors (lower(name) text_pattern_ops);
create index materials_number_start on materials (lower(item_number) text_pattern_ops);
create index materials_name_start on materials (lower(name) text_pattern_ops);
create index sales_items_number_start on sales_items (lower(item_number) text_pattern_ops);
create index sales_items_name_start on sales_items (lower(name) text_pattern_ops);
create index sales_orders_number_start on sales_orders (lower(number) text_pattern_ops);
create index invoices_number_start on invoices (lower(invoice_number) text_pattern_ops)
  where invoice_number is not null;
create index invoices_reference_start on invoices (lower(reference) text_pattern_ops) where reference is not null;
create index invoices_name_start on invoices (lower(billing_name) text_pattern_ops);
create index payments_number_start on payments (lower(number) text_pattern_ops);
-- What the bank wrote on it.
create index payments_reference_start on payments (lower(reference) text_pattern_ops) where reference <> '';
create index royalty_statements_number_start on royalty_statements (lower(number) text_pattern_ops)
  where number is not null;
create index royalty_payment_batches_number_start on royalty_payment_batches (lower(number) text_pattern_ops);
create index transactions_number_start on transactions (lower(number) text_pattern_ops) where number is not null;

create index ledger_accounts_code_start on ledger_accounts (lower(code) text_pattern_ops);
create index warehouses_code_start on warehouses (lower(code) text_pattern_ops);
create index ledger_accounts_search on ledger_accounts using gin (search_fold(code || ' ' || name) gin_trgm_ops);
create index add_ons_search on add_ons using gin (search_fold(name || ' ' || key) gin_trgm_ops);
create index warehouses_search on warehouses using gin (search_text gin_trgm_ops);

-- People by name and address, staff and customers' alike.
create index users_search on users
  using gin (search_fold(first_name || ' ' || last_name || ' ' || email) gin_trgm_ops);
create index users_name_start on users (lower(last_name) text_pattern_ops);
create index users_email_start on users (lower(email) text_pattern_ops);
