-- What every context uses: audit, idempotency, mail, exports, notifications. Jobs are pg-boss's own tables.
-- Sources: reliability.md 1.7 (audit), 5.2 (idempotency), domain.md 6.4, 6.5 (mail, reminders), SPEC 7
-- (notifications).

-- Append-only. No foreign keys: the log takes what happened whatever became of the records, and writes stay cheap.
-- The hash chain is a table of its own so that this one needs no update at all: one appender links the rows in
-- order of
-- id, per day segment, and verify-audit recomputes them.
create table audit_events (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  actor_id bigint,
  on_behalf_of_customer_id bigint,
  session_id bigint,
  ip inet,
  request_id text,
  action text not null check (action <> ''),
  entity text not null check (entity <> ''),
  entity_id bigint,
  before jsonb,
  after jsonb
);
create index audit_events_entity on audit_events (entity, entity_id, id desc);
create index audit_events_actor on audit_events (actor_id, id desc) where actor_id is not null;
create index audit_events_time on audit_events using brin (created_at);

create table audit_hashes (
  audit_event_id bigint primary key references audit_events (id),
  segment date not null,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null default now()
);
create index audit_hashes_segment on audit_hashes (segment, audit_event_id);

-- The answer of every money request for 7 days, per user and key; user null: a guest's request.
create table idempotency_keys (
  id bigint generated always as identity primary key,
  user_id bigint references users (id),
  key text not null check (length(key) between 1 and 255),
  fingerprint sha256_hex not null,
  status smallint check (status between 100 and 599),
  body jsonb,
  created_at timestamptz not null default now(),
  unique nulls not distinct (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Mail waits here in the transaction that caused it; without MAIL_URL this is the delivery and the app shows it.
create table mail_outbox (
  id bigint generated always as identity primary key,
  template text not null check (template <> ''),
  recipients text[] not null check (cardinality(recipients) between 1 and 50),
  subject text not null check (subject <> '' and subject !~ '[\r\n]'),
  body_text text not null,
  body_html text,
  entity text,
  entity_id bigint,
  attachments jsonb not null default '[]' check (jsonb_typeof(attachments) = 'array'),
  -- A reminder goes out once per record, kind and due date however often the scheduler runs (domain.md 6.5).
  reminder_key text unique,
  sent_at timestamptz,
  failed_attempts smallint not null default 0 check (failed_attempts >= 0),
  last_error text,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index mail_outbox_waiting on mail_outbox (id) include (next_attempt_at)
  where sent_at is null and failed_attempts < 10;
create index mail_outbox_entity on mail_outbox (entity, entity_id, id desc);

create table exports (
  id bigint generated always as identity primary key,
  model_name text not null check (model_name <> ''),
  format text not null default 'csv' check (format in ('csv', 'xlsx')),
  columns text[] not null check (cardinality(columns) between 1 and 200),
  filter jsonb not null default '{}',
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed')),
  row_count integer check (row_count >= 0),
  file_id bigint references files (id),
  failure text,
  requested_by_id bigint not null references users (id),
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'done') <= (file_id is not null)),
  check ((status in ('done', 'failed')) = (finished_at is not null))
);
create index exports_requester on exports (requested_by_id, created_at desc, id desc);
create index exports_file on exports (file_id) where file_id is not null;

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  customer_id bigint references customers (id),
  kind text not null check (kind <> ''),
  title text not null check (title <> ''),
  body text not null default '',
  href text check (href ~ '^/([^/\\]|$)'),
  read boolean not null generated always as (read_at is not null) stored,
  read_at timestamptz,
  created_at timestamptz not null default now()
);
create index notifications_user on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id, id) where read_at is null;
create index notifications_customer on notifications (customer_id, user_id, created_at desc, id desc);

-- A missing row means the default: in the app and by mail.
create table notification_settings (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind <> ''),
  in_app boolean not null default true,
  by_mail boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, kind)
);

call maintain_updated_at('exports', 'notification_settings');
call make_append_only('audit_events', 'audit_hashes');

grant select, insert on audit_events, audit_hashes to app_rw;
grant select, insert, update on idempotency_keys, mail_outbox, exports, notifications, notification_settings to
  app_rw;
-- Keys expire after 7 days, an abandoned claim is released.
grant delete on idempotency_keys to app_rw;
