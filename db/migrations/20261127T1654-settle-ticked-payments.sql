-- A tick clears an entry without a line of the bank. Finishing its reconciliation settles the payment of the entry on
-- the day of the statement, so that a check found on paper is cleared as any other one; undoing takes it back.

create function settle_ticked_payments(p_reconciliation_id bigint, p_settle boolean) returns void
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  chosen bigint[];
begin
  select array_agg(p.id order by p.id) into chosen from bank_reconciliation_ticks k
    join journal_entries e on e.id = k.ledger_line_id join transactions t on t.id = e.transaction_id
    join payments p on p.direction = 'out' and (p.transaction_id = t.id
      or (t.source_type = 'payment' and t.source_event = 'exchanged' and p.id = t.source_id))
    where k.bank_reconciliation_id = p_reconciliation_id;
  perform 1 from payments where id = any (chosen) order by id for update;
  if p_settle then
    update payments p set status = 'cleared', outcome = 'settled', settled_by = 'reconciliation',
      outcome_on = (select to_on from bank_reconciliations where id = p_reconciliation_id), version = p.version + 1
    where p.id = any (chosen) and p.status = 'posted';
  else
    update payments p set status = 'posted', outcome = null, outcome_on = null, settled_by = null,
      version = p.version + 1
    where p.id = any (chosen) and p.status = 'cleared' and p.settled_by = 'reconciliation';
  end if;
end $$;
revoke all on function settle_ticked_payments(bigint, boolean) from public;

create function tg_bank_reconciliations_settle() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  perform settle_ticked_payments(new.id, new.status = 'finished');
  return null;
end $$;
revoke all on function tg_bank_reconciliations_settle() from public;
create trigger bank_reconciliations_settle after update of status on bank_reconciliations
  for each row when (new.status <> old.status and new.status in ('finished', 'undone'))
  execute function tg_bank_reconciliations_settle();

select settle_ticked_payments(id, true) from bank_reconciliations where status = 'finished' order by id;
