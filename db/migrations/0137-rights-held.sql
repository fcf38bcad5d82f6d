-- An offer that is taken back keeps its dates for 48 hours, so that revising it never loses them (domain.md 1.1,
-- edge 3). A database of these days may have the column already.
alter table licenses add column if not exists rights_held_until timestamptz;
