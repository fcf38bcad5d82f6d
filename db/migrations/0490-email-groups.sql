-- Addresses that mail goes to as one: a list kept in the mail system, or a mailbox of several people (SPEC.md 3
-- "Email group", gaps G61). The column has the specification's own name, as the wire has.
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
create unique index email_groups_name on email_groups (lower(name));

call maintain_updated_at('email_groups');
grant select, insert, update, delete on email_groups to app_rw;
