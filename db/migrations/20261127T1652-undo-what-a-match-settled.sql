-- A payment may be settled before its line of the bank comes: by the bank's answer file, or by a person. A match
-- settles only what nothing settled yet, and undoing it takes back only that.

alter table payments add column settled_by text,
  add constraint payments_settled_by check (settled_by is null or (direction = 'out'
    and settled_by in ('match', 'reconciliation') and status in ('cleared', 'returned', 'reversed')));
comment on column payments.settled_by is
  'Its undoing takes the settlement back; null: the bank''s answer or a person settled the payment, or nothing did.';

create or replace function guard_payment() returns trigger language plpgsql as $$
declare
  free text[] := array['status', 'applied_minor', 'transaction_id', 'reversal_transaction_id', 'reversal_reason',
    'returned_on', 'value_on', 'memo', 'version', 'updated_at', 'unapplied_minor', 'customer_id', 'royaltor_id',
    'vendor_id', 'outcome', 'outcome_on', 'settled_by', 'bank_reference'];
begin
  if old.posted_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % is posted: reverse it', old.number using errcode = '23514';
  end if;
  if old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'payment %: its posting stays', old.number using errcode = '23514';
  end if;
  return new;
end $$;

update payments p set settled_by = 'match'
where p.direction = 'out' and p.status = 'cleared' and exists (
  select 1 from transactions t join journal_entries e on e.transaction_id = t.id
    join bank_match_entries m on m.ledger_line_id = e.id and m.active
  where t.id = p.transaction_id
    or (t.source_type = 'payment' and t.source_event = 'exchanged' and t.source_id = p.id));

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
      settled_by = 'match', version = p.version + 1
    where (p.transaction_id = posting.id or (posting.source_type = 'payment' and posting.source_event = 'exchanged'
        and p.id = posting.source_id))
      and p.direction = 'out' and p.status = 'posted';
  else
    update payments p set status = 'posted', outcome = null, outcome_on = null, settled_by = null,
      version = p.version + 1
    where (p.transaction_id = posting.id or (posting.source_type = 'payment' and posting.source_event = 'exchanged'
        and p.id = posting.source_id))
      and p.direction = 'out' and p.status = 'cleared' and p.settled_by = 'match';
  end if;
  return null;
end $$;
