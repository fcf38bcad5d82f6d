-- Invoices, pro formas and credit notes; receipts and payments with what they settle; deposits. Documents refer to
-- the
-- ledger, never the other way round. Sources: domain.md 1 ("what is invoiced when"), 2.7, 2.8, 2.10, 7;
-- accounting.md 2.

create table invoices (
  id bigint generated always as identity primary key,
  -- Gapless, from the ledger's number series, given in the posting transaction (accounting.md 1.4); null until
  -- issued.
  invoice_number text,
  -- A pro forma has this reference instead: no number of a tax series (domain.md 6.2).
  reference text unique,
  kind text not null check (kind in ('invoice', 'proforma', 'credit_note')),
  status text not null default 'draft' check (status in
    ('draft', 'proforma', 'issued', 'part_paid', 'paid', 'credited', 'written_off', 'void')),
  customer_id bigint not null references customers (id),
  license_id bigint references licenses (id),
  credits_invoice_id bigint references invoices (id),
  -- The pro forma that a payment turned into this tax invoice.
  proforma_id bigint references invoices (id),
  division text not null references divisions (code),
  currency currency_code not null,
  billing_name text not null check (billing_name <> ''),
  billing_address postal_address,
  customer_vat_number text,
  division_vat_number text,
  issued_on date,
  tax_point_on date,
  due_on date,
  terms text not null default '',
  purchase_order_no text,
  net_minor minor_amount not null default 0,
  tax_minor minor_amount not null default 0,
  total_minor minor_amount not null default 0,
  -- On-account deposits deducted on this invoice, with the tax already charged on them (2.7).
  prepaid_net_minor minor_amount not null default 0 check (prepaid_net_minor >= 0),
  prepaid_tax_minor minor_amount not null default 0 check (prepaid_tax_minor >= 0),
  paid_minor minor_amount not null default 0 check (paid_minor >= 0),
  credited_minor minor_amount not null default 0 check (credited_minor >= 0),
  written_off_minor minor_amount not null default 0 check (written_off_minor >= 0),
  balance_minor minor_amount not null generated always as (total_minor - prepaid_net_minor - prepaid_tax_minor
    - paid_minor - credited_minor - written_off_minor) stored,
  functional_rate fx_rate,
  functional_rate_on date,
  notes text not null default '',
  legal_texts text[] not null default '{}',
  reason text not null default '',
  document_id bigint references files (id),
  sha256 sha256_hex,
  transaction_id bigint references transactions (id),
  open_item_id bigint references open_items (id),
  voided_at timestamptz,
  void_reason text,
  issued_by_id bigint references users (id),
  search_text text not null generated always as (search_fold(coalesce(invoice_number, '') || ' '
    || coalesce(reference, '') || ' ' || billing_name || ' ' || coalesce(purchase_order_no, ''))) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (total_minor = net_minor + tax_minor),
  check (net_minor >= 0 and total_minor >= 0),
  check (total_minor >= prepaid_net_minor + prepaid_tax_minor + paid_minor + credited_minor + written_off_minor),
  check (kind = 'proforma' or status not in ('issued', 'part_paid', 'paid', 'credited', 'written_off')
    or (invoice_number is not null and issued_on is not null and tax_point_on is not null)),
  -- Only what was never issued may be void; an issued invoice is cancelled by a credit note with its own number.
  check (status not in ('draft', 'proforma', 'void') or (invoice_number is null and transaction_id is null)),
  -- A pro forma is paid when its payment has turned it into a tax invoice; it never gets a number or a posting.
  check (kind <> 'proforma' or (status in ('draft', 'proforma', 'paid', 'void') and invoice_number is null
    and transaction_id is null and reference is not null)),
  check (kind = 'proforma' or status <> 'proforma'),
  check ((kind = 'credit_note') <= (credits_invoice_id is not null)),
  check (kind = 'credit_note' or credits_invoice_id is null),
  check ((status = 'void') = (voided_at is not null)),
  check (due_on >= issued_on)
);
create unique index invoices_number on invoices (division, kind, invoice_number) where invoice_number is not null;
create index invoices_latest on invoices (updated_at desc, id desc);
create index invoices_division on invoices (division, issued_on desc, id desc) include (status, kind);
create index invoices_status on invoices (division, status, due_on, id);
create index invoices_open on invoices (division, due_on, id) include (customer_id, currency, balance_minor)
  where status in ('issued', 'part_paid');
create index invoices_customer on invoices (customer_id, issued_on desc, id desc);
create index invoices_license on invoices (license_id, id);
create index invoices_credits on invoices (credits_invoice_id) where credits_invoice_id is not null;
create index invoices_proforma on invoices (proforma_id) where proforma_id is not null;
create index invoices_document on invoices (document_id) where document_id is not null;
create index invoices_transaction on invoices (transaction_id) where transaction_id is not null;
create index invoices_open_item on invoices (open_item_id) where open_item_id is not null;
create index invoices_search on invoices using gin (search_text gin_trgm_ops);

create table invoice_items (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  sort integer not null default 0,
  kind text not null check (kind in ('royalty', 'minimum', 'advance', 'overage', 'rental', 'extra_week', 'sale',
    'digital', 'add_on', 'shipping', 'fee', 'deposit_deduction', 'discount')),
  description text not null check (description <> ''),
  license_charge_id bigint references license_charges (id),
  license_venue_id bigint references license_venues (id),
  performance_id bigint references performances (id),
  add_on_id bigint references add_ons (id),
  box_office_report_id bigint references box_office_reports (id),
  credits_item_id bigint references invoice_items (id),
  quantity integer not null default 1 check (quantity between 0 and 1000000),
  unit_minor minor_amount not null,
  net_minor minor_amount not null,
  tax_code_id bigint references tax_codes (id),
  tax_minor minor_amount not null default 0,
  total_minor minor_amount not null,
  -- Cash applied to the line, tax included: what on_receipt agreements share (2.8).
  applied_minor minor_amount not null default 0,
  income_type text not null default 'royalty' check (income_type in ('royalty', 'rental', 'sale', 'digital', 'add_on',
    'streaming', 'video', 'perusal', 'late_fee', 'advance', 'breakage', 'cancellation_fee', 'shipping', 'fee')),
  item_class text not null check (item_class in ('performing_licence', 'rental', 'printed_script', 'printed_music',
    'e_publication', 'digital_music', 'tracks', 'logo', 'merchandise', 'shipping', 'fee')),
  royalty_bearing boolean not null default false,
  release_rule text not null check (release_rule in ('performances', 'opening', 'as_recouped', 'straight_line',
    'shipment', 'access', 'at_once')),
  release_from date,
  release_to date,
  -- Code of the income account; its row is found per division (accounting.md 2.1).
  account_code text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (total_minor = net_minor + tax_minor),
  check (kind <> 'shipping' or not royalty_bearing),
  check (release_rule <> 'straight_line' or (release_from is not null and release_to >= release_from))
);
create index invoice_items_invoice on invoice_items (invoice_id, sort, id);
create index invoice_items_charge on invoice_items (license_charge_id) where license_charge_id is not null;
create index invoice_items_venue on invoice_items (license_venue_id) where license_venue_id is not null;
create index invoice_items_performance on invoice_items (performance_id) where performance_id is not null;
create index invoice_items_add_on on invoice_items (add_on_id) where add_on_id is not null;
create index invoice_items_report on invoice_items (box_office_report_id) where box_office_report_id is not null;
create index invoice_items_credits on invoice_items (credits_item_id) where credits_item_id is not null;
create index invoice_items_tax_code on invoice_items (tax_code_id) where tax_code_id is not null;

-- Tax of a line per jurisdiction, as determined on the tax point; with the functional amount where currencies differ.
create table invoice_tax_lines (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  invoice_item_id bigint not null references invoice_items (id),
  jurisdiction text not null,
  tax_code_id bigint not null references tax_codes (id),
  tax_rate_id bigint references tax_rates (id),
  exemption_certificate_id bigint references tax_exemption_certificates (id),
  rate_ppm rate_ppm not null,
  base_minor minor_amount not null,
  tax_minor minor_amount not null,
  tax_functional_minor minor_amount,
  rate fx_rate,
  rate_date date,
  rate_source text check (rate_source in ('ecb', 'hmrc', 'manual')),
  reason text not null check (reason <> ''),
  created_at timestamptz not null default now(),
  unique (invoice_item_id, jurisdiction, tax_code_id),
  check (num_nonnulls(tax_functional_minor, rate, rate_date, rate_source) in (0, 4))
);
create index invoice_tax_lines_invoice on invoice_tax_lines (invoice_id, id);
create index invoice_tax_lines_code on invoice_tax_lines (tax_code_id);
create index invoice_tax_lines_rate on invoice_tax_lines (tax_rate_id) where tax_rate_id is not null;
create index invoice_tax_lines_certificate on invoice_tax_lines (exemption_certificate_id)
  where exemption_certificate_id is not null;

-- When the deferred income of a line becomes income: one row per performance or date, released by one posting.
create table release_schedule (
  id bigint generated always as identity primary key,
  invoice_item_id bigint not null references invoice_items (id),
  division text not null references divisions (code),
  performance_id bigint references performances (id),
  on_date date,
  amount_minor minor_amount not null check (amount_minor >= 0),
  currency currency_code not null,
  -- Part of the amount that a credit note took back before it was released.
  credited_minor minor_amount not null default 0,
  status text not null default 'planned' check (status in ('planned', 'released', 'cancelled')),
  released_on date,
  released_transaction_id bigint references transactions (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (credited_minor between 0 and amount_minor),
  check ((status = 'released') = (released_on is not null))
);
create index release_schedule_item on release_schedule (invoice_item_id, on_date, id);
create index release_schedule_due on release_schedule (on_date, id) where status = 'planned';
create index release_schedule_performance on release_schedule (performance_id) where performance_id is not null;
create index release_schedule_division on release_schedule (division, on_date, id);
create index release_schedule_transaction on release_schedule (released_transaction_id)
  where released_transaction_id is not null;

alter table license_instalments
  add column invoice_id bigint references invoices (id),
  add column proforma_id bigint references invoices (id);
create index license_instalments_invoice on license_instalments (invoice_id) where invoice_id is not null;
create index license_instalments_proforma on license_instalments (proforma_id) where proforma_id is not null;
alter table box_office_reports
  add column invoice_id bigint references invoices (id),
  add column transaction_id bigint references transactions (id);
create index box_office_reports_invoice on box_office_reports (invoice_id) where invoice_id is not null;
create index box_office_reports_transaction on box_office_reports (transaction_id) where transaction_id is not null;

-- An issued invoice is never changed and never re-rated: afterwards only its state of payment and its document move.
-- Generated columns are computed after a BEFORE trigger has run, so they are left out of the comparison.
create function guard_invoice() returns trigger
language plpgsql as $$
declare
  free text[] := array['status', 'paid_minor', 'credited_minor', 'written_off_minor', 'document_id', 'sha256',
    'open_item_id', 'transaction_id', 'version', 'updated_at', 'balance_minor', 'search_text'];
begin
  if old.invoice_number is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'invoice % is issued: cancel it by a credit note', old.invoice_number using errcode = '23514';
  end if;
  if old.sha256 is not null and (new.sha256, new.document_id) is distinct from (old.sha256, old.document_id)
    or old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'invoice %: its document and its posting stay', old.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_invoice before update on invoices for each row execute function guard_invoice();

create function guard_invoice_rows() returns trigger
language plpgsql as $$
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
end $$;
create trigger guard_invoice_rows before insert or update or delete on invoice_items
  for each row execute function guard_invoice_rows();
create trigger guard_invoice_rows before insert or update or delete on invoice_tax_lines
  for each row execute function guard_invoice_rows();

call maintain_updated_at('invoices', 'invoice_items', 'release_schedule');

grant select, insert, update on invoices, invoice_items, invoice_tax_lines, release_schedule to app_rw;
-- Lines of drafts and pro formas only: the guard refuses the rest.
grant delete on invoice_items, invoice_tax_lines to app_rw;
