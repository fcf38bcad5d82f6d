-- Authorities that no name was known for were called by the code of their place, "Tax authority of US-OH".
update tax_authorities a set name = 'Tax authority of ' || p.name from (values
  ('US-AL', 'Alabama'), ('US-AK', 'Alaska'), ('US-AZ', 'Arizona'), ('US-AR', 'Arkansas'), ('US-CA', 'California'),
  ('US-CO', 'Colorado'), ('US-CT', 'Connecticut'), ('US-DE', 'Delaware'), ('US-DC', 'District of Columbia'),
  ('US-FL', 'Florida'), ('US-GA', 'Georgia'), ('US-HI', 'Hawaii'), ('US-ID', 'Idaho'), ('US-IL', 'Illinois'),
  ('US-IN', 'Indiana'), ('US-IA', 'Iowa'), ('US-KS', 'Kansas'), ('US-KY', 'Kentucky'), ('US-LA', 'Louisiana'),
  ('US-ME', 'Maine'), ('US-MD', 'Maryland'), ('US-MA', 'Massachusetts'), ('US-MI', 'Michigan'),
  ('US-MN', 'Minnesota'), ('US-MS', 'Mississippi'), ('US-MO', 'Missouri'), ('US-MT', 'Montana'),
  ('US-NE', 'Nebraska'), ('US-NV', 'Nevada'), ('US-NH', 'New Hampshire'), ('US-NJ', 'New Jersey'),
  ('US-NM', 'New Mexico'), ('US-NY', 'New York'), ('US-NC', 'North Carolina'), ('US-ND', 'North Dakota'),
  ('US-OH', 'Ohio'), ('US-OK', 'Oklahoma'), ('US-OR', 'Oregon'), ('US-PA', 'Pennsylvania'),
  ('US-RI', 'Rhode Island'), ('US-SC', 'South Carolina'), ('US-SD', 'South Dakota'), ('US-TN', 'Tennessee'),
  ('US-TX', 'Texas'), ('US-UT', 'Utah'), ('US-VT', 'Vermont'), ('US-VA', 'Virginia'), ('US-WA', 'Washington'),
  ('US-WV', 'West Virginia'), ('US-WI', 'Wisconsin'), ('US-WY', 'Wyoming'), ('US-AS', 'American Samoa'),
  ('US-GU', 'Guam'), ('US-MP', 'Northern Mariana Islands'), ('US-PR', 'Puerto Rico'), ('US-VI', 'Virgin Islands'),
  ('AT', 'Austria'), ('BE', 'Belgium'), ('BG', 'Bulgaria'), ('HR', 'Croatia'), ('CY', 'Cyprus'), ('CZ', 'Czechia'),
  ('DK', 'Denmark'), ('EE', 'Estonia'), ('FI', 'Finland'), ('FR', 'France'), ('DE', 'Germany'), ('GR', 'Greece'),
  ('HU', 'Hungary'), ('IT', 'Italy'), ('LV', 'Latvia'), ('LT', 'Lithuania'), ('LU', 'Luxembourg'), ('MT', 'Malta'),
  ('NL', 'Netherlands'), ('PL', 'Poland'), ('PT', 'Portugal'), ('RO', 'Romania'), ('SK', 'Slovakia'),
  ('SI', 'Slovenia'), ('ES', 'Spain'), ('SE', 'Sweden'), ('AU', 'Australia'), ('CA', 'Canada'),
  ('CH', 'Switzerland'), ('NO', 'Norway')) p (code, name)
where a.jurisdiction = p.code and a.name = 'Tax authority of ' || p.code;
