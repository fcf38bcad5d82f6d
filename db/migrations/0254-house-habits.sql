-- What every table of the house keeps (db/migrations.test.ts): when a row came to be, a trigger behind updated_at, an
-- index behind each foreign key, so that removing what is referred to never reads a whole table.
alter table security_policy add column created_at timestamptz not null default now();
alter table erasures add column created_at timestamptz not null default now();
alter table house_settings add column created_at timestamptz not null default now();
alter table bom_template_versions add column created_at timestamptz not null default now();
alter table stock_balances add column created_at timestamptz not null default now();
alter table stock_movements add column created_at timestamptz not null default now();
alter table erased_events add column created_at timestamptz not null default now();
alter table client_errors add column created_at timestamptz not null default now();
alter table sales_order_events add column created_at timestamptz not null default now();

call maintain_updated_at('security_policy', 'stock_balances');

create index erasures_user on erasures (user_id);
create index material_sub_categories_every_category on material_sub_categories (category_key);
create index materials_sub_category on materials (sub_category, category);
create index stock_movements_actor on stock_movements (actor_id);
create index sales_order_events_actor on sales_order_events (actor_id);
create index material_copies_order_line on material_copies (sales_order_line_id) where sales_order_line_id is not null;
