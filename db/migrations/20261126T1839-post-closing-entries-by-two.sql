-- A closing entry of a fiscal year that was prepared as a draft is posted by another person, and stays a closing entry;
-- of a division and a day one draft waits.

create function tg_transactions_year_end() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.status = 'draft' and new.kind <> old.kind then
    perform ledger_refuse('ACCT_IMMUTABLE', 'a closing entry stays one: ' || old.id);
  end if;
  if old.status = 'draft' and new.status = 'posted' and (new.posted_by is null
      or new.posted_by is not distinct from new.created_by) then
    perform ledger_refuse('ACCT_FOUR_EYES', 'a second person posts closing entry ' || old.id);
  end if;
  return new;
end $$;
revoke all on function tg_transactions_year_end() from public;
create trigger transactions_year_end before update on transactions for each row
  when (old.kind = 'year_end_close') execute function tg_transactions_year_end();
create unique index transactions_year_end_draft on transactions (division, transaction_at)
  where kind = 'year_end_close' and status = 'draft' and deleted_at is null;
