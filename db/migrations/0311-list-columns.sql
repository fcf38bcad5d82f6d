-- Which columns of a list a person sees, in which order, and whether the first stays in view (frontend.md U9): the same
-- on every machine. The browser keeps a copy, so that a list is drawn at once. `list` is the table's name on screen.
create table list_columns (
  user_id bigint not null references users (id),
  list text not null check (length(list) between 1 and 80),
  shown jsonb not null check (jsonb_typeof(shown) = 'object'),
  columns text[] not null check (cardinality(columns) <= 60),
  pinned boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, list)
);
call maintain_updated_at('list_columns');
grant select, insert, update on list_columns to app_rw;
