-- Row-level security, the second check behind the endpoints (decision 10). Customers read as app_portal: their own
-- rows of the tables shown in the portal, a few shared ones, nothing internal. What they do runs as app_counter: the
-- rights of app_rw, and by restrictive policies no row of another customer. Staff and jobs run as app_rw, whose only
-- policy is `true`; the planner drops it, so staff lists pay nothing for it.
--
-- This file defines the roles' procedures; access.sql calls them for every table, after all migrations. The owner is
-- exempt (no FORCE): migrations, backups and the ledger functions run as it, and no request does.

-- Customer of the request, set for one transaction. nullif, because the setting reads as '' after a transaction that
-- had set it. Without one, no policy matches a row.
create function request_customer() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.customer_id', true), '')::bigint
$$;

create function request_user() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.user_id', true), '')::bigint
$$;

create table table_access (
  table_name text primary key,
  class text not null check (class in ('tenant', 'shared', 'reference', 'house')),
  created_at timestamptz not null default now()
);
comment on table table_access is
  'Access class of each table as declared in access.sql. A table without a row is closed to customers, and a '
  'test fails.';
grant select on table_access to app_rw;

-- Removes all rights of customers; access.sql starts with this. Revokes only on routines of our own: those of
-- extensions may belong to the superuser, and app_portal never gets rights on them.
create procedure close_all_tables() language plpgsql as $$
declare found record;
begin
  delete from table_access;
  revoke all on all tables in schema public from app_portal;
  for found in select oid::regprocedure as routine from pg_proc where pronamespace = 'public'::regnamespace
      and has_function_privilege('app_portal', oid, 'execute') and pg_has_role(proowner, 'usage')
  loop
    execute format('revoke all on routine %s from app_portal', found.routine);
  end loop;
  grant execute on function request_customer(), request_user() to app_portal;
  for found in select polname, polrelid::regclass as tab from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'public'::regnamespace
  loop
    execute format('drop policy %I on %s', found.polname, found.tab);
  end loop;
end $$;

-- Rows of a customer. `owned`: which rows belong to the customer of the request, with %s for the table; app_counter
-- sees and writes no others. `shown`: which of those app_portal reads, in the columns of `columns`; null: none.
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

-- Rows shared by the company and several customers: app_counter sees all, app_portal those that match `shown`.
create procedure shared_table(tab text, shown text, columns text default null) language plpgsql as $$
begin
  insert into table_access (table_name, class) values (tab, 'shared');
  execute format('alter table %I enable row level security', tab);
  execute format('create policy house on %I to app_rw using (true) with check (true)', tab);
  execute format('create policy portal on %I for select to app_portal using (%s)', tab, shown);
  execute format('grant select %s on %I to app_portal', coalesce('(' || columns || ')', ''), tab);
end $$;

-- Tables that everyone may read.
create procedure reference_tables(variadic tabs text[]) language plpgsql as $$
declare tab text;
begin
  foreach tab in array tabs loop
    insert into table_access (table_name, class) values (tab, 'reference');
    execute format('grant select on %I to app_portal', tab);
  end loop;
end $$;

-- Internal tables: customers get no rights.
create procedure house_tables(variadic tabs text[]) language plpgsql as $$
begin
  insert into table_access (table_name, class) select unnest(tabs), 'house';
end $$;

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function request_customer(), request_user() from public;
grant execute on function request_customer(), request_user() to app_rw, app_portal;
