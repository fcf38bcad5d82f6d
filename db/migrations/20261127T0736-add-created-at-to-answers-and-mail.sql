-- Every table says when its rows were made; these two named only the time of the answer and of the arrival.

alter table vat_number_checks add column created_at timestamptz not null default now();
alter table inbound_mails add column created_at timestamptz not null default now();
