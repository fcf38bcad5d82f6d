-- What was open with a royaltor when an agreement came into these books is posted once against 3999, on its day
-- (accounting.md 2.2 row 29). One statement takes it over; until then the carried amount is what is in 2200 of it, in
-- the division's own currency.
alter table show_royaltors
  add column opening_on date,
  add column opening_transaction_id bigint references transactions (id),
  add column opening_statement_id bigint references royalty_statements (id),
  add column opening_carried_minor minor_amount not null default 0,
  add check (opening_transaction_id is null or opening_on is not null),
  add check (opening_statement_id is null or (opening_transaction_id is not null and opening_carried_minor = 0));
create index show_royaltors_opening on show_royaltors (opening_transaction_id) where opening_transaction_id is not null;
create index show_royaltors_opening_statement on show_royaltors (opening_statement_id)
  where opening_statement_id is not null;
