-- A notice of change (Nacha Operating Rules, 3.9) corrects the bank details of a payee within six banking days. It was
-- told once, with the full account number, in a notification and its mail; it is sealed with the payee now.
create table bank_corrections (
  id bigint generated always as identity primary key,
  party_type text not null check (party_type in ('vendor', 'customer', 'royaltor')),
  party_id bigint not null,
  bank_details_version integer not null,
  division text not null references divisions (code),
  code text not null,
  words text not null,
  details_encrypted bytea not null,
  key_id text not null,
  received_on date not null,
  due_on date not null,
  payment_id bigint references payments (id),
  ach_prenote_id bigint references ach_prenotes (id),
  decision text check (decision in ('taken', 'dismissed')),
  decision_reason text,
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  unique (party_type, party_id, bank_details_version, code),
  check ((decision is null) = (decided_at is null)),
  check (num_nonnulls(payment_id, ach_prenote_id) = 1)
);
comment on table bank_corrections is 'Notices of change: how the bank of a payee corrects its bank details.';
comment on column bank_corrections.bank_details_version is 'Version of the bank details of the payee that it corrects.';
comment on column bank_corrections.words is 'What it corrects, with no more than the last characters of a number.';
comment on column bank_corrections.details_encrypted is
  'AES-256-GCM ciphertext under the key named by key_id: the corrected details.';
comment on column bank_corrections.due_on is 'Sixth banking day after it came: until then the bank wants it corrected.';
create index bank_corrections_payment on bank_corrections (payment_id) where payment_id is not null;
create index bank_corrections_prenote on bank_corrections (ach_prenote_id) where ach_prenote_id is not null;
create index bank_corrections_decider on bank_corrections (decided_by_id) where decided_by_id is not null;
create index bank_corrections_division on bank_corrections (division);
grant select, insert on bank_corrections to app_rw;
grant update (words, details_encrypted, key_id, received_on, due_on, decision, decision_reason, decided_by_id,
  decided_at) on bank_corrections to app_rw;
