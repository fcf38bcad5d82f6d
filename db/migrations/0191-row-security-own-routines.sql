-- A fresh database could not be opened: taking rights off "all routines in schema public" includes those of the
-- extensions, and one of them (pg_stat_statements_reset) belongs to the superuser, so that the owner of the schema is
-- refused. The portal's rights are on routines of our own; the others never gave it any.
create or replace procedure close_all_tables() language plpgsql as $$
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
