-- A reported week without a performance owes no weekly minimum unless the agreement says so.
alter table rate_cards add column empty_week_owes_minimum boolean not null default false;
alter table licenses add column empty_week_owes_minimum boolean;
