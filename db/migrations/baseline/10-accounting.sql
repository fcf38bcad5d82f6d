-- Double-entry ledger: chart, periods and locks, transactions and lines, open items. Amounts are signed minor units:
-- debit positive, credit negative. Only functions of the ledger (13 to 17) write transactions, lines and balances:
-- app_rw may read the tables and call the functions. A setting that exists only while such a function runs is checked
-- by triggers, so even an INSERT of the owner is refused.

create table ledger_headers (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  code text not null check (length(code) between 1 and 40),
  name text not null check (length(name) between 1 and 120),
  class text not null check (class in ('asset', 'liability', 'equity', 'income', 'expense')),
  parent_id bigint,
  statement text not null generated always as (case when class in ('income', 'expense') then 'pl' else 'bs' end)
    stored,
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
comment on table ledger_headers is
  'Headings of the chart of accounts: a tree whose leaves are accounts. A heading has the class of its parent.';
comment on column ledger_headers.section is 'Key of the line in the financial statements.';
create index ledger_headers_parent on ledger_headers (parent_id, division, class);
grant select, insert, update, delete on ledger_headers to app_rw;

create table ledger_accounts (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  ledger_header_id bigint not null,
  code text not null check (code ~ '^[0-9A-Za-z.-]{1,20}$'),
  name text not null check (length(name) between 1 and 120),
  class text not null,
  currency text references currencies (code),
  normal_side text not null generated always as (case when class in ('asset', 'expense')
    then 'debit' else 'credit' end) stored,
  is_control text check (is_control in ('ar', 'ap', 'royalty_payable', 'deposits')),
  has_open_items boolean not null default false,
  party_types text[] check (party_types <@ array['customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority',
    'division']
    and cardinality(party_types) > 0),
  is_cash boolean not null default false,
  is_monetary boolean not null default false,
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
comment on table ledger_accounts is 'Accounts of the chart, per division.';
comment on column ledger_accounts.currency is 'Null: lines in any currency.';
comment on column ledger_accounts.has_open_items is 'Lines become open items that are applied to each other.';
comment on column ledger_accounts.party_types is 'Party types a line may have; null: no party needed.';
comment on column ledger_accounts.is_tax is
  'Lines count in a tax return, so the tax lock applies whatever the kind of transaction.';
comment on column ledger_accounts.system_key is
  'Key by which the product finds the account. Such an account keeps its code.';
create unique index ledger_accounts_system_key on ledger_accounts (division, system_key) where system_key is not null;
create index ledger_accounts_header on ledger_accounts (ledger_header_id, division, class);
create index ledger_accounts_code_start on ledger_accounts (lower(code) text_pattern_ops);
create index ledger_accounts_search on ledger_accounts using gin (search_words(code, name) gin_trgm_ops);
grant select, insert, update, delete on ledger_accounts to app_rw;

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
comment on table periods is
  'Accounting periods. A posting finds its period by date and locks the row, which also carries the lock dates, '
  'so no posting sees an outdated lock.';
comment on column periods.period is 'Year and month: 202611.';
create index periods_dates on periods (division, ends, starts);
grant select on periods to app_rw;

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
comment on table period_locks is
  'Lock dates of a division. Sales, purchase, tax and bank locks allow exceptions; the hard lock never moves '
  'back.';
grant select on period_locks to app_rw;

create table lock_exceptions (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
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
comment on table lock_exceptions is 'Time-limited permissions for one person to post before a lock date.';
comment on column lock_exceptions.sub_ledger is '"period" stands for a softly locked period as a whole.';
create index lock_exceptions_user on lock_exceptions (user_id, division, sub_ledger, until);
grant select on lock_exceptions to app_rw;

create table period_requests (
  id bigint generated always as identity primary key,
  division text not null,
  period int not null,
  state text not null check (state in ('open', 'closed')),
  reason text not null default '',
  requested_by bigint not null references users (id),
  created_at timestamptz not null default now(),
  unique (division, period),
  foreign key (division, period) references periods (division, period)
);
comment on table period_requests is 'Requests to close or reopen a period, waiting for a second person to confirm.';
create index period_requests_person on period_requests (requested_by);
grant select, insert, delete on period_requests to app_rw;

create table lock_requests (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  sub_ledger text not null check (sub_ledger in ('sales', 'purchase', 'tax', 'bank', 'hard')),
  locked_through date,
  reason text not null default '' check (length(reason) <= 500),
  requested_by bigint not null references users (id),
  created_at timestamptz not null default now(),
  unique (division, sub_ledger)
);
comment on table lock_requests is
  'Requests to change a lock date, waiting for a second person to confirm. Without a date, the request lifts the '
  'lock.';
create index lock_requests_person on lock_requests (requested_by);
grant select, insert, delete on lock_requests to app_rw;

create table transaction_kinds (
  kind text primary key check (kind ~ '^[a-z_]{2,40}$'),
  name text not null,
  sub_ledger text not null check (sub_ledger in ('sales', 'purchase', 'tax', 'bank', 'none')),
  currency_may_differ boolean not null default false,
  is_manual boolean not null default false,
  is_revaluation boolean not null default false,
  is_year_end_close boolean not null default false
);
comment on table transaction_kinds is
  'Kinds of ledger transactions and what each may do: its sub-ledger for locks, whether a foreign currency may '
  'stay unbalanced, whether people enter it by hand, whether reports leave it out.';
grant select on transaction_kinds to app_rw;

create table transactions (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  kind text not null references transaction_kinds (kind),
  number text,
  status text not null,
  transaction_at date not null,
  period int not null,
  direction text not null default 'neutral',
  currency text not null references currencies (code),
  total_minor bigint not null default 0,
  source_type text,
  source_id bigint,
  source_event text,
  source_attempt smallint not null default 1,
  reverses_id bigint references transactions (id),
  reversal_reason text,
  intercompany_group_id bigint,
  has_posting_discrepencies boolean not null default false,
  description text not null default '',
  memo text not null default '',
  posted_at timestamptz,
  posted_by bigint references users (id),
  created_by bigint references users (id),
  version int not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (division, period) references periods (division, period),
  unique (id, division, transaction_at, period)
);
comment on table transactions is
  'Ledger transactions. Written only by functions of the ledger; a posted one is never changed, only reversed.';
comment on column transactions.status is
  'Draft, then posted; a posted transaction can be reversed, a draft can be voided.';
comment on column transactions.total_minor is 'Sum of the debits in functional currency.';
comment on column transactions.source_attempt is 'Greater than 1 if the source was posted again after a reversal.';
create unique index transactions_reverses on transactions (reverses_id) where reverses_id is not null;
create unique index transactions_source on transactions (source_type, source_id, source_event, source_attempt)
  where source_id is not null;
create unique index transactions_number on transactions (division, kind, number) where number is not null;
create index transactions_list on transactions (division, transaction_at desc, id desc);
create index transactions_group on transactions (intercompany_group_id) where intercompany_group_id is not null;
create index transactions_unposted on transactions (division, transaction_at) where status in ('draft', 'void');
create index transactions_year_end on transactions (division, transaction_at) where kind = 'year_end_close';
create index transactions_flagged on transactions (division) where has_posting_discrepencies;
create index transactions_number_start on transactions (lower(number) text_pattern_ops) where number is not null;
grant select on transactions to app_rw;

create table journal_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null,
  line_no int not null,
  division text not null,
  transaction_at date not null,
  period int not null,
  ledger_account_id bigint not null,
  currency text not null,
  amount_minor bigint not null,
  base_amount_minor bigint not null,
  fx_rate numeric(20, 10),
  party_type text,
  party_id bigint,
  invoice_id bigint,
  bill_id bigint,
  license_id bigint,
  show_id bigint,
  payment_id bigint,
  tax_code_id bigint,
  tax_base_minor bigint,
  due_date date,
  memo text,
  unique (transaction_id, line_no),
  foreign key (ledger_account_id, division) references ledger_accounts (id, division),
  foreign key (transaction_id, division, transaction_at, period)
    references transactions (id, division, transaction_at, period) on update cascade
);
comment on table journal_entries is
  'Lines of ledger transactions: debits positive, credits negative. Balanced in functional currency at commit.';
comment on column journal_entries.amount_minor is
  'Amount in the currency of the line: debit positive, credit negative.';
comment on column journal_entries.base_amount_minor is 'Amount in the functional currency of the division.';
comment on column journal_entries.fx_rate is
  'Functional currency units per one unit of the currency; null if they are the same.';
create index journal_entries_account on journal_entries (ledger_account_id, transaction_at, id)
  include (amount_minor, base_amount_minor, currency);
create index journal_entries_party on journal_entries (party_type, party_id, ledger_account_id, transaction_at)
  where party_id is not null;
create index journal_entries_invoice on journal_entries (invoice_id) where invoice_id is not null;
create index journal_entries_license on journal_entries (license_id) where license_id is not null;
grant select on journal_entries to app_rw;

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
  original_minor bigint not null,
  original_base_minor bigint not null,
  open_minor bigint not null,
  open_base_minor bigint not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table open_items is
  'Sub-ledger: one item per line on an account that tracks open items, so the items always add up to the control '
  'account. Signed like the line.';
comment on column open_items.open_minor is 'Amount that is still open, signed like the line.';
create index open_items_party on open_items (party_type, party_id, ledger_account_id, due_date) where open_minor <> 0;
create index open_items_account on open_items (ledger_account_id, due_date) where open_minor <> 0;
create index open_items_transaction on open_items (transaction_id);
grant select on open_items to app_rw;

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
comment on table allocations is
  'Applications of a debit item to a credit item. Removing one adds the inverse row with its own date, so aging '
  'can be reported as of any day. Append-only.';
create index allocations_debit on allocations (debit_item_id, allocated_at);
create index allocations_credit on allocations (credit_item_id, allocated_at);
grant select on allocations to app_rw;
