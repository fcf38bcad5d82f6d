-- An advance that the bank returns after a statement has recouped part of it: the statement kept back royalties for
-- money that never arrived. What it kept stands in 2200 again, and the next statement carries it as a correction.
alter table royalty_adjustments
  add column royalty_advance_id bigint references royalty_advances (id),
  add column carried_minor minor_amount,
  add constraint royalty_adjustments_given_back check ((royalty_advance_id is null) = (carried_minor is null)),
  add constraint royalty_adjustments_posted check (royalty_advance_id is null or transaction_id is not null);
create index royalty_adjustments_advance on royalty_adjustments (royalty_advance_id)
  where royalty_advance_id is not null;
comment on column royalty_adjustments.royalty_advance_id is
  'Returned advance that a statement had recouped: the amount stands in 2200 already. Null: a correction by a person.';
comment on column royalty_adjustments.carried_minor is
  'Carrying amount in 2200, minor units of the division''s own currency; null: posted with its statement.';
