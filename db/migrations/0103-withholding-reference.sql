-- Withholding to begin with (domain.md 3.5): the rules that staff would otherwise have to type before the first
-- payment. Every rate is a starting point that a tax adviser confirms before money is paid by it; treaty rates are
-- entered per country beside these. The more specific rule wins, a rule of the payee's own country before any.
insert into wht_rules (payer_division, payee_country, payee_kind, form, rate_ppm, description, valid_from)
select d.code, r.country, r.kind, r.form, r.rate, r.text || ' To be confirmed by a tax adviser.', date '1990-01-01'
from (values ('US'), ('PROD')) d (code), (values
  ('US', null, 'w9', 0, 'US payee with form W-9: nothing is withheld, reported on 1099-MISC.'),
  ('US', null, 'none', 240000, 'US payee without a tax number: backup withholding.'),
  (null, null, null, 300000, 'Payee abroad: statutory rate without a treaty; form 1042-S.'),
  ('GB', null, 'w8ben', 0, 'United Kingdom, form W-8BEN: treaty rate for copyright royalties.'),
  ('GB', null, 'w8bene', 0, 'United Kingdom, form W-8BEN-E: treaty rate for copyright royalties.'),
  ('IE', null, 'w8ben', 0, 'Ireland, form W-8BEN: treaty rate for copyright royalties.'),
  ('IE', null, 'w8bene', 0, 'Ireland, form W-8BEN-E: treaty rate for copyright royalties.')
) r (country, kind, form, rate, text);
insert into wht_rules (payer_division, payee_country, payee_kind, form, rate_ppm, description, valid_from)
select r.division, r.country, null, r.form, r.rate, r.text || ' To be confirmed by a tax adviser.', date '1990-01-01'
from (values
  ('UK', 'GB', null, 0, 'Payee in the United Kingdom: paid gross.'),
  ('UK', null, null, 200000, 'Owner of copyright abroad: basic rate.'),
  ('UK', null, 'treaty_direction', 0, 'Payee abroad with a treaty direction of HMRC.'),
  ('UK', null, 'author_by_profession', 0, 'Author by profession abroad: paid gross.'),
  ('EU', 'IE', null, 0, 'Payee in Ireland: paid gross.'),
  ('EU', null, null, 0, 'Copyright royalties to payees abroad: paid gross.')
) r (division, country, form, rate, text);
