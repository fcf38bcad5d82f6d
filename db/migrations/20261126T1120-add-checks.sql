-- Checks: the numbers of a bank account, one row each, without a gap and never twice. A payment by check waits to be
-- printed; printing gives it the next number. Settled is a printed check whose payment is matched with the bank.

create table checks (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null,
  division text not null,
  currency currency_code not null,
  payment_id bigint references payments (id),
  check_number integer check (check_number between 1 and 999999999),
  status text not null default 'queued' check (status in ('queued', 'printed', 'spoiled', 'voided', 'stale')),
  is_handwritten boolean not null default false,
  written_number integer check (written_number between 1 and 999999999),
  payee text not null default '',
  payee_lines text[] not null default '{}',
  amount_minor minor_amount not null default 0,
  memo text not null default '',
  checked_on date,
  printed_at timestamptz,
  printed_by_id bigint references users (id),
  ended_on date,
  ended_by_id bigint references users (id),
  end_reason text check (end_reason <> ''),
  replaces_id bigint references checks (id),
  stale_transaction_id bigint references transactions (id),
  created_by_id bigint references users (id),
  search_text text not null generated always as (search_words(check_number::text, payee, memo)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (bank_account_id, check_number),
  foreign key (bank_account_id, division, currency) references bank_accounts (id, division, currency),
  check ((status = 'queued') = (check_number is null)),
  check (status in ('queued', 'spoiled') or (payment_id is not null and checked_on is not null and amount_minor > 0)),
  check ((status in ('spoiled', 'voided', 'stale')) = (ended_on is not null and end_reason is not null)),
  check ((status = 'stale') = (stale_transaction_id is not null)),
  check (is_handwritten = (written_number is not null))
);
comment on table checks is
  'Checks: one row for each number of a bank account, and one for each payment that waits for one.';
comment on column checks.payment_id is 'Null for a blank form that was spoiled.';
comment on column checks.check_number is 'Null until it is printed.';
comment on column checks.written_number is 'Number of a check that was written by hand; it gets no other.';
comment on column checks.payee is 'Name, address, amount and memo as they were printed.';
comment on column checks.checked_on is 'Day on the check, on which its payment is posted.';
comment on column checks.ended_on is 'Day on which it was spoiled, voided or became unclaimed property.';
create unique index checks_live on checks (payment_id) where status in ('queued', 'printed', 'stale');
create index checks_payment on checks (payment_id, id);
create index checks_list on checks (bank_account_id, check_number desc);
create index checks_created on checks (created_at desc, id desc);
create index checks_open on checks (checked_on) where status = 'printed';
create index checks_replaces on checks (replaces_id) where replaces_id is not null;
create index checks_stale_transaction on checks (stale_transaction_id) where stale_transaction_id is not null;
create index checks_printed_by on checks (printed_by_id);
create index checks_ended_by on checks (ended_by_id);
create index checks_created_by on checks (created_by_id);
create index checks_number_start on checks ((check_number::text) text_pattern_ops);
create index checks_search on checks using gin (search_text gin_trgm_ops);
grant select, insert, update on checks to app_rw;
grant delete on checks to app_rw;
call maintain_updated_at('checks');

create table check_printings (
  id bigint generated always as identity primary key,
  check_id bigint not null references checks (id),
  printed_by_id bigint references users (id),
  reason text not null default '',
  created_at timestamptz not null default now()
);
comment on table check_printings is 'Each time that a check was printed; the reason of each time after the first.';
create index check_printings_check on check_printings (check_id, id);
create index check_printings_person on check_printings (printed_by_id, created_at);
grant select, insert on check_printings to app_rw;
call make_append_only('check_printings');

create table check_templates (
  bank_account_id bigint primary key references bank_accounts (id),
  is_blank_stock boolean not null default false,
  offset_x_mm numeric(4, 1) not null default 0 check (offset_x_mm between -25 and 25),
  offset_y_mm numeric(4, 1) not null default 0 check (offset_y_mm between -25 and 25),
  second_signature_above_minor minor_amount check (second_signature_above_minor > 0),
  micr_font_id bigint references files (id),
  micr_signs text not null default 'letters' check (micr_signs in ('letters', 'unicode')),
  positive_pay jsonb not null check (jsonb_typeof(positive_pay) = 'object'),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table check_templates is 'How the checks of a bank account are printed and reported to the bank.';
comment on column check_templates.is_blank_stock is 'The paper has no number and no bank printed on it.';
comment on column check_templates.micr_font_id is
  'Font of the magnetic line (E-13B) that the house owns; null: no line is printed.';
comment on column check_templates.positive_pay is 'Layout of the file for positive pay.';
create index check_templates_font on check_templates (micr_font_id) where micr_font_id is not null;
grant select, insert, update on check_templates to app_rw;
call maintain_updated_at('check_templates');

create table positive_pay_files (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  from_on date not null,
  to_on date not null check (to_on >= from_on),
  file_name text not null,
  content text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  issue_count integer not null,
  void_count integer not null,
  issued_minor bigint not null,
  voided_minor bigint not null,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
comment on table positive_pay_files is 'Issues and voids that were handed to the bank, with the bytes of each file.';
create index positive_pay_files_account on positive_pay_files (bank_account_id, id desc);
create index positive_pay_files_person on positive_pay_files (created_by_id);
grant select, insert on positive_pay_files to app_rw;
call make_append_only('positive_pay_files');

create table positive_pay_lines (
  positive_pay_file_id bigint not null references positive_pay_files (id),
  check_id bigint not null references checks (id),
  event text not null check (event in ('issue', 'void')),
  created_at timestamptz not null default now(),
  primary key (check_id, event)
);
comment on table positive_pay_lines is 'Each issue and each void is told to the bank once.';
create index positive_pay_lines_file on positive_pay_lines (positive_pay_file_id);
grant select, insert on positive_pay_lines to app_rw;
call make_append_only('positive_pay_lines');

-- The next number of the account and no other, taken under its lock. What was printed keeps what it said.
create function tg_checks_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  next_number integer;
begin
  if tg_op = 'DELETE' then
    if old.check_number is not null then
      raise exception 'check %: a number is kept', old.check_number using errcode = '23514',
        constraint = 'checks_number';
    end if;
    return old;
  end if;
  if tg_op = 'UPDATE' and old.check_number is not null then
    if (new.bank_account_id, new.payment_id, new.check_number, new.payee, new.payee_lines, new.amount_minor, new.memo,
        new.checked_on, new.printed_at, new.printed_by_id, new.is_handwritten)
      is distinct from (old.bank_account_id, old.payment_id, old.check_number, old.payee, old.payee_lines,
        old.amount_minor, old.memo, old.checked_on, old.printed_at, old.printed_by_id, old.is_handwritten)
      or (new.status <> old.status and old.status <> 'printed') then
      raise exception 'check %: it is printed', old.check_number using errcode = '23514', constraint = 'checks_printed';
    end if;
    return new;
  end if;
  if new.check_number is not null then
    select next_check_number into next_number from bank_accounts where id = new.bank_account_id for update;
    if new.check_number is distinct from next_number
      or (new.written_number is not null and new.written_number <> new.check_number) then
      raise exception 'check %: the next number is %', new.check_number, next_number
        using errcode = '23514', constraint = 'checks_number';
    end if;
  end if;
  return new;
end $$;
create trigger checks_guard before insert or update or delete on checks
  for each row execute function tg_checks_guard();

create function tg_checks_number() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update bank_accounts set next_check_number = new.check_number + 1
    where id = new.bank_account_id and next_check_number = new.check_number;
  return null;
end $$;
create trigger checks_number after insert or update of check_number on checks
  for each row when (new.check_number is not null) execute function tg_checks_number();

-- Once numbers are taken, the next one follows the last: a form that is missing is recorded as spoiled.
create function tg_next_check_number() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last integer := (select max(check_number) from checks where bank_account_id = new.id);
begin
  if last is not null and new.next_check_number is distinct from last + 1 then
    raise exception 'bank account %: check % follows', new.id, last + 1
      using errcode = '23514', constraint = 'bank_accounts_next_check';
  end if;
  return new;
end $$;
create trigger next_check_number before update of next_check_number on bank_accounts
  for each row when (new.next_check_number is distinct from old.next_check_number)
  execute function tg_next_check_number();

-- A payment by check waits to be printed as soon as it is made; one that is withdrawn or paid otherwise waits no more.
-- A payment that is taken back voids its check, unless the money is unclaimed property already.
create function tg_payment_check() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.method = 'check' and new.status in ('draft', 'approved') and new.deleted_at is null then
    insert into checks (bank_account_id, division, currency, payment_id, created_by_id)
      select b.id, b.division, b.currency, new.id, new.created_by_id from bank_accounts b
      where b.ledger_account_id = new.ledger_account_id and b.currency = new.currency
      on conflict (payment_id) where status in ('queued', 'printed', 'stale')
      do update set bank_account_id = excluded.bank_account_id, division = excluded.division,
        currency = excluded.currency where checks.status = 'queued';
  else
    delete from checks where payment_id = new.id and status = 'queued';
  end if;
  if new.status in ('returned', 'reversed', 'void') then
    if exists (select 1 from checks where payment_id = new.id and status = 'stale') then
      raise exception 'payment %: its check is unclaimed property', new.number
        using errcode = '23514', constraint = 'checks_stale';
    end if;
    update checks set status = 'voided', ended_on = coalesce(new.returned_on, new.paid_on),
      end_reason = coalesce(nullif(new.reversal_reason, ''), 'Payment taken back')
      where payment_id = new.id and status = 'printed';
  end if;
  return null;
end $$;
create trigger payment_check after insert or update of method, status, ledger_account_id, deleted_at on payments
  for each row when (new.direction = 'out' and new.kind in ('vendor', 'refund', 'tax'))
  execute function tg_payment_check();
revoke all on function tg_checks_guard(), tg_checks_number(), tg_next_check_number(), tg_payment_check() from public;

insert into checks (bank_account_id, division, currency, payment_id, created_by_id)
  select b.id, b.division, b.currency, p.id, p.created_by_id
  from payments p join bank_accounts b on b.ledger_account_id = p.ledger_account_id and b.currency = p.currency
  where p.direction = 'out' and p.kind in ('vendor', 'refund', 'tax') and p.method = 'check'
    and p.status in ('draft', 'approved') and p.deleted_at is null;
