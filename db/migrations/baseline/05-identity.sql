-- People who sign in, their sessions, second factors and groups. Only hashes of tokens are stored.

create table users (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email) and length(email) <= 254),
  first_name text not null check (length(first_name) between 1 and 120),
  last_name text not null check (length(last_name) between 1 and 120),
  role text not null check (role in ('customer', 'staff_admin', 'staff_user', 'system_admin', 'vendor')),
  password_hash text,
  email_verified_at timestamptz,
  session_epoch int not null default 1,
  disabled_at timestamptz,
  avatar_file_name text,
  job_title text check (length(job_title) between 1 and 120),
  phone text check (length(phone) <= 40),
  start_page text check (start_page ~ '^/admin(/[a-z0-9-]+)*$' and length(start_page) <= 120),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Random, so that knowing the address of the picture implies permission to see it.
  constraint users_avatar_file_name check (avatar_file_name ~ '^[0-9a-f]{32}\.webp$')
);
comment on table users is
  'People who can sign in: staff, customers and royaltors. Passwords are stored as hashes only.';
comment on column users.session_epoch is
  'Increased by a password change, by disabling the account and by "sign out everywhere". Sessions with an older '
  'number are invalid.';
comment on column users.start_page is 'Page a member of staff opens after signing in; null: the dashboard.';
create unique index users_email on users (email);
create index users_role on users (role, last_name, id);
create index users_email_start on users (lower(email) text_pattern_ops);
create index users_name_start on users (fold_name(last_name) text_pattern_ops);
create index users_search on users using gin (search_words(first_name, last_name, email) gin_trgm_ops);
grant select, insert, update on users to app_rw;

create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null check (length(token_hash) = 32),
  user_id bigint references users (id) on delete cascade,
  csrf_token text not null,
  epoch int not null default 1,
  ip inet,
  user_agent text,
  acting_customer_id bigint,
  acting_until timestamptz,
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  challenge_user_id bigint references users (id) on delete cascade,
  challenge_expires_at timestamptz,
  passkey_challenge text,
  passkey_challenge_expires_at timestamptz,
  second_factor text check (second_factor in ('code', 'recovery_code', 'passkey'))
);
comment on table sessions is
  'Sign-in sessions, guests included. Revoking a row takes effect on the next request to any server. Tokens are '
  'stored as hashes only.';
comment on column sessions.user_id is 'Null until sign-in: guests have a session too, for the CSRF token.';
comment on column sessions.challenge_user_id is
  'Person whose password was correct and whose second factor is still missing. The session has the rights of a '
  'guest until then.';
comment on column sessions.passkey_challenge is
  'Challenge for the next passkey response. Valid for five minutes and one response.';
comment on column sessions.second_factor is 'Second factor that was used; null if none.';
create unique index sessions_token on sessions (token_hash);
create index sessions_user on sessions (user_id) where user_id is not null;
create index sessions_expiry on sessions (expires_at);
create index sessions_challenge on sessions (challenge_user_id) where challenge_user_id is not null;
grant select, insert, update, delete on sessions to app_rw;

create table staff_groups (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 120),
  permission_values text[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (not 'REPLACE' = any (permission_values))
);
comment on table staff_groups is 'Groups of staff with the permissions they grant.';
create unique index staff_groups_name on staff_groups (lower(name));
grant select, insert, update, delete on staff_groups to app_rw;

create table staff_group_users (
  staff_group_id bigint not null references staff_groups (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (staff_group_id, user_id)
);
comment on table staff_group_users is 'Members of a staff group.';
create index staff_group_users_user on staff_group_users (user_id);
grant select, insert, update, delete on staff_group_users to app_rw;

create table mail_tokens (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('password_reset', 'email_verification', 'staff_invite', 'first_admin')),
  token_hash bytea not null check (length(token_hash) = 32),
  user_id bigint references users (id) on delete cascade,
  email text not null,
  facts jsonb not null default '{}',
  created_by bigint references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table mail_tokens is
  'Single-use links sent by email: password reset (60 minutes), email verification (24 hours), staff invitation '
  '(7 days).';
create unique index mail_tokens_hash on mail_tokens (token_hash);
create index mail_tokens_user on mail_tokens (user_id);
create index mail_tokens_created_by on mail_tokens (created_by);
create unique index mail_tokens_one_open on mail_tokens (user_id, purpose)
  where used_at is null and user_id is not null;
grant select, insert, update on mail_tokens to app_rw;

create unlogged table rate_limits (
  bucket text not null,
  window_start timestamptz not null,
  hits int not null default 1,
  primary key (bucket, window_start)
);
comment on table rate_limits is
  'Attempts per fixed time window, shared by all servers. Unlogged: losing the rows in a crash does no harm.';
grant select, insert, update, delete on rate_limits to app_rw;

create table totp_factors (
  user_id bigint primary key references users (id) on delete cascade,
  secret_encrypted bytea,
  secret_key_id text,
  pending_encrypted bytea,
  pending_key_id text,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  check ((secret_encrypted is null) = (secret_key_id is null)),
  check ((secret_encrypted is null) = (confirmed_at is null)),
  check ((pending_encrypted is null) = (pending_key_id is null))
);
comment on table totp_factors is 'Authenticator apps used as a second factor, one per person.';
comment on column totp_factors.secret_encrypted is
  'AES-256-GCM ciphertext, bound to the person. Null until the first code was correct.';
comment on column totp_factors.pending_encrypted is
  'Secret of a new app during setup. The current one stays valid until the new one is confirmed.';
comment on column totp_factors.last_step is
  '30-second step of the last accepted code. A code is valid once (RFC 6238 section 5.2).';
grant select, insert, update, delete on totp_factors to app_rw;

create table recovery_codes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
comment on table recovery_codes is 'Hashes of recovery codes. The codes are 120 random bits, so a fast hash is enough.';
create unique index recovery_codes_hash on recovery_codes (user_id, code_hash);
grant select, insert, update, delete on recovery_codes to app_rw;

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  credential_id text not null check (length(credential_id) <= 1400),
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  backed_up boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table passkeys is 'Passkeys (WebAuthn credentials) of a person.';
comment on column passkeys.sign_count is
  'A count that does not increase means a copied authenticator. Many authenticators do not count and stay at 0.';
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);
grant select, insert, update, delete on passkeys to app_rw;

create table security_policy (
  single boolean primary key default true check (single),
  require_staff_two_factor boolean not null default false,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table security_policy is 'One row: which second factors the company requires of its staff.';
grant select, update on security_policy to app_rw;

create function has_two_factor(person bigint) returns boolean language sql stable as $$
  select exists (select from totp_factors where user_id = person and secret_encrypted is not null)
    or exists (select from passkeys where user_id = person)
$$;

create function end_links_of_person() returns trigger language plpgsql as $$
begin
  update mail_tokens set used_at = now() where user_id = new.id and used_at is null;
  update email_changes set cancelled_at = now() where user_id = new.id and used_at is null and cancelled_at is null;
  return null;
end $$;

-- A password that is only hashed anew at sign-in keeps its session epoch and ends nothing.
create trigger users_end_links after update on users for each row
  when ((new.password_hash is distinct from old.password_hash and new.session_epoch <> old.session_epoch)
    or (new.disabled_at is not null and old.disabled_at is null))
  execute function end_links_of_person();

call maintain_updated_at('users', 'staff_groups', 'security_policy');

insert into security_policy default values;
