-- Oracles over the ledger that must return no row, ever (accounting.md 1.7), and the rights of the application role:
-- it reads everything, keeps chart, rates and nothing else by hand, and posts through the functions alone.

create view posted_entries as
  select e.*, t.kind, t.status, k.is_revaluation, k.is_year_end_close
  from journal_entries e join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    join transaction_kinds k on k.kind = t.kind;

create view balance_drift as
  select division, ledger_account_id, currency, period, sum(d) as debit_minor, sum(c) as credit_minor,
    sum(bd) as base_debit_minor, sum(bc) as base_credit_minor, sum(n) as entries
  from (
    select division, ledger_account_id, currency, period, debit_minor d, credit_minor c, base_debit_minor bd,
      base_credit_minor bc, entries n from ledger_balances
    union all
    select division, ledger_account_id, currency, period, -greatest(amount_minor, 0), -greatest(-amount_minor, 0),
      -greatest(base_amount_minor, 0), -greatest(-base_amount_minor, 0), -1 from posted_entries) x
  group by 1, 2, 3, 4 having sum(d) <> 0 or sum(c) <> 0 or sum(bd) <> 0 or sum(bc) <> 0 or sum(n) <> 0;

create view party_drift as
  select ledger_account_id, party_type, party_id, currency, period, sum(d) as debit_minor, sum(c) as credit_minor,
    sum(bd) as base_debit_minor, sum(bc) as base_credit_minor, sum(n) as entries
  from (
    select ledger_account_id, party_type, party_id, currency, period, debit_minor d, credit_minor c,
      base_debit_minor bd,
      base_credit_minor bc, entries n from party_balances
    union all
    select ledger_account_id, party_type, party_id, currency, period, -greatest(amount_minor, 0),
      -greatest(-amount_minor, 0),
      -greatest(base_amount_minor, 0), -greatest(-base_amount_minor, 0), -1 from posted_entries
        where party_id is not null) x
  group by 1, 2, 3, 4, 5 having sum(d) <> 0 or sum(c) <> 0 or sum(bd) <> 0 or sum(bc) <> 0 or sum(n) <> 0;

-- Links whose stored hash is no longer that of the posting or of the link before.
create view ledger_chain_breaks as
  select c.division, c.seq, c.transaction_id from (
    select division, seq, transaction_id, prev_hash, hash,
      lag(hash, 1, ''::bytea) over w as expected_prev, lag(seq, 1, 0::bigint) over w as prev_seq
    from ledger_chain window w as (partition by division order by seq)) c
  where c.prev_hash <> c.expected_prev or c.seq <> c.prev_seq + 1
    or c.hash is distinct from sha256(c.prev_hash || convert_to(ledger_chain_text(c.transaction_id), 'UTF8'));

grant select on currencies, divisions, ledger_headers, ledger_accounts, periods, period_locks, lock_exceptions,
  transaction_kinds,
  transactions, journal_entries, ledger_balances, party_balances, open_items, allocations, number_series, number_uses,
  exchange_rates, ledger_chain, ledger_chain_queue, posted_entries, balance_drift, party_drift,
    ledger_chain_breaks to app_rw;
grant insert, update on ledger_headers, ledger_accounts, exchange_rates to app_rw;
-- an unused header or account in the trash may be purged, a mistyped rate removed
grant delete on ledger_headers, ledger_accounts, exchange_rates to app_rw;
grant update (name, legal_entity_name, address, timezone, short_pay_tolerance_minor, short_pay_tolerance_ppm,
  version, updated_at)
  on divisions to app_rw;

-- Functions are open to everyone by default; these are for the application alone, and the inner ones for nobody.
do $$
declare
  f record;
begin
  for f in select p.oid::regprocedure as signature, p.proname, p.prosecdef and p.prorettype <> 'trigger'::regtype
    as door
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and (p.proname like 'ledger\_%' or p.proname like 'tg\_%'
        or p.proname in ('ensure_periods', 'rate_on')) loop
    execute format('revoke all on function %s from public', f.signature);
    if f.door or f.proname in ('rate_on', 'ledger_draft_fault', 'ledger_line_fault', 'ledger_chain_text') then
      execute format('grant execute on function %s to app_rw', f.signature);
    end if;
  end loop;
end $$;
