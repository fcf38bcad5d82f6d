-- Audit trail with its hash chain, and the erasure of personal data from it.

create table audit_events (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  actor_id bigint,
  on_behalf_of_customer_id bigint,
  session_id bigint,
  ip inet,
  request_id text,
  action filled_text not null,
  entity filled_text not null,
  entity_id bigint,
  before jsonb,
  after jsonb
);
comment on table audit_events is
  'Audit trail, append-only. There are no foreign keys, so an event outlives the records it names. audit_hashes '
  'links the rows.';
comment on column audit_events.actor_id is 'Null for events of the system. No foreign key.';
create index audit_events_entity on audit_events (entity, entity_id, id desc);
create index audit_events_actor on audit_events (actor_id, id desc) where actor_id is not null;
create index audit_events_time on audit_events using brin (created_at);
grant select, insert on audit_events to app_rw;

create table audit_hashes (
  audit_event_id bigint primary key references audit_events (id),
  segment date not null,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null default now(),
  seq bigint not null,
  salt bytea check (octet_length(salt) = 16),
  content_hash bytea check (octet_length(content_hash) = 32) not null
);
comment on table audit_hashes is
  'Hash chain over audit_events. One job appends links in the order in which it finds events. The content of an '
  'event has a salted hash of its own, so that it can be erased without breaking the chain.';
comment on column audit_hashes.seq is 'Position in the chain. An event that is committed late gets a later position.';
comment on column audit_hashes.salt is
  'Salt of content_hash; null once the content was erased, so that names cannot be guessed from the hash.';
comment on column audit_hashes.content_hash is 'Hash of before and after, with the salt.';
create index audit_hashes_segment on audit_hashes (segment, audit_event_id);
create unique index audit_hashes_seq on audit_hashes (seq);
grant select, insert on audit_hashes to app_rw;

-- What a link is made of besides the content. JSON arrays keep absent values apart, and their text never varies.
create function audit_head_text(e audit_events) returns text language sql stable as $$
  select jsonb_build_array(e.id, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor_id,
    e.on_behalf_of_customer_id, e.session_id, host(e.ip), e.request_id, e.action, e.entity, e.entity_id)::text
$$;

create function audit_content_text(e audit_events) returns text language sql immutable as $$
  select jsonb_build_array(e.before, e.after)::text
$$;

-- Links up to p_limit events; answers how many. `p_all` looks at every event instead of the recent ones: nightly.
create function audit_chain_extend(p_limit integer, p_all boolean) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last_seq bigint; last_hash bytea; made integer := 0; e audit_events; new_salt bytea; content bytea; link bytea;
  from_id bigint := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', 0));
  select seq, hash into last_seq, last_hash from audit_hashes order by seq desc limit 1;
  if not p_all then
    select greatest(0, coalesce(max(audit_event_id), 0) - 10000) into from_id from audit_hashes;
  end if;
  for e in select a.* from audit_events a
    where a.id > from_id and not exists (select 1 from audit_hashes h where h.audit_event_id = a.id)
    order by a.id limit p_limit
  loop
    new_salt := gen_random_bytes(16);
    content := sha256(new_salt || convert_to(audit_content_text(e), 'UTF8'));
    last_hash := coalesce(last_hash, decode(repeat('00', 32), 'hex'));
    last_seq := coalesce(last_seq, 0) + 1;
    link := sha256(last_hash || convert_to(audit_head_text(e), 'UTF8') || content);
    insert into audit_hashes (audit_event_id, seq, segment, salt, content_hash, prev_hash, hash)
    values (e.id, last_seq, (e.created_at at time zone 'UTC')::date, new_salt, content, last_hash, link);
    last_hash := link;
    made := made + 1;
  end loop;
  return made;
end $$;

create table erasures (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  reason text not null check (length(reason) between 1 and 500),
  requested_by_id bigint not null references users (id),
  requested_at timestamptz not null,
  done_by_id bigint references users (id),
  done_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  check (done_by_id is distinct from requested_by_id),
  check ((done_at is null) = (done_by_id is null))
);
comment on table erasures is
  'Erasures of personal data: requested by one person, carried out by another. The row is the evidence that '
  'content was removed lawfully.';
create unique index erasures_open on erasures (user_id) where done_at is null and cancelled_at is null;
create index erasures_requested_by on erasures (requested_by_id);
create index erasures_done_by on erasures (done_by_id) where done_by_id is not null;
create index erasures_user on erasures (user_id);
grant select, insert, update on erasures to app_rw;

create table erased_events (
  audit_event_id bigint primary key references audit_events (id),
  erasure_id bigint not null references erasures (id),
  created_at timestamptz not null default now()
);
comment on table erased_events is 'Audit events whose content an erasure removed.';
create index erased_events_erasure on erased_events (erasure_id);
grant select on erased_events to app_rw;

-- Breaks of the chain: a link that does not follow its predecessor, a hash or a digest that does not fit its event,
-- content that is gone without an erasure, events that nobody linked in ten minutes.
create view audit_chain_breaks as
  select c.seq, c.audit_event_id, case
      when c.seq <> c.prev_seq + 1 or c.prev_hash <> c.expected_prev then 'the link before it is missing or differs'
      when c.hash is distinct from sha256(c.prev_hash || convert_to(audit_head_text(e), 'UTF8') || c.content_hash)
        then 'the event was changed'
      when c.salt is null then 'its content is gone without an erasure'
      else 'its content was changed' end as problem
  from (select h.*, lag(seq, 1, 0::bigint) over w as prev_seq,
      lag(hash, 1, decode(repeat('00', 32), 'hex')) over w as expected_prev
    from audit_hashes h window w as (order by seq)) c
  join audit_events e on e.id = c.audit_event_id
  left join erased_events x on x.audit_event_id = c.audit_event_id
  where c.seq <> c.prev_seq + 1 or c.prev_hash <> c.expected_prev
    or c.hash is distinct from sha256(c.prev_hash || convert_to(audit_head_text(e), 'UTF8') || c.content_hash)
    or (x.audit_event_id is null and (c.salt is null
      or c.content_hash is distinct from sha256(c.salt || convert_to(audit_content_text(e), 'UTF8'))))
  union all
  select null, a.id, 'nobody linked it' from audit_events a
  where a.created_at < now() - interval '10 minutes'
    and not exists (select 1 from audit_hashes h where h.audit_event_id = a.id);
grant select on audit_chain_breaks to app_rw;

-- The append-only rule of these two tables lets one thing through: the erasure below, which runs as their owner.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('app.erasing', true) = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
    return new;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = '42501';
end $$;

create trigger append_only before update or delete on audit_events
  for each row execute function refuse_change_but_erasure();

create trigger append_only before update or delete on audit_hashes
  for each row execute function refuse_change_but_erasure();

-- "erased" in place of a person's particulars: their address wherever it stands, their names in their own records.
create function erased_content(p_content jsonb, p_own boolean, p_email text) returns jsonb
language sql immutable as $$
  with plain as (
    select replace(p_content::text, p_email, 'erased')::jsonb as content
  )
  select case when not p_own or jsonb_typeof(content) <> 'object' then content
    else content || coalesce((select jsonb_object_agg(key, 'erased') from jsonb_each(content)
      where key in ('first_name', 'last_name', 'name', 'email', 'phone', 'telephone', 'address', 'avatar_file_name',
        'signer_name') and value <> 'null'::jsonb), '{}'::jsonb) end from plain
$$;

-- Carries out an erasure that was asked for by somebody else. Contracts and books keep what the law demands of them.
create function erase_person(p_erasure_id bigint, p_by bigint, p_at timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare person users; touched bigint[];
begin
  perform 1 from erasures where id = p_erasure_id and done_at is null and cancelled_at is null
    and requested_by_id <> p_by for update;
  if not found then raise exception 'nobody else asked for this erasure' using errcode = '42501'; end if;
  select u.* into person from users u join erasures x on x.user_id = u.id where x.id = p_erasure_id for update of u;
  perform audit_chain_extend(1000000, true);
  perform set_config('app.erasing', 'on', true);
  with changed as (
    update audit_events a set
      before = erased_content(a.before, a.entity = 'user' and a.entity_id = person.id, person.email),
      after = erased_content(a.after, a.entity = 'user' and a.entity_id = person.id, person.email)
    where (a.entity = 'user' and a.entity_id = person.id and (a.before is not null or a.after is not null))
      or position(person.email in a.before::text) > 0 or position(person.email in a.after::text) > 0
    returning a.id)
  select coalesce(array_agg(id), '{}') into touched from changed;
  update audit_hashes set salt = null where audit_event_id = any (touched);
  perform set_config('app.erasing', '', true);
  insert into erased_events (audit_event_id, erasure_id) select unnest(touched), p_erasure_id
  on conflict do nothing;
  delete from sessions where user_id = person.id;
  delete from notifications where user_id = person.id;
  delete from notification_settings where user_id = person.id;
  delete from customer_users where user_id = person.id;
  delete from staff_group_users where user_id = person.id;
  update mail_tokens set email = 'erased', used_at = coalesce(used_at, p_at) where user_id = person.id;
  update mail_outbox set recipients = array['erased@invalid'], subject = 'Erased', body_text = 'Erased.',
    body_html = null where person.email = any (recipients) and cardinality(recipients) = 1;
  update mail_outbox set recipients = array_replace(recipients, person.email, 'erased@invalid')
    where person.email = any (recipients);
  update users set email = 'erased-' || id || '@invalid', first_name = 'Erased', last_name = 'person',
    password_hash = null, avatar_file_name = null, disabled_at = coalesce(disabled_at, p_at),
    session_epoch = session_epoch + 1, version = version + 1 where id = person.id;
  update erasures set done_at = p_at, done_by_id = p_by where id = p_erasure_id;
  return cardinality(touched);
end $$;

call make_append_only('erased_events');

create trigger append_only_truncate before truncate on audit_events
  for each statement execute function refuse_change();
create trigger append_only_truncate before truncate on audit_hashes
  for each statement execute function refuse_change();

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function audit_chain_extend(integer, boolean), audit_content_text(audit_events),
  audit_head_text(audit_events), erase_person(bigint, bigint, timestamp with time zone),
  erased_content(jsonb, boolean, text) from public;
grant execute on function audit_chain_extend(integer, boolean), audit_content_text(audit_events),
  audit_head_text(audit_events), erase_person(bigint, bigint, timestamp with time zone) to app_rw;
