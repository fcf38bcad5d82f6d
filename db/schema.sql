-- Written by `npm run schema`. Do not edit: write a migration and run the command again.

create extension btree_gist;

create extension pg_trgm;

create extension pgcrypto;

create schema pgboss -- owner app_migrate, rights app_migrate=UC/app_migrate app_rw=UC/app_migrate;

create schema public -- owner -, rights =U/app_migrate app_counter=U/app_migrate app_migrate=UC/app_migrate app_portal=U/app_migrate app_rw=U/app_migrate;

create domain country_code as text constraint country_code_check CHECK ((VALUE ~ '^[A-Z]{2}$'::text));

create domain currency_code as text constraint currency_code_check CHECK ((VALUE = ANY (ARRAY['USD'::text, 'EUR'::text, 'GBP'::text])));

create domain email_address as text constraint email_address_check CHECK (((VALUE ~ '^[^@\s]+@[^@\s]+$'::text) AND (length(VALUE) <= 320)));

create domain filled_text as text constraint filled_text_check CHECK ((VALUE <> ''::text));

create domain fx_rate as numeric(20,10) constraint fx_rate_check CHECK ((VALUE > (0)::numeric));

create domain minor_amount as bigint constraint minor_amount_check CHECK (((VALUE >= '-1000000000000'::bigint) AND (VALUE <= '1000000000000'::bigint)));

create domain postal_address as jsonb constraint postal_address_check CHECK (is_postal_address(VALUE));

create domain rate_ppm as integer constraint rate_ppm_check CHECK (((VALUE >= 0) AND (VALUE <= 1000000)));

create domain sha256_hex as text constraint sha256_hex_check CHECK ((VALUE ~ '^[0-9a-f]{64}$'::text));

create sequence ach_trace_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9999999 cycle -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence add_ons_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by add_ons.id -- rights;

create sequence agreement_payment_conditions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by agreement_payment_conditions.id -- rights;

create sequence allocations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by allocations.id -- rights;

create sequence application_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence approval_declines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by approval_declines.id -- rights;

create sequence audit_events_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by audit_events.id -- rights;

create sequence bacs_serial_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 999999 cycle -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence bank_accounts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_accounts.id -- rights;

create sequence bank_matches_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_matches.id -- rights;

create sequence bank_reconciliations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_reconciliations.id -- rights;

create sequence bank_rules_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_rules.id -- rights;

create sequence bank_statement_files_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_statement_files.id -- rights;

create sequence bank_statement_imports_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_statement_imports.id -- rights;

create sequence bank_statements_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_statements.id -- rights;

create sequence bank_transaction_files_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_transaction_files.id -- rights;

create sequence bank_transactions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_transactions.id -- rights;

create sequence bank_transfers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bank_transfers.id -- rights;

create sequence banks_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by banks.id -- rights;

create sequence bill_credits_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bill_credits.id -- rights;

create sequence bill_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bill_lines.id -- rights;

create sequence bill_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence bill_schedule_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bill_schedule_lines.id -- rights;

create sequence bill_schedules_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bill_schedules.id -- rights;

create sequence bills_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bills.id -- rights;

create sequence bom_template_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bom_template_lines.id -- rights;

create sequence bom_template_versions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bom_template_versions.id -- rights;

create sequence bom_templates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bom_templates.id -- rights;

create sequence box_office_attachments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_attachments.id -- rights;

create sequence box_office_deductions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_deductions.id -- rights;

create sequence box_office_price_bands_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_price_bands.id -- rights;

create sequence box_office_questions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_questions.id -- rights;

create sequence box_office_reports_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_reports.id -- rights;

create sequence box_office_rows_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_rows.id -- rights;

create sequence box_office_weeks_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by box_office_weeks.id -- rights;

create sequence bulk_run_rows_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bulk_run_rows.id -- rights;

create sequence bulk_runs_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by bulk_runs.id -- rights;

create sequence check_printings_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by check_printings.id -- rights;

create sequence checks_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by checks.id -- rights;

create sequence client_errors_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by client_errors.id -- rights;

create sequence contract_templates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by contract_templates.id -- rights;

create sequence cross_collateral_groups_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by cross_collateral_groups.id -- rights;

create sequence customer_aliases_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_aliases.id -- rights;

create sequence customer_classifications_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_classifications.id -- rights;

create sequence customer_contacts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_contacts.id -- rights;

create sequence customer_customer_classifications_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_customer_classifications.id -- rights;

create sequence customer_invitations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_invitations.id -- rights;

create sequence customer_join_requests_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_join_requests.id -- rights;

create sequence customer_messages_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_messages.id -- rights;

create sequence customer_numbers as bigint start 10001 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence customer_shipping_addresses_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_shipping_addresses.id -- rights;

create sequence customer_users_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_users.id -- rights;

create sequence customer_venues_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customer_venues.id -- rights;

create sequence customers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by customers.id -- rights;

create sequence deposit_dispositions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by deposit_dispositions.id -- rights;

create sequence deposit_slip_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence deposit_slips_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by deposit_slips.id -- rights;

create sequence deposits_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by deposits.id -- rights;

create sequence disbursement_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence divisions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by divisions.id -- rights;

create sequence email_changes_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by email_changes.id -- rights;

create sequence email_groups_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by email_groups.id -- rights;

create sequence erasures_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by erasures.id -- rights;

create sequence exchange_rates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by exchange_rates.id -- rights;

create sequence exports_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by exports.id -- rights;

create sequence file_download_resets_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by file_download_resets.id -- rights;

create sequence file_downloads_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by file_downloads.id -- rights;

create sequence files_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by files.id -- rights;

create sequence goods_receipt_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by goods_receipt_lines.id -- rights;

create sequence goods_receipt_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence goods_receipts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by goods_receipts.id -- rights;

create sequence goods_returns_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by goods_returns.id -- rights;

create sequence hmrc_authorizations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by hmrc_authorizations.id -- rights;

create sequence hmrc_connections_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by hmrc_connections.id -- rights;

create sequence hmrc_submissions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by hmrc_submissions.id -- rights;

create sequence holidays_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by holidays.id -- rights;

create sequence idempotency_keys_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by idempotency_keys.id -- rights;

create sequence import_records_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by import_records.id -- rights;

create sequence import_template_columns_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by import_template_columns.id -- rights;

create sequence import_templates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by import_templates.id -- rights;

create sequence imports_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by imports.id -- rights;

create sequence intercompany_groups as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence invoice_items_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by invoice_items.id -- rights;

create sequence invoice_tax_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by invoice_tax_lines.id -- rights;

create sequence invoice_write_offs_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by invoice_write_offs.id -- rights;

create sequence invoices_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by invoices.id -- rights;

create sequence journal_entries_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by journal_entries.id -- rights;

create sequence ledger_accounts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by ledger_accounts.id -- rights;

create sequence ledger_headers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by ledger_headers.id -- rights;

create sequence license_amendments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_amendments.id -- rights;

create sequence license_application_add_ons_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_add_ons.id -- rights;

create sequence license_application_alternatives_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_alternatives.id -- rights;

create sequence license_application_events_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_events.id -- rights;

create sequence license_application_information_requests_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_information_requests.id -- rights;

create sequence license_application_performances_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_performances.id -- rights;

create sequence license_application_shows_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_shows.id -- rights;

create sequence license_application_tickets_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_tickets.id -- rights;

create sequence license_application_venues_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_application_venues.id -- rights;

create sequence license_applications_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_applications.id -- rights;

create sequence license_billing_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_billing_lines.id -- rights;

create sequence license_boms_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_boms.id -- rights;

create sequence license_charges_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_charges.id -- rights;

create sequence license_checklist_items_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_checklist_items.id -- rights;

create sequence license_documents_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_documents.id -- rights;

create sequence license_events_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_events.id -- rights;

create sequence license_instalments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_instalments.id -- rights;

create sequence license_materials_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_materials.id -- rights;

create sequence license_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence license_terms_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_terms.id -- rights;

create sequence license_venue_tickets_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_venue_tickets.id -- rights;

create sequence license_venues_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_venues.id -- rights;

create sequence license_versions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by license_versions.id -- rights;

create sequence licenses_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by licenses.id -- rights;

create sequence local_tax_rates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by local_tax_rates.id -- rights;

create sequence local_tax_states_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by local_tax_states.id -- rights;

create sequence lock_exceptions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by lock_exceptions.id -- rights;

create sequence lock_requests_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by lock_requests.id -- rights;

create sequence mail_outbox_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by mail_outbox.id -- rights;

create sequence mail_tokens_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by mail_tokens.id -- rights;

create sequence material_categories_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by material_categories.id -- rights;

create sequence material_copies_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by material_copies.id -- rights;

create sequence material_file_pages_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by material_file_pages.id -- rights;

create sequence material_files_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by material_files.id -- rights;

create sequence material_sub_categories_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by material_sub_categories.id -- rights;

create sequence materials_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by materials.id -- rights;

create sequence memos_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by memos.id -- rights;

create sequence nexus_rules_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by nexus_rules.id -- rights;

create sequence notification_settings_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by notification_settings.id -- rights;

create sequence notifications_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by notifications.id -- rights;

create sequence number_series_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by number_series.id -- rights;

create sequence online_payments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by online_payments.id -- rights;

create sequence open_items_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by open_items.id -- rights;

create sequence opening_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by opening_lines.id -- rights;

create sequence opening_sets_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by opening_sets.id -- rights;

create sequence passkeys_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by passkeys.id -- rights;

create sequence payment_allocations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by payment_allocations.id -- rights;

create sequence payment_batch_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence payment_parts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by payment_parts.id -- rights;

create sequence payment_run_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence payment_runs_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by payment_runs.id -- rights;

create sequence payments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by payments.id -- rights;

create sequence performance_tickets_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by performance_tickets.id -- rights;

create sequence performances_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by performances.id -- rights;

create sequence period_locks_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by period_locks.id -- rights;

create sequence period_requests_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by period_requests.id -- rights;

create sequence periods_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by periods.id -- rights;

create sequence perusal_materials_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by perusal_materials.id -- rights;

create sequence perusal_numbers as bigint start 1001 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence perusal_views_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by perusal_views.id -- rights;

create sequence perusals_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by perusals.id -- rights;

create sequence positive_pay_files_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by positive_pay_files.id -- rights;

create sequence pro_forma_versions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by pro_forma_versions.id -- rights;

create sequence processor_events_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by processor_events.id -- rights;

create sequence processor_payouts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by processor_payouts.id -- rights;

create sequence proforma_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence quote_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence rate_card_deductions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by rate_card_deductions.id -- rights;

create sequence rate_card_gross_tiers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by rate_card_gross_tiers.id -- rights;

create sequence rate_card_performance_tiers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by rate_card_performance_tiers.id -- rights;

create sequence rate_card_seat_bands_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by rate_card_seat_bands.id -- rights;

create sequence rate_cards_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by rate_cards.id -- rights;

create sequence receipt_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence recovery_codes_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by recovery_codes.id -- rights;

create sequence release_schedule_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by release_schedule.id -- rights;

create sequence revaluation_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by revaluation_lines.id -- rights;

create sequence revaluations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by revaluations.id -- rights;

create sequence royaltor_aliases_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royaltor_aliases.id -- rights;

create sequence royaltor_numbers as bigint start 1001 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence royaltor_users_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royaltor_users.id -- rights;

create sequence royaltors_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royaltors.id -- rights;

create sequence royalty_accruals_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_accruals.id -- rights;

create sequence royalty_adjustments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_adjustments.id -- rights;

create sequence royalty_advances_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_advances.id -- rights;

create sequence royalty_allocations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_allocations.id -- rights;

create sequence royalty_carries_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_carries.id -- rights;

create sequence royalty_payment_batches_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_payment_batches.id -- rights;

create sequence royalty_payment_conversions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_payment_conversions.id -- rights;

create sequence royalty_payment_statements_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_payment_statements.id -- rights;

create sequence royalty_recoupments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_recoupments.id -- rights;

create sequence royalty_reserve_releases_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_reserve_releases.id -- rights;

create sequence royalty_reserves_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_reserves.id -- rights;

create sequence royalty_statement_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_statement_lines.id -- rights;

create sequence royalty_statement_runs_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_statement_runs.id -- rights;

create sequence royalty_statements_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_statements.id -- rights;

create sequence royalty_term_tiers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_term_tiers.id -- rights;

create sequence royalty_terms_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by royalty_terms.id -- rights;

create sequence sales_items_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by sales_items.id -- rights;

create sequence sales_order_events_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by sales_order_events.id -- rights;

create sequence sales_order_invoices_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by sales_order_invoices.id -- rights;

create sequence sales_order_lines_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by sales_order_lines.id -- rights;

create sequence sales_order_numbers as bigint start 1001 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence sales_orders_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by sales_orders.id -- rights;

create sequence saved_views_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by saved_views.id -- rights;

create sequence sessions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by sessions.id -- rights;

create sequence show_aliases_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by show_aliases.id -- rights;

create sequence show_images_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by show_images.id -- rights;

create sequence show_packages_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by show_packages.id -- rights;

create sequence show_restrictions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by show_restrictions.id -- rights;

create sequence show_royaltors_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by show_royaltors.id -- rights;

create sequence shows_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by shows.id -- rights;

create sequence signatures_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by signatures.id -- rights;

create sequence staff_groups_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by staff_groups.id -- rights;

create sequence staff_invites_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by staff_invites.id -- rights;

create sequence statement_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence stock_balances_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by stock_balances.id -- rights;

create sequence stock_movements_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by stock_movements.id -- rights;

create sequence stream_reports_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by stream_reports.id -- rights;

create sequence tasks_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tasks.id -- rights;

create sequence tax_authorities_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_authorities.id -- rights;

create sequence tax_codes_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_codes.id -- rights;

create sequence tax_exemption_certificates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_exemption_certificates.id -- rights;

create sequence tax_rates_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_rates.id -- rights;

create sequence tax_registrations_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_registrations.id -- rights;

create sequence tax_return_items_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_return_items.id -- rights;

create sequence tax_returns_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_returns.id -- rights;

create sequence tax_service_customers_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_service_customers.id -- rights;

create sequence tax_service_transactions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by tax_service_transactions.id -- rights;

create sequence taxability_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by taxability.id -- rights;

create sequence teams_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by teams.id -- rights;

create sequence transactions_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by transactions.id -- rights;

create sequence transfer_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence users_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by users.id -- rights;

create sequence vendor_credit_numbers as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence vendor_numbers as bigint start 1001 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence vendors_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by vendors.id -- rights;

create sequence venue_aliases_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by venue_aliases.id -- rights;

create sequence venue_default_tickets_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by venue_default_tickets.id -- rights;

create sequence venue_numbers as bigint start 1001 increment 1 minvalue 1
      maxvalue 9223372036854775807 -- rights app_migrate=rwU/app_migrate app_rw=U/app_migrate;

create sequence venues_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by venues.id -- rights;

create sequence warehouses_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by warehouses.id -- rights;

create sequence wht_rules_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by wht_rules.id -- rights;

create sequence year_end_filings_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by year_end_filings.id -- rights;

create sequence year_end_form_payments_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by year_end_form_payments.id -- rights;

create sequence year_end_forms_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by year_end_forms.id -- rights;

create sequence year_end_layouts_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by year_end_layouts.id -- rights;

create sequence year_end_thresholds_id_seq as bigint start 1 increment 1 minvalue 1
      maxvalue 9223372036854775807 owned by year_end_thresholds.id -- rights;

CREATE OR REPLACE FUNCTION public.apply_stock_movement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  tracked boolean := false;
begin
  if new.material_id is not null then
    select serial_tracked into tracked from materials where id = new.material_id;
  end if;
  if tracked and new.material_copy_id is null and new.kind not in ('reserve', 'unreserve') then
    raise exception 'material % is tracked by copy: the movement names none', new.material_id
      using errcode = '23514', constraint = 'stock_copy_named';
  end if;
  insert into stock_balances (warehouse_id, material_id, sales_item_id)
    values (new.warehouse_id, new.material_id, new.sales_item_id)
    on conflict (warehouse_id, material_id, sales_item_id) do nothing;
  update stock_balances b set
    on_hand = b.on_hand + stock_delta(new, 'on_hand'), picked = b.picked + stock_delta(new, 'picked'),
    on_hire = b.on_hire + stock_delta(new, 'on_hire'), quarantine = b.quarantine + stock_delta(new, 'quarantine'),
    damaged = b.damaged + stock_delta(new, 'damaged'), reserved = b.reserved + new.reserved_delta,
    updated_at = now()
  where b.warehouse_id = new.warehouse_id and b.material_id is not distinct from new.material_id
    and b.sales_item_id is not distinct from new.sales_item_id;
  if new.material_copy_id is not null then
    update material_copies c set warehouse_id = new.warehouse_id, version = c.version + 1,
      location = coalesce(new.to_location, case new.kind when 'transfer' then 'arriving' else 'gone' end)
    where c.id = new.material_copy_id and c.material_id = new.material_id
      and case when new.from_location is null then c.location in ('arriving', 'gone')
        else c.location = new.from_location and c.warehouse_id = new.warehouse_id end;
    if not found then
      raise exception 'copy % is not where the movement takes it from', new.material_copy_id
        using errcode = '23514', constraint = 'stock_copy_place';
    end if;
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.audit_chain_extend(p_limit integer, p_all boolean)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  last_seq bigint; last_hash bytea; made integer := 0; e audit_events; new_salt bytea; content bytea; link bytea;
  from_id bigint := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', 0));
  select seq, hash into last_seq, last_hash from audit_hashes order by seq desc limit 1;
  if not p_all then
    select greatest(0, coalesce(max(audit_event_id), 0) - 10000) into from_id from audit_hashes;
  end if;
  for e in select a.* from audit_events a
    where a.id > from_id and not exists (select 1 from audit_hashes h where h.audit_event_id = a.id)
    order by a.id limit p_limit
  loop
    new_salt := gen_random_bytes(16);
    content := sha256(new_salt || convert_to(audit_content_text(e), 'UTF8'));
    last_hash := coalesce(last_hash, decode(repeat('00', 32), 'hex'));
    last_seq := coalesce(last_seq, 0) + 1;
    link := sha256(last_hash || convert_to(audit_head_text(e), 'UTF8') || content);
    insert into audit_hashes (audit_event_id, seq, segment, salt, content_hash, prev_hash, hash)
    values (e.id, last_seq, (e.created_at at time zone 'UTC')::date, new_salt, content, last_hash, link);
    last_hash := link;
    made := made + 1;
  end loop;
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.audit_content_text(e audit_events)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_build_array(e.before, e.after)::text
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.audit_head_text(e audit_events)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array(e.id, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor_id,
    e.on_behalf_of_customer_id, e.session_id, host(e.ip), e.request_id, e.action, e.entity, e.entity_id)::text
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.bank_account_for(p_division text, p_currency text, p_id bigint)
 RETURNS TABLE(id bigint, ledger_account_id bigint, code text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  found_id bigint;
begin
  select b.id into found_id from bank_accounts b
    where b.division = p_division and b.currency = p_currency and b.closed_on is null and b.deleted_at is null
      and (b.id = p_id or p_id is null)
    order by b.is_default desc, b.id limit 1;
  perform 1 from bank_accounts b where b.id = found_id for key share;
  return query select b.id, b.ledger_account_id, a.code from bank_accounts b
    join ledger_accounts a on a.id = b.ledger_account_id
    where b.id = found_id and b.closed_on is null and b.deleted_at is null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.bank_account_uses(p_id bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'a balance' as words where exists (
      select 1 from bank_accounts b join ledger_balances l on l.ledger_account_id = b.ledger_account_id
      where b.id = p_id group by l.currency
      having sum(l.debit_minor - l.credit_minor) <> 0 or sum(l.base_debit_minor - l.base_credit_minor) <> 0)
    union all select 2, 'payments that wait' where exists (
      select 1 from bank_accounts b join payments p on p.ledger_account_id = b.ledger_account_id
      where b.id = p_id and p.status in ('draft', 'approved') and p.deleted_at is null)
    union all select 3, 'transfers in transit' where exists (
      select 1 from bank_transfers t where t.status = 'in_transit' and p_id in (t.from_bank_account_id,
        t.to_bank_account_id))
    union all select 4, 'bank lines that are not matched' where exists (
      select 1 from bank_transactions t where t.bank_account_id = p_id and t.state = 'booked'
        and t.deleted_at is null and not exists (
          select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active))
    union all select 5, 'deposit slips that are not deposited' where exists (
      select 1 from deposit_slips s where s.bank_account_id = p_id and s.status = 'draft')
  ) u
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.bank_reconciled_balance(p_account bigint)
 RETURNS TABLE(to_on date, balance_minor bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select r.to_on, coalesce(r.closing_minor, b.opening_minor)::bigint
  from bank_accounts b left join lateral (
    select f.to_on, f.closing_minor from bank_reconciliations f
    where f.bank_account_id = b.id and f.status = 'finished' order by f.to_on desc limit 1) r on true
  where b.id = p_account
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.check_pool_tiers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from royalty_terms t join royalty_term_tiers y on y.royalty_term_id = t.id
    where t.id = case when tg_table_name = 'royalty_terms' then (to_jsonb(new) ->> 'id')::bigint
      else (to_jsonb(new) ->> 'royalty_term_id')::bigint end
      and t.basis = 'pool_points' and (not y.after_recoupment or y.from_minor <> 0)) then
    raise exception 'a royalty pool has one other rate, the one after recoupment' using errcode = 'check_violation',
      constraint = 'royalty_terms_pool_tiers';
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.check_royalty_allocation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  shared bigint;
begin
  select coalesce(sum(amount_minor), 0) into shared from royalty_accruals where royalty_allocation_id = new.id;
  if shared + new.house_minor <> new.amount_minor then
    raise exception 'royalty allocation %: parties % and house % do not make %', new.id, shared, new.house_minor,
      new.amount_minor using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.check_share_points()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.share_points < 1 and (tg_op = 'INSERT' or new.share_points <> old.share_points) then
    raise exception 'a royalty term has at least one share point' using errcode = '23514',
      constraint = 'royalty_terms_share_points_one';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.check_statement_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from royalty_statements o where o.id <> new.id
      and o.show_royaltor_id is not distinct from new.show_royaltor_id
      and o.cross_collateral_group_id is not distinct from new.cross_collateral_group_id
      and o.division = new.division and o.currency = new.currency
      and (o.period_to < new.period_to and o.status in ('draft', 'calculated', 'approved')
        or o.period_to > new.period_to and o.issued_at is not null)) then
    raise exception 'statement % is issued in the order of its period: an earlier one waits, or a later one is issued',
      new.id using errcode = '23514', constraint = 'royalty_statements_in_order';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.check_written_off()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_invoice bigint := case tg_table_name when 'invoices' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'invoice_id')::bigint end;
begin
  if exists (select 1 from invoices v where v.id = v_invoice and v.written_off_minor <> (
      select coalesce(sum(w.amount_minor - w.taken_back_minor), 0) from invoice_write_offs w
      where w.invoice_id = v.id)) then
    raise exception 'invoice %: what is written off does not agree with its rows', v_invoice using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.claim_item_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.item_number = old.item_number then
    return new;
  end if;
  insert into item_numbers (item_number, entity) values (new.item_number, tg_argv[0]);
  if tg_op = 'UPDATE' then
    delete from item_numbers where item_number = old.item_number;
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.close_all_tables()
 LANGUAGE plpgsql
AS $procedure$
declare found record;
begin
  delete from table_access;
  revoke all on all tables in schema public from app_portal;
  for found in select oid::regprocedure as routine from pg_proc where pronamespace = 'public'::regnamespace
      and has_function_privilege('app_portal', oid, 'execute') and pg_has_role(proowner, 'usage')
  loop
    execute format('revoke all on routine %s from app_portal', found.routine);
  end loop;
  grant execute on function request_customer(), request_user() to app_portal;
  for found in select polname, polrelid::regclass as tab from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'public'::regnamespace
  loop
    execute format('drop policy %I on %s', found.polname, found.tab);
  end loop;
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.cover_performances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    delete from box_office_performances where box_office_report_id = new.id;
  end if;
  if not return_counts(new.status, new.held, new.added, new.replaces_report_id) then
    return null;
  end if;
  if new.status = 'estimated' then
    insert into box_office_performances (performance_id, box_office_report_id)
    select p, new.id from performances_of_return(new.license_id, new.license_venue_id, new.performance_id,
      new.period_from, new.period_to) p
    on conflict do nothing;
  else
    insert into box_office_performances (performance_id, box_office_report_id)
    select p, new.id from performances_of_return(new.license_id, new.license_venue_id, new.performance_id,
      new.period_from, new.period_to) p;
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.customer_renamed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update licenses set customer_id = customer_id where customer_id = new.id;
  update license_applications set customer_id = customer_id where customer_id = new.id;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.end_links_of_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update mail_tokens set used_at = now() where user_id = new.id and used_at is null;
  update email_changes set cancelled_at = now() where user_id = new.id and used_at is null and cancelled_at is null;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ensure_periods(p_division text, p_from date, p_through date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  low date;
  high date;
  first int;
  last int;
  made int;
begin
  if p_from is null or p_through is null or p_from < '1900-01-01' or p_through > '2999-12-31' or p_from > p_through
    then
    perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || coalesce(p_from::text,
      '?') || ' to ' || coalesce(p_through::text, '?'));
  end if;
  perform 1 from divisions where code = p_division for update;
  if not found then perform ledger_refuse('ACCT_DIVISION', p_division); end if;
  select min(starts), max(ends), min(period), max(period) into low, high, first, last
    from periods where division = p_division;
  -- always one unbroken row: what lies between the days asked for and the periods there are comes along, and the days
  -- between a period that does not end with its month and the next month belong to that one
  insert into periods (division, period, starts, ends)
  select p_division, to_char(m, 'YYYYMM')::int, m, coalesce(lead(m) over (order by m), low) - 1
    from (select generate_series(date_trunc('month', p_from::timestamp), low, interval '1 month')::date as m) before
    where to_char(m, 'YYYYMM')::int < first
  union all
  select p_division, to_char(m, 'YYYYMM')::int, case when n = 1 then coalesce(high + 1, m::date) else m::date end,
      (m + interval '1 month -1 day')::date
    from (
      select m, row_number() over (order by m) as n
      from generate_series(date_trunc('month', coalesce(high, p_from)::timestamp), p_through + interval '1 month',
        interval '1 month') series (m)
      where last is null or to_char(m, 'YYYYMM')::int > last) after
    where m <= p_through or (n = 1 and p_through > high);
  get diagnostics made = row_count;
  perform ledger_spread_locks(p_division);
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.erase_person(p_erasure_id bigint, p_by bigint, p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare person users; touched bigint[];
begin
  perform 1 from erasures where id = p_erasure_id and done_at is null and cancelled_at is null
    and requested_by_id <> p_by for update;
  if not found then raise exception 'nobody else asked for this erasure' using errcode = '42501'; end if;
  select u.* into person from users u join erasures x on x.user_id = u.id where x.id = p_erasure_id for update of u;
  perform audit_chain_extend(1000000, true);
  perform set_config('app.erasing', 'on', true);
  with changed as (
    update audit_events a set
      before = erased_content(a.before, a.entity = 'user' and a.entity_id = person.id, person.email),
      after = erased_content(a.after, a.entity = 'user' and a.entity_id = person.id, person.email)
    where (a.entity = 'user' and a.entity_id = person.id and (a.before is not null or a.after is not null))
      or position(person.email in a.before::text) > 0 or position(person.email in a.after::text) > 0
    returning a.id)
  select coalesce(array_agg(id), '{}') into touched from changed;
  update audit_hashes set salt = null where audit_event_id = any (touched);
  perform set_config('app.erasing', '', true);
  insert into erased_events (audit_event_id, erasure_id) select unnest(touched), p_erasure_id
  on conflict do nothing;
  delete from sessions where user_id = person.id;
  delete from notifications where user_id = person.id;
  delete from notification_settings where user_id = person.id;
  delete from customer_users where user_id = person.id;
  delete from staff_group_users where user_id = person.id;
  update mail_tokens set email = 'erased', used_at = coalesce(used_at, p_at) where user_id = person.id;
  update mail_outbox set recipients = array['erased@invalid'], subject = 'Erased', body_text = 'Erased.',
    body_html = null where person.email = any (recipients) and cardinality(recipients) = 1;
  update mail_outbox set recipients = array_replace(recipients, person.email, 'erased@invalid')
    where person.email = any (recipients);
  update users set email = 'erased-' || id || '@invalid', first_name = 'Erased', last_name = 'person',
    password_hash = null, avatar_file_name = null, disabled_at = coalesce(disabled_at, p_at),
    session_epoch = session_epoch + 1, version = version + 1 where id = person.id;
  update erasures set done_at = p_at, done_by_id = p_by where id = p_erasure_id;
  return cardinality(touched);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.erased_content(p_content jsonb, p_own boolean, p_email text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  with plain as (
    select replace(p_content::text, p_email, 'erased')::jsonb as content
  )
  select case when not p_own or jsonb_typeof(content) <> 'object' then content
    else content || coalesce((select jsonb_object_agg(key, 'erased') from jsonb_each(content)
      where key in ('first_name', 'last_name', 'name', 'email', 'phone', 'telephone', 'address', 'avatar_file_name',
        'signer_name') and value <> 'null'::jsonb), '{}'::jsonb) end from plain
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.fold_any_name(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  plain text;
  words text;
begin
  plain := lower(normalize(replace(t, U&'\00B4', ''''), NFKD) collate "und-x-icu");
  -- Soft hyphens and what directs or joins characters without being seen.
  plain := regexp_replace(plain, '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]', '', 'g');
  -- Accents, points and vowel signs that writers leave out.
  plain := regexp_replace(plain,
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670'
    '\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g');
  plain := translate(replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħıŧŋƒς', 'olddhitnfσ');
  words := translate(plain, U&'''\0060\2018\2019\201A\201B\2032\2035\02B9\02BB\02BC\02BD\02C8\02CA\02CB\05F3', '');
  -- What parts words: punctuation, symbols, spaces, control characters.
  words := regexp_replace(replace(words, '&', ' and '),
    '[\u0001-\u002d\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9'
    '\u00bb-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05c6\u060c\u061b\u061f\u066a-\u066d\u06d4'
    '\u0964\u0965\u2000-\u206f\u20a0-\u20bf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3006'
    '\u3008-\u3020\u3030\ufe30-\ufe6f\ufeff\ufffd]', ' ', 'g');
  -- H.M.S., J. B.
  words := regexp_replace(words,
    '(?<![^ .])([^0-9 .])\.(?:(?=[^0-9 .][ .]|[^0-9 .]$)| +(?=[^0-9 .]\.))', '\1', 'g');
  words := btrim(regexp_replace(words, '[. ]+', ' ', 'g'), ' ');
  if words = '' then
    return btrim(regexp_replace(plain, '[\u0001-\u0020\u00a0\u2000-\u200a\u3000]+', ' ', 'g'), ' ');
  end if;
  words := regexp_replace(words, '(?<=[0-9]) (?=[0-9])', '', 'g');
  -- WC2B 4DF, K1A 0B1, 1012 AB.
  words := regexp_replace(words, '(?<![^ ])([a-z]{1,2}[0-9][a-z0-9]?) ([0-9][a-z]{2})(?![^ ])', '\1\2', 'g');
  words := regexp_replace(words, '(?<![^ ])([a-z][0-9][a-z]) ([0-9][a-z][0-9])(?![^ ])', '\1\2', 'g');
  return regexp_replace(words, '(?<![^ ])([0-9]{4}) ([a-z]{2})(?![^ ])', '\1\2', 'g');
end
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.fold_name(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if t ~ '^[A-Za-z]+( [A-Za-z]+)*$' then return lower(t collate "C"); end if;
  return public.fold_any_name(t);
end
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.follow_performance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from box_office_performances where performance_id = new.id;
  if new.status in ('planned', 'performed') then
    insert into box_office_performances (performance_id, box_office_report_id)
    select new.id, b.id from box_office_reports b
    where b.license_id = new.license_id and (b.license_venue_id is null or b.license_venue_id = new.license_venue_id)
      and (b.performance_id is null and new.local_date between b.period_from and b.period_to
        or b.performance_id = new.id)
      and return_counts(b.status, b.held, b.added, b.replaces_report_id)
    order by b.status = 'estimated', b.id limit 1
    on conflict do nothing;
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.follow_royalty_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update royalty_payment_conversions set live = new.status in ('draft', 'approved', 'posted', 'cleared')
  where payment_id = new.id and live <> (new.status in ('draft', 'approved', 'posted', 'cleared'));
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.goods_receipt_line_holds(p_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  l goods_receipt_lines;
  r goods_receipts;
  taken bigint;
begin
  select * into l from goods_receipt_lines where id = p_id for update;
  select * into r from goods_receipts where id = l.goods_receipt_id;
  select coalesce(sum(x.cleared_quantity), 0) into taken from bill_lines x join bills b on b.id = x.bill_id
    where x.goods_receipt_line_id = p_id and b.status <> 'void' and b.deleted_at is null;
  if taken > l.quantity - l.returned_quantity then
    raise exception 'goods receipt line %: % billed of %', p_id, taken, l.quantity - l.returned_quantity
      using errcode = '23514', constraint = 'goods_receipt_line_billed';
  end if;
  if exists (select 1 from bill_lines x join bills b on b.id = x.bill_id where x.goods_receipt_line_id = p_id
      and b.status <> 'void' and b.deleted_at is null and ((b.vendor_id, b.division, b.currency::text, b.kind)
        is distinct from (r.vendor_id, r.division, r.currency::text, 'bill')
        or x.cleared_minor <> x.cleared_quantity * l.unit_cost_minor)) then
    raise exception 'goods receipt line %: a bill of another vendor, division or currency', p_id
      using errcode = '23514', constraint = 'goods_receipt_line_bill';
  end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_contract_template()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  free text[] := array['status', 'approved_at', 'approved_by_id', 'counsel', 'version', 'updated_at'];
begin
  if old.status = 'draft' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or (to_jsonb(new) - free) <> (to_jsonb(old) - free)
      or (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
      or (old.status, new.status) not in (('in_use', 'in_use'), ('in_use', 'retired'), ('retired', 'retired')) then
    raise exception 'contract template % has been in use: write a new version', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_expected_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'expected' then
    raise exception 'box-office report % is %: it is never deleted', old.id, old.status using errcode = '23514';
  end if;
  return old;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  free text[] := array['status', 'paid_minor', 'credited_minor', 'written_off_minor', 'document_id', 'sha256',
    'open_item_id', 'transaction_id', 'version', 'updated_at', 'balance_minor', 'search_text'];
  taken_back text[] := free || array['invoice_number', 'reference', 'voided_at', 'void_reason'];
begin
  if old.opening_set_id is not null and old.status in ('issued', 'paid') and new.status = 'void' then
    -- Its number is free for the corrected file.
    if old.balance_minor <> old.total_minor - old.prepaid_net_minor
      or new.transaction_id is distinct from old.transaction_id
      or (new.paid_minor, new.credited_minor, new.written_off_minor) is distinct from (0, 0, 0)
      or (to_jsonb(new) - taken_back) <> (to_jsonb(old) - taken_back)
      or not exists (select 1 from transactions where id = old.transaction_id and status = 'reversed')
      or exists (select 1 from release_schedule r join invoice_items i on i.id = r.invoice_item_id
        where i.invoice_id = old.id and r.status = 'released') then
      raise exception 'invoice % is taken back with its set', old.invoice_number using errcode = '23514';
    end if;
    return new;
  end if;
  if (old.invoice_number is not null or (old.opening_set_id is not null and old.status = 'void'))
    and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'invoice % is issued: cancel it by a credit note', old.invoice_number using errcode = '23514';
  end if;
  if old.sha256 is not null and (new.sha256, new.document_id) is distinct from (old.sha256, old.document_id)
    or old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'invoice %: its document and its posting stay', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_invoice_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'void' or old.invoice_number is not null or old.transaction_id is not null then
    raise exception 'invoice %: only a voided draft is deleted', old.id using errcode = '23514';
  end if;
  return old;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_invoice_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owner bigint := case tg_op when 'DELETE' then old.invoice_id else new.invoice_id end;
begin
  if (select invoice_number from invoices where id = owner) is not null then
    if tg_op <> 'UPDATE' then
      raise exception 'invoice % is issued: its lines stay', owner using errcode = '23514';
    end if;
    if (to_jsonb(new) - array['applied_minor', 'updated_at']) <> (to_jsonb(old) - array['applied_minor',
      'updated_at'])
    then
      raise exception 'invoice % is issued: its lines stay', owner using errcode = '23514';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_license_phase()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.phase, new.phase) not in (('draft', 'sent'), ('sent', 'draft'), ('sent', 'accepted'), ('sent', 'expired'),
    ('sent', 'declined'), ('expired', 'draft'), ('declined', 'draft'), ('accepted', 'licensed'), ('accepted', 'sent'),
    ('accepted', 'expired'), ('licensed', 'in_production'), ('in_production', 'settlement'), ('settlement', 'closed'),
    ('closed', 'settlement'), ('draft', 'cancelled'), ('sent', 'cancelled'), ('accepted', 'cancelled'),
    ('licensed', 'cancelled')) then
    raise exception 'license %: no way from % to %', old.id, old.phase, new.phase using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_local_tax_rate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  free text[] := array['valid_to', 'is_seeded', 'version', 'updated_at'];
begin
  if (to_jsonb(new) - free) <> (to_jsonb(old) - free)
    and exists (select 1 from invoice_tax_lines where local_tax_rate_id = old.id) then
    raise exception 'local tax rate % is in use: end it and enter another', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_material()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.used_at is not null and (tg_op = 'DELETE' or new.item_number <> old.item_number) then
    raise exception 'material % is used: its item number stays', old.item_number using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  free text[] := array['status', 'applied_minor', 'transaction_id', 'reversal_transaction_id', 'reversal_reason',
    'returned_on', 'value_on', 'memo', 'version', 'updated_at', 'unapplied_minor', 'customer_id', 'royaltor_id',
    'vendor_id', 'outcome', 'outcome_on', 'bank_reference'];
begin
  if old.posted_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % is posted: reverse it', old.number using errcode = '23514';
  end if;
  if old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'payment %: its posting stays', old.number using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_rate_card()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then
      raise exception 'rate card % is %: only a draft may be deleted', old.id, old.status using errcode = '23514';
    end if;
    return old;
  end if;
  if old.status <> 'draft' and (to_jsonb(new) - array['status', 'effective_to', 'version', 'updated_at'])
      <> (to_jsonb(old) - array['status', 'effective_to', 'version', 'updated_at']) then
    raise exception 'rate card % is %: make a new one', old.id, old.status using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_rate_card_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  card bigint := case tg_op when 'DELETE' then old.rate_card_id else new.rate_card_id end;
begin
  if (select status from rate_cards where id = card) <> 'draft' then
    raise exception 'rate card % is not a draft: its rows no longer change', card using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_royalty_accrual()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  free text[] := array['cost_on', 'due_on', 'cost_transaction_id', 'due_transaction_id', 'statement_id',
    'updated_at'];
begin
  if (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'royalty accrual % is never edited: mirror it', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_royalty_conversion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  free text[] := array['live', 'updated_at'];
begin
  if old.settled_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % was converted on its day: return it instead', old.payment_id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_royalty_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status not in ('draft', 'calculated') then
    raise exception 'statement % is %: correct it in the next one', old.id, old.status using errcode = '23514';
  end if;
  return old;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_signature()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  zone text;
  sent_on date;
begin
  if tg_op = 'UPDATE' then
    if old.executed_file_id is not null and (new.executed_file_id, new.document_sha256)
        is distinct from (old.executed_file_id, old.document_sha256) then
      raise exception 'signature % is sealed: its executed copy stays', old.id using errcode = '23514';
    end if;
    return new;
  end if;
  if new.method = 'wet' then
    select d.timezone, (l.offer_sent_at at time zone d.timezone)::date into zone, sent_on
    from licenses l join divisions d on d.code = l.division where l.id = new.license_id;
    if new.signed_on < sent_on or new.signed_on > (new.created_at at time zone zone)::date then
      raise exception 'signature on paper dated %, outside the time since the offer', new.signed_on
        using errcode = '23514';
    end if;
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_statement_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from royalty_statements where id = old.royalty_statement_id
      and status not in ('draft', 'calculated')) then
    raise exception 'the lines of statement % stay', old.royalty_statement_id using errcode = '23514';
  end if;
  return old;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.guard_tax_service_refunds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sale tax_service_transactions;
  back record;
begin
  select * into sale from tax_service_transactions where id = coalesce(new.order_id, new.id) for update;
  select coalesce(sum(r.amount_minor), 0) as amount, coalesce(sum(r.shipping_minor), 0) as shipping,
    coalesce(sum(r.sales_tax_minor), 0) as tax, count(*) as refunds
    into back from tax_service_transactions r where r.order_id = sale.id and r.removed_at is null;
  if back.refunds > 0 and (sale.kind <> 'order' or sale.removed_at is not null
    or sale.amount_minor + back.amount < 0 or sale.shipping_minor + back.shipping < 0
    or sale.sales_tax_minor + back.tax < 0) then
    raise exception 'refunds of order % come to more than the order', sale.reference using errcode = '23514',
      constraint = 'tax_service_refunds_within_order';
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.has_two_factor(person bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from totp_factors where user_id = person and secret_encrypted is not null)
    or exists (select from passkeys where user_id = person)
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.house_tables(VARIADIC tabs text[])
 LANGUAGE plpgsql
AS $procedure$
begin
  insert into table_access (table_name, class) select unnest(tabs), 'house';
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.iban_holds(iban text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog'
AS $function$
  select case when iban !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' then false else (
    select string_agg(case when sign ~ '[0-9]' then sign else (ascii(sign) - 55)::text end, ''
      order by place)::numeric % 97 = 1
    from regexp_split_to_table(substr(iban, 5) || left(iban, 4), '') with ordinality as signs (sign, place)) end
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.is_deduction_list(list jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_typeof(list) = 'array' and not exists (select 1 from jsonb_array_elements(list) e
    where jsonb_typeof(e) <> 'object' or e ->> 'type' is null or (jsonb_typeof(e -> 'cap_ppm') = 'number'
      and (e ->> 'cap_ppm')::numeric between 0 and 1000000) is not true)
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.is_division_set(codes text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select codes <@ array['US', 'EU', 'UK', 'PROD']
    and cardinality(codes) = (select count(distinct c) from unnest(codes) c)
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.is_postal_address(a jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_typeof(a) = 'object'
    and a ?& array['country_code', 'thoroughfare', 'locality', 'administrative_area', 'postal_code']
    and a - array['country_code', 'thoroughfare', 'premise', 'locality', 'administrative_area', 'postal_code'] = '{}'
    and not jsonb_path_exists(a, '$.* ? (@.type() != "string")')
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.journal_entry_holds(e journal_entries)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  broken text;
begin
  if e.line_no >= 1 and e.amount_minor = e.base_amount_minor and e.amount_minor <> 0 and e.fx_rate is null
      and e.memo is null and e.amount_minor between -1000000000000 and 1000000000000
      and (e.party_id is null and e.party_type is null or e.party_id is not null and e.party_type in ('customer',
        'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division')) then
    return true;
  end if;
  broken := case
    when e.line_no < 1 then 'journal_entries_line_no_check'
    when e.amount_minor not between -1000000000000 and 1000000000000 then 'journal_entries_amount_minor_check'
    when e.base_amount_minor not between -1000000000000 and 1000000000000 then 'journal_entries_base_amount_minor_check'
    when e.amount_minor = 0 and e.base_amount_minor = 0 then 'journal_entries_check'
    when (e.amount_minor > 0) <> (e.base_amount_minor > 0) and e.amount_minor <> 0 and e.base_amount_minor <> 0
      then 'journal_entries_check1'
    when (e.party_type is null) <> (e.party_id is null) then 'journal_entries_check2'
    when e.party_type not in ('customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division')
      then 'journal_entries_party_type_check'
    when e.fx_rate <= 0 then 'journal_entries_fx_rate_check'
    when length(e.memo) > 500 then 'journal_entries_memo_check' end;
  return broken is null or refuse_row('journal_entries', broken);
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_add_balances(ids bigint[], p_actor bigint, p_action text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into ledger_fold_queue (transaction_id) select id from unnest(ids) u (id);
  insert into open_items (journal_entry_id, transaction_id, division, ledger_account_id, party_type, party_id,
    currency,
    document_type, document_id, opened_on, due_date, original_minor, original_base_minor, open_minor, open_base_minor)
  select e.id, e.transaction_id, e.division, e.ledger_account_id, e.party_type, e.party_id, e.currency, t.source_type,
    t.source_id, e.transaction_at, coalesce(e.due_date, e.transaction_at), e.amount_minor, e.base_amount_minor,
    e.amount_minor, e.base_amount_minor
  from journal_entries e join transactions t on t.id = e.transaction_id join ledger_accounts a
    on a.id = e.ledger_account_id
  where e.transaction_id = any (ids) and a.has_open_items and e.amount_minor <> 0 order by e.id;
  insert into ledger_chain_queue (transaction_id) select id from unnest(ids) u (id);
  insert into audit_events (actor_id, action, entity, entity_id) select p_actor, p_action, 'transaction',
    id from unnest(ids) u (id);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_add_period(p_division text, p_period integer, p_starts date, p_ends date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  high date;
begin
  perform 1 from divisions where code = p_division for update;
  select max(ends) into high from periods where division = p_division;
  if p_starts is distinct from coalesce(high + 1, p_starts) or p_ends < p_starts then
    perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || p_period || ' must begin on ' ||
      coalesce((high + 1)::text, 'its first day'));
  end if;
  insert into periods (division, period, starts, ends) values (p_division, p_period, p_starts, p_ends);
  perform ledger_spread_locks(p_division);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_allocate(p_debit_item bigint, p_credit_item bigint, p_amount bigint, p_at date, p_actor bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  d open_items;
  c open_items;
  d_base bigint;
  c_base bigint;
  made bigint := nextval(pg_get_serial_sequence('allocations', 'id'));
  fx bigint;
begin
  perform ledger_lock_items(p_debit_item, p_credit_item);
  select * into d from open_items where id = p_debit_item;
  select * into c from open_items where id = p_credit_item;
  if d.id is null or c.id is null or d.original_minor < 0 or c.original_minor > 0
      or (d.ledger_account_id, d.party_type, d.party_id, d.currency)
        is distinct from (c.ledger_account_id, c.party_type, c.party_id, c.currency) then
    perform ledger_refuse('ACCT_ALLOCATION', 'items ' || p_debit_item || ' and ' || p_credit_item ||
      ' do not belong together');
  end if;
  if p_amount is null or p_amount <= 0 or p_amount > d.open_minor or p_amount > -c.open_minor then
    perform ledger_refuse('ACCT_OVER_APPLIED', coalesce(p_amount, 0) || ' of ' || d.open_minor || ' and ' ||
      -c.open_minor);
  end if;
  if p_at is null or p_at < d.opened_on or p_at < c.opened_on then
    perform ledger_refuse('ACCT_ALLOCATION', 'an item is applied on or after its own date');
  end if;
  perform ledger_gate(d.division, 'fx', p_at, p_actor);
  d_base := ledger_item_base(d, p_amount);
  c_base := ledger_item_base(c, p_amount);
  fx := ledger_post_difference(d, d_base - c_base, p_at, made, p_actor);
  insert into allocations (id, debit_item_id, credit_item_id, amount_minor, debit_base_minor, credit_base_minor,
    fx_transaction_id, allocated_at, allocated_by) overriding system value
  values (made, d.id, c.id, p_amount, d_base, c_base, fx, p_at, p_actor);
  update open_items set open_minor = open_minor - p_amount, open_base_minor = open_base_minor - d_base,
    version = version + 1, updated_at = now() where id = d.id;
  update open_items set open_minor = open_minor + p_amount, open_base_minor = open_base_minor + c_base,
    version = version + 1, updated_at = now() where id = c.id;
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_ask_day(p_division text, p_kind text, p_at date, p_actor bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform ledger_gate(p_division, p_kind, p_at, p_actor);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_chain_extend(p_limit integer DEFAULT 1000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  t record;
  prev record;
  made int := 0;
begin
  lock table ledger_chain in share row exclusive mode;
  for t in
    with taken as (
      delete from ledger_chain_queue where ctid = any (array(select ctid from ledger_chain_queue order by
        transaction_id limit p_limit))
      returning transaction_id)
    select x.id, x.division from taken join transactions x on x.id = taken.transaction_id order by x.id
  loop
    select seq, hash into prev from ledger_chain where division = t.division order by seq desc limit 1;
    insert into ledger_chain (division, seq, transaction_id, prev_hash, hash)
    values (t.division, coalesce(prev.seq, 0) + 1, t.id, coalesce(prev.hash, ''::bytea),
      sha256(coalesce(prev.hash, ''::bytea) || convert_to(ledger_chain_text(t.id), 'UTF8')));
    made := made + 1;
  end loop;
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_chain_head(t transactions)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws('|', t.id, t.division, t.kind, t.transaction_at, t.period, t.currency, t.source_type, t.source_id,
    t.source_event, t.source_attempt, t.reverses_id, t.intercompany_group_id, t.description,
    to_char(t.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), t.posted_by)
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_chain_line(e journal_entries)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws('|', e.id, e.line_no, e.ledger_account_id, e.currency, e.amount_minor, e.base_amount_minor,
    e.fx_rate,
    e.party_type, e.party_id)
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_chain_text(p_id bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select ledger_chain_head(t) || E'\n' || (select string_agg(ledger_chain_line(e), E'\n' order by e.line_no)
    from journal_entries e where e.transaction_id = t.id)
  from transactions t where t.id = p_id
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_check_attempt(p_type text, p_id bigint, p_event text, p_attempt integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from transactions where source_type = p_type and source_id = p_id and source_event = p_event
    and source_attempt = p_attempt - 1 and status = 'reversed';
  if not found then
    perform ledger_refuse('ACCT_ATTEMPT', format('%s %s %s: attempt %s is not reversed', p_type, p_id, p_event,
      p_attempt - 1));
  end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_check_currencies(p_id bigint, p_functional text, p_may_differ boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  wrong text;
begin
  select currency into wrong from journal_entries where transaction_id = p_id and currency <> p_functional
    and not exists (select 1 from currencies c where c.code = currency) limit 1;
  if found then perform ledger_refuse('ACCT_LINE', 'unknown currency ' || wrong); end if;
  if p_may_differ then return; end if;
  select currency into wrong from journal_entries where transaction_id = p_id and currency <> p_functional
    group by currency having sum(amount_minor) <> 0 limit 1;
  if found then perform ledger_refuse('ACCT_CURRENCY_UNBALANCED', wrong); end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_check_group(p_group bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  members int;
begin
  select count(distinct division) into members from transactions
    where intercompany_group_id = p_group and status in ('posted', 'reversed');
  if members <> 2 then
    perform ledger_refuse('ACCT_INTERCOMPANY', 'group ' || p_group || ' has postings in ' || members ||
      ' division(s), not two');
  end if;
  perform 1 from transactions t join journal_entries e on e.transaction_id = t.id
    join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('due_from', 'due_to')
    where t.intercompany_group_id = p_group and t.status in ('posted', 'reversed')
    group by e.currency having sum(e.amount_minor) <> 0;
  if found then perform ledger_refuse('ACCT_INTERCOMPANY', 'group ' || p_group || ': the two sides differ'); end if;
  perform 1 from transactions t join journal_entries e on e.transaction_id = t.id
    join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('due_from', 'due_to')
    where t.intercompany_group_id = p_group and t.status in ('posted', 'reversed') and e.party_type = 'division'
      and e.party_id not in (select d.id from transactions o join divisions d on d.code = o.division
        where o.intercompany_group_id = p_group and o.division <> t.division);
  if found then perform ledger_refuse('ACCT_INTERCOMPANY', 'group ' || p_group || ': a line names another division');
    end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_check_reversal(p_id bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  mirror transactions;
  original transactions;
begin
  select * into mirror from transactions where reverses_id = p_id and status in ('posted', 'reversed');
  if not found and (select status from transactions where id = p_id) = 'reversed' then
    perform ledger_refuse('ACCT_NO_REVERSAL', 'transaction ' || p_id || ' is marked reversed by nothing');
  end if;
  select * into mirror from transactions where id = p_id;
  if mirror.reverses_id is null then return; end if;
  select * into original from transactions where id = mirror.reverses_id;
  if original.status <> 'reversed' or original.division <> mirror.division then
    perform ledger_refuse('ACCT_NO_REVERSAL', 'transaction ' || p_id || ' reverses ' || original.id
      || ', which is ' || original.status || ' in ' || original.division);
  end if;
  perform 1 from journal_entries where transaction_id in (p_id, original.id)
    group by ledger_account_id, currency, party_type, party_id
    having sum(amount_minor) <> 0 or sum(base_amount_minor) <> 0;
  if found then perform ledger_refuse('ACCT_NOT_A_MIRROR', 'transaction ' || p_id || ' of ' || original.id); end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_document(p_type text, p_id bigint)
 RETURNS TABLE(kind text, id bigint, number text)
 LANGUAGE sql
 STABLE
AS $function$
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id,
      coalesce(i.invoice_number, i.reference)
    from invoices i where p_type = 'invoice' and i.id = p_id
  union all
  select case p.kind when 'receipt' then 'receipt' when 'refund' then 'refund' when 'royalty' then 'royalty_payment'
      when 'royalty_advance' then 'royalty_payment' else 'payment' end,
      coalesce(p.royalty_payment_batch_id, p.id), p.number
    from payments p where p_type = 'payment' and p.id = p_id
  union all
  select 'royalty_statement', s.id, s.number from royalty_statements s
    where p_type = 'royalty_statement' and s.id = p_id
  union all
  select 'deposit', l.id, coalesce(l.license_number, l.number) from deposits d join licenses l on l.id = d.license_id
    where p_type = 'deposit' and d.id = p_id
  union all
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id, i.invoice_number
    from invoice_items t join invoices i on i.id = t.invoice_id
    where p_type in ('invoice_item', 'credit_item') and t.id = p_id
  union all
  select 'invoice', i.id, i.invoice_number
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where p_type = 'release_schedule' and r.id = p_id
  union all
  select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'payment_allocation' and a.id = p_id
  union all
  (select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'allocation' and a.ledger_allocation_id = p_id limit 1)
  union all
  select 'license', l.id, coalesce(l.license_number, l.number)
    from invoice_items t join invoices i on i.id = t.invoice_id join licenses l on l.id = i.license_id
    where p_type = 'license_close_item' and t.id = p_id
  union all
  select 'royaltor', r.id, r.name from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where p_type = 'show_royaltor' and g.id = p_id
  union all
  select case b.kind when 'credit' then 'vendor_credit' else 'bill' end, b.id, b.number
    from bills b where p_type = 'bill' and b.id = p_id
  union all
  select 'bank_account', b.id, b.name from bank_accounts b where p_type = 'bank_account' and b.id = p_id
  union all
  select 'bank_transfer', t.id, t.number from bank_transfers t where p_type = 'bank_transfer' and t.id = p_id
  union all
  select 'deposit_slip', s.id, s.number from deposit_slips s where p_type = 'deposit_slip' and s.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_advance' and a.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_reserves v join show_royaltors g on g.id = v.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_reserve' and v.id = p_id
  union all
  select 'opening_set', s.id, s.division || ', ' || s.as_of from opening_sets s
    where p_type = 'opening_set' and s.id = p_id
  union all
  select 'revaluation', r.id, r.division || ' ' || r.revalued_on
    from revaluations r where p_type = 'revaluation' and r.id = p_id
  union all
  select 'goods_receipt', r.id, r.number from goods_receipts r where p_type = 'goods_receipt' and r.id = p_id
  union all
  select 'goods_receipt', r.id, r.number from goods_returns g join goods_receipt_lines l
      on l.id = g.goods_receipt_line_id join goods_receipts r on r.id = l.goods_receipt_id
    where p_type = 'goods_return' and g.id = p_id
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_fault(p_id bigint, p_tax_locked boolean DEFAULT false)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  with l as (
    select e.*, d.functional_currency, k.currency_may_differ, ledger_line_fault(a, d.functional_currency,
      k.is_manual, p_tax_locked,
      e.currency, e.amount_minor, e.base_amount_minor, e.party_type, e.tax_code_id) || ' line ' || e.line_no || ' '
        || a.code as fault
    from journal_entries e join transactions t on t.id = e.transaction_id join divisions d on d.code = t.division
      join transaction_kinds k on k.kind = t.kind join ledger_accounts a on a.id = e.ledger_account_id
    where e.transaction_id = p_id)
  select coalesce(
    (select min(fault) from l),
    (select case when coalesce(sum(base_amount_minor), 0) <> 0 then 'ACCT_UNBALANCED by ' || sum(base_amount_minor)
      || ' minor units'
      when count(*) < 2 then 'ACCT_TOO_FEW_LINES ' || count(*) || ' line(s)' end from l),
    (select min('ACCT_CURRENCY_UNBALANCED ' || x.currency) from (select currency from l
      where currency <> functional_currency and not currency_may_differ group by currency having sum(amount_minor) <>
        0) x))
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_lines(p_id bigint, p_accounts text[], p_currencies text[], p_amounts bigint[], p_bases bigint[], p_party_types text[], p_party_ids bigint[], p_fx_rates numeric[], p_tax_code_ids bigint[], p_tax_bases bigint[], p_due_dates date[], p_memos text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  t transactions;
  unknown text;
begin
  select * into t from transactions where id = p_id;
  select min(u.code) into unknown from unnest(p_accounts) u (code)
    where not exists (select 1 from ledger_accounts a where a.division = t.division and a.code = u.code
      and a.deleted_at is null);
  if unknown is not null then perform ledger_refuse('ACCT_ACCOUNT_UNKNOWN', t.division || ' ' || unknown); end if;
  select min(u.code) into unknown from unnest(p_currencies) u (code) where not exists (select 1 from currencies c
    where c.code = u.code);
  if unknown is not null then perform ledger_refuse('ACCT_LINE', 'unknown currency ' || unknown); end if;
  delete from journal_entries where transaction_id = p_id;
  insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id, currency,
    amount_minor, base_amount_minor, party_type, party_id, fx_rate, tax_code_id, tax_base_minor, due_date, memo)
  select p_id, u.n, t.division, t.transaction_at, t.period, a.id, u.currency, u.amount, u.base, u.party_type,
    u.party_id,
    u.fx_rate, u.tax_code_id, u.tax_base, u.due_date, u.memo
  from unnest(p_accounts, p_currencies, p_amounts, p_bases, p_party_types, p_party_ids, p_fx_rates, p_tax_code_ids,
    p_tax_bases, p_due_dates, p_memos) with ordinality
    u (account, currency, amount, base, party_type, party_id, fx_rate, tax_code_id, tax_base, due_date, memo, n)
  join ledger_accounts a on a.division = t.division and a.code = u.account;
  update transactions set
    has_posting_discrepencies = ledger_draft_fault(p_id) is not null,
    currency = coalesce(p_currencies[1], currency),
    total_minor = coalesce((select sum(base_amount_minor) from journal_entries where transaction_id = p_id
      and base_amount_minor > 0), 0),
    direction = coalesce((select case when sum(e.base_amount_minor) > 0 then 'in' when sum(e.base_amount_minor) < 0
      then 'out' end
      from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
        where e.transaction_id = p_id), 'neutral')
  where id = p_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_lock(p_id bigint, p_version integer)
 RETURNS transactions
 LANGUAGE plpgsql
AS $function$
declare
  t transactions;
begin
  select * into t from transactions where id = p_id for update;
  if t.status is distinct from 'draft' then
    perform ledger_refuse('ACCT_STATUS', coalesce(t.status, 'unknown') || ' transaction ' || p_id || ' is no draft');
  end if;
  if p_version is not null and t.version <> p_version then
    perform ledger_refuse('ACCT_VERSION', 'draft ' || p_id || ' is at version ' || t.version);
  end if;
  return t;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_post(p_id bigint, p_version integer, p_actor bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  g record;
  t transactions;
  fault text;
begin
  t := ledger_draft_lock(p_id, p_version);
  if t.deleted_at is not null then perform ledger_refuse('ACCT_STATUS', 'draft ' || p_id || ' is in the trash'); end
    if;
  g := ledger_gate(t.division, t.kind, t.transaction_at, p_actor);
  if exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
      where e.transaction_id = p_id) then
    perform ledger_hold_cash(t.division, t.transaction_at, p_actor);
  end if;
  fault := ledger_draft_fault(p_id, g.tax_locked);
  if fault is not null then perform ledger_refuse(split_part(fault, ' ', 1), substr(fault, strpos(fault, ' ') + 1));
    end if;
  update transactions set status = 'posted', posted_at = now(), posted_by = p_actor,
    has_posting_discrepencies = false, version = version + 1 where id = p_id;
  perform ledger_add_balances(array[p_id], p_actor, 'post');
  perform ledger_number_journal(p_id);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_purge(p_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
begin
  perform 1 from transactions where id = p_id and status in ('draft', 'void') and deleted_at is not null for update;
  if not found then perform ledger_refuse('ACCT_IMMUTABLE', 'only a draft in the trash is purged, not ' || p_id); end
    if;
  delete from journal_entries where transaction_id = p_id;
  delete from transactions where id = p_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_save(p_id bigint, p_version integer, p_division text, p_kind text, p_at date, p_description text, p_memo text, p_actor bigint, p_accounts text[], p_currencies text[], p_amounts bigint[], p_bases bigint[], p_party_types text[] DEFAULT NULL::text[], p_party_ids bigint[] DEFAULT NULL::bigint[], p_fx_rates numeric[] DEFAULT NULL::numeric[], p_tax_code_ids bigint[] DEFAULT NULL::bigint[], p_tax_bases bigint[] DEFAULT NULL::bigint[], p_due_dates date[] DEFAULT NULL::date[], p_memos text[] DEFAULT NULL::text[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  g record;
  t transactions;
begin
  g := ledger_gate(p_division, p_kind, p_at, p_actor);
  if p_id is null then
    insert into transactions (division, kind, status, transaction_at, period, currency, description, memo, created_by)
      values (p_division, p_kind, 'draft', p_at, g.period, g.functional, coalesce(p_description, ''),
        coalesce(p_memo, ''), p_actor)
      returning * into t;
  else
    t := ledger_draft_lock(p_id, p_version);
    if t.division <> p_division then perform ledger_refuse('ACCT_IMMUTABLE', 'division of draft ' || p_id); end if;
    update transactions set kind = p_kind, transaction_at = p_at, period = g.period,
      description = coalesce(p_description, ''),
      memo = coalesce(p_memo, ''), version = version + 1 where id = p_id;
  end if;
  perform ledger_draft_lines(t.id, p_accounts, p_currencies, p_amounts, p_bases, p_party_types, p_party_ids,
    p_fx_rates,
    p_tax_code_ids, p_tax_bases, p_due_dates, p_memos);
  return t.id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_trash(p_id bigint, p_in_trash boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  st text;
begin
  select status into st from transactions where id = p_id for update;
  if st is null or st not in ('draft', 'void') then
    perform ledger_refuse('ACCT_IMMUTABLE', coalesce(st, 'unknown') || ' transaction ' || p_id ||
      '; credit or reverse it');
  end if;
  update transactions set deleted_at = case when p_in_trash then now() end where id = p_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_draft_void(p_id bigint, p_version integer, p_actor bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
begin
  perform ledger_draft_lock(p_id, p_version);
  update transactions set status = 'void', version = version + 1 where id = p_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_excepted(p_division text, p_sub_ledger text, p_actor bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select 1 from lock_exceptions where user_id = p_actor and division = p_division
    and sub_ledger = p_sub_ledger and until > now() and revoked_at is null)
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_fiscal_year(p_division text, p_at date)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select (extract(year from p_at)::int + case when d.fiscal_year_start_month > 1
    and extract(month from p_at) >= d.fiscal_year_start_month then 1 else 0 end)::text
  from divisions d where d.code = p_division
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_flag_discrepancies(p_ids bigint[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  changed bigint;
begin
  update transactions set has_posting_discrepencies = (id = any (p_ids))
    where status in ('posted', 'reversed') and has_posting_discrepencies <> (id = any (p_ids))
      and (has_posting_discrepencies or id = any (p_ids));
  get diagnostics changed = row_count;
  return changed;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_fold(p_limit integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  taken int;
begin
  with taken as (
    delete from ledger_fold_queue where ctid = any (array(
      select ctid from ledger_fold_queue limit p_limit for update skip locked))
    returning transaction_id
  ), e as materialized (
    select e.division, e.ledger_account_id, e.currency, e.period, e.party_type, e.party_id, e.amount_minor,
      e.base_amount_minor
    from taken join journal_entries e on e.transaction_id = taken.transaction_id
  ), b as (
    insert into ledger_balances_folded as b (division, ledger_account_id, currency, period, debit_minor, credit_minor,
      base_debit_minor, base_credit_minor, entries)
    select division, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
      sum(greatest(-amount_minor, 0)), sum(greatest(base_amount_minor, 0)), sum(greatest(-base_amount_minor, 0)),
      count(*)
    from e group by ledger_account_id, period, currency, division
    order by ledger_account_id, period, currency, division
    on conflict (ledger_account_id, currency, period) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  ), p as (
    insert into party_balances_folded as b (party_type, party_id, ledger_account_id, currency, period, debit_minor,
      credit_minor, base_debit_minor, base_credit_minor, entries)
    select party_type, party_id, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
      sum(greatest(-amount_minor, 0)), sum(greatest(base_amount_minor, 0)), sum(greatest(-base_amount_minor, 0)),
      count(*)
    from e where party_id is not null
    group by party_id, ledger_account_id, period, currency, party_type
    order by party_id, ledger_account_id, period, currency, party_type
    on conflict (party_type, party_id, ledger_account_id, currency, period) do update set
      debit_minor = b.debit_minor + excluded.debit_minor, credit_minor = b.credit_minor + excluded.credit_minor,
      base_debit_minor = b.base_debit_minor + excluded.base_debit_minor,
      base_credit_minor = b.base_credit_minor + excluded.base_credit_minor, entries = b.entries + excluded.entries
  )
  select count(*) into taken from taken;
  return taken;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_fold(t text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select replace(replace(replace(replace(replace(lower(translate(normalize(t, NFKD),
    U&'\0141\0142\0110\0111\2010\2011\2012\2013\2014\2015\2212\00A0\2009\202F'
      '''\0060\00B4\2018\2019\201A\201B\2032\02BC"\201C\201D\201E.'
      '\0300\0301\0302\0303\0304\0306\0307\0308\030A\030B\030C\0323\0327\0328\00AD\200B\200E\200F',
    'LlDd-------   ')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), ' & ', ' and ')
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_gate(p_division text, p_kind text, p_at date, p_actor bigint, OUT period integer, OUT functional text, OUT may_differ boolean, OUT manual boolean, OUT tax_locked boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  g record;
begin
  select d.functional_currency, k.currency_may_differ, k.is_manual, k.sub_ledger, p.*,
      case k.sub_ledger when 'sales' then p.sales_locked_through when 'purchase' then p.purchase_locked_through
        when 'tax' then p.tax_locked_through when 'bank' then p.bank_locked_through end as locked_through
    into g
    from divisions d, transaction_kinds k, lateral (
      select s.period, s.starts, s.ends, s.state, s.hard_locked_through, s.sales_locked_through,
        s.purchase_locked_through, s.tax_locked_through, s.bank_locked_through
      from periods s where s.division = d.code and s.starts <= p_at order by s.starts desc limit 1 for key share) p
    where d.code = p_division and k.kind = p_kind;
  if not found or g.ends < p_at or p_at is null then
    if not exists (select 1 from divisions where code = p_division) then
      perform ledger_refuse('ACCT_DIVISION', coalesce(p_division, 'null'));
    elsif not exists (select 1 from transaction_kinds where kind = p_kind) then
      perform ledger_refuse('ACCT_KIND', coalesce(p_kind, 'null'));
    end if;
    perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || coalesce(p_at::text, 'without a date'));
  end if;
  -- coalesce first: "null and not excepted" would look the exception up on every posting
  if g.state = 'closed' or coalesce(p_at <= g.hard_locked_through, false) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' ' || g.period || ' is closed');
  end if;
  if g.state = 'soft_locked' and not ledger_excepted(p_division, 'period', p_actor) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' ' || g.period || ' is locked');
  end if;
  if coalesce(p_at <= g.locked_through, false) and not ledger_excepted(p_division, g.sub_ledger, p_actor) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' ' || g.sub_ledger || ' is locked through ' ||
      g.locked_through);
  end if;
  period := g.period;
  functional := g.functional_currency;
  may_differ := g.currency_may_differ;
  manual := g.is_manual;
  tax_locked := coalesce(p_at <= g.tax_locked_through, false) and not ledger_excepted(p_division, 'tax', p_actor);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_grant_exception(p_division text, p_sub_ledger text, p_user bigint, p_until timestamp with time zone, p_reason text, p_granted_by bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  made bigint;
begin
  if p_user = p_granted_by then perform ledger_refuse('ACCT_FOUR_EYES', 'nobody grants an exception to himself'); end
    if;
  if p_until is null or p_until <= now() or p_until > now() + interval '31 days' then
    perform ledger_refuse('ACCT_EXCEPTION', 'an exception ends within 31 days');
  end if;
  insert into lock_exceptions (division, sub_ledger, user_id, until, reason, granted_by)
    values (p_division, p_sub_ledger, p_user, p_until, p_reason, p_granted_by) returning id into made;
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_hold_cash(p_division text, p_at date, p_actor bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  through date := (select s.bank_locked_through from periods s where s.division = p_division and s.starts <= p_at
    order by s.starts desc limit 1);
begin
  if p_at <= through and not ledger_excepted(p_division, 'bank', p_actor) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', p_division || ' bank is locked through ' || through);
  end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_item_base(i open_items, p_amount bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select case when p_amount = abs(i.open_minor) then abs(i.open_base_minor)
    else least(case when round(abs(i.original_minor) * e.fx_rate) = abs(i.original_base_minor)
        then round(p_amount * e.fx_rate)
      else round(abs(i.original_base_minor)::numeric * p_amount / abs(i.original_minor)) end::bigint,
      abs(i.open_base_minor)) end
  from journal_entries e where e.id = i.journal_entry_id
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_line_fault(a ledger_accounts, functional text, manual boolean, tax_locked boolean, currency text, amount bigint, base bigint, party_type text, tax_code_id bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when a.id is null then 'ACCT_ACCOUNT_UNKNOWN'
    when currency is null or amount is null or base is null then 'ACCT_LINE'
    when manual and a.is_bank then 'ACCT_BANK'
    when not a.active or a.deleted_at is not null then 'ACCT_ACCOUNT_INACTIVE'
    when a.currency <> currency then 'ACCT_ACCOUNT_CURRENCY'
    when currency = functional and amount <> base then 'ACCT_BASE_AMOUNT'
    when a.party_types is not null and (party_type is null or party_type <> all (a.party_types)) then 'ACCT_PARTY'
    when manual and not a.allow_manual then 'ACCT_MANUAL'
    when tax_locked and (a.is_tax or tax_code_id is not null) then 'ACCT_PERIOD_LOCKED'
  end
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_lock_items(p_one bigint, p_two bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from open_items where id in (p_one, p_two) order by id for update;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_number_journal(p_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  t transactions;
  fiscal text;
begin
  select * into t from transactions where id = p_id;
  fiscal := ledger_fiscal_year(t.division, t.transaction_at);
  update transactions set number = (ledger_take_number(t.division, 'journal', fiscal,
    'JE-' || t.division || '-' || fiscal || '-')).number where id = p_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_post(p_division text, p_kind text, p_at date, p_description text, p_actor bigint, p_source_type text, p_source_id bigint, p_source_event text, p_source_attempt integer, p_group bigint, p_accounts text[], p_currencies text[], p_amounts bigint[], p_bases bigint[], p_party_types text[] DEFAULT NULL::text[], p_party_ids bigint[] DEFAULT NULL::bigint[], p_fx_rates numeric[] DEFAULT NULL::numeric[], p_invoice_ids bigint[] DEFAULT NULL::bigint[], p_bill_ids bigint[] DEFAULT NULL::bigint[], p_license_ids bigint[] DEFAULT NULL::bigint[], p_show_ids bigint[] DEFAULT NULL::bigint[], p_payment_ids bigint[] DEFAULT NULL::bigint[], p_tax_code_ids bigint[] DEFAULT NULL::bigint[], p_tax_bases bigint[] DEFAULT NULL::bigint[], p_due_dates date[] DEFAULT NULL::date[], p_memos text[] DEFAULT NULL::text[], OUT transaction_id bigint, OUT replayed boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  g_period int;
  g_functional text;
  g_manual boolean;
  g_tax_locked boolean := false;
  g_plain boolean;
  l_lines int := greatest(cardinality(p_accounts), cardinality(p_currencies), cardinality(p_amounts),
    cardinality(p_bases));
  l_accounts bigint[];
  l_items bigint[];
  l_base numeric;
  l_total bigint;
  l_cash bigint;
  l_faulty int;
  l_foreign boolean;
begin
  -- the gate's own question for an open period without locks, without the call; anything else goes through it
  select s.period, (select functional_currency from divisions where code = p_division),
      (select is_manual from transaction_kinds where kind = p_kind), s.ends >= p_at and s.state = 'open'
        and not coalesce(p_at <= greatest(s.hard_locked_through, s.sales_locked_through, s.purchase_locked_through,
          s.tax_locked_through, s.bank_locked_through), false)
    into g_period, g_functional, g_manual, g_plain
    from periods s where s.division = p_division and s.starts <= p_at order by s.starts desc limit 1 for key share;
  if g_plain is not true or g_manual is null then
    select gate.period, gate.functional, gate.manual, gate.tax_locked
      into g_period, g_functional, g_manual, g_tax_locked
      from ledger_gate(p_division, p_kind, p_at, p_actor) gate;
    if exists (select 1 from ledger_accounts a where a.division = p_division and a.code = any (p_accounts)
        and a.is_cash) then
      perform ledger_hold_cash(p_division, p_at, p_actor);
    end if;
  end if;
  if p_source_attempt > 1 then
    perform ledger_check_attempt(p_source_type, p_source_id, p_source_event, p_source_attempt);
  end if;
  select array_agg(a.id), array_agg(a.id) filter (where a.has_open_items), sum(p_bases[n]),
      coalesce(sum(p_bases[n]) filter (where p_bases[n] > 0), 0),
      coalesce(sum(p_bases[n]) filter (where a.is_cash), 0),
      min(n) filter (where ledger_line_fault(a, g_functional, g_manual, g_tax_locked, p_currencies[n], p_amounts[n],
        p_bases[n], p_party_types[n], p_tax_code_ids[n]) is not null),
      bool_or(p_currencies[n] <> g_functional)
    into l_accounts, l_items, l_base, l_total, l_cash, l_faulty, l_foreign
    from generate_series(1, l_lines) n
      left join ledger_accounts a on a.division = p_division and a.code = p_accounts[n];
  if l_faulty is not null or l_base <> 0 or l_lines < 2 then
    perform ledger_refuse_lines(l_faulty, p_accounts[l_faulty], case when l_faulty is not null then (
      select ledger_line_fault(a, g_functional, g_manual, g_tax_locked, p_currencies[l_faulty], p_amounts[l_faulty],
        p_bases[l_faulty], p_party_types[l_faulty], p_tax_code_ids[l_faulty])
      from (values (1)) one left join ledger_accounts a on a.division = p_division and a.code = p_accounts[l_faulty])
      end, l_base, l_lines);
  end if;
  insert into transactions (division, kind, status, transaction_at, period, direction, currency, total_minor,
    source_type, source_id, source_event, source_attempt, intercompany_group_id, description, posted_at, posted_by)
  values (p_division, p_kind, 'posted', p_at, g_period,
    case when l_cash > 0 then 'in' when l_cash < 0 then 'out' else 'neutral' end, p_currencies[1], l_total,
    p_source_type, p_source_id, p_source_event, coalesce(p_source_attempt, 1), p_group, coalesce(p_description, ''),
    now(), p_actor)
  on conflict (source_type, source_id, source_event, source_attempt) where source_id is not null do nothing
  returning id into transaction_id;
  if transaction_id is null then
    select t.id into transaction_id from transactions t where t.source_type = p_source_type
      and t.source_id = p_source_id
      and t.source_event = p_source_event and t.source_attempt = coalesce(p_source_attempt, 1);
    -- posted by someone else after this transaction's snapshot (repeatable read): let the caller begin again
    if transaction_id is null then raise exception 'source event posted meanwhile' using errcode = '40001'; end if;
    replayed := true;
    return;
  end if;
  with e as (
    insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency, amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id,
      show_id, payment_id, tax_code_id, tax_base_minor, due_date, memo)
    select ledger_post.transaction_id, n, p_division, p_at, g_period, l_accounts[n], p_currencies[n], p_amounts[n],
      p_bases[n], p_fx_rates[n], p_party_types[n], p_party_ids[n], p_invoice_ids[n], p_bill_ids[n], p_license_ids[n],
      p_show_ids[n], p_payment_ids[n], p_tax_code_ids[n], p_tax_bases[n], p_due_dates[n], p_memos[n]
    from generate_series(1, l_lines) n
    returning id, line_no, ledger_account_id
  ), o as (
    insert into open_items (journal_entry_id, transaction_id, division, ledger_account_id, party_type, party_id,
      currency, document_type, document_id, opened_on, due_date, original_minor, original_base_minor, open_minor,
      open_base_minor)
    select e.id, ledger_post.transaction_id, p_division, e.ledger_account_id, p_party_types[line_no],
      p_party_ids[line_no], p_currencies[line_no], p_source_type, p_source_id, p_at,
      coalesce(p_due_dates[line_no], p_at), p_amounts[line_no], p_bases[line_no], p_amounts[line_no], p_bases[line_no]
    from e where e.ledger_account_id = any (l_items) and p_amounts[line_no] <> 0
  ), f as (
    insert into ledger_fold_queue (transaction_id) values (ledger_post.transaction_id)
  ), q as (
    insert into ledger_chain_queue (transaction_id) values (ledger_post.transaction_id)
  )
  insert into audit_events (actor_id, action, entity, entity_id)
    values (p_actor, 'post', 'transaction', ledger_post.transaction_id);
  if l_foreign then perform ledger_check_currencies(transaction_id, g_functional,
    (select currency_may_differ from transaction_kinds where kind = p_kind)); end if;
  replayed := false;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_post_difference(i open_items, p_difference bigint, p_at date, p_allocation bigint, p_actor bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  document text := (select number from ledger_document(i.document_type, i.document_id));
  functional text := (select functional_currency from divisions where code = i.division);
begin
  if p_difference = 0 then return null; end if;
  return (ledger_post(i.division, 'fx', p_at, 'Exchange difference' || coalesce(' on ' || document, ''), p_actor,
    'allocation', p_allocation, 'applied', 1, null,
    array[(select code from ledger_accounts where id = i.ledger_account_id),
      (select code from ledger_accounts where division = i.division and system_key = 'fx_realised')],
    array[i.currency, functional], array[0, p_difference], array[-p_difference, p_difference],
    array[i.party_type, null], array[i.party_id, null])).transaction_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_post_many(p_actor bigint, p_divisions text[], p_kinds text[], p_ats date[], p_descriptions text[], p_source_types text[], p_source_ids bigint[], p_source_events text[], p_source_attempts integer[], l_header integer[], l_accounts text[], l_currencies text[], l_amounts bigint[], l_bases bigint[], l_party_types text[] DEFAULT NULL::text[], l_party_ids bigint[] DEFAULT NULL::bigint[], l_fx_rates numeric[] DEFAULT NULL::numeric[], l_invoice_ids bigint[] DEFAULT NULL::bigint[], l_bill_ids bigint[] DEFAULT NULL::bigint[], l_license_ids bigint[] DEFAULT NULL::bigint[], l_show_ids bigint[] DEFAULT NULL::bigint[], l_payment_ids bigint[] DEFAULT NULL::bigint[], l_tax_code_ids bigint[] DEFAULT NULL::bigint[], l_tax_bases bigint[] DEFAULT NULL::bigint[], l_due_dates date[] DEFAULT NULL::date[], l_memos text[] DEFAULT NULL::text[], p_groups bigint[] DEFAULT NULL::bigint[])
 RETURNS TABLE(n integer, transaction_id bigint, replayed boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
 SET enable_nestloop TO 'on'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  gates jsonb;
  ids_of regclass := pg_get_serial_sequence('transactions', 'id');
  r record;
  ids bigint[];
begin
  -- in the order of division and date, so that two runs lock periods in one order
  select jsonb_agg(jsonb_build_object('d', x.d, 'k', x.k, 'at', x.at) || to_jsonb(gate) order by x.d, x.at,
    x.k) into gates
    from (select distinct d, k, at from unnest(p_divisions, p_kinds, p_ats) u (d, k, at) order by d, at, k) x,
      lateral ledger_gate(x.d, x.k, x.at, p_actor) gate;
  for r in select distinct u.division, u.at
      from unnest(p_divisions, p_ats) with ordinality u (division, at, n)
        join periods p on p.division = u.division and p.bank_locked_through >= u.at and u.at between p.starts and p.ends
        join unnest(l_header, l_accounts) l (header, code) on l.header = u.n
        join ledger_accounts a on a.division = u.division and a.code = l.code and a.is_cash loop
    perform ledger_hold_cash(r.division, r.at, p_actor);
  end loop;
  for r in select * from unnest(p_source_types, p_source_ids, p_source_events, p_source_attempts) u (t, i, e, a)
    where a > 1 loop
    perform ledger_check_attempt(r.t, r.i, r.e, r.a);
  end loop;
  -- rows of these lists cannot be estimated: one by one they would be compared each with each
  perform set_config('enable_nestloop', 'off', true);
  with g as materialized (
    select * from jsonb_to_recordset(gates) x (d text, k text, at date, period int, functional text,
      may_differ boolean,
      manual boolean, tax_locked boolean)
  ), hd as materialized (
    select u.n::int as n, nextval(ids_of) as id, u.division, u.kind, u.at,
      u.description,
      u.source_type, u.source_id, u.source_event, coalesce(u.attempt, 1) as attempt, u.grp,
      g.period, g.functional, g.may_differ, g.manual, g.tax_locked
    from unnest(p_divisions, p_kinds, p_ats, p_descriptions, p_source_types, p_source_ids, p_source_events,
      p_source_attempts, p_groups) with ordinality
      u (division, kind, at, description, source_type, source_id, source_event, attempt, grp, n)
    join g on g.d = u.division and g.k = u.kind and g.at = u.at
  ), l as materialized (
    select u.*, a.id as account_id, a.is_cash, a.has_open_items, hd.functional, hd.may_differ,
      ledger_line_fault(a, hd.functional, hd.manual, hd.tax_locked, u.currency, u.amount, u.base, u.party_type,
        u.tax_code_id) as fault
    from unnest(l_header, l_accounts, l_currencies, l_amounts, l_bases, l_party_types, l_party_ids, l_fx_rates,
      l_invoice_ids,
      l_bill_ids, l_license_ids, l_show_ids, l_payment_ids, l_tax_code_ids, l_tax_bases, l_due_dates, l_memos)
      with ordinality u (header, account, currency, amount, base, party_type, party_id, fx_rate, invoice_id,
        bill_id, license_id, show_id, payment_id, tax_code_id, tax_base, due_date, memo, o)
    left join hd on hd.n = u.header
    left join ledger_accounts a on a.division = hd.division and a.code = u.account
  ), s as materialized (
    select l.header, count(*) as lines, sum(l.base) as base, min(l.o) as first,
      min(l.fault || ' line ' || l.o || ' ' || coalesce(l.account, '')) as fault,
      coalesce(sum(l.base) filter (where l.is_cash), 0) as cash, coalesce(sum(l.base) filter (where l.base > 0), 0)
        as total
    from l group by l.header
  ), bad as materialized (
    select coalesce(s.fault, case when s.base <> 0 then 'ACCT_UNBALANCED by ' || s.base || ' minor units'
        when coalesce(s.lines, 0) < 2 then 'ACCT_TOO_FEW_LINES ' || coalesce(s.lines, 0) || ' line(s)' end)
        || ' of transaction no. ' || coalesce(hd.n, s.header, 0) as fault
    from hd full join s on s.header = hd.n
    where s.fault is not null or s.base <> 0 or coalesce(s.lines, 0) < 2 or hd.n is null
    union all
    select 'ACCT_CURRENCY_UNBALANCED ' || l.currency || ' of transaction no. ' || l.header from l
      where l.currency <> l.functional and not l.may_differ group by l.header, l.currency having sum(l.amount) <> 0
    union all
    select 'ACCT_LINE unknown currency ' || l.currency || ' of transaction no. ' || l.header from l
      where l.currency <> l.functional and not exists (select 1 from currencies c where c.code = l.currency)
  ), h as (
    insert into transactions (id, division, kind, status, transaction_at, period, direction, currency, total_minor,
      source_type, source_id, source_event, source_attempt, intercompany_group_id, description,
      posted_at, posted_by) overriding system value
    select hd.id, hd.division, hd.kind, 'posted', hd.at, hd.period,
      case when s.cash > 0 then 'in' when s.cash < 0 then 'out' else 'neutral' end, l_currencies[s.first], s.total,
      hd.source_type, hd.source_id, hd.source_event, hd.attempt, hd.grp, coalesce(hd.description, ''),
      now(), p_actor
    from hd join s on s.header = hd.n where not exists (select 1 from bad)
    -- one order of source keys: two runs over the same events wait for each other, never in a circle
    order by hd.source_type, hd.source_id, hd.source_event, hd.attempt, hd.n
    on conflict (source_type, source_id, source_event, source_attempt) where source_id is not null do nothing
    returning id
  ), e as (
    insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency,
      amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id, show_id,
      payment_id, tax_code_id, tax_base_minor, due_date, memo)
    select h.id, l.o - s.first + 1, hd.division, hd.at, hd.period, l.account_id, l.currency, l.amount, l.base,
      l.fx_rate,
      l.party_type, l.party_id, l.invoice_id, l.bill_id, l.license_id, l.show_id, l.payment_id, l.tax_code_id,
        l.tax_base,
      l.due_date, l.memo
    from h join hd on hd.id = h.id join l on l.header = hd.n join s on s.header = hd.n order by l.o
  )
  select (select min(fault) from bad) as fault, array_agg(hd.n order by hd.n) as ns,
    array_agg(h.id order by hd.n) as ids into r from hd left join h on h.id = hd.id;
  perform set_config('enable_nestloop', 'on', true);
  if r.fault is not null then perform ledger_refuse(split_part(r.fault, ' ', 1), substr(r.fault, strpos(r.fault,
    ' ') + 1)); end if;
  ids := array_remove(r.ids, null);
  if cardinality(ids) > 0 then
    perform ledger_add_balances(ids, p_actor, 'post');
  end if;
  if cardinality(ids) = cardinality(r.ids) then
    return query select k.n, k.id, false from unnest(r.ns, r.ids) k (n, id) order by k.n;
    return;
  end if;
  return query
    select k.n, coalesce(k.id, t.id), k.id is null
    from unnest(r.ns, r.ids) k (n, id)
    left join transactions t on k.id is null and t.source_type = p_source_types[k.n]
      and t.source_id = p_source_ids[k.n]
      and t.source_event = p_source_events[k.n] and t.source_attempt = coalesce(p_source_attempts[k.n], 1)
    order by k.n;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_preview_number(p_division text, p_kind text, p_scope text, p_prefix text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(max(prefix), p_prefix, upper(left(p_kind, 3)) || '-' || p_division || '-' || p_scope || '-')
    || lpad(coalesce(max(next), 1)::text, greatest(6, length(coalesce(max(next), 1)::text)), '0')
  from number_series where division = p_division and kind = p_kind and scope = p_scope
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_refuse(code text, about text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% %', code, about using errcode = 'LG001';
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_refuse_lines(p_faulty integer, p_account text, p_fault text, p_base numeric, p_lines integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_fault is not null then
    perform ledger_refuse(p_fault, 'line ' || p_faulty || ' ' || coalesce(p_account, ''));
  end if;
  if p_base <> 0 then perform ledger_refuse('ACCT_UNBALANCED', 'by ' || p_base || ' minor units'); end if;
  perform ledger_refuse('ACCT_TOO_FEW_LINES', p_lines || ' line(s)');
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_reverse(p_id bigint, p_at date, p_reason text, p_actor bigint, p_source_type text DEFAULT NULL::text, p_source_id bigint DEFAULT NULL::bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
 SET jit TO 'off'
AS $function$
declare
  o transactions;
  g record;
  mirror bigint;
  source record;
begin
  select * into o from transactions where id = p_id for update;
  if o.status is distinct from 'posted' then
    perform ledger_refuse('ACCT_STATUS', coalesce(o.status, 'unknown') || ' transaction ' || p_id ||
      ' cannot be reversed');
  end if;
  source := ledger_source(p_id);
  if (source.source_type, source.source_id) is distinct from (p_source_type, p_source_id) then
    perform ledger_refuse('ACCT_DOCUMENT', coalesce(source.source_type || ' ' || source.source_id, 'no document') ||
      ' stands behind transaction ' || p_id);
  end if;
  if p_at is null or p_at < o.transaction_at then
    perform ledger_refuse('ACCT_REVERSAL_DATE', 'transaction ' || p_id || ' is of ' || o.transaction_at);
  end if;
  if exists (select 1 from journal_entries e join open_items i on i.journal_entry_id = e.id
      where e.transaction_id = p_id and i.open_minor <> i.original_minor) then
    perform ledger_refuse('ACCT_ALLOCATED', 'transaction ' || p_id || ' is applied; un-apply it first');
  end if;
  g := ledger_gate(o.division, case o.kind when 'revaluation' then 'revaluation_reversal' else o.kind end, p_at,
    p_actor);
  if g.tax_locked and exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
      where e.transaction_id = p_id and (a.is_tax or e.tax_code_id is not null)) then
    perform ledger_refuse('ACCT_PERIOD_LOCKED', o.division || ' tax is locked on ' || p_at);
  end if;
  if exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
      where e.transaction_id = p_id) then
    perform ledger_hold_cash(o.division, p_at, p_actor);
  end if;
  insert into transactions (division, kind, status, transaction_at, period, direction, currency, total_minor,
    reverses_id,
    reversal_reason, intercompany_group_id, description, posted_at, posted_by)
  values (o.division, case o.kind when 'revaluation' then 'revaluation_reversal' else o.kind end, 'posted', p_at,
    g.period,
    case o.direction when 'in' then 'out' when 'out' then 'in' else 'neutral' end, o.currency, o.total_minor, o.id,
    p_reason, null, left(concat_ws(': ', 'Reversal' || coalesce(' of ' || o.number, ''),
    nullif(o.description, '')), 500), now(), p_actor)
  returning id into mirror;
  insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id, currency,
    amount_minor, base_amount_minor, fx_rate, party_type, party_id, invoice_id, bill_id, license_id, show_id,
      payment_id,
    tax_code_id, tax_base_minor, memo)
  select mirror, line_no, division, p_at, g.period, ledger_account_id, currency, -amount_minor, -base_amount_minor,
    fx_rate,
    party_type, party_id, invoice_id, bill_id, license_id, show_id, payment_id, tax_code_id, -tax_base_minor, memo
  from journal_entries where transaction_id = o.id;
  update transactions set status = 'reversed' where id = o.id;
  perform ledger_add_balances(array[mirror], p_actor, 'reverse');
  perform ledger_settle_reversal(o.id, mirror, p_at, p_actor);
  if o.number is not null then perform ledger_number_journal(mirror); end if;
  return mirror;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_revoke_exception(p_id bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update lock_exceptions set revoked_at = now(), updated_at = now() where id = p_id and revoked_at is null
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_set_lock(p_division text, p_sub_ledger text, p_through date, p_reason text, p_actor bigint, p_confirmed_by bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before date;
begin
  if p_actor is null or p_confirmed_by is null or p_actor = p_confirmed_by then
    perform ledger_refuse('ACCT_FOUR_EYES', 'a second person confirms a lock');
  end if;
  perform 1 from divisions where code = p_division for update;
  select locked_through into before from period_locks where division = p_division and sub_ledger = p_sub_ledger;
  if p_sub_ledger = 'hard' and before is not null and (p_through is null or p_through < before) then
    perform ledger_refuse('ACCT_HARD_LOCK', 'the hard lock of ' || p_division || ' stands at ' || before ||
      ' and never moves back');
  end if;
  if p_through is null then
    delete from period_locks where division = p_division and sub_ledger = p_sub_ledger;
  else
    insert into period_locks as l (division, sub_ledger, locked_through, reason, set_by)
      values (p_division, p_sub_ledger, p_through, coalesce(p_reason, ''), p_actor)
      on conflict (division, sub_ledger) do update set locked_through = excluded.locked_through,
        reason = excluded.reason,
        set_by = excluded.set_by, version = l.version + 1, updated_at = now();
  end if;
  perform ledger_spread_locks(p_division);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_set_period(p_division text, p_period integer, p_state text, p_actor bigint, p_confirmed_by bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  p periods;
  left_over bigint;
begin
  if p_actor is null or p_confirmed_by is null or p_actor = p_confirmed_by then
    perform ledger_refuse('ACCT_FOUR_EYES', 'a second person confirms the state of a period');
  end if;
  select * into p from periods where division = p_division and period = p_period for update;
  if not found then perform ledger_refuse('ACCT_NO_PERIOD', p_division || ' ' || p_period); end if;
  if p_state not in ('open', 'soft_locked', 'closed') then perform ledger_refuse('ACCT_STATUS',
    'period state ' || p_state); end if;
  if p_state = 'closed' and p.state <> 'closed' then
    select coalesce(sum(b.base_debit_minor - b.base_credit_minor), 0) into left_over
      from ledger_balances b join ledger_accounts a on a.id = b.ledger_account_id and a.system_key = 'opening'
      where a.division = p_division and b.period <= p_period;
    if left_over <> 0 then
      perform ledger_refuse('ACCT_OPENING', p_division || ': opening balances still carry ' || left_over ||
        ' minor units');
    end if;
  end if;
  update periods set state = p_state, closed_at = case when p_state = 'closed' then coalesce(p.closed_at, now()) end,
    closed_by = case when p_state = 'closed' then p_actor end,
    confirmed_by = case when p_state = 'closed' then p_confirmed_by end where id = p.id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_settle_reversal(p_original bigint, p_mirror bigint, p_at date, p_actor bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with pairs as (
    select i.id as one, m.id as two, i.original_minor as amount, abs(i.original_base_minor) as base
    from open_items i join journal_entries e on e.id = i.journal_entry_id
      join journal_entries f on f.transaction_id = p_mirror and f.line_no = e.line_no
      join open_items m on m.journal_entry_id = f.id
    where e.transaction_id = p_original
  ), settled as (
    insert into allocations (debit_item_id, credit_item_id, amount_minor, debit_base_minor, credit_base_minor,
      allocated_at, allocated_by)
    select case when amount > 0 then one else two end, case when amount > 0 then two else one end, abs(amount), base,
      base, p_at, p_actor
    from pairs order by one
  )
  update open_items i set open_minor = 0, open_base_minor = 0, version = i.version + 1, updated_at = now()
  from pairs where i.id in (pairs.one, pairs.two);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_source(p_id bigint, OUT source_type text, OUT source_id bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  with recursive up as (
    select t.id, t.reverses_id, t.source_type, t.source_id from transactions t where t.id = p_id
    union all
    select o.id, o.reverses_id, o.source_type, o.source_id from up join transactions o on o.id = up.reverses_id)
  select up.source_type, up.source_id from up where up.reverses_id is null
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_spread_locks(p_division text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from periods where division = p_division order by id for update;
  with l as (
    select max(locked_through) filter (where sub_ledger = 'sales') as sales,
      max(locked_through) filter (where sub_ledger = 'purchase') as purchase,
      max(locked_through) filter (where sub_ledger = 'tax') as tax,
      max(locked_through) filter (where sub_ledger = 'bank') as bank,
      max(locked_through) filter (where sub_ledger = 'hard') as hard
    from period_locks where division = p_division
  ), w as (
    select p.id, case when l.sales >= p.starts then least(l.sales, p.ends) end as sales,
      case when l.purchase >= p.starts then least(l.purchase, p.ends) end as purchase,
      case when l.tax >= p.starts then least(l.tax, p.ends) end as tax,
      case when l.bank >= p.starts then least(l.bank, p.ends) end as bank,
      case when l.hard >= p.starts then least(l.hard, p.ends) end as hard
    from periods p, l where p.division = p_division
  )
  update periods p set sales_locked_through = w.sales, purchase_locked_through = w.purchase,
    tax_locked_through = w.tax,
    bank_locked_through = w.bank, hard_locked_through = w.hard
  from w where w.id = p.id and (p.sales_locked_through, p.purchase_locked_through, p.tax_locked_through,
    p.bank_locked_through, p.hard_locked_through) is distinct from (w.sales, w.purchase, w.tax, w.bank, w.hard);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_start_number(p_division text, p_kind text, p_scope text, p_prefix text, p_first bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into number_series (division, kind, scope, prefix, next, first) values (p_division, p_kind, p_scope,
    p_prefix, p_first, p_first)
    on conflict (division, kind, scope) do update set prefix = excluded.prefix, next = excluded.next,
      first = excluded.first,
      updated_at = now() where number_series.next = number_series.first;
  if not found then perform ledger_refuse('ACCT_NUMBER', p_division || ' ' || p_kind || ' ' || p_scope ||
    ' is in use'); end if;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_take_number(p_division text, p_kind text, p_scope text, p_prefix text DEFAULT NULL::text, OUT n bigint, OUT number text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  s record;
begin
  insert into number_series as s (division, kind, scope, prefix, next)
    values (p_division, p_kind, p_scope, coalesce(p_prefix, upper(left(p_kind, 3)) || '-' || p_division || '-' ||
      p_scope || '-'), 2)
    on conflict (division, kind, scope) do update set next = s.next + 1, updated_at = now()
    returning s.id, s.next - 1 as n, s.prefix into s;
  n := s.n;
  number := s.prefix || lpad(s.n::text, greatest(6, length(s.n::text)), '0');
  insert into number_uses (number_series_id, n, number) values (s.id, s.n, number);
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ledger_unallocate(p_allocation bigint, p_at date, p_actor bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'ledger_door', 'pg_temp'
AS $function$
declare
  a allocations;
  made bigint;
  fx bigint;
begin
  select * into a from allocations where id = p_allocation;
  if a.id is null or a.reverses_id is not null then
    perform ledger_refuse('ACCT_ALLOCATION', 'no allocation ' || p_allocation || ' to take back');
  end if;
  perform ledger_lock_items(a.debit_item_id, a.credit_item_id);
  if exists (select 1 from allocations where reverses_id = p_allocation) then
    perform ledger_refuse('ACCT_ALLOCATION', 'allocation ' || p_allocation || ' is taken back already');
  end if;
  if exists (select 1 from open_items i join transactions t on t.id = i.transaction_id
      where i.id in (a.debit_item_id, a.credit_item_id) and (t.status = 'reversed' or t.reverses_id is not null)) then
    perform ledger_refuse('ACCT_ALLOCATION', 'allocation ' || p_allocation || ' settles a reversal');
  end if;
  if p_at is null or p_at < a.allocated_at then
    perform ledger_refuse('ACCT_ALLOCATION', 'an allocation is taken back on or after its own date');
  end if;
  perform ledger_gate((select division from open_items where id = a.debit_item_id), 'fx', p_at, p_actor);
  if a.fx_transaction_id is not null then
    fx := ledger_reverse(a.fx_transaction_id, p_at, 'allocation taken back', p_actor, 'allocation',
      p_allocation);
  end if;
  insert into allocations (debit_item_id, credit_item_id, amount_minor, debit_base_minor, credit_base_minor,
    fx_transaction_id, allocated_at, reverses_id, allocated_by)
  values (a.debit_item_id, a.credit_item_id, -a.amount_minor, -a.debit_base_minor, -a.credit_base_minor, fx, p_at,
    a.id, p_actor) returning id into made;
  update open_items set open_minor = open_minor + a.amount_minor,
    open_base_minor = open_base_minor + a.debit_base_minor,
    version = version + 1, updated_at = now() where id = a.debit_item_id;
  update open_items set open_minor = open_minor - a.amount_minor,
    open_base_minor = open_base_minor - a.credit_base_minor,
    version = version + 1, updated_at = now() where id = a.credit_item_id;
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.license_application_search_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search_text := search_words(new.number, new.producing_organisation,
    (select name from customers where id = new.customer_id),
    (select string_agg(search_words(s.show_code, s.title), ' ' order by a.rank) from license_application_shows a
      join shows s on s.id = a.show_id where a.license_application_id = new.id));
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.license_search_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search_text := search_words(new.number, new.license_number, new.show_code, new.title_on_license,
    new.producing_organisation, (select name from customers where id = new.customer_id));
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.lock_payable_items(p_ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform 1 from open_items where id = any (p_ids) order by id for update;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.look_at_performances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.covers_performances := exists (select 1 from performances_of_return(new.license_id, new.license_venue_id,
    new.performance_id, new.period_from, new.period_to));
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.maintain_updated_at(VARIADIC tables text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  t text;
begin
  foreach t in array tables loop
    execute format('create trigger touch_updated_at before update on %I
      for each row execute function touch_updated_at()', t);
  end loop;
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.make_append_only(VARIADIC tables text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  t text;
begin
  foreach t in array tables loop
    execute format('create trigger append_only before update or delete on %I
      for each row execute function refuse_change()', t);
    execute format('create trigger append_only_truncate before truncate
      on %I for each statement execute function refuse_change()', t);
  end loop;
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.mark_material_used()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update materials set used_at = now() where id = new.material_id and used_at is null;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.memo_pieces(body text)
 RETURNS TABLE(place bigint, words text, user_id bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select 2 * n - 1, said, null::bigint from regexp_split_to_table(body, '@\[[0-9]{1,15}\]') with ordinality t (said, n)
  where said <> ''
  union all
  select 2 * n, '@' || coalesce(u.first_name || ' ' || u.last_name, 'somebody'), u.id
  from regexp_matches(body, '@\[([0-9]{1,15})\]', 'g') with ordinality m (found, n)
    left join users u on u.id = m.found[1]::bigint
  order by 1
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.memo_text(body text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when strpos(body, '@[') = 0 then body
    else (select string_agg(words, '' order by place) from memo_pieces(body)) end
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.name_key(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ begin return replace(public.fold_name(t), ' ', ''); end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.next_number(series text, division text, on_date date)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' when 'deposit_slip' then 'DS' when 'payment_run' then 'PR' when 'bill' then 'BL'
    when 'vendor_credit' then 'VC' when 'goods_receipt' then 'GR' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.notify_people(p_people bigint[], p_permission text, p_customer_id bigint, p_roles text[], p_except bigint, p_kind text, p_title text, p_body text, p_href text, p_by_mail boolean, p_key text, p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with told as (
    select u.id from users u where u.id = any (p_people) and u.disabled_at is null
    union
    select u.id from users u where p_permission is not null and u.disabled_at is null
      and (u.role in ('staff_admin', 'system_admin') or (u.role = 'staff_user' and exists (
        select 1 from staff_group_users m join staff_groups g on g.id = m.staff_group_id
        where m.user_id = u.id and g.permission_values && array[p_permission, 'super'])))
    union
    select u.id from customer_users m join users u on u.id = m.user_id
    where p_roles is not null and m.customer_id = p_customer_id and m.role = any (p_roles) and u.disabled_at is null
  ), written as (
    insert into notifications (user_id, customer_id, kind, title, body, href, in_app, by_mail, key, created_at)
    select t.id, p_customer_id, p_kind, left(p_title, 300), left(p_body, 2000), p_href,
      coalesce(s.in_app, true), coalesce(s.by_mail, p_by_mail), p_key, p_at
    from told t left join notification_settings s on s.user_id = t.id and s.kind = p_kind
    where t.id is distinct from p_except and (coalesce(s.in_app, true) or coalesce(s.by_mail, p_by_mail))
    order by t.id
    on conflict (user_id, key) where key is not null do nothing
    returning 1
  )
  select count(*)::integer from written
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.open_bank_ledger_account(p_division text, p_currency text, p_name text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  made bigint;
begin
  perform 1 from divisions where code = p_division for no key update;
  insert into ledger_accounts (division, ledger_header_id, code, name, class, currency, is_cash, is_monetary,
    allow_manual, cash_flow_class, is_bank)
  select p_division, h.id, free.code, left(p_name, 120), 'asset', p_currency, true, true, false, 'cash', true
  from ledger_headers h, lateral (
    select n::text as code from generate_series(1001, 1099) n where n not in (1010, 1020, 1050)
      and not exists (select 1 from ledger_accounts a where a.division = p_division and a.code = n::text)
    order by n limit 1) free
  where h.division = p_division and h.section = 'cash' and h.parent_id is not null and h.deleted_at is null
  order by h.sort, h.id limit 1
  returning id into made;
  if made is null then perform ledger_refuse('ACCT_NO_CODE', p_division); end if;
  return made;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.open_item_holds(i open_items)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  broken text;
begin
  if i.open_minor = i.original_minor and i.open_base_minor = i.original_base_minor and i.original_minor <> 0 then
    return true;
  end if;
  broken := case
    when i.original_minor = 0 then 'open_items_original_minor_check'
    when i.open_minor not between least(i.original_minor, 0) and greatest(i.original_minor, 0) then 'open_items_check'
    when i.open_base_minor not between least(i.original_base_minor, 0) and greatest(i.original_base_minor, 0)
      then 'open_items_check1'
    when i.open_minor = 0 and i.open_base_minor <> 0 then 'open_items_check2' end;
  return broken is null or refuse_row('open_items', broken);
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.performances_of_return(license bigint, venue bigint, performance bigint, from_day date, to_day date)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
  select p.id from performances p
  where p.license_id = license and p.status in ('planned', 'performed')
    and (venue is null or p.license_venue_id = venue) and (performance is null or p.id = performance)
    and (performance is not null or p.local_date between from_day and to_day)
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.ppm_sum(parts integer[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select coalesce(sum(p), 0) from unnest(parts) p $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.purge_payment(p_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform 1 from payments where id = p_id and deleted_at is not null and status = 'draft' and posted_at is null
    for update;
  if not found then
    raise exception 'payment % is not in the trash', p_id using errcode = '23514', constraint = 'payments_trash';
  end if;
  delete from payment_transactions where payment_id = p_id;
  delete from payment_parts where payment_id = p_id;
  delete from payments where id = p_id;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.rate_on(p_base text, p_quote text, p_on date, p_kind text DEFAULT 'daily'::text, p_source text DEFAULT NULL::text, OUT rate numeric, OUT on_date date, OUT source text)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select r.rate, r.on_date, r.source from (
    select 1::numeric(20, 10) as rate, p_on as on_date, 'manual' as source, 0 as way where p_base = p_quote
    union all
    (select x.rate, x.on_date, x.source, 1 from exchange_rates x
      where x.base = p_base and x.quote = p_quote and x.kind = p_kind and x.on_date <= p_on
        and x.source = coalesce(p_source, x.source)
      order by x.on_date desc, x.source = 'manual' desc, x.source limit 1)
    union all
    (select round(1 / x.rate, 10), x.on_date, x.source, 2 from exchange_rates x
      where x.base = p_quote and x.quote = p_base and x.kind = p_kind and x.on_date <= p_on
        and x.source = coalesce(p_source, x.source)
      order by x.on_date desc, x.source = 'manual' desc, x.source limit 1)
    union all
    (select round(q.rate / b.rate, 10), q.on_date, q.source, 3 from exchange_rates b
      join exchange_rates q on q.base = 'EUR' and q.quote = p_quote and q.kind = p_kind and q.on_date = b.on_date
        and q.source = b.source
      where p_base <> 'EUR' and p_quote <> 'EUR' and p_base <> p_quote
        and b.base = 'EUR' and b.quote = p_base and b.kind = p_kind and b.on_date <= p_on
          and b.source = coalesce(p_source, b.source)
      order by b.on_date desc, b.source = 'manual' desc, b.source limit 1)
  ) r order by r.on_date desc, r.way limit 1
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.record_uses(p_table text, p_id bigint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'licenses' as words where p_table = 'customers'
      and exists (select 1 from licenses where customer_id = p_id)
    union all select 2, 'applications' where p_table = 'customers'
      and exists (select 1 from license_applications where customer_id = p_id)
    union all select 3, 'invoices' where p_table = 'customers'
      and exists (select 1 from invoices where customer_id = p_id)
    union all select 4, 'payments' where p_table = 'customers'
      and exists (select 1 from payments where customer_id = p_id)
    union all select 5, 'sales orders' where p_table = 'customers'
      and exists (select 1 from sales_orders where customer_id = p_id)
    union all select 6, 'perusals' where p_table = 'customers'
      and exists (select 1 from perusals where customer_id = p_id)
    union all select 7, 'licenses' where p_table = 'venues'
      and exists (select 1 from license_venues where venue_id = p_id)
    union all select 8, 'applications' where p_table = 'venues'
      and exists (select 1 from license_application_venues where venue_id = p_id)
    union all select 9, 'agreements' where p_table = 'royaltors'
      and exists (select 1 from show_royaltors where royaltor_id = p_id and deleted_at is null)
    union all select 10, 'statements' where p_table = 'royaltors'
      and exists (select 1 from royalty_statements where royaltor_id = p_id)
    union all select 11, 'postings in the ledger' where p_table in ('customers', 'vendors', 'royaltors')
      and exists (select 1 from journal_entries
        where party_type = rtrim(p_table, 's') and party_id = p_id)
    union all select 12, 'bills' where p_table = 'vendors' and exists (select 1 from bills where vendor_id = p_id)
    union all select 13, 'recurring bills' where p_table = 'vendors'
      and exists (select 1 from bill_schedules where vendor_id = p_id)
  ) u
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.reference_tables(VARIADIC tabs text[])
 LANGUAGE plpgsql
AS $procedure$
declare tab text;
begin
  foreach tab in array tabs loop
    insert into table_access (table_name, class) values (tab, 'reference');
    execute format('grant select on %I to app_portal', tab);
  end loop;
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = '42501';
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.refuse_change_but_erasure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and current_setting('app.erasing', true) = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
    return new;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = '42501';
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.refuse_line_that_does_not_multiply()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.quantity::bigint * new.unit_minor <> new.net_minor then
    raise exception 'quantity % times % is not %', new.quantity, new.unit_minor, new.net_minor
      using errcode = '23514', table = 'invoice_items', constraint = 'invoice_items_quantity_times_unit';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.refuse_row(p_table text, p_rule text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  raise exception 'new row for relation "%" violates check constraint "%"', p_table, p_rule
    using errcode = 'check_violation', schema = 'public', table = p_table, constraint = p_rule;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.refuse_trash_in_use()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare uses text[] := record_uses(tg_table_name, new.id);
begin
  if cardinality(uses) > 0 then
    raise exception '% % is named by %', tg_table_name, new.id, array_to_string(uses, ', ') using errcode = '23503';
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.request_customer()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('app.customer_id', true), '')::bigint
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_portal=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.request_user()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('app.user_id', true), '')::bigint
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_portal=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.return_counts(status text, held boolean, added boolean, replaces bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select status in ('submitted', 'queried', 'accepted', 'estimated') and not held and not added
    and (replaces is null or status = 'accepted')
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.search_fold(t text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g'))
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.search_words(VARIADIC parts text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return coalesce((select string_agg(public.fold_name(p), ' ' order by place)
    from unnest(parts) with ordinality as given (p, place) where p <> ''), '');
end
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.shared_table(IN tab text, IN shown text, IN columns text DEFAULT NULL::text)
 LANGUAGE plpgsql
AS $procedure$
begin
  insert into table_access (table_name, class) values (tab, 'shared');
  execute format('alter table %I enable row level security', tab);
  execute format('create policy house on %I to app_rw using (true) with check (true)', tab);
  execute format('create policy portal on %I for select to app_portal using (%s)', tab, shown);
  execute format('grant select %s on %I to app_portal', coalesce('(' || columns || ')', ''), tab);
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.shares_profit(license bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select 1 from licenses l join show_royaltors a on a.show_id = l.show_id
      join royalty_terms t on t.show_royaltor_id = a.id
    where l.id = license and a.status = 'active' and a.deleted_at is null and t.pool_of = 'operating_profit'
      and l.customer_id = coalesce(request_customer(), l.customer_id)
      and (t.match_categories = '{}' or l.category = any(t.match_categories))
      and (t.match_divisions = '{}' or l.division = any(t.match_divisions)))
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_portal=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.standing_licenses(p_show_id bigint, p_now timestamp with time zone)
 RETURNS TABLE(id bigint, number text, phase text, division text, category text, classification_id bigint, country text, region text, lat double precision, lng double precision, first_performance_on date, last_performance_on date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select l.id, l.number, case when l.phase = 'draft' then 'sent' else l.phase end, l.division, l.category,
    l.customer_classification_id, coalesce(v.address ->> 'country_code', ''), v.address ->> 'administrative_area',
    v.lat, v.lng, v.opening_on, v.closing_on
  from licenses l join license_venues v on v.license_id = l.id
  where l.show_id = p_show_id and l.deleted_at is null and v.opening_on is not null
    and (l.phase in ('accepted', 'licensed', 'in_production')
      or (l.phase = 'sent' and l.offer_expires_at > p_now)
      or (l.phase = 'draft' and l.rights_held_until > p_now))
$function$

-- owner app_migrate, rights app_migrate=X/app_migrate app_rw=X/app_migrate;

CREATE OR REPLACE FUNCTION public.stock_delta(m stock_movements, place text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when m.to_location = place then m.quantity else 0 end
    - case when m.from_location = place then m.quantity else 0 end
$function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tell_bulk_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.status = old.status and new.rows_done % 50 <> 0 then return null; end if;
  perform pg_notify('live',
    json_build_object('user', new.requested_by_id, 'keys', json_build_array('/api/jobs'))::text);
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tell_export()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('live',
    json_build_object('user', new.requested_by_id, 'keys', json_build_array('/api/jobs'))::text);
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tell_notified()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('live', json_build_object('user', user_id,
    'ids', case when count(*) <= 50 then json_agg(id order by id) else '[]'::json end)::text)
  from changed where in_app group by user_id;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tell_read()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('live', json_build_object('user', user_id, 'ids', '[]'::json)::text)
  from (select distinct n.user_id from changed n join former o on o.id = n.id
    where (n.read_at is null) is distinct from (o.read_at is null)) moved;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE PROCEDURE public.tenant_table(IN tab text, IN owned text, IN shown text DEFAULT 'true'::text, IN columns text DEFAULT NULL::text)
 LANGUAGE plpgsql
AS $procedure$
begin
  owned := replace(owned, '%s', quote_ident(tab));
  insert into table_access (table_name, class) values (tab, 'tenant');
  execute format('alter table %I enable row level security', tab);
  execute format('create policy house on %I to app_rw using (true) with check (true)', tab);
  execute format('create policy counter on %I as restrictive to app_counter using (%s) with check (%s)',
    tab, owned, owned);
  if shown is not null then
    execute format('create policy portal on %I for select to app_portal using ((%s) and (%s))', tab, owned, shown);
    execute format('grant select %s on %I to app_portal', coalesce('(' || columns || ')', ''), tab);
  end if;
end $procedure$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_accounts_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  uses text[];
begin
  if (new.division, new.currency, new.ledger_account_id) is distinct from
      (old.division, old.currency, old.ledger_account_id) then
    perform ledger_refuse('ACCT_BANK', 'bank account ' || old.id || ' keeps division, currency and ledger account');
  end if;
  if new.closed_on is null and new.deleted_at is null then return new; end if;
  new.is_default := false;
  perform 1 from ledger_accounts where id = new.ledger_account_id for update;
  if new.closed_on is not null and old.closed_on is null then
    uses := bank_account_uses(new.id);
    if cardinality(uses) > 0 then
      perform ledger_refuse('ACCT_BANK_IN_USE', 'bank account ' || new.id || ' has ' || array_to_string(uses, ', '));
    end if;
  end if;
  if new.deleted_at is not null and old.deleted_at is null and (
      exists (select 1 from journal_entries where ledger_account_id = new.ledger_account_id)
      or exists (select 1 from payments where ledger_account_id = new.ledger_account_id)) then
    perform ledger_refuse('ACCT_BANK_USED', 'bank account ' || new.id);
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_accounts_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update ledger_accounts set name = new.name, active = new.closed_on is null, deleted_at = new.deleted_at
    where id = new.ledger_account_id;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_details_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    new.bank_details_version := (new.bank_account_encrypted is not null)::integer;
  elsif (new.bank_account_encrypted, new.bank_routing_encrypted, new.bank_kind, new.bank_country, new.bank_holder,
      new.bank_is_savings) is distinct from (old.bank_account_encrypted, old.bank_routing_encrypted, old.bank_kind,
      old.bank_country, old.bank_holder, old.bank_is_savings) then
    new.bank_details_version := old.bank_details_version + 1;
    new.bank_verified_at := null;
  elsif new.bank_details_changed_by_id is distinct from old.bank_details_changed_by_id then
    raise exception 'who wrote the bank details of % % stays with them', tg_table_name, old.id using errcode = '23514';
  end if;
  if new.bank_verified_at is null then
    new.bank_verified_by_id := null;
    new.bank_verified_note := null;
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_match_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  match bigint;
  at_bank bigint;
  in_ledger bigint;
begin
  if tg_table_name = 'bank_matches' then match := new.id; else match := new.bank_match_id; end if;
  select sum(t.amount_minor) into at_bank from bank_match_lines m join bank_transactions t
    on t.id = m.bank_transaction_id where m.bank_match_id = match;
  select sum(e.amount_minor) into in_ledger from bank_match_entries m join journal_entries e on e.id = m.ledger_line_id
    where m.bank_match_id = match;
  if at_bank is null or in_ledger is null or at_bank <> in_ledger then
    raise exception 'bank match %: % at the bank, % in the ledger', match, at_bank, in_ledger using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_match_entries_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  entry record;
begin
  perform 1 from transactions where id = (select transaction_id from journal_entries where id = new.ledger_line_id)
    for share;
  select e.ledger_account_id, t.status into entry
    from journal_entries e join transactions t on t.id = e.transaction_id where e.id = new.ledger_line_id;
  if not new.active or exists (select 1 from bank_matches where id = new.bank_match_id and undone_at is not null)
    or entry.status not in ('posted', 'reversed') or not exists (select 1 from bank_accounts
      where id = new.bank_account_id and ledger_account_id = entry.ledger_account_id) then
    raise exception 'ledger line % is no posted line of bank account %', new.ledger_line_id, new.bank_account_id
      using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_match_entries_reversal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  entry record;
begin
  select e.ledger_account_id, t.status, coalesce(t.reverses_id, r.id) as other into entry
    from journal_entries e join transactions t on t.id = e.transaction_id
      left join transactions r on r.reverses_id = t.id where e.id = new.ledger_line_id;
  if entry.other is not null and not exists (
      select 1 from journal_entries o join bank_match_entries m on m.ledger_line_id = o.id and m.active
      where o.transaction_id = entry.other and o.ledger_account_id = entry.ledger_account_id) then
    raise exception 'ledger line % is reversed', new.ledger_line_id using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_match_entries_ticked()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('bank cleared ' || new.ledger_line_id, 0));
  if exists (select 1 from bank_reconciliation_ticks where ledger_line_id = new.ledger_line_id and holds) then
    raise exception 'ledger line % is ticked', new.ledger_line_id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_match_lines_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  line_state text;
begin
  perform 1 from bank_transactions where id = new.bank_transaction_id for no key update;
  select case when deleted_at is null then state else 'in the trash' end into line_state
    from bank_transactions where id = new.bank_transaction_id;
  if line_state is distinct from 'booked' or not new.active or exists (
      select 1 from bank_matches where id = new.bank_match_id and undone_at is not null) then
    raise exception 'bank transaction % is %', new.bank_transaction_id, coalesce(line_state, 'unknown')
      using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_matches_undo()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.undone_at is not null or new.undone_at is null then
    raise exception 'bank match % was undone before', old.id using errcode = '23514';
  end if;
  perform 1 from bank_transactions where id in (
    select bank_transaction_id from bank_match_lines where bank_match_id = new.id) order by id for update;
  if exists (select 1 from bank_match_lines m join bank_transactions t on t.id = m.bank_transaction_id
      where m.bank_match_id = new.id and t.bank_reconciliation_id is not null) then
    raise exception 'bank match % is reconciled', new.id using errcode = '23514';
  end if;
  update bank_match_lines set active = false where bank_match_id = new.id;
  update bank_match_entries set active = false where bank_match_id = new.id;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_reconciliations_begin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  base record;
begin
  perform 1 from bank_accounts where id = new.bank_account_id for no key update;
  select * into base from bank_reconciled_balance(new.bank_account_id);
  if new.status <> 'open' or new.to_on <= base.to_on or new.opening_minor <> base.balance_minor then
    raise exception 'bank reconciliation of account % begins with %', new.bank_account_id, base.balance_minor
      using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_reconciliations_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  base record;
  lines bigint;
  ticks bigint;
begin
  if new.bank_account_id <> old.bank_account_id or new.created_by_id is distinct from old.created_by_id
    or (old.status = 'open' and new.status not in ('open', 'finished', 'discarded'))
    or (old.status <> 'open' and ((new.to_on, new.opening_minor, new.closing_minor, new.bank_statement_id,
        new.finished_at, new.finished_by_id, new.report) is distinct from (old.to_on, old.opening_minor,
        old.closing_minor, old.bank_statement_id, old.finished_at, old.finished_by_id, old.report)
      or old.status <> 'finished' or new.status <> 'undone')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank reconciliation ' || old.id);
  end if;
  perform 1 from bank_accounts where id = new.bank_account_id for no key update;
  if new.status = 'undone' and exists (select 1 from bank_reconciliations where bank_account_id = new.bank_account_id
      and status = 'finished' and to_on > new.to_on) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank reconciliation ' || old.id || ' is not the latest');
  end if;
  if old.status <> 'open' or new.status = 'discarded' then return new; end if;
  select * into base from bank_reconciled_balance(new.bank_account_id);
  if new.to_on <= base.to_on or new.opening_minor <> base.balance_minor or exists (
      select 1 from bank_reconciliation_ticks k join journal_entries e on e.id = k.ledger_line_id
      where k.bank_reconciliation_id = new.id and e.transaction_at > new.to_on) then
    raise exception 'bank reconciliation % begins with %', new.id, base.balance_minor using errcode = '23514';
  end if;
  if new.status = 'open' then return new; end if;
  perform 1 from bank_transactions where bank_account_id = new.bank_account_id and state = 'booked'
    and deleted_at is null and bank_reconciliation_id is null and booked_on <= new.to_on order by id for update;
  update bank_transactions set bank_reconciliation_id = new.id where bank_account_id = new.bank_account_id
    and state = 'booked' and deleted_at is null and bank_reconciliation_id is null and booked_on <= new.to_on;
  select coalesce(sum(amount_minor), 0) into lines from bank_transactions where bank_reconciliation_id = new.id;
  select coalesce(sum(e.amount_minor), 0) into ticks from bank_reconciliation_ticks k
    join journal_entries e on e.id = k.ledger_line_id where k.bank_reconciliation_id = new.id and k.holds;
  if new.opening_minor + lines + ticks <> new.closing_minor then
    raise exception 'bank reconciliation %: % and % do not lead from % to %', new.id, lines, ticks, new.opening_minor,
      new.closing_minor using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_reconciliations_release()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update bank_transactions set bank_reconciliation_id = null where bank_reconciliation_id = new.id;
  update bank_reconciliation_ticks set holds = false where bank_reconciliation_id = new.id;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_ticks_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  r bank_reconciliations;
begin
  select * into r from bank_reconciliations
    where id = case when tg_op = 'DELETE' then old.bank_reconciliation_id else new.bank_reconciliation_id end
    for share;
  if r.status <> 'open' then perform ledger_refuse('ACCT_IMMUTABLE', 'bank reconciliation ' || r.id); end if;
  if tg_op = 'DELETE' then return old; end if;
  perform pg_advisory_xact_lock(hashtextextended('bank cleared ' || new.ledger_line_id, 0));
  if not new.holds or not exists (
      select 1 from journal_entries e
        join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
        join bank_accounts b on b.id = new.bank_account_id and b.ledger_account_id = e.ledger_account_id
      where e.id = new.ledger_line_id and e.transaction_at <= r.to_on
        and e.transaction_id is distinct from b.opening_transaction_id)
    or exists (select 1 from bank_match_entries where ledger_line_id = new.ledger_line_id and active) then
    raise exception 'ledger line % cannot be ticked', new.ledger_line_id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_transactions_bound()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (new.bank_reconciliation_id is not null and old.bank_reconciliation_id is not null)
    or (new.bank_reconciliation_id is not null and (new.state <> 'booked' or not exists (
      select 1 from bank_reconciliations where id = new.bank_reconciliation_id and status = 'open'
        and to_on >= new.booked_on)))
    or (new.bank_reconciliation_id is null and not exists (
      select 1 from bank_reconciliations where id = old.bank_reconciliation_id and status = 'undone')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank transaction ' || new.id || ' is reconciled');
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_transactions_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.source <> 'manual' or old.deleted_at is null then
      raise exception 'bank transaction % is not in the trash', old.id using errcode = '23514';
    end if;
    return old;
  end if;
  if (new.bank_account_id, new.bank_statement_id, new.source, new.line_key, new.created_at)
      is distinct from (old.bank_account_id, old.bank_statement_id, old.source, old.line_key, old.created_at) then
    raise exception 'bank transaction % keeps its account and source', old.id using errcode = '23514';
  end if;
  if old.source = 'statement' and (new.booked_on, new.value_on, new.amount_minor, new.name, new.memo, new.reference,
      new.check_number) is distinct from (old.booked_on, old.value_on, old.amount_minor, old.name, old.memo,
      old.reference, old.check_number) then
    raise exception 'bank transaction % keeps what the bank wrote', old.id using errcode = '23514';
  end if;
  if (new.booked_on, new.amount_minor, new.deleted_at) is distinct from (old.booked_on, old.amount_minor,
      old.deleted_at) and exists (
      select 1 from bank_match_lines where bank_transaction_id = old.id and active) then
    raise exception 'bank transaction % is matched', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_transactions_reconciled()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select 1 from bank_match_lines where bank_transaction_id = new.id and active) then
    raise exception 'bank transaction % is not matched', new.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_transactions_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state <> new.state and not (old.state = 'advance' and new.state = 'superseded') then
    raise exception 'bank transaction % stays %', old.id, old.state using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bank_transfers_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.number, new.division, new.from_bank_account_id, new.to_bank_account_id, new.amount_minor, new.fee_minor,
      new.sent_on) is distinct from (old.number, old.division, old.from_bank_account_id, old.to_bank_account_id,
      old.amount_minor, old.fee_minor, old.sent_on)
    or old.status = 'reversed' or (old.status = 'received' and new.status <> 'in_transit'
      and (new.received_minor, new.received_on) is distinct from (old.received_minor, old.received_on))
    or (old.status = 'received' and new.status = 'in_transit' and exists (
      select 1 from transactions where id = old.received_transaction_id and status = 'posted')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank transfer ' || old.id);
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_banks_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from bank_accounts where bank_id = new.id and deleted_at is null) then
    raise exception 'banks % is named by bank accounts', new.id using errcode = '23503';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bill_lines_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  b bills;
  a ledger_accounts;
begin
  select * into b from bills where id = case when tg_op = 'DELETE' then old.bill_id else new.bill_id end for update;
  if b.status <> 'draft' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bill ' || b.id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  select * into a from ledger_accounts where id = new.ledger_account_id;
  if a.division <> b.division or exists (select 1 from tax_codes t where t.id = new.tax_code_id
      and t.division <> b.division) then
    raise exception 'bill %: account or tax code of another division', b.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bill_on_hold()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  item bigint := (to_jsonb(new) ->> case tg_table_name when 'bills' then 'id' else 'open_item_id' end)::bigint;
begin
  if exists (select 1 from bills b join open_items i on i.document_type = 'bill' and i.document_id = b.id
      join payment_parts p on p.open_item_id = i.id and p.state = 'reserved'
      where b.hold_reason is not null
        and case tg_table_name when 'bills' then b.id = item else i.id = item end) then
    raise exception 'a payment reserves a bill on hold' using errcode = '23514', constraint = 'bills_on_hold';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bills_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  contents boolean;
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' or old.deleted_at is null then
      perform ledger_refuse('ACCT_IMMUTABLE', 'bill ' || old.id);
    end if;
    return old;
  end if;
  contents := (new.vendor_id, new.vendor_number, new.currency, new.billed_on, new.due_on, new.discount_ppm,
      new.discount_days, new.net_minor, new.tax_minor, new.document_id)
    is distinct from (old.vendor_id, old.vendor_number, old.currency, old.billed_on, old.due_on, old.discount_ppm,
      old.discount_days, old.net_minor, old.tax_minor, old.document_id);
  if (new.number, new.kind, new.division, new.entered_by_id) is distinct from
      (old.number, old.kind, old.division, old.entered_by_id)
    or (new.status <> old.status and not (
      (old.status = 'draft' and new.status = 'submitted') or (old.status = 'submitted' and new.status = 'draft')
      or (old.status = 'submitted' and new.status = 'approved') or (old.status = 'approved' and new.status = 'void')))
    or (contents and old.status <> 'draft' and new.status <> 'draft')
    or (old.status in ('approved', 'void') and (new.transaction_id, new.open_item_id, new.approved_by_id,
      new.submitted_by_id, new.last_changed_by_id, new.functional_rate) is distinct from (old.transaction_id,
      old.open_item_id, old.approved_by_id, old.submitted_by_id, old.last_changed_by_id, old.functional_rate))
    or (old.status = 'submitted' and new.status = 'approved' and (new.held_at is not null
      or new.last_changed_by_id is distinct from old.last_changed_by_id
      or new.submitted_by_id is distinct from old.submitted_by_id or new.version <> old.version + 1)) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bill ' || old.id);
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bills_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select 1 from open_items i join ledger_accounts a on a.id = i.ledger_account_id
      where i.id = new.open_item_id and i.transaction_id = new.transaction_id and a.system_key = 'ap'
        and i.division = new.division and i.currency = new.currency and i.party_type = 'vendor'
        and i.party_id = new.vendor_id and i.document_type = 'bill' and i.document_id = new.id
        and i.original_minor = case new.kind when 'bill' then -new.total_minor else new.total_minor end) then
    raise exception 'bill %: open item % is not its own', new.id, new.open_item_id using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_bills_sum()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  key bigint := case when tg_table_name = 'bills' then row ->> 'id' else row ->> 'bill_id' end;
  b bills;
  net bigint;
  tax bigint;
begin
  select * into b from bills where id = key;
  if b.id is null then return null; end if;
  select coalesce(sum(net_minor), 0), coalesce(sum(tax_minor) filter (where treatment in ('recoverable', 'cost')), 0)
    into net, tax from bill_lines where bill_id = key;
  if (b.net_minor, b.tax_minor) is distinct from (net::bigint, tax::bigint) then
    raise exception 'bill %: % and % are not the sums of its lines', key, b.net_minor, b.tax_minor
      using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_checks_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  next_number integer;
begin
  if tg_op = 'DELETE' then
    if old.check_number is not null then
      raise exception 'check %: a number is kept', old.check_number using errcode = '23514',
        constraint = 'checks_number';
    end if;
    return old;
  end if;
  if tg_op = 'UPDATE' and old.check_number is not null then
    if (new.bank_account_id, new.payment_id, new.check_number, new.payee, new.payee_lines, new.amount_minor, new.memo,
        new.checked_on, new.printed_at, new.printed_by_id, new.is_handwritten)
      is distinct from (old.bank_account_id, old.payment_id, old.check_number, old.payee, old.payee_lines,
        old.amount_minor, old.memo, old.checked_on, old.printed_at, old.printed_by_id, old.is_handwritten)
      or (new.status <> old.status and old.status <> 'printed') then
      raise exception 'check %: it is printed', old.check_number using errcode = '23514', constraint = 'checks_printed';
    end if;
    return new;
  end if;
  if new.check_number is not null then
    select next_check_number into next_number from bank_accounts where id = new.bank_account_id for update;
    if new.check_number is distinct from next_number
      or (new.written_number is not null and new.written_number <> new.check_number) then
      raise exception 'check %: the next number is %', new.check_number, next_number
        using errcode = '23514', constraint = 'checks_number';
    end if;
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_checks_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update bank_accounts set next_check_number = new.check_number + 1
    where id = new.bank_account_id and next_check_number = new.check_number;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_deposit_slip_items_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  slip deposit_slips;
  waits boolean;
begin
  select * into slip from deposit_slips
    where id = case when tg_op = 'DELETE' then old.deposit_slip_id else new.deposit_slip_id end for update;
  if slip.status <> 'draft' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || slip.id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  select p.kind = 'receipt' and p.status in ('posted', 'cleared') and p.division = slip.division
      and p.currency = slip.currency and a.system_key = 'undeposited'
    into waits from payments p join ledger_accounts a on a.id = p.ledger_account_id
    where p.id = new.payment_id for share of p;
  if waits is not true then
    raise exception 'payment % does not wait to be deposited', new.payment_id using errcode = '23514';
  end if;
  new.holds := true;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_deposit_slips_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.number <> old.number or new.division <> old.division
    or (old.status <> 'draft' and (new.bank_account_id, new.currency, new.deposited_on, new.transaction_id)
      is distinct from (old.bank_account_id, old.currency, old.deposited_on, old.transaction_id))
    or (new.status <> old.status and not (old.status = 'draft' and new.status in ('deposited', 'discarded'))
      and not (old.status = 'deposited' and new.status = 'taken_back')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || old.id);
  end if;
  if new.status = 'taken_back' and old.status = 'deposited' and exists (select 1 from deposit_slip_items i
      join payments p on p.id = i.payment_id where i.deposit_slip_id = new.id
        and p.status not in ('posted', 'cleared')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || old.id || ' has a returned check');
  end if;
  if new.status = 'taken_back' and old.status = 'deposited' and exists (select 1 from journal_entries e
      join bank_match_entries m on m.ledger_line_id = e.id and m.active
      where e.transaction_id = old.transaction_id) then
    perform ledger_refuse('ACCT_BANK_MATCHED', 'deposit slip ' || old.id);
  end if;
  if (new.currency, new.division) is distinct from (old.currency, old.division) and exists (
      select 1 from deposit_slip_items where deposit_slip_id = new.id) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'deposit slip ' || old.id || ' has receipts');
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_deposit_slips_holds()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update deposit_slip_items set holds = new.holds where deposit_slip_id = new.id and holds <> new.holds;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_goods_receipt_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_table_name = 'bill_lines' then
    perform goods_receipt_line_holds(new.goods_receipt_line_id);
  elsif tg_table_name = 'bills' then
    perform goods_receipt_line_holds(x.goods_receipt_line_id) from bill_lines x
      where x.bill_id = new.id and x.goods_receipt_line_id is not null;
  else
    if (new.goods_receipt_id, new.material_id, new.sales_item_id, new.quantity, new.unit_cost_minor)
        is distinct from (old.goods_receipt_id, old.material_id, old.sales_item_id, old.quantity, old.unit_cost_minor)
      or new.returned_quantity < old.returned_quantity then
      raise exception 'goods receipt line % stays as it was received', new.id using errcode = '23514';
    end if;
    perform goods_receipt_line_holds(new.id);
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_hmrc_submissions_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.state in ('sent', 'accepted') then
      raise exception 'submission % is at HMRC, or may be', old.id using errcode = '23514';
    end if;
    return old;
  end if;
  if old.state <> 'sent' or to_jsonb(new) - array['state', 'refusal_code', 'is_read_back', 'form_bundle_number',
      'processing_date', 'charge_ref_number', 'receipt_id', 'answered_at']
    <> to_jsonb(old) - array['state', 'refusal_code', 'is_read_back', 'form_bundle_number', 'processing_date',
      'charge_ref_number', 'receipt_id', 'answered_at']
  then
    raise exception 'submission % never changes', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_journal_entries_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select status from transactions where id = old.transaction_id) not in ('draft', 'void') then
    perform ledger_refuse('ACCT_IMMUTABLE', 'journal entry ' || old.id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  if new.transaction_id <> old.transaction_id then
    perform ledger_refuse('ACCT_IMMUTABLE', 'a line never changes its transaction');
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_accounts_bank()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' or exists (select 1 from bank_accounts b where b.ledger_account_id = new.id
      and ((b.closed_on is null) <> new.active or (b.deleted_at is null) <> (new.deleted_at is null))) then
    perform ledger_refuse('ACCT_BANK_KEPT', old.division || ' ' || old.code);
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_accounts_cash_flow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  header text := (select h.cash_flow_section from ledger_headers h where h.id = new.ledger_header_id);
begin
  if tg_op = 'INSERT' and header = 'cash' then
    new.is_cash := true;
  end if;
  new.cash_flow_class := case when new.is_cash then 'cash' when new.class = 'equity' then 'financing'
    when new.class in ('income', 'expense') then 'operating'
    else coalesce(nullif(new.cash_flow_class, 'cash'), nullif(old.cash_flow_class, 'cash'), nullif(header, 'cash'),
      'operating') end;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_accounts_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  used boolean := exists (select 1 from journal_entries where ledger_account_id = old.id);
begin
  if tg_op = 'DELETE' then
    if used then perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code); end if;
    if old.system_key is not null then
      perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', old.division || ' ' || old.code || ': the product posts to it');
    end if;
    return old;
  end if;
  if used and ((new.division, new.class, new.currency, new.party_types, new.is_control, new.has_open_items)
      is distinct from (old.division, old.class, old.currency, old.party_types, old.is_control, old.has_open_items)
      or (new.deleted_at is not null and old.deleted_at is null)) then
    perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code);
  end if;
  -- postings, documents and exports name an account by its code
  if new.code <> old.code and (used or old.system_key is not null) then
    perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code || ' keeps its code');
  end if;
  if new.system_key is distinct from old.system_key then
    perform ledger_refuse('ACCT_SYSTEM_ACCOUNT',
      old.division || ' ' || old.code || ': the product finds it by its key');
  end if;
  if old.system_key is not null and (new.deleted_at is not null or not new.active) then
    perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', old.division || ' ' || old.code || ': the product posts to it');
  end if;
  new.updated_at := now();
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform ledger_refuse('ACCT_IMMUTABLE', lower(tg_op) || ' on ' || tg_table_name);
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_door()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if strpos(current_setting('search_path'), 'ledger_door') > 0 and tg_op <> 'TRUNCATE' then return null; end if;
  if tg_op = 'TRUNCATE' then perform ledger_refuse('ACCT_IMMUTABLE', 'truncate of ' || tg_table_name); end if;
  perform ledger_refuse('ACCT_DOOR', lower(tg_op) || ' on ' || tg_table_name || ' outside the functions of the ledger');
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_headers_cash_flow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.cash_flow_section := coalesce(new.cash_flow_section,
    (select h.cash_flow_section from ledger_headers h where h.id = new.parent_id),
    case new.class when 'equity' then 'financing' else 'operating' end);
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_ledger_headers_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.is_system then perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', 'header ' || old.code); end if;
    return old;
  end if;
  if new.parent_id is not null and exists (
    with recursive up as (
      select parent_id from ledger_headers where id = new.parent_id
      union select h.parent_id from ledger_headers h join up on h.id = up.parent_id)
    select 1 from up where parent_id = new.id) then
    perform ledger_refuse('ACCT_HEADER_CIRCLE', 'header ' || new.code);
  end if;
  if new.deleted_at is not null and (new.is_system
      or exists (select 1 from ledger_accounts where ledger_header_id = new.id and deleted_at is null)
      or exists (select 1 from ledger_headers where parent_id = new.id and deleted_at is null)) then
    perform ledger_refuse('ACCT_HEADER_IN_USE', 'header ' || new.code);
  end if;
  new.updated_at := now();
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_next_check_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  last integer := (select max(check_number) from checks where bank_account_id = new.id);
begin
  if last is not null and new.next_check_number is distinct from last + 1 then
    raise exception 'bank account %: check % follows', new.id, last + 1
      using errcode = '23514', constraint = 'bank_accounts_next_check';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_online_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' and old.settled_at is not null
      and (old.status, old.charged_minor, old.charged_currency, old.payment_intent_id)
        is distinct from (new.status, new.charged_minor, new.charged_currency, new.payment_intent_id) then
    raise exception 'online payment %: it is over', old.id using errcode = '23514', constraint = 'online_payments_over';
  end if;
  if tg_op = 'UPDATE' and old.payment_id is not null and new.payment_id is distinct from old.payment_id then
    raise exception 'online payment %: its receipt stays', old.id
      using errcode = '23514', constraint = 'online_payments_receipt';
  end if;
  if new.payment_id is not null and not exists (select 1 from payments p
      where p.id = new.payment_id and p.kind = 'receipt' and p.customer_id = new.customer_id
        and p.division = new.division and p.currency = new.charged_currency and p.amount_minor = new.charged_minor
        and p.provider = new.provider and p.provider_id = new.payment_intent_id) then
    raise exception 'online payment %: its receipt is not what was charged', new.id
      using errcode = '23514', constraint = 'online_payments_receipt';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_opening_lines_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  set_id bigint := case when tg_op = 'DELETE' then old.opening_set_id else new.opening_set_id end;
begin
  if (select status from opening_sets where id = set_id) <> 'draft' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || set_id);
  end if;
  if tg_op = 'UPDATE' and (new.opening_set_id, new.row_no, new.cells) is distinct from
      (old.opening_set_id, old.row_no, old.cells) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || set_id);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_opening_sets_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then
      perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || old.id);
    end if;
    return old;
  end if;
  if (new.division, new.kind, new.as_of, new.file_id, new.reading, new.row_count, new.created_by_id) is distinct from
      (old.division, old.kind, old.as_of, old.file_id, old.reading, old.row_count, old.created_by_id)
    or (new.status <> old.status and not ((old.status = 'draft' and new.status = 'posted')
      or (old.status = 'posted' and new.status = 'reversed')))
    or (old.status = 'reversed' and new is distinct from old)
    or (old.status = 'posted' and (new.posted_at, new.posted_by_id, new.transaction_id, new.problem_count)
      is distinct from (old.posted_at, old.posted_by_id, old.transaction_id, old.problem_count)) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || old.id);
  end if;
  if new.status <> old.status then
    -- Whoever closes one of these periods waits, or is seen here.
    perform 1 from periods where division = new.division and ends >= new.as_of order by period for key share;
    if exists (select 1 from periods where division = new.division and ends >= new.as_of and state = 'closed') then
      perform ledger_refuse('ACCT_PERIOD_LOCKED', new.division || ' is closed after ' || new.as_of);
    end if;
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_payment_check()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.method = 'check' and new.status in ('draft', 'approved') and new.deleted_at is null then
    insert into checks (bank_account_id, division, currency, payment_id, created_by_id)
      select b.id, b.division, b.currency, new.id, new.created_by_id from bank_accounts b
      where b.ledger_account_id = new.ledger_account_id and b.currency = new.currency
      on conflict (payment_id) where status in ('queued', 'printed', 'stale')
      do update set bank_account_id = excluded.bank_account_id, division = excluded.division,
        currency = excluded.currency where checks.status = 'queued';
  else
    delete from checks where payment_id = new.id and status = 'queued';
  end if;
  if new.status in ('returned', 'reversed', 'void') then
    if exists (select 1 from checks where payment_id = new.id and status = 'stale') then
      raise exception 'payment %: its check is unclaimed property', new.number
        using errcode = '23514', constraint = 'checks_stale';
    end if;
    update checks set status = 'voided', ended_on = coalesce(new.returned_on, new.paid_on),
      end_reason = coalesce(nullif(new.reversal_reason, ''), 'Payment taken back')
      where payment_id = new.id and status = 'printed';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_payment_part()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select 1 from payments p join open_items i on i.id = new.open_item_id
      join ledger_accounts a on a.id = i.ledger_account_id
      where p.id = new.payment_id and p.direction = 'out' and i.division = p.division and i.currency = p.currency
        and i.party_type = p.party_type and i.party_id = p.party_id and a.system_key = 'ap'
        and sign(new.amount_minor) = -sign(i.original_minor)) then
    raise exception 'payment %: item % is not owed to its payee', new.payment_id, new.open_item_id
      using errcode = '23514', constraint = 'payment_parts_payee';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_payment_sum()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  payment bigint := case tg_table_name when 'payments' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'payment_id')::bigint end;
begin
  if exists (select 1 from payments p where p.id = payment and p.status in ('draft', 'approved', 'posted', 'cleared')
      and p.deleted_at is null
      and exists (select 1 from payment_parts x where x.payment_id = p.id)
      and p.amount_minor <> (select coalesce(sum(x.amount_minor), 0) from payment_parts x
        where x.payment_id = p.id and x.state = case when p.posted_at is null then 'reserved' else 'paid' end)) then
    raise exception 'payment %: its amount is not the sum of its parts', payment
      using errcode = '23514', constraint = 'payment_parts_sum';
  end if;
  if exists (select 1 from payments p join payment_parts x on x.payment_id = p.id
      where p.id = payment and p.deleted_at is not null and x.state <> 'released') then
    raise exception 'payment %: it is in the trash and holds what it would pay', payment
      using errcode = '23514', constraint = 'payment_parts_trash';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_payment_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform 1 from transactions where id = new.transaction_id for share;
  if not exists (select 1 from transactions t join payments p on p.id = new.payment_id
      where t.id = new.transaction_id and t.division = p.division and t.status = 'posted' and t.source_id is null
        and t.reverses_id is null
        and exists (select 1 from journal_entries e where e.transaction_id = t.id
          and (e.ledger_account_id = p.ledger_account_id
            or (e.party_type = p.party_type and e.party_id = p.party_id)))) then
    raise exception 'transaction % does not concern payment %', new.transaction_id, new.payment_id
      using errcode = '23514', constraint = 'payment_transactions_concern';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_periods_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'delete of period ' || old.period);
  end if;
  perform 1 from periods where id = old.id for update;
  if (new.division, new.period, new.starts, new.ends) is distinct from (old.division, old.period, old.starts,
    old.ends) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'dates of period ' || old.division || ' ' || old.period);
  end if;
  if new.hard_locked_through is distinct from old.hard_locked_through
      and coalesce(new.hard_locked_through < old.hard_locked_through, true) and old.hard_locked_through is not null
        then
    perform ledger_refuse('ACCT_HARD_LOCK', 'the hard lock never moves back');
  end if;
  if old.state = 'closed' and new.state <> 'closed' and old.ends <= old.hard_locked_through then
    perform ledger_refuse('ACCT_HARD_LOCK', 'period ' || old.division || ' ' || old.period ||
      ' is behind the hard lock');
  end if;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_periods_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from periods where division = new.division and (period < new.period) <> (starts < new.starts)
      and id <> new.id) then
    perform ledger_refuse('ACCT_NO_PERIOD', new.division || ' ' || new.period || ' is out of order');
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_processor_payout_sum()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  payout bigint := (to_jsonb(new) ->> case tg_table_name when 'processor_payouts' then 'id'
    else 'processor_payout_id' end)::bigint;
begin
  if exists (select 1 from processor_payouts p left join processor_payout_parts x on x.processor_payout_id = p.id
      where p.id = payout and p.transaction_id is not null group by p.id
      having coalesce(sum(x.cleared_minor - x.fee_minor), 0) <> p.amount_minor
        or coalesce(sum(x.fee_minor), 0) <> p.fee_minor) then
    raise exception 'payout %: it is not the sum of its parts', payout
      using errcode = '23514', constraint = 'processor_payout_parts_sum';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_reserved_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  item bigint;
  reserved bigint;
  i open_items;
begin
  if tg_table_name = 'payment_parts' then
    item := (to_jsonb(new) ->> 'open_item_id')::bigint;
    perform 1 from open_items where id = item for update;
  else
    item := (to_jsonb(new) ->> 'id')::bigint;
  end if;
  select coalesce(sum(abs(p.amount_minor) + p.discount_minor), 0) into reserved
    from payment_parts p where p.open_item_id = item and p.state = 'reserved';
  if reserved = 0 then return null; end if;
  select * into i from open_items where id = item;
  if reserved > abs(i.open_minor) then
    raise exception 'open item %: % reserved for payments, % open', item, reserved, abs(i.open_minor)
      using errcode = '23514', constraint = 'payment_parts_reserved';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_revaluations_posted()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' and old.status <> 'waiting' then
    raise exception 'a decided revaluation is not changed' using errcode = '23514', constraint = 'revaluations_decided';
  end if;
  if new.status = 'posted' and not exists (select 1 from transactions t join transactions r on r.reverses_id = t.id
      where t.id = new.transaction_id and t.division = new.division and t.kind = 'revaluation'
        and t.transaction_at = new.revalued_on and r.id = new.reversal_id
        and r.transaction_at = new.revalued_on + 1) then
    raise exception 'a revaluation is posted on its day and reversed on the next' using errcode = '23514',
      constraint = 'revaluations_posting';
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_royalty_batch_follows_run()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update royalty_payment_batches set status = case new.status when 'exported' then 'scheduled' else new.status end,
    pay_on = new.value_on, approved_by_id = new.approved_by_id, approved_at = new.approved_at,
    scheduled_by_id = new.exported_by_id, scheduled_at = new.exported_at, posted_at = new.posted_at,
    failure = new.failure, version = new.version
  where id = new.royalty_payment_batch_id;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_settle_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  settled date;
begin
  if new.active then
    select max(t.booked_on) into settled from bank_match_lines m join bank_transactions t
      on t.id = m.bank_transaction_id where m.bank_match_id = new.bank_match_id;
    update payments p set status = 'cleared', outcome = 'settled', outcome_on = coalesce(settled, p.paid_on),
      version = p.version + 1
    from journal_entries e where e.id = new.ledger_line_id and p.transaction_id = e.transaction_id
      and p.direction = 'out' and p.status in ('posted', 'cleared');
  else
    update payments p set status = 'posted', outcome = null, outcome_on = null, version = p.version + 1
    from journal_entries e where e.id = new.ledger_line_id and p.transaction_id = e.transaction_id
      and p.direction = 'out' and p.status = 'cleared';
  end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_tax_returns_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status = 'filed' and not (tg_op = 'UPDATE' and new.receipt <> old.receipt
      and to_jsonb(new) - array['receipt', 'version', 'updated_at']
        = to_jsonb(old) - array['receipt', 'version', 'updated_at'])
  then
    raise exception 'tax return % is filed and never changes', old.id using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_transactions_commit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  balanced boolean;
  banked boolean;
  closed boolean;
begin
  if new.status not in ('posted', 'reversed') then return null; end if;
  select sum(e.base_amount_minor) = 0 and count(*) >= 2, bool_or(a.is_bank), bool_or(a.is_bank and not a.active)
    into balanced, banked, closed
    from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = new.id;
  if balanced is not true then
    perform ledger_refuse('ACCT_UNBALANCED', 'transaction ' || new.id || ' at commit');
  end if;
  if banked and new.status = 'posted' then
    if closed then perform ledger_refuse('ACCT_ACCOUNT_INACTIVE', 'transaction ' || new.id || ': bank account'); end if;
    if new.reverses_id is null and not (select moves_bank from transaction_kinds where kind = new.kind) then
      perform ledger_refuse('ACCT_BANK', new.kind || ' of transaction ' || new.id);
    end if;
  end if;
  if new.reverses_id is null and new.status = 'posted' and new.source_attempt = 1
      and new.intercompany_group_id is null then
    return null;
  end if;
  if new.reverses_id is not null or new.status = 'reversed' then perform ledger_check_reversal(new.id); end if;
  if new.source_attempt > 1 then
    perform ledger_check_attempt(new.source_type, new.source_id, new.source_event, new.source_attempt);
  end if;
  if new.intercompany_group_id is not null then perform ledger_check_group(new.intercompany_group_id); end if;
  return null;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_transactions_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.status not in ('draft', 'void') or old.posted_at is not null then
      perform ledger_refuse('ACCT_IMMUTABLE', 'delete of transaction ' || old.id);
    end if;
    return old;
  end if;
  if old.status <> new.status and (old.status, new.status) not in
      (('draft', 'posted'), ('draft', 'void'), ('posted', 'reversed')) then
    perform ledger_refuse('ACCT_STATUS', old.status || ' to ' || new.status || ' of transaction ' || old.id);
  end if;
  if old.status in ('posted', 'reversed') then
    if (old.number is not null and new.number is distinct from old.number)
      or to_jsonb(new) - '{status,number,has_posting_discrepencies,updated_at}'::text[]
        is distinct from to_jsonb(old) - '{status,number,has_posting_discrepencies,updated_at}'::text[] then
      perform ledger_refuse('ACCT_IMMUTABLE', 'transaction ' || old.id);
    end if;
  elsif old.status = 'void' and to_jsonb(new) - '{deleted_at,updated_at}'::text[]
      is distinct from to_jsonb(old) - '{deleted_at,updated_at}'::text[] then
    perform ledger_refuse('ACCT_IMMUTABLE', 'void transaction ' || old.id);
  end if;
  new.updated_at := now();
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_transactions_matched()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  line record;
begin
  select t.booked_on, t.id into line
    from journal_entries e
      join bank_match_entries m on m.ledger_line_id = e.id and m.active
      join bank_match_lines l on l.bank_match_id = m.bank_match_id
      join bank_transactions t on t.id = l.bank_transaction_id
    where e.transaction_id = new.id and t.bank_reconciliation_id is null order by t.id limit 1;
  if found then
    perform ledger_refuse('ACCT_BANK_MATCHED', line.booked_on || ' bank line ' || line.id);
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_transactions_year_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.status = 'draft' and new.kind <> old.kind then
    perform ledger_refuse('ACCT_IMMUTABLE', 'a closing entry stays one: ' || old.id);
  end if;
  if old.status = 'draft' and new.status = 'posted' and (new.posted_by is null
      or new.posted_by is not distinct from new.created_by) then
    perform ledger_refuse('ACCT_FOUR_EYES', 'a second person posts closing entry ' || old.id);
  end if;
  return new;
end $function$

-- owner app_migrate, rights app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_year_end_filings_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status = 'filed' then
    raise exception 'year-end filing % is filed and never changes', old.id using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_year_end_form_sum()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  held minor_amount; income minor_amount; paid minor_amount; taken minor_amount;
begin
  if not exists (select 1 from year_end_forms where id = new.id) then return null; end if;
  select coalesce(sum(value::bigint) filter (where key in ('4', '7a', 'withheld')), 0),
    coalesce(sum(value::bigint) filter (where key not in ('4', '7a', 'withheld')), 0)
    into held, income from jsonb_each_text(new.boxes);
  select coalesce(sum(amount_minor), 0), coalesce(sum(withheld_minor), 0) into paid, taken
    from year_end_form_payments where form_id = new.id;
  if held <> taken or income <> paid then
    raise exception 'form %: boxes of % and % do not sum to payments of % and %', new.id, income, held, paid, taken
      using errcode = '23514';
  end if;
  return null;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_year_end_forms_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' or exists (select 1 from year_end_filings f join year_end_forms o on o.filing_id = f.id
    where f.status = 'filed' and o.id = case tg_table_name when 'year_end_forms' then (to_jsonb(old) ->> 'id')::bigint
      else (to_jsonb(old) ->> 'form_id')::bigint end)
  then
    raise exception 'year-end forms never change; filed ones stay' using errcode = '23514';
  end if;
  return old;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.tg_year_end_layouts_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.columns is distinct from old.columns or new.form <> old.form or new.tax_year <> old.tax_year
    or new.revision <> old.revision or old.confirmed_at is not null
  then
    raise exception 'layout % never changes: a change is a new revision', old.id using errcode = '23514';
  end if;
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := now();
  return new;
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

CREATE OR REPLACE FUNCTION public.transaction_holds(t transactions)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  broken text;
begin
  -- the usual row first: every name in an expression is built anew in each transaction
  if t.status = 'posted' and t.posted_at is not null and t.deleted_at is null and t.number is null
      and t.reversal_reason is null and t.source_type is not null and t.source_id is not null
      and t.source_event is not null and t.source_attempt >= 1 and t.source_type <> '' and t.source_event <> ''
      and length(t.source_type) <= 40 and length(t.source_event) <= 60 and t.direction in ('in', 'out', 'neutral')
      and length(t.description) <= 500 and t.memo = '' then
    return true;
  end if;
  broken := case
    when t.status not in ('draft', 'posted', 'reversed', 'void') then 'transactions_status_check'
    when (t.status in ('posted', 'reversed')) <> (t.posted_at is not null) then 'transactions_check'
    when t.number is not null and t.status not in ('posted', 'reversed') then 'transactions_check1'
    when num_nulls(t.source_type, t.source_id, t.source_event) not in (0, 3) then 'transactions_check2'
    when t.source_id is not null and t.status not in ('posted', 'reversed') then 'transactions_check3'
    when t.deleted_at is not null and t.status not in ('draft', 'void') then 'transactions_check4'
    when t.direction not in ('in', 'out', 'neutral') then 'transactions_direction_check'
    when length(t.number) not between 1 and 60 then 'transactions_number_check'
    when length(t.source_type) not between 1 and 40 then 'transactions_source_type_check'
    when length(t.source_event) not between 1 and 60 then 'transactions_source_event_check'
    when t.source_attempt < 1 then 'transactions_source_attempt_check'
    when length(t.reversal_reason) > 500 then 'transactions_reversal_reason_check'
    when length(t.description) > 500 then 'transactions_description_check'
    when length(t.memo) > 2000 then 'transactions_memo_check' end;
  return broken is null or refuse_row('transactions', broken);
end $function$

-- owner app_migrate, rights =X/app_migrate app_migrate=X/app_migrate;

create view audit_chain_breaks as
 SELECT c.seq,
    c.audit_event_id,
        CASE
            WHEN c.seq <> (c.prev_seq + 1) OR c.prev_hash <> c.expected_prev THEN 'the link before it is missing or differs'::text
            WHEN c.hash IS DISTINCT FROM sha256((c.prev_hash || convert_to(audit_head_text(e.*), 'UTF8'::name)) || c.content_hash) THEN 'the event was changed'::text
            WHEN c.salt IS NULL THEN 'its content is gone without an erasure'::text
            ELSE 'its content was changed'::text
        END AS problem
   FROM ( SELECT h.audit_event_id,
            h.segment,
            h.prev_hash,
            h.hash,
            h.created_at,
            h.seq,
            h.salt,
            h.content_hash,
            lag(h.seq, 1, 0::bigint) OVER w AS prev_seq,
            lag(h.hash, 1, decode(repeat('00'::text, 32), 'hex'::text)) OVER w AS expected_prev
           FROM audit_hashes h
          WINDOW w AS (ORDER BY h.seq)) c
     JOIN audit_events e ON e.id = c.audit_event_id
     LEFT JOIN erased_events x ON x.audit_event_id = c.audit_event_id
  WHERE c.seq <> (c.prev_seq + 1) OR c.prev_hash <> c.expected_prev OR c.hash IS DISTINCT FROM sha256((c.prev_hash || convert_to(audit_head_text(e.*), 'UTF8'::name)) || c.content_hash) OR x.audit_event_id IS NULL AND (c.salt IS NULL OR c.content_hash IS DISTINCT FROM sha256(c.salt || convert_to(audit_content_text(e.*), 'UTF8'::name)))
UNION ALL
 SELECT NULL::bigint AS seq,
    a.id AS audit_event_id,
    'nobody linked it'::text AS problem
   FROM audit_events a
  WHERE a.created_at < (now() - '00:10:00'::interval) AND NOT (EXISTS ( SELECT 1
           FROM audit_hashes h
          WHERE h.audit_event_id = a.id));
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view balance_drift as
 SELECT division,
    ledger_account_id,
    currency,
    period,
    sum(d) AS debit_minor,
    sum(c) AS credit_minor,
    sum(bd) AS base_debit_minor,
    sum(bc) AS base_credit_minor,
    sum(n) AS entries
   FROM ( SELECT ledger_balances.division,
            ledger_balances.ledger_account_id,
            ledger_balances.currency,
            ledger_balances.period,
            ledger_balances.debit_minor AS d,
            ledger_balances.credit_minor AS c,
            ledger_balances.base_debit_minor AS bd,
            ledger_balances.base_credit_minor AS bc,
            ledger_balances.entries AS n
           FROM ledger_balances
        UNION ALL
         SELECT posted_entries.division,
            posted_entries.ledger_account_id,
            posted_entries.currency,
            posted_entries.period,
            - GREATEST(posted_entries.amount_minor, 0::bigint),
            - GREATEST(- posted_entries.amount_minor, 0::bigint),
            - GREATEST(posted_entries.base_amount_minor, 0::bigint),
            - GREATEST(- posted_entries.base_amount_minor, 0::bigint),
            '-1'::integer
           FROM posted_entries) x
  GROUP BY division, ledger_account_id, currency, period
 HAVING sum(d) <> 0::numeric OR sum(c) <> 0::numeric OR sum(bd) <> 0::numeric OR sum(bc) <> 0::numeric OR sum(n) <> 0::numeric;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view bill_list as
 SELECT b.id,
    b.number,
    b.kind,
    b.status,
    b.vendor_id,
    b.vendor_number,
    b.vendor_key,
    b.division,
    b.currency,
    b.billed_on,
    b.received_on,
    b.due_on,
    b.discount_ppm,
    b.discount_days,
    b.memo,
    b.net_minor,
    b.tax_minor,
    b.total_minor,
    b.functional_rate,
    b.functional_rate_on,
    b.document_id,
    b.entered_by_id,
    b.last_changed_by_id,
    b.submitted_by_id,
    b.submitted_at,
    b.approved_by_id,
    b.approved_at,
    b.declined_by_id,
    b.declined_at,
    b.decline_reason,
    b.held_by_id,
    b.held_at,
    b.hold_reason,
    b.transaction_id,
    b.open_item_id,
    b.voided_on,
    b.void_reason,
    b.search_text,
    b.version,
    b.deleted_at,
    b.created_at,
    b.updated_at,
    abs(COALESCE(i.open_minor, 0::bigint)) AS open_minor,
        CASE
            WHEN b.status <> 'approved'::text THEN b.status
            WHEN i.open_minor = 0 THEN 'paid'::text
            WHEN i.open_minor <> i.original_minor THEN 'part_paid'::text
            ELSE 'approved'::text
        END AS state
   FROM bills b
     LEFT JOIN open_items i ON i.id = b.open_item_id;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view ledger_balances as
 SELECT ledger_balances_folded.division,
    ledger_balances_folded.ledger_account_id,
    ledger_balances_folded.currency,
    ledger_balances_folded.period,
    ledger_balances_folded.debit_minor,
    ledger_balances_folded.credit_minor,
    ledger_balances_folded.base_debit_minor,
    ledger_balances_folded.base_credit_minor,
    ledger_balances_folded.entries
   FROM ledger_balances_folded
UNION ALL
 SELECT e.division,
    e.ledger_account_id,
    e.currency,
    e.period,
    GREATEST(e.amount_minor, 0::bigint) AS debit_minor,
    GREATEST(- e.amount_minor, 0::bigint) AS credit_minor,
    GREATEST(e.base_amount_minor, 0::bigint) AS base_debit_minor,
    GREATEST(- e.base_amount_minor, 0::bigint) AS base_credit_minor,
    1::bigint AS entries
   FROM ledger_fold_queue q
     JOIN journal_entries e ON e.transaction_id = q.transaction_id;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view ledger_chain_breaks as
 WITH lines AS (
         SELECT e.transaction_id,
            string_agg(ledger_chain_line(e.*), '
'::text ORDER BY e.transaction_id, e.line_no) AS text
           FROM journal_entries e
             JOIN ledger_chain c_1 ON c_1.transaction_id = e.transaction_id
          GROUP BY e.transaction_id
        ), links AS (
         SELECT ledger_chain.division,
            ledger_chain.seq,
            ledger_chain.transaction_id,
            ledger_chain.prev_hash,
            ledger_chain.hash,
            lag(ledger_chain.hash, 1, '\x'::bytea) OVER w AS expected_prev,
            lag(ledger_chain.seq, 1, 0::bigint) OVER w AS prev_seq
           FROM ledger_chain
          WINDOW w AS (PARTITION BY ledger_chain.division ORDER BY ledger_chain.seq)
        )
 SELECT c.division,
    c.seq,
    c.transaction_id
   FROM links c
     LEFT JOIN transactions t ON t.id = c.transaction_id
     LEFT JOIN lines ON lines.transaction_id = c.transaction_id
  WHERE c.prev_hash <> c.expected_prev OR c.seq <> (c.prev_seq + 1) OR c.hash IS DISTINCT FROM sha256(c.prev_hash || convert_to((ledger_chain_head(t.*) || '
'::text) || lines.text, 'UTF8'::name));
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view party_balances as
 SELECT party_balances_folded.party_type,
    party_balances_folded.party_id,
    party_balances_folded.ledger_account_id,
    party_balances_folded.currency,
    party_balances_folded.period,
    party_balances_folded.debit_minor,
    party_balances_folded.credit_minor,
    party_balances_folded.base_debit_minor,
    party_balances_folded.base_credit_minor,
    party_balances_folded.entries
   FROM party_balances_folded
UNION ALL
 SELECT e.party_type,
    e.party_id,
    e.ledger_account_id,
    e.currency,
    e.period,
    GREATEST(e.amount_minor, 0::bigint) AS debit_minor,
    GREATEST(- e.amount_minor, 0::bigint) AS credit_minor,
    GREATEST(e.base_amount_minor, 0::bigint) AS base_debit_minor,
    GREATEST(- e.base_amount_minor, 0::bigint) AS base_credit_minor,
    1::bigint AS entries
   FROM ledger_fold_queue q
     JOIN journal_entries e ON e.transaction_id = q.transaction_id
  WHERE e.party_id IS NOT NULL;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view party_drift as
 SELECT ledger_account_id,
    party_type,
    party_id,
    currency,
    period,
    sum(d) AS debit_minor,
    sum(c) AS credit_minor,
    sum(bd) AS base_debit_minor,
    sum(bc) AS base_credit_minor,
    sum(n) AS entries
   FROM ( SELECT party_balances.ledger_account_id,
            party_balances.party_type,
            party_balances.party_id,
            party_balances.currency,
            party_balances.period,
            party_balances.debit_minor AS d,
            party_balances.credit_minor AS c,
            party_balances.base_debit_minor AS bd,
            party_balances.base_credit_minor AS bc,
            party_balances.entries AS n
           FROM party_balances
        UNION ALL
         SELECT posted_entries.ledger_account_id,
            posted_entries.party_type,
            posted_entries.party_id,
            posted_entries.currency,
            posted_entries.period,
            - GREATEST(posted_entries.amount_minor, 0::bigint),
            - GREATEST(- posted_entries.amount_minor, 0::bigint),
            - GREATEST(posted_entries.base_amount_minor, 0::bigint),
            - GREATEST(- posted_entries.base_amount_minor, 0::bigint),
            '-1'::integer
           FROM posted_entries
          WHERE posted_entries.party_id IS NOT NULL) x
  GROUP BY ledger_account_id, party_type, party_id, currency, period
 HAVING sum(d) <> 0::numeric OR sum(c) <> 0::numeric OR sum(bd) <> 0::numeric OR sum(bc) <> 0::numeric OR sum(n) <> 0::numeric;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view payable_items as
 SELECT i.id,
    i.transaction_id,
    i.division,
    i.party_type,
    i.party_id,
    i.currency,
    i.document_type,
    i.document_id,
    i.opened_on,
    i.due_date,
    - i.original_minor AS original_minor,
    - i.open_minor AS open_minor,
    COALESCE(r.reserved_minor, 0::numeric)::bigint AS reserved_minor,
    w.id AS refund_id,
        CASE
            WHEN w.id IS NOT NULL THEN 0::bigint
            ELSE ((- i.open_minor)::numeric - sign(- i.open_minor::numeric) * COALESCE(r.reserved_minor, 0::numeric))::bigint
        END AS free_minor
   FROM open_items i
     JOIN ledger_accounts a ON a.id = i.ledger_account_id AND a.system_key = 'ap'::text
     LEFT JOIN LATERAL ( SELECT sum(abs(p.amount_minor::bigint) + p.discount_minor::bigint) AS reserved_minor
           FROM payment_parts p
          WHERE p.open_item_id = i.id AND p.state = 'reserved'::text) r ON true
     LEFT JOIN LATERAL ( SELECT p.id
           FROM transactions t
             JOIN payments p ON p.id = t.source_id
          WHERE t.id = i.transaction_id AND t.source_type = 'payment'::text AND t.source_event = 'refund_due'::text AND (p.status = ANY (ARRAY['draft'::text, 'approved'::text])) AND p.deleted_at IS NULL) w ON true
  WHERE i.open_minor <> 0;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view performance_bands as
 SELECT p.id AS performance_id,
    t.sort,
    t.label,
    t.number_of_seats,
    t.price_minor,
    t.weight
   FROM performances p
     JOIN performance_tickets t ON t.performance_id = p.id
UNION ALL
 SELECT p.id AS performance_id,
    k.sort,
    k.label,
    k.number_of_seats,
    k.price_minor,
    k.weight
   FROM performances p
     JOIN license_venue_tickets k ON k.license_venue_id = p.license_venue_id
  WHERE NOT (EXISTS ( SELECT 1
           FROM performance_tickets o
          WHERE o.performance_id = p.id)) AND NOT k.performance_type IS DISTINCT FROM (( SELECT max(x.performance_type) AS max
           FROM license_venue_tickets x
          WHERE x.license_venue_id = p.license_venue_id AND x.performance_type = p.type));
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate, security_invoker=true;

create view posted_entries as
 SELECT e.id,
    e.transaction_id,
    e.line_no,
    e.division,
    e.transaction_at,
    e.period,
    e.ledger_account_id,
    e.currency,
    e.amount_minor,
    e.base_amount_minor,
    e.fx_rate,
    e.party_type,
    e.party_id,
    e.invoice_id,
    e.bill_id,
    e.license_id,
    e.show_id,
    e.payment_id,
    e.tax_code_id,
    e.tax_base_minor,
    e.due_date,
    e.memo,
    t.kind,
    t.status,
    k.is_revaluation,
    k.is_year_end_close
   FROM journal_entries e
     JOIN transactions t ON t.id = e.transaction_id AND (t.status = ANY (ARRAY['posted'::text, 'reversed'::text]))
     JOIN transaction_kinds k ON k.kind = t.kind;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view undeposited_receipts as
 SELECT p.id,
    p.number,
    p.customer_id,
    p.division,
    p.currency,
    p.amount_minor,
    p.method,
    p.paid_on,
    p.reference,
    p.status,
    p.ledger_account_id,
    COALESCE(s.status = 'draft'::text, false) AS is_on_slip
   FROM payments p
     JOIN ledger_accounts a ON a.id = p.ledger_account_id AND a.system_key = 'undeposited'::text
     LEFT JOIN deposit_slip_items i ON i.payment_id = p.id AND i.holds
     LEFT JOIN deposit_slips s ON s.id = i.deposit_slip_id
  WHERE p.kind = 'receipt'::text AND (p.status = ANY (ARRAY['posted'::text, 'cleared'::text])) AND p.deleted_at IS NULL AND COALESCE(s.status, ''::text) <> 'deposited'::text;
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate;

create view vat_items as
 SELECT 'entry'::text AS source,
    e.id AS source_id,
    e.division,
    e.transaction_at AS booked_on,
    LEAST(e.transaction_at, COALESCE(v.tax_point_on, e.transaction_at)) AS tax_point_on,
        CASE a.system_key
            WHEN 'vat_output'::text THEN 'output'::text
            ELSE 'input'::text
        END AS side,
        CASE a.system_key
            WHEN 'vat_output'::text THEN - e.base_amount_minor
            ELSE e.base_amount_minor
        END AS tax_minor,
        CASE
            WHEN e.tax_base_minor IS NOT NULL THEN (
            CASE a.system_key
                WHEN 'vat_output'::text THEN '-1'::integer
                ELSE 1
            END::numeric * round(e.tax_base_minor::numeric * COALESCE(e.fx_rate, 1::numeric)))::double precision
            WHEN m.id IS NOT NULL THEN
            CASE a.system_key
                WHEN 'vat_output'::text THEN '-1'::integer
                ELSE 1
            END::double precision * sign(e.amount_minor::double precision) * round(m.net_minor::numeric * COALESCE(e.fx_rate, 1::numeric))::double precision
            ELSE 0::double precision
        END::bigint AS net_minor,
    COALESCE(vn.address::jsonb ->> 'country_code'::text, r.residence_country::text) AS partner_country,
    COALESCE(c.kind = 'reverse_charge'::text OR m.id IS NOT NULL, false) AS is_reverse_charge,
    false AS is_goods,
    e.transaction_id,
    e.party_id AS authority_id,
    a.code AS account,
    e.base_amount_minor,
    e.invoice_id,
    e.bill_id,
    m.id AS royalty_statement_id,
    c.code AS tax_code
   FROM posted_entries e
     JOIN ledger_accounts a ON a.id = e.ledger_account_id AND (a.system_key = ANY (ARRAY['vat_output'::text, 'vat_input'::text]))
     JOIN transactions t ON t.id = e.transaction_id
     LEFT JOIN tax_codes c ON c.id = e.tax_code_id
     LEFT JOIN invoices v ON v.id = e.invoice_id AND (t.kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))
     LEFT JOIN transactions o ON o.id = t.reverses_id
     LEFT JOIN royalty_statements m ON COALESCE(o.source_type, t.source_type) = 'royalty_statement'::text AND m.id = COALESCE(o.source_id, t.source_id)
     LEFT JOIN royaltors r ON r.id = m.royaltor_id
     LEFT JOIN bills b ON b.id = e.bill_id
     LEFT JOIN vendors vn ON vn.id = b.vendor_id
  WHERE (e.division = ANY (ARRAY['UK'::text, 'EU'::text])) AND (e.kind <> ALL (ARRAY['tax_return'::text, 'opening'::text, 'year_end_close'::text]))
UNION ALL
 SELECT 'invoice_line'::text AS source,
    l.id AS source_id,
    v.division,
    v.issued_on AS booked_on,
    LEAST(v.issued_on, v.tax_point_on) AS tax_point_on,
    'output'::text AS side,
    0 AS tax_minor,
    (
        CASE v.kind
            WHEN 'credit_note'::text THEN '-1'::integer
            ELSE 1
        END::numeric * round(l.base_minor::numeric * COALESCE(v.functional_rate::numeric, 1::numeric)))::bigint AS net_minor,
        CASE c.kind
            WHEN 'zero'::text THEN "left"(l.jurisdiction, 2)
            ELSE "left"(upper(v.customer_vat_number), 2)
        END AS partner_country,
    c.kind = ANY (ARRAY['reverse_charge'::text, 'zero'::text]) AS is_reverse_charge,
    i.item_class = ANY (ARRAY['rental'::text, 'printed_script'::text, 'printed_music'::text, 'merchandise'::text, 'shipping'::text]) AS is_goods,
    v.transaction_id,
    NULL::bigint AS authority_id,
    NULL::text AS account,
    0 AS base_amount_minor,
    v.id AS invoice_id,
    NULL::bigint AS bill_id,
    NULL::bigint AS royalty_statement_id,
    c.code AS tax_code
   FROM invoice_tax_lines l
     JOIN invoices v ON v.id = l.invoice_id AND (v.division = ANY (ARRAY['UK'::text, 'EU'::text])) AND v.transaction_id IS NOT NULL
     JOIN invoice_items i ON i.id = l.invoice_item_id
     JOIN tax_codes c ON c.id = l.tax_code_id AND c.code <> 'NONE'::text AND (c.kind = ANY (ARRAY['zero'::text, 'exempt'::text, 'outside_scope'::text, 'reverse_charge'::text, 'standard'::text, 'reduced'::text]))
  WHERE l.tax_minor::bigint = 0 AND NOT (EXISTS ( SELECT 1
           FROM journal_entries e
          WHERE e.transaction_id = v.transaction_id AND e.tax_code_id = l.tax_code_id))
UNION ALL
 SELECT
        CASE
            WHEN k.void THEN 'void_bill_line'::text
            ELSE 'bill_line'::text
        END AS source,
    l.id AS source_id,
    b.division,
        CASE
            WHEN k.void THEN b.voided_on
            ELSE b.billed_on
        END AS booked_on,
        CASE
            WHEN k.void THEN b.voided_on
            ELSE b.billed_on
        END AS tax_point_on,
    'input'::text AS side,
    0 AS tax_minor,
    (
        CASE
            WHEN (b.kind = 'credit'::text) <> k.void THEN '-1'::integer
            ELSE 1
        END::numeric * round(l.net_minor::numeric * COALESCE(b.functional_rate::numeric, 1::numeric)))::bigint AS net_minor,
    vn.address::jsonb ->> 'country_code'::text AS partner_country,
    false AS is_reverse_charge,
    false AS is_goods,
    b.transaction_id,
    NULL::bigint AS authority_id,
    NULL::text AS account,
    0 AS base_amount_minor,
    NULL::bigint AS invoice_id,
    b.id AS bill_id,
    NULL::bigint AS royalty_statement_id,
    c.code AS tax_code
   FROM bill_lines l
     JOIN bills b ON b.id = l.bill_id AND (b.division = ANY (ARRAY['UK'::text, 'EU'::text])) AND b.transaction_id IS NOT NULL
     JOIN tax_codes c ON c.id = l.tax_code_id
     JOIN vendors vn ON vn.id = b.vendor_id
     CROSS JOIN LATERAL ( VALUES (false), (true)) k(void)
  WHERE l.tax_minor::bigint = 0 AND (NOT k.void OR b.voided_on IS NOT NULL) AND NOT (EXISTS ( SELECT 1
           FROM journal_entries e
          WHERE e.transaction_id = b.transaction_id AND e.tax_code_id = l.tax_code_id));
-- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate, security_invoker=true;

comment on type country_code is 'Country of ISO 3166-1 alpha-2.';

comment on type currency_code is 'Currency of ISO 4217 that the product works in.';

comment on type email_address is 'Email address, at most 320 characters.';

comment on type filled_text is 'Text that is not empty.';

comment on type fx_rate is 'Exchange rate: functional currency units per one unit of the foreign currency.';

comment on type minor_amount is 'Amount in minor units of its currency (cents, pence), at most 10^12.';

comment on type postal_address is 'Address of six strings, as country_code, thoroughfare
  and postal_code; premise is optional.';

comment on type rate_ppm is 'Share or rate in parts per million, at most 100%: 10% is 100000.';

comment on type sha256_hex is 'SHA-256 in hexadecimal.';

create table add_on_materials -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  add_on_id bigint not null
  material_id bigint not null
  created_at timestamp with time zone not null default now()
alter table add_on_materials add constraint add_on_materials_add_on_id_fkey FOREIGN KEY (add_on_id) REFERENCES add_ons(id);
alter table add_on_materials add constraint add_on_materials_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table add_on_materials add constraint add_on_materials_pkey PRIMARY KEY (add_on_id, material_id);
CREATE INDEX add_on_materials_material ON public.add_on_materials USING btree (material_id);
comment on table add_on_materials is 'Downloads included in an add-on. Not copied into licenses: a new edition reaches everyone who has the add-on.';

create table add_ons -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  key text not null
  name text not null
  kind text not null
  description text not null default ''::text
  divisions text[] not null default ARRAY['US'::text, 'EU'::text, 'UK'::text, 'PROD'::text]
  categories text[] not null default '{}'::text[]
  available_from date
  available_to date
  requires_clearance boolean not null default false
  pricing_model text not null default 'flat'::text
  price_usd_minor minor_amount
  price_eur_minor minor_amount
  price_gbp_minor minor_amount
  rate_ppm rate_ppm
  item_class text not null default 'tracks'::text
  income_type text not null default 'add_on'::text
  royalty_bearing boolean not null default false
  terms_text text not null default ''::text
  mandatory_program_text text not null default ''::text
  active boolean not null default true
  grace_days integer not null default 14
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table add_ons add constraint add_ons_categories_check CHECK ((categories <@ ARRAY['Amateur'::text, 'Pro'::text]));
alter table add_ons add constraint add_ons_check CHECK ((available_to >= available_from));
alter table add_ons add constraint add_ons_check1 CHECK (((pricing_model = 'percent_stream_gross'::text) = (rate_ppm IS NOT NULL)));
alter table add_ons add constraint add_ons_divisions_check CHECK (is_division_set(divisions));
alter table add_ons add constraint add_ons_grace_days_check CHECK (((grace_days >= 0) AND (grace_days <= 3650)));
alter table add_ons add constraint add_ons_income_type_check CHECK ((income_type = ANY (ARRAY['add_on'::text, 'streaming'::text, 'video'::text, 'digital'::text, 'rental'::text])));
alter table add_ons add constraint add_ons_item_class_check CHECK ((item_class = ANY (ARRAY['performing_licence'::text, 'rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'fee'::text])));
alter table add_ons add constraint add_ons_key_check CHECK ((key ~ '^[a-z0-9_]{1,60}$'::text));
alter table add_ons add constraint add_ons_kind_check CHECK ((kind = ANY (ARRAY['performance_tracks'::text, 'rehearsal_tracks'::text, 'logo_pack'::text, 'streaming_license'::text, 'video_archival'::text, 'scenic_projection'::text, 'study_guide'::text, 'transposition'::text, 'digital_script_app'::text, 'choreography_guide'::text, 'extra_weeks'::text])));
alter table add_ons add constraint add_ons_name_check CHECK ((name <> ''::text));
alter table add_ons add constraint add_ons_pkey PRIMARY KEY (id);
alter table add_ons add constraint add_ons_price_eur_minor_check CHECK (((price_eur_minor)::bigint >= 0));
alter table add_ons add constraint add_ons_price_gbp_minor_check CHECK (((price_gbp_minor)::bigint >= 0));
alter table add_ons add constraint add_ons_price_usd_minor_check CHECK (((price_usd_minor)::bigint >= 0));
alter table add_ons add constraint add_ons_pricing_model_check CHECK ((pricing_model = ANY (ARRAY['flat'::text, 'per_performance'::text, 'per_week'::text, 'percent_stream_gross'::text, 'per_user'::text])));
alter table add_ons add constraint add_ons_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table add_ons add constraint add_ons_show_id_key_key UNIQUE (show_id, key);
CREATE INDEX add_ons_name ON public.add_ons USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX add_ons_search ON public.add_ons USING gin (search_words(VARIADIC ARRAY[name, key]) gin_trgm_ops);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.add_ons FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column add_ons.grace_days is 'Days after the last performance until the right of use ends.';
comment on table add_ons is 'Priced options of a show. Without a price in a currency, the option is not offered in it.';

create table agreement_payment_conditions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  show_royaltor_id bigint not null
  requires_show_royaltor_id bigint not null
  condition text not null default 'recouped'::text
  explanation text not null
  created_at timestamp with time zone not null default now()
alter table agreement_payment_conditions add constraint agreement_payment_conditions_check CHECK ((show_royaltor_id <> requires_show_royaltor_id));
alter table agreement_payment_conditions add constraint agreement_payment_conditions_condition_check CHECK ((condition = 'recouped'::text));
alter table agreement_payment_conditions add constraint agreement_payment_conditions_explanation_check CHECK ((explanation <> ''::text));
alter table agreement_payment_conditions add constraint agreement_payment_conditions_pkey PRIMARY KEY (id);
alter table agreement_payment_conditions add constraint agreement_payment_conditions_requires_show_royaltor_id_fkey FOREIGN KEY (requires_show_royaltor_id) REFERENCES show_royaltors(id);
alter table agreement_payment_conditions add constraint agreement_payment_conditions_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table agreement_payment_conditions add constraint agreement_payment_conditions_show_royaltor_id_requires_show_key UNIQUE (show_royaltor_id, requires_show_royaltor_id);
CREATE INDEX agreement_payment_conditions_required ON public.agreement_payment_conditions USING btree (requires_show_royaltor_id);
comment on table agreement_payment_conditions is 'Conditions on paying an agreement, for example only after another one has recouped.';

create table allocations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  debit_item_id bigint not null
  credit_item_id bigint not null
  amount_minor bigint not null
  debit_base_minor bigint not null
  credit_base_minor bigint not null
  fx_transaction_id bigint
  allocated_at date not null
  reverses_id bigint
  allocated_by bigint
  created_at timestamp with time zone not null default now()
alter table allocations add constraint allocations_allocated_by_fkey FOREIGN KEY (allocated_by) REFERENCES users(id);
alter table allocations add constraint allocations_amount_minor_check CHECK ((amount_minor <> 0));
alter table allocations add constraint allocations_check CHECK (((amount_minor > 0) = (reverses_id IS NULL)));
alter table allocations add constraint allocations_check1 CHECK ((debit_item_id <> credit_item_id));
alter table allocations add constraint allocations_credit_item_id_fkey FOREIGN KEY (credit_item_id) REFERENCES open_items(id);
alter table allocations add constraint allocations_debit_item_id_fkey FOREIGN KEY (debit_item_id) REFERENCES open_items(id);
alter table allocations add constraint allocations_fx_transaction_id_fkey FOREIGN KEY (fx_transaction_id) REFERENCES transactions(id);
alter table allocations add constraint allocations_pkey PRIMARY KEY (id);
alter table allocations add constraint allocations_reverses_id_fkey FOREIGN KEY (reverses_id) REFERENCES allocations(id);
alter table allocations add constraint allocations_reverses_id_key UNIQUE (reverses_id);
CREATE INDEX allocations_credit ON public.allocations USING btree (credit_item_id, allocated_at);
CREATE INDEX allocations_debit ON public.allocations USING btree (debit_item_id, allocated_at);
CREATE INDEX allocations_fx_transaction ON public.allocations USING btree (fx_transaction_id) WHERE (fx_transaction_id IS NOT NULL);
CREATE TRIGGER allocations_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.allocations FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_append_only();
comment on table allocations is 'Applications of a debit item to a credit item. Removing one adds the inverse row with its own date, so aging can be reported as of any day. Append-only.';

create table approval_declines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  entity text not null
  entity_id bigint not null
  entity_version integer not null
  reason text not null
  declined_by_id bigint not null
  created_at timestamp with time zone not null default now()
alter table approval_declines add constraint approval_declines_declined_by_id_fkey FOREIGN KEY (declined_by_id) REFERENCES users(id);
alter table approval_declines add constraint approval_declines_entity_check CHECK ((entity = ANY (ARRAY['rate_card'::text, 'bom_template'::text, 'royalty_statement_run'::text, 'royalty_adjustment'::text])));
alter table approval_declines add constraint approval_declines_entity_entity_id_entity_version_key UNIQUE (entity, entity_id, entity_version);
alter table approval_declines add constraint approval_declines_pkey PRIMARY KEY (id);
alter table approval_declines add constraint approval_declines_reason_check CHECK ((reason <> ''::text));
CREATE INDEX approval_declines_person ON public.approval_declines USING btree (declined_by_id);
comment on column approval_declines.entity_version is 'Version of the record that was declined.';
comment on table approval_declines is 'Drafts that a second person declined, with the reason. A row counts for the version it names: the next change of the record makes it wait again.';

create table audit_events -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  created_at timestamp with time zone not null default now()
  actor_id bigint
  on_behalf_of_customer_id bigint
  session_id bigint
  ip inet
  request_id text
  action filled_text not null
  entity filled_text not null
  entity_id bigint
  before jsonb
  after jsonb
alter table audit_events add constraint audit_events_pkey PRIMARY KEY (id);
CREATE INDEX audit_events_actor ON public.audit_events USING btree (actor_id, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_events_entity ON public.audit_events USING btree (entity, entity_id, id DESC);
CREATE INDEX audit_events_time ON public.audit_events USING brin (created_at);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on column audit_events.actor_id is 'Null for events of the system. No foreign key.';
comment on table audit_events is 'Audit trail, append-only. There are no foreign keys, so an event outlives the records it names. audit_hashes links the rows.';

create table audit_hashes -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  audit_event_id bigint not null
  segment date not null
  prev_hash bytea not null
  hash bytea not null
  created_at timestamp with time zone not null default now()
  seq bigint not null
  salt bytea
  content_hash bytea not null
alter table audit_hashes add constraint audit_hashes_audit_event_id_fkey FOREIGN KEY (audit_event_id) REFERENCES audit_events(id);
alter table audit_hashes add constraint audit_hashes_content_hash_check CHECK ((octet_length(content_hash) = 32));
alter table audit_hashes add constraint audit_hashes_hash_check CHECK ((octet_length(hash) = 32));
alter table audit_hashes add constraint audit_hashes_pkey PRIMARY KEY (audit_event_id);
alter table audit_hashes add constraint audit_hashes_prev_hash_check CHECK ((octet_length(prev_hash) = 32));
alter table audit_hashes add constraint audit_hashes_salt_check CHECK ((octet_length(salt) = 16));
CREATE INDEX audit_hashes_segment ON public.audit_hashes USING btree (segment, audit_event_id);
CREATE UNIQUE INDEX audit_hashes_seq ON public.audit_hashes USING btree (seq);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_hashes FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.audit_hashes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on column audit_hashes.content_hash is 'Hash of before and after, with the salt.';
comment on column audit_hashes.salt is 'Salt of content_hash; null once the content was erased, so that names cannot be guessed from the hash.';
comment on column audit_hashes.seq is 'Position in the chain. An event that is committed late gets a later position.';
comment on table audit_hashes is 'Hash chain over audit_events. One job appends links in the order in which it finds events. The content of an event has a salted hash of its own, so that it can be erased without breaking the chain.';

create table bank_accounts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  bank_id bigint not null
  division text not null
  currency currency_code not null
  name text not null
  holder text
  ledger_account_id bigint not null
  is_bank boolean not null generated always as (true) stored
  bank_account_encrypted bytea
  bank_routing_encrypted bytea
  bank_key_id text
  bank_account_last4 text
  number_kind text
  is_default boolean not null default false
  opening_minor minor_amount not null default 0
  opening_on date
  opening_transaction_id bigint
  next_check_number integer
  statement_format text
  statement_date_order text
  statement_mapping jsonb
  notes text not null default ''::text
  closed_on date
  search_text text not null generated always as (search_words(VARIADIC ARRAY[name, holder, bank_account_last4])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bank_accounts add constraint bank_accounts_bank_account_last4_check CHECK ((bank_account_last4 ~ '^[0-9A-Z]{1,4}$'::text));
alter table bank_accounts add constraint bank_accounts_bank_id_fkey FOREIGN KEY (bank_id) REFERENCES banks(id);
alter table bank_accounts add constraint bank_accounts_check CHECK ((num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id, number_kind) = ANY (ARRAY[0, 4])));
alter table bank_accounts add constraint bank_accounts_check1 CHECK ((((opening_minor)::bigint = 0) OR (opening_on IS NOT NULL)));
alter table bank_accounts add constraint bank_accounts_check2 CHECK (((closed_on IS NULL) OR (deleted_at IS NULL)));
alter table bank_accounts add constraint bank_accounts_division UNIQUE (id, division);
alter table bank_accounts add constraint bank_accounts_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table bank_accounts add constraint bank_accounts_id_division_currency_key UNIQUE (id, division, currency);
alter table bank_accounts add constraint bank_accounts_ledger_account_id_division_currency_is_bank_fkey FOREIGN KEY (ledger_account_id, division, currency, is_bank) REFERENCES ledger_accounts(id, division, currency, is_bank);
alter table bank_accounts add constraint bank_accounts_ledger_account_id_key UNIQUE (ledger_account_id);
alter table bank_accounts add constraint bank_accounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table bank_accounts add constraint bank_accounts_next_check_number_check CHECK (((next_check_number >= 1) AND (next_check_number <= 999999999)));
alter table bank_accounts add constraint bank_accounts_number_kind_check CHECK ((number_kind = ANY (ARRAY['iban'::text, 'us'::text, 'uk'::text, 'other'::text])));
alter table bank_accounts add constraint bank_accounts_opening_transaction_id_fkey FOREIGN KEY (opening_transaction_id) REFERENCES transactions(id);
alter table bank_accounts add constraint bank_accounts_pkey PRIMARY KEY (id);
alter table bank_accounts add constraint bank_accounts_statement_date_order_check CHECK ((statement_date_order = ANY (ARRAY['mdy'::text, 'dmy'::text, 'ymd'::text])));
alter table bank_accounts add constraint bank_accounts_statement_format_check CHECK ((statement_format = ANY (ARRAY['ofx'::text, 'qif'::text, 'csv'::text, 'camt'::text, 'mt940'::text, 'bai2'::text])));
alter table bank_accounts add constraint bank_accounts_statement_mapping_check CHECK ((jsonb_typeof(statement_mapping) = 'object'::text));
CREATE INDEX bank_accounts_bank ON public.bank_accounts USING btree (bank_id);
CREATE UNIQUE INDEX bank_accounts_default ON public.bank_accounts USING btree (division, currency) WHERE (is_default AND (closed_on IS NULL) AND (deleted_at IS NULL));
CREATE INDEX bank_accounts_latest ON public.bank_accounts USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX bank_accounts_name ON public.bank_accounts USING btree (division, lower(name)) WHERE (deleted_at IS NULL);
CREATE INDEX bank_accounts_name_start ON public.bank_accounts USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX bank_accounts_opening ON public.bank_accounts USING btree (opening_transaction_id) WHERE (opening_transaction_id IS NOT NULL);
CREATE INDEX bank_accounts_search ON public.bank_accounts USING gin (search_text gin_trgm_ops);
CREATE TRIGGER bank_accounts_guard BEFORE UPDATE ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION tg_bank_accounts_guard();
CREATE TRIGGER bank_accounts_ledger AFTER UPDATE OF name, closed_on, deleted_at ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION tg_bank_accounts_ledger();
CREATE TRIGGER next_check_number BEFORE UPDATE OF next_check_number ON public.bank_accounts FOR EACH ROW WHEN ((new.next_check_number IS DISTINCT FROM old.next_check_number)) EXECUTE FUNCTION tg_next_check_number();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bank_accounts.bank_account_encrypted is 'AES-256-GCM ciphertext under the key named by bank_key_id. Screens show the last four characters only.';
comment on column bank_accounts.closed_on is 'Null while the account is open. A used account is closed, never trashed.';
comment on column bank_accounts.is_default is 'Proposed where money of its division and currency moves. One open account at most for each.';
comment on column bank_accounts.opening_minor is 'Balance on opening_on, in the currency of the account.';
comment on column bank_accounts.statement_mapping is 'How the columns of its CSV statements are read.';
comment on table bank_accounts is 'Bank accounts of the divisions, each with a ledger account of its own.';

create table bank_match_documents -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  bank_match_id bigint not null
  document_type text not null
  document_id bigint not null
  created_at timestamp with time zone not null default now()
alter table bank_match_documents add constraint bank_match_documents_bank_match_id_fkey FOREIGN KEY (bank_match_id) REFERENCES bank_matches(id);
alter table bank_match_documents add constraint bank_match_documents_document_type_check CHECK ((document_type ~ '^[a-z_]{1,40}$'::text));
alter table bank_match_documents add constraint bank_match_documents_pkey PRIMARY KEY (bank_match_id, document_type, document_id);
CREATE INDEX bank_match_documents_document ON public.bank_match_documents USING btree (document_type, document_id);
comment on table bank_match_documents is 'Documents that a match made: undoing it takes them back, each by its own rules.';

create table bank_match_entries -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  bank_match_id bigint not null
  bank_account_id bigint not null
  ledger_line_id bigint not null
  active boolean not null default true
  posted_by_match boolean not null default false
  created_at timestamp with time zone not null default now()
alter table bank_match_entries add constraint bank_match_entries_bank_match_id_bank_account_id_fkey FOREIGN KEY (bank_match_id, bank_account_id) REFERENCES bank_matches(id, bank_account_id);
alter table bank_match_entries add constraint bank_match_entries_ledger_line_id_fkey FOREIGN KEY (ledger_line_id) REFERENCES journal_entries(id);
alter table bank_match_entries add constraint bank_match_entries_pkey PRIMARY KEY (bank_match_id, ledger_line_id);
CREATE UNIQUE INDEX bank_match_entries_active ON public.bank_match_entries USING btree (ledger_line_id) WHERE active;
CREATE INDEX bank_match_entries_line ON public.bank_match_entries USING btree (ledger_line_id, bank_match_id);
CREATE CONSTRAINT TRIGGER bank_match_entries_balance AFTER INSERT ON public.bank_match_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_bank_match_balances();
CREATE TRIGGER bank_match_entries_guard BEFORE INSERT ON public.bank_match_entries FOR EACH ROW EXECUTE FUNCTION tg_bank_match_entries_guard();
CREATE CONSTRAINT TRIGGER bank_match_entries_reversal AFTER INSERT ON public.bank_match_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_bank_match_entries_reversal();
CREATE CONSTRAINT TRIGGER bank_match_entries_settle AFTER INSERT ON public.bank_match_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_settle_payment();
CREATE TRIGGER bank_match_entries_ticked BEFORE INSERT ON public.bank_match_entries FOR EACH ROW EXECUTE FUNCTION tg_bank_match_entries_ticked();
CREATE TRIGGER bank_match_entries_unsettle AFTER UPDATE OF active ON public.bank_match_entries FOR EACH ROW WHEN ((old.active AND (NOT new.active))) EXECUTE FUNCTION tg_settle_payment();
comment on column bank_match_entries.active is 'False once the match is undone. A line is in one active match.';
comment on column bank_match_entries.posted_by_match is 'Posted by the match itself, and reversed when it is undone.';
comment on table bank_match_entries is 'Lines of the ledger in a match.';

create table bank_match_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  bank_match_id bigint not null
  bank_account_id bigint not null
  bank_transaction_id bigint not null
  active boolean not null default true
  created_at timestamp with time zone not null default now()
alter table bank_match_lines add constraint bank_match_lines_bank_match_id_bank_account_id_fkey FOREIGN KEY (bank_match_id, bank_account_id) REFERENCES bank_matches(id, bank_account_id);
alter table bank_match_lines add constraint bank_match_lines_bank_transaction_id_bank_account_id_fkey FOREIGN KEY (bank_transaction_id, bank_account_id) REFERENCES bank_transactions(id, bank_account_id);
alter table bank_match_lines add constraint bank_match_lines_pkey PRIMARY KEY (bank_match_id, bank_transaction_id);
CREATE UNIQUE INDEX bank_match_lines_active ON public.bank_match_lines USING btree (bank_transaction_id) WHERE active;
CREATE INDEX bank_match_lines_line ON public.bank_match_lines USING btree (bank_transaction_id, bank_match_id);
CREATE CONSTRAINT TRIGGER bank_match_lines_balance AFTER INSERT ON public.bank_match_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_bank_match_balances();
CREATE TRIGGER bank_match_lines_guard BEFORE INSERT ON public.bank_match_lines FOR EACH ROW EXECUTE FUNCTION tg_bank_match_lines_guard();
comment on column bank_match_lines.active is 'False once the match is undone. A line is in one active match.';
comment on table bank_match_lines is 'Lines of the bank in a match.';

create table bank_matches -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  made_by text not null
  score integer
  reasons jsonb not null default '[]'::jsonb
  paired_match_id bigint
  created_by_id bigint
  created_at timestamp with time zone not null default now()
  undone_at timestamp with time zone -- rights app_rw=w/app_migrate
  undone_by_id bigint -- rights app_rw=w/app_migrate
  undo_reason text -- rights app_rw=w/app_migrate
alter table bank_matches add constraint bank_matches_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table bank_matches add constraint bank_matches_check CHECK (((undone_at IS NULL) = (undo_reason IS NULL)));
alter table bank_matches add constraint bank_matches_check1 CHECK ((paired_match_id <> id));
alter table bank_matches add constraint bank_matches_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_matches add constraint bank_matches_id_bank_account_id_key UNIQUE (id, bank_account_id);
alter table bank_matches add constraint bank_matches_made_by_check CHECK ((made_by = ANY (ARRAY['person'::text, 'rule'::text, 'auto'::text])));
alter table bank_matches add constraint bank_matches_paired_match_id_fkey FOREIGN KEY (paired_match_id) REFERENCES bank_matches(id);
alter table bank_matches add constraint bank_matches_pkey PRIMARY KEY (id);
alter table bank_matches add constraint bank_matches_reasons_check CHECK ((jsonb_typeof(reasons) = 'array'::text));
alter table bank_matches add constraint bank_matches_score_check CHECK (((score >= 0) AND (score <= 100)));
alter table bank_matches add constraint bank_matches_undone_by_id_fkey FOREIGN KEY (undone_by_id) REFERENCES users(id);
CREATE INDEX bank_matches_account ON public.bank_matches USING btree (bank_account_id, id DESC);
CREATE INDEX bank_matches_creator ON public.bank_matches USING btree (created_by_id);
CREATE INDEX bank_matches_paired ON public.bank_matches USING btree (paired_match_id) WHERE (paired_match_id IS NOT NULL);
CREATE INDEX bank_matches_undoer ON public.bank_matches USING btree (undone_by_id);
CREATE CONSTRAINT TRIGGER bank_matches_balance AFTER INSERT ON public.bank_matches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_bank_match_balances();
CREATE TRIGGER bank_matches_undo BEFORE UPDATE ON public.bank_matches FOR EACH ROW EXECUTE FUNCTION tg_bank_matches_undo();
comment on column bank_matches.paired_match_id is 'The match of the other half of a transfer, made earlier in the same step. Both are undone together.';
comment on column bank_matches.reasons is 'Reasons of the score: code, points, text.';
comment on table bank_matches is 'Matches of bank lines with lines of the ledger account of their bank account. Undone, never deleted.';

create table bank_reconciliation_ticks -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  bank_reconciliation_id bigint not null
  bank_account_id bigint not null
  ledger_line_id bigint not null
  is_adjustment boolean not null default false
  holds boolean not null default true
  reason text
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table bank_reconciliation_ticks add constraint bank_reconciliation_ticks_bank_reconciliation_id_bank_acco_fkey FOREIGN KEY (bank_reconciliation_id, bank_account_id) REFERENCES bank_reconciliations(id, bank_account_id);
alter table bank_reconciliation_ticks add constraint bank_reconciliation_ticks_check CHECK ((is_adjustment = (reason IS NOT NULL)));
alter table bank_reconciliation_ticks add constraint bank_reconciliation_ticks_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_reconciliation_ticks add constraint bank_reconciliation_ticks_ledger_line_id_fkey FOREIGN KEY (ledger_line_id) REFERENCES journal_entries(id);
alter table bank_reconciliation_ticks add constraint bank_reconciliation_ticks_pkey PRIMARY KEY (bank_reconciliation_id, ledger_line_id);
CREATE INDEX bank_reconciliation_ticks_line ON public.bank_reconciliation_ticks USING btree (ledger_line_id);
CREATE UNIQUE INDEX bank_reconciliation_ticks_once ON public.bank_reconciliation_ticks USING btree (ledger_line_id) WHERE holds;
CREATE INDEX bank_reconciliation_ticks_user ON public.bank_reconciliation_ticks USING btree (created_by_id);
CREATE TRIGGER bank_reconciliation_ticks_guard BEFORE INSERT OR DELETE ON public.bank_reconciliation_ticks FOR EACH ROW EXECUTE FUNCTION tg_bank_ticks_guard();
comment on column bank_reconciliation_ticks.holds is 'Until the reconciliation is undone or discarded.';
comment on column bank_reconciliation_ticks.is_adjustment is 'Posted by the reconciliation to clear a difference.';
comment on table bank_reconciliation_ticks is 'Lines of the ledger that a person found on a statement of which the lines were not imported.';

create table bank_reconciliations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  to_on date not null
  opening_minor minor_amount not null
  closing_minor minor_amount not null
  status text not null default 'open'::text
  created_by_id bigint
  finished_at timestamp with time zone
  finished_by_id bigint
  undone_at timestamp with time zone
  undone_by_id bigint
  undo_reason text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  bank_statement_id bigint
  report jsonb
alter table bank_reconciliations add constraint bank_reconciliations_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table bank_reconciliations add constraint bank_reconciliations_bank_statement_id_bank_account_id_fkey FOREIGN KEY (bank_statement_id, bank_account_id) REFERENCES bank_statements(id, bank_account_id);
alter table bank_reconciliations add constraint bank_reconciliations_check CHECK (((status = ANY (ARRAY['finished'::text, 'undone'::text])) = (finished_at IS NOT NULL)));
alter table bank_reconciliations add constraint bank_reconciliations_check1 CHECK (((status = 'undone'::text) = (undone_at IS NOT NULL)));
alter table bank_reconciliations add constraint bank_reconciliations_check2 CHECK (((undone_at IS NULL) = (undo_reason IS NULL)));
alter table bank_reconciliations add constraint bank_reconciliations_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_reconciliations add constraint bank_reconciliations_finished_by_id_fkey FOREIGN KEY (finished_by_id) REFERENCES users(id);
alter table bank_reconciliations add constraint bank_reconciliations_id_bank_account_id_key UNIQUE (id, bank_account_id);
alter table bank_reconciliations add constraint bank_reconciliations_pkey PRIMARY KEY (id);
alter table bank_reconciliations add constraint bank_reconciliations_report CHECK (((report IS NULL) = (finished_at IS NULL)));
alter table bank_reconciliations add constraint bank_reconciliations_report_check CHECK ((jsonb_typeof(report) = 'object'::text));
alter table bank_reconciliations add constraint bank_reconciliations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'finished'::text, 'undone'::text, 'discarded'::text])));
alter table bank_reconciliations add constraint bank_reconciliations_undone_by_id_fkey FOREIGN KEY (undone_by_id) REFERENCES users(id);
CREATE INDEX bank_reconciliations_account ON public.bank_reconciliations USING btree (bank_account_id, to_on DESC, id DESC);
CREATE INDEX bank_reconciliations_creator ON public.bank_reconciliations USING btree (created_by_id);
CREATE UNIQUE INDEX bank_reconciliations_finished ON public.bank_reconciliations USING btree (bank_account_id, to_on) WHERE (status = 'finished'::text);
CREATE INDEX bank_reconciliations_finisher ON public.bank_reconciliations USING btree (finished_by_id);
CREATE UNIQUE INDEX bank_reconciliations_open ON public.bank_reconciliations USING btree (bank_account_id) WHERE (status = 'open'::text);
CREATE INDEX bank_reconciliations_statement ON public.bank_reconciliations USING btree (bank_statement_id) WHERE (bank_statement_id IS NOT NULL);
CREATE INDEX bank_reconciliations_undoer ON public.bank_reconciliations USING btree (undone_by_id);
CREATE TRIGGER bank_reconciliations_begin BEFORE INSERT ON public.bank_reconciliations FOR EACH ROW EXECUTE FUNCTION tg_bank_reconciliations_begin();
CREATE TRIGGER bank_reconciliations_guard BEFORE UPDATE ON public.bank_reconciliations FOR EACH ROW EXECUTE FUNCTION tg_bank_reconciliations_guard();
CREATE TRIGGER bank_reconciliations_release AFTER UPDATE OF status ON public.bank_reconciliations FOR EACH ROW WHEN ((new.status = ANY (ARRAY['undone'::text, 'discarded'::text]))) EXECUTE FUNCTION tg_bank_reconciliations_release();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bank_reconciliations FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bank_reconciliations.bank_statement_id is 'Null where the closing balance was entered by hand.';
comment on column bank_reconciliations.closing_minor is 'Closing balance that the bank states for the day.';
comment on column bank_reconciliations.report is 'The report as it was when it was finished.';
comment on table bank_reconciliations is 'Reconciliations of a bank account with its statement up to a day.';

create table bank_rules -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  name text not null
  division text not null
  priority integer not null
  bank_account_id bigint
  direction text
  from_minor minor_amount
  to_minor minor_amount
  conditions jsonb not null default '[]'::jsonb
  kind text not null
  ledger_account_id bigint
  party_type text
  party_id bigint
  to_bank_account_id bigint
  memo text not null default ''::text
  archived_at timestamp with time zone
  created_by_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[name, memo])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bank_rules add constraint bank_rules_bank_account_id_division_fkey FOREIGN KEY (bank_account_id, division) REFERENCES bank_accounts(id, division);
alter table bank_rules add constraint bank_rules_check CHECK (((from_minor)::bigint <= (to_minor)::bigint));
alter table bank_rules add constraint bank_rules_check1 CHECK (((jsonb_array_length(conditions) > 0) OR (from_minor IS NOT NULL) OR (to_minor IS NOT NULL)));
alter table bank_rules add constraint bank_rules_check2 CHECK (((kind = 'entry'::text) = (ledger_account_id IS NOT NULL)));
alter table bank_rules add constraint bank_rules_check3 CHECK (((kind = 'transfer'::text) = (to_bank_account_id IS NOT NULL)));
alter table bank_rules add constraint bank_rules_check4 CHECK ((to_bank_account_id <> bank_account_id));
alter table bank_rules add constraint bank_rules_check5 CHECK (((party_id IS NULL) = (party_type IS NULL)));
alter table bank_rules add constraint bank_rules_check6 CHECK (((kind <> 'receipt'::text) OR ((NOT (party_type IS DISTINCT FROM 'customer'::text)) AND (NOT (direction IS DISTINCT FROM 'in'::text)))));
alter table bank_rules add constraint bank_rules_conditions_check CHECK ((jsonb_typeof(conditions) = 'array'::text));
alter table bank_rules add constraint bank_rules_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_rules add constraint bank_rules_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])));
alter table bank_rules add constraint bank_rules_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table bank_rules add constraint bank_rules_from_minor_check CHECK (((from_minor)::bigint >= 0));
alter table bank_rules add constraint bank_rules_kind_check CHECK ((kind = ANY (ARRAY['entry'::text, 'receipt'::text, 'transfer'::text])));
alter table bank_rules add constraint bank_rules_ledger_account_id_division_fkey FOREIGN KEY (ledger_account_id, division) REFERENCES ledger_accounts(id, division);
alter table bank_rules add constraint bank_rules_memo_check CHECK ((length(memo) <= 500));
alter table bank_rules add constraint bank_rules_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table bank_rules add constraint bank_rules_pkey PRIMARY KEY (id);
alter table bank_rules add constraint bank_rules_priority_check CHECK (((priority >= 1) AND (priority <= 100000)));
alter table bank_rules add constraint bank_rules_to_bank_account_id_division_fkey FOREIGN KEY (to_bank_account_id, division) REFERENCES bank_accounts(id, division);
alter table bank_rules add constraint bank_rules_to_minor_check CHECK (((to_minor)::bigint >= 0));
CREATE INDEX bank_rules_account ON public.bank_rules USING btree (bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE INDEX bank_rules_ledger_account ON public.bank_rules USING btree (ledger_account_id) WHERE (ledger_account_id IS NOT NULL);
CREATE UNIQUE INDEX bank_rules_name ON public.bank_rules USING btree (division, lower(name)) WHERE (archived_at IS NULL);
CREATE INDEX bank_rules_order ON public.bank_rules USING btree (division, priority, id) WHERE (archived_at IS NULL);
CREATE INDEX bank_rules_search ON public.bank_rules USING gin (search_text gin_trgm_ops);
CREATE INDEX bank_rules_to_account ON public.bank_rules USING btree (to_bank_account_id) WHERE (to_bank_account_id IS NOT NULL);
CREATE INDEX bank_rules_user ON public.bank_rules USING btree (created_by_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bank_rules FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bank_rules.archived_at is 'Archived rules are kept and never tried.';
comment on column bank_rules.conditions is 'All must hold: field, operator, value.';
comment on column bank_rules.from_minor is 'Smallest amount without its sign, included. Null: any.';
comment on column bank_rules.kind is 'entry: posted to a ledger account. receipt: on account of a customer. transfer: to or from another bank account.';
comment on column bank_rules.priority is 'The smallest is tried first; of equals the older rule.';
comment on column bank_rules.to_minor is 'Largest amount without its sign, included. Null: any.';
comment on table bank_rules is 'Rules that recognize lines of banks and fill in what is entered for them.';

create table bank_statement_files -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  file_id bigint not null
  sha256 sha256_hex not null
  format text not null
  imported_by_id bigint
  created_at timestamp with time zone not null default now()
alter table bank_statement_files add constraint bank_statement_files_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table bank_statement_files add constraint bank_statement_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table bank_statement_files add constraint bank_statement_files_format_check CHECK ((format = ANY (ARRAY['ofx'::text, 'qif'::text, 'csv'::text, 'camt.052'::text, 'camt.053'::text, 'camt.054'::text, 'mt940'::text, 'mt942'::text, 'bai2'::text])));
alter table bank_statement_files add constraint bank_statement_files_id_bank_account_id_key UNIQUE (id, bank_account_id);
alter table bank_statement_files add constraint bank_statement_files_imported_by_id_fkey FOREIGN KEY (imported_by_id) REFERENCES users(id);
alter table bank_statement_files add constraint bank_statement_files_pkey PRIMARY KEY (id);
CREATE INDEX bank_statement_files_file ON public.bank_statement_files USING btree (file_id);
CREATE UNIQUE INDEX bank_statement_files_once ON public.bank_statement_files USING btree (bank_account_id, sha256);
CREATE INDEX bank_statement_files_user ON public.bank_statement_files USING btree (imported_by_id);
comment on table bank_statement_files is 'Files of bank statements as they were imported. The same file again brings nothing.';

create table bank_statement_imports -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  file_id bigint not null
  request jsonb not null
  status text not null default 'waiting'::text
  lines_total integer not null default 0
  lines_done integer not null default 0
  result jsonb
  failure text
  requested_by_id bigint
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bank_statement_imports add constraint bank_statement_imports_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table bank_statement_imports add constraint bank_statement_imports_check CHECK (((lines_done >= 0) AND (lines_done <= lines_total)));
alter table bank_statement_imports add constraint bank_statement_imports_check1 CHECK (((status = 'finished'::text) = (result IS NOT NULL)));
alter table bank_statement_imports add constraint bank_statement_imports_check2 CHECK (((status = 'failed'::text) = (failure IS NOT NULL)));
alter table bank_statement_imports add constraint bank_statement_imports_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table bank_statement_imports add constraint bank_statement_imports_lines_total_check CHECK ((lines_total >= 0));
alter table bank_statement_imports add constraint bank_statement_imports_pkey PRIMARY KEY (id);
alter table bank_statement_imports add constraint bank_statement_imports_request_check CHECK ((jsonb_typeof(request) = 'object'::text));
alter table bank_statement_imports add constraint bank_statement_imports_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table bank_statement_imports add constraint bank_statement_imports_result_check CHECK ((jsonb_typeof(result) = 'object'::text));
alter table bank_statement_imports add constraint bank_statement_imports_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'finished'::text, 'failed'::text])));
CREATE INDEX bank_statement_imports_account ON public.bank_statement_imports USING btree (bank_account_id);
CREATE INDEX bank_statement_imports_file ON public.bank_statement_imports USING btree (file_id);
CREATE INDEX bank_statement_imports_user ON public.bank_statement_imports USING btree (requested_by_id);
CREATE INDEX bank_statement_imports_waiting ON public.bank_statement_imports USING btree (id) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bank_statement_imports FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bank_statement_imports.request is 'What was previewed: the hash, and the answers that reading the file took.';
comment on column bank_statement_imports.result is 'Statements and counts, once it is imported.';
comment on table bank_statement_imports is 'Large files of a bank on their way: imported whole or not at all.';

create table bank_statements -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  bank_statement_file_id bigint not null
  kind text not null
  number text
  from_on date
  to_on date
  opening_minor minor_amount
  opening_on date
  closing_minor minor_amount
  closing_on date
  net_minor minor_amount not null
  line_count integer not null
  new_count integer not null
  flags jsonb not null default '[]'::jsonb
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number])) stored
  created_at timestamp with time zone not null default now()
alter table bank_statements add constraint bank_statements_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table bank_statements add constraint bank_statements_bank_statement_file_id_bank_account_id_fkey FOREIGN KEY (bank_statement_file_id, bank_account_id) REFERENCES bank_statement_files(id, bank_account_id);
alter table bank_statements add constraint bank_statements_check CHECK (((new_count >= 0) AND (new_count <= line_count)));
alter table bank_statements add constraint bank_statements_check1 CHECK ((from_on <= to_on));
alter table bank_statements add constraint bank_statements_check2 CHECK (((opening_minor IS NULL) OR (closing_minor IS NULL) OR (((opening_minor)::bigint + (net_minor)::bigint) = (closing_minor)::bigint) OR (flags @> '[{"flag": "balance_mismatch"}]'::jsonb)));
alter table bank_statements add constraint bank_statements_flags_check CHECK ((jsonb_typeof(flags) = 'array'::text));
alter table bank_statements add constraint bank_statements_id_bank_account_id_key UNIQUE (id, bank_account_id);
alter table bank_statements add constraint bank_statements_kind_check CHECK ((kind = ANY (ARRAY['statement'::text, 'advance'::text])));
alter table bank_statements add constraint bank_statements_line_count_check CHECK ((line_count >= 0));
alter table bank_statements add constraint bank_statements_pkey PRIMARY KEY (id);
CREATE INDEX bank_statements_account ON public.bank_statements USING btree (bank_account_id, to_on DESC, id DESC);
CREATE INDEX bank_statements_file ON public.bank_statements USING btree (bank_statement_file_id);
CREATE INDEX bank_statements_latest ON public.bank_statements USING btree (to_on DESC NULLS LAST, id DESC);
CREATE INDEX bank_statements_search ON public.bank_statements USING gin (search_text gin_trgm_ops);
comment on column bank_statements.flags is 'What the file shows to be wrong: flag, count, message.';
comment on column bank_statements.net_minor is 'Sum of all lines of the file, those that were here already included.';
comment on column bank_statements.new_count is 'Lines that this file brought first.';
comment on table bank_statements is 'Statements of bank accounts; camt.052, camt.054 and MT942 are advance notices.';

create table bank_transaction_files -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  bank_transaction_id bigint not null
  file_id bigint not null
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table bank_transaction_files add constraint bank_transaction_files_bank_transaction_id_fkey FOREIGN KEY (bank_transaction_id) REFERENCES bank_transactions(id) ON DELETE CASCADE;
alter table bank_transaction_files add constraint bank_transaction_files_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_transaction_files add constraint bank_transaction_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table bank_transaction_files add constraint bank_transaction_files_pkey PRIMARY KEY (id);
CREATE INDEX bank_transaction_files_file ON public.bank_transaction_files USING btree (file_id);
CREATE INDEX bank_transaction_files_transaction ON public.bank_transaction_files USING btree (bank_transaction_id);
CREATE INDEX bank_transaction_files_user ON public.bank_transaction_files USING btree (created_by_id);
comment on table bank_transaction_files is 'Files attached to bank transactions: a receipt, a letter of the bank.';

create table bank_transactions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  bank_statement_id bigint
  position integer not null
  state text not null default 'booked'::text -- rights app_rw=w/app_migrate
  booked_on date not null -- rights app_rw=w/app_migrate
  value_on date -- rights app_rw=w/app_migrate
  amount_minor minor_amount not null -- rights app_rw=w/app_migrate
  name text not null default ''::text -- rights app_rw=w/app_migrate
  memo text not null default ''::text -- rights app_rw=w/app_migrate
  reference text not null default ''::text -- rights app_rw=w/app_migrate
  bank_reference text
  end_to_end_id text
  check_number text -- rights app_rw=w/app_migrate
  type text not null default ''::text
  counterparty_account text
  balance_minor minor_amount
  original jsonb
  details jsonb not null default '[]'::jsonb -- rights app_rw=w/app_migrate
  line_key sha256_hex not null
  version integer not null default 1 -- rights app_rw=w/app_migrate
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now() -- rights app_rw=w/app_migrate
  bank_reconciliation_id bigint
  source text not null default 'statement'::text
  note text not null default ''::text -- rights app_rw=w/app_migrate
  created_by_id bigint
  deleted_at timestamp with time zone -- rights app_rw=w/app_migrate
  search_text text not null generated always as (ledger_fold(((((((((name || ' '::text) || memo) || ' '::text) || reference) || COALESCE((' '::text || end_to_end_id), ''::text)) || COALESCE((' '::text || check_number), ''::text)) || ' '::text) || note))) stored
alter table bank_transactions add constraint bank_transactions_account UNIQUE (id, bank_account_id);
alter table bank_transactions add constraint bank_transactions_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table bank_transactions add constraint bank_transactions_bank_statement_id_bank_account_id_fkey FOREIGN KEY (bank_statement_id, bank_account_id) REFERENCES bank_statements(id, bank_account_id);
alter table bank_transactions add constraint bank_transactions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_transactions add constraint bank_transactions_details_check CHECK ((jsonb_typeof(details) = 'array'::text));
alter table bank_transactions add constraint bank_transactions_manual CHECK (((source = 'statement'::text) OR ((state = 'booked'::text) AND ((amount_minor)::bigint <> 0))));
alter table bank_transactions add constraint bank_transactions_note_check CHECK ((length(note) <= 2000));
alter table bank_transactions add constraint bank_transactions_original_check CHECK ((jsonb_typeof(original) = 'object'::text));
alter table bank_transactions add constraint bank_transactions_pkey PRIMARY KEY (id);
alter table bank_transactions add constraint bank_transactions_position_check CHECK (("position" >= 1));
alter table bank_transactions add constraint bank_transactions_reconciliation FOREIGN KEY (bank_reconciliation_id, bank_account_id) REFERENCES bank_reconciliations(id, bank_account_id);
alter table bank_transactions add constraint bank_transactions_source CHECK (((source = 'statement'::text) = (bank_statement_id IS NOT NULL)));
alter table bank_transactions add constraint bank_transactions_source_check CHECK ((source = ANY (ARRAY['statement'::text, 'manual'::text])));
alter table bank_transactions add constraint bank_transactions_state_check CHECK ((state = ANY (ARRAY['booked'::text, 'advance'::text, 'superseded'::text])));
alter table bank_transactions add constraint bank_transactions_trash CHECK (((deleted_at IS NULL) OR (source = 'manual'::text)));
CREATE INDEX bank_transactions_day ON public.bank_transactions USING btree (bank_account_id, booked_on, amount_minor);
CREATE INDEX bank_transactions_latest ON public.bank_transactions USING btree (booked_on DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX bank_transactions_once ON public.bank_transactions USING btree (bank_account_id, line_key);
CREATE INDEX bank_transactions_reconciled ON public.bank_transactions USING btree (bank_reconciliation_id) WHERE (bank_reconciliation_id IS NOT NULL);
CREATE INDEX bank_transactions_search ON public.bank_transactions USING gin (search_text gin_trgm_ops);
CREATE INDEX bank_transactions_statement ON public.bank_transactions USING btree (bank_statement_id, "position");
CREATE INDEX bank_transactions_user ON public.bank_transactions USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE TRIGGER bank_transactions_bound BEFORE UPDATE OF bank_reconciliation_id ON public.bank_transactions FOR EACH ROW WHEN ((new.bank_reconciliation_id IS DISTINCT FROM old.bank_reconciliation_id)) EXECUTE FUNCTION tg_bank_transactions_bound();
CREATE TRIGGER bank_transactions_guard BEFORE DELETE OR UPDATE ON public.bank_transactions FOR EACH ROW EXECUTE FUNCTION tg_bank_transactions_guard();
CREATE TRIGGER bank_transactions_reconciled BEFORE UPDATE OF bank_reconciliation_id ON public.bank_transactions FOR EACH ROW WHEN ((new.bank_reconciliation_id IS NOT NULL)) EXECUTE FUNCTION tg_bank_transactions_reconciled();
CREATE TRIGGER bank_transactions_state BEFORE UPDATE OF state ON public.bank_transactions FOR EACH ROW EXECUTE FUNCTION tg_bank_transactions_state();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bank_transactions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bank_transactions.bank_reconciliation_id is 'The finished reconciliation that the line is part of; null: not reconciled.';
comment on column bank_transactions.bank_reference is 'The id that the bank gave the line.';
comment on column bank_transactions.bank_statement_id is 'Null: a person entered it.';
comment on column bank_transactions.details is 'Parts of a sum that the bank booked together. For information.';
comment on column bank_transactions.line_key is 'SHA-256 of day, amount, id or text and the place among identical lines: the line is imported once.';
comment on column bank_transactions.note is 'A remark of the office. The bank did not write it.';
comment on column bank_transactions.source is 'statement: a file brought it. manual: a person entered it.';
comment on column bank_transactions.state is 'Booked; told in advance; superseded by the statement of the day, which has the last word.';
comment on table bank_transactions is 'Lines of bank statements, and those that a person entered. What the bank wrote never changes.';

create table bank_transfers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null
  division text not null
  from_bank_account_id bigint not null
  to_bank_account_id bigint not null
  status text not null default 'in_transit'::text
  amount_minor minor_amount not null
  received_minor minor_amount not null
  fee_minor minor_amount not null default 0
  sent_rate fx_rate
  sent_on date not null
  received_on date
  sent_transaction_id bigint
  received_transaction_id bigint
  reversal_reason text
  memo text not null default ''::text
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bank_transfers add constraint bank_transfers_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table bank_transfers add constraint bank_transfers_check CHECK ((from_bank_account_id <> to_bank_account_id));
alter table bank_transfers add constraint bank_transfers_check1 CHECK ((received_on >= sent_on));
alter table bank_transfers add constraint bank_transfers_check2 CHECK (((received_on IS NULL) = (received_transaction_id IS NULL)));
alter table bank_transfers add constraint bank_transfers_check3 CHECK (((status <> 'received'::text) OR (received_on IS NOT NULL)));
alter table bank_transfers add constraint bank_transfers_check4 CHECK (((status <> 'in_transit'::text) OR (received_on IS NULL)));
alter table bank_transfers add constraint bank_transfers_check5 CHECK (((status = 'reversed'::text) = (reversal_reason IS NOT NULL)));
alter table bank_transfers add constraint bank_transfers_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bank_transfers add constraint bank_transfers_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table bank_transfers add constraint bank_transfers_fee_minor_check CHECK (((fee_minor)::bigint >= 0));
alter table bank_transfers add constraint bank_transfers_from_bank_account_id_division_fkey FOREIGN KEY (from_bank_account_id, division) REFERENCES bank_accounts(id, division);
alter table bank_transfers add constraint bank_transfers_number_key UNIQUE (number);
alter table bank_transfers add constraint bank_transfers_pkey PRIMARY KEY (id);
alter table bank_transfers add constraint bank_transfers_received_minor_check CHECK (((received_minor)::bigint > 0));
alter table bank_transfers add constraint bank_transfers_received_transaction_id_fkey FOREIGN KEY (received_transaction_id) REFERENCES transactions(id);
alter table bank_transfers add constraint bank_transfers_sent_transaction_id_fkey FOREIGN KEY (sent_transaction_id) REFERENCES transactions(id);
alter table bank_transfers add constraint bank_transfers_status_check CHECK ((status = ANY (ARRAY['in_transit'::text, 'received'::text, 'reversed'::text])));
alter table bank_transfers add constraint bank_transfers_to_bank_account_id_division_fkey FOREIGN KEY (to_bank_account_id, division) REFERENCES bank_accounts(id, division);
CREATE INDEX bank_transfers_from ON public.bank_transfers USING btree (from_bank_account_id);
CREATE INDEX bank_transfers_list ON public.bank_transfers USING btree (sent_on DESC, id DESC);
CREATE INDEX bank_transfers_number_start ON public.bank_transfers USING btree (lower(number) text_pattern_ops);
CREATE INDEX bank_transfers_received ON public.bank_transfers USING btree (received_transaction_id) WHERE (received_transaction_id IS NOT NULL);
CREATE INDEX bank_transfers_sent ON public.bank_transfers USING btree (sent_transaction_id) WHERE (sent_transaction_id IS NOT NULL);
CREATE INDEX bank_transfers_to ON public.bank_transfers USING btree (to_bank_account_id);
CREATE INDEX bank_transfers_waiting ON public.bank_transfers USING btree (division, sent_on) WHERE (status = 'in_transit'::text);
CREATE TRIGGER bank_transfers_guard BEFORE UPDATE ON public.bank_transfers FOR EACH ROW EXECUTE FUNCTION tg_bank_transfers_guard();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bank_transfers FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bank_transfers.amount_minor is 'What left, in the currency of the account it left, without the fee.';
comment on column bank_transfers.received_minor is 'What arrives, in the currency of the account it arrives on. Expected until then.';
comment on column bank_transfers.sent_rate is 'Functional currency units per unit of what was sent; null in the division''s own currency.';
comment on table bank_transfers is 'Transfers between two bank accounts of a division.';

create table banks -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  name text not null
  country country_code
  bic text
  contact_name text
  email email_address
  phone text
  website text
  notes text not null default ''::text
  search_text text not null generated always as (search_words(VARIADIC ARRAY[name, bic, contact_name, (email)::text, phone])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table banks add constraint banks_bic_check CHECK ((bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'::text));
alter table banks add constraint banks_name_check CHECK (((length(name) >= 1) AND (length(name) <= 160)));
alter table banks add constraint banks_pkey PRIMARY KEY (id);
CREATE INDEX banks_latest ON public.banks USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX banks_name ON public.banks USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX banks_name_start ON public.banks USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX banks_search ON public.banks USING gin (search_text gin_trgm_ops);
CREATE TRIGGER banks_in_use AFTER UPDATE OF deleted_at ON public.banks FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))) EXECUTE FUNCTION tg_banks_guard();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.banks FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table banks is 'Banks where the company has accounts.';

create table bill_credits -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  credit_id bigint not null
  bill_id bigint not null
  amount_minor minor_amount not null
  applied_on date not null
  allocation_id bigint not null
  applied_by_id bigint
  undone_on date
  undone_by_id bigint
  created_at timestamp with time zone not null default now()
alter table bill_credits add constraint bill_credits_allocation_id_fkey FOREIGN KEY (allocation_id) REFERENCES allocations(id);
alter table bill_credits add constraint bill_credits_allocation_id_key UNIQUE (allocation_id);
alter table bill_credits add constraint bill_credits_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table bill_credits add constraint bill_credits_applied_by_id_fkey FOREIGN KEY (applied_by_id) REFERENCES users(id);
alter table bill_credits add constraint bill_credits_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES bills(id);
alter table bill_credits add constraint bill_credits_check CHECK ((credit_id <> bill_id));
alter table bill_credits add constraint bill_credits_check1 CHECK ((undone_on >= applied_on));
alter table bill_credits add constraint bill_credits_credit_id_fkey FOREIGN KEY (credit_id) REFERENCES bills(id);
alter table bill_credits add constraint bill_credits_pkey PRIMARY KEY (id);
alter table bill_credits add constraint bill_credits_undone_by_id_fkey FOREIGN KEY (undone_by_id) REFERENCES users(id);
CREATE INDEX bill_credits_applier ON public.bill_credits USING btree (applied_by_id);
CREATE INDEX bill_credits_bill ON public.bill_credits USING btree (bill_id);
CREATE INDEX bill_credits_credit ON public.bill_credits USING btree (credit_id);
CREATE INDEX bill_credits_undoer ON public.bill_credits USING btree (undone_by_id);
comment on table bill_credits is 'Vendor credits applied to bills; the ledger keeps its own allocation of each.';

create table bill_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  bill_id bigint not null
  sort integer not null
  ledger_account_id bigint not null
  description text not null
  net_minor minor_amount not null
  tax_code_id bigint
  treatment text not null default 'none'::text
  jurisdiction text
  rate_ppm rate_ppm not null default 0
  tax_minor minor_amount not null default 0
  show_id bigint
  license_id bigint
  material_id bigint
  created_at timestamp with time zone not null default now()
  quantity integer
  goods_receipt_line_id bigint
  cleared_quantity integer
  cleared_minor minor_amount
alter table bill_lines add constraint bill_lines_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES bills(id);
alter table bill_lines add constraint bill_lines_bill_id_sort_key UNIQUE (bill_id, sort);
alter table bill_lines add constraint bill_lines_description_check CHECK ((description <> ''::text));
alter table bill_lines add constraint bill_lines_goods_receipt_line_id_fkey FOREIGN KEY (goods_receipt_line_id) REFERENCES goods_receipt_lines(id);
alter table bill_lines add constraint bill_lines_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_accounts(id);
alter table bill_lines add constraint bill_lines_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table bill_lines add constraint bill_lines_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table bill_lines add constraint bill_lines_net_minor_check CHECK (((net_minor)::bigint <> 0));
alter table bill_lines add constraint bill_lines_pkey PRIMARY KEY (id);
alter table bill_lines add constraint bill_lines_quantity_check CHECK ((quantity >= 1));
alter table bill_lines add constraint bill_lines_receipt CHECK (((num_nonnulls(goods_receipt_line_id, cleared_quantity, cleared_minor) = ANY (ARRAY[0, 3])) AND ((goods_receipt_line_id IS NULL) OR ((quantity IS NOT NULL) AND ((net_minor)::bigint > 0) AND ((cleared_quantity >= 1) AND (cleared_quantity <= quantity)) AND ((cleared_minor)::bigint >= 0)))));
alter table bill_lines add constraint bill_lines_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table bill_lines add constraint bill_lines_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
alter table bill_lines add constraint bill_lines_treatment CHECK ((((treatment = 'none'::text) <= ((tax_minor)::bigint = 0)) AND ((treatment = 'none'::text) OR ((tax_code_id IS NOT NULL) AND (jurisdiction IS NOT NULL)))));
alter table bill_lines add constraint bill_lines_treatment_check CHECK ((treatment = ANY (ARRAY['none'::text, 'recoverable'::text, 'cost'::text, 'reverse_charge'::text, 'use_tax'::text])));
CREATE INDEX bill_lines_account ON public.bill_lines USING btree (ledger_account_id);
CREATE INDEX bill_lines_license ON public.bill_lines USING btree (license_id) WHERE (license_id IS NOT NULL);
CREATE INDEX bill_lines_material ON public.bill_lines USING btree (material_id) WHERE (material_id IS NOT NULL);
CREATE INDEX bill_lines_receipt_line ON public.bill_lines USING btree (goods_receipt_line_id) WHERE (goods_receipt_line_id IS NOT NULL);
CREATE INDEX bill_lines_show ON public.bill_lines USING btree (show_id) WHERE (show_id IS NOT NULL);
CREATE INDEX bill_lines_tax_code ON public.bill_lines USING btree (tax_code_id) WHERE (tax_code_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER bill_lines_goods AFTER INSERT ON public.bill_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.goods_receipt_line_id IS NOT NULL)) EXECUTE FUNCTION tg_goods_receipt_lines();
CREATE TRIGGER bill_lines_guard BEFORE INSERT OR DELETE ON public.bill_lines FOR EACH ROW EXECUTE FUNCTION tg_bill_lines_guard();
CREATE CONSTRAINT TRIGGER bill_lines_sum AFTER INSERT OR DELETE ON public.bill_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_bills_sum();
comment on column bill_lines.cleared_minor is 'Cost of these pieces, which the line takes off 2010. The rest is on 5100.';
comment on column bill_lines.cleared_quantity is 'Pieces of the receipt that the line bills; fewer than quantity where more is billed than was received.';
comment on column bill_lines.net_minor is 'Positive on bills and on credits alike; a negative line is a deduction.';
comment on column bill_lines.quantity is 'Pieces of the item.';
comment on column bill_lines.tax_minor is 'Tax of the line; part of the total only where the vendor charges it.';
comment on column bill_lines.treatment is 'recoverable: input tax; cost: part of the expense (US sales tax); reverse_charge and use_tax: owed to the authority, not to the vendor.';
comment on table bill_lines is 'Lines of bills.';

create table bill_schedule_days -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  bill_schedule_id bigint not null
  due_on date not null
  bill_id bigint
  is_skipped boolean not null default false
  created_at timestamp with time zone not null default now()
alter table bill_schedule_days add constraint bill_schedule_days_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES bills(id) ON DELETE SET NULL;
alter table bill_schedule_days add constraint bill_schedule_days_bill_id_key UNIQUE (bill_id);
alter table bill_schedule_days add constraint bill_schedule_days_bill_schedule_id_fkey FOREIGN KEY (bill_schedule_id) REFERENCES bill_schedules(id);
alter table bill_schedule_days add constraint bill_schedule_days_check CHECK ((NOT (is_skipped AND (bill_id IS NOT NULL))));
alter table bill_schedule_days add constraint bill_schedule_days_pkey PRIMARY KEY (bill_schedule_id, due_on);
comment on column bill_schedule_days.bill_id is 'Null where the day was skipped, or the draft was deleted for good.';
comment on table bill_schedule_days is 'Days of recurring bills that are done, each once: a draft was made, or the day was skipped.';

create table bill_schedule_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  bill_schedule_id bigint not null
  sort integer not null
  ledger_account_id bigint not null
  description text not null
  net_minor minor_amount not null
  tax_code_id bigint
  jurisdiction text
  rate_ppm rate_ppm
  tax_minor minor_amount
  show_id bigint
  license_id bigint
  material_id bigint
  created_at timestamp with time zone not null default now()
  quantity integer
alter table bill_schedule_lines add constraint bill_schedule_lines_bill_schedule_id_fkey FOREIGN KEY (bill_schedule_id) REFERENCES bill_schedules(id);
alter table bill_schedule_lines add constraint bill_schedule_lines_bill_schedule_id_sort_key UNIQUE (bill_schedule_id, sort);
alter table bill_schedule_lines add constraint bill_schedule_lines_description_check CHECK ((description <> ''::text));
alter table bill_schedule_lines add constraint bill_schedule_lines_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_accounts(id);
alter table bill_schedule_lines add constraint bill_schedule_lines_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table bill_schedule_lines add constraint bill_schedule_lines_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table bill_schedule_lines add constraint bill_schedule_lines_net_minor_check CHECK (((net_minor)::bigint <> 0));
alter table bill_schedule_lines add constraint bill_schedule_lines_pkey PRIMARY KEY (id);
alter table bill_schedule_lines add constraint bill_schedule_lines_quantity_check CHECK ((quantity >= 1));
alter table bill_schedule_lines add constraint bill_schedule_lines_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table bill_schedule_lines add constraint bill_schedule_lines_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
CREATE INDEX bill_schedule_lines_account ON public.bill_schedule_lines USING btree (ledger_account_id);
CREATE INDEX bill_schedule_lines_license ON public.bill_schedule_lines USING btree (license_id) WHERE (license_id IS NOT NULL);
CREATE INDEX bill_schedule_lines_material ON public.bill_schedule_lines USING btree (material_id) WHERE (material_id IS NOT NULL);
CREATE INDEX bill_schedule_lines_show ON public.bill_schedule_lines USING btree (show_id) WHERE (show_id IS NOT NULL);
CREATE INDEX bill_schedule_lines_tax_code ON public.bill_schedule_lines USING btree (tax_code_id) WHERE (tax_code_id IS NOT NULL);
comment on column bill_schedule_lines.rate_ppm is 'Null: the rate of the day of each bill.';
comment on column bill_schedule_lines.tax_minor is 'Null: by the rate.';
comment on table bill_schedule_lines is 'Lines of recurring bills, as they are entered on each draft.';

create table bill_schedules -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  name text not null
  vendor_id bigint not null
  division text not null
  currency currency_code not null
  memo text not null default ''::text
  discount_ppm rate_ppm not null default 0
  discount_days integer not null default 0
  every_count integer not null
  every_unit text not null
  starts_on date not null
  ends_on date
  times integer
  status text not null default 'active'::text
  position integer not null default 0
  made_count integer not null default 0
  next_on date
  last_on date
  failure text
  created_by_id bigint
  last_changed_by_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[name, memo])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bill_schedules add constraint bill_schedules_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table bill_schedules add constraint bill_schedules_discount CHECK ((((discount_ppm)::integer = 0) = (discount_days = 0)));
alter table bill_schedules add constraint bill_schedules_discount_days_check CHECK (((discount_days >= 0) AND (discount_days <= 365)));
alter table bill_schedules add constraint bill_schedules_discount_ppm_check CHECK (((discount_ppm)::integer < 1000000));
alter table bill_schedules add constraint bill_schedules_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table bill_schedules add constraint bill_schedules_end CHECK (((num_nonnulls(ends_on, times) <= 1) AND (ends_on >= starts_on)));
alter table bill_schedules add constraint bill_schedules_every_count_check CHECK (((every_count >= 1) AND (every_count <= 60)));
alter table bill_schedules add constraint bill_schedules_every_unit_check CHECK ((every_unit = ANY (ARRAY['week'::text, 'month'::text, 'quarter'::text, 'year'::text])));
alter table bill_schedules add constraint bill_schedules_forward CHECK ((next_on > last_on));
alter table bill_schedules add constraint bill_schedules_last_changed_by_id_fkey FOREIGN KEY (last_changed_by_id) REFERENCES users(id);
alter table bill_schedules add constraint bill_schedules_made_count_check CHECK ((made_count >= 0));
alter table bill_schedules add constraint bill_schedules_name_check CHECK ((name <> ''::text));
alter table bill_schedules add constraint bill_schedules_next CHECK ((((status = 'ended'::text) = (next_on IS NULL)) AND (next_on >= starts_on) AND ((ends_on IS NULL) OR (next_on <= ends_on))));
alter table bill_schedules add constraint bill_schedules_pkey PRIMARY KEY (id);
alter table bill_schedules add constraint bill_schedules_position_check CHECK (("position" >= 0));
alter table bill_schedules add constraint bill_schedules_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])));
alter table bill_schedules add constraint bill_schedules_times CHECK ((made_count <= times));
alter table bill_schedules add constraint bill_schedules_times_check CHECK (((times >= 1) AND (times <= 1000)));
alter table bill_schedules add constraint bill_schedules_vendor_id_fkey FOREIGN KEY (vendor_id) REFERENCES vendors(id);
CREATE INDEX bill_schedules_changer ON public.bill_schedules USING btree (last_changed_by_id);
CREATE INDEX bill_schedules_creator ON public.bill_schedules USING btree (created_by_id);
CREATE INDEX bill_schedules_division ON public.bill_schedules USING btree (division);
CREATE INDEX bill_schedules_due ON public.bill_schedules USING btree (next_on, id) WHERE (status = 'active'::text);
CREATE INDEX bill_schedules_latest ON public.bill_schedules USING btree (updated_at DESC, id DESC);
CREATE INDEX bill_schedules_search ON public.bill_schedules USING gin (search_text gin_trgm_ops);
CREATE INDEX bill_schedules_vendor ON public.bill_schedules USING btree (vendor_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bill_schedules FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bill_schedules."position" is 'Place of next_on among the days counted from starts_on, so that short months lose no day for good.';
comment on column bill_schedules.ends_on is 'Last day; with times, at most one of both. Neither: without end.';
comment on column bill_schedules.failure is 'Why the bill of next_on could not be made, in words.';
comment on column bill_schedules.last_on is 'Day of the last bill that was made or skipped.';
comment on column bill_schedules.times is 'Number of bills that it makes in all.';
comment on table bill_schedules is 'Recurring bills: what comes again, how often, and until when.';

create table bills -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  number text not null
  kind text not null default 'bill'::text
  status text not null default 'draft'::text
  vendor_id bigint not null
  vendor_number text not null default ''::text
  vendor_key text not null generated always as (lower(regexp_replace(vendor_number, '(\W|_)+'::text, ''::text, 'g'::text))) stored
  division text not null
  currency currency_code not null
  billed_on date not null
  received_on date not null
  due_on date not null
  discount_ppm rate_ppm not null default 0
  discount_days integer not null default 0
  memo text not null default ''::text
  net_minor minor_amount not null default 0
  tax_minor minor_amount not null default 0
  total_minor minor_amount not null default 0
  functional_rate fx_rate
  functional_rate_on date
  document_id bigint
  entered_by_id bigint
  last_changed_by_id bigint
  submitted_by_id bigint
  submitted_at timestamp with time zone
  approved_by_id bigint
  approved_at timestamp with time zone
  declined_by_id bigint
  declined_at timestamp with time zone
  decline_reason text
  held_by_id bigint
  held_at timestamp with time zone
  hold_reason text
  transaction_id bigint
  open_item_id bigint
  voided_on date
  void_reason text
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, vendor_number, memo])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  opening_set_id bigint
alter table bills add constraint bills_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table bills add constraint bills_declined CHECK (((num_nonnulls(declined_at, decline_reason) = ANY (ARRAY[0, 2])) AND ((declined_at IS NULL) OR (status = 'draft'::text))));
alter table bills add constraint bills_declined_by_id_fkey FOREIGN KEY (declined_by_id) REFERENCES users(id);
alter table bills add constraint bills_discount CHECK (((((discount_ppm)::integer = 0) = (discount_days = 0)) AND ((kind = 'bill'::text) OR ((discount_ppm)::integer = 0))));
alter table bills add constraint bills_discount_days_check CHECK (((discount_days >= 0) AND (discount_days <= 365)));
alter table bills add constraint bills_discount_ppm_check CHECK (((discount_ppm)::integer < 1000000));
alter table bills add constraint bills_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table bills add constraint bills_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table bills add constraint bills_due CHECK ((due_on >= billed_on));
alter table bills add constraint bills_entered_by_id_fkey FOREIGN KEY (entered_by_id) REFERENCES users(id);
alter table bills add constraint bills_four_eyes CHECK (((approved_by_id IS NULL) OR ((approved_by_id IS DISTINCT FROM entered_by_id) AND (approved_by_id IS DISTINCT FROM last_changed_by_id) AND (approved_by_id IS DISTINCT FROM submitted_by_id))));
alter table bills add constraint bills_held CHECK ((num_nonnulls(held_at, hold_reason) = ANY (ARRAY[0, 2])));
alter table bills add constraint bills_held_by_id_fkey FOREIGN KEY (held_by_id) REFERENCES users(id);
alter table bills add constraint bills_kind_check CHECK ((kind = ANY (ARRAY['bill'::text, 'credit'::text])));
alter table bills add constraint bills_last_changed_by_id_fkey FOREIGN KEY (last_changed_by_id) REFERENCES users(id);
alter table bills add constraint bills_number_key UNIQUE (number);
alter table bills add constraint bills_open_item_id_fkey FOREIGN KEY (open_item_id) REFERENCES open_items(id);
alter table bills add constraint bills_opening CHECK (((opening_set_id IS NULL) OR ((tax_minor)::bigint = 0)));
alter table bills add constraint bills_opening_set_id_fkey FOREIGN KEY (opening_set_id) REFERENCES opening_sets(id);
alter table bills add constraint bills_pkey PRIMARY KEY (id);
alter table bills add constraint bills_posted CHECK ((((status = ANY (ARRAY['approved'::text, 'void'::text])) = (transaction_id IS NOT NULL)) AND ((transaction_id IS NULL) = (open_item_id IS NULL)) AND ((transaction_id IS NULL) OR ((total_minor)::bigint > 0)) AND ((transaction_id IS NULL) = (approved_at IS NULL))));
alter table bills add constraint bills_rate CHECK (((functional_rate IS NULL) = (functional_rate_on IS NULL)));
alter table bills add constraint bills_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'approved'::text, 'void'::text])));
alter table bills add constraint bills_submitted CHECK (((submitted_at IS NOT NULL) = (status <> 'draft'::text)));
alter table bills add constraint bills_submitted_by_id_fkey FOREIGN KEY (submitted_by_id) REFERENCES users(id);
alter table bills add constraint bills_total CHECK ((((total_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)) AND ((total_minor)::bigint >= 0)));
alter table bills add constraint bills_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table bills add constraint bills_trash CHECK (((deleted_at IS NULL) OR (status = 'draft'::text)));
alter table bills add constraint bills_vendor_id_fkey FOREIGN KEY (vendor_id) REFERENCES vendors(id);
alter table bills add constraint bills_void CHECK (((status = 'void'::text) = ((void_reason IS NOT NULL) AND (voided_on IS NOT NULL))));
CREATE INDEX bills_approver ON public.bills USING btree (approved_by_id);
CREATE INDEX bills_changed ON public.bills USING btree (last_changed_by_id);
CREATE INDEX bills_decliner ON public.bills USING btree (declined_by_id);
CREATE INDEX bills_division ON public.bills USING btree (division, status, billed_on DESC, id DESC);
CREATE INDEX bills_document ON public.bills USING btree (document_id) WHERE (document_id IS NOT NULL);
CREATE INDEX bills_due ON public.bills USING btree (due_on, id) WHERE (status = 'approved'::text);
CREATE INDEX bills_entered ON public.bills USING btree (entered_by_id);
CREATE INDEX bills_holder ON public.bills USING btree (held_by_id);
CREATE INDEX bills_item ON public.bills USING btree (open_item_id) WHERE (open_item_id IS NOT NULL);
CREATE INDEX bills_key ON public.bills USING btree (vendor_id, vendor_key) WHERE (vendor_key <> ''::text);
CREATE INDEX bills_latest ON public.bills USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX bills_number_start ON public.bills USING btree (lower(number) text_pattern_ops);
CREATE INDEX bills_opening ON public.bills USING btree (opening_set_id) WHERE (opening_set_id IS NOT NULL);
CREATE INDEX bills_search ON public.bills USING gin (search_text gin_trgm_ops);
CREATE INDEX bills_submitter ON public.bills USING btree (submitted_by_id);
CREATE INDEX bills_transaction ON public.bills USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX bills_vendor ON public.bills USING btree (vendor_id, billed_on DESC, id DESC);
CREATE CONSTRAINT TRIGGER bills_goods AFTER UPDATE OF vendor_id, currency, status, deleted_at ON public.bills DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_goods_receipt_lines();
CREATE TRIGGER bills_guard BEFORE DELETE OR UPDATE ON public.bills FOR EACH ROW EXECUTE FUNCTION tg_bills_guard();
CREATE CONSTRAINT TRIGGER bills_item AFTER UPDATE ON public.bills DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.open_item_id IS NOT NULL)) EXECUTE FUNCTION tg_bills_item();
CREATE CONSTRAINT TRIGGER bills_on_hold AFTER UPDATE OF hold_reason ON public.bills DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.hold_reason IS NOT NULL)) EXECUTE FUNCTION tg_bill_on_hold();
CREATE CONSTRAINT TRIGGER bills_sum AFTER INSERT OR UPDATE ON public.bills DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_bills_sum();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bills FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bills.discount_ppm is 'Early payment discount on the total, taken within discount_days of billed_on.';
comment on column bills.functional_rate is 'Functional units per unit of the currency, on the day of the bill.';
comment on column bills.last_changed_by_id is 'Person who changed it last before it was submitted.';
comment on column bills.opening_set_id is 'Set of opening balances that brought it; voided with its set alone.';
comment on column bills.status is 'Stored up to approval; part paid and paid follow from the open item (view bill_list).';
comment on column bills.vendor_key is 'Letters and digits of vendor_number, by which the same document is found again.';
comment on column bills.vendor_number is 'Number on the document of the vendor.';
comment on table bills is 'Bills of vendors and vendor credits.';

create table bom_template_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  bom_template_id bigint not null
  material_id bigint not null
  qty_rule text not null
  quantity integer not null default 1
  factor_ppm bigint not null default 1000000
  constant integer not null default 0
  optional boolean not null default false
  ship_group text not null default 'main'::text
  lead_days integer not null default 0
  substitution_group text not null default ''::text
  substitution_rank integer not null default 1
  note text not null default ''::text
  sort integer not null default 0
  created_at timestamp with time zone not null default now()
alter table bom_template_lines add constraint bom_template_lines_bom_template_id_fkey FOREIGN KEY (bom_template_id) REFERENCES bom_templates(id);
alter table bom_template_lines add constraint bom_template_lines_bom_template_id_material_id_key UNIQUE (bom_template_id, material_id);
alter table bom_template_lines add constraint bom_template_lines_constant_check CHECK (((constant >= 0) AND (constant <= 100000)));
alter table bom_template_lines add constraint bom_template_lines_factor_ppm_check CHECK (((factor_ppm >= 0) AND (factor_ppm <= 1000000000)));
alter table bom_template_lines add constraint bom_template_lines_lead_days_check CHECK (((lead_days >= 0) AND (lead_days <= 365)));
alter table bom_template_lines add constraint bom_template_lines_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table bom_template_lines add constraint bom_template_lines_pkey PRIMARY KEY (id);
alter table bom_template_lines add constraint bom_template_lines_qty_rule_check CHECK ((qty_rule = ANY (ARRAY['fixed'::text, 'per_cast'::text, 'per_venue'::text, 'per_week'::text, 'per_performance'::text])));
alter table bom_template_lines add constraint bom_template_lines_quantity_check CHECK (((quantity >= 0) AND (quantity <= 100000)));
alter table bom_template_lines add constraint bom_template_lines_ship_group_check CHECK ((ship_group = ANY (ARRAY['advance'::text, 'main'::text, 'orchestra'::text, 'digital'::text])));
alter table bom_template_lines add constraint bom_template_lines_substitution_rank_check CHECK (((substitution_rank >= 1) AND (substitution_rank <= 1000)));
CREATE INDEX bom_template_lines_material ON public.bom_template_lines USING btree (material_id);
CREATE TRIGGER mark_material_used AFTER INSERT ON public.bom_template_lines FOR EACH ROW EXECUTE FUNCTION mark_material_used();
comment on column bom_template_lines.substitution_group is 'Lines of one group can replace each other: the lowest available rank is taken.';
comment on table bom_template_lines is 'Lines of a template: a fixed quantity, or a count times a factor, rounded up, plus a constant.';

create table bom_template_versions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  bom_template_id bigint not null
  template_version integer not null
  snapshot jsonb not null
  approved_by_id bigint not null
  approved_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table bom_template_versions add constraint bom_template_versions_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table bom_template_versions add constraint bom_template_versions_bom_template_id_fkey FOREIGN KEY (bom_template_id) REFERENCES bom_templates(id) ON DELETE CASCADE;
alter table bom_template_versions add constraint bom_template_versions_bom_template_id_template_version_key UNIQUE (bom_template_id, template_version);
alter table bom_template_versions add constraint bom_template_versions_pkey PRIMARY KEY (id);
CREATE INDEX bom_template_versions_approver ON public.bom_template_versions USING btree (approved_by_id);
comment on table bom_template_versions is 'Approved versions of a template. Licenses are compared with these.';

create table bom_templates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  name text not null
  show_id bigint not null
  category text not null
  customer_classification_id bigint
  division text
  cast_min integer
  cast_max integer
  orchestration text
  notes text not null default ''::text
  template_version integer not null default 1
  approved_at timestamp with time zone
  approved_by_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[name])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bom_templates add constraint bom_templates_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table bom_templates add constraint bom_templates_cast_max_check CHECK (((cast_max >= 1) AND (cast_max <= 1000)));
alter table bom_templates add constraint bom_templates_cast_min_check CHECK (((cast_min >= 1) AND (cast_min <= 1000)));
alter table bom_templates add constraint bom_templates_category_check CHECK ((category = ANY (ARRAY['Amateur'::text, 'Pro'::text])));
alter table bom_templates add constraint bom_templates_check CHECK ((cast_max >= cast_min));
alter table bom_templates add constraint bom_templates_check1 CHECK (((approved_at IS NULL) = (approved_by_id IS NULL)));
alter table bom_templates add constraint bom_templates_customer_classification_id_fkey FOREIGN KEY (customer_classification_id) REFERENCES customer_classifications(id);
alter table bom_templates add constraint bom_templates_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table bom_templates add constraint bom_templates_name_check CHECK ((name <> ''::text));
alter table bom_templates add constraint bom_templates_orchestration_check CHECK ((orchestration = ANY (ARRAY['full'::text, 'reduced'::text, 'piano'::text, 'tracks'::text])));
alter table bom_templates add constraint bom_templates_pkey PRIMARY KEY (id);
alter table bom_templates add constraint bom_templates_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table bom_templates add constraint bom_templates_template_version_check CHECK ((template_version >= 1));
CREATE INDEX bom_templates_classification ON public.bom_templates USING btree (customer_classification_id);
CREATE INDEX bom_templates_latest ON public.bom_templates USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX bom_templates_name ON public.bom_templates USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX bom_templates_search ON public.bom_templates USING gin (search_text gin_trgm_ops);
CREATE INDEX bom_templates_show ON public.bom_templates USING btree (show_id, category, name COLLATE "und-x-icu", id);
CREATE INDEX bom_templates_trash ON public.bom_templates USING btree (deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bom_templates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bom_templates.customer_classification_id is 'Null matches every class. The template that matches in the most fields applies.';
comment on column bom_templates.template_version is 'Increased by the first edit after an approval. Licenses record the version they copied.';
comment on table bom_templates is 'Templates of the materials that a production receives (bill of materials).';

create table box_office_attachments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  box_office_report_id bigint not null
  file_id bigint not null
  description text not null default ''::text
  created_at timestamp with time zone not null default now()
alter table box_office_attachments add constraint box_office_attachments_box_office_report_id_file_id_key UNIQUE (box_office_report_id, file_id);
alter table box_office_attachments add constraint box_office_attachments_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id);
alter table box_office_attachments add constraint box_office_attachments_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table box_office_attachments add constraint box_office_attachments_pkey PRIMARY KEY (id);
CREATE INDEX box_office_attachments_file ON public.box_office_attachments USING btree (file_id);
create policy counter on box_office_attachments as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_attachments.box_office_report_id)))) with check ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_attachments.box_office_report_id))));
create policy house on box_office_attachments as permissive for all to app_rw using (true) with check (true);
create policy portal on box_office_attachments as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_attachments.box_office_report_id))) AND true));
comment on table box_office_attachments is 'Files attached to a return.';

create table box_office_deductions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  box_office_report_id bigint not null
  type text not null
  amount_minor minor_amount not null
  allowed_minor minor_amount not null default 0
  note text not null default ''::text
  created_at timestamp with time zone not null default now()
alter table box_office_deductions add constraint box_office_deductions_amount_minor_check CHECK (((amount_minor)::bigint >= 0));
alter table box_office_deductions add constraint box_office_deductions_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id);
alter table box_office_deductions add constraint box_office_deductions_check CHECK ((((allowed_minor)::bigint >= 0) AND ((allowed_minor)::bigint <= (amount_minor)::bigint)));
alter table box_office_deductions add constraint box_office_deductions_pkey PRIMARY KEY (id);
alter table box_office_deductions add constraint box_office_deductions_type_check CHECK ((type = ANY (ARRAY['admission_tax'::text, 'theatre_party_commission'::text, 'union_pension_welfare'::text, 'group_sales_commission'::text, 'card_commission'::text, 'remote_ticketing_commission'::text, 'restoration_charge'::text, 'subscription_discount'::text, 'other'::text])));
CREATE INDEX box_office_deductions_report ON public.box_office_deductions USING btree (box_office_report_id);
create policy counter on box_office_deductions as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_deductions.box_office_report_id)))) with check ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_deductions.box_office_report_id))));
create policy house on box_office_deductions as permissive for all to app_rw using (true) with check (true);
create policy portal on box_office_deductions as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_deductions.box_office_report_id))) AND true));
comment on table box_office_deductions is 'Deductions claimed in a return and the part allowed by the agreement.';

create table box_office_performances -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate, row security
  performance_id bigint not null
  box_office_report_id bigint not null
  created_at timestamp with time zone not null default now()
alter table box_office_performances add constraint box_office_performances_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id) ON DELETE CASCADE;
alter table box_office_performances add constraint box_office_performances_performance_id_fkey FOREIGN KEY (performance_id) REFERENCES performances(id) ON DELETE CASCADE;
alter table box_office_performances add constraint box_office_performances_pkey PRIMARY KEY (performance_id);
CREATE INDEX box_office_performances_report ON public.box_office_performances USING btree (box_office_report_id);
create policy counter on box_office_performances as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_performances.box_office_report_id)))) with check ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_performances.box_office_report_id))));
create policy house on box_office_performances as permissive for all to app_rw using (true) with check (true);
comment on table box_office_performances is 'The return that covers each performance. The primary key allows one.';

create table box_office_price_bands -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  box_office_row_id bigint not null
  label text not null default ''::text
  price_minor minor_amount not null
  seats_sold integer not null
  created_at timestamp with time zone not null default now()
alter table box_office_price_bands add constraint box_office_price_bands_box_office_row_id_fkey FOREIGN KEY (box_office_row_id) REFERENCES box_office_rows(id);
alter table box_office_price_bands add constraint box_office_price_bands_pkey PRIMARY KEY (id);
alter table box_office_price_bands add constraint box_office_price_bands_price_minor_check CHECK (((price_minor)::bigint >= 0));
alter table box_office_price_bands add constraint box_office_price_bands_seats_sold_check CHECK ((seats_sold >= 0));
CREATE INDEX box_office_price_bands_row ON public.box_office_price_bands USING btree (box_office_row_id);
create policy counter on box_office_price_bands as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM box_office_rows r
  WHERE (r.id = box_office_price_bands.box_office_row_id)))) with check ((EXISTS ( SELECT 1
   FROM box_office_rows r
  WHERE (r.id = box_office_price_bands.box_office_row_id))));
create policy house on box_office_price_bands as permissive for all to app_rw using (true) with check (true);
create policy portal on box_office_price_bands as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM box_office_rows r
  WHERE (r.id = box_office_price_bands.box_office_row_id))) AND true));
comment on table box_office_price_bands is 'Seats sold by price within a row of a return.';

create table box_office_questions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  box_office_report_id bigint not null
  license_id bigint not null
  kind text not null
  question text not null
  answer text
  performances integer
  note text
  answered_by_id bigint
  answered_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table box_office_questions add constraint box_office_questions_answer_check CHECK ((answer = ANY (ARRAY['as_reported'::text, 'corrected'::text, 'replace'::text, 'add'::text])));
alter table box_office_questions add constraint box_office_questions_answered_by_id_fkey FOREIGN KEY (answered_by_id) REFERENCES users(id);
alter table box_office_questions add constraint box_office_questions_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id);
alter table box_office_questions add constraint box_office_questions_box_office_report_id_kind_key UNIQUE (box_office_report_id, kind);
alter table box_office_questions add constraint box_office_questions_check CHECK ((num_nonnulls(answer, answered_at) = ANY (ARRAY[0, 2])));
alter table box_office_questions add constraint box_office_questions_kind_check CHECK ((kind = ANY (ARRAY['no_performances'::text, 'capacity_over_100'::text, 'gross_over_potential'::text, 'price_above_quoted'::text, 'deduction_not_allowed'::text, 'overlap'::text, 'outside_run'::text, 'in_future'::text, 'gross_over_limit'::text, 'attendance_over_limit'::text, 'no_running_costs'::text])));
alter table box_office_questions add constraint box_office_questions_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table box_office_questions add constraint box_office_questions_performances_check CHECK ((performances >= 0));
alter table box_office_questions add constraint box_office_questions_pkey PRIMARY KEY (id);
alter table box_office_questions add constraint box_office_questions_question_check CHECK ((question <> ''::text));
CREATE INDEX box_office_questions_license ON public.box_office_questions USING btree (license_id);
CREATE INDEX box_office_questions_open ON public.box_office_questions USING btree (license_id, id) WHERE (answered_at IS NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.box_office_questions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on box_office_questions as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_questions.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_questions.license_id))));
create policy house on box_office_questions as permissive for all to app_rw using (true) with check (true);
create policy portal on box_office_questions as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_questions.license_id))) AND true));
comment on table box_office_questions is 'Open points of a return. Until answered, the percentage is billed, minimums are left out and the license is flagged.';

create table box_office_reports -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  license_venue_id bigint
  division text not null
  scope text not null
  performance_id bigint
  period_from date not null
  period_to date not null
  part smallint not null default 1
  due_on date
  status text not null default 'expected'::text
  estimated boolean not null default false
  source text not null default 'staff'::text
  currency currency_code not null
  gross_minor minor_amount not null default 0
  deductions_minor minor_amount not null default 0
  tax_included boolean not null default false
  vat_minor minor_amount not null default 0
  net_minor minor_amount not null default 0
  subscription_allocation_minor minor_amount not null default 0
  performances_held integer
  paid_admissions integer
  complimentary integer
  capacity_available integer
  capacity_ppm integer
  certified_name text
  certified_at timestamp with time zone
  submitted_by_id bigint
  submitted_at timestamp with time zone
  decided_by_id bigint
  decided_at timestamp with time zone
  query_note text
  open_questions smallint not null default 0
  rate_ppm rate_ppm
  percentage_minor minor_amount
  minimum_minor minor_amount
  earned_minor minor_amount
  recouped_minor minor_amount
  due_minor minor_amount
  minimum_pending boolean not null default false
  trace jsonb
  computed_at timestamp with time zone
  replaces_report_id bigint
  import_id bigint
  import_row_no integer
  row_hash bytea
  invoice_id bigint
  transaction_id bigint
  held boolean not null default false
  added boolean not null default false
  add_reason text
  replaced_by_id bigint
  covers_performances boolean not null default false
  running_costs_minor minor_amount
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table box_office_reports add constraint box_office_reports_added CHECK (((NOT added) OR (add_reason <> ''::text)));
alter table box_office_reports add constraint box_office_reports_capacity_available_check CHECK ((capacity_available >= 0));
alter table box_office_reports add constraint box_office_reports_capacity_ppm_check CHECK ((capacity_ppm >= 0));
alter table box_office_reports add constraint box_office_reports_check CHECK ((period_to >= period_from));
alter table box_office_reports add constraint box_office_reports_check1 CHECK (((scope <> 'performance'::text) OR (performance_id IS NOT NULL) OR (source = 'import'::text)));
alter table box_office_reports add constraint box_office_reports_check2 CHECK (((vat_minor)::bigint <= (gross_minor)::bigint));
alter table box_office_reports add constraint box_office_reports_check3 CHECK (((net_minor)::bigint <= (gross_minor)::bigint));
alter table box_office_reports add constraint box_office_reports_check4 CHECK (((status <> 'accepted'::text) OR ((earned_minor IS NOT NULL) AND (due_minor IS NOT NULL) AND (recouped_minor IS NOT NULL) AND (trace IS NOT NULL))));
alter table box_office_reports add constraint box_office_reports_check5 CHECK (((earned_minor IS NULL) OR ((earned_minor)::bigint = ((recouped_minor)::bigint + (due_minor)::bigint)) OR (replaces_report_id IS NOT NULL)));
alter table box_office_reports add constraint box_office_reports_check7 CHECK ((replaces_report_id <> id));
alter table box_office_reports add constraint box_office_reports_check8 CHECK (((import_id IS NULL) = (import_row_no IS NULL)));
alter table box_office_reports add constraint box_office_reports_complimentary_check CHECK ((complimentary >= 0));
alter table box_office_reports add constraint box_office_reports_days EXCLUDE USING gist (int8range(license_id, license_id, '[]'::text) WITH &&, int8range(license_venue_id, license_venue_id, '[]'::text) WITH &&, daterange(period_from, period_to, '[]'::text) WITH &&, (
CASE
    WHEN covers_performances THEN int8range(id, id, '[]'::text)
    ELSE int8range(NULL::bigint, NULL::bigint)
END) WITH &&) WHERE (return_counts(status, held, added, replaces_report_id));
alter table box_office_reports add constraint box_office_reports_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES users(id);
alter table box_office_reports add constraint box_office_reports_deductions_minor_check CHECK (((deductions_minor)::bigint >= 0));
alter table box_office_reports add constraint box_office_reports_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table box_office_reports add constraint box_office_reports_gross_minor_check CHECK (((gross_minor)::bigint >= 0));
alter table box_office_reports add constraint box_office_reports_held CHECK (((NOT held) OR (earned_minor IS NULL) OR estimated));
alter table box_office_reports add constraint box_office_reports_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id);
alter table box_office_reports add constraint box_office_reports_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table box_office_reports add constraint box_office_reports_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table box_office_reports add constraint box_office_reports_license_venue_id_fkey FOREIGN KEY (license_venue_id) REFERENCES license_venues(id);
alter table box_office_reports add constraint box_office_reports_net_minor_check CHECK (((net_minor)::bigint >= 0));
alter table box_office_reports add constraint box_office_reports_open_questions_check CHECK ((open_questions >= 0));
alter table box_office_reports add constraint box_office_reports_paid_admissions_check CHECK ((paid_admissions >= 0));
alter table box_office_reports add constraint box_office_reports_part_check CHECK ((part >= 1));
alter table box_office_reports add constraint box_office_reports_performance_id_fkey FOREIGN KEY (performance_id) REFERENCES performances(id);
alter table box_office_reports add constraint box_office_reports_performances_held_check CHECK (((performances_held >= 0) AND (performances_held <= 1000)));
alter table box_office_reports add constraint box_office_reports_pkey PRIMARY KEY (id);
alter table box_office_reports add constraint box_office_reports_replaced_by CHECK ((replaced_by_id <> id));
alter table box_office_reports add constraint box_office_reports_replaced_by_id_fkey FOREIGN KEY (replaced_by_id) REFERENCES box_office_reports(id);
alter table box_office_reports add constraint box_office_reports_replaces_report_id_fkey FOREIGN KEY (replaces_report_id) REFERENCES box_office_reports(id);
alter table box_office_reports add constraint box_office_reports_row_hash_check CHECK ((octet_length(row_hash) = 32));
alter table box_office_reports add constraint box_office_reports_running_costs_minor_check CHECK (((running_costs_minor)::bigint >= 0));
alter table box_office_reports add constraint box_office_reports_scope_check CHECK ((scope = ANY (ARRAY['performance'::text, 'week'::text, 'run'::text])));
alter table box_office_reports add constraint box_office_reports_source_check CHECK ((source = ANY (ARRAY['staff'::text, 'portal'::text, 'import'::text, 'schedule'::text])));
alter table box_office_reports add constraint box_office_reports_status_check CHECK ((status = ANY (ARRAY['expected'::text, 'submitted'::text, 'queried'::text, 'accepted'::text, 'estimated'::text, 'replaced'::text])));
alter table box_office_reports add constraint box_office_reports_submitted CHECK (((status = ANY (ARRAY['expected'::text, 'estimated'::text])) OR (submitted_at IS NOT NULL) OR ((status = 'replaced'::text) AND estimated)));
alter table box_office_reports add constraint box_office_reports_submitted_by_id_fkey FOREIGN KEY (submitted_by_id) REFERENCES users(id);
alter table box_office_reports add constraint box_office_reports_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table box_office_reports add constraint box_office_reports_vat_minor_check CHECK (((vat_minor)::bigint >= 0));
CREATE INDEX box_office_reports_division ON public.box_office_reports USING btree (division, status, period_to DESC, id DESC);
CREATE INDEX box_office_reports_held ON public.box_office_reports USING btree (license_id) WHERE held;
CREATE INDEX box_office_reports_import ON public.box_office_reports USING btree (import_id, import_row_no) WHERE (import_id IS NOT NULL);
CREATE INDEX box_office_reports_invoice ON public.box_office_reports USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX box_office_reports_license ON public.box_office_reports USING btree (license_id, period_to DESC, id DESC);
CREATE INDEX box_office_reports_list ON public.box_office_reports USING btree (period_to DESC, id DESC);
CREATE INDEX box_office_reports_open ON public.box_office_reports USING btree (status, due_on, id) WHERE (status <> ALL (ARRAY['accepted'::text, 'replaced'::text]));
CREATE INDEX box_office_reports_performance ON public.box_office_reports USING btree (performance_id) WHERE (performance_id IS NOT NULL);
CREATE UNIQUE INDEX box_office_reports_period ON public.box_office_reports USING btree (license_id, license_venue_id, scope, period_from, period_to, performance_id, part) NULLS NOT DISTINCT WHERE (status <> 'replaced'::text);
CREATE INDEX box_office_reports_questioned ON public.box_office_reports USING btree (license_id) WHERE (open_questions > 0);
CREATE INDEX box_office_reports_replaced_by_id ON public.box_office_reports USING btree (replaced_by_id) WHERE (replaced_by_id IS NOT NULL);
CREATE UNIQUE INDEX box_office_reports_replaces ON public.box_office_reports USING btree (replaces_report_id) WHERE (replaces_report_id IS NOT NULL);
CREATE UNIQUE INDEX box_office_reports_row ON public.box_office_reports USING btree (row_hash) WHERE (row_hash IS NOT NULL);
CREATE INDEX box_office_reports_transaction ON public.box_office_reports USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX box_office_reports_venue ON public.box_office_reports USING btree (license_venue_id) WHERE (license_venue_id IS NOT NULL);
CREATE TRIGGER cover_performances_changed AFTER UPDATE OF license_venue_id, performance_id, period_from, period_to, status, held, added, replaces_report_id ON public.box_office_reports FOR EACH ROW WHEN ((old.covers_performances OR new.covers_performances)) EXECUTE FUNCTION cover_performances();
CREATE TRIGGER cover_performances_made AFTER INSERT ON public.box_office_reports FOR EACH ROW WHEN (new.covers_performances) EXECUTE FUNCTION cover_performances();
CREATE TRIGGER guard_expected_report BEFORE DELETE ON public.box_office_reports FOR EACH ROW EXECUTE FUNCTION guard_expected_report();
CREATE TRIGGER look_at_performances BEFORE INSERT OR UPDATE OF license_venue_id, performance_id, period_from, period_to, status ON public.box_office_reports FOR EACH ROW EXECUTE FUNCTION look_at_performances();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.box_office_reports FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on box_office_reports as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_reports.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_reports.license_id))));
create policy house on box_office_reports as permissive for all to app_rw using (true) with check (true);
create policy portal on box_office_reports as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_reports.license_id))) AND true));
comment on column box_office_reports.added is 'Counts in addition to returns that it overlaps, for the reason in add_reason.';
comment on column box_office_reports.capacity_ppm is 'Attendance as a share of the seats, if the return gives a percentage only. Over 100% raises a question.';
comment on column box_office_reports.covers_performances is 'Whether its period contained a performance when last checked.';
comment on column box_office_reports.held is 'Not calculated until someone decides whether it replaces an overlapping return or is added to it.';
comment on column box_office_reports.minimum_pending is 'A minimum waits for an answer. It is posted as a difference afterwards.';
comment on column box_office_reports.net_minor is 'Base of the percentage: gross less VAT less allowed deductions, never below 0.';
comment on column box_office_reports.part is '2 for a second return of the same period that is added to the first.';
comment on column box_office_reports.rate_ppm is 'Calculated on acceptance: earned is the greater of percentage and minimum, as the agreement says.';
comment on column box_office_reports.replaced_by_id is 'Return that takes the place of this one once it is accepted.';
comment on column box_office_reports.row_hash is 'Hash of the cells of an imported row. A row equal to an earlier one is skipped, in whatever file.';
comment on column box_office_reports.running_costs_minor is 'Running costs of the week. Operating profit is gross less running costs.';
comment on table box_office_reports is 'Box-office returns. A return covers the performances of its venue in its period; two that overlap are never both billed.';

create table box_office_rows -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  box_office_report_id bigint not null
  performance_id bigint not null
  seats_sold integer not null default 0
  comps integer not null default 0
  gross_minor minor_amount not null default 0
  created_at timestamp with time zone not null default now()
alter table box_office_rows add constraint box_office_rows_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id);
alter table box_office_rows add constraint box_office_rows_box_office_report_id_performance_id_key UNIQUE (box_office_report_id, performance_id);
alter table box_office_rows add constraint box_office_rows_comps_check CHECK (((comps >= 0) AND (comps <= 200000)));
alter table box_office_rows add constraint box_office_rows_gross_minor_check CHECK (((gross_minor)::bigint >= 0));
alter table box_office_rows add constraint box_office_rows_performance_id_fkey FOREIGN KEY (performance_id) REFERENCES performances(id);
alter table box_office_rows add constraint box_office_rows_pkey PRIMARY KEY (id);
alter table box_office_rows add constraint box_office_rows_seats_sold_check CHECK (((seats_sold >= 0) AND (seats_sold <= 200000)));
CREATE INDEX box_office_rows_performance ON public.box_office_rows USING btree (performance_id);
create policy counter on box_office_rows as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_rows.box_office_report_id)))) with check ((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_rows.box_office_report_id))));
create policy house on box_office_rows as permissive for all to app_rw using (true) with check (true);
create policy portal on box_office_rows as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM box_office_reports b
  WHERE (b.id = box_office_rows.box_office_report_id))) AND true));
comment on table box_office_rows is 'Figures per performance of a weekly or run return.';

create table box_office_weeks -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate, row security
  id bigint not null generated always as identity
  box_office_report_id bigint not null
  license_id bigint not null
  week_on date not null
  base_minor minor_amount not null
  performances_held integer not null
  charged_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table box_office_weeks add constraint box_office_weeks_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id) ON DELETE CASCADE;
alter table box_office_weeks add constraint box_office_weeks_box_office_report_id_week_on_key UNIQUE (box_office_report_id, week_on);
alter table box_office_weeks add constraint box_office_weeks_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table box_office_weeks add constraint box_office_weeks_performances_held_check CHECK ((performances_held >= 0));
alter table box_office_weeks add constraint box_office_weeks_pkey PRIMARY KEY (id);
CREATE INDEX box_office_weeks_license ON public.box_office_weeks USING btree (license_id, week_on);
create policy counter on box_office_weeks as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_weeks.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = box_office_weeks.license_id))));
create policy house on box_office_weeks as permissive for all to app_rw using (true) with check (true);
comment on column box_office_weeks.week_on is 'First day of the contractual week.';
comment on table box_office_weeks is 'Charges of a contractual week by return. The weekly minimum applies once to all venues and returns.';

create table bulk_run_rows -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  bulk_run_id bigint not null
  row_no integer not null
  record_id bigint not null
  params jsonb not null default '{}'::jsonb
  record_version integer
  label text not null
  href text
  outcome text not null default 'waiting'::text
  code text
  reason text
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bulk_run_rows add constraint bulk_run_rows_bulk_run_id_fkey FOREIGN KEY (bulk_run_id) REFERENCES bulk_runs(id) ON DELETE CASCADE;
alter table bulk_run_rows add constraint bulk_run_rows_bulk_run_id_record_id_key UNIQUE (bulk_run_id, record_id);
alter table bulk_run_rows add constraint bulk_run_rows_bulk_run_id_row_no_key UNIQUE (bulk_run_id, row_no);
alter table bulk_run_rows add constraint bulk_run_rows_check CHECK (((outcome = 'refused'::text) = (reason IS NOT NULL)));
alter table bulk_run_rows add constraint bulk_run_rows_href_check CHECK ((href ~ '^/([^/\\]|$)'::text));
alter table bulk_run_rows add constraint bulk_run_rows_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text])));
alter table bulk_run_rows add constraint bulk_run_rows_params_check CHECK ((jsonb_typeof(params) = 'object'::text));
alter table bulk_run_rows add constraint bulk_run_rows_pkey PRIMARY KEY (id);
alter table bulk_run_rows add constraint bulk_run_rows_row_no_check CHECK ((row_no > 0));
CREATE INDEX bulk_run_rows_outcome ON public.bulk_run_rows USING btree (bulk_run_id, outcome, row_no);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bulk_run_rows FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bulk_run_rows.record_id is 'Record, with the version that the person saw.';
comment on table bulk_run_rows is 'Records of a bulk action, and the result for each.';

create table bulk_runs -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  requested_by_id bigint not null
  endpoint text not null
  body jsonb not null default '{}'::jsonb
  model_name text not null
  filter jsonb not null default '{}'::jsonb
  label text not null
  noun text not null
  undo_of_id bigint
  status text not null default 'waiting'::text
  rows_total integer not null
  rows_done integer not null default 0
  rows_refused integer not null default 0
  failure text
  started_at timestamp with time zone
  finished_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table bulk_runs add constraint bulk_runs_body_check CHECK ((jsonb_typeof(body) = 'object'::text));
alter table bulk_runs add constraint bulk_runs_check CHECK (((rows_done >= rows_refused) AND (rows_done <= rows_total)));
alter table bulk_runs add constraint bulk_runs_check1 CHECK (((status = 'done'::text) <= (rows_done = rows_total)));
alter table bulk_runs add constraint bulk_runs_check2 CHECK (((status = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL)));
alter table bulk_runs add constraint bulk_runs_endpoint_check CHECK ((endpoint ~ '^(POST|PUT|DELETE) /api/admin/'::text));
alter table bulk_runs add constraint bulk_runs_filter_check CHECK ((jsonb_typeof(filter) = 'object'::text));
alter table bulk_runs add constraint bulk_runs_label_check CHECK ((label <> ''::text));
alter table bulk_runs add constraint bulk_runs_model_name_check CHECK ((model_name <> ''::text));
alter table bulk_runs add constraint bulk_runs_noun_check CHECK ((noun <> ''::text));
alter table bulk_runs add constraint bulk_runs_pkey PRIMARY KEY (id);
alter table bulk_runs add constraint bulk_runs_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table bulk_runs add constraint bulk_runs_rows_refused_check CHECK ((rows_refused >= 0));
alter table bulk_runs add constraint bulk_runs_rows_total_check CHECK ((rows_total > 0));
alter table bulk_runs add constraint bulk_runs_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])));
alter table bulk_runs add constraint bulk_runs_undo_of_id_fkey FOREIGN KEY (undo_of_id) REFERENCES bulk_runs(id) ON DELETE CASCADE;
alter table bulk_runs add constraint bulk_runs_undo_of_id_key UNIQUE (undo_of_id);
CREATE INDEX bulk_runs_at_work ON public.bulk_runs USING btree (id) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX bulk_runs_requester ON public.bulk_runs USING btree (requested_by_id, created_at DESC, id DESC);
CREATE TRIGGER tell_bulk_run AFTER INSERT OR UPDATE OF status, rows_done ON public.bulk_runs FOR EACH ROW EXECUTE FUNCTION tell_bulk_run();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.bulk_runs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column bulk_runs.endpoint is 'Call carried out for each record, for example DELETE /api/admin/staff/venues/{id}.';
comment on column bulk_runs.label is 'Action as named in the list, for example "Move to trash".';
comment on column bulk_runs.model_name is 'List that the records were chosen in.';
comment on column bulk_runs.undo_of_id is 'Run that this one undoes, once.';
comment on table bulk_runs is 'Actions on many records: requested once, carried out record by record by a job, through the same call as for one record.';

create table check_printings -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  check_id bigint not null
  printed_by_id bigint
  reason text not null default ''::text
  created_at timestamp with time zone not null default now()
alter table check_printings add constraint check_printings_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id);
alter table check_printings add constraint check_printings_pkey PRIMARY KEY (id);
alter table check_printings add constraint check_printings_printed_by_id_fkey FOREIGN KEY (printed_by_id) REFERENCES users(id);
CREATE INDEX check_printings_check ON public.check_printings USING btree (check_id, id);
CREATE INDEX check_printings_person ON public.check_printings USING btree (printed_by_id, created_at);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.check_printings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.check_printings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table check_printings is 'Each time that a check was printed; the reason of each time after the first.';

create table check_templates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  bank_account_id bigint not null
  is_blank_stock boolean not null default false
  offset_x_mm numeric(4,1) not null default 0
  offset_y_mm numeric(4,1) not null default 0
  second_signature_above_minor minor_amount
  micr_font_id bigint
  micr_signs text not null default 'letters'::text
  positive_pay jsonb not null
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table check_templates add constraint check_templates_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table check_templates add constraint check_templates_micr_font_id_fkey FOREIGN KEY (micr_font_id) REFERENCES files(id);
alter table check_templates add constraint check_templates_micr_signs_check CHECK ((micr_signs = ANY (ARRAY['letters'::text, 'unicode'::text])));
alter table check_templates add constraint check_templates_offset_x_mm_check CHECK (((offset_x_mm >= ('-25'::integer)::numeric) AND (offset_x_mm <= (25)::numeric)));
alter table check_templates add constraint check_templates_offset_y_mm_check CHECK (((offset_y_mm >= ('-25'::integer)::numeric) AND (offset_y_mm <= (25)::numeric)));
alter table check_templates add constraint check_templates_pkey PRIMARY KEY (bank_account_id);
alter table check_templates add constraint check_templates_positive_pay_check CHECK ((jsonb_typeof(positive_pay) = 'object'::text));
alter table check_templates add constraint check_templates_second_signature_above_minor_check CHECK (((second_signature_above_minor)::bigint > 0));
CREATE INDEX check_templates_font ON public.check_templates USING btree (micr_font_id) WHERE (micr_font_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.check_templates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column check_templates.is_blank_stock is 'The paper has no number and no bank printed on it.';
comment on column check_templates.micr_font_id is 'Font of the magnetic line (E-13B) that the house owns; null: no line is printed.';
comment on column check_templates.positive_pay is 'Layout of the file for positive pay.';
comment on table check_templates is 'How the checks of a bank account are printed and reported to the bank.';

create table checks -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  division text not null
  currency currency_code not null
  payment_id bigint
  check_number integer
  status text not null default 'queued'::text
  is_handwritten boolean not null default false
  written_number integer
  payee text not null default ''::text
  payee_lines text[] not null default '{}'::text[]
  amount_minor minor_amount not null default 0
  memo text not null default ''::text
  checked_on date
  printed_at timestamp with time zone
  printed_by_id bigint
  ended_on date
  ended_by_id bigint
  end_reason text
  replaces_id bigint
  stale_transaction_id bigint
  created_by_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[(check_number)::text, payee, memo])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table checks add constraint checks_bank_account_id_check_number_key UNIQUE (bank_account_id, check_number);
alter table checks add constraint checks_bank_account_id_division_currency_fkey FOREIGN KEY (bank_account_id, division, currency) REFERENCES bank_accounts(id, division, currency);
alter table checks add constraint checks_check CHECK (((status = 'queued'::text) = (check_number IS NULL)));
alter table checks add constraint checks_check1 CHECK (((status = ANY (ARRAY['queued'::text, 'spoiled'::text])) OR ((payment_id IS NOT NULL) AND (checked_on IS NOT NULL) AND ((amount_minor)::bigint > 0))));
alter table checks add constraint checks_check2 CHECK (((status = ANY (ARRAY['spoiled'::text, 'voided'::text, 'stale'::text])) = ((ended_on IS NOT NULL) AND (end_reason IS NOT NULL))));
alter table checks add constraint checks_check3 CHECK (((status = 'stale'::text) = (stale_transaction_id IS NOT NULL)));
alter table checks add constraint checks_check4 CHECK ((is_handwritten = (written_number IS NOT NULL)));
alter table checks add constraint checks_check_number_check CHECK (((check_number >= 1) AND (check_number <= 999999999)));
alter table checks add constraint checks_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table checks add constraint checks_end_reason_check CHECK ((end_reason <> ''::text));
alter table checks add constraint checks_ended_by_id_fkey FOREIGN KEY (ended_by_id) REFERENCES users(id);
alter table checks add constraint checks_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table checks add constraint checks_pkey PRIMARY KEY (id);
alter table checks add constraint checks_printed_by_id_fkey FOREIGN KEY (printed_by_id) REFERENCES users(id);
alter table checks add constraint checks_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES checks(id);
alter table checks add constraint checks_stale_transaction_id_fkey FOREIGN KEY (stale_transaction_id) REFERENCES transactions(id);
alter table checks add constraint checks_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'printed'::text, 'spoiled'::text, 'voided'::text, 'stale'::text])));
alter table checks add constraint checks_written_number_check CHECK (((written_number >= 1) AND (written_number <= 999999999)));
CREATE INDEX checks_created ON public.checks USING btree (created_at DESC, id DESC);
CREATE INDEX checks_created_by ON public.checks USING btree (created_by_id);
CREATE INDEX checks_ended_by ON public.checks USING btree (ended_by_id);
CREATE INDEX checks_list ON public.checks USING btree (bank_account_id, check_number DESC);
CREATE UNIQUE INDEX checks_live ON public.checks USING btree (payment_id) WHERE (status = ANY (ARRAY['queued'::text, 'printed'::text, 'stale'::text]));
CREATE INDEX checks_number_start ON public.checks USING btree (((check_number)::text) text_pattern_ops);
CREATE INDEX checks_open ON public.checks USING btree (checked_on) WHERE (status = 'printed'::text);
CREATE INDEX checks_payment ON public.checks USING btree (payment_id, id);
CREATE INDEX checks_printed_by ON public.checks USING btree (printed_by_id);
CREATE INDEX checks_replaces ON public.checks USING btree (replaces_id) WHERE (replaces_id IS NOT NULL);
CREATE INDEX checks_search ON public.checks USING gin (search_text gin_trgm_ops);
CREATE INDEX checks_stale_transaction ON public.checks USING btree (stale_transaction_id) WHERE (stale_transaction_id IS NOT NULL);
CREATE TRIGGER checks_guard BEFORE INSERT OR DELETE OR UPDATE ON public.checks FOR EACH ROW EXECUTE FUNCTION tg_checks_guard();
CREATE TRIGGER checks_number AFTER INSERT OR UPDATE OF check_number ON public.checks FOR EACH ROW WHEN ((new.check_number IS NOT NULL)) EXECUTE FUNCTION tg_checks_number();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.checks FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column checks.check_number is 'Null until it is printed.';
comment on column checks.checked_on is 'Day on the check, on which its payment is posted.';
comment on column checks.ended_on is 'Day on which it was spoiled, voided or became unclaimed property.';
comment on column checks.payee is 'Name, address, amount and memo as they were printed.';
comment on column checks.payment_id is 'Null for a blank form that was spoiled.';
comment on column checks.written_number is 'Number of a check that was written by hand; it gets no other.';
comment on table checks is 'Checks: one row for each number of a bank account, and one for each payment that waits for one.';

create table client_errors -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  day date not null
  message text not null
  page text not null
  stack text not null default ''::text
  seen integer not null default 1
  last_at timestamp with time zone not null
  created_at timestamp with time zone not null default now()
alter table client_errors add constraint client_errors_day_message_page_key UNIQUE (day, message, page);
alter table client_errors add constraint client_errors_message_check CHECK (((length(message) >= 1) AND (length(message) <= 500)));
alter table client_errors add constraint client_errors_page_check CHECK ((length(page) <= 200));
alter table client_errors add constraint client_errors_pkey PRIMARY KEY (id);
alter table client_errors add constraint client_errors_stack_check CHECK ((length(stack) <= 4000));
comment on table client_errors is 'Errors reported by browsers, counted per day, without any data about the person.';

create table contract_templates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  category text not null
  version_no integer not null
  status text not null default 'draft'::text
  clauses jsonb not null
  note text not null default ''::text
  created_by_id bigint
  in_use_since timestamp with time zone
  approved_at timestamp with time zone
  approved_by_id bigint
  counsel text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table contract_templates add constraint contract_templates_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table contract_templates add constraint contract_templates_category_check CHECK ((category = ANY (ARRAY['Amateur'::text, 'Pro'::text])));
alter table contract_templates add constraint contract_templates_check CHECK (((status = 'draft'::text) = (in_use_since IS NULL)));
alter table contract_templates add constraint contract_templates_check1 CHECK ((((approved_at IS NULL) = (approved_by_id IS NULL)) AND ((approved_at IS NULL) = (counsel = ''::text))));
alter table contract_templates add constraint contract_templates_check2 CHECK (((status <> 'draft'::text) OR (approved_at IS NULL)));
alter table contract_templates add constraint contract_templates_clauses_check CHECK (((jsonb_typeof(clauses) = 'array'::text) AND ((jsonb_array_length(clauses) >= 1) AND (jsonb_array_length(clauses) <= 60))));
alter table contract_templates add constraint contract_templates_counsel_check CHECK ((length(counsel) <= 200));
alter table contract_templates add constraint contract_templates_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table contract_templates add constraint contract_templates_division_category_version_no_key UNIQUE (division, category, version_no);
alter table contract_templates add constraint contract_templates_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table contract_templates add constraint contract_templates_note_check CHECK ((length(note) <= 500));
alter table contract_templates add constraint contract_templates_pkey PRIMARY KEY (id);
alter table contract_templates add constraint contract_templates_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'in_use'::text, 'retired'::text])));
alter table contract_templates add constraint contract_templates_version_no_check CHECK ((version_no >= 1));
CREATE INDEX contract_templates_approver ON public.contract_templates USING btree (approved_by_id);
CREATE INDEX contract_templates_author ON public.contract_templates USING btree (created_by_id);
CREATE UNIQUE INDEX contract_templates_draft ON public.contract_templates USING btree (division, category) WHERE (status = 'draft'::text);
CREATE UNIQUE INDEX contract_templates_in_use ON public.contract_templates USING btree (division, category) WHERE (status = 'in_use'::text);
CREATE TRIGGER guard_contract_template BEFORE DELETE OR UPDATE ON public.contract_templates FOR EACH ROW EXECUTE FUNCTION guard_contract_template();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.contract_templates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column contract_templates.clauses is 'Sections with their paragraphs and the condition of each: packages/kernel/licensing/contract-form.ts.';
comment on column contract_templates.counsel is 'Who approved the text; empty until then, and contracts say that it is a draft.';
comment on table contract_templates is 'Versions of the contract text, per division and category. One is in use and at most one is being written; a version that has been in use is never changed, because contracts refer to it.';

create table cross_collateral_groups -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  name text not null
  royaltor_id bigint not null
  allow_conversion boolean not null default false
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table cross_collateral_groups add constraint cross_collateral_groups_name_check CHECK ((name <> ''::text));
alter table cross_collateral_groups add constraint cross_collateral_groups_name_key UNIQUE (name);
alter table cross_collateral_groups add constraint cross_collateral_groups_pkey PRIMARY KEY (id);
alter table cross_collateral_groups add constraint cross_collateral_groups_royaltor_id_fkey FOREIGN KEY (royaltor_id) REFERENCES royaltors(id);
CREATE INDEX cross_collateral_groups_royaltor ON public.cross_collateral_groups USING btree (royaltor_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.cross_collateral_groups FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table cross_collateral_groups is 'Groups of agreements whose advances recoup from the earnings of the whole group.';

create table currencies -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=r/app_migrate
  code text not null
  exponent smallint not null
  name text not null
alter table currencies add constraint currencies_code_check CHECK ((code ~ '^[A-Z]{3}$'::text));
alter table currencies add constraint currencies_exponent_check CHECK (((exponent >= 0) AND (exponent <= 4)));
alter table currencies add constraint currencies_pkey PRIMARY KEY (code);
comment on column currencies.exponent is 'Decimals of the minor unit. Never changed once used, because amounts would change their value.';
comment on table currencies is 'Currencies the product works in.';

create table customer_aliases -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  alias text not null
  alias_key text not null generated always as (search_fold(alias)) stored
  created_at timestamp with time zone not null default now()
alter table customer_aliases add constraint customer_aliases_alias_check CHECK ((alias <> ''::text));
alter table customer_aliases add constraint customer_aliases_alias_key_key UNIQUE (alias_key);
alter table customer_aliases add constraint customer_aliases_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_aliases add constraint customer_aliases_pkey PRIMARY KEY (id);
CREATE INDEX customer_aliases_customer ON public.customer_aliases USING btree (customer_id);
CREATE INDEX customer_aliases_fold ON public.customer_aliases USING btree (name_key(alias));
create policy counter on customer_aliases as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_aliases as permissive for all to app_rw using (true) with check (true);
comment on table customer_aliases is 'Other names under which imports recognize a customer.';

create table customer_classifications -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  key text not null
  name text not null
  description text not null default ''::text
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table customer_classifications add constraint customer_classifications_key_check CHECK ((key ~ '^[a-z0-9_]{1,40}$'::text));
alter table customer_classifications add constraint customer_classifications_key_key UNIQUE (key);
alter table customer_classifications add constraint customer_classifications_name_check CHECK ((name <> ''::text));
alter table customer_classifications add constraint customer_classifications_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX customer_classifications_name ON public.customer_classifications USING btree (lower(name)) WHERE (deleted_at IS NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customer_classifications FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table customer_classifications is 'Classes of customers, for example school or professional, used by prices and restrictions.';

create table customer_contacts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  name text not null
  role text not null default ''::text
  email email_address
  phone text
  is_primary boolean not null default false
  active boolean not null default true
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table customer_contacts add constraint customer_contacts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_contacts add constraint customer_contacts_name_check CHECK ((name <> ''::text));
alter table customer_contacts add constraint customer_contacts_pkey PRIMARY KEY (id);
CREATE INDEX customer_contacts_customer ON public.customer_contacts USING btree (customer_id);
CREATE UNIQUE INDEX customer_contacts_primary ON public.customer_contacts USING btree (customer_id) WHERE is_primary;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customer_contacts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on customer_contacts as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_contacts as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_contacts as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_contacts is 'Contacts of a customer. They need no account.';

create table customer_customer_classifications -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  customer_classification_id bigint not null
  created_at timestamp with time zone not null default now()
alter table customer_customer_classifications add constraint customer_customer_classificat_customer_id_customer_classifi_key UNIQUE (customer_id, customer_classification_id);
alter table customer_customer_classifications add constraint customer_customer_classificatio_customer_classification_id_fkey FOREIGN KEY (customer_classification_id) REFERENCES customer_classifications(id);
alter table customer_customer_classifications add constraint customer_customer_classifications_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_customer_classifications add constraint customer_customer_classifications_pkey PRIMARY KEY (id);
CREATE INDEX customer_classifications_members ON public.customer_customer_classifications USING btree (customer_classification_id, customer_id);
create policy counter on customer_customer_classifications as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_customer_classifications as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_customer_classifications as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_customer_classifications is 'Classes of a customer.';

create table customer_invitations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  customer_id bigint not null -- rights app_portal=r/app_migrate
  email text not null -- rights app_portal=r/app_migrate
  role text not null -- rights app_portal=r/app_migrate
  token_hash bytea not null
  status text not null default 'pending'::text -- rights app_portal=r/app_migrate
  invited_by_id bigint not null -- rights app_portal=r/app_migrate
  accepted_by_id bigint
  expires_at timestamp with time zone not null -- rights app_portal=r/app_migrate
  decided_at timestamp with time zone -- rights app_portal=r/app_migrate
  version integer not null default 1 -- rights app_portal=r/app_migrate
  created_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
  updated_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
alter table customer_invitations add constraint customer_invitations_accepted_by_id_fkey FOREIGN KEY (accepted_by_id) REFERENCES users(id);
alter table customer_invitations add constraint customer_invitations_check CHECK (((status = 'pending'::text) = (decided_at IS NULL)));
alter table customer_invitations add constraint customer_invitations_check1 CHECK (((status = 'accepted'::text) = (accepted_by_id IS NOT NULL)));
alter table customer_invitations add constraint customer_invitations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_invitations add constraint customer_invitations_email_check CHECK (((email = lower(email)) AND (length(email) <= 254)));
alter table customer_invitations add constraint customer_invitations_invited_by_id_fkey FOREIGN KEY (invited_by_id) REFERENCES users(id);
alter table customer_invitations add constraint customer_invitations_pkey PRIMARY KEY (id);
alter table customer_invitations add constraint customer_invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'signer'::text, 'member'::text])));
alter table customer_invitations add constraint customer_invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'revoked'::text])));
alter table customer_invitations add constraint customer_invitations_token_hash_check CHECK ((length(token_hash) = 32));
CREATE INDEX customer_invitations_accepted_by ON public.customer_invitations USING btree (accepted_by_id) WHERE (accepted_by_id IS NOT NULL);
CREATE INDEX customer_invitations_customer ON public.customer_invitations USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX customer_invitations_invited_by ON public.customer_invitations USING btree (invited_by_id);
CREATE UNIQUE INDEX customer_invitations_open ON public.customer_invitations USING btree (customer_id, email) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX customer_invitations_token ON public.customer_invitations USING btree (token_hash);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customer_invitations FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on customer_invitations as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_invitations as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_invitations as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_invitations is 'Invitations to join a customer. The address decides who may accept, and the role is taken from this row, never from the request.';

create table customer_join_requests -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  user_id bigint not null
  status text not null default 'pending'::text
  message text not null default ''::text
  decided_by_id bigint
  decided_at timestamp with time zone
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table customer_join_requests add constraint customer_join_requests_check CHECK (((status = 'pending'::text) = (decided_at IS NULL)));
alter table customer_join_requests add constraint customer_join_requests_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_join_requests add constraint customer_join_requests_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES users(id);
alter table customer_join_requests add constraint customer_join_requests_pkey PRIMARY KEY (id);
alter table customer_join_requests add constraint customer_join_requests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'refused'::text])));
alter table customer_join_requests add constraint customer_join_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX customer_join_requests_customer ON public.customer_join_requests USING btree (customer_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX customer_join_requests_open ON public.customer_join_requests USING btree (customer_id, user_id) WHERE (status = 'pending'::text);
CREATE INDEX customer_join_requests_user ON public.customer_join_requests USING btree (user_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customer_join_requests FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy house on customer_join_requests as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_join_requests as permissive for select to app_portal using ((customer_id = ( SELECT request_customer() AS request_customer)));
comment on table customer_join_requests is 'Requests of people to join an organization that already exists, waiting for one of its admins.';

create table customer_messages -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  author_id bigint not null
  from_staff boolean not null
  subject text not null default ''::text
  body text not null
  recipients text[] not null default '{}'::text[]
  read_at timestamp with time zone
  created_at timestamp with time zone not null default now()
alter table customer_messages add constraint customer_messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id);
alter table customer_messages add constraint customer_messages_body_check CHECK ((body <> ''::text));
alter table customer_messages add constraint customer_messages_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_messages add constraint customer_messages_pkey PRIMARY KEY (id);
alter table customer_messages add constraint customer_messages_recipients_check CHECK ((cardinality(recipients) <= 50));
CREATE INDEX customer_messages_author ON public.customer_messages USING btree (author_id);
CREATE INDEX customer_messages_customer ON public.customer_messages USING btree (customer_id, created_at DESC, id DESC);
create policy counter on customer_messages as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_messages as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_messages as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_messages is 'Messages between a customer and the staff.';

create table customer_shipping_addresses -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  label text not null
  attention text not null default ''::text
  address postal_address not null
  is_default boolean not null default false
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table customer_shipping_addresses add constraint customer_shipping_addresses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_shipping_addresses add constraint customer_shipping_addresses_label_check CHECK ((label <> ''::text));
alter table customer_shipping_addresses add constraint customer_shipping_addresses_pkey PRIMARY KEY (id);
CREATE INDEX customer_shipping_addresses_customer ON public.customer_shipping_addresses USING btree (customer_id);
CREATE UNIQUE INDEX customer_shipping_addresses_default ON public.customer_shipping_addresses USING btree (customer_id) WHERE is_default;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customer_shipping_addresses FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on customer_shipping_addresses as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_shipping_addresses as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_shipping_addresses as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_shipping_addresses is 'Shipping addresses of a customer.';

create table customer_users -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  user_id bigint not null
  role text not null default 'member'::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table customer_users add constraint customer_users_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_users add constraint customer_users_customer_id_user_id_key UNIQUE (customer_id, user_id);
alter table customer_users add constraint customer_users_pkey PRIMARY KEY (id);
alter table customer_users add constraint customer_users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'signer'::text, 'member'::text])));
alter table customer_users add constraint customer_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX customer_users_user ON public.customer_users USING btree (user_id, customer_id) INCLUDE (role);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customer_users FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on customer_users as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_users as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_users as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_users is 'People who act for a customer in the portal. An admin manages people, a signer signs and pays, a member prepares drafts.';

create table customer_venues -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  venue_id bigint not null
  created_at timestamp with time zone not null default now()
alter table customer_venues add constraint customer_venues_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_venues add constraint customer_venues_customer_id_venue_id_key UNIQUE (customer_id, venue_id);
alter table customer_venues add constraint customer_venues_pkey PRIMARY KEY (id);
alter table customer_venues add constraint customer_venues_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id);
CREATE INDEX customer_venues_venue ON public.customer_venues USING btree (venue_id);
create policy counter on customer_venues as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on customer_venues as permissive for all to app_rw using (true) with check (true);
create policy portal on customer_venues as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table customer_venues is 'Venues that a customer uses.';

create table customers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  number text not null default ('C-'::text || nextval('customer_numbers'::regclass)) -- rights app_portal=r/app_migrate
  name text not null -- rights app_portal=r/app_migrate
  legal_name text -- rights app_portal=r/app_migrate
  kind text not null default 'other'::text -- rights app_portal=r/app_migrate
  status text not null default 'active'::text -- rights app_portal=r/app_migrate
  active boolean not null generated always as ((status = 'active'::text)) stored -- rights app_portal=r/app_migrate
  divisions text[] not null -- rights app_portal=r/app_migrate
  default_division text not null -- rights app_portal=r/app_migrate
  default_currency currency_code not null -- rights app_portal=r/app_migrate
  billing_address postal_address -- rights app_portal=r/app_migrate
  phone text -- rights app_portal=r/app_migrate
  website text -- rights app_portal=r/app_migrate
  statement_email email_address -- rights app_portal=r/app_migrate
  tax_country country_code -- rights app_portal=r/app_migrate
  is_business boolean not null default false -- rights app_portal=r/app_migrate
  business_evidence text
  vat_number text -- rights app_portal=r/app_migrate
  vat_format_ok boolean
  vat_checksum_ok boolean
  vat_register_answer text
  vat_checked_at timestamp with time zone
  payment_terms_days integer not null default 0 -- rights app_portal=r/app_migrate
  purchase_orders_accepted boolean not null default false -- rights app_portal=r/app_migrate
  execution_policy_default text
  credit_limit_minor minor_amount
  credit_hold boolean not null default false
  credit_hold_reason text
  credit_hold_by_id bigint
  credit_hold_at timestamp with time zone
  marketing_opt_in boolean not null default false
  created_by_id bigint
  merged_into_id bigint
  perusal_max_open integer not null default 3
  perusal_days_digital integer not null default 14
  perusal_days_physical integer not null default 21
  perusal_fee_minor minor_amount
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, name, legal_name, (statement_email)::text, phone, ((billing_address)::jsonb ->> 'postal_code'::text)])) stored
  version integer not null default 1 -- rights app_portal=r/app_migrate
  deleted_at timestamp with time zone -- rights app_portal=r/app_migrate
  created_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
  updated_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
  bank_account_encrypted bytea
  bank_routing_encrypted bytea
  bank_key_id text
  bank_account_last4 text
  bank_kind text
  bank_country text
  bank_holder text
  bank_is_savings boolean not null default false
  bank_details_version integer not null default 0
  bank_details_changed_by_id bigint
  bank_details_changed_at timestamp with time zone
  bank_verified_at timestamp with time zone
  bank_verified_by_id bigint
  bank_verified_note text
alter table customers add constraint customers_bank_account_last4_check CHECK ((bank_account_last4 ~ '^[0-9A-Z]{1,4}$'::text));
alter table customers add constraint customers_bank_country_check CHECK ((bank_country ~ '^[A-Z]{2}$'::text));
alter table customers add constraint customers_bank_details_changed_by_id_fkey FOREIGN KEY (bank_details_changed_by_id) REFERENCES users(id);
alter table customers add constraint customers_bank_four_eyes CHECK ((bank_verified_by_id <> bank_details_changed_by_id));
alter table customers add constraint customers_bank_holder_check CHECK ((bank_holder <> ''::text));
alter table customers add constraint customers_bank_kind_check CHECK ((bank_kind = ANY (ARRAY['us'::text, 'uk'::text, 'iban'::text, 'other'::text])));
alter table customers add constraint customers_bank_sealed CHECK ((num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) = ANY (ARRAY[0, 3])));
alter table customers add constraint customers_bank_verified CHECK (((bank_verified_at IS NULL) OR ((bank_account_encrypted IS NOT NULL) AND (bank_verified_by_id IS NOT NULL) AND (bank_verified_note IS NOT NULL))));
alter table customers add constraint customers_bank_verified_by_id_fkey FOREIGN KEY (bank_verified_by_id) REFERENCES users(id);
alter table customers add constraint customers_check CHECK ((default_division = ANY (divisions)));
alter table customers add constraint customers_check1 CHECK (((NOT credit_hold) OR (credit_hold_reason IS NOT NULL)));
alter table customers add constraint customers_check2 CHECK ((merged_into_id <> id));
alter table customers add constraint customers_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table customers add constraint customers_credit_hold_by_id_fkey FOREIGN KEY (credit_hold_by_id) REFERENCES users(id);
alter table customers add constraint customers_credit_limit_minor_check CHECK (((credit_limit_minor)::bigint >= 0));
alter table customers add constraint customers_default_division_fkey FOREIGN KEY (default_division) REFERENCES divisions(code);
alter table customers add constraint customers_divisions_check CHECK ((is_division_set(divisions) AND (cardinality(divisions) > 0)));
alter table customers add constraint customers_execution_policy_default_check CHECK ((execution_policy_default = ANY (ARRAY['paid_in_full'::text, 'deposit_paid'::text, 'advance_paid'::text, 'purchase_order'::text, 'signature_only'::text])));
alter table customers add constraint customers_kind_check CHECK ((kind = ANY (ARRAY['school_k12'::text, 'university'::text, 'community'::text, 'youth'::text, 'professional'::text, 'church'::text, 'camp'::text, 'other'::text])));
alter table customers add constraint customers_merged_into_id_fkey FOREIGN KEY (merged_into_id) REFERENCES customers(id);
alter table customers add constraint customers_name_check CHECK ((name <> ''::text));
alter table customers add constraint customers_number_key UNIQUE (number);
alter table customers add constraint customers_payment_terms_days_check CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 180)));
alter table customers add constraint customers_perusal_days_digital_check CHECK (((perusal_days_digital >= 1) AND (perusal_days_digital <= 365)));
alter table customers add constraint customers_perusal_days_physical_check CHECK (((perusal_days_physical >= 1) AND (perusal_days_physical <= 365)));
alter table customers add constraint customers_perusal_fee_minor_check CHECK (((perusal_fee_minor)::bigint >= 0));
alter table customers add constraint customers_perusal_max_open_check CHECK (((perusal_max_open >= 0) AND (perusal_max_open <= 50)));
alter table customers add constraint customers_pkey PRIMARY KEY (id);
alter table customers add constraint customers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'inactive'::text])));
alter table customers add constraint customers_vat_register_answer_check CHECK ((vat_register_answer = ANY (ARRAY['valid'::text, 'invalid'::text, 'unavailable'::text])));
CREATE INDEX customers_bank_changed_by ON public.customers USING btree (bank_details_changed_by_id) WHERE (bank_details_changed_by_id IS NOT NULL);
CREATE INDEX customers_bank_verified_by ON public.customers USING btree (bank_verified_by_id) WHERE (bank_verified_by_id IS NOT NULL);
CREATE INDEX customers_default_division ON public.customers USING btree (default_division, updated_at DESC, id DESC);
CREATE INDEX customers_latest ON public.customers USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX customers_legal_name_fold ON public.customers USING btree (name_key(legal_name)) WHERE (deleted_at IS NULL);
CREATE INDEX customers_merged_into ON public.customers USING btree (merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE INDEX customers_name ON public.customers USING btree (name COLLATE "und-x-icu", id);
CREATE INDEX customers_name_fold ON public.customers USING btree (name_key(name)) WHERE (deleted_at IS NULL);
CREATE INDEX customers_name_start ON public.customers USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX customers_number_start ON public.customers USING btree (lower(number) text_pattern_ops);
CREATE INDEX customers_search ON public.customers USING gin (search_text gin_trgm_ops);
CREATE INDEX customers_status ON public.customers USING btree (status, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX customers_town_fold ON public.customers USING btree (COALESCE(name_key(((billing_address)::jsonb ->> 'locality'::text)), ''::text)) WHERE (deleted_at IS NULL);
CREATE TRIGGER bank_details_guard BEFORE INSERT OR UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION tg_bank_details_guard();
CREATE TRIGGER customer_renamed AFTER UPDATE OF name ON public.customers FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name)) EXECUTE FUNCTION customer_renamed();
CREATE TRIGGER customers_in_use AFTER UPDATE OF deleted_at ON public.customers FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL) AND (new.merged_into_id IS NULL))) EXECUTE FUNCTION refuse_trash_in_use();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on customers as restrictive for all to app_counter using ((id = ( SELECT request_customer() AS request_customer))) with check ((id = ( SELECT request_customer() AS request_customer)));
create policy house on customers as permissive for all to app_rw using (true) with check (true);
create policy portal on customers as permissive for select to app_portal using (((id = ( SELECT request_customer() AS request_customer)) AND (deleted_at IS NULL)));
comment on column customers.bank_account_encrypted is 'Where refunds are paid to, sealed; never read back.';
comment on column customers.bank_details_version is 'Counts each change of the bank details; a payment keeps the one it was approved with.';
comment on column customers.bank_holder is 'Name on the account where it is not that of the customer.';
comment on column customers.bank_kind is 'Kind of the account; null where none is stored.';
comment on column customers.bank_verified_note is 'Who confirmed the details and how they were reached.';
comment on column customers.merged_into_id is 'Customer that this duplicate was merged into. The row stays as a reference.';
comment on column customers.payment_terms_days is 'Days after the invoice date until it is due.';
comment on column customers.perusal_fee_minor is 'Fee for the books of a perusal in the currency of the customer; null: the price of each book.';
comment on column customers.perusal_max_open is 'Perusals open at a time. 0 turns perusals off.';
comment on table customers is 'Organizations that license shows.';

create table deposit_dispositions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  deposit_id bigint not null
  type text not null
  amount_minor minor_amount not null
  invoice_id bigint
  payment_id bigint
  reason text not null default ''::text
  decided_by_id bigint
  transaction_id bigint
  created_at timestamp with time zone not null default now()
alter table deposit_dispositions add constraint deposit_dispositions_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table deposit_dispositions add constraint deposit_dispositions_check CHECK (((type = 'apply'::text) <= (invoice_id IS NOT NULL)));
alter table deposit_dispositions add constraint deposit_dispositions_check1 CHECK (((type <> 'forfeit'::text) OR (reason <> ''::text)));
alter table deposit_dispositions add constraint deposit_dispositions_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES users(id);
alter table deposit_dispositions add constraint deposit_dispositions_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(id);
alter table deposit_dispositions add constraint deposit_dispositions_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table deposit_dispositions add constraint deposit_dispositions_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table deposit_dispositions add constraint deposit_dispositions_pkey PRIMARY KEY (id);
alter table deposit_dispositions add constraint deposit_dispositions_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table deposit_dispositions add constraint deposit_dispositions_type_check CHECK ((type = ANY (ARRAY['apply'::text, 'refund'::text, 'forfeit'::text])));
CREATE INDEX deposit_dispositions_deposit ON public.deposit_dispositions USING btree (deposit_id, id);
CREATE INDEX deposit_dispositions_invoice ON public.deposit_dispositions USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX deposit_dispositions_payment ON public.deposit_dispositions USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX deposit_dispositions_transaction ON public.deposit_dispositions USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.deposit_dispositions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.deposit_dispositions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on deposit_dispositions as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM deposits d
  WHERE (d.id = deposit_dispositions.deposit_id)))) with check ((EXISTS ( SELECT 1
   FROM deposits d
  WHERE (d.id = deposit_dispositions.deposit_id))));
create policy house on deposit_dispositions as permissive for all to app_rw using (true) with check (true);
create policy portal on deposit_dispositions as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM deposits d
  WHERE (d.id = deposit_dispositions.deposit_id))) AND true));
comment on table deposit_dispositions is 'Uses of a deposit. What is held equals what was applied, refunded, forfeited and remains.';

create table deposit_slip_items -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  deposit_slip_id bigint not null
  payment_id bigint not null
  holds boolean not null default true
  created_at timestamp with time zone not null default now()
alter table deposit_slip_items add constraint deposit_slip_items_deposit_slip_id_fkey FOREIGN KEY (deposit_slip_id) REFERENCES deposit_slips(id);
alter table deposit_slip_items add constraint deposit_slip_items_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table deposit_slip_items add constraint deposit_slip_items_pkey PRIMARY KEY (deposit_slip_id, payment_id);
CREATE UNIQUE INDEX deposit_slip_items_once ON public.deposit_slip_items USING btree (payment_id) WHERE holds;
CREATE INDEX deposit_slip_items_payment ON public.deposit_slip_items USING btree (payment_id);
CREATE TRIGGER deposit_slip_items_guard BEFORE INSERT OR DELETE ON public.deposit_slip_items FOR EACH ROW EXECUTE FUNCTION tg_deposit_slip_items_guard();
comment on column deposit_slip_items.holds is 'As its slip, kept by a trigger.';
comment on table deposit_slip_items is 'Receipts on deposit slips. A receipt is on one slip that holds it at most.';

create table deposit_slips -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null
  division text not null
  bank_account_id bigint not null
  currency currency_code not null
  status text not null default 'draft'::text
  holds boolean not null generated always as ((status = ANY (ARRAY['draft'::text, 'deposited'::text]))) stored
  deposited_on date not null
  memo text not null default ''::text
  transaction_id bigint
  reversal_reason text
  created_by_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, memo])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table deposit_slips add constraint deposit_slips_bank_account_id_division_currency_fkey FOREIGN KEY (bank_account_id, division, currency) REFERENCES bank_accounts(id, division, currency);
alter table deposit_slips add constraint deposit_slips_check CHECK (((status = ANY (ARRAY['deposited'::text, 'taken_back'::text])) = (transaction_id IS NOT NULL)));
alter table deposit_slips add constraint deposit_slips_check1 CHECK (((status = 'taken_back'::text) = (reversal_reason IS NOT NULL)));
alter table deposit_slips add constraint deposit_slips_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table deposit_slips add constraint deposit_slips_id_holds_key UNIQUE (id, holds);
alter table deposit_slips add constraint deposit_slips_number_key UNIQUE (number);
alter table deposit_slips add constraint deposit_slips_pkey PRIMARY KEY (id);
alter table deposit_slips add constraint deposit_slips_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'deposited'::text, 'taken_back'::text, 'discarded'::text])));
alter table deposit_slips add constraint deposit_slips_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX deposit_slips_account ON public.deposit_slips USING btree (bank_account_id);
CREATE INDEX deposit_slips_list ON public.deposit_slips USING btree (deposited_on DESC, id DESC);
CREATE INDEX deposit_slips_number_start ON public.deposit_slips USING btree (lower(number) text_pattern_ops);
CREATE INDEX deposit_slips_search ON public.deposit_slips USING gin (search_text gin_trgm_ops);
CREATE INDEX deposit_slips_transaction ON public.deposit_slips USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX deposit_slips_user ON public.deposit_slips USING btree (created_by_id);
CREATE TRIGGER deposit_slips_guard BEFORE UPDATE ON public.deposit_slips FOR EACH ROW EXECUTE FUNCTION tg_deposit_slips_guard();
CREATE TRIGGER deposit_slips_holds AFTER UPDATE OF status ON public.deposit_slips FOR EACH ROW EXECUTE FUNCTION tg_deposit_slips_holds();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.deposit_slips FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column deposit_slips.deposited_on is 'Planned day while it is a draft; the day of its posting afterwards.';
comment on column deposit_slips.holds is 'Its receipts are on no other slip.';
comment on table deposit_slips is 'Checks and cash that are brought to the bank together.';

create table deposits -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  kind text not null
  status text not null default 'requested'::text
  division text not null
  currency currency_code not null
  amount_minor minor_amount not null
  net_minor minor_amount not null
  vat_minor minor_amount not null default 0
  tax_code_id bigint
  due_on date
  held_at timestamp with time zone
  payment_id bigint
  applied_minor minor_amount not null default 0
  refunded_minor minor_amount not null default 0
  forfeited_minor minor_amount not null default 0
  remaining_minor minor_amount not null generated always as (((((amount_minor)::bigint - (applied_minor)::bigint) - (refunded_minor)::bigint) - (forfeited_minor)::bigint)) stored
  vat_receipt_document_id bigint
  transaction_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table deposits add constraint deposits_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table deposits add constraint deposits_applied_minor_check CHECK (((applied_minor)::bigint >= 0));
alter table deposits add constraint deposits_check CHECK (((amount_minor)::bigint = ((net_minor)::bigint + (vat_minor)::bigint)));
alter table deposits add constraint deposits_check1 CHECK (((kind = 'on_account'::text) OR ((vat_minor)::bigint = 0)));
alter table deposits add constraint deposits_check2 CHECK (((((applied_minor)::bigint + (refunded_minor)::bigint) + (forfeited_minor)::bigint) <= (amount_minor)::bigint));
alter table deposits add constraint deposits_check3 CHECK (((status = ANY (ARRAY['held'::text, 'settled'::text])) = (held_at IS NOT NULL)));
alter table deposits add constraint deposits_check4 CHECK (((status <> 'settled'::text) OR ((((applied_minor)::bigint + (refunded_minor)::bigint) + (forfeited_minor)::bigint) = (amount_minor)::bigint)));
alter table deposits add constraint deposits_check5 CHECK (((status <> ALL (ARRAY['requested'::text, 'cancelled'::text])) OR ((((applied_minor)::bigint + (refunded_minor)::bigint) + (forfeited_minor)::bigint) = 0)));
alter table deposits add constraint deposits_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table deposits add constraint deposits_forfeited_minor_check CHECK (((forfeited_minor)::bigint >= 0));
alter table deposits add constraint deposits_kind_check CHECK ((kind = ANY (ARRAY['security'::text, 'on_account'::text])));
alter table deposits add constraint deposits_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table deposits add constraint deposits_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table deposits add constraint deposits_pkey PRIMARY KEY (id);
alter table deposits add constraint deposits_refunded_minor_check CHECK (((refunded_minor)::bigint >= 0));
alter table deposits add constraint deposits_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'held'::text, 'settled'::text, 'cancelled'::text])));
alter table deposits add constraint deposits_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
alter table deposits add constraint deposits_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table deposits add constraint deposits_vat_minor_check CHECK (((vat_minor)::bigint >= 0));
alter table deposits add constraint deposits_vat_receipt_document_id_fkey FOREIGN KEY (vat_receipt_document_id) REFERENCES files(id);
CREATE INDEX deposits_division ON public.deposits USING btree (division, status, due_on, id);
CREATE INDEX deposits_document ON public.deposits USING btree (vat_receipt_document_id) WHERE (vat_receipt_document_id IS NOT NULL);
CREATE INDEX deposits_license ON public.deposits USING btree (license_id, id);
CREATE INDEX deposits_payment ON public.deposits USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX deposits_tax_code ON public.deposits USING btree (tax_code_id) WHERE (tax_code_id IS NOT NULL);
CREATE INDEX deposits_transaction ON public.deposits USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.deposits FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on deposits as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = deposits.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = deposits.license_id))));
create policy house on deposits as permissive for all to app_rw using (true) with check (true);
create policy portal on deposits as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = deposits.license_id))) AND true));
comment on column deposits.net_minor is 'On account: the amount without the tax due at receipt. Security: 0.';
comment on table deposits is 'Deposits of customers: on account, or as security.';

create table disbursement_allocations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  allocation_id bigint not null
  payment_id bigint not null
  created_at timestamp with time zone not null default now()
alter table disbursement_allocations add constraint disbursement_allocations_allocation_id_fkey FOREIGN KEY (allocation_id) REFERENCES allocations(id);
alter table disbursement_allocations add constraint disbursement_allocations_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table disbursement_allocations add constraint disbursement_allocations_pkey PRIMARY KEY (allocation_id);
CREATE INDEX disbursement_allocations_payment ON public.disbursement_allocations USING btree (payment_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.disbursement_allocations FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.disbursement_allocations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table disbursement_allocations is 'Applications in the ledger that the posting of a payment made.';

create table divisions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=r/app_migrate
  code text not null
  id bigint not null generated always as identity
  name text not null -- rights app_rw=w/app_migrate
  functional_currency text not null
  group_presentation_currency text not null default 'USD'::text
  legal_entity_name text not null -- rights app_rw=w/app_migrate
  home_country text not null -- rights app_rw=w/app_migrate
  address jsonb not null -- rights app_rw=w/app_migrate
  timezone text not null
  fiscal_year_start_month smallint not null default 1
  short_pay_tolerance_minor bigint not null default 500 -- rights app_rw=w/app_migrate
  short_pay_tolerance_ppm integer not null default 10000
  payee text -- rights app_rw=w/app_migrate
  payee_bank text -- rights app_rw=w/app_migrate
  payee_iban text -- rights app_rw=w/app_migrate
  payee_bic text -- rights app_rw=w/app_migrate
  payee_account text -- rights app_rw=w/app_migrate
  payee_routing text -- rights app_rw=w/app_migrate
  return_gross_limit_ppm integer not null default 1100000 -- rights app_rw=w/app_migrate
  return_attendance_limit_ppm integer not null default 1500000 -- rights app_rw=w/app_migrate
  auto_offers boolean not null default false -- rights app_rw=w/app_migrate
  auto_offer_total_minor minor_amount -- rights app_rw=w/app_migrate
  auto_offer_performances integer not null default 30 -- rights app_rw=w/app_migrate
  auto_offer_capacity integer not null default 3000 -- rights app_rw=w/app_migrate
  auto_offer_days_ahead integer not null default 42 -- rights app_rw=w/app_migrate
  signatory_name text not null default ''::text -- rights app_rw=w/app_migrate
  signatory_title text not null default ''::text -- rights app_rw=w/app_migrate
  version integer not null default 1 -- rights app_rw=w/app_migrate
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now() -- rights app_rw=w/app_migrate
alter table divisions add constraint divisions_address_check CHECK ((jsonb_typeof(address) = 'object'::text));
alter table divisions add constraint divisions_auto_offer_capacity_check CHECK (((auto_offer_capacity >= 1) AND (auto_offer_capacity <= 100000)));
alter table divisions add constraint divisions_auto_offer_days_ahead_check CHECK (((auto_offer_days_ahead >= 0) AND (auto_offer_days_ahead <= 540)));
alter table divisions add constraint divisions_auto_offer_performances_check CHECK (((auto_offer_performances >= 1) AND (auto_offer_performances <= 1000)));
alter table divisions add constraint divisions_auto_offer_total_minor_check CHECK (((auto_offer_total_minor)::bigint >= 0));
alter table divisions add constraint divisions_auto_offers_limited CHECK (((NOT auto_offers) OR (auto_offer_total_minor IS NOT NULL)));
alter table divisions add constraint divisions_check CHECK (((payee IS NULL) = ((payee_iban IS NULL) AND (payee_account IS NULL))));
alter table divisions add constraint divisions_check1 CHECK (((payee IS NOT NULL) OR (num_nonnulls(payee_bank, payee_bic, payee_routing) = 0)));
alter table divisions add constraint divisions_code_check CHECK ((code ~ '^[A-Z]{2,8}$'::text));
alter table divisions add constraint divisions_fiscal_year_start_month_check CHECK (((fiscal_year_start_month >= 1) AND (fiscal_year_start_month <= 12)));
alter table divisions add constraint divisions_functional_currency_fkey FOREIGN KEY (functional_currency) REFERENCES currencies(code);
alter table divisions add constraint divisions_group_presentation_currency_fkey FOREIGN KEY (group_presentation_currency) REFERENCES currencies(code);
alter table divisions add constraint divisions_home_country_check CHECK ((home_country ~ '^[A-Z]{2}$'::text));
alter table divisions add constraint divisions_id_key UNIQUE (id);
alter table divisions add constraint divisions_legal_entity_name_check CHECK (((length(legal_entity_name) >= 1) AND (length(legal_entity_name) <= 200)));
alter table divisions add constraint divisions_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table divisions add constraint divisions_payee_account_check CHECK ((payee_account ~ '^[A-Z0-9]{4,34}$'::text));
alter table divisions add constraint divisions_payee_bank_check CHECK (((length(payee_bank) >= 1) AND (length(payee_bank) <= 120)));
alter table divisions add constraint divisions_payee_bic_check CHECK ((payee_bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'::text));
alter table divisions add constraint divisions_payee_check CHECK (((length(payee) >= 1) AND (length(payee) <= 70)));
alter table divisions add constraint divisions_payee_iban_check CHECK (iban_holds(payee_iban));
alter table divisions add constraint divisions_payee_routing_check CHECK ((payee_routing ~ '^[0-9]{6,9}$'::text));
alter table divisions add constraint divisions_pkey PRIMARY KEY (code);
alter table divisions add constraint divisions_return_attendance_limit_ppm_check CHECK (((return_attendance_limit_ppm >= 1000000) AND (return_attendance_limit_ppm <= 10000000)));
alter table divisions add constraint divisions_return_gross_limit_ppm_check CHECK (((return_gross_limit_ppm >= 1000000) AND (return_gross_limit_ppm <= 10000000)));
alter table divisions add constraint divisions_short_pay_tolerance_minor_check CHECK ((short_pay_tolerance_minor >= 0));
alter table divisions add constraint divisions_short_pay_tolerance_ppm_check CHECK (((short_pay_tolerance_ppm >= 0) AND (short_pay_tolerance_ppm <= 1000000)));
alter table divisions add constraint divisions_signatory_name_check CHECK ((length(signatory_name) <= 120));
alter table divisions add constraint divisions_signatory_title_check CHECK ((length(signatory_title) <= 120));
comment on column divisions.auto_offer_total_minor is 'Highest total of an automatic offer; null: none is sent.';
comment on column divisions.auto_offers is 'Whether applications are answered with an automatic offer, within the limits beside it.';
comment on column divisions.payee is 'Account holder as the bank knows it; null: no bank account entered.';
comment on column divisions.payee_routing is 'ABA routing number (US) or sort code (UK).';
comment on column divisions.return_attendance_limit_ppm is 'A return is held if its attendance exceeds this share of the seats of its performances.';
comment on column divisions.return_gross_limit_ppm is 'A return is held if its gross exceeds this share of the gross potential of its performances.';
comment on column divisions.short_pay_tolerance_minor is 'Short payments up to this amount are written off to small differences. The smaller of the two limits applies.';
comment on column divisions.signatory_name is 'Person who signs for the licensor; empty: the representative of the license.';
comment on table divisions is 'Divisions. Each is one legal entity with its own ledger. The numeric id exists because ledger parties are numbers.';

create table email_changes -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  user_id bigint not null
  email email_address not null
  token_hash bytea not null
  requested_by_id bigint
  created_at timestamp with time zone not null default now()
  expires_at timestamp with time zone not null
  used_at timestamp with time zone
  cancelled_at timestamp with time zone
alter table email_changes add constraint email_changes_email_check CHECK (((email)::text = lower((email)::text)));
alter table email_changes add constraint email_changes_pkey PRIMARY KEY (id);
alter table email_changes add constraint email_changes_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id) ON DELETE CASCADE;
alter table email_changes add constraint email_changes_token_hash_check CHECK ((length(token_hash) = 32));
alter table email_changes add constraint email_changes_token_hash_key UNIQUE (token_hash);
alter table email_changes add constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX email_changes_requested_by ON public.email_changes USING btree (requested_by_id);
CREATE INDEX email_changes_user ON public.email_changes USING btree (user_id);
CREATE UNIQUE INDEX email_changes_waiting ON public.email_changes USING btree (user_id) WHERE ((used_at IS NULL) AND (cancelled_at IS NULL));
comment on table email_changes is 'Requested changes of an email address. The new address takes effect once it is confirmed from its mailbox; one request is open at a time.';

create table email_groups -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  name text not null
  emailRoute email_address not null
  description text
  members integer not null
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table email_groups add constraint email_groups_description_check CHECK ((length(description) <= 2000));
alter table email_groups add constraint email_groups_members_check CHECK (((members >= 1) AND (members <= 10000)));
alter table email_groups add constraint email_groups_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table email_groups add constraint email_groups_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX email_groups_name ON public.email_groups USING btree (lower(name));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.email_groups FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table email_groups is 'Distribution lists: several addresses that mail is sent to under one name.';

create table erased_events -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  audit_event_id bigint not null
  erasure_id bigint not null
  created_at timestamp with time zone not null default now()
alter table erased_events add constraint erased_events_audit_event_id_fkey FOREIGN KEY (audit_event_id) REFERENCES audit_events(id);
alter table erased_events add constraint erased_events_erasure_id_fkey FOREIGN KEY (erasure_id) REFERENCES erasures(id);
alter table erased_events add constraint erased_events_pkey PRIMARY KEY (audit_event_id);
CREATE INDEX erased_events_erasure ON public.erased_events USING btree (erasure_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.erased_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.erased_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table erased_events is 'Audit events whose content an erasure removed.';

create table erasures -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  user_id bigint not null
  reason text not null
  requested_by_id bigint not null
  requested_at timestamp with time zone not null
  done_by_id bigint
  done_at timestamp with time zone
  cancelled_at timestamp with time zone
  created_at timestamp with time zone not null default now()
alter table erasures add constraint erasures_check CHECK ((done_by_id IS DISTINCT FROM requested_by_id));
alter table erasures add constraint erasures_check1 CHECK (((done_at IS NULL) = (done_by_id IS NULL)));
alter table erasures add constraint erasures_done_by_id_fkey FOREIGN KEY (done_by_id) REFERENCES users(id);
alter table erasures add constraint erasures_pkey PRIMARY KEY (id);
alter table erasures add constraint erasures_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500)));
alter table erasures add constraint erasures_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table erasures add constraint erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX erasures_done_by ON public.erasures USING btree (done_by_id) WHERE (done_by_id IS NOT NULL);
CREATE UNIQUE INDEX erasures_open ON public.erasures USING btree (user_id) WHERE ((done_at IS NULL) AND (cancelled_at IS NULL));
CREATE INDEX erasures_requested_by ON public.erasures USING btree (requested_by_id);
CREATE INDEX erasures_user ON public.erasures USING btree (user_id);
comment on table erasures is 'Erasures of personal data: requested by one person, carried out by another. The row is the evidence that content was removed lawfully.';

create table exchange_rates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  base text not null
  quote text not null
  on_date date not null
  rate numeric(20,10) not null
  source text not null
  kind text not null default 'daily'::text
  created_by bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table exchange_rates add constraint exchange_rates_base_fkey FOREIGN KEY (base) REFERENCES currencies(code);
alter table exchange_rates add constraint exchange_rates_check CHECK ((base <> quote));
alter table exchange_rates add constraint exchange_rates_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table exchange_rates add constraint exchange_rates_kind_base_quote_on_date_source_key UNIQUE (kind, base, quote, on_date, source);
alter table exchange_rates add constraint exchange_rates_kind_check CHECK ((kind = ANY (ARRAY['daily'::text, 'month_average'::text, 'month_end'::text])));
alter table exchange_rates add constraint exchange_rates_pkey PRIMARY KEY (id);
alter table exchange_rates add constraint exchange_rates_quote_fkey FOREIGN KEY (quote) REFERENCES currencies(code);
alter table exchange_rates add constraint exchange_rates_rate_check CHECK ((rate > (0)::numeric));
alter table exchange_rates add constraint exchange_rates_source_check CHECK ((source = ANY (ARRAY['ecb'::text, 'hmrc'::text, 'manual'::text])));
comment on column exchange_rates.rate is 'Units of the quote currency per one unit of the base currency.';
comment on table exchange_rates is 'Exchange rates by date and source.';

create table exports -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  model_name text not null
  format text not null default 'csv'::text
  columns text[] not null
  filter jsonb not null default '{}'::jsonb
  status text not null default 'waiting'::text
  row_count integer
  failure text
  requested_by_id bigint not null
  finished_at timestamp with time zone
  title text not null default 'List'::text
  headers text[] not null default '{}'::text[]
  rows_total integer not null default 0
  total_is_exact boolean not null default true
  rows_done integer not null default 0
  started_at timestamp with time zone
  storage_key text
  size_bytes bigint
  sha256 sha256_hex
  expires_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table exports add constraint exports_check CHECK (((status = 'done'::text) = (storage_key IS NOT NULL)));
alter table exports add constraint exports_check1 CHECK (((status = 'done'::text) <= ((expires_at IS NOT NULL) AND (row_count IS NOT NULL))));
alter table exports add constraint exports_check2 CHECK (((status = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])) = (finished_at IS NOT NULL)));
alter table exports add constraint exports_columns_check CHECK (((cardinality(columns) >= 1) AND (cardinality(columns) <= 200)));
alter table exports add constraint exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'xlsx'::text])));
alter table exports add constraint exports_model_name_check CHECK ((model_name <> ''::text));
alter table exports add constraint exports_pkey PRIMARY KEY (id);
alter table exports add constraint exports_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table exports add constraint exports_row_count_check CHECK ((row_count >= 0));
alter table exports add constraint exports_rows_done_check CHECK ((rows_done >= 0));
alter table exports add constraint exports_rows_total_check CHECK ((rows_total >= 0));
alter table exports add constraint exports_size_bytes_check CHECK ((size_bytes >= 0));
alter table exports add constraint exports_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])));
alter table exports add constraint exports_storage_key_check CHECK ((storage_key ~ '^[A-Za-z0-9/_-]{16,200}$'::text));
alter table exports add constraint exports_storage_key_key UNIQUE (storage_key);
alter table exports add constraint exports_title_check CHECK ((title <> ''::text));
CREATE INDEX exports_at_work ON public.exports USING btree (id) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX exports_requester ON public.exports USING btree (requested_by_id, created_at DESC, id DESC);
CREATE INDEX exports_to_expire ON public.exports USING btree (expires_at) WHERE (status = 'done'::text);
CREATE TRIGGER tell_export AFTER INSERT OR UPDATE OF status, rows_done ON public.exports FOR EACH ROW EXECUTE FUNCTION tell_export();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.exports FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column exports.headers is 'Column headings as shown to the requester.';
comment on column exports.title is 'Name of the list as shown to the requester.';
comment on column exports.total_is_exact is 'False: the list does not count beyond rows_total.';
comment on table exports is 'Exports of lists to a file, written by a job, available to the requester until they expire.';

create table file_download_resets -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint
  sales_order_id bigint
  material_file_id bigint not null
  last_download_id bigint not null
  reason text not null
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table file_download_resets add constraint file_download_resets_check CHECK ((num_nonnulls(license_id, sales_order_id) = 1));
alter table file_download_resets add constraint file_download_resets_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table file_download_resets add constraint file_download_resets_last_download_id_fkey FOREIGN KEY (last_download_id) REFERENCES file_downloads(id);
alter table file_download_resets add constraint file_download_resets_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table file_download_resets add constraint file_download_resets_material_file_id_fkey FOREIGN KEY (material_file_id) REFERENCES material_files(id);
alter table file_download_resets add constraint file_download_resets_pkey PRIMARY KEY (id);
alter table file_download_resets add constraint file_download_resets_reason_check CHECK ((reason <> ''::text));
alter table file_download_resets add constraint file_download_resets_sales_order_id_fkey FOREIGN KEY (sales_order_id) REFERENCES sales_orders(id);
CREATE INDEX file_download_resets_created_by ON public.file_download_resets USING btree (created_by_id);
CREATE INDEX file_download_resets_download ON public.file_download_resets USING btree (last_download_id);
CREATE INDEX file_download_resets_file ON public.file_download_resets USING btree (material_file_id);
CREATE INDEX file_download_resets_license ON public.file_download_resets USING btree (license_id, material_file_id, id) WHERE (license_id IS NOT NULL);
CREATE INDEX file_download_resets_order ON public.file_download_resets USING btree (sales_order_id, material_file_id, id) WHERE (sales_order_id IS NOT NULL);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.file_download_resets FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.file_download_resets FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on file_download_resets as restrictive for all to app_counter using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = file_download_resets.license_id))) OR (EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = file_download_resets.sales_order_id))))) with check (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = file_download_resets.license_id))) OR (EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = file_download_resets.sales_order_id)))));
create policy house on file_download_resets as permissive for all to app_rw using (true) with check (true);
comment on table file_download_resets is 'Download limits reset by staff: earlier downloads no longer count. Append-only.';

create table file_downloads -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint
  sales_order_id bigint
  material_file_id bigint not null
  user_id bigint not null
  created_at timestamp with time zone not null default now()
alter table file_downloads add constraint file_downloads_check CHECK ((num_nonnulls(license_id, sales_order_id) = 1));
alter table file_downloads add constraint file_downloads_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table file_downloads add constraint file_downloads_material_file_id_fkey FOREIGN KEY (material_file_id) REFERENCES material_files(id);
alter table file_downloads add constraint file_downloads_pkey PRIMARY KEY (id);
alter table file_downloads add constraint file_downloads_sales_order_id_fkey FOREIGN KEY (sales_order_id) REFERENCES sales_orders(id);
alter table file_downloads add constraint file_downloads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX file_downloads_file ON public.file_downloads USING btree (material_file_id);
CREATE INDEX file_downloads_license ON public.file_downloads USING btree (license_id, material_file_id, id) WHERE (license_id IS NOT NULL);
CREATE INDEX file_downloads_order ON public.file_downloads USING btree (sales_order_id, material_file_id, id) WHERE (sales_order_id IS NOT NULL);
CREATE INDEX file_downloads_user ON public.file_downloads USING btree (user_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.file_downloads FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.file_downloads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on file_downloads as restrictive for all to app_counter using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = file_downloads.license_id))) OR (EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = file_downloads.sales_order_id))))) with check (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = file_downloads.license_id))) OR (EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = file_downloads.sales_order_id)))));
create policy house on file_downloads as permissive for all to app_rw using (true) with check (true);
comment on table file_downloads is 'Downloads of files by customers. Counts against the limit and identifies watermarked copies. Append-only.';

create table files -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  storage_key text not null
  sha256 sha256_hex not null
  mime_type text not null
  size_bytes bigint not null
  original_name text not null
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table files add constraint files_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table files add constraint files_mime_type_check CHECK ((mime_type ~ '^[a-z0-9.+-]+/[a-z0-9.+-]+$'::text));
alter table files add constraint files_original_name_check CHECK (((length(original_name) >= 1) AND (length(original_name) <= 255)));
alter table files add constraint files_pkey PRIMARY KEY (id);
alter table files add constraint files_size_bytes_check CHECK (((size_bytes >= 0) AND (size_bytes <= 26214400)));
alter table files add constraint files_storage_key_check CHECK ((storage_key ~ '^[A-Za-z0-9/_-]{16,200}$'::text));
alter table files add constraint files_storage_key_key UNIQUE (storage_key);
CREATE INDEX files_sha256 ON public.files USING btree (sha256);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.files FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy house on files as permissive for all to app_rw using (true) with check (true);
create policy portal on files as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_documents d
  WHERE (d.document_id = files.id))) OR (EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.document_id = files.id))) OR (EXISTS ( SELECT 1
   FROM box_office_attachments a
  WHERE (a.file_id = files.id))) OR (EXISTS ( SELECT 1
   FROM show_images i
  WHERE (i.file_id = files.id)))));
comment on table files is 'Stored files by content. Append-only: documents that were sent or signed must stay readable.';

create table goods_receipt_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  goods_receipt_id bigint not null
  sort integer not null
  material_id bigint
  sales_item_id bigint
  quantity integer not null
  returned_quantity integer not null default 0
  unit_cost_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table goods_receipt_lines add constraint goods_receipt_lines_check CHECK (((returned_quantity >= 0) AND (returned_quantity <= quantity)));
alter table goods_receipt_lines add constraint goods_receipt_lines_check1 CHECK ((num_nonnulls(material_id, sales_item_id) = 1));
alter table goods_receipt_lines add constraint goods_receipt_lines_goods_receipt_id_fkey FOREIGN KEY (goods_receipt_id) REFERENCES goods_receipts(id);
alter table goods_receipt_lines add constraint goods_receipt_lines_goods_receipt_id_sort_key UNIQUE (goods_receipt_id, sort);
alter table goods_receipt_lines add constraint goods_receipt_lines_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table goods_receipt_lines add constraint goods_receipt_lines_pkey PRIMARY KEY (id);
alter table goods_receipt_lines add constraint goods_receipt_lines_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100000)));
alter table goods_receipt_lines add constraint goods_receipt_lines_sales_item_id_fkey FOREIGN KEY (sales_item_id) REFERENCES sales_items(id);
alter table goods_receipt_lines add constraint goods_receipt_lines_unit_cost_minor_check CHECK (((unit_cost_minor)::bigint >= 0));
CREATE INDEX goods_receipt_lines_item ON public.goods_receipt_lines USING btree (sales_item_id) WHERE (sales_item_id IS NOT NULL);
CREATE INDEX goods_receipt_lines_material ON public.goods_receipt_lines USING btree (material_id) WHERE (material_id IS NOT NULL);
CREATE TRIGGER goods_receipt_lines_hold AFTER UPDATE ON public.goods_receipt_lines FOR EACH ROW EXECUTE FUNCTION tg_goods_receipt_lines();
comment on column goods_receipt_lines.returned_quantity is 'Sent back to the vendor: owed no more.';
comment on table goods_receipt_lines is 'Items of goods receipts, with their cost each.';

create table goods_receipts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null
  division text not null
  currency currency_code not null
  warehouse_id bigint not null
  vendor_id bigint not null
  delivery_note text not null default ''::text
  received_on date not null
  batch_id uuid not null
  cost_minor minor_amount not null
  transaction_id bigint
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table goods_receipts add constraint goods_receipts_batch_id_key UNIQUE (batch_id);
alter table goods_receipts add constraint goods_receipts_check CHECK (((transaction_id IS NULL) = ((cost_minor)::bigint = 0)));
alter table goods_receipts add constraint goods_receipts_cost_minor_check CHECK (((cost_minor)::bigint >= 0));
alter table goods_receipts add constraint goods_receipts_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table goods_receipts add constraint goods_receipts_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table goods_receipts add constraint goods_receipts_number_key UNIQUE (number);
alter table goods_receipts add constraint goods_receipts_pkey PRIMARY KEY (id);
alter table goods_receipts add constraint goods_receipts_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table goods_receipts add constraint goods_receipts_vendor_id_fkey FOREIGN KEY (vendor_id) REFERENCES vendors(id);
alter table goods_receipts add constraint goods_receipts_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouses(id);
CREATE INDEX goods_receipts_creator ON public.goods_receipts USING btree (created_by_id);
CREATE INDEX goods_receipts_division ON public.goods_receipts USING btree (division, received_on DESC, id DESC);
CREATE INDEX goods_receipts_transaction ON public.goods_receipts USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX goods_receipts_vendor ON public.goods_receipts USING btree (vendor_id, received_on);
CREATE INDEX goods_receipts_warehouse ON public.goods_receipts USING btree (warehouse_id);
comment on column goods_receipts.batch_id is 'Stock movements of the delivery.';
comment on column goods_receipts.cost_minor is 'Posted on 2010; null transaction where the goods cost nothing.';
comment on column goods_receipts.currency is 'Currency of the division of the warehouse.';
comment on table goods_receipts is 'Deliveries of vendors that a bill is expected for, at cost.';

create table goods_returns -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  goods_receipt_line_id bigint not null
  quantity integer not null
  returned_on date not null
  reason text not null
  batch_id uuid not null
  transaction_id bigint
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table goods_returns add constraint goods_returns_batch_id_key UNIQUE (batch_id);
alter table goods_returns add constraint goods_returns_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table goods_returns add constraint goods_returns_goods_receipt_line_id_fkey FOREIGN KEY (goods_receipt_line_id) REFERENCES goods_receipt_lines(id);
alter table goods_returns add constraint goods_returns_pkey PRIMARY KEY (id);
alter table goods_returns add constraint goods_returns_quantity_check CHECK ((quantity >= 1));
alter table goods_returns add constraint goods_returns_reason_check CHECK ((reason <> ''::text));
alter table goods_returns add constraint goods_returns_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX goods_returns_creator ON public.goods_returns USING btree (created_by_id);
CREATE INDEX goods_returns_line ON public.goods_returns USING btree (goods_receipt_line_id);
CREATE INDEX goods_returns_transaction ON public.goods_returns USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
comment on table goods_returns is 'Goods that went back to the vendor before they were billed.';

create table hmrc_authorizations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  state_sha256 bytea not null
  redirect_uri text not null
  asked_by_id bigint not null
  expires_at timestamp with time zone not null
  used_at timestamp with time zone
  created_at timestamp with time zone not null default now()
alter table hmrc_authorizations add constraint hmrc_authorizations_asked_by_id_fkey FOREIGN KEY (asked_by_id) REFERENCES users(id);
alter table hmrc_authorizations add constraint hmrc_authorizations_division_check CHECK ((division = 'UK'::text));
alter table hmrc_authorizations add constraint hmrc_authorizations_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table hmrc_authorizations add constraint hmrc_authorizations_pkey PRIMARY KEY (id);
alter table hmrc_authorizations add constraint hmrc_authorizations_redirect_uri_check CHECK ((length(redirect_uri) <= 400));
alter table hmrc_authorizations add constraint hmrc_authorizations_state_sha256_check CHECK ((length(state_sha256) = 32));
alter table hmrc_authorizations add constraint hmrc_authorizations_state_sha256_key UNIQUE (state_sha256);
CREATE INDEX hmrc_authorizations_asker ON public.hmrc_authorizations USING btree (asked_by_id);
comment on table hmrc_authorizations is 'A person on the way to HMRC and back. The state comes back in the address; only its hash is kept.';

create table hmrc_connections -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  environment text not null
  state text not null default 'connected'::text
  access_token_encrypted bytea
  refresh_token_encrypted bytea
  token_key_id text
  access_expires_at timestamp with time zone
  refreshing_until timestamp with time zone
  granted_by_id bigint not null
  granted_at timestamp with time zone not null
  valid_until timestamp with time zone not null
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table hmrc_connections add constraint hmrc_connections_check CHECK ((valid_until > granted_at));
alter table hmrc_connections add constraint hmrc_connections_check1 CHECK (((state = 'connected'::text) = (num_nonnulls(access_token_encrypted, refresh_token_encrypted, token_key_id, access_expires_at) = 4)));
alter table hmrc_connections add constraint hmrc_connections_check2 CHECK (((state = 'connected'::text) OR (num_nonnulls(access_token_encrypted, refresh_token_encrypted, token_key_id, access_expires_at) = 0)));
alter table hmrc_connections add constraint hmrc_connections_division_check CHECK ((division = 'UK'::text));
alter table hmrc_connections add constraint hmrc_connections_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table hmrc_connections add constraint hmrc_connections_division_key UNIQUE (division);
alter table hmrc_connections add constraint hmrc_connections_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text])));
alter table hmrc_connections add constraint hmrc_connections_granted_by_id_fkey FOREIGN KEY (granted_by_id) REFERENCES users(id);
alter table hmrc_connections add constraint hmrc_connections_pkey PRIMARY KEY (id);
alter table hmrc_connections add constraint hmrc_connections_state_check CHECK ((state = ANY (ARRAY['connected'::text, 'expired'::text, 'revoked'::text, 'disconnected'::text])));
CREATE INDEX hmrc_connections_granter ON public.hmrc_connections USING btree (granted_by_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.hmrc_connections FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column hmrc_connections.environment is 'The tokens of one environment are not known in the other.';
comment on column hmrc_connections.refreshing_until is 'A refresh token works once: who sets this refreshes, everybody else waits for the new token.';
comment on column hmrc_connections.valid_until is 'HMRC ends an authorization 18 months after it was granted.';
comment on table hmrc_connections is 'Authorization that HMRC gave the division. Tokens are sealed as bank details are, and gone once it ended.';

create table hmrc_submissions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  tax_return_id bigint not null
  environment text not null
  period_key text not null
  body jsonb not null
  items jsonb not null
  state text not null default 'sent'::text
  refusal_code text
  is_read_back boolean not null default false
  form_bundle_number text
  processing_date text
  charge_ref_number text
  receipt_id text
  sent_by_id bigint not null
  sent_at timestamp with time zone not null
  answered_at timestamp with time zone
  created_at timestamp with time zone not null default now()
alter table hmrc_submissions add constraint hmrc_submissions_body_check CHECK ((jsonb_typeof(body) = 'object'::text));
alter table hmrc_submissions add constraint hmrc_submissions_charge_ref_number_check CHECK ((length(charge_ref_number) <= 100));
alter table hmrc_submissions add constraint hmrc_submissions_check CHECK (((state = 'sent'::text) = (answered_at IS NULL)));
alter table hmrc_submissions add constraint hmrc_submissions_check1 CHECK (((state = 'refused'::text) = (refusal_code IS NOT NULL)));
alter table hmrc_submissions add constraint hmrc_submissions_check2 CHECK (((state = 'accepted'::text) OR (num_nonnulls(form_bundle_number, processing_date, charge_ref_number, receipt_id) = 0)));
alter table hmrc_submissions add constraint hmrc_submissions_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text])));
alter table hmrc_submissions add constraint hmrc_submissions_form_bundle_number_check CHECK ((length(form_bundle_number) <= 100));
alter table hmrc_submissions add constraint hmrc_submissions_items_check CHECK ((jsonb_typeof(items) = 'array'::text));
alter table hmrc_submissions add constraint hmrc_submissions_period_key_check CHECK ((length(period_key) = 4));
alter table hmrc_submissions add constraint hmrc_submissions_pkey PRIMARY KEY (id);
alter table hmrc_submissions add constraint hmrc_submissions_processing_date_check CHECK ((length(processing_date) <= 40));
alter table hmrc_submissions add constraint hmrc_submissions_receipt_id_check CHECK ((length(receipt_id) <= 100));
alter table hmrc_submissions add constraint hmrc_submissions_refusal_code_check CHECK ((length(refusal_code) <= 100));
alter table hmrc_submissions add constraint hmrc_submissions_sent_by_id_fkey FOREIGN KEY (sent_by_id) REFERENCES users(id);
alter table hmrc_submissions add constraint hmrc_submissions_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'accepted'::text, 'refused'::text, 'not_received'::text])));
alter table hmrc_submissions add constraint hmrc_submissions_tax_return_id_fkey FOREIGN KEY (tax_return_id) REFERENCES tax_returns(id);
CREATE UNIQUE INDEX hmrc_submissions_live ON public.hmrc_submissions USING btree (tax_return_id) WHERE (state = ANY (ARRAY['sent'::text, 'accepted'::text]));
CREATE INDEX hmrc_submissions_return ON public.hmrc_submissions USING btree (tax_return_id, id);
CREATE INDEX hmrc_submissions_sender ON public.hmrc_submissions USING btree (sent_by_id);
CREATE TRIGGER hmrc_submissions_guard BEFORE DELETE OR UPDATE ON public.hmrc_submissions FOR EACH ROW EXECUTE FUNCTION tg_hmrc_submissions_guard();
comment on column hmrc_submissions.body is 'What was sent, under the names of HMRC’s VAT API 1.0.';
comment on column hmrc_submissions.is_read_back is 'HMRC’s answer was lost; the return was found there and is the same.';
comment on column hmrc_submissions.items is 'What the sent figures take; the return is filed with these.';
comment on column hmrc_submissions.processing_date is 'As HMRC writes it.';
comment on table hmrc_submissions is 'Each time a return was sent to HMRC, stored before it leaves: an answer that was lost is read back, not sent again.';

create table holidays -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  on_date date not null
  name text not null
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table holidays add constraint holidays_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table holidays add constraint holidays_division_on_date_key UNIQUE (division, on_date);
alter table holidays add constraint holidays_name_check CHECK ((name <> ''::text));
alter table holidays add constraint holidays_pkey PRIMARY KEY (id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.holidays FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table holidays is 'Public holidays of a division, for due dates and reply times.';

create table house_settings -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  key text not null
  value jsonb not null
  version integer not null default 1
  updated_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table house_settings add constraint house_settings_key_check CHECK ((key ~ '^[a-z_]{3,60}$'::text));
alter table house_settings add constraint house_settings_pkey PRIMARY KEY (key);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.house_settings FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table house_settings is 'Settings that administrators change at run time. Without a row, the default in the code applies.';

create table idempotency_keys -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  user_id bigint
  key text not null
  fingerprint sha256_hex not null
  status smallint
  body jsonb
  created_at timestamp with time zone not null default now()
alter table idempotency_keys add constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)));
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (id);
alter table idempotency_keys add constraint idempotency_keys_status_check CHECK (((status >= 100) AND (status <= 599)));
alter table idempotency_keys add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table idempotency_keys add constraint idempotency_keys_user_id_key_key UNIQUE NULLS NOT DISTINCT (user_id, key);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
comment on table idempotency_keys is 'Stored answers of requests that move money, by user and key, kept for 7 days. A null user is a guest.';

create table import_records -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  import_id bigint not null
  row_no integer not null
  status text not null
  row_hash bytea not null
  cells text[]
  reason_code text
  reason text
  field text
  entity text
  entity_id bigint
  value text
  decision text
  proposed_id bigint
  decision_target_id bigint
  label text
  created_at timestamp with time zone not null default now()
alter table import_records add constraint import_records_check CHECK (((status <> ALL (ARRAY['questioned'::text, 'refused'::text])) OR ((reason_code IS NOT NULL) AND (reason IS NOT NULL))));
alter table import_records add constraint import_records_check1 CHECK (((status <> 'refused'::text) OR (cells IS NOT NULL)));
alter table import_records add constraint import_records_decision_check CHECK ((decision = ANY (ARRAY['replace'::text, 'add'::text, 'same'::text, 'new'::text])));
alter table import_records add constraint import_records_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id);
alter table import_records add constraint import_records_import_id_row_no_key UNIQUE (import_id, row_no);
alter table import_records add constraint import_records_pkey PRIMARY KEY (id);
alter table import_records add constraint import_records_reason_code_check CHECK ((reason_code ~ '^[a-z0-9_.]+$'::text));
alter table import_records add constraint import_records_row_hash_check CHECK ((octet_length(row_hash) = 32));
alter table import_records add constraint import_records_row_no_check CHECK ((row_no >= 1));
alter table import_records add constraint import_records_status_check CHECK ((status = ANY (ARRAY['imported'::text, 'duplicate'::text, 'questioned'::text, 'refused'::text])));
CREATE INDEX import_records_problems ON public.import_records USING btree (import_id, status, row_no) WHERE (status <> 'imported'::text);
CREATE INDEX import_records_reasons ON public.import_records USING btree (import_id, reason_code, value) WHERE (status <> 'imported'::text);
comment on column import_records.decision is 'Second return for a period: replace the first or add to it.';
comment on column import_records.label is 'Name of the record as lists show it.';
comment on column import_records.proposed_id is 'Record that the row was matched to.';
comment on column import_records.value is 'Cell that caused a refusal, for grouping and for adding an alias.';
comment on table import_records is 'Result of every imported row. The cells are kept only if someone has to look at the row again.';

create table import_template_columns -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  import_template_id bigint not null
  field text not null
  column_name text not null
  amount_unit text
  default_value text
  sort integer not null default 0
  created_at timestamp with time zone not null default now()
alter table import_template_columns add constraint import_template_columns_amount_unit_check CHECK ((amount_unit = ANY (ARRAY['major'::text, 'minor'::text])));
alter table import_template_columns add constraint import_template_columns_column_name_check CHECK ((column_name <> ''::text));
alter table import_template_columns add constraint import_template_columns_field_check CHECK ((field ~ '^[a-z0-9_.]+$'::text));
alter table import_template_columns add constraint import_template_columns_import_template_id_field_key UNIQUE (import_template_id, field);
alter table import_template_columns add constraint import_template_columns_import_template_id_fkey FOREIGN KEY (import_template_id) REFERENCES import_templates(id);
alter table import_template_columns add constraint import_template_columns_pkey PRIMARY KEY (id);
comment on table import_template_columns is 'One row per field of the model: the column of the file it is read from, and how.';

create table import_templates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  name text not null
  model_name text not null
  delimiter text not null default ','::text
  date_format text not null default 'YYYY-MM-DD'::text
  report_scope text
  date_is text
  currency currency_code
  active boolean not null default true
  created_by_id bigint
  decimal_style text not null default 'point'::text
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table import_templates add constraint import_templates_check CHECK (((model_name <> 'box_office_reports'::text) OR (num_nonnulls(report_scope, date_is, currency) = 3)));
alter table import_templates add constraint import_templates_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table import_templates add constraint import_templates_date_format_check CHECK ((date_format = ANY (ARRAY['YYYY-MM-DD'::text, 'MM/DD/YYYY'::text, 'DD/MM/YYYY'::text, 'DD.MM.YYYY'::text])));
alter table import_templates add constraint import_templates_date_is_check CHECK ((date_is = ANY (ARRAY['performance'::text, 'week_start'::text, 'week_end'::text])));
alter table import_templates add constraint import_templates_decimal_style_check CHECK ((decimal_style = ANY (ARRAY['point'::text, 'comma'::text])));
alter table import_templates add constraint import_templates_delimiter_check CHECK ((delimiter = ANY (ARRAY[','::text, ';'::text, '	'::text, '|'::text])));
alter table import_templates add constraint import_templates_model_name_check CHECK ((model_name = ANY (ARRAY['box_office_reports'::text, 'shows'::text, 'venues'::text, 'materials'::text, 'royaltors'::text, 'agreements'::text, 'stock_counts'::text, 'customers'::text, 'local_tax_rates'::text])));
alter table import_templates add constraint import_templates_name_check CHECK ((name <> ''::text));
alter table import_templates add constraint import_templates_pkey PRIMARY KEY (id);
alter table import_templates add constraint import_templates_report_scope_check CHECK ((report_scope = ANY (ARRAY['performance'::text, 'week'::text, 'run'::text])));
CREATE INDEX import_templates_list ON public.import_templates USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX import_templates_name ON public.import_templates USING btree (lower(name)) WHERE (deleted_at IS NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.import_templates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column import_templates.date_is is 'How the period follows from the date column.';
comment on column import_templates.report_scope is 'What a row stands for: a performance, a week or a whole run.';
comment on table import_templates is 'Templates that map the columns of a file to fields.';

create table imports -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  import_template_id bigint not null
  file_id bigint not null
  division text
  status text not null default 'uploaded'::text
  mapping jsonb not null
  rows_total integer not null default 0
  rows_done integer not null default 0
  rows_imported integer not null default 0
  rows_duplicate integer not null default 0
  rows_questioned integer not null default 0
  rows_refused integer not null default 0
  failure text
  started_at timestamp with time zone
  finished_at timestamp with time zone
  created_by_id bigint
  task text not null default 'file'::text
  task_cursor bigint not null default 0
  task_done integer not null default 0
  task_total integer not null default 0
  task_input jsonb
  task_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table imports add constraint imports_check CHECK ((((rows_imported + rows_duplicate) + rows_refused) <= rows_done));
alter table imports add constraint imports_check1 CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL)));
alter table imports add constraint imports_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table imports add constraint imports_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table imports add constraint imports_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table imports add constraint imports_import_template_id_fkey FOREIGN KEY (import_template_id) REFERENCES import_templates(id);
alter table imports add constraint imports_pkey PRIMARY KEY (id);
alter table imports add constraint imports_rows_done_check CHECK ((rows_done >= 0));
alter table imports add constraint imports_rows_duplicate_check CHECK ((rows_duplicate >= 0));
alter table imports add constraint imports_rows_imported_check CHECK ((rows_imported >= 0));
alter table imports add constraint imports_rows_questioned_check CHECK ((rows_questioned >= 0));
alter table imports add constraint imports_rows_refused_check CHECK ((rows_refused >= 0));
alter table imports add constraint imports_rows_total_check CHECK ((rows_total >= 0));
alter table imports add constraint imports_status_check CHECK ((status = ANY (ARRAY['uploaded'::text, 'previewed'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])));
alter table imports add constraint imports_task_by_id_fkey FOREIGN KEY (task_by_id) REFERENCES users(id);
alter table imports add constraint imports_task_check CHECK ((task = ANY (ARRAY['file'::text, 'left'::text, 'answers'::text])));
alter table imports add constraint imports_task_done_check CHECK ((task_done >= 0));
alter table imports add constraint imports_task_total_check CHECK ((task_total >= 0));
CREATE INDEX imports_division ON public.imports USING btree (division);
CREATE INDEX imports_file ON public.imports USING btree (file_id);
CREATE INDEX imports_latest ON public.imports USING btree (created_at DESC, id DESC);
CREATE INDEX imports_status ON public.imports USING btree (status, created_at DESC, id DESC);
CREATE INDEX imports_task_by ON public.imports USING btree (task_by_id) WHERE (task_by_id IS NOT NULL);
CREATE INDEX imports_template ON public.imports USING btree (import_template_id);
CREATE INDEX imports_working ON public.imports USING btree (id) WHERE (status = 'processing'::text);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.imports FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column imports.mapping is 'Copy of the template, so that later edits do not change an import in progress.';
comment on column imports.rows_done is 'Rows up to this one are done. Written in the transaction of their chunk.';
comment on column imports.task_cursor is 'Pass "left": last row tried again. Pass "answers": last report processed.';
comment on column imports.task_input is 'Pass "answers": the questions, the answer and the person.';
comment on table imports is 'Imported files and their progress.';

create table invoice_items -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  invoice_id bigint not null
  sort integer not null default 0
  kind text not null
  description text not null
  license_charge_id bigint
  license_venue_id bigint
  performance_id bigint
  add_on_id bigint
  box_office_report_id bigint
  credits_item_id bigint
  quantity integer not null default 1
  unit_minor minor_amount not null
  net_minor minor_amount not null
  tax_code_id bigint
  tax_minor minor_amount not null default 0
  total_minor minor_amount not null
  applied_minor minor_amount not null default 0
  income_type text not null default 'royalty'::text
  item_class text not null
  royalty_bearing boolean not null default false
  release_rule text not null
  release_from date
  release_to date
  account_code text
  tax_free boolean not null default false
  carries text
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table invoice_items add constraint invoice_items_add_on_id_fkey FOREIGN KEY (add_on_id) REFERENCES add_ons(id);
alter table invoice_items add constraint invoice_items_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id);
alter table invoice_items add constraint invoice_items_carries_check CHECK ((carries = ANY (ARRAY['performing_licence'::text, 'rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'shipping'::text, 'fee'::text])));
alter table invoice_items add constraint invoice_items_check CHECK (((total_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)));
alter table invoice_items add constraint invoice_items_check1 CHECK (((kind <> 'shipping'::text) OR (NOT royalty_bearing)));
alter table invoice_items add constraint invoice_items_check2 CHECK (((release_rule <> 'straight_line'::text) OR ((release_from IS NOT NULL) AND (release_to >= release_from))));
alter table invoice_items add constraint invoice_items_credits_item_id_fkey FOREIGN KEY (credits_item_id) REFERENCES invoice_items(id);
alter table invoice_items add constraint invoice_items_description_check CHECK ((description <> ''::text));
alter table invoice_items add constraint invoice_items_income_type_check CHECK ((income_type = ANY (ARRAY['royalty'::text, 'rental'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'streaming'::text, 'video'::text, 'perusal'::text, 'late_fee'::text, 'advance'::text, 'breakage'::text, 'cancellation_fee'::text, 'shipping'::text, 'fee'::text])));
alter table invoice_items add constraint invoice_items_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table invoice_items add constraint invoice_items_item_class_check CHECK ((item_class = ANY (ARRAY['performing_licence'::text, 'rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'shipping'::text, 'fee'::text])));
alter table invoice_items add constraint invoice_items_kind_check CHECK ((kind = ANY (ARRAY['royalty'::text, 'minimum'::text, 'advance'::text, 'overage'::text, 'rental'::text, 'extra_week'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'shipping'::text, 'fee'::text, 'bank_charge'::text, 'deposit_deduction'::text, 'discount'::text])));
alter table invoice_items add constraint invoice_items_license_charge_id_fkey FOREIGN KEY (license_charge_id) REFERENCES license_charges(id);
alter table invoice_items add constraint invoice_items_license_venue_id_fkey FOREIGN KEY (license_venue_id) REFERENCES license_venues(id);
alter table invoice_items add constraint invoice_items_performance_id_fkey FOREIGN KEY (performance_id) REFERENCES performances(id);
alter table invoice_items add constraint invoice_items_pkey PRIMARY KEY (id);
alter table invoice_items add constraint invoice_items_quantity_check CHECK (((quantity >= 0) AND (quantity <= 1000000)));
alter table invoice_items add constraint invoice_items_release_rule_check CHECK ((release_rule = ANY (ARRAY['performances'::text, 'opening'::text, 'as_recouped'::text, 'straight_line'::text, 'shipment'::text, 'access'::text, 'at_once'::text])));
alter table invoice_items add constraint invoice_items_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
CREATE INDEX invoice_items_add_on ON public.invoice_items USING btree (add_on_id) WHERE (add_on_id IS NOT NULL);
CREATE INDEX invoice_items_charge ON public.invoice_items USING btree (license_charge_id) WHERE (license_charge_id IS NOT NULL);
CREATE INDEX invoice_items_credits ON public.invoice_items USING btree (credits_item_id) WHERE (credits_item_id IS NOT NULL);
CREATE INDEX invoice_items_invoice ON public.invoice_items USING btree (invoice_id, sort, id);
CREATE INDEX invoice_items_performance ON public.invoice_items USING btree (performance_id) WHERE (performance_id IS NOT NULL);
CREATE INDEX invoice_items_report ON public.invoice_items USING btree (box_office_report_id) WHERE (box_office_report_id IS NOT NULL);
CREATE INDEX invoice_items_tax_code ON public.invoice_items USING btree (tax_code_id) WHERE (tax_code_id IS NOT NULL);
CREATE INDEX invoice_items_venue ON public.invoice_items USING btree (license_venue_id) WHERE (license_venue_id IS NOT NULL);
CREATE TRIGGER guard_invoice_rows BEFORE INSERT OR DELETE OR UPDATE ON public.invoice_items FOR EACH ROW EXECUTE FUNCTION guard_invoice_rows();
CREATE TRIGGER invoice_items_multiply BEFORE INSERT OR UPDATE OF quantity, unit_minor, net_minor ON public.invoice_items FOR EACH ROW EXECUTE FUNCTION refuse_line_that_does_not_multiply();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.invoice_items FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on invoice_items as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = invoice_items.invoice_id)))) with check ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = invoice_items.invoice_id))));
create policy house on invoice_items as permissive for all to app_rw using (true) with check (true);
create policy portal on invoice_items as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = invoice_items.invoice_id))) AND true));
comment on column invoice_items.account_code is 'Code of the income account. The account is looked up in the division.';
comment on column invoice_items.applied_minor is 'Cash applied to the line, tax included.';
comment on column invoice_items.carries is 'For shipping: the class of goods it carries.';
comment on column invoice_items.tax_free is 'The item is marked as not taxed.';
comment on table invoice_items is 'Lines of an invoice.';

create table invoice_tax_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  invoice_id bigint not null
  invoice_item_id bigint not null
  jurisdiction text not null
  tax_code_id bigint not null
  tax_rate_id bigint
  exemption_certificate_id bigint
  rate_ppm rate_ppm not null
  base_minor minor_amount not null
  tax_minor minor_amount not null
  tax_functional_minor minor_amount
  rate fx_rate
  rate_date date
  rate_source text
  reason text not null
  local_tax_rate_id bigint
  created_at timestamp with time zone not null default now()
alter table invoice_tax_lines add constraint invoice_tax_lines_check CHECK ((num_nonnulls(tax_functional_minor, rate, rate_date, rate_source) = ANY (ARRAY[0, 4])));
alter table invoice_tax_lines add constraint invoice_tax_lines_exemption_certificate_id_fkey FOREIGN KEY (exemption_certificate_id) REFERENCES tax_exemption_certificates(id);
alter table invoice_tax_lines add constraint invoice_tax_lines_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table invoice_tax_lines add constraint invoice_tax_lines_invoice_item_id_fkey FOREIGN KEY (invoice_item_id) REFERENCES invoice_items(id);
alter table invoice_tax_lines add constraint invoice_tax_lines_invoice_item_id_jurisdiction_tax_code_id_key UNIQUE (invoice_item_id, jurisdiction, tax_code_id);
alter table invoice_tax_lines add constraint invoice_tax_lines_local_tax_rate_id_fkey FOREIGN KEY (local_tax_rate_id) REFERENCES local_tax_rates(id);
alter table invoice_tax_lines add constraint invoice_tax_lines_pkey PRIMARY KEY (id);
alter table invoice_tax_lines add constraint invoice_tax_lines_rate_source_check CHECK ((rate_source = ANY (ARRAY['ecb'::text, 'hmrc'::text, 'manual'::text])));
alter table invoice_tax_lines add constraint invoice_tax_lines_reason_check CHECK ((reason <> ''::text));
alter table invoice_tax_lines add constraint invoice_tax_lines_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
alter table invoice_tax_lines add constraint invoice_tax_lines_tax_rate_id_fkey FOREIGN KEY (tax_rate_id) REFERENCES tax_rates(id);
CREATE INDEX invoice_tax_lines_certificate ON public.invoice_tax_lines USING btree (exemption_certificate_id) WHERE (exemption_certificate_id IS NOT NULL);
CREATE INDEX invoice_tax_lines_code ON public.invoice_tax_lines USING btree (tax_code_id);
CREATE INDEX invoice_tax_lines_invoice ON public.invoice_tax_lines USING btree (invoice_id, id);
CREATE INDEX invoice_tax_lines_local ON public.invoice_tax_lines USING btree (local_tax_rate_id) WHERE (local_tax_rate_id IS NOT NULL);
CREATE INDEX invoice_tax_lines_rate ON public.invoice_tax_lines USING btree (tax_rate_id) WHERE (tax_rate_id IS NOT NULL);
CREATE TRIGGER guard_invoice_rows BEFORE INSERT OR DELETE OR UPDATE ON public.invoice_tax_lines FOR EACH ROW EXECUTE FUNCTION guard_invoice_rows();
create policy counter on invoice_tax_lines as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = invoice_tax_lines.invoice_id)))) with check ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = invoice_tax_lines.invoice_id))));
create policy house on invoice_tax_lines as permissive for all to app_rw using (true) with check (true);
create policy portal on invoice_tax_lines as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = invoice_tax_lines.invoice_id))) AND true));
comment on table invoice_tax_lines is 'Tax of a line by jurisdiction, as determined on the tax point.';

create table invoice_write_offs -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  invoice_id bigint not null
  kind text not null
  amount_minor minor_amount not null
  taken_back_minor minor_amount not null default 0
  open_item_id bigint not null
  transaction_id bigint not null
  payment_id bigint
  reason text not null default ''::text
  written_off_on date not null
  created_by_id bigint
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table invoice_write_offs add constraint invoice_write_offs_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table invoice_write_offs add constraint invoice_write_offs_check CHECK ((((taken_back_minor)::bigint >= 0) AND ((taken_back_minor)::bigint <= (amount_minor)::bigint)));
alter table invoice_write_offs add constraint invoice_write_offs_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table invoice_write_offs add constraint invoice_write_offs_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table invoice_write_offs add constraint invoice_write_offs_kind_check CHECK ((kind = ANY (ARRAY['bad_debt'::text, 'small_difference'::text, 'tax_withheld'::text])));
alter table invoice_write_offs add constraint invoice_write_offs_open_item_id_fkey FOREIGN KEY (open_item_id) REFERENCES open_items(id);
alter table invoice_write_offs add constraint invoice_write_offs_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table invoice_write_offs add constraint invoice_write_offs_pkey PRIMARY KEY (id);
alter table invoice_write_offs add constraint invoice_write_offs_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX invoice_write_offs_invoice ON public.invoice_write_offs USING btree (invoice_id, id);
CREATE INDEX invoice_write_offs_item ON public.invoice_write_offs USING btree (open_item_id);
CREATE INDEX invoice_write_offs_payment ON public.invoice_write_offs USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX invoice_write_offs_transaction ON public.invoice_write_offs USING btree (transaction_id);
CREATE CONSTRAINT TRIGGER invoice_write_offs_agree AFTER INSERT OR UPDATE ON public.invoice_write_offs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_written_off();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.invoice_write_offs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column invoice_write_offs.open_item_id is 'Credit on receivables that settles the invoice. Withheld tax and a small difference may share one.';
comment on table invoice_write_offs is 'Amounts that settled an invoice without cash, and how much of each was reversed.';

create table invoices -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  invoice_number text
  reference text
  kind text not null
  status text not null default 'draft'::text
  customer_id bigint not null
  license_id bigint
  credits_invoice_id bigint
  proforma_id bigint
  division text not null
  currency currency_code not null
  billing_name text not null
  billing_address postal_address
  customer_vat_number text
  division_vat_number text
  issued_on date
  tax_point_on date
  due_on date
  terms text not null default ''::text
  purchase_order_no text
  net_minor minor_amount not null default 0
  tax_minor minor_amount not null default 0
  total_minor minor_amount not null default 0
  prepaid_net_minor minor_amount not null default 0
  prepaid_tax_minor minor_amount not null default 0
  paid_minor minor_amount not null default 0
  credited_minor minor_amount not null default 0
  written_off_minor minor_amount not null default 0
  balance_minor minor_amount not null generated always as (((((((total_minor)::bigint - (prepaid_net_minor)::bigint) - (prepaid_tax_minor)::bigint) - (paid_minor)::bigint) - (credited_minor)::bigint) - (written_off_minor)::bigint)) stored
  functional_rate fx_rate
  functional_rate_on date
  notes text not null default ''::text
  legal_texts text[] not null default '{}'::text[]
  reason text not null default ''::text
  document_id bigint
  sha256 sha256_hex
  transaction_id bigint
  open_item_id bigint
  voided_at timestamp with time zone
  void_reason text
  issued_by_id bigint
  ship_to postal_address
  revision integer not null default 1
  revision_note text not null default ''::text
  tax_shortfall_minor minor_amount not null default 0
  search_text text not null generated always as (search_words(VARIADIC ARRAY[invoice_number, reference, billing_name, purchase_order_no])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  opening_set_id bigint
alter table invoices add constraint invoices_billing_name_check CHECK ((billing_name <> ''::text));
alter table invoices add constraint invoices_check CHECK (((total_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)));
alter table invoices add constraint invoices_check1 CHECK ((((net_minor)::bigint >= 0) AND ((total_minor)::bigint >= 0)));
alter table invoices add constraint invoices_check10 CHECK ((due_on >= issued_on));
alter table invoices add constraint invoices_check11 CHECK ((((tax_shortfall_minor)::bigint >= 0) AND ((tax_shortfall_minor)::bigint <= (tax_minor)::bigint)));
alter table invoices add constraint invoices_check2 CHECK (((total_minor)::bigint >= (((((prepaid_net_minor)::bigint + (prepaid_tax_minor)::bigint) + (paid_minor)::bigint) + (credited_minor)::bigint) + (written_off_minor)::bigint)));
alter table invoices add constraint invoices_check3 CHECK (((kind = 'proforma'::text) OR (status <> ALL (ARRAY['issued'::text, 'part_paid'::text, 'paid'::text, 'credited'::text, 'written_off'::text])) OR ((invoice_number IS NOT NULL) AND (issued_on IS NOT NULL) AND (tax_point_on IS NOT NULL))));
alter table invoices add constraint invoices_check5 CHECK (((kind <> 'proforma'::text) OR ((status = ANY (ARRAY['draft'::text, 'proforma'::text, 'paid'::text, 'void'::text])) AND (invoice_number IS NULL) AND (transaction_id IS NULL) AND (reference IS NOT NULL))));
alter table invoices add constraint invoices_check6 CHECK (((kind = 'proforma'::text) OR (status <> 'proforma'::text)));
alter table invoices add constraint invoices_check7 CHECK (((kind = 'credit_note'::text) <= (credits_invoice_id IS NOT NULL)));
alter table invoices add constraint invoices_check8 CHECK (((kind = 'credit_note'::text) OR (credits_invoice_id IS NULL)));
alter table invoices add constraint invoices_check9 CHECK (((status = 'void'::text) = (voided_at IS NOT NULL)));
alter table invoices add constraint invoices_credited_minor_check CHECK (((credited_minor)::bigint >= 0));
alter table invoices add constraint invoices_credits_invoice_id_fkey FOREIGN KEY (credits_invoice_id) REFERENCES invoices(id);
alter table invoices add constraint invoices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table invoices add constraint invoices_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table invoices add constraint invoices_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table invoices add constraint invoices_issued_by_id_fkey FOREIGN KEY (issued_by_id) REFERENCES users(id);
alter table invoices add constraint invoices_issued_due CHECK (((kind = 'proforma'::text) OR (status <> ALL (ARRAY['issued'::text, 'part_paid'::text, 'paid'::text, 'credited'::text, 'written_off'::text])) OR (due_on IS NOT NULL))) NOT VALID;
alter table invoices add constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'proforma'::text, 'credit_note'::text])));
alter table invoices add constraint invoices_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table invoices add constraint invoices_open_item_id_fkey FOREIGN KEY (open_item_id) REFERENCES open_items(id);
alter table invoices add constraint invoices_opening CHECK (((opening_set_id IS NULL) OR ((kind = 'invoice'::text) AND ((tax_minor)::bigint = 0) AND ((prepaid_tax_minor)::bigint = 0) AND (((prepaid_net_minor)::bigint = 0) OR ((prepaid_net_minor)::bigint = (total_minor)::bigint)))));
alter table invoices add constraint invoices_opening_set_id_fkey FOREIGN KEY (opening_set_id) REFERENCES opening_sets(id);
alter table invoices add constraint invoices_paid_minor_check CHECK (((paid_minor)::bigint >= 0));
alter table invoices add constraint invoices_pkey PRIMARY KEY (id);
alter table invoices add constraint invoices_prepaid_net_minor_check CHECK (((prepaid_net_minor)::bigint >= 0));
alter table invoices add constraint invoices_prepaid_tax_minor_check CHECK (((prepaid_tax_minor)::bigint >= 0));
alter table invoices add constraint invoices_proforma_id_fkey FOREIGN KEY (proforma_id) REFERENCES invoices(id);
alter table invoices add constraint invoices_reference_key UNIQUE (reference);
alter table invoices add constraint invoices_revision_check CHECK ((revision >= 1));
alter table invoices add constraint invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'proforma'::text, 'issued'::text, 'part_paid'::text, 'paid'::text, 'credited'::text, 'written_off'::text, 'void'::text])));
alter table invoices add constraint invoices_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table invoices add constraint invoices_unposted CHECK (((status <> ALL (ARRAY['draft'::text, 'proforma'::text, 'void'::text])) OR ((invoice_number IS NULL) AND ((transaction_id IS NULL) OR ((status = 'void'::text) AND (opening_set_id IS NOT NULL))))));
alter table invoices add constraint invoices_written_off_minor_check CHECK (((written_off_minor)::bigint >= 0));
CREATE INDEX invoices_credits ON public.invoices USING btree (credits_invoice_id) WHERE (credits_invoice_id IS NOT NULL);
CREATE INDEX invoices_customer ON public.invoices USING btree (customer_id, issued_on DESC, id DESC);
CREATE INDEX invoices_division ON public.invoices USING btree (division, issued_on DESC, id DESC) INCLUDE (status, kind);
CREATE INDEX invoices_document ON public.invoices USING btree (document_id) WHERE (document_id IS NOT NULL);
CREATE INDEX invoices_latest ON public.invoices USING btree (updated_at DESC, id DESC);
CREATE INDEX invoices_license ON public.invoices USING btree (license_id, id);
CREATE INDEX invoices_name_start ON public.invoices USING btree (fold_name(billing_name) text_pattern_ops);
CREATE UNIQUE INDEX invoices_number ON public.invoices USING btree (division, kind, invoice_number) WHERE (invoice_number IS NOT NULL);
CREATE INDEX invoices_number_start ON public.invoices USING btree (lower(invoice_number) text_pattern_ops) WHERE (invoice_number IS NOT NULL);
CREATE INDEX invoices_open ON public.invoices USING btree (division, due_on, id) INCLUDE (customer_id, currency, balance_minor) WHERE (status = ANY (ARRAY['issued'::text, 'part_paid'::text]));
CREATE INDEX invoices_open_amount ON public.invoices USING btree (division, currency, balance_minor) WHERE (status = ANY (ARRAY['issued'::text, 'part_paid'::text, 'proforma'::text]));
CREATE INDEX invoices_open_item ON public.invoices USING btree (open_item_id) WHERE (open_item_id IS NOT NULL);
CREATE INDEX invoices_opening ON public.invoices USING btree (opening_set_id) WHERE (opening_set_id IS NOT NULL);
CREATE INDEX invoices_proforma ON public.invoices USING btree (proforma_id) WHERE (proforma_id IS NOT NULL);
CREATE INDEX invoices_reference_start ON public.invoices USING btree (lower(reference) text_pattern_ops) WHERE (reference IS NOT NULL);
CREATE INDEX invoices_search ON public.invoices USING gin (search_text gin_trgm_ops);
CREATE INDEX invoices_status ON public.invoices USING btree (division, status, due_on, id);
CREATE INDEX invoices_transaction ON public.invoices USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER guard_invoice BEFORE UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION guard_invoice();
CREATE TRIGGER guard_invoice_delete BEFORE DELETE ON public.invoices FOR EACH ROW EXECUTE FUNCTION guard_invoice_delete();
CREATE CONSTRAINT TRIGGER invoices_written_off AFTER UPDATE OF written_off_minor ON public.invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.written_off_minor)::bigint <> (new.written_off_minor)::bigint)) EXECUTE FUNCTION check_written_off();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on invoices as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on invoices as permissive for all to app_rw using (true) with check (true);
create policy portal on invoices as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND (status <> 'draft'::text)));
comment on column invoices.functional_rate is 'Functional currency units per one unit of the currency, on functional_rate_on.';
comment on column invoices.invoice_number is 'Gapless number of the ledger, taken in the posting transaction; null until issued.';
comment on column invoices.opening_set_id is 'Set of opening balances that brought it; it has no tax lines.';
comment on column invoices.prepaid_net_minor is 'Deposits on account deducted from this invoice; prepaid_tax_minor: the tax already charged on them.';
comment on column invoices.proforma_id is 'Pro forma that a payment turned into this tax invoice.';
comment on column invoices.reference is 'Number of a pro forma, which has no invoice number.';
comment on column invoices.revision is 'Version of a pro forma; revision_note says why it is not the first.';
comment on column invoices.tax_shortfall_minor is 'Tax left open because an earlier version was paid. It does not hold up the license.';
comment on table invoices is 'Invoices, pro formas and credit notes. An issued one is never changed.';

create table item_numbers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  item_number text not null
  entity text not null
  created_at timestamp with time zone not null default now()
alter table item_numbers add constraint item_numbers_item_number_check CHECK ((item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'::text));
alter table item_numbers add constraint item_numbers_pkey PRIMARY KEY (item_number);
comment on table item_numbers is 'Item numbers in use by any kind of item. Numbers of items in the trash stay reserved.';

create table journal_entries -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  transaction_id bigint not null
  line_no integer not null
  division text not null
  transaction_at date not null
  period integer not null
  ledger_account_id bigint not null
  currency text not null
  amount_minor bigint not null
  base_amount_minor bigint not null
  fx_rate numeric(20,10)
  party_type text
  party_id bigint
  invoice_id bigint
  bill_id bigint
  license_id bigint
  show_id bigint
  payment_id bigint
  tax_code_id bigint
  tax_base_minor bigint
  due_date date
  memo text
alter table journal_entries add constraint journal_entries_ledger_account_id_division_fkey FOREIGN KEY (ledger_account_id, division) REFERENCES ledger_accounts(id, division);
alter table journal_entries add constraint journal_entries_pkey PRIMARY KEY (id);
alter table journal_entries add constraint journal_entries_rules CHECK (journal_entry_holds(journal_entries.*));
alter table journal_entries add constraint journal_entries_transaction_id_division_transaction_at_per_fkey FOREIGN KEY (transaction_id, division, transaction_at, period) REFERENCES transactions(id, division, transaction_at, period) ON UPDATE CASCADE;
alter table journal_entries add constraint journal_entries_transaction_id_line_no_key UNIQUE (transaction_id, line_no);
CREATE INDEX journal_entries_account ON public.journal_entries USING btree (ledger_account_id, transaction_at, id) INCLUDE (amount_minor, base_amount_minor, currency);
CREATE INDEX journal_entries_invoice ON public.journal_entries USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX journal_entries_license ON public.journal_entries USING btree (license_id) WHERE (license_id IS NOT NULL);
CREATE INDEX journal_entries_party ON public.journal_entries USING btree (party_type, party_id, ledger_account_id, transaction_at) WHERE (party_id IS NOT NULL);
CREATE TRIGGER journal_entries_door BEFORE INSERT OR DELETE OR UPDATE ON public.journal_entries FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_door();
CREATE TRIGGER journal_entries_guard BEFORE DELETE OR UPDATE ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION tg_journal_entries_guard();
CREATE TRIGGER journal_entries_truncate BEFORE TRUNCATE ON public.journal_entries FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_door();
comment on column journal_entries.amount_minor is 'Amount in the currency of the line: debit positive, credit negative.';
comment on column journal_entries.base_amount_minor is 'Amount in the functional currency of the division.';
comment on column journal_entries.fx_rate is 'Functional currency units per one unit of the currency; null if they are the same.';
comment on table journal_entries is 'Lines of ledger transactions: debits positive, credits negative. Balanced in functional currency at commit.';

create table ledger_accounts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  ledger_header_id bigint not null
  code text not null
  name text not null
  class text not null
  currency text
  normal_side text not null generated always as (
CASE
    WHEN (class = ANY (ARRAY['asset'::text, 'expense'::text])) THEN 'debit'::text
    ELSE 'credit'::text
END) stored
  is_control text
  has_open_items boolean not null default false
  party_types text[]
  is_cash boolean not null default false
  is_monetary boolean not null default false
  is_tax boolean not null default false
  allow_manual boolean not null default true
  cash_flow_class text not null
  tax_box_hint text
  system_key text
  active boolean not null default true
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  is_bank boolean not null default false
alter table ledger_accounts add constraint ledger_accounts_bank CHECK (((NOT is_bank) OR (is_cash AND (currency IS NOT NULL) AND (party_types IS NULL) AND (NOT has_open_items))));
alter table ledger_accounts add constraint ledger_accounts_bank_key UNIQUE (id, division, currency, is_bank);
alter table ledger_accounts add constraint ledger_accounts_cash_flow_class_check CHECK ((cash_flow_class = ANY (ARRAY['cash'::text, 'operating'::text, 'investing'::text, 'financing'::text])));
alter table ledger_accounts add constraint ledger_accounts_cash_flow_fits CHECK ((((class <> 'equity'::text) OR (cash_flow_class = 'financing'::text)) AND ((class <> ALL (ARRAY['income'::text, 'expense'::text])) OR (cash_flow_class = 'operating'::text))));
alter table ledger_accounts add constraint ledger_accounts_check CHECK (((NOT has_open_items) OR (party_types IS NOT NULL)));
alter table ledger_accounts add constraint ledger_accounts_check1 CHECK ((is_cash = (cash_flow_class = 'cash'::text)));
alter table ledger_accounts add constraint ledger_accounts_code_check CHECK ((code ~ '^[0-9A-Za-z.-]{1,20}$'::text));
alter table ledger_accounts add constraint ledger_accounts_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code);
alter table ledger_accounts add constraint ledger_accounts_division_code_key UNIQUE (division, code);
alter table ledger_accounts add constraint ledger_accounts_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table ledger_accounts add constraint ledger_accounts_id_division_key UNIQUE (id, division);
alter table ledger_accounts add constraint ledger_accounts_is_control_check CHECK ((is_control = ANY (ARRAY['ar'::text, 'ap'::text, 'royalty_payable'::text, 'deposits'::text])));
alter table ledger_accounts add constraint ledger_accounts_ledger_header_id_division_class_fkey FOREIGN KEY (ledger_header_id, division, class) REFERENCES ledger_headers(id, division, class);
alter table ledger_accounts add constraint ledger_accounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table ledger_accounts add constraint ledger_accounts_party_types_check CHECK (((party_types <@ ARRAY['customer'::text, 'vendor'::text, 'royaltor'::text, 'bank'::text, 'staff'::text, 'tax_authority'::text, 'division'::text]) AND (cardinality(party_types) > 0)));
alter table ledger_accounts add constraint ledger_accounts_pkey PRIMARY KEY (id);
alter table ledger_accounts add constraint ledger_accounts_system_key_check CHECK (((length(system_key) >= 1) AND (length(system_key) <= 40)));
CREATE INDEX ledger_accounts_code_start ON public.ledger_accounts USING btree (lower(code) text_pattern_ops);
CREATE INDEX ledger_accounts_header ON public.ledger_accounts USING btree (ledger_header_id, division, class);
CREATE INDEX ledger_accounts_search ON public.ledger_accounts USING gin (search_words(VARIADIC ARRAY[code, name]) gin_trgm_ops);
CREATE UNIQUE INDEX ledger_accounts_system_key ON public.ledger_accounts USING btree (division, system_key) WHERE (system_key IS NOT NULL);
CREATE TRIGGER ledger_accounts_bank_kept AFTER DELETE ON public.ledger_accounts FOR EACH ROW WHEN (old.is_bank) EXECUTE FUNCTION tg_ledger_accounts_bank();
CREATE TRIGGER ledger_accounts_bank_state AFTER UPDATE OF active, deleted_at ON public.ledger_accounts FOR EACH ROW WHEN (new.is_bank) EXECUTE FUNCTION tg_ledger_accounts_bank();
CREATE TRIGGER ledger_accounts_cash_flow BEFORE INSERT OR UPDATE OF cash_flow_class, is_cash, class ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION tg_ledger_accounts_cash_flow();
CREATE TRIGGER ledger_accounts_guard BEFORE DELETE OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION tg_ledger_accounts_guard();
comment on column ledger_accounts.cash_flow_class is 'Part of the cash flow statement that changes of the account belong to; "cash" are the accounts whose change it is.';
comment on column ledger_accounts.currency is 'Null: lines in any currency.';
comment on column ledger_accounts.has_open_items is 'Lines become open items that are applied to each other.';
comment on column ledger_accounts.is_bank is 'Belongs to a bank account: only kinds of transactions that move bank money post to it.';
comment on column ledger_accounts.is_tax is 'Lines count in a tax return, so the tax lock applies whatever the kind of transaction.';
comment on column ledger_accounts.party_types is 'Party types a line may have; null: no party needed.';
comment on column ledger_accounts.system_key is 'Key by which the product finds the account. Such an account keeps its code.';
comment on table ledger_accounts is 'Accounts of the chart, per division.';

create table ledger_balances_folded -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate, fillfactor=70
  division text not null
  ledger_account_id bigint not null
  currency text not null
  period integer not null
  debit_minor bigint not null
  credit_minor bigint not null
  base_debit_minor bigint not null
  base_credit_minor bigint not null
  entries bigint not null
alter table ledger_balances_folded add constraint ledger_balances_folded_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code);
alter table ledger_balances_folded add constraint ledger_balances_folded_pkey PRIMARY KEY (ledger_account_id, currency, period);
CREATE INDEX ledger_balances_folded_period ON public.ledger_balances_folded USING btree (division, period);
comment on table ledger_balances_folded is 'Balances by account, currency and period, up to the last time the queue was processed.';

create table ledger_chain -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  division text not null
  seq bigint not null
  transaction_id bigint not null
  prev_hash bytea not null
  hash bytea not null
  created_at timestamp with time zone not null default now()
alter table ledger_chain add constraint ledger_chain_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table ledger_chain add constraint ledger_chain_hash_check CHECK ((length(hash) = 32));
alter table ledger_chain add constraint ledger_chain_pkey PRIMARY KEY (division, seq);
alter table ledger_chain add constraint ledger_chain_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table ledger_chain add constraint ledger_chain_transaction_id_key UNIQUE (transaction_id);
CREATE TRIGGER ledger_chain_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_chain FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_append_only();
comment on table ledger_chain is 'Hash chain over posted transactions, one per division. Append-only.';

create table ledger_chain_queue -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  transaction_id bigint not null
comment on table ledger_chain_queue is 'Posted transactions that are not in the hash chain yet. One job appends them after commit, so postings do not wait for each other.';

create table ledger_fold_queue -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000
  transaction_id bigint not null
comment on table ledger_fold_queue is 'Transactions that are not in the folded balances yet.';

create table ledger_headers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  code text not null
  name text not null
  class text not null
  parent_id bigint
  statement text not null generated always as (
CASE
    WHEN (class = ANY (ARRAY['income'::text, 'expense'::text])) THEN 'pl'::text
    ELSE 'bs'::text
END) stored
  section text not null
  cash_flow_section text not null
  sort integer not null default 0
  is_system boolean not null default false
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table ledger_headers add constraint ledger_headers_cash_flow_section_check CHECK ((cash_flow_section = ANY (ARRAY['cash'::text, 'operating'::text, 'investing'::text, 'financing'::text])));
alter table ledger_headers add constraint ledger_headers_check CHECK ((parent_id <> id));
alter table ledger_headers add constraint ledger_headers_class_check CHECK ((class = ANY (ARRAY['asset'::text, 'liability'::text, 'equity'::text, 'income'::text, 'expense'::text])));
alter table ledger_headers add constraint ledger_headers_code_check CHECK (((length(code) >= 1) AND (length(code) <= 40)));
alter table ledger_headers add constraint ledger_headers_division_code_key UNIQUE (division, code);
alter table ledger_headers add constraint ledger_headers_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table ledger_headers add constraint ledger_headers_id_division_class_key UNIQUE (id, division, class);
alter table ledger_headers add constraint ledger_headers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table ledger_headers add constraint ledger_headers_parent_id_division_class_fkey FOREIGN KEY (parent_id, division, class) REFERENCES ledger_headers(id, division, class);
alter table ledger_headers add constraint ledger_headers_pkey PRIMARY KEY (id);
alter table ledger_headers add constraint ledger_headers_section_check CHECK (((length(section) >= 1) AND (length(section) <= 40)));
CREATE INDEX ledger_headers_parent ON public.ledger_headers USING btree (parent_id, division, class);
CREATE TRIGGER ledger_headers_cash_flow BEFORE INSERT ON public.ledger_headers FOR EACH ROW EXECUTE FUNCTION tg_ledger_headers_cash_flow();
CREATE TRIGGER ledger_headers_guard BEFORE DELETE OR UPDATE ON public.ledger_headers FOR EACH ROW EXECUTE FUNCTION tg_ledger_headers_guard();
comment on column ledger_headers.section is 'Key of the line in the financial statements.';
comment on table ledger_headers is 'Headings of the chart of accounts: a tree whose leaves are accounts. A heading has the class of its parent.';

create table license_amendments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  kind text not null
  status text not null default 'requested'::text
  requested_by_id bigint
  from_portal boolean not null default false
  reason text not null
  changes jsonb not null
  price_before_minor minor_amount not null
  price_after_minor minor_amount not null
  delta_minor minor_amount not null generated always as (((price_after_minor)::bigint - (price_before_minor)::bigint)) stored
  currency currency_code not null
  automatic boolean not null default false
  license_version_id bigint
  decided_by_id bigint
  decided_at timestamp with time zone
  decision_note text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_amendments add constraint license_amendments_check CHECK (((status = ANY (ARRAY['requested'::text, 'withdrawn'::text])) OR (decided_at IS NOT NULL)));
alter table license_amendments add constraint license_amendments_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES users(id);
alter table license_amendments add constraint license_amendments_kind_check CHECK ((kind = ANY (ARRAY['amend'::text, 'cancel_request'::text])));
alter table license_amendments add constraint license_amendments_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_amendments add constraint license_amendments_license_version_id_fkey FOREIGN KEY (license_version_id) REFERENCES license_versions(id);
alter table license_amendments add constraint license_amendments_pkey PRIMARY KEY (id);
alter table license_amendments add constraint license_amendments_reason_check CHECK ((reason <> ''::text));
alter table license_amendments add constraint license_amendments_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table license_amendments add constraint license_amendments_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'applied'::text, 'refused'::text, 'withdrawn'::text])));
CREATE INDEX license_amendments_license ON public.license_amendments USING btree (license_id, created_at DESC, id DESC);
CREATE INDEX license_amendments_open ON public.license_amendments USING btree (created_at, id) WHERE (status = 'requested'::text);
CREATE INDEX license_amendments_version ON public.license_amendments USING btree (license_version_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_amendments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_amendments as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_amendments.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_amendments.license_id))));
create policy house on license_amendments as permissive for all to app_rw using (true) with check (true);
create policy portal on license_amendments as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_amendments.license_id))) AND true));
comment on column license_amendments.changes is 'Requested changes and their effect on the price, as sent.';
comment on table license_amendments is 'Requested changes to a license in force.';

create table license_application_add_ons -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_application_id bigint not null
  add_on_id bigint not null
  quantity integer not null default 1
  created_at timestamp with time zone not null default now()
alter table license_application_add_ons add constraint license_application_add_ons_add_on_id_fkey FOREIGN KEY (add_on_id) REFERENCES add_ons(id);
alter table license_application_add_ons add constraint license_application_add_ons_license_application_id_add_on_i_key UNIQUE (license_application_id, add_on_id);
alter table license_application_add_ons add constraint license_application_add_ons_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table license_application_add_ons add constraint license_application_add_ons_pkey PRIMARY KEY (id);
alter table license_application_add_ons add constraint license_application_add_ons_quantity_check CHECK (((quantity >= 1) AND (quantity <= 10000)));
CREATE INDEX license_application_add_ons_add_on ON public.license_application_add_ons USING btree (add_on_id);
create policy counter on license_application_add_ons as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_add_ons.license_application_id)))) with check ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_add_ons.license_application_id))));
create policy house on license_application_add_ons as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_add_ons as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_add_ons.license_application_id))) AND true));
comment on table license_application_add_ons is 'Add-ons chosen in an application, each of one of its shows.';

create table license_application_alternatives -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_application_id bigint not null
  rank smallint not null
  first_performance_on date not null
  availability_result jsonb
  created_at timestamp with time zone not null default now()
alter table license_application_alternatives add constraint license_application_alternati_license_application_id_first__key UNIQUE (license_application_id, first_performance_on);
alter table license_application_alternatives add constraint license_application_alternative_license_application_id_rank_key UNIQUE (license_application_id, rank);
alter table license_application_alternatives add constraint license_application_alternatives_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table license_application_alternatives add constraint license_application_alternatives_pkey PRIMARY KEY (id);
alter table license_application_alternatives add constraint license_application_alternatives_rank_check CHECK (((rank >= 1) AND (rank <= 3)));
create policy counter on license_application_alternatives as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_alternatives.license_application_id)))) with check ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_alternatives.license_application_id))));
create policy house on license_application_alternatives as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_alternatives as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_alternatives.license_application_id))) AND true));
comment on column license_application_alternatives.availability_result is 'Verdict and public reason per show at submission. Never recalculated.';
comment on table license_application_alternatives is 'Other dates of an application: the whole run, moved so that its first performance falls on that day.';

create table license_application_events -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  license_application_id bigint not null
  event text not null
  from_status text
  to_status text
  actor_id bigint
  on_behalf_of_id bigint
  reason text not null default ''::text
  created_at timestamp with time zone not null default now()
alter table license_application_events add constraint license_application_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id);
alter table license_application_events add constraint license_application_events_event_check CHECK ((event <> ''::text));
alter table license_application_events add constraint license_application_events_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table license_application_events add constraint license_application_events_on_behalf_of_id_fkey FOREIGN KEY (on_behalf_of_id) REFERENCES customers(id);
alter table license_application_events add constraint license_application_events_pkey PRIMARY KEY (id);
CREATE INDEX license_application_events_actor ON public.license_application_events USING btree (actor_id);
CREATE INDEX license_application_events_application ON public.license_application_events USING btree (license_application_id, created_at DESC, id DESC);
CREATE INDEX license_application_events_behalf ON public.license_application_events USING btree (on_behalf_of_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.license_application_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.license_application_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on license_application_events as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_events.license_application_id)))) with check ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_events.license_application_id))));
create policy house on license_application_events as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_events as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_events.license_application_id))) AND true));
comment on table license_application_events is 'History of an application.';

create table license_application_information_requests -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_application_id bigint not null
  message text not null
  fields text[] not null default '{}'::text[]
  asked_by_id bigint
  answer text
  answered_by_id bigint
  answered_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_application_information_requests add constraint license_application_information_req_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table license_application_information_requests add constraint license_application_information_requests_answered_by_id_fkey FOREIGN KEY (answered_by_id) REFERENCES users(id);
alter table license_application_information_requests add constraint license_application_information_requests_asked_by_id_fkey FOREIGN KEY (asked_by_id) REFERENCES users(id);
alter table license_application_information_requests add constraint license_application_information_requests_message_check CHECK ((message <> ''::text));
alter table license_application_information_requests add constraint license_application_information_requests_pkey PRIMARY KEY (id);
CREATE INDEX application_information_requests_application ON public.license_application_information_requests USING btree (license_application_id, created_at DESC, id DESC);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_application_information_requests FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_application_information_requests as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_information_requests.license_application_id)))) with check ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_information_requests.license_application_id))));
create policy house on license_application_information_requests as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_information_requests as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_information_requests.license_application_id))) AND true));
comment on table license_application_information_requests is 'Questions of staff to an applicant. The reply deadline is suspended until the answer.';

create table license_application_performances -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_application_venue_id bigint not null
  local_date date not null
  local_time time without time zone not null
  type text not null default 'public'::text
  is_free boolean not null default false
  created_at timestamp with time zone not null default now()
  same_time boolean not null default false
alter table license_application_performances add constraint license_application_performan_license_application_venue_id__key UNIQUE (license_application_venue_id, local_date, local_time, type);
alter table license_application_performances add constraint license_application_performan_license_application_venue_id_fkey FOREIGN KEY (license_application_venue_id) REFERENCES license_application_venues(id);
alter table license_application_performances add constraint license_application_performances_pkey PRIMARY KEY (id);
alter table license_application_performances add constraint license_application_performances_type_check CHECK ((type = ANY (ARRAY['public'::text, 'preview'::text, 'matinee'::text, 'school'::text, 'dress_invited'::text, 'gala'::text, 'competition'::text, 'stream_live'::text, 'stream_vod'::text])));
CREATE UNIQUE INDEX license_application_performances_one_at_a_time ON public.license_application_performances USING btree (license_application_venue_id, local_date, local_time) WHERE ((type <> ALL (ARRAY['stream_live'::text, 'stream_vod'::text])) AND (NOT same_time));
create policy counter on license_application_performances as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.id = license_application_performances.license_application_venue_id)))) with check ((EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.id = license_application_performances.license_application_venue_id))));
create policy house on license_application_performances as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_performances as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.id = license_application_performances.license_application_venue_id))) AND true));
comment on column license_application_performances.same_time is 'Stood at the time of another performance of its venue before that was refused.';
comment on table license_application_performances is 'Performances requested in an application.';

create table license_application_shows -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_application_id bigint not null
  show_id bigint not null
  rank smallint not null
  chosen boolean not null default false
  created_at timestamp with time zone not null default now()
alter table license_application_shows add constraint license_application_shows_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table license_application_shows add constraint license_application_shows_license_application_id_rank_key UNIQUE (license_application_id, rank);
alter table license_application_shows add constraint license_application_shows_license_application_id_show_id_key UNIQUE (license_application_id, show_id);
alter table license_application_shows add constraint license_application_shows_pkey PRIMARY KEY (id);
alter table license_application_shows add constraint license_application_shows_rank_check CHECK (((rank >= 1) AND (rank <= 3)));
alter table license_application_shows add constraint license_application_shows_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
CREATE INDEX license_application_shows_show ON public.license_application_shows USING btree (show_id);
create policy counter on license_application_shows as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_shows.license_application_id)))) with check ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_shows.license_application_id))));
create policy house on license_application_shows as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_shows as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_shows.license_application_id))) AND true));
comment on table license_application_shows is 'Shows requested in an application.';

create table license_application_tickets -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_application_venue_id bigint not null
  sort integer not null default 0
  label text not null default ''::text
  number_of_seats integer not null default 0
  price_minor minor_amount not null default 0
  weight numeric(12,4) not null default 0
  created_at timestamp with time zone not null default now()
  performance_type text
alter table license_application_tickets add constraint license_application_tickets_license_application_venue_id_fkey FOREIGN KEY (license_application_venue_id) REFERENCES license_application_venues(id);
alter table license_application_tickets add constraint license_application_tickets_number_of_seats_check CHECK (((number_of_seats >= 0) AND (number_of_seats <= 200000)));
alter table license_application_tickets add constraint license_application_tickets_performance_type_check CHECK ((performance_type = ANY (ARRAY['public'::text, 'preview'::text, 'matinee'::text, 'school'::text, 'dress_invited'::text, 'gala'::text, 'competition'::text, 'stream_live'::text, 'stream_vod'::text])));
alter table license_application_tickets add constraint license_application_tickets_pkey PRIMARY KEY (id);
alter table license_application_tickets add constraint license_application_tickets_price_minor_check CHECK ((((price_minor)::bigint >= 0) AND ((price_minor)::bigint <= 9999999)));
alter table license_application_tickets add constraint license_application_tickets_weight_check CHECK (((weight >= (0)::numeric) AND (weight <= (1000000)::numeric)));
CREATE INDEX license_application_tickets_venue ON public.license_application_tickets USING btree (license_application_venue_id, sort, id);
create policy counter on license_application_tickets as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.id = license_application_tickets.license_application_venue_id)))) with check ((EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.id = license_application_tickets.license_application_venue_id))));
create policy house on license_application_tickets as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_tickets as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.id = license_application_tickets.license_application_venue_id))) AND true));
comment on column license_application_tickets.performance_type is 'Type of performance that these seats and prices are for; null: every type without prices of its own.';
comment on table license_application_tickets is 'Ticket prices and seats at a venue of an application.';

create table license_application_venues -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_application_id bigint not null
  venue_id bigint
  name text not null
  address postal_address
  lat double precision
  lng double precision
  time_zone text not null default 'America/New_York'::text
  capacity integer
  expected_attendance integer
  sort integer not null default 0
  created_at timestamp with time zone not null default now()
  deductions jsonb not null default '[]'::jsonb
alter table license_application_venues add constraint license_application_venues_capacity_check CHECK (((capacity >= 0) AND (capacity <= 200000)));
alter table license_application_venues add constraint license_application_venues_check CHECK (((lat IS NULL) = (lng IS NULL)));
alter table license_application_venues add constraint license_application_venues_deductions_check CHECK (is_deduction_list(deductions));
alter table license_application_venues add constraint license_application_venues_expected_attendance_check CHECK (((expected_attendance >= 0) AND (expected_attendance <= 200000)));
alter table license_application_venues add constraint license_application_venues_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));
alter table license_application_venues add constraint license_application_venues_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table license_application_venues add constraint license_application_venues_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)));
alter table license_application_venues add constraint license_application_venues_name_check CHECK ((name <> ''::text));
alter table license_application_venues add constraint license_application_venues_pkey PRIMARY KEY (id);
alter table license_application_venues add constraint license_application_venues_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id);
CREATE INDEX license_application_venues_application ON public.license_application_venues USING btree (license_application_id, sort, id);
CREATE UNIQUE INDEX license_application_venues_once ON public.license_application_venues USING btree (license_application_id, venue_id) WHERE (venue_id IS NOT NULL);
CREATE INDEX license_application_venues_venue ON public.license_application_venues USING btree (venue_id);
create policy counter on license_application_venues as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_venues.license_application_id)))) with check ((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_venues.license_application_id))));
create policy house on license_application_venues as permissive for all to app_rw using (true) with check (true);
create policy portal on license_application_venues as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = license_application_venues.license_application_id))) AND true));
comment on column license_application_venues.deductions is 'What the venue takes off the gross: type and most of it in ppm of the reported gross.';
comment on table license_application_venues is 'Venues requested in an application, in the same form as license_venues.';

create table license_applications -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  number text
  customer_id bigint not null
  submitted_by_user_id bigint
  status text not null default 'draft'::text
  source text not null default 'portal'::text
  division text not null
  category text not null
  currency currency_code not null
  customer_classification_id bigint
  organisation_type text not null default 'other'::text
  producing_organisation text not null default ''::text
  union_status text not null default 'none'::text
  first_performance_on date
  last_performance_on date
  number_of_performances integer not null default 0
  is_free_admission boolean not null default false
  cast_size integer
  orchestration text
  needs_streaming boolean not null default false
  needs_video boolean not null default false
  purpose text not null default 'season'::text
  tax_exempt boolean not null default false
  message text not null default ''::text
  license_rep_id bigint
  sla_due_at timestamp with time zone
  sla_paused_at timestamp with time zone
  clearance_expected_on date
  availability_result jsonb
  price_preview jsonb
  override_reason text
  decision_reason_code text
  decision_note text not null default ''::text
  submitted_at timestamp with time zone
  decided_at timestamp with time zone
  decided_by_id bigint
  search_text text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_applications add constraint license_applications_cast_size_check CHECK (((cast_size >= 1) AND (cast_size <= 1000)));
alter table license_applications add constraint license_applications_category_check CHECK ((category = ANY (ARRAY['Amateur'::text, 'Pro'::text])));
alter table license_applications add constraint license_applications_check CHECK ((last_performance_on >= first_performance_on));
alter table license_applications add constraint license_applications_check1 CHECK (((status = ANY (ARRAY['draft'::text, 'withdrawn'::text])) OR ((number IS NOT NULL) AND (submitted_at IS NOT NULL))));
alter table license_applications add constraint license_applications_check2 CHECK (((status <> 'declined'::text) OR (decision_reason_code IS NOT NULL)));
alter table license_applications add constraint license_applications_customer_classification_id_fkey FOREIGN KEY (customer_classification_id) REFERENCES customer_classifications(id);
alter table license_applications add constraint license_applications_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table license_applications add constraint license_applications_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES users(id);
alter table license_applications add constraint license_applications_decision_reason_code_check CHECK ((decision_reason_code = ANY (ARRAY['rights_unavailable'::text, 'professional_conflict'::text, 'proximity'::text, 'dates_too_soon'::text, 'incomplete'::text, 'arrears'::text, 'not_eligible'::text, 'other'::text])));
alter table license_applications add constraint license_applications_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table license_applications add constraint license_applications_length CHECK (((number_of_performances <= 300) OR (created_at < '2026-11-26 00:00:00+00'::timestamp with time zone)));
alter table license_applications add constraint license_applications_license_rep_id_fkey FOREIGN KEY (license_rep_id) REFERENCES users(id);
alter table license_applications add constraint license_applications_number_key UNIQUE (number);
alter table license_applications add constraint license_applications_number_of_performances_check CHECK (((number_of_performances >= 0) AND (number_of_performances <= 1000)));
alter table license_applications add constraint license_applications_orchestration_check CHECK ((orchestration = ANY (ARRAY['full'::text, 'reduced'::text, 'piano'::text, 'tracks'::text])));
alter table license_applications add constraint license_applications_organisation_type_check CHECK ((organisation_type = ANY (ARRAY['school_k12'::text, 'university'::text, 'community'::text, 'youth'::text, 'professional'::text, 'church'::text, 'camp'::text, 'other'::text])));
alter table license_applications add constraint license_applications_pkey PRIMARY KEY (id);
alter table license_applications add constraint license_applications_purpose_check CHECK ((purpose = ANY (ARRAY['season'::text, 'competition'::text, 'fundraiser'::text, 'camp'::text, 'excerpt'::text])));
alter table license_applications add constraint license_applications_source_check CHECK ((source = ANY (ARRAY['portal'::text, 'staff'::text, 'import'::text])));
alter table license_applications add constraint license_applications_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'in_review'::text, 'info_requested'::text, 'clearance'::text, 'approved'::text, 'converted'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text])));
alter table license_applications add constraint license_applications_submitted_by_user_id_fkey FOREIGN KEY (submitted_by_user_id) REFERENCES users(id);
alter table license_applications add constraint license_applications_union_status_check CHECK ((union_status = ANY (ARRAY['none'::text, 'AEA'::text, 'SPT'::text, 'guest_artist'::text, 'LORT'::text, 'Equity UK'::text])));
CREATE INDEX license_applications_classification ON public.license_applications USING btree (customer_classification_id);
CREATE INDEX license_applications_customer ON public.license_applications USING btree (customer_id, updated_at DESC, id DESC);
CREATE INDEX license_applications_division ON public.license_applications USING btree (division, status, submitted_at DESC, id DESC);
CREATE INDEX license_applications_latest ON public.license_applications USING btree (updated_at DESC, id DESC);
CREATE INDEX license_applications_number_start ON public.license_applications USING btree (lower(number) text_pattern_ops) WHERE (number IS NOT NULL);
CREATE INDEX license_applications_rep ON public.license_applications USING btree (license_rep_id, status, sla_due_at, id);
CREATE INDEX license_applications_search ON public.license_applications USING gin (search_text gin_trgm_ops);
CREATE INDEX license_applications_status ON public.license_applications USING btree (status, submitted_at DESC, id DESC);
CREATE INDEX license_applications_submitter ON public.license_applications USING btree (submitted_by_user_id);
CREATE TRIGGER license_application_search_text BEFORE INSERT OR UPDATE ON public.license_applications FOR EACH ROW EXECUTE FUNCTION license_application_search_text();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_applications FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_applications as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on license_applications as permissive for all to app_rw using (true) with check (true);
create policy portal on license_applications as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on column license_applications.availability_result is 'Verdict and public reason per venue at submission, with the price shown then. Never recalculated.';
comment on table license_applications is 'Applications for a license.';

create table license_billing_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  sort integer not null default 0
  text text not null
  role text not null default ''::text
  percent_of_title_ppm integer not null default 500000
  placement text not null default 'below'::text
  logo_required boolean not null default false
  created_at timestamp with time zone not null default now()
alter table license_billing_lines add constraint license_billing_lines_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_billing_lines add constraint license_billing_lines_percent_of_title_ppm_check CHECK (((percent_of_title_ppm >= 0) AND (percent_of_title_ppm <= 2000000)));
alter table license_billing_lines add constraint license_billing_lines_pkey PRIMARY KEY (id);
alter table license_billing_lines add constraint license_billing_lines_placement_check CHECK ((placement = ANY (ARRAY['above'::text, 'below'::text, 'program_only'::text])));
alter table license_billing_lines add constraint license_billing_lines_text_check CHECK ((text <> ''::text));
CREATE INDEX license_billing_lines_license ON public.license_billing_lines USING btree (license_id, sort, id);
create policy counter on license_billing_lines as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_billing_lines.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_billing_lines.license_id))));
create policy house on license_billing_lines as permissive for all to app_rw using (true) with check (true);
comment on table license_billing_lines is 'Billing credits: who is named, and how large as a share of the title.';

create table license_boms -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  source_bom_template_id bigint
  source_version integer
  name text not null
  cast_size integer
  venues integer
  weeks integer
  performances integer
  optional_material_ids bigint[] not null default '{}'::bigint[]
  note text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_boms add constraint license_boms_cast_size_check CHECK (((cast_size >= 0) AND (cast_size <= 1000)));
alter table license_boms add constraint license_boms_check CHECK (((source_bom_template_id IS NULL) = (source_version IS NULL)));
alter table license_boms add constraint license_boms_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_boms add constraint license_boms_license_id_source_bom_template_id_key UNIQUE (license_id, source_bom_template_id);
alter table license_boms add constraint license_boms_name_check CHECK ((name <> ''::text));
alter table license_boms add constraint license_boms_performances_check CHECK ((performances >= 0));
alter table license_boms add constraint license_boms_pkey PRIMARY KEY (id);
alter table license_boms add constraint license_boms_source_bom_template_id_fkey FOREIGN KEY (source_bom_template_id) REFERENCES bom_templates(id);
alter table license_boms add constraint license_boms_venues_check CHECK ((venues >= 0));
alter table license_boms add constraint license_boms_weeks_check CHECK ((weeks >= 0));
CREATE INDEX license_boms_latest ON public.license_boms USING btree (updated_at DESC, id DESC);
CREATE INDEX license_boms_template ON public.license_boms USING btree (source_bom_template_id, license_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_boms FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_boms as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_boms.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_boms.license_id))));
create policy house on license_boms as permissive for all to app_rw using (true) with check (true);
create policy portal on license_boms as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_boms.license_id))) AND true));
comment on column license_boms.cast_size is 'Counts that the quantities were calculated from.';
comment on column license_boms.source_bom_template_id is 'Template it was copied from; null: put together by staff.';
comment on table license_boms is 'Bills of materials of a license.';

create table license_charges -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  license_venue_id bigint
  add_on_id bigint
  show_package_id bigint
  sort integer not null default 0
  kind text not null
  origin text not null default 'quoted'::text
  description text not null
  quantity integer not null default 1
  unit_minor minor_amount not null
  net_minor minor_amount not null
  item_class text not null
  income_type text not null default 'royalty'::text
  royalty_bearing boolean not null default false
  tax_code text
  tax_jurisdiction text
  tax_rate_id bigint
  tax_rate_ppm rate_ppm not null default 0
  tax_minor minor_amount not null default 0
  tax_reason text not null default ''::text
  total_minor minor_amount not null
  invoiced_net_minor minor_amount not null default 0
  invoiced_tax_minor minor_amount not null default 0
  license_material_id bigint
  share_ppm integer
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  detail text not null default ''::text
alter table license_charges add constraint license_charges_add_on_id_fkey FOREIGN KEY (add_on_id) REFERENCES add_ons(id);
alter table license_charges add constraint license_charges_check CHECK (((total_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)));
alter table license_charges add constraint license_charges_check1 CHECK (((kind = 'discount'::text) OR ((net_minor)::bigint = ((unit_minor)::bigint * quantity)) OR (kind = ANY (ARRAY['royalty'::text, 'advance'::text]))));
alter table license_charges add constraint license_charges_check2 CHECK (((kind <> 'shipping'::text) OR (NOT royalty_bearing)));
alter table license_charges add constraint license_charges_description_check CHECK ((description <> ''::text));
alter table license_charges add constraint license_charges_income_type_check CHECK ((income_type = ANY (ARRAY['royalty'::text, 'rental'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'streaming'::text, 'video'::text, 'perusal'::text, 'late_fee'::text, 'advance'::text, 'breakage'::text, 'cancellation_fee'::text, 'shipping'::text, 'fee'::text])));
alter table license_charges add constraint license_charges_item_class_check CHECK ((item_class = ANY (ARRAY['performing_licence'::text, 'rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'shipping'::text, 'fee'::text])));
alter table license_charges add constraint license_charges_kind_check CHECK ((kind = ANY (ARRAY['royalty'::text, 'advance'::text, 'rental'::text, 'extra_week'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'shipping'::text, 'fee'::text, 'discount'::text])));
alter table license_charges add constraint license_charges_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_charges add constraint license_charges_license_material_id_fkey FOREIGN KEY (license_material_id) REFERENCES license_materials(id) ON DELETE SET NULL;
alter table license_charges add constraint license_charges_license_venue_id_fkey FOREIGN KEY (license_venue_id) REFERENCES license_venues(id);
alter table license_charges add constraint license_charges_multiply CHECK ((((quantity)::bigint * (unit_minor)::bigint) = (net_minor)::bigint));
alter table license_charges add constraint license_charges_origin_check CHECK ((origin = ANY (ARRAY['quoted'::text, 'late'::text])));
alter table license_charges add constraint license_charges_pkey PRIMARY KEY (id);
alter table license_charges add constraint license_charges_quantity_check CHECK (((quantity >= 0) AND (quantity <= 1000000)));
alter table license_charges add constraint license_charges_share_ppm_check CHECK (((share_ppm >= 1) AND (share_ppm <= 1000000)));
alter table license_charges add constraint license_charges_show_package_id_fkey FOREIGN KEY (show_package_id) REFERENCES show_packages(id);
alter table license_charges add constraint license_charges_tax_rate_id_fkey FOREIGN KEY (tax_rate_id) REFERENCES tax_rates(id);
CREATE INDEX license_charges_add_on ON public.license_charges USING btree (add_on_id);
CREATE INDEX license_charges_license ON public.license_charges USING btree (license_id, sort, id);
CREATE INDEX license_charges_material ON public.license_charges USING btree (license_material_id);
CREATE INDEX license_charges_package ON public.license_charges USING btree (show_package_id);
CREATE INDEX license_charges_tax_rate ON public.license_charges USING btree (tax_rate_id);
CREATE INDEX license_charges_venue ON public.license_charges USING btree (license_venue_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_charges FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_charges as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_charges.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_charges.license_id))));
create policy house on license_charges as permissive for all to app_rw using (true) with check (true);
create policy portal on license_charges as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_charges.license_id))) AND true));
comment on column license_charges.detail is 'What the net is made of, for papers: "performances 4 × 396.00 = 1,584.00, discount 15% (237.60)". Empty where quantity and unit say it.';
comment on column license_charges.license_material_id is 'Material that the charge is for, if the package does not include it.';
comment on column license_charges.origin is 'Quoted: part of the offer. late: added afterwards, for example fees, extra weeks and overage.';
comment on column license_charges.share_ppm is 'Share of the company as sold. Later changes of the add-on do not apply.';
comment on table license_charges is 'Lines of a quote and of later charges, from which invoices are made. Tax is stored as determined.';

create table license_checklist_items -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  key text not null
  label text not null
  owner text not null
  due_on date
  blocks_phase text
  status text not null default 'open'::text
  done_at timestamp with time zone
  done_by_id bigint
  automatic boolean not null default false
  note text not null default ''::text
  sort integer not null default 0
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_checklist_items add constraint license_checklist_items_blocks_phase_check CHECK ((blocks_phase = ANY (ARRAY['sent'::text, 'accepted'::text, 'licensed'::text, 'closed'::text])));
alter table license_checklist_items add constraint license_checklist_items_check CHECK (((status = 'open'::text) = (done_at IS NULL)));
alter table license_checklist_items add constraint license_checklist_items_check1 CHECK (((status <> 'waived'::text) OR (note <> ''::text)));
alter table license_checklist_items add constraint license_checklist_items_done_by_id_fkey FOREIGN KEY (done_by_id) REFERENCES users(id);
alter table license_checklist_items add constraint license_checklist_items_key_check CHECK ((key ~ '^[a-z0-9_]+$'::text));
alter table license_checklist_items add constraint license_checklist_items_label_check CHECK ((label <> ''::text));
alter table license_checklist_items add constraint license_checklist_items_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_checklist_items add constraint license_checklist_items_license_id_key_key UNIQUE (license_id, key);
alter table license_checklist_items add constraint license_checklist_items_owner_check CHECK ((owner = ANY (ARRAY['staff'::text, 'customer'::text])));
alter table license_checklist_items add constraint license_checklist_items_pkey PRIMARY KEY (id);
alter table license_checklist_items add constraint license_checklist_items_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'waived'::text])));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_checklist_items FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_checklist_items as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_checklist_items.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_checklist_items.license_id))));
create policy house on license_checklist_items as permissive for all to app_rw using (true) with check (true);
comment on column license_checklist_items.blocks_phase is 'Phase that cannot be entered while the item is open; null: none.';
comment on table license_checklist_items is 'Steps to complete before a license can move to a phase.';

create table license_documents -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  license_version_id bigint
  document_id bigint
  type text not null
  description text not null default ''::text
  status text not null default 'draft'::text
  origin text not null default 'upload'::text
  internal boolean not null default false
  issued_at timestamp with time zone
  sent_at timestamp with time zone
  viewed_at timestamp with time zone
  signed_at timestamp with time zone
  uploaded_by_id bigint
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_documents add constraint license_documents_check CHECK (((status = 'draft'::text) OR (document_id IS NOT NULL)));
alter table license_documents add constraint license_documents_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table license_documents add constraint license_documents_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_documents add constraint license_documents_license_version_id_fkey FOREIGN KEY (license_version_id) REFERENCES license_versions(id);
alter table license_documents add constraint license_documents_origin_check CHECK ((origin = ANY (ARRAY['upload'::text, 'generate'::text])));
alter table license_documents add constraint license_documents_pkey PRIMARY KEY (id);
alter table license_documents add constraint license_documents_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'issued'::text, 'sent'::text, 'viewed'::text, 'signed'::text, 'superseded'::text, 'void'::text])));
alter table license_documents add constraint license_documents_type_check CHECK ((type = ANY (ARRAY['quote_letter'::text, 'offer'::text, 'production_contract'::text, 'rider'::text, 'amendment'::text, 'execution_certificate'::text, 'invoice'::text, 'proforma'::text, 'credit_note'::text, 'receipt'::text, 'vat_receipt'::text, 'statement_of_account'::text, 'deposit_statement'::text, 'packing_slip'::text, 'return_form_and_label'::text, 'perusal_letter'::text, 'box_office_form'::text, 'box_office_statement'::text, 'purchase_order'::text, 'tax_exemption_certificate'::text, 'programme_artwork'::text, 'sole_source_letter'::text, 'refund_payee_change'::text, 'reminder_letter_1'::text, 'reminder_letter_2'::text, 'reminder_letter_3'::text, 'cancellation_confirmation'::text, 'signed_contract'::text, 'other'::text])));
alter table license_documents add constraint license_documents_uploaded_by_id_fkey FOREIGN KEY (uploaded_by_id) REFERENCES users(id);
CREATE INDEX license_documents_all ON public.license_documents USING btree (license_id);
CREATE INDEX license_documents_file ON public.license_documents USING btree (document_id);
CREATE INDEX license_documents_latest ON public.license_documents USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX license_documents_license ON public.license_documents USING btree (license_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX license_documents_type ON public.license_documents USING btree (type, status, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX license_documents_version ON public.license_documents USING btree (license_version_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_documents FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_documents as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_documents.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_documents.license_id))));
create policy house on license_documents as permissive for all to app_rw using (true) with check (true);
create policy portal on license_documents as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_documents.license_id))) AND ((NOT internal) AND (deleted_at IS NULL))));
comment on table license_documents is 'Documents of a license.';

create table license_events -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  event text not null
  from_phase text
  to_phase text
  actor_id bigint
  on_behalf_of_id bigint
  reason text not null default ''::text
  license_version integer
  details jsonb
  created_at timestamp with time zone not null default now()
alter table license_events add constraint license_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id);
alter table license_events add constraint license_events_check CHECK (((from_phase IS NULL) <= ((to_phase IS NULL) OR (event = ANY (ARRAY['create'::text, 'convert'::text, 'import'::text])))));
alter table license_events add constraint license_events_event_check CHECK ((event <> ''::text));
alter table license_events add constraint license_events_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_events add constraint license_events_on_behalf_of_id_fkey FOREIGN KEY (on_behalf_of_id) REFERENCES customers(id);
alter table license_events add constraint license_events_pkey PRIMARY KEY (id);
CREATE INDEX license_events_actor ON public.license_events USING btree (actor_id);
CREATE INDEX license_events_behalf ON public.license_events USING btree (on_behalf_of_id);
CREATE INDEX license_events_license ON public.license_events USING btree (license_id, created_at DESC, id DESC);
CREATE INDEX license_events_stream ON public.license_events USING btree (created_at DESC, id DESC);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.license_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.license_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on license_events as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_events.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_events.license_id))));
create policy house on license_events as permissive for all to app_rw using (true) with check (true);
create policy portal on license_events as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_events.license_id))) AND true));
comment on table license_events is 'History of a license.';

create table license_instalments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  sort integer not null default 0
  label text not null
  due_event text not null
  due_on date
  line_kinds text[] not null default '{}'::text[]
  share_ppm rate_ppm
  is_deposit boolean not null default false
  net_minor minor_amount not null default 0
  tax_minor minor_amount not null default 0
  amount_minor minor_amount not null default 0
  status text not null default 'planned'::text
  invoice_id bigint
  proforma_id bigint
  deposit_id bigint
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_instalments add constraint license_instalments_check CHECK (((due_event = 'date'::text) = (due_on IS NOT NULL)));
alter table license_instalments add constraint license_instalments_check1 CHECK ((is_deposit = (share_ppm IS NULL)));
alter table license_instalments add constraint license_instalments_check2 CHECK (((amount_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)));
alter table license_instalments add constraint license_instalments_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(id);
alter table license_instalments add constraint license_instalments_due_event_check CHECK ((due_event = ANY (ARRAY['acceptance'::text, 'execution'::text, 'shipment'::text, 'opening'::text, 'closing'::text, 'return_of_materials'::text, 'settlement'::text, 'report'::text, 'date'::text])));
alter table license_instalments add constraint license_instalments_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table license_instalments add constraint license_instalments_label_check CHECK ((label <> ''::text));
alter table license_instalments add constraint license_instalments_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_instalments add constraint license_instalments_line_kinds_check CHECK ((line_kinds <@ ARRAY['royalty'::text, 'advance'::text, 'rental'::text, 'extra_week'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'shipping'::text, 'fee'::text, 'discount'::text]));
alter table license_instalments add constraint license_instalments_pkey PRIMARY KEY (id);
alter table license_instalments add constraint license_instalments_proforma_id_fkey FOREIGN KEY (proforma_id) REFERENCES invoices(id);
alter table license_instalments add constraint license_instalments_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'billed'::text, 'paid'::text, 'cancelled'::text])));
CREATE INDEX license_instalments_deposit ON public.license_instalments USING btree (deposit_id) WHERE (deposit_id IS NOT NULL);
CREATE INDEX license_instalments_invoice ON public.license_instalments USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX license_instalments_license ON public.license_instalments USING btree (license_id, sort, id);
CREATE INDEX license_instalments_proforma ON public.license_instalments USING btree (proforma_id) WHERE (proforma_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_instalments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_instalments as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_instalments.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_instalments.license_id))));
create policy house on license_instalments as permissive for all to app_rw using (true) with check (true);
create policy portal on license_instalments as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_instalments.license_id))) AND true));
comment on table license_instalments is 'Payment plan of a license: shares of the lines, and amounts once priced.';

create table license_materials -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  license_bom_id bigint
  material_id bigint not null
  item_number text not null
  name text not null
  type text not null
  fulfilment text not null
  quantity integer not null
  template_quantity integer
  included_in_package boolean not null default true
  unit_price_minor minor_amount not null default 0
  replacement_price_minor minor_amount
  item_class text not null
  income_type text not null
  royalty_bearing boolean not null default false
  return_required boolean not null default false
  ship_group text not null default 'main'::text
  lead_days integer not null default 0
  substituted_for_id bigint
  note text not null default ''::text
  sort integer not null default 0
  download_limit integer not null default 5
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_materials add constraint license_materials_download_limit_check CHECK (((download_limit >= 1) AND (download_limit <= 1000)));
alter table license_materials add constraint license_materials_fulfilment_check CHECK ((fulfilment = ANY (ARRAY['physical'::text, 'download'::text, 'stream_app'::text, 'email'::text])));
alter table license_materials add constraint license_materials_income_type_check CHECK ((income_type = ANY (ARRAY['rental'::text, 'sale'::text, 'digital'::text, 'perusal'::text])));
alter table license_materials add constraint license_materials_item_class_check CHECK ((item_class = ANY (ARRAY['rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'fee'::text])));
alter table license_materials add constraint license_materials_lead_days_check CHECK (((lead_days >= 0) AND (lead_days <= 365)));
alter table license_materials add constraint license_materials_license_bom_id_fkey FOREIGN KEY (license_bom_id) REFERENCES license_boms(id);
alter table license_materials add constraint license_materials_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_materials add constraint license_materials_license_id_license_bom_id_material_id_key UNIQUE NULLS NOT DISTINCT (license_id, license_bom_id, material_id);
alter table license_materials add constraint license_materials_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table license_materials add constraint license_materials_name_check CHECK ((name <> ''::text));
alter table license_materials add constraint license_materials_pkey PRIMARY KEY (id);
alter table license_materials add constraint license_materials_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100000)));
alter table license_materials add constraint license_materials_replacement_price_minor_check CHECK (((replacement_price_minor)::bigint >= 0));
alter table license_materials add constraint license_materials_ship_group_check CHECK ((ship_group = ANY (ARRAY['advance'::text, 'main'::text, 'orchestra'::text, 'digital'::text])));
alter table license_materials add constraint license_materials_substituted_for_id_fkey FOREIGN KEY (substituted_for_id) REFERENCES materials(id);
alter table license_materials add constraint license_materials_template_quantity_check CHECK (((template_quantity >= 1) AND (template_quantity <= 100000)));
alter table license_materials add constraint license_materials_type_check CHECK ((type = ANY (ARRAY['rental'::text, 'sale'::text, 'digital'::text, 'service'::text, 'perusal'::text])));
alter table license_materials add constraint license_materials_unit_price_minor_check CHECK (((unit_price_minor)::bigint >= 0));
CREATE INDEX license_materials_bom ON public.license_materials USING btree (license_bom_id);
CREATE INDEX license_materials_license ON public.license_materials USING btree (license_id, sort, id);
CREATE INDEX license_materials_material ON public.license_materials USING btree (material_id, license_id);
CREATE INDEX license_materials_substituted ON public.license_materials USING btree (substituted_for_id);
CREATE TRIGGER mark_material_used AFTER INSERT OR UPDATE OF material_id ON public.license_materials FOR EACH ROW EXECUTE FUNCTION mark_material_used();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_materials FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_materials as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_materials.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_materials.license_id))));
create policy house on license_materials as permissive for all to app_rw using (true) with check (true);
create policy portal on license_materials as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_materials.license_id))) AND true));
comment on column license_materials.included_in_package is 'Part of the rental package or free of charge. Otherwise charged on the quote at its unit price.';
comment on column license_materials.return_required is 'Whether the material must come back after the run.';
comment on column license_materials.template_quantity is 'Quantity from the template; null if a person added the material.';
comment on table license_materials is 'Materials that a license receives.';

create table license_terms -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  rights_granted text[] not null default ARRAY['stage'::text]
  language text not null default 'English'::text
  territory text not null default ''::text
  exclusive boolean not null default false
  exclusivity_radius_km integer
  exclusive_from date
  exclusive_to date
  max_performances integer
  average_seat_cap integer
  ticket_price_cap_minor minor_amount
  licensee_billing_ppm rate_ppm not null default 500000
  presenter_line text not null default ''::text
  video_clause text not null default 'none'::text
  mandatory_program_text text not null default ''::text
  logo_usage text not null default 'none'::text
  changes_clause text not null default ''::text
  replica_elements_forbidden boolean not null default true
  report_frequency text not null default 'run'::text
  report_due_days integer not null default 7
  late_interest_ppm_per_month rate_ppm not null default 0
  audit_right boolean not null default true
  comps integer not null default 2
  merchandise text not null default ''::text
  cancellation_policy text not null default 'standard'::text
  governing_law text not null default ''::text
  insurance text not null default ''::text
  other_terms text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table license_terms add constraint license_terms_average_seat_cap_check CHECK ((average_seat_cap >= 1));
alter table license_terms add constraint license_terms_cancellation_policy_check CHECK ((cancellation_policy = ANY (ARRAY['standard'::text, 'liquidated_damages'::text, 'professional'::text])));
alter table license_terms add constraint license_terms_check CHECK ((exclusive_to >= exclusive_from));
alter table license_terms add constraint license_terms_comps_check CHECK ((comps >= 0));
alter table license_terms add constraint license_terms_exclusivity_radius_km_check CHECK ((exclusivity_radius_km >= 0));
alter table license_terms add constraint license_terms_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_terms add constraint license_terms_license_id_key UNIQUE (license_id);
alter table license_terms add constraint license_terms_logo_usage_check CHECK ((logo_usage = ANY (ARRAY['none'::text, 'licensed'::text])));
alter table license_terms add constraint license_terms_max_performances_check CHECK ((max_performances >= 1));
alter table license_terms add constraint license_terms_pkey PRIMARY KEY (id);
alter table license_terms add constraint license_terms_report_due_days_check CHECK (((report_due_days >= 0) AND (report_due_days <= 365)));
alter table license_terms add constraint license_terms_report_frequency_check CHECK ((report_frequency = ANY (ARRAY['performance'::text, 'week'::text, 'run'::text, 'none'::text])));
alter table license_terms add constraint license_terms_rights_granted_check CHECK (((rights_granted <@ ARRAY['stage'::text, 'stream_live'::text, 'stream_scheduled'::text, 'stream_on_demand'::text, 'video_archival'::text, 'concert'::text, 'excerpt'::text]) AND (rights_granted <> '{}'::text[])));
alter table license_terms add constraint license_terms_ticket_price_cap_minor_check CHECK (((ticket_price_cap_minor)::bigint >= 0));
alter table license_terms add constraint license_terms_video_clause_check CHECK ((video_clause = ANY (ARRAY['none'::text, 'archival'::text, 'personal_noncommercial'::text])));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_terms FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_terms as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_terms.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_terms.license_id))));
create policy house on license_terms as permissive for all to app_rw using (true) with check (true);
create policy portal on license_terms as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_terms.license_id))) AND true));
comment on table license_terms is 'Contract terms of a license.';

create table license_venue_tickets -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_venue_id bigint not null
  sort integer not null default 0
  label text not null default ''::text
  number_of_seats integer not null default 0
  price_minor minor_amount not null default 0
  weight numeric(12,4) not null default 0
  created_at timestamp with time zone not null default now()
  performance_type text
alter table license_venue_tickets add constraint license_venue_tickets_license_venue_id_fkey FOREIGN KEY (license_venue_id) REFERENCES license_venues(id);
alter table license_venue_tickets add constraint license_venue_tickets_number_of_seats_check CHECK (((number_of_seats >= 0) AND (number_of_seats <= 200000)));
alter table license_venue_tickets add constraint license_venue_tickets_performance_type_check CHECK ((performance_type = ANY (ARRAY['public'::text, 'preview'::text, 'matinee'::text, 'school'::text, 'dress_invited'::text, 'gala'::text, 'competition'::text, 'stream_live'::text, 'stream_vod'::text])));
alter table license_venue_tickets add constraint license_venue_tickets_pkey PRIMARY KEY (id);
alter table license_venue_tickets add constraint license_venue_tickets_price_minor_check CHECK ((((price_minor)::bigint >= 0) AND ((price_minor)::bigint <= 9999999)));
alter table license_venue_tickets add constraint license_venue_tickets_weight_check CHECK (((weight >= (0)::numeric) AND (weight <= (1000000)::numeric)));
CREATE INDEX license_venue_tickets_venue ON public.license_venue_tickets USING btree (license_venue_id, sort, id);
create policy counter on license_venue_tickets as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM license_venues v
  WHERE (v.id = license_venue_tickets.license_venue_id)))) with check ((EXISTS ( SELECT 1
   FROM license_venues v
  WHERE (v.id = license_venue_tickets.license_venue_id))));
create policy house on license_venue_tickets as permissive for all to app_rw using (true) with check (true);
create policy portal on license_venue_tickets as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM license_venues v
  WHERE (v.id = license_venue_tickets.license_venue_id))) AND true));
comment on column license_venue_tickets.performance_type is 'Type of performance that these seats and prices are for; null: every type without prices of its own.';
comment on table license_venue_tickets is 'Ticket prices and seats at a venue of a license.';

create table license_venues -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  venue_id bigint
  name text not null
  address postal_address
  lat double precision
  lng double precision
  time_zone text not null default 'America/New_York'::text
  capacity integer
  seats_offered integer
  expected_attendance integer
  opening_on date
  closing_on date
  number_of_performances integer not null default 0
  capacity_gross_minor minor_amount
  weighted_gross_minor minor_amount
  weighted_avg_price_minor minor_amount
  unit_fee_minor minor_amount
  royalty_minor minor_amount
  tax_jurisdiction text
  vat_on_tickets_ppm rate_ppm
  sort integer not null default 0
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  deductions jsonb not null default '[]'::jsonb
alter table license_venues add constraint license_venues_capacity_check CHECK (((capacity >= 0) AND (capacity <= 200000)));
alter table license_venues add constraint license_venues_check CHECK (((lat IS NULL) = (lng IS NULL)));
alter table license_venues add constraint license_venues_check1 CHECK ((closing_on >= opening_on));
alter table license_venues add constraint license_venues_deductions_check CHECK (is_deduction_list(deductions));
alter table license_venues add constraint license_venues_expected_attendance_check CHECK (((expected_attendance >= 0) AND (expected_attendance <= 200000)));
alter table license_venues add constraint license_venues_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));
alter table license_venues add constraint license_venues_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_venues add constraint license_venues_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)));
alter table license_venues add constraint license_venues_name_check CHECK ((name <> ''::text));
alter table license_venues add constraint license_venues_number_of_performances_check CHECK ((number_of_performances >= 0));
alter table license_venues add constraint license_venues_pkey PRIMARY KEY (id);
alter table license_venues add constraint license_venues_seats_offered_check CHECK (((seats_offered >= 0) AND (seats_offered <= 200000)));
alter table license_venues add constraint license_venues_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id);
CREATE INDEX license_venues_license ON public.license_venues USING btree (license_id, sort, id);
CREATE INDEX license_venues_venue ON public.license_venues USING btree (venue_id, opening_on, id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.license_venues FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on license_venues as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_venues.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_venues.license_id))));
create policy house on license_venues as permissive for all to app_rw using (true) with check (true);
create policy portal on license_venues as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_venues.license_id))) AND true));
comment on column license_venues.deductions is 'What the venue takes off the gross, as applied for. Of what the deal allows, no more than this is taken off the returns of the venue; empty: as the deal says.';
comment on column license_venues.weighted_avg_price_minor is 'Rounded, for display only. The fee is calculated from the gross.';
comment on table license_venues is 'Venues of a license.';

create table license_versions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  version_no integer not null
  reason text not null default 'offer'::text
  snapshot jsonb not null
  sha256 sha256_hex not null
  grand_total_minor minor_amount not null
  currency currency_code not null
  created_by_id bigint
  contract_template_id bigint
  created_at timestamp with time zone not null default now()
alter table license_versions add constraint license_versions_contract_template_id_fkey FOREIGN KEY (contract_template_id) REFERENCES contract_templates(id);
alter table license_versions add constraint license_versions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table license_versions add constraint license_versions_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table license_versions add constraint license_versions_license_id_sha256_key UNIQUE (license_id, sha256);
alter table license_versions add constraint license_versions_license_id_version_no_key UNIQUE (license_id, version_no);
alter table license_versions add constraint license_versions_pkey PRIMARY KEY (id);
alter table license_versions add constraint license_versions_reason_check CHECK ((reason = ANY (ARRAY['offer'::text, 'amendment'::text])));
alter table license_versions add constraint license_versions_version_no_check CHECK ((version_no >= 1));
CREATE INDEX license_versions_contract_template ON public.license_versions USING btree (contract_template_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.license_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.license_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on license_versions as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_versions.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_versions.license_id))));
create policy house on license_versions as permissive for all to app_rw using (true) with check (true);
create policy portal on license_versions as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = license_versions.license_id))) AND true));
comment on column license_versions.contract_template_id is 'Text of the contract; null: made before there were versions of it.';
comment on table license_versions is 'Offers as sent, each with its hash. The signer accepts that hash.';

create table licenses -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  number text not null
  license_number text
  customer_id bigint not null
  license_application_id bigint
  show_id bigint not null
  show_code text not null
  show_type text not null
  category text not null
  phase text not null default 'draft'::text
  division text not null
  currency currency_code not null
  customer_classification_id bigint
  license_rep_id bigint
  title_on_license text not null
  producing_organisation text not null default ''::text
  production_type text not null default 'run'::text
  first_performance_on date
  last_performance_on date
  number_of_performances integer not null default 0
  cast_size integer
  orchestration text
  on_hold boolean not null default false
  hold_reason text
  postponed boolean not null default false
  restricted_clearance boolean not null default false
  dispute boolean not null default false
  rate_card_id bigint
  fee_method text
  rate_ppm rate_ppm
  gross_basis text
  guarantee_scope text
  round_up_to_minor minor_amount
  round_up_scope text
  min_per_performance_minor minor_amount
  min_per_run_minor minor_amount
  min_per_week_minor minor_amount
  min_performances integer
  full_week_performances integer
  minimum_counts_toward_advance boolean
  week_start smallint
  advance_minor minor_amount
  true_up text
  recoupment_declared_on date
  fee_terms jsonb
  negotiated_reason text
  execution_policy text not null
  execution_policy_reason text
  purchase_order_no text
  discount_type text
  discount_ppm rate_ppm
  discount_amount_minor minor_amount
  discount_reason text
  discount_approved_by_id bigint
  royalty_total_minor minor_amount not null default 0
  materials_total_minor minor_amount not null default 0
  tax_total_minor minor_amount not null default 0
  deposit_minor minor_amount not null default 0
  grand_total_minor minor_amount not null default 0
  invoiced_minor minor_amount not null default 0
  paid_minor minor_amount not null default 0
  balance_minor minor_amount not null default 0
  offer_version integer not null default 0
  offer_sent_at timestamp with time zone
  offer_expires_at timestamp with time zone
  accepted_at timestamp with time zone
  pay_by date
  executed_at timestamp with time zone
  in_production_at timestamp with time zone
  settlement_at timestamp with time zone
  closed_at timestamp with time zone
  cancelled_at timestamp with time zone
  cancel_reason text
  decline_reason_code text
  settlement_due_on date
  ship_on date
  return_due_on date
  availability_result jsonb
  availability_override_reason text
  availability_override_by_id bigint
  calculation_trace jsonb
  priced_at timestamp with time zone
  search_text text not null default ''::text
  created_by_id bigint
  rights_held_until timestamp with time zone
  empty_week_owes_minimum boolean
  discount_internal_reason text not null default ''::text
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  covering_note text
alter table licenses add constraint licenses_advance_minor_check CHECK (((advance_minor)::bigint >= 0));
alter table licenses add constraint licenses_availability_override_by_id_fkey FOREIGN KEY (availability_override_by_id) REFERENCES users(id);
alter table licenses add constraint licenses_cast_size_check CHECK (((cast_size >= 1) AND (cast_size <= 1000)));
alter table licenses add constraint licenses_category_check CHECK ((category = ANY (ARRAY['Amateur'::text, 'Pro'::text])));
alter table licenses add constraint licenses_check CHECK ((last_performance_on >= first_performance_on));
alter table licenses add constraint licenses_check1 CHECK (((NOT on_hold) OR (hold_reason IS NOT NULL)));
alter table licenses add constraint licenses_check2 CHECK (((phase = ANY (ARRAY['draft'::text, 'declined'::text, 'cancelled'::text, 'expired'::text])) OR (offer_version > 0) OR (license_number IS NOT NULL)));
alter table licenses add constraint licenses_check3 CHECK (((phase <> 'sent'::text) OR (offer_expires_at IS NOT NULL)));
alter table licenses add constraint licenses_check4 CHECK (((phase <> ALL (ARRAY['licensed'::text, 'in_production'::text, 'settlement'::text, 'closed'::text])) OR ((license_number IS NOT NULL) AND (executed_at IS NOT NULL))));
alter table licenses add constraint licenses_check5 CHECK (((phase = 'cancelled'::text) = (cancelled_at IS NOT NULL)));
alter table licenses add constraint licenses_check6 CHECK (((phase <> 'closed'::text) OR (closed_at IS NOT NULL)));
alter table licenses add constraint licenses_check7 CHECK (((discount_type IS NULL) OR (discount_reason IS NOT NULL)));
alter table licenses add constraint licenses_check8 CHECK (((discount_type IS NULL) OR (num_nonnulls(discount_ppm, discount_amount_minor) = 1)));
alter table licenses add constraint licenses_check9 CHECK (((execution_policy <> 'signature_only'::text) OR (execution_policy_reason IS NOT NULL)));
alter table licenses add constraint licenses_covering_note_check CHECK (((length(covering_note) >= 1) AND (length(covering_note) <= 2000)));
alter table licenses add constraint licenses_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table licenses add constraint licenses_customer_classification_id_fkey FOREIGN KEY (customer_classification_id) REFERENCES customer_classifications(id);
alter table licenses add constraint licenses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table licenses add constraint licenses_deposit_minor_check CHECK (((deposit_minor)::bigint >= 0));
alter table licenses add constraint licenses_discount_amount_minor_check CHECK (((discount_amount_minor)::bigint >= 0));
alter table licenses add constraint licenses_discount_approved_by_id_fkey FOREIGN KEY (discount_approved_by_id) REFERENCES users(id);
alter table licenses add constraint licenses_discount_internal_reason_check CHECK ((length(discount_internal_reason) <= 1000));
alter table licenses add constraint licenses_discount_type_check CHECK ((discount_type = ANY (ARRAY['amount'::text, 'percent'::text])));
alter table licenses add constraint licenses_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table licenses add constraint licenses_execution_policy_check CHECK ((execution_policy = ANY (ARRAY['paid_in_full'::text, 'deposit_paid'::text, 'advance_paid'::text, 'purchase_order'::text, 'signature_only'::text])));
alter table licenses add constraint licenses_fee_method_check CHECK ((fee_method = ANY (ARRAY['flat'::text, 'seat_band'::text, 'percent_potential'::text, 'percent_actual'::text, 'greater_of'::text, 'flat_run'::text, 'negotiated'::text])));
alter table licenses add constraint licenses_full_week_performances_check CHECK (((full_week_performances >= 1) AND (full_week_performances <= 30)));
alter table licenses add constraint licenses_gross_basis_check CHECK ((gross_basis = ANY (ARRAY['capacity'::text, 'weighted'::text, 'expected'::text, 'top_price'::text])));
alter table licenses add constraint licenses_guarantee_scope_check CHECK ((guarantee_scope = ANY (ARRAY['performance'::text, 'run'::text, 'week'::text])));
alter table licenses add constraint licenses_license_application_id_fkey FOREIGN KEY (license_application_id) REFERENCES license_applications(id);
alter table licenses add constraint licenses_license_number_key UNIQUE (license_number);
alter table licenses add constraint licenses_license_rep_id_fkey FOREIGN KEY (license_rep_id) REFERENCES users(id);
alter table licenses add constraint licenses_min_per_performance_minor_check CHECK (((min_per_performance_minor)::bigint >= 0));
alter table licenses add constraint licenses_min_per_run_minor_check CHECK (((min_per_run_minor)::bigint >= 0));
alter table licenses add constraint licenses_min_per_week_minor_check CHECK (((min_per_week_minor)::bigint >= 0));
alter table licenses add constraint licenses_min_performances_check CHECK (((min_performances >= 0) AND (min_performances <= 1000)));
alter table licenses add constraint licenses_number_key UNIQUE (number);
alter table licenses add constraint licenses_number_of_performances_check CHECK (((number_of_performances >= 0) AND (number_of_performances <= 100000)));
alter table licenses add constraint licenses_offer_version_check CHECK ((offer_version >= 0));
alter table licenses add constraint licenses_orchestration_check CHECK ((orchestration = ANY (ARRAY['full'::text, 'reduced'::text, 'piano'::text, 'tracks'::text])));
alter table licenses add constraint licenses_phase_check CHECK ((phase = ANY (ARRAY['draft'::text, 'sent'::text, 'accepted'::text, 'expired'::text, 'declined'::text, 'licensed'::text, 'in_production'::text, 'settlement'::text, 'closed'::text, 'cancelled'::text])));
alter table licenses add constraint licenses_pkey PRIMARY KEY (id);
alter table licenses add constraint licenses_production_type_check CHECK ((production_type = ANY (ARRAY['run'::text, 'tour'::text, 'competition'::text, 'concert'::text, 'reading'::text, 'stream'::text])));
alter table licenses add constraint licenses_rate_card_id_fkey FOREIGN KEY (rate_card_id) REFERENCES rate_cards(id);
alter table licenses add constraint licenses_round_up_scope_check CHECK ((round_up_scope = ANY (ARRAY['performance'::text, 'run'::text])));
alter table licenses add constraint licenses_round_up_to_minor_check CHECK (((round_up_to_minor)::bigint >= 0));
alter table licenses add constraint licenses_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table licenses add constraint licenses_show_type_check CHECK ((show_type = ANY (ARRAY['play'::text, 'musical'::text])));
alter table licenses add constraint licenses_title_on_license_check CHECK ((title_on_license <> ''::text));
alter table licenses add constraint licenses_true_up_check CHECK ((true_up = ANY (ARRAY['none'::text, 'down_only'::text, 'up_only'::text, 'both'::text])));
alter table licenses add constraint licenses_week_start_check CHECK (((week_start >= 0) AND (week_start <= 6)));
CREATE INDEX licenses_application ON public.licenses USING btree (license_application_id);
CREATE INDEX licenses_balance ON public.licenses USING btree (balance_minor, id) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_category ON public.licenses USING btree (category, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_classification ON public.licenses USING btree (customer_classification_id);
CREATE INDEX licenses_created ON public.licenses USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_customer ON public.licenses USING btree (customer_id, updated_at DESC, id DESC) INCLUDE (phase);
CREATE INDEX licenses_dates ON public.licenses USING btree (first_performance_on, last_performance_on, id) WHERE (phase = ANY (ARRAY['accepted'::text, 'licensed'::text, 'in_production'::text]));
CREATE INDEX licenses_division ON public.licenses USING btree (division, updated_at DESC, id DESC) INCLUDE (phase) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_division_phase ON public.licenses USING btree (division, phase, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_expiring ON public.licenses USING btree (offer_expires_at, id) WHERE (phase = 'sent'::text);
CREATE INDEX licenses_first_day ON public.licenses USING btree (first_performance_on, id) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_latest ON public.licenses USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_license_number_start ON public.licenses USING btree (lower(license_number) text_pattern_ops) WHERE (license_number IS NOT NULL);
CREATE INDEX licenses_number_start ON public.licenses USING btree (lower(number) text_pattern_ops);
CREATE INDEX licenses_numbers ON public.licenses USING btree (number, id) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_phase ON public.licenses USING btree (phase, updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_rate_card ON public.licenses USING btree (rate_card_id);
CREATE INDEX licenses_rep ON public.licenses USING btree (license_rep_id, phase, updated_at DESC, id DESC);
CREATE INDEX licenses_search ON public.licenses USING gin (search_text gin_trgm_ops);
CREATE INDEX licenses_show ON public.licenses USING btree (show_id, phase, first_performance_on, id);
CREATE INDEX licenses_title ON public.licenses USING btree (title_on_license COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_title_start ON public.licenses USING btree (fold_name(title_on_license) text_pattern_ops);
CREATE INDEX licenses_total ON public.licenses USING btree (grand_total_minor, id) WHERE (deleted_at IS NULL);
CREATE INDEX licenses_trash ON public.licenses USING btree (deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER guard_license_phase BEFORE UPDATE OF phase ON public.licenses FOR EACH ROW WHEN ((old.phase IS DISTINCT FROM new.phase)) EXECUTE FUNCTION guard_license_phase();
CREATE TRIGGER license_search_text BEFORE INSERT OR UPDATE OF number, license_number, show_code, title_on_license, producing_organisation, customer_id ON public.licenses FOR EACH ROW EXECUTE FUNCTION license_search_text();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.licenses FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on licenses as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on licenses as permissive for all to app_rw using (true) with check (true);
create policy portal on licenses as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND (phase <> 'draft'::text)));
comment on column licenses.availability_result is 'Verdict of the availability check, and who overrode it.';
comment on column licenses.covering_note is 'Words that went out with the current offer, in its email and in the portal; no part of what is signed.';
comment on column licenses.discount_internal_reason is 'Reason for the second person to read. The reason printed on the offer is in discount_reason.';
comment on column licenses.fee_terms is 'Tiers, seat bands, deductions and caps of the rate card, copied as a whole. Read by the price calculation, never searched.';
comment on column licenses.phase is 'Draft, sent, accepted, licensed, in_production, settlement, closed; or ended before that: declined, expired, cancelled.';
comment on column licenses.rate_card_id is 'Rate card the fee terms were copied from.';
comment on column licenses.rights_held_until is 'After an offer is withdrawn its dates stay reserved until then, so that revising it does not lose them.';
comment on column licenses.royalty_total_minor is 'Calculated from lines, invoices and receipts. The integrity report compares them.';
comment on column licenses.search_text is 'Maintained by trigger: numbers, title, show code, producing organization and name of the customer.';
comment on column licenses.week_start is 'First day of the contractual week: 0 is Sunday.';
comment on table licenses is 'Licenses, from the draft of a quote to the closed production. The fee terms are copied, so later rate cards do not change them.';

create table list_columns -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  user_id bigint not null
  list text not null
  shown jsonb not null
  columns text[] not null
  pinned boolean not null
  widths jsonb not null default '{}'::jsonb
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table list_columns add constraint list_columns_columns_check CHECK ((cardinality(columns) <= 60));
alter table list_columns add constraint list_columns_list_check CHECK (((length(list) >= 1) AND (length(list) <= 80)));
alter table list_columns add constraint list_columns_pkey PRIMARY KEY (user_id, list);
alter table list_columns add constraint list_columns_shown_check CHECK ((jsonb_typeof(shown) = 'object'::text));
alter table list_columns add constraint list_columns_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table list_columns add constraint list_columns_widths_check CHECK ((jsonb_typeof(widths) = 'object'::text));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.list_columns FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column list_columns.widths is 'Column widths in px by column name. A column without one sizes itself.';
comment on table list_columns is 'Columns of a list as a person arranged them: which, in what order, how wide, and whether the first one is pinned.';

create table local_tax_rates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  state text not null
  county text not null
  level text not null
  zip_from text not null
  zip_to text not null
  rate_ppm rate_ppm not null
  valid_from date not null
  valid_to date
  source text not null
  is_seeded boolean not null default false
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table local_tax_rates add constraint local_tax_rates_check CHECK ((zip_to >= zip_from));
alter table local_tax_rates add constraint local_tax_rates_check1 CHECK ((valid_to >= valid_from));
alter table local_tax_rates add constraint local_tax_rates_county_check CHECK ((county <> ''::text));
alter table local_tax_rates add constraint local_tax_rates_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table local_tax_rates add constraint local_tax_rates_level_check CHECK ((level = ANY (ARRAY['county'::text, 'city'::text, 'district'::text])));
alter table local_tax_rates add constraint local_tax_rates_once EXCLUDE USING gist (int4range(((ascii(state) * 256) + ascii(substr(state, 2))), ((ascii(state) * 256) + ascii(substr(state, 2))), '[]'::text) WITH &&, int4range(
CASE level
    WHEN 'county'::text THEN 1
    WHEN 'city'::text THEN 2
    ELSE 3
END,
CASE level
    WHEN 'county'::text THEN 1
    WHEN 'city'::text THEN 2
    ELSE 3
END, '[]'::text) WITH &&, int4range((zip_from)::integer, (zip_to)::integer, '[]'::text) WITH &&, daterange(valid_from, valid_to, '[]'::text) WITH &&);
alter table local_tax_rates add constraint local_tax_rates_pkey PRIMARY KEY (id);
alter table local_tax_rates add constraint local_tax_rates_source_check CHECK ((source <> ''::text));
alter table local_tax_rates add constraint local_tax_rates_state_check CHECK ((state ~ '^[A-Z]{2}$'::text));
alter table local_tax_rates add constraint local_tax_rates_zip_from_check CHECK ((zip_from ~ '^[0-9]{5}$'::text));
alter table local_tax_rates add constraint local_tax_rates_zip_to_check CHECK ((zip_to ~ '^[0-9]{5}$'::text));
CREATE INDEX local_tax_rates_created_by ON public.local_tax_rates USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE INDEX local_tax_rates_lookup ON public.local_tax_rates USING btree (state, zip_from, zip_to);
CREATE TRIGGER guard_local_tax_rate BEFORE UPDATE ON public.local_tax_rates FOR EACH ROW EXECUTE FUNCTION guard_local_tax_rate();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.local_tax_rates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column local_tax_rates.is_seeded is 'Shipped with the product and not confirmed by staff yet.';
comment on column local_tax_rates.level is 'City and district rates are charged in addition to the county. A ZIP code has one row per level and day.';
comment on table local_tax_rates is 'Local sales tax rates of the United States by range of ZIP codes.';

create table local_tax_states -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=rw/app_migrate
  id bigint not null generated always as identity
  state text not null
  complete boolean not null default false
  version integer not null default 1
  updated_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table local_tax_states add constraint local_tax_states_pkey PRIMARY KEY (id);
alter table local_tax_states add constraint local_tax_states_state_check CHECK ((state ~ '^[A-Z]{2}$'::text));
alter table local_tax_states add constraint local_tax_states_state_key UNIQUE (state);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.local_tax_states FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table local_tax_states is 'US states, and whether their local rates are complete. If not, an unknown ZIP code raises a question on the draft.';

create table lock_exceptions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  division text not null
  sub_ledger text not null
  user_id bigint not null
  until timestamp with time zone not null
  reason text not null
  granted_by bigint not null
  revoked_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table lock_exceptions add constraint lock_exceptions_check CHECK ((granted_by <> user_id));
alter table lock_exceptions add constraint lock_exceptions_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table lock_exceptions add constraint lock_exceptions_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES users(id);
alter table lock_exceptions add constraint lock_exceptions_pkey PRIMARY KEY (id);
alter table lock_exceptions add constraint lock_exceptions_reason_check CHECK (((length(btrim(reason)) >= 1) AND (length(btrim(reason)) <= 500)));
alter table lock_exceptions add constraint lock_exceptions_sub_ledger_check CHECK ((sub_ledger = ANY (ARRAY['sales'::text, 'purchase'::text, 'tax'::text, 'bank'::text, 'period'::text])));
alter table lock_exceptions add constraint lock_exceptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX lock_exceptions_user ON public.lock_exceptions USING btree (user_id, division, sub_ledger, until);
comment on column lock_exceptions.sub_ledger is '"period" stands for a softly locked period as a whole.';
comment on table lock_exceptions is 'Time-limited permissions for one person to post before a lock date.';

create table lock_requests -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  division text not null
  sub_ledger text not null
  locked_through date
  reason text not null default ''::text
  requested_by bigint not null
  created_at timestamp with time zone not null default now()
alter table lock_requests add constraint lock_requests_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table lock_requests add constraint lock_requests_division_sub_ledger_key UNIQUE (division, sub_ledger);
alter table lock_requests add constraint lock_requests_pkey PRIMARY KEY (id);
alter table lock_requests add constraint lock_requests_reason_check CHECK ((length(reason) <= 500));
alter table lock_requests add constraint lock_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id);
alter table lock_requests add constraint lock_requests_sub_ledger_check CHECK ((sub_ledger = ANY (ARRAY['sales'::text, 'purchase'::text, 'tax'::text, 'bank'::text, 'hard'::text])));
CREATE INDEX lock_requests_person ON public.lock_requests USING btree (requested_by);
comment on table lock_requests is 'Requests to change a lock date, waiting for a second person to confirm. Without a date, the request lifts the lock.';

create table mail_outbox -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  template text not null
  recipients text[] not null
  subject text not null
  body_text text not null
  body_html text
  entity text
  entity_id bigint
  attachments jsonb not null default '[]'::jsonb
  reminder_key text
  sent_at timestamp with time zone
  failed_attempts smallint not null default 0
  last_error text
  next_attempt_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table mail_outbox add constraint mail_outbox_attachments_check CHECK ((jsonb_typeof(attachments) = 'array'::text));
alter table mail_outbox add constraint mail_outbox_failed_attempts_check CHECK ((failed_attempts >= 0));
alter table mail_outbox add constraint mail_outbox_pkey PRIMARY KEY (id);
alter table mail_outbox add constraint mail_outbox_recipients_check CHECK (((cardinality(recipients) >= 1) AND (cardinality(recipients) <= 50)));
alter table mail_outbox add constraint mail_outbox_reminder_key_key UNIQUE (reminder_key);
alter table mail_outbox add constraint mail_outbox_subject_check CHECK (((subject <> ''::text) AND (subject !~ '[\r\n]'::text)));
alter table mail_outbox add constraint mail_outbox_template_check CHECK ((template <> ''::text));
CREATE INDEX mail_outbox_entity ON public.mail_outbox USING btree (entity, entity_id, id DESC);
CREATE INDEX mail_outbox_waiting ON public.mail_outbox USING btree (id) INCLUDE (next_attempt_at) WHERE ((sent_at IS NULL) AND (failed_attempts < 10));
comment on column mail_outbox.reminder_key is 'Record, kind and due date of a reminder, so that it is sent once however often the scheduler runs.';
comment on table mail_outbox is 'Outgoing email, written in the transaction that caused it and delivered afterwards.';

create table mail_tokens -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  purpose text not null
  token_hash bytea not null
  user_id bigint
  email text not null
  facts jsonb not null default '{}'::jsonb
  created_by bigint
  created_at timestamp with time zone not null default now()
  expires_at timestamp with time zone not null
  used_at timestamp with time zone
alter table mail_tokens add constraint mail_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table mail_tokens add constraint mail_tokens_pkey PRIMARY KEY (id);
alter table mail_tokens add constraint mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['password_reset'::text, 'email_verification'::text, 'staff_invite'::text, 'first_admin'::text])));
alter table mail_tokens add constraint mail_tokens_token_hash_check CHECK ((length(token_hash) = 32));
alter table mail_tokens add constraint mail_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX mail_tokens_created_by ON public.mail_tokens USING btree (created_by);
CREATE UNIQUE INDEX mail_tokens_hash ON public.mail_tokens USING btree (token_hash);
CREATE UNIQUE INDEX mail_tokens_one_open ON public.mail_tokens USING btree (user_id, purpose) WHERE ((used_at IS NULL) AND (user_id IS NOT NULL));
CREATE INDEX mail_tokens_user ON public.mail_tokens USING btree (user_id);
comment on table mail_tokens is 'Single-use links sent by email: password reset (60 minutes), email verification (24 hours), staff invitation (7 days).';

create table material_categories -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  key text not null
  name text not null
  sort integer not null default 0
  active boolean not null default true
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table material_categories add constraint material_categories_key_check CHECK ((key ~ '^[a-z0-9_]{1,40}$'::text));
alter table material_categories add constraint material_categories_key_key UNIQUE (key);
alter table material_categories add constraint material_categories_name_check CHECK ((name <> ''::text));
alter table material_categories add constraint material_categories_pkey PRIMARY KEY (id);
alter table material_categories add constraint material_categories_sort_check CHECK (((sort >= 0) AND (sort <= 100000)));
CREATE INDEX material_categories_sort ON public.material_categories USING btree (sort, id) WHERE (deleted_at IS NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.material_categories FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table material_categories is 'Categories of materials.';

create table material_copies -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  material_id bigint not null -- rights app_rw=a/app_migrate
  warehouse_id bigint not null -- rights app_rw=a/app_migrate
  barcode text not null -- rights app_rw=a/app_migrate
  location text not null default 'arriving'::text
  condition text not null default 'good'::text -- rights app_rw=w/app_migrate
  sales_order_line_id bigint -- rights app_rw=w/app_migrate
  perusal_id bigint -- rights app_rw=w/app_migrate
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table material_copies add constraint material_copies_barcode_check CHECK ((barcode ~ '^[A-Z0-9][A-Z0-9-]{3,47}$'::text));
alter table material_copies add constraint material_copies_barcode_key UNIQUE (barcode);
alter table material_copies add constraint material_copies_condition_check CHECK ((condition = ANY (ARRAY['good'::text, 'marked'::text, 'damaged'::text])));
alter table material_copies add constraint material_copies_location_check CHECK ((location = ANY (ARRAY['arriving'::text, 'on_hand'::text, 'picked'::text, 'on_hire'::text, 'quarantine'::text, 'damaged'::text, 'gone'::text])));
alter table material_copies add constraint material_copies_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table material_copies add constraint material_copies_perusal_id_fkey FOREIGN KEY (perusal_id) REFERENCES perusals(id);
alter table material_copies add constraint material_copies_pkey PRIMARY KEY (id);
alter table material_copies add constraint material_copies_sales_order_line_id_fkey FOREIGN KEY (sales_order_line_id) REFERENCES sales_order_lines(id);
alter table material_copies add constraint material_copies_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouses(id);
CREATE INDEX material_copies_material ON public.material_copies USING btree (material_id, barcode);
CREATE INDEX material_copies_order_line ON public.material_copies USING btree (sales_order_line_id) WHERE (sales_order_line_id IS NOT NULL);
CREATE INDEX material_copies_perusal ON public.material_copies USING btree (perusal_id) WHERE (perusal_id IS NOT NULL);
CREATE INDEX material_copies_place ON public.material_copies USING btree (warehouse_id, material_id, location);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.material_copies FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column material_copies.location is 'Arriving: in no balance yet. gone: sold, lost or discarded.';
comment on table material_copies is 'Copies with a barcode. Their location changes only through stock movements.';

create table material_file_pages -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  material_file_id bigint not null
  page integer not null
  text text not null default ''::text
  created_at timestamp with time zone not null default now()
alter table material_file_pages add constraint material_file_pages_material_file_id_fkey FOREIGN KEY (material_file_id) REFERENCES material_files(id);
alter table material_file_pages add constraint material_file_pages_material_file_id_page_key UNIQUE (material_file_id, page);
alter table material_file_pages add constraint material_file_pages_page_check CHECK ((page >= 1));
alter table material_file_pages add constraint material_file_pages_pkey PRIMARY KEY (id);
comment on table material_file_pages is 'Text of each page, for readers who cannot see the picture.';

create table material_files -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  material_id bigint not null
  file_id bigint not null
  name text not null
  sort integer not null default 0
  pages integer not null
  removed_at timestamp with time zone
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table material_files add constraint material_files_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table material_files add constraint material_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table material_files add constraint material_files_file_id_key UNIQUE (file_id);
alter table material_files add constraint material_files_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table material_files add constraint material_files_name_check CHECK ((name <> ''::text));
alter table material_files add constraint material_files_pages_check CHECK (((pages >= 0) AND (pages <= 1000)));
alter table material_files add constraint material_files_pkey PRIMARY KEY (id);
alter table material_files add constraint material_files_sort_check CHECK ((sort >= 0));
CREATE INDEX material_files_created_by ON public.material_files USING btree (created_by_id);
CREATE INDEX material_files_material ON public.material_files USING btree (material_id, sort, id);
CREATE TRIGGER mark_material_used AFTER INSERT ON public.material_files FOR EACH ROW EXECUTE FUNCTION mark_material_used();
comment on column material_files.removed_at is 'Removed from open perusals too. The stored file stays, because files are append-only.';
comment on table material_files is 'PDF files of a material, in reading order. Perusals show their pages; the file itself is not handed out.';

create table material_sub_categories -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  key text not null
  category_key text not null
  name text not null
  sort integer not null default 0
  active boolean not null default true
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table material_sub_categories add constraint material_sub_categories_category_key_fkey FOREIGN KEY (category_key) REFERENCES material_categories(key);
alter table material_sub_categories add constraint material_sub_categories_key_category_key_key UNIQUE (key, category_key);
alter table material_sub_categories add constraint material_sub_categories_key_check CHECK (((key ~ '^[a-z0-9_]{1,40}$'::text) AND (key <> ALL (ARRAY['create'::text, 'trash'::text, 'restore'::text]))));
alter table material_sub_categories add constraint material_sub_categories_key_key UNIQUE (key);
alter table material_sub_categories add constraint material_sub_categories_name_check CHECK ((name <> ''::text));
alter table material_sub_categories add constraint material_sub_categories_pkey PRIMARY KEY (id);
alter table material_sub_categories add constraint material_sub_categories_sort_check CHECK (((sort >= 0) AND (sort <= 100000)));
CREATE INDEX material_sub_categories_category ON public.material_sub_categories USING btree (category_key, sort, id) WHERE (deleted_at IS NULL);
CREATE INDEX material_sub_categories_every_category ON public.material_sub_categories USING btree (category_key);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.material_sub_categories FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table material_sub_categories is 'Subcategories of materials, addressed by key.';

create table materials -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  item_number text not null
  name text not null
  description text not null default ''::text
  show_id bigint
  category text not null
  sub_category text
  type text not null
  fulfilment text not null default 'physical'::text
  format text not null default 'book'::text
  instrument text not null default ''::text
  edition text not null default ''::text
  isbn text not null default ''::text
  ismn text not null default ''::text
  price_usd_minor minor_amount
  price_eur_minor minor_amount
  price_gbp_minor minor_amount
  replacement_usd_minor minor_amount
  replacement_eur_minor minor_amount
  replacement_gbp_minor minor_amount
  extra_week_usd_minor minor_amount
  extra_week_eur_minor minor_amount
  extra_week_gbp_minor minor_amount
  shipping_usd_minor minor_amount
  shipping_eur_minor minor_amount
  shipping_gbp_minor minor_amount
  tax boolean not null default true
  vat boolean not null default true
  item_class text not null
  income_type text not null
  royalty_bearing boolean not null default false
  weight_g integer
  hs_code text not null default ''::text
  serial_tracked boolean not null default false
  reorder_point integer
  restockable boolean not null default true
  substitution_group text not null default ''::text
  substitution_rank integer not null default 1
  sellable_in_portal boolean not null default false
  active boolean not null default true
  used_at timestamp with time zone
  download_limit integer not null default 5
  search_text text not null generated always as (search_words(VARIADIC ARRAY[item_number, name, instrument, isbn, ismn])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table materials add constraint materials_category_fkey FOREIGN KEY (category) REFERENCES material_categories(key);
alter table materials add constraint materials_check CHECK (((NOT serial_tracked) OR ((type = ANY (ARRAY['rental'::text, 'perusal'::text])) AND (fulfilment = 'physical'::text))));
alter table materials add constraint materials_check1 CHECK (((type <> 'digital'::text) OR (fulfilment <> 'physical'::text)));
alter table materials add constraint materials_download_limit_check CHECK (((download_limit >= 1) AND (download_limit <= 1000)));
alter table materials add constraint materials_extra_week_eur_minor_check CHECK (((extra_week_eur_minor)::bigint >= 0));
alter table materials add constraint materials_extra_week_gbp_minor_check CHECK (((extra_week_gbp_minor)::bigint >= 0));
alter table materials add constraint materials_extra_week_usd_minor_check CHECK (((extra_week_usd_minor)::bigint >= 0));
alter table materials add constraint materials_format_check CHECK ((format = ANY (ARRAY['book'::text, 'score'::text, 'part'::text, 'cd'::text, 'usb'::text, 'pdf'::text, 'epub'::text, 'audio'::text, 'app'::text, 'license'::text, 'other'::text])));
alter table materials add constraint materials_fulfilment_check CHECK ((fulfilment = ANY (ARRAY['physical'::text, 'download'::text, 'stream_app'::text, 'email'::text])));
alter table materials add constraint materials_income_type_check CHECK ((income_type = ANY (ARRAY['rental'::text, 'sale'::text, 'digital'::text, 'perusal'::text])));
alter table materials add constraint materials_item_class_check CHECK ((item_class = ANY (ARRAY['rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'fee'::text])));
alter table materials add constraint materials_item_number_check CHECK ((item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'::text));
alter table materials add constraint materials_item_number_key UNIQUE (item_number);
alter table materials add constraint materials_name_check CHECK ((name <> ''::text));
alter table materials add constraint materials_pkey PRIMARY KEY (id);
alter table materials add constraint materials_price_eur_minor_check CHECK (((price_eur_minor)::bigint >= 0));
alter table materials add constraint materials_price_gbp_minor_check CHECK (((price_gbp_minor)::bigint >= 0));
alter table materials add constraint materials_price_usd_minor_check CHECK (((price_usd_minor)::bigint >= 0));
alter table materials add constraint materials_reorder_point_check CHECK (((reorder_point >= 0) AND (reorder_point <= 1000000)));
alter table materials add constraint materials_replacement_eur_minor_check CHECK (((replacement_eur_minor)::bigint >= 0));
alter table materials add constraint materials_replacement_gbp_minor_check CHECK (((replacement_gbp_minor)::bigint >= 0));
alter table materials add constraint materials_replacement_usd_minor_check CHECK (((replacement_usd_minor)::bigint >= 0));
alter table materials add constraint materials_shipping_eur_minor_check CHECK (((shipping_eur_minor)::bigint >= 0));
alter table materials add constraint materials_shipping_gbp_minor_check CHECK (((shipping_gbp_minor)::bigint >= 0));
alter table materials add constraint materials_shipping_usd_minor_check CHECK (((shipping_usd_minor)::bigint >= 0));
alter table materials add constraint materials_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table materials add constraint materials_sub_category_category_fkey FOREIGN KEY (sub_category, category) REFERENCES material_sub_categories(key, category_key);
alter table materials add constraint materials_substitution_rank_check CHECK (((substitution_rank >= 1) AND (substitution_rank <= 1000)));
alter table materials add constraint materials_type_check CHECK ((type = ANY (ARRAY['rental'::text, 'sale'::text, 'digital'::text, 'service'::text, 'perusal'::text])));
alter table materials add constraint materials_weight_g_check CHECK (((weight_g >= 0) AND (weight_g <= 1000000)));
CREATE INDEX materials_category ON public.materials USING btree (category, sub_category, item_number, id);
CREATE INDEX materials_category_number ON public.materials USING btree (category, item_number, id) WHERE (deleted_at IS NULL);
CREATE INDEX materials_inactive ON public.materials USING btree (item_number, id) WHERE ((NOT active) AND (deleted_at IS NULL));
CREATE INDEX materials_latest ON public.materials USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX materials_name ON public.materials USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX materials_name_start ON public.materials USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX materials_number ON public.materials USING btree (item_number, id) WHERE (deleted_at IS NULL);
CREATE INDEX materials_number_start ON public.materials USING btree (lower(item_number) text_pattern_ops);
CREATE INDEX materials_portal ON public.materials USING btree (show_id, name COLLATE "und-x-icu", id) WHERE (sellable_in_portal AND active AND (deleted_at IS NULL));
CREATE INDEX materials_search ON public.materials USING gin (search_text gin_trgm_ops);
CREATE INDEX materials_show ON public.materials USING btree (show_id, item_number, id);
CREATE INDEX materials_sub_category ON public.materials USING btree (sub_category, category);
CREATE INDEX materials_sub_category_number ON public.materials USING btree (sub_category, item_number, id) WHERE (deleted_at IS NULL);
CREATE INDEX materials_substitutes ON public.materials USING btree (substitution_group, substitution_rank) WHERE (substitution_group <> ''::text);
CREATE INDEX materials_trash ON public.materials USING btree (deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);
CREATE INDEX materials_type ON public.materials USING btree (type, item_number, id) WHERE (deleted_at IS NULL);
CREATE TRIGGER claim_item_number BEFORE INSERT OR UPDATE OF item_number ON public.materials FOR EACH ROW EXECUTE FUNCTION claim_item_number('material');
CREATE TRIGGER guard_material BEFORE DELETE OR UPDATE ON public.materials FOR EACH ROW EXECUTE FUNCTION guard_material();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.materials FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy house on materials as permissive for all to app_rw using (true) with check (true);
create policy portal on materials as permissive for select to app_portal using (((sellable_in_portal AND active AND (deleted_at IS NULL)) OR (EXISTS ( SELECT 1
   FROM license_materials m
  WHERE (m.material_id = materials.id))) OR (EXISTS ( SELECT 1
   FROM perusal_materials p
  WHERE (p.material_id = materials.id)))));
comment on column materials.download_limit is 'Downloads allowed per file. Licenses keep the limit they were given.';
comment on column materials.serial_tracked is 'Each copy has its own barcode and is scanned out and in. Only for materials that are lent.';
comment on column materials.substitution_group is 'Materials of one group can replace each other, the lowest rank first.';
comment on column materials.tax is 'Whether tax is determined at all; item_class decides the rate.';
comment on column materials.used_at is 'First use in a template, license or stock movement. From then on the item number is fixed.';
comment on table materials is 'Scripts, scores, parts, tracks and other materials of a show. Without a price in a currency, a material is not offered in it.';

create table memos -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  entity text not null
  entity_id bigint not null
  body text not null
  internal boolean not null default true
  author_id bigint not null
  created_at timestamp with time zone not null default now()
alter table memos add constraint memos_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id);
alter table memos add constraint memos_body_check CHECK ((body <> ''::text));
alter table memos add constraint memos_entity_check CHECK ((entity = ANY (ARRAY['customer'::text, 'venue'::text, 'show'::text, 'royaltor'::text, 'show_royaltor'::text, 'license'::text, 'license_application'::text, 'invoice'::text, 'payment'::text, 'box_office_report'::text, 'royalty_statement'::text])));
alter table memos add constraint memos_pkey PRIMARY KEY (id);
CREATE INDEX memos_author ON public.memos USING btree (author_id);
CREATE INDEX memos_entity ON public.memos USING btree (entity, entity_id, created_at DESC, id DESC);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.memos FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.memos FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on memos as restrictive for all to app_counter using ((((entity = 'license'::text) AND (EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = memos.entity_id)))) OR ((entity = 'license_application'::text) AND (EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = memos.entity_id)))))) with check ((((entity = 'license'::text) AND (EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = memos.entity_id)))) OR ((entity = 'license_application'::text) AND (EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = memos.entity_id))))));
create policy house on memos as permissive for all to app_rw using (true) with check (true);
create policy portal on memos as permissive for select to app_portal using (((((entity = 'license'::text) AND (EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = memos.entity_id)))) OR ((entity = 'license_application'::text) AND (EXISTS ( SELECT 1
   FROM license_applications a
  WHERE (a.id = memos.entity_id))))) AND (NOT internal)));
comment on table memos is 'Notes on any record, never edited. A note that is not internal is visible to the customer.';

create table nexus_rules -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  state text not null
  threshold_minor minor_amount
  transactions integer
  needs_both boolean not null default false
  measure text not null default 'gross'::text
  counted_over text not null default 'calendar_year'::text
  valid_from date not null
  source text not null default ''::text
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table nexus_rules add constraint nexus_rules_check CHECK (((NOT needs_both) OR (num_nonnulls(threshold_minor, transactions) = 2)));
alter table nexus_rules add constraint nexus_rules_check1 CHECK ((num_nonnulls(threshold_minor, transactions) >= 1));
alter table nexus_rules add constraint nexus_rules_counts_check CHECK ((counted_over = ANY (ARRAY['calendar_year'::text, 'rolling_12'::text])));
alter table nexus_rules add constraint nexus_rules_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table nexus_rules add constraint nexus_rules_measure_check CHECK ((measure = ANY (ARRAY['gross'::text, 'taxable'::text])));
alter table nexus_rules add constraint nexus_rules_pkey PRIMARY KEY (id);
alter table nexus_rules add constraint nexus_rules_source_check CHECK ((length(source) <= 300));
alter table nexus_rules add constraint nexus_rules_state_check CHECK ((state ~ '^US-[A-Z]{2}$'::text));
alter table nexus_rules add constraint nexus_rules_state_valid_from_key UNIQUE (state, valid_from);
alter table nexus_rules add constraint nexus_rules_threshold_minor_check CHECK (((threshold_minor)::bigint > 0));
alter table nexus_rules add constraint nexus_rules_transactions_check CHECK ((transactions > 0));
CREATE INDEX nexus_rules_creator ON public.nexus_rules USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.nexus_rules FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column nexus_rules.counted_over is 'The calendar year, or the twelve months up to the day.';
comment on column nexus_rules.threshold_minor is 'Minor units of US dollars; null: the state counts no money.';
comment on table nexus_rules is 'Economic nexus by state, in force from a day on: sales, their number, or both, of a year. Who is over it registers.';

create table notification_settings -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  user_id bigint not null
  kind text not null
  in_app boolean not null
  by_mail boolean not null
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table notification_settings add constraint notification_settings_kind_check CHECK ((kind <> ''::text));
alter table notification_settings add constraint notification_settings_pkey PRIMARY KEY (id);
alter table notification_settings add constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table notification_settings add constraint notification_settings_user_id_kind_key UNIQUE (user_id, kind);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.notification_settings FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table notification_settings is 'How a person wants to hear about a kind of event. Without a row: in the app and by email.';

create table notifications -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  user_id bigint not null
  customer_id bigint
  kind text not null
  title text not null
  body text not null default ''::text
  href text
  read boolean not null generated always as ((read_at IS NOT NULL)) stored
  read_at timestamp with time zone
  in_app boolean not null default true
  by_mail boolean not null default false
  mailed_at timestamp with time zone
  key text
  created_at timestamp with time zone not null default now()
alter table notifications add constraint notifications_check CHECK ((in_app OR by_mail));
alter table notifications add constraint notifications_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table notifications add constraint notifications_href_check CHECK ((href ~ '^/([^/\\]|$)'::text));
alter table notifications add constraint notifications_kind_check CHECK ((kind <> ''::text));
alter table notifications add constraint notifications_pkey PRIMARY KEY (id);
alter table notifications add constraint notifications_title_check CHECK ((title <> ''::text));
alter table notifications add constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX notifications_age ON public.notifications USING btree (created_at);
CREATE INDEX notifications_customer ON public.notifications USING btree (customer_id, user_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX notifications_once ON public.notifications USING btree (user_id, key) WHERE (key IS NOT NULL);
CREATE INDEX notifications_to_mail ON public.notifications USING btree (user_id, id) WHERE (by_mail AND (mailed_at IS NULL));
CREATE INDEX notifications_unread ON public.notifications USING btree (user_id, customer_id) WHERE ((read_at IS NULL) AND in_app);
CREATE INDEX notifications_user ON public.notifications USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER tell_notified_insert AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_notified();
CREATE TRIGGER tell_notified_update AFTER UPDATE ON public.notifications REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_read();
create policy house on notifications as permissive for all to app_rw using (true) with check (true);
create policy portal on notifications as permissive for select to app_portal using ((user_id = ( SELECT request_user() AS request_user)));
comment on column notifications.by_mail is 'Waits for the daily email. Notifications read before it are left out.';
comment on column notifications.in_app is 'Decided when written: false if the person wants the daily email only.';
comment on column notifications.key is 'Identifies a scheduled reminder, so that a person gets it once however often the scheduler runs.';
comment on table notifications is 'Notifications of a person, written in the transaction of the event.';

create table number_series -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate, fillfactor=50
  id bigint not null generated always as identity
  division text not null
  kind text not null
  scope text not null
  prefix text not null default ''::text
  next bigint not null default 1
  first bigint not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table number_series add constraint number_series_check CHECK ((next >= first));
alter table number_series add constraint number_series_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table number_series add constraint number_series_division_kind_scope_key UNIQUE (division, kind, scope);
alter table number_series add constraint number_series_first_check CHECK ((first >= 1));
alter table number_series add constraint number_series_kind_check CHECK ((kind ~ '^[a-z_]{2,40}$'::text));
alter table number_series add constraint number_series_next_check CHECK ((next >= 1));
alter table number_series add constraint number_series_pkey PRIMARY KEY (id);
alter table number_series add constraint number_series_prefix_check CHECK ((length(prefix) <= 40));
alter table number_series add constraint number_series_scope_check CHECK (((length(scope) >= 1) AND (length(scope) <= 40)));
comment on column number_series.scope is 'Fiscal year, bank account id or supplier id.';
comment on table number_series is 'Gapless number series: invoices, credit notes, checks, self-billing. A number is taken in the posting transaction.';

create table number_uses -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  number_series_id bigint not null
  n bigint not null
  number text not null
  taken_at timestamp with time zone not null default now()
alter table number_uses add constraint number_uses_number_series_id_fkey FOREIGN KEY (number_series_id) REFERENCES number_series(id);
alter table number_uses add constraint number_uses_pkey PRIMARY KEY (number_series_id, n);
CREATE TRIGGER number_uses_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.number_uses FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_append_only();
comment on table number_uses is 'Every number taken from a gapless series, so that a gap can be found. Append-only.';

create table online_payments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  customer_id bigint not null -- rights app_portal=r/app_migrate
  invoice_id bigint not null -- rights app_portal=r/app_migrate
  division text not null -- rights app_portal=r/app_migrate
  currency currency_code not null -- rights app_portal=r/app_migrate
  amount_minor minor_amount not null -- rights app_portal=r/app_migrate
  method text not null -- rights app_portal=r/app_migrate
  status text not null default 'open'::text -- rights app_portal=r/app_migrate
  provider text not null default 'stripe'::text
  is_test boolean not null -- rights app_portal=r/app_migrate
  idempotency_key text not null
  session_id text not null
  session_url text not null
  payment_intent_id text
  charged_minor minor_amount
  charged_currency currency_code
  failure text not null default ''::text -- rights app_portal=r/app_migrate
  attention text not null default ''::text
  payment_id bigint -- rights app_portal=r/app_migrate
  started_by_id bigint
  expires_at timestamp with time zone not null -- rights app_portal=r/app_migrate
  check_after timestamp with time zone not null
  settled_at timestamp with time zone -- rights app_portal=r/app_migrate
  search_text text not null generated always as (search_words(VARIADIC ARRAY[session_id, COALESCE(payment_intent_id, ''::text)])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
  updated_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
alter table online_payments add constraint online_payments_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table online_payments add constraint online_payments_charged_minor_check CHECK (((charged_minor)::bigint > 0));
alter table online_payments add constraint online_payments_check CHECK (((status = ANY (ARRAY['paid'::text, 'failed'::text, 'expired'::text])) = (settled_at IS NOT NULL)));
alter table online_payments add constraint online_payments_check1 CHECK (((status = 'paid'::text) = (charged_minor IS NOT NULL)));
alter table online_payments add constraint online_payments_check2 CHECK (((charged_minor IS NULL) = (charged_currency IS NULL)));
alter table online_payments add constraint online_payments_check3 CHECK (((payment_id IS NULL) OR ((status = 'paid'::text) AND (payment_intent_id IS NOT NULL))));
alter table online_payments add constraint online_payments_check4 CHECK (((status <> 'paid'::text) OR (payment_id IS NOT NULL) OR (attention <> ''::text)));
alter table online_payments add constraint online_payments_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table online_payments add constraint online_payments_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table online_payments add constraint online_payments_idempotency_key_key UNIQUE (idempotency_key);
alter table online_payments add constraint online_payments_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table online_payments add constraint online_payments_method_check CHECK ((method = ANY (ARRAY['card'::text, 'ach'::text, 'sepa'::text, 'bacs'::text])));
alter table online_payments add constraint online_payments_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table online_payments add constraint online_payments_payment_id_key UNIQUE (payment_id);
alter table online_payments add constraint online_payments_payment_intent_id_key UNIQUE (payment_intent_id);
alter table online_payments add constraint online_payments_pkey PRIMARY KEY (id);
alter table online_payments add constraint online_payments_provider_check CHECK ((provider = 'stripe'::text));
alter table online_payments add constraint online_payments_session_id_key UNIQUE (session_id);
alter table online_payments add constraint online_payments_started_by_id_fkey FOREIGN KEY (started_by_id) REFERENCES users(id);
alter table online_payments add constraint online_payments_status_check CHECK ((status = ANY (ARRAY['open'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'expired'::text])));
CREATE INDEX online_payments_attention ON public.online_payments USING btree (id) WHERE (attention <> ''::text);
CREATE INDEX online_payments_customer ON public.online_payments USING btree (customer_id, id DESC);
CREATE INDEX online_payments_due ON public.online_payments USING btree (check_after) WHERE (status = ANY (ARRAY['open'::text, 'processing'::text]));
CREATE INDEX online_payments_invoice ON public.online_payments USING btree (invoice_id, id DESC);
CREATE INDEX online_payments_latest ON public.online_payments USING btree (created_at DESC, id DESC);
CREATE INDEX online_payments_list ON public.online_payments USING btree (division, status, created_at DESC, id DESC);
CREATE INDEX online_payments_search ON public.online_payments USING gin (search_text gin_trgm_ops);
CREATE INDEX online_payments_user ON public.online_payments USING btree (started_by_id) WHERE (started_by_id IS NOT NULL);
CREATE TRIGGER guard_online_payment BEFORE INSERT OR UPDATE ON public.online_payments FOR EACH ROW EXECUTE FUNCTION tg_online_payment();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.online_payments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on online_payments as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on online_payments as permissive for all to app_rw using (true) with check (true);
create policy portal on online_payments as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on column online_payments.attention is 'What staff have to look at; empty: nothing.';
comment on column online_payments.charged_minor is 'What the processor took; it is what was asked, or attention says so.';
comment on column online_payments.check_after is 'When the processor is asked again, whether it told us something or not.';
comment on column online_payments.failure is 'Why it was not paid, in words for the customer.';
comment on column online_payments.idempotency_key is 'Under which the processor makes the checkout once.';
comment on column online_payments.is_test is 'Paid with a test key: no money moves.';
comment on column online_payments.payment_id is 'Its receipt.';
comment on column online_payments.session_url is 'Page of the processor where the customer pays.';
comment on table online_payments is 'Payments that customers make with a processor by card or bank debit. The row is there before the customer leaves.';

create table open_items -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  journal_entry_id bigint not null
  transaction_id bigint not null
  division text not null
  ledger_account_id bigint not null
  party_type text not null
  party_id bigint not null
  currency text not null
  document_type text
  document_id bigint
  opened_on date not null
  due_date date not null
  original_minor bigint not null
  original_base_minor bigint not null
  open_minor bigint not null
  open_base_minor bigint not null
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table open_items add constraint open_items_journal_entry_id_fkey FOREIGN KEY (journal_entry_id) REFERENCES journal_entries(id);
alter table open_items add constraint open_items_journal_entry_id_key UNIQUE (journal_entry_id);
alter table open_items add constraint open_items_pkey PRIMARY KEY (id);
alter table open_items add constraint open_items_rules CHECK (open_item_holds(open_items.*));
CREATE INDEX open_items_account ON public.open_items USING btree (ledger_account_id, due_date) WHERE (open_minor <> 0);
CREATE INDEX open_items_party ON public.open_items USING btree (party_type, party_id, ledger_account_id, due_date) WHERE (open_minor <> 0);
CREATE INDEX open_items_transaction ON public.open_items USING btree (transaction_id);
CREATE CONSTRAINT TRIGGER open_items_reserved AFTER UPDATE OF open_minor ON public.open_items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((abs(new.open_minor) < abs(old.open_minor))) EXECUTE FUNCTION tg_reserved_item();
comment on column open_items.open_minor is 'Amount that is still open, signed like the line.';
comment on table open_items is 'Sub-ledger: one item per line on an account that tracks open items, so the items always add up to the control account. Signed like the line.';

create table opening_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  opening_set_id bigint not null
  row_no integer not null
  cells text[] not null
  label text not null default ''::text
  account_code text
  currency currency_code
  amount_minor minor_amount
  base_minor minor_amount
  is_carried boolean not null default false
  problems jsonb not null default '[]'::jsonb
  document_type text
  document_id bigint
  transaction_id bigint
  created_at timestamp with time zone not null default now()
alter table opening_lines add constraint opening_lines_amount CHECK ((num_nonnulls(currency, amount_minor, base_minor) = ANY (ARRAY[0, 3])));
alter table opening_lines add constraint opening_lines_document CHECK (((document_type IS NULL) = (document_id IS NULL)));
alter table opening_lines add constraint opening_lines_opening_set_id_fkey FOREIGN KEY (opening_set_id) REFERENCES opening_sets(id);
alter table opening_lines add constraint opening_lines_opening_set_id_row_no_key UNIQUE (opening_set_id, row_no);
alter table opening_lines add constraint opening_lines_pkey PRIMARY KEY (id);
alter table opening_lines add constraint opening_lines_problems_check CHECK ((jsonb_typeof(problems) = 'array'::text));
alter table opening_lines add constraint opening_lines_row_no_check CHECK ((row_no > 0));
alter table opening_lines add constraint opening_lines_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX opening_lines_problems ON public.opening_lines USING btree (opening_set_id, row_no) WHERE (problems <> '[]'::jsonb);
CREATE INDEX opening_lines_transaction ON public.opening_lines USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER opening_lines_guard BEFORE INSERT OR DELETE OR UPDATE ON public.opening_lines FOR EACH ROW EXECUTE FUNCTION tg_opening_lines_guard();
comment on column opening_lines.amount_minor is 'Debits of the account positive.';
comment on column opening_lines.base_minor is 'In the functional currency of the division.';
comment on column opening_lines.is_carried is 'Row of a trial balance whose account other sets bring by their documents.';
comment on column opening_lines.problems is 'Why the row cannot be posted: field, column and text of each.';
comment on column opening_lines.row_no is 'As a spreadsheet numbers it.';
comment on table opening_lines is 'Rows of the file of an opening set, with what is wrong with them.';

create table opening_sets -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  kind text not null
  as_of date not null
  status text not null default 'draft'::text
  file_id bigint not null
  reading jsonb not null
  row_count integer not null
  problem_count integer not null default 0
  created_by_id bigint
  posted_by_id bigint
  posted_at timestamp with time zone
  transaction_id bigint
  reversal_asked_by_id bigint
  reversal_asked_at timestamp with time zone
  reversal_reason text
  reversed_by_id bigint
  reversed_at timestamp with time zone
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table opening_sets add constraint opening_sets_asked CHECK (((num_nonnulls(reversal_asked_by_id, reversal_asked_at, reversal_reason) = ANY (ARRAY[0, 3])) AND ((reversal_asked_at IS NULL) OR (status <> 'draft'::text))));
alter table opening_sets add constraint opening_sets_check CHECK (((problem_count >= 0) AND (problem_count <= row_count)));
alter table opening_sets add constraint opening_sets_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table opening_sets add constraint opening_sets_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table opening_sets add constraint opening_sets_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table opening_sets add constraint opening_sets_four_eyes CHECK (((reversed_by_id IS NULL) OR (reversed_by_id <> reversal_asked_by_id)));
alter table opening_sets add constraint opening_sets_kind_check CHECK ((kind = ANY (ARRAY['ledger'::text, 'receivables'::text, 'payables'::text, 'deposits'::text, 'deferred'::text, 'royaltors'::text, 'reserves'::text, 'advances'::text, 'stock'::text, 'banks'::text, 'next_numbers'::text])));
alter table opening_sets add constraint opening_sets_ledger CHECK (((transaction_id IS NULL) OR ((kind = 'ledger'::text) AND (status <> 'draft'::text))));
alter table opening_sets add constraint opening_sets_pkey PRIMARY KEY (id);
alter table opening_sets add constraint opening_sets_posted_at CHECK (((posted_at IS NULL) = (status = 'draft'::text)));
alter table opening_sets add constraint opening_sets_posted_by_id_fkey FOREIGN KEY (posted_by_id) REFERENCES users(id);
alter table opening_sets add constraint opening_sets_reading_check CHECK ((jsonb_typeof(reading) = 'object'::text));
alter table opening_sets add constraint opening_sets_reversal_asked_by_id_fkey FOREIGN KEY (reversal_asked_by_id) REFERENCES users(id);
alter table opening_sets add constraint opening_sets_reversal_reason_check CHECK ((reversal_reason <> ''::text));
alter table opening_sets add constraint opening_sets_reversed CHECK ((((reversed_at IS NULL) = (status <> 'reversed'::text)) AND ((status <> 'reversed'::text) OR ((reversal_asked_at IS NOT NULL) AND (reversed_by_id IS NOT NULL)))));
alter table opening_sets add constraint opening_sets_reversed_by_id_fkey FOREIGN KEY (reversed_by_id) REFERENCES users(id);
alter table opening_sets add constraint opening_sets_row_count_check CHECK ((row_count > 0));
alter table opening_sets add constraint opening_sets_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'posted'::text, 'reversed'::text])));
alter table opening_sets add constraint opening_sets_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table opening_sets add constraint opening_sets_whole CHECK (((status = 'draft'::text) OR (problem_count = 0)));
CREATE INDEX opening_sets_asker ON public.opening_sets USING btree (reversal_asked_by_id);
CREATE INDEX opening_sets_creator ON public.opening_sets USING btree (created_by_id);
CREATE INDEX opening_sets_file ON public.opening_sets USING btree (file_id);
CREATE INDEX opening_sets_latest ON public.opening_sets USING btree (updated_at DESC, id DESC);
CREATE UNIQUE INDEX opening_sets_posted ON public.opening_sets USING btree (division, kind) WHERE (status = 'posted'::text);
CREATE INDEX opening_sets_poster ON public.opening_sets USING btree (posted_by_id);
CREATE INDEX opening_sets_reverser ON public.opening_sets USING btree (reversed_by_id);
CREATE INDEX opening_sets_transaction ON public.opening_sets USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX opening_sets_waiting ON public.opening_sets USING btree (id) WHERE ((reversal_asked_at IS NOT NULL) AND (status = 'posted'::text));
CREATE TRIGGER opening_sets_guard BEFORE DELETE OR UPDATE ON public.opening_sets FOR EACH ROW EXECUTE FUNCTION tg_opening_sets_guard();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.opening_sets FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column opening_sets.as_of is 'Last day of the former books: the date of the postings.';
comment on column opening_sets.problem_count is 'Rows that cannot be posted. A set is posted whole or not at all.';
comment on column opening_sets.reading is 'How the file was read: heads, columns, format of dates and of numbers.';
comment on column opening_sets.transaction_id is 'Of the ledger set; documents have postings of their own.';
comment on table opening_sets is 'Opening balances of a division by kind, read from a file. Posted once; reversed by two people, then imported again.';

create table party_balances_folded -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate, fillfactor=70
  party_type text not null
  party_id bigint not null
  ledger_account_id bigint not null
  currency text not null
  period integer not null
  debit_minor bigint not null
  credit_minor bigint not null
  base_debit_minor bigint not null
  base_credit_minor bigint not null
  entries bigint not null
alter table party_balances_folded add constraint party_balances_folded_pkey PRIMARY KEY (party_type, party_id, ledger_account_id, currency, period);
comment on table party_balances_folded is 'Balances by party, account, currency and period, up to the last time the queue was processed.';

create table passkeys -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  user_id bigint not null
  name text not null
  credential_id text not null
  public_key bytea not null
  sign_count bigint not null default 0
  transports text[] not null default '{}'::text[]
  backed_up boolean not null default false
  created_at timestamp with time zone not null default now()
  last_used_at timestamp with time zone
alter table passkeys add constraint passkeys_credential_id_check CHECK ((length(credential_id) <= 1400));
alter table passkeys add constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60)));
alter table passkeys add constraint passkeys_pkey PRIMARY KEY (id);
alter table passkeys add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE UNIQUE INDEX passkeys_credential ON public.passkeys USING btree (credential_id);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);
comment on column passkeys.sign_count is 'A count that does not increase means a copied authenticator. Many authenticators do not count and stay at 0.';
comment on table passkeys is 'Passkeys (WebAuthn credentials) of a person.';

comment on view payable_items is 'Open items of accounts payable; above zero is owed by the house. free_minor is what no payment reserves.';

create table payment_allocations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  payment_id bigint not null
  invoice_id bigint not null
  invoice_item_id bigint not null
  currency currency_code not null
  amount_minor minor_amount not null
  net_minor minor_amount not null
  tax_minor minor_amount not null
  applied_on date not null
  chosen_by_hand boolean not null default false
  reverses_allocation_id bigint
  ledger_allocation_id bigint
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table payment_allocations add constraint payment_allocations_amount_minor_check CHECK (((amount_minor)::bigint <> 0));
alter table payment_allocations add constraint payment_allocations_check CHECK (((amount_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)));
alter table payment_allocations add constraint payment_allocations_check1 CHECK (((reverses_allocation_id IS NULL) = ((amount_minor)::bigint > 0)));
alter table payment_allocations add constraint payment_allocations_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table payment_allocations add constraint payment_allocations_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table payment_allocations add constraint payment_allocations_invoice_item_id_fkey FOREIGN KEY (invoice_item_id) REFERENCES invoice_items(id);
alter table payment_allocations add constraint payment_allocations_ledger_allocation_id_fkey FOREIGN KEY (ledger_allocation_id) REFERENCES allocations(id);
alter table payment_allocations add constraint payment_allocations_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table payment_allocations add constraint payment_allocations_pkey PRIMARY KEY (id);
alter table payment_allocations add constraint payment_allocations_reverses_allocation_id_fkey FOREIGN KEY (reverses_allocation_id) REFERENCES payment_allocations(id);
alter table payment_allocations add constraint payment_allocations_reverses_allocation_id_key UNIQUE (reverses_allocation_id);
CREATE INDEX payment_allocations_invoice ON public.payment_allocations USING btree (invoice_id, applied_on, id);
CREATE INDEX payment_allocations_item ON public.payment_allocations USING btree (invoice_item_id);
CREATE INDEX payment_allocations_ledger ON public.payment_allocations USING btree (ledger_allocation_id) WHERE (ledger_allocation_id IS NOT NULL);
CREATE INDEX payment_allocations_payment ON public.payment_allocations USING btree (payment_id, id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.payment_allocations FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.payment_allocations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on payment_allocations as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = payment_allocations.invoice_id)))) with check ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = payment_allocations.invoice_id))));
create policy house on payment_allocations as permissive for all to app_rw using (true) with check (true);
create policy portal on payment_allocations as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = payment_allocations.invoice_id))) AND true));
comment on table payment_allocations is 'Amounts of receipts applied to invoice lines. Removing one adds a negative row that names the original, so aging can be reported as of any day. Append-only.';

create table payment_file_profiles -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  bank_account_id bigint not null
  originator_name text not null default ''::text
  company_id text not null default ''::text
  destination_routing text not null default ''::text
  destination_name text not null default ''::text
  origin_id text not null default ''::text
  balanced boolean not null default false
  bic text
  organization_id text
  pain_version text not null default '09'::text
  addresses text not null default 'structured'::text
  one_debit boolean not null default true
  service_user text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table payment_file_profiles add constraint payment_file_profiles_addresses_check CHECK ((addresses = ANY (ARRAY['structured'::text, 'hybrid'::text, 'none'::text])));
alter table payment_file_profiles add constraint payment_file_profiles_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table payment_file_profiles add constraint payment_file_profiles_pain_version_check CHECK ((pain_version = ANY (ARRAY['03'::text, '09'::text])));
alter table payment_file_profiles add constraint payment_file_profiles_pkey PRIMARY KEY (bank_account_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.payment_file_profiles FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column payment_file_profiles.company_id is 'NACHA: ten characters that the bank gave.';
comment on column payment_file_profiles.service_user is 'BACS: service user number.';
comment on table payment_file_profiles is 'What a bank asks for in the payment files of an account.';

create table payment_parts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  payment_id bigint not null
  open_item_id bigint not null
  amount_minor minor_amount not null
  discount_minor minor_amount not null default 0
  state text not null default 'reserved'::text -- rights app_rw=w/app_migrate
  live boolean not null generated always as ((state = 'reserved'::text)) stored
  created_at timestamp with time zone not null default now()
alter table payment_parts add constraint payment_parts_amount_minor_check CHECK (((amount_minor)::bigint <> 0));
alter table payment_parts add constraint payment_parts_check CHECK ((((discount_minor)::bigint = 0) OR ((amount_minor)::bigint > 0)));
alter table payment_parts add constraint payment_parts_discount_minor_check CHECK (((discount_minor)::bigint >= 0));
alter table payment_parts add constraint payment_parts_open_item_id_fkey FOREIGN KEY (open_item_id) REFERENCES open_items(id);
alter table payment_parts add constraint payment_parts_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table payment_parts add constraint payment_parts_pkey PRIMARY KEY (id);
alter table payment_parts add constraint payment_parts_state_check CHECK ((state = ANY (ARRAY['reserved'::text, 'paid'::text, 'released'::text])));
CREATE UNIQUE INDEX payment_parts_item ON public.payment_parts USING btree (payment_id, open_item_id) WHERE (state <> 'released'::text);
CREATE INDEX payment_parts_live ON public.payment_parts USING btree (open_item_id) WHERE (state = 'reserved'::text);
CREATE INDEX payment_parts_of_item ON public.payment_parts USING btree (open_item_id);
CREATE INDEX payment_parts_payment ON public.payment_parts USING btree (payment_id, id);
CREATE TRIGGER payment_part_payee BEFORE INSERT ON public.payment_parts FOR EACH ROW EXECUTE FUNCTION tg_payment_part();
CREATE CONSTRAINT TRIGGER payment_parts_on_hold AFTER INSERT OR UPDATE OF state ON public.payment_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state = 'reserved'::text)) EXECUTE FUNCTION tg_bill_on_hold();
CREATE CONSTRAINT TRIGGER payment_parts_reserved AFTER INSERT OR UPDATE OF state ON public.payment_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state = 'reserved'::text)) EXECUTE FUNCTION tg_reserved_item();
CREATE CONSTRAINT TRIGGER payment_parts_sum AFTER INSERT OR UPDATE OF state ON public.payment_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_payment_sum();
comment on column payment_parts.state is 'Reserved until the payment is posted; released when it is withdrawn, returned or reversed.';
comment on table payment_parts is 'What a payment settles: open items on accounts payable, with the discount taken. A credit of the payee that is set off has a negative amount.';

create table payment_runs -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null
  division text not null
  currency currency_code not null
  bank_account_id bigint not null
  method text not null
  due_by date not null
  value_on date not null
  value_moved text
  same_day boolean not null default false
  status text not null default 'draft'::text
  memo text not null default ''::text
  created_by_id bigint
  last_changed_by_id bigint
  last_changed_at timestamp with time zone
  approved_by_id bigint
  approved_at timestamp with time zone
  approved_hash text
  exported_by_id bigint
  exported_at timestamp with time zone
  file_id bigint
  file_sha256 text
  file_name text
  posted_at timestamp with time zone
  failure text
  void_reason text
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, memo])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  royalty_payment_batch_id bigint
alter table payment_runs add constraint payment_runs_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table payment_runs add constraint payment_runs_bank_account_id_division_currency_fkey FOREIGN KEY (bank_account_id, division, currency) REFERENCES bank_accounts(id, division, currency);
alter table payment_runs add constraint payment_runs_batch UNIQUE (id, royalty_payment_batch_id);
alter table payment_runs add constraint payment_runs_check CHECK (((approved_at IS NULL) = (approved_hash IS NULL)));
alter table payment_runs add constraint payment_runs_check1 CHECK (((status <> ALL (ARRAY['approved'::text, 'exported'::text, 'posted'::text])) OR (approved_at IS NOT NULL)));
alter table payment_runs add constraint payment_runs_check2 CHECK (((status <> 'draft'::text) OR (approved_at IS NULL)));
alter table payment_runs add constraint payment_runs_check3 CHECK (((file_id IS NULL) = (file_sha256 IS NULL)));
alter table payment_runs add constraint payment_runs_check4 CHECK (((status = 'posted'::text) <= (posted_at IS NOT NULL)));
alter table payment_runs add constraint payment_runs_check5 CHECK (((status = 'void'::text) = (void_reason IS NOT NULL)));
alter table payment_runs add constraint payment_runs_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table payment_runs add constraint payment_runs_exported_by_id_fkey FOREIGN KEY (exported_by_id) REFERENCES users(id);
alter table payment_runs add constraint payment_runs_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table payment_runs add constraint payment_runs_four_eyes CHECK (((approved_by_id IS NULL) OR ((approved_by_id IS DISTINCT FROM created_by_id) AND (approved_by_id IS DISTINCT FROM last_changed_by_id))));
alter table payment_runs add constraint payment_runs_last_changed_by_id_fkey FOREIGN KEY (last_changed_by_id) REFERENCES users(id);
alter table payment_runs add constraint payment_runs_method_check CHECK ((method = ANY (ARRAY['ach'::text, 'sepa'::text, 'bacs'::text, 'wire'::text, 'check'::text])));
alter table payment_runs add constraint payment_runs_number_key UNIQUE (number);
alter table payment_runs add constraint payment_runs_pkey PRIMARY KEY (id);
alter table payment_runs add constraint payment_runs_royalty_payment_batch_id_fkey FOREIGN KEY (royalty_payment_batch_id) REFERENCES royalty_payment_batches(id);
alter table payment_runs add constraint payment_runs_royalty_payment_batch_id_key UNIQUE (royalty_payment_batch_id);
alter table payment_runs add constraint payment_runs_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text, 'exported'::text, 'posted'::text, 'void'::text])));
CREATE INDEX payment_runs_account ON public.payment_runs USING btree (bank_account_id);
CREATE INDEX payment_runs_approver ON public.payment_runs USING btree (approved_by_id);
CREATE INDEX payment_runs_changer ON public.payment_runs USING btree (last_changed_by_id);
CREATE INDEX payment_runs_division ON public.payment_runs USING btree (division, status, value_on DESC, id DESC);
CREATE INDEX payment_runs_exporter ON public.payment_runs USING btree (exported_by_id);
CREATE INDEX payment_runs_file ON public.payment_runs USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX payment_runs_list ON public.payment_runs USING btree (created_at DESC, id DESC);
CREATE INDEX payment_runs_maker ON public.payment_runs USING btree (created_by_id);
CREATE INDEX payment_runs_number_start ON public.payment_runs USING btree (lower(number) text_pattern_ops);
CREATE INDEX payment_runs_search ON public.payment_runs USING gin (search_text gin_trgm_ops);
CREATE TRIGGER payment_runs_batch AFTER UPDATE ON public.payment_runs FOR EACH ROW WHEN ((new.royalty_payment_batch_id IS NOT NULL)) EXECUTE FUNCTION tg_royalty_batch_follows_run();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.payment_runs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column payment_runs.approved_hash is 'Hash of the payees, their bank details and amounts as they were approved.';
comment on column payment_runs.due_by is 'Items due by this day are proposed.';
comment on column payment_runs.file_sha256 is 'Hash of the file for the bank; the file is never written again.';
comment on column payment_runs.royalty_payment_batch_id is 'Batch of payments to royaltors that this run pays; the batch follows the state of its run.';
comment on column payment_runs.value_moved is 'Reason why the value date is another one than the day that was asked for.';
comment on table payment_runs is 'Payments that leave a bank account together, by one method, on one day.';

create table payment_transactions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  transaction_id bigint not null
  payment_id bigint not null
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table payment_transactions add constraint payment_transactions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table payment_transactions add constraint payment_transactions_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table payment_transactions add constraint payment_transactions_pkey PRIMARY KEY (transaction_id);
alter table payment_transactions add constraint payment_transactions_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX payment_transactions_author ON public.payment_transactions USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE INDEX payment_transactions_payment ON public.payment_transactions USING btree (payment_id, transaction_id);
CREATE TRIGGER payment_transactions_concern BEFORE INSERT OR UPDATE ON public.payment_transactions FOR EACH ROW EXECUTE FUNCTION tg_payment_transaction();
comment on table payment_transactions is 'Journals written by hand that concern a payment. A link never changes money.';

create table payments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  number text not null
  direction text not null
  kind text not null
  status text not null default 'draft'::text
  party_type text not null
  party_id bigint not null
  customer_id bigint generated always as (
CASE
    WHEN (party_type = 'customer'::text) THEN party_id
    ELSE NULL::bigint
END) stored
  royaltor_id bigint generated always as (
CASE
    WHEN (party_type = 'royaltor'::text) THEN party_id
    ELSE NULL::bigint
END) stored
  license_id bigint
  division text not null
  ledger_account_id bigint not null
  currency currency_code not null
  amount_minor minor_amount not null
  applied_minor minor_amount not null default 0
  unapplied_minor minor_amount not null generated always as (((amount_minor)::bigint - (applied_minor)::bigint)) stored
  method text not null
  paid_on date not null
  value_on date
  reference text not null default ''::text
  provider text
  provider_id text
  functional_rate fx_rate
  functional_rate_on date
  memo text not null default ''::text
  transaction_id bigint
  reversal_transaction_id bigint
  reversal_reason text
  returned_on date
  created_by_id bigint
  approved_by_id bigint
  approved_at timestamp with time zone
  posted_at timestamp with time zone
  royalty_payment_batch_id bigint
  document_id bigint
  credit_note_id bigint
  planned jsonb
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  vendor_id bigint generated always as (
CASE
    WHEN (party_type = 'vendor'::text) THEN party_id
    ELSE NULL::bigint
END) stored
  payment_run_id bigint
  last_changed_by_id bigint
  payee_version integer
  payee_last4 text
  outcome text
  outcome_on date
  bank_reference text not null default ''::text
  opening_set_id bigint
alter table payments add constraint payments_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table payments add constraint payments_applied_minor_check CHECK (((applied_minor)::bigint >= 0));
alter table payments add constraint payments_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table payments add constraint payments_changer CHECK (((approved_by_id IS NULL) OR (direction = 'in'::text) OR (approved_by_id IS DISTINCT FROM last_changed_by_id) OR (last_changed_by_id IS NULL)));
alter table payments add constraint payments_check CHECK (((applied_minor)::bigint <= (amount_minor)::bigint));
alter table payments add constraint payments_check2 CHECK (((kind <> ALL (ARRAY['royalty'::text, 'royalty_advance'::text])) OR (party_type = 'royaltor'::text)));
alter table payments add constraint payments_check3 CHECK (((kind <> 'receipt'::text) OR (party_type = 'customer'::text)));
alter table payments add constraint payments_check4 CHECK (((status <> ALL (ARRAY['posted'::text, 'cleared'::text, 'returned'::text, 'reversed'::text])) OR (posted_at IS NOT NULL)));
alter table payments add constraint payments_check5 CHECK (((status <> ALL (ARRAY['draft'::text, 'approved'::text, 'void'::text])) OR (posted_at IS NULL)));
alter table payments add constraint payments_check6 CHECK (((posted_at IS NULL) OR (deleted_at IS NULL)));
alter table payments add constraint payments_check7 CHECK (((approved_by_id IS NULL) OR (created_by_id IS NULL) OR (direction = 'in'::text) OR (approved_by_id <> created_by_id)));
alter table payments add constraint payments_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table payments add constraint payments_credit CHECK ((((kind = 'credit'::text) = (credit_note_id IS NOT NULL)) AND ((kind <> 'credit'::text) OR (party_type = 'customer'::text))));
alter table payments add constraint payments_credit_note_id_fkey FOREIGN KEY (credit_note_id) REFERENCES invoices(id);
alter table payments add constraint payments_credit_note_id_key UNIQUE (credit_note_id);
alter table payments add constraint payments_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table payments add constraint payments_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])));
alter table payments add constraint payments_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table payments add constraint payments_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table payments add constraint payments_in CHECK (((direction = 'in'::text) = (kind = ANY (ARRAY['receipt'::text, 'credit'::text]))));
alter table payments add constraint payments_kind_check CHECK ((kind = ANY (ARRAY['receipt'::text, 'credit'::text, 'refund'::text, 'vendor'::text, 'royalty'::text, 'royalty_advance'::text, 'tax'::text, 'reimbursement'::text])));
alter table payments add constraint payments_last_changed_by_id_fkey FOREIGN KEY (last_changed_by_id) REFERENCES users(id);
alter table payments add constraint payments_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_accounts(id);
alter table payments add constraint payments_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table payments add constraint payments_method_check CHECK ((method = ANY (ARRAY['card'::text, 'ach'::text, 'wire'::text, 'check'::text, 'bacs'::text, 'sepa'::text, 'cash'::text, 'set_off'::text])));
alter table payments add constraint payments_number_key UNIQUE (number);
alter table payments add constraint payments_opening CHECK (((opening_set_id IS NULL) OR (kind = 'receipt'::text)));
alter table payments add constraint payments_opening_set_id_fkey FOREIGN KEY (opening_set_id) REFERENCES opening_sets(id);
alter table payments add constraint payments_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'rejected'::text, 'cancelled'::text])));
alter table payments add constraint payments_party_type_check CHECK ((party_type = ANY (ARRAY['customer'::text, 'vendor'::text, 'royaltor'::text, 'staff'::text, 'tax_authority'::text])));
alter table payments add constraint payments_payment_run_id_fkey FOREIGN KEY (payment_run_id) REFERENCES payment_runs(id);
alter table payments add constraint payments_pkey PRIMARY KEY (id);
alter table payments add constraint payments_planned CHECK (((planned IS NULL) OR ((kind = 'receipt'::text) AND (method = 'check'::text))));
alter table payments add constraint payments_reversal_transaction_id_fkey FOREIGN KEY (reversal_transaction_id) REFERENCES transactions(id);
alter table payments add constraint payments_royaltor_id_fkey FOREIGN KEY (royaltor_id) REFERENCES royaltors(id);
alter table payments add constraint payments_royalty_payment_batch_id_fkey FOREIGN KEY (royalty_payment_batch_id) REFERENCES royalty_payment_batches(id);
alter table payments add constraint payments_run CHECK (((payment_run_id IS NULL) OR (direction = 'out'::text)));
alter table payments add constraint payments_run_of_batch FOREIGN KEY (payment_run_id, royalty_payment_batch_id) REFERENCES payment_runs(id, royalty_payment_batch_id);
alter table payments add constraint payments_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text, 'posted'::text, 'cleared'::text, 'returned'::text, 'void'::text, 'reversed'::text])));
alter table payments add constraint payments_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table payments add constraint payments_trash CHECK (((deleted_at IS NULL) OR ((status = 'draft'::text) AND (direction = 'out'::text) AND (payment_run_id IS NULL) AND (royalty_payment_batch_id IS NULL))));
alter table payments add constraint payments_vendor_id_fkey FOREIGN KEY (vendor_id) REFERENCES vendors(id);
CREATE INDEX payments_account ON public.payments USING btree (ledger_account_id);
CREATE INDEX payments_batch ON public.payments USING btree (royalty_payment_batch_id, id) WHERE (royalty_payment_batch_id IS NOT NULL);
CREATE INDEX payments_changer ON public.payments USING btree (last_changed_by_id) WHERE (last_changed_by_id IS NOT NULL);
CREATE INDEX payments_customer ON public.payments USING btree (customer_id, paid_on DESC, id DESC) WHERE (customer_id IS NOT NULL);
CREATE INDEX payments_direction ON public.payments USING btree (direction, division, paid_on DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX payments_division ON public.payments USING btree (division, status, paid_on DESC, id DESC);
CREATE INDEX payments_document ON public.payments USING btree (document_id) WHERE (document_id IS NOT NULL);
CREATE INDEX payments_latest ON public.payments USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX payments_license ON public.payments USING btree (license_id) WHERE (license_id IS NOT NULL);
CREATE INDEX payments_likely ON public.payments USING btree (division, amount_minor, paid_on) WHERE (direction = 'in'::text);
CREATE INDEX payments_number_start ON public.payments USING btree (lower(number) text_pattern_ops);
CREATE INDEX payments_opening ON public.payments USING btree (opening_set_id) WHERE (opening_set_id IS NOT NULL);
CREATE UNIQUE INDEX payments_provider ON public.payments USING btree (provider, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX payments_reference_start ON public.payments USING btree (lower(reference) text_pattern_ops) WHERE (reference <> ''::text);
CREATE INDEX payments_reversal ON public.payments USING btree (reversal_transaction_id) WHERE (reversal_transaction_id IS NOT NULL);
CREATE INDEX payments_royaltor ON public.payments USING btree (royaltor_id, paid_on DESC, id DESC) WHERE (royaltor_id IS NOT NULL);
CREATE INDEX payments_run ON public.payments USING btree (payment_run_id, id) WHERE (payment_run_id IS NOT NULL);
CREATE INDEX payments_search ON public.payments USING gin (search_words(VARIADIC ARRAY[number, reference]) gin_trgm_ops);
CREATE INDEX payments_transaction ON public.payments USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX payments_unapplied ON public.payments USING btree (customer_id, id) WHERE (((applied_minor)::bigint < (amount_minor)::bigint) AND (status = ANY (ARRAY['posted'::text, 'cleared'::text])) AND (direction = 'in'::text));
CREATE INDEX payments_vendor ON public.payments USING btree (vendor_id, paid_on DESC, id DESC) WHERE (vendor_id IS NOT NULL);
CREATE INDEX payments_waiting ON public.payments USING btree (paid_on, id) WHERE ((status = 'draft'::text) AND (direction = 'in'::text));
CREATE TRIGGER follow_royalty_payment AFTER UPDATE OF status ON public.payments FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.royalty_payment_batch_id IS NOT NULL))) EXECUTE FUNCTION follow_royalty_payment();
CREATE TRIGGER guard_payment BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION guard_payment();
CREATE TRIGGER payment_check AFTER INSERT OR UPDATE OF method, status, ledger_account_id, deleted_at ON public.payments FOR EACH ROW WHEN (((new.direction = 'out'::text) AND (new.kind = ANY (ARRAY['vendor'::text, 'refund'::text, 'tax'::text, 'royalty'::text, 'royalty_advance'::text])))) EXECUTE FUNCTION tg_payment_check();
CREATE CONSTRAINT TRIGGER payments_sum AFTER UPDATE OF amount_minor, status, deleted_at ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.direction = 'out'::text)) EXECUTE FUNCTION tg_payment_sum();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on payments as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on payments as permissive for all to app_rw using (true) with check (true);
create policy portal on payments as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on column payments.bank_reference is 'Id under which the bank''s answer names the payment.';
comment on column payments.document_id is 'PDF of a receipt.';
comment on column payments.ledger_account_id is 'Cash account.';
comment on column payments.opening_set_id is 'Set of opening balances that brought this credit of a customer.';
comment on column payments.outcome is 'The answer of the bank, or a cancellation; null: none yet.';
comment on column payments.payee_version is 'Version of the payee''s bank details that was approved: the file carries those.';
comment on column payments.planned is 'For a postdated check: what it will be applied to. Posted once, on its date.';
comment on table payments is 'Receipts and payments.';

comment on view performance_bands is 'Seats and prices that count for each performance.';

create table performance_tickets -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  performance_id bigint not null
  sort integer not null default 0
  label text not null default ''::text
  number_of_seats integer not null default 0
  price_minor minor_amount not null default 0
  weight numeric(12,4) not null default 0
  created_at timestamp with time zone not null default now()
alter table performance_tickets add constraint performance_tickets_number_of_seats_check CHECK (((number_of_seats >= 0) AND (number_of_seats <= 200000)));
alter table performance_tickets add constraint performance_tickets_performance_id_fkey FOREIGN KEY (performance_id) REFERENCES performances(id);
alter table performance_tickets add constraint performance_tickets_pkey PRIMARY KEY (id);
alter table performance_tickets add constraint performance_tickets_price_minor_check CHECK ((((price_minor)::bigint >= 0) AND ((price_minor)::bigint <= 9999999)));
alter table performance_tickets add constraint performance_tickets_weight_check CHECK (((weight >= (0)::numeric) AND (weight <= (1000000)::numeric)));
CREATE INDEX performance_tickets_performance ON public.performance_tickets USING btree (performance_id, sort, id);
create policy counter on performance_tickets as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM performances p
  WHERE (p.id = performance_tickets.performance_id)))) with check ((EXISTS ( SELECT 1
   FROM performances p
  WHERE (p.id = performance_tickets.performance_id))));
create policy house on performance_tickets as permissive for all to app_rw using (true) with check (true);
create policy portal on performance_tickets as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM performances p
  WHERE (p.id = performance_tickets.performance_id))) AND true));
comment on table performance_tickets is 'Ticket prices and seats of a performance that differ from its venue.';

create table performances -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  license_venue_id bigint not null
  ordinal integer
  starts_at timestamp with time zone not null
  local_date date not null
  local_time time without time zone not null
  type text not null default 'public'::text
  is_free boolean not null default false
  status text not null default 'planned'::text
  expected_attendance integer
  unit_fee_minor minor_amount
  fee_rule text
  week_key date not null
  cancelled_at timestamp with time zone
  cancel_reason text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  same_time boolean not null default false
alter table performances add constraint performances_check CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL)));
alter table performances add constraint performances_expected_attendance_check CHECK (((expected_attendance >= 0) AND (expected_attendance <= 200000)));
alter table performances add constraint performances_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table performances add constraint performances_license_venue_id_fkey FOREIGN KEY (license_venue_id) REFERENCES license_venues(id);
alter table performances add constraint performances_ordinal_check CHECK ((ordinal >= 1));
alter table performances add constraint performances_pkey PRIMARY KEY (id);
alter table performances add constraint performances_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'performed'::text, 'cancelled'::text, 'postponed'::text])));
alter table performances add constraint performances_type_check CHECK ((type = ANY (ARRAY['public'::text, 'preview'::text, 'matinee'::text, 'school'::text, 'dress_invited'::text, 'gala'::text, 'competition'::text, 'stream_live'::text, 'stream_vod'::text])));
CREATE INDEX performances_calendar ON public.performances USING btree (local_date, id) INCLUDE (license_id, status);
CREATE INDEX performances_license ON public.performances USING btree (license_id, starts_at, id);
CREATE UNIQUE INDEX performances_once ON public.performances USING btree (license_venue_id, starts_at, type) WHERE (status = ANY (ARRAY['planned'::text, 'performed'::text]));
CREATE UNIQUE INDEX performances_one_at_a_time ON public.performances USING btree (license_venue_id, starts_at) WHERE ((type <> ALL (ARRAY['stream_live'::text, 'stream_vod'::text])) AND (status = ANY (ARRAY['planned'::text, 'performed'::text])) AND (NOT same_time));
CREATE INDEX performances_venue ON public.performances USING btree (license_venue_id, local_date, id);
CREATE TRIGGER follow_performance AFTER INSERT OR UPDATE OF local_date, status, license_venue_id ON public.performances FOR EACH ROW EXECUTE FUNCTION follow_performance();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.performances FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on performances as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = performances.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = performances.license_id))));
create policy house on performances as permissive for all to app_rw using (true) with check (true);
create policy portal on performances as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = performances.license_id))) AND true));
comment on column performances.same_time is 'Stood at the time of another performance of its venue before that was refused.';
comment on column performances.week_key is 'First day of the contractual week. Weekly reports and minimums are grouped by it.';
comment on table performances is 'Performances of a license. ordinal counts over the whole license by time; canceled and postponed ones have none.';

create table period_locks -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  division text not null
  sub_ledger text not null
  locked_through date not null
  reason text not null default ''::text
  set_by bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table period_locks add constraint period_locks_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table period_locks add constraint period_locks_division_sub_ledger_key UNIQUE (division, sub_ledger);
alter table period_locks add constraint period_locks_pkey PRIMARY KEY (id);
alter table period_locks add constraint period_locks_reason_check CHECK ((length(reason) <= 500));
alter table period_locks add constraint period_locks_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id);
alter table period_locks add constraint period_locks_sub_ledger_check CHECK ((sub_ledger = ANY (ARRAY['sales'::text, 'purchase'::text, 'tax'::text, 'bank'::text, 'hard'::text])));
comment on table period_locks is 'Lock dates of a division. Sales, purchase, tax and bank locks allow exceptions; the hard lock never moves back.';

create table period_requests -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  division text not null
  period integer not null
  state text not null
  reason text not null default ''::text
  requested_by bigint not null
  created_at timestamp with time zone not null default now()
alter table period_requests add constraint period_requests_division_period_fkey FOREIGN KEY (division, period) REFERENCES periods(division, period);
alter table period_requests add constraint period_requests_division_period_key UNIQUE (division, period);
alter table period_requests add constraint period_requests_pkey PRIMARY KEY (id);
alter table period_requests add constraint period_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id);
alter table period_requests add constraint period_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text])));
CREATE INDEX period_requests_person ON public.period_requests USING btree (requested_by);
comment on table period_requests is 'Requests to close or reopen a period, waiting for a second person to confirm.';

create table periods -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  division text not null
  period integer not null
  starts date not null
  ends date not null
  state text not null default 'open'::text
  sales_locked_through date
  purchase_locked_through date
  tax_locked_through date
  bank_locked_through date
  hard_locked_through date
  closed_at timestamp with time zone
  closed_by bigint
  confirmed_by bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table periods add constraint periods_check CHECK ((starts <= ends));
alter table periods add constraint periods_check1 CHECK ((closed_by <> confirmed_by));
alter table periods add constraint periods_check2 CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL)));
alter table periods add constraint periods_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id);
alter table periods add constraint periods_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES users(id);
alter table periods add constraint periods_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table periods add constraint periods_division_period_key UNIQUE (division, period);
alter table periods add constraint periods_division_starts_key UNIQUE (division, starts);
alter table periods add constraint periods_period_check CHECK ((((period >= 190001) AND (period <= 299912)) AND (((period % 100) >= 1) AND ((period % 100) <= 13))));
alter table periods add constraint periods_pkey PRIMARY KEY (id);
alter table periods add constraint periods_state_check CHECK ((state = ANY (ARRAY['open'::text, 'soft_locked'::text, 'closed'::text])));
CREATE INDEX periods_dates ON public.periods USING btree (division, ends, starts);
CREATE TRIGGER periods_guard BEFORE DELETE OR UPDATE ON public.periods FOR EACH ROW EXECUTE FUNCTION tg_periods_guard();
CREATE CONSTRAINT TRIGGER periods_order AFTER INSERT ON public.periods NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION tg_periods_order();
comment on column periods.period is 'Year and month: 202611.';
comment on table periods is 'Accounting periods. A posting finds its period by date and locks the row, which also carries the lock dates, so no posting sees an outdated lock.';

create table perusal_materials -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  perusal_id bigint not null
  material_id bigint not null
  sort integer not null default 0
  unit_price_minor minor_amount not null default 0
  shipping_minor minor_amount not null default 0
  created_at timestamp with time zone not null default now()
alter table perusal_materials add constraint perusal_materials_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table perusal_materials add constraint perusal_materials_perusal_id_fkey FOREIGN KEY (perusal_id) REFERENCES perusals(id);
alter table perusal_materials add constraint perusal_materials_perusal_id_material_id_key UNIQUE (perusal_id, material_id);
alter table perusal_materials add constraint perusal_materials_pkey PRIMARY KEY (id);
alter table perusal_materials add constraint perusal_materials_shipping_minor_check CHECK (((shipping_minor)::bigint >= 0));
alter table perusal_materials add constraint perusal_materials_unit_price_minor_check CHECK (((unit_price_minor)::bigint >= 0));
CREATE INDEX perusal_materials_material ON public.perusal_materials USING btree (material_id);
CREATE TRIGGER mark_material_used AFTER INSERT ON public.perusal_materials FOR EACH ROW EXECUTE FUNCTION mark_material_used();
create policy counter on perusal_materials as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.id = perusal_materials.perusal_id)))) with check ((EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.id = perusal_materials.perusal_id))));
create policy house on perusal_materials as permissive for all to app_rw using (true) with check (true);
create policy portal on perusal_materials as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.id = perusal_materials.perusal_id))) AND true));
comment on column perusal_materials.unit_price_minor is 'Fee shown when the customer asked.';
comment on table perusal_materials is 'Materials of a perusal.';

create table perusal_views -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  perusal_id bigint not null
  user_id bigint not null
  page integer not null
  way text not null
  created_at timestamp with time zone not null default now()
alter table perusal_views add constraint perusal_views_page_check CHECK ((page >= 1));
alter table perusal_views add constraint perusal_views_perusal_id_fkey FOREIGN KEY (perusal_id) REFERENCES perusals(id);
alter table perusal_views add constraint perusal_views_pkey PRIMARY KEY (id);
alter table perusal_views add constraint perusal_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table perusal_views add constraint perusal_views_way_check CHECK ((way = ANY (ARRAY['picture'::text, 'text'::text])));
CREATE INDEX perusal_views_perusal ON public.perusal_views USING btree (perusal_id, user_id, id);
CREATE INDEX perusal_views_user ON public.perusal_views USING btree (user_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.perusal_views FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.perusal_views FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on perusal_views as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.id = perusal_views.perusal_id)))) with check ((EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.id = perusal_views.perusal_id))));
create policy house on perusal_views as permissive for all to app_rw using (true) with check (true);
comment on table perusal_views is 'Pages shown to a reader: evidence of who read what. Append-only.';

create table perusals -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  number text not null default ('PR-'::text || nextval('perusal_numbers'::regclass))
  customer_id bigint not null
  requested_by_id bigint not null
  show_id bigint not null
  division text not null
  format text not null
  status text not null default 'requested'::text
  message text not null default ''::text
  reason text not null default ''::text
  currency currency_code not null
  fee_minor minor_amount not null default 0
  shipping_minor minor_amount not null default 0
  approved_at timestamp with time zone
  approved_by_id bigint
  opens_at timestamp with time zone
  expires_at timestamp with time zone
  sales_order_id bigint
  due_back_on date
  returned_on date
  days integer not null
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table perusals add constraint perusals_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table perusals add constraint perusals_check CHECK (((format = 'physical'::text) OR (((fee_minor)::bigint + (shipping_minor)::bigint) = 0)));
alter table perusals add constraint perusals_check1 CHECK (((sales_order_id IS NULL) OR (format = 'physical'::text)));
alter table perusals add constraint perusals_check2 CHECK (((status <> ALL (ARRAY['active'::text, 'expired'::text])) OR ((format = 'digital'::text) AND (opens_at IS NOT NULL) AND (expires_at > opens_at))));
alter table perusals add constraint perusals_check3 CHECK (((status <> ALL (ARRAY['shipped'::text, 'due'::text, 'returned'::text, 'lost_charged'::text])) OR (sales_order_id IS NOT NULL)));
alter table perusals add constraint perusals_check4 CHECK (((status <> 'declined'::text) OR (reason <> ''::text)));
alter table perusals add constraint perusals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table perusals add constraint perusals_days_check CHECK (((days >= 1) AND (days <= 365)));
alter table perusals add constraint perusals_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table perusals add constraint perusals_fee_minor_check CHECK (((fee_minor)::bigint >= 0));
alter table perusals add constraint perusals_format_check CHECK ((format = ANY (ARRAY['digital'::text, 'physical'::text])));
alter table perusals add constraint perusals_number_key UNIQUE (number);
alter table perusals add constraint perusals_pkey PRIMARY KEY (id);
alter table perusals add constraint perusals_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table perusals add constraint perusals_sales_order_id_fkey FOREIGN KEY (sales_order_id) REFERENCES sales_orders(id);
alter table perusals add constraint perusals_sales_order_id_key UNIQUE (sales_order_id);
alter table perusals add constraint perusals_shipping_minor_check CHECK (((shipping_minor)::bigint >= 0));
alter table perusals add constraint perusals_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table perusals add constraint perusals_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'declined'::text, 'approved'::text, 'active'::text, 'expired'::text, 'shipped'::text, 'due'::text, 'returned'::text, 'lost_charged'::text, 'closed'::text])));
CREATE INDEX perusals_approved_by ON public.perusals USING btree (approved_by_id) WHERE (approved_by_id IS NOT NULL);
CREATE INDEX perusals_customer ON public.perusals USING btree (customer_id, id DESC);
CREATE INDEX perusals_division ON public.perusals USING btree (division);
CREATE INDEX perusals_expiry ON public.perusals USING btree (expires_at, id) WHERE (status = 'active'::text);
CREATE INDEX perusals_latest ON public.perusals USING btree (updated_at DESC, id DESC);
CREATE INDEX perusals_number_start ON public.perusals USING btree (lower(number) text_pattern_ops);
CREATE INDEX perusals_requested_by ON public.perusals USING btree (requested_by_id);
CREATE INDEX perusals_search ON public.perusals USING gin (search_text gin_trgm_ops);
CREATE INDEX perusals_show ON public.perusals USING btree (show_id, id DESC);
CREATE INDEX perusals_status ON public.perusals USING btree (status, id DESC);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.perusals FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on perusals as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on perusals as permissive for all to app_rw using (true) with check (true);
create policy portal on perusals as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on column perusals.days is 'Length in days under the terms on the day of the request.';
comment on column perusals.fee_minor is 'Total for its materials. Digital perusals are free.';
comment on column perusals.reason is 'Why it was refused or ended early, as told to the customer.';
comment on column perusals.requested_by_id is 'Person who asked: of the customer, or of staff on its behalf.';
comment on column perusals.sales_order_id is 'Order that ships a physical perusal.';
comment on table perusals is 'Perusals: titles that a customer reads before applying, on screen or on loan.';

create table positive_pay_files -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  bank_account_id bigint not null
  from_on date not null
  to_on date not null
  file_name text not null
  content text not null
  sha256 text not null
  issue_count integer not null
  void_count integer not null
  issued_minor minor_amount not null
  voided_minor minor_amount not null
  created_by_id bigint
  created_at timestamp with time zone not null default now()
alter table positive_pay_files add constraint positive_pay_files_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table positive_pay_files add constraint positive_pay_files_check CHECK ((to_on >= from_on));
alter table positive_pay_files add constraint positive_pay_files_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table positive_pay_files add constraint positive_pay_files_pkey PRIMARY KEY (id);
alter table positive_pay_files add constraint positive_pay_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text));
CREATE INDEX positive_pay_files_account ON public.positive_pay_files USING btree (bank_account_id, id DESC);
CREATE INDEX positive_pay_files_person ON public.positive_pay_files USING btree (created_by_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.positive_pay_files FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.positive_pay_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table positive_pay_files is 'Issues and voids that were handed to the bank, with the bytes of each file.';

create table positive_pay_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  positive_pay_file_id bigint not null
  check_id bigint not null
  event text not null
  created_at timestamp with time zone not null default now()
alter table positive_pay_lines add constraint positive_pay_lines_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id);
alter table positive_pay_lines add constraint positive_pay_lines_event_check CHECK ((event = ANY (ARRAY['issue'::text, 'void'::text])));
alter table positive_pay_lines add constraint positive_pay_lines_pkey PRIMARY KEY (check_id, event);
alter table positive_pay_lines add constraint positive_pay_lines_positive_pay_file_id_fkey FOREIGN KEY (positive_pay_file_id) REFERENCES positive_pay_files(id);
CREATE INDEX positive_pay_lines_file ON public.positive_pay_lines USING btree (positive_pay_file_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.positive_pay_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.positive_pay_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table positive_pay_lines is 'Each issue and each void is told to the bank once.';

create table pro_forma_versions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ard/app_migrate, row security
  id bigint not null generated always as identity
  invoice_id bigint not null
  revision integer not null
  net_minor minor_amount not null
  tax_minor minor_amount not null
  total_minor minor_amount not null
  item_taxes bigint[] not null
  replaced_on date not null
  created_at timestamp with time zone not null default now()
alter table pro_forma_versions add constraint pro_forma_versions_check CHECK (((total_minor)::bigint = ((net_minor)::bigint + (tax_minor)::bigint)));
alter table pro_forma_versions add constraint pro_forma_versions_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table pro_forma_versions add constraint pro_forma_versions_invoice_id_revision_key UNIQUE (invoice_id, revision);
alter table pro_forma_versions add constraint pro_forma_versions_pkey PRIMARY KEY (id);
create policy counter on pro_forma_versions as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = pro_forma_versions.invoice_id)))) with check ((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = pro_forma_versions.invoice_id))));
create policy house on pro_forma_versions as permissive for all to app_rw using (true) with check (true);
create policy portal on pro_forma_versions as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM invoices v
  WHERE (v.id = pro_forma_versions.invoice_id))) AND true));
comment on column pro_forma_versions.item_taxes is 'Tax of each line, in the order of the lines.';
comment on table pro_forma_versions is 'Earlier versions of a pro forma. Money for them may still arrive.';

create table processor_events -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  provider text not null default 'stripe'::text
  event_id text not null
  type text not null
  object_id text not null default ''::text
  api_version text not null default ''::text
  happened_at timestamp with time zone not null
  status text not null default 'waiting'::text
  note text not null default ''::text
  attempts integer not null default 0
  online_payment_id bigint
  handled_at timestamp with time zone
  created_at timestamp with time zone not null default now()
alter table processor_events add constraint processor_events_check CHECK (((status = 'waiting'::text) = (handled_at IS NULL)));
alter table processor_events add constraint processor_events_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table processor_events add constraint processor_events_online_payment_id_fkey FOREIGN KEY (online_payment_id) REFERENCES online_payments(id);
alter table processor_events add constraint processor_events_pkey PRIMARY KEY (id);
alter table processor_events add constraint processor_events_provider_check CHECK ((provider = 'stripe'::text));
alter table processor_events add constraint processor_events_provider_division_event_id_key UNIQUE (provider, division, event_id);
alter table processor_events add constraint processor_events_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'unknown'::text])));
CREATE INDEX processor_events_list ON public.processor_events USING btree (happened_at DESC, id DESC);
CREATE INDEX processor_events_payment ON public.processor_events USING btree (online_payment_id) WHERE (online_payment_id IS NOT NULL);
CREATE INDEX processor_events_unknown ON public.processor_events USING btree (division, happened_at DESC) WHERE (status = 'unknown'::text);
CREATE INDEX processor_events_waiting ON public.processor_events USING btree (id) WHERE (status = 'waiting'::text);
comment on column processor_events.object_id is 'Id of the object that the event is about.';
comment on column processor_events.status is 'unknown: it names a payment that is not ours; staff look at it.';
comment on table processor_events is 'What a processor told us, each event once. They say what to read again, never what is true.';

create table processor_payout_parts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  processor_payout_id bigint not null
  line_id text not null
  type text not null
  cleared_minor minor_amount not null
  fee_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table processor_payout_parts add constraint processor_payout_parts_pkey PRIMARY KEY (processor_payout_id, line_id);
alter table processor_payout_parts add constraint processor_payout_parts_processor_payout_id_fkey FOREIGN KEY (processor_payout_id) REFERENCES processor_payouts(id);
CREATE CONSTRAINT TRIGGER processor_payout_parts_sum AFTER INSERT ON public.processor_payout_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_processor_payout_sum();
comment on table processor_payout_parts is 'Lines of the processor''s balance that a payout settles: what leaves Card clearing, and its fee.';

create table processor_payouts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  provider text not null default 'stripe'::text
  payout_id text not null
  currency currency_code not null
  amount_minor minor_amount not null
  fee_minor minor_amount not null default 0
  paid_on date not null
  status text not null
  note text not null default ''::text
  bank_account_id bigint
  transaction_id bigint
  return_transaction_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[payout_id])) stored
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table processor_payouts add constraint processor_payouts_amount_minor_check CHECK (((amount_minor)::bigint <> 0));
alter table processor_payouts add constraint processor_payouts_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id);
alter table processor_payouts add constraint processor_payouts_check CHECK (((status = ANY (ARRAY['posted'::text, 'returned'::text])) = (transaction_id IS NOT NULL)));
alter table processor_payouts add constraint processor_payouts_check1 CHECK (((status = 'returned'::text) = (return_transaction_id IS NOT NULL)));
alter table processor_payouts add constraint processor_payouts_check2 CHECK (((status <> 'attention'::text) OR (note <> ''::text)));
alter table processor_payouts add constraint processor_payouts_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table processor_payouts add constraint processor_payouts_pkey PRIMARY KEY (id);
alter table processor_payouts add constraint processor_payouts_provider_check CHECK ((provider = 'stripe'::text));
alter table processor_payouts add constraint processor_payouts_provider_division_payout_id_key UNIQUE (provider, division, payout_id);
alter table processor_payouts add constraint processor_payouts_return_transaction_id_fkey FOREIGN KEY (return_transaction_id) REFERENCES transactions(id);
alter table processor_payouts add constraint processor_payouts_status_check CHECK ((status = ANY (ARRAY['posted'::text, 'returned'::text, 'attention'::text])));
alter table processor_payouts add constraint processor_payouts_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX processor_payouts_account ON public.processor_payouts USING btree (bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE INDEX processor_payouts_division ON public.processor_payouts USING btree (division, paid_on DESC);
CREATE INDEX processor_payouts_list ON public.processor_payouts USING btree (paid_on DESC, id DESC);
CREATE INDEX processor_payouts_return ON public.processor_payouts USING btree (return_transaction_id) WHERE (return_transaction_id IS NOT NULL);
CREATE INDEX processor_payouts_search ON public.processor_payouts USING gin (search_text gin_trgm_ops);
CREATE INDEX processor_payouts_transaction ON public.processor_payouts USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER processor_payouts_sum AFTER INSERT OR UPDATE ON public.processor_payouts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_processor_payout_sum();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.processor_payouts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column processor_payouts.fee_minor is 'What it kept of the payments in it.';
comment on column processor_payouts.note is 'Why it is not posted, for staff.';
comment on table processor_payouts is 'Money that the card processor paid out to a bank account, one posting each.';

create table rate_card_deductions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  rate_card_id bigint not null
  type text not null
  cap_ppm rate_ppm
  created_at timestamp with time zone not null default now()
alter table rate_card_deductions add constraint rate_card_deductions_pkey PRIMARY KEY (id);
alter table rate_card_deductions add constraint rate_card_deductions_rate_card_id_fkey FOREIGN KEY (rate_card_id) REFERENCES rate_cards(id);
alter table rate_card_deductions add constraint rate_card_deductions_rate_card_id_type_key UNIQUE (rate_card_id, type);
alter table rate_card_deductions add constraint rate_card_deductions_type_check CHECK ((type = ANY (ARRAY['admission_tax'::text, 'theatre_party_commission'::text, 'union_pension_welfare'::text, 'group_sales_commission'::text, 'card_commission'::text, 'remote_ticketing_commission'::text, 'restoration_charge'::text, 'subscription_discount'::text])));
CREATE TRIGGER guard_rate_card_rows BEFORE INSERT OR DELETE OR UPDATE ON public.rate_card_deductions FOR EACH ROW EXECUTE FUNCTION guard_rate_card_rows();
comment on table rate_card_deductions is 'Deductions that a return may claim, each with a limit as a share of the reported gross.';

create table rate_card_gross_tiers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  rate_card_id bigint not null
  from_gross_minor minor_amount not null
  rate_ppm rate_ppm not null
  mode text not null default 'marginal'::text
  after_recoupment boolean not null default false
  created_at timestamp with time zone not null default now()
alter table rate_card_gross_tiers add constraint rate_card_gross_tiers_from_gross_minor_check CHECK (((from_gross_minor)::bigint >= 0));
alter table rate_card_gross_tiers add constraint rate_card_gross_tiers_mode_check CHECK ((mode = ANY (ARRAY['marginal'::text, 'retroactive'::text])));
alter table rate_card_gross_tiers add constraint rate_card_gross_tiers_pkey PRIMARY KEY (id);
alter table rate_card_gross_tiers add constraint rate_card_gross_tiers_rate_card_id_fkey FOREIGN KEY (rate_card_id) REFERENCES rate_cards(id);
alter table rate_card_gross_tiers add constraint rate_card_gross_tiers_rate_card_id_from_gross_minor_after_r_key UNIQUE (rate_card_id, from_gross_minor, after_recoupment);
CREATE TRIGGER guard_rate_card_rows BEFORE INSERT OR DELETE OR UPDATE ON public.rate_card_gross_tiers FOR EACH ROW EXECUTE FUNCTION guard_rate_card_rows();
comment on column rate_card_gross_tiers.after_recoupment is 'The tier applies from the date on which the producer declares recoupment.';
comment on table rate_card_gross_tiers is 'Percentages by weekly gross.';

create table rate_card_performance_tiers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  rate_card_id bigint not null
  from_n integer not null
  amount_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table rate_card_performance_tiers add constraint rate_card_performance_tiers_amount_minor_check CHECK (((amount_minor)::bigint >= 0));
alter table rate_card_performance_tiers add constraint rate_card_performance_tiers_from_n_check CHECK ((from_n >= 1));
alter table rate_card_performance_tiers add constraint rate_card_performance_tiers_pkey PRIMARY KEY (id);
alter table rate_card_performance_tiers add constraint rate_card_performance_tiers_rate_card_id_fkey FOREIGN KEY (rate_card_id) REFERENCES rate_cards(id);
alter table rate_card_performance_tiers add constraint rate_card_performance_tiers_rate_card_id_from_n_key UNIQUE (rate_card_id, from_n);
CREATE TRIGGER guard_rate_card_rows BEFORE INSERT OR DELETE OR UPDATE ON public.rate_card_performance_tiers FOR EACH ROW EXECUTE FUNCTION guard_rate_card_rows();
comment on table rate_card_performance_tiers is 'Amount per performance, from the nth performance of a license on.';

create table rate_card_seat_bands -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  rate_card_id bigint not null
  from_seats integer not null
  to_seats integer
  amount_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table rate_card_seat_bands add constraint rate_card_seat_bands_amount_minor_check CHECK (((amount_minor)::bigint >= 0));
alter table rate_card_seat_bands add constraint rate_card_seat_bands_check CHECK ((to_seats >= from_seats));
alter table rate_card_seat_bands add constraint rate_card_seat_bands_from_seats_check CHECK ((from_seats >= 0));
alter table rate_card_seat_bands add constraint rate_card_seat_bands_pkey PRIMARY KEY (id);
alter table rate_card_seat_bands add constraint rate_card_seat_bands_rate_card_id_fkey FOREIGN KEY (rate_card_id) REFERENCES rate_cards(id);
alter table rate_card_seat_bands add constraint rate_card_seat_bands_rate_card_id_from_seats_key UNIQUE (rate_card_id, from_seats);
CREATE TRIGGER guard_rate_card_rows BEFORE INSERT OR DELETE OR UPDATE ON public.rate_card_seat_bands FOR EACH ROW EXECUTE FUNCTION guard_rate_card_rows();
comment on table rate_card_seat_bands is 'Amounts by seating capacity. Both ends are included; an open end is null. A capacity in no band is an error, never zero.';

create table rate_cards -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  show_id bigint
  category text not null
  division text not null
  customer_classification_id bigint
  name text not null default ''::text
  effective_from date not null
  effective_to date
  status text not null default 'draft'::text
  currency currency_code not null
  fee_method text not null
  greater_of_first text
  greater_of_second text
  rate_ppm rate_ppm
  gross_basis text not null default 'weighted'::text
  flat_run_minor minor_amount
  min_per_performance_minor minor_amount not null default 0
  min_per_run_minor minor_amount not null default 0
  min_per_week_minor minor_amount not null default 0
  min_performances integer not null default 0
  guarantee_scope text not null default 'performance'::text
  full_week_performances integer
  minimum_counts_toward_advance boolean not null default true
  week_start smallint not null default 1
  round_up_to_minor minor_amount not null default 0
  round_up_scope text not null default 'performance'::text
  advance_minor minor_amount not null default 0
  true_up text not null default 'none'::text
  free_admission_kind text
  free_admission_ppm rate_ppm
  free_admission_minor minor_amount
  show_package_id bigint
  deposit_kind text
  deposit_minor minor_amount not null default 0
  execution_policy text not null
  notes text not null default ''::text
  author_id bigint
  approved_by_id bigint
  approved_at timestamp with time zone
  empty_week_owes_minimum boolean not null default false
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table rate_cards add constraint rate_cards_advance_minor_check CHECK (((advance_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table rate_cards add constraint rate_cards_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id);
alter table rate_cards add constraint rate_cards_category_check CHECK ((category = ANY (ARRAY['Amateur'::text, 'Pro'::text])));
alter table rate_cards add constraint rate_cards_check CHECK (((effective_to IS NULL) OR (effective_to >= effective_from)));
alter table rate_cards add constraint rate_cards_check1 CHECK (((fee_method <> ALL (ARRAY['percent_potential'::text, 'percent_actual'::text])) OR (rate_ppm IS NOT NULL)));
alter table rate_cards add constraint rate_cards_check2 CHECK (((fee_method = 'greater_of'::text) = ((greater_of_first IS NOT NULL) AND (greater_of_second IS NOT NULL))));
alter table rate_cards add constraint rate_cards_check3 CHECK ((greater_of_first <> greater_of_second));
alter table rate_cards add constraint rate_cards_check4 CHECK (((fee_method = 'flat_run'::text) = (flat_run_minor IS NOT NULL)));
alter table rate_cards add constraint rate_cards_check5 CHECK ((((free_admission_kind = 'percent_of_min'::text) = (free_admission_ppm IS NOT NULL)) OR ((free_admission_kind IS NULL) AND (free_admission_ppm IS NULL))));
alter table rate_cards add constraint rate_cards_check6 CHECK ((((free_admission_kind = 'flat'::text) = (free_admission_minor IS NOT NULL)) OR ((free_admission_kind IS NULL) AND (free_admission_minor IS NULL))));
alter table rate_cards add constraint rate_cards_check7 CHECK ((((deposit_minor)::bigint = 0) OR (deposit_kind IS NOT NULL)));
alter table rate_cards add constraint rate_cards_check8 CHECK (((status = 'draft'::text) = (approved_at IS NULL)));
alter table rate_cards add constraint rate_cards_check9 CHECK (((approved_by_id IS NULL) OR (author_id IS NULL) OR (approved_by_id <> author_id)));
alter table rate_cards add constraint rate_cards_customer_classification_id_fkey FOREIGN KEY (customer_classification_id) REFERENCES customer_classifications(id);
alter table rate_cards add constraint rate_cards_deposit_kind_check CHECK ((deposit_kind = ANY (ARRAY['security'::text, 'on_account'::text])));
alter table rate_cards add constraint rate_cards_deposit_minor_check CHECK (((deposit_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table rate_cards add constraint rate_cards_execution_policy_check CHECK ((execution_policy = ANY (ARRAY['paid_in_full'::text, 'deposit_paid'::text, 'advance_paid'::text, 'purchase_order'::text, 'signature_only'::text])));
alter table rate_cards add constraint rate_cards_fee_method_check CHECK ((fee_method = ANY (ARRAY['flat'::text, 'seat_band'::text, 'percent_potential'::text, 'percent_actual'::text, 'greater_of'::text, 'flat_run'::text, 'negotiated'::text])));
alter table rate_cards add constraint rate_cards_flat_run_minor_check CHECK (((flat_run_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_free_admission_kind_check CHECK ((free_admission_kind = ANY (ARRAY['min'::text, 'percent_of_min'::text, 'flat'::text])));
alter table rate_cards add constraint rate_cards_free_admission_minor_check CHECK (((free_admission_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_full_week_performances_check CHECK (((full_week_performances >= 1) AND (full_week_performances <= 30)));
alter table rate_cards add constraint rate_cards_greater_of_first_check CHECK ((greater_of_first = ANY (ARRAY['flat'::text, 'seat_band'::text, 'percent_potential'::text, 'percent_actual'::text])));
alter table rate_cards add constraint rate_cards_greater_of_second_check CHECK ((greater_of_second = ANY (ARRAY['flat'::text, 'seat_band'::text, 'percent_potential'::text, 'percent_actual'::text])));
alter table rate_cards add constraint rate_cards_gross_basis_check CHECK ((gross_basis = ANY (ARRAY['capacity'::text, 'weighted'::text, 'expected'::text, 'top_price'::text])));
alter table rate_cards add constraint rate_cards_guarantee_scope_check CHECK ((guarantee_scope = ANY (ARRAY['performance'::text, 'run'::text, 'week'::text])));
alter table rate_cards add constraint rate_cards_min_per_performance_minor_check CHECK (((min_per_performance_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_min_per_run_minor_check CHECK (((min_per_run_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_min_per_week_minor_check CHECK (((min_per_week_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_min_performances_check CHECK (((min_performances >= 0) AND (min_performances <= 1000)));
alter table rate_cards add constraint rate_cards_pkey PRIMARY KEY (id);
alter table rate_cards add constraint rate_cards_round_up_scope_check CHECK ((round_up_scope = ANY (ARRAY['performance'::text, 'run'::text])));
alter table rate_cards add constraint rate_cards_round_up_to_minor_check CHECK (((round_up_to_minor)::bigint >= 0));
alter table rate_cards add constraint rate_cards_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table rate_cards add constraint rate_cards_show_package_id_fkey FOREIGN KEY (show_package_id) REFERENCES show_packages(id);
alter table rate_cards add constraint rate_cards_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text, 'superseded'::text])));
alter table rate_cards add constraint rate_cards_true_up_check CHECK ((true_up = ANY (ARRAY['none'::text, 'down_only'::text, 'up_only'::text, 'both'::text])));
alter table rate_cards add constraint rate_cards_week_start_check CHECK (((week_start >= 0) AND (week_start <= 6)));
CREATE UNIQUE INDEX rate_cards_approved ON public.rate_cards USING btree (show_id, category, division, customer_classification_id, effective_from) NULLS NOT DISTINCT WHERE (status = 'approved'::text);
CREATE INDEX rate_cards_classification ON public.rate_cards USING btree (customer_classification_id);
CREATE INDEX rate_cards_division ON public.rate_cards USING btree (division, category, status, effective_from DESC, id DESC);
CREATE INDEX rate_cards_latest ON public.rate_cards USING btree (updated_at DESC, id DESC);
CREATE INDEX rate_cards_package ON public.rate_cards USING btree (show_package_id);
CREATE INDEX rate_cards_show ON public.rate_cards USING btree (show_id, category, division, effective_from DESC, id DESC);
CREATE TRIGGER guard_rate_card BEFORE DELETE OR UPDATE ON public.rate_cards FOR EACH ROW EXECUTE FUNCTION guard_rate_card();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.rate_cards FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column rate_cards.empty_week_owes_minimum is 'Whether a reported week without a performance owes the weekly minimum.';
comment on column rate_cards.greater_of_first is 'The two methods that greater_of compares; null for other methods.';
comment on column rate_cards.rate_ppm is 'Percentage royalty in parts per million: 10% is 100000.';
comment on column rate_cards.show_id is 'Null: the default card for all shows.';
comment on table rate_cards is 'Rate cards: how the royalty of a license is calculated. Without a show, the card is the default for all shows. The most specific approved card valid on the first performance wins. A card in use is superseded, never edited; licenses keep a copy.';

create unlogged table rate_limits -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  bucket text not null
  window_start timestamp with time zone not null
  hits integer not null default 1
alter table rate_limits add constraint rate_limits_pkey PRIMARY KEY (bucket, window_start);
comment on table rate_limits is 'Attempts per fixed time window, shared by all servers. Unlogged: losing the rows in a crash does no harm.';

create table recovery_codes -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  user_id bigint not null
  code_hash bytea not null
  created_at timestamp with time zone not null default now()
  used_at timestamp with time zone
alter table recovery_codes add constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32));
alter table recovery_codes add constraint recovery_codes_pkey PRIMARY KEY (id);
alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE UNIQUE INDEX recovery_codes_hash ON public.recovery_codes USING btree (user_id, code_hash);
comment on table recovery_codes is 'Hashes of recovery codes. The codes are 120 random bits, so a fast hash is enough.';

create table release_schedule -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  invoice_item_id bigint not null -- rights app_portal=r/app_migrate
  division text not null
  performance_id bigint
  on_date date
  amount_minor minor_amount not null -- rights app_portal=r/app_migrate
  currency currency_code not null
  credited_minor minor_amount not null default 0 -- rights app_portal=r/app_migrate
  status text not null default 'planned'::text -- rights app_portal=r/app_migrate
  released_on date
  released_transaction_id bigint
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table release_schedule add constraint release_schedule_amount_minor_check CHECK (((amount_minor)::bigint >= 0));
alter table release_schedule add constraint release_schedule_check CHECK ((((credited_minor)::bigint >= 0) AND ((credited_minor)::bigint <= (amount_minor)::bigint)));
alter table release_schedule add constraint release_schedule_check1 CHECK (((status = 'released'::text) = (released_on IS NOT NULL)));
alter table release_schedule add constraint release_schedule_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table release_schedule add constraint release_schedule_invoice_item_id_fkey FOREIGN KEY (invoice_item_id) REFERENCES invoice_items(id);
alter table release_schedule add constraint release_schedule_performance_id_fkey FOREIGN KEY (performance_id) REFERENCES performances(id);
alter table release_schedule add constraint release_schedule_pkey PRIMARY KEY (id);
alter table release_schedule add constraint release_schedule_released_transaction_id_fkey FOREIGN KEY (released_transaction_id) REFERENCES transactions(id);
alter table release_schedule add constraint release_schedule_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'released'::text, 'cancelled'::text])));
CREATE INDEX release_schedule_division ON public.release_schedule USING btree (division, on_date, id);
CREATE INDEX release_schedule_due ON public.release_schedule USING btree (on_date, id) WHERE (status = 'planned'::text);
CREATE INDEX release_schedule_item ON public.release_schedule USING btree (invoice_item_id, on_date, id);
CREATE INDEX release_schedule_performance ON public.release_schedule USING btree (performance_id) WHERE (performance_id IS NOT NULL);
CREATE INDEX release_schedule_transaction ON public.release_schedule USING btree (released_transaction_id) WHERE (released_transaction_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.release_schedule FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on release_schedule as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM invoice_items i
  WHERE (i.id = release_schedule.invoice_item_id)))) with check ((EXISTS ( SELECT 1
   FROM invoice_items i
  WHERE (i.id = release_schedule.invoice_item_id))));
create policy house on release_schedule as permissive for all to app_rw using (true) with check (true);
create policy portal on release_schedule as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM invoice_items i
  WHERE (i.id = release_schedule.invoice_item_id))) AND true));
comment on column release_schedule.credited_minor is 'Part of the amount that was credited before its release.';
comment on table release_schedule is 'When deferred income of a line becomes income: one row per performance or date.';

create table revaluation_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  revaluation_id bigint not null
  ledger_account_id bigint not null
  currency currency_code not null
  party_type text
  party_id bigint
  balance_minor minor_amount not null
  carried_minor minor_amount not null
  rate fx_rate not null
  rate_on date not null
  gain_minor minor_amount not null
alter table revaluation_lines add constraint revaluation_lines_check CHECK (((party_type IS NULL) = (party_id IS NULL)));
alter table revaluation_lines add constraint revaluation_lines_gain_minor_check CHECK (((gain_minor)::bigint <> 0));
alter table revaluation_lines add constraint revaluation_lines_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_accounts(id);
alter table revaluation_lines add constraint revaluation_lines_pkey PRIMARY KEY (id);
alter table revaluation_lines add constraint revaluation_lines_revaluation_id_fkey FOREIGN KEY (revaluation_id) REFERENCES revaluations(id);
alter table revaluation_lines add constraint revaluation_lines_revaluation_id_ledger_account_id_currency_key UNIQUE NULLS NOT DISTINCT (revaluation_id, ledger_account_id, currency, party_type, party_id);
CREATE INDEX revaluation_lines_account ON public.revaluation_lines USING btree (ledger_account_id);
comment on column revaluation_lines.balance_minor is 'Balance in the foreign currency, debit positive.';
comment on column revaluation_lines.carried_minor is 'The same in the currency of the division, as booked before.';
comment on column revaluation_lines.gain_minor is 'Value at the rate less what is carried.';
comment on column revaluation_lines.rate is 'Units of the division''s currency per unit of the foreign one.';
comment on table revaluation_lines is 'What a revaluation posts: one line for each account, currency and party.';

create table revaluations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  revalued_on date not null
  corrects_id bigint
  status text not null default 'waiting'::text
  gain_minor minor_amount not null
  requested_by_id bigint not null
  requested_at timestamp with time zone not null default now()
  decided_by_id bigint
  decided_at timestamp with time zone
  decline_reason text not null default ''::text
  transaction_id bigint
  reversal_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table revaluations add constraint revaluations_check CHECK ((corrects_id <> id));
alter table revaluations add constraint revaluations_check1 CHECK (((status = 'waiting'::text) = (decided_at IS NULL)));
alter table revaluations add constraint revaluations_check2 CHECK (((decided_by_id IS NULL) = (decided_at IS NULL)));
alter table revaluations add constraint revaluations_check3 CHECK (((status = 'posted'::text) = (transaction_id IS NOT NULL)));
alter table revaluations add constraint revaluations_check4 CHECK (((status = 'posted'::text) = (reversal_id IS NOT NULL)));
alter table revaluations add constraint revaluations_corrects_id_division_revalued_on_fkey FOREIGN KEY (corrects_id, division, revalued_on) REFERENCES revaluations(id, division, revalued_on);
alter table revaluations add constraint revaluations_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES users(id);
alter table revaluations add constraint revaluations_decline_reason_check CHECK ((length(decline_reason) <= 500));
alter table revaluations add constraint revaluations_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table revaluations add constraint revaluations_four_eyes CHECK (((status <> ALL (ARRAY['posted'::text, 'declined'::text])) OR (decided_by_id <> requested_by_id)));
alter table revaluations add constraint revaluations_id_division_revalued_on_key UNIQUE (id, division, revalued_on);
alter table revaluations add constraint revaluations_pkey PRIMARY KEY (id);
alter table revaluations add constraint revaluations_requested_by_id_fkey FOREIGN KEY (requested_by_id) REFERENCES users(id);
alter table revaluations add constraint revaluations_revalued_on_check CHECK ((EXTRACT(day FROM (revalued_on + 1)) = (1)::numeric));
alter table revaluations add constraint revaluations_reversal_id_fkey FOREIGN KEY (reversal_id) REFERENCES transactions(id);
alter table revaluations add constraint revaluations_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'posted'::text, 'declined'::text, 'withdrawn'::text])));
alter table revaluations add constraint revaluations_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE UNIQUE INDEX revaluations_corrected_once ON public.revaluations USING btree (corrects_id) WHERE ((status = ANY (ARRAY['waiting'::text, 'posted'::text])) AND (corrects_id IS NOT NULL));
CREATE INDEX revaluations_corrects ON public.revaluations USING btree (corrects_id, division, revalued_on);
CREATE INDEX revaluations_decided_by ON public.revaluations USING btree (decided_by_id);
CREATE INDEX revaluations_list ON public.revaluations USING btree (division, revalued_on DESC, id DESC);
CREATE UNIQUE INDEX revaluations_once ON public.revaluations USING btree (division, revalued_on) WHERE ((status = ANY (ARRAY['waiting'::text, 'posted'::text])) AND (corrects_id IS NULL));
CREATE INDEX revaluations_requested_by ON public.revaluations USING btree (requested_by_id);
CREATE UNIQUE INDEX revaluations_reversal ON public.revaluations USING btree (reversal_id) WHERE (reversal_id IS NOT NULL);
CREATE UNIQUE INDEX revaluations_transaction ON public.revaluations USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER revaluations_posted BEFORE INSERT OR UPDATE ON public.revaluations FOR EACH ROW EXECUTE FUNCTION tg_revaluations_posted();
comment on column revaluations.corrects_id is 'Revaluation of the same day whose difference this one posts.';
comment on column revaluations.gain_minor is 'Unrealized gain in the currency of the division; a loss is negative.';
comment on column revaluations.reversal_id is 'Its reversal on the day after.';
comment on column revaluations.transaction_id is 'Posting on the day itself.';
comment on table revaluations is 'Foreign balances of a division valued at the rate of a month''s end: asked for, then posted by a second person.';

create table royaltor_aliases -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  royaltor_id bigint not null
  alias text not null
  alias_key text not null generated always as (search_fold(alias)) stored
  created_at timestamp with time zone not null default now()
alter table royaltor_aliases add constraint royaltor_aliases_alias_check CHECK ((alias <> ''::text));
alter table royaltor_aliases add constraint royaltor_aliases_alias_key_key UNIQUE (alias_key);
alter table royaltor_aliases add constraint royaltor_aliases_pkey PRIMARY KEY (id);
alter table royaltor_aliases add constraint royaltor_aliases_royaltor_id_fkey FOREIGN KEY (royaltor_id) REFERENCES royaltors(id);
CREATE INDEX royaltor_aliases_fold ON public.royaltor_aliases USING btree (name_key(alias));
CREATE INDEX royaltor_aliases_royaltor ON public.royaltor_aliases USING btree (royaltor_id);
comment on table royaltor_aliases is 'Other names under which imports recognize a royaltor.';

create table royaltor_users -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  royaltor_id bigint not null
  user_id bigint not null
  created_at timestamp with time zone not null default now()
alter table royaltor_users add constraint royaltor_users_pkey PRIMARY KEY (id);
alter table royaltor_users add constraint royaltor_users_royaltor_id_fkey FOREIGN KEY (royaltor_id) REFERENCES royaltors(id);
alter table royaltor_users add constraint royaltor_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table royaltor_users add constraint royaltor_users_user_id_key UNIQUE (user_id);
CREATE INDEX royaltor_users_royaltor ON public.royaltor_users USING btree (royaltor_id);
comment on table royaltor_users is 'People who sign in for a royaltor.';

create table royaltors -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null default ('RY-'::text || nextval('royaltor_numbers'::regclass))
  kind text not null default 'person'::text
  name text not null
  legal_name text
  pen_name text
  email email_address
  phone text
  address postal_address
  agent_royaltor_id bigint
  divisions text[] not null default ARRAY['US'::text]
  currency currency_code not null default 'USD'::text
  payment_method text not null default 'check'::text
  bank_account_encrypted bytea
  bank_routing_encrypted bytea
  bank_key_id text
  bank_account_last4 text
  bank_verified_at timestamp with time zone
  residence_country country_code not null default 'US'::text
  tax_form_type text not null default 'none'::text
  tax_form_expires_on date
  tax_form_document_id bigint
  tin_encrypted bytea
  tin_key_id text
  tin_last4 text
  us_1099_type text not null default 'none'::text
  wht_override_ppm rate_ppm
  treaty_article text not null default ''::text
  author_by_profession boolean not null default false
  vat_status text not null default 'none'::text
  vat_no text
  self_billing_from date
  self_billing_expires_on date
  self_billing_document_id bigint
  statement_frequency text not null default 'quarterly'::text
  min_payout_minor minor_amount not null default 0
  min_payout_tier2_minor minor_amount
  delivery text not null default 'email'::text
  active boolean not null default true
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, name, legal_name, pen_name, (email)::text, phone, ((address)::jsonb ->> 'postal_code'::text)])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  bank_kind text
  bank_country text
  bank_holder text
  bank_is_savings boolean not null default false
  bank_details_version integer not null default 0
  bank_details_changed_by_id bigint
  bank_details_changed_at timestamp with time zone
  bank_verified_by_id bigint
  bank_verified_note text
alter table royaltors add constraint royaltors_agent_royaltor_id_fkey FOREIGN KEY (agent_royaltor_id) REFERENCES royaltors(id);
alter table royaltors add constraint royaltors_bank_account_last4_check CHECK ((bank_account_last4 ~ '^[0-9A-Z]{1,4}$'::text));
alter table royaltors add constraint royaltors_bank_country_check CHECK ((bank_country ~ '^[A-Z]{2}$'::text));
alter table royaltors add constraint royaltors_bank_details_changed_by_id_fkey FOREIGN KEY (bank_details_changed_by_id) REFERENCES users(id);
alter table royaltors add constraint royaltors_bank_four_eyes CHECK ((bank_verified_by_id <> bank_details_changed_by_id));
alter table royaltors add constraint royaltors_bank_holder_check CHECK ((bank_holder <> ''::text));
alter table royaltors add constraint royaltors_bank_kind_check CHECK ((bank_kind = ANY (ARRAY['us'::text, 'uk'::text, 'iban'::text, 'other'::text])));
alter table royaltors add constraint royaltors_bank_verified CHECK (((bank_verified_at IS NULL) OR ((bank_account_encrypted IS NOT NULL) AND (bank_verified_by_id IS NOT NULL) AND (bank_verified_note IS NOT NULL))));
alter table royaltors add constraint royaltors_bank_verified_by_id_fkey FOREIGN KEY (bank_verified_by_id) REFERENCES users(id);
alter table royaltors add constraint royaltors_check CHECK ((agent_royaltor_id <> id));
alter table royaltors add constraint royaltors_check1 CHECK ((num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) = ANY (ARRAY[0, 3])));
alter table royaltors add constraint royaltors_check2 CHECK ((num_nonnulls(tin_encrypted, tin_last4, tin_key_id) = ANY (ARRAY[0, 3])));
alter table royaltors add constraint royaltors_check3 CHECK (((vat_status <> 'registered'::text) OR (vat_no IS NOT NULL)));
alter table royaltors add constraint royaltors_check4 CHECK ((num_nonnulls(self_billing_from, self_billing_expires_on) = ANY (ARRAY[0, 2])));
alter table royaltors add constraint royaltors_check5 CHECK ((self_billing_expires_on >= self_billing_from));
alter table royaltors add constraint royaltors_delivery_check CHECK ((delivery = ANY (ARRAY['portal'::text, 'email'::text, 'post'::text])));
alter table royaltors add constraint royaltors_divisions_check CHECK (is_division_set(divisions));
alter table royaltors add constraint royaltors_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'company'::text, 'estate'::text, 'agent'::text, 'society'::text, 'house'::text])));
alter table royaltors add constraint royaltors_min_payout_minor_check CHECK (((min_payout_minor)::bigint >= 0));
alter table royaltors add constraint royaltors_min_payout_tier2_minor_check CHECK (((min_payout_tier2_minor)::bigint >= 0));
alter table royaltors add constraint royaltors_name_check CHECK ((name <> ''::text));
alter table royaltors add constraint royaltors_number_key UNIQUE (number);
alter table royaltors add constraint royaltors_payment_method_check CHECK ((payment_method = ANY (ARRAY['ach'::text, 'wire'::text, 'check'::text, 'bacs'::text, 'sepa'::text])));
alter table royaltors add constraint royaltors_pkey PRIMARY KEY (id);
alter table royaltors add constraint royaltors_self_billing_document_id_fkey FOREIGN KEY (self_billing_document_id) REFERENCES files(id);
alter table royaltors add constraint royaltors_statement_frequency_check CHECK ((statement_frequency = ANY (ARRAY['monthly'::text, 'quarterly'::text, 'semi_annual'::text, 'annual'::text])));
alter table royaltors add constraint royaltors_tax_form_document_id_fkey FOREIGN KEY (tax_form_document_id) REFERENCES files(id);
alter table royaltors add constraint royaltors_tax_form_type_check CHECK ((tax_form_type = ANY (ARRAY['w9'::text, 'w8ben'::text, 'w8bene'::text, 'treaty_direction'::text, 'none'::text])));
alter table royaltors add constraint royaltors_tin_last4_check CHECK ((tin_last4 ~ '^[0-9A-Z]{1,4}$'::text));
alter table royaltors add constraint royaltors_us_1099_type_check CHECK ((us_1099_type = ANY (ARRAY['none'::text, '1099_misc'::text, '1042_s'::text])));
alter table royaltors add constraint royaltors_vat_status_check CHECK ((vat_status = ANY (ARRAY['none'::text, 'registered'::text, 'foreign_business'::text])));
CREATE INDEX royaltors_agent ON public.royaltors USING btree (agent_royaltor_id);
CREATE INDEX royaltors_bank_changed_by ON public.royaltors USING btree (bank_details_changed_by_id);
CREATE INDEX royaltors_bank_verified_by ON public.royaltors USING btree (bank_verified_by_id);
CREATE INDEX royaltors_last_fold ON public.royaltors USING btree (regexp_replace(fold_name(name), '^.* '::text, ''::text)) WHERE (deleted_at IS NULL);
CREATE INDEX royaltors_latest ON public.royaltors USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX royaltors_name ON public.royaltors USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX royaltors_name_fold ON public.royaltors USING btree (name_key(name)) WHERE (deleted_at IS NULL);
CREATE INDEX royaltors_name_key ON public.royaltors USING btree (search_fold(name)) WHERE (deleted_at IS NULL);
CREATE INDEX royaltors_name_start ON public.royaltors USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX royaltors_number_start ON public.royaltors USING btree (lower(number) text_pattern_ops);
CREATE INDEX royaltors_search ON public.royaltors USING gin (search_text gin_trgm_ops);
CREATE INDEX royaltors_self_billing ON public.royaltors USING btree (self_billing_document_id);
CREATE INDEX royaltors_tax_form ON public.royaltors USING btree (tax_form_document_id);
CREATE INDEX royaltors_trash ON public.royaltors USING btree (deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER bank_details_guard BEFORE INSERT OR UPDATE ON public.royaltors FOR EACH ROW EXECUTE FUNCTION tg_bank_details_guard();
CREATE TRIGGER royaltors_in_use AFTER UPDATE OF deleted_at ON public.royaltors FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))) EXECUTE FUNCTION refuse_trash_in_use();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royaltors FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royaltors.bank_account_encrypted is 'AES-256-GCM ciphertext under the key named by bank_key_id. Screens show the last four digits only.';
comment on column royaltors.bank_details_version is 'Counts each change of the bank details; a payment keeps the one it was approved with.';
comment on column royaltors.bank_holder is 'Name on the account where it is not that of the royaltor.';
comment on column royaltors.bank_kind is 'null: written before kinds were kept; read from the number itself.';
comment on column royaltors.bank_verified_note is 'Who confirmed the details and how they were reached.';
comment on column royaltors.min_payout_tier2_minor is 'Lower minimum payment in June and December; null if there is none.';
comment on table royaltors is 'Payees of royalties: authors, estates, agents and publishers.';

create table royalty_accruals -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  royalty_allocation_id bigint not null
  show_royaltor_id bigint not null
  matched_term_id bigint
  license_id bigint
  income_type text not null
  division text not null
  currency currency_code not null
  base_minor minor_amount not null
  rate_ppm rate_ppm not null
  share_points integer not null
  weight numeric(30,0) not null
  amount_minor minor_amount not null
  recoupable boolean not null default true
  reserve_ppm rate_ppm not null default 0
  occurred_on date not null
  accrued_at timestamp with time zone not null default now()
  cost_on date
  due_on date
  cost_transaction_id bigint
  due_transaction_id bigint
  statement_id bigint
  reverses_accrual_id bigint
  trace jsonb
  functional_minor minor_amount
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_accruals add constraint royalty_accruals_check CHECK (((statement_id IS NULL) OR (due_on IS NOT NULL)));
alter table royalty_accruals add constraint royalty_accruals_check1 CHECK (((functional_minor IS NOT NULL) OR ((cost_on IS NULL) AND (due_on IS NULL))));
alter table royalty_accruals add constraint royalty_accruals_cost_transaction_id_fkey FOREIGN KEY (cost_transaction_id) REFERENCES transactions(id);
alter table royalty_accruals add constraint royalty_accruals_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_accruals add constraint royalty_accruals_due_transaction_id_fkey FOREIGN KEY (due_transaction_id) REFERENCES transactions(id);
alter table royalty_accruals add constraint royalty_accruals_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table royalty_accruals add constraint royalty_accruals_matched_term_id_fkey FOREIGN KEY (matched_term_id) REFERENCES royalty_terms(id);
alter table royalty_accruals add constraint royalty_accruals_pkey PRIMARY KEY (id);
alter table royalty_accruals add constraint royalty_accruals_reverses_accrual_id_fkey FOREIGN KEY (reverses_accrual_id) REFERENCES royalty_accruals(id);
alter table royalty_accruals add constraint royalty_accruals_royalty_allocation_id_fkey FOREIGN KEY (royalty_allocation_id) REFERENCES royalty_allocations(id);
alter table royalty_accruals add constraint royalty_accruals_royalty_allocation_id_show_royaltor_id_mat_key UNIQUE (royalty_allocation_id, show_royaltor_id, matched_term_id);
alter table royalty_accruals add constraint royalty_accruals_share_points_check CHECK ((share_points >= 0));
alter table royalty_accruals add constraint royalty_accruals_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table royalty_accruals add constraint royalty_accruals_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES royalty_statements(id);
alter table royalty_accruals add constraint royalty_accruals_weight_check CHECK ((weight >= (0)::numeric));
CREATE INDEX royalty_accruals_agreement ON public.royalty_accruals USING btree (show_royaltor_id, occurred_on DESC, id DESC);
CREATE INDEX royalty_accruals_cost ON public.royalty_accruals USING btree (cost_transaction_id) WHERE (cost_transaction_id IS NOT NULL);
CREATE INDEX royalty_accruals_due ON public.royalty_accruals USING btree (due_transaction_id) WHERE (due_transaction_id IS NOT NULL);
CREATE INDEX royalty_accruals_license ON public.royalty_accruals USING btree (license_id, occurred_on DESC, id DESC);
CREATE INDEX royalty_accruals_list ON public.royalty_accruals USING btree (occurred_on DESC, id DESC);
CREATE INDEX royalty_accruals_not_due ON public.royalty_accruals USING btree (license_id, show_royaltor_id) WHERE (due_on IS NULL);
CREATE INDEX royalty_accruals_reverses ON public.royalty_accruals USING btree (reverses_accrual_id) WHERE (reverses_accrual_id IS NOT NULL);
CREATE INDEX royalty_accruals_statement ON public.royalty_accruals USING btree (statement_id) WHERE (statement_id IS NOT NULL);
CREATE INDEX royalty_accruals_term ON public.royalty_accruals USING btree (matched_term_id);
CREATE INDEX royalty_accruals_unstatemented ON public.royalty_accruals USING btree (division, currency, due_on, show_royaltor_id) WHERE ((statement_id IS NULL) AND (due_on IS NOT NULL));
CREATE TRIGGER guard_royalty_accrual BEFORE UPDATE ON public.royalty_accruals FOR EACH ROW EXECUTE FUNCTION guard_royalty_accrual();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_accruals FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_accruals.functional_minor is 'Amount in functional currency; null while neither cost nor due.';
comment on table royalty_accruals is 'Shares of a party. cost_on is the date of the income; due_on is the date on which the share becomes payable, null until then. Only the statement is added later.';

create table royalty_adjustments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_royaltor_id bigint not null
  division text not null
  currency currency_code not null
  amount_minor minor_amount not null
  on_date date not null
  reason text not null
  statement_id bigint
  transaction_id bigint
  created_by_id bigint
  approved_by_id bigint
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_adjustments add constraint royalty_adjustments_amount_minor_check CHECK (((amount_minor)::bigint <> 0));
alter table royalty_adjustments add constraint royalty_adjustments_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table royalty_adjustments add constraint royalty_adjustments_check CHECK (((approved_by_id IS NULL) OR (approved_by_id <> created_by_id)));
alter table royalty_adjustments add constraint royalty_adjustments_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table royalty_adjustments add constraint royalty_adjustments_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_adjustments add constraint royalty_adjustments_pkey PRIMARY KEY (id);
alter table royalty_adjustments add constraint royalty_adjustments_reason_check CHECK ((reason <> ''::text));
alter table royalty_adjustments add constraint royalty_adjustments_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table royalty_adjustments add constraint royalty_adjustments_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES royalty_statements(id) ON DELETE SET NULL;
alter table royalty_adjustments add constraint royalty_adjustments_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX royalty_adjustments_agreement ON public.royalty_adjustments USING btree (show_royaltor_id, on_date, id);
CREATE INDEX royalty_adjustments_division ON public.royalty_adjustments USING btree (division);
CREATE INDEX royalty_adjustments_statement ON public.royalty_adjustments USING btree (statement_id) WHERE (statement_id IS NOT NULL);
CREATE INDEX royalty_adjustments_transaction ON public.royalty_adjustments USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_adjustments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table royalty_adjustments is 'Corrections carried to the next statement.';

create table royalty_advances -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_royaltor_id bigint not null
  division text not null
  currency currency_code not null
  amount_minor minor_amount not null
  due_event text not null default 'date'::text
  due_on date
  status text not null default 'scheduled'::text
  paid_on date
  payment_id bigint
  recouped_minor minor_amount not null default 0
  unrecouped_minor minor_amount not null generated always as (
CASE
    WHEN (status = 'paid'::text) THEN ((amount_minor)::bigint - (recouped_minor)::bigint)
    ELSE (0)::bigint
END) stored
  paid_functional_minor minor_amount not null default 0
  recouped_functional_minor minor_amount not null default 0
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_advances add constraint royalty_advances_amount_minor_check CHECK (((amount_minor)::bigint > 0));
alter table royalty_advances add constraint royalty_advances_check CHECK (((recouped_minor)::bigint <= (amount_minor)::bigint));
alter table royalty_advances add constraint royalty_advances_check1 CHECK (((status = 'paid'::text) = (paid_on IS NOT NULL)));
alter table royalty_advances add constraint royalty_advances_check2 CHECK (((status = 'paid'::text) OR ((recouped_minor)::bigint = 0)));
alter table royalty_advances add constraint royalty_advances_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_advances add constraint royalty_advances_due_event_check CHECK ((due_event = ANY (ARRAY['signature'::text, 'date'::text, 'first_performance'::text])));
alter table royalty_advances add constraint royalty_advances_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table royalty_advances add constraint royalty_advances_pkey PRIMARY KEY (id);
alter table royalty_advances add constraint royalty_advances_recouped_minor_check CHECK (((recouped_minor)::bigint >= 0));
alter table royalty_advances add constraint royalty_advances_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table royalty_advances add constraint royalty_advances_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'paid'::text, 'cancelled'::text])));
CREATE INDEX royalty_advances_agreement ON public.royalty_advances USING btree (show_royaltor_id, paid_on, id);
CREATE INDEX royalty_advances_division ON public.royalty_advances USING btree (division);
CREATE INDEX royalty_advances_payment ON public.royalty_advances USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_advances FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table royalty_advances is 'Advances to royaltors. Recoupable once paid: paid = recouped + unrecouped.';

create table royalty_allocations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  license_id bigint
  box_office_report_id bigint
  invoice_item_id bigint
  payment_allocation_id bigint
  reverses_id bigint
  income_type text not null
  division text not null
  currency currency_code not null
  amount_minor minor_amount not null
  house_minor minor_amount not null
  group_key text not null
  weights_hash text not null
  method text not null
  occurred_on date not null
  trace jsonb
  part_of_id bigint
  role text not null default 'line'::text
  created_at timestamp with time zone not null default now()
alter table royalty_allocations add constraint royalty_allocations_box_office_report_id_fkey FOREIGN KEY (box_office_report_id) REFERENCES box_office_reports(id);
alter table royalty_allocations add constraint royalty_allocations_check CHECK (((method <> 'mirror'::text) OR (reverses_id IS NOT NULL)));
alter table royalty_allocations add constraint royalty_allocations_check1 CHECK (((role = 'line'::text) = (part_of_id IS NULL)));
alter table royalty_allocations add constraint royalty_allocations_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_allocations add constraint royalty_allocations_group_key_check CHECK ((group_key <> ''::text));
alter table royalty_allocations add constraint royalty_allocations_income_type_check CHECK ((income_type = ANY (ARRAY['royalty'::text, 'rental'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'streaming'::text, 'video'::text, 'perusal'::text, 'late_fee'::text, 'advance'::text, 'breakage'::text, 'cancellation_fee'::text])));
alter table royalty_allocations add constraint royalty_allocations_invoice_item_id_fkey FOREIGN KEY (invoice_item_id) REFERENCES invoice_items(id);
alter table royalty_allocations add constraint royalty_allocations_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table royalty_allocations add constraint royalty_allocations_method_check CHECK ((method = ANY (ARRAY['plain'::text, 'carried'::text, 'safe'::text, 'mirror'::text])));
alter table royalty_allocations add constraint royalty_allocations_part_of_id_fkey FOREIGN KEY (part_of_id) REFERENCES royalty_allocations(id);
alter table royalty_allocations add constraint royalty_allocations_payment_allocation_id_fkey FOREIGN KEY (payment_allocation_id) REFERENCES payment_allocations(id);
alter table royalty_allocations add constraint royalty_allocations_pkey PRIMARY KEY (id);
alter table royalty_allocations add constraint royalty_allocations_reverses_id_fkey FOREIGN KEY (reverses_id) REFERENCES royalty_allocations(id);
alter table royalty_allocations add constraint royalty_allocations_role_check CHECK ((role = ANY (ARRAY['line'::text, 'cost'::text, 'due'::text, 'release'::text])));
alter table royalty_allocations add constraint royalty_allocations_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table royalty_allocations add constraint royalty_allocations_weights_hash_check CHECK ((weights_hash <> ''::text));
CREATE INDEX royalty_allocations_division ON public.royalty_allocations USING btree (division, occurred_on DESC, id DESC);
CREATE INDEX royalty_allocations_item ON public.royalty_allocations USING btree (invoice_item_id) WHERE (invoice_item_id IS NOT NULL);
CREATE INDEX royalty_allocations_license ON public.royalty_allocations USING btree (license_id, occurred_on DESC, id DESC);
CREATE UNIQUE INDEX royalty_allocations_line ON public.royalty_allocations USING btree (invoice_item_id) WHERE ((part_of_id IS NULL) AND (invoice_item_id IS NOT NULL));
CREATE INDEX royalty_allocations_part ON public.royalty_allocations USING btree (part_of_id) WHERE (part_of_id IS NOT NULL);
CREATE INDEX royalty_allocations_payment ON public.royalty_allocations USING btree (payment_allocation_id) WHERE (payment_allocation_id IS NOT NULL);
CREATE INDEX royalty_allocations_report ON public.royalty_allocations USING btree (box_office_report_id) WHERE (box_office_report_id IS NOT NULL);
CREATE INDEX royalty_allocations_reverses ON public.royalty_allocations USING btree (reverses_id) WHERE (reverses_id IS NOT NULL);
CREATE INDEX royalty_allocations_show ON public.royalty_allocations USING btree (show_id, occurred_on DESC, id DESC);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.royalty_allocations FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.royalty_allocations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER check_royalty_allocation AFTER INSERT ON public.royalty_allocations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_royalty_allocation();
comment on column royalty_allocations.method is 'Plain: without remainders. carried: with remainders. safe: without, because a remainder would have changed a sign. mirror: reversal of reverses_id.';
comment on column royalty_allocations.part_of_id is 'Allocation this one is part of: income is shared once, and cost and due amounts are parts of that, so that both end exactly on the shares.';
comment on column royalty_allocations.role is 'Line: the sharing itself. cost and due: a part or a mirror of it. release: the share of royaltors in a deferred line with net presentation.';
comment on table royalty_allocations is 'Distribution of one amount of income to all parties of a show, the company included. Checked at commit: the parts add up to the amount.';

create table royalty_carries -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  group_key text not null
  currency currency_code not null
  division text not null
  weights_hash text not null
  show_royaltor_id bigint
  carry numeric(40,0) not null default 0
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_carries add constraint royalty_carries_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_carries add constraint royalty_carries_pkey PRIMARY KEY (id);
alter table royalty_carries add constraint royalty_carries_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table royalty_carries add constraint royalty_carries_show_id_group_key_currency_division_weights_key UNIQUE NULLS NOT DISTINCT (show_id, group_key, currency, division, weights_hash, show_royaltor_id);
alter table royalty_carries add constraint royalty_carries_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
CREATE INDEX royalty_carries_agreement ON public.royalty_carries USING btree (show_royaltor_id);
CREATE INDEX royalty_carries_division ON public.royalty_carries USING btree (division);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_carries FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table royalty_carries is 'Rounding remainder of each party between allocations, in fractions of a minor unit. Without a party, the row is the company''s.';

create table royalty_payment_batches -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null
  division text not null
  currency currency_code not null
  pay_on date not null
  method text not null
  status text not null default 'draft'::text
  payment_count integer not null default 0
  total_minor minor_amount not null default 0
  withheld_minor minor_amount not null default 0
  created_by_id bigint
  approved_by_id bigint
  approved_at timestamp with time zone
  posted_at timestamp with time zone
  file_id bigint
  scheduled_by_id bigint
  scheduled_at timestamp with time zone
  failure text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_payment_batches add constraint royalty_payment_batches_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table royalty_payment_batches add constraint royalty_payment_batches_check CHECK (((approved_by_id IS NULL) OR (approved_by_id <> created_by_id)));
alter table royalty_payment_batches add constraint royalty_payment_batches_check1 CHECK (((status <> ALL (ARRAY['approved'::text, 'posted'::text])) OR (approved_at IS NOT NULL)));
alter table royalty_payment_batches add constraint royalty_payment_batches_check2 CHECK (((status = 'posted'::text) = (posted_at IS NOT NULL)));
alter table royalty_payment_batches add constraint royalty_payment_batches_check3 CHECK (((status <> 'scheduled'::text) OR ((approved_at IS NOT NULL) AND (scheduled_at IS NOT NULL))));
alter table royalty_payment_batches add constraint royalty_payment_batches_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table royalty_payment_batches add constraint royalty_payment_batches_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_payment_batches add constraint royalty_payment_batches_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table royalty_payment_batches add constraint royalty_payment_batches_method_check CHECK ((method = ANY (ARRAY['ach'::text, 'wire'::text, 'check'::text, 'bacs'::text, 'sepa'::text])));
alter table royalty_payment_batches add constraint royalty_payment_batches_number_key UNIQUE (number);
alter table royalty_payment_batches add constraint royalty_payment_batches_payment_count_check CHECK ((payment_count >= 0));
alter table royalty_payment_batches add constraint royalty_payment_batches_pkey PRIMARY KEY (id);
alter table royalty_payment_batches add constraint royalty_payment_batches_scheduled_by_id_fkey FOREIGN KEY (scheduled_by_id) REFERENCES users(id);
alter table royalty_payment_batches add constraint royalty_payment_batches_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text, 'scheduled'::text, 'posted'::text, 'void'::text])));
alter table royalty_payment_batches add constraint royalty_payment_batches_total_minor_check CHECK (((total_minor)::bigint >= 0));
alter table royalty_payment_batches add constraint royalty_payment_batches_withheld_minor_check CHECK (((withheld_minor)::bigint >= 0));
CREATE INDEX royalty_payment_batches_division ON public.royalty_payment_batches USING btree (division, status, pay_on DESC, id DESC);
CREATE INDEX royalty_payment_batches_file ON public.royalty_payment_batches USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX royalty_payment_batches_latest ON public.royalty_payment_batches USING btree (pay_on DESC, id DESC);
CREATE INDEX royalty_payment_batches_number_start ON public.royalty_payment_batches USING btree (lower(number) text_pattern_ops);
CREATE INDEX royalty_payment_batches_scheduled ON public.royalty_payment_batches USING btree (pay_on, id) WHERE (status = 'scheduled'::text);
CREATE INDEX royalty_payment_batches_scheduled_by ON public.royalty_payment_batches USING btree (scheduled_by_id) WHERE (scheduled_by_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_payment_batches FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_payment_batches.failure is 'Why the last attempt to post it failed, for people to read.';
comment on table royalty_payment_batches is 'Batches of payments to royaltors, approved by a second person.';

create table royalty_payment_conversions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  payment_id bigint not null
  royalty_statement_id bigint
  royalty_advance_id bigint
  debt_currency currency_code not null
  debt_minor minor_amount not null
  debt_withheld_minor minor_amount not null
  currency currency_code not null
  rate numeric(20,10) not null
  rate_on date not null
  paid_minor minor_amount not null
  withheld_minor minor_amount not null
  paid_functional_minor minor_amount
  withheld_functional_minor minor_amount
  carried_functional_minor minor_amount
  settled_at timestamp with time zone
  is_agent boolean not null default false
  live boolean not null default true
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_payment_conversions add constraint royalty_payment_conversions_check CHECK ((((debt_withheld_minor)::bigint >= 0) AND ((debt_withheld_minor)::bigint <= (debt_minor)::bigint)));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_check1 CHECK ((num_nonnulls(royalty_statement_id, royalty_advance_id) = 1));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_check2 CHECK ((num_nonnulls(settled_at, paid_functional_minor, withheld_functional_minor, carried_functional_minor) = ANY (ARRAY[0, 4])));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_check3 CHECK (((royalty_advance_id IS NULL) OR (NOT is_agent)));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_debt_minor_check CHECK (((debt_minor)::bigint > 0));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_paid_minor_check CHECK (((paid_minor)::bigint >= 0));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table royalty_payment_conversions add constraint royalty_payment_conversions_payment_id_royalty_statement_id_key UNIQUE NULLS NOT DISTINCT (payment_id, royalty_statement_id, royalty_advance_id);
alter table royalty_payment_conversions add constraint royalty_payment_conversions_pkey PRIMARY KEY (id);
alter table royalty_payment_conversions add constraint royalty_payment_conversions_rate_check CHECK ((rate > (0)::numeric));
alter table royalty_payment_conversions add constraint royalty_payment_conversions_royalty_advance_id_fkey FOREIGN KEY (royalty_advance_id) REFERENCES royalty_advances(id);
alter table royalty_payment_conversions add constraint royalty_payment_conversions_royalty_statement_id_fkey FOREIGN KEY (royalty_statement_id) REFERENCES royalty_statements(id);
alter table royalty_payment_conversions add constraint royalty_payment_conversions_withheld_minor_check CHECK (((withheld_minor)::bigint >= 0));
CREATE UNIQUE INDEX royalty_conversions_live_advance ON public.royalty_payment_conversions USING btree (royalty_advance_id) WHERE (live AND (royalty_advance_id IS NOT NULL));
CREATE UNIQUE INDEX royalty_conversions_live_statement ON public.royalty_payment_conversions USING btree (royalty_statement_id, is_agent) WHERE (live AND (royalty_statement_id IS NOT NULL));
CREATE INDEX royalty_payment_conversions_advance ON public.royalty_payment_conversions USING btree (royalty_advance_id) WHERE (royalty_advance_id IS NOT NULL);
CREATE INDEX royalty_payment_conversions_statement ON public.royalty_payment_conversions USING btree (royalty_statement_id) WHERE (royalty_statement_id IS NOT NULL);
CREATE TRIGGER guard_royalty_conversion BEFORE UPDATE ON public.royalty_payment_conversions FOR EACH ROW EXECUTE FUNCTION guard_royalty_conversion();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_payment_conversions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_payment_conversions.paid_functional_minor is 'Amounts in functional currency, known once paid: what was paid, withheld and the carrying amount of the debt. The difference is a realized exchange gain or loss.';
comment on column royalty_payment_conversions.rate is 'Converts the currency of the debt into the currency of the payment.';
comment on table royalty_payment_conversions is 'Amounts settled by a payment in its own currency: at the latest known rate until paid, then fixed at the rate of that day.';

create table royalty_payment_statements -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  payment_id bigint not null
  royalty_statement_id bigint not null
  wht_rule_id bigint
  gross_minor minor_amount not null
  wht_base_minor minor_amount not null
  wht_minor minor_amount not null
  paid_minor minor_amount not null
  currency currency_code not null
  created_at timestamp with time zone not null default now()
alter table royalty_payment_statements add constraint royalty_payment_statements_check CHECK (((gross_minor)::bigint = ((wht_minor)::bigint + (paid_minor)::bigint)));
alter table royalty_payment_statements add constraint royalty_payment_statements_gross_minor_check CHECK (((gross_minor)::bigint > 0));
alter table royalty_payment_statements add constraint royalty_payment_statements_paid_minor_check CHECK (((paid_minor)::bigint >= 0));
alter table royalty_payment_statements add constraint royalty_payment_statements_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table royalty_payment_statements add constraint royalty_payment_statements_payment_id_royalty_statement_id_key UNIQUE (payment_id, royalty_statement_id);
alter table royalty_payment_statements add constraint royalty_payment_statements_pkey PRIMARY KEY (id);
alter table royalty_payment_statements add constraint royalty_payment_statements_royalty_statement_id_fkey FOREIGN KEY (royalty_statement_id) REFERENCES royalty_statements(id);
alter table royalty_payment_statements add constraint royalty_payment_statements_wht_base_minor_check CHECK (((wht_base_minor)::bigint >= 0));
alter table royalty_payment_statements add constraint royalty_payment_statements_wht_minor_check CHECK (((wht_minor)::bigint >= 0));
alter table royalty_payment_statements add constraint royalty_payment_statements_wht_rule_id_fkey FOREIGN KEY (wht_rule_id) REFERENCES wht_rules(id);
CREATE INDEX royalty_payment_statements_rule ON public.royalty_payment_statements USING btree (wht_rule_id);
CREATE INDEX royalty_payment_statements_statement ON public.royalty_payment_statements USING btree (royalty_statement_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.royalty_payment_statements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.royalty_payment_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table royalty_payment_statements is 'Statements settled by a payment, with gross, tax withheld and the rule applied.';

create table royalty_recoupments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  royalty_advance_id bigint not null
  statement_id bigint not null
  amount_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table royalty_recoupments add constraint royalty_recoupments_amount_minor_check CHECK (((amount_minor)::bigint <> 0));
alter table royalty_recoupments add constraint royalty_recoupments_pkey PRIMARY KEY (id);
alter table royalty_recoupments add constraint royalty_recoupments_royalty_advance_id_fkey FOREIGN KEY (royalty_advance_id) REFERENCES royalty_advances(id);
alter table royalty_recoupments add constraint royalty_recoupments_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES royalty_statements(id);
CREATE INDEX royalty_recoupments_advance ON public.royalty_recoupments USING btree (royalty_advance_id, id);
CREATE INDEX royalty_recoupments_statement ON public.royalty_recoupments USING btree (statement_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.royalty_recoupments FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.royalty_recoupments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
comment on table royalty_recoupments is 'Amounts of an advance that a statement recouped. Voiding the statement adds negative rows.';

create table royalty_reserve_releases -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  royalty_reserve_id bigint not null
  periods_later smallint not null
  amount_minor minor_amount not null
  released_statement_id bigint
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_reserve_releases add constraint royalty_reserve_releases_amount_minor_check CHECK (((amount_minor)::bigint >= 0));
alter table royalty_reserve_releases add constraint royalty_reserve_releases_periods_later_check CHECK ((periods_later >= 1));
alter table royalty_reserve_releases add constraint royalty_reserve_releases_pkey PRIMARY KEY (id);
alter table royalty_reserve_releases add constraint royalty_reserve_releases_released_statement_id_fkey FOREIGN KEY (released_statement_id) REFERENCES royalty_statements(id);
alter table royalty_reserve_releases add constraint royalty_reserve_releases_royalty_reserve_id_fkey FOREIGN KEY (royalty_reserve_id) REFERENCES royalty_reserves(id);
alter table royalty_reserve_releases add constraint royalty_reserve_releases_royalty_reserve_id_periods_later_key UNIQUE (royalty_reserve_id, periods_later);
CREATE INDEX royalty_reserve_releases_statement ON public.royalty_reserve_releases USING btree (released_statement_id) WHERE (released_statement_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_reserve_releases FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table royalty_reserve_releases is 'Releases of a reserve by later statements.';

create table royalty_reserves -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_royaltor_id bigint not null
  statement_id bigint
  division text not null
  currency currency_code not null
  taken_minor minor_amount not null
  released_minor minor_amount not null default 0
  held_minor minor_amount not null generated always as (((taken_minor)::bigint - (released_minor)::bigint)) stored
  taken_functional_minor minor_amount not null default 0
  released_functional_minor minor_amount not null default 0
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  taken_back_on date
alter table royalty_reserves add constraint royalty_reserves_check CHECK (((released_minor)::bigint <= (taken_minor)::bigint));
alter table royalty_reserves add constraint royalty_reserves_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_reserves add constraint royalty_reserves_opening CHECK (((taken_back_on IS NULL) OR ((statement_id IS NULL) AND ((released_minor)::bigint = (taken_minor)::bigint))));
alter table royalty_reserves add constraint royalty_reserves_pkey PRIMARY KEY (id);
alter table royalty_reserves add constraint royalty_reserves_released_minor_check CHECK (((released_minor)::bigint >= 0));
alter table royalty_reserves add constraint royalty_reserves_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table royalty_reserves add constraint royalty_reserves_show_royaltor_id_statement_id_key UNIQUE (show_royaltor_id, statement_id);
alter table royalty_reserves add constraint royalty_reserves_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES royalty_statements(id);
alter table royalty_reserves add constraint royalty_reserves_taken_minor_check CHECK (((taken_minor)::bigint > 0));
CREATE INDEX royalty_reserves_division ON public.royalty_reserves USING btree (division);
CREATE INDEX royalty_reserves_statement ON public.royalty_reserves USING btree (statement_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_reserves FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_reserves.statement_id is 'Statement that withheld it; null: brought from former books.';
comment on column royalty_reserves.taken_back_on is 'Day on which the opening balance was reversed.';
comment on table royalty_reserves is 'Reserves withheld by a statement: taken = released + held.';

create table royalty_statement_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  royalty_statement_id bigint not null
  section text not null
  sort integer not null default 0
  description text not null
  license_id bigint
  show_royaltor_id bigint
  period_from date
  period_to date
  performances integer
  quantity integer
  gross_minor minor_amount
  base_minor minor_amount
  rate_ppm rate_ppm
  amount_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table royalty_statement_lines add constraint royalty_statement_lines_description_check CHECK ((description <> ''::text));
alter table royalty_statement_lines add constraint royalty_statement_lines_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table royalty_statement_lines add constraint royalty_statement_lines_pkey PRIMARY KEY (id);
alter table royalty_statement_lines add constraint royalty_statement_lines_royalty_statement_id_fkey FOREIGN KEY (royalty_statement_id) REFERENCES royalty_statements(id) ON DELETE CASCADE;
alter table royalty_statement_lines add constraint royalty_statement_lines_section_check CHECK ((section = ANY (ARRAY['summary'::text, 'performances'::text, 'sales_and_rentals'::text, 'streaming'::text, 'adjustments'::text, 'reserves'::text, 'advances'::text, 'payments'::text])));
alter table royalty_statement_lines add constraint royalty_statement_lines_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
CREATE INDEX royalty_statement_lines_agreement ON public.royalty_statement_lines USING btree (show_royaltor_id) WHERE (show_royaltor_id IS NOT NULL);
CREATE INDEX royalty_statement_lines_license ON public.royalty_statement_lines USING btree (license_id) WHERE (license_id IS NOT NULL);
CREATE INDEX royalty_statement_lines_statement ON public.royalty_statement_lines USING btree (royalty_statement_id, sort, id);
CREATE TRIGGER guard_statement_line BEFORE DELETE ON public.royalty_statement_lines FOR EACH ROW EXECUTE FUNCTION guard_statement_line();
comment on table royalty_statement_lines is 'Lines of a statement.';

create table royalty_statement_runs -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  currency currency_code not null
  period_from date not null
  period_to date not null
  status text not null default 'draft'::text
  statement_count integer not null default 0
  net_minor minor_amount not null default 0
  pay_minor minor_amount not null default 0
  calculated_by_id bigint
  calculated_at timestamp with time zone
  approved_by_id bigint
  approved_at timestamp with time zone
  issued_at timestamp with time zone
  work text
  work_done integer not null default 0
  work_total integer not null default 0
  work_cursor bigint not null default 0
  work_royaltor_ids bigint[]
  work_on date
  work_by_id bigint
  failure text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_statement_runs add constraint royalty_statement_runs_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table royalty_statement_runs add constraint royalty_statement_runs_calculated_by_id_fkey FOREIGN KEY (calculated_by_id) REFERENCES users(id);
alter table royalty_statement_runs add constraint royalty_statement_runs_check CHECK ((period_to >= period_from));
alter table royalty_statement_runs add constraint royalty_statement_runs_check1 CHECK (((approved_by_id IS NULL) OR (approved_by_id <> calculated_by_id)));
alter table royalty_statement_runs add constraint royalty_statement_runs_check2 CHECK (((status <> ALL (ARRAY['approved'::text, 'issued'::text])) OR (approved_at IS NOT NULL)));
alter table royalty_statement_runs add constraint royalty_statement_runs_check3 CHECK ((work_total >= work_done));
alter table royalty_statement_runs add constraint royalty_statement_runs_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_statement_runs add constraint royalty_statement_runs_pkey PRIMARY KEY (id);
alter table royalty_statement_runs add constraint royalty_statement_runs_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'calculated'::text, 'approved'::text, 'issued'::text])));
alter table royalty_statement_runs add constraint royalty_statement_runs_work_by_id_fkey FOREIGN KEY (work_by_id) REFERENCES users(id);
alter table royalty_statement_runs add constraint royalty_statement_runs_work_check CHECK ((work = ANY (ARRAY['calculate'::text, 'issue'::text])));
alter table royalty_statement_runs add constraint royalty_statement_runs_work_done_check CHECK ((work_done >= 0));
CREATE INDEX royalty_statement_runs_division ON public.royalty_statement_runs USING btree (division);
CREATE INDEX royalty_statement_runs_latest ON public.royalty_statement_runs USING btree (period_to DESC, id DESC);
CREATE UNIQUE INDEX royalty_statement_runs_period ON public.royalty_statement_runs USING btree (division, currency, period_from, period_to) WHERE (status = ANY (ARRAY['draft'::text, 'calculated'::text]));
CREATE INDEX royalty_statement_runs_work ON public.royalty_statement_runs USING btree (id) WHERE (work IS NOT NULL);
CREATE INDEX royalty_statement_runs_work_by ON public.royalty_statement_runs USING btree (work_by_id) WHERE (work_by_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_statement_runs FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_statement_runs.failure is 'Why the last work stopped, for people to read.';
comment on column royalty_statement_runs.work is 'Background work in progress: calculate or issue, in chunks of one transaction each; null: none.';
comment on column royalty_statement_runs.work_cursor is 'Last agreement calculated. A restarted job continues after it.';
comment on column royalty_statement_runs.work_on is 'Date of issue.';
comment on column royalty_statement_runs.work_royaltor_ids is 'Royaltors to calculate; null: all.';
comment on table royalty_statement_runs is 'Runs that calculate and issue the statements of a period.';

create table royalty_statements -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  number text
  royalty_statement_run_id bigint
  royaltor_id bigint not null
  show_royaltor_id bigint
  cross_collateral_group_id bigint
  division text not null
  currency currency_code not null
  period_from date not null
  period_to date not null
  status text not null default 'draft'::text
  opening_minor minor_amount not null default 0
  earnings_minor minor_amount not null default 0
  reserves_taken_minor minor_amount not null default 0
  reserves_released_minor minor_amount not null default 0
  adjustments_minor minor_amount not null default 0
  available_minor minor_amount not null default 0
  recouped_minor minor_amount not null default 0
  top_up_minor minor_amount not null default 0
  net_minor minor_amount not null default 0
  vat_minor minor_amount not null default 0
  agent_minor minor_amount not null default 0
  expected_wht_minor minor_amount not null default 0
  withheld_minor minor_amount not null default 0
  payable_minor minor_amount not null default 0
  paid_minor minor_amount not null default 0
  closing_minor minor_amount not null generated always as ((((((((((((opening_minor)::bigint + (earnings_minor)::bigint) - (reserves_taken_minor)::bigint) + (reserves_released_minor)::bigint) + (adjustments_minor)::bigint) - (recouped_minor)::bigint) + (top_up_minor)::bigint) + (vat_minor)::bigint) - (paid_minor)::bigint) - (withheld_minor)::bigint) - (agent_minor)::bigint)) stored
  closing_unrecouped_minor minor_amount not null default 0
  closing_reserve_minor minor_amount not null default 0
  carried_reason text
  self_billing_number text
  calculated_by_id bigint
  approved_by_id bigint
  approved_at timestamp with time zone
  issued_at timestamp with time zone
  voided_at timestamp with time zone
  void_reason text
  snapshot jsonb
  document_id bigint
  sha256 sha256_hex
  transaction_id bigint
  carried_minor minor_amount not null default 0
  agent_carried_minor minor_amount not null default 0
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_statements add constraint royalty_statements_agent_minor_check CHECK (((agent_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_approved_by_id_fkey FOREIGN KEY (approved_by_id) REFERENCES users(id);
alter table royalty_statements add constraint royalty_statements_calculated_by_id_fkey FOREIGN KEY (calculated_by_id) REFERENCES users(id);
alter table royalty_statements add constraint royalty_statements_check CHECK ((period_to >= period_from));
alter table royalty_statements add constraint royalty_statements_check1 CHECK ((num_nonnulls(show_royaltor_id, cross_collateral_group_id) = 1));
alter table royalty_statements add constraint royalty_statements_check2 CHECK (((available_minor)::bigint = (((((opening_minor)::bigint + (earnings_minor)::bigint) - (reserves_taken_minor)::bigint) + (reserves_released_minor)::bigint) + (adjustments_minor)::bigint)));
alter table royalty_statements add constraint royalty_statements_check3 CHECK (((net_minor)::bigint = (((available_minor)::bigint - (recouped_minor)::bigint) + (top_up_minor)::bigint)));
alter table royalty_statements add constraint royalty_statements_check4 CHECK (((approved_by_id IS NULL) OR (approved_by_id <> calculated_by_id)));
alter table royalty_statements add constraint royalty_statements_check5 CHECK (((status <> ALL (ARRAY['approved'::text, 'issued'::text, 'part_paid'::text, 'paid'::text])) OR (approved_at IS NOT NULL)));
alter table royalty_statements add constraint royalty_statements_check6 CHECK (((status <> ALL (ARRAY['issued'::text, 'part_paid'::text, 'paid'::text])) OR ((number IS NOT NULL) AND (issued_at IS NOT NULL) AND (snapshot IS NOT NULL) AND (sha256 IS NOT NULL))));
alter table royalty_statements add constraint royalty_statements_check7 CHECK (((status = 'void'::text) = (voided_at IS NOT NULL)));
alter table royalty_statements add constraint royalty_statements_check8 CHECK (((status <> 'void'::text) OR (issued_at IS NULL)));
alter table royalty_statements add constraint royalty_statements_closing_reserve_minor_check CHECK (((closing_reserve_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_closing_unrecouped_minor_check CHECK (((closing_unrecouped_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_cross_collateral_group_id_fkey FOREIGN KEY (cross_collateral_group_id) REFERENCES cross_collateral_groups(id);
alter table royalty_statements add constraint royalty_statements_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table royalty_statements add constraint royalty_statements_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table royalty_statements add constraint royalty_statements_expected_wht_minor_check CHECK (((expected_wht_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_number_key UNIQUE (number);
alter table royalty_statements add constraint royalty_statements_paid_minor_check CHECK (((paid_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_paid_once CHECK ((((paid_minor)::bigint + (withheld_minor)::bigint) <= ((payable_minor)::bigint + (expected_wht_minor)::bigint))) NOT VALID;
alter table royalty_statements add constraint royalty_statements_payable_minor_check CHECK (((payable_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_pkey PRIMARY KEY (id);
alter table royalty_statements add constraint royalty_statements_recouped_minor_check CHECK (((recouped_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_reserves_released_minor_check CHECK (((reserves_released_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_reserves_taken_minor_check CHECK (((reserves_taken_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_royaltor_id_fkey FOREIGN KEY (royaltor_id) REFERENCES royaltors(id);
alter table royalty_statements add constraint royalty_statements_royalty_statement_run_id_fkey FOREIGN KEY (royalty_statement_run_id) REFERENCES royalty_statement_runs(id);
alter table royalty_statements add constraint royalty_statements_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table royalty_statements add constraint royalty_statements_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'calculated'::text, 'approved'::text, 'issued'::text, 'part_paid'::text, 'paid'::text, 'void'::text])));
alter table royalty_statements add constraint royalty_statements_top_up_minor_check CHECK (((top_up_minor)::bigint >= 0));
alter table royalty_statements add constraint royalty_statements_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
alter table royalty_statements add constraint royalty_statements_withheld_minor_check CHECK (((withheld_minor)::bigint >= 0));
CREATE INDEX royalty_statements_agreement ON public.royalty_statements USING btree (show_royaltor_id);
CREATE INDEX royalty_statements_division ON public.royalty_statements USING btree (division, currency, status, period_to DESC, id DESC);
CREATE INDEX royalty_statements_document ON public.royalty_statements USING btree (document_id) WHERE (document_id IS NOT NULL);
CREATE INDEX royalty_statements_group ON public.royalty_statements USING btree (cross_collateral_group_id);
CREATE INDEX royalty_statements_latest ON public.royalty_statements USING btree (period_to DESC, id DESC);
CREATE INDEX royalty_statements_number_start ON public.royalty_statements USING btree (lower(number) text_pattern_ops) WHERE (number IS NOT NULL);
CREATE UNIQUE INDEX royalty_statements_period ON public.royalty_statements USING btree (show_royaltor_id, cross_collateral_group_id, division, currency, period_from, period_to) NULLS NOT DISTINCT WHERE (status <> 'void'::text);
CREATE INDEX royalty_statements_royaltor ON public.royalty_statements USING btree (royaltor_id, period_to DESC, id DESC);
CREATE INDEX royalty_statements_run ON public.royalty_statements USING btree (royalty_statement_run_id, id);
CREATE INDEX royalty_statements_transaction ON public.royalty_statements USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX royalty_statements_waiting ON public.royalty_statements USING btree (royalty_statement_run_id, id) WHERE (status = 'calculated'::text);
CREATE TRIGGER check_statement_order BEFORE UPDATE OF issued_at ON public.royalty_statements FOR EACH ROW WHEN (((old.issued_at IS NULL) AND (new.issued_at IS NOT NULL))) EXECUTE FUNCTION check_statement_order();
CREATE TRIGGER guard_royalty_statement BEFORE DELETE ON public.royalty_statements FOR EACH ROW EXECUTE FUNCTION guard_royalty_statement();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_statements FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_statements.agent_carried_minor is 'Carrying amount of the part of the agent.';
comment on column royalty_statements.carried_minor is 'Carrying amount of the payable; 0 once paid or included in the next statement.';
comment on column royalty_statements.carried_reason is 'Why nothing is paid this time, as printed on the statement.';
comment on table royalty_statements is 'Royalty statements by agreement or cross-collateral group, division and currency. closing = opening + earnings - reserves + released + adjustments - recouped + top-up + VAT - paid - withheld - agent.';

create table royalty_term_tiers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  royalty_term_id bigint not null
  from_minor minor_amount not null
  rate_ppm rate_ppm not null
  after_recoupment boolean not null default false
  created_at timestamp with time zone not null default now()
alter table royalty_term_tiers add constraint royalty_term_tiers_from_minor_check CHECK (((from_minor)::bigint >= 0));
alter table royalty_term_tiers add constraint royalty_term_tiers_pkey PRIMARY KEY (id);
alter table royalty_term_tiers add constraint royalty_term_tiers_royalty_term_id_fkey FOREIGN KEY (royalty_term_id) REFERENCES royalty_terms(id);
alter table royalty_term_tiers add constraint royalty_term_tiers_royalty_term_id_from_minor_after_recoupm_key UNIQUE (royalty_term_id, from_minor, after_recoupment);
CREATE CONSTRAINT TRIGGER check_pool_tiers AFTER INSERT OR UPDATE ON public.royalty_term_tiers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_pool_tiers();
comment on table royalty_term_tiers is 'Rates of a term by amount.';

create table royalty_terms -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  show_royaltor_id bigint not null
  priority integer not null default 0
  match_income_types text[] not null default '{}'::text[]
  match_categories text[] not null default '{}'::text[]
  match_divisions text[] not null default '{}'::text[]
  match_countries text[] not null default '{}'::text[]
  match_territory_group text
  match_material_category text
  match_material_sub_category text
  match_item_number text
  match_add_on_id bigint
  match_date_from date
  match_date_to date
  match_customer_classification_id bigint
  match_count smallint not null generated always as ((((((((((((match_income_types <> '{}'::text[]))::integer + ((match_categories <> '{}'::text[]))::integer) + ((match_divisions <> '{}'::text[]))::integer) + (((match_countries <> '{}'::text[]) OR (match_territory_group IS NOT NULL)))::integer) + ((match_material_category IS NOT NULL))::integer) + ((match_material_sub_category IS NOT NULL))::integer) + ((match_item_number IS NOT NULL))::integer) + ((match_add_on_id IS NOT NULL))::integer) + (((match_date_from IS NOT NULL) OR (match_date_to IS NOT NULL)))::integer) + ((match_customer_classification_id IS NOT NULL))::integer)) stored
  rate_ppm rate_ppm not null
  share_points integer not null default 1
  basis text not null default 'receipts'::text
  unit_amount_minor minor_amount
  source_commission_ppm rate_ppm
  min_per_performance_minor minor_amount
  annual_min_minor minor_amount
  reserve_ppm rate_ppm not null default 0
  recoupable boolean not null default true
  pool_of text
  pool_min_per_point_minor minor_amount
  pool_points_x100 integer
  pool_total_points_x100 integer
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table royalty_terms add constraint royalty_terms_annual_min_minor_check CHECK (((annual_min_minor)::bigint >= 0));
alter table royalty_terms add constraint royalty_terms_basis_check CHECK ((basis = ANY (ARRAY['receipts'::text, 'after_house_commission'::text, 'net_after_costs'::text, 'per_performance_amount'::text, 'per_unit'::text, 'at_source'::text, 'pool_points'::text])));
alter table royalty_terms add constraint royalty_terms_check CHECK ((match_date_to >= match_date_from));
alter table royalty_terms add constraint royalty_terms_check1 CHECK (((basis = ANY (ARRAY['per_performance_amount'::text, 'per_unit'::text])) = (unit_amount_minor IS NOT NULL)));
alter table royalty_terms add constraint royalty_terms_check2 CHECK (((basis = 'at_source'::text) = (source_commission_ppm IS NOT NULL)));
alter table royalty_terms add constraint royalty_terms_match_add_on_id_fkey FOREIGN KEY (match_add_on_id) REFERENCES add_ons(id);
alter table royalty_terms add constraint royalty_terms_match_categories_check CHECK ((match_categories <@ ARRAY['Amateur'::text, 'Pro'::text]));
alter table royalty_terms add constraint royalty_terms_match_customer_classification_id_fkey FOREIGN KEY (match_customer_classification_id) REFERENCES customer_classifications(id);
alter table royalty_terms add constraint royalty_terms_match_divisions_check CHECK (is_division_set(match_divisions));
alter table royalty_terms add constraint royalty_terms_match_income_types_check CHECK ((match_income_types <@ ARRAY['royalty'::text, 'rental'::text, 'sale'::text, 'digital'::text, 'add_on'::text, 'streaming'::text, 'video'::text, 'perusal'::text, 'late_fee'::text, 'advance'::text, 'breakage'::text, 'cancellation_fee'::text]));
alter table royalty_terms add constraint royalty_terms_min_per_performance_minor_check CHECK (((min_per_performance_minor)::bigint >= 0));
alter table royalty_terms add constraint royalty_terms_pkey PRIMARY KEY (id);
alter table royalty_terms add constraint royalty_terms_pool CHECK (
CASE
    WHEN (basis = 'pool_points'::text) THEN ((pool_of IS NOT NULL) AND (pool_min_per_point_minor IS NOT NULL) AND (pool_points_x100 IS NOT NULL) AND (pool_total_points_x100 IS NOT NULL))
    ELSE ((pool_of IS NULL) AND (pool_min_per_point_minor IS NULL) AND (pool_points_x100 IS NULL) AND (pool_total_points_x100 IS NULL))
END);
alter table royalty_terms add constraint royalty_terms_pool_income CHECK (((basis <> 'pool_points'::text) OR ((match_income_types = ARRAY['royalty'::text]) AND (min_per_performance_minor IS NULL))));
alter table royalty_terms add constraint royalty_terms_pool_min_per_point_minor_check CHECK (((pool_min_per_point_minor)::bigint >= 0));
alter table royalty_terms add constraint royalty_terms_pool_of_check CHECK ((pool_of = ANY (ARRAY['operating_profit'::text, 'gross'::text])));
alter table royalty_terms add constraint royalty_terms_pool_points CHECK ((pool_points_x100 <= pool_total_points_x100));
alter table royalty_terms add constraint royalty_terms_pool_points_x100_check CHECK (((pool_points_x100 >= 1) AND (pool_points_x100 <= 1000000)));
alter table royalty_terms add constraint royalty_terms_pool_total_points_x100_check CHECK (((pool_total_points_x100 >= 1) AND (pool_total_points_x100 <= 1000000)));
alter table royalty_terms add constraint royalty_terms_share_points_check CHECK (((share_points >= 0) AND (share_points <= 1000000)));
alter table royalty_terms add constraint royalty_terms_show_royaltor_id_fkey FOREIGN KEY (show_royaltor_id) REFERENCES show_royaltors(id);
alter table royalty_terms add constraint royalty_terms_source_commission_ppm_check CHECK (((source_commission_ppm)::integer < 1000000));
alter table royalty_terms add constraint royalty_terms_unit_amount_minor_check CHECK (((unit_amount_minor)::bigint >= 0));
CREATE INDEX royalty_terms_add_on ON public.royalty_terms USING btree (match_add_on_id);
CREATE INDEX royalty_terms_agreement ON public.royalty_terms USING btree (show_royaltor_id, match_count DESC, priority DESC, id);
CREATE INDEX royalty_terms_classification ON public.royalty_terms USING btree (match_customer_classification_id);
CREATE CONSTRAINT TRIGGER check_pool_tiers AFTER UPDATE ON public.royalty_terms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_pool_tiers();
CREATE TRIGGER check_share_points BEFORE INSERT OR UPDATE OF share_points ON public.royalty_terms FOR EACH ROW EXECUTE FUNCTION check_share_points();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.royalty_terms FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column royalty_terms.match_count is 'Number of fields the term matches on; the term with the most applies.';
comment on column royalty_terms.pool_points_x100 is 'Points of this party in the royalty pool times 100: half a point is 50.';
comment on column royalty_terms.pool_total_points_x100 is 'Points of all parties times 100, including those paid by others.';
comment on table royalty_terms is 'Rates of an agreement. The term that matches a line of income in the most fields applies, then priority, then id. An empty array or null matches everything.';

create table sales_items -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  item_number text not null
  name text not null
  description text not null default ''::text
  show_id bigint
  item_class text not null default 'merchandise'::text
  price_usd_minor minor_amount
  price_eur_minor minor_amount
  price_gbp_minor minor_amount
  shipping_usd_minor minor_amount not null default 0
  shipping_eur_minor minor_amount not null default 0
  shipping_gbp_minor minor_amount not null default 0
  weight_g integer
  stocked boolean not null default true
  reorder_point integer
  active boolean not null default true
  tax boolean not null default true
  vat boolean not null default true
  search_text text not null generated always as (search_words(VARIADIC ARRAY[item_number, name])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table sales_items add constraint sales_items_item_class_check CHECK ((item_class = ANY (ARRAY['merchandise'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text])));
alter table sales_items add constraint sales_items_item_number_check CHECK ((item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'::text));
alter table sales_items add constraint sales_items_item_number_key UNIQUE (item_number);
alter table sales_items add constraint sales_items_name_check CHECK ((name <> ''::text));
alter table sales_items add constraint sales_items_pkey PRIMARY KEY (id);
alter table sales_items add constraint sales_items_price_eur_minor_check CHECK (((price_eur_minor)::bigint >= 0));
alter table sales_items add constraint sales_items_price_gbp_minor_check CHECK (((price_gbp_minor)::bigint >= 0));
alter table sales_items add constraint sales_items_price_usd_minor_check CHECK (((price_usd_minor)::bigint >= 0));
alter table sales_items add constraint sales_items_reorder_point_check CHECK (((reorder_point >= 0) AND (reorder_point <= 1000000)));
alter table sales_items add constraint sales_items_shipping_eur_minor_check CHECK (((shipping_eur_minor)::bigint >= 0));
alter table sales_items add constraint sales_items_shipping_gbp_minor_check CHECK (((shipping_gbp_minor)::bigint >= 0));
alter table sales_items add constraint sales_items_shipping_usd_minor_check CHECK (((shipping_usd_minor)::bigint >= 0));
alter table sales_items add constraint sales_items_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table sales_items add constraint sales_items_weight_g_check CHECK (((weight_g >= 0) AND (weight_g <= 1000000)));
CREATE INDEX sales_items_name ON public.sales_items USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX sales_items_name_start ON public.sales_items USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX sales_items_number_start ON public.sales_items USING btree (lower(item_number) text_pattern_ops);
CREATE INDEX sales_items_search ON public.sales_items USING gin (search_text gin_trgm_ops);
CREATE INDEX sales_items_show ON public.sales_items USING btree (show_id);
CREATE TRIGGER claim_item_number BEFORE INSERT OR UPDATE OF item_number ON public.sales_items FOR EACH ROW EXECUTE FUNCTION claim_item_number('sales_item');
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.sales_items FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column sales_items.item_class is 'Decides the tax rate.';
comment on column sales_items.price_usd_minor is 'Null: not sold in this currency.';
comment on column sales_items.stocked is 'False: sent as a file or made on demand, so never out of stock.';
comment on column sales_items.tax is 'Whether tax is determined at all; item_class decides the rate.';
comment on table sales_items is 'Goods sold without a license: merchandise, scripts, services.';

create table sales_order_events -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  sales_order_id bigint not null
  event text not null
  from_status text not null
  to_status text not null
  note text not null default ''::text
  actor_id bigint
  occurred_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table sales_order_events add constraint sales_order_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id);
alter table sales_order_events add constraint sales_order_events_pkey PRIMARY KEY (id);
alter table sales_order_events add constraint sales_order_events_sales_order_id_fkey FOREIGN KEY (sales_order_id) REFERENCES sales_orders(id);
CREATE INDEX sales_order_events_actor ON public.sales_order_events USING btree (actor_id);
CREATE INDEX sales_order_events_order ON public.sales_order_events USING btree (sales_order_id, id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.sales_order_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.sales_order_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create policy counter on sales_order_events as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_events.sales_order_id)))) with check ((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_events.sales_order_id))));
create policy house on sales_order_events as permissive for all to app_rw using (true) with check (true);
comment on table sales_order_events is 'History of an order. Append-only.';

create table sales_order_invoices -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  sales_order_id bigint not null
  invoice_id bigint not null
  reason text not null
  created_at timestamp with time zone not null default now()
alter table sales_order_invoices add constraint sales_order_invoices_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table sales_order_invoices add constraint sales_order_invoices_invoice_id_key UNIQUE (invoice_id);
alter table sales_order_invoices add constraint sales_order_invoices_pkey PRIMARY KEY (id);
alter table sales_order_invoices add constraint sales_order_invoices_reason_check CHECK ((reason = ANY (ARRAY['shipment'::text, 'missing'::text, 'prepaid'::text])));
alter table sales_order_invoices add constraint sales_order_invoices_sales_order_id_fkey FOREIGN KEY (sales_order_id) REFERENCES sales_orders(id);
CREATE INDEX sales_order_invoices_order ON public.sales_order_invoices USING btree (sales_order_id);
CREATE UNIQUE INDEX sales_order_invoices_prepaid ON public.sales_order_invoices USING btree (sales_order_id) WHERE (reason = 'prepaid'::text);
create policy counter on sales_order_invoices as restrictive for all to app_counter using (((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_invoices.sales_order_id))) OR (EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.sales_order_id = sales_order_invoices.sales_order_id))))) with check (((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_invoices.sales_order_id))) OR (EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.sales_order_id = sales_order_invoices.sales_order_id)))));
create policy house on sales_order_invoices as permissive for all to app_rw using (true) with check (true);
create policy portal on sales_order_invoices as permissive for select to app_portal using ((((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_invoices.sales_order_id))) OR (EXISTS ( SELECT 1
   FROM perusals p
  WHERE (p.sales_order_id = sales_order_invoices.sales_order_id)))) AND true));
comment on table sales_order_invoices is 'Invoices of an order, with the reason for each.';

create table sales_order_lines -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  sales_order_id bigint not null -- rights app_portal=r/app_migrate
  sort integer not null default 0 -- rights app_portal=r/app_migrate
  material_id bigint -- rights app_portal=r/app_migrate
  sales_item_id bigint -- rights app_portal=r/app_migrate
  description text not null -- rights app_portal=r/app_migrate
  physical boolean not null
  return_required boolean not null -- rights app_portal=r/app_migrate
  item_class text not null
  quantity integer not null -- rights app_portal=r/app_migrate
  qty_reserved integer not null default 0
  qty_picked integer not null default 0
  qty_shipped integer not null default 0 -- rights app_portal=r/app_migrate
  qty_cancelled integer not null default 0 -- rights app_portal=r/app_migrate
  qty_returned_good integer not null default 0 -- rights app_portal=r/app_migrate
  qty_returned_damaged integer not null default 0 -- rights app_portal=r/app_migrate
  qty_lost integer not null default 0 -- rights app_portal=r/app_migrate
  qty_invoiced integer not null default 0
  unit_price_minor minor_amount not null default 0 -- rights app_portal=r/app_migrate
  shipping_minor minor_amount not null default 0 -- rights app_portal=r/app_migrate
  replacement_minor minor_amount not null default 0
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table sales_order_lines add constraint sales_order_lines_check CHECK ((num_nonnulls(material_id, sales_item_id) = 1));
alter table sales_order_lines add constraint sales_order_lines_check1 CHECK ((qty_invoiced <= qty_shipped));
alter table sales_order_lines add constraint sales_order_lines_check2 CHECK ((physical OR ((qty_reserved + qty_picked) = 0)));
alter table sales_order_lines add constraint sales_order_lines_check3 CHECK ((return_required OR (((qty_returned_good + qty_returned_damaged) + qty_lost) = 0)));
alter table sales_order_lines add constraint sales_order_lines_description_check CHECK ((description <> ''::text));
alter table sales_order_lines add constraint sales_order_lines_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table sales_order_lines add constraint sales_order_lines_ordered CHECK ((quantity >= (((qty_reserved + qty_picked) + qty_shipped) + qty_cancelled)));
alter table sales_order_lines add constraint sales_order_lines_pkey PRIMARY KEY (id);
alter table sales_order_lines add constraint sales_order_lines_qty_cancelled_check CHECK ((qty_cancelled >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_invoiced_check CHECK ((qty_invoiced >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_lost_check CHECK ((qty_lost >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_picked_check CHECK ((qty_picked >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_reserved_check CHECK ((qty_reserved >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_returned_damaged_check CHECK ((qty_returned_damaged >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_returned_good_check CHECK ((qty_returned_good >= 0));
alter table sales_order_lines add constraint sales_order_lines_qty_shipped_check CHECK ((qty_shipped >= 0));
alter table sales_order_lines add constraint sales_order_lines_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100000)));
alter table sales_order_lines add constraint sales_order_lines_replacement_minor_check CHECK (((replacement_minor)::bigint >= 0));
alter table sales_order_lines add constraint sales_order_lines_returned CHECK ((qty_shipped >= ((qty_returned_good + qty_returned_damaged) + qty_lost)));
alter table sales_order_lines add constraint sales_order_lines_sales_item_id_fkey FOREIGN KEY (sales_item_id) REFERENCES sales_items(id);
alter table sales_order_lines add constraint sales_order_lines_sales_order_id_fkey FOREIGN KEY (sales_order_id) REFERENCES sales_orders(id);
alter table sales_order_lines add constraint sales_order_lines_shipping_minor_check CHECK (((shipping_minor)::bigint >= 0));
alter table sales_order_lines add constraint sales_order_lines_unit_price_minor_check CHECK (((unit_price_minor)::bigint >= 0));
CREATE INDEX sales_order_lines_material ON public.sales_order_lines USING btree (material_id) WHERE (material_id IS NOT NULL);
CREATE INDEX sales_order_lines_order ON public.sales_order_lines USING btree (sales_order_id, sort, id);
CREATE INDEX sales_order_lines_sales_item ON public.sales_order_lines USING btree (sales_item_id) WHERE (sales_item_id IS NOT NULL);
CREATE TRIGGER mark_material_used AFTER INSERT ON public.sales_order_lines FOR EACH ROW WHEN ((new.material_id IS NOT NULL)) EXECUTE FUNCTION mark_material_used();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.sales_order_lines FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on sales_order_lines as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_lines.sales_order_id)))) with check ((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_lines.sales_order_id))));
create policy house on sales_order_lines as permissive for all to app_rw using (true) with check (true);
create policy portal on sales_order_lines as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM sales_orders o
  WHERE (o.id = sales_order_lines.sales_order_id))) AND true));
comment on column sales_order_lines.physical is 'Shipped from the warehouse; files and services are not.';
comment on column sales_order_lines.qty_invoiced is 'Quantity billed by this order; 0 if the license bills it.';
comment on table sales_order_lines is 'Lines of an order.';

create table sales_orders -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  number text not null default ('SO-'::text || nextval('sales_order_numbers'::regclass)) -- rights app_portal=r/app_migrate
  kind text not null -- rights app_portal=r/app_migrate
  status text not null default 'draft'::text -- rights app_portal=r/app_migrate
  customer_id bigint not null -- rights app_portal=r/app_migrate
  license_id bigint -- rights app_portal=r/app_migrate
  division text not null -- rights app_portal=r/app_migrate
  currency currency_code not null -- rights app_portal=r/app_migrate
  warehouse_id bigint not null
  ship_to postal_address -- rights app_portal=r/app_migrate
  ship_to_name text not null default ''::text -- rights app_portal=r/app_migrate
  email email_address
  phone text
  ship_on date
  rush boolean not null default false
  carrier text not null default ''::text -- rights app_portal=r/app_migrate
  tracking text[] not null default '{}'::text[] -- rights app_portal=r/app_migrate
  released_at timestamp with time zone
  shipped_on date -- rights app_portal=r/app_migrate
  delivered_on date -- rights app_portal=r/app_migrate
  return_due_on date -- rights app_portal=r/app_migrate
  returned_on date
  closed_at timestamp with time zone
  cancelled_at timestamp with time zone -- rights app_portal=r/app_migrate
  cancel_reason text not null default ''::text -- rights app_portal=r/app_migrate
  notes text not null default ''::text
  created_by_id bigint
  quoted_net_minor minor_amount -- rights app_portal=r/app_migrate
  quoted_tax_minor minor_amount -- rights app_portal=r/app_migrate
  from_portal boolean not null default false -- rights app_portal=r/app_migrate
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, ship_to_name])) stored
  version integer not null default 1
  created_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
  updated_at timestamp with time zone not null default now() -- rights app_portal=r/app_migrate
alter table sales_orders add constraint sales_orders_check CHECK (((kind = 'license'::text) = (license_id IS NOT NULL)));
alter table sales_orders add constraint sales_orders_check1 CHECK (((NOT from_portal) OR ((quoted_net_minor IS NOT NULL) AND (quoted_tax_minor IS NOT NULL))));
alter table sales_orders add constraint sales_orders_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table sales_orders add constraint sales_orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table sales_orders add constraint sales_orders_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table sales_orders add constraint sales_orders_kind_check CHECK ((kind = ANY (ARRAY['license'::text, 'book_order'::text, 'perusal'::text, 'sales_item'::text])));
alter table sales_orders add constraint sales_orders_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table sales_orders add constraint sales_orders_number_key UNIQUE (number);
alter table sales_orders add constraint sales_orders_pkey PRIMARY KEY (id);
alter table sales_orders add constraint sales_orders_quoted_net_minor_check CHECK (((quoted_net_minor)::bigint >= 0));
alter table sales_orders add constraint sales_orders_quoted_tax_minor_check CHECK (((quoted_tax_minor)::bigint >= 0));
alter table sales_orders add constraint sales_orders_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'released'::text, 'picking'::text, 'packed'::text, 'partially_shipped'::text, 'shipped'::text, 'delivered'::text, 'on_hire'::text, 'return_due'::text, 'overdue'::text, 'partially_returned'::text, 'returned'::text, 'closed'::text, 'cancelled'::text])));
alter table sales_orders add constraint sales_orders_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouses(id);
CREATE INDEX sales_orders_customer ON public.sales_orders USING btree (customer_id, id DESC);
CREATE INDEX sales_orders_division ON public.sales_orders USING btree (division);
CREATE INDEX sales_orders_due ON public.sales_orders USING btree (return_due_on, id) WHERE (status = ANY (ARRAY['shipped'::text, 'delivered'::text, 'on_hire'::text, 'return_due'::text, 'overdue'::text, 'partially_returned'::text]));
CREATE INDEX sales_orders_from_portal ON public.sales_orders USING btree (customer_id, id DESC) WHERE from_portal;
CREATE INDEX sales_orders_latest ON public.sales_orders USING btree (updated_at DESC, id DESC);
CREATE INDEX sales_orders_license ON public.sales_orders USING btree (license_id, id DESC) WHERE (license_id IS NOT NULL);
CREATE INDEX sales_orders_number_start ON public.sales_orders USING btree (lower(number) text_pattern_ops);
CREATE INDEX sales_orders_search ON public.sales_orders USING gin (search_text gin_trgm_ops);
CREATE INDEX sales_orders_status ON public.sales_orders USING btree (status, id DESC);
CREATE INDEX sales_orders_warehouse ON public.sales_orders USING btree (warehouse_id, id DESC);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.sales_orders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on sales_orders as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on sales_orders as permissive for all to app_rw using (true) with check (true);
create policy portal on sales_orders as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND (from_portal OR ((kind = 'license'::text) AND (status <> 'draft'::text)))));
comment on column sales_orders.quoted_net_minor is 'Price shown to the customer in the shop. The invoice is calculated again from the same lines on shipment.';
comment on column sales_orders.ship_on is 'Earliest shipping date, unless it is a rush order.';
comment on table sales_orders is 'Orders: materials for licenses, shop orders, perusals by mail.';

create table saved_views -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  user_id bigint not null
  page_key text not null
  name text not null
  search jsonb not null default '{}'::jsonb
  columns jsonb not null default '[]'::jsonb
  shared boolean not null default false
  is_default boolean not null default false
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table saved_views add constraint saved_views_columns_check CHECK ((jsonb_typeof(columns) = 'array'::text));
alter table saved_views add constraint saved_views_name_check CHECK ((((length(name) >= 1) AND (length(name) <= 60)) AND (name = btrim(name))));
alter table saved_views add constraint saved_views_page_key_check CHECK ((page_key ~ '^/[a-z0-9/:_-]{1,119}$'::text));
alter table saved_views add constraint saved_views_pkey PRIMARY KEY (id);
alter table saved_views add constraint saved_views_search_check CHECK ((jsonb_typeof(search) = 'object'::text));
alter table saved_views add constraint saved_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE UNIQUE INDEX saved_views_default ON public.saved_views USING btree (user_id, page_key) WHERE is_default;
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (user_id, page_key, lower(name));
CREATE INDEX saved_views_shared ON public.saved_views USING btree (page_key) WHERE shared;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.saved_views FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column saved_views.columns is 'Visible columns in order; empty: those of the reader.';
comment on column saved_views.search is 'Query parameters of the list: {"phase": "sent", "sort_by": "opening"}.';
comment on table saved_views is 'Saved filters, sort order and columns of a list. page_key is the address of the list with record numbers replaced by :id.';

create table schema_migrations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=r/app_migrate
  name text not null
  checksum text not null
  applied_at timestamp with time zone not null default now()
alter table schema_migrations add constraint schema_migrations_pkey PRIMARY KEY (name);
comment on table schema_migrations is 'Migrations that ran, with the checksum of each file.';

create table security_policy -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=rw/app_migrate
  single boolean not null default true
  require_staff_two_factor boolean not null default false
  version integer not null default 1
  updated_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table security_policy add constraint security_policy_pkey PRIMARY KEY (single);
alter table security_policy add constraint security_policy_single_check CHECK (single);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.security_policy FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table security_policy is 'One row: which second factors the company requires of its staff.';

create table sessions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  token_hash bytea not null
  user_id bigint
  csrf_token text not null
  epoch integer not null default 1
  ip inet
  user_agent text
  acting_customer_id bigint
  acting_until timestamp with time zone
  confirmed_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  last_seen_at timestamp with time zone not null default now()
  expires_at timestamp with time zone not null
  challenge_user_id bigint
  challenge_expires_at timestamp with time zone
  passkey_challenge text
  passkey_challenge_expires_at timestamp with time zone
  second_factor text
alter table sessions add constraint sessions_challenge_user_id_fkey FOREIGN KEY (challenge_user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sessions add constraint sessions_pkey PRIMARY KEY (id);
alter table sessions add constraint sessions_second_factor_check CHECK ((second_factor = ANY (ARRAY['code'::text, 'recovery_code'::text, 'passkey'::text])));
alter table sessions add constraint sessions_token_hash_check CHECK ((length(token_hash) = 32));
alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX sessions_challenge ON public.sessions USING btree (challenge_user_id) WHERE (challenge_user_id IS NOT NULL);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE UNIQUE INDEX sessions_token ON public.sessions USING btree (token_hash);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id) WHERE (user_id IS NOT NULL);
comment on column sessions.challenge_user_id is 'Person whose password was correct and whose second factor is still missing. The session has the rights of a guest until then.';
comment on column sessions.passkey_challenge is 'Challenge for the next passkey response. Valid for five minutes and one response.';
comment on column sessions.second_factor is 'Second factor that was used; null if none.';
comment on column sessions.user_id is 'Null until sign-in: guests have a session too, for the CSRF token.';
comment on table sessions is 'Sign-in sessions, guests included. Revoking a row takes effect on the next request to any server. Tokens are stored as hashes only.';

create table show_aliases -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  alias text not null
  alias_key text not null generated always as (search_fold(alias)) stored
  created_at timestamp with time zone not null default now()
alter table show_aliases add constraint show_aliases_alias_check CHECK ((alias <> ''::text));
alter table show_aliases add constraint show_aliases_alias_key_key UNIQUE (alias_key);
alter table show_aliases add constraint show_aliases_pkey PRIMARY KEY (id);
alter table show_aliases add constraint show_aliases_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
CREATE INDEX show_aliases_fold ON public.show_aliases USING btree (name_key(alias));
CREATE INDEX show_aliases_show ON public.show_aliases USING btree (show_id);
comment on table show_aliases is 'Other titles under which returns and imports recognize a show.';

create table show_images -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  file_id bigint not null
  caption text not null default ''::text
  sort integer not null default 0
  width integer not null default 1
  height integer not null default 1
  created_at timestamp with time zone not null default now()
alter table show_images add constraint show_images_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
alter table show_images add constraint show_images_height_check CHECK (((height >= 1) AND (height <= 20000)));
alter table show_images add constraint show_images_pkey PRIMARY KEY (id);
alter table show_images add constraint show_images_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table show_images add constraint show_images_width_check CHECK (((width >= 1) AND (width <= 20000)));
CREATE INDEX show_images_file ON public.show_images USING btree (file_id);
CREATE INDEX show_images_show ON public.show_images USING btree (show_id, sort, id);
comment on column show_images.height is 'Height in px of the stored picture.';
comment on column show_images.width is 'Width in px of the stored picture, so that pages can reserve its space.';
comment on table show_images is 'Pictures of a show.';

create table show_packages -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  division text not null
  name text not null
  item_class text not null default 'rental'::text
  currency currency_code not null
  price_minor minor_amount not null
  included_period_count integer not null
  period_unit text not null
  extra_period_price_minor minor_amount not null default 0
  shipping_minor minor_amount not null default 0
  active boolean not null default true
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table show_packages add constraint show_packages_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table show_packages add constraint show_packages_extra_period_price_minor_check CHECK (((extra_period_price_minor)::bigint >= 0));
alter table show_packages add constraint show_packages_included_period_count_check CHECK (((included_period_count >= 1) AND (included_period_count <= 120)));
alter table show_packages add constraint show_packages_item_class_check CHECK ((item_class = ANY (ARRAY['rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text])));
alter table show_packages add constraint show_packages_name_check CHECK ((name <> ''::text));
alter table show_packages add constraint show_packages_period_unit_check CHECK ((period_unit = ANY (ARRAY['week'::text, 'month'::text])));
alter table show_packages add constraint show_packages_pkey PRIMARY KEY (id);
alter table show_packages add constraint show_packages_price_minor_check CHECK (((price_minor)::bigint >= 0));
alter table show_packages add constraint show_packages_shipping_minor_check CHECK (((shipping_minor)::bigint >= 0));
alter table show_packages add constraint show_packages_show_id_division_name_key UNIQUE (show_id, division, name);
alter table show_packages add constraint show_packages_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
CREATE INDEX show_packages_division ON public.show_packages USING btree (division);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.show_packages FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table show_packages is 'Rental packages of a show. Separate from rate cards: a new royalty rate must not copy rental prices.';

create table show_restrictions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  kind text not null
  max_n integer
  division text
  country country_code
  region text
  lat double precision
  lng double precision
  radius_km numeric(9,3)
  date_from date not null
  date_to date
  categories text[] not null default '{}'::text[]
  customer_classification_id bigint
  media text[] not null default '{}'::text[]
  starts_from time without time zone
  starts_before time without time zone
  reason_public text not null
  reason_internal text not null default ''::text
  source_license_id bigint
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table show_restrictions add constraint show_restrictions_categories_check CHECK ((categories <@ ARRAY['Amateur'::text, 'Pro'::text]));
alter table show_restrictions add constraint show_restrictions_check CHECK (((date_to IS NULL) OR (date_to >= date_from)));
alter table show_restrictions add constraint show_restrictions_check1 CHECK (((kind = 'max_n'::text) = (max_n IS NOT NULL)));
alter table show_restrictions add constraint show_restrictions_check2 CHECK ((num_nonnulls(lat, lng, radius_km) = ANY (ARRAY[0, 3])));
alter table show_restrictions add constraint show_restrictions_check3 CHECK (((region IS NULL) OR (country IS NOT NULL)));
alter table show_restrictions add constraint show_restrictions_check4 CHECK ((starts_from < starts_before));
alter table show_restrictions add constraint show_restrictions_customer_classification_id_fkey FOREIGN KEY (customer_classification_id) REFERENCES customer_classifications(id);
alter table show_restrictions add constraint show_restrictions_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table show_restrictions add constraint show_restrictions_kind_check CHECK ((kind = ANY (ARRAY['blocked'::text, 'needs_clearance'::text, 'max_n'::text])));
alter table show_restrictions add constraint show_restrictions_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));
alter table show_restrictions add constraint show_restrictions_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)));
alter table show_restrictions add constraint show_restrictions_max_n_check CHECK ((max_n >= 0));
alter table show_restrictions add constraint show_restrictions_media_check CHECK ((media <@ ARRAY['stage'::text, 'stream'::text, 'record'::text]));
alter table show_restrictions add constraint show_restrictions_pkey PRIMARY KEY (id);
alter table show_restrictions add constraint show_restrictions_radius_km_check CHECK ((radius_km > (0)::numeric));
alter table show_restrictions add constraint show_restrictions_reason_public_check CHECK ((reason_public <> ''::text));
alter table show_restrictions add constraint show_restrictions_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table show_restrictions add constraint show_restrictions_source_license_id_fkey FOREIGN KEY (source_license_id) REFERENCES licenses(id);
CREATE INDEX show_restrictions_all ON public.show_restrictions USING btree (show_id, id);
CREATE INDEX show_restrictions_classification ON public.show_restrictions USING btree (customer_classification_id);
CREATE INDEX show_restrictions_division ON public.show_restrictions USING btree (division);
CREATE UNIQUE INDEX show_restrictions_same ON public.show_restrictions USING btree (show_id, kind, division, country, region, lat, lng, radius_km, date_from, date_to, categories, customer_classification_id, media, starts_from, starts_before) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);
CREATE INDEX show_restrictions_show ON public.show_restrictions USING btree (show_id, date_from, date_to) WHERE (deleted_at IS NULL);
CREATE INDEX show_restrictions_source ON public.show_restrictions USING btree (source_license_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.show_restrictions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table show_restrictions is 'Restrictions on licensing a show. Empty arrays and nulls match everything. A restriction may come from an exclusive license.';

create table show_royaltors -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_id bigint not null
  royaltor_id bigint not null
  role text not null
  share_label text not null default ''::text
  contract_no text not null default ''::text
  signed_on date
  term_from date
  term_to date
  territory text not null default 'World'::text
  payer_division text not null
  currency currency_code not null
  status text not null default 'draft'::text
  accrual_basis text not null default 'on_receipt'::text
  date_basis text not null default 'performance'::text
  royalty_presentation text not null default 'gross'::text
  cross_collateral_group_id bigint
  agent_royaltor_id bigint
  agent_ppm rate_ppm not null default 0
  agent_pays text
  opening_balance_minor minor_amount not null default 0
  opening_unrecouped_minor minor_amount not null default 0
  reserve_schedule_ppm integer[] not null default '{}'::integer[]
  min_payout_minor minor_amount
  annual_minimum_minor minor_amount
  opening_on date
  opening_transaction_id bigint
  opening_statement_id bigint
  opening_carried_minor minor_amount not null default 0
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table show_royaltors add constraint show_royaltors_accrual_basis_check CHECK ((accrual_basis = ANY (ARRAY['on_receipt'::text, 'on_invoice'::text, 'on_close'::text])));
alter table show_royaltors add constraint show_royaltors_agent_pays_check CHECK ((agent_pays = ANY (ARRAY['split_payment'::text, 'all_to_agent'::text])));
alter table show_royaltors add constraint show_royaltors_agent_royaltor_id_fkey FOREIGN KEY (agent_royaltor_id) REFERENCES royaltors(id);
alter table show_royaltors add constraint show_royaltors_annual_minimum_minor_check CHECK (((annual_minimum_minor)::bigint >= 0));
alter table show_royaltors add constraint show_royaltors_check CHECK ((term_to >= term_from));
alter table show_royaltors add constraint show_royaltors_check1 CHECK ((((agent_ppm)::integer > 0) <= ((agent_royaltor_id IS NOT NULL) AND (agent_pays IS NOT NULL))));
alter table show_royaltors add constraint show_royaltors_check2 CHECK (((opening_transaction_id IS NULL) OR (opening_on IS NOT NULL)));
alter table show_royaltors add constraint show_royaltors_check3 CHECK (((opening_statement_id IS NULL) OR ((opening_transaction_id IS NOT NULL) AND ((opening_carried_minor)::bigint = 0))));
alter table show_royaltors add constraint show_royaltors_cross_collateral_group_id_fkey FOREIGN KEY (cross_collateral_group_id) REFERENCES cross_collateral_groups(id);
alter table show_royaltors add constraint show_royaltors_date_basis_check CHECK ((date_basis = ANY (ARRAY['performance'::text, 'receipt'::text])));
alter table show_royaltors add constraint show_royaltors_min_payout_minor_check CHECK (((min_payout_minor)::bigint >= 0));
alter table show_royaltors add constraint show_royaltors_opening_statement_id_fkey FOREIGN KEY (opening_statement_id) REFERENCES royalty_statements(id);
alter table show_royaltors add constraint show_royaltors_opening_transaction_id_fkey FOREIGN KEY (opening_transaction_id) REFERENCES transactions(id);
alter table show_royaltors add constraint show_royaltors_opening_unrecouped_minor_check CHECK (((opening_unrecouped_minor)::bigint >= 0));
alter table show_royaltors add constraint show_royaltors_payer_division_fkey FOREIGN KEY (payer_division) REFERENCES divisions(code);
alter table show_royaltors add constraint show_royaltors_pkey PRIMARY KEY (id);
alter table show_royaltors add constraint show_royaltors_reserve_schedule_ppm_check CHECK (((reserve_schedule_ppm = '{}'::integer[]) OR (ppm_sum(reserve_schedule_ppm) = 1000000)));
alter table show_royaltors add constraint show_royaltors_role_check CHECK ((role = ANY (ARRAY['author'::text, 'composer'::text, 'lyricist'::text, 'bookwriter'::text, 'underlying'::text, 'director'::text, 'producer'::text, 'originating_theatre'::text, 'estate'::text, 'agent'::text, 'house'::text])));
alter table show_royaltors add constraint show_royaltors_royaltor_id_fkey FOREIGN KEY (royaltor_id) REFERENCES royaltors(id);
alter table show_royaltors add constraint show_royaltors_royalty_presentation_check CHECK ((royalty_presentation = ANY (ARRAY['gross'::text, 'net'::text])));
alter table show_royaltors add constraint show_royaltors_show_id_fkey FOREIGN KEY (show_id) REFERENCES shows(id);
alter table show_royaltors add constraint show_royaltors_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'ended'::text])));
CREATE UNIQUE INDEX show_royaltors_active ON public.show_royaltors USING btree (show_id, royaltor_id, role, contract_no) WHERE ((status <> 'ended'::text) AND (deleted_at IS NULL));
CREATE INDEX show_royaltors_agent ON public.show_royaltors USING btree (agent_royaltor_id);
CREATE INDEX show_royaltors_group ON public.show_royaltors USING btree (cross_collateral_group_id);
CREATE INDEX show_royaltors_opening ON public.show_royaltors USING btree (opening_transaction_id) WHERE (opening_transaction_id IS NOT NULL);
CREATE INDEX show_royaltors_opening_statement ON public.show_royaltors USING btree (opening_statement_id) WHERE (opening_statement_id IS NOT NULL);
CREATE INDEX show_royaltors_payer ON public.show_royaltors USING btree (payer_division, currency);
CREATE INDEX show_royaltors_royaltor ON public.show_royaltors USING btree (royaltor_id, id);
CREATE INDEX show_royaltors_show ON public.show_royaltors USING btree (show_id, id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.show_royaltors FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column show_royaltors.opening_on is 'Date of the opening balance when the agreement was taken over from other books. Posted once; one statement includes it.';
comment on column show_royaltors.reserve_schedule_ppm is 'Shares of a reserve released in each following period; together one whole.';
comment on table show_royaltors is 'Agreements: what a royaltor earns from a show.';

create table shows -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  show_code text not null
  type text not null
  title text not null
  sort_title text not null
  authors_credit text not null default ''::text
  synopsis text not null default ''::text
  year integer
  running_time_minutes integer
  cast_min integer
  cast_max integer
  age_rating text not null default ''::text
  orchestrations text[] not null default '{}'::text[]
  divisions text[] not null default ARRAY['US'::text, 'EU'::text, 'UK'::text, 'PROD'::text]
  active boolean not null default true
  available_from date
  royalty_presentation text not null default 'gross'::text
  proximity_radius_km integer not null default 80
  proximity_months integer not null default 3
  billing_template text not null default ''::text
  search_text text not null generated always as (search_words(VARIADIC ARRAY[show_code, title, authors_credit])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table shows add constraint shows_cast_max_check CHECK (((cast_max >= 1) AND (cast_max <= 1000)));
alter table shows add constraint shows_cast_min_check CHECK (((cast_min >= 1) AND (cast_min <= 1000)));
alter table shows add constraint shows_check CHECK ((cast_max >= cast_min));
alter table shows add constraint shows_divisions_check CHECK (is_division_set(divisions));
alter table shows add constraint shows_orchestrations_check CHECK ((orchestrations <@ ARRAY['full'::text, 'reduced'::text, 'piano'::text, 'tracks'::text]));
alter table shows add constraint shows_pkey PRIMARY KEY (id);
alter table shows add constraint shows_proximity_months_check CHECK (((proximity_months >= 0) AND (proximity_months <= 60)));
alter table shows add constraint shows_proximity_radius_km_check CHECK (((proximity_radius_km >= 0) AND (proximity_radius_km <= 20040)));
alter table shows add constraint shows_royalty_presentation_check CHECK ((royalty_presentation = ANY (ARRAY['gross'::text, 'net'::text])));
alter table shows add constraint shows_running_time_minutes_check CHECK (((running_time_minutes >= 1) AND (running_time_minutes <= 1440)));
alter table shows add constraint shows_show_code_check CHECK ((show_code ~ '^[A-Z0-9][A-Z0-9-]{0,23}$'::text));
alter table shows add constraint shows_show_code_key UNIQUE (show_code);
alter table shows add constraint shows_sort_title_check CHECK ((sort_title <> ''::text));
alter table shows add constraint shows_title_check CHECK ((title <> ''::text));
alter table shows add constraint shows_type_check CHECK ((type = ANY (ARRAY['play'::text, 'musical'::text])));
alter table shows add constraint shows_year_check CHECK (((year >= 1000) AND (year <= 2200)));
CREATE INDEX shows_code_start ON public.shows USING btree (lower(show_code) text_pattern_ops);
CREATE INDEX shows_latest ON public.shows USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX shows_search ON public.shows USING gin (search_text gin_trgm_ops);
CREATE INDEX shows_title ON public.shows USING btree (sort_title COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX shows_title_fold ON public.shows USING btree (name_key(title)) WHERE (deleted_at IS NULL);
CREATE INDEX shows_title_key ON public.shows USING btree (search_fold(title)) WHERE (deleted_at IS NULL);
CREATE INDEX shows_title_start ON public.shows USING btree (fold_name(title) text_pattern_ops);
CREATE INDEX shows_trash ON public.shows USING btree (deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);
CREATE INDEX shows_type_title ON public.shows USING btree (type, sort_title COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.shows FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column shows.royalty_presentation is 'Whether the company acts as principal or agent. The show decides if its agreements differ.';
comment on table shows is 'Titles in the catalog.';

create table signatures -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=ar/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  license_version_id bigint not null
  sha256 sha256_hex not null
  method text not null
  signer_name text not null
  signer_title text not null default ''::text
  signed_on date not null
  signed_by_user_id bigint
  recorded_by_id bigint
  document_id bigint
  ip inet
  user_agent text
  voided_at timestamp with time zone -- rights app_rw=w/app_migrate
  voided_by_id bigint -- rights app_rw=w/app_migrate
  void_reason text -- rights app_rw=w/app_migrate
  account_name text
  document_sha256 sha256_hex -- rights app_rw=w/app_migrate
  executed_file_id bigint -- rights app_rw=w/app_migrate
  created_at timestamp with time zone not null default now()
alter table signatures add constraint signatures_check CHECK (((method = 'portal'::text) = (signed_by_user_id IS NOT NULL)));
alter table signatures add constraint signatures_check1 CHECK (((method = 'portal'::text) OR ((recorded_by_id IS NOT NULL) AND (document_id IS NOT NULL))));
alter table signatures add constraint signatures_check2 CHECK ((num_nonnulls(voided_at, voided_by_id, void_reason) = ANY (ARRAY[0, 3])));
alter table signatures add constraint signatures_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table signatures add constraint signatures_executed CHECK (((executed_file_id IS NULL) = (document_sha256 IS NULL)));
alter table signatures add constraint signatures_executed_file_id_fkey FOREIGN KEY (executed_file_id) REFERENCES files(id);
alter table signatures add constraint signatures_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table signatures add constraint signatures_license_version_id_fkey FOREIGN KEY (license_version_id) REFERENCES license_versions(id);
alter table signatures add constraint signatures_method_check CHECK ((method = ANY (ARRAY['portal'::text, 'wet'::text])));
alter table signatures add constraint signatures_pkey PRIMARY KEY (id);
alter table signatures add constraint signatures_recorded_by_id_fkey FOREIGN KEY (recorded_by_id) REFERENCES users(id);
alter table signatures add constraint signatures_signed_by_user_id_fkey FOREIGN KEY (signed_by_user_id) REFERENCES users(id);
alter table signatures add constraint signatures_signer_name_check CHECK ((signer_name <> ''::text));
alter table signatures add constraint signatures_voided_by_id_fkey FOREIGN KEY (voided_by_id) REFERENCES users(id);
CREATE INDEX signatures_document ON public.signatures USING btree (document_id);
CREATE UNIQUE INDEX signatures_executed_file ON public.signatures USING btree (executed_file_id) WHERE (executed_file_id IS NOT NULL);
CREATE INDEX signatures_license ON public.signatures USING btree (license_id, created_at DESC, id DESC);
CREATE INDEX signatures_user ON public.signatures USING btree (signed_by_user_id);
CREATE UNIQUE INDEX signatures_valid ON public.signatures USING btree (license_version_id) WHERE (voided_at IS NULL);
CREATE INDEX signatures_version ON public.signatures USING btree (license_version_id);
CREATE TRIGGER guard_signature BEFORE INSERT OR UPDATE ON public.signatures FOR EACH ROW EXECUTE FUNCTION guard_signature();
create policy counter on signatures as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = signatures.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = signatures.license_id))));
create policy house on signatures as permissive for all to app_rw using (true) with check (true);
create policy portal on signatures as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = signatures.license_id))) AND true));
comment on column signatures.account_name is 'Name on the account that signed, or that recorded a signature on paper; null for older signatures.';
comment on column signatures.document_sha256 is 'Hash of the signed file; null for older signatures.';
comment on column signatures.executed_file_id is 'Signed file with its certificate page, made once; null for older signatures.';
comment on table signatures is 'Signatures on offers. Never edited; a signature can be voided with a reason.';

create table staff_group_users -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  staff_group_id bigint not null
  user_id bigint not null
  created_at timestamp with time zone not null default now()
alter table staff_group_users add constraint staff_group_users_pkey PRIMARY KEY (staff_group_id, user_id);
alter table staff_group_users add constraint staff_group_users_staff_group_id_fkey FOREIGN KEY (staff_group_id) REFERENCES staff_groups(id) ON DELETE CASCADE;
alter table staff_group_users add constraint staff_group_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX staff_group_users_user ON public.staff_group_users USING btree (user_id);
comment on table staff_group_users is 'Members of a staff group.';

create table staff_groups -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  name text not null
  permission_values text[] not null default '{}'::text[]
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table staff_groups add constraint staff_groups_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table staff_groups add constraint staff_groups_permission_values_check CHECK ((NOT ('REPLACE'::text = ANY (permission_values))));
alter table staff_groups add constraint staff_groups_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX staff_groups_name ON public.staff_groups USING btree (lower(name));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.staff_groups FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table staff_groups is 'Groups of staff with the permissions they grant.';

create table staff_invite_groups -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  staff_invite_id bigint not null
  staff_group_id bigint not null
  created_at timestamp with time zone not null default now()
alter table staff_invite_groups add constraint staff_invite_groups_pkey PRIMARY KEY (staff_invite_id, staff_group_id);
alter table staff_invite_groups add constraint staff_invite_groups_staff_group_id_fkey FOREIGN KEY (staff_group_id) REFERENCES staff_groups(id) ON DELETE CASCADE;
alter table staff_invite_groups add constraint staff_invite_groups_staff_invite_id_fkey FOREIGN KEY (staff_invite_id) REFERENCES staff_invites(id) ON DELETE CASCADE;
CREATE INDEX staff_invite_groups_group ON public.staff_invite_groups USING btree (staff_group_id);
comment on table staff_invite_groups is 'Groups that an invited person will join. A group deleted before the invitation is accepted is skipped.';

create table staff_invites -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  email email_address not null
  role text not null
  note text not null default ''::text
  token_hash bytea not null
  invited_by_id bigint not null
  sent_at timestamp with time zone not null default now()
  sent_times integer not null default 1
  expires_at timestamp with time zone not null
  accepted_at timestamp with time zone
  accepted_user_id bigint
  revoked_at timestamp with time zone
  revoked_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table staff_invites add constraint staff_invites_accepted_user_id_fkey FOREIGN KEY (accepted_user_id) REFERENCES users(id);
alter table staff_invites add constraint staff_invites_check CHECK (((accepted_at IS NULL) = (accepted_user_id IS NULL)));
alter table staff_invites add constraint staff_invites_check1 CHECK (((revoked_at IS NULL) = (revoked_by_id IS NULL)));
alter table staff_invites add constraint staff_invites_check2 CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL)));
alter table staff_invites add constraint staff_invites_email_check CHECK (((email)::text = lower((email)::text)));
alter table staff_invites add constraint staff_invites_invited_by_id_fkey FOREIGN KEY (invited_by_id) REFERENCES users(id);
alter table staff_invites add constraint staff_invites_note_check CHECK ((length(note) <= 500));
alter table staff_invites add constraint staff_invites_pkey PRIMARY KEY (id);
alter table staff_invites add constraint staff_invites_revoked_by_id_fkey FOREIGN KEY (revoked_by_id) REFERENCES users(id);
alter table staff_invites add constraint staff_invites_role_check CHECK ((role = ANY (ARRAY['staff_user'::text, 'staff_admin'::text, 'system_admin'::text])));
alter table staff_invites add constraint staff_invites_sent_times_check CHECK ((sent_times > 0));
alter table staff_invites add constraint staff_invites_token_hash_check CHECK ((length(token_hash) = 32));
alter table staff_invites add constraint staff_invites_token_hash_key UNIQUE (token_hash);
CREATE INDEX staff_invites_accepted_user ON public.staff_invites USING btree (accepted_user_id) WHERE (accepted_user_id IS NOT NULL);
CREATE INDEX staff_invites_invited_by ON public.staff_invites USING btree (invited_by_id);
CREATE INDEX staff_invites_latest ON public.staff_invites USING btree (sent_at DESC, id DESC);
CREATE UNIQUE INDEX staff_invites_open ON public.staff_invites USING btree (email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX staff_invites_revoked_by ON public.staff_invites USING btree (revoked_by_id) WHERE (revoked_by_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.staff_invites FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table staff_invites is 'Invitations to join the staff. Sending one again replaces the token, so only the latest link works.';

create table stock_balances -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  warehouse_id bigint not null
  material_id bigint
  sales_item_id bigint
  on_hand integer not null default 0
  reserved integer not null default 0
  picked integer not null default 0
  on_hire integer not null default 0
  quarantine integer not null default 0
  damaged integer not null default 0
  updated_at timestamp with time zone not null default now() -- rights app_rw=w/app_migrate
  created_at timestamp with time zone not null default now()
alter table stock_balances add constraint stock_balances_check CHECK ((num_nonnulls(material_id, sales_item_id) = 1));
alter table stock_balances add constraint stock_balances_damaged_check CHECK ((damaged >= 0));
alter table stock_balances add constraint stock_balances_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table stock_balances add constraint stock_balances_on_hand_check CHECK ((on_hand >= 0));
alter table stock_balances add constraint stock_balances_on_hire_check CHECK ((on_hire >= 0));
alter table stock_balances add constraint stock_balances_picked_check CHECK ((picked >= 0));
alter table stock_balances add constraint stock_balances_pkey PRIMARY KEY (id);
alter table stock_balances add constraint stock_balances_promised CHECK ((reserved <= on_hand));
alter table stock_balances add constraint stock_balances_quarantine_check CHECK ((quarantine >= 0));
alter table stock_balances add constraint stock_balances_reserved_check CHECK ((reserved >= 0));
alter table stock_balances add constraint stock_balances_sales_item_id_fkey FOREIGN KEY (sales_item_id) REFERENCES sales_items(id);
alter table stock_balances add constraint stock_balances_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouses(id);
alter table stock_balances add constraint stock_balances_warehouse_id_material_id_sales_item_id_key UNIQUE NULLS NOT DISTINCT (warehouse_id, material_id, sales_item_id);
CREATE INDEX stock_balances_material ON public.stock_balances USING btree (material_id, warehouse_id) WHERE (material_id IS NOT NULL);
CREATE INDEX stock_balances_sales_item ON public.stock_balances USING btree (sales_item_id, warehouse_id) WHERE (sales_item_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.stock_balances FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column stock_balances.reserved is 'Part of the stock on hand that is promised to orders and not picked yet.';
comment on table stock_balances is 'Stock by item, warehouse and condition. Written only by the trigger on stock_movements.';

create table stock_movements -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  batch_id uuid not null
  kind text not null
  warehouse_id bigint not null
  material_id bigint
  sales_item_id bigint
  material_copy_id bigint
  quantity integer not null
  from_location text
  to_location text
  reserved_delta integer not null default 0
  sales_order_line_id bigint
  perusal_id bigint
  reason text not null default ''::text
  actor_id bigint
  occurred_at timestamp with time zone not null default now()
  created_at timestamp with time zone not null default now()
alter table stock_movements add constraint stock_movements_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id);
alter table stock_movements add constraint stock_movements_check CHECK ((num_nonnulls(material_id, sales_item_id) = 1));
alter table stock_movements add constraint stock_movements_check1 CHECK (((material_copy_id IS NULL) OR ((quantity = 1) AND (material_id IS NOT NULL))));
alter table stock_movements add constraint stock_movements_check2 CHECK (
CASE kind
    WHEN 'receipt'::text THEN ((from_location IS NULL) AND (to_location = 'on_hand'::text) AND (reserved_delta = 0))
    WHEN 'reserve'::text THEN ((num_nonnulls(from_location, to_location) = 0) AND (reserved_delta = quantity))
    WHEN 'unreserve'::text THEN ((num_nonnulls(from_location, to_location) = 0) AND (reserved_delta = (- quantity)))
    WHEN 'pick'::text THEN ((from_location = 'on_hand'::text) AND (to_location = 'picked'::text) AND (reserved_delta = (- quantity)))
    WHEN 'unpick'::text THEN ((from_location = 'picked'::text) AND (to_location = 'on_hand'::text) AND (reserved_delta = quantity))
    WHEN 'ship'::text THEN ((from_location = 'picked'::text) AND (COALESCE(to_location, 'on_hire'::text) = 'on_hire'::text) AND (reserved_delta = 0))
    WHEN 'return'::text THEN ((from_location = 'on_hire'::text) AND (to_location = ANY (ARRAY['on_hand'::text, 'quarantine'::text, 'damaged'::text])) AND (reserved_delta = 0))
    WHEN 'grade'::text THEN ((from_location = ANY (ARRAY['quarantine'::text, 'damaged'::text])) AND (to_location = ANY (ARRAY['on_hand'::text, 'damaged'::text])) AND (from_location <> to_location) AND (reserved_delta = 0))
    WHEN 'quarantine'::text THEN ((from_location = 'on_hand'::text) AND (to_location = 'quarantine'::text) AND (reserved_delta = 0))
    WHEN 'write_off'::text THEN ((from_location = ANY (ARRAY['on_hand'::text, 'quarantine'::text, 'damaged'::text, 'on_hire'::text])) AND (to_location IS NULL) AND (reserved_delta = 0))
    WHEN 'adjust'::text THEN (((from_location IS NULL) <> (to_location IS NULL)) AND (COALESCE(from_location, to_location) = 'on_hand'::text) AND (reserved_delta = 0))
    WHEN 'count'::text THEN (((from_location IS NULL) <> (to_location IS NULL)) AND (COALESCE(from_location, to_location) = 'on_hand'::text) AND (reserved_delta = 0))
    WHEN 'transfer'::text THEN (((from_location IS NULL) <> (to_location IS NULL)) AND (COALESCE(from_location, to_location) = 'on_hand'::text) AND (reserved_delta = 0))
    ELSE false
END);
alter table stock_movements add constraint stock_movements_check3 CHECK (((kind <> ALL (ARRAY['adjust'::text, 'write_off'::text])) OR (reason <> ''::text)));
alter table stock_movements add constraint stock_movements_material_copy_id_fkey FOREIGN KEY (material_copy_id) REFERENCES material_copies(id);
alter table stock_movements add constraint stock_movements_material_id_fkey FOREIGN KEY (material_id) REFERENCES materials(id);
alter table stock_movements add constraint stock_movements_perusal_id_fkey FOREIGN KEY (perusal_id) REFERENCES perusals(id);
alter table stock_movements add constraint stock_movements_pkey PRIMARY KEY (id);
alter table stock_movements add constraint stock_movements_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000000)));
alter table stock_movements add constraint stock_movements_sales_item_id_fkey FOREIGN KEY (sales_item_id) REFERENCES sales_items(id);
alter table stock_movements add constraint stock_movements_sales_order_line_id_fkey FOREIGN KEY (sales_order_line_id) REFERENCES sales_order_lines(id);
alter table stock_movements add constraint stock_movements_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouses(id);
CREATE INDEX stock_movements_actor ON public.stock_movements USING btree (actor_id);
CREATE INDEX stock_movements_batch ON public.stock_movements USING btree (batch_id);
CREATE INDEX stock_movements_copy ON public.stock_movements USING btree (material_copy_id) WHERE (material_copy_id IS NOT NULL);
CREATE INDEX stock_movements_day ON public.stock_movements USING btree (occurred_at DESC, id DESC);
CREATE INDEX stock_movements_line ON public.stock_movements USING btree (sales_order_line_id) WHERE (sales_order_line_id IS NOT NULL);
CREATE INDEX stock_movements_material ON public.stock_movements USING btree (material_id, id DESC) WHERE (material_id IS NOT NULL);
CREATE INDEX stock_movements_perusal ON public.stock_movements USING btree (perusal_id) WHERE (perusal_id IS NOT NULL);
CREATE INDEX stock_movements_sales_item ON public.stock_movements USING btree (sales_item_id, id DESC) WHERE (sales_item_id IS NOT NULL);
CREATE INDEX stock_movements_warehouse ON public.stock_movements USING btree (warehouse_id, id DESC);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON public.stock_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER apply_stock_movement AFTER INSERT ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION apply_stock_movement();
CREATE TRIGGER mark_material_used AFTER INSERT ON public.stock_movements FOR EACH ROW WHEN ((new.material_id IS NOT NULL)) EXECUTE FUNCTION mark_material_used();
comment on column stock_movements.batch_id is 'Movements of one act: a delivery, a transfer, a count.';
comment on column stock_movements.from_location is 'Null: from outside, for example a supplier.';
comment on table stock_movements is 'Movements of stock. Append-only; the balances follow by trigger.';

create table stream_reports -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  license_id bigint not null
  add_on_id bigint not null
  period_from date not null
  period_to date not null
  gross_minor minor_amount not null
  share_ppm integer not null
  fee_minor minor_amount not null
  invoice_id bigint
  from_portal boolean not null default false
  reported_by_id bigint not null
  note text not null default ''::text
  withdrawn_at timestamp with time zone
  withdrawn_by_id bigint
  withdrawn_reason text
  created_at timestamp with time zone not null default now()
alter table stream_reports add constraint stream_reports_add_on_id_fkey FOREIGN KEY (add_on_id) REFERENCES add_ons(id);
alter table stream_reports add constraint stream_reports_check CHECK ((((fee_minor)::bigint >= 0) AND ((fee_minor)::bigint <= (gross_minor)::bigint)));
alter table stream_reports add constraint stream_reports_check1 CHECK ((period_from <= period_to));
alter table stream_reports add constraint stream_reports_check2 CHECK (((withdrawn_at IS NULL) = (withdrawn_reason IS NULL)));
alter table stream_reports add constraint stream_reports_check3 CHECK (((withdrawn_at IS NULL) = (withdrawn_by_id IS NULL)));
alter table stream_reports add constraint stream_reports_gross_minor_check CHECK (((gross_minor)::bigint >= 0));
alter table stream_reports add constraint stream_reports_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id);
alter table stream_reports add constraint stream_reports_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table stream_reports add constraint stream_reports_once EXCLUDE USING gist (int8range(license_id, license_id, '[]'::text) WITH &&, int8range(add_on_id, add_on_id, '[]'::text) WITH &&, daterange(period_from, period_to, '[]'::text) WITH &&) WHERE ((withdrawn_at IS NULL));
alter table stream_reports add constraint stream_reports_pkey PRIMARY KEY (id);
alter table stream_reports add constraint stream_reports_reported_by_id_fkey FOREIGN KEY (reported_by_id) REFERENCES users(id);
alter table stream_reports add constraint stream_reports_share_ppm_check CHECK (((share_ppm >= 1) AND (share_ppm <= 1000000)));
alter table stream_reports add constraint stream_reports_withdrawn_by_id_fkey FOREIGN KEY (withdrawn_by_id) REFERENCES users(id);
CREATE INDEX stream_reports_add_on ON public.stream_reports USING btree (add_on_id);
CREATE INDEX stream_reports_invoice ON public.stream_reports USING btree (invoice_id);
CREATE INDEX stream_reports_license ON public.stream_reports USING btree (license_id, period_to DESC, id DESC);
CREATE INDEX stream_reports_reported_by ON public.stream_reports USING btree (reported_by_id);
CREATE INDEX stream_reports_withdrawn_by ON public.stream_reports USING btree (withdrawn_by_id);
create policy counter on stream_reports as restrictive for all to app_counter using ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = stream_reports.license_id)))) with check ((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = stream_reports.license_id))));
create policy house on stream_reports as permissive for all to app_rw using (true) with check (true);
create policy portal on stream_reports as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM licenses l
  WHERE (l.id = stream_reports.license_id))) AND true));
comment on column stream_reports.invoice_id is 'Null if the share came to nothing.';
comment on column stream_reports.withdrawn_at is 'A report is never changed: it is withdrawn with a credit note and reported again.';
comment on table stream_reports is 'Reported receipts of streamed performances.';

create table table_access -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  table_name text not null
  class text not null
  created_at timestamp with time zone not null default now()
alter table table_access add constraint table_access_class_check CHECK ((class = ANY (ARRAY['tenant'::text, 'shared'::text, 'reference'::text, 'house'::text])));
alter table table_access add constraint table_access_pkey PRIMARY KEY (table_name);
comment on table table_access is 'Access class of each table as declared in access.sql. A table without a row is closed to customers, and a test fails.';

create table tasks -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  kind text not null
  title text not null
  entity text not null
  entity_id bigint not null
  license_id bigint
  customer_id bigint
  division text
  assignee_id bigint
  due_on date
  priority smallint not null default 2
  status text not null default 'open'::text
  done_at timestamp with time zone
  done_by_id bigint
  note text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tasks add constraint tasks_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id);
alter table tasks add constraint tasks_check CHECK (((status = 'open'::text) = (done_at IS NULL)));
alter table tasks add constraint tasks_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table tasks add constraint tasks_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table tasks add constraint tasks_done_by_id_fkey FOREIGN KEY (done_by_id) REFERENCES users(id);
alter table tasks add constraint tasks_entity_check CHECK ((entity = ANY (ARRAY['license'::text, 'license_application'::text, 'customer'::text, 'box_office_report'::text, 'invoice'::text, 'payment'::text, 'royalty_statement'::text, 'royaltor'::text, 'import'::text, 'amendment'::text])));
alter table tasks add constraint tasks_kind_check CHECK ((kind ~ '^[a-z0-9_]+$'::text));
alter table tasks add constraint tasks_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id);
alter table tasks add constraint tasks_pkey PRIMARY KEY (id);
alter table tasks add constraint tasks_priority_check CHECK (((priority >= 1) AND (priority <= 3)));
alter table tasks add constraint tasks_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'dropped'::text])));
alter table tasks add constraint tasks_title_check CHECK ((title <> ''::text));
CREATE INDEX tasks_assignee ON public.tasks USING btree (assignee_id, status, due_on, id);
CREATE INDEX tasks_customer ON public.tasks USING btree (customer_id);
CREATE INDEX tasks_division ON public.tasks USING btree (division, status, due_on, id);
CREATE INDEX tasks_entity ON public.tasks USING btree (entity, entity_id);
CREATE INDEX tasks_license ON public.tasks USING btree (license_id);
CREATE INDEX tasks_list ON public.tasks USING btree (status, due_on, id);
CREATE UNIQUE INDEX tasks_open ON public.tasks USING btree (kind, entity, entity_id) WHERE (status = 'open'::text);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tasks FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table tasks is 'To-dos of staff. One is open per subject, however often the scheduler asks for it.';

create table tax_authorities -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  jurisdiction text not null
  name text not null
  created_at timestamp with time zone not null default now()
alter table tax_authorities add constraint tax_authorities_jurisdiction_check CHECK ((jurisdiction ~ '^[A-Z]{2}(-[A-Z0-9]{1,3})?$'::text));
alter table tax_authorities add constraint tax_authorities_jurisdiction_key UNIQUE (jurisdiction);
alter table tax_authorities add constraint tax_authorities_name_check CHECK ((name <> ''::text));
alter table tax_authorities add constraint tax_authorities_pkey PRIMARY KEY (id);
comment on table tax_authorities is 'Tax authorities, by country or US state.';

create table tax_codes -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  code text not null
  name text not null
  kind text not null
  net_box text
  tax_box text
  legal_text text not null default ''::text
  active boolean not null default true
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_codes add constraint tax_codes_code_check CHECK ((code ~ '^[A-Z0-9_-]{1,32}$'::text));
alter table tax_codes add constraint tax_codes_division_code_key UNIQUE (division, code);
alter table tax_codes add constraint tax_codes_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table tax_codes add constraint tax_codes_kind_check CHECK ((kind = ANY (ARRAY['standard'::text, 'zero'::text, 'reduced'::text, 'exempt'::text, 'outside_scope'::text, 'reverse_charge'::text, 'sales_tax'::text, 'use_tax'::text, 'oss'::text])));
alter table tax_codes add constraint tax_codes_name_check CHECK ((name <> ''::text));
alter table tax_codes add constraint tax_codes_pkey PRIMARY KEY (id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_codes FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column tax_codes.net_box is 'Box of the tax return that the net amount is added to; tax_box: the tax.';
comment on table tax_codes is 'Tax codes of a division, with the boxes of its tax return.';

create table tax_exemption_certificates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  customer_id bigint not null
  country country_code not null
  state text
  kind text not null
  number text not null
  issued_on date
  valid_from date not null
  expires_on date
  document_id bigint
  status text not null default 'pending'::text
  verified_by_id bigint
  verified_at timestamp with time zone
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_exemption_certificates add constraint tax_exemption_certificates_check CHECK (((expires_on IS NULL) OR (expires_on >= valid_from)));
alter table tax_exemption_certificates add constraint tax_exemption_certificates_check1 CHECK (((status = 'verified'::text) <= ((verified_at IS NOT NULL) AND (verified_by_id IS NOT NULL))));
alter table tax_exemption_certificates add constraint tax_exemption_certificates_customer_id_country_state_number_key UNIQUE NULLS NOT DISTINCT (customer_id, country, state, number);
alter table tax_exemption_certificates add constraint tax_exemption_certificates_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table tax_exemption_certificates add constraint tax_exemption_certificates_document_id_fkey FOREIGN KEY (document_id) REFERENCES files(id);
alter table tax_exemption_certificates add constraint tax_exemption_certificates_kind_check CHECK ((kind = ANY (ARRAY['resale'::text, 'school'::text, 'nonprofit'::text, 'diplomatic'::text])));
alter table tax_exemption_certificates add constraint tax_exemption_certificates_number_check CHECK ((number <> ''::text));
alter table tax_exemption_certificates add constraint tax_exemption_certificates_pkey PRIMARY KEY (id);
alter table tax_exemption_certificates add constraint tax_exemption_certificates_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'refused'::text, 'withdrawn'::text])));
alter table tax_exemption_certificates add constraint tax_exemption_certificates_verified_by_id_fkey FOREIGN KEY (verified_by_id) REFERENCES users(id);
CREATE INDEX tax_exemption_certificates_document ON public.tax_exemption_certificates USING btree (document_id);
CREATE INDEX tax_exemption_certificates_lookup ON public.tax_exemption_certificates USING btree (customer_id, country, state, valid_from);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_exemption_certificates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
create policy counter on tax_exemption_certificates as restrictive for all to app_counter using ((customer_id = ( SELECT request_customer() AS request_customer))) with check ((customer_id = ( SELECT request_customer() AS request_customer)));
create policy house on tax_exemption_certificates as permissive for all to app_rw using (true) with check (true);
create policy portal on tax_exemption_certificates as permissive for select to app_portal using (((customer_id = ( SELECT request_customer() AS request_customer)) AND true));
comment on table tax_exemption_certificates is 'Exemption certificates of customers. A valid one overrides the rate; an expired one blocks the offer.';

create table tax_rates -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  tax_code_id bigint not null
  jurisdiction text not null
  level text not null
  rate_ppm rate_ppm not null
  taxes_shipping boolean not null default false
  valid_from date not null
  valid_to date
  source text not null default ''::text
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_rates add constraint tax_rates_check CHECK ((valid_to >= valid_from));
alter table tax_rates add constraint tax_rates_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table tax_rates add constraint tax_rates_jurisdiction_check CHECK ((jurisdiction ~ '^[A-Z]{2}(-[^-]+){0,3}$'::text));
alter table tax_rates add constraint tax_rates_level_check CHECK ((level = ANY (ARRAY['country'::text, 'state'::text, 'county'::text, 'city'::text, 'district'::text])));
alter table tax_rates add constraint tax_rates_pkey PRIMARY KEY (id);
alter table tax_rates add constraint tax_rates_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
alter table tax_rates add constraint tax_rates_tax_code_id_jurisdiction_valid_from_key UNIQUE (tax_code_id, jurisdiction, valid_from);
CREATE INDEX tax_rates_lookup ON public.tax_rates USING btree (jurisdiction, valid_from DESC, id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_rates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column tax_rates.jurisdiction is 'Country or US state: GB, DE, US-NY.';
comment on column tax_rates.valid_to is 'Last day of the rate; null: no end. Rates end, they are not deleted.';
comment on table tax_rates is 'Rates of a tax code by jurisdiction: a country, or a US state.';

create table tax_registrations -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  jurisdiction text not null
  scheme text not null
  number text
  valid_from date not null
  valid_to date
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_registrations add constraint tax_registrations_check CHECK ((valid_to >= valid_from));
alter table tax_registrations add constraint tax_registrations_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table tax_registrations add constraint tax_registrations_division_jurisdiction_scheme_valid_from_key UNIQUE (division, jurisdiction, scheme, valid_from);
alter table tax_registrations add constraint tax_registrations_jurisdiction_check CHECK ((jurisdiction ~ '^[A-Z]{2}(-[A-Z0-9]+)?$'::text));
alter table tax_registrations add constraint tax_registrations_number_check CHECK ((number <> ''::text));
alter table tax_registrations add constraint tax_registrations_pkey PRIMARY KEY (id);
alter table tax_registrations add constraint tax_registrations_scheme_check CHECK ((scheme = ANY (ARRAY['vat'::text, 'oss'::text, 'sales_tax'::text, 'ein'::text])));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_registrations FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column tax_registrations.number is 'Null until known. No document prints a placeholder.';
comment on table tax_registrations is 'Tax registrations of a division. Without one, no tax is charged in the jurisdiction.';

create table tax_return_items -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ar/app_migrate
  id bigint not null generated always as identity
  tax_return_id bigint not null
  source text not null
  source_id bigint not null
  side text not null
  tax_minor minor_amount not null
  net_minor minor_amount not null
  intra_eu boolean not null
  is_goods boolean not null
  is_late boolean not null
  created_at timestamp with time zone not null default now()
alter table tax_return_items add constraint tax_return_items_pkey PRIMARY KEY (id);
alter table tax_return_items add constraint tax_return_items_side_check CHECK ((side = ANY (ARRAY['output'::text, 'input'::text])));
alter table tax_return_items add constraint tax_return_items_source_check CHECK ((source = ANY (ARRAY['entry'::text, 'invoice_line'::text, 'bill_line'::text, 'void_bill_line'::text])));
alter table tax_return_items add constraint tax_return_items_source_source_id_key UNIQUE (source, source_id);
alter table tax_return_items add constraint tax_return_items_tax_return_id_fkey FOREIGN KEY (tax_return_id) REFERENCES tax_returns(id);
CREATE INDEX tax_return_items_return ON public.tax_return_items USING btree (tax_return_id, id);
comment on column tax_return_items.is_late is 'Its tax point lies before the period of the return.';
comment on column tax_return_items.source is 'entry: journal_entries; invoice_line: invoice_tax_lines without tax; bill_line: bill_lines without tax, and voids.';
comment on table tax_return_items is 'What a filed return took, frozen: an item stands on one return, whatever is posted into its period later.';

create table tax_returns -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  period_from date not null
  period_to date not null
  status text not null default 'prepared'::text
  boxes jsonb not null
  net_minor minor_amount not null
  items_sha256 sha256_hex not null
  item_count integer not null
  prepared_by_id bigint not null
  prepared_at timestamp with time zone not null
  filed_by_id bigint
  filed_at timestamp with time zone
  receipt text not null default ''::text
  transaction_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_returns add constraint tax_returns_boxes_check CHECK ((jsonb_typeof(boxes) = 'array'::text));
alter table tax_returns add constraint tax_returns_check CHECK ((period_to >= period_from));
alter table tax_returns add constraint tax_returns_check1 CHECK ((filed_by_id <> prepared_by_id));
alter table tax_returns add constraint tax_returns_check2 CHECK ((((status = 'filed'::text) = (filed_by_id IS NOT NULL)) AND ((status = 'filed'::text) = (filed_at IS NOT NULL))));
alter table tax_returns add constraint tax_returns_check3 CHECK (((status = 'filed'::text) OR (transaction_id IS NULL)));
alter table tax_returns add constraint tax_returns_division_check CHECK ((division = ANY (ARRAY['UK'::text, 'EU'::text])));
alter table tax_returns add constraint tax_returns_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table tax_returns add constraint tax_returns_division_period_from_key UNIQUE (division, period_from);
alter table tax_returns add constraint tax_returns_division_period_to_key UNIQUE (division, period_to);
alter table tax_returns add constraint tax_returns_filed_by_id_fkey FOREIGN KEY (filed_by_id) REFERENCES users(id);
alter table tax_returns add constraint tax_returns_item_count_check CHECK ((item_count >= 0));
alter table tax_returns add constraint tax_returns_pkey PRIMARY KEY (id);
alter table tax_returns add constraint tax_returns_prepared_by_id_fkey FOREIGN KEY (prepared_by_id) REFERENCES users(id);
alter table tax_returns add constraint tax_returns_receipt_check CHECK ((length(receipt) <= 100));
alter table tax_returns add constraint tax_returns_status_check CHECK ((status = ANY (ARRAY['prepared'::text, 'filed'::text])));
alter table tax_returns add constraint tax_returns_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id);
CREATE INDEX tax_returns_filer ON public.tax_returns USING btree (filed_by_id) WHERE (filed_by_id IS NOT NULL);
CREATE INDEX tax_returns_preparer ON public.tax_returns USING btree (prepared_by_id);
CREATE INDEX tax_returns_transaction ON public.tax_returns USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER tax_returns_guard BEFORE DELETE OR UPDATE ON public.tax_returns FOR EACH ROW EXECUTE FUNCTION tg_tax_returns_guard();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_returns FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column tax_returns.boxes is 'Boxes in their order: box, label, amount_minor in the functional currency.';
comment on column tax_returns.items_sha256 is 'Hash of what the return takes: filing refuses where it has changed since.';
comment on column tax_returns.net_minor is 'Output tax less input tax: above zero it is paid, below zero reclaimed.';
comment on column tax_returns.receipt is 'What the authority answered: the form bundle number of HMRC.';
comment on table tax_returns is 'VAT returns: prepared by one person, filed by another. A filed return is a snapshot and never changes.';

create table tax_service_customers -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  reference text not null
  name text not null
  exemption_type text not null
  exempt_regions jsonb not null default '[]'::jsonb
  address jsonb not null default '{}'::jsonb
  report_state text not null default 'kept'::text
  report_attempts integer not null default 0
  report_error text
  report_after timestamp with time zone
  reported_at timestamp with time zone
  is_known_there boolean not null default false
  removed_at timestamp with time zone
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_service_customers add constraint tax_service_customers_address_check CHECK ((jsonb_typeof(address) = 'object'::text));
alter table tax_service_customers add constraint tax_service_customers_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table tax_service_customers add constraint tax_service_customers_exempt_regions_check CHECK ((jsonb_typeof(exempt_regions) = 'array'::text));
alter table tax_service_customers add constraint tax_service_customers_exemption_type_check CHECK ((exemption_type = ANY (ARRAY['wholesale'::text, 'government'::text, 'marketplace'::text, 'other'::text, 'non_exempt'::text])));
alter table tax_service_customers add constraint tax_service_customers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table tax_service_customers add constraint tax_service_customers_pkey PRIMARY KEY (id);
alter table tax_service_customers add constraint tax_service_customers_reference_check CHECK ((reference ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'::text));
alter table tax_service_customers add constraint tax_service_customers_report_attempts_check CHECK ((report_attempts >= 0));
alter table tax_service_customers add constraint tax_service_customers_report_error_check CHECK ((length(report_error) <= 500));
alter table tax_service_customers add constraint tax_service_customers_report_state_check CHECK ((report_state = ANY (ARRAY['kept'::text, 'waiting'::text, 'reported'::text, 'failed'::text])));
CREATE INDEX tax_service_customers_creator ON public.tax_service_customers USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE INDEX tax_service_customers_due ON public.tax_service_customers USING btree (report_after) WHERE (report_state = 'waiting'::text);
CREATE UNIQUE INDEX tax_service_customers_reference ON public.tax_service_customers USING btree (reference) WHERE (removed_at IS NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_service_customers FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column tax_service_customers.is_known_there is 'The service has it: a change updates it there.';
comment on column tax_service_customers.reference is 'Id of the customer in the tax service.';
comment on column tax_service_customers.report_after is 'The next attempt to send it.';
comment on column tax_service_customers.report_state is 'kept: no service is set up. waiting: to be sent. reported: the service has it as it is here. failed: it refused it.';
comment on table tax_service_customers is 'Customers of the tax service with the regions they are exempt in; sent there where a service is set up.';

create table tax_service_transactions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  kind text not null
  reference text not null
  order_id bigint
  dated_on date not null
  exemption_type text
  buyer_id bigint
  ship_from jsonb not null default '{}'::jsonb
  ship_to jsonb not null
  amount_minor minor_amount not null
  shipping_minor minor_amount not null
  sales_tax_minor minor_amount not null
  line_items jsonb not null default '[]'::jsonb
  report_state text not null default 'kept'::text
  report_attempts integer not null default 0
  report_error text
  report_after timestamp with time zone
  reported_at timestamp with time zone
  is_known_there boolean not null default false
  removed_at timestamp with time zone
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table tax_service_transactions add constraint tax_service_transactions_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES tax_service_customers(id);
alter table tax_service_transactions add constraint tax_service_transactions_check CHECK (((kind = 'refund'::text) = (order_id IS NOT NULL)));
alter table tax_service_transactions add constraint tax_service_transactions_check1 CHECK (
CASE kind
    WHEN 'order'::text THEN ((LEAST(amount_minor, shipping_minor, sales_tax_minor))::bigint >= 0)
    ELSE ((GREATEST(amount_minor, shipping_minor, sales_tax_minor))::bigint <= 0)
END);
alter table tax_service_transactions add constraint tax_service_transactions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table tax_service_transactions add constraint tax_service_transactions_exemption_type_check CHECK ((exemption_type = ANY (ARRAY['wholesale'::text, 'government'::text, 'marketplace'::text, 'other'::text, 'non_exempt'::text])));
alter table tax_service_transactions add constraint tax_service_transactions_kind_check CHECK ((kind = ANY (ARRAY['order'::text, 'refund'::text])));
alter table tax_service_transactions add constraint tax_service_transactions_line_items_check CHECK ((jsonb_typeof(line_items) = 'array'::text));
alter table tax_service_transactions add constraint tax_service_transactions_order_id_fkey FOREIGN KEY (order_id) REFERENCES tax_service_transactions(id);
alter table tax_service_transactions add constraint tax_service_transactions_pkey PRIMARY KEY (id);
alter table tax_service_transactions add constraint tax_service_transactions_reference_check CHECK ((reference ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'::text));
alter table tax_service_transactions add constraint tax_service_transactions_report_attempts_check CHECK ((report_attempts >= 0));
alter table tax_service_transactions add constraint tax_service_transactions_report_error_check CHECK ((length(report_error) <= 500));
alter table tax_service_transactions add constraint tax_service_transactions_report_state_check CHECK ((report_state = ANY (ARRAY['kept'::text, 'waiting'::text, 'reported'::text, 'failed'::text])));
alter table tax_service_transactions add constraint tax_service_transactions_ship_from_check CHECK ((jsonb_typeof(ship_from) = 'object'::text));
alter table tax_service_transactions add constraint tax_service_transactions_ship_to_check CHECK ((jsonb_typeof(ship_to) = 'object'::text));
CREATE INDEX tax_service_transactions_buyer ON public.tax_service_transactions USING btree (buyer_id) WHERE (buyer_id IS NOT NULL);
CREATE INDEX tax_service_transactions_creator ON public.tax_service_transactions USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE INDEX tax_service_transactions_dated ON public.tax_service_transactions USING btree (kind, dated_on, id) WHERE (removed_at IS NULL);
CREATE INDEX tax_service_transactions_due ON public.tax_service_transactions USING btree (report_after) WHERE (report_state = 'waiting'::text);
CREATE INDEX tax_service_transactions_order ON public.tax_service_transactions USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX tax_service_transactions_reference ON public.tax_service_transactions USING btree (kind, reference) WHERE (removed_at IS NULL);
CREATE TRIGGER guard_refunds AFTER INSERT OR UPDATE ON public.tax_service_transactions FOR EACH ROW EXECUTE FUNCTION guard_tax_service_refunds();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.tax_service_transactions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column tax_service_transactions.amount_minor is 'Cents of US dollars with shipping, without tax; negative for a refund, as are shipping and tax.';
comment on column tax_service_transactions.is_known_there is 'The service has it: a change updates it there.';
comment on column tax_service_transactions.line_items is 'Lines in the spelling of the service.';
comment on column tax_service_transactions.order_id is 'The order that a refund takes back; null for an order.';
comment on column tax_service_transactions.reference is 'Id of the order or refund in the tax service.';
comment on column tax_service_transactions.report_after is 'The next attempt to send it.';
comment on column tax_service_transactions.report_state is 'kept: no service is set up. waiting: to be sent. reported: the service has it as it is here. failed: it refused it.';
comment on table tax_service_transactions is 'Orders and refunds of the tax service, each under its own id; sent there where a service is set up.';

create table taxability -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  division text not null
  jurisdiction text not null
  item_class text not null
  taxable boolean not null
  tax_code_id bigint
  valid_from date not null
  valid_to date
  source text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table taxability add constraint taxability_check CHECK ((valid_to >= valid_from));
alter table taxability add constraint taxability_check1 CHECK (((NOT taxable) OR (tax_code_id IS NOT NULL)));
alter table taxability add constraint taxability_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table taxability add constraint taxability_division_jurisdiction_item_class_valid_from_key UNIQUE (division, jurisdiction, item_class, valid_from);
alter table taxability add constraint taxability_item_class_check CHECK ((item_class = ANY (ARRAY['performing_licence'::text, 'rental'::text, 'printed_script'::text, 'printed_music'::text, 'e_publication'::text, 'digital_music'::text, 'tracks'::text, 'logo'::text, 'merchandise'::text, 'shipping'::text, 'fee'::text])));
alter table taxability add constraint taxability_jurisdiction_check CHECK ((jurisdiction ~ '^[A-Z]{2}(-[^-]+){0,3}$'::text));
alter table taxability add constraint taxability_pkey PRIMARY KEY (id);
alter table taxability add constraint taxability_tax_code_id_fkey FOREIGN KEY (tax_code_id) REFERENCES tax_codes(id);
CREATE INDEX taxability_code ON public.taxability USING btree (tax_code_id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.taxability FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table taxability is 'Whether a class of items is taxed in a jurisdiction, and under which tax code.';

create table team_members -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  team_id bigint not null
  user_id bigint not null
  created_at timestamp with time zone not null default now()
alter table team_members add constraint team_members_pkey PRIMARY KEY (team_id, user_id);
alter table team_members add constraint team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;
alter table team_members add constraint team_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX team_members_user ON public.team_members USING btree (user_id);
comment on table team_members is 'Members of a team.';

create table teams -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  name text not null
  description text
  email email_address
  lead_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table teams add constraint teams_description_check CHECK ((length(description) <= 2000));
alter table teams add constraint teams_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES users(id);
alter table teams add constraint teams_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)));
alter table teams add constraint teams_pkey PRIMARY KEY (id);
CREATE INDEX teams_lead ON public.teams USING btree (lead_id) WHERE (lead_id IS NOT NULL);
CREATE UNIQUE INDEX teams_name ON public.teams USING btree (lower(name));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.teams FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table teams is 'Teams of staff that applications and tasks can be assigned to.';

create table totp_factors -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  user_id bigint not null
  secret_encrypted bytea
  secret_key_id text
  pending_encrypted bytea
  pending_key_id text
  last_step bigint not null default 0
  confirmed_at timestamp with time zone
  created_at timestamp with time zone not null default now()
alter table totp_factors add constraint totp_factors_check CHECK (((secret_encrypted IS NULL) = (secret_key_id IS NULL)));
alter table totp_factors add constraint totp_factors_check1 CHECK (((secret_encrypted IS NULL) = (confirmed_at IS NULL)));
alter table totp_factors add constraint totp_factors_check2 CHECK (((pending_encrypted IS NULL) = (pending_key_id IS NULL)));
alter table totp_factors add constraint totp_factors_pkey PRIMARY KEY (user_id);
alter table totp_factors add constraint totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
comment on column totp_factors.last_step is '30-second step of the last accepted code. A code is valid once (RFC 6238 section 5.2).';
comment on column totp_factors.pending_encrypted is 'Secret of a new app during setup. The current one stays valid until the new one is confirmed.';
comment on column totp_factors.secret_encrypted is 'AES-256-GCM ciphertext, bound to the person. Null until the first code was correct.';
comment on table totp_factors is 'Authenticator apps used as a second factor, one per person.';

create table transaction_kinds -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  kind text not null
  name text not null
  sub_ledger text not null
  currency_may_differ boolean not null default false
  is_manual boolean not null default false
  is_revaluation boolean not null default false
  is_year_end_close boolean not null default false
  moves_bank boolean not null default false
alter table transaction_kinds add constraint transaction_kinds_kind_check CHECK ((kind ~ '^[a-z_]{2,40}$'::text));
alter table transaction_kinds add constraint transaction_kinds_pkey PRIMARY KEY (kind);
alter table transaction_kinds add constraint transaction_kinds_sub_ledger_check CHECK ((sub_ledger = ANY (ARRAY['sales'::text, 'purchase'::text, 'tax'::text, 'bank'::text, 'none'::text])));
comment on column transaction_kinds.moves_bank is 'May post to the ledger account of a bank account.';
comment on table transaction_kinds is 'Kinds of ledger transactions and what each may do: its sub-ledger for locks, whether a foreign currency may stay unbalanced, whether people enter it by hand, whether reports leave it out.';

create table transactions -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=r/app_migrate
  id bigint not null generated always as identity
  division text not null
  kind text not null
  number text
  status text not null
  transaction_at date not null
  period integer not null
  direction text not null default 'neutral'::text
  currency text not null
  total_minor bigint not null default 0
  source_type text
  source_id bigint
  source_event text
  source_attempt smallint not null default 1
  reverses_id bigint
  reversal_reason text
  intercompany_group_id bigint
  has_posting_discrepencies boolean not null default false
  description text not null default ''::text
  memo text not null default ''::text
  posted_at timestamp with time zone
  posted_by bigint
  created_by bigint
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table transactions add constraint transactions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
alter table transactions add constraint transactions_currency_fkey FOREIGN KEY (currency) REFERENCES currencies(code);
alter table transactions add constraint transactions_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table transactions add constraint transactions_division_period_fkey FOREIGN KEY (division, period) REFERENCES periods(division, period);
alter table transactions add constraint transactions_id_division_transaction_at_period_key UNIQUE (id, division, transaction_at, period);
alter table transactions add constraint transactions_kind_fkey FOREIGN KEY (kind) REFERENCES transaction_kinds(kind);
alter table transactions add constraint transactions_pkey PRIMARY KEY (id);
alter table transactions add constraint transactions_posted_by_fkey FOREIGN KEY (posted_by) REFERENCES users(id);
alter table transactions add constraint transactions_reverses_id_fkey FOREIGN KEY (reverses_id) REFERENCES transactions(id);
alter table transactions add constraint transactions_rules CHECK (transaction_holds(transactions.*));
CREATE INDEX transactions_flagged ON public.transactions USING btree (division) WHERE has_posting_discrepencies;
CREATE INDEX transactions_group ON public.transactions USING btree (intercompany_group_id) WHERE (intercompany_group_id IS NOT NULL);
CREATE INDEX transactions_list ON public.transactions USING btree (division, transaction_at DESC, id DESC);
CREATE UNIQUE INDEX transactions_number ON public.transactions USING btree (division, kind, number) WHERE (number IS NOT NULL);
CREATE INDEX transactions_number_start ON public.transactions USING btree (lower(number) text_pattern_ops) WHERE (number IS NOT NULL);
CREATE INDEX transactions_opening ON public.transactions USING btree (division) WHERE (kind = 'opening'::text);
CREATE UNIQUE INDEX transactions_reverses ON public.transactions USING btree (reverses_id) WHERE (reverses_id IS NOT NULL);
CREATE UNIQUE INDEX transactions_source ON public.transactions USING btree (source_type, source_id, source_event, source_attempt) WHERE (source_id IS NOT NULL);
CREATE INDEX transactions_unposted ON public.transactions USING btree (division, transaction_at) WHERE (status = ANY (ARRAY['draft'::text, 'void'::text]));
CREATE INDEX transactions_year_end ON public.transactions USING btree (division, transaction_at) WHERE (kind = 'year_end_close'::text);
CREATE UNIQUE INDEX transactions_year_end_draft ON public.transactions USING btree (division, transaction_at) WHERE ((kind = 'year_end_close'::text) AND (status = 'draft'::text) AND (deleted_at IS NULL));
CREATE CONSTRAINT TRIGGER transactions_commit AFTER INSERT OR UPDATE OF status ON public.transactions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_transactions_commit();
CREATE TRIGGER transactions_door BEFORE INSERT OR DELETE OR UPDATE ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_door();
CREATE TRIGGER transactions_guard BEFORE DELETE OR UPDATE ON public.transactions FOR EACH ROW EXECUTE FUNCTION tg_transactions_guard();
CREATE TRIGGER transactions_matched BEFORE UPDATE OF status ON public.transactions FOR EACH ROW WHEN (((new.status = 'reversed'::text) AND (old.status = 'posted'::text))) EXECUTE FUNCTION tg_transactions_matched();
CREATE TRIGGER transactions_truncate BEFORE TRUNCATE ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION tg_ledger_door();
CREATE TRIGGER transactions_year_end BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN ((old.kind = 'year_end_close'::text)) EXECUTE FUNCTION tg_transactions_year_end();
comment on column transactions.source_attempt is 'Greater than 1 if the source was posted again after a reversal.';
comment on column transactions.status is 'Draft, then posted; a posted transaction can be reversed, a draft can be voided.';
comment on column transactions.total_minor is 'Sum of the debits in functional currency.';
comment on table transactions is 'Ledger transactions. Written only by functions of the ledger; a posted one is never changed, only reversed.';

create table user_avatars -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  user_id bigint not null
  size text not null
  content bytea not null
  created_at timestamp with time zone not null default now()
alter table user_avatars add constraint user_avatars_content_check CHECK (((octet_length(content) >= 1) AND (octet_length(content) <= 262144)));
alter table user_avatars add constraint user_avatars_pkey PRIMARY KEY (user_id, size);
alter table user_avatars add constraint user_avatars_size_check CHECK ((size = ANY (ARRAY['sm'::text, 'regular'::text, 'md'::text, 'lg'::text, 'xl'::text])));
alter table user_avatars add constraint user_avatars_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
comment on table user_avatars is 'Profile pictures in every size served. Kept in the database, not in files: rows of files are never deleted, and a picture of a person must be deletable.';

create table users -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity -- rights app_portal=r/app_migrate
  email text not null
  first_name text not null -- rights app_portal=r/app_migrate
  last_name text not null -- rights app_portal=r/app_migrate
  role text not null -- rights app_portal=r/app_migrate
  password_hash text
  email_verified_at timestamp with time zone
  session_epoch integer not null default 1
  disabled_at timestamp with time zone
  avatar_file_name text
  job_title text
  phone text
  start_page text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  language text
alter table users add constraint users_avatar_file_name CHECK ((avatar_file_name ~ '^[0-9a-f]{32}\.webp$'::text));
alter table users add constraint users_email_check CHECK (((email = lower(email)) AND (length(email) <= 254)));
alter table users add constraint users_first_name_check CHECK (((length(first_name) >= 1) AND (length(first_name) <= 120)));
alter table users add constraint users_job_title_check CHECK (((length(job_title) >= 1) AND (length(job_title) <= 120)));
alter table users add constraint users_language_check CHECK ((language = ANY (ARRAY['en-US'::text, 'en-GB'::text])));
alter table users add constraint users_last_name_check CHECK (((length(last_name) >= 1) AND (length(last_name) <= 120)));
alter table users add constraint users_phone_check CHECK ((length(phone) <= 40));
alter table users add constraint users_pkey PRIMARY KEY (id);
alter table users add constraint users_role_check CHECK ((role = ANY (ARRAY['customer'::text, 'staff_admin'::text, 'staff_user'::text, 'system_admin'::text, 'vendor'::text])));
alter table users add constraint users_start_page_check CHECK (((start_page ~ '^/admin(/[a-z0-9-]+)*$'::text) AND (length(start_page) <= 120)));
CREATE UNIQUE INDEX users_email ON public.users USING btree (email);
CREATE INDEX users_email_start ON public.users USING btree (lower(email) text_pattern_ops);
CREATE INDEX users_name_start ON public.users USING btree (fold_name(last_name) text_pattern_ops);
CREATE INDEX users_role ON public.users USING btree (role, last_name, id);
CREATE INDEX users_search ON public.users USING gin (search_words(VARIADIC ARRAY[first_name, last_name, email]) gin_trgm_ops);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.users FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER users_end_links AFTER UPDATE ON public.users FOR EACH ROW WHEN ((((new.password_hash IS DISTINCT FROM old.password_hash) AND (new.session_epoch <> old.session_epoch)) OR ((new.disabled_at IS NOT NULL) AND (old.disabled_at IS NULL)))) EXECUTE FUNCTION end_links_of_person();
create policy house on users as permissive for all to app_rw using (true) with check (true);
create policy portal on users as permissive for select to app_portal using (((role <> 'customer'::text) OR (id = ( SELECT request_user() AS request_user)) OR (EXISTS ( SELECT 1
   FROM customer_users m
  WHERE ((m.user_id = users.id) AND (m.customer_id = ( SELECT request_customer() AS request_customer)))))));
comment on column users.language is 'English of the screens, American or British, where the person chose one; null: that of their organization.';
comment on column users.session_epoch is 'Increased by a password change, by disabling the account and by "sign out everywhere". Sessions with an older number are invalid.';
comment on column users.start_page is 'Page a member of staff opens after signing in; null: the dashboard.';
comment on table users is 'People who can sign in: staff, customers and royaltors. Passwords are stored as hashes only.';

comment on view vat_items is 'What VAT returns take, each once: tax lines of the ledger, and the net of documents without tax. Opening balances
  and the postings of returns are no part of it. Untaxed goods name the country they went to.';

create table vendors -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  number text not null default ('VN-'::text || nextval('vendor_numbers'::regclass))
  name text not null
  legal_name text
  divisions text[] not null default ARRAY['US'::text]
  default_currency currency_code not null default 'USD'::text
  contact_name text
  email email_address
  phone text
  website text
  address postal_address
  remit_to_address postal_address
  vat_number text
  payment_method text not null default 'check'::text
  payment_terms_days integer not null default 30
  notes text not null default ''::text
  active boolean not null default true
  bank_account_encrypted bytea
  bank_routing_encrypted bytea
  bank_key_id text
  bank_account_last4 text
  bank_verified_at timestamp with time zone
  tin_encrypted bytea
  tin_key_id text
  tin_last4 text
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, name, legal_name, contact_name, (email)::text, phone, ((address)::jsonb ->> 'postal_code'::text)])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
  bank_kind text
  bank_country text
  bank_holder text
  bank_is_savings boolean not null default false
  bank_details_version integer not null default 0
  bank_details_changed_by_id bigint
  bank_details_changed_at timestamp with time zone
  bank_verified_by_id bigint
  bank_verified_note text
  tax_form_type text not null default 'none'::text
  tax_form_received_on date
  tax_1099_category text not null default 'none'::text
alter table vendors add constraint vendors_bank_account_last4_check CHECK ((bank_account_last4 ~ '^[0-9A-Z]{1,4}$'::text));
alter table vendors add constraint vendors_bank_country_check CHECK ((bank_country ~ '^[A-Z]{2}$'::text));
alter table vendors add constraint vendors_bank_details_changed_by_id_fkey FOREIGN KEY (bank_details_changed_by_id) REFERENCES users(id);
alter table vendors add constraint vendors_bank_four_eyes CHECK ((bank_verified_by_id <> bank_details_changed_by_id));
alter table vendors add constraint vendors_bank_holder_check CHECK ((bank_holder <> ''::text));
alter table vendors add constraint vendors_bank_kind_check CHECK ((bank_kind = ANY (ARRAY['us'::text, 'uk'::text, 'iban'::text, 'other'::text])));
alter table vendors add constraint vendors_bank_verified CHECK (((bank_verified_at IS NULL) OR ((bank_account_encrypted IS NOT NULL) AND (bank_verified_by_id IS NOT NULL) AND (bank_verified_note IS NOT NULL))));
alter table vendors add constraint vendors_bank_verified_by_id_fkey FOREIGN KEY (bank_verified_by_id) REFERENCES users(id);
alter table vendors add constraint vendors_check CHECK ((num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) = ANY (ARRAY[0, 3])));
alter table vendors add constraint vendors_check1 CHECK ((num_nonnulls(tin_encrypted, tin_last4, tin_key_id) = ANY (ARRAY[0, 3])));
alter table vendors add constraint vendors_divisions_check CHECK ((is_division_set(divisions) AND (cardinality(divisions) > 0)));
alter table vendors add constraint vendors_name_check CHECK ((name <> ''::text));
alter table vendors add constraint vendors_number_key UNIQUE (number);
alter table vendors add constraint vendors_payment_method_check CHECK ((payment_method = ANY (ARRAY['ach'::text, 'wire'::text, 'check'::text, 'bacs'::text, 'sepa'::text])));
alter table vendors add constraint vendors_payment_terms_days_check CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 365)));
alter table vendors add constraint vendors_pkey PRIMARY KEY (id);
alter table vendors add constraint vendors_tax_1099_category_check CHECK ((tax_1099_category = ANY (ARRAY['none'::text, 'nec'::text, 'misc_rents'::text, 'misc_royalties'::text, 'misc_other_income'::text, 'misc_legal'::text])));
alter table vendors add constraint vendors_tax_form CHECK (((tax_form_type <> 'none'::text) OR (tax_form_received_on IS NULL)));
alter table vendors add constraint vendors_tax_form_type_check CHECK ((tax_form_type = ANY (ARRAY['none'::text, 'w9'::text, 'w8ben'::text, 'w8bene'::text])));
alter table vendors add constraint vendors_tin_last4_check CHECK ((tin_last4 ~ '^[0-9A-Z]{1,4}$'::text));
CREATE INDEX vendors_bank_changed_by ON public.vendors USING btree (bank_details_changed_by_id);
CREATE INDEX vendors_bank_verified_by ON public.vendors USING btree (bank_verified_by_id);
CREATE INDEX vendors_latest ON public.vendors USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX vendors_name ON public.vendors USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX vendors_name_start ON public.vendors USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX vendors_number_start ON public.vendors USING btree (lower(number) text_pattern_ops);
CREATE INDEX vendors_search ON public.vendors USING gin (search_text gin_trgm_ops);
CREATE TRIGGER bank_details_guard BEFORE INSERT OR UPDATE ON public.vendors FOR EACH ROW EXECUTE FUNCTION tg_bank_details_guard();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.vendors FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER vendors_in_use AFTER UPDATE OF deleted_at ON public.vendors FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))) EXECUTE FUNCTION refuse_trash_in_use();
comment on column vendors.bank_account_encrypted is 'AES-256-GCM ciphertext under the key named by bank_key_id. Screens show the last four digits only.';
comment on column vendors.bank_details_version is 'Counts each change of the bank details; a payment keeps the one it was approved with.';
comment on column vendors.bank_holder is 'Name on the account where it is not that of the vendor.';
comment on column vendors.bank_kind is 'null: written before kinds were kept; read from the number itself.';
comment on column vendors.bank_verified_note is 'Who confirmed the details and how they were reached.';
comment on column vendors.remit_to_address is 'Payment address if different; null: the address.';
comment on column vendors.tax_1099_category is 'Form and box of the year-end report; none: not reported.';
comment on column vendors.tax_form_received_on is 'Day on which the form came in.';
comment on table vendors is 'Suppliers of goods and services.';

create table venue_aliases -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  venue_id bigint not null
  alias text not null
  alias_key text not null generated always as (search_fold(alias)) stored
  created_at timestamp with time zone not null default now()
alter table venue_aliases add constraint venue_aliases_alias_check CHECK ((alias <> ''::text));
alter table venue_aliases add constraint venue_aliases_alias_key_key UNIQUE (alias_key);
alter table venue_aliases add constraint venue_aliases_pkey PRIMARY KEY (id);
alter table venue_aliases add constraint venue_aliases_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id);
CREATE INDEX venue_aliases_fold ON public.venue_aliases USING btree (name_key(alias));
CREATE INDEX venue_aliases_venue ON public.venue_aliases USING btree (venue_id);
comment on table venue_aliases is 'Other names under which returns and imports recognize a venue. A name stands for one venue.';

create table venue_default_tickets -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  venue_id bigint not null
  sort integer not null default 0
  label text not null default ''::text
  number_of_seats integer not null default 0
  price_minor minor_amount not null default 0
  currency currency_code not null
  weight numeric(12,4) not null default 0
  created_at timestamp with time zone not null default now()
alter table venue_default_tickets add constraint venue_default_tickets_number_of_seats_check CHECK (((number_of_seats >= 0) AND (number_of_seats <= 200000)));
alter table venue_default_tickets add constraint venue_default_tickets_pkey PRIMARY KEY (id);
alter table venue_default_tickets add constraint venue_default_tickets_price_minor_check CHECK ((((price_minor)::bigint >= 0) AND ((price_minor)::bigint <= 9999999)));
alter table venue_default_tickets add constraint venue_default_tickets_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id);
alter table venue_default_tickets add constraint venue_default_tickets_weight_check CHECK (((weight >= (0)::numeric) AND (weight <= (1000000)::numeric)));
CREATE INDEX venue_default_tickets_venue ON public.venue_default_tickets USING btree (venue_id, sort, id);
comment on table venue_default_tickets is 'Ticket prices and seats that a new license at the venue starts with.';

create table venues -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_portal=r/app_migrate app_rw=arw/app_migrate, row security
  id bigint not null generated always as identity
  number text not null default ('V-'::text || nextval('venue_numbers'::regclass))
  name text not null
  kind text not null default 'theatre'::text
  address postal_address
  locality text generated always as (((address)::jsonb ->> 'locality'::text)) stored
  country_code text generated always as (((address)::jsonb ->> 'country_code'::text)) stored
  lat double precision
  lng double precision
  geocode_source text
  time_zone text not null default 'America/New_York'::text
  capacity integer
  owner_customer_id bigint
  phone text
  website text
  active boolean not null default true
  merged_into_id bigint
  search_text text not null generated always as (search_words(VARIADIC ARRAY[number, name, ((address)::jsonb ->> 'locality'::text), ((address)::jsonb ->> 'postal_code'::text), phone])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table venues add constraint venues_capacity_check CHECK (((capacity >= 0) AND (capacity <= 200000)));
alter table venues add constraint venues_check CHECK (((lat IS NULL) = (lng IS NULL)));
alter table venues add constraint venues_check1 CHECK ((merged_into_id <> id));
alter table venues add constraint venues_geocode_source_check CHECK ((geocode_source = ANY (ARRAY['manual'::text, 'places'::text, 'import'::text, 'postal_centroid'::text])));
alter table venues add constraint venues_kind_check CHECK ((kind = ANY (ARRAY['theatre'::text, 'school_hall'::text, 'arena'::text, 'church'::text, 'outdoor'::text, 'other'::text])));
alter table venues add constraint venues_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)));
alter table venues add constraint venues_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)));
alter table venues add constraint venues_merged_into_id_fkey FOREIGN KEY (merged_into_id) REFERENCES venues(id);
alter table venues add constraint venues_name_check CHECK ((name <> ''::text));
alter table venues add constraint venues_number_key UNIQUE (number);
alter table venues add constraint venues_owner_customer_id_fkey FOREIGN KEY (owner_customer_id) REFERENCES customers(id);
alter table venues add constraint venues_pkey PRIMARY KEY (id);
alter table venues add constraint venues_time_zone_check CHECK ((time_zone ~ '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$'::text));
CREATE INDEX venues_country ON public.venues USING btree (country_code, name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX venues_latest ON public.venues USING btree (updated_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX venues_merged_into ON public.venues USING btree (merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE INDEX venues_name ON public.venues USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX venues_name_fold ON public.venues USING btree (name_key(name)) WHERE (deleted_at IS NULL);
CREATE INDEX venues_name_key ON public.venues USING btree (search_fold(name)) WHERE (deleted_at IS NULL);
CREATE INDEX venues_name_start ON public.venues USING btree (fold_name(name) text_pattern_ops);
CREATE INDEX venues_number_start ON public.venues USING btree (lower(number) text_pattern_ops);
CREATE INDEX venues_owner ON public.venues USING btree (owner_customer_id) WHERE (owner_customer_id IS NOT NULL);
CREATE INDEX venues_point ON public.venues USING btree (lat, lng) WHERE (lat IS NOT NULL);
CREATE INDEX venues_search ON public.venues USING gin (search_text gin_trgm_ops);
CREATE INDEX venues_town_fold ON public.venues USING btree (COALESCE(name_key(((address)::jsonb ->> 'locality'::text)), ''::text)) WHERE ((deleted_at IS NULL) AND (merged_into_id IS NULL));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.venues FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER venues_in_use AFTER UPDATE OF deleted_at ON public.venues FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL) AND (new.merged_into_id IS NULL))) EXECUTE FUNCTION refuse_trash_in_use();
create policy house on venues as permissive for all to app_rw using (true) with check (true);
create policy portal on venues as permissive for select to app_portal using (((EXISTS ( SELECT 1
   FROM customer_venues m
  WHERE (m.venue_id = venues.id))) OR (EXISTS ( SELECT 1
   FROM license_venues v
  WHERE (v.venue_id = venues.id))) OR (EXISTS ( SELECT 1
   FROM license_application_venues v
  WHERE (v.venue_id = venues.id)))));
comment on table venues is 'Venues and their halls.';

create table warehouses -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  code text not null
  name text not null
  division text not null
  address postal_address
  returns_address postal_address
  time_zone text not null default 'America/New_York'::text
  contact_name text
  email email_address
  phone text
  ship_cutoff text
  carriers text[] not null default '{}'::text[]
  return_lead_days integer not null default 5
  default_for_division boolean not null default false
  active boolean not null default true
  search_text text not null generated always as (search_words(VARIADIC ARRAY[code, name, ((address)::jsonb ->> 'locality'::text), ((address)::jsonb ->> 'postal_code'::text)])) stored
  version integer not null default 1
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table warehouses add constraint warehouses_carriers_check CHECK ((cardinality(carriers) <= 20));
alter table warehouses add constraint warehouses_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{0,15}$'::text));
alter table warehouses add constraint warehouses_code_key UNIQUE (code);
alter table warehouses add constraint warehouses_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table warehouses add constraint warehouses_name_check CHECK ((name <> ''::text));
alter table warehouses add constraint warehouses_pkey PRIMARY KEY (id);
alter table warehouses add constraint warehouses_return_lead_days_check CHECK (((return_lead_days >= 0) AND (return_lead_days <= 60)));
alter table warehouses add constraint warehouses_ship_cutoff_check CHECK ((ship_cutoff ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text));
alter table warehouses add constraint warehouses_time_zone_check CHECK ((time_zone ~ '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$'::text));
CREATE INDEX warehouses_code_start ON public.warehouses USING btree (lower(code) text_pattern_ops);
CREATE UNIQUE INDEX warehouses_default ON public.warehouses USING btree (division) WHERE (default_for_division AND (deleted_at IS NULL));
CREATE INDEX warehouses_division ON public.warehouses USING btree (division);
CREATE INDEX warehouses_name ON public.warehouses USING btree (name COLLATE "und-x-icu", id) WHERE (deleted_at IS NULL);
CREATE INDEX warehouses_search ON public.warehouses USING gin (search_text gin_trgm_ops);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.warehouses FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column warehouses.return_lead_days is 'Days after the return date until returned copies are available again.';
comment on column warehouses.returns_address is 'Address for returns if different; null: the address.';
comment on column warehouses.ship_cutoff is 'Local time until which picked orders leave on the same day.';
comment on table warehouses is 'Warehouses that materials are shipped from and returned to.';

create table wht_rules -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  payer_division text not null
  payee_country country_code
  payee_kind text
  income_kind text not null default 'royalty'::text
  form text
  rate_ppm rate_ppm not null
  priority integer not null default 0
  description text not null
  valid_from date not null
  valid_to date
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table wht_rules add constraint wht_rules_check CHECK ((valid_to >= valid_from));
alter table wht_rules add constraint wht_rules_description_check CHECK ((description <> ''::text));
alter table wht_rules add constraint wht_rules_form_check CHECK ((form = ANY (ARRAY['w9'::text, 'w8ben'::text, 'w8bene'::text, 'treaty_direction'::text, 'author_by_profession'::text, 'none'::text])));
alter table wht_rules add constraint wht_rules_income_kind_check CHECK ((income_kind = 'royalty'::text));
alter table wht_rules add constraint wht_rules_payee_kind_check CHECK ((payee_kind = ANY (ARRAY['person'::text, 'company'::text, 'agent'::text])));
alter table wht_rules add constraint wht_rules_payer_division_fkey FOREIGN KEY (payer_division) REFERENCES divisions(code);
alter table wht_rules add constraint wht_rules_payer_division_payee_country_payee_kind_income_ki_key UNIQUE NULLS NOT DISTINCT (payer_division, payee_country, payee_kind, income_kind, form, valid_from);
alter table wht_rules add constraint wht_rules_pkey PRIMARY KEY (id);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.wht_rules FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on table wht_rules is 'Withholding tax rules by payer, payee and form, as of the payment date. Null matches everything.';

create table year_end_filings -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arwd/app_migrate
  id bigint not null generated always as identity
  division text not null
  tax_year integer not null
  form text not null
  sequence integer not null
  status text not null default 'prepared'::text
  layout_id bigint not null
  content_sha256 sha256_hex not null
  prepared_by_id bigint not null
  prepared_at timestamp with time zone not null
  filed_by_id bigint
  filed_at timestamp with time zone
  receipt text not null default ''::text
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table year_end_filings add constraint year_end_filings_check CHECK ((filed_by_id <> prepared_by_id));
alter table year_end_filings add constraint year_end_filings_check1 CHECK ((((status = 'filed'::text) = (filed_by_id IS NOT NULL)) AND ((status = 'filed'::text) = (filed_at IS NOT NULL))));
alter table year_end_filings add constraint year_end_filings_division_fkey FOREIGN KEY (division) REFERENCES divisions(code);
alter table year_end_filings add constraint year_end_filings_division_tax_year_form_sequence_key UNIQUE (division, tax_year, form, sequence);
alter table year_end_filings add constraint year_end_filings_filed_by_id_fkey FOREIGN KEY (filed_by_id) REFERENCES users(id);
alter table year_end_filings add constraint year_end_filings_form_check CHECK ((form = ANY (ARRAY['1099_nec'::text, '1099_misc'::text, '1042_s'::text, 'royalties'::text])));
alter table year_end_filings add constraint year_end_filings_layout_id_fkey FOREIGN KEY (layout_id) REFERENCES year_end_layouts(id);
alter table year_end_filings add constraint year_end_filings_pkey PRIMARY KEY (id);
alter table year_end_filings add constraint year_end_filings_prepared_by_id_fkey FOREIGN KEY (prepared_by_id) REFERENCES users(id);
alter table year_end_filings add constraint year_end_filings_receipt_check CHECK ((length(receipt) <= 100));
alter table year_end_filings add constraint year_end_filings_sequence_check CHECK ((sequence >= 0));
alter table year_end_filings add constraint year_end_filings_status_check CHECK ((status = ANY (ARRAY['prepared'::text, 'filed'::text])));
alter table year_end_filings add constraint year_end_filings_tax_year_check CHECK (((tax_year >= 1990) AND (tax_year <= 2200)));
CREATE INDEX year_end_filings_filer ON public.year_end_filings USING btree (filed_by_id) WHERE (filed_by_id IS NOT NULL);
CREATE INDEX year_end_filings_layout ON public.year_end_filings USING btree (layout_id);
CREATE INDEX year_end_filings_preparer ON public.year_end_filings USING btree (prepared_by_id);
CREATE UNIQUE INDEX year_end_filings_waiting ON public.year_end_filings USING btree (division, tax_year, form) WHERE (status = 'prepared'::text);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.year_end_filings FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER year_end_filings_guard BEFORE DELETE OR UPDATE ON public.year_end_filings FOR EACH ROW EXECUTE FUNCTION tg_year_end_filings_guard();
comment on column year_end_filings.content_sha256 is 'Hash of the forms: marking them filed refuses where the payments say something else by then.';
comment on column year_end_filings.receipt is 'What the tax authority answered.';
comment on table year_end_filings is 'Year-end forms of one kind that went out together: prepared by one person, marked filed by another, never changed
  afterwards. Sequence 0 is the first filing of a year, later ones hold corrections and late forms.';

create table year_end_form_payments -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  form_id bigint not null
  payment_id bigint not null
  box text not null
  amount_minor minor_amount not null
  withheld_minor minor_amount not null
  created_at timestamp with time zone not null default now()
alter table year_end_form_payments add constraint year_end_form_payments_form_id_fkey FOREIGN KEY (form_id) REFERENCES year_end_forms(id);
alter table year_end_form_payments add constraint year_end_form_payments_form_id_payment_id_box_key UNIQUE (form_id, payment_id, box);
alter table year_end_form_payments add constraint year_end_form_payments_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table year_end_form_payments add constraint year_end_form_payments_pkey PRIMARY KEY (id);
CREATE INDEX year_end_form_payments_payment ON public.year_end_form_payments USING btree (payment_id);
CREATE TRIGGER year_end_form_payments_guard BEFORE DELETE OR UPDATE ON public.year_end_form_payments FOR EACH ROW EXECUTE FUNCTION tg_year_end_forms_guard();
comment on table year_end_form_payments is 'Payments behind the boxes of a form; they sum to it.';

create table year_end_forms -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=ard/app_migrate
  id bigint not null generated always as identity
  filing_id bigint not null
  kind text not null
  corrects_id bigint
  recipient text not null
  members text[] not null
  name text not null
  account text not null
  address postal_address
  country country_code
  tax_form text not null
  tin_encrypted bytea
  tin_key_id text
  tin_last4 text
  rate_ppm rate_ppm
  boxes jsonb not null
  payment_count integer not null
  created_at timestamp with time zone not null default now()
alter table year_end_forms add constraint year_end_forms_boxes_check CHECK ((jsonb_typeof(boxes) = 'object'::text));
alter table year_end_forms add constraint year_end_forms_check CHECK ((num_nonnulls(tin_encrypted, tin_key_id, tin_last4) = ANY (ARRAY[0, 3])));
alter table year_end_forms add constraint year_end_forms_check1 CHECK (((kind = 'correction'::text) = (corrects_id IS NOT NULL)));
alter table year_end_forms add constraint year_end_forms_corrects_id_fkey FOREIGN KEY (corrects_id) REFERENCES year_end_forms(id);
alter table year_end_forms add constraint year_end_forms_corrects_id_key UNIQUE (corrects_id);
alter table year_end_forms add constraint year_end_forms_filing_id_fkey FOREIGN KEY (filing_id) REFERENCES year_end_filings(id);
alter table year_end_forms add constraint year_end_forms_filing_id_recipient_rate_ppm_kind_corrects_i_key UNIQUE NULLS NOT DISTINCT (filing_id, recipient, rate_ppm, kind, corrects_id);
alter table year_end_forms add constraint year_end_forms_kind_check CHECK ((kind = ANY (ARRAY['original'::text, 'correction'::text])));
alter table year_end_forms add constraint year_end_forms_members_check CHECK ((cardinality(members) >= 1));
alter table year_end_forms add constraint year_end_forms_name_check CHECK ((name <> ''::text));
alter table year_end_forms add constraint year_end_forms_payment_count_check CHECK ((payment_count >= 0));
alter table year_end_forms add constraint year_end_forms_pkey PRIMARY KEY (id);
alter table year_end_forms add constraint year_end_forms_recipient_check CHECK ((recipient ~ '^(royaltor|vendor):[0-9]+$'::text));
CREATE CONSTRAINT TRIGGER year_end_form_sum AFTER INSERT ON public.year_end_forms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tg_year_end_form_sum();
CREATE TRIGGER year_end_forms_guard BEFORE DELETE OR UPDATE ON public.year_end_forms FOR EACH ROW EXECUTE FUNCTION tg_year_end_forms_guard();
comment on column year_end_forms.account is 'Number of the royaltor or vendor.';
comment on column year_end_forms.boxes is 'Minor units of the division''s own currency by box.';
comment on column year_end_forms.members is 'All payees that share the tax id.';
comment on column year_end_forms.rate_ppm is 'Of a 1042-S, which is one for each rate; null elsewhere.';
comment on column year_end_forms.recipient is 'Whose name it carries: royaltor:12 or vendor:7.';
comment on column year_end_forms.tin_encrypted is 'AES-256-GCM ciphertext under the key named by tin_key_id. Screens and the recipient''s copy show the last four
  digits only.';
comment on table year_end_forms is 'One form of a recipient as it was prepared: name, address, tax id and amounts of then.';

create table year_end_layouts -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  form text not null
  tax_year integer not null
  revision integer not null
  columns jsonb not null
  confirmed_by_id bigint
  confirmed_at timestamp with time zone
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table year_end_layouts add constraint year_end_layouts_check CHECK (((confirmed_by_id IS NULL) = (confirmed_at IS NULL)));
alter table year_end_layouts add constraint year_end_layouts_columns_check CHECK (((jsonb_typeof(columns) = 'array'::text) AND (jsonb_array_length(columns) > 0)));
alter table year_end_layouts add constraint year_end_layouts_confirmed_by_id_fkey FOREIGN KEY (confirmed_by_id) REFERENCES users(id);
alter table year_end_layouts add constraint year_end_layouts_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table year_end_layouts add constraint year_end_layouts_form_check CHECK ((form = ANY (ARRAY['1099_nec'::text, '1099_misc'::text, '1042_s'::text, 'royalties'::text])));
alter table year_end_layouts add constraint year_end_layouts_form_tax_year_revision_key UNIQUE (form, tax_year, revision);
alter table year_end_layouts add constraint year_end_layouts_pkey PRIMARY KEY (id);
alter table year_end_layouts add constraint year_end_layouts_revision_check CHECK ((revision >= 1));
alter table year_end_layouts add constraint year_end_layouts_tax_year_check CHECK (((tax_year >= 1990) AND (tax_year <= 2200)));
CREATE INDEX year_end_layouts_confirmed_by ON public.year_end_layouts USING btree (confirmed_by_id) WHERE (confirmed_by_id IS NOT NULL);
CREATE INDEX year_end_layouts_creator ON public.year_end_layouts USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.year_end_layouts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER year_end_layouts_guard BEFORE UPDATE ON public.year_end_layouts FOR EACH ROW EXECUTE FUNCTION tg_year_end_layouts_guard();
comment on column year_end_layouts.columns is 'In their order: key, which says what stands in it, and head.';
comment on table year_end_layouts is 'Columns of the CSV of a form in a tax year. Unverified until a person has compared them with the published form; a
  change is a new revision.';

create table year_end_thresholds -- owner app_migrate, rights app_migrate=arwdDxtm/app_migrate app_rw=arw/app_migrate
  id bigint not null generated always as identity
  form text not null
  box text not null
  from_year integer not null
  threshold_minor minor_amount not null
  source text not null default ''::text
  created_by_id bigint
  version integer not null default 1
  created_at timestamp with time zone not null default now()
  updated_at timestamp with time zone not null default now()
alter table year_end_thresholds add constraint year_end_thresholds_box_check CHECK ((box ~ '^[0-9a-z]{1,8}$'::text));
alter table year_end_thresholds add constraint year_end_thresholds_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id);
alter table year_end_thresholds add constraint year_end_thresholds_form_box_from_year_key UNIQUE (form, box, from_year);
alter table year_end_thresholds add constraint year_end_thresholds_form_check CHECK ((form = ANY (ARRAY['1099_nec'::text, '1099_misc'::text, '1042_s'::text, 'royalties'::text])));
alter table year_end_thresholds add constraint year_end_thresholds_from_year_check CHECK (((from_year >= 1990) AND (from_year <= 2200)));
alter table year_end_thresholds add constraint year_end_thresholds_pkey PRIMARY KEY (id);
alter table year_end_thresholds add constraint year_end_thresholds_source_check CHECK ((length(source) <= 300));
alter table year_end_thresholds add constraint year_end_thresholds_threshold_minor_check CHECK (((threshold_minor)::bigint >= 0));
CREATE INDEX year_end_thresholds_creator ON public.year_end_thresholds USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.year_end_thresholds FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
comment on column year_end_thresholds.threshold_minor is 'Minor units of the division''s own currency.';
comment on table year_end_thresholds is 'Amounts from which a box of a year-end form is reported, from a tax year on. No row: every amount is.';
