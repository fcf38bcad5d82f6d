-- Invoices, pro formas and credit notes. Documents refer to the ledger, never the other way round. The tax of a
-- document is that of its tax point: a draft is determined again when it is issued, a pro forma when it is opened for
-- payment or paid.

create table invoices (
  id bigint generated always as identity primary key,
  invoice_number text,
  reference text unique,
  kind text not null check (kind in ('invoice', 'proforma', 'credit_note')),
  status text not null default 'draft' check (status in
    ('draft', 'proforma', 'issued', 'part_paid', 'paid', 'credited', 'written_off', 'void')),
  customer_id bigint not null references customers (id),
  license_id bigint references licenses (id),
  credits_invoice_id bigint references invoices (id),
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
  ship_to postal_address,
  revision integer not null default 1 check (revision >= 1),
  revision_note text not null default '',
  tax_shortfall_minor minor_amount not null default 0
    constraint invoices_check11 check (tax_shortfall_minor between 0 and tax_minor),
  search_text text not null generated always as (
  search_words(invoice_number, reference, billing_name, purchase_order_no)) stored,
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
comment on table invoices is 'Invoices, pro formas and credit notes. An issued one is never changed.';
comment on column invoices.invoice_number is
  'Gapless number of the ledger, taken in the posting transaction; null until issued.';
comment on column invoices.reference is 'Number of a pro forma, which has no invoice number.';
comment on column invoices.proforma_id is 'Pro forma that a payment turned into this tax invoice.';
comment on column invoices.prepaid_net_minor is
  'Deposits on account deducted from this invoice; prepaid_tax_minor: the tax already charged on them.';
comment on column invoices.functional_rate is
  'Functional currency units per one unit of the currency, on functional_rate_on.';
comment on column invoices.revision is 'Version of a pro forma; revision_note says why it is not the first.';
comment on column invoices.tax_shortfall_minor is
  'Tax left open because an earlier version was paid. It does not hold up the license.';
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
create index invoices_number_start on invoices (lower(invoice_number) text_pattern_ops)
  where invoice_number is not null;
create index invoices_reference_start on invoices (lower(reference) text_pattern_ops) where reference is not null;
create index invoices_search on invoices using gin (search_text gin_trgm_ops);
create index invoices_name_start on invoices (fold_name(billing_name) text_pattern_ops);
alter table invoices add constraint invoices_issued_due check (kind = 'proforma' or status not in ('issued',
  'part_paid', 'paid', 'credited', 'written_off') or due_on is not null) not valid;
grant select, insert, update, delete on invoices to app_rw;

create table invoice_items (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  sort integer not null default 0,
  kind text not null,
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
  account_code text,
  tax_free boolean not null default false,
  carries text check (carries in ('performing_licence', 'rental', 'printed_script', 'printed_music',
    'e_publication', 'digital_music', 'tracks', 'logo', 'merchandise', 'shipping', 'fee')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (total_minor = net_minor + tax_minor),
  check (kind <> 'shipping' or not royalty_bearing),
  check (release_rule <> 'straight_line' or (release_from is not null and release_to >= release_from)),
  constraint invoice_items_kind_check check (kind in ('royalty', 'minimum', 'advance', 'overage', 'rental',
    'extra_week', 'sale', 'digital', 'add_on', 'shipping', 'fee', 'bank_charge', 'deposit_deduction', 'discount'))
);
comment on table invoice_items is 'Lines of an invoice.';
comment on column invoice_items.applied_minor is 'Cash applied to the line, tax included.';
comment on column invoice_items.account_code is 'Code of the income account. The account is looked up in the division.';
comment on column invoice_items.tax_free is 'The item is marked as not taxed.';
comment on column invoice_items.carries is 'For shipping: the class of goods it carries.';
create index invoice_items_invoice on invoice_items (invoice_id, sort, id);
create index invoice_items_charge on invoice_items (license_charge_id) where license_charge_id is not null;
create index invoice_items_venue on invoice_items (license_venue_id) where license_venue_id is not null;
create index invoice_items_performance on invoice_items (performance_id) where performance_id is not null;
create index invoice_items_add_on on invoice_items (add_on_id) where add_on_id is not null;
create index invoice_items_report on invoice_items (box_office_report_id) where box_office_report_id is not null;
create index invoice_items_credits on invoice_items (credits_item_id) where credits_item_id is not null;
create index invoice_items_tax_code on invoice_items (tax_code_id) where tax_code_id is not null;
grant select, insert, update, delete on invoice_items to app_rw;

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
  local_tax_rate_id bigint references local_tax_rates (id),
  created_at timestamptz not null default now(),
  unique (invoice_item_id, jurisdiction, tax_code_id),
  check (num_nonnulls(tax_functional_minor, rate, rate_date, rate_source) in (0, 4))
);
comment on table invoice_tax_lines is 'Tax of a line by jurisdiction, as determined on the tax point.';
create index invoice_tax_lines_invoice on invoice_tax_lines (invoice_id, id);
create index invoice_tax_lines_code on invoice_tax_lines (tax_code_id);
create index invoice_tax_lines_rate on invoice_tax_lines (tax_rate_id) where tax_rate_id is not null;
create index invoice_tax_lines_certificate on invoice_tax_lines (exemption_certificate_id)
  where exemption_certificate_id is not null;
create index invoice_tax_lines_local on invoice_tax_lines (local_tax_rate_id) where local_tax_rate_id is not null;
grant select, insert, update, delete on invoice_tax_lines to app_rw;

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

-- A voided draft may be deleted for good (A338). Whoever asks, what was ever numbered or paid stays.
create function guard_invoice_delete() returns trigger
language plpgsql as $$
begin
  if old.status <> 'void' or old.invoice_number is not null or old.transaction_id is not null then
    raise exception 'invoice %: only a voided draft is deleted', old.id using errcode = '23514';
  end if;
  return old;
end $$;

create trigger guard_invoice_delete before delete on invoices for each row execute function guard_invoice_delete();

create table invoice_write_offs (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  kind text not null check (kind in ('bad_debt', 'small_difference', 'tax_withheld')),
  amount_minor minor_amount not null check (amount_minor > 0),
  taken_back_minor minor_amount not null default 0,
  open_item_id bigint not null references open_items (id),
  transaction_id bigint not null references transactions (id),
  payment_id bigint,
  reason text not null default '',
  written_off_on date not null,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (taken_back_minor between 0 and amount_minor)
);
comment on table invoice_write_offs is
  'Amounts that settled an invoice without cash, and how much of each was reversed.';
comment on column invoice_write_offs.open_item_id is
  'Credit on receivables that settles the invoice. Withheld tax and a small difference may share one.';
create index invoice_write_offs_invoice on invoice_write_offs (invoice_id, id);
create index invoice_write_offs_item on invoice_write_offs (open_item_id);
create index invoice_write_offs_transaction on invoice_write_offs (transaction_id);
create index invoice_write_offs_payment on invoice_write_offs (payment_id) where payment_id is not null;
grant select, insert, update on invoice_write_offs to app_rw;

create table pro_forma_versions (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  revision integer not null,
  net_minor minor_amount not null,
  tax_minor minor_amount not null,
  total_minor minor_amount not null,
  item_taxes bigint[] not null,
  replaced_on date not null,
  created_at timestamptz not null default now(),
  unique (invoice_id, revision),
  check (total_minor = net_minor + tax_minor)
);
comment on table pro_forma_versions is 'Earlier versions of a pro forma. Money for them may still arrive.';
comment on column pro_forma_versions.item_taxes is 'Tax of each line, in the order of the lines.';
grant select, insert, delete on pro_forma_versions to app_rw;

create table release_schedule (
  id bigint generated always as identity primary key,
  invoice_item_id bigint not null references invoice_items (id),
  division text not null references divisions (code),
  performance_id bigint references performances (id),
  on_date date,
  amount_minor minor_amount not null check (amount_minor >= 0),
  currency currency_code not null,
  credited_minor minor_amount not null default 0,
  status text not null default 'planned' check (status in ('planned', 'released', 'cancelled')),
  released_on date,
  released_transaction_id bigint references transactions (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (credited_minor between 0 and amount_minor),
  check ((status = 'released') = (released_on is not null))
);
comment on table release_schedule is 'When deferred income of a line becomes income: one row per performance or date.';
comment on column release_schedule.credited_minor is 'Part of the amount that was credited before its release.';
create index release_schedule_item on release_schedule (invoice_item_id, on_date, id);
create index release_schedule_due on release_schedule (on_date, id) where status = 'planned';
create index release_schedule_performance on release_schedule (performance_id) where performance_id is not null;
create index release_schedule_division on release_schedule (division, on_date, id);
create index release_schedule_transaction on release_schedule (released_transaction_id)
  where released_transaction_id is not null;
grant select, insert, update on release_schedule to app_rw;

create function refuse_line_that_does_not_multiply() returns trigger language plpgsql as $$
begin
  if new.quantity::bigint * new.unit_minor <> new.net_minor then
    raise exception 'quantity % times % is not %', new.quantity, new.unit_minor, new.net_minor
      using errcode = '23514', table = 'invoice_items', constraint = 'invoice_items_quantity_times_unit';
  end if;
  return new;
end $$;

create trigger invoice_items_multiply before insert or update of quantity, unit_minor, net_minor on invoice_items
  for each row execute function refuse_line_that_does_not_multiply();

call maintain_updated_at('invoices', 'invoice_items', 'invoice_write_offs', 'release_schedule');
