-- Receipts and payments in one table, what they settle, and deposits. Allocations here belong to the documents; the
-- ledger keeps its own.

create table payments (
  id bigint generated always as identity primary key,
  number text not null unique,
  direction text not null check (direction in ('in', 'out')),
  kind text not null,
  status text not null default 'draft' check (status in
    ('draft', 'approved', 'posted', 'cleared', 'returned', 'void', 'reversed')),
  party_type text not null check (party_type in ('customer', 'vendor', 'royaltor', 'staff', 'tax_authority')),
  party_id bigint not null,
  customer_id bigint generated always as (case when party_type = 'customer' then party_id end) stored
    references customers (id),
  royaltor_id bigint generated always as (case when party_type = 'royaltor' then party_id end) stored
    references royaltors (id),
  license_id bigint references licenses (id),
  division text not null references divisions (code),
  ledger_account_id bigint not null references ledger_accounts (id),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  applied_minor minor_amount not null default 0 check (applied_minor >= 0),
  unapplied_minor minor_amount not null generated always as (amount_minor - applied_minor) stored,
  method text not null check (method in ('card', 'ach', 'wire', 'check', 'bacs', 'sepa', 'cash', 'set_off')),
  paid_on date not null,
  value_on date,
  reference text not null default '',
  provider text,
  provider_id text,
  functional_rate fx_rate,
  functional_rate_on date,
  memo text not null default '',
  transaction_id bigint references transactions (id),
  reversal_transaction_id bigint references transactions (id),
  reversal_reason text,
  returned_on date,
  created_by_id bigint references users (id),
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  posted_at timestamptz,
  royalty_payment_batch_id bigint,
  document_id bigint references files (id),
  credit_note_id bigint unique references invoices (id),
  planned jsonb,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (applied_minor <= amount_minor),
  constraint payments_check2 check (kind not in ('royalty', 'royalty_advance') or party_type = 'royaltor'),
  constraint payments_check3 check (kind <> 'receipt' or party_type = 'customer'),
  constraint payments_check4 check (status not in ('posted', 'cleared', 'returned', 'reversed')
    or posted_at is not null),
  constraint payments_check5 check (status not in ('draft', 'approved', 'void') or posted_at is null),
  constraint payments_check6 check (posted_at is null or deleted_at is null),
  -- Four eyes on money going out.
  constraint payments_check7 check (approved_by_id is null or created_by_id is null or direction = 'in'
    or approved_by_id <> created_by_id),
  constraint payments_kind_check check (kind in ('receipt', 'credit', 'refund', 'vendor', 'royalty',
    'royalty_advance', 'tax', 'reimbursement')),
  constraint payments_in check ((direction = 'in') = (kind in ('receipt', 'credit'))),
  constraint payments_credit check ((kind = 'credit') = (credit_note_id is not null)
    and (kind <> 'credit' or party_type = 'customer')),
  constraint payments_planned check (planned is null or (kind = 'receipt' and method = 'check'))
);
comment on table payments is 'Receipts and payments.';
comment on column payments.ledger_account_id is 'Cash account.';
comment on column payments.document_id is 'PDF of a receipt.';
comment on column payments.planned is 'For a postdated check: what it will be applied to. Posted once, on its date.';
create index payments_latest on payments (updated_at desc, id desc) where deleted_at is null;
create index payments_direction on payments (direction, division, paid_on desc, id desc) where deleted_at is null;
create index payments_division on payments (division, status, paid_on desc, id desc);
create index payments_customer on payments (customer_id, paid_on desc, id desc) where customer_id is not null;
create index payments_royaltor on payments (royaltor_id, paid_on desc, id desc) where royaltor_id is not null;
create index payments_license on payments (license_id) where license_id is not null;
create index payments_account on payments (ledger_account_id);
create index payments_transaction on payments (transaction_id) where transaction_id is not null;
create index payments_reversal on payments (reversal_transaction_id) where reversal_transaction_id is not null;
create unique index payments_provider on payments (provider, provider_id) where provider_id is not null;
create index payments_unapplied on payments (customer_id, id)
  where applied_minor < amount_minor and status in ('posted', 'cleared') and direction = 'in';
create index payments_batch on payments (royalty_payment_batch_id, id) where royalty_payment_batch_id is not null;
create index payments_document on payments (document_id) where document_id is not null;
create index payments_number_start on payments (lower(number) text_pattern_ops);
-- What the bank wrote on it.
create index payments_reference_start on payments (lower(reference) text_pattern_ops) where reference <> '';
create index payments_waiting on payments (paid_on, id) where status = 'draft' and direction = 'in';
-- A likely duplicate is looked for by customer, amount and day, and by its reference.
create index payments_likely on payments (division, amount_minor, paid_on) where direction = 'in';
-- Payments are searched by their number and what the bank wrote.
create index payments_search on payments using gin (search_words(number, reference) gin_trgm_ops);
grant select, insert, update on payments to app_rw;

create table deposits (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  kind text not null check (kind in ('security', 'on_account')),
  status text not null default 'requested' check (status in ('requested', 'held', 'settled', 'cancelled')),
  division text not null references divisions (code),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  net_minor minor_amount not null,
  vat_minor minor_amount not null default 0 check (vat_minor >= 0),
  tax_code_id bigint references tax_codes (id),
  due_on date,
  held_at timestamptz,
  payment_id bigint references payments (id),
  applied_minor minor_amount not null default 0 check (applied_minor >= 0),
  refunded_minor minor_amount not null default 0 check (refunded_minor >= 0),
  forfeited_minor minor_amount not null default 0 check (forfeited_minor >= 0),
  remaining_minor minor_amount not null generated always as
    (amount_minor - applied_minor - refunded_minor - forfeited_minor) stored,
  vat_receipt_document_id bigint references files (id),
  transaction_id bigint references transactions (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (amount_minor = net_minor + vat_minor),
  check (kind = 'on_account' or vat_minor = 0),
  check (applied_minor + refunded_minor + forfeited_minor <= amount_minor),
  check ((status in ('held', 'settled')) = (held_at is not null)),
  check (status <> 'settled' or applied_minor + refunded_minor + forfeited_minor = amount_minor),
  check (status not in ('requested', 'cancelled') or applied_minor + refunded_minor + forfeited_minor = 0)
);
comment on table deposits is 'Deposits of customers: on account, or as security.';
comment on column deposits.net_minor is 'On account: the amount without the tax due at receipt. Security: 0.';
create index deposits_license on deposits (license_id, id);
create index deposits_division on deposits (division, status, due_on, id);
create index deposits_payment on deposits (payment_id) where payment_id is not null;
create index deposits_tax_code on deposits (tax_code_id) where tax_code_id is not null;
create index deposits_document on deposits (vat_receipt_document_id) where vat_receipt_document_id is not null;
create index deposits_transaction on deposits (transaction_id) where transaction_id is not null;
grant select, insert, update on deposits to app_rw;

create table deposit_dispositions (
  id bigint generated always as identity primary key,
  deposit_id bigint not null references deposits (id),
  type text not null check (type in ('apply', 'refund', 'forfeit')),
  amount_minor minor_amount not null check (amount_minor > 0),
  invoice_id bigint references invoices (id),
  payment_id bigint references payments (id),
  reason text not null default '',
  decided_by_id bigint references users (id),
  transaction_id bigint references transactions (id),
  created_at timestamptz not null default now(),
  check ((type = 'apply') <= (invoice_id is not null)),
  check (type <> 'forfeit' or reason <> '')
);
comment on table deposit_dispositions is
  'Uses of a deposit. What is held equals what was applied, refunded, forfeited and remains.';
create index deposit_dispositions_deposit on deposit_dispositions (deposit_id, id);
create index deposit_dispositions_invoice on deposit_dispositions (invoice_id) where invoice_id is not null;
create index deposit_dispositions_payment on deposit_dispositions (payment_id) where payment_id is not null;
create index deposit_dispositions_transaction
  on deposit_dispositions (transaction_id) where transaction_id is not null;
grant select, insert on deposit_dispositions to app_rw;

create table payment_allocations (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  invoice_id bigint not null references invoices (id),
  invoice_item_id bigint not null references invoice_items (id),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor <> 0),
  net_minor minor_amount not null,
  tax_minor minor_amount not null,
  applied_on date not null,
  chosen_by_hand boolean not null default false,
  reverses_allocation_id bigint unique references payment_allocations (id),
  ledger_allocation_id bigint references allocations (id),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check (amount_minor = net_minor + tax_minor),
  check ((reverses_allocation_id is null) = (amount_minor > 0))
);
comment on table payment_allocations is
  'Amounts of receipts applied to invoice lines. Removing one adds a negative row that names the original, so '
  'aging can be reported as of any day. Append-only.';
create index payment_allocations_payment on payment_allocations (payment_id, id);
create index payment_allocations_invoice on payment_allocations (invoice_id, applied_on, id);
create index payment_allocations_item on payment_allocations (invoice_item_id);
create index payment_allocations_ledger on payment_allocations (ledger_allocation_id)
  where ledger_allocation_id is not null;
grant select, insert on payment_allocations to app_rw;

-- A posted payment keeps its figures; it is returned or reversed, never edited.
create function guard_payment() returns trigger
language plpgsql as $$
declare
  free text[] := array['status', 'applied_minor', 'transaction_id', 'reversal_transaction_id', 'reversal_reason',
    'returned_on', 'value_on', 'memo', 'version', 'updated_at', 'unapplied_minor', 'customer_id', 'royaltor_id'];
begin
  if old.posted_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % is posted: reverse it', old.number using errcode = '23514';
  end if;
  if old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'payment %: its posting stays', old.number using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_payment before update on payments for each row execute function guard_payment();

-- What an invoice shows as written off is what stands of these rows, at the end of every transaction.
create function check_written_off() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  v_invoice bigint := case tg_table_name when 'invoices' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'invoice_id')::bigint end;
begin
  if exists (select 1 from invoices v where v.id = v_invoice and v.written_off_minor <> (
      select coalesce(sum(w.amount_minor - w.taken_back_minor), 0) from invoice_write_offs w
      where w.invoice_id = v.id)) then
    raise exception 'invoice %: what is written off does not agree with its rows', v_invoice using errcode = '23514';
  end if;
  return null;
end $$;

create constraint trigger invoices_written_off after update of written_off_minor on invoices
  deferrable initially deferred for each row when (old.written_off_minor <> new.written_off_minor)
  execute function check_written_off();

create constraint trigger invoice_write_offs_agree after insert or update on invoice_write_offs
  deferrable initially deferred for each row execute function check_written_off();

call maintain_updated_at('payments', 'deposits');

call make_append_only('deposit_dispositions', 'payment_allocations');

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function check_written_off() from public;
