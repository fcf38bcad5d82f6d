-- Issued documents of the US divisions are reported to the tax service: an invoice as an order, a credit note as a
-- refund of its own. What was issued before the service was set up is not reported.

alter table tax_service_transactions add column invoice_id bigint references invoices (id);
create unique index tax_service_transactions_invoice on tax_service_transactions (invoice_id)
  where invoice_id is not null;
comment on column tax_service_transactions.invoice_id is
  'Issued invoice or credit note that it reports; null: added by hand or by a program.';

create table tax_service_starts (
  id bigint primary key default 1 check (id = 1),
  started_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table tax_service_starts is 'One row, from the first run with a tax service: later documents are reported.';
grant select, insert on tax_service_starts to app_rw;
