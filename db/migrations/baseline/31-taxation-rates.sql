-- Tax reference data as shipped. Every row names its source; rates of sales tax and taxability are a starting point
-- for the tax adviser of the installation to confirm.

insert into tax_authorities (jurisdiction, name) values
  ('GB', 'HM Revenue & Customs'), ('IE', 'Revenue Commissioners'), ('US', 'Internal Revenue Service'),
  ('US-NY', 'New York State Department of Taxation and Finance'),
  ('US-CA', 'California Department of Tax and Fee Administration'), ('US-TX', 'Texas Comptroller of Public Accounts'),
  ('US-IL', 'Illinois Department of Revenue'), ('US-FL', 'Florida Department of Revenue'),
  ('US-PA', 'Pennsylvania Department of Revenue'), ('US-NJ', 'New Jersey Division of Taxation'),
  ('US-MA', 'Massachusetts Department of Revenue'), ('US-WA', 'Washington State Department of Revenue');

insert into tax_codes (division, code, name, kind, net_box, tax_box, legal_text)
select d.code, c.code, c.name, c.kind, c.net_box, c.tax_box, c.legal_text
from (values ('US'), ('PROD')) d (code), (values
  ('SALES', 'Sales tax', 'sales_tax', null, null, ''),
  ('EXEMPT', 'Exempt, certificate on file', 'exempt', null, null, 'Exempt from sales tax: certificate on file.'),
  ('NONE', 'Not taxable', 'outside_scope', null, null, ''),
  ('OUTSIDE_SCOPE', 'Outside the United States', 'outside_scope', null, null, '')
) c (code, name, kind, net_box, tax_box, legal_text);

insert into tax_codes (division, code, name, kind, net_box, tax_box, legal_text) values
  ('UK', 'STANDARD', 'Standard rate', 'standard', '6', '1', ''),
  ('UK', 'ZERO', 'Zero rate', 'zero', '6', null, ''),
  ('UK', 'EXEMPT', 'Exempt', 'exempt', '6', null, 'Exempt from VAT.'),
  ('UK', 'REVERSE_CHARGE', 'Reverse charge', 'reverse_charge', '6', null,
    'Reverse charge: the customer accounts for the VAT.'),
  ('UK', 'OUTSIDE_SCOPE', 'Outside the scope of UK VAT', 'outside_scope', '6', null, 'Outside the scope of UK VAT.'),
  ('UK', 'OSS', 'Tax of the consumer''s state', 'oss', null, null, ''),
  ('UK', 'NONE', 'No rule entered', 'outside_scope', null, null, ''),
  ('EU', 'STANDARD', 'Standard rate', 'standard', 'T1', 'T1', ''),
  ('EU', 'ZERO', 'Zero rate', 'zero', null, null, ''),
  ('EU', 'EXEMPT', 'Exempt', 'exempt', null, null, 'Exempt from VAT.'),
  ('EU', 'REVERSE_CHARGE', 'Reverse charge', 'reverse_charge', null, null,
    'Reverse charge, article 196 of Directive 2006/112/EC: the customer accounts for the VAT.'),
  ('EU', 'OUTSIDE_SCOPE', 'Outside the scope of VAT', 'outside_scope', null, null,
    'Outside the scope of VAT, article 44 of Directive 2006/112/EC.'),
  ('EU', 'OSS', 'One-stop shop', 'oss', 'OSS', 'OSS', ''),
  ('EU', 'NONE', 'No rule entered', 'outside_scope', null, null, '');

insert into tax_rates (tax_code_id, jurisdiction, level, rate_ppm, valid_from, source)
select c.id, r.jurisdiction, 'country', r.rate_ppm, r.valid_from::date, r.source
from (values
  ('UK', 'STANDARD', 'GB', 200000, '2011-01-04', 'VATA 1994 s.2; to be confirmed by an adviser'),
  ('UK', 'ZERO', 'GB', 0, '2011-01-04', 'VATA 1994 Sch. 8; to be confirmed by an adviser'),
  ('EU', 'STANDARD', 'IE', 230000, '2021-03-01', 'VATCA 2010 s.46; to be confirmed by an adviser'),
  ('EU', 'ZERO', 'IE', 0, '2010-11-01', 'VATCA 2010 Sch. 2; to be confirmed by an adviser'),
  ('EU', 'OSS', 'DE', 190000, '2021-07-01', 'UStG s.12; to be confirmed by an adviser'),
  ('EU', 'OSS', 'FR', 200000, '2021-07-01', 'CGI art. 278; to be confirmed by an adviser'),
  ('EU', 'OSS', 'ES', 210000, '2021-07-01', 'Ley 37/1992 art. 90; to be confirmed by an adviser'),
  ('EU', 'OSS', 'IT', 220000, '2021-07-01', 'DPR 633/72 art. 16; to be confirmed by an adviser'),
  ('EU', 'OSS', 'NL', 210000, '2021-07-01', 'Wet OB 1968 art. 9; to be confirmed by an adviser'),
  ('EU', 'OSS', 'BE', 210000, '2021-07-01', 'KB nr. 20; to be confirmed by an adviser'),
  ('EU', 'OSS', 'AT', 200000, '2021-07-01', 'UStG 1994 s.10; to be confirmed by an adviser'),
  ('EU', 'OSS', 'SE', 250000, '2021-07-01', 'ML 9 kap.; to be confirmed by an adviser')
) r (division, code, jurisdiction, rate_ppm, valid_from, source)
  join tax_codes c on c.division = r.division and c.code = r.code;

insert into tax_rates (tax_code_id, jurisdiction, level, rate_ppm, valid_from, source)
select c.id, r.jurisdiction, r.level, r.rate_ppm, '2020-01-01', 'Published state and local rate; to be confirmed by
  an adviser'
from (values
  ('US-NY', 'state', 40000), ('US-CA', 'state', 72500), ('US-TX', 'state', 62500), ('US-IL', 'state', 62500),
  ('US-FL', 'state', 60000), ('US-PA', 'state', 60000), ('US-NJ', 'state', 66250), ('US-MA', 'state', 62500),
  ('US-WA', 'state', 65000)
) r (jurisdiction, level, rate_ppm) join tax_codes c on c.code = 'SALES' order by c.id, r.jurisdiction;

-- Licences to perform are not taxed; tangible goods and what stands in for them are. Delivery follows the flag
-- taxes_shipping of the state's rate.
insert into taxability (division, jurisdiction, item_class, taxable, tax_code_id, valid_from, source)
select c.division, s.state, i.item_class, i.taxable, case when i.taxable then c.id end, '2020-01-01',
  'Starting point; to be confirmed by an adviser'
from tax_codes c, (values ('US-NY'), ('US-CA'), ('US-TX'), ('US-IL'), ('US-FL'), ('US-PA'), ('US-NJ'), ('US-MA'),
  ('US-WA')) s (state), (values ('performing_licence', false), ('rental', true), ('printed_script', true),
  ('printed_music', true), ('e_publication', true), ('digital_music', true), ('tracks', true), ('logo', true),
  ('merchandise', true), ('fee', false)) i (item_class, taxable)
where c.code = 'SALES' order by c.division, s.state, i.item_class;

-- Books and printed music are zero-rated in the UK (VATA 1994 Sch. 8 group 3), scripts in Ireland as books.
insert into taxability (division, jurisdiction, item_class, taxable, tax_code_id, valid_from, source)
select c.division, r.jurisdiction, r.item_class, true, c.id, '2020-01-01', 'Starting point; to be confirmed by an
  adviser'
from (values
  ('UK', 'GB', 'STANDARD', 'performing_licence'), ('UK', 'GB', 'ZERO', 'rental'),
  ('UK', 'GB', 'ZERO', 'printed_script'),
  ('UK', 'GB', 'ZERO', 'printed_music'), ('UK', 'GB', 'ZERO', 'e_publication'),
  ('UK', 'GB', 'STANDARD', 'digital_music'),
  ('UK', 'GB', 'STANDARD', 'tracks'), ('UK', 'GB', 'STANDARD', 'logo'), ('UK', 'GB', 'STANDARD', 'merchandise'),
  ('UK', 'GB', 'ZERO', 'shipping'), ('UK', 'GB', 'STANDARD', 'fee'),
  ('EU', 'IE', 'STANDARD', 'performing_licence'), ('EU', 'IE', 'STANDARD', 'rental'),
  ('EU', 'IE', 'ZERO', 'printed_script'),
  ('EU', 'IE', 'STANDARD', 'printed_music'), ('EU', 'IE', 'ZERO', 'e_publication'),
  ('EU', 'IE', 'STANDARD', 'digital_music'),
  ('EU', 'IE', 'STANDARD', 'tracks'), ('EU', 'IE', 'STANDARD', 'logo'), ('EU', 'IE', 'STANDARD', 'merchandise'),
  ('EU', 'IE', 'STANDARD', 'shipping'), ('EU', 'IE', 'STANDARD', 'fee')
) r (division, jurisdiction, code, item_class) join tax_codes c on c.division = r.division and c.code = r.code;

insert into taxability (division, jurisdiction, item_class, taxable, tax_code_id, valid_from, source)
select 'EU', s.state, i.item_class, true, c.id, '2021-07-01', 'Standard rate assumed; to be confirmed by an adviser'
from tax_codes c, (values ('DE'), ('FR'), ('ES'), ('IT'), ('NL'), ('BE'), ('AT'), ('SE')) s (state),
  (values ('rental'), ('printed_script'), ('printed_music'), ('e_publication'), ('digital_music'), ('tracks'),
  ('logo'),
    ('merchandise'), ('shipping')) i (item_class)
where c.division = 'EU' and c.code = 'OSS';

-- Where the shipped divisions are established; further registrations are entered when they are granted.
insert into tax_registrations (division, jurisdiction, scheme, number, valid_from) values
  ('US', 'US-NY', 'sales_tax', null, '2020-01-01'),
  ('PROD', 'US-NY', 'sales_tax', null, '2020-01-01'),
  ('UK', 'GB', 'vat', null, '2020-01-01'),
  ('EU', 'IE', 'vat', null, '2020-01-01'),
  ('EU', 'IE', 'oss', null, '2021-07-01');

insert into holidays (division, on_date, name)
select d.code, h.on_date::date, h.name from (values ('US'), ('PROD')) d (code), (values
  ('2024-01-01', 'New Year''s Day'), ('2024-01-15', 'Martin Luther King Jr. Day'), ('2024-02-19', 'Presidents'' Day'),
  ('2024-05-27', 'Memorial Day'), ('2024-06-19', 'Juneteenth'), ('2024-07-04', 'Independence Day'),
  ('2024-09-02', 'Labor Day'), ('2024-10-14', 'Columbus Day'), ('2024-11-11', 'Veterans Day'),
  ('2024-11-28', 'Thanksgiving Day'), ('2024-12-25', 'Christmas Day'),
  ('2025-01-01', 'New Year''s Day'), ('2025-01-20', 'Martin Luther King Jr. Day'), ('2025-02-17', 'Presidents'' Day'),
  ('2025-05-26', 'Memorial Day'), ('2025-06-19', 'Juneteenth'), ('2025-07-04', 'Independence Day'),
  ('2025-09-01', 'Labor Day'), ('2025-10-13', 'Columbus Day'), ('2025-11-11', 'Veterans Day'),
  ('2025-11-27', 'Thanksgiving Day'), ('2025-12-25', 'Christmas Day'),
  ('2026-01-01', 'New Year''s Day'), ('2026-01-19', 'Martin Luther King Jr. Day'), ('2026-02-16', 'Presidents'' Day'),
  ('2026-05-25', 'Memorial Day'), ('2026-06-19', 'Juneteenth'), ('2026-07-03', 'Independence Day (observed)'),
  ('2026-09-07', 'Labor Day'), ('2026-10-12', 'Columbus Day'), ('2026-11-11', 'Veterans Day'),
  ('2026-11-26', 'Thanksgiving Day'), ('2026-12-25', 'Christmas Day'),
  ('2027-01-01', 'New Year''s Day'), ('2027-01-18', 'Martin Luther King Jr. Day'), ('2027-02-15', 'Presidents'' Day'),
  ('2027-05-31', 'Memorial Day'), ('2027-06-18', 'Juneteenth (observed)'),
  ('2027-07-05', 'Independence Day (observed)'),
  ('2027-09-06', 'Labor Day'), ('2027-10-11', 'Columbus Day'), ('2027-11-11', 'Veterans Day'),
  ('2027-11-25', 'Thanksgiving Day'), ('2027-12-24', 'Christmas Day (observed)')
) h (on_date, name);

insert into holidays (division, on_date, name) values
  ('UK', '2024-01-01', 'New Year''s Day'), ('UK', '2024-03-29', 'Good Friday'), ('UK', '2024-04-01', 'Easter Monday'),
  ('UK', '2024-05-06', 'Early May bank holiday'), ('UK', '2024-05-27', 'Spring bank holiday'),
  ('UK', '2024-08-26', 'Summer bank holiday'), ('UK', '2024-12-25', 'Christmas Day'),
  ('UK', '2024-12-26', 'Boxing Day'),
  ('UK', '2025-01-01', 'New Year''s Day'), ('UK', '2025-04-18', 'Good Friday'), ('UK', '2025-04-21', 'Easter Monday'),
  ('UK', '2025-05-05', 'Early May bank holiday'), ('UK', '2025-05-26', 'Spring bank holiday'),
  ('UK', '2025-08-25', 'Summer bank holiday'), ('UK', '2025-12-25', 'Christmas Day'),
  ('UK', '2025-12-26', 'Boxing Day'),
  ('UK', '2026-01-01', 'New Year''s Day'), ('UK', '2026-04-03', 'Good Friday'), ('UK', '2026-04-06', 'Easter Monday'),
  ('UK', '2026-05-04', 'Early May bank holiday'), ('UK', '2026-05-25', 'Spring bank holiday'),
  ('UK', '2026-08-31', 'Summer bank holiday'), ('UK', '2026-12-25', 'Christmas Day'),
  ('UK', '2026-12-28', 'Boxing Day (substitute day)'),
  ('UK', '2027-01-01', 'New Year''s Day'), ('UK', '2027-03-26', 'Good Friday'), ('UK', '2027-03-29', 'Easter Monday'),
  ('UK', '2027-05-03', 'Early May bank holiday'), ('UK', '2027-05-31', 'Spring bank holiday'),
  ('UK', '2027-08-30', 'Summer bank holiday'), ('UK', '2027-12-27', 'Christmas Day (substitute day)'),
  ('UK', '2027-12-28', 'Boxing Day (substitute day)'),
  ('EU', '2024-01-01', 'New Year''s Day'), ('EU', '2024-02-05', 'St Brigid''s Day'),
  ('EU', '2024-03-18', 'St Patrick''s Day (observed)'),
  ('EU', '2024-04-01', 'Easter Monday'), ('EU', '2024-05-06', 'May bank holiday'),
  ('EU', '2024-06-03', 'June bank holiday'),
  ('EU', '2024-08-05', 'August bank holiday'), ('EU', '2024-10-28', 'October bank holiday'),
  ('EU', '2024-12-25', 'Christmas Day'), ('EU', '2024-12-26', 'St Stephen''s Day'),
  ('EU', '2025-01-01', 'New Year''s Day'), ('EU', '2025-02-03', 'St Brigid''s Day'),
  ('EU', '2025-03-17', 'St Patrick''s Day'),
  ('EU', '2025-04-21', 'Easter Monday'), ('EU', '2025-05-05', 'May bank holiday'),
  ('EU', '2025-06-02', 'June bank holiday'),
  ('EU', '2025-08-04', 'August bank holiday'), ('EU', '2025-10-27', 'October bank holiday'),
  ('EU', '2025-12-25', 'Christmas Day'), ('EU', '2025-12-26', 'St Stephen''s Day'),
  ('EU', '2026-01-01', 'New Year''s Day'), ('EU', '2026-02-02', 'St Brigid''s Day'),
  ('EU', '2026-03-17', 'St Patrick''s Day'),
  ('EU', '2026-04-06', 'Easter Monday'), ('EU', '2026-05-04', 'May bank holiday'),
  ('EU', '2026-06-01', 'June bank holiday'),
  ('EU', '2026-08-03', 'August bank holiday'), ('EU', '2026-10-26', 'October bank holiday'),
  ('EU', '2026-12-25', 'Christmas Day'), ('EU', '2026-12-28', 'St Stephen''s Day (observed)'),
  ('EU', '2027-01-01', 'New Year''s Day'), ('EU', '2027-02-01', 'St Brigid''s Day'),
  ('EU', '2027-03-17', 'St Patrick''s Day'),
  ('EU', '2027-03-29', 'Easter Monday'), ('EU', '2027-05-03', 'May bank holiday'),
  ('EU', '2027-06-07', 'June bank holiday'),
  ('EU', '2027-08-02', 'August bank holiday'), ('EU', '2027-10-25', 'October bank holiday'),
  ('EU', '2027-12-27', 'Christmas Day (observed)'), ('EU', '2027-12-28', 'St Stephen''s Day (observed)');

-- Whether delivery is taxed follows the state of the goods (domain.md 2.12): without a rule of its own a line of
-- shipping would have no answer, and a missing answer is never guessed.
insert into taxability (division, jurisdiction, item_class, taxable, tax_code_id, valid_from, source)
select c.division, s.state, 'shipping', s.taxable, case when s.taxable then c.id end, '2020-01-01',
  'Starting point; to be confirmed by an adviser'
from tax_codes c, (values ('US-NY', true), ('US-CA', false), ('US-TX', true), ('US-IL', false), ('US-FL', false),
  ('US-PA', true), ('US-NJ', true), ('US-MA', false), ('US-WA', true)) s (state, taxable)
where c.code = 'SALES'
  and not exists (select 1 from taxability t where t.division = c.division and t.jurisdiction = s.state
    and t.item_class = 'shipping')
order by c.division, s.state;

-- Compensation, as a bank's charge that is passed on, is no supply: it carries no tax and no box of a return.
insert into tax_codes (division, code, name, kind)
select code, 'NO_SUPPLY', 'No supply', 'outside_scope' from unnest(array['PROD', 'US', 'EU', 'UK']) code;

insert into local_tax_states (state, complete)
select s, s in ('CT', 'DC', 'DE', 'IN', 'KY', 'MA', 'MD', 'ME', 'MI', 'MT', 'NH', 'NJ', 'OR', 'RI')
from unnest(string_to_array('AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND '
  || 'NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY', ' ')) s order by s;

-- New York City is five counties: 4.5 % city and 0.375 % commuter district beside the state's 4 %, 8.875 % together.
insert into local_tax_rates (state, county, level, zip_from, zip_to, rate_ppm, valid_from, source, is_seeded)
select 'NY', z.county, r.level, z.zip_from, z.zip_to, r.rate_ppm, '2009-08-01',
  'NYS Publication 718, New York City; seeded, to be confirmed by an adviser', true
from (values
  ('New York', '10001', '10282'), ('Richmond', '10301', '10314'), ('Bronx', '10451', '10475'),
  ('Queens', '11004', '11005'), ('Queens', '11101', '11120'), ('Kings', '11201', '11256'),
  ('Queens', '11351', '11390'), ('Queens', '11405', '11499'), ('Queens', '11690', '11697')
) z (county, zip_from, zip_to), (values ('city', 45000), ('district', 3750)) r (level, rate_ppm)
order by z.zip_from, r.level;

insert into local_tax_rates (state, county, level, zip_from, zip_to, rate_ppm, valid_from, source, is_seeded) values
  ('NY', 'Albany', 'county', '12201', '12260', 40000, '2020-01-01',
    'NYS Publication 718, Albany County; seeded, to be confirmed by an adviser', true),
  ('NY', 'Tompkins', 'county', '14850', '14853', 40000, '2020-01-01',
    'NYS Publication 718, Tompkins County; seeded, to be confirmed by an adviser', true),
  ('CA', 'Los Angeles', 'district', '90001', '90089', 22500, '2020-01-01',
    'California DTFA, City of Los Angeles; seeded, to be confirmed by an adviser', true),
  ('CA', 'San Francisco', 'district', '94102', '94188', 13750, '2020-01-01',
    'California DTFA, San Francisco; seeded, to be confirmed by an adviser', true),
  ('CA', 'Alameda', 'district', '94601', '94621', 35000, '2025-04-01',
    'California DTFA, City of Oakland; seeded, to be confirmed by an adviser', true),
  ('TX', 'Harris', 'city', '77001', '77099', 20000, '2020-01-01',
    'Texas Comptroller, Houston; seeded, to be confirmed by an adviser', true),
  ('TX', 'Travis', 'city', '78701', '78799', 20000, '2020-01-01',
    'Texas Comptroller, Austin; seeded, to be confirmed by an adviser', true),
  ('IL', 'Cook', 'city', '60601', '60661', 40000, '2020-01-01',
    'Illinois Department of Revenue, Chicago; seeded, to be confirmed by an adviser', true),
  ('FL', 'Miami-Dade', 'county', '33101', '33199', 10000, '2020-01-01',
    'Florida Department of Revenue, DR-15DSS; seeded, to be confirmed by an adviser', true),
  ('PA', 'Philadelphia', 'city', '19101', '19196', 20000, '2020-01-01',
    'Pennsylvania Department of Revenue, Philadelphia; seeded, to be confirmed by an adviser', true),
  ('WA', 'King', 'city', '98101', '98199', 38500, '2020-01-01',
    'Washington DOR, Seattle; seeded, to be confirmed by an adviser', true),
  ('WA', 'Pierce', 'city', '98401', '98499', 38000, '2020-01-01',
    'Washington DOR, Tacoma; seeded, to be confirmed by an adviser', true);
