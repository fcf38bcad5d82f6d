-- A customer is told of its own licenses only whether royaltors share in the profit (decision 10): the function runs
-- with its owner's rights, so it compares the customer of the request itself.
create or replace function shares_profit(license bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from licenses l join show_royaltors a on a.show_id = l.show_id
      join royalty_terms t on t.show_royaltor_id = a.id
    where l.id = license and a.status = 'active' and a.deleted_at is null and t.pool_of = 'operating_profit'
      and l.customer_id = coalesce(request_customer(), l.customer_id)
      and (t.match_categories = '{}' or l.category = any(t.match_categories))
      and (t.match_divisions = '{}' or l.division = any(t.match_divisions)))
$$;
