-- Deferred income of former books: an invoice that was paid there waits for its days. It goes back with its set while
-- nothing of it was released.

alter table invoices drop constraint invoices_opening;
alter table invoices add constraint invoices_opening check (opening_set_id is null or (kind = 'invoice'
  and tax_minor = 0 and prepaid_tax_minor = 0 and prepaid_net_minor in (0, total_minor)));

create or replace function guard_invoice() returns trigger language plpgsql as $$
declare
  free text[] := array['status', 'paid_minor', 'credited_minor', 'written_off_minor', 'document_id', 'sha256',
    'open_item_id', 'transaction_id', 'version', 'updated_at', 'balance_minor', 'search_text'];
  taken_back text[] := free || array['invoice_number', 'reference', 'voided_at', 'void_reason'];
begin
  if old.opening_set_id is not null and old.status in ('issued', 'paid') and new.status = 'void' then
    -- Its number is free for the corrected file.
    if old.balance_minor <> old.total_minor - old.prepaid_net_minor
      or new.transaction_id is distinct from old.transaction_id
      or (new.paid_minor, new.credited_minor, new.written_off_minor) is distinct from (0, 0, 0)
      or (to_jsonb(new) - taken_back) <> (to_jsonb(old) - taken_back)
      or not exists (select 1 from transactions where id = old.transaction_id and status = 'reversed')
      or exists (select 1 from release_schedule r join invoice_items i on i.id = r.invoice_item_id
        where i.invoice_id = old.id and r.status = 'released') then
      raise exception 'invoice % is taken back with its set', old.invoice_number using errcode = '23514';
    end if;
    return new;
  end if;
  if (old.invoice_number is not null or (old.opening_set_id is not null and old.status = 'void'))
    and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'invoice % is issued: cancel it by a credit note', old.invoice_number using errcode = '23514';
  end if;
  if old.sha256 is not null and (new.sha256, new.document_id) is distinct from (old.sha256, old.document_id)
    or old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id then
    raise exception 'invoice %: its document and its posting stay', old.id using errcode = '23514';
  end if;
  return new;
end $$;
