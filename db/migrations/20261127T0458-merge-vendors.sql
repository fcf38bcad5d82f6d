-- Vendors entered twice are merged. The ledger keeps the party that it was posted under: its lines are in the hash
-- chain. Every reader of a vendor takes the merged ones along.

alter table vendors add column merged_into_id bigint references vendors (id),
  add constraint vendors_merged check (merged_into_id <> id and (merged_into_id is null or deleted_at is not null));
comment on column vendors.merged_into_id is
  'Vendor that this duplicate was merged into: its documents and balances count there. The row stays as a reference.';
create index vendors_merged_into on vendors (merged_into_id) where merged_into_id is not null;

drop trigger vendors_in_use on vendors;
create trigger vendors_in_use after update of deleted_at on vendors for each row
  when (new.deleted_at is not null and old.deleted_at is null and new.merged_into_id is null)
  execute function refuse_trash_in_use();

-- A merged vendor stays merged, and the other one is no duplicate itself.
create function tg_vendor_merged() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if exists (select 1 from vendors o join vendors i on i.id = o.merged_into_id where o.id = new.id
      and (i.merged_into_id is not null or i.deleted_at is not null)) then
    raise exception 'vendor %: merged into one that is merged or deleted', new.id using errcode = '23514',
      constraint = 'vendors_merged_into_living';
  end if;
  return null;
end $$;
create constraint trigger vendors_merged_into_living after update of merged_into_id on vendors
  deferrable initially deferred for each row when (new.merged_into_id is not null) execute function tg_vendor_merged();
