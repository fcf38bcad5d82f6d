-- Files of a mail that named no conversation are kept until a person places it: they go along with the message.
create table inbound_mail_files (
  id bigint generated always as identity primary key,
  inbound_mail_id bigint not null references inbound_mails (id),
  file_id bigint not null unique references files (id),
  created_at timestamptz not null default now()
);
comment on table inbound_mail_files is
  'Files of an email that named no production; with its message, they are in thread_files as well.';
create index inbound_mail_files_mail on inbound_mail_files (inbound_mail_id);
alter table inbound_mails add column refused_files jsonb not null default '[]';
comment on column inbound_mails.refused_files is 'Files of an unplaced mail that were not kept: name, size, reason.';
grant select, insert, delete on inbound_mail_files to app_rw;
