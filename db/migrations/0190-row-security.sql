-- Row-level security, the second line behind the gates (reliability.md 2.2, decision 10). Customers read as app_portal:
-- their own rows of the tables that the portal shows, a few shared ones, nothing of the house. What they do, and what
-- needs the house to decide, is worked as app_counter: the rights of app_rw, and by restrictive policies no row of
-- another customer. Staff work as app_rw, whose one policy is `true`: the planner drops it, so no list of theirs pays.
-- This file makes the role and the words; access.sql says them of every table, after all migrations.
--
-- The owner is exempt (no FORCE): migrations, backups and the functions of the ledger's door run as it, no request.

-- A server of the operator's has the role from docs/operating/settings.md; else it is made here where the login may.
do $$
begin
  if not exists (select 1 from pg_roles where rolname = 'app_counter') then
    create role app_counter nosuperuser nobypassrls;
  end if;
  if not pg_has_role('app_counter', 'app_rw', 'usage') then
    grant app_rw to app_counter;
  end if;
exception when insufficient_privilege then
  raise exception 'The role app_counter is missing. As superuser: create role app_counter login; '
    'grant app_rw to app_counter; grant app_counter to %; then start again.', current_user;
end $$;
grant usage on schema public to app_counter;

-- Whose request this is. Set for one transaction; nullif, since it reads '' behind a transaction that had set it.
-- Nobody set: null, and no policy below admits a row.
create function request_customer() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.customer_id', true), '')::bigint
$$;
create function request_user() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.user_id', true), '')::bigint
$$;
revoke all on function request_customer(), request_user() from public;
grant execute on function request_customer(), request_user() to app_rw, app_portal;

-- What access.sql says of each table; a table that is not here is closed to customers, and a test fails.
create table table_access (
  table_name text primary key,
  class text not null check (class in ('tenant', 'shared', 'reference', 'house')),
  created_at timestamptz not null default now()
);
grant select on table_access to app_rw;

-- Back to nothing: access.sql begins with this, so that it says everything whenever it is applied.
create procedure close_all_tables() language plpgsql as $$
declare found record;
begin
  delete from table_access;
  revoke all on all tables in schema public from app_portal;
  revoke all on all routines in schema public from app_portal;
  grant execute on function request_customer(), request_user() to app_portal;
  for found in select polname, polrelid::regclass as tab from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'public'::regnamespace
  loop
    execute format('drop policy %I on %s', found.polname, found.tab);
  end loop;
end $$;

-- Rows of a customer. `owned`: which belong to the customer of the request, `%s` standing for the table; the counter
-- sees and writes no other. `shown`: what the portal reads of those, in the columns of `columns`; null: nothing.
create procedure tenant_table(tab text, owned text, shown text default 'true', columns text default null)
language plpgsql as $$
begin
  owned := replace(owned, '%s', quote_ident(tab));
  insert into table_access (table_name, class) values (tab, 'tenant');
  execute format('alter table %I enable row level security', tab);
  execute format('create policy house on %I to app_rw using (true) with check (true)', tab);
  execute format('create policy counter on %I as restrictive to app_counter using (%s) with check (%s)',
    tab, owned, owned);
  if shown is not null then
    execute format('create policy portal on %I for select to app_portal using ((%s) and (%s))', tab, owned, shown);
    execute format('grant select %s on %I to app_portal', coalesce('(' || columns || ')', ''), tab);
  end if;
end $$;

-- Rows that the house and several customers share: the counter sees them all, the portal what `shown` admits.
create procedure shared_table(tab text, shown text, columns text default null) language plpgsql as $$
begin
  insert into table_access (table_name, class) values (tab, 'shared');
  execute format('alter table %I enable row level security', tab);
  execute format('create policy house on %I to app_rw using (true) with check (true)', tab);
  execute format('create policy portal on %I for select to app_portal using (%s)', tab, shown);
  execute format('grant select %s on %I to app_portal', coalesce('(' || columns || ')', ''), tab);
end $$;

-- What everybody may know.
create procedure reference_tables(variadic tabs text[]) language plpgsql as $$
declare tab text;
begin
  foreach tab in array tabs loop
    insert into table_access (table_name, class) values (tab, 'reference');
    execute format('grant select on %I to app_portal', tab);
  end loop;
end $$;

-- The house's own: nothing is granted.
create procedure house_tables(variadic tabs text[]) language plpgsql as $$
begin
  insert into table_access (table_name, class) select unnest(tabs), 'house';
end $$;

-- The rights that stand on a show are the licences of others: no policy shows them. The check of availability gets
-- places, dates and terms of them, nobody's name; the one place where a request crosses customers (domain.md 1.5).
create function standing_licenses(p_show_id bigint, p_now timestamptz)
returns table (id bigint, number text, phase text, division text, category text, classification_id bigint,
  country text, region text, lat double precision, lng double precision, first_performance_on date,
  last_performance_on date)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.id, l.number, case when l.phase = 'draft' then 'sent' else l.phase end, l.division, l.category,
    l.customer_classification_id, coalesce(v.address ->> 'country_code', ''), v.address ->> 'administrative_area',
    v.lat, v.lng, v.opening_on, v.closing_on
  from licenses l join license_venues v on v.license_id = l.id
  where l.show_id = p_show_id and l.deleted_at is null and v.opening_on is not null
    and (l.phase in ('accepted', 'licensed', 'in_production')
      or (l.phase = 'sent' and l.offer_expires_at > p_now)
      or (l.phase = 'draft' and l.rights_held_until > p_now))
$$;
revoke all on function standing_licenses(bigint, timestamptz) from public;
grant execute on function standing_licenses(bigint, timestamptz) to app_rw;
