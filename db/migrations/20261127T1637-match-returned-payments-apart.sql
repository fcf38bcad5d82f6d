-- A payment that the bank returned moved twice there: with the debit, and back. Each posting of it may be matched while
-- the other one still waits. Postings that a person reversed go on waiting for each other: no money moved.

create function bank_returned(p_transaction_id bigint) returns boolean
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  select exists (
    select 1 from transactions t join transactions o on o.id = coalesce(t.reverses_id, t.id)
      join payments p on p.transaction_id = o.id
        or (o.source_type = 'payment' and o.source_event = 'exchanged' and p.id = o.source_id)
    where t.id = p_transaction_id and p.direction = 'out' and p.status = 'returned')
$$;
revoke all on function bank_returned(bigint) from public;
grant execute on function bank_returned(bigint) to app_rw;

create or replace function tg_bank_match_entries_reversal() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  entry record;
begin
  select e.ledger_account_id, t.id, t.status, coalesce(t.reverses_id, r.id) as other into entry
    from journal_entries e join transactions t on t.id = e.transaction_id
      left join transactions r on r.reverses_id = t.id where e.id = new.ledger_line_id;
  if entry.other is not null and not exists (
      select 1 from journal_entries o join bank_match_entries m on m.ledger_line_id = o.id and m.active
      where o.transaction_id = entry.other and o.ledger_account_id = entry.ledger_account_id)
    and not bank_returned(entry.id) then
    raise exception 'ledger line % is reversed', new.ledger_line_id using errcode = '23514';
  end if;
  return null;
end $$;
