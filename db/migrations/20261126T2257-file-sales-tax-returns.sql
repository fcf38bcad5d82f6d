-- Sales and use tax returns of the US divisions by state (accounting.md 2.2 event 23, 3.9): beside the VAT returns,
-- with a filing calendar of each state and the bill that pays a return.

alter table tax_returns drop constraint tax_returns_division_check;
alter table tax_returns drop constraint tax_returns_division_period_from_key;
alter table tax_returns drop constraint tax_returns_division_period_to_key;
alter table tax_returns add column state text check (state ~ '^US-[A-Z]{2}$');
alter table tax_returns add column due_on date;
alter table tax_returns add column filed_on date;
alter table tax_returns add column discount_minor minor_amount not null default 0 check (discount_minor >= 0);
alter table tax_returns add constraint tax_returns_state check ((division in ('US', 'PROD')) = (state is not null));
alter table tax_returns add constraint tax_returns_due check ((due_on is null) = (state is null));
alter table tax_returns add constraint tax_returns_filed_on check (case when state is null then filed_on is null
  else (filed_on is not null) = (status = 'filed') end);
alter table tax_returns add constraint tax_returns_posting check (state is null or transaction_id is null);
alter table tax_returns add constraint tax_returns_from unique nulls not distinct (division, state, period_from);
alter table tax_returns add constraint tax_returns_to unique nulls not distinct (division, state, period_to);
comment on table tax_returns is 'VAT returns of the UK and the EU, sales tax returns of the US divisions by state: '
  'prepared by one person, filed by another. A filed return is a snapshot and never changes.';
comment on column tax_returns.state is 'US-NY: state of a sales tax return; null for VAT.';
comment on column tax_returns.due_on is 'By the filing calendar of the state, as it was when the return was prepared.';
comment on column tax_returns.filed_on is 'Day on which a sales tax return was filed with the state.';
comment on column tax_returns.discount_minor is
  'Vendor discount that the state lets the seller keep for filing in time, in cents; part of net_minor.';
comment on column tax_returns.net_minor is
  'Output tax less input tax; sales and use tax less the discount: above zero it is paid, below zero reclaimed.';

alter table tax_return_items drop constraint tax_return_items_source_check;
alter table tax_return_items add constraint tax_return_items_source_check
  check (source in ('entry', 'invoice_line', 'bill_line', 'void_bill_line', 'sales_line', 'use_entry'));
comment on column tax_return_items.source is
  'entry: journal_entries; invoice_line: invoice_tax_lines without tax; bill_line: bill_lines without tax, and voids; '
  'sales_line: invoice_tax_lines of a state; use_entry: journal_entries of use tax.';

create table filing_rules (
  id bigint generated always as identity primary key,
  division text not null references divisions (code) check (division in ('US', 'PROD')),
  state text not null check (state ~ '^US-[A-Z]{2}$'),
  frequency text not null check (frequency in ('monthly', 'quarterly', 'annual')),
  first_month integer not null default 1 check (first_month between 1 and 12),
  due_day integer not null check (due_day between 1 and 31),
  discount_ppm integer not null default 0 check (discount_ppm between 0 and 200000),
  discount_cap_minor minor_amount check (discount_cap_minor > 0),
  valid_from date not null,
  source text not null default '' check (length(source) <= 300),
  confirmed_by_id bigint references users (id),
  confirmed_at timestamptz,
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, state, valid_from),
  check ((confirmed_by_id is null) = (confirmed_at is null)),
  check (discount_cap_minor is null or discount_ppm > 0)
);
create index filing_rules_creator on filing_rules (created_by_id) where created_by_id is not null;
create index filing_rules_confirmation on filing_rules (confirmed_by_id) where confirmed_by_id is not null;
create trigger touch_updated_at before update on filing_rules for each row execute function touch_updated_at();
comment on table filing_rules is
  'Filing calendar of a state for a division, in force from a day on: which days a return covers, when it is due, and '
  'the vendor discount.';
comment on column filing_rules.first_month is 'Month that quarters and years are counted from: 3 in New York.';
comment on column filing_rules.due_day is
  'Day of the month after the period, moved to the next business day; beyond the end of the month, its last day.';
comment on column filing_rules.discount_cap_minor is 'Most for one return, in cents; null: no limit.';
comment on column filing_rules.confirmed_at is 'Compared with what the state publishes; null: to be verified.';
grant select, insert, update on filing_rules to app_rw;

insert into filing_rules (division, state, frequency, first_month, due_day, discount_ppm, discount_cap_minor,
  valid_from, source)
select d.code, 'US-' || r.state, r.frequency, r.first_month, r.due_day, r.ppm, r.cap, '2020-01-01',
  'Starting point; compare with what the state publishes'
from (values ('US'), ('PROD')) d (code), (values
  ('NY', 'quarterly', 3, 20, 50000, 20000), ('CA', 'quarterly', 1, 31, 0, null), ('TX', 'quarterly', 1, 20, 5000, null),
  ('FL', 'monthly', 1, 20, 25000, 3000), ('IL', 'monthly', 1, 20, 17500, null), ('PA', 'quarterly', 1, 20, 10000, 7500),
  ('NJ', 'quarterly', 1, 20, 0, null), ('MA', 'monthly', 1, 30, 0, null), ('WA', 'monthly', 1, 25, 0, null))
  r (state, frequency, first_month, due_day, ppm, cap);

-- The bill that pays a sales tax return.
alter table bills add column tax_return_id bigint references tax_returns (id);
create unique index bills_tax_return on bills (tax_return_id)
  where tax_return_id is not null and deleted_at is null and status <> 'void';
create index bills_tax_return_any on bills (tax_return_id) where tax_return_id is not null;
comment on column bills.tax_return_id is 'Filed sales tax return that the bill pays; one bill pays it.';
