-- Every table says when a row was made.
alter table local_tax_states add column created_at timestamptz not null default now();
