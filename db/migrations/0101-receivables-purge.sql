-- A voided draft may be deleted for good (A338). Whoever asks, what was ever numbered or paid stays.
create function guard_invoice_delete() returns trigger
language plpgsql as $$
begin
  if old.status <> 'void' or old.invoice_number is not null or old.transaction_id is not null then
    raise exception 'invoice %: only a voided draft is deleted', old.id using errcode = '23514';
  end if;
  return old;
end $$;
create trigger guard_invoice_delete before delete on invoices for each row execute function guard_invoice_delete();
grant delete on invoices to app_rw;

-- The PDF of a receipt is stored once, as invoices store theirs.
alter table payments add column document_id bigint references files (id);
create index payments_document on payments (document_id) where document_id is not null;
