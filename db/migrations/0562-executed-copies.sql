-- The executed copy: the signed file followed by its certificate page, made once with the signature and never again.
-- document_sha256 is the hash of the signed file; account_name is the name on the account that signed, or on the staff
-- account that recorded a signature on paper. Signatures from before have neither.
alter table signatures add column account_name text;
alter table signatures add column document_sha256 sha256_hex;
alter table signatures add column executed_file_id bigint references files (id);
alter table signatures add constraint signatures_executed
  check ((executed_file_id is null) = (document_sha256 is null));
create unique index signatures_executed_file on signatures (executed_file_id) where executed_file_id is not null;

create function guard_signature() returns trigger
language plpgsql as $$
declare
  zone text;
  sent_on date;
begin
  if tg_op = 'UPDATE' then
    if old.executed_file_id is not null and (new.executed_file_id, new.document_sha256)
        is distinct from (old.executed_file_id, old.document_sha256) then
      raise exception 'signature % is sealed: its executed copy stays', old.id using errcode = '23514';
    end if;
    return new;
  end if;
  if new.method = 'wet' then
    select d.timezone, (l.offer_sent_at at time zone d.timezone)::date into zone, sent_on
    from licenses l join divisions d on d.code = l.division where l.id = new.license_id;
    if new.signed_on < sent_on or new.signed_on > (new.created_at at time zone zone)::date then
      raise exception 'signature on paper dated %, outside the time since the offer', new.signed_on
        using errcode = '23514';
    end if;
  end if;
  return new;
end $$;
create trigger guard_signature before insert or update on signatures
  for each row execute function guard_signature();
-- What was signed by whom stays as it was written: only the seal is added, and once.
grant update (executed_file_id, document_sha256) on signatures to app_rw;
