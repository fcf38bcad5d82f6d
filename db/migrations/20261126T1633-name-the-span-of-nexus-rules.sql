-- The span over which a state counts sales, by its own name.
alter table nexus_rules rename column counts to counted_over;
