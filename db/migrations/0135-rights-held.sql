-- An offer that is taken back keeps its dates for 48 hours, so that revising it never loses them (domain.md 1.1 edge 3).
alter table licenses add column rights_held_until timestamptz;
