-- People who sign in, their sessions and their rights (reliability.md 1 and 2, SPEC.md sections 3 and 6).
-- A session is a row: revocation holds on the next request of every replica. Only hashes of tokens are stored.
create table users (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email) and length(email) <= 254),
  first_name text not null check (length(first_name) between 1 and 120),
  last_name text not null check (length(last_name) between 1 and 120),
  role text not null check (role in ('customer', 'staff_admin', 'staff_user', 'system_admin', 'vendor')),
  password_hash text,
  email_verified_at timestamptz,
  -- raised by a password change, by disabling and by "sign out everywhere": every older session is dead
  session_epoch int not null default 1,
  disabled_at timestamptz,
  avatar_file_name text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (email);
create index users_role on users (role, last_name, id);

create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null check (length(token_hash) = 32),
  -- null until sign-in: the CSRF token of a guest lives in a session too
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
  expires_at timestamptz not null
);
create unique index sessions_token on sessions (token_hash);
create index sessions_user on sessions (user_id) where user_id is not null;
create index sessions_expiry on sessions (expires_at);

create table staff_groups (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 120),
  permission_values text[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (not 'REPLACE' = any (permission_values))
);
create unique index staff_groups_name on staff_groups (lower(name));

create table staff_group_users (
  staff_group_id bigint not null references staff_groups (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (staff_group_id, user_id)
);
create index staff_group_users_user on staff_group_users (user_id);

-- Single-use tokens sent by mail: password reset (60 minutes), e-mail verification (24 hours), staff invite (7 days).
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
create unique index mail_tokens_hash on mail_tokens (token_hash);
create index mail_tokens_user on mail_tokens (user_id);
create index mail_tokens_created_by on mail_tokens (created_by);

call maintain_updated_at('users', 'staff_groups');

-- Attempts in fixed windows, shared by all replicas; losing them in a crash is harmless, so the table is unlogged.
create unlogged table rate_limits (
  bucket text not null,
  window_start timestamptz not null,
  hits int not null default 1,
  primary key (bucket, window_start)
);

grant select, insert, update on users, staff_groups, mail_tokens to app_rw;
grant select, insert, update, delete on sessions, staff_group_users, rate_limits to app_rw;
grant delete on staff_groups to app_rw;
