-- The three roles of the house (reliability.md D5): app_migrate owns everything and runs migrations, app_rw serves
-- staff and jobs, app_portal serves customers. The embedded server creates them as logins beforehand; on a server of
-- the operator's they are created here where the login may do so. None of them is superuser or passes row security.
do $$
declare wanted text;
begin
  foreach wanted in array array['app_migrate', 'app_rw', 'app_portal'] loop
    if not exists (select 1 from pg_roles where rolname = wanted) then
      execute format('create role %I nosuperuser nobypassrls', wanted);
    end if;
  end loop;
end $$;

create extension if not exists pg_trgm;
create extension if not exists pgcrypto;

revoke create on schema public from public;
grant usage on schema public to app_rw, app_portal;
grant select on schema_migrations to app_rw, app_portal;
