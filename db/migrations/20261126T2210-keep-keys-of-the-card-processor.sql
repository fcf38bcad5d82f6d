-- Keys of the card processor that a system administrator enters, sealed like bank details. The environment of the
-- server stays a place for them; what is entered here goes before it.

create table processor_keys (
  division text primary key references divisions (code),
  provider text not null default 'stripe' check (provider = 'stripe'),
  key_encrypted bytea not null,
  webhook_secret_encrypted bytea not null,
  former_secret_encrypted bytea,
  key_id text not null,
  key_last4 text not null check (length(key_last4) <= 4),
  is_test boolean not null,
  changed_by_id bigint not null references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table processor_keys is 'Keys of a division''s account with the card processor, sealed; nobody reads them.';
comment on column processor_keys.former_secret_encrypted is
  'The webhook secret before this one: both are accepted until the next change.';
comment on column processor_keys.key_id is 'Which key of this installation sealed them.';
comment on column processor_keys.is_test is 'A key with which no money moves.';
create index processor_keys_changer on processor_keys (changed_by_id);
grant select, insert, update, delete on processor_keys to app_rw;
call maintain_updated_at('processor_keys');
