-- What people hear of, and how: in the app, in the daily mail, or both (SPEC 7, gaps G29; spec/api-added.json X190,
-- X191). A notification is written in the transaction of the event it tells of, and is told to every replica at commit.

alter table notifications
  -- Chosen when it was written: a person who wants the daily mail alone does not see it in the bell.
  add column in_app boolean not null default true,
  -- Waits for the daily mail; what was read meanwhile is left out of it.
  add column by_mail boolean not null default false,
  add column mailed_at timestamptz,
  -- A step of a clock ("due in 7 days") is told once to a person, however often the clock looks.
  add column key text,
  add check (in_app or by_mail);
create unique index notifications_once on notifications (user_id, key) where key is not null;
drop index notifications_unread;
create index notifications_unread on notifications (user_id, customer_id) where read_at is null and in_app;
create index notifications_to_mail on notifications (user_id, id) where by_mail and mailed_at is null;
create index notifications_age on notifications (created_at);

-- Without a row the default of the kind holds (modules/notifications/notification-kinds.ts).
alter table notification_settings alter column in_app drop default, alter column by_mail drop default;

grant delete on notifications to app_rw;

-- The one door to a notification. It runs with the owner's rights, since what a customer does is told to staff whose
-- rows the portal's role cannot read (reliability.md 2.2). Told are the people named, everybody of staff with the
-- permission, and the people of the customer with one of the roles; never the one who did it.
create function notify_people(
  p_people bigint[], p_permission text, p_customer_id bigint, p_roles text[], p_except bigint, p_kind text,
  p_title text, p_body text, p_href text, p_by_mail boolean, p_key text, p_at timestamptz
) returns integer language sql security definer set search_path = public, pg_temp as $$
  with told as (
    select u.id from users u where u.id = any (p_people) and u.disabled_at is null
    union
    select u.id from users u where p_permission is not null and u.disabled_at is null
      and (u.role in ('staff_admin', 'system_admin') or (u.role = 'staff_user' and exists (
        select 1 from staff_group_users m join staff_groups g on g.id = m.staff_group_id
        where m.user_id = u.id and g.permission_values && array[p_permission, 'super'])))
    union
    select u.id from customer_users m join users u on u.id = m.user_id
    where p_roles is not null and m.customer_id = p_customer_id and m.role = any (p_roles) and u.disabled_at is null
  ), written as (
    insert into notifications (user_id, customer_id, kind, title, body, href, in_app, by_mail, key, created_at)
    select t.id, p_customer_id, p_kind, left(p_title, 300), left(p_body, 2000), p_href,
      coalesce(s.in_app, true), coalesce(s.by_mail, p_by_mail), p_key, p_at
    from told t left join notification_settings s on s.user_id = t.id and s.kind = p_kind
    where t.id is distinct from p_except and (coalesce(s.in_app, true) or coalesce(s.by_mail, p_by_mail))
    order by t.id
    on conflict (user_id, key) where key is not null do nothing
    returning 1
  )
  select count(*)::integer from written
$$;
revoke all on function notify_people(bigint[], text, bigint, text[], bigint, text, text, text, text, boolean, text,
  timestamptz) from public;
grant execute on function notify_people(bigint[], text, bigint, text[], bigint, text, text, text, text, boolean, text,
  timestamptz) to app_rw, app_portal;

-- At commit every server process that listens hears whose list has changed; it reads the rows itself. The payload names
-- ids only, and none where they would not fit: then the reader asks anew. Losing a message does no harm: browsers ask
-- again whenever their stream is taken up.
create function tell_notified() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('user', user_id,
    'ids', case when count(*) <= 50 then json_agg(id order by id) else '[]'::json end)::text)
  from changed where in_app group by user_id;
  return null;
end $$;
create trigger tell_notified_insert after insert on notifications
  referencing new table as changed for each statement execute function tell_notified();

-- Read on one device, read on all.
create function tell_read() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('user', user_id, 'ids', '[]'::json)::text)
  from (select distinct n.user_id from changed n join former o on o.id = n.id
    where (n.read_at is null) is distinct from (o.read_at is null)) moved;
  return null;
end $$;
create trigger tell_notified_update after update on notifications
  referencing new table as changed old table as former for each statement execute function tell_read();
