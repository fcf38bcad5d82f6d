-- Interest on late payment, as contracts agree it or, where they agree none, as the law grants it: billed by a person
-- for days of an overdue invoice, each day once, or waived with a reason. It is income of its own, outside of VAT.

insert into ledger_accounts (division, ledger_header_id, code, name, class, system_key)
select h.division, h.id, '4600', 'Interest on late payment', 'income', 'late_interest'
from ledger_headers h
where h.section = 'revenue' and h.class = 'income' and h.parent_id is not null and h.is_system
  and not exists (select 1 from ledger_accounts a where a.division = h.division and a.code = '4600');

alter table invoice_items drop constraint invoice_items_kind_check;
alter table invoice_items add constraint invoice_items_kind_check check (kind in ('royalty', 'minimum', 'advance',
  'overage', 'rental', 'extra_week', 'sale', 'digital', 'add_on', 'shipping', 'fee', 'bank_charge', 'late_interest',
  'deposit_deduction', 'discount'));

alter table divisions add column statutory_interest_ppm_per_year integer
  check (statutory_interest_ppm_per_year between 1 and 500000);
comment on column divisions.statutory_interest_ppm_per_year is
  'Interest that the law grants on late commercial payments, per year; null: none is proposed.';
grant update (statutory_interest_ppm_per_year) on divisions to app_rw;

create table late_interest_charges (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  from_on date not null,
  to_on date not null,
  state text not null check (state in ('billed', 'waived')),
  amount_minor minor_amount not null check (amount_minor > 0),
  rate_ppm integer not null check (rate_ppm > 0),
  rate_per text not null check (rate_per in ('month', 'year')),
  interest_invoice_id bigint references invoices (id),
  reason text not null default '',
  credited_at timestamptz,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check (to_on >= from_on),
  check ((state = 'billed') = (interest_invoice_id is not null)),
  check (state = 'billed' or reason <> ''),
  check (credited_at is null or state = 'billed'),
  check (interest_invoice_id <> invoice_id),
  constraint late_interest_charges_once exclude using gist (int8range(invoice_id, invoice_id, '[]') with &&,
    daterange(from_on, to_on, '[]') with &&) where (credited_at is null)
);
comment on table late_interest_charges is
  'Days of an overdue invoice whose interest was billed or waived. No day is billed twice while its bill stands.';
comment on column late_interest_charges.interest_invoice_id is 'Invoice that bills it; null: waived.';
comment on column late_interest_charges.credited_at is 'When its bill was credited in full: its days are open again.';
create index late_interest_charges_invoice on late_interest_charges (invoice_id, from_on);
create index late_interest_charges_bill on late_interest_charges (interest_invoice_id)
  where interest_invoice_id is not null;
create index late_interest_charges_creator on late_interest_charges (created_by_id);
grant select, insert on late_interest_charges to app_rw;
grant update (credited_at) on late_interest_charges to app_rw;
