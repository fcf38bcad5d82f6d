-- A bill on hold is in no payment, whoever writes; what is free on an item is exact arithmetic.

create or replace view payable_items as
  select i.id, i.transaction_id, i.division, i.party_type, i.party_id, i.currency, i.document_type, i.document_id,
    i.opened_on, i.due_date, -i.original_minor as original_minor, -i.open_minor as open_minor,
    coalesce(r.reserved_minor, 0)::bigint as reserved_minor, w.id as refund_id,
    case when w.id is not null then 0
      else (-i.open_minor - sign(-i.open_minor::numeric) * coalesce(r.reserved_minor, 0))::bigint end as free_minor
  from open_items i join ledger_accounts a on a.id = i.ledger_account_id and a.system_key = 'ap'
    left join lateral (select sum(abs(p.amount_minor) + p.discount_minor) as reserved_minor from payment_parts p
      where p.open_item_id = i.id and p.state = 'reserved') r on true
    left join lateral (select p.id from transactions t join payments p on p.id = t.source_id
      where t.id = i.transaction_id and t.source_type = 'payment' and t.source_event = 'refund_due'
        and p.status in ('draft', 'approved') and p.deleted_at is null) w on true
  where i.open_minor <> 0;

create function tg_bill_on_hold() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  item bigint := (to_jsonb(new) ->> case tg_table_name when 'bills' then 'id' else 'open_item_id' end)::bigint;
begin
  if exists (select 1 from bills b join open_items i on i.document_type = 'bill' and i.document_id = b.id
      join payment_parts p on p.open_item_id = i.id and p.state = 'reserved'
      where b.hold_reason is not null
        and case tg_table_name when 'bills' then b.id = item else i.id = item end) then
    raise exception 'a payment reserves a bill on hold' using errcode = '23514', constraint = 'bills_on_hold';
  end if;
  return null;
end $$;
revoke all on function tg_bill_on_hold() from public;
create constraint trigger payment_parts_on_hold after insert or update of state on payment_parts
  deferrable initially deferred for each row when (new.state = 'reserved') execute function tg_bill_on_hold();
create constraint trigger bills_on_hold after update of hold_reason on bills
  deferrable initially deferred for each row when (new.hold_reason is not null) execute function tg_bill_on_hold();
