-- The staff office: pictures, changes of address, invitations, teams (SPEC.md 2 staff, 3 User, 7 staff; gaps G38, G63,
-- G115, X185 to X187).

alter table users
  add column job_title text check (length(job_title) between 1 and 120),
  add column phone text check (length(phone) <= 40),
  -- where a member of staff is after signing in; null: the dashboard
  add column start_page text check (start_page ~ '^/admin(/[a-z0-9-]+)*$' and length(start_page) <= 120),
  -- key of the picture in its address: random, so that an address is as good as a permission to see it
  add constraint users_avatar_file_name check (avatar_file_name ~ '^[0-9a-f]{32}\.webp$');

-- Each picture in the sizes of SPEC.md 9 (constant C76), twice as dense as their pixels. In the database and not in the
-- file store: it is small, it changes together with the person's row, and a picture of a person has to be able to
-- vanish, which rows of `files` cannot.
create table user_avatars (
  user_id bigint not null references users (id) on delete cascade,
  size text not null check (size in ('sm', 'regular', 'md', 'lg', 'xl')),
  content bytea not null check (octet_length(content) between 1 and 262144),
  created_at timestamptz not null default now(),
  primary key (user_id, size)
);

-- A new address holds only when its own mailbox has said so. One waits at a time.
create table email_changes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  email email_address not null check (email = lower(email)),
  token_hash bytea not null unique check (length(token_hash) = 32),
  requested_by_id bigint references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  cancelled_at timestamptz
);
create unique index email_changes_waiting on email_changes (user_id) where used_at is null and cancelled_at is null;
create index email_changes_user on email_changes (user_id);
create index email_changes_requested_by on email_changes (requested_by_id);

-- Invitations to the staff. The link's token is replaced when it is sent again, so only the newest mail works.
create table staff_invites (
  id bigint generated always as identity primary key,
  email email_address not null check (email = lower(email)),
  role text not null check (role in ('staff_user', 'staff_admin', 'system_admin')),
  note text not null default '' check (length(note) <= 500),
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by_id bigint not null references users (id),
  sent_at timestamptz not null default now(),
  sent_times integer not null default 1 check (sent_times > 0),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_user_id bigint references users (id),
  revoked_at timestamptz,
  revoked_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((accepted_at is null) = (accepted_user_id is null)),
  check ((revoked_at is null) = (revoked_by_id is null)),
  check (accepted_at is null or revoked_at is null)
);
-- One open invitation per address; an expired one is sent again, not doubled.
create unique index staff_invites_open on staff_invites (email) where accepted_at is null and revoked_at is null;
create index staff_invites_latest on staff_invites (sent_at desc, id desc);
create index staff_invites_invited_by on staff_invites (invited_by_id);
create index staff_invites_revoked_by on staff_invites (revoked_by_id) where revoked_by_id is not null;
create index staff_invites_accepted_user on staff_invites (accepted_user_id) where accepted_user_id is not null;

-- A group that is gone by the time the link is opened is simply not given.
create table staff_invite_groups (
  staff_invite_id bigint not null references staff_invites (id) on delete cascade,
  staff_group_id bigint not null references staff_groups (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (staff_invite_id, staff_group_id)
);
create index staff_invite_groups_group on staff_invite_groups (staff_group_id);

create table teams (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 120),
  description text check (length(description) <= 2000),
  email email_address,
  lead_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index teams_name on teams (lower(name));
create index teams_lead on teams (lead_id) where lead_id is not null;

create table team_members (
  team_id bigint not null references teams (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

call maintain_updated_at('staff_invites', 'teams');

grant select, insert, update, delete on user_avatars, teams, team_members, staff_invite_groups to app_rw;
grant select, insert, update on email_changes, staff_invites to app_rw;
