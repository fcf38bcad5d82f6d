-- The last day to pay is kept with its reason, which papers, pages and reminders give. Licenses signed before keep
-- their day; the only rules then were 90 days after signing and the day before the first performance.
alter table licenses
  add column pay_by_reason text check (pay_by_reason in ('signed', 'shipping', 'soon', 'opening')),
  add column pay_by_ships_on date,
  add constraint licenses_pay_by_reason check (pay_by_reason is null or pay_by is not null),
  add constraint licenses_pay_by_ships check ((pay_by_ships_on is not null) = coalesce(pay_by_reason = 'shipping',
    false));
comment on column licenses.pay_by_reason is
  'Why pay_by is this day: 90 days after signing, ahead of the first shipment, a week after signing, or the day before '
  'the first performance. Null: signed before reasons were kept.';
comment on column licenses.pay_by_ships_on is 'Planned day of the first shipment, where it decides pay_by.';
