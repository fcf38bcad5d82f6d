-- Staff profiles, invitations and teams, and the lists as each person arranged them.

create table user_avatars (
  user_id bigint not null references users (id) on delete cascade,
  size text not null check (size in ('sm', 'regular', 'md', 'lg', 'xl')),
  content bytea not null check (octet_length(content) between 1 and 262144),
  created_at timestamptz not null default now(),
  primary key (user_id, size)
);
comment on table user_avatars is
  'Profile pictures in every size served. Kept in the database, not in files: rows of files are never deleted, '
  'and a picture of a person must be deletable.';
grant select, insert, update, delete on user_avatars to app_rw;

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
comment on table email_changes is
  'Requested changes of an email address. The new address takes effect once it is confirmed from its mailbox; '
  'one request is open at a time.';
create unique index email_changes_waiting on email_changes (user_id) where used_at is null and cancelled_at is null;
create index email_changes_user on email_changes (user_id);
create index email_changes_requested_by on email_changes (requested_by_id);
grant select, insert, update on email_changes to app_rw;

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
comment on table staff_invites is
  'Invitations to join the staff. Sending one again replaces the token, so only the latest link works.';
-- One open invitation per address; an expired one is sent again, not doubled.
create unique index staff_invites_open on staff_invites (email) where accepted_at is null and revoked_at is null;
create index staff_invites_latest on staff_invites (sent_at desc, id desc);
create index staff_invites_invited_by on staff_invites (invited_by_id);
create index staff_invites_revoked_by on staff_invites (revoked_by_id) where revoked_by_id is not null;
create index staff_invites_accepted_user on staff_invites (accepted_user_id) where accepted_user_id is not null;
grant select, insert, update on staff_invites to app_rw;

create table staff_invite_groups (
  staff_invite_id bigint not null references staff_invites (id) on delete cascade,
  staff_group_id bigint not null references staff_groups (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (staff_invite_id, staff_group_id)
);
comment on table staff_invite_groups is
  'Groups that an invited person will join. A group deleted before the invitation is accepted is skipped.';
create index staff_invite_groups_group on staff_invite_groups (staff_group_id);
grant select, insert, update, delete on staff_invite_groups to app_rw;

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
comment on table teams is 'Teams of staff that applications and tasks can be assigned to.';
create unique index teams_name on teams (lower(name));
create index teams_lead on teams (lead_id) where lead_id is not null;
grant select, insert, update, delete on teams to app_rw;

create table team_members (
  team_id bigint not null references teams (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
comment on table team_members is 'Members of a team.';
create index team_members_user on team_members (user_id);
grant select, insert, update, delete on team_members to app_rw;

create table email_groups (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 120),
  "emailRoute" email_address not null,
  description text check (length(description) <= 2000),
  members integer not null check (members between 1 and 10000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table email_groups is 'Distribution lists: several addresses that mail is sent to under one name.';
create unique index email_groups_name on email_groups (lower(name));
grant select, insert, update, delete on email_groups to app_rw;

create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  page_key text not null check (page_key ~ '^/[a-z0-9/:_-]{1,119}$'),
  name text not null check (length(name) between 1 and 60 and name = btrim(name)),
  search jsonb not null default '{}' check (jsonb_typeof(search) = 'object'),
  columns jsonb not null default '[]' check (jsonb_typeof(columns) = 'array'),
  shared boolean not null default false,
  is_default boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table saved_views is
  'Saved filters, sort order and columns of a list. page_key is the address of the list with record numbers '
  'replaced by :id.';
comment on column saved_views.search is 'Query parameters of the list: {"phase": "sent", "sort_by": "opening"}.';
comment on column saved_views.columns is 'Visible columns in order; empty: those of the reader.';
create unique index saved_views_name on saved_views (user_id, page_key, lower(name));
create unique index saved_views_default on saved_views (user_id, page_key) where is_default;
create index saved_views_shared on saved_views (page_key) where shared;
grant select, insert, update, delete on saved_views to app_rw;

create table list_columns (
  user_id bigint not null references users (id),
  list text not null check (length(list) between 1 and 80),
  shown jsonb not null check (jsonb_typeof(shown) = 'object'),
  columns text[] not null check (cardinality(columns) <= 60),
  pinned boolean not null,
  widths jsonb not null default '{}' check (jsonb_typeof(widths) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, list)
);
comment on table list_columns is
  'Columns of a list as a person arranged them: which, in what order, how wide, and whether the first one is '
  'pinned.';
comment on column list_columns.widths is 'Column widths in px by column name. A column without one sizes itself.';
grant select, insert, update on list_columns to app_rw;

call maintain_updated_at('staff_invites', 'teams', 'email_groups', 'saved_views', 'list_columns');
