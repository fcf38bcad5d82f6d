-- When a receipt was put on a deposit slip: every table says when its rows were made.

alter table deposit_slip_items add column created_at timestamptz not null default now();
