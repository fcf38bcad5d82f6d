-- A tax authority grants the months that a VAT return covers: three at HMRC, two at Irish Revenue, and others on
-- application. Returns that were filed stay as they are; the next one begins on the day after the last.
alter table divisions add column vat_period_months smallint not null default 3
  check (vat_period_months in (1, 2, 3, 4, 6, 12));
comment on column divisions.vat_period_months is
  'Months that a VAT return of the home country covers, as its tax authority granted them. The one-stop shop has '
  'quarters.';
grant update (vat_period_months) on divisions to app_rw;
update divisions set vat_period_months = 2 where home_country = 'IE';
