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
