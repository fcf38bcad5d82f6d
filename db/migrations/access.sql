-- What customers may see of every table. Applied after the migrations, and again whenever this file changes
-- (migrate.ts): it closes everything first, so what stands here is all there is. A new table needs a line; until it has
-- one, it is closed to the portal, and db/row-security.test.ts fails. The procedures are those of
-- baseline/03-kernel-access.sql (decision 10).
call close_all_tables();

-- The customer itself, its people and places.
call tenant_table('customers', 'id = (select request_customer())', 'deleted_at is null',
  'id, number, name, legal_name, kind, status, active, divisions, default_division, default_currency, billing_address,
  phone, website, statement_email, tax_country, is_business, vat_number, payment_terms_days, purchase_orders_accepted,
  version, deleted_at, created_at, updated_at');
call tenant_table('customer_customer_classifications', 'customer_id = (select request_customer())');
call tenant_table('customer_contacts', 'customer_id = (select request_customer())');
call tenant_table('customer_change_requests', 'customer_id = (select request_customer())');
call tenant_table('customer_shipping_addresses', 'customer_id = (select request_customer())');
call tenant_table('customer_users', 'customer_id = (select request_customer())');
call tenant_table('customer_venues', 'customer_id = (select request_customer())');
call tenant_table('tax_exemption_certificates', 'customer_id = (select request_customer())');
call tenant_table('customer_messages', 'customer_id = (select request_customer())');
call tenant_table('customer_invitations', 'customer_id = (select request_customer())', 'true',
  'id, customer_id, email, role, status, invited_by_id, expires_at, decided_at, version, created_at, updated_at');
call tenant_table('customer_aliases', 'customer_id = (select request_customer())', null);

-- Whoever asks to join belongs to nobody yet: the counter sees all requests, the portal those to its own house.
call shared_table('customer_join_requests', 'customer_id = (select request_customer())');
-- Names of the people a customer deals with: its own, and those of the house. No address, no password. The counter sees
-- everyone: whoever is invited may belong to others already.
call shared_table('users', 'role <> ''customer'' or id = (select request_user()) or exists (select 1
  from customer_users m where m.user_id = users.id and m.customer_id = (select request_customer()))',
  'id, first_name, last_name, role');
call shared_table('notifications', 'user_id = (select request_user())');
-- Files have no owner of their own: a customer's are those that a record of the customer's names.
call shared_table('files', 'exists (select 1 from license_documents d where d.document_id = files.id)
  or exists (select 1 from invoices v where v.document_id = files.id)
  or exists (select 1 from box_office_attachments a where a.file_id = files.id)
  or exists (select 1 from thread_files t where t.file_id = files.id)
  or exists (select 1 from show_images i where i.file_id = files.id)
  or exists (select 1 from tax_exemption_certificates x where x.document_id = files.id)');
call shared_table('venues', 'exists (select 1 from customer_venues m where m.venue_id = venues.id)
  or exists (select 1 from license_venues v where v.venue_id = venues.id)
  or exists (select 1 from license_application_venues v where v.venue_id = venues.id)');

-- Applications and their parts.
call tenant_table('license_applications', 'customer_id = (select request_customer())');
call tenant_table('license_application_shows',
  'exists (select 1 from license_applications a where a.id = %s.license_application_id)');
call tenant_table('license_application_venues',
  'exists (select 1 from license_applications a where a.id = %s.license_application_id)');
call tenant_table('license_application_information_requests',
  'exists (select 1 from license_applications a where a.id = %s.license_application_id)');
call tenant_table('license_application_events',
  'exists (select 1 from license_applications a where a.id = %s.license_application_id)');
call tenant_table('license_application_add_ons',
  'exists (select 1 from license_applications a where a.id = %s.license_application_id)');
call tenant_table('license_application_alternatives',
  'exists (select 1 from license_applications a where a.id = %s.license_application_id)');
call tenant_table('license_application_tickets',
  'exists (select 1 from license_application_venues v where v.id = %s.license_application_venue_id)');
call tenant_table('license_application_performances',
  'exists (select 1 from license_application_venues v where v.id = %s.license_application_venue_id)');

-- Licences: a draft is the house's until it is sent (domain.md 8b). Parts follow the licence, by its own policy.
call tenant_table('licenses', 'customer_id = (select request_customer())', 'phase <> ''draft''');
call tenant_table('license_venues', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_venue_tickets', 'exists (select 1 from license_venues v where v.id = %s.license_venue_id)');
call tenant_table('performances', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('performance_tickets', 'exists (select 1 from performances p where p.id = %s.performance_id)');
call tenant_table('license_charges', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_instalments', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_terms', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_versions', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_events', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_amendments', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('signatures', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_documents', 'exists (select 1 from licenses l where l.id = %s.license_id)',
  'not internal and deleted_at is null');
call tenant_table('license_billing_lines', 'exists (select 1 from licenses l where l.id = %s.license_id)', null);
call tenant_table('license_checklist_items', 'exists (select 1 from licenses l where l.id = %s.license_id)', null);
call tenant_table('license_materials', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('license_boms', 'exists (select 1 from licenses l where l.id = %s.license_id)');

-- Memos of its licences and applications that staff wrote for the customer; the others are the house's.
call tenant_table('memos', '(%s.entity = ''license'' and exists (select 1 from licenses l where l.id = %s.entity_id))
  or (%s.entity = ''license_application''
    and exists (select 1 from license_applications a where a.id = %s.entity_id))', 'not internal');

-- Messages about its licences. How a mail came in, and the addresses that answers go to, are the house's.
call tenant_table('thread_messages', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('thread_files', 'exists (select 1 from licenses l where l.id = %s.license_id)', 'not held');
call tenant_table('thread_addresses', 'exists (select 1 from licenses l where l.id = %s.license_id)', null);
call house_tables('inbound_mails', 'inbound_mail_files');

-- Box office.
call tenant_table('box_office_reports', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('box_office_questions', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('box_office_deductions',
  'exists (select 1 from box_office_reports b where b.id = %s.box_office_report_id)');
call tenant_table('box_office_rows',
  'exists (select 1 from box_office_reports b where b.id = %s.box_office_report_id)');
call tenant_table('box_office_attachments',
  'exists (select 1 from box_office_reports b where b.id = %s.box_office_report_id)');
call tenant_table('box_office_price_bands',
  'exists (select 1 from box_office_rows r where r.id = %s.box_office_row_id)');
call tenant_table('box_office_performances',
  'exists (select 1 from box_office_reports b where b.id = %s.box_office_report_id)', null);
call tenant_table('box_office_weeks', 'exists (select 1 from licenses l where l.id = %s.license_id)', null);
call tenant_table('box_office_column_maps', 'customer_id = (select request_customer())', null);
call tenant_table('stream_reports', 'exists (select 1 from licenses l where l.id = %s.license_id)');

-- Money: what was issued to the customer, and what was paid.
call tenant_table('invoices', 'customer_id = (select request_customer())', 'status <> ''draft''');
call tenant_table('invoice_items', 'exists (select 1 from invoices v where v.id = %s.invoice_id)');
call tenant_table('invoice_tax_lines', 'exists (select 1 from invoices v where v.id = %s.invoice_id)');
call tenant_table('pro_forma_versions', 'exists (select 1 from invoices v where v.id = %s.invoice_id)');
call tenant_table('release_schedule', 'exists (select 1 from invoice_items i where i.id = %s.invoice_item_id)', 'true',
  'id, invoice_item_id, amount_minor, credited_minor, status');
call tenant_table('payments', 'customer_id = (select request_customer())');
call tenant_table('online_payments', 'customer_id = (select request_customer())', 'true',
  'id, customer_id, invoice_id, deposit_id, division, currency, amount_minor, method, status, is_test, failure,
  payment_id, expires_at, settled_at, created_at, updated_at');
call tenant_table('online_payment_documents', 'exists (select 1 from online_payments o
  where o.id = %s.online_payment_id)');
call tenant_table('payment_allocations', 'exists (select 1 from invoices v where v.id = %s.invoice_id)');
call tenant_table('deposits', 'exists (select 1 from licenses l where l.id = %s.license_id)');
call tenant_table('deposit_dispositions', 'exists (select 1 from deposits d where d.id = %s.deposit_id)');

-- What everybody may know.
call reference_tables('divisions', 'currencies', 'shows', 'show_images', 'add_ons', 'customer_classifications',
  'tax_codes', 'holidays', 'material_categories', 'material_sub_categories', 'schema_migrations');
call shared_table('materials', '(sellable_in_portal and active and deleted_at is null)
  or exists (select 1 from license_materials m where m.material_id = materials.id)
  or exists (select 1 from perusal_materials p where p.material_id = materials.id)');

-- What the customer reads before it applies. Pages are drawn at the counter: the portal reads no file of a material.
call tenant_table('perusals', 'customer_id = (select request_customer())');
call tenant_table('perusal_materials', 'exists (select 1 from perusals p where p.id = %s.perusal_id)');
call tenant_table('perusal_views', 'exists (select 1 from perusals p where p.id = %s.perusal_id)', null);
call house_tables('material_files', 'material_file_pages', 'add_on_materials', 'show_samples');
call tenant_table('file_downloads', 'exists (select 1 from licenses l where l.id = %s.license_id)
  or exists (select 1 from sales_orders o where o.id = %s.sales_order_id)', null);
call tenant_table('file_download_resets', 'exists (select 1 from licenses l where l.id = %s.license_id)
  or exists (select 1 from sales_orders o where o.id = %s.sales_order_id)', null);

-- The house's own.
call house_tables('totp_factors', 'recovery_codes', 'passkeys', 'security_policy');
call house_tables('table_access', 'sessions', 'staff_groups', 'staff_group_users', 'mail_tokens', 'rate_limits',
  'user_avatars', 'email_changes', 'staff_invites', 'staff_invite_groups', 'teams', 'team_members',
  'email_groups', 'contract_templates',
  'audit_events', 'audit_hashes', 'erasures', 'erased_events', 'house_settings', 'client_errors', 'idempotency_keys',
  'mail_outbox', 'exports', 'bulk_runs', 'bulk_run_rows', 'notification_settings',
  'tasks', 'import_templates', 'import_template_columns', 'imports', 'import_records');
call house_tables('ledger_headers', 'ledger_accounts', 'periods', 'period_locks', 'period_requests', 'lock_requests',
  'lock_exceptions', 'revaluations', 'revaluation_lines', 'intercompany_entries',
  'transaction_kinds', 'transactions', 'journal_entries', 'ledger_balances_folded',
  'party_balances_folded', 'ledger_fold_queue',
  'open_items', 'allocations', 'number_series', 'number_uses', 'exchange_rates', 'ledger_chain_queue',
  'ledger_chain', 'banks', 'bank_accounts', 'bank_statement_files', 'bank_statements', 'bank_transactions',
  'bank_statement_imports',
  'bank_transaction_files', 'bank_transfers', 'bank_reconciliations', 'bank_matches', 'bank_match_lines',
  'bank_match_entries', 'bank_match_documents', 'bank_rules',
  'deposit_slips', 'deposit_slip_items', 'checks', 'check_printings', 'check_templates', 'positive_pay_files',
  'positive_pay_lines', 'bank_reconciliation_ticks', 'processor_events',
  'processor_payouts', 'processor_payout_parts', 'processor_refunds', 'processor_disputes', 'processor_keys',
  'payment_runs', 'payment_run_exits',
  'payment_parts',
  'disbursement_allocations', 'payment_transactions', 'payment_file_profiles', 'ach_files', 'ach_prenotes',
  'bank_corrections',
  'bills', 'bill_lines', 'bill_credits', 'bill_schedules', 'bill_schedule_lines', 'bill_schedule_days',
  'goods_receipts', 'goods_receipt_lines', 'goods_returns',
  'opening_sets', 'opening_lines',
  'tax_rates', 'taxability', 'tax_registrations', 'tax_authorities', 'tax_returns', 'tax_return_items', 'nexus_rules',
  'filing_rules', 'hmrc_connections', 'hmrc_authorizations', 'hmrc_submissions',
  'year_end_thresholds', 'year_end_layouts', 'year_end_filings', 'year_end_forms', 'year_end_form_payments',
  'local_tax_rates', 'local_tax_states', 'tax_service_customers', 'tax_service_transactions',
  'tax_service_starts', 'document_tax_answers', 'vat_number_checks', 'document_vat_proofs');
call house_tables('venue_aliases', 'venue_default_tickets', 'show_aliases', 'show_packages', 'rate_cards',
  'rate_card_performance_tiers', 'rate_card_seat_bands', 'rate_card_gross_tiers', 'rate_card_deductions',
  'show_restrictions', 'royaltors', 'royaltor_aliases', 'royaltor_users', 'cross_collateral_groups', 'show_royaltors',
  'agreement_payment_conditions', 'royalty_terms', 'royalty_term_tiers', 'royalty_allocations', 'royalty_carries',
  'royalty_statement_runs', 'royalty_statements', 'royalty_accruals', 'royalty_statement_lines',
  'royalty_adjustments', 'royalty_advances', 'royalty_recoupments', 'royalty_reserves', 'royalty_reserve_releases',
  'wht_rules', 'royalty_payment_batches', 'royalty_payment_statements', 'royalty_payment_conversions',
  'invoice_write_offs', 'late_interest_charges', 'approval_declines');
call house_tables('item_numbers', 'vendors', 'warehouses', 'sales_items', 'saved_views', 'list_columns',
  'bom_templates', 'bom_template_lines', 'bom_template_versions');
call house_tables('material_copies', 'stock_balances', 'stock_movements');
-- What is sent to a customer is the customer's; it reads what it ordered itself, not what the house notes about it.
-- The parcels of its productions it follows from their release on.
call tenant_table('sales_orders', 'customer_id = (select request_customer())',
  'from_portal or (kind = ''license'' and status <> ''draft'')',
  'id, number, kind, status, customer_id, license_id, division, currency, ship_to, ship_to_name, carrier, tracking,
  shipped_on, delivered_on, return_due_on, cancelled_at, cancel_reason, quoted_net_minor, quoted_tax_minor, from_portal,
  created_at, updated_at');
call tenant_table('sales_order_lines', 'exists (select 1 from sales_orders o where o.id = %s.sales_order_id)', 'true',
  'id, sales_order_id, sort, material_id, sales_item_id, description, quantity, qty_shipped, qty_cancelled,
  return_required, qty_returned_good, qty_returned_damaged, qty_lost, unit_price_minor, shipping_minor');
call tenant_table('sales_order_events', 'exists (select 1 from sales_orders o where o.id = %s.sales_order_id)', null);
-- A perusal by post travels as an order of the house; what it costs is billed to the customer that reads.
call tenant_table('sales_order_invoices', 'exists (select 1 from sales_orders o where o.id = %s.sales_order_id)
  or exists (select 1 from perusals p where p.sales_order_id = %s.sales_order_id)');
-- A customer's report says whether it is to name the running costs of its week.
grant execute on function shares_profit(bigint) to app_portal;
