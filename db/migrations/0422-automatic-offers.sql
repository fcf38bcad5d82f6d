-- Whether a division answers applications with an automatic offer, and up to which limits, is decided on its own page
-- and not in the environment of the server. A total that is null lets nothing pass without a person.
alter table divisions
  add column auto_offers boolean not null default false,
  add column auto_offer_total_minor minor_amount check (auto_offer_total_minor >= 0),
  add column auto_offer_performances integer not null default 30 check (auto_offer_performances between 1 and 1000),
  add column auto_offer_capacity integer not null default 3000 check (auto_offer_capacity between 1 and 100000),
  add column auto_offer_days_ahead integer not null default 42 check (auto_offer_days_ahead between 0 and 540);
update divisions set auto_offer_total_minor = case code when 'US' then 1500000 else 1000000 end
where code in ('US', 'UK', 'EU');
alter table divisions add constraint divisions_auto_offers_limited
  check (not auto_offers or auto_offer_total_minor is not null);
grant update (auto_offers, auto_offer_total_minor, auto_offer_performances, auto_offer_capacity, auto_offer_days_ahead)
  on divisions to app_rw;
