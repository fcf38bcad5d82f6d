-- A discount that the terms of a bill do not give needs a reason, which stays with the payment.

alter table payment_parts
  add column discount_reason text not null default '',
  add constraint payment_parts_discount_reason check (discount_reason = '' or discount_minor > 0);
comment on column payment_parts.discount_reason is
  'Why more is taken than the early-payment discount that is open on the value date; empty where it is not more.';
