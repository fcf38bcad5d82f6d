-- The reason of a discount is printed on the offer. What the second person needs to know is for staff alone and stands
-- beside it.
alter table licenses add column discount_internal_reason text not null default ''
  check (length(discount_internal_reason) <= 1000);
