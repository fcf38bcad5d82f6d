-- The arrival of a transfer is taken back when the match that recorded it is undone: the transfer is in transit again.

create or replace function tg_bank_transfers_guard() returns trigger language plpgsql as $$
begin
  if (new.number, new.division, new.from_bank_account_id, new.to_bank_account_id, new.amount_minor, new.fee_minor,
      new.sent_on) is distinct from (old.number, old.division, old.from_bank_account_id, old.to_bank_account_id,
      old.amount_minor, old.fee_minor, old.sent_on)
    or old.status = 'reversed' or (old.status = 'received' and new.status <> 'in_transit'
      and (new.received_minor, new.received_on) is distinct from (old.received_minor, old.received_on))
    or (old.status = 'received' and new.status = 'in_transit' and exists (
      select 1 from transactions where id = old.received_transaction_id and status = 'posted')) then
    perform ledger_refuse('ACCT_IMMUTABLE', 'bank transfer ' || old.id);
  end if;
  return new;
end $$;
