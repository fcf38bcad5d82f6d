-- Opening balances: what a house brings from its former books, one set for each division and kind. A set is read from
-- a file, posted once, and taken back as long as nothing happened to what it brought.

create table opening_sets (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  kind text not null check (kind in ('ledger', 'receivables', 'payables', 'deposits', 'deferred', 'royaltors',
    'reserves', 'advances', 'stock', 'banks', 'next_numbers')),
  as_of date not null,
  status text not null default 'draft' check (status in ('draft', 'posted', 'reversed')),
  file_id bigint not null references files (id),
  reading jsonb not null check (jsonb_typeof(reading) = 'object'),
  row_count integer not null check (row_count > 0),
  problem_count integer not null default 0 check (problem_count between 0 and row_count),
  created_by_id bigint references users (id),
  posted_by_id bigint references users (id),
  posted_at timestamptz,
  transaction_id bigint references transactions (id),
  reversal_asked_by_id bigint references users (id),
  reversal_asked_at timestamptz,
  reversal_reason text check (reversal_reason <> ''),
  reversed_by_id bigint references users (id),
  reversed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint opening_sets_posted_at check ((posted_at is null) = (status = 'draft')),
  constraint opening_sets_whole check (status = 'draft' or problem_count = 0),
  constraint opening_sets_ledger check (transaction_id is null or (kind = 'ledger' and status <> 'draft')),
  constraint opening_sets_asked check (num_nonnulls(reversal_asked_by_id, reversal_asked_at, reversal_reason) in (0, 3)
    and (reversal_asked_at is null or status <> 'draft')),
  constraint opening_sets_reversed check ((reversed_at is null) = (status <> 'reversed')
    and (status <> 'reversed' or (reversal_asked_at is not null and reversed_by_id is not null))),
  constraint opening_sets_four_eyes check (reversed_by_id is null or reversed_by_id <> reversal_asked_by_id)
);
comment on table opening_sets is
  'Opening balances of a division by kind, read from a file. Posted once; reversed by two people, then imported again.';
comment on column opening_sets.as_of is 'Last day of the former books: the date of the postings.';
comment on column opening_sets.reading is 'How the file was read: heads, columns, format of dates and of numbers.';
comment on column opening_sets.problem_count is 'Rows that cannot be posted. A set is posted whole or not at all.';
comment on column opening_sets.transaction_id is 'Of the ledger set; documents have postings of their own.';
create unique index opening_sets_posted on opening_sets (division, kind) where status = 'posted';
create index opening_sets_latest on opening_sets (updated_at desc, id desc);
create index opening_sets_waiting on opening_sets (id) where reversal_asked_at is not null and status = 'posted';
create index opening_sets_file on opening_sets (file_id);
create index opening_sets_transaction on opening_sets (transaction_id) where transaction_id is not null;
create index opening_sets_creator on opening_sets (created_by_id);
create index opening_sets_poster on opening_sets (posted_by_id);
create index opening_sets_asker on opening_sets (reversal_asked_by_id);
create index opening_sets_reverser on opening_sets (reversed_by_id);
grant select, insert, update, delete on opening_sets to app_rw;
call maintain_updated_at('opening_sets');

create table opening_lines (
  id bigint generated always as identity primary key,
  opening_set_id bigint not null references opening_sets (id),
  row_no integer not null check (row_no > 0),
  cells text[] not null,
  label text not null default '',
  account_code text,
  currency currency_code,
  amount_minor minor_amount,
  base_minor minor_amount,
  is_carried boolean not null default false,
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  document_type text,
  document_id bigint,
  transaction_id bigint references transactions (id),
  created_at timestamptz not null default now(),
  unique (opening_set_id, row_no),
  constraint opening_lines_amount check (num_nonnulls(currency, amount_minor, base_minor) in (0, 3)),
  constraint opening_lines_document check ((document_type is null) = (document_id is null))
);
comment on table opening_lines is 'Rows of the file of an opening set, with what is wrong with them.';
comment on column opening_lines.row_no is 'As a spreadsheet numbers it.';
comment on column opening_lines.amount_minor is 'Debits of the account positive.';
comment on column opening_lines.base_minor is 'In the functional currency of the division.';
comment on column opening_lines.is_carried is
  'Row of a trial balance whose account other sets bring by their documents.';
comment on column opening_lines.problems is 'Why the row cannot be posted: field, column and text of each.';
create index opening_lines_problems on opening_lines (opening_set_id, row_no) where problems <> '[]';
create index opening_lines_transaction on opening_lines (transaction_id) where transaction_id is not null;
grant select, insert, update, delete on opening_lines to app_rw;

-- A set is posted once and reversed once; what was read never changes. After the first close it stays as it is.
create function tg_opening_sets_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then
      perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || old.id);
    end if;
    return old;
  end if;
  if (new.division, new.kind, new.as_of, new.file_id, new.reading, new.row_count, new.created_by_id) is distinct from
      (old.division, old.kind, old.as_of, old.file_id, old.reading, old.row_count, old.created_by_id)
    or (new.status <> old.status and not ((old.status = 'draft' and new.status = 'posted')
      or (old.status = 'posted' and new.status = 'reversed')))
    or (old.status = 'reversed' and new is distinct from old)
    or (old.status = 'posted' and (new.posted_at, new.posted_by_id, new.transaction_id, new.problem_count)
      is distinct from (old.posted_at, old.posted_by_id, old.transaction_id, old.problem_count)) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || old.id);
  end if;
  if new.status <> old.status then
    -- Whoever closes one of these periods waits, or is seen here.
    perform 1 from periods where division = new.division and ends >= new.as_of order by period for key share;
    if exists (select 1 from periods where division = new.division and ends >= new.as_of and state = 'closed') then
      perform ledger_refuse('ACCT_PERIOD_LOCKED', new.division || ' is closed after ' || new.as_of);
    end if;
  end if;
  return new;
end $$;
create trigger opening_sets_guard before update or delete on opening_sets
  for each row execute function tg_opening_sets_guard();

-- Rows change as long as their set is a draft.
create function tg_opening_lines_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  set_id bigint := case when tg_op = 'DELETE' then old.opening_set_id else new.opening_set_id end;
begin
  if (select status from opening_sets where id = set_id) <> 'draft' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || set_id);
  end if;
  if tg_op = 'UPDATE' and (new.opening_set_id, new.row_no, new.cells) is distinct from
      (old.opening_set_id, old.row_no, old.cells) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'opening set ' || set_id);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger opening_lines_guard before insert or update or delete on opening_lines
  for each row execute function tg_opening_lines_guard();
revoke all on function tg_opening_sets_guard(), tg_opening_lines_guard() from public;

create index transactions_opening on transactions (division) where kind = 'opening';

-- Documents that a set brought.
alter table invoices add column opening_set_id bigint references opening_sets (id);
alter table payments add column opening_set_id bigint references opening_sets (id);
alter table bills add column opening_set_id bigint references opening_sets (id);
comment on column invoices.opening_set_id is 'Set of opening balances that brought it; it has no tax lines.';
comment on column payments.opening_set_id is 'Set of opening balances that brought this credit of a customer.';
comment on column bills.opening_set_id is 'Set of opening balances that brought it; voided with its set alone.';
create index invoices_opening on invoices (opening_set_id) where opening_set_id is not null;
create index payments_opening on payments (opening_set_id) where opening_set_id is not null;
create index bills_opening on bills (opening_set_id) where opening_set_id is not null;
alter table payments add constraint payments_opening check (opening_set_id is null or kind = 'receipt');
alter table invoices add constraint invoices_opening check (opening_set_id is null or (kind = 'invoice'
  and tax_minor = 0 and prepaid_net_minor = 0 and prepaid_tax_minor = 0));
alter table bills add constraint bills_opening check (opening_set_id is null or tax_minor = 0);
-- An invoice whose set is reversed is void and keeps its posting, which is reversed.
alter table invoices drop constraint invoices_check4;
alter table invoices add constraint invoices_unposted check (status not in ('draft', 'proforma', 'void')
  or (invoice_number is null and (transaction_id is null or (status = 'void' and opening_set_id is not null))));

-- A reserve of the former books has no statement of ours.
alter table royalty_reserves alter column statement_id drop not null;
alter table royalty_reserves add column taken_back_on date;
alter table royalty_reserves add constraint royalty_reserves_opening check (taken_back_on is null
  or (statement_id is null and released_minor = taken_minor));
comment on column royalty_reserves.statement_id is 'Statement that withheld it; null: brought from former books.';
comment on column royalty_reserves.taken_back_on is 'Day on which the opening balance was reversed.';

create or replace function guard_invoice() returns trigger language plpgsql as $$
declare
  free text[] := array['status', 'paid_minor', 'credited_minor', 'written_off_minor', 'document_id', 'sha256',
    'open_item_id', 'transaction_id', 'version', 'updated_at', 'balance_minor', 'search_text'];
  taken_back text[] := free || array['invoice_number', 'reference', 'voided_at', 'void_reason'];
begin
  if old.opening_set_id is not null and old.status = 'issued' and new.status = 'void' then
    -- Its number is free for the corrected file.
    if old.balance_minor <> old.total_minor or new.transaction_id is distinct from old.transaction_id
      or (new.paid_minor, new.credited_minor, new.written_off_minor) is distinct from (0, 0, 0)
      or (to_jsonb(new) - taken_back) <> (to_jsonb(old) - taken_back)
      or not exists (select 1 from transactions where id = old.transaction_id and status = 'reversed') then
      raise exception 'invoice % is taken back with its set', old.invoice_number using errcode = '23514';
    end if;
    return new;
  end if;
  if (old.invoice_number is not null or (old.opening_set_id is not null and old.status = 'void'))
    and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'invoice % is issued: cancel it by a credit note', old.invoice_number using errcode = '23514';
  end if;
  if old.sha256 is not null and (new.sha256, new.document_id) is distinct from (old.sha256, old.document_id)
    or old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'invoice %: its document and its posting stay', old.id using errcode = '23514';
  end if;
  return new;
end $$;

create or replace function ledger_document(p_type text, p_id bigint) returns table (kind text, id bigint, number text)
language sql stable as $$
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id,
      coalesce(i.invoice_number, i.reference)
    from invoices i where p_type = 'invoice' and i.id = p_id
  union all
  select case p.kind when 'receipt' then 'receipt' when 'refund' then 'refund' when 'royalty' then 'royalty_payment'
      when 'royalty_advance' then 'royalty_payment' else 'payment' end,
      coalesce(p.royalty_payment_batch_id, p.id), p.number
    from payments p where p_type = 'payment' and p.id = p_id
  union all
  select 'royalty_statement', s.id, s.number from royalty_statements s
    where p_type = 'royalty_statement' and s.id = p_id
  union all
  select 'deposit', l.id, coalesce(l.license_number, l.number) from deposits d join licenses l on l.id = d.license_id
    where p_type = 'deposit' and d.id = p_id
  union all
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id, i.invoice_number
    from invoice_items t join invoices i on i.id = t.invoice_id
    where p_type in ('invoice_item', 'credit_item') and t.id = p_id
  union all
  select 'invoice', i.id, i.invoice_number
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where p_type = 'release_schedule' and r.id = p_id
  union all
  select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'payment_allocation' and a.id = p_id
  union all
  (select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'allocation' and a.ledger_allocation_id = p_id limit 1)
  union all
  select 'license', l.id, coalesce(l.license_number, l.number)
    from invoice_items t join invoices i on i.id = t.invoice_id join licenses l on l.id = i.license_id
    where p_type = 'license_close_item' and t.id = p_id
  union all
  select 'royaltor', r.id, r.name from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where p_type = 'show_royaltor' and g.id = p_id
  union all
  select case b.kind when 'credit' then 'vendor_credit' else 'bill' end, b.id, b.number
    from bills b where p_type = 'bill' and b.id = p_id
  union all
  select 'bank_account', b.id, b.name from bank_accounts b where p_type = 'bank_account' and b.id = p_id
  union all
  select 'bank_transfer', t.id, t.number from bank_transfers t where p_type = 'bank_transfer' and t.id = p_id
  union all
  select 'deposit_slip', s.id, s.number from deposit_slips s where p_type = 'deposit_slip' and s.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_advance' and a.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_reserves v join show_royaltors g on g.id = v.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_reserve' and v.id = p_id
  union all
  select 'opening_set', s.id, s.division || ', ' || s.as_of from opening_sets s
    where p_type = 'opening_set' and s.id = p_id
$$;
