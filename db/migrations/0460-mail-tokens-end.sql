-- One open link of a kind for a person: the link that was mailed last is the only one that works. A new password and
-- a closed account end every link that is still open, and an address that waits for its mailbox with them.

update mail_tokens t set used_at = now()
where t.used_at is null and t.user_id is not null and exists (
  select 1 from mail_tokens n
  where n.user_id = t.user_id and n.purpose = t.purpose and n.used_at is null and n.id > t.id);
create unique index mail_tokens_one_open on mail_tokens (user_id, purpose)
  where used_at is null and user_id is not null;

-- The first administrator has one link as well; its row names nobody yet.
update mail_tokens t set used_at = now()
where t.used_at is null and t.purpose = 'first_admin' and exists (
  select 1 from mail_tokens n where n.purpose = 'first_admin' and n.used_at is null and n.id > t.id);

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
