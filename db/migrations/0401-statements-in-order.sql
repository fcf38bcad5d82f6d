-- Statements of one subject, division and currency are issued in the order of their periods: the opening of each is
-- what the one before it closed with.
create function check_statement_order() returns trigger
language plpgsql as $$
begin
  if exists (select 1 from royalty_statements o where o.id <> new.id
      and o.show_royaltor_id is not distinct from new.show_royaltor_id
      and o.cross_collateral_group_id is not distinct from new.cross_collateral_group_id
      and o.division = new.division and o.currency = new.currency
      and (o.period_to < new.period_to and o.status in ('draft', 'calculated', 'approved')
        or o.period_to > new.period_to and o.issued_at is not null)) then
    raise exception 'statement % is issued in the order of its period: an earlier one waits, or a later one is issued',
      new.id using errcode = '23514', constraint = 'royalty_statements_in_order';
  end if;
  return new;
end $$;
create trigger check_statement_order before update of issued_at on royalty_statements
  for each row when (old.issued_at is null and new.issued_at is not null) execute function check_statement_order();

-- The lines of a statement that is not issued are written again when its figures follow an earlier one.
create function guard_statement_line() returns trigger
language plpgsql as $$
begin
  if exists (select 1 from royalty_statements where id = old.royalty_statement_id
      and status not in ('draft', 'calculated')) then
    raise exception 'the lines of statement % stay', old.royalty_statement_id using errcode = '23514';
  end if;
  return old;
end $$;
create trigger guard_statement_line before delete on royalty_statement_lines
  for each row execute function guard_statement_line();
grant delete on royalty_statement_lines to app_rw;
