-- Notifications in the app and in the daily email. Written in the transaction of the event and announced to every
-- server at commit.

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
  in_app boolean not null default true,
  by_mail boolean not null default false,
  mailed_at timestamptz,
  key text,
  created_at timestamptz not null default now(),
  check (in_app or by_mail)
);
comment on table notifications is 'Notifications of a person, written in the transaction of the event.';
comment on column notifications.in_app is 'Decided when written: false if the person wants the daily email only.';
comment on column notifications.by_mail is 'Waits for the daily email. Notifications read before it are left out.';
comment on column notifications.key is
  'Identifies a scheduled reminder, so that a person gets it once however often the scheduler runs.';
create index notifications_user on notifications (user_id, created_at desc, id desc);
create index notifications_customer on notifications (customer_id, user_id, created_at desc, id desc);
create unique index notifications_once on notifications (user_id, key) where key is not null;
create index notifications_unread on notifications (user_id, customer_id) where read_at is null and in_app;
create index notifications_to_mail on notifications (user_id, id) where by_mail and mailed_at is null;
create index notifications_age on notifications (created_at);
grant select, insert, update, delete on notifications to app_rw;

create table notification_settings (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind <> ''),
  in_app boolean not null,
  by_mail boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, kind)
);
comment on table notification_settings is
  'How a person wants to hear about a kind of event. Without a row: in the app and by email.';
grant select, insert, update on notification_settings to app_rw;

-- The only way to create a notification. Runs with the owner's rights, because what a customer does is announced to
-- staff whose rows the role of the portal cannot read. Recipients are the people named, all staff with the
-- permission, and the customer's people with one of the roles; never the person who acted.
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

-- Announces at commit whose list changed; servers read the rows themselves. The payload names ids only, and none if
-- they would not fit: then clients reload. Losing a message does no harm: browsers reload when their stream
-- reconnects.
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

call maintain_updated_at('notification_settings');

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function
  notify_people(bigint[], text, bigint, text[], bigint, text, text, text, text, boolean, text,
    timestamp with time zone) from public;
grant execute on function
  notify_people(bigint[], text, bigint, text[], bigint, text, text, text, text, boolean, text,
    timestamp with time zone) to app_rw;
