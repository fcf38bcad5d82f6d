-- Foreign keys to tables of later files.

alter table show_restrictions add foreign key (source_license_id) references licenses (id);
alter table show_royaltors add foreign key (opening_statement_id) references royalty_statements (id);
alter table license_instalments
  add foreign key (invoice_id) references invoices (id),
  add foreign key (proforma_id) references invoices (id),
  add foreign key (deposit_id) references deposits (id);
alter table file_downloads add foreign key (sales_order_id) references sales_orders (id);
alter table file_download_resets add foreign key (sales_order_id) references sales_orders (id);
alter table box_office_reports
  add foreign key (import_id) references imports (id),
  add foreign key (invoice_id) references invoices (id);
alter table stream_reports add foreign key (invoice_id) references invoices (id);
alter table invoice_write_offs add foreign key (payment_id) references payments (id);
alter table payments add foreign key (royalty_payment_batch_id) references royalty_payment_batches (id);
alter table material_copies
  add foreign key (sales_order_line_id) references sales_order_lines (id),
  add foreign key (perusal_id) references perusals (id);
alter table stock_movements
  add foreign key (sales_order_line_id) references sales_order_lines (id),
  add foreign key (perusal_id) references perusals (id);
