-- A bank debits its own currency for a bill in another one: the payment keeps both amounts, as receipts do. The line of
-- the bank is then matched with the posting of the exchange, which settles the payment as its own posting would.

alter table payments drop constraint payments_bank_amount,
  add constraint payments_bank_amount check ((bank_currency is null) = (bank_amount_minor is null)
    and (bank_currency is null
      or (bank_currency <> currency and bank_amount_minor > 0 and kind in ('receipt', 'vendor'))));
comment on column payments.bank_amount_minor is 'What the bank credited or debited, in bank_currency.';

create or replace function tg_settle_payment() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  settled date;
  posting transactions;
begin
  select t.* into posting from transactions t join journal_entries e on e.transaction_id = t.id
    where e.id = new.ledger_line_id;
  if new.active then
    select max(t.booked_on) into settled from bank_match_lines m join bank_transactions t
      on t.id = m.bank_transaction_id where m.bank_match_id = new.bank_match_id;
    update payments p set status = 'cleared', outcome = 'settled', outcome_on = coalesce(settled, p.paid_on),
      version = p.version + 1
    where (p.transaction_id = posting.id or (posting.source_type = 'payment' and posting.source_event = 'exchanged'
        and p.id = posting.source_id))
      and p.direction = 'out' and p.status in ('posted', 'cleared');
  else
    update payments p set status = 'posted', outcome = null, outcome_on = null, version = p.version + 1
    where (p.transaction_id = posting.id or (posting.source_type = 'payment' and posting.source_event = 'exchanged'
        and p.id = posting.source_id))
      and p.direction = 'out' and p.status = 'cleared';
  end if;
  return null;
end $$;
