-- The approvals inbox and its count in the navigation ask for these at every page; there are few of them at a time.
create index royalty_statements_waiting on royalty_statements (royalty_statement_run_id, id)
  where status = 'calculated';
