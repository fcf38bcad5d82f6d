-- A conversation for each license, on screen and by mail: messages with their files, the addresses that replies come
-- back to, and every mail that came in, so that none is taken twice.

create table thread_messages (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  author_id bigint references users (id),
  from_staff boolean not null,
  by_mail boolean not null default false,
  sender_name text not null check (length(sender_name) between 1 and 200),
  sender_email text check (length(sender_email) between 3 and 254),
  verified boolean not null default true,
  body text not null check (length(body) <= 50000),
  quoted text not null default '' check (length(quoted) <= 50000),
  refused_files jsonb not null default '[]' check (jsonb_typeof(refused_files) = 'array'),
  search_text text not null generated always as (search_words(sender_name, left(body, 10000))) stored,
  created_at timestamptz not null default now(),
  check (by_mail = (sender_email is not null)),
  check (by_mail or (verified and author_id is not null)),
  check (verified or author_id is null)
);
comment on table thread_messages is
  'Messages between a customer and staff about a license. A message is never changed.';
comment on column thread_messages.author_id is 'Null: no account, or a sender who is nobody of the production.';
comment on column thread_messages.verified is
  'False: mail of a sender outside the production. It is shown as such, and nothing follows from it.';
comment on column thread_messages.quoted is 'Earlier mail below the reply, and the signature.';
comment on column thread_messages.refused_files is 'Attachments that were not kept: name, size_bytes, reason.';
create index thread_messages_license on thread_messages (license_id, created_at desc, id desc);
create index thread_messages_author on thread_messages (author_id);
create index thread_messages_search on thread_messages using gin (search_text gin_trgm_ops);
create trigger append_only before update or delete on thread_messages
  for each row execute function refuse_change();
create trigger append_only_truncate before truncate on thread_messages
  for each statement execute function refuse_change();
grant select, insert on thread_messages to app_rw;

create table thread_files (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  thread_message_id bigint references thread_messages (id),
  file_id bigint not null unique references files (id),
  uploaded_by_id bigint references users (id),
  held boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table thread_files is 'Files of messages. Uploaded first; a message takes them along.';
comment on column thread_files.thread_message_id is 'Null: uploaded, and the message is not sent yet.';
comment on column thread_files.held is 'From a sender outside the production: staff open it, customers do not.';
create index thread_files_message on thread_files (thread_message_id);
create index thread_files_license on thread_files (license_id);
create index thread_files_uploader on thread_files (uploaded_by_id);
grant select, insert on thread_files to app_rw;
grant update (thread_message_id) on thread_files to app_rw;

create table thread_addresses (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  token text not null unique default replace(gen_random_uuid()::text, '-', '')
    check (token ~ '^[0-9a-f]{32}$'),
  created_at timestamptz not null default now(),
  unique (license_id, email)
);
comment on table thread_addresses is
  'Secret part of the address that one person answers a license''s messages to.';
grant select, insert on thread_addresses to app_rw;

create table inbound_mails (
  id bigint generated always as identity primary key,
  message_key text not null unique check (length(message_key) between 1 and 1000),
  sender_name text not null default '' check (length(sender_name) <= 200),
  sender_email text not null default '' check (length(sender_email) <= 254),
  subject text not null default '' check (length(subject) <= 500),
  body text not null default '' check (length(body) <= 5000),
  outcome text not null check (outcome in ('placed', 'unplaced', 'automatic', 'bounce')),
  reason text not null default '',
  size_bytes bigint not null check (size_bytes >= 0),
  license_id bigint references licenses (id),
  thread_message_id bigint unique references thread_messages (id),
  received_at timestamptz not null default now(),
  check ((outcome = 'placed') = (thread_message_id is not null))
);
comment on table inbound_mails is
  'Mail that came in, once for each Message-ID: placed in a conversation, or the reason it was not.';
comment on column inbound_mails.message_key is 'Message-ID; the digest of a mail that has none.';
create index inbound_mails_license on inbound_mails (license_id);
create index inbound_mails_outcome on inbound_mails (outcome, id desc);
grant select, insert, update, delete on inbound_mails to app_rw;

alter table mail_outbox
  add column reply_to text check (reply_to !~ '[\r\n]'),
  add column token text not null default replace(gen_random_uuid()::text, '-', ''),
  add column bounced_at timestamptz,
  add column bounce_text text not null default '',
  add column undelivered_told_at timestamptz;
comment on column mail_outbox.reply_to is 'Address that answers go to; null: the sender.';
comment on column mail_outbox.token is 'Unguessable part of the Message-ID: only who got the mail can name it.';
comment on column mail_outbox.bounced_at is 'When a mail server said for good that it did not deliver the mail.';
comment on column mail_outbox.undelivered_told_at is 'When staff were told that it did not arrive.';
create index mail_outbox_undelivered on mail_outbox (id)
  where (bounced_at is not null or failed_attempts >= 10) and undelivered_told_at is null;
update mail_outbox set undelivered_told_at = now() where failed_attempts >= 10;
