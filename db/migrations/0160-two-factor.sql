-- The second factor (reliability.md 1.5): codes of an authenticator app, passkeys, recovery codes; and the policy that
-- demands one of staff.
create table totp_factors (
  user_id bigint primary key references users (id) on delete cascade,
  -- AES-256-GCM, bound to the person; null until the first code was right
  secret_encrypted bytea,
  secret_key_id text,
  -- a new app is set up beside the one in use: who breaks off keeps the old one
  pending_encrypted bytea,
  pending_key_id text,
  -- the 30-second step of the last accepted code: a code is good once (RFC 6238 section 5.2)
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  check ((secret_encrypted is null) = (secret_key_id is null)),
  check ((secret_encrypted is null) = (confirmed_at is null)),
  check ((pending_encrypted is null) = (pending_key_id is null))
);

-- Only the hash: 120 random bits need no slow one (ASVS 6.5.2).
create table recovery_codes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create unique index recovery_codes_hash on recovery_codes (user_id, code_hash);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  credential_id text not null check (length(credential_id) <= 1400),
  public_key bytea not null,
  -- a counter that does not grow means a copied authenticator; many count nothing and stay at 0
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  backed_up boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);

-- Whose password was right and whose second factor is awaited: such a session is still a guest's.
alter table sessions add column challenge_user_id bigint references users (id) on delete cascade,
  add column challenge_expires_at timestamptz,
  -- what the next answer of a passkey has to sign; good for five minutes and one answer
  add column passkey_challenge text,
  add column passkey_challenge_expires_at timestamptz,
  -- how the second step was taken; null where there was none
  add column second_factor text check (second_factor in ('code', 'recovery_code', 'passkey'));
create index sessions_challenge on sessions (challenge_user_id) where challenge_user_id is not null;

-- One row: what the house demands of its people.
create table security_policy (
  single boolean primary key default true check (single),
  require_staff_two_factor boolean not null default false,
  version int not null default 1,
  updated_at timestamptz not null default now()
);
insert into security_policy default values;

create function has_two_factor(person bigint) returns boolean language sql stable as $$
  select exists (select from totp_factors where user_id = person and secret_encrypted is not null)
    or exists (select from passkeys where user_id = person)
$$;

grant select, insert, update, delete on totp_factors, recovery_codes, passkeys to app_rw;
grant select, update on security_policy to app_rw;
