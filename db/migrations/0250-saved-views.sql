-- Views of lists that people keep: filters, order, columns and division under a name (frontend.md U8).
-- page_key is the address of the list with its numbers as ':id' (/admin/quotes, /admin/customers/:id/users).
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  page_key text not null check (page_key ~ '^/[a-z0-9/:_-]{1,119}$'),
  name text not null check (length(name) between 1 and 60 and name = btrim(name)),
  -- What stands in the list's address, names of the wire: {"phase": "sent", "sort_by": "opening"}.
  search jsonb not null default '{}' check (jsonb_typeof(search) = 'object'),
  -- Ids of the columns that are shown, in their order; empty: those of the reader.
  columns jsonb not null default '[]' check (jsonb_typeof(columns) = 'array'),
  shared boolean not null default false,
  is_default boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_views_name on saved_views (user_id, page_key, lower(name));
create unique index saved_views_default on saved_views (user_id, page_key) where is_default;
create index saved_views_shared on saved_views (page_key) where shared;
call maintain_updated_at('saved_views');
grant select, insert, update, delete on saved_views to app_rw;
