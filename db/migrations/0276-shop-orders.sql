-- Orders from the portal (X159-X161): what the customer was shown when it ordered, tax included. The invoice comes with
-- the parcel and is computed again from the same lines; these figures say what was promised.
alter table sales_orders
  add column quoted_net_minor minor_amount check (quoted_net_minor >= 0),
  add column quoted_tax_minor minor_amount check (quoted_tax_minor >= 0),
  add column from_portal boolean not null default false,
  add check (not from_portal or (quoted_net_minor is not null and quoted_tax_minor is not null));
create index sales_orders_from_portal on sales_orders (customer_id, id desc) where from_portal;
