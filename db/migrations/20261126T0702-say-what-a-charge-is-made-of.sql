-- Papers say what a royalty is made of: performances, minimum and discount, in words beside the one net line.
alter table license_charges add column detail text not null default '';
comment on column license_charges.detail is
  'What the net is made of, for papers: "performances 4 × 396.00 = 1,584.00, discount 15% (237.60)". '
  'Empty where quantity and unit say it.';
