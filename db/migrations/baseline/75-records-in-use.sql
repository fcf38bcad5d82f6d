-- Refuses to move a customer, vendor, venue or royaltor to the trash while other records name it: lists, statements
-- and searches would lose whom a document belongs to.

create function record_uses(p_table text, p_id bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(u.words order by u.place), '{}') from (
    select 1 as place, 'licenses' as words where p_table = 'customers'
      and exists (select 1 from licenses where customer_id = p_id)
    union all select 2, 'applications' where p_table = 'customers'
      and exists (select 1 from license_applications where customer_id = p_id)
    union all select 3, 'invoices' where p_table = 'customers'
      and exists (select 1 from invoices where customer_id = p_id)
    union all select 4, 'payments' where p_table = 'customers'
      and exists (select 1 from payments where customer_id = p_id)
    union all select 5, 'sales orders' where p_table = 'customers'
      and exists (select 1 from sales_orders where customer_id = p_id)
    union all select 6, 'perusals' where p_table = 'customers'
      and exists (select 1 from perusals where customer_id = p_id)
    union all select 7, 'licenses' where p_table = 'venues'
      and exists (select 1 from license_venues where venue_id = p_id)
    union all select 8, 'applications' where p_table = 'venues'
      and exists (select 1 from license_application_venues where venue_id = p_id)
    union all select 9, 'agreements' where p_table = 'royaltors'
      and exists (select 1 from show_royaltors where royaltor_id = p_id and deleted_at is null)
    union all select 10, 'statements' where p_table = 'royaltors'
      and exists (select 1 from royalty_statements where royaltor_id = p_id)
    union all select 11, 'postings in the ledger' where p_table in ('customers', 'vendors', 'royaltors')
      and exists (select 1 from journal_entries
        where party_type = rtrim(p_table, 's') and party_id = p_id)
  ) u
$$;

create function refuse_trash_in_use() returns trigger language plpgsql as $$
declare uses text[] := record_uses(tg_table_name, new.id);
begin
  if cardinality(uses) > 0 then
    raise exception '% % is named by %', tg_table_name, new.id, array_to_string(uses, ', ') using errcode = '23503';
  end if;
  return null;
end $$;

-- One that was folded into another has given its records away.
create trigger customers_in_use after update of deleted_at on customers for each row
  when (new.deleted_at is not null and old.deleted_at is null and new.merged_into_id is null)
  execute function refuse_trash_in_use();

create trigger venues_in_use after update of deleted_at on venues for each row
  when (new.deleted_at is not null and old.deleted_at is null and new.merged_into_id is null)
  execute function refuse_trash_in_use();

create trigger vendors_in_use after update of deleted_at on vendors for each row
  when (new.deleted_at is not null and old.deleted_at is null)
  execute function refuse_trash_in_use();

create trigger royaltors_in_use after update of deleted_at on royaltors for each row
  when (new.deleted_at is not null and old.deleted_at is null)
  execute function refuse_trash_in_use();
