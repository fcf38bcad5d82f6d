-- A line is quantity × unit = net. The rule holds for what is written from now on; a check constraint, valid or not,
-- would also refuse the payment of a line that was printed before it (every update of a row checks all constraints).
alter table invoice_items drop constraint invoice_items_quantity_times_unit;
create function refuse_line_that_does_not_multiply() returns trigger language plpgsql as $$
begin
  if new.quantity::bigint * new.unit_minor <> new.net_minor then
    raise exception 'quantity % times % is not %', new.quantity, new.unit_minor, new.net_minor
      using errcode = '23514', table = 'invoice_items', constraint = 'invoice_items_quantity_times_unit';
  end if;
  return new;
end $$;
create trigger invoice_items_multiply before insert or update of quantity, unit_minor, net_minor on invoice_items
  for each row execute function refuse_line_that_does_not_multiply();
