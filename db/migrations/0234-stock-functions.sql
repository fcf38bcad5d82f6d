-- Only the trigger calls the writer of balances; it runs with the rights of its owner, so nobody else may.
revoke all on function apply_stock_movement() from public;
