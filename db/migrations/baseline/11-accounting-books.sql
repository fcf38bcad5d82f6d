-- Balances, gapless numbers, exchange rates and the hash chain. A posting adds its id to a queue instead of updating
-- balances, so postings do not wait for each other on busy accounts. A job folds the queue into balance rows; the
-- views add both. One transaction moves a posting from the queue into the folded rows, so every reader counts each
-- posting exactly once.

create view posted_entries as
  select e.*, t.kind, t.status, k.is_revaluation, k.is_year_end_close
  from journal_entries e join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    join transaction_kinds k on k.kind = t.kind;
grant select on posted_entries to app_rw;

create table ledger_balances_folded (
  division text not null,
  ledger_account_id bigint not null,
  currency text not null references currencies (code),
  period int not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  base_debit_minor bigint not null,
  base_credit_minor bigint not null,
  entries bigint not null,
  primary key (ledger_account_id, currency, period)
) with (fillfactor = 70
);
comment on table ledger_balances_folded is
  'Balances by account, currency and period, up to the last time the queue was processed.';
create index ledger_balances_folded_period on ledger_balances_folded (division, period);
grant select on ledger_balances_folded to app_rw;

create table party_balances_folded (
  party_type text not null,
  party_id bigint not null,
  ledger_account_id bigint not null,
  currency text not null,
  period int not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  base_debit_minor bigint not null,
  base_credit_minor bigint not null,
  entries bigint not null,
  primary key (party_type, party_id, ledger_account_id, currency, period)
) with (fillfactor = 70
);
comment on table party_balances_folded is
  'Balances by party, account, currency and period, up to the last time the queue was processed.';
grant select on party_balances_folded to app_rw;

create table ledger_fold_queue (
  transaction_id bigint not null)
  with (autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000
);
comment on table ledger_fold_queue is 'Transactions that are not in the folded balances yet.';
grant select on ledger_fold_queue to app_rw;

create table number_series (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  kind text not null check (kind ~ '^[a-z_]{2,40}$'),
  scope text not null check (length(scope) between 1 and 40),
  prefix text not null default '' check (length(prefix) <= 40),
  next bigint not null default 1 check (next >= 1),
  first bigint not null default 1 check (first >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, kind, scope),
  check (next >= first)
) with (fillfactor = 50
);
comment on table number_series is
  'Gapless number series: invoices, credit notes, checks, self-billing. A number is taken in the posting '
  'transaction.';
comment on column number_series.scope is 'Fiscal year, bank account id or supplier id.';
grant select on number_series to app_rw;

create table number_uses (
  number_series_id bigint not null references number_series (id),
  n bigint not null,
  number text not null,
  taken_at timestamptz not null default now(),
  primary key (number_series_id, n)
);
comment on table number_uses is 'Every number taken from a gapless series, so that a gap can be found. Append-only.';
grant select on number_uses to app_rw;

create table exchange_rates (
  id bigint generated always as identity primary key,
  base text not null references currencies (code),
  quote text not null references currencies (code),
  on_date date not null,
  rate numeric(20, 10) not null check (rate > 0),
  source text not null check (source in ('ecb', 'hmrc', 'manual')),
  kind text not null default 'daily' check (kind in ('daily', 'month_average', 'month_end')),
  created_by bigint references users (id),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (base <> quote),
  unique (kind, base, quote, on_date, source)
);
comment on table exchange_rates is 'Exchange rates by date and source.';
comment on column exchange_rates.rate is 'Units of the quote currency per one unit of the base currency.';
grant select, insert, update, delete on exchange_rates to app_rw;

create table ledger_chain_queue (
  transaction_id bigint not null
);
comment on table ledger_chain_queue is
  'Posted transactions that are not in the hash chain yet. One job appends them after commit, so postings do not '
  'wait for each other.';
grant select on ledger_chain_queue to app_rw;

create table ledger_chain (
  division text not null references divisions (code),
  seq bigint not null,
  transaction_id bigint not null unique references transactions (id),
  prev_hash bytea not null,
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null default now(),
  primary key (division, seq)
);
comment on table ledger_chain is 'Hash chain over posted transactions, one per division. Append-only.';
grant select on ledger_chain to app_rw;

create view ledger_balances as
  select division, ledger_account_id, currency, period, debit_minor, credit_minor, base_debit_minor,
    base_credit_minor, entries
  from ledger_balances_folded
  union all
  select e.division, e.ledger_account_id, e.currency, e.period, greatest(e.amount_minor, 0),
    greatest(-e.amount_minor, 0), greatest(e.base_amount_minor, 0), greatest(-e.base_amount_minor, 0), 1::bigint
  from ledger_fold_queue q join journal_entries e on e.transaction_id = q.transaction_id;
grant select on ledger_balances to app_rw;

create view party_balances as
  select party_type, party_id, ledger_account_id, currency, period, debit_minor, credit_minor, base_debit_minor,
    base_credit_minor, entries
  from party_balances_folded
  union all
  select e.party_type, e.party_id, e.ledger_account_id, e.currency, e.period, greatest(e.amount_minor, 0),
    greatest(-e.amount_minor, 0), greatest(e.base_amount_minor, 0), greatest(-e.base_amount_minor, 0), 1::bigint
  from ledger_fold_queue q join journal_entries e on e.transaction_id = q.transaction_id
  where e.party_id is not null;
grant select on party_balances to app_rw;

-- Folded balances that differ from the lines. Must be empty.
create view balance_drift as
  select division, ledger_account_id, currency, period, sum(d) as debit_minor, sum(c) as credit_minor,
    sum(bd) as base_debit_minor, sum(bc) as base_credit_minor, sum(n) as entries
  from (
    select division, ledger_account_id, currency, period, debit_minor d, credit_minor c, base_debit_minor bd,
      base_credit_minor bc, entries n from ledger_balances
    union all
    select division, ledger_account_id, currency, period, -greatest(amount_minor, 0), -greatest(-amount_minor, 0),
      -greatest(base_amount_minor, 0), -greatest(-base_amount_minor, 0), -1 from posted_entries) x
  group by 1, 2, 3, 4 having sum(d) <> 0 or sum(c) <> 0 or sum(bd) <> 0 or sum(bc) <> 0 or sum(n) <> 0;
grant select on balance_drift to app_rw;

create view party_drift as
  select ledger_account_id, party_type, party_id, currency, period, sum(d) as debit_minor, sum(c) as credit_minor,
    sum(bd) as base_debit_minor, sum(bc) as base_credit_minor, sum(n) as entries
  from (
    select ledger_account_id, party_type, party_id, currency, period, debit_minor d, credit_minor c,
      base_debit_minor bd, base_credit_minor bc, entries n from party_balances
    union all
    select ledger_account_id, party_type, party_id, currency, period, -greatest(amount_minor, 0),
      -greatest(-amount_minor, 0), -greatest(base_amount_minor, 0), -greatest(-base_amount_minor, 0), -1
    from posted_entries where party_id is not null) x
  group by 1, 2, 3, 4, 5 having sum(d) <> 0 or sum(c) <> 0 or sum(bd) <> 0 or sum(bc) <> 0 or sum(n) <> 0;
grant select on party_drift to app_rw;
