-- VAT numbers at their public registers: each answer is kept with its day and consultation number, the last one that
-- said yes or no decides the tax of new documents, and a document without VAT keeps the proof it was issued on.

create table vat_number_checks (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  vat_number text not null check (vat_number ~ '^[A-Z0-9+*]{1,20}$'),
  format_ok boolean not null,
  checksum_ok boolean not null,
  register text check (register in ('vies', 'hmrc', 'tax_service')),
  answer text check (answer in ('valid', 'invalid', 'unavailable')),
  name text check (length(name) <= 2000),
  address text check (length(address) <= 2000),
  reference text check (length(reference) <= 2000),
  problem text not null default '' check (length(problem) <= 200),
  asked_by_id bigint references users (id),
  asked_at timestamptz not null,
  check ((register is null) = (answer is null)),
  check ((answer = 'unavailable') = (problem <> '') or answer is null),
  check (checksum_ok or register is null)
);
create index vat_number_checks_customer on vat_number_checks (customer_id, id desc);
create index vat_number_checks_number on vat_number_checks (vat_number, id desc);
create index vat_number_checks_asker on vat_number_checks (asked_by_id) where asked_by_id is not null;
comment on table vat_number_checks is
  'Checks of VAT numbers of customers, by format and check digit and at a public register. Never changed.';
comment on column vat_number_checks.vat_number is 'As it was asked: without blanks, points and hyphens.';
comment on column vat_number_checks.register is 'Null: no register is set up for the country.';
comment on column vat_number_checks.answer is 'Unavailable: no answer, which says nothing of the number.';
comment on column vat_number_checks.reference is 'Consultation number of the register, the proof that it was asked.';
comment on column vat_number_checks.problem is 'Cause of no answer, in the register''s word.';
grant select, insert on vat_number_checks to app_rw;

create table document_vat_proofs (
  invoice_id bigint primary key references invoices (id) on delete cascade,
  vat_number text not null default '',
  state text not null check (state in ('proved', 'kept', 'unproved', 'refused', 'format')),
  check_id bigint references vat_number_checks (id),
  problem text not null default '' check (length(problem) <= 200),
  checked_by_id bigint references users (id),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  check (state not in ('proved', 'kept', 'refused') or check_id is not null),
  check ((checked_by_id is null) = (checked_at is null))
);
create index document_vat_proofs_check on document_vat_proofs (check_id) where check_id is not null;
create index document_vat_proofs_checker on document_vat_proofs (checked_by_id) where checked_by_id is not null;
create index document_vat_proofs_open on document_vat_proofs (state) where checked_at is null;
comment on table document_vat_proofs is
  'Proof of the customer''s VAT number on which an invoice was issued without VAT to another member state.';
comment on column document_vat_proofs.state is 'Proved: the register knew it. Kept: it did not answer, an earlier answer
stands. Unproved: it never answered. Refused: it does not know the number. Format: no register is set up.';
comment on column document_vat_proofs.check_id is 'Answer of the register that the document stands on.';
comment on column document_vat_proofs.checked_at is 'A person has settled what the state left open.';
grant select, insert, update on document_vat_proofs to app_rw;

-- An answer belongs to its number: another number starts without one.
create function forget_vat_answer() returns trigger language plpgsql as $$
begin
  new.vat_format_ok := null;
  new.vat_checksum_ok := null;
  new.vat_register_answer := null;
  new.vat_checked_at := null;
  return new;
end $$;
create trigger forget_vat_answer before update of vat_number on customers for each row
  when (old.vat_number is distinct from new.vat_number) execute function forget_vat_answer();

-- A register that does not answer takes nothing away: the last yes or no stands.
create function keep_vat_answer() returns trigger language plpgsql as $$
begin
  update customers set vat_format_ok = new.format_ok, vat_checksum_ok = new.checksum_ok,
    vat_register_answer = case when new.answer = 'unavailable' or new.answer is null
      then coalesce(vat_register_answer, new.answer) else new.answer end,
    vat_checked_at = case when new.answer in ('valid', 'invalid') then new.asked_at else vat_checked_at end
  where id = new.customer_id
    and upper(regexp_replace(vat_number, '[^A-Za-z0-9+*]', '', 'g')) = new.vat_number;
  return null;
end $$;
create trigger keep_vat_answer after insert on vat_number_checks for each row execute function keep_vat_answer();
comment on column customers.vat_register_answer is 'Last answer of the register that said yes or no; unavailable until
there is one; null where none was asked. Written by vat_number_checks.';
comment on column customers.vat_checked_at is 'Time of the last answer that said yes or no.';
