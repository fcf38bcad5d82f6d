-- Bills of vendors and their credits. A bill posts when a second person approves it; what is open on it stands in its
-- open item on payables alone, so a bill can never say another balance than the ledger.

insert into tax_codes (division, code, name, kind)
select code, 'USE', 'Use tax on purchases', 'use_tax' from unnest(array['PROD', 'US']) code
on conflict (division, code) do nothing;

create sequence bill_numbers;
create sequence vendor_credit_numbers;
grant usage on sequence bill_numbers, vendor_credit_numbers to app_rw;

create or replace function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' when 'deposit_slip' then 'DS' when 'payment_run' then 'PR' when 'bill' then 'BL'
    when 'vendor_credit' then 'VC' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

create table bills (
  id bigint generated always as identity primary key,
  number text not null unique,
  kind text not null default 'bill' check (kind in ('bill', 'credit')),
  status text not null default 'draft' check (status in ('draft', 'submitted', 'approved', 'void')),
  vendor_id bigint not null references vendors (id),
  vendor_number text not null default '',
  vendor_key text not null generated always as (lower(regexp_replace(vendor_number, '(\W|_)+', '', 'g'))) stored,
  division text not null references divisions (code),
  currency currency_code not null,
  billed_on date not null,
  received_on date not null,
  due_on date not null,
  discount_ppm rate_ppm not null default 0 check (discount_ppm < 1000000),
  discount_days integer not null default 0 check (discount_days between 0 and 365),
  memo text not null default '',
  net_minor minor_amount not null default 0,
  tax_minor minor_amount not null default 0,
  total_minor minor_amount not null default 0,
  functional_rate fx_rate,
  functional_rate_on date,
  document_id bigint references files (id),
  entered_by_id bigint references users (id),
  last_changed_by_id bigint references users (id),
  submitted_by_id bigint references users (id),
  submitted_at timestamptz,
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  declined_by_id bigint references users (id),
  declined_at timestamptz,
  decline_reason text,
  held_by_id bigint references users (id),
  held_at timestamptz,
  hold_reason text,
  transaction_id bigint references transactions (id),
  open_item_id bigint references open_items (id),
  voided_on date,
  void_reason text,
  search_text text not null generated always as (search_words(number, vendor_number, memo)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bills_total check (total_minor = net_minor + tax_minor and total_minor >= 0),
  constraint bills_due check (due_on >= billed_on),
  constraint bills_discount check ((discount_ppm = 0) = (discount_days = 0) and (kind = 'bill' or discount_ppm = 0)),
  constraint bills_submitted check ((submitted_at is not null) = (status <> 'draft')),
  constraint bills_posted check ((status in ('approved', 'void')) = (transaction_id is not null)
    and (transaction_id is null) = (open_item_id is null) and (transaction_id is null or total_minor > 0)
    and (transaction_id is null) = (approved_at is null)),
  constraint bills_held check (num_nonnulls(held_at, hold_reason) in (0, 2)),
  constraint bills_declined check (num_nonnulls(declined_at, decline_reason) in (0, 2)
    and (declined_at is null or status = 'draft')),
  constraint bills_void check ((status = 'void') = (void_reason is not null and voided_on is not null)),
  constraint bills_trash check (deleted_at is null or status = 'draft'),
  constraint bills_rate check ((functional_rate is null) = (functional_rate_on is null)),
  -- Four eyes: the approver neither entered nor last changed nor submitted it.
  constraint bills_four_eyes check (approved_by_id is null or (
    approved_by_id is distinct from entered_by_id and approved_by_id is distinct from last_changed_by_id
    and approved_by_id is distinct from submitted_by_id))
);
comment on table bills is 'Bills of vendors and vendor credits.';
comment on column bills.status is
  'Stored up to approval; part paid and paid follow from the open item (view bill_list).';
comment on column bills.vendor_number is 'Number on the document of the vendor.';
comment on column bills.vendor_key is 'Letters and digits of vendor_number, by which the same document is found again.';
comment on column bills.discount_ppm is 'Early payment discount on the total, taken within discount_days of billed_on.';
comment on column bills.last_changed_by_id is 'Person who changed it last before it was submitted.';
comment on column bills.functional_rate is 'Functional units per unit of the currency, on the day of the bill.';
create index bills_latest on bills (updated_at desc, id desc) where deleted_at is null;
create index bills_division on bills (division, status, billed_on desc, id desc);
create index bills_due on bills (due_on, id) where status = 'approved';
create index bills_vendor on bills (vendor_id, billed_on desc, id desc);
create index bills_key on bills (vendor_id, vendor_key) where vendor_key <> '';
create index bills_number_start on bills (lower(number) text_pattern_ops);
create index bills_search on bills using gin (search_text gin_trgm_ops);
create index bills_document on bills (document_id) where document_id is not null;
create index bills_transaction on bills (transaction_id) where transaction_id is not null;
create index bills_item on bills (open_item_id) where open_item_id is not null;
create index bills_entered on bills (entered_by_id);
create index bills_changed on bills (last_changed_by_id);
create index bills_submitter on bills (submitted_by_id);
create index bills_approver on bills (approved_by_id);
create index bills_decliner on bills (declined_by_id);
create index bills_holder on bills (held_by_id);
grant select, insert, update, delete on bills to app_rw;
call maintain_updated_at('bills');

create table bill_lines (
  id bigint generated always as identity primary key,
  bill_id bigint not null references bills (id),
  sort integer not null,
  ledger_account_id bigint not null references ledger_accounts (id),
  description text not null check (description <> ''),
  net_minor minor_amount not null check (net_minor <> 0),
  tax_code_id bigint references tax_codes (id),
  treatment text not null default 'none'
    check (treatment in ('none', 'recoverable', 'cost', 'reverse_charge', 'use_tax')),
  jurisdiction text,
  rate_ppm rate_ppm not null default 0,
  tax_minor minor_amount not null default 0,
  show_id bigint references shows (id),
  license_id bigint references licenses (id),
  material_id bigint references materials (id),
  created_at timestamptz not null default now(),
  unique (bill_id, sort),
  constraint bill_lines_treatment check ((treatment = 'none') <= (tax_minor = 0)
    and (treatment = 'none' or (tax_code_id is not null and jurisdiction is not null)))
);
comment on table bill_lines is 'Lines of bills.';
comment on column bill_lines.net_minor is 'Positive on bills and on credits alike; a negative line is a deduction.';
comment on column bill_lines.treatment is
  'recoverable: input tax; cost: part of the expense (US sales tax); reverse_charge and use_tax: '
  'owed to the authority, not to the vendor.';
comment on column bill_lines.tax_minor is 'Tax of the line; part of the total only where the vendor charges it.';
create index bill_lines_account on bill_lines (ledger_account_id);
create index bill_lines_tax_code on bill_lines (tax_code_id) where tax_code_id is not null;
create index bill_lines_show on bill_lines (show_id) where show_id is not null;
create index bill_lines_license on bill_lines (license_id) where license_id is not null;
create index bill_lines_material on bill_lines (material_id) where material_id is not null;
grant select, insert, delete on bill_lines to app_rw;

create table bill_credits (
  id bigint generated always as identity primary key,
  credit_id bigint not null references bills (id),
  bill_id bigint not null references bills (id),
  amount_minor minor_amount not null check (amount_minor > 0),
  applied_on date not null,
  allocation_id bigint not null unique references allocations (id),
  applied_by_id bigint references users (id),
  undone_on date,
  undone_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check (credit_id <> bill_id),
  check (undone_on >= applied_on)
);
comment on table bill_credits is 'Vendor credits applied to bills; the ledger keeps its own allocation of each.';
create index bill_credits_credit on bill_credits (credit_id);
create index bill_credits_bill on bill_credits (bill_id);
create index bill_credits_applier on bill_credits (applied_by_id);
create index bill_credits_undoer on bill_credits (undone_by_id);
grant select, insert, update on bill_credits to app_rw;

-- A bill moves from draft over submitted to approved and void. What was submitted changes only back to a draft, and
-- what posted never changes.
create function tg_bills_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  contents boolean;
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' or old.deleted_at is null then
      perform ledger_refuse('ACCT_IMMUTABLE', 'bill ' || old.id);
    end if;
    return old;
  end if;
  contents := (new.vendor_id, new.vendor_number, new.currency, new.billed_on, new.due_on, new.discount_ppm,
      new.discount_days, new.net_minor, new.tax_minor, new.document_id)
    is distinct from (old.vendor_id, old.vendor_number, old.currency, old.billed_on, old.due_on, old.discount_ppm,
      old.discount_days, old.net_minor, old.tax_minor, old.document_id);
  if (new.number, new.kind, new.division, new.entered_by_id) is distinct from
      (old.number, old.kind, old.division, old.entered_by_id)
    or (new.status <> old.status and not (
      (old.status = 'draft' and new.status = 'submitted') or (old.status = 'submitted' and new.status = 'draft')
      or (old.status = 'submitted' and new.status = 'approved') or (old.status = 'approved' and new.status = 'void')))
    or (contents and old.status <> 'draft' and new.status <> 'draft')
    or (old.status in ('approved', 'void') and (new.transaction_id, new.open_item_id, new.approved_by_id,
      new.submitted_by_id, new.last_changed_by_id, new.functional_rate) is distinct from (old.transaction_id,
      old.open_item_id, old.approved_by_id, old.submitted_by_id, old.last_changed_by_id, old.functional_rate))
    or (old.status = 'submitted' and new.status = 'approved' and (new.held_at is not null
      or new.last_changed_by_id is distinct from old.last_changed_by_id
      or new.submitted_by_id is distinct from old.submitted_by_id or new.version <> old.version + 1)) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bill ' || old.id);
  end if;
  return new;
end $$;
create trigger bills_guard before update or delete on bills for each row execute function tg_bills_guard();

create function tg_bill_lines_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  b bills;
  a ledger_accounts;
begin
  select * into b from bills where id = case when tg_op = 'DELETE' then old.bill_id else new.bill_id end for update;
  if b.status <> 'draft' then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bill ' || b.id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  select * into a from ledger_accounts where id = new.ledger_account_id;
  if a.division <> b.division or exists (select 1 from tax_codes t where t.id = new.tax_code_id
      and t.division <> b.division) then
    raise exception 'bill %: account or tax code of another division', b.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bill_lines_guard before insert or delete on bill_lines
  for each row execute function tg_bill_lines_guard();

-- The totals of a bill are those of its lines. Tax that the house owes the authority is no part of them.
create function tg_bills_sum() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  key bigint := case when tg_table_name = 'bills' then row ->> 'id' else row ->> 'bill_id' end;
  b bills;
  net bigint;
  tax bigint;
begin
  select * into b from bills where id = key;
  if b.id is null then return null; end if;
  select coalesce(sum(net_minor), 0), coalesce(sum(tax_minor) filter (where treatment in ('recoverable', 'cost')), 0)
    into net, tax from bill_lines where bill_id = key;
  if (b.net_minor, b.tax_minor) is distinct from (net::bigint, tax::bigint) then
    raise exception 'bill %: % and % are not the sums of its lines', key, b.net_minor, b.tax_minor
      using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger bills_sum after insert or update on bills deferrable initially deferred
  for each row execute function tg_bills_sum();
create constraint trigger bill_lines_sum after insert or delete on bill_lines deferrable initially deferred
  for each row execute function tg_bills_sum();

-- The open item of a bill is its own: of its vendor, currency and amount, on payables.
create function tg_bills_item() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from open_items i join ledger_accounts a on a.id = i.ledger_account_id
      where i.id = new.open_item_id and i.transaction_id = new.transaction_id and a.system_key = 'ap'
        and i.division = new.division and i.currency = new.currency and i.party_type = 'vendor'
        and i.party_id = new.vendor_id and i.document_type = 'bill' and i.document_id = new.id
        and i.original_minor = case new.kind when 'bill' then -new.total_minor else new.total_minor end) then
    raise exception 'bill %: open item % is not its own', new.id, new.open_item_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger bills_item after update on bills deferrable initially deferred
  for each row when (new.open_item_id is not null) execute function tg_bills_item();

-- Bills with the state that people see and what is open on each: positive, also on a credit.
create view bill_list as
  select b.*, abs(coalesce(i.open_minor, 0)) as open_minor,
    case when b.status <> 'approved' then b.status when i.open_minor = 0 then 'paid'
      when i.open_minor <> i.original_minor then 'part_paid' else 'approved' end as state
  from bills b left join open_items i on i.id = b.open_item_id;
grant select on bill_list to app_rw;

-- Refuses a day on which a kind of posting cannot be made, as the posting itself would.
create function ledger_ask_day(p_division text, p_kind text, p_at date, p_actor bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform ledger_gate(p_division, p_kind, p_at, p_actor);
end $$;
revoke all on function ledger_ask_day(text, text, date, bigint), tg_bills_guard(), tg_bill_lines_guard(),
  tg_bills_sum(), tg_bills_item() from public;
grant execute on function ledger_ask_day(text, text, date, bigint) to app_rw;

create or replace function record_uses(p_table text, p_id bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'licenses' as words where p_table = 'customers'
      and exists (select 1 from licenses where customer_id = p_id)
    union all select 2, 'applications' where p_table = 'customers'
      and exists (select 1 from license_applications where customer_id = p_id)
    union all select 3, 'invoices' where p_table = 'customers'
      and exists (select 1 from invoices where customer_id = p_id)
    union all select 4, 'payments' where p_table = 'customers'
      and exists (select 1 from payments where customer_id = p_id)
    union all select 5, 'sales orders' where p_table = 'customers'
      and exists (select 1 from sales_orders where customer_id = p_id)
    union all select 6, 'perusals' where p_table = 'customers'
      and exists (select 1 from perusals where customer_id = p_id)
    union all select 7, 'licenses' where p_table = 'venues'
      and exists (select 1 from license_venues where venue_id = p_id)
    union all select 8, 'applications' where p_table = 'venues'
      and exists (select 1 from license_application_venues where venue_id = p_id)
    union all select 9, 'agreements' where p_table = 'royaltors'
      and exists (select 1 from show_royaltors where royaltor_id = p_id and deleted_at is null)
    union all select 10, 'statements' where p_table = 'royaltors'
      and exists (select 1 from royalty_statements where royaltor_id = p_id)
    union all select 11, 'postings in the ledger' where p_table in ('customers', 'vendors', 'royaltors')
      and exists (select 1 from journal_entries
        where party_type = rtrim(p_table, 's') and party_id = p_id)
    union all select 12, 'bills' where p_table = 'vendors' and exists (select 1 from bills where vendor_id = p_id)
  ) u
$$;

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
$$;
