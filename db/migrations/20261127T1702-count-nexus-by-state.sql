-- Four of the six rules that came with the product counted calendar years. Published: Texas the preceding twelve
-- calendar months (Sales Tax Institute and RSM on 34 TAC 3.286), New York the preceding four sales tax quarters (notice
-- of its tax department of January 2019), Connecticut twelve months to September 30 (Avior, December 2025), Mississippi
-- any consecutive twelve months (Sales Tax Institute on the law of July 2020). The last twelve months are never later
-- than New York's and Connecticut's own. A rule that a person has entered or corrected stays.
update nexus_rules r set counted_over = 'rolling_12', source = x.source
from (values ('US-TX', 'Preceding 12 calendar months (34 TAC 3.286); to be confirmed by an adviser'),
  ('US-NY', 'Preceding four sales tax quarters, counted as the last 12 months; to be confirmed by an adviser'),
  ('US-CT', '12 months to September 30, counted as the last 12 months; to be confirmed by an adviser'),
  ('US-MS', 'Any consecutive 12 months; to be confirmed by an adviser')) x (state, source)
where r.state = x.state and r.created_by_id is null and r.version = 1 and r.counted_over = 'calendar_year';
