-- Mail that named no conversation is read by staff, who put it in the conversation of a production or dismiss it with a
-- reason. Who did it stands with the mail.

alter table inbound_mails drop constraint inbound_mails_outcome_check;
alter table inbound_mails add constraint inbound_mails_outcome_check
  check (outcome in ('placed', 'unplaced', 'dismissed', 'automatic', 'bounce'));
alter table inbound_mails
  add column decided_by_id bigint references users (id),
  add column decided_at timestamptz,
  add check ((decided_by_id is null) = (decided_at is null)),
  add check (outcome <> 'dismissed' or (decided_by_id is not null and reason <> ''));
comment on column inbound_mails.decided_by_id is 'Member of staff who placed or dismissed it; null: placed by itself.';
create index inbound_mails_decided_by on inbound_mails (decided_by_id);
