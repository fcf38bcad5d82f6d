-- Every row says when it was written.
alter table tax_return_items add column created_at timestamptz not null default now();
