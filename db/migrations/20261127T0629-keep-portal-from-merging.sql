-- The trigger function of merged vendors runs with its owner's rights; nobody calls it but its trigger.
revoke all on function tg_vendor_merged() from public;
