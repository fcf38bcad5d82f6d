-- Tax and VAT of a sales item, as materials have them (domain.md 7): whether they are looked up at all; the class
-- says at which rate.
alter table sales_items
  add column tax boolean not null default true,
  add column vat boolean not null default true;
