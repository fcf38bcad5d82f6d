-- Money in and out, what it settles, and deposits. One table for both directions (gaps G108, domain.md 7).
-- Allocations here are the document side; the ledger keeps its own, and this table names them (accounting.md 1.1).

create table payments (
  id bigint generated always as identity primary key,
  number text not null unique,
  direction text not null check (direction in ('in', 'out')),
  kind text not null check (kind in ('receipt', 'refund', 'vendor', 'royalty', 'royalty_advance', 'tax',
    'reimbursement')),
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
  -- The cash account it goes through; bank accounts proper come with banking and point at the same account.
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
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (applied_minor <= amount_minor),
  check ((direction = 'in') = (kind = 'receipt')),
  check (kind not in ('royalty', 'royalty_advance') or party_type = 'royaltor'),
  check (kind <> 'receipt' or party_type = 'customer'),
  check (status not in ('posted', 'cleared', 'returned', 'reversed') or posted_at is not null),
  check (status not in ('draft', 'approved', 'void') or posted_at is null),
  check (posted_at is null or deleted_at is null),
  -- Four eyes on money going out.
  check (approved_by_id is null or created_by_id is null or direction = 'in' or approved_by_id <> created_by_id)
);
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

create table deposits (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  kind text not null check (kind in ('security', 'on_account')),
  status text not null default 'requested' check (status in ('requested', 'held', 'settled', 'cancelled')),
  division text not null references divisions (code),
  currency currency_code not null,
  amount_minor minor_amount not null check (amount_minor > 0),
  -- on_account: the part of the amount that is tax, due at receipt (2.7); security: 0.
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
create index deposits_license on deposits (license_id, id);
create index deposits_division on deposits (division, status, due_on, id);
create index deposits_payment on deposits (payment_id) where payment_id is not null;
create index deposits_tax_code on deposits (tax_code_id) where tax_code_id is not null;
create index deposits_document on deposits (vat_receipt_document_id) where vat_receipt_document_id is not null;
create index deposits_transaction on deposits (transaction_id) where transaction_id is not null;

-- I7: held = applied + refunded + forfeited + remaining, and every part has its row with its reason.
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
create index deposit_dispositions_deposit on deposit_dispositions (deposit_id, id);
create index deposit_dispositions_invoice on deposit_dispositions (invoice_id) where invoice_id is not null;
create index deposit_dispositions_payment on deposit_dispositions (payment_id) where payment_id is not null;
create index deposit_dispositions_transaction
  on deposit_dispositions (transaction_id) where transaction_id is not null;

-- A receipt is applied to lines, each with its own tax (2.8). Append-only: un-applying is a row of the negative
-- amount
-- that names the row it takes back, so the age of a debt on any past day can be told.
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
create index payment_allocations_payment on payment_allocations (payment_id, id);
create index payment_allocations_invoice on payment_allocations (invoice_id, applied_on, id);
create index payment_allocations_item on payment_allocations (invoice_item_id);
create index payment_allocations_ledger on payment_allocations (ledger_allocation_id)
  where ledger_allocation_id is not null;

alter table license_instalments add column deposit_id bigint references deposits (id);
create index license_instalments_deposit on license_instalments (deposit_id) where deposit_id is not null;

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

call maintain_updated_at('payments', 'deposits');
call make_append_only('payment_allocations', 'deposit_dispositions');

grant select, insert, update on payments, deposits to app_rw;
grant select, insert on payment_allocations, deposit_dispositions to app_rw;
