-- Rules that say what lines of a bank are: conditions on text, amount and direction, and what is entered for such a
-- line. They fill in the form of a match; nothing is posted by a rule alone.

create table bank_rules (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 120),
  division text not null references divisions (code),
  priority integer not null check (priority between 1 and 100000),
  bank_account_id bigint,
  direction text check (direction in ('in', 'out')),
  from_minor minor_amount check (from_minor >= 0),
  to_minor minor_amount check (to_minor >= 0),
  conditions jsonb not null default '[]' check (jsonb_typeof(conditions) = 'array'),
  kind text not null check (kind in ('entry', 'receipt', 'transfer')),
  ledger_account_id bigint,
  party_type text,
  party_id bigint,
  to_bank_account_id bigint,
  memo text not null default '' check (length(memo) <= 500),
  archived_at timestamptz,
  created_by_id bigint references users (id),
  search_text text not null generated always as (search_words(name, memo)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (ledger_account_id, division) references ledger_accounts (id, division),
  foreign key (bank_account_id, division) references bank_accounts (id, division),
  foreign key (to_bank_account_id, division) references bank_accounts (id, division),
  check (from_minor <= to_minor),
  check (jsonb_array_length(conditions) > 0 or from_minor is not null or to_minor is not null),
  check ((kind = 'entry') = (ledger_account_id is not null)),
  check ((kind = 'transfer') = (to_bank_account_id is not null)),
  check (to_bank_account_id <> bank_account_id),
  check ((party_id is null) = (party_type is null)),
  check (kind <> 'receipt' or (party_type is not distinct from 'customer' and direction is not distinct from 'in'))
);
comment on table bank_rules is 'Rules that recognize lines of banks and fill in what is entered for them.';
comment on column bank_rules.priority is 'The smallest is tried first; of equals the older rule.';
comment on column bank_rules.from_minor is 'Smallest amount without its sign, included. Null: any.';
comment on column bank_rules.to_minor is 'Largest amount without its sign, included. Null: any.';
comment on column bank_rules.conditions is 'All must hold: field, operator, value.';
comment on column bank_rules.kind is
  'entry: posted to a ledger account. receipt: on account of a customer. transfer: to or from another bank account.';
comment on column bank_rules.archived_at is 'Archived rules are kept and never tried.';
create unique index bank_rules_name on bank_rules (division, lower(name)) where archived_at is null;
create index bank_rules_order on bank_rules (division, priority, id) where archived_at is null;
create index bank_rules_account on bank_rules (bank_account_id) where bank_account_id is not null;
create index bank_rules_to_account on bank_rules (to_bank_account_id) where to_bank_account_id is not null;
create index bank_rules_ledger_account on bank_rules (ledger_account_id) where ledger_account_id is not null;
create index bank_rules_user on bank_rules (created_by_id);
create index bank_rules_search on bank_rules using gin (search_text gin_trgm_ops);
grant select, insert, update on bank_rules to app_rw;
call maintain_updated_at('bank_rules');
