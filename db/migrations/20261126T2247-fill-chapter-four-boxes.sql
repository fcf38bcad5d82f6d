-- Form 1042-S: boxes 4a and 4b of chapter 4 and the status codes 13f and 13g, as a new revision of the layouts that
-- nobody has confirmed; the kind of person stays with a form from now on.

alter table year_end_forms add column recipient_kind text;
comment on column year_end_forms.recipient_kind is
  'Person, company, estate and so on, of a royaltor; null of vendors and of forms from before it was kept.';

insert into year_end_layouts (form, tax_year, revision, columns)
select l.form, l.tax_year, l.revision + 1, (select jsonb_agg(s.one order by s.n, s.m) from (
    select e.value as one, e.ordinality as n, 0 as m from jsonb_array_elements(l.columns) with ordinality e
    union all select jsonb_build_object('key', x.key, 'head', x.head), e.ordinality, x.m
    from jsonb_array_elements(l.columns) with ordinality e join (values
      ('tax_rate', 1, 'chapter4_exemption', '4a Exemption code'), ('tax_rate', 2, 'chapter4_rate', '4b Tax rate'),
      ('recipient_us_tin', 1, 'chapter3_status', '13f Ch. 3 status code'),
      ('recipient_us_tin', 2, 'chapter4_status', '13g Ch. 4 status code')) x (behind, m, key, head)
      on x.behind = e.value ->> 'key') s)
from year_end_layouts l
where l.form = '1042_s' and l.confirmed_at is null and l.created_by_id is null
  and not exists (select 1 from year_end_layouts n where n.form = l.form and n.tax_year = l.tax_year
    and n.revision > l.revision);
