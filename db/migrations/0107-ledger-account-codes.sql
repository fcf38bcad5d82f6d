-- A used account, and one that the product finds by its key, keeps its code: every posting is made by code, so a
-- change of it would send the next posting elsewhere.
create or replace function tg_ledger_accounts_guard() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used boolean := exists (select 1 from journal_entries where ledger_account_id = old.id);
begin
  if tg_op = 'DELETE' then
    if used then perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code); end if;
    if old.system_key is not null then
      perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', old.division || ' ' || old.code || ': the product posts to it');
    end if;
    return old;
  end if;
  if used and ((new.division, new.class, new.currency, new.party_types, new.is_control, new.has_open_items)
      is distinct from (old.division, old.class, old.currency, old.party_types, old.is_control, old.has_open_items)
      or (new.deleted_at is not null and old.deleted_at is null)) then
    perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code);
  end if;
  -- postings, documents and exports name an account by its code
  if new.code <> old.code and (used or old.system_key is not null) then
    perform ledger_refuse('ACCT_ACCOUNT_IN_USE', old.division || ' ' || old.code || ' keeps its code');
  end if;
  if new.system_key is distinct from old.system_key then
    perform ledger_refuse('ACCT_SYSTEM_ACCOUNT',
      old.division || ' ' || old.code || ': the product finds it by its key');
  end if;
  if old.system_key is not null and (new.deleted_at is not null or not new.active) then
    perform ledger_refuse('ACCT_SYSTEM_ACCOUNT', old.division || ' ' || old.code || ': the product posts to it');
  end if;
  new.updated_at := now();
  return new;
end $$;
