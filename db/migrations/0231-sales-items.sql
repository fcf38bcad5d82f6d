-- Merchandise and books that no licence needs. Sources: domain.md 4, 7 (sales_item); gaps G118: material, add-on and
-- sales item are three resources.

create table sales_items (
  id bigint generated always as identity primary key,
  item_number text not null unique check (item_number ~ '^[A-Z0-9][A-Z0-9-]{0,39}$'),
  name text not null check (name <> ''),
  description text not null default '',
  show_id bigint references shows (id),
  -- Decides the tax, as with every other line (domain.md 2.12).
  item_class text not null default 'merchandise' check (item_class in ('merchandise', 'printed_script',
    'printed_music', 'e_publication', 'digital_music', 'tracks')),
  -- A null price: not sold in that currency.
  price_usd_minor minor_amount check (price_usd_minor >= 0),
  price_eur_minor minor_amount check (price_eur_minor >= 0),
  price_gbp_minor minor_amount check (price_gbp_minor >= 0),
  shipping_usd_minor minor_amount not null default 0 check (shipping_usd_minor >= 0),
  shipping_eur_minor minor_amount not null default 0 check (shipping_eur_minor >= 0),
  shipping_gbp_minor minor_amount not null default 0 check (shipping_gbp_minor >= 0),
  weight_g integer check (weight_g between 0 and 1000000),
  -- What has no stock is sent as a file or made on demand and is never short.
  stocked boolean not null default true,
  reorder_point integer check (reorder_point between 0 and 1000000),
  active boolean not null default true,
  search_text text not null generated always as (search_fold(item_number || ' ' || name)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sales_items_name on sales_items (name collate "und-x-icu", id) where deleted_at is null;
create index sales_items_show on sales_items (show_id);
create index sales_items_search on sales_items using gin (search_text gin_trgm_ops);

-- Numbers are unique over materials and sales items (gaps G118).
create trigger claim_item_number before insert or update of item_number on sales_items
  for each row execute function claim_item_number('sales_item');

call maintain_updated_at('sales_items');
grant select, insert, update on sales_items to app_rw;
