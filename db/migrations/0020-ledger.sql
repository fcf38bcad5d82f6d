-- The double-entry ledger (accounting.md 1): divisions, chart, periods and locks, transactions and their lines,
-- balances by period, sub-ledger items, numbers, rates, hash chain. Amounts are signed minor units, + debit,
-- - credit.
-- Rows of transactions, journal_entries and balances are written by the functions of 0021 and 0023 alone: app_rw may
-- read the tables and call the functions. A setting that exists only while such a function runs is the door of the
-- two tables, so that even the owner's own INSERT is refused. Section numbers in comments are those of accounting.md.

create table currencies (
  code text primary key check (code ~ '^[A-Z]{3}$'),
  -- decimals of the minor unit; never changes once used, amounts would change their meaning
  exponent smallint not null check (exponent between 0 and 4),
  name text not null
);
insert into currencies (code, exponent, name) values ('USD', 2, 'US dollar'), ('EUR', 2, 'Euro'),
  ('GBP', 2, 'Pound sterling');

-- One division is one legal and reporting ledger (1.1). id exists because parties are numbers (party_type division).
create table divisions (
  code text primary key check (code ~ '^[A-Z]{2,8}$'),
  id bigint generated always as identity unique,
  name text not null check (length(name) between 1 and 120),
  functional_currency text not null references currencies (code),
  group_presentation_currency text not null default 'USD' references currencies (code),
  legal_entity_name text not null check (length(legal_entity_name) between 1 and 200),
  home_country text not null check (home_country ~ '^[A-Z]{2}$'),
  address jsonb not null check (jsonb_typeof(address) = 'object'),
  timezone text not null,
  fiscal_year_start_month smallint not null default 1 check (fiscal_year_start_month between 1 and 12),
  -- short payment written off to small differences (2.2 event 6b): the smaller of the two
  short_pay_tolerance_minor bigint not null default 500 check (short_pay_tolerance_minor >= 0),
  short_pay_tolerance_ppm int not null default 10000 check (short_pay_tolerance_ppm between 0 and 1000000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into divisions (code, name, functional_currency, legal_entity_name, home_country, timezone, address) values
  ('US', 'United States', 'USD', 'Grand Rights, Inc.', 'US', 'America/New_York',
   jsonb_build_object('country_code', 'US', 'thoroughfare', '234 West 44th Street', 'premise', 'Suite 800',
     'locality', 'New York', 'administrative_area', 'NY', 'postal_code', '10036')),
  ('EU', 'Europe', 'EUR', 'Grand Rights Europe DAC', 'IE', 'Europe/Dublin',
   jsonb_build_object('country_code', 'IE', 'thoroughfare', '14 Merrion Square North', 'locality', 'Dublin',
     'administrative_area', 'Dublin', 'postal_code', 'D02 XN72')),
  ('UK', 'United Kingdom', 'GBP', 'Grand Rights Ltd', 'GB', 'Europe/London',
   jsonb_build_object('country_code', 'GB', 'thoroughfare', '52 St Martin''s Lane', 'locality', 'London',
     'administrative_area', 'Greater London', 'postal_code', 'WC2N 4EA')),
  ('PROD', 'Productions', 'USD', 'Grand Rights Productions, LLC', 'US', 'America/New_York',
   jsonb_build_object('country_code', 'US', 'thoroughfare', '234 West 44th Street', 'premise', 'Suite 810',
     'locality', 'New York', 'administrative_area', 'NY', 'postal_code', '10036'));

-- The chart is a tree of headers with accounts as leaves; a header has the class of its parent (1.1).
create table ledger_headers (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  code text not null check (length(code) between 1 and 40),
  name text not null check (length(name) between 1 and 120),
  class text not null check (class in ('asset', 'liability', 'equity', 'income', 'expense')),
  parent_id bigint,
  statement text not null generated always as (case when class in ('income', 'expense') then 'pl' else 'bs' end)
    stored,
  -- key of the line of the statements that its accounts add up to (3.3, 3.4)
  section text not null check (length(section) between 1 and 40),
  cash_flow_section text not null default 'operating' check (cash_flow_section in ('cash', 'operating', 'investing',
    'financing')),
  sort int not null default 0,
  is_system boolean not null default false,
  version int not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, code),
  unique (id, division, class),
  foreign key (parent_id, division, class) references ledger_headers (id, division, class),
  check (parent_id <> id)
);
create index ledger_headers_parent on ledger_headers (parent_id, division, class);

create table ledger_accounts (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  ledger_header_id bigint not null,
  code text not null check (code ~ '^[0-9A-Za-z.-]{1,20}$'),
  name text not null check (length(name) between 1 and 120),
  class text not null,
  -- null: lines of any currency
  currency text references currencies (code),
  normal_side text not null generated always as (case when class in ('asset', 'expense')
    then 'debit' else 'credit' end) stored,
  is_control text check (is_control in ('ar', 'ap', 'royalty_payable', 'deposits')),
  -- lines on it become items of the sub-ledger that are applied to each other
  has_open_items boolean not null default false,
  -- null: a line needs no party
  party_types text[] check (party_types <@ array['customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority',
    'division']
    and cardinality(party_types) > 0),
  is_cash boolean not null default false,
  is_monetary boolean not null default false,
  -- its lines count in a tax return: the tax lock holds for them whatever the kind of posting
  is_tax boolean not null default false,
  allow_manual boolean not null default true,
  cash_flow_class text not null default 'operating' check (cash_flow_class in ('cash', 'operating', 'investing',
    'financing')),
  tax_box_hint text,
  system_key text check (length(system_key) between 1 and 40),
  active boolean not null default true,
  version int not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, code),
  unique (id, division),
  foreign key (ledger_header_id, division, class) references ledger_headers (id, division, class),
  check (not has_open_items or party_types is not null),
  check (is_cash = (cash_flow_class = 'cash'))
);
create unique index ledger_accounts_system_key on ledger_accounts (division, system_key) where system_key is not null;
create index ledger_accounts_header on ledger_accounts (ledger_header_id, division, class);

-- A period is found by date, never computed from it: a division's months need not be calendar months. The dates
-- through which a sub-ledger is locked stand on the row that postings lock, so that no posting sees an older lock.
create table periods (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  period int not null check (period between 190001 and 299912 and period % 100 between 1 and 13),
  starts date not null,
  ends date not null,
  state text not null default 'open' check (state in ('open', 'soft_locked', 'closed')),
  sales_locked_through date,
  purchase_locked_through date,
  tax_locked_through date,
  bank_locked_through date,
  hard_locked_through date,
  folded_at timestamptz,
  closed_at timestamptz,
  closed_by bigint references users (id),
  confirmed_by bigint references users (id),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, period),
  unique (division, starts),
  check (starts <= ends),
  check (closed_by <> confirmed_by),
  check ((state = 'closed') = (closed_at is not null))
);
create index periods_dates on periods (division, ends, starts);

-- Lock dates (1.3): sales, purchase, tax and bank are soft and have exceptions, hard never moves back.
create table period_locks (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  sub_ledger text not null check (sub_ledger in ('sales', 'purchase', 'tax', 'bank', 'hard')),
  locked_through date not null,
  reason text not null default '' check (length(reason) <= 500),
  set_by bigint references users (id),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, sub_ledger)
);
create table lock_exceptions (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  -- period: a softly locked period as a whole
  sub_ledger text not null check (sub_ledger in ('sales', 'purchase', 'tax', 'bank', 'period')),
  user_id bigint not null references users (id),
  until timestamptz not null,
  reason text not null check (length(btrim(reason)) between 1 and 500),
  granted_by bigint not null references users (id),
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (granted_by <> user_id)
);
create index lock_exceptions_user on lock_exceptions (user_id, division, sub_ledger, until);

-- What a kind of posting may do (2.2): its sub-ledger for locks, whether a foreign currency may stay unequal (fx,
-- transfer, revaluation), whether people write it by hand, whether the profit and loss leaves it out.
create table transaction_kinds (
  kind text primary key check (kind ~ '^[a-z_]{2,40}$'),
  name text not null,
  sub_ledger text not null check (sub_ledger in ('sales', 'purchase', 'tax', 'bank', 'none')),
  currency_may_differ boolean not null default false,
  is_manual boolean not null default false,
  is_revaluation boolean not null default false,
  is_year_end_close boolean not null default false
);

create table transactions (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  kind text not null references transaction_kinds (kind),
  number text check (length(number) between 1 and 60),
  status text not null check (status in ('draft', 'posted', 'reversed', 'void')),
  transaction_at date not null,
  period int not null,
  direction text not null default 'neutral' check (direction in ('in', 'out', 'neutral')),
  currency text not null references currencies (code),
  -- sum of the debits in functional currency: the figure a list shows
  total_minor bigint not null default 0,
  source_type text check (length(source_type) between 1 and 40),
  source_id bigint,
  source_event text check (length(source_event) between 1 and 60),
  source_attempt smallint not null default 1 check (source_attempt >= 1),
  reverses_id bigint references transactions (id),
  reversal_reason text check (length(reversal_reason) <= 500),
  intercompany_group_id bigint,
  has_posting_discrepencies boolean not null default false,
  description text not null default '' check (length(description) <= 500),
  memo text not null default '' check (length(memo) <= 2000),
  posted_at timestamptz,
  posted_by bigint references users (id),
  created_by bigint references users (id),
  version int not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (division, period) references periods (division, period),
  unique (id, division, transaction_at, period),
  check ((status in ('posted', 'reversed')) = (posted_at is not null)),
  check (number is null or status in ('posted', 'reversed')),
  check (num_nulls(source_type, source_id, source_event) in (0, 3)),
  check (source_id is null or status in ('posted', 'reversed')),
  check (deleted_at is null or status in ('draft', 'void'))
);
create unique index transactions_reverses on transactions (reverses_id) where reverses_id is not null;
create unique index transactions_source on transactions (source_type, source_id, source_event, source_attempt)
  where source_id is not null;
create unique index transactions_number on transactions (division, kind, number) where number is not null;
create index transactions_list on transactions (division, transaction_at desc, id desc);
create index transactions_group on transactions (intercompany_group_id) where intercompany_group_id is not null;

create table journal_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null,
  line_no int not null check (line_no >= 1),
  division text not null,
  transaction_at date not null,
  period int not null,
  ledger_account_id bigint not null,
  currency text not null,
  amount_minor bigint not null check (amount_minor between -1000000000000 and 1000000000000),
  base_amount_minor bigint not null check (base_amount_minor between -1000000000000 and 1000000000000),
  fx_rate numeric(20, 10) check (fx_rate > 0),
  party_type text check (party_type in ('customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority',
    'division')),
  party_id bigint,
  invoice_id bigint,
  bill_id bigint,
  license_id bigint,
  show_id bigint,
  payment_id bigint,
  tax_code_id bigint,
  tax_base_minor bigint,
  due_date date,
  memo text check (length(memo) <= 500),
  unique (transaction_id, line_no),
  check (amount_minor <> 0 or base_amount_minor <> 0),
  -- amount 0 is a line of exchange difference; otherwise both sides of a line have one sign (1.6)
  check ((amount_minor >= 0) = (base_amount_minor >= 0) or amount_minor = 0 or base_amount_minor = 0),
  check ((party_type is null) = (party_id is null)),
  foreign key (ledger_account_id, division) references ledger_accounts (id, division),
  foreign key (transaction_id, division, transaction_at, period)
    references transactions (id, division, transaction_at, period) on update cascade
);
create index journal_entries_account on journal_entries (ledger_account_id, transaction_at, id)
  include (amount_minor, base_amount_minor, currency);
create index journal_entries_party on journal_entries (party_type, party_id, ledger_account_id, transaction_at)
  where party_id is not null;
create index journal_entries_invoice on journal_entries (invoice_id) where invoice_id is not null;
create index journal_entries_license on journal_entries (license_id) where license_id is not null;

-- Balances by period (1.7): 16 shards, so that postings to one busy account do not wait for each other; half-full
-- pages keep updates in place. The foreign key costs only where a new bucket is born, and names unknown currencies.
create table ledger_balances (
  division text not null,
  ledger_account_id bigint not null,
  currency text not null references currencies (code),
  period int not null,
  shard smallint not null,
  debit_minor bigint not null default 0,
  credit_minor bigint not null default 0,
  base_debit_minor bigint not null default 0,
  base_credit_minor bigint not null default 0,
  entries bigint not null default 0,
  primary key (ledger_account_id, currency, period, shard)
) with (fillfactor = 50);
create index ledger_balances_period on ledger_balances (division, period);

-- One row per party, but a tax authority is in every invoice and has shards like an account.
create table party_balances (
  ledger_account_id bigint not null,
  party_type text not null,
  party_id bigint not null,
  currency text not null,
  period int not null,
  shard smallint not null default 0,
  debit_minor bigint not null default 0,
  credit_minor bigint not null default 0,
  base_debit_minor bigint not null default 0,
  base_credit_minor bigint not null default 0,
  entries bigint not null default 0,
  primary key (party_type, party_id, ledger_account_id, currency, period, shard)
) with (fillfactor = 50);

-- The sub-ledger: every line with an amount on an account with open items is one item, made by the posting itself,
-- so that the sum of the items is the control account by construction. Signed like the line.
create table open_items (
  id bigint generated always as identity primary key,
  journal_entry_id bigint not null unique references journal_entries (id),
  transaction_id bigint not null,
  division text not null,
  ledger_account_id bigint not null,
  party_type text not null,
  party_id bigint not null,
  currency text not null,
  document_type text,
  document_id bigint,
  opened_on date not null,
  due_date date not null,
  original_minor bigint not null check (original_minor <> 0),
  original_base_minor bigint not null,
  open_minor bigint not null,
  open_base_minor bigint not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- never applied beyond its amount, never turned over (I7)
  check (open_minor between least(original_minor, 0) and greatest(original_minor, 0)),
  check (open_base_minor between least(original_base_minor, 0) and greatest(original_base_minor, 0)),
  check (open_minor <> 0 or open_base_minor = 0)
);
create index open_items_party on open_items (party_type, party_id, ledger_account_id, due_date) where open_minor <> 0;
create index open_items_account on open_items (ledger_account_id, due_date) where open_minor <> 0;
create index open_items_transaction on open_items (transaction_id);

-- One row applies a debit item to a credit item; un-applying is the inverse row with its own date, so that aging
-- as of
-- any day can be told again.
create table allocations (
  id bigint generated always as identity primary key,
  debit_item_id bigint not null references open_items (id),
  credit_item_id bigint not null references open_items (id),
  amount_minor bigint not null check (amount_minor <> 0),
  debit_base_minor bigint not null,
  credit_base_minor bigint not null,
  fx_transaction_id bigint references transactions (id),
  allocated_at date not null,
  reverses_id bigint unique references allocations (id),
  allocated_by bigint references users (id),
  created_at timestamptz not null default now(),
  check ((amount_minor > 0) = (reverses_id is null)),
  check (debit_item_id <> credit_item_id)
);
create index allocations_debit on allocations (debit_item_id, allocated_at);
create index allocations_credit on allocations (credit_item_id, allocated_at);
