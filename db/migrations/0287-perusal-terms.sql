-- How much a customer may read before it applies (domain.md 7: perusal_terms of the customer): how many at a time, for
-- how long on the screen and with the books, for which fee. The defaults are those of domain.md 1.4.
alter table customers
  -- 0: this customer reads nothing before it applies.
  add column perusal_max_open integer not null default 3 check (perusal_max_open between 0 and 50),
  add column perusal_days_digital integer not null default 14 check (perusal_days_digital between 1 and 365),
  add column perusal_days_physical integer not null default 21 check (perusal_days_physical between 1 and 365),
  -- One fee for the books of a perusal, in the customer's currency; null: the price of each book.
  add column perusal_fee_minor minor_amount check (perusal_fee_minor >= 0);

-- The days as the customer's terms gave them when it asked: a later change of the terms alters no perusal.
alter table perusals add column days integer;
update perusals set days = case format when 'digital' then 14 else 21 end;
alter table perusals alter column days set not null, add check (days between 1 and 365);

-- The search finds a perusal by the beginning of its number, as every kind of record (0265-search.sql).
create index perusals_number_start on perusals (lower(number) text_pattern_ops);
