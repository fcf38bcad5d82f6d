-- Royalty pools (domain.md 3.5, E11; F34 to F36): a part of the week's operating profit or gross, shared by points,
-- with a guaranteed minimum per point. The pool stands in each party's term; points are stored x 100, so half a point
-- is 50.

alter table royalty_terms drop constraint royalty_terms_basis_check;
alter table royalty_terms add constraint royalty_terms_basis_check check (basis in ('receipts',
  'after_house_commission', 'net_after_costs', 'per_performance_amount', 'per_unit', 'at_source', 'pool_points'));
alter table royalty_terms
  add column pool_of text check (pool_of in ('operating_profit', 'gross')),
  add column pool_min_per_point_minor minor_amount check (pool_min_per_point_minor >= 0),
  add column pool_points_x100 integer check (pool_points_x100 between 1 and 1000000),
  -- Points of everybody, those paid by others included.
  add column pool_total_points_x100 integer check (pool_total_points_x100 between 1 and 1000000),
  add constraint royalty_terms_pool check (case when basis = 'pool_points'
    then pool_of is not null and pool_min_per_point_minor is not null and pool_points_x100 is not null
      and pool_total_points_x100 is not null
    else pool_of is null and pool_min_per_point_minor is null and pool_points_x100 is null
      and pool_total_points_x100 is null end),
  add constraint royalty_terms_pool_points check (pool_points_x100 <= pool_total_points_x100),
  -- A pool is of the weeks that a production plays: royalties, and no other minimum beside its own.
  add constraint royalty_terms_pool_income check (basis <> 'pool_points'
    or (match_income_types = array['royalty'] and min_per_performance_minor is null));

-- The other percentage of a pool is the one after recoupment; it has no steps by amount.
create function check_pool_tiers() returns trigger language plpgsql as $$
begin
  if exists (select 1 from royalty_terms t join royalty_term_tiers y on y.royalty_term_id = t.id
    where t.id = case when tg_table_name = 'royalty_terms' then (to_jsonb(new) ->> 'id')::bigint
      else (to_jsonb(new) ->> 'royalty_term_id')::bigint end
      and t.basis = 'pool_points' and (not y.after_recoupment or y.from_minor <> 0)) then
    raise exception 'a royalty pool has one other rate, the one after recoupment' using errcode = 'check_violation',
      constraint = 'royalty_terms_pool_tiers';
  end if;
  return null;
end $$;
create constraint trigger check_pool_tiers after insert or update on royalty_term_tiers
  deferrable initially deferred for each row execute function check_pool_tiers();
create constraint trigger check_pool_tiers after update on royalty_terms
  deferrable initially deferred for each row execute function check_pool_tiers();

-- What it cost to run the week: the operating profit is the gross less it.
alter table box_office_reports add column running_costs_minor minor_amount check (running_costs_minor >= 0);

alter table box_office_questions drop constraint box_office_questions_kind_check;
alter table box_office_questions add constraint box_office_questions_kind_check check (kind in ('no_performances',
  'capacity_over_100', 'gross_over_potential', 'price_above_quoted', 'deduction_not_allowed', 'overlap', 'outside_run',
  'in_future', 'gross_over_limit', 'attendance_over_limit', 'no_running_costs'));

-- Whether royaltors of the license's show share in a pool of the operating profit: then a week is reported with its
-- running costs. Customers report, too, and read no agreements.
create function shares_profit(license bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from licenses l join show_royaltors a on a.show_id = l.show_id
      join royalty_terms t on t.show_royaltor_id = a.id
    where l.id = license and a.status = 'active' and a.deleted_at is null and t.pool_of = 'operating_profit'
      and (t.match_categories = '{}' or l.category = any(t.match_categories))
      and (t.match_divisions = '{}' or l.division = any(t.match_divisions)))
$$;
revoke execute on function shares_profit(bigint) from public;
grant execute on function shares_profit(bigint) to app_rw;
