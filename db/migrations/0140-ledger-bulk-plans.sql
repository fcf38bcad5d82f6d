-- The foreign keys of a bulk posting are checked while its function's settings hold: "plan every statement anew" made
-- PostgreSQL plan each of those checks anew too, thirteen and more for every transaction. One plan for all sizes does:
-- the lists are joined by hash (0139), and tables are entered by their keys whatever their statistics say.
alter function ledger_post_many set plan_cache_mode = force_generic_plan;
alter function ledger_post_many set enable_seqscan = off;
alter function ledger_add_balances set plan_cache_mode = force_generic_plan;
alter function ledger_add_balances set enable_seqscan = off;
