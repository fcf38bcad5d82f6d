-- What reports need beside the balances: the few rows that are not posted or close a year, found without reading the
-- rest; the verifier's flag (accounting.md 1.1); ids for postings between divisions; periods in the order of their
-- numbers.

create index transactions_unposted on transactions (division, transaction_at) where status in ('draft', 'void');
create index transactions_year_end on transactions (division, transaction_at) where kind = 'year_end_close';

-- One id for the two postings of an event between divisions (transactions.intercompany_group_id).
create sequence intercompany_groups;
grant usage on sequence intercompany_groups to app_rw;

-- Raises the flag on the transactions that a check has found and lowers it on the others that are posted.
create function ledger_flag_discrepancies(p_ids bigint[]) returns bigint
language plpgsql security definer set search_path = public, ledger_door, pg_temp as $$
declare
  changed bigint;
begin
  update transactions set has_posting_discrepencies = (id = any (p_ids))
    where status in ('posted', 'reversed') and has_posting_discrepencies <> (id = any (p_ids))
      and (has_posting_discrepencies or id = any (p_ids));
  get diagnostics changed = row_count;
  return changed;
end $$;
create index transactions_flagged on transactions (division) where has_posting_discrepencies;
revoke all on function ledger_flag_discrepancies(bigint[]) from public;
grant execute on function ledger_flag_discrepancies(bigint[]) to app_rw;

-- A later period has a higher number, so that "up to a period" means the same by date and by number.
create function tg_periods_order() returns trigger language plpgsql as $$
begin
  if exists (select 1 from periods where division = new.division and (period < new.period) <> (starts < new.starts)
      and id <> new.id) then
    perform ledger_refuse('ACCT_NO_PERIOD', new.division || ' ' || new.period || ' is out of order');
  end if;
  return null;
end $$;
create constraint trigger periods_order after insert on periods for each row execute function tg_periods_order();
