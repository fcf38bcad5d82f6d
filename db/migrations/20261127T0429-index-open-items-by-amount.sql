-- no-transaction
-- A bank line looks for open bills of its amount: by account and open amount.
drop index if exists open_items_amount;
create index concurrently open_items_amount on open_items (ledger_account_id, open_minor) where open_minor <> 0;
